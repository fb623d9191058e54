package python

import "regexp"

// Cells are those that an engine's module says it knows, in its order, as in "fit@compiled": the string literals of its CELLS.
func Cells(engine string) []string { return listed(engine, "CELLS") }

// Several are the cells of which an engine's module says that it can run several steps in one call: the string literals of its SEVERAL.
func Several(engine string) []string { return listed(engine, "SEVERAL") }

// listed are the cells of a tuple of an engine's module, one a line.
func listed(engine, tuple string) []string {
	source, _ := Source(prefix(engine) + "engine")
	block := regexp.MustCompile(`(?s)\n` + tuple + ` = \((.*?)\n?\)`).FindStringSubmatch(source)
	if block == nil {
		return nil
	}
	var cells []string
	for _, literal := range regexp.MustCompile(`(?m)^\s*["']([a-z-]+@[a-z]+)["']`).FindAllStringSubmatch(block[1], -1) {
		cells = append(cells, literal[1])
	}
	return cells
}
