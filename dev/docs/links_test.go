package docs

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinksLeadSomewhere checks links to files of the repository, and to headings in them.
func TestLinksLeadSomewhere(t *testing.T) {
	for _, d := range documents(t) {
		for i, line := range d.lines {
			for _, m := range link.FindAllStringSubmatch(line, -1) {
				if strings.Contains(m[1], "://") {
					continue
				}
				file, anchor, _ := strings.Cut(m[1], "#")
				target := d.name
				if file != "" {
					target = path.Join(path.Dir(d.name), file)
				}
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(target))); err != nil {
					t.Errorf("%s:%d: the link %s leads nowhere: %v", d.name, i+1, m[1], err)
				} else if anchor != "" && !slices.Contains(readDocument(t, target).anchors(), anchor) {
					t.Errorf("%s:%d: %s has no heading #%s", d.name, i+1, target, anchor)
				}
			}
		}
	}
}

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N}\s_-]`)

// anchors returns the anchors that GitHub gives the headings of a document, apart from repeated ones.
func (d document) anchors() []string {
	var all []string
	for _, line := range d.lines {
		if heading, ok := strings.CutPrefix(line, "#"); ok {
			text := notInAnchor.ReplaceAllString(strings.TrimLeft(heading, "# "), "")
			all = append(all, strings.ReplaceAll(strings.ToLower(text), " ", "-"))
		}
	}
	return all
}

// fileName recognises names of files and folders of the repository: they begin with one of its folders.
var fileName = regexp.MustCompile(`(?:^|[\s(])(` +
	`(?:\./)?(?:cmd|dev|docs|examples|gen_test|internal|runtime|schema|templates)(?:/[\w.-]+)+/?` +
	`)(?:$|[\s),:])`)

// TestNamedFilesExist checks the names of files and folders in code. A pattern such as ./runtime/... is a folder.
func TestNamedFilesExist(t *testing.T) {
	for _, d := range documents(t) {
		for _, f := range d.code() {
			for _, m := range fileName.FindAllStringSubmatch(f.text, -1) {
				name := strings.TrimSuffix(m[1], "/...")
				if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
					t.Errorf("%s:%d: %s does not exist", d.name, f.line, m[1])
				}
			}
		}
	}
}
