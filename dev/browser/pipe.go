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

// A pipe carries the DevTools protocol: JSON texts, each with a zero byte behind it.
type pipe struct {
	in, out *os.File
	next    int
	got     chan message
}

// A message is an answer or an event.
type message struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct{ Message string }
	failed error // reading did
}

func newPipe(in, out *os.File) *pipe {
	p := &pipe{in: in, out: out, got: make(chan message, 1000)}
	go p.read()
	return p
}

// read reads until the browser is gone.
func (p *pipe) read() {
	defer close(p.got)
	r := bufio.NewReader(p.in)
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

// call sends a call and waits for its answer. Events that come in the meantime go to event.
func (p *pipe) call(ctx context.Context, session, method string, params args, event func(string, json.RawMessage)) (json.RawMessage, error) {
	p.next++
	call := args{"id": p.next, "method": method}
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
	if _, err := p.out.Write(append(text, 0)); err != nil {
		return nil, err
	}
	for {
		select {
		case m, ok := <-p.got:
			switch {
			case !ok:
				return nil, errors.New("the browser has gone")
			case m.failed != nil:
				return nil, m.failed
			case m.Method != "":
				event(m.Method, m.Params)
			case m.ID == p.next && m.Error != nil:
				return nil, fmt.Errorf("the browser says: %s", m.Error.Message)
			case m.ID == p.next:
				return m.Result, nil
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// close ends reading. What is left to read is thrown away, so that nothing waits for it.
func (p *pipe) close() error {
	err := errors.Join(p.in.Close(), p.out.Close())
	for range p.got {
	}
	return err
}
