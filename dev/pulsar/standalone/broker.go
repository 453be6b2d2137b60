package standalone

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// stopGrace is how long a broker has to end in order before it is killed.
const stopGrace = 15 * time.Second

// errStopped says that a method was called on a broker after Stop.
var errStopped = errors.New("the broker was stopped")

// A Broker is a running Apache Pulsar. Its methods may be called from several
// goroutines at once.
type Broker struct {
	options  Options
	launcher launcher
	site     *site

	mu      sync.Mutex
	proc    *process
	killed  bool // ended by Kill rather than by itself
	keepLog bool
	stopped bool
}

// ServiceURL is the address for Pulsar clients, such as
// pulsar://127.0.0.1:6650. It stays the same over [Broker.Restart].
func (b *Broker) ServiceURL() string { return b.site.serviceURL() }

// AdminURL is the address of the admin endpoint, such as
// http://127.0.0.1:8080. It stays the same over [Broker.Restart].
func (b *Broker) AdminURL() string { return b.site.adminURL() }

// Dir is the folder with the broker's configuration and data.
func (b *Broker) Dir() string { return b.site.dir }

// LogPath is the file with the broker's own log.
func (b *Broker) LogPath() string { return b.site.logPath() }

// Ended returns a channel that is closed when the broker's process ends,
// whether it was stopped or ended by itself. Restart begins another.
func (b *Broker) Ended() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.proc.done
}

// KeepLog makes [Broker.Stop] leave the log, and the folder with it, though
// not the data.
func (b *Broker) KeepLog() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.keepLog = true
}

// Stop ends the broker and removes its temporary folder. It returns when no
// process is left.
//
// A broker whose data is thrown away is killed at once. One whose folder stays
// (Dir or Keep of [Options]) closes its topics in order; when that takes
// longer than 15 seconds, or ctx ends, it is killed too.
//
// A broker that had ended by itself is an error with the end of its log, which
// is kept. Stop after Stop does nothing.
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

// clearUp removes what is not to be kept of a broker that has ended.
func (b *Broker) clearUp(crashed bool) error {
	defer b.site.release()
	err := b.launcher.remove()
	switch {
	case b.options.Keep:
		return err
	case crashed || b.keepLog:
		return errors.Join(err, b.site.removeData())
	default:
		return errors.Join(err, b.site.remove())
	}
}

// Kill ends the broker's process with SIGKILL, as a crash would. The data and
// the ports remain for [Broker.Restart]; call [Broker.Stop] in the end.
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
	if err := b.launcher.kill(b.proc); err != nil {
		return fmt.Errorf("kill pulsar: %w", err)
	}
	return nil
}

// Restart runs the broker again on the same data and ports, and returns when
// it can be used. A broker that still runs is first stopped in order, as Stop
// does with one whose data is kept. ctx bounds both.
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

// awaitPorts waits a moment for the ports to be free again: what listened on
// them has ended, but a port mapping may take its time.
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

// end ends the process: in order when the data is kept, at once otherwise.
func (b *Broker) end(ctx context.Context) error {
	if !b.proc.alive() {
		return nil
	}
	if b.site.temp && !b.options.Keep {
		return b.launcher.kill(b.proc)
	}
	return b.endInOrder(ctx)
}

// endInOrder has the broker close its topics, then ends the process.
func (b *Broker) endInOrder(ctx context.Context) error {
	if !b.proc.alive() {
		return nil
	}
	orderly, cancel := context.WithTimeout(ctx, stopGrace)
	defer cancel()
	// Closing the topics first matters: on a signal the storage node shuts down
	// at the same time as the broker, which then cannot write its cursors. It is
	// an attempt; the kill below must follow whatever comes of it.
	if err := newAdmin(b.site.adminURL()).shutDown(orderly); err != nil {
		b.options.logf("closing the topics in order failed: %v", err)
	}
	if orderly.Err() == nil {
		if err := b.launcher.terminate(b.proc); err != nil {
			b.options.logf("asking the broker to end failed: %v", err)
		}
		if b.proc.wait(orderly, stopGrace) {
			return nil
		}
	}
	return b.launcher.kill(b.proc)
}
