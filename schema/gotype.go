package schema

import (
	"fmt"
	"go/token"
	"strings"
)

// goType takes x-go-type: import path, a dot, the type's name.
func (l *loader) goType(n *node) *GoType {
	text, ok := l.text(n, "x-go-type")
	if !ok {
		return nil
	}
	const hint = "IMPORT/PATH.Name, such as github.com/shopspring/decimal.Decimal"
	dot := strings.LastIndexByte(text, '.')
	if dot < strings.LastIndexByte(text, '/') || dot <= 0 {
		l.report(n.pos, ruleGoType, hint, "x-go-type %s is not an import path, a dot and the name of a type", quote(text))
		return nil
	}
	t := &GoType{Pos: n.pos, Import: text[:dot], Name: text[dot+1:]}
	if fault := importFault(t.Import); fault != "" {
		l.report(n.pos, ruleGoType, hint, "x-go-type %s: the import path %s", quote(text), fault)
		return nil
	}
	if !token.IsIdentifier(t.Name) || !token.IsExported(t.Name) {
		l.report(n.pos, ruleGoType, hint, "x-go-type %s: %s is not an exported Go name", quote(text), quote(t.Name))
		return nil
	}
	return t
}

// importFault says why Go cannot import a path, or "".
func importFault(path string) string {
	for _, r := range path {
		if r >= 0x80 || !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._~/+", r)) {
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
