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
	Int32: "int32", Int64: "int64", Uint64: "uint64",
	Float: "float", Double: "double",
}
