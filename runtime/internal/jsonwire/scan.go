package jsonwire

import (
	"fmt"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/internal/text"
)

// A SyntaxError says where a text is not JSON by RFC 8259.
type SyntaxError struct {
	Offset  int // in bytes, from the start of the scanned slice
	Message string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at byte %d", e.Message, e.Offset)
}

func syntaxError(offset int, format string, args ...any) error {
	return &SyntaxError{Offset: offset, Message: fmt.Sprintf(format, args...)}
}

// SkipSpace returns the offset of the first byte at or after i that is not JSON whitespace (SP, TAB, LF, CR).
func SkipSpace(b []byte, i int) int {
	for i < len(b) && IsSpace(b[i]) {
		i++
	}
	return i
}

// IsSpace reports whether c is JSON whitespace.
func IsSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r'
}

// ScanValue checks the value that starts at b[i] and returns the offset after it. Objects and arrays can nest maxDepth
// levels deep, including the value itself.
func ScanValue(b []byte, i, maxDepth int) (end int, err error) {
	if i >= len(b) {
		return i, syntaxError(i, "unexpected end of text, want a value")
	}
	switch c := b[i]; c {
	case '{':
		return scanContainer(b, i, maxDepth)
	case '[':
		return scanContainer(b, i, maxDepth)
	case '"':
		end, _, err = ScanString(b, i)
		return end, err
	case 't':
		return scanLiteral(b, i, "true")
	case 'f':
		return scanLiteral(b, i, "false")
	case 'n':
		return scanLiteral(b, i, "null")
	default:
		if c == '-' || isDigit(c) {
			return ScanNumber(b, i)
		}
		return i, unexpected(b, i, "a value")
	}
}

func scanContainer(b []byte, i, maxDepth int) (end int, err error) {
	if maxDepth <= 0 {
		return i, syntaxError(i, "nested too deeply")
	}
	object, closing := b[i] == '{', b[i]+2 // ']' and '}' follow their opening bracket by two
	i = SkipSpace(b, i+1)
	if i < len(b) && b[i] == closing {
		return i + 1, nil
	}
	for {
		if object {
			if _, _, i, err = ScanMember(b, i); err != nil {
				return i, err
			}
		}
		if i, err = ScanValue(b, i, maxDepth-1); err != nil {
			return i, err
		}
		var more bool
		if i, more, err = ScanNext(b, i, closing); err != nil || !more {
			return i, err
		}
	}
}

// ScanMember checks the name and the colon of the member at b[i]. It returns the offset after the name's closing quote,
// whether the name is plain, and the offset of the member's value.
func ScanMember(b []byte, i int) (nameEnd int, plain bool, value int, err error) {
	if i >= len(b) || b[i] != '"' {
		return i, false, i, unexpected(b, i, "a member name")
	}
	nameEnd, plain, err = ScanString(b, i)
	if err != nil {
		return nameEnd, plain, nameEnd, err
	}
	value = SkipSpace(b, nameEnd)
	if value >= len(b) || b[value] != ':' {
		return nameEnd, plain, value, unexpected(b, value, "':'")
	}
	return nameEnd, plain, SkipSpace(b, value+1), nil
}

// ScanNext checks what follows an element or member at b[i] in a container that ends with closing. It returns the
// offset of the next one (more is true) or the offset after the closing bracket (more is false).
func ScanNext(b []byte, i int, closing byte) (next int, more bool, err error) {
	i = SkipSpace(b, i)
	switch {
	case i < len(b) && b[i] == ',':
		return SkipSpace(b, i+1), true, nil
	case i < len(b) && b[i] == closing:
		return i + 1, false, nil
	}
	return i, false, unexpected(b, i, fmt.Sprintf("',' or '%c'", closing))
}

// ScanString checks the string literal that starts at b[i], including its UTF-8. It returns the offset after the
// closing quote and whether the literal is plain.
func ScanString(b []byte, i int) (end int, plain bool, err error) {
	start := i
	plain, ascii := true, true
	for i++; ; i++ {
		if len(b)-i >= 16 {
			i += text.PlainBytes(b[i:])
		}
		for i < len(b) && ' ' <= b[i] && b[i] < utf8.RuneSelf && b[i] != '"' && b[i] != '\\' {
			i++
		}
		if i >= len(b) {
			break
		}
		switch c := b[i]; {
		case c == '"':
			if !ascii && !utf8.Valid(b[start:i]) {
				return start, plain, syntaxError(start, "string is not valid UTF-8")
			}
			return i + 1, plain, nil
		case c == '\\':
			plain = false
			size, ok := escapeSize(b[i:])
			if !ok {
				return i, plain, syntaxError(i, "invalid escape in string")
			}
			i += size - 1
		case c < 0x20:
			return i, plain, syntaxError(i, "control character in string")
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
	return i, plain, syntaxError(i, "unexpected end of text in a string")
}

// escapeSize returns the length of the escape sequence that b starts with.
func escapeSize(b []byte) (size int, ok bool) {
	if len(b) < 2 {
		return 0, false
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, true
	case 'u':
		if _, ok := hex4(b[2:]); ok {
			return 6, true
		}
	}
	return 0, false
}

// hex4 parses the four hexadecimal digits of a \u escape.
func hex4(b []byte) (r rune, ok bool) {
	if len(b) < 4 {
		return 0, false
	}
	for _, c := range b[:4] {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// ScanNumber checks the number that starts at b[i] and returns the offset after it. It does not check what follows the
// number.
func ScanNumber(b []byte, i int) (end int, err error) {
	if i < len(b) && b[i] == '-' {
		i++
	}
	switch {
	case i < len(b) && b[i] == '0':
		i++
		if i < len(b) && isDigit(b[i]) {
			return i, syntaxError(i, "leading zero in number")
		}
	default:
		if i, err = scanDigits(b, i); err != nil {
			return i, err
		}
	}
	if i < len(b) && b[i] == '.' {
		if i, err = scanDigits(b, i+1); err != nil {
			return i, err
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if i, err = scanDigits(b, i); err != nil {
			return i, err
		}
	}
	return i, nil
}

func scanDigits(b []byte, i int) (end int, err error) {
	start := i
	for i < len(b) && isDigit(b[i]) {
		i++
	}
	if i == start {
		return i, unexpected(b, i, "a digit")
	}
	return i, nil
}

func scanLiteral(b []byte, i int, literal string) (end int, err error) {
	if len(b)-i < len(literal) || string(b[i:i+len(literal)]) != literal {
		return i, unexpected(b, i, "a value")
	}
	return i + len(literal), nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func unexpected(b []byte, i int, want string) error {
	if i >= len(b) {
		return syntaxError(i, "unexpected end of text, want %s", want)
	}
	r, _ := utf8.DecodeRune(b[i:])
	return syntaxError(i, "unexpected %q, want %s", r, want)
}
