package asyncapi

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/internal/pagename"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

type (
	object = jsonobj.Object
	list   = []any
)

const contentType = "application/json"

// Kind tells generated documents from other files; see [fileset.Kind].
var Kind = fileset.Kind{
	".json": "{\n  \"asyncapi\": \"3.0.0\",\n  \"x-generator\": \"" + fileset.Generated,
	".yaml": "asyncapi: \"3.0.0\"\nx-generator: \"" + fileset.Generated,
	".yml":  "asyncapi: \"3.0.0\"\nx-generator: \"" + fileset.Generated,
}

// Options are the parts of a document that the catalog does not contain.
type Options struct {
	Version string // of the API; the default is 1.0.0
}

// Generate returns the document for a file of this name: YAML when the name ends in .yaml or .yml, otherwise JSON. It
// does not write it.
//
// Messages go by their Go names; one whose Go name is taken goes by its URN. An error is a bug in bqgen.
func Generate(c *schema.Catalog, name string, o Options) ([]byte, error) {
	names, _ := gonames.Of(c) // the document needs no Go names that are distinct
	if o.Version == "" {
		o.Version = "1.0.0"
	}
	e := &exporter{
		names:    names,
		keys:     map[string]bool{},
		channels: map[*schema.Queue]string{},
		messages: map[*schema.URN]string{},
		types:    map[*schema.Type]*schema.Type{},
		done:     map[string]bool{},
		met:      map[*schema.Type]bool{},
	}
	doc, err := e.document(c, o)
	if err != nil {
		return nil, fmt.Errorf("export to AsyncAPI: this is a bug in bqgen: %w", err)
	}
	if ext := filepath.Ext(name); ext == ".yaml" || ext == ".yml" {
		return doc.YAML(), nil
	}
	return doc.JSON(), nil
}

// An exporter builds a document. Everything in it has a key, under which others refer to it.
type exporter struct {
	names    *gonames.Names
	channels map[*schema.Queue]string      // the keys of the channels
	messages map[*schema.URN]string        // the keys of the messages
	types    map[*schema.Type]*schema.Type // a copy of the type, with the key of its schema as its name
	keys     map[string]bool               // the keys of schemas that are taken
	schemas  object                        // the schemas so far
	done     map[string]bool               // the keys of these
	met      map[*schema.Type]bool         // the types among these
}

func (e *exporter) document(c *schema.Catalog, o Options) (object, error) {
	for _, shared := range []string{metaKey, deadLetterKey, propertiesKey} {
		e.keys[shared] = true
	}
	for _, u := range c.URNs {
		name := e.messageKey(u)
		e.messages[u] = name
		e.keys[name], e.keys[envelopeKey(name)] = true, true
	}
	for _, q := range c.Queues {
		e.channels[q] = key(q.Name, pagename.Queue(q.Name))
	}
	components, err := e.components(c)
	if err != nil {
		return nil, err
	}
	doc := object{
		{Name: "asyncapi", Value: "3.0.0"},
		{Name: "x-generator", Value: fileset.JSONComment(fileset.CatalogSource(filepath.Base(c.File), c.Package))},
		{Name: "id", Value: "urn:bqgen:" + e.names.Package},
		{Name: "info", Value: e.info(c, o)},
		{Name: "defaultContentType", Value: contentType},
		{Name: "channels", Value: e.allChannels(c)},
	}
	if operations := e.operations(c); operations != nil {
		doc = append(doc, jsonobj.Member{Name: "operations", Value: operations})
	}
	return append(doc, jsonobj.Member{Name: "components", Value: components}), nil
}

func (e *exporter) info(c *schema.Catalog, o Options) object {
	title := c.Info.Title
	if title == "" {
		title = e.names.Package
	}
	info := object{{Name: "title", Value: title}, {Name: "version", Value: o.Version}}
	if c.Info.Description != "" {
		info = append(info, jsonobj.Member{Name: "description", Value: c.Info.Description})
	}
	if c.Info.Owner != "" {
		info = append(info, jsonobj.Member{Name: "contact", Value: object{{Name: "name", Value: c.Info.Owner}}})
	}
	return info
}

// components are the messages and the schemas, which everything else refers to.
func (e *exporter) components(c *schema.Catalog) (object, error) {
	if len(c.URNs) == 0 {
		return object{}, nil
	}
	var messages object
	for _, u := range c.URNs {
		m, err := e.message(u)
		if err != nil {
			return nil, err
		}
		messages = append(messages, jsonobj.Member{Name: e.messages[u], Value: m})
	}
	return object{{Name: "messages", Value: messages}, {Name: "schemas", Value: e.schemas}}, nil
}

// messageKey is the Go name of a message or, when another message has it, its URN as a key.
func (e *exporter) messageKey(u *schema.URN) string {
	page := pagename.URN(u.URN)
	k := key(e.names.Messages[u].Type, page)
	if e.keys[k] || e.keys[envelopeKey(k)] {
		return key("", page)
	}
	return k
}

// key returns name when it may be a key of components. Otherwise it returns the page's name, in which an upper-case X
// marks that it is not a name of the catalog.
func key(name, page string) string {
	if name != "" && strings.IndexFunc(name, notInKey) < 0 {
		return name
	}
	return strings.ReplaceAll(page, "~", "-X-")
}

func notInKey(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' || r == '.')
}

// ref returns a reference to a part of the document.
func ref(parts ...string) object {
	return object{{Name: "$ref", Value: "#/" + strings.Join(parts, "/")}}
}
