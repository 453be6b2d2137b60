package format

// Date accepts a full-date of RFC 3339, such as 2026-02-03.
func Date(s string) bool {
	p := dateTimeParser{text: []byte(s), ok: true}
	p.date()
	return p.ok && len(p.text) == 0
}

// Time accepts a full-time of RFC 3339, such as 04:05:06Z. As in a date-time, the second 60 can only stand at 23:59
// UTC.
func Time(s string) bool {
	p := dateTimeParser{text: []byte(s), ok: true}
	p.clock()
	return p.ok && len(p.text) == 0
}
