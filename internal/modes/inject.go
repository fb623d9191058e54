package modes

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"fitbench/internal/record"
)

// injection is work that is added to each step on purpose, so that a check for regressions can be tested: the one exception to the
// rule that nothing here is slowed down. A run says that it has it.
type injection struct {
	share float64 // of the step's own time; 0 for none
	sink  float64
}

// injectEverywhere stands for all cells, as a slower kernel would slow down all of them.
const injectEverywhere = "kernel"

// parseInjection reads what a plan has to inject, as it concerns one cell.
func parseInjection(text string, cell record.Cell) (injection, error) {
	if text == "" {
		return injection{}, nil
	}
	where, amount, ok := strings.Cut(text, "=")
	percent, err := strconv.ParseFloat(strings.TrimSuffix(amount, "%"), 64)
	if !ok || err != nil || !strings.HasSuffix(amount, "%") || !(percent > 0 && percent <= 1000) {
		return injection{}, fmt.Errorf("injection %q; accepted: a mode with its execution, or %s, and a share of the step above 0 %% and up to 1000 %%, as in fit@compiled=10%%",
			text, injectEverywhere)
	}
	if where != injectEverywhere {
		if _, err := parseItem(where, nil); err != nil || !strings.Contains(where, "@") {
			return injection{}, fmt.Errorf("injection %q is for no cell; accepted: a mode with its execution, as in fit@compiled=10%%, or %s", text, injectEverywhere)
		}
	}
	if where == injectEverywhere || where == cell.String() {
		return injection{share: percent / 100}, nil
	}
	return injection{}, nil
}

// CheckInjection says what is wrong with a plan's injection.
func CheckInjection(text string) error {
	_, err := parseInjection(text, record.Cell{})
	return err
}

// Injects tells whether a plan's injection, which CheckInjection has nothing against, is for a cell.
func Injects(text string, cell record.Cell) bool {
	i, err := parseInjection(text, cell)
	return err == nil && i.share > 0
}

// add works for the injection's share of what has passed since the step began. It computes: it does not sleep.
func (i *injection) add(now func() time.Time, began time.Time) {
	if i.share == 0 {
		return
	}
	ended := now()
	until := ended.Add(time.Duration(i.share * float64(ended.Sub(began))))
	for now().Before(until) {
		x := 1.0
		for range 64 {
			x = x*1.0000001 + 0.1
		}
		i.sink += x
	}
}
