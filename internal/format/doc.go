// Package format checks strings against the formats of JSON Schema, and against those that bqgen adds (byte and
// decimal). The loader checks a catalog's values with it and the runtime checks payloads with it, so both accept the
// same strings.
//
// Each format has a file. The checks follow RFC 3339 (dates, times, durations), RFC 3986 (URIs), RFC 5321 (email
// addresses), RFC 1123 (host names), RFC 4291 (IPv6 addresses) and RFC 4122 (UUIDs); where one deviates, its comment
// says how.
package format
