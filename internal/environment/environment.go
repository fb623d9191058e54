// Package environment describes the machine and the build that a record comes from. It measures nothing.
package environment

import (
	"os"
	"runtime"
	"runtime/debug"

	"fitbench/internal/meter"
	"fitbench/internal/record"
)

// Read describes this process's machine and build; kernel is the name of the kernel that runs will use.
func Read(kernel string) record.Environment {
	m := meter.ReadMachine()
	return record.Environment{
		CPUModel: m.CPUModel, UsableCores: m.UsableCores, OnlineCores: m.OnlineCores,
		Kernel: kernel, OS: runtime.GOOS, Arch: runtime.GOARCH, OSVersion: m.OSVersion,
		Go: runtime.Version(), Revision: Revision(),
		GOGC: os.Getenv("GOGC"), GODEBUG: os.Getenv("GODEBUG"),
	}
}

// Revision is the version control revision of this build, with "+dirty" where the tree had changes, or the module's version where it
// was installed by one; empty where the build carries neither.
func Revision() string { return revision(debug.ReadBuildInfo()) }

// revision is the version control revision of the build, or the module's version where it was installed by one, or nothing.
func revision(info *debug.BuildInfo, ok bool) string {
	if !ok {
		return ""
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	switch rev := settings["vcs.revision"]; {
	case rev != "" && settings["vcs.modified"] == "true":
		return rev + "+dirty"
	case rev != "":
		return rev
	case info.Main.Version != "(devel)":
		return info.Main.Version
	}
	return ""
}
