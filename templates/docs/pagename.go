package docs

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/babelqueue/bqgen/schema"
)

// Names of pages depend on nothing but what the page is about, so that they are stable. They hold only lower-case letters,
// digits, - . _ and ~, which no file system and no link minds. Names of an ordinary form become page names in a way that can be
// reversed, and so stay apart; all others get a ~ and a hash of the whole name.
var (
	plainURN   = regexp.MustCompile(`^urn(:[a-z0-9_]+([-.][a-z0-9_]+)*)+$`)
	plainType  = regexp.MustCompile(`^([A-Z][a-z0-9]+)+$`)
	plainQueue = regexp.MustCompile(`^[a-z0-9_]+([-.][a-z0-9_]+)*$`)
)

// longestPage keeps file names far from every limit.
const longestPage = 100

func pageOfURN(urn string) string {
	plain := ""
	if plainURN.MatchString(urn) {
		plain = strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(urn, "urn:"), "-", "--"), ":", "-")
	}
	return pageName("urn", urn, plain)
}

func pageOfQueue(queue string) string {
	plain := ""
	if plainQueue.MatchString(queue) {
		plain = queue
	}
	return pageName("queue", queue, plain)
}

// pageOfType is the page of a type; from says where it is when it is not the catalog's own.
func pageOfType(t *schema.Type, from string) string {
	if from != "" {
		return pageName("type", from+"\x00"+t.Name, "")
	}
	plain := ""
	if plainType.MatchString(t.Name) {
		plain = strings.TrimPrefix(regexp.MustCompile(`[A-Z]`).ReplaceAllStringFunc(t.Name, func(s string) string { return "-" + strings.ToLower(s) }), "-")
	}
	return pageName("type", t.Name, plain)
}

func idOfService(name string) string {
	plain := ""
	if plainQueue.MatchString(name) {
		plain = name
	}
	return pageName("service", name, plain)
}

// pageName is the name of a page or the id of an element for something called full, whose plain form can be reversed or is
// empty.
func pageName(what, full, plain string) string {
	if plain != "" && len(plain) <= longestPage {
		return what + "-" + plain
	}
	hash := sha256.Sum256([]byte(full))
	const readable = 40
	stem := slug(full[strings.LastIndexByte(full, 0)+1:])
	stem = strings.Trim(stem[:min(len(stem), readable)], "-._")
	return what + "-" + stem + "~" + hex.EncodeToString(hash[:6])
}

// slug is what is readable of a name.
func slug(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToLower(s) {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '_' {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		} else {
			gap = true
		}
	}
	return b.String()
}
