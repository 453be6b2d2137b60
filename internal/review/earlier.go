package review

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/babelqueue/bqgen/internal/gitfs"
	"github.com/babelqueue/bqgen/schema"
	"github.com/babelqueue/bqgen/schema/load"
)

// An Earlier loads the earlier version of a catalog.
type Earlier func() (*schema.Catalog, schema.Diagnostics, error)

// InFile is an earlier version in a file.
func InFile(path string) Earlier {
	return func() (*schema.Catalog, schema.Diagnostics, error) { return load.Load(path) }
}

// InGit is the version of a catalog, and of the files that it refers to, at REVISION[:PATH] in the git repository that
// encloses the catalog. The path is from the top of the repository; by default it is that of the catalog.
func InGit(catalog, place string) Earlier {
	return func() (*schema.Catalog, schema.Diagnostics, error) {
		revision, name, hasPath := strings.Cut(place, ":")
		repository, err := gitfs.Enclosing(filepath.Dir(catalog))
		if err != nil {
			return nil, nil, err
		}
		tree, err := repository.At(revision)
		if err != nil {
			return nil, nil, err
		}
		defer tree.Close()
		if !hasPath {
			name = repository.Path(filepath.Base(catalog))
		}
		if !fs.ValidPath(name) {
			return nil, nil, fmt.Errorf(
				"read %q in git: use a path from the top of the repository, with slashes and without dots", name)
		}
		c, findings, err := load.LoadFS(tree, name)
		if err != nil {
			return nil, nil, fmt.Errorf("read %q at %q in git: %w", name, revision, err)
		}
		return c, findings, nil
	}
}
