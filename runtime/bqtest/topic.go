package bqtest

import "time"

// entry is one stored message. It never changes; consumers get copies.
type entry struct {
	id          int64
	producer    string
	sequenceID  int64
	key         string
	orderingKey string
	properties  map[string]string
	payload     []byte
	null        bool // neither a payload nor a value was given
	batched     bool // the real client would have sent it in a batch
	publishTime time.Time
	eventTime   time.Time // zero when there was none
	deliverAt   time.Time // zero when not delayed
}

// topic is a topic that is not partitioned, or one partition: a log of
// entries, and the subscriptions that read it. Entry i of the slice has the id
// first+i.
type topic struct {
	b         *Broker
	name      topicName
	ledger    int64
	first     int64
	entries   []*entry
	subs      map[string]*subscription
	producers map[string]*partitionProducer
	sent      int
}

// topic gives the topic of that name and makes it if need be.
func (b *Broker) topic(tn topicName) *topic {
	if t := b.topics[tn.full]; t != nil {
		return t
	}
	b.lastLedger++
	t := &topic{
		b: b, name: tn, ledger: b.lastLedger,
		subs:      map[string]*subscription{},
		producers: map[string]*partitionProducer{},
	}
	b.topics[tn.full] = t
	b.notify()
	return t
}

// end is the id the next entry will have.
func (t *topic) end() int64 { return t.first + int64(len(t.entries)) }

// at gives the entry of that id, or nil if it is not kept.
func (t *topic) at(id int64) *entry {
	if id < t.first || id >= t.end() {
		return nil
	}
	return t.entries[id-t.first]
}

// publish stores an entry and hands it to the subscriptions.
func (t *topic) publish(e *entry) {
	e.id = t.end()
	t.entries = append(t.entries, e)
	t.sent++
	for _, s := range t.subs {
		s.d.dispatch()
	}
	t.trim()
	t.b.notify()
}

// trim lets go of the entries that no subscription needs.
func (t *topic) trim() {
	if t.b.retention {
		return
	}
	keep := t.end()
	for _, s := range t.subs {
		keep = min(keep, s.cursor.mark)
	}
	if keep <= t.first {
		return
	}
	n := keep - t.first
	clear(t.entries[:n]) // the array behind the slice lives on
	t.entries = t.entries[n:]
	if len(t.entries) == 0 {
		t.entries = nil
	}
	t.first = keep
}
