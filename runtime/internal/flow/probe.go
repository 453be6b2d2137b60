package flow

import (
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// This file owns whether the broker answers. The client hides that: it goes on waiting for messages on a connection
// that is dead. So the broker is asked something, but only when somebody wants to know.

const (
	probeEvery = 5 * time.Second // how often the broker is asked at most
	probeLimit = 4 * time.Second // what takes longer is no answer, which is known within 10 s
)

// A probe is what is known of whether the broker answers.
type probe struct {
	asked   time.Time // when it was asked last
	pending bool      // there is no answer yet
	silent  time.Time // since when there is none; zero: it answers
	since   time.Time // since when it answers
	err     error     // its last answer
}

// connected reports whether the broker answers, since when, and if not, why. It has the broker asked if that was long
// enough ago. The caller holds the lock.
func (f *Flow) connected(now time.Time) (ok bool, since time.Time, err error) {
	p := &f.probe
	if p.since.IsZero() || f.stopping {
		return false, p.silent, nil
	}
	if !p.pending && now.Sub(p.asked) >= probeEvery {
		p.pending, p.asked = true, now
		go f.ask()
	}
	switch {
	case !p.silent.IsZero():
		return false, p.silent, p.err
	case p.pending && now.Sub(p.asked) > probeLimit:
		return false, p.asked, nil
	}
	return true, p.since, nil
}

// ask asks the broker of each source something that it has to answer.
func (f *Flow) ask() {
	f.mu.Lock()
	sources, asked := f.sources, f.probe.asked
	f.mu.Unlock()
	errs := make([]error, len(sources))
	var all sync.WaitGroup
	for i, s := range sources {
		all.Go(func() {
			errs[i] = f.protect(func() error { return lastMessage(s.consumer) })
		})
	}
	all.Wait()
	f.mu.Lock()
	defer f.unlock()
	p := &f.probe
	p.pending, p.err = false, nil
	for _, err := range errs {
		if err != nil {
			p.err = err
		}
	}
	switch {
	case p.err != nil && p.silent.IsZero():
		p.silent = asked
	case p.err == nil && !p.silent.IsZero():
		p.silent, p.since = time.Time{}, time.Now()
	}
}

func lastMessage(c pulsar.Consumer) error {
	_, err := c.GetLastMessageIDs()
	return err
}
