package meter

import (
	"slices"
	"testing"
)

// Texts as real systems have them.
const (
	membershipV2     = "0::/user.slice/app.scope\n"
	membershipHybrid = "12:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n1:name=systemd:/docker/abc\n0::/docker/abc\n"
	mountV2          = "30 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n"
	mountsHybrid     = "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n" +
		"35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n" +
		"41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"
)

func TestGroupsAreTheProcessesAndAllAncestors(t *testing.T) {
	for name, c := range map[string]struct {
		controller, membership, mounts string
		want                           []string
	}{
		"version 2": {"", membershipV2, mountV2,
			[]string{"/sys/fs/cgroup/user.slice/app.scope", "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"}},
		"version 1, controller alone": {"memory", membershipHybrid, mountsHybrid,
			[]string{"/sys/fs/cgroup/memory/docker/abc", "/sys/fs/cgroup/memory/docker", "/sys/fs/cgroup/memory"}},
		"version 1, controller with another": {"cpu", membershipHybrid, mountsHybrid,
			[]string{"/sys/fs/cgroup/cpu,cpuacct/docker/abc", "/sys/fs/cgroup/cpu,cpuacct/docker", "/sys/fs/cgroup/cpu,cpuacct"}},
		"version 2 beside version 1": {"", membershipHybrid, mountsHybrid,
			[]string{"/sys/fs/cgroup/unified/docker/abc", "/sys/fs/cgroup/unified/docker", "/sys/fs/cgroup/unified"}},
		"the root group": {"", "0::/\n", mountV2, []string{"/sys/fs/cgroup"}},
		"a container whose mount shows its own group": {"memory", "4:memory:/docker/abc\n",
			"35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", []string{"/sys/fs/cgroup/memory"}},
		"a group below the one that is mounted": {"memory", "4:memory:/docker/abc/job\n",
			"35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
			[]string{"/sys/fs/cgroup/memory/job", "/sys/fs/cgroup/memory"}},
		"a neighbour whose name begins alike is not an ancestor": {"memory", "4:memory:/docker/abcd\n",
			"35 31 0:32 /docker/abc /a rw - cgroup cgroup rw,memory\n36 31 0:32 / /b rw - cgroup cgroup rw,memory\n",
			[]string{"/b/docker/abcd", "/b/docker", "/b"}},
		"a group outside of every mount": {"memory", "4:memory:/host/path\n",
			"35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n", []string{"/sys/fs/cgroup/memory"}},
		"a group above the namespace's root": {"", "0::/../../other\n", mountV2, []string{"/sys/fs/cgroup"}},
		"a mount point with a space":         {"", "0::/\n", "30 23 0:26 / /my\\040groups rw - cgroup2 cgroup2 rw\n", []string{"/my groups"}},
		"a path with a colon": {"", "0::/a:b\n", mountV2,
			[]string{"/sys/fs/cgroup/a:b", "/sys/fs/cgroup"}},
		"no such hierarchy mounted": {"cpu", membershipHybrid, mountV2, nil},
		"no such membership":        {"cpu", membershipV2, mountsHybrid, nil},
	} {
		s := files{"proc/self/cgroup": c.membership, "proc/self/mountinfo": c.mounts}.source(t)
		if got := s.groups(hierarchy{c.controller}); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestNoGroupsWithoutTheirFiles(t *testing.T) {
	for name, f := range map[string]files{
		"neither":    {},
		"membership": {"proc/self/cgroup": membershipV2},
		"mounts":     {"proc/self/mountinfo": mountV2},
	} {
		if got := f.source(t).groups(hierarchy{""}); got != nil {
			t.Errorf("only %s: got %q", name, got)
		}
	}
}

func TestUnescapeReadsOctalAndLeavesTheRest(t *testing.T) {
	for text, want := range map[string]string{
		`/a\040b`: "/a b", `\134`: `\`, `\0`: `\0`, `\999`: `\999`, `a\`: `a\`, `\11\040`: `\11 `, "": "",
	} {
		if got := unescape(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
