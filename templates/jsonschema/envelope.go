package jsonschema

import (
	"github.com/babelqueue/bqgen/internal/contract"
	"github.com/babelqueue/bqgen/internal/jsonobj"
)

type object = jsonobj.Object

// Envelope returns the schema of a message with this URN, as producers write it (rules ENV-1 to ENV-7); data is the
// schema of its payload. A consumer has to be more lenient: unknown members are valid (ENV-14), and so is an alias for
// job (ENV-9), which no producer writes.
//
// Two parts of the schema are the same for all URNs: meta and dead_letter. When shared is not nil, Envelope passes each
// of them to it, with its name, and uses what it returns instead, such as a reference.
func Envelope(urn string, data object, shared func(name string, s object) object) object {
	if shared == nil {
		shared = func(_ string, s object) object { return s }
	}
	job := object{
		{Name: "type", Value: "string"}, {Name: "const", Value: urn}, {Name: "description", Value: "The URN."},
	}
	return object{
		{Name: "type", Value: "object"},
		{Name: "required", Value: []any{
			contract.MemberJob, contract.MemberTraceID, contract.MemberData, contract.MemberMeta, contract.MemberAttempts,
		}},
		{Name: "properties", Value: object{
			{Name: contract.MemberJob, Value: job},
			{Name: contract.MemberTraceID, Value: text("Unchanged on every hop. A UUID by convention.")},
			{Name: contract.MemberData, Value: data},
			{Name: contract.MemberMeta, Value: shared(contract.MemberMeta, meta())},
			{Name: contract.MemberAttempts, Value: count("The number of failed deliveries so far.")},
			{Name: contract.MemberDeadLetter, Value: shared(contract.MemberDeadLetter, deadLetter())},
		}},
	}
}

// text is the schema of a string that is not empty.
func text(description string) object {
	return object{
		{Name: "type", Value: "string"}, {Name: "minLength", Value: 1}, {Name: "description", Value: description},
	}
}

// count is the schema of an integer that is not negative.
func count(description string) object {
	return object{
		{Name: "type", Value: "integer"}, {Name: "minimum", Value: 0}, {Name: "description", Value: description},
	}
}

// lang is the schema of an SDK's language (rule ENV-4).
func lang() object {
	var tags []any
	for _, tag := range contract.Langs() {
		tags = append(tags, tag)
	}
	return object{
		{Name: "type", Value: "string"}, {Name: "enum", Value: tags},
		{Name: "description", Value: "The language of the SDK."},
	}
}

// meta is the schema of the member meta (rule ENV-3).
func meta() object {
	version := object{{Name: "type", Value: "integer"}, {Name: "const", Value: contract.SchemaVersion}}
	return object{
		{Name: "type", Value: "object"},
		{Name: "required", Value: []any{
			contract.MetaID, contract.MetaQueue, contract.MetaLang, contract.MetaSchemaVersion, contract.MetaCreatedAt,
		}},
		{Name: "properties", Value: object{
			{Name: contract.MetaID, Value: text("A UUID, different for each message.")},
			{Name: contract.MetaQueue, Value: text("The queue that the message was published to.")},
			{Name: contract.MetaLang, Value: lang()},
			{Name: contract.MetaSchemaVersion, Value: version},
			{Name: contract.MetaCreatedAt, Value: count("Milliseconds since 1970-01-01 UTC.")},
		}},
		{Name: "description", Value: "Written once, by the producer."},
	}
}

// deadLetter is the schema of the member dead_letter (rule DLQ-2).
func deadLetter() object {
	nullable := func(description string) object {
		return object{{Name: "type", Value: []any{"string", "null"}}, {Name: "description", Value: description}}
	}
	reason := object{{Name: "type", Value: "string"}, {Name: "enum", Value: []any{
		contract.ReasonFailed, contract.ReasonUnknownURN, contract.ReasonPoison,
	}}}
	queue := object{
		{Name: "type", Value: "string"}, {Name: "description", Value: "The queue that the message was consumed from."},
	}
	return object{
		{Name: "type", Value: "object"},
		{Name: "required", Value: []any{
			contract.DeadLetterReason, contract.DeadLetterFailedAt, contract.DeadLetterOriginalQueue,
			contract.DeadLetterAttempts,
		}},
		{Name: "properties", Value: object{
			{Name: contract.DeadLetterReason, Value: reason},
			{Name: contract.DeadLetterError, Value: nullable("What went wrong, in words.")},
			{Name: contract.DeadLetterException, Value: nullable("The type of the error in the SDK's language.")},
			{Name: contract.DeadLetterFailedAt, Value: count("Milliseconds since 1970-01-01 UTC.")},
			{Name: contract.DeadLetterOriginalQueue, Value: queue},
			{Name: contract.DeadLetterAttempts, Value: count("The number of failed deliveries.")},
			{Name: contract.DeadLetterLang, Value: lang()},
		}},
		{Name: "description", Value: "Only on messages in a dead letter topic."},
	}
}
