"""The training loop of the engines whose users write their own: PyTorch and JAX."""
import itertools, time

import worker_clock, worker_series


def train(clock, mode):
    """Trains all epochs of clock's run in a mode, an object with
    ordered                  whether it trains the samples in the experiment's order, of which the clock is told then
    begin()                  an epoch begins: the means start anew
    batches(epoch, order)    a generator of (steps, batch); order is [steps x batch size] int64, the samples that the epoch trains
    step(batch)              trains on it, and returns when that is done or, where the clock has settle, begun
    loss(steps)              the loss of the step just done or, of several at a time, the epoch's running mean; asked for in parity alone
    means()                  (loss, accuracy) over the epoch's steps so far
    piece                    how many steps the feed makes the batches of at once, while nothing is trained; 0 where it makes each by itself
    piece_seconds            how many seconds the last piece took to make, where there are pieces
    """
    sizes = set()
    for epoch in itertools.count():
        steps = min(clock.per_epoch, clock.total - clock.steps)
        clock.phase("shuffle")
        order = worker_series.order(clock.plan, epoch)[:steps * clock.size]
        if mode.ordered:
            clock.samples(order)
        mode.begin()
        clock.begin_epoch()
        batches = mode.batches(epoch, order)
        try:
            _epoch(clock, mode, batches, sizes)
        except worker_clock.Done:
            clock.end_epoch(*mode.means())  # before the feed's workers are ended: they are part of what is metered
            raise
        finally:
            batches.close()
        clock.end_epoch(*mode.means())


def _epoch(clock, mode, batches, sizes):
    """Sizes are the executions' so far, in steps: one of another size is compiled anew."""
    parity, done = clock.job.get("parity", False), 0
    while True:
        begins = mode.piece and done % mode.piece == 0
        if begins:
            clock.flush()
        asked = time.monotonic()
        steps, batch = next(batches, (0, None))
        wait = time.monotonic() - asked
        if not steps:
            return
        if begins:
            clock.piece(mode.piece_seconds, min(mode.piece, clock.per_epoch - done, clock.total - clock.steps))
            wait -= mode.piece_seconds
        if steps not in sizes:
            clock.flush()
            clock.unlike = len(sizes) > 0
            sizes.add(steps)
        mode.step(batch)
        if parity:
            clock.losses.append(mode.loss(steps))
        done += steps
        clock.step_ended(steps, wait)
        if clock.unlike:
            clock.flush()


def timed(mode, make):
    """make, with the seconds that it takes kept as mode.piece_seconds."""
    def timed_make(*args):
        began = time.monotonic()
        made = make(*args)
        mode.piece_seconds = time.monotonic() - began
        return made

    return timed_make
