package draft

import (
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// passedOn are the annotations of JSON Schema that mean nothing to bqgen. A message has one direction, so readOnly and
// writeOnly limit nobody; what is encoded in a string is up to those who exchange it.
var passedOn = []string{
	"$comment", "contentEncoding", "contentMediaType", "contentSchema", "readOnly", "writeOnly",
}

// identities name a schema for other documents. In a catalog, names do.
var identities = []string{"$id", "$anchor", "$schema"}

// ownPrefixes start the names of bqgen's keywords. A keyword that starts so and is none of them is misspelt.
var ownPrefixes = []string{"x-go-", "x-gdpr-", "x-unknown-"}

// isForeign reports whether a keyword is an x- keyword of another tool.
func isForeign(name string) bool {
	return strings.HasPrefix(name, "x-") && unsupported[name] == "" && keywordTypes[name] == 0 && !isOwn(name)
}

func isOwn(name string) bool {
	return slices.ContainsFunc(ownPrefixes, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// passOn keeps a keyword as it stands.
func (r *Reader) passOn(d *Draft, p source.Pair) {
	if v, ok := r.Value(p.Value, schema.RuleWrongType, p.Key.Text); ok {
		d.PassedOn = append(d.PassedOn, schema.PassedOn{Name: p.Key.Text, Value: v.Literal})
	}
}
