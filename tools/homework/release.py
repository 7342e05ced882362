"""Makes exercises/ from solutions/, checks it, and packs what a student needs.

    make release            exercises/, dist/course_for_students.zip, the branch for-students
    make release HW=03      the same, where this homework alone changed: in seconds
    python -m tools.homework.release --check    changes nothing; fails if exercises/ are not up to date

What the checks know of mistakes is computed first, from mistakes/. nbgrader's own library replaces the solutions by
stubs and removes hidden tests and outputs. What it leaves, the saved state of widgets, is removed here; mistakes/ and
the modules with hidden cases stay behind. Then every released file is searched for lines of solutions and hidden
cases: no exercise is written if one is found. Regenerating gives the same bytes.
"""

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

import nbformat

from tools.homework import bundle, known
from tools.homework.leaks import find_leaks
from tools.homework.nbgrading import NbgraderFailure, generate
from tools.homework.sheets import HIDDEN, NEVER_RELEASED, checks_files

ROOT = Path(__file__).resolve().parents[2]


class ReleaseError(RuntimeError):
    """The exercises cannot be released as they are; the message lists why."""


def homeworks(root):
    """Names of the homeworks in root/solutions, in their order."""
    return sorted(path.parent.name for path in Path(root, "solutions").glob("*/*.ipynb"))


def homework_named(root, number):
    """The name of a homework from its number, as in 3 or 03, or from its name.

    Raises
    ------
    ValueError
        If there is none, or several.
    """
    names, wanted = homeworks(root), number.zfill(2) if number.isdecimal() else number
    found = [wanted] if wanted in names else [one for one in names if wanted and one.startswith(f"{wanted}_")]
    if len(found) != 1:
        raise ValueError(f"there is no homework {number}; there are {', '.join(names)}.")
    return found[0]


def exercises(root):
    """The released files of a course, made from root/solutions and checked.

    Returns
    -------
    dict from path relative to exercises/ to bytes

    Raises
    ------
    ReleaseError
        If a released file would hold a secret, or a source is not complete.
    NbgraderFailure
        If nbgrader refuses a source.
    """
    with tempfile.TemporaryDirectory() as place:
        ignored = shutil.ignore_patterns(*bundle.IGNORED_NAMES, *NEVER_RELEASED)
        shutil.copytree(Path(root, "solutions"), Path(place, "solutions"), ignore=ignored)
        leaks = []
        for name in homeworks(place):
            generate(place, name)
            folder = Path(place, "exercises", name)
            for path in folder.glob("*.ipynb"):
                tidy(path)
            beside = [shutil.copy(path, folder) for path in checks_files(Path(root, "solutions", name))]
            modules = [path.read_text(encoding="utf-8") for path in Path(root, "solutions", name, HIDDEN).glob("*.py")]
            for path in Path(place, "solutions", name).glob("*.ipynb"):
                leaks += [f"{name}: {leak}" for leak in find_leaks(nbformat.read(path, as_version=4), folder, modules)]
            for path in beside:  # which students get too, in course_checks/
                Path(path).unlink()
        if leaks:
            raise ReleaseError("\n".join(["Not released, because this would reveal solutions:", *leaks]))
        return bundle.contents(Path(place, "exercises"))


def tidy(path):
    """Removes from a released notebook what nbgrader leaves, and writes it with one final newline."""
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata.pop("widgets", None)
    path.write_text(nbformat.writes(notebook).rstrip("\n") + "\n", encoding="utf-8")


def differences(made, folder):
    """Sentences about how a folder differs from the files that were made."""
    there = bundle.contents(folder) if folder.is_dir() else {}
    found = [f"{name} is missing" for name in made if name not in there]
    found += [f"{name} is not made from solutions/" for name in there if name not in made]
    return found + [f"{name} is out of date" for name in made if name in there and there[name] != made[name]]


def write(made, folder):
    """Writes the released files; others in the folder are left alone."""
    for name, data in made.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def main(arguments=None):
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="make release", description=__doc__.splitlines()[0])
    parser.add_argument("homework", nargs="*", help="03: it alone changed, and what is known of it is computed anew")
    parser.add_argument("--check", action="store_true", help="change nothing; fail if exercises/ are not up to date")
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the course")
    given = parser.parse_args(arguments)
    try:
        given.homework = [homework_named(given.root, one) for one in given.homework]
    except ValueError as reason:
        parser.error(str(reason))
    try:
        if not given.check:
            known.write_all(given.root, given.homework)
        made = exercises(given.root)
        if given.check:
            found = differences(made, given.root / "exercises")
            print("\n".join(found) if found else f"exercises/ are up to date: {len(made)} files.")
            return int(bool(found))
        write(made, given.root / "exercises")
        packed = bundle.bundle(given.root)
        bundle.pack(packed, given.root / bundle.ZIP)
        told = bundle.commit(packed, given.root)
    except (ReleaseError, bundle.BundleError, NbgraderFailure) as reason:
        print(reason, file=sys.stderr)
        return 1
    strays = differences(made, given.root / "exercises")
    print("\n".join([*strays, f"{len(made)} files in exercises/, {len(packed)} in {bundle.ZIP}.", told]))
    return int(bool(strays))


if __name__ == "__main__":
    sys.exit(main())
