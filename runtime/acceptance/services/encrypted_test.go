package services

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"

	bq "github.com/babelqueue/bqgen/runtime"
)

// publicKey is a crypto.KeyReader for producers: nobody can decrypt what they send.
type publicKey []byte

func newPublicKey(t *testing.T) publicKey {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

func (k publicKey) PublicKey(name string, metadata map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return crypto.NewEncryptionKeyInfo(name, k, metadata), nil
}

func (k publicKey) PrivateKey(name string, metadata map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return crypto.NewEncryptionKeyInfo(name, nil, metadata), nil
}

// A service needs no key for messages that are not for it: the properties say so, and they are in clear.
func TestEncryptedMessagesOfOthersAreSkipped(t *testing.T) {
	onBoth(t, func(t *testing.T, p *place) {
		p.declare()
		secret, err := p.client.CreateProducer(pulsar.ProducerOptions{
			Topic: p.queue.Topic, DisableBatching: true,
			Encryption: &pulsar.ProducerEncryptionInfo{KeyReader: newPublicKey(t), Keys: []string{"k"}},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer secret.Close()
		for _, m := range []struct{ urn, attempts string }{{urnS, "0"}, {urnB, "2"}, {urnB, "0"}} {
			_, err := secret.Send(t.Context(), &pulsar.ProducerMessage{
				Payload:    []byte(body(m.urn, 1, m.attempts)),
				Properties: properties(m.urn, map[string]string{"bq-attempts": m.attempts}),
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		billing := p.start("billing", fine)
		returned := func() (all []bq.Settlement) {
			billing.mu.Lock()
			defer billing.mu.Unlock()
			for _, s := range billing.settled {
				if s.Action == bq.Returned {
					all = append(all, s)
				}
			}
			return all
		}
		p.until("the message of billing to be given back", func() bool { return len(returned()) > 0 })
		p.expect("FAN-6", count{Skips: 2}, billing)
		if got := billing.skips(); got[bq.OtherService] != 1 || got[bq.ForeignRetry] != 1 {
			t.Errorf("FAN-5, FAN-6: skipped were %v", got)
		}
		if got := returned()[0]; got.Runs != 0 {
			t.Errorf("a message that could not be decrypted is said to have had %d runs", got.Runs)
		}
		p.until("all but the message of billing to be acknowledged", func() bool {
			return p.backlog(p.queue.Topic, "billing") == 1
		})
		if got := p.backlog(p.service("billing").DeadLetterTopic, "billing"); got != 0 {
			t.Errorf("%d dead letters, want none: a record could not be decrypted later", got)
		}
	})
}
