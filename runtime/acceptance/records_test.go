package acceptance

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/record"
)

// namespace makes a namespace for this test only.
func (b *backend) namespace(t *testing.T, n bqtest.Namespace) string {
	t.Helper()
	name := "public/" + uuid.NewString()
	if b.memory != nil {
		b.memory.SetNamespace(name, n)
		return name
	}
	operate(t, http.MethodPut, "/namespaces/"+name, "{}", http.StatusNoContent)
	if n.AnySchema {
		operate(t, http.MethodPut, "/namespaces/"+name+"/schemaCompatibilityStrategy", `"ALWAYS_COMPATIBLE"`,
			http.StatusNoContent)
	}
	if n.SchemaRequired {
		operate(t, http.MethodPost, "/namespaces/"+name+"/schemaValidationEnforced", "true", http.StatusNoContent)
	}
	return name
}

// newQueueIn is newQueue in a namespace.
func newQueueIn(namespace string) bq.Queue {
	topic := "persistent://" + namespace + "/orders"
	return bq.Queue{Name: "orders", Topic: topic, DeadLetterTopic: topic + ".dlq"}
}

// schemas returns how to look schemas up.
func (b *backend) schemas() bq.SchemaLookup {
	if b.memory != nil {
		return b.memory.Schema
	}
	return bq.SchemasFrom(os.Getenv("BQ_PULSAR_ADMIN_URL"), nil)
}

// A definition is a schema that nothing has parsed.
type definition struct{ pulsar.SchemaInfo }

func (d *definition) GetSchemaInfo() *pulsar.SchemaInfo { return &d.SchemaInfo }
func (*definition) Encode(any) ([]byte, error)          { return nil, errors.ErrUnsupported }
func (*definition) Decode([]byte, any) error            { return errors.ErrUnsupported }
func (*definition) Validate([]byte) error               { return errors.ErrUnsupported }

func defined(of pulsar.SchemaType, text string, properties map[string]string) *definition {
	return &definition{pulsar.SchemaInfo{Name: "O", Type: of, Schema: text, Properties: properties}}
}

// keyValueSchema is what Java's KeyValueSchema registers for two texts.
func keyValueSchema() *definition {
	return defined(pulsar.KeyValue, string(make([]byte, 8)), map[string]string{
		"key.schema.name": "String", "key.schema.type": "STRING", "key.schema.properties": "{}",
		"value.schema.name": "String", "value.schema.type": "STRING", "value.schema.properties": "{}",
		"kv.encoding.type": "INLINE",
	})
}

// L76: records are read by the schema that each was written with, also when they come again, and what cannot be read
// is an error of that message only.
func TestRecordsOfUnknownType(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueueIn(b.namespace(t, bqtest.Namespace{AnySchema: true}))
		var mu sync.Mutex
		lookups, seen := map[uint64]int{}, map[string]int{}
		lookup := func(ctx context.Context, topic string, version []byte) (*pulsar.SchemaInfo, error) {
			mu.Lock()
			v := binary.BigEndian.Uint64(version)
			lookups[v]++
			failing := v == 1 && lookups[v] == 1
			mu.Unlock()
			if failing {
				return nil, errors.New("no answer")
			}
			return b.schemas()(ctx, topic, version)
		}
		s := b.serveRoutes(t, q, bq.Routes(), bq.WithSchemas(lookup), bq.WithMaxAttempts(3), bq.WithConcurrency(4),
			bq.WithRecords(func(ctx context.Context, d *bq.Delivery) error {
				fields, err := d.Fields(ctx)
				if errors.Is(err, bq.ErrNoSchema) {
					fields, err = record.Fields{{Name: "bytes", Value: string(d.Body())}}, nil
				}
				if err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				if seen[fmt.Sprint(fields)]++; d.Attempts == 0 && fields[0].Value == int64(9007199254740993) {
					return errors.New("once more") // the copy has the schema, too
				}
				return nil
			}))

		order := `{"type":"record","name":"O","fields":[{"name":"id","type":"long"},{"name":"a","type":%s}]}`
		jsonSchema := defined(pulsar.JSON, fmt.Sprintf(order, `["null","string"]`), nil)
		avro := defined(pulsar.AVRO, fmt.Sprintf(order, `"string"`), nil)
		unusable := defined(pulsar.AVRO, `"string"`, nil)
		if b.memory != nil { // the broker looks at what it registers
			unusable = defined(pulsar.AVRO, `{"type":`, nil)
		}
		p, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: q.Topic})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		avroBody := append(binary.AppendVarint(nil, -9007199254740993), "\x04hi"...)
		for _, m := range []pulsar.ProducerMessage{
			{Payload: []byte(`{"a":"x","z":1.5,"id":9007199254740993}`), Schema: jsonSchema},
			{Payload: avroBody, Schema: avro},
			{Payload: []byte("plain")},
			{Payload: []byte("key and value"), Schema: keyValueSchema()},
			{Payload: []byte("\x04no"), Schema: unusable},
			{Payload: avroBody, Schema: avro},
		} {
			if _, err := p.Send(t.Context(), &m); err != nil {
				t.Fatal(err)
			}
		}

		actions := map[bq.Action]int{}
		for actions[bq.Acknowledged]+actions[bq.DeadLettered] < 6 {
			actions[s.next().Action]++
		}
		// The retries: one record that its handler failed, one whose schema was not found, and two that cannot be read.
		if want := map[bq.Action]int{bq.Acknowledged: 4, bq.DeadLettered: 2, bq.Retried: 6}; !maps.Equal(actions, want) {
			t.Errorf("L76: %v, want %v", actions, want)
		}
		want := map[string]int{
			"[{id 9007199254740993} {a x} {z 1.5}]": 2, "[{id -9007199254740993} {a hi}]": 2, "[{bytes plain}]": 1,
		}
		if !maps.Equal(seen, want) {
			t.Errorf("L76: seen %v, want %v", seen, want)
		}
		if want := map[uint64]int{0: 1, 1: 2, 2: 1, 3: 1}; !maps.Equal(lookups, want) {
			t.Errorf("L76: looked up %v, want %v", lookups, want)
		}
		var dead []string
		for range 2 {
			body := string(b.deadLetter(t, q).Payload())
			if !strings.Contains(body, `"reason":"poison"`) || !strings.Contains(body, "schema") {
				t.Errorf("L76: dead letter %s", body)
			}
			dead = append(dead, body)
		}
		for _, want := range []string{"key and value", `"raw":"\u0004no"`} {
			if !slices.ContainsFunc(dead, func(body string) bool { return strings.Contains(body, want) }) {
				t.Errorf("L76: no dead letter has %s: %q", want, dead)
			}
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
}

// A record is not published again, so on a type without negative acknowledgements of single messages it waits here, and
// its attempts count all the same.
func TestRecordsOnExclusiveAreTriedHere(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	var runs []string
	s := b.serveRoutes(t, q, bq.Routes(), bq.WithMaxAttempts(3), bq.WithSubscriptionType(pulsar.Exclusive),
		bq.WithRetryInPlace(1, nil), bq.WithRecords(func(_ context.Context, d *bq.Delivery) error {
			runs = append(runs, fmt.Sprintf("%s%d", d.Body(), d.Attempts))
			switch {
			case string(d.Body()) == "bad":
				return errors.New("no")
			case len(runs) == 1:
				return bq.Snooze(0)
			}
			return nil
		}))
	for _, body := range []string{"late", "bad", "fine"} {
		b.send(t, q.Topic, &pulsar.ProducerMessage{Payload: []byte(body)})
	}
	for _, want := range []bq.Action{bq.Acknowledged, bq.DeadLettered, bq.Acknowledged} {
		if x := s.next(); x.Action != want || x.SettleErr != nil {
			t.Errorf("%s %v, want %s", x.Action, x.SettleErr, want)
		}
	}
	// Each of three attempts of bad has a try in place.
	if want := "late0 late0 bad0 bad0 bad1 bad1 bad2 bad2 fine0"; strings.Join(runs, " ") != want {
		t.Errorf("runs %v, want %s", runs, want)
	}
	if body := string(b.deadLetter(t, q).Payload()); !strings.Contains(body, `"raw":"bad"`) ||
		!strings.Contains(body, `"attempts":3`) {
		t.Errorf("the dead letter is %s", body)
	}
	if got := b.memory.Messages(q.Topic); len(got) > 3 {
		t.Errorf("%d messages were published", len(got))
	}
	if err := s.stop(); err != nil {
		t.Error(err)
	}
}

// A reader shows the fields of what it cannot read otherwise.
func TestReadersShowFieldsOfRecords(t *testing.T) {
	b := inMemory(t)
	q := newQueue()
	b.keep(t, q.Topic)
	p, err := b.client.CreateProducer(pulsar.ProducerOptions{Topic: q.Topic})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	schema := pulsar.NewJSONSchema(recordSchema("order_id", "long"), nil)
	for _, m := range []pulsar.ProducerMessage{
		{Payload: []byte(`{"order_id":7}`), Schema: schema}, {Payload: []byte("{}")},
	} {
		if _, err := p.Send(t.Context(), &m); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, opts := range [][]bq.ReaderOption{nil, {bq.WithSchemas(b.schemas())}} {
		for _, err := range bq.Read(t.Context(), b.client, q, decodeOrders(q), opts...) {
			var unreadable *bq.UnreadableError
			if !errors.As(err, &unreadable) {
				t.Fatal(err)
			}
			fields, err := unreadable.Delivery.Fields(t.Context())
			got = append(got, fmt.Sprint(fields, " ", err))
		}
	}
	want := []string{
		"[] the message has a schema, and nothing says how to look it up: give WithSchemas",
		"[] the message was published without a schema", "[{order_id 7}] <nil>",
		"[] the message was published without a schema",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What the admin API answers may be anything.
func TestSchemasFromAnAdminAPI(t *testing.T) {
	answers := map[string]string{
		"1": `{"version":1,"type":"AVRO","data":"{}","properties":{"a":"b"}}`, "2": `{"type":"ODD"}`, "3": "<html>",
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, ok := answers[strings.TrimPrefix(r.URL.Path, "/admin/v2/schemas/public/default/a?b/schema/")]
		if !ok {
			http.NotFound(w, r)
		}
		fmt.Fprint(w, answer)
	}))
	defer server.Close()
	lookup := bq.SchemasFrom(server.URL+"/", nil)
	for _, x := range []struct {
		topic   string
		version []byte
		want    string // in the error
	}{
		{"persistent://public/default/a?b", []byte{7: 1}, ""},
		{"persistent://public/default/a?b", []byte{7: 2}, `"ODD"`},
		{"persistent://public/default/a?b", []byte{7: 3}, "invalid character"},
		{"persistent://public/default/a?b", []byte{7: 4}, "HTTP 404"},
		{"persistent://public/default/a?b", []byte{1}, "no version"},
		{"orders", []byte{7: 1}, "no full name"},
	} {
		info, err := lookup(t.Context(), x.topic, x.version)
		switch {
		case x.want == "":
			if err != nil || info.Type != pulsar.AVRO || info.Schema != "{}" || info.Properties["a"] != "b" {
				t.Errorf("%+v, %v", info, err)
			}
		case err == nil || !strings.Contains(err.Error(), x.want):
			t.Errorf("%s %x: %v, want %s", x.topic, x.version, err, x.want)
		}
	}
}
