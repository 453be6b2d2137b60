package payload

import (
	"math/big"

	"github.com/babelqueue/bqgen/internal/format"
)

// A Decimal is an exact decimal number as text, such as 99.90: digits with at most one point between them, an optional
// minus sign in front, and no superfluous zero at the start. The text never changes, so 1.0 and 1.00 are different
// decimals. The empty Decimal is not a number and cannot be sent.
//
// It is text and not a number type of a library since all it has to do is to travel unchanged. A service computes with
// [Decimal.Rat] or with the decimal library of its choice, which parses the text.
type Decimal string

// Valid reports whether the text is a decimal number.
func (d Decimal) Valid() bool { return format.Decimal(d) }

// Rat returns the exact value, or false if the text is not a decimal number.
func (d Decimal) Rat() (*big.Rat, bool) {
	if !d.Valid() {
		return nil, false
	}
	return new(big.Rat).SetString(string(d))
}

// Decimal writes a decimal number as a string.
func (e *Encoder) Decimal(v Decimal) {
	if !v.Valid() {
		e.violate(RuleFormat, wantDecimal, quoteShort(v))
		return
	}
	e.String(string(v))
}

// Decimal reads a decimal number from a string.
func (d *Decoder) Decimal(v *Decimal) {
	start := d.pos
	text, ok := d.text("a decimal number as a string")
	if !ok {
		return
	}
	if !format.Decimal(text) {
		d.violate(RuleFormat, wantDecimal, describe(d.src[start:d.pos]))
		return
	}
	*v = Decimal(text)
}

const wantDecimal = "want a decimal number such as -12.50"
