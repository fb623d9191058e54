package report_test

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// severalSizes is a record of several batch sizes: every cell at every size in every round.
func severalSizes(rounds int, sizes ...int) record.Record {
	var rec record.Record
	for i, size := range sizes {
		one := recordOf(experiment(size, rounds))
		if i == 0 {
			rec = one
			rec.Plan.BatchSize, rec.Plan.BatchSizes, rec.Plan.SamplesPerRun = 0, sizes, 128000
			continue
		}
		rec.Runs = append(rec.Runs, one.Runs...)
	}
	return rec
}

// shapes are ways in which a record grows to about n runs, each by one thing alone.
func shapes(n int) map[string]record.Record {
	fit := record.Cell{Mode: "fit", Execution: "compiled"}
	failing := recordOf(only(experiment(64, n), fit))
	for i := range failing.Runs {
		if i%2 == 0 {
			failing.Runs[i] = record.Run{Mode: "fit", Execution: "compiled", Engine: "fitbench", BatchSize: 64, Round: i + 1,
				Error: fmt.Sprintf("failed in its own way %d", i)}
		}
	}
	return map[string]record.Record{
		"rounds":    recordOf(experiment(64, n/6)),
		"one cell":  recordOf(only(experiment(64, n), fit)),
		"sizes":     severalSizes(n/6/10, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192),
		"failing":   failing,
		"many bits": change(recordOf(experiment(64, n/6)), "", func(r *record.Run) { r.Epochs = make([]record.Epoch, 20) }),
	}
}

// allocated is the memory, in bytes and in pieces, that writing takes.
func allocated(t *testing.T, f report.Format, rec record.Record) (bytes, pieces float64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := f.Write(io.Discard, []record.Record{rec}, report.Options{}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc), float64(after.Mallocs - before.Mallocs)
}

// Work that grew with the square of the runs would take 64 times as much of eight times the runs; buffers that double as they grow
// take up to twice their eight times. The memory taken stands for the work: it does not depend on the machine's mood.
func TestTheWorkOfEveryFormatGrowsWithTheRunsAndNotFaster(t *testing.T) {
	const few, many, most = 60, 480, 20
	small, large := shapes(few), shapes(many)
	for _, f := range report.Formats() {
		allocated(t, f, small["rounds"]) // what is made once is not counted
		for name := range small {
			bytes, pieces := allocated(t, f, small[name])
			moreBytes, morePieces := allocated(t, f, large[name])
			if !(moreBytes <= most*bytes) || !(morePieces <= most*pieces) {
				t.Errorf("%s, %s: of %d times the runs %.1f times the bytes and %.1f times the pieces", f.Name, name, many/few,
					moreBytes/bytes, morePieces/pieces)
			}
		}
	}
}

// Its figure is to be held against a second.
func BenchmarkFormatsOf500Runs(b *testing.B) {
	for _, f := range report.Formats() {
		for name, rec := range shapes(504) {
			b.Run(f.Name+"/grows="+strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
				for b.Loop() {
					if err := f.Write(io.Discard, []record.Record{rec}, report.Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
