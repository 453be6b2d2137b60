package bqtest

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"
	"github.com/apache/pulsar-client-go/pulsar/log"
)

// seal is the part of an encrypted message's metadata that decryption needs. It is the crypto.MessageMetadataSupplier
// of the client's ciphers.
type seal struct {
	keys  []crypto.EncryptionKeyInfo
	param []byte
}

func (s *seal) EncryptionKeys() []crypto.EncryptionKeyInfo { return s.keys }
func (s *seal) EncryptionParam() []byte                    { return s.param }
func (s *seal) SetEncryptionParam(param []byte)            { s.param = bytes.Clone(param) }

func (s *seal) UpsertEncryptionKey(key crypto.EncryptionKeyInfo) {
	i := slices.IndexFunc(s.keys, func(k crypto.EncryptionKeyInfo) bool { return k.Name() == key.Name() })
	if i < 0 {
		s.keys = append(s.keys, key)
		return
	}
	s.keys[i] = key
}

// context is what the application sees of a message that the client could not decrypt.
func (s *seal) context() *pulsar.EncryptionContext {
	keys := map[string]pulsar.EncryptionKey{}
	for _, k := range s.keys {
		keys[k.Name()] = pulsar.EncryptionKey{KeyValue: k.Key(), Metadata: k.Metadata()}
	}
	return &pulsar.EncryptionContext{Keys: keys, Param: s.param}
}

// prepareCipher completes the options of a producer that encrypts, as the client does.
func prepareCipher(opts *pulsar.ProducerOptions) error {
	if opts.Encryption == nil || len(opts.Encryption.Keys) == 0 {
		opts.Encryption = nil
		return nil
	}
	e := *opts.Encryption
	opts.Encryption = &e
	if e.KeyReader == nil {
		return fmt.Errorf("encryption is enabled, KeyReader can not be nil")
	}
	if e.MessageCrypto == nil {
		cipher, err := crypto.NewDefaultMessageCrypto("encrypt", true, log.DefaultNopLogger())
		if err != nil {
			return fmt.Errorf("unable to get MessageCrypto instance. Producer creation is abandoned. %v", err)
		}
		e.MessageCrypto = cipher
	}
	return e.MessageCrypto.AddPublicKeyCipher(e.Keys, e.KeyReader)
}

// encrypt encrypts the payload. If that fails, the message is sent as it is or not at all, as the options say.
func (p *producer) encrypt(m *content) error {
	e := p.opts.Encryption
	if e == nil {
		return nil
	}
	p.encrypting.Lock() // the client's ciphers are used by one goroutine
	defer p.encrypting.Unlock()
	s := &seal{}
	sealed, err := e.MessageCrypto.Encrypt(e.Keys, e.KeyReader, s, m.payload)
	switch {
	case err == nil:
		m.payload, m.seal = sealed, s
	case e.ProducerCryptoFailureAction != crypto.ProducerCryptoFailureActionSend:
		return fmt.Errorf("ProducerCryptoFailureAction is set to Fail and error occurred in encrypting payload: %w", err)
	}
	return nil
}

// prepareDecryption completes the options of a consumer that decrypts, as the client does.
func prepareDecryption(opts *pulsar.ConsumerOptions) error {
	if opts.Decryption == nil || opts.Decryption.MessageCrypto != nil {
		return nil
	}
	d := *opts.Decryption
	opts.Decryption = &d
	cipher, err := crypto.NewDefaultMessageCrypto("decrypt", false, log.DefaultNopLogger())
	d.MessageCrypto = cipher
	return err
}

// decrypt returns the payloads of an encrypted entry, and whether the consumer can read them.
func (c *consumer) decrypt(e *entry) (plain [][]byte, ok bool) {
	d := c.opts.Decryption
	if d == nil || d.KeyReader == nil {
		return nil, false
	}
	for _, m := range e.members {
		payload := m.payload
		if m.seal != nil {
			var err error
			if payload, err = d.MessageCrypto.Decrypt(m.seal, payload, d.KeyReader); err != nil {
				return nil, false
			}
		}
		plain = append(plain, payload)
	}
	return plain, true
}

// deliverSealed does what the client does with an entry that it cannot decrypt. By default it negatively acknowledges
// it, and never asks the broker for another in its place: a consumer gets nothing more in the end.
func (l *link) deliverSealed(e *entry, count uint32) {
	action := crypto.ConsumerCryptoFailureActionFail
	if d := l.c.opts.Decryption; d != nil {
		action = d.ConsumerCryptoFailureAction
	}
	switch action {
	case crypto.ConsumerCryptoFailureActionDiscard:
		l.sub.ack(e.id)
	case crypto.ConsumerCryptoFailureActionConsume:
		l.permits--
		l.c.push(&delivery{copyOf: &copyOf{link: l, entry: e, count: count}, sealed: true})
	default:
		l.permits--
		l.nack(e.id, l.c.nackDelay())
	}
}
