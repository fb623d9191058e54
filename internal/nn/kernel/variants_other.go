//go:build !amd64 || purego

package kernel

// assembly lists the variants in assembly: none here.
func assembly() []variant { return nil }
