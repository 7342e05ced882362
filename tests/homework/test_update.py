"""Updates: a student's work is never overwritten, whatever they did to it, and the folder ends up as the course is."""

import json
import shutil
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools import update
from tools.homework import bundle

HOMEWORK = "exercises/tiny/tiny.ipynb"


def notebook(*sources, output=None):
    """Bytes of a notebook: the first source is text, the others are code."""
    cells = [
        new_markdown_cell(sources[0], id="a"),
        *(new_code_cell(one, id=f"c{k}") for k, one in enumerate(sources[1:])),
    ]
    if output is not None:
        cells[-1].outputs = [new_output("stream", text=output)]
    return nbformat.writes(new_notebook(cells=cells)).encode()


FIRST = {
    HOMEWORK: notebook("Task", "def f(x):\n    raise NotImplementedError()"),
    "course_checks/hwtiny.py": b"old checks",
    "lectures/01.ipynb": notebook("Lecture", "1 + 1", output="2"),
    "lectures/02.ipynb": notebook("Lecture", "2 + 2"),
    "course_lib/old.py": b"gone tomorrow",
    "course_lib/same.py": b"same",
    "tools/make_venv.sh": b"#!/bin/sh",
}
SECOND = FIRST | {
    HOMEWORK: notebook("Task, said better", "def f(x):\n    raise NotImplementedError()"),
    "course_checks/hwtiny.py": b"new checks",
    "lectures/01.ipynb": notebook("Lecture, longer", "1 + 1", output="2"),
    "lectures/03.ipynb": notebook("A new lecture"),
}
del SECOND["course_lib/old.py"]


def delivery(files):
    return files | {update.DELIVERED: update.manifest(files)}


@pytest.fixture
def mine(tmp_path):
    """A student's folder with the first delivery."""
    for name, data in delivery(FIRST).items():
        path = tmp_path / "mine" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return tmp_path / "mine"


def files_of(folder):
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def test_an_untouched_folder_becomes_the_new_delivery(mine):
    told = update.update(mine, delivery(SECOND))
    assert files_of(mine) == delivery(SECOND)
    assert told == [
        f"{HOMEWORK} was updated. New: cell 1 (Task, said better).",
        "lectures/01.ipynb was updated. New: cell 1 (Lecture, longer).",
        "5 files were written or removed.",
    ]
    assert (mine / "tools" / "make_venv.sh").stat().st_mode & 0o777 == 0o644  # not written: as it was
    assert update.update(mine, delivery(SECOND)) == ["Everything was up to date."]


def test_a_new_version_that_was_worked_on_is_not_overwritten_either(mine):
    (mine / HOMEWORK).write_bytes(notebook("Task", "mine"))
    update.update(mine, delivery(SECOND))
    in_new = notebook("Task, said better", "mine, moved over")
    (mine / "exercises/tiny/tiny.new.ipynb").write_bytes(in_new)
    third = SECOND | {HOMEWORK: notebook("Task, said best", "def f(x): ...")}
    told = update.update(mine, delivery(third))
    assert (mine / HOMEWORK).read_bytes() == notebook("Task", "mine")
    assert (mine / "exercises/tiny/tiny.new.ipynb").read_bytes() == in_new
    assert (mine / "exercises/tiny/tiny.new2.ipynb").read_bytes() == third[HOMEWORK]
    assert "tiny.new2.ipynb" in told[0]
    assert update.update(mine, delivery(third)) == ["Everything was up to date."]


def exercise(*cells):
    """Bytes of an exercise: (source, name under which it is graded or None) of each cell."""
    book = new_notebook(cells=[new_code_cell(source, id=f"c{k}") for k, (source, _) in enumerate(cells)])
    for cell, (_, name) in zip(book.cells, cells, strict=True):
        cell.metadata = {"nbgrader": {"grade_id": name, "solution": True}} if name else {}
    return nbformat.writes(book).encode()


IMPORT, STUB = ("import old", None), ("...", "f-answer")
GIVEN = exercise(IMPORT, STUB, ("check(f)", None))
RENEWED = exercise(("import new", None), ("# said better\n...", "f-answer"), ("check(f, 1)", None), ("more", None))
MINE, NOTE = ("mine", "f-answer"), ("my note", None)


@pytest.mark.parametrize(
    ("done", "kept"),
    [
        ((IMPORT, MINE, ("check(f)", None)), ["import new", "mine", "check(f, 1)", "more"]),
        ((IMPORT, MINE, NOTE, ("check(f)", None)), ["import new", "mine", "my note", "check(f, 1)", "more"]),
        ((NOTE, IMPORT, MINE, ("check(f)", None)), ["my note", "import new", "mine", "check(f, 1)", "more"]),
        ((("import mine", None), MINE, ("check(f)", None)), None),
        ((IMPORT, MINE), None),
        ((IMPORT, MINE, MINE, ("check(f)", None)), None),
    ],
    ids=["answered", "a note", "a note above", "another import", "a check taken away", "two answers"],
)
def test_a_begun_exercise_is_renewed_round_its_answers_where_nothing_else_has_changed(mine, done, kept):
    update.update(mine, delivery(FIRST | {HOMEWORK: GIVEN}))
    (mine / HOMEWORK).write_bytes(exercise(*done))
    told = update.update(mine, delivery(FIRST | {HOMEWORK: RENEWED}))[0]
    there = [cell.source for cell in nbformat.read(mine / HOMEWORK, as_version=4).cells]
    if kept is None:
        assert "is kept" in told and there == [source for source, _ in done]
    else:
        assert "was updated, with your answers in it" in told and there == kept
        assert (mine / "exercises/tiny/tiny.before.ipynb").read_bytes() == exercise(*done)


def test_the_cells_that_are_new_are_named_beside_work_and_those_of_the_student_are_not(mine):
    (mine / HOMEWORK).write_bytes(notebook("Task", "mine", "mine, too"))
    better = notebook(
        "Task",
        "def f(x):\n    raise NotImplementedError()",
        "\n# <b>A question</b> " + 60 * "x",
        *(f"more_{k} = 1" for k in range(5)),
        output="seen",
    )
    told = update.update(mine, delivery(FIRST | {HOMEWORK: better}))
    named = f"3 (A question {38 * 'x'}…), 4 (more_0 = 1), 5 (more_1 = 1), 6 (more_2 = 1), 7 (more_3 = 1) and 1 more"
    beside = "The new version is beside it: tiny.new.ipynb"
    assert told[0] == f"{HOMEWORK} has your changes and is kept. {beside}. New: cells {named}."
    assert len(told) == 2


def test_a_delivery_without_cells_in_its_list_is_updated_as_before(mine):
    old = json.loads((mine / update.DELIVERED).read_bytes())
    old["files"] = {name: both[:2] for name, both in old["files"].items()}
    (mine / update.DELIVERED).write_text(json.dumps(old))
    assert update.update(mine, delivery(SECOND)) == ["5 files were written or removed."]
    assert files_of(mine) == delivery(SECOND)


def test_work_on_what_did_not_change_is_left_alone_without_a_word(mine):
    (mine / "lectures/02.ipynb").write_bytes(notebook("Lecture", "2 + 2", "my own cell"))
    told = update.update(mine, delivery(SECOND))
    assert (mine / "lectures/02.ipynb").read_bytes() == notebook("Lecture", "2 + 2", "my own cell")
    assert not [line for line in told if "lectures/02" in line]


def test_running_a_notebook_is_no_change_but_a_pasted_picture_is(mine):
    (mine / "lectures/01.ipynb").write_bytes(notebook("Lecture", "1 + 1", output="run on my computer"))
    letter = json.loads(FIRST[HOMEWORK])
    letter["cells"][0]["attachments"] = {"drawing.png": {"image/png": "aGk="}}
    (mine / HOMEWORK).write_text(json.dumps(letter))
    told = update.update(mine, delivery(SECOND))
    assert (mine / "lectures/01.ipynb").read_bytes() == SECOND["lectures/01.ipynb"]
    assert json.loads((mine / HOMEWORK).read_bytes()) == letter
    assert [line.split()[0] for line in told] == [HOMEWORK, "lectures/01.ipynb", "5"]


def test_what_is_only_new_outside_the_cells_is_delivered(mine):
    points = json.loads(FIRST[HOMEWORK])
    points["cells"][1]["metadata"] = {"nbgrader": {"points": 9}}
    third = FIRST | {HOMEWORK: json.dumps(points).encode()}
    update.update(mine, delivery(third))
    assert (mine / HOMEWORK).read_bytes() == third[HOMEWORK]


def test_a_renamed_notebook_stays_and_a_fresh_one_comes_back(mine):
    half = notebook("Task", "half")
    (mine / HOMEWORK).write_bytes(half)
    (mine / HOMEWORK).rename(mine / "exercises/tiny/my_tiny.ipynb")
    told = update.update(mine, delivery(FIRST))
    assert (mine / "exercises/tiny/my_tiny.ipynb").read_bytes() == half
    assert (mine / HOMEWORK).read_bytes() == FIRST[HOMEWORK]
    assert told[0] == f"{HOMEWORK} was missing and has been restored."


def test_a_deleted_folder_comes_back_whole(mine):
    shutil.rmtree(mine / "exercises")
    update.update(mine, delivery(SECOND))
    assert files_of(mine) == delivery(SECOND)


def test_files_of_ones_own_stay_even_if_the_course_brings_one_of_that_name(mine):
    (mine / "lectures/03.ipynb").write_bytes(b"my notes")
    (mine / "diary.txt").write_bytes(b"private")
    told = update.update(mine, delivery(SECOND))
    assert (mine / "lectures/03.ipynb").read_bytes() == b"my notes"
    assert (mine / "lectures/03.new.ipynb").read_bytes() == SECOND["lectures/03.ipynb"]
    assert (mine / "diary.txt").read_bytes() == b"private"
    assert [line for line in told if line.startswith("lectures/03.ipynb has your changes")]


def test_what_left_the_course_stays_if_it_was_changed(mine):
    (mine / "course_lib/old.py").write_bytes(b"mine")
    told = update.update(mine, delivery(SECOND))
    assert (mine / "course_lib/old.py").read_bytes() == b"mine"
    assert "course_lib/old.py is no longer part of the course. Yours has changes and is kept." in told


def test_a_damaged_notebook_is_work_all_the_same(mine):
    (mine / HOMEWORK).write_bytes(FIRST[HOMEWORK][:100])
    update.update(mine, delivery(SECOND))
    assert (mine / HOMEWORK).read_bytes() == FIRST[HOMEWORK][:100]


def test_an_update_that_breaks_off_is_finished_by_the_next(mine, monkeypatch):
    (mine / HOMEWORK).write_bytes(notebook("Task", "half"))
    write, written = update._write, []

    def fails(path, data):
        if len(written) == 2:
            raise OSError("No space left on device")
        written.append(path)
        write(path, data)

    monkeypatch.setattr(update, "_write", fails)
    with pytest.raises(OSError, match="No space"):
        update.update(mine, delivery(SECOND))
    monkeypatch.setattr(update, "_write", write)
    update.update(mine, delivery(SECOND))
    found = files_of(mine)
    assert found.pop(HOMEWORK) == notebook("Task", "half")
    assert found.pop("exercises/tiny/tiny.new.ipynb") == SECOND[HOMEWORK]
    assert found == {name: data for name, data in delivery(SECOND).items() if name != HOMEWORK}


@pytest.mark.parametrize(
    ("new", "words"),
    [
        ({}, "missing or damaged"),
        ({update.DELIVERED: b"{"}, "missing or damaged"),
        ({update.DELIVERED: b'{"format": 1, "files": []}'}, "missing or damaged"),
        ({update.DELIVERED: b'{"format": 7, "files": {}}'}, "has format 7, but this tool reads only 1"),
        ({update.DELIVERED: b'{"format": 1, "files": {"../x": ["", ""]}}'}, "is outside the course"),
        ({update.DELIVERED: b'{"format": 1, "files": {"/etc/x": ["", ""]}}'}, "is outside the course"),
        ({update.DELIVERED: update.manifest(SECOND)}, "is incomplete"),
    ],
)
def test_what_is_no_delivery_changes_nothing(mine, new, words):
    before = files_of(mine)
    with pytest.raises(update.UpdateError, match=words):
        update.update(mine, new)
    assert files_of(mine) == before


def test_a_folder_in_the_place_of_a_file_is_named(mine):
    (mine / HOMEWORK).unlink()
    (mine / HOMEWORK).mkdir()
    with pytest.raises(update.UpdateError, match=r"tiny\.ipynb cannot be read"):
        update.update(mine, delivery(SECOND))


def run(folder, *arguments):
    """The command as `make update` calls it, with this Python but without any package."""
    command = [sys.executable, "-S", "-E", str(update.__file__), "--root", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("form", ["zip", "address", "folder"])
def test_the_command_takes_a_zip_file_an_address_and_a_folder(mine, tmp_path, form):
    target = tmp_path / "new" / "course_for_students.zip"
    bundle.pack(delivery(SECOND), target)
    source = {"zip": str(target), "address": target.as_uri(), "folder": str(tmp_path / "unpacked")}[form]
    for name, data in delivery(SECOND).items():
        path = tmp_path / "unpacked" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    done = run(mine, source)
    assert (done.returncode, done.stderr) == (0, "")
    assert files_of(mine) == delivery(SECOND)


def test_the_command_says_why_it_cannot(mine, tmp_path):
    (tmp_path / "cut.zip").write_bytes(b"PK\3\4 and no more")
    bundle.pack({"other.txt": b""}, tmp_path / "other.zip")
    for source, words in {
        "": "not a git clone",
        str(tmp_path / "nothing.zip"): "is not a file, folder or address",
        str(tmp_path / "cut.zip"): "is not a complete zip file",
        str(tmp_path / "other.zip"): "is not a version of this course",
        (tmp_path / "nothing.zip").as_uri(): "cannot be reached",
    }.items():
        done = run(mine, *([source] if source else []))
        assert (done.returncode, words in done.stderr) == (1, True), done.stderr
    assert files_of(mine) == delivery(FIRST)


def git(folder, *words):
    about = ["-c", "user.name=Student", "-c", "user.email=student@example.org", "-c", "init.defaultBranch=main"]
    return subprocess.run(
        ["git", "-C", str(folder), *about, *words], capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize("own_commit", [False, True])
def test_a_clone_is_updated_by_git_alone(tmp_path, monkeypatch, own_commit):
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Teacher")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "teacher@example.org")
    school, clone = tmp_path / "school", tmp_path / "clone"
    school.mkdir()
    git(school, "init", "-q")
    assert "has a new version" in bundle.commit(delivery(FIRST), school)
    git(tmp_path, "clone", "-q", "--branch", bundle.BRANCH, str(school), str(clone))
    half = notebook("Task", "half")
    (clone / HOMEWORK).write_bytes(half)
    if own_commit:
        git(clone, "commit", "-qam", "My work")
    assert "has a new version" in bundle.commit(delivery(SECOND), school)
    done = run(clone)
    assert done.returncode == 0, done.stderr
    assert (clone / HOMEWORK).read_bytes() == half
    assert (clone / "exercises/tiny/tiny.new.ipynb").read_bytes() == SECOND[HOMEWORK]
    assert not (clone / "course_lib/old.py").exists()
    if own_commit:
        assert "My work" in git(clone, "log", "--format=%s")
    else:
        changed = git(clone, "status", "--porcelain").split()
        assert changed == ["M", HOMEWORK, "??", "exercises/tiny/tiny.new.ipynb"]
    assert run(clone).stdout == "Everything was up to date.\n"
