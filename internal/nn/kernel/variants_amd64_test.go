//go:build !purego

package kernel

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// namesVariable asks the test binary, started anew, for the names of its variants.
const namesVariable = "KERNEL_TEST_PRINT_NAMES"

func TestMain(m *testing.M) {
	if os.Getenv(namesVariable) != "" {
		fmt.Println(strings.Join(Names(), " "))
		return
	}
	os.Exit(m.Run())
}

func TestAVariantNeedsEveryFeatureThatItUses(t *testing.T) {
	here := Names()
	for _, c := range []struct {
		off  []string
		gone []string
	}{
		{[]string{"avx512f"}, []string{"avx512"}},
		{[]string{"avx512dq"}, []string{"avx512"}},
		{[]string{"avx512vl"}, []string{"avx512"}},
		{[]string{"avx"}, []string{"avx512", "avx2"}},
		{[]string{"avx2"}, []string{"avx512", "avx2"}},
		{[]string{"fma"}, []string{"avx512", "avx2"}},
		{[]string{"avx512f", "avx2"}, []string{"avx512", "avx2"}},
	} {
		var settings []string
		for _, feature := range c.off {
			settings = append(settings, "cpu."+feature+"=off")
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), namesVariable+"=1", "GODEBUG="+strings.Join(settings, ","),
			"GORACE=atexit_sleep_ms=0") // a process under the race detector waits a second at its end otherwise
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		want := slices.DeleteFunc(slices.Clone(here), func(name string) bool { return slices.Contains(c.gone, name) })
		if got := strings.Fields(string(out)); !slices.Equal(got, want) {
			t.Errorf("without %v there are %v, want %v", c.off, got, want)
		}
	}
}
