package crash

import (
	"slices"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	bq "github.com/babelqueue/bqgen/runtime"
)

// A variant is a consumer configuration under test.
type variant struct {
	name         string
	subscription pulsar.SubscriptionType
	processes    int
	batched      bool // the publisher sends batches
	options      []bq.ConsumerOption
}

// most is the limit of what a consumer has received and not settled, and so of what one kill has handled twice.
const most = 20

// impatient gives up on a retry or a dead letter while the broker is still away; the default, 30 s, would not.
var impatient = bq.WithSendTimeout(2 * time.Second)

// atOnce retries without waiting.
var atOnce = bq.WithRetryBackoff(bq.NoBackoff)

// byNack retries by negative acknowledgement.
func byNack(c *[]bq.ConsumerOption) {
	*c = append(*c, bq.WithRetryByNack(),
		bq.WithRetryBackoff(bq.ExponentialBackoff(10*time.Millisecond, 100*time.Millisecond)))
}

// variants are all subscription types, each with messages that are sent one by one and with batches. Retries by
// negative acknowledgement, which only two of the types have, take turns with published ones.
var variants = func() []variant {
	all := []variant{
		{name: "Exclusive", subscription: pulsar.Exclusive, processes: 1},
		{name: "Exclusive, batched", subscription: pulsar.Exclusive, processes: 1, batched: true},
		{name: "Failover", subscription: pulsar.Failover, processes: 2, options: []bq.ConsumerOption{impatient}},
		{name: "Failover, batched", subscription: pulsar.Failover, processes: 2, batched: true},
		{name: "Shared", subscription: pulsar.Shared, processes: 2, options: []bq.ConsumerOption{impatient, atOnce}},
		{name: "Shared, by nack", subscription: pulsar.Shared, processes: 2},
		{name: "Shared, batched", subscription: pulsar.Shared, processes: 2, batched: true,
			options: []bq.ConsumerOption{atOnce}},
		{name: "Shared, batched, by nack", subscription: pulsar.Shared, processes: 2, batched: true},
		{name: "Key_Shared", subscription: pulsar.KeyShared, processes: 2, options: []bq.ConsumerOption{atOnce}},
		{name: "Key_Shared, batched, by nack", subscription: pulsar.KeyShared, processes: 2, batched: true},
	}
	for i := range all {
		v := &all[i]
		v.options = append(v.options, bq.WithSubscriptionType(v.subscription), bq.WithMaxUnsettled(bq.Limit{Messages: most}))
		if strings.HasSuffix(v.name, "by nack") {
			byNack(&v.options)
		}
		v.options = slices.Clip(v.options) // others append to it
	}
	return all
}()
