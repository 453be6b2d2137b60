package lint

import "github.com/babelqueue/bqgen/schema"

// A Rule is something that the linter looks for.
type Rule struct {
	ID      string           // stable: people search, configure and script for it
	Default schema.LintLevel // where the catalog does not say
	Purpose string           // why somebody wants it; one sentence

	check func(*pass)
}

// Rules are all there are, in the order in which they are listed.
func Rules() []Rule {
	return []Rule{
		{"urn-form", schema.LintWarning, "A URN reads urn:babel:context:event, in lower case, so that other services can guess it and tools can sort it.", urnForm},
		{"missing-owner", schema.LintWarning, "A catalog says who owns it (info.owner), so that people know whom to ask.", missingOwner},
		{"missing-summary", schema.LintWarning, "A message says in a sentence what has happened.", missingSummary},
		{"missing-example", schema.LintWarning, "A message shows an example: it is checked, and people read it first.", missingExample},
		{"no-dead-letter", schema.LintWarning, "A queue keeps what could not be handled: with dead_letter: false it is lost.", noDeadLetter},
		{"deprecated-without-successor", schema.LintWarning, "A deprecated message names its successor, or the reason why there is none.", deprecatedWithoutSuccessor},
		{"unused-type", schema.LintWarning, "A shared type is used by a message.", unusedType},
		{"unused-queue", schema.LintWarning, "A queue carries a message.", unusedQueue},
		{"number-for-money", schema.LintWarning, "Money is no floating-point number: 0.1 + 0.2 is not 0.3. Use format: decimal, or an integer of the smallest unit.", numberForMoney},
		{"personal-data", schema.LintWarning, "Personal data is marked with x-gdpr-sensitive, so that it can be found and kept out of logs.", personalData},
		{"inconsistent-naming", schema.LintWarning, "Properties, and types, are named in one style, so that nobody has to look up which.", inconsistentNaming},
		{"consumer-without-publisher", schema.LintWarning, "A message that somebody listens for has somebody who publishes it.", consumerWithoutPublisher},
		{"publisher-without-consumer", schema.LintOff, "A message that is published has somebody who listens.", publisherWithoutConsumer},
		{"unbounded-string", schema.LintOff, "A string has a maxLength, so that a reader knows what to make room for.", unboundedString},
		{"unbounded-array", schema.LintOff, "An array has maxItems, so that a message stays within the broker's limit.", unboundedArray},
		{unknownRule, schema.LintError, "The lint section and the ignore comments name rules that exist.", nil},
		{ignoreReason, schema.LintWarning, "An ignore comment says why.", nil},
		{unneededIgnore, schema.LintWarning, "An ignore comment silences something; one that no longer does would hide the next fault.", nil},
	}
}

// The rules about the settings of rules.
const (
	unknownRule    = "unknown-rule"
	ignoreReason   = "ignore-reason"
	unneededIgnore = "unneeded-ignore"
)
