package load

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/merge"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// key reads key of a URN, a JSON Pointer (RFC 6901) to a scalar property of the payload.
func (l *loader) key(u *schema.URN, n *source.Node, merged *merge.Result) {
	path, ok := l.Text(n, "key")
	if !ok {
		return
	}
	u.Key = &schema.Key{Pos: n.Pos, Pointer: path}
	fault := func(hint, format string, args ...any) {
		l.Report(n.Pos, schema.RuleMessageKey, hint, "key %s "+format, append([]any{text.Quote(path)}, args...)...)
	}
	rest, ok := strings.CutPrefix(path, "/")
	if !ok {
		hint := "/customer_id is the property customer_id of data"
		if path != "" && !strings.HasPrefix(path, "#") && !text.IsBlank(path) {
			hint = "write " + text.Quote("/"+path)
		}
		fault(hint, "is not a JSON Pointer: it does not start with /")
		return
	}
	s := u.Data
	for _, segment := range strings.Split(rest, "/") {
		name, ok := pointer.Unescape(segment)
		if !ok {
			fault("write ~ as ~0 and / as ~1", "is not a JSON Pointer")
			return
		}
		s = merge.Follow(s)
		switch {
		case s == nil || s.Kind == 0:
			return // reported
		case s.Kind != schema.Object:
			fault("", "looks for %s in type %s", text.Quote(name), s.Kind)
			return
		case s.GoType != nil:
			fault("", "looks for %s in a type of yours, x-go-type %s.%s", text.Quote(name), s.GoType.Import, s.GoType.Name)
			return
		}
		p := s.Property(name)
		if p == nil {
			if merged.Doubts[s].MayMiss() {
				known := l.near.Lazy(func() []string { return merge.PropertyNames(s) })
				l.Report(n.Pos, schema.RuleMessageKey, known.DidYouMean(name, "declare it under properties"),
					"key %s: there is no property %s", text.Quote(path), text.Quote(name))
			}
			return
		}
		u.Key.Path = append(u.Key.Path, p)
		s = p.Schema
	}
	if s = merge.Follow(s); s == nil || s.Kind == 0 {
		return // reported
	}
	switch {
	case s.Kind != schema.String && s.Kind != schema.Integer && s.Kind != schema.Boolean:
		fault("point at a string, an integer or a boolean", "is of type %s", s.Kind)
	case s.GoType != nil:
		fault("point at a property without x-go-type",
			"is of a type of yours, x-go-type %s.%s", s.GoType.Import, s.GoType.Name)
	}
}
