package crash

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// consume is the main function of a consumer process. It reports ">N" when the handler of task N begins, "+N" before it
// succeeds, "-N" before it fails, and "*N" when the task is settled.
func consume(client pulsar.Client, j job) error {
	out := os.NewFile(reports, "reports")
	report := func(sign, task any) {
		// One short write: it is in the pipe as a whole or not at all.
		if _, err := fmt.Fprintf(out, "%s%v\n", sign, task); err != nil {
			panic(err)
		}
	}
	handle := func(ctx context.Context, m *bq.Message[task]) error {
		sign := "-"
		report(">", m.Data.N)
		defer func() { report(sign, m.Data.N) }() // a panic goes on after this
		err := fateOf(m.Data.N).do(ctx, m)
		if err == nil {
			sign = "+"
		}
		return err
	}
	c, err := bq.NewConsumer(client, j.Queue, bq.Routes(bq.Handle(tasks(j.Queue), handle)),
		append(slices.Clone(variants[j.Variant].options),
			bq.WithConcurrency(4),
			// One that is started during an outage waits for the broker, for as long as it takes. On Exclusive the consumer
			// before it may not be gone yet.
			bq.WithStartup(bq.StartupRetry(1000, 200*time.Millisecond)),
			bq.WithLogger(slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError}))),
			bq.WithObserver(bq.Observer{Settled: func(s bq.Settlement) {
				switch {
				case s.SettleErr != nil:
					fmt.Fprintf(os.Stderr, "%s %s: %v\n", s.Action, s.Delivery.ID, s.SettleErr)
				case s.Action != bq.Released && s.Action != bq.Returned:
					report("*", s.Delivery.Property(idProperty))
				}
			}}))...)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		defer stop()
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	return c.Run(ctx)
}
