"""Door 3, a teacher: a homework from its release over a platform's zip to the final table, across a new release."""

import copy
import csv
import shutil
import sys
import uuid
import zipfile
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_markdown_cell

from tests.classroom.boxes import needs_box
from tests.classroom.hostile import KINDS, READ
from tests.doors.outside import ROOT, checkout, environment, run
from tools.homework.marking import Desk

pytestmark = needs_box
HOMEWORK = "02_gaussians"
OTHERS = [path.name for path in (ROOT / "solutions").iterdir() if path.name != HOMEWORK]
FULL = {"weighted": 3, "missing": 5, "running": 4, "conditional": 5, "shrinkage": 5, "speaker": 5}
HINT = "Where do the weights enter?"
# No bomb: on a busy machine the watch sees it late, when it has thousands of processes.
CHILDREN = "import os, time\nfor _ in range(100):\n    if not os.fork():\n        time.sleep(600)\n"
INTERRUPTS = "def predict_unknown(*given):\n    raise KeyboardInterrupt"


def make(course, *words, **more):
    """A target of the teacher's Makefile, with this Python: a box shows no package behind a link."""
    return run(course, "make", f"PYTHON={sys.executable}", *words, **more)


def answered(released):
    """A notebook with our answers in it."""
    book = copy.deepcopy(released)
    solved = nbformat.read(ROOT / "solutions" / HOMEWORK / f"{HOMEWORK}.ipynb", as_version=4)
    ours = {name: cell for cell in solved.cells if (name := grade_id(cell))}
    for cell in book.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            cell.source = ours[grade_id(cell)].source.replace("BEGIN SOLUTION", "mine").replace("END SOLUTION", "")
    return book


def grade_id(cell):
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def cell_of(book, name):
    return next(cell for cell in book.cells if grade_id(cell) == name)


def from_colab(book, keeps):
    """As Colab saves a notebook: cells have its own metadata, and with `keeps` also those that they had."""
    book = copy.deepcopy(book)
    book.nbformat_minor = 0
    book.metadata = {
        "colab": {"provenance": [], "gpuType": "T4"}, "accelerator": "GPU", "language_info": {"name": "python"},
        "kernelspec": {"name": "python3", "display_name": "Python 3"},
    }  # fmt: skip
    for cell in book.cells:
        own = {"id": cell.pop("id"), "outputId": str(uuid.uuid4()), "colab": {"base_uri": "https://localhost:8080/"}}
        cell.metadata = {**(cell.metadata if keeps else {}), **own}
    return book


def lost(book):
    """Without a task's answer and its check."""
    book = copy.deepcopy(book)
    book.cells = [cell for cell in book.cells if not grade_id(cell).startswith("running-")]
    return book


def below(book, name="letter-density"):
    """With the words of a letter in a cell of their own, below the one that was left as it was given."""
    book = copy.deepcopy(book)
    place = book.cells.index(cell_of(book, name))
    words, book.cells[place].source = book.cells[place].source, "YOUR ANSWER HERE"
    book.cells.insert(place + 1, new_markdown_cell(words))
    return book


def hostile(book, course):
    """Reads what it can, takes builtins away, floods from many processes, interrupts; three tasks are honest."""
    book, abused = (
        copy.deepcopy(book),
        {"weighted": READ.format(places=[str(course), str(ROOT)]) + "__builtins__ = {}"},
    )
    abused |= {"missing": CHILDREN + KINDS["flood"], "conditional": INTERRUPTS}
    for task, code in abused.items():
        cell_of(book, f"{task}-answer").source = code
    return book


def hand_in(course, student, book):
    path = course / "submitted" / student / HOMEWORK / f"{HOMEWORK}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(book, path)


def platform(course, book):
    """What Moodle gives: a zip with a notebook that somebody else has named, and a list of who has which number."""
    with zipfile.ZipFile(course / "HW 2.zip", "w") as archive:
        archive.writestr("Jane Doe_123_assignsubmission_file/Meine Lösung (1).ipynb", nbformat.writes(book))
    (course / "roster.csv").write_text("Identifier,ID number\nParticipant 123,good\n", encoding="utf-8")


def change_hint(course, words):
    path = course / "course_checks" / f"hw{HOMEWORK}.py"
    path.write_text(path.read_text(encoding="utf-8").replace(HINT, f"{words} {HINT}"), encoding="utf-8")


def table(course):
    with open(course / "marks" / f"{HOMEWORK}.csv", newline="", encoding="utf-8") as file:
        return {one["student"]: one for one in csv.DictReader(file)}


@pytest.fixture(scope="module")
def term(tmp_path_factory):
    """The teacher's folder after grading, marking, feedback and a second look; what the commands said."""
    place = tmp_path_factory.mktemp("teacher")
    course = checkout(place / "course", [f"{top}/{name}" for top in ("solutions", "exercises") for name in OTHERS])
    environment(course)
    make(course, "release")
    with zipfile.ZipFile(course / "dist/course_for_students.zip") as archive:
        archive.extractall(place / "student")
    mine = place / "student/course/exercises" / HOMEWORK / f"{HOMEWORK}.ipynb"
    book = answered(nbformat.read(mine, as_version=4))
    nbformat.write(book, mine)
    hand_in(course, "lost", lost(book))
    hand_in(course, "colab", from_colab(book, keeps=True))
    hand_in(course, "stripped", from_colab(below(book), keeps=False))
    hand_in(course, "hostile", hostile(book, course))
    change_hint(course, "Once more:")
    make(course, "release")
    run(place / "student/course", sys.executable, "tools/update.py", course / "dist/course_for_students.zip")
    assert (
        HINT
        in (mine.parents[2] / "course_checks" / f"hw{HOMEWORK}.py").read_text(encoding="utf-8").split("Once more:")[1]
    )
    platform(course, nbformat.read(mine, as_version=4))
    make(course, "collect", "FROM=HW 2.zip", "ARGS=--roster roster.csv")
    graded = make(course, "grade", status=None)
    first = table(course)
    mark(course, "good")
    make(course, "feedback", f"HW={HOMEWORK[:2]}")
    make(course, "grade", "ARGS=--tables", status=None)
    last = table(course)
    final(course)
    return SimpleNamespace(course=course, graded=graded, first=first, last=last)


def mark(course, student):
    """Full marks for the letters of a student, at the desk where they are marked by hand."""
    desk = Desk(course, HOMEWORK, course)
    for key, letter in desk.letters.items():
        if letter.student == student:
            assert desk.mark(key, letter.digest, [one.points for one in letter.rubric.rows], "Well said.") == "marked"


def final(course):
    """The final table, by the shortest rules that a teacher can write: homework alone, with one late rule."""
    for student in ("lost", "colab", "stripped"):
        mark(course, student)
    (course / "students.csv").write_text("student\ngood\nlost\ncolab\nstripped\nabsent\n", encoding="utf-8")
    rules = (
        'timezone = "Europe/Berlin"\nstudents = "students.csv"\nleft = ["hostile"]\n[homework]\nshare = 100\n'
        f"[homework.due]\n{HOMEWORK} = 2026-11-30 23:59:00\n[late]\npercent_per_day = 10\nmost_days = 3\n"
    )
    (course / "term.toml").write_text(rules, encoding="utf-8")
    make(course, "final")


def points(found):
    """Points of each task in a row of the table, NaN where there are none."""
    return {task: float(found[task] or np.nan) for task in FULL}


@pytest.mark.parametrize("student", ["good", "colab", "stripped"])
def test_whoever_has_solved_it_gets_all_points(term, student):
    assert points(term.first[student]) == FULL, term.graded.stdout
    assert term.first[student]["state"] == "to mark"


def test_a_lost_task_costs_its_own_points(term):
    assert points(term.first["lost"]) == FULL | {"running": 0}


def test_what_is_hostile_costs_its_own_tasks(term):
    wrong = {"weighted": 0, "missing": 0, "conditional": 0}
    assert points(term.first["hostile"]) == FULL | wrong, term.graded.stdout
    book = nbformat.read(term.course / "results" / HOMEWORK / "hostile" / f"{HOMEWORK}.ipynb", as_version=4)
    read = str(cell_of(book, "weighted-answer").outputs)
    assert "course_lib" in read and not [one for one in ("solutions", "submitted", "gradebook") if one in read]


def test_marks_of_the_letters_are_in_the_last_table_and_on_the_students_page(term):
    last = term.last["good"]
    assert (float(last["points"]), last["maximum"], last["state"]) == (35, "35", "graded")
    page = (term.course / "feedback" / HOMEWORK / "good.html").read_text(encoding="utf-8")
    assert "<strong>35 of 35 points</strong>" in page and "Well said." in page
    assert "letter-density" in term.last["good"] and term.last["hostile"]["state"] != "graded"


def test_moodle_gets_back_the_page_of_who_handed_in_there(term):
    with zipfile.ZipFile(term.course / "feedback" / f"{HOMEWORK}-moodle.zip") as archive:
        page = archive.read(f"Jane Doe_123_assignsubmission_file/{HOMEWORK}_feedback.html")
    assert page == (term.course / "feedback" / HOMEWORK / "good.html").read_bytes()


def test_no_page_shows_an_error_of_the_grader(term):
    for page in (term.course / "feedback" / HOMEWORK).glob("*.html"):
        assert "Error: '" not in page.read_text(encoding="utf-8").replace("&#x27;", "'").replace("&#39;", "'"), (
            page.name
        )


def test_the_final_table_has_the_number_that_the_points_give(term):
    with open(term.course / "final" / "final.csv", newline="", encoding="utf-8") as file:
        found = {row["student"]: row["final"] for row in csv.DictReader(file)}
    assert found == {"good": "100.0", "colab": "100.0", "stripped": "100.0", "lost": "88.6", "absent": "0.0"}
    page = (term.course / "final" / "students" / "lost.html").read_text(encoding="utf-8")
    assert "running 0" in page and "= 31 of 35" in page


def test_git_takes_nothing_with_a_name_in_it(term):
    status = run(term.course, "git", "status", "--porcelain", "--untracked-files=all").stdout.splitlines()
    assert not [line for line in status if line.startswith("??")]
    assert all((term.course / one).is_file() for one in ("collected/collected.csv", "final/audit.csv", "term.toml"))


@pytest.mark.long
def test_a_words_change_in_a_hint_grades_nobody_again(term):
    change_hint(term.course, "And again:")
    assert "1 of 1" not in make(term.course, "grade", "ARGS=--student good", status=None).stdout


@pytest.mark.long
def test_a_damaged_gradebook_is_told_and_the_tables_stay(term, tmp_path):
    for name in ("marks", "results"):
        shutil.copytree(term.course / name, tmp_path / name)
    whole = (term.course / "gradebook.db").read_bytes()
    (tmp_path / "gradebook.db").write_bytes(whole[: len(whole) // 2])
    tables = {path: path.read_bytes() for path in (tmp_path / "marks").iterdir()}
    done = make(term.course, "grade", f"ARGS=--status --into {tmp_path}", status=None)
    assert done.returncode and len(done.stderr.splitlines()) < 10
    assert {path: path.read_bytes() for path in tables} == tables
