package bqtest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// An operator does to a broker what an administrator does.
type operator interface {
	partition(topic string, parts int) // makes a partitioned topic, or adds partitions to one
	unload(topic string)
	resetCursor(topic, subscription string, to time.Time)
	setPolicies(topic string, p bqtest.Policies)
	terminate(topic string)
	setNamespace(name string, ns bqtest.Namespace)
	createTopic(topic string) // in any namespace
}

// admin is the operator of a real broker, by its REST interface.
type admin struct {
	*testing.T
	url string
}

func (a admin) partition(topic string, parts int) {
	a.Helper()
	if status := a.call(http.MethodPut, a.topic(topic)+"/partitions", parts); status == http.StatusConflict {
		a.must(http.MethodPost, a.topic(topic)+"/partitions", parts)
	} else if status/100 != 2 {
		a.Fatalf("make %d partitions of %s: status %d", parts, topic, status)
	}
}

// unload waits before: an acknowledgement that the broker has confirmed is lost if the topic is unloaded while the
// broker still makes the ledger that the subscription's position is kept in.
func (a admin) unload(topic string) {
	a.Helper()
	<-time.After(500 * time.Millisecond)
	a.must(http.MethodPut, a.topic(topic)+"/unload", nil)
}

func (a admin) resetCursor(topic, subscription string, to time.Time) {
	a.Helper()
	path := fmt.Sprintf("%s/subscription/%s/resetcursor/%d", a.topic(topic), subscription, to.UnixMilli())
	a.must(http.MethodPost, path, nil)
}

func (a admin) terminate(topic string) {
	a.Helper()
	a.must(http.MethodPost, a.topic(topic)+"/terminate", nil)
}

func (a admin) setPolicies(topic string, p bqtest.Policies) {
	a.Helper()
	a.must(http.MethodPut, a.topic(topic), nil) // a policy needs a topic
	for name, value := range map[string]int{
		"maxMessageSize":               p.MaxMessageSize,
		"maxProducers":                 p.MaxProducers,
		"maxConsumers":                 p.MaxConsumers,
		"maxUnackedMessagesOnConsumer": p.MaxUnacked,
	} {
		if value > 0 {
			a.must(http.MethodPost, a.topic(topic)+"/"+name, value)
		}
	}
	if p.MaxDelay > 0 {
		a.must(http.MethodPost, a.topic(topic)+"/delayedDelivery", map[string]any{
			"active": true, "tickTime": 1000, "maxDeliveryDelayInMillis": p.MaxDelay.Milliseconds(),
		})
	}
	<-time.After(time.Second) // the broker learns of it through a topic of its own
}

func (a admin) setNamespace(name string, ns bqtest.Namespace) {
	a.Helper()
	a.must(http.MethodPut, "/namespaces/"+name, map[string]any{})
	a.must(http.MethodPost, "/namespaces/"+name+"/autoTopicCreation",
		map[string]any{"allowAutoTopicCreation": !ns.NoTopics, "topicType": "non-partitioned"})
	a.must(http.MethodPost, "/namespaces/"+name+"/autoSubscriptionCreation",
		map[string]any{"allowAutoSubscriptionCreation": !ns.NoSubscriptions})
	a.must(http.MethodPost, "/namespaces/"+name+"/schemaValidationEnforced", ns.SchemaRequired)
	if ns.AnySchema {
		a.must(http.MethodPut, "/namespaces/"+name+"/schemaCompatibilityStrategy", "ALWAYS_COMPATIBLE")
	}
	<-time.After(time.Second)
}

func (a admin) createTopic(topic string) {
	a.Helper()
	a.must(http.MethodPut, "/persistent/"+topic, nil)
}

func (a admin) topic(name string) string { return "/persistent/public/default/" + name }

func (a admin) must(method, path string, body any) {
	a.Helper()
	if status := a.call(method, path, body); status/100 != 2 {
		a.Fatalf("%s %s: status %d", method, path, status)
	}
}

// call makes a request and returns the status of the answer.
func (a admin) call(method, path string, body any) int {
	a.Helper()
	var content []byte
	if body != nil {
		var err error
		if content, err = json.Marshal(body); err != nil {
			a.Fatal(err)
		}
	}
	req, err := http.NewRequestWithContext(a.Context(), method, a.url+"/admin/v2"+path, bytes.NewReader(content))
	if err != nil {
		a.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		a.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	if resp.StatusCode/100 != 2 {
		a.Logf("%s %s: %s: %s", method, path, resp.Status, text)
	}
	return resp.StatusCode
}

// memory is the operator of a broker in memory.
type memory struct {
	*testing.T
	broker *bqtest.Broker
	grown  bool // the topic is partitioned
}

func (m *memory) partition(topic string, parts int) {
	m.Helper()
	make := m.broker.CreatePartitioned
	if m.grown {
		make = m.broker.AddPartitions
	}
	m.grown = true
	if err := make(topic, parts); err != nil {
		m.Fatal(err)
	}
}

func (m *memory) unload(topic string) { m.broker.Unload(topic) }

func (m *memory) resetCursor(topic, subscription string, to time.Time) {
	m.broker.ResetCursor(topic, subscription, to)
}

func (m *memory) setPolicies(topic string, p bqtest.Policies) { m.broker.SetPolicies(topic, p) }
func (m *memory) terminate(topic string)                      { m.broker.Terminate(topic) }

func (m *memory) setNamespace(name string, ns bqtest.Namespace) { m.broker.SetNamespace(name, ns) }

func (m *memory) createTopic(topic string) {
	m.Helper()
	if err := m.broker.CreateTopic(topic); err != nil {
		m.Fatal(err)
	}
}
