package flow

import (
	"errors"
	"testing"
	"time"
)

// TestOneSilentSourceIsSilence: all answer since the last of them does, and are silent since the first of them is.
func TestOneSilentSourceIsSilence(t *testing.T) {
	now := time.Now()
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	answers := func(d time.Duration) Answer { return Answer{Connected: true, Since: ago(d)} }
	silent := func(d time.Duration, why error) Answer { return Answer{Since: ago(d), Err: why} }
	why := errors.New("no connection")
	for name, c := range map[string]struct {
		each []Answer
		want Answer
	}{
		"all answer":  {[]Answer{answers(time.Hour), answers(time.Minute)}, answers(time.Minute)},
		"one is":      {[]Answer{answers(time.Minute), silent(time.Hour, why)}, silent(time.Hour, why)},
		"the other":   {[]Answer{silent(time.Second, why), answers(time.Minute)}, silent(time.Second, why)},
		"both are":    {[]Answer{silent(time.Second, nil), silent(time.Minute, why)}, silent(time.Minute, why)},
		"both, early": {[]Answer{silent(time.Minute, why), silent(time.Second, nil)}, silent(time.Minute, why)},
	} {
		f := newTestFlow(t, nil)
		f.probe.asked = now
		for _, a := range c.each {
			f.sources = append(f.sources, &source{answer: a})
		}
		if each, got := f.answers(now); got != c.want || each[0] != c.each[0] || each[1] != c.each[1] {
			t.Errorf("%s: got %v of %v, want %v", name, got, each, c.want)
		}
	}

	f := newTestFlow(t, nil)
	f.probe = probe{asked: ago(probeLimit + time.Second), pending: true}
	f.sources = []*source{{answer: answers(time.Hour)}, {answer: answers(time.Hour), asked: true}}
	each, got := f.answers(now)
	if got.Connected || !each[0].Connected || each[1].Connected || each[1].Since != f.probe.asked {
		t.Errorf("one has not answered in time: got %v of %v", got, each)
	}
}
