"""Faults that a person could make, planted one at a time: does a test see each of them?

    python -m benchmarks.planted                      all faults of planted.toml, as a table in Markdown
    python -m benchmarks.planted "lost mean" asking   those whose name or room holds one of these words
    python -m benchmarks.planted --list               their names, and what is tried first
    python -m benchmarks.planted --whole              what nobody of these catches is tried on all of tests/course_lib
    python -m benchmarks.planted --root DIR           in another checkout of this repository, such as an older one

Each fault has a copy of the repository of its own, in which the listed tests run until one fails. Tests that fail in a
copy without any fault catch nothing. Exit code 1: the table is out of date, a fault is not caught, or one is caught
whose `missed` says that it is not.
"""

import argparse
import importlib
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from tools import notebooks
from tools.packages import PACKAGES

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_suffix(".toml")
PYTEST = ("-q", "--nbval", "--tb=no", "-rfE", "-p", "no:cacheprovider", "--hypothesis-seed=0")
NOTHING_FAILED, SOMETHING_FAILED, STOPPED, BROKEN, NOT_FOUND = range(5)
OURS = ("benchmarks", *PACKAGES, "tests", "tools")
HEAVY = (
    "hypothesis",
    "ipywidgets",
    "matplotlib.figure",
    "nbval.plugin",
    "numba",
    "pandas",
    "scipy.stats",
    "sklearn.cluster",
)
CAUGHT, MISSED, NOT_THERE = "caught", "not caught", "not applicable there"


@dataclass(frozen=True)
class Fault:
    """One row of the table.

    file : in which `text` stands once and becomes `fault`;  tests : what pytest is to try, in their order
    missed : why no test of `make test` and `make test-more` catches it, or empty
    """

    name: str
    room: str
    file: str
    text: str
    fault: str
    tests: list
    missed: str = ""

    def fits(self, root):
        """Whether the text is there to be replaced, once."""
        path = root / self.file
        return path.is_file() and path.read_text(encoding="utf-8").count(self.text) == 1

    def tests_in(self, root):
        """Those of its tests whose files are there."""
        return [test for test in self.tests if (root / test.split("::")[0]).is_file()]


def faults(words=()):
    """The rows of the table, or those whose name or room holds one of the words."""
    found = [Fault(**row) for row in tomllib.loads(TABLE.read_text(encoding="utf-8"))["fault"]]
    return [one for one in found if not words or any(word in f"{one.name} {one.room}" for word in words)]


def copied(root, place):
    """A copy without history, but with what is compiled, which says by its sources' times whether it is valid."""
    listing = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split("\0")
    sources = [path for path in (root / name for name in names if name) if path.is_file()]
    compiled = [one for folder in {path.parent for path in sources} for one in folder.glob("__pycache__/*.*")]
    for path in (*sources, *compiled):
        target = place / path.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target)
    return place


def planted(base, place, fault):
    """A copy of a copy, with one fault. All else is linked, but for what Numba compiled out of the changed file."""
    numba = {path.name.split(".")[0] for path in (base / fault.file).parent.glob("__pycache__/*.nbi")}
    callers = [path for path in (base / fault.file).parent.glob("*.py") if path.stem in numba]
    stale = {
        path.stem for path in callers if Path(fault.file).stem in (path.stem, *re.findall(r"\w+", path.read_text()))
    }
    shutil.copytree(base, place, copy_function=os.link, dirs_exist_ok=True)
    for path in (place / fault.file).parent.glob("__pycache__/*.nb?"):
        if path.name.split(".")[0] in stale:
            path.unlink()
    changed = (place / fault.file).read_text(encoding="utf-8").replace(fault.text, fault.fault)
    (place / fault.file).unlink()
    (place / fault.file).write_text(changed, encoding="utf-8")
    if fault.file.endswith(".ipynb"):  # as `make run` would leave it: who changes a lecture runs it
        notebook = notebooks.whole(place / fault.file)
        notebooks.name_cells(notebook)
        notebooks.write(notebook, place / fault.file)
    return place


def tried(place, tests, *options):
    """(pytest's exit code, the names of the tests that failed) in a copy; a fork has imported what is not ours."""
    with tempfile.TemporaryFile("w+") as said:
        child = os.fork()
        if not child:
            code = BROKEN
            try:
                _become(place, said.fileno())
                code = importlib.import_module("pytest").main([*PYTEST, *options, *tests])
            finally:
                os._exit(code)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        text = said.read()
    if code < 0:  # what is compiled may die of a fault, and says no more
        return SOMETHING_FAILED, tests[:1]
    if code not in (NOTHING_FAILED, SOMETHING_FAILED, STOPPED, NOT_FOUND):
        raise RuntimeError(f"pytest ended with {code} on {', '.join(tests)}:\n{text}")
    return code, re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", text, flags=re.MULTILINE)


def _become(place, said):
    """Make this process one that was started in the copy, and knows no other."""
    os.chdir(place)
    os.environ["PYTHONPATH"] = str(place)
    sys.path[:] = [str(place), *(path for path in sys.path if path not in ("", str(ROOT)))]
    sys.dont_write_bytecode = False
    for name in [one for one in sys.modules if one.split(".")[0] in OURS]:
        del sys.modules[name]
    os.dup2(said, 1)
    os.dup2(said, 2)


def catcher(base, fault, whole):
    """The first test that fails with this fault, or None."""
    with tempfile.TemporaryDirectory(prefix="planted-", dir=base.parent) as folder:
        place = planted(base, Path(folder), fault)
        for test in [*fault.tests_in(place), *(["tests/course_lib"] if whole else [])]:
            code, failed = tried(place, [test], "-x")
            if code == NOT_FOUND and not failed and "::" in test:  # it has another name by now
                _, failed = tried(place, [test.split("::")[0]], "-x")
            if failed:
                print(f"{fault.name}: {failed[0]}", file=sys.stderr, flush=True)
                return failed[0]
    print(f"{fault.name}: not caught", file=sys.stderr, flush=True)
    return None


def failing_anyway(base, names):
    """Those of these tests that fail without any fault, too; cells of a notebook with those before them."""
    asked = {f"{book}::Cell {k}" for book, last in map(_cell, names) if last for k in range(int(last) + 1)}
    wanted = sorted({*asked, *(name for name in names if not _cell(name)[1])}, key=_order)
    return set(tried(base, wanted)[1]) if wanted else set()


def _cell(name):
    """(notebook, number of the cell) of nbval's name of a test, or (name, nothing)."""
    return name.partition("::Cell ")[::2]


def _order(name):
    book, cell = _cell(name)
    return book, int(cell or 0)


def judged(root, chosen, whole=False):
    """[(fault, what became of it, the test that catches it)], in their order."""
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        base = copied(root, Path(folder, "base"))
        caught = {one.name: catcher(base, one, whole) for one in chosen if one.fits(root)}
        anyway = failing_anyway(base, {name for name in caught.values() if name})
    rows = []
    for one in chosen:
        by = caught.get(one.name)
        state = NOT_THERE if one.name not in caught else CAUGHT if by and by not in anyway else MISSED
        rows.append((one, state, by or ""))
    return rows


def table(rows):
    """The rows in Markdown, and a line that counts them."""
    lines = ["| fault | room | caught by |", "|---|---|---|"]
    for fault, state, by in rows:
        beside = by.replace("|", "\\|") if state == CAUGHT else f"**{state}**"
        if state == MISSED:
            beside += f": {fault.missed}" if fault.missed else f" ({by} fails without it, too)" if by else ""
        lines.append(f"| {fault.name} | {fault.room} | {beside} |")
    there = [state for _, state, _ in rows if state != NOT_THERE]
    used = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    counted = f"{there.count(CAUGHT)} of {len(there)} planted faults are caught; {len(rows) - len(there)} do not apply"
    return "\n".join([*lines, "", f"{counted}; {used:.0f} s of processor time."])


def main(arguments=None):
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.planted", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="words in names or rooms of faults; none: all")
    parser.add_argument("--list", action="store_true", help="name the faults and the tests that are tried first")
    parser.add_argument("--whole", action="store_true", help="try all of tests/course_lib where these catch nothing")
    parser.add_argument("--root", type=Path, default=ROOT, help="another checkout of this repository")
    given = parser.parse_args(arguments)
    chosen = faults(given.names)
    if given.list:
        print("\n".join(f"{one.room}: {one.name} ({', '.join(one.tests)})" for one in chosen))
        return 0
    root = given.root.resolve()
    outdated = [f"{one.file} does not hold once: {one.text!r} ({one.name})" for one in chosen if not one.fits(root)]
    outdated += [f"not there: some of {one.tests} ({one.name})" for one in chosen if one.tests_in(root) != one.tests]
    if outdated and root == ROOT:
        print("planted.toml is out of date:", *outdated, sep="\n", file=sys.stderr)
        return 1
    for name in [one for one in os.environ if one.startswith(("PYTEST_", "NUMBA_CACHE", "PYTHONDONTWRITE"))]:
        del os.environ[name]
    os.environ.update(OMP_NUM_THREADS="1", MPLBACKEND="agg")
    for name in ("pytest", *HEAVY):  # once for all: to import them takes longer than most tests
        importlib.import_module(name)
    rows = judged(root, chosen, given.whole)
    print(table(rows))
    return int(any((state == CAUGHT) == bool(one.missed) for one, state, _ in rows if state != NOT_THERE))


if __name__ == "__main__":
    sys.exit(main())
