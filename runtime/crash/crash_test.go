package crash

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/babelqueue/bqgen/dev/pulsar/standalone"
)

func TestNothingIsLostWhenConsumersAreKilled(t *testing.T) {
	url := needRealPulsar(t)
	t.Parallel()
	for number, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			s := newStream(t, url, number)
			s.bounded = true
			for n := range *kills {
				// Some are killed shortly after the previous one, some after everything has settled down.
				if !s.progress(1 + rand.IntN(window)) {
					t.Errorf("nothing moves after %d kills", n)
					break
				}
				<-time.After(rand.N(5 * time.Millisecond)) // so as not to strike where the handler reports only
				if err := s.fleet.kill(rand.Int()); err != nil {
					t.Fatal(err)
				}
			}
			s.finish()
		})
	}
}

func TestNothingIsLostWhenTheBrokerIsKilled(t *testing.T) {
	needRealPulsar(t)
	t.Parallel()
	ctx := context.Background()
	broker, err := standalone.Start(ctx, standalone.Options{
		Log: t.Output(), Config: map[string]string{"managedLedgerDefaultMarkDeleteRateLimit": *ackRate},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			broker.KeepLog()
		}
		if err := broker.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	var streams []*stream
	for number := range variants {
		streams = append(streams, newStream(t, broker.ServiceURL(), number))
	}
	for n := range *restarts {
		awaitProgress(t, streams, n)
		began := time.Now()
		if err := broker.Kill(); err != nil {
			t.Fatal(err)
		}
		if n%2 == 1 { // every other time a consumer dies, and is started, while there is no broker
			for _, s := range streams {
				if err := s.fleet.kill(rand.Int()); err != nil {
					t.Fatalf("%s: %v; what is wrong: %v", s.variant.name, err, s.ledger.faults())
				}
			}
		}
		<-time.After(*outage)
		if err := broker.Restart(ctx); err != nil {
			t.Fatal(err)
		}
		up := time.Now()
		awaitProgress(t, streams, n+1)
		t.Logf("the broker was away for %.1f s; %.1f s later all consumers had gone on", up.Sub(began).Seconds(),
			time.Since(up).Seconds())
	}
	var all sync.WaitGroup
	for _, s := range streams {
		all.Go(s.finish)
	}
	all.Wait()
}

// awaitProgress waits until all streams have made progress.
func awaitProgress(t *testing.T, streams []*stream, restarts int) {
	t.Helper()
	var all sync.WaitGroup
	for _, s := range streams {
		all.Go(func() {
			if !s.progress(window) {
				t.Errorf("%s: nothing moves after %d restarts", s.variant.name, restarts)
			}
		})
	}
	all.Wait()
}
