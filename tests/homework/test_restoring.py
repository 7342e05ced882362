"""Cells that lost their names are found by what they say, and lost ones are put back where they can be graded."""

import copy

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from tests.homework.graded import HOMEWORKS, notebook
from tools.homework.restoring import SAID_KEY, grade_id, restore


def restored(book, name="01_dtw"):
    restore(book, notebook(name))
    nbformat.validate(book)
    return book


def names(book):
    return [grade_id(cell) for cell in book.cells]


def stripped(name="01_dtw"):
    """What students get, with no cell's metadata left."""
    book = copy.deepcopy(notebook(name, "exercises"))
    for cell in book.cells:
        cell.metadata = nbformat.NotebookNode()
    return book


@pytest.mark.parametrize("name", HOMEWORKS)
def test_every_cell_of_a_homework_is_found_by_what_it_says(name):
    assert names(restored(stripped(name), name)) == names(notebook(name))
    whole = notebook(name, "exercises")
    assert [one.source for one in restored(copy.deepcopy(whole), name).cells] == [one.source for one in whole.cells]


@pytest.mark.parametrize("about", ["text", {}, {"grade_id": ["x"]}, {"grade_id": "gaps-check"}, {"grade_id": "?"}])
def test_metadata_may_be_anything(about):
    book = stripped()
    check = next(cell for cell in book.cells if cell.source == "check(dtw_with_gaps)")
    check.metadata["nbgrader"] = about
    assert names(restored(book)) == names(notebook("01_dtw"))


def test_what_is_lost_is_put_back_in_order_and_said():
    book = restored(new_notebook())
    assert names(book) == [name for cell in notebook("01_dtw").cells if cell.metadata.get("nbgrader", {}).get("grade")
                           for name in [grade_id(cell)]]  # fmt: skip
    assert "nothing in it defines amerced_dtw" in book.cells[0].metadata[SAID_KEY]
    assert "was missing in what was handed in" in book.cells[-1].source


def test_a_lost_check_is_put_behind_the_definition_that_is_there():
    book = stripped()
    book.cells = [cell for cell in book.cells if "amerced_dtw" not in cell.source or cell.cell_type != "code"]
    book.cells.append(new_code_cell("def amerced_dtw(x, y, omega):\n    check(amerced_dtw"))
    restored(book)
    assert names(book)[-2:] == ["amerced-answer", "amerced-check"] and SAID_KEY not in book.cells[-1].metadata
