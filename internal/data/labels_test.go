package data

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
)

// bruteLabels looks into every window, O(samples*window).
func bruteLabels(samples, window int, anomalies []int32) []uint8 {
	labels := make([]uint8, samples)
	for i := range labels {
		for k := range window {
			if slices.Contains(anomalies, int32((i+k)%samples)) {
				labels[i] = 1
			}
		}
	}
	return labels
}

// bruteReportedLabels asks as the script does, with the window's end taken modulo the samples.
func bruteReportedLabels(samples, window int, anomalies []int32) []uint8 {
	labels := make([]uint8, samples)
	for i := range labels {
		for _, a := range anomalies {
			if int(a) >= i && int(a) < (i+window)%samples {
				labels[i] = 1
			}
		}
	}
	return labels
}

func TestLabelsAreThoseOfLookingIntoEveryWindow(t *testing.T) {
	for _, samples := range []int{1, 2, 3, 7, 61, 128} {
		for _, window := range []int{1, 2, 3, 5, 60, 61, 128} {
			for _, m := range []int{0, 1, 2, 5, 61, 128} {
				if window > samples || m > samples {
					continue
				}
				t.Run(fmt.Sprintf("N=%d,D=%d,M=%d", samples, window, m), func(t *testing.T) {
					for seed := range uint32(5) {
						anomalies := choose(t, NewRandomState(seed), samples, m)
						got, want := Labels(samples, window, anomalies), bruteLabels(samples, window, anomalies)
						if !bytes.Equal(got, want) {
							t.Errorf("anomalies %v: labels %v, want %v", anomalies, got, want)
						}
						got, want = ReportedLabels(samples, window, anomalies), bruteReportedLabels(samples, window, anomalies)
						if !bytes.Equal(got, want) {
							t.Errorf("anomalies %v: the reported script's labels %v, want %v", anomalies, got, want)
						}
					}
				})
			}
		}
	}
}

// By hand: five samples, windows of three, the one anomaly at 1. Windows 4 (4,0,1), 0 and 1 hold it.
func TestLabelsWrapAroundTheEnd(t *testing.T) {
	if got := Labels(5, 3, []int32{1}); !bytes.Equal(got, []uint8{1, 1, 0, 0, 1}) {
		t.Errorf("labels %v", got)
	}
	if got := ReportedLabels(5, 3, []int32{1}); !bytes.Equal(got, []uint8{1, 1, 0, 0, 0}) {
		t.Errorf("the reported script's labels %v", got)
	}
}

// Longer than the pieces in which the work is done, so that their seams are crossed.
func TestLabelsAcrossPieces(t *testing.T) {
	const samples, window = 2*piece + 1001, 104
	anomalies := []int32{5, piece - 1, piece, 2*piece + 50}
	got := Labels(samples, window, anomalies)
	for i, label := range got {
		var want uint8
		for _, a := range anomalies {
			if (int(a)-i+samples)%samples < window {
				want = 1
			}
		}
		if label != want {
			t.Fatalf("label %d is %d, want %d", i, label, want)
		}
	}
}
