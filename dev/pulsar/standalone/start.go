package standalone

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"
)

// startAttempts is how often other free ports are tried when another program
// took one in the seconds between choosing and listening.
const startAttempts = 4

// tailLines is how many lines of the log an error shows.
const tailLines = 20

// Start runs a broker and returns when it can be used. The first time on a
// machine it downloads about 235 MB of jars with Maven, for up to ten minutes.
//
// ctx bounds the start only; the broker then runs until [Broker.Stop] or until
// this program ends. The error is ErrUnavailable (errors.Is) when no broker
// can be had on this machine, and a [*StartError] with the end of the broker's
// log when one was launched and failed.
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
		o.logf("a port was taken by another program meanwhile, trying with others")
	}
}

// startOnce makes one attempt and leaves nothing of it behind when it fails,
// save the log.
func startOnce(ctx context.Context, o Options, l launcher) (*Broker, error) {
	s, err := newSite(o, l.bind())
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

// launch starts the process at the site and waits until it is ready. When it
// fails the process has ended.
func (b *Broker) launch(ctx context.Context, op string, again bool) error {
	ctx, cancel := b.options.host.withTimeout(ctx, b.options.StartTimeout,
		fmt.Errorf("gave up after %s", b.options.StartTimeout))
	defer cancel()
	p, err := b.launcher.launch(b.site, b.options, again)
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	if err := waitReady(ctx, b.site, p.done); err != nil {
		if errors.Is(err, errEnded) {
			err = errors.New(p.describeEnd())
			if portTaken.Match(readEnd(b.site.logPath(), 256<<10)) {
				err = fmt.Errorf("%w: %w", errPortTaken, err)
			}
		} else if errors.Is(err, errOtherBroker) {
			err = fmt.Errorf("%w: %w", errPortTaken, err)
		}
		return b.failed(op, errors.Join(err, b.launcher.kill(p)))
	}
	b.proc = p
	return nil
}

// failed is the error for a broker that failed with err.
func (b *Broker) failed(op string, err error) *StartError {
	return &StartError{Op: op, Err: err, LogPath: b.site.logPath(), Tail: tail(b.site.logPath(), tailLines)}
}

// discard clears up after a start that failed. The log stays unless nobody
// needs it: the start was called off, or the reason is known.
func (b *Broker) discard(unneeded bool) error {
	defer b.site.release()
	if unneeded {
		return errors.Join(b.launcher.remove(), b.site.remove())
	}
	return errors.Join(b.launcher.remove(), b.site.removeData())
}

// errPortTaken says that another program listens on one of the ports.
var errPortTaken = errors.New("a port is in use")

// portTaken recognises in the log, or in what docker prints, that a port could
// not be listened on.
var portTaken = regexp.MustCompile(`(?i)address already in use|failed to bind to|port is already allocated`)
