"""Importing a room brings no package that is only needed for a part of what it can do."""

import importlib
import itertools
import pkgutil
import subprocess
import sys
from types import ModuleType

from tools.packages import PACKAGES

HEAVY = {
    "sklearn.cluster", "sklearn.neighbors", "sklearn.linear_model", "sklearn.mixture", "sklearn.metrics",
    "numba", "librosa", "soundfile", "choix", "matplotlib", "IPython", "ipywidgets",
}  # fmt: skip


def test_rooms_are_entered_lightly():
    first = "import sys, course_lib.sequences, course_lib.gp, course_lib.judgments; print(*sys.modules)"
    then = "import course_lib.audio, course_lib.datasets as d; d.load_running_speech(); print(*sys.modules)"
    program = [sys.executable, "-c", f"{first}; {then}"]
    printed = subprocess.run(program, capture_output=True, text=True, check=True).stdout.splitlines()
    entered, with_sound = (set(line.split()) for line in printed)
    assert "course_lib.judgments" in entered
    assert HEAVY & entered == set()
    assert HEAVY & with_sound == {"soundfile"}


def test_no_function_hides_the_module_it_comes_from():
    """`course_lib.room.name` is the module of this name, whatever `course_lib.room` imports from it."""
    hidden = set()
    packages = [importlib.import_module(name) for name in PACKAGES]
    walks = [pkgutil.walk_packages(package.__path__, f"{package.__name__}.") for package in packages]
    for module in itertools.chain(*walks):
        importlib.import_module(module.name)
        package, _, last = module.name.rpartition(".")
        if not isinstance(getattr(sys.modules[package], last), ModuleType):
            hidden.add(module.name)
    assert hidden == set()
