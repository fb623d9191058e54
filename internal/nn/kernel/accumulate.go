package kernel

// Accumulate is dst += src, len(dst) of them. It has one form in every variant: partial gradients are summed alike everywhere.
func Accumulate(dst, src []float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += src[i]
	}
}
