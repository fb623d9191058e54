package eager

import (
	"math"
	"testing"

	"fitbench/internal/nn/model"
)

// The operations of a step, counted by hand from the listing in forward.go, tape.go and adam.go: forward 22, loss 16, accuracy 5,
// backward 47, Adam 20; and for the batch one operation a conversion.
const stepOps = 22 + 16 + 5 + 47 + 20

func TestAStepsCountsAreThoseOfItsOperations(t *testing.T) {
	h := small()
	const n = 5
	rows := batchOf(h, n)
	offsets := &model.Batch{X32: rows.X32, Starts: []int{0, 3, 1, 2, 7}, Classes: rows.Classes}
	wide := &model.Batch{X64: make([]float64, n*h.Window), Starts: rows.Starts, OneHot: make([]float64, n*h.Classes)}
	wideOffsets := &model.Batch{X64: wide.X64, Starts: offsets.Starts, Classes: rows.Classes}
	// Copied in every step, 4 bytes each: targets n*C; tile in the loss's gradient over n, over [n][C] for the sum of the
	// cross-entropy and over [n][C] for that of the probabilities; casts of the sample count, of the step's number and of n
	// truth values.
	const c = 2
	always := int64(4 * (n*c + n + n*c + n*c + 1 + 1 + n))
	values := int64(n * h.Window)
	// Bytes of all results, for small()'s 4 positions of 2 filters, 2 pooled, 4 inputs to 3 units to 2 classes. Float32 a sample:
	// forward 3*8 + 4 + 3*3 + 3*2; cross-entropy 2*1 + 5*2 + 1 and one weighting; truth values as numbers 1; loss backward 41: tile,
	// weighting and sign 3, then 4 of 2, 2 each to fill and to choose on either side of the clipping, 5 of 2 and a sum of 1 for the
	// division, its tile and the sum of the two gradients 2 each, softmax 3*2 + 1; layers backward 3 + 3 + 4 + 8 + 8.
	const aSample = 43 + 13 + 1 + 1 + 41 + 26
	// A step: the constant of the clipping; loss 5; hits 1; gradient of the loss 3; of the parameters 31; Adam's scalars 8.
	const aStep = 1 + 5 + 1 + 3 + 31 + 8
	// Of other types: two ArgMax of 8 bytes and their comparison, two comparisons in the clipping; two counts.
	tensors := int64(4*(aSample*n+aStep) + (2*8+1+2*c)*n + 2*8)
	targets := int64(4 * n * c)
	for _, b := range []struct {
		name   string
		batch  *model.Batch
		ops    int64
		copied int64
		bytes  int64
	}{
		{"rows as float32: one-hot", rows, stepOps + 1, always, tensors + targets},
		{"offsets: gather, one-hot", offsets, stepOps + 2, always + 4*values, tensors + targets + 4*values},
		{"rows as float64: cast, cast", wide, stepOps + 2, always + 4*values, tensors + targets + 4*values},
		{"offsets as float64: gather, cast, one-hot", wideOffsets, stepOps + 3, always + 8*values + 4*values, tensors + targets + 12*values},
	} {
		t.Run(b.name, func(t *testing.T) {
			m := newModel(t, h, n, 2)
			var first model.Counts
			for step := range 3 {
				mustStep(t, m, b.batch)
				if step == 0 {
					first = m.Counts()
				}
				if m.Counts() != first {
					t.Errorf("step %d counted %+v, the first %+v", step+1, m.Counts(), first)
				}
			}
			if first.Ops != b.ops {
				t.Errorf("%d operations, want %d", first.Ops, b.ops)
			}
			if first.CopiedBytes != b.copied {
				t.Errorf("%d bytes copied, want %d", first.CopiedBytes, b.copied)
			}
			if first.TensorBytes != b.bytes {
				t.Errorf("%d bytes of tensors, want %d", first.TensorBytes, b.bytes)
			}
		})
	}
}

func TestTensorBytesGrowWithTheBatchAlone(t *testing.T) {
	h := small()
	m := newModel(t, h, 8, 1)
	var bytes [9]int64
	for _, n := range []int{2, 4, 8} {
		mustStep(t, m, batchOf(h, n))
		bytes[n] = m.Counts().TensorBytes
	}
	if perSample := (bytes[4] - bytes[2]) / 2; perSample <= 0 || bytes[8]-bytes[4] != 4*perSample {
		t.Errorf("tensors of 2, 4 and 8 samples take %d, %d and %d bytes: not a part per step and one per sample", bytes[2], bytes[4], bytes[8])
	}
}

func TestABatchIsOnlyReadAndNotKept(t *testing.T) {
	h := small()
	m := newModel(t, h, 4, 1)
	b := batchOf(h, 4)
	before := append([]float32(nil), b.X32...)
	mustStep(t, m, b)
	p := append([]float32(nil), m.Probabilities()...)
	for i := range b.X32 {
		if b.X32[i] != before[i] {
			t.Fatal("the step wrote into the batch")
		}
		b.X32[i] = float32(math.NaN())
	}
	for i := range p {
		if m.Probabilities()[i] != p[i] {
			t.Fatal("the probabilities depend on the batch after the step")
		}
	}
}

func TestARefusedBatchLeavesTheLastStepsResults(t *testing.T) {
	h := small()
	m := newModel(t, h, 4, 1)
	mustStep(t, m, batchOf(h, 4))
	want := append([]float32(nil), m.Gradients()...)
	if _, err := m.Step(batchOf(h, 5)); err == nil {
		t.Fatal("a batch of 5 was taken")
	}
	got := m.Gradients()
	for i := range want {
		if got[i] != want[i] {
			t.Fatal("the gradients changed")
		}
	}
}

// An operation that fails in mid-step ends the step with its error, leaks nothing, and the next step runs.
func TestAFailedOperationEndsTheStepCleanly(t *testing.T) {
	h := small()
	m := newModel(t, h, 4, 1)
	for _, name := range []string{"Conv2D", "Size", "Log", "MaxPoolGrad", "Pow", "ArgMax"} {
		o := m.registry[name]
		delete(m.registry, name)
		if _, err := m.Step(batchOf(h, 4)); err == nil {
			t.Fatalf("the step ran without %s", name)
		} else {
			wantError(t, err, "operation "+name)
		}
		m.registry[name] = o
		mustStep(t, m, batchOf(h, 4))
		if m.memory.outstanding != 7 {
			t.Errorf("%d tensors are held after %s failed, want 7", m.memory.outstanding, name)
		}
	}
}
