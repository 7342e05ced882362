"""Items of which labels in order were given, as a study answers of them: on the scale of the marks.

Lecture: 14, section 2.
"""

import numpy as np
import pandas as pd
from scipy.special import ndtr

from course_lib import validation
from course_studies.results import DRAWS, KnownItems

MOST_LABELS = 11


def whole_marks(table):
    """Whether all marks of a RatingTable, and the ends of its scale, are whole numbers."""
    marks = np.append(table.rating, () if table.scale is None else table.scale)
    return bool((marks == np.round(marks)).all())


def levels_of(table):
    """How many labels the scale of a RatingTable has, from its least to its greatest, one apart."""
    if table.scale is None or not whole_marks(table):
        came = "no scale" if table.scale is None else "ratings or ends of the scale that are no whole numbers"
        raise ValueError(f"table has {came}; labels in order need whole marks and from_long(…, scale=(1, 5)).")
    levels = int(table.scale[1] - table.scale[0]) + 1
    if levels > MOST_LABELS:
        raise ValueError(
            f"the table's scale from {table.scale[0]:g} to {table.scale[1]:g} has {levels} labels, more than "
            f"{MOST_LABELS}: too many for cut points of their own. response='number' or 'bounded' takes them."
        )
    return validation.integer(levels, "levels", least=2)


class LabelledItems(KnownItems):
    """Items of a fitted OrdinalRaterGP: what compares them is known of f, and marks are those that raters would give.

    That is the mean over biases, or over the raters' cut points. It is told though the level of f is not where raters
    have cut points of their own: draws of f go with the cut points of the same member of an averaged model.

    low : the mark of label 0
    """

    def __init__(self, model, low):
        super().__init__(model.consensus_, model.consensus_cov_, scale=True)
        latent, rng = model.latent_, np.random.default_rng(0)
        members, shares = (latent.members_, latent.shares_) if latent.members_ else ((latent,), np.ones(1))
        whose = rng.choice(len(members), DRAWS, p=shares)
        self.marks = np.empty((DRAWS, len(self.mean)))
        for k in np.unique(whose):
            mean, cov = (part[model._rows] for part in members[k].item_moments())
            f = rng.multivariate_normal(mean, cov[:, model._rows], np.sum(whose == k), method="eigh")
            bias = 0.0 if model.bias_std is None else members[k].kernel_.bias_std
            self.marks[whose == k] = low + _mean_label(members[k].likelihood_.children, f, bias)

    def drawn(self, size=DRAWS, rng=0):
        """(size, n) marks drawn; as many as there are by themselves are those."""
        return self.marks if size == DRAWS else np.random.default_rng(rng).choice(self.marks, size)


def _mean_label(parts, f, bias_std):
    """(…,) mean label of raters, one of whom each part is, with biases N(0, bias_std²): how many cuts lie below."""
    found, noise = np.zeros(np.shape(f)), np.sqrt(1.0 + bias_std**2)
    for cut in np.concatenate([part.cuts for part in parts]):
        found += ndtr((f - cut) / noise)
    return found / len(parts)


def label_habits(model, raters, answers, low):
    """DataFrame of raters: bias (marks above the mean of all raters' for the same items), cut points, answers."""
    consensus, parts = model.consensus_, np.resize(np.array(model.likelihood_.children, dtype=object), len(raters))
    shift = model.rater_bias_ if model.bias_std is not None else np.zeros(len(raters))
    each = np.array([part.mean(consensus + b).mean() for part, b in zip(parts, shift, strict=True)])
    cuts = (model.cuts_ - shift[:, None]).T
    cuts = {f"{low + k:g}|{low + k + 1:g}": cut for k, cut in enumerate(cuts)}
    return pd.DataFrame({"bias": each - each.mean(), **cuts, "answers": answers}, index=raters)
