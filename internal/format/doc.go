// Package format checks the text of JSON Schema's formats, and of those that bqgen adds (byte and decimal). The loader
// checks a catalog's values with it and the runtime checks payloads with it, so that both accept the same texts.
//
// The checks follow RFC 3339 (dates, times, durations), RFC 3986 (URIs), RFC 5321 (email addresses), RFC 1123 (host
// names), RFC 4291 (IPv6 addresses) and RFC 4122 (UUIDs). Each one documents where it deviates.
package format
