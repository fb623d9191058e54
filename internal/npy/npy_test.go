package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
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
