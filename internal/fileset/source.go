package fileset

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// sourceMarks are what surrounds the name of the catalog on the second line of a generated file.
var sourceMarks = []struct{ before, after string }{
	{"// Source: ", ""},       // Go code
	{"<!-- Source: ", " -->"}, // HTML, Markdown and SVG
}

// endsComment are the characters that would end a comment of HTML, or that XML does not allow in one.
var endsComment = strings.NewReplacer("--", "-%2D", "<", "%3C", ">", "%3E")

// SourceComment returns the second line of a generated file in HTML, Markdown or SVG. It names what the file was made
// from, which must be a single line.
func SourceComment(source string) string {
	return sourceMarks[1].before + endsComment.Replace(source) + sourceMarks[1].after
}

// sourceOf returns what a generated file was made from, or "" when the file does not say so.
func sourceOf(content []byte) string {
	_, rest, _ := bytes.Cut(content, []byte("\n"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	for _, mark := range sourceMarks {
		source, ok := strings.CutPrefix(strings.TrimSuffix(string(line), "\r"), mark.before)
		if source, complete := strings.CutSuffix(source, mark.after); ok && complete {
			return source
		}
	}
	return ""
}

// sourceOfAll returns what the files were made from, or "" when none says so.
func sourceOfAll(files map[string][]byte) string {
	for _, content := range files {
		if source := sourceOf(content); source != "" {
			return source
		}
	}
	return ""
}

// checkOrphan refuses to remove a file that was made from another catalog: with two catalogs in one folder, each would
// remove the files of the other.
func checkOrphan(dir, name string, old []byte, source string) error {
	other := sourceOf(old)
	if other == "" || source == "" || other == source {
		return nil
	}
	return errOtherSource(dir, name, other, source)
}

// checkReplaced refuses to replace a file that was made from another catalog. A catalog may change its file name or its
// package; one in which both differ is another.
func checkReplaced(dir, name string, old, new []byte) error {
	other, source := sourceOf(old), sourceOf(new)
	otherFile, otherPackage, ok := strings.Cut(other, sourcePackage)
	file, pkg, alsoOK := strings.Cut(source, sourcePackage)
	if !ok || !alsoOK || otherFile == file || otherPackage == pkg {
		return nil
	}
	return errOtherSource(dir, name, other, source)
}

// sourcePackage stands between the file name and the package of a catalog in a source.
const sourcePackage = ", package "

// CatalogSource returns a source that names a catalog by its file and its package: many catalogs are called urns.yaml.
func CatalogSource(file, pkg string) string { return file + sourcePackage + pkg }

func errOtherSource(dir, name, other, source string) error {
	return fmt.Errorf("a file that bqgen generated from %q is %w: %s: give %q a folder of its own, or delete the file",
		other, ErrInTheWay, filepath.Join(dir, name), source)
}
