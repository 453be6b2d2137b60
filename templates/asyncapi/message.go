package asyncapi

import (
	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/internal/topic"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/jsonschema"
)

// The keys of the schemas that all messages share.
const (
	metaKey       = "bqgen.Meta"
	deadLetterKey = "bqgen.DeadLetter"
	propertiesKey = "bqgen.Properties"
)

// envelopeKey returns the key of the schema of a whole message.
func envelopeKey(message string) string { return message + "Envelope" }

func (e *exporter) message(u *schema.URN) (object, error) {
	name := e.messages[u]
	data, err := e.schema(name, u)
	if err != nil {
		return nil, err
	}
	envelope := e.add(envelopeKey(name), jsonschema.Envelope(u.URN, data, func(part string, s object) object {
		if part == contract.MemberMeta {
			return e.add(metaKey, s)
		}
		return e.add(deadLetterKey, s)
	}))
	traceID := object{{Name: "location", Value: "$message.payload#/" + contract.MemberTraceID}}
	m := object{{Name: "name", Value: u.URN}, {Name: "title", Value: e.names.Messages[u].Type}}
	if u.Summary != "" {
		m = append(m, jsonobj.Member{Name: "summary", Value: u.Summary})
	}
	if u.Description != "" {
		m = append(m, jsonobj.Member{Name: "description", Value: u.Description})
	}
	if u.Deprecated != nil {
		m = append(m, jsonobj.Member{Name: "x-deprecated", Value: true})
	}
	m = append(m,
		jsonobj.Member{Name: "contentType", Value: contentType},
		jsonobj.Member{Name: "correlationId", Value: traceID},
		jsonobj.Member{Name: "headers", Value: e.add(propertiesKey, properties())},
		jsonobj.Member{Name: "payload", Value: envelope})
	if u.Key != nil {
		m = append(m, jsonobj.Member{Name: "x-message-key", Value: "/" + contract.MemberData + u.Key.Pointer})
	}
	examples, err := examplesOf(u)
	if examples != nil {
		m = append(m, jsonobj.Member{Name: "examples", Value: examples})
	}
	return m, err
}

// add adds a schema to the components, once, and returns a reference to it.
func (e *exporter) add(name string, s object) object {
	if !e.done[name] {
		e.done[name] = true
		e.schemas = append(e.schemas, jsonobj.Member{Name: name, Value: s})
	}
	return ref("components", "schemas", name)
}

// properties is the schema of a message's properties, all of which are strings (rule MAP-1).
func properties() object {
	var members object
	for _, name := range []string{
		contract.PropertyJob, contract.PropertyTraceID, contract.PropertyMessageID,
		contract.PropertySchemaVersion, contract.PropertySourceLang, contract.PropertyAttempts,
	} {
		members = append(members, jsonobj.Member{Name: name, Value: object{{Name: "type", Value: "string"}}})
	}
	return object{{Name: "type", Value: "object"}, {Name: "properties", Value: members}}
}

// examplesOf returns whole messages with the payloads of the catalog's examples. It leaves out those that tools would
// take for references.
func examplesOf(u *schema.URN) (list, error) {
	var examples list
	for _, example := range u.Examples {
		data, err := jsonobj.Parse(example.JSON)
		if err != nil {
			return nil, err
		}
		if !refers(data) {
			examples = append(examples, object{{Name: "payload", Value: exampleOf(u, data)}})
		}
	}
	return examples, nil
}

// exampleOf returns a message with this payload. Its identifiers and its time are made up.
func exampleOf(u *schema.URN, data any) object {
	return object{
		{Name: contract.MemberJob, Value: u.URN},
		{Name: contract.MemberTraceID, Value: "7b3f9c2a-e41d-4f88-9b2a-1c0d5e6f7a8b"},
		{Name: contract.MemberData, Value: data},
		{Name: contract.MemberMeta, Value: object{
			{Name: contract.MetaID, Value: "f1e2d3c4-b5a6-4789-90ab-cdef01234567"},
			{Name: contract.MetaQueue, Value: topic.LastSegment(u.Queue.Topic)}, // ENV-5
			{Name: contract.MetaLang, Value: contract.Lang},
			{Name: contract.MetaSchemaVersion, Value: contract.SchemaVersion},
			{Name: contract.MetaCreatedAt, Value: 1749132727000},
		}},
		{Name: contract.MemberAttempts, Value: 0},
	}
}
