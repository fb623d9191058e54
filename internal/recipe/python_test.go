package recipe_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// used is what testdata/use.py says of a recipe that it has used.
type used struct {
	Mode, Error   string
	Before, After float64 // mean losses over all samples
	Warnings      []string
}

func TestRecipesTrainInPythonScriptsThatDoAsTheirCommentsSay(t *testing.T) {
	specs := os.Getenv("FITBENCH_PYTHONS")
	if specs == "" {
		t.Skip("FITBENCH_PYTHONS names no interpreters: a list as in keras:/x/bin/python,torch:/y/bin/python is accepted")
	}
	for spec := range strings.SplitSeq(specs, ",") {
		t.Run(strings.ReplaceAll(spec, "/", "|"), func(t *testing.T) {
			t.Parallel()
			for _, u := range useRecipes(t, spec) {
				switch {
				case lacks(u.Error):
					t.Logf("%s: this Python has not what it needs", u.Mode)
				case u.Error != "" || len(u.Warnings) > 0:
					t.Errorf("%s: error %s, warnings %q", u.Mode, u.Error, u.Warnings)
				case !(u.After < u.Before/2): // not a number is none, either
					t.Errorf("%s: the mean loss was %g before and %g after three epochs", u.Mode, u.Before, u.After)
				}
			}
		})
	}
}

// lacks tells whether an error is that TensorFlow is not there, or too old for its helper or for several steps a call, which Keras has not on
// torch.
func lacks(text string) bool {
	return strings.Contains(text, "No module named 'tensorflow'") || strings.Contains(text, "NameError: name 'tf' is not defined") ||
		strings.Contains(text, "has no attribute 'timeseries_dataset_from_array'") || strings.Contains(text, "steps_per_execution")
}

// useRecipes has an interpreter, named as engines are, use all recipes of its framework.
func useRecipes(t *testing.T, spec string) []used {
	t.Helper()
	name, interpreter, found := strings.Cut(spec, ":")
	if !found {
		interpreter = "python3"
	}
	engine, backend, _ := strings.Cut(name, "@")
	codes := map[string]string{}
	for _, r := range carried(t) {
		if r.Engine == engine {
			codes[r.Mode] = r.Code
		}
	}
	in, err := json.Marshal(codes)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	c := exec.CommandContext(t.Context(), interpreter, "testdata/use.py", engine, t.TempDir())
	c.Stdin, c.Stderr = bytes.NewReader(in), &said
	if backend != "" {
		c.Env = append(os.Environ(), "KERAS_BACKEND="+backend)
	}
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var all []used
	for line := range strings.Lines(string(out)) {
		var u used
		if err := json.Unmarshal([]byte(line), &u); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		all = append(all, u)
	}
	if len(all) != len(codes) || len(all) == 0 {
		t.Errorf("%d of %d recipes were used", len(all), len(codes))
	}
	return all
}
