package link

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/near"
)

// follow returns the root that a $ref leads to, or nil after a finding.
func (l *Linker) follow(r *draft.Ref) *draft.Root {
	name, fragment, hasFragment := strings.Cut(r.Text, "#")
	f := l.files[r.From.Scope.File]
	if name != "" {
		if !hasFragment && hasType(f, name) {
			l.Report(r.Pos, schema.RuleBadRef, "write "+text.QuoteReference("#/types/"+name),
				"$ref %s does not refer to a type of this catalog", text.QuoteReference(r.Text))
			return nil
		}
		clean, ok := l.path(r, name)
		if !ok {
			return nil
		}
		if f = l.open(r, clean); f == nil {
			return nil
		}
	}
	if fragment == "" && (name != "" || hasFragment && !f.main) {
		return l.whole(r, f)
	}
	section, typeName, ok := target(fragment)
	if !ok {
		l.Report(r.Pos, schema.RuleBadRef, fragmentHint(f, name, fragment),
			"$ref %s does not refer to a named schema", text.QuoteReference(r.Text))
		return nil
	}
	if section == defsSection && f.path == r.From.Scope.File && r.From.Scope.Defs != nil {
		return l.ownDefs(r, f, typeName)
	}
	if section == defsSection && f.main {
		hint := "$defs are of one payload; put what others refer to under types, as #/types/" + typeName
		if name == "" {
			hint = "write " + text.QuoteReference("#/types/"+typeName) + ", or declare it under types"
		}
		l.Report(r.Pos, schema.RuleNoType, text.ShortReference(hint),
			"there is no schema under $defs called %s here", text.Quote(typeName))
		return nil
	}
	otherwise := "declare it under " + section
	if name != "" {
		otherwise += " in " + text.Quote(name)
	}
	return l.named(r, f, l.section(f, section), typeName, otherwise)
}

// ownDefs returns one of the $defs of the payload that the $ref is in.
func (l *Linker) ownDefs(r *draft.Ref, f *file, name string) *draft.Root {
	defs := r.From.Scope.Defs
	otherwise := "declare it under $defs, at the top of data"
	if !defs.Declares(name) && hasType(f, name) {
		otherwise = "write " + text.QuoteReference("#/types/"+name)
	}
	return l.named(r, f, defs, name, otherwise)
}

// named returns a schema of a section. It is nil after a finding, and when the section was reported.
func (l *Linker) named(r *draft.Ref, f *file, s *draft.Section, name, otherwise string) *draft.Root {
	if s == nil {
		return nil
	}
	if found := l.lookup(f, s, name); found != nil {
		return found
	}
	if s.Doubt.MayMiss() {
		what := "type"
		if s.Defs {
			what = "schema under $defs called"
		}
		l.Report(r.Pos, schema.RuleNoType, l.namesOf(s).DidYouMean(name, text.ShortReference(otherwise)),
			"there is no %s %s", what, text.Quote(name))
	}
	return nil
}

func (l *Linker) namesOf(s *draft.Section) *near.Lazy {
	if l.names[s] == nil {
		l.names[s] = l.Near.Lazy(s.Names)
	}
	return l.names[s]
}

func hasType(f *file, name string) bool {
	s := f.sections[typesSection]
	return s != nil && s.Declares(name)
}

// target splits a fragment: /types/NAME or /$defs/NAME. It is a JSON Pointer in a URI, so % and ~ are escapes.
func target(fragment string) (section, name string, ok bool) {
	rest, ok := strings.CutPrefix(fragment, "/")
	if !ok {
		return "", "", false
	}
	section, name, ok = strings.Cut(rest, "/")
	if plain, err := url.PathUnescape(section); err == nil {
		section = plain // %24defs
	}
	if !ok || strings.Contains(name, "/") || section != typesSection && section != defsSection {
		return "", "", false
	}
	if plain, err := url.PathUnescape(name); err == nil {
		name = plain
	}
	name, ok = pointer.Unescape(name)
	return section, name, ok
}

// elsewhere are the places of shared schemas in documents of other kinds.
var elsewhere = []string{"/definitions/", "/components/schemas/"}

func fragmentHint(f *file, name, fragment string) string {
	for _, place := range elsewhere {
		if typeName, ok := strings.CutPrefix(fragment, place); ok && hasType(f, typeName) {
			return "write " + text.QuoteReference(name+"#/types/"+typeName)
		}
	}
	switch {
	case name != "" && fragment == "":
		return text.ShortReference("name the schema in the file: " + name + "#/types/NAME or " + name + "#/$defs/NAME")
	case strings.HasPrefix(fragment, "/definitions/"):
		def := strings.TrimPrefix(fragment, "/definitions/")
		return text.ShortReference("rename definitions to $defs, there and here: " + name + "#/$defs/" + def)
	case strings.HasPrefix(fragment, "/types/"), strings.HasPrefix(fragment, "/$defs/"):
		return "give what it refers to a name of its own under types or $defs"
	}
	return "put the schema under types and refer to it as #/types/NAME, or under $defs of the payload as #/$defs/NAME"
}

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// path returns the file that a $ref names, as a clean path in the catalog's folder.
func (l *Linker) path(r *draft.Ref, name string) (string, bool) {
	const hint = "name a file next to the catalog: ./common.yaml#/types/NAME"
	fault := func(hint, what string) (string, bool) {
		l.Report(r.Pos, schema.RuleRefFile, hint, "$ref %s %s", text.QuoteReference(r.Text), what)
		return "", false
	}
	plain, err := url.PathUnescape(name)
	switch {
	case err != nil:
		return fault("write a percent sign as %25", "is no valid reference")
	case strings.Contains(plain, `\`):
		return fault(`write / instead of \`, `has a \ in its path`)
	case len(plain) > 1 && plain[1] == ':':
		return fault(hint, "is an absolute path")
	case scheme.MatchString(plain), strings.HasPrefix(plain, "//"):
		return fault(hint, "is a URL: nothing is read from the network")
	case strings.HasPrefix(plain, "/"):
		return fault(hint, "is an absolute path")
	case strings.ContainsAny(plain, "\x00\n\r?"):
		return fault(hint, "is no path of a file")
	}
	clean := path.Join(path.Dir(r.From.Scope.File), plain)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return fault("move the file next to the catalog", "leads above the catalog's folder")
	}
	return clean, true
}
