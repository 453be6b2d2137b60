package flow

import (
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
)

// newTestFlow returns a flow without a source, whose mistakes are errors of the test.
func newTestFlow(t *testing.T, log *strings.Builder) *Flow {
	var to io.Writer = io.Discard
	if log != nil {
		to = log
	}
	return New(t.Context(), Config{
		Slots: 2, Limit: Limit{Messages: 10, Bytes: 1 << 20},
		Logger: slog.New(slog.NewTextHandler(to, nil)), SendTimeout: time.Minute,
	})
}

// newTestDelivery returns a registered delivery in a state.
func newTestDelivery(f *Flow, s state) *delivery {
	a := f.ackerOf("persistent://a/b/c", &source{shares: true})
	d := &delivery{
		acker: a, source: a.source, id: pulsar.NewMessageID(1, 2, 0, 0), key: key{1, 2, 0}, size: 3, state: s,
	}
	a.current = &request{at: time.Now()} // so that nothing is sent
	a.partition.put(d.key, nil, d)
	f.live.add(d)
	f.unsettled, f.bytes = 1, 3
	d.hands = s == running
	if d.hands {
		f.hands++
	}
	d.lane = &lane{busy: d}
	f.lanes[laneKey{}] = d.lane
	d.runs = 1
	return d
}

// TestEveryStateMeetsEveryEvent walks the table: each pair either moves the delivery as the table says, with the facts
// that follow from the new state, or is refused and changes nothing.
func TestEveryStateMeetsEveryEvent(t *testing.T) {
	possible := 0
	for s := range states {
		for e := range events {
			var log strings.Builder
			f := newTestFlow(t, &log)
			d := newTestDelivery(f, s)
			to := next[s][e]
			f.mu.Lock()
			ok := f.apply(d, e)
			f.mu.Unlock() // without the effects: there is no Pulsar
			if to == cannot {
				if ok || d.state != s || f.live.oldest != d || f.unsettled != 1 || d.reported {
					t.Errorf("%s, %s: cannot happen, yet it made the delivery %s", s, e, d.state)
				}
				if !strings.Contains(log.String(), "mistake") {
					t.Errorf("%s, %s: cannot happen, and is not logged", s, e)
				}
				continue
			}
			possible++
			if !ok || d.state != to || log.Len() > 0 {
				t.Errorf("%s, %s: became %s, want %s; logged %q", s, e, d.state, to, log.String())
			}
			left := f.unsettled == 0 && f.bytes == 0 && f.live.oldest == nil
			if leaves := facts[to].leaves && s != to; left != leaves {
				t.Errorf("%s, %s: the credit is free: %v, want %v", s, e, left, leaves)
			}
			if d.reported != facts[to].reports {
				t.Errorf("%s, %s: reported: %v, want %v", s, e, d.reported, facts[to].reports)
			}
			if free := d.lane == nil; free != (facts[to].settled && !d.hands) {
				t.Errorf("%s, %s: the lane is free: %v, but user code has it: %v", s, e, free, d.hands)
			}
		}
	}
	if possible != len(transitions) {
		t.Errorf("%d pairs can happen, the table has %d rows: a row is there twice", possible, len(transitions))
	}
}

func TestStatesAndEventsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for s := range states {
		seen[s.String()] = true
	}
	for e := range events {
		seen[e.String()] = true
	}
	if want := int(states) + int(events); len(seen) != want || seen[""] {
		t.Errorf("%d names for %d states and events", len(seen), want)
	}
}

// TestSettledStatesAreReportedOnce follows a delivery along each way through the table and counts its reports.
func TestSettledStatesAreReportedOnce(t *testing.T) {
	for _, way := range [][]event{
		{start, returned, acknowledge, unconfirmed, wake, unconfirmed, copied, confirmed},
		{start, returned, replace, refused, wake, replaced, confirmed},
		{start, returned, keepHere, giveBack},
		{start, graceOver, returned},
		{start, returned, tryInPlace, wake, start, returned, acknowledge, copied, confirmed},
		{start, returned, acknowledge, unconfirmed, stopped, graceOver},
		{copied, copied, start, copied, returned, release},
		{stopped},
	} {
		f := newTestFlow(t, nil)
		d := newTestDelivery(f, waiting)
		f.mu.Lock()
		for _, e := range way {
			if !f.apply(d, e) {
				t.Errorf("%v: %s cannot happen", way, e)
			}
			f.mu.Unlock()
			f.mu.Lock()
		}
		if len(f.reports) != 1 || f.unsettled != 0 || len(f.lanes) != 0 {
			t.Errorf("%v: %d reports, %d unsettled, %d lanes, want 1, 0 and 0", way, len(f.reports), f.unsettled, len(f.lanes))
		}
		f.mu.Unlock()
	}
}
