package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/admin"
)

// errOtherCluster is in the error for two URLs of different clusters.
var errOtherCluster = errors.New("do --service-url and --admin-url belong to the same cluster?")

// checkSameCluster returns an error if the broker and the admin API are not of one cluster: what a command learns from
// one would be wrong for the other. Neither tells its name to the other side, so a reader is opened on a topic that
// exists, and the admin API must know it.
func checkSameCluster(ctx context.Context, client pulsar.Client, api *admin.API, topic string) error {
	partitions, err := client.TopicPartitions(topic)
	if err != nil {
		return fmt.Errorf("look up %s: %w", topic, err)
	}
	partition := partitions[0]
	name := "bqgen-" + rand.Text()
	reader, err := client.CreateReader(pulsar.ReaderOptions{
		Topic: partition, Name: name, StartMessageID: pulsar.LatestMessageID(), SubscriptionRolePrefix: "bqgen",
	})
	if err != nil {
		return fmt.Errorf("read %s: %w", partition, err)
	}
	defer reader.Close()
	known, err := api.HasReader(ctx, partition, name)
	if err == nil && !known || errors.Is(err, admin.ErrNotFound) {
		err = fmt.Errorf("the admin API %s does not see what is connected to the broker: %w", api.URL(), errOtherCluster)
	}
	return err
}
