package report_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

var update = flag.Bool("update", false, "write the golden files anew; read them before they are kept")

// cases are records with the situations that a table must cope with.
func cases() map[string]record.Record {
	fit, windows := record.Cell{Mode: "fit", Execution: "compiled"}, record.Cell{Mode: "fit-windows", Execution: "compiled"}
	eager := []record.Cell{{Mode: "fit", Execution: "eager"}, {Mode: "generator", Execution: "eager"}, {Mode: "train-on-batch", Execution: "eager"}}

	epochs := experiment(64, 1)
	epochs.Steps, epochs.Epochs = 0, 10
	interrupted := recordOf(experiment(64, 5))
	interrupted.Runs = interrupted.Runs[:3]
	nothing := recordOf(experiment(64, 5))
	nothing.Runs = nil
	return map[string]record.Record{
		"default":      recordOf(experiment(64, 5)),
		"epochs":       recordOf(epochs),
		"one round":    recordOf(experiment(64, 1)),
		"interrupted":  interrupted,
		"nothing":      nothing,
		"only eager":   recordOf(only(experiment(64, 3), eager...)),
		"no reference": recordOf(only(experiment(64, 5), experiment(64, 5).Cells[1:]...)),
		"two lean":     recordOf(only(experiment(512, 3), fit, windows)),
		"failed":       refused(recordOf(experiment(64, 5))),
		"noisy": change(recordOf(experiment(64, 3)), "", func(r *record.Run) {
			r.Disturbed, r.OtherCPUPercent = true, record.Of(103.2)
		}),
		"short": change(recordOf(experiment(64, 3)), "", func(r *record.Run) {
			if r.Execution == "compiled" {
				r.WallSeconds, r.OtherCPUPercent, r.StealPercent = record.Of(0.2), nil, nil
			}
		}),
		"disturbed": change(recordOf(experiment(64, 5)), "train-on-batch@eager", func(r *record.Run) {
			r.Disturbed, r.OtherCPUPercent = r.Round > 2, record.Of(float64(11*r.Round))
		}),
		"unequal": change(recordOf(experiment(64, 2)), "generator@eager", func(r *record.Run) { r.WeightsDigest = fmt.Sprintf("feedbeef%d", r.Round) }),
		"hidden memory": change(recordOf(experiment(64, 3)), "", func(r *record.Run) {
			r.PeakRSSBytes, r.StealPercent, r.OtherCPUPercent, r.SteadyCPUPercent, r.Accuracy = nil, nil, nil, nil, nil
		}),
	}
}

// refused is a record in which fit does not get the memory for its array: twice, after which it is not tried again.
func refused(rec record.Record) record.Record {
	isFit := func(r record.Run) bool { return r.Cell() == (record.Cell{Mode: "fit", Execution: "compiled"}) }
	rec = drop(rec, func(r record.Run) bool { return isFit(r) && r.Round > 2 })
	return change(rec, "fit@compiled", func(r *record.Run) {
		*r = record.Run{Mode: r.Mode, Execution: r.Execution, Feed: r.Feed, Engine: r.Engine, Round: r.Round, BatchSize: r.BatchSize,
			Error: "fit needs 436.5 MB for its array of 1049344 x 104 float32, but only 120.0 MB are available (cgroup limit);\n" +
				"fit-windows trains on the same windows without the array"}
	})
}

func TestTablesAreAsReviewed(t *testing.T) {
	for name, rec := range cases() {
		for _, width := range []int{0, 80, 40} {
			t.Run(fmt.Sprintf("%s at %d", name, width), func(t *testing.T) {
				var got bytes.Buffer
				if err := report.Table(&got, rec, report.Options{Width: width}); err != nil {
					t.Fatal(err)
				}
				if width != 0 && name != "default" && name != "failed" {
					return
				}
				golden(t, fmt.Sprintf("%s_%d.txt", strings.ReplaceAll(name, " ", "_"), width), got.Bytes())
			})
		}
	}
}

func TestJSONIsAsReviewed(t *testing.T) {
	rec := recordOf(only(experiment(64, 1), record.Cell{Mode: "fit", Execution: "compiled"}, record.Cell{Mode: "generator", Execution: "eager"}))
	var got bytes.Buffer
	if err := report.JSON(&got, rec); err != nil {
		t.Fatal(err)
	}
	golden(t, "record.json", got.Bytes())
}

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got\n%s\nwant\n%s", path, got, want)
	}
}
