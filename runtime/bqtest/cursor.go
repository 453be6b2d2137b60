package bqtest

// cursor records what a subscription has acknowledged: everything below mark, and single entries above it.
type cursor struct {
	t       *topic
	mark    int64
	acked   map[int64]bool
	backlog int // messages that are not acknowledged
}

// has reports whether the entry is acknowledged.
func (c *cursor) has(id int64) bool { return id < c.mark || c.acked[id] }

// published takes account of a new entry.
func (c *cursor) published(e *entry) { c.backlog += len(e.members) }

// ack acknowledges one entry and returns how many messages that settles: none if they were acknowledged before.
func (c *cursor) ack(id int64) int {
	e := c.t.at(id)
	if e == nil || c.has(id) {
		return 0
	}
	c.acked[id] = true
	for c.acked[c.mark] {
		delete(c.acked, c.mark)
		c.mark++
	}
	c.backlog -= len(e.members)
	return len(e.members)
}

// reset moves the cursor: id is the next entry to be read. What was trimmed cannot come back.
func (c *cursor) reset(id int64) {
	c.mark = min(max(id, c.t.first), c.t.end())
	c.acked = map[int64]bool{}
	c.backlog = 0
	for i := c.mark; i < c.t.end(); i++ {
		c.published(c.t.at(i))
	}
}
