// Package interop holds the tests that show this runtime and the Python SDK of the same contract to understand each
// other, over a real Pulsar (its address is in BQ_PULSAR_URL; the test command sets it). The Python side is peer.py, a
// small service that the tests steer. Where the two sides are known to differ a test says how, and that it is so.
//
// The tests make a virtual environment for the SDK, so Python 3 is all they need besides the broker.
package interop
