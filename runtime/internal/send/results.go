package send

import (
	"reflect"
	"runtime"
)

// queue has the callback of an item called. The caller holds the lock.
func (l *lane) queue(it *Item) {
	l.results = append(l.results, it)
	it.uses++
	l.uncalled++
	if !l.calling {
		l.calling = true
		go l.call()
	}
}

// fail has the callback of an item called that was not accepted, and reports whether it will be.
func (l *lane) fail(it *Item) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.evicted {
		return false
	}
	it.lane = l
	l.queue(it)
	return true
}

// call calls callbacks until there are none left. If one of them ends the goroutine, another goes on.
func (l *lane) call() {
	ended := false
	defer func() {
		if !ended {
			l.mu.Lock()
			l.afterCall()
			l.mu.Unlock()
			go l.call()
		}
	}()
	l.mu.Lock()
	for {
		if l.called == len(l.calls) {
			clear(l.calls)
			l.calls, l.results = l.results, l.calls[:0]
			l.called = 0
		}
		if len(l.calls) == 0 {
			l.calling = false
			ended = true
			l.after()
			return
		}
		it := l.calls[l.called]
		l.mu.Unlock()
		l.acknowledged(it)
		l.pool.invoke(it)
		l.mu.Lock()
		l.afterCall()
	}
}

// afterCall takes in that a callback was called. The caller holds the lock.
func (l *lane) afterCall() {
	it := l.calls[l.called]
	it.reach(true)
	l.called++
	l.uncalled--
	l.drop(it)
	l.release()
}

// acknowledged tells the interceptors of a confirmed message.
func (l *lane) acknowledged(it *Item) {
	if it.err != nil || it.producer == nil {
		return
	}
	for _, i := range l.guard.interceptors {
		err := l.pool.config.Protect(func() error {
			i.OnSendAcknowledgement(it.producer.Producer, &it.Message, it.id)
			return nil
		})
		if err != nil {
			l.pool.config.Report("a producer interceptor panicked", err)
		}
	}
}

// invoke calls the callback of an item.
func (p *Pool) invoke(it *Item) {
	if it.callback == nil {
		return
	}
	defer func() {
		if value := recover(); value != nil {
			p.config.Report("a callback panicked", p.config.Panicked(value))
		}
	}()
	it.callback.Sent(it.id, it.err)
}

var invokeName = runtime.FuncForPC(reflect.ValueOf((*Pool).invoke).Pointer()).Name()

// insideCallback reports whether its caller was called by a callback.
func insideCallback() bool {
	var pcs [64]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		if n == 0 {
			return false
		}
		for frames := runtime.CallersFrames(pcs[:n]); ; {
			frame, more := frames.Next()
			if frame.Function == invokeName {
				return true
			}
			if !more {
				break
			}
		}
	}
}
