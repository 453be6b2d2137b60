package format

import "strings"

// Duration accepts a duration of RFC 3339, appendix A: weeks alone, or years, months and days, followed by a T and
// hours, minutes and seconds. No unit between two others can be left out: P1Y2D and PT1H2S are no durations there.
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

// isUnits accepts integers that are each followed by the next of units, starting at any of them; or nothing.
func isUnits(s, units string) bool {
	for first := true; s != ""; first = false {
		end := 0
		for end < len(s) && isDigit(s[end]) {
			end++
		}
		if end == 0 || end == len(s) {
			return false
		}
		at := strings.IndexByte(units, s[end])
		if at < 0 || at > 0 && !first {
			return false
		}
		s, units = s[end+1:], units[at+1:]
	}
	return true
}
