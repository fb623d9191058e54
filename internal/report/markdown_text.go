package report

import (
	"strings"

	"fitbench/internal/typeset"
)

// markdownText is a text of one line as Markdown shows it, character by character.
func markdownText(s string) string {
	var b strings.Builder
	for _, r := range printable(strings.Join(strings.Fields(s), " ")) {
		if strings.ContainsRune("\\`*_[]<>|~#&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// markdownParagraph is Markdown as a paragraph of its own, which must not begin like a list.
func markdownParagraph(text string) string {
	if strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+") {
		return "\\" + text
	}
	return text
}

// markdownParts is a paragraph of parts with bars between them. Above a blank line a bar makes no table.
func markdownParts(parts []string) string {
	var texts []string
	for _, part := range parts {
		texts = append(texts, markdownText(part))
	}
	return markdownParagraph(strings.Join(texts, typeset.Bar))
}

// codeSpan quotes a text of another program, on one line: nothing in it is Markdown, nor a mention of somebody.
func codeSpan(s string) string {
	s = printable(strings.Join(strings.Fields(s), " "))
	longest, run := 0, 0
	for _, r := range s {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	if longest > 0 {
		s = " " + s + " " // else a backtick at its end would join the fence; one space on each side is not shown
	}
	return fence + s + fence
}

// pipeTable is a table in GitHub's dialect, the first row its head. The first left columns are set to the left, the others to the
// right. The cells are Markdown already; they are padded so that the text itself is a table too.
func pipeTable(rows [][]string, left int) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for c, cell := range row {
			widths[c] = max(widths[c], len(cell), len("--:"))
		}
	}
	var b strings.Builder
	for i, row := range rows {
		for c, cell := range row {
			pad := strings.Repeat(" ", widths[c]-len(cell))
			if c < left {
				b.WriteString("| " + cell + pad + " ")
			} else {
				b.WriteString("| " + pad + cell + " ")
			}
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(pipeRule(widths, left))
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// pipeRule is the line below a table's head, which says how the columns are set.
func pipeRule(widths []int, left int) string {
	var b strings.Builder
	for c, width := range widths {
		dashes := strings.Repeat("-", width-1)
		if c < left {
			b.WriteString("| :" + dashes + " ")
		} else {
			b.WriteString("| " + dashes + ": ")
		}
	}
	return b.String() + "|\n"
}
