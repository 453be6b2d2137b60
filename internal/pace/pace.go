// Package pace limits how many things happen in a second.
package pace

import (
	"context"
	"time"
)

// A Pace lets things happen at an even rate. Time that was lost is not made up for. It is not safe for concurrent use.
type Pace struct {
	gap  time.Duration
	next time.Time
}

// New returns a pace of so many a second; 0 is no limit.
func New(perSecond float64) *Pace {
	if perSecond <= 0 {
		return &Pace{}
	}
	return &Pace{gap: time.Duration(float64(time.Second) / perSecond)}
}

// Wait waits until the next thing may happen, or the context ends.
func (p *Pace) Wait(ctx context.Context) error {
	if err := ctx.Err(); err != nil || p.gap == 0 {
		return err
	}
	wait := time.Until(p.next)
	if wait <= 0 {
		p.next = time.Now()
	} else {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	p.next = p.next.Add(p.gap)
	return nil
}
