"""The record of a run: what is told while it trains, and the figures of docs/protocol.md at its end.

An engine calls, in this order: phases generate, build and model, and for each epoch begin_epoch, step_ended after each execution,
end_epoch. Done is raised by step_ended when all steps are done, so that a framework's own loop ends."""
import hashlib, itertools, math, time

import worker_meter

PROGRESS_SECONDS = 0.1
BLOCK_STEPS = 20  # of an engine whose steps go on after they return: after so many they are waited for,
BLOCK_SECONDS = 240  # or fewer, where they take that long: fitbench ends a run that is silent for longer
STEADY_CPU_SECONDS = 0.1  # systems book CPU time by ticks of up to 10 ms: of a shorter steady state its load is not known

# How batches come to be in each mode, where an engine does not tell otherwise.
FEEDS = {"fit": "array", "generator": "queue", "train-on-batch": "inline", "fit-windows": "windows", "pipeline": "pipeline",
         "pipeline-map-first": "pipeline", "fit-chunked": "chunks"}


class Done(Exception):
    """All steps of the run are done: no failure, but the way out of a framework's loop."""


class Clock:
    """The clock of one run, and its record.

    Attributes for engines: job, plan, mode, execution, at_once (steps an execution), total, steps; settle, to be set where steps go on
    after they return: a function that waits for all that were begun. Then the clock waits as seldom as a user's loop does, and times
    what it waits for as a block."""

    def __init__(self, parent, job):
        self.parent, self.job, self.plan = parent, job, job["plan"]
        self.mode, self.execution = job["cell"]["mode"], job["cell"]["execution"]
        self.at_once = job["cell"].get("steps_per_execution") or 1
        self.size = self.plan["batch_size"]
        self.per_epoch = self.plan["samples"] // self.size
        self.total = self.plan.get("steps", 0) or self.plan["epochs"] * self.per_epoch
        self.steady_from = min(100, self.total // 2)
        self.born = self.told = time.monotonic()
        self.steps, self.epochs, self.phases, self.times, self.waits = 0, [], {}, [], []
        self.start = self.end = self.steady = self.others = self.digest = self.last = None
        self.steady_cpu = self.steady_wall = 0.0
        self.first = self.peak = self.loss = None
        self.share = 0.0  # of a piece's making, that each of its steps bears
        self.settle, self.block = None, BLOCK_STEPS
        self.unlike = False  # what was begun is compiled anew, as the step that an engine sets it for: it is not steady
        self._nothing_begun()
        self.losses = []  # of each step, in a run for parity alone
        self.extra = {}
        self._phase = None

    # What an engine tells.

    def imported(self):
        """The framework is loaded: what it took is no part of the run's interval."""
        self.extra["import_seconds"] = time.monotonic() - self.born

    def phase(self, name):
        """A phase begins: generate, build, model, shuffle or train. The one before ends."""
        now = time.monotonic()
        self._close(now)
        self._phase = (name, now)
        if name == "build" and self.start is None:
            self.begin()
        self.parent.tell("phase", phase=name, step=self.steps, steps=self.total, elapsed_seconds=now - self.born)

    def need(self, values):
        """Refuses what cannot fit into memory before it is built: so many float32 values."""
        there = worker_meter.available_bytes()
        if there is not None and 4 * values > there:
            raise MemoryError("%s needs %.1f GB for its array, and %.1f GB are available" % (self.mode, 4e-9 * values, 1e-9 * there))

    def begin(self):
        """The interval that the record speaks of begins: the series is there."""
        self.others, self.start = worker_meter.Others(), (time.monotonic(), worker_meter.cpu_seconds())

    def begin_epoch(self):
        """The epoch's first batch is asked for now."""
        self.phase("train")
        self.epoch_began = self.last = time.monotonic()
        self.epoch_first = self.steps
        if self.steps >= self.steady_from and self.steady is None:
            self._begin_steady()
        self.last = time.monotonic()  # reading the meters is no part of the step that follows

    def piece(self, seconds, steps):
        """So many steps are trained on a piece whose making took so many seconds since the last flush, while nothing was trained: each
        bears its share. Else the median step would show nothing of it."""
        self.last += seconds
        self.share = seconds / steps

    def samples(self, order):
        """The sample numbers that are trained next, [n] int64. An engine that does not know them never calls this."""
        self.digest = self.digest or hashlib.sha256()
        self.digest.update(order.astype("<i8").tobytes())

    def step_ended(self, steps=1, wait=None, worked=None):
        """An execution of so many steps is done, or begun where there is settle; the wait for its batch took so many seconds. Worked is
        how many steps it did in truth, where the run ends within it. Raises Done after the last."""
        self.begun += steps
        self.worked += worked or steps
        if wait is not None:
            self.waited = (self.waited or 0.0) + wait
        at = self.counted()
        if (self.settle is None or self.steps == 0 or self.begun >= self.block or self.steps < self.steady_from <= at
                or at >= self.total):
            self.flush()

    def counted(self):
        """The steps that were told so far."""
        return self.steps + self.begun

    def flush(self):
        """Waits for what was begun, and keeps its times. The first execution, which traces and compiles, is no part of the steady state
        where it is several steps."""
        if not self.begun:
            return
        if self.settle is not None:
            self.settle()
        now = time.monotonic()
        took, steps = now - self.last, self.begun
        if self.steps == 0:
            self.first = took
        if self.steps >= self.steady_from and not self.unlike and (self.steps > 0 or self.at_once == 1):
            self.times += [took / self.worked + self.share] * steps
            if self.waited is not None:
                self.waits += [self.waited / self.worked + self.share] * steps
        self.steps += steps
        self.block = max(1, min(BLOCK_STEPS, int(BLOCK_SECONDS * self.worked / max(took, 1e-9))))
        self.unlike = False
        self._nothing_begun()
        if self.steady is None and self.steps >= self.steady_from:
            self._begin_steady()
        if now - self.told >= PROGRESS_SECONDS or self.steps in (steps, self.total):
            self.told = now
            self.parent.tell("progress", step=self.steps, steps=self.total, elapsed_seconds=now - self.born)
        self.last = time.monotonic()  # what was done here is no part of the step that follows
        if self.steps >= self.total:
            raise Done

    def _nothing_begun(self):
        self.begun, self.worked, self.waited = 0, 0, None

    def end_epoch(self, loss, accuracy):
        """The epoch is over, early where all steps are done; its running means, as the framework has them. None where it has none."""
        self.flush()
        now = time.monotonic()
        self._end_steady()
        self.loss = finite(loss)
        epoch = {"steps": self.steps - self.epoch_first, "wall_seconds": now - self.epoch_began,
                 "loss": self.loss or 0.0, "accuracy": min(max(finite(accuracy) or 0.0, 0.0), 1.0)}
        self.epochs.append(epoch)
        self.parent.tell("epoch", step=self.steps, steps=self.total, elapsed_seconds=now - self.born, epoch=epoch)
        self._close(now)
        self.end = (now, worker_meter.cpu_seconds())
        self._look_at_memory()

    # The record.

    def result(self, failure):
        """The run as docs/protocol.md describes it."""
        run = {"mode": self.mode, "execution": self.execution, "feed": FEEDS.get(self.mode, ""), "round": self.job["round"],
               "batch_size": self.size, "threads": self.plan["threads"], "steps": self.steps, "samples_trained": self.steps * self.size,
               "phases": self.phases, "epochs": self.epochs, "disturbed": False}
        if self.at_once > 1:
            run.update(steps_per_execution=self.at_once)
        run.update(self.extra)
        if self.start and self.end:
            run.update(self._interval())
        if self.times:
            run.update(steady_steps=len(self.times), step_milliseconds=1000 * median(self.times))
        if self.waits:
            run.update(input_wait_milliseconds=1000 * median(self.waits))
        if self.first is not None:
            run.update(first_step_seconds=self.first)
        if self.steady_wall >= STEADY_CPU_SECONDS:
            run.update(steady_cpu_percent=100 * self.steady_cpu / self.steady_wall)
        if self.digest:
            run.update(order_digest=self.digest.hexdigest())
        if self.epochs:
            run.update(accuracy=self.epochs[-1]["accuracy"])
        if self.loss is not None:  # one that is not finite is none, and not 0
            run.update(loss=self.loss)
        if self.losses:
            run.update(step_losses=list(itertools.takewhile(math.isfinite, map(float, self.losses))))
            told = len(run["step_losses"])
            if told < len(self.losses):  # which JSON cannot say
                failure = failure or "loss %d of the run is %s" % (told + 1, self.losses[told])
        self._look_at_memory()
        if self.peak:
            run.update(peak_rss_bytes=self.peak)
        if failure:
            run.update(error=failure)
        return run

    def _interval(self):
        (wall, cpu), (wall_end, cpu_end) = self.start, self.end
        user, system, wall = cpu_end[0] - cpu[0], cpu_end[1] - cpu[1], wall_end - wall
        found = {"wall_seconds": wall, "user_seconds": max(0.0, user), "system_seconds": max(0.0, system),
                 "cpu_percent": max(0.0, 100 * (user + system) / wall)}
        found.update(self.others.read())
        return found

    def _begin_steady(self):
        self.steady = (time.monotonic(), sum(worker_meter.cpu_seconds()))

    def _end_steady(self):
        if self.steady is not None:
            self.steady_wall += time.monotonic() - self.steady[0]
            self.steady_cpu += sum(worker_meter.cpu_seconds()) - self.steady[1]
            self.steady = None

    def _look_at_memory(self):
        """Also at the end of each epoch: a framework's own workers may be gone at the end of the run."""
        self.peak = max(self.peak or 0, worker_meter.peak_rss_bytes() or 0)

    def _close(self, now):
        if self._phase:
            name, began = self._phase
            self.phases[name] = self.phases.get(name, 0.0) + now - began
            self._phase = None


def finite(v):
    """v as a float, None where it is none or not finite."""
    if v is None:
        return None
    v = float(v)
    return v if math.isfinite(v) else None


def median(values):
    """That of the values, at least one."""
    v = sorted(values)
    return (v[(len(v) - 1) // 2] + v[len(v) // 2]) / 2
