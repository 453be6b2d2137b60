package schema

// The rules that a catalog is loaded by. Their names are stable: people search and script for them.
const (
	// The file as text.
	ruleEncoding  = "encoding"          // the file is UTF-8
	ruleBOM       = "byte-order-mark"   // and starts without a byte order mark
	ruleControl   = "control-character" // and holds no raw control character
	ruleTooLarge  = "too-large"         // and is of a size that a person could review
	ruleEmpty     = "empty-file"        // and says something
	ruleSyntax    = "yaml-syntax"       // in well-formed YAML
	ruleDocuments = "second-document"   // of one document
	ruleTag       = "yaml-tag"          // without tags that change what a value is
	ruleTooDeep   = "too-deep"          // nested no deeper than anyone reads
	ruleCycle     = "anchor-cycle"      // whose anchors do not contain themselves
	ruleAliases   = "alias-bomb"        // and whose aliases stay within reason
	ruleMerge     = "merge-key"         // << takes mappings
	ruleBadKey    = "bad-key"           // a key is text
	ruleDuplicate = "duplicate-key"     // and stands once

	// The shape of the catalog.
	ruleUnknownKey = "unknown-key"    // only keys that the format has
	ruleMissingKey = "missing-key"    // all keys that it requires
	ruleWrongType  = "wrong-type"     // each with a value of its type
	ruleBlank      = "blank"          // names are not blank and not padded
	ruleVersion    = "format-version" // bqgen: 1
	rulePackage    = "package-name"   // package: can be a Go package
	ruleGoName     = "go-name"        // name: can be a Go name
	ruleSameGoName = "same-go-name"   // and is given once
	ruleTopic      = "topic-name"     // topic: can be a Pulsar topic
	ruleSameTopic  = "same-topic"     // a topic belongs to one queue and is not its own dead letter
	ruleAttempts   = "max-attempts"   // max_attempts is 1 or more
	ruleNoQueue    = "unknown-queue"  // queue: names a queue
	ruleSuccessor  = "successor"      // deprecated.use names another URN
	ruleMessageKey = "message-key"    // key: points at a scalar property
	ruleExample    = "example"        // examples are valid payloads

	ruleLintLevel = "lint-level" // lint: gives rules a level

	// Payload schemas.
	ruleUnknownKeyword     = "unknown-keyword"     // only keywords that JSON Schema has
	ruleUnsupportedKeyword = "unsupported-keyword" // and that bqgen supports
	ruleMisplacedKeyword   = "misplaced-keyword"   // where they mean something
	ruleIgnored            = "ignored-keyword"     // a warning: some are read and mean nothing
	ruleMissingType        = "missing-type"        // type is said, unless all is allowed
	ruleImplied            = "implied-type"        // a warning: or plain from properties
	ruleUnknownType        = "unknown-type"        // and is one of the supported
	ruleFalseSchema        = "false-schema"        // something is valid
	ruleMissingItems       = "missing-items"       // an array says what is in it
	ruleRequired           = "required"            // required lists properties, each once
	ruleEnum               = "enum"                // enum lists strings or integers, each once
	ruleConst              = "const"               // const is a scalar of the type
	ruleDefault            = "default"             // default is valid
	ruleFormat             = "format"              // format is one of the supported
	rulePattern            = "pattern"             // pattern is a regular expression that Go can compile
	ruleBound              = "bound"               // bounds are numbers that make sense
	ruleContradiction      = "contradiction"       // and leave something valid
	ruleOneOf              = "one-of"              // the branches of oneOf can be told apart
	ruleGoType             = "go-type"             // x-go-type names a type and its package
	ruleSensitive          = "gdpr-sensitive"      // x-gdpr-sensitive is true or a category
	ruleBadRef             = "bad-ref"             // $ref is of the form #/types/NAME or #/$defs/NAME
	ruleRefFile            = "ref-file"            // after the name of a file of the catalog's folder
	ruleNoType             = "unknown-ref"         // and names a type
	ruleRefSiblings        = "ref-siblings"        // and stands alone
	ruleRefCycle           = "ref-cycle"           // and leads somewhere
	ruleNoFiniteValue      = "no-finite-value"     // a value of the type can end
	ruleDataObject         = "data-object"         // a payload is an object
)
