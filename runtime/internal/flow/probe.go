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

// A probe says when all sources were asked last.
type probe struct {
	asked   time.Time // zero until they are open
	pending bool      // not all have answered yet
}

// An Answer is what is known of whether the broker answers.
type Answer struct {
	Connected bool
	Since     time.Time // since when that is so
	Err       error     // why not, if it said so
}

// answers has the broker asked if that was long enough ago. It returns the answers of the sources, and what they come
// to: all answer since the last of them does, or not all answer since the first of them is silent. The caller holds the
// lock.
func (f *Flow) answers(now time.Time) (each []Answer, all Answer) {
	p := &f.probe
	each = make([]Answer, len(f.sources))
	if p.asked.IsZero() || f.stopping {
		return each, Answer{}
	}
	if !p.pending && now.Sub(p.asked) >= probeEvery {
		p.pending, p.asked = true, now
		go f.ask()
	}
	all.Connected = true
	for i, s := range f.sources {
		a := s.answer
		if a.Connected && s.asked && now.Sub(p.asked) > probeLimit {
			a = Answer{Since: p.asked}
		}
		each[i] = a
		if a.Connected && all.Connected && a.Since.After(all.Since) ||
			!a.Connected && (all.Connected || a.Since.Before(all.Since)) {
			all = a
		}
	}
	return each, all
}

// ask asks the broker of each source something that it has to answer.
func (f *Flow) ask() {
	f.mu.Lock()
	sources, asked := f.sources, f.probe.asked
	for _, s := range sources {
		s.asked = true
	}
	f.mu.Unlock()
	var all sync.WaitGroup
	for _, s := range sources {
		all.Go(func() {
			err := f.protect(func() error { return lastMessage(s.consumer) })
			f.mu.Lock()
			defer f.unlock()
			s.asked = false
			switch {
			case err == nil && !s.answer.Connected:
				s.answer = Answer{Connected: true, Since: time.Now()}
			case err != nil && s.answer.Connected:
				s.answer = Answer{Since: asked, Err: err}
			case err != nil:
				s.answer.Err = err
			}
		})
	}
	all.Wait()
	f.mu.Lock()
	defer f.unlock()
	f.probe.pending = false
}

func lastMessage(c pulsar.Consumer) error {
	_, err := c.GetLastMessageIDs()
	return err
}
