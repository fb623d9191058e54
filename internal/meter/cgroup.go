package meter

import (
	"path"
	"strconv"
	"strings"
)

// hierarchy is one of the trees of control groups: that of version 2 (controller ""), or the one of version 1 that has the
// controller.
type hierarchy struct{ controller string }

// groups are the folders, below the source's root, of this process's group in the hierarchy and of all its ancestors up to the
// mount point, whether they exist or not. In a container the group's path may be the host's, with nothing there but the mount
// point itself, which then is this process's group.
func (s source) groups(h hierarchy) []string {
	memberships, ok := s.read("proc/self/cgroup")
	if !ok {
		return nil
	}
	group, ok := h.membership(memberships)
	if !ok {
		return nil
	}
	mounts, ok := s.read("proc/self/mountinfo")
	if !ok {
		return nil
	}
	return ancestors(h.mounts(mounts), group)
}

// membership finds the process's group in the text of /proc/self/cgroup, whose lines read "number:controllers:path"; those of
// version 2 read "0::path".
func (h hierarchy) membership(text string) (group string, ok bool) {
	for line := range strings.Lines(text) {
		parts := strings.SplitN(strings.TrimSuffix(line, "\n"), ":", 3)
		if len(parts) != 3 || !path.IsAbs(parts[2]) {
			continue
		}
		if h.controller == "" && parts[0] == "0" && parts[1] == "" || h.controller != "" && has(parts[1], h.controller) {
			return parts[2], true
		}
	}
	return "", false
}

// mount is a hierarchy, or a part of it, made visible in the file system: the group root appears as the folder point.
type mount struct{ root, point string }

// mounts finds where the hierarchy is mounted in the text of /proc/self/mountinfo (proc_pid_mountinfo(5)): fields 4 and 5 are
// the root and the mount point; after a lone "-" come the type, the device, and the options with the controllers.
func (h hierarchy) mounts(text string) []mount {
	var found []mount
	for line := range strings.Lines(text) {
		before, after, _ := strings.Cut(line, " - ")
		where, what := strings.Fields(before), strings.Fields(after)
		if len(where) < 5 || len(what) < 3 {
			continue
		}
		if h.controller == "" && what[0] == "cgroup2" || h.controller != "" && what[0] == "cgroup" && has(what[2], h.controller) {
			found = append(found, mount{root: unescape(where[3]), point: unescape(where[4])})
		}
	}
	return found
}

// ancestors lists the folders of a group and its ancestors in every mount that shows the group. Where none does, as after a
// change of the namespace, the first mount's point stands for the group.
func ancestors(mounts []mount, group string) []string {
	var folders []string
	for _, m := range mounts {
		below, ok := within(m.root, group)
		if !ok {
			continue
		}
		for ; below != "/"; below = path.Dir(below) {
			folders = append(folders, path.Join(m.point, below))
		}
		folders = append(folders, m.point)
	}
	if len(folders) == 0 && len(mounts) > 0 {
		return []string{mounts[0].point}
	}
	return folders
}

// within is the group's path seen from root, "/" being root itself; false where it lies outside, also by "..".
func within(root, group string) (below string, ok bool) {
	root = strings.TrimSuffix(root, "/")
	below, ok = strings.CutPrefix(group, root)
	if !ok || below != "" && below[0] != '/' || has(strings.ReplaceAll(group, "/", ","), "..") {
		return "", false
	}
	return path.Clean("/" + below), true
}

// has tells whether a list separated by commas holds the name.
func has(list, name string) bool {
	for item := range strings.SplitSeq(list, ",") {
		if item == name {
			return true
		}
	}
	return false
}

// unescape reads the octal escapes of mountinfo, such as \040 for a space.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+4 <= len(text) {
			if c, err := strconv.ParseUint(text[i+1:i+4], 8, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}
