package main

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"
	"github.com/apache/pulsar-client-go/pulsaradmin"
	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/deadletters"
	"github.com/babelqueue/bqgen/internal/topology"
	"github.com/babelqueue/bqgen/runtime/envelope"
	"github.com/babelqueue/bqgen/schema/load"
)

// box opens the dead letters of orders as a command does, for what is to happen at a certain point of a run.
func (c *cluster) box() *deadletters.Box {
	c.t.Helper()
	catalog, findings, err := load.Load(filepath.Join(c.dir, "urns.yaml"))
	if err != nil || findings.HasErrors() {
		c.t.Fatal(findings, err)
	}
	places, err := topology.Of(catalog, "")
	if err != nil {
		c.t.Fatal(err)
	}
	g, err := places.Group("orders", "")
	if err != nil {
		c.t.Fatal(err)
	}
	api, err := admin.New(c.admin, http.DefaultTransport)
	if err != nil {
		c.t.Fatal(err)
	}
	box, err := deadletters.Open(c.client, api, places, g)
	if err != nil {
		c.t.Fatal(err)
	}
	return box
}

// operator returns the admin API for what the commands never do.
func (c *cluster) operator() pulsaradmin.Client {
	c.t.Helper()
	api, err := pulsaradmin.NewClient(&pulsaradmin.Config{WebServiceURL: c.admin})
	if err != nil {
		c.t.Fatal(err)
	}
	return api
}

func (c *cluster) name(topic string) utils.TopicName {
	c.t.Helper()
	name, err := utils.GetTopicName(c.topic(topic))
	if err != nil {
		c.t.Fatal(err)
	}
	return *name
}

// failedLetters returns dead letters with the ids id-0 and so on.
func failedLetters(first, n int) (all []*pulsar.ProducerMessage) {
	for i := range n {
		all = append(all, deadLetter{fmt.Sprint("id-", first+i), createdURN, envelope.Failed, "x"}.record())
	}
	return all
}

// once returns the number of ids on a topic, and fails if one is there twice.
func (c *cluster) once(topic string) int {
	c.t.Helper()
	counts, _ := c.ledger(c.topic(topic))
	for id, n := range counts {
		if n != 1 {
			c.t.Errorf("%s came %d times", id, n)
		}
	}
	return len(counts)
}

// planned plans to redrive everything.
func planned(t *testing.T, box *deadletters.Box, o *deadletters.Options) *deadletters.Plan {
	t.Helper()
	plan, err := box.Plan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestWhatComesMeanwhileIsNotChosen is O15: with consumers that fail at once a run ends all the same, because it sends
// what was there when it began. It says how many came.
func TestWhatComesMeanwhileIsNotChosen(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	c.publish(c.topic("orders.dlq"), failedLetters(0, 20)...)
	for lines, args := range [][]string{{}, {"--format", "json"}} { // as with dlq list | head
		c.head(lines, append([]string{"dlq", "list", "orders"}, args...)...)
	}
	box, o := c.box(), &deadletters.Options{Window: 5}
	plan := planned(t, box, o)
	came := 0
	o.Progress = func(p deadletters.Progress) { // each window comes back at once, under the same ids
		c.publish(c.topic("orders.dlq"), failedLetters(p.Done-5, 5)...)
		came += 5
	}
	s, err := box.Run(t.Context(), o, plan)
	if err != nil {
		t.Fatal(err)
	}
	if n := c.once("orders"); n != 20 || s.Sent != 20 || came != 20 || s.Meanwhile != came {
		t.Errorf("%d are sent, %d came meanwhile: %+v", n, came, s)
	}
	if n := c.waiting()["total"]; n != 20.0 {
		t.Errorf("%v wait, want those that came back", n)
	}
}

// behind is 60,000 in make crash: more than the 50,000 that the broker would let a consumer hold.
var behind = flag.Int("behind", 500, "how many dead letters lie before the one that is redriven")

// TestTheNeedleIsFound is O17: one dead letter behind many others, which are never received. Of a producer's batch all
// are taken or none, because Pulsar acknowledges its entry as a whole.
func TestTheNeedleIsFound(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	producer, err := c.client.CreateProducer(pulsar.ProducerOptions{
		Topic: c.topic("orders.dlq"), DisableBatching: true, MaxPendingMessages: 2000})
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	hay := deadLetter{"hay", createdURN, envelope.Failed, "x"}.record()
	for range *behind {
		producer.SendAsync(t.Context(), hay, nil)
	}
	if err := producer.FlushWithCtx(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.publish(c.topic("orders.dlq"), deadLetter{"needle", cancelledURN, envelope.UnknownURN, "x"}.record())
	batches, err := c.client.CreateProducer(pulsar.ProducerOptions{
		Topic: c.topic("orders.dlq"), BatchingMaxMessages: 10, BatchingMaxPublishDelay: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer batches.Close()
	for _, m := range failedLetters(0, 10) {
		m.OrderingKey = ""
		batches.SendAsync(t.Context(), m, nil)
	}
	if err := batches.FlushWithCtx(t.Context()); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	out, _ := c.bqgen(exitOK, "dlq", "redrive", "orders", "--urn", cancelledURN, "--format", "json")
	t.Logf("found behind %d in %s", *behind, time.Since(start))
	if s := c.summary(out); s.Sent != 1 {
		t.Errorf("redrive: %s", out)
	}
	out, _ = c.bqgen(exitFindings, "dlq", "redrive", "orders", "--id", "id-2", "--format", "json")
	if s := c.summary(out); s.Sent != 0 || !strings.Contains(fmt.Sprint(s.Left), "batch of 10") {
		t.Errorf("one of a batch: %s", out)
	}
	if n := c.waiting()["total"]; n != float64(*behind+10) {
		t.Errorf("%v wait, want all but the needle", n)
	}
	args := []string{"dlq", "redrive", "orders", "--format", "json"}
	for i := range 10 {
		args = append(args, "--id", fmt.Sprint("id-", i))
	}
	out, _ = c.bqgen(exitOK, args...)
	if s := c.summary(out); s.Sent != 10 {
		t.Errorf("the whole batch: %s", out)
	}
	if n := c.once("orders"); n != 11 {
		t.Errorf("%d are sent, want the needle and the batch", n)
	}
}

// TestStoppedNotKilled is O19: a stop confirms and acknowledges what was sent, and says what is done; nothing comes
// twice. Nobody who reads the output is no reason to stop.
func TestStoppedNotKilled(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	const letters = 200
	c.publish(c.topic("orders.dlq"), failedLetters(0, letters)...)
	sent := 0
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		cmd := c.command("dlq", "redrive", "orders", "--rate", "5", "--format", "json")
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		c.awaitMessages(c.topic("orders"), sent+1)
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if waitFor(cmd, time.Minute); cmd.ProcessState.ExitCode() != exitFailed {
			t.Errorf("%s: exit code %d: %s", signal, cmd.ProcessState.ExitCode(), stderr.String())
		}
		s := c.summary(stdout.String())
		if s.Sent == 0 || s.Unfinished != 0 || len(s.MayRepeat) != 0 ||
			!strings.Contains(stderr.String(), "stopped: run the command again to go on") {
			t.Errorf("%s: %s%s", signal, stdout.String(), stderr.String())
		}
		if sent += s.Sent; sent >= letters {
			t.Fatalf("%s: it had ended", signal)
		}
	}
	if n := c.once("orders"); n != sent {
		t.Errorf("%d are sent, the summaries say %d", n, sent)
	}
	cmd := c.command("dlq", "redrive", "orders")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	stderr.Close()
	waitFor(cmd, time.Minute)
	if n := c.once("orders"); n != letters {
		t.Errorf("%d of %d are sent although nobody reads the output", n, letters)
	}
	if n := c.waiting()["total"]; n != 0.0 {
		t.Errorf("%v wait", n)
	}
}

// TestHalfWayItCannotGoOn is O22: the run ends with the topic and the cause, and nothing is acknowledged that was not
// sent.
func TestHalfWayItCannotGoOn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		happens func(c *cluster) error
		want    string
	}{
		"closed": {func(c *cluster) error {
			_, err := c.operator().Topics().Terminate(c.name("orders"))
			return err
		}, "TopicTerminated"},
		"full": {func(c *cluster) error {
			quota := utils.NewBacklogQuota(1, -1, utils.ProducerException)
			if err := c.operator().Topics().SetBacklogQuota(c.name("orders"), quota, utils.DestinationStorage); err != nil {
				return err
			}
			// The broker looks at quotas each minute, and when a producer comes.
			return c.eventually(func() bool {
				p, err := c.client.CreateProducer(pulsar.ProducerOptions{Topic: c.topic("orders")})
				if err == nil {
					p.Close()
				}
				return err != nil && c.operator().Topics().Unload(c.name("orders")) == nil
			})
		}, "ProducerBlockedQuotaExceeded"},
		"gone": {func(c *cluster) error {
			return c.operator().Topics().Delete(c.name("orders.dlq"), true, true)
		}, "orders.dlq was deleted during this run"},
	} {
		t.Run(name, func(t *testing.T) {
			c := realPulsar(t)
			c.bqgen(exitOK, "provision", "--yes")
			c.publish(c.topic("orders.dlq"), failedLetters(0, 20)...)
			box, o := c.box(), &deadletters.Options{Window: 5}
			plan := planned(t, box, o)
			happened := false
			o.Progress = func(p deadletters.Progress) {
				if p.Done == 10 && !happened {
					happened = true
					if err := test.happens(c); err != nil {
						t.Error(err)
					}
				}
			}
			s, err := box.Run(t.Context(), o, plan)
			if err == nil || !strings.Contains(err.Error(), c.topic("orders")) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one about %s of the topic", err, test.want)
			}
			n := c.once("orders")
			if name == "gone" { // what it had read before may be sent
				if n < 10 || s.Sent != n {
					t.Errorf("%d are sent: %+v", n, s)
				}
				return
			}
			if n != 10 || s.Sent != 10 {
				t.Errorf("%d are sent: %+v", n, s)
			}
			if n := c.waiting()["total"]; n != 10.0 {
				t.Errorf("%v wait, want the 10 that were not sent", n)
			}
		})
	}
}

func (c *cluster) eventually(done func() bool) error {
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			return errors.New("it does not happen")
		}
	}
	return nil
}

// TestPartitionsAndTimeGoneBy is O30: the partitions of the dead letters are added up and keep their orders, and what
// has expired before its turn is counted and is no error.
func TestPartitionsAndTimeGoneBy(t *testing.T) {
	c := realPulsar(t)
	c.namespace("public/" + c.prefix)
	if err := c.operator().Namespaces().SetNamespaceMessageTTL(c.place, 3600); err != nil {
		t.Fatal(err)
	}
	if err := c.operator().Topics().Create(c.name("orders.dlq"), 3); err != nil {
		t.Fatal(err)
	}
	c.bqgen(exitOK, "provision", "--yes")
	for p := range 3 {
		c.publish(fmt.Sprintf("%s-partition-%d", c.topic("orders.dlq"), p), failedLetters(10*p, 10)...)
	}
	unload := func(p int) {
		if err := c.operator().Topics().Unload(c.name(fmt.Sprintf("orders.dlq-partition-%d", p))); err != nil {
			t.Error(err)
		}
	}
	unload(2)
	out, stderr := c.bqgen(exitOK, "dlq", "list", "orders", "--format", "json")
	all := jsonLines(t, out)
	if len(all) != 31 || fmt.Sprint(all[0]["partition"], all[29]["partition"]) != "0 2" {
		t.Errorf("list: %s", out)
	}
	if !strings.Contains(stderr, "drops messages that have waited for 1h0m0s, dead letters too") {
		t.Errorf("the TTL is not told: %s", stderr)
	}
	box, o := c.box(), &deadletters.Options{Window: 5}
	plan := planned(t, box, o)
	o.Progress = func(p deadletters.Progress) {
		switch p.Done {
		case 5: // what was acknowledged is known all the same when it is loaded again
			unload(0)
		case 20: // while it is read
			unload(2)
		}
	}
	// To skip messages is what the broker does when they expire.
	name, err := utils.GetTopicName(c.topic("orders.dlq") + "-partition-1")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.operator().Subscriptions().SkipMessages(*name, "babelqueue", 4); err != nil {
		t.Fatal(err)
	}
	s, err := box.Run(t.Context(), o, plan)
	if err != nil || s.Sent != 26 || s.Gone != 4 {
		t.Errorf("%+v, %v", s, err)
	}
	_, messages := c.ledger(c.topic("orders"))
	var ids []string
	for _, m := range messages {
		ids = append(ids, strings.TrimPrefix(m.Properties()[envelope.PropertyMessageID], "id-"))
	}
	want := "0 1 2 3 4 5 6 7 8 9 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29"
	if got := strings.Join(ids, " "); got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	if n := c.waiting()["total"]; n != 0.0 {
		t.Errorf("%v wait", n)
	}
}

// TestEncryptedDeadLettersAreLeft is O31: without the key they are shown by their properties and are never sent, and
// the others are.
func TestEncryptedDeadLettersAreLeft(t *testing.T) {
	c := realPulsar(t)
	c.bqgen(exitOK, "provision", "--yes")
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	file := c.file("public.pem", string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})))
	producer, err := c.client.CreateProducer(pulsar.ProducerOptions{
		Topic: c.topic("orders.dlq"), DisableBatching: true,
		Encryption: &pulsar.ProducerEncryptionInfo{KeyReader: crypto.NewFileKeyReader(file, ""), Keys: []string{"k1"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	secret := deadLetter{"id-1", createdURN, envelope.Failed, "x"}.record()
	if _, err := producer.Send(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	c.publish(c.topic("orders.dlq"), deadLetter{"id-2", createdURN, envelope.Failed, "x"}.record())
	for _, args := range [][]string{{"tail", "orders", "--dead-letters"}, {"dlq", "show", "orders", "--id", "id-1"}} {
		out, _ := c.bqgen(exitOK, args...)
		for _, want := range []string{`encrypted with the key "k1"`, createdURN, "id-1"} {
			if !strings.Contains(strings.ReplaceAll(out, "encrypted: ", "encrypted "), want) {
				t.Errorf("%v does not say %s: %s", args, want, out)
			}
		}
	}
	out, _ := c.bqgen(exitFindings, "dlq", "redrive", "orders", "--force", "--as-is", "--format", "json")
	if s := c.summary(out); s.Sent != 1 || !strings.Contains(fmt.Sprint(s.Left), `it is encrypted with the key "k1"`) {
		t.Errorf("redrive: %s", out)
	}
	if got, _ := c.ledger(c.topic("orders")); fmt.Sprint(got) != "map[id-2:1]" {
		t.Errorf("sent %v", got)
	}
	if n := c.waiting()["total"]; n != 1.0 {
		t.Errorf("%v wait, want the encrypted one", n)
	}
}
