package provision

import (
	"context"
	"errors"
	"fmt"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/text"
)

// A Step creates one thing.
type Step struct {
	Topic        string
	Partitions   int    // of a topic that is created; 0 for one that is not partitioned
	Subscription string // that is created; "" for the topic
	Namespace    string // whose deduplication is turned on
}

func (s Step) String() string {
	switch {
	case s.Namespace != "":
		return "turn on deduplication of the namespace " + s.Namespace
	case s.Subscription != "":
		return fmt.Sprintf("create the subscription %s of %s", s.Subscription, s.Topic)
	case s.Partitions > 0:
		return fmt.Sprintf("create the topic %s with %s", s.Topic, text.Count(s.Partitions, "partition"))
	}
	return "create the topic " + s.Topic
}

// Plan returns the steps that create what is missing. deduplicate turns it on for the namespaces whose topics do not
// have it.
func (s *State) Plan(deduplicate bool) []Step {
	var steps []Step
	missing := map[Missing]bool{}
	for _, m := range s.Missing {
		missing[Missing{Topic: m.Topic, Subscription: m.Subscription}] = true
	}
	namespaces := map[string]bool{}
	for _, t := range s.Topics {
		ns := Namespaces([]*Need{t.Need})[0]
		if deduplicate && !namespaces[ns] && (t.Topic == nil || !t.Topic.Deduplicates) {
			namespaces[ns] = true
			steps = append(steps, Step{Namespace: ns})
		}
	}
	for _, t := range s.Topics {
		isNew := missing[Missing{Topic: t.Need.Topic}]
		if isNew {
			steps = append(steps, Step{Topic: t.Need.Topic, Partitions: t.Need.Partitions})
		}
		for _, need := range t.Need.Subscriptions {
			if isNew || missing[Missing{Topic: t.Need.Topic, Subscription: need.Name}] {
				steps = append(steps, Step{Topic: t.Need.Topic, Subscription: need.Name})
			}
		}
	}
	return steps
}

// Check refuses namespaces that do not exist: they are never created.
func Check(ctx context.Context, api API, needs []*Need) error {
	for _, ns := range Namespaces(needs) {
		ok, err := api.HasNamespace(ctx, ns)
		switch {
		case errors.Is(err, admin.ErrForbidden): // the role may still create topics
		case err != nil:
			return err
		case !ok:
			return fmt.Errorf("the namespace %s does not exist: bqgen creates no tenants and namespaces", ns)
		}
	}
	return nil
}

// Apply carries out the steps, in order. done is called after each. What somebody else has created meanwhile is fine.
func Apply(ctx context.Context, api API, steps []Step, done func(Step)) error {
	for _, s := range steps {
		var err error
		switch {
		case s.Namespace != "":
			err = api.SetDeduplication(ctx, s.Namespace)
		case s.Subscription != "":
			err = api.CreateSubscription(ctx, s.Topic, s.Subscription)
		default:
			err = api.CreateTopic(ctx, s.Topic, s.Partitions)
		}
		if err != nil && !errors.Is(err, admin.ErrExists) {
			return err
		}
		done(s)
	}
	return nil
}
