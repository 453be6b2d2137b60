package bq

import (
	"fmt"
	"slices"
	"strings"
)

// A PublishAllError says which messages of a PublishAll failed.
type PublishAllError struct {
	Total    int              // of the messages
	Failures []PublishFailure // by index
}

// A PublishFailure is the failure of one of several messages.
type PublishFailure struct {
	Index int
	Err   error // what Publish would have returned
}

func (e *PublishAllError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d messages failed", len(e.Failures), e.Total)
	for i, f := range e.Failures {
		if i == 3 {
			fmt.Fprintf(&b, "; and %d more", len(e.Failures)-i)
			break
		}
		fmt.Fprintf(&b, "; message %d: %v", f.Index, f.Err)
	}
	return b.String()
}

// Unwrap returns the errors of the messages.
func (e *PublishAllError) Unwrap() []error {
	errs := make([]error, len(e.Failures))
	for i, f := range e.Failures {
		errs[i] = f.Err
	}
	return errs
}

// orNil returns the error, or nil if nothing failed.
func (e *PublishAllError) orNil() error {
	if len(e.Failures) == 0 {
		return nil
	}
	slices.SortFunc(e.Failures, func(a, b PublishFailure) int { return a.Index - b.Index })
	return e
}
