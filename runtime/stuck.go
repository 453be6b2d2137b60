package bq

import (
	"fmt"
	"strings"
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
		parts = append(parts, fmt.Sprintf("%d handlers did not return in time:%s", len(e.Deliveries), named(e.Deliveries)))
	}
	if e.ClientCalls > 0 {
		parts = append(parts, fmt.Sprintf("%d calls of the Pulsar client did not return in time", e.ClientCalls))
	}
	if e.Observers {
		parts = append(parts, "the observers did not return in time")
	}
	return strings.Join(parts, "; ")
}
