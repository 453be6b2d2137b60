package flow

import "time"

// This file owns the look-up of messages by their ids, and the memory of those that are done.

// How long, and for how many messages of a partition, the registry remembers that they are done. Not for ever: when a
// subscription is reset on purpose, the same ids come again and are to be handled. The time is late while reception
// is held back; see aging.
const (
	rememberFor  = 10 * time.Second
	rememberMost = 65_536
)

// pageSize is how many entries of a ledger share a page. Ids come in order, mostly, so most look-ups find their page
// where the one before did.
const pageSize = 16

// A page has the messages that are alone in their entries.
type page struct {
	messages [pageSize]*delivery // nil: not known
	used     int
}

// A pageKey identifies a page within a partition. member is that of an id whose batch has no size, and usually 0.
type pageKey struct {
	ledger, number int64
	member         int32
}

// settledMessage stands for a message that is done.
var settledMessage = new(delivery)

// A memory is a message that is done, or an entry of which all members are.
type memory struct {
	key   key
	entry *entry // nil for a message that is alone
	count int    // of messages
	when  time.Time
}

func pageOf(k key) (of pageKey, place int) {
	return pageKey{k.ledger, k.entry / pageSize, k.member}, int(uint64(k.entry) % pageSize)
}

// page returns the page of a message, or nil if there is none.
func (p *partition) page(k pageKey) *page {
	if p.lastPage != nil && p.lastPageKey == k {
		return p.lastPage
	}
	found := p.pages[k]
	if found != nil {
		p.lastPage, p.lastPageKey = found, k
	}
	return found
}

// find returns the delivery of a message: settledMessage if the message is done, nil if it is not known. e is the entry
// that the message is a member of, or nil.
func (p *partition) find(k key, e *entry) *delivery {
	if e != nil {
		if int(k.member) >= len(e.members) {
			return nil
		}
		return e.members[k.member]
	}
	number, place := pageOf(k)
	page := p.page(number)
	if page == nil {
		return nil
	}
	return page.messages[place]
}

// put notes the delivery of a message, or nil to forget it.
func (p *partition) put(k key, e *entry, d *delivery) {
	if e != nil {
		e.put(int(k.member), d)
		return
	}
	number, place := pageOf(k)
	of := p.page(number)
	if of == nil {
		if d == nil {
			return
		}
		of = new(page)
		p.pages[number] = of
		p.lastPage, p.lastPageKey = of, number
	}
	before := of.messages[place]
	of.messages[place] = d
	switch {
	case before == nil && d != nil:
		of.used++
	case before != nil && d == nil:
		of.used--
	}
	if of.used == 0 {
		delete(p.pages, number)
		p.lastPage = nil
	}
}

// remember notes that a message is done. Members of an entry are remembered until some time after the whole entry is
// confirmed.
func (p *partition) remember(d *delivery, now time.Time) {
	p.put(d.key, d.entry, settledMessage)
	if d.entry == nil {
		p.memorize(memory{key: d.key, count: 1, when: now})
	}
}

func (p *partition) memorize(m memory) {
	p.memory = append(p.memory, m)
	p.remembered += m.count
}

// forget lets go of what was remembered for long enough.
func (p *partition) forget(now time.Time) {
	for p.forgot < len(p.memory) {
		oldest := p.memory[p.forgot]
		if p.remembered <= rememberMost && now.Sub(oldest.when) < rememberFor {
			break
		}
		p.memory[p.forgot] = memory{}
		p.forgot++
		p.remembered -= oldest.count
		if oldest.entry != nil {
			p.forgetEntry(oldest, now)
		} else if p.find(oldest.key, nil) == settledMessage {
			p.put(oldest.key, nil, nil)
		}
	}
	if p.forgot > 1024 && p.forgot > len(p.memory)/2 {
		rest := copy(p.memory, p.memory[p.forgot:])
		clear(p.memory[rest:])
		p.memory = p.memory[:rest]
		p.forgot = 0
	}
}
