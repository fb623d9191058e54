"""The experiment's network, and around it the one that cuts its windows itself."""
import numpy as np

import worker_series


def network(keras, window):
    """From windows [batch, window, 1] to the probabilities of both classes, [batch, 2]."""
    layers = [keras.layers.Conv1D(24, 9, activation="relu"), keras.layers.MaxPooling1D(4), keras.layers.Flatten(),
              keras.layers.Dense(20, activation="relu"), keras.layers.Dense(2, activation="softmax")]
    windows = values = keras.Input((window, 1))
    for layer in layers:
        values = layer(values)
    return keras.Model(windows, values)


def set_weights(model, path, window):
    """Gives the network the weights of a job's file, in place."""
    weights = worker_series.split_weights(np.load(path), window)
    trained = [layer for layer in model.layers if layer.get_weights()]
    for at, layer in enumerate(trained):
        layer.set_weights(weights[2 * at:2 * at + 2])


def compiled(keras, model, options):
    """Compiles a model in place, as the experiment has it; options are more of compile's arguments."""
    adam = keras.optimizers.Adam(1e-3, beta_1=0.9, beta_2=0.999, epsilon=1e-7)
    model.compile(optimizer=adam, loss="categorical_crossentropy", metrics=["accuracy"], **options)
    return model


def with_series(package, model, series, window):
    """The network behind a layer that cuts the windows: from sample numbers [batch, 1] to [batch, 2]. Series: float32 [N + window - 1]."""
    if package.legacy:
        return with_series_tf(package.keras, package.tf, model, series, window)
    return with_series_ops(package.keras, model, series, window)


def with_series_ops(keras, model, series, window):
    # recipe: fit-windows
    # The series is a constant inside the model, and what is fed are sample numbers: no window is ever copied on the way there.
    # `series`: float32 [samples + window - 1]; sample i is its `window` values from i on; `model` takes windows [batch, window, 1].
    class Windows(keras.layers.Layer):
        """From sample numbers [batch, 1] to their windows [batch, window, 1]."""

        def __init__(self, series, window):
            super().__init__()
            self.series = keras.ops.convert_to_tensor(series)
            self.window = window

        def call(self, numbers):
            return keras.ops.take(self.series, numbers + keras.ops.arange(self.window, dtype="int32"))[..., None]

    numbers = keras.Input((1,), dtype="int32")
    lean = keras.Model(numbers, model(Windows(series, window)(numbers)))
    # Then compile `lean` as you did `model`, and with `labels` one-hot [samples, 2]:
    # lean.fit(np.arange(samples, dtype="int32")[:, None], labels, batch_size=batch_size, epochs=epochs)
    # `model` learns with it: predict with it and save it as before.
    # end recipe
    return lean


def with_series_tf(keras, tf, model, series, window):
    # recipe: fit-windows tf-keras
    # The series is a constant inside the model, and what is fed are sample numbers: no window is ever copied on the way there.
    # `series`: float32 [samples + window - 1]; sample i is its `window` values from i on; `model` takes windows [batch, window, 1].
    class Windows(keras.layers.Layer):
        """From sample numbers [batch, 1] to their windows [batch, window, 1]."""

        def __init__(self, series, window):
            super().__init__()
            self.series = tf.constant(series)
            self.window = window

        def call(self, numbers):
            return tf.gather(self.series, numbers + tf.range(self.window))[..., None]

    numbers = keras.Input((1,), dtype="int32")
    lean = keras.Model(numbers, model(Windows(series, window)(numbers)))
    # Then compile `lean` as you did `model`, and with `labels` one-hot [samples, 2]:
    # lean.fit(np.arange(samples, dtype="int32")[:, None], labels, batch_size=batch_size, epochs=epochs)
    # `model` learns with it: predict with it and save it as before.
    # end recipe
    return lean
