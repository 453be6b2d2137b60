package lint

import (
	"strings"
	"unicode"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// words splits a name at separators and at the humps of camel case. The words are in lower case.
func words(name string) []string {
	var all []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			all = append(all, strings.ToLower(string(word)))
			word = word[:0]
		}
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0:
			afterLower := unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1])
			beforeLower := i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])
			if afterLower || beforeLower {
				flush()
			}
		}
		word = append(word, r)
	}
	flush()
	return all
}

// styleOf returns the naming style of a name. It is empty for a single lower-case word, which fits several.
func styleOf(name string) string {
	lower, upper := strings.ToLower(name) == name, strings.ToUpper(name) == name
	first := []rune(name + " ")[0]
	switch {
	case strings.ContainsRune(name, '_') && lower:
		return "snake_case"
	case strings.ContainsRune(name, '_') && upper:
		return "UPPER_CASE"
	case strings.ContainsRune(name, '-') && lower:
		return "kebab-case"
	case strings.ContainsAny(name, "_-"):
		return "Mixed_case"
	case lower:
		return ""
	case unicode.IsUpper(first):
		return "PascalCase"
	case unicode.IsLetter(first):
		return "camelCase"
	}
	return "" // it starts with a sign or a digit, such as @context: in no style
}

type namedThing struct {
	pos  schema.Pos
	name string
}

func inconsistentNaming(p *pass) {
	var properties, types []namedThing
	p.eachSchema(func(s *schema.Schema, _ *schema.Property, _ bool) {
		for _, child := range s.Properties {
			properties = append(properties, namedThing{child.Pos, child.Name})
		}
	})
	for _, t := range p.catalog.Types {
		types = append(types, namedThing{t.Pos, t.Name})
	}
	p.oneStyle("property", "properties", properties)
	p.oneStyle("type", "types", types)
}

// oneStyle reports the names that are not in the most frequent style. Of two as frequent ones, the first to occur wins.
func (p *pass) oneStyle(one, many string, things []namedThing) {
	counts := map[string]int{}
	main := ""
	for _, t := range things {
		if style := styleOf(t.name); style != "" {
			counts[style]++
		}
	}
	for _, t := range things {
		if style := styleOf(t.name); style != "" && (main == "" || counts[style] > counts[main]) {
			main = style
		}
	}
	for _, t := range things {
		if style := styleOf(t.name); style != "" && style != main {
			p.report(t.pos, "write new names in "+main+"; renaming one that is in use breaks its readers",
				"%s %s is in %s, while most %s are in %s", one, text.Quote(t.name), style, many, main)
		}
	}
}
