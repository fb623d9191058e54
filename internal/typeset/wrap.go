package typeset

import "strings"

// Wrap breaks text between words into lines of at most width characters. The first line starts with first, the others with hang. A
// number stays with its unit, or with the slash behind it. A word that is longer than a line stays whole: what is copied from a
// terminal must not be cut.
func Wrap(text, first, hang string, width int) []string {
	var lines []string
	line, empty := first, true
	for _, word := range Words(text) {
		switch {
		case empty:
			line += word
		case len(line)+1+len(word) <= width:
			line += " " + word
		default:
			lines = append(lines, line)
			line = hang + word
		}
		empty = false
	}
	return append(lines, strings.TrimRight(line, " "))
}

// Parted puts the parts on as few lines as their order allows, with a bar between those on one line.
func Parted(parts []string, width int) []string {
	var lines []string
	for _, part := range parts {
		if n := len(lines); n > 0 && len(lines[n-1])+len(Bar)+len(part) <= width {
			lines[n-1] += Bar + part
			continue
		}
		lines = append(lines, Wrap(part, "", "  ", width)...)
	}
	return lines
}

const Bar = " | "

// Words splits text into words, each number together with the unit or the slash behind it.
func Words(text string) []string {
	var words []string
	for _, word := range strings.Fields(text) {
		if n := len(words); n > 0 && isUnit(strings.TrimRight(word, ".,;:)")) && endsInDigit(words[n-1]) {
			words[n-1] += " " + word
			continue
		}
		words = append(words, word)
	}
	return words
}

func isUnit(word string) bool {
	switch word {
	case "ms", "s", "MB", "%", "x", "/":
		return true
	}
	return false
}

func endsInDigit(word string) bool {
	last := word[len(word)-1]
	return last >= '0' && last <= '9'
}
