package ignore

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
)

// A Comment is an ignore comment with its options.
type Comment struct {
	Pos    schema.Pos
	Line   int    // that it is for; 0 when nothing follows
	Rule   string // empty when the comment names none
	Of     string // the thing that is gone; empty when the comment names none
	Until  string // its last day as YYYY-MM-DD; empty when it has none
	Reason string // empty when the comment gives none
	Fault  string // what is wrong with its options; empty when they are right
}

// Parse parses the options of a comment.
func Parse(i schema.Ignore) Comment {
	c := Comment{Pos: i.Pos, Line: i.Line, Rule: i.Rule}
	rest := i.Reason
	for {
		name, value, ok := strings.Cut(rest, "=")
		if !ok || name != "of" && name != "until" {
			break
		}
		var fault string
		if value, rest, fault = cutValue(value); fault == "" {
			fault = c.set(name, value)
		}
		if fault != "" && c.Fault == "" {
			c.Fault = fault
		}
	}
	c.Reason = rest
	return c
}

// cutValue cuts a value, in quotes or up to the next blank, from the text behind it.
func cutValue(from string) (value, rest string, fault string) {
	if !strings.HasPrefix(from, `"`) {
		value, rest, _ = strings.Cut(from, " ")
		return value, strings.TrimSpace(rest), ""
	}
	quoted, err := strconv.QuotedPrefix(from)
	if err != nil {
		return "", "", "a quotation mark is not closed"
	}
	value, err = strconv.Unquote(quoted)
	if err != nil {
		return "", "", fmt.Sprintf("%s is not a quoted text", text.Quote(quoted))
	}
	return value, strings.TrimSpace(from[len(quoted):]), ""
}

func (c *Comment) set(name, value string) (fault string) {
	if value == "" {
		return name + "= has no value"
	}
	if name == "of" {
		c.Of = value
		return ""
	}
	if _, err := time.Parse(time.DateOnly, value); err != nil {
		return text.Quote(value) + " is not a day: write until=YYYY-MM-DD"
	}
	c.Until = value
	return ""
}

// nameText returns a name as of= takes it: quoted when it has a blank or other white space, or begins with a quote.
func nameText(name string) string {
	if name == "" || strings.HasPrefix(name, `"`) || strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}) {
		return strconv.Quote(name)
	}
	return name
}
