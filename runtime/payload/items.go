package payload

// EncodeArray writes values as an array, each with encode. A nil slice becomes an empty array.
func EncodeArray[T any](e *Encoder, values []T, encode func(*Encoder, T)) {
	if !e.BeginArray() {
		return
	}
	for _, v := range values {
		encode(e.Element(), v)
	}
	e.EndArray()
}

// EncodeArrayOf is [EncodeArray] for generated types, which encode themselves.
func EncodeArrayOf[T any, P interface {
	*T
	EncodeJSON(*Encoder)
}](e *Encoder, values []T) {
	if !e.BeginArray() {
		return
	}
	for i := range values {
		P(&values[i]).EncodeJSON(e.Element())
	}
	e.EndArray()
}

// DecodeArray reads an array, each element with decode, and replaces what v points to. An empty array becomes a slice
// that is not nil.
func DecodeArray[T any](d *Decoder, v *[]T, decode func(*Decoder, *T)) {
	out, found := []T{}, d.total
	for range d.Array {
		decode(d, grow(&out, d.total > found))
	}
	*v = out
}

// DecodeArrayOf is [DecodeArray] for generated types, which decode themselves.
func DecodeArrayOf[T any, P interface {
	*T
	DecodeJSON(*Decoder)
}](d *Decoder, v *[]T) {
	out, found := []T{}, d.total
	for range d.Array {
		P(grow(&out, d.total > found)).DecodeJSON(d)
	}
	*v = out
}

// grow adds an element. After a violation nobody will see the array, so its memory is used again: a large array of
// wrong elements costs nothing.
func grow[T any](out *[]T, wrong bool) *T {
	if wrong {
		*out = (*out)[:0]
	}
	var zero T
	*out = append(*out, zero)
	return &(*out)[len(*out)-1]
}

// ValidateArray checks each element of an array.
func ValidateArray[T any](c *Validator, values []T, check func(*T, *Validator)) {
	if len(values) == 0 || !c.begin(step[string]{element: true}) {
		return
	}
	top := len(c.steps) - 1
	for i := range values {
		c.steps[top].index = i
		check(&values[i], c)
	}
	c.end()
}
