package golang

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// ownImports are the packages that generated code imports under names of bqgen's choice.
var ownImports = map[string]string{
	bqPath: "bq", payloadPath: "payload", pulsarPath: "pulsar", uuidPath: "uuid", contextPath: "context", netipPath: "netip", strconvPath: "strconv", timePath: "time",
}

// localNames are the variables and parameters of generated functions. A package of one of these names would be
// hidden there. Names at package level all have upper-case letters, which names of imports have not.
var localNames = []string{"c", "client", "ctx", "d", "e", "fn", "h", "m", "members", "name", "ok", "opts", "p", "text", "v", "value"}

// nameImports gives the packages of the user's types names that nothing in the file has.
func nameImports(f *jen.File, decls []decl) {
	taken := map[string]bool{}
	for _, name := range ownImports {
		taken[name] = true
	}
	for _, name := range localNames {
		taken[name] = true
	}
	for _, path := range externalImports(decls) {
		base := importName(path)
		name := base
		for n := 2; taken[name] || token.IsKeyword(name) || types.Universe.Lookup(name) != nil || name == "init" || name == "main"; n++ {
			name = fmt.Sprintf("%s%d", base, n)
		}
		taken[name] = true
		f.ImportAlias(path, name)
	}
}

// importName is what a package is likely to call itself: the last element of its path that is no version.
func importName(path string) string {
	elements := strings.Split(path, "/")
	for i := len(elements) - 1; i >= 0; i-- {
		element := elements[i]
		if version, ok := strings.CutPrefix(element, "v"); ok && i > 0 && version != "" && strings.Trim(version, "0123456789") == "" {
			continue
		}
		if i > 0 && len(elements[i]) > 3 {
			element = strings.TrimPrefix(strings.TrimSuffix(element, ".go"), "go-")
		}
		name := strings.TrimLeft(strings.Map(func(r rune) rune {
			if r = lower(r); r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, element), "0123456789")
		if name != "" {
			return name
		}
	}
	return "pkg"
}

func lower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// externalImports are the packages of the user's types in decls, sorted.
func externalImports(decls []decl) []string {
	var paths []string
	var visit func(t typ)
	visit = func(t typ) {
		switch t := t.(type) {
		case external:
			if _, own := ownImports[t.Import]; !own {
				paths = append(paths, t.Import)
			}
		case checked:
			visit(t.Of)
		case slice:
			visit(t.Elem)
		case mapping:
			visit(t.Elem)
		case nullable:
			visit(t.Elem)
		}
	}
	for _, d := range decls {
		switch d := d.(type) {
		case *structDecl:
			for _, f := range d.Fields {
				visit(f.Type)
			}
			if d.Rest != nil {
				visit(d.Rest.Type)
			}
		case *definedDecl:
			visit(d.Of)
		case *aliasDecl:
			visit(d.Of)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}
