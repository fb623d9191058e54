"""Which frameworks an interpreter has, and in which versions, without importing any: run by itself, it prints that as a line of JSON,
with what an engine lacks that is named behind it.
It can be read by Python 2, so that one can be told from what is broken."""
import json, os, sys

LEAST_PYTHON = (3, 7)
LEAST_PYTHON_OF_KERAS_3 = (3, 10)

NEWEST_TENSORFLOW = "2.16" if sys.version_info >= (3, 9) else "2.13"

# What an engine is called, and a backend of Keras: the modules that it needs. Which of both tf-keras is depends on TensorFlow.
MODULES = {"keras": ["keras"], "tf-keras": ["tensorflow"], "torch": ["torch"], "jax": ["jax"], "tensorflow": ["tensorflow"]}
ENGINES = ("keras", "tf-keras", "torch", "jax")
BACKENDS = ("tensorflow", "torch", "jax")

TITLES = {"keras": "Keras", "tf_keras": "tf_keras", "tensorflow": "TensorFlow", "torch": "PyTorch", "jax": "JAX"}
# Under which names a module comes, the one to be installed first.
TENSORFLOWS = ["tensorflow-cpu", "tensorflow", "tensorflow-macos", "tensorflow-intel", "tensorflow-gpu", "tf-nightly", "tf-nightly-cpu"]
DISTRIBUTIONS = {"tensorflow": TENSORFLOWS if sys.platform != "darwin" else TENSORFLOWS[1:], "tf_keras": ["tf-keras"]}


def distributions(module):
    return DISTRIBUTIONS.get(module, [module])


def version(module):
    """That of an installed module, "" where it is there and its version is not known, None where it is not there."""
    import importlib.util
    try:
        spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.origin:  # a folder that is left over has none
        return None
    for name in distributions(module):
        found = distribution_version(name, os.path.dirname(os.path.dirname(spec.origin)))
        if found:
            return found
    return ""


def distribution_version(name, folder):
    """That of a distribution, None where it is not there. Folder is where its module is: Python 3.7 cannot ask for it otherwise."""
    try:
        import importlib.metadata
    except ImportError:
        return folder_version(name, folder)
    try:
        return importlib.metadata.version(name)
    except Exception:  # missing, or its files are damaged
        return None


def folder_version(name, folder):
    start, end = name.replace("-", "_") + "-", ".dist-info"
    for entry in os.listdir(folder):
        if entry.startswith(start) and entry.endswith(end):
            return entry[len(start):-len(end)]


def numbers(text):
    """(2, 16) of "2.16.1rc0"."""
    digits = []
    for part in text.split(".")[:2]:
        if not part.isdigit():
            break
        digits.append(int(part))
    return tuple(digits)


def backend():
    """Keras's, and what names it, in the order in which Keras looks: KERAS_BACKEND, its file, its default."""
    named = os.environ.get("KERAS_BACKEND")
    if named:
        return named, "KERAS_BACKEND"
    folder = os.environ.get("KERAS_HOME") or os.path.join(os.path.expanduser("~"), ".keras")
    try:
        with open(os.path.join(folder, "keras.json")) as f:
            return str(json.load(f)["backend"]), "keras.json"
    except (OSError, ValueError, KeyError, TypeError):
        return "tensorflow", "default"


def needs(engine):
    """The modules that an engine needs, as in "keras@jax"; numpy, which all do, comes last."""
    name, _, on = engine.partition("@")
    modules = list(MODULES.get(name, []))
    if name == "keras":
        modules += MODULES.get(on or backend()[0], [])
    if name == "tf-keras":
        found = version("tensorflow")
        if found != "" and numbers(found or NEWEST_TENSORFLOW) >= (2, 16):  # of an unknown version nothing is asked
            modules.append("tf_keras")
    return modules + ["numpy"]


def missing(engine):
    """What pip would have to install for an engine."""
    packages = []
    for module in needs(engine):
        found = version(module)
        if found is None:
            packages.append(distributions(module)[0])
        elif module == "keras" and found and numbers(found) < (3,):
            packages.append("keras>=3")
    return packages


def advice(engine):
    """The command that would add what an engine lacks; None where it lacks nothing."""
    packages = missing(engine)
    if not packages:
        return None
    if engine.startswith("keras") and sys.version_info < LEAST_PYTHON_OF_KERAS_3:
        return "Keras 3 needs Python %d.%d or later" % LEAST_PYTHON_OF_KERAS_3
    return " ".join(quoted(word) for word in [sys.executable or "python", "-m", "pip", "install"] + packages)


def quoted(word):
    """A word of a command as a shell takes it."""
    import shlex
    if os.name == "nt":
        return '"%s"' % word if any(c in " >&^" for c in word) else word
    return shlex.quote(word)


def versions(engine):
    """Of the modules that an engine needs and that are there, as in "Keras 3.15.0, JAX 0.9.1"."""
    found = [(TITLES[m], version(m)) for m in needs(engine) if m in TITLES]
    return ", ".join(title + " " + (number or "of an unknown version") for title, number in found if number is not None)


def engines():
    """What is told of each engine, and of Keras on other backends where they are there."""
    on, by = backend()
    others = ["keras@" + b for b in BACKENDS if b != on and not missing("keras@" + b)]
    found = []
    for name in ENGINES[:1] + tuple(others) + ENGINES[1:]:
        found.append({"name": name, "versions": versions(name), "missing": advice(name) or ""})
    if version("keras") is not None:
        found[0].update(backend=on, backend_by=by)
    return found


def main():
    sys.path = [p for p in sys.path if p]  # the working directory is not where packages are
    found = {"version": sys.version.split()[0], "prefix": sys.prefix, "executable": sys.executable or ""}
    if sys.version_info >= LEAST_PYTHON:
        found["engines"] = engines()
        if len(sys.argv) > 1:
            found["lacks"] = advice(sys.argv[1]) or ""
    print("\n" + json.dumps(found))  # behind what may stand there without a line's end


if __name__ == "__main__":
    main()
