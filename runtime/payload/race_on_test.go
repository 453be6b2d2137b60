//go:build race

package payload

// raceDetector says that the race detector is on, under which pools forget at random.
const raceDetector = true
