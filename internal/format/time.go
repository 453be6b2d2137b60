package format

import "strings"

// Date takes a full-date of RFC 3339.
func Date(s string) bool {
	p := dateTimeParser{text: []byte(s), ok: len(s) == len("2006-01-02")}
	p.date()
	return p.ok && len(p.text) == 0
}

// Time takes a full-time of RFC 3339. As in a date-time, a second of 60 can stand at 23:59 UTC only.
func Time(s string) bool {
	p := dateTimeParser{text: []byte(s), ok: true}
	p.clock()
	return p.ok && len(p.text) == 0
}

// Duration takes a duration of RFC 3339, appendix A: weeks alone, or years, months, days, then after a T hours, minutes,
// seconds. As in ISO 8601, whatever is zero can be left out in between.
func Duration(s string) bool {
	rest, ok := strings.CutPrefix(s, "P")
	if !ok || rest == "" {
		return false
	}
	if weeks, ok := strings.CutSuffix(rest, "W"); ok {
		return weeks != "" && strings.Trim(weeks, "0123456789") == ""
	}
	date, time, hasTime := strings.Cut(rest, "T")
	return isUnits(date, "YMD") && (!hasTime || time != "" && isUnits(time, "HMS"))
}

// isUnits takes numbers, each with a unit, in the order of units.
func isUnits(s, units string) bool {
	for s != "" {
		end := 0
		for end < len(s) && '0' <= s[end] && s[end] <= '9' {
			end++
		}
		if end == 0 || end == len(s) {
			return false
		}
		at := strings.IndexByte(units, s[end])
		if at < 0 {
			return false
		}
		s, units = s[end+1:], units[at+1:]
	}
	return true
}
