// Package atomicfile replaces a file as a whole: readers see the old content or the new, never a part, and a failed or killed
// writer leaves the old one. It knows nothing of what is written.
package atomicfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a place to which whole contents are written, once or many times.
// A regular file is replaced by renaming a new file, made beside it, over it; of a symbolic link the target is replaced.
// What is not regular (a device, a pipe) cannot be replaced: it is opened and written in place, and the last content alone, at
// Close, since a stream cannot take back what it was given.
type File struct {
	path string       // after following links
	mode *fs.FileMode // of the file that is replaced; nil for a new one
	temp *os.File     // made, empty, waiting for the next content; nil when none is

	stream  bool
	content []byte // of a stream, waiting for Close
}

// Open prepares path for writing and makes the new file beside it, so that a folder that is missing or cannot be written shows
// now and not when there is something to lose. The error says what is wrong with which path.
func Open(path string) (*File, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return nil, fmt.Errorf("%s is a folder; the name of a file is needed", path)
	case err == nil && !info.Mode().IsRegular():
		return &File{path: path, stream: true}, nil
	}
	target, err := follow(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: target}
	if info, err := os.Stat(target); err == nil {
		mode := info.Mode().Perm()
		f.mode = &mode
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return f, f.makeTemp()
}

// follow resolves symbolic links, also those whose target does not exist yet.
func follow(path string) (string, error) {
	const maxLinks = 40 // as Linux's own limit
	for range maxLinks {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, nil // what is wrong with it, if anything, shows when it is opened
		}
		to, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", fmt.Errorf("%s: more than %d symbolic links, one behind the other", path, maxLinks)
}

func (f *File) makeTemp() error {
	dir := filepath.Dir(f.path)
	// The name is short whatever the file's own is, which may be as long as the file system allows.
	temp, err := os.CreateTemp(dir, ".new-*.tmp")
	if err != nil {
		return fmt.Errorf("no file can be made in %s: %w", dir, cause(err))
	}
	f.temp = temp
	return nil
}

// cause is an error without the new file's random name, which would only distract.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Replace makes what write writes the file's content. When it returns an error the old content stands.
func (f *File) Replace(write func(io.Writer) error) (err error) {
	if f.stream {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			return err
		}
		f.content = b.Bytes()
		return nil
	}
	if f.temp == nil {
		if err := f.makeTemp(); err != nil {
			return err
		}
	}
	temp := f.temp
	f.temp = nil
	defer func() {
		if err != nil {
			os.Remove(temp.Name())
		}
	}()
	err = fill(temp, write)
	if err == nil {
		err = os.Chmod(temp.Name(), f.permissions())
	}
	if err == nil {
		return os.Rename(temp.Name(), f.path)
	}
	return fmt.Errorf("writing %s: %w", f.path, cause(err))
}

// fill writes, flushes to the disk and closes; the file is closed in any case.
func fill(file *os.File, write func(io.Writer) error) error {
	b := bufio.NewWriter(file)
	err := write(b)
	if err == nil {
		err = b.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// permissions are those of the file that is replaced; a new file's are the usual ones.
func (f *File) permissions() fs.FileMode {
	if f.mode != nil {
		return *f.mode
	}
	return newFileMode()
}

// Close removes what was made and not used, and writes the last content to what is not a regular file.
func (f *File) Close() error {
	if f.temp != nil {
		name := f.temp.Name()
		err := errors.Join(f.temp.Close(), os.Remove(name))
		f.temp = nil
		return err
	}
	if f.content == nil {
		return nil
	}
	content := f.content
	f.content = nil
	out, err := os.OpenFile(f.path, os.O_WRONLY|dontWait, 0)
	if err != nil {
		return err
	}
	_, err = out.Write(content)
	return errors.Join(err, out.Close())
}
