package bq

import (
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// A StuckError says what did not end in time when the consumer was stopped.
type StuckError struct {
	// Deliveries are the messages whose handlers have not returned. They are not settled: Pulsar delivers them again.
	Deliveries []Delivery
	// ClientCalls counts the acknowledgements that the Pulsar client has not returned from, at most two per partition.
	ClientCalls int
	// Observers says that observers were not told everything, because one of them did not return.
	Observers bool
}

func (e *StuckError) Error() string {
	var parts []string
	if len(e.Deliveries) > 0 {
		var b strings.Builder
		fmt.Fprintf(&b, "%d handlers did not return in time:", len(e.Deliveries))
		for i, d := range e.Deliveries {
			if i == 10 {
				fmt.Fprintf(&b, " and %d more", len(e.Deliveries)-i)
				break
			}
			fmt.Fprintf(&b, " %s (%s)", text.Shorten(d.URN, maxLogValue), text.Shorten(d.ID, maxLogValue))
		}
		parts = append(parts, b.String())
	}
	if e.ClientCalls > 0 {
		parts = append(parts, fmt.Sprintf("%d calls of the Pulsar client did not return in time", e.ClientCalls))
	}
	if e.Observers {
		parts = append(parts, "the observers did not return in time")
	}
	return strings.Join(parts, "; ")
}
