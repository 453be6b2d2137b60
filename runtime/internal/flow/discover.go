package flow

import (
	"log/slog"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/babelqueue/bqgen/internal/topic"
)

// This file owns the topics of prefixes that appear while the flow runs. Whenever there are new ones, they become
// another source.

// discoverEvery is how often new topics are looked for by default, as by the client.
const discoverEvery = time.Minute

// discoverShare is how much longer than a look that found nothing the time to the next one is at least, so that short
// periods do not have a broker with many topics list them all the time. It never makes that time longer than
// discoverEvery: a look may take long for other reasons, such as a broker that was away.
const discoverShare = 10

// A discovery is the topics of a prefix, by the source that has them.
type discovery struct {
	f      *Flow
	from   Source
	topics map[*source][]string
}

// discover looks for the topics of prefixes until receiving ends. sources are the first ones.
func (f *Flow) discover(sources []*source) {
	for _, s := range sources {
		if s.from.Subscription.Prefix == nil {
			continue
		}
		d := &discovery{f: f, from: s.from, topics: map[*source][]string{}}
		f.discoveries.Go(func() {
			if d.learn(s) {
				d.run()
			}
		})
	}
}

// run looks for new topics every now and then.
func (d *discovery) run() {
	every := discoverEvery
	if t := d.from.Subscription.Template; t != nil && t.AutoDiscoveryPeriod > 0 {
		every = t.AutoDiscoveryPeriod
	}
	wait := every
	for pause(d.f.receiving, wait); d.f.receiving.Err() == nil; pause(d.f.receiving, wait) {
		d.forget()
		began := time.Now()
		found := d.find()
		wait = untilNextLook(every, time.Since(began), found)
	}
}

// untilNextLook returns the time between two looks for new topics, the first of which took so long. One that found some
// spent its time on subscribing to them, which the next one does not do again.
func untilNextLook(every, took time.Duration, found bool) time.Duration {
	if found {
		return every
	}
	return max(every, min(discoverShare*took, discoverEvery))
}

// learn finds out which topics a source has. It reports false if receiving has ended.
func (d *discovery) learn(s *source) bool {
	for d.f.receiving.Err() == nil {
		ids, err := untilDone(d.f.receiving, s.consumer.GetLastMessageIDs)
		if err == nil {
			d.topics[s] = []string{}
			for _, id := range ids {
				if name := topic.WithoutPartition(id.Topic()); !slices.Contains(d.topics[s], name) {
					d.topics[s] = append(d.topics[s], name)
				}
			}
			return true
		}
		d.f.config.Logger.Warn("the topics of a prefix are not to be found out, it is tried again", slog.Any("error", err))
		pause(d.f.receiving, receivePause)
	}
	return false
}

// find makes a source of the topics that are new, and reports whether there were any. One that cannot be subscribed to
// is left out, for now.
func (d *discovery) find() bool {
	known := slices.Concat(slices.Collect(maps.Values(d.topics))...)
	for d.f.receiving.Err() == nil {
		s, err := d.f.openSource(d.f.receiving, d.from, known)
		if err == nil {
			return d.take(s)
		}
		if d.f.receiving.Err() != nil {
			return false
		}
		d.f.config.Logger.Warn("new topics cannot be subscribed to, it is tried again", slog.Any("error", err))
		refused := refusedTopic.FindStringSubmatch(err.Error())
		if refused == nil || slices.Contains(known, refused[1]) {
			return false
		}
		known = append(known, refused[1])
	}
	return false
}

// refusedTopic finds the topic in the client's error; there is no other way to know it.
var refusedTopic = regexp.MustCompile(`unable to subscribe to topic=([^\s:]+://[^\s:]+)`)

// take receives from a source, unless it has no topics. It reports whether it has any.
func (d *discovery) take(s *source) bool {
	if !d.learn(s) || len(d.topics[s]) == 0 {
		delete(d.topics, s)
		closeConsumer(d.f.receiving, s.consumer)
		return false
	}
	d.f.config.Logger.Info("found new topics", slog.Any("topics", d.topics[s]))
	d.f.mu.Lock()
	s.answer = Answer{Connected: true, Since: time.Now()}
	d.f.sources = append(slices.Clip(d.f.sources), s)
	d.f.mu.Unlock()
	go d.f.receive(s)
	return true
}

// forget closes sources of which the broker has closed a topic for good, such as one that was deleted: the others of
// its topics are found again.
func (d *discovery) forget() {
	for s, topics := range d.topics {
		select {
		case err := <-s.closed:
			d.f.config.Logger.Warn("the broker closed a topic for good", slog.Any("one_of", topics), slog.Any("error", err))
		default:
			continue
		}
		delete(d.topics, s)
		d.f.mu.Lock()
		s.gone = true
		d.f.sources = slices.DeleteFunc(slices.Clone(d.f.sources), func(other *source) bool { return other == s })
		d.f.mu.Unlock()
		closeConsumer(d.f.receiving, s.consumer)
	}
}
