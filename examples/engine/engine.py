"""An engine for fitbench in Python's standard library alone: exec:python3 examples/engine/engine.py

It trains for real, but not fitbench's network: a logistic regression on a window's values, in plain Python. It knows one mode,
train-on-batch@eager. docs/protocol.md describes what it reads and writes."""
import hashlib, json, math, os, random, statistics, struct, sys, threading, time


def tell(event, **fields):
    print(json.dumps({"event": event, **fields}), flush=True)


def random_state(seed):
    """numpy.random.RandomState(seed): Python has the same generator, but seeds it in another way."""
    key = [seed]
    for i in range(1, 624):
        key.append((1812433253 * (key[-1] ^ (key[-1] >> 30)) + i) % 2**32)
    r = random.Random()
    r.setstate((3, (*key, 624), None))
    return r


def permutation(r, n):
    order = list(range(n))
    for i in range(n - 1, 0, -1):
        mask, j = (1 << i.bit_length()) - 1, n
        while j > i:
            j = r.getrandbits(32) & mask
        order[i], order[j] = order[j], order[i]
    return order


def normal(r):
    """Endless standard normal values, by the polar method as NumPy has it."""
    while True:
        a, b = 2 * r.random() - 1, 2 * r.random() - 1
        if 0 < a * a + b * b < 1:
            f = math.sqrt(-2 * math.log(a * a + b * b) / (a * a + b * b))
            yield f * b
            yield f * a


def generate(plan):
    """The series and the windows' classes; the series' beginning is repeated after its end."""
    n, window, r = plan["samples"], plan["window"], random_state(plan["seed"])
    series = [math.sin(i) + plan["noise"] * z for i, z in zip(range(n), normal(r))]
    hits = [0] * n
    for place in permutation(r, n)[:plan["anomalies"]]:
        series[place], hits[place] = series[place] + plan["shift"], 1
    series, hits = series + series[:window - 1], hits + hits[:window - 1]
    sums = [0]
    for hit in hits:
        sums.append(sums[-1] + hit)
    return series, [int(sums[i + window] > sums[i]) for i in range(n)]


def step(weights, batch, rate=0.1):
    """Gradient descent on the mean cross-entropy, which is returned with the number of samples that were classed rightly."""
    loss, correct, gradient = 0.0, 0, [0.0] * len(weights)
    for x, y in batch:
        z = max(-30.0, min(30.0, sum(w * v for w, v in zip(weights, x))))
        p = 1 / (1 + math.exp(-z))
        loss -= math.log(p if y else 1 - p)
        correct += (p > 0.5) == (y == 1)
        gradient = [g + (p - y) * v for g, v in zip(gradient, x)]
    weights[:] = [w - rate * g / len(batch) for w, g in zip(weights, gradient)]
    return loss / len(batch), correct


def train(plan, run):
    """Trains and fills the run."""
    began, n, window, size = time.monotonic(), plan["samples"], plan["window"], plan["batch_size"]
    elapsed = lambda: time.monotonic() - began
    total = plan.get("steps", 0) or plan["epochs"] * (n // size)
    phase = lambda name, done: tell("phase", phase=name, step=done, steps=total, elapsed_seconds=elapsed())
    phase("generate", 0)
    series, classes = generate(plan)
    start, cpu, digest, times, epochs, told = time.monotonic(), os.times(), hashlib.sha256(), [], [], -1.0
    weights = [0.0] * (window + 1)  # the last is the bias
    while len(times) < total:
        phase("shuffle", len(times))
        order = permutation(random_state((plan["seed"] + 1 + len(epochs)) % 2**32), n)
        phase("train", len(times))
        steps, losses, correct, epoch_began = min(n // size, total - len(times)), [], 0, time.monotonic()
        for i in range(steps):
            t = time.monotonic()
            samples = order[i * size:(i + 1) * size]
            loss, right = step(weights, [(series[s:s + window] + [1.0], classes[s]) for s in samples])
            times.append(time.monotonic() - t)
            losses.append(loss)
            correct += right
            digest.update(struct.pack("<%dq" % size, *samples))
            if elapsed() - told >= 0.1 or len(times) == total:
                told = elapsed()
                tell("progress", step=len(times), steps=total, loss=statistics.fmean(losses), elapsed_seconds=told)
        epochs.append({"steps": steps, "wall_seconds": time.monotonic() - epoch_began,
                       "loss": statistics.fmean(losses), "accuracy": correct / (steps * size)})
        tell("epoch", step=len(times), steps=total, elapsed_seconds=elapsed(), epoch=epochs[-1])
    end, steady = os.times(), times[min(100, total // 2):]
    run.update(steps=total, samples_trained=total * size, wall_seconds=time.monotonic() - start, user_seconds=end.user - cpu.user,
               system_seconds=end.system - cpu.system, epochs=epochs, loss=epochs[-1]["loss"], accuracy=epochs[-1]["accuracy"],
               steady_steps=len(steady), step_milliseconds=1000 * statistics.median(steady), order_digest=digest.hexdigest())


def main():
    tell("hello", protocol=1, version="example, Python " + sys.version.split()[0])
    line = sys.stdin.readline()
    job = json.loads(line) if line else sys.exit("no job came")
    if job["protocol"] != 1:
        sys.exit("the job is of protocol %s; this program speaks 1" % job["protocol"])
    # When standard input closes, the run is to end; after the result this is no failure.
    code = [1]
    threading.Thread(target=lambda: (sys.stdin.read(), os._exit(code[0])), daemon=True).start()
    run = {"mode": job["cell"]["mode"], "execution": job["cell"]["execution"], "feed": "inline", "threads": 1,
           "round": job["round"], "batch_size": job["plan"]["batch_size"], "steps": 0, "samples_trained": 0}
    if (run["mode"], run["execution"]) == ("train-on-batch", "eager"):
        train(job["plan"], run)
    else:
        run["error"] = "this engine knows train-on-batch@eager only, not %(mode)s@%(execution)s" % run
    code[0] = 1 if "error" in run else 0
    tell("result", run=run)
    os._exit(code[0])


main()
