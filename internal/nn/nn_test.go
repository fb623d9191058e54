package nn

import (
	"slices"
	"strings"
	"testing"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/nn/model"
)

func config() model.Config {
	h := model.Default(104)
	return model.Config{Hyperparameters: h, BatchSize: 4, Threads: 1, Impl: kernel.Available()[0], Weights: h.InitialWeights(0)}
}

func TestCompiledComesFirstAndEveryNameMakesAnExecution(t *testing.T) {
	if !slices.Equal(Names(), []string{"compiled", "eager"}) {
		t.Errorf("executions are %v, want compiled, eager", Names())
	}
	for _, name := range Names() {
		e, err := New(name, config())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		e.Close()
	}
}

func TestAnUnknownExecutionIsRefusedWithThoseThereAre(t *testing.T) {
	_, err := New("lazy", config())
	if err == nil || !strings.Contains(err.Error(), `"lazy"`) || !strings.Contains(err.Error(), "compiled, eager") {
		t.Errorf("error is %v; want the name and those there are", err)
	}
}

func TestABadConfigIsAnErrorAndNoExecution(t *testing.T) {
	c := config()
	c.BatchSize = 0
	for _, name := range Names() {
		if e, err := New(name, c); err == nil || e != nil {
			t.Errorf("%s: New is %v, %v; want nil and an error", name, e, err)
		}
	}
}
