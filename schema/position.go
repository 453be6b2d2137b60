package schema

import (
	"cmp"
	"fmt"
)

// A Pos is a place in a catalog file. Line and Column count from 1; Column counts characters, not bytes. The zero Pos
// is no place.
type Pos struct {
	File   string
	Line   int
	Column int
}

// String returns the place in the form that editors and terminals turn into a link: file:line:column.
func (p Pos) String() string {
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Compare orders places by file, line and column.
func (p Pos) Compare(o Pos) int {
	return cmp.Or(cmp.Compare(p.File, o.File), cmp.Compare(p.Line, o.Line), cmp.Compare(p.Column, o.Column))
}
