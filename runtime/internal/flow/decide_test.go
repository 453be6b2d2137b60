package flow

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// TestSettle is the table of section 8 of the contract, a row a case.
func TestSettle(t *testing.T) {
	failed := errors.New("no stock")
	for _, c := range []struct {
		name           string
		kind           Kind
		attempts       int64
		outcome        outcome
		handlesUnknown bool
		dlq, noDLQ     Action
		reason         envelope.Reason
		delay          time.Duration
		counted        int64
	}{
		{name: "SET-1 handled", kind: IsRouted, dlq: Acknowledged, noDLQ: Acknowledged, counted: 1},
		{name: "SET-1 handled on the last delivery", kind: IsRouted, attempts: 2, dlq: Acknowledged,
			noDLQ: Acknowledged, counted: 3},
		{name: "SET-2 failed, attempts left", kind: IsRouted, attempts: 1, outcome: failure(failed),
			dlq: Retried, noDLQ: Retried, counted: 2},
		{name: "SET-2 failed, with a delay", kind: IsRouted, outcome: failure(&RetryAfterError{time.Minute,
			failed}), dlq: Retried, noDLQ: Retried, counted: 1, delay: time.Minute},
		{name: "SET-3 failed, exhausted", kind: IsRouted, attempts: 2, outcome: failure(failed),
			dlq: DeadLettered, noDLQ: Dropped, reason: envelope.Failed, counted: 3},
		{name: "SET-3 exhausted long ago (MAX-4)", kind: IsRouted, attempts: 9, outcome: failure(failed),
			dlq: DeadLettered, noDLQ: Dropped, reason: envelope.Failed, counted: 10},
		{name: "SET-3 exhausted, with a delay", kind: IsRouted, attempts: 2,
			outcome: failure(&RetryAfterError{1, failed}), dlq: DeadLettered, noDLQ: Dropped,
			reason: envelope.Failed, counted: 3},
		{name: "SET-3 permanent", kind: IsRouted, outcome: failure(&PermanentError{failed}), dlq: DeadLettered,
			noDLQ: Dropped, reason: envelope.Failed, counted: 1},
		{name: "SET-5 no handler, attempts left", kind: IsUnhandled, attempts: 1, dlq: Retried, noDLQ: Retried, counted: 2},
		{name: "SET-6 no handler, exhausted", kind: IsUnhandled, attempts: 2, dlq: DeadLettered, noDLQ: Dropped,
			reason: envelope.UnknownURN, counted: 3},
		{name: "SET-4 handler for unknown URNs", kind: IsUnhandled, attempts: 2, handlesUnknown: true,
			dlq: Acknowledged, noDLQ: Acknowledged, counted: 3},
		{name: "SET-5 it fails, attempts left", kind: IsUnhandled, handlesUnknown: true, outcome: failure(failed),
			dlq: Retried, noDLQ: Retried, counted: 1},
		{name: "SET-6 it fails, permanently", kind: IsUnhandled, handlesUnknown: true,
			outcome: failure(&PermanentError{failed}), dlq: DeadLettered, noDLQ: Dropped,
			reason: envelope.UnknownURN, counted: 1},
		{name: "SET-7 gated", kind: IsGated, dlq: DeadLettered, noDLQ: Dropped, reason: Gated, counted: 1},
		{name: "SET-8 poison", kind: IsPoison, dlq: DeadLettered, noDLQ: Retried, reason: envelope.Poison, counted: 1},
		{name: "SET-8 poison, exhausted", kind: IsPoison, attempts: 2, dlq: DeadLettered, noDLQ: Dropped,
			reason: envelope.Poison, counted: 3},
		{name: "shutdown is no failure", kind: IsRouted, attempts: 2, outcome: outcome{err: failed,
			interrupted: true}, dlq: Released, noDLQ: Released, counted: 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			for hasDeadLetter, action := range map[bool]Action{true: c.dlq, false: c.noDLQ} {
				got := decide(Verdict{Kind: c.kind, Attempts: c.attempts}, c.outcome, Policy{MaxAttempts: 3,
					HasDeadLetter: hasDeadLetter, HandlesUnknown: c.handlesUnknown})
				want := decision{action: action, counted: c.counted, delay: c.delay, err: c.outcome.err}
				if action == DeadLettered || action == Dropped {
					want.reason = c.reason
				}
				if diff := cmp.Diff(want, got, cmp.AllowUnexported(decision{}), cmp.Comparer(func(a,
					b error) bool {
					return errors.Is(a, b)
				})); diff != "" {
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
			s := decide(Verdict{Kind: IsRouted, Attempts: attempts}, failure(errors.New("no")), Policy{MaxAttempts: maxAttempts})
			attempts, done = s.counted, s.action != Retried
		}
		if deliveries != maxAttempts {
			t.Errorf("MAX-1: max attempts %d: the handler ran %d times", maxAttempts, deliveries)
		}
	}
}

func TestFailureUnderstandsWrappedAndJoinedErrors(t *testing.T) {
	base := errors.New("no stock")
	permanent := func(err error) error { return &PermanentError{err} }
	after := func(d time.Duration, err error) error { return &RetryAfterError{d, err} }
	for _, c := range []struct {
		name string
		err  error
		want outcome
	}{
		{"plain", base, outcome{}},
		{"permanent", permanent(base), outcome{permanent: true}},
		{"permanent, wrapped", fmt.Errorf("ship: %w", permanent(base)), outcome{permanent: true}},
		{"permanent wins over a delay", errors.Join(after(time.Hour, base), permanent(base)), outcome{permanent: true}},
		{"delay, wrapped", fmt.Errorf("ship: %w", after(time.Second, base)), outcome{delay: time.Second}},
		{"the outer delay wins", after(time.Second, after(time.Hour, base)), outcome{delay: time.Second}},
	} {
		got := failure(c.err)
		if got.permanent != c.want.permanent || got.delay != c.want.delay || got.err == nil {
			t.Errorf("%s: got %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestJudgeKnowsShutdownFromFailure(t *testing.T) {
	for _, c := range []struct {
		name        string
		over        bool // the grace period is
		ended       error
		err         error
		interrupted bool
	}{
		{"S29 cancelled by its own client while running", false, nil, context.Canceled, false},
		{"S29 cancelled while draining", false, context.DeadlineExceeded, fmt.Errorf("query: %w", context.Canceled), true},
		{"S29 timed out while draining from a deadline", false, context.DeadlineExceeded, context.DeadlineExceeded, true},
		{"S29 timed out while draining", false, context.Canceled, context.DeadlineExceeded, false},
		{"failed while draining", false, context.Canceled, errors.New("no stock"), false},
		{"failed after its context ended", true, context.Canceled, errors.New("no stock"), true},
		{"done after its context ended", true, context.Canceled, nil, false},
	} {
		if got := judge(c.over, c.ended, c.err); got.interrupted != c.interrupted {
			t.Errorf("%s: interrupted is %v, want %v", c.name, got.interrupted, c.interrupted)
		}
	}
}
