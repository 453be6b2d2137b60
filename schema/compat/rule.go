package compat

// A Rule is a kind of change: whom it affects, and what to do instead.
type Rule struct {
	ID      string // stable
	Keyword string // what changed in the catalog
	Effect  string // whom it breaks; effectDepends when that depends on the values
	Purpose string // what the change is
	Instead string // what to do instead; empty when nothing has to be done
}

// effectDepends is an Effect besides the directions of [Change.Direction].
const effectDepends = "depends on the values; breaks consumers, producers or both"

// notCompared is the rule of what was too much to compare.
const notCompared = "not-compared"

const (
	newURN = "add a new URN with the new payload, publish both for a while, " +
		"and deprecate this one with deprecated: {use: ...}"
	newProperty  = "add a new optional property next to it and set deprecated: true on this one"
	readersFirst = "deploy the consumers with the new catalog before the first producer, " +
		"or add a new URN and deprecate this one"
	keepReading = "keep accepting what was valid: old producers still send it and queues still contain it; " +
		"or add a new URN and deprecate this one"
	recompile = "tell the users of the generated package: the compiler shows them where"
)

// Rules returns all kinds of changes, in the order in which they are listed.
func Rules() []Rule {
	return []Rule{
		{"urn-added", "urns", BreaksSource + ", or safe on a new queue",
			"A queue has a new URN, which every service that handles the whole queue has to handle too.",
			"deploy the consumers of the queue first: until then they dead-letter the new messages"},
		{"urn-removed", "urns", BreaksProducers,
			"A URN is removed. Messages that are still sent under it have no handler.",
			"deprecate it, wait until nobody publishes it and its queue is empty, then remove it"},
		{"urn-renamed", "urns", BreaksBoth,
			"A URN is renamed. To services these are two different messages.",
			"keep the old URN next to the new one, with deprecated: {use: NEW}"},
		{"urn-moved", "queue", BreaksBoth,
			"A URN is on another topic. Consumers of the old topic get nothing more, and those of the new one miss " +
				"what old producers send.",
			newURN},
		{"topic-changed", "topic", BreaksBoth,
			"A queue has another topic. Producers and consumers that are not deployed at the same instant lose each other.",
			"drain the old topic with a consumer of its own, or add a new queue and new URNs"},
		{"queue-renamed", "queues", BreaksSource, "A queue is renamed and keeps its topic.", recompile},
		{"key-added", "key", IsSafe, "Messages that had no key have one.", ""},
		{"key-removed", "key", BreaksConsumers, "Messages lose their key, and with it order per key and compaction.", newURN},
		{"key-changed", "key", BreaksConsumers,
			"Messages have another key. Order per key is lost across the change, and compaction keeps both.", newURN},
		{"max-attempts-changed", "max_attempts", IsSafe,
			"The number of deliveries before a message is dead-lettered changes.", ""},
		{"dead-letter-removed", "dead_letter", BreaksConsumers,
			"Messages that cannot be handled are dropped. Readers of the dead letter topic get nothing more.",
			"keep the dead letter topic"},
		{"dead-letter-moved", "dead_letter", BreaksConsumers,
			"Dead letters go to another topic. Readers of the old one get nothing more.",
			"move the reader of the dead letters first"},
		{"dead-letter-added", "dead_letter", IsSafe, "Messages that were dropped are kept.", ""},
		{"package-changed", "package", BreaksSource, "The generated package is renamed.", recompile},
		{"go-name-changed", "name, x-go-name", BreaksSource,
			"A generated name changes.", "keep the old one with name: or x-go-name:"},
		{"go-type-changed", "x-go-type", BreaksSource, "Another Go type is used.", recompile},
		{"type-name-changed", "$ref", BreaksSource,
			"The payload has the same structure, and its type has another name.", "keep the type's Go name with x-go-name:"},
		{"deprecation-changed", "deprecated", IsSafe, "Something is deprecated, or no longer is.", ""},
		{"text-changed", "summary, description, title, examples", IsSafe, "Descriptions or examples change.", ""},
		{"services-changed", "publishers, consumers", IsSafe, "The services that publish or consume a message change.", ""},
		{"services-introduced", "services", BreaksConsumers,
			"A queue gets services. What waits on its topic is not theirs: where they start has to be decided.",
			"move the queue step by step, as docs/services.md says"},
		{"services-dropped", "services", BreaksConsumers,
			"A queue loses its services. Each message is handled by one consumer, and what waits for the services stays.",
			"keep the services, or drain and delete their subscriptions and topics first"},
		{"service-added", "services", IsSafe,
			"A queue has a new service. It starts with the earliest message that the broker still has.", ""},
		{"service-removed", "services", BreaksConsumers,
			"A service is removed. Its subscription keeps every message until somebody deletes it.",
			"stop the service, delete its subscription and its topics, then remove it; docs/services.md says how"},
		{"service-renamed", "services", BreaksConsumers,
			"A service is renamed. Its backlog, retries and dead letters stay under the old name.",
			"add the new service, stop the old one when it has drained, then remove it"},
		{"service-receives-more", "consumers", BreaksConsumers,
			"A service receives one more URN. Deployed with the old code, it skips these messages.",
			"deploy the service with the new code before the messages matter to it: what it has skipped does not come again"},
		{"service-receives-less", "consumers", IsSafe, "A service skips a URN that it used to receive.", ""},
		{"service-urn-added", "urns", BreaksConsumers,
			"A queue with services has a new URN, which is unknown to all services deployed with the old code.",
			"deploy all services of the queue with the new code before the URN is published for the first time"},
		{"sensitivity-changed", "x-gdpr-sensitive", IsSafe, "Something is marked as personal data, or no longer is.", ""},
		{"default-changed", "default", IsSafe,
			"A default changes. It is documentation only: decoding does not apply it.", ""},

		{"type-changed", "type", BreaksBoth, "Values have another type.", newProperty},
		{"type-widened", "type", BreaksConsumers, "Values of more types are allowed.", newProperty},
		{"type-narrowed", "type", BreaksProducers, "Values of fewer types are allowed.", newProperty},
		{"null-allowed", "type", BreaksConsumers, "null is allowed.", "omit an optional property instead of sending null"},
		{"null-refused", "type", BreaksProducers, "null is no longer allowed.", keepReading},
		{"const-changed", "const", effectDepends, "The only valid value changes.", newURN},
		{"enum-value-added", "enum", BreaksConsumers, "A value is allowed that consumers do not know.", readersFirst},
		{"enum-value-removed", "enum", BreaksProducers, "A value is refused that is still sent.", keepReading},
		{"enum-introduced", "enum, const", effectDepends, "Only listed values are allowed.", keepReading},
		{"enum-lifted", "enum, const", effectDepends, "Values are no longer limited to a list.", readersFirst},
		{"format-changed", "format", effectDepends, "Strings have another format.", newProperty},
		{"format-added", "format", BreaksProducers, "Only strings of the format are allowed.", keepReading},
		{"format-removed", "format", BreaksConsumers, "Strings need no longer have the format.", readersFirst},
		{"number-format-changed", "format", effectDepends, "Numbers have another range or another Go type.", newProperty},
		{"pattern-changed", "pattern", effectDepends, "Strings have to match another pattern.", keepReading},
		{"pattern-added", "pattern", BreaksProducers, "Only strings that match are allowed.", keepReading},
		{"pattern-removed", "pattern", BreaksConsumers, "Strings need no longer match.", readersFirst},
		{"min-length-raised", "minLength", BreaksProducers, "Short strings are refused.", keepReading},
		{"min-length-lowered", "minLength", BreaksConsumers, "Shorter strings are allowed.", readersFirst},
		{"max-length-raised", "maxLength", BreaksConsumers, "Longer strings are allowed.", readersFirst},
		{"max-length-lowered", "maxLength", BreaksProducers, "Long strings are refused.", keepReading},
		{"minimum-raised", "minimum, exclusiveMinimum", BreaksProducers, "Small numbers are refused.", keepReading},
		{"minimum-lowered", "minimum, exclusiveMinimum", BreaksConsumers, "Smaller numbers are allowed.", readersFirst},
		{"maximum-raised", "maximum, exclusiveMaximum", BreaksConsumers, "Larger numbers are allowed.", readersFirst},
		{"maximum-lowered", "maximum, exclusiveMaximum", BreaksProducers, "Large numbers are refused.", keepReading},
		{"multiple-of-changed", "multipleOf", effectDepends, "Numbers are multiples of another number.", keepReading},
		{"min-items-raised", "minItems", BreaksProducers, "Short arrays are refused.", keepReading},
		{"min-items-lowered", "minItems", BreaksConsumers, "Shorter arrays are allowed.", readersFirst},
		{"max-items-raised", "maxItems", BreaksConsumers, "Longer arrays are allowed.", readersFirst},
		{"max-items-lowered", "maxItems", BreaksProducers, "Long arrays are refused.", keepReading},
		{"unique-items-added", "uniqueItems", BreaksProducers, "Arrays with repeated items are refused.", keepReading},
		{"unique-items-removed", "uniqueItems", BreaksConsumers, "Arrays with repeated items are allowed.", readersFirst},
		{"property-added", "properties", "safe, unless additionalProperties of the old schema says otherwise",
			"An optional property is added.", readersFirst},
		{"required-property-added", "properties, required", BreaksProducers,
			"A required property is added. Old messages lack it.", "make it optional, or add a new URN and deprecate this one"},
		{"property-removed", "properties", BreaksSource + ", unless additionalProperties says otherwise",
			"An optional property is removed.", "set deprecated: true on it until nobody uses it"},
		{"required-property-removed", "properties, required", BreaksConsumers,
			"A property is removed that consumers require.", "keep sending it and set deprecated: true on it, or add a new URN"},
		{"required-added", "required", BreaksProducers,
			"A property is required that old messages may lack.", "keep it optional, or add a new URN and deprecate this one"},
		{"required-removed", "required", BreaksConsumers,
			"A property is optional that consumers require.", "keep it required, or add a new URN and deprecate this one"},
		{"additional-forbidden", "additionalProperties", BreaksProducers,
			"Undeclared members are refused. Every property that is added later breaks consumers.",
			"leave additionalProperties: false out"},
		{"additional-allowed", "additionalProperties", BreaksConsumers,
			"Undeclared members are allowed, which consumers refuse.", readersFirst},
		{"additional-kept", "additionalProperties", BreaksSource,
			"Undeclared members are kept, or no longer are.", recompile},
		{"additional-changed", "additionalProperties", effectDepends, "Undeclared members have another schema.", keepReading},
		{"min-properties-raised", "minProperties", BreaksProducers, "Objects with few members are refused.", keepReading},
		{"min-properties-lowered", "minProperties", BreaksConsumers, "Objects with fewer members are allowed.", readersFirst},
		{"max-properties-raised", "maxProperties", BreaksConsumers, "Objects with more members are allowed.", readersFirst},
		{"max-properties-lowered", "maxProperties", BreaksProducers, "Objects with many members are refused.", keepReading},
		{"discriminator-changed", "oneOf", BreaksBoth,
			"The branches of a union are distinguished by another member.", newURN},
		{"branch-added", "oneOf", BreaksConsumers + ", unless they keep unknown branches",
			"A branch is allowed that consumers do not know.",
			"deploy the consumers first; x-unknown-branch: keep lets them cope with the next one"},
		{"branch-removed", "oneOf", BreaksProducers + ", unless unknown branches are kept",
			"A branch is refused that is still sent.", keepReading},
		{"unknown-branch-kept", "x-unknown-branch", BreaksSource,
			"Unknown branches are kept, and consumers have one more case.", recompile},
		{"rules-changed", "not, anyOf, contains, if, patternProperties and their like", effectDepends,
			"Rules change that only a JSON Schema validator understands. It is not known whom that breaks.", newURN},
		{notCompared, "data", effectDepends,
			"The types of the two catalogs meet in too many pairs, or too deep, to compare them all. It is not known whom " +
				"that breaks.", "change the structure of fewer types at a time, or add a new URN with the new payload"},
		{"unknown-branch-refused", "x-unknown-branch", BreaksProducers,
			"Unknown branches are refused: those of newer producers, and those that were kept and forwarded.",
			"keep x-unknown-branch: keep"},
	}
}

var ruleByID = func() map[string]Rule {
	m := map[string]Rule{}
	for _, r := range Rules() {
		m[r.ID] = r
	}
	return m
}()
