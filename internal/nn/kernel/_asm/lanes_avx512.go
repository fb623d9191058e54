package main

// lanesAVX512 is the set of loops over blocks of 16 samples, one in each lane of a 512-bit register.
func lanesAVX512(p *program) {
	convReLUPoolAVX512(p)
	denseAVX512(p)
	denseInputGradAVX512(p)
	denseWeightGradAVX512(p)
	convGradAVX512(p)
	pack32AVX512(p)
	pack64AVX512(p)
	logitsAVX512(p)
	headGradAVX512(p)
	adamAVX512(p)
	adamStreamAVX512(p)
	accumulateAVX512(p)
	narrowAVX512(p)
}
