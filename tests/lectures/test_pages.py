"""Lectures as pages: what a lab folds is folded there, and no quiz tells its answer."""

import re

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.doors import screens
from tests.lectures.reading import LECTURES, lecture
from tools import pages
from tools.slides import reading

SOME = [LECTURES[0], LECTURES[12]]


def text(tree):
    """All that can be read on a page, folded or not, with what its pictures are called."""
    return tree.get_text(" ") + " ".join(image.get("alt", "") for image in tree.find_all("img"))


def test_what_is_folded_stays_folded_and_notes_are_left_out():
    folded = {"jupyter": {"outputs_hidden": True}, "slideshow": {"slide_type": "-"}}
    cells = [
        new_markdown_cell("# Title <&>\n\n**Predict.** See [02](02_gaussians.ipynb), $a < b$."),
        new_code_cell("answer()", outputs=[new_output("stream", text="What came out:\n59 of 66")], metadata=folded),
        new_code_cell("secret = 59", metadata={"jupyter": {"source_hidden": True}}),
        new_code_cell("shown = 7", outputs=[new_output("stream", text="it is 7")]),
        new_markdown_cell("say 59", metadata={"slideshow": {"slide_type": "notes"}}),
    ]
    html = pages.page(new_notebook(cells=cells))
    seen = screens.unfolded(html)
    assert "59" not in seen
    assert all(words in seen for words in ("answer", "What came out:", "The code:", "shown", "it is 7"))
    assert text(BeautifulSoup(html, "html.parser")).count("59") == 2
    assert 'href="02.html"' in html


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_a_lectures_page_tells_no_answer_and_asks_for_nothing_from_elsewhere(path, tmp_path):
    target = pages.write(path, tmp_path)
    tree = BeautifulSoup(target.read_text(encoding="utf-8"), "html.parser")
    asked = [one.get("src") for one in tree.select("[src]")] + [one["href"] for one in tree.select("link[href]")]
    assert all((tmp_path / one).is_file() for one in asked if not one.startswith("data:"))
    quizzes = [cell for cell in lecture(path).code_cells if any(map(reading.is_quiz, cell.outputs))]
    replies = [one for cell in quizzes for one in re.findall(r'": "(.{20,}?)"', cell.source)]
    assert replies or path == LECTURES[0]
    read = screens.packed(text(tree))
    assert not [one for one in replies if screens.packed(one) in read]
    assert "correct=" not in text(tree)
    assert read.count("Thequizrunsinthenotebook") == len(quizzes)
    notes = [cell.source for cell in lecture(path).cells if "notes" in str(cell.metadata.get("slideshow"))]
    assert not [one for one in notes if screens.packed(one.split("</summary>")[1])[:40] in read]


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_a_lectures_page_shows_open_what_the_lab_shows(path):
    """Beside the cells that are no quiz and no note: a folded one shows that it is there."""
    seen = screens.packed(screens.unfolded(pages.page(lecture(path).notebook, path.parent)))
    for cell in pages.readable(lecture(path).cells):
        if cell.cell_type == "code" and not cell.metadata.get("jupyter", {}).get("source_hidden"):
            assert screens.packed(cell.source) in seen
        if screens.is_folded(cell):
            rows = "\n".join(map(screens.printed, cell.outputs)).splitlines()
            assert not [row for row in rows if len(screens.numbers(row)) > 2 and screens.packed(row) in seen]
