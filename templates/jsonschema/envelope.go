package jsonschema

import "github.com/babelqueue/bqgen/internal/jsonobj"

type object = jsonobj.Object

// Envelope is the schema of a message with this URN whose data is as data says, as producers write it (rules ENV-1 to
// ENV-7). A reader has to be more lenient: unknown members are valid (ENV-14), as is an alias for job (ENV-9), which no
// producer writes. shared, when it is not nil, is given the parts that do not depend on the URN, meta and dead_letter, and
// returns what stands for them.
func Envelope(urn string, data object, shared func(name string, s object) object) object {
	if shared == nil {
		shared = func(_ string, s object) object { return s }
	}
	return object{
		{Name: "type", Value: "object"},
		{Name: "required", Value: []any{"job", "trace_id", "data", "meta", "attempts"}},
		{Name: "properties", Value: object{
			{Name: "job", Value: object{{Name: "type", Value: "string"}, {Name: "const", Value: urn}, {Name: "description", Value: "The URN."}}},
			{Name: "trace_id", Value: object{
				{Name: "type", Value: "string"}, {Name: "minLength", Value: 1},
				{Name: "description", Value: "Unchanged on every hop. A UUID by convention."},
			}},
			{Name: "data", Value: data},
			{Name: "meta", Value: shared("meta", meta())},
			{Name: "attempts", Value: count("Deliveries that failed so far.")},
			{Name: "dead_letter", Value: shared("dead_letter", deadLetter())},
		}},
	}
}

func text(description string) object {
	return object{{Name: "type", Value: "string"}, {Name: "minLength", Value: 1}, {Name: "description", Value: description}}
}

func count(description string) object {
	return object{{Name: "type", Value: "integer"}, {Name: "minimum", Value: 0}, {Name: "description", Value: description}}
}

func lang() object {
	return object{
		{Name: "type", Value: "string"}, {Name: "enum", Value: []any{"php", "go", "python", "java", "dotnet", "node"}},
		{Name: "description", Value: "The language of the SDK."},
	}
}

// meta is rule ENV-3.
func meta() object {
	return object{
		{Name: "type", Value: "object"},
		{Name: "required", Value: []any{"id", "queue", "lang", "schema_version", "created_at"}},
		{Name: "properties", Value: object{
			{Name: "id", Value: text("A UUID, another one for each message.")},
			{Name: "queue", Value: text("The queue it was published to.")},
			{Name: "lang", Value: lang()},
			{Name: "schema_version", Value: object{{Name: "type", Value: "integer"}, {Name: "const", Value: 1}}},
			{Name: "created_at", Value: count("Milliseconds since 1970 in UTC.")},
		}},
		{Name: "description", Value: "Written once, by the producer."},
	}
}

func deadLetter() object {
	nullable := func(description string) object {
		return object{{Name: "type", Value: []any{"string", "null"}}, {Name: "description", Value: description}}
	}
	return object{
		{Name: "type", Value: "object"},
		{Name: "required", Value: []any{"reason", "failed_at", "original_queue", "attempts"}},
		{Name: "properties", Value: object{
			{Name: "reason", Value: object{{Name: "type", Value: "string"}, {Name: "enum", Value: []any{"failed", "unknown_urn", "poison"}}}},
			{Name: "error", Value: nullable("What went wrong, for people.")},
			{Name: "exception", Value: nullable("The type of the error in its language.")},
			{Name: "failed_at", Value: count("Milliseconds since 1970 in UTC.")},
			{Name: "original_queue", Value: object{{Name: "type", Value: "string"}, {Name: "description", Value: "The queue it was consumed from."}}},
			{Name: "attempts", Value: count("Deliveries that failed.")},
			{Name: "lang", Value: lang()},
		}},
		{Name: "description", Value: "Only on messages in a dead letter topic."},
	}
}
