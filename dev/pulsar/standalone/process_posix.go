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

// supported says whether processes can be kept from outliving this one here.
const supported = true

// A process is a child in a process group of its own, so that a terminal's
// ctrl-C reaches only the program in front, which then stops it in order.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when the child has ended and was reaped
	err  error         // how it ended; to be read after done
}

// startProcess starts cmd such that it ends when this program does, however
// that happens. Two things see to it: on Linux the kernel, and everywhere a
// watchdog that then runs the command orphaned(pid).
func startProcess(cmd *exec.Cmd, pdeathsig bool, orphaned func(pid int) []string) (*process, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if pdeathsig {
		setPdeathsig(cmd.SysProcAttr)
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// The kernel's parent is a thread, not a process: the child would be
		// killed when the thread that started it ended, so this one stays.
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

// killGroup is the command that ends a child's process group.
func killGroup(pid int) []string {
	return []string{"kill", "-s", "KILL", "--", "-" + strconv.Itoa(pid)}
}

// alive reports whether the child has not ended yet.
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

// kill ends the child with SIGKILL and waits until it has ended.
func (p *process) kill() error {
	if err := ignoreEnded(p.cmd.Process.Kill()); err != nil {
		return fmt.Errorf("kill process %d: %w", p.cmd.Process.Pid, err)
	}
	<-p.done
	return nil
}

// wait waits for the child's end, no longer than limit and ctx allow, and
// reports whether it came.
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

// runTool runs a helper program to its end, or kills its whole group when ctx
// ends first.
func runTool(ctx context.Context, cmd *exec.Cmd) error {
	p, err := startProcess(cmd, true, killGroup)
	if err != nil {
		return err
	}
	select {
	case <-p.done:
		return p.err
	case <-ctx.Done():
		// The group is there as long as its leader was not reaped.
		if err := syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return errors.Join(ctx.Err(), err)
		}
		<-p.done
		return ctx.Err()
	}
}

// describeEnd says how the child ended, for an error's text.
func (p *process) describeEnd() string {
	if p.err == nil {
		return "ended by itself"
	}
	return "ended by itself: " + p.err.Error()
}
