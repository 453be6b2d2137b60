package bqtest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/go-cmp/cmp"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

func TestSettlingIsReportedWhenItIsAMistake(t *testing.T) {
	for name, tc := range map[string]struct {
		run  func(t *testing.T, c, other, elsewhere pulsar.Consumer, m pulsar.Message)
		want string // part of the report; empty for none
	}{
		"acknowledged": {func(t *testing.T, c, _, _ pulsar.Consumer, m pulsar.Message) {
			ack(t, c, m)
		}, ""},
		"acknowledged twice": {func(t *testing.T, c, _, _ pulsar.Consumer, m pulsar.Message) {
			ack(t, c, m, m)
		}, "acknowledged after it had been acknowledged"},
		"acknowledged twice, once by an id from bytes": {func(t *testing.T, c, _, _ pulsar.Consumer, m pulsar.Message) {
			ack(t, c, m)
			id, err := pulsar.DeserializeMessageID(m.ID().Serialize())
			if err != nil {
				t.Fatal(err)
			}
			if err := c.AckID(id); err != nil {
				t.Error(err)
			}
		}, "acknowledged after it had been acknowledged"},
		"acknowledged after a nack": {func(t *testing.T, c, _, _ pulsar.Consumer, m pulsar.Message) {
			c.Nack(m)
			ack(t, c, m)
		}, "acknowledged after it had been negatively acknowledged"},
		"nacked after an acknowledgement": {func(t *testing.T, c, _, _ pulsar.Consumer, m pulsar.Message) {
			ack(t, c, m)
			c.Nack(m)
		}, "negatively acknowledged after it had been acknowledged"},
		"nacked twice": {func(t *testing.T, c, _, _ pulsar.Consumer, m pulsar.Message) {
			c.Nack(m)
			c.NackID(m.ID())
		}, "negatively acknowledged after it had been negatively acknowledged"},
		"on another consumer of the subscription": {func(t *testing.T, _, other, _ pulsar.Consumer, m pulsar.Message) {
			ack(t, other, m)
		}, "it was received by consumer c"},
		"on a consumer of another subscription": {func(t *testing.T, _, _, elsewhere pulsar.Consumer, m pulsar.Message) {
			if err := elsewhere.Ack(m); err == nil {
				t.Error("Ack: no error")
			}
		}, "it was received by consumer c"},
		"nacked on a consumer of another subscription": {func(_ *testing.T, _, _, other pulsar.Consumer, m pulsar.Message) {
			other.Nack(m)
		}, "it was received by consumer c"},
		"an id of a type of one's own": {func(_ *testing.T, c, _, _ pulsar.Consumer, m pulsar.Message) {
			c.NackID(struct{ pulsar.MessageID }{m.ID()})
		}, "invalid message id type"},
		"an id of no message": {func(t *testing.T, c, _, _ pulsar.Consumer, m pulsar.Message) {
			if err := c.AckID(pulsar.NewMessageID(m.ID().LedgerID(), 99, 0, 0)); err == nil {
				t.Error("AckID: no error")
			}
		}, "no such message"},
		"acknowledged after Close": {func(t *testing.T, c, _, _ pulsar.Consumer, m pulsar.Message) {
			c.Close()
			if err := c.Ack(m); err == nil {
				t.Error("Ack: no error")
			}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			rec := &recorder{T: t}
			broker := bqtest.NewBroker(rec)
			client := broker.Client()
			c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, Name: "c"})
			other := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, Name: "other"})
			elsewhere := subscribe(t, client, pulsar.ConsumerOptions{Topic: "invoices", Type: pulsar.Shared})
			sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
			tc.run(t, c, other, elsewhere, receive(t, c))
			switch {
			case tc.want == "" && len(rec.reported) > 0:
				t.Errorf("reported %q, want nothing", rec.reported)
			case tc.want != "" && (len(rec.reported) != 1 || !strings.Contains(rec.reported[0], tc.want)):
				t.Errorf("reported %q, want one with %q", rec.reported, tc.want)
			}
			if n := len(broker.Violations()); n != len(rec.reported) {
				t.Errorf("%d violations, %d reported", n, len(rec.reported))
			}
		})
	}
}

func TestDuplicatesOfARewindMayAllBeAcknowledged(t *testing.T) {
	broker := bqtest.NewBroker(t, bqtest.WithManualClock(start))
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{NackRedeliveryDelay: time.Second})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b")
	c.Nack(receive(t, c)) // b is prefetched, and will be seen twice
	broker.Advance(time.Second)
	for range 3 {
		ack(t, c, receive(t, c))
	}
	if n := broker.Backlog("orders", "sub"); n != 0 {
		t.Errorf("backlog %d, want none", n)
	}
}

func TestAProgramReadsViolationsFromTheBroker(t *testing.T) {
	broker := bqtest.New()
	defer broker.Close()
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a")
	m := receive(t, c)
	ack(t, c, m, m)
	if n := len(broker.Violations()); n != 1 {
		t.Errorf("%d violations, want 1", n)
	}
}

func TestAckIDListNamesWhatFailed(t *testing.T) {
	broker := bqtest.NewBroker(t)
	if err := broker.CreatePartitioned("orders", 2); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{Type: pulsar.Shared, AckWithResponse: true})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b", "c", "d")
	var ids, of1 []pulsar.MessageID
	for range 4 {
		id := receive(t, c).ID()
		ids = append(ids, id)
		if id.PartitionIdx() == 1 {
			of1 = append(of1, id)
		}
	}
	boom := errors.New("boom")
	lost := broker.Fail(bqtest.OnAck("orders-partition-1").Times(1).Err(boom))
	err := c.AckIDList(ids)
	var failed pulsar.AckError
	if !errors.As(err, &failed) || len(failed) != 2 ||
		!errors.Is(failed[of1[0]], boom) || !errors.Is(failed[of1[1]], boom) {
		t.Errorf("AckIDList: %v, want the ids of partition 1 with their error", err)
	}
	if n := lost.Hits(); n != 1 {
		t.Errorf("%d requests about partition 1, want 1", n)
	}
	if n := broker.Acked("orders", "sub"); n != 2 {
		t.Errorf("%d acknowledged, want 2", n)
	}
	if err := c.AckIDList(of1); err != nil { // a second try is no mistake
		t.Error(err)
	}
}

func TestAckCumulativeLeavesOtherPartitionsAlone(t *testing.T) {
	broker := bqtest.NewBroker(t)
	if err := broker.CreatePartitioned("orders", 2); err != nil {
		t.Fatal(err)
	}
	client := broker.Client()
	c := subscribe(t, client, pulsar.ConsumerOptions{})
	sendTexts(t, produce(t, client, pulsar.ProducerOptions{}), "a", "b", "c", "d") // in turn
	var last pulsar.Message
	for range 4 {
		if m := receive(t, c); strings.HasSuffix(m.Topic(), "-partition-1") {
			last = m
		}
	}
	if err := c.AckCumulative(last); err != nil {
		t.Fatal(err)
	}
	got := []int{
		broker.Backlog("orders-partition-0", "sub"), broker.Backlog("orders-partition-1", "sub"),
		broker.Backlog("orders", "sub"),
	}
	if diff := cmp.Diff([]int{2, 0, 2}, got); diff != "" {
		t.Error(diff)
	}
}
