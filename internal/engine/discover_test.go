package engine

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// answering writes an interpreter that prints those lines when it is asked, and returns its path.
func answering(t *testing.T, dir, name, script string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

const probed = `{"version": "3.12.3", "prefix": "/usr", "executable": "/usr/bin/python3", "engines": ` +
	`[{"name": "keras", "versions": "Keras 3.15.0", "missing": "pip", "backend": "jax", "backend_by": "keras.json"}, {"name": "torch", "versions": "PyTorch 2.9", "missing": ""}]}`

func TestAnInterpreterIsToldOnceWithWhatItHas(t *testing.T) {
	skipWithoutSignals(t)
	dir := t.TempDir()
	first := answering(t, dir, "first", "echo a warning; echo '"+probed+"'")
	answering(t, dir, "python3", "echo '"+probed+"'")
	other := answering(t, dir, "python", "echo '"+strings.Replace(probed, `"/usr"`, `"/venv"`, 1)+"'")
	t.Setenv("PATH", dir+":/bin:/usr/bin") // where the scripts find sleep
	t.Setenv("VIRTUAL_ENV", "")
	found, err := Discover(t.Context(), []string{first})
	if err != nil || len(found) != 2 || found[0].Path != first || found[1].Path != other {
		t.Fatalf("%+v, %v; want %s and, with another prefix, %s", found, err, first, other)
	}
	want := []Framework{
		{Name: "keras", Versions: "Keras 3.15.0", Missing: "pip", Backend: "jax", BackendBy: "keras.json"}, {Name: "torch", Versions: "PyTorch 2.9"},
	}
	if p := found[0]; p.Err != nil || p.Version != "3.12.3" || !reflect.DeepEqual(p.Frameworks, want) {
		t.Errorf("%+v, want %+v", p, want)
	}
}

func TestABrokenInterpreterIsALineAndNoFailure(t *testing.T) {
	skipWithoutSignals(t)
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("VIRTUAL_ENV", "/nonexistent/venv")
	for _, c := range []struct{ name, script, want string }{
		{"dies", "echo 'no module named encodings' >&2; exit 1", "dies cannot be used: ended with exit status 1; standard error: no module named encodings"},
		{"killed", "kill -9 $$", "killed cannot be used: was killed by SIGKILL"},
		{"mute", "", `mute cannot be used: it answers "", which no Python does`},
		{"chatty", "echo hello", `chatty cannot be used: it answers "hello", which no Python does`},
		{"old", `echo '{"version": "2.7.18", "prefix": "/", "executable": "/py"}'`, "old cannot be used: it is Python 2.7.18; 3.7 or later is accepted"},
		{"missing", "", "missing cannot be started"},
	} {
		path := filepath.Join(dir, c.name)
		if c.name != "missing" {
			answering(t, dir, c.name, c.script)
		}
		found, err := Discover(t.Context(), []string{path})
		if err != nil || len(found) != 2 {
			t.Fatalf("%s: %+v, %v", c.name, found, err)
		}
		if found[0].Err == nil || !strings.Contains(found[0].Err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, found[0].Err, c.want)
		}
		if gone := found[1]; gone.Err == nil || !strings.Contains(gone.Err.Error(), "/nonexistent/venv/bin/python cannot be started") {
			t.Errorf("the virtual environment that is gone: %+v", gone)
		}
	}
}
