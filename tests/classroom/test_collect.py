"""Collecting: whatever a platform or a mailbox gives lands where it is graded, or is named; nothing is overwritten."""

import csv
import json
import os
import resource
import shutil
import subprocess
import zipfile
from email.message import EmailMessage

import pytest

from tests.homework.graded import ROOT
from tools.homework import apart as reading
from tools.homework import book, collect, final, grade, likeness, outcomes, recognising, unpacking
from tools.homework.apart import apart
from tools.homework.attempts import ATTEMPT_COLUMNS
from tools.homework.submissions import survey
from tools.homework.tables import write_table

HOMEWORK, OTHER = "03_mixtures", "04_hmm"
JANE = "Jane Doe_123_assignsubmission_file/"
EARLY, LATE = (2026, 11, 1, 12, 0, 0), (2026, 11, 2, 12, 0, 0)


def work(answer, name=HOMEWORK, keeps=True):
    """Text of an exercise with something written in it; without nbgrader's metadata, if it keeps none."""
    made = json.loads((ROOT / "exercises" / name / f"{name}.ipynb").read_text(encoding="utf-8"))
    made["cells"].append({"cell_type": "markdown", "id": "mine", "metadata": {}, "source": answer})
    for cell in made["cells"]:
        cell["metadata"] = cell["metadata"] if keeps else {}
    return json.dumps(made, ensure_ascii=False)


class Desk:
    """A teacher's folder: a course of two homeworks, downloads, and what was collected of them."""

    def __init__(self, root):
        self.root, self.submitted, self.into = root, root / "submitted", root / "collected"
        for name in (HOMEWORK, OTHER):
            for top in ("solutions", "exercises"):
                (root / top / name).mkdir(parents=True)
                shutil.copy(ROOT / top / name / f"{name}.ipynb", root / top / name)

    def zip(self, files, when=EARLY, name="HW.zip", packed=zipfile.ZIP_STORED):
        """A zip of {path, or ZipInfo: text or bytes}."""
        path = self.root / "downloads" / name
        path.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(path, "w") as archive:
            for member, data in files.items():
                archive.writestr(zipfile.ZipInfo(member, when) if isinstance(member, str) else member, data, packed)
        return path

    def collect(self, source, *more, status=0):
        places = ["--submitted", str(self.submitted), "--into", str(self.into), "--root", str(self.root)]
        assert collect.main(["--from", str(source), *places, *more]) == status

    def place(self, student, name=HOMEWORK):
        return self.submitted / student / name / f"{name}.ipynb"

    def there(self):
        """{STUDENT/HOMEWORK: text} of what is handed in."""
        found = self.submitted.rglob("*.ipynb")
        return {one.parent.relative_to(self.submitted).as_posix(): one.read_text(encoding="utf-8") for one in found}

    def table(self):
        with open(self.into / "collected.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def mails(self):
        return {one.stem: one.read_text(encoding="utf-8") for one in self.into.glob("mail/*.txt")}

    def files(self):
        places = [*self.submitted.rglob("*.*"), *self.into.rglob("*.*")]
        return {path: path.read_bytes() for path in places if path.is_file()}


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


# --- whose it is

LAYOUTS = {
    "Moodle": (f"{JANE}my file.ipynb", "123"),
    "Moodle, of 2021": ("Jürgen de Vries_123_assignsubmission_file_/03_mixtures.ipynb", "123"),
    "Moodle, flat": ("Jane Doe_123_assignsubmission_file_03_mixtures.ipynb", "123"),
    "ILIAS": ("HW 3/Submissions/Doe_Jane Ann_j_doe_4711/Late Submission - 03_mixtures.ipynb", "j_doe"),
    "Canvas": ("doejane_123_98765_03_mixtures-1.ipynb", "123"),
    "Canvas, late": ("doejane_LATE_123_98765_my file.ipynb", "123"),
    "this course": ("submitted/S01/03_mixtures/03_mixtures.ipynb", "S01"),
}


@pytest.mark.parametrize("unpacked", [False, True], ids=["zip", "folder"])
@pytest.mark.parametrize(("path", "student"), LAYOUTS.values(), ids=LAYOUTS)
def test_whose_it_is_says_the_layout_of_the_platform(desk, path, student, unpacked):
    source = desk.zip({path: work("mine"), "grades.csv": "1"})
    if unpacked:
        with zipfile.ZipFile(source) as archive:
            archive.extractall(desk.root / "unpacked")
        source = desk.root / "unpacked"
    desk.collect(source)
    assert desk.there() == {f"{student}/{HOMEWORK}": work("mine")}
    assert [one.problem for one in survey(desk.submitted, [HOMEWORK])[0]] == [""]
    assert not desk.mails()


def test_a_folder_of_a_course_whose_name_looks_like_a_students_is_not_taken_for_one(desk):
    paths = ["doejane_1_11_a.ipynb", "roejoan_2_12_b.ipynb"]
    desk.collect(desk.zip({f"Speech_models_WS_26/{path}": work(path) for path in paths}))
    assert desk.there().keys() == {f"1/{HOMEWORK}", f"2/{HOMEWORK}"}


def mail(sender="Jane Doe <S01@Example.org>", **files):
    """Bytes of a mail with attachments."""
    message = EmailMessage()
    message["From"], message["Date"] = sender, "Mon, 30 Nov 2026 15:30:00 +0100"
    message.set_content("Dear teacher")
    for name, text in files.items():
        message.add_attachment(text.encode(), "application", "x-ipynb", filename=name.replace("_ipynb", ".ipynb"))
    return bytes(message)


def test_of_a_mail_the_sender_and_the_date_are_taken(desk):
    source = desk.zip({"a.eml": mail(homework_ipynb=work("mine")), "b.eml": mail("nobody", x_ipynb=work("no"))})
    desk.collect(source)
    assert desk.there() == {f"s01@example.org/{HOMEWORK}": work("mine")}
    found, _ = survey(desk.submitted, [HOMEWORK])
    assert [one.handed_in for one in found] == ["2026-11-30 14:30:00 UTC"]
    assert desk.table()[0]["mail"] == "s01@example.org"


def test_a_date_that_a_hub_has_written_goes_along_and_the_date_of_a_download_does_not(desk):
    files = {f"S0{k}/{HOMEWORK}/{HOMEWORK}.ipynb": work(str(k)) for k in (1, 2)}
    desk.collect(desk.zip(files | {f"S01/{HOMEWORK}/timestamp.txt": "2026-10-31 10:00:00 UTC\n"}))
    found, _ = survey(desk.submitted, [HOMEWORK])
    assert [one.handed_in for one in found] == ["2026-10-31 10:00:00 UTC", None]


@pytest.mark.parametrize(
    "folder", [JANE, "Doe_Jane_123_4711/", "Doe_Jane_123_4711/sub/"], ids=["Moodle", "ILIAS", "deep"]
)
def test_a_time_that_a_student_packs_is_not_believed(desk, folder):
    files = {f"{folder}{HOMEWORK}.ipynb": work("mine"), f"{folder}timestamp.txt": "2020-01-01 00:00:00 UTC\n"}
    desk.collect(desk.zip(files))
    (row,) = desk.table()
    assert (row["student"], row["date"][:10], row["stated"]) == ("123", "2026-11-01", "")
    assert not (desk.place("123").parent / "timestamp.txt").exists()


def test_folders_that_a_student_names_as_another_platform_does_are_still_theirs(desk):
    own = {f"{JANE}S{k:02}/{HOMEWORK}/{HOMEWORK}.ipynb": work("forged") for k in range(5)}
    own |= {f"{JANE}S01/{HOMEWORK}/timestamp.txt": "2020-01-01 00:00:00 UTC\n"}
    desk.collect(desk.zip(own))
    assert desk.there().keys() == {f"123/{HOMEWORK}"}
    desk.collect(desk.zip(own | {"Joan Roe_7_assignsubmission_file/a.ipynb": work("mine")}))
    assert desk.there().keys() == {f"123/{HOMEWORK}", f"7/{HOMEWORK}"}
    assert not list(desk.submitted.rglob("timestamp.txt"))


WORKSHEET = (
    'Identifier,Full name,Status,Grade,"Last modified (submission)"\nParticipant 123,Jane Doe,Submitted,-,"{}"\n'
    "Participant 7,Joan Roe,No submission,-,-\n"
)


@pytest.mark.parametrize(
    "text",
    ["Monday, 2 November 2026, 9:30 AM", "Monday, November 2, 2026, 9:30\u202fAM", "Monday, 2 November 2026, 09:30"],
)
def test_moodles_worksheet_says_when_each_handed_in(desk, text):
    rules, sheet, source = (
        desk.root / "term.toml",
        desk.root / "Grades.csv",
        desk.zip({f"{JANE}a.ipynb": work("mine")}),
    )
    rules.write_text('timezone = "Europe/Berlin"\n')
    sheet.write_text(WORKSHEET.format(text), encoding="utf-8-sig")
    for _ in range(2):
        desk.collect(source, "--times", str(sheet), "--term", str(rules))
        assert [one.handed_in for one in survey(desk.submitted, [HOMEWORK])[0]] == ["2026-11-02 08:30:00 UTC"]
    desk.collect(source, "--term", str(rules))
    assert desk.table()[0]["date"] == "2026-11-02 08:30:00 UTC", "what is known stays"


def test_a_roster_that_may_be_of_another_assignment_dates_nothing(desk, capsys):
    sheet = desk.root / "Grades.csv"
    text = WORKSHEET.format("Monday, 2 November 2026, 9:30 AM")
    sheet.write_text(
        "\n".join(f"{line},{k}" for k, line in zip(["ID number", "S01", "S07"], text.splitlines(), strict=True))
    )
    desk.collect(desk.zip({f"{JANE}a.ipynb": work("mine")}), "--roster", str(sheet))
    assert "If it is this one, pass it as --times, too." in capsys.readouterr().out
    assert [(one.student, one.handed_in) for one in survey(desk.submitted, [HOMEWORK])[0]] == [("S01", None)]


def test_times_that_cannot_be_read_are_a_usage_error(desk, capsys):
    sheet, source = desk.root / "Grades.csv", desk.zip({f"{JANE}a.ipynb": work("mine")})
    for text, words in {
        WORKSHEET.format("Montag, 2. November 2026, 09:30"): "line 2: 'Montag",
        ROSTERS["Canvas"]: "has no column 'Last modified (submission)'",
    }.items():
        sheet.write_text(text, encoding="utf-8")
        with pytest.raises(SystemExit):
            desk.collect(source, "--times", str(sheet))
        assert words in capsys.readouterr().err


@pytest.mark.parametrize("path", ["doejane_LATE_123_98765_a.ipynb", "Doe_Jane_123_4711/Late Submission - a.ipynb"])
def test_what_a_platform_calls_late_is_told(desk, capsys, path):
    desk.collect(
        desk.zip({path: work("mine"), path.replace("Doe_Jane_123", "Roe_Jo_7").replace("_LATE_123", "_7"): work("x")})
    )
    told = capsys.readouterr().out
    assert f"late, as the platform says, at a time that it does not say:\n  123 {HOMEWORK}\n" in told
    assert {row["student"]: row["stated"] for row in desk.table()}["123"] == "late"


ROSTERS = {
    "Moodle": "Identifier,Full name,ID number,Email address\nParticipant 123,Jane Doe,S01,s01@example.org",
    "Canvas": 'Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"Doe, Jane",123,9,S01,A',
    "nbgrader": "id,first_name,last_name,email,lms_user_id\nS01,Jane,Doe,s01@example.org,123",
}


@pytest.mark.parametrize("text", ROSTERS.values(), ids=ROSTERS)
def test_a_roster_names_the_folders(desk, capsys, text):
    roster = desk.root / "roster.csv"
    roster.write_text(text, encoding="utf-8-sig")
    files = {f"{JANE}a.ipynb": work("mine"), "Joan Roe_7_assignsubmission_file/a.ipynb": work("mine")}
    desk.collect(desk.zip(files), "--roster", str(roster))
    assert desk.there().keys() == {f"S01/{HOMEWORK}", f"7/{HOMEWORK}"}
    assert "7 (Moodle) is not in the roster" in capsys.readouterr().out


@pytest.mark.parametrize("graded", [False, True])
def test_a_roster_that_is_given_later_makes_nobody_two(desk, capsys, graded):
    roster, first = desk.root / "roster.csv", desk.zip({f"{JANE}a.ipynb": work("mine")})
    desk.collect(first)
    roster.write_text(ROSTERS["Moodle"], encoding="utf-8")
    if graded:
        (desk.root / "results" / HOMEWORK / "123").mkdir(parents=True)
    before = desk.files()
    later = desk.zip({f"{JANE}b.ipynb": work("again")}, LATE, "later.zip")
    desk.collect(later, "--roster", str(roster), status=int(graded))
    if graded:
        assert "they would be there twice. Collect without the roster" in capsys.readouterr().err
        assert desk.files() == before
    else:
        assert desk.there() == {f"S01/{HOMEWORK}": work("again")} and not (desk.submitted / "123").exists()
        assert [(row["student"], row["state"]) for row in desk.table()] == [("S01", "older"), ("S01", "taken")]


def test_the_same_number_in_another_homework_is_another_person(desk):
    desk.collect(desk.zip({f"{JANE}a.ipynb": work("mine", OTHER)}))
    roster = desk.root / "roster.csv"
    roster.write_text(ROSTERS["Moodle"], encoding="utf-8")
    desk.collect(desk.zip({f"{JANE}a.ipynb": work("other")}), "--roster", str(roster))
    assert desk.there().keys() == {f"123/{OTHER}", f"S01/{HOMEWORK}"}


def test_names_of_any_case_lead_to_the_folder_that_is_there(desk):
    (desk.submitted / "S01").mkdir(parents=True)
    desk.collect(desk.zip({f"x/s01/{HOMEWORK}/{HOMEWORK}.ipynb": work("mine")}))
    assert desk.place("S01").is_file() and len(list(desk.submitted.iterdir())) == 1


@pytest.mark.parametrize("login", ["..", ".git", "-rf", "a b", "x/../.."])
def test_a_name_that_can_be_no_folder_is_refused(desk, capsys, login):
    files = {f"Doe_Jane_{login}_7/{HOMEWORK}.ipynb": work("no"), f"Roe_Joan_S02_8/{HOMEWORK}.ipynb": work("mine")}
    desk.collect(desk.zip(files))
    assert desk.there().keys() == {f"S02/{HOMEWORK}"}
    assert not list(desk.root.glob(f"{HOMEWORK}*")) and "refused:" in capsys.readouterr().out


def test_what_nobody_can_be_recognised_by_is_told(desk, capsys):
    paths = ["Jane Doe - homework.ipynb", f"course/exercises/{HOMEWORK}/{HOMEWORK}.ipynb"]
    desk.collect(desk.zip({path: work("mine") for path in paths}), status=1)
    told = capsys.readouterr().out
    assert "Moodle, folders of this course, ILIAS, Canvas or mails" in told and all(path in told for path in paths)
    assert not desk.submitted.exists() and not desk.into.exists()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--from", ""], "make collect FROM="),
        (["--from", "nowhere.zip"], "no file or folder nowhere.zip"),
        (["--from", str(ROOT)], "has the course itself in it"),
        (["--from", __file__, "--homework", "42_answers"], "there is no homework 42_answers"),
        (["--from", __file__, "--roster", str(ROOT / "data/carrots/carrots.csv")], "it needs one of id, ID number"),
    ],
)
def test_a_command_that_cannot_be_meant_is_a_usage_error(capsys, given, words):
    with pytest.raises(SystemExit):
        collect.main(given)
    assert words in capsys.readouterr().err


# --- of which homework it is

REPAIRED = {
    "number": ("03_mixtures (1).ipynb", work("ä"), "it was called 03_mixtures (1).ipynb"),
    "case": ("03-Mixtures.IPYNB", work("ä"), "it was called"),
    "text": ("03_mixtures.ipynb.txt", work("ä"), "it was called"),
    "umlauts": ("Übung von Jürgen.ipynb", work("ä"), "it was called Übung"),
    "no metadata": ("x.ipynb", work("ä", keeps=False), "metadata are lost"),
    "backslash": ("folder\\03_mixtures.ipynb", work("ä"), ""),
    "mark of order": ("03_mixtures.ipynb", work("ä").encode("utf-8-sig"), "utf-8-sig"),
    "utf-16": ("03_mixtures.ipynb", work("ä").encode("utf-16"), "utf-16"),
    "cp1252": ("03_mixtures.ipynb", work("ä", keeps=False).encode("cp1252", "ignore"), "cp1252"),
}


@pytest.mark.parametrize(("name", "data", "words"), REPAIRED.values(), ids=REPAIRED)
def test_names_and_encodings_are_repaired_and_told(desk, name, data, words):
    desk.collect(desk.zip({JANE + name: data}))
    assert json.loads(desk.there()[f"123/{HOMEWORK}"])["cells"][-1]["source"] == "ä"
    (row,) = desk.table()
    assert words in row["repaired"] and row["state"] == "taken"


def test_names_that_a_zip_does_not_say_to_be_utf_8_are_read_as_such(desk):
    path = desk.zip({"Jurgen_123_assignsubmission_file/Ubung.ipynb": work("mine")})
    path.write_bytes(path.read_bytes().replace(b"Ubung.", "Übun.".encode()).replace(b"Jurgen", "Jürge".encode()))
    desk.collect(path)
    assert (desk.table()[0]["name"], desk.table()[0]["repaired"]) == ("Jürge", "it was called Übun.ipynb")


def test_a_zip_of_a_student_is_opened_and_what_systems_add_is_not(desk):
    inner = {"a/03_mixtures.ipynb": work("mine"), f"{OTHER}.ipynb": exercise(OTHER), "__MACOSX/a/._03_m.ipynb": "x"}
    inner |= {"a/.ipynb_checkpoints/03_mixtures-checkpoint.ipynb": work("old"), "recordings/seven-1.wav": "a voice"}
    inner = desk.zip(inner)
    outer = desk.zip({"deep.zip": inner.read_bytes()}).read_bytes()
    desk.collect(desk.zip({f"{JANE}all.zip": outer, "__MACOSX/._x.ipynb": "x"}))
    assert desk.there() == {f"123/{HOMEWORK}": work("mine")}
    assert len(desk.table()) == 1
    assert not any(b"a voice" in data for data in desk.files().values())


def exercise(name):
    """Text of an exercise in which nothing is written."""
    return (ROOT / "exercises" / name / f"{name}.ipynb").read_text(encoding="utf-8")


WRONG = {
    "cut off": ({"03_mixtures.ipynb": work("x")[:500]}, "is no JSON: it was cut off or damaged"),
    "untouched": ({"x.ipynb": exercise(HOMEWORK)}, "as it was handed out"),
    "another": ({"03_mixtures.ipynb": work("x", OTHER)}, f"has the cells of {OTHER}"),
    "something else": ({"03_mixtures.ipynb": '{"nbformat": 4, "cells": [7]}'}, f"none of the cells of {HOMEWORK}"),
    "of no homework": ({"x.ipynb": '{"nbformat": 4, "cells": []}'}, "there is no notebook of a homework"),
    "no notebook": ({"03_mixtures.pdf": "x", "03_mixtures.7z": "x"}, "there is no notebook"),
    "no zip": ({"03_mixtures.zip": "x"}, "it is no zip file, or a damaged one"),
}


@pytest.mark.parametrize(("files", "words"), WRONG.values(), ids=WRONG)
def test_who_must_hand_in_again_gets_a_mail_until_it_is_done(desk, files, words):
    desk.collect(desk.zip({JANE + name: data for name, data in files.items()}))
    assert not desk.there()
    (mail,) = desk.mails().values()
    assert words in mail and mail.startswith("To: Jane Doe\nSubject: Homework ")
    desk.collect(desk.zip({f"{JANE}x.ipynb": work("mine")}, LATE))
    assert desk.there() == {f"123/{HOMEWORK}": work("mine")} and not desk.mails()
    desk.collect(desk.zip({f"{JANE}{HOMEWORK}.ipynb": "cut"}, (2026, 11, 3, 0, 0, 0)))
    assert "Until then counts what you had handed in by 2026-11-02" in desk.mails()["123"]


def test_who_is_in_a_group_is_not_asked_for_what_another_one_handed_in(desk):
    rules = desk.root / "term.toml"
    rules.write_text(f'[[group]]\nhomework = "{HOMEWORK}"\nmembers = ["123", "7"]\n')
    files = {f"{JANE}a.ipynb": work("mine"), "Joan Roe_7_assignsubmission_file/03_mixtures.pdf": "x"}
    files["Jim Poe_8_assignsubmission_file/03_mixtures.ipynb"] = "x"
    source = desk.zip({**files, "Joan Roe_7_assignsubmission_file/03_mixtures.ipynb": "cut"})
    desk.collect(source, "--term", str(rules))
    assert desk.mails().keys() == {"8"}
    rules.write_text(rules.read_text().replace(', "7"', ""))
    desk.collect(source, "--term", str(rules), status=1)


def test_one_homework_alone_can_be_collected(desk):
    source = desk.zip({f"{JANE}a.ipynb": work("mine"), "Joan Roe_7_assignsubmission_file/b.ipynb": work("x", OTHER)})
    desk.collect(source, "--homework", HOMEWORK)
    assert desk.there().keys() == {f"123/{HOMEWORK}"}
    assert "there is no notebook" in desk.mails()["7"]


# --- what is refused


def member(path, mode=0):
    info = zipfile.ZipInfo(path, EARLY)
    info.external_attr = mode << 16
    return info


def test_what_would_do_harm_is_refused_and_named_and_others_are_taken(desk, capsys, monkeypatch):
    monkeypatch.setitem(unpacking.OPENED_BYTES, ".ipynb", 1_000_000)
    monkeypatch.setattr(unpacking, "MAX_TOTAL_BYTES", 2_000_000)
    bomb = desk.zip({f"{k}.ipynb": b" " * 900_000 for k in range(3)}, packed=zipfile.ZIP_DEFLATED).read_bytes()
    files = {
        f"../{JANE}a.ipynb": work("x"), "/etc/b.ipynb": work("x"), "C:\\c.ipynb": work("x"),
        member(f"{JANE}03_mixtures.ipynb", 0o120777): "/etc/passwd",
        "S A_7_assignsubmission_file/03_mixtures.ipynb": work("x") + " " * 1_000_000,
        "S B_8_assignsubmission_file/bomb.zip": bomb,
        "S C_9_assignsubmission_file/03_mixtures.ipynb": work("mine"),
    }  # fmt: skip
    before = {path for path in desk.root.rglob("*") if "downloads" not in path.parts}
    path = desk.zip(files)
    desk.collect(path)
    told = capsys.readouterr().out
    assert told.count("leads out of the zip file") == 3
    assert desk.there() == {f"9/{HOMEWORK}": work("mine")}
    new = {one for one in desk.root.rglob("*") if "downloads" not in one.parts} - before
    assert all(one.is_relative_to(desk.submitted) or one.is_relative_to(desk.into) for one in new)
    said = {row["student"]: row["problem"] for row in desk.table()}
    assert "it is a link" in said["123"] and "more than 1 MB" in said["7"] and "more than 2 MB" in said["8"]


def test_what_zips_in_zips_hold_together_is_bounded(desk, monkeypatch):
    monkeypatch.setattr(unpacking, "MAX_TOTAL_BYTES", 2_000_000)
    inner = desk.zip({"a.ipynb": b" " * 900_000, "b.ipynb": b" " * 900_000}, packed=zipfile.ZIP_DEFLATED).read_bytes()
    deep = desk.zip({f"{k}.zip": inner for k in range(9)}, packed=zipfile.ZIP_DEFLATED).read_bytes()
    files = {f"S B_8_assignsubmission_file/{k}.zip": deep for k in range(9)}
    path, kept = desk.zip(files | {"S C_9_assignsubmission_file/a.ipynb": work("mine")}), []
    monkeypatch.setattr(unpacking.Opener, "keep", lambda self, pieces, keep=unpacking.Opener.keep: (
        kept.append(keep(self, pieces)) or kept[-1]))  # fmt: skip
    sizes = []
    monkeypatch.setattr(collect, "attempts", lambda *given: sizes.extend(one.stat().st_size for one in kept) or {})
    desk.collect(path, status=1)
    assert sum(sizes) < 2_000_000 + len(work("mine")) + sum(map(len, files.values())), "once for the platform's own"


def test_a_list_of_members_without_end_is_not_read(desk, monkeypatch):
    monkeypatch.setattr(unpacking, "MAX_DIRECTORY_BYTES", 10_000)
    many = desk.zip({f"{k}": "" for k in range(300)}, name="many.zip").read_bytes()
    files = {"S B_8_assignsubmission_file/a.zip": many, "S C_9_assignsubmission_file/a.ipynb": work("mine")}
    desk.collect(desk.zip(files))
    assert desk.there().keys() == {f"9/{HOMEWORK}"} and "very many files" in desk.mails()["8"]


def test_on_a_full_disk_nobody_is_told_that_their_work_is_damaged(desk, capsys):
    path = desk.zip({f"{JANE}a.ipynb": work("mine" * 100_000), "S C_9_assignsubmission_file/a.zip": b"PK"})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))
    try:
        desk.collect(path, status=1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "File too large. Nobody was asked to hand in again; free some disk space" in capsys.readouterr().err
    assert not desk.there() and not desk.mails() and not (desk.into / "collected.csv").exists()
    desk.collect(path)
    assert desk.there().keys() == {f"123/{HOMEWORK}"}


CELL = {"cell_type": "code", "metadata": {}, "source": ""}
COSTLY = {
    "a list in a cell": json.dumps({"nbformat": 4, "cells": [CELL | {"source": f"x=[{'1,' * 2_000_000}]"}]}),
    "objects": json.dumps({"nbformat": 4, "cells": []})[:-2] + "{}," * 1_300_000 + "{}]}",
    "cells": json.dumps({"nbformat": 4, "cells": [CELL] * 60_000}),
}


@pytest.mark.parametrize("text", COSTLY.values(), ids=COSTLY)
def test_a_small_notebook_costs_little_to_read(desk, text):
    path = desk.root / "a.ipynb"
    path.write_text(text)

    def growth():
        before = resource.getrusage(resource.RUSAGE_SELF)
        recognising.Course(desk.root).read("a.ipynb", path)
        after = resource.getrusage(resource.RUSAGE_SELF)
        return (after.ru_maxrss - before.ru_maxrss) / 1000, after.ru_utime - before.ru_utime

    megabytes, seconds = apart(growth)
    assert megabytes < 120 and seconds < 4, f"for {len(text)} characters"


def test_a_notebook_with_much_output_is_taken(desk):
    made = json.loads(work("mine"))
    lines = [f"{k}, [{k}], {{}}\n" for k in range(100_000)]
    made["cells"].append({**CELL, "outputs": [{"output_type": "stream", "name": "stdout", "text": lines}]})
    desk.collect(desk.zip({f"{JANE}a.ipynb": json.dumps(made)}))
    assert desk.there().keys() == {f"123/{HOMEWORK}"}


def test_a_mail_that_takes_gigabytes_to_read_costs_nobody_else_anything(desk, monkeypatch):
    monkeypatch.setattr(reading, "MAX_BYTES", 20_000_000)
    bomb = b"From: x@example.org\nMIME-Version: 1.0\nContent-Type: text/plain; " + b"a=b; " * 20_000 + b"\n\nhi\n"
    desk.collect(desk.zip({"a.eml": bomb, "b.eml": mail(x_ipynb=work("mine"))}))
    assert desk.there().keys() == {f"s01@example.org/{HOMEWORK}"}


HOSTILE = {
    "cells": json.dumps({"nbformat": 4, "cells": [7, {"cell_type": [], "source": {}, "metadata": {"nbgrader": 7}}]}),
    "deep": "[" * 100_000,
    "code": json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": "-" * 2000 + "1\ud800"}]}),
    "signs": json.dumps({"nbformat": 4, "cells": [{"cell_type": "code", "source": "-" * 500 + "1"}]}),
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_notebook_or_name_costs_nobody_else_anything(desk, capsys, text):
    sender = '"x\x1b[2Jy" <S02@example.org>'
    files = {f"{JANE}\x1b[2J\nBcc: all@example.org.ipynb": text, "a.eml": mail(sender, x_ipynb=work("mine"))}
    desk.collect(desk.zip(files))
    assert desk.there().keys() == {f"s02@example.org/{HOMEWORK}"}
    (mail_to_jane,) = desk.mails().values()
    told = capsys.readouterr().out + mail_to_jane + (desk.into / "collected.csv").read_text(encoding="utf-8")
    assert "\x1b" not in told and "\nBcc" not in told and "Bcc: all" in mail_to_jane


LONG = {
    "sender": {"a.eml": ("x" * 260 + "@example.org", "x.ipynb")},
    "name": {"a.eml": (f'"{"n" * 200_000}" <s03@example.org>', "x.ipynb")},
    "title": {"a.eml": ("Jane <s03@example.org>", f"{'t' * 200_000}.ipynb")},
    "paths": {"S X_9_assignsubmission_file/a.zip": "p" * 60_000},
    "number": {f"S X_{'9' * 300}_assignsubmission_file/a.ipynb": ""},
}


@pytest.mark.parametrize("given", LONG.values(), ids=LONG)
def test_nothing_that_is_long_costs_anybody_else_anything(desk, given):
    files = {"S A_7_assignsubmission_file/a.ipynb": work("mine"), "b.eml": mail(x_ipynb=work("mine"))}
    for path, what in given.items():
        if path.endswith(".eml"):
            sender, title = what
            files[path] = mail(sender, name_ipynb="cut").replace(b"name.ipynb", title.encode())
        elif what:
            files[path] = desk.zip({f"{k}{what}.ipynb": "cut" for k in range(3)}, name="inner.zip").read_bytes()
        else:
            files[path] = work("long")
    path = desk.zip(files)
    for _ in range(2):
        desk.collect(path)
        assert {f"7/{HOMEWORK}", f"s01@example.org/{HOMEWORK}"} <= desk.there().keys()
    assert max(map(len, (desk.into / "collected.csv").read_text(encoding="utf-8").splitlines())) < 20_000


def test_a_table_of_an_earlier_version_is_taken_up(desk):
    path = desk.zip({f"{JANE}a.ipynb": work("1")})
    desk.collect(path)
    write_table(
        desk.into / "collected.csv",
        [list(row.values())[:-1] for row in [{n: n for n in ATTEMPT_COLUMNS}, *desk.table()]],
    )
    desk.collect(path)
    assert [row["state"] for row in desk.table()] == ["taken"] and list(desk.table()[0]) == ATTEMPT_COLUMNS


@pytest.mark.parametrize("data", [b"", b"student,name\n\xff", b"x" * 200_000], ids=["empty", "bytes", "long"])
def test_a_table_that_is_damaged_is_refused_by_name(desk, capsys, data):
    path = desk.zip({f"{JANE}a.ipynb": work("1")})
    desk.collect(path)
    (desk.into / "collected.csv").write_bytes(data)
    desk.collect(path, status=1)
    assert str(desk.into / "collected.csv") in capsys.readouterr().err
    assert (desk.into / "collected.csv").read_bytes() == data


def test_a_damaged_member_and_one_with_a_password_cost_nobody_else_anything(desk):
    files = {f"S A_{k}_assignsubmission_file/{HOMEWORK}.ipynb": work(f"answer {k}") for k in (1, 2, 3)}
    path = desk.zip(files)
    data = path.read_bytes().replace(b"answer 1", b"anSwer 1")
    second = data.index(b"S A_2_", data.index(b"PK\x01\x02")) - 46  # where the list of members tells of the second
    path.write_bytes(data[: second + 8] + bytes([data[second + 8] | 1]) + data[second + 9 :])
    desk.collect(path)
    assert desk.there().keys() == {f"3/{HOMEWORK}"}
    assert "it is damaged" in desk.mails()["1"] and "it has a password" in desk.mails()["2"]


# --- attempts


def test_the_latest_attempt_counts_in_whatever_order_they_come(desk):
    first, second = (
        desk.zip({f"{JANE}a.ipynb": work("1")}, name="1.zip"),
        desk.zip({f"{JANE}b.ipynb": work("2")}, LATE),
    )
    for source in (first, second, first, first.parent):
        desk.collect(source)
        assert desk.there() == {f"123/{HOMEWORK}": work("1" if source == first and len(desk.table()) == 1 else "2")}
    assert {row["file"].split("/")[1]: row["state"] for row in desk.table()} == {
        "a.ipynb": "older",
        "b.ipynb": "taken",
    }


def test_the_same_again_is_no_other_attempt_and_keeps_its_date(desk):
    for when in (EARLY, LATE):
        desk.collect(desk.zip({f"{JANE}a.ipynb": work("1"), f"{JANE}sub/copy.ipynb": work("1")}, when))
    (row,) = desk.table()
    assert row["date"][:10] == "2026-11-01" and row["seen"][:10] == "2026-11-02"


def test_two_different_notebooks_that_came_together_are_named_and_none_is_taken(desk):
    desk.collect(desk.zip({f"{JANE}a.ipynb": work("1"), f"{JANE}a (1).ipynb": work("2")}))
    assert not desk.there() and "which of them counts?" in desk.mails()["123"]
    desk.place("123").parent.mkdir(parents=True)
    desk.place("123").write_text(work("2"), encoding="utf-8")  # the teacher's choice
    desk.collect(desk.root / "downloads" / "HW.zip")
    assert desk.there() == {f"123/{HOMEWORK}": work("2")}


def test_twice_changes_nothing(desk):
    files = {f"S X_{k}_assignsubmission_file/homework {k}.ipynb": work(str(k)) for k in range(3)}
    files |= {f"{JANE}=1+1.pdf": "x", "a.eml": mail(x_ipynb=work("mine"))}
    path = desk.zip(files)
    desk.collect(path)
    before = desk.files()
    desk.collect(path)
    assert desk.files() == before and len(before) == 4 + 1 + 1 + 1


def test_a_table_that_somebody_has_changed_is_left_and_told(desk, capsys):
    path = desk.zip({f"{JANE}a.ipynb": work("1")})
    desk.collect(path)
    (desk.into / "collected.csv").write_text("student;name\n123;Jane\n")
    desk.collect(path, status=1)
    assert "collected.csv has other columns" in capsys.readouterr().err
    assert (desk.into / "collected.csv").read_text() == "student;name\n123;Jane\n"


def test_what_is_no_attempt_as_it_came_stays(desk):
    old, new = desk.zip({f"{JANE}a.ipynb": work("1")}, name="1.zip"), desk.zip({f"{JANE}a.ipynb": work("2")}, LATE)
    desk.place("123").parent.mkdir(parents=True)
    desk.place("123").write_text("by hand")
    desk.collect(old)
    assert desk.place("123").read_text() == "by hand" and desk.table()[0]["state"].startswith("not taken")
    desk.place("123").unlink()
    desk.collect(old)
    desk.place("123").write_text(work("1") + "\n", encoding="utf-8")  # changed since
    desk.collect(new)
    assert desk.place("123").read_text(encoding="utf-8") == work("1") + "\n"
    assert [row["state"][:9] for row in desk.table()] == ["older", "not taken"]


def test_a_link_in_submitted_is_never_followed(desk):
    outside = desk.root / "outside"
    outside.mkdir()
    desk.submitted.mkdir()
    (desk.submitted / "123").symlink_to(outside)
    desk.collect(desk.zip({f"{JANE}a.ipynb": work("1")}))
    assert not list(outside.iterdir())


def test_the_time_goes_with_its_attempt_and_a_teachers_stays(desk):
    folder = desk.place("s01@example.org").parent
    for day, stamp in ((3, "2026-11-30 14:30:00 UTC\n"), (4, "2026-12-01 14:30:00 UTC\n")):
        data = mail(x_ipynb=work(str(day))).replace(b"30 Nov", b"30 Nov" if day == 3 else b"01 Dec")
        desk.collect(desk.zip({"a.eml": data}))
        assert (folder / "timestamp.txt").read_text() == stamp
    (folder / "timestamp.txt").write_text("2026-11-11 11:11:11 UTC\n")
    desk.collect(desk.root / "downloads" / "HW.zip")
    assert (folder / "timestamp.txt").read_text() == "2026-11-11 11:11:11 UTC\n"


# --- nothing with a name in it is committed


def test_git_ignores_all_that_has_names_in_it():
    made = [
        "submitted/x",
        f"{collect.COLLECTED_FOLDER}/x",
        grade.GRADEBOOK,
        f"{grade.GRADEBOOK}-journal",
        grade.LOCK_FILE,
    ]
    made += [f"{one}/x" for one in (grade.TABLES, outcomes.RESULTS, book.BACKUPS, "feedback", "peers", "autograded")]
    made += [
        "HW1.zip",
        "roster.csv",
        "mails/a.eml",
        f"{final.FINAL_FOLDER}/x",
        final.TERM_FILE,
        f"{likeness.LIKENESS_FOLDER}/x",
    ]
    git = ["git", "-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index", *made]
    if not (ROOT / ".git").exists():
        pytest.skip("without git nothing can be committed")
    told = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, env=dict(os.environ)).stdout.splitlines()
    assert set(made) - set(told) == set()
