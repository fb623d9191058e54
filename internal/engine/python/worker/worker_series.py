"""What is trained on, draw for draw as the native engine has it: see "What is trained on" in docs/protocol.md."""
import numpy as np


SERIES_TOLERANCE = 1e-12  # another mathematical library may differ in the last bits of a sine


def generate(plan):
    """The series, [N + D - 1] float64 with its beginning repeated after its end, and the windows' classes, [N] uint8."""
    n, window = plan["samples"], plan["window"]
    series, anomalies = draw(plan)
    hit = np.zeros(n, np.int64)
    hit[anomalies] = 1
    sums = np.concatenate([[0], np.cumsum(np.concatenate([hit, np.resize(hit, window - 1)]))])
    labels = (sums[window:window + n] > sums[:n]).astype(np.uint8)
    return np.concatenate([series, np.resize(series, window - 1)]), labels


def draw(plan):
    """The series, [N] float64, and the places of its anomalies in the order drawn."""
    n, r = plan["samples"], np.random.RandomState(plan["seed"])
    series = np.sin(np.arange(n, dtype=np.float64)) + r.normal(0, plan["noise"], n)
    anomalies = r.permutation(n)[:plan["anomalies"]]
    series[anomalies] += plan["shift"]
    return series, anomalies


def compare(job):
    """Holds what is made here against fitbench's own, in the files of a job for parity. Returns the largest difference of a value of
    the series; raises ValueError where it is too large, or anything else differs at all."""
    plan = job["plan"]
    series, anomalies = draw(plan)
    native, orders = np.load(job["series"]), np.load(job["orders"])
    difference = float(np.max(np.abs(series - native))) if series.shape == native.shape else float("nan")
    if not difference <= SERIES_TOLERANCE:
        raise ValueError("the series differs from fitbench's by %.2g; up to %g is accepted" % (difference, SERIES_TOLERANCE))
    made = [("anomalies", anomalies, np.load(job["anomalies"])), ("labels", generate(plan)[1], np.load(job["labels"]))]
    made += [("order of epoch %d" % e, order(plan, e), there) for e, there in enumerate(orders)]
    for name, here, there in made:
        if not np.array_equal(here, there):
            raise ValueError("%s: not equal to fitbench's" % name)
    return difference


def order(plan, epoch):
    """The samples of an epoch in their order, [N] int64."""
    return np.random.RandomState((plan["seed"] + 1 + epoch) % 2**32).permutation(plan["samples"])


def windows(series, window):
    """A view of all windows, [N][D], without a copy. (numpy.lib.stride_tricks.sliding_window_view came with NumPy 1.20.)"""
    n = len(series) - window + 1
    return np.lib.stride_tricks.as_strided(series, (n, window), series.strides * 2, writeable=False)


def one_hot(labels):
    """[n][2] float64, as the reported script hands it over."""
    return np.eye(2)[labels]


def split_weights(arena, window):
    """The native engine's initial weights by layers in Keras's shapes: kernels and biases of conv, dense 1 and dense 2."""
    flat = (window - 9 + 1) // 4 * 24
    shapes = [(9, 1, 24), (24,), (flat, 20), (20,), (20, 2), (2,)]
    weights, at = [], 0
    for shape in shapes:
        size = int(np.prod(shape))
        weights.append(np.asarray(arena[at:at + size], np.float32).reshape(shape))
        at += size
    if at != len(arena):
        raise ValueError("%d initial weights came, %d are needed" % (len(arena), at))
    return weights
