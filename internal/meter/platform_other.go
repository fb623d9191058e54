//go:build !linux && !darwin && !windows

package meter

func platformPeakRSS() (bytes int64, ok bool) { return 0, false }

func platformMachine() Machine { return Machine{} }

func addressSpaceLimit() (bytes uint64, limited bool) { return 0, false }
