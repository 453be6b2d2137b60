// Command orders is a small shop that uses the code generated from ../urns.yaml. It publishes messages with different
// fates, handles those that can be handled, and prints what happens to each.
//
//	go run ./examples/orders                                       # on an in-memory Pulsar
//	go run ./examples/orders -pulsar pulsar://127.0.0.1:6650       # on a real one
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

//go:generate go run ../../cmd/bqgen generate --catalog ../urns.yaml --out ./orderevents

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "orders:", err)
		}
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("orders", flag.ContinueOnError)
	flags.SetOutput(stderr)
	url := flags.String("pulsar", "",
		"`URL` of a Pulsar broker, such as pulsar://127.0.0.1:6650 (default: a broker in memory)")
	verbose := flags.Bool("v", false, "write the runtime's log to standard error")
	timeout := flags.Duration("timeout", time.Minute, "give up when the story is not over by then")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, *timeout)
	defer cancel()

	level := slog.LevelError
	if *verbose {
		level = slog.LevelDebug
	}
	// The URL may contain a password, and the client logs it.
	logger := slog.New(bq.RedactURLs(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level})))
	client, err := connect(*url, logger)
	if err != nil {
		return err
	}
	defer client.Close()
	return shop(ctx, client, logger, stdout)
}

// connect returns a client of the broker at url, or of one in memory if url is empty.
func connect(url string, logger *slog.Logger) (pulsar.Client, error) {
	if url == "" {
		return bqtest.New(bqtest.WithRetention()).Client(), nil // what is acknowledged can still be read
	}
	return pulsar.NewClient(pulsar.ClientOptions{
		URL:               url,
		ConnectionTimeout: 5 * time.Second,
		OperationTimeout:  15 * time.Second,
		Logger:            log.NewLoggerWithSlog(logger),
	})
}

// shop runs the consumers of the service, tells the story, and stops them.
func shop(ctx context.Context, client pulsar.Client, logger *slog.Logger, stdout io.Writer) error {
	settled := make(chan settlement)
	options := func(service string) []bq.ConsumerOption {
		return []bq.ConsumerOption{
			bq.WithLogger(logger),
			bq.WithObserver(bq.Observer{Settled: func(s bq.Settlement) {
				select {
				case settled <- settlement{s, service}:
				case <-ctx.Done():
				}
			}}),
		}
	}
	stock, mail := &warehouse{refunded: make(chan int, 1)}, &mailer{}
	orders, err := bq.NewConsumer(client, orderevents.OrdersQueue(), stock.routes(), options("warehouse")...)
	if err != nil {
		return err
	}
	notifications, err := orderevents.NewNotificationsConsumer(client, mail, options("mailer")...)
	if err != nil {
		return err
	}
	// The queue parcels has two services. In production they would be two programs.
	ledger, err := orderevents.NewAccountsParcelsConsumer(client, accounts{}, options("accounts")...)
	if err != nil {
		return err
	}
	thanks, err := orderevents.NewMailerParcelsConsumer(client, mail, options("mailer")...)
	if err != nil {
		return err
	}
	// Pulsar keeps nothing for a service that has no subscription yet.
	if err := bq.Declare(ctx, client, orderevents.Queues()); err != nil {
		return err
	}

	running, stop := context.WithCancel(ctx)
	defer stop()
	consumers := []*bq.Consumer{orders, notifications, ledger, thanks}
	done := make(chan error, len(consumers))
	for _, consumer := range consumers {
		go func() { done <- consumer.Run(running) }()
		select {
		case <-consumer.Ready():
		case err := <-done:
			return err
		}
	}
	publishers := orderevents.NewPublishers(client, bq.WithLogger(logger))
	s := story{
		client: client, publishers: publishers, settled: settled, refunded: stock.refunded, out: newReport(stdout),
		began: time.Now(), ids: make(map[string]bool),
	}
	err = s.tell(ctx)
	stop()
	for range consumers {
		err = errors.Join(err, <-done)
	}
	return errors.Join(err, publishers.Close(context.Background()))
}
