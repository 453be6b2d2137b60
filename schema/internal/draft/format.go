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
	schema.URI, schema.URIReference, schema.IRI, schema.IRIReference, schema.URITemplate,
	schema.Email, schema.IDNEmail, schema.Hostname, schema.IDNHostname, schema.IPv4, schema.IPv6,
	schema.JSONPointer, schema.RelativeJSONPointer, schema.Regex,
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
	"datetime": "date-time", "timestamp": "date-time", "guid": "uuid", "url": "uri", "ip": "ipv4",
	"base64": "byte", "bytes": "byte",
	"int": "int64", "integer": "int64", "long": "int64", "uint": "uint64", "uint32": "int64",
	"int8": "int32", "int16": "int32", "uint8": "int32", "uint16": "int32",
	"float32": "float", "float64": "double", "money": "decimal", "number": "decimal",
}

func (r *Reader) formatKeyword(d *Draft, n *source.Node) {
	name, ok := r.Text(n, "format")
	if !ok {
		return
	}
	for _, f := range Formats {
		if f.String() == name {
			d.Format, d.FormatPos = f, n.Pos
			return
		}
	}
	d.OtherFormat = name
}

// FormatHint says what may have been meant by a format that is not one of [Formats].
func FormatHint(name string) string {
	if name == "binary" {
		return "raw bytes cannot stand in JSON: bytes in base64 have the format byte"
	}
	if other := otherFormats[strings.ToLower(name)]; other != "" {
		return "did you mean " + text.Quote(other) + "?"
	}
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = f.String()
	}
	return near.DidYouMean(name, names, "leave it out, or say in the description what it means")
}
