package eager

import "testing"

func TestASizeClassHoldsItsBytesAndWastesAFifthAtMost(t *testing.T) {
	for _, c := range []struct{ bytes, class, size int }{
		{1, 0, 256}, {256, 0, 256}, {257, 1, 320}, {320, 1, 320}, {321, 2, 384}, {512, 4, 512}, {513, 5, 640}, {1024, 8, 1024},
		{1 << 40, 4 * 32, 1 << 40}, {1<<40 + 1, 4*32 + 1, 5 << 38},
	} {
		if class, size := classOf(c.bytes); class != c.class || size != c.size {
			t.Errorf("%d bytes: class %d of %d bytes, want %d of %d", c.bytes, class, size, c.class, c.size)
		}
	}
	previous := 0
	for n := 256; n < 1<<14; n++ {
		class, size := classOf(n)
		if size < n || 5*(size-n) > size || class < previous || class > previous+1 {
			t.Fatalf("%d bytes: class %d of %d bytes, after class %d", n, class, size, previous)
		}
		previous = class
	}
}

func TestABufferIsReusedOnceItsLastReferenceIsGone(t *testing.T) {
	var a allocator
	x := a.get(float32s, newShape(100))
	x.f32()[0] = 7
	memory := x.buf
	same := a.view(x, newShape(10, 10))
	retain(x)
	a.release(x)
	a.release(x)
	if y := a.get(float32s, newShape(100)); y.buf == memory {
		t.Fatal("the buffer was given away while a view of it was held")
	}
	a.release(same)
	z := a.get(float32s, newShape(98))
	if z.buf != memory {
		t.Error("the free buffer of the same class was not reused")
	}
	if z.f32()[0] != 7 {
		t.Error("the buffer was cleared; it must not cost that")
	}
	if other := a.get(int64s, newShape(50)); other.buf.ints == nil || other.buf.f32 != nil {
		t.Error("a buffer was reused for another dtype")
	}
	if a.outstanding != 3 {
		t.Errorf("%d tensors outstanding, want 3", a.outstanding)
	}
	if want := int64(4*100 + 4*100 + 4*98 + 8*50); a.handedOut != want {
		t.Errorf("%d bytes handed out, want %d", a.handedOut, want)
	}
}

func TestNothingOfABatchIsKeptByItsTensor(t *testing.T) {
	var a allocator
	x := a.wrap(float64s, newShape(2))
	x.buf.f64 = []float64{1, 2}
	b := x.buf
	a.release(x)
	if b.f64 != nil {
		t.Error("the batch's memory is still held")
	}
	if y := a.wrap(float32s, newShape(2)); y.buf != b || y.buf.f32 != nil {
		t.Error("the header was not reused, or not empty")
	}
	if a.handedOut != 0 || a.owned != 0 {
		t.Errorf("%d bytes handed out and %d owned for memory of the batch", a.handedOut, a.owned)
	}
}

// After a step the reader's tensors are held, the probabilities and six gradients, and nothing else.
func TestStepsLeakNoTensor(t *testing.T) {
	h := small()
	m := newModel(t, h, 8, 2)
	for step := range 20 {
		mustStep(t, m, batchOf(h, 1+step%8))
		if m.memory.outstanding != 7 {
			t.Fatalf("%d tensors are held after step %d, want 7", m.memory.outstanding, step+1)
		}
	}
}

func TestChangingBatchSizesDoNotPileUpMemory(t *testing.T) {
	h := small()
	const largest = 200
	m := newModel(t, h, largest, 1)
	mustStep(t, m, batchOf(h, largest))
	alone := m.memory.owned
	for n := 1; n <= largest; n++ {
		mustStep(t, m, batchOf(h, n))
	}
	// Buffers of at most 3.25 * 2 times the largest class are left behind by one tensor: 1 + 7/8 + 6/8 + 5/8 in each doubling.
	if limit := alone * 13 / 2; m.memory.owned > limit {
		t.Errorf("%d bytes are owned after batches of every size, %d after the largest alone; at most %d are meant", m.memory.owned, alone, limit)
	}
	grown := m.memory.owned
	for n := 1; n <= largest; n++ {
		mustStep(t, m, batchOf(h, n))
	}
	if m.memory.owned != grown {
		t.Errorf("a second pass over the sizes grew the memory from %d to %d bytes", grown, m.memory.owned)
	}
}
