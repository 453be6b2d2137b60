package interop

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/babelqueue/bqgen/dev/python"
)

//go:embed requirements.txt
var requirements []byte

// environmentTimeout bounds the creation of the virtual environment, which at first downloads a few megabytes.
const environmentTimeout = 5 * time.Minute

func TestMain(m *testing.M) {
	code := m.Run()
	if started != nil {
		started.stop()
	}
	os.Exit(code)
}

// A peer is the running Python program. It handles calls concurrently.
type peer struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser

	mu    sync.Mutex
	calls int
	open  map[int]chan answer
	ended error // why no more answers come
}

// An answer is the result of a call.
type answer struct {
	Call   int
	Result json.RawMessage
	Error  string
}

// started is the peer that all tests share, started on first use.
var started *peer

var startOnce = sync.OnceValues(func() (p *peer, err error) {
	started, err = startPeer()
	return started, err
})

func startPeer() (*peer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), environmentTimeout)
	defer cancel()
	env, err := python.Environment(ctx, requirements)
	if err != nil {
		return nil, err
	}
	p := &peer{cmd: env.Command(context.Background(), "peer.py"), open: make(map[int]chan answer)}
	p.cmd.Stderr = os.Stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go p.read(stdout)
	return p, nil
}

// read delivers answers to the calls that wait for them.
func (p *peer) read(stdout io.Reader) {
	answers := bufio.NewScanner(stdout)
	answers.Buffer(nil, 64<<20)
	for answers.Scan() {
		var a answer
		if err := json.Unmarshal(answers.Bytes(), &a); err != nil {
			p.end(fmt.Errorf("the peer answers %.200q: %w", answers.Bytes(), err))
			return
		}
		p.mu.Lock()
		waiting := p.open[a.Call]
		delete(p.open, a.Call)
		p.mu.Unlock()
		waiting <- a
	}
	p.end(errors.Join(errors.New("the peer has ended"), answers.Err()))
}

func (p *peer) end(why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = why
	for _, waiting := range p.open {
		close(waiting)
	}
	p.open = nil
}

// send starts a call.
func (p *peer) send(op string, arguments args) (<-chan answer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended != nil {
		return nil, p.ended
	}
	p.calls++
	request := args{"call": p.calls, "op": op}
	for name, value := range arguments {
		request[name] = value
	}
	line, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	if _, err := p.stdin.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	waiting := make(chan answer, 1)
	p.open[p.calls] = waiting
	return waiting, nil
}

// stop ends the peer.
func (p *peer) stop() {
	p.stdin.Close()
	p.cmd.Wait()
}

// args are the arguments of a call by name.
type args map[string]any

// fataler is the part of a test that a call needs; rapid's T implements it too.
type fataler interface {
	Helper()
	Fatalf(format string, args ...any)
}

// ask makes the peer carry out op and returns its result. It fails the test when the peer reports an error.
func ask[R any](t fataler, p *peer, op string, arguments args) R {
	t.Helper()
	result, err := try[R](p, op, arguments)
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	return result
}

// try is like ask but returns the peer's error.
func try[R any](p *peer, op string, arguments args) (result R, err error) {
	waiting, err := p.send(op, arguments)
	if err != nil {
		return result, err
	}
	select {
	case a, ok := <-waiting:
		switch {
		case !ok:
			return result, p.ended
		case a.Error != "":
			return result, errors.New(a.Error)
		}
		return result, json.Unmarshal(a.Result, &result)
	case <-time.After(2 * patience): // it gives up by itself before
		return result, fmt.Errorf("no answer within %s", 2*patience)
	}
}

// thePeer returns the peer. Without Python it skips the test; in CI it fails it.
func thePeer(t *testing.T) *peer {
	t.Helper()
	p, err := startOnce()
	if errors.Is(err, python.ErrUnavailable) && os.Getenv("CI") != "true" {
		t.Skipf("left out: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPeerIsTheReleaseThatIsComparedWith(t *testing.T) {
	type versions struct {
		SDK    string `json:"babelqueue"`
		Client string `json:"pulsar-client"`
	}
	if got, want := ask[versions](t, thePeer(t), "hello", nil), (versions{"1.24.0", "3.13.0"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
