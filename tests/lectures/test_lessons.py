"""What one lecture alone uses lives with its lesson: computed from the imports of packages, lectures and homework."""

import ast
import pkgutil
from functools import cache

import nbformat

import course_lessons
import course_widgets
from tests.lectures.reading import LECTURES, ROOT
from tools.packages import PACKAGES

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts): path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
}
SHARED = ("course_lib.sequences", "course_lib.gp", "course_lib.judgments", "course_widgets")
OF_USERS_ALONE = ("course_studies", "course_personaliser")  # who have a table, or listen; lectures 14 and 12 show both


def imported(source):
    """Names of the modules of the course that a source imports, or imports from."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found & MODULES.keys()


def code(path):
    cells = nbformat.read(path, as_version=4).cells
    lines = "\n".join(cell.source for cell in cells if cell.cell_type == "code").splitlines()
    return "\n".join(line for line in lines if not line.lstrip().startswith(("%", "!")))


@cache
def users():
    """{module: {who imports it}}: a lesson's name for all of its package, its lecture and its homework."""
    found = {name: set() for name in MODULES}
    sources = [(path.stem[3:], code(path)) for path in [*LECTURES, *ROOT.glob("solutions/*/*.ipynb")]]
    for name, path in MODULES.items():
        package, *rest = [*name.split("."), ""]
        sources.append((rest[0] if package == "course_lessons" else name, path.read_text(encoding="utf-8")))
    for who, source in sources:
        for name in imported(source):
            found[name].add(who)
    return found


def misplaced(name, who):
    """Why a module should not stand in its room, or None."""
    if any(one.endswith("__init__") for one in who):
        return None
    lessons = {one for one in who if not one.startswith("course_")}
    if not who:
        return f"nothing imports {name}"
    return f"{name} is used by the lesson {min(lessons)} alone" if len(lessons) == len(who) == 1 else None


def test_lessons_are_named_as_their_lectures():
    assert {one.name for one in pkgutil.iter_modules(course_lessons.__path__)} == {path.stem[3:] for path in LECTURES}


def test_what_one_lesson_alone_uses_lives_with_it():
    inner = {name for name in MODULES if name.startswith(SHARED) and not name.endswith("__init__")}
    inner -= {f"course_widgets.{place}" for place in course_widgets.PLACES.values()}  # imported by name
    found = {name: misplaced(name, users()[name]) for name in inner}
    assert [why for why in found.values() if why] == []


def test_every_module_of_studies_and_of_the_personaliser_is_used():
    inner = {name for name in MODULES if name.startswith(OF_USERS_ALONE) and not name.endswith("__init__")}
    assert {name for name in inner if not users()[name]} == set()


def test_what_is_misplaced_is_noticed():
    assert "alone" in misplaced("gp.alarm", {"hmm"})
    assert "nothing" in misplaced("gp.alarm", set())
    assert misplaced("gp.alarm", {"hmm", "dtw"}) is misplaced("gp.alarm", {"hmm", "course_lib.gp.sites"}) is None
