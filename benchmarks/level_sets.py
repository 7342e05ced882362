"""Level sets: how well the set P(yes) ≤ ¾ is found after 30 answers, by what is known beforehand and where one asks.

Ten Sobol points first, then 20 by the criterion; inference by Laplace's method, and in one row each by variational
inference with the inducing inputs of the source. F1 of 2¹⁵ Sobol points: means over seeds with 95 % intervals
(Student's t). p is Wilcoxon's, of the pairs of F1 with soft constraints and the same criterion.
"""

import numpy as np
from joblib import Parallel, delayed

TITLE = "Level sets: F1 after 30 answers, by what is known beforehand, and by criterion"
REPETITIONS = 20
TRIALS = 30
CRITERIA = ("sobol", "global_mutual_information", "expected_absolute_volume_change")
KNOWLEDGE = ("mixed", "pseudo", "none")


def problems():
    """The three problems of the table."""
    from course_lib.judgments.mixed.problems import ellipsoid, norm_ball

    return norm_ball(2), norm_ball(4), ellipsoid()


def found(problem, knowledge, criterion, inference, seed):
    """(F1 after 10, 20 and 30 answers, precision and recall at the end, seconds of a trial)."""
    from course_lib.judgments.mixed.experiments import level_set_curve

    curve = level_set_curve(problem, knowledge, criterion, TRIALS, inference=inference, rng=seed)
    return *curve.f1, curve.precision[-1], curve.recall[-1], curve.seconds[-1]


def table(repetitions):
    """Lines of Markdown: a row for each problem, criterion and kind of knowledge."""
    from scipy.stats import t, wilcoxon

    yield "| problem | asks by | known as | F1 at 10, 20 | F1 at 30 [95 %] | p | precision, recall | s a trial |"
    yield "|" + "---|" * 8
    for problem in problems():
        for criterion, inference in [*((each, "laplace") for each in CRITERIA), ("sobol", "variational")]:
            best = None
            for knowledge in KNOWLEDGE:
                runs = (delayed(found)(problem, knowledge, criterion, inference, s) for s in range(repetitions))
                ten, twenty, f1, precision, recall, seconds = np.array(Parallel()(runs)).T
                best = f1 if best is None else best
                p = f"{wilcoxon(best, f1).pvalue:.2g}" if f1 is not best and repetitions > 5 else "–"
                half = t.ppf(0.975, max(repetitions - 1, 1)) * f1.std(ddof=repetitions > 1) / np.sqrt(repetitions)
                with np.errstate(invalid="ignore"):
                    shares = f"{np.nanmean(precision):.2f}, {recall.mean():.2f}"
                before = f"{ten.mean():.2f}, {twenty.mean():.2f}"
                now = f"{f1.mean():.2f} [{f1.mean() - half:.2f}, {f1.mean() + half:.2f}]"
                row = (problem.name, f"{criterion}, {inference}", knowledge, before, now, p, shares)
                yield f"| {' | '.join(row)} | {np.median(seconds):.3f} |"
