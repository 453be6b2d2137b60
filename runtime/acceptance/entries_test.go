package acceptance

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"

	bq "github.com/babelqueue/bqgen/runtime"
)

// publishEntry publishes so many orders as one entry of a producer that batches.
func (b *backend) publishEntry(t *testing.T, q bq.Queue, first, n int) {
	t.Helper()
	producer, err := b.client.CreateProducer(pulsar.ProducerOptions{
		Topic: q.Topic, BatchingMaxMessages: uint(2 * n), BatchingMaxPublishDelay: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer producer.Close()
	var all sync.WaitGroup
	for i := range n {
		all.Add(1)
		producer.SendAsync(t.Context(), &pulsar.ProducerMessage{
			Payload: fmt.Appendf(nil, `{"job":%q,"trace_id":"t","data":{"order_id":%d},"meta":{"schema_version":1}}`,
				orderURN, first+i),
		}, func(_ pulsar.MessageID, _ *pulsar.ProducerMessage, err error) {
			defer all.Done()
			if err != nil {
				t.Error(err)
			}
		})
	}
	if err := producer.FlushWithCtx(t.Context()); err != nil {
		t.Error(err)
	}
	all.Wait()
}

func TestAnUnloadWithHalfAnEntrySettledRunsNobodyTwice(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		for _, subscription := range []pulsar.SubscriptionType{pulsar.Shared, pulsar.Exclusive} {
			t.Run(fmt.Sprint(subscription), func(t *testing.T) {
				const members = 10
				q := newQueue()
				b.backlog(t, q, subscription)
				r := newRuns()
				finish := make(chan struct{})
				s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
					defer r.enter(fmt.Sprint(m.Data.ID), m.Attempts)()
					if m.Data.ID%2 == 1 {
						<-finish
					}
					return nil
				}, bq.WithConcurrency(2*members), bq.WithSubscriptionType(subscription))
				b.publishEntry(t, q, 0, members)
				if got := s.settle(members / 2); got[bq.Acknowledged] != members/2 {
					t.Errorf("got %v", got)
				}
				b.unload(t, q.Topic)
				eventually(t, "the members to come again", func() bool { return s.consumer.Status().Copies >= members })
				close(finish)
				s.settle(members / 2)
				if err := s.stop(); err != nil {
					t.Error(err)
				}
				if r.all != members {
					t.Errorf("%d runs of %d messages", r.all, members)
				}
				if left := b.backlog(t, q, subscription); left != 0 {
					t.Errorf("%d messages are left: the entry was not acknowledged", left)
				}
			})
		}
	})
}

func TestAnEntryLargerThanTheLimitGoesThrough(t *testing.T) { // L24, without its restart
	onBothBackends(t, func(t *testing.T, b *backend) {
		const members, limit = 10, 4
		q := newQueue()
		b.backlog(t, q, pulsar.Shared)
		finish := make(chan struct{})
		s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			if m.Data.ID == members-1 {
				<-finish
			}
			return nil
		}, bq.WithConcurrency(2), bq.WithMaxUnsettled(bq.Limit{Messages: limit}))
		b.publishEntry(t, q, 0, members)
		for range members - 1 {
			if x := s.next(); x.Action != bq.Acknowledged {
				t.Errorf("got %s", x.Action)
			}
			if n := s.consumer.Status().Unsettled; n > limit {
				t.Errorf("%d are unsettled", n)
			}
		}
		close(finish)
		s.settle(1)
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if left := b.backlog(t, q, pulsar.Shared); left != 0 {
			t.Errorf("%d messages are left", left)
		}
	})
}

// newKeys returns a key reader over fresh keys.
func newKeys(t *testing.T) crypto.KeyReader {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 1024) // larger ones take long
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return crypto.NewFileKeyReader(write("public.pem", "PUBLIC KEY", public),
		write("private.pem", "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(private)))
}

func TestWhatCannotBeDecryptedIsGivenBackAndTheRestHandled(t *testing.T) { // F5
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		keys := newKeys(t)
		secret, err := b.client.CreateProducer(pulsar.ProducerOptions{
			Topic: q.Topic, DisableBatching: true,
			Encryption: &pulsar.ProducerEncryptionInfo{KeyReader: keys, Keys: []string{"k1"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer secret.Close()
		handle, calls := failing(0)
		s := b.serve(t, q, handle, bq.WithConcurrency(2), bq.WithReceiverQueueSize(4))
		for range 10 {
			_, err := secret.Send(t.Context(), &pulsar.ProducerMessage{
				Payload: []byte(foreign), Properties: foreignProperties(nil),
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		const plain = 50
		for i := range plain {
			b.publish(t, q, order{ID: int64(i)})
		}
		returned := 0
		for handled := 0; handled < plain; {
			switch x := s.next(); x.Action {
			case bq.Acknowledged:
				handled++
			case bq.Returned:
				returned++
			default:
				t.Errorf("F5: got %s, %v", x.Action, x.Err)
			}
		}
		for returned < 10 {
			if s.next().Action == bq.Returned {
				returned++
			}
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		if calls.Load() != plain {
			t.Errorf("F5: the handler ran %d times, want %d", calls.Load(), plain)
		}
		// A consumer that has the key gets them all.
		own, err := b.client.Subscribe(pulsar.ConsumerOptions{
			Topic: q.Topic, SubscriptionName: "babelqueue", Type: pulsar.Shared, AckWithResponse: true,
			Decryption: &pulsar.MessageDecryptionInfo{KeyReader: keys},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer own.Close()
		seen := map[string]bool{}
		for len(seen) < 10 {
			m := receive(t, own)
			if string(m.Payload()) != foreign {
				t.Errorf("F5: got %q", m.Payload())
			}
			seen[m.ID().String()] = true
		}
	})
}

func TestWhatCannotBeDecryptedCanBeDropped(t *testing.T) { // F5
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		secret, err := b.client.CreateProducer(pulsar.ProducerOptions{
			Topic: q.Topic, DisableBatching: true,
			Encryption: &pulsar.ProducerEncryptionInfo{KeyReader: newKeys(t), Keys: []string{"k1"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer secret.Close()
		handle, _ := failing(0)
		reported := make(chan error, 10)
		s := b.serve(t, q, handle, bq.WithDropUndecryptable(), bq.WithSubscriptionType(pulsar.Exclusive),
			bq.WithObserver(reportTo(reported)))
		_, err = secret.Send(t.Context(), &pulsar.ProducerMessage{Payload: []byte(foreign)})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.next(); got.Action != bq.Dropped || got.Reason != bq.Undecryptable {
			t.Errorf("F5: got %s (%s)", got.Action, got.Reason)
		}
		if err := await(t, reported, "the error"); errors.Is(err, context.Canceled) {
			t.Errorf("F5: got %v", err)
		}
	})
}

// L24: an entry of ten of which nine are handled when the process ends comes again as a whole, with no attempt counted.
// Acknowledgement by batch index is refused, see TestCustomizersOfConsumersThatAreRefused.
func TestAnEntryThatIsNotWhollyHandledComesAgain(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		const members, limit = 10, 4
		q := newQueue()
		b.subscribe(t, q.Topic, "babelqueue").Close()
		b.publishEntry(t, q, 0, members)
		ended := b.ownClient(t)
		block := make(chan struct{})
		s := ended.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			if m.Data.ID == members-1 {
				<-block
			}
			return nil
		}, bq.WithConcurrency(2), bq.WithMaxUnsettled(bq.Limit{Messages: limit}), bq.WithGracePeriod(0))
		for range members - 1 {
			if u := s.consumer.Status().Unsettled; u > limit {
				t.Errorf("L24: %d are unsettled, want at most %d", u, limit)
			}
			if x := s.next(); x.Action != bq.Acknowledged {
				t.Errorf("L24: %s", x.Action)
			}
		}
		ended.client.Close() // as if the process ended
		close(block)
		if err := await(t, s.done, "Run to return"); err == nil {
			t.Error("L24: Run returned nil although its client was closed")
		}
		again := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			if m.Attempts != 0 {
				t.Errorf("L24: message %d has %d attempts", m.Data.ID, m.Attempts)
			}
			return nil
		}, bq.WithMaxUnsettled(bq.Limit{Messages: limit}))
		if got := again.settle(members); got[bq.Acknowledged] != members {
			t.Errorf("L24: %v", got)
		}
		if err := again.stop(); err != nil {
			t.Error(err)
		}
		if left := b.backlog(t, q, pulsar.Shared); left != 0 {
			t.Errorf("L24: %d messages are left", left)
		}
	})
}
