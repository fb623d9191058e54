// Package python carries the modules that make a Python interpreter an engine, with the user's own Keras, PyTorch or JAX, and the
// arguments that an interpreter is to be started with. It starts no process, and nothing has to be written to a disk: the modules
// travel in an argument.
package python

import (
	"bytes"
	"compress/zlib"
	"embed"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
)

//go:embed worker/*.py
var files embed.FS

const (
	boot      = "boot"    // makes the others importable; never imported itself
	core      = "worker_" // modules of every engine begin with it
	extension = ".py"
)

// Modules are the names of all modules, in the order of the alphabet.
func Modules() []string {
	entries, err := files.ReadDir("worker")
	if err != nil {
		panic("python: the embedded folder is not there")
	}
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), extension))
	}
	slices.Sort(names)
	return names
}

// Source is the text of a module, as in "worker_main"; false where there is none of that name.
func Source(module string) (string, bool) {
	text, err := files.ReadFile("worker/" + module + extension)
	return string(text), err == nil
}

// Arguments are what an interpreter is started with to be the engine of that name, as in "keras@jax": a program, the modules that it
// imports, and the name. Only the engine's own modules come beside the core, since Windows takes command lines up to 32,767 characters.
func Arguments(engine string) []string {
	sources := map[string]string{}
	for _, name := range modulesOf(engine) {
		sources[name], _ = Source(name)
	}
	return arguments(sources, engine)
}

func arguments(sources map[string]string, engine string) []string {
	program, _ := Source(boot)
	return []string{"-c", program, pack(sources), engine}
}

// prefix is what the names of an engine's own modules begin with. tf-keras shares Keras's.
func prefix(engine string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(engine, "tf-"), "@")
	return name + "_"
}

func modulesOf(engine string) []string {
	own := prefix(engine)
	return slices.DeleteFunc(Modules(), func(name string) bool {
		return !strings.HasPrefix(name, core) && !strings.HasPrefix(name, own)
	})
}

// pack makes the modules one word: base64 of zlib of JSON, {name: source}.
func pack(sources map[string]string) string {
	var packed bytes.Buffer
	// Neither a map of strings nor a buffer in memory can fail.
	z, _ := zlib.NewWriterLevel(&packed, zlib.BestCompression)
	_ = json.NewEncoder(z).Encode(sources)
	_ = z.Close()
	return base64.StdEncoding.EncodeToString(packed.Bytes())
}
