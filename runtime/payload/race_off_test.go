//go:build !race

package payload

const raceDetector = false
