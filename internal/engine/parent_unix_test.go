//go:build unix

package engine

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"
)

// The grandchild inherits a pipe from the process in the middle. Its end tells that neither lives any more.
func TestKillingTheParentLeavesNoChild(t *testing.T) {
	for _, grandchild := range []string{"obedient-grandchild", "deaf-grandchild"} {
		t.Run(grandchild, func(t *testing.T) {
			beacon, inherited, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer beacon.Close()
			if err := beacon.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
			middle := exec.Command(os.Args[0])
			middle.Env = append(os.Environ(), childVariable+"=middle", grandchildVariable+"="+grandchild)
			middle.ExtraFiles = []*os.File{inherited}
			if err := middle.Start(); err != nil {
				t.Fatal(err)
			}
			inherited.Close()
			in := bufio.NewReader(beacon)
			if line, err := in.ReadString('\n'); line != "up\n" {
				t.Fatalf("the grandchild said %q, %v; want up", line, err)
			}
			if err := middle.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = middle.Wait()
			if rest, err := io.ReadAll(in); err != nil {
				t.Errorf("the grandchild outlives its parent: read %q, %v", rest, err)
			}
		})
	}
}
