package compat

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// annotations compares the keywords that describe a value without limiting which values are valid.
func (w *walker) annotations(o, n *schema.Schema) {
	if w.quiet {
		return
	}
	if o.Title != n.Title || o.Description != n.Description || !sameLiterals(o.Examples, n.Examples) ||
		o.OtherFormat != n.OtherFormat || !slices.EqualFunc(o.PassedOn, n.PassedOn, samePassedOn) {
		pos := w.keyword(n, "description", "title", "examples")
		w.report(finding{rule: "text-changed", pos: pos, text: "descriptions or examples changed"})
	}
	if o.Deprecated != n.Deprecated {
		text := "it is no longer deprecated"
		if n.Deprecated {
			text = "it is deprecated now"
		}
		w.report(finding{rule: "deprecation-changed", pos: w.keyword(n, "deprecated"), text: text})
	}
	if o.Sensitive != n.Sensitive {
		w.report(finding{rule: "sensitivity-changed", pos: w.keyword(n, "x-gdpr-sensitive"),
			text: fmt.Sprintf("x-gdpr-sensitive was %s and is %s", orNone(o.Sensitive), orNone(n.Sensitive))})
	}
	if a, b := literal(o.Default), literal(n.Default); a != b {
		w.report(finding{rule: "default-changed", pos: w.keyword(n, "default"),
			text: fmt.Sprintf("the default was %s and is %s", orNone(a), orNone(b))})
	}
	if a, b := goType(o), goType(n); a != b {
		w.report(finding{rule: "go-type-changed", pos: w.keyword(n, "x-go-type"), source: true,
			text: fmt.Sprintf("the Go type was %s and is %s", orNone(a), orNone(b))})
	}
}

func samePassedOn(a, b schema.PassedOn) bool {
	return a.Name == b.Name && bytes.Equal(a.Value.JSON, b.Value.JSON)
}

func literal(l *schema.Literal) string {
	if l == nil {
		return ""
	}
	return string(l.JSON)
}

func goType(s *schema.Schema) string {
	if s.GoType == nil {
		return ""
	}
	return s.GoType.Import + "." + s.GoType.Name
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return text.Quote(s)
}

func sameLiterals(a, b []schema.Literal) bool {
	return slices.EqualFunc(a, b, func(x, y schema.Literal) bool { return bytes.Equal(x.JSON, y.JSON) })
}

// typeNames compares the names behind references. When the structure is the same, they matter to Go source only.
func (w *walker) typeNames(o, n *schema.Schema) {
	was, is := "", ""
	if o.Kind == schema.Ref {
		was = o.Target.Name
	}
	if n.Kind == schema.Ref {
		is = n.Target.Name
	}
	if was == is {
		if was != "" {
			w.goName(o.Target, n.Target, n.Target.Pos, "type "+text.Quote(is))
		}
		return
	}
	if a, b := w.oldNames[refTarget(o)], w.newNames[refTarget(n)]; a != "" && a == b {
		return // the Go name stays the same
	}
	w.report(finding{rule: "type-name-changed", pos: w.keyword(n, "$ref"), source: true,
		text: fmt.Sprintf("the type was %s and is %s", orInline(was), orInline(is))})
}

func refTarget(s *schema.Schema) any {
	if s.Kind != schema.Ref {
		return nil
	}
	return s.Target
}

func orInline(name string) string {
	if name == "" {
		return "inline"
	}
	return text.Quote(name)
}
