package deadletters

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/inspect"
	"github.com/babelqueue/bqgen/internal/pace"
)

// Options say what is done with the letters that a filter chooses.
type Options struct {
	Filter Filter
	Window int     // how many are under way at a time; 0 is 16
	Rate   float64 // messages a second; 0 is no limit
	Force  bool    // also what would not be accepted today
	AsIs   bool    // also poison, as its original bytes
	Data   []byte  // an edited payload for the one letter that is chosen
	Drop   bool    // acknowledge and do not send
	Save   func(*Letter) error

	Progress func(Progress)
}

// DefaultWindow is how many messages a kill can repeat, unless an option says otherwise.
const DefaultWindow = 16

func (o *Options) window() int32 {
	if o.Window <= 0 {
		return DefaultWindow
	}
	return int32(o.Window)
}

// A Progress is how far a run is.
type Progress struct {
	Done, Total int
	PerSecond   float64
	Left        time.Duration // negative if it cannot be told
	// Waiting is since when the broker does not answer; zero if it does.
	Waiting time.Time
	Why     error
}

// A Plan is what a run would do.
type Plan struct {
	Chosen   int
	Selected int            // of these, what is sent or dropped
	Held     map[string]int // what is left, by cause
	Foreign  int            // dead letters of other queues on the same topic
	Met      map[string]int // how often each id that was asked for was met
	until    bounds
}

// Plan reads all letters and decides what would be done. It changes nothing.
func (b *Box) Plan(ctx context.Context, o *Options) (*Plan, error) {
	p := &Plan{Held: map[string]int{}, Met: map[string]int{}, until: bounds{}}
	for _, id := range o.Filter.IDs {
		p.Met[id] = 0
	}
	c := collector{o: o, group: func(letters []*Letter) error {
		for _, l := range letters {
			if cause := o.hold(l, letters); cause != "" {
				p.Held[cause]++
			} else {
				p.Selected++
			}
		}
		return nil
	}}
	err := b.each(ctx, nil, func(l *Letter, waits bool) error {
		p.until[l.Partition] = l.Raw.ID()
		if !waits {
			return nil
		}
		if l.IsForeign {
			p.Foreign++
		}
		if o.Filter.Chooses(l) {
			p.Chosen++
			if _, asked := p.Met[l.Message.ID]; asked {
				p.Met[l.Message.ID]++
			}
		}
		return c.add(l)
	})
	if err == nil {
		err = c.end()
	}
	return p, err
}

// hold is Hold for a letter with the other members of its producer's batch.
func (o *Options) hold(l *Letter, members []*Letter) string {
	if size := int(l.Raw.ID().BatchSize()); size > 1 && len(members) < size {
		return fmt.Sprintf("others of its producer's batch of %d were not chosen, and Pulsar acknowledges all or none", size)
	}
	for _, m := range members {
		if cause := o.cause(m); cause != "" {
			if m != l {
				return "another one of its producer's batch is left: " + cause
			}
			return cause
		}
	}
	return ""
}

func (o *Options) cause(l *Letter) string {
	if first, inChunks := l.first(); inChunks && first.Ledger != l.Position().Ledger {
		return "it is stored in chunks in two ledgers, whose positions are not known"
	}
	if o.Drop {
		return ""
	}
	return o.Hold(l)
}

// A collector puts the members of an entry together. A limit is not exceeded by more than an entry.
type collector struct {
	o       *Options
	group   func([]*Letter) error
	members []*Letter
	chosen  int
	full    bool
}

func (c *collector) add(l *Letter) error {
	if len(c.members) > 0 {
		last := c.members[0]
		if last.Partition != l.Partition || last.Position() != l.Position() {
			if err := c.end(); err != nil {
				return err
			}
		}
	}
	if !c.o.Filter.Chooses(l) || c.full {
		return nil
	}
	c.members = append(c.members, l)
	c.chosen++
	return nil
}

func (c *collector) end() error {
	members := c.members
	c.members = nil
	if limit := c.o.Filter.Limit; limit > 0 && c.chosen >= limit {
		c.full = true
	}
	if len(members) == 0 {
		return nil
	}
	return c.group(members)
}

// A Summary is what a run has done.
type Summary struct {
	Sent         int // confirmed by the broker and acknowledged
	Dropped      int
	Left         map[string]int // chosen and not sent, by cause
	Unfinished   int            // sent, and not known to be acknowledged: they wait still and may come twice
	Gone         int            // chosen, and gone before they were sent: expired, or taken by others
	Meanwhile    int            // dead letters of this group that came after the plan was made, and were not chosen from
	Deduplicated bool           // a kill could not have repeated anything
	// MayRepeat are the ids of an earlier run's last window that was not finished: they may come twice.
	MayRepeat []string
	// Recovered is how many of them were sent again under their old numbers, so that they come once.
	Recovered int
}

// ErrInUse is in the error for dead letters that consumers have open.
var ErrInUse = errors.New("a consumer is connected to the dead letters")

// Run carries out a plan. It returns what it has done, also with an error.
func (b *Box) Run(ctx context.Context, o *Options, p *Plan) (*Summary, error) {
	s := &Summary{Left: map[string]int{}}
	if b.api == nil {
		return s, errors.New("the admin API is needed, to know what waits: give --admin-url")
	}
	t, err := b.api.Topic(ctx, b.group.DeadLetters)
	if err != nil {
		return s, err
	}
	if sub := t.Subscription(b.group.DeadLetterSubscription); sub != nil && len(sub.Consumers) > 0 {
		return s, fmt.Errorf("%w: %s, so both would work on them: stop it first", ErrInUse, short(sub.Consumers[0]))
	}
	j, err := b.openJournal(ctx)
	if err != nil {
		return s, err
	}
	defer j.close()
	r := &run{
		box: b, o: o, plan: p, journal: j, summary: s, consumers: map[string]pulsar.Consumer{}, start: time.Now(),
		sender: &sender{client: b.client, target: b.group.Retry}, pace: pace.New(o.Rate),
	}
	defer r.close()
	if r.births, err = b.births(ctx); err != nil {
		return s, err
	}
	if err := r.prepare(ctx); err != nil {
		return s, err
	}
	c := collector{o: o, group: func(letters []*Letter) error { return r.add(ctx, letters) }}
	err = b.each(ctx, p.until, func(l *Letter, waits bool) error {
		if !waits {
			return nil
		}
		return c.add(l)
	})
	if err == nil {
		err = c.end()
	}
	if err == nil {
		err = r.flush(ctx)
	}
	if err == nil {
		err = r.births.check(ctx, true)
	}
	if err == nil && o.Filter.Limit == 0 { // what was recovered may have been chosen too
		s.Gone = max(p.Chosen-r.met-s.Recovered, 0)
	}
	if err == nil {
		s.Meanwhile, err = b.cameAfter(ctx, p.until)
	}
	return s, err
}

// A run is one Run.
type run struct {
	box       *Box
	o         *Options
	plan      *Plan
	journal   *journal
	summary   *Summary
	sender    *sender
	consumers map[string]pulsar.Consumer // of partitions; they receive nothing
	births    *births
	window    []*Letter
	sequence  int64
	met       int
	done      int
	start     time.Time
	pace      *pace.Pace
}

// prepare finishes what an earlier run has left, and opens the producer.
func (r *run) prepare(ctx context.Context) error {
	if r.o.Drop && len(r.journal.left) == 0 {
		return nil
	}
	target, err := r.box.api.Topic(ctx, r.sender.target)
	switch {
	case errors.Is(err, admin.ErrForbidden):
	case err != nil:
		return err
	default:
		r.summary.Deduplicated = target.Deduplicates
	}
	if r.summary.Deduplicated {
		r.sender.name = r.journal.run
	}
	r.sender.waiting = func(since time.Time, why error) { r.report(since, why) }
	if err := r.recover(ctx); err != nil {
		return err
	}
	if r.o.Drop {
		return nil
	}
	return r.sender.open()
}

// add puts the letters of one entry into the window.
func (r *run) add(ctx context.Context, letters []*Letter) error {
	r.met += len(letters)
	for _, l := range letters {
		if cause := r.o.hold(l, letters); cause != "" {
			for _, l := range letters {
				r.summary.Left[r.o.hold(l, letters)]++
			}
			return nil
		}
	}
	if err := r.findChunks(ctx, letters[0]); err != nil {
		return err
	}
	if len(r.window)+len(letters) > int(r.o.window()) && len(r.window) > 0 {
		if err := r.flush(ctx); err != nil {
			return err
		}
	}
	r.window = append(r.window, letters...)
	if len(r.window) >= int(r.o.window()) {
		return r.flush(ctx)
	}
	return nil
}

// findChunks asks where all of a letter is that is stored in chunks, before it is sent.
func (r *run) findChunks(ctx context.Context, l *Letter) (err error) {
	if first, inChunks := l.first(); inChunks {
		l.chunks, err = r.box.api.Chunks(ctx, l.Partition, first, l.Position())
	}
	return err
}

// flush sends the window: journal, send, confirm, acknowledge, journal.
func (r *run) flush(ctx context.Context) error {
	window := r.window
	r.window = nil
	if len(window) == 0 {
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := r.births.check(ctx, false); err != nil {
		return err
	}
	if r.o.Save != nil {
		for _, l := range window {
			if err := r.o.Save(l); err != nil {
				return err
			}
		}
	}
	rec := record{
		Producer: r.sender.name, Target: r.sender.target, Deduplicated: r.summary.Deduplicated, Data: r.o.Data,
		Drop: r.o.Drop,
	}
	messages := make([]*pulsar.ProducerMessage, len(window))
	for i, l := range window {
		id := l.Raw.ID()
		first, _ := l.first()
		rec.Letters = append(rec.Letters, entry{
			l.Partition, id.LedgerID(), id.EntryID(), id.BatchIdx(), r.sequence, l.Message.ID, first.Entry,
		})
		messages[i] = r.message(l, r.sequence)
		r.sequence++
	}
	steady := context.WithoutCancel(ctx) // from here on a stop must not leave anything half done
	id, err := r.journal.write(steady, rec)
	if err != nil {
		return fmt.Errorf("write the journal: %w", err)
	}
	errs := make([]error, len(window))
	var failed error
	if !r.o.Drop {
		errs, failed = r.sender.send(ctx, messages, r.pace.Wait)
	}
	if err := r.acknowledge(steady, window, errs); err != nil {
		return err
	}
	if err := r.journal.done(id); err != nil && failed == nil {
		failed = fmt.Errorf("write the journal: %w", err)
	}
	r.report(time.Time{}, nil)
	if failed != nil {
		return failed
	}
	return ctx.Err()
}

// message returns what is sent for a letter.
func (r *run) message(l *Letter, sequence int64) *pulsar.ProducerMessage {
	body := l.Body
	if r.o.Data != nil && l.Message.Envelope != nil {
		body = l.Message.Envelope.WithData(r.o.Data)
	}
	m := l.outgoing(body)
	if r.sender.name != "" {
		m.SequenceID = &sequence
	}
	return m
}

// acknowledge takes the entries off the dead letters whose members all are confirmed.
func (r *run) acknowledge(ctx context.Context, window []*Letter, errs []error) error {
	ids := map[string][]pulsar.MessageID{}
	counts := map[string]int{}
	for start := 0; start < len(window); {
		end, failed := start, error(nil)
		for ; end < len(window) && window[end].Partition == window[start].Partition &&
			window[end].Position() == window[start].Position(); end++ {
			if errs[end] != nil && failed == nil {
				failed = errs[end]
			}
		}
		l, n := window[start], end-start
		switch {
		case failed == nil:
			// The consumer ignores ids of another partition than its own, which it knows by the topic's name.
			for _, p := range l.entries() {
				ids[l.Partition] = append(ids[l.Partition],
					pulsar.NewMessageID(p.Ledger, p.Entry, -1, int32(inspect.PartitionOf(l.Partition))))
			}
			counts[l.Partition] += n
		case errors.Is(failed, errUnsure):
			r.summary.Unfinished += n
		case errors.Is(failed, errNotSent):
			r.summary.Left["the run was stopped"] += n
		default:
			r.summary.Left["the broker refused it: "+short(failed.Error())] += n
		}
		start = end
	}
	for partition, list := range ids {
		c, err := r.consumer(partition)
		if err == nil {
			err = acknowledged(ctx, c, list)
		}
		if err != nil {
			r.summary.Unfinished += counts[partition]
			return fmt.Errorf("acknowledge on %s what was sent: %w", partition, err)
		}
		r.done += counts[partition]
		if r.o.Drop {
			r.summary.Dropped += counts[partition]
		} else {
			r.summary.Sent += counts[partition]
		}
	}
	return nil
}

// ackTries is how often an acknowledgement is tried, a second apart.
const ackTries = 30

// acknowledged acknowledges ids. To acknowledge twice is harmless.
func acknowledged(ctx context.Context, c pulsar.Consumer, ids []pulsar.MessageID) (err error) {
	for range ackTries {
		if err = c.AckIDList(ids); err == nil {
			return nil
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return err
		}
	}
	return err
}

// consumer returns a consumer of a partition that asks for no messages: it only acknowledges.
func (r *run) consumer(partition string) (pulsar.Consumer, error) {
	if c := r.consumers[partition]; c != nil {
		return c, nil
	}
	c, err := r.box.client.Subscribe(pulsar.ConsumerOptions{
		Topic: partition, SubscriptionName: r.box.group.DeadLetterSubscription, Type: pulsar.Shared, AckWithResponse: true,
		EnableZeroQueueConsumer: true, Name: r.journal.run,
	})
	if err != nil {
		return nil, err
	}
	r.consumers[partition] = c
	return c, nil
}

// report tells how far the run is.
func (r *run) report(waiting time.Time, why error) {
	if r.o.Progress == nil {
		return
	}
	p := Progress{Done: r.done, Total: r.plan.Selected, Left: -1, Waiting: waiting, Why: why}
	if passed := time.Since(r.start).Seconds(); passed > 0 && r.done > 0 {
		p.PerSecond = float64(r.done) / passed
		if waiting.IsZero() {
			p.Left = time.Duration(float64(r.plan.Selected-r.done) / p.PerSecond * float64(time.Second))
		}
	}
	r.o.Progress(p)
}

func (r *run) close() {
	for _, c := range r.consumers {
		c.Close()
	}
	if r.sender.producer != nil {
		r.sender.producer.Close()
	}
}
