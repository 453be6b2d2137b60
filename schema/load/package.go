package load

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// packageName reads package, the Go package of the generated code.
func (l *loader) packageName(n *source.Node) {
	name, ok := l.Text(n, "package")
	if !ok {
		return
	}
	if err := schema.CheckPackageName(name); err != nil {
		l.Report(n.Pos, schema.RulePackage, "a short lower-case word, such as orderevents", "%v", err)
	}
	l.catalog.Package, l.catalog.Pkg = name, n.Pos
}
