package golang

import (
	"strconv"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// ruleUnionBranch is the rule about branches that Go cannot express.
const ruleUnionBranch = "go-union-branch"

// declareUnion declares s as a sealed interface called name, and the branches without a name in the catalog.
func (w *walker) declareUnion(name string, about doc, s *schema.Schema) {
	names := w.names.Schemas[s]
	d := &unionDecl{Name: name, Marker: names.Marker, Decode: names.Decode, Discriminator: s.Discriminator}
	d.DecodeDoc = sentence("%s decodes the branch that the discriminator selects.", d.Decode)
	if s.Discriminator == "" {
		d.DecodeDoc = sentence("%s decodes the first branch that the value fits.", d.Decode)
	}
	w.decls = append(w.decls, d)
	d.Rules = w.rules(s)
	for i, b := range s.Branches {
		role := "the " + name + " whose " + strconv.Quote(s.Discriminator) + " is " + strconv.Quote(b.Value)
		if s.Discriminator == "" {
			role = "branch " + strconv.Itoa(i+1) + " of " + name
		}
		of := w.useNotNull(name, role, b.Schema)
		structure, ok := underlying(of).(named)
		if !ok || structure.Of != structKind {
			w.findings = append(w.findings, schema.Diagnostic{
				Pos: b.Pos, Rule: ruleUnionBranch,
				Message: "a branch of a union cannot have an x-go-type: the union's Go interface is closed to other packages",
				Hint:    "leave x-go-type out of the branch, or put it on the union itself",
			})
			continue
		}
		d.Branches = append(d.Branches, branch{Value: b.Value, Type: structure.Name})
	}
	if s.KeepUnknown {
		d.Unknown = &unknownDecl{
			Name: names.Unknown,
			Doc:  sentence("%s is a %s with an unknown discriminator, kept unchanged.", names.Unknown, name),
		}
	}
	d.Doc = paragraphs(about, choice(d))
}

// choice lists the types that a union can be.
func choice(d *unionDecl) doc {
	types := make([]string, 0, len(d.Branches)+1)
	for _, b := range d.Branches {
		types = append(types, "*"+b.Type)
	}
	if d.Unknown != nil {
		types = append(types, "*"+d.Unknown.Name)
	}
	list := strings.Join(types, ", ")
	if last := len(types) - 1; last > 0 {
		list = strings.Join(types[:last], ", ") + " or " + types[last]
	}
	if d.Discriminator == "" {
		return sentence("It is %s: the only one whose schema a value obeys.", list)
	}
	return sentence("Its member %s selects the type: %s.", strconv.Quote(d.Discriminator), list)
}
