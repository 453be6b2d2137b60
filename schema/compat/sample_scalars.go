package compat

import (
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// lengths returns the lengths at the bounds and just beyond.
func lengths(bounds ...*int) []int {
	all := []int{0, 1, 2}
	for _, b := range bounds {
		if b != nil {
			all = append(all, *b, *b+1, max(0, *b-1))
		}
	}
	return all
}

// scalars returns values at the limits of two schemas.
func (s *sampler) scalars(from, other *schema.Schema) []any {
	var all []any
	for _, x := range []*schema.Schema{from, other} {
		all = append(all, validValues(x)...)
		for _, e := range x.Examples {
			all = append(all, decode(e.JSON))
		}
		if x.Default != nil {
			all = append(all, decode(x.Default.JSON))
		}
	}
	switch from.Kind {
	case schema.Boolean:
		all = append(all, true, false)
	case schema.String:
		all = append(all, s.texts(from, other)...)
	case schema.Integer, schema.Number:
		if s.judge.budget.Spend(numbersCost(from, other)) {
			all = append(all, numbers(from, other)...)
		}
	}
	return all
}

// formatSamples are values of each format: the first is ordinary, others are barely valid.
var formatSamples = map[schema.Format][]string{
	schema.DateTime:  {"2026-03-01T09:30:00Z", "2026-03-01T09:30:00.123456789+01:00"},
	schema.UUID:      {"5f0c6f6e-3d0b-4a52-9d5e-0b8a7c1d2e3f"},
	schema.Date:      {"2026-03-01"},
	schema.TimeOfDay: {"09:30:00Z", "09:30:00.5+01:00"},
	schema.Duration:  {"P1D", "PT1H30M", "P" + strings.Repeat("1", 70) + "D"},
	schema.Byte:      {"AAAA", "", "+/8=", "AA=="},
	schema.Decimal:   {"99.90", "-1.5", "0"},
	schema.URI:       {"https://example.com/a?b=c#d", "urn:isbn:0451450523"},
	schema.Email:     {"ada@example.com"},
	schema.Hostname:  {"example.com", "localhost"},
	schema.IPv4:      {"192.0.2.1"},
	schema.IPv6:      {"2001:db8::1", "::"},
}

func (s *sampler) texts(from, other *schema.Schema) []any {
	var all []any
	add := func(text string) {
		if s.judge.budget.Spend(buildCost + len(text)/4) {
			all = append(all, text)
		}
	}
	for _, p := range []string{from.Pattern, other.Pattern} {
		for _, text := range s.matching(p) {
			add(text)
			for _, n := range lengths(from.MinLength, from.MaxLength, other.MinLength, other.MaxLength) {
				if pad := n - len([]rune(text)); pad > 0 && n <= maxSampleText {
					add(text + strings.Repeat(text[max(0, len(text)-1):], pad)) // longer, with its last character repeated
				}
			}
		}
	}
	for _, f := range []schema.Format{from.Format, other.Format} {
		for _, s := range formatSamples[f] {
			add(s)
		}
	}
	for _, n := range lengths(from.MinLength, from.MaxLength, other.MinLength, other.MaxLength) {
		if n > maxSampleText {
			continue
		}
		add(strings.Repeat("a", n))
		add(strings.Repeat("0", n))
		add(strings.Repeat("é", n))
		if n > 20 {
			add("https://example.com/" + strings.Repeat("a", n-20))
			add("P" + strings.Repeat("1", n-2) + "D")
		}
		if n > 12 {
			add(strings.Repeat("a", min(n-12, 60)) + "@example.com")
		}
	}
	add(" ?!")
	add("Aa1_-.")
	for f := schema.DateTime; f <= schema.IPv6; f++ {
		for _, s := range formatSamples[f] {
			add(s)
		}
	}
	return all
}
