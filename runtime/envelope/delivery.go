package envelope

import (
	"math"
	"strconv"
)

// GatedVersion reports whether a message is of an envelope version that a consumer of this one must not touch: its
// version property says something, and that is not exactly "1" (GATE-1, GATE-2, GATE-3).
func GatedVersion(properties map[string]string) (version string, gated bool) {
	version = properties[PropertySchemaVersion]
	return version, !Blank(version) && version != strconv.Itoa(SchemaVersion)
}

// ParseAttempts reads a bq-attempts property: ASCII digits and nothing else, at most 2147483647 (ATT-1).
func ParseAttempts(property string) (attempts int64, ok bool) {
	for _, c := range []byte(property) {
		if c < '0' || c > '9' {
			return 0, false
		}
		if attempts = attempts*10 + int64(c-'0'); attempts > math.MaxInt32 {
			return 0, false
		}
	}
	return attempts, property != ""
}
