package verify

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"fitbench/internal/data"
)

const seriesName = "series.json"

// seriesFile is series.json: how the series was made, and what came out.
type seriesFile struct {
	NumPy     string  `json:"numpy"` // the version that drew it; may be missing
	Seed      uint32  `json:"seed"`
	Samples   int     `json:"samples"`
	Window    int     `json:"window"`
	Anomalies int     `json:"anomalies"`
	Noise     float64 `json:"noise_scale"`
	Shift     float64 `json:"shift"`

	NoiseFirst     []float64 `json:"noise_first"`
	SeriesFirst    []float64 `json:"series_first"`
	SeriesSum      float64   `json:"series_sum"`
	AnomalyFirst   []int32   `json:"anomaly_first"`
	AnomalyDigest  string    `json:"anomaly_sha256_le_i64"`
	LabelOnes      int       `json:"label_ones"`
	LabelsDigest   string    `json:"labels_sha256_u8"`
	ReportedOnes   int       `json:"label_ones_reported_script"`
	ReportedDigest string    `json:"labels_reported_script_sha256_u8"`
	PermutedFirst  []int32   `json:"next_permutation_first"`
	PermutedDigest string    `json:"next_permutation_sha256_le_i64"`
}

func (s seriesFile) config() data.Config {
	return data.Config{Samples: s.Samples, Window: s.Window, Anomalies: s.Anomalies, Noise: s.Noise, Shift: s.Shift, Seed: s.Seed}
}

func readSeries(f *goldenFolder) (seriesFile, error) {
	var s seriesFile
	err := f.object(seriesName, &s, "seed", "samples", "window", "anomalies", "noise_scale", "shift", "noise_first", "series_first", "series_sum",
		"anomaly_first", "anomaly_sha256_le_i64", "label_ones", "labels_sha256_u8", "label_ones_reported_script",
		"labels_reported_script_sha256_u8", "next_permutation_first", "next_permutation_sha256_le_i64")
	if err != nil {
		return s, err
	}
	if err := s.validate(f); err != nil {
		return s, fmt.Errorf("%s: %w", seriesName, err)
	}
	return s, nil
}

func (s seriesFile) validate(f *goldenFolder) error {
	c := s.config()
	if err := c.Validate(); err != nil {
		return err
	}
	// Besides the series: its float32 copy, two orders, and the reported script's labels.
	need := c.Bytes() + 4*(int64(c.Samples)+int64(c.Window)) + 9*int64(c.Samples)
	if err := f.take(fmt.Sprintf("%d samples with windows of %d take", c.Samples, c.Window), float64(need)); err != nil {
		return err
	}
	if err := checkVersion("numpy", s.NumPy); err != nil {
		return err
	}
	for _, list := range []struct {
		name        string
		length, max int
	}{
		{"noise_first", len(s.NoiseFirst), c.Samples}, {"series_first", len(s.SeriesFirst), c.Samples},
		{"anomaly_first", len(s.AnomalyFirst), c.Anomalies}, {"next_permutation_first", len(s.PermutedFirst), c.Samples},
	} {
		if list.length < min(1, list.max) || list.length > list.max {
			return fmt.Errorf("%s has %d numbers; %d to %d are possible", list.name, list.length, min(1, list.max), list.max)
		}
	}
	return nil
}

// realTolerance is for reals that were computed in float64 by another mathematical library.
const realTolerance = 1e-12

// checkSeries compares the set, and what the generator draws besides, with series.json.
func checkSeries(ctx context.Context, s seriesFile, set *data.Set) ([]Check, error) {
	noise, next, err := drawAgain(ctx, s)
	if err != nil {
		return nil, err
	}
	reported := data.ReportedLabels(s.Samples, s.Window, set.Anomalies)
	checks := []Check{
		checkReals("noise_first", noise, s.NoiseFirst),
		checkReals("series_first", set.Values[:len(s.SeriesFirst)], s.SeriesFirst),
		checkReals("series_sum", []float64{sum(set.Values[:s.Samples])}, []float64{s.SeriesSum}),
		checkInts("anomaly_first", set.Anomalies[:len(s.AnomalyFirst)], s.AnomalyFirst),
		checkDigest("anomaly_sha256_le_i64", digest(set.Anomalies), s.AnomalyDigest),
		checkInts("label_ones", []int{ones(set.Labels)}, []int{s.LabelOnes}),
		checkDigest("labels_sha256_u8", sha256.Sum256(set.Labels), s.LabelsDigest),
		checkInts("label_ones_reported_script", []int{ones(reported)}, []int{s.ReportedOnes}),
		checkDigest("labels_reported_script_sha256_u8", sha256.Sum256(reported), s.ReportedDigest),
		checkInts("next_permutation_first", next[:len(s.PermutedFirst)], s.PermutedFirst),
		checkDigest("next_permutation_sha256_le_i64", digest(next), s.PermutedDigest),
	}
	return checks, nil
}

// drawAgain draws what the set does not keep: the first values of the noise, and the permutation after the one that chose the anomalies.
func drawAgain(ctx context.Context, s seriesFile) (noise []float64, next []int32, err error) {
	r := data.NewRandomState(s.Seed)
	for i := range s.Samples {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if v := r.Normal(0, s.Noise); i < len(s.NoiseFirst) {
			noise = append(noise, v)
		}
	}
	next = make([]int32, s.Samples)
	for range 2 {
		if err := r.Permutation(ctx, next); err != nil {
			return nil, nil, err
		}
	}
	return noise, next, nil
}

func checkReals(name string, got, want []float64) Check {
	var most largest
	for i := range want {
		most.add(relativeDifference(got[i], want[i]))
	}
	return newCheck(seriesName+" "+name, float64(most), realTolerance, relative)
}

func checkInts[T comparable](name string, got, want []T) Check {
	return newCheck(seriesName+" "+name, countDiffering(got, want), 0, unequal)
}

func checkDigest(name string, got [sha256.Size]byte, want string) Check {
	return newCheck(seriesName+" "+name, countDiffering([]string{hex.EncodeToString(got[:])}, []string{want}), 0, digests)
}

// digest is the SHA-256 over the numbers as little-endian int64.
func digest(numbers []int32) [sha256.Size]byte {
	h := sha256.New()
	var block [512 * 8]byte
	for len(numbers) > 0 {
		n := min(512, len(numbers))
		for i, v := range numbers[:n] {
			binary.LittleEndian.PutUint64(block[8*i:], uint64(v))
		}
		h.Write(block[:8*n])
		numbers = numbers[n:]
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// sum is Neumaier's compensated sum: a plain one of a million values would use up the tolerance by itself.
func sum(values []float64) float64 {
	var total, lost float64
	for _, v := range values {
		next := total + v
		if math.Abs(total) >= math.Abs(v) {
			lost += total - next + v
		} else {
			lost += v - next + total
		}
		total = next
	}
	return total + lost
}

func ones(labels []uint8) int {
	n := 0
	for _, label := range labels {
		n += int(label)
	}
	return n
}
