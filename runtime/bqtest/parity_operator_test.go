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

func (a admin) unload(topic string) {
	a.Helper()
	a.must(http.MethodPut, a.topic(topic)+"/unload", nil)
}

func (a admin) resetCursor(topic, subscription string, to time.Time) {
	a.Helper()
	a.must(http.MethodPost, fmt.Sprintf("%s/subscription/%s/resetcursor/%d", a.topic(topic), subscription, to.UnixMilli()), nil)
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
}

func (m memory) partition(topic string, parts int) {
	m.Helper()
	if err := m.broker.CreatePartitioned(topic, parts); err != nil {
		m.Fatal(err)
	}
}

func (m memory) unload(topic string) { m.broker.Unload(topic) }

func (m memory) resetCursor(topic, subscription string, to time.Time) {
	m.broker.ResetCursor(topic, subscription, to)
}
