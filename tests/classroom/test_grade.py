"""Grading: a broken submission costs only the student who wrote it; what was marked, by whomever, is never lost."""

import copy
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import nbformat
import psutil
import pytest
from nbformat.v4 import new_markdown_cell

from tests.classroom.boxes import UNSAFE
from tests.homework import graded as homeworks
from tests.homework import tiny_course
from tools.homework import book, box, feedback, grade, grading, marking, release
from tools.homework.feedback import Homework
from tools.homework.nbgrading import opened
from tools.homework.outcomes import read_outcomes
from tools.homework.tables import aligned, safe_cell

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
    below = tiny_course.with_answer(released, HALF)
    below.cells.append(new_markdown_cell("Because 3 + 3 is 6."))
    blank = tiny_course.with_answer(released, HALF)
    tiny_course.cell_of(blank, "letter").source = " "
    submissions = {
        "a-exits": tiny_course.with_answer(released, "import os\nos._exit(0)"),
        "b-copied": copied,
        "c-text": "this is no notebook",
        "d-endless": tiny_course.with_answer(released, "while True:\n    pass"),
        "e-half": blank,
        "f-tampered": tampered,
        "g-without-test": without_test,
        "h-below": below,
        "i-untouched": released,
        "k-shared": tiny_course.with_answer(released, SHARED),
    }
    for student, submission in submissions.items():
        tiny_course.hand_in(root, student, submission)
    (root / "submitted" / "j-nothing" / "tiny").mkdir(parents=True)
    (root / "submitted" / "l-other" / "tyni").mkdir(parents=True)
    return grade.main([*places(root), "--cell-seconds", "3"]), table(root), root


def places(root):
    """Words of the command."""
    return ["--root", str(root), "--submitted", str(root / "submitted"), "--into", str(root / "into"), *UNSAFE]


def table(root, name="tiny"):
    """The rows of a table by student."""
    with open(root / "into" / "marks" / f"{name}.csv", newline="", encoding="utf-8") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


EXPECTED = {
    "a-exits": ("0", "0 of 6"),
    "b-copied": ("4", "4 of 6"),
    "d-endless": ("0", "0 of 6"),
    "e-half": ("3", "3 of 6"),
    "f-tampered": ("0", "0 of 6"),
    "g-without-test": ("4", "4 of 6"),
    "h-below": ("3", "3 of 6"),
    "i-untouched": ("0", "0 of 6"),
    "k-shared": ("4", "4 of 6"),
}


@pytest.mark.parametrize(("student", "marks"), EXPECTED.items(), ids=EXPECTED)
def test_points(graded, student, marks):
    row = graded[1][student]
    said = {"a-exits": "cell 3 was left out: its process died"}.get(student, "")
    assert (row["double"], f"{row['points']} of {row['maximum']}", row["problem"]) == (*marks, said)


@pytest.mark.parametrize(("student", "why"), [("c-text", "no JSON"), ("j-nothing", "there is no tiny.ipynb")])
def test_a_broken_submission_is_listed_with_the_reason(graded, student, why):
    row = graded[1][student]
    assert why in row["problem"]
    assert (row["double"], row["points"], row["state"]) == ("", "", book.HAS_PROBLEM)


def test_nobody_is_missing_and_the_status_tells_of_failures(graded):
    status, rows, root = graded
    assert sorted(rows) == sorted(path.name for path in (root / "submitted").iterdir() if path.name != "l-other")
    assert status == 1


def test_written_answers_wait_for_a_person(graded):
    assert (graded[1]["f-tampered"]["letter"], graded[1]["f-tampered"]["state"]) == ("", book.TO_MARK)
    assert (graded[1]["h-below"]["letter"], graded[1]["h-below"]["state"]) == ("", book.TO_MARK), "beside the cell"
    for student in ("i-untouched", "e-half"):
        assert (graded[1][student]["letter"], graded[1][student]["state"]) == ("0", book.IS_GRADED)


def test_graded_notebooks_and_gradebook_are_kept(graded):
    into = graded[2] / "into"
    assert (into / "gradebook.db").is_file()
    notebook = nbformat.read(into / "results" / "tiny" / "f-tampered" / "tiny.ipynb", as_version=4)
    cell = tiny_course.cell_of(notebook, "double-check")
    assert cell.source.startswith("check(double)")
    assert "Graded: right in 0 of 5 cases, 0 of 4 points." in cell.outputs[1].text


def test_what_a_student_may_see_has_no_hidden_case(graded):
    found = book.read(graded[2] / "into" / "results" / "tiny" / "e-half")
    told = found["cells"][0]
    assert "hidden 7" in told["report"]
    assert told["shown"].startswith("✓ Task 1")
    assert "hidden" not in told["shown"]


def test_a_cell_that_was_left_out_is_listed_for_teacher_and_student(graded):
    said = "cell 3 was left out: its process died"
    found = book.read(graded[2] / "into" / "results" / "tiny" / "a-exits")
    assert grade.progress(0.0, 1, 1, found).endswith(f"a-exits: graded; {said}")
    told = found["cells"][0]
    assert f"the {said}" in told["shown"]
    assert told["shown"].startswith("✗")


def test_imports_for_learning_platforms_have_only_what_is_graded(graded):
    root = graded[2]
    with open(root / "into" / "marks" / "moodle.csv", newline="", encoding="utf-8") as file:
        points = {row["ID number"]: row["tiny"] for row in csv.DictReader(file)}
    assert (points["i-untouched"], points["f-tampered"], points["c-text"]) == ("0", "", "")
    with open(root / "into" / "marks" / "canvas.csv", newline="", encoding="utf-8") as file:
        header, possible, *people = csv.reader(file)
    assert (header[3], header[5]) == ("SIS Login ID", "tiny")
    assert (possible[0].strip(), possible[5]) == ("Points Possible", "6")
    assert {line[3]: line[5] for line in people} == points


def test_the_table_of_the_term_says_what_is_not_final(graded):
    rows = table(graded[2], "term")
    found = {name: (row["tiny"], row["points"], row["not final"]) for name, row in rows.items()}
    assert found["i-untouched"] == ("0", "0", "0")
    assert found["f-tampered"] == ("0", "0", "1")
    assert found["c-text"] == ("", "0", "1")


def test_what_a_student_says_moves_no_terminal():
    said = "\x1b[2J\x1b]0;mine\x07 \u202egnp.exe\N{BEL}"
    assert "\x1b" not in grading.reason(f"ValueError: {said}")
    marks = {"homework": "tiny", "student": "ada", "problem": "", "cells": [{"problem": said}]}
    shown = grade.progress(0.0, 1, 1, marks) + aligned([["ada", said]]) + str(safe_cell(said))
    assert not [one for one in shown if not one.isprintable()]


def test_reason_is_one_line_of_what_was_said():
    said = "Traceback (most recent call last):\n  File …\nnbformat.reader.NotJSONError: no JSON\nfurther words"
    assert grading.reason(said) == "nbformat.reader.NotJSONError: no JSON"
    assert grading.reason("") == "it stopped without a word"


# ----------------------------------------------------------------------------------------------------- never lost


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """A course with three right submissions that have been graded, and what each of them is."""
    root = tmp_path_factory.mktemp("three")
    tiny_course.make(root)
    released = nbformat.reads(release.exercises(root)["tiny/tiny.ipynb"].decode(), as_version=4)
    submission = tiny_course.with_answer(released, RIGHT)
    tiny_course.cell_of(submission, "letter").source = "Because."
    for student in ("ada", "ben", "=1+1"):
        tiny_course.hand_in(root, student, submission)
    assert grade.main(places(root)) == 0
    return root, submission


@pytest.fixture
def done(three, tmp_path):
    """A copy of that course, and the notebook that was handed in."""
    shutil.copytree(three[0], tmp_path, dirs_exist_ok=True)
    return tmp_path, copy.deepcopy(three[1])


@pytest.fixture
def course(done):
    """The same before it was graded."""
    shutil.rmtree(done[0] / "into")
    return done


def marked(root, student, points):
    """A person marks the letter."""
    with opened(root / "into" / "gradebook.db") as gradebook:
        grade = gradebook.find_grade("letter", "tiny", "tiny", student)
        grade.manual_score, grade.needs_manual_grade = points, False
        gradebook.db.commit()


def kernels(pid):
    """What runs below a grader and was told a kernel's file: kernels, and the boxes round them."""
    below = {one.pid for one in psutil.Process(pid).children(recursive=True)}
    told = ((one, one.info["cmdline"] or ()) for one in psutil.process_iter(["cmdline"]) if one.pid in below)
    return [one for one, words in told if any("kernel.json" in word for word in words)]


def keys(root):
    """When each result was made, and of what."""
    results = (root / "into" / "results" / "tiny").glob("*/marks.json")
    return {path.parent.name: (json.loads(path.read_text())["key"], path.stat().st_mtime_ns) for path in results}


def test_a_run_that_was_killed_leaves_no_box_and_goes_on_with_what_is_missing(course):
    root, _ = course
    command = [sys.executable, "-u", "-m", "tools.homework.grade", *places(root), "--jobs", "1"]
    with subprocess.Popen(command, cwd=homeworks.ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline().startswith("1 of 3")
        while len(boxed := kernels(process.pid)) < (1 if UNSAFE else 1 + box.OWN_PROCESSES):
            assert process.poll() is None
            time.sleep(0.02)
        os.kill(process.pid, signal.SIGKILL)
    assert not psutil.wait_procs(boxed, timeout=60)[1]
    before = keys(root)
    assert grade.main(places(root)) == 0
    after = keys(root)
    assert 1 <= len(before) < len(after) == 3
    assert {name: after[name] for name in before} == before
    assert {row["double"] for row in table(root).values()} == {"4"}
    assert not list((root / "into" / "results" / "tiny").glob(".new-*"))


@pytest.mark.parametrize("found", ["emptied", "half", "gone"])
def test_a_gradebook_that_was_emptied_is_not_taken_for_a_new_one(done, capsys, found):
    root, into = done[0], done[0] / "into"
    marked(root, "ada", 2.0)
    for _ in range(2):
        assert grade.main([*places(root), "--tables"]) == 0
    newest = sorted((into / "backups").iterdir())[-1]
    (into / "backups" / "gradebook-2999-01-01-000000.db").write_bytes(newest.read_bytes()[:5000])
    whole = (into / "gradebook.db").read_bytes()
    if found == "gone":
        (into / "gradebook.db").unlink()
    else:
        (into / "gradebook.db").write_bytes(whole[: len(whole) // 2] if found == "half" else b"")
    before = {path: path.read_bytes() for path in into.rglob("*") if path.is_file()}
    capsys.readouterr()
    for command in ([], ["--tables"], ["--status"]):
        assert grade.main([*places(root), *command]) == 1
        assert f"Put {newest} in its place" in capsys.readouterr().err
    for one in (marking, feedback):
        with pytest.raises(SystemExit):
            one.main(["--homework", "tiny", "--root", str(root), "--into", str(into)])
        assert f"Put {newest} in its place" in capsys.readouterr().err
    after = {path: path.read_bytes() for path in into.rglob("*") if path.is_file() and path.name != grade.LOCK_FILE}
    assert after == {path: data for path, data in before.items() if path.name != grade.LOCK_FILE}
    shutil.copy(newest, into / "gradebook.db")
    assert grade.main([*places(root), "--tables"]) == 0
    assert table(root)["ada"]["letter"] == "2"


def test_a_gradebook_that_a_kill_has_left_empty_before_anybody_was_graded_is_a_new_one(tmp_path):
    (tmp_path / "backups").mkdir()
    for path in (tmp_path / "gradebook.db", tmp_path / "backups" / "gradebook-2026-01-01-000000.db"):
        path.touch()
    book.require_whole(tmp_path / "gradebook.db")


@pytest.mark.parametrize("data", [b"", b"{", b"null", b'{"student": "ada"}'])
def test_a_result_that_was_cut_is_named_and_made_anew(done, capsys, data):
    root, path = done[0], done[0] / "into" / "results" / "tiny" / "ada" / "marks.json"
    marked(root, "ada", 2.0)
    path.write_bytes(data)
    capsys.readouterr()
    assert grade.main([*places(root), "--status"]) == 1
    told = capsys.readouterr().out
    assert f"{path} is damaged" in told and "4" in told
    for one in (marking, feedback):
        with pytest.raises(SystemExit):
            one.main(["--homework", "tiny", "--root", str(root), "--into", str(root / "into")])
        assert f"{path} is damaged" in capsys.readouterr().err
    if data == b"{":
        assert grade.main(places(root)) == 0
        assert (table(root)["ada"]["double"], table(root)["ada"]["letter"]) == ("4", "2")


def test_marks_of_a_person_and_of_others_survive(done, capsys):
    root, submission = done
    marked(root, "ada", 2.0)
    before = keys(root)
    tiny_course.cell_of(submission, "double-answer").source = HALF
    nbformat.write(submission, root / "submitted" / "ada" / "tiny" / "tiny.ipynb")
    tiny_course.cell_of(submission, "letter").source = "Because it is so."
    nbformat.write(submission, root / "submitted" / "ben" / "tiny" / "tiny.ipynb")
    marked(root, "ben", 1.0)
    assert grade.main([*places(root), "--student", "ada"]) == 0
    assert {name for name, key in keys(root).items() if key != before[name]} == {"ada"}
    assert (table(root)["ada"]["double"], table(root)["ada"]["letter"]) == ("3", "2")
    assert (table(root)["ben"]["double"], table(root)["ben"]["letter"]) == ("4", "1")
    assert table(root)["'=1+1"]["state"] == book.TO_MARK
    assert grade.main(places(root)) == 0
    assert (table(root)["ben"]["double"], table(root)["ben"]["letter"]) == ("3", "1")
    assert table(root)["ben"]["state"] == book.TO_MARK  # the letter is another one now
    capsys.readouterr()
    assert grade.main([*places(root), "--status"]) == 0
    assert "of 3" not in capsys.readouterr().out


def test_a_letter_that_does_not_count_is_in_no_table(done):
    root, _ = done
    assert grade.main([*places(root), "--homework", "tiny", "--leave-out", "letter"]) == 0
    row = table(root)["ada"]
    assert (row["points"], row["maximum"], row["state"], "letter" in row) == ("4", "4", book.IS_GRADED, False)
    assert [part.most for part in Homework(root / "into", "tiny", root).parts(outcome(root, "ada"))] == [4]
    assert grade.main([*places(root), "--homework", "tiny", "--leave-out", "--tables"]) == 0
    assert (table(root)["ada"]["maximum"], table(root)["ada"]["state"]) == ("6", book.TO_MARK)


def test_one_grader_at_a_time_and_a_look_writes_nothing(done, capsys):
    root, into = done[0], done[0] / "into"
    with grade.alone(into):
        assert grade.main([*places(root), "--tables"]) == 1
        assert f"another grader is running (pid {os.getpid()})" in capsys.readouterr().err
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    assert grade.main([*places(root), "--status"]) == 0
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
    assert grade.main([*places(root), "--tables"]) == 0
    assert [path.read_bytes()[:6] for path in (into / "backups").iterdir()][:1] == [b"SQLite"]


def test_the_status_shows_everybody_of_the_class(done, capsys):
    root = done[0]
    (root / "class.csv").write_text("id,email\nada,ada@example.org\nzoe,zoe@example.org\n", encoding="utf-8")
    (root / "term.toml").write_text('students = "class.csv"\nleft = ["ada"]\n', encoding="utf-8")
    for more in (["--roster", str(root / "class.csv")], ["--term", str(root / "term.toml")]):
        assert grade.main([*places(root), "--status", *more]) == 0
        told = capsys.readouterr().out
        assert [line.split()[0] for line in told.splitlines() if book.NOT_HANDED_IN in line] == ["zoe"]


def outcome(root, student):
    """What grading one student came to."""
    return next(one for one in read_outcomes(root / "into", "tiny") if one.student == student)


def test_what_is_late_is_told_in_a_column_of_its_own(course):
    root, _ = course
    (root / "submitted" / "ada" / "tiny" / "timestamp.txt").write_text("2026-11-30 14:30:00 UTC")
    assert grade.main([*places(root), "--homework", "tiny", "--student", "ada", "--due", "2026-11-30 12:00 UTC"]) == 0
    assert (table(root)["ada"]["hours late"], table(root)["ada"]["points"]) == ("2.5", "4")
    assert (table(root)["ben"]["state"], table(root)["ben"]["points"]) == (book.NOT_HANDED_IN, "")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--submitted", "nowhere"], "nowhere"),
        (["--homework", "42_answers"], "there is no homework 42_answers"),
        (["--due", "2026-11-30"], "need --homework"),
        (["--homework", "03_mixtures", "--leave-out", "letter-7"], "03_mixtures has letter-collapse, letter-start"),
    ],
)
def test_a_command_that_cannot_be_meant_is_a_usage_error(tmp_path, capsys, given, words):
    (tmp_path / "submitted").mkdir()
    with pytest.raises(SystemExit):
        grade.main(["--submitted", str(tmp_path / "submitted"), "--into", str(tmp_path), *given])
    assert words in capsys.readouterr().err


@pytest.mark.long
def test_the_workers_of_a_dask_cluster_grade_as_well(tmp_path, capsys):
    from dask.distributed import LocalCluster

    tiny_course.make(tmp_path)
    released = nbformat.reads(release.exercises(tmp_path)["tiny/tiny.ipynb"].decode(), as_version=4)
    for student, code in {"a-half": HALF, "b-right": RIGHT, "c-exits": "import os\nos._exit(0)"}.items():
        tiny_course.hand_in(tmp_path, student, tiny_course.with_answer(released, code))
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        assert grade.main([*places(tmp_path), "--dask", cluster.scheduler_address]) == 0
    assert "3 of 3" in capsys.readouterr().out
    assert {student: row["double"] for student, row in table(tmp_path).items()} == {
        "a-half": "3", "b-right": "4", "c-exits": "0",
    }  # fmt: skip
