package acceptance

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// forEachType runs a test on each subscription type.
func forEachType(t *testing.T, test func(t *testing.T, subscription pulsar.SubscriptionType)) {
	for name, subscription := range map[string]pulsar.SubscriptionType{
		"Shared": pulsar.Shared, "Key_Shared": pulsar.KeyShared, "Exclusive": pulsar.Exclusive, "Failover": pulsar.Failover,
	} {
		t.Run(name, func(t *testing.T) { test(t, subscription) })
	}
}

func shares(s pulsar.SubscriptionType) bool { return s == pulsar.Shared || s == pulsar.KeyShared }

// TestWhatAnOutcomeDoesToAttemptsAndOrder is the table in the documentation of package bq: what is done with a message
// whose handler returns something, and when its key goes on (F19).
func TestWhatAnOutcomeDoesToAttemptsAndOrder(t *testing.T) {
	noStock := errors.New("no stock")
	onBothBackends(t, func(t *testing.T, b *backend) {
		forEachType(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			behind, inOrder := "1 2 1", "1 1 2"
			if !shares(subscription) {
				behind, inOrder = inOrder, "1 1 2"
			}
			for _, c := range []struct {
				name     string
				err      error
				opts     []bq.ConsumerOption
				actions  string // of message 1
				attempts string // that the handler sees of message 1
				order    string
			}{
				{"nil", nil, nil, "acknowledged", "0", "1 2"},
				{"error", noStock, nil, "retried acknowledged", "0 1", "1 2 1"},
				{"error, in place", noStock, []bq.ConsumerOption{bq.WithRetryInPlace(1, nil)}, "acknowledged", "0 0", inOrder},
				{"Permanent", bq.Permanent(noStock), nil, "dead-lettered", "0", "1 2"},
				{"RetryAfter", bq.RetryAfter(10*time.Millisecond, noStock), nil, "retried acknowledged", "0 1", "1 2 1"},
				{"Snooze", bq.Snooze(10 * time.Millisecond), nil, map[bool]string{true: "snoozed acknowledged",
					false: "acknowledged"}[shares(subscription)], "0 0", behind},
				{"Discard", bq.Discard(noStock), nil, "discarded", "0", "1 2"},
				{"Discard wins over Snooze", errors.Join(bq.Snooze(time.Hour), bq.Discard(noStock)), nil, "discarded", "0", "1 2"},
				{"Permanent wins over Discard", errors.Join(bq.Discard(noStock), bq.Permanent(noStock)), nil, "dead-lettered",
					"0", "1 2"},
			} {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					q := newQueue()
					b.backlog(t, q, subscription)
					var order_, attempts []string
					handle := func(_ context.Context, m *bq.Message[order]) error {
						order_ = append(order_, fmt.Sprint(m.Data.ID))
						if m.Data.ID == 1 {
							attempts = append(attempts, fmt.Sprint(m.Attempts))
							if len(attempts) == 1 {
								return c.err
							}
						}
						return nil
					}
					// Both are there before the first is handled.
					b.publish(t, q, order{ID: 1}, bq.WithKey("A"))
					b.publish(t, q, order{ID: 2}, bq.WithKey("A"))
					s := b.serve(t, q, handle, append([]bq.ConsumerOption{bq.WithSubscriptionType(subscription),
						bq.WithConcurrency(4)}, c.opts...)...)
					var actions []string
					for left := 2; left > 0; {
						x := s.next()
						if x.Action != bq.Retried && x.Action != bq.Snoozed {
							left--
						}
						if strings.Contains(string(x.Delivery.Data()), `"order_id":1`) {
							actions = append(actions, string(x.Action))
						}
					}
					if err := s.stop(); err != nil {
						t.Error(err)
					}
					got := []string{strings.Join(actions, " "), strings.Join(attempts, " "), strings.Join(order_, " ")}
					if want := []string{c.actions, c.attempts, c.order}; !slices.Equal(got, want) {
						t.Errorf("F19: got actions, attempts and order %q, want %q", got, want)
					}
					if left := b.backlog(t, q, subscription); left != 0 {
						t.Errorf("%d messages are left", left)
					}
				})
			}
		})
	})
}

// TestStopReleasesTheMessageAndEndsRun: the outcome Stop.
func TestStopReleasesTheMessageAndEndsRun(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		forEachType(t, func(t *testing.T, subscription pulsar.SubscriptionType) {
			revoked := errors.New("the credential was revoked")
			q := newQueue()
			b.backlog(t, q, subscription)
			s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
				return fmt.Errorf("charge: %w", bq.Stop(revoked))
			}, bq.WithSubscriptionType(subscription), bq.WithMaxAttempts(1), bq.WithRetryInPlace(3, nil))
			b.publish(t, q, order{ID: 1})
			if x := s.next(); x.Action != bq.Released || !errors.Is(x.Err, revoked) || x.Runs != 1 {
				t.Errorf("got %s, %v, after %d runs", x.Action, x.Err, x.Runs)
			}
			if err := await(t, s.done, "Run to return"); !errors.Is(err, revoked) ||
				!strings.Contains(err.Error(), "a handler stopped the consumer") {
				t.Errorf("Run returned %v", err)
			}
			attempts := make(chan int64, 1)
			again := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error { attempts <- m.Attempts; return nil },
				bq.WithSubscriptionType(subscription))
			if n := await(t, attempts, "the message"); n != 0 {
				t.Errorf("it counts %d attempts", n)
			}
			again.next()
			if err := again.stop(); err != nil {
				t.Error(err)
			}
		})
	})
}

// TestADiscardIsLoggedAsAWarning: nobody else keeps a record of it.
func TestADiscardIsLoggedAsAWarning(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	var log lockedBuilder
	s := b.serve(t, q, func(context.Context, *bq.Message[order]) error { return bq.Discard(errors.New("stale")) },
		bq.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	sent := b.publish(t, q, order{ID: 1})
	s.next()
	if got := log.String(); !strings.Contains(got, "level=WARN") || !strings.Contains(got, "stale") ||
		!strings.Contains(got, sent.ID) {
		t.Errorf("got %s", got)
	}
	if bq.Discard(nil) != nil || bq.Stop(nil) == nil {
		t.Error("Discard(nil) is an error, or Stop(nil) is not")
	}
}
