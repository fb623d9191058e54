"""use.py ENGINE DIRECTORY: reads recipes as JSON {mode: code}, puts each in a script that uses it as its comments say, written to the
directory, and runs that. Writes a line of JSON for each: mode, and error or before and after (the model's mean loss over all samples) and
warnings (those that are for the user of a framework)."""
import importlib.util, json, os, sys, traceback, warnings

DATA = """
import numpy as np

samples, window, batch_size, epochs, chunk_size, options = 1000, 24, 32, 3, 256, {"verbose": 0}
random = np.random.RandomState(0)
raised = random.rand(samples + window - 1) < 0.03
series = np.sin(np.arange(len(raised))) + random.normal(0, 0.2, len(raised)) + 4 * raised

def view(values):
    return np.lib.stride_tricks.as_strided(values, (samples, window), values.strides * 2)

labels, windows, single = view(raised).any(axis=1).astype("uint8"), view(series), series.astype("float32")
rows, right = view(single), labels.astype("int64")
one_hot = np.eye(2, dtype="float32")[right]
"""

KERAS = DATA + """
PACKAGES

def compiled(model):
    model.compile(optimizer=keras.optimizers.Adam(1e-2), loss="categorical_crossentropy", metrics=["accuracy"])
    return model

numbers = keras.Input((window, 1))
hidden = keras.layers.Dense(16, activation="relu")(keras.layers.Flatten()(numbers))
model = compiled(keras.Model(numbers, keras.layers.Dense(2, activation="softmax")(hidden)))

def mean_loss():
    return model.evaluate(rows[..., None], one_hot, verbose=0)[0]
"""

TORCH = DATA + """
import torch

model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(window, 16), torch.nn.ReLU(), torch.nn.Linear(16, 2))
optimizer = torch.optim.Adam(model.parameters(), 1e-2)

def train(x, y):
    optimizer.zero_grad()
    torch.nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()

def mean_loss():
    return torch.nn.functional.cross_entropy(model(torch.tensor(rows)), torch.tensor(right)).item()
"""

JAX = DATA + """
import concurrent.futures, jax
import jax.numpy as jnp

def loss_of(weights, x, y):
    scores = jax.nn.relu(x.reshape(len(x), -1) @ weights[0]) @ weights[1]
    return -jnp.mean(jnp.sum((jax.nn.one_hot(y, 2) if y.ndim == 1 else y) * jax.nn.log_softmax(scores), axis=1))

def train_step(weights, x, y):
    loss, gradients = jax.value_and_grad(loss_of)(weights, x, y)
    return [w - 0.1 * g for w, g in zip(weights, gradients)], loss

state = [jnp.asarray(random.normal(0, 0.3, shape), "float32") for shape in [(window, 16), (16, 2)]]

def mean_loss():
    return float(loss_of(state, rows, right))
"""

EPOCHS = "\nfor epoch in range(epochs):\n    order = np.random.permutation(samples)[:samples // batch_size * batch_size]\n    "
ARRAY = "windows, labels, order = view(single), right, lambda epoch: np.random.permutation(samples)"
GATHER = "series, labels, order = single, one_hot, lambda epoch: np.random.permutation(samples)"
HELPERS = "\nhelpers = keras.utils if hasattr(keras.utils, 'timeseries_dataset_from_array') else keras.preprocessing"
SEQUENCE = EPOCHS + "model.fit(Batches(windows, labels, order, batch_size), %sinitial_epoch=epoch, epochs=epoch + 1, verbose=0)"
TENSORS = "series, labels = torch.from_numpy(single), torch.from_numpy(right)"
STEP = "step = jax.jit(train_step, donate_argnums=0)"


def loop(call, step, between=""):
    return EPOCHS + "%s\n    for x, y in %s:\n        %s" % (between, call, step)


def several(cut):
    return ("step = jax.jit(lambda state, one, two, numbers: train_step(state, *%s), donate_argnums=0)" % cut + EPOCHS
            + "for numbers in order.reshape(-1, batch_size):\n        state, loss = step(state, one, two, numbers)")


# What a script has before a recipe and behind it.
KERAS_USES = {
    "fit": ("", "model.fit(x, y, batch_size=batch_size, epochs=epochs, verbose=0)"),
    "generator": ("", SEQUENCE % "shuffle=False, "),
    "fit-sequence": ("", SEQUENCE % ""),
    "fit-sequence-unshuffled": ("", SEQUENCE % "shuffle=False, "),
    "train-on-batch": ("", loop("built_batches(windows, labels, order, batch_size)", "loss, accuracy = model.train_on_batch(x, y)",
                                "model.reset_metrics()")),
    "fit-windows": (GATHER, "numbers = np.arange(samples, dtype='int32')[:, None]\n"
                    "compiled(lean).fit(numbers, labels, batch_size=batch_size, epochs=epochs, verbose=0)"),
    "pipeline": (GATHER, ""),
    "pipeline-map-first": (GATHER, ""),
    "fit-chunked": (ARRAY, ""),
    "several-steps": (ARRAY + "\noptions, steps = {}, 4",
                      "model.compile(optimizer=keras.optimizers.Adam(0.01), loss='categorical_crossentropy', metrics=['accuracy'],\n"
                      "              **options)\n"
                      "x, y = windows[..., None], np.eye(2)[labels]\n"
                      "model.fit(x, y, batch_size=batch_size, epochs=epochs, verbose=0)"),
    "timeseries-helper": (GATHER + HELPERS, ""),
}
TORCH_USES = {
    "fit": ("", "loader = array_loader(windows, labels, batch_size)" + loop("loader", "train(x, y)")),
    "generator": ("", loop("sample_loader(series, labels, window, order.tolist(), batch_size)", "train(x.float(), y.float())")),
    "train-on-batch": ("", loop("built_batches(windows, labels, order, batch_size)", "train(x.float(), y.float())")),
    "fit-windows": (TENSORS, EPOCHS + "for numbers in torch.randperm(samples).split(batch_size):\n"
                    "        train(*gather(series, labels, window, numbers))"),
    "pipeline": (TENSORS, loop("batch_loader(series, labels, window, order.tolist(), batch_size)", "train(x, y)")),
    "fit-chunked": (ARRAY, loop("chunked_batches(windows, labels, order, chunk_size, batch_size)", "train(x, y)")),
}
JAX_USES = {
    "fit": ("", "one, two = jnp.asarray(windows, jnp.float32), jnp.asarray(labels)\n" + several("take_rows(one, two, numbers)")),
    "generator": ("pool, build = concurrent.futures.ThreadPoolExecutor(2), lambda numbers: (windows[numbers], labels[numbers])",
                  STEP + loop("queued_batches(pool, build, order.reshape(-1, batch_size))", "state, loss = step(state, x, y)")),
    "train-on-batch": ("", STEP + loop("built_batches(windows, labels, order, batch_size)", "state, loss = step(state, x, y)")),
    "fit-windows": ("one, two = jnp.asarray(single), jnp.asarray(labels)", several("gather(one, two, window, numbers)")),
    "pipeline": (ARRAY + "\npool, build = concurrent.futures.ThreadPoolExecutor(2), lambda numbers: (windows[numbers], labels[numbers])",
                 STEP + loop("queued_batches(pool, build, order.reshape(-1, batch_size))", "state, loss = step(state, x, y)")),
    "several-steps": (ARRAY, "steps = jax.jit(several_steps(train_step), donate_argnums=0)" + EPOCHS
                 + "for numbers in order[:30 * batch_size].reshape(-1, 10, batch_size):\n"
                 "        state, losses = steps(state, windows[numbers], labels[numbers])"),
    "fit-chunked": (ARRAY, STEP + loop("chunked_batches(windows, labels, order, chunk_size, batch_size)",
                                       "state, loss = step(state, x, y)")),
}
TF = "import tensorflow as tf\n"


def engines():
    tensorflow = importlib.util.find_spec("tensorflow") is not None
    legacy = TF + ("import tf_keras as keras" if importlib.util.find_spec("tf_keras") else "from tensorflow import keras")
    return {"keras": (KERAS.replace("PACKAGES", (TF if tensorflow else "") + "import keras"), KERAS_USES),
            "tf-keras": (KERAS.replace("PACKAGES", legacy), KERAS_USES), "torch": (TORCH, TORCH_USES), "jax": (JAX, JAX_USES)}


def use(path, script):
    with open(path, "w") as f:
        f.write(script)
    names = {"__name__": "recipe"}
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            exec(compile(script, path, "exec"), names)
        except Exception as e:
            return {"error": "".join(traceback.format_exception(type(e), e, e.__traceback__))}
    meant = [str(w.message) for w in seen if w.category in (UserWarning, RuntimeWarning)]
    return {"before": names["before"], "after": names["after"], "warnings": sorted(set(meant))}


def main():
    engine, directory = sys.argv[1:]
    start, uses = engines()[engine]
    for mode, code in json.load(sys.stdin).items():
        before, after = uses[mode]
        parts = [start, "before = mean_loss()", before, code, after, "after = mean_loss()"]
        print(json.dumps(dict(use(os.path.join(directory, mode + ".py"), "\n".join(parts)), mode=mode)), flush=True)


if __name__ == "__main__":
    main()
