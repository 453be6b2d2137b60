package deadletters

import (
	"slices"
	"time"
)

// A Filter chooses letters. Its parts are joined by and, the values of one part by or. The zero Filter chooses all.
type Filter struct {
	URNs    []string
	Reasons []string
	IDs     []string
	Since   time.Time // failed_at, else the time of publishing
	Limit   int       // 0 is no limit
}

// IsEmpty reports whether the filter chooses all.
func (f *Filter) IsEmpty() bool {
	return len(f.URNs) == 0 && len(f.Reasons) == 0 && len(f.IDs) == 0 && f.Since.IsZero() && f.Limit == 0
}

// Chooses reports whether the filter chooses a letter, apart from the limit.
func (f *Filter) Chooses(l *Letter) bool {
	return !l.IsForeign && any(f.URNs, l.Message.URN) && any(f.Reasons, l.Reason) && any(f.IDs, l.Message.ID) &&
		!l.Time().Before(f.Since)
}

func any(wanted []string, got string) bool { return len(wanted) == 0 || slices.Contains(wanted, got) }

// names reports whether the filter asks for a reason by name, or for single messages.
func (f *Filter) names(reason string) bool {
	return slices.Contains(f.Reasons, reason) || len(f.IDs) > 0
}
