//go:build !linux

package kernel

func pagedMemories() map[string]memory { return map[string]memory{} }
