package crash

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/apache/pulsar-client-go/pulsar"
)

// A ledger counts the outcomes of each task.
type ledger struct {
	mu          sync.Mutex
	changed     chan struct{}  // closed and replaced at each entry
	attempted   map[int64]bool // publishing was begun
	confirmed   map[int64]bool
	unconfirmed map[int64]bool // publishing failed, and may have come to something all the same
	handled     map[int64]int  // how often
	failed      int            // handler calls
	letters     map[int64][]string
	wrong       []string // what should not be

	runs     map[int64]lastRun
	second   map[*member]int // runs of what a process had not settled when it was killed
	open     int             // runs of what was settled: members of an entry of which others were not
	takeover int             // runs of what a process has that was not killed
}

// A lastRun is the latest run of a task.
type lastRun struct {
	by      *member
	settled bool
}

func newLedger() *ledger {
	return &ledger{
		changed:   make(chan struct{}),
		attempted: map[int64]bool{}, confirmed: map[int64]bool{}, unconfirmed: map[int64]bool{},
		handled: map[int64]int{}, letters: map[int64][]string{}, runs: map[int64]lastRun{}, second: map[*member]int{},
	}
}

// enter updates the ledger under its lock.
func (l *ledger) enter(entry func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry()
	close(l.changed)
	l.changed = make(chan struct{})
}

// began records that a process handles a task.
func (l *ledger) began(n int64, by *member) {
	before, again := l.runs[n]
	switch {
	case !again:
	case !before.settled && before.by.killed.Load():
		l.second[before.by]++
	case fateOf(n).isRetried(): // a retry may come before what it replaces is acknowledged
	case !before.settled:
		l.takeover++
	default:
		l.open++
	}
	l.runs[n] = lastRun{by: by}
}

// report records one line reported by a process; by is nil for the publisher.
func (l *ledger) report(line string, by *member) {
	l.enter(func() {
		var sign rune
		var n int64
		if _, err := fmt.Sscanf(line, "%c%d", &sign, &n); err != nil {
			sign = 0
		}
		switch sign {
		case '>':
			l.began(n, by)
		case '*':
			if run, ok := l.runs[n]; ok && run.by == by {
				l.runs[n] = lastRun{by, true}
			}
		case '+':
			l.handled[n]++
		case '-':
			l.failed++
		case '=':
			l.confirmed[n] = true
		case '?':
			l.unconfirmed[n] = true
		default:
			l.wrong = append(l.wrong, fmt.Sprintf("a process reports %q", line))
		}
	})
}

// complain records a fault that was observed.
func (l *ledger) complain(err error) {
	l.enter(func() { l.wrong = append(l.wrong, err.Error()) })
}

// letter records a dead letter.
func (l *ledger) letter(n int64, reason string) {
	l.enter(func() { l.letters[n] = append(l.letters[n], reason) })
}

// settled returns how many tasks were handled or dead-lettered.
func (l *ledger) settled() int {
	n := len(l.handled)
	for id := range l.letters {
		if l.handled[id] == 0 {
			n++
		}
	}
	return n
}

// gain returns how many tasks were settled since there were that many.
func (l *ledger) gain(before int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.settled() - before
}

// faults returns the faults that were recorded so far.
func (l *ledger) faults() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.wrong)
}

// missing lists the confirmed tasks that were neither handled nor dead-lettered.
func (l *ledger) missing() []int64 {
	var ids []int64
	for id := range l.confirmed {
		if l.handled[id] == 0 && len(l.letters[id]) == 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// await waits until the condition holds on the ledger. It gives up when ctx ends or a fault was recorded.
func (l *ledger) await(ctx context.Context, condition func() bool) bool {
	for {
		l.mu.Lock()
		holds, wrong, changed := condition(), len(l.wrong) > 0, l.changed
		l.mu.Unlock()
		switch {
		case ctx.Err() != nil:
			return false
		case holds || wrong:
			return holds
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// audit returns the faults found at the end.
func (l *ledger) audit() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	wrong := slices.Clone(l.wrong)
	if ids := l.missing(); len(ids) > 0 {
		wrong = append(wrong, fmt.Sprintf("%d of %d confirmed tasks are lost: %v", len(ids), len(l.confirmed), ids))
	}
	for _, id := range slices.Sorted(maps.Keys(l.handled)) {
		if !l.attempted[id] || !fateOf(id).mayBeHandled() {
			wrong = append(wrong, fmt.Sprintf("task %d (fate %d) was handled", id, fateOf(id)))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(l.letters)) {
		for _, reason := range l.letters[id] {
			if want := fateOf(id).reason(); !l.attempted[id] || reason != want {
				wrong = append(wrong, fmt.Sprintf("task %d (fate %d) is a dead letter for the reason %q, want %q", id, fateOf(id),
					reason, want))
			}
		}
	}
	return wrong
}

// summary describes the ledger in figures.
func (l *ledger) summary() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var again, lettersAgain int
	for _, times := range l.handled {
		again += times - 1
	}
	for _, reasons := range l.letters {
		lettersAgain += len(reasons) - 1
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d messages published (%d unconfirmed), %d handled and %d more than once, %d handler failures, %d "+
		"dead letters and %d more than once",
		len(l.confirmed), len(l.unconfirmed), len(l.handled), again, l.failed, len(l.letters), lettersAgain)
	second, worst := l.secondRuns()
	fmt.Fprintf(&b, "; second runs: %d of what killed processes had in hand, at most %d of one; %d of members of open "+
		"entries; %d of what another process had", second, worst, l.open, l.takeover)
	return b.String()
}

// secondRuns returns how many tasks were run again because their process was killed, and the most of one process.
func (l *ledger) secondRuns() (all, worst int) {
	for _, n := range l.second {
		all += n
		worst = max(worst, n)
	}
	return all, worst
}

// bound returns what is wrong with the number of second runs, where only consumers were killed.
func (l *ledger) bound(v *variant) (wrong []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, worst := l.secondRuns(); worst > most {
		wrong = append(wrong, fmt.Sprintf("one kill has %d tasks run again, the limit is %d", worst, most))
	}
	failover := v.subscription == pulsar.Failover // Pulsar may have sent a message to two consumers
	// A negative acknowledgement gives back all members of a batch, also those that the process has in hand.
	shared := failover || v.batched && strings.HasSuffix(v.name, "by nack")
	if l.open > 0 && !v.batched && !failover {
		wrong = append(wrong, fmt.Sprintf("%d tasks were run again after their acknowledgement was confirmed", l.open))
	}
	if l.takeover > 0 && !shared {
		wrong = append(wrong, fmt.Sprintf("%d tasks were run that another process had", l.takeover))
	}
	return wrong
}
