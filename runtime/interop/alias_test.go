package interop

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	bq "github.com/babelqueue/bqgen/runtime"
)

// Bodies whose identity is in the alias urn: the first has no job, the second a job that is not a string.
const (
	aliased = `{"urn":"urn:babel:orders:created","trace_id":"t","data":{"order_id":1},"meta":{"id":"m-1",` +
		`"queue":"orders","lang":"php","schema_version":1,"created_at":1},"attempts":0}`
	folded = `{"trace_id":"t","data":{"order_id":1},"meta":{"id":"m-1","queue":"orders","lang":"php",` +
		`"schema_version":1,"created_at":1},"attempts":1,"job":"urn:babel:orders:created"}`
	aliased5 = `{"job":5,"urn":"urn:babel:orders:created","trace_id":"t","data":{"order_id":1},"meta":{"id":"m-1",` +
		`"queue":"orders","lang":"php","schema_version":1,"created_at":1},"attempts":0}`
	folded5 = `{"job":"urn:babel:orders:created","trace_id":"t","data":{"order_id":1},"meta":{"id":"m-1",` +
		`"queue":"orders","lang":"php","schema_version":1,"created_at":1},"attempts":1}`
)

func TestAliasIsUnderstoodByBothAfterARetryOfEither(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	for name, tc := range map[string]struct{ body, folded string }{
		"no job":          {aliased, folded},
		"job is a number": {aliased5, folded5},
	} {
		b.run(name, func(b *bench) {
			// Sent by Go, retried by Go, handled by Python.
			q := newQueue()
			retries := b.goReads(q.Topic)
			b.goSends(q.Topic, raw{Body: []byte(tc.body)})
			checkGo(b, "delivery 1", b.goWorks(q, 1, 1)[0], bq.Retried, "m-1", "t", 0)
			checkPython(b, "delivery 2", b.pythonWorks(q, work{deliveries: 1}), "m-1", "t", 1)
			retry := retries(2)[1]
			if diff := cmp.Diff(strings.Replace(tc.body, `"attempts":0`, `"attempts":1`, 1),
				string(retry.Payload())); diff != "" {
				b.Errorf("RET-1, RTE-11: by Go (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(map[string]string{"bq-attempts": "1"}, retry.Properties()); diff != "" {
				b.Errorf("RET-1: properties by Go (-want +got):\n%s", diff)
			}

			// Sent by Python, retried by Python, handled by Go. Python replaces the alias by a job.
			q = newQueue()
			retries = b.goReads(q.Topic)
			b.pythonSends(q.Topic, raw{[]byte(tc.body), map[string]string{}})
			checkPython(b, "delivery 1", b.pythonWorks(q, work{deliveries: 1, fail: 1}), "m-1", "t", 0)
			checkGo(b, "delivery 2", b.goWorks(q, 1, 0)[0], bq.Acknowledged, "m-1", "t", 1)
			retry = retries(2)[1]
			if diff := cmp.Diff(tc.folded, string(retry.Payload())); diff != "" {
				b.Errorf("ENV-9: by Python (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(properties("m-1", "t", "php", 1, nil), retry.Properties()); diff != "" {
				b.Errorf("RET-3: properties by Python (-want +got):\n%s", diff)
			}
		})
	}
}

func TestForbiddenMembersAreNotRefusedByEither(t *testing.T) {
	b := newBench(t)
	b.Parallel()
	body := `{"timestamp":1,` + canonical[1:len(canonical)-1] + `,"urn":"urn:x"}`
	body = strings.Replace(body, `"ext":`, `"ts":1,"source":"s","attempts":9,"max_retries":3,"ext":`, 1)
	q := newQueue()
	retries := b.goReads(q.Topic)
	b.goSends(q.Topic, raw{Body: []byte(body)})
	checkGo(b, "delivery 1", b.goWorks(q, 1, 1)[0], bq.Retried, "m-1", "trace-é", 0)
	done := b.pythonWorks(q, work{deliveries: 1, fail: 1})
	checkPython(b, "delivery 2", done, "m-1", "trace-é", 1)
	checkGo(b, "delivery 3", b.goWorks(q, 1, 0)[0], bq.Acknowledged, "m-1", "trace-é", 2)
	all := retries(3)
	if diff := cmp.Diff(strings.Replace(body, `"attempts":0`, `"attempts":1`, 1), string(all[1].Payload())); diff != "" {
		t.Errorf("ENV-13, RET-1: Go changes attempts alone (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(strings.Replace(canonical, `"attempts":0`, `"attempts":2`, 1),
		string(all[2].Payload())); diff != "" {
		t.Errorf("ENV-13: Python leaves the forbidden members out (-want +got):\n%s", diff)
	}
	for _, pointer := range []string{"/timestamp", "/meta/max_retries", "/meta/attempts", "/meta/source", "/meta/ts",
		"/urn"} {
		if !strings.Contains(strings.Join(done.Log, "\n"), pointer) {
			t.Errorf("ENV-13: Python does not warn of %s: %q", pointer, done.Log)
		}
	}
}
