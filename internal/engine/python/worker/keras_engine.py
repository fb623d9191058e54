"""Keras as an engine: Keras 3 on any backend, tf_keras, and the tf.keras of older TensorFlows, 2.0.0 included.

@compiled is as compile() has it by default, @eager is run_eagerly. TensorFlow 2.0.0 runs fit_generator and train_on_batch op by op
in both, and Keras on torch compiles a step only where jit_compile asks for it."""
import os, sys

import keras_data, keras_feeds, keras_package, keras_run, worker_clock

CELLS = (
    "fit@compiled",
    "fit@eager",
    "generator@compiled",
    "generator@eager",
    "train-on-batch@compiled",
    "train-on-batch@eager",
    "fit-windows@compiled",
    "fit-windows@eager",
    "pipeline@compiled",
    "pipeline-map-first@compiled",
    "timeseries-helper@compiled",
    "fit-chunked@compiled",
    "fit-sequence@compiled",
    "fit-sequence-unshuffled@compiled",
)

SEVERAL = (
    "fit@compiled",
    "generator@compiled",
    "fit-windows@compiled",
    "pipeline@compiled",
    "pipeline-map-first@compiled",
    "timeseries-helper@compiled",
    "fit-chunked@compiled",
    "fit-sequence@compiled",
    "fit-sequence-unshuffled@compiled",
)

MODES = {
    "fit": keras_feeds.fit,
    "generator": keras_feeds.generator,
    "train-on-batch": keras_feeds.train_on_batch,
    "fit-windows": keras_feeds.fit_windows,
    "pipeline": keras_data.pipeline,
    "pipeline-map-first": keras_data.pipeline_map_first,
    "timeseries-helper": keras_data.timeseries_helper,
    "fit-chunked": keras_feeds.fit_chunked,
    "fit-sequence": keras_feeds.fit_sequence,
    "fit-sequence-unshuffled": keras_feeds.fit_sequence_unshuffled,
}


def describe(name):
    """Loads the package of an engine (keras, keras@BACKEND or tf-keras), limits its threads, and returns the versions."""
    package = keras_package.load(name)
    keras_package.set_threads(package, int(os.environ["OMP_NUM_THREADS"]))  # which the worker sets to the plan's threads
    return keras_package.versions(package)


def train(clock):
    """Does the clock's job. What remains running in the background when Done comes through ends with the process."""
    run = keras_run.Run(keras_package.load(sys.argv[2]), clock)  # the worker's arguments: SOURCES ENGINE
    try:
        MODES[clock.mode](run)
    except worker_clock.Done:
        run.record.end_epoch()
        raise
