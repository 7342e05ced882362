"""Models of one table of ratings beside each other, and how each foretells raters whom it has not seen.

Lecture: 14, section 2.
"""

import warnings

import numpy as np
import pandas as pd
from scipy.stats import norm, t
from sklearn.base import clone

from course_lib import validation
from course_lib.gp.averaging import integrated_evidence
from course_lib.gp.likelihoods.normal_tails import Interval
from course_lib.judgments.comparisons.floating import FloatingItemsWarning
from course_lib.judgments.marks.bounded import BoundedGP
from course_lib.judgments.panels.bounded_raters import BoundedRaterGP, LabelsWarning
from course_lib.judgments.panels.multisample import MultiSampleGP
from course_lib.judgments.panels.ordinal_raters import OrdinalRaterGP
from course_lib.judgments.panels.raters import RaterGP
from course_studies.columns import listed, plain
from course_studies.labelled import whole_marks
from course_studies.levels import AnotherScaleWarning

MOST_COMPARED = 600  # items and raters, beyond whom evidences would take minutes
MANY = 150  # raters beyond whom gains are not tried unasked: their evidence would take minutes
EQUAL = 0.02  # spread of the logarithms of noises that are held to be equal
STIFF = 1000  # rounds of the search beside so narrow a prior: 200 were too few for one panel in six
TAILS = 2.0  # degrees of freedom of the logarithms of gains: one rater in twenty uses twice or half of the scale
GAINS = 0.3 / t.ppf(norm.cdf(1.0), TAILS)  # their scale: two thirds of them lie within a factor of e^0.3
WELL_TOLD = 1e-9  # a probability by differences of distribution functions that has lost few digits


class WeightWarning(UserWarning):
    """One rater, or some who gave the same marks, have more than half of the weight in the consensus."""


class BeyondMarksWarning(UserWarning):
    """The consensus of an item lies beyond all marks that it was given."""


def warn_of_beyond(consensus, least, greatest, allowed):
    """Say so if the consensus, a Series of items, lies below or above all marks of its item by more than allowed."""
    by = np.maximum(least - consensus, consensus - greatest).reindex(consensus.index)
    far = by[by > allowed].sort_values(ascending=False).index
    if len(far):
        worst = far[0]
        validation.warn(
            f"the consensus of {consensus.index.name or 'item'} {listed(far)} lies beyond all marks given to it: "
            f"{plain(worst)!r} has {consensus[worst]:.3g}, and marks from {least[worst]:g} to {greatest[worst]:g}. "
            "The model also counts the marks of other items, and how its raters marked those; where answers are few "
            "or hardly differ, that counts much. `plain_mean` stands beside it.",
            BeyondMarksWarning,
        )


def log_evidence(model):
    """Log evidence of a fitted model of numbers, with all that it learned integrated out.

    Of a RaterGP with pooling, the noises' level is flat, as one noise of all would be.
    """
    pooled = isinstance(model, RaterGP) and model.pooling is not None
    return integrated_evidence(model) + (np.log(model.pooling) if pooled else 0.0)


def number_models(model, items, raters):
    """{name: model} of numbers that are compared, of the default's RaterGP or MultiSampleGP and of so many of both."""
    if not isinstance(model, RaterGP):
        return {"one noise": model}
    if items + raters > MOST_COMPARED:
        return {"unequal noises": model}
    found = {"one noise": clone(model).set_params(pooling=EQUAL, max_iter=STIFF), "unequal noises": model}
    if model.opinion_std is None and raters <= MANY:  # some may use the scale more than others, or hardly at all
        found["with gains"] = clone(model).set_params(gain_std=GAINS, gain_degrees=TAILS)
    return found


def comparison(study, table, models, folds):
    """DataFrame, see `RatingStudy.compare`; `models` {name: model} are fitted by studies with this one's settings."""
    who = np.unique(table.rater)
    folds = min(validation.integer(folds, "folds", least=2), len(who))
    if folds < 2:
        raise ValueError("table holds ratings of one rater; two at least are needed, to foretell one by the other.")
    turn = np.random.default_rng(0).permutation(len(who)) % folds
    part = turn[np.searchsorted(who, table.rater)]
    rows = {name: _row(_fitted(study, model, table), table, part, folds) for name, model in models.items()}
    return pd.DataFrame(rows).T.infer_objects().rename_axis("model")


def _fitted(study, model, table):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WeightWarning)  # a column says it
        warnings.simplefilter("ignore", AnotherScaleWarning)  # of the table it is said
        warnings.simplefilter("ignore", FloatingItemsWarning)  # a fold may leave out who ties items together
        warnings.simplefilter("ignore", LabelsWarning)  # labels stand beside
        return clone(study).set_params(model=model, response="number", plug_in=True).fit(table)


def _row(study, table, part, folds):
    """What one fitted study says of the table, and studies like it of the folds' raters."""
    scores, raters, hits = [], [], 0.0
    for k in range(folds):
        learned = _fitted(study, _begun(study.model_), table[part != k])
        seen, rater, X = learned._foreseeable(table[part == k])
        scores.append(log_scores(learned, seen, rater, X))
        raters.append(seen.rater)
        hits += learned.coverage(seen, levels=[0.9])["share"].item() * len(seen)
    mean, error = mean_by_rater(np.concatenate(scores), np.concatenate(raters))
    model = study.model_
    return {
        "evidence": log_evidence(model) if isinstance(model, MultiSampleGP) else np.nan,
        "log_score": mean,
        "log_score_se": error,
        "coverage": hits / sum(map(len, scores)),
        "largest_weight": _largest_weight(model, np.unique(table.rater, return_counts=True)[1]),
    }


def _begun(model):
    """The model whose search begins at what this fitted one has learned."""
    found = {"kernel": model.kernel_, "nugget_std": None, "bias_std": getattr(model, "bias_std_", 0) or None}
    return clone(model).set_params(**{name: value for name, value in found.items() if name in model.get_params()})


def _largest_weight(model, answers):
    """The greatest share of a rater in the consensus; NaN of labels, where nobody has a noise."""
    if isinstance(model, RaterGP):
        return float(np.nanmax(model.rater_weight_))
    if isinstance(model, OrdinalRaterGP):
        return np.nan
    weight = answers * (model.rater_precision_ if isinstance(model, BoundedRaterGP) else 1.0)
    return float(weight.max() / weight.sum())


def log_scores(study, table, rater, X):
    """(m,) log density of each rating of a table; where marks are whole, log probability of each whole mark.

    rater (m,), X : as `RatingStudy._foreseeable` has them
    """
    whole, found = whole_marks(study.table_) and whole_marks(table), np.empty(len(X))
    for mine, whose in study._by_rater(rater):
        found[mine] = _log_scores_of_one(study, X[mine], table.rating[mine], whose, whole)
    return found


def _log_scores_of_one(study, X, y, whose, whole):
    """As log_scores, of one rater: that an answer lies within ½ of a whole mark, or beyond, at an end of the scale."""
    model = study.model_
    if not whole or _labelled(model):
        return model.log_predictive_density(X, y - study._lowest(), **whose)
    low, high = (-np.inf, np.inf) if study.table_.scale is None else study.table_.scale
    ends = np.where(y <= low, -np.inf, y - 0.5), np.where(y >= high, np.inf, y + 0.5)
    if not isinstance(model, BoundedGP):
        mean, std = model.predict_answer(X, **whose)
        return Interval(*((end - mean) / std for end in ends)).log_P
    below, above = (probability_up_to(model, X, end, whose) for end in ends)
    density = model.log_predictive_density(X, np.clip(y, low + 0.25, high - 0.25), **whose)
    return np.where(above - below > WELL_TOLD, np.log(np.maximum(above - below, WELL_TOLD)), density)


def _labelled(model):
    """Whether a model's answers are labels or steps, so that its densities are probabilities."""
    parts = model.likelihood_, *model.likelihood_.children
    return any(part.possible is not None for part in parts)


def probability_up_to(model, X, mark, whose):
    """(m,) P(mark of a BoundedGP ≤ this), which may lie beyond the ends."""
    likelihood, mean, variance = _view(model, X, whose)
    share = (mark - model.low) / (model.high - model.low)
    inside = np.clip(share, 1e-9, 1.0 - 1e-9)
    found = likelihood.probability_up_to(inside, mean, variance)
    return np.where(share <= 0, 0.0, np.where(share >= 1, 1.0, found))


def _view(model, X, whose):
    if isinstance(model, BoundedRaterGP):
        return model._view(X, **whose)
    mean, std = model.predict_latent(X)
    return model.likelihood_, mean, std**2


def mean_by_rater(scores, rater):
    """(mean, standard error): of (m,) scores, of raters who are drawn, each with all of their answers.

    Source: Cochran (1977), "Sampling techniques", section 9A.1, of a ratio over clusters.
    """
    _, whose = np.unique(rater, return_inverse=True)
    mean, R = float(np.mean(scores)), whose.max() + 1
    apart = np.bincount(whose, scores - mean)
    return mean, float(np.sqrt(R / (R - 1) * (apart @ apart)) / len(scores)) if R > 1 else np.nan
