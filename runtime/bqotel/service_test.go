package bqotel_test

import (
	"context"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	bq "github.com/babelqueue/bqgen/runtime"
	"github.com/babelqueue/bqgen/runtime/bqtest"
	"github.com/babelqueue/bqgen/runtime/envelope"
)

// TestSkippedIsCountedByItself: what is for other services of the queue has a counter and no span (O46, FAN-6). What is
// handled has a span that is named after the URN in the body, although a property routes it (OTEL-1).
func TestSkippedIsCountedByItself(t *testing.T) {
	l := newLab(t)
	client := bqtest.NewBroker(t).Client()
	q := orderevents.OrdersQueue()
	const topic = "persistent://public/default/orders"
	q.URNs = []string{orderevents.OrderCancelledURN, "urn:babel:orders:paid"}
	q.Services = []bq.QueueService{{Name: "billing", RetryTopic: topic + ".billing.retry",
		DeadLetterTopic: topic + ".billing.dlq", URNs: []string{orderevents.OrderCancelledURN}}}
	handled := make(chan bool, 1)
	l.run(t, client, q, func(context.Context, *bq.Message[cancelled]) error {
		handled <- true
		return nil
	}, bq.WithService("billing"))
	producer, err := client.CreateProducer(pulsar.ProducerOptions{Topic: topic})
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	const old = "urn:babel:orders:was-cancelled"
	for _, routed := range []string{"urn:babel:orders:paid", orderevents.OrderCancelledURN} {
		body := `{"job":"` + old + `","trace_id":"t","data":{"order_id":1,"customer_id":"c","reason":"fraud"},` +
			`"meta":{"id":"i","schema_version":1},"attempts":0}`
		if _, err := producer.Send(t.Context(), &pulsar.ProducerMessage{
			Payload: []byte(body), Properties: map[string]string{envelope.PropertyJob: routed}}); err != nil {
			t.Fatal(err)
		}
	}
	<-handled
	eventually(t, "the settlements", func() bool {
		sums := l.sums(t)
		return sums["bq.skipped queue=orders,reason=other_service"] == 1 &&
			sums["bq.deliveries outcome=skipped,queue=orders,urn=_unknown"] == 1 &&
			sums["bq.deliveries outcome=acknowledged,queue=orders,urn="+orderevents.OrderCancelledURN] == 1
	})
	if spans := l.ended(""); len(spans) != 1 || spans[0].Name() != "process "+old {
		t.Errorf("spans %v, want one named after the URN in the body (OTEL-1)", spans)
	}
}
