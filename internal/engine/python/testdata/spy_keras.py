"""spy_keras.py WORKER ENGINE: what Keras is made to do; see spied.py. Beside what is told there: backend, release (as in [3, 15]), legacy,
compile (what compile was given beside the experiment's own), and whether fit was given callbacks as a list of Keras's own kind."""
import functools, importlib, sys

import spied

jobs = spied.jobs()
import keras_engine, keras_package

ENGINE = sys.argv[2]
UNLIMITED = 3  # threads, as many as no job here asks for


def spy(owner, name, note):
    """Has note called with the arguments before owner's function is."""
    original = getattr(owner, name)

    @functools.wraps(original)  # the worker looks at what compile takes
    def spied_on(*args, **kwargs):
        note(*args, **kwargs)
        return original(*args, **kwargs)

    setattr(owner, name, spied_on)


def spy_on_layer(layer, notes):
    """Counts its calls. It takes what the original takes: Keras looks at that."""
    original = layer.call

    def call(self, inputs):
        notes["python_steps"] += 1
        return original(self, inputs)

    layer.call = call


def spy_on_training(package, notes):
    def compiles(model, optimizer, loss, metrics, **options):
        notes.update(compile=options, callback_list=False)

    def fits(kind, model, x, y=None, shuffle=True, callbacks=(), **kwargs):
        notes.hand("%s, shuffle %s:" % (kind, shuffle), *x[0] if y is None else (x, y))
        notes["callback_list"] = not package.legacy and isinstance(callbacks, package.keras.callbacks.CallbackList)

    def trains(model, x, y, **kwargs):
        if not any(kind.startswith("fit") for kind in notes["handed"]):  # TensorFlow 2.0.0 itself calls it within fit_generator
            notes.hand("train_on_batch:", x, y)

    model = package.keras.Model
    spy(model, "compile", compiles)
    spy(model, "train_on_batch", trains)
    for name in ("fit", "fit_generator"):
        if hasattr(model, name):
            spy(model, name, functools.partial(fits, name))


def spy_on_waits(jax, notes):
    def waits(waited_for):
        notes["waits"] += bool(jax.tree_util.tree_leaves(waited_for))

    spy(jax, "block_until_ready", waits)


def threads(package, wanted):
    """As many as the backend has been limited to, None where it has not."""
    if package.backend == "torch":
        return importlib.import_module("torch").get_num_threads()
    if package.backend == "jax":
        return spied.limited_jax(wanted)
    threading = package.tf.config.threading
    both = {threading.get_intra_op_parallelism_threads(), threading.get_inter_op_parallelism_threads()}
    return both.pop() if len(both) == 1 else None


def main():
    if ENGINE == "keras@torch":  # PyTorch heeds OMP_NUM_THREADS by itself; the engine is to limit it in any case
        importlib.import_module("torch").set_num_threads(UNLIMITED)
    keras_engine.describe(ENGINE)
    package, notes = keras_package.load(ENGINE), spied.Notes()
    spy_on_layer(package.keras.layers.Conv1D, notes)
    spy_on_training(package, notes)
    if package.jax:
        spy_on_waits(package.jax, notes)
    of_package = {"backend": package.backend, "release": package.release, "legacy": package.legacy}
    spied.do_all(keras_engine, jobs, notes, threads=threads(package, jobs[0]["plan"]["threads"]), **of_package)


if __name__ == "__main__":
    main()
