package standalone

import (
	"fmt"
	"strings"
)

// StartError reports a broker that was launched and did not become ready, or that ended by itself. Its text contains
// the path of the log and the log's last lines.
type StartError struct {
	// Op is the operation that failed: "start pulsar", "restart pulsar" or "stop pulsar".
	Op string
	// Err is the reason.
	Err error
	// LogPath is the broker's log, which is kept.
	LogPath string
	// Tail is the end of that log.
	Tail []string
}

func (e *StartError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %v (log: %s)", e.Op, e.Err, e.LogPath)
	for _, line := range e.Tail {
		b.WriteString("\n\t")
		b.WriteString(line)
	}
	return b.String()
}

// Unwrap returns the reason.
func (e *StartError) Unwrap() error { return e.Err }
