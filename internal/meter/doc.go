// Package meter reads what the operating system and the Go runtime tell about a run: wall and CPU time, peak memory, how much
// memory and how many cores this process may use, what other processes did meanwhile, allocations and collections.
//
// It measures and does not judge, apart from one limit: DisturbedPercent. It imports nothing of the project.
// What could not be measured is absent (a false second result or a nil pointer), never 0.
//
// Linux is the system that it is run on. For macOS and Windows it is built, with what the standard library and x/sys give there;
// those readings are unproved, and the rest is reported as not measured.
package meter
