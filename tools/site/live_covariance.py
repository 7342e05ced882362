"""A cloud, its ellipses and two points under any covariance: what the page needs to draw them, and the same in Python.

Lecture: 02, section 3.
"""

from course_lessons.gaussians import explore
from course_widgets import geometry
from tools.site import frames

ROLES = ("cloud", "one", "two", "narrow", "wide")  # in the order in which they are painted


def data():
    """What the page needs of the explorer: its start, and words for all that can be said."""
    python = explore.explore_covariance()
    return {
        "worker": "covariance.js",
        **python.described(),
        **python.asks(),
        **frames.coded([python.drawn(python.start, read)[1]]),
        "controls": frames.controls(python),
        "sets": frames.sets(python),
        "cloud": explore.CLOUD.tolist(),
        "marked": explore.MARKED_POINTS,
        "words": {
            "found": explore.COVARIANCE_SENTENCE, "same": explore.SAME_DENSITY, "other": explore.OTHER_DENSITY,
            "many": explore.MANY_TIMES,
        },
    }  # fmt: skip


def read(figure):
    """(marks with their roles, where numbers lie in the picture)."""
    marks, roles = geometry.read(figure), iter(ROLES)
    kept = [frames.kept(mark, next(roles) if is_moved(mark) else None, ("points",)) for mark in marks]
    return kept, {"scale": frames.scale(figure, figure.axes[0])}


def is_moved(mark):
    """Whether a covariance moves it: dots, ellipses and axes, and not the two marked points."""
    return "clip" in dict(mark.look) and len(mark.points) > 1
