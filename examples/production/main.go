// Command production is a complete service: it handles orders, and shows what a service needs in production.
// docs/production.md explains it.
package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqotel"
)

func main() {
	slog.SetDefault(slog.New(slog.NewJSONHandler(os.Stderr, nil)))
	if err := run(); err != nil {
		slog.Error("the service ended", "error", err)
		os.Exit(1)
	}
}

func run() error {
	// Kubernetes sends SIGTERM. The consumer then finishes what it has in hand.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	tracers, err := observe()
	if err != nil {
		return err
	}
	defer tracers.Shutdown(context.Background())

	client, err := connect()
	if err != nil {
		return err
	}
	defer client.Close()

	telemetry, err := bqotel.New()
	if err != nil {
		return err
	}
	consumer, err := orderevents.NewOrdersConsumer(client, &service{}, telemetry.Consumer("orders"),
		bq.WithConcurrency(8),
		bq.WithHandlerTimeout(time.Minute),
		bq.WithTopics(bq.InNamespace(env("PULSAR_NAMESPACE", "public/default"))))
	if err != nil {
		return err
	}
	unwatch, err := telemetry.Watch("orders", consumer)
	if err != nil {
		return err
	}
	defer unwatch()

	go serve(ctx, consumer)
	return consumer.Run(ctx)
}

// connect takes the environment's settings: the address, a token that is rotated in its file, certificates to trust.
func connect() (pulsar.Client, error) {
	options := pulsar.ClientOptions{
		URL:                   env("PULSAR_SERVICE_URL", "pulsar://localhost:6650"),
		TLSTrustCertsFilePath: os.Getenv("PULSAR_TLS_TRUST_CERTS"),
		TLSValidateHostname:   true,
		ConnectionTimeout:     10 * time.Second,
		Logger:                log.NewLoggerWithSlog(slog.Default()),
	}
	if file := os.Getenv("PULSAR_TOKEN_FILE"); file != "" {
		options.Authentication = pulsar.NewAuthenticationTokenFromFile(file)
	}
	return pulsar.NewClient(options)
}

// observe sends metrics to whoever scrapes them. Traces go where your exporter sends them: give it to
// trace.NewTracerProvider with trace.WithBatcher(exporter).
func observe() (*trace.TracerProvider, error) {
	exporter, err := prometheus.New()
	if err != nil {
		return nil, err
	}
	otel.SetMeterProvider(metric.NewMeterProvider(metric.WithReader(exporter)))
	tracers := trace.NewTracerProvider()
	otel.SetTracerProvider(tracers)
	return tracers, nil
}

// serve answers probes and scrapes.
func serve(ctx context.Context, consumer *bq.Consumer) {
	mux := http.NewServeMux()
	health := bq.Health(consumer).StuckAfter(10 * time.Minute)
	mux.Handle("/livez", health)
	mux.Handle("/readyz", health)
	mux.Handle("/metrics", promhttp.Handler())
	server := &http.Server{Addr: env("HTTP_ADDRESS", ":8081"), Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		slog.Error("probes and metrics are not served", "error", err)
	}
}

// service handles the messages. Its handlers must bear duplicates.
type service struct{}

func (*service) HandleOrderCreated(ctx context.Context, m *bq.Message[orderevents.OrderCreated]) error {
	bqotel.Logger(ctx).Info("order created", "order", m.Data.OrderID)
	return nil
}

func (*service) HandleOrderCancelled(ctx context.Context, m *bq.Message[orderevents.OrderCancelled]) error {
	bqotel.Logger(ctx).Info("order cancelled", "order", m.Data.OrderID)
	return nil
}

func (*service) HandlePaymentCaptured(ctx context.Context, m *bq.Message[orderevents.PaymentCaptured]) error {
	bqotel.Logger(ctx).Info("payment captured", "order", m.Data.OrderID)
	return nil
}

func (*service) HandleParcelDispatched(ctx context.Context, m *bq.Message[orderevents.ParcelDispatched]) error {
	bqotel.Logger(ctx).Info("parcel dispatched", "order", m.Data.OrderID)
	return nil
}

func env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}
