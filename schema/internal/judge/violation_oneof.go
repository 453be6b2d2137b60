package judge

import (
	"fmt"
	"slices"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// oneOf reports what is wrong with a value of a union: in the branch that its discriminator names, or with the
// discriminator.
func (j *Judge) oneOf(v draft.Value, found *validator.ValidationError, k *kind.OneOf) {
	depth := len(found.InstanceLocation)
	at := locate(v.Node, found.InstanceLocation)
	if len(k.Subschemas) > 1 {
		j.fault(v, found.InstanceLocation, at, "", "is valid in more than one branch of oneOf") // not with a discriminator
		return
	}
	var meant []*validator.ValidationError
	var values []string
	discriminator := ""
	for _, cause := range found.Causes {
		value, name, other := wrongConst(cause, depth)
		switch {
		case !other:
			meant = append(meant, cause)
		case name != "":
			discriminator = name
			values = append(values, value)
		}
	}
	switch {
	case len(meant) == 1:
		j.violations(v, meant[0])
	case discriminator != "" && at.Kind == source.Mapping && at.Get(discriminator) != nil:
		d := at.Get(discriminator)
		slices.Sort(values)
		j.fault(v, append(slices.Clone(found.InstanceLocation), discriminator), d,
			"one of "+text.Short(text.List(slices.Compact(values))), d.Describe()+" names no branch of oneOf")
	case at.Kind == source.Mapping && missingInAll(found.Causes, depth) != "":
		missing := text.Quote(missingInAll(found.Causes, depth))
		j.fault(v, found.InstanceLocation, at, "", "required property "+missing+" is missing")
	default:
		j.fault(v, found.InstanceLocation, at, "", at.Describe()+" is none of the branches of oneOf")
	}
}

// missingInAll returns the one property that is missing in all branches, or "".
func missingInAll(branches []*validator.ValidationError, depth int) string {
	counts := map[string]int{}
	var count func(*validator.ValidationError)
	count = func(e *validator.ValidationError) {
		if k, ok := e.ErrorKind.(*kind.Required); ok && len(e.InstanceLocation) == depth {
			for _, name := range k.Missing {
				counts[name]++
			}
		}
		for _, cause := range e.Causes {
			count(cause)
		}
	}
	objects := 0
	for _, b := range branches {
		k, isType := b.ErrorKind.(*kind.Type)
		if isType && len(b.InstanceLocation) == depth && slices.Equal(k.Want, []string{"null"}) {
			continue
		}
		objects++
		count(b)
	}
	found := ""
	for name, n := range counts {
		switch {
		case n == objects && found != "":
			return ""
		case n == objects:
			found = name
		}
	}
	return found
}

// wrongConst reports whether a branch was not meant: the value is of another type, or has another discriminator.
func wrongConst(e *validator.ValidationError, depth int) (value, name string, other bool) {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		if len(e.InstanceLocation) == depth {
			return "", "", true
		}
	case *kind.Const:
		if len(e.InstanceLocation) == depth+1 {
			return text.Quote(fmt.Sprint(k.Want)), e.InstanceLocation[depth], true
		}
	case *kind.Not:
		if len(e.InstanceLocation) == depth+1 {
			return "", "", true // the branch of unknown values
		}
	}
	for _, cause := range e.Causes {
		if value, name, other = wrongConst(cause, depth); other {
			return value, name, other
		}
	}
	return "", "", false
}
