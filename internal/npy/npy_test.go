package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/iotest"
)

// A changed byte may be harmless (a space in the header); it must not end in a panic or a large allocation.
func TestAnyByteOfAHeaderMayBeWrong(t *testing.T) {
	good := file("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", make([]float32, 3))
	for place := range len(good) - 12 {
		for _, b := range []byte{0, '0', '9', '(', ')', '\'', ',', 0xff} {
			bad := bytes.Clone(good)
			bad[place] = b
			values, err := Read[float32](bytes.NewReader(bad), int64(len(bad)), []int{3}, 100)
			if err == nil && len(values) != 3 {
				t.Errorf("byte %d as %q: %v", place, b, values)
			}
		}
	}
}

func TestFileThatIsShorterThanItsFolderSaysIsAnError(t *testing.T) {
	good := file("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", []int32{1, 2, 3})
	_, err := Read[int32](bytes.NewReader(good[:len(good)-1]), int64(len(good)), []int{3}, 100)
	if err == nil || err.Error() != "reading its values: unexpected EOF" {
		t.Errorf("error %v", err)
	}
}

func TestArrayBeyondTheMemoryLimitIsAnError(t *testing.T) {
	good := file("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", []int32{1, 2, 3})
	_, err := Read[int32](bytes.NewReader(good), int64(len(good)), []int{3}, 11)
	if err == nil || err.Error() != "takes 12 bytes; at most 11 may be used" {
		t.Errorf("error %v", err)
	}
}

func TestHeadersOfOtherWritersAreRead(t *testing.T) {
	const dictionary = `{"shape":(2, 2),"fortran_order":False,"descr":"<f4"}`
	values := []float32{1, 2, 3, 4}
	version2 := append([]byte("\x93NUMPY\x02\x00"), binary.LittleEndian.AppendUint32(nil, uint32(len(dictionary)))...)
	version2, err := binary.Append(append(version2, dictionary...), binary.LittleEndian, values)
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range [][]byte{file(dictionary, values), version2} {
		got, err := Read[float32](bytes.NewReader(content), int64(len(content)), []int{2, 2}, 100)
		if err != nil || !slices.Equal(got, values) {
			t.Errorf("%v, error %v", got, err)
		}
	}
}

// The values come in several pieces, the last of them short, and through a reader that gives a few bytes at a time.
func TestLongArraysAreReadWholeInFarLessThanTwiceTheirMemory(t *testing.T) {
	const n = 3*pieceSize + 5
	want, bytewise := make([]int32, n), make([]uint8, n)
	for i := range want {
		want[i], bytewise[i] = int32(i*7919), uint8(i*31)
	}
	content := file(fmt.Sprintf("{'descr': '<i4', 'fortran_order': False, 'shape': (%d,), }", n), want)
	var got []int32
	var err error
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err = Read[int32](iotest.OneByteReader(bytes.NewReader(content)), int64(len(content)), []int{n}, 4*n)
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 6*n {
		t.Errorf("%d bytes were allocated for an array of %d", taken, 4*n)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d values, error %v", len(got), err)
	}
	content = file(fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': (%d,), }", n), bytewise)
	gotBytes, err := Read[uint8](bytes.NewReader(content), int64(len(content)), []int{n}, n)
	if err != nil || !slices.Equal(gotBytes, bytewise) {
		t.Errorf("%d bytes, error %v", len(gotBytes), err)
	}
}

// file writes an array as numpy.save does: the header padded with spaces so that the values begin at a multiple of 64.
func file(dictionary string, values any) []byte {
	padded := fmt.Appendf(nil, "%-117s\n", dictionary)
	content := append([]byte("\x93NUMPY\x01\x00"), byte(len(padded)), byte(len(padded)>>8))
	content, err := binary.Append(append(content, padded...), binary.LittleEndian, values)
	if err != nil {
		panic(err)
	}
	return content
}
