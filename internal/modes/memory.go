package modes

import (
	"fmt"
	"math"
	"math/bits"

	"fitbench/internal/data"
	"fitbench/internal/meter"
	"fitbench/internal/record"
)

// need is the memory that a feed takes beside the data, for what, and what to do where there is not enough.
type need struct {
	bytes  int64
	what   string
	remedy string
}

// checkMemory refuses a run whose data and feed would not fit into what is available, before anything large is made.
// Where the available memory is not known, every run is let through.
func checkMemory(m Mode, p record.Plan, available func() (meter.Memory, bool)) error {
	memory, known := available()
	if !known {
		return nil
	}
	series := sum(DataConfig(p).Bytes(), 4*int64(p.Samples)) // an epoch's order is int32
	feed := m.needs(p)
	there := fmt.Sprintf("only %s are available (%s)", humanBytes(memory.AvailableBytes), memory.Source)
	if series > memory.AvailableBytes {
		return fmt.Errorf("%s needs %s for the series of %d samples, their labels and an epoch's order, but %s; fewer samples would do",
			m.Name, humanBytes(series), p.Samples, there)
	}
	if sum(series, feed.bytes) > memory.AvailableBytes {
		return fmt.Errorf("%s needs %s for %s, and %s for the data, but %s; %s",
			m.Name, humanBytes(feed.bytes), feed.what, humanBytes(series), there, feed.remedy)
	}
	return nil
}

// DataConfig is the data of a plan.
func DataConfig(p record.Plan) data.Config {
	return data.Config{Samples: p.Samples, Window: p.Window, Anomalies: p.Anomalies, Noise: p.Noise, Shift: p.Shift, Seed: p.Seed}
}

// product and sum are of sizes, none negative; what is too large for an int64 becomes the largest one.
func product(sizes ...int64) int64 {
	result := uint64(1)
	for _, s := range sizes {
		high, low := bits.Mul64(result, uint64(s))
		if high != 0 || low > math.MaxInt64 {
			return math.MaxInt64
		}
		result = low
	}
	return int64(result)
}

func sum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// humanBytes is a size in decimal units with one digit behind the point.
func humanBytes(n int64) string {
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	units := []string{"kB", "MB", "GB", "TB", "PB", "EB"}
	size, unit := float64(n)/1000, 0
	for size >= 999.95 && unit < len(units)-1 {
		size, unit = size/1000, unit+1
	}
	return fmt.Sprintf("%.1f %s", size, units[unit])
}
