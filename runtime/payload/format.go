package payload

import "github.com/babelqueue/bqgen/internal/format"

// A Format is what a string of a schema's format has to be, where Go has no type for it.
type Format struct {
	want  string
	valid func(string) bool
}

// The formats. They take what RFC 3339, RFC 3986, RFC 5321 and RFC 1123 say, with the deviations that their checks
// state.
var (
	FormatDate     = &Format{"want a date by RFC 3339", format.Date}
	FormatTime     = &Format{"want a time with an offset by RFC 3339", format.Time}
	FormatDuration = &Format{"want a duration by ISO 8601", format.Duration}
	FormatURI      = &Format{"want an absolute URI", format.URI}
	FormatEmail    = &Format{"want an email address", format.Email}
	FormatHostname = &Format{"want a host name", format.Hostname}
)

// CheckFormat checks the format of a string.
func CheckFormat[S ~string](c *Validator, v S, f *Format) {
	if !f.valid(string(v)) {
		c.violate(RuleFormat, f.want, quoteShort(v))
	}
}
