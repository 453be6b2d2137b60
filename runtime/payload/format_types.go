package payload

import (
	"encoding/base64"
	"encoding/hex"
	"net/netip"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/babelqueue/bqgen/internal/format"
)

// The formats whose strings are values of a Go type. The checks of the other formats are in format.go.

// Time writes a date-time of RFC 3339 in the zone of v, with as many digits of the second as v has. A year must be from
// 0 to 9999. A zone that RFC 3339 cannot express, with seconds or of a day or more, becomes UTC.
func (e *Encoder) Time(v time.Time) {
	const day = 24 * 60 * 60
	if _, offset := v.Zone(); offset%60 != 0 || offset <= -day || offset >= day {
		v = v.UTC()
	}
	if year := v.Year(); year < 0 || year > 9999 {
		e.violate(RuleRange, "want a year from 0 to 9999", strconv.Itoa(year))
		return
	}
	e.buf = append(e.buf, '"')
	e.buf = v.AppendFormat(e.buf, time.RFC3339Nano)
	e.buf = append(e.buf, '"')
}

// Time reads a date-time of RFC 3339, strictly. T and Z can be lower case. A leap second means the second after it, as
// on the Unix clock. Digits beyond the nanosecond are dropped. The time is in UTC if its offset is zero, otherwise in a
// zone without a name.
func (d *Decoder) Time(v *time.Time) {
	start := d.pos
	text, ok := d.text("a date-time as a string")
	if !ok {
		return
	}
	t, ok := format.ParseDateTime(text)
	if !ok {
		d.violate(RuleFormat, "want a date-time by RFC 3339", describe(d.src[start:d.pos]))
		return
	}
	*v = t
}

// UUID writes a UUID in its 36-character form, in lower case.
func (e *Encoder) UUID(v uuid.UUID) {
	e.buf = append(e.buf, '"')
	e.buf = hex.AppendEncode(e.buf, v[:4])
	for _, group := range [][]byte{v[4:6], v[6:8], v[8:10], v[10:]} {
		e.buf = append(e.buf, '-')
		e.buf = hex.AppendEncode(e.buf, group)
	}
	e.buf = append(e.buf, '"')
}

// UUID reads a UUID in its 36-character form, in either case.
func (d *Decoder) UUID(v *uuid.UUID) {
	start := d.pos
	text, ok := d.text("a UUID as a string")
	if !ok {
		return
	}
	id, ok := format.ParseUUID(text)
	if !ok {
		d.violate(RuleFormat, "want a UUID of 36 characters", describe(d.src[start:d.pos]))
		return
	}
	*v = id
}

// Base64 writes bytes in base64 with the standard alphabet and padding. nil becomes an empty string.
func (e *Encoder) Base64(v []byte) {
	e.buf = append(e.buf, '"')
	e.buf = base64.StdEncoding.AppendEncode(e.buf, v)
	e.buf = append(e.buf, '"')
}

// Base64 reads bytes in base64, as [format.Byte] accepts them. An empty string becomes a slice that is not nil.
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

// Base64Length returns the length of bytes in base64.
func Base64Length(v []byte) int { return base64.StdEncoding.EncodedLen(len(v)) }

const (
	wantIPv4 = "want an address of IPv4"
	wantIPv6 = "want an address of IPv6"
)

// IPv4 writes an IPv4 address.
func (e *Encoder) IPv4(v netip.Addr) { e.address(v, isIPv4, wantIPv4) }

// IPv6 writes an IPv6 address, which must not have a zone.
func (e *Encoder) IPv6(v netip.Addr) { e.address(v, isIPv6, wantIPv6) }

func (e *Encoder) address(v netip.Addr, fits func(netip.Addr) bool, want string) {
	if !fits(v) {
		e.violate(RuleFormat, want, quoteShort(v.String()))
		return
	}
	e.buf = append(e.buf, '"')
	e.buf = v.AppendTo(e.buf)
	e.buf = append(e.buf, '"')
}

// IPv4 reads four decimal numbers separated by dots.
func (d *Decoder) IPv4(v *netip.Addr) { d.address(v, isIPv4, wantIPv4) }

// IPv6 reads an address in any form of RFC 4291, without a zone.
func (d *Decoder) IPv6(v *netip.Addr) { d.address(v, isIPv6, wantIPv6) }

func (d *Decoder) address(v *netip.Addr, fits func(netip.Addr) bool, want string) {
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

func isIPv4(a netip.Addr) bool { return a.Is4() }

func isIPv6(a netip.Addr) bool { return a.Is6() && a.Zone() == "" }
