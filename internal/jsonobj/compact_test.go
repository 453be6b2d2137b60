package jsonobj_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/babelqueue/bqgen/internal/jsonobj"
)

func TestCompactAndDecodedAreTheSameDocument(t *testing.T) {
	o := jsonobj.Object{
		{Name: "b", Value: []any{nil, true, false, "</ü\n", json.Number("1.50"), 3, jsonobj.Object{}}},
		{Name: "a", Value: json.RawMessage(`{"z":1.0,"y":[null]}`)},
	}
	compact := string(o.AppendCompact([]byte("x")))
	if want := `x{"b":[null,true,false,"</ü\n",1.50,3,{}],"a":{"z":1.0,"y":[null]}}`; compact != want {
		t.Errorf("got  %s\nwant %s", compact, want)
	}
	parsed, err := jsonobj.Parse([]byte(compact[1:]))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := o.Decoded(), parsed.(jsonobj.Object).Decoded(); !reflect.DeepEqual(got, want) {
		t.Errorf("decoded %v, its JSON decodes to %v", got, want)
	}
}
