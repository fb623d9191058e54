"""The experiment's network and a training step on it in plain JAX: nothing but jax.numpy and jax.lax."""
import jax
import jax.numpy as jnp
import numpy as np

import worker_series


def scores(weights, x):
    """Windows [B][window], or [B][window][1], to the two classes' scores before softmax, [B][2]."""
    conv_kernel, conv_bias, dense1_kernel, dense1_bias, dense2_kernel, dense2_bias = weights
    x = jax.lax.conv_general_dilated(x.reshape(x.shape[0], -1, 1), conv_kernel, (1,), "VALID", dimension_numbers=("NWC", "WIO", "NWC"))
    x = jax.nn.relu(x + conv_bias)
    x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 4, 1), (1, 4, 1), "VALID")
    x = jax.nn.relu(x.reshape(x.shape[0], -1) @ dense1_kernel + dense1_bias)
    return x @ dense2_kernel + dense2_bias


def loss(weights, x, y):
    """The batch's mean cross-entropy, and how many samples are classed rightly. y: the classes, [B] of integers, or one-hot, [B][2]."""
    found = scores(weights, x)
    if y.ndim == 1:
        y = jax.nn.one_hot(y, 2)
    right = jnp.sum(found.argmax(1) == y.argmax(1))
    return -jnp.mean(jnp.sum(y * jax.nn.log_softmax(found), axis=1)), right


def start(plan, arrays):
    """The state before the first step: weights (Keras's shapes) from these arrays, or else Glorot's uniform ones and biases of 0; Adam's
    two moments; the number of steps done; and the sums of an epoch, (loss, samples classed rightly)."""
    weights = [jnp.asarray(a) for a in arrays or glorot(plan)]
    return weights, [jnp.zeros_like(w) for w in weights], [jnp.zeros_like(w) for w in weights], jnp.zeros((), jnp.int32), jnp.zeros(2)


def glorot(plan):
    """Float32 arrays in Keras's shapes."""
    r = np.random.RandomState(plan["seed"])
    shapes = [a.shape for a in worker_series.split_weights(np.zeros(weights_of(plan["window"]), np.float32), plan["window"])]
    return [glorot_uniform(r, shape) if len(shape) > 1 else np.zeros(shape, np.float32) for shape in shapes]


def weights_of(window):
    """How many weights the network has for windows of so many values."""
    return 9 * 24 + 24 + (window - 9 + 1) // 4 * 24 * 20 + 20 + 20 * 2 + 2


def glorot_uniform(r, shape):
    field = int(np.prod(shape[:-2]))
    limit = np.sqrt(6 / (field * (shape[-2] + shape[-1])))
    return r.uniform(-limit, limit, shape).astype(np.float32)


def adam(weights, gradients, m, v, steps, rate=1e-3, beta1=0.9, beta2=0.999, epsilon=1e-7):
    """One update in Keras's form, where epsilon is added to the root before its correction. steps: 1 for the first."""
    t = steps.astype(jnp.float32)
    rate = rate * jnp.sqrt(1 - beta2**t) / (1 - beta1**t)
    m = [beta1 * a + (1 - beta1) * g for a, g in zip(m, gradients)]
    v = [beta2 * a + (1 - beta2) * g * g for a, g in zip(v, gradients)]
    return [w - rate * a / (jnp.sqrt(b) + epsilon) for w, a, b in zip(weights, m, v)], m, v


def train_step(state, x, y):
    """One update by a batch. Returns the state after it and the batch's mean loss before it."""
    weights, m, v, steps, sums = state
    (batch_loss, right), gradients = jax.value_and_grad(loss, has_aux=True)(weights, x, y)
    weights, m, v = adam(weights, gradients, m, v, steps + 1)
    return (weights, m, v, steps + 1, sums + jnp.stack([batch_loss, right.astype(jnp.float32)])), batch_loss
