package envelope

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// Parse parses a received body. An error says why the body is not accepted, which makes it poison (ACC-1, POI-2); the
// envelope then contains what could be read of it, or is nil if the body is not a JSON object.
func Parse(body []byte) (*Envelope, error) {
	p, err := parse(body)
	if err != nil {
		return nil, err
	}
	return p.Envelope, p.accept()
}

// parse parses a body and does not decide whether it is accepted.
func parse(body []byte) (parser, error) {
	p := parser{Envelope: &Envelope{body: body}}
	if err := p.object(); err != nil {
		return parser{}, err
	}
	p.keepTexts()
	p.chooseURN()
	return p, nil
}

// A parser holds an envelope and what decides whether it is accepted.
type parser struct {
	*Envelope
	texts    [5][]byte // the string literals of the members listed below, or nil
	alias    []byte
	hasJob   bool
	hasAlias bool
	hasData  bool
	hasMeta  bool
	version1 bool
}

// chooseURN chooses between job and its alias (ENV-9, ENV-10).
func (p *parser) chooseURN() {
	if p.urn = Trim(p.Job); p.urn == "" {
		if p.alias != nil {
			p.urn = Trim(string(jsonwire.AppendUnquoted(nil, p.alias)))
		}
		if p.hasJob {
			p.Ignored = append(p.Ignored, "/"+contract.MemberJob)
		}
		if p.hasAlias && p.urn == "" {
			p.Ignored = append(p.Ignored, "/"+contract.MemberURN)
		}
	} else if p.hasAlias {
		p.Ignored = append(p.Ignored, "/"+contract.MemberURN)
	}
}

var errNoURN = errors.New("neither job nor urn is a non-blank string")

// accept returns why the body is not accepted, or nil.
func (p *parser) accept() error {
	switch {
	case p.urn == "": // ACC-3
		return errNoURN
	case !p.hasData: // ACC-4; for a body such as {"urn":"urn:x"}, ACC-9
		return errors.New("data is not an object")
	case !p.hasMeta: // ACC-5
		return errors.New("meta is not an object")
	case Blank(p.TraceID): // ACC-6
		return errors.New("trace_id is not a non-blank string")
	case !p.version1: // ACC-7, ACC-8
		return errors.New("meta.schema_version is not 1")
	}
	return nil
}

// object parses the one JSON object that the body must be (ACC-2).
func (p *parser) object() error {
	start := jsonwire.SkipSpace(p.body, 0)
	if start >= len(p.body) {
		return errors.New("the body is empty")
	}
	if p.body[start] != '{' {
		return errors.New("the body is not a JSON object")
	}
	keepsEarlier := false // a member before this one stays when an old dead_letter is removed
	end, err := members(p.body, start, MaxDepth, func(name []byte, m member) {
		p.member(name, m)
		switch {
		case string(name) != contract.MemberDeadLetter:
			keepsEarlier = true
		case keepsEarlier:
			p.oldBlocks = append(p.oldBlocks, span{m.comma, m.value.end}) // with the comma before it
		default:
			p.oldBlocks = append(p.oldBlocks, span{m.start, m.next}) // with the comma after it
		}
	})
	if err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	if rest := jsonwire.SkipSpace(p.body, end); rest < len(p.body) {
		return fmt.Errorf("the body has text after its JSON object, at byte %d", rest)
	}
	p.closing = end - 1
	p.empty = jsonwire.SkipSpace(p.body, start+1) == p.closing
	return nil
}

// member records a top-level member. The last of duplicates counts (ACC-11), so each replaces an earlier one.
func (p *parser) member(name []byte, m member) {
	value := p.body[m.value.start:m.value.end]
	switch string(name) {
	case contract.MemberJob:
		p.hasJob = true
		p.texts[jobText] = literal(value)
	case contract.MemberURN:
		p.hasAlias = true
		p.alias = literal(value)
	case contract.MemberTraceID:
		p.texts[traceIDText] = literal(value)
	case contract.MemberData:
		p.hasData = value[0] == '{'
		p.data = m.value
		p.Data = value
	case contract.MemberMeta:
		p.hasMeta = value[0] == '{'
		p.meta(value)
	case contract.MemberAttempts:
		p.attempts = m.value
		p.Attempts = count(value)
	case contract.MemberDeadLetter:
		p.block = m.value
	case forbiddenMember:
		p.forbidden("/" + forbiddenMember)
	}
}

// forbidden records a forbidden member, once (ENV-13).
func (p *parser) forbidden(pointer string) {
	if !slices.Contains(p.Ignored, pointer) {
		p.Ignored = append(p.Ignored, pointer)
	}
}

// meta parses the meta member. It replaces an earlier one completely (ACC-11).
func (p *parser) meta(value []byte) {
	p.Meta, p.version1 = Meta{}, false
	clear(p.texts[idText:])
	p.Ignored = slices.DeleteFunc(p.Ignored, func(pointer string) bool { return strings.HasPrefix(pointer, metaPointer) })
	if value[0] != '{' {
		return
	}
	// The value has been scanned as part of the body, so it cannot fail here.
	_, _ = members(value, 0, MaxDepth, func(name []byte, m member) {
		v := value[m.value.start:m.value.end]
		switch string(name) {
		case contract.MetaID:
			p.texts[idText] = literal(v)
		case contract.MetaQueue:
			p.texts[queueText] = literal(v)
		case contract.MetaLang:
			p.texts[langText] = literal(v)
		case contract.MetaSchemaVersion:
			p.Meta.SchemaVersion, p.version1 = "", false
			if isNumber(v) {
				n, err := jsonwire.ParseInt64(v)
				p.version1 = err == nil && n == SchemaVersion // ACC-7, ACC-8
				p.Meta.SchemaVersion = string(v)
			}
		case contract.MetaCreatedAt:
			p.Meta.CreatedAt = time.Time{}
			if isNumber(v) {
				p.Meta.CreatedAt = time.UnixMilli(truncate(v))
			}
		default:
			if forbiddenMeta[string(name)] {
				p.forbidden(metaPointer + string(name))
			}
		}
	})
}

const metaPointer = "/" + contract.MemberMeta + "/"

// The indexes of parser.texts. Those of meta come last.
const (
	jobText = iota
	traceIDText
	idText
	queueText
	langText
)

// keepTexts makes strings of the string literals, with one allocation for all.
func (p *parser) keepTexts() {
	var room [256]byte
	all := room[:0]
	var ends [len(p.texts)]int
	for i, quoted := range p.texts {
		if quoted != nil {
			all = jsonwire.AppendUnquoted(all, quoted)
		}
		ends[i] = len(all)
	}
	text, start := string(all), 0
	for i, s := range [...]*string{&p.Job, &p.TraceID, &p.Meta.ID, &p.Meta.Queue, &p.Meta.Lang} {
		*s = text[start:ends[i]]
		start = ends[i]
	}
}

// literal returns a value that is a string literal, and nil for any other value.
func literal(value []byte) []byte {
	if value[0] != '"' {
		return nil
	}
	return value
}

func isNumber(value []byte) bool { return value[0] == '-' || '0' <= value[0] && value[0] <= '9' }

// count parses attempts leniently (ACC-10, ATT-6, ATT-7).
func count(value []byte) int64 {
	if !isNumber(value) {
		return 0
	}
	return min(max(truncate(value), math.MinInt32), math.MaxInt32)
}

// truncate returns a number without its fraction, limited to the range of an int64.
func truncate(number []byte) int64 {
	if n, err := jsonwire.ParseInt64(number); err == nil {
		return n
	}
	f, _ := strconv.ParseFloat(string(number), 64) // out of range it is an infinity
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}
