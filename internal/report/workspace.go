package report

import (
	"os"
	"path/filepath"
)

// InWorkspace makes paths relative to the checkout that GITHUB_WORKSPACE names, wherever the command runs: tools that
// show findings in a pull request count from there. Without the variable, and for files elsewhere, it changes nothing.
func (r *Report) InWorkspace() {
	root := os.Getenv("GITHUB_WORKSPACE")
	if root == "" {
		return
	}
	for i := range r.Findings {
		path, err := filepath.Abs(r.Findings[i].Pos.File)
		if err != nil {
			continue
		}
		if path, err = filepath.Rel(root, path); err == nil && filepath.IsLocal(path) {
			r.Findings[i].Pos.File = path
		}
	}
}
