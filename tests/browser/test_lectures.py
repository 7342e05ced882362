"""Each lecture as a student meets it: in JupyterLab, in a browser, with the keyboard."""

import hashlib
import re

import pytest
from playwright.sync_api import expect

from course_lib.audio.playing import IN_WORDS
from tests.browser.accessibility import AXE, faults
from tests.browser.conftest import READY, SCREEN, close, open_lecture
from tests.browser.kernel import ANSWERED
from tests.browser.test_explorers import CUT
from tests.doors import screens
from tests.lectures.reading import LECTURES, ROOT

SCREENSHOTS = ROOT / "tests" / "browser" / "screenshots"
EXPLORER, QUIZ = (f".jp-OutputArea-output .{name}" for name in ("explorer", "quiz"))
NOT_RUN = """() => jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code' && cell.model.sharedModel.source.trim() && !cell.model.executionCount)
    .map(cell => cell.model.sharedModel.source)"""
MARK = """([selector, name]) => [...document.querySelectorAll(selector)]
    .map((one, k) => one.setAttribute(`data-${name}`, k)).length"""
PICTURES_ARE = """quiet => [...document.querySelectorAll(".jp-RenderedHTML img")].every(one => {
    const [filter, much] = getComputedStyle(one).filter.split(/[()]/);
    if (one.matches(".lines")) return filter === "invert" && (quiet ? much > 0.9 : much == 0);
    return filter === "brightness" && (quiet ? much > 0.7 && much < 0.8 : much == 1);
})"""
LIGHTNESS = """one => getComputedStyle(one).backgroundColor.match(/\\d+/g).slice(0, 3)
    .reduce((sum, part) => sum + part / 765, 0)"""
# What must be seen of an explorer while its slider moves lies between the tool bar and the end of the window.
IN_VIEW = """explorer => {
    const panel = explorer.closest(".jp-WindowedPanel-outer").getBoundingClientRect();
    return [...explorer.querySelectorAll(".drawing, .settings > *, .sentence")].every(one => {
        const { top, bottom } = one.getBoundingClientRect();
        return top >= panel.top - 1 && bottom <= panel.bottom + 1;
    });
}"""
SHOWN = "image => image.complete && image.naturalWidth > 0"


def errors(page):
    """Texts of error outputs, of warnings, and of widgets or formulas that the page cannot show."""
    kinds = ["application/vnd.jupyter.error", "application/vnd.jupyter.stderr"]
    places = [f'.jp-OutputArea-output[data-mime-type="{kind}"]' for kind in kinds] + ["mjx-merror"]
    found = [text for place in places for text in page.locator(place).all_inner_texts()]
    return found + page.get_by_text("Error displaying widget").all_inner_texts()


def each(page, name, selector):
    """A locator for each element that the selector finds now, by a mark that is set on it.

    A locator looks again at every step. With CSS, Playwright would then go through all 40,000 elements of the page.
    """
    count = page.evaluate(MARK, [selector, name])
    return [page.locator(f'xpath=//*[@data-{name}="{k}"]') for k in range(count)]


def state(explorer):
    """What an explorer shows: the picture and the sentence."""
    return explorer.locator(".drawing > svg").inner_html(), explorer.locator("[role=status]").all_inner_texts()


def choose_the_last(question):
    """Chooses the last answer of a question with keys that work inside a notebook.

    A notebook takes the arrow keys for itself, so a group of radio buttons, which needs them, cannot be used.
    """
    question.locator(".answers button:not(.commit)").last.focus()
    question.page.keyboard.press("Space")


def commit_a_prediction(explorer):
    """Answers the question that comes before the controls."""
    commit = explorer.get_by_role("button", name="Commit", exact=True)
    if commit.count():
        choose_the_last(explorer)
        expect(commit).to_be_enabled()
        commit.focus()
        explorer.page.keyboard.press("Enter")
        expect(explorer).to_contain_text("You predicted")


def controls(explorer):
    """(kind, locator) of the controls that hold a value, those of the prediction left out."""
    for kind, selector in {"slider": "input[type=range]", "list": "select", "box": "input[type=checkbox]"}.items():
        for one in explorer.locator(selector).all():
            yield kind, one


def press(kind, control):
    """Moves a control by one step with the keyboard, back if it is at its end."""
    if kind == "box":
        keys = ["Space"]
    elif kind == "list":
        at_end = control.evaluate("list => list.selectedIndex === list.options.length - 1")
        keys = ["Space", "ArrowUp" if at_end else "ArrowDown", "Enter"]
    else:
        at_end = control.evaluate("one => one.value === one.max")
        keys = ["ArrowLeft" if at_end else "ArrowRight"]
    control.focus()
    for key in keys:
        control.page.keyboard.press(key)


def changes(explorer, action):
    """Whether the action makes another picture or another sentence before the kernel has answered ten questions."""
    before = state(explorer)
    action()
    for _ in range(10):
        explorer.page.evaluate(ANSWERED)
        if state(explorer) != before:
            return True
        explorer.page.wait_for_timeout(100)
    return False


def letters(text):
    return re.sub(r"[\W_]+", "", text)


def slug(text):
    return re.sub(r"\W+", "-", text.lower()).strip("-")[:40]


def test_runs_to_its_end_without_an_error(opened):
    page, _ = opened
    assert errors(page) == []
    assert page.evaluate(NOT_RUN) == []


def as_read_from_the_file(path, before):
    """Whether JupyterLab shows what `tests/doors/screens.py` reads of a lecture, for every lecture and in no time."""
    cells = screens.cells(path)
    assert len(before) == len(cells)
    for cell, seen in zip(cells, before, strict=True):
        assert letters(seen) == letters(screens.visible(cell)), cell.source


def test_before_a_cell_is_run_the_screen_shows_what_is_read_from_the_file(opened):
    _, lecture = opened
    as_read_from_the_file(lecture.path, lecture.before)


@pytest.mark.parametrize("number", [2, 12])  # the first with many predictions, and one that rests on stored results
def test_a_lecture_that_is_only_opened_shows_what_is_read_from_the_file(number, browser, lab):
    page = open_lecture(browser, lab, LECTURES[number].name)
    page.evaluate(READY)
    as_read_from_the_file(LECTURES[number], page.evaluate(SCREEN))
    close(page)


def test_who_only_reads_has_nothing_to_save(opened):
    """In an environment that `make` made: elsewhere JupyterLab writes the version of Python into each notebook."""
    assert not opened[1].to_save


def test_pictures_are_readable_in_a_narrow_window_and_quiet_in_the_dark(opened):
    page, _ = opened
    page.set_viewport_size({"width": 470, "height": 1000})
    for theme, quiet in (("Dark", True), ("Light", False)):
        page.evaluate(f"jupyterapp.commands.execute('apputils:change-theme', {{theme: 'JupyterLab {theme}'}})")
        page.wait_for_selector(f"body[data-jp-theme-name='JupyterLab {theme}']", state="attached")
        page.wait_for_function(PICTURES_ARE, arg=quiet, polling=200)
        for explorer in page.locator(EXPLORER).all():
            assert explorer.evaluate(LIGHTNESS) == pytest.approx(0.1 if quiet else 1.0, abs=0.1)
            assert explorer.evaluate(CUT) == []
    page.set_viewport_size({"width": 1280, "height": 1000})


def test_every_control_answers_to_the_keyboard(opened):
    page, lecture = opened
    explorers = each(page, "explorer", EXPLORER)
    assert len(explorers) >= len(re.findall(r"\bexplore_\w+\(", lecture.code))
    for explorer in explorers:
        explorer.scroll_into_view_if_needed()
        commit_a_prediction(explorer)
        cases = explorer.locator(".cases button").all()
        for kind, control in controls(explorer):
            moved = changes(explorer, lambda kind=kind, control=control: press(kind, control))
            for case in cases:
                if not moved:
                    changes(explorer, case.click)
                    moved = changes(explorer, lambda kind=kind, control=control: press(kind, control))
            assert moved, f"a {kind} changes neither the picture nor the sentence: {state(explorer)[1]}"
    assert errors(page) == []


def test_every_quiz_answers_to_the_keyboard(opened):
    page, lecture = opened
    quizzes = each(page, "quiz", QUIZ)
    assert len(quizzes) >= len(re.findall(r"\bquiz\(", lecture.code))
    cells = page.locator(".jp-Cell").count()
    for quiz in quizzes:
        choose_the_last(quiz)
        for letter in "abx":  # commands of a notebook: two of them make a cell, one cuts it out
            page.keyboard.press(letter)
        page.evaluate(ANSWERED)
        assert page.locator(".jp-Cell").count() == cells
        expect(quiz.locator("[role=status]")).to_contain_text(re.compile("[✓✗] "))


def test_every_control_says_its_name_its_value_and_whether_it_is_chosen(opened):
    page, lecture = opened
    for explorer in page.locator(EXPLORER).all():
        for slider in explorer.get_by_role("slider").all():
            label = slider.locator("xpath=..")
            assert slider.get_attribute("aria-valuetext") == label.locator("output").inner_text()
            assert label.locator("span").inner_text() in slider.aria_snapshot()
    groups = page.locator(QUIZ).get_by_role("group").all()
    assert len(groups) >= len(re.findall(r"\bquiz\(", lecture.code))
    for group in groups:
        assert len(group.get_attribute("aria-label")) > 10
        expect(group.get_by_role("button", pressed=True)).to_have_count(
            1
        )  # the last, as a test before this has left it


def test_picture_controls_and_sentence_of_an_explorer_are_in_view_together(opened):
    page, _ = opened
    page.set_viewport_size({"width": 1280, "height": 800})
    for explorer in page.locator(EXPLORER).all():
        explorer.evaluate("one => one.scrollIntoView()")
        assert explorer.evaluate(IN_VIEW)
    page.set_viewport_size({"width": 1280, "height": 1000})


def test_every_sound_can_be_played(opened):
    page, lecture = opened
    outputs = [str(output.get("data", {}).get("text/html", "")) for c in lecture.code_cells for output in c.outputs]
    expected = sum("<audio" in html for html in outputs)
    players = page.locator("audio").all()
    assert len(players) >= expected
    for player in players:
        assert player.get_attribute("aria-label")
        expect(player.locator("xpath=..").locator("details")).to_contain_text(IN_WORDS)
        page.wait_for_function("player => player.duration > 0", arg=player.element_handle())


def test_every_visible_picture_is_there_and_described(opened):
    page, _ = opened
    for picture in page.locator(".jp-Notebook img:visible").all():
        described = picture.get_attribute("alt") or picture.get_attribute("title") or ""
        assert described.strip(), picture.evaluate("image => image.outerHTML.slice(0, 200)")
        page.wait_for_function(SHOWN, arg=picture.element_handle())


def test_axe_finds_nothing_serious_in_the_lectures_own_content(opened):
    page, _ = opened
    own, of_the_lab = faults(page)
    assert own == []
    assert of_the_lab, "axe has looked at nothing"


def test_axe_is_the_one_that_its_page_names():
    digest = hashlib.sha256(AXE.read_bytes()).hexdigest()
    assert f"`{digest}`" in AXE.with_name("README.md").read_text(encoding="utf-8")
    assert AXE.read_text(encoding="utf-8").startswith("/*! axe v4.14.1\n")


@pytest.mark.long
def test_screenshots_are_kept_for_a_person_to_look_at(opened):
    page, lecture = opened
    folder = SCREENSHOTS / lecture.path.stem
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    headings = page.locator(".jp-RenderedMarkdown h1, .jp-RenderedMarkdown h2").all()
    for k, heading in enumerate(headings):
        heading.evaluate("heading => heading.scrollIntoView({block: 'start'})")
        page.wait_for_timeout(200)
        page.screenshot(path=folder / f"{k:02d}-{slug(heading.inner_text())}.png")
    for k, explorer in enumerate(page.locator(EXPLORER).all()):
        explorer.scroll_into_view_if_needed()
        explorer.screenshot(path=folder / f"explorer-{k}.png")
    assert len(list(folder.glob("*.png"))) >= len(headings) > 0
