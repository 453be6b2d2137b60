//go:build race

package acceptance

// raceDetector is true under the race detector, which also finds what the Pulsar client does wrong.
const raceDetector = true
