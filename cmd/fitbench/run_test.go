package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fitbench/internal/nn/kernel"
	"fitbench/internal/record"
)

func decode(t *testing.T, text string) record.Record {
	t.Helper()
	var rec record.Record
	if err := json.Unmarshal([]byte(text), &rec); err != nil {
		t.Fatalf("not a record: %v\n%s", err, text)
	}
	return rec
}

func readRecord(t *testing.T, path string) record.Record {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, string(text))
}

func TestEveryModeAndExecutionTrainsTheSameSamples(t *testing.T) {
	code, stdout, stderr := fitbench(small("--modes", "fit,generator,train-on-batch,fit-windows", "-o", "json")...)
	if code != exitOK || stderr != "" {
		t.Fatalf("exit code %d, standard error %q", code, stderr)
	}
	rec := decode(t, stdout)
	if len(rec.Runs) != 8 {
		t.Fatalf("%d runs, want 4 modes x 2 executions", len(rec.Runs))
	}
	weights := map[string]string{}
	for _, r := range rec.Runs {
		if r.OrderDigest != rec.Runs[0].OrderDigest {
			t.Errorf("%v trained another order", r.Cell())
		}
		if first, ok := weights[r.Execution]; ok && first != r.WeightsDigest {
			t.Errorf("%v ended with other weights than the rest of %s", r.Cell(), r.Execution)
		}
		weights[r.Execution] = r.WeightsDigest
		if r.Steps != 20 || r.SamplesTrained != 160 || r.StepMilliseconds == nil || r.CPUPercent == nil || r.Loss == nil {
			t.Errorf("%v lacks figures: %+v", r.Cell(), r)
		}
	}
}

func TestTheTableNamesEveryModeAndWhatItIsNot(t *testing.T) {
	code, stdout, _ := fitbench(small()...)
	if code != exitOK {
		t.Errorf("exit code %d", code)
	}
	wantContains(t, "the table", stdout, "fit", "generator", "train-on-batch", "fit-windows", "not your Keras", "compiled step", "eager step")
	for _, line := range strings.Split(stdout, "\n") {
		if len(line) > 110 {
			t.Errorf("a line of %d columns: %s", len(line), line)
		}
	}
}

func TestQuietPrintsTheTableWithoutWords(t *testing.T) {
	_, loud, _ := fitbench(small()...)
	code, quiet, stderr := fitbench(small("--quiet")...)
	if code != exitOK || stderr != "" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	wantContains(t, "the output", loud, "Noise")
	if strings.Contains(quiet, "Noise") || !strings.Contains(quiet, "ms/step") {
		t.Errorf("--quiet printed:\n%s", quiet)
	}
}

func TestEpochsTrainWholeEpochsOnce(t *testing.T) {
	code, stdout, stderr := fitbench("run", "--samples", "700", "--batch-size", "32", "--epochs", "2", "--modes", "fit-windows@compiled", "-o", "json")
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	rec := decode(t, stdout)
	if len(rec.Runs) != 1 || rec.Runs[0].Steps != 42 || len(rec.Runs[0].Epochs) != 2 {
		t.Errorf("want one run of 2 epochs of floor(700/32) = 21 steps, got %+v", rec.Runs)
	}
}

func TestTheOutputFileHoldsTheRecordWhateverIsPrinted(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "result.json")
	code, stdout, _ := fitbench(small("--output-file", path, "--modes", "fit,fit-windows")...)
	if code != exitOK {
		t.Errorf("exit code %d", code)
	}
	if rec := readRecord(t, path); len(rec.Runs) != 4 || rec.SchemaVersion != record.SchemaVersion {
		t.Errorf("the file holds %d runs, schema version %d", len(rec.Runs), rec.SchemaVersion)
	}
	wantContains(t, "the table", stdout, "ms/step")
	if files, err := os.ReadDir(dir); err != nil || len(files) != 1 {
		t.Errorf("the folder holds %v, %v; want the record alone", files, err)
	}
}

func TestAFullDeviceIsAnErrorAndTheResultsAreStillShown(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full here")
	}
	code, stdout, stderr := fitbench(small("--output-file", "/dev/full", "--modes", "fit-windows@compiled")...)
	if code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	wantContains(t, "standard output", stdout, "ms/step")
	wantContains(t, "standard error", stderr, "/dev/full", "no space left")

	cmd := program(t, small("--modes", "fit-windows@compiled")...)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	var told bytes.Buffer
	cmd.Stdout, cmd.Stderr = full, &told
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != exitFailed {
		t.Errorf("standard output on a full device: %v, want exit code %d", err, exitFailed)
	}
	wantContains(t, "standard error", told.String(), "no space left")
}

func TestAClosedStandardOutputEndsSilentlyWithTheFileWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "result.json")
	cmd := program(t, small("--output-file", path)...)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	read.Close()
	var told bytes.Buffer
	cmd.Stdout, cmd.Stderr = write, &told
	err = cmd.Run()
	write.Close()
	if err != nil || told.Len() > 0 {
		t.Errorf("%v, standard error %q; want a silent end", err, told.String())
	}
	if rec := readRecord(t, path); len(rec.Runs) != 6 {
		t.Errorf("the file holds %d runs, want 6", len(rec.Runs))
	}
}

func TestCPUProfilesOfTheChildrenAreWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "profiles")
	code, _, stderr := fitbench(small("--modes", "fit-windows", "--cpuprofile", dir)...)
	if code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr)
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*.pprof")); err != nil || len(files) != 2 {
		t.Errorf("profiles %v, %v; want one a run", files, err)
	}
}

func TestThreadsDoNotChangeTheWeightsOfAnyKernel(t *testing.T) {
	for _, name := range kernel.Names() {
		digests := map[string]string{}
		for _, threads := range []string{"1", "2", "7"} {
			_, stdout, stderr := fitbench(small("--modes", "fit-windows,train-on-batch", "--batch-size", "127", "--steps", "3",
				"--kernel", name, "--threads", threads, "-o", "json")...)
			runs := decode(t, stdout).Runs
			if len(runs) != 4 {
				t.Fatalf("%s, %s threads: %d runs: %s", name, threads, len(runs), stderr)
			}
			for _, r := range runs {
				if r.Kernel != name {
					t.Errorf("%v ran %q, want %q", r.Cell(), r.Kernel, name)
				}
				if first, ok := digests[r.Execution]; ok && first != r.WeightsDigest {
					t.Errorf("%s, %s threads, %v: other weights than before", name, threads, r.Cell())
				}
				digests[r.Execution] = r.WeightsDigest
			}
		}
	}
}
