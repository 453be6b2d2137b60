package bqotel

import (
	"errors"
	"log/slog"
	"sync"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// scope names this package in traces and metrics.
const scope = "github.com/babelqueue/bqgen/runtime/bqotel"

// A Telemetry observes publishers and consumers. It is safe for concurrent use.
type Telemetry struct {
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
	metrics    *instruments
	logger     *slog.Logger // nil: slog.Default at each use
	pure       bool

	spans sync.Map // running or just ended handlings: a delivery's key -> trace.SpanContext
	urns  urnSet
}

// An Option changes a Telemetry.
type Option func(*config)

type config struct {
	tracers trace.TracerProvider
	meters  metric.MeterProvider
	logger  *slog.Logger
	pure    bool
	urns    []string
}

// WithTracerProvider sets where spans go. The default is the global provider.
func WithTracerProvider(p trace.TracerProvider) Option { return func(c *config) { c.tracers = p } }

// WithMeterProvider sets where metrics go. The default is the global provider.
func WithMeterProvider(p metric.MeterProvider) Option { return func(c *config) { c.meters = p } }

// WithLogger sets what the loggers of handlers are made of. The default is slog.Default() at the time of the message.
func WithLogger(l *slog.Logger) Option { return func(c *config) { c.logger = l } }

// WithSemanticConventions names spans and attributes by the semantic conventions for messaging (1.37) instead of the
// BabelQueue contract: messaging.system is pulsar, and the destination is the topic.
func WithSemanticConventions() Option { return func(c *config) { c.pure = true } }

// WithURNs names the URNs that have series of their own. Without it, these are the first 200 that handlers have run
// for.
func WithURNs(urns ...string) Option { return func(c *config) { c.urns = append(c.urns, urns...) } }

// New returns a Telemetry.
func New(opts ...Option) (*Telemetry, error) {
	var c config
	for _, o := range opts {
		if o == nil {
			return nil, errors.New("bqotel: an option is nil")
		}
		o(&c)
	}
	if c.tracers == nil {
		c.tracers = otel.GetTracerProvider()
	}
	if c.meters == nil {
		c.meters = otel.GetMeterProvider()
	}
	metrics, err := newInstruments(c.meters.Meter(scope))
	if err != nil {
		return nil, err
	}
	t := &Telemetry{
		tracer: c.tracers.Tracer(scope), propagator: propagation.TraceContext{}, metrics: metrics, logger: c.logger,
		pure: c.pure,
	}
	t.urns.init(c.urns)
	return t, nil
}

// unknownURN stands for all URNs that nobody handles.
const unknownURN = "_unknown"

// maxURNs bounds how many URNs have series of their own.
const maxURNs = 200

// A urnSet decides which URNs are named in metrics.
type urnSet struct {
	mu    sync.RWMutex
	known map[string]bool
	fixed bool
}

func (s *urnSet) init(urns []string) {
	s.known, s.fixed = map[string]bool{}, len(urns) > 0
	for _, u := range urns {
		s.known[u] = true
	}
}

// learn takes the URN of a message that a handler ran for.
func (s *urnSet) learn(urn string) {
	if s.name(urn) == urn {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.fixed && len(s.known) < maxURNs {
		s.known[urn] = true
	}
}

// name returns the URN as metrics show it.
func (s *urnSet) name(urn string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.known[urn] {
		return urn
	}
	return unknownURN
}
