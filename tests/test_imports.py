"""Importing a room brings no package that is only needed for a part of what it can do."""

import importlib
import itertools
import pkgutil
import pydoc
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import course_lib
from tests.bad_input import ROOMS
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


def test_the_library_shows_its_rooms_before_any_is_imported():
    program = """import course_lib, sys
print(*[name for name in sys.modules if name.startswith("course_lib.")], "numpy" in sys.modules)
print(*dir(course_lib), course_lib.judgments.RaterGP.__name__)"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    imported, shown = run.stdout.splitlines()
    assert imported == "False"
    assert shown == "__version__ audio datasets gp judgments metrics sequences RaterGP"
    with pytest.raises(AttributeError, match="'course_lib' has no attribute 'explorers'"):
        course_lib.explorers  # noqa: B018


def test_help_says_what_readme_begins_with():
    said = " ".join(pydoc.plain(pydoc.render_doc(course_lib)).split())
    readme = Path(course_lib.__file__).with_name("README.md").read_text(encoding="utf-8")
    first, rooms = readme.split("\n\n")[1:3]
    assert first in said and " ".join(rooms.strip("`").split()) in said


@pytest.mark.parametrize("room", sorted(set(ROOMS.values()) - {"course_widgets"}))  # which imports what is asked for
def test_a_room_offers_what_it_imports(room):
    module = importlib.import_module(room)
    given = {name: thing for name, thing in vars(module).items() if not name.startswith("_")}
    assert {name for name, thing in given.items() if not isinstance(thing, ModuleType)} == set(module.__all__)
    assert set(module.__all__) <= set(dir(module))
