package flow

import (
	"fmt"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// This file owns what a service of a queue does differently: which messages it acknowledges without handling them. It
// is pure.

// A Service is what a flow needs to know when it works for one of several services of a queue.
type Service struct {
	Queue       string          // the topic of the queue, which dead letters name (FAN-3)
	URNs        map[string]bool // all that the queue carries, and whether the service receives them
	SkipUnknown bool            // those that the queue does not carry are skipped, too
}

// The reasons why a service skips a message. They are not on the wire.
const (
	ForeignRetry envelope.Reason = "foreign_retry" // another consumer retries it (FAN-5)
	OtherService envelope.Reason = "other_service" // its URN is for other services (FAN-6)
)

// ignores reports whether a URN is not the service's, and why its messages are skipped then.
func (s *Service) ignores(urn string) (reason envelope.Reason, yes bool) {
	switch mine, known := s.URNs[urn]; {
	case !known: // FAN-7
		return envelope.UnknownURN, s.SkipUnknown
	default:
		return OtherService, !mine
	}
}

// sift marks a message that the service does not handle. With retriesAreForeign, the message comes from the queue's
// topic, where the service's own retries never are: one that says of itself that it was delivered before is another
// consumer's. The broker's redelivery count does not matter: it delivers our own messages again, too (FAN-5).
func (s *Service) sift(v *Verdict, properties map[string]string, routes Routes, retriesAreForeign bool) {
	told, handled := v.Told, v.Kind != IsUnhandled
	if v.Kind == IsEncrypted { // its properties are in clear
		told, _ = envelope.ParseAttempts(properties[envelope.PropertyAttempts])
		v.URN = envelope.Trim(properties[envelope.PropertyJob])
		handled = v.URN == "" || routes(v.URN) != nil
	}
	reason, ignored := s.ignores(v.URN)
	switch {
	case retriesAreForeign && told > 0:
		v.skip(ForeignRetry, foreignRetry(properties[envelope.PropertyAttempts], told))
	case !handled && ignored: // gated and poison are not: every service has its own copy of them (FAN-4)
		v.skip(reason, nil)
	}
}

// skip turns a verdict into that of a message that is acknowledged unseen.
func (v *Verdict) skip(reason envelope.Reason, err error) {
	v.Kind, v.Skip, v.Err, v.Handler, v.Mismatch = IsSkipped, reason, err, nil, false
}

// foreignRetry says where it stands that a message was delivered before.
func foreignRetry(property string, told int64) error {
	if n, ok := envelope.ParseAttempts(property); ok {
		return fmt.Errorf("another consumer retries it: its property %s is %d", envelope.PropertyAttempts, n)
	}
	return fmt.Errorf("another consumer retries it: attempts in its body is %d", told)
}

// seemsSkipped reports whether the properties alone suggest that a message is to be skipped. If so, it is classified
// when it is received, and needs no slot.
func (s *Service) seemsSkipped(properties map[string]string, routes Routes, retriesAreForeign bool) bool {
	if retriesAreForeign {
		if told, ok := envelope.ParseAttempts(properties[envelope.PropertyAttempts]); ok && told > 0 {
			return true
		}
	}
	urn := envelope.Trim(properties[envelope.PropertyJob])
	_, ignored := s.ignores(urn)
	return ignored && urn != "" && routes(urn) == nil
}
