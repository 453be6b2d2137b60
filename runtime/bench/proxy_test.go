package bench

import (
	"bytes"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// A hop is a way to the broker that takes its time, as a network does.
type hop struct {
	delay    time.Duration
	from, to string // HOST:PORT of the broker, and of the hop
	listener net.Listener
}

// newHop starts a hop to the broker at url and returns the URL of the hop. The broker's own address, which it tells in
// look-ups, is replaced on the way by the hop's, which is as long.
func newHop(t *testing.T, url string, delay time.Duration) string {
	t.Helper()
	from := strings.TrimPrefix(url, "pulsar://")
	for {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if len(l.Addr().String()) == len(from) {
			h := &hop{delay: delay, from: from, to: l.Addr().String(), listener: l}
			t.Cleanup(func() { l.Close() })
			go h.accept()
			return "pulsar://" + h.to
		}
		l.Close()
	}
}

func (h *hop) accept() {
	for {
		client, err := h.listener.Accept()
		if err != nil {
			return
		}
		broker, err := net.Dial("tcp", h.from)
		if err != nil {
			client.Close()
			return
		}
		go h.carry(broker, client, nil)
		go h.carry(client, broker, func(b []byte) []byte {
			return bytes.ReplaceAll(b, []byte(h.from), []byte(h.to))
		})
	}
}

// carry copies what comes, each piece half the delay after it came.
func (h *hop) carry(to io.WriteCloser, from io.Reader, change func([]byte) []byte) {
	type piece struct {
		data []byte
		due  time.Time
	}
	pieces := make(chan piece, 10_000)
	go func() {
		defer to.Close()
		for p := range pieces {
			time.Sleep(time.Until(p.due))
			if _, err := to.Write(p.data); err != nil {
				return
			}
		}
	}()
	defer close(pieces)
	for {
		buffer := make([]byte, 64<<10)
		n, err := from.Read(buffer)
		if n > 0 {
			data := buffer[:n]
			if change != nil {
				data = change(data)
			}
			pieces <- piece{data, time.Now().Add(h.delay / 2)}
		}
		if err != nil {
			return
		}
	}
}
