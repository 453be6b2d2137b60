package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/log"
	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/runtime/envelope"
)

// A cluster is a real Pulsar and a namespace-like prefix of topics for one test.
type cluster struct {
	t       *testing.T
	dir     string
	client  pulsar.Client
	service string
	admin   string
	prefix  string
	place   string // the topics' namespace
}

// realPulsar returns the cluster that the environment names, and a catalog of the test's own on it.
func realPulsar(t *testing.T) *cluster {
	t.Helper()
	t.Parallel()
	c := &cluster{t: t, dir: t.TempDir(), service: os.Getenv("BQ_PULSAR_URL"), admin: os.Getenv("BQ_PULSAR_ADMIN_URL")}
	if c.service == "" || c.admin == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("no real Pulsar to test on: BQ_PULSAR_URL and BQ_PULSAR_ADMIN_URL are not set")
		}
		t.Skip("left out, there is no real Pulsar: run make test, or set BQ_PULSAR_URL and BQ_PULSAR_ADMIN_URL")
	}
	client, err := pulsar.NewClient(pulsar.ClientOptions{URL: c.service, Logger: log.DefaultNopLogger()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	c.client, c.prefix = client, "t"+strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	c.place = "public/default"
	c.catalog("persistent://public/default/" + c.prefix)
	return c
}

// catalog writes a catalog with the queues orders and mail, whose topics start with prefix.
func (c *cluster) catalog(prefix string) {
	c.t.Helper()
	text := fmt.Sprintf(`bqgen: 1
package: shop
queues:
  orders: {topic: %q}
  mail: {topic: %q, dead_letter: false}
urns:
  urn:babel:orders:created:
    queue: orders
    key: /customer
    data:
      type: object
      required: [id, customer]
      properties: {id: {type: integer}, customer: {type: string}, note: {type: string}}
  urn:babel:orders:cancelled:
    queue: orders
    data: {type: object, required: [id], properties: {id: {type: integer}}}
  urn:babel:mail:wanted:
    queue: mail
    data: {type: object, properties: {to: {type: string}}}
`, prefix+"-orders", prefix+"-mail")
	if err := os.WriteFile(filepath.Join(c.dir, "urns.yaml"), []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c *cluster) topic(name string) string {
	return "persistent://" + c.place + "/" + c.prefix + "-" + name
}

// namespace creates a namespace and moves the catalog's topics there.
func (c *cluster) namespace(name string) {
	c.t.Helper()
	if err := c.api().Namespaces().CreateNamespace(name); err != nil {
		c.t.Fatal(err)
	}
	c.place = name
	c.catalog("persistent://" + name + "/" + c.prefix)
}

// bqgen runs a command in this process and wants an exit code. It returns standard output and standard error.
func (c *cluster) bqgen(code int, args ...string) (stdout, stderr string) {
	c.t.Helper()
	var out, errs bytes.Buffer
	got := run(append(args, "--catalog", filepath.Join(c.dir, "urns.yaml"), "--service-url", c.service,
		"--admin-url", c.admin), &out, &errs)
	if got != code {
		c.t.Fatalf("%v: exit code %d, want %d\n%s%s", args, got, code, out.String(), errs.String())
	}
	return out.String(), errs.String()
}

// command returns a command in a process of its own, for what is killed or stopped.
func (c *cluster) command(args ...string) *exec.Cmd {
	c.t.Helper()
	program, err := os.Executable()
	if err != nil {
		c.t.Fatal(err)
	}
	// The test program is bqgen when it is called so; see TestMain.
	link := filepath.Join(c.dir, "bqgen")
	if _, err := os.Lstat(link); err != nil {
		if err := os.Symlink(program, link); err != nil {
			c.t.Fatal(err)
		}
	}
	cmd := exec.Command(link, append(args, "--service-url", c.service, "--admin-url", c.admin)...)
	cmd.Dir = c.dir
	return cmd
}

func (c *cluster) file(name, text string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
	return path
}

// publish sends messages as they are.
func (c *cluster) publish(topic string, messages ...*pulsar.ProducerMessage) {
	c.t.Helper()
	p, err := c.client.CreateProducer(pulsar.ProducerOptions{
		Topic: topic, DisableBatching: true, MaxPendingMessages: 2000})
	if err != nil {
		c.t.Fatal(err)
	}
	defer p.Close()
	failed := make(chan error, len(messages))
	for _, m := range messages {
		p.SendAsync(context.Background(), m, func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) { failed <- err })
	}
	for range messages {
		if err := <-failed; err != nil {
			c.t.Fatal(err)
		}
	}
}

// jsonLines decodes one value a line.
func jsonLines(t *testing.T, text string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, v)
	}
	return all
}

// TestProvisionThenStatus is O35.
func TestProvisionThenStatus(t *testing.T) {
	c := realPulsar(t)
	out, _ := c.bqgen(exitFindings, "status")
	if !strings.Contains(out, "dead letters of orders would be discarded") {
		t.Errorf("status:\n%s", out)
	}
	out, _ = c.bqgen(exitOK, "provision", "--partitions", "mail=3")
	if n := strings.Count(out, "create "); n != 6 {
		t.Errorf("plan of %d steps:\n%s", n, out)
	}
	c.bqgen(exitFindings, "status") // the plan has created nothing
	c.bqgen(exitOK, "provision", "--partitions", "mail=3", "--yes")
	out, _ = c.bqgen(exitOK, "provision", "--yes", "--format", "json")
	if out != `{"plan":[],"done":0,"notes":[]}`+"\n" {
		t.Errorf("the second plan: %s", out)
	}
	// A foreign subscription, and more partitions wanted than there are, are told and are no faults.
	consumer, err := c.client.Subscribe(pulsar.ConsumerOptions{Topic: c.topic("orders"), SubscriptionName: "python"})
	if err != nil {
		t.Fatal(err)
	}
	consumer.Close()
	out, _ = c.bqgen(exitOK, "provision", "--partitions", "orders=5", "--yes")
	for _, want := range []string{"has 0 partitions, not 5", "the subscription python, which the catalog does not know"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	out, _ = c.bqgen(exitOK, "status", "--format", "json")
	topics := jsonLines(t, out)[0]["topics"].([]any)
	if len(topics) != 3 {
		t.Fatalf("topics %v", topics)
	}
	if mail := topics[2].(map[string]any); mail["partitions"] != 3.0 || mail["exists"] != true {
		t.Errorf("mail: %v", mail)
	}
	// A subscription that a consumer was given by WithDeadLetterSubscription is not the default one.
	onCall := []string{"--dead-letter-subscription", "orders=on-call"}
	c.bqgen(exitFindings, append([]string{"status"}, onCall...)...)
	c.bqgen(exitOK, append([]string{"provision", "--yes"}, onCall...)...)
	c.publish(c.topic("orders.dlq"), deadLetter{"id-1", createdURN, envelope.Failed, "x"}.record())
	c.bqgen(exitOK, append([]string{"dlq", "drop", "orders", "--all", "--yes"}, onCall...)...)
	got := c.subscriptions(exitOK)
	if got["orders.dlq/on-call"] != 0.0 || got["orders.dlq/babelqueue"] != 1.0 {
		t.Errorf("on the dead letters wait %v", got)
	}
	c.bqgen(exitFailed, "status", "--dead-letter-subscription", "nobody=x")
	c.catalog(c.prefix) // topics without a namespace
	_, stderr := c.bqgen(exitFailed, "provision", "--namespace", "acme/nowhere", "--yes")
	if !strings.Contains(stderr, "the namespace acme/nowhere does not exist") {
		t.Errorf("a namespace that does not exist: %s", stderr)
	}
}

// TestWhatIsTypedIsWhatIsSent is O1, O2 and O3.
func TestWhatIsTypedIsWhatIsSent(t *testing.T) {
	c := realPulsar(t)
	note := "<&>\u2028"
	file := c.file("order.json", "{\r\n \"id\": 9007199254740993, \"customer\": \"c-7\",\r\n \"note\": \""+note+"\" }\r\n")
	_, stderr := c.bqgen(exitFailed, "send", "urn:babel:orders:created", file)
	if !strings.Contains(stderr, "does not exist: create what the catalog needs with bqgen provision") {
		t.Errorf("nobody listens: %s", stderr)
	}
	c.bqgen(exitOK, "provision", "--yes")
	out, _ := c.bqgen(exitOK, "send", "urn:babel:orders:created", file, "--format", "json",
		"--property", "a=b", "--delay", "1h")
	sent := jsonLines(t, out)[0]
	out, _ = c.bqgen(exitOK, "tail", "orders", "--format", "json")
	got := jsonLines(t, out)
	if len(got) != 1 || got[0]["id"] != sent["id"] || got[0]["trace_id"] != sent["trace_id"] || got[0]["key"] != "c-7" ||
		got[0]["kind"] != "good" || len(got[0]["properties"].(map[string]any)) != 7 {
		t.Errorf("tail: %v, sent %v", got, sent)
	}
	if !strings.Contains(out, `"data":{"id":9007199254740993,"customer":"c-7","note":"<&>\u2028"}`) {
		t.Errorf("the payload is not as typed: %s", out)
	}
	large := c.file("large.json", `{"id":1,"customer":"c","note":"`+strings.Repeat("x", 4_900_000)+`"}`)
	c.bqgen(exitOK, "send", "urn:babel:orders:created", large)
	huge := c.file("huge.json", `{"id":1,"customer":"c","note":"`+strings.Repeat("x", 6_000_000)+`"}`)
	_, stderr = c.bqgen(exitFailed, "send", "urn:babel:orders:created", huge)
	if !strings.Contains(stderr, "MaxMessageSize") && !strings.Contains(strings.ToLower(stderr), "size") {
		t.Errorf("too large: %s", stderr)
	}
	c.bqgen(exitOK, "send", "urn:babel:orders:created", file)
}

// TestTailShowsWhatEachMessageIs is O7, and O8 for tail.
func TestTailShowsWhatEachMessageIs(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	body := func(urn, data string, attempts int) []byte {
		return fmt.Appendf(nil, `{"job":%q,"trace_id":"t","data":%s,"meta":{"id":"i","schema_version":1},"attempts":%d}`,
			urn, data, attempts)
	}
	const created = "urn:babel:orders:created"
	attack := "\x1b[2J\u009b\u202e\u200b\r\nredriven 1 of 1"
	c.publish(c.topic("orders"),
		&pulsar.ProducerMessage{Payload: body(created, `{"id":1,"customer":"c-7"}`, 0)},
		&pulsar.ProducerMessage{Payload: body(created, `{"id":1,"customer":"c-8"}`, 2)},
		&pulsar.ProducerMessage{Payload: []byte("x"), Properties: map[string]string{"bq-schema-version": "2"}},
		&pulsar.ProducerMessage{Payload: []byte("{\"a\":\"\xff\"}"), Properties: map[string]string{"bq-job": attack}},
		&pulsar.ProducerMessage{Payload: nil, Properties: map[string]string{"bq-job": created}},
		&pulsar.ProducerMessage{Payload: body("urn:x", `{}`, 0)},
		&pulsar.ProducerMessage{Payload: body(created, `{"id":"1","customer":"c-7"}`, 0)},
		&pulsar.ProducerMessage{
			Payload: body(created, `{"id":2}`, 0), Properties: map[string]string{"bq-job": "urn:babel:orders:cancelled"}},
		&pulsar.ProducerMessage{Payload: body("urn:babel:mail:wanted", `{}`, 0), Key: attack},
	)
	want := []string{"good", "retry 2", `gated: version "2"`, "poison: ", "poison: ",
		`unknown: the catalog has no "urn:x"`,
		"invalid: payload at \"/id\"", "good urn:babel:orders:cancelled (in the body urn:babel:orders:created)", "good"}
	out, _ := c.bqgen(exitOK, "tail", "orders")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), len(want), out)
	}
	for i, line := range lines {
		if _, rest, _ := strings.Cut(line, " "); !strings.HasPrefix(rest, want[i]) {
			t.Errorf("line %d: %s, want %s", i, rest, want[i])
		}
	}
	asJSON, _ := c.bqgen(exitOK, "tail", "orders", "--format", "json")
	for _, text := range []string{out, asJSON} {
		if strings.ContainsAny(strings.ReplaceAll(text, "\n", ""), "\x1b\u009b\u202e\u200b\r\x00\n") {
			t.Errorf("raw control characters in %q", text)
		}
	}
	got := jsonLines(t, asJSON)
	if got[3]["raw_encoding"] != "base64" || got[3]["urn"] != attack || got[4]["raw"] != "" {
		t.Errorf("poison: %v, %v", got[3], got[4])
	}
	out, stderr := c.bqgen(exitOK, "tail", "orders", "--where", "/customer=c-7")
	if strings.Count(out, "\n") != 2 || !strings.Contains(stderr, "3 messages without a payload") {
		t.Errorf("--where: %s%s", out, stderr)
	}
	if out, _ = c.bqgen(exitOK, "tail", "orders", "--urn", "urn:x"); strings.Count(out, "\n") != 1 {
		t.Errorf("--urn: %s", out)
	}
	if out, _ = c.bqgen(exitOK, "tail", "orders", "--limit", "4"); strings.Count(out, "\n") != 4 {
		t.Errorf("--limit: %s", out)
	}
	if out, _ = c.bqgen(exitOK, "tail", "orders", "--since", "2999-01-01"); out != "" {
		t.Errorf("--since in the future: %s", out)
	}
	if out, _ = c.bqgen(exitOK, "tail", "orders", "--since", "2001-01-01"); strings.Count(out, "\n") != len(want) {
		t.Errorf("--since long ago: %s", out)
	}
	// Nothing stays behind.
	if out, _ = c.bqgen(exitOK, "status", "--format", "json"); strings.Contains(out, "reader") {
		t.Errorf("a reader's subscription is left: %s", out)
	}
}

// TestTailOfPartitions is O5 without the broken ones.
func TestTailOfPartitions(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--partitions", "mail=4", "--yes")
	counts := []int{10, 0, 500, 3}
	for p, n := range counts {
		var all []*pulsar.ProducerMessage
		for range n {
			all = append(all, &pulsar.ProducerMessage{Payload: []byte("x")})
		}
		c.publish(fmt.Sprintf("%s-partition-%d", c.topic("mail"), p), all...)
	}
	out, _ := c.bqgen(exitOK, "tail", "mail", "--format", "json")
	got := make([]int, 4)
	for _, m := range jsonLines(t, out) {
		got[int(m["partition"].(float64))]++
	}
	if fmt.Sprint(got) != fmt.Sprint(counts) {
		t.Errorf("shown %v, want %v", got, counts)
	}
}

// tailed is 100,000 in make crash. What is shown of 13,000 is more than the memory that the test allows.
var tailed = flag.Int("tailed", 13_000, "how many messages tail shows")

// TestTailInFlatMemory is O4: messages of 2 KB, into a reader that stops after a while.
func TestTailInFlatMemory(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	payload := bytes.Repeat([]byte("x"), 2000)
	p, err := c.client.CreateProducer(pulsar.ProducerOptions{Topic: c.topic("mail"), MaxPendingMessages: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	messages := *tailed
	for range messages {
		p.SendAsync(context.Background(), &pulsar.ProducerMessage{Payload: payload}, nil)
	}
	if err := p.FlushWithCtx(context.Background()); err != nil {
		t.Fatal(err)
	}
	cmd := c.command("tail", "mail", "--format", "json")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines, early, peak := 0, 0, 0
	in := bufio.NewScanner(pipe)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if lines++; lines%(messages/20) == 0 {
			size := residentKiB(t, cmd.Process.Pid)
			if early == 0 {
				early = size
			}
			peak = max(peak, size)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d lines, %d KiB at first, %d KiB at most", lines, early, peak)
	if lines != messages || peak-early > 24<<10 {
		t.Errorf("%d lines of %d; memory grew from %d to %d KiB", lines, messages, early, peak)
	}
	c.head(5, "tail", "mail", "--format", "json")
}

// head runs a command whose output is closed after some lines. That ends the command, without a failure.
func (c *cluster) head(lines int, args ...string) {
	c.t.Helper()
	cmd := c.command(args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		c.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	in := bufio.NewScanner(pipe)
	for range lines {
		in.Scan()
	}
	pipe.Close()
	if err := waitFor(cmd, time.Minute); err != nil || stderr.Len() > 0 {
		c.t.Errorf("%v after its output was closed: %v, %s", args, err, stderr.String())
	}
}

// residentKiB returns the memory of a process; 0 where /proc does not tell.
func residentKiB(t *testing.T, pid int) (size int) {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			fmt.Sscan(rest, &size)
		}
	}
	return size
}

// waitFor waits for a process, and ends it if that takes too long.
func waitFor(cmd *exec.Cmd, limit time.Duration) error {
	timer := time.AfterFunc(limit, func() { cmd.Process.Signal(syscall.SIGKILL) })
	defer timer.Stop()
	return cmd.Wait()
}
