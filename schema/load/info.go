package load

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// info reads info: title, owner and description of the catalog.
func (l *loader) info(n *source.Node) {
	m, ok := l.Mapping(n, "info", source.Keys{Optional: []string{"title", "owner", "description"}})
	if !ok {
		return
	}
	l.catalog.Info = schema.Info{
		Title:       l.OptionalText(m, "title"),
		Owner:       l.OptionalText(m, "owner"),
		Description: l.OptionalText(m, "description"),
	}
}
