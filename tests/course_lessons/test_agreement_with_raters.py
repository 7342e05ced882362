"""Agreement with raters against definitions, published values and simulations; and what must be refused."""

import re
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import entropy, kstest, norm

from course_lessons.several_answers.agreement import (
    agreement,
    answer_shares,
    compare_correlations,
    discrete_kl,
    round_to_scale,
)
from course_lib.metrics import score_log_probabilities

SCALE = np.arange(11)

# --- answers, divergence, rounding ------------------------------------------------------------------

NAN = float("nan")


def test_shares_count_the_answers_that_there_are():
    shares = answer_shares([[1, 2, 2, 3], [3, NAN, 3, NAN], [1, 3, NAN, 3]], [1, 2, 3])
    np.testing.assert_array_equal(shares, [[0.25, 0.5, 0.25], [0, 0, 1], [1 / 3, 0, 2 / 3]])
    np.testing.assert_array_equal(answer_shares([[2, None]], [1, 2]), [[0, 1]])
    np.testing.assert_array_equal(answer_shares([2, 1], [1, 2]), [[0, 1], [1, 0]])


def test_shares_do_not_know_the_raters_names():
    rng = np.random.default_rng(2)
    Y = rng.integers(0, 11, (30, 5)).astype(float)
    Y[rng.random(Y.shape) < 0.3] = NAN
    Y[:, 0] = 4
    np.testing.assert_array_equal(answer_shares(rng.permuted(Y, axis=1), SCALE), answer_shares(Y, SCALE))
    np.testing.assert_allclose(answer_shares(Y, SCALE) @ SCALE, np.nanmean(Y, axis=1))


def test_divergence_by_hand_and_by_scipy():
    by_hand = 0.5 * np.log(0.5 / 0.25) + 0.5 * np.log(0.5 / 0.75)
    assert discrete_kl([[0.5, 0.5]], np.log([[0.25, 0.75]])) == pytest.approx(by_hand)
    P, Q = np.random.default_rng(3).dirichlet(np.full(6, 0.7), (2, 50))
    np.testing.assert_allclose(discrete_kl(P, np.log(Q)), entropy(P, Q, axis=1), rtol=1e-10)


def test_divergence_of_a_certain_answer_is_its_surprise():
    """P_ref is one score: 0 log 0 = 0, and KL = −log P(c), far in the tail too."""
    log_P = score_log_probabilities([400.0], [1.0], SCALE)
    for c in SCALE:
        assert discrete_kl(np.eye(11)[[c]], log_P)[0] == pytest.approx(-log_P[0, c], rel=1e-12)


def test_divergence_is_zero_only_for_the_same_and_infinite_for_the_impossible():
    P = np.random.default_rng(4).dirichlet(np.ones(7), 200)
    log_P = np.log(P)
    same = discrete_kl(np.exp(log_P), log_P)
    assert (same >= 0).all() and same.max() < 1e-12
    assert (discrete_kl(P, np.log(P[::-1])) > 0).all()
    with np.errstate(divide="ignore"):
        never = np.log([[0.0, 1.0], [0.0, 1.0]])
    np.testing.assert_array_equal(discrete_kl([[0, 1], [0.5, 0.5]], never), [0, np.inf])


def test_rounding_takes_halves_up_and_stays_on_the_scale():
    mean = [-9, -0.5, 0.49, 0.5, 1.5, 2.5, 2.4999, np.nextafter(0.5, 0), 9.5, 10.7]
    np.testing.assert_array_equal(round_to_scale(mean, SCALE), [0, 0, 0, 1, 2, 3, 2, 0, 10, 10])
    np.testing.assert_array_equal(round_to_scale([[-1.5, -0.5]], [-2, -1, 0]), [[-1, 0]])
    assert round(2.5) == 2  # Python takes halves to even


def test_rounding_gives_the_nearest_score():
    mean = np.random.default_rng(5).uniform(-3, 13, 500)
    np.testing.assert_array_equal(round_to_scale(mean, SCALE), SCALE[np.abs(mean[:, None] - SCALE).argmin(axis=1)])


def test_agreement_by_hand():
    """Rounded predictions 2, 3, 1; mean answers 2.5 → 3, 3, 4/3 → 1."""
    mean, std = np.array([2.2, 2.5, 0.7]), np.array([0.5, 1.0, 2.0])
    Y = np.array([[2, 3, NAN], [3, NAN, NAN], [1, 1, 2]])
    found = agreement(mean, std, Y, [1, 2, 3])
    assert found.correlation == pytest.approx(2 / np.sqrt(2 * 8 / 3))
    assert found.squared_error == pytest.approx(1 / 3)
    c, m, s = np.array([1, 2, 3]), mean[:, None], std[:, None]
    P = norm.cdf(c + 0.5, m, s) - norm.cdf(c - 0.5, m, s)
    shares = np.array([[0, 0.5, 0.5], [0, 0, 1], [2 / 3, 1 / 3, 0]])
    assert found.divergence == pytest.approx(entropy(shares, P, axis=1).mean())


def test_agreement_is_best_with_the_spread_of_the_raters():
    """The expected divergence is cross-entropy minus a constant: least for the distribution that made the answers."""
    rng = np.random.default_rng(6)
    mean = rng.uniform(3, 7, 400)
    Y = round_to_scale(rng.normal(mean[:, None], 1.2, (400, 5)), SCALE)
    divergences = [agreement(mean, np.full(400, std), Y, SCALE).divergence for std in (0.5, 0.9, 1.2, 1.6, 2.5)]
    assert np.argmin(divergences) == 2
    of_truth = agreement(mean, np.full(400, 1.2), Y, SCALE)
    assert of_truth.correlation > 0.85 and of_truth.squared_error < 0.6


# --- two correlations -------------------------------------------------------------------------------


def columns_with(r_ya, r_yb, r_ab, n):
    """(3, n) columns y, a, b whose sample correlations are exactly these."""
    white = np.linalg.qr(np.random.default_rng(n).normal(size=(n, 4)) * [0, 1, 1, 1] + [1, 0, 0, 0])[0][:, 1:]
    return np.linalg.cholesky([[1, r_ya, r_yb], [r_ya, 1, r_ab], [r_yb, r_ab, 1]]) @ white.T


@pytest.mark.parametrize(
    ("correlations", "n", "z", "p", "digits"),
    [
        ((0.4, 0.5, 0.1), 103, -0.8887185, None, 7),  # Steiger (1980), case A, p. 249, without its rounding (−.8913)
        ((0.3, 0.4, 0.5), 100, -1.0718, 0.2838, 4),  # DEPCOR: Silver, Hittner & May (2006)
    ],
)
def test_correlations_compare_as_published(correlations, n, z, p, digits):
    found = compare_correlations(*columns_with(*correlations, n))
    assert (found.first, found.second) == pytest.approx(correlations[:2])
    assert found.z == pytest.approx(z, abs=0.51 * 10.0**-digits)
    assert found.p == pytest.approx(p or 2 * norm.cdf(-abs(z)), abs=10.0**-digits)


@pytest.mark.parametrize(
    "correlations",
    [(0.6, 0.5, 0.7), (-0.6, 0.2, 0.1), (0.9, 0.8, 0.95), (0.3, -0.3, -0.9999), (0.99999, 0.99998, 0.99999)],
)
def test_correlations_follow_steigers_formula_in_exact_arithmetic(correlations):
    columns = columns_with(*correlations, 40)
    R = [[Fraction(float(r)) for r in row] for row in np.corrcoef(columns)]
    mean = (R[0][1] + R[0][2]) / 2
    psi = R[1][2] * (1 - 2 * mean**2) - mean**2 * (1 - 2 * mean**2 - R[1][2] ** 2) / 2
    variance = float(2 - 2 * psi / (1 - mean**2) ** 2)
    z = np.sqrt(37) * (np.arctanh(float(R[0][1])) - np.arctanh(float(R[0][2]))) / np.sqrt(variance)
    assert compare_correlations(*columns).z == pytest.approx(z, rel=1e-9)


def test_correlations_turn_round_with_their_arguments_and_ignore_units():
    y, a, b = np.random.default_rng(9).normal(size=(3, 30)) + np.random.default_rng(10).normal(size=30)
    one, other = compare_correlations(y, a, b), compare_correlations(y, b, a)
    np.testing.assert_allclose(other, [one.second, one.first, -one.z, one.p])
    np.testing.assert_allclose(compare_correlations(3 * y - 1, 0.1 * a, 7 * b + 100), one)
    np.testing.assert_allclose(compare_correlations(-y, a, b), [-one.first, -one.second, -one.z, one.p])


def test_correlations_of_a_prediction_with_itself_in_other_units_are_refused_whatever_the_rounding():
    rng = np.random.default_rng(12)
    for _ in range(50):
        y, a = rng.normal(size=(2, 25))
        with pytest.raises(ValueError, match="a and b correlate at 1"):
            compare_correlations(y, a, rng.uniform(0.1, 9) * a + rng.normal())


def simulated_tests(r_ya, r_yb, r_ab, n, repetitions):
    root = np.linalg.cholesky([[1, r_ya, r_yb], [r_ya, 1, r_ab], [r_yb, r_ab, 1]])
    rng = np.random.default_rng(11)
    return [compare_correlations(*(root @ rng.normal(size=(3, n)))) for _ in range(repetitions)]


@pytest.mark.long
@pytest.mark.parametrize(("r", "r_ab"), [(0.5, 0.6), (0.0, 0.0), (0.7, 0.9), (0.3, -0.4)])
def test_correlations_p_is_uniform_if_nothing_differs(r, r_ab):
    found = simulated_tests(r, r, r_ab, n=150, repetitions=2000)
    assert kstest([one.p for one in found], "uniform").pvalue > 0.01
    assert np.std([one.z for one in found]) == pytest.approx(1, abs=0.06)


@pytest.mark.long
def test_correlations_test_has_the_power_that_theory_says_and_more_than_for_independent_samples():
    found, n = simulated_tests(0.60, 0.50, 0.80, n=200, repetitions=1000), 200
    rho, d = 0.55**2, 0.20
    s = 1 - d * (2 * (1 - rho) - rho * d) / (1 - rho) ** 2 / 2
    shift = np.sqrt(n - 3) * (np.arctanh(0.6) - np.arctanh(0.5)) / np.sqrt(2 - 2 * s)
    power = np.mean([one.p < 0.05 for one in found])
    assert power == pytest.approx(norm.cdf(shift - 1.96), abs=0.04)
    as_if_independent = [np.sqrt((n - 3) / 2) * (np.arctanh(r) - np.arctanh(q)) for r, q, _, _ in found]
    assert power > 0.75 > 0.25 > np.mean(np.abs(as_if_independent) > 1.96)


# --- what is refused --------------------------------------------------------------------------------

Y3 = [[1, 2], [2, 2], [3, NAN]]
RISING = [1.0, 2.0, 3.0, 5.0]
FALLING = [4.0, 2.0, 3.0, 1.0]
HALF = np.log([[0.5, 0.5]])


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("scores (shape (2,)) holds [1. 0.]", lambda: answer_shares([[1]], [1, 0])),
        ("scores (shape (2,)) holds [0.5 1.5]", lambda: round_to_scale([1], [0.5, 1.5])),
        ("scores (shape (1,))", lambda: round_to_scale([1], [1])),
        ("Y[1, 0] is 2.5; one of the scores 0 … 10", lambda: answer_shares([[1, 2], [2.5, 1]], SCALE)),
        ("Y[1] holds no answer", lambda: answer_shares([[1, 2], [NAN, NAN]], SCALE)),
        ("row 0 of shares is [0.5 0.4]", lambda: discrete_kl([[0.5, 0.4]], HALF)),
        ("row 0 of shares is [ 1.5 -0.5]", lambda: discrete_kl([[1.5, -0.5]], HALF)),
        ("row 0 of exp(log_probabilities)", lambda: discrete_kl([[0.5, 0.5]], [[0.5, 0.5]])),
        ("shares has shape (1, 2) and log_probabilities (2,)", lambda: discrete_kl([[0.5, 0.5]], HALF[0])),
        ("mean has 2 items and Y has 3", lambda: agreement([1, 2], [1, 1], Y3, SCALE)),
        ("the rounded mean is 2 for all 3 items", lambda: agreement([1.9, 2, 2.2], [1, 1, 1], Y3, SCALE)),
        ("the rounded mean of the answers in Y is 2", lambda: agreement([1, 2], [1, 1], [[2], [2]], SCALE)),
        ("Y[1] holds no answer", lambda: agreement([1, 2], [1, 1], [[2], [NAN]], SCALE)),
        ("n of at least 4", lambda: compare_correlations(RISING[:3], FALLING[:3], [1, 3, 2])),
        (
            "y has shape (4,), a has shape (4,), b has shape (3,)",
            lambda: compare_correlations(RISING, FALLING, [1, 3, 2]),
        ),
        ("y is 1 for all 4 items", lambda: compare_correlations([1, 1, 1, 1], RISING, FALLING)),
        ("a is 0.1 for all 4 items", lambda: compare_correlations(RISING, [0.1] * 4, FALLING)),
        ("b is 0 for all 4 items", lambda: compare_correlations(RISING, FALLING, [0] * 4)),
        ("a and b correlate at 1", lambda: compare_correlations(RISING, FALLING, FALLING)),
        ("a and b correlate at 1", lambda: compare_correlations(RISING, FALLING, 3 * np.array(FALLING) - 1)),
        ("r(y, a) is 1", lambda: compare_correlations(RISING, np.multiply(RISING, 2), FALLING)),
        ("r(y, b) is -1", lambda: compare_correlations(RISING, FALLING, np.multiply(RISING, -2))),
    ],
)
def test_errors_name_the_argument(message, call):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()
