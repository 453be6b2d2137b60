// Package jsonwire scans and writes JSON text as the wire contract requires: strictly by RFC 8259 on the way in, and
// byte-equal to the other SDKs on the way out.
//
// It works on bytes and offsets and never builds a tree. The functions that scan take a text and an offset, check what
// is there, and return the offset after it. Everything else takes text that has been scanned, and cannot fail.
//
// # Terminology
//
// A literal is the text of one string or number. A string literal is plain if it contains no escapes, so that its text
// is everything between the quotes. The canonical form of a value is a text that is equal for equal values.
//
// # Why not a library
//
// No JSON library for Go offers what the contract needs, all at once:
//
//   - Bytes. A retry changes one member of a body and no other byte (RET-1), so the runtime must know where each member
//     starts and ends. Strings are escaped as the other SDKs do it (ENC-2, ENC-3, ENC-4), not as encoding/json does.
//   - Depth. A body may nest exactly 1000 levels deep (ACC-12).
//   - Duplicates. The last of members with equal names counts (ACC-11), whatever is wrong with the others.
//   - All violations. A payload's decoder continues after a wrong value, so that one error lists everything.
//   - Values that Go cannot represent. 1e400 and unpaired surrogates in a payload are kept (NUM-3, NUM-5).
//   - Strictness. Names are compared exactly (ENV-12), and text that is not UTF-8 is an error and not replaced (POI-1).
package jsonwire
