package text_test

import (
	"testing"

	"github.com/babelqueue/bqgen/internal/text"
)

func TestControlCharactersAreEscapedAsInJSON(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "größe 日本 👍": "größe 日本 👍", `a\n`: `a\n`,
		"a\r\n\tb": `a\u000d\u000a\u0009b`, "\x1b[2K": `\u001b[2K`, "\u202e": `\u202e`, "\U000e0001": `\udb40\udc01`,
	} {
		if got := text.Escape(in); got != want {
			t.Errorf("Escape(%q) is %q, want %q", in, got, want)
		}
	}
	if got, want := text.EscapeLines("a\tb\r\nc\x1b\n"), "a\tb\\u000d\nc\\u001b\n"; got != want {
		t.Errorf("EscapeLines is %q, want %q", got, want)
	}
}

// TestPlainBytesMissesNoSpecialByte puts every byte at every place of two words of eight.
func TestPlainBytesMissesNoSpecialByte(t *testing.T) {
	for place := range 16 {
		for c := range 256 {
			b := []byte("0123456789abcdef")
			b[place] = byte(c)
			want := len(b)
			if c < 0x20 || c >= 0x80 || c == '"' || c == '\\' {
				want = place
			}
			if n, m := text.PlainBytes(b), text.PlainBytes(string(b)); n != want || m != want {
				t.Errorf("byte %#x at %d: %d and %d bytes are plain, want %d", c, place, n, m, want)
			}
		}
	}
}
