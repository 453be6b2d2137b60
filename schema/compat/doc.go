// Package compat compares two versions of a catalog and determines for each change whom it breaks.
//
// Consumers made from the old catalog read messages made from the new one as soon as a producer is deployed; consumers
// made from the new one read what old producers still send and what waits in a queue. So a change breaks consumers
// when a new message may be one that the old schema refuses, and producers when an old message may be one that the new
// schema refuses. Neither means safe; a change that only touches generated names and types breaks Go source.
//
// A producer writes the members that its schema declares. Undeclared members count where the schema keeps them
// (additionalProperties: true or a schema), and where additionalProperties itself changes. Likewise a producer writes
// the branches of a union that its schema declares; unknown ones count where they are no longer accepted.
//
// A break comes with a document whenever one can be built: a payload that one side may write and the other refuses,
// according to a validator of JSON Schema.
package compat
