package text

import "strconv"

// Name returns a name of the catalog for a message: as it is, or quoted as a Go string when it is empty or its spaces
// and invisible characters would mislead a reader.
func Name(s string) string {
	if s != "" && OneLine(s) == s {
		return s
	}
	return strconv.Quote(s)
}
