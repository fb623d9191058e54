package modes

import (
	"errors"
	"math"
	"testing"

	"fitbench/internal/record"
)

// The small plan has 100 samples and batches of 16: 6 steps an epoch.
func TestAPlanIsRefusedByTheFieldThatCannotBeRun(t *testing.T) {
	for _, c := range []struct {
		change func(p *record.Plan)
		want   FieldError
	}{
		{func(p *record.Plan) { p.Samples = 0 }, FieldError{Field: "samples", Value: 0, Accepted: "1 to 2147483647"}},
		{func(p *record.Plan) { p.Samples = 1 << 31 }, FieldError{Field: "samples", Value: 1 << 31, Accepted: "1 to 2147483647"}},
		{func(p *record.Plan) { p.Window = 11 }, FieldError{Field: "window", Value: 11, Accepted: "12 or more (kernel 9, pool 4)"}},
		{func(p *record.Plan) { p.Window = 101 }, FieldError{Field: "window", Value: 101, Accepted: "1 to 100", LimitedBy: "samples"}},
		{func(p *record.Plan) { p.Anomalies = 101 }, FieldError{Field: "anomalies", Value: 101, Accepted: "0 to 100", LimitedBy: "samples"}},
		{func(p *record.Plan) { p.Noise = -1 }, FieldError{Field: "noise", Value: -1.0, Accepted: "a finite number from 0 on"}},
		{func(p *record.Plan) { p.Shift = math.Inf(1) }, FieldError{Field: "shift", Value: math.Inf(1), Accepted: "a finite number"}},
		{func(p *record.Plan) { p.BatchSize = 0 }, FieldError{Field: "batch_size", Value: 0, Accepted: "1 to 100", LimitedBy: "samples"}},
		{func(p *record.Plan) { p.BatchSize = 101 }, FieldError{Field: "batch_size", Value: 101, Accepted: "1 to 100", LimitedBy: "samples"}},
		{func(p *record.Plan) { p.Threads = 0 }, FieldError{Field: "threads", Value: 0, Accepted: "1 or more"}},
		{func(p *record.Plan) { p.Workers = 0 }, FieldError{Field: "workers", Value: 0, Accepted: "1 or more"}},
		{func(p *record.Plan) { p.QueueSize = -1 }, FieldError{Field: "queue_size", Value: -1, Accepted: "1 or more"}},
		{func(p *record.Plan) { p.ChunkSize = -1 }, FieldError{Field: "chunk_size", Value: -1, Accepted: "1 or more"}},
		{func(p *record.Plan) { p.Rounds = 0 }, FieldError{Field: "rounds", Value: 0, Accepted: "1 or more"}},
		{func(p *record.Plan) { p.Steps = 0 }, FieldError{Field: "steps", Value: 0, Accepted: "1 to 2147483647"}},
		{func(p *record.Plan) { p.Steps = 1 << 31 }, FieldError{Field: "steps", Value: 1 << 31, Accepted: "1 to 2147483647"}},
		{func(p *record.Plan) { p.Epochs = -1 }, FieldError{Field: "epochs", Value: -1, Accepted: "with 6 steps an epoch 1 to 357913941"}},
		{func(p *record.Plan) { p.Epochs = 357913942 }, FieldError{Field: "epochs", Value: 357913942, Accepted: "with 6 steps an epoch 1 to 357913941"}},
	} {
		p := smallJob(40).Plan
		c.change(&p)
		var got *FieldError
		if err := CheckPlan(p); !errors.As(err, &got) || *got != c.want {
			t.Errorf("%v, want %+v", err, c.want)
		}
	}
}

func TestAPlanAtItsLimitsIsAccepted(t *testing.T) {
	for name, change := range map[string]func(p *record.Plan){
		"shortest window":    func(p *record.Plan) { p.Window = 12 },
		"longest window":     func(p *record.Plan) { p.Window = 100 },
		"all anomalies":      func(p *record.Plan) { p.Anomalies = 100 },
		"one batch an epoch": func(p *record.Plan) { p.BatchSize = 100 },
		"one of each": func(p *record.Plan) {
			p.BatchSize, p.Threads, p.Workers, p.QueueSize, p.ChunkSize, p.Rounds, p.Steps = 1, 1, 1, 1, 1, 1, 1
		},
		"longest pieces":      func(p *record.Plan) { p.ChunkSize = math.MaxInt },
		"default pieces":      func(p *record.Plan) { p.ChunkSize = 0 },
		"most steps":          func(p *record.Plan) { p.Steps = math.MaxInt32 },
		"most epochs":         func(p *record.Plan) { p.Steps, p.Epochs = 0, 357913941 },
		"no noise, no shift":  func(p *record.Plan) { p.Noise, p.Shift = 0, 0 },
		"the full experiment": func(p *record.Plan) { *p = fullPlan() },
	} {
		p := smallJob(40).Plan
		change(&p)
		if err := CheckPlan(p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
