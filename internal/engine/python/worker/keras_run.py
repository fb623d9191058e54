"""One run by Keras: what all modes have in common."""
import numpy as np

import keras_model, keras_package, keras_watch, worker_series


class Run:
    """The job's data and sizes, and what a mode does with them. The series is there once it is made.

    Attributes: package, clock, plan, size (samples in a batch), whole (samples in an epoch of whole batches), rows (samples in fit's
    arrays: so many, or all where the experiment's order, which names all, picks them), epochs (begun ones),
    series [N + window - 1] float64, labels [N] uint8; options, once there is a model: more of fit's arguments, with what keeps the time."""

    def __init__(self, package, clock):
        self.package, self.clock, self.plan = package, clock, clock.plan
        self.size, self.window = clock.size, clock.plan["window"]
        self.whole = clock.per_epoch * clock.size
        self.epochs = -(-clock.total // clock.per_epoch)
        self.parity = clock.job.get("parity", False)
        self.rows = self.plan["samples"] if self.parity else self.whole
        self.record = keras_watch.Record(clock, self.own())
        clock.phase("generate")
        self.series, self.labels = worker_series.generate(self.plan)

    def own(self):
        """Which figures come as each batch's own: before TensorFlow 2.2 fit's losses, and in every tf.keras all of train_on_batch's."""
        if self.package.legacy and self.clock.mode == "train-on-batch":
            return ("loss", "accuracy")
        return ("loss",) if self.package.legacy and self.package.release < (2, 2) else ()

    def views(self, dtype):
        """All windows of the series in this type, [N, window]; a view."""
        return worker_series.windows(self.series.astype(dtype), self.window)

    def one_hot(self):
        """The classes of fit's rows, [rows, 2] float32."""
        return worker_series.one_hot(self.labels[:self.rows]).astype(np.float32)

    def model(self, series=None):
        """The compiled network, which cuts its windows itself where a series float32 is given."""
        self.clock.phase("model")
        keras_package.seed(self.package, self.plan["seed"])
        model = keras_model.network(self.package.keras, self.window)
        if "initial_weights" in self.clock.job:
            keras_model.set_weights(model, self.clock.job["initial_weights"], self.window)
        if series is not None:
            model = keras_model.with_series(self.package, model, series, self.window)
        self.options = {"callbacks": keras_watch.callbacks(self.package, self.record, model), "verbose": 0}
        options = keras_package.compile_options(self.package, self.clock)
        if self.clock.execution == "compiled" and keras_package.op_by_op(self.package, self.clock.mode, options):
            self.clock.extra["op_by_op"] = True
        keras_model.compiled(self.package.keras, model, options)
        self.clock.phase("build")  # what a training does before its first step: TensorFlow copies an array there
        return model

    def whole_order(self, epoch):
        """All samples of an epoch of whole batches, in the experiment's order."""
        self.clock.phase("shuffle")
        numbers = worker_series.order(self.plan, epoch)[:self.whole]
        self.clock.phase("build")  # as above
        return numbers

    def order(self, epoch):
        """Those that are trained, fewer where the run ends, for a mode that trains them in this order."""
        steps = min(self.clock.per_epoch, self.clock.total - epoch * self.clock.per_epoch)
        numbers = self.whole_order(epoch)[:steps * self.size]
        self.clock.samples(numbers)
        self.record.handed = steps
        return numbers

    def built(self, *arrays):
        """Tells how much a mode keeps for its feed."""
        self.clock.extra["feed_bytes"] = int(sum(a.nbytes for a in arrays))

    def fit_arrays(self, model, x, y):
        """As users write it: fit shuffles the rows of x and y. For parity they come in the experiment's order."""
        if not self.parity:
            model.fit(x, y, batch_size=self.size, epochs=self.epochs, **self.options)
            return
        for epoch in range(self.epochs):
            numbers = self.order(epoch)
            model.fit(x[numbers], y[numbers], batch_size=self.size, shuffle=False, **self.only(epoch))

    def only(self, epoch):
        """The arguments of fit that train this epoch alone."""
        return dict(self.options, initial_epoch=epoch, epochs=epoch + 1)
