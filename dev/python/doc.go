// Package python makes virtual environments for tests that need programs written in Python. An environment holds
// exactly the packages of a pinned list and is kept in the user's cache folder, so that only the first run on a machine
// downloads anything.
//
//	env, err := python.Environment(ctx, requirements)
//	if errors.Is(err, python.ErrUnavailable) {
//		t.Skip(err)
//	}
//	cmd := env.Command(ctx, "peer.py")
//
// Python 3.9 or later with its venv module is all that must be there.
package python
