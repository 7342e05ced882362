"""Marking by hand: what is shown, what is written, and what survives."""

import dataclasses
import html
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from html.parser import HTMLParser
from urllib.parse import urlsplit
from urllib.request import urlopen

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook
from sqlalchemy.exc import OperationalError

from tests.classroom import tiny_results
from tests.classroom.boxes import UNSAFE
from tests.classroom.tiny_results import HOSTILE, PIXEL, STUDENTS, Handed
from tests.homework import graded, tiny_course
from tools.homework import feedback, formulas, grade, handmarks, marking, showing
from tools.homework.handmarks import HandMark
from tools.homework.letters import read_letters
from tools.homework.nbgrading import TEXT_STUB, database


@pytest.fixture
def root(tmp_path):
    return tiny_results.make(tmp_path)


@pytest.fixture
def desk(root):
    return marking.Desk(root, "tiny", root)


class Tags(HTMLParser):
    """The tags and attributes of HTML, as a browser finds them."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes = set(), set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes.update(attributes)


def key_of(desk, student):
    return f"letter/{desk.numbers[student]}"


def mark(desk, student, *points, comment=""):
    """What the page sends after a key; the new state."""
    key = key_of(desk, student)
    shown = desk.show(key)
    return desk.mark(key, shown["digest"], list(points), comment, shown["seen"])


def known(root, student, cell="letter"):
    """(automatic points, points by hand, whether it waits, comment) as nbgrader has them."""
    with Gradebook(database(root / "gradebook.db")) as book:
        grade, names = book.find_grade(cell, "tiny", "tiny", student), ("double-answer", "letter")
        comment = book.find_comment(names[cell == "letter"], "tiny", "tiny", student).manual_comment
        return grade.auto_score, grade.manual_score, grade.needs_manual_grade, comment


def states(desk):
    """{student: state}"""
    students = {key_of(desk, student): student for student in desk.numbers}
    return {students[one["key"]]: one["state"] for one in desk.overview()}


def test_who_wrote_something_is_marked_under_a_number(desk):
    assert states(desk) == dict.fromkeys(["ada", "ben", "cem", "eve"], "waiting")
    assert len(set(desk.numbers.values())) == 4
    page = json.dumps([desk.overview(), *map(desk.show, desk.letters)])
    assert not [student for student in STUDENTS if student in page]


def test_numbers_and_order_stay_when_somebody_is_added(root, desk):
    before = list(desk.letters)
    late = Handed("Two x.")
    tiny_results.add_to_gradebook(root, {"abe": late})
    tiny_results.publish(root, "abe", late)
    after = marking.Desk(root, "tiny", root)
    assert [key for key in after.letters if key in before] == before
    assert len(after.letters) == 5


def test_the_order_is_not_that_of_the_names(tmp_path):
    students = {f"student-{number:02}": Handed("Two.") for number in range(30)}
    desk = marking.Desk(tiny_results.make(tmp_path, students), "tiny", tmp_path)
    order = [letter.student for letter in desk.letters.values()]
    assert sorted(order) == list(students) != order


def test_whole_marks_count_and_others_are_not_touched(root, desk):
    before = {student: known(root, student) for student in STUDENTS}
    assert mark(desk, "ada", 1, None) == "begun"
    assert known(root, "ada")[:3] == (None, None, True)
    assert mark(desk, "ada", 1, 0.5, comment=" Nearly. ") == "marked"
    comment = "1 of 1: says what *twice* means\n0.5 of 1: an example with a number\n\nNearly."
    assert known(root, "ada") == (None, 1.5, False, comment)
    assert known(root, "ada", "double-check") == (4.0, None, False, None)
    assert {student: known(root, student) for student in STUDENTS if student != "ada"} == {
        student: what for student, what in before.items() if student != "ada"
    }
    assert states(desk) == {"ada": "marked", "ben": "waiting", "cem": "waiting", "eve": "waiting"}
    again = marking.Desk(root, "tiny", root).show(key_of(desk, "ada"))
    assert (again["points"], again["comment"]) == ([1, 0.5], "Nearly.")


def test_points_that_do_not_fit_and_a_mark_for_another_text_are_refused(root, desk):
    for points, why in {(1,): "has 1 rows; letter has 2", (1, 0.7): "has 0.7 for", (2, 0): "has 2.0 for"}.items():
        with pytest.raises(ValueError, match=why):
            mark(desk, "ada", *points)
    with pytest.raises(ValueError, match="nan"):
        mark(desk, "ada", float("nan"), 0)
    with pytest.raises(ValueError, match="not the current letter"):
        desk.mark(key_of(desk, "ada"), "0" * 64, [1, 1], "")
    assert known(root, "ada") == (None, None, True, None)


def test_grading_again_keeps_marks_and_tells_who_changed_a_letter(root, desk):
    mark(desk, "ada", 1, 1, comment="Fine.")
    mark(desk, "cem", 1, 0)
    tiny_results.regrade(root, "ada", dataclasses.replace(STUDENTS["ada"], answer="double = 3", points=0.0))
    tiny_results.regrade(root, "cem", dataclasses.replace(STUDENTS["cem"], letter="2x = x + x, so 6."))
    assert known(root, "ada")[:3] == (None, 2, True)
    again = marking.Desk(root, "tiny", root)
    assert states(again) == {"ada": "marked", "ben": "waiting", "cem": "changed", "eve": "waiting"}
    assert known(root, "ada")[:3] == (None, 2, False)
    assert known(root, "cem")[:3] == (None, 1, True)
    assert mark(again, "cem", 1, 1) == "marked"
    assert known(root, "cem")[:3] == (None, 2, False)


def test_cells_of_their_own_belong_to_the_letter(root, desk):
    mark(desk, "ben", 1, 1)
    tiny_results.regrade(root, "ben", dataclasses.replace(STUDENTS["ben"], own="plot(<i>)"))
    assert states(marking.Desk(root, "tiny", root))["ben"] == "changed"


def beside(where, text="Because 3 + 3 is 6."):
    """The graded notebook of somebody who left the cell of the answer as it was."""
    book = tiny_results.notebook(Handed())
    if where == "question":
        book.cells[4].source += f"\n\n{text}"
    elif where == "copy":
        book.cells[5:5] = [new_markdown_cell(text), new_markdown_cell(TEXT_STUB)]
    else:
        made = {"code": new_code_cell}.get(where, new_markdown_cell)
        place = 5 if where == "above" else 6
        book.cells[place:place] = [made(text), new_code_cell("1 + 1")]
    return book


@pytest.mark.parametrize("where", ["below", "above", "code", "question", "copy"])
def test_a_letter_beside_its_cell_is_shown_and_marked(root, where):
    nbformat.write(beside(where), root / "results" / "tiny" / "dan" / "tiny.ipynb")
    assert known(root, "dan") == (0, None, False, None), "as an earlier version has graded it"
    desk = marking.Desk(root, "tiny", root)
    assert states(desk)["dan"] == "waiting" and known(root, "dan")[:3] == (None, None, True)
    assert "Because 3 + 3 is 6." in desk.show(key_of(desk, "dan"))["text"]
    assert mark(desk, "dan", 1, 1) == "marked"
    feedback.write_feedback(root, "tiny", root, "dan")
    page = (root / "feedback" / "tiny" / "dan.html").read_text(encoding="utf-8")
    assert "Because 3 + 3 is 6." in page and "2 of 2 points" in page


def test_all_that_stands_beside_a_cell_is_one_letter_and_what_is_of_other_tasks_is_not(root):
    book, other = beside("below"), tiny_results.notebook(Handed())
    book.cells.append(new_markdown_cell("And so on."))
    other.cells.insert(4, new_code_cell("of_task_1 = 1"))
    nbformat.write(book, root / "results" / "tiny" / "dan" / "tiny.ipynb")
    nbformat.write(other, root / "results" / "tiny" / "ada" / "tiny.ipynb")
    letters = {one.student: one for one in read_letters(root, "tiny", root)}
    assert letters["dan"].text == "Because 3 + 3 is 6.\n\nAnd so on."
    assert [one.source for one in letters["dan"].own] == ["1 + 1"]
    assert "ada" not in letters


@pytest.mark.long
def test_grading_again_by_the_grader_keeps_marks(tmp_path):
    tiny_course.make(tmp_path)
    book = tiny_course.source()
    tiny_course.cell_of(book, "letter").source = STUDENTS["ada"].letter
    places = [
        f"--{name}={tmp_path / place}" for name, place in (("root", ""), ("submitted", "submitted"), ("into", ""))
    ]
    tiny_course.hand_in(tmp_path, "ada", book)
    assert grade.main([*places, *UNSAFE]) == 0
    tiny_results.publish(tmp_path, "ada", STUDENTS["ada"])
    (letter,) = read_letters(tmp_path, "tiny", tmp_path)
    handmarks.write_mark(tmp_path, "tiny", letter, HandMark((1.0, 0.5), "Fine.", letter.digest))
    (tmp_path / "submitted" / "ada" / "tiny" / "tiny.ipynb").unlink()
    (tmp_path / "submitted" / "ada" / "tiny").rmdir()
    tiny_course.hand_in(tmp_path, "ada", tiny_course.with_answer(book, "double = None"))
    assert grade.main([*places, *UNSAFE]) == 0
    standing = handmarks.read_standings(tmp_path, "tiny")["ada", "letter"]
    assert (standing.manual, standing.mark.points, standing.state(letter)) == (1.5, (1.0, 0.5), "marked")


def test_a_mark_that_was_given_elsewhere_counts_and_ours_does_not_speak_for_it(root, desk):
    mark(desk, "ada", 1, 1)
    with Gradebook(database(root / "gradebook.db")) as book:
        book.find_grade("letter", "tiny", "tiny", "ada").manual_score = 0.5
        book.db.commit()
    standing = desk.standing(desk.letters[key_of(desk, "ada")])
    assert states(desk)["ada"] == "marked" and not standing.kept


def set_points(root, student, task, points, reason="the sheet said squared"):
    """The command that sets points, without a page."""
    words = ["--homework", "tiny", "--student", student, "--task", task, "--points", points, "--reason", reason]
    return marking.main([*words, "--root", str(root), "--into", str(root)])


def test_points_of_any_task_are_set_with_a_reason_and_taken_back(root, desk, capsys):
    assert set_points(root, "ben", "double", "3") == 0
    assert "ben, double: 0 → 3." in capsys.readouterr().out
    assert known(root, "ben", "double-check")[:3] == (0, 3, False)
    tiny_results.regrade(root, "ben", STUDENTS["ben"])
    one = handmarks.read_standings(root, "tiny")["ben", "double-check"].by_reason
    assert (one.points, one.reason, one.marker) == (3, "the sheet said squared", handmarks.login())
    feedback.write_feedback(root, "tiny", root)
    page = (root / "feedback" / "tiny" / "ben.html").read_text(encoding="utf-8")
    assert "3 of 4 points" in page and "the sheet said squared" in page
    assert set_points(root, "ben", "double", "grader", "a slip") == 0
    assert known(root, "ben", "double-check")[:3] == (0, None, False)
    assert handmarks.read_standings(root, "tiny")["ben", "double-check"].by_reason is None


def test_points_that_are_set_and_rows_that_are_marked_speak_for_themselves_in_turn(root, desk):
    mark(desk, "ada", 1, 0.5, comment="Fine.")
    set_points(root, "ada", "letter", "2", "after we talked")
    assert known(root, "ada")[:3] == (None, 2, False) and states(desk)["ada"] == "marked"
    assert not desk.standing(desk.letters[key_of(desk, "ada")]).kept
    set_points(root, "ada", "letter", "grader", "a slip")
    assert known(root, "ada")[:3] == (None, 1.5, False)
    set_points(root, "ada", "letter", "2", "after we talked")
    mark(desk, "ada", 1, 1)
    standing = desk.standing(desk.letters[key_of(desk, "ada")])
    assert standing.kept and standing.by_reason is None
    set_points(root, "dan", "letter", "1", "sent by mail")
    feedback.write_feedback(root, "tiny", root, "dan")
    page = (root / "feedback" / "tiny" / "dan.html").read_text(encoding="utf-8")
    assert "1 of 2 points" in page and "sent by mail" in page


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("zoe", "double", "3"), "student is 'zoe'"),
        (("ben", "treble", "3"), "task is 'treble'; one of double, letter is needed"),
        (("ben", "double", "5"), "points is 5; 0 to 4, those of double, are needed"),
        (("ben", "double", "much"), "points is 'much'; a number, or 'grader', is needed"),
        (("ben", "double", "3", " "), "reason is empty"),
        (("ben", "double", "3", ""), "belong together"),
    ],
)
def test_points_that_cannot_be_set_are_a_usage_error(root, capsys, given, why):
    with pytest.raises(SystemExit):
        set_points(root, *given)
    assert why in capsys.readouterr().err
    assert known(root, "ben", "double-check")[:3] == (0, None, False)


def test_a_mark_that_somebody_else_gave_meanwhile_is_not_overwritten(root, desk, served):
    other, key = marking.Desk(root, "tiny", root), key_of(desk, "ada")
    shown = desk.show(key)
    body = {"key": key, "digest": shown["digest"], "points": [0, 0], "comment": "No.", "seen": shown["seen"]}
    mark(other, "ada", 1, 0.5, comment="Nearly.")
    status, _, text = served[1]("mark", json.dumps(body))
    assert (status, text.startswith(f"{handmarks.login()} gave 1, 0.5 at 20")) == (412, True)
    assert known(root, "ada")[:3] == (None, 1.5, False)
    again = json.dumps(body | {"seen": desk.show(key)["seen"]})
    assert [served[1]("mark", again)[0] for _ in range(2)] == [200, 200], "whose answer was lost may send it again"
    assert known(root, "ada")[:3] == (None, 0, False)
    before = other.show(key)["seen"]
    set_points(root, "ada", "letter", "2", "after we talked")
    with pytest.raises(handmarks.Overtaken, match=r"set 2 points at .*: after we talked"):
        other.mark(key, shown["digest"], [1, 1], "", before)
    assert other.show(key)["set"] == "2 points were set for it: after we talked"


KILLED = """
import os, signal, sys
from pathlib import Path
import sqlalchemy
from tools.homework import handmarks, marking

root = Path(sys.argv[1])
desk = marking.Desk(root, "tiny", root)
for key in list(desk.letters)[:2]:
    desk.mark(key, desk.letters[key].digest, [1, 1], "kept")

@sqlalchemy.event.listens_for(sqlalchemy.engine.Engine, "commit")
def no_commit(connection):
    if connection.info.get("wrote"):
        os.kill(os.getpid(), signal.SIGKILL)

@sqlalchemy.event.listens_for(sqlalchemy.engine.Engine, "before_cursor_execute")
def note(connection, cursor, statement, *more):
    connection.info["wrote"] = connection.info.get("wrote") or statement.startswith("INSERT OR REPLACE")

key = list(desk.letters)[2]
desk.mark(key, desk.letters[key].digest, [1, 1], "lost")
"""


def test_what_was_marked_survives_a_kill_in_the_middle_of_the_next_mark(root, desk):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    ended = subprocess.run([sys.executable, "-c", KILLED, root], env=environment, capture_output=True, text=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    after = marking.Desk(root, "tiny", root)
    assert [one["state"] for one in after.overview()] == ["marked", "marked", "waiting", "waiting"]
    third = list(after.letters.values())[2].student
    assert known(root, third) == (None, None, True, None)
    assert mark(after, third, 1, 0) == "marked"


def test_what_a_student_wrote_is_text(desk):
    shown = desk.show(key_of(desk, "ben"))
    assert "<script" not in shown["text"] and "<img" not in shown["text"]
    assert "&lt;script&gt;window.hacked = 1&lt;/script&gt;" in shown["text"]
    assert shown["source"] == HOSTILE
    assert "plot(&lt;b&gt;)" in shown["own"] and f'src="data:image/png;base64,{PIXEL}"' in shown["own"]
    assert desk.show(key_of(desk, "ada"))["own"] == ""


@pytest.mark.parametrize(
    "source",
    [
        "<script>alert(1)</script>",
        '"><svg onload=alert(1)>',
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "![x](https://elsewhere.org/spy.png)",
        "![x](attachment:none.png)",
        "```mermaid\n</pre><iframe src=//elsewhere.org></iframe>\n```",
        "$$<img src=x onerror=alert(1)>$$",
        "<a href='//elsewhere.org' style='position:fixed'>x</a>",
        ">" * 20_000,
    ],
)
def test_nothing_in_a_letter_runs_or_asks_for_anything(source):
    left = Tags(showing.markdown(source))
    assert left.tags <= showing.ALLOWED_TAGS
    assert left.attributes <= {("alt", "x")}


def test_every_formula_of_the_homeworks_is_set_and_no_formula_has_an_attribute():
    for path in sorted(graded.ROOT.glob("solutions/*/*.ipynb")):
        for cell in nbformat.read(path, as_version=4).cells:
            if cell.cell_type == "markdown" and "$" in cell.source:
                shown = showing.markdown(cell.source)
                left = re.sub(r"<annotation>.*?</annotation>|<code>.*?</code>|<pre>.*?</pre>", "", shown, flags=re.S)
                assert "$" not in left and "\\frac" not in left, path.name
                assert not {name for tag, name in Attributes(shown).found if tag in formulas.MATHML_TAGS}


class Attributes(HTMLParser):
    """(tag, attribute) of HTML."""

    def __init__(self, page):
        super().__init__()
        self.found = set()
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found |= {(tag, name) for name, _ in attributes}


@pytest.mark.parametrize(
    ("tex", "part"),
    [
        ("$x_i^2$", "<msubsup><mi>x</mi><mrow><mi>i</mi></mrow><mrow><mn>2</mn></mrow></msubsup>"),
        ("$\\frac12$", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (
            "$$\\sum_{i<n} x$$",
            "<munder><mo>∑</mo><mrow><mrow><mi>i</mi><mo>&lt;</mo><mi>n</mi></mrow></mrow></munder>",
        ),
        ("\\begin{cases} 1 & x \\\\ 0 & y \\end{cases}", "<mtable><mtr><mtd>"),
        ("$\\mathcal{N}(0, \\sqrt2)$", "<mi>𝒩</mi>"),
    ],
)
def test_a_formula_is_set(tex, part):
    assert part in showing.markdown(tex) and "<annotation>" in showing.markdown(tex)


@pytest.mark.parametrize(
    "tex",
    [
        "$5 and $6",
        r"$\unknown{x}$",
        "$" + "{" * 900 + "$",
        r"$\frac" * 300 + "$",
        "$" + r"\hat" * 400 + "x$",
        "$x_$",
        "$&$",
    ],
)
def test_what_is_no_formula_that_is_known_stays_as_it_was_typed(tex):
    assert "<math" not in showing.markdown(tex) and html.escape(tex.strip("$")[:20]) in showing.markdown(tex)


@pytest.mark.parametrize(
    "source",
    ['[x](https://e.org/$"onclick=alert(1)$)', '![$\\text{"><script>}$](attachment:no.png)', "$\\text{<script>}$"],
)
def test_a_formula_in_an_attribute_ends_no_quotation(source):
    found = Tags(showing.markdown(source))
    assert found.tags <= showing.ALLOWED_TAGS and {name for name, _ in found.attributes} <= {"href", "alt"}


def test_what_was_meant_is_shown():
    shown = showing.markdown(
        "**No** `a < b`\n\n| a |\n|---|\n| 1 |\n\n[x](https://e.org) ![p](attachment:p.png)",
        {"p.png": {"image/png": PIXEL}},
    )
    for part in ("<strong>No</strong>", "<code>a &lt; b</code>", "<td>1</td>", 'href="https://e.org"', PIXEL):
        assert part in shown


@pytest.fixture
def served(desk):
    """(desk, function) while the page is served: the function asks for a path and returns status, headers and text."""
    server, address = marking.serve(desk)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    parts = urlsplit(address)

    def ask(path, body=None, token=parts.path, kind="application/json"):
        connection = http.client.HTTPConnection(parts.hostname, parts.port)
        method, headers = ("GET", {}) if body is None else ("POST", {"Content-Type": kind})
        connection.request(method, f"{token}{path}", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()

    yield desk, ask
    server.shutdown()
    server.server_close()


def test_only_who_has_the_address_gets_an_answer(served):
    desk, ask = served
    key = key_of(desk, "ada")
    body = json.dumps({"key": key, "digest": desk.letters[key].digest, "points": [1, 1], "comment": ""})
    assert [ask("letters", token=token)[0] for token in ("/", "/guess/", "//")] == [404, 404, 404]
    assert ask("mark", body, token="/guess/")[0] == 404
    assert ask("mark", body, kind="text/plain")[0] == 404
    assert states(desk)["ada"] == "waiting"
    assert ask("mark", body)[0] == 200
    assert states(desk)["ada"] == "marked"


def test_the_page_may_run_its_own_script_only(served):
    status, headers, text = served[1]("")
    assert status == 200
    policy = headers["Content-Security-Policy"]
    nonce = policy.split("'nonce-")[1].split("'")[0]
    assert text.count(f'nonce="{nonce}"') == 2 and "{nonce}" not in text
    assert "default-src 'none'" in policy and "unsafe" not in policy and "://" not in text
    assert headers["Referrer-Policy"] == "no-referrer"


def test_what_is_no_mark_is_refused(served):
    for body in ("", "no", "[]", '{"key": "letter/1"}', '{"key": ["x"]}'):
        assert served[1]("mark", body)[0] in (400, 413), body
    assert set(states(served[0]).values()) == {"waiting"}


def test_a_busy_gradebook_is_told_without_names(served, monkeypatch):
    desk, ask = served

    def locked(*given):
        raise OperationalError("UPDATE … 'ada'", {"student": "ada"}, "locked")

    key = key_of(desk, "ada")
    body = json.dumps({"key": key, "digest": desk.letters[key].digest, "points": [1, 1], "comment": ""})
    monkeypatch.setattr(handmarks, "write_mark", locked)
    status, _, text = ask("mark", body)
    assert (status, text) == (503, "the gradebook cannot be used: locked")


def test_the_command_serves_until_it_is_interrupted(root):
    places = ["--root", str(root), "--into", str(root), "--letters", "letter"]
    command = [sys.executable, "-m", "tools.homework.marking", "--homework", "tiny", *places]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        address = process.stdout.readline().removeprefix("4 letters at ").strip()
        with urlopen(f"{address}letters") as answer:
            assert len(json.load(answer)) == 4
        process.send_signal(signal.SIGINT)
        assert "All marks are in the gradebook." in process.stdout.read()
    assert process.returncode == 0


def test_a_wrong_name_and_a_port_that_cannot_be_used_are_usage_errors(root, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = str(taken.getsockname()[1])
        for homework, arguments, why in (
            ("none", [], "there is no homework none; there are tiny"),
            ("tiny", ["--letters", "other"], "tiny has letter"),
            ("tiny", ["--port", number], f"port is {number}, which cannot be used"),
            ("tiny", ["--port", "99999999"], "port is 99999999, which cannot be used"),
        ):
            with pytest.raises(SystemExit):
                marking.main(["--homework", homework, *arguments, "--root", str(root), "--into", str(root)])
            assert why in capsys.readouterr().err


def test_marking_before_grading_is_a_usage_error(tmp_path, capsys):
    tiny_course.make(tmp_path)
    with pytest.raises(SystemExit):
        marking.main(["--homework", "tiny", "--root", str(tmp_path), "--into", str(tmp_path)])
    assert "grade the homework first" in capsys.readouterr().err
