package schema

import (
	"net/url"
	"path"
	"regexp"
	"strings"
)

// A ref is one $ref. It is resolved when the catalog is read.
type ref struct {
	pos  Pos
	text string
	from *root
	to   *root // nil until resolved, and when it leads nowhere
}

const (
	typesSection = "types"
	defsSection  = "$defs"
)

func (l *loader) refKeyword(d *draft, n *node) {
	d.ref = &ref{pos: n.pos, from: d.root}
	text, ok := l.text(n, "$ref")
	if !ok {
		return
	}
	d.ref.text = text
	d.root.refs = append(d.root.refs, d.ref)
	l.refs = append(l.refs, d.ref)
}

// refSiblings reports what would change which values are valid: a $ref stands alone, but for annotations.
func (l *loader) refSiblings(n *node) {
	for _, p := range n.pairs {
		name := p.key.text
		if types, known := keywordTypes[name]; !known || name == "$ref" || types == 0 && name != "type" && name != "allOf" && name != "oneOf" {
			continue // an annotation, or reported
		}
		hint := "move it to the type that is referred to, or merge both: allOf: [{$ref: ...}, {" + name + ": ...}]"
		if name == "allOf" || name == "oneOf" {
			hint = "make the $ref one of its entries"
		}
		l.report(p.key.pos, ruleRefSiblings, hint, "%s cannot stand beside $ref", name)
	}
}

// resolveRefs follows every $ref. Those in other files come to light on the way.
func (l *loader) resolveRefs() {
	for i := 0; i < len(l.refs); i++ {
		r := l.refs[i]
		if r.to = l.resolve(r); r.to == nil {
			r.from.bad = true
		}
	}
}

// resolve gives what a $ref leads to, or nil after a finding.
func (l *loader) resolve(r *ref) *root {
	name, fragment, _ := strings.Cut(r.text, "#")
	f := r.from.scope.file
	if name != "" {
		if !strings.Contains(r.text, "#") && l.hasType(r.from.scope.file, name) {
			l.report(r.pos, ruleBadRef, "write "+quote("#/types/"+name), "$ref %s does not refer to a type of this catalog", quote(r.text))
			return nil
		}
		clean, ok := l.refPath(r, name)
		if !ok {
			return nil
		}
		if f = l.otherFile(r, clean); f == nil {
			return nil
		}
	}
	section, typeName, ok := refTarget(fragment)
	if !ok {
		l.report(r.pos, ruleBadRef, fragmentHint(name, fragment), "$ref %s does not refer to a named schema", quote(r.text))
		return nil
	}
	if s := r.from.scope; section == defsSection && f == s.file && s.defs != nil {
		otherwise := "declare it under $defs, at the top of data"
		if !s.defs.declares(typeName) && l.hasType(f, typeName) {
			otherwise = "write " + quote("#/types/"+typeName)
		}
		return l.named(r, s.defs, typeName, otherwise)
	}
	if section == defsSection && f.main {
		hint := "$defs are of one payload; put what others refer to under types, as #/types/" + typeName
		if name == "" {
			hint = "write " + quote("#/types/"+typeName) + ", or declare it under types"
		}
		l.report(r.pos, ruleNoType, cut(hint), "there is no schema under $defs called %s here", quote(typeName))
		return nil
	}
	return l.named(r, l.section(f, section), typeName, "declare it under "+section+in(name))
}

func in(file string) string {
	if file == "" {
		return ""
	}
	return " in " + quote(file)
}

// named finds a type in its section.
func (l *loader) named(r *ref, s *section, name, otherwise string) *root {
	if s == nil {
		return nil // reported
	}
	if found := s.lookup(l, name); found != nil {
		return found
	}
	if !s.flawed {
		what := "type"
		if s.defs {
			what = "schema under $defs called"
		}
		l.report(r.pos, ruleNoType, s.names().didYouMean(name, cut(otherwise)), "there is no %s %s", what, quote(name))
	}
	return nil
}

func (l *loader) hasType(f *file, name string) bool {
	s := f.sections[typesSection]
	return s != nil && s.declares(name)
}

// refTarget takes a fragment apart: /types/NAME or /$defs/NAME, a JSON Pointer in a URI, so % and ~ are escapes.
func refTarget(fragment string) (section, name string, ok bool) {
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
	name, ok = unescapePointer(name)
	return section, name, ok
}

// unescapePointer decodes one segment of a JSON Pointer (RFC 6901).
func unescapePointer(segment string) (string, bool) {
	if !strings.Contains(segment, "~") {
		return segment, true
	}
	if strings.Contains(pointerEscapes.Replace(segment), "~") {
		return "", false
	}
	return pointerUnescape.Replace(segment), true
}

var (
	pointerEscapes  = strings.NewReplacer("~0", "", "~1", "")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1")
)

func fragmentHint(file, fragment string) string {
	switch {
	case file != "" && fragment == "":
		return cut("name the schema in the file: " + file + "#/types/NAME or " + file + "#/$defs/NAME")
	case strings.HasPrefix(fragment, "/types/"), strings.HasPrefix(fragment, "/$defs/"):
		return "give what it refers to a name of its own under types or $defs"
	}
	return "put the schema under types and refer to it as #/types/NAME, or under $defs of the payload as #/$defs/NAME"
}

var scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// refPath gives the file that a $ref names, as a clean path inside the catalog's folder.
func (l *loader) refPath(r *ref, name string) (string, bool) {
	const hint = "name a file beside the catalog: ./common.yaml#/types/NAME"
	fault := func(hint, what string) (string, bool) {
		l.report(r.pos, ruleRefFile, hint, "$ref %s %s", quote(r.text), what)
		return "", false
	}
	plain, err := url.PathUnescape(name)
	switch {
	case err != nil:
		return fault("write a percent sign as %25", "is no valid reference")
	case strings.Contains(plain, `\`):
		return fault(`write / in place of \`, `has a \ in its path`)
	case len(plain) > 1 && plain[1] == ':':
		return fault(hint, "is an absolute path")
	case scheme.MatchString(plain), strings.HasPrefix(plain, "//"):
		return fault(hint, "is a URL: nothing is read from the network")
	case strings.HasPrefix(plain, "/"):
		return fault(hint, "is an absolute path")
	case strings.ContainsAny(plain, "\x00\n\r?"):
		return fault(hint, "is no path of a file")
	}
	clean := path.Join(path.Dir(r.from.scope.file.path), plain)
	if clean == ".." || strings.HasPrefix(clean, "../") {
		return fault("move the file beside the catalog", "leads above the catalog's folder")
	}
	return clean, true
}
