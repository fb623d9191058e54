package modes

import (
	"context"

	"fitbench/internal/record"
)

// openWindows is fit-windows' feed: a batch is offsets into the one series, no window is ever copied. What is built once is the
// series as float32, as fit's array is float32: a (window)th part of that array.
func openWindows(ctx context.Context, s source) (Feed, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return newPicked(s, s.set.Narrow(), 1), nil
}

func windowsNeeds(p record.Plan) need {
	return need{
		bytes:  4 * (int64(p.Samples) + int64(p.Window) - 1),
		what:   "the series as float32",
		remedy: "fewer samples would do",
	}
}
