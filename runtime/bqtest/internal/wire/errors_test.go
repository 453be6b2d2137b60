package wire

import (
	"errors"
	"testing"

	"github.com/apache/pulsar-client-go/pulsar"
)

func TestClientErrorsAreTheClientsOwn(t *testing.T) {
	err := ClientError(pulsar.ConsumerClosed, "ConsumerClosed", "consumer closed")
	var own *pulsar.Error
	if !errors.As(err, &own) || own.Result() != pulsar.ConsumerClosed {
		t.Fatalf("%T %v, want a *pulsar.Error: has the client renamed its fields?", err, err)
	}
	if got, want := err.Error(), "consumer closed: ConsumerClosed"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}
