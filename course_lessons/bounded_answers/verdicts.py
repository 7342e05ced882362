"""Does a conflict of the witnesses lower confidence more where a third verdict may be given? Four answers.

Lecture: 07, section 7.
"""

import numpy as np
from scipy.special import ndtr

from course_lessons.bounded_answers.no_top import QUESTIONS, juror_parts
from course_lib.datasets import load_mock_jurors
from course_lib.gp import Constant, Fixed
from course_lib.judgments import BoundedGP, fit_beta
from course_widgets.drawings import HALF_BAND
from course_widgets.tables import table

CONFLICT_BY_VERDICT = np.array([-1, 1, 1, -1])  # (agree − conflict) with three verdicts, minus that with two
DRAWS = 20_000


def one_model(kernel):
    """(DRAWS, 4) draws of the four means: one beta model, with one ν, whose kernel shrinks its means together."""
    jurors = load_mock_jurors()
    return ndtr(BoundedGP(kernel).fit(jurors.X, jurors.y).sample(QUESTIONS, DRAWS, rng=0))


def model_per_condition(variance=4.0):
    """The same of four models: a wide prior for each mean, and each with a ν of its own."""
    kernel, place, draws = Constant(variance).with_priors(variance=Fixed()), np.zeros((1, 1)), []
    for k, marks in enumerate(juror_parts()):
        model = BoundedGP(kernel).fit(np.zeros((len(marks), 1)), marks)
        draws.append(ndtr(model.sample(place, DRAWS, rng=k)[:, 0]))
    return np.transpose(draws)


def spreads():
    """(4, 2) mean and standard deviation of the marks in each condition."""
    return np.array([[part.mean(), part.std(ddof=1)] for part in juror_parts()])


def conditions_table():
    """The marks of each condition, and what beta regression says of them."""
    jurors, rows = load_mock_jurors(), []
    fits = fit_beta(jurors.y, jurors.X @ [2, 1])
    for k, (mean, std) in enumerate(spreads()):
        verdicts, conflict = QUESTIONS[k]
        beta = f"{fits.mean[k]:.2f} ± {fits.mean_error[k]:.2f}", f"{fits.precision[k]:.1f}"
        rows.append((("two", "three")[verdicts], ("agree", "conflict")[conflict], f"{mean:.2f}", f"{std:.2f}", *beta))
    return table(("verdicts", "witnesses", "mean", "sd", "beta regression: mean ± standard error", "ν"), rows)


def interaction_table(kernel):
    """By how much more a conflict lowers the mean mark with three verdicts than with two, by four analyses.

    kernel : of the one model
    """
    jurors, parts, weights = load_mock_jurors(), juror_parts(), CONFLICT_BY_VERDICT
    fits = fit_beta(jurors.y, jurors.X @ [2, 1])
    of_means = np.sqrt(sum(part.var(ddof=1) / len(part) for part in parts))
    z = weights @ fits.logit_mean / np.linalg.norm(fits.logit_error)
    rows = [("differences of the raw means", *_with_interval(weights @ [part.mean() for part in parts], of_means))]
    rows += [
        (name, f"{found.mean():+.2f}", "[{:+.2f}, {:+.2f}]".format(*np.quantile(found, [0.05, 0.95])))
        for name, draws in (("one model", one_model(kernel)), ("one model per condition", model_per_condition()))
        for found in (draws @ weights,)
    ]
    computed = _with_interval(weights @ fits.mean, np.linalg.norm(fits.mean_error))
    rows.append((f"beta regression; on the logit scale {weights @ fits.logit_mean / 4:.3f}, z = {z:.2f}", *computed))
    rows.append(("published: 0.280, z = 2.7 on the logit scale", "", ""))
    return table(("a conflict costs more with three verdicts", "by", "90 %"), rows)


def _with_interval(value, error):
    return f"{value:+.2f}", f"[{value - HALF_BAND * error:+.2f}, {value + HALF_BAND * error:+.2f}]"
