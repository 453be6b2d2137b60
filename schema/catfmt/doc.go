// Package catfmt formats a catalog: it puts keys in their canonical order and indents them uniformly.
//
// It moves lines and rewrites none: comments stay with what they are about, and text stays as its author wrote it. The
// result is parsed again. Unless it means the same and formats to itself, there is an error instead of a text.
package catfmt
