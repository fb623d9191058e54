package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// pythonFolder is a folder with programs named like interpreters.
func pythonFolder(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		program(t, dir, name)
	}
	return dir
}

func TestTheFirstInterpreterThatThereIsIsTaken(t *testing.T) {
	skipWithoutSignals(t) // Windows knows programs by their extension
	both, one, none := pythonFolder(t, "python3", "python"), pythonFolder(t, "python"), pythonFolder(t)
	environment := pythonFolder(t, "bin/python")
	for _, c := range []struct{ environment, path, want string }{
		{"", both, filepath.Join(both, "python3")},
		{"", one, filepath.Join(one, "python")},
		{"", none + ":" + both, filepath.Join(both, "python3")},
		{environment, both, filepath.Join(environment, "bin/python")},
		{environment, none, filepath.Join(environment, "bin/python")},
	} {
		t.Setenv("VIRTUAL_ENV", c.environment)
		t.Setenv("PATH", c.path)
		for _, spec := range []string{"keras", "keras@jax", "tf-keras", "torch", "jax"} {
			if p, err := Parse(spec, Options{}); err != nil || p.path != c.want || p.args[len(p.args)-1] != spec {
				t.Errorf("%s with VIRTUAL_ENV=%s PATH=%s: %+v, %v; want %s", spec, c.environment, c.path, p, err, c.want)
			}
		}
	}
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("PATH", none)
	if p, err := Parse("keras", Options{}); err == nil || !strings.Contains(err.Error(), "no Python was found: python3, python;") {
		t.Errorf("%+v, %v; want an error that says where was looked", p, err)
	}
}

// Another Python would be measured than the one that is active for its user.
func TestAnActiveEnvironmentThatIsGoneIsAnError(t *testing.T) {
	skipWithoutSignals(t)
	none := t.TempDir()
	t.Setenv("VIRTUAL_ENV", none)
	t.Setenv("PATH", pythonFolder(t, "python3"))
	if p, err := Parse("keras", Options{}); err == nil || !strings.Contains(err.Error(), "VIRTUAL_ENV is "+none+", where no "+none+"/bin/python is; activate another") {
		t.Errorf("%+v, %v", p, err)
	}
	if err := os.MkdirAll(filepath.Join(none, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/gone/python3", filepath.Join(none, "bin", "python")); err != nil {
		t.Fatal(err)
	}
	if p, err := Parse("keras", Options{}); err == nil || !strings.Contains(err.Error(), "it is a link to /gone/python3") {
		t.Errorf("%+v, %v", p, err)
	}
	if p, err := Parse("keras:python3", Options{}); err != nil {
		t.Errorf("named by its user: %+v, %v", p, err)
	}
}

// By its real path an interpreter would not know its virtual environment, whose own is a link.
func TestAnInterpreterIsStartedByTheNameThatWasGiven(t *testing.T) {
	skipWithoutSignals(t)
	dir := pythonFolder(t, "python")
	t.Chdir(dir)
	t.Setenv("PATH", t.TempDir())
	odd := `my "venv" it's`
	if err := os.Symlink("python", odd); err != nil {
		t.Fatal(err)
	}
	working, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p, err := Parse("keras@torch:./"+odd, Options{})
	if err != nil || p.path != filepath.Join(working, odd) || p.Name() != "keras@torch:./"+odd || p.args[3] != "keras@torch" {
		t.Errorf("%+v, %v", p, err)
	}
	if impatient, err := Parse("jax:python", Options{Silence: time.Second}); err == nil || impatient != nil {
		t.Errorf("a name without a separator is searched for in $PATH, but %+v, %v", impatient, err)
	}
	if impatient, err := Parse("jax:./python", Options{Silence: time.Second}); err != nil || impatient.silence != time.Second || p.silence != 5*time.Minute {
		t.Errorf("%+v, %v: the silence that is asked for counts, else 5 minutes for what may compile", impatient, err)
	}
}
