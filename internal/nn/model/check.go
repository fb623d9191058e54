package model

import (
	"errors"
	"fmt"
)

// Validate says what an execution cannot be made from.
func (c Config) Validate() error {
	if err := c.Hyperparameters.Validate(); err != nil {
		return err
	}
	if c.BatchSize < 1 {
		return fmt.Errorf("batch size is %d; at least 1 is needed", c.BatchSize)
	}
	if c.Threads < 1 {
		return fmt.Errorf("threads is %d; at least 1 is needed", c.Threads)
	}
	if c.Impl == nil {
		return errors.New("no kernel was chosen; see kernel.Select")
	}
	if want := c.Layout().Size; len(c.Weights) != want {
		return fmt.Errorf("%d initial weights; the network has %d parameters", len(c.Weights), want)
	}
	return nil
}

// CheckBatch says why a step cannot take the batch: a step must refuse it before it changes anything.
func (c Config) CheckBatch(b *Batch) error {
	n := b.Len()
	if n < 1 || n > c.BatchSize {
		return fmt.Errorf("batch of %d samples; 1 to %d are accepted", n, c.BatchSize)
	}
	if err := c.checkWindows(b); err != nil {
		return err
	}
	return c.checkLabels(b)
}

func (c Config) checkWindows(b *Batch) error {
	if (b.X32 == nil) == (b.X64 == nil) {
		return errors.New("a batch takes its values from one of X32 and X64; the other must be nil")
	}
	last := max(len(b.X32), len(b.X64)) - c.Window
	for s, start := range b.Starts {
		if start < 0 || start > last {
			return fmt.Errorf("sample %d starts at %d; windows of %d values may start at 0 to %d", s, start, c.Window, last)
		}
	}
	return nil
}

func (c Config) checkLabels(b *Batch) error {
	if (b.Classes == nil) == (b.OneHot == nil) {
		return errors.New("a batch is labelled by one of Classes and OneHot; the other must be nil")
	}
	if b.OneHot != nil {
		if want := b.Len() * c.Classes; len(b.OneHot) != want {
			return fmt.Errorf("one-hot labels have %d values; %d samples of %d classes need %d", len(b.OneHot), b.Len(), c.Classes, want)
		}
		return nil
	}
	if len(b.Classes) != b.Len() {
		return fmt.Errorf("%d classes for %d samples", len(b.Classes), b.Len())
	}
	for s, class := range b.Classes {
		if int(class) >= c.Classes {
			return fmt.Errorf("sample %d is of class %d; classes 0 to %d are accepted", s, class, c.Classes-1)
		}
	}
	return nil
}
