"""CPU time, peak memory and others' load, with all processes that this one started. Linux tells all of it, others less: then it is None."""
import os, sys, time

try:
    import resource
except ImportError:  # Windows
    resource = None

TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100


def _text(path):
    try:
        with open(path) as f:
            return f.read()
    except (OSError, UnicodeDecodeError):
        return None


def _stat(pid):
    """The fields of /proc/PID/stat behind the command's name, which may hold blanks and parentheses; None where it is gone."""
    text = _text("/proc/%s/stat" % pid)
    return text.rpartition(")")[2].split() if text else None


def descendants():
    """The processes that descend from this one, as far as the system tells."""
    parents = {}
    try:
        pids = [p for p in os.listdir("/proc") if p.isdigit()]
    except OSError:
        return []
    for pid in pids:
        fields = _stat(pid)
        if fields:
            parents.setdefault(fields[1], []).append(pid)
    found, todo = [], [str(os.getpid())]
    while todo:
        for child in parents.get(todo.pop(), []):
            found.append(child)
            todo.append(child)
    return found


def cpu_seconds():
    """(user, system) of this process, of its ended children and of its living descendants."""
    user, system = _own_cpu_seconds()
    for pid in descendants():
        fields = _stat(pid)
        if fields:
            user += int(fields[11]) / TICK
            system += int(fields[12]) / TICK
    return user, system


def _own_cpu_seconds():
    """(user, system) of this process and of its ended children, in microseconds where the system has them, else in ticks."""
    if resource is None:
        t = os.times()
        return t.user + t.children_user, t.system + t.children_system
    a, b = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return a.ru_utime + b.ru_utime, a.ru_stime + b.ru_stime


def _kilobytes(path, *names):
    """The sum of those lines of a file of /proc, in bytes; 0 where it has none of them."""
    lines = [line.split() for line in (_text(path) or "").splitlines()]
    return sum(int(words[1]) * 1024 for words in lines if words and words[0].rstrip(":") in names)


def peak_rss_bytes():
    """The peak of this process, and what its living descendants have beside it: memory that a forked process shares is counted once."""
    peak = _kilobytes("/proc/self/status", "VmHWM")
    for pid in descendants():
        private = _kilobytes("/proc/%s/smaps_rollup" % pid, "Private_Clean", "Private_Dirty")
        peak += private or _kilobytes("/proc/%s/status" % pid, "VmHWM")
    if peak or resource is None:
        return peak or None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def available_bytes():
    """Memory that this process may still take: what the system has, less where a control group or a limit of its own allows less. None
    where it is not known."""
    found = [_kilobytes("/proc/meminfo", "MemAvailable") or None, _left_in_group(), _left_to_process()]
    return min((bytes for bytes in found if bytes is not None), default=None)


def _left_in_group():
    limit, used, parts = (_text("/sys/fs/cgroup/memory." + name) for name in ("max", "current", "stat"))
    if not (limit and used and parts and limit.strip().isdigit()):
        return None
    cached = sum(int(line.split()[1]) for line in parts.splitlines() if line.split()[0] in ("inactive_file", "active_file"))
    return max(0, int(limit) - int(used) + cached)  # what files are cached in is given back when it is needed


def _left_to_process():
    if resource is None or not hasattr(resource, "RLIMIT_AS"):
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else max(0, limit - _kilobytes("/proc/self/status", "VmSize"))


class Others:
    """What others did since it was made, in percent of a core: those that are neither this process, its descendants nor its parent."""

    def __init__(self):
        self.start = self._snapshot()

    @staticmethod
    def _snapshot():
        text = _text("/proc/stat")
        if not text:
            return None
        lines = text.splitlines()
        fields = [int(v) for v in lines[0].split()[1:]]
        cores = sum(1 for line in lines if line.startswith("cpu")) - 1
        if len(fields) < 8 or cores < 1:
            return None
        parent = _stat(os.getppid())
        return {"wall": time.monotonic(), "cores": cores, "idle": (fields[3] + fields[4]) / TICK, "steal": fields[7] / TICK,
                "own": sum(cpu_seconds()), "parent": (int(parent[11]) + int(parent[12])) / TICK if parent else 0.0}

    def read(self):
        """{"other_cpu_percent", "steal_percent", "disturbed"}, as far as known; below 0.3 s ticks of 10 ms tell nothing."""
        a, b = self.start, self._snapshot()
        if not a or not b or b["wall"] - a["wall"] < 0.3 or a["cores"] != b["cores"]:
            return {"disturbed": False}
        d = {k: b[k] - a[k] for k in a}
        busy = d["wall"] * a["cores"] - d["idle"] - d["steal"]
        other = max(0.0, 100 * (busy - d["own"] - d["parent"]) / d["wall"])
        steal = max(0.0, 100 * d["steal"] / d["wall"])
        return {"other_cpu_percent": other, "steal_percent": steal, "disturbed": other > 10 or steal > 10}
