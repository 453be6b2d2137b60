package schema

// The rules of the loader, as findings name them. The names are stable: people search and script for them.
const (
	// The file as text.
	RuleEncoding  = "encoding"          // the file is UTF-8
	RuleBOM       = "byte-order-mark"   // and starts without a byte order mark
	RuleControl   = "control-character" // and contains no raw control character
	RuleTooLarge  = "too-large"         // and is not too large: docs/catalog.md lists the limits
	RuleEmpty     = "empty-file"        // and is not empty
	RuleSyntax    = "yaml-syntax"       // in well-formed YAML
	RuleDocuments = "second-document"   // of one document
	RuleTag       = "yaml-tag"          // without tags that change what a value is
	RuleTooDeep   = "too-deep"          // with at most 256 levels
	RuleCycle     = "anchor-cycle"      // whose anchors do not contain themselves
	RuleAliases   = "alias-bomb"        // and whose aliases expand to a limited size
	RuleMerge     = "merge-key"         // << merges mappings
	RuleBadKey    = "bad-key"           // a key is text
	RuleDuplicate = "duplicate-key"     // and occurs once

	// The shape of the catalog.
	RuleUnknownKey = "unknown-key"    // only keys of the format
	RuleMissingKey = "missing-key"    // and all keys that it requires
	RuleWrongType  = "wrong-type"     // each with a value of its type
	RuleBlank      = "blank"          // names are neither blank nor padded
	RuleVersion    = "format-version" // bqgen: 1
	RulePackage    = "package-name"   // package is a valid name of a Go package
	RuleGoName     = "go-name"        // name is a valid Go name
	RuleSameGoName = "same-go-name"   // and is given once
	RuleTopic      = "topic-name"     // topic is a valid name of a Pulsar topic
	RuleSameTopic  = "same-topic"     // a topic belongs to one queue and is not its own dead letter
	RuleAttempts   = "max-attempts"   // max_attempts is 1 or more
	RuleNoQueue    = "unknown-queue"  // queue names a queue
	RuleSuccessor  = "successor"      // deprecated.use names another URN
	RuleMessageKey = "message-key"    // key points to a scalar property
	RuleExample    = "example"        // examples are valid payloads

	// The services of a queue.
	RuleService     = "service-name"             // a service is of the form [a-z][a-z0-9-]*, and given once
	RuleServiceIdle = "service-without-messages" // it is a consumer of one of the queue's URNs
	RuleServiceDead = "service-dead-letter"      // and has a dead-letter topic of its own

	RuleLintLevel = "lint-level" // lint sets rules to off, warning or error

	// Payload schemas.
	RuleUnknownKeyword     = "unknown-keyword"     // only keywords of JSON Schema
	RuleUnsupportedKeyword = "unsupported-keyword" // and that bqgen supports
	RuleMisplacedKeyword   = "misplaced-keyword"   // where they mean something
	RuleMissingType        = "missing-type"        // a schema with constraints has a type
	RuleImplied            = "implied-type"        // a warning: it is implied by properties
	RuleUnknownType        = "unknown-type"        // and it is one of the supported types
	RuleMissingItems       = "missing-items"       // an array describes its items
	RuleRequired           = "required"            // required lists properties, each once
	RuleEnum               = "enum"                // enum lists values, each once
	RuleConst              = "const"               // const is of the type
	RuleDefault            = "default"             // default is valid
	RulePattern            = "pattern"             // pattern is a regular expression that Go can compile
	RuleBound              = "bound"               // bounds are numbers that make sense
	RuleContradiction      = "contradiction"       // and leave some value valid
	RuleOneOf              = "one-of"              // the branches of oneOf can be told apart
	RuleGoType             = "go-type"             // x-go-type names a type and its package
	RuleSensitive          = "gdpr-sensitive"      // x-gdpr-sensitive is true or a category
	RuleBadRef             = "bad-ref"             // $ref is of the form #/types/NAME or #/$defs/NAME
	RuleRefFile            = "ref-file"            // and its file is in the folder of the catalog
	RuleNoType             = "unknown-ref"         // and names a type
	RuleRefCycle           = "ref-cycle"           // and leads to a schema
	RuleNoFiniteValue      = "no-finite-value"     // the type has a finite value
	RuleDataObject         = "data-object"         // a payload is an object
)
