package python

import (
	"fmt"
	"slices"
	"strings"
)

// before tells whether it is a Keras of TensorFlow's, older than that minor version of 2.
func (s seen) before(minor int) bool {
	return s.Legacy && (s.Release[0] < 2 || s.Release[0] == 2 && s.Release[1] < minor)
}

// wrong lists what a run did otherwise than its cell says.
func (s seen) wrong(mode, execution, handed string, jax bool) (all []string) {
	check := func(right bool, format string, args ...any) {
		if !right {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	keras := s.Backend != ""
	if mode == "generator" && s.before(1) {
		handed = strings.Replace(handed, "fit,", "fit_generator,", 1)
	}
	pieces, waits := []int{}, 0
	if jax || s.Backend == "jax" {
		waits = 3 // after the first step, where the steady state begins, and at the end
	}
	if mode == "fit-chunked" {
		pieces = []int{4, 4, 4, 4, 4}
		waits = waits / 3 * 7 // also before each other piece is made
	}
	interpreted := s.PythonSteps >= spiedSteps
	check(s.Failure == "" && s.Steps == spiedSteps, "failed, or trained other than %d steps", spiedSteps)
	check(interpreted == (execution == "eager" || s.OpByOp), "Python computed %d of %d steps, and op by op is told: %v", s.PythonSteps, spiedSteps, s.OpByOp)
	check(execution == "compiled" || !s.OpByOp, "op by op is told of an eager cell")
	check(slices.Equal(s.Handed, []string{handed}), "%q is handed over, want %q", s.Handed, handed)
	check(slices.Equal(s.Pieces, pieces), "pieces whose making took time: %v, want %v", s.Pieces, pieces)
	check(s.Waits == waits, "JAX was waited for %d times, want %d", s.Waits, waits)
	check(s.Threads == 1, "not limited to one thread")
	if keras {
		eagerly := s.Compile["run_eagerly"] == true
		check(eagerly == (execution == "eager"), "compile was given %v", s.Compile)
		check(s.CallbackList == (!s.Legacy && mode != "train-on-batch"), "callbacks as a list of Keras's own kind: %v", s.CallbackList)
	}
	return all
}

// wrongJIT is what was wrong with a run that was to have jit_compile; what is not Keras does not know it.
func (s seen) wrongJIT() string {
	switch {
	case s.Backend == "":
		return ""
	case s.before(5):
		if !strings.Contains(s.Failure, "has no jit_compile") {
			return "it is not refused"
		}
	case s.Failure != "" || s.Compile["jit_compile"] != true:
		return "compile was not given it"
	case s.OpByOp:
		return "op by op is told"
	}
	return ""
}

// wrongWithoutJIT is what was wrong with a run that was not to have jit_compile: on JAX Keras runs its steps op by op then.
func (s seen) wrongWithoutJIT() string {
	interpreted := s.PythonSteps >= spiedSteps
	switch {
	case s.Backend == "" || s.before(5):
		return ""
	case s.Failure != "" || s.Compile["jit_compile"] != false:
		return "compile was not given it"
	case interpreted != s.OpByOp || interpreted != (s.Backend != "tensorflow"):
		return fmt.Sprintf("Python computed %d steps, and op by op is told: %v", s.PythonSteps, s.OpByOp)
	}
	return ""
}
