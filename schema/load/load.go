package load

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/babelqueue/bqgen/schema"
)

// Load reads and checks the catalog at a path, and the files of its folder that it refers to. The error is not nil only
// when the catalog cannot be read. Faults of its content, or of the other files, are in the findings, as with [Parse].
func Load(path string) (*schema.Catalog, schema.Diagnostics, error) {
	src, info, err := readPath(path)
	if err != nil {
		return nil, nil, err
	}
	l := newLoader(path, info)
	l.linker.NameOf = func(clean string) string {
		return filepath.Join(filepath.Dir(path), filepath.FromSlash(clean))
	}
	// Without its folder the catalog can still be read, as long as it refers to no other file.
	if folder, err := os.OpenRoot(filepath.Dir(path)); err == nil {
		defer folder.Close()
		l.linker.Folder = folder.FS()
	}
	c, findings := l.run(src)
	return c, findings, nil
}

// LoadFS is [Load] for a file system. The name is valid in the sense of [fs.ValidPath]. Other files are looked for in
// the folder of the catalog and below.
func LoadFS(fsys fs.FS, name string) (*schema.Catalog, schema.Diagnostics, error) {
	src, info, err := readFile(fsys.Open(name))
	if err != nil {
		return nil, nil, fmt.Errorf("read catalog: %w", err)
	}
	l := newLoader(name, info)
	if l.linker.Folder, err = fs.Sub(fsys, path.Dir(name)); err != nil {
		return nil, nil, fmt.Errorf("read catalog: %w", err)
	}
	c, findings := l.run(src)
	return c, findings, nil
}

// Parse checks the text of a catalog; filename is shown in positions. It reports all findings of one run. There is a
// catalog unless one of the findings is an error; with warnings alone there is one. Parse reads no other files: use
// [Load] for a catalog that refers to some.
func Parse(filename string, src []byte) (*schema.Catalog, schema.Diagnostics) {
	return newLoader(filename, nil).run(src)
}
