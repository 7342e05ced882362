"""The models that a study of ratings fits where none is given.

Lecture: 14, section 2.
"""

import numpy as np
from scipy.stats import norm, t
from sklearn.base import clone

from course_lib import validation
from course_lib.gp import White
from course_lib.judgments.panels.bounded_raters import BoundedRaterGP
from course_lib.judgments.panels.multisample import MultiSampleGP
from course_lib.judgments.panels.ordinal_raters import OrdinalRaterGP
from course_lib.judgments.panels.raters import RaterGP

MOST_LABELS = 11  # that have cut points of their own
FIRST_NUGGET = 0.3  # of the spread of the items' means: where the search for the nugget begins
FIRST_SPREAD = 0.5  # of biases, and of the nugget of labels, in the unit of f: where their searches begin
FEWEST_TO_TELL = 3  # answers of a rater from which a noise of their own can be told at all
POOLED_SPREAD = 0.5  # of the logarithms of the raters' noises round one level, as `RaterGP` has it
EQUAL_SPREAD = 0.02  # of the same, where noises are held to be equal
MAX_RIVAL_SIZE = 600  # items and raters, beyond which evidences would take minutes
MAX_RIVAL_RATERS = 150  # beyond which gains are not tried unasked: their evidence would take minutes
STIFF_ITER = 1000  # rounds of the search beside so narrow a prior: 200 were too few for one panel in six
GAIN_DEGREES = 2.0  # of freedom of the logarithms of gains: one rater in twenty uses twice or half of the scale
GAIN_SCALE = 0.3 / t.ppf(norm.cdf(1.0), GAIN_DEGREES)  # two thirds of the gains lie within a factor of e^0.3


def whole_marks(table):
    """Whether all marks of a RatingTable, and the ends of its scale, are whole numbers."""
    marks = np.append(table.rating, () if table.scale is None else table.scale)
    return bool((marks == np.round(marks)).all())


def levels_of(table):
    """Number of labels on the scale of a RatingTable, one apart."""
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


def variance_of_means(table):
    """Variance of the items' mean ratings, where searches for the size of a kernel begin."""
    sums, counts = np.bincount(table.item, table.rating), np.bincount(table.item)
    return float((sums[counts > 0] / counts[counts > 0]).var()) or 1.0


def number_model(table):
    """A RaterGP with biases, or a MultiSampleGP where raters gave too few answers to tell them apart."""
    spread = np.sqrt(variance_of_means(table))
    nugget = None if table.features is None else FIRST_NUGGET * spread
    if np.median(np.bincount(table.rater)) < FEWEST_TO_TELL or len(np.unique(table.rater)) < 2:
        return MultiSampleGP(nugget_std=nugget)
    opinion = spread / 2 if table.answers.shape[2] > 1 else None
    alone = White(spread**2) if table.features is None else None  # names tell no two items to be alike
    return RaterGP(alone, bias_std=spread / 2, nugget_std=nugget, pooling=POOLED_SPREAD, opinion_std=opinion)


def number_models(model, items, raters):
    """{name: model} that rival a default RaterGP of so many items and raters, itself among them."""
    if items + raters > MAX_RIVAL_SIZE:
        return {"unequal noises": model}
    one = clone(model).set_params(pooling=EQUAL_SPREAD, max_iter=STIFF_ITER)
    found = {"one noise": one, "unequal noises": model}
    if model.opinion_std is None and raters <= MAX_RIVAL_RATERS:  # some may use more of the scale, or hardly any
        found["with gains"] = clone(model).set_params(gain_std=GAIN_SCALE, gain_degrees=GAIN_DEGREES)
    return found


def ordinal_model(table):
    """An OrdinalRaterGP of the table's scale, with shared cut points and biases."""
    nugget = None if table.features is None else FIRST_SPREAD
    return OrdinalRaterGP(levels=levels_of(table), cut_std=None, bias_std=FIRST_SPREAD, nugget_std=nugget)


def bounded_model(table):
    """A BoundedRaterGP of marks, which are moved inside the scale by half a step."""
    low, high = table.scale or (0.0, 1.0)
    step = 1.0 if whole_marks(table) else 0.01 * (high - low)
    if table.scale and step == 1 and high - low < MOST_LABELS:
        raise ValueError(
            f"response is 'bounded', which takes marks as exact, but from {low:g} to {high:g} each mark stands for "
            "all values nearest to it: use 'rounded' or 'ordinal'."
        )
    return _marks(table, "bounded", inside=0.5 * step / (high - low))


def rounded_model(table):
    """A BoundedRaterGP of whole marks: a Gaussian cut off at the ends, of which each mark is a step."""
    if table.scale and not whole_marks(table):
        raise ValueError("response is 'rounded', but not all marks are whole numbers: use response='bounded'.")
    return _marks(table, "rounded", likelihood="gaussian", step=1.0)


def _marks(table, response, **settings):
    if table.scale is None:
        raise ValueError(f"table has no scale, and response is {response!r}: from_long(…, scale=(0, 100)).")
    nugget = None if table.features is None else FIRST_NUGGET
    low, high = table.scale
    return BoundedRaterGP(low=low, high=high, bias_std=FIRST_SPREAD, nugget_std=nugget, **settings)


DEFAULT_MODELS = {"number": number_model, "bounded": bounded_model}
DEFAULT_MODELS |= {"rounded": rounded_model, "ordinal": ordinal_model}
