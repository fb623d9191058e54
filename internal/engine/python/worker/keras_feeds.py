"""Batches that Python makes: arrays, pieces of them, a Sequence, and a loop of one's own."""
import time

import numpy as np


def fit(run):
    """An array of all windows is built before the first step."""
    run.clock.phase("build")
    run.clock.need(run.rows * run.window)
    x, y = arrays(run.views(np.float32)[:run.rows], run.labels[:run.rows])
    run.built(x, y)
    run.fit_arrays(run.model(), x, y)


def arrays(windows, labels):
    # recipe: fit
    # An array of all windows is built before the first step: simple, at samples x window x 4 bytes.
    # `windows`: np.lib.stride_tricks.sliding_window_view(series, window), a view [samples, window] (before NumPy 1.20:
    # as_strided(series, (samples, window), series.strides * 2) from there); `labels`: integers 0 or 1 [samples].
    x = np.array(windows, dtype="float32")[..., None]  # [samples, window, 1]
    y = np.eye(2, dtype="float32")[labels]  # one-hot [samples, 2]

    # Then: model.fit(x, y, batch_size=batch_size, epochs=epochs), with loss="categorical_crossentropy".
    # It takes the samples in another order each epoch; with shuffle=False as they are.
    # end recipe
    return x, y


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
    # `windows`: np.lib.stride_tricks.sliding_window_view(series, window) of the float32 series, a view [samples, window] (before NumPy
    # 1.20: as_strided(series, (samples, window), series.strides * 2) from there); `labels`: integers 0 or 1 [samples];
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
    # Keras 3 takes each batch between two steps where there is but one worker; legacy versions have a queue then too.
    run.clock.extra["feed"] = "queue" if run.package.legacy or run.plan["workers"] > 1 else "sequence"
    of_sequence, of_fit = ({}, queue) if run.package.legacy else (queue, {})
    train = model.fit
    if run.clock.mode == "generator" and run.package.legacy and run.package.release < (2, 1):
        train = model.fit_generator
    for epoch in range(run.epochs):
        sequence = batches(windows, run.labels, order(epoch), run.size, **of_sequence)
        train(sequence, shuffle=shuffle, **dict(run.only(epoch), **of_fit))


def sequence_type(keras):
    # recipe: generator, fit-sequence, fit-sequence-unshuffled
    # A Sequence cuts each batch from the series when fit asks for it, by one indexing: memory for some batches only.
    # `windows`: np.lib.stride_tricks.sliding_window_view(series, window), a view [samples, window] (before NumPy 1.20:
    # as_strided(series, (samples, window), series.strides * 2) from there); `labels`: integers 0 or 1 [samples]; `order`: the sample
    # numbers, shuffled, as np.random.permutation(samples); `options`: in Keras 3 workers and max_queue_size.
    class Batches(keras.utils.Sequence):
        def __init__(self, windows, labels, order, batch_size, **options):
            super().__init__(**options)
            self.windows, self.labels, self.order, self.batch_size = windows, labels, order, batch_size

        def __len__(self):
            return len(self.order) // self.batch_size

        def __getitem__(self, i):
            numbers = self.order[i * self.batch_size:(i + 1) * self.batch_size]
            return self.windows[numbers][..., None], np.eye(2)[self.labels[numbers]]

    # Then, for epoch in range(epochs), with an order of its own each:
    #     model.fit(Batches(windows, labels, order, batch_size), shuffle=False, initial_epoch=epoch, epochs=epoch + 1)
    # This is generator and fit-sequence-unshuffled; fit-sequence leaves out shuffle=False, and fit shuffles the batches as wholes.
    # In tf-keras workers and max_queue_size are arguments of fit. Before TensorFlow 2.1 generator is model.fit_generator instead of
    # model.fit, which runs op by op; and fit shuffles there in a buffer that holds a whole epoch's batches, so shuffle=False is lean.
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
        began = time.monotonic()
        for x, y in built_batches(windows, run.labels, numbers, run.size):
            wait = time.monotonic() - began
            loss, accuracy = model.train_on_batch(x, y)
            if run.record.done == 1 and not run.package.legacy and seen(model) <= run.size:
                run.record.take_as_own()
            run.record.executed({"loss": loss, "accuracy": accuracy}, wait)
            began = time.monotonic()
        run.record.end_epoch()


# recipe: train-on-batch
# The training loop builds each batch itself with NumPy, between two steps, and hands it over as float64.
# `windows`: np.lib.stride_tricks.sliding_window_view(series, window), a view [samples, window] (before NumPy 1.20:
# as_strided(series, (samples, window), series.strides * 2) from there); `labels`: integers 0 or 1 [samples]; `order`: the sample
# numbers, shuffled anew each epoch, as np.random.permutation(samples).
# Each epoch: model.reset_metrics()
#             for x, y in built_batches(windows, labels, order, batch_size):
#                 loss, accuracy = model.train_on_batch(x, y)    # where compile has metrics=["accuracy"]
# Both are the batch's own in tf-keras; in some versions of Keras 3 they are running means since reset_metrics.
# TensorFlow 2.0.0 runs train_on_batch op by op. fit on pieces of an epoch runs compiled steps, see the recipe "fit-chunked".
def built_batches(windows, labels, order, batch_size):
    for at in range(0, len(order) - batch_size + 1, batch_size):
        numbers = order[at:at + batch_size]
        x = windows[numbers][..., None]
        y = np.eye(2)[labels[numbers]]
        yield x, y
# end recipe


def seen(model):
    """How many samples are in the loss that Keras 3 gave out: it takes running means over all calls in some versions, and one batch's in
    others."""
    return float(model.metrics[0].count)
