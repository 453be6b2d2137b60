package source

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/schema"
)

const (
	// MaxSource is the size of the largest catalog with all its files, in bytes. A few thousand URNs take about four
	// million.
	MaxSource = 16 << 20
	// maxTextFindings is the number of lines with unreadable characters that are listed.
	maxTextFindings = 20
	// maxDirectives is the number of lines that may start with a percent sign. The YAML library compares each directive
	// with all before it.
	maxDirectives = 100
)

const bom = "\ufeff"

// checkText checks the bytes of a file before YAML does, so that each fault of encoding has an exact place. It returns
// the text to parse; ok is false when parsing it makes no sense.
//
// Raw NEL, LS and PS are refused like control characters: YAML 1.1 counts them as line ends, YAML 1.2 and editors do
// not, so positions and text would depend on the reader.
func (p *parser) checkText(src []byte) (checked []byte, ok bool) {
	p.reader.size += len(src)
	switch {
	case p.reader.size > MaxSource && !p.file.Data:
		with := ""
		if !p.file.Main {
			with = " together with the catalog"
		}
		p.Report(p.start(), schema.RuleTooLarge, "split the catalog",
			"%s is larger than %d MiB%s", p.file.What, MaxSource>>20, with)
		return nil, false
	case bytes.HasPrefix(src, []byte("\xff\xfe")), bytes.HasPrefix(src, []byte("\xfe\xff")):
		p.Report(p.start(), schema.RuleEncoding, "save the file as UTF-8", "the file is UTF-16, not UTF-8")
		return nil, false
	case bytes.HasPrefix(src, []byte(bom)):
		p.Report(p.start(), schema.RuleBOM, "save the file as UTF-8 without a byte order mark",
			"the file starts with a byte order mark")
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
		rule, what := badRune(r, size, src[i])
		if p.file.Data && rule != schema.RuleEncoding {
			rule = "" // JSON decides
		}
		if rule != "" && line != lastLine {
			ok = false
			if lastLine, findings = line, findings+1; findings > maxTextFindings {
				return nil, false
			}
			p.Report(schema.Pos{File: p.file.Name, Line: line, Column: column}, rule, encodingHint(rule), "%s", what)
		}
		i += size
		column++
		if r == '\n' || r == '\r' && (i == len(src) || src[i] != '\n') {
			line, column = line+1, 1
		}
	}
	if directives > maxDirectives {
		p.Report(p.start(), schema.RuleSyntax, "remove the lines that start with %",
			"not valid YAML: %d directives", directives)
		return nil, false
	}
	return src, ok
}

// badRune returns the rule that a character breaks, if any.
func badRune(r rune, size int, first byte) (rule, what string) {
	switch {
	case r == utf8.RuneError && size == 1:
		return schema.RuleEncoding, fmt.Sprintf("byte 0x%02X is not valid UTF-8", first)
	case r == '\t' || r == '\n' || r == '\r':
		return "", ""
	case r == 0:
		return schema.RuleControl, "a NUL character"
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return schema.RuleControl, fmt.Sprintf("control character U+%04X", r)
	case r == 0x2028 || r == 0x2029:
		return schema.RuleControl, fmt.Sprintf("line separator U+%04X", r)
	case r == 0xfeff:
		return schema.RuleControl, "a byte order mark inside the file"
	case r == 0xfffe || r == 0xffff:
		return schema.RuleControl, fmt.Sprintf("U+%04X is not a character", r)
	}
	return "", ""
}

func encodingHint(rule string) string {
	if rule == schema.RuleEncoding {
		return "save the file as UTF-8"
	}
	return `remove it, or write it as an escape in a double-quoted string ("\u...")`
}
