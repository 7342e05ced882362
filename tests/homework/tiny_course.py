"""A course with one tiny homework, and what students might make of it."""

import copy

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.homework.sheets import checks_path

CHECKS = """
from course_checks import Case, Homework, Mistake, Task

double = Task(
    name="double", function="double", arguments=("x",), title="Task 1 · Twice", stars=1, minutes=1, points=4,
    cases=(Case("three", (3,), 6), Case("minus one", (-1,), -2)),
    mistakes=(Mistake("the square", "What is x + x?", cases={"three": 9, "minus one": 1}),),
    hints=("Add x to itself.",),
)
homework = Homework(double)
check = homework.check
"""
ANSWER = """
def double(x):
    ### BEGIN SOLUTION
    twice_as_much = x + x
    return twice_as_much
    ### END SOLUTION
"""
GRADED = """
check(double)
### BEGIN HIDDEN TESTS
0.0  # The points come from the grader.
### END HIDDEN TESTS
"""
HIDDEN = """
from course_checks import Case
CASES = [Case(f"hidden {x}", (x,), 2 * x) for x in (0, 5, 7)]
"""
QUESTION = """
## Task 2 · A letter ★ (5 min)

### Letter: twice (2 points)

A friend asks: *"Why is twice x the same as x + x?"* Answer her.

| how it is marked | points |
|---|---|
| says what *twice* means | 1 |
| an example with a number | 1 |
"""
LETTER = """
<!-- BEGIN SOLUTION -->
Because two times anything is that thing and itself again.
<!-- END SOLUTION -->
"""


TRIPLED = {"double": "triple", "twice_as_much": "much", "x + x": "3 * x", "2 * x": "3 * x"}
TRIPLED |= {"6)": "9)", "-2)": "-3)", "9,": "27,", "1}": "-1}"}  # of cases and mistakes


def graded(grade_id, **kind):
    """nbgrader's metadata of a cell."""
    plain = {"grade": False, "solution": False, "locked": False, "task": False, "schema_version": 3}
    return {"nbgrader": {**plain, "grade_id": grade_id, **kind}}


def source():
    """The notebook of solutions/, with an output, as an author leaves it."""
    book = new_notebook(
        metadata={"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
        cells=[
            new_markdown_cell("# Homework tiny · Twice"),
            new_code_cell("from course_checks.hwtiny import check", execution_count=1),
            new_code_cell(ANSWER.strip(), metadata=graded("double-answer", solution=True)),
            new_code_cell(
                GRADED.strip(),
                metadata=graded("double-check", grade=True, locked=True, points=4),
                outputs=[new_output("stream", text="twice_as_much")],
            ),
            new_markdown_cell(QUESTION.strip()),
            new_markdown_cell(LETTER.strip(), metadata=graded("letter", grade=True, solution=True, points=2)),
        ],
    )
    for number, cell in enumerate(book.cells):
        cell.id = f"cell-{number}"
    return book


def write_checks(root, name, text):
    """Writes the module with the checks of a homework."""
    path = checks_path(root / "solutions" / name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make(root, book=None, hidden=HIDDEN, name="tiny"):
    """Writes the course into a folder."""
    folder = root / "solutions" / name
    (folder / "hidden").mkdir(parents=True)
    write_checks(root, name, CHECKS)
    (folder / "hidden" / "double.py").write_text(hidden, encoding="utf-8")
    nbformat.write(book or source(), folder / f"{name}.ipynb")


def make_other(root, name):
    """Writes a second homework into the same folder, which asks for three times x."""
    folder = root / "solutions" / name
    (folder / "hidden").mkdir(parents=True)
    write_checks(root, name, tripled(CHECKS))
    (folder / "hidden" / "triple.py").write_text(tripled(HIDDEN), encoding="utf-8")
    (folder / f"{name}.ipynb").write_text(tripled(nbformat.writes(source())), encoding="utf-8")


def tripled(text):
    """The same of three times x."""
    for old, new in TRIPLED.items():
        text = text.replace(old, new)
    return text


def make_two(root):
    """The same course with a second task, of 2 points."""
    book, answer, check = source(), tripled(ANSWER), tripled(GRADED)
    book.cells[4:4] = [
        new_code_cell(answer.strip(), metadata=graded("triple-answer", solution=True)),
        new_code_cell(check.strip(), metadata=graded("triple-check", grade=True, locked=True, points=2)),
    ]
    make(root, book)
    first, second = CHECKS.split("homework = ")
    task = tripled(first[first.index("double = ") :]).replace("points=4", "points=2")
    text = first + task.replace("Task 1", "Task 2") + "homework = " + second.replace("(double)", "(double, triple)", 1)
    write_checks(root, "tiny", text)
    hidden = root / "solutions" / "tiny" / "hidden"
    (hidden / "triple.py").write_text(tripled(HIDDEN), encoding="utf-8")


def hand_in(root, student, book):
    """Puts a notebook, or text that is none, where submissions are collected."""
    folder = root / "submitted" / student / "tiny"
    folder.mkdir(parents=True)
    if isinstance(book, str):
        (folder / "tiny.ipynb").write_text(book, encoding="utf-8")
    else:
        nbformat.write(book, folder / "tiny.ipynb")


def with_answer(released, code):
    """A released notebook in which a student has written this code."""
    book = copy.deepcopy(released)
    cell_of(book, "double-answer").source = code
    return book


def cell_of(book, grade_id):
    """The cell with this grade_id."""
    return next(cell for cell in book.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)
