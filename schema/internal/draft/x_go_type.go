package draft

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// maxPackages is the number of packages that the types of a catalog can be from. Code that imports thousands takes long
// to generate, and longer to compile.
const maxPackages = 500

// goTypeKeyword reads x-go-type: import path, a dot, the type's name.
func (r *Reader) goTypeKeyword(n *source.Node) *schema.GoType {
	typ, ok := r.Text(n, "x-go-type")
	if !ok {
		return nil
	}
	const hint = "IMPORT/PATH.Name, such as github.com/shopspring/decimal.Decimal"
	dot := strings.LastIndexByte(typ, '.')
	if dot < strings.LastIndexByte(typ, '/') || dot <= 0 {
		r.Report(n.Pos, schema.RuleGoType, hint,
			"x-go-type %s is not an import path, a dot and the name of a type", text.Quote(typ))
		return nil
	}
	t := &schema.GoType{Pos: n.Pos, Import: typ[:dot], Name: typ[dot+1:]}
	if fault := importFault(t.Import); fault != "" {
		r.Report(n.Pos, schema.RuleGoType, hint, "x-go-type %s: the import path %s", text.Quote(typ), fault)
		return nil
	}
	if !token.IsIdentifier(t.Name) || !token.IsExported(t.Name) {
		r.Report(n.Pos, schema.RuleGoType, hint,
			"x-go-type %s: %s is not an exported Go name", text.Quote(typ), text.Quote(t.Name))
		return nil
	}
	if !r.packages[t.Import] && len(r.packages) == maxPackages {
		r.Report(n.Pos, schema.RuleTooLarge, "put types into a package of yours",
			"x-go-type names types of more than %d packages", maxPackages)
		return nil
	}
	r.packages[t.Import] = true
	return t
}

// importFault returns why Go cannot import a path, or "".
func importFault(path string) string {
	for _, r := range path {
		if !isImportRune(r) {
			return fmt.Sprintf("contains %q", r)
		}
	}
	switch path {
	case "C", "unsafe", "main", "builtin":
		return "is " + path + ", which has no such types"
	}
	for _, element := range strings.Split(path, "/") {
		switch {
		case element == "":
			return "has an empty element"
		case element[0] == '.':
			return "has an element that starts with a dot"
		case strings.HasSuffix(element, "."):
			return "has an element that ends in a dot"
		case element == "vendor":
			return "has an element vendor"
		}
	}
	if path[0] == '-' {
		return "starts with -"
	}
	return ""
}

func isImportRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
		r < 0x80 && strings.ContainsRune("-._~/+", r)
}
