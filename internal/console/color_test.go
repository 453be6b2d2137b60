package console

import (
	"bytes"
	"testing"
)

func TestATerminalGetsTheColorsOfBqgenOnly(t *testing.T) {
	const text = "\x1b[1ma\x1b[0m \x1b[31m##[b]\x1b[0m\x1b[8mc\x1b[2Kd\x1b[1;8m\n"
	for colors, want := range map[bool]string{
		true:  "\x1b[1ma\x1b[0m \x1b[31m#\\u0023[b]\x1b[0m\\u001b[8mc\\u001b[2Kd\\u001b[1;8m\n",
		false: `\u001b[1ma\u001b[0m \u001b[31m#\u0023[b]\u001b[0m\u001b[8mc\u001b[2Kd\u001b[1;8m` + "\n",
	} {
		var out bytes.Buffer
		w := New(&out)
		w.colors = colors
		if _, err := w.Write([]byte(text)); err != nil || out.String() != want {
			t.Errorf("colors %v: %q, want %q, error %v", colors, out.String(), want, err)
		}
	}
}

// TestAPassingLineIsReplaced: what follows replaces it, whatever it is, and a line never goes on in a second one.
func TestAPassingLineIsReplaced(t *testing.T) {
	var out bytes.Buffer
	w := New(&out)
	if Passing(w, "1 of 2") || out.Len() > 0 {
		t.Errorf("it is shown where there is no terminal: %q", out.String())
	}
	w.pass("", 80)
	w.pass("1 of 2", 80)
	w.pass("2 of 2\n\x1b[2J and more", 10)
	w.Write([]byte("warning\nrest"))
	w.pass("again", 80)
	w.pass("", 80)
	w.pass("", 80)
	w.Flush()
	const want = clearLine + "1 of 2" + clearLine + "2 of 2 <U…" + clearLine + "warning\n" + clearLine + "again" +
		clearLine + "rest"
	if out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
