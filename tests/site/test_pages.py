"""Lectures as pages of the site: what a lab folds is folded there, notes are left out, no quiz tells its answer."""

import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_lessons import texts
from course_widgets import show
from tests.course_widgets.test_figures import hatched, lines
from tests.doors import screens
from tests.lectures.reading import LECTURES, lecture
from tools.notebooks import is_folded
from tools.site import pages
from tools.site.lessons import Lesson, Media

SOME = [LECTURES[0], LECTURES[12]]


def page(notebook, folder, tmp_path):
    """The HTML of a lecture's sections, those for home folded as on its page."""
    return "\n".join(map(pages.section, Lesson(notebook, folder, Media(tmp_path / "media")).sections()))


def text(tree):
    """All that can be read on a page, folded or not, with what its pictures are called."""
    return tree.get_text(" ") + " ".join(image.get("alt", "") for image in tree.find_all("img"))


def test_what_is_folded_stays_folded_and_notes_are_left_out(tmp_path):
    folded = {"jupyter": {"outputs_hidden": True}, "slideshow": {"slide_type": "-"}}
    cells = [
        new_markdown_cell("# Title <&>\n\n**Predict.** See [02](02_gaussians.ipynb), $a < b$."),
        new_code_cell("answer()", outputs=[new_output("stream", text="59 of 66")], metadata=folded),
        new_code_cell("secret = 59", metadata={"jupyter": {"source_hidden": True}}),
        new_code_cell("shown = 7", outputs=[new_output("stream", text="it is 7")]),
        new_markdown_cell("say 59", metadata={"slideshow": {"slide_type": "notes"}}),
    ]
    html = page(new_notebook(cells=cells), LECTURES[0].parent, tmp_path)
    seen = screens.unfolded(html)
    assert "59" not in seen
    assert all(words in seen for words in ("answer", "What came out", "The code", "shown", "it is 7"))
    assert text(BeautifulSoup(html, "html.parser")).count("59") == 2
    assert 'href="02.html"' in html


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_a_lectures_page_tells_no_answer(path, tmp_path):
    tree = BeautifulSoup(page(lecture(path).notebook, path.parent, tmp_path), "html.parser")
    replies = [reply for one in texts(path.stem[3:])["quiz"].values() for reply in one["answers"].values()]
    read = screens.packed(text(tree))
    assert not [one for one in replies if screens.packed(one) in read]
    notes = [cell.source for cell in lecture(path).cells if "notes" in str(cell.metadata.get("slideshow"))]
    assert not [one for one in notes if screens.packed(one.split("</summary>")[1])[:40] in read]


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_a_lectures_page_shows_open_no_row_that_the_lab_folds(path, tmp_path):
    seen = screens.packed(screens.unfolded(page(lecture(path).notebook, path.parent, tmp_path)))
    for cell in filter(is_folded, lecture(path).code_cells):
        rows = "\n".join(map(screens.printed, cell.outputs)).splitlines()
        assert not [row for row in rows if len(screens.numbers(row)) > 2 and screens.packed(row) in seen]


@pytest.mark.parametrize("make", [lines, hatched])
def test_a_figure_becomes_a_file_which_is_as_large_on_the_page_as_in_the_lab(make, tmp_path):
    tag = show(make(), "A figure.")._repr_html_()
    cells = [new_code_cell("show(drawing)", outputs=[new_output("display_data", data={"text/html": tag})])]
    image = BeautifulSoup(page(new_notebook(cells=cells), LECTURES[0].parent, tmp_path), "html.parser").img
    size = make().get_size_inches() * 100
    assert [image["width"], image["height"]] == [f"{length:g}" for length in size]
    assert (tmp_path / image["src"]).read_bytes() == show(make(), "A figure.").data
    assert ("invert" in image["style"]) == (make is lines)
