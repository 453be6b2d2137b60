package compat

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// annotations compares what says something about a value without saying which values are valid.
func (w *walker) annotations(o, n *schema.Schema) {
	if w.quiet {
		return
	}
	if o.Title != n.Title || o.Description != n.Description || !sameLiterals(o.Examples, n.Examples) {
		w.report(finding{rule: "text-changed", pos: w.keyword(n, "description", "title", "examples"), text: "the words changed"})
	}
	if o.Deprecated != n.Deprecated {
		text := "it is no longer deprecated"
		if n.Deprecated {
			text = "it is deprecated now"
		}
		w.report(finding{rule: "deprecation-changed", pos: w.keyword(n, "deprecated"), text: text})
	}
	if o.Sensitive != n.Sensitive {
		w.report(finding{rule: "sensitivity-changed", pos: w.keyword(n, "x-gdpr-sensitive"), text: fmt.Sprintf("x-gdpr-sensitive was %s and is %s", orNothing(o.Sensitive), orNothing(n.Sensitive))})
	}
	if a, b := literal(o.Default), literal(n.Default); a != b {
		w.report(finding{rule: "default-changed", pos: w.keyword(n, "default"), text: fmt.Sprintf("the default was %s and is %s", orNothing(a), orNothing(b))})
	}
	if a, b := goType(o), goType(n); a != b {
		w.report(finding{rule: "go-type-changed", pos: w.keyword(n, "x-go-type"), text: fmt.Sprintf("the Go type was %s and is %s", orNothing(a), orNothing(b)), source: true})
	}
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

func orNothing(s string) string {
	if s == "" {
		return "none"
	}
	return text.Quote(s)
}

func sameLiterals(a, b []schema.Literal) bool {
	return slices.EqualFunc(a, b, func(x, y schema.Literal) bool { return bytes.Equal(x.JSON, y.JSON) })
}

// typeNames compares the names behind references: with the same structure, only Go source can tell.
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
		return // the same Go name all the same
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
		return "written in place"
	}
	return text.Quote(name)
}
