"""Batches that Python makes: arrays, pieces of them, a Sequence, and a loop of one's own."""
import time

import numpy as np

import worker_series


def fit(run):
    """An array of all windows is built before the first step."""
    run.clock.phase("build")
    x, y = np.array(run.views(np.float32)[:run.rows])[..., None], run.one_hot()
    run.built(x, y)
    run.fit_arrays(run.model(), x, y)


def fit_windows(run):
    """Sample numbers are fed, and the model cuts the windows. (As int32, up to 2,147,483,647 samples.)"""
    run.clock.phase("build")
    series, numbers, y = run.series.astype(np.float32), np.arange(run.rows, dtype=np.int32)[:, None], run.one_hot()
    run.built(series, numbers, y)
    run.fit_arrays(run.model(series), numbers, y)


def fit_chunked(run):
    """Pieces of the epoch are materialised in turn, and fit trains on each."""
    run.clock.phase("build")
    windows = run.views(np.float32)
    size = (run.plan.get("chunk_size") or 131072) // run.size * run.size or run.size
    run.record.piece, run.record.pieces = size // run.size, True

    def order(epoch):
        numbers = run.order(epoch)
        run.record.begin_epoch()  # before Keras does: building the first piece is part of the epoch
        return numbers

    pieces(run.model(), windows, run.labels, order, size, run.size, run.epochs, run.options)


def pieces(model, windows, labels, order, chunk_size, batch_size, epochs, options):
    # recipe: fit-chunked
    # One piece of the epoch after the other becomes an array, and fit trains on it: memory for `chunk_size` windows, not for all.
    # `windows`: numpy.lib.stride_tricks.sliding_window_view(series, window) of the float32 series, a view; `labels`: 0 or 1 [samples];
    # `order(epoch)`: the sample numbers, shuffled, as np.random.permutation(samples); `chunk_size`: a multiple of `batch_size`;
    # `options`: more arguments of fit, as {"verbose": 0}.
    for epoch in range(epochs):
        numbers = order(epoch)
        for at in range(0, len(numbers), chunk_size):
            piece = numbers[at:at + chunk_size]
            x = windows[piece][..., None]
            y = np.eye(2, dtype="float32")[labels[piece]]
            model.fit(x, y, batch_size=batch_size, shuffle=False, initial_epoch=epoch, epochs=epoch + 1, **options)
    # end recipe


def generator(run):
    """A Sequence, in the experiment's order: by fit or, where TensorFlow is older than 2.1, by fit_generator. Fit is called anew for
    each epoch, since versions differ in when, and how often, they tell a Sequence that one is over."""
    train_sequences(run, shuffle=False)


def fit_sequence(run):
    """fit on a Sequence, whose batches it shuffles, as it does by default."""
    train_sequences(run, shuffle=not run.parity)


def fit_sequence_unshuffled(run):
    """fit on a Sequence with shuffle=False: TensorFlow 2.0.0 holds all batches in a buffer to shuffle them, and here it does not."""
    train_sequences(run, shuffle=False)


def train_sequences(run, shuffle):
    ordered = run.package.tf is not None or run.plan["workers"] == 1
    if run.parity and not ordered:
        raise ValueError("cannot be ordered: Keras on %s takes the first batch before it trains, and with %d workers trains it last"
                         % (run.package.backend, run.plan["workers"]))
    order = run.order if ordered and not shuffle else run.whole_order
    run.clock.phase("build")
    batches, windows, model = sequence_type(run.package.keras), run.views(np.float64), run.model()
    queue = {"workers": run.plan["workers"], "max_queue_size": run.plan["queue_size"]}
    of_sequence, of_fit = ({}, queue) if run.package.legacy else (queue, {})
    train = model.fit
    if run.clock.mode == "generator" and run.package.legacy and run.package.release < (2, 1):
        train = model.fit_generator
    for epoch in range(run.epochs):
        sequence = batches(windows, run.labels, order(epoch), run.size, **of_sequence)
        train(sequence, shuffle=shuffle, **dict(run.only(epoch), **of_fit))


def sequence_type(keras):
    # recipe: generator
    # Batches are cut from the series when they are asked for, by one indexing each: memory for some batches only.
    # `windows`: numpy.lib.stride_tricks.sliding_window_view(series, window), a view; `labels`: 0 or 1 [samples]; `order`: the sample
    # numbers, shuffled, as np.random.permutation(samples); `options`: in Keras 3 workers and max_queue_size, in tf-keras none.
    class Batches(keras.utils.Sequence):
        def __init__(self, windows, labels, order, batch_size, **options):
            super().__init__(**options)
            self.windows, self.labels, self.order, self.batch_size = windows, labels, order, batch_size

        def __len__(self):
            return len(self.order) // self.batch_size

        def __getitem__(self, i):
            numbers = self.order[i * self.batch_size:(i + 1) * self.batch_size]
            return self.windows[numbers][..., None], np.eye(2)[self.labels[numbers]]

    # Then: model.fit(Batches(windows, labels, order, batch_size), epochs=epochs)
    # end recipe
    return Batches


def train_on_batch(run):
    """A loop of one's own builds each batch and hands it to train_on_batch."""
    run.clock.phase("build")
    windows, model = run.views(np.float64), run.model()
    run.built()
    for epoch in range(run.epochs):
        numbers = run.order(epoch)
        run.record.begin_epoch()
        model.reset_metrics()
        for at in range(0, len(numbers), run.size):
            began = time.monotonic()
            batch = numbers[at:at + run.size]
            x, y = windows[batch][..., None], worker_series.one_hot(run.labels[batch])
            wait = time.monotonic() - began
            loss, accuracy = model.train_on_batch(x, y)
            if at == run.size and not run.package.legacy and seen(model) <= run.size:
                run.record.take_as_own()
            run.record.executed({"loss": loss, "accuracy": accuracy}, wait)
        run.record.end_epoch()


def seen(model):
    """How many samples are in the loss that Keras 3 gave out: it takes running means over all calls in some versions, and one batch's in
    others."""
    return float(model.metrics[0].count)
