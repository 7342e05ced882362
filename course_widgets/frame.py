"""The frame of every explorer: a prediction, controls, one drawing, and a sentence that says what is seen.

Lecture: 00.
"""

import gc
import html
import re
from contextlib import contextmanager
from math import log10
from typing import NamedTuple

import matplotlib

from course_lib import threads, validation
from course_widgets import style
from course_widgets.spoken import Spoken, traitlets, widgets

CONTROL_LAYOUT = widgets.Layout(width="520px", max_width="100%")
MARGINS = {"left": 0.085, "right": 0.985, "bottom": 0.17, "top": 0.91, "wspace": 0.14}
AS_DRAWN = widgets.Layout(align_self="flex-start", max_width="100%", min_width="560px")  # narrower, nobody reads it
AT_FIRST = "As it begins:"  # all that JupyterLab shows of an explorer or a question whose output is folded
LABEL = {"description_width": "170px"}
STRESSED = re.compile(r"(?<!\w)\*(?! )([^*]+)(?<! )\*(?!\w)")


def prose(text):
    """A sentence as HTML, with *stressed* words in italics as in the text around it."""
    return STRESSED.sub(r"<em>\1</em>", html.escape(text))


def slider(label, low, high, value, step=1):
    """A labelled slider over integers, or over floats if the step is one."""
    if not low <= value <= high:
        raise ValueError(f"value is {value!r}; {low} … {high} is needed for the slider {label!r}.")
    kind = widgets.IntSlider if all(isinstance(v, int) for v in (low, high, value, step)) else widgets.FloatSlider
    return kind(value=value, min=low, max=high, step=step, description=label, style=LABEL, layout=CONTROL_LAYOUT)


def log_slider(label, low, high, value):
    """A labelled slider over positive numbers on a logarithmic scale."""
    return widgets.FloatLogSlider(
        value=value, base=10, min=log10(low), max=log10(high), step=0.01, readout_format=".2f",
        description=label, style=LABEL, layout=CONTROL_LAYOUT,
    )  # fmt: skip


def choice(label, options, value=None):
    """A labelled drop-down list."""
    value = next(iter(options)) if value is None else value
    return widgets.Dropdown(options=options, value=value, description=label, style=LABEL, layout=CONTROL_LAYOUT)


def switch(label):
    """A labelled box to tick."""
    return widgets.Checkbox(value=False, description=label, indent=False, layout=CONTROL_LAYOUT)


def increment_by(setting, count=1):
    """What a button does that moves a slider on, no farther than to its end."""

    def move(explorer):
        control = explorer.settings[setting]
        explorer.set(**{setting: min(control.value + count, control.max)})

    return move


class Drawing(widgets.Image):
    """An image whose tooltip becomes its title, the accessible name of the picture.

    The browser's side of the tooltip reads `description`, which ipywidgets' Image does not have.
    """

    description = traitlets.Unicode("").tag(sync=True)


class PredictionFeedback(NamedTuple):
    """What a prediction was feedback: the right one of its answers, why, and when the picture has shown it.

    `shown` is a function of (**settings) → bool.
    """

    right: str
    because: str
    shown: object


class Explorer(widgets.VBox):
    """Controls around one drawing; the sentence under it is its text alternative, and what tests read.

    Parameters
    ----------
    draw : function of (figure, **settings) → str, which draws on the empty figure and returns the sentence
    predict : (question, options) or None, asked before the controls unlock; the answer stays visible beside the result
    feedback : PredictionFeedback or None, shown beside the prediction once the picture has shown the answer
    cases : dict of name → settings, each a button; the others are set as at the start, so that a name says all
    actions : dict of label → function(explorer), further buttons, such as "Next cell"
    listen : function of (**settings) → HTML, or None: players for what the picture shows
    figsize : inches
    controls : at most three widgets with a value, by the name of the setting
    """

    def __init__(
        self, draw, predict=None, feedback=None, cases=None, actions=None, listen=None, figsize=(7, 3.2), **controls
    ):
        self.draw, self.cases, self.listen, self.feedback = draw, cases or {}, listen, feedback
        self.figure = style.sheet(figsize, layout="none")
        self.image, self.caption, self.players = Drawing(format="png", layout=AS_DRAWN), widgets.HTML(), widgets.HTML()
        self.settings = dict(controls)
        self.start = self.values()
        self.buttons = self._buttons(actions or {})
        self.controls = {**self.settings, **self.buttons}
        for control in self.settings.values():
            control.observe(self.redraw, names="value")
        if feedback is not None and feedback.right not in predict[1]:
            raise ValueError(f"feedback.right is {feedback.right!r}, which is none of the answers {list(predict[1])}.")
        self.prediction = Prediction(*predict, then=self._enable) if predict is not None else None
        parts = [self.prediction] if self.prediction else []
        self._enable(not self.prediction)
        self.redraw()
        row = widgets.HBox(list(self.buttons.values()), layout=widgets.Layout(flex_flow="row wrap"))
        super().__init__([*parts, *self.settings.values(), row, self.image, self.caption, self.players, Spoken()])

    def _buttons(self, actions):
        buttons = {}
        for label, action in actions.items():
            buttons[label] = _button(label, lambda _, action=action: action(self))
        for name, case in self.cases.items():
            buttons[f"show: {name}"] = _button(f"Show: {name}", lambda _, case=case: self.set(**self.start | case))
        buttons["start again"] = _button("Start again", lambda _: self.set(**self.start))
        return buttons

    def _enable(self, on=True):
        for control in self.controls.values():
            control.disabled = not on

    def set(self, **settings):
        """Several settings at once, and one new picture."""
        for name, value in settings.items():
            self.settings[name].unobserve(self.redraw, names="value")
            self.settings[name].value = value
            self.settings[name].observe(self.redraw, names="value")
        self.redraw()

    def values(self):
        """What the controls are set to, by the name of the setting; a browser's sliders are not exact."""
        values = {name: control.value for name, control in self.settings.items()}
        return {name: round(value, 9) if isinstance(value, float) else value for name, value in values.items()}

    def redraw(self, change=None):
        """Draw the picture again from the controls' values."""
        values = self.values()
        sentence, self.image.value = self.drawn(values)
        self.image.tooltip = sentence
        self.caption.value = f'<p role="status" style="max-width:44em;line-height:1.4">{prose(sentence)}</p>'
        self.players.value = self.listen(**values) if self.listen else ""
        if self.prediction and self.feedback and self.feedback.shown(**values):
            self.prediction.compare(self.feedback)

    def drawn(self, values, render=None):
        """(sentence, what `render` makes of the figure, else a PNG) for these values; no control is moved."""
        with threads.at_most(1), _left_empty(self.figure), matplotlib.rc_context(style.STYLE):
            self.figure.subplots_adjust(**MARGINS)  # finding them for each picture takes a third of the time
            sentence = self.draw(self.figure, **values)
            return sentence, render(self.figure) if render else style.png(self.figure, fast=True)

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        sentence = self.image.tooltip
        bundle["text/html"] = (
            f"{AT_FIRST}\n<figure>{style.image_tag(style.small(self.image.value), sentence)}"
            f"<figcaption>{prose(sentence)}</figcaption></figure>"
        )
        bundle["text/plain"] = f"Explorer: {sentence}"
        return bundle


@contextmanager
def _left_empty(figure):
    """A drawing is thousands of objects in circles, which Python would search at every tenth picture."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        for ax in figure.axes:
            figure.delaxes(ax)  # clear() alone would first set them up again
        figure.clear()
        if collecting:
            gc.enable()
            gc.collect(0)


def _button(label, action):
    button = widgets.Button(description=label, layout=widgets.Layout(width="max-content"))
    button.on_click(action)
    return button


def _answers(options):
    """Answers to choose from, none chosen. (JupyterLab takes the arrow keys from radio buttons; these take Tab.)"""
    layout = widgets.Layout(width="auto")
    return widgets.ToggleButtons(options=list(options), value=None, style={"button_width": "auto"}, layout=layout)


class Prediction(widgets.VBox):
    """A question to answer before anything moves. The answer is not stored: it is there to compare.

    options : list of str;  then : function called once, when the answer is committed
    """

    def __init__(self, question, options, then):
        self.then = then
        self.choice = _answers(options)
        self.commit = _button("Commit", self._committed)
        self.commit.disabled = True
        self.choice.observe(self._chosen, names="value")
        self.answer = widgets.HTML("<p>Choose, then commit: this unlocks the controls.</p>")
        asked = widgets.HTML(f"<b>Predict.</b> {prose(question)}")
        super().__init__([asked, self.choice, self.commit, self.answer])

    def _chosen(self, change):
        self.commit.disabled = False

    def _committed(self, button):
        self.commit.disabled = self.choice.disabled = True
        self.answer.value = f"<p>You predicted: <b>{html.escape(self.choice.value)}</b>. Now try it.</p>"
        self.then()

    def compare(self, feedback):
        """Say what the committed answer was feedback; nothing, if none was committed."""
        if self.choice.disabled:
            mine, right = (html.escape(text) for text in (self.choice.value, feedback.right))
            found = ", and so it is" if mine == right else f". It is <b>{right}</b>"
            self.answer.value = f'<p role="status">You predicted: <b>{mine}</b>{found}: {prose(feedback.because)}</p>'


class Quiz(widgets.VBox):
    """One question with feedback for every answer; see `quiz`."""

    def __init__(self, question, answers, correct):
        self.question, self.answers, self.correct = question, dict(answers), correct
        self.choice = _answers(answers)
        self.feedback = widgets.HTML()
        self.choice.observe(self._chosen, names="value")
        asked = widgets.HTML(f"<b>{prose(question)}</b>")
        super().__init__([asked, self.choice, self.feedback, Spoken()])

    def _chosen(self, change):
        mark = "✓" if change["new"] == self.correct else "✗"
        self.feedback.value = f'<p role="status">{mark} {prose(self.answers[change["new"]])}</p>'

    def _repr_mimebundle_(self, **options):
        bundle = super()._repr_mimebundle_(**options)
        items = "".join(
            f"<details><summary>{html.escape(a)}</summary>{prose(f)}</details>" for a, f in self.answers.items()
        )
        bundle["text/html"] = f"{AT_FIRST}\n<b>{prose(self.question)}</b>{items}"
        bundle["text/plain"] = f"Quiz: {self.question}"
        return bundle


def quiz(question, answers, correct):
    """A self-check question: choose an answer and read what it means.

    answers : dict of answer → feedback; the feedback of a wrong answer says what it would be right for
    """
    validation.text(question, "question", "a question")
    if not isinstance(answers, dict) or not all(isinstance(a, str) and isinstance(f, str) for a, f in answers.items()):
        raise ValueError(f"answers is {answers!r}; a dict of answers, each with its feedback, is needed: texts.")
    if not isinstance(correct, str) or correct not in answers:
        raise ValueError(f"correct is {correct!r}, which is none of the answers {list(answers)}.")
    silent = [answer for answer, feedback in answers.items() if not feedback.strip()]
    if silent:
        raise ValueError(f"answers without feedback: {silent}; say for each why it is right or what it misses.")
    return Quiz(question, answers, correct)
