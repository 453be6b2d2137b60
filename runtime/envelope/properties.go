package envelope

import "strconv"

// The names of the message properties (section 3 of the contract).
const (
	PropertyJob           = "bq-job"
	PropertyTraceID       = "bq-trace-id"
	PropertyMessageID     = "bq-message-id"
	PropertySchemaVersion = "bq-schema-version"
	PropertySourceLang    = "bq-source-lang"
	PropertyAttempts      = "bq-attempts"
)

// Properties returns the properties that belong to a body: none when it is an empty object (MAP-7), else what can be
// read of it, bq-attempts always among it (MAP-2). It cannot fail.
func (e *Envelope) Properties() map[string]string {
	if e.empty {
		return map[string]string{}
	}
	return project(e.Job, e.TraceID, e.Meta.ID, e.Meta.SchemaVersion, e.Meta.Lang, max(e.Attempts, 0))
}

// project maps envelope members to properties. Only the six names ever appear (MAP-1, MAP-4, MAP-5, MAP-6), and what
// is empty is left out (MAP-3).
func project(job, traceID, id, schemaVersion, lang string, attempts int64) map[string]string {
	properties := make(map[string]string, 6)
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
	return properties
}
