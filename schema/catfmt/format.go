package catfmt

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// RuleLayout is the rule of findings about a layout that the formatter would change the meaning of.
const RuleLayout = "layout"

// Format returns a catalog in its canonical form. It looks at the layout only: the catalog may have faults, as long as
// it is YAML. When it is not, or its layout is one that the formatter does not understand, there are findings and no
// text.
func Format(filename string, src []byte) ([]byte, schema.Diagnostics) {
	top, findings := source.ParseOutline(filename, src)
	if top == nil {
		return nil, findings
	}
	text := normal(src)
	out := layOut(text, top)
	// A text that the formatter does not fully understand stays as it is.
	again, _ := source.ParseOutline(filename, out)
	if at := difference(top, again, catalogRole); at != nil {
		if key := explicitKey(top, strings.Split(text, "\n")); key != nil {
			at = key
		}
		return nil, refusal(filename, at.Line, at.Column, hintFor(at, text))
	}
	if line := lostComment(text, string(out)); line > 0 {
		return nil, refusal(filename, line, 1, "move the comment to a line of its own, above what it is about")
	}
	if final := layOut(string(out), again); !bytes.Equal(final, out) {
		return nil, refusal(filename, 1+commonLines(out, final), 1, "write what stands here on lines of its own")
	}
	return out, nil
}

func refusal(filename string, line, column int, hint string) schema.Diagnostics {
	return schema.NewDiagnostics(schema.Diagnostic{
		Pos: schema.Pos{File: filename, Line: line, Column: column}, Rule: RuleLayout, Hint: hint,
		Message: "the formatter does not understand the layout from here on; the file stays as it is",
	})
}

// hintFor says how to write a value whose layout the formatter does not understand.
func hintFor(at *source.Outline, text string) string {
	lines := strings.Split(text, "\n")
	switch line := strings.TrimSpace(lines[min(at.Line, len(lines))-1]); {
	case strings.HasPrefix(line, "? "):
		return "write the key in front of a colon, without ?"
	case at.Block && !strings.HasSuffix(text, "\n"):
		return "end the file with a line break, or write the text with |- or >-"
	case at.Block:
		return "write the text in quotes, or with | and no blanks at its end"
	}
	return "write it on lines of its own, or in quotes"
}

// explicitKey returns the first key that is written behind a question mark, or nil.
func explicitKey(o *source.Outline, lines []string) *source.Outline {
	for _, key := range o.Keys {
		line := []rune(lines[key.Line-1])
		if before := string(line[:min(key.Column-1, len(line))]); strings.HasSuffix(strings.TrimRight(before, " "), "?") {
			return key
		}
	}
	for _, inner := range slices.Concat(o.Values, o.Items) {
		if key := explicitKey(inner, lines); key != nil {
			return key
		}
	}
	return nil
}

// commonLines returns how many lines two texts have in common at their start.
func commonLines(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return bytes.Count(a[:n], []byte("\n"))
}

// normal returns the text with the line ends of a repository and without a byte order mark.
func normal(src []byte) string {
	text := strings.ReplaceAll(string(src), "\r\n", "\n")
	return strings.TrimPrefix(strings.ReplaceAll(text, "\r", "\n"), "\ufeff")
}

// A formatter has the text as lines.
type formatter struct {
	lines   []string // the first has number 0
	reorder bool     // false when anchors have to stay before their aliases
}

func layOut(text string, top *source.Outline) []byte {
	f := &formatter{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n"), reorder: !anchored(top)}
	if !f.keeps(top) {
		f.lines = strings.Split(strings.TrimRight(text, "\n\t "), "\n")
	}
	var out []string
	if top.Kind != source.OutlineMapping || top.Flow || len(top.Keys) == 0 {
		out = f.lines // a catalog in brackets keeps its layout
		for i := range out {
			out[i] = strings.TrimRight(out[i], " \t")
		}
	} else {
		out = f.collection(top, 0, len(f.lines), 0, catalogRole)
	}
	return []byte(strings.Join(out, "\n") + "\n")
}

func anchored(o *source.Outline) bool {
	return o.Anchored || o.Kind == source.OutlineAlias || slices.ContainsFunc(o.Items, anchored) ||
		slices.ContainsFunc(o.Keys, anchored) || slices.ContainsFunc(o.Values, anchored)
}

// An entry is a pair of a mapping or an item of a list, with the lines that it takes.
type entry struct {
	key    *source.Outline // nil for an item
	value  *source.Outline
	line   int // that it starts on
	column int // that it starts at, from 0
	head   int // the line that its blank lines and comments start on
	end    int // the line after its last
}

// collection lays out a block mapping or list in the lines from start to end, indented by indent blanks.
func (f *formatter) collection(o *source.Outline, start, end, indent int, r role) []string {
	entries := f.entries(o, start, end)
	foot := entries[len(entries)-1].end
	var header []string
	if r == catalogRole {
		header = trimBlank(f.comments(entries[0].head, entries[0].line, 0))
		entries[0].head = entries[0].line
	}
	if f.reorder && o.Kind == source.OutlineMapping && orders[r] != nil {
		slices.SortStableFunc(entries, func(a, b entry) int { return r.rank(a.key.Text) - r.rank(b.key.Text) })
	}
	out := header
	for i, e := range entries {
		head := f.comments(e.head, e.line, indent)
		if i == 0 {
			head = trimBlank(head)
		}
		body := f.entry(e, indent, r)
		if i > 0 && f.apart(r, entries[i-1], e) && !f.keeps(entries[i-1].value) && (len(head) == 0 || head[0] != "") {
			head = append([]string{""}, head...)
		}
		out = append(append(out, head...), body...)
	}
	return append(out, f.comments(foot, end, indent)...)
}

// apart reports whether a blank line belongs between two entries: between sections, and between messages.
func (f *formatter) apart(r role, before, e entry) bool {
	isLong := func(e entry) bool {
		return e.value.Kind >= source.OutlineSequence && !e.value.Flow && e.value.Line-1 > e.line
	}
	switch r {
	case catalogRole, urnsRole:
		return isLong(e) || isLong(before)
	}
	return false
}

// entries finds the lines of each entry. Comments and blank lines before an entry belong to it. Those that follow the
// last entry, and are not indented deeper, belong to none.
func (f *formatter) entries(o *source.Outline, start, end int) []entry {
	var entries []entry
	add := func(key, value, first *source.Outline) {
		e := entry{key: key, value: value, line: first.Line - 1, column: first.Column - 1}
		if key == nil {
			// The list starts at its first dash; each dash is in the column of the list.
			e.column = o.Column - 1
			for e.line > 0 && !f.isDash(e.line, e.column) {
				e.line--
			}
		}
		entries = append(entries, e)
	}
	for i := range o.Keys {
		add(o.Keys[i], o.Values[i], o.Keys[i])
	}
	for _, item := range o.Items {
		add(nil, item, item)
	}
	for i := range entries {
		e := &entries[i]
		if i == 0 {
			e.head = min(start, e.line)
		} else {
			e.head = f.headAfter(entries[i-1], e.line, e.column)
			entries[i-1].end = e.head
		}
	}
	last := &entries[len(entries)-1]
	last.end = f.headAfter(*last, end, last.column)
	return entries
}

func (f *formatter) isDash(line, column int) bool {
	rest := f.from(line, column)
	return rest == "-" || strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "-\t")
}

// headOf returns the first of the blank lines and comments directly above a line that are below another line and not
// indented deeper than a column.
func (f *formatter) headOf(line, above, column int) int {
	for line-1 > above {
		t := strings.TrimLeft(f.lines[line-1], " \t")
		if t != "" && (t[0] != '#' || utf8.RuneCountInString(f.lines[line-1])-utf8.RuneCountInString(t) > column) {
			break
		}
		line--
	}
	return line
}

// headAfter is headOf for the line after an entry. Blank lines at the end of a text that keeps them belong to the text.
func (f *formatter) headAfter(before entry, line, column int) int {
	head := f.headOf(line, before.line, column)
	if f.keeps(before.value) {
		for head < line && strings.TrimRight(f.lines[head], " \t") == "" {
			head++
		}
	}
	return head
}

// keeps reports whether a value ends in a block scalar that keeps the blank lines at its end.
func (f *formatter) keeps(o *source.Outline) bool {
	for {
		switch {
		case o.Kind == source.OutlineMapping && len(o.Values) > 0:
			o = o.Values[len(o.Values)-1]
		case o.Kind == source.OutlineSequence && len(o.Items) > 0:
			o = o.Items[len(o.Items)-1]
		default:
			header, _, _ := strings.Cut(f.from(o.Line-1, o.Column-1), " ")
			return o.Block && !o.Anchored && strings.ContainsAny(header, "+")
		}
	}
}

// comments lays out blank lines and comments, with at most one blank line in a row.
func (f *formatter) comments(start, end, indent int) []string {
	var out []string
	for _, line := range f.lines[min(start, end):end] {
		t := strings.TrimSpace(line)
		switch {
		case t == "" && len(out) > 0 && out[len(out)-1] == "":
		case t == "":
			out = append(out, "")
		case t[0] == '#':
			out = append(out, blanks(indent)+t)
		default: // --- and the like
			out = append(out, t)
		}
	}
	return out
}

func trimBlank(lines []string) []string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	return lines
}

func blanks(n int) string { return strings.Repeat(" ", max(0, n)) }

// entry lays out one entry without the comments above it.
func (f *formatter) entry(e entry, indent int, r role) []string {
	v := e.value
	nested := v.Kind == source.OutlineMapping && len(v.Keys) > 0 || v.Kind == source.OutlineSequence && len(v.Items) > 0
	// A list that does not start at a dash starts at the tag !, which the outline does not show.
	tagged := v.Kind == source.OutlineSequence && !f.isDash(v.Line-1, v.Column-1)
	if !nested || v.Flow || v.Anchored || tagged {
		return f.leaf(e, indent)
	}
	if e.key != nil {
		// The key, and the comment behind it.
		first := blanks(indent) + f.keyText(e, e.line, -1)
		return append([]string{first}, f.collection(v, e.line+1, e.end, indent+2, r.below(e.key.Text))...)
	}
	if v.Line-1 > e.line {
		first := blanks(indent) + strings.TrimRight(f.from(e.line, e.column), " \t")
		return append([]string{first}, f.collection(v, e.line+1, e.end, indent+2, r.item())...)
	}
	inner := f.collection(v, v.Line-1, e.end, indent+2, r.item())
	if t := strings.TrimLeft(inner[0], " "); t == "" || t[0] == '#' {
		return append([]string{blanks(indent) + "-"}, inner...)
	}
	inner[0] = blanks(indent) + "- " + strings.TrimLeft(inner[0], " ")
	return inner
}

// keyText returns a line from the key on, with one blank after its colon when the value starts at the column.
func (f *formatter) keyText(e entry, line, value int) string {
	if value < 0 {
		return strings.TrimRight(f.from(line, e.column), " \t")
	}
	before, ok := strings.CutSuffix(strings.TrimRight(f.cut(line, e.column, value), " \t"), ":")
	if !ok {
		return f.from(line, e.column)
	}
	return strings.TrimRight(before, " \t") + ": " + f.from(line, value)
}

// leaf lays out an entry whose value keeps its layout: a scalar, a value in brackets or with an anchor. Its lines are
// shifted together.
func (f *formatter) leaf(e entry, indent int) []string {
	v := e.value
	first := f.from(e.line, e.column)
	if v.Line-1 == e.line && !v.Anchored && v.Column-1 > e.column {
		if e.key != nil {
			first = f.keyText(e, e.line, v.Column-1)
		} else {
			first = "- " + f.from(e.line, v.Column-1)
		}
	}
	if e.end == e.line+1 || v.Kind != source.OutlineScalar || v.Block {
		first = strings.TrimRight(first, " \t") // blanks at the end of a line of text are the author's
	}
	out := []string{blanks(indent) + first}
	rest := f.lines[e.line+1 : e.end]
	shift := indent - e.column
	if v.Block {
		shift = f.blockShift(e, rest, indent)
	}
	for _, line := range rest {
		out = append(out, shifted(line, shift, v.Block))
	}
	if !v.Block { // blank lines at the end belong to nothing
		for len(out) > 1 && out[len(out)-1] == "" {
			out = out[:len(out)-1]
		}
	}
	return out
}

// blockShift returns how far the lines of a block scalar move: to two blanks deeper than its key, unless its header
// sets the indentation or is not on the line of the key.
func (f *formatter) blockShift(e entry, rest []string, indent int) int {
	header, _, _ := strings.Cut(f.from(e.line, e.value.Column-1), " ")
	isHeader := header != "" && strings.ContainsAny(header[:1], "|>") && !strings.ContainsAny(header, "123456789")
	if e.value.Line-1 != e.line || !isHeader {
		return indent - e.column
	}
	for _, line := range rest {
		if t := strings.TrimLeft(line, " "); t != "" {
			return indent + 2 - (len(line) - len(t))
		}
	}
	return indent - e.column
}

// shifted returns a line moved to the right or left. A line of blanks becomes empty, except in text that keeps them.
func shifted(line string, by int, text bool) string {
	t := strings.TrimLeft(line, " ")
	switch {
	case strings.TrimRight(t, " \t") == "" && (!text || len(line)+by <= 0):
		return ""
	case t == "":
		return blanks(len(line) + by)
	}
	return blanks(len(line)-len(t)+by) + t
}

// cut returns the part of a line between two columns, in characters. It is empty after the last line, where YAML sees
// the value of a key at the end that has none.
func (f *formatter) cut(line, from, to int) string {
	if line >= len(f.lines) {
		return ""
	}
	runes := []rune(f.lines[line])
	to = min(to, len(runes))
	return string(runes[min(from, to):to])
}

// from returns the part of a line that starts at a column, in characters.
func (f *formatter) from(line, column int) string {
	return f.cut(line, column, math.MaxInt)
}
