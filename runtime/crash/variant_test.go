package crash

import (
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// A variant is a consumer configuration under test.
type variant struct {
	name      string
	processes int
	options   []bq.ConsumerOption
}

// impatient gives up on a retry or a dead letter while the broker is still away; the default, 30 s, would not.
var impatient = bq.WithSendTimeout(2 * time.Second)

// atOnce retries without waiting.
var atOnce = bq.WithRetryBackoff(bq.NoBackoff)

var variants = []variant{
	{"Exclusive", 1, []bq.ConsumerOption{bq.WithSubscriptionType(pulsar.Exclusive)}},
	{"Failover", 2, []bq.ConsumerOption{bq.WithSubscriptionType(pulsar.Failover), impatient}},
	{"Shared", 2, []bq.ConsumerOption{bq.WithSubscriptionType(pulsar.Shared), impatient, atOnce}},
	{"Key_Shared", 2, []bq.ConsumerOption{bq.WithSubscriptionType(pulsar.KeyShared), atOnce}},
	{"Shared, retries by nack", 2, []bq.ConsumerOption{
		bq.WithSubscriptionType(pulsar.Shared), bq.WithRetryByNack(),
		bq.WithRetryBackoff(bq.ExponentialBackoff(10*time.Millisecond, 100*time.Millisecond)),
	}},
}
