package acceptance

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"

	bq "github.com/babelqueue/bqgen/runtime"
)

// randomText returns text that does not compress to less than three quarters.
func randomText(size int) string {
	source := rand.NewChaCha8([32]byte{1})
	raw := make([]byte, size*3/4)
	_, _ = source.Read(raw)
	return base64.StdEncoding.EncodeToString(raw)
}

// L74: large bodies survive publishing, a retry and a dead letter, in chunks and compressed.
func TestLargeBodiesThereAndBack(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		if b.memory != nil {
			t.Skip("bqtest does not compress")
		}
		const mega = 1 << 20
		for _, c := range []struct {
			name        string
			note        string
			compression pulsar.CompressionType
			chunks      bool
		}{
			{"6 MB, random", randomText(6 * mega), pulsar.NoCompression, true},
			{"12 MB, random, LZ4", randomText(12 * mega), pulsar.LZ4, true},
			{"12 MB, repetitive, ZLib", strings.Repeat("again ", 2*mega), pulsar.ZLib, true},
			{"6 MB, repetitive, ZSTD, without chunks", strings.Repeat("again ", mega), pulsar.ZSTD, false},
		} {
			t.Run(c.name, func(t *testing.T) {
				q := newQueue()
				options := bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
					o.EnableChunking, o.CompressionType = c.chunks, c.compression
				})
				seen := make(chan bool, 10)
				s := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
					seen <- m.Data.Note == c.note
					return errors.New("no")
				}, options, bq.WithMaxAttempts(2), bq.WithRetryBackoff(bq.NoBackoff))
				publisher := bq.NewPublisher(b.producers(t, options), orders(q))
				if _, err := publisher.Publish(context.Background(), order{ID: 1, Note: c.note}); err != nil {
					t.Fatal(err)
				}
				if got := s.until(); got[len(got)-1].Action != bq.DeadLettered || len(got) != 2 {
					t.Errorf("got %d settlements, the last one %s", len(got), got[len(got)-1].Action)
				}
				for range 2 {
					if !await(t, seen, "a delivery") {
						t.Error("the body is another one")
					}
				}
				letter := b.deadLetter(t, q).Payload()
				if !bytes.Contains(letter, []byte(c.note)) || !bytes.Contains(letter, []byte(`"dead_letter"`)) {
					t.Error("the dead letter is not the message with its block")
				}
			})
		}
		t.Run("too large", func(t *testing.T) {
			publisher := bq.NewPublisher(b.producers(t), orders(newQueue()))
			_, err := publisher.Publish(context.Background(), order{ID: 1, Note: randomText(6 * mega)})
			if !errors.Is(err, pulsar.ErrMessageTooLarge) || !strings.Contains(err.Error(), "bytes") {
				t.Errorf("got %v", err)
			}
			if _, err := publisher.Publish(context.Background(), order{ID: 2}); err != nil {
				t.Errorf("the next message: %v", err)
			}
		})
	})
}

// L72: retries and dead letters of encrypted messages are encrypted, since the consumer has the same options.
func TestNoPlainCopyOfAnEncryptedMessageExists(t *testing.T) {
	onBothBackends(t, func(t *testing.T, b *backend) {
		q := newQueue()
		keys := newKeys(t)
		const secret = "nobody may read this"
		producer := bq.WithProducerOptions(func(o *pulsar.ProducerOptions) {
			o.Encryption = &pulsar.ProducerEncryptionInfo{KeyReader: keys, Keys: []string{"k1"}}
		})
		own, err := b.client.Subscribe(pulsar.ConsumerOptions{
			Topic: q.Topic, SubscriptionName: "with-the-key", Type: pulsar.Shared, AckWithResponse: true,
			SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
			Decryption:                  &pulsar.MessageDecryptionInfo{KeyReader: keys},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(own.Close)
		other, _ := failing(0)
		without := b.serve(t, q, other, bq.WithSubscription("without-the-key"))
		notes := make(chan string, 10)
		with := b.serve(t, q, func(_ context.Context, m *bq.Message[order]) error {
			notes <- m.Data.Note
			return errors.New("no")
		}, producer, bq.WithPulsarConsumer(own), bq.WithSubscriptionType(pulsar.Shared),
			bq.WithMaxAttempts(2), bq.WithRetryBackoff(bq.NoBackoff))
		if _, err := bq.NewPublisher(b.producers(t, producer), orders(q)).Publish(
			context.Background(), order{ID: 1, Note: secret}); err != nil {
			t.Fatal(err)
		}
		if got := with.until(); got[len(got)-1].Action != bq.DeadLettered || len(got) != 2 {
			t.Errorf("got %d settlements, the last one %s", len(got), got[len(got)-1].Action)
		}
		for range 2 {
			if got := await(t, notes, "a delivery"); got != secret {
				t.Errorf("got %q", got)
			}
		}
		if got := without.next(); got.Action != bq.Returned {
			t.Errorf("a consumer without the key: %s", got.Action)
		}
		for topic, messages := range map[string]int{q.Topic: 2, q.DeadLetterTopic: 1} {
			raw, err := b.client.Subscribe(pulsar.ConsumerOptions{
				Topic: topic, SubscriptionName: "raw", Type: pulsar.Shared,
				SubscriptionInitialPosition: pulsar.SubscriptionPositionEarliest,
				Decryption: &pulsar.MessageDecryptionInfo{
					KeyReader: newKeys(t), ConsumerCryptoFailureAction: crypto.ConsumerCryptoFailureActionConsume,
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			for n := range messages {
				if m := receive(t, raw); bytes.Contains(m.Payload(), []byte(secret)) {
					t.Errorf("message %d of %s is plain", n, topic)
				}
			}
			raw.Close()
		}
	})
}
