package kernel

import (
	"fmt"
	"syscall"
	"testing"
	"unsafe"
)

func pagedMemories() map[string]memory {
	return map[string]memory{"before a protected page": paged{end: true}, "behind a protected page": paged{}}
}

// paged is memory that ends, or begins, where a page that may not be touched begins, or ends.
type paged struct{ end bool }

func (p paged) place(t *testing.T, size int) (unsafe.Pointer, func(*testing.T, string)) {
	t.Helper()
	page := syscall.Getpagesize()
	inner := (size + page - 1) / page * page
	all, err := syscall.Mmap(-1, 0, inner+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(all); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{all[:page], all[page+inner:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(fmt.Errorf("protecting a page: %w", err))
		}
	}
	from := page
	if p.end {
		from = page + inner - size
	}
	return unsafe.Pointer(&all[from]), func(*testing.T, string) {}
}
