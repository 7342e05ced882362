"""Models of bounded marks compared: on simulated marks of each kind of noise, and on real marks left out.

Lecture: 07, sections 6, 7 and 14.
"""

import warnings
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri
from sklearn.exceptions import ConvergenceWarning

from course_lessons.bounded_answers.simulators import TRUE_NOISE, best_fit, simulate
from course_lib import validation
from course_lib.datasets import load_mock_jurors, load_wine
from course_lib.gp import Beta, Constant, GPRegression, LogNormal, Rounded, SquaredExponential, squeeze
from course_lib.gp.likelihoods.normal_tails import Interval
from course_lib.gp.likelihoods.rounded import number_of_steps
from course_lib.judgments.marks.bounded import BoundedGP
from course_widgets.extras import display
from course_widgets.tables import table

MODEL_LABELS = {"warped": "WA", "truncated_gaussian": "TG", "beta": "BE"}
# Table 1 of Jensen et al. (2013), squared exponential kernel: [model, noise], in the order of MODEL_LABELS.
PAPER_TABLE = np.array([[-129.8, -82.0, -165.3], [-91.0, -96.8, -81.8], [-119.8, -91.2, -195.2]])
MARK_STEP, ENDS_MOVED_BY = 0.01, 0.005  # of marks in whole points; for densities, marks on an end move half a step
PAIRS = [(kind, "ordinary") for kind in MODEL_LABELS] + [
    ("truncated_gaussian", "warped"),
    ("truncated_gaussian", "beta"),
]
AGREEING_PEOPLE = 20  # people who agree, beside one who marks 0


def contest(function, kernel, noise, rng, inside=1e-6):
    """(3,) negative log density of all test marks of one function, under each model in MODEL_LABELS.

    function : Simulated;  kernel : where each model's search begins, with its priors
    noise : "warped", "truncated_gaussian" or "beta", that of the marks;  inside : least distance from the bounds

    Source: Jensen et al. (2013), section 6.
    """
    true = TRUE_NOISE[validation.one_of(noise, tuple(TRUE_NOISE), "noise")]
    y, y_test = function.marks(true, rng, inside)
    fits = [best_fit(kind, kernel, function.X, y, inside=inside) for kind in MODEL_LABELS]
    return np.array([-fit.log_predictive_density(function.X_test, y_test).sum() for fit in fits])


def of_table_one():
    """(function, kernel with weak priors): the function of Table 1 with a squared exponential kernel."""
    kernel = SquaredExponential(2.0, 1.0)
    priors = {"variance": LogNormal(2.0, 1.0), "lengthscale": LogNormal(1.0, 1.0)}
    return simulate(kernel, 100, rng=0), kernel.with_priors(**priors)


def scores_of(stored):
    """(repetitions, noise, model) of `contest`, from the stored rows."""
    columns = [np.transpose([stored.of(noise=noise)[model] for model in MODEL_LABELS]) for noise in MODEL_LABELS]
    return np.stack(columns, axis=1)


def table_one(scores):
    """Paper E's Table 1 beside ours.

    scores : (repetitions, noise, model) of `contest`, two repetitions or more
    """
    models, (mean, std) = list(MODEL_LABELS.values()), (scores.mean(axis=0).T, scores.std(axis=0, ddof=1).T)
    rows = []
    for i, model in enumerate(models):
        bold = ["**" if i == j else "" for j in range(3)]
        cells = [f"{b}{PAPER_TABLE[i, j]:.1f} / {mean[i, j]:.0f} ({std[i, j]:.0f}){b}" for j, b in enumerate(bold)]
        rows.append((f"GP-{model}", *cells))
    sizes, rows = table(("paper / ours", "noise WA", "noise TG", "noise BE"), rows), []
    for what, extreme in (("smallest mean for WA, TG, BE noise", np.argmin), ("largest mean", np.argmax)):
        best = (", ".join(f"GP-{models[i]}" for i in extreme(one, axis=0)) for one in (PAPER_TABLE, mean))
        rows.append((what, *best))
    won = ", ".join(map(str, (scores.argmin(axis=2) == np.arange(3)).sum(axis=0)))
    rows.append(("the true model wins", "not counted", f"{won} of {len(scores)} repetitions"))
    verdicts = table(("what", "the paper says", "we get"), rows)
    return display.Markdown(f"{sizes.data}\n\n{verdicts.data}")


def one_zero(inside, rng=3):
    """(marks (21,), {kind: BoundedGP}): twenty marks near 0.7 and one 0, moved to `inside`; one level for all."""
    agreed = Beta(20.0).sample(np.full(AGREEING_PEOPLE, ndtri(0.7)), rng=rng)
    marks, X = squeeze(np.append(agreed, 0.0), inside=inside), np.zeros((AGREEING_PEOPLE + 1, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a latent variance may go to 0: that is what is shown
        fits = {kind: BoundedGP(Constant(1.0), likelihood=kind, inside=inside).fit(X, marks) for kind in MODEL_LABELS}
    return marks, fits


def one_zero_table(clips):
    """The mark that each model expects of all who marked, for `one_zero` moved to each clip."""
    rows = []
    for inside in clips:
        marks, fits = one_zero(inside)
        expected = (f"{fit.predict(np.zeros((1, 1)))[0]:.2f}" for fit in fits.values())
        rows.append((f"{inside:.0e}", f"{marks.mean():.2f}", *expected))
    models = (f"GP-{model} expects" for model in MODEL_LABELS.values())
    return table(("0 becomes", "mean of the marks", *models), rows)


def left_out(models, X, marks, part):
    """{name: (n,)} log density of each mark under each model, learned from all other parts of the data.

    models : {name: model with fit and log_predictive_density};  part : (n,) where each mark belongs, such as its judge
    """
    part = np.asarray(part)
    if len(part) != len(X) or len(part) != len(marks) or len(np.unique(part)) < 2:
        raise ValueError(
            f"part has {len(part)} entries and {len(np.unique(part))} different ones; one for each of the {len(X)} "
            f"rows of X and {len(marks)} marks is needed, two different ones or more."
        )
    density = {name: np.empty(len(marks)) for name in models}
    for out in (part == p for p in np.unique(part)):
        for name, model in models.items():
            density[name][out] = model.fit(X[~out], marks[~out]).log_predictive_density(X[out], marks[out])
    return density


class Lead(NamedTuple):
    """By how much one model's log densities lead, for a mark, and the standard error."""

    mean: float
    error: float

    def __str__(self):
        return f"{self.mean:+.3f} ± {self.error:.3f} ({abs(self.mean) / self.error:.1f} standard errors)"


def lead(one, other, part):
    """Lead of one model over another, mark by mark; its standard error from the means of the parts.

    one, other : (n,) log densities of the same marks;  part : (n,) as for left_out
    """
    gain = np.asarray(one) - np.asarray(other)
    means = np.array([gain[part == p].mean() for p in np.unique(part)])
    return Lead(float(gain.mean()), float(means.std(ddof=1) / np.sqrt(len(means))))


def leads_table(name, density, part):
    """How far one model leads another on the left-out marks of a data set, for PAIRS of models.

    density : {model: (n,)} of `left_out`;  part : (n,) as there
    """
    rows = [(f"{one} − {other}", lead(density[one], density[other], part)) for one, other in PAIRS]
    base = f"ordinary regression: {density['ordinary'].mean():.2f} for a mark"
    return table((f"{name} ({base})", "difference of log densities"), rows)


def made_mushra(rng, systems=8, listeners=12):
    """(X, marks, listener): systems from an anchor to a hidden reference, on a scale from 0 to 1 in hundredths.

    Listeners differ in bias and noise, whose tails are heavier than any model's. What is beyond an end is on it: about
    a fifth of all marks.

    rng : a Generator or a seed;  X : (m, systems) one column each;  marks, listener : (m,)
    """
    rng = validation.generator(rng)
    system, listener = (part.ravel() for part in np.indices((systems, listeners)))
    quality, bias = np.linspace(0.02, 1.08, systems), 0.07 * rng.normal(size=listeners)
    noise = rng.uniform(0.06, 0.18, size=listeners)[listener] * rng.standard_t(5, size=len(listener))
    answer = quality[system] + bias[listener] + noise
    return np.eye(systems)[system], np.round(np.clip(answer, 0, 1) / MARK_STEP) * MARK_STEP, listener


def of_whole_marks(X, marks, test, kinds=("gaussian", "beta", "truncated_gaussian")):
    """{(model, how): mean over the left-out marks}: log densities, and log probabilities of marks in hundredths.

    how : "density": learned from marks on an end that were moved, and scored on the scale from 0 to 1;
        "density, then steps": the same fit, and the probability between half a step below the mark and half above, of
        an end all beyond; "steps": learned so as well
    X, marks : (m, D), (m,) from 0 to 1;  test : (m,) which of them are left out;  kinds : of models
    """
    kernel = SquaredExponential(0.5, np.ones(X.shape[1]))
    kernel = kernel.with_priors(variance=LogNormal(0.5, 1.0), lengthscale=LogNormal(1.0, 1.0))
    (X, X_test), (y, y_test) = (X[~test], X[test]), (marks[~test], marks[test])
    steps, found = Rounded(Beta(), number_of_steps(MARK_STEP)), {}
    for kind in kinds:
        if kind == "gaussian":
            fit = GPRegression(kernel, noise_std=0.2).fit(X, y)
            mean, std = fit.predict_answer(X_test)
            probability = Interval(*((end - mean) / std for end in steps._ends(y_test))).log_P
        else:
            fit = BoundedGP(kernel, likelihood=kind, inside=ENDS_MOVED_BY).fit(X, y)
            (mean, std), seen = fit.predict_latent(X_test), Rounded(fit.likelihood_, steps.steps)
            probability = seen.log_predictive_density(y_test, mean, std**2)
        whole = BoundedGP(kernel, likelihood=kind, step=MARK_STEP).fit(X, y)
        found[kind, "density"] = fit.log_predictive_density(X_test, y_test)
        found[kind, "density, then steps"] = probability
        found[kind, "steps"] = whole.log_predictive_density(X_test, y_test)
    return {name: float(score.mean()) for name, score in found.items()}


def juror_marks():
    """(104,) marks of the jurors from 0 to 1, in hundredths. The published ones are squeezed: that is undone."""
    return np.clip((104 * load_mock_jurors().y - 0.5) / 103, 0, 1).round(2)


def steps_table(stored, names):
    """How far each model is above ordinary regression for a left-out mark, with its 95 % interval.

    names : of the marks, as for `whole_marks_of`
    """
    rows = []
    for name in names:
        columns = (stored.of(marks=name)[column] for column in ("model", "how", "lead", "low", "high"))
        leads = [row for row in zip(*columns, strict=True) if any(row[2:])]  # ordinary regression is not above itself
        rows += [(name, *row[:2], "{:+.2f} [{:+.2f}, {:+.2f}]".format(*row[2:])) for row in leads]
    return table(("marks", "model", "learned and scored by", "above ordinary regression [95 %]"), rows)


def sliders_table(stored):
    """Share of true contrasts inside their 90 % intervals, for the sliders of lecture 14."""
    columns = (stored[column] for column in ("apart", "step", "held"))
    rows = [(f"× {apart}", step, f"{held:.0%}") for apart, step, held in zip(*columns, strict=True)]
    return table(("recordings of lecture 14", "step", "contrasts inside their 90 % interval"), rows, digits=1)


def whole_marks_of(name, seed):
    """(X, marks, test) of "wine", "jurors" or "made": a quarter of the raters is left out, with all their marks."""
    rng = np.random.default_rng(seed)
    if validation.one_of(name, ("wine", "jurors", "made"), "name") == "made":
        X, marks, rater = made_mushra(rng)
    else:
        data = load_wine() if name == "wine" else load_mock_jurors()
        X, marks = data.X, (data.y / 100).round(2) if name == "wine" else juror_marks()
        rater = data.judges if name == "wine" else np.arange(len(marks))
    raters = rng.permutation(np.unique(rater))
    return X, marks, np.isin(rater, raters[: len(raters) // 4])
