package bqtest

// signal wakes everything that waits on it. It is used with the broker locked; the channel is then waited on without
// the lock. Get the channel before looking at the state, and no change is missed.
type signal struct{ ch chan struct{} }

func (s *signal) wait() <-chan struct{} {
	if s.ch == nil {
		s.ch = make(chan struct{})
	}
	return s.ch
}

func (s *signal) fire() {
	if s.ch != nil {
		close(s.ch)
		s.ch = nil
	}
}
