package payload

// An Optional is a member that may be absent and may be null. Which of the three it is (absent, null, a value)
// survives a round trip. The zero Optional is absent.
type Optional[T any] struct {
	Value   *T   // nil when the member is absent or null
	Present bool // tells null from absent; it does not matter beside a value
}

// Some returns an Optional with a value.
func Some[T any](v T) Optional[T] { return Optional[T]{Value: &v, Present: true} }

// Null returns an Optional that is null.
func Null[T any]() Optional[T] { return Optional[T]{Present: true} }

// Get returns the value, and whether there is one.
func (o Optional[T]) Get() (v T, ok bool) {
	if o.Value == nil {
		return v, false
	}
	return *o.Value, true
}

// IsNull reports whether the member is null.
func (o Optional[T]) IsNull() bool { return o.Present && o.Value == nil }

// IsZero reports whether the member is absent. It makes omitzero in json tags mean that.
func (o Optional[T]) IsZero() bool { return !o.Present && o.Value == nil }
