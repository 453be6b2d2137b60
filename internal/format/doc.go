// Package format checks strings against the formats of JSON Schema, and against those that bqgen adds (byte and
// decimal). The loader checks a catalog's values with it and the runtime checks payloads with it, so both accept the
// same strings.
//
// Each format has a file. The checks follow RFC 3339 (dates, times, durations), RFC 3986 (URIs), RFC 5321 (email
// addresses), RFC 1123 (host names), RFC 4291 (IPv6 addresses) and RFC 4122 (UUIDs); where one deviates, its comment
// says how.
package format

// Checks contains the check of every format whose values are strings, by the format's name in a schema.
var Checks = map[string]func(string) bool{
	"byte":      Byte,
	"date":      Date,
	"date-time": DateTime,
	"decimal":   Decimal[string],
	"duration":  Duration,
	"email":     Email,
	"hostname":  Hostname,
	"ipv4":      IPv4,
	"ipv6":      IPv6,
	"time":      Time,
	"uri":       URI,
	"uuid":      UUID,
}
