package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// yardstick is a running process of the C program; it measures when asked.
type yardstick struct {
	requests io.Writer
	answers  *bufio.Scanner
	end      func() error // may be called more than once
}

// startYardstick starts the program on one of the cores, where there are any.
func startYardstick(ctx context.Context, program string, on cores) (*yardstick, error) {
	cmd := exec.CommandContext(ctx, program, "serve")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start the yardstick: %w", err)
	}
	y := &yardstick{requests: in, answers: bufio.NewScanner(out), end: sync.OnceValue(func() error {
		_ = in.Close() // the end of its requests ends it; whether that worked is what Wait tells
		return cmd.Wait()
	})}
	if err := y.begin(cmd.Process.Pid, on); err != nil {
		_ = cmd.Process.Kill()
		_ = y.end()
		return nil, err
	}
	return y, nil
}

func (y *yardstick) begin(process int, on cores) error {
	if len(on) > 0 {
		if err := setAffinity(process, on); err != nil {
			return fmt.Errorf("cannot pin the yardstick to cores %v: %w", on, err)
		}
	}
	if line, err := y.line(); err != nil || line != "ready" {
		return fmt.Errorf("the yardstick began with %q (%v); want \"ready\"", line, err)
	}
	return nil
}

// What a yardstick can be asked for.
const (
	wholeStep = "step"  // one figure
	stepParts = "parts" // len(partNames) figures
)

// ask requests a measurement of so many steps. The answer is fetched by answer.
func (y *yardstick) ask(what string, batch, steps int) error {
	_, err := fmt.Fprintln(y.requests, what, batch, steps)
	return err
}

// answer waits for the figures of what was asked for, in nanoseconds a sample.
func (y *yardstick) answer(figures int) ([]float64, error) {
	line, err := y.line()
	if err != nil {
		return nil, err
	}
	fields := strings.Fields(line)
	if len(fields) != figures {
		return nil, fmt.Errorf("the yardstick answered %q; want %d figures", line, figures)
	}
	values := make([]float64, figures)
	for i, field := range fields {
		if values[i], err = strconv.ParseFloat(field, 64); err != nil || !(values[i] >= 0) {
			return nil, fmt.Errorf("the yardstick answered %q; want nanoseconds from 0 on", line)
		}
	}
	return values, nil
}

// measure asks and waits.
func (y *yardstick) measure(what string, batch, steps, figures int) ([]float64, error) {
	if err := y.ask(what, batch, steps); err != nil {
		return nil, err
	}
	return y.answer(figures)
}

// stepsIn is how many steps take about as long as a burst.
func (y *yardstick) stepsIn(burst time.Duration, batch int) (int, error) {
	ns, err := y.measure(wholeStep, batch, 1, 1)
	if err != nil {
		return 0, err
	}
	return 1 + int(float64(burst)/max(ns[0]*float64(batch), 1)), nil
}

func (y *yardstick) line() (string, error) {
	if y.answers.Scan() {
		return y.answers.Text(), nil
	}
	if err := y.answers.Err(); err != nil {
		return "", fmt.Errorf("cannot read the yardstick: %w", err)
	}
	return "", fmt.Errorf("the yardstick ended: %w", io.ErrUnexpectedEOF)
}
