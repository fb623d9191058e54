"""The worker: one training run by a framework, told to fitbench in the protocol of docs/protocol.md.

An engine is a module with
    describe(backend) -> str          imports the framework and returns its versions; the first thing that is called
    CELLS                             the names of the cells that it knows, as in "fit@compiled"
    train(run)                        does the run.job by run's clock
"""
import importlib, os, re, sys, tempfile, traceback

import worker_clock, worker_parent, worker_probe

ENGINES = {"keras": "keras_engine", "tf-keras": "keras_engine", "torch": "torch_engine", "jax": "jax_engine"}


def main(name):
    """name is an engine as fitbench knows it: keras, keras@jax, tf-keras, torch or jax."""
    parent = worker_parent.Parent()
    job = parent.job()
    python = "Python " + sys.version.split()[0]
    failure, engine = None, None
    clock = worker_clock.Clock(parent, job)
    try:
        limit_threads(job["plan"]["threads"])
        engine = importlib.import_module(ENGINES[name.partition("@")[0]])
        versions = engine.describe(name) + ", " + python
    except BaseException as e:
        traceback.print_exc()
        versions, failure = python, unusable(name, e)
    parent.tell("hello", protocol=worker_parent.PROTOCOL, version=versions)
    clock.imported()
    if failure is None:
        failure = train(engine, clock)
    parent.end(clock.result(failure))


def train(engine, clock):
    """Returns why it failed, or None."""
    cell = "%(mode)s@%(execution)s" % clock.job["cell"]
    if cell not in engine.CELLS:
        return "%s is not among what this engine knows: %s" % (cell, ", ".join(engine.CELLS))
    try:
        if "series" in clock.job:
            clock.extra["series_difference"] = compared(clock.job)
        clean_up(clock.job)
        engine.train(clock)
    except worker_clock.Done:
        pass
    except MemoryError as e:
        traceback.print_exc()
        return "out of memory%s; fewer --samples, or a mode that holds no array of all windows, as fit-windows, would do" % (
            ": " + said(e).partition(": ")[2] if str(e) else "")
    except BaseException as e:
        traceback.print_exc()
        return said(e)
    if clock.steps < clock.total:
        return "training ended after %d of %d steps" % (clock.steps, clock.total)


def clean_up(job):
    """Temporary files, as TensorFlow's of what it compiles, go to the folder that is gone after the run: this process ends without
    cleaning up."""
    if "initial_weights" in job:
        tempfile.tempdir = os.path.dirname(job["initial_weights"])


def compared(job):
    """The largest difference of the series. An exception tells of any other."""
    import worker_series  # needs NumPy, which is there only now for certain
    return worker_series.compare(job)


def unusable(name, e):
    """Why the framework cannot be used, and what command would add what is not installed."""
    command = worker_probe.advice(name)
    if command:
        return "%s cannot be used: %s; missing: %s" % (name, said(e), command)
    return "%s cannot be used: %s%s" % (name, said(e), where(e))


def where(e):
    """The file in which a package broke, empty where that is one of the worker's own."""
    frames = traceback.extract_tb(e.__traceback__)
    file = getattr(e, "filename", None) if isinstance(e, SyntaxError) else frames[-1].filename if frames else None
    return " (in %s)" % file if file and os.path.isabs(file) else ""


def said(e):
    """An exception in one line, under its type unless the protocol says how the line begins."""
    lines = [line.strip() for line in str(e).splitlines() if line.strip()]
    if lines and lines[0].startswith("cannot be ordered:"):
        return lines[0][:500]
    return ("%s: %s" % (type(e).__name__, telling(lines)))[:500]


def telling(lines):
    """The line of a text that tells most: of memory, else the first that is no heading."""
    memory = [line for line in lines if re.search(r"\bOOM\b|out of memory|allocat", line, re.IGNORECASE)]
    headings = ("Graph execution error:", "Exception encountered when calling", "Detected at node", "Traceback", "File ", "Stack trace")
    return (memory + [line for line in lines if not line.startswith(headings)] + lines + ["without a word"])[0]


def limit_threads(threads):
    """For libraries that read it when they are loaded; each engine sets its own besides. The question is about CPUs: no other device is
    used, whatever the user's environment names."""
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = str(threads)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    os.environ.update(CUDA_VISIBLE_DEVICES="", JAX_PLATFORMS="cpu", KERAS_TORCH_DEVICE="cpu")
    # Compiling in this process: a pool of compilers would live on beside the training, and be metered with it.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
