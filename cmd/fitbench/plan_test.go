package main

import (
	"reflect"
	"testing"

	"fitbench/internal/meter"
	"fitbench/internal/record"

	"github.com/spf13/pflag"
)

func planOf(t *testing.T, args ...string) record.Plan {
	t.Helper()
	set := pflag.NewFlagSet("run", pflag.ContinueOnError)
	flags := addPlanFlags(set, oneSize)
	if err := set.Parse(args); err != nil {
		t.Fatal(err)
	}
	plan, err := flags.make()
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// defaults is the experiment as it was reported, 2,000 steps of it in 5 rounds.
func defaults() record.Plan {
	return record.Plan{
		Samples: 1049344, Window: 104, Anomalies: 50000, Noise: 0.2, Shift: 0.5, Seed: 0,
		BatchSize: 64, Steps: 2000, Rounds: 5, Threads: meter.ReadMachine().UsableCores, Kernel: "auto", Workers: 1, QueueSize: 10,
		Cells: []record.Cell{
			{Mode: "fit", Execution: "compiled"},
			{Mode: "generator", Execution: "compiled"}, {Mode: "generator", Execution: "eager"},
			{Mode: "train-on-batch", Execution: "compiled"}, {Mode: "train-on-batch", Execution: "eager"},
			{Mode: "fit-windows", Execution: "compiled"},
		},
	}
}

func TestEachFlagSetsItsOwnPartOfThePlan(t *testing.T) {
	for _, c := range []struct {
		args   []string
		change func(*record.Plan)
	}{
		{nil, func(*record.Plan) {}},
		{[]string{"--samples", "2000000"}, func(p *record.Plan) { p.Samples = 2000000 }},
		// 65,536 x 50,000 / 1,049,344 = 3,122.7
		{[]string{"--samples", "65536"}, func(p *record.Plan) { p.Samples, p.Anomalies = 65536, 3122 }},
		{[]string{"--samples", "65536", "--anomalies", "50000"}, func(p *record.Plan) { p.Samples = 65536 }},
		{[]string{"--window", "12"}, func(p *record.Plan) { p.Window = 12 }},
		{[]string{"--anomalies", "0"}, func(p *record.Plan) { p.Anomalies = 0 }},
		{[]string{"--noise", "0"}, func(p *record.Plan) { p.Noise = 0 }},
		{[]string{"--shift", "-1.5"}, func(p *record.Plan) { p.Shift = -1.5 }},
		{[]string{"--seed", "4294967295"}, func(p *record.Plan) { p.Seed = 4294967295 }},
		{[]string{"--batch-size", "8096"}, func(p *record.Plan) { p.BatchSize = 8096 }},
		{[]string{"--steps", "7"}, func(p *record.Plan) { p.Steps = 7 }},
		{[]string{"--epochs", "3"}, func(p *record.Plan) { p.Steps, p.Epochs, p.Rounds = 0, 3, 1 }},
		{[]string{"--epochs", "3", "--rounds", "2"}, func(p *record.Plan) { p.Steps, p.Epochs, p.Rounds = 0, 3, 2 }},
		{[]string{"--rounds", "9"}, func(p *record.Plan) { p.Rounds = 9 }},
		{[]string{"--threads", "13"}, func(p *record.Plan) { p.Threads = 13 }},
		{[]string{"--kernel", "go"}, func(p *record.Plan) { p.Kernel = "go" }},
		{[]string{"--workers", "4"}, func(p *record.Plan) { p.Workers = 4 }},
		{[]string{"--queue-size", "3"}, func(p *record.Plan) { p.QueueSize = 3 }},
		{[]string{"--chunk-size", "4096"}, func(p *record.Plan) { p.ChunkSize = 4096 }},
		{[]string{"--modes", "fit", "--executions", "eager"}, func(p *record.Plan) {
			p.Cells = []record.Cell{{Mode: "fit", Execution: "eager"}}
		}},
	} {
		want := defaults()
		c.change(&want)
		if got := planOf(t, c.args...); !reflect.DeepEqual(got, want) {
			t.Errorf("%v makes\n%+v, want\n%+v", c.args, got, want)
		}
	}
}
