//go:build linux || darwin

package standalone

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// supported says whether this system can keep processes from outliving this one.
const supported = true

// A process is a child in its own process group, so that a terminal's ctrl-C reaches only this program, which then
// stops the child gracefully.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the child has ended and was reaped
	err  error         // how it ended; to be read after done
}

// startProcess starts cmd so that it ends with this program, however that ends. Two mechanisms ensure this: on Linux
// the kernel, and everywhere a watchdog that runs the command orphaned(pid).
func startProcess(cmd *exec.Cmd, pdeathsig bool, orphaned func(pid int) []string) (*process, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if pdeathsig {
		setPdeathsig(cmd.SysProcAttr)
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// To the kernel the parent is a thread, not a process: the child is killed when the thread that started it ends. So
		// this thread must stay.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := cmd.Start(); err != nil {
			started <- err
			return
		}
		dog, err := startWatchdog(orphaned(cmd.Process.Pid))
		if err != nil {
			cmd.Process.Kill()
			cmd.Wait()
			started <- err
			return
		}
		started <- nil
		p.err = cmd.Wait()
		dog.dismiss()
		close(p.done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return p, nil
}

// killGroup returns the command that kills a child's process group.
func killGroup(pid int) []string {
	return []string{"kill", "-s", "KILL", "--", "-" + strconv.Itoa(pid)}
}

// alive reports whether the child still runs.
func (p *process) alive() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// terminate asks the child to end.
func (p *process) terminate() error { return ignoreEnded(p.cmd.Process.Signal(syscall.SIGTERM)) }

// freeze stops the child with SIGSTOP: its connections stay open, and nobody answers on them.
func (p *process) freeze() error { return p.cmd.Process.Signal(syscall.SIGSTOP) }

// thaw lets the child go on.
func (p *process) thaw() error { return ignoreEnded(p.cmd.Process.Signal(syscall.SIGCONT)) }

// kill ends the child with SIGKILL and waits until it has ended.
func (p *process) kill() error {
	if err := ignoreEnded(p.cmd.Process.Kill()); err != nil {
		return fmt.Errorf("kill process %d: %w", p.cmd.Process.Pid, err)
	}
	<-p.done
	return nil
}

// wait waits until the child ends, limit has passed, or ctx ends. It reports whether the child has ended.
func (p *process) wait(ctx context.Context, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-p.done:
		return true
	case <-ctx.Done():
		return !p.alive()
	}
}

// runTool runs a helper program. If ctx ends first, it kills the program's whole process group.
func runTool(ctx context.Context, cmd *exec.Cmd) error {
	p, err := startProcess(cmd, true, killGroup)
	if err != nil {
		return err
	}
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		// The group exists until its leader is reaped.
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return errors.Join(ctx.Err(), err)
		}
		<-p.done
		return ctx.Err()
	}
}

// describeEnd describes how the child ended, for error messages.
func (p *process) describeEnd() string {
	if p.err == nil {
		return "ended by itself"
	}
	return "ended by itself: " + p.err.Error()
}
