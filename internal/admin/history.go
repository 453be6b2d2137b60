package admin

import (
	"context"
	"time"

	"github.com/apache/pulsar-client-go/pulsaradmin/pkg/utils"
)

// A History is what the API tells of messages that a topic does not have any more. It does not tell when they were
// published, and after the broker has loaded the topic again it does not even tell that there were any.
type History struct {
	Created time.Time // zero if unknown
	// Trimmed is true if messages are gone that came since the broker has loaded the topic.
	Trimmed bool
	// Compacted is true if there is a copy of the topic that has the last message of each key only.
	Compacted bool
}

// History returns the history of a topic, which is one partition, or not partitioned.
func (a *API) History(ctx context.Context, name string) (*History, error) {
	t, err := utils.GetTopicName(name)
	if err != nil {
		return nil, err
	}
	stats, err := a.client.Topics().GetInternalStatsWithContext(ctx, *t)
	if err != nil {
		return nil, a.fail("look at the ledgers of", name, err)
	}
	h := &History{
		Trimmed:   stats.EntriesAddedCounter > stats.NumberOfEntries,
		Compacted: stats.CompactedLedger.LedgerID > 0,
	}
	h.Created, err = a.Created(ctx, name)
	return h, err
}

// Created returns when a topic was created, which is one partition, or not partitioned; zero if unknown. A topic that
// was deleted and is there again was created later.
func (a *API) Created(ctx context.Context, name string) (time.Time, error) {
	t, err := utils.GetTopicName(name)
	if err != nil {
		return time.Time{}, err
	}
	info, err := a.client.Topics().GetInternalInfoWithContext(ctx, *t)
	if err != nil {
		return time.Time{}, a.fail("look at the ledgers of", name, err)
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05.999-0700"} {
		if at, err := time.Parse(layout, info.CreationDate); err == nil {
			return at, nil
		}
	}
	return time.Time{}, nil
}
