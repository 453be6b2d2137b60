package asyncapi

import (
	"github.com/babelqueue/bqgen/internal/jsonobj"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/jsonschema"
)

func (e *exporter) message(u *schema.URN) (object, error) {
	name := e.messages[u]
	data, err := e.schema(name, u)
	if err != nil {
		return nil, err
	}
	e.add(name+"Envelope", jsonschema.Envelope(u.URN, data, func(part string, s object) object {
		return e.add(map[string]string{"meta": "bqgen.Meta", "dead_letter": "bqgen.DeadLetter"}[part], s)
	}))
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
		jsonobj.Member{Name: "contentType", Value: "application/json"},
		jsonobj.Member{Name: "correlationId", Value: object{{Name: "location", Value: "$message.payload#/trace_id"}}},
		jsonobj.Member{Name: "headers", Value: e.add("bqgen.Properties", properties())},
		jsonobj.Member{Name: "payload", Value: ref("components", "schemas", name+"Envelope")})
	if u.Key != nil {
		m = append(m, jsonobj.Member{Name: "x-message-key", Value: "/data" + u.Key.Pointer})
	}
	examples, err := e.examples(u)
	if examples != nil {
		m = append(m, jsonobj.Member{Name: "examples", Value: examples})
	}
	return m, err
}

// add puts a schema among the components, once, and returns what refers to it.
func (e *exporter) add(name string, s object) object {
	if !e.done[name] {
		e.done[name] = true
		e.schemas = append(e.schemas, jsonobj.Member{Name: name, Value: s})
	}
	return ref("components", "schemas", name)
}

// properties are what a message carries beside its payload, all of them texts (rule MAP-1).
func properties() object {
	var members object
	for _, name := range []string{"bq-job", "bq-trace-id", "bq-message-id", "bq-schema-version", "bq-source-lang", "bq-attempts"} {
		members = append(members, jsonobj.Member{Name: name, Value: object{{Name: "type", Value: "string"}}})
	}
	return object{{Name: "type", Value: "object"}, {Name: "properties", Value: members}}
}

// examples are whole messages with the catalog's payloads, but for those that a tool would take for references.
func (e *exporter) examples(u *schema.URN) (list, error) {
	var out list
	for _, example := range u.Examples {
		data, err := jsonobj.Parse(example.JSON)
		if err != nil {
			return nil, err
		}
		if refers(data) {
			continue
		}
		out = append(out, object{{Name: "payload", Value: object{
			{Name: "job", Value: u.URN},
			{Name: "trace_id", Value: "7b3f9c2a-e41d-4f88-9b2a-1c0d5e6f7a8b"},
			{Name: "data", Value: data},
			{Name: "meta", Value: object{
				{Name: "id", Value: "f1e2d3c4-b5a6-4789-90ab-cdef01234567"},
				{Name: "queue", Value: lastSegment(u.Queue.Topic)},
				{Name: "lang", Value: "go"},
				{Name: "schema_version", Value: 1},
				{Name: "created_at", Value: 1749132727000},
			}},
			{Name: "attempts", Value: 0},
		}}})
	}
	return out, nil
}

// lastSegment is what meta.queue says (rule ENV-5).
func lastSegment(topic string) string {
	for i := len(topic) - 1; i >= 0; i-- {
		if topic[i] == '/' {
			return topic[i+1:]
		}
	}
	return topic
}
