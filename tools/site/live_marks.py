"""Five greys that the reader marks and compares: what the page needs to say how well, and the same in Python.

Lecture: 10, section 1.
"""

from course_lessons.i_prefer_b import explore, interview
from course_widgets import geometry
from course_widgets.frame import START_AGAIN
from tools.site import frames, recording


def data():
    """The pictures of all questions, and what the page says of the reader's answers."""
    python = explore.explore_marks()
    seen = ({"mark": 50, "who": explore.SIMULATED_JUDGE, "seen": k} for k in range(explore.N_QUESTIONS + 1))
    mark = next(one for one in recording.controls(python, {}) if one.name == "mark")
    return {
        "worker": "marks.js",
        **python.described(),
        **frames.coded(python.drawn(values, read)[1] for values in seen),
        "controls": [one for one in frames.controls(python) if one["name"] == mark.name],
        "questions": explore.QUESTION_KINDS,
        "actions": ["Keep this mark", "A is brighter", "B is brighter"],
        "cases": [START_AGAIN],
        "steps": [
            {"answers": explore.MARK_QUESTION, "of": mark.name},
            *({"answers": explore.COMPARE, "value": value} for value in (-1, 1)),
        ],
        "marked": interview.MARKED_GREYS.tolist(),
        "pairs": interview.COMPARED_PAIRS.tolist(),
        "words": {
            "name": explore.NAMES[explore.YOU], "mark": explore.ASKED_MARK, "now": explore.NOW[explore.YOU],
            "last": explore.LAST_MARK, "marked": explore.MARKED, "pair": explore.ASKED_PAIR,
            "compared": explore.COMPARED,
        },
    }  # fmt: skip


def read(figure):
    """(marks with their roles, where numbers lie in the picture)."""
    kept = [frames.kept(mark, "dots" if is_dots(mark) else None, ("points",)) for mark in geometry.read(figure)]
    return kept, {"scale": frames.scale(figure, figure.axes[1])}


def is_dots(mark):
    """Whether it is the reader's marks, and not the dot of the legend."""
    look = dict(mark.look)
    return look["kind"] == "marks" and "clip" in look
