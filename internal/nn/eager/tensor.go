package eager

import (
	"fmt"
	"strings"
)

// dtype is the type of a tensor's elements.
type dtype uint8

const (
	float32s dtype = iota
	float64s
	int64s // as Go ints
	bools
	uint8s
	dtypes // how many there are
)

func (d dtype) String() string {
	return [dtypes]string{"float32", "float64", "int64", "bool", "uint8"}[d]
}

// size is the bytes of one element.
func (d dtype) size() int { return [dtypes]int{4, 8, 8, 1, 1}[d] }

// maxRank is the highest rank of a tensor here, that of an image batch.
const maxRank = 4

// shape is a tensor's dimensions, of which the first rank are in use and the others 0. Shapes are compared with ==.
type shape struct {
	rank int
	dims [maxRank]int
}

func newShape(dims ...int) shape {
	s := shape{rank: len(dims)}
	copy(s.dims[:], dims)
	return s
}

// elements is the product of the dimensions; 1 for a scalar, which has none.
func (s shape) elements() int {
	n := 1
	for _, d := range s.dims[:s.rank] {
		n *= d
	}
	return n
}

// last is the last dimension, 1 for a scalar.
func (s shape) last() int {
	if s.rank == 0 {
		return 1
	}
	return s.dims[s.rank-1]
}

// withLast is the shape with another last dimension. The rank is at least 1.
func (s shape) withLast(d int) shape {
	s.dims[s.rank-1] = d
	return s
}

// dropLast is the shape without its last dimension. The rank is at least 1.
func (s shape) dropLast() shape {
	s.rank--
	s.dims[s.rank] = 0
	return s
}

// insert is the shape with a dimension of 1 before the given axis. The rank is below maxRank.
func (s shape) insert(axis int) shape {
	copy(s.dims[axis+1:], s.dims[axis:s.rank])
	s.dims[axis] = 1
	s.rank++
	return s
}

// remove is the shape without the given axis.
func (s shape) remove(axis int) shape {
	copy(s.dims[axis:], s.dims[axis+1:s.rank])
	s.rank--
	s.dims[s.rank] = 0
	return s
}

// ones is a shape of the same rank, all of whose dimensions are 1.
func (s shape) ones() shape {
	for i := range s.rank {
		s.dims[i] = 1
	}
	return s
}

func (s shape) String() string {
	parts := make([]string, s.rank)
	for i, d := range s.dims[:s.rank] {
		parts[i] = fmt.Sprint(d)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// buffer is the memory of one or more tensors: one of the slices, after the dtype.
type buffer struct {
	refs  int // tensors on it
	class int // size class, or foreign
	next  *buffer

	f32   []float32
	f64   []float64
	ints  []int
	bools []bool
	bytes []uint8
}

// foreign is the class of a buffer whose memory belongs to somebody else: a batch, the weights.
const foreign = -1

// tensor is a dtype, a shape and a buffer, which it fills from its start. It is counted: the one who gets a tensor from an
// operation owns one reference and releases it; the tape holds references of its own.
type tensor struct {
	dtype dtype
	shape shape
	size  int // elements
	buf   *buffer
	refs  int
	// node is the tensor's number on the tape, 0 where it is not being watched.
	node int
	next *tensor // in the allocator's list of unused headers
}

func (t *tensor) f32() []float32  { return t.buf.f32[:t.size] }
func (t *tensor) f64() []float64  { return t.buf.f64[:t.size] }
func (t *tensor) ints() []int     { return t.buf.ints[:t.size] }
func (t *tensor) bools() []bool   { return t.buf.bools[:t.size] }
func (t *tensor) uint8s() []uint8 { return t.buf.bytes[:t.size] }
func (t *tensor) scalar() float32 { return t.buf.f32[0] }

// resident makes a tensor outside the allocator, which is never released: a variable or a constant over the given memory.
func resident(s shape, values []float32) *tensor {
	return &tensor{
		dtype: float32s, shape: s, size: s.elements(), refs: 1,
		buf: &buffer{refs: 1, class: foreign, f32: values},
	}
}
