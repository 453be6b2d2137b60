package golang_test

import (
	"fmt"
	"strings"
)

// A maker writes a catalog by the decisions in a text. Every text gives a catalog that is nearly always valid.
type maker struct {
	decisions []byte
	out       strings.Builder
	types     int
	depth     int
}

// pick returns a number below n. When the decisions are used up it is 0, which always is the plainest choice.
func (m *maker) pick(n int) int {
	if len(m.decisions) == 0 {
		return 0
	}
	d := int(m.decisions[0])
	m.decisions = m.decisions[1:]
	return d % n
}

func (m *maker) maybe() bool { return m.pick(2) == 1 }

func (m *maker) oneOf(words ...string) string { return words[m.pick(len(words))] }

func (m *maker) write(format string, args ...any) { fmt.Fprintf(&m.out, format, args...) }

// comments may stand at the end of a line, or on lines of their own.
func (m *maker) comment(indent string) string {
	return m.oneOf("", " # note", " # bqgen:ignore missing-summary because", "\n"+indent+"# above\n"+indent+"# and below")
}

// texts are what descriptions contain: what ends a comment, a string or a page.
func (m *maker) text() string {
	return m.oneOf("plain", "'it''s: #1'", `"a\nb \\ \" \u2028 \x1b"`, "'*/ <script> ]]> `x` {{.}}'",
		"größe 日本 👍",
		"'::error::a ##[b]'", `"//go:embed x"`, "'%s %d {0}'")
}

func (m *maker) catalog() string {
	m.types = m.pick(4)
	m.write("bqgen: 1%s\npackage: %s\n", m.comment(""), m.oneOf("p", "order_events", "runtime", "time"))
	if m.maybe() {
		m.write("info: {title: %s, description: %s}\n", m.text(), m.text())
	}
	m.write("queues:%s\n", m.comment("  "))
	queues := 1 + m.pick(3)
	var names []string
	for i := range queues {
		names = append(names, fmt.Sprint(m.oneOf("q", "Order-", "a_b"), i))
		m.write("  %s: {%s}%s\n", names[i], m.oneOf("", "max_attempts: 3", "dead_letter: false",
			"topic: persistent://a/b/c"), m.oneOf("", " # queue"))
	}
	if m.types > 0 {
		m.write("types:\n")
		for i := range m.types {
			m.write("  T%d: ", i)
			m.schema(i)
			m.write("%s\n", m.oneOf("", " # type"))
		}
	}
	m.write("urns:%s\n", m.comment("  "))
	for i := range 1 + m.pick(3) {
		m.write("  %s%d:\n    queue: %s%s\n", m.oneOf("urn:babel:orders:created", "urn:a:b:C-d_", "urn:x:Größe"), i,
			names[m.pick(queues)], m.comment("    "))
		for _, key := range []string{"summary", "description"} {
			if m.maybe() {
				m.write("    %s: %s\n", key, m.text())
			}
		}
		m.write("    data: ")
		example := m.object(m.types)
		m.write("\n")
		if m.maybe() {
			m.write("    publishers: [a, %s]\n", m.oneOf("b", "c-d"))
		}
		m.write("%s", m.oneOf("", "", "    deprecated: {reason: gone}\n", fmt.Sprintf("    name: Given%d\n", i)))
		if example && m.maybe() {
			m.write("    examples: [{}]\n")
		}
	}
	return m.out.String()
}

// schema writes a schema that refers to types below a number only, or to any type behind an optional property.
func (m *maker) schema(below int) {
	m.depth++
	defer func() { m.depth-- }()
	choice := m.pick(12)
	if m.depth > 4 {
		choice %= 4
	}
	switch choice {
	case 0:
		m.write("{type: string%s%s}", m.oneOf("", ", minLength: 2", ", maxLength: 9", ", pattern: '^[a-z]+$'",
			", format: uuid", ", format: date-time", ", format: decimal", ", format: byte", ", format: duration"), m.about())
	case 1:
		m.write("{type: %s%s%s}", m.oneOf("integer", "number"), m.oneOf("", ", minimum: -3", ", maximum: 7",
			", multipleOf: 2", ", exclusiveMinimum: 0, maximum: 100"), m.about())
	case 2:
		m.write("{type: %s%s}", m.oneOf("boolean", "[string, \"null\"]", "[integer, \"null\"]"), m.about())
	case 3:
		m.write("{enum: [%s]%s}", m.oneOf("a, b-c, 'D e'", "1, 2, 3", "a_b, a-b, A B", "'', x"), m.about())
	case 4:
		m.write("{type: array, items: ")
		m.schema(below)
		m.write("%s}", m.oneOf("", ", minItems: 1", ", maxItems: 3", ", uniqueItems: true"))
	case 5:
		if below == 0 {
			m.write("{}")
			return
		}
		m.write("{$ref: '#/types/T%d'}", m.pick(below))
	case 6:
		m.union(below)
	case 7:
		m.write("{allOf: [")
		m.members("left", below)
		m.write("}, ")
		m.members("right", below)
		m.write("}]}")
	case 8, 9:
		m.rule(below)
	default:
		m.object(below)
	}
}

// rule writes a schema that Go has no type for.
func (m *maker) rule(below int) {
	schema := func(before, after string) {
		m.write("%s", before)
		m.schema(below)
		m.write("%s", after)
	}
	switch m.pick(14) {
	case 0:
		m.write("{type: [string, integer]%s}", m.about())
	case 1:
		schema("{not: ", "}")
	case 2:
		schema("{anyOf: [", ", ")
		schema("", "]}")
	case 3:
		schema("{if: ", ", then: ")
		schema("", m.oneOf("}", ", else: false}"))
	case 4:
		schema("{type: array, items: {}, contains: ", m.oneOf("}", ", minContains: 2}", ", maxContains: 3}"))
	case 5:
		schema("{type: array, prefixItems: [", "], items: ")
		schema("", m.oneOf("}", ", unevaluatedItems: false}"))
	case 6:
		schema("{type: object, patternProperties: {^x: ", "}, properties: {a: {type: string}}}")
	case 7:
		m.write("{type: object, propertyNames: {maxLength: 3}, dependentRequired: {a: [b]}%s}", m.about())
	case 8:
		schema("{type: object, properties: {a: {}}, dependentSchemas: {a: ", "}, unevaluatedProperties: false}")
	case 9:
		m.write("{enum: [%s]}", m.oneOf("a, 1, null", "[1, 2], {a: b}", "1.5, 2.5", "true"))
	case 10:
		m.write("{const: %s}", m.oneOf("{a: [1, null]}", "[]", "null", "1e3", "x"))
	case 11:
		m.write("%s", m.oneOf("true", "false", "{type: \"null\"}"))
	case 12:
		schema("{oneOf: [", ", {type: boolean}]}")
	case 13:
		m.write("{type: string, allOf: [{pattern: a}, {pattern: 'b|c'}], not: {enum: [ab]}%s}", m.about())
	}
}

func (m *maker) about() string {
	switch m.pick(8) {
	case 1:
		return ", description: " + m.text()
	case 2:
		return ", title: " + m.text()
	case 3:
		return ", deprecated: true"
	case 4:
		return ", x-gdpr-sensitive: true"
	case 5:
		return ", x-other: " + m.oneOf("1", "{a: [b, null]}", m.text())
	case 6:
		return ", $comment: " + m.text()
	}
	return ""
}

// object writes a schema of objects, and reports whether an empty object is valid.
func (m *maker) object(below int) bool {
	required := m.members("", below)
	m.write("%s%s}", m.oneOf("", "", ", additionalProperties: true", ", additionalProperties: false",
		", additionalProperties: {type: string}"), m.about())
	return !required
}

// members writes the start of an object, and reports whether one of its members is required. Parts of one object have
// names of their own.
func (m *maker) members(part string, below int) bool {
	n := m.pick(4)
	var required []string
	m.write("{type: object")
	if n > 0 {
		m.write(", properties: {")
	}
	for i := range n {
		name := m.oneOf("a", "bc", "d_e", "F-g", "type", "Validate", "größe") + part + fmt.Sprint(i)
		if m.maybe() {
			required = append(required, name)
		}
		if i > 0 {
			m.write(", ")
		}
		m.write("%s: ", name)
		if m.types > 0 && m.pick(5) == 1 && (len(required) == 0 || required[len(required)-1] != name) {
			m.write("{$ref: '#/types/T%d'}", m.pick(m.types)) // may be a cycle, and ends since it is optional
			continue
		}
		m.schema(below)
	}
	if n > 0 {
		m.write("}")
	}
	if len(required) > 0 {
		m.write(", required: [%s]", strings.Join(required, ", "))
	}
	return len(required) > 0
}

func (m *maker) union(below int) {
	m.write("{oneOf: [")
	for i := range 1 + m.pick(3) {
		if i > 0 {
			m.write(", ")
		}
		m.write("{type: object, required: [kind], properties: {kind: {const: %s%d}, x: ", m.oneOf("k", "K-", "a_"), i)
		m.schema(below)
		m.write("}}")
	}
	m.write("]%s}", m.oneOf("", ", x-unknown-branch: keep"))
}
