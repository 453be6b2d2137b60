// Package contract contains the names and numbers that the BabelQueue wire contract fixes. The runtime, the generated
// code and the exports take them from here.
package contract

import (
	"errors"
	"strings"
)

// SchemaVersion is the version of the envelope that bqgen reads and writes (ACC-7, GATE-1).
const SchemaVersion = 1

// Lang is the tag of the Go SDK in meta, dead_letter and the properties (ENV-4).
const Lang = "go"

// The members of the envelope (ENV-2).
const (
	MemberJob        = "job"
	MemberURN        = "urn" // an alias, used if job is not usable (ENV-9)
	MemberTraceID    = "trace_id"
	MemberData       = "data"
	MemberMeta       = "meta"
	MemberAttempts   = "attempts"
	MemberDeadLetter = "dead_letter"
)

// Langs returns the tags of all SDKs (ENV-4).
func Langs() []string { return []string{"php", Lang, "python", "java", "dotnet", "node"} }

// The members of meta (ENV-3).
const (
	MetaID            = "id"
	MetaQueue         = "queue"
	MetaLang          = "lang"
	MetaSchemaVersion = "schema_version"
	MetaCreatedAt     = "created_at"
)

// The members of dead_letter (DLQ-2).
const (
	DeadLetterReason        = "reason"
	DeadLetterError         = "error"
	DeadLetterException     = "exception"
	DeadLetterFailedAt      = "failed_at"
	DeadLetterOriginalQueue = "original_queue"
	DeadLetterAttempts      = "attempts"
	DeadLetterLang          = "lang"
)

// The values of reason in dead_letter (DLQ-2).
const (
	ReasonFailed     = "failed"
	ReasonUnknownURN = "unknown_urn"
	ReasonPoison     = "poison"
)

// The members that a poison record has instead of an envelope's if its body cannot be kept as JSON (POI-12, POI-13).
const (
	PoisonRaw         = "raw"
	PoisonRawEncoding = "raw_encoding" // base64 is its only value
)

// The properties of a message (MAP-1).
const (
	PropertyJob           = "bq-job"
	PropertyTraceID       = "bq-trace-id"
	PropertyMessageID     = "bq-message-id"
	PropertySchemaVersion = "bq-schema-version"
	PropertySourceLang    = "bq-source-lang"
	PropertyAttempts      = "bq-attempts"
)

// The conventions of a queue.
const (
	Subscription       = "babelqueue" // the default name of a subscription (CFG-4)
	DeadLetterSuffix   = ".dlq"       // appended to the name of a queue's topic (DLQ-1)
	DefaultMaxAttempts = 3            // deliveries in all (MAX-1)
	RetrySuffix        = ".retry"     // appended to a queue's topic and the name of a service (FAN-2)
)

// ServiceRetryTopic returns the topic for the retries of a service of a queue (FAN-2).
func ServiceRetryTopic(topic, service string) string { return topic + "." + service + RetrySuffix }

// ServiceDeadLetterTopic returns the topic for the dead letters of a service of a queue (FAN-3).
func ServiceDeadLetterTopic(topic, service string) string {
	return topic + "." + service + DeadLetterSuffix
}

// CheckService returns an error that says why a service cannot have this name (FAN-8).
func CheckService(name string) error {
	for i, r := range name {
		isLetter := r >= 'a' && r <= 'z'
		if !isLetter && (i == 0 || r != '-' && (r < '0' || r > '9')) {
			return errors.New("a service is named with a letter of a to z, followed by such letters, digits and -")
		}
	}
	switch name {
	case "":
		return errors.New("a service has a name")
	case Subscription:
		return errors.New("that is the subscription of a queue without services")
	case strings.TrimPrefix(DeadLetterSuffix, "."), strings.TrimPrefix(RetrySuffix, "."):
		return errors.New("topics with such an end are those of dead letters and retries")
	}
	return nil
}
