package crash

import (
	"bufio"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A fleet is the set of consumer processes of a queue. A process that is killed is replaced; none may exit by itself.
type fleet struct {
	job    job
	ledger *ledger
	logs   string // folder

	mu      sync.Mutex
	running []*member
	started int
	ended   bool
}

// A member is a process of a fleet.
type member struct {
	*process
	killed atomic.Bool
	done   chan struct{} // closed when it has ended, all that it reported is entered, and it is replaced
}

// start adds a process. The caller must hold the lock.
func (f *fleet) start() error {
	p, err := spawn(f.job, f.logs)
	if err != nil {
		return err
	}
	m := &member{process: p, done: make(chan struct{})}
	f.started++
	f.running = append(f.running, m)
	go f.watch(m)
	return nil
}

// watch records the reports of a process and replaces the process when it ends.
func (f *fleet) watch(m *member) {
	defer close(m.done)
	defer m.reports.Close()
	for lines := bufio.NewScanner(m.reports); lines.Scan(); {
		f.ledger.report(lines.Text(), m)
	}
	_ = m.cmd.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	switch code := m.cmd.ProcessState.ExitCode(); {
	case m.killed.Load(), f.ended && code == exitOK:
	default:
		f.ended = true // the next one would do the same
		f.ledger.complain(fmt.Errorf("consumer process %d ended by itself: %v", m.cmd.Process.Pid, m.cmd.ProcessState))
	}
	f.running = slices.DeleteFunc(f.running, func(other *member) bool { return other == m })
	if !f.ended {
		if err := f.start(); err != nil {
			f.ledger.complain(err)
		}
	}
}

// kill kills one of the running processes, chosen by number, and waits until it is replaced.
func (f *fleet) kill(i int) error {
	f.mu.Lock()
	if len(f.running) == 0 {
		f.mu.Unlock()
		return errors.New("no consumer runs")
	}
	m := f.running[i%len(f.running)]
	m.killed.Store(true)
	err := m.cmd.Process.Kill()
	f.mu.Unlock()
	if err != nil {
		return err
	}
	<-m.done
	return nil
}

// dump makes all processes print their goroutines and exit.
func (f *fleet) dump() {
	for _, m := range f.end() {
		_ = m.cmd.Process.Signal(syscall.SIGQUIT)
	}
}

// stop shuts all processes down gracefully and waits for them.
func (f *fleet) stop() {
	for _, m := range f.end() {
		m.stdin.Close()
		select {
		case <-m.done:
		case <-time.After(patience):
			f.ledger.complain(fmt.Errorf("consumer process %d did not end when it was told to", m.cmd.Process.Pid))
		}
	}
	f.abandon()
}

// abandon kills the processes that still run.
func (f *fleet) abandon() {
	for _, m := range f.end() {
		_ = m.cmd.Process.Kill()
		<-m.done
	}
}

// end stops replacing processes and returns those that run.
func (f *fleet) end() []*member {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	return slices.Clone(f.running)
}
