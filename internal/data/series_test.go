package data

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"fitbench/testdata"
)

type golden struct {
	Samples, Window, Anomalies int
	Seed                       uint32
	Noise                      float64   `json:"noise_scale"`
	Shift                      float64   `json:"shift"`
	NoiseFirst                 []float64 `json:"noise_first"`
	SeriesFirst                []float64 `json:"series_first"`
	SeriesSum                  float64   `json:"series_sum"`
	AnomalyFirst               []int32   `json:"anomaly_first"`
	AnomalyHash                string    `json:"anomaly_sha256_le_i64"`
	LabelOnes                  int       `json:"label_ones"`
	LabelsHash                 string    `json:"labels_sha256_u8"`
	ReportedOnes               int       `json:"label_ones_reported_script"`
	ReportedHash               string    `json:"labels_reported_script_sha256_u8"`
	NextFirst                  []int32   `json:"next_permutation_first"`
	NextHash                   string    `json:"next_permutation_sha256_le_i64"`
}

func readGolden(t *testing.T, name string) golden {
	t.Helper()
	text, err := fs.ReadFile(testdata.Golden(), name)
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(text, &g); err != nil {
		t.Fatal(err)
	}
	if len(g.NoiseFirst) != 8 || len(g.SeriesFirst) != 8 || len(g.AnomalyFirst) != 8 || len(g.NextFirst) != 8 {
		t.Fatalf("%s: first values are missing", name)
	}
	return g
}

func (g golden) config() Config {
	return Config{Samples: g.Samples, Window: g.Window, Anomalies: g.Anomalies, Noise: g.Noise, Shift: g.Shift, Seed: g.Seed}
}

func TestSeriesIsNumPys(t *testing.T) {
	for _, name := range []string{"series_full.json", "keras_b64/series.json"} {
		t.Run(name, func(t *testing.T) {
			g := readGolden(t, name)
			s, err := Generate(context.Background(), g.config())
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range g.SeriesFirst {
				if !near(s.Values[i], want) {
					t.Errorf("value %d is %v, want %v", i, s.Values[i], want)
				}
			}
			if sum := compensatedSum(s.Values[:s.Samples()]); !near(sum, g.SeriesSum) {
				t.Errorf("the sum is %v, want %v", sum, g.SeriesSum)
			}
			if !slices.Equal(s.Anomalies[:8], g.AnomalyFirst) || hashInts(s.Anomalies) != g.AnomalyHash {
				t.Errorf("anomalies begin %v, want %v, or differ further on", s.Anomalies[:8], g.AnomalyFirst)
			}
			checkLabels(t, "labels", s.Labels, g.LabelOnes, g.LabelsHash)
			checkLabels(t, "the reported script's labels", ReportedLabels(g.Samples, g.Window, s.Anomalies), g.ReportedOnes, g.ReportedHash)
		})
	}
}

func TestDrawsFollowEachOtherAsInNumPy(t *testing.T) {
	for _, name := range []string{"series_full.json", "keras_b64/series.json"} {
		g := readGolden(t, name)
		r := NewRandomState(g.Seed)
		for i := range g.Samples {
			if noise := r.Normal(0, g.Noise); i < 8 && !near(noise, g.NoiseFirst[i]) {
				t.Errorf("%s: noise %d is %v, want %v", name, i, noise, g.NoiseFirst[i])
			}
		}
		if chosen := choose(t, r, g.Samples, g.Anomalies); hashInts(chosen) != g.AnomalyHash {
			t.Errorf("%s: choice begins %v", name, chosen[:8])
		}
		next := permute(t, r, g.Samples)
		if !slices.Equal(next[:8], g.NextFirst) || hashInts(next) != g.NextHash {
			t.Errorf("%s: the next permutation begins %v, want %v, or differs further on", name, next[:8], g.NextFirst)
		}
	}
}

func checkLabels(t *testing.T, what string, labels []uint8, ones int, hash string) {
	t.Helper()
	sum, count := sha256.Sum256(labels), 0
	for _, l := range labels {
		count += int(l)
	}
	if count != ones || hex.EncodeToString(sum[:]) != hash {
		t.Errorf("%s: %d of class 1, want %d, or they lie elsewhere", what, count, ones)
	}
}

func hashInts(x []int32) string {
	h := sha256.New()
	for _, v := range x {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(v)))
	}
	return hex.EncodeToString(h.Sum(nil))
}

func compensatedSum(x []float64) float64 {
	var sum, lost float64
	for _, v := range x {
		next := sum + v
		lost += v - (next - sum)
		sum = next
	}
	return sum + lost
}

func TestEveryWindowIsContiguous(t *testing.T) {
	s, err := Generate(context.Background(), Config{Samples: 50, Window: 20, Anomalies: 5, Noise: 0.1, Shift: 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Values) != 50+20-1 || s.Samples() != 50 || s.Window != 20 {
		t.Fatalf("%d values, %d samples, window %d", len(s.Values), s.Samples(), s.Window)
	}
	for i := range 50 {
		for k := range 20 {
			if s.Values[i+k] != s.Values[(i+k)%50] {
				t.Errorf("sample %d, value %d is not value %d of the series", i, k, (i+k)%50)
			}
		}
	}
}

func TestSmallestAndFullestSeries(t *testing.T) {
	for _, c := range []Config{
		{Samples: 1, Window: 1}, {Samples: 1, Window: 1, Anomalies: 1, Shift: 2}, {Samples: 9, Window: 9, Anomalies: 1, Shift: 2},
		{Samples: 9, Window: 4, Shift: 2}, {Samples: 9, Window: 4, Anomalies: 9, Shift: 2, Seed: math.MaxUint32},
	} {
		s, err := Generate(context.Background(), c)
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		// Without noise the series is known: sin(i), and the shift where an anomaly is.
		for i := range c.Samples {
			want := math.Sin(float64(i))
			if slices.Contains(s.Anomalies, int32(i)) {
				want += c.Shift
			}
			if !near(s.Values[i], want) {
				t.Errorf("%+v: value %d is %v, want %v", c, i, s.Values[i], want)
			}
		}
		sorted := slices.Sorted(slices.Values(s.Anomalies))
		if len(s.Anomalies) != c.Anomalies || len(slices.Compact(sorted)) != c.Anomalies {
			t.Errorf("%+v: anomalies %v are not %d distinct places", c, s.Anomalies, c.Anomalies)
		}
		if want := bruteLabels(c.Samples, c.Window, s.Anomalies); !slices.Equal(s.Labels, want) {
			t.Errorf("%+v: labels %v, want %v", c, s.Labels, want)
		}
	}
}

func TestConfigThatCannotBeUsedIsAnErrorThatNamesTheFieldAndTheValue(t *testing.T) {
	good := Config{Samples: 1000, Window: 104, Anomalies: 10, Noise: 0.2, Shift: 0.5}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(*Config)
		want   string
	}{
		{func(c *Config) { c.Samples = 0 }, "samples is 0; 1 to 2147483647"},
		{func(c *Config) { c.Samples = -1 }, "samples is -1"},
		{func(c *Config) { c.Samples = 1 << 31 }, "samples is 2147483648"},
		{func(c *Config) { c.Window = 0 }, "window is 0; 1 to 1000"},
		{func(c *Config) { c.Window = 1001 }, "window is 1001"},
		{func(c *Config) { c.Anomalies = -1 }, "anomalies is -1; 0 to 1000"},
		{func(c *Config) { c.Anomalies = 1001 }, "anomalies is 1001"},
		{func(c *Config) { c.Noise = -0.1 }, "noise is -0.1"},
		{func(c *Config) { c.Noise = math.NaN() }, "noise is NaN"},
		{func(c *Config) { c.Noise = math.Inf(1) }, "noise is +Inf"},
		{func(c *Config) { c.Shift = math.NaN() }, "shift is NaN"},
		{func(c *Config) { c.Shift = math.Inf(-1) }, "shift is -Inf"},
	} {
		bad := good
		c.change(&bad)
		if err := bad.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
		if _, err := Generate(context.Background(), bad); err == nil {
			t.Errorf("Generate takes a config of which %q", c.want)
		}
	}
}

func TestGenerateStopsWhenItsContextEnds(t *testing.T) {
	c := Config{Samples: 3 * piece, Window: 104, Anomalies: 100, Noise: 0.2}
	whole := &expiring{Context: context.Background(), looks: math.MaxInt}
	if _, err := Generate(whole, c); err != nil {
		t.Fatal(err)
	}
	all := math.MaxInt - whole.looks
	if all < 4*3 { // noise, counting up, shuffling, labels
		t.Errorf("the context was looked at only %d times", all)
	}
	for looks := range all {
		ctx := &expiring{Context: context.Background(), looks: looks}
		if s, err := Generate(ctx, c); !errors.Is(err, context.Canceled) || s != nil || ctx.after > 0 {
			t.Errorf("ended at look %d of %d: set %v, error %v, looked %d times more", looks, all, s != nil, err, ctx.after)
		}
	}
}

func TestBytesBoundsWhatGenerateAllocates(t *testing.T) {
	c := Config{Samples: 300_000, Window: 104, Anomalies: 20_000, Noise: 0.2}
	got := allocated(func() {
		if _, err := Generate(context.Background(), c); err != nil {
			t.Error(err)
		}
	})
	// The runtime rounds large slices up to whole pages; the generator itself is 2.5 KB.
	const pages = 64 << 10
	if got > c.Bytes()+pages || got < c.Bytes()-pages {
		t.Errorf("%d bytes allocated, Bytes says %d", got, c.Bytes())
	}
}

func TestNarrowRoundsEachValue(t *testing.T) {
	s := &Set{Window: 2, Values: []float64{0.1, 1 + 0x1p-24, 1 + 0x1.8p-23, -2.5}}
	if got := s.Narrow(); !slices.Equal(got, []float32{0x1.99999ap-4, 1, 1 + 0x1p-22, -2.5}) {
		t.Errorf("%v", got)
	}
}

func BenchmarkGenerate(b *testing.B) {
	c := Config{Samples: 1_049_344, Window: 104, Anomalies: 50_000, Noise: 0.2, Shift: 0.5}
	for range b.N {
		if _, err := Generate(context.Background(), c); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEpochOrder(b *testing.B) {
	dst := make([]int32, 1_049_344)
	for range b.N {
		if err := EpochOrder(b.Context(), dst, 0, 0); err != nil {
			b.Fatal(err)
		}
	}
}
