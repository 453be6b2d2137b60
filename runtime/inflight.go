package bq

import (
	"fmt"
	"strings"
	"sync"

	"github.com/babelqueue/bqgen/internal/text"
)

// A StuckError names the messages whose handlers did not return in time when the consumer was stopped. They are not
// settled: Pulsar delivers them again.
type StuckError struct {
	Deliveries []Delivery
}

func (e *StuckError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d handlers did not return in time:", len(e.Deliveries))
	for i, d := range e.Deliveries {
		if i == 10 {
			fmt.Fprintf(&b, " and %d more", len(e.Deliveries)-i)
			break
		}
		fmt.Fprintf(&b, " %s (%s)", text.Shorten(d.URN, maxLogValue), text.Shorten(d.ID, maxLogValue))
	}
	return b.String()
}

// inFlight knows which deliveries are in a handler's hands and which are being settled.
type inFlight struct {
	settling sync.WaitGroup

	mu        sync.Mutex
	handling  map[*Delivery]struct{}
	abandoned bool
}

func newInFlight() *inFlight {
	return &inFlight{handling: make(map[*Delivery]struct{})}
}

func (f *inFlight) handle(d *Delivery) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.handling[d] = struct{}{}
}

// settle reports whether d may be settled now, in which case settling.Done is to be called. It may not after abandon,
// when the consumer is gone and the message belongs to somebody else.
func (f *inFlight) settle(d *Delivery) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.handling, d)
	if !f.abandoned {
		f.settling.Add(1)
	}
	return !f.abandoned
}

// forget ends the handling of d, if nothing else has.
func (f *inFlight) forget(d *Delivery) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.handling, d)
}

// abandon gives up on what is in a handler's hands and returns it.
func (f *inFlight) abandon() []Delivery {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.abandoned = true
	stuck := make([]Delivery, 0, len(f.handling))
	for d := range f.handling {
		stuck = append(stuck, *d)
	}
	return stuck
}
