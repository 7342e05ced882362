"""Agreement of raters in one number, beside the tables that two papers print."""

import numpy as np
import pandas as pd
import pytest

from course_studies import from_long, from_wide, intraclass_correlations, krippendorff_alpha

SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
NO = np.nan
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NO, NO, NO],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NO, 3],
    [NO, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NO],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NO],
]


def table(Y):
    Y = np.array(Y, dtype=float)
    return from_wide(pd.DataFrame(Y, columns=[f"rater {r}" for r in range(Y.shape[1])]))


def test_the_correlations_that_shrout_and_fleiss_print():
    found = intraclass_correlations(table(SHROUT_FLEISS))
    assert found.round(2).to_dict() == {
        "ICC(1)": 0.17,
        "ICC(A,1)": 0.29,
        "ICC(C,1)": 0.71,
        "ICC(A,k)": 0.62,
        "ICC(C,k)": 0.91,
    }


def test_the_alphas_that_krippendorff_prints():
    Y = table(np.transpose(KRIPPENDORFF))
    assert krippendorff_alpha(Y) == pytest.approx(0.849, abs=5e-4)
    assert krippendorff_alpha(Y, "nominal") == pytest.approx(0.743, abs=5e-4)


def test_alpha_by_counting_pairs():
    rng = np.random.default_rng(0)
    Y = rng.integers(1, 6, (15, 4)).astype(float)
    Y[rng.uniform(size=Y.shape) < 0.3] = NO
    Y[0] = [3, NO, 4, NO]
    rated = [row[~np.isnan(row)] for row in Y if (~np.isnan(row)).sum() >= 2]
    every = np.concatenate(rated)
    for metric, apart in (("interval", lambda a, b: (a - b) ** 2), ("nominal", lambda a, b: float(a != b))):
        pairs = [
            (apart(a, b), 1 / (len(row) - 1)) for row in rated for i, a in enumerate(row) for b in np.delete(row, i)
        ]
        observed = sum(d * w for d, w in pairs) / len(every)
        expected = sum(apart(a, b) for a in every for b in every) / len(every) / (len(every) - 1)
        whole = from_long(
            pd.DataFrame([(i, r, y) for (i, r), y in np.ndenumerate(Y) if y == y], columns=["item", "rater", "y"]),
            item="item",
            rater="rater",
            rating="y",
        )
        assert krippendorff_alpha(whole, metric) == pytest.approx(1 - observed / expected, abs=1e-12)


def test_biases_count_for_agreement_and_not_for_consistency():
    rng = np.random.default_rng(1)
    Y = rng.normal(size=(30, 1)) + 0.1 * rng.normal(size=(30, 5))
    plain, biased = (intraclass_correlations(table(y)) for y in (Y, Y + np.array([0, 5, -5, 2, 9])))
    assert plain.min() > 0.95
    assert biased["ICC(C,1)"] == pytest.approx(plain["ICC(C,1)"])
    assert biased["ICC(A,1)"] < 0.1
    assert krippendorff_alpha(table(Y + np.array([0, 5, -5, 2, 9]))) < 0.1


def test_a_mean_of_many_is_surer_as_spearman_and_brown_say():
    found = intraclass_correlations(table(SHROUT_FLEISS))
    for kind in "AC":
        one = found[f"ICC({kind},1)"]
        assert found[f"ICC({kind},k)"] == pytest.approx(4 * one / (1 + 3 * one))


def test_clear_errors():
    gaps = table(np.transpose(KRIPPENDORFF))
    with pytest.raises(ValueError, match=r"7 gaps.*krippendorff_alpha does not"):
        intraclass_correlations(gaps)
    with pytest.raises(ValueError, match="4 items and 1 raters"):
        krippendorff_alpha(table([[1], [2], [3], [4]]))
    with pytest.raises(ValueError, match="all ratings in the table are 3"):
        intraclass_correlations(table([[3, 3], [3, 3]]))
    with pytest.raises(ValueError, match="1 items with two ratings or more, and 1 different"):
        krippendorff_alpha(table([[3, 3], [4, NO], [NO, 5]]))
    with pytest.raises(ValueError, match="metric"):
        krippendorff_alpha(table(SHROUT_FLEISS), "ordinal")
    with pytest.raises(ValueError, match="RatingTable"):
        krippendorff_alpha(pd.DataFrame(SHROUT_FLEISS))
