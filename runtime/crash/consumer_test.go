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

// consume is the main function of a consumer process. It reports "+N" before the handler of task N succeeds and "-N"
// before it fails.
func consume(client pulsar.Client, j job) error {
	out := os.NewFile(reports, "reports")
	handle := func(ctx context.Context, m *bq.Message[task]) error {
		sign := "-"
		defer func() { // a panic goes on after this
			// One short write: it is in the pipe as a whole or not at all.
			if _, err := fmt.Fprintf(out, "%s%d\n", sign, m.Data.N); err != nil {
				panic(err)
			}
		}()
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
				if s.SettleErr != nil {
					fmt.Fprintf(os.Stderr, "%s %s: %v\n", s.Action, s.Delivery.ID, s.SettleErr)
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
