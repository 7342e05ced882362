"""Door 9, somebody who speaks to the pages of 01 and 04: recognised, heard again, told what is wrong; all in the tab.

The browser's microphone plays a file: an actress who says "seven" or "zero", in different rooms.
"""

import io
from contextlib import contextmanager

import numpy as np
import pytest
import soundfile

from course_lib import audio, datasets
from course_widgets.microphone import RATE, WORDS
from tests.browser.hearing import ALLOWED, FILE_SECONDS, hearing, room
from tests.browser.test_microphone import likeness, pattern
from tests.browser.test_voice import DIGIT, NAME, SOUND, address, address_of_digit, opened, server  # noqa: F401

WORD, ZERO = (audio.trim(datasets.load_spoken_prompts()["en", digit], RATE) for digit in (7, 0))


@contextmanager
def speaking(sound, folder, address, *arguments, name=NAME):  # noqa: F811
    """(page, place of the explorer) as the browser's microphone hears this sound; nothing may be asked of anybody."""
    with hearing(sound, folder, *arguments) as browser:
        page, place = opened(browser, address, name=name)
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        place.get_by_role("button", name="Record").click()
        yield page, place
        assert [url for url in asked if not url.startswith(("blob:", "data:"))] == []


@pytest.mark.parametrize(
    ("sound", "said", "alike"),
    [(room(WORD), "trimmed", 0.9), (room(WORD, 0.03), "noisy", 0.7), (room(8 * WORD), "clipped", 0.75)],
    ids=["clean", "noisy", "clipped"],
)
def test_a_word_is_recognised_and_heard_beside_its_template(tmp_path, address, sound, said, alike):  # noqa: F811
    with speaking(sound, tmp_path, address, ALLOWED) as (page, place):
        place.get_by_role("button", name="Keep").click()
        assert pattern(said).search(place.locator(".mic-said").inner_text())
        place.locator(".sentence:text('“seven” is nearest to')").wait_for()
        assert "“seven” is nearest to “seven, English voice”" in place.locator(".sentence").inner_text()
        mine, template = soundfile.read(io.BytesIO(bytes(page.evaluate(SOUND))))[0].T
        assert likeness(mine, WORD) > alike and likeness(template, WORD) > alike
        assert abs(np.correlate(mine, template, "full").argmax() - len(template) + 1) < 0.02 * RATE
        place.locator("audio").nth(1).evaluate("player => player.play()")


def test_a_digit_is_recognised_played_and_looked_at_by_other_states(tmp_path, address_of_digit):  # noqa: F811
    with speaking(room(ZERO), tmp_path, address_of_digit, ALLOWED, name=DIGIT) as (page, place):
        place.get_by_label("Word", exact=True).fill("zero")
        place.get_by_role("button", name="Keep").click()
        place.locator(".sentence:text('“zero” is heard as')").wait_for()
        assert "“zero” (GMM-HMM)." in place.locator(".sentence").inner_text()
        assert likeness(soundfile.read(io.BytesIO(bytes(page.evaluate(SOUND))))[0], ZERO) > 0.9
        for button in ("nine", "Commit", "a fifth longer"):
            place.get_by_role("button", name=button, exact=True).click()
        place.locator(".prediction p:text('her spectra lie higher')").wait_for()
        place.get_by_role("combobox", name="states of").select_option(label="two")
        place.locator(".sentence:text('The states of “two” last')").wait_for()


@pytest.mark.parametrize(
    ("sound", "arguments", "said"),
    [(np.zeros(FILE_SECONDS * RATE), [ALLOWED], "silent"), (room(WORD), [], "denied")],
    ids=["silent", "denied"],
)
def test_who_is_not_heard_is_told_why_and_a_ready_word_stands_in(tmp_path, address, sound, arguments, said):  # noqa: F811
    with speaking(sound, tmp_path, address, *arguments) as (_, place):
        place.locator("[data-state=problem]").wait_for()
        assert place.locator(".mic-said").inner_text() == WORDS[said]
        place.locator("select").first.select_option(label="huit, French voice")
        place.locator(".sentence:text('“huit, French voice” is nearest')").wait_for()
