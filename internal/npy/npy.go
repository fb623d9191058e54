// Package npy reads and writes NumPy's .npy files of plain numbers.
//
// The reader is one of its own because the files may come from anywhere: what a header claims is held against what is expected and
// against the file's length before anything is allocated, and a malformed header is an error. github.com/sbinet/npyio allocates what
// the header says, panics on malformed ones, and takes a cut file for one with zeros at its end.
package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxHeader is more than NumPy needs for arrays of plain numbers: 118 bytes, longer only for very many axes.
const maxHeader = 4096

const magic = "\x93NUMPY"

// Element is the type of an array's elements that can be read.
type Element interface{ ~uint8 | ~int32 | ~float32 }

// Read reads an array whose element type is T and whose shape is as given from the file of size bytes, in NumPy's format
// (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html), versions 1 to 3; any other array is an error, and so is
// one that takes more than limit bytes; little more than the array itself is allocated. The product of the shape must not overflow: it comes from numbers that were checked.
func Read[T Element](r io.Reader, size int64, shape []int, limit int64) ([]T, error) {
	header, length, err := readHeader(r)
	if err != nil {
		return nil, err
	}
	if err := checkHeader(header, dtype[T](), shape); err != nil {
		return nil, err
	}
	want := int64(itemSize[T]())
	for _, n := range shape {
		want *= int64(n)
	}
	if size-length != want {
		return nil, fmt.Errorf("%d bytes behind the header; shape %s of '%s' takes %d", size-length, Tuple(shape), dtype[T](), want)
	}
	if want > limit {
		return nil, fmt.Errorf("takes %d bytes; at most %d may be used", want, limit)
	}
	values := make([]T, want/int64(itemSize[T]()))
	if err := readValues(r, values); err != nil {
		return nil, fmt.Errorf("reading its values: %w", err)
	}
	return values, nil
}

// pieceSize is how many bytes are read and decoded at a time; whole elements of every type.
const pieceSize = 32 << 10

// readValues reads as many values as there are places. The file's bytes are never held beside all their values: that would take
// twice the memory of the array.
func readValues[T Element](r io.Reader, values []T) error {
	size := itemSize[T]()
	piece := make([]byte, min(pieceSize, size*len(values)))
	for len(values) > 0 {
		n := min(len(piece)/size, len(values))
		if _, err := io.ReadFull(r, piece[:n*size]); err != nil {
			return err
		}
		decode(values[:n], piece)
		values = values[n:]
	}
	return nil
}

// readHeader reads up to the first value: the header's dictionary, and the number of bytes read.
func readHeader(r io.Reader) (dictionary string, length int64, err error) {
	var prefix [12]byte // magic, version, length of the dictionary in 2 bytes, from version 2 on in 4
	if _, err := io.ReadFull(r, prefix[:10]); err != nil {
		return "", 0, fmt.Errorf("no .npy file: its first 10 bytes cannot be read: %w", err)
	}
	if string(prefix[:6]) != magic {
		return "", 0, fmt.Errorf("no .npy file: it begins with %q; %q is needed", prefix[:6], magic)
	}
	var n uint32
	used := 10
	switch version := prefix[6]; version {
	case 1:
		n = uint32(binary.LittleEndian.Uint16(prefix[8:]))
	case 2, 3:
		if _, err := io.ReadFull(r, prefix[10:]); err != nil {
			return "", 0, fmt.Errorf("the header is cut: %w", err)
		}
		n, used = binary.LittleEndian.Uint32(prefix[8:]), 12
	default:
		return "", 0, fmt.Errorf(".npy version %d; 1 to 3 are read", version)
	}
	if n > maxHeader {
		return "", 0, fmt.Errorf("the header has %d bytes; at most %d are read", n, maxHeader)
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(r, header); err != nil {
		return "", 0, fmt.Errorf("the header is cut: %w", err)
	}
	return string(header), int64(used) + int64(n), nil
}

// checkHeader compares the dictionary, a literal of Python's, with what is expected. Its keys may come in any order.
func checkHeader(dictionary, dtype string, shape []int) error {
	field := func(pattern string) (string, bool) {
		match := regexp.MustCompile(pattern).FindStringSubmatch(dictionary)
		if match == nil {
			return "", false
		}
		return match[1], true
	}
	descr, ok1 := field(`['"]descr['"]\s*:\s*['"]([^'"]*)['"]`)
	fortran, ok2 := field(`['"]fortran_order['"]\s*:\s*(True|False)`)
	axes, ok3 := field(`['"]shape['"]\s*:\s*\(([^)]*)\)`)
	if !ok1 || !ok2 || !ok3 {
		return errors.New("the header does not say descr (a plain type), fortran_order and shape")
	}
	if descr != dtype {
		return fmt.Errorf("element type '%s'; '%s' is needed", descr, dtype)
	}
	if fortran == "True" {
		return errors.New("values are in Fortran order; C order is needed")
	}
	if got, ok := parseTuple(axes); !ok || !slices.Equal(got, shape) {
		return fmt.Errorf("shape (%s); %s is needed", axes, Tuple(shape))
	}
	return nil
}

// parseTuple reads "400, 64" or "400,".
func parseTuple(text string) ([]int, bool) {
	var axes []int
	for axis := range strings.SplitSeq(strings.TrimSuffix(strings.TrimSpace(text), ","), ",") {
		n, err := strconv.Atoi(strings.TrimSpace(axis))
		if err != nil || n < 0 {
			return nil, false
		}
		axes = append(axes, n)
	}
	return axes, true
}

// Tuple writes a shape as Python does.
func Tuple(shape []int) string {
	texts := make([]string, len(shape))
	for i, n := range shape {
		texts[i] = strconv.Itoa(n)
	}
	if len(texts) == 1 {
		return "(" + texts[0] + ",)"
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func dtype[T Writable]() string {
	switch any(T(0)).(type) {
	case uint8:
		return "|u1"
	case int32:
		return "<i4"
	case float64:
		return "<f8"
	default:
		return "<f4"
	}
}

func itemSize[T Writable]() int { return binary.Size(T(0)) }

// decode reads len(values) values from the beginning of piece.
func decode[T Element](values []T, piece []byte) {
	switch values := any(values).(type) {
	case []uint8:
		copy(values, piece)
	case []int32:
		for i := range values {
			values[i] = int32(binary.LittleEndian.Uint32(piece[4*i:]))
		}
	case []float32:
		for i := range values {
			values[i] = math.Float32frombits(binary.LittleEndian.Uint32(piece[4*i:]))
		}
	}
}
