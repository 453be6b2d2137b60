package source

import (
	"strings"
	"testing"
)

func TestTheStartOfJSONIsShort(t *testing.T) {
	read := func(text string) *Node {
		return NewReader(&Findings{}).ReadJSON(File{Name: "a.json"}, []byte(text))
	}
	for _, text := range []string{
		`{"a":[1,{"b":null},"x\"y"],"c":{}}`, `"é"`, `[]`,
	} {
		n := read(text)
		whole, _ := n.JSON(func(*Node) {})
		if got := n.JSONStart(100); string(got) != text || string(whole) != text {
			t.Errorf("%s: got %s, whole %s", text, got, whole)
		}
	}
	many := strings.Repeat(`{"a":"b"},`, 1000)
	for _, text := range []string{
		"[" + many + "0]", `{"k":[` + many + "0]}", `"` + strings.Repeat("é", 1000) + `"`,
		`{"` + strings.Repeat("é", 1000) + `":1}`,
	} {
		got := string(read(text).JSONStart(51))
		if len(got) > 100 || len(got) < 49 || !strings.HasPrefix(text, got[:49]) || strings.ContainsRune(got, '\ufffd') {
			t.Errorf("got %q", got)
		}
	}
}
