"""meter.py WORKER: asks worker_meter about made-up machines. A case, of a JSON list on standard input: files (path: text), own and ended
(CPU seconds as [user, system], of this process and of its ended children), later (what is otherwise when it is asked again) and seconds
(until then). Prints for each what the meter says, as JSON."""
import json, sys, types

sys.path.insert(0, sys.argv[1])
import worker_meter


class Machine:
    """It is in the place of os, time and resource; this process is 100, and its parent 50."""

    RUSAGE_SELF, RUSAGE_CHILDREN = "own", "ended"

    def __init__(self, case):
        self.now, self.case = 1000.0, case

    def text(self, path):
        return self.case["files"].get(path)

    def listdir(self, path):
        return ["self", "stat"] + sorted({name.split("/")[2] for name in self.case["files"] if name.split("/")[2].isdigit()})

    def getpid(self):
        return 100

    def getppid(self):
        return 50

    def monotonic(self):
        return self.now

    def getrusage(self, who):
        user, system = self.case[who]
        return types.SimpleNamespace(ru_utime=user, ru_stime=system, ru_maxrss=1)

    def times(self):
        (user, system), (ended_user, ended_system) = self.case["own"], self.case["ended"]
        return types.SimpleNamespace(user=user, system=system, children_user=ended_user, children_system=ended_system)


def asked(case):
    machine = Machine(case)
    worker_meter.os = worker_meter.time = worker_meter.resource = machine
    worker_meter._text, worker_meter.TICK = machine.text, 100
    seen = {"cpu": worker_meter.cpu_seconds(), "peak": worker_meter.peak_rss_bytes()}
    worker_meter.resource = None  # as on Windows
    seen["cpu_without_resource"] = worker_meter.cpu_seconds()
    worker_meter.resource = machine
    others = worker_meter.Others()
    later = case["later"]
    machine.case, machine.now = dict(case, **dict(later, files=dict(case["files"], **later.get("files", {})))), machine.now + case["seconds"]
    return dict(seen, others=others.read())


print(json.dumps([asked(case) for case in json.load(sys.stdin)]))
