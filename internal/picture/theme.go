package picture

import "image/color"

// Theme is the colours of a picture: of Okabe and Ito's palette for colour-blind readers ("Color universal design", 2008) those that
// stand out from the background, in the dark theme its lighter ones, some a shade darker or lighter for the contrast.
type Theme struct {
	background, text, grid color.RGBA
	series                 []color.RGBA
}

// Light is for a white page.
func Light() Theme {
	return Theme{
		background: rgb(0xffffff), text: rgb(0x1b1f24), grid: rgb(0xd5d9de),
		series: []color.RGBA{rgb(0x0072b2), rgb(0xd55e00), rgb(0x008a64), rgb(0xb5528a), rgb(0x9a6a00), rgb(0x4a5159)},
	}
}

// Dark is for a page that is nearly black.
func Dark() Theme {
	return Theme{
		background: rgb(0x14171c), text: rgb(0xe6e9ee), grid: rgb(0x3a414b),
		series: []color.RGBA{rgb(0x56b4e9), rgb(0xff8a3d), rgb(0x2bbf94), rgb(0xdf93bf), rgb(0xf0e442), rgb(0xb4bcc6)},
	}
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// faint is a colour nearer to the background, for areas under marks of that colour.
func (t Theme) faint(c color.RGBA) color.RGBA {
	mix := func(a, b uint8) uint8 { return uint8((2*int(a) + 3*int(b)) / 5) }
	return color.RGBA{R: mix(c.R, t.background.R), G: mix(c.G, t.background.G), B: mix(c.B, t.background.B), A: 0xff}
}

// of is the colour of the i-th series.
func (t Theme) of(i int) color.RGBA { return t.series[i%len(t.series)] }
