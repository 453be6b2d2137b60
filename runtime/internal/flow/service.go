package flow

import (
	"fmt"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// This file owns what a service of a queue does differently: which messages it acknowledges without handling them. It is
// pure.

// A Service is what a flow needs to know when it works for one of several services of a queue.
type Service struct {
	Queue       string              // the topic of the queue, which dead letters name (FAN-3)
	URNs        map[string]struct{} // all that the queue carries
	SkipUnknown bool                // those that it does not carry are skipped, too
}

// The reasons why a service skips a message. They are not on the wire.
const (
	ForeignRetry envelope.Reason = "foreign_retry" // another consumer retries it (FAN-5)
	OtherService envelope.Reason = "other_service" // its URN is for other services (FAN-6)
)

// carries reports whether the queue carries a URN.
func (s *Service) carries(urn string) bool {
	_, known := s.URNs[urn]
	return known
}

// sift marks a message that the service does not handle. With retriesAreForeign, the message comes from the queue's
// topic, where the service's own retries never are: one that says of itself that it was delivered before is another
// consumer's. The broker's redelivery count does not matter: it delivers our own messages again, too (FAN-5).
func (s *Service) sift(v *Verdict, properties map[string]string, routes Routes, retriesAreForeign bool) {
	told, handled := v.Told, v.Kind != IsUnhandled
	if v.Kind == IsEncrypted { // its properties are in clear
		told, _ = parseAttempts(properties[envelope.PropertyAttempts])
		v.URN = envelope.Trim(properties[envelope.PropertyJob])
		handled = v.URN == "" || routes(v.URN) != nil
	}
	switch {
	case retriesAreForeign && told > 0:
		v.skip(ForeignRetry, foreignRetry(properties[envelope.PropertyAttempts], told))
	case handled: // also gated and poison: every service has its own copy of them (FAN-4)
	case s.carries(v.URN):
		v.skip(OtherService, nil)
	case s.SkipUnknown && v.Kind == IsUnhandled: // FAN-7
		v.skip(envelope.UnknownURN, v.Err)
	}
}

// skip turns a verdict into that of a message that is acknowledged unseen.
func (v *Verdict) skip(reason envelope.Reason, err error) {
	v.Kind, v.Skip, v.Err, v.Handler, v.Mismatch = IsSkipped, reason, err, nil, false
}

// foreignRetry says where it stands that a message was delivered before.
func foreignRetry(property string, told int64) error {
	if n, ok := parseAttempts(property); ok {
		return fmt.Errorf("another consumer retries it: its property %s is %d", envelope.PropertyAttempts, n)
	}
	return fmt.Errorf("another consumer retries it: attempts in its body is %d", told)
}

// seemsSkipped reports whether the properties alone suggest that a message is to be skipped. If so, it is classified
// when it is received, and needs no slot.
func (s *Service) seemsSkipped(properties map[string]string, routes Routes, retriesAreForeign bool) bool {
	if retriesAreForeign {
		if told, ok := parseAttempts(properties[envelope.PropertyAttempts]); ok && told > 0 {
			return true
		}
	}
	urn := envelope.Trim(properties[envelope.PropertyJob])
	return urn != "" && routes(urn) == nil && (s.SkipUnknown || s.carries(urn))
}
