"""The rubrics of written answers, as they stand in the notebooks, and tables that a spreadsheet may open."""

import csv

import nbformat
import pytest

from tests.homework import tiny_course
from tests.homework.graded import HOMEWORKS, ROOT
from tools.homework import tables
from tools.homework.rubric import Row, heading, read_rubrics


@pytest.mark.parametrize("name", HOMEWORKS)
def test_the_rubrics_of_all_homeworks_add_up(name):
    rubrics = read_rubrics(ROOT / "solutions" / name / f"{name}.ipynb")
    assert rubrics
    for rubric in rubrics:
        assert rubric.title and rubric.question and rubric.solution and len(rubric.rows) > 1
        assert "SOLUTION" not in rubric.solution and "how it is marked" not in rubric.question


def written(folder, old="", new=""):
    """The notebook of the tiny course in a folder, with some text replaced in its cells."""
    book = tiny_course.source()
    for cell in book.cells:
        cell.source = cell.source.replace(old, new) if old else cell.source
    nbformat.write(book, folder / "tiny.ipynb")
    return folder / "tiny.ipynb"


def test_a_rubric_is_read(tmp_path):
    (rubric,) = read_rubrics(written(tmp_path))
    assert (rubric.grade_id, rubric.title, rubric.points) == ("letter", "Letter: twice", 2)
    assert rubric.question == 'A friend asks: *"Why is twice x the same as x + x?"* Answer her.'
    assert rubric.rows == (Row("says what *twice* means", 1), Row("an example with a number", 1))
    assert rubric.solution == "Because two times anything is that thing and itself again."


def test_a_rubric_that_does_not_add_up_names_its_notebook(tmp_path):
    path = written(tmp_path, "number | 1", "number | 1.5")
    with pytest.raises(ValueError, match=r"tiny\.ipynb, cell 'letter': .* add up to 2\.5; the cell has 2"):
        read_rubrics(path)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("| how it is marked | points |", "| what | how much |", "needs a table"),
        ("number | 1 |", "number | one |", "needs the form"),
    ],
)
def test_a_rubric_without_a_table_or_points_names_its_notebook(tmp_path, old, new, why):
    with pytest.raises(ValueError, match=rf"tiny\.ipynb, cell 'letter'.*{why}"):
        read_rubrics(written(tmp_path, old, new))


def test_a_row_may_hold_a_bar(tmp_path):
    (rubric,) = read_rubrics(written(tmp_path, "a number", r"\|x\| = 3"))
    assert rubric.rows[1].what == "an example with |x| = 3"


def test_a_heading_is_the_last_one_above():
    cells = tiny_course.source().cells
    assert heading(cells, 3) == "Homework tiny · Twice"
    assert heading(cells, 5) == "Letter: twice"
    assert heading(cells, 0) == ""


@pytest.mark.parametrize("text", ["=1+1", "+cmd|'/C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1"])
def test_a_formula_is_text(text):
    assert tables.safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", [3, -1.5, "-1.5", "+2", "1e-3", "", "a = b", "4 of 6", "✗"])
def test_numbers_and_other_texts_stay(value):
    assert tables.safe_cell(value) == value


def test_nothing_is_an_empty_cell():
    assert tables.safe_cell(None) == ""


def test_a_table_appears_as_a_whole(tmp_path):
    path = tmp_path / "new" / "table.csv"
    tables.write_table(path, [["who", "points"], ['=HYPERLINK("x")', -1.5], ["two\nlines", None]])
    with open(path, newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [["who", "points"], ['\'=HYPERLINK("x")', "-1.5"], ["two\nlines", ""]]
    assert [one.name for one in path.parent.iterdir()] == ["table.csv"]


def test_a_table_for_a_terminal_has_columns():
    assert tables.aligned([("who", "points"), ("ada", 1.5), ("b", None)]) == "who  points\nada  1.5\nb"


def test_a_file_is_on_the_disk_before_it_takes_the_place_of_another(tmp_path, monkeypatch):
    path, done = tmp_path / "marks.json", []
    for name in ("fsync", "replace"):
        real = getattr(tables.os, name)
        monkeypatch.setattr(tables.os, name, lambda *given, name=name, real=real: (done.append(name), real(*given)))
    tables.write_whole(path, "{}")
    assert done == ["fsync", "replace", "fsync"] and path.read_text(encoding="utf-8") == "{}"
