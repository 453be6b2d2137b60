package pace

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestAnEvenRate is O28: even, and without a debt after time that was lost (O23).
func TestAnEvenRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, ctx := New(200), context.Background()
		start := time.Now()
		for i := range 2000 {
			if err := p.Wait(ctx); err != nil {
				t.Fatal(err)
			}
			if want := time.Duration(i) * 5 * time.Millisecond; time.Since(start) != want {
				t.Fatalf("%d after %s, want %s", i, time.Since(start), want)
			}
		}
		time.Sleep(30 * time.Second)
		start = time.Now()
		for range 200 {
			p.Wait(ctx)
		}
		if took := time.Since(start); took < 900*time.Millisecond {
			t.Errorf("200 within %s after a pause", took)
		}
	})
}

func TestNoLimitAndTheEnd(t *testing.T) {
	if err := New(0).Wait(context.Background()); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := New(0.0001)
	if err := p.Wait(ctx); err != nil {
		t.Error(err)
	}
	cancel()
	if err := p.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
