"""Draws from posteriors that no Gaussian resembles: against quadrature, and where answers all agree."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import log_ndtr

from course_lib import gp
from course_lib.gp.slice_sampling import ellipse_step
from course_lib.judgments import PreferenceGP
from course_studies import PairStudy, from_pairs
from course_studies.design import Design
from course_studies.pair_answers import UnanimousWarning

ITEMS = ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(("wins", "losses"), [(12, 0), (3, 0), (9, 3)])
def test_a_difference_by_quadrature(wins, losses):
    """Two items of which one won all comparisons: its density is that of a prior cut off, far from Laplace's."""
    scale = 6.0
    model = PreferenceGP(gp.White(scale**2), optimize=False)
    model.fit(
        np.eye(2), [(0, 1), (1, 0)][: 1 + (losses > 0)], [1, 1][: 1 + (losses > 0)], [wins, losses][: 1 + (losses > 0)]
    )
    ((_, drawn),) = model.latent_.draws(model.latent_.items_)
    apart = drawn[:, 1] - drawn[:, 0]
    g = np.linspace(-40, 60, 20_001)
    density = wins * log_ndtr(g / np.sqrt(2)) + losses * log_ndtr(-g / np.sqrt(2)) - 0.25 * (g / scale) ** 2
    density = np.exp(density - density.max())
    below = np.cumsum(density) / density.sum()
    quantiles = g[np.searchsorted(below, [0.05, 0.25, 0.5, 0.75, 0.95])]
    spread = np.sqrt(density @ g**2 / density.sum() - (density @ g / density.sum()) ** 2)
    np.testing.assert_allclose(np.quantile(apart, [0.05, 0.25, 0.5, 0.75, 0.95]), quantiles, atol=0.22 * spread)
    assert np.mean(apart > 0) == pytest.approx(1 - below[8000], abs=0.01)


def test_a_step_leaves_the_weighted_gaussian_as_it_is():
    """N(1, I) times a weight that cuts the first number off at 0 and tilts the second."""
    rng = np.random.default_rng(0)

    def log_weights(f):
        return (np.where(f[0] > 0, 0.0, -np.inf) + 0.5 * f[1])[None]

    drawn = 1.0 + rng.normal(size=(2, 60_000))
    drawn[1] += 0.5  # the exponential tilt of a Gaussian moves it
    drawn = drawn[:, drawn[0] > 0]
    other = rng.normal(size=drawn.shape)
    moved, weights = ellipse_step(drawn, log_weights(drawn), 0, 1.0, other, log_weights, rng)
    assert (weights == log_weights(moved)).all()
    assert (moved[0] > 0).all() and (moved != drawn).any(axis=0).mean() > 0.99
    np.testing.assert_allclose(moved.mean(axis=1), drawn.mean(axis=1), atol=0.02)
    np.testing.assert_allclose(np.cov(moved), np.cov(drawn), atol=0.03)


def test_differences_are_drawn_from_their_gaussian():
    x, pairs = np.arange(4.0), [(0, 1), (1, 2), (2, 3), (0, 3)]
    model = PreferenceGP(response="difference").fit(x, pairs, [1.0, 0.4, 0.9, 2.2])
    mean, std = model.predict_difference(x, [(0, 3)])
    ((_, drawn),) = model.latent_.draws(model.latent_.items_)
    apart = drawn[:, 3] - drawn[:, 0]
    assert [apart.mean(), apart.std()] == pytest.approx([mean.item(), std.item()], rel=0.03)


def unanimous(people, gap=3.5):
    """A table in which the later item of each pair wins, whoever answers; sides change."""
    rows = [
        (*((a, b) if (i + p) % 2 else (b, a)), b, f"p{p}")
        for p in range(people)
        for i, (a, b) in enumerate((ITEMS[i], ITEMS[j]) for i in range(5) for j in range(i + 1, 5))
    ]
    return from_pairs(pd.DataFrame(rows, columns=["x", "y", "better", "who"]), "x", "y", "better", person="who")


@pytest.mark.parametrize("settings", [{}, {"design": Design(order=True)}, {"people": "one"}])
def test_answers_that_all_agree_come_out_as_certain_as_they_are(settings):
    """Twelve people of one mind: nothing is undecided, and what is not known of sizes is said."""
    with pytest.warns(UnanimousWarning, match="no answer of 120 contradicts .* not how far"):
        study = PairStudy(**settings).fit(unanimous(12))
    contrasts, ranking = study.contrasts(), study.ranking()
    sure = np.where(contrasts["a"] < contrasts["b"], contrasts["p_better"], 1 - contrasts["p_better"])
    assert (sure > 0.99).all() and ((contrasts["low"] > 0) | (contrasts["high"] < 0)).all()
    assert list(ranking.index) == ITEMS[::-1] and ranking["group"].is_unique
    shares = study.shares([("a", "b"), ("a", "e")])
    assert (shares["p_b"] > 0.95).all() and (shares["for_b"] == 12).all()
    assert study.score(unanimous(12)) == 1.0


def test_an_answer_that_contradicts_is_no_order():
    table = unanimous(2)
    table.answer[:1] *= -1
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("error", UnanimousWarning)
        PairStudy(plug_in=True).fit(table)
