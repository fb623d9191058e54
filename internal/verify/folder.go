package verify

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
)

// goldenFolder is a folder of unknown content, with the memory that may be taken for it, in bytes: for what is read from it, and for
// the series, the network and the batches that its numbers ask for. Its two texts, which have a bound of their own, are not counted.
type goldenFolder struct {
	fs.FS
	limit, taken int64
}

// left is how many bytes may still be taken.
func (f *goldenFolder) left() int64 { return f.limit - f.taken }

// take counts the bytes that something needs, before they are allocated; as a float64 a need cannot overflow.
func (f *goldenFolder) take(what string, bytes float64) error {
	if !(bytes <= float64(f.left())) {
		return fmt.Errorf("%s about %.0f bytes; at most %d may be used%s", what, bytes, f.left(), f.besides())
	}
	f.taken += int64(bytes)
	return nil
}

// besides tells what is in use already.
func (f *goldenFolder) besides() string {
	if f.taken == 0 {
		return ""
	}
	return fmt.Sprintf(" beside %d in use", f.taken)
}

// open opens a regular file and tells its length. Errors name it.
func (f *goldenFolder) open(name string) (fs.File, int64, error) {
	// Asked before opening: opening a named pipe would wait for its writer.
	info, err := fs.Stat(f.FS, name)
	if err != nil {
		return nil, 0, fileError(name, err)
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%s: is a %v; a regular file is needed", name, info.Mode().Type())
	}
	file, err := f.Open(name)
	if err != nil {
		return nil, 0, fileError(name, err)
	}
	return file, info.Size(), nil
}

// fileError names the file once: io/fs puts the operation and the name around the cause.
func fileError(name string, err error) error {
	if path := (*fs.PathError)(nil); errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// maxJSON is far more than the losses of a million steps take.
const maxJSON = 64 << 20

// object reads a JSON file into v, a pointer to a struct; every key of keys must be there and not null.
func (f *goldenFolder) object(name string, v any, keys ...string) error {
	file, size, err := f.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	if size > maxJSON {
		return fmt.Errorf("%s: has %d bytes; at most %d are read", name, size, maxJSON)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxJSON))
	if err != nil {
		return fileError(name, err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return fmt.Errorf("%s: no JSON object: %w", name, err)
	}
	for _, key := range keys {
		if value, ok := fields[key]; !ok || string(value) == "null" {
			return fmt.Errorf("%s: %q is missing", name, key)
		}
	}
	if err := json.Unmarshal(text, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// finite reads a float32 array in which every number must be finite.
func finite(f *goldenFolder, name string, shape ...int) ([]float32, error) {
	values, err := array[float32](f, name, shape...)
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		if v64 := float64(v); math.IsNaN(v64) || math.IsInf(v64, 0) {
			return nil, fmt.Errorf("%s: element %d is %v; finite numbers are needed", name, i, v)
		}
	}
	return values, nil
}

// below reads an array of whole numbers, each of which must be in [0, limit).
func below[T uint8 | int32](f *goldenFolder, name string, limit int, shape ...int) ([]T, error) {
	values, err := array[T](f, name, shape...)
	if err != nil {
		return nil, err
	}
	for i, v := range values {
		if int(v) < 0 || int(v) >= limit {
			return nil, fmt.Errorf("%s: element %d is %d; 0 to %d are possible", name, i, v, limit-1)
		}
	}
	return values, nil
}
