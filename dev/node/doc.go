// Package node runs JavaScript tools in tests, such as the parser of the AsyncAPI initiative, which judges the exported
// documents. An environment is a folder with exactly the packages of a lock file. It stays in the user's cache folder,
// so only the first run on a machine downloads anything. Scripts of packages do not run.
//
//	env, err := node.Environment(ctx, manifest, lock)
//	if errors.Is(err, node.ErrUnavailable) {
//		t.Skip(err)
//	}
//	cmd := env.Command(ctx, "judge.js")
//
// It uses Node 18 or later and npm from PATH. Where they are missing, Node comes as a Python package; see dev/python.
package node
