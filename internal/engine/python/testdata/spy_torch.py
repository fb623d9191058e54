"""spy_torch.py WORKER ENGINE: what PyTorch is made to do; see spied.py. What torch.compile gives out here is not compiled, which would take
minutes: steps that went through it are those in which Python did not compute itself."""
import spied

jobs = spied.jobs()
import torch
import torch_engine

UNLIMITED = 3  # threads, as many as no job here asks for


def main():
    notes, original = spied.Notes(interop=None), torch_engine.Mode.step

    def compile(function):
        def compiled(*args):
            notes["python_steps"] -= 1
            return function(*args)

        return compiled

    def limit_interop(threads):
        notes["interop"] = threads  # PyTorch itself takes it once in a process

    def step(mode, batch):
        notes["python_steps"] += 1
        notes.hand(type(mode.loader.sampler).__name__ if hasattr(mode, "loader") else "", *batch)
        notes["threads"] = torch.get_num_threads() if notes["interop"] == 1 else None
        original(mode, batch)

    torch.compile, torch.set_num_interop_threads, torch_engine.Mode.step = compile, limit_interop, step
    torch.set_num_threads(UNLIMITED)
    spied.do_all(torch_engine, jobs, notes)


if __name__ == "__main__":
    main()
