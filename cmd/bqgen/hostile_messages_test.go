package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/spf13/cobra"

	"github.com/babelqueue/bqgen/internal/console"
	"github.com/babelqueue/bqgen/internal/console/citest"
	"github.com/babelqueue/bqgen/internal/deadletters"
	"github.com/babelqueue/bqgen/internal/inspect"
	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/internal/scan"
	"github.com/babelqueue/bqgen/internal/testenv"
	"github.com/babelqueue/bqgen/internal/topology"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/schema/load"
)

const shop = `bqgen: 1
package: shop
queues: {orders: {topic: persistent://public/default/orders}}
urns:
  urn:babel:orders:created:
    queue: orders
    data: {type: object, required: [id], properties: {id: {type: integer}, note: {type: string}}}
`

// allOrders returns all orders as one text, and as one that starts as GitHub wants it.
func allOrders() []string {
	all := strings.Join(orders, "x") + strings.Join(orders, "\n") + "\u0085::error::a\u009b2K\u2066\u200b"
	return []string{all, "::error::" + all}
}

// hostileMessages have an order wherever a message has text, and are of each kind that tail knows.
func hostileMessages(t *testing.T, order string) (all []*pulsar.ProducerMessage) {
	t.Helper()
	texts := func(more ...string) map[string]string {
		p := map[string]string{order: order, "x" + order: order, "traceparent": order}
		for i := 0; i < len(more); i += 2 {
			p[more[i]] = more[i+1]
		}
		return p
	}
	body := func(urn, data string) []byte {
		h := envelope.Header{URN: urn, TraceID: order, ID: order, Queue: order, CreatedAt: time.Now()}
		b, err := envelope.Append(nil, h, func(dst []byte) ([]byte, error) { return append(dst, data...), nil })
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	add := func(payload []byte, properties map[string]string) {
		all = append(all, &pulsar.ProducerMessage{
			Payload: payload, Properties: properties, Key: order, OrderingKey: order})
	}
	quoted, err := json.Marshal(order)
	if err != nil {
		t.Fatal(err)
	}
	const created = "urn:babel:orders:created"
	good := body(created, `{"id":1,"note":`+string(quoted)+`,`+string(quoted)+":1}")
	add(good, texts())
	add(body(created, `{"id":`+string(quoted)+"}"), texts())
	add(body(order, "{}"), texts())
	add([]byte(order), texts(envelope.PropertyJob, order, envelope.PropertyMessageID, order,
		envelope.PropertyTraceID, order, envelope.PropertyAttempts, order))
	add([]byte(order), texts(envelope.PropertySchemaVersion, order))
	add([]byte("\xff"+order), nil)
	e, err := envelope.Parse(good)
	if err != nil {
		t.Fatal(err)
	}
	block := envelope.DeadLetter{
		Reason: envelope.Failed, Error: order, Exception: order, FailedAt: time.Now(), OriginalQueue: "orders", Attempts: 3}
	add(e.DeadLettered(block), texts())
	block.Reason = envelope.Reason(order)
	add(e.DeadLettered(block), texts())
	block.OriginalQueue = order
	add(envelope.PoisonRecord([]byte(order), block), texts())
	return all
}

// What stands in messages is a stranger's, too.
func TestNoMessageIsACommandOfACISystem(t *testing.T) {
	catalog, findings := load.Parse("urns.yaml", []byte(shop))
	if findings.HasErrors() {
		t.Fatal(findings)
	}
	places, err := topology.Of(catalog, "")
	if err != nil {
		t.Fatal(err)
	}
	group, err := places.Group("orders", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range allOrders() {
		client := bqtest.NewBroker(t, bqtest.WithRetention()).Client()
		messages := hostileMessages(t, order)
		for _, topic := range []string{group.Topic, group.DeadLetters} {
			p, err := client.CreateProducer(pulsar.ProducerOptions{Topic: topic})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range messages {
				if _, err := p.Send(t.Context(), m); err != nil {
					t.Fatal(err)
				}
			}
			p.Close()
		}
		for _, format := range []string{"text", "json"} {
			told := func(what string, lines int, show func(io.Writer) error) {
				t.Helper()
				var out bytes.Buffer
				w := console.New(&out)
				if err := show(w); err != nil {
					t.Fatal(err)
				}
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
				if found := citest.Commands(out.String()); found != nil || strings.Count(out.String(), "\n") < lines {
					t.Errorf("%s, %s of %q: commands %q in\n%s", what, format, order, found, out.String())
				}
				if format == "json" && len(jsonLines(t, out.String())) < lines {
					t.Errorf("%s of %q: %s", what, order, out.String())
				}
			}
			told("tail", len(messages), func(w io.Writer) error {
				tail := tailing{connecting: connecting{format: format}, width: maxLine}
				i := inspect.New(catalog, nil)
				o := scan.Options{Client: client, Topic: group.Topic}
				return scan.Topic(t.Context(), o, func(m pulsar.Message) error { return tail.show(w, i.Look(m)) })
			})
			box, err := deadletters.Open(client, nil, places, group)
			if err != nil {
				t.Fatal(err)
			}
			told("dlq list", len(messages), func(w io.Writer) error {
				l := listing{l: &lettering{connecting: connecting{format: format}}, now: time.Now(), out: w,
					total: map[string]int{}}
				if format == "text" {
					l.table = newTable(w, "ID")
				}
				if err := box.Each(t.Context(), l.add); err != nil {
					return err
				}
				return l.end(box)
			})
			told("dlq show", len(messages), func(w io.Writer) error {
				return box.Each(t.Context(), func(l *deadletters.Letter) error {
					if format == "json" {
						return printJSON(w, letterOf(l))
					}
					return showLetter(w, l)
				})
			})
		}
	}
}

// So is what send is given: it shows it, and what is wrong with it.
func TestNothingSentIsACommandOfACISystem(t *testing.T) {
	dir := t.TempDir()
	catalog := filepath.Join(dir, "urns.yaml")
	write(t, catalog, shop)
	for _, order := range allOrders() {
		name := filepath.Join(dir, "\n::error::a\x1b[2K##[error]b")
		quoted, err := json.Marshal(order)
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"text", "json"} {
			for payload, want := range map[string]int{
				`{"id":1,"note":` + string(quoted) + "}":                 exitOK,
				`{"id":` + string(quoted) + `,` + string(quoted) + ":1}": exitFindings,
				order: exitFindings,
			} {
				write(t, name, payload)
				code, output := harmless(t, "send", "urn:babel:orders:created", name, "--catalog", catalog, "--dry-run",
					"--service-url", "pulsar://127.0.0.1:1", "--format", format, "--key", order, "--id", order,
					"--trace-id", order, "--property", order+"="+order)
				if code != want || want == exitOK && !strings.Contains(output, "id") {
					t.Errorf("%q: exit code %d, want %d: %s", payload, code, want, output)
				}
			}
		}
	}
}

// The sources of an import are a stranger's as well; it writes their texts into a catalog.
func TestNoImportIsACommandOfACISystem(t *testing.T) {
	testenv.SkipUnderRace(t, "dozens of commands are slow with it")
	sources := map[string]string{
		"jsonschema": `{"$id": ORDER, "$schema": ORDER, "title": ORDER, "type": "object", "required": [ORDER, "a"],
			"x-y": ORDER, ORDER: 1, "$defs": {ORDER: {"type": "string", "pattern": ORDER, "description": ORDER}},
			"properties": {ORDER: {"$ref": ORDER}, "a": {"type": ORDER}, "b": {"format": ORDER, "default": ORDER},
			"c": {"enum": [ORDER, 1]}}, "examples": [ORDER]}`,
		"jsonschema of texts": `{"title": ORDER, "description": ORDER, "type": "object",
			"properties": {"a": {"type": "string", "description": ORDER, "enum": [ORDER, "b"], "x-y": {ORDER: ORDER}}}}`,
		"asyncapi": `{"asyncapi": "3.0.0", "info": {"title": ORDER, "version": ORDER}, "channels": {ORDER: {"address": ORDER,
			"messages": {ORDER: {"name": ORDER, "title": ORDER, "summary": ORDER, "payload": {"type": "object",
			"properties": {ORDER: {"type": "string", "description": ORDER, "pattern": ORDER}}}}}}},
			"operations": {ORDER: {"action": ORDER, "channel": {"$ref": ORDER}}}}`,
		"asyncapi of version 2": `{"asyncapi": "2.6.0", "info": {"title": ORDER, "version": "1"}, "channels": {ORDER:
			{"publish": {"message": {"name": ORDER, "payload": {"$ref": ORDER}}}, "subscribe": {"message": ORDER}}}}`,
		"asyncapi of another version": `{"asyncapi": ORDER}`,
		"asyncapi that is broken":     `{"asyncapi": "3.0.0", ORDER: [ORDER`,
	}
	codes := map[int]int{}
	for name, source := range sources {
		kind, _, _ := strings.Cut(name, " ")
		for _, order := range allOrders() {
			dir := t.TempDir()
			var quoted strings.Builder // with escapes, since the control characters themselves are refused
			for _, unit := range utf16.Encode([]rune(order)) {
				fmt.Fprintf(&quoted, `\u%04x`, unit)
			}
			file := filepath.Join(dir, "::error::a\n::error::b\x1b[2K\u202e.json") // a # would start a pointer
			write(t, file, strings.ReplaceAll(source, "ORDER", `"`+quoted.String()+`"`))
			for _, format := range report.Formats {
				imported := filepath.Join(dir, format+".yaml")
				code, output := harmless(t, "import", kind, file, "--out", imported, "--format", format, "--package", "x")
				if _, err := os.Stat(imported); err == nil {
					harmless(t, "lint", "--catalog", imported, "--format", format)
				} else if code == exitOK {
					t.Errorf("%s: nothing is imported: %s", name, output)
				}
				codes[code]++
			}
			harmless(t, "import", kind, order, file, "--out", filepath.Join(dir, order), "--package", order)
		}
	}
	if codes[exitOK] < 8 || codes[exitFindings] == 0 {
		t.Errorf("imports end with %v: too few succeed, or none fails", codes)
	}
}

// connected returns the command lines of all commands that connect.
func connected(catalog string) (lines [][]string) {
	var walk func(cmd *cobra.Command, path []string)
	walk = func(cmd *cobra.Command, path []string) {
		for _, sub := range cmd.Commands() {
			walk(sub, append(path[:len(path):len(path)], sub.Name()))
		}
		if cmd.Flags().Lookup("service-url") == nil {
			return
		}
		line := append(path[:len(path):len(path)], "--catalog", catalog)
		switch {
		case cmd.Name() == "send":
			line = append(line, "urn:babel:orders:created", filepath.Join(filepath.Dir(catalog), "order.json"))
		case strings.Contains(cmd.Use, "QUEUE"):
			line = append(line, "orders")
		}
		for flag, value := range map[string]string{"id": "x", "since": "2001-01-01", "journal": "j", "all": ""} {
			if f := cmd.Flags().Lookup(flag); f != nil && (flag != "all" || cmd.Name() == "drop") {
				if line = append(line, "--"+flag); value != "" {
					line = append(line, value)
				}
			}
		}
		lines = append(lines, line)
	}
	walk(newRoot(), nil)
	return lines
}

// No command shows how it logs in, whatever fails: the URL, the connection, or the broker that answers with the token.
// Nor is what the broker answers a command of a CI system.
func TestACommandOfThoseThatConnectShowsNoSecret(t *testing.T) {
	testenv.SkipUnderRace(t, "a hundred commands are slow with it")
	const secret = "s3cretOfTheTest"
	const answer = "not " + secret + "\n::error::forged\r\x1b[2K##[error]forged"
	quoted, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	write(t, "urns.yaml", shop)
	write(t, "order.json", `{"id":1}`)
	write(t, "token", secret+"\n")
	write(t, "token.conf", "authPlugin=token\nauthParams=token:"+secret+"\n"+secret+"\n"+secret+"=x\n")
	write(t, "basic.conf", "authPlugin=basic\nauthParams={\"userId\":\"me\",\"password\":\""+secret+"\"}\n")
	write(t, "broken.conf", "authPlugin=token\nauthParams={\"token\":\""+secret+"\"\n")
	write(t, "url.conf", "webServiceUrl=http://me:"+secret+"@127.0.0.1:1\n"+
		"brokerServiceUrl=pulsar://me:"+secret+"@127.0.0.1:1\n")
	echo, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer echo.Close()
	go func() { // a broker that refuses, and says whom
		for {
			conn, err := echo.Accept()
			if err != nil {
				return
			}
			said := make([]byte, 4096)
			if n, err := conn.Read(said); err == nil && !bytes.HasPrefix(said, []byte("GET")) {
				text := append([]byte{1 << 3, 1, 2 << 3, 4, 3<<3 | 2, byte(len(answer))}, answer...)
				base := append([]byte{1 << 3, 14, 14<<3 | 2, byte(len(text))}, text...)
				size := byte(len(base))
				conn.Write(append([]byte{0, 0, 0, size + 4, 0, 0, 0, size}, base...))
			} else if n > 0 {
				io.WriteString(conn, "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n{\"reason\":"+string(quoted)+"}")
			}
			conn.Close()
		}
	}()
	nobody := []string{"--service-url", "pulsar://127.0.0.1:1", "--admin-url", "http://127.0.0.1:1"}
	at := echo.Addr().String()
	refusing := []string{"--service-url", "pulsar://" + at, "--admin-url", "http://" + at}
	lines := connected("urns.yaml")
	if len(lines) < 9 {
		t.Fatalf("%d commands connect: %q", len(lines), lines)
	}
	answered := 0
	for i, line := range lines {
		ways := [][]string{
			append([]string{"--token", secret}, nobody...),
			append([]string{"--token-file", "token"}, refusing...),
			{"--service-url", "pulsar://me:" + secret + "@127.0.0.1:1", "--admin-url", "http://127.0.0.1:1"},
			{"--service-url", "pulsar://127.0.0.1:1,me:" + secret + "@127.0.0.1:2", "--admin-url", "http://127.0.0.1:1"},
			{"--service-url", "pulsar://127.0.0.1:1?token=" + secret, "--admin-url", "http://127.0.0.1:1"},
			{"--service-url", "pulsar://127.0.0.1:1", "--admin-url", "http://me:" + secret + "@127.0.0.1:1"},
			{"--service-url", "pulsar://127.0.0.1:1", "--admin-url", "http://127.0.0.1:1/?token=" + secret},
			{"--client-conf", "url.conf"}, {"--client-conf", "broken.conf"},
			append([]string{"--client-conf", "token.conf"}, nobody...),
			append([]string{"--client-conf", "basic.conf"}, nobody...),
			append([]string{"--token", secret}, refusing...),
		}
		if i > 0 {
			ways = ways[:3] // where the rest goes wrong is the same for all commands
		}
		for _, how := range ways {
			for _, more := range [][]string{{"--format", "json"}, {"--debug"}} {
				args := append(append(line[:len(line):len(line)], how...), more...)
				code, output := harmless(t, args...)
				if strings.Contains(output, "]forged") {
					answered++
				}
				if code != exitFailed || strings.Contains(output, secret) ||
					!strings.Contains(output, "127.0.0.1") && !strings.Contains(output, ".conf") {
					t.Errorf("%q: exit code %d: %s", args, code, output)
				}
			}
		}
	}
	if answered < len(lines) {
		t.Errorf("the answer of the broker is shown %d times", answered)
	}
}
