"""What people already have goes on working: sessions, submissions, an edited lecture, a gradebook, models.

All of it was made at commit 9036fc0, version 0.1.0, by before/make.py, and is never made anew: what fails here fails
for somebody who has such a thing. A change that is meant is named in CHANGELOG.md, and only then in before/.
"""

import copy
import importlib
import json
import pickle
import shutil
import sqlite3
import sys
import tomllib
import warnings
from pathlib import Path

import cloudpickle
import nbformat
import numpy as np
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell

import course_lib
from course_lib import keeping
from course_lib.lessons.asking.app import PersonalizerApp
from tests.doors.before import asking
from tests.homework import tiny_course
from tests.homework.boxes import UNSAFE
from tests.warm import Warm
from tools import update
from tools.homework import bundle, final, grade
from tools.homework.autograding import REQUEST, Judged, read_answers
from tools.homework.handmarks import read_standings
from tools.homework.sheets import read_sheets

ROOT, BEFORE = Path(__file__).resolve().parents[2], asking.HERE
LECTURE = "lectures/03_mixtures.ipynb"
MOVED = "moved? Then tools/update.py has to rewrite the line in students' notebooks and say so, or leave a stub"


def read(name):
    return json.loads((BEFORE / name).read_text(encoding="utf-8"))


SESSIONS, MODELS = read("journals.json"), read("models.json")
WHOLE = {
    ("01_dtw", "right"),
    ("08_several_answers", "right"),
}  # with the cells that draw, which cost ten times as much
HOMEWORKS = sorted(path.stem for path in BEFORE.glob("homework/*.json"))


def assert_same(now, before):
    """The same names and numbers; processors differ in rounding, which a search or a fit makes larger."""
    assert now.keys() == before.keys()
    for what, numbers in before.items():
        np.testing.assert_allclose(now[what], numbers, rtol=1e-5, atol=1e-6, err_msg=what)


@pytest.fixture(scope="module")
def warm():
    process = Warm()
    yield process
    process.close()


# --- sessions


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_goes_on_with_the_same_question(name, tmp_path):
    with asking.session(shutil.copy(BEFORE / "journals" / f"{name}.jsonl", tmp_path)) as session:
        assert_same(asking.of_session(session), SESSIONS[name])


def test_the_app_goes_on_in_the_blind_test(tmp_path):
    app = PersonalizerApp(shutil.copy(BEFORE / "journals" / "in-the-test.jsonl", tmp_path))
    app.begin.click()
    assert (app.screen, app.alert.value) == ("test", "")
    assert "8 of 20" in app.test_progress.value
    app.personalizer.close()


# --- homework


def asked(book, sheets, folder, whole):
    """The notebook with the grader's request after each graded cell; without what lies between, unless it is whole."""
    first, *others = [cell for cell in book.cells if cell.cell_type == "code"]
    cells = [first]
    for cell in others:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cells += [cell] if whole or name else []
        if sheet := sheets.get(name):
            (folder / f"{name}.inputs").write_bytes(cloudpickle.dumps(sheet.inputs))
            files = (str(folder / f"{name}.{kind}") for kind in ("inputs", "answers"))
            cells.append(new_code_cell(REQUEST.format(arguments=(sheet.task.function, *files, sheet.seconds, 60.0))))
    book.cells = cells
    return book


@pytest.mark.parametrize("name", HOMEWORKS)
def test_submissions_earn_the_points_that_they_earned(name, warm, tmp_path):
    """All ten on the grader's way, but for kernel and box (the next test has these: four seconds each)."""
    sheets, points = read_sheets(ROOT / "solutions" / name), {}
    for file in ("checks.py", "known.json"):
        shutil.copy(ROOT / "solutions" / name / file, tmp_path)
    for who, (cells, _) in asking.students(name).items():
        nbformat.write(
            asked(asking.with_answers(name, cells), sheets, tmp_path, (name, who) in WHOLE), tmp_path / "one.ipynb"
        )
        warm.outputs(tmp_path / "one.ipynb")
        told = {task: read_answers(tmp_path / f"{task}.answers") for task in sheets}
        points[who] = {task: Judged.of(one, one.judge(told[task])).points for task, one in sheets.items()}
    assert points == {
        who: {task: before[task] for task in sheets} for who, (_, before) in asking.students(name).items()
    }


@pytest.mark.long  # the teacher's door is as long a way in `make test`
@pytest.mark.parametrize("name", HOMEWORKS)
def test_the_whole_grader_gives_the_points_that_it_gave(name, tmp_path):
    cells, points = asking.students(name)["wrong-1"]
    assert asking.grades(ROOT, tmp_path, {("ada", name): cells}) == {("ada", name): points}


RULES = """
timezone = "UTC"
students = "class.csv"
left = ["dan", "eve"]
[homework]
share = 100
[homework.due]
tiny = 2026-01-01 10:00:00
[late]
percent_per_day = 10
most_days = 3
"""


def test_a_gradebook_shows_the_same_table_keeps_marks_by_hand_and_gives_final_numbers(tmp_path):
    tiny_course.make(tmp_path)
    before = read("gradebook.json")
    with sqlite3.connect(tmp_path / "gradebook.db") as database:
        database.executescript((BEFORE / "gradebook.sql").read_text(encoding="utf-8"))
    for who, marks in before["results"].items():
        (tmp_path / "submitted" / who / "tiny").mkdir(parents=True)
        (tmp_path / "results" / "tiny" / who).mkdir(parents=True)
        (tmp_path / "results" / "tiny" / who / "marks.json").write_text(json.dumps(marks), encoding="utf-8")
    folders = ["--root", str(tmp_path), "--submitted", str(tmp_path / "submitted"), "--into", str(tmp_path)]
    grade.main([*folders, "--tables", *UNSAFE])
    assert (tmp_path / "marks" / "tiny.csv").read_text(encoding="utf-8") == before["table"]
    standings = read_standings(tmp_path, "tiny")
    assert standings["ben", "double-check"].manual == 3.5
    assert (standings["ada", "letter"].mark.points, standings["ada", "letter"].mark.comment) == (
        (1, 0.5),
        "Well said.",
    )
    for marks in before["results"].values():  # is not graded again for knowing nothing of tasks
        assert grade.touched_of(marks, marks["key"], {"double-check": {}}, marks["problem"]) == frozenset()
    (tmp_path / "class.csv").write_text("student\nada\nben\ncem\n", encoding="utf-8")
    (tmp_path / "term.toml").write_text(RULES, encoding="utf-8")
    shutil.rmtree(tmp_path / "submitted")
    assert final.main([*folders, "--term", str(tmp_path / "term.toml")]) == 0
    numbers = pd.read_csv(tmp_path / "final" / "final.csv").set_index("student")["final"].to_dict()
    assert numbers == {"ada": 91.7, "ben": 58.3, "cem": 0.0}  # of 5.5, 3.5 and 0 of 6 points


# --- notebooks


def test_an_edited_lecture_stays_runs_and_gets_the_new_one_beside_it(warm, tmp_path):
    mine, new = tmp_path / LECTURE, bundle.bundle(ROOT)
    before = (BEFORE / "lecture" / "03_mixtures.notebook").read_bytes()
    mine.parent.mkdir()
    mine.write_bytes(before)
    shutil.copy(BEFORE / "lecture" / "delivered.json", tmp_path / update.DELIVERED)
    files = {LECTURE: new[LECTURE].replace(b"Lecture 03", b"Lecture 03, changed"), "README.md": new["README.md"]}
    told = update.update(tmp_path, files | {update.DELIVERED: update.manifest(files)})
    assert f"{LECTURE} has your changes and stays. The new version is beside it: 03_mixtures.new.ipynb" in told
    assert mine.read_bytes() == before
    assert mine.with_suffix(".new.ipynb").read_bytes() == files[LECTURE]
    assert not [output for cell in warm.outputs(mine) for output in cell if output.output_type == "error"]


def there(module, name):
    """Whether a module is there and has a name: its own, or that of a module in it."""
    try:
        return hasattr(importlib.import_module(module), name) or bool(importlib.import_module(f"{module}.{name}"))
    except ModuleNotFoundError:
        return False


def test_what_released_notebooks_import_is_there():
    named = [(module, name) for module, names in read("imports.json").items() for name in names]
    assert len(named) > 300
    assert not [f"{module}.{name}" for module, name in named if not there(module, name)], MOVED


def test_a_folder_that_an_older_version_left_empty_hides_nothing(tmp_path, monkeypatch):
    """Where the library is unpacked over an older one, folders that have moved keep their compiled files."""
    (tmp_path / "widgets" / "__pycache__").mkdir(parents=True)
    monkeypatch.setattr(course_lib, "__path__", [*course_lib.__path__, str(tmp_path)])
    for name in [name for name in sys.modules if name.startswith("course_lib.widgets")]:
        monkeypatch.delitem(sys.modules, name)
    assert there("course_lib.widgets", "check_responsibilities")


# --- models


def kept(name):
    """(the pickle of a model, the model, as it is read with a warning)."""
    data = (BEFORE / "models" / f"{name}.pickle").read_bytes()
    with pytest.warns(keeping.OtherVersionWarning, match=r"by version (0\.1\.0|unknown) .* fit it again"):
        return data, pickle.loads(data)


@pytest.mark.parametrize("name", MODELS)
def test_a_kept_model_says_what_it_said_and_to_fit_it_again(name):
    model = kept(name)[1]
    with warnings.catch_warnings():
        warnings.simplefilter("error", keeping.OtherVersionWarning)
        again = copy.deepcopy(model)
    assert_same(asking.of_model(name, again), MODELS[name])


def test_a_kept_model_of_a_module_that_is_gone_says_to_fit_it_again():
    data, _ = kept("RaterGP")
    with pytest.raises(course_lib.OtherVersionError, match=r"no course_lib\.judgments\.panels\.gonea.* fit .* again"):
        pickle.loads(data.replace(b"course_lib.judgments.panels.raters", b"course_lib.judgments.panels.gonea1"))


def test_a_kept_model_that_lacks_something_says_to_fit_it_again():
    _, model = kept("RaterGP")
    del model.latent_.prior_
    for ask in (lambda: model.prior_, lambda: model.predict(asking.POINTS)):
        with pytest.raises(keeping.OtherStateError, match=r"by version 0\.1\.0 .*lacks 'prior_'.* fit it again"):
            ask()


def test_the_code_knows_its_version_and_the_changelog_too():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert keeping.version() == project["version"]
    assert f"## {project['version']}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
