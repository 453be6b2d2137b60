package envelope

import (
	"fmt"
	"strconv"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// ParseByIdentity is [Parse] with the identity verdict of other SDKs (IDV-1) instead of ACC-3 to ACC-7. A body is
// poison if it has no URN, if any occurrence of a known member has the wrong type, or if a number in data is not a
// finite double. The schema version and the trace id do not matter, and missing data is read as {}.
func ParseByIdentity(body []byte) (*Envelope, error) {
	p, err := parse(body)
	if err != nil {
		return nil, err
	}
	return p.Envelope, p.acceptIdentity()
}

func (p *parser) acceptIdentity() error {
	object := p.body[jsonwire.SkipSpace(p.body, 0):]
	if err := checkTypes(object, "", envelopeTypes); err != nil {
		return err
	}
	if p.urn == "" {
		return errNoURN
	}
	if !p.hasData {
		p.Data = []byte("{}")
	}
	return nil
}

// A memberType is the type that a known member must have; null is accepted for each.
type memberType int

const (
	stringType  memberType = iota + 1
	integerType            // a literal without fraction and exponent that fits an int64
	objectType
	finiteType // an object whose numbers are finite doubles
)

// The types of the known members of an envelope, of its meta and of its dead_letter.
var (
	envelopeTypes = map[string]memberType{
		contract.MemberTraceID:    stringType,
		contract.MemberAttempts:   integerType,
		contract.MemberData:       finiteType,
		contract.MemberMeta:       objectType,
		contract.MemberDeadLetter: objectType,
	}
	metaTypes = map[string]memberType{
		contract.MetaID:            stringType,
		contract.MetaQueue:         stringType,
		contract.MetaLang:          stringType,
		contract.MetaSchemaVersion: integerType,
		contract.MetaCreatedAt:     integerType,
	}
	deadLetterTypes = map[string]memberType{
		contract.DeadLetterReason:        stringType,
		contract.DeadLetterError:         stringType,
		contract.DeadLetterException:     stringType,
		contract.DeadLetterOriginalQueue: stringType,
		contract.DeadLetterLang:          stringType,
		contract.DeadLetterFailedAt:      integerType,
		contract.DeadLetterAttempts:      integerType,
	}
)

// checkTypes checks every occurrence of the known members of an object that has been scanned before. prefix is the JSON
// Pointer of the object.
func checkTypes(object []byte, prefix string, types map[string]memberType) (wrong error) {
	_, err := members(object, 0, MaxDepth, func(name []byte, m member) {
		value := object[m.value.start:m.value.end]
		if wrong == nil {
			wrong = checkType(string(name), value, prefix, types)
		}
	})
	if err != nil {
		return err
	}
	return wrong
}

func checkType(name string, value []byte, prefix string, types map[string]memberType) error {
	want, known := types[name]
	if !known || value[0] == 'n' {
		return nil
	}
	at := prefix + pointer.Join(name)
	if !want.fits(value) {
		return fmt.Errorf("%s has the wrong type", at)
	}
	switch {
	case want != objectType:
		return nil
	case name == contract.MemberMeta:
		return checkTypes(value, at, metaTypes)
	default:
		return checkTypes(value, at, deadLetterTypes)
	}
}

func (t memberType) fits(value []byte) bool {
	switch t {
	case stringType:
		return value[0] == '"'
	case integerType:
		_, err := strconv.ParseInt(string(value), 10, 64)
		return err == nil
	case objectType:
		return value[0] == '{'
	default:
		return value[0] == '{' && finite(value)
	}
}

// finite reports whether every number in a scanned value is a finite double.
func finite(value []byte) bool {
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			i, _, _ = jsonwire.ScanString(value, i)
		case isNumber(value[i:]):
			end, _ := jsonwire.ScanNumber(value, i)
			if _, err := strconv.ParseFloat(string(value[i:end]), 64); err != nil {
				return false
			}
			i = end
		default:
			i++
		}
	}
	return true
}
