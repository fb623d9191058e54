package modes

import (
	"time"

	"fitbench/internal/meter"
)

// instruments are what a run is measured with.
type instruments struct {
	// now is the wall clock, read for each step.
	now func() time.Time
	// instant is the wall clock and the CPU time, read at the borders of segments.
	instant func() meter.Instant
	// watchOthers begins to watch the rest of the machine; what it returns reads what happened since.
	watchOthers func() (read func() meter.Disturbance)
	runtime     func() meter.Go
}

func meters() instruments {
	return instruments{
		now: time.Now, instant: meter.Now, runtime: meter.ReadGo,
		watchOthers: func() func() meter.Disturbance { return meter.WatchOthers().Read },
	}
}
