package reader_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/reader"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

const (
	topic    = "orders"
	patience = 10 * time.Second
)

// A client makes readers that do to their messages what the fault says.
type client struct {
	pulsar.Client
	fault   func(r *faulty)
	stays   bool // connected when it seeks
	breaks  bool // its connection when it seeks for the first time
	readers int
	refuse  []error // what CreateReader returns first, after the first reader
}

func (c *client) CreateReader(opts pulsar.ReaderOptions) (pulsar.Reader, error) {
	if c.readers > 0 && len(c.refuse) > 0 {
		err := c.refuse[0]
		c.refuse = c.refuse[1:]
		return nil, err
	}
	quiet := opts
	if c.stays {
		quiet.BackoffPolicyFunc = nil
	}
	r, err := c.Client.CreateReader(quiet)
	c.readers++
	return &faulty{Reader: r, client: c, number: c.readers, opts: opts}, err
}

// faulty is a reader of a client that loses messages.
type faulty struct {
	pulsar.Reader
	client *client
	number int // of the client's readers
	opts   pulsar.ReaderOptions
	calls  int // of Next
	sought int
}

func (r *faulty) Next(ctx context.Context) (pulsar.Message, error) {
	r.calls++
	if r.client.fault != nil {
		r.client.fault(r)
	}
	return r.Reader.Next(ctx)
}

func (r *faulty) SeekByTime(t time.Time) error {
	r.sought++
	if r.client.breaks {
		r.client.breaks = false
		time.AfterFunc(time.Millisecond, func() { r.opts.BackoffPolicyFunc().Reset() })
		return errors.New("connection closed")
	}
	return r.Reader.SeekByTime(t)
}

// reconnect does what the client does when it reconnects, and loses as many messages as said.
func (r *faulty) reconnect(lost int) {
	policy := r.opts.BackoffPolicyFunc()
	for range lost {
		if !r.HasNext() {
			break
		}
		if _, err := r.Reader.Next(context.Background()); err != nil {
			panic(err)
		}
	}
	policy.Reset()
}

func newBroker(t *testing.T) *bqtest.Broker {
	return bqtest.NewBroker(t, bqtest.WithRetention(), bqtest.WithManualClock(time.Now()))
}

// publish sends messages 1 to n, a second apart.
func publish(t *testing.T, broker *bqtest.Broker, n int) (ids []pulsar.MessageID, times []time.Time) {
	t.Helper()
	p, err := broker.Client().CreateProducer(pulsar.ProducerOptions{Topic: topic})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for i := range n {
		broker.Advance(time.Second)
		id, err := p.Send(t.Context(), &pulsar.ProducerMessage{Payload: fmt.Append(nil, i+1)})
		if err != nil {
			t.Fatal(err)
		}
		ids, times = append(ids, id), append(times, broker.Now())
	}
	return ids, times
}

// readAll reads to the end.
func readAll(t *testing.T, c reader.Config) ([]string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var got []string
	err := reader.Read(ctx, c, func(m pulsar.Message) { got = append(got, string(m.Payload())) })
	return got, err
}

// open begins to read from the oldest message.
func open(t *testing.T, c *client) *reader.Reader {
	t.Helper()
	r, err := reader.Open(t.Context(), reader.Config{Client: c, Topic: topic, Timeout: patience, Start: reader.Earliest()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

func TestWhatTheClientLosesInAReconnectIsRead(t *testing.T) {
	all := []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}
	for name, tc := range map[string]struct {
		fault         func(*faulty)
		stays, breaks bool
		start         func(ids []pulsar.MessageID, times []time.Time) reader.Start
		want          []string
	}{
		"between two messages": {
			fault: func(r *faulty) {
				if r.number == 2 && r.calls == 4 {
					r.reconnect(1)
				}
			},
			want: all,
		},
		"before the first one": {
			fault: func(r *faulty) {
				if r.number == 2 && r.calls == 1 {
					r.reconnect(2)
				}
			},
			want: all,
		},
		"behind a message": {
			fault: func(r *faulty) {
				if r.number == 2 {
					r.reconnect(1)
				}
			},
			start: func(ids []pulsar.MessageID, _ []time.Time) reader.Start { return reader.Start{ID: ids[3]} },
			want:  all[4:],
		},
		"each time": {
			fault: func(r *faulty) {
				if r.calls == 3 {
					r.reconnect(1)
				}
			},
			want: all,
		},
		"after a seek": {
			fault: func(r *faulty) {
				if r.number == 2 && r.sought == 1 && r.calls == 3 {
					r.reconnect(0) // which may have been the seek's
					r.reconnect(1)
				}
			},
			start: func(_ []pulsar.MessageID, times []time.Time) reader.Start { return reader.Start{Time: times[4]} },
			want:  all[4:],
		},
		"after a seek that needs no reconnect": {
			stays: true,
			fault: func(r *faulty) {
				if r.number == 2 && r.sought == 1 && r.calls == 3 {
					r.reconnect(1)
				}
			},
			start: func(_ []pulsar.MessageID, times []time.Time) reader.Start { return reader.Start{Time: times[4]} },
			want:  all[4:],
		},
		"in a seek": {
			breaks: true,
			start:  func(_ []pulsar.MessageID, times []time.Time) reader.Start { return reader.Start{Time: times[4]} },
			want:   all[4:],
		},
	} {
		t.Run(name, func(t *testing.T) {
			broker := newBroker(t)
			ids, times := publish(t, broker, len(all))
			config := reader.Config{
				Client: &client{Client: broker.Client(), fault: tc.fault, stays: tc.stays, breaks: tc.breaks},
				Topic:  topic, Start: reader.Earliest(), Timeout: patience, Patience: patience,
			}
			if tc.start != nil {
				config.Start = tc.start(ids, times)
			}
			got, err := readAll(t, config)
			if err != nil || !slices.Equal(got, tc.want) {
				t.Errorf("%v and error %v, want %v", got, err, tc.want)
			}
		})
	}
}

// The client starts again at the latest message if it reconnects before it has returned one.
func TestWhatComesWhileAReaderReconnectsIsNotOlderThanTheLatest(t *testing.T) {
	broker := newBroker(t)
	publish(t, broker, 2)
	c := &client{Client: broker.Client()}
	c.fault = func(r *faulty) {
		if r.calls == 1 && r.number == 2 {
			publish(t, broker, 2)
			r.reconnect(1)
		}
	}
	r, err := reader.Open(t.Context(), reader.Config{
		Client: c, Topic: topic, Timeout: patience, Start: reader.Start{ID: pulsar.LatestMessageID()},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for _, want := range []string{"1", "2"} { // the second ones of this name
		if m, err := r.Next(ctx); err != nil || string(m.Payload()) != want {
			t.Fatalf("%v, %v, want %s", m, err, want)
		}
	}
}

func TestReopeningIsTriedUntilTheBrokerRefusesForGood(t *testing.T) {
	gone := errors.New("server error: TopicNotFound: topic does not exist")
	for name, tc := range map[string]struct {
		refuse []error
		want   error
	}{
		"the broker is away for a moment": {[]error{errors.New("connection error"), errors.New("connection error")}, nil},
		"the topic is gone":               {[]error{errors.New("connection error"), gone}, gone},
	} {
		t.Run(name, func(t *testing.T) {
			broker := newBroker(t)
			publish(t, broker, 5)
			c := &client{Client: broker.Client(), refuse: tc.refuse}
			c.fault = func(r *faulty) {
				if r.number == 1 && r.calls == 3 {
					r.reconnect(1)
				}
			}
			r := open(t, c)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			var last string
			var err error
			for range 5 {
				var m pulsar.Message
				if m, err = r.Next(ctx); err != nil {
					break
				}
				last = string(m.Payload())
			}
			if !errors.Is(err, tc.want) || err == nil && last != "5" {
				t.Errorf("error %v after message %s, want error %v", err, last, tc.want)
			}
		})
	}
}

func TestAReaderThatWaitsForABrokerSaysWhy(t *testing.T) {
	broker := newBroker(t)
	publish(t, broker, 2)
	c := &client{Client: broker.Client(), refuse: slices.Repeat([]error{errors.New("no route to host")}, 100)}
	c.fault = func(r *faulty) { r.reconnect(1) }
	r := open(t, c)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if _, err := r.Next(ctx); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no route") {
		t.Errorf("error %v, want that there was no time, and no route", err)
	}
}

func TestAReaderRestsBetweenSessionsThatBringNothing(t *testing.T) {
	broker := newBroker(t)
	publish(t, broker, 3)
	c := &client{Client: broker.Client()}
	c.fault = func(r *faulty) { // as of a terminated topic that was read to its end
		if r.number > 1 && !r.HasNext() || r.number == 1 && r.calls > 3 {
			r.reconnect(0)
		}
	}
	r := open(t, c)
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	n := 0
	var err error
	for ; err == nil; n++ {
		_, err = r.Next(ctx)
	}
	if n != 4 || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v after %d messages, want that the time is over after 3", err, n-1)
	}
	if c.readers > 8 {
		t.Errorf("the topic was opened %d times, want pauses", c.readers)
	}
}
