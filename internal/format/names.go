package format

// ByName contains the check of every format of strings, by its name in a schema.
var ByName = map[string]func(string) bool{
	"date-time": DateTime,
	"date":      Date,
	"time":      Time,
	"duration":  Duration,
	"uuid":      UUID,
	"byte":      Byte,
	"decimal":   Decimal[string],
	"uri":       URI,
	"email":     Email,
	"hostname":  Hostname,
	"ipv4":      IPv4,
	"ipv6":      IPv6,

	"uri-reference":         URIReference,
	"iri":                   IRI,
	"iri-reference":         IRIReference,
	"uri-template":          URITemplate,
	"idn-email":             IDNEmail,
	"idn-hostname":          IDNHostname,
	"json-pointer":          JSONPointer,
	"relative-json-pointer": RelativeJSONPointer,
	"regex":                 Regex,
}
