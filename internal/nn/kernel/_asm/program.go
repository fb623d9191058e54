package main

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Sizes in bytes, and the shape that the lanes' loops are unrolled for.
const (
	word  = 4         // a float32
	row   = lanes * 4 // a value of all samples of a block
	lanes = 16        // samples of a block
	taps  = 9         // K
	pool  = 4         // P
	units = 20        // H

	cacheLine = 64
	// ahead is how far ahead of its use memory is asked for: some 500 cycles, in a loop that reads a line in 16.
	ahead = 2048

	// tapWords is the length of a filter's transformed taps and its bias, see conv.go.
	tapWords = 20
	// rowWords is the length of a sample's row of dh, which holds it twice, see dweight.go.
	rowWords = 2 * units
)

// program is an avo context with what all generators of this folder need. Vector registers are chosen by hand, by number: what lies
// where is the design of a loop. General registers are left to avo.
type program struct{ *build.Context }

// function begins a function. Its loops assume what the Go function that calls it has checked.
func (p *program) function(name, parameters string, doc ...string) {
	p.Function(name)
	p.Attributes(attr.NOSPLIT)
	p.SignatureExpr("func(" + parameters + ")")
	p.Pragma("noescape")
	p.Doc(append([]string{name + " " + doc[0]}, doc[1:]...)...)
}

// scratch makes room for bytes of vectors on the stack, and points at it. The function must look whether the stack has room.
func (p *program) scratch(bytes int) reg.GPVirtual {
	const align = 64
	p.Attributes(0)
	r := p.GP64()
	p.LEAQ(p.AllocLocal(bytes+align).Offset(align-1), r)
	p.ANDQ(operand.I32(-align), r)
	return r
}

// param loads a parameter into a register of its own.
func (p *program) param(name string) reg.GPVirtual {
	r := p.GP64()
	p.Load(p.Param(name), r)
	return r
}

// end returns to Go.
func (p *program) end() {
	p.VZEROUPPER()
	p.RET()
}

// times runs body as often as n says, at least once; n is 0 afterwards.
func (p *program) times(label string, n reg.GPVirtual, body func()) {
	p.Label(label)
	body()
	p.DECQ(n)
	p.JNZ(operand.LabelRef(label))
}

// copyOf is a new register with the value of another.
func (p *program) copyOf(r reg.Register) reg.GPVirtual {
	c := p.GP64()
	p.MOVQ(r, c)
	return c
}

// scaled is a new register with a multiple of another's value.
func (p *program) scaled(by int, r reg.Register) reg.GPVirtual {
	s := p.GP64()
	p.IMUL3Q(operand.I32(by), r, s)
	return s
}

// advance moves a pointer on.
func (p *program) advance(pointer reg.Register, bytes int) {
	if bytes != 0 {
		p.ADDQ(operand.I32(bytes), pointer)
	}
}

// at is the memory bytes behind a pointer.
func at(pointer reg.Register, bytes int) operand.Mem {
	return operand.Mem{Base: pointer, Disp: bytes}
}

// z, y, x and k are the vector and mask registers by number.
func z(i int) reg.VecPhysical { return zmm()[i] }
func y(i int) reg.VecPhysical { return ymm()[i] }
func x(i int) reg.VecPhysical { return xmm()[i] }
func k(i int) reg.Register {
	return []reg.Register{reg.K0, reg.K1, reg.K2, reg.K3, reg.K4, reg.K5, reg.K6, reg.K7}[i]
}

func zmm() []reg.VecPhysical {
	return []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31,
	}
}

func ymm() []reg.VecPhysical {
	return []reg.VecPhysical{
		reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
		reg.Y16, reg.Y17, reg.Y18, reg.Y19, reg.Y20, reg.Y21, reg.Y22, reg.Y23, reg.Y24, reg.Y25, reg.Y26, reg.Y27, reg.Y28, reg.Y29, reg.Y30, reg.Y31,
	}
}

func xmm() []reg.VecPhysical {
	return []reg.VecPhysical{
		reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7, reg.X8, reg.X9, reg.X10, reg.X11, reg.X12, reg.X13, reg.X14, reg.X15,
		reg.X16, reg.X17, reg.X18, reg.X19, reg.X20, reg.X21, reg.X22, reg.X23, reg.X24, reg.X25, reg.X26, reg.X27, reg.X28, reg.X29, reg.X30, reg.X31,
	}
}
