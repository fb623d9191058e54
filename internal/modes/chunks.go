package modes

import (
	"context"
	"fmt"

	"fitbench/internal/nn/model"
	"fitbench/internal/record"
)

// DefaultChunkSize is the number of samples in a piece of fit-chunked where the plan has none.
const DefaultChunkSize = 131072

// chunks is fit-chunked's feed: the epoch's order is cut into pieces, and a piece is materialised as an array of float32 rows by
// a second goroutine while the one before it is trained, whose rows are then picked in order. So two pieces are in memory, not the
// whole array of fit; a piece is a part of a queue with one place ahead.
type chunks struct {
	pieces *queue
	piece  *model.Batch // whose rows are picked
	rows   int          // that the piece has; an epoch's last one may have fewer than fit into it
	cursor cursor       // through the samples of the piece
	batch  model.Batch
}

func openChunks(ctx context.Context, s source) (Feed, error) {
	r, err := newRows(ctx, s)
	if err != nil {
		return nil, err
	}
	size := chunkSize(s.chunk, s.set.Samples(), s.batch)
	return &chunks{
		cursor: cursor{batch: s.batch},
		pieces: newQueue(filling{
			what: "piece", batch: s.batch, part: size, ahead: chunkPieces(size, s.set.Samples(), s.batch) - 1, workers: 1,
			kept:  r.bytes(),
			empty: func() *model.Batch { return r.empty(size) },
			fill: func(ctx context.Context, piece *model.Batch, _ int, samples []int32) error {
				return r.gather(ctx, piece, samples)
			},
		}),
	}, nil
}

// chunkSize is the samples in a piece: as wanted, or the default where that is 0, but whole batches, and no more than an epoch has.
func chunkSize(wanted, samples, batch int) int {
	if wanted == 0 {
		wanted = DefaultChunkSize
	}
	return max(min(wanted, samples)/batch, 1) * batch
}

// chunkPieces is how many pieces of that size are in memory: two, unless one has all batches of an epoch.
func chunkPieces(size, samples, batch int) int {
	if size/batch == samples/batch {
		return 1
	}
	return 2
}

func chunksNeeds(p record.Plan) need {
	size, series := chunkSize(p.ChunkSize, p.Samples, p.BatchSize), windowsNeeds(p)
	pieces := chunkPieces(size, p.Samples, p.BatchSize)
	return need{
		bytes:  sum(series.bytes, product(int64(pieces), int64(size), rowBytes(p.Window))),
		what:   fmt.Sprintf("%s and %d x %d x %d float32 in pieces", series.what, pieces, size, p.Window),
		remedy: "a smaller chunk size would do",
	}
}

func (c *chunks) StartEpoch(order []int32) error {
	c.cursor.left = nil
	return c.pieces.StartEpoch(order)
}

func (c *chunks) Next(ctx context.Context) (*model.Batch, []int32, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if len(c.cursor.left) == 0 {
		piece, samples, err := c.pieces.Next(ctx)
		if err != nil {
			return nil, nil, err
		}
		c.piece, c.rows, c.cursor.left = piece, len(samples), samples
	}
	from := c.rows - len(c.cursor.left)
	samples := c.cursor.next()
	to := from + len(samples)
	c.batch = model.Batch{X32: c.piece.X32, Starts: c.piece.Starts[from:to], Classes: c.piece.Classes[from:to]}
	return &c.batch, samples, nil
}

// Builds is true where the coming batch is the first of a piece, which may not be ready yet.
func (c *chunks) Builds() bool { return len(c.cursor.left) == 0 }

func (c *chunks) Bytes() int64 { return c.pieces.Bytes() }

func (c *chunks) Close() {
	c.cursor.left = nil
	c.pieces.Close()
}
