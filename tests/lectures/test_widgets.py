"""Every explorer, in-process: it starts without arguments, and each control can be moved wherever it goes."""

import io
import re
import statistics
import time
from pathlib import Path

import ipywidgets as widgets
import matplotlib
import numpy as np
import pytest
from PIL import Image, ImageFont

import course_lib.widgets
from course_lib.widgets.explore import Explorer, slider

NAMES = sorted(name for name in dir(course_lib.widgets) if name.startswith("explore_"))
PLAIN_MS = 60  # processor time of `plain` on an idle machine of the kind that the goals were set on
LABEL_PIXELS = 13  # JupyterLab's letters
MEDIAN_MS, P95_MS = 60, 120  # goals there for one step of a control
every_explorer = pytest.mark.parametrize("name", NAMES)


def start(name):
    """A new explorer with its controls unlocked."""
    explorer = getattr(course_lib.widgets, name)()
    explorer.unlock()
    return explorer


def moves(control):
    """(attribute, value) to try: ends and middle of a range, every option of a choice, both states of a box."""
    if hasattr(control, "options"):
        return [("index", k) for k in range(len(control.options))]
    if isinstance(control.value, bool):
        return [("value", not control.value), ("value", control.value)]
    if isinstance(control, widgets.FloatLogSlider):
        low, high = control.base**control.min, control.base**control.max
        return [("value", v) for v in (low, (low * high) ** 0.5, high)]
    middle = type(control.value)((control.min + control.max) / 2)
    return [("value", v) for v in (control.min, middle, control.max)]


def seen(explorer):
    """The caption's text without its markup."""
    return re.sub(r"<[^>]*>", "", explorer.caption.value).strip()


def check_picture(explorer):
    picture = Image.open(io.BytesIO(explorer.image.value))
    picture.load()
    assert picture.format == "PNG"
    assert min(picture.size) > 100


def check_labels(explorer):
    """None is cut, measured in the widest font that a browser may take for the lab's."""
    font = ImageFont.truetype(Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf", LABEL_PIXELS)
    for control in explorer.settings.values():
        if not isinstance(control, widgets.Checkbox):  # which writes its label behind itself
            wide = int(control.style.description_width.removesuffix("px"))
            assert font.getlength(control.description) <= wide, f"shorten {control.description!r}"


@every_explorer
def test_a_prediction_is_judged_once_it_has_been_seen(name):
    explorer = start(name)
    assert not explorer.worth.shown(**explorer.values())
    cases = [{**explorer.values(), **case} for case in explorer.cases.values()]
    assert any(explorer.worth.shown(**one) for one in cases)


def test_the_lectures_have_explorers():
    assert NAMES


@every_explorer
def test_starts_with_a_picture_a_sentence_and_locked_controls(name):
    explorer = getattr(course_lib.widgets, name)()
    check_picture(explorer)
    assert len(seen(explorer).split()) >= 4
    assert len(explorer.settings) <= 3
    assert all(control.description.strip() for control in explorer.controls.values())
    check_labels(explorer)
    assert explorer.prediction is not None
    assert all(control.disabled for control in explorer.controls.values())
    explorer.prediction.choice.index = 0
    explorer.prediction.commit.click()
    assert not any(control.disabled for control in explorer.controls.values())


@every_explorer
def test_every_control_says_something_new_and_the_way_back_is_the_way_out(name):
    """From the start or from one of the cases: a band says nothing about a table that is still empty.

    The same settings then make the same picture and the same sentence, in whatever order they came about.
    """
    explorer = start(name)
    first = seen(explorer), explorer.image.value
    for key, control in explorer.settings.items():
        assert any(said_while_moving(explorer, control, case) > 1 for case in [{}, *explorer.cases.values()]), (
            f"moving {key} changes nothing in the sentence under the picture"
        )
    explorer.set(**explorer.start)
    assert (seen(explorer), explorer.image.value) == first


def said_while_moving(explorer, control, case):
    """How many different sentences one control brings out of a case, the others untouched."""
    explorer.set(**{**explorer.start, **case})
    sentences = {seen(explorer)}
    for move in moves(control):
        setattr(control, *move)
        check_picture(explorer)
        sentences.add(seen(explorer))
    assert "" not in sentences
    return len(sentences)


@every_explorer
def test_buttons_do_not_fail_at_any_end(name, caplog):
    """Those that lead to settings once, for the second time changes nothing; the others until something ends.

    A button that sets every control leads to one picture from everywhere, as the test above has seen, and is pressed
    from one end only.
    """
    for corner in (0, -1):
        explorer = start(name)
        explorer.set(**{key: values(control)[corner] for key, control in explorer.settings.items()})
        for label, button in explorer.buttons.items():
            case = explorer.start if label == "start again" else explorer.cases.get(label.removeprefix("show: "))
            if corner and case is not None and case.keys() == explorer.settings.keys():
                continue
            for _ in range(3 if case is None else 1):
                button.click()
            check_picture(explorer)
            assert not caplog.messages  # where ipywidgets puts what a button raises


def values(control):
    """What a control's value is after each of `moves`."""
    if hasattr(control, "options"):
        options = control.options.values() if isinstance(control.options, dict) else control.options
        return [option[1] if isinstance(option, tuple) else option for option in options]
    return [value for _, value in moves(control)]


def plain(figure, shift):
    """Two panels as matplotlib draws them, with the least that a picture has."""
    x = np.linspace(0, 10, 200)
    for ax in figure.subplots(1, 2):
        ax.plot(x, np.sin(x + shift), label="sine")
        ax.plot(x, np.cos(x + shift), label="cosine")
        ax.set(xlabel="x", ylabel="y", title="waves")
        ax.legend()
    return f"shifted by {shift}"


def processor_seconds(control, move):
    begin = time.process_time()
    setattr(control, *move)
    return time.process_time() - begin


@pytest.mark.long
def test_a_step_of_a_control_costs_no_more_than_a_plain_picture():
    """Processor time, in plain pictures drawn in between: another machine, or a busy one, slows both."""
    yardstick = Explorer(plain, figsize=(8.5, 3.5), shift=slider("shift", 0, 1000, 0))
    steps = []
    for name in NAMES:
        seconds, pictures = [], []
        for control in start(name).settings.values():
            for move in moves(control):
                seconds.append(processor_seconds(control, move))
                if len(seconds) % 3 == 1:
                    shift = yardstick.settings["shift"]
                    pictures.append(processor_seconds(shift, ("value", shift.value + 1)))
        steps += [PLAIN_MS * step / statistics.median(pictures) for step in seconds]
    assert statistics.median(steps) <= MEDIAN_MS
    assert np.quantile(steps, 0.95) <= P95_MS
