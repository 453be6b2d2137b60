package payload_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/runtime/payload"
)

// A link is a branch that contains a union of links.
type link struct {
	name string
	next *link
}

func (v *link) EncodeJSON(e *payload.Encoder) { e.String(v.name) }
func (v *link) Validate() error               { return nil }

func (v *link) DecodeJSON(d *payload.Decoder) {
	*v = link{}
	d.Require("name")
	for name := range d.Object {
		switch string(name) {
		case "name":
			d.String(&v.name)
		case "next":
			decodeLink(d, &v.next)
		}
	}
}

// anything is a checker that accepts all values.
type anything struct{}

func (anything) Check([]byte) []payload.Problem { return nil }

// An other is a branch that reads a link and then is none.
type other struct{ link }

func (v *other) DecodeJSON(d *payload.Decoder) {
	d.Require("missing")
	v.link.DecodeJSON(d)
}

func decodeLink(d *payload.Decoder, v **link) {
	*v = nil
	if !d.Fits(anything{}) {
		return
	}
	if b, ok := payload.Try[other](d); ok {
		*v = &b.link
	} else if b, ok := payload.Try[link](d); ok {
		*v = b
	} else {
		d.NoBranch()
	}
}

func chain(n int) string {
	return strings.Repeat(`{"name": "a", "next": `, n) + `{"name": "z"}` + strings.Repeat("}", n)
}

func TestTheFirstBranchThatFitsIsRead(t *testing.T) {
	var v *link
	err := payload.Unmarshal([]byte(chain(3)), func(d *payload.Decoder) { decodeLink(d, &v) })
	if err != nil || v == nil || v.next == nil || v.next.next.next.name != "z" {
		t.Errorf("%+v, %v", v, err)
	}
	err = payload.Unmarshal([]byte(`{"next": 1}`), func(d *payload.Decoder) { decodeLink(d, &v) })
	var broken *payload.Error
	if !errors.As(err, &broken) || broken.Violations[0].Rule != payload.RuleRange {
		t.Errorf("%v", err)
	}
}

// Each level tries two branches, and each branch reads all that is inside it again: that has a limit.
func TestTryingBranchesHasALimit(t *testing.T) {
	var v *link
	err := payload.Unmarshal([]byte(chain(200)), func(d *payload.Decoder) { decodeLink(d, &v) })
	var broken *payload.Error
	if !errors.As(err, &broken) || broken.Violations[0].Rule != payload.RuleDepth {
		t.Errorf("%v", err)
	}
}
