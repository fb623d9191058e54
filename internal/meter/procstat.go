package meter

import "strings"

// ticksPerSecond is the unit of the CPU times in /proc (USER_HZ, sysconf(_SC_CLK_TCK)): 100 on every architecture of Go's Linux
// ports, whatever rate the kernel itself ticks at.
const ticksPerSecond = 100

// machineTicks is what /proc/stat tells of all cores together since the machine started, in ticks.
type machineTicks struct {
	// cores is the number of cores that are online.
	cores int64
	// all is the sum of everything, idle the part spent idle or waiting for a disk.
	all, idle int64
	// steal is what the hypervisor gave to others; -1 where the kernel has no such column.
	steal int64
}

// The columns of the line "cpu" in /proc/stat (proc_stat(5)): user nice system idle iowait irq softirq steal guest guest_nice.
// The last two are already in user and nice.
const (
	columnIdle   = 3
	columnIOWait = 4
	columnSteal  = 7
)

// parseMachine reads the text of /proc/stat.
func parseMachine(text string) (machineTicks, bool) {
	m := machineTicks{steal: -1}
	seen := false
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		switch {
		case len(fields) == 0 || !strings.HasPrefix(fields[0], "cpu"):
			continue
		case fields[0] != "cpu":
			m.cores++
			continue
		}
		if seen = m.sum(fields[1:]); !seen {
			return machineTicks{}, false
		}
	}
	return m, seen && m.cores > 0
}

// sum takes in the columns of the line "cpu"; false where one is missing or not a number.
func (m *machineTicks) sum(columns []string) bool {
	if len(columns) <= columnIdle {
		return false
	}
	for i, column := range columns[:min(len(columns), columnSteal+1)] {
		n, ok := parseTicks(column)
		if !ok {
			return false
		}
		m.all += n
		switch i {
		case columnIdle, columnIOWait:
			m.idle += n
		case columnSteal:
			m.steal = n
		}
	}
	return true
}

// parseProcess reads utime + stime, in ticks, from the text of /proc/<pid>/stat. Its second field is the program's name in
// parentheses, which may itself hold spaces and parentheses, so fields are counted from the last one.
func parseProcess(text string) (ticks int64, ok bool) {
	end := strings.LastIndexByte(text, ')')
	if end < 0 {
		return 0, false
	}
	// Fields 14 and 15 of proc_pid_stat(5); the first after the name is field 3.
	fields := strings.Fields(text[end+1:])
	if len(fields) < 13 {
		return 0, false
	}
	user, ok := parseTicks(fields[11])
	system, systemOK := parseTicks(fields[12])
	return user + system, ok && systemOK
}

// parseTicks reads a count of ticks. 2^48 ticks are 89,000 years of one core; more is garbage, and sums cannot overflow.
func parseTicks(text string) (int64, bool) {
	n, ok := parseNumber(text)
	return n, ok && n <= 1<<48
}

// parsePressure reads from the text of /proc/pressure/cpu for how many microseconds some task has waited, in its line
// "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345".
func parsePressure(text string) (microseconds int64, ok bool) {
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != "some" {
			continue
		}
		for _, field := range fields[1:] {
			if total, found := strings.CutPrefix(field, "total="); found {
				return parseNumber(total)
			}
		}
	}
	return 0, false
}
