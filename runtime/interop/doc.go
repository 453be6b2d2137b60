// Package interop contains tests that show that this runtime and the Python SDK of the same contract understand each
// other, on a real Pulsar whose address is in BQ_PULSAR_URL (set by go run ./dev/pulsar exec). The Python side is
// peer.py, a small service that the tests control. Where the two sides are known to differ, a test says how.
//
// The tests create a virtual environment for the SDK, so they need only Python 3 besides the broker.
package interop
