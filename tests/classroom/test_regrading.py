"""Regrading: what changed in a homework touches its own task, runs what was never asked, and tells what it did."""

import csv
import json
import shutil

import nbformat
import pytest

from tests.classroom.boxes import UNSAFE
from tests.homework import graded as graded_homework
from tests.homework import tiny_course
from tools.homework import grade, grading, regrading, release
from tools.homework.nbgrading import NbgraderFailure, opened
from tools.homework.sheets import checks_files, checks_path, read_sheets

ANSWERS = {
    "ada": "def double(x):\n    return 2 * x",
    "ben": "def double(x):\n    return 2 * x if x != 7 else 0",
    "cem": "def double(x):\n    return x * x",
}


class Course:
    """A course of two tasks that three students were graded in; the second one they all have right."""

    def __init__(self, root):
        self.root, self.into, self.source = root, root / "into", root / "solutions" / "tiny"
        self.checks = checks_path(self.source)

    def hand_in(self):
        tiny_course.make_two(self.root)
        released = nbformat.reads(release.exercises(self.root)["tiny/tiny.ipynb"].decode(), as_version=4)
        tiny_course.cell_of(released, "triple-answer").source = "def triple(x):\n    return 3 * x"
        for student, code in ANSWERS.items():
            tiny_course.hand_in(self.root, student, tiny_course.with_answer(released, code))

    def grade(self, *more):
        places = [f"--{name}={self.root / place}" for name, place in
                  {"root": "", "submitted": "submitted", "into": "into"}.items()]  # fmt: skip
        return grade.main([*places, "--jobs", "1", *UNSAFE, *more])

    def change(self, file, *pairs):
        path = self.source / file
        for old, new in pairs:
            assert old in path.read_text()
            path.write_text(path.read_text().replace(old, new))

    def result(self, student):
        return json.loads((self.into / "results" / "tiny" / student / "marks.json").read_text())

    def cell(self, student, name="double-check"):
        return next(cell for cell in self.result(student)["cells"] if cell["grade_id"] == name)

    def points(self, task="double"):
        with open(self.into / "marks" / "tiny.csv", newline="", encoding="utf-8") as file:
            return {row["student"]: row[task] for row in csv.DictReader(file)}

    def changes(self):
        with open(self.into / "marks" / "changes.csv", newline="", encoding="utf-8") as file:
            return [(row["student"], row["task"], row["before"], row["after"], row["why"], row["counts by hand"])
                    for row in csv.DictReader(file)]  # fmt: skip


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    course = Course(tmp_path_factory.mktemp("graded"))
    course.hand_in()
    assert course.grade() == 0
    return course


@pytest.fixture
def course(graded, tmp_path):
    shutil.copytree(graded.root, tmp_path, dirs_exist_ok=True)
    found = Course(tmp_path)
    assert (found.points(), found.changes()) == ({"ada": "4", "ben": "3", "cem": "0"}, [])
    return found


@pytest.fixture
def runs(monkeypatch):
    """Who was run again, and what was kept of them."""
    found, run = [], grading.autograde

    def noted(place, *given):
        found.append(given[-1])
        return run(place, *given)

    monkeypatch.setattr(grading, "autograde", noted)
    return found


def test_another_hint_changes_words_and_neither_runs_nor_costs_anything(course, runs):
    assert course.cell("cem")["ask"] == "What is x + x?"
    others = {who: course.result(who)["graded"] for who in ANSWERS}
    course.change(course.checks, ("What is x + x?", "What is 3 + 3?"))
    assert course.grade() == 0 and not runs
    assert course.cell("cem")["ask"] == "What is 3 + 3?" and "What is 3 + 3?" in course.cell("cem")["shown"]
    assert (course.points(), course.changes()) == ({"ada": "4", "ben": "3", "cem": "0"}, [])
    before = {who: course.result(who) for who in others}
    assert course.grade() == 0 and {who: course.result(who) for who in others} == before


def test_another_answer_is_judged_without_a_run_and_marks_by_hand_stay(course, runs, capsys):
    with opened(course.into / "gradebook.db") as book:
        book.find_grade("double-check", "tiny", "tiny", "ben").manual_score = 3.5
        book.db.commit()
    before = {who: course.cell(who, "triple-check") for who in ANSWERS}
    course.change("hidden/double.py", ("2 * x)", "2 * x if x < 7 else 0)"))
    assert course.grade("--preview") == 0
    assert "ada      double  4       3      hidden cases changed" in capsys.readouterr().out
    assert course.points()["ada"] == "4" and course.cell("ada")["points"] == 4
    assert course.grade() == 0 and not runs
    assert course.points() == {"ada": "3", "ben": "3.5", "cem": "0"}
    assert {who: course.cell(who, "triple-check") for who in ANSWERS} == before
    why = "hidden cases changed"
    assert sorted(course.changes()) == [("ada", "double", "4", "3", why, ""), ("ben", "double", "3", "4", why, "3.5")]
    told = capsys.readouterr().out
    assert "points that changed" in told and "ben      double  3       4      hidden cases changed  3.5" in told
    book = nbformat.read(course.into / "results" / "tiny" / "ada" / "tiny.ipynb", 4)
    said = [output.get("text", output.get("data", {}).get("text/plain")) for output in
            tiny_course.cell_of(book, "double-check").outputs]  # fmt: skip
    assert said[-2:] == ["Graded: right in 4 of 5 cases, 3 of 4 points.\n  ✗ hidden 7: you got 14\n", "3.0"]


def test_another_case_asks_its_own_task_alone(course, runs):
    place = course.into / "results" / "tiny" / "ada" / "marks.json"
    place.write_text(place.read_text().replace("right in 5 of 5 cases, 2 of 2", "as it was: 2 of 2"))
    course.change("hidden/double.py", ("(0, 5, 7)", "(0, 5, 8)"))
    assert course.grade() == 0
    assert [kept.keys() for kept in runs] == [{"triple-check"}] * 3
    assert course.points() == {"ada": "4", "ben": "4", "cem": "0"}
    assert course.cell("ada", "triple-check")["report"] == "Graded: as it was: 2 of 2 points."
    assert course.changes() == [("ben", "double", "3", "4", "hidden cases changed", "")]
    course.change("hidden/double.py", ("(0, 5, 8)", "(0, 5, 7)"))
    course.change(course.checks, ("Add x to itself.", "Twice."))
    assert course.grade("--student", "ben") == 0
    assert course.changes() == [
        ("ben", "double", "4", "3", "hidden cases changed", ""),
        ("ben", "double", "3", "4", "hidden cases changed", ""),
    ]


def test_a_mistake_that_is_accepted_counts_as_right_and_says_why(course, runs):
    accept = (
        'cases={"three": 9, "minus one": 1}, gives=lambda case: case.inputs[0] ** 2, accept="the sheet said square"'
    )
    course.change(course.checks, ('cases={"three": 9, "minus one": 1}', accept))
    assert course.grade() == 0 and not runs
    assert course.points() == {"ada": "4", "ben": "3", "cem": "4"}
    assert course.changes() == [("cem", "double", "0", "4", "accepted: the sheet said square", "")]
    assert "✓ three: counts as right (the sheet said square)" in course.cell("cem")["shown"]
    course.change(course.checks, (', accept="the sheet said square"', ""))
    assert course.grade() == 0
    assert course.changes()[0] == ("cem", "double", "4", "0", "accepted: nothing any longer", "")


def test_a_mistake_that_is_accepted_must_say_what_it_gives_in_hidden_cases(course):
    course.change(course.checks, ('"minus one": 1}', '"minus one": 1}, accept="the sheet said square"'))
    assert course.grade() == 1
    assert "accept of 'the square' needs its values in ['hidden 0'" in course.cell("cem")["problem"]
    assert course.cell("cem", "triple-check")["points"] == 2


def test_what_a_run_fails_to_do_leaves_the_marks_that_were_there(course, monkeypatch):
    def fails(*given):
        raise NbgraderFailure("no box today")

    monkeypatch.setattr(grading, "autograde", fails)
    course.change("hidden/double.py", ("(0, 5, 7)", "(0, 5, 8)"))
    assert course.grade() == 1
    assert course.points() == {"ada": "4", "ben": "3", "cem": "0"}
    monkeypatch.undo()
    assert course.grade() == 0 and course.points() == {"ada": "4", "ben": "4", "cem": "0"}
    assert course.changes() == [("ben", "double", "3", "4", "hidden cases changed", "")]


def copied(name, place):
    """The folder of a homework in solutions/, copied with its checks into another course."""
    given, source = graded_homework.ROOT / "solutions" / name, place / "solutions" / name
    shutil.copytree(given, source)
    checks_path(source).parent.mkdir()
    for path in checks_files(given):
        shutil.copy(path, checks_path(source).parent)
    return source


def test_a_wrong_function_of_the_bank_can_be_accepted_in_hidden_cases_too(tmp_path):
    source = copied("01_dtw", tmp_path)
    checks, wrong = checks_path(source), graded_homework.banks("01_dtw")["amerced"].MISTAKES["no diagonal"]
    before = regrading.sources(source)
    assert graded_homework.points(read_sheets(source)["amerced-check"], wrong) == 0
    checks.write_text(
        checks.read_text().replace(
            'wrong_functions=("no diagonal",),', 'wrong_functions=("no diagonal",), accept="as said",', 1
        )
    )
    assert graded_homework.points(read_sheets(source)["amerced-check"], wrong) == 3
    assert regrading.touched(before, regrading.sources(source)) == {"amerced-check"}


def test_what_two_tasks_name_touches_both_and_no_other(tmp_path):
    source = copied("06_approximate_inference", tmp_path)
    before, checks = regrading.sources(source), checks_path(source)
    text, define, title = checks.read_text(), "def lapsing_choice(y, lapse)", '"Task 4 · The'
    for old, new, tasks in ((define, f"{define[:-1]}, more=0)", {"laplace", "ep"}), (title, f"{title} only", {"ep"})):
        checks.write_text(text.replace(old, new, 1))
        assert regrading.touched(before, regrading.sources(source)) == {f"{one}-check" for one in tasks}
