// Package python provides virtual environments to tests that need programs written in Python. An environment contains
// exactly the packages of a pinned list. It is kept in the user's cache folder, so that only the first run on a machine
// downloads anything.
//
//	env, err := python.Environment(ctx, requirements)
//	if errors.Is(err, python.ErrUnavailable) {
//		t.Skip(err)
//	}
//	cmd := env.Command(ctx, "peer.py")
//
// It needs Python 3.9 or later with its venv module.
package python
