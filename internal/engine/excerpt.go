package engine

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
)

const (
	headBytes  = 8 << 10
	tailBytes  = 64 << 10
	wordLines  = 5
	lineLength = 200
)

// excerpt is a writer that keeps the beginning and the end of what is written to it: bounded memory for the standard error of a
// child that may write without end.
type excerpt struct {
	head, tail []byte
}

// Write never fails.
func (e *excerpt) Write(p []byte) (int, error) {
	n := min(len(p), headBytes-len(e.head))
	e.head = append(e.head, p[:n]...)
	e.tail = append(e.tail, p[n:]...)
	if len(e.tail) > 2*tailBytes {
		e.tail = slices.Clone(e.tail[len(e.tail)-tailBytes:])
	}
	return len(p), nil
}

// words are the lines that tell most, on one line: what a Go program that crashed says before its goroutines' stacks, else the
// last lines. Empty where nothing was written.
func (e *excerpt) words() string {
	var lines []string
	for line := range bytes.Lines(slices.Concat(e.head, e.tail)) {
		if text := strings.TrimSpace(printable(line, lineLength)); text != "" {
			lines = append(lines, text)
		}
	}
	if i := slices.IndexFunc(lines, isCrash); i >= 0 {
		lines = lines[i:]
		if end := slices.IndexFunc(lines, isStack); end >= 0 {
			lines = lines[:end]
		}
		lines = lines[:min(len(lines), wordLines)]
	}
	return strings.Join(lines[max(0, len(lines)-wordLines):], " | ")
}

// isCrash tells whether a line is where Go's runtime says why it ends the program: a panic, an error of its own, a signal, or a
// thread that the system refused.
func isCrash(line string) bool {
	if name, _, ok := strings.Cut(line, ": "); ok && strings.HasPrefix(name, "SIG") && !strings.Contains(name, " ") {
		return true
	}
	return slices.ContainsFunc([]string{"panic: ", "fatal error: ", "runtime/cgo: "}, func(start string) bool {
		return strings.HasPrefix(line, start)
	})
}

func isStack(line string) bool {
	return strings.HasPrefix(line, "goroutine ") || strings.HasPrefix(line, "runtime stack:") || strings.HasPrefix(line, "PC=")
}

// printable cuts a line to that many characters and takes from it what could disturb a terminal.
func printable(line []byte, length int) string {
	runes := []rune(string(line))
	runes = runes[:min(len(runes), length)]
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, string(runes))
}
