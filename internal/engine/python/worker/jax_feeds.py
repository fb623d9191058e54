"""Ways for batches to reach a training step in JAX, as users write them. Their train_step(state, x, y) returns (next state, loss)."""
import collections, itertools

import jax
import jax.numpy as jnp
import numpy as np


# recipe: fit
# An array of all windows lies on the device, a batch is sample numbers, and the compiled step takes its rows.
# windows: numpy.lib.stride_tricks.sliding_window_view(series, window), a view [samples][window]; labels: class numbers [samples];
# numbers: [batch_size] of the samples, shuffled anew each epoch; train_step(state, x, y): yours, it returns the next state and the loss.
# Once:       rows, classes = jnp.asarray(windows, jnp.float32), jnp.asarray(labels)
#             step = jax.jit(lambda state, rows, classes, numbers: train_step(state, *take_rows(rows, classes, numbers)),
#                            donate_argnums=0)    # a state is used up by the step that it is given to
# Each batch: state, loss = step(state, rows, classes, numbers)    # x: [batch_size][window], y: [batch_size]
# (Arrays that a jitted function merely closes over become a part of the compiled program: hand them over as arguments.)
def take_rows(rows, classes, numbers):
    return rows[numbers], classes[numbers]
# end recipe


# recipe: fit-windows
# The series lies on the device, a batch is sample numbers, and the compiled step gathers its windows.
# series: float32 [samples + window - 1]; classes: the labels [samples], both by jnp.asarray; train_step(state, x, y): yours,
# it returns the next state and the loss; numbers: [batch_size] of the samples, shuffled anew each epoch.
# Once:       step = jax.jit(lambda state, series, classes, numbers: train_step(state, *gather(series, classes, window, numbers)),
#                            donate_argnums=0)    # a state is used up by the step that it is given to
# Each batch: state, loss = step(state, series, classes, numbers)    # x: [batch_size][window], y: [batch_size]
def gather(series, classes, window, numbers):
    places = numbers[:, None] + jnp.arange(window)  # [batch_size][window]
    return series[places], classes[numbers]
# end recipe


# recipe: train-on-batch
# The training loop builds each batch itself with NumPy, between two steps, and hands over float64.
# windows: numpy.lib.stride_tricks.sliding_window_view(series, window), a view [samples][window]; labels: class numbers [samples];
# order: the samples, shuffled anew each epoch; train_step(state, x, y): yours, it returns the next state and the loss.
# Once:       step = jax.jit(train_step, donate_argnums=0)    # a state is used up by the step that it is given to
# Each epoch: for x, y in built_batches(windows, labels, order, batch_size): state, loss = step(state, x, y)
#             x: [batch_size][window][1], y: one-hot [batch_size][2], of which JAX makes float32
def built_batches(windows, labels, order, batch_size):
    for at in range(0, len(order) - batch_size + 1, batch_size):
        numbers = order[at:at + batch_size]
        x = windows[numbers][:, :, None]
        y = np.eye(2)[labels[numbers]]
        yield x, y
# end recipe


# recipe: generator, pipeline
# Threads build the batches in order, beside the training and at most queue_size ahead of it.
# pool: concurrent.futures.ThreadPoolExecutor(workers); batches: arrays of batch_size sample numbers, as order.reshape(-1, batch_size)
# of whole batches, shuffled anew each epoch; build(numbers) makes a batch, as
#     lambda numbers: (windows[numbers], labels[numbers])    # generator as it is mostly written: of a float64 series; pipeline: float32
# where windows is numpy.lib.stride_tricks.sliding_window_view(series, window), a view [samples][window]; labels: class numbers;
# train_step(state, x, y): yours, it returns the next state and the loss.
# Once:       step = jax.jit(train_step, donate_argnums=0)    # a state is used up by the step that it is given to
# Each epoch: for x, y in queued_batches(pool, build, batches): state, loss = step(state, x, y)
def queued_batches(pool, build, batches, queue_size=10):
    batches = iter(batches)
    queue = collections.deque(pool.submit(build, numbers) for numbers in itertools.islice(batches, queue_size))
    try:
        while queue:
            batch = queue.popleft().result()
            queue.extend(pool.submit(build, numbers) for numbers in itertools.islice(batches, 1))
            yield batch
    finally:
        for left in queue:
            left.cancel()
# end recipe


# recipe: several-steps
# Several steps in one call: what a call costs is paid once for all of them.
# x: [steps][batch_size][window], y: [steps][batch_size], gathered in threads as in the recipe "generator", for so many steps at a time:
#     x, y = windows[numbers], labels[numbers]    # numbers: [steps][batch_size]
# where windows is numpy.lib.stride_tricks.sliding_window_view(series.astype("float32"), window); labels: class numbers;
# train_step(state, x, y): yours, it returns the next state and the loss.
# Once:       steps = jax.jit(several_steps(train_step), donate_argnums=0)    # a state is used up by the call that it is given to
# Each time:  state, losses = steps(state, x, y)
def several_steps(step):
    def steps(state, *batches):
        return jax.lax.scan(lambda state, batch: step(state, *batch), state, batches)

    return steps
# end recipe


# recipe: fit-chunked
# One piece of the epoch after the other becomes an array: memory for chunk_size windows, not for all.
# windows: numpy.lib.stride_tricks.sliding_window_view(series, window) of the float32 series, a view [samples][window]; labels: class
# numbers [samples]; order: the samples, shuffled anew each epoch; chunk_size: a multiple of batch_size;
# train_step(state, x, y): yours, it returns the next state and the loss.
# Once:       step = jax.jit(train_step, donate_argnums=0)    # a state is used up by the step that it is given to
# Each epoch: for x, y in chunked_batches(windows, labels, order, chunk_size, batch_size): state, loss = step(state, x, y)
#             x: float32 [batch_size][window], y: [batch_size]
def rows_of(windows, labels, numbers):
    return windows[numbers], labels[numbers]


def chunked_batches(windows, labels, order, chunk_size, batch_size, rows_of=rows_of):
    for at in range(0, len(order), chunk_size):
        rows, classes = rows_of(windows, labels, order[at:at + chunk_size])
        for i in range(0, len(rows) - batch_size + 1, batch_size):
            yield rows[i:i + batch_size], classes[i:i + batch_size]
# end recipe
