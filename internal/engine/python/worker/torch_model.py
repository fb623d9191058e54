"""The experiment's network, a training step on it, and its weights before the first step, in PyTorch."""
import numpy as np
import torch
from torch import nn
from torch.nn import functional

import worker_series


class Network(nn.Module):
    """Windows [B][window], or [B][window][1], to the two classes' scores before softmax, [B][2]."""

    def __init__(self, window):
        super().__init__()
        self.conv = nn.Conv1d(1, 24, 9)
        self.pool = nn.MaxPool1d(4)
        self.dense1 = nn.Linear((window - 9 + 1) // 4 * 24, 20)
        self.dense2 = nn.Linear(20, 2)

    def forward(self, x):
        x = self.pool(functional.relu(self.conv(x.reshape(x.shape[0], 1, -1))))  # [B][24][window / 4]
        x = x.transpose(1, 2).flatten(1)  # a position's filters beside each other, as Keras has them
        return self.dense2(functional.relu(self.dense1(x)))


def network(plan, weights=None):
    """The network with the weights of a .npy file of fitbench, or else with Glorot's uniform ones and biases of 0."""
    torch.manual_seed(plan["seed"])
    model = Network(plan["window"])
    if weights:
        arrays = worker_series.split_weights(np.load(weights), plan["window"])
    with torch.no_grad():
        for i, layer in enumerate([model.conv, model.dense1, model.dense2]):
            if weights:  # Keras's kernels end with the outputs, PyTorch's begin with them: (9, 1, 24) and (24, 1, 9)
                layer.weight.copy_(torch.from_numpy(arrays[2 * i].T.copy()))
                layer.bias.copy_(torch.from_numpy(arrays[2 * i + 1]))
            else:
                nn.init.xavier_uniform_(layer.weight)
                nn.init.zeros_(layer.bias)
    return model


def adam(model):
    """The optimizer as users make it. Its epsilon is added to the bias-corrected root, Keras's to the root before: the losses of
    the first hundred steps differ by less than 1e-4 for it."""
    return torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.999), eps=1e-7)


def train_step(model, optimizer, x, y):
    """One update by a batch: x float32, y the classes, [B] int64, or one-hot, [B][2] float32. Returns the batch's loss before the
    update, the mean over it, and how many samples were classed rightly."""
    optimizer.zero_grad()
    scores = model(x)
    loss = functional.cross_entropy(scores, y)
    loss.backward()
    optimizer.step()
    classes = y if y.ndim == 1 else y.argmax(1)
    return loss.detach(), (scores.detach().argmax(1) == classes).sum()
