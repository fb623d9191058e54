package compiled

import "math"

// head turns the logits of the samples [from, to) into probabilities, adds their losses and hits to the shard, and leaves the
// gradient of the batch's mean loss by the logits in dz. Softmax and cross-entropy are one: loss = sum y (log sum exp z - z), and
// its gradient softmax(z) sum(y) - y; so no logarithm of a rounded probability is taken. Computed in float64.
func (m *Model) head(s *shard, t *scratch, from, to int) {
	c, mean := m.config.Classes, 1/float64(m.batch.Len())
	for i := range to - from {
		y := m.target(t, from+i)
		z, dz := t.z[i*c:(i+1)*c], t.dz[i*c:(i+1)*c]
		p := m.probabilities[(from+i)*c : (from+i+1)*c]

		top := math.Inf(-1)
		for _, v := range z {
			top = max(top, float64(v))
		}
		sum, weight := 0.0, 0.0
		for j, v := range z {
			t.e[j] = math.Exp(float64(v) - top)
			sum += t.e[j]
			weight += y[j]
		}
		logSum := top + math.Log(sum)
		for j, v := range z {
			q := t.e[j] / sum
			if y[j] != 0 {
				s.loss += y[j] * (logSum - float64(v))
			}
			p[j] = float32(q)
			dz[j] = float32((q*weight - y[j]) * mean)
		}
		if hit(p, y) {
			s.correct++
		}
	}
}

// target is sample i's row of one-hot labels.
func (m *Model) target(t *scratch, i int) []float64 {
	c := m.config.Classes
	if m.batch.OneHot != nil {
		return m.batch.OneHot[i*c : (i+1)*c]
	}
	clear(t.y)
	t.y[m.batch.Classes[i]] = 1
	return t.y
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
