package envelope

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// An Envelope is a received body. It refers to the bytes it was parsed from, which must not change.
type Envelope struct {
	Job      string // the job member, as it came; empty when absent or not a string
	TraceID  string
	Data     []byte // the data member's bytes
	Meta     Meta
	Attempts int64 // the attempts member: 0 when absent or not a number, cut to an int32 (ACC-10, ATT-7)
	// Ignored are JSON Pointers to members that mean nothing although a producer may think so: forbidden ones, a job
	// that is not a usable string, an alias beside a job. They stay in the body (ENV-9, ENV-10, ENV-13).
	Ignored []string

	urn       string
	body      []byte
	empty     bool   // the object has no members
	attempts  span   // the value of the last attempts member
	closing   int    // the offset of the object's closing brace
	oldLetter []span // the dead_letter members, each with the comma that goes with it
}

// Meta is an envelope's meta member. What is missing or of a wrong type is the zero value (ACC-10).
type Meta struct {
	ID            string
	Queue         string
	Lang          string
	SchemaVersion string // the number's literal text
	CreatedAt     time.Time
}

// URN returns the message's identity: the job member or, when that is not a usable string, its alias urn (ENV-9,
// ENV-10). Blanks around it are not part of it (RTE-5).
func (e *Envelope) URN() string { return e.urn }

// Body returns the bytes that the envelope was parsed from.
func (e *Envelope) Body() []byte { return e.body }

type span struct{ start, end int }

// Parse reads a received body. An error says why the body is not accepted, which makes it poison (ACC-1, POI-2); the
// envelope is then what could be read of it, or nil when it is not a JSON object at all.
func Parse(body []byte) (*Envelope, error) {
	return parse(body, (*parser).accept)
}

func parse(body []byte, verdict func(*parser) error) (*Envelope, error) {
	p := &parser{Envelope: Envelope{body: body}}
	if err := p.object(); err != nil {
		return nil, err
	}
	p.keepTexts()
	p.identify()
	return &p.Envelope, verdict(p)
}

// A parser holds what is needed to judge an envelope but not to use it.
type parser struct {
	Envelope
	texts    [5][]byte // the string literals of the texts below, or nil
	alias    []byte
	hasJob   bool
	hasAlias bool
	hasData  bool
	hasMeta  bool
	version1 bool
}

// identify settles between job and its alias (ENV-9, ENV-10).
func (p *parser) identify() {
	if p.urn = Trim(p.Job); p.urn == "" {
		if p.alias != nil {
			p.urn = Trim(string(jsonwire.AppendUnquoted(nil, p.alias)))
		}
		if p.hasJob {
			p.Ignored = append(p.Ignored, "/job")
		}
		if p.hasAlias && p.urn == "" {
			p.Ignored = append(p.Ignored, "/urn")
		}
	} else if p.hasAlias {
		p.Ignored = append(p.Ignored, "/urn")
	}
}

var errNoIdentity = errors.New("no identity: neither job nor urn is a string that says something")

// accept applies ACC-3 to ACC-7.
func (p *parser) accept() error {
	switch {
	case p.urn == "":
		return errNoIdentity
	case !p.hasData:
		return errors.New("data is not an object")
	case !p.hasMeta:
		return errors.New("meta is not an object")
	case Blank(p.TraceID):
		return errors.New("trace_id is not a string that says something")
	case !p.version1:
		return errors.New("meta.schema_version is not 1")
	}
	return nil
}

// object reads the one JSON object that the body has to be (ACC-2).
func (p *parser) object() error {
	start := jsonwire.SkipSpace(p.body, 0)
	if start >= len(p.body) {
		return errors.New("the body is empty")
	}
	if p.body[start] != '{' {
		return errors.New("the body is not a JSON object")
	}
	kept := false // a member before this one stays when the old dead letter goes
	end, err := members(p.body, start, MaxDepth, func(name []byte, m member) {
		p.member(name, m)
		if string(name) == "dead_letter" {
			cut := span{m.start, m.next} // with the comma behind it
			if kept {
				cut = span{m.comma, m.value.end}
			}
			p.oldLetter = append(p.oldLetter, cut)
		} else {
			kept = true
		}
	})
	if err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	if rest := jsonwire.SkipSpace(p.body, end); rest < len(p.body) {
		return fmt.Errorf("the body goes on after its JSON object, at byte %d", rest)
	}
	p.closing = end - 1
	p.empty = jsonwire.SkipSpace(p.body, start+1) == p.closing
	return nil
}

// member takes a top-level member in. Of duplicates the last one wins (ACC-11), so each replaces what was there.
func (p *parser) member(name []byte, m member) {
	value := p.body[m.value.start:m.value.end]
	switch string(name) {
	case "job":
		p.hasJob = true
		p.texts[jobText] = literal(value)
	case "urn":
		p.hasAlias = true
		p.alias = literal(value)
	case "trace_id":
		p.texts[traceIDText] = literal(value)
	case "data":
		p.hasData = value[0] == '{'
		p.Data = value
	case "meta":
		p.hasMeta = value[0] == '{'
		p.meta(value)
	case "attempts":
		p.attempts = m.value
		p.Attempts = count(value)
	case "timestamp":
		p.forbidden("/timestamp")
	}
}

// forbidden notes a forbidden member, once (ENV-13).
func (p *parser) forbidden(pointer string) {
	if !slices.Contains(p.Ignored, pointer) {
		p.Ignored = append(p.Ignored, pointer)
	}
}

func (p *parser) meta(value []byte) {
	p.Meta, p.version1 = Meta{}, false
	clear(p.texts[idText:])
	p.Ignored = slices.DeleteFunc(p.Ignored, func(pointer string) bool { return strings.HasPrefix(pointer, "/meta/") })
	if value[0] != '{' {
		return
	}
	// The value has been scanned as part of the body, so it cannot fail here.
	_, _ = members(value, 0, MaxDepth, func(name []byte, m member) {
		v := value[m.value.start:m.value.end]
		switch string(name) {
		case "id":
			p.texts[idText] = literal(v)
		case "queue":
			p.texts[queueText] = literal(v)
		case "lang":
			p.texts[langText] = literal(v)
		case "schema_version":
			p.Meta.SchemaVersion, p.version1 = "", false
			if isNumber(v) {
				n, err := jsonwire.ParseInt64(v)
				p.version1 = err == nil && n == SchemaVersion // ACC-7, ACC-8
				p.Meta.SchemaVersion = string(v)
			}
		case "created_at":
			p.Meta.CreatedAt = time.Time{}
			if isNumber(v) {
				p.Meta.CreatedAt = time.UnixMilli(truncate(v))
			}
		default:
			if forbiddenMeta[string(name)] {
				p.forbidden("/meta/" + string(name))
			}
		}
	})
}

// The places in parser.texts; those of meta come last.
const (
	jobText = iota
	traceIDText
	idText
	queueText
	langText
)

// keepTexts turns the string literals into strings, with one allocation for all.
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

// literal returns a value that is a string, and nil for any other.
func literal(value []byte) []byte {
	if value[0] != '"' {
		return nil
	}
	return value
}

func isNumber(value []byte) bool { return value[0] == '-' || '0' <= value[0] && value[0] <= '9' }

// count reads attempts leniently (ACC-10, ATT-6, ATT-7).
func count(value []byte) int64 {
	if !isNumber(value) {
		return 0
	}
	return min(max(truncate(value), math.MinInt32), math.MaxInt32)
}

// truncate returns a number without its fraction, cut to an int64.
func truncate(number []byte) int64 {
	if n, err := jsonwire.ParseInt64(number); err == nil {
		return n
	}
	f, _ := strconv.ParseFloat(string(number), 64) // a number out of range is an infinity, with its sign
	switch {
	case f >= math.MaxInt64:
		return math.MaxInt64
	case f <= math.MinInt64:
		return math.MinInt64
	}
	return int64(f)
}
