package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// A pipe carries the DevTools protocol: JSON texts, each followed by a zero byte.
type pipe struct {
	from, to *os.File // the browser
	last     int      // ID of the last call
	got      chan message
}

// A message is an answer or an event.
type message struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct{ Message string }
	failed error // what ended reading
}

func newPipe(from, to *os.File) *pipe {
	p := &pipe{from: from, to: to, got: make(chan message, 1000)}
	go p.receive()
	return p
}

// receive reads messages until the browser ends.
func (p *pipe) receive() {
	defer close(p.got)
	r := bufio.NewReader(p.from)
	for {
		text, err := r.ReadBytes(0)
		var m message
		if err == nil {
			err = json.Unmarshal(text[:len(text)-1], &m)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
				p.got <- message{failed: err}
			}
			return
		}
		p.got <- m
	}
}

// call calls a method and waits for its result. It passes the events that come in the meantime to event.
func (p *pipe) call(
	ctx context.Context, session, method string, params args, event func(string, json.RawMessage),
) (json.RawMessage, error) {
	p.last++
	call := args{"id": p.last, "method": method}
	if params != nil {
		call["params"] = params
	}
	if session != "" {
		call["sessionId"] = session
	}
	text, err := json.Marshal(call)
	if err != nil {
		return nil, err
	}
	if _, err := p.to.Write(append(text, 0)); err != nil {
		return nil, err
	}
	for {
		select {
		case m, ok := <-p.got:
			switch {
			case !ok:
				return nil, errors.New("the browser has ended")
			case m.failed != nil:
				return nil, m.failed
			case m.Method != "":
				event(m.Method, m.Params)
			case m.ID == p.last && m.Error != nil:
				return nil, fmt.Errorf("the browser reports: %s", m.Error.Message)
			case m.ID == p.last:
				return m.Result, nil
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// close closes the pipe and discards what is left to read, so that receive ends.
func (p *pipe) close() error {
	err := errors.Join(p.from.Close(), p.to.Close())
	for range p.got {
	}
	return err
}
