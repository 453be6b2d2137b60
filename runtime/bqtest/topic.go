package bqtest

import (
	"sort"
	"time"

	"github.com/babelqueue/bqgen/runtime/bqtest/internal/wire"
)

// content is one message as a producer sent it. It never changes; consumers get copies.
type content struct {
	producer    string
	sequenceID  int64
	key         string
	orderingKey string
	properties  map[string]string
	payload     []byte
	seal        *seal // nil unless the payload is encrypted
	null        bool  // neither a payload nor a value was given
	publishTime time.Time
	eventTime   time.Time // zero if there was none
	schema      []byte    // the version of its schema; nil if it has none
}

// entry is what the broker stores, delivers and acknowledges as one: a message, or a producer's batch of them. It never
// changes.
type entry struct {
	id        int64 // its place in the topic
	ledger    int64
	number    int64 // within the ledger
	members   []*content
	batched   bool      // written by a producer that batches, if only one message
	deliverAt time.Time // zero if it is not delayed
	parts     []int64   // the entries that hold the chunks before the last, which is here
}

// chunk reports whether the entry holds a chunk of a message other than the last.
func (e *entry) chunk() bool { return len(e.members) == 0 }

// sealed reports whether the entry is encrypted.
func (e *entry) sealed() bool { return len(e.members) > 0 && e.first().seal != nil }

// swallowed reports whether the client acknowledges the entry without showing it to anybody: it takes an empty payload
// without properties, outside of a batch, for a corrupted message.
func (e *entry) swallowed() bool {
	if e.batched || len(e.members) != 1 {
		return false
	}
	m := e.first()
	return len(m.payload) == 0 && !m.null && len(m.properties) == 0
}

// first is the member whose key and publish time count for the whole entry.
func (e *entry) first() *content { return e.members[0] }

// topic is a topic that is not partitioned, or one partition: a log of entries, and the subscriptions that read it.
// Entry i of the slice has the id first+i.
type topic struct {
	b         *Broker
	name      wire.Topic
	ledgers   []ledger // the last one is being written
	first     int64
	entries   []*entry
	last      *entry // the last one published; nil if there was none
	subs      map[string]*subscription
	producers map[string]*partitionProducer
	sent      int // messages

	terminated bool
}

// ledger is a stretch of a topic. A topic begins one each time it is loaded, and message ids count from 0 in each.
type ledger struct {
	id    int64
	start int64 // the id of its first entry
}

// topic returns the topic of that name. It makes the topic if need be.
func (b *Broker) topic(tn wire.Topic) *topic {
	if t := b.topics[tn.Full]; t != nil {
		return t
	}
	t := &topic{
		b: b, name: tn,
		subs:      map[string]*subscription{},
		producers: map[string]*partitionProducer{},
	}
	t.beginLedger()
	b.topics[tn.Full] = t
	b.notify()
	return t
}

func (t *topic) beginLedger() {
	t.b.lastLedger++
	t.ledgers = append(t.ledgers, ledger{id: t.b.lastLedger, start: t.end()})
}

// end is the id of the next entry.
func (t *topic) end() int64 { return t.first + int64(len(t.entries)) }

// at returns the entry with that id, or nil if it is not kept.
func (t *topic) at(id int64) *entry {
	if id < t.first || id >= t.end() {
		return nil
	}
	return t.entries[id-t.first]
}

// find returns the id of an entry by what its message id says, and whether the topic has ever had it.
func (t *topic) find(ledger, number int64) (id int64, found bool) {
	for i, l := range t.ledgers {
		if l.id != ledger {
			continue
		}
		id, end := l.start+number, t.end()
		if i+1 < len(t.ledgers) {
			end = t.ledgers[i+1].start
		}
		return id, number >= 0 && id < end
	}
	return 0, false
}

// position returns the id of the entry that a ledger and a number stand for, -1 for what lies before the topic and the
// topic's end for what lies behind it.
func (t *topic) position(ledger, number int64) int64 {
	i := sort.Search(len(t.ledgers), func(i int) bool { return t.ledgers[i].id > ledger })
	switch {
	case i == 0:
		return -1
	case t.ledgers[i-1].id < ledger:
		return t.end()
	}
	return min(t.ledgers[i-1].start+number, t.end())
}

// publish stores an entry and hands it to the subscriptions.
func (t *topic) publish(e *entry) {
	if !t.name.Persistent {
		t.passOn(e)
		return
	}
	current := t.ledgers[len(t.ledgers)-1]
	e.id, e.ledger = t.end(), current.id
	e.number = e.id - current.start
	t.entries = append(t.entries, e)
	t.last = e
	t.sent += len(e.members)
	for _, s := range t.subs {
		s.cursor.published(e)
		s.d.dispatch()
	}
	t.trim()
	t.b.notify()
}

// passOn hands an entry of a non-persistent topic to the consumers that have room for it. Nothing is kept, and every
// entry has the same id.
func (t *topic) passOn(e *entry) {
	t.sent += len(e.members)
	for _, s := range t.subs {
		s.d.pass(e)
	}
	t.b.notify()
}

// trim drops the entries that no subscription needs.
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
