"""Lecture 01 hears a word and lecture 04 a digit: in JupyterLab, from a Chromium whose microphone plays a file."""

import base64
import io
import json
import urllib.request
from contextlib import contextmanager

import nbformat
import numpy as np
import soundfile
from playwright.sync_api import expect

from course_lessons.dtw import own
from course_lessons.hmm.own import ready_digits
from course_widgets.microphone import RATE
from tests.browser.conftest import RUN_ALL
from tests.browser.hearing import ALLOWED, hearing, room

WORD = "from course_lessons.dtw.explore import explore_my_word\n\nexplore_my_word()"
DIGIT = "from course_lessons.hmm.explore import explore_my_digit\n\nexplore_my_digit()"
HERTZ = 50  # of the loudness that is compared


def loudness(sound):
    """Root mean square of each fiftieth of a second."""
    pieces = sound[: len(sound) // (RATE // HERTZ) * (RATE // HERTZ)].reshape(-1, RATE // HERTZ)
    return np.sqrt((pieces**2).mean(axis=1))


@contextmanager
def in_the_lab(lab, browser, cell):
    """A page of JupyterLab in which a notebook of one cell has begun to run; at the end its recordings are deleted."""
    address, token = lab
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell)])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    body = json.dumps({"type": "notebook", "format": "json", "content": notebook}).encode()
    request = urllib.request.Request(f"{address}/api/contents/my_word.ipynb?token={token}", method="PUT")
    urllib.request.urlopen(request, body).close()
    page = browser.new_page(viewport={"width": 1280, "height": 1200})
    page.set_default_timeout(60_000)
    page.goto(f"{address}/doc/tree/my_word.ipynb?token={token}&reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_function("window.jupyterapp?.shell.currentWidget?.context")
    page.evaluate(RUN_ALL)
    yield page
    page.get_by_role("button", name="Delete them").click()
    page.get_by_role("button", name="Really delete").click()
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")


def test_a_word_that_is_said_is_recognised_and_comes_back_in_the_other_ear(lab, tmp_path):
    said = room(own.templates()["en", 7].samples)
    with hearing(said, tmp_path, ALLOWED) as browser, in_the_lab(lab, browser, WORD) as page:
        expect(page.locator(".sentence")).to_contain_text("“sept, French voice” is nearest to “sette, Italian voice”")
        page.get_by_role("button", name="Record").click()
        page.get_by_role("button", name="Keep").click()
        expect(page.locator(".sentence")).to_contain_text("“seven” is nearest to “seven, English voice”")
        both = page.locator("figure", has_text="“seven” at the left and “seven, English voice” at the right")
        source = both.locator("audio").get_attribute("src")
    heard, rate = soundfile.read(io.BytesIO(base64.b64decode(source.partition(",")[2])))
    left, right = map(loudness, heard.T)
    assert rate == RATE and np.corrcoef(left, right)[0, 1] > 0.9


def test_a_digit_that_is_said_is_recognised_by_what_learned_from_others(lab, tmp_path):
    said = room(ready_digits()[0].samples)
    with hearing(said, tmp_path, ALLOWED) as browser, in_the_lab(lab, browser, DIGIT) as page:
        expect(page.locator(".sentence")).to_contain_text(
            "“seven” (GMM-HMM)", timeout=120_000
        )  # six models are trained
        page.locator(".answers button").first.click()
        page.get_by_role("button", name="Commit").click()
        page.locator(".mic-word").fill("zero")
        page.get_by_role("button", name="Record").click()
        page.get_by_role("button", name="Keep").click()
        expect(page.locator(".sentence")).to_contain_text("“zero” is heard as")
        expect(page.locator(".sentence")).to_contain_text("“zero” (GMM-HMM)")
        expect(page.locator(".sentence")).to_contain_text("The states of “zero” last")
