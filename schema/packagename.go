package schema

import (
	"errors"
	"fmt"
	"go/token"
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
)

// CheckPackageName returns an error that says why generated code cannot have this package name.
func CheckPackageName(name string) error {
	switch {
	case text.IsBlank(name):
		return errors.New("package name is blank")
	case name == "_":
		return errors.New("package name _ cannot be imported")
	case strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" && strings.ToLower(name) == name:
		return fmt.Errorf("package name %s is not made of letters a to z, digits and _", text.Quote(name))
	case strings.ToLower(name) != name:
		return fmt.Errorf("package name %s is not lower case", text.Quote(name))
	case name[0] >= '0' && name[0] <= '9':
		return fmt.Errorf("package name %s starts with a digit", text.Quote(name))
	case token.IsKeyword(name):
		return fmt.Errorf("package name %s is a Go keyword", text.Quote(name))
	case name == "main":
		return errors.New("package main is a program and cannot be imported")
	case name == "init":
		return errors.New("a package named init cannot be imported: Go keeps that name for functions")
	case name == "documentation":
		return errors.New("the go command ignores files of a package named documentation")
	case name == "testdata":
		return errors.New("the go command ignores a folder named testdata, the default for this package")
	case name == "vendor":
		return errors.New("the go command takes a folder named vendor, the default for this package, for other modules' code")
	case strings.HasSuffix(name, "_test"):
		return fmt.Errorf("package name %s is a test package's: it ends in _test", text.Quote(name))
	}
	return nil
}
