"""Slides before any browser has seen them: what is shown and when, and where a long one is split."""

import hashlib
import re
from html import unescape

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_lessons import quiz, texts
from course_lessons.gaussians.explore import check_log_density
from course_widgets import figure, show
from tests.lectures.reading import LECTURES, lecture
from tools.slides import page, reading, sizes
from tools.slides.splitting import Block, Holder, height, room, split


def text(high, **options):
    return Block("<p>a</p>", high, **options)


def lengths(pages):
    return [len(one) for one in pages]


def typed(source, kind, **metadata):
    make = new_markdown_cell if kind == "notes" or source.startswith(("#", "<", "⌂")) else new_code_cell
    return make(source, metadata={"slideshow": {"slide_type": kind}, **metadata})


def slides_of(*cells):
    return reading.slides(new_notebook(cells=cells))


def words_of(*cells):
    """All that the slides show, as text."""
    return " ".join(
        BeautifulSoup(block.html, "html.parser").get_text() for s in slides_of(*cells) for block in s.blocks
    )


def predicted(source="1 + 1", outputs=(), **hidden):
    return new_code_cell(source, outputs=list(outputs), metadata={"jupyter": hidden})


def picture():
    drawing, _ = figure(size=(4, 2))
    data = {"text/html": show(drawing, "A line.")._repr_html_(), "text/plain": "Picture: A line."}
    return new_output("execute_result", data=data)


# --- where a long slide is split


def test_what_fits_is_one_slide():
    assert lengths(split([text(200), text(200), text(200, cell=1)])) == [3]


def test_nothing_is_lost_and_no_slide_is_too_full():
    blocks = [text(50 + 37 * k % 190, cell=k // 3) for k in range(40)]
    pages = split(blocks)
    assert [block for one in pages for block in one] == blocks
    assert all(height(one) <= room(first=k == 0) for k, one in enumerate(pages))


def test_a_new_slide_begins_between_cells_although_more_would_fit():
    assert lengths(split([text(300), text(150, cell=1), text(150, cell=1), text(150, cell=1)])) == [1, 3]


def test_a_cell_longer_than_a_slide_is_split_evenly():
    assert lengths(split([text(150) for _ in range(6)])) == [3, 3]


def test_an_introduction_stays_with_what_it_introduces():
    assert lengths(split([text(500), text(60, keep=True, cell=1), text(200, cell=2)])) == [1, 2]


def test_a_picture_shrinks_before_it_leaves_its_code():
    whole = [text(250), text(500, least=350, part="result", kind="picture")]
    assert lengths(split(whole)) == [2]
    assert lengths(split([text(350), whole[1]])) == [1, 1]


def test_a_list_is_cut_last_and_its_frame_is_counted_once():
    holder = Holder("<ul>", "</ul>", 30)
    items = [text(100, holder=holder) for _ in range(3)]
    assert height(items) == 330
    assert height([text(100), *items]) == 430 + sizes.BLOCK_GAP
    assert lengths(split([text(400), *items])) == [1, 3]


def test_what_no_slide_can_hold_has_one_of_its_own():
    assert lengths(split([text(100), text(2000), text(100)])) == [1, 1, 1]


# --- how large things are


def test_text_fills_lines_of_the_slide():
    word = sizes.text_width("word " * 100, sizes.TEXT_FONT) / 100
    fitting = int(0.9 * sizes.LINE_ROOM / word)
    assert sizes.lines("word " * fitting) == 1
    assert sizes.lines("word " * (3 * fitting)) == 3


def test_what_is_printed_is_as_large_as_its_longest_line_allows():
    assert sizes.print_size("x = 1") == sizes.CODE_FONT
    assert sizes.print_size("x" * 119) < sizes.CODE_FONT
    assert sizes.print_size("x" * 500) == sizes.WRAPPED_PRINT
    assert sizes.print_height("x" * 500) > 4 * sizes.WRAPPED_PRINT * sizes.CODE_LINE
    wide = sizes.MONO * sizes.print_size("x" * 119) * 119 + 2 * sizes.CODE_PADDING
    assert wide < sizes.LINE_ROOM


def test_code_is_never_smaller_than_20_pixels_and_wraps_with_an_indent():
    line, room = sizes.CODE_FONT * sizes.CODE_LINE, sizes.letters(20)
    source = "def f():\n\n    return " + "x + " * 30
    block = reading.listing(source)
    assert sizes.CODE_FONT == 20 and 'style="font-size:20px"' in block.html
    assert [one.get_text() for one in BeautifulSoup(block.html, "html.parser").select(".line")] == [
        f"{one}\n" for one in source.split("\n")
    ]
    assert 'style="--indent:8ch"' in block.html
    assert block.height == pytest.approx(4 * line + 2 * sizes.CODE_PADDING)
    one, two = "x" * room, "x" * (room - 4) + " xxxxx"
    assert sizes.code_height(two) - sizes.code_height(one) == pytest.approx(line)


def test_a_formula_is_as_high_as_what_stands_in_it():
    plain, fraction, total = (sizes.formula_height(f"$${tex}$$") for tex in ("x", r"\frac12", r"\sum_{k=1}^K x_k"))
    assert plain < fraction < total
    assert sizes.text_height(r"so $$\sum_{k=1}^K x_k$$") > total


def test_a_picture_is_enlarged_but_never_beyond_the_slide():
    assert sizes.picture_heights((400, 200)) == (280, pytest.approx(220))
    high, least = sizes.picture_heights((4000, 4000))
    assert least == high <= sizes.ROOM


# --- what is shown


def test_what_is_for_home_is_left_out():
    shown = words_of(
        typed("# Lecture", "slide"),
        typed("## 1 · Inside (5 min)", "slide"),
        typed("⌂ for later", "-"),
        typed("## 2 · At home: more", "slide"),
        typed("secret = 1", "-"),
        typed("## 3 · Back ⌂", "slide"),
        typed("## Skipped", "skip"),
        typed("## Last", "slide"),
    )
    assert shown == "Lecture 1 · Inside Last"


def test_sections_begin_slides_and_others_go_on_below():
    slides = slides_of(typed("# A", "slide"), typed("# b", "-"), typed("# c", "subslide"), typed("## D", "-"))
    assert [(one.begins, len(one.blocks)) for one in slides] == [(True, 2), (False, 1), (True, 1)]


def test_a_predicted_result_comes_later_than_its_code():
    output = new_output("stream", text="two")
    (later,) = slides_of(predicted(outputs=[output], outputs_hidden=True))
    assert [block.step > 0 for block in later.blocks] == [False, True]
    (now,) = slides_of(predicted(outputs=[output]))
    assert [block.step for block in now.blocks] == [0, 0]


def test_a_result_on_a_slide_of_its_own_says_which_code_it_is_of():
    outputs = [new_output("stream", text="".join(f"{k} of 20\n" for k in range(20)))]
    cells = [typed("## 1 · Many", "slide"), predicted("# so long\n" + "count()\n" * 10, outputs)]
    made = next(page.stacks(slides_of(*cells))).split("</section>")
    (with_code,) = [one for one in made if 'class="code' in one]
    (with_result,) = [one for one in made if "19 of 20" in one]
    assert "1 · Many · result of <code># so long …</code></h2>" in with_result
    assert "result of" not in with_code
    (hidden,) = page.stacks(slides_of(cells[0], predicted("x", [picture()], source_hidden=True)))
    assert "result of" not in hidden


def test_the_verdict_on_what_nobody_has_tried_is_not_shown():
    verdict = new_output("stream", text=str(check_log_density(None, [2, 1], [0, 0], [4, 1])) + "\n")
    (slide,) = slides_of(predicted("my_value = None", [verdict], outputs_hidden=True))
    assert [block.kind for block in slide.blocks] == ["code"]


def test_the_code_of_a_folded_cell_is_not_shown():
    (slide,) = slides_of(predicted(outputs=[picture()], source_hidden=True))
    assert [block.kind for block in slide.blocks] == ["picture"]


def test_a_quiz_shows_its_answers_and_later_what_they_are_worth():
    output = new_output("display_data", data=quiz("dtw.zero")._repr_mimebundle_()[0])
    (slide,) = slides_of(new_code_cell('quiz("dtw.zero")', outputs=[output]))
    assert [block.step for block in slide.blocks] == [0, 0, 0, 0]
    tree = BeautifulSoup("".join(block.html for block in slide.blocks), "html.parser")
    replies = texts("dtw")["quiz"]["zero"]["answers"].values()
    assert [one.extract().get_text() for one in tree.select(".fragment")] == list(replies)
    assert "They are equal." in tree.get_text() and "quiz" not in tree.get_text()


def test_what_is_folded_is_unfolded_by_a_key():
    fold = "# Why?\n\n<details><summary>Answer</summary>\n\nBecause.\n\n- so\n</details>"
    (slide,) = slides_of(new_markdown_cell(fold))
    assert [block.step > 0 for block in slide.blocks] == [False, True, True, True]
    assert len({block.step for block in slide.blocks[1:]}) == 1


def test_each_picture_that_is_folded_comes_on_a_key_of_its_own():
    image = picture()["data"]["text/html"]
    form = "".join(f"<figure>{image}<figcaption><b>{k}.</b> Seen.</figcaption></figure>" for k in "ab")
    output = new_output("display_data", data={"text/html": form, "text/plain": "Two pictures."})
    (slide,) = slides_of(predicted("draw()", [output], outputs_hidden=True))
    assert [block.kind for block in slide.blocks] == ["code", "picture", "caption", "picture", "caption"]
    first, second = slide.blocks[1].step, slide.blocks[3].step
    assert [block.step for block in slide.blocks] == [0, first, first, second, second]
    assert 0 < first < second
    assert 'alt="A line."' in slide.blocks[1].html


def test_notes_are_apart_and_unfolded():
    note = typed("<details><summary>For the teacher</summary>\n\nAsk *first*.\n</details>", "notes")
    (slide,) = slides_of(typed("## 1 · A (7 min)", "slide"), note)
    assert slide.notes == ["<p>Ask <em>first</em>.</p>"]
    assert slide.minutes == "7"
    assert "Ask" not in words_of(typed("# A", "slide"), note)


def test_links_lead_to_slides_or_are_text():
    links = "# [a](02_gaussians.ipynb) [b](../exercises/01/01.ipynb) [c](https://example.org)"
    (slide,) = slides_of(new_markdown_cell(links))
    assert re.findall(r'href="([^"]*)"', slide.blocks[0].html) == ["02.html", "https://example.org"]


def test_tables_and_numbered_lists_can_go_on():
    table = "|k|v|\n|---|---|\n" + "".join(f"|{k}|value|\n" for k in range(40))
    (slide,) = slides_of(new_markdown_cell(table))
    pages = split(slide.blocks)
    assert len(pages) > 1
    assert all(page.contents(blocks).count("<thead>") == 1 for blocks in pages)
    (counted,) = slides_of(new_markdown_cell("1. a\n2. b\n3. c"))
    assert 'value="3"' in counted.blocks[2].html


# --- the page


def test_a_page_asks_only_for_what_lies_beside_it(tmp_path):
    path = tmp_path / "07_small.ipynb"
    nbformat.write(new_notebook(cells=[new_markdown_cell("# Title <&>\n\nText.")]), path)
    target = page.write(path, tmp_path / "out")
    tree = BeautifulSoup(target.read_text(encoding="utf-8"), "html.parser")
    asked = [one.get("src") or one.get("href") for one in tree.select("script[src], link[href], img[src]")]
    assert target.name == "07.html"
    assert all((target.parent / name).is_file() for name in asked if not name.startswith("data:"))
    assert tree.title.string == "Title <&>"


@pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
def test_what_students_get_before_class_explains_nothing(path):
    """Nothing of a fold, of a result to be predicted, of a quiz's verdicts or of the notes is on these pages."""
    notebook = lecture(path).notebook
    slides = reading.slides(notebook, path.parent)
    later = [block for one in slides for block in one.blocks if block.step]
    quiz = BeautifulSoup("".join(block.html for one in slides for block in one.blocks), "html.parser")
    hidden = [block.html for block in later] + [note for one in slides for note in one.notes]
    hidden = [unescape(one) for one in [*hidden, *map(str, quiz.select(".fragment"))]]
    folds = [cell.source for cell, _ in reading.in_class(notebook.cells) if "<b>Explain</b>" in cell.source]
    assert len(hidden) > 2 * len(folds) and (folds or path.stem.startswith("00"))
    talk, before = (unescape(page.page(notebook, path.parent, before)) for before in (False, True))
    assert not [one for one in hidden if len(one) > 40 and (one not in talk or one in before)]
    assert ">Explain<" in talk or not folds
    assert not re.search(r'class="fold"|class="notes"|class="[^"]*fragment', before)
    assert before.count("<h2") > 5


def test_the_same_notebook_makes_the_same_page():
    notebook = lecture(LECTURES[0]).notebook
    assert page.page(notebook, LECTURES[0].parent) == page.page(notebook, LECTURES[0].parent)


def test_assets_are_those_of_their_packages():
    listed = dict(line.split("  ")[::-1] for line in (page.ASSETS / "CHECKSUMS.sha256").read_text().splitlines())
    present = {one.relative_to(page.ASSETS).as_posix() for one in page.ASSETS.glob("*/**/*") if one.is_file()}
    assert present == set(listed)
    for name, checksum in listed.items():
        assert hashlib.sha256((page.ASSETS / name).read_bytes()).hexdigest() == checksum, name
