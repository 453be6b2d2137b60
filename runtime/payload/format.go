package payload

import "github.com/babelqueue/bqgen/internal/format"

// A Format is a format of strings that has no Go type of its own.
type Format struct {
	want  string
	valid func(string) bool
}

// The formats. Which strings they accept, and by which RFC, is documented at their checks.
var (
	FormatDate     = &Format{"want a date by RFC 3339", format.Date}
	FormatTime     = &Format{"want a time with an offset by RFC 3339", format.Time}
	FormatDuration = &Format{"want a duration by ISO 8601", format.Duration}
	FormatURI      = &Format{"want an absolute URI", format.URI}
	FormatEmail    = &Format{"want an email address", format.Email}
	FormatHostname = &Format{"want a host name", format.Hostname}

	FormatURIReference        = &Format{"want a URI or a relative reference", format.URIReference}
	FormatIRI                 = &Format{"want an absolute IRI", format.IRI}
	FormatIRIReference        = &Format{"want an IRI or a relative reference", format.IRIReference}
	FormatURITemplate         = &Format{"want a URI template by RFC 6570", format.URITemplate}
	FormatIDNEmail            = &Format{"want an email address", format.IDNEmail}
	FormatIDNHostname         = &Format{"want a host name", format.IDNHostname}
	FormatJSONPointer         = &Format{"want a JSON Pointer by RFC 6901", format.JSONPointer}
	FormatRelativeJSONPointer = &Format{"want a relative JSON Pointer", format.RelativeJSONPointer}
	FormatRegex               = &Format{"want a regular expression", format.Regex}
)

// CheckFormat checks that a string has a format.
func CheckFormat[S ~string](c *Validator, v S, f *Format) {
	if !f.valid(string(v)) {
		c.violate(RuleFormat, f.want, quoteShort(v))
	}
}
