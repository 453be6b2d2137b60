package deadletters

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/babelqueue/bqgen/internal/admin"
)

// births are when the partitions of the dead letters were created. If they are deleted during a run, the client makes
// them anew, and acknowledgements on them mean nothing.
type births struct {
	api     API
	created map[string]time.Time
	looked  time.Time
}

// birthsEvery is how often they are looked at.
const birthsEvery = time.Second

func (b *Box) births(ctx context.Context) (*births, error) {
	partitions, err := b.client.TopicPartitions(b.group.DeadLetters)
	if err != nil {
		return nil, fmt.Errorf("look up %s: %w", b.group.DeadLetters, err)
	}
	all := &births{b.api, map[string]time.Time{}, time.Now()}
	for _, p := range partitions {
		created, err := b.api.Created(ctx, p)
		if err != nil && !errors.Is(err, admin.ErrNotFound) { // that of a partition that nobody has used yet
			return nil, err
		}
		all.created[p] = created
	}
	return all, nil
}

// check returns an error if a partition is not the one that it was. Without now it looks from time to time only.
func (b *births) check(ctx context.Context, now bool) error {
	if !now && time.Since(b.looked) < birthsEvery {
		return nil
	}
	b.looked = time.Now()
	for p, was := range b.created {
		if was.IsZero() {
			continue
		}
		created, err := b.api.Created(ctx, p)
		if errors.Is(err, admin.ErrNotFound) || err == nil && !created.Equal(was) {
			return fmt.Errorf("%s was deleted during this run: what was not sent yet is lost", p)
		}
		if err != nil && now { // before the end the broker may just be away
			return fmt.Errorf("%s was deleted during this run, or cannot be looked at: %w", p, err)
		}
	}
	return nil
}
