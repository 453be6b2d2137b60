// Package node has what tests need of npm: a folder with exactly the packages of a lock file, kept in the user's cache
// folder, so that only the first run on a machine downloads anything. No package's own script is run.
//
//	env, err := node.Environment(ctx, manifest, lock)
//	if errors.Is(err, node.ErrUnavailable) {
//		t.Skip(err)
//	}
//	cmd := env.Command(ctx, "judge.js")
//
// Node 18 or later with npm will do when it is in PATH. Otherwise Node comes as a package of Python's; see dev/python.
package node
