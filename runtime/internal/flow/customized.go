package flow

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"

	"github.com/apache/pulsar-client-go/pulsar"
	"github.com/apache/pulsar-client-go/pulsar/crypto"
)

// This file owns what users give to the client by way of its options. The client calls it on goroutines of its own,
// where a panic would end the process.

// customized calls a function that was set by WithConsumerOptions and only watches.
func (f *Flow) customized(fn func()) {
	if err := f.protect(func() error { fn(); return nil }); err != nil {
		f.logPanic("WithConsumerOptions", err)
	}
}

// interceptorsOf returns the interceptors of a source: the user's, and its own.
func (f *Flow) interceptorsOf(s *source, users pulsar.ConsumerInterceptors) pulsar.ConsumerInterceptors {
	all := slices.Grow(pulsar.ConsumerInterceptors{}, len(users)+1)
	for _, user := range users {
		all = append(all, interceptor{f, user})
	}
	return append(all, s.closed)
}

// An interceptor is one of the user's.
type interceptor struct {
	f    *Flow
	user pulsar.ConsumerInterceptor
}

// BeforeConsume is called by the client.
func (i interceptor) BeforeConsume(m pulsar.ConsumerMessage) {
	i.f.customized(func() { i.user.BeforeConsume(m) })
}

// OnAcknowledge is called by the client.
func (i interceptor) OnAcknowledge(c pulsar.Consumer, id pulsar.MessageID) {
	i.f.customized(func() { i.user.OnAcknowledge(c, id) })
}

// OnNegativeAcksSend is called by the client.
func (i interceptor) OnNegativeAcksSend(c pulsar.Consumer, ids []pulsar.MessageID) {
	i.f.customized(func() { i.user.OnNegativeAcksSend(c, ids) })
}

// OnConsumerClose is called by the client.
func (i interceptor) OnConsumerClose(c pulsar.Consumer, err error) {
	if user, ok := i.user.(pulsar.ConsumerCloseInterceptor); ok {
		i.f.customized(func() { user.OnConsumerClose(c, err) })
	}
}

// Keys returns the user's key reader so that a panic, or no key without an error, is an error.
func Keys(user crypto.KeyReader) crypto.KeyReader {
	switch user.(type) {
	case nil, noKeys, keys:
		return user
	}
	return keys{user}
}

type keys struct{ user crypto.KeyReader }

func (k keys) PublicKey(name string, metadata map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return keyFrom(func() (*crypto.EncryptionKeyInfo, error) { return k.user.PublicKey(name, metadata) })
}

func (k keys) PrivateKey(name string, metadata map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return keyFrom(func() (*crypto.EncryptionKeyInfo, error) { return k.user.PrivateKey(name, metadata) })
}

func keyFrom(read func() (*crypto.EncryptionKeyInfo, error)) (key *crypto.EncryptionKeyInfo, err error) {
	defer func() {
		if value := recover(); value != nil {
			key, err = nil, fmt.Errorf("the key reader panicked: %v\n%s", value, debug.Stack())
		}
	}()
	if key, err = read(); key == nil && err == nil {
		err = errors.New("the key reader returned neither a key nor an error")
	}
	return key, err
}

// noKeys is a key reader that has no keys.
type noKeys struct{}

func (noKeys) PublicKey(string, map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return nil, errors.New("there are no keys")
}

func (noKeys) PrivateKey(string, map[string]string) (*crypto.EncryptionKeyInfo, error) {
	return nil, errors.New("there are no keys")
}
