package gonames

import (
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// restName is the preferred name of the field for members that have none of their own.
const restName = "AdditionalProperties"

// methodNames are the methods of generated structs; a field cannot have their names.
var methodNames = map[string]bool{
	"EncodeJSON": true, "DecodeJSON": true, "ValidateJSON": true, "MarshalJSON": true, "UnmarshalJSON": true,
	"Validate": true,
}

// fieldNames returns the names of the fields of an object and of the field for further members, if it has one. A name
// that the catalog sets never changes: others make room for it, or it is refused.
func (w *walker) fieldNames(s *schema.Schema) (fields []string, rest string) {
	preferred := make([]string, 0, len(s.Properties)+1)
	set := map[string]bool{}
	for _, p := range s.Properties {
		explicit := p.Schema.GoName
		switch {
		case explicit == "":
			preferred = append(preferred, exported(p.Name))
			continue
		case methodNames[explicit]:
			w.refuseGoName(p, "is a method of all generated types")
		case set[explicit]:
			w.refuseGoName(p, "is already that of another member")
		}
		set[explicit] = true
		preferred = append(preferred, explicit)
	}
	if s.Additional == schema.AdditionalKept {
		preferred = append(preferred, restName)
	}
	isSet := func(i int) bool { return i < len(s.Properties) && s.Properties[i].Schema.GoName != "" }
	names := distinctAfter(preferred, isSet)
	if s.Additional == schema.AdditionalKept {
		rest = names[len(s.Properties)]
	}
	return names[:len(s.Properties)], rest
}

// distinctAfter makes field names distinct. Those that are set come first, so that they stay as they are.
func distinctAfter(preferred []string, isSet func(int) bool) []string {
	order := make([]int, 0, len(preferred))
	for _, first := range []bool{true, false} {
		for i := range preferred {
			if isSet(i) == first {
				order = append(order, i)
			}
		}
	}
	sorted := make([]string, len(preferred))
	for i, from := range order {
		sorted[i] = preferred[from]
	}
	names := make([]string, len(preferred))
	for i, name := range distinct(sorted, methodNames, "Field") {
		names[order[i]] = name
	}
	return names
}

func (w *walker) refuseGoName(p *schema.Property, why string) {
	w.identifiers.findings = append(w.identifiers.findings, schema.Diagnostic{
		Pos: p.Schema.GoNamePos, Rule: ruleCollision,
		Message: "x-go-name " + p.Schema.GoName + " of the member " + text.Name(p.Name) + " " + why,
		Hint:    "give the member another x-go-name",
	})
}
