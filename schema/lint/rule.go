package lint

import (
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/ignore"
)

// A Rule is something that the linter looks for.
type Rule struct {
	ID      string           // stable: people search, configure and script for it
	Default schema.LintLevel // unless the catalog sets another
	Purpose string           // why it matters; one sentence

	check func(*pass)
}

// unknownRule is the rule about the names of rules.
const unknownRule = "unknown-rule"

// Rules returns all rules, in the order in which they are listed.
func Rules() []Rule {
	const off, warning, failure = schema.LintOff, schema.LintWarning, schema.LintError
	return []Rule{
		{"urn-form", warning,
			"A URN has the form urn:babel:context:event, in lower case, so that it can be guessed and sorted.", urnForm},
		{"missing-owner", warning, "A catalog names its owner (info.owner), so that people know whom to ask.", missingOwner},
		{"missing-summary", warning, "A message has a summary: one sentence about what happened.", missingSummary},
		{"missing-example", warning,
			"A message has an example, which is checked, and which people read first.", missingExample},
		{"no-dead-letter", warning,
			"A queue keeps messages that cannot be handled; with dead_letter: false they are lost.", noDeadLetter},
		{"dead-letters-not-persistent", warning,
			"Dead letters are on a persistent topic; on another Pulsar does not keep them.", deadLettersNotPersistent},
		{"deprecated-without-successor", warning,
			"A deprecated message names its successor, or the reason why it has none.", deprecatedWithoutSuccessor},
		{"unused-type", warning, "A shared type is used by a message.", unusedType},
		{"unknown-format", warning,
			"A format is one that bqgen checks, or of no consequence: any other is documentation only.", unknownFormat},
		{"unused-queue", warning, "A queue carries a message.", unusedQueue},
		{"number-for-money", warning,
			"Money is not a floating-point number, since 0.1 + 0.2 is not 0.3. " +
				"Use format: decimal, or an integer of the smallest unit.", numberForMoney},
		{"personal-data", warning,
			"Personal data is marked with x-gdpr-sensitive, so that it can be found and kept out of logs.", personalData},
		{"inconsistent-naming", warning,
			"Properties share one naming style, and so do types, so that nobody has to look it up.", inconsistentNaming},
		{"consumer-without-publisher", warning,
			"A message that has consumers has a publisher.", consumerWithoutPublisher},
		{"consumers-share", warning,
			"A queue without services has one consumer: several would take each other's messages.", consumersShare},
		{"consumer-without-service", warning,
			"A consumer of a message is a service of its queue, if that has services.", consumerWithoutService},
		{"message-without-service", warning,
			"A message on a queue with services is handled by one of them.", messageWithoutService},
		{"services-not-persistent", warning,
			"A queue with services is persistent, so that each of them receives what it missed.", servicesNotPersistent},
		{"publisher-without-consumer", off, "A message that has publishers has a consumer.", publisherWithoutConsumer},
		{"unbounded-string", off, "A string has a maxLength, so that readers know how much to expect.", unboundedString},
		{"unbounded-array", off,
			"An array has maxItems, so that a message stays within the broker's size limit.", unboundedArray},
		{unknownRule, failure, "The lint section and ignore comments name rules that exist.", nil},
		{ignore.RuleForm, failure, "An ignore comment is well formed: RULE [of=NAME] [until=YYYY-MM-DD] reason.", nil},
		{ignore.RuleReason, warning, "An ignore comment gives a reason.", nil},
		{ignore.RuleExpired, warning, "An ignore comment with a last day is removed or renewed after that day.", nil},
		{ignore.RuleUnneeded, warning,
			"An ignore comment ignores something; one that no longer does would hide the next fault.", nil},
	}
}
