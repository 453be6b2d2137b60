package importer

import (
	"fmt"
	"slices"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
	"github.com/babelqueue/bqgen/schema/load"
)

const (
	// maxRounds is how often the catalog is loaded. Each round takes away something; what the loader could not see
	// because of it comes up in the next.
	maxRounds = 10
	// maxReread is how much text is loaded again, in bytes.
	maxReread = 3 << 20
	// maxTooLarge is the number of rounds in which a limit of the loader is exceeded. It says so of one place only,
	// and the next round can find another one.
	maxTooLarge = 2
)

// settle loads the catalog, and the check of the caller, until there is no error left. It takes away what they refuse.
// What is left after the last round is reported.
func (c *catalog) settle(name string, check func(*schema.Catalog) schema.Diagnostics) error {
	reread, tooLarge := 0, 0
	for round := 1; ; round++ {
		c.loosen()
		c.prune()
		p := &printer{line: 1, owners: map[int]owner{}}
		p.probe(c.tree())
		if c.isTooLarge(p) {
			return nil
		}
		text := []byte(p.String())
		loaded, findings := load.Parse(name, text)
		if loaded != nil && check != nil {
			findings = check(loaded)
		}
		if !findings.HasErrors() {
			return nil
		}
		if slices.ContainsFunc(findings, exceedsLimit) {
			tooLarge++
		}
		reread += len(text)
		last := round == maxRounds || reread > maxReread || tooLarge == maxTooLarge
		if last || !c.heed(findings, p.owners) {
			return c.giveUp(findings, p.owners)
		}
	}
}

// isTooLarge reports a catalog that the loader would not read.
func (c *catalog) isTooLarge(p *printer) bool {
	if p.Len() <= source.MaxSource {
		return false
	}
	c.faults.Report(c.messages[0].pos, schema.RuleTooLarge, "import less at once",
		"the catalog would be larger than %d MiB", source.MaxSource>>20)
	return true
}

func exceedsLimit(f schema.Diagnostic) bool {
	return f.Rule == schema.RuleTooLarge && f.Severity == schema.Error
}

// giveUp reports the errors at what they are about in the source.
func (c *catalog) giveUp(findings schema.Diagnostics, owners map[int]owner) error {
	for _, f := range findings {
		if f.Severity != schema.Error {
			continue
		}
		at := owners[f.Pos.Line].pos()
		if at.Line == 0 {
			return fmt.Errorf("write the catalog: %s", f.String())
		}
		c.faults.Report(at, f.Rule, f.Hint, "the catalog would be refused: %s", f.Message)
	}
	return nil
}

// heed takes away what errors are about. It reports false when there is nothing to take away.
func (c *catalog) heed(findings schema.Diagnostics, owners map[int]owner) bool {
	done := map[owner]bool{}
	for _, f := range findings {
		o := owners[f.Pos.Line]
		if f.Severity != schema.Error || done[o] {
			continue
		}
		done[o] = true
		if !c.heedOne(o, f) {
			return false
		}
	}
	return true
}

// heedOne takes away what one error is about. It reports false when there is nothing to take away.
func (c *catalog) heedOne(o owner, f schema.Diagnostic) bool {
	switch {
	case o.typ != nil && f.Rule == ruleNames:
		o.typ.name = c.names.take("", o.typ.name+"Type")
	case o.example != nil:
		c.faults.Warn(o.example.Pos, ruleFault, "correct it, or remove it", "an example is left out: %s", f.Message)
		o.message.remove(o.example)
	case o.shape != nil:
		return c.heedShape(o, f)
	case o.message != nil && o.message.goName == "" && f.Rule == ruleNames:
		o.message.goName = pascal(lastWords(o.message.urn)) + "Message"
	case o.queue != nil && o.queue.topic != "":
		c.losses = append(c.losses, Loss{o.queue.pos, "topic", f.Message})
		o.queue.topic = ""
	default:
		return false
	}
	return true
}

// ruleNames is the rule of findings about two Go names that are the same.
const ruleNames = "go-name-collision"

func (c *catalog) heedShape(o owner, f schema.Diagnostic) bool {
	reason := f.Message
	s, m := o.shape, o.shape.get(o.keyword)
	if o.parent != nil && o.parent.get("oneOf") != nil && f.Rule == schema.RuleOneOf {
		c.drop(o.parent, "oneOf", reason) // the branch is right, but not as a branch
		return true
	}
	switch {
	case s.isData && f.Rule == schema.RuleDataObject && s.get("oneOf") != nil:
		c.drop(s, "oneOf", reason)
		s.set(member{key: "type", pos: s.src.Pos, node: textNode(s.src.Pos, "object")})
	case m == nil && o.keyword != "":
		// It went with something else in this round.
	case m != nil && claims[m.key]:
		c.faults.Warn(m.pos, ruleFault, "correct it, or remove it", "%s is left out: %s", m.key, reason)
		s.remove(m.key)
	case m != nil && m.key != "type":
		c.drop(s, m.key, reason)
	case m != nil && !s.wide:
		c.widen(s, m.pos, m.key, reason)
	case !s.wide:
		c.widen(s, s.src.Pos, "schema", reason)
	case o.parent != nil && !o.parent.wide:
		c.widen(o.parent, o.parent.src.Pos, "schema", reason)
	default:
		return false
	}
	return true
}
