package crash

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"

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
