//go:build linux || darwin

package standalone

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// A watchdog is a small shell that reads a pipe whose other end only this program holds. When this program ends, even
// by SIGKILL, the pipe is closed and the shell runs its command.
type watchdog struct {
	cmd  *exec.Cmd
	pipe io.Closer
}

// watchdogScript waits for the end of its input, then runs its arguments. It does not replace the shell by them,
// because kill is built into the shell.
const watchdogScript = `while read -r line; do :; done; "$@" >/dev/null 2>&1`

func startWatchdog(command []string) (*watchdog, error) {
	args := append([]string{"-c", watchdogScript, "pulsar-watchdog"}, command...)
	cmd := exec.Command("/bin/sh", args...)
	// In its own session, so that neither a terminal nor a signal to a process group ends it early.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the watchdog: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the watchdog: %w", err)
	}
	return &watchdog{cmd: cmd, pipe: pipe}, nil
}

// dismiss ends the watchdog without running its command.
func (w *watchdog) dismiss() {
	w.cmd.Process.Kill() // before the pipe closes, or it would bite
	w.cmd.Wait()
	w.pipe.Close()
}
