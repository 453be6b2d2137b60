package bench

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
)

// TestSoak sends messages through one consumer: none is lost, and what the process holds does not grow.
func TestSoak(t *testing.T) {
	url := needPulsar(t, *soak > 0)
	client := newClient(t, url)
	const growth = 16 << 20
	n := *soak
	var handled, twice, settled, unsure atomic.Int64
	seen := make([]atomic.Bool, n)
	q := bq.Queue{Name: "payments", Topic: "persistent://public/default/soak-" + uuid.NewString()}
	all := make(chan struct{})
	c, err := bq.NewConsumer(client, q, bq.Routes(bq.Handle(paymentsOf(q),
		func(_ context.Context, m *bq.Message[payment]) error {
			if seen[m.Data.OrderID].Swap(true) {
				twice.Add(1)
			} else if handled.Add(1) == int64(n) {
				close(all)
			}
			return nil
		})), bq.WithConcurrency(slots), bq.WithLogger(quiet), bq.WithObserver(bq.Observer{Settled: func(s bq.Settlement) {
		settled.Add(1)
		if s.SettleErr != nil {
			unsure.Add(1)
		}
	}}))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.Run(ctx) }()
	<-c.Ready()

	const warm = 50_000 // so that pools and maps have their size
	fillTopic(t, client, q, 0, warm, true)
	waitFor(t, func() bool { return handled.Load() == warm })
	before, goroutines := heap(), runtime.NumGoroutine()
	began := time.Now()
	fillTopic(t, client, q, warm, n, true)
	select {
	case <-all:
	case <-time.After(time.Hour):
		t.Fatalf("%d of %d messages are handled", handled.Load(), n)
	}
	took := time.Since(began)
	waitFor(t, func() bool { return settled.Load() >= int64(n) })
	after, left := heap(), runtime.NumGoroutine()
	t.Logf("%d messages in %s: %.0f/s; %d handled twice, %d acknowledgements unsure; heap %.1f MiB before and %.1f MiB "+
		"after; %d goroutines before and %d after", n-warm, took.Round(time.Second), float64(n-warm)/took.Seconds(),
		twice.Load(), unsure.Load(), float64(before)/(1<<20), float64(after)/(1<<20), goroutines, left)
	if after > before+growth {
		t.Errorf("the heap grew by %.1f MiB", float64(after-before)/(1<<20))
	}
	if left > goroutines+10 {
		t.Errorf("there are %d more goroutines", left-goroutines)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// heap returns what is in use after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(10 * time.Minute)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatal("waited for ten minutes")
		}
		<-time.After(10 * time.Millisecond)
	}
}
