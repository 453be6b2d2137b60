package browser

import (
	"bytes"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// start starts a browser. It skips the test where there is none, except in CI.
func start(t *testing.T) *Browser {
	t.Helper()
	b, err := Start(t.Context())
	if errors.Is(err, ErrUnavailable) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(b.profile); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the profile was left behind: %v", err)
		}
	})
	return b
}

func TestPagesAreShownOnTheGivenScreen(t *testing.T) {
	b := start(t)
	file := filepath.Join(t.TempDir(), "a.html")
	const text = `<!DOCTYPE html><title>x</title><meta name="viewport" content="width=device-width">
		<p style="height:2000px">`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range []Screen{{Width: 900, Height: 600}, {Width: 390, Height: 800, Phone: true, Dark: true}} {
		if err := b.Open("file://"+file, s); err != nil {
			t.Fatal(err)
		}
		var width int
		var dark bool
		const prefersDark = `matchMedia("(prefers-color-scheme: dark)").matches`
		if err := errors.Join(b.Evaluate("innerWidth", &width), b.Evaluate(prefersDark, &dark)); err != nil {
			t.Fatal(err)
		}
		if width != s.Width || dark != s.Dark {
			t.Errorf("%+v: the page sees width %d, dark %v", s, width, dark)
		}
		shot, err := b.Screenshot()
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(shot))
		if err != nil || picture.Bounds().Dy() < 2000 {
			t.Errorf("%+v: the picture is %v, %v", s, picture.Bounds(), err)
		}
	}
}

func TestComplaintsOfAPageAreRecorded(t *testing.T) {
	b := start(t)
	file := filepath.Join(t.TempDir(), "a.html")
	const text = `<!DOCTYPE html><meta http-equiv="Content-Security-Policy" content="default-src 'none'">
		<script>document.title = "ran"</script>`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.Open("file://"+file, Screen{Width: 500, Height: 500}); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(b.Complaints, "\n"); !strings.Contains(all, "Content Security Policy") {
		t.Errorf("complaints: %q", all)
	}
	if err := b.Evaluate("nothing.there", nil); err == nil || !strings.Contains(err.Error(), "nothing is not defined") {
		t.Errorf("error %v", err)
	}
}
