package deadletters

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/internal/admin"
	"github.com/babelqueue/bqgen/internal/text"
)

// The journal is a topic next to the dead letters. Its exclusive producer is the lock of a run. Each window is written
// to it before it is sent, and acknowledged when its dead letters are: what waits on the journal when a run starts was
// not finished by an earlier one.
const (
	journalSuffix       = ".redrive"
	journalSubscription = "bqgen"
)

// A record is a window in the journal.
type record struct {
	Run          string    `json:"run"`
	Start        bool      `json:"start,omitempty"` // of a run; there is no window
	Time         time.Time `json:"time"`
	Producer     string    `json:"producer,omitempty"` // its name, if the broker deduplicates
	Target       string    `json:"target,omitempty"`
	Deduplicated bool      `json:"deduplicated,omitempty"`
	Data         []byte    `json:"data,omitempty"` // the edited payload
	Drop         bool      `json:"drop,omitempty"` // nothing is sent
	Letters      []entry   `json:"letters,omitempty"`
}

// An entry is one dead letter of a window.
type entry struct {
	Partition string `json:"partition"`
	Ledger    int64  `json:"ledger"`
	Entry     int64  `json:"entry"`
	Batch     int32  `json:"batch"`
	Sequence  int64  `json:"sequence"`
	ID        string `json:"id"`
	First     int64  `json:"first"` // the entry of its first chunk; Entry, if it is not in chunks
}

// A journal is the lock and the windows of one run.
type journal struct {
	run      string
	topic    string
	producer pulsar.Producer
	consumer pulsar.Consumer
	left     []unfinished
}

// An unfinished window was left by an earlier run.
type unfinished struct {
	record record
	id     pulsar.MessageID
}

// ErrLocked is in the error for a dead-letter topic that another run works on.
var ErrLocked = errors.New("another run has the lock")

// lockTimeout bounds what opening the journal may take.
const lockTimeout = 30 * time.Second

// openJournal takes the lock, and finds what an earlier run has left.
func (b *Box) openJournal(ctx context.Context) (*journal, error) {
	j := &journal{run: "bqgen-" + uuid.NewString(), topic: b.group.DeadLetters + journalSuffix}
	if err := b.createJournal(ctx, j.topic); err != nil {
		return nil, err
	}
	host, _ := os.Hostname()
	var err error
	j.producer, err = b.client.CreateProducer(pulsar.ProducerOptions{
		Topic: j.topic, ProducerAccessMode: pulsar.ProducerAccessModeExclusive, DisableBatching: true,
		SendTimeout: lockTimeout,
		Properties: map[string]string{
			"host": host, "pid": strconv.Itoa(os.Getpid()), "since": time.Now().UTC().Format(time.RFC3339),
		},
	})
	if err != nil {
		return nil, b.explainLock(ctx, j.topic, err)
	}
	if err := j.catchUp(ctx, b.client); err != nil {
		j.close()
		return nil, fmt.Errorf("read the journal %s: %w", j.topic, err)
	}
	return j, nil
}

func (b *Box) createJournal(ctx context.Context, name string) error {
	t, err := b.api.Topic(ctx, name)
	if errors.Is(err, admin.ErrNotFound) {
		if err = b.api.CreateTopic(ctx, name, 0); errors.Is(err, admin.ErrExists) {
			err = nil
		}
	}
	if err == nil && (t == nil || t.Subscription(journalSubscription) == nil) {
		if err = b.api.CreateSubscription(ctx, name, journalSubscription); errors.Is(err, admin.ErrExists) {
			err = nil
		}
	}
	if err != nil {
		return fmt.Errorf("the journal of runs: %w", err)
	}
	return nil
}

// explainLock says who holds the lock.
func (b *Box) explainLock(ctx context.Context, name string, err error) error {
	if !strings.Contains(err.Error(), "ProducerFenced") && !strings.Contains(err.Error(), "ProducerBusy") {
		return fmt.Errorf("take the lock %s: %w", name, err)
	}
	holder := "an unknown producer"
	if t, lookErr := b.api.Topic(ctx, name); lookErr == nil && len(t.Producers) > 0 {
		p := t.Producers[0]
		holder = fmt.Sprintf("process %s on %s (%s) since %s", short(p.Metadata["pid"]), short(p.Metadata["host"]),
			short(p.Address), short(p.Metadata["since"]))
	}
	return fmt.Errorf("%w: %s holds %s", ErrLocked, holder, name)
}

func short(s string) string { return text.Escape(text.Shorten(s, 60)) }

// catchUp reads what waits on the journal: it writes the start of this run, and reads up to it.
func (j *journal) catchUp(ctx context.Context, client pulsar.Client) (err error) {
	ctx, cancel := context.WithTimeout(ctx, lockTimeout)
	defer cancel()
	j.consumer, err = client.Subscribe(pulsar.ConsumerOptions{
		Topic: j.topic, SubscriptionName: journalSubscription, Type: pulsar.Exclusive, AckWithResponse: true,
		SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
	})
	if err != nil {
		return err
	}
	if _, err := j.write(ctx, record{Start: true}); err != nil {
		return err
	}
	for {
		msg, err := j.consumer.Receive(ctx)
		if err != nil {
			return err
		}
		var r record
		if err := json.Unmarshal(msg.Payload(), &r); err != nil || r.Start {
			if err := j.consumer.AckID(msg.ID()); err != nil {
				return err
			}
			if r.Run == j.run {
				return nil
			}
			continue
		}
		j.left = append(j.left, unfinished{r, msg.ID()})
	}
}

// write appends a record, and returns its id when the broker has it.
func (j *journal) write(ctx context.Context, r record) (pulsar.MessageID, error) {
	r.Run, r.Time = j.run, time.Now().UTC()
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return j.producer.Send(ctx, &pulsar.ProducerMessage{Payload: body})
}

// done takes a window off the journal.
func (j *journal) done(id pulsar.MessageID) error {
	return j.consumer.AckID(pulsar.NewMessageID(id.LedgerID(), id.EntryID(), -1, 0))
}

func (j *journal) close() {
	if j.consumer != nil {
		j.consumer.Close()
	}
	j.producer.Close()
}
