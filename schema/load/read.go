package load

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/babelqueue/bqgen/schema/internal/source"
)

var errNotRegular = errors.New("it is not an ordinary file")

// ReadFile reads the text of a catalog for [Parse] or for the formatter. It stops one byte after the size limit of a
// catalog; both then report that the catalog is too large. It refuses anything but an ordinary file: a pipe could block
// forever, and a device may have no end.
func ReadFile(path string) ([]byte, error) {
	src, _, err := readPath(path)
	return src, err
}

func readPath(path string) ([]byte, fs.FileInfo, error) {
	// Before it is opened: opening a pipe blocks. What cannot be found or is a folder fails below.
	if info, err := os.Stat(path); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("read catalog: %w", &fs.PathError{Op: "open", Path: path, Err: errNotRegular})
	}
	src, info, err := readFile(os.Open(path))
	if err != nil {
		return nil, nil, fmt.Errorf("read catalog: %w", err)
	}
	return src, info, nil
}

func readFile(f fs.File, err error) ([]byte, fs.FileInfo, error) {
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	// One byte more than is allowed, so that the excess is noticed.
	src, err := io.ReadAll(io.LimitReader(f, source.MaxSource+1))
	return src, info, err
}
