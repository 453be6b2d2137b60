package bq

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/babelqueue/bqgen/runtime/internal/flow"
)

func TestPermanentAndRetryAfterKeepTheirError(t *testing.T) {
	base := errors.New("no stock")
	if Permanent(nil) != nil {
		t.Error("Permanent(nil) is an error")
	}
	for _, err := range []error{Permanent(base), RetryAfter(time.Second, base)} {
		if !errors.Is(err, base) || err.Error() != base.Error() {
			t.Errorf("%T hides its error: %v", err, err)
		}
	}
	var after *flow.RetryAfterError
	if err := RetryAfter(-time.Second, nil); !errors.As(err, &after) || after.Delay != 0 || err.Error() == "" {
		t.Errorf("RetryAfter without an error, and with a delay under 0: got %#v", err)
	}
}

func TestProtectTurnsPanicsIntoErrors(t *testing.T) {
	base := errors.New("no stock")
	err := protect(func() error { panic(base) })
	var p *PanicError
	if !errors.As(err, &p) || !errors.Is(err, base) || len(p.Stack) == 0 || err.Error() != "panic: no stock" {
		t.Errorf("got %#v", err)
	}
	var nothing *int
	if err := protect(func() error { return fmt.Errorf("%d", *nothing) }); err == nil {
		t.Error("a nil dereference is no error")
	}
}
