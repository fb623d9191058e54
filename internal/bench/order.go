package bench

// Order returns the order of that many cells in each round: the rows of a Williams square (E. J. Williams, Experimental designs
// balanced for the estimation of residual effects of treatments, Australian Journal of Scientific Research A 2, 1949). Each round
// has each cell once. Over a whole square every cell is in every position equally often, and every ordered pair of cells follows
// on one another within a round equally often: a square has as many rounds as there are cells where their number is even, and
// twice as many where it is odd. In every run of as many rounds as there are cells, counted from the first, no position has a cell
// twice; further rounds begin the square again.
func Order(cells, rounds int) [][]int {
	orders := make([][]int, rounds)
	for r := range orders {
		orders[r] = williamsRow(cells, r)
	}
	return orders
}

// williamsRow is one round's order. The first row is 0, 1, n-1, 2, n-2, ...; the others add the same shift to each cell, modulo n.
// An odd number of cells takes a second square, its rows reversed. Rows come in an order in which a row and its opposite are
// neighbours: for an even n the opposite is the exact reverse, so that two rounds already balance a steady drift.
func williamsRow(n, round int) []int {
	if n == 0 {
		return nil
	}
	shift := round%n/2 + round%n%2*((n+1)/2)
	mirrored := n%2 == 1 && round/n%2 == 1
	row := make([]int, n)
	for position := range row {
		step := (position + 1) / 2
		if position%2 == 0 {
			step = n - step
		}
		at := position
		if mirrored {
			at = n - 1 - position
		}
		row[at] = (step + shift) % n
	}
	return row
}
