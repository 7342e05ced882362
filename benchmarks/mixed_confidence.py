"""Mixed feedback: what ratings of confidence add to choices, and one latent function against two.

Maps: the straight observer of figure 4, f(x) = 2 x, by its map of preference probabilities: mean absolute error where
x and x' are farther apart than two thirds of the range (corner) and elsewhere, f(1) − f(0) learned as a share of the
true one (rise), and the learned cut points, which are 0.5 and 1.
Haptic and gait: made-up observers who rate what they felt; Brier score, F1, and mean distance from the true
probability (off) of choices that were not learned from. The paper's are real people, whose data are not public.
Means ± standard errors over sessions. p is Wilcoxon's, of the pairs of corner errors or of distances with "choices".
"""

import time

import numpy as np
from joblib import Parallel, delayed

TITLE = "Mixed feedback: choices with and without ratings of confidence"
REPETITIONS = 20
PAIRS = (20, 100)
SUBJECTS = (1, 2, 3)
GAIT_PAIRS = (20, 50)


def timed(function, *arguments):
    """(what the function returns, seconds of this process)."""
    begin = time.process_time()
    return function(*arguments), time.process_time() - begin


def shown(values, digits=3):
    """Mean ± standard error."""
    values = np.asarray(values)
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return f"{values.mean():.{digits}f} ± {error:.{digits}f}"


def compared(reference, values):
    """p of Wilcoxon's test of pairs, or a dash if they are too few or the same."""
    from scipy.stats import wilcoxon

    return f"{wilcoxon(reference, values).pvalue:.2g}" if len(values) > 5 and np.any(reference != values) else "–"


def maps(repetitions):
    """A row for each number of pairs and each kind of feedback."""
    from course_lessons.mixed_feedback.confidence import FEEDBACK, learned_map

    yield "| map, pairs | feedback | corner | elsewhere | rise | cuts | p | s a fit |"
    yield "|" + "---|" * 8
    for n in PAIRS:
        reference = None
        for feedback in FEEDBACK:
            runs = Parallel()(delayed(timed)(learned_map, feedback, n, seed) for seed in range(repetitions))
            found, seconds = zip(*runs, strict=True)
            corner, elsewhere, rise, cuts = (np.array(column) for column in list(zip(*found, strict=True))[1:])
            reference = corner if reference is None else reference
            learned = "–" if feedback != "cuts learned" else ", ".join(shown(cut, 2) for cut in cuts.T)
            yield (
                f"| {n} | {feedback} | {shown(corner)} | {shown(elsewhere)} | {shown(rise, 2)} | {learned} "
                f"| {compared(reference, corner)} | {np.median(seconds):.1f} |"
            )


def foretold(repetitions):
    """A row for each observer and model."""
    from course_lessons.mixed_feedback.confidence import gait_scores, haptic_scores

    yield "| observer, pairs | model | Brier | F1 | off | p | s a session |"
    yield "|" + "---|" * 7
    models = ("choices", "one function", "two functions")
    worlds = [(f"haptic {k}, 20", lambda seed, k=k: haptic_scores(k, [seed]), models[:2]) for k in SUBJECTS]
    worlds += [(f"gait, {n}", lambda seed, n=n: gait_scores([seed], n), models) for n in GAIT_PAIRS]
    for name, run, models in worlds:
        runs = Parallel()(delayed(timed)(run, seed) for seed in range(repetitions))
        found, seconds = zip(*runs, strict=True)
        brier, f1, off = (np.concatenate([getattr(each, k) for each in found]) for k in ("brier", "f1", "off"))
        for k, model in enumerate(models):
            yield (
                f"| {name} | {model} | {shown(brier[:, k])} | {shown(f1[:, k])} | {shown(off[:, k])} "
                f"| {compared(off[:, 0], off[:, k])} | {np.median(seconds):.1f} |"
            )


def table(repetitions):
    """Lines of Markdown: the maps, then what is foretold."""
    yield from maps(repetitions)
    yield ""
    yield from foretold(repetitions)
