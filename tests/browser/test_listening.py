"""The listening test as a file on a disk: a listener by the keyboard, a reload, and what two hundred would hand in."""

import base64
import dataclasses
import json
import zlib
from collections import Counter

import numpy as np
import pytest

from course_lib import audio
from tests.browser.accessibility import AXE, GRAVE
from tests.browser.conftest import LONG
from tests.browser.test_lectures import SCREENSHOTS
from tools.listening import page as pages
from tools.listening import studies

KEYS = ["format", "version", "study", "listener", "order", "seconds", "marks", "choices", "check"]
# Whatever goes to the ears also goes to an analyser.
EAR = """const connect = AudioNode.prototype.connect;
AudioNode.prototype.connect = function (to, ...rest) {
    globalThis.ear ??= new AnalyserNode(this.context, { fftSize: 4096 });
    if (to === this.context.destination) connect.call(this, globalThis.ear);
    return connect.call(this, to, ...rest);
};"""
PEAK = """() => {
    const heard = new Float32Array(globalThis.ear?.fftSize ?? 1);
    globalThis.ear?.getFloatTimeDomainData(heard);
    return Math.max(...heard.map(Math.abs));
}"""
LISTENERS = """async ({ numbers, script }) => {
    const { Session, coded } = await import(`data:text/javascript;base64,${script}`);
    const study = JSON.parse(document.getElementById("study").textContent);
    return Promise.all(numbers.map(async (number) => {
        const one = new Session(study);
        one.begin(number);
        one.state.answers = one.steps.map((step, k) => (step.length === 1 ? (7 * k) % 101 : "a"));
        return [one.file(), await coded(one.file())];
    }));
}"""


@pytest.fixture(scope="module")
def study():
    """The shipped study, in which a tenth of a second of each clip is enough."""
    shipped = studies.read()
    return dataclasses.replace(shipped, about=shipped.about | {"seconds": 0.1})


@pytest.fixture
def opened(browser, study, tmp_path):
    """A function that opens a study as a file; nothing is asked for after that, and no script trips."""
    found = []

    def go(width=1280, script="", study=study):
        path = tmp_path / "test.html"
        path.write_text(pages.alone(study), encoding="utf-8")
        page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
        page.add_init_script(script)
        page.set_default_timeout(LONG)
        asked, said = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_selector("h2")
        found.append((page, path.as_uri(), asked, said))
        return page

    yield go
    for page, address, asked, said in found:
        page.context.close()
        outside = [url for url in asked if url != address and not url.startswith(("data:", "blob:"))]
        assert not outside and not said


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def begin(page, number):
    page.locator("input[type=number]").fill(str(number))
    press(page, "Tab", "Enter")


def mark(page, value):
    """Plays the clip, moves the slider from its lower end, and goes on."""
    press(page, "Space")
    page.wait_for_selector(".scale input:enabled")
    page.locator(".scale input").focus()
    press(page, "Home", *["ArrowRight"] * value, "Enter")


def choose(page, key):
    """Plays both clips, chooses, and goes on."""
    press(page, "a")
    page.wait_for_function("document.querySelector('[data-item]').textContent.includes('✓')")
    press(page, "b")
    page.wait_for_selector(".choices button:enabled")
    press(page, key, "Enter")


def decoded(code):
    return zlib.decompress(base64.urlsafe_b64decode(code), -15).decode()


def told(text):
    """What a file says, once it is found to be whole."""
    file = json.loads(text)
    assert list(file) == KEYS and isinstance(file["seconds"], int)
    *rest, (_, check) = file.items()
    again = json.dumps(dict(rest), ensure_ascii=False, separators=(",", ":"))
    assert text == again[:-1] + f',"check":"{check}"}}' and int(check, 16) == zlib.crc32(again.encode())
    return file


def handed_in(page):
    """The file that the page saves, the same as its code."""
    with page.expect_download() as saved:
        page.get_by_role("link").focus()
        press(page, "Enter")
    text = saved.value.path().read_text(encoding="utf-8")
    page.wait_for_function("document.getElementById('code').value !== ''")
    assert decoded(page.locator("#code").input_value()) == text
    file = told(text)
    assert saved.value.suggested_filename == f"listening_{file['study']}_{file['listener']}.json"
    return file


def test_a_listener_answers_everything_by_the_keyboard_alone(opened, study):
    page, row = opened(), 11
    begin(page, row)
    marks, keys = [3, 0, 5, 1, 2, 4, 9, 7], "12311323"
    for value in marks:
        mark(page, value)
    for key in keys:
        choose(page, key)
    file, asked = handed_in(page), study.described(lambda clip: "")
    names = [clip.name for clip in study.clips]
    order, pairs = (table[(row - 1) % len(table)] for table in (asked["orders"], asked["choices"]))
    assert file["marks"] == [[names[item], value] for item, value in zip(order, marks, strict=True)]
    answers = [["a", "same", "b"][int(key) - 1] for key in keys]
    assert file["choices"] == [[names[a], names[b], said] for (a, b), said in zip(pairs, answers, strict=True)]
    assert (file["format"], file["version"], file["study"], file["order"]) == (
        "course listening test", 1, study.id, row,
    )  # fmt: skip


def test_nothing_is_judged_that_was_not_heard(opened):
    page = opened()
    begin(page, 1)
    assert page.locator(".scale input").is_disabled()
    page.locator("h2").focus()
    press(page, "Enter")
    assert "Listen first" in page.locator("[role=status]").inner_text()
    assert page.locator("h2").inner_text().startswith("Clip 1")
    for value in range(8):
        page.locator("h2").focus()
        mark(page, value)
    press(page, "a")
    page.wait_for_function("document.querySelector('[data-item]').textContent.includes('✓')")
    press(page, "3")
    assert page.locator(".choices [aria-pressed=true]").count() == 0, "B was not heard"


def test_one_clip_sounds_at_a_time_and_stops(opened):
    page = opened(script=EAR)
    begin(page, 1)
    assert page.evaluate(PEAK) == 0
    for _ in range(2):
        press(page, "Space")
        page.wait_for_function(f"({PEAK})() > 0.05")
        press(page, "Space")
        page.wait_for_function(f"({PEAK})() < 0.001")
    for value in range(8):
        mark(page, value)
    press(page, "a", "b", "b", "a")
    page.wait_for_function("document.querySelectorAll('.plays').length === 1")
    page.wait_for_function(f"({PEAK})() > 0.05")
    assert page.locator(".plays").inner_text().startswith("■ Stop")
    press(page, "Backspace")
    page.wait_for_function(f"({PEAK})() < 0.001")


def test_a_browser_that_keeps_nothing_says_so_and_the_test_works(opened):
    page = opened(script="Storage.prototype.setItem = () => { throw new DOMException('full'); };")
    begin(page, 3)
    assert "do not reload" in page.locator("[role=status]").inner_text()
    mark(page, 5)
    page.get_by_role("button", name="Stop here").click()
    assert [value for _, value in handed_in(page)["marks"]] == [5]


def test_a_clip_of_ones_own_ends_by_itself_and_was_then_heard(opened, study):
    tone = audio.wav(0.2 * np.sin(0.3 * np.arange(2400)), 8000)
    page = opened(study=with_sound(study, tone, seconds=2))
    begin(page, 1)
    press(page, "Space")
    page.wait_for_selector(".plays")
    page.wait_for_selector(".players button:not(.plays)")
    assert page.locator(".scale input").is_enabled(), "it lasts less than two seconds"


def test_a_study_without_choices_asks_for_marks_alone(opened, study):
    page = opened(study=dataclasses.replace(study, about=study.about | {"choices": 0}))
    assert "pairs" not in page.locator(".listening").inner_text()
    begin(page, 1)
    for value in range(8):
        mark(page, value)
    assert "8 of 8" in page.locator(".listening").inner_text() and not handed_in(page)["choices"]


def test_a_clip_that_cannot_be_played_is_told(opened, study):
    page = opened(study=with_sound(study, b"no sound", seconds=2))
    page.locator(".players button").click()
    page.wait_for_function("document.querySelector('[role=status]').textContent.includes('cannot be played')")


def with_sound(study, sound, seconds):
    """The study with another sound in all clips, which are no loops."""
    clips = tuple(dataclasses.replace(clip, sound=sound, kind="audio/wav", loop=None) for clip in study.clips)
    return dataclasses.replace(study, clips=clips, about=study.about | {"seconds": seconds})


@pytest.mark.parametrize("store", ["kept", "lost"])
def test_a_reload_continues_and_back_corrects(opened, store):
    page = opened(script={"kept": "", "lost": "localStorage.clear()"}[store])
    begin(page, 4)
    for value in (3, 6, 2):
        mark(page, value)
    page.reload()
    assert page.locator("h2").inner_text().startswith("Clip 4")
    press(page, "Backspace")
    assert "2" in page.locator("output").inner_text() and page.locator(".scale input").input_value() == "2"
    page.locator(".scale input").focus()
    press(page, "ArrowRight")
    page.get_by_role("button", name="Stop here").click()
    file = handed_in(page)
    assert [value for _, value in file["marks"]] == [3, 6, 3] and not file["choices"]
    page.get_by_role("button", name="Back").click()
    assert page.locator("h2").inner_text().startswith("Clip 4"), "what was left out"


def test_what_is_deleted_is_gone(opened):
    page = opened()
    begin(page, 4)
    mark(page, 5)
    page.get_by_role("button", name="Stop here").click()
    before = handed_in(page)["listener"]
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete").click()
    assert page.locator("h2").inner_text() == "Before you begin" and page.evaluate("localStorage.length") == 0
    page.reload()
    page.get_by_role("button", name="begin").click()
    page.get_by_role("button", name="Stop here").click()
    file = handed_in(page)
    assert not file["marks"] and file["listener"] != before


@pytest.mark.parametrize("numbered", [True, False], ids=["numbered", "at random"])
def test_two_hundred_listeners_are_balanced(opened, study, numbered):
    numbers = list(range(1, 201)) if numbered else [0] * 200
    script = (pages.SITE_SOURCES / "listener.js").read_bytes()
    given = {"numbers": numbers, "script": base64.b64encode(script).decode()}
    handed = opened().evaluate(LISTENERS, given)
    files = [told(text) for text, _ in handed]
    assert [decoded(code) for _, code in handed] == [text for text, _ in handed]
    assert len({file["listener"] for file in files}) == 200
    names = [clip.name for clip in study.clips]
    places = np.array([[names.index(name) for name, _ in file["marks"]] for file in files])
    counts = np.array([(places == item).sum(axis=0) for item in range(8)])
    pairs = Counter((a, b) for file in files for a, b, _ in file["choices"])
    assert len(pairs) == 56, "each pair on both sides"
    if numbered:
        assert (counts == 25).all() and max(pairs.values()) - min(pairs.values()) <= 1
    else:  # six standard deviations of a row that is drawn at random
        assert abs(counts - 25).max() < 6 * np.sqrt(200 * 7 / 64)
        assert max(abs(n - 200 / 7) for n in pairs.values()) < 6 * np.sqrt(200 * 6 / 49)


@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_serious_and_nothing_is_cut_off(opened, width):
    page = opened(width)
    folder = SCREENSHOTS / "listening"
    folder.mkdir(parents=True, exist_ok=True)

    def looked_at(name):
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("async () => (await axe.run({ resultTypes: ['violations'] })).violations")
        assert not [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in GRAVE]
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.screenshot(path=folder / f"{name}-{width}.png", full_page=True)

    looked_at("begin")
    begin(page, 1)
    looked_at("mark")
    for value in range(8):
        mark(page, value)
    looked_at("choice")
    press(page, "a", "b")
    looked_at("playing")
    page.get_by_role("button", name="Stop here").click()
    looked_at("end")
