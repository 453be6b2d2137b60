package fileset

import "errors"

// MaxTotal is the size of all files that are generated from one catalog, in bytes. A page or a schema that is complete
// in itself repeats what others contain, so a small catalog can ask for more than a disk holds.
const MaxTotal = 64 << 20

// ErrTooLarge is the error for files that are larger than [MaxTotal] together.
var ErrTooLarge = errors.New("the generated files are larger than 64 MiB together")

// A Collector collects files up to [MaxTotal]. The zero Collector is empty and ready for use.
type Collector struct {
	files map[string][]byte
	size  int
}

// Add adds a file, or returns [ErrTooLarge].
func (c *Collector) Add(name string, content []byte) error {
	if c.size += len(content); c.size > MaxTotal {
		return ErrTooLarge
	}
	if c.files == nil {
		c.files = map[string][]byte{}
	}
	c.files[name] = content
	return nil
}

// Files returns the files by their names.
func (c *Collector) Files() map[string][]byte { return c.files }
