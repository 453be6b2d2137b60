//go:build linux || darwin

package standalone

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// A watchdog is a tiny shell that reads a pipe whose other end only this
// program holds. When this program ends, even by SIGKILL, the pipe closes and
// the shell runs its command.
type watchdog struct {
	cmd  *exec.Cmd
	pipe io.Closer
}

// watchdogScript waits for the end of its input, then runs its arguments. The
// shell is kept on purpose: kill is among its built-in commands.
const watchdogScript = `while read -r line; do :; done; "$@" >/dev/null 2>&1`

func startWatchdog(command []string) (*watchdog, error) {
	args := append([]string{"-c", watchdogScript, "pulsar-watchdog"}, command...)
	cmd := exec.Command("/bin/sh", args...)
	// In a session of its own, so that no terminal and no signal to a group
	// ends it early.
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

// dismiss ends the watchdog without its command being run.
func (w *watchdog) dismiss() {
	w.cmd.Process.Kill() // before the pipe closes, or it would bite
	w.cmd.Wait()
	w.pipe.Close()
}
