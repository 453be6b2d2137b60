package bq

import (
	"fmt"
	"io"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/babelqueue/bqgen/internal/text"
)

// A HealthHandler answers the probes of an orchestrator such as Kubernetes. Create one with [Health].
type HealthHandler struct {
	consumers []*Consumer
	stuck     time.Duration
	now       func() time.Time
}

// Health returns a handler for the probes of a process with these consumers. A path that ends in /livez is answered as
// [HealthHandler.Live] does, any other as [HealthHandler.Ready] does.
func Health(consumers ...*Consumer) *HealthHandler {
	return &HealthHandler{consumers: consumers, now: time.Now}
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
		s := c.Status()
		if s.State == StateIdle && s.LastError != nil {
			faults = append(faults, fmt.Sprintf("%s: it ended at %s: %v", c.queue.Name, clock(s.Since), s.LastError))
		}
		if h.stuck > 0 && s.Handling > 0 && !s.Received.IsZero() && h.now().Sub(s.Received) > h.stuck {
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
	answer(w, r, "ready", faults)
}

// unready says why a consumer does not receive, or "".
func unready(c *Consumer) string {
	if c == nil {
		return "a consumer is nil"
	}
	name, s := c.queue.Name, c.Status()
	switch s.State {
	case StateRunning, StatePaused:
		if s.Connected || s.ConnectedSince.IsZero() {
			return ""
		}
		why := fmt.Sprintf("%s: the broker has not answered since %s", name, clock(s.ConnectedSince))
		for _, from := range s.Sources {
			if !from.Connected && from.Topic != "" && len(s.Sources) > 1 {
				why += ", asked about " + from.Topic
			}
		}
		return why
	case StateIdle:
		if s.LastError != nil {
			return fmt.Sprintf("%s: it ended at %s: %v", name, clock(s.Since), s.LastError)
		}
		return name + ": it does not run"
	case StateStarting:
		if s.LastError != nil {
			return fmt.Sprintf("%s: it is starting: %v", name, s.LastError)
		}
	}
	return fmt.Sprintf("%s: it is %s", name, s.State)
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
