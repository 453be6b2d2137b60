package review

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/babelqueue/bqgen/internal/fileset"
	"github.com/babelqueue/bqgen/internal/report"
	"github.com/babelqueue/bqgen/internal/text"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/importer"
	"github.com/babelqueue/bqgen/templates/golang"
)

// ImportOptions say what to import and where to write it.
type ImportOptions struct {
	Command string   // such as "import jsonschema"
	Out     string   // the catalog to write
	Root    string   // the folder that everything is read from; empty for the deepest one that holds all sources
	Sources []string // JSONSchema: PATH[#/POINTER]; AsyncAPI: PATH
	importer.Options
}

// ImportJSONSchema imports JSON Schemas into a new catalog. It writes nothing when one of the findings is an error.
func ImportJSONSchema(o ImportOptions) (*report.Report, []importer.Loss, error) {
	return o.run(func(options importer.Options, paths, pointers []string) (*importer.Result, error) {
		sources := make([]importer.Source, len(paths))
		for i, path := range paths {
			sources[i] = importer.Source{File: path, Pointer: pointers[i]}
		}
		return importer.JSONSchema(options, sources...)
	})
}

// ImportAsyncAPI imports AsyncAPI documents into a new catalog. It writes nothing when one of the findings is an error.
func ImportAsyncAPI(o ImportOptions) (*report.Report, []importer.Loss, error) {
	return o.run(func(options importer.Options, paths, pointers []string) (*importer.Result, error) {
		if at := slices.IndexFunc(pointers, func(p string) bool { return p != "" }); at >= 0 {
			return nil, fmt.Errorf("import %s: a whole document is imported, take away the pointer", o.Sources[at])
		}
		return importer.AsyncAPI(options, paths...)
	})
}

type importFunc func(options importer.Options, paths, pointers []string) (*importer.Result, error)

func (o ImportOptions) run(do importFunc) (*report.Report, []importer.Loss, error) {
	files, pointers := splitPointers(o.Sources)
	rootPath, paths, err := below(o.Root, files)
	if err != nil {
		return nil, nil, err
	}
	if _, err := os.Lstat(o.Out); err == nil {
		return nil, nil, fmt.Errorf("write %s: %w: choose another --out, or delete it", o.Out, fs.ErrExist)
	}
	root, err := os.OpenRoot(rootPath)
	if err != nil {
		return nil, nil, fmt.Errorf("open the root: %w", err)
	}
	defer root.Close()
	options := o.Options
	options.Root = root.FS()
	options.NameOf = func(path string) string { return filepath.Join(rootPath, filepath.FromSlash(path)) }
	options.Check = checkCode
	result, err := do(options, paths, pointers)
	if err != nil {
		return nil, nil, err
	}
	r := &report.Report{
		Command: o.Command, Subject: o.Out, Findings: report.FindingsOf(result.Findings), Rules: importRules(),
	}
	if result.Text == nil {
		return r, result.Losses, nil
	}
	dir, name := filepath.Split(o.Out)
	return r, result.Losses, fileset.Create(filepath.Clean(dir), map[string][]byte{name: result.Text})
}

// splitPointers splits each PATH#/POINTER. A path may contain a number sign.
func splitPointers(sources []string) (files, pointers []string) {
	for _, s := range sources {
		file, pointer := s, ""
		if at := strings.LastIndex(s, "#"); at >= 0 && (at+1 == len(s) || s[at+1] == '/') {
			file, pointer = s[:at], s[at+1:]
		}
		files, pointers = append(files, file), append(pointers, pointer)
	}
	return files, pointers
}

// below returns the root and the paths of the files in it, with slashes. Without a root, it is the deepest folder that
// holds all files.
func below(root string, files []string) (string, []string, error) {
	if root == "" {
		root = filepath.Dir(files[0])
		for _, f := range files[1:] {
			for !contains(root, f) && filepath.Dir(root) != root {
				root = filepath.Join(root, "..")
			}
		}
	}
	var paths []string
	for _, f := range files {
		path, err := relative(root, f)
		if err != nil {
			return "", nil, err
		}
		paths = append(paths, path)
	}
	return root, paths, nil
}

func contains(root, file string) bool {
	_, err := relative(root, file)
	return err == nil
}

var errOutside = errors.New("it is not below the root: use --root")

func relative(root, file string) (string, error) {
	fault := func(err error) (string, error) { return "", fmt.Errorf("import %s: %w", file, err) }
	absRoot, err := filepath.Abs(root)
	if err != nil {
		return fault(err)
	}
	absFile, err := filepath.Abs(file)
	if err != nil {
		return fault(err)
	}
	path, err := filepath.Rel(absRoot, absFile)
	if err != nil || !filepath.IsLocal(path) {
		return fault(errOutside)
	}
	return filepath.ToSlash(path), nil
}

// checkCode reports what keeps code from being generated.
func checkCode(c *schema.Catalog) schema.Diagnostics {
	findings, err := golang.Check(c, golang.Options{})
	if err != nil {
		return schema.NewDiagnostics(schema.Diagnostic{
			Pos: schema.Pos{File: c.File}, Rule: "generate", Message: err.Error(),
		})
	}
	return findings
}

// maxPlaces is the number of places of a keyword that a summary names.
const maxPlaces = 3

// LossSummary returns a line for every keyword that is not carried over, most frequent first, with places.
func LossSummary(losses []importer.Loss) []string {
	places := map[string][]string{}
	for _, l := range losses {
		places[l.Keyword] = append(places[l.Keyword], text.Escape(l.Pos.String()))
	}
	var keywords []string
	for k := range places {
		keywords = append(keywords, k)
	}
	slices.SortFunc(keywords, func(a, b string) int {
		if d := len(places[b]) - len(places[a]); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var lines []string
	for _, k := range keywords {
		all := places[k]
		line := fmt.Sprintf("%s: %d not carried over: %s", k, len(all), strings.Join(all[:min(len(all), maxPlaces)], ", "))
		if more := len(all) - maxPlaces; more > 0 {
			line += fmt.Sprintf(" and %d more", more)
		}
		lines = append(lines, line)
	}
	return lines
}

func importRules() []report.Rule {
	var rules []report.Rule
	for _, r := range importer.Rules {
		rules = append(rules, report.Rule{ID: r.ID, Purpose: r.Purpose, Severity: schema.Warning})
	}
	return rules
}
