package python

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

var engines = []string{"keras", "keras@jax", "tf-keras", "torch", "jax"}

// carried decodes what an interpreter is handed.
func carried(t *testing.T, word string) map[string]string {
	t.Helper()
	packed, err := base64.StdEncoding.DecodeString(word)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var sources map[string]string
	if err := json.NewDecoder(z).Decode(&sources); err != nil {
		t.Fatal(err)
	}
	return sources
}

func TestAnEngineCarriesTheCoreAndItsOwnModulesAsTheyAre(t *testing.T) {
	for _, engine := range engines {
		args := Arguments(engine)
		program, err := os.ReadFile("worker/boot.py")
		if err != nil {
			t.Fatal(err)
		}
		if len(args) != 4 || args[0] != "-c" || args[1] != string(program) || args[3] != engine {
			t.Errorf("%s: arguments %.40q", engine, args)
		}
		own := map[string]string{"keras": "keras_", "keras@jax": "keras_", "tf-keras": "keras_", "torch": "torch_", "jax": "jax_"}[engine]
		modules := carried(t, args[2])
		for name, source := range modules {
			text, err := os.ReadFile("worker/" + name + ".py")
			if err != nil || string(text) != source {
				t.Errorf("%s carries another %s than there is (%v)", engine, name, err)
			}
			if !strings.HasPrefix(name, "worker_") && !strings.HasPrefix(name, own) {
				t.Errorf("%s carries %s", engine, name)
			}
		}
		for _, name := range []string{"worker_main", "worker_clock", "worker_series", own + "engine"} {
			if modules[name] == "" {
				t.Errorf("%s lacks %s", engine, name)
			}
		}
	}
}

// Windows takes command lines of up to 32,767 characters, the program's path included, in which a quote takes two.
func TestTheArgumentsFitIntoACommandLineOfWindows(t *testing.T) {
	for _, engine := range engines {
		size := 0
		for _, arg := range Arguments(engine) {
			size += len(arg) + strings.Count(arg, `"`) + len(` ""`)
		}
		if size > 32000 {
			t.Errorf("%s: %d characters of arguments, want 32,000 at the most", engine, size)
		}
	}
}

func TestEveryModuleOfTheFolderIsThere(t *testing.T) {
	entries, err := os.ReadDir("worker")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".py"); ok {
			want = append(want, name)
		}
	}
	if got := Modules(); !slices.Equal(got, want) || !slices.IsSorted(got) {
		t.Errorf("modules %v, want %v", got, want)
	}
	if text, ok := Source("worker_nothing"); ok || text != "" {
		t.Errorf("a module that is not there is %q", text)
	}
}
