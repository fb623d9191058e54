package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"fitbench/internal/engine/python"
)

// Interpreter is a Python and which frameworks it has.
type Interpreter struct {
	// Path is how it is started, absolute unless it could not be.
	Path string
	// Version is its own, as in "3.12.3".
	Version string
	// Frameworks is what it has for each engine.
	Frameworks []Framework
	// Err is why it cannot be used, with its path.
	Err error

	identity string // the same of two paths to one interpreter
}

// Framework is what an interpreter has for an engine.
type Framework struct {
	// Name is the engine's, without its interpreter.
	Name string `json:"name"`
	// Versions are of the packages that are there, as in "Keras 3.15.0, TensorFlow 2.21.0".
	Versions string `json:"versions"`
	// Missing is the command that would add what is not there, or why nothing could; empty where it can be run.
	Missing string `json:"missing"`
	// Backend is Keras's and BackendBy what names it: KERAS_BACKEND, keras.json or default; empty for others.
	Backend   string `json:"backend"`
	BackendBy string `json:"backend_by"`
}

// probeTime is how long an interpreter may take to answer. It imports no framework.
const probeTime = 20 * time.Second

// Discover asks the interpreters which frameworks they have: those given, each a path or a program in $PATH, and those that an engine that
// names none would be looked for in. What the search does not find is left out, and an interpreter is told once, under the first path to it.
// The error is ctx's cause.
func Discover(ctx context.Context, given []string) ([]Interpreter, error) {
	var all []Interpreter
	known := map[string]bool{}
	for _, path := range candidates(given) {
		found := ask(ctx, path)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if found.identity != "" && known[found.identity] {
			continue
		}
		known[found.identity] = true
		all = append(all, found)
	}
	return all, nil
}

// candidates are the interpreters given, that of the active virtual environment even where it is gone, and those in $PATH.
func candidates(given []string) []string {
	paths := slices.Clone(given)
	for _, name := range interpreters() {
		if _, err := executable(name); err == nil || filepath.Base(name) != name {
			paths = append(paths, name)
		}
	}
	return paths
}

// ask has an interpreter tell what it has.
func ask(ctx context.Context, name string) Interpreter {
	path, err := givenInterpreter(name)
	if err != nil {
		return Interpreter{Path: name, Err: err}
	}
	answer, err := probe(ctx, path)
	if err != nil {
		return Interpreter{Path: path, Err: fmt.Errorf("%s cannot be used: %w", path, err)}
	}
	real, err := filepath.EvalSymlinks(cmp.Or(answer.Executable, path))
	return Interpreter{
		Path: path, Version: answer.Version, Frameworks: answer.Engines, identity: fmt.Sprint(real, err, answer.Prefix),
	}
}

// answer is what the probe prints.
type answer struct {
	Version    string      `json:"version"`
	Prefix     string      `json:"prefix"`
	Executable string      `json:"executable"`
	Engines    []Framework `json:"engines"`
	Lacks      string      `json:"lacks"`
}

// Lacks asks a framework's interpreter, without importing anything, what it lacks for the engine: the command that would add it, or why
// nothing could. It is empty where nothing is lacking, where it could not be asked, which a run will tell, and for other engines.
func (p *Program) Lacks(ctx context.Context) string {
	if p.framework == "" {
		return ""
	}
	found, err := probe(ctx, p.path, p.args[len(p.args)-1])
	if err != nil {
		return ""
	}
	return found.Lacks
}

// probe runs the probing module; words are more of its arguments.
func probe(ctx context.Context, path string, words ...string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	program, _ := python.Source("worker_probe")
	cmd := exec.CommandContext(ctx, path, append([]string{"-c", program}, words...)...)
	inOwnGroup(cmd)
	cmd.Cancel = func() error {
		groupOf(cmd).kill()
		return cmd.Process.Kill()
	}
	cmd.WaitDelay = time.Second // what it started may hold its output
	var stdout, stderr excerpt
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return answer{}, fmt.Errorf("it did not answer within %v", probeTime)
	}
	if err != nil && cmd.ProcessState != nil {
		err = errors.New(death(cmd.ProcessState) + said(stderr))
	}
	if err != nil {
		return answer{}, err
	}
	return readAnswer(stdout, stderr)
}

// readAnswer takes the last line that is one: what is started with an interpreter may print before it, and at its end.
func readAnswer(stdout, stderr excerpt) (found answer, err error) {
	lines := bytes.Split(bytes.TrimSpace(append(stdout.head, stdout.tail...)), []byte("\n"))
	last := lines[len(lines)-1]
	for i := len(lines) - 1; i >= 0 && found.Version == ""; i-- {
		found = answer{}
		_ = json.Unmarshal(lines[i], &found) // what is no answer has no version
	}
	if found.Version == "" {
		return answer{}, fmt.Errorf("it answers %s, which no Python does%s", quote(last), said(stderr))
	}
	if len(found.Engines) == 0 {
		return answer{}, fmt.Errorf("it is Python %s; 3.7 or later is accepted", found.Version)
	}
	return found, nil
}

func said(stderr excerpt) string {
	if words := stderr.words(); words != "" {
		return "; standard error: " + words
	}
	return ""
}
