package gonames

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words splits a name of the catalog into the words of a Go name, spelled as they are in Go. There is at least one; the
// first may start with a digit or with a letter without case.
func words(name string) []string {
	parts := split(name, false)
	if len(parts) == 0 {
		parts = split(name, true)
	}
	if len(parts) == 0 {
		return []string{"Empty"}
	}
	shouted := isShouted(name)
	if shouted && len(parts) == 1 && utf8.RuneCountInString(parts[0]) <= longestCode {
		return parts
	}
	for i, part := range parts {
		if shouted {
			part = strings.ToLower(part)
		}
		parts[i] = spell(part)
	}
	return parts
}

// longestCode is the length of the longest word that stays upper case when it stands alone: EUR, DE, XL.
const longestCode = 3

// isShouted reports whether name is all upper case, as in IN_PROGRESS.
func isShouted(name string) bool {
	return strings.ContainsFunc(name, unicode.IsUpper) && !strings.ContainsFunc(name, unicode.IsLower)
}

// spell gives a word its case. Only the first letter changes, unless the word is an initialism.
func spell(word string) string {
	lower := strings.ToLower(word)
	if s, ok := initialisms[lower]; ok {
		return s
	}
	if singular, ok := strings.CutSuffix(lower, "s"); ok && initialisms[singular] != "" {
		return initialisms[singular] + "s"
	}
	return upperFirst(word)
}

func upperFirst(word string) string {
	for i, r := range word {
		return string(unicode.ToUpper(r)) + word[i+len(string(r)):]
	}
	return word
}

// split splits name at separators and where the case changes. Other symbols are words of their own; with everything
// set, separators are too.
func split(name string, everything bool) []string {
	var parts []string
	runes := []rune(name)
	start := -1 // of the current word
	end := func(i int) {
		if start >= 0 {
			parts = append(parts, stripMarks(runes[start:i]))
			start = -1
		}
	}
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if start >= 0 && startsWord(runes, start, i) {
				end(i)
			}
			if start < 0 {
				start = i
			}
		case unicode.IsMark(r) && start >= 0:
			// An accent belongs to its letter. No Go name can contain it.
		case isSign(runes, i):
			end(i)
			parts = append(parts, map[rune]string{'-': "Minus", '+': "Plus"}[r])
		case !everything && isSeparator(r):
			end(i)
		default:
			end(i)
			parts = append(parts, symbol(r))
		}
	}
	end(len(runes))
	return parts
}

func stripMarks(word []rune) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, string(word))
}

// startsWord reports whether a change of case at i ends the word that starts at start: orderId, oauth2Token and
// HTTPServer are two words, user2fa, IDs and ABC are one.
func startsWord(runes []rune, start, i int) bool {
	if !unicode.IsUpper(runes[i]) {
		return false
	}
	if !unicode.IsUpper(runes[i-1]) {
		return true
	}
	lower := func(i int) bool { return i < len(runes) && unicode.IsLower(runes[i]) }
	if !lower(i + 1) {
		return false
	}
	plural := runes[i+1] == 's' && !lower(i+2)
	return !plural || initialisms[strings.ToLower(string(runes[start:i+1]))] == ""
}

// isSign reports whether a minus or plus belongs to a number, as in the enum value -1.
func isSign(runes []rune, i int) bool {
	return i == 0 && (runes[i] == '-' || runes[i] == '+') && len(runes) > 1 && unicode.IsDigit(runes[1])
}

func isSeparator(r rune) bool {
	return strings.ContainsRune("_-./:'", r) || unicode.IsSpace(r)
}

// symbol is the word for a rune that no Go name can contain.
func symbol(r rune) string {
	if s, ok := symbols[r]; ok {
		return s
	}
	return fmt.Sprintf("U%04X", r)
}

var symbols = map[rune]string{
	' ': "Space", '\t': "Tab", '\n': "Newline", '!': "Not", '"': "Quote", '#': "Hash", '$': "Dollar", '%': "Percent",
	'&': "And", '\'': "Apostrophe", '(': "LeftParen", ')': "RightParen", '*': "Star", '+': "Plus", ',': "Comma",
	'-': "Dash", '.': "Dot", '/': "Slash", ':': "Colon", ';': "Semicolon", '<': "Less", '=': "Equal", '>': "Greater",
	'?': "Question", '@': "At", '[': "LeftBracket", '\\': "Backslash", ']': "RightBracket", '^': "Caret",
	'_': "Underscore", '`': "Backtick", '{': "LeftBrace", '|': "Bar", '}': "RightBrace", '~': "Tilde",
}
