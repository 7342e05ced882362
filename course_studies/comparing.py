"""Comparison of models of one table of ratings, by how well each predicts raters whom it has not seen.

Lecture: 14, section 2.
"""

import warnings

import numpy as np
import pandas as pd
from sklearn.base import clone

from course_lib import validation
from course_lib.gp.averaging import integrated_evidence
from course_lib.judgments.comparisons.floating import FloatingItemsWarning
from course_lib.judgments.panels.bounded_raters import LabelsWarning
from course_studies.cautions import AnotherScaleWarning, WeightWarning

SAID_ELSEWHERE = (WeightWarning, AnotherScaleWarning, FloatingItemsWarning, LabelsWarning)  # in columns, of the table


def log_evidence(model):
    """Log evidence of a fitted model of numbers, with all that it learned integrated out.

    Of a RaterGP with pooling, the noises' level is flat, as one noise of all would be.
    """
    pooling = model.get_params().get("pooling")
    return integrated_evidence(model) + (0.0 if pooling is None else np.log(pooling))


def comparison(study, table, models, folds):
    """DataFrame, see `RatingStudy.compare`; `models` {name: model} are fitted by studies with this one's settings."""
    who = np.unique(table.rater)
    folds = min(validation.integer(folds, "folds", least=2), len(who))
    if folds < 2:
        raise ValueError("table holds ratings of one rater; at least two are needed, to predict one by the other.")
    turn = np.random.default_rng(0).permutation(len(who)) % folds
    part = turn[np.searchsorted(who, table.rater)]
    rows = {name: _row(_fitted(study, model, table), table, part, folds) for name, model in models.items()}
    return pd.DataFrame(rows).T.infer_objects().rename_axis("model")


def _fitted(study, model, table):
    with warnings.catch_warnings():
        for category in SAID_ELSEWHERE:
            warnings.simplefilter("ignore", category)
        return clone(study).set_params(model=model, response="number", plug_in=True).fit(table)


def _row(study, table, part, folds):
    """Row of a comparison: a fitted study's evidence, and the scores of fits like it for held-out raters."""
    scores, raters, hits = [], [], 0.0
    for k in range(folds):
        learned, hidden = _fitted(study, _warm_started(study.model_), table[part != k]), table[part == k]
        scored, raters_of_fold = learned._log_scores(hidden)
        scores.append(scored)
        raters.append(raters_of_fold)
        hits += learned.coverage(hidden, levels=[0.9])["share"].item() * len(scored)
    mean, error = mean_by_rater(np.concatenate(scores), np.concatenate(raters))
    return {
        "evidence": study.answers_.evidence,
        "log_score": mean,
        "log_score_se": error,
        "coverage": hits / sum(map(len, scores)),
        "largest_weight": study.answers_.largest_weight(),
    }


def _warm_started(model):
    """The model with a search that starts at the parameters of this fitted one."""
    found = {"kernel": model.kernel_, "nugget_std": None, "bias_std": getattr(model, "bias_std_", 0) or None}
    return clone(model).set_params(**{name: value for name, value in found.items() if name in model.get_params()})


def mean_by_rater(scores, rater):
    """(mean, standard error) of (m,) scores, with raters as clusters.

    Source: Cochran (1977), "Sampling techniques", section 9A.1, of a ratio over clusters.
    """
    _, whose = np.unique(rater, return_inverse=True)
    mean, R = float(np.mean(scores)), whose.max() + 1
    apart = np.bincount(whose, scores - mean)
    return mean, float(np.sqrt(R / (R - 1) * (apart @ apart)) / len(scores)) if R > 1 else np.nan
