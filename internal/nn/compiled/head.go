package compiled

import "math"

// head is one thread's room for the end of the network: softmax and loss of one sample at a time, in float64.
type head struct {
	z []float64 // [C], logits
	y []float64 // [C], target
	e []float64 // [C], exp(z - max)
}

// newHead keeps what is written for every sample off the cache lines of other threads' heads.
func newHead(classes int) head {
	room := make([]float64, lineBytes(3*classes*8)/8)
	return head{z: room[:classes:classes], y: room[classes : 2*classes : 2*classes], e: room[2*classes : 3*classes : 3*classes]}
}

// run turns the logits in h.z of the batch's sample i into its probabilities, adds its loss and hit to the tally, and leaves in h.z
// the gradient of the batch's mean loss by the logits. Softmax and cross-entropy are one: loss = sum y (log sum exp z - z), and its
// gradient softmax(z) sum(y) - y; so no logarithm of a rounded probability is taken.
func (h *head) run(k *core, i int, found *tally) {
	y := h.target(k, i)
	p := k.probabilities[i*len(h.z) : (i+1)*len(h.z)]
	top := math.Inf(-1)
	for _, v := range h.z {
		top = max(top, v)
	}
	sum, weight := 0.0, 0.0
	for j, v := range h.z {
		h.e[j] = 1 // exp(0), the largest one's, for which no exponential needs to be computed
		if v != top {
			h.e[j] = math.Exp(v - top)
		}
		sum += h.e[j]
		weight += y[j]
	}
	logSum, mean := top+math.Log(sum), 1/float64(k.batch.Len())
	for j, v := range h.z {
		q := h.e[j] / sum
		if y[j] != 0 {
			found.loss += y[j] * (logSum - v)
		}
		p[j] = float32(q)
		h.z[j] = (q*weight - y[j]) * mean
	}
	if hit(p, y) {
		found.correct++
	}
}

// target is sample i's row of one-hot labels.
func (h *head) target(k *core, i int) []float64 {
	c := len(h.y)
	if k.batch.OneHot != nil {
		return k.batch.OneHot[i*c : (i+1)*c]
	}
	clear(h.y)
	h.y[k.batch.Classes[i]] = 1
	return h.y
}

// hit tells whether the largest probability is that of the labelled class; the first of equals counts, as in Keras.
func hit(p []float32, y []float64) bool {
	best, class := 0, 0
	for j := range p {
		if p[j] > p[best] {
			best = j
		}
		if y[j] > y[class] {
			class = j
		}
	}
	return best == class
}
