"""Is this computer ready, and is a homework ready to be handed in?

    make check              the set-up check of lecture 00, in the terminal
    make check HW=03        homework 03, run from top to bottom in a fresh kernel, as grading does: without a cell that
                            ends the kernel

The notebook itself is not changed. Grading uses more cases than the checks show.
"""

import argparse
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EMPTY_ANSWER = "YOUR ANSWER HERE"
MAX_OUTPUT = 20 * 2**20  # of one cell, as in grading (tested)


class NotReady(RuntimeError):
    """Reason why a homework cannot be handed in yet, and what to do."""


def homework(root, number):
    """The notebook of a homework.

    Parameters
    ----------
    root : Path of the course
    number : how the name of its folder begins, as in 03 or 03_mixtures; 3 is taken for 03

    Raises
    ------
    NotReady
        If there is no such homework, or its notebook has another name or is damaged.
    """
    folders = sorted(one for one in (root / "exercises").glob("[0-9]*") if one.is_dir())
    wanted = number.zfill(2) if number.isdecimal() else number
    found = [one for one in folders if one.name.startswith(wanted)]
    if not wanted or len(found) != 1:
        raise NotReady(f"There is no homework HW={number}. There are {', '.join(one.name for one in folders)}.")
    path = found[0] / f"{found[0].name}.ipynb"
    if not path.is_file():
        others = ", ".join(sorted(one.name for one in found[0].glob("*.ipynb"))) or "no notebook at all"
        raise NotReady(f"There is no {path.name} in exercises/{found[0].name}, only {others}. Rename your notebook.")
    return path


def read(path):
    """The notebook.

    Raises
    ------
    NotReady
        If it cannot be read.
    """
    import nbformat

    try:
        return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except (ValueError, nbformat.ValidationError) as reason:
        raise NotReady(f"{path.name} cannot be read ({reason}). Get it from JupyterLab again: File → Save.") from None


FRESH_COPY = "To restore it, get a fresh copy (rename yours, then run make update) and paste your answers into it."
CHECK_CALL = re.compile(r"check\(\s*\w+\s*\)")
NAMELESS = (
    "Another editor removed the names of the cells. The notebook can still be graded; check yourself that you have "
    "written each letter."
)


def graded(cell):
    """The name of a cell that earns points, else ""."""
    about = cell.metadata.get("nbgrader", {})
    return about.get("grade_id", "") if about.get("grade") else ""


def missing(book, tasks):
    """Messages about graded cells that are missing or duplicated; the grader also looks for answers without them."""
    there = [name for cell in book.cells if (name := graded(cell))]
    for name in [f"{task}-check" for task in tasks]:
        if name not in there:
            yield f"✗ {name} is missing. {FRESH_COPY}"
    twice = sorted(name for name in set(there) if there.count(name) > 1)
    yield from (f"✗ {name} occurs twice: the last one counts." for name in twice)


def name_checks(book, tasks):
    """Names the checks of a notebook without cell names by what they call, and returns messages about it."""
    calls = [cell for cell in book.cells if cell.cell_type == "code" and CHECK_CALL.fullmatch(cell.source.strip())]
    for cell in calls:
        cell.metadata["nbgrader"] = {"grade": True, "grade_id": cell.source.strip()}
    gone = len(tasks) - len({graded(cell) for cell in calls})
    return [f"○ {NAMELESS}", *([f"✗ {gone} of {len(tasks)} checks are missing. {FRESH_COPY}"] if gone > 0 else [])]


def lines(book):
    """Messages about an executed notebook: the results of graded cells, and cells that failed."""
    for number, cell in enumerate(book.cells, 1):
        name = graded(cell)
        if name and cell.cell_type == "markdown":
            empty = cell.source.strip() in ("", EMPTY_ANSWER)
            yield f"{'○' if empty else '✓'} {name}: {'nothing written yet' if empty else 'written'}"
        if cell.cell_type != "code":
            continue
        failed = [one for one in cell.outputs if one.output_type == "error"]
        told = "".join(one.text for one in cell.outputs if one.output_type == "stream" and one.name == "stdout")
        if failed:
            said = f"{failed[0].ename}: {failed[0].evalue}".strip(": ").splitlines()[0][:200]
            yield f"✗ cell {number} ends with an error: {said}"
        elif name and "skip-execution" not in cell.metadata.get("tags", []):
            yield told.rstrip() if told else f"✗ {name}: the check printed nothing; does the cell still call it?"


def run(book, folder):
    """Runs a notebook as the grader does: again without the cell in which its kernel ended. Yields messages.

    Parameters
    ----------
    book : the notebook, whose cells get their outputs
    folder : Path in which it runs
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import DeadKernelError

    begun, quiet = [], ["--log-level=40", "--ext=course_checks.answering"]
    given = {"allow_errors": True, "timeout": None, "extra_arguments": quiet}
    given["on_cell_execute"] = lambda cell, cell_index: begun.append(cell_index)
    for _ in book.cells:
        try:
            NotebookClient(book, resources={"metadata": {"path": folder}}, **given).execute()
            break
        except DeadKernelError:
            left = book.cells[begun[-1]]
            left.outputs, left.metadata["tags"] = [], ["skip-execution"]
            yield f"✗ cell {begun[-1] + 1} ends the kernel. The grader leaves it out, and runs the rest without it."
    for number, cell in enumerate(book.cells, 1):
        if len(str(cell.get("outputs", ""))) > MAX_OUTPUT:
            yield f"✓ cell {number} prints more than {MAX_OUTPUT // 10**6} MB. The grader cuts that, at no cost."


def check(path):
    """Runs a homework and prints which tasks are ready and which are not.

    Parameters
    ----------
    path : of the notebook
    """
    book = read(path)
    told = list(run(book, path.parent))
    known = path.parents[2] / "course_checks" / f"hw{path.stem}.json"
    tasks = json.loads(known.read_text(encoding="utf-8"))
    named = any("nbgrader" in cell.metadata for cell in book.cells)
    told += [*(missing(book, tasks) if named else name_checks(book, tasks)), *lines(book)]
    print("\n".join(told))
    complete = all(line.startswith("✓") for line in told)
    print("Everything is there." if complete else "Not everything is ✓ yet; what is ✓ counts anyway.")
    print(f"Hand in this file, as saved: {path.relative_to(path.parents[2])}")


def main(arguments=None):
    """The command; returns its exit status: 1 if the computer is not ready, or the homework cannot be handed in."""
    parser = argparse.ArgumentParser(prog="make check", description=__doc__.splitlines()[0])
    parser.add_argument("homework", nargs="?", default="", help="number of a homework, as in 03")
    parser.add_argument("--root", type=Path, default=ROOT, help="your folder")
    given = parser.parse_args(arguments)
    if not given.homework:
        from course_lessons.start_here import readiness

        report = readiness.check_computer()
        print(report)
        return int(not report.ready)
    try:
        check(homework(given.root, given.homework))
        return 0
    except NotReady as reason:
        print(reason, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
