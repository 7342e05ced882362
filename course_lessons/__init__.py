"""One module a lecture, named as its notebook: its worlds, its drawings, and what one plays and fills in.

Where that is long it is a package: then `plots` has the drawings, and `explore` what one plays and fills in. What a
lecture asks and describes, its quizzes, the alternative texts of its figures and its tables of words, stands in
texts/NAME.toml.

Lecture: 00.
"""

import importlib
import pkgutil
import tomllib
from functools import cache
from pathlib import Path

TEXTS = Path(__file__).with_name("texts")


def offered(kind):
    """{name: function} of what all lessons offer of a kind, "explore" or "check"."""
    places = [f"{one.name}.explore" if one.ispkg else one.name for one in pkgutil.iter_modules(__path__)]
    modules = [importlib.import_module(f"{__name__}.{place}") for place in places]
    return {name: getattr(module, name) for module in modules for name in dir(module) if name.startswith(f"{kind}_")}


def quiz(key):
    """The self-check question of a key such as "dtw.zero": its lesson, and its name there."""
    from course_widgets import quiz as asked

    return asked(**_text("quiz", key))


def alt(key, **numbers):
    """The alternative text of a figure, by a key such as "dtw.confusion_matrix"; `numbers` fill its places."""
    return _text("alt", key).format(**numbers)


def asked(question):
    """The texts of the self-check question of any lesson, by what it asks: {"question", "answers", "correct"}."""
    quizzes = [one for path in TEXTS.glob("*.toml") for one in texts(path.stem).get("quiz", {}).values()]
    found = [one for one in quizzes if one["question"] == question]
    if not found:
        raise ValueError(f"question is {question!r}; a question of a quiz in course_lessons/texts is needed.")
    return found[0]


def table(key, **numbers):
    """A table of the lesson in Markdown, such as what its sources say, by its key; `numbers` fill its places."""
    from IPython.display import Markdown

    return Markdown(_text("table", key).format(**numbers))


def _text(kind, key):
    lesson, _, name = key.partition(".")
    found = texts(lesson).get(kind, {}) if (TEXTS / f"{lesson}.toml").exists() else {}
    if name not in found:
        raise ValueError(f"key is {key!r}; LESSON.NAME of a text in course_lessons/texts is needed.")
    return found[name]


@cache
def texts(lesson):
    """All texts of a lesson: {"quiz": {name: question, answers, correct}, "alt" and "table": {name: text}}."""
    return tomllib.loads((TEXTS / f"{lesson}.toml").read_text(encoding="utf-8"))
