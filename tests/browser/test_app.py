"""The personaliser's page as a listener meets it: by the keyboard, with sound, and with a kernel that dies."""

import json
import os
import re
import shutil
import sys

import numpy as np
import psutil
import pytest
from playwright.sync_api import expect

from course_lib.judgments import Listener, SettingSpace
from tests.browser.conftest import LONG, free_port, serving
from tests.lectures.reading import ROOT

pytestmark = pytest.mark.browser

SCREENSHOTS = ROOT / "tests" / "browser" / "screenshots" / "app"
LOUDEST = """root => {
    const wave = new Float32Array(root.player.analysers.output.fftSize);
    root.player.analysers.output.getFloatTimeDomainData(wave);
    return Math.max(...wave.map(Math.abs));
}"""
FILE = re.compile(r"sessions/P7\.jsonl\.")
NOW = "root => root.player.context.currentTime"
WIDER = "() => document.documentElement.scrollWidth - window.innerWidth"


@pytest.fixture(scope="module")
def served(executable, tmp_path_factory):
    """(address, folder, process): Voila with a copy of apps/, as `make app` has it, and a seed of its own."""
    folder = tmp_path_factory.mktemp("app") / "apps"
    shutil.copytree(ROOT / "apps", folder, ignore=shutil.ignore_patterns("sessions"))
    paths = {"JUPYTER_PATH": folder, "PYTHONPATH": ROOT}
    environment = os.environ | {k: f"{path}{os.pathsep}{os.environ.get(k, '')}" for k, path in paths.items()}
    page = folder / "personaliser.ipynb"
    page.write_text(page.read_text().replace("PersonalizerApp()", "PersonalizerApp(rng=1)"))
    port = free_port()
    command = [sys.executable, "-m", "voila", "personaliser.ipynb", "--no-browser", f"--port={port}"]
    address = f"http://127.0.0.1:{port}"
    command += ["--Voila.ip=127.0.0.1", "--Voila.port_retries=0"]
    with serving(
        command, f"{address}/voila/static/favicon.ico", folder.parent / "log", environment, folder
    ) as process:
        yield address, folder, process


@pytest.fixture
def page(browser, served):
    """A page that has asked nobody but this machine."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    page.set_default_timeout(LONG)
    yield page
    elsewhere = [url for url in asked if not url.startswith((served[0], "data:", "blob:"))]
    context.close()
    assert asked and not elsewhere


def press(page, name, key="Enter"):
    button = page.get_by_role("button", name=name, exact=True)
    expect(button).to_be_enabled()
    button.focus()
    page.keyboard.press(key)


def begin(page, address, button):
    """Open the page, and type a pseudonym."""
    page.goto(address)
    page.get_by_label("Pseudonym").focus()
    page.keyboard.type("P7")
    expect(page.get_by_text(FILE)).to_be_visible()  # the kernel has heard all of it
    press(page, button)


def events(folder):
    return [json.loads(line) for line in (folder / "sessions" / "P7.jsonl").read_text().splitlines()]


def hear_both(page):
    player = page.locator(".ab-player")
    for side, heard in (("a", "a"), ("b", "a b")):
        player.focus()
        page.keyboard.press(side)
        expect(player).to_have_attribute("data-heard", heard)


def answer(page, folder, listener, number):
    """Answer the open question by the keyboard as this listener would; returns the answer."""
    expect(page.get_by_role("heading", name=f"Question {number} of about 20")).to_be_visible()
    expect(page.get_by_role("button", name="Next")).to_be_disabled()
    hear_both(page)
    question = [event for event in events(folder) if "question" in event][-1]
    space = SettingSpace([(-12, 12)] * 2)
    degree = listener.judge(*space.to_unit(np.array([question["a"], question["b"]])))
    slider = page.get_by_role("slider", name=re.compile("Which do you like better"))
    slider.focus()
    page.keyboard.press("Home")
    for _ in range(round(10 * degree)):
        page.keyboard.press("PageUp")
    words = slider.get_attribute("aria-valuetext")
    assert words == "alike" or words.startswith("A" if degree < 0.5 else "B")
    press(page, "Next")
    return round(10 * degree) / 10


def look(page, name):
    """Screenshots for a person to look at; nothing may stick out of the page at either width."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    for width in (390, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function(f"window.innerWidth === {width}")
        assert page.evaluate(WIDER) <= 0, f"{name} is too wide for {width} px"
        page.screenshot(path=SCREENSHOTS / f"{name}-{width}.png", full_page=True)


def kill_kernels(process):
    """What a crash does."""
    kernels = [
        child
        for child in psutil.Process(process.pid).children(recursive=True)
        if "ipykernel" in " ".join(child.cmdline())
    ]
    assert kernels
    for kernel in kernels:
        kernel.kill()


def check_sound(page):
    """The music is playing: the sound's clock goes on, and what goes to the ears is not silence."""
    player = page.locator(".ab-player")
    assert player.evaluate("root => root.player.context") is None
    player.focus()
    page.keyboard.press("a")
    expect(player).to_have_attribute("data-heard", "a")
    before = player.evaluate(NOW)
    page.wait_for_function(f"before => ({NOW})(document.querySelector('.ab-player')) > before + 0.5", arg=before)
    assert player.evaluate(LOUDEST) > 0.01


def test_a_listener_finds_a_setting_though_the_kernel_dies(page, served):
    address, folder, process = served
    page.goto(address)
    expect(page.get_by_role("heading", name="The personaliser")).to_be_visible()
    assert page.get_by_text("import PersonalizerApp").count() == 0
    look(page, "start")
    begin(page, address, "Begin")
    listener = Listener([0.8, 0.3], noise_std=0.3, precision=50.0, rng=1)
    check_sound(page)
    said = [answer(page, folder, listener, number) for number in range(1, 5)]
    expect(page.get_by_role("heading", name="Question 5 of about 20")).to_be_visible()
    question, sentence = events(folder)[-1], page.get_by_role("status").all_inner_texts()
    hear_both(page)
    look(page, "question")
    kill_kernels(process)

    begin(page, address, "Go on")
    expect(page.get_by_role("heading", name="Question 5 of about 20")).to_be_visible()
    assert events(folder)[-1] == question
    assert page.get_by_role("status").all_inner_texts()[0] == sentence[0]
    said += [answer(page, folder, listener, number) for number in range(5, 9)]
    expect(page.get_by_role("heading", name="Question 9 of about 20")).to_be_visible()
    assert [event["answer"] for event in events(folder) if "answer" in event] == pytest.approx(said)

    press(page, "Stop here")
    expect(page.get_by_role("heading", name="Your result")).to_be_visible()
    expect(page.get_by_text("The best setting, as far as 8 answers tell")).to_be_visible()
    assert all(picture.get_attribute("title") for picture in page.locator("img.widget-image:visible").all())
    look(page, "result")
    press(page, "Blind test")
    hear_both(page)
    look(page, "test")
    press(page, "A is better")
    expect(page.get_by_role("heading", name="Blind test, choice 2 of 20")).to_be_visible()
    press(page, "Stop the test")
    for button in ("Delete my data", "Delete for ever"):
        press(page, button)
    expect(page.get_by_text("Your data are deleted.")).to_be_visible()
    assert list((folder / "sessions").iterdir()) == []
