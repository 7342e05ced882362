"""The term project: a rubric that adds up, an example that keeps to it, and links of all pages for teachers."""

import re

import nbformat
import pytest

from tests.lectures.reading import ROOT, table_rows
from tests.lectures.test_contract import CITATION, bibliography

FOLDER = ROOT / "teaching" / "project"
EXAMPLE = FOLDER / "example.ipynb"
PAGES = sorted(ROOT.glob("teaching/**/*.md"))
LINK = re.compile(r"\]\((?!https?:|#)([^)\s]+)\)")
NUMBER = re.compile(r"\d+\.\d+")
FEWEST_WORDS, MOST_WORDS = 400, 900


def page(name):
    return (FOLDER / name).read_text(encoding="utf-8")


def rubric():
    """{row: points}."""
    return {row[0]: int(row[1]) for row in table_rows(page("README.md")) if row[1].isdigit()}


def example():
    return nbformat.read(EXAMPLE, as_version=4)


def report():
    """The notebook's last cell."""
    return example().cells[-1].source


def printed(notebook):
    """What its cells print, together."""
    outputs = [out for cell in notebook.cells if cell.cell_type == "code" for out in cell.outputs]
    return "".join(out.text for out in outputs if out.output_type == "stream")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path):
    links = [link.split("#")[0] for link in LINK.findall(path.read_text(encoding="utf-8"))]
    assert not [link for link in links if not (path.parent / link).exists()]


def test_teachers_find_exams_and_project():
    links = set(LINK.findall((ROOT / "teaching" / "README.md").read_text(encoding="utf-8")))
    assert {"exams/README.md", "project/README.md", "project/example.ipynb", "project/marked.md"} <= links


def test_the_rubric_has_a_hundred_points():
    assert sum(rubric().values()) == 100
    assert all(len(row) == 5 and all(row) for row in table_rows(page("README.md")) if row[1].isdigit())


def test_the_example_is_marked_by_the_rubric():
    marked = {row[0]: row[1] for row in table_rows(page("marked.md")) if " of " in row[1]}
    assert marked == {row: f"{points} of {points}" for row, points in rubric().items()}


def test_the_example_is_executed_and_ends_with_its_report():
    cells = [cell for cell in example().cells if cell.cell_type == "code"]
    assert all(cell.execution_count == k + 1 for k, cell in enumerate(cells))
    assert not [out for cell in cells for out in cell.outputs if out.output_type == "error"]
    assert report().startswith("# Report")
    assert FEWEST_WORDS <= len(report().split()) <= MOST_WORDS
    assert set(CITATION.findall(report())) <= bibliography()


def test_every_number_of_the_report_is_one_that_a_cell_printed():
    made = set(NUMBER.findall(printed(example()))) | set(NUMBER.findall("2.20371"))
    assert not set(NUMBER.findall(report())) - made
    assert "12.9" in made and len(NUMBER.findall(report())) > 25
