package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWordsAreSplitAsAShellDoes(t *testing.T) {
	// Expected by hand, after POSIX.1-2017, Shell Command Language, 2.2 Quoting.
	for _, c := range []struct {
		command string
		want    []string
	}{
		{`python3 my.py`, []string{"python3", "my.py"}},
		{"  a \t b\nc ", []string{"a", "b", "c"}},
		{`'a b' "c d"`, []string{"a b", "c d"}},
		{`a'b c'd"e f"`, []string{"ab cde f"}},
		{`a\ b \'c \\`, []string{"a b", "'c", `\`}},
		{`"a \"b\" \\ \n $x"`, []string{`a "b" \ \n $x`}},
		{`'a \ "b"'`, []string{`a \ "b"`}},
		{`a '' ""`, []string{"a", "", ""}},
		{`$HOME *.py | x > y & z`, []string{"$HOME", "*.py", "|", "x", ">", "y", "&", "z"}},
		{`wörter "ü ber"`, []string{"wörter", "ü ber"}},
		{"", nil},
	} {
		if got, err := split(c.command); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: words %q, %v; want %q", c.command, got, err, c.want)
		}
	}
	for command, want := range map[string]string{
		`a 'b`: `a quote (') is not closed`, `a "b\"`: `a quote (") is not closed`, `a\`: "ends in a backslash", "a\x00b": "zero byte",
	} {
		if got, err := split(command); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: words %q, error %v; want an error with %q", command, got, err, want)
		}
	}
}

// program writes an executable file that is never started.
func program(t *testing.T, dir, name string) string {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, name)
}

func TestEnginesAreFoundByTheirNames(t *testing.T) {
	skipWithoutSignals(t) // Windows knows programs by their extension
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	old, searched := program(t, dir, "old one"), program(t, dir, "in-path")
	if err := os.Symlink("old one", "link"); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	native, err := thisProgram()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spec, name, path string
		args             []string
	}{
		{"native", "fitbench", native.path, []string{"worker"}},
		{"native:old one", "native:old one", old, []string{"worker"}},
		{"native:./link", "native:./link", old, []string{"worker"}},
		{"exec:in-path 'a b' c", "exec:in-path 'a b' c", searched, []string{"a b", "c"}},
		{"exec:'./old one'", "exec:'./old one'", old, nil},
		{"exec:./link x", "exec:./link x", filepath.Join(dir, "link"), []string{"x"}},
	} {
		kill := make(chan struct{})
		p, err := Parse(c.spec, Options{Kill: kill, Silence: time.Second})
		if err != nil {
			t.Errorf("%s: %v", c.spec, err)
			continue
		}
		if p.Name() != c.name || p.path != c.path || !slices.Equal(p.args, c.args) || p.kill != kill || p.silence != time.Second {
			t.Errorf("%s: %+v, want name %q, path %q, arguments %q", c.spec, p, c.name, c.path, c.args)
		}
	}
}

func TestAWrongEngineIsRefusedBeforeAnythingRuns(t *testing.T) {
	skipWithoutSignals(t)
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("plain", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", "dangling"); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("venv/bin", 0o755); err != nil {
		t.Fatal(err)
	}
	program(t, dir, "venv/bin/python")
	program(t, dir, "in-cwd")
	t.Setenv("PATH", ".") // where Go does not start programs from
	const all = "accepted: native, native:PATH, exec:COMMAND"
	for _, c := range []struct {
		spec string
		says []string
	}{
		{"", []string{`engine ""`, all}},
		{"fast", []string{`engine "fast"`, all}},
		{"Native", []string{`engine "Native"`, all}},
		{"native ", []string{`engine "native "`, all}},
		{"nativex", []string{`engine "nativex"`, all}},
		{"exec", []string{`engine "exec"`, all}},
		{"native:", []string{"no path is given", "native:PATH is another fitbench program"}},
		{"native:missing", []string{"missing", "no such file"}},
		{"native:dangling", []string{"nowhere", "no such file"}},
		{"native:folder", []string{"folder", "is a directory"}},
		{"native:plain", []string{"plain", "permission denied"}},
		{"native:plain/below", []string{"plain", "not a directory"}},
		{"exec:", []string{"no command is given", "exec:COMMAND is any program"}},
		{"exec:  ", []string{"no command is given"}},
		{"exec:''", []string{"no command is given"}},
		{"exec:missing x", []string{"missing cannot be started", "not found"}},
		{"exec:./missing", []string{"./missing cannot be started", "no such file"}},
		{"exec:./folder", []string{"./folder cannot be started", "is a directory"}},
		{"exec:./plain x", []string{"./plain cannot be started", "permission denied"}},
		{"exec:in-cwd", []string{"in-cwd cannot be started"}},
		{"exec:python3 'x", []string{"is not closed"}},
		{"keras ", []string{`engine "keras "`, all}},
		{"keras3", []string{`engine "keras3"`, all}},
		{"keras@", []string{`backend "" is not known`, "tensorflow, torch, jax"}},
		{"keras@mxnet:./plain", []string{`backend "mxnet" is not known`, "tensorflow, torch, jax"}},
		{"torch@cuda", []string{"torch has no choice"}},
		{"keras:", []string{"no interpreter is given", "keras[@BACKEND][:PYTHON] is Keras 3"}},
		{"keras:missing", []string{"missing cannot be started", "not found"}},
		{"jax:./missing", []string{"./missing cannot be started", "no such file"}},
		{"tf-keras:./plain", []string{"./plain cannot be started", "permission denied"}},
		{"torch:./folder", []string{"./folder cannot be started", "is a directory"}},
		{"torch:./venv", []string{"is a directory", "its interpreter is venv/bin/python"}},
		{"keras:./gone/bin/python", []string{"./gone/bin/python cannot be started", "no such file"}},
		{"keras:./dangling", []string{"./dangling cannot be started", "link to nowhere", "is gone"}},
	} {
		p, err := Parse(c.spec, Options{})
		if err == nil {
			t.Errorf("%s: accepted as %+v", c.spec, p)
			continue
		}
		for _, want := range c.says {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q lacks %q", c.spec, err, want)
			}
		}
	}
}

func TestEveryFormIsListed(t *testing.T) {
	var names []string
	for _, f := range Forms() {
		names = append(names, f.Name)
		if f.Title == "" || len(f.Words) == 0 {
			t.Errorf("%s has no title or no words", f.Name)
		}
	}
	want := []string{
		"native", "native:PATH", "exec:COMMAND", "keras[@BACKEND][:PYTHON]", "tf-keras[:PYTHON]", "torch[:PYTHON]", "jax[:PYTHON]",
	}
	if !slices.Equal(names, want) {
		t.Errorf("forms %v, want %v", names, want)
	}
}
