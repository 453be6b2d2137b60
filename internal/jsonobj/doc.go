// Package jsonobj builds and writes JSON documents whose members keep an order.
//
// encoding/json sorts the keys of maps and escapes for HTML. A document that people read, or that is kept in a
// repository, needs its members in an order with a meaning and text as it was written, so this package has its own
// object type and its own writers: indented JSON and YAML for people, compact JSON for machines.
package jsonobj
