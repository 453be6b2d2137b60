package jsonschema

import (
	"fmt"
	"path/filepath"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/internal/pagename"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/jsonschema"
)

const suffix = ".schema.json"

// Kind tells generated schemas from other files; see [fileset.Kind].
var Kind = fileset.Kind{suffix: "{\n  \"$comment\": \"" + fileset.Generated}

// Generate returns the schemas of all URNs by file name: NAME.payload.schema.json and NAME.envelope.schema.json. It
// does not write them. The error matches [fileset.ErrTooLarge], or is a bug in bqgen.
func Generate(c *schema.Catalog) (map[string][]byte, error) {
	source := fileset.CatalogSource(filepath.Base(c.File), c.Package)
	var files fileset.Collector
	for _, u := range c.URNs {
		payload, err := payloadOf(u)
		if err != nil {
			return nil, fmt.Errorf("export %q: this is a bug in bqgen: %w", u.URN, err)
		}
		name := pagename.URN(u.URN)
		err = files.Add(name+".payload"+suffix, document(u, payload, source).JSON())
		if err == nil {
			err = files.Add(name+".envelope"+suffix, document(u, enveloped(u, payload), source).JSON())
		}
		if err != nil {
			return nil, err
		}
	}
	return files.Files(), nil
}

func payloadOf(u *schema.URN) (jsonobj.Object, error) {
	v, err := jsonobj.Parse(jsonschema.Render(u.Data, jsonschema.Options{Portable: true}))
	if err != nil {
		return nil, err
	}
	o, ok := v.(jsonobj.Object)
	if !ok {
		return nil, fmt.Errorf("the schema is not an object")
	}
	return o, nil
}

// document returns s with the head of a document. The payload's own title and description take precedence over those
// of the URN; its comment follows the one that names the source.
func document(u *schema.URN, s object, source string) object {
	var own []string
	if text, ok := s.Get("$comment").(string); ok {
		own = []string{text}
	}
	doc := object{
		{Name: "$comment", Value: fileset.JSONComment(source, own...)}, {Name: "$schema", Value: s.Get("$schema")},
	}
	if s.Get("title") == nil {
		doc = append(doc, jsonobj.Member{Name: "title", Value: u.URN})
	}
	if s.Get("description") == nil && u.Summary != "" {
		doc = append(doc, jsonobj.Member{Name: "description", Value: u.Summary})
	}
	if u.Deprecated != nil && s.Get("deprecated") == nil {
		doc = append(doc, jsonobj.Member{Name: "deprecated", Value: true})
	}
	return append(doc, s.Without("$schema", "$comment")...)
}

// enveloped returns the schema of whole messages. References start at the root of the document, so $defs move there.
func enveloped(u *schema.URN, payload object) object {
	s := object{{Name: "$schema", Value: payload.Get("$schema")}}
	s = append(s, Envelope(u.URN, payload.Without("$schema", "$defs"), nil)...)
	if defs := payload.Get("$defs"); defs != nil {
		s = append(s, jsonobj.Member{Name: "$defs", Value: defs})
	}
	return s
}
