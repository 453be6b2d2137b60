package schema

import "strings"

// formats are those that payloads may have, with the types that they belong to.
var formats = []struct {
	name   string
	format Format
	types  typeSet
}{
	{"date-time", DateTime, stringType}, {"date", Date, stringType}, {"time", TimeOfDay, stringType}, {"duration", Duration, stringType},
	{"uuid", UUID, stringType}, {"byte", Byte, stringType}, {"decimal", Decimal, stringType},
	{"uri", URI, stringType}, {"email", Email, stringType}, {"hostname", Hostname, stringType}, {"ipv4", IPv4, stringType}, {"ipv6", IPv6, stringType},
	{"int32", Int32, integerType}, {"int64", Int64, integerType}, {"uint64", Uint64, integerType},
	{"float", Float, fractionType}, {"double", Double, fractionType},
}

// otherFormats are what formats are called elsewhere.
var otherFormats = map[string]string{
	"datetime": "date-time", "timestamp": "date-time", "guid": "uuid", "url": "uri", "iri": "uri", "idn-email": "email", "idn-hostname": "hostname",
	"base64": "byte", "binary": "byte", "bytes": "byte", "ip": "ipv4", "int": "int64", "integer": "int64", "long": "int64", "uint": "uint64", "uint32": "int64",
	"int8": "int32", "int16": "int32", "uint8": "int32", "uint16": "int32", "float32": "float", "float64": "double", "money": "decimal", "number": "decimal",
}

// String is the name that JSON Schema has for the format, or "".
func (f Format) String() string {
	for _, known := range formats {
		if known.format == f {
			return known.name
		}
	}
	return ""
}

// types are those that the format belongs to.
func (f Format) types() typeSet {
	for _, known := range formats {
		if known.format == f {
			return known.types
		}
	}
	return everyType
}

func (l *loader) formatKeyword(d *draft, n *node) {
	name, ok := l.text(n, "format")
	if !ok {
		return
	}
	var names, fitting []string
	for _, known := range formats {
		if known.name == name {
			d.Format, d.format = known.format, n
			return
		}
		names = append(names, known.name)
		if known.types&d.types != 0 {
			fitting = append(fitting, known.name)
		}
	}
	if fitting == nil {
		fitting = names
	}
	hint := didYouMean(name, names, "supported: "+list(fitting))
	if other := otherFormats[strings.ToLower(name)]; other != "" {
		hint = "did you mean " + quote(other) + "?"
	}
	l.report(n.pos, ruleFormat, hint, "format %s is not supported", quote(name))
}

// formatOf merges formats and holds the one that is left against the type.
func (b *builder) formatOf(s *Schema, g *group) {
	want := map[Kind]typeSet{String: stringType, Integer: integerType, Number: fractionType}[s.Kind]
	var names []string
	misfits := 0
	for _, p := range g.parts {
		if p.Format == NoFormat {
			continue
		}
		names = append(names, p.Format.String())
		s.Format = p.Format
		if want != 0 && p.Format.types() != want { // for other kinds the keyword itself is misplaced
			b.report(p.format.pos, ruleMisplacedKeyword, "", "format %s belongs to type %s, this is %s", p.Format, formatType(p.Format), s.Kind)
			misfits++
		}
	}
	if misfits > 0 {
		s.Format = NoFormat
		return
	}
	if names = sortedSet(names); len(names) > 1 {
		b.conflict(g, "keep one of them", "a value cannot be of the formats %s at once", list(names))
		s.Format = NoFormat
	}
}

func formatType(f Format) string {
	switch f.types() {
	case stringType:
		return "string"
	case integerType:
		return "integer"
	}
	return "number"
}
