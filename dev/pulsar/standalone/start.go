package standalone

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"
)

// startAttempts is how often Start tries free ports: another program may take a port after it was chosen.
const startAttempts = 4

// tailLines is the number of lines of the log that an error shows.
const tailLines = 20

// Start runs a broker and returns when it is ready. The first time on a machine it downloads about 235 MB of jars with
// Maven, which may take up to ten minutes.
//
// ctx bounds the start only; the broker then runs until [Broker.Stop] is called or this program ends. The error matches
// [ErrUnavailable] if this machine cannot run a broker. It is a [*StartError] with the end of the broker's log if the
// broker was launched and failed.
func Start(ctx context.Context, o Options) (*Broker, error) {
	if err := o.check(); err != nil {
		return nil, fmt.Errorf("start pulsar: %w", err)
	}
	o = o.withDefaults()
	l, err := o.host.chooseLauncher(ctx)
	if err != nil {
		return nil, fmt.Errorf("start pulsar: %w", err)
	}
	if err := l.prepare(ctx, o); err != nil {
		return nil, fmt.Errorf("start pulsar: %w", err)
	}
	o.logf("starting Apache Pulsar %s with %s", Version, l.describe())
	for attempt := 1; ; attempt++ {
		b, err := startOnce(ctx, o, l)
		if err == nil {
			return b, nil
		}
		if attempt == startAttempts || !errors.Is(err, errPortTaken) || (o.BrokerPort != 0 && o.HTTPPort != 0) {
			return nil, err
		}
		o.logf("another program has taken a port, trying others")
	}
}

// startOnce makes one attempt. If it fails, only the log is left behind.
func startOnce(ctx context.Context, o Options, l *javaLauncher) (*Broker, error) {
	s, err := newSite(o)
	if err != nil {
		return nil, fmt.Errorf("start pulsar: %w", err)
	}
	b := &Broker{options: o, launcher: l, site: s}
	began := time.Now()
	if err := b.launch(ctx, "start pulsar", false); err != nil {
		unneeded := errors.Is(ctx.Err(), context.Canceled) || errors.Is(err, errPortTaken)
		if cleanup := b.discard(unneeded); cleanup != nil {
			o.logf("after a failed start: %v", cleanup)
		}
		return nil, err
	}
	o.logf("ready after %.1f s at %s", time.Since(began).Seconds(), s.serviceURL())
	return b, nil
}

// launch starts the process at the site and waits until it is ready. If launch fails, the process has ended.
func (b *Broker) launch(ctx context.Context, op string, again bool) error {
	ctx, cancel := b.options.host.withTimeout(ctx, b.options.StartTimeout,
		fmt.Errorf("gave up after %s", b.options.StartTimeout))
	defer cancel()
	p, err := b.launcher.launch(b.site, b.options, again)
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	if err := waitReady(ctx, b.site, b.options.AdminToken, p.done); err != nil {
		if errors.Is(err, errEnded) {
			err = errors.New(p.describeEnd())
			if portTaken.Match(readEnd(b.site.logPath(), 256<<10)) {
				err = fmt.Errorf("%w: %w", errPortTaken, err)
			}
		} else if errors.Is(err, errOtherBroker) {
			err = fmt.Errorf("%w: %w", errPortTaken, err)
		}
		return b.failed(op, errors.Join(err, p.kill()))
	}
	b.proc = p
	return nil
}

// failed returns the error for a broker that failed with err.
func (b *Broker) failed(op string, err error) *StartError {
	return &StartError{Op: op, Err: err, LogPath: b.site.logPath(), Tail: tail(b.site.logPath(), tailLines)}
}

// discard clears up after a failed start. The log is kept unless it is unneeded: the start was cancelled, or the reason
// is known.
func (b *Broker) discard(unneeded bool) error {
	defer b.site.release()
	if unneeded {
		return b.site.remove()
	}
	return b.site.removeData()
}

// errPortTaken reports that another program listens on one of the ports.
var errPortTaken = errors.New("a port is in use")

// portTaken matches lines of the log about a port that is in use.
var portTaken = regexp.MustCompile(`(?i)address already in use|failed to bind to`)
