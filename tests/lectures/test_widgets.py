"""Every explorer's start, prediction, controls and buttons, in-process, and the frame that they share.

Its numbers and sentences are tested in tests/course_lessons/, and in tests/browser only what a browser can: keyboard,
names, pictures that appear.
"""

import gc
import html
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

import course_lessons
from course_lessons.hmm import weather
from course_lessons.i_prefer_b.explore import SIMULATED_JUDGE
from course_lessons.many_people.moving_inputs import STEPS_OF_CLIMB
from course_lessons.unequal_raters.noisy_raters import MODEL_LABELS
from course_widgets.frame import STRESSED, Explorer, PredictionFeedback, slider, switch
from tests.course_lessons.explored import unrendered

EXPLORERS = course_lessons.offered("explore")
NAMES = sorted(EXPLORERS)
PLAIN_MS = 60  # processor time of `plain` on an idle machine of the kind that the goals were set on
LABEL_PIXELS = 13  # JupyterLab's letters
MEDIAN_MS, P95_MS = 60, 120  # goals there for one step of a control


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


def text(part):
    """What a person reads of a part's markup."""
    return html.unescape(re.sub(r"<[^>]*>", "", part.value))


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


def predicted(explorer, answer):
    """Commit an answer; returns a function that says what stands beside it now."""
    explorer.prediction.choice.value = answer
    explorer.prediction.commit.click()
    return lambda: text(explorer.prediction.answer)


# --- every explorer


@pytest.fixture(scope="module", params=NAMES)
def explorer(request):
    """Each explorer, drawn once for the two tests of its start and its controls."""
    return EXPLORERS[request.param]()


def test_starts_with_a_picture_a_sentence_and_controls_that_a_prediction_unlocks(explorer):
    check_picture(explorer)
    assert len(explorer.image.tooltip.split()) >= 4
    assert text(explorer.caption) == STRESSED.sub(r"\1", explorer.image.tooltip)
    assert len(explorer.settings) <= 3
    assert all(control.description.strip() for control in explorer.controls.values())
    check_labels(explorer)
    locked = [*explorer.controls.values(), explorer.prediction.commit]
    assert all(control.disabled for control in locked)
    told = predicted(explorer, explorer.prediction.choice.options[0])
    assert not any(control.disabled for control in explorer.controls.values())
    assert explorer.prediction.choice.disabled
    assert told() == f"You predicted: {explorer.prediction.choice.value}. Now try it."
    seen = [{**explorer.values(), **case} for case in explorer.cases.values()]
    assert any(explorer.feedback.shown(**one) for one in seen), (
        "one of its cases is to bring about what feedback waits for"
    )


def test_every_control_says_something_new_and_the_way_back_is_the_way_out(explorer):
    """From the start or from one of the cases: a band says nothing about a table that is still empty.

    The same settings then make the same picture and the same sentence, in whatever order they came about.
    """
    first = explorer.image.tooltip, explorer.image.value
    with unrendered():
        for key, control in explorer.settings.items():
            assert any(said_while_moving(explorer, control, case) > 1 for case in [{}, *explorer.cases.values()]), (
                f"moving {key} changes nothing in the sentence under the picture"
            )
    explorer.set(**explorer.start)
    assert (explorer.image.tooltip, explorer.image.value) == first


def said_while_moving(explorer, control, case):
    """How many different sentences one control brings out of a case, the others untouched."""
    explorer.set(**{**explorer.start, **case})
    sentences = {explorer.image.tooltip}
    for move in moves(control):
        setattr(control, *move)
        sentences.add(explorer.image.tooltip)
    assert "" not in sentences
    return len(sentences)


@pytest.mark.parametrize("name", NAMES)
def test_buttons_do_not_fail_at_any_end(name, caplog):
    """Those that act twice from the near end, and all from the far one.

    A picture is made of each end; of the cases, executing the lecture makes them (`_repr_mimebundle_`).
    """
    with unrendered():
        explorer = EXPLORERS[name]()
    acting = [label for label in explorer.buttons if not label.startswith("show: ")]
    for corner, pressed in ((0, 2 * acting), (-1, explorer.buttons)):
        explorer.set(**{key: values(control)[corner] for key, control in explorer.settings.items()})
        check_picture(explorer)
        with unrendered():
            for label in pressed:
                explorer.buttons[label].click()
                assert not caplog.messages, label  # where ipywidgets puts what a button raises


def values(control):
    """What a control's value is after each of `moves`."""
    if hasattr(control, "options"):
        options = control.options.values() if isinstance(control.options, dict) else control.options
        return [option[1] if isinstance(option, tuple) else option for option in options]
    return [value for _, value in moves(control)]


# what is right and the beginning of why; a case or settings that do not show it yet, and then some that do
WORTH = {
    "explore_table": ("0: the last cell", {}, {"filled": 64}),
    "explore_greedy": ("by more than half: it costs 44 and the best path 24.", "whole table", "greedy walk"),
    "explore_dtw": ("larger for both", {}, {"pattern": "symmetricP2"}),
    "explore_query": ("without c0: 3 of 4 places, against 2", {}, "message, with loudness"),
    "explore_covariance": ("more than 50 times: 85 times", {}, {"correlation": 0.8}),
    "explore_likelihood": ("half", {}, "σ halved"),
    "explore_em": ("the colours", {}, {"half_steps": 1}),
    "explore_floor": ("training rises, held out falls: from −4.81 to −3.67", {}, {"components": 12}),
    "explore_trellis": ("Cloudy: Fair 0.0262, Cloudy 0.0476, Rainy 0.0277.", {"filled": 8}, {"filled": 9}),
    "explore_decoding": ("the lone Y first, at about 2/3", {"stay": 0.79}, {"stay": 0.82}),
    "explore_training": ("three that stay alike", {"rounds": 60}, {"start": weather.EQUAL_START}),
    "explore_bounded_likelihood": ("clearly below, about 0.91: ", {"f": 1.0}, "truncated, mode 0.98"),
    "explore_predictive": (
        "the mean goes towards ½, the marks gather at the ends",
        {"std": 1.0},
        "knowing nothing: a bowl",
    ),
    "explore_panel": ("hardly anything: ± 1.18 becomes ± 1.02", "fifty raters, too stiff", "fifty raters"),
    "explore_second_rater": ("from between 0.5 and 1", {"second_noise": 2.0}, {"second_noise": 0.9, "reveal": True}),
    "explore_trust": ("next to nothing: 0.06", "bad on the right, MANH", {"model": MODEL_LABELS[1]}),
    "explore_marks": ("my comparisons", {"who": SIMULATED_JUDGE, "seen": 10}, {"seen": 20}),
    "explore_gap": ("all stay", {"noise": 0.75}, {"gap": 0.7500000000000001}),
    "explore_greys": ("a flatter curve, a narrower band", {"who": SIMULATED_JUDGE, "noise": 3.0}, {"seen": 30}),
    "explore_places": ("at peaks and valleys", {"step": 10}, {"step": STEPS_OF_CLIMB}),
    "explore_sharing": ("something between", {"shared": 0.9}, {"shared": 1.0}),
    "explore_panel_size": ("to ± 0.4", {}, {"raters": 16}),
}


@pytest.mark.parametrize("name", WORTH)
@unrendered()
def test_a_prediction_is_judged_when_the_picture_has_shown_it_and_not_before(name):
    right, early, shown = WORTH[name]
    explorer = EXPLORERS[name]()
    wrong = next(answer for answer in explorer.prediction.choice.options if answer != explorer.feedback.right)
    told = predicted(explorer, wrong)
    explorer.set(**explorer.cases[early] if isinstance(early, str) else early)
    assert "Now try it" in told()
    explorer.set(**explorer.cases[shown] if isinstance(shown, str) else shown)
    assert told().startswith(f"You predicted: {wrong}. It is {right}")
    explorer.set(**explorer.start)
    assert "It is" in told()


# --- the frame


def test_a_drawing_that_fails_leaves_nothing_on_the_next_and_the_collector_as_it_was():
    def draw(figure, bad):
        ax = figure.add_subplot()
        if bad:
            ax.plot([0, 1])
            raise ValueError("no picture")
        return "nothing"

    explorer = Explorer(draw, bad=switch("bad"))
    empty = explorer.image.value
    with pytest.raises(ValueError, match="no picture"):
        explorer.settings["bad"].value = True
    assert gc.isenabled()
    explorer.set(bad=False)
    assert explorer.image.value == empty
    assert explorer.figure.axes == []


@unrendered()
def test_what_is_right_must_be_one_of_the_answers_and_is_praised():
    asked, feedback = ("Which?", ["this", "that"]), PredictionFeedback("that", "so.", lambda bad: True)
    with pytest.raises(ValueError, match=r"feedback\.right is 'neither'"):
        Explorer(lambda figure, bad: "seen", asked, feedback._replace(right="neither"), bad=switch("bad"))
    explorer = Explorer(lambda figure, bad: "seen", asked, feedback, bad=switch("bad"))
    told = predicted(explorer, "that")
    explorer.set(bad=True)
    assert told() == "You predicted: that, and so it is: so."


def test_without_a_kernel_the_start_is_a_picture_with_its_sentence():
    explorer = EXPLORERS["explore_table"]()
    shown = explorer._repr_mimebundle_()["text/html"]
    assert shown.count(f'<img alt="{html.escape(explorer.image.tooltip)}"') == shown.count("<img") == 1
    assert "empty" in explorer.image.tooltip


# --- what a step costs


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
        for control in EXPLORERS[name]().settings.values():
            for move in moves(control):
                seconds.append(processor_seconds(control, move))
                if len(seconds) % 3 == 1:
                    shift = yardstick.settings["shift"]
                    pictures.append(processor_seconds(shift, ("value", shift.value + 1)))
        steps += [PLAIN_MS * step / statistics.median(pictures) for step in seconds]
    assert statistics.median(steps) <= MEDIAN_MS
    assert np.quantile(steps, 0.95) <= P95_MS
