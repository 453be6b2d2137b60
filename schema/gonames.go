package schema

import (
	"errors"
	"fmt"
	"go/token"
	"strings"
)

// CheckPackageName says why generated code cannot have this package name, or nil.
func CheckPackageName(name string) error {
	switch {
	case isBlank(name):
		return errors.New("package name is blank")
	case name == "_":
		return errors.New("package name _ cannot be imported")
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" && strings.ToLower(name) == name:
		return fmt.Errorf("package name %s is not made of letters a to z, digits and _", quote(name))
	case strings.ToLower(name) != name:
		return fmt.Errorf("package name %s is not lower case", quote(name))
	case name[0] >= '0' && name[0] <= '9':
		return fmt.Errorf("package name %s starts with a digit", quote(name))
	case token.IsKeyword(name):
		return fmt.Errorf("package name %s is a Go keyword", quote(name))
	case name == "main":
		return errors.New("package main is a program and cannot be imported")
	case name == "init":
		return errors.New("a package named init cannot be imported: Go keeps that name for functions")
	case name == "documentation":
		return errors.New("the go command ignores files of a package named documentation")
	case strings.HasSuffix(name, "_test"):
		return fmt.Errorf("package name %s is a test package's: it ends in _test", quote(name))
	}
	return nil
}

func (l *loader) packageName(n *node) {
	name, ok := l.text(n, "package")
	if !ok {
		return
	}
	if err := CheckPackageName(name); err != nil {
		l.report(n.pos, rulePackage, "a short lower-case word, such as orderevents", "%v", err)
	}
	l.catalog.Package, l.catalog.Pkg = name, n.pos
}

// goNames are the explicit Go names of one kind of thing. Names that derive are the generator's to judge.
type goNames map[string]Pos

// goName takes the key name:, an exported Go identifier.
func (l *loader) goName(m *node, taken goNames) (string, Pos) {
	n := m.get("name")
	if n == nil {
		return "", Pos{}
	}
	name, ok := l.text(n, "name")
	if !ok {
		return "", Pos{}
	}
	first, again := taken[name]
	switch {
	case !token.IsIdentifier(name):
		l.report(n.pos, ruleGoName, "letters, digits and _, starting with an upper-case letter", "name %s is not a Go identifier", quote(name))
	case !token.IsExported(name):
		l.report(n.pos, ruleGoName, "start it with an upper-case letter", "name %s is not exported", quote(name))
	case again:
		l.report(n.pos, ruleSameGoName, "give one of the two another name", "name %s is taken on line %d", quote(name), first.Line)
	default:
		taken[name] = n.pos
	}
	return name, n.pos
}
