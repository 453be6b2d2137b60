package lint

import (
	"regexp"

	"github.com/babelqueue/bqgen/internal/text"
)

// The last part is for what comes after a message that cannot be changed: its next version.
var urnShape = regexp.MustCompile(`^urn:babel(:[a-z0-9]+([._-][a-z0-9]+)*){2}(:v[0-9]+)?$`)

func urnForm(p *pass) {
	for _, u := range p.catalog.URNs {
		if !urnShape.MatchString(u.URN) {
			p.report(u.Pos, "write it in lower case as urn:babel:context:event, for new messages at least: a URN that is in use cannot change",
				"URN %s is not of the form urn:babel:context:event", text.Quote(u.URN))
		}
	}
}

func missingOwner(p *pass) {
	if p.catalog.Info.Owner == "" {
		p.report(p.catalog.Key("info"), "add info: {owner: TEAM}", "the catalog has no owner")
	}
}

func missingSummary(p *pass) {
	for _, u := range p.catalog.URNs {
		if u.Summary == "" {
			p.report(u.Pos, "add summary: a sentence that says what has happened", "URN %s has no summary", text.Quote(u.URN))
		}
	}
}

func missingExample(p *pass) {
	for _, u := range p.catalog.URNs {
		if len(u.Examples) == 0 {
			p.report(u.Pos, "add examples: a list of payloads", "URN %s has no example", text.Quote(u.URN))
		}
	}
}

func deprecatedWithoutSuccessor(p *pass) {
	for _, u := range p.catalog.URNs {
		if d := u.Deprecated; d != nil && d.Use == nil && d.Reason == "" {
			p.report(p.catalog.KeyUnder(u.Pos, "deprecated"), "add use: the URN that takes its place, or a reason why there is none",
				"URN %s is deprecated, and nothing says what to use instead", text.Quote(u.URN))
		}
	}
}

// A deprecated message may have lost its publishers first: that is how it goes.
func consumerWithoutPublisher(p *pass) {
	for _, u := range p.catalog.URNs {
		if len(u.Consumers) > 0 && len(u.Publishers) == 0 && u.Deprecated == nil {
			p.report(p.catalog.KeyUnder(u.Pos, "consumers"), "add publishers, or deprecate the URN",
				"URN %s has consumers, and nobody publishes it", text.Quote(u.URN))
		}
	}
}

func publisherWithoutConsumer(p *pass) {
	for _, u := range p.catalog.URNs {
		if len(u.Publishers) > 0 && len(u.Consumers) == 0 && u.Deprecated == nil {
			p.report(p.catalog.KeyUnder(u.Pos, "publishers"), "add consumers, or deprecate the URN",
				"URN %s is published, and nobody listens", text.Quote(u.URN))
		}
	}
}
