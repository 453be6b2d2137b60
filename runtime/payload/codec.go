package payload

import "sync"

// A Codec writes, reads and checks payloads of type T. Generated code has one for each URN.
type Codec[T any] struct {
	Encode   func(*T, *Encoder)   // writes the payload, a JSON object
	Decode   func(*T, *Decoder)   // reads it back
	Validate func(*T, *Validator) // reports what the schema forbids; nil when the schema allows all that Encode writes
}

// The pools keep the memory of encoders, decoders and validators between payloads.
var (
	encoders   = sync.Pool{New: func() any { return new(Encoder) }}
	decoders   = sync.Pool{New: func() any { return new(Decoder) }}
	validators = sync.Pool{New: func() any { return new(Validator) }}
)

// Append appends the payload to dst as JSON, or returns a *Error when JSON or the contract cannot carry it. It
// does not check what the schema says about it; see [Codec.Check].
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	e := encoders.Get().(*Encoder)
	e.Reset(dst)
	c.Encode(v, e)
	text, err := e.Bytes()
	e.Reset(nil)
	encoders.Put(e)
	return text, err
}

// Check returns everything that keeps the payload from being sent as one *Error, or nil when the schema allows
// it. What only encoding can find, [Codec.Append] returns.
func (c *Codec[T]) Check(v *T) error {
	if c.Validate == nil {
		return nil
	}
	validator := validators.Get().(*Validator)
	c.Validate(v, validator)
	valid := validator.total == 0
	validator.reset()
	validators.Put(validator)
	if valid {
		return nil
	}
	return Validate(
		func(validator *Validator) { c.Validate(v, validator) },
		func(e *Encoder) { c.Encode(v, e) })
}

// Read decodes the payload in src into v and validates it, or returns everything that is wrong with it as one
// *Error.
func (c *Codec[T]) Read(src []byte, v *T) error {
	d := decoders.Get().(*Decoder)
	d.Reset(src)
	c.Decode(v, d)
	err := d.Finish()
	d.Reset(nil)
	decoders.Put(d)
	if c.Validate == nil {
		return err
	}
	return addReceived(err, func(validator *Validator) { c.Validate(v, validator) })
}
