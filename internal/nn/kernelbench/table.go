package main

import (
	"strings"
	"unicode/utf8"
)

// table is aligned text: the first column to the left, all others to the right.
type table [][]string

func (t table) String() string {
	var widths []int
	for _, row := range t {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range t {
		var line strings.Builder
		for i, cell := range row {
			padding := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				line.WriteString("  " + cell + padding)
			} else {
				line.WriteString("  " + padding + cell)
			}
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return text.String()
}
