package compat

import (
	"regexp/syntax"
	"strings"
)

// maxMatch is the length up to which texts are made for a pattern, in characters.
const maxMatch = 2000

// matching returns a few texts that probably match a pattern, derived from its structure. The judge decides whether
// they match: word boundaries, for example, are ignored.
func (s *sampler) matching(pattern string) []string {
	if pattern == "" || !s.judge.budget.Spend(6*maxMatch+len(pattern)*buildCost) {
		return nil
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	var all []string
	for variant := range 6 {
		var b strings.Builder
		(&matcher{out: &b, variant: variant}).write(parsed)
		if b.Len() <= 4*maxMatch {
			all = append(all, b.String())
		}
	}
	return all
}

// A matcher writes a text for a regular expression. The variant decides between alternatives.
type matcher struct {
	out     *strings.Builder
	variant int
	written int
}

func (m *matcher) write(re *syntax.Regexp) {
	if m.written > maxMatch {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			m.char(r)
		}
	case syntax.OpCharClass:
		if n := len(re.Rune) / 2; n > 0 {
			i := m.variant % n
			low, high := re.Rune[2*i], re.Rune[2*i+1]
			m.char(min(high, max(low, low+rune(m.variant/n))))
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		m.char([]rune("a0 _-Z")[m.variant%6])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			m.write(sub)
		}
	case syntax.OpAlternate:
		m.write(re.Sub[m.variant%len(re.Sub)])
	case syntax.OpStar:
		m.repeat(re.Sub[0], m.variant%3)
	case syntax.OpPlus:
		m.repeat(re.Sub[0], 1+m.variant%3)
	case syntax.OpQuest:
		m.repeat(re.Sub[0], m.variant%2)
	case syntax.OpRepeat:
		n := re.Min
		if m.variant%2 == 1 {
			n = max(re.Min, re.Max)
		}
		m.repeat(re.Sub[0], n)
	}
}

func (m *matcher) repeat(re *syntax.Regexp, n int) {
	for range n {
		m.write(re)
	}
}

func (m *matcher) char(r rune) {
	m.out.WriteRune(r)
	m.written++
}
