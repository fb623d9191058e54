"""Which Keras it is: Keras 3 on one of its backends, the package tf_keras, or the tf.keras of a TensorFlow older than 2.16."""
import collections, importlib, inspect, os, sys

# keras: the package; backend: its name; tf, jax: that backend's module where it is the backend, else None; legacy: not Keras 3;
# release: (major, minor) of the package; title: its name and version.
Package = collections.namedtuple("Package", "keras backend tf jax legacy release title")

SINCE = {"steps_per_execution": "2.4", "jit_compile": "2.5"}  # in which TensorFlow compile got an argument
BACKENDS = ("tensorflow", "torch", "jax")


def load(name):
    """The package of an engine that is called keras, keras@BACKEND or tf-keras. Asked again, it is the same."""
    engine, _, backend = name.partition("@")
    if backend:
        os.environ["KERAS_BACKEND"] = backend
    return legacy() if engine == "tf-keras" else keras_3()


def keras_3():
    """Keras 3, on the backend that KERAS_BACKEND or keras.json names."""
    keras = importlib.import_module("keras")
    if release(keras.__version__) < (3, 0):
        raise ImportError("keras %s is installed, and this engine needs Keras 3; for that one take the engine tf-keras" % keras.__version__)
    backend = keras.backend.backend()
    if backend not in BACKENDS:
        raise ValueError("KERAS_BACKEND or keras.json names the backend %r; accepted: %s, as in keras@jax" % (backend, ", ".join(BACKENDS)))
    tf, jax = (importlib.import_module(name) if backend == name else None for name in ("tensorflow", "jax"))
    return Package(keras, backend, tf, jax, False, release(keras.__version__), "Keras " + keras.__version__)


def legacy():
    """tf_keras or, where TensorFlow is older than 2.16, its own tf.keras."""
    tf = importlib.import_module("tensorflow")
    if release(tf.__version__) < (2, 16):
        return Package(tf.keras, "tensorflow", tf, None, True, release(tf.__version__), "tf.keras")
    keras = importlib.import_module("tf_keras")
    return Package(keras, "tensorflow", tf, None, True, release(keras.__version__), "tf_keras " + keras.__version__)


def release(version):
    """(2, 16) for "2.16.1"; what is no number counts as 0."""
    return tuple(int(part) if part.isdigit() else 0 for part in (version + ".0").split(".")[:2])


def versions(package):
    """As in "Keras 3.15.0, TensorFlow 2.21.0"."""
    titles = {"tensorflow": "TensorFlow", "torch": "PyTorch", "jax": "JAX"}
    backend = importlib.import_module(package.backend)
    return "%s, %s %s" % (package.title, titles.get(package.backend, package.backend), backend.__version__)


def set_threads(package, threads):
    """Limits the backend; before it has computed anything."""
    if package.backend == "torch":
        importlib.import_module("torch").set_num_threads(threads)
    elif package.backend == "jax":
        limit_jax(threads)
    else:
        limit_tensorflow(package.tf, threads)


def limit_tensorflow(tf, threads):
    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(threads)


def limit_jax(threads):
    """The flags are read when the first array is made. Not every version heeds them, so where there are more cores this process keeps
    to as many as there may be threads."""
    flags = "--xla_cpu_multi_thread_eigen=true intra_op_parallelism_threads=%d" % threads
    os.environ["XLA_FLAGS"] = (os.environ.get("XLA_FLAGS", "") + " " + flags).strip()
    if hasattr(os, "sched_setaffinity"):
        usable = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, usable[:threads])


def tensorflow(package, mode, threads):
    """TensorFlow, for tf.data, which can feed the other backends as well where it is installed."""
    if package.tf is not None:
        return package.tf
    try:
        tf = importlib.import_module("tensorflow")
    except ImportError as e:
        raise ImportError("%s feeds by tf.data, and this Python has no TensorFlow (%s); to add it: %s -m pip install tensorflow-cpu"
                          % (mode, e, sys.executable))
    limit_tensorflow(tf, threads)
    return tf


def seed(package, value):
    """Seeds what the framework draws by itself: initial weights, and the shuffles of fit."""
    if hasattr(package.keras.utils, "set_random_seed"):
        package.keras.utils.set_random_seed(value)
    else:
        package.tf.random.set_seed(value)


def op_by_op(package, mode, options):
    """Whether this version runs a mode's step operation by operation, as compile has it by default: TensorFlow before 2.1 what does not go
    through fit, Keras on torch everything unless jit_compile asks for torch.compile, and on JAX everything where jit_compile is False."""
    if package.backend == "torch":
        return not options.get("jit_compile")
    if package.backend == "jax":
        return options.get("jit_compile") is False
    return package.legacy and package.release < (2, 1) and mode in ("generator", "train-on-batch")


def several_steps(options, steps):
    # recipe: several-steps
    # Several steps in one call from Python: what a call costs is paid once for all of them. It came with TensorFlow 2.4.
    # `options`: a dictionary of more arguments of compile, {} for none; `steps`: how many, as 16. On torch Keras runs each step alone.
    # What is called back for a batch is then called once for so many, and losses are seen as often. An epoch's last call has fewer.
    # The steps themselves stay as they were: the same batches, the same updates.
    options["steps_per_execution"] = steps

    # Then: model.compile(optimizer=optimizer, loss="categorical_crossentropy", metrics=["accuracy"], **options)
    #       model.fit(...) as before: on an array, a Sequence or a tf.data dataset. train_on_batch is one step a call all the same.
    # Measured beside one step a call by fitbench run --engine keras --steps-per-execution 1,16: where a step is short, as with small
    # batches, the call is most of it.
    # end recipe


def compile_options(package, clock):
    """What the run's plan and cell add to compile's arguments. ValueError where this version's compile does not know it."""
    options = {}
    if clock.execution == "eager":
        options["run_eagerly"] = True
    if clock.at_once > 1:
        several_steps(options, clock.at_once)
    if clock.plan.get("jit_compile") is not None and clock.execution == "compiled":
        options["jit_compile"] = clock.plan["jit_compile"]
    known = inspect.signature(package.keras.Model.compile).parameters
    for name in options:
        if name not in known and name != "run_eagerly":  # which old versions take among others
            raise ValueError("compile of %s has no %s, which came with TensorFlow %s" % (versions(package), name, SINCE[name]))
    if package.backend == "torch" and "steps_per_execution" in options:
        raise ValueError("Keras on torch runs one step at a time: steps_per_execution %d is not possible" % options["steps_per_execution"])
    return options
