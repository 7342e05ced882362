"""Every slide of every lecture as a room sees it: 1280 × 720, no network, opened as a file."""

import re
from dataclasses import dataclass, field

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.browser.conftest import LONG
from tests.lectures.reading import LECTURES
from tools.slides import handouts
from tools.slides import page as pages

MOST_TALL = 2  # slides of a lecture that may scroll, where a browser's letters are wider than those reckoned with
LARGEST_HANDOUT = 4_000_000
WALK = """() => Reveal.getSlides().map(slide => {
    const { h, v } = Reveal.getIndices(slide);
    Reveal.slide(h, v ?? 0, 99);
    const page = slide.querySelector(".page");
    page.scrollTo(0, page.scrollHeight);
    const box = page.getBoundingClientRect();
    const seen = [...page.querySelectorAll("*:not(svg *, mjx-assistive-mml, mjx-assistive-mml *)")];
    const outside = seen.filter(one => {
        const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
        if (!width || !height) return false;
        const above = top < box.top - page.scrollTop - 1, below = bottom > box.bottom + 1;
        return left < box.left - 1 || right > box.right + 1 || above || below;
    });
    const clipped = seen.filter(one => getComputedStyle(one).overflowX !== "visible"
        && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1));
    const texts = document.createTreeWalker(page, NodeFilter.SHOW_TEXT), tex = [];
    while (texts.nextNode()) {
        const { parentElement, data } = texts.currentNode;
        if (!parentElement.closest("pre, code, mjx-container") && /\\$|\\\\[(\\[a-zA-Z]/.test(data)) tex.push(data);
    }
    const text = one => one.outerHTML.slice(0, 120);
    const all = (selector, bad) => [...slide.querySelectorAll(selector)].filter(bad).map(text);
    return {
        number: `${h}.${v ?? 0}`,
        tall: page.scrollHeight > page.clientHeight + 1,
        reachable: getComputedStyle(page).overflowY === "auto",
        cut: [...outside, ...clipped].map(text),
        tex,
        hidden: all(".fragment", one => getComputedStyle(one).visibility !== "visible"),
        pictures: all("img", one => !one.complete || !one.naturalWidth || !one.alt),
        small: all(".text p, .text li", one => parseFloat(getComputedStyle(one).fontSize) < 24),
        code: all("pre.code, :not(pre) > code", one => parseFloat(getComputedStyle(one).fontSize) < 20),
        notes: all(".notes", one => one.getClientRects().length),
        labelled: page.tabIndex === 0,
    };
})"""
HIDDEN_BELOW = """() => {
    const { scrollHeight, clientHeight } = Reveal.getCurrentSlide().querySelector(".page");
    return scrollHeight - clientHeight;
}"""
FAULTS = ("cut", "tex", "hidden", "pictures", "small", "code", "notes")


@dataclass
class Deck:
    """A page of slides that is open, what it asked for, and what its console said."""

    page: object
    file: object
    asked: list = field(default_factory=list)
    said: list = field(default_factory=list)

    def place(self):
        where = self.page.evaluate("Reveal.getIndices()")
        return where["h"], where.get("v") or 0

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def go(self, section):
        self.page.evaluate("section => Reveal.slide(section, 0)", section)

    def down(self):
        """How far the slide is scrolled, in pixels."""
        return self.page.evaluate("Reveal.getCurrentSlide().querySelector('.page').scrollTop")


def opened(browser, file):
    """The slides in a browser without a network, when their formulas are set."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    deck = Deck(context.new_page(), file)
    deck.page.set_default_timeout(LONG)
    context.on("request", lambda request: deck.asked.append(request.url))
    context.on("console", lambda message: deck.said.append(message.text))
    deck.page.on("pageerror", lambda error: deck.said.append(str(error)))
    deck.page.goto(file.as_uri())
    deck.page.wait_for_selector("html.ready")
    return deck


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("slides")


@pytest.fixture(scope="module", params=LECTURES, ids=lambda path: path.stem)
def deck(request, browser, folder):
    deck = opened(browser, pages.write(request.param, folder))
    yield deck
    deck.page.context.close()


SMALL = [
    new_markdown_cell("# Small\n\nA formula: $x^2$, and $$\\sum_{k=1}^K x_k.$$"),
    new_markdown_cell("## 1 · First (5 min)"),
    new_code_cell(
        "1 + 1", metadata={"jupyter": {"outputs_hidden": True}}, outputs=[new_output("stream", text="two\n")]
    ),
    new_markdown_cell(
        "<details><summary>For the teacher</summary>\n\nWait for $\\theta$ hands.\n</details>",
        metadata={"slideshow": {"slide_type": "notes"}},
    ),
    new_markdown_cell("## 2 · Long"),
    new_code_cell("\n".join(f"line_{k} = {k}" for k in range(60))),
    new_markdown_cell("## 3 · Proved" + 12 * "\n\nText."),
    new_markdown_cell("<details><summary>Proof</summary>\n\n" + 12 * "\n\nText." + "\n</details>"),
    new_markdown_cell("## 4 · Last"),
]


@pytest.fixture
def small(browser, folder):
    """A notebook with a prediction, a note, and a listing that no slide can hold."""
    path = folder / "small.ipynb"
    nbformat.write(new_notebook(cells=SMALL), path)
    deck = opened(browser, pages.write(path, folder))
    yield deck
    deck.page.context.close()


# --- all slides of all lectures


def test_every_slide_can_be_seen_whole(deck):
    walked = deck.page.evaluate(WALK)
    assert len(walked) > 10
    for kind in FAULTS:
        assert not {slide["number"]: slide[kind] for slide in walked if slide[kind]}, kind
    tall = [slide for slide in walked if slide["tall"]]
    assert len(tall) <= MOST_TALL, f"of {len(walked)} slides these scroll: {[slide['number'] for slide in tall]}"
    assert all(slide["reachable"] and slide["labelled"] for slide in tall)
    assert deck.page.locator("mjx-merror").count() == 0
    assert deck.page.locator("mjx-container").count() > 0 or deck.file.stem == "00"  # which has no formula


def test_nothing_is_fetched_and_nothing_complains(deck):
    assert not [url for url in deck.asked if not url.startswith((deck.file.parent.as_uri(), "data:"))]
    assert any("mathjax" in url for url in deck.asked)
    assert deck.said == []


def test_slides_have_a_language_a_title_and_numbers(deck):
    assert deck.page.locator("html").get_attribute("lang") == "en"
    assert re.match(r"Lecture \d\d · \S", deck.page.title())
    assert re.fullmatch(r"\d+\s*/\s*\d+", deck.page.locator(".slide-number").inner_text().strip())


# --- the keys


def test_a_result_comes_on_the_next_key(small):
    small.go(1)
    result = small.page.locator("pre.printed")
    assert result.evaluate("one => getComputedStyle(one).visibility") == "hidden"
    small.press("Space")
    assert result.evaluate("one => getComputedStyle(one).visibility") == "visible"
    assert small.place() == (1, 0)
    small.press("Space")
    assert small.place() == (2, 0)


@pytest.mark.parametrize(("forward", "back"), [("Space", "Shift+Space"), ("PageDown", "PageUp")])
def test_keys_scroll_a_tall_slide_before_they_leave_it(small, forward, back):
    small.go(2)
    left = small.page.evaluate(HIDDEN_BELOW)
    assert left > 100
    before = -1
    while small.place() == (2, 0) and small.down() > before:
        before = small.down()
        small.press(forward)
    assert before == pytest.approx(left, abs=1)
    assert small.place() == (3, 0)
    small.press(back)
    assert small.place() == (2, 0)


def test_arrows_and_the_wheel_scroll_a_tall_slide(small):
    small.go(2)
    small.press("ArrowDown")
    assert small.place() == (2, 0) and small.down() > 100
    small.press("ArrowUp", "ArrowUp")
    assert small.down() == 0
    small.page.mouse.move(600, 400)
    small.page.mouse.wheel(0, 300)
    small.page.wait_for_function("Reveal.getCurrentSlide().querySelector('.page').scrollTop > 100")


def test_a_key_jumps_over_what_is_folded(small):
    small.go(3)
    small.press("j")
    assert small.place() == (4, 0)
    small.press("ArrowUp", "ArrowLeft", "ArrowDown")
    assert small.page.locator("section.present .fold").inner_text() == "Proof"


# --- the speaker, and paper


def test_only_the_speaker_sees_the_notes(small):
    small.press("ArrowRight")
    with small.page.context.expect_page() as found:
        small.press("s")
    speaker = found.value
    notes = speaker.locator(".speaker-controls-notes")
    speaker.wait_for_function("document.querySelector('.speaker-controls-notes')?.innerText.includes('hands')")
    assert "5 min" in notes.inner_text() and "For the teacher" not in notes.inner_text()
    assert notes.locator("mjx-container svg").count() == 1
    assert not small.page.get_by_text("hands").first.is_visible()
    assert not [url for url in small.asked if not url.startswith((small.file.parent.as_uri(), "data:", "about:"))]


def test_a_handout_has_a_page_for_each_slide(browser, folder):
    file = pages.write(LECTURES[3], folder)
    handout = handouts.printed(browser, file)
    data = handout.read_bytes()
    assert handout.name == "03.pdf"
    assert len(re.findall(rb"/Type /Page\b", data)) == file.read_text(encoding="utf-8").count('<div class="page">')
    assert len(data) < LARGEST_HANDOUT
