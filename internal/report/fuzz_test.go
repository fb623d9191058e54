package report_test

import (
	"io"
	"strings"
	"testing"

	"fitbench/internal/record"
	"fitbench/internal/report"
)

// Whatever is read as a record can be written in every form.
func FuzzWhatIsReadCanBeShown(f *testing.F) {
	f.Add(`{"schema_version": 1, "plan": {"samples": 1, "batch_size": 1}}`)
	f.Add(`{"schema_version": 1, "plan": {"samples": 5, "batch_sizes": [1, 9], "rounds": -3}, "runs": [{"mode": "fit", "batch_size": -1}]}`)
	f.Add(`{"schema_version": 1, "plan": {"samples": 5, "batch_size": 2, "epochs": 1, "cells": null},
		"runs": [{"mode": "fit", "execution": "compiled", "step_milliseconds": 1e308, "steps": 1, "wall_seconds": -0.0, "epochs": [{}]},
			{"mode": "fit", "execution": "eager", "step_milliseconds": 1e308, "user_seconds": 1e308, "system_seconds": 1e308, "error": "e"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		rec, err := report.Decode(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, f := range report.Formats() {
			for _, width := range []int{0, 1, 60} {
				_ = f.Write(io.Discard, []record.Record{rec}, report.Options{Width: width}) // an overflow may be an error, but no panic
			}
		}
	})
}
