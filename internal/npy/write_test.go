package npy

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
)

// The bytes are put together by hand from NumPy's description of the format: magic, version, length of the rest of the header, a
// dictionary padded with blanks to a multiple of 64 in all, a line feed, the values.
func TestArraysAreWrittenInNumPysFormat(t *testing.T) {
	const begin = "\x93NUMPY\x01\x00\x76\x00" // 10 bytes and 118 are 128
	dictionary := func(text string) string { return text + strings.Repeat(" ", 117-len(text)) + "\n" }
	var got bytes.Buffer
	for _, c := range []struct {
		err  error
		want string
	}{
		{Write(&got, []float32{1, -2}, 2), begin + dictionary("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }") + "\x00\x00\x80\x3f\x00\x00\x00\xc0"},
		{Write(&got, []float64{1}, 1, 1), begin + dictionary("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }") + "\x00\x00\x00\x00\x00\x00\xf0\x3f"},
		{Write(&got, []int32{258}, 1), begin + dictionary("{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }") + "\x02\x01\x00\x00"},
		{Write(&got, []uint8{7, 8, 9}, 3, 1), begin + dictionary("{'descr': '|u1', 'fortran_order': False, 'shape': (3, 1), }") + "\x07\x08\x09"},
	} {
		if piece := string(got.Next(len(c.want))); c.err != nil || piece != c.want {
			t.Errorf("%v\n%q, want\n%q", c.err, piece, c.want)
		}
	}
	if got.Len() != 0 {
		t.Errorf("%d bytes too many", got.Len())
	}
}

func TestLongArraysAreWrittenWhole(t *testing.T) {
	want := make([]int32, 3*pieceSize/4+5)
	for i := range want {
		want[i] = int32(i * 7919)
	}
	var file bytes.Buffer
	if err := Write(&file, want, len(want)); err != nil {
		t.Fatal(err)
	}
	got, err := Read[int32](bytes.NewReader(file.Bytes()), int64(file.Len()), []int{len(want)}, 1<<30)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d values, error %v", len(got), err)
	}
}

// fullDisk takes that many writes.
type fullDisk int

var errFull = errors.New("the disk is full")

func (d *fullDisk) Write(p []byte) (int, error) {
	if *d--; *d < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	for writes := range 3 {
		disk := fullDisk(writes)
		if err := Write(&disk, make([]uint8, 2*pieceSize), 2*pieceSize); !errors.Is(err, errFull) {
			t.Errorf("after %d writes: error %v", writes, err)
		}
	}
	var none bytes.Buffer
	if err := Write(&none, []uint8{1, 2, 3}, 2, 2); err == nil || err.Error() != "3 values; shape (2, 2) has 4" || none.Len() > 0 {
		t.Errorf("error %v, %d bytes", err, none.Len())
	}
}
