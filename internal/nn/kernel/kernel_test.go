package kernel

import (
	"slices"
	"strings"
	"testing"
)

func TestPortableGoIsAlwaysAvailable(t *testing.T) {
	if !slices.Contains(Names(), "go") {
		t.Errorf("available: %v, without portable Go", Names())
	}
}

func TestSelectTakesEveryAvailableNameAndAutoTheBest(t *testing.T) {
	for _, name := range Names() {
		if impl, err := Select(name); err != nil || impl.Name != name {
			t.Errorf("Select(%q) is %v, %v", name, impl, err)
		}
	}
	if impl, err := Select("auto"); err != nil || impl.Name != Names()[0] {
		t.Errorf("auto is %v, %v; want %q", impl, err, Names()[0])
	}
}

func TestSelectRefusesAnUnknownNameAndListsThoseThereAre(t *testing.T) {
	_, err := Select("vax")
	if err == nil || !strings.Contains(err.Error(), `"vax"`) || !strings.Contains(err.Error(), "available: auto, ") || !strings.HasSuffix(err.Error(), "go") {
		t.Errorf("error is %v; want the name and those available", err)
	}
}
