//go:build linux || darwin

package standalone

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// helperVariable has the test binary act as a program that starts a process
// and waits to be killed.
const helperVariable = "BQ_TEST_HELPER"

// runHelper is that program. It prints the process id of what it started.
func runHelper() {
	kind := os.Getenv(helperVariable)
	if kind == "" {
		return
	}
	os.Unsetenv(helperVariable)
	var pid int
	switch kind {
	case "pdeathsig", "watchdog":
		// Its orphan would be killed by the watchdog in one case only.
		orphaned := killGroup
		if kind == "pdeathsig" {
			orphaned = func(int) []string { return []string{"true"} }
		}
		p, err := startProcess(exec.Command("sleep", "1000"), kind == "pdeathsig", orphaned)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		pid = p.cmd.Process.Pid
	case "broker", "broker without pdeathsig":
		b, err := Start(context.Background(), Options{Log: os.Stderr, noPdeathsig: kind != "broker"})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		pid = b.proc.cmd.Process.Pid
	}
	fmt.Println(pid)
	select {}
}

// startHelper runs the helper and returns it with the id of its child.
func startHelper(t *testing.T, kind string, env ...string) (helper *exec.Cmd, child int) {
	t.Helper()
	helper = exec.Command(os.Args[0])
	helper.Env = append(append(os.Environ(), helperVariable+"="+kind), env...)
	helper.Stderr = t.Output()
	out, err := helper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := helper.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		helper.Process.Kill()
		helper.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err = strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatalf("the helper failed: %s", line)
	}
	return helper, child
}

// running reports whether a process with the id exists and is no zombie.
func running(pid int) bool {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	state, err := exec.Command("ps", "-o", "stat=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return false
	}
	return !strings.HasPrefix(strings.TrimSpace(string(state)), "Z")
}

func TestAProcessEndsWhenItsParentIsKilled(t *testing.T) {
	for _, kind := range []string{"pdeathsig", "watchdog"} {
		t.Run(kind, func(t *testing.T) {
			if kind == "pdeathsig" && runtime.GOOS != "linux" {
				t.Skip("only Linux has it")
			}
			helper, child := startHelper(t, kind)
			if !running(child) {
				t.Fatal("the child is not running to begin with")
			}
			if err := helper.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			eventually(t, "the end of the child", func() bool { return !running(child) })
		})
	}
}

func TestAProcessOutlivesTheGoroutineThatStartedIt(t *testing.T) {
	started := make(chan *process)
	go func() {
		// The thread ends with this goroutine, as it is locked and not unlocked.
		runtime.LockOSThread()
		p, err := startProcess(exec.Command("sleep", "1000"), true, killGroup)
		if err != nil {
			t.Error(err)
		}
		started <- p
	}()
	p := <-started
	if p.wait(t.Context(), 200*time.Millisecond) {
		t.Fatalf("the process ended with the thread that asked for it: %v", p.err)
	}
	if err := p.kill(); err != nil {
		t.Fatal(err)
	}
}

func TestKillWaitsForTheEndAndDismissesTheWatchdog(t *testing.T) {
	marker := t.TempDir() + "/orphaned"
	p, err := startProcess(exec.Command("sleep", "1000"), true, func(int) []string { return []string{"touch", marker} })
	if err != nil {
		t.Fatal(err)
	}
	if !p.alive() {
		t.Fatal("not alive after the start")
	}
	pid := p.cmd.Process.Pid
	for range 2 { // the second finds it dead
		if err := p.kill(); err != nil {
			t.Fatal(err)
		}
	}
	if p.alive() || running(pid) {
		t.Error("alive after kill")
	}
	if err := p.terminate(); err != nil {
		t.Errorf("terminate after the end: %v", err)
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("the watchdog acted although the parent lives")
	}
}

func TestStartProcessSaysWhatFails(t *testing.T) {
	_, err := startProcess(exec.Command("/does/not/exist"), true, killGroup)
	mustContain(t, errorText(t, err), "/does/not/exist")
}

func TestRunToolKillsTheWholeGroup(t *testing.T) {
	dir := t.TempDir()
	script := `sleep 1000 & echo $! > "$1/pid.new"; mv "$1/pid.new" "$1/pid"; wait`
	ctx, cancel := context.WithCancel(testContext(t))
	ended := make(chan error, 1)
	go func() { ended <- runTool(ctx, exec.Command("/bin/sh", "-c", script, "sh", dir)) }()
	var grandchild int
	eventually(t, "the grandchild", func() bool {
		content, err := os.ReadFile(dir + "/pid")
		grandchild, _ = strconv.Atoi(strings.TrimSpace(string(content)))
		return err == nil
	})
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	eventually(t, "the end of the grandchild", func() bool { return !running(grandchild) })
}
