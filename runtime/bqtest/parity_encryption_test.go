package bqtest_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"testing"
	"time"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"
)

// encryptionScenarios are about messages that a consumer may not be able to read.
var encryptionScenarios = []scenario{
	{"encrypted: with the key", func(n *notes) {
		keys := newKeys(n.T)
		c := n.subscribe(pulsar.ConsumerOptions{
			Type: shared, AckWithResponse: true, Decryption: &pulsar.MessageDecryptionInfo{KeyReader: keys},
		})
		n.sendSealed(keys, "a", "b")
		for range 2 {
			m := n.receive(c, 1)[0]
			n.note("context %t, index %d, %v", m.GetEncryptionContext() != nil, m.ID().BatchIdx(), c.Ack(m))
		}
	}, `
a
context false, index 0, <nil>
b
context false, index 1, <nil>`},
	{"encrypted: without the key the consumer runs dry", func(n *notes) {
		keys := newKeys(n.T)
		c := n.subscribe(pulsar.ConsumerOptions{Type: shared, ReceiverQueueSize: 2, NackRedeliveryDelay: shortly})
		p := n.produce(pulsar.ProducerOptions{})
		n.sendSealed(keys, "sealed")
		sendTexts(n.T, p, "a")
		n.receive(c, 1)
		<-time.After(3 * shortly) // the sealed one comes again and again
		sendTexts(n.T, p, "b", "c")
		n.quiet(c)
		c.Close()
		c = n.subscribe(pulsar.ConsumerOptions{Type: shared, Decryption: &pulsar.MessageDecryptionInfo{KeyReader: keys}})
		n.anyOrder(func() { n.receive(c, 4) })
	}, `
a
nothing more
a
b
c
sealed`},
	{"encrypted: shown or discarded where the key is missing", func(n *notes) {
		keys := newKeys(n.T)
		show := n.subscribe(pulsar.ConsumerOptions{
			SubscriptionName: "show", Type: shared, AckWithResponse: true, Decryption: &pulsar.MessageDecryptionInfo{
				KeyReader: noKeys{}, ConsumerCryptoFailureAction: crypto.ConsumerCryptoFailureActionConsume,
			},
		})
		discard := n.subscribe(pulsar.ConsumerOptions{
			SubscriptionName: "discard", Type: shared, Decryption: &pulsar.MessageDecryptionInfo{
				KeyReader: noKeys{}, ConsumerCryptoFailureAction: crypto.ConsumerCryptoFailureActionDiscard,
			},
		})
		p := n.produce(pulsar.ProducerOptions{Encryption: sealedBy(keys)})
		send(n.T, p, pulsar.ProducerMessage{
			Payload: []byte("sealed"), Key: "k", Properties: map[string]string{"p": "v"},
		})
		sendTexts(n.T, n.produce(pulsar.ProducerOptions{}), "open")
		m := receive(n.T, show)
		n.note("readable %t, key %q, %v, index %d of %d, keys %d", text(m) == "sealed", m.Key(), m.Properties(),
			m.ID().BatchIdx(), m.ID().BatchSize(), len(m.GetEncryptionContext().Keys))
		n.note("%v", show.AckIDList([]pulsar.MessageID{m.ID()}))
		n.receive(show, 1)
		n.receive(discard, 1)
	}, `
readable false, key "k", map[p:v], index -1 of 0, keys 1
<nil>
open
open`},
}

// sendSealed sends payloads as one encrypted entry.
func (n *notes) sendSealed(keys crypto.KeyReader, payloads ...string) {
	n.Helper()
	n.sendBatch(pulsar.ProducerOptions{Encryption: sealedBy(keys)}, payloads...)
}

func sealedBy(keys crypto.KeyReader) *pulsar.ProducerEncryptionInfo {
	return &pulsar.ProducerEncryptionInfo{KeyReader: keys, Keys: []string{"test"}}
}

// keyPair is a crypto.KeyReader that has one pair of keys, under any name.
type keyPair struct{ public, private []byte }

func newKeys(t *testing.T) keyPair {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	return keyPair{
		pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}),
		pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}),
	}
}

func (k keyPair) PublicKey(name string, metadata map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return crypto.NewEncryptionKeyInfo(name, k.public, metadata), nil
}

func (k keyPair) PrivateKey(name string, metadata map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return crypto.NewEncryptionKeyInfo(name, k.private, metadata), nil
}

// noKeys is a crypto.KeyReader that has none.
type noKeys struct{}

func (noKeys) PublicKey(string, map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return nil, errNoKey
}

func (noKeys) PrivateKey(string, map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return nil, errNoKey
}

var errNoKey = errors.New("no key")
