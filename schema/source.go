package schema

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// maxSource is the size of the largest catalog, in bytes. Some thousand URNs take about four million.
const maxSource = 16 << 20

// maxTextFindings is how many lines with unreadable characters are listed.
const maxTextFindings = 20

const bom = "\ufeff"

// checkText judges the bytes of a catalog before YAML does, so that each fault of encoding has an exact
// place. It returns the text to parse; ok is false when there is no sense in parsing it.
//
// Raw NEL, LS and PS are refused with the control characters: YAML 1.1 counts them as line ends and
// YAML 1.2 and editors do not, so that positions and text would depend on who reads.
func (l *loader) checkText(src []byte) (text []byte, ok bool) {
	start := Pos{File: l.file, Line: 1, Column: 1}
	l.size += len(src)
	switch {
	case l.size > maxSource:
		with := ""
		if l.file != l.main.name {
			with = " together with the catalog"
		}
		l.report(start, ruleTooLarge, "split the catalog", "%s is larger than %d MiB%s", l.what, maxSource>>20, with)
		return nil, false
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		l.report(start, ruleEncoding, "save the file as UTF-8", "the file is UTF-16, not UTF-8")
		return nil, false
	case bytes.HasPrefix(src, []byte(bom)):
		l.report(start, ruleBOM, "save the file as UTF-8 without a byte order mark", "the file starts with a byte order mark")
		src = src[len(bom):]
	}

	ok = true
	findings, lastLine, directives := 0, 0, 0
	line, column := 1, 1
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if column == 1 && r == '%' {
			directives++
		}
		if rule, what := badRune(r, size, src[i]); rule != "" && line != lastLine {
			ok = false
			if lastLine, findings = line, findings+1; findings > maxTextFindings {
				return nil, false
			}
			l.report(Pos{l.file, line, column}, rule, textHint(rule), "%s", what)
		}
		i += size
		column++
		if r == '\n' || r == '\r' && (i == len(src) || src[i] != '\n') {
			line, column = line+1, 1
		}
	}
	if directives > maxDirectives {
		// The YAML library compares each directive with all before it.
		l.report(start, ruleSyntax, "remove the lines that start with %", "not valid YAML: %d directives", directives)
		return nil, false
	}
	return src, ok
}

// maxDirectives is how many lines may start with a percent sign.
const maxDirectives = 100

// badRune says which rule a character breaks, if any.
func badRune(r rune, size int, first byte) (rule, what string) {
	switch {
	case r == utf8.RuneError && size == 1:
		return ruleEncoding, fmt.Sprintf("byte 0x%02X is not valid UTF-8", first)
	case r == '\t' || r == '\n' || r == '\r':
		return "", ""
	case r == 0:
		return ruleControl, "a NUL character"
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return ruleControl, fmt.Sprintf("control character U+%04X", r)
	case r == 0x2028 || r == 0x2029:
		return ruleControl, fmt.Sprintf("line separator U+%04X", r)
	case r == 0xfeff:
		return ruleControl, "a byte order mark inside the file"
	case r == 0xfffe || r == 0xffff:
		return ruleControl, fmt.Sprintf("U+%04X is not a character", r)
	}
	return "", ""
}

func textHint(rule string) string {
	if rule == ruleEncoding {
		return "save the file as UTF-8"
	}
	return `remove it, or write it as an escape in a double-quoted string ("\u...")`
}
