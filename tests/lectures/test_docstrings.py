"""What the library offers says what it needs, what it raises, and which section of which lecture derives it."""

import ast
import re
from functools import cache

import pytest

from tests.lectures.reading import LECTURES, ROOT, lecture

LIBRARY = ROOT / "course_lib"
MODULES = sorted(p for p in LIBRARY.rglob("*.py") if not {"homework", "_data"} & set(p.relative_to(LIBRARY).parts))
# No lecture derives these: they carry the others. `Lecture: 00.` without a section is enough for them, or nothing.
# A private module (`_name.py`) holds what a public one uses: a docstring is enough there too.
CARRIERS = {
    "__init__.py",
    "validation.py",
    "threads.py",
    "selfcheck.py",
    *(f"datasets/{name}.py" for name in ("files", "music", "speech", "tables", "pairs", "speechocean")),
    *(f"audio/{name}.py" for name in ("features", "playing", "signals")),
    "metrics.py",
    "plots/style.py",
    "explorers/frame.py",
    "explorers/source.py",
    "explorers/spoken.py",
}
PLACE = re.compile(r"Lecture: (\d\d)(?:, section (\d+))?\b")
SAYS_WHAT_IT_RAISES = re.compile(r"^Raises$|[Ee]rrors:|raises? (?:a )?ValueError|ValueError", flags=re.M)


def public_definitions(module):
    """(name, node) of every public class, function, and method of a module with a docstring to write."""
    for node in ast.parse(module.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            yield node.name, node
            for method in getattr(node, "body", []) if isinstance(node, ast.ClassDef) else []:
                if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                    yield f"{node.name}.{method.name}", method


DEFINITIONS = {path.relative_to(LIBRARY).as_posix(): list(public_definitions(path)) for path in MODULES}
TAUGHT = [where for where in DEFINITIONS if where not in CARRIERS and "/_" not in where and DEFINITIONS[where]]
every_module = pytest.mark.parametrize("where", [where for where in DEFINITIONS if DEFINITIONS[where]])


def places(node):
    """What a docstring names: [(lecture, section or "")]."""
    return PLACE.findall(ast.get_docstring(node) or "")


@cache
def sections():
    """Every place that a docstring may name: ("05", "") and ("05", "3") for each section that exists."""
    found = set()
    for path in LECTURES:
        found |= {(path.name[:2], "")} | {(path.name[:2], str(s.number)) for s in lecture(path).numbered}
    return found


@every_module
def test_all_have_docstrings(where):
    assert not [name for name, node in DEFINITIONS[where] if not ast.get_docstring(node)]


@pytest.mark.parametrize("where", TAUGHT)
def test_what_a_lecture_derives_names_its_section(where):
    named = {name: places(node) for name, node in DEFINITIONS[where] if "." not in name}
    assert not [name for name, found in named.items() if not found], "add a line: Lecture: NN, section K."
    assert not [name for name, found in named.items() if not all(section for _, section in found)], "which section?"
    assert not {name: set(found) - sections() for name, found in named.items() if set(found) - sections()}


@pytest.mark.parametrize("where", [where for where in DEFINITIONS if where in CARRIERS and DEFINITIONS[where]])
def test_carriers_name_sections_that_exist_or_a_lecture_to_come(where):
    written = {path.name[:2] for path in LECTURES}
    named = {name: {one for one in places(node) if one[0] in written} for name, node in DEFINITIONS[where]}
    assert not {name: found - sections() for name, found in named.items() if found - sections()}


@every_module
def test_what_raises_says_so(where):
    """A function that raises ValueError itself says when, or points to the function that does."""
    silent = []
    for name, node in DEFINITIONS[where]:
        raised = [n for n in ast.walk(node) if isinstance(n, ast.Raise) and "ValueError" in ast.dump(n)]
        docstring = ast.get_docstring(node) or ""
        if isinstance(node, ast.FunctionDef) and raised and not SAYS_WHAT_IT_RAISES.search(docstring):
            silent.append(name)
    assert not silent
