package compiled

import "fitbench/internal/nn/model"

const (
	// blockSize is the number of samples that ride through all layers together: few enough that what lies between the layers stays
	// in the first-level cache, enough that each load of a weight serves several samples.
	blockSize = 16
	// maxShards bounds the memory of the gradient arenas and the work of adding them up.
	maxShards = 32
)

// shardCount is the number of shards of a batch of n samples. It must not depend on anything else.
func shardCount(n int) int { return min((n+blockSize-1)/blockSize, maxShards) }

// shardRange is the samples [from, to) of one of the shards of a batch of n.
func shardRange(n, shards, shard int) (from, to int) {
	return n * shard / shards, n * (shard + 1) / shards
}

// shard is what one part of the batch adds up.
type shard struct {
	gradients []float32 // arena
	views     views     // of gradients
	loss      float64   // sum over the samples
	correct   int
}

func newShards(batchSize int, layout model.Layout) []shard {
	shards := make([]shard, shardCount(batchSize))
	for i := range shards {
		gradients := make([]float32, layout.Size)
		shards[i] = shard{gradients: gradients, views: viewsOf(layout, gradients)}
	}
	return shards
}

// views are the variables of one arena.
type views struct {
	convKernel, convBias     []float32 // [K][F], [F]
	dense1Kernel, dense1Bias []float32 // [Flat][H], [H]
	dense2Kernel, dense2Bias []float32 // [H][C], [C]
}

func viewsOf(l model.Layout, arena []float32) views {
	return views{
		convKernel: l.ConvKernel.Of(arena), convBias: l.ConvBias.Of(arena),
		dense1Kernel: l.Dense1Kernel.Of(arena), dense1Bias: l.Dense1Bias.Of(arena),
		dense2Kernel: l.Dense2Kernel.Of(arena), dense2Bias: l.Dense2Bias.Of(arena),
	}
}

// scratch is what lies between the layers for one block of samples, on one thread.
type scratch struct {
	x      []float32 // [block][Window], narrowed windows of a float64 batch
	starts []int     // [block], where they begin
	a      []float32 // [block][Flat], pooled feature maps
	pick   []uint8   // [block][Flat]
	da     []float32 // [block][Flat]
	h      []float32 // [block][H], hidden units
	dh     []float32 // [block][H]
	z      []float32 // [block][C], logits
	dz     []float32 // [block][C]
	y      []float64 // [C], target of one sample
	e      []float64 // [C], exp(z - max) of one sample
}

func newScratch(h model.Hyperparameters) *scratch {
	s := &scratch{
		x:      make([]float32, blockSize*h.Window),
		starts: make([]int, blockSize),
		a:      make([]float32, blockSize*h.Flat()),
		pick:   make([]uint8, blockSize*h.Flat()),
		da:     make([]float32, blockSize*h.Flat()),
		h:      make([]float32, blockSize*h.Units),
		dh:     make([]float32, blockSize*h.Units),
		z:      make([]float32, blockSize*h.Classes),
		dz:     make([]float32, blockSize*h.Classes),
		y:      make([]float64, h.Classes),
		e:      make([]float64, h.Classes),
	}
	for i := range s.starts {
		s.starts[i] = i * h.Window
	}
	return s
}
