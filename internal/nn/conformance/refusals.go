package conformance

import (
	"testing"

	"fitbench/internal/nn/model"
)

func badBatchesAreRefused(t *testing.T, s suite) {
	h := model.Default(104)
	const n = 4
	weights, good := problem(h, n)
	_, tooLong := problem(h, n+1)
	labels := oneHot(good.Classes, h.Classes)
	e := s.execution(t, h, n, 2, weights)
	last := n*h.Window - h.Window
	for name, b := range map[string]*model.Batch{
		"empty":                  {X32: good.X32, Classes: []uint8{}},
		"longer than BatchSize":  tooLong,
		"negative start":         {X32: good.X32, Starts: []int{0, 0, -1, 0}, Classes: good.Classes},
		"start beyond float32":   {X32: good.X32, Starts: []int{0, 0, 0, last + 1}, Classes: good.Classes},
		"start beyond float64":   {X64: widen(good.X32), Starts: []int{last + 1, 0, 0, 0}, Classes: good.Classes},
		"series below a window":  {X32: good.X32[:h.Window-1], Starts: good.Starts, Classes: good.Classes},
		"no values":              {Starts: good.Starts, Classes: good.Classes},
		"both kinds of values":   {X32: good.X32, X64: widen(good.X32), Starts: good.Starts, Classes: good.Classes},
		"no labels":              {X32: good.X32, Starts: good.Starts},
		"both kinds of labels":   {X32: good.X32, Starts: good.Starts, Classes: good.Classes, OneHot: labels},
		"class out of range":     {X32: good.X32, Starts: good.Starts, Classes: []uint8{0, 1, 2, 0}},
		"too few classes":        {X32: good.X32, Starts: good.Starts, Classes: good.Classes[:n-1]},
		"one-hot too short":      {X32: good.X32, Starts: good.Starts, OneHot: labels[1:]},
		"one-hot of three wide":  {X32: good.X32, Starts: good.Starts, OneHot: make([]float64, n*3)},
		"more classes than rows": {X32: good.X32, Starts: good.Starts, Classes: make([]uint8, n+1)},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := e.Step(b); err == nil {
				t.Error("the batch was taken")
			}
			bitEqual(t, "weight", e.Weights(), weights)
		})
	}
	// What was refused has left nothing behind.
	likeReference(t, h, e, step(t, e, good), weights, good)
}

func badConfigsAreRefused(t *testing.T, s suite) {
	h := model.Default(104)
	good := model.Config{Hyperparameters: h, BatchSize: 8, Threads: 1, Impl: s.impl, Weights: h.InitialWeights(1)}
	for name, spoil := range map[string]func(*model.Config){
		"batch size 0":    func(c *model.Config) { c.BatchSize = 0 },
		"threads 0":       func(c *model.Config) { c.Threads = 0 },
		"no kernel":       func(c *model.Config) { c.Impl = nil },
		"weights missing": func(c *model.Config) { c.Weights = c.Weights[1:] },
		"window short":    func(c *model.Config) { c.Window = 11 },
		"filters 0":       func(c *model.Config) { c.Filters = 0 },
		"one class":       func(c *model.Config) { c.Hyperparameters.Classes = 1 },
	} {
		t.Run(name, func(t *testing.T) {
			c := good
			spoil(&c)
			if e, err := s.build(c); err == nil {
				e.Close()
				t.Error("the execution was made")
			}
		})
	}
}
