package bqtest

// handedOn is how many messages the client has on the way from the receiver queue to the application. They are out of
// the queue: the broker may send others for them, and they stay when the connection is lost, so that the application
// gets them although the broker delivers them again.
const handedOn = 10

// push adds a delivery to the receiver queue.
func (c *consumer) push(d *delivery) {
	if c.givesUp(d) {
		c.giveUp(d)
		return
	}
	c.queue = append(c.queue, d)
	c.handOn()
	if c.next() == d {
		c.wake.fire()
	}
}

// handOn moves messages from the receiver queue on to the application, as far as there is room for them. Once Chan was
// called its channel is that room.
func (c *consumer) handOn() {
	for !c.pumping && len(c.queue) > 0 && len(c.ready) < handedOn {
		c.ready = append(c.ready, c.takeFromQueue())
	}
}

// takeFromQueue makes room in the receiver queue for another message.
func (c *consumer) takeFromQueue() *delivery {
	d := c.queue[0]
	c.queue[0] = nil
	if c.queue = c.queue[1:]; len(c.queue) == 0 {
		c.queue = nil
	}
	if !c.opts.EnableZeroQueueConsumer {
		d.link.permits++
	}
	return d
}

// next is the message that the application gets next, or nil.
func (c *consumer) next() *delivery {
	switch {
	case len(c.ready) > 0:
		return c.ready[0]
	case len(c.queue) > 0:
		return c.queue[0]
	}
	return nil
}

// pop takes the next message out. It returns nil if there is none.
func (c *consumer) pop() *delivery {
	var d *delivery
	switch {
	case len(c.ready) > 0:
		d, c.ready = c.ready[0], c.ready[1:]
		c.handOn()
	case len(c.queue) > 0:
		d = c.takeFromQueue()
	default:
		return nil
	}
	for _, l := range c.links {
		if l.connected {
			l.sub.d.dispatch()
		}
	}
	c.b.notify()
	return d
}

// discard empties the receiver queue of what came through a link. A reader goes on behind what it has returned, so it
// keeps nothing.
func (c *consumer) discard(l *link) {
	c.queue = without(c.queue, l)
	if c.reads {
		c.ready = without(c.ready, l)
	}
	c.wake.fire()
}

func without(deliveries []*delivery, l *link) []*delivery {
	var kept []*delivery
	for _, d := range deliveries {
		if d.link != l {
			kept = append(kept, d)
		}
	}
	return kept
}

// read acknowledges a message that a reader returns.
func (d *delivery) read() {
	d.settled = acknowledged
	d.link.last = d
	if d.ack(d.index) {
		d.link.sub.ack(d.entry.id)
		d.link.sub.acknowledged()
	}
}
