package bq

// A Presence says whether a member is there.
type Presence uint8

// What a member can be that may be absent and may be null.
const (
	Absent  Presence = iota // the object does not have it
	IsNull                  // it is null
	Present                 // it has a value
)

// An Optional is a member of three states: absent, null, or a value. Which one it is survives a round trip. The zero
// Optional is absent.
type Optional[T any] struct {
	State Presence
	Value T // counts only when State is Present
}

// Some returns an Optional with a value.
func Some[T any](v T) Optional[T] { return Optional[T]{State: Present, Value: v} }

// Null returns an Optional that is null.
func Null[T any]() Optional[T] { return Optional[T]{State: IsNull} }

// Get returns the value, and whether there is one.
func (o Optional[T]) Get() (v T, ok bool) {
	if o.State != Present {
		return v, false
	}
	return o.Value, true
}

// IsPresent reports whether there is a value.
func (o Optional[T]) IsPresent() bool { return o.State == Present }

// IsZero reports whether the member is absent. It makes omitzero in json tags mean that.
func (o Optional[T]) IsZero() bool { return o.State == Absent }
