//go:build !race

package bq

const raceDetector = false
