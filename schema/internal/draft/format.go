package draft

import (
	"strings"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/near"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// Formats are the formats of payloads, in the order in which hints list them.
var Formats = []schema.Format{
	schema.DateTime, schema.Date, schema.TimeOfDay, schema.Duration, schema.UUID, schema.Byte, schema.Decimal,
	schema.URI, schema.Email, schema.Hostname, schema.IPv4, schema.IPv6,
	schema.Int32, schema.Int64, schema.Uint64,
	schema.Float, schema.Double,
}

// FormatTypes returns the type that a format belongs to.
func FormatTypes(f schema.Format) TypeSet {
	switch f {
	case schema.NoFormat:
		return EveryType
	case schema.Int32, schema.Int64, schema.Uint64:
		return IntegerType
	case schema.Float, schema.Double:
		return FractionType
	}
	return StringType
}

// otherFormats are the names of formats elsewhere.
var otherFormats = map[string]string{
	"datetime": "date-time", "timestamp": "date-time", "guid": "uuid", "url": "uri", "iri": "uri",
	"idn-email": "email", "idn-hostname": "hostname", "ip": "ipv4",
	"base64": "byte", "binary": "byte", "bytes": "byte",
	"int": "int64", "integer": "int64", "long": "int64", "uint": "uint64", "uint32": "int64",
	"int8": "int32", "int16": "int32", "uint8": "int32", "uint16": "int32",
	"float32": "float", "float64": "double", "money": "decimal", "number": "decimal",
}

func (r *Reader) formatKeyword(d *Draft, n *source.Node) {
	name, ok := r.Text(n, "format")
	if !ok {
		return
	}
	var names, fitting []string
	for _, f := range Formats {
		if f.String() == name {
			d.Format, d.FormatPos = f, n.Pos
			return
		}
		names = append(names, f.String())
		if FormatTypes(f)&d.Types != 0 {
			fitting = append(fitting, f.String())
		}
	}
	if fitting == nil {
		fitting = names
	}
	hint := near.DidYouMean(name, names, "supported: "+text.List(fitting))
	if other := otherFormats[strings.ToLower(name)]; other != "" {
		hint = "did you mean " + text.Quote(other) + "?"
	}
	r.Report(n.Pos, schema.RuleFormat, hint, "format %s is not supported", text.Quote(name))
}
