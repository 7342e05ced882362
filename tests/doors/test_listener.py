"""Door 5, a listener: `make app` on a phone, to the result and the blind test, and what goes wrong midway."""

import json
import re

import numpy as np
import psutil
import pytest
from playwright.sync_api import expect

from course_lib.judgments import Listener, SettingSpace
from tests.browser.conftest import LONG, free_port, running, serving
from tests.doors.outside import environment, shell, unpacked_bundle

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1280, "height": 900}}
LOUDEST = """root => {
    const wave = new Float32Array(root.player.analysers.output.fftSize);
    root.player.analysers.output.getFloatTimeDomainData(wave);
    return Math.max(...wave.map(Math.abs));
}"""
WIDER = "() => document.documentElement.scrollWidth - window.innerWidth"
TOUCHED, TYPED = 3, 3  # answers
SURE = 1486803279  # after so few a listener's answers may look like chance; with this seed they do not
LOCKED = pytest.mark.xfail(strict=True, raises=AssertionError, reason="issue 29: row 29, the session stays locked")


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """(address, folder, process): the app as a student's `make app` serves it."""
    running()
    course = unpacked_bundle(tmp_path_factory.mktemp("listener"))
    environment(course)
    port = free_port()
    address = f"http://localhost:{port}"
    command, ready = ["make", "app", f"PORT={port}"], f"{address}/voila/static/favicon.ico"
    with serving(command, ready, course.parent / "log", shell(), course) as process:
        yield address, course / "apps", process


@pytest.fixture(scope="module")
def visit(served):
    """A function that opens the app on a device; no page may ask anybody but this machine."""
    contexts, asked = [], []

    def opened(device):
        contexts.append(running().new_context(**device))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.set_default_timeout(LONG)
        page.goto(served[0])
        expect(page.get_by_label("Pseudonym")).to_be_visible()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert asked and not [url for url in asked if not url.startswith((served[0], "data:", "blob:"))]


class Hands:
    """How a person uses a page: with a finger, or with the keys alone."""

    def __init__(self, page):
        self.page, self.finger = page, page.evaluate("navigator.maxTouchPoints > 0")

    def press(self, name):
        button = self.page.get_by_role("button", name=name, exact=True)
        expect(button).to_be_enabled()
        self._use(button, "Enter")

    def _use(self, place, *keys):
        if self.finger:
            return place.tap()
        place.focus()
        for key in keys:
            self.page.keyboard.press(key)

    def begin(self, name, button):
        field = self.page.get_by_label("Pseudonym")
        self._use(field)
        self.page.keyboard.type(name)
        expect(self.page.get_by_text(f"sessions/{name}.jsonl.")).to_be_visible()  # the kernel has heard all of it
        self.press(button)

    def hear_both(self):
        player = self.page.locator(".ab-player")
        for side, heard in (("a", "a"), ("b", "a b")):
            self._use(player.locator(f"[data-side={side}]") if self.finger else player, side)
            expect(player).to_have_attribute("data-heard", heard)
        assert player.evaluate(LOUDEST) > 0.01

    def lean(self, degree):
        """Move the slider so far towards B; returns where it is, which its words agree with."""
        slider = self.page.get_by_role("slider", name=re.compile("Which do you like better"))
        if self.finger:
            box = slider.bounding_box()
            slider.tap(position={"x": np.clip(degree, 0.05, 0.95) * box["width"], "y": box["height"] / 2})
        else:
            self._use(slider, "Home", *["PageUp"] * round(10 * degree))
        value, words = float(slider.input_value()), slider.get_attribute("aria-valuetext")
        assert value == pytest.approx(degree, abs=0.11)
        assert words == "alike" if value == 0.5 else words.startswith("A" if value < 0.5 else "B")
        return value


def events(folder, name):
    return [json.loads(line) for line in (folder / "sessions" / f"{name}.jsonl").read_text().splitlines()]


def answer(hands, folder, listener, number):
    """Answer the open question as this listener would; returns the answer."""
    expect(hands.page.get_by_role("heading", name=f"Question {number} of about 20")).to_be_visible()
    expect(hands.page.get_by_role("button", name="Next")).to_be_disabled()
    hands.hear_both()
    question = [event for event in events(folder, "P7") if "question" in event][-1]
    space = SettingSpace([(-12, 12)] * 2)
    said = hands.lean(listener.judge(*space.to_unit(np.array([question["a"], question["b"]]))))
    hands.press("Next")
    return said


def fits(page):
    assert page.evaluate(WIDER) <= 0, "the page is too wide"


def kill_kernels(process):
    """What a crash does."""
    children = psutil.Process(process.pid).children(recursive=True)
    kernels = [child for child in children if "ipykernel" in " ".join(child.cmdline())]
    assert kernels
    for kernel in kernels:
        kernel.kill()


@pytest.fixture(scope="module")
def result():
    """What the journey has read on the page of the result."""
    return []


def test_a_phone_finds_a_setting_that_a_laptop_goes_on_with_after_a_crash(visit, served, result):
    seed = SURE
    _, folder, process = served
    page = folder / "personaliser.ipynb"
    page.write_text(page.read_text().replace("PersonalizerApp()", f"PersonalizerApp(rng={seed})"))
    phone = Hands(visit(PHONE))
    assert phone.page.get_by_text("import PersonalizerApp").count() == 0
    fits(phone.page)
    phone.begin("P7", "Begin")
    listener = Listener([0.9, 0.1], width=0.35, precision=1e4, rng=seed)
    assert phone.page.locator(".ab-player").evaluate("root => root.player.context") is None
    said = [answer(phone, folder, listener, number) for number in range(1, TOUCHED + 1)]
    expect(phone.page.get_by_role("heading", name=f"Question {TOUCHED + 1} of about 20")).to_be_visible()
    question, sentence = events(folder, "P7")[-1], phone.page.get_by_role("status").all_inner_texts()
    fits(phone.page)
    kill_kernels(process)

    laptop = Hands(visit(LAPTOP))
    laptop.begin("P7", "Go on")
    expect(laptop.page.get_by_role("heading", name=f"Question {TOUCHED + 1} of about 20")).to_be_visible()
    assert events(folder, "P7")[-1] == question
    assert laptop.page.get_by_role("status").all_inner_texts()[0] == sentence[0]
    said += [answer(laptop, folder, listener, number) for number in range(TOUCHED + 1, TOUCHED + TYPED + 1)]
    expect(laptop.page.get_by_role("heading", name=f"Question {TOUCHED + TYPED + 1} of about 20")).to_be_visible()
    assert [event["answer"] for event in events(folder, "P7") if "answer" in event] == pytest.approx(said)
    look_at_the_result(laptop, result)
    blind_test_and_delete(laptop, folder)


def look_at_the_result(hands, result):
    page = hands.page
    hands.press("Stop here")
    expect(page.get_by_role("heading", name="Your result")).to_be_visible()
    expect(page.get_by_text(f"The best setting, as far as {TOUCHED + TYPED} answers tell")).to_be_visible()
    assert all(picture.get_attribute("title") for picture in page.locator("img.widget-image:visible").all())
    for device in (PHONE, LAPTOP):
        page.set_viewport_size(device["viewport"])
        fits(page)
    result.extend(button.inner_text() for button in page.get_by_role("button").all())


def blind_test_and_delete(hands, folder):
    page = hands.page
    hands.press("Blind test")
    hands.hear_both()
    fits(page)
    hands.press("A is better")
    expect(page.get_by_role("heading", name="Blind test, choice 2 of 20")).to_be_visible()
    hands.press("Stop the test")
    for button in ("Delete my data", "Delete for ever"):
        hands.press(button)
    expect(page.get_by_text("Your data are deleted.")).to_be_visible()
    assert not (folder / "sessions" / "P7.jsonl").exists()


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="issue 29: row 32, what was found cannot be heard")
def test_what_was_found_can_be_played(result):
    if not result:
        pytest.skip("the journey above did not come to its result")
    assert any(re.search("play", name, re.IGNORECASE) for name in result)


# --- midway


@pytest.fixture(scope="module")
def midway(visit):
    """A phone at its first question."""
    hands = Hands(visit(PHONE))
    hands.begin("P8", "Begin")
    expect(hands.page.get_by_role("heading", name="Question 1 of about 20")).to_be_visible()
    return hands


def check_that_it_goes_on(page):
    """The session is offered, and what comes is its question and no refusal."""
    expect(page.get_by_label("Pseudonym")).to_be_visible()
    Hands(page).begin("P8", "Go on")
    question = page.get_by_role("heading", name="Question 1 of about 20")
    expect(question.or_(page.get_by_role("alert"))).to_be_visible()
    assert question.is_visible(), page.get_by_role("alert").inner_text()


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="issue 29: row 32, no Delete before the first answer")
def test_data_can_be_deleted_before_the_first_answer(midway):
    assert midway.page.get_by_role("button", name=re.compile("Delete")).is_visible()


@pytest.mark.xfail(strict=True, raises=AssertionError, reason="issue 29: row 31, an untouched slider is an answer")
def test_nobody_goes_on_before_the_slider_was_touched(midway):
    midway.hear_both()
    following = midway.page.get_by_role("button", name="Next")
    for _ in range(20):  # until the kernel, which has heard of both sounds, has said so
        midway.page.wait_for_timeout(100)
        assert following.is_disabled()


@LOCKED
def test_a_second_tab_takes_over(midway, served):
    page = midway.page.context.new_page()
    page.goto(served[0])
    check_that_it_goes_on(page)


@LOCKED
@pytest.mark.browser_all
def test_a_page_that_was_loaded_again_goes_on(midway):
    midway.page.reload()
    check_that_it_goes_on(midway.page)


@LOCKED
@pytest.mark.browser_all
def test_a_page_that_was_left_and_found_again_goes_on(midway, served):
    midway.page.goto("about:blank")
    midway.page.go_back()
    check_that_it_goes_on(midway.page)


@LOCKED
@pytest.mark.browser_all
def test_a_tab_that_was_closed_and_opened_again_goes_on(midway, served):
    page = midway.page.context.new_page()
    midway.page.close()
    page.goto(served[0])
    check_that_it_goes_on(page)
