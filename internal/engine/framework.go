package engine

import (
	"fmt"
	"slices"
	"strings"

	"fitbench/internal/engine/python"
)

// framework is a row of the table of frameworks that a user's own Python runs.
type framework struct {
	// name is what engines of it are called, and what the worker is told.
	name string
	// title says which packages they are.
	title string
	// backends are the words that may follow an @; none where there is no choice.
	backends []string
}

func frameworks() []framework {
	return []framework{
		{"keras", "Keras 3 on the backend that KERAS_BACKEND or keras.json names", []string{"tensorflow", "torch", "jax"}},
		{"tf-keras", "the package tf_keras or, where TensorFlow is older than 2.16, its own tf.keras", nil},
		{"torch", "PyTorch", nil},
		{"jax", "JAX", nil},
	}
}

// form is how engines of the framework are named.
func (f framework) form() form {
	name, title := f.name, f.title
	words := []string{f.name}
	if len(f.backends) > 0 {
		name += "[@BACKEND]"
		title += ", or on " + strings.Join(f.backends, ", ")
		for _, b := range f.backends {
			words = append(words, f.name+"@"+b)
		}
	}
	return form{
		Form:  Form{Name: name + "[:PYTHON]", Title: title, Words: words},
		takes: f.takes, open: f.open, cells: f.cells, several: f.several,
	}
}

// takes tells whether a name is one of the framework's, perhaps with a wrong backend. The rest is what follows the framework's name.
func (f framework) takes(spec string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(spec, f.name)
	return rest, ok && (rest == "" || rest[0] == ':' || rest[0] == '@')
}

// open finds the interpreter of an engine and checks its backend.
func (f framework) open(rest string) (*Program, error) {
	choice, path, given := strings.Cut(rest, ":")
	if backend, named := strings.CutPrefix(choice, "@"); named && !slices.Contains(f.backends, backend) {
		return nil, f.noBackend(backend)
	}
	found, err := interpreter(path, given)
	if err != nil {
		return nil, err
	}
	return &Program{path: found, args: python.Arguments(f.name + choice), framework: f.name, silence: frameworkSilence}, nil
}

func (f framework) noBackend(name string) error {
	if len(f.backends) == 0 {
		return fmt.Errorf("%q is a backend, and %s has no choice of them", name, f.name)
	}
	return fmt.Errorf("backend %q is not known; accepted: %s", name, strings.Join(f.backends, ", "))
}

// several asks the framework's module too. Keras has a backend that runs each step by itself.
func (f framework) several(rest, cell string) bool {
	choice, _, _ := strings.Cut(rest, ":")
	return choice != "@torch" && slices.Contains(python.Several(f.name), cell)
}

// cells are those that the framework's module says it knows.
func (f framework) cells() []string { return python.Cells(f.name) }
