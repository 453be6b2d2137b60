package standalone

import (
	"fmt"
	"io"
	"time"
)

// DefaultStartTimeout is how long a broker may take to become ready. On an idle two-core machine it takes about six
// seconds.
const DefaultStartTimeout = 3 * time.Minute

// Options configures a broker. The zero value is a broker on free ports in a temporary folder.
type Options struct {
	// Dir is the folder for configuration, data and log. It is created if it does not exist, and never removed. Only one
	// broker may use it at a time; a later one finds the messages again. Default: a new temporary folder, removed by Stop.
	Dir string

	// Keep makes Stop keep the temporary folder. It has no effect if Dir is set.
	Keep bool

	// Log receives a line about everything that takes long or goes wrong, such as a download. Default: nothing is printed.
	Log io.Writer

	// BrokerPort and HTTPPort are the TCP ports on 127.0.0.1 to listen on. It is an error if one is in use. Default (0): a
	// free port.
	BrokerPort int
	HTTPPort   int

	// Config adds or overrides settings of Pulsar's broker.conf, such as maxMessageSize. Ports and addresses cannot be
	// set.
	Config map[string]string

	// AdminToken is the token of a superuser, for a Config that turns on authentication. Default: none.
	AdminToken string

	// StartTimeout bounds the time from launching the broker until it is ready, without downloads. Default:
	// [DefaultStartTimeout].
	StartTimeout time.Duration

	// host is the machine; tests replace it.
	host *host
	// noPdeathsig makes the watchdog alone end an orphan; for tests.
	noPdeathsig bool
}

// check rejects options that cannot work.
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

// withDefaults returns the options with defaults filled in.
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
