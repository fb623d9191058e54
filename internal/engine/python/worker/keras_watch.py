"""What Keras tells while it trains, brought to the run's clock."""
import time


class Mean:
    """The mean of a figure over an epoch's steps, from what a version of Keras gives out: each batch's own value, or the running mean
    since a training of its own began (an epoch, or a piece of one). Running means are read once, when that training ends."""

    def __init__(self, own):
        self.own, self.sum, self.last, self.steps = own, 0.0, None, 0

    def add(self, value, steps):
        if self.own:
            self.sum += float(value) * steps
        else:
            self.last, self.steps = value, self.steps + steps

    def fold(self):
        """The running mean ends here, another may follow."""
        self.sum, self.last, self.steps = self.total(), None, 0

    def total(self):
        """The sum over all steps so far."""
        return self.sum + (float(self.last) * self.steps if self.last is not None else 0.0)


class Record:
    """An epoch's steps and means on their way to the clock.

    Own: which of "loss" and "accuracy" come as each batch's own. Piece: the steps that one training of Keras's has at most, an epoch's
    unless a mode cuts it."""

    def __init__(self, clock, own):
        self.clock, self.own = clock, own
        self.parity = clock.job.get("parity", False)
        self.execution = clock.at_once
        self.piece = clock.per_epoch
        self.handed = None  # steps of the epoch that a mode feeds, where it ends with the run
        self.pieces = False  # whether a mode makes them one after the other
        self.open = False

    def begin_epoch(self):
        """The epoch begins, unless it has: Keras takes each piece of fit-chunked for one."""
        if not self.open:
            self.loss, self.accuracy = Mean("loss" in self.own), Mean("accuracy" in self.own)
            self.open, self.done, self.before = True, 0, 0.0
            self.clock.begin_epoch()

    def begin_training(self):
        """Keras begins a training of its own: an epoch, or a piece of one that has been made until now."""
        self.begin_epoch()
        if self.pieces:
            steps = min(self.piece, self.clock.per_epoch - self.done, self.clock.total - self.clock.steps)
            self.clock.piece(time.monotonic() - self.clock.last, steps)

    def executed(self, logs, wait=None):
        """An execution is done, with fewer steps at the end of a piece. Where a run ends within one, the steps beyond its last are
        not counted."""
        worked = min(self.execution, self.piece - self.done % self.piece, (self.handed or self.clock.per_epoch) - self.done)
        steps = min(worked, self.clock.total - self.clock.counted())
        self.done, self.latest = self.done + steps, logs
        self.loss.add(logs["loss"], steps)
        self.accuracy.add(logs["accuracy"], steps)
        if self.parity:
            self.clock.losses.append(self.step_loss())
        self.clock.step_ended(steps, wait, worked)

    def step_loss(self):
        """The last step's own loss or, with several steps an execution, the running mean of the epoch's."""
        total, before = self.loss.total(), self.before
        self.before = total
        return total - before if self.execution == 1 else total / self.done

    def fold(self):
        """A training of Keras's is over, and its running means with it; the epoch, if that was its last."""
        self.clock.flush()  # before the next piece is made
        self.loss.fold()
        self.accuracy.fold()
        if self.done >= self.clock.per_epoch:
            self.end_epoch()

    def take_as_own(self):
        """The figures turned out to be each batch's own, before a second one came."""
        self.own = ("loss", "accuracy")
        self.loss.own = self.accuracy.own = True

    def end_epoch(self):
        """The epoch is over, early where the run is."""
        if self.open:
            self.open = False
            self.clock.end_epoch(self.loss.total() / max(self.done, 1), self.accuracy.total() / max(self.done, 1))


def callbacks(package, record, model):
    """What fit takes as callbacks, so that the record is told of each execution. JAX only begins a step when it is called: the clock is
    told how to wait for it.

    In Keras 3 it is the whole list of callbacks: one that is merely in the list makes Keras wait for each step's figures, and read them,
    which it leaves to another thread in a fit without callbacks. Legacy versions read none for a callback that says so."""
    if package.jax and not record.parity:
        record.clock.settle = lambda: package.jax.block_until_ready(record.latest)
    base = package.keras.callbacks.Callback if package.legacy else package.keras.callbacks.CallbackList

    class Watch(base):
        _supports_tf_logs = True

        def on_epoch_begin(self, epoch, logs=None):
            super().on_epoch_begin(epoch, logs)
            record.begin_training()

        def on_train_batch_end(self, batch, logs=None):
            super().on_train_batch_end(batch, logs)
            record.executed(logs)

        def on_epoch_end(self, epoch, logs=None):
            super().on_epoch_end(epoch, logs)
            record.fold()

    return [Watch()] if package.legacy else Watch(add_history=True, model=model)
