package draft

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// sensitiveKeyword reads x-gdpr-sensitive: true or a category.
func (r *Reader) sensitiveKeyword(n *source.Node) string {
	switch {
	case n.Kind == source.Bad:
	case n.Kind != source.Scalar,
		n.Plain && source.ClassifyPlain(n.Text) != source.PlainString && n.Text != "true":
		r.Report(n.Pos, schema.RuleSensitive,
			"true, or a category such as contact; leave it out where nothing is sensitive",
			"x-gdpr-sensitive must be true or a category, this is %s", n.Describe())
	case n.IsQuoted("true", "false"):
		r.Report(n.Pos, schema.RuleSensitive, "remove the quotes",
			"x-gdpr-sensitive is the string %s", text.Quote(n.Text))
	case r.NotBlank(n.Pos, n.Text, "the category of x-gdpr-sensitive"):
		return n.Text
	}
	return ""
}
