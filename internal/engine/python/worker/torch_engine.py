"""PyTorch as an engine: a training loop as its users write it.

@eager is PyTorch as it is, @compiled is torch.compile of the whole step: what cuts the windows, forward and backward pass, Adam. That
needs a C++ compiler. What torch.compile built is kept in PyTorch's own cache on the disk, so that only the first run of a step on a
machine pays in full. PyTorch's operations on a CPU are done when they return: a step's time is its own."""
import multiprocessing, os

import numpy as np
import torch

import torch_feeds, torch_model, worker_loop, worker_series

CELLS = (
    "fit@eager",
    "fit@compiled",
    "generator@eager",
    "generator@compiled",
    "train-on-batch@eager",
    "train-on-batch@compiled",
    "fit-windows@eager",
    "fit-windows@compiled",
    "pipeline@eager",
    "pipeline@compiled",
    "fit-chunked@eager",
    "fit-chunked@compiled",
)


def describe(name):
    """The versions."""
    torch.optim.Adam([torch.zeros(1, requires_grad=True)])  # PyTorch loads its compiler with the first one: part of the import
    return "PyTorch " + torch.__version__


def train(clock):
    """Does the clock's job. PyTorch runs each step by itself, whatever steps_per_execution the plan has."""
    plan = clock.plan
    torch.set_num_threads(plan["threads"])
    torch.set_num_interop_threads(1)
    clock.phase("generate")
    series, labels = worker_series.generate(plan)
    clock.phase("build")
    mode = MODES[clock.mode](clock, series, labels)
    clock.phase("model")
    mode.build(torch_model.network(plan, clock.job.get("initial_weights")))
    worker_loop.train(clock, mode)


class Mode:
    """What all modes have in common; see worker_loop. A mode keeps in __init__ what it needs of the series, float64 [N + window - 1]
    with its beginning repeated after its end, and of the labels, uint8 [N]: making it is the phase "build"."""

    ordered = True
    piece = 0

    def __init__(self, clock, series, labels):
        self.clock, self.plan, self.window, self.size = clock, clock.plan, clock.plan["window"], clock.size

    def keep(self, *kept):
        """Tells how much the mode keeps for its feed. Returns the tensors."""
        self.clock.extra["feed_bytes"] = sum(t.numel() * t.element_size() for t in kept)
        return kept

    def prepare(self, x, y):
        """The first part of a step: a batch as the feed has it to x and y as the network takes them."""
        return x, y

    def build(self, model):
        optimizer, sums = torch_model.adam(model), torch.zeros(2)

        def step(*batch):
            loss, right = torch_model.train_step(model, optimizer, *self.prepare(*batch))
            sums.add_(torch.stack((loss, right)))
            return loss

        self.sums, self.run = sums, step
        if self.clock.execution == "compiled":
            self.run = torch.compile(step)

    def begin(self):
        self.sums.zero_()
        self.steps = 0

    def batches(self, epoch, order):
        for batch in self.feed(order):
            yield 1, batch

    def step(self, batch):
        self.last = self.run(*batch)
        self.steps += 1

    def loss(self, steps):
        return self.last.item()

    def means(self):
        loss, right = self.sums.tolist()
        return loss / max(self.steps, 1), right / max(self.steps * self.size, 1)


class Fit(Mode):
    """For parity the array's rows are put in the epoch's order, since the loader's own shuffling is its own."""

    def __init__(self, clock, series, labels):
        super().__init__(clock, series, labels)
        self.ordered = clock.job.get("parity", False)
        self.windows, self.labels = worker_series.windows(series, self.window), labels
        if not self.ordered:
            clock.need(self.windows.size)
            self.loader = torch_feeds.array_loader(self.windows, labels, self.size)
            self.keep(*self.loader.dataset.tensors)

    def feed(self, order):
        if self.ordered:
            return torch_feeds.array_loader(self.windows[order], self.labels[order], self.size, shuffle=False)
        return self.loader


class Generator(Mode):
    def __init__(self, clock, series, labels):
        super().__init__(clock, series, labels)
        need_fork(clock.mode)
        self.keep()
        self.series, self.labels = series, labels

    def prepare(self, x, y):
        return x.float(), y.float()

    def feed(self, order):
        return torch_feeds.sample_loader(self.series, self.labels, self.window, order.tolist(), self.size, *queue(self.plan))


class TrainOnBatch(Mode):
    def __init__(self, clock, series, labels):
        super().__init__(clock, series, labels)
        self.keep()
        self.windows, self.labels = worker_series.windows(series, self.window), labels

    def prepare(self, x, y):
        return x.float(), y.float()

    def feed(self, order):
        return torch_feeds.built_batches(self.windows, self.labels, order, self.size)


class FitWindows(Mode):
    def __init__(self, clock, series, labels):
        super().__init__(clock, series, labels)
        self.series, self.labels = self.keep(*tensors(series, labels))

    def prepare(self, numbers):
        return torch_feeds.gather(self.series, self.labels, self.window, numbers)

    def feed(self, order):
        return ((numbers,) for numbers in torch.from_numpy(order).split(self.size))


class Pipeline(Mode):
    def __init__(self, clock, series, labels):
        super().__init__(clock, series, labels)
        need_fork(clock.mode)
        self.series, self.labels = self.keep(*tensors(series, labels))

    def feed(self, order):
        return torch_feeds.batch_loader(self.series, self.labels, self.window, order.tolist(), self.size, *queue(self.plan))


class FitChunked(Mode):
    def __init__(self, clock, series, labels):
        super().__init__(clock, series, labels)
        kept, = self.keep(torch.from_numpy(series.astype(np.float32)))
        self.windows, self.labels = worker_series.windows(kept.numpy(), self.window), labels
        self.piece = max((self.plan.get("chunk_size") or 131072) // self.size, 1)

    def feed(self, order):
        return torch_feeds.chunked_batches(self.windows, self.labels, order, self.piece * self.size, self.size,
                                           worker_loop.timed(self, torch_feeds.rows_of))


MODES = {"fit": Fit, "generator": Generator, "train-on-batch": TrainOnBatch, "fit-windows": FitWindows, "pipeline": Pipeline,
         "fit-chunked": FitChunked}


def tensors(series, labels):
    """As tensors, float32 and int64."""
    return torch.from_numpy(series.astype(np.float32)), torch.from_numpy(labels.astype(np.int64))


def queue(plan):
    """How many worker processes a loader has, and how many batches they may be ahead."""
    return plan["workers"], plan["queue_size"]


def need_fork(mode):
    if "fork" not in multiprocessing.get_all_start_methods():
        raise RuntimeError("%s needs worker processes that are forked, which this system does not have" % mode)
