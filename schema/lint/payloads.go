package lint

import (
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
)

func unknownFormat(p *pass) {
	p.eachSchema(func(s *schema.Schema, property *schema.Property, _ bool) {
		if s.OtherFormat != "" {
			p.report(p.catalog.KeyIn(s.Pos, "format"), draft.FormatHint(s.OtherFormat),
				"format %s is not known and not checked", text.Quote(s.OtherFormat))
		}
	})
}

func unboundedString(p *pass) {
	p.eachSchema(func(s *schema.Schema, property *schema.Property, _ bool) {
		if s.Kind == schema.String && s.MaxLength == nil && s.Enum == nil && s.Const == nil && !bounded[s.Format] {
			p.report(place(s, property), "add maxLength", "%s has no maxLength", nameOf(property, "the string"))
		}
	})
}

// bounded are the formats whose values are always short.
var bounded = map[schema.Format]bool{
	schema.DateTime: true, schema.UUID: true, schema.Date: true, schema.TimeOfDay: true, schema.IPv4: true,
	schema.IPv6: true, schema.Hostname: true,
}

func unboundedArray(p *pass) {
	p.eachSchema(func(s *schema.Schema, property *schema.Property, _ bool) {
		if s.Kind == schema.Array && s.MaxItems == nil {
			p.report(place(s, property), "add maxItems", "%s has no maxItems", nameOf(property, "the array"))
		}
	})
}

func place(s *schema.Schema, property *schema.Property) schema.Pos {
	if property != nil && property.Schema == s {
		return property.Pos
	}
	return s.Pos
}

func nameOf(property *schema.Property, otherwise string) string {
	if property == nil {
		return otherwise
	}
	return "property " + text.Quote(property.Name)
}

var (
	moneyWords = []string{
		"amount", "price", "cost", "costs", "fee", "fees", "balance", "salary", "wage", "tax", "vat", "discount", "refund",
		"subtotal", "eur", "usd", "gbp", "chf",
	}
	// notMoney are words that rule money out: a tax rate is a number indeed, and so is a total weight.
	notMoney = []string{
		"rate", "percent", "percentage", "ratio", "factor", "share", "count", "number", "quantity", "id", "code", "weight",
		"kg", "g", "size", "length", "width", "height", "distance", "duration", "time", "seconds", "minutes", "hours", "days",
		"score", "points",
	}
)

func numberForMoney(p *pass) {
	p.eachSchema(func(s *schema.Schema, property *schema.Property, _ bool) {
		if property == nil || s.Resolve().Kind != schema.Number {
			return
		}
		name := words(property.Name)
		isTotal := len(name) > 0 && name[len(name)-1] == "total" // and not a total of something else
		if (isTotal || hasWord(name, moneyWords)) && !hasWord(name, notMoney) {
			p.report(place(s, property), "use {type: string, format: decimal}, or an integer of the smallest unit (cents)",
				"property %s looks like money but is a floating-point number", text.Quote(property.Name))
		}
	})
}

var (
	personalWords = []string{
		"email", "emails", "phone", "phones", "telephone", "iban", "ssn", "passport", "birthday", "birthdate", "dob",
		"surname", "firstname", "lastname",
	}
	personalPairs = []string{
		"e mail", "first name", "last name", "given name", "birth date", "date of birth",
		"phone number", "mobile number", "credit card", "card number", "national id", "tax id", "social security",
		"ip address", "bank account",
	}
	// notPersonal are words that rule personal data out: they are about a mail, not about where it goes.
	notPersonal = []string{
		"id", "count", "verified", "enabled", "template", "type", "status", "kind", "consent", "subject", "language",
		"locale", "sent", "format", "at",
	}
)

func personalData(p *pass) {
	p.eachSchema(func(s *schema.Schema, property *schema.Property, sensitive bool) {
		if property == nil || property.Schema != s || sensitive || isSensitive(s) || !holdsText(s) {
			return
		}
		name := words(property.Name)
		line := " " + strings.Join(name, " ") + " "
		pair := slices.ContainsFunc(personalPairs, func(pair string) bool { return strings.Contains(line, " "+pair+" ") })
		if pair || p.isFullName(property, line) || hasWord(name, personalWords) && !hasWord(name, notPersonal) {
			p.report(property.Pos, "add x-gdpr-sensitive: true, or a category such as contact",
				"property %s looks like personal data but is not marked", text.Quote(property.Name))
		}
	})
}

// personWords are words for people.
var personWords = []string{
	"account", "applicant", "author", "buyer", "client", "contact", "customer", "driver", "employee", "guest", "holder",
	"member", "owner", "participant", "passenger", "patient", "payee", "payer", "person", "profile", "recipient", "sender",
	"user",
}

// isFullName reports whether a property is the full or family name of a person. Repositories and packages have such
// names as well, so that it must be all of the name but a word for a person, and stand in a payload or in a person.
func (p *pass) isFullName(property *schema.Property, line string) bool {
	rest, ok := line, false
	for _, name := range []string{" full name ", " fullname ", " family name "} {
		if before, found := strings.CutSuffix(line, name); found {
			rest, ok = before, true
		}
	}
	around := p.around[property]
	switch {
	case !ok:
		return false
	case rest != "":
		return hasWord(strings.Fields(rest), personWords)
	}
	return around == "" || hasWord(words(around), personWords)
}

// isSensitive reports whether a schema is marked, where its references lead or in the items of its list.
func isSensitive(s *schema.Schema) bool {
	if marked(s) {
		return true
	}
	s = s.Resolve()
	return s.Kind == schema.Array && marked(s.Items) // a list of lists may be one of itself
}

func marked(s *schema.Schema) bool {
	for s.Sensitive == "" {
		if s.Kind != schema.Ref {
			return false
		}
		s = s.Target.Schema
	}
	return true
}

// holdsText reports whether a value could contain personal data. An email that is a boolean or one of a few words is a
// setting, and the properties of an object are checked under their own names.
func holdsText(s *schema.Schema) bool {
	s = s.Resolve()
	switch s.Kind {
	case schema.String, schema.Integer:
		return s.Enum == nil && s.Const == nil
	case schema.Array:
		items := s.Items.Resolve()
		return items.Kind != schema.Array && holdsText(items)
	}
	return false
}

func hasWord(name, list []string) bool {
	return slices.ContainsFunc(name, func(w string) bool { return slices.Contains(list, w) })
}
