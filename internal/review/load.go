package review

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/babelqueue/bqgen/schema"
)

// Load loads a catalog. It refuses a path that leads to something else than an ordinary file, such as a pipe, which
// could block for ever.
func Load(path string) (*schema.Catalog, schema.Diagnostics, error) {
	if err := checkRegular(path); err != nil {
		return nil, nil, err
	}
	return schema.Load(path)
}

func checkRegular(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil // opening it says more
	case info.IsDir() || info.Mode().IsRegular():
		return nil
	}
	return fmt.Errorf("read catalog: %w", &fs.PathError{Op: "open", Path: path, Err: errNotRegular})
}

var errNotRegular = errors.New("it is not an ordinary file")

// maxSource is one byte more than the largest catalog: what is larger is refused before all of it is read.
const maxSource = 16<<20 + 1

// readSource reads the text of a catalog up to the limit.
func readSource(path string) ([]byte, error) {
	if err := checkRegular(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read catalog: %w", err)
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxSource))
	if err != nil {
		return nil, fmt.Errorf("read catalog: %w", err)
	}
	return src, nil
}
