package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"github.com/babelqueue/bqgen/dev/pulsar/standalone"
)

// The default ports of Pulsar.
const (
	defaultBrokerPort = 6650
	defaultHTTPPort   = 8080
)

// stopTimeout bounds stopping a broker. It is longer than the broker's grace period.
const stopTimeout = 30 * time.Second

// runBroker implements the command run: a broker in the foreground.
func (p *program) runBroker(args []string) int {
	options := standalone.Options{Log: p.stderr}
	flags := p.flagSet("run")
	port := flags.Int("port", 0, "port for Pulsar clients (default 6650, or a free port if it is in use)")
	httpPort := flags.Int("http-port", 0, "port of the admin endpoint (default 8080, or a free port if it is in use)")
	flags.StringVar(&options.Dir, "dir", "", "folder to keep the data in (default: a temporary folder)")
	if code, ok := parse(flags, args); !ok {
		return code
	}
	if flags.NArg() > 0 {
		return p.fail("run: unexpected argument %q", flags.Arg(0))
	}
	options.BrokerPort = p.portOrFree(*port, defaultBrokerPort)
	options.HTTPPort = p.portOrFree(*httpPort, defaultHTTPPort)

	ctx, stop := p.interruptible()
	defer stop()
	broker, err := standalone.Start(ctx, options)
	if err != nil {
		if code, ok := p.interrupted(ctx); ok {
			return code
		}
		return p.fail("%v", err)
	}
	fmt.Fprintf(p.stdout, "service URL  %s\nadmin URL    %s\nfolder       %s\nlog          %s\nctrl-C stops it\n",
		broker.ServiceURL(), broker.AdminURL(), broker.Dir(), broker.LogPath())
	select {
	case <-ctx.Done():
	case <-broker.Ended():
	}
	fmt.Fprintln(p.stderr, "pulsar: stopping")
	if err := stopBroker(broker); err != nil {
		return p.fail("%v", err)
	}
	// Being told to stop is the normal end of this command.
	return exitOK
}

// portOrFree returns the given port, or the usual one if none is given and it is free, or else 0 for any free port.
func (p *program) portOrFree(given, usual int) int {
	switch {
	case given != 0:
		return given
	case standalone.PortFree(usual):
		return usual
	default:
		fmt.Fprintf(p.stderr, "pulsar: port %d is in use, using a free one\n", usual)
		return 0
	}
}

// stopBroker stops the broker, also when the program was interrupted.
func stopBroker(b *standalone.Broker) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return b.Stop(ctx)
}

// flagSet returns an empty set of flags for a command.
func (p *program) flagSet(name string) *flag.FlagSet {
	flags := flag.NewFlagSet("pulsar "+name, flag.ContinueOnError)
	flags.SetOutput(p.stderr)
	return flags
}

// parse parses the flags. If the command must not continue, ok is false and code its exit code; the flag package has
// printed why.
func parse(flags *flag.FlagSet, args []string) (code int, ok bool) {
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitOK, false
	case err != nil:
		return exitFailed, false
	}
	return 0, true
}
