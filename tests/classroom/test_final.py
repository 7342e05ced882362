"""The final number: it is what the rules give, computed on another way; what does not add up stops with its line."""

import copy
import csv
import json
import re
import secrets
import shutil
import tomllib
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction
from html.parser import HTMLParser

import dateutil.tz
import numpy as np
import pytest
from nbgrader.api import Gradebook

from tests.classroom import tiny_results
from tests.homework.graded import ROOT
from tools.homework import attempts, collect, final, handmarks, totals
from tools.homework.nbgrading import database
from tools.homework.submissions import Submission
from tools.homework.tables import write_table
from tools.homework.term import read_term
from tools.homework.totals import Work

GUIDE = (ROOT / "teaching" / "grading.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```toml\n(.*?)```", GUIDE, flags=re.DOTALL)
NAMES = ("01_dtw", "02_gaussians", "03_mixtures")


# --- the same number on another way, from the raw text of the rules and of the lists


def utc(moment, rules):
    zone = dateutil.tz.gettz(rules["timezone"])
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)


def by_hand(text, lists, handed, student):
    """(final number, grade, {homework: percent}) of a student, as texts and Fractions.

    Parameters
    ----------
    text : of term.toml;  lists : {file: {student: points as text}}
    handed : {(student, homework): (points of the tasks, maximum, time or None)}
    """
    rules = tomllib.loads(text, parse_float=Fraction)
    percents = {name: percent(rules, handed, student, name) for name in rules["homework"]["due"]}
    weights = {name: rules["homework"].get("weight", {}).get(name, 1) for name in percents}
    excused = {one["homework"] for one in rules.get("excused", []) if one["student"] == student}
    left = [name for name in percents if weights[name] > 0 and name not in excused]
    for _ in range(rules["homework"].get("drop_lowest", 0)):
        worst = left[0]
        for name in left:
            lower = percents[name] < percents[worst]
            worst = name if lower or (percents[name] == percents[worst] and weights[name] > weights[worst]) else worst
        left.remove(worst)
    mean = Fraction(sum(weights[name] * percents[name] for name in left), sum(weights[name] for name in left))
    total = rules["homework"]["share"] * mean / 100
    for part in rules.get("part", []):
        total += part["share"] * Fraction(lists[part["file"]][student] or 0) / part["maximum"]
    with localcontext(prec=80):
        digit = Decimal(1).scaleb(-rules.get("decimals", 1))
        number = (Decimal(total.numerator) / Decimal(total.denominator)).quantize(digit, ROUND_HALF_UP)
    reached = [name for name, least in rules.get("scale", {}).items() if Fraction(number) >= least]
    for part in rules.get("part", []):
        if Fraction(lists[part["file"]][student] or 0) < part.get("least", 0):
            reached = list(rules["scale"])[-1:]
    return f"{number:f}", reached[0] if reached else "", percents


def percent(rules, handed, student, name):
    """A homework of a student, of 100."""
    groups = [one for one in rules.get("group", []) if one["homework"] == name and student in one["members"]]
    owners = (
        [groups[0]["counts"]] if groups and "counts" in groups[0] else groups[0]["members"] if groups else [student]
    )
    found = [handed[who, name] for who in owners if (who, name) in handed]
    if not found:
        return Fraction(0)
    (points, most, at), late = found[0], rules["late"]
    until = utc(rules["homework"]["due"][name], rules)
    for one in rules.get("extension", []):
        if (one["student"], one["homework"]) == (student, name):
            until = utc(one["until"], rules)
    until += timedelta(minutes=round(60 * float(late.get("grace_hours", 0))))
    days = 0
    while at is not None and at > until + days * timedelta(days=1):
        days += 1
    lost = Fraction(100) * sum(points) / most - days * late["percent_per_day"]
    return Fraction(0) if days > late["most_days"] or lost < 0 else lost


class Drawn:
    """A term drawn at random: the text of its rules, its lists, and what was handed in."""

    def __init__(self, rng):
        self.rng, self.names = rng, [f"0{k}_x" for k in range(1, rng.integers(2, 7))]
        self.students = [f"S{k:02d}" for k in range(1, rng.integers(3, 7))]
        self.due = [
            datetime(2026, 10, 20, rng.integers(8, 24), 59) + timedelta(days=3 * k) for k in range(len(self.names))
        ]
        self.handed = {}
        for who in self.students:
            for name, due in zip(self.names, self.due, strict=True):
                if rng.random() < 0.8:
                    self.handed[who, name] = self.work(due)
        self.lists = {}
        self.text = "\n".join([*self.head(), *self.parts(), *self.people(), *self.scale()])

    def pick(self, *values):
        return values[self.rng.integers(len(values))]

    def work(self, due):
        """Points in quarters; the time is often one at which something changes."""
        most = self.rng.integers(1, 6, size=3)
        points = [Fraction(int(self.rng.integers(0, 4 * one + 1)), 4) for one in most]
        at = utc(due, {"timezone": "Europe/Berlin"}) + timedelta(
            days=self.pick(-1, 0, 1, 2), seconds=self.pick(-1, 0, 1, 1800, 3600, 3601)
        )
        return points, Fraction(int(most.sum())), self.pick(at, at, at, None)

    def head(self):
        weights = {name: self.pick(1, 1, 2, "0.5", 0) for name in self.names[1:]}
        most = sum(weight != 0 for weight in weights.values())
        yield f'timezone = "Europe/Berlin"\nstudents = "class.csv"\ndecimals = {self.pick(0, 1, 2)}'
        self.drop, self.spare = self.rng.integers(0, most + 1), most
        self.shares = self.pick(("100",), ("50", "50"), ("33.3", "66.7"), ("0.5", "49.5", "50"))
        yield f"[homework]\nshare = {self.shares[0]}\ndrop_lowest = {self.drop}\n[homework.due]"
        yield from (f"{name} = {due}" for name, due in zip(self.names, self.due, strict=True))
        yield "[homework.weight]"
        yield from (f"{name} = {weight}" for name, weight in weights.items())
        yield f"[late]\npercent_per_day = {self.pick(0, 10, '12.5', '33.3')}\nmost_days = {self.pick(0, 1, 5)}"
        yield f"grace_hours = {self.pick(0, 1, '0.5')}"

    def parts(self):
        for k, share in enumerate(self.shares[1:]):
            most = self.pick("90", "7.5", "100")
            points = {who: self.pick("", "0", most, f"{self.rng.integers(0, 75) / 10:.1f}") for who in self.students}
            self.lists[f"part{k}.csv"] = points
            yield f'[[part]]\nname = "part {k}"\nshare = {share}\nfile = "part{k}.csv"\nmaximum = {most}'
            yield f"least = {self.pick(0, 3, most)}"

    def people(self):
        for who in self.students:
            for name, due in zip(self.names, self.due, strict=True):
                if self.rng.random() < 0.2:
                    until = due + timedelta(days=int(self.pick(1, 2)))
                    yield f'[[extension]]\nstudent = "{who}"\nhomework = "{name}"\nuntil = {until}'
        for who in self.students[: 3 * (self.drop < self.spare)]:
            yield f'[[excused]]\nstudent = "{who}"\nhomework = "{self.pick(*self.names)}"'
        for name in self.names:
            members = [str(one) for one in self.rng.permutation(self.students)[:2]]
            handed = [who for who in members if (who, name) in self.handed]
            counts = [f'counts = "{self.pick(*handed)}"'] if len(handed) > 1 else []
            if self.rng.random() < 0.5:
                yield "\n".join([f'[[group]]\nhomework = "{name}"\nmembers = {json.dumps(members)}', *counts])

    def scale(self):
        least = sorted({str(one) for one in self.rng.integers(1, 101, size=4)} | {"49.5"}, key=float, reverse=True)
        yield "\n".join(["[scale]", *(f'"{k}.0" = {one}' for k, one in enumerate(least)), "none = 0"])

    def write(self, folder):
        for file, points in {"class.csv": dict.fromkeys(self.students, ""), **self.lists}.items():
            write_list(folder / file, points)
        (folder / "term.toml").write_text(self.text, encoding="utf-8")
        return folder / "term.toml"


def write_list(path, points):
    path.write_text("\n".join(["student,points", *(f"{who},{got}" for who, got in points.items())]), encoding="utf-8")


def test_everybody_has_the_number_that_the_rules_give(tmp_path):
    seed = secrets.randbits(31)
    print(f"np.random.default_rng({seed})")
    rng, ties = np.random.default_rng(seed), 0
    for _ in range(150):
        drawn = Drawn(rng)
        term = read_term(drawn.write(tmp_path), drawn.names)
        works = {
            (who, name): Work(who, name, dict(enumerate(points)), most, at, {})
            for (who, name), (points, most, at) in drawn.handed.items()
        }
        for who in drawn.students:
            one = totals.final(who, works, term)
            number, reached, percents = by_hand(drawn.text, drawn.lists, drawn.handed, who)
            assert (f"{one.number:f}", one.grade) == (number, reached), (seed, drawn.text)
            assert {entry.homework: entry.percent for entry in one.entries} == percents
            ties += (one.exact * 10**term.decimals) % 1 == Fraction(1, 2)
    assert ties, "half way was never tried"


@pytest.mark.parametrize(
    ("value", "rounded", "cut"),
    [
        ("1.005", "1.01", "1.005"),
        ("0.125", "0.13", "0.125"),
        ("2/3", "0.67", "0.6666…"),
        ("74.9949999", "74.99", "74.9949…"),
        ("0", "0.00", "0"),
    ],
)
def test_half_way_goes_up_and_what_is_shown_never_says_more_than_there_is(value, rounded, cut):
    assert (f"{totals.half_up(Fraction(value), 2):f}", totals.shown(Fraction(value))) == (rounded, cut)


# --- a class, from its folders to final/


class Class:
    """The class of the guide's example: what they handed in, graded, and the lists."""

    def __init__(self, root):
        self.root, self.students = root, [f"S{k:02d}" for k in range(1, 9)]
        self.lists = {
            "exam.csv": {who: str(10 * k + 5) for k, who in enumerate(self.students)} | {"S07": "", "S09": "3"},
            "project.csv": {who: f"{99 - 7.25 * k:g}" for k, who in enumerate(self.students)},
        }
        write_list(root / "students.csv", dict.fromkeys([*self.students, "S09"], ""))
        for file, points in self.lists.items():
            write_list(root / file, points)
        self.rules(EXAMPLE)
        rng = np.random.default_rng(4)
        self.handed = {}
        for k, name in enumerate(NAMES):
            for who in [*self.students, "S09"]:
                if (who, name) not in {("S05", NAMES[2]), ("S08", NAMES[0]), ("S08", NAMES[2])}:
                    points = [Fraction(int(rng.integers(0, 4 * most + 1)), 4) for most in (4, 2)]
                    at = datetime(2026, 10, 26, 9, 30, tzinfo=UTC) + timedelta(
                        days=7 * k, hours=int(rng.integers(-40, 70))
                    )
                    self.handed[who, name] = points, 6, None if who == "S06" else at
        self.enter()

    def rules(self, text):
        (self.root / "term.toml").write_text(text, encoding="utf-8")

    def enter(self):
        """Writes submitted/, results/ and the gradebook, as grading leaves them, with letters marked elsewhere."""
        (self.root / "gradebook.db").write_bytes(tiny_results.empty_gradebook())
        with Gradebook(database(self.root / "gradebook.db")) as book:
            for name in NAMES:
                (self.root / "solutions" / name).mkdir(parents=True)
                (self.root / "solutions" / name / f"{name}.ipynb").touch()
                book.add_assignment(name)
                book.add_notebook(name, name)
                for task, most in {"double-check": 4, "letter": 2}.items():
                    book.add_grade_cell(task, name, name, max_score=most, cell_type="code")
                    book.add_source_cell(task, name, name, cell_type="code")
            for who in sorted({who for who, _ in self.handed}):
                book.add_student(who)
            for (who, name), (points, _, at) in self.handed.items():
                self.hand_in(who, name, at)
                book.add_submission(name, who)
                code, letter = (book.find_grade(task, name, name, who) for task in ("double-check", "letter"))
                code.auto_score, code.needs_manual_grade = float(points[0]), False
                letter.manual_score, letter.needs_manual_grade = float(points[1]), False
            book.db.commit()

    def hand_in(self, who, name, at):
        folder = self.root / "submitted" / who / name
        folder.mkdir(parents=True)
        (folder / f"{name}.ipynb").write_text(json.dumps({"nbformat": 4, "cells": [], "who": who}), encoding="utf-8")
        stamp = f"{at:%Y-%m-%d %H:%M:%S} UTC" if at else None
        marks = {
            "student": who,
            "homework": name,
            "handed_in": stamp,
            "graded": "2026-12-01 10:00:00 UTC",
            "problem": "",
        }
        marks |= {"key": f"{Submission(who, name, folder).fingerprint()} checks", "cells": []}
        (self.root / "results" / name / who).mkdir(parents=True)
        (self.root / "results" / name / who / "marks.json").write_text(json.dumps(marks), encoding="utf-8")

    def final(self, status=0, more=()):
        places = [f"--{name}={self.root / place}" for name, place in
                  {"term": "term.toml", "submitted": "submitted", "into": "", "root": ""}.items()]  # fmt: skip
        assert final.main([*places, *more]) == status

    def table(self, name="final"):
        with open(self.root / "final" / f"{name}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def files(self):
        return {path: path.read_bytes() for path in (self.root / "final").rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The class, with its final/."""
    found = Class(tmp_path_factory.mktemp("class"))
    found.final()
    return found


@pytest.fixture
def term(whole, tmp_path):
    """A copy of it before `make final`."""
    shutil.copytree(whole.root, tmp_path / "class", ignore=shutil.ignore_patterns("final"))
    found = copy.copy(whole)
    found.root = tmp_path / "class"
    return found


def test_the_example_of_the_guide_gives_everybody_their_number(whole):
    rows = {row["student"]: row for row in whole.table()}
    assert list(rows) == whole.students
    for who, row in rows.items():
        number, reached, percents = by_hand(EXAMPLE, whole.lists, whole.handed, who)
        assert (row["final"], row["grade"]) == (number, reached)
        for name, found in percents.items():
            assert float(row[f"{name} percent"]) == pytest.approx(float(found), abs=1e-6)
    assert rows["S05"]["03_mixtures points"] == rows["S04"]["03_mixtures points"] != ""
    assert {row["ID number"]: row["course result"] for row in whole.table("moodle")} == {
        who: row["final"] for who, row in rows.items()
    }
    possible, *people = whole.table("canvas")
    assert possible["course result"] == "100" and [row["SIS Login ID"] for row in people] == whole.students


class Cells(HTMLParser):
    """Rows of the tables of a page, as texts."""

    def __init__(self, page):
        super().__init__()
        self.rows, self.tag = [], None
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tag = tag
        self.rows += [[]] * (tag == "tr")

    def handle_data(self, data):
        if self.tag in ("th", "td") and data.strip():
            self.rows[-1] = [*self.rows[-1], data]


def of_100(cell):
    """A homework, computed from what its line says."""
    points, most, lost, day = re.match(r"100 × (\S+) / (\S+) = [^;]+(?:; − (\d+) × (\S+) = .*)?", cell).groups("0")
    return (
        Fraction(0)
        if "too late" in cell
        else max(100 * Fraction(points) / Fraction(most) - int(lost) * Fraction(day), 0)
    )


def test_a_student_can_do_the_calculation_again_by_hand(whole):
    """From nothing but the page."""
    for row in whole.table():
        page = (whole.root / "final" / "students" / f"{row['student']}.html").read_text(encoding="utf-8")
        steps = {cells[0]: cells[1:] for cells in Cells(page).rows}
        exact = {
            name: Fraction(steps[name][-1].split(" = ")[-1]) for name in ("homework", "exam", "project", "together")
        }
        counted = [steps[name] for name in NAMES if "weight" in steps[name][-1]]
        weights = [Fraction(cells[-1].removeprefix("weight ")) for cells in counted]
        percents = [0 if cells[0] == "nothing handed in" else of_100(cells[1]) for cells in counted]
        assert exact["homework"] == sum(map(lambda w, p: w * p, weights, percents)) / sum(weights)
        shares = map(Fraction, re.findall(r"(\S+) % ×", steps["together"][0]))
        assert exact["together"] == sum(map(lambda one, part: one * exact[part] / 100, shares, exact))
        for name, most in {"exam": 90, "project": 100}.items():
            points = whole.lists[f"{name}.csv"][row["student"]]
            assert steps[name][0] == (f"100 × {points} / {most}" if points else "no points")
        assert (
            abs(exact["together"] - Fraction(row["final"])) <= Fraction(1, 20) and steps["rounded"][-1] == row["final"]
        )
        assert f"<strong>{row['final']} of 100, grade {row['grade']}" in page
        for name in NAMES:
            tasks = re.match(r"double (\S+) \+ letter (\S+) = (\S+) of 6", steps[name][0])
            assert tasks is None if not row[f"{name} points"] else float(tasks[1]) + float(tasks[2]) == float(tasks[3])
    assert "(extended)" in (whole.root / "final" / "students" / "S03.html").read_text(encoding="utf-8")
    assert "by S04 for the group" in (whole.root / "final" / "students" / "S05.html").read_text(encoding="utf-8")


def test_the_audit_says_where_each_number_comes_from(whole):
    rows = {(row["student"], row["what"]): row for row in whole.table("audit")}
    assert len(rows) == 4 + len(whole.students) * (len(NAMES) + 2)
    lines = EXAMPLE.splitlines()

    def stands(where):
        return lines[int(where.removeprefix("term.toml, line ")) - 1].split(" ")[0]

    extended, grouped = rows["S03", "02_gaussians"], rows["S05", "03_mixtures"]
    assert stands(extended["extension"]) == "[[extension]]" and stands(extended["rule"]) == "02_gaussians"
    assert (extended["in time until"], extended["graded"]) == ("2026-11-09 10:00:00 UTC", "2026-12-01 10:00:00 UTC")
    assert stands(grouped["group"]) == "[[group]]" and grouped["by"] == "S04"
    assert grouped["file"] == "submitted/S04/03_mixtures/03_mixtures.ipynb" and len(grouped["sha256"]) == 64
    assert "by whom is not known" in grouped["marked by hand"]
    assert rows["S08", "01_dtw"]["points"] == "not handed in" and rows["S07", "exam"]["points"] == "no points"
    assert rows["S07", "exam"]["rule"] == "exam.csv, line 8"


def test_the_audit_has_the_reason_for_points_that_were_set(term):
    handmarks.set_points(term.root, "01_dtw", "S01", "double", 2.0, "the sheet said squared")
    term.final()
    (row,) = [row for row in term.table("audit") if (row["student"], row["what"]) == ("S01", "01_dtw")]
    assert row["marked by hand"].startswith(f"double 2 ({handmarks.login()}, 20")
    assert ": the sheet said squared)" in row["marked by hand"]
    assert "double 2 + " in (term.root / "final" / "students" / "S01.html").read_text(encoding="utf-8")


def test_the_summary_names_nobody_and_says_what_its_plots_show(whole):
    page = (whole.root / "final" / "summary.html").read_text(encoding="utf-8")
    assert not re.search(r"S0\d", re.sub(r"base64,[^\"]*", "", page))
    points, times = re.findall(r'<img alt="([^"]*)"', page)
    mean = np.mean(
        [float(got[0]) for (who, name), (got, *_) in whole.handed.items() if name == NAMES[0] and who != "S09"]
    )
    assert f"01_dtw double {mean:.1f}" in points and "after the date" in times and "01_dtw" in times


def test_again_it_gives_the_same_bytes_and_who_has_left_keeps_no_page(term):
    term.final()
    before = term.files()
    (term.root / "final" / "students" / "S99.html").touch()
    term.final()
    assert term.files() == before


def test_what_counts_as_nothing_or_as_in_time_is_told(term, capsys):
    term.final()
    told = capsys.readouterr().out
    assert "3 count as 0, since there is nothing: S08 01_dtw, S08 03_mixtures, S07 exam\n" in told
    assert "count as in time, since no time is known: S06 01_dtw" in told


def test_what_a_platform_calls_late_is_not_counted_as_in_time_in_silence(term, capsys):
    about = {"student": "S06", "homework": NAMES[1], "state": attempts.TAKEN, "stated": attempts.LATE}
    row = dict.fromkeys(attempts.ATTEMPT_COLUMNS, "") | about
    write_table(
        term.root / collect.COLLECTED_FOLDER / collect.COLLECTED_TABLE, [attempts.ATTEMPT_COLUMNS, row.values()]
    )
    term.final()
    told = capsys.readouterr().out
    assert "1 count as in time, but are late, as the platform says; write the time to" in told
    assert f"timestamp.txt: S06 {NAMES[1]}\n" in told and f"is known: S06 {NAMES[0]}, S06 {NAMES[2]}\n" in told


def test_who_was_asked_to_hand_in_again_and_did_not_is_told(term, capsys):
    row = dict.fromkeys(attempts.ATTEMPT_COLUMNS, "") | {
        "student": "S08",
        "homework": NAMES[0],
        "problem": "it is a PDF",
    }
    write_table(
        term.root / collect.COLLECTED_FOLDER / collect.COLLECTED_TABLE, [attempts.ATTEMPT_COLUMNS, row.values()]
    )
    term.final()
    assert "1 were asked to hand in again, and did not: S08 01_dtw: it is a PDF" in capsys.readouterr().out
    write_table(term.root / collect.COLLECTED_FOLDER / collect.COLLECTED_TABLE, [["who"], ["S08"]])
    term.final(status=1)
    assert "collected.csv has other columns" in capsys.readouterr().err


def test_rules_can_be_checked_before_there_are_lists_and_grades(term, capsys):
    (term.root / "exam.csv").unlink()
    (term.root / "gradebook.db").unlink()
    term.final(more=["--check"])
    told = capsys.readouterr().out
    assert "8 students; of 100: homework 50, exam 30, project 20." in told
    assert "02_gaussians is due 2026-11-02 10:00:00 CET: weight 1, 1 extension." in told
    assert "exam: exam.csv is not there yet." in told and not (term.root / "final").exists()
    term.rules(EXAMPLE.replace("share = 50", "share = 60"))
    term.final(status=1, more=["--check"])


def test_who_is_excused_and_who_has_not_passed_is_told_on_their_page(term):
    more = EXCUSED.format("01_dtw").replace("S01", "S08")
    term.rules(EXAMPLE.replace("[scale]", f"{more}[scale]").replace("maximum = 90", "maximum = 90\nleast = 45"))
    term.final()
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (term.root / "final" / "students").iterdir()}
    assert "<td>excused</td>" in pages["S08"] and "exam: less than the points" not in pages["S08"]
    assert "exam: less than the points that are needed" in pages["S01"] and "grade 5.0" in pages["S01"]
    row = next(row for row in term.table("audit") if (row["student"], row["what"]) == ("S08", "01_dtw"))
    line = int(row["rule"].removeprefix("term.toml, line "))
    assert (term.root / "term.toml").read_text().splitlines()[line - 1] == "[[excused]]"


# --- what stops it

EXCUSED = '[[excused]]\nstudent = "S01"\nhomework = "{}"\n'
WRONG = {
    "no TOML": ("share = 50 ", "share == 50 ", "share ==", "TOML is needed"),
    "unknown key": ("grace_hours", "grace_hour", "grace_hour ", "grace_hours is"),
    "unknown table": ("[late]", "[lateness]", "[lateness]", "late is"),
    "missing": ("share = 30\n", "", "[[part]]", "share is missing"),
    "text for a number": ("drop_lowest = 1", 'drop_lowest = "1"', "drop_lowest", "'1'; a whole number"),
    "half a homework": ("drop_lowest = 1", "drop_lowest = 0.5", "drop_lowest", "a whole number"),
    "true for a number": ("most_days = 3", "most_days = true", "most_days", "is true"),
    "endless": ("maximum = 90", "maximum = 1e-99999999", "maximum = 1e-99999999", "a number above 0"),
    "no number": ("share = 20", "share = nan", "share = nan", "a number from 0 to 100"),
    "day without a time": ("01_dtw = 2026-10-26 10:00:00", "01_dtw = 2026-10-26", "01_dtw", "day and time"),
    "time zone": ("Europe/Berlin", "Europe/Atlantis", "timezone", "Europe/Berlin"),
    "unknown homework": ("01_dtw = ", "01_dwt = ", "01_dwt", "01_dtw is"),
    "weight of another homework": ("03_mixtures = 2\n", "04_hmm = 2\n", "04_hmm = 2", "not known"),
    "order of dates": ("02_gaussians = 2026", "02_gaussians = 2025", "02_gaussians", "is due before 01_dtw"),
    "all dropped": ("drop_lowest = 1", "drop_lowest = 3", "drop_lowest", "less than 3"),
    "shares": ("share = 30", "share = 40", "share = 50", "homework 50, exam 40, project 20, together 110"),
    "the same name twice": ('name = "project"', 'name = "exam"', 'name = "exam"', "once more"),
    "no such list": ("exam.csv", "exams.csv", 'file = "exams.csv"', "cannot be read"),
    "maximum": ("maximum = 90", "maximum = 70", "exam.csv, line 9", "'75'"),
    "extension of nobody": ('student = "S03"', 'student = "S30"', 'student = "S30"', "'S30'"),
    "extension for nothing": ('homework = "02_', 'homework = "03_hmm', 'homework = "03_hmm', "one of 01_dtw"),
    "extension that is none": ("until = 2026-11-09", "until = 2026-11-01", "until", "is no later than"),
    "group of one": ('["S04", "S05"]', '["S04", "S04"]', "members", "two students"),
    "group with nobody": ('["S04", "S05"]', '["S04", "S50"]', "members", "'S50'"),
    "somebody else counts": ('["S04", "S05"]', '["S04", "S05"]\ncounts = "S01"', "counts", "one of the members"),
    "both handed in": ('["S04", "S05"]', '["S04", "S03"]', "[[group]]", 'counts = "S04"'),
    "nothing of who counts": ('["S04", "S05"]', '["S04", "S05"]\ncounts = "S05"', "[[group]]", "counts is S05"),
    "excused from all": ("[scale]", f"{EXCUSED.format('01_dtw')}{EXCUSED.format('03_mixtures')}[scale]",
                         "[[excused]]", "2 of 3, and 1 are dropped"),
    "more to pass than there is": ("maximum = 90", "maximum = 90\nleast = 91", "least", "at most 90"),
    "scale": ('"2.0" = 75', '"2.0" = 95', '"2.0"', "less than 90"),
    "scale without an end": ('"5.0" = 0', '"5.0" = 10', '"5.0"', "begin at 0"),
    "scale without quotes": ('"1.0" = 90', "1.0 = 90", "1.0 = 90", "is a table"),
    "left, and nowhere": ('["S09"]', '["S09", "S10"]', "left", "S10, who is nowhere"),
    "a homework without a date": ("01_dtw = 2026-10-26 10:00:00\n", "", "01_dtw: ", "weight 0"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "words"), WRONG.values(), ids=WRONG)
def test_rules_that_are_wrong_stop_with_their_line(term, capsys, old, new, line, words):
    assert EXAMPLE.count(old) >= 1
    text = EXAMPLE.replace(old, new, 1)
    term.rules(text)
    term.final(status=1)
    told = capsys.readouterr().err
    found = [number for number, one in enumerate(text.splitlines(), start=1) if one.startswith(line)]
    begins = [f"term.toml, line {number}: " for number in found] or [line]
    assert (
        any(told.startswith(begin) for begin in begins) and words in told and told.endswith("Nothing was written.\n")
    )
    assert not (term.root / "final").exists()


LISTS = {
    "only in the exam": ("exam.csv", "S01,", "S10,", "exam.csv, line 2: S10 is not in the list"),
    "not in the exam": ("exam.csv", "S01,5\n", "", "students.csv, line 2: S01 has no row in exam.csv"),
    "only in the gradebook": ("students.csv", "S01,\n", "", "exam.csv, line 2: S01 is not in the list"),
    "twice": ("project.csv", "S02,", "S01,", "project.csv, line 3: S01 already has a row (project.csv, line 2)"),
    "no name": ("exam.csv", "S01,", ",", "exam.csv, line 2: student is ''"),
    "no number": ("exam.csv", "S01,5", "S01,five", "exam.csv, line 2: points is 'five'"),
    "no such column": (
        "exam.csv",
        "points",
        "Punkte",
        "exam.csv, line 1: has student, Punkte; the columns student and",
    ),
    "semicolons": ("exam.csv", ",", ";", "exam.csv, line 1: has student;points"),
}


@pytest.mark.parametrize(("file", "old", "new", "words"), LISTS.values(), ids=LISTS)
def test_who_is_in_one_list_only_stops_with_its_line(term, capsys, file, old, new, words):
    path = term.root / file
    path.write_text(path.read_text().replace(old, new) if old == "," else path.read_text().replace(old, new, 1))
    term.final(status=1)
    assert words in capsys.readouterr().err


def stranger(term):
    term.rules(EXAMPLE.replace('["S09"]', "[]"))
    for file in ("students.csv", "exam.csv"):
        path = term.root / file
        path.write_text(re.sub(r"\nS09,.*", "", path.read_text()))


def handed_in_again(term):
    (term.root / "submitted/S01/01_dtw/01_dtw.ipynb").write_text("{}")


def never_graded(term):
    (term.root / "results/01_dtw/S01/marks.json").unlink()


def lost_gradebook(term):
    with Gradebook(database(term.root / "gradebook.db")) as book:
        book.remove_submission("01_dtw", "S01")


def no_rules(term):
    (term.root / "term.toml").unlink()


def waits(term):
    with Gradebook(database(term.root / "gradebook.db")) as book:
        book.find_grade("letter", "01_dtw", "01_dtw", "S01").needs_manual_grade = True
        book.db.commit()


def failed(term):
    path = term.root / "results/01_dtw/S01/marks.json"
    path.write_text(path.read_text().replace('"problem": ""', '"problem": "its hidden cases fail"'))


def misnamed(term):
    (term.root / "submitted/S01/01_dtw").rename(term.root / "submitted/S01/01_dtw_new")


NOT_YET = {
    stranger: "S09, 01_dtw: is not in the list of the class",
    handed_in_again: "S01, 01_dtw: was handed in again",
    never_graded: "S01, 01_dtw: was handed in, and is not in the gradebook or in results/",
    lost_gradebook: "S01, 01_dtw: was handed in, and is not in the gradebook or in results/",
    no_rules: "term.toml does not exist; teaching/grading.md has an example to copy",
    waits: "S01, 01_dtw: waits for a mark",
    failed: "S01, 01_dtw: could not be graded (its hidden cases fail); `make grade` tries again",
    misnamed: "submitted/S01/01_dtw_new: there is no homework of this name",
}


@pytest.mark.parametrize(("change", "words"), NOT_YET.items(), ids=[one.__name__ for one in NOT_YET])
def test_what_is_not_certain_yet_stops_it(term, capsys, change, words):
    change(term)
    term.final(status=1)
    assert words in capsys.readouterr().err and not (term.root / "final").exists()


def test_what_waits_of_somebody_who_has_left_stops_nobody(term):
    with Gradebook(database(term.root / "gradebook.db")) as book:
        book.find_grade("letter", "01_dtw", "01_dtw", "S09").needs_manual_grade = True
        book.db.commit()
    term.final()
    assert [row["student"] for row in term.table()] == term.students


def test_a_homework_that_does_not_count_changes_no_number(term):
    before = by_hand(EXAMPLE, term.lists, term.handed, "S01")[0]
    term.rules(EXAMPLE.replace("03_mixtures = 2\n", "03_mixtures = 0\n"))
    term.final()
    row = term.table()[0]
    assert (
        row["03_mixtures counts"] == "no"
        and row["final"] == by_hand((term.root / "term.toml").read_text(), term.lists, term.handed, "S01")[0]
    )
    assert row["final"] != before
