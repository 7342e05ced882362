"""The frame of every explorer: a drawing, a prediction, controls, and a sentence that says what is seen.

Python gives the geometry and the sentence of a state; explorer.js shows them, in the lab and on a page alike.

Lecture: 00.
"""

import gc
import html
import re
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import matplotlib

from course_lib import threads, validation
from course_widgets import geometry, style, svg
from course_widgets.extras import anywidget, traitlets

HERE = Path(__file__).parent
SCRIPT = (HERE / "explorer.js").read_text(encoding="utf-8")
STYLE_SHEET = geometry.palette() + (HERE / "explorer.css").read_text(encoding="utf-8")
MARGINS = {"left": 0.085, "right": 0.985, "bottom": 0.17, "top": 0.91, "wspace": 0.14}
NARROW_AXES = 0.12  # of the figure's width: such axes are a margin or a scale of colours, and belong to those beside
START_AGAIN = "Start again"
RUN = "<p><em>Run this cell (Shift+Enter) to {}.</em></p>"  # what stands under the open card of a stored notebook
STRESSED = re.compile(r"(?<!\w)\*(?! )([^*]+)(?<! )\*(?!\w)")


def prose(text):
    """A sentence as HTML, with *stressed* words in italics as in the text around it."""
    return STRESSED.sub(r"<em>\1</em>", html.escape(text))


def increment_by(setting, count=1):
    """What a button does that moves a slider on, no farther than to its end."""

    def move(explorer):
        explorer.set(**{setting: min(explorer.values()[setting] + count, explorer.controls[setting].values[-1])})

    return move


class PredictionFeedback(NamedTuple):
    """What a prediction was worth: the right one of its answers, why, and when the picture has shown it.

    `shown` is a function of (**settings) → bool.
    """

    right: str
    because: str
    shown: object


class Explorer(anywidget.AnyWidget):
    """Controls around one drawing; the sentence under it is its text alternative, and what tests read.

    Parameters
    ----------
    draw : function of (figure, **settings) → str, which draws on the empty figure and returns the sentence
    predict : (question, answers) or None: the question of the text above, and the answers to choose from before the
        controls appear; the chosen one stays visible under the picture
    feedback : PredictionFeedback or None, shown beside the prediction once the picture has shown the answer
    cases : dict of name → settings, each a button; the others are set as at the start, so that a name says all
    actions : dict of label → function(explorer), further buttons, such as "Next cell"
    listen : function of (**settings) → HTML, or None: players for what the picture shows
    figsize : inches
    controls : at most three controls, by the name of the setting
    """

    _esm = SCRIPT
    _css = STYLE_SHEET

    about = traitlets.Dict().tag(sync=True)  # what does not change
    state = traitlets.Dict().tag(sync=True)  # what is seen now, and which question of the browser it answers
    asked = traitlets.Dict({"number": 0, "places": {}}).tag(sync=True)  # the browser's: where its controls stand
    chosen = traitlets.Int(None, allow_none=True).tag(sync=True)  # the committed prediction

    def __init__(
        self, draw, predict=None, feedback=None, cases=None, actions=None, listen=None, figsize=(7, 3.2), **controls
    ):
        self.draw, self.predict, self.feedback, self.listen = draw, predict, feedback, listen
        self.figure = style.sheet(figsize, layout="none")
        self.controls = controls
        self.start = {name: control.start for name, control in controls.items()}
        self.cases, self.actions = cases or {}, actions or {}
        self._values, self._number = dict(self.start), 0
        if feedback is not None and feedback.right not in predict[1]:
            raise ValueError(f"feedback.right is {feedback.right!r}, which is none of the answers {list(predict[1])}.")
        super().__init__()
        self.redraw()
        self.about = {**self.described(), **self.asks()}
        self.on_msg(self._pressed)

    def described(self):
        """What a page has to know of the explorer beside its states and its question."""
        return {
            "size": [float(inches) * style.DPI for inches in self.figure.get_size_inches()],
            "panels": self.panels,
            "controls": [
                {"name": name, "label": one.label, "kind": one.kind, "shown": one.shown, "last": len(one.values) - 1}
                for name, one in self.controls.items()
            ],
            "actions": list(self.actions),
            "cases": [*self.cases, START_AGAIN],
        }

    def asks(self):
        """{"prediction": …} as HTML, or nothing."""
        if self.predict is None:
            return {}
        question, answers = self.predict
        right, because, _ = self.feedback or (None, "", None)
        texts = {"answers": [html.escape(one) for one in answers], "because": prose(because)}
        right = None if right is None else list(answers).index(right)
        return {"prediction": {"question": prose(question), **texts, "right": right}}

    def values(self):
        """What the controls are set to, by the name of the setting."""
        return dict(self._values)

    def set(self, **settings):
        """Several settings at once, and one new picture."""
        if unknown := settings.keys() - self.controls.keys():
            raise ValueError(f"settings are {sorted(unknown)}; some of {list(self.controls)} are needed.")
        self._values.update(settings)
        self.redraw()

    def press(self, label):
        """What a button does, by its label: an action, a case, or the way back."""
        if label in self.actions:
            self.actions[label](self)
        else:
            self.set(**{**self.start, **({} if label == START_AGAIN else self.cases[label])})

    def redraw(self):
        """Draw the picture again from the controls' values."""
        values = self.values()
        self.sentence, self.marks = self.drawn(values)
        looks = list(dict.fromkeys(mark.look for mark in self.marks))
        number = {look: k for k, look in enumerate(looks)}
        self.state = {
            "number": self._number,
            "at": [one.place(values[name]) for name, one in self.controls.items()],
            "texts": [one.text(values[name]) for name, one in self.controls.items()],
            "sentence": prose(self.sentence),
            "looks": [dict(look) for look in looks],
            "marks": [[number[mark.look], mark.text, mark.points.ravel().tolist()] for mark in self.marks],
            "players": self.listen(**values) if self.listen else "",
            "shown": bool(self.feedback and self.feedback.shown(**values)),
        }

    def drawn(self, values, read=None):
        """(sentence, what `read` makes of the figure, or its marks) for these values; no control is moved."""
        with threads.at_most(1), _left_empty(self.figure), matplotlib.rc_context(style.STYLE):
            self.figure.subplots_adjust(**MARGINS)  # finding them for each picture takes a third of the time
            sentence = self.draw(self.figure, **values)
            self.panels = _panels(self.figure)
            return sentence, (read or geometry.read)(self.figure)

    # --- what the browser says

    @traitlets.observe("asked")
    def _moved(self, change):
        places = change["new"]["places"]
        self._number = change["new"]["number"]
        self.set(**{name: self.controls[name].values[place] for name, place in places.items()})

    def _pressed(self, _, message, buffers):
        self._number = message["number"]
        self.press(message["press"])

    def _repr_mimebundle_(self, **options):
        data, metadata = super()._repr_mimebundle_(**options)
        size = self.figure.get_size_inches() * style.DPI
        picture = style.image_tag(svg.written(self.marks, size).encode(), self.sentence, size[0])
        shown = f"<figure>{picture}<figcaption>{prose(self.sentence)}</figcaption></figure>"
        data["text/html"] = f"{shown}{RUN.format('play')}"
        data["text/plain"] = f"Explorer: {self.sentence}"
        return data, metadata


def _panels(figure):
    """[left, right] in shares of the width of the figure's columns, which a narrow page puts below each other."""
    boxes = sorted((ax.get_position().x0, ax.get_position().x1) for ax in figure.axes)
    columns = []
    for left, right in boxes:
        if columns and (left < columns[-1][1] or min(right - left, columns[-1][1] - columns[-1][0]) < NARROW_AXES):
            columns[-1][1] = max(right, columns[-1][1])
        else:
            columns.append([left, right])
    cuts = [one[1] + 0.2 * (two[0] - one[1]) for one, two in pairwise(columns)]
    return [[float(low), float(high)] for low, high in zip([0, *cuts], [*cuts, 1], strict=True)]


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


class Quiz(anywidget.AnyWidget):
    """One question with feedback for every answer; see `quiz`."""

    _esm = SCRIPT
    _css = STYLE_SHEET

    about = traitlets.Dict().tag(sync=True)

    def __init__(self, question, answers, correct):
        self.question, self.answers, self.correct = question, dict(answers), correct
        marks = {answer: "✓" if answer == correct else "✗" for answer in answers}
        replies = [f"{marks[answer]} {prose(reply)}" for answer, reply in answers.items()]
        texts = [html.escape(answer) for answer in answers]
        super().__init__(about={"question": prose(question), "texts": texts, "replies": replies})

    def _repr_mimebundle_(self, **options):
        data, metadata = super()._repr_mimebundle_(**options)
        items = "".join(f"<li>{html.escape(answer)}</li>" for answer in self.answers)
        data["text/html"] = f"<p><b>{prose(self.question)}</b></p><ul>{items}</ul>{RUN.format('answer')}"
        data["text/plain"] = f"Quiz: {self.question}"
        return data, metadata


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
