"""A whole term of a made-up class: from what platforms give, by four commands, to everybody's number."""

import csv
import io
import json
import random
import zipfile
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from fractions import Fraction

import nbformat
import pytest

from tests.classroom import made_class
from tests.classroom.boxes import UNSAFE
from tests.classroom.test_collect import mail
from tests.classroom.test_final import by_hand, write_list
from tests.homework import tiny_course
from tools.homework import collect, final, grade, likeness, release
from tools.homework.marking import Desk

TWICE, THRICE = "01_twice", "02_thrice"
DUE = {TWICE: datetime(2026, 11, 2, 10, tzinfo=UTC), THRICE: datetime(2026, 11, 9, 10, tzinfo=UTC)}
FUNCTIONS = {TWICE: ("double", 2), THRICE: ("triple", 3)}
CODE = {
    "def {0}(x):\n    return {1} * x": 4,
    "def {0}(x):\n    y = x + x\n    return y + ({1} - 2) * x": 4,
    "def {0}(x):\n    return {1} * x if x != 7 else 0": 3,
    "def {0}(x):\n    return x * x": 0,
}
SLIP = ("* x)", "* x if x < 7 else 0)")  # of a hidden case, until week five
WITH_SLIP = {4: 3, 3: 4, 0: 0}
POINTS, MARKERS = (0.0, 0.5, 1.0), {"marker-1", "marker-2"}


class Class:
    """A course and its class: what everybody wrote, packed as platforms do, and what they have earned."""

    def __init__(self, root, size, homeworks, copies):
        self.root, self.homeworks, self.copies = root, homeworks, copies
        self.students = [f"S{k:03d}" for k in range(size)]
        self.group, self.texts, self.handed = self.students[size // 2 : size // 2 + 2], {}, {}
        tiny_course.make(root, name=TWICE)
        if THRICE in homeworks:
            tiny_course.make_other(root, THRICE)
        self.slip(*SLIP)
        for path, data in release.exercises(root).items():
            (root / "exercises" / path).parent.mkdir(parents=True, exist_ok=True)
            (root / "exercises" / path).write_bytes(data)
        for name in homeworks:
            self.write(name, random.Random(name))
            self.pack(name)
        self.lists()

    def slip(self, old, new):
        path = self.root / "solutions" / TWICE / "hidden" / "double.py"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def write(self, name, chance):
        """Texts of everybody: their answer, cells of their own, a letter; the last ones copied from the first ones."""
        for who in self.students:
            code = chance.choice(list(CODE))
            own = {part: text for part, text in made_class.honest("01_dtw", chance).items() if part.endswith("answer")}
            answer = {f"{FUNCTIONS[name][0]}-answer": code.format(*FUNCTIONS[name])}
            self.texts[who, name] = {**own, **answer, "letter": made_class.letter(chance)}
            self.handed[who, name] = CODE[code], POINTS[chance.randrange(3)], POINTS[chance.randrange(3)]
        pairs = [(self.students[k], self.students[-1 - k]) for k in range(self.copies)] + [self.group]
        for k, (source, copier) in enumerate(pairs):
            change = made_class.verbatim if source in self.group else made_class.KINDS[k % 3]
            self.texts[copier, name] = change(self.texts[source, name], chance)
            self.handed[copier, name] = self.handed[source, name]

    def notebook(self, who, name):
        """Text of what somebody hands in; one in fifteen has lost nbgrader's metadata."""
        book = nbformat.read(self.root / "exercises" / name / f"{name}.ipynb", as_version=4)
        texts = dict(self.texts[who, name])
        for cell in book.cells:
            cell.source = texts.pop(cell.metadata.get("nbgrader", {}).get("grade_id"), cell.source)
        book.cells += [nbformat.v4.new_code_cell(text, id=part) for part, text in texts.items()]
        if self.students.index(who) % 15 == 7:
            for cell in book.cells:
                cell.metadata = {}
        return nbformat.writes(book)

    def pack(self, name):
        """Downloads of a homework: ten ways in which somebody's file comes."""
        zips = {platform: {} for platform in ("early", "moodle", "canvas", "ilias", "hub")}
        for k, who in enumerate(self.students):
            text, moodle = self.notebook(who, name), f"Jane Doe {k}_{1000 + k}_assignsubmission_file/"
            at, stamp = self.time(k, name), f"{self.time(k, name):%Y-%m-%d %H:%M:%S UTC}"
            packed = zipped({f"my work/{name}.ipynb": text, "__MACOSX/my work/._x.ipynb": "x"}, DUE[name])
            ways = [
                ("moodle", {f"{moodle}{name}.ipynb": text}),
                ("moodle", {f"{moodle}Übung ({k}).IPYNB": text}),
                ("canvas", {f"doejane_LATE_{1000 + k}_{9000 + k}_{name}-1.ipynb": text}),
                ("ilias", {f"HW/Submissions/Doe_Jane_{who}_{k}/Late Submission - {name}.ipynb": text}),
                ("mail", text),
                ("hub", {f"{who}/{name}/{name}.ipynb": text, f"{who}/{name}/timestamp.txt": stamp}),
                ("moodle", {f"{moodle}all.zip": packed}),
                ("moodle", {f"{moodle}{name}.ipynb": text.encode("utf-16")}),
                ("moodle", {f"{moodle}{name}.ipynb.txt": text}),
                ("moodle", {f"{moodle}final.ipynb": text}),
            ]
            platform, files = ways[k % 10]
            if platform == "mail":
                self.mail(who, name, text, at)
            else:
                zips[platform] |= files
            if k % 10 == 9:  # an attempt of the day before
                zips["early"][f"{moodle}first.ipynb"] = text.replace("return", "return 1 +")
            self.handed[who, name] = *self.handed[who, name], at if platform in ("mail", "hub") else None
        for platform, files in zips.items():
            when = DUE[name] - timedelta(days=1 + (platform == "early"))
            (self.root / "downloads" / f"{name} {platform}.zip").write_bytes(zipped(files, when))

    def mail(self, who, name, text, at):
        path, sent = self.root / "downloads" / f"{name}-{who}.eml", mail(f"Doe <{who}@example.org>", x_ipynb=text)
        path.write_bytes(sent.replace(b"Mon, 30 Nov 2026 15:30:00 +0100", format_datetime(at).encode()))

    def time(self, k, name):
        """When somebody hands in: in time, or up to four days late."""
        return DUE[name] + timedelta(hours=(-5, 3, 26, 50, 99)[(k // 10 + k - 3) % 5])

    def lists(self):
        """term.toml, and the lists that it names."""
        extended = [who for k, who in enumerate(self.students) if k % 10 == 4]
        exam = {who: str(30 + 7 * k % 60) for k, who in enumerate(self.students)}
        self.points = {"exam.csv": exam}
        for file, points in {"students.csv": dict.fromkeys(self.students, ""), **self.points}.items():
            write_list(self.root / file, points)
        people = [f"{who},{1000 + k},{who}@example.org" for k, who in enumerate(self.students)]
        (self.root / "roster.csv").write_text("\n".join(["id,lms_user_id,email", *people]))
        lines = ['timezone = "UTC"', 'students = "students.csv"', "[homework]", "share = 60", "[homework.due]"]
        lines += [f"{name} = {DUE[name]:%Y-%m-%d %H:%M:%S}" for name in self.homeworks]
        lines += ["[late]", "percent_per_day = 12.5", "most_days = 3", "grace_hours = 1"]
        lines += ["[[part]]", 'name = "exam"', "share = 40", 'file = "exam.csv"', "maximum = 90"]
        for name in self.homeworks:
            lines += ["[[group]]", f'homework = "{name}"', f"members = {json.dumps(self.group)}"]
            lines += [f'counts = "{self.group[0]}"']
        for who in extended:
            lines += ["[[extension]]", f'student = "{who}"', f'homework = "{TWICE}"']
            lines += [f"until = {DUE[TWICE] + timedelta(days=2):%Y-%m-%d %H:%M:%S}"]
        (self.root / "term.toml").write_text("\n".join([*lines, "[scale]", '"1.0" = 80', '"2.0" = 50', '"5.0" = 0']))

    def places(self, *names):
        found = {"root": "", "submitted": "submitted", "into": "", "term": "term.toml"}
        return [f"--{name}={self.root / found[name]}" for name in names]

    def collect(self):
        given = ["--from", str(self.root / "downloads"), "--roster", str(self.root / "roster.csv")]
        places = self.places("root", "submitted", "term")
        assert collect.main([*given, *places, "--into", str(self.root / "collected")]) == 0

    def grade(self):
        assert grade.main([*self.places("root", "submitted", "into"), *UNSAFE]) == 0

    def mark(self, monkeypatch):
        """Two people mark by turns."""
        for name in self.homeworks:
            desk = Desk(self.root, name, self.root)
            for k, (key, letter) in enumerate(desk.letters.items()):
                monkeypatch.setenv("LOGNAME", sorted(MARKERS)[k % 2])
                desk.mark(key, letter.digest, list(self.handed[letter.student, name][1:3]), "")

    def table(self, name):
        with open(self.root / name, newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def expected(self):
        """{student: number} by the rules, from what everybody wrote."""
        handed = {key: ([Fraction(one) for one in points], 6, at) for key, (*points, at) in self.handed.items()}
        text = (self.root / "term.toml").read_text()
        return {who: by_hand(text, self.points, handed, who)[:2] for who in self.students}


def zipped(files, when):
    """Bytes of a zip of {path: text or bytes}."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path, when.timetuple()[:6]), text)
    return data.getvalue()


SIZES = [(12, (TWICE,), 2), pytest.param(120, (TWICE, THRICE), 6, marks=pytest.mark.long)]


@pytest.mark.parametrize(("size", "homeworks", "copies"), SIZES, ids=("12", "120"))
def test_from_downloads_to_the_final_table(tmp_path, monkeypatch, capsys, size, homeworks, copies):
    (tmp_path / "downloads").mkdir()
    school = Class(tmp_path, size, homeworks, copies)
    school.collect()
    assert not list(tmp_path.glob("collected/mail/*"))
    school.grade()
    assert final.main(school.places("root", "submitted", "into", "term")) == 1
    told = f"{TWICE}: waits for a mark; `make mark HW={TWICE.partition('_')[0]}` is needed"
    assert told in capsys.readouterr().err
    school.mark(monkeypatch)
    school.slip(*SLIP[::-1])
    school.grade()
    changed = {(row["student"], row["before"], row["after"]) for row in school.table("marks/changes.csv")}
    code = {who: school.handed[who, TWICE][0] for who in school.students}
    assert changed == {(who, str(WITH_SLIP[one]), str(one)) for who, one in code.items() if one}
    assert final.main(school.places("root", "submitted", "into", "term")) == 0
    rows = school.table("final/final.csv")
    assert {row["student"]: (row["final"], row["grade"]) for row in rows} == school.expected()
    audit = school.table("final/audit.csv")
    assert {row["days late"] for row in audit} >= {"0", "2"}
    assert {row["marked by hand"].split(" ")[2].strip("(,") for row in audit if row["marked by hand"]} == MARKERS
    for name in homeworks:
        assert likeness.main([*school.places("root", "submitted", "into", "term"), "--homework", name]) == 0
        found = school.table(f"likeness/{name}.csv")
        pairs = {(school.students[k], school.students[-1 - k]) for k in range(copies)}
        assert {(row["student"], row["other"]) for row in found[:copies]} == pairs
        assert [row["above the noise"] for row in found].count("no") == len(found) - copies
        assert len(found) == size * (size - 1) / 2 - 1, "who is in a group is no pair"
