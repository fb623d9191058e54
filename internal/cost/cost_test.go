package cost_test

import (
	"math"
	"testing"

	"fitbench/internal/cost"
	"fitbench/internal/record"
	"fitbench/internal/summary"
)

// cell is a conclusive cell whose median step takes that long.
func cell(mode string, size int, ms float64) summary.Cell {
	return summary.Cell{
		Cell: record.Cell{Mode: mode, Execution: "compiled"}, Engine: "fitbench", BatchSize: size, Conclusive: true,
		StepMilliseconds: summary.Value{Median: ms, N: 3, OK: true},
	}
}

// line are cells on a + b x size.
func line(mode string, a, b float64, sizes ...int) []summary.Cell {
	var cells []summary.Cell
	for _, size := range sizes {
		cells = append(cells, cell(mode, size, a+b*float64(size)))
	}
	return cells
}

func models(t *testing.T, cells ...[]summary.Cell) []cost.Model {
	t.Helper()
	var sum summary.Summary
	for _, c := range cells {
		sum.Cells = append(sum.Cells, c...)
	}
	return cost.Models(sum)
}

func TestAModelIsTheLineThroughTheMediansBySize(t *testing.T) {
	all := models(t, line("fit", 0.02, 0.001, 64, 16, 256, 1024), line("generator", 0.1, 0.001, 16, 64, 256))
	if len(all) != 2 {
		t.Fatalf("%d models, want 2", len(all))
	}
	m := all[0]
	if !m.OK || !m.Fits() || !(math.Abs(m.Line.Intercept-0.02) < 1e-9) || !(math.Abs(m.Line.Slope-0.001) < 1e-12) || m.Sizes[0] != 16 || m.Sizes[3] != 1024 {
		t.Errorf("%+v", m)
	}
}

func TestWhatIsNotConclusiveIsLeftOut(t *testing.T) {
	cells := line("fit", 0.02, 0.001, 16, 64, 256, 1024)
	cells[3].StepMilliseconds.Median, cells[3].Conclusive = 99, false
	if m := models(t, cells)[0]; len(m.Sizes) != 3 || !m.Fits() {
		t.Errorf("%+v", m)
	}
	for i := range cells {
		cells[i].Conclusive = false
	}
	if all := models(t, cells); len(all) != 0 {
		t.Errorf("%+v of no conclusive cell", all)
	}
}

func TestTwoSizesHaveALineThatProvesNothing(t *testing.T) {
	if m := models(t, line("fit", 0.02, 0.001, 16, 64))[0]; !m.OK || m.Fits() || m.Line.Quality != nil {
		t.Errorf("%+v", m)
	}
	if m := models(t, line("fit", 0.02, 0.001, 16))[0]; m.OK || m.Fits() {
		t.Errorf("%+v of one size", m)
	}
}

// against gives the cells the ratios that they have to others of the same sizes.
func against(cells, base []summary.Cell) []summary.Cell {
	for i := range cells {
		cells[i].TimesFit = summary.Value{Median: cells[i].StepMilliseconds.Median / base[i].StepMilliseconds.Median, OK: true}
	}
	return cells
}

// 1 ms + 0.01 ms a sample against 1.0045 ms more: 10 % of 1 + 0.01 n is that where n is 904.5.
func TestWithinIsWhereTheGapFallsBelowTheShare(t *testing.T) {
	sizes := []int{16, 256, 1024, 8096}
	fit := line("fit", 1, 0.01, sizes...)
	base := models(t, fit)[0]
	for _, c := range []struct {
		what  string
		cells []summary.Cell
		size  int
		want  cost.Closeness
	}{
		{"from a size on", against(line("generator", 2.0045, 0.01, sizes...), fit), 905, cost.FromSize},
		{"at every size", against(line("generator", 1.01, 0.01, sizes...), fit), 16, cost.FromSize},
		{"at none", against(line("generator", 2.0045, 0.01, 16, 64, 256), line("fit", 1, 0.01, 16, 64, 256)), 0, cost.Never},
		{"two sizes", line("generator", 2, 0.01, 16, 8096), 0, cost.Disagreeing},
		{"one size", line("generator", 2, 0.01, 16), 0, cost.Unknown},
		{"other sizes", line("generator", 2, 0.01, 9000, 10000, 20000), 0, cost.Unknown},
	} {
		size, got := models(t, c.cells)[0].Within(base, 0.10)
		if got != c.want || size != c.size {
			t.Errorf("%s: %d, %v; want %d, %v", c.what, size, got, c.size, c.want)
		}
	}
}

// The line says 905, but 1,024 was measured at 1.2 times fit; or the line says never, and 8,096 was measured at 1.05 times.
func TestNothingIsClaimedAgainstWhatWasMeasured(t *testing.T) {
	sizes := []int{16, 256, 1024, 8096}
	fit := line("fit", 1, 0.01, sizes...)
	base := models(t, fit)[0]
	for at, c := range map[int]struct{ a, measured float64 }{2: {2.0045, 1.2}, 3: {20, 1.05}, 0: {2.0045, 1.05}} {
		cells := against(line("generator", c.a, 0.01, sizes...), fit)
		cells[at].TimesFit.Median = c.measured
		if size, got := models(t, cells)[0].Within(base, 0.10); got != cost.Disagreeing {
			t.Errorf("size %d at %v: %d, %v", sizes[at], c.measured, size, got)
		}
	}
	rough := against(line("generator", 2.0045, 0.01, sizes...), fit)
	for i := range rough {
		rough[i].StepMilliseconds.Median *= 1 + 0.13*float64(1-i%2*2)
		rough[i].StepMilliseconds.Spread = 0.2
	}
	if _, got := models(t, rough)[0].Within(base, 0.10); got != cost.Disagreeing {
		t.Errorf("points 13 %% off the line: %v", got)
	}
}

func TestABentCostFitsNoSingleLine(t *testing.T) {
	cells := append(line("fit", 0.1, 0.001, 16, 64, 128), line("fit", 0.1, 0.01, 1024, 2048, 8096)...)
	if m := models(t, cells)[0]; m.Fits() || len(m.Ranges) < 2 {
		t.Errorf("%+v", m)
	}
}

func TestFindIsByEngineAndCell(t *testing.T) {
	all := models(t, line("fit", 1, 1, 1, 2, 3), line("generator", 2, 1, 1, 2, 3))
	if m, ok := cost.Find(all, "fitbench", record.Cell{Mode: "generator", Execution: "compiled"}); !ok || m.Mode != "generator" {
		t.Errorf("%+v, %v", m, ok)
	}
	if _, ok := cost.Find(all, "other", record.Cell{Mode: "generator", Execution: "compiled"}); ok {
		t.Error("found under another engine")
	}
}
