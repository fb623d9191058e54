"""Makes the modules that the first argument carries importable, and runs the worker: python -c BOOT SOURCES ENGINE.

SOURCES is base64 of zlib of JSON, {module name: source}: so nothing has to be written to a disk, and no file can be left behind."""
import sys

if sys.version_info < (3, 7):
    sys.exit("this is Python %s; 3.7 or later is accepted" % sys.version.split()[0])
sys.path = [p for p in sys.path if p]  # the working directory is no place to import from: a user's json.py would be in the way
import base64, importlib.abc, importlib.util, json, zlib


class Carried(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds and loads the modules; their sources can be asked for, which TensorFlow does with what it compiles."""

    def __init__(self, sources):
        self.sources = sources

    def find_spec(self, name, path=None, target=None):
        if name in self.sources:
            return importlib.util.spec_from_loader(name, self, origin=self.filename(name))

    def filename(self, name):
        return "fitbench/%s.py" % name

    def get_source(self, name):
        return self.sources[name]

    def get_code(self, name):
        return compile(self.sources[name], self.filename(name), "exec", dont_inherit=True)


sys.meta_path.insert(0, Carried(json.loads(zlib.decompress(base64.b64decode(sys.argv[1])).decode())))
import worker_main

worker_main.main(sys.argv[2])
