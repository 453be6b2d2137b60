package console_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/internal/console"
	"github.com/babelqueue/bqgen/internal/console/citest"
)

// Hostile are texts that one of the runners or a terminal obeys.
var hostile = []string{
	"::error::a", "  ::error file=a.go,line=1::b", "\t::add-mask::e", "a\r::error::b", "a\r\n::set-env name=A::b",
	"a\u0085::error::b", "a\u2028::error::b", "\u00a0::error::b", "\u3000::error::b", "\u200b::error::b",
	"\ufeff::error::b", "\u034f::error::b", "\ufe0f::error::b", ":\u200d:error::b", "::stop-commands::x", "::::",
	"##[error]a", "a ##[add-mask]b", "##[group", "##vso[task.setvariable variable=PATH]/evil", "x##VSO[a.b]c",
	"##teamcity[buildStatus text='x']", "###[error]a", "#\u200b#[error]a", "##\u2060[error]a", "#\ufe0f#[error]a",
	"\x1b[2K", "\x1b]0;title\x07", "\u009b2K", "\x1b[8mha:AAAA", "\x00", "\x7f", "\u202e", "\u2066", "\U000e0001",
	"section_start:1:a\r\x1b[0K", "\xff\xfe::error::a", "#\xff#[error]a", "##[error]##[error]", "##" + "##vso[a]",
}

func TestHostileTextIsTold(t *testing.T) {
	for _, s := range hostile {
		if len(citest.Commands(s)) == 0 && s != "\xff\xfe::error::a" && s != "#\xff#[error]a" {
			t.Errorf("%q is taken for harmless", s)
		}
	}
	for _, s := range []string{"", "a::b::c", "## a [b]", "# [x]", "std::vector", "\tindented", ": :a::"} {
		if got := citest.Commands(s); got != nil {
			t.Errorf("%q is taken for a command", got)
		}
	}
}

func TestNothingThatIsWrittenIsACommand(t *testing.T) {
	for _, s := range hostile {
		for _, text := range []string{s, s + "\n", "a\n" + s + "\nb", strings.Repeat(s, 3)} {
			for size := 1; size <= 3; size++ { // however it is cut
				var out bytes.Buffer
				w := console.New(&out)
				for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
					if _, err := w.Write(rest[:min(size, len(rest))]); err != nil {
						t.Fatal(err)
					}
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				if found := citest.Commands(out.String()); found != nil {
					t.Errorf("%q is written as %q", text, found)
				}
			}
		}
	}
}

func TestOrdinaryTextStaysAsItIs(t *testing.T) {
	const text = "größe 日本 👍️ \ta::b ## c [d] #[e] std::vector\n  : :x::\n-:: \n"
	var out bytes.Buffer
	w := console.New(&out)
	if _, err := w.Write([]byte(text)); err != nil || out.String() != text {
		t.Errorf("%q is written as %q, error %v", text, out.String(), err)
	}
}

func TestJSONStaysTheSame(t *testing.T) {
	for _, s := range hostile {
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		w := console.New(&out)
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		var got, same string
		if json.Unmarshal(want, &same) != nil || json.Unmarshal(out.Bytes(), &got) != nil || got != same {
			t.Errorf("%q is %q, written as %s", s, got, out.String())
		}
	}
}

func TestACommandIsOneLineAndNoOther(t *testing.T) {
	var out bytes.Buffer
	w := console.New(&out)
	if err := console.Command(w, "::error file=a::b\n::error::c ##vso[x]\x1b[2K"); err != nil {
		t.Fatal(err)
	}
	if got, want := out.String(), `::error file=a::b%0A::error::c #\u0023vso[x]\u001b[2K`+"\n"; got != want {
		t.Errorf("written as %q, want %q", got, want)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestAWriterReportsWhatFails(t *testing.T) {
	w := console.New(full{})
	if _, err := w.Write([]byte("a")); err != nil {
		t.Errorf("nothing was written yet: %v", err)
	}
	if err := w.Flush(); err == nil {
		t.Error("no error")
	}
	if _, err := w.Write([]byte("b\n")); err == nil {
		t.Error("no error")
	}
}
