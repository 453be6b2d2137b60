package bq

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/text"
)

// A HealthHandler answers the probes of an orchestrator such as Kubernetes. Create one with [Health].
type HealthHandler struct {
	consumers []*Consumer
	stuck     time.Duration
	brokers   []*brokerProbe
	now       func() time.Time
}

// Health returns a handler for the probes of a process with these consumers. A path that ends in /livez is answered as
// [HealthHandler.Live] does, any other as [HealthHandler.Ready] does.
func Health(consumers ...*Consumer) *HealthHandler {
	h := &HealthHandler{consumers: consumers, now: time.Now}
	known := map[pulsar.Client]bool{}
	for _, c := range consumers {
		if c != nil && c.client != nil && !known[c.client] {
			known[c.client] = true
			client, name := c.client, c.queue.Topic
			h.brokers = append(h.brokers, &brokerProbe{ask: func() error {
				_, err := client.TopicPartitions(name)
				return err
			}})
		}
	}
	return h
}

// StuckAfter makes liveness fail if a message has been with a handler for longer than d. Choose it longer than the
// slowest handler. By default a slow handler is no reason to restart. It returns h.
func (h *HealthHandler) StuckAfter(d time.Duration) *HealthHandler {
	h.stuck = d
	return h
}

func (h *HealthHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path.Base(r.URL.Path) == "livez" {
		h.Live(w, r)
		return
	}
	h.Ready(w, r)
}

// Live answers 200 unless a restart helps: 503 if the Run of a consumer has ended with an error, or if StuckAfter says
// so. A frozen broker, a pause, a full limit and a consumer that starts or stops do not fail it.
func (h *HealthHandler) Live(w http.ResponseWriter, r *http.Request) {
	var faults []string
	for _, c := range h.consumers {
		if c == nil {
			continue
		}
		if end := c.ended.Load(); end != nil && end.err != nil {
			faults = append(faults, fmt.Sprintf("%s: it ended at %s: %v", c.queue.Name, clock(end.at), end.err))
		}
		if s := c.Status(); h.stuck > 0 && s.Handling > 0 && !s.Received.IsZero() && h.now().Sub(s.Received) > h.stuck {
			faults = append(faults, fmt.Sprintf("%s: a message has been in hand since %s", c.queue.Name,
				clock(s.Received)))
		}
	}
	answer(w, r, "live", faults)
}

// Ready answers 200 if all consumers receive or are paused, and the broker answers; otherwise 503, also while a
// consumer starts or stops, and if there is none. The broker is asked at most once in 5 s, and only when somebody asks;
// a broker that does not answer holds no probe up for longer than a second.
func (h *HealthHandler) Ready(w http.ResponseWriter, r *http.Request) {
	var faults []string
	if len(h.consumers) == 0 {
		faults = append(faults, "there are no consumers")
	}
	for _, c := range h.consumers {
		if why := unready(c); why != "" {
			faults = append(faults, why)
		}
	}
	for _, b := range h.brokers {
		if err := b.check(r.Context(), h.now); err != nil {
			faults = append(faults, "the broker: "+err.Error())
		}
	}
	answer(w, r, "ready", faults)
}

// unready says why a consumer does not receive, or "".
func unready(c *Consumer) string {
	if c == nil {
		return "a consumer is nil"
	}
	name, s := c.queue.Name, c.Status()
	switch end := c.ended.Load(); {
	case end != nil && end.err != nil:
		return fmt.Sprintf("%s: it ended at %s: %v", name, clock(end.at), end.err)
	case end != nil:
		return fmt.Sprintf("%s: it ended at %s", name, clock(end.at))
	case s.Running:
		return ""
	case c.flow.Load() == nil:
		return name + ": it was not started"
	}
	select {
	case <-c.ready:
		return name + ": it is stopping"
	default:
		return name + ": it is starting"
	}
}

// clock shows a time to probes.
func clock(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// maxFault bounds a line of an answer, in characters.
const maxFault = 300

func answer(w http.ResponseWriter, r *http.Request, good string, faults []string) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	body := good + "\n"
	if len(faults) > 0 {
		w.WriteHeader(http.StatusServiceUnavailable)
		for i, f := range faults {
			faults[i] = text.OneLine(text.Shorten(f, maxFault))
		}
		body = "not " + good + "\n" + strings.Join(faults, "\n") + "\n"
	}
	if r.Method == http.MethodGet {
		io.WriteString(w, body) // the status says it all
	}
}

// Times of a question to the broker.
const (
	askEvery   = 5 * time.Second // an answer counts for so long
	askWait    = time.Second     // how long a probe waits for one
	askPatient = 3 * time.Second // a broker that takes longer is frozen
)

// A brokerProbe asks a broker, one question at a time.
type brokerProbe struct {
	ask func() error

	mu      sync.Mutex
	asked   time.Time // when the question that is under way, or the last one, was asked
	running chan struct{}
	known   bool // there was an answer
	err     error
}

// check returns an error if the broker does not answer.
func (b *brokerProbe) check(ctx context.Context, now func() time.Time) error {
	b.mu.Lock()
	if b.running == nil && (!b.known || now().Sub(b.asked) >= askEvery) {
		b.asked = now()
		done := make(chan struct{})
		b.running = done
		go func() {
			err := protect(b.ask)
			b.mu.Lock()
			defer b.mu.Unlock()
			b.known, b.err, b.running = true, err, nil
			close(done)
		}()
	}
	running := b.running
	b.mu.Unlock()
	if running != nil {
		timer := time.NewTimer(askWait)
		defer timer.Stop()
		select {
		case <-running:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.running != nil && now().Sub(b.asked) >= askPatient:
		return fmt.Errorf("it has not answered since %s", clock(b.asked))
	case b.running != nil && !b.known:
		return errors.New("it has not answered yet")
	}
	return b.err
}
