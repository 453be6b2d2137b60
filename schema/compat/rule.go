package compat

// A Rule is a kind of change: what it does to whom, and what to do instead.
type Rule struct {
	ID      string // stable
	Keyword string // what changed in the catalog
	Effect  string // whom it breaks; depends where the values decide
	Purpose string
	Instead string // what to do instead; empty when there is nothing to mend
}

// What Effect says beside the directions of [Change.Direction].
const (
	effectDepends = "depends on the values; breaks consumers, producers or both"
	effectBoth    = BreaksBoth
)

const (
	newURN       = "add a new URN with the new payload, publish both for a while, and deprecate this one with deprecated: {use: ...}"
	newProperty  = "add a new optional property beside it and set deprecated: true on this one"
	readersFirst = "deploy the consumers with the new catalog before the first producer, or add a new URN and deprecate this one"
	keepReading  = "keep accepting what was valid: old producers still send it and queues still hold it; or add a new URN and deprecate this one"
	recompile    = "tell those who use the generated package: the compiler shows them where"
)

// Rules is the table of all kinds of changes, in the order in which it is published.
func Rules() []Rule {
	return []Rule{
		{"urn-added", "urns", BreaksSource + ", or safe on a new queue", "A URN came to a queue: services that handle the whole queue have to handle it too.", "deploy the consumers of the queue first: until then they dead-letter the new messages"},
		{"urn-removed", "urns", BreaksProducers, "A URN is gone: what is still sent under it has no handler.", "deprecate it, wait until nobody publishes it and its queue is empty, and remove it then"},
		{"urn-renamed", "urns", effectBoth, "A URN has another name: to the wire these are two different messages.", "keep the old URN with deprecated: {use: NEW} beside the new one"},
		{"urn-moved", "queue", effectBoth, "A URN is on another topic: who listens on the old one hears nothing, and who listens on the new one misses what old producers send.", newURN},
		{"topic-changed", "topic", effectBoth, "A queue has another topic: producers and consumers that are not deployed at the same instant lose each other.", "drain the old topic with a consumer of its own, or add a new queue and new URNs"},
		{"queue-renamed", "queues", BreaksSource, "A queue has another name and the same topic.", recompile},
		{"key-added", "key", IsSafe, "Messages have a key that had none.", ""},
		{"key-removed", "key", BreaksConsumers, "Messages lose their key: order per key and compaction are gone.", newURN},
		{"key-changed", "key", BreaksConsumers, "Messages have another key: order per key is lost across the change, and compaction keeps both.", newURN},
		{"max-attempts-changed", "max_attempts", IsSafe, "A message is delivered more often or less before it is dead-lettered.", ""},
		{"dead-letter-removed", "dead_letter", BreaksConsumers, "What could not be handled is dropped now; who reads the dead letters gets no more.", "keep the dead letter topic"},
		{"dead-letter-moved", "dead_letter", BreaksConsumers, "Dead letters go to another topic; who reads the old one gets no more.", "move the reader of the dead letters first"},
		{"dead-letter-added", "dead_letter", IsSafe, "What was dropped is kept now.", ""},
		{"package-changed", "package", BreaksSource, "The generated package has another name.", recompile},
		{"go-name-changed", "name, x-go-name", BreaksSource, "A generated name is another one.", "keep the old one with name: or x-go-name:"},
		{"go-type-changed", "x-go-type", BreaksSource, "Another Go type stands in.", recompile},
		{"type-name-changed", "$ref", BreaksSource, "The payload has the same shape under another type's name.", "keep the type's Go name with x-go-name:"},
		{"deprecation-changed", "deprecated", IsSafe, "Something is deprecated, or no longer is.", ""},
		{"text-changed", "summary, description, title, examples", IsSafe, "The words about it changed.", ""},
		{"services-changed", "publishers, consumers", IsSafe, "Other services publish or listen.", ""},
		{"sensitivity-changed", "x-gdpr-sensitive", IsSafe, "It is marked as personal data, or no longer is.", ""},
		{"default-changed", "default", IsSafe, "A default is another one. It is documentation: decoding does not apply it.", ""},

		{"type-changed", "type", effectBoth, "Values are of another type.", newProperty},
		{"type-widened", "type", BreaksConsumers, "More types of values may come than before.", newProperty},
		{"type-narrowed", "type", BreaksProducers, "Fewer types of values are accepted than before.", newProperty},
		{"null-allowed", "type", BreaksConsumers, "null may come where it could not.", "leave an optional property out in place of null"},
		{"null-refused", "type", BreaksProducers, "null is refused where it was valid.", keepReading},
		{"const-changed", "const", effectDepends, "Another value is the only valid one.", newURN},
		{"enum-value-added", "enum", BreaksConsumers, "A value may come that consumers do not know.", readersFirst},
		{"enum-value-removed", "enum", BreaksProducers, "A value is refused that is still sent.", keepReading},
		{"enum-introduced", "enum, const", effectDepends, "Only listed values are valid now.", keepReading},
		{"enum-lifted", "enum, const", effectDepends, "More than the listed values is valid now.", readersFirst},
		{"format-changed", "format", effectDepends, "A string has another format.", newProperty},
		{"format-added", "format", BreaksProducers, "Only strings of the format are valid now.", keepReading},
		{"format-removed", "format", BreaksConsumers, "Strings may come that are not of the format.", readersFirst},
		{"number-format-changed", "format", effectDepends, "A number has another range, or is of another Go type.", newProperty},
		{"pattern-changed", "pattern", effectDepends, "Strings have to match something else.", keepReading},
		{"pattern-added", "pattern", BreaksProducers, "Only strings that match are valid now.", keepReading},
		{"pattern-removed", "pattern", BreaksConsumers, "Strings may come that do not match.", readersFirst},
		{"min-length-raised", "minLength", BreaksProducers, "Short strings are refused.", keepReading},
		{"min-length-lowered", "minLength", BreaksConsumers, "Shorter strings may come.", readersFirst},
		{"max-length-raised", "maxLength", BreaksConsumers, "Longer strings may come.", readersFirst},
		{"max-length-lowered", "maxLength", BreaksProducers, "Long strings are refused.", keepReading},
		{"minimum-raised", "minimum, exclusiveMinimum", BreaksProducers, "Small numbers are refused.", keepReading},
		{"minimum-lowered", "minimum, exclusiveMinimum", BreaksConsumers, "Smaller numbers may come.", readersFirst},
		{"maximum-raised", "maximum, exclusiveMaximum", BreaksConsumers, "Greater numbers may come.", readersFirst},
		{"maximum-lowered", "maximum, exclusiveMaximum", BreaksProducers, "Great numbers are refused.", keepReading},
		{"multiple-of-changed", "multipleOf", effectDepends, "Numbers are multiples of something else.", keepReading},
		{"min-items-raised", "minItems", BreaksProducers, "Short arrays are refused.", keepReading},
		{"min-items-lowered", "minItems", BreaksConsumers, "Shorter arrays may come.", readersFirst},
		{"max-items-raised", "maxItems", BreaksConsumers, "Longer arrays may come.", readersFirst},
		{"max-items-lowered", "maxItems", BreaksProducers, "Long arrays are refused.", keepReading},
		{"unique-items-added", "uniqueItems", BreaksProducers, "Arrays that repeat an item are refused.", keepReading},
		{"unique-items-removed", "uniqueItems", BreaksConsumers, "Arrays may come that repeat an item.", readersFirst},
		{"property-added", "properties", "safe, unless additionalProperties of the old schema says otherwise", "An optional property is new.", readersFirst},
		{"required-property-added", "properties, required", BreaksProducers, "A required property is new: old messages do not have it.", "make it optional, or add a new URN and deprecate this one"},
		{"property-removed", "properties", BreaksSource + ", unless additionalProperties says otherwise", "An optional property is gone.", "set deprecated: true on it until nobody uses it"},
		{"required-property-removed", "properties, required", BreaksConsumers, "A property is gone that consumers require.", "keep sending it and set deprecated: true on it, or add a new URN"},
		{"required-added", "required", BreaksProducers, "A property is required that old messages may lack.", "keep it optional, or add a new URN and deprecate this one"},
		{"required-removed", "required", BreaksConsumers, "A property may be missing that consumers require.", "keep it required, or add a new URN and deprecate this one"},
		{"additional-forbidden", "additionalProperties", BreaksProducers, "Members that are not declared are refused: every later property would break consumers.", "leave additionalProperties: false out"},
		{"additional-allowed", "additionalProperties", BreaksConsumers, "Members may come that are not declared, which consumers refuse.", readersFirst},
		{"additional-kept", "additionalProperties", BreaksSource, "Members that are not declared are kept now, or no longer are.", recompile},
		{"additional-changed", "additionalProperties", effectDepends, "Members that are not declared have another schema.", keepReading},
		{"min-properties-raised", "minProperties", BreaksProducers, "Objects of few members are refused.", keepReading},
		{"min-properties-lowered", "minProperties", BreaksConsumers, "Objects of fewer members may come.", readersFirst},
		{"max-properties-raised", "maxProperties", BreaksConsumers, "Objects of more members may come.", readersFirst},
		{"max-properties-lowered", "maxProperties", BreaksProducers, "Objects of many members are refused.", keepReading},
		{"discriminator-changed", "oneOf", effectBoth, "The branches of a union are told apart by another member.", newURN},
		{"branch-added", "oneOf", BreaksConsumers + ", unless they keep unknown branches", "A branch may come that consumers do not know.", "deploy the consumers first; x-unknown-branch: keep lets them cope with the next one"},
		{"branch-removed", "oneOf", BreaksProducers + ", unless unknown branches are kept", "A branch is refused that is still sent.", keepReading},
		{"unknown-branch-kept", "x-unknown-branch", BreaksSource, "Unknown branches are kept now, and consumers have one more case.", recompile},
		{"unknown-branch-refused", "x-unknown-branch", BreaksProducers, "Unknown branches are refused now: those of newer producers, and those that were kept and sent on.", "leave x-unknown-branch: keep"},
	}
}

var ruleByID = func() map[string]Rule {
	m := map[string]Rule{}
	for _, r := range Rules() {
		m[r.ID] = r
	}
	return m
}()
