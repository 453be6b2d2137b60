package golang

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// ownImports are the packages that generated code imports, under names of bqgen's choice.
var ownImports = map[string]string{
	bqPath: "bq", payloadPath: "payload", jsonvaluePath: "jsonvalue", pulsarPath: "pulsar", uuidPath: "uuid",
	contextPath: "context", netipPath: "netip", strconvPath: "strconv", timePath: "time",
}

// localNames are the variables and parameters of generated functions, which would hide a package of the same name.
// Names at package level cannot: they contain upper-case letters, import names do not.
var localNames = []string{
	"c", "client", "ctx", "d", "e", "fn", "h", "m", "members", "name", "ok", "opts", "p", "text", "v", "value",
}

// newDeclarations decides what the files of decls need.
func newDeclarations(decls []decl) declarations {
	d := declarations{Decls: decls, Imports: nameImports(decls)}
	d.HasCodec = slices.ContainsFunc(decls, func(d decl) bool {
		_, isAlias := d.(*aliasDecl)
		return !isAlias
	})
	return d
}

// nameImports gives the packages of the user's types names that are free in the files of decls.
func nameImports(decls []decl) []packageImport {
	paths := externalImports(decls)
	if len(paths) == 0 {
		return nil
	}
	taken := map[string]bool{"init": true, "main": true}
	for _, name := range ownImports {
		taken[name] = true
	}
	for _, name := range localNames {
		taken[name] = true
	}
	imports := make([]packageImport, len(paths))
	for i, path := range paths {
		base := importName(path)
		name := base
		for n := 2; taken[name] || token.IsKeyword(name) || types.Universe.Lookup(name) != nil; n++ {
			name = fmt.Sprintf("%s%d", base, n)
		}
		taken[name] = true
		imports[i] = packageImport{path, name}
	}
	return imports
}

// importName is the name that a package probably has: the last element of its path that is not a version.
func importName(path string) string {
	elements := strings.Split(path, "/")
	for i := len(elements) - 1; i >= 0; i-- {
		element := elements[i]
		version, isVersion := strings.CutPrefix(element, "v")
		if isVersion && i > 0 && version != "" && strings.Trim(version, "0123456789") == "" {
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
				visit(d.Rest.Elem)
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
