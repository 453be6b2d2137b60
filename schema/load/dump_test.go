package load

import (
	"fmt"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// dump writes a catalog as text, one line a thing, with its place.
func dump(c *schema.Catalog) string {
	d := &dumper{}
	d.line(0, c.Pkg, "package %s %+q", c.Package, c.Info)
	for _, q := range c.Queues {
		d.line(0, q.Pos, "queue %q topic=%q attempts=%d dead=%q name=%q %q", q.Name, q.Topic, q.MaxAttempts, q.DeadLetter,
			q.GoName, q.Description)
		for _, s := range q.Services {
			var urns []string
			for _, u := range s.URNs {
				urns = append(urns, u.URN)
			}
			d.line(1, s.Pos, "service %q retry=%q dead=%q urns=%q", s.Name, s.RetryTopic, s.DeadLetter, urns)
		}
	}
	for _, t := range c.Types {
		file := ""
		if t.Pos.File != c.File {
			file = " of " + t.Pos.File
		}
		d.line(0, t.Pos, "type %q%s", t.Name, file)
		d.schema(1, t.Schema)
	}
	for _, u := range c.URNs {
		d.urn(u)
	}
	return d.String()
}

type dumper struct{ strings.Builder }

func (d *dumper) line(indent int, pos schema.Pos, format string, args ...any) {
	fmt.Fprintf(d, "%s%d:%d %s\n", strings.Repeat("  ", indent), pos.Line, pos.Column,
		strings.TrimSpace(fmt.Sprintf(format, args...)))
}

func (d *dumper) urn(u *schema.URN) {
	d.line(0, u.Pos, "urn %q queue=%q name=%q summary=%q %q publishers=%q consumers=%q",
		u.URN, u.Queue.Name, u.GoName, u.Summary, u.Description, u.Publishers, u.Consumers)
	if u.Key != nil {
		var path []string
		for _, p := range u.Key.Path {
			path = append(path, p.Name)
		}
		d.line(1, u.Key.Pos, "key %q %q", u.Key.Pointer, path)
	}
	if u.Deprecated != nil {
		use := ""
		if u.Deprecated.Use != nil {
			use = u.Deprecated.Use.URN
		}
		d.line(1, u.Deprecated.Pos, "deprecated use=%q %q", use, u.Deprecated.Reason)
	}
	d.schema(1, u.Data)
	for _, t := range u.Defs {
		d.line(1, t.Pos, "def %q of %q", t.Name, t.Owner.URN)
		d.schema(2, t.Schema)
	}
	for _, e := range u.Examples {
		d.line(1, e.Pos, "example %s", e.JSON)
	}
}

func (d *dumper) schema(indent int, s *schema.Schema) {
	text := s.Kind.String()
	if s.Kind == schema.Ref {
		text += fmt.Sprintf(" -> %q of %v", s.Target.Name, s.Resolve().Kind)
		if s.Target.Pos.File != s.Pos.File {
			text += " in " + s.Target.Pos.File
		}
	}
	if s.Nullable {
		text += " nullable"
	}
	if s.Format != schema.NoFormat {
		text += " format=" + s.Format.String()
	}
	for _, e := range s.Enum {
		text += " " + e.JSON()
	}
	for _, l := range []struct {
		name  string
		value *schema.Literal
	}{{"const", s.Const}, {"default", s.Default}} {
		if l.value != nil {
			text += fmt.Sprintf(" %s=%s@%d:%d", l.name, l.value.JSON, l.value.Pos.Line, l.value.Pos.Column)
		}
	}
	for _, e := range s.Examples {
		text += fmt.Sprintf(" example=%s", e.JSON)
	}
	for _, c := range []struct {
		name  string
		value *int
	}{{"minLength", s.MinLength}, {"maxLength", s.MaxLength}, {"minItems", s.MinItems}, {"maxItems", s.MaxItems},
		{"minProperties", s.MinProperties}, {"maxProperties", s.MaxProperties}} {
		if c.value != nil {
			text += fmt.Sprintf(" %s=%d", c.name, *c.value)
		}
	}
	for _, n := range []struct {
		name  string
		value *schema.Num
	}{{"minimum", s.Minimum}, {"maximum", s.Maximum}, {"exclusiveMinimum", s.ExclusiveMinimum},
		{"exclusiveMaximum", s.ExclusiveMaximum}, {"multipleOf", s.MultipleOf}} {
		if n.value != nil {
			text += fmt.Sprintf(" %s=%s", n.name, n.value.Text)
		}
	}
	if s.Pattern != "" {
		text += fmt.Sprintf(" pattern=%q", s.Pattern)
	}
	if s.UniqueItems {
		text += " unique"
	}
	if s.Additional != schema.AdditionalIgnored {
		text += []string{"", " additional=forbidden", " additional=kept"}[s.Additional]
	}
	if s.Title != "" {
		text += fmt.Sprintf(" title=%q", s.Title)
	}
	if s.Description != "" {
		text += fmt.Sprintf(" %q", s.Description)
	}
	if s.Deprecated {
		text += " deprecated"
	}
	if s.Sensitive != "" {
		text += fmt.Sprintf(" sensitive=%q", s.Sensitive)
	}
	if s.GoName != "" {
		text += " go=" + s.GoName
	}
	if s.GoType != nil {
		text += fmt.Sprintf(" gotype=%q.%s", s.GoType.Import, s.GoType.Name)
	}
	if s.KeepUnknown {
		text += " keep"
	}
	if s.Discriminator != "" {
		text += fmt.Sprintf(" by %q", s.Discriminator)
	}
	d.line(indent, s.Pos, "%s", text)
	for _, p := range s.Properties {
		required := ""
		if p.Required {
			required = " required"
		}
		d.line(indent+1, p.Pos, "%q%s", p.Name, required)
		d.schema(indent+2, p.Schema)
	}
	if s.Items != nil {
		d.schema(indent+1, s.Items)
	}
	if s.AdditionalSchema != nil {
		d.line(indent+1, s.AdditionalSchema.Pos, "further")
		d.schema(indent+2, s.AdditionalSchema)
	}
	for _, b := range s.Branches {
		d.line(indent+1, b.Pos, "branch %q", b.Value)
		d.schema(indent+2, b.Schema)
	}
}
