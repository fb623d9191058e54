"""spy_jax.py WORKER ENGINE: what JAX is made to do; see spied.py."""
import spied

jobs = spied.jobs()
import jax
import jax_engine, jax_model


def spy(owner, name, note):
    """Has note called with the arguments before owner's function is."""
    original = getattr(owner, name)

    def spied_on(*args):
        note(*args)
        return original(*args)

    setattr(owner, name, spied_on)


def main():
    notes = spied.Notes()

    def computes(*args):
        notes["python_steps"] += 1

    def trains(mode, batch):
        notes.hand("", *batch)
        notes["threads"] = spied.limited_jax(mode.plan["threads"])

    def waits(waited_for):
        notes["waits"] += bool(notes["handed"] and jax.tree_util.tree_leaves(waited_for))  # not what a mode waits for while it is made

    spy(jax_model, "train_step", computes)
    spy(jax_engine.Mode, "step", trains)
    spy(jax, "block_until_ready", waits)
    spied.do_all(jax_engine, jobs, notes)


if __name__ == "__main__":
    main()
