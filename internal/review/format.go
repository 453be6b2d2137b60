package review

import (
	"bytes"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/internal/target"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/catfmt"
	"github.com/babelqueue/bqgen/schema/load"
)

// Format formats a catalog in place. The findings are about a text that is not YAML.
func Format(catalog string) (*report.Report, error) {
	src, out, r, err := format(catalog)
	if err != nil || out == nil || bytes.Equal(src, out) {
		return r, err
	}
	return r, fileset.Replace(catalog, out)
}

// CheckFormat reports a catalog that Format would change. Line ends do not count: they may come from a checkout.
func CheckFormat(catalog string) (*report.Report, error) {
	src, out, r, err := format(catalog)
	if err != nil || out == nil {
		return r, err
	}
	if line, differs := target.FirstDifference(src, out); differs {
		r.Findings = append(r.Findings, report.Finding{Diagnostic: schema.Diagnostic{
			Pos: schema.Pos{File: catalog, Line: line, Column: 1}, Rule: "format",
			Message: "the catalog is not formatted from here on", Hint: "run bqgen fmt --catalog " + catalog,
		}})
	}
	return r, nil
}

// format returns the text of a catalog as it is and formatted; the latter is nil when the report has findings.
func format(catalog string) (src, out []byte, r *report.Report, err error) {
	if src, err = load.ReadFile(catalog); err != nil {
		return nil, nil, nil, err
	}
	out, findings := catfmt.Format(catalog, src)
	return src, out, &report.Report{Command: "fmt", Subject: catalog, Findings: report.FindingsOf(findings)}, nil
}
