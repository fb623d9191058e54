package data

import (
	"context"
	"fmt"
	"math"
)

// MaxSamples is the longest series: sample numbers are 32-bit integers.
const MaxSamples = 1<<31 - 1

// Config says which series to make.
type Config struct {
	Samples   int     // N, values of the series and windows on it
	Window    int     // D, values of one window
	Anomalies int     // M, distinct places that are shifted
	Noise     float64 // standard deviation of the noise
	Shift     float64 // what is added at an anomaly
	Seed      uint32
}

// Validate says which field cannot be used. The error is a *FieldError.
func (c Config) Validate() error {
	const samples = "samples"
	switch {
	case c.Samples < 1 || c.Samples > MaxSamples:
		return &FieldError{Field: samples, Value: c.Samples, Accepted: fmt.Sprintf("1 to %d", MaxSamples)}
	case c.Window < 1 || c.Window > c.Samples:
		return &FieldError{Field: "window", Value: c.Window, Accepted: fmt.Sprintf("1 to %d", c.Samples), LimitedBy: samples}
	case c.Anomalies < 0 || c.Anomalies > c.Samples:
		return &FieldError{Field: "anomalies", Value: c.Anomalies, Accepted: fmt.Sprintf("0 to %d", c.Samples), LimitedBy: samples}
	case !(c.Noise >= 0) || math.IsInf(c.Noise, 0):
		return &FieldError{Field: "noise", Value: c.Noise, Accepted: "a finite number from 0 on"}
	case math.IsNaN(c.Shift) || math.IsInf(c.Shift, 0):
		return &FieldError{Field: "shift", Value: c.Shift, Accepted: "a finite number"}
	}
	return nil
}

// Bytes is an upper estimate of the memory that Generate takes at its peak, for a configuration that is valid: 13 bytes a sample, of
// which 9 stay (values and labels) and 4 are the permutation from which the anomalies are chosen; and 4 for each anomaly.
func (c Config) Bytes() int64 {
	return 8*(int64(c.Samples)+int64(c.Window)) + int64(c.Samples) + 4*int64(c.Samples) + 4*int64(c.Anomalies)
}

// Set is a series and the classes of its windows. Sample i is Values[i : i+Window].
type Set struct {
	Window int
	// Values, [Samples+Window-1], is the series, then its first Window-1 values again: so every window is contiguous, wrapping ones too.
	Values []float64
	// Labels, [Samples], is 1 where at least one anomaly lies in [i, i+Window), wrapping.
	Labels []uint8
	// Anomalies, [Config.Anomalies], are the shifted places in the order drawn.
	Anomalies []int32
}

// Samples is the number of windows, N.
func (s *Set) Samples() int { return len(s.Labels) }

// Generate makes the series sin(i) + normal(0, Noise), i in radians, with Shift added at the anomalies, in O(Samples).
// Drawn from RandomState(Seed): the noise, then choice(Samples, Anomalies, replace=False).
// The error is Validate's, or ctx.Err() when ctx ends meanwhile.
func Generate(ctx context.Context, c Config) (*Set, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	r := NewRandomState(c.Seed)
	s := &Set{Window: c.Window, Values: make([]float64, c.Samples+c.Window-1)}
	err := inPieces(ctx, c.Samples, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.Values[i] = math.Sin(float64(i)) + r.Normal(0, c.Noise)
		}
	})
	if err != nil {
		return nil, err
	}
	if s.Anomalies, err = r.Choice(ctx, c.Samples, c.Anomalies); err != nil {
		return nil, err
	}
	for _, a := range s.Anomalies {
		s.Values[a] += c.Shift
	}
	copy(s.Values[c.Samples:], s.Values[:c.Window-1])
	if s.Labels, err = labelWindows(ctx, c.Samples, c.Window, s.Anomalies); err != nil {
		return nil, err
	}
	return s, nil
}

// Narrow is the values as float32, rounded to nearest, in the same layout.
func (s *Set) Narrow() []float32 {
	narrow := make([]float32, len(s.Values))
	for i, v := range s.Values {
		narrow[i] = float32(v)
	}
	return narrow
}
