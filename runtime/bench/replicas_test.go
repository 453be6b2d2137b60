package bench

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
)

// TestBenchReplicas measures how a second replica shares the work of one that was there first: two replicas of eight
// handlers of 50 ms, 400 messages that wait, default options.
func TestBenchReplicas(t *testing.T) {
	url := needPulsar(t, *pairs > 0)
	const waiting, takes, later = 400, 50 * time.Millisecond, 100 * time.Millisecond
	// All handlers are busy all the time: 16 of them, and 8 until the second replica joins.
	ideal := waiting*takes/(2*slots) + later/2
	client := newClient(t, url)
	var ratios []float64
	for range *pairs {
		q := fill(t, client, waiting, false)
		subscription := bq.WithSubscription(uuid.NewString())
		var handled atomic.Int64
		all := make(chan struct{})
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		ended := make(chan error, 2)
		join := func() *bq.Consumer {
			c, err := bq.NewConsumer(client, q, bq.Routes(bq.Handle(paymentsOf(q),
				func(context.Context, *bq.Message[payment]) error {
					<-time.After(takes)
					if handled.Add(1) == waiting {
						close(all)
					}
					return nil
				})), subscription, bq.WithConcurrency(slots), bq.WithLogger(quiet))
			if err != nil {
				t.Fatal(err)
			}
			go func() { ended <- c.Run(ctx) }()
			return c
		}
		first := join()
		<-first.Ready()
		began := time.Now()
		<-time.After(later)
		join()
		<-all
		ratios = append(ratios, time.Since(began).Seconds()/ideal.Seconds())
		cancel()
		for range 2 {
			if err := <-ended; err != nil {
				t.Fatal(err)
			}
		}
	}
	low, ratio, high := quartiles(ratios)
	fmt.Printf("\nTwo replicas: %.2f times the ideal %s (spread %.0f %%), aim at most 1.25\n", ratio, ideal,
		100*(high-low)/ratio)
}
