"""The worker: one training run by a framework, told to fitbench in the protocol of docs/protocol.md.

An engine is a module with
    describe(backend) -> str          imports the framework and returns its versions; the first thing that is called
    CELLS                             the names of the cells that it knows, as in "fit@compiled"
    train(run)                        does the run.job by run's clock
"""
import importlib, os, sys, traceback

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
        engine.train(clock)
    except worker_clock.Done:
        pass
    except MemoryError:
        traceback.print_exc()
        return "out of memory"
    except BaseException as e:
        traceback.print_exc()
        return said(e)
    if clock.steps < clock.total:
        return "training ended after %d of %d steps" % (clock.steps, clock.total)


def compared(job):
    """The largest difference of the series. An exception tells of any other."""
    import worker_series  # needs NumPy, which is there only now for certain
    return worker_series.compare(job)


def unusable(name, e):
    """Why the framework cannot be used, and what command would add what is not installed."""
    command = worker_probe.advice(name)
    return "%s cannot be used: %s" % (name, said(e)) + ("; missing: " + command if command else "")


def said(e):
    """An exception in one line, under its type unless the protocol says how the line begins."""
    lines = [line.strip() for line in str(e).splitlines() if line.strip()]
    if lines and lines[0].startswith("cannot be ordered:"):
        return lines[0][:500]
    return ("%s: %s" % (type(e).__name__, lines[0] if lines else "without a word"))[:500]


def limit_threads(threads):
    """For libraries that read it when they are loaded; each engine sets its own besides."""
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[variable] = str(threads)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")  # the question is about CPUs
