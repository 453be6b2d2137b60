package record

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"
)

const tree = `{"type":"record","name":"Node","namespace":"a.b","fields":[
	{"name":"kind","type":{"type":"enum","name":"Kind","symbols":["LEAF","TREE"]}},
	{"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},
	{"name":"sum","type":{"type":"fixed","name":"Sum","size":2}},
	{"name":"next","type":["null","Node"]},
	{"name":"weights","type":{"type":"array","items":"float"}},
	{"name":"tags","type":{"type":"map","values":["string","a.b.Kind"]}},
	{"name":"raw","type":"bytes"},
	{"name":"ok","type":"boolean"},
	{"name":"d","type":"double"}
]}`

// avroBody writes Avro: numbers as zigzag varints, everything else as it is.
func avroBody(parts ...any) (b []byte) {
	for _, p := range parts {
		switch p := p.(type) {
		case int:
			b = binary.AppendVarint(b, int64(p))
		case string:
			b = append(b, p...)
		case float32:
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(p))
		case float64:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(p))
		}
	}
	return b
}

func decoderOf(t testing.TB, of pulsar.SchemaType, definition string) *Decoder {
	t.Helper()
	d, err := NewDecoder(&pulsar.SchemaInfo{Type: of, Schema: definition})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestAvroRecords(t *testing.T) {
	leaf := []any{0, 1, "\x01\x02", 0, 0, 0, 0, "\x00", 0.5}
	tree := decoderOf(t, pulsar.AVRO, tree)
	body := avroBody(append([]any{1, 1<<53 + 1, "ab", 1}, append(leaf,
		-2, 8, float32(0.5), float32(1), 0, // a block with its size
		1, 2, "hi", 1, 0, 0, // the key "hi" and the second branch
		3, "raw", "\x01", 1e300)...)...)
	got, err := tree.Fields(body)
	if err != nil {
		t.Fatal(err)
	}
	want := Fields{
		{"kind", "TREE"}, {"at", int64(1<<53 + 1)}, {"sum", []byte("ab")},
		{"next", Fields{
			{"kind", "LEAF"}, {"at", int64(1)}, {"sum", []byte{1, 2}}, {"next", nil}, {"weights", []any{}},
			{"tags", map[string]any{}}, {"raw", []byte{}}, {"ok", false}, {"d", 0.5},
		}},
		{"weights", []any{0.5, 1.0}}, {"tags", map[string]any{"hi": "LEAF"}}, {"raw", []byte("raw")}, {"ok", true},
		{"d", 1e300},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if v, ok := got.Get("ok"); v != true || !ok {
		t.Errorf("Get: %v, %t", v, ok)
	}
	if _, ok := got.Get("no"); ok {
		t.Error("Get finds what is not there")
	}
	for n := range body {
		if _, err := tree.Fields(body[:n]); err == nil {
			t.Errorf("%d of %d bytes are accepted", n, len(body))
		}
	}
	if _, err := tree.Fields(append(body, 0)); err == nil {
		t.Error("what is left over is accepted")
	}
}

func TestJSONRecords(t *testing.T) {
	d := decoderOf(t, pulsar.JSON, `{"type":"record","name":"R","fields":[
		{"name":"id","type":"long"}, {"name":"gone","type":"int"},
		{"name":"in","type":["null",{"type":"array","items":{"type":"record","name":"I","fields":[
			{"name":"y","type":"int"},{"name":"x","type":"int"}]}}]},
		{"name":"m","type":{"type":"map","values":"I"}},
		{"name":"f","type":"double"}]}`)
	got, err := d.Fields([]byte(`{"f":1.5,"z":{"b":[1]},"a":99999999999999999999,"in":[{"x":1,"y":2}],
		"m":{"k":{"x":1,"y":2}},"id":9007199254740993,"g":1e400,"n":null}`))
	if err != nil {
		t.Fatal(err)
	}
	item := Fields{{"y", int64(2)}, {"x", int64(1)}}
	want := Fields{
		{"id", int64(9007199254740993)}, {"in", []any{item}}, {"m", map[string]any{"k": item}}, {"f", 1.5},
		{"a", json.Number("99999999999999999999")}, {"g", json.Number("1e400")}, {"n", nil},
		{"z", map[string]any{"b": []any{int64(1)}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, body := range []string{"", "[]", "1", `{"id":1} {}`, `{"id":`, "\x00",
		strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300)} {
		if _, err := d.Fields([]byte(body)); err == nil {
			t.Errorf("%.20q is accepted", body)
		}
	}
}

func TestSchemasThatCannotBeUsed(t *testing.T) {
	deep := strings.Repeat(`{"type":"array","items":`, 300) + `"int"` + strings.Repeat("}", 300)
	for _, definition := range []string{
		"", "{", "null", "1", `"long"`, `"nothing"`, `["null"]`, `{}`, `{"type":"record"}`, `{"type":{"type":1}}`,
		`{"type":"record","name":"R"}`, `{"type":"record","name":"R","fields":{}}`,
		`{"type":"record","name":"R","fields":[1]}`, `{"type":"record","name":"int","fields":[]}`,
		`{"type":"record","name":"R","fields":[{"name":"a","type":"S"}]}`,
		`{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"a","type":"int"}]}`,
		`{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"record","name":"R","fields":[]}}]}`,
		`{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"fixed","name":"F","size":-1}}]}`,
		`{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"fixed","name":"F","size":1e300}}]}`,
		`{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"enum","name":"E","symbols":[1]}}]}`,
		`{"type":"record","name":"R","fields":[{"name":"a","type":` + deep + `}]}`,
		`{"type":"record","name":"R","namespace":"` + strings.Repeat("n", 1000) + `","fields":[]}`,
		`{"type":"record","name":"` + strings.Repeat("n", 1001) + `","fields":[]}`,
		`{"type":"record","name":"R","fields":[],"doc":"` + strings.Repeat("x", maxDefinition) + `"}`,
	} {
		for _, of := range []pulsar.SchemaType{pulsar.AVRO, pulsar.JSON} {
			if _, err := NewDecoder(&pulsar.SchemaInfo{Type: of, Schema: definition}); err == nil {
				t.Errorf("%.80s is accepted", definition)
			} else if len(err.Error()) > 500 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		}
	}
	for _, of := range []pulsar.SchemaType{pulsar.KeyValue, pulsar.STRING, pulsar.PROTOBUF, pulsar.ProtoNative, -7} {
		if _, err := NewDecoder(&pulsar.SchemaInfo{Type: of, Schema: tree}); err == nil ||
			!strings.Contains(err.Error(), TypeName(of)) {
			t.Errorf("%d: %v", of, err)
		}
	}
	if kind, err := TypeNamed("PROTOBUF_NATIVE"); err != nil || kind != pulsar.ProtoNative {
		t.Errorf("%v, %v", kind, err)
	}
	if _, err := TypeNamed("X\x1b"); err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("an unknown type: %v", err)
	}
}

// A few bytes can claim a value of any size, or any depth.
func TestHostileRecordsEndSoon(t *testing.T) {
	self := `{"type":"record","name":"R","fields":[{"name":"a","type":["null","R"]}]}`
	only := `{"type":"record","name":"R","fields":[{"name":"a","type":"R"}]}`
	text := `{"type":"record","name":"R","fields":[{"name":"a","type":"string"}]}`
	nulls := `{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"array","items":"null"}}]}`
	var doubling strings.Builder // each record has the next twice, and the last one nothing
	for i := range 60 {
		name := string(rune('A'+i/26)) + string(rune('a'+i%26))
		doubling.WriteString(`{"type":"record","name":"` + name + `","fields":[{"name":"y","type":`)
	}
	doubling.WriteString(`"null"`)
	for i := 59; i >= 0; i-- {
		name := string(rune('A'+(i+1)/26)) + string(rune('a'+(i+1)%26))
		if i == 59 {
			name = "null"
		}
		doubling.WriteString(`},{"name":"z","type":"` + name + `"}]}`)
	}
	for name, x := range map[string]struct {
		definition string
		body       []byte
	}{
		"as deep as it is long": {self, []byte(strings.Repeat("\x02", 5<<20))},
		"endless":               {only, nil},
		"values without bytes":  {nulls, avroBody(math.MaxInt64)},
		"the least count":       {nulls, avroBody(math.MinInt64, 0)},
		"twice, and twice":      {doubling.String(), nil},
		"a long text":           {text, avroBody(math.MaxInt64)},
	} {
		if _, err := decoderOf(t, pulsar.AVRO, x.definition).Fields(x.body); err == nil {
			t.Errorf("%s is accepted", name)
		} else if len(err.Error()) > 500 {
			t.Errorf("%s: the error has %d bytes", name, len(err.Error()))
		}
	}
}

// An array of many small objects takes as long with a large definition as with a small one.
func TestSmallObjectsDoNotTakeTheTimeOfALargeDefinition(t *testing.T) {
	body := []byte(`{"a":[{}` + strings.Repeat(`,{"f1":1}`, 5000) + `]}`)
	of := func(items string) *Decoder {
		return decoderOf(t, pulsar.JSON, `{"type":"record","name":"R","fields":[
			{"name":"a","type":{"type":"array","items":`+items+`}}]}`)
	}
	// took returns how long a body takes, at least. It stops trying once that is less than enough.
	took := func(d *Decoder, enough time.Duration) time.Duration {
		least := time.Duration(math.MaxInt64)
		for try := 0; try < 100 && least > enough; try++ {
			start := time.Now()
			if _, err := d.Fields(body); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	var fields, branches strings.Builder
	for i := range 30_000 {
		fmt.Fprintf(&fields, `{"name":"f%d","type":"int"},`, i)
		branches.WriteString(`"null","int","int",`)
	}
	small := took(of(`{"type":"record","name":"S","fields":[{"name":"f1","type":"int"}]}`), 0)
	for name, items := range map[string]string{
		"a record with many fields": `{"type":"record","name":"S","fields":[` + fields.String() +
			`{"name":"last","type":"int"}]}`,
		"a union with many branches": `[` + branches.String() + `{"type":"map","values":"int"}]`,
	} {
		if large := took(of(items), 15*small); large > 15*small {
			t.Errorf("%s: %s, and %s with one field", name, large, small)
		}
	}
}

func FuzzRecords(f *testing.F) {
	f.Add(tree, avroBody(0, 1, "\x01\x02", 0, 0, 0, 0, "\x00", 0.5))
	f.Add(`{"type":"record","name":"R","fields":[{"name":"a","type":["int","R"]}]}`, []byte(`{"a":{"a":1}}`))
	f.Fuzz(func(t *testing.T, definition string, body []byte) {
		for _, of := range []pulsar.SchemaType{pulsar.AVRO, pulsar.JSON} {
			if d, err := NewDecoder(&pulsar.SchemaInfo{Type: of, Schema: definition}); err == nil {
				_, _ = d.Fields(body)
			}
		}
	})
}
