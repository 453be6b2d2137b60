package flow

import (
	"slices"
	"testing"
	"testing/synctest"
)

// Two that want credits all the time get them in turn, and one that has a message in hand is before them.
func TestWhoWaitedLongestIsNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(t.Context(), Config{Slots: 1, Limit: Limit{Messages: 1, Bytes: 1}})
		var got []string
		use := func(name string, await func(*waiter)) { // until the flow stops
			w := f.newWaiter()
			f.mu.Lock()
			defer f.unlock()
			for {
				if await(w); f.stopping {
					return
				}
				got = append(got, name)
				f.unsettled++
			}
		}
		go use("first", f.awaitCredit)
		synctest.Wait()
		go use("second", f.awaitCredit)
		free := func() {
			synctest.Wait()
			f.mu.Lock()
			f.unsettled--
			f.creditsFreed()
			f.unlock()
		}
		for range 6 {
			free()
		}
		synctest.Wait()
		go use("in hand", f.awaitRoom)
		free()
		synctest.Wait()
		f.mu.Lock()
		f.stopping = true
		f.callAll()
		f.unlock()
		synctest.Wait()
		want := []string{"first", "first", "second", "first", "second", "first", "second", "in hand"}
		if !slices.Equal(got, want) {
			t.Errorf("the order is %q, want %q", got, want)
		}
	})
}
