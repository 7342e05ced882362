"""Tables of lecture 12: ways of asking beside each other, and what the papers say beside ours.

Lecture: 12, sections 4 and 9.
"""

import numpy as np
from scipy.stats import norm

from course_lessons.asking.experiments import HILLS
from course_lib.metrics import paired_t_test
from course_widgets.tables import table

MEASURES = {"distance": "best guess", "heard": "best heard"}


def distances(stored, hill, criterion, of="distance"):
    """(160, 4) from the optimum after 4, 8, 12 and 16 answers, of the stored sessions `asking`; of : in MEASURES"""
    return stored.of(hill=hill, criterion=criterion)[of].reshape(-1, 4)


def _compared(stored):
    """(hill, measure, after 16 answers: expected improvement, at random, at random without foregone conclusions)."""
    for hill in HILLS:
        for of, name in MEASURES.items():
            ways = ("improvement", "random", "spared")
            yield hill, name, *(distances(stored, hill, way, of)[:, -1] for way in ways)


def after_sixteen(stored):
    """The expected improvement and questions at random after sixteen answers; the last columns count groups."""
    rows = []
    for hill, name, mine, theirs, _ in _compared(stored):
        groups = (mine - theirs).reshape(8, 20).mean(axis=1)
        ahead = np.sum(groups < 0), np.sum(groups > 0)
        rows.append([f"{hill}, {name}", np.median(mine), np.median(theirs), paired_t_test(mine, theirs), *ahead])
    head = ["after 16 answers, 160 listeners", "expected improvement (median)", "at random (median)"]
    return table([*head, "difference of the means", "of 8 groups of twenty: improvement ahead", "random ahead"], rows)


def without_foregone(stored):
    """How far the expected improvement is ahead of questions at random, and of those without foregone conclusions."""
    rows = [
        [f"{hill}, {name}", paired_t_test(mine, theirs), paired_t_test(mine, spared)]
        for hill, name, mine, theirs, spared in _compared(stored)
    ]
    return table(["", "improvement − random", "improvement − random without foregone conclusions"], rows)


def five_bands(stored):
    """What Nielsen, Jensen, Hansen & Larsen (2013) find of kernels and ways of asking, beside the stored `bands`."""

    def ahead(of, setting, two, **same):
        """By how much the first of two values of a setting exceeds the second, for either kind of listener."""
        runs = [
            [stored.of(bands=bands, **same, **{setting: one})[of] for one in two] for bands in ("together", "alone")
        ]
        return [paired_t_test(*pair) for pair in runs]

    better, no_better = "better (21 people, 30 marks each)", "no better questions; the thesis: worse ones"
    kernels, less = ("mahalanobis", "isotropic"), "Mahalanobis minus isotropic"
    rows = [
        [f"{less}, log density", better, *ahead("log_density", "kernel", kernels, asks="random", answers=30)],
        [f"{less}, regret", no_better, *ahead("regret", "kernel", kernels, asks="active", answers=30)],
    ]
    for n in (10, 20, 30):
        found = ahead("regret", "asks", ("active", "random"), kernel="isotropic", answers=n)
        rows.append([f"active minus random, regret after {n} marks", "active wins (12 people)", *found])
    return table(["", "the paper says", "we get: bands go together", "we get: each goes alone"], rows)


def beside_the_papers(improvement, z, enough, retest):
    """Two lines of the thesis, and one simulated listener beside the people of two papers.

    improvement, z : an expected improvement, and its z;  enough : answers;  retest : Agreement of two days
    """
    people = "“acceptable overall … with subjects 4, 11 and 13 being the exceptions”"
    apart = f"{retest.distance:.0%} of the diagonal apart, maps correlated by {retest.correlation:.2f}"
    truncated = f"that mean times $\\Phi(z)$: {improvement:.3f}, not {improvement / norm.cdf(z):.3f}"
    rows = [
        ["eq. 3.3's integral", "the mean of a truncated normal", truncated],
        ["expected improvement at the incumbent", "not said ($z = 0/0$)", "0, by definition; it has a kink there"],
        ["answers until hardly anything is to be gained, 2-D", "ten to twenty", f"{enough} (one simulated listener)"],
        ["test and retest, four parameters", people, f"{apart} (one simulated listener, two parameters)"],
    ]
    return table(["what", "the paper says", "we get"], rows)
