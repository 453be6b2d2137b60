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
	for subscriptionType := range subscriptionTypes {
		t.Run(subscriptionType, func(t *testing.T) {
			t.Parallel()
			s := newStream(t, url, subscriptionType)
			for n := range *kills {
				// Some are killed soon after the last one, some when all has settled down again.
				if !s.progress(1 + rand.IntN(window)) {
					t.Errorf("nothing moves after %d kills", n)
					break
				}
				<-time.After(rand.N(5 * time.Millisecond)) // so as not to strike where the handler reports only
				if err := s.fleet.kill(rand.Int()); err != nil {
					t.Fatal(err)
				}
			}
			s.finish(subscriptionType)
		})
	}
}

func TestNothingIsLostWhenTheBrokerIsKilled(t *testing.T) {
	needRealPulsar(t)
	t.Parallel()
	ctx := context.Background()
	broker, err := standalone.Start(ctx, standalone.Options{Log: t.Output()})
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
	streams := make(map[string]*stream)
	for subscriptionType := range subscriptionTypes {
		streams[subscriptionType] = newStream(t, broker.ServiceURL(), subscriptionType)
	}
	for n := range *restarts {
		awaitProgress(t, streams, n)
		began := time.Now()
		if err := broker.Kill(); err != nil {
			t.Fatal(err)
		}
		if *outage > 0 {
			<-time.After(*outage)
		} else if n%2 == 1 { // every other time a consumer dies while there is no broker
			for _, s := range streams {
				if err := s.fleet.kill(rand.Int()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := broker.Restart(ctx); err != nil {
			t.Fatal(err)
		}
		up := time.Now()
		awaitProgress(t, streams, n+1)
		t.Logf("the broker was away for %.1f s; %.1f s later all consumers had gone on", up.Sub(began).Seconds(), time.Since(up).Seconds())
	}
	var all sync.WaitGroup
	for name, s := range streams {
		all.Go(func() { s.finish(name) })
	}
	all.Wait()
}

// awaitProgress waits until all streams have moved on.
func awaitProgress(t *testing.T, streams map[string]*stream, restarts int) {
	t.Helper()
	var all sync.WaitGroup
	for name, s := range streams {
		all.Go(func() {
			if !s.progress(window) {
				t.Errorf("%s: nothing moves after %d restarts", name, restarts)
			}
		})
	}
	all.Wait()
}
