//go:build !unix && !windows

package meter

import "time"

func processCPU() (user, system time.Duration, known bool) { return 0, 0, false }

func familyCPU() (time.Duration, bool) { return 0, false }
