package python

import "regexp"

// Cells are those that an engine's module says it knows, in its order, as in "fit@compiled": the string literals of its CELLS.
func Cells(engine string) []string {
	source, _ := Source(prefix(engine) + "engine")
	block := regexp.MustCompile(`(?s)\nCELLS = \((.*?)\n?\)`).FindStringSubmatch(source)
	if block == nil {
		return nil
	}
	var cells []string
	for _, literal := range regexp.MustCompile(`(?m)^\s*["']([a-z-]+@[a-z]+)["']`).FindAllStringSubmatch(block[1], -1) {
		cells = append(cells, literal[1])
	}
	return cells
}
