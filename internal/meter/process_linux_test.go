package meter

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// childTask names, in the environment, what this test binary does instead of testing when it is started as a child.
const childTask = "METER_TEST_CHILD"

var childTasks = map[string]func() (int64, bool){
	"peak": PeakRSS,
	"address space": func() (int64, bool) {
		// Fails only what is mapped later, of which there is little.
		if unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: 1 << 50, Max: 1 << 50}) != nil {
			return 0, false
		}
		limit, limited := addressSpaceLimit()
		return int64(limit), limited
	},
}

func TestMain(m *testing.M) {
	if task, ok := childTasks[os.Getenv(childTask)]; ok {
		answer, known := task()
		fmt.Println(answer, known)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child starts this binary again for the task.
func child(t *testing.T, task string) (answer int64, usage *syscall.Rusage) {
	t.Helper()
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), childTask+"="+task)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	number, known, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	answer, err = strconv.ParseInt(number, 10, 64)
	if err != nil || known != "true" {
		t.Fatalf("the child answered %q", out)
	}
	return answer, cmd.ProcessState.SysUsage().(*syscall.Rusage)
}

func TestPeakRSSOfAChildDoesNotCarryItsParents(t *testing.T) {
	const held = 300 << 20
	memory, err := unix.Mmap(-1, 0, held, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(memory)
	for i := 0; i < held; i += 4096 {
		memory[i] = 1
	}
	if own, ok := PeakRSS(); !ok || own < held {
		t.Errorf("this process holds %d bytes, its peak reads %d %v", held, own, ok)
	}
	peak, usage := child(t, "peak")
	t.Logf("the child's peak is %d bytes; its ru_maxrss says %d", peak, usage.Maxrss<<10)
	if peak < 1<<20 || peak > held/3 {
		t.Errorf("a small child of a parent with %d bytes reports %d", held, peak)
	}
}

func TestAddressSpaceLimitIsTheProcesses(t *testing.T) {
	if got, _ := child(t, "address space"); got != 1<<50 {
		t.Errorf("got %d, want %d", got, 1<<50)
	}
}
