package npy

import (
	"encoding/binary"
	"fmt"
	"io"
)

// Writable is the type of an array's elements that can be written.
type Writable interface{ Element | ~float64 }

// alignment is at a multiple of which NumPy lets an array's values begin.
const alignment = 64

// Write writes an array as numpy.save does: version 1, C order, little-endian. The product of the shape is len(values). The error is
// the writer's, or says that shape and values do not fit.
func Write[T Writable](w io.Writer, values []T, shape ...int) error {
	n := 1
	for _, axis := range shape {
		n *= axis
	}
	if n != len(values) {
		return fmt.Errorf("%d values; shape %s has %d", len(values), Tuple(shape), n)
	}
	if _, err := w.Write(header(dtype[T](), shape)); err != nil {
		return err
	}
	piece := make([]byte, 0, pieceSize)
	for size := itemSize[T](); len(values) > 0; {
		n := min(pieceSize/size, len(values))
		piece, err := binary.Append(piece, binary.LittleEndian, values[:n])
		if err != nil {
			return err
		}
		if _, err := w.Write(piece); err != nil {
			return err
		}
		values = values[n:]
	}
	return nil
}

// header is what stands before the values.
func header(dtype string, shape []int) []byte {
	dictionary := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", dtype, Tuple(shape))
	before := len(magic) + 4 // the version and the dictionary's length
	padded := alignment - 1 - (before+len(dictionary))%alignment
	text := append([]byte(magic), 1, 0)
	text = binary.LittleEndian.AppendUint16(text, uint16(len(dictionary)+padded+1))
	return fmt.Appendf(text, "%s%*s\n", dictionary, padded, "")
}
