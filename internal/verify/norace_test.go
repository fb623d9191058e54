//go:build !race

package verify

// raceDetector tells whether the test is built with the race detector.
const raceDetector = false
