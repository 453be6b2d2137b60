package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/connect"
	"github.com/babelqueue/bqgen/internal/topology"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

// A connecting is the flags of the commands that talk to a Pulsar cluster.
type connecting struct {
	catalog   string
	namespace string
	format    string
	debug     bool
	texts     map[string]*string
	switches  map[string]*bool
	config    *connect.Config // once it is resolved

	subscriptions           []string
	deadLetterSubscriptions []string
}

// connectionHelp ends the help of a command that connects.
const connectionHelp = `

The connection is taken from flags, from environment variables (PULSAR_SERVICE_URL for --service-url, and so on) and
from a client.conf of Pulsar's tools, value by value in this order.`

func (c *connecting) flags(cmd *cobra.Command) {
	catalogFlag(cmd, &c.catalog)
	f := cmd.Flags()
	f.StringVar(&c.namespace, "namespace", "", "`TENANT/NAMESPACE` of the topics that the catalog writes without one")
	f.StringVar(&c.format, "format", "text", "`FORMAT` of the output: text or json")
	f.BoolVar(&c.debug, "debug", false, "show where the connection's values come from, and the Pulsar client's log")
	c.texts, c.switches = map[string]*string{}, map[string]*bool{}
	for _, s := range connect.Settings() {
		if s.Bool {
			c.switches[s.Name] = f.Bool(s.Name, false, s.Usage)
		} else {
			c.texts[s.Name] = f.String(s.Name, "", s.Usage)
		}
	}
}

// subscriptionFlag tells the names of subscriptions that are not the contract's.
func (c *connecting) subscriptionFlag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&c.subscriptions, "subscription", nil,
		"the `NAME` that consumers have from bq.WithSubscription, or QUEUE=NAME; may be repeated")
}

// deadLetterSubscriptionFlag is subscriptionFlag for dead letters.
func (c *connecting) deadLetterSubscriptionFlag(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&c.deadLetterSubscriptions, "dead-letter-subscription", nil,
		"the `NAME` that consumers have from bq.WithDeadLetterSubscription, or QUEUE=NAME; may be repeated")
}

func (c *connecting) isJSON() bool { return c.format == "json" }

// check refuses an unknown format.
func (c *connecting) check(cmd *cobra.Command) error {
	if c.format != "text" && c.format != "json" {
		return &usageError{cmd.CommandPath(), fmt.Errorf("--format: there is no format %q: use text or json", c.format)}
	}
	return nil
}

// resolve decides how to connect, once.
func (c *connecting) resolve(cmd *cobra.Command) (*connect.Config, error) {
	if c.config != nil {
		return c.config, nil
	}
	given := map[string]string{}
	for name, text := range c.texts {
		if cmd.Flags().Changed(name) {
			given[name] = *text
		}
	}
	for name, on := range c.switches {
		if cmd.Flags().Changed(name) {
			given[name] = fmt.Sprint(*on)
		}
	}
	config, err := connect.Resolve(given, os.LookupEnv)
	if err != nil {
		return nil, &usageError{cmd.CommandPath(), err}
	}
	for _, w := range config.Warnings {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", w)
	}
	if c.debug {
		for _, line := range config.Explain() {
			fmt.Fprintln(cmd.ErrOrStderr(), line)
		}
	}
	c.config = config
	return config, nil
}

// pulsar connects to the broker.
func (c *connecting) pulsar(ctx context.Context, cmd *cobra.Command, config *connect.Config) (pulsar.Client, error) {
	var log *slog.Logger
	if c.debug {
		log = slog.New(slog.NewTextHandler(config.HideSecrets(cmd.ErrOrStderr()),
			&slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return config.Client(ctx, log)
}

// admin returns the admin API.
func (c *connecting) admin(config *connect.Config) (*admin.API, error) {
	if err := config.NeedAdmin(); err != nil {
		return nil, err
	}
	transport, err := config.Transport()
	if err != nil {
		return nil, err
	}
	return admin.New(config.Get(connect.AdminURL), transport)
}

// topology loads the catalog. Its findings are printed if one is an error.
func (c *connecting) topology(cmd *cobra.Command) (*topology.Topology, error) {
	catalog, err := loadCatalog(cmd, c.catalog)
	if err != nil {
		return nil, err
	}
	t, err := topology.Of(catalog, c.namespace)
	if err != nil {
		return nil, &usageError{cmd.CommandPath(), err}
	}
	if err := t.NameSubscriptions(c.subscriptions); err != nil {
		return nil, &usageError{cmd.CommandPath(), fmt.Errorf("--subscription: %w", err)}
	}
	if err := t.NameDeadLetterSubscriptions(c.deadLetterSubscriptions); err != nil {
		return nil, &usageError{cmd.CommandPath(), fmt.Errorf("--dead-letter-subscription: %w", err)}
	}
	return t, nil
}

// loadCatalog loads a catalog for a command that prints something else than findings on standard output.
func loadCatalog(cmd *cobra.Command, path string) (*schema.Catalog, error) {
	catalog, findings, err := load.Load(path)
	if err != nil {
		return nil, err
	}
	if catalog == nil || findings.HasErrors() {
		for _, f := range findings {
			fmt.Fprintln(cmd.ErrOrStderr(), f)
		}
		return nil, errFindings
	}
	return catalog, nil
}

// interruptible returns a context that ends at the first ctrl-C, SIGTERM or SIGHUP. The second one ends the process.
func interruptible(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	parent := cmd.Context()
	if parent == nil {
		parent = context.Background()
	}
	ctx, stop := signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}
