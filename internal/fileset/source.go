package fileset

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// sourceMark starts the second line of a generated Go file, which names the catalog.
const sourceMark = "// Source: "

// sourceOf is the catalog that a generated file names, or "".
func sourceOf(content []byte) string {
	_, rest, _ := bytes.Cut(content, []byte("\n"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	source, ok := strings.CutPrefix(strings.TrimSuffix(string(line), "\r"), sourceMark)
	if !ok {
		return ""
	}
	return source
}

// sourceOfAll is the catalog that files name, or "".
func sourceOfAll(files map[string][]byte) string {
	for _, content := range files {
		if source := sourceOf(content); source != "" {
			return source
		}
	}
	return ""
}

// checkOrphan refuses a file that should not be there by what one catalog says, but was made from another: with two
// catalogs in one folder each would remove what is the other's.
func checkOrphan(dir, name string, old []byte, source string) error {
	other := sourceOf(old)
	if other == "" || source == "" || other == source {
		return nil
	}
	return fmt.Errorf("a file that bqgen generated from %q is %w: %s: give %q a folder of its own, or delete the file",
		other, ErrInTheWay, filepath.Join(dir, name), source)
}
