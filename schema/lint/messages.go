package lint

import (
	"regexp"

	"github.com/babelqueue/bqgen/internal/text"
)

// urnShape allows for a version at the end: a message that cannot be changed is followed by its next version.
var urnShape = regexp.MustCompile(`^urn:babel(:[a-z0-9]+([._-][a-z0-9]+)*){2}(:v[0-9]+)?$`)

func urnForm(p *pass) {
	for _, u := range p.catalog.URNs {
		if !urnShape.MatchString(u.URN) {
			p.report(u.Pos, "write new URNs in lower case as urn:babel:context:event; a URN that is in use cannot change",
				"URN %s does not have the form urn:babel:context:event", text.Quote(u.URN))
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
			p.report(u.Pos, "add summary: one sentence about what happened", "URN %s has no summary", text.Quote(u.URN))
		}
	}
}

func missingExample(p *pass) {
	for _, u := range p.catalog.URNs {
		if len(u.Examples) == 0 {
			p.report(u.Pos, "add examples: [PAYLOAD]", "URN %s has no example", text.Quote(u.URN))
		}
	}
}

func deprecatedWithoutSuccessor(p *pass) {
	for _, u := range p.catalog.URNs {
		if d := u.Deprecated; d != nil && d.Use == nil && d.Reason == "" {
			p.report(p.catalog.KeyUnder(u.Pos, "deprecated"), "add use: URN for its successor, or reason: why it has none",
				"URN %s is deprecated without a successor", text.Quote(u.URN))
		}
	}
}

// A deprecated message may have no publishers left: they are the first to go.
func consumerWithoutPublisher(p *pass) {
	for _, u := range p.catalog.URNs {
		if len(u.Consumers) > 0 && len(u.Publishers) == 0 && u.Deprecated == nil {
			p.report(p.catalog.KeyUnder(u.Pos, "consumers"), "add publishers, or deprecate the URN",
				"URN %s has consumers but no publisher", text.Quote(u.URN))
		}
	}
}

func publisherWithoutConsumer(p *pass) {
	for _, u := range p.catalog.URNs {
		if len(u.Publishers) > 0 && len(u.Consumers) == 0 && u.Deprecated == nil {
			p.report(p.catalog.KeyUnder(u.Pos, "publishers"), "add consumers, or deprecate the URN",
				"URN %s has publishers but no consumer", text.Quote(u.URN))
		}
	}
}
