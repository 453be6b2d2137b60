package jsonobj

import (
	"regexp"
	"strings"
)

// YAML returns the object as YAML 1.2 that reads the same in YAML 1.1: mappings and sequences as blocks, strings quoted
// as in JSON, so that none can be mistaken for another type.
func (o Object) YAML() []byte {
	var b strings.Builder
	writeMapping(&b, o, "")
	return []byte(b.String())
}

func writeMapping(b *strings.Builder, o Object, indent string) {
	for i, m := range o {
		if i > 0 {
			b.WriteString(indent)
		}
		b.WriteString(yamlKey(m.Name) + ":")
		writeValue(b, m.Value, indent)
	}
}

// writeValue writes what follows a key or a dash.
func writeValue(b *strings.Builder, value any, indent string) {
	switch v := readable(value).(type) {
	case Object:
		if len(v) > 0 {
			b.WriteString("\n" + indent + "  ")
			writeMapping(b, v, indent+"  ")
			return
		}
		b.WriteString(" {}\n")
	case []any:
		if len(v) == 0 {
			b.WriteString(" []\n")
			return
		}
		b.WriteByte('\n')
		for _, item := range v {
			b.WriteString(indent + "  -")
			if o, ok := readable(item).(Object); ok && len(o) > 0 {
				b.WriteByte(' ')
				writeMapping(b, o, indent+"    ")
			} else {
				writeValue(b, item, indent+"  ")
			}
		}
	default:
		b.WriteString(" " + scalar(v) + "\n")
	}
}

// plainKey matches keys that every version of YAML takes for strings.
var plainKey = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_.$-]*$`)

// yaml11Words are the words that YAML 1.1 takes for a boolean or for null.
var yaml11Words = map[string]bool{
	"y": true, "n": true, "yes": true, "no": true, "on": true, "off": true, "true": true, "false": true, "null": true,
}

func yamlKey(name string) string {
	if plainKey.MatchString(name) && !yaml11Words[strings.ToLower(name)] {
		return name
	}
	return quote(name)
}
