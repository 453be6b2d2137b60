package bqcheck_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/bqtest/bqcheck"
)

func TestHandleReturnsWhatWasDone(t *testing.T) {
	d := orderevents.OrderCancelledDefinition()
	order := orderevents.OrderCancelled{OrderID: 7, CustomerID: "c-7", Reason: orderevents.OrderCancelledReasonFraud}
	for _, c := range []struct {
		err                          error
		want                         bq.Action
		published, retried, deadened int
	}{
		{nil, bq.Acknowledged, 1, 0, 0},
		{errors.New("no stock"), bq.Retried, 1, 1, 0},
		{bq.Permanent(errors.New("no stock")), bq.DeadLettered, 1, 0, 1},
		{bq.Discard(errors.New("no stock")), bq.Discarded, 1, 0, 0},
	} {
		b := bqtest.NewBroker(t, bqtest.WithRetention())
		handle := func(context.Context, *bq.Message[orderevents.OrderCancelled]) error { return c.err }
		s := bqcheck.Handle(t, b, d, handle, order)
		if s.Action != c.want {
			t.Errorf("%v: got %s", c.err, s.Action)
		}
		got := []int{len(bqcheck.Published(t, b, d)), len(bqcheck.Retried(t, b, d)), len(bqcheck.DeadLetters(t, b, d))}
		if want := []int{c.published, c.retried, c.deadened}; fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%v: published, retried and dead-lettered %v, want %v", c.err, got, want)
		}
	}
}

// A failing notes that a test failed.
type failing struct{ errors int }

func (f *failing) Helper()               {}
func (f *failing) Cleanup(func())        {}
func (f *failing) Errorf(string, ...any) { f.errors++ }

func TestMistakesFailTheTest(t *testing.T) {
	d := orderevents.OrderCancelledDefinition()
	b := bqtest.NewBroker(t, bqtest.WithRetention())
	handle := func(context.Context, *bq.Message[orderevents.OrderCancelled]) error { return nil }
	for name, try := range map[string]func(bqtest.TB){
		"an invalid payload": func(t bqtest.TB) { bqcheck.Handle(t, b, d, handle, orderevents.OrderCancelled{Reason: "?"}) },
		"an invalid option": func(t bqtest.TB) {
			valid := orderevents.OrderCancelled{OrderID: 7, CustomerID: "c", Reason: orderevents.OrderCancelledReasonFraud}
			bqcheck.Handle(t, b, d, handle, valid, bq.WithConcurrency(-1))
		},
	} {
		var f failing
		if try(&f); f.errors != 1 {
			t.Errorf("%s: %d errors", name, f.errors)
		}
	}
}
