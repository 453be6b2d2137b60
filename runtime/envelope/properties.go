package envelope

import (
	"strconv"

	"github.com/babelqueue/bqgen/internal/contract"
)

// The names of the message properties (MAP-1).
const (
	PropertyJob           = contract.PropertyJob           // bq-job: the URN, which decides the routing (RTE-1)
	PropertyTraceID       = contract.PropertyTraceID       // bq-trace-id: trace_id
	PropertyMessageID     = contract.PropertyMessageID     // bq-message-id: meta.id
	PropertySchemaVersion = contract.PropertySchemaVersion // bq-schema-version: see GATE-1
	PropertySourceLang    = contract.PropertySourceLang    // bq-source-lang: meta.lang
	PropertyAttempts      = contract.PropertyAttempts      // bq-attempts: the deliveries before this one (ATT-4)
)

// Properties returns the properties that belong to a body: what can be read of it, always including bq-attempts
// (MAP-2), or none if the body is an empty object (MAP-7).
func (e *Envelope) Properties() map[string]string {
	if e.empty {
		return map[string]string{}
	}
	properties := make(map[string]string, 6)
	project(properties, e.Job, e.TraceID, e.Meta.ID, e.Meta.SchemaVersion, e.Meta.Lang, max(e.Attempts, 0))
	return properties
}

// project maps members of an envelope to properties. Only the six names ever appear (MAP-1, MAP-4, MAP-5, MAP-6), and
// empty values are left out (MAP-3).
func project(properties map[string]string, job, traceID, id, schemaVersion, lang string, attempts int64) {
	for _, p := range [...]struct{ name, value string }{
		{PropertyJob, job},
		{PropertyTraceID, traceID},
		{PropertyMessageID, id},
		{PropertySchemaVersion, schemaVersion},
		{PropertySourceLang, lang},
		{PropertyAttempts, strconv.FormatInt(attempts, 10)},
	} {
		if p.value != "" {
			properties[p.name] = p.value
		}
	}
}
