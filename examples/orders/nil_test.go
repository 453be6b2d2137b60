package main

import (
	"strings"
	"testing"

	"github.com/babelqueue/bqgen/examples/orders/orderevents"
	"github.com/babelqueue/bqgen/runtime/bqtest"
)

// A constructor without a handler returns an error that names it, and does not panic.
func TestANilHandlerIsRefused(t *testing.T) {
	client := bqtest.New().Client()
	_, queue := orderevents.NewOrdersConsumer(client, nil)
	_, service := orderevents.NewMailerParcelsConsumer(client, nil)
	for want, err := range map[string]error{"NewOrdersConsumer": queue, "NewMailerParcelsConsumer": service} {
		if err == nil || !strings.HasPrefix(err.Error(), want+": the handler is nil") {
			t.Errorf("%s: %v", want, err)
		}
	}
}
