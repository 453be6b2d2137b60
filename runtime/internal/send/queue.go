package send

// A queue contains items in order. It uses the room of those removed again.
type queue struct {
	items   []*Item
	removed int
}

// all returns the items.
func (q *queue) all() []*Item { return q.items[q.removed:] }

// first returns the first item, or nil.
func (q *queue) first() *Item {
	if q.removed == len(q.items) {
		return nil
	}
	return q.items[q.removed]
}

// add appends an item.
func (q *queue) add(it *Item) {
	if len(q.items) == cap(q.items) && q.removed > len(q.items)/2 {
		n := copy(q.items, q.all())
		clear(q.items[n:])
		q.items, q.removed = q.items[:n], 0
	}
	q.items = append(q.items, it)
}

// remove removes the first item.
func (q *queue) remove() {
	q.items[q.removed] = nil
	if q.removed++; q.removed == len(q.items) {
		q.items, q.removed = q.items[:0], 0
	}
}
