"""`make check HW=…`: whether a homework can be handed in, before it is."""

import nbformat
import pytest

from tests.homework import tiny_course
from tools import check
from tools.homework import box, release


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A student's folder with one homework, 01_tiny, not touched yet."""
    tiny_course.make(tmp_path)
    made = release.exercises(tmp_path)
    folder = tmp_path / "mine" / "exercises" / "01_tiny"
    folder.mkdir(parents=True)
    (folder / "01_tiny.ipynb").write_bytes(made["tiny/tiny.ipynb"])
    tiny_course.write_checks(tmp_path / "mine", "tiny", tiny_course.CHECKS)
    (tmp_path / "mine" / "course_checks" / "hw01_tiny.json").write_text('{"double": {}}', encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "mine"))
    return tmp_path / "mine"


def edit(course, change):
    path = course / "exercises" / "01_tiny" / "01_tiny.ipynb"
    book = nbformat.read(path, as_version=4)
    change(book)
    nbformat.write(book, path)


def told(course, capsys, number="01"):
    """(exit status, printed lines, complaint) of the command."""
    status = check.main([number, "--root", str(course)])
    out, err = capsys.readouterr()
    return status, out.splitlines(), err


def test_a_solved_one_is(course, capsys):
    def solve(book):
        tiny_course.cell_of(book, "double-answer").source = "def double(x):\n    return x + x"
        for cell in book.cells:
            if cell.cell_type == "markdown" and check.graded(cell):
                cell.source = "Because."

    edit(course, solve)
    status, lines, _ = told(course, capsys, "1")
    assert (status, lines[-2]) == (0, "Everything is there.")
    assert lines[0].startswith("✓")


def test_cells_that_fail_are_named(course, capsys):
    def change(book):
        book.cells.insert(1, nbformat.v4.new_code_cell("1 / 0"))
        tiny_course.cell_of(book, "double-answer").source = "def double(x):\n    return x * x"

    edit(course, change)
    _, lines, _ = told(course, capsys)
    assert "What is x + x?" in " ".join(lines)
    assert lines[0] == "✗ cell 2 ends with an error: ZeroDivisionError: division by zero"


def test_what_ends_the_kernel_or_floods_is_told_as_it_is_graded(course, capsys, monkeypatch):
    """exit() ends its cell alone; a kernel that dies runs again without the cell, and the answers count."""
    assert box.Limits().printed == check.MAX_OUTPUT
    monkeypatch.setattr(check, "MAX_OUTPUT", 10_000)
    codes = "exit()", "import os\nos._exit(1)", "print('x' * 20_000)"

    def change(book):
        tiny_course.cell_of(book, "double-answer").source = "def double(x):\n    return x + x"
        book.cells[1:1] = map(nbformat.v4.new_code_cell, codes)

    edit(course, change)
    status, lines, _ = told(course, capsys)
    assert status == 0
    assert lines[0] == "✗ cell 3 ends the kernel. The grader leaves it out, and runs the rest without it."
    assert lines[1].startswith("✓ cell 4 prints more than 0 MB. The grader cuts that")
    assert "✗ cell 2 ends with an error: SystemExit" in lines
    assert any(line.startswith("✓ Task 1 · Twice ★: right in all 2 cases.") for line in lines)


def remove(book):
    book.cells.remove(tiny_course.cell_of(book, "double-check"))


def repeat(book):
    book.cells.append(tiny_course.cell_of(book, "double-check").copy())


def drop_names(book):
    for cell in book.cells:
        cell.metadata.pop("nbgrader", None)


def drop_names_and_check(book):
    remove(book)
    drop_names(book)


@pytest.mark.parametrize(
    ("change", "words", "also"),
    [
        (remove, "✗ double-check is missing", ""),
        (repeat, "✗ double-check occurs twice", "○ Task"),
        (drop_names, "○ Another editor removed the names of the cells", "○ Task"),
        (drop_names_and_check, "✗ 1 of 1 checks are missing", ""),
    ],
)
def test_graded_cells_that_are_gone_twice_or_nameless_are_said_and_the_others_looked_at(
    course, capsys, change, words, also
):
    edit(course, change)
    status, lines, _ = told(course, capsys)
    assert status == 0
    assert any(line.startswith(words) for line in lines)
    assert any(line.startswith(also) for line in lines)
    assert lines[-2].startswith("Not everything is ✓")


def test_who_checks_a_function_in_cells_of_their_own_hears_nothing_of_it(course, capsys):
    def solve(book):
        tiny_course.cell_of(book, "double-answer").source = "def double(x):\n    return x + x"
        book.cells += [nbformat.v4.new_code_cell("check(double)") for _ in range(2)]

    edit(course, solve)
    _, lines, _ = told(course, capsys)
    assert not any("twice:" in line for line in lines)
    assert sum(line.startswith("✓ Task") for line in lines) == 1


def test_wrong_names_and_damaged_files_are_named(course, capsys):
    assert "There is no homework HW=07. There are 01_tiny." in told(course, capsys, "07")[2]
    path = course / "exercises" / "01_tiny" / "01_tiny.ipynb"
    whole = path.read_bytes()
    path.write_bytes(whole[:200])
    assert "01_tiny.ipynb cannot be read" in told(course, capsys)[2]
    path.rename(path.with_name("mine.ipynb"))
    assert "only mine.ipynb. Rename your notebook." in told(course, capsys)[2]
