package bq

import (
	"fmt"
	"slices"
	"strings"
)

// A CustomizerError says which settings a customizer must not change, because the wire contract or this package would
// break: a function given to [WithConsumerOptions], [WithReaderOptions] or [WithProducerOptions].
type CustomizerError struct{ Refused []RefusedField }

// A RefusedField is a setting that a customizer must not change.
type RefusedField struct {
	Customizer string // such as WithConsumerOptions
	Field      string // such as Topic
	Instead    string // what to do instead
}

func (e *CustomizerError) Error() string {
	var parts []string
	for _, r := range e.Refused {
		parts = append(parts, fmt.Sprintf("%s must not set %s: %s", r.Customizer, r.Field, r.Instead))
	}
	return strings.Join(parts, "; ")
}

// A refusals collects what a customizer must not change.
type refusals struct {
	customizer string
	all        []RefusedField
}

func (r *refusals) add(wrong bool, field, instead string) {
	if wrong {
		r.all = append(r.all, RefusedField{Customizer: r.customizer, Field: field, Instead: instead})
	}
}

func (r *refusals) err() error {
	if len(r.all) == 0 {
		return nil
	}
	return &CustomizerError{Refused: r.all}
}

// A customizer is a function that changes options, and the queues of the catalog that it is for: all if there are none.
type customizer[T any] struct {
	fn   func(*T)
	only []Queue
}

// customizersOf returns the functions for a queue, in order. is reports whether it is the one that a function names.
func customizersOf[T any](all []customizer[T], is func(Queue) bool) (fns []func(*T)) {
	for _, c := range all {
		if len(c.only) == 0 || slices.ContainsFunc(c.only, is) {
			fns = append(fns, c.fn)
		}
	}
	return fns
}

// isQueue returns a function that reports whether a queue of the catalog has the topic.
func isQueue(topic string) func(Queue) bool {
	return func(q Queue) bool { return sameTopic(q.Topic, topic) }
}

// customize returns options as the functions leave them, called in order. Each gets a copy, so what it keeps and
// changes later has no effect.
func customize[T any](customizer string, options T, clone func(T) T, fns []func(*T)) (T, error) {
	for _, fn := range fns {
		err := protect(func() error {
			changed := clone(options)
			fn(&changed)
			options = clone(changed)
			return nil
		})
		if err != nil {
			return options, fmt.Errorf("a function given to %s: %w", customizer, err)
		}
	}
	return options, nil
}

// cloned returns a copy of what p points to, or nil.
func cloned[T any](p *T) *T {
	if p == nil {
		return nil
	}
	c := *p
	return &c
}
