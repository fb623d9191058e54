package verify

import (
	"encoding/binary"
	"fmt"

	"fitbench/internal/npy"
)

// array reads a .npy file whose element type is T and whose shape is as given; every other is an error. The product of the shape must
// not overflow.
func array[T npy.Element](f *goldenFolder, name string, shape ...int) ([]T, error) {
	file, size, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	values, err := npy.Read[T](file, size, shape, f.left())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.taken += int64(len(values)) * int64(binary.Size(T(0)))
	return values, nil
}
