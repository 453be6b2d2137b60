package fileset

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var pages = Kind{
	".html": "<!DOCTYPE html><!-- ours -->",
	".json": "{\n  \"$comment\": \"ours\",",
}

func TestEveryKindKnowsItsOwnFiles(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       bool
	}{
		{"a.html", "<!DOCTYPE html><!-- ours -->\n<title>", true},
		{"a.html", "<!DOCTYPE html><!-- ours -->\r\n<title>", true},
		{"a.html", "<!DOCTYPE html><!-- ours -->", true},
		{"a.html", "<!DOCTYPE html><!-- ours --> <p>", false},
		{"a.html", "<!DOCTYPE html>\n<title>", false},
		{"a.html", "", false},
		{"a.json", "{\n  \"$comment\": \"ours\",\n}", true},
		{"a.json", "{\r\n  \"$comment\": \"ours\",\r\n}", true},
		{"a.json", "{\n  \"$comment\": \"theirs\",\n}", false},
		{"a.json", "<!DOCTYPE html><!-- ours -->", false},
		{"a.txt", "<!DOCTYPE html><!-- ours -->", false},
		{"a.txt", "", false},
	} {
		if got := pages.isGenerated(tc.name, []byte(tc.text)); got != tc.want {
			t.Errorf("%s with %q: got %v", tc.name, tc.text, got)
		}
	}
}

func TestKindsDoNotTouchEachOthersFiles(t *testing.T) {
	dir := folder(t, map[string][]byte{
		"old.html": []byte("<!DOCTYPE html><!-- ours -->\n1"), "old.bq.go": generated("package a"),
		"hand.html": []byte("x"),
	})
	files := map[string][]byte{"a.html": []byte("<!DOCTYPE html><!-- ours -->\n2")}
	if _, err := pages.Write(dir, files); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"a.html": string(files["a.html"]), "old.bq.go": string(generated("package a")), "hand.html": "x",
	}
	if diff := cmp.Diff(want, content(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := pages.Write(dir, map[string][]byte{"hand.html": files["a.html"]}); !errors.Is(err, ErrInTheWay) {
		t.Errorf("a hand-written page: error %v", err)
	}
}

func TestWriteOneLeavesOtherFilesAlone(t *testing.T) {
	text := func(s string) []byte { return []byte("<!DOCTYPE html><!-- ours -->\n" + s) }
	dir := folder(t, map[string][]byte{"other.html": text("1"), "hand.html": []byte("x")})
	for _, s := range []string{"1", "1", "2"} {
		if err := pages.WriteOne(filepath.Join(dir, "new", "a.html"), text(s)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "new", "a.html")); err != nil || string(got) != string(text(s)) {
			t.Errorf("got %q, %v", got, err)
		}
	}
	if err := pages.WriteOne(filepath.Join(dir, "hand.html"), text("1")); !errors.Is(err, ErrInTheWay) {
		t.Errorf("a hand-written page: error %v", err)
	}
	if err := pages.WriteOne(filepath.Join(dir, "b.html"), []byte("no header")); err == nil {
		t.Error("a file that could not be told from a hand-written one was written")
	}
	want := map[string]string{
		"other.html": string(text("1")), "hand.html": "x", "new/": "", "new/a.html": string(text("2")),
	}
	if diff := cmp.Diff(want, content(t, dir)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
