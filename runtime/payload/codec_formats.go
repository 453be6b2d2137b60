package payload

import (
	"encoding/base64"
	"errors"
	"math"
	"net/netip"
	"strconv"

	"github.com/babelqueue/bqgen/internal/format"
	"github.com/babelqueue/bqgen/runtime/internal/jsonwire"
)

// Int32 writes an integer.
func (e *Encoder) Int32(v int32) { e.Int64(int64(v)) }

// Uint64 writes an integer.
func (e *Encoder) Uint64(v uint64) { e.buf = strconv.AppendUint(e.buf, v, 10) }

// Float32 writes a finite number with the fewest digits that read back as v.
func (e *Encoder) Float32(v float32) { e.float(float64(v), 32) }

// Base64 writes bytes in base64: standard alphabet, padded. nil is an empty string.
func (e *Encoder) Base64(v []byte) {
	e.buf = append(e.buf, '"')
	e.buf = base64.StdEncoding.AppendEncode(e.buf, v)
	e.buf = append(e.buf, '"')
}

// IPv4 writes an address of IP version 4.
func (e *Encoder) IPv4(v netip.Addr) { e.address(v, v.Is4(), wantIPv4) }

// IPv6 writes an address of IP version 6, without a zone.
func (e *Encoder) IPv6(v netip.Addr) { e.address(v, v.Is6() && v.Zone() == "", wantIPv6) }

func (e *Encoder) address(v netip.Addr, ok bool, want string) {
	if !ok {
		e.violate(RuleFormat, want, quoteShort(v.String()))
		return
	}
	e.buf = append(e.buf, '"')
	e.buf = v.AppendTo(e.buf)
	e.buf = append(e.buf, '"')
}

// Int32 is Int64 for 32 bits.
func (d *Decoder) Int32(v *int32) {
	literal, ok := d.number("an integer")
	if !ok {
		return
	}
	n, err := jsonwire.ParseInt64(literal)
	if err == nil && int64(int32(n)) != n {
		err = jsonwire.ErrRange
	}
	if err != nil {
		d.notInteger(literal, err, "want an integer of 32 bits")
		return
	}
	*v = int32(n)
}

// Uint64 is Int64 for 64 bits without a sign.
func (d *Decoder) Uint64(v *uint64) {
	literal, ok := d.number("an integer")
	if !ok {
		return
	}
	n, err := jsonwire.ParseUint64(literal)
	if err != nil {
		d.notInteger(literal, err, "want an integer of 64 bits that is not negative")
		return
	}
	*v = n
}

// notInteger reports a number that is not an integer of the wanted size.
func (d *Decoder) notInteger(literal []byte, err error, want string) {
	if errors.Is(err, jsonwire.ErrRange) {
		d.violate(RuleRange, want, describe(literal))
	} else {
		d.violate(RuleType, "want an integer", describe(literal))
	}
}

// Float32 reads a number as the float32 nearest to it. One beyond the largest float32 is a violation.
func (d *Decoder) Float32(v *float32) {
	literal, ok := d.number("a number")
	if !ok {
		return
	}
	f, err := strconv.ParseFloat(string(literal), 32)
	if err != nil || math.IsInf(f, 0) {
		d.violate(RuleRange, "want a number that a float32 can hold", describe(literal))
		return
	}
	*v = float32(f)
}

// Base64 reads bytes in base64: standard alphabet, padded, no line breaks, no stray bits at the end. An empty string
// gives a slice that is not nil.
func (d *Decoder) Base64(v *[]byte) {
	start := d.pos
	text, ok := d.text("bytes in base64 as a string")
	if !ok {
		return
	}
	decoded, ok := format.DecodeByte(text)
	if !ok {
		d.violate(RuleFormat, "want bytes in base64", describe(d.src[start:d.pos]))
		return
	}
	*v = decoded
}

const (
	wantIPv4 = "want an address of IPv4"
	wantIPv6 = "want an address of IPv6"
)

// IPv4 reads four decimal numbers with points between them.
func (d *Decoder) IPv4(v *netip.Addr) { d.address(v, wantIPv4, netip.Addr.Is4) }

// IPv6 reads an address in any of the forms of RFC 4291, without a zone.
func (d *Decoder) IPv6(v *netip.Addr) {
	d.address(v, wantIPv6, func(a netip.Addr) bool { return a.Is6() && a.Zone() == "" })
}

func (d *Decoder) address(v *netip.Addr, want string, fits func(netip.Addr) bool) {
	start := d.pos
	text, ok := d.text("an address as a string")
	if !ok {
		return
	}
	a, err := netip.ParseAddr(string(text))
	if err != nil || !fits(a) {
		d.violate(RuleFormat, want, describe(d.src[start:d.pos]))
		return
	}
	*v = a
}
