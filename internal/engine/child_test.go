package engine

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"fitbench/internal/modes"
	"fitbench/internal/record"
)

// childVariable makes the test binary a child with the behaviour that it names.
const childVariable = "FITBENCH_TEST_CHILD"

func TestMain(m *testing.M) {
	if behaviour := os.Getenv(childVariable); behaviour != "" {
		os.Exit(beChild(behaviour))
	}
	goleak.VerifyTestMain(m)
}

// beChild is the child's main. Behaviours that are not trainings speak for themselves, without Worker.
func beChild(behaviour string) int {
	if train := training(behaviour); train != nil {
		return worker{train: train, grace: 100 * time.Millisecond, version: "1.2.3"}.serve(context.Background(), os.Stdin, os.Stdout, os.Stderr)
	}
	if twist, ok := twists()[behaviour]; ok {
		return twist.serve()
	}
	switch behaviour {
	case "middle":
		return beMiddle()
	case "interrupted-middle":
		return beInterruptedMiddle()
	case "deleted":
		return beDeleted()
	case "holder":
		hang()
	case "real":
		return Worker(context.Background(), os.Stdin, os.Stdout, os.Stderr)
	}
	const hello = `{"event":"hello","protocol":1}` + "\n"
	result := fmt.Sprintf(`{"event":"result","run":{"mode":"fit","execution":"compiled","round":2,"batch_size":8,"steps":40,"samples_trained":320}}%s`, "\n")
	switch behaviour {
	case "exit-3":
		fmt.Print(hello)
		fmt.Fprint(os.Stderr, "line 1\nline 2\nline 3\nline 4\nline 5\n\x1b[31mline 6\n\n")
		return 3
	case "no-result":
		fmt.Print(hello)
		return 0
	case "silent":
		return 0
	case "stuck":
		fmt.Print(hello, `{"event":"progress","step":3,"steps":40}`, "\n")
		hang()
	case "no-hello":
		fmt.Print(result)
	case "other-protocol":
		fmt.Print(`{"event":"hello","protocol":2}` + "\n")
	case "garbage":
		fmt.Print(hello, "step 1 of 2\n")
	case "unknown-event":
		fmt.Print(hello, `{"event":"lunch"}`, "\n")
	case "other-round":
		fmt.Print(hello, strings.Replace(result, `"round":2`, `"round":1`, 1))
	case "empty-result":
		fmt.Print(hello, `{"event":"result"}`, "\n")
	case "empty-epoch":
		fmt.Print(hello, `{"event":"epoch"}`, "\n")
	case "after-result":
		fmt.Print(hello, result, `{"event":"progress","step":1}`, "\n")
	case "exit-4-after-result":
		fmt.Print(hello, result)
		return 4
	case "long-line":
		fmt.Print(hello)
		repeat(strings.Repeat("x", 4096))
	case "flood":
		fmt.Print(hello)
		repeat(`{"event":"progress","step":1}` + "\n")
	case "hang-after-result":
		fmt.Print(hello, result)
		hang()
	case "leaves-a-process":
		pid := leaveProcess()
		fmt.Print(hello, strings.Replace(result, `"round":2`, fmt.Sprintf(`"round":2,"feed_bytes":%d`, pid), 1))
		return 0
	case "leaves-its-group":
		leaveGroup()
		fmt.Print(hello, result)
		return 0
	case "other-batch-size":
		fmt.Print(hello, strings.Replace(result, `"batch_size":8`, `"batch_size":16`, 1))
	case "fewer-steps":
		fmt.Print(hello, strings.Replace(result, `"steps":40`, `"steps":4`, 1))
	case "other-samples":
		fmt.Print(hello, strings.Replace(result, `"samples_trained":320`, `"samples_trained":40`, 1))
	case "negative-figure":
		fmt.Print(hello, strings.Replace(result, `"round":2`, `"round":2,"phases":{"train":-0.5}`, 1))
	case "infinite-figure":
		fmt.Print(hello, strings.Replace(result, `"round":2`, `"round":2,"wall_seconds":1e999`, 1))
	case "bad-digest":
		fmt.Print(hello, strings.Replace(result, `"round":2`, `"round":2,"order_digest":"abc"`, 1))
	case "step-back":
		fmt.Print(hello, `{"event":"progress","step":3}`, "\n", `{"event":"progress","step":2}`, "\n")
	case "step-beyond":
		fmt.Print(hello, `{"event":"progress","step":41}`, "\n")
	case "speechless":
		hang()
	case "terminal-noise":
		fmt.Print(strings.Replace(hello, `}`, `,"version":"\u001b[31mred 7"}`, 1),
			strings.Replace(result, `"round":2`, `"round":2,"kernel":"\u0007k","error":"\u001b[2Jgone\nnext"`, 1))
	case "unprepared":
		up()
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Print(hello, result)
		return 0
	case "error-flood":
		fmt.Print(hello, `{"event":"progress","step":3,"steps":40}`, "\n")
		for piece := strings.Repeat("x", 64<<10); ; {
			fmt.Fprint(os.Stderr, piece)
		}
	case "noise":
		for i := range 20000 {
			fmt.Fprintln(os.Stderr, "noise", i)
		}
		return 5
	}
	// Until the parent ends this child or closes its standard input.
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

func repeat(text string) {
	for {
		if _, err := fmt.Print(text); err != nil {
			hang()
		}
	}
}

// hang waits for a SIGKILL.
func hang() {
	time.Sleep(time.Hour)
}

// training returns the training that the behaviour names, nil if it names none.
func training(behaviour string) trainFunc {
	var after func(ctx context.Context, run *record.Run)
	switch behaviour {
	case "complete":
		after = func(_ context.Context, run *record.Run) { run.WeightsDigest = testDigest }
	case "failing":
		after = func(_ context.Context, run *record.Run) { run.Error = "no memory for the array" }
	case "obedient":
		after = func(ctx context.Context, run *record.Run) {
			<-ctx.Done()
			run.Error = "stopped"
		}
	case "deaf":
		after = func(context.Context, *record.Run) { hang() }
	case "killed":
		after = func(context.Context, *record.Run) { signalSelf(os.Kill); hang() }
	case "interrupted":
		after = func(_ context.Context, run *record.Run) { signalSelf(os.Interrupt) }
	case "terminated":
		after = func(ctx context.Context, run *record.Run) {
			signalSelf(syscall.SIGTERM)
			<-ctx.Done()
			run.Error = "stopped"
		}
	case "panicking":
		after = func(context.Context, *record.Run) {
			go panic("the queue is broken")
			hang()
		}
	case "obedient-grandchild", "deaf-grandchild":
		after = func(ctx context.Context, run *record.Run) {
			beacon := up()
			if behaviour == "deaf-grandchild" {
				hang()
			}
			<-ctx.Done()
			runtime.KeepAlive(beacon)
		}
	default:
		return nil
	}
	return func(ctx context.Context, job modes.Job, observe func(modes.Event)) record.Run {
		tellStory(job, observe)
		run := record.Run{
			Mode: job.Cell.Mode, Execution: job.Cell.Execution, Round: job.Round, BatchSize: job.Plan.BatchSize, Steps: 40, SamplesTrained: 320,
		}
		after(ctx, &run)
		return run
	}
}

// tellStory sends the events of a run up to step 7 of 40: an epoch of 5 steps and the beginning of another.
func tellStory(job modes.Job, observe func(modes.Event)) {
	steps := job.Plan.TotalSteps()
	for _, e := range []modes.Event{
		{Kind: modes.KindPhase, Phase: modes.PhaseGenerate, ElapsedSeconds: 0},
		{Kind: modes.KindPhase, Phase: modes.PhaseBuild, ElapsedSeconds: 1.25},
		{Kind: modes.KindPhase, Phase: modes.PhaseModel, ElapsedSeconds: 1.75},
		{Kind: modes.KindPhase, Phase: modes.PhaseShuffle, ElapsedSeconds: 2},
		{Kind: modes.KindPhase, Phase: modes.PhaseTrain, ElapsedSeconds: 2.5},
		{Kind: modes.KindProgress, Step: 1, ElapsedSeconds: 3, Loss: 0.75},
		{Kind: modes.KindEpoch, Step: 5, ElapsedSeconds: 4, Epoch: &record.Epoch{Steps: 5, WallSeconds: 1.5, Loss: 0.5, Accuracy: 0.875}},
		{Kind: modes.KindPhase, Phase: modes.PhaseShuffle, Step: 5, ElapsedSeconds: 4},
		{Kind: modes.KindPhase, Phase: modes.PhaseTrain, Step: 5, ElapsedSeconds: 4.25},
		{Kind: modes.KindProgress, Step: 7, ElapsedSeconds: 5, Loss: 0.25},
	} {
		e.Steps = steps
		observe(e)
	}
}

func signalSelf(signal os.Signal) {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Signal(signal)
	}
	if err != nil {
		panic(err)
	}
}

// up says on the beacon, a pipe to the test that the process in the middle passes on, that this process is there. The beacon is closed
// when it is there no more.
func up() *os.File {
	beacon := os.NewFile(3, "beacon")
	fmt.Fprintln(beacon, "up")
	return beacon
}

// testDigest is a digest as they look.
const testDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// beMiddle starts a grandchild with the behaviour in the environment, and waits for it.
func beMiddle() int {
	runGrandchild(context.Background())
	return 0
}

func runGrandchild(ctx context.Context) record.Run {
	os.Setenv(childVariable, os.Getenv(grandchildVariable))
	n, err := Parse("native", Options{})
	if err != nil {
		panic(err)
	}
	n.grace = time.Minute
	return n.Run(ctx, testJob(), nil)
}

// beInterruptedMiddle does what beMiddle does until an interrupt or SIGTERM, and prints the run's error.
func beInterruptedMiddle() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	fmt.Printf("%q\n", runGrandchild(ctx).Error)
	return 0
}

// beDeleted deletes its own program before it starts its child.
func beDeleted() int {
	if err := os.Remove(os.Args[0]); err != nil {
		panic(err)
	}
	run := runGrandchild(context.Background())
	fmt.Printf("%q %s\n", run.Error, run.WeightsDigest)
	return 0
}

const grandchildVariable = "FITBENCH_TEST_GRANDCHILD"

// testJob is round 2 of fit@compiled, 40 steps of batch 8, 5 steps an epoch.
func testJob() Job {
	cell := record.Cell{Mode: "fit", Execution: "compiled"}
	return Job{
		Plan: record.Plan{Samples: 40, Window: 12, BatchSize: 8, Steps: 40, Rounds: 3, Threads: 2, Cells: []record.Cell{cell}},
		Cell: cell, Round: 2,
	}
}
