package schema

// Format narrows a string, an integer or a number.
type Format int

// The formats.
const (
	NoFormat Format = iota

	// Of strings.
	DateTime  // date-time: RFC 3339, without leap seconds
	UUID      // uuid: RFC 4122 text form
	Date      // date: RFC 3339 full-date
	TimeOfDay // time: RFC 3339 full-time, with an offset
	Duration  // duration: ISO 8601 as in RFC 3339 appendix A
	Byte      // byte: bytes in base64, standard alphabet, padded
	Decimal   // decimal: an exact decimal number in text, such as 99.90
	URI       // uri: RFC 3986, absolute
	Email     // email: RFC 5321 mailbox
	Hostname  // hostname: RFC 1123
	IPv4      // ipv4: dotted quad
	IPv6      // ipv6: RFC 4291 text form, without a zone

	URIReference        // uri-reference: RFC 3986, absolute or relative
	IRI                 // iri: RFC 3987, absolute
	IRIReference        // iri-reference: RFC 3987, absolute or relative
	URITemplate         // uri-template: RFC 6570
	IDNEmail            // idn-email: RFC 6531 mailbox
	IDNHostname         // idn-hostname: RFC 5890, as far as its letters go
	JSONPointer         // json-pointer: RFC 6901
	RelativeJSONPointer // relative-json-pointer
	Regex               // regex: a regular expression of JavaScript

	// Of integers. Without a format, an integer is an Int64.
	Int32
	Int64
	Uint64

	// Of numbers. Without a format, a number is a Double.
	Float
	Double
)

// String returns the value of the keyword format, or "" for NoFormat.
func (f Format) String() string { return formatNames[f] }

var formatNames = [...]string{
	NoFormat: "",
	DateTime: "date-time", UUID: "uuid", Date: "date", TimeOfDay: "time", Duration: "duration",
	Byte: "byte", Decimal: "decimal", URI: "uri", Email: "email", Hostname: "hostname", IPv4: "ipv4", IPv6: "ipv6",
	URIReference: "uri-reference", IRI: "iri", IRIReference: "iri-reference", URITemplate: "uri-template",
	IDNEmail: "idn-email", IDNHostname: "idn-hostname",
	JSONPointer: "json-pointer", RelativeJSONPointer: "relative-json-pointer", Regex: "regex",
	Int32: "int32", Int64: "int64", Uint64: "uint64",
	Float: "float", Double: "double",
}
