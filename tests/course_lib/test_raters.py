"""Simulated raters: their moments, what is missing, the paper's first experiment."""

import numpy as np
import pytest

from course_lessons.unequal_raters.example import BY_REGION, HOMOGENEOUS, first_experiment
from course_lib.judgments import simulate_raters

N = 40_000
Z = np.sin(np.linspace(0, 20, N)) + 3
STD = np.array([0.2, 0.5, 1.0])


@pytest.mark.parametrize("correlation", [0.0, 0.3, 0.9])
def test_noises_have_the_spread_and_the_correlation_that_were_asked_for(correlation):
    apart = simulate_raters(Z, STD, 1, correlation=correlation) - Z[:, None]
    np.testing.assert_allclose(apart.mean(axis=0), 0, atol=5 / np.sqrt(N))
    expected = correlation + (1 - correlation) * np.eye(3)
    np.testing.assert_allclose(np.corrcoef(apart.T), expected, atol=0.025)
    np.testing.assert_allclose(apart.std(axis=0), STD, rtol=0.02)
    neighbours = np.corrcoef(apart[:-1, 0], apart[1:, 0])[0, 1]
    assert abs(neighbours) < 0.025


def test_full_correlation_is_one_common_noise():
    apart = (simulate_raters(Z[:50], STD, 1, correlation=1.0) - Z[:50, None]) / STD
    np.testing.assert_allclose(apart, np.tile(apart[:, :1], 3))


def test_each_region_has_its_own_noises():
    table, regions = np.array([[0.1, 1.0], [0.7, 0.0]]), np.arange(N) % 2
    apart = simulate_raters(Z, table, 2, regions) - Z[:, None]
    for k in (0, 1):
        np.testing.assert_allclose(apart[regions == k].std(axis=0), table[k], rtol=0.02)
    np.testing.assert_array_equal(apart[regions == 1, 1], 0)


def test_adversaries_mirror_the_values_at_their_mean():
    Y = simulate_raters(Z, [0.0, 0.0, 0.0], 0, adversaries=[2, 0])
    np.testing.assert_array_equal(Y[:, 1], Z)
    for r in (0, 2):
        assert np.corrcoef(Y[:, r], Z)[0, 1] == pytest.approx(-1)
        assert Y[:, r].mean() == pytest.approx(Z.mean())
        assert Y[:, r].std() == pytest.approx(Z.std())
    np.testing.assert_array_equal(
        simulate_raters(Z, STD, 0, adversaries=1), simulate_raters(Z, STD, 0, adversaries=[1])
    )


@pytest.mark.parametrize("shape", [(200, 3), (3, 200), (12, 103), (1, 5), (7, 1), (1, 1)])
@pytest.mark.parametrize("missing", [0.0, 0.1, 0.5, 0.9, 0.99, 1.0])
def test_as_many_are_missing_as_can_be(shape, missing):
    n, R = shape
    for seed in range(5):
        given = ~np.isnan(simulate_raters(np.zeros(n), np.ones(R), seed, missing=missing))
        assert given.any(axis=1).all() and given.any(axis=0).all()
        assert (~given).sum() == min(round(missing * n * R), n * R - max(n, R))


def test_what_is_missing_does_not_depend_on_the_answer_or_the_place():
    full = simulate_raters(np.zeros(60), np.ones(4), 3)
    gone = np.mean([np.isnan(simulate_raters(np.zeros(60), np.ones(4), s, missing=0.4)) for s in range(400)], axis=0)
    np.testing.assert_allclose(gone, 0.4, atol=0.12)  # five standard errors
    holes = simulate_raters(np.zeros(60), np.ones(4), 3, missing=0.4)
    np.testing.assert_array_equal(holes[~np.isnan(holes)], full[~np.isnan(holes)])


def test_the_same_seed_gives_the_same_answers():
    one, other = (simulate_raters(Z[:30], STD, seed, missing=0.3) for seed in (4, np.random.default_rng(4)))
    np.testing.assert_array_equal(one, other)
    assert not np.array_equal(one, simulate_raters(Z[:30], STD, 5, missing=0.3), equal_nan=True)


# --- the first experiment -------------------------------------------------------------------------------


def test_first_experiment_is_the_papers():
    printed = [[0, 0.65, 1.0], [0.25, 0, 0.75], [0.1, 0.75, 0]]
    np.testing.assert_allclose(BY_REGION**2, printed)
    np.testing.assert_allclose(HOMOGENEOUS**2, [0.25, 0.5, 0.75])
    e = first_experiment(0)
    assert e.X.shape == (60, 1) and e.Y.shape == (60, 3) and e.X_test.shape == (600, 1)
    for x, z in ((e.X, e.z), (e.X_test, e.z_test)):
        assert x.min() >= 0 and x.max() <= 1
        np.testing.assert_allclose(z, (np.sin(2 * np.pi * x) * np.sin(6 * np.pi * x)).ravel())
    np.testing.assert_array_equal(e.regions, np.digitize(e.X[:, 0], [1 / 3, 2 / 3]))
    np.testing.assert_allclose(np.diff(e.X_test[:, 0]), 1 / 599)


def test_variances_of_the_first_experiment():
    many = [first_experiment(seed) for seed in range(150)]
    apart, regions = np.concatenate([e.Y - e.z[:, None] for e in many]), np.concatenate([e.regions for e in many])
    for k in range(3):
        np.testing.assert_allclose(apart[regions == k].var(axis=0), BY_REGION[k] ** 2, rtol=0.12)
    same = np.concatenate([(e.Y - e.z[:, None]) for e in (first_experiment(s, by_region=False) for s in range(150))])
    np.testing.assert_allclose(same.var(axis=0), [0.25, 0.5, 0.75], rtol=0.1)


def test_first_experiment_with_and_without_regions_has_the_same_items():
    one, other = first_experiment(3), first_experiment(3, by_region=False)
    np.testing.assert_array_equal(one.X, other.X)
    np.testing.assert_array_equal(one.Y, first_experiment(3).Y)
    assert not np.array_equal(one.Y, other.Y)


def test_an_adversary_is_one_of_the_raters():
    with pytest.raises(ValueError, match="adversaries holds 3; the raters are 0 … 2"):
        simulate_raters(np.arange(5.0), STD, 0, adversaries=[3])
