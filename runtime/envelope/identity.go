package envelope

import (
	"fmt"
	"strconv"

	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// ParseByIdentity is Parse with the identity verdict of other SDKs (IDV-1) in place of ACC-3 to ACC-7: a body is
// poison when it has no identity, when any occurrence of a known member is of a wrong type, or when a number in data is
// beyond a double. It does not look at the schema version, a blank trace id or missing data, which it reads as {}.
func ParseByIdentity(body []byte) (*Envelope, error) {
	return parse(body, func(p *parser) error {
		if err := checkTypes(p.body[jsonwire.SkipSpace(p.body, 0):], ""); err != nil {
			return err
		}
		if p.urn == "" {
			return errNoIdentity
		}
		if !p.hasData {
			p.Data = []byte("{}")
		}
		return nil
	})
}

// A memberType is what a known member has to be; null will always do.
type memberType int

const (
	anyType memberType = iota
	stringType
	integerType // a literal without fraction and exponent that fits an int64
	objectType
	finiteType // an object whose numbers are finite doubles
)

var envelopeTypes = map[string]memberType{
	"/trace_id": stringType, "/attempts": integerType, "/data": finiteType, "/meta": objectType, "/dead_letter": objectType,
	"/meta/id": stringType, "/meta/queue": stringType, "/meta/lang": stringType,
	"/meta/schema_version": integerType, "/meta/created_at": integerType,
	"/dead_letter/reason": stringType, "/dead_letter/error": stringType, "/dead_letter/exception": stringType,
	"/dead_letter/original_queue": stringType, "/dead_letter/lang": stringType,
	"/dead_letter/failed_at": integerType, "/dead_letter/attempts": integerType,
}

// checkTypes checks every occurrence of the known members of an object that has been scanned before.
func checkTypes(object []byte, prefix string) error {
	var wrong error
	_, err := members(object, 0, MaxDepth, func(name []byte, m member) {
		if wrong != nil {
			return
		}
		at := prefix + "/" + pointer.Escape(string(name))
		value := object[m.value.start:m.value.end]
		if kind, known := envelopeTypes[at]; !known || value[0] == 'n' {
			return
		} else if !kind.fits(value) {
			wrong = fmt.Errorf("%s is of a wrong type", at)
			return
		}
		if prefix == "" && value[0] == '{' && at != "/data" {
			wrong = checkTypes(value, at)
		}
	})
	if err != nil {
		return err
	}
	return wrong
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
	case finiteType:
		return value[0] == '{' && finite(value)
	}
	return true
}

// finite reports whether each number in a scanned value is a finite double.
func finite(value []byte) bool {
	for i := 0; i < len(value); {
		switch c := value[i]; {
		case c == '"':
			i, _, _ = jsonwire.ScanString(value, i)
		case c == '-' || '0' <= c && c <= '9':
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
