package importer

import (
	"slices"

	"github.com/babelqueue/bqgen/schema/internal/source"
)

var typeNames = []string{"object", "array", "string", "integer", "number", "boolean", "null"}

// fits reports whether a value is of the form.
func (f form) fits(n *source.Node) bool {
	all := func(of form) bool {
		unfit := func(item *source.Node) bool { return !of.fits(item) }
		return n.Kind == source.Sequence && !slices.ContainsFunc(n.Items, unfit)
	}
	switch f {
	case textForm:
		return isText(n)
	case boolForm:
		return isBool(n)
	case countForm:
		return n.Kind == source.Scalar && n.Plain && isCount(n.Text)
	case numberForm:
		return n.Kind == source.Scalar && n.Plain && source.IsNumber(n.Text)
	case typeForm:
		return isTypeName(n) || n.Kind == source.Sequence && len(n.Items) > 0 &&
			!slices.ContainsFunc(n.Items, func(item *source.Node) bool { return !isTypeName(item) })
	case textsForm:
		return all(textForm)
	case listForm:
		return n.Kind == source.Sequence
	case schemaForm:
		return n.Kind == source.Mapping || isBool(n)
	case schemasForm:
		return all(schemaForm)
	case mapForm:
		return n.Kind == source.Mapping
	case textMapForm:
		return n.Kind == source.Mapping &&
			!slices.ContainsFunc(n.Pairs, func(p source.Pair) bool { return !textsForm.fits(p.Value) })
	}
	return true
}

// hint says what a value of the form is.
func (f form) hint() string {
	return "it must be " + map[form]string{
		textForm: "a string", boolForm: "true or false", countForm: "a whole number of 0 or more",
		numberForm: "a number", typeForm: "a type, or a list of types: object, array, string, integer, number, boolean, null",
		textsForm: "a list of strings", listForm: "a list", schemaForm: "a schema", schemasForm: "a list of schemas",
		mapForm: "schemas by name", textMapForm: "lists of strings by name",
	}[f]
}

func isTypeName(n *source.Node) bool {
	return n.Kind == source.Scalar && slices.Contains(typeNames, n.Text) && (n.Text != "null" || !n.Plain)
}

// isCount reports a number that is whole and not negative, such as 5 or 5.0.
func isCount(s string) bool {
	if !source.IsNumber(s) || !source.IsWorkable(s) {
		return false
	}
	whole, ok := source.WholeText(s)
	return ok && whole[0] != '-'
}
