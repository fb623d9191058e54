package verify

import (
	"fmt"

	"fitbench/internal/npy"
)

// array reads a .npy file whose element type is T and whose shape is as given; every other is an error. The product of the shape must
// not overflow.
func array[T npy.Element](f goldenFolder, name string, shape ...int) ([]T, error) {
	file, size, err := f.open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	values, err := npy.Read[T](file, size, shape, f.limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return values, nil
}
