package golang

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/dave/jennifer/jen"

	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/templates/gonames"
)

// Options are what the catalog does not contain.
type Options struct {
	Package string // the Go package to generate; by default the catalog's
	Source  string // the catalog's name in the files' headers; by default the base name of its file
}

// Generate returns the Go files for a catalog, by file name. It reads and writes no files. The same catalog gives the
// same bytes.
//
// Findings are about what the catalog has to change before there can be code; there are no files then. An error is an
// invalid package name, or a bug in bqgen.
func Generate(c *schema.Catalog, o Options) (map[string][]byte, schema.Diagnostics, error) {
	p, findings, err := planned(c, o)
	if err != nil || len(findings) > 0 {
		return nil, findings, err
	}
	files, err := emitted(p)
	if errors.Is(err, errTooLarge) {
		return nil, schema.NewDiagnostics(schema.Diagnostic{
			Pos: c.Key("urns"), Rule: schema.RuleTooLarge, Hint: "split the catalog", Message: err.Error(),
		}), nil
	}
	return files, nil, err
}

// maxCode is the size of all files before they are formatted, in bytes: more than a Go package can sensibly have, and
// what takes some seconds to format.
const maxCode = 12 << 20

var errTooLarge = fmt.Errorf("the generated code is larger than %d MiB", maxCode>>20)

func emitted(p *codePackage) (map[string][]byte, error) {
	if leastSize(p) > maxCode {
		return nil, errTooLarge
	}
	return run(jobs(p))
}

// Check returns the findings of [Generate] without generating anything.
func Check(c *schema.Catalog, o Options) (schema.Diagnostics, error) {
	_, findings, err := planned(c, o)
	return findings, err
}

func planned(c *schema.Catalog, o Options) (*codePackage, schema.Diagnostics, error) {
	if o.Package == "" {
		o.Package = c.Package
	}
	if o.Source == "" {
		o.Source = filepath.Base(c.File)
	}
	if err := schema.CheckPackageName(o.Package); err != nil {
		return nil, nil, fmt.Errorf("generate: %w", err)
	}
	p, findings := plan(c, o.Package, o.Source)
	return p, findings, nil
}

// A job is a file to generate.
type job struct {
	file string
	what string // it is for, in messages
	emit func() *jen.File
}

func jobs(p *codePackage) []job {
	all := []job{{gonames.CatalogFile, "the catalog", func() *jen.File { return emitCatalog(p) }}}
	if len(p.Types.Decls) > 0 {
		all = append(all, job{gonames.TypesFile, "the shared types", func() *jen.File { return emitTypes(p) }})
	}
	if p.Types.HasCodec {
		all = append(all, job{gonames.TypesCodecFile, "the shared types", func() *jen.File { return emitTypesCodec(p) }})
	}
	for _, m := range p.Messages {
		all = append(all,
			job{m.File, quoted(m.URN), func() *jen.File { return emitMessage(p, m) }},
			job{m.CodecFile, quoted(m.URN), func() *jen.File { return emitMessageCodec(p, m) }})
	}
	return all
}

// run does jobs. What is too large is noticed before any of it is formatted, which takes most of the time.
func run(jobs []job) (map[string][]byte, error) {
	texts := make([][]byte, len(jobs))
	var size atomic.Int64
	err := each(len(jobs), func(i int) (err error) {
		texts[i], err = jobs[i].render()
		if size.Add(int64(len(texts[i]))) > maxCode {
			return errTooLarge
		}
		return err
	})
	if err == nil {
		err = each(len(jobs), func(i int) (err error) {
			texts[i], err = jobs[i].format(texts[i])
			return err
		})
	}
	switch {
	case errors.Is(err, errTooLarge):
		return nil, errTooLarge
	case err != nil:
		return nil, err
	}
	files := make(map[string][]byte, len(jobs))
	for i, j := range jobs {
		files[j.file] = texts[i]
	}
	return files, nil
}

// each calls do for 0 to n-1, for several at once: no file depends on another. After an error it starts no more.
func each(n int, do func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if errs[i] = do(i); errs[i] != nil {
					next.Store(int64(n))
				}
			}
		})
	}
	workers.Wait()
	return errors.Join(errs...)
}

func (j job) render() ([]byte, error) {
	var raw bytes.Buffer
	if err := j.emit().Render(&raw); err != nil {
		return nil, fmt.Errorf("generate %s for %s: this is a bug in bqgen: render: %w", j.file, j.what, err)
	}
	return raw.Bytes(), nil
}

func (j job) format(raw []byte) ([]byte, error) {
	text, err := format(raw)
	if err != nil {
		return nil, fmt.Errorf("generate %s for %s: this is a bug in bqgen: %w", j.file, j.what, err)
	}
	return text, nil
}
