package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// interpreter is the path of the Python that an engine runs in: a path or a program in $PATH where one is given, else the active virtual
// environment's, which must be there where one is active, else the first of python3 and python. Links are kept: it is by the name under which it was started that an
// interpreter knows its virtual environment.
func interpreter(given string, isGiven bool) (string, error) {
	if isGiven {
		return givenInterpreter(given)
	}
	var tried []string
	for _, name := range interpreters() {
		if filepath.Base(name) != name && gone(name) {
			return "", fmt.Errorf("VIRTUAL_ENV is %s, where no %s is%s; activate another environment, unset VIRTUAL_ENV, or name a Python, as in keras:python3",
				os.Getenv("VIRTUAL_ENV"), name, whyNoInterpreter(name))
		}
		path, err := executable(name)
		if err == nil {
			return filepath.Abs(path)
		}
		tried = append(tried, name)
	}
	return "", fmt.Errorf("no Python was found: %s; a path can be named, as in keras:/usr/bin/python3", strings.Join(tried, ", "))
}

// interpreters are where a Python may be that nobody named, the first to be taken first.
func interpreters() []string {
	names := []string{"python3", "python"}
	if folder := os.Getenv("VIRTUAL_ENV"); folder != "" {
		names = append([]string{inEnvironment(folder)}, names...)
	}
	return names
}

// inEnvironment is the interpreter of a virtual environment.
func inEnvironment(folder string) string {
	if runtime.GOOS == "windows" {
		return filepath.Join(folder, "Scripts", "python.exe")
	}
	return filepath.Join(folder, "bin", "python")
}

func givenInterpreter(name string) (string, error) {
	if name == "" {
		return "", errors.New("no interpreter is given behind the colon")
	}
	path, err := executable(name)
	if err != nil {
		return "", fmt.Errorf("%w%s", err, whyNoInterpreter(name))
	}
	return filepath.Abs(path)
}

// whyNoInterpreter says more where a virtual environment was meant, or one is gone.
func whyNoInterpreter(name string) string {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		if inside := inEnvironment(name); fileThere(inside) {
			return fmt.Sprintf(" (its interpreter is %s)", inside)
		}
		return ""
	}
	if target, err := os.Readlink(name); err == nil && gone(name) {
		return fmt.Sprintf(" (it is a link to %s: the Python that its virtual environment was made with is gone)", target)
	}
	return ""
}

// gone tells whether nothing is there, which is more than that it cannot be reached.
func gone(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func fileThere(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
