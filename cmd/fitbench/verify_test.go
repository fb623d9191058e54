package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"fitbench/testdata"
)

// goldenCopy is the golden folder as files, to be spoilt.
func goldenCopy(t *testing.T) string {
	t.Helper()
	golden, err := fs.Sub(testdata.Golden(), embeddedGolden)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "golden")
	if err := os.CopyFS(dir, golden); err != nil {
		t.Fatal(err)
	}
	return dir
}

// spoilt is a golden folder one of whose files was changed.
func spoilt(t *testing.T, name string, change func([]byte) []byte) string {
	t.Helper()
	dir := goldenCopy(t)
	path := filepath.Join(dir, name)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, change(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestAFolderThatCannotBeUsedIsToldByItsFile(t *testing.T) {
	empty := t.TempDir()
	for _, c := range []struct {
		name, dir string
		says      []string
	}{
		{"corrupt", spoilt(t, "order.npy", func([]byte) []byte { return []byte("not an array") }), []string{"order.npy", "no .npy file"}},
		{"cut", spoilt(t, "weights_init.npy", func(b []byte) []byte { return b[:len(b)-4] }), []string{"weights_init.npy", "bytes"}},
		{"foreign", spoilt(t, "steps.json", func([]byte) []byte { return []byte(`{"name": "another program"}`) }), []string{"steps.json"}},
		{"empty", empty, []string{"series.json"}},
	} {
		code, stdout, stderr := fitbench("verify", c.dir)
		if code != exitFailed || stdout != "" {
			t.Errorf("%s: exit code %d, standard output %q", c.name, code, stdout)
		}
		wantContains(t, c.name, stderr, c.says...)
	}
}

// notUnderRace leaves out what trains all the golden steps: the verify package's own tests have fewer under the race detector.
func notUnderRace(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("400 steps of every execution take minutes under the race detector")
	}
}

func TestAValueThatDiffersFailsTheVerification(t *testing.T) {
	notUnderRace(t)
	wrong := spoilt(t, "probabilities0.npy", func(b []byte) []byte { b[len(b)-2] ^= 0x40; return b }) // a high bit of the mantissa
	code, stdout, _ := fitbench("verify", wrong)
	if code != exitFailed {
		t.Errorf("exit code %d, want %d", code, exitFailed)
	}
	wantContains(t, "standard output", stdout, "FAIL", "probabilities of the first batch")
}

func TestVerifyPassesByDefault(t *testing.T) {
	notUnderRace(t)
	code, stdout, stderr := fitbench("verify")
	if code != exitOK || stderr != "" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	wantContains(t, "standard output", stdout, "compiled", "eager", "all passed")
}

func TestWrongUsageOfVerify(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{file}, {file + "-missing"}, {"a", "b"}} {
		code, _, stderr := fitbench(append([]string{"verify"}, args...)...)
		if code != exitUsage {
			t.Errorf("%v: exit code %d, want %d", args, code, exitUsage)
		}
		wantContains(t, "standard error", stderr, args[0], "folder", "Usage:")
	}
}
