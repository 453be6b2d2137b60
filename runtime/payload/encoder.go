package payload

// An Encoder writes one payload as JSON: compact, members in the order of the calls, strings escaped only where JSON
// requires it (ENC-1 to ENC-4). Generated code calls it, in an order that makes well-formed JSON:
//
//	func (v *Order) EncodeJSON(e *payload.Encoder) {
//		if !e.BeginObject() {
//			return
//		}
//		e.Member("id").Int64(v.ID)
//		e.EndObject()
//	}
//
// What JSON or the contract cannot represent is not written: NaN, infinities and strings that are not UTF-8 (ENC-5),
// values outside their enum, years outside 0 to 9999, nesting beyond the limit. Each is a violation, and
// [Encoder.Bytes] returns all of them as one [*Error].
//
// The zero Encoder is ready to use. [Encoder.Reset] prepares it for the next payload and keeps its memory.
type Encoder struct {
	buf []byte
	trail[string]
}

// Reset starts a new payload, which is appended to dst. The Encoder owns dst until Bytes returns it.
func (e *Encoder) Reset(dst []byte) {
	e.buf = dst
	e.reset()
}

// Bytes returns the slice that Reset was given with the payload appended, or a [*Error]. The slice is valid until the
// next write.
func (e *Encoder) Bytes() ([]byte, error) {
	if err := e.err(); err != nil {
		return nil, err
	}
	return e.buf, nil
}

// Marshal returns the JSON that encode writes, or a [*Error]. Generated MarshalJSON methods call it.
func Marshal(encode func(*Encoder)) ([]byte, error) {
	var e Encoder
	encode(&e)
	return e.Bytes()
}

// BeginObject opens an object. If objects and arrays nest too deeply, it returns false, and the caller writes nothing.
// A value that contains itself ends here.
func (e *Encoder) BeginObject() bool {
	return e.begin('{', step[string]{})
}

// Member starts the member called name; the caller writes its value next. It returns e, for chaining.
func (e *Encoder) Member(name string) *Encoder {
	e.comma()
	if len(e.steps) > 0 {
		e.steps[len(e.steps)-1].name = name
	}
	e.String(name)
	e.buf = append(e.buf, ':')
	return e
}

// EndObject closes the object that BeginObject opened.
func (e *Encoder) EndObject() { e.end('}') }

// BeginArray opens an array. Its result is that of BeginObject.
func (e *Encoder) BeginArray() bool {
	return e.begin('[', step[string]{index: -1, element: true})
}

// Element starts the next element of an array; the caller writes its value next. It returns e, for chaining.
func (e *Encoder) Element() *Encoder {
	e.comma()
	if len(e.steps) > 0 {
		e.steps[len(e.steps)-1].index++
	}
	return e
}

// EndArray closes the array that BeginArray opened.
func (e *Encoder) EndArray() { e.end(']') }

func (e *Encoder) begin(bracket byte, s step[string]) bool {
	if len(e.steps) == maxPayloadDepth {
		e.violate(RuleDepth, "is nested too deeply or contains itself", "")
		return false
	}
	e.buf = append(e.buf, bracket)
	e.steps = append(e.steps, s)
	return true
}

func (e *Encoder) end(bracket byte) {
	e.buf = append(e.buf, bracket)
	e.steps = e.steps[:max(0, len(e.steps)-1)]
}

// comma separates a member or element from an earlier one. The first one follows an opening bracket, which no value
// ends in.
func (e *Encoder) comma() {
	if n := len(e.buf); n > 0 && e.buf[n-1] != '{' && e.buf[n-1] != '[' {
		e.buf = append(e.buf, ',')
	}
}
