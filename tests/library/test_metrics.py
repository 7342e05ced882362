"""Wilson's interval against its definition, and what must be refused."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binomtest, norm

from course_lib.metrics import proportion


@pytest.mark.parametrize(("k", "n"), [(0, 7), (1, 10), (45, 50), (30, 30), (1, 1)])
def test_interval_is_where_the_score_test_just_accepts(k, n):
    found = proportion(np.arange(n) < k)
    published = binomtest(k, n).proportion_ci(method="wilson")
    assert found.estimate == pytest.approx(k / n)
    assert (found.low, found.high) == pytest.approx((published.low, published.high), abs=1e-12)


def test_ends_solve_the_equation_of_the_score_test():
    found, z = proportion(np.arange(40) < 9, confidence=0.9), norm.ppf(0.95)
    score = lambda p: (9 / 40 - p) / np.sqrt(p * (1 - p) / 40)  # noqa: E731
    assert found.low == pytest.approx(brentq(lambda p: score(p) - z, 1e-6, 9 / 40))
    assert found.high == pytest.approx(brentq(lambda p: score(p) + z, 9 / 40, 1 - 1e-6))


@pytest.mark.parametrize("bad", [[], [1, 0, 1], [[True]], "yes"])
def test_refuses_what_is_no_list_of_outcomes(bad):
    with pytest.raises(ValueError, match="successes"):
        proportion(bad)


@pytest.mark.parametrize("confidence", [0, 1, 95, -0.5])
def test_refuses_impossible_confidence(confidence):
    with pytest.raises(ValueError, match="confidence"):
        proportion([True], confidence)
