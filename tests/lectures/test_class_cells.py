"""The cells that show a class run on small, large and half-empty ones, not on the stand-in alone."""

import io
from contextlib import redirect_stdout

import numpy as np
import pytest

from tests.course_studies.made_classes import marks_of, write_form, write_listeners
from tests.lectures.reading import LECTURES, lecture

SHOWING = [path for path in LECTURES if "load_panel()" in path.read_text(encoding="utf-8")]


def one(folder):
    return write_listeners(folder, marks_of(1))


def five(folder):
    """Half of the answers are missing; one person gave none, another always the same."""
    marks = marks_of(7, missing=0.5, rng=2)
    marks[3], marks[5] = np.nan, 50
    return write_form(folder, marks, before=[("Nr.", range(7))])


def two_hundred(folder):
    return write_listeners(folder, marks_of(200, missing=0.5, rng=3))


def at_the_ends(folder):
    return write_form(folder, np.where(marks_of(6, rng=4) > 50, 100.0, 0.0))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("made", [one, five, two_hundred, at_the_ends])
@pytest.mark.parametrize("path", SHOWING, ids=lambda path: path.stem)
def test_a_lecture_shows_the_class_that_there_is(path, made, tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_CLASS", str(made(tmp_path)))
    cells = [cell.source for cell in lecture(path).cells if cell.cell_type == "code"]
    (shown,) = (cell for cell in cells if "load_panel()" in cell)
    needed = [
        next(cell for cell in cells if "import numpy as np" in cell),
        *(c for c in cells if "def plausible(" in c),
    ]
    names, said = {}, io.StringIO()
    for cell in needed:
        exec(cell, names)
    *lines, last = shown.splitlines()
    with redirect_stdout(said):
        exec("\n".join(lines), names)
        value = eval(last, names)
    told = said.getvalue() + str(getattr(value, "data", value))
    assert "This class has answered" in told and "nan" not in told


def test_six_lectures_show_the_class():
    assert [path.stem[:2] for path in SHOWING] == ["07", "08", "09", "10", "11", "14"]
