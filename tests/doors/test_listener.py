"""Door 5, a listener: `make app` on a phone, to the result and the blind test, and what goes wrong midway."""

import io
import json
import re
import runpy
import socket
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import numpy as np
import psutil
import pytest
import segno
from playwright.sync_api import expect
from scipy.special import ndtr

from course_personaliser import SettingSpace
from tests.browser.conftest import LONG, free_port, running, serving
from tests.doors.outside import environment, shell, unpacked_bundle

ROOT = Path(__file__).resolve().parents[2]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LAPTOP = {"viewport": {"width": 1280, "height": 900}}
LOUDEST = """root => {
    const wave = new Float32Array(root.player.analysers.output.fftSize);
    root.player.analysers.output.getFloatTimeDomainData(wave);
    return Math.max(...wave.map(Math.abs));
}"""
WIDER = "() => document.documentElement.scrollWidth - window.innerWidth"
SOON = 30_000  # ms, where no kernel starts
TOUCHED, TYPED = 3, 5  # answers; of 250 seeds, none has an evidence below 1 after eight of a listener who likes bass
SLOPE = 5.0


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """(address with its token, folder, process): the app as a student's `make app` serves it."""
    running()
    course = unpacked_bundle(tmp_path_factory.mktemp("listener"))
    environment(course)
    port, log = free_port(), course.parent / "log"

    def printed(kind):
        (address,) = re.findall(rf"^http://localhost:{port}/\?token=\w+$", log.read_text(), re.MULTILINE)
        return address if kind == "token" else f"http://localhost:{port}/voila/static/favicon.ico"

    with serving(["make", "app", f"PORT={port}"], lambda: printed("icon"), log, shell(), course) as process:
        yield printed("token"), course / "apps", process


@pytest.fixture(scope="module")
def visit(served):
    """A function that opens the app on a device; no page may ask anybody but this machine."""
    contexts, asked = [], []

    def opened(device):
        contexts.append(running().new_context(**device))
        page = contexts[-1].new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.set_default_timeout(SOON)
        page.goto(served[0], timeout=LONG)
        expect(page.get_by_label("Pseudonym")).to_be_visible()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert asked and not [url for url in asked if not url.startswith((served[0].split("?")[0], "data:", "blob:"))]


class Hands:
    """How a person uses a page: with a finger, or with the keys alone."""

    def __init__(self, page):
        self.page, self.finger = page, page.evaluate("navigator.maxTouchPoints > 0")
        self.slider = page.get_by_role("slider", name=re.compile("Which do you like better"))

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
            expect(player).to_have_attribute("data-heard", heard, timeout=SOON)
        assert player.evaluate(LOUDEST) > 0.01

    def lean(self, degree):
        """Move the slider so far towards B; returns where it is, which its words agree with."""
        slider = self.slider
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


def answer(hands, folder, number):
    """Answer the open question as one who likes bass; returns the answer."""
    expect(hands.page.get_by_role("heading", name=f"Question {number} of 20")).to_be_visible()
    expect(hands.page.get_by_role("button", name="Next")).to_be_disabled()
    hands.hear_both()
    question = [event for event in events(folder, "P7") if "question" in event][-1]
    space = SettingSpace([(-12, 12)] * 2)
    a, b = space.to_unit(np.array([question["a"], question["b"]]))
    said = hands.lean(float(ndtr(SLOPE * (b - a)[0])))
    hands.press("Next")
    return said


def fits(page):
    assert page.evaluate(WIDER) <= 0, "the page is too wide"


def kernels(process):
    children = psutil.Process(process.pid).children(recursive=True)
    return [child for child in children if "ipykernel" in " ".join(child.cmdline())]


def kill_kernels(process):
    """What a crash does."""
    assert kernels(process)
    for kernel in kernels(process):
        kernel.kill()


def test_a_phone_finds_a_setting_that_a_laptop_goes_on_with_after_a_crash(visit, served, seed):
    address, folder, process = served
    page = folder / "personaliser.ipynb"
    page.write_text(page.read_text().replace("PersonalizerApp()", f"PersonalizerApp(rng={seed})"))
    phone = Hands(visit(PHONE))
    assert phone.page.get_by_text("import PersonalizerApp").count() == 0
    fits(phone.page)
    phone.begin("P7", "Begin")
    seen(phone.page.get_by_role("heading", name="Question 1 of 20"))
    assert phone.page.locator(".ab-player").evaluate("root => root.player.context") is None
    check_that_next_waits_for_an_answer(phone)
    check_that_the_newest_window_goes_on(phone, address)
    said = [answer(phone, folder, number) for number in range(1, TOUCHED + 1)]
    seen(phone.page.get_by_role("heading", name=f"Question {TOUCHED + 1} of 20"))
    foot = phone.page.get_by_role("button", name="Delete my data").bounding_box()
    assert foot["y"] + foot["height"] <= PHONE["viewport"]["height"], "a question does not fit on a phone's screen"
    question, sentence = events(folder, "P7")[-1], phone.page.get_by_role("status").all_inner_texts()
    fits(phone.page)
    kill_kernels(process)
    lost = phone.page.get_by_role("alertdialog", name="The connection was lost")
    expect(lost).to_contain_text(f"Your answers are safe up to question {TOUCHED}. Reload the page to go on.")
    fits(phone.page)

    laptop = Hands(visit(LAPTOP))
    laptop.begin("P7", "Continue here")
    seen(laptop.page.get_by_role("heading", name=f"Question {TOUCHED + 1} of 20"))
    assert events(folder, "P7")[-1] == question
    assert laptop.page.get_by_role("status").all_inner_texts()[0] == sentence[0]
    said += [answer(laptop, folder, number) for number in range(TOUCHED + 1, TOUCHED + TYPED + 1)]
    seen(laptop.page.get_by_role("heading", name=f"Question {TOUCHED + TYPED + 1} of 20"))
    assert [event["answer"] for event in events(folder, "P7") if "answer" in event] == pytest.approx(said)
    look_at_the_result(laptop)
    blind_test_and_delete(laptop, folder)


def seen(place):
    expect(place).to_be_visible(timeout=SOON)


def check_that_next_waits_for_an_answer(hands):
    """With both sides heard and the slider untouched it waits, until a finger says "here"; Delete is at hand."""
    hands.hear_both()
    following = hands.page.get_by_role("button", name="Next")
    for _ in range(20):  # until the kernel, which has heard of both sounds, has said so
        hands.page.wait_for_timeout(100)
        assert following.is_disabled()
    hands.lean(0.5)
    expect(following).to_be_enabled(timeout=SOON)
    hands.lean(0.9)
    hands.press("alike")
    expect(hands.slider).to_have_attribute("aria-valuetext", "alike")
    seen(hands.page.get_by_role("button", name="Delete my data"))


def check_that_the_newest_window_goes_on(hands, address):
    """A second tab takes over; the first one says so, has kept nothing of its answer, and takes it back."""
    second = hands.page.context.new_page()
    second.goto(address, timeout=LONG)
    check_that_it_goes_on(second, "P7")
    hands.press("Next")
    seen(hands.page.get_by_role("alert").get_by_text("is now open in another window"))
    second.close()
    check_that_it_goes_on(hands.page, "P7")


def check_that_it_goes_on(page, name):
    """The session is offered under the name that the browser has kept, and what comes is its question."""
    expect(page.get_by_label("Pseudonym")).to_have_value(name)
    Hands(page).press("Continue here")
    seen(page.get_by_role("heading", name="Question 1 of 20"))


def look_at_the_result(hands):
    page = hands.page
    hands.press("See my result")
    seen(page.get_by_role("heading", name="Your result"))
    seen(page.get_by_text(f"Your best setting, estimated from {TOUCHED + TYPED} answers"))
    pictures = page.locator("img:visible").all()
    assert len(pictures) == 2 and all(picture.get_attribute("alt") for picture in pictures)
    for device in (PHONE, LAPTOP):
        page.set_viewport_size(device["viewport"])
        fits(page)
    player = page.locator(".ab-player")
    for side, heard in (("yours", "a"), ("original", "a b")):
        hands.press(f"Play {side}")
        expect(player).to_have_attribute("data-heard", heard, timeout=SOON)
        assert player.evaluate(LOUDEST) > 0.01


def blind_test_and_delete(hands, folder):
    page = hands.page
    hands.press("Blind test")
    seen(page.get_by_role("heading", name="Blind test, choice 1 of 20"))
    hands.hear_both()
    fits(page)
    hands.press("A is better")
    seen(page.get_by_role("heading", name="Blind test, choice 2 of 20"))
    hands.press("Stop the test")
    kept = folder / "sessions" / "P7.jsonl"
    assert (kept.parent.stat().st_mode & 0o777, kept.stat().st_mode & 0o777) == (0o700, 0o600)
    for button in ("Delete my data", "Delete permanently"):
        hands.press(button)
    seen(page.get_by_text("Your data have been deleted."))
    assert not kept.exists()


# --- who comes in


UPGRADE = "\r\n".join(
    ("Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + 22 * "A" + "==")
)


def status(address, path, host):
    """What the server says to who asks for a path under a name of this computer, or of another."""
    with socket.create_connection(("localhost", urlsplit(address).port), timeout=SOON / 1000) as line:
        line.sendall(f"GET /{path} HTTP/1.1\r\nHost: {host}\r\n{UPGRADE}\r\n\r\n".encode())
        return int(line.recv(100).split()[1])


def test_another_name_does_not_lead_here_and_without_the_token_nobody_comes_in(served):
    where, kernel = urlsplit(served[0]), "api/kernels/1-1-1-1-1/channels"
    for path in ("", kernel, "voila/static/favicon.ico"):
        assert status(served[0], f"{path}?{where.query}", "rebound.example") == 403
    assert status(served[0], "", where.netloc) == 302  # to the page that asks for the token
    assert status(served[0], kernel, where.netloc) == 403


def test_a_wrong_address_gets_a_page_in_plain_words(served):
    """As a phone sees it; no word of Jupyter, and nothing to fill in."""
    context = running().new_context(**PHONE)
    page = context.new_page()
    for query in ("", "?token=wrong"):
        assert page.goto(served[0].split("?")[0] + query).status == 403
        seen(page.get_by_role("heading", name="This address does not open the personaliser"))
        assert page.locator("input").count() == 0
        assert "jupyter" not in page.content().lower()
        fits(page)
    context.close()


def test_a_phone_gets_a_number_that_it_finds_and_a_square_that_its_camera_reads():
    program = runpy.run_path(str(ROOT / "apps/serve.py"))["Served"](ip="0.0.0.0", port=8123)
    program.identity_provider = SimpleNamespace(token="0a" * 24)
    address, here, *square = program.display_url.splitlines()
    assert re.fullmatch(r"http://[\d.]+:8123/\?token=\w+", address) and here.startswith(
        "http://localhost:8123/?token="
    )
    drawn = io.StringIO()
    segno.make(address).terminal(drawn, compact=True, border=2)
    assert square == drawn.getvalue().splitlines() and len({len(line) for line in square}) == 1


# --- midway


@pytest.fixture(scope="module")
def midway(visit):
    """A phone at its first question."""
    hands = Hands(visit(PHONE))
    hands.begin("P8", "Begin")
    seen(hands.page.get_by_role("heading", name="Question 1 of 20"))
    return hands


def test_a_page_that_was_loaded_again_goes_on_and_leaves_no_kernel(midway, served):
    before = kernels(served[2])
    midway.page.reload(timeout=LONG)
    check_that_it_goes_on(midway.page, "P8")
    assert len(before) == len(kernels(served[2]))


def test_after_a_crash_the_page_goes_on_when_it_is_loaded_again(midway, served):
    kill_kernels(served[2])
    midway.page.get_by_role("button", name="Reload the page").tap()
    expect(midway.page.get_by_role("alertdialog")).to_be_hidden()
    seen(midway.page.get_by_role("heading", name="Question 1 of 20"))


def test_a_network_that_was_away_is_said_only_as_long_as_it_is(visit):
    """The first connections are cut, and the next ones made, while the kernel stays what it was."""
    page, connections, away = visit(PHONE), [], True

    def connect(socket):
        if connections and away:
            socket.close()
        else:
            connections.append(socket.connect_to_server())

    page.context.route_web_socket(re.compile("/channels"), connect)
    page.reload(timeout=LONG)
    seen(page.get_by_label("Pseudonym"))
    connections[0].close()
    seen(page.get_by_text("You had not answered any question yet."))
    away = False
    expect(page.get_by_text("You had not answered any question yet.")).to_be_hidden()


def test_a_page_that_was_left_and_found_again_goes_on(midway):
    midway.page.goto("about:blank")
    midway.page.go_back(timeout=LONG)
    check_that_it_goes_on(midway.page, "P8")


def test_a_tab_that_was_closed_and_opened_again_goes_on(midway, served):
    page = midway.page.context.new_page()
    midway.page.close()
    page.goto(served[0], timeout=LONG)
    check_that_it_goes_on(page, "P8")
