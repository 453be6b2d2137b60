package format

// ByName are the checks of all formats of strings, by the value of the keyword format.
var ByName = map[string]func(string) bool{
	"date-time": func(s string) bool { _, ok := ParseDateTime([]byte(s)); return ok },
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
}
