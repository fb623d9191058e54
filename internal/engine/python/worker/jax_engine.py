"""JAX as an engine, without a library on top of it: a training loop as its users write it.

@compiled is jax.jit of the whole step: what cuts the windows, forward and backward pass, Adam; several steps in an execution are a
jax.lax.scan, and an epoch's last execution is compiled anew where it is shorter. @eager is the same function called without jit, one
step at a time: operation by operation, as one has it who forgot jit. (jax_disable_jit, made for debugging, is slower still: it takes
apart jax.numpy's own functions too.)

JAX returns before the work is done, and a user's loop goes on meanwhile: to the next batch, and to the next call. So does this one. The
clock waits for the first step, and then after each block of steps, of which each has its part (worker_clock.BLOCK_STEPS)."""
import concurrent.futures, functools, os

import jax
import jax.numpy as jnp
import numpy as np

import jax_feeds, jax_model, worker_loop, worker_series

CELLS = (
    "fit@compiled",
    "fit@eager",
    "generator@compiled",
    "generator@eager",
    "train-on-batch@compiled",
    "train-on-batch@eager",
    "fit-windows@compiled",
    "fit-windows@eager",
    "pipeline@compiled",
    "pipeline@eager",
    "fit-chunked@compiled",
    "fit-chunked@eager",
)

SEVERAL = (
    "fit@compiled",
    "generator@compiled",
    "fit-windows@compiled",
    "pipeline@compiled",
)


def describe(name):
    """The versions. No device has been asked for yet: see limit_threads."""
    return "JAX " + jax.__version__


def train(clock):
    """Does the clock's job."""
    cores = limit_threads(clock.plan["threads"])
    jax.config.update("jax_platforms", "cpu")  # the question is about CPUs
    jax.devices()  # makes JAX's threads, on the cores that they may have
    clock.phase("generate")
    series, labels = worker_series.generate(clock.plan)
    clock.phase("build")
    mode = MODES[clock.mode](clock, series, labels, cores)
    clock.phase("model")
    mode.build(clock.job.get("initial_weights"))
    if not clock.job.get("parity"):
        clock.settle = lambda: jax.block_until_ready((mode.state, mode.last))
    worker_loop.train(clock, mode)


def limit_threads(threads):
    """Keeps JAX to so many threads: it reads the variables when it makes its threads. Where there are more cores, only a process that
    may not use them holds its threads to it; threads that are made later have the limit too. Returns the cores that there were, None
    where the system does not tell."""
    flags = "--xla_cpu_multi_thread_eigen=true intra_op_parallelism_threads=%d" % threads
    os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") + " " + flags).strip()
    os.environ["NPROC"] = str(threads)
    if not hasattr(os, "sched_setaffinity"):
        return None
    cores = os.sched_getaffinity(0)
    if threads < len(cores):
        os.sched_setaffinity(0, sorted(cores)[:threads])
    return cores


class Mode:
    """What all modes have in common; see worker_loop. A mode keeps in __init__ what it needs of the series, float64 [N + window - 1]
    with its beginning repeated after its end, and of the labels, uint8 [N]: making it is the phase "build"."""

    ordered = True
    piece = 0

    def __init__(self, clock, series, labels, cores):
        self.clock, self.plan, self.window, self.size, self.cores = clock, clock.plan, clock.plan["window"], clock.size, cores
        self.compiled = clock.execution == "compiled"
        self.execution = clock.at_once
        self.source = ()  # arrays on the device that each step has besides its batch

    def keep(self, *arrays):
        """Tells how much the mode keeps for its feed. Returns the arrays."""
        self.clock.extra["feed_bytes"] = sum(a.nbytes for a in arrays)
        return arrays

    def prepare(self, source, *batch):
        """The first part of a step: a batch as the feed has it to x and y as the network takes them."""
        return batch

    def build(self, path):
        weights = worker_series.split_weights(np.load(path), self.window) if path else None

        def step(source, state, *batch):
            return jax_model.train_step(state, *self.prepare(source, *batch))

        def run(state, source, batch):
            one = functools.partial(step, source)
            return (jax_feeds.several_steps(one) if self.execution > 1 else one)(state, *batch)

        self.state = jax_model.start(self.plan, weights)
        self.run = jax.jit(run, donate_argnums=0) if self.compiled else run

    def begin(self):
        self.state = self.state[:-1] + (jnp.zeros(2),)
        self.steps = 0

    def batches(self, epoch, order):
        for batch in self.feed(order.astype(np.int32)):
            self.steps += self.within(batch)
            yield self.within(batch), batch

    def within(self, batch):
        """How many steps a batch of the feed's is."""
        return len(batch[-1]) if self.execution > 1 else 1

    def numbers(self, order):
        """The sample numbers of each execution: [batch size] or, of several steps, [steps][batch size]; the last may be shorter."""
        for at in range(0, len(order), self.execution * self.size):
            numbers = order[at:at + self.execution * self.size]
            yield numbers.reshape(-1, self.size) if self.execution > 1 else numbers

    def step(self, batch):
        self.state, self.last = self.run(self.state, self.source, batch)

    def loss(self, steps):
        return self.last if self.execution == 1 else self.means()[0]

    def means(self):
        loss, right = np.asarray(self.state[-1]).tolist()
        return loss / max(self.steps, 1), right / max(self.steps * self.size, 1)


class Fit(Mode):
    """The order of the rows is the loop's own to choose: it is the experiment's."""

    def __init__(self, clock, series, labels, cores):
        super().__init__(clock, series, labels, cores)
        rows = worker_series.windows(series.astype(np.float32), self.window)
        clock.need(rows.size)
        self.source = jax.block_until_ready(self.keep(jnp.asarray(np.array(rows)), jnp.asarray(labels)))

    def prepare(self, source, numbers):
        return jax_feeds.take_rows(*source, numbers)

    def feed(self, order):
        return ((numbers,) for numbers in self.numbers(order))


class FitWindows(Fit):
    def __init__(self, clock, series, labels, cores):
        Mode.__init__(self, clock, series, labels, cores)
        self.source = self.keep(jnp.asarray(series.astype(np.float32)), jnp.asarray(labels))

    def prepare(self, source, numbers):
        return jax_feeds.gather(*source, self.window, numbers)


class TrainOnBatch(Mode):
    def __init__(self, clock, series, labels, cores):
        super().__init__(clock, series, labels, cores)
        self.keep()
        self.windows, self.labels = worker_series.windows(series, self.window), labels

    def feed(self, order):
        return jax_feeds.built_batches(self.windows, self.labels, order, self.size)


class Pipeline(Mode):
    """Batches that threads build. They are no part of the step: they may use all cores."""

    dtype = np.float32

    def __init__(self, clock, series, labels, cores):
        super().__init__(clock, series, labels, cores)
        kept = series.astype(self.dtype, copy=False)
        self.keep(*[kept] * (kept is not series))
        self.windows, self.labels = worker_series.windows(kept, self.window), labels

        def free():
            if cores:
                os.sched_setaffinity(0, cores)  # of the calling thread

        self.pool = concurrent.futures.ThreadPoolExecutor(self.plan["workers"], initializer=free)

    def made(self, numbers):
        return self.windows[numbers], self.labels[numbers]

    def feed(self, order):
        return jax_feeds.queued_batches(self.pool, self.made, self.numbers(order), self.plan["queue_size"])


class Generator(Pipeline):
    dtype = np.float64

    def made(self, numbers):
        return self.windows[numbers][..., None], np.eye(2)[self.labels[numbers]]


class FitChunked(Mode):
    def __init__(self, clock, series, labels, cores):
        super().__init__(clock, series, labels, cores)
        kept, = self.keep(series.astype(np.float32))
        self.windows, self.labels = worker_series.windows(kept, self.window), labels
        self.piece = max((self.plan.get("chunk_size") or 131072) // self.size, 1)

    def feed(self, order):
        return jax_feeds.chunked_batches(self.windows, self.labels, order, self.piece * self.size, self.size,
                                         worker_loop.timed(self, jax_feeds.rows_of))


MODES = {"fit": Fit, "generator": Generator, "train-on-batch": TrainOnBatch, "fit-windows": FitWindows, "pipeline": Pipeline,
         "fit-chunked": FitChunked}
