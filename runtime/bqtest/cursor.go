package bqtest

// cursor says what a subscription has acknowledged: everything below mark, and
// single entries above it.
type cursor struct {
	t     *topic
	mark  int64
	acked map[int64]bool
}

// has says whether the entry is acknowledged.
func (c *cursor) has(id int64) bool { return id < c.mark || c.acked[id] }

// ack acknowledges one entry and says whether that was news.
func (c *cursor) ack(id int64) bool {
	if c.has(id) || id >= c.t.end() {
		return false
	}
	c.acked[id] = true
	for c.acked[c.mark] {
		delete(c.acked, c.mark)
		c.mark++
	}
	return true
}

// backlog counts the entries that are not acknowledged.
func (c *cursor) backlog() int { return int(c.t.end()-c.mark) - len(c.acked) }

// reset moves the cursor: id is the next entry to be read. What was trimmed
// cannot come back.
func (c *cursor) reset(id int64) {
	c.mark = min(max(id, c.t.first), c.t.end())
	c.acked = map[int64]bool{}
}
