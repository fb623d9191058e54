package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func open(t *testing.T, path string) *File {
	t.Helper()
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func wantContent(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", path, got, err, want)
	}
}

func TestReplaceKeepsTheLastContentAndLeavesNothingElse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.json")
	f := open(t, path)
	for _, s := range []string{"one", "two"} {
		if err := f.Replace(text(s)); err != nil {
			t.Fatal(err)
		}
		wantContent(t, path, s)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := entries(t, dir); len(got) != 1 {
		t.Errorf("the folder holds %v; want out.json alone", got)
	}
}

func TestAFileThatWasNeverReplacedStaysAsItWas(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.json")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := open(t, path)
	if got := entries(t, dir); len(got) != 2 {
		t.Errorf("after Open the folder holds %v; want the new file beside the old", got)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	wantContent(t, path, "old")
	if got := entries(t, dir); len(got) != 1 {
		t.Errorf("the folder holds %v; want out.json alone", got)
	}
}

func TestAFailedWriteKeepsTheOldContent(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.json")
	f := open(t, path)
	if err := f.Replace(text("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	err := f.Replace(func(w io.Writer) error { io.WriteString(w, "half"); return broken })
	if !errors.Is(err, broken) {
		t.Errorf("error %v; want the writer's", err)
	}
	wantContent(t, path, "old")
	if got := entries(t, dir); len(got) != 1 {
		t.Errorf("the folder holds %v; want out.json alone", got)
	}
}

func TestPermissionsOfTheReplacedFileStay(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no permission bits on Windows")
	}
	for _, mode := range []os.FileMode{0o640, 0o400, 0} {
		path := filepath.Join(t.TempDir(), "out.json")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if err := open(t, path).Replace(text("new")); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("mode %v, %v; want %v", info.Mode(), err, mode)
		}
	}
}

func TestANameAsLongAsTheFileSystemAllowsWillDo(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("a", 255))
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Skip("names are shorter here:", err)
	}
	if err := open(t, path).Replace(text("new")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, path, "new")
}

func TestALinksTargetIsReplaced(t *testing.T) {
	for _, exists := range []bool{true, false} {
		dir := t.TempDir()
		target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
		if exists {
			if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink("target", link); err != nil {
			t.Skip("no symbolic links here:", err)
		}
		if err := open(t, link).Replace(text("new")); err != nil {
			t.Fatal(err)
		}
		wantContent(t, target, "new")
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("target existed %v: the link is gone", exists)
		}
	}
}

func TestPathsThatCannotBeWrittenAreRefusedAtOnce(t *testing.T) {
	dir := t.TempDir()
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	for path, says := range map[string]string{
		filepath.Join(dir, "missing", "out.json"): "missing",
		filepath.Join(plain, "out.json"):          "plain",
		dir:                                       "folder",
		loop:                                      "symbolic links",
	} {
		if _, err := Open(path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Open(%s): %v; want an error that says %q", path, err, says)
		}
	}
}

func TestWhatIsNotRegularIsWrittenOnceAtTheEnd(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	path := fmt.Sprintf("/dev/fd/%d", write.Fd())
	if _, err := os.Stat(path); err != nil {
		t.Skip("no /dev/fd here")
	}
	f := open(t, path)
	for _, s := range []string{"one", "two"} {
		if err := f.Replace(text(s)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	if got, err := io.ReadAll(read); err != nil || string(got) != "two" {
		t.Errorf("the pipe got %q, %v; want the last content alone", got, err)
	}
}
