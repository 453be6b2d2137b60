package flow

import (
	"fmt"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// This file owns what a delivery is, before a handler sees it. It is pure.

// A Kind says what a delivery is.
type Kind int

// The kinds of deliveries.
const (
	IsGated     Kind = iota + 1 // of another envelope version: not decoded, not routed (GATE-1, RTE-9)
	IsPoison                    // not an envelope that may be used (POI-2)
	IsUnhandled                 // nobody handles its URN
	IsRouted                    // there is a handler
	IsEncrypted                 // the consumer has no key for it, so nothing else is known
	IsSkipped                   // it is not for this service of the queue (FAN-5 to FAN-7)
	IsRecord                    // not an envelope, and there is a handler for what is none
)

// A Verdict is what is known of a delivery before a handler sees it.
type Verdict struct {
	Kind     Kind
	URN      string             // what it is routed by, trimmed; for gated and poison what its property says
	Handler  Handler            // IsRouted, IsRecord
	Envelope *envelope.Envelope // nil when gated, encrypted, a record or not a JSON object
	Attempts int64              // reconciled: deliveries before this one
	Told     int64              // the same as the message says it, whatever the broker counts
	Skip     envelope.Reason    // IsSkipped: why
	Mismatch bool               // property and body name different URNs (RTE-2)
	Err      error              // why it is not routed
}

// Routes returns the handler of a URN, or nil.
type Routes func(urn string) Handler

// Accept decides which bodies are accepted: envelope.Parse, or envelope.ParseByIdentity.
type Accept func(body []byte) (*envelope.Envelope, error)

// classify says what a delivery is. The order is gate, parse and accept, route (section 2 of the contract).
func classify(
	body []byte, properties map[string]string, redeliveries uint32, routes Routes, accept Accept,
) Verdict {
	v := Verdict{URN: envelope.Trim(properties[envelope.PropertyJob])}
	if version, yes := gated(properties); yes { // before anything looks at the body (GATE-9)
		v.Kind = IsGated
		v.count(properties, 0, redeliveries)
		v.Err = fmt.Errorf("envelope version %.64q is not supported", version) // cut: GATE-7
		return v
	}
	var err error
	if v.Envelope, err = accept(body); err != nil {
		v.Kind = IsPoison // whatever the properties say (RTE-7, IDV-2, IDV-3)
		// The body is not trusted (ATT-8).
		v.count(properties, 0, redeliveries)
		v.Err = fmt.Errorf("undecodable body: %w", err)
		return v
	}
	v.count(properties, v.Envelope.Attempts, redeliveries)
	v.Envelope.Attempts = v.Attempts // RTE-10
	if v.URN == "" {                 // RTE-3, RTE-4; otherwise the property wins (RTE-1, RTE-2)
		v.URN = v.Envelope.URN()
	}
	v.Mismatch = v.URN != v.Envelope.URN() // RTE-5, RTE-6: trimmed against trimmed, exactly
	if v.Handler = routes(v.URN); v.Handler == nil {
		v.Kind = IsUnhandled
		v.Err = fmt.Errorf("no handler for %.256q", v.URN)
		return v
	}
	v.Kind = IsRouted
	return v
}

// isHandled reports whether a handler is there for what the message is, and not only for unknown URNs.
func (v *Verdict) isHandled() bool { return v.Kind == IsRouted || v.Kind == IsRecord }

// asRecord turns poison into a record with this handler.
func (v *Verdict) asRecord(h Handler) {
	if v.Kind == IsPoison && h != nil {
		v.Kind, v.Handler, v.Envelope, v.Err = IsRecord, h, nil, nil
	}
}

// count notes how often the message was delivered before.
func (v *Verdict) count(properties map[string]string, body int64, redeliveries uint32) {
	v.Told = reconcile(properties[envelope.PropertyAttempts], body, 0)
	v.Attempts = max(v.Told, int64(redeliveries)) // ATT-4
}
