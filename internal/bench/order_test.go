package bench_test

import (
	"reflect"
	"slices"
	"testing"

	"fitbench/internal/bench"
)

// squareRounds is the number of rounds of a whole Williams square.
func squareRounds(cells int) int {
	if cells%2 == 0 {
		return cells
	}
	return 2 * cells
}

func TestEachRoundHasEachCellOnce(t *testing.T) {
	for cells := range 10 {
		for r, row := range bench.Order(cells, 3*cells+1) {
			sorted := slices.Sorted(slices.Values(row))
			for i, cell := range sorted {
				if cell != i || len(sorted) != cells {
					t.Fatalf("%d cells, round %d: %v", cells, r+1, row)
				}
			}
		}
	}
}

func TestAWholeSquareHasEachCellInEachPositionEquallyOften(t *testing.T) {
	for cells := 1; cells <= 9; cells++ {
		rounds := squareRounds(cells)
		for position, counts := range positionCounts(cells, bench.Order(cells, rounds)) {
			for cell, n := range counts {
				if n != rounds/cells {
					t.Errorf("%d cells: cell %d is %d times in position %d, want %d", cells, cell, n, position, rounds/cells)
				}
			}
		}
	}
}

func TestAWholeSquareHasEachPairOfNeighboursEquallyOften(t *testing.T) {
	for cells := 2; cells <= 9; cells++ {
		rounds := squareRounds(cells)
		pairs := map[[2]int]int{}
		for _, row := range bench.Order(cells, rounds) {
			for i := 1; i < cells; i++ {
				pairs[[2]int{row[i-1], row[i]}]++
			}
		}
		if len(pairs) != cells*(cells-1) {
			t.Errorf("%d cells: %d different ordered pairs, want %d", cells, len(pairs), cells*(cells-1))
		}
		for pair, n := range pairs {
			// There are rounds*(cells-1) neighbours and cells*(cells-1) ordered pairs.
			if want := rounds / cells; n != want {
				t.Errorf("%d cells: pair %v %d times, want %d", cells, pair, n, want)
			}
		}
	}
}

func TestFewRoundsBalancePositionsAsFarAsTheyCan(t *testing.T) {
	for cells := 1; cells <= 9; cells++ {
		for rounds := 1; rounds <= 4*cells; rounds++ {
			for position, counts := range positionCounts(cells, bench.Order(cells, rounds)) {
				if slices.Max(counts)-slices.Min(counts) > 1 {
					t.Errorf("%d cells, %d rounds: position %d has the cells %v times", cells, rounds, position, counts)
				}
			}
		}
	}
}

func TestTwoRoundsOfAnEvenNumberOfCellsAreOpposites(t *testing.T) {
	for cells := 2; cells <= 8; cells += 2 {
		orders := bench.Order(cells, cells)
		for r := 0; r < cells; r += 2 {
			reversed := slices.Clone(orders[r+1])
			slices.Reverse(reversed)
			if !slices.Equal(orders[r], reversed) {
				t.Errorf("%d cells: rounds %d and %d are %v and %v", cells, r+1, r+2, orders[r], orders[r+1])
			}
		}
	}
}

func TestOrderOfFourCellsIsWilliams(t *testing.T) {
	want := [][]int{{0, 1, 3, 2}, {2, 3, 1, 0}, {1, 2, 0, 3}, {3, 0, 2, 1}, {0, 1, 3, 2}}
	if got := bench.Order(4, 5); !reflect.DeepEqual(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
}

// positionCounts is how often each position has each cell.
func positionCounts(cells int, orders [][]int) [][]int {
	counts := make([][]int, cells)
	for position := range counts {
		counts[position] = make([]int, cells)
		for _, row := range orders {
			counts[position][row[position]]++
		}
	}
	return counts
}
