package bq

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// TestSettle is the table of section 8 of the contract, a row a case.
func TestSettle(t *testing.T) {
	failed := errors.New("no stock")
	for _, c := range []struct {
		name       string
		kind       verdictKind
		attempts   int64
		outcome    outcome
		dlq, noDLQ Action
		reason     envelope.Reason
		delay      time.Duration
		counted    int64
	}{
		{name: "SET-1 handled", kind: isRouted, dlq: Acknowledged, noDLQ: Acknowledged, counted: 1},
		{name: "SET-1 handled on the last delivery", kind: isRouted, attempts: 2, dlq: Acknowledged, noDLQ: Acknowledged, counted: 3},
		{name: "SET-2 failed, attempts left", kind: isRouted, attempts: 1, outcome: failure(failed), dlq: Retried, noDLQ: Retried, counted: 2},
		{name: "SET-2 failed, with a delay", kind: isRouted, outcome: failure(RetryAfter(time.Minute, failed)), dlq: Retried, noDLQ: Retried, counted: 1, delay: time.Minute},
		{name: "SET-3 failed, exhausted", kind: isRouted, attempts: 2, outcome: failure(failed), dlq: DeadLettered, noDLQ: Dropped, reason: envelope.Failed, counted: 3},
		{name: "SET-3 exhausted long ago (MAX-4)", kind: isRouted, attempts: 9, outcome: failure(failed), dlq: DeadLettered, noDLQ: Dropped, reason: envelope.Failed, counted: 10},
		{name: "SET-3 exhausted, with a delay", kind: isRouted, attempts: 2, outcome: failure(RetryAfter(1, failed)), dlq: DeadLettered, noDLQ: Dropped, reason: envelope.Failed, counted: 3},
		{name: "SET-3 permanent", kind: isRouted, outcome: failure(Permanent(failed)), dlq: DeadLettered, noDLQ: Dropped, reason: envelope.Failed, counted: 1},
		{name: "SET-5 no handler, attempts left", kind: isUnhandled, attempts: 1, dlq: Retried, noDLQ: Retried, counted: 2},
		{name: "SET-6 no handler, exhausted", kind: isUnhandled, attempts: 2, dlq: DeadLettered, noDLQ: Dropped, reason: envelope.UnknownURN, counted: 3},
		{name: "SET-7 gated", kind: isGated, dlq: DeadLettered, noDLQ: Dropped, reason: Gated, counted: 1},
		{name: "SET-8 poison", kind: isPoison, dlq: DeadLettered, noDLQ: Retried, reason: envelope.Poison, counted: 1},
		{name: "SET-8 poison, exhausted", kind: isPoison, attempts: 2, dlq: DeadLettered, noDLQ: Dropped, reason: envelope.Poison, counted: 3},
		{name: "shutdown is no failure", kind: isRouted, attempts: 2, outcome: outcome{err: failed, interrupted: true}, dlq: Released, noDLQ: Released, counted: 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			for hasDeadLetter, action := range map[bool]Action{true: c.dlq, false: c.noDLQ} {
				got := settle(verdict{kind: c.kind, attempts: c.attempts}, c.outcome, policy{maxAttempts: 3, hasDeadLetter: hasDeadLetter})
				want := settlement{action: action, counted: c.counted, delay: c.delay, err: c.outcome.err}
				if action == DeadLettered || action == Dropped {
					want.reason = c.reason
				}
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(settlement{}), cmp.Comparer(func(a, b error) bool { return errors.Is(a, b) })); diff != "" {
					t.Errorf("dead-letter topic: %v (-want +got):\n%s", hasDeadLetter, diff)
				}
			}
		})
	}
}

func TestMaxAttemptsIsDeliveriesInAll(t *testing.T) {
	for maxAttempts := int64(1); maxAttempts <= 4; maxAttempts++ {
		deliveries := int64(0)
		for attempts, done := int64(0), false; !done; deliveries++ {
			s := settle(verdict{kind: isRouted, attempts: attempts}, failure(errors.New("no")), policy{maxAttempts: maxAttempts})
			attempts, done = s.counted, s.action != Retried
		}
		if deliveries != maxAttempts {
			t.Errorf("MAX-1: max attempts %d: the handler ran %d times", maxAttempts, deliveries)
		}
	}
}

func TestFailureUnderstandsWrappedAndJoinedErrors(t *testing.T) {
	base := errors.New("no stock")
	for _, c := range []struct {
		name string
		err  error
		want outcome
	}{
		{"plain", base, outcome{}},
		{"permanent", Permanent(base), outcome{permanent: true}},
		{"permanent, wrapped", fmt.Errorf("ship: %w", Permanent(base)), outcome{permanent: true}},
		{"permanent wins over a delay", errors.Join(RetryAfter(time.Hour, base), Permanent(base)), outcome{permanent: true}},
		{"delay, wrapped", fmt.Errorf("ship: %w", RetryAfter(time.Second, base)), outcome{delay: time.Second}},
		{"the outer delay wins", RetryAfter(time.Second, RetryAfter(time.Hour, base)), outcome{delay: time.Second}},
		{"a negative delay is none", RetryAfter(-time.Second, base), outcome{}},
		{"a delay without an error is a failure", RetryAfter(time.Second, nil), outcome{delay: time.Second}},
	} {
		got := failure(c.err)
		if got.permanent != c.want.permanent || got.delay != c.want.delay || got.err == nil {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
	if Permanent(nil) != nil {
		t.Error("Permanent(nil) is an error")
	}
	if err := Permanent(base); !errors.Is(err, base) || err.Error() != base.Error() {
		t.Errorf("Permanent hides its error: %v", err)
	}
}

func TestJudgeKnowsShutdownFromFailure(t *testing.T) {
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		name        string
		ctx         context.Context
		ended       error
		err         error
		interrupted bool
	}{
		{"S29 cancelled by its own client while running", context.Background(), nil, context.Canceled, false},
		{"S29 cancelled while draining", context.Background(), context.DeadlineExceeded, fmt.Errorf("query: %w", context.Canceled), true},
		{"S29 timed out while draining from a deadline", context.Background(), context.DeadlineExceeded, context.DeadlineExceeded, true},
		{"S29 timed out while draining", context.Background(), context.Canceled, context.DeadlineExceeded, false},
		{"failed while draining", context.Background(), context.Canceled, errors.New("no stock"), false},
		{"failed after its context ended", ended, context.Canceled, errors.New("no stock"), true},
		{"done after its context ended", ended, context.Canceled, nil, false},
	} {
		if got := judge(c.ctx, c.ended, c.err); got.interrupted != c.interrupted {
			t.Errorf("%s: interrupted is %v, want %v", c.name, got.interrupted, c.interrupted)
		}
	}
}

func TestProtectTurnsPanicsIntoErrors(t *testing.T) {
	base := errors.New("no stock")
	err := protect(func() error { panic(base) })
	var p *PanicError
	if !errors.As(err, &p) || !errors.Is(err, base) || len(p.Stack) == 0 || err.Error() != "panic: no stock" {
		t.Errorf("got %#v", err)
	}
	var nothing *int
	if err := protect(func() error { return fmt.Errorf("%d", *nothing) }); err == nil {
		t.Error("a nil dereference is no error")
	}
}

func TestHandlerCannotEndTheConsumersGoroutine(t *testing.T) {
	if err := isolate(func() error { goruntime.Goexit(); return nil }); !errors.Is(err, errGoexit) {
		t.Errorf("S4: got %v, want %v", err, errGoexit)
	}
	var p *PanicError
	if err := isolate(func() error { panic("no") }); !errors.As(err, &p) {
		t.Errorf("S4: got %v, want a panic", err)
	}
	if err := isolate(func() error { return nil }); err != nil {
		t.Errorf("got %v", err)
	}
}
