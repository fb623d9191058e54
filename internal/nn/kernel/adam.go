package kernel

import "math"

// tiny is the magnitude below which a moment becomes 0.
const tiny = 0x1p-100

// adam updates w and the moments m, v from the gradient g; see AdamStep.
func adam(s AdamStep, w, m, v, g []float32) {
	m, v, g = m[:len(w)], v[:len(w)], g[:len(w)]
	for i := range w {
		mi := m[i] + s.Rate1*(g[i]-m[i])
		vi := v[i] + s.Rate2*(g[i]*g[i]-v[i])
		if mi < tiny && mi > -tiny {
			mi = 0
		}
		if vi < tiny {
			vi = 0
		}
		m[i], v[i] = mi, vi
		w[i] -= s.Alpha * mi / (float32(math.Sqrt(float64(vi))) + s.Epsilon)
	}
}
