"""Every explorer, in-process: it starts without arguments, and each control can be moved wherever it goes."""

import io
import re
import statistics
import time

import pytest
from ipywidgets import Button, widgets
from PIL import Image

import course_lib.widgets

NAMES = sorted(name for name in dir(course_lib.widgets) if name.startswith("explore_"))
GOAL, SOFT_LIMIT = 0.1, 0.5  # seconds of computation for one redraw
every_explorer = pytest.mark.parametrize("name", NAMES)


def start(name):
    """A new explorer with its controls unlocked."""
    explorer = getattr(course_lib.widgets, name)()
    unlock = getattr(explorer, "unlock", None)
    if unlock is not None:
        unlock()
    return explorer


def values(control):
    """Settings to try: both ends and the middle of a range, every option of a choice, both states of a box."""
    if hasattr(control, "options"):
        return [value for _, value in control._options_full]
    if isinstance(control.value, bool):
        return [not control.value, control.value]
    if isinstance(control, widgets.FloatLogSlider):
        low, high = control.base**control.min, control.base**control.max
        return [low, (low * high) ** 0.5, high]
    middle = (control.min + control.max) / 2
    return [control.min, type(control.value)(middle), control.max]


def settings(explorer):
    """The controls that hold a value, by name; buttons are apart."""
    return {k: c for k, c in explorer.controls.items() if not isinstance(c, Button)}


def buttons(explorer):
    return [control for control in explorer.controls.values() if isinstance(control, Button)]


def seen(explorer):
    """The caption's text without its markup."""
    return re.sub(r"<[^>]*>", "", explorer.caption.value).strip()


def check_picture(explorer):
    picture = Image.open(io.BytesIO(explorer.image.value))
    picture.load()
    assert picture.format == "PNG"
    assert min(picture.size) > 100


def test_the_lectures_have_explorers():
    assert NAMES


@every_explorer
def test_starts_with_a_picture_and_a_sentence(name):
    explorer = start(name)
    check_picture(explorer)
    assert len(seen(explorer).split()) >= 4


@every_explorer
def test_at_most_three_labelled_controls(name):
    explorer = start(name)
    assert len(settings(explorer)) <= 3
    assert all(control.description.strip() for control in explorer.controls.values())


@every_explorer
def test_every_control_moves_and_says_something_new(name):
    for key in settings(start(name)):
        explorer = start(name)
        control = explorer.controls[key]
        captions = {seen(explorer)}
        for value in values(control):
            control.value = value
            check_picture(explorer)
            captions.add(seen(explorer))
        assert "" not in captions
        assert len(captions) > 1, f"{name}: moving {key} changes nothing in the sentence under the picture"


@every_explorer
def test_buttons_do_not_fail_at_any_end(name):
    for corner in (0, -1):
        explorer = start(name)
        for control in settings(explorer).values():
            control.value = values(control)[corner]
        for button in buttons(explorer):
            for _ in range(3):
                button.click()
            check_picture(explorer)


@every_explorer
def test_same_settings_same_picture_and_sentence(name):
    explorer, other = start(name), start(name)
    for control in settings(explorer).values():
        before = control.value
        for value in [*values(control), before]:
            control.value = value
    assert seen(explorer) == seen(other)
    assert explorer.image.value == other.image.value


@every_explorer
def test_redraws_fast_enough(name, record_property):
    explorer, times = start(name), []
    for control in settings(explorer).values():
        for value in 2 * values(control):
            begin = time.perf_counter()
            control.value = value
            times.append(time.perf_counter() - begin)
    median = statistics.median(times)
    record_property("median_redraw_seconds", round(median, 3))
    print(f"{name}: median redraw {1000 * median:.0f} ms (goal < {1000 * GOAL:.0f} ms)")
    assert median < SOFT_LIMIT
