//go:build linux || darwin

package main

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestTheProgramEndsWithItsParent runs the program as "go run" does, as the child of a process that is then killed.
func TestTheProgramEndsWithItsParent(t *testing.T) {
	_, tools, _ := newSession(t, "java", "mvn")
	script := `"$0" run & echo $!; wait`
	parent := exec.Command("/bin/sh", "-c", script, os.Args[0])
	parent.Env = append(os.Environ(), "BQ_TEST_AS_PROGRAM=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	defer parent.Process.Kill()
	lines := bufio.NewScanner(out)
	var pid int
	for lines.Scan() {
		if pid == 0 {
			if pid, err = strconv.Atoi(lines.Text()); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Contains(lines.Text(), "ctrl-C stops it") {
			break
		}
	}
	if len(tools.Calls(t, "java")) != 2 {
		t.Fatalf("the broker was not started: %v", lines.Err())
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// Its output ends with the last process that holds it.
	for lines.Scan() {
	}
	parent.Wait()
	eventually(t, "the end of the program", func() bool {
		return syscall.Kill(pid, 0) != nil || zombie(pid)
	})
}

// zombie reports whether the process has ended and was not reaped, as happens
// below an init that does not see to its orphans.
func zombie(pid int) bool {
	state, err := exec.Command("/bin/ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}
