"""Feedback: each student sees what is theirs and nothing that is hidden; the teacher sees who made which mistake."""

import csv
import dataclasses
import io
import json
import re
import zipfile

import nbformat
import pytest
from nbgrader.api import Gradebook

from tests.classroom import tiny_results
from tests.classroom.tiny_results import ASK, HOSTILE, SECRET, STUDENTS, Handed
from tools.homework import attempts, collect, feedback, handmarks, returning
from tools.homework.handmarks import HandMark
from tools.homework.letters import read_letters
from tools.homework.nbgrading import TEXT_STUB, database
from tools.homework.tables import write_table

TASK, LETTER = "Homework tiny · Twice", "Letter: twice"


@pytest.fixture
def root(tmp_path):
    """The tiny course, with ada's letter marked."""
    tiny_results.make(tmp_path)
    mark(tmp_path, "ada", "Why <b>6</b>?")
    return tmp_path


def mark(root, student, comment):
    letter = next(one for one in read_letters(root, "tiny", root) if one.student == student)
    handmarks.write_mark(root, "tiny", letter, HandMark((1.0, 0.5), comment, letter.digest))


def pages(root):
    """{student: page}"""
    feedback.write_feedback(root, "tiny", root)
    return {path.stem: path.read_text(encoding="utf-8") for path in (root / "feedback" / "tiny").glob("*.html")}


def test_a_page_says_what_came_of_each_task(root):
    page = pages(root)["ada"]
    assert "<strong>5.5 of 6 points</strong>." in page
    for part in (STUDENTS["ada"].answer, STUDENTS["ada"].letter, "4 of 4 points", "1.5 of 2 points", "2 of 2 cases"):
        assert part in page
    assert "<td>says what <em>twice</em> means</td><td>1 of 1</td>" in page
    assert "<td>an example with a number</td><td>0.5 of 1</td>" in page
    assert "Why &lt;b&gt;6&lt;/b&gt;?" in page


def test_a_wrong_function_gets_the_hint_and_a_letter_that_waits_is_told(root):
    page = pages(root)["ben"]
    assert "<strong>0 of 6 points</strong>, 1 still to come." in page
    assert "def double(x):\n    return x * x" in page and "you got 9, the square" in page
    assert f"To think about: {ASK}" in page and "not marked yet" in page


def test_what_was_not_attempted_is_told(root):
    page = pages(root)["dan"]
    assert "0 of 4 points, not attempted" in page and "0 of 2 points, not attempted" in page


def test_nothing_hidden_and_nobody_else_is_on_a_page(root):
    for student, page in pages(root).items():
        assert "hidden" not in page and SECRET not in page and "HIDDEN TESTS" not in page and "49" not in page
        assert "itself again" not in page, "our solution"
        others = [(name, one.letter) for name, one in STUDENTS.items() if name != student and one.letter != TEXT_STUB]
        assert not [name for name, letter in others if f"· {name}" in page or letter in page]


def test_what_a_student_wrote_is_text(root):
    page = pages(root)["ben"]
    assert "<script" not in page and "<img" not in page
    assert "&lt;script&gt;window.hacked = 1&lt;/script&gt;" in page
    assert "default-src 'none'" in page and "://" not in page


def test_a_name_and_code_are_text_too(tmp_path):
    student, code = "<b>eve", "</pre><script>alert(1)</script>"
    tiny_results.make(tmp_path, {student: Handed(HOSTILE, code, shown=code, ask=code)})
    page = pages(tmp_path)[student]
    assert "<script" not in page and "<b>" not in page
    assert page.count("&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;") == 2


def test_the_visible_cases_may_be_right_and_others_not(tmp_path):
    tiny_results.make(tmp_path, {"ada": Handed(points=3.0)})
    assert "it is not right for all of them" in pages(tmp_path)["ada"]


def test_a_letter_that_was_changed_waits_again(root):
    tiny_results.regrade(root, "ada", dataclasses.replace(STUDENTS["ada"], letter="Another text."))
    page = pages(root)["ada"]
    assert "Another text." in page and "not marked yet" in page and "0.5 of 1" not in page and "Why" not in page


def test_what_a_person_says_of_a_function_counts(root):
    with Gradebook(database(root / "gradebook.db")) as book:
        book.find_grade("double-check", "tiny", "tiny", "eve").manual_score = 2.5
        book.db.commit()
    assert "2.5 of 4 points" in pages(root)["eve"]


def test_a_grading_that_goes_on_is_nobody(root):
    (root / "results" / "tiny" / "ada").rename(root / "results" / "tiny" / ".new-x7")
    assert sorted(pages(root)) == ["ben", "cem", "dan", "eve"]


def test_what_could_not_be_graded_gets_the_reason_without_our_folders(root):
    path = root / "results" / "tiny" / "ada"
    (path / "tiny.ipynb").unlink()
    marks = json.loads((path / "marks.json").read_text(encoding="utf-8"))
    marks |= {"problem": "Errno 13: '/home/teacher/secret/tiny.ipynb'", "cells": []}
    (path / "marks.json").write_text(json.dumps(marks), encoding="utf-8")
    page = pages(root)["ada"]
    assert "could not be graded as a whole: Errno 13: …/tiny.ipynb" in page
    assert page.count("not graded yet") == 2 and "<strong>0 of 6 points</strong>, 2 still to come." in page


def test_the_teacher_sees_who_made_which_mistake(root, capsys):
    assert feedback.main(["--homework", "tiny", "--root", str(root), "--into", str(root)]) == 0
    expected = [
        ["task", "what", "students"],
        [TASK, "right", "1"],
        [TASK, "wrong", "2"],
        [TASK, "not attempted", "1"],
        [TASK, "ungraded", "1"],
        [TASK, f"hint: {ASK}", "2"],
        [LETTER, "partly", "1"],
        [LETTER, "not attempted", "1"],
        [LETTER, "to mark", "3"],
    ]
    with open(root / "feedback" / "tiny.csv", newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == expected
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[-1] for line in printed[:-1]] == [row[-1] for row in expected]
    assert printed[-1].startswith("5 pages in ")


RULES = """
timezone = "Europe/Berlin"
students = "students.csv"
[homework]
share = 60
[homework.due]
tiny = 2026-11-02 10:00:00
[late]
percent_per_day = 10
most_days = 3
grace_hours = 0.5
[[part]]
name = "exam"
share = 40
file = "not_yet.csv"
maximum = 90
[[extension]]
student = "eve"
homework = "tiny"
until = 2026-11-04 10:00:00
"""


def test_a_page_says_how_late_it_was_by_the_rules_of_the_term(root):
    handed = {"ada": "09:00", "ben": "14:30", "cem": "09:10", "eve": "15:00", "dan": None}
    for student, time in handed.items():
        path = root / "results" / "tiny" / student / "marks.json"
        day = "2026-11-07" if student == "eve" else "2026-11-02"
        marks = json.loads(path.read_text(encoding="utf-8")) | {"handed_in": time and f"{day} {time}:00 UTC"}
        path.write_text(json.dumps(marks), encoding="utf-8")
    assert "it was due" not in "".join(pages(root).values()), "there are no rules"
    (root / "term.toml").write_text(RULES, encoding="utf-8")
    (root / "students.csv").write_text("student\n" + "\n".join(handed), encoding="utf-8")
    assert feedback.main(["--homework", "tiny", "--root", str(root), "--into", str(root)]) == 0
    due = "it was due 2026-11-02 10:00:00 CET"
    for student, said in {
        "ada": f"Handed in 2026-11-02 10:00:00 CET, in time: {due}.",
        "ben": f"Handed in 2026-11-02 15:30:00 CET, 5.5 hours late: {due}. By the rules it costs 1 × 10 of 100.",
        "cem": f"0.2 hours late: {due}. By the rules it costs nothing.",
        "dan": f"not known, which counts as in time: {due}.",
        "eve": "78 hours late: it was due 2026-11-04 10:00:00 CET (extended). By the rules it costs all of it.",
    }.items():
        assert said in (root / "feedback" / "tiny" / f"{student}.html").read_text(encoding="utf-8")


def test_a_page_says_how_many_had_how_many_points_and_not_of_a_handful(tmp_path):
    points = {"ada": 4.0, "ben": 4.0, "cem": 0.0, "dan": 1.0, "eve": 3.9}
    made = {name: Handed(points=got, ask=ASK) for name, got in points.items()}
    tiny_results.make(tmp_path, made | {"fay": Handed(points=None)})
    counts = [2, 0, 0, 3, 0]  # of 6 points: two in 0 to below 1.2, three in 3.6 to below 4.8
    table = "".join(re.findall("<table>.*?</table>", pages(tmp_path)["fay"], flags=re.S))
    assert "5 who are marked" in table and "<td>3.6 to below 4.8</td><td>3</td>" in table
    assert [int(count) for count in re.findall(r"<td>(\d+)</td>", table)] == counts
    assert not [name for name in points if name in table]
    feedback.write_feedback(tmp_path, "tiny", tmp_path, "ada")
    assert table in (tmp_path / "feedback" / "tiny" / "ada.html").read_text(encoding="utf-8")
    tiny_results.regrade(tmp_path, "ben", Handed(points=None))
    assert "who are marked" not in "".join(pages(tmp_path).values())


def collected(root, files):
    """The table of `make collect`: {student: path of what was taken}."""
    empty = dict.fromkeys(attempts.ATTEMPT_COLUMNS, "") | {"homework": "tiny", "state": attempts.TAKEN}
    layouts = {who: "Moodle" if "assignsub" in path else "Canvas" for who, path in files.items()} | {"fay": "e-mail"}
    rows = [(empty | {"student": who, "file": path, "layout": layouts[who]}).values() for who, path in files.items()]
    write_table(root / collect.COLLECTED_FOLDER / collect.COLLECTED_TABLE, [attempts.ATTEMPT_COLUMNS, *rows])


def test_pages_are_packed_as_moodle_and_canvas_take_them_back(root, capsys):
    files = {
        "ada": "HW 1.zip: Ada de Vries_12_assignsubmission_file/my: file.ipynb",
        "ben": "Ben_7_assignsubmission_file_all.zip: deep/tiny.ipynb",
        "cem": "yilmazcem_LATE_9_1001_tiny-1.ipynb",
        "dan": "dandan_8_1002_all.zip: a/tiny.ipynb",
        "eve": "eveeve_6_1003_tiny.ipynb.txt",
        "fay": "a.eml: somebody_5_1004_tiny.ipynb",
    }
    tiny_results.publish(root, "fay", Handed("A file named as Canvas names those of somebody else."))
    collected(root, files)
    given = ["--homework", "tiny", "--root", str(root), "--into", str(root)]
    assert feedback.main(given) == 0
    told = capsys.readouterr().out
    assert "2 of them are in" in told and "hand them back yourself: eve\n" in told
    with zipfile.ZipFile(root / "feedback" / "tiny-moodle.zip") as archive:
        name = "Ada de Vries_12_assignsubmission_file/tiny_feedback.html"
        assert archive.namelist() == [name, "Ben_7_assignsubmission_file/tiny_feedback.html"]
        for path in archive.namelist():
            assert path.split("/")[0].split("_", 4)[1:4] in (
                ["12", "assignsubmission", "file"],
                ["7", "assignsubmission", "file"],
            )
        assert archive.read(name) == (root / "feedback" / "tiny" / "ada.html").read_bytes()
    with zipfile.ZipFile(root / "feedback" / "tiny-canvas.zip") as archive:
        assert archive.namelist() == ["dandan_8_1002_all.zip", "yilmazcem_LATE_9_1001_tiny-1.ipynb"]
        book = nbformat.reads(archive.read("yilmazcem_LATE_9_1001_tiny-1.ipynb").decode(), as_version=4)
        nbformat.validate(book)
        assert STUDENTS["cem"].letter in book.cells[0].outputs[0].data["text/html"]
        with zipfile.ZipFile(io.BytesIO(archive.read("dandan_8_1002_all.zip"))) as inner:
            assert inner.read("tiny_feedback.html") == (root / "feedback" / "tiny" / "dan.html").read_bytes()
    before = {path: path.read_bytes() for path in (root / "feedback").glob("*.zip")}
    assert feedback.main(given) == 0
    assert {path: path.read_bytes() for path in before} == before
    collected(root, {"cem": files["cem"]})
    assert feedback.main(given) == 0
    assert not (root / "feedback" / "tiny-moodle.zip").exists()


def test_a_formula_is_set_in_a_page_and_left_to_jupyterlab_in_a_notebook(tmp_path):
    tiny_results.make(tmp_path, {"ada": Handed("So $\\frac{6}{2}$ is $x < y$.")})
    page = pages(tmp_path)["ada"]
    assert "<mfrac><mn>6</mn><mn>2</mn></mfrac>" in page.replace("<mrow>", "").replace("</mrow>", "")
    assert "So $\\\\frac{6}{2}$ is $x &lt; y$." in returning.notebook(page)


def test_one_page_can_be_asked_for(root):
    assert feedback.write_feedback(root, "tiny", root, "cem")[0] == 1
    assert [path.name for path in (root / "feedback").rglob("*.*")] == ["cem.html"]


def test_a_name_that_nobody_has_is_a_usage_error(root, capsys):
    with pytest.raises(SystemExit):
        feedback.main(["--homework", "tiny", "--root", str(root), "--into", str(root), "--student", "zoe"])
    assert "student is 'zoe'" in capsys.readouterr().err
