package engine

import (
	"net"
	"os"
	"os/exec"
)

// leaveProcess starts one that holds this one's standard output, in a process group of its own, and returns its number.
func leaveProcess() int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"=holder")
	cmd.Stdout = os.Stdout
	inOwnGroup(cmd)
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd.Process.Pid
}

// leaveGroup starts two processes in this one's group, of which one holds this one's standard output; both hold a connection to the
// test, which so sees when they are gone.
func leaveGroup() {
	connection, err := net.Dial("tcp", os.Getenv(addressVariable))
	if err != nil {
		panic(err)
	}
	held, err := connection.(*net.TCPConn).File()
	if err != nil {
		panic(err)
	}
	for _, stdout := range []*os.File{os.Stdout, nil} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVariable+"=holder")
		cmd.ExtraFiles = []*os.File{held}
		if stdout != nil {
			cmd.Stdout = stdout
		}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
	}
}

// addressVariable is where the test listens.
const addressVariable = "FITBENCH_TEST_ADDRESS"
