"""Explorers and questions in a bare page, whose kernel is this process: what is in view, said and waited for.

tests/browser/test_lectures.py has them in JupyterLab, tests/browser/test_site.py from their recordings.
"""

import json

import pytest

import course_lessons
from course_widgets.controls import slider, switch
from course_widgets.frame import SCRIPT, STYLE_SHEET, Explorer, PredictionFeedback, quiz
from tests.browser.accessibility import AXE, GRAVE

NAMES = sorted(course_lessons.offered("explore"))
# What is left of a window for text: of JupyterLab beside its side bar, of a page, of phones.
PLACES = {"lab": (1280, 800, 848, 679), "page": (1280, 720, 736, 720), "phone": (390, 844, 366, 844)}
HARNESS = """<!doctype html><html lang="en"><head><title>explorer</title>
<meta name="viewport" content="width=device-width"><style>%s
body { margin: 0; background: var(--paper); }</style></head><body><main id="place"></main></body></html>"""
BEGIN = """async ([script, traits]) => {
    const { default: widget } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    const handlers = [];
    const answer = async (asked) => {
        traits.state = JSON.parse(await kernel(JSON.stringify(asked)));
        handlers.forEach((told) => told());
    };
    widget.render({
        el: document.getElementById("place"),
        model: {
            get: (name) => traits[name], set: (name, value) => (traits[name] = value),
            save_changes: () => answer({ asked: traits.asked }), send: (message) => answer({ message }),
            on: (_, told) => handlers.push(told), off() {},
        },
    });
}"""
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
HIGHEST = """() => {
    const parts = [...document.querySelectorAll(".drawing, .settings > *, .sentence")];
    const boxes = parts.map(one => one.getBoundingClientRect());
    return Math.max(...boxes.map(one => one.bottom)) - Math.min(...boxes.map(one => one.top));
}"""
CUT = """(within) => [...(within ?? document.body).querySelectorAll("*")]
    .filter(one => one.checkVisibility() && !one.closest("svg"))
    .filter(one => one.getBoundingClientRect().right > innerWidth || one.scrollWidth > one.clientWidth + 1)
    .map(one => one.outerHTML.slice(0, 80))"""


@pytest.fixture
def shown(browser):
    """A function of (widget, width, height) that shows it in a page of its own."""
    contexts = []

    def show(widget, width=1280, height=800, column=884):
        context = browser.new_context(viewport={"width": width, "height": height}, device_scale_factor=2)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(8000)
        page.expose_function("kernel", lambda asked: kernel(widget, json.loads(asked)))
        page.set_content(HARNESS % STYLE_SHEET)
        page.evaluate(f"document.getElementById('place').style.maxWidth = '{column}px'")
        traits = {name: getattr(widget, name) for name in ("about", "state", "asked", "chosen") if name in widget.keys}
        page.evaluate(BEGIN, [SCRIPT, traits])
        page.evaluate(DRAWN)
        return page

    yield show
    for context in contexts:
        context.close()


def kernel(explorer, said):
    """What a kernel does with what the browser says."""
    if "asked" in said:
        explorer.asked = said["asked"]
    else:
        explorer._pressed(None, said["message"], [])
    return json.dumps(explorer.state)


def commit(page, answer=0):
    page.locator(".answers button").nth(answer).click()
    page.get_by_role("button", name="Commit").click()
    page.evaluate(DRAWN)


@pytest.mark.parametrize("name", NAMES)
def test_picture_controls_and_sentence_are_in_view_together(name, shown):
    """In every state of the cases, in the lab, on a page and on a phone; nothing is cut, and nothing is of pixels."""
    explorer = course_lessons.offered("explore")[name]()
    page = shown(explorer)
    if explorer.predict:
        commit(page)
    for case in explorer.about["cases"]:
        page.get_by_role("button", name=case, exact=True).click()
        page.wait_for_function(
            "said => document.querySelector('.sentence').innerText === said", arg=page_text(explorer)
        )
        for place, (width, height, column, room) in PLACES.items():
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(f"document.getElementById('place').style.maxWidth = '{column}px'")
            assert page.evaluate(HIGHEST) <= room, (place, case)
            assert page.evaluate(CUT) == [], (place, case)
    page.set_viewport_size({"width": 320, "height": 700})
    assert page.evaluate(CUT) == []
    assert not page.locator("img, canvas").count()


def page_text(explorer):
    """The sentence as a page has it."""
    return explorer.sentence.replace("*", "")


def pair():
    """An explorer of two controls whose prediction is shown to be right once the first is at its end."""
    return Explorer(
        lambda figure, far, tick: figure.add_subplot().plot([0, far]) and f"As far as {far}, {tick}.",
        ("Where does it *end*?", ["near", "far <away>"]),
        PredictionFeedback("far <away>", "it goes *on*.", lambda far, tick: far == 9),
        {"the end": {"far": 9}},
        {"Back": lambda explorer: explorer.set(far=0)},
        far=slider("how far", 0, 9, 4),
        tick=switch("tick it"),
    )


def test_a_prediction_comes_first_and_shrinks_to_a_line_that_says_what_it_was_worth(shown):
    page = shown(pair())
    assert not page.locator(".controls").is_visible() and page.get_by_role("button", name="Commit").is_disabled()
    commit(page)
    told = page.locator(".prediction")
    assert told.inner_text() == "You predicted: near. Now try it."
    assert page.evaluate("document.activeElement.type") == "range" and page.locator(".answers").count() == 0
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('.prediction').innerText.includes('It is')")
    assert told.inner_text() == "You predicted: near. It is far <away>: it goes on."
    page.get_by_role("button", name="Start again").click()
    page.locator(".sentence:text-is('As far as 4, False.')").wait_for()
    assert "It is" in told.inner_text()


def test_every_control_has_a_name_a_value_and_keys(shown):
    page = shown(pair())
    commit(page, 1)
    for key, far in {"ArrowRight": 5, "PageUp": 6, "Home": 0, "End": 9, "ArrowDown": 8}.items():
        page.get_by_role("slider", name="how far").press(key)
        page.locator(f".sentence:text-is('As far as {far}, False.')").wait_for()
        assert (
            page.get_by_role("slider").get_attribute("aria-valuetext")
            == page.locator("output").inner_text()
            == str(far)
        )
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.locator(".sentence:text-is('As far as 8, True.')").wait_for()
    page.get_by_role("button", name="Back").click()
    page.locator(".sentence:text-is('As far as 0, True.')").wait_for()
    assert page.get_by_role("img").get_attribute("aria-label") == "As far as 0, True."
    assert page.locator(".prediction").inner_text() == "You predicted: far <away>, and so it is: it goes on."


def test_a_slider_that_is_dragged_does_not_jump_back_to_an_older_answer(shown):
    page = shown(pair())
    commit(page)
    page.evaluate("() => { globalThis.kernel = () => new Promise(done => (globalThis.answer = done)); }")
    for far in (6, 7):
        page.locator("input[type=range]").evaluate(
            "(one, far) => { one.value = far; one.dispatchEvent(new Event('input')); }", far
        )
    state = {**pair().state, "number": 1, "at": [6, 0]}
    page.evaluate("state => answer(JSON.stringify(state))", state)
    assert page.locator("input[type=range]").input_value() == "7"


def test_two_explorers_of_a_page_share_no_name(shown):
    """Each brings a script of its own; by a name that both have, one would be cut to the size of the other."""
    page = shown(pair())
    page.evaluate(
        "() => (document.getElementById('place').id = 'first', document.body.append(document.createElement('div')))"
    )
    page.evaluate("() => (document.body.lastChild.id = 'place')")
    page.evaluate(BEGIN, [SCRIPT, {name: getattr(pair(), name) for name in ("about", "state", "asked", "chosen")}])
    page.evaluate(DRAWN)
    names = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(names) > 5 and len(set(names)) == len(names)


def test_a_question_replies_to_the_answer_that_is_pressed(shown):
    page = shown(quiz("What is *it*?", {"this": "No.", "that": "Yes."}, "that"))
    page.get_by_role("group", name="What is it?").get_by_role("button", name="that").press("Enter")
    assert page.get_by_role("status").inner_text() == "✓ Yes."
    assert page.get_by_role("button", pressed=True).inner_text() == "that"


@pytest.mark.parametrize("dark", [False, True])
def test_screen_readers_find_nothing_grave_before_and_after_a_prediction(dark, shown):
    page = shown(pair())
    page.evaluate("dark => document.body.setAttribute('data-jp-theme-light', String(!dark))", dark)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    for step in (lambda: None, lambda: commit(page)):
        step()
        found = page.evaluate("async () => (await axe.run({ resultTypes: ['violations'] })).violations")
        assert not [one["id"] for one in found if one["impact"] in GRAVE]
