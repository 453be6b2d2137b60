// Package pagename makes names for files and anchors from names in the catalog, which may contain anything.
//
// A page name depends on the catalog's name only, so it is stable. It consists of lower-case letters, digits, - . _
// and ~, which are safe in file systems and links. Names of an ordinary form become page names in a way that can be
// reversed, so no two are the same; all others get a ~ and a hash of the whole name.
package pagename

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// The ordinary forms.
var (
	plainURN   = regexp.MustCompile(`^urn(:[a-z0-9_]+([-.][a-z0-9_]+)*)+$`)
	plainType  = regexp.MustCompile(`^([A-Z][a-z0-9]+)+$`)
	plainQueue = regexp.MustCompile(`^[a-z0-9_]+([-.][a-z0-9_]+)*$`)
)

// longestPage keeps file names well below every limit.
const longestPage = 100

// URN returns the name for a URN.
func URN(urn string) string {
	plain := ""
	if plainURN.MatchString(urn) {
		plain = strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(urn, "urn:"), "-", "--"), ":", "-")
	}
	return pageName("urn", urn, plain)
}

// Queue returns the name for a queue.
func Queue(queue string) string {
	plain := ""
	if plainQueue.MatchString(queue) {
		plain = queue
	}
	return pageName("queue", queue, plain)
}

var upper = regexp.MustCompile(`[A-Z]`)

// Type returns the name for a payload type. From is the file that it is in, and empty for the catalog itself.
func Type(name, from string) string {
	if from != "" {
		return pageName("type", from+"\x00"+name, "")
	}
	plain := ""
	if plainType.MatchString(name) {
		kebab := upper.ReplaceAllStringFunc(name, func(s string) string { return "-" + strings.ToLower(s) })
		plain = strings.TrimPrefix(kebab, "-")
	}
	return pageName("type", name, plain)
}

// Service returns the name for a service.
func Service(name string) string {
	plain := ""
	if plainQueue.MatchString(name) {
		plain = name
	}
	return pageName("service", name, plain)
}

// pageName returns the name of a page, or the id of an element, for something called full. Plain is a form of full
// that can be reversed, or empty.
func pageName(what, full, plain string) string {
	if plain != "" && len(plain) <= longestPage {
		return what + "-" + plain
	}
	hash := sha256.Sum256([]byte(full))
	const readable = 40
	stem := Slug(full[strings.LastIndexByte(full, 0)+1:])
	stem = strings.Trim(stem[:min(len(stem), readable)], "-._")
	return what + "-" + stem + "~" + hex.EncodeToString(hash[:6])
}

// Slug returns the readable part of a name: lower-case letters, digits and _, with a - for whatever is between them.
func Slug(s string) string {
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
