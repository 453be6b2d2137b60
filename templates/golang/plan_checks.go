package golang

import (
	"math"
	"math/big"
	"strconv"

	"github.com/babelqueue/bqgen/schema"
)

// checked adds to t, the type of s itself, what s asks of its values beyond the type. name is for what that needs.
func (w *walker) checked(name string, s *schema.Schema, t typ) typ {
	checks := w.checks(name, s, t)
	if len(checks) == 0 {
		return t
	}
	return checked{Of: t, Checks: checks}
}

func (w *walker) checks(name string, s *schema.Schema, t typ) []check {
	if s.Const != nil {
		return []check{{Func: "Equal", Arg: constantOf(literalOf(s, s.Const))}}
	}
	switch s.Kind {
	case schema.String:
		return w.textChecks(name, s, t)
	case schema.Integer, schema.Number:
		return numberChecks(s, t)
	case schema.Array:
		all := sizeChecks("MinItems", s.MinItems, "MaxItems", s.MaxItems)
		if s.UniqueItems {
			all = append(all, check{Func: "UniqueItems", On: onWriter})
		}
		return all
	case schema.Object:
		return sizeChecks("MinProperties", s.MinProperties, "MaxProperties", s.MaxProperties)
	}
	return nil
}

// constantOf is a value as a constant of Go.
func constantOf(l *literal) any {
	switch {
	case l.Of == stringType:
		return l.Text
	case l.Of == float64Type || l.Of == float32Type:
		return goConstant(nearest(l.JSON, l.Of).text)
	}
	return goConstant(l.JSON)
}

func sizeChecks(minFunc string, min *int, maxFunc string, max *int) []check {
	var all []check
	if min != nil && *min > 0 {
		all = append(all, check{Func: minFunc, Arg: *min, On: onLength})
	}
	if max != nil {
		all = append(all, check{Func: maxFunc, Arg: *max, On: onLength})
	}
	return all
}

// runtimeFormats are those that the runtime checks on strings.
var runtimeFormats = map[schema.Format]runtimeName{
	schema.Date: "FormatDate", schema.TimeOfDay: "FormatTime", schema.Duration: "FormatDuration",
	schema.URI: "FormatURI", schema.Email: "FormatEmail", schema.Hostname: "FormatHostname",
}

func (w *walker) textChecks(name string, s *schema.Schema, t typ) []check {
	on := onText
	if b, ok := t.(builtin); ok && (b == stringType || b == decimalType) {
		on = onValue
	}
	var all []check
	if s.MinLength != nil && *s.MinLength > 0 {
		all = append(all, check{Func: "MinLength", Arg: *s.MinLength, On: on})
	}
	if s.MaxLength != nil {
		all = append(all, check{Func: "MaxLength", Arg: *s.MaxLength, On: on})
	}
	if s.Pattern != "" {
		pattern := w.names.claimNear(w.owner, s.Pos, "pattern"+name)
		w.decls = append(w.decls, &patternDecl{Name: pattern, Text: s.Pattern})
		all = append(all, check{Func: "MatchPattern", Arg: global(pattern), On: on})
	}
	if f := runtimeFormats[s.Format]; f != "" && s.Enum == nil {
		all = append(all, check{Func: "CheckFormat", Arg: f})
	}
	return all
}

func numberChecks(s *schema.Schema, t typ) []check {
	of, _ := t.(builtin)
	var all []check
	add := func(n *schema.Num, bound func(*schema.Num, bool, builtin) (check, bool), exclusive bool) {
		if n == nil {
			return
		}
		if c, ok := bound(n, exclusive, of); ok {
			all = append(all, c)
		}
	}
	add(s.Minimum, lowerBound, false)
	add(s.ExclusiveMinimum, lowerBound, true)
	add(s.Maximum, upperBound, false)
	add(s.ExclusiveMaximum, upperBound, true)
	if s.MultipleOf != nil {
		all = append(all, check{Func: "MultipleOf", Arg: s.MultipleOf.Text})
	}
	return all
}

// A goNumber is a number of a Go type.
type goNumber struct {
	text  string   // as a constant of Go
	value *big.Rat // what it stands for: of a float, the shortest decimal that reads back as it
}

// lowerBound is the check that values are not below n. It reports false when no value of the type can be.
func lowerBound(n *schema.Num, exclusive bool, of builtin) (check, bool) {
	bound, least := boundOf(n, of, true), smallest(of)
	atBound := bound.value.Cmp(n.Rat()) // of the value that the bound becomes
	allowed := atBound > 0 || atBound == 0 && !exclusive
	switch {
	case bound.value.Cmp(least.value) < 0, bound.value.Cmp(least.value) == 0 && allowed:
		return check{}, false
	case allowed:
		return check{Func: "Minimum", Arg: goConstant(bound.text)}, true
	}
	return check{Func: "ExclusiveMinimum", Arg: goConstant(bound.text)}, true
}

// upperBound is the check that values are not above n.
func upperBound(n *schema.Num, exclusive bool, of builtin) (check, bool) {
	bound, most := boundOf(n, of, false), largest(of)
	atBound := bound.value.Cmp(n.Rat())
	allowed := atBound < 0 || atBound == 0 && !exclusive
	switch {
	case bound.value.Cmp(most.value) > 0, bound.value.Cmp(most.value) == 0 && allowed:
		return check{}, false
	case allowed:
		return check{Func: "Maximum", Arg: goConstant(bound.text)}, true
	}
	return check{Func: "ExclusiveMaximum", Arg: goConstant(bound.text)}, true
}

// boundOf is the number of the type that stands for n: the nearest float, or the next integer on the side of the values
// that are allowed. One beyond the type is beyond it still, or at its end.
func boundOf(n *schema.Num, of builtin, isLower bool) goNumber {
	if of == float64Type || of == float32Type {
		return nearest(n.Text, of)
	}
	r := n.Rat()
	whole := new(big.Int).Div(r.Num(), r.Denom()) // rounded down
	if isLower && !r.IsInt() {
		whole.Add(whole, big.NewInt(1))
	}
	value := new(big.Rat).SetInt(whole)
	// No value of the type is beyond its end: what asks for more is made to ask for more than the end.
	if end := largest(of); isLower && value.Cmp(end.value) > 0 {
		return end
	}
	if end := smallest(of); !isLower && value.Cmp(end.value) < 0 {
		return end
	}
	return goNumber{text: whole.String(), value: value}
}

// nearest is the float that number, in JSON, is read as; one beyond the largest is the largest.
func nearest(number string, of builtin) goNumber {
	f, _ := strconv.ParseFloat(number, bitsOf(of))
	if most := maxFloat(of); math.Abs(f) > most {
		f = math.Copysign(most, f)
	}
	return floatNumber(f, of)
}

func floatNumber(f float64, of builtin) goNumber {
	format := byte('f')
	if size := math.Abs(f); size < 1e-6 || size >= 1e21 {
		format = 'g'
	}
	text := strconv.FormatFloat(f, format, -1, bitsOf(of))
	value, _ := new(big.Rat).SetString(text)
	if value.Sign() == 0 {
		text = "0"
	}
	return goNumber{text: text, value: value}
}

func bitsOf(of builtin) int {
	if of == float32Type {
		return 32
	}
	return 64
}

func maxFloat(of builtin) float64 {
	if of == float32Type {
		return math.MaxFloat32
	}
	return math.MaxFloat64
}

func smallest(of builtin) goNumber {
	switch of {
	case int32Type:
		return wholeNumber(math.MinInt32)
	case int64Type:
		return wholeNumber(math.MinInt64)
	case uint64Type:
		return wholeNumber(0)
	}
	return floatNumber(-maxFloat(of), of)
}

func largest(of builtin) goNumber {
	switch of {
	case int32Type:
		return wholeNumber(math.MaxInt32)
	case int64Type:
		return wholeNumber(math.MaxInt64)
	case uint64Type:
		n := new(big.Int).SetUint64(math.MaxUint64)
		return goNumber{text: n.String(), value: new(big.Rat).SetInt(n)}
	}
	return floatNumber(maxFloat(of), of)
}

func wholeNumber(n int64) goNumber {
	return goNumber{text: strconv.FormatInt(n, 10), value: new(big.Rat).SetInt64(n)}
}
