package standalone

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// stopGrace is how long a broker may take to shut down before it is killed.
const stopGrace = 15 * time.Second

// errStopped reports a method call after Stop.
var errStopped = errors.New("the broker was stopped")

// A Broker is a running Apache Pulsar. Its methods are safe for concurrent use.
type Broker struct {
	options  Options
	launcher *javaLauncher
	site     *site

	mu      sync.Mutex
	proc    *process
	killed  bool // ended by Kill rather than by itself
	keepLog bool
	stopped bool
}

// ServiceURL returns the address for Pulsar clients, such as pulsar://127.0.0.1:6650. [Broker.Restart] does not change
// it.
func (b *Broker) ServiceURL() string { return b.site.serviceURL() }

// AdminURL returns the address of the admin endpoint, such as http://127.0.0.1:8080. [Broker.Restart] does not change
// it.
func (b *Broker) AdminURL() string { return b.site.adminURL() }

// Dir returns the folder with the broker's configuration and data.
func (b *Broker) Dir() string { return b.site.dir }

// LogPath returns the file with the broker's log.
func (b *Broker) LogPath() string { return b.site.logPath() }

// Ended returns a channel that is closed when the broker's process ends, whether it was stopped or ended by itself.
// After [Broker.Restart] there is a new channel.
func (b *Broker) Ended() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.proc.done
}

// KeepLog makes [Broker.Stop] keep the folder with the log, but not the data.
func (b *Broker) KeepLog() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keepLog = true
}

// Stop stops the broker and removes its temporary folder. It returns when no process is left.
//
// A broker whose data is discarded is killed at once. One whose folder is kept (Dir or Keep of [Options]) closes its
// topics first; it is killed if that takes longer than 15 seconds or ctx ends.
//
// If the broker had ended by itself, Stop returns an error with the end of its log, and keeps the log. A second Stop
// does nothing.
func (b *Broker) Stop(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return nil
	}
	var failure error
	crashed := !b.proc.alive() && !b.killed
	if crashed {
		failure = b.failed("stop pulsar", errors.New("it had "+b.proc.describeEnd()))
	}
	if err := b.end(ctx); err != nil {
		return errors.Join(failure, fmt.Errorf("stop pulsar: %w", err))
	}
	b.stopped = true
	if err := b.clearUp(crashed); err != nil {
		failure = errors.Join(failure, fmt.Errorf("stop pulsar: %w", err))
	}
	return failure
}

// clearUp removes what an ended broker leaves behind, except what must be kept.
func (b *Broker) clearUp(crashed bool) error {
	defer b.site.release()
	switch {
	case b.options.Keep:
		return nil
	case crashed || b.keepLog:
		return b.site.removeData()
	default:
		return b.site.remove()
	}
}

// Kill ends the broker's process with SIGKILL, like a crash. The data and the ports remain for [Broker.Restart].
// [Broker.Stop] must still be called at the end.
func (b *Broker) Kill() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return fmt.Errorf("kill pulsar: %w", errStopped)
	}
	if !b.proc.alive() {
		return nil
	}
	b.killed = true
	if err := b.proc.kill(); err != nil {
		return fmt.Errorf("kill pulsar: %w", err)
	}
	return nil
}

// Freeze stops the broker's process with SIGSTOP, as if its machine hung: connections stay open and nobody answers.
// [Broker.Thaw] lets it go on, which must happen before [Broker.Stop].
func (b *Broker) Freeze() error { return b.signal("freeze", (*process).freeze) }

// Thaw ends what [Broker.Freeze] began.
func (b *Broker) Thaw() error { return b.signal("thaw", (*process).thaw) }

func (b *Broker) signal(what string, send func(*process) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return fmt.Errorf("%s pulsar: %w", what, errStopped)
	}
	if err := send(b.proc); err != nil {
		return fmt.Errorf("%s pulsar: %w", what, err)
	}
	return nil
}

// Restart runs the broker again on the same data and ports, and returns when it is ready. If the broker still runs,
// Restart first shuts it down, as Stop does when the data is kept. ctx bounds both.
func (b *Broker) Restart(ctx context.Context) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stopped {
		return fmt.Errorf("restart pulsar: %w", errStopped)
	}
	if err := b.endInOrder(ctx); err != nil {
		return fmt.Errorf("restart pulsar: %w", err)
	}
	b.killed = true // should the launch fail, Stop has no crash to report
	if err := b.awaitPorts(ctx); err != nil {
		return fmt.Errorf("restart pulsar: %w", err)
	}
	if err := b.launch(ctx, "restart pulsar", true); err != nil {
		return err
	}
	b.killed = false
	return nil
}

// awaitPorts waits until the ports are free again: the process that listened on them has ended, but the system may
// take a moment.
func (b *Broker) awaitPorts(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for _, port := range []int{b.site.ports.broker, b.site.ports.http} {
		for !PortFree(port) {
			if err := sleep(ctx, readyPoll); err != nil {
				return fmt.Errorf("port %d was taken by another program: %w", port, err)
			}
		}
	}
	return nil
}

// end ends the process: gracefully if the data is kept, at once otherwise.
func (b *Broker) end(ctx context.Context) error {
	if !b.proc.alive() {
		return nil
	}
	if b.site.temp && !b.options.Keep {
		return b.proc.kill()
	}
	return b.endInOrder(ctx)
}

// endInOrder makes the broker close its topics, then ends the process.
func (b *Broker) endInOrder(ctx context.Context) error {
	if !b.proc.alive() {
		return nil
	}
	orderly, cancel := context.WithTimeout(ctx, stopGrace)
	defer cancel()
	// The topics must be closed first: on a signal the storage node shuts down at the same time as the broker, which then
	// cannot write its cursors. If this fails, the broker is ended anyway.
	a := newAdmin(b.site.adminURL())
	a.token = b.options.AdminToken
	if err := a.shutDown(orderly); err != nil {
		b.options.logf("closing the topics in order failed: %v", err)
	}
	if orderly.Err() == nil {
		if err := b.proc.terminate(); err != nil {
			b.options.logf("asking the broker to end failed: %v", err)
		}
		if b.proc.wait(orderly, stopGrace) {
			return nil
		}
	}
	return b.proc.kill()
}
