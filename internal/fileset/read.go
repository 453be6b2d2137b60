package fileset

import (
	"fmt"
	"io"
	"os"
)

// maxRead is the size of all existing files that are compared with generated ones, in bytes: more than bqgen writes. A
// repository can contain files of any size.
const maxRead = 2 * MaxTotal

// maxStart is the part of an orphan that is read: what it was generated from, and its package.
const maxStart = 1 << 16

// A reader reads files up to [maxRead] together.
type reader struct{ room int64 }

func newReader() *reader { return &reader{room: maxRead} }

func (r *reader) read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if r.room -= info.Size(); r.room < 0 {
		return nil, fmt.Errorf("a file that is too large to be generated is %w: %s", ErrInTheWay, path)
	}
	return readUpTo(path, info.Size())
}

func readStart(path string) ([]byte, error) { return readUpTo(path, maxStart) }

func readUpTo(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}
