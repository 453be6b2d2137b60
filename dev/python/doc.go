// Package python runs Python programs in tests, such as the reference SDK of the wire contract, which exchanges
// messages with the runtime. An environment is a virtual environment with exactly the packages of a pinned list. It
// stays in the user's cache folder, so only the first run on a machine downloads anything.
//
//	env, err := python.Environment(ctx, requirements)
//	if errors.Is(err, python.ErrUnavailable) {
//		t.Skip(err)
//	}
//	cmd := env.Command(ctx, "peer.py")
//
// It needs Python 3.9 or later with its module venv.
package python
