package importer

import (
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/babelqueue/bqgen/internal/pointer"
	"github.com/babelqueue/bqgen/schema/internal/source"
)

// words splits a name where its case or its signs do. Only ASCII letters and digits are kept: the words become Go
// names.
func words(name string) []string {
	var all []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			all = append(all, string(word))
		}
		word = nil
	}
	runes := []rune(name)
	for i, r := range runes {
		isLetter := r < unicode.MaxASCII && unicode.IsLetter(r)
		if !isLetter && (r < '0' || r > '9') {
			end()
			continue
		}
		upper := unicode.IsUpper(r)
		beforeLower := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if upper && len(word) > 0 && (!unicode.IsUpper(word[len(word)-1]) || beforeLower) {
			end()
		}
		if word = append(word, r); len(all) >= maxWords || i >= maxLetters {
			break
		}
	}
	end()
	return all
}

// maxWords is the number of words of the longest name that is made.
const maxWords = 12

// maxLetters is about how many characters of a name are looked at.
const maxLetters = 120

// pascal returns a name as a type is called.
func pascal(name string) string {
	var b strings.Builder
	for _, w := range words(name) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	s := b.String()
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "Type" + s
	}
	return s
}

// kebab returns a name as the last part of a URN, or a queue, is called; "" when nothing is left of it.
func kebab(name string) string { return strings.ToLower(strings.Join(words(name), "-")) }

// lastWords is the last part of a URN.
func lastWords(urn string) string { return urn[strings.LastIndexByte(urn, ':')+1:] }

// maxTitleWords is the number of words of a title that is taken for a name, and not for a sentence.
const maxTitleWords = 5

// titleOf returns the title of a schema if it can be a name.
func titleOf(n *source.Node) string {
	title := n.Get("title")
	if title == nil || !isText(title) || len(strings.Fields(title.Text)) > maxTitleWords {
		return ""
	}
	return title.Text
}

var version = regexp.MustCompile(`^v?[0-9]+([._-][0-9]+)*$`)

// nameOfFile returns the name of a file without its ending, or that of its folder when it is called by a version.
func nameOfFile(file string) string {
	file = strings.TrimSuffix(file, "/")
	base := path.Base(file)
	if ext := path.Ext(base); ext == ".json" || ext == ".yaml" || ext == ".yml" {
		base = strings.TrimSuffix(base, ext)
	}
	base = strings.TrimSuffix(base, ".schema")
	if version.MatchString(base) && path.Dir(file) != "." && path.Dir(file) != "/" {
		return nameOfFile(path.Dir(file))
	}
	return base
}

// nameOfTarget returns what a schema should be called that a reference leads to: by the end of the pointer, the
// anchor, the title or the file.
func nameOfTarget(ref string, to target) string {
	file, fragment, _ := strings.Cut(ref, "#")
	if last := lastSegment(fragment); last != "" {
		return last
	}
	if title := titleOf(to.node); title != "" {
		return title
	}
	if name := nameOfFile(file); name != "." && name != "" && len(words(name)) > 0 {
		return name
	}
	return nameOfFile(to.scope.file)
}

// lastSegment returns the end of a JSON Pointer that is a name, or an anchor; "" when there is none.
func lastSegment(fragment string) string {
	last, ok := pointer.Unescape(fragment[strings.LastIndexByte(fragment, '/')+1:])
	_, isKeyword := keywords[last]
	if _, err := strconv.Atoi(last); err == nil || !ok || isKeyword || last == "payload" || last == "schema" {
		return ""
	}
	return last
}

// A nameSet gives out names, each once. Names that differ in case only are the same. The value is the number that was
// given last to a name that was wanted again.
type nameSet map[string]int

// take returns the first of the names that is free, or the last with a number.
func (s nameSet) take(sep string, names ...string) string {
	free := func(name string) bool {
		key := strings.ToLower(name)
		if name == "" || s[key] > 0 {
			return false
		}
		s[key] = 1
		return true
	}
	for _, name := range names {
		if free(name) {
			return name
		}
	}
	last := names[len(names)-1]
	for {
		s[strings.ToLower(last)]++
		if name := last + sep + strconv.Itoa(s[strings.ToLower(last)]); free(name) {
			return name
		}
	}
}

// nameTypes names the types. The generated code has a type for each message too.
func (c *catalog) nameTypes() {
	c.names = nameSet{}
	for _, m := range c.messages {
		c.names[strings.ToLower(pascal(lastWords(m.urn)))] = 1
	}
	for _, t := range c.types {
		name := pascal(t.wish)
		t.name = c.names.take("", name, pascal(nameOfFile(filepath.ToSlash(t.pos.File)))+name)
	}
}
