package environment

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestRevisionSaysWhetherTheTreeHadChanges(t *testing.T) {
	build := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	rev, dirty := debug.BuildSetting{Key: "vcs.revision", Value: "abc"}, debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, c := range []struct {
		info *debug.BuildInfo
		ok   bool
		want string
	}{
		{build("(devel)", rev), true, "abc"},
		{build("(devel)", rev, dirty), true, "abc+dirty"},
		{build("v1.2.3"), true, "v1.2.3"},
		{build("(devel)"), true, ""},
		{nil, false, ""},
	} {
		if got := revision(c.info, c.ok); got != c.want {
			t.Errorf("revision(%+v) = %q, want %q", c.info, got, c.want)
		}
	}
}

func TestReadTellsTheVariablesAsTheyAre(t *testing.T) {
	t.Setenv("GOGC", "off")
	t.Setenv("GODEBUG", "cpu.avx2=off")
	e := Read("go")
	if e.GOGC != "off" || e.GODEBUG != "cpu.avx2=off" || e.Kernel != "go" || e.OS != runtime.GOOS || e.UsableCores < 1 {
		t.Errorf("environment %+v", e)
	}
}
