"""Metrics against their definitions, quadrature and SciPy; and what must be refused."""

import re

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import logsumexp
from scipy.stats import binomtest, norm
from scipy.stats import t as student

from course_lib.metrics import (
    paired_t_test,
    proportion,
    score_log_probabilities,
)


@pytest.mark.parametrize(("k", "n"), [(0, 7), (1, 10), (45, 50), (30, 30), (1, 1)])
@pytest.mark.parametrize("confidence", [0.95, 0.6])
def test_interval_is_where_the_score_test_just_accepts(k, n, confidence):
    found = proportion(np.arange(n) < k, confidence)
    published = binomtest(k, n).proportion_ci(confidence, method="wilson")
    assert found.estimate == pytest.approx(k / n)
    assert (found.low, found.high) == pytest.approx((published.low, published.high), abs=1e-12)


# --- a Gaussian prediction as probabilities of scores -----------------------------------------------

SCALE = np.arange(11)


def bin_by_quadrature(mean, std, c):
    """log of the mass of N(mean, std²) in [c − ½, c + ½]: the density at its nearer end times an integral."""
    near = c - 0.5 if c >= mean else c + 0.5
    if abs(c - mean) < 0.5:
        return np.log(quad(norm(mean, std).pdf, c - 0.5, c + 0.5, points=[mean], epsabs=0, epsrel=1e-12)[0])
    z, w = abs(near - mean) / std, 1 / std
    reach = min(w, 60 / (z + 1))
    return norm.logpdf(z) + np.log(quad(lambda t: np.exp(-z * t - t * t / 2), 0, reach, epsabs=0, epsrel=1e-12)[0])


@pytest.mark.parametrize(
    ("mean", "std"),
    [(7.3, 1.1), (4.5, 0.4), (5, 0.05), (-2, 3), (0, 40), (310, 1), (-300, 1), (40, 0.1), (3e4, 100), (5, 1e4)],
)
def test_score_probabilities_are_integrals_of_the_density(mean, std):
    log_bins = np.array([bin_by_quadrature(mean, std, c) for c in SCALE])
    found = score_log_probabilities([mean], [std], SCALE)
    np.testing.assert_allclose(found[0], log_bins - logsumexp(log_bins), rtol=1e-10, atol=1e-9)
    assert logsumexp(found) == pytest.approx(0, abs=1e-12)


def test_score_probabilities_mirror_and_move_with_the_scale():
    mean, std = np.array([-250.0, -3.2, 4.9, 9.5, 77.0]), np.array([1, 0.3, 2, 0.8, 0.25])
    found = score_log_probabilities(mean, std, SCALE)
    np.testing.assert_allclose(score_log_probabilities(10 - mean, std, SCALE)[:, ::-1], found, rtol=1e-12)
    np.testing.assert_allclose(score_log_probabilities(mean + 100, std, range(100, 111)), found, rtol=1e-9)


def test_score_probabilities_at_their_limits():
    np.testing.assert_allclose(score_log_probabilities([3.0], [1e6], SCALE), -np.log(11), atol=1e-9)
    sharp = score_log_probabilities([3.2, 3.5, 3.2], [1e-9, 1e-9, 1e-100], SCALE)
    np.testing.assert_allclose(np.exp(sharp[:2, 3:5]), [[1, 0], [0.5, 0.5]], atol=1e-9)
    far = score_log_probabilities([1e9, -1e9], [1e-100, 1e6], SCALE)
    assert np.isfinite(sharp).all() and np.isfinite(far).all()


# --- paired tests -----------------------------------------------------------------------------------


def test_paired_t_by_hand():
    """Differences 1, 2, 3, −2: mean 1, variance 14/3."""
    found = paired_t_test([2, 4, 6, 1], [1, 2, 3, 3])
    assert found.difference == pytest.approx(1) and found.standard_error == pytest.approx(np.sqrt(14 / 3 / 4))
    assert found.t == pytest.approx(np.sqrt(12 / 14))
    assert found.p == pytest.approx(2 * student(3).sf(np.sqrt(12 / 14)))


# --- what is refused --------------------------------------------------------------------------------

RISING = [1.0, 2.0, 3.0, 5.0]


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("std[1] is 0; a standard deviation above 0", lambda: score_log_probabilities([1, 2], [1, 0], SCALE)),
        ("std[0] is 1e+07", lambda: score_log_probabilities([1], [1e7], SCALE)),
        ("mean[1] is -1e+10", lambda: score_log_probabilities([1, -1e10], [1, 1], SCALE)),
        ("mean has shape (2,), std has shape (1,)", lambda: score_log_probabilities([1, 2], [1], SCALE)),
        ("scores (shape (3,)) holds [0. 1. 3.]", lambda: score_log_probabilities([1], [1], [0, 1, 3])),
        ("a has shape (3,), b has shape (2,)", lambda: paired_t_test([1, 2, 3], [1, 2])),
        ("n of at least 2", lambda: paired_t_test([1], [2])),
        ("a − b is 0 for all 4 items", lambda: paired_t_test(RISING, RISING)),
        ("a − b is 0.1 for all 4 items", lambda: paired_t_test(np.add(RISING, 0.1), RISING)),
    ],
)
def test_errors_name_the_argument(message, call):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
