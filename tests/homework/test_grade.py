"""Grading: each submission in its own process, so that a broken one costs only the student who wrote it."""

import copy
import csv
import time

import nbformat
import pytest

from tests.homework import tiny_course
from tools.homework import grade, release

RIGHT = "def double(x):\n    return 2 * x"
HALF = "def double(x):\n    return 2 * x if x != 7 else 0"
ALWAYS_EQUAL = (
    "class Yes:\n    def __eq__(self, other):\n        return True\n\n"
    "    def __float__(self):\n        return 0.0\n\ndef double(x):\n    return Yes()"
)
# Takes four seconds on the clock, as on a busy machine, and less than half of the three that a cell may work.
SHARED = f"import time\nfor _ in range(10):\n    sum(range(2_000_000))\n    time.sleep(0.4)\n\n{RIGHT}"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """(exit status, printed text, rows of the CSV by student, folder) of one run over good and bad submissions."""
    root = tmp_path_factory.mktemp("course")
    tiny_course.make(root)
    released = nbformat.reads(release.exercises(root)["tiny/tiny.ipynb"].decode(), as_version=4)
    copied = tiny_course.with_answer(released, RIGHT)
    copied.cells.insert(4, copy.deepcopy(tiny_course.cell_of(copied, "double-check")))
    copied.cells[4].id = "the-copy"
    without_test = tiny_course.with_answer(released, RIGHT)
    without_test.cells.remove(tiny_course.cell_of(without_test, "double-check"))
    tampered = tiny_course.with_answer(released, ALWAYS_EQUAL)
    tiny_course.cell_of(tampered, "double-check").source = "4.0"
    tiny_course.cell_of(tampered, "letter").source = "Because I say so."
    submissions = {
        "a-exits": tiny_course.with_answer(released, "import os\nos._exit(0)"),
        "b-copied": copied,
        "c-text": "this is no notebook",
        "d-endless": tiny_course.with_answer(released, "while True:\n    pass"),
        "e-half": tiny_course.with_answer(released, HALF),
        "f-tampered": tampered,
        "g-without-test": without_test,
        "h-right": tiny_course.with_answer(released, RIGHT),
        "i-untouched": released,
        "k-shared": tiny_course.with_answer(released, SHARED),
    }
    for student, book in submissions.items():
        tiny_course.hand_in(root, student, book)
    (root / "submitted" / "j-nothing" / "tiny").mkdir(parents=True)
    return run(root)


def run(root):
    places = ["--root", str(root), "--submitted", str(root / "submitted"), "--into", str(root / "marks")]
    status = grade.main([*places, "--cell-seconds", "3"])
    with open(root / "marks" / "autograded" / "tiny.csv", newline="", encoding="utf-8") as file:
        return status, {row["student"]: row for row in csv.DictReader(file)}, root


EXPECTED = {
    "b-copied": ("4", "4 of 6"),
    "d-endless": ("0", "0 of 6"),
    "e-half": ("3", "3 of 6"),
    "f-tampered": ("0", "0 of 6"),
    "g-without-test": ("4", "4 of 6"),
    "h-right": ("4", "4 of 6"),
    "i-untouched": ("0", "0 of 6"),
    "k-shared": ("4", "4 of 6"),
}


@pytest.mark.parametrize(("student", "marks"), EXPECTED.items(), ids=EXPECTED)
def test_points(graded, student, marks):
    row = graded[1][student]
    assert (row["double"], row["total"], row["problem"]) == (*marks, "")


@pytest.mark.parametrize(
    ("student", "why"), [("a-exits", "process died"), ("c-text", "JSON"), ("j-nothing", "there is no tiny.ipynb")]
)
def test_a_broken_submission_is_listed_with_the_reason(graded, student, why):
    row = graded[1][student]
    assert why in row["problem"]
    assert row["double"] == row["total"] == ""


def test_nobody_is_missing_and_the_status_tells_of_failures(graded):
    status, rows, root = graded
    assert sorted(rows) == sorted(path.name for path in (root / "submitted").iterdir())
    assert status == 1


def test_written_answers_wait_for_a_person(graded):
    assert graded[1]["f-tampered"]["letter"] == "to mark"
    assert graded[1]["i-untouched"]["letter"] == "0"


def test_graded_notebooks_and_gradebook_are_kept(graded):
    marks = graded[2] / "marks"
    assert (marks / "gradebook.db").is_file()
    book = nbformat.read(marks / "autograded" / "f-tampered" / "tiny" / "tiny.ipynb", as_version=4)
    cell = tiny_course.cell_of(book, "double-check")
    assert cell.source.startswith("check(double)")
    assert "Graded: right in 0 of 5 cases, 0 of 4 points." in cell.outputs[1].text


def test_reason_is_one_line_of_what_was_said():
    said = "Traceback (most recent call last):\n  File …\nnbformat.reader.NotJSONError: no JSON\nfurther words"
    assert grade.reason(said) == "nbformat.reader.NotJSONError: no JSON"
    assert grade.reason("") == "it stopped without a word"
    assert grade.reason("nbclient.exceptions.DeadKernelError: Kernel died\nmore") == grade.DEAD


def test_a_command_that_does_not_end_is_stopped():
    assert grade.run_alone(time.sleep, [600], 0.5) == "it did not end within 0.5 s"


def test_a_command_that_fails_is_told_by_its_last_words():
    assert grade.run_alone(int, ["seven"], 600) == "ValueError: invalid literal for int() with base 10: 'seven'"


def test_a_folder_that_does_not_exist_is_a_usage_error(tmp_path, capsys):
    with pytest.raises(SystemExit):
        grade.main(["--submitted", str(tmp_path / "nowhere")])
    assert "nowhere" in capsys.readouterr().err
