package payload

import "sync"

// A Codec encodes, decodes and validates payloads of type T. Generated code contains one for each URN.
type Codec[T any] struct {
	Encode   func(*T, *Encoder)   // writes the payload, a JSON object
	Decode   func(*T, *Decoder)   // reads it
	Validate func(*T, *Validator) // reports what the schema forbids; nil if the schema allows all that Encode writes
}

// The pools keep the memory of encoders, decoders and validators between payloads.
var (
	encoders   = sync.Pool{New: func() any { return new(Encoder) }}
	decoders   = sync.Pool{New: func() any { return new(Decoder) }}
	validators = sync.Pool{New: func() any { return new(Validator) }}
)

// Append appends the payload to dst as JSON. It returns a [*Error] if JSON or the contract cannot represent the
// payload. It does not validate; see [Codec.Check].
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	e := encoders.Get().(*Encoder)
	e.Reset(dst)
	c.Encode(v, e)
	text, err := e.Bytes()
	e.Reset(nil)
	encoders.Put(e)
	return text, err
}

// Check validates a payload that is to be sent. If the schema does not allow it, Check returns all violations,
// including those that only encoding finds, as one [*Error]. If the schema allows it, [Codec.Append] can still fail.
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

// Read decodes a received payload from src into v and validates it. It returns all violations as one [*Error].
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
