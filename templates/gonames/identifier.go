package gonames

import (
	"fmt"
	"go/token"
	"hash/fnv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// join puts words together. It keeps digits apart that would run into each other: 1.10 is not 110.
func join(words ...string) string {
	var b strings.Builder
	var last rune
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		if unicode.IsDigit(last) && unicode.IsDigit(first) {
			b.WriteByte('_')
		}
		b.WriteString(word)
		last, _ = utf8.DecodeLastRuneInString(word)
	}
	return b.String()
}

// part is the Go spelling of name as a part of a longer name that is exported already.
func part(name string) string { return shortened(join(words(name)...)) }

// inside is the name of a part of what is called name.
func inside(name, part string) string { return shortened(join(name, part)) }

// longest is how many bytes a name has that the catalog does not set, and the catalog can set no longer one. The names
// of deeply nested parts would have a kilobyte for every level.
const longest = 255

// shortened is name, or its start and a hash of all of it.
func shortened(name string) string {
	if len(name) <= longest {
		return name
	}
	h := fnv.New64a()
	h.Write([]byte(name))
	end := fmt.Sprintf("_%016x", h.Sum64())
	cut := longest - len(end)
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut] + end
}

// exported is the exported Go name for name.
func exported(name string) string {
	s := part(name)
	if !token.IsExported(s) {
		return "X" + s
	}
	return s
}

// typeName is the Go name of a shared type. One that its author wrote as an exported Go name stays as it is.
func typeName(name string) string {
	if token.IsIdentifier(name) && token.IsExported(name) {
		return shortened(name)
	}
	return exported(name)
}

// messageName derives the Go name of a URN. urn:babel:orders:created is OrdersCreated: the first two parts say where
// URNs come from, not which one this is.
func messageName(urn string) string {
	rest := urn
	if scheme, after, ok := strings.Cut(urn, ":"); ok && strings.EqualFold(scheme, "urn") {
		rest = after
		if _, after, ok := strings.Cut(rest, ":"); ok {
			rest = after
		}
	}
	if !strings.ContainsFunc(rest, func(r rune) bool { return !isSeparator(r) }) {
		rest = urn
	}
	name := exported(rest)
	if fixedNames[name] || publisherNames[name] {
		return name + "Message"
	}
	return name
}

// fixedNames are the identifiers of a generated package that do not come from the catalog.
var fixedNames = map[string]bool{"Publishers": true, "NewPublishers": true, "Queues": true}

// publisherNames are the methods of Publishers and the field that has them; no other field can have these names.
var publisherNames = map[string]bool{"Close": true, "Flush": true, "Send": true, "Producers": true}
