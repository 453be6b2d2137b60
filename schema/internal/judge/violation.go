package judge

import (
	"strconv"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema/internal/draft"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// violations reports each fault of a value at the member that has it.
func (j *Judge) violations(v draft.Value, found *validator.ValidationError) {
	if k, ok := found.ErrorKind.(*kind.OneOf); ok {
		j.oneOf(v, found, k)
		return
	}
	if len(found.Causes) > 0 {
		for _, cause := range found.Causes {
			j.violations(v, cause)
		}
		return
	}
	at := locate(v.Node, found.InstanceLocation)
	if v.WasReported(at) {
		return
	}
	if k, ok := found.ErrorKind.(*kind.Required); ok {
		for _, name := range k.Missing {
			j.fault(v, found.InstanceLocation, at, "", "required property "+text.Quote(name)+" is missing")
		}
		return
	}
	message, hint := violation(at, found.ErrorKind)
	j.fault(v, found.InstanceLocation, at, hint, message)
}

// fault reports one fault.
func (j *Judge) fault(v draft.Value, path []string, at *source.Node, hint, message string) {
	where := v.What
	if len(path) > 0 {
		where += " at " + text.Quote(pointer.Join(path...))
	}
	j.Report(at.Pos, v.Rule, hint, "%s: %s", where, message)
}

func locate(n *source.Node, path []string) *source.Node {
	for _, segment := range path {
		if n.Kind == source.Sequence {
			i, _ := strconv.Atoi(segment)
			n = n.Items[i]
		} else {
			n = n.Get(segment)
		}
	}
	return n
}
