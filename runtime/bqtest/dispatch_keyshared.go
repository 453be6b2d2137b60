package bqtest

import (
	"hash/fnv"
	"io"
	"strconv"
)

// keyOwners keeps the messages of a key with one consumer, in order. A key belongs to the consumer that its hash picks;
// while a message of the key is with another consumer (one has joined or left since), the key waits.
type keyOwners struct {
	held    map[string]*keyHold
	blocked map[string]bool // keys passed over in this round
}

type keyHold struct {
	by *link
	n  int // messages in flight
}

func newKeyOwners() *keyOwners { return &keyOwners{held: map[string]*keyHold{}} }

func (k *keyOwners) reset() { k.held = map[string]*keyHold{} }

// begin starts a round over the entries in order.
func (k *keyOwners) begin() { k.blocked = map[string]bool{} }

// choose picks the entry's consumer and notes that it holds one more of the key's messages. It returns nil if the entry
// has to wait, and then so do those of the same key that follow it in this round.
func (k *keyOwners) choose(e *entry, links []*link) *link {
	key := stickyKey(e)
	if k.blocked[key] {
		return nil
	}
	owner := ownerOf(key, links)
	h := k.held[key]
	if owner == nil || !owner.hasRoom() || (h != nil && h.by != owner) {
		k.blocked[key] = true
		return nil
	}
	if h == nil {
		h = &keyHold{by: owner}
		k.held[key] = h
	}
	h.n++
	return owner
}

func (k *keyOwners) release(e *entry) {
	key := stickyKey(e)
	if h := k.held[key]; h != nil {
		if h.n--; h.n == 0 {
			delete(k.held, key)
		}
	}
}

// stickyKey is what an entry is kept together with others by: its message's ordering key, else its key. An entry with
// neither is alone, so that such messages spread. Of a batch the client tells the broker only the first message's key.
func stickyKey(e *entry) string {
	m := e.first()
	switch {
	case m.orderingKey != "" && !e.batched:
		return "k" + m.orderingKey
	case m.key != "":
		return "k" + m.key
	}
	return "n" + m.producer + "-" + strconv.FormatInt(e.id, 10)
}

// ownerOf picks a consumer by hash such that one that joins or leaves moves only the keys it gains or had: each pair of
// key and consumer has a weight, and the heaviest wins.
func ownerOf(key string, links []*link) *link {
	var owner *link
	var most uint64
	for _, l := range links {
		h := fnv.New64a()
		_, _ = io.WriteString(h, l.c.opts.Name)
		_, _ = h.Write([]byte{0})
		_, _ = io.WriteString(h, key)
		if w := mix(h.Sum64()); owner == nil || w > most {
			owner, most = l, w
		}
	}
	return owner
}

// mix spreads the bits: FNV's high bits hardly depend on the last bytes.
func mix(x uint64) uint64 {
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	return x ^ x>>33
}
