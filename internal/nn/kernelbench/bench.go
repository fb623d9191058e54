package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"fitbench/internal/meter"
	"fitbench/internal/nn/kernel"
)

// batchSizes are measured one by one.
func batchSizes() []int { return []int{64, 512} }

// run measures everything and prints it.
func run(ctx context.Context, o options, out io.Writer) (failure error) {
	others := meter.WatchOthers()
	b := &bench{burst: o.burst, cores: firstCores(), impls: kernel.Available()}
	defer func() {
		failure = errors.Join(failure, b.close())
		if ctx.Err() != nil { // what else failed did so because the yardsticks were killed
			failure = fmt.Errorf("interrupted: %w", ctx.Err())
		}
	}()
	if err := b.cores.confine(); err != nil {
		return err
	}
	// The yardsticks end with this context, so that one that hangs holds nothing up once the run is interrupted.
	if err := b.startYardsticks(ctx, o.yardstick); err != nil {
		return err
	}
	samples, err := newSamples(ctx, o.samples)
	if err != nil {
		return err
	}
	for _, size := range batchSizes() {
		if err := b.enter(samples, size); err != nil {
			return err
		}
	}
	result := report{bench: b}
	if result.readings, result.rounds, err = rounds(ctx, o.duration, b.contestants); err != nil {
		return err
	}
	// Only children that have ended are known to be no others.
	if err := b.close(); err != nil {
		return err
	}
	result.others = others.Read()
	_, err = io.WriteString(out, result.text())
	return err
}

// bench is what is measured, and on what.
type bench struct {
	burst       time.Duration
	cores       cores
	impls       []*kernel.Impl
	yardsticks  []*yardstick // none, or one a core
	steppers    []*stepper
	contestants []contestant
}

// hasTwoCores tells whether two threads can be measured; where the system pins none, that is taken for granted.
func (b *bench) hasTwoCores() bool { return len(b.cores) != 1 }

func (b *bench) startYardsticks(ctx context.Context, program string) error {
	if program == "" {
		return nil
	}
	for i := range maxCores {
		var on cores
		if len(b.cores) > 0 {
			on = b.cores[i%len(b.cores):][:1]
		}
		y, err := startYardstick(ctx, program, on)
		if err != nil {
			return err
		}
		b.yardsticks = append(b.yardsticks, y)
	}
	return nil
}

// close ends what was started. It may be called more than once.
func (b *bench) close() error {
	var failures []error
	for _, s := range b.steppers {
		s.model.Close()
	}
	for _, y := range b.yardsticks {
		failures = append(failures, y.end())
	}
	return errors.Join(failures...)
}

// enter adds the contestants of one batch size, those to be compared next to each other.
func (b *bench) enter(s *samples, size int) error {
	if err := b.enterYardsticks(size); err != nil {
		return err
	}
	for i, impl := range b.impls {
		if err := b.enterWhole(s, impl, size); err != nil {
			return err
		}
		if i == 0 && b.hasTwoCores() {
			if err := b.enterTwoThreads(s, impl, size); err != nil {
				return err
			}
			if err := b.enterTwoModels(s, impl, size); err != nil {
				return err
			}
		}
	}
	for _, impl := range b.impls {
		if impl.Lanes == nil {
			continue
		}
		if err := b.enterParts(s, impl, size); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) add(size int, who string, measure func() ([]float64, error), what ...string) {
	c := contestant{measure: measure}
	for _, w := range what {
		c.figures = append(c.figures, figure{size, who, w})
	}
	b.contestants = append(b.contestants, c)
}

func (b *bench) enterYardsticks(size int) error {
	if len(b.yardsticks) == 0 {
		return nil
	}
	alone := b.yardsticks[0]
	steps, err := alone.stepsIn(b.burst, size)
	if err != nil {
		return err
	}
	names := partNames()
	b.add(size, theYardstick, func() ([]float64, error) { return alone.measure(wholeStep, size, steps, 1) }, inOneThread)
	if b.hasTwoCores() {
		b.add(size, theYardstick, func() ([]float64, error) { return together(b.yardsticks, size, steps) }, inTwo)
	}
	b.add(size, theYardstick, func() ([]float64, error) { return alone.measure(stepParts, size, steps, partCount) }, names[:]...)
	return nil
}

// together is what yardsticks at work at once take for a sample between them.
func together(yardsticks []*yardstick, size, steps int) ([]float64, error) {
	for _, y := range yardsticks {
		if err := y.ask(wholeStep, size, steps); err != nil {
			return nil, err
		}
	}
	var each []float64
	for _, y := range yardsticks {
		ns, err := y.answer(1)
		if err != nil {
			return nil, err
		}
		each = append(each, ns...)
	}
	return []float64{atOnce(each)}, nil
}

func (b *bench) stepper(s *samples, impl *kernel.Impl, size, threads int) (*stepper, error) {
	stepper, err := newStepper(s, impl, size, threads)
	if err == nil {
		b.steppers = append(b.steppers, stepper)
	}
	return stepper, err
}

func (b *bench) enterWhole(s *samples, impl *kernel.Impl, size int) error {
	stepper, err := b.stepper(s, impl, size, 1)
	if err != nil {
		return err
	}
	b.add(size, impl.Name, func() (values []float64, err error) {
		return values, b.cores.on(0, func() error {
			ns, err := stepper.whole(b.burst)
			values = []float64{ns}
			return err
		})
	}, inOneThread)
	return nil
}

func (b *bench) enterTwoThreads(s *samples, impl *kernel.Impl, size int) error {
	stepper, err := b.stepper(s, impl, size, maxCores)
	if err != nil {
		return err
	}
	b.add(size, impl.Name, func() ([]float64, error) {
		ns, err := stepper.whole(b.burst)
		return []float64{ns}, err
	}, inTwo)
	return nil
}

func (b *bench) enterTwoModels(s *samples, impl *kernel.Impl, size int) error {
	var two [maxCores]*stepper
	for i := range two {
		var err error
		if two[i], err = b.stepper(s, impl, size, 1); err != nil {
			return err
		}
	}
	b.add(size, impl.Name, func() ([]float64, error) {
		var (
			ns       [maxCores]float64
			failures [maxCores]error
			both     sync.WaitGroup
		)
		for i := range two {
			both.Go(func() {
				failures[i] = b.cores.on(i, func() (err error) {
					ns[i], err = two[i].whole(b.burst)
					return err
				})
			})
		}
		both.Wait()
		return []float64{atOnce(ns[:])}, errors.Join(failures[:]...)
	}, inTwoModels)
	return nil
}

// atOnce is what several that work at the same time take together for a sample.
func atOnce(each []float64) float64 {
	perNanosecond := 0.0
	for _, ns := range each {
		perNanosecond += 1 / ns
	}
	return 1 / perNanosecond
}

func (b *bench) enterParts(s *samples, impl *kernel.Impl, size int) error {
	clock, names := newPartClock(), partNames()
	stepper, err := b.stepper(s, clock.timed(impl), size, 1)
	if err != nil {
		return err
	}
	b.add(size, impl.Name, func() (values []float64, err error) {
		return values, b.cores.on(0, func() error {
			values, err = clock.partsOf(stepper, b.burst)
			return err
		})
	}, names[:]...)
	return nil
}
