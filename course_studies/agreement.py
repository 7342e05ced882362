"""Agreement of raters as one number of a table: intraclass correlations and Krippendorff's α.

Lecture: 14, section 7.
"""

import numpy as np
import pandas as pd

from course_lib import validation
from course_studies.ratings import RatingTable

ALPHA_METRICS = ("interval", "nominal")


def intraclass_correlations(table: RatingTable) -> pd.Series:
    """Series of five correlations: ICC(1), ICC(A,1), ICC(C,1), ICC(A,k) and ICC(C,k), from the mean squares.

    A counts the raters' biases as errors (agreement), C does not (consistency); 1 is the reliability of one rating, k
    that of the mean of all R raters. ICC(1) is of items that were each rated by other raters.

    table : RatingTable without gaps, of two items or more by two raters or more

    Source: Shrout and Fleiss (1979), "Intraclass correlations: uses in assessing rater reliability", Psychological
    Bulletin 86, who call A "2" and C "3"; the letters are McGraw and Wong's (1996).
    """
    Y = _checked(table).Y.to_numpy()
    if np.isnan(Y).any():
        raise ValueError(
            f"table has {int(np.isnan(Y).sum())} gaps; mean squares need a whole table, krippendorff_alpha does not. "
            "table.Y.dropna(axis='columns') shows the raters without gaps."
        )
    (n, R), mean = Y.shape, Y.mean()
    between, raters = Y.mean(axis=1) - mean, Y.mean(axis=0) - mean
    rest = Y - mean - between[:, None] - raters
    items = R * (between**2).sum() / (n - 1)  # mean squares
    judges = n * (raters**2).sum() / (R - 1)
    error = (rest**2).sum() / ((n - 1) * (R - 1))
    within = (judges + (n - 1) * error) / n
    shared = (judges - error) / n  # the variance of biases
    found = {
        "ICC(1)": (items - within) / (items + (R - 1) * within),
        "ICC(A,1)": (items - error) / (items + (R - 1) * error + R * shared),
        "ICC(C,1)": (items - error) / (items + (R - 1) * error),
        "ICC(A,k)": (items - error) / (items + shared),
        "ICC(C,k)": (items - error) / items if items else np.nan,
    }
    return pd.Series(found, name="ICC")


def krippendorff_alpha(table: RatingTable, metric: str = "interval") -> float:
    """1 − (disagreement within items) / (disagreement of any two ratings of the table); gaps are allowed.

    table : RatingTable;  items with one rating are left out, as α says
    metric : "interval", squares of differences; "nominal", whether two ratings differ

    Source: Krippendorff (2011), "Computing Krippendorff's alpha-reliability".

    >>> import pandas as pd
    >>> from course_studies import from_wide, krippendorff_alpha
    >>> marks = from_wide(pd.DataFrame({"Ann": [1, 2, 4], "Ben": [2, 3, 4]}, index=["a", "b", "c"]))
    >>> round(krippendorff_alpha(marks), 2)
    0.77
    """
    validation.one_of(metric, ALPHA_METRICS, "metric")
    Y = _checked(table).Y.to_numpy()
    Y = Y[(~np.isnan(Y)).sum(axis=1) >= 2]
    ratings = Y[~np.isnan(Y)]
    if not len(Y) or np.ptp(ratings) == 0:
        raise ValueError(
            f"table holds {len(Y)} items with two ratings or more, and {len(np.unique(ratings))} different ratings of "
            "these; α compares ratings of one item with those of all."
        )
    within = sum(_disagreement(row, metric) / (len(row) - 1) for row in (y[~np.isnan(y)] for y in Y))
    return float(1.0 - within * (len(ratings) - 1) / _disagreement(ratings, metric))


def _disagreement(ratings, metric):
    """Sum over all ordered pairs of ratings."""
    if metric == "interval":
        return 2.0 * len(ratings) ** 2 * ratings.var()
    counts = np.unique(ratings, return_counts=True)[1]
    return float(len(ratings) ** 2 - (counts**2).sum())


def _checked(table):
    validation.instance(table, RatingTable, "table", "a RatingTable, which from_long or from_wide makes,")
    n, R = table.Y.shape
    if n < 2 or R < 2:
        raise ValueError(f"table has {n} items and {R} raters; two of each are needed, at least.")
    if np.ptp(table.rating) == 0:
        raise ValueError(f"all ratings in the table are {table.rating[0]:g}; agreement needs ratings that differ.")
    return table
