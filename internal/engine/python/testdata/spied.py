"""What the scripts beside it share: the worker's modules, and a job that is done by the worker's own clock while nobody listens.

Such a script is called with the worker's folder and an engine's name, reads jobs as a JSON list, and prints a line of JSON for each: what
the engine told of itself, and what the script's spies saw it do:
python_steps    in how many steps Python ran through the computation itself, as it does where nothing is compiled; some more or less
handed          what batches or arrays were handed over to be trained on, in words; each kind once
waits           how often JAX was waited for, with something to wait for, once a step had begun
threads         how many threads the library was limited to, null where to none"""
import json, os, sys

sys.path.insert(0, sys.argv[1])
import worker_clock, worker_main


class Parent:
    def tell(self, event, **fields):
        pass


class Clock(worker_clock.Clock):
    """The worker's, which keeps the steps of each piece whose making took time, too."""

    def __init__(self, job):
        super().__init__(Parent(), job)
        self.pieces = []

    def piece(self, seconds, steps):
        self.pieces += [steps] * (seconds > 0)
        super().piece(seconds, steps)


class Notes(dict):
    """What is seen of the run under way."""

    def clear(self):
        self.update(python_steps=0, handed=[], waits=0, threads=None, compile={})

    def hand(self, kind, *parts):
        """Notes the types of what is handed over."""
        words = " ".join([kind] * bool(kind) + [str(part.dtype).replace("torch.", "") for part in parts])
        self["handed"] += [words] * (words not in self["handed"])


def cores(threads):
    """How many cores this process may use; threads where the system does not tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else threads


def limited_jax(threads):
    """As many threads as JAX is limited to, None where its flags do not say that it is."""
    return cores(threads) if "intra_op_parallelism_threads=%d" % threads in os.environ.get("XLA_FLAGS", "") else None


def jobs():
    """Those to be done. The environment is made the worker's, so no framework may have been imported yet."""
    read = json.load(sys.stdin)
    worker_main.limit_threads(read[0]["plan"]["threads"])
    return read


def do_all(engine, jobs, notes, **more):
    """Has a module do the jobs."""
    for job in jobs:
        notes.clear()
        clock = Clock(job)
        failure = worker_main.train(engine, clock)
        run = clock.result(failure)
        told = {"failure": failure or "", "steps": run["steps"], "pieces": clock.pieces, "op_by_op": run.get("op_by_op", False)}
        print(json.dumps(dict(told, **dict(notes, **more))), flush=True)
