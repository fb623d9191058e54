package engine

import (
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Options are how the programs of an engine are watched.
type Options struct {
	// Kill, once closed, kills the program under way at once. It may be nil.
	Kill <-chan struct{}
	// Silence is how long a program may write nothing to its standard output while a run is under way, beside the time that its
	// plan's size may take; where 0, DefaultSilence, and for frameworks 5 minutes.
	Silence time.Duration
}

// Form is one way of naming an engine.
type Form struct {
	// Name is what is given, with its variable part in capitals, as in "exec:COMMAND".
	Name string
	// Title says which program that is.
	Title string
	// Words are what names of this form begin with, as a shell completes them.
	Words []string
}

// form is a row of the table of names.
type form struct {
	Form
	// takes tells whether a name is of this form, and what follows its fixed part.
	takes func(spec string) (rest string, ok bool)
	open  func(rest string) (*Program, error)
	// cells names what such an engine can do, as in "fit@compiled"; nil where only the program itself knows.
	cells func() []string
	// several tells of one of the cells whether the engine, of whose name the rest is given, can run several steps of it in one call; nil
	// where it never can.
	several func(rest, cell string) bool
}

func forms() []form {
	all := []form{
		{
			Form:  Form{"native", "this program, started again for each run", []string{"native"}},
			takes: func(spec string) (string, bool) { return "", spec == "native" },
			open:  func(string) (*Program, error) { return thisProgram() }, cells: nativeCells,
		},
		{
			Form:  Form{"native:PATH", "another fitbench program, for example an older one", []string{"native:"}},
			takes: begins("native:"), open: otherFitbench, cells: unknownCells,
		},
		{
			Form:  Form{"exec:COMMAND", "any program that speaks the protocol of docs/protocol.md; quotes group words, no shell is run", []string{"exec:"}},
			takes: begins("exec:"), open: anyProgram, cells: unknownCells,
			several: func(string, string) bool { return true },
		},
	}
	for _, f := range frameworks() {
		all = append(all, f.form())
	}
	return all
}

func begins(prefix string) func(string) (string, bool) {
	return func(spec string) (string, bool) { return strings.CutPrefix(spec, prefix) }
}

// Forms lists how engines are named, the default first.
func Forms() []Form {
	var all []Form
	for _, f := range forms() {
		all = append(all, f.Form)
	}
	return all
}

// Parse returns the engine of that name:
//
//	native          this program
//	native:PATH     another fitbench program; PATH is not searched for in $PATH
//	exec:COMMAND    a program that speaks the protocol, with its arguments
//	keras, keras@tensorflow, keras@torch, keras@jax, tf-keras, torch, jax
//	                the user's own framework; each may be followed by :PYTHON, a path of an interpreter or a program in $PATH
//
// COMMAND is split at blanks as a POSIX shell does it: '...' is taken as it stands, in "..." a backslash takes the special meaning
// from a following " or \, elsewhere from any character. No shell is run, so variables, patterns, pipes and redirections mean
// nothing. The program is searched for in $PATH unless its name has a separator.
//
// The path is settled here, once. The error names the value and says what is accepted: a name of no known form, a program that is
// missing, a folder or not executable, a quote that is not closed.
func Parse(spec string, o Options) (*Program, error) {
	for _, f := range forms() {
		rest, ok := f.takes(spec)
		if !ok {
			continue
		}
		p, err := f.open(rest)
		if err != nil {
			return nil, fmt.Errorf("engine %q: %w; %s is %s", spec, err, f.Name, f.Title)
		}
		if f.Name != "native" {
			p.name, p.called = spec, fmt.Sprintf("engine %q", spec)
		}
		p.kill, p.silence = o.Kill, cmp.Or(o.Silence, p.silence)
		return p, nil
	}
	var accepted []string
	for _, f := range Forms() {
		accepted = append(accepted, f.Name)
	}
	return nil, fmt.Errorf("engine %q is not known; accepted: %s", spec, strings.Join(accepted, ", "))
}

// otherFitbench takes the file behind a link, so that all runs are of one program though the link may be turned meanwhile.
func otherFitbench(path string) (*Program, error) {
	if path == "" {
		return nil, errors.New("no path is given")
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	resolved, err := filepath.EvalSymlinks(absolute)
	if err != nil {
		return nil, err
	}
	if resolved, err = executable(resolved); err != nil {
		return nil, err
	}
	return &Program{path: resolved, args: []string{WorkerCommand}}, nil
}

// anyProgram keeps links as they are: some programs look at the name under which they were started.
func anyProgram(command string) (*Program, error) {
	words, err := split(command)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("no command is given")
	}
	path, err := executable(words[0])
	if err != nil {
		return nil, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	return &Program{path: path, args: words[1:]}, nil
}

// executable finds a program. Its error tells the path and what is wrong with it.
func executable(name string) (string, error) {
	path, err := exec.LookPath(name)
	if bad := new(exec.Error); errors.As(err, &bad) {
		return "", fmt.Errorf("%s cannot be started: %w", bad.Name, bad.Err)
	}
	return path, err
}
