package schema

import (
	"math"
	"math/big"
	"strconv"
)

// maxNumber is the longest number in a catalog, in characters, and the most decimal places that its exponent may move
// the point.
const maxNumber = 400

// boolean takes true or false.
func (l *loader) boolean(n *node, what string) bool {
	switch {
	case n.kind == badNode:
	case n.kind == scalarNode && n.plain && classifyPlain(n.text) == plainBool:
		return n.text == "true"
	case n.kind == scalarNode && !n.plain && (n.text == "true" || n.text == "false"):
		l.report(n.pos, ruleWrongType, "remove the quotes", "%s must be true or false, this is %s", what, n.describe())
	default:
		l.report(n.pos, ruleWrongType, "", "%s must be true or false, this is %s", what, n.describe())
	}
	return false
}

// count takes a whole number that is not negative.
func (l *loader) count(n *node, what string) *int {
	text, ok := l.integer(n, ruleBound, what)
	if !ok {
		return nil
	}
	v, err := strconv.ParseInt(text, 10, 64)
	switch {
	case text[0] == '-' && text != "-0":
		l.report(n.pos, ruleBound, "", "%s is %s, it must not be negative", what, cut(text))
	case err != nil || v > math.MaxInt32:
		l.report(n.pos, ruleBound, "leave it out: no message is that large", "%s is %s, it must be at most %d", what, cut(text), math.MaxInt32)
	default:
		count := int(v)
		return &count
	}
	return nil
}

// number takes a number as it is.
func (l *loader) number(n *node, what string) *Num {
	switch {
	case n.kind == badNode:
	case n.kind == scalarNode && !n.plain && jsonNumber.MatchString(n.text):
		l.report(n.pos, ruleWrongType, "remove the quotes", "%s must be a number, this is %s", what, n.describe())
	case n.kind != scalarNode || !n.plain || classifyPlain(n.text) != plainNumber && classifyPlain(n.text) != plainOther:
		l.report(n.pos, ruleWrongType, "", "%s must be a number, this is %s", what, n.describe())
	case classifyPlain(n.text) == plainOther:
		l.report(n.pos, ruleWrongType, "write it in decimal digits", "%s must be a number as JSON writes it, this is %s", what, cut(n.text))
	case !workableNumber(n.text):
		l.report(n.pos, ruleBound, "leave it out", "%s is out of range: %s", what, cut(n.text))
	default:
		return &Num{Pos: n.pos, Text: n.text}
	}
	return nil
}

func (l *loader) multipleOfKeyword(d *draft, n *node) {
	num := l.number(n, "multipleOf")
	if num != nil && num.Rat().Sign() <= 0 {
		l.report(n.pos, ruleBound, "", "multipleOf is %s, it must be greater than 0", cut(num.Text))
		return
	}
	d.MultipleOf = num
}

// workableNumber refuses numbers that do not fit into a float64, and those that are nothing but long or close to
// zero, such as 1e-1000000, since to compute with them takes for ever.
func workableNumber(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && !math.IsInf(f, 0) && len(text) <= maxNumber && !tinyExponent(text)
}

// tinyExponent reports numbers that are zero for all that can be told.
func tinyExponent(number string) bool {
	for i := range len(number) {
		if number[i] == 'e' || number[i] == 'E' {
			exponent, err := strconv.Atoi(number[i+1:])
			return err != nil || exponent < -maxNumber
		}
	}
	return false
}

// rational is the value of a workable number.
func rational(text string) *big.Rat {
	r, _ := new(big.Rat).SetString(text)
	return r
}

// wholeText writes a number in canonical digits when it is whole.
func wholeText(number string) (string, bool) {
	if wholeNumber(number) && number != "-0" {
		return number, true
	}
	r := rational(number)
	if !r.IsInt() {
		return "", false
	}
	return r.Num().String(), true
}

func larger(a, b *int) *int {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

func smaller(a, b *int) *int {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}
