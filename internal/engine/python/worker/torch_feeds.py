"""Ways for batches to reach a training step in PyTorch, as users write them. x is float32 or float64, y class numbers or one-hot."""
import numpy as np
import torch
from torch.utils.data import BatchSampler, DataLoader, Dataset, TensorDataset


# recipe: fit
# An array of all windows is built first: simple, at samples x window x 4 bytes.
# windows: numpy.lib.stride_tricks.sliding_window_view(series, window), a view [samples][window]; labels: class numbers [samples].
# Before the first epoch: loader = array_loader(windows, labels, batch_size)
# Each epoch:             for x, y in loader: your training step, as in the recipe "fit-windows"
#                         x: float32 [batch_size][window], y: int64 [batch_size]
def array_loader(windows, labels, batch_size, shuffle=True):
    rows = torch.from_numpy(np.array(windows, dtype=np.float32))
    classes = torch.from_numpy(labels.astype(np.int64))
    return DataLoader(TensorDataset(rows, classes), batch_size, shuffle=shuffle, drop_last=True)
# end recipe


# recipe: generator
# A Dataset cuts one window a call, in worker processes: lean, but each sample is a call in Python.
# series: float64 [samples + window - 1]; labels: class numbers [samples]; order: a list of the samples, shuffled anew each epoch.
# Each epoch: for x, y in sample_loader(series, labels, window, order, batch_size): your training step on x.float(), y.float()
#             x: [batch_size][window][1], y: one-hot [batch_size][2], which cross_entropy takes, too
# workers: 1 or more. Without "fork" (Windows has none) leave multiprocessing_context out, and train below if __name__ == "__main__".
class Samples(Dataset):
    def __init__(self, series, labels, window):
        self.series, self.labels, self.window = series, labels, window

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.series[i:i + self.window, None], np.eye(2)[self.labels[i]]


def sample_loader(series, labels, window, order, batch_size, workers=1, queue_size=10):
    return DataLoader(Samples(series, labels, window), batch_size, sampler=order, drop_last=True, num_workers=workers,
                      prefetch_factor=max(1, queue_size // workers), multiprocessing_context="fork")
# end recipe


# recipe: train-on-batch
# The training loop builds each batch itself with NumPy, between two steps, and hands over float64.
# windows: numpy.lib.stride_tricks.sliding_window_view(series, window), a view [samples][window]; labels: class numbers [samples];
# order: the samples, shuffled anew each epoch.
# Each epoch: for x, y in built_batches(windows, labels, order, batch_size): your training step on x.float(), y.float()
#             x: [batch_size][window][1], y: one-hot [batch_size][2], which cross_entropy takes, too
def built_batches(windows, labels, order, batch_size):
    for at in range(0, len(order) - batch_size + 1, batch_size):
        numbers = order[at:at + batch_size]
        x = windows[numbers][:, :, None]
        y = np.eye(2)[labels[numbers]]
        yield torch.from_numpy(x), torch.from_numpy(y)
# end recipe


# recipe: fit-windows
# The series is one tensor, a batch is sample numbers, and the training step gathers its windows.
# series: float32 tensor [samples + window - 1]; labels: int64 tensor [samples]; x: [batch_size][window], y: [batch_size].
# Each epoch: for numbers in torch.randperm(samples).split(batch_size):
#                 x, y = gather(series, labels, window, numbers)    # in the function that torch.compile is given, if any
#                 loss = torch.nn.functional.cross_entropy(model(x), y)
#                 optimizer.zero_grad()
#                 loss.backward()
#                 optimizer.step()
def gather(series, labels, window, numbers):
    windows = series.unfold(0, window, 1)  # a view [samples][window]
    return windows.index_select(0, numbers), labels.index_select(0, numbers)
# end recipe


# recipe: pipeline
# A DataLoader over batches of sample numbers: a worker process gathers each batch in one go, float32.
# series: float32 tensor [samples + window - 1]; labels: int64 tensor [samples]; order: a list of the samples, shuffled anew each epoch.
# Each epoch: for x, y in batch_loader(series, labels, window, order, batch_size): your training step, as in the recipe "fit-windows"
#             x: [batch_size][window], y: [batch_size]
# workers: 1 or more. Without "fork" (Windows has none) leave multiprocessing_context out, and train below if __name__ == "__main__".
class Batches(Dataset):
    def __init__(self, series, labels, window):
        self.windows, self.labels = series.unfold(0, window, 1), labels

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, numbers):
        numbers = torch.as_tensor(numbers)
        return self.windows[numbers], self.labels[numbers]


def batch_loader(series, labels, window, order, batch_size, workers=1, queue_size=10):
    sampler = BatchSampler(order, batch_size, drop_last=True)
    return DataLoader(Batches(series, labels, window), batch_size=None, sampler=sampler, num_workers=workers,
                      prefetch_factor=max(1, queue_size // workers), multiprocessing_context="fork")
# end recipe


# recipe: fit-chunked
# One piece of the epoch after the other becomes an array: memory for chunk_size windows, not for all.
# windows: numpy.lib.stride_tricks.sliding_window_view(series, window) of the float32 series, a view [samples][window]; labels: class
# numbers [samples]; order: the samples, shuffled anew each epoch; chunk_size: a multiple of batch_size.
# Each epoch: for x, y in chunked_batches(windows, labels, order, chunk_size, batch_size): your training step, as in "fit-windows"
#             x: float32 [batch_size][window], y: int64 [batch_size]
def rows_of(windows, labels, numbers):
    return torch.from_numpy(windows[numbers]), torch.from_numpy(labels[numbers].astype(np.int64))


def chunked_batches(windows, labels, order, chunk_size, batch_size, rows_of=rows_of):
    for at in range(0, len(order), chunk_size):
        piece = TensorDataset(*rows_of(windows, labels, order[at:at + chunk_size]))
        yield from DataLoader(piece, batch_size, drop_last=True)
# end recipe
