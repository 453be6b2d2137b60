package format

import "time"

// DateTime accepts a date-time of RFC 3339, section 5.6. T and Z can be lower case. The second 60 is accepted where a
// leap second can be, at 23:59 UTC.
func DateTime(s string) bool {
	_, ok := ParseDateTime([]byte(s))
	return ok
}

// ParseDateTime parses a text that [DateTime] accepts. A leap second is the second after it, digits beyond the
// nanosecond are dropped, and the time is in UTC if its offset is zero. The parser of the standard library is not
// strict enough: it accepts a comma before the fraction, and it rejects leap seconds.
func ParseDateTime(text []byte) (t time.Time, ok bool) {
	p := dateTimeParser{text: text, ok: true}
	year, month, day := p.date()
	p.letter('T')
	hour, minute, second, nanos, offset := p.clock()
	if !p.ok || len(p.text) > 0 {
		return time.Time{}, false
	}
	zone := time.UTC
	if offset != 0 {
		zone = time.FixedZone("", offset*60)
	}
	t = time.Date(year, time.Month(month), day, hour, minute, second, nanos, zone)
	return t, t.Year() <= 9999 // a leap second at the end of the last year is beyond it
}

// date parses a full-date.
func (p *dateTimeParser) date() (year, month, day int) {
	year = p.digits(4)
	p.byte('-')
	month = p.digits(2)
	p.byte('-')
	day = p.digits(2)
	if p.ok && (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) {
		p.ok = false
	}
	return year, month, day
}

// clock parses a full-time. The offset is in minutes.
func (p *dateTimeParser) clock() (hour, minute, second, nanos, offset int) {
	hour = p.digits(2)
	p.byte(':')
	minute = p.digits(2)
	p.byte(':')
	second = p.digits(2)
	nanos = p.fraction()
	offset = p.offset()
	if hour > 23 || minute > 59 || second > 60 {
		p.ok = false
	}
	if utc := (hour*60 + minute - offset + 2*24*60) % (24 * 60); second == 60 && utc != 23*60+59 {
		p.ok = false
	}
	return hour, minute, second, nanos, offset
}

func daysIn(year, month int) int {
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// A dateTimeParser consumes text from the front. Once something does not fit, ok is false and the results mean nothing.
type dateTimeParser struct {
	text []byte
	ok   bool
}

func (p *dateTimeParser) next() (c byte) {
	if len(p.text) == 0 {
		p.ok = false
		return 0
	}
	c, p.text = p.text[0], p.text[1:]
	return c
}

func (p *dateTimeParser) byte(want byte) {
	if p.next() != want {
		p.ok = false
	}
}

// letter parses a letter in either case; want is upper case.
func (p *dateTimeParser) letter(want byte) {
	if p.next()&^('a'-'A') != want {
		p.ok = false
	}
}

func (p *dateTimeParser) digits(count int) (n int) {
	for range count {
		c := p.next()
		if !isDigit(c) {
			p.ok = false
		}
		n = n*10 + int(c-'0')
	}
	return n
}

// fraction parses a point and digits, if there is a point.
func (p *dateTimeParser) fraction() (nanos int) {
	if len(p.text) == 0 || p.text[0] != '.' {
		return 0
	}
	p.text = p.text[1:]
	unit := int(time.Second) / 10
	count := 0
	for len(p.text) > 0 && isDigit(p.text[0]) {
		nanos += int(p.text[0]-'0') * unit
		unit /= 10
		p.text = p.text[1:]
		count++
	}
	if count == 0 {
		p.ok = false
	}
	return nanos
}

// offset parses Z, or a sign, hours and minutes.
func (p *dateTimeParser) offset() (minutes int) {
	sign := 1
	switch p.next() {
	case 'Z', 'z':
		return 0
	case '+':
	case '-':
		sign = -1
	default:
		p.ok = false
	}
	hour := p.digits(2)
	p.byte(':')
	minute := p.digits(2)
	if hour > 23 || minute > 59 {
		p.ok = false
	}
	return sign * (hour*60 + minute)
}
