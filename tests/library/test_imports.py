"""Importing a room brings no package that is only needed for a part of what it can do."""

import importlib
import pkgutil
import subprocess
import sys
from types import ModuleType

import pytest

import course_lib

HEAVY = {
    "sklearn.cluster", "sklearn.neighbors", "sklearn.linear_model", "sklearn.mixture", "sklearn.metrics",
    "numba", "librosa", "soundfile", "choix", "matplotlib", "IPython", "ipywidgets",
}  # fmt: skip


@pytest.mark.parametrize("room", ["sequences", "gp", "judgments"])
def test_a_room_is_entered_lightly(room):
    program = f"import sys, course_lib.{room}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert f"course_lib.{room}" in loaded
    assert HEAVY & set(loaded) == set()


def test_no_function_hides_the_module_it_comes_from():
    """`course_lib.room.name` is the module of this name, whatever `course_lib.room` imports from it."""
    hidden = set()
    for module in pkgutil.walk_packages(course_lib.__path__, "course_lib."):
        importlib.import_module(module.name)
        package, _, last = module.name.rpartition(".")
        if not isinstance(getattr(sys.modules[package], last), ModuleType):
            hidden.add(module.name)
    assert hidden == set()
