"""Faults that a person could make, planted one at a time: does `make test` see each of them?

    python -m benchmarks.planted                      all faults of planted.toml, as a table in Markdown
    python -m benchmarks.planted "lost mean" asking   those whose name or room holds one of these words
    python -m benchmarks.planted --list               their names, and what is tried first
    python -m benchmarks.planted --whole              what nobody of these catches is tried on all of tests/library
    python -m benchmarks.planted --root DIR           in another checkout of this repository, such as an older one

Each fault has a copy of the repository of its own, in which the listed tests run until one fails. Tests that fail in a
copy without any fault catch nothing. Exit code 1: the table is out of date, a fault is not caught, or one is caught
whose `missed` says that it is not.
"""

import argparse
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

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_suffix(".toml")
PYTEST = ("-m", "pytest", "-q", "--nbval", "--tb=no", "-rfE", "-p", "no:cacheprovider", "--hypothesis-seed=0")
NOTHING_FAILED, SOMETHING_FAILED, STOPPED, NOT_FOUND = 0, 1, 2, 4
CAUGHT, MISSED, NOT_THERE = "caught", "not caught", "not applicable there"


@dataclass(frozen=True)
class Fault:
    """One row of the table.

    file : in which `text` stands once and becomes `fault`;  tests : what pytest is to try, in their order
    missed : why nothing in `make test` catches it, or empty
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

    def plant(self, root):
        """Make the fault in this copy."""
        path = root / self.file
        path.write_text(path.read_text(encoding="utf-8").replace(self.text, self.fault), encoding="utf-8")


def faults(words=()):
    """The rows of the table, or those whose name or room holds one of the words."""
    found = [Fault(**row) for row in tomllib.loads(TABLE.read_text(encoding="utf-8"))["fault"]]
    return [one for one in found if not words or any(word in f"{one.name} {one.room}" for word in words)]


def copied(root, place, changed=""):
    """A copy without history, but with what is compiled, as far as it knows nothing of the file that is to change."""
    listing = ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split("\0")
    files = [name for name in names if name and (root / name).is_file()]
    for name in files:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(root / name, place / name)
    module = Path(changed).stem
    for name in (one for one in files if one.endswith(".py")):
        path, stale = root / name, changed.endswith(".py") and module in (root / name).read_text(encoding="utf-8")
        for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
            numba = compiled.suffix in (".nbi", ".nbc")  # which holds what it calls in other modules, as it was
            if name != changed and not (numba and stale):
                (place / name).parent.joinpath("__pycache__").mkdir(exist_ok=True)
                shutil.copy2(compiled, (place / name).parent / "__pycache__")
    return place


def tried(place, tests, *options):
    """(pytest's exit code, the names of the tests that failed) in a copy."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "NUMBA_CACHE"))}
    variables = {"PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, *PYTEST, *options, *tests]
    run = subprocess.run(command, cwd=place, env={**kept, **variables}, capture_output=True, text=True)
    failed = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", run.stdout, flags=re.MULTILINE)
    if run.returncode not in (NOTHING_FAILED, SOMETHING_FAILED, STOPPED, NOT_FOUND):
        raise RuntimeError(f"pytest ended with {run.returncode} on {', '.join(tests)}:\n{run.stdout}{run.stderr}")
    return run.returncode, failed


def catcher(root, fault, whole):
    """The first test that fails with this fault, or None."""
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        place = copied(root, Path(folder), fault.file)
        fault.plant(place)
        for test in [*fault.tests, *(["tests/library"] if whole else [])]:
            code, failed = tried(place, [test], "-x")
            if code == NOT_FOUND and not failed and "::" in test:  # it has another name by now
                _, failed = tried(place, [test.split("::")[0]], "-x")
            if failed:
                return failed[0]
    return None


def failing_without(root, names):
    """Those of these tests that fail in a copy without any fault, too; of a notebook, with the cells before."""
    asked = {f"{book}::Cell {k}" for book, last in map(_cell, names) if last for k in range(int(last) + 1)}
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        wanted = sorted({*asked, *(name for name in names if not _cell(name)[1])}, key=_order)
        return set(tried(copied(root, Path(folder)), wanted)[1]) if wanted else set()


def _cell(name):
    """(notebook, number of the cell) of nbval's name of a test, or (name, nothing)."""
    return name.partition("::Cell ")[::2]


def _order(name):
    book, cell = _cell(name)
    return book, int(cell or 0)


def judged(root, chosen, whole=False):
    """[(fault, what became of it, the test that catches it)], in their order."""
    caught = {one.name: catcher(root, one, whole) for one in chosen if one.fits(root)}
    anyway = failing_without(root, sorted({name for name in caught.values() if name}))
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
    parser.add_argument("--whole", action="store_true", help="try all of tests/library where these catch nothing")
    parser.add_argument("--root", type=Path, default=ROOT, help="another checkout of this repository")
    given = parser.parse_args(arguments)
    chosen = faults(given.names)
    if given.list:
        print("\n".join(f"{one.room}: {one.name} ({', '.join(one.tests)})" for one in chosen))
        return 0
    root = given.root.resolve()
    outdated = [f"{one.file} does not hold once: {one.text!r} ({one.name})" for one in chosen if not one.fits(root)]
    if outdated and root == ROOT:
        print("planted.toml is out of date:", *outdated, sep="\n", file=sys.stderr)
        return 1
    rows = judged(root, chosen, given.whole)
    print(table(rows))
    return int(any((state == CAUGHT) == bool(one.missed) for one, state, _ in rows if state != NOT_THERE))


if __name__ == "__main__":
    sys.exit(main())
