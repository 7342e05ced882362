"""What the library offers says what it is, and each module which sections of which lecture derive it."""

import ast
import inspect
from functools import cache
from importlib import import_module
from operator import attrgetter

import pytest

from tests.lectures.reading import LECTURES, ROOT, lecture
from tools.packages import PACKAGES
from tools.site.reference import places

MODULES = sorted(
    path
    for package in PACKAGES
    if package != "course_checks"
    for path in (ROOT / package).rglob("*.py")
    if "_data" not in path.parts
)
# No lecture derives these: they carry the others. `Lecture: 00.` without a section is enough for them, or nothing.
# A private module (`_name.py`) holds what a public one uses: a docstring is enough there too.
CARRIERS = {
    "__init__.py",
    *(f"{package}/__init__.py" for package in PACKAGES),
    *(f"course_lib/{name}.py" for name in ("validation", "selection", "threads", "settings", "metrics")),
    "course_lib/sequences/checks.py",
    *(f"course_lib/datasets/{name}.py" for name in ("files", "music", "speech", "tables", "pairs")),
    *(f"course_lib/audio/{name}.py" for name in ("features", "playing", "signals")),
    *(
        f"course_widgets/{name}.py"
        for name in ("controls", "frame", "geometry", "extras", "replies", "source", "style", "svg")
    ),
    *(f"course_lessons/start_here/{name}.py" for name in ("readiness", "explore")),
}


def public_definitions(module):
    """(name, node) of every public class, function, and method of a module with a docstring to write."""
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield node.name, node
            for method in getattr(node, "body", []) if isinstance(node, ast.ClassDef) else []:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    yield f"{node.name}.{method.name}", method


DEFINITIONS = {path.relative_to(ROOT).as_posix(): list(public_definitions(path)) for path in MODULES}
TAUGHT = [where for where in DEFINITIONS if where not in CARRIERS and "/_" not in where and DEFINITIONS[where]]
every_module = pytest.mark.parametrize("where", [where for where in DEFINITIONS if DEFINITIONS[where]])


def inherited(where, name):
    """The docstring that `help` takes from a base class, for a method without its own."""
    module = import_module(where.removesuffix(".py").replace("/", "."))
    return "." in name and inspect.getdoc(attrgetter(name)(module))


@cache
def sections():
    """Every place that a docstring may name: ("05", "") and ("05", "3") for each section that exists."""
    found = set()
    for path in LECTURES:
        found |= {(path.name[:2], "")} | {(path.name[:2], str(s.number)) for s in lecture(path).numbered}
    return found


@every_module
def test_all_have_docstrings(where):
    """A method may have that of the method it overrides."""
    assert not [name for name, node in DEFINITIONS[where] if not (ast.get_docstring(node) or inherited(where, name))]


@pytest.mark.parametrize("where", [where for where in DEFINITIONS if DEFINITIONS[where]])
def test_a_module_names_the_sections_that_derive_it(where):
    docstring = ast.get_docstring(ast.parse((ROOT / where).read_text(encoding="utf-8"))) or ""
    named = set(places(docstring))
    assert named <= sections() | {("00", "")}, named - sections()
    if where in TAUGHT:
        assert named, "add a line to the module's docstring: Lecture: NN, section K."
        assert all(section for _, section in named), "which section?"


def test_places_are_read():
    assert places("A.\n\nLecture: 04, sections 2–4 and 7; 05.") == [*(("04", k) for k in "2347"), ("05", "")]
