"""What the library offers says what it needs, what it raises, and which section of which lecture derives it."""

import ast
import re

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
    "widgets/explore.py",
    "widgets/source.py",
}
PLACE = re.compile(r"Lecture: (\d\d)(?:, section (\d+))?\b")


def public_definitions():
    """(name, node, module) of every public class, function, and method with a docstring to write."""
    for module in MODULES:
        where = module.relative_to(LIBRARY).as_posix()
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
                yield f"{where}:{node.name}", node, where
                for method in getattr(node, "body", []) if isinstance(node, ast.ClassDef) else []:
                    if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                        yield f"{where}:{node.name}.{method.name}", method, where


DEFINITIONS = list(public_definitions())
every_definition = pytest.mark.parametrize(
    ("node", "where"), [(node, where) for _, node, where in DEFINITIONS], ids=[name for name, *_ in DEFINITIONS]
)
TAUGHT = [
    (name, node)
    for name, node, where in DEFINITIONS
    if where not in CARRIERS and "/_" not in where and "." not in name.split(":")[1]
]


def sections():
    """Every place that a docstring may name: "05" and ("05", "3") for each section that exists."""
    found = set()
    for path in LECTURES:
        found |= {(path.name[:2], None)} | {(path.name[:2], str(s.number)) for s in lecture(path).numbered}
    return found


@every_definition
def test_has_a_docstring(node, where):
    assert ast.get_docstring(node)


@pytest.mark.parametrize("node", [node for _, node in TAUGHT], ids=[name for name, _ in TAUGHT])
def test_names_a_section_that_exists(node):
    places = PLACE.findall(ast.get_docstring(node) or "")
    assert places, "add a line: Lecture: NN, section K."
    for number, section in places:
        assert section, "a function that a lecture derives names the section: Lecture: NN, section K."
        assert (number, section) in sections(), f"lecture {number} has no section {section}"


@every_definition
def test_carriers_name_sections_that_exist_or_a_lecture_to_come(node, where):
    for number, section in PLACE.findall(ast.get_docstring(node) or ""):
        if where in CARRIERS and number in {path.name[:2] for path in LECTURES}:
            assert (number, section or None) in sections()


@every_definition
def test_says_what_it_raises(node, where):
    """A function that raises ValueError itself says when, or points to the function that does."""
    raised = [n for n in ast.walk(node) if isinstance(n, ast.Raise) and "ValueError" in ast.dump(n)]
    if isinstance(node, ast.FunctionDef) and raised:
        docstring = ast.get_docstring(node) or ""
        assert re.search(r"^Raises$|[Ee]rrors:|raises? (?:a )?ValueError|ValueError", docstring, flags=re.M)
