package bqtest

// block notes that the consumer holds as many messages as it may, on Shared and Key_Shared: the broker sends it no
// more.
func (l *link) block() {
	if most := l.topic.maxUnacked(); most > 0 && l.unacked >= most {
		l.blocked = true
	}
}

// unblock lets the consumer have messages again when it holds no more than half of what it may.
func (l *link) unblock() {
	if l.unacked <= l.topic.maxUnacked()/2 {
		l.blocked = false
	}
}

func (t *topic) maxUnacked() int { return 0 }
