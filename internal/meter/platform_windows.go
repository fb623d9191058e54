package meter

import (
	"fmt"
	"strings"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// platformPeakRSS: x/sys has no GetProcessMemoryInfo.
func platformPeakRSS() (bytes int64, ok bool) { return 0, false }

// platformMachine is unproved: built, not run. A value that the system refuses stays empty.
func platformMachine() Machine {
	v := windows.RtlGetVersion()
	return Machine{
		CPUModel:    processorName(),
		OnlineCores: int(windows.GetActiveProcessorCount(windows.ALL_PROCESSOR_GROUPS)),
		OSVersion:   fmt.Sprintf("%d.%d.%d", v.MajorVersion, v.MinorVersion, v.BuildNumber),
	}
}

func processorName() string {
	key, err := registry.OpenKey(registry.LOCAL_MACHINE, `HARDWARE\DESCRIPTION\System\CentralProcessor\0`, registry.QUERY_VALUE)
	if err != nil {
		return ""
	}
	defer key.Close()
	name, _, err := key.GetStringValue("ProcessorNameString")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(name)
}

// addressSpaceLimit: Windows has no such limit of a process.
func addressSpaceLimit() (bytes uint64, limited bool) { return 0, false }
