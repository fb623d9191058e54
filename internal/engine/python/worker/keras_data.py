"""Batches that tf.data makes beside the training."""
import numpy as np

import keras_package


def pipeline(run):
    """Batches of sample numbers, and one gather for each."""
    tf, series, y = begin(run)
    by_batch(tf, run.model(), series, y, run.order, run.window, run.size, run.epochs, run.options)


def by_batch(tf, model, series, labels, order, window, batch_size, epochs, options):
    # recipe: pipeline
    # tf.data over batches of sample numbers, one gather for a whole batch: `import tensorflow as tf`, also for other backends.
    # `series`: float32 [samples + window - 1]; sample i is its `window` values from i on; `labels`: one-hot float32 [samples, 2];
    # `order(epoch)`: the sample numbers, shuffled, as np.random.permutation(samples); `options`: more arguments of fit, as {"verbose": 0}.
    # `model` may be compiled with steps_per_execution=16 (since TensorFlow 2.4; not on torch), which runs so many steps in one call.
    series_tensor, label_tensor, offsets = tf.constant(series), tf.constant(labels), tf.range(window, dtype=tf.int64)

    def gather(numbers):
        return tf.gather(series_tensor, numbers[:, None] + offsets)[..., None], tf.gather(label_tensor, numbers)

    for epoch in range(epochs):
        numbers = order(epoch)
        steps = len(numbers) // batch_size
        batches = numbers[:steps * batch_size].reshape(steps, batch_size).astype("int64")
        dataset = tf.data.Dataset.from_tensor_slices(batches)
        dataset = dataset.map(gather, num_parallel_calls=tf.data.experimental.AUTOTUNE).prefetch(tf.data.experimental.AUTOTUNE)
        model.fit(dataset, shuffle=False, initial_epoch=epoch, epochs=epoch + 1, **options)
    # end recipe


def pipeline_map_first(run):
    """A window is cut for each sample, and batches are made of them."""
    tf, series, y = begin(run)
    by_sample(tf, run.model(), series, y, run.order, run.window, run.size, run.epochs, run.options)


def by_sample(tf, model, series, labels, order, window, batch_size, epochs, options):
    # recipe: pipeline-map-first
    # tf.data over samples, each cut by itself and batched then, as it is often shown; `pipeline` has one gather a batch instead.
    # It needs `import tensorflow as tf`, also for other backends.
    # `series`: float32 [samples + window - 1]; sample i is its `window` values from i on; `labels`: one-hot float32 [samples, 2];
    # `order(epoch)`: the sample numbers, shuffled, as np.random.permutation(samples); `options`: more arguments of fit, as {"verbose": 0}.
    series_tensor, label_tensor = tf.constant(series), tf.constant(labels)

    def cut(number):
        return series_tensor[number:number + window][:, None], label_tensor[number]

    for epoch in range(epochs):
        dataset = tf.data.Dataset.from_tensor_slices(order(epoch).astype("int64"))
        dataset = dataset.map(cut, num_parallel_calls=tf.data.experimental.AUTOTUNE)
        dataset = dataset.batch(batch_size, drop_remainder=True).prefetch(tf.data.experimental.AUTOTUNE)
        model.fit(dataset, shuffle=False, initial_epoch=epoch, epochs=epoch + 1, **options)
    # end recipe


def timeseries_helper(run):
    """What Keras offers for windows over a series. It shuffles by itself."""
    if run.parity:
        raise ValueError("cannot be ordered: timeseries_dataset_from_array takes the windows as they come, or shuffles by itself")
    _, series, y = begin(run)
    if not hasattr(helpers(run.package.keras), "timeseries_dataset_from_array"):
        raise ValueError("%s has no timeseries_dataset_from_array, which came with TensorFlow 2.3" % keras_package.versions(run.package))
    model = run.model()
    helped(helpers(run.package.keras), model, series[:run.whole + run.window - 1], y, run.window, run.size, run.epochs, run.options)


def helpers(keras):
    """Where the helper is: with TensorFlow 2.3 it came as one of preprocessing's."""
    return keras.utils if hasattr(keras.utils, "timeseries_dataset_from_array") else keras.preprocessing


def helped(helpers, model, series, labels, window, batch_size, epochs, options):
    # recipe: timeseries-helper
    # Keras's own helper for windows over a series: a tf.data pipeline that cuts each sample by itself.
    # `helpers`: keras.utils, or keras.preprocessing where it is still there (it came with TensorFlow 2.3). It needs TensorFlow, also
    # for other backends.
    # `series`: float32 [samples + window - 1]; sample i is its `window` values from i on; `labels`: one-hot float32 [samples, 2];
    # `options`: more arguments of fit, as {"verbose": 0}.
    # The samples come in a random order that is drawn once, and are mixed each epoch within some batches.
    dataset = helpers.timeseries_dataset_from_array(
        series[:, None], labels, sequence_length=window, batch_size=batch_size, shuffle=True)
    model.fit(dataset, shuffle=False, epochs=epochs, **options)  # the dataset has shuffled them
    # Samples that fill no batch make a smaller one. A leaner way in tf.data is the recipe "pipeline".
    # end recipe


def begin(run):
    """TensorFlow, the series float32 [N + window - 1], and the classes of all samples, one-hot float32 [N, 2]."""
    run.clock.phase("build")
    tf = keras_package.tensorflow(run.package, run.clock.mode, run.plan["threads"])
    series, y = run.series.astype(np.float32), np.eye(2, dtype=np.float32)[run.labels]
    run.built(series, y)
    return tf, series, y
