package scan_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/scan"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// Somebody who follows a topic would wait for ever for what a partition does not show.
func TestFollowingEndsWhenAPartitionCannotBeRead(t *testing.T) {
	broker := bqtest.NewBroker(t)
	if err := broker.CreatePartitioned("orders", 2); err != nil {
		t.Fatal(err)
	}
	refused := errors.New("server error: AuthorizationError: not allowed")
	broker.Fail(bqtest.OnSubscribe("orders-partition-1").Err(refused))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err := scan.Topic(ctx, scan.Options{Client: broker.Client(), Topic: "orders", Follow: true},
		func(pulsar.Message) error { return nil })
	var failed *scan.PartitionError
	if !errors.As(err, &failed) || !errors.Is(err, refused) {
		t.Errorf("error %v, want that of the second partition", err)
	}
}
