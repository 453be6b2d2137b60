package schema

import (
	"fmt"
	"strings"
)

// dump writes a catalog as text, one line a thing, with its place.
func dump(c *Catalog) string {
	d := &dumper{}
	d.line(0, c.Pkg, "package %s %+q", c.Package, c.Info)
	for _, q := range c.Queues {
		d.line(0, q.Pos, "queue %q topic=%q attempts=%d dead=%q name=%q %q", q.Name, q.Topic, q.MaxAttempts, q.DeadLetter, q.GoName, q.Description)
	}
	for _, t := range c.Types {
		d.line(0, t.Pos, "type %q", t.Name)
		d.schema(1, t.Schema)
	}
	for _, u := range c.URNs {
		d.urn(u)
	}
	return d.String()
}

type dumper struct{ strings.Builder }

func (d *dumper) line(indent int, pos Pos, format string, args ...any) {
	fmt.Fprintf(d, "%s%d:%d %s\n", strings.Repeat("  ", indent), pos.Line, pos.Column, strings.TrimSpace(fmt.Sprintf(format, args...)))
}

func (d *dumper) urn(u *URN) {
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
	for _, e := range u.Examples {
		d.line(1, e.Pos, "example %s", e.JSON)
	}
}

func (d *dumper) schema(indent int, s *Schema) {
	text := s.Kind.String()
	if s.Kind == Ref {
		text += fmt.Sprintf(" -> %q of %v", s.Target.Name, s.Resolve().Kind)
	}
	if s.Format != NoFormat {
		text += " format=" + s.Format.String()
	}
	for _, e := range s.Enum {
		text += fmt.Sprintf(" %q", e.Value)
	}
	if s.Description != "" {
		text += fmt.Sprintf(" %q", s.Description)
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
}
