// Package node provides npm packages to tests: a folder with exactly the packages of a lock file. It is kept in the
// user's cache folder, so that only the first run on a machine downloads anything. Scripts of packages are not run.
//
//	env, err := node.Environment(ctx, manifest, lock)
//	if errors.Is(err, node.ErrUnavailable) {
//		t.Skip(err)
//	}
//	cmd := env.Command(ctx, "judge.js")
//
// Node 18 or later with npm is taken from PATH. Otherwise Node is installed as a Python package; see dev/python.
package node
