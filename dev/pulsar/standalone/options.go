package standalone

import (
	"fmt"
	"io"
	"time"
)

// DefaultStartTimeout is how long a broker has to become ready. On an idle
// two-core machine it takes about six seconds.
const DefaultStartTimeout = 3 * time.Minute

// Options says how to run a broker. The zero value is a broker on free ports
// in a temporary folder.
type Options struct {
	// Dir is the folder for configuration, data and log, for one broker at a
	// time. It is created when it does not exist, and never removed; a later
	// broker started on it finds the messages again. Default: a new temporary
	// folder, removed by Stop.
	Dir string

	// Keep leaves the temporary folder in place after Stop. It changes nothing
	// when Dir is given.
	Keep bool

	// Log receives a line for each thing that takes long or goes wrong, such as
	// a download. Default: nothing is printed.
	Log io.Writer

	// BrokerPort and HTTPPort are the TCP ports on 127.0.0.1 to listen on. A
	// port that is taken is an error. Default (0): a free port.
	BrokerPort int
	HTTPPort   int

	// Config holds settings of Pulsar's broker.conf to add or to change, such
	// as maxMessageSize. Ports and addresses are not among them.
	Config map[string]string

	// StartTimeout bounds the time from launching the broker to its being
	// ready; what must be downloaded first is not counted. Default:
	// [DefaultStartTimeout].
	StartTimeout time.Duration

	// host is the machine as the package sees it; tests put another in.
	host *host
	// noPdeathsig leaves the end of an orphan to the watchdog alone.
	noPdeathsig bool
}

// check refuses options that cannot work.
func (o Options) check() error {
	for _, port := range []int{o.BrokerPort, o.HTTPPort} {
		if port < 0 || port > 65535 {
			return fmt.Errorf("port %d: must be between 0 and 65535", port)
		}
	}
	if o.BrokerPort != 0 && o.BrokerPort == o.HTTPPort {
		return fmt.Errorf("port %d: BrokerPort and HTTPPort must differ", o.BrokerPort)
	}
	if o.StartTimeout < 0 {
		return fmt.Errorf("StartTimeout %s: must not be negative", o.StartTimeout)
	}
	return checkSettings(o.Config)
}

// withDefaults fills in what was left out.
func (o Options) withDefaults() Options {
	if o.StartTimeout == 0 {
		o.StartTimeout = DefaultStartTimeout
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	if o.host == nil {
		o.host = thisHost()
	}
	return o
}

// logf writes one line to Log.
func (o Options) logf(format string, args ...any) {
	fmt.Fprintf(o.Log, "pulsar: "+format+"\n", args...)
}
