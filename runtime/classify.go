package bq

import (
	"fmt"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A verdictKind says what a delivery is.
type verdictKind int

const (
	isGated     verdictKind = iota + 1 // of another envelope version: not decoded, not routed (GATE-1, RTE-9)
	isPoison                           // not an envelope that may be used (POI-2)
	isUnhandled                        // nobody handles its URN
	isRouted                           // there is a handler
)

// A verdict is what is known of a delivery before a handler sees it.
type verdict struct {
	kind     verdictKind
	urn      string             // what it is routed by, trimmed; for gated and poison what its property says
	route    Route              // isRouted
	envelope *envelope.Envelope // nil when gated or not a JSON object
	attempts int64              // reconciled: deliveries before this one
	mismatch bool               // property and body name different URNs (RTE-2)
	err      error              // why it is not routed
}

// An acceptance decides which bodies are accepted: envelope.Parse, or envelope.ParseByIdentity.
type acceptance func(body []byte) (*envelope.Envelope, error)

// classify says what a delivery is. The order is gate, parse and accept, route (section 2 of the contract).
func classify(body []byte, properties map[string]string, redeliveries uint32, routes RouteSet, accept acceptance) verdict {
	v := verdict{urn: envelope.Trim(properties[envelope.PropertyJob])}
	if version, yes := gated(properties); yes {
		v.kind = isGated
		v.attempts = reconcile(properties[envelope.PropertyAttempts], 0, redeliveries)
		v.err = fmt.Errorf("envelope version %.64q is not supported", version) // cut: GATE-7
		return v
	}
	var err error
	if v.envelope, err = accept(body); err != nil {
		v.kind = isPoison                                                              // whatever the properties say (RTE-7)
		v.attempts = reconcile(properties[envelope.PropertyAttempts], 0, redeliveries) // ATT-8: the body is not trusted
		v.err = fmt.Errorf("undecodable body: %w", err)
		return v
	}
	v.attempts = reconcile(properties[envelope.PropertyAttempts], v.envelope.Attempts, redeliveries)
	v.envelope.Attempts = v.attempts // RTE-10
	if v.urn == "" {                 // RTE-3, RTE-4; otherwise the property wins (RTE-1, RTE-2)
		v.urn = v.envelope.URN()
	}
	v.mismatch = v.urn != v.envelope.URN() // RTE-5, RTE-6: trimmed against trimmed, exactly
	var found bool
	if v.route, found = routes.byURN[v.urn]; !found {
		v.kind = isUnhandled
		v.err = fmt.Errorf("no handler for %.256q", v.urn)
		return v
	}
	v.kind = isRouted
	return v
}
