"""Comparisons of models of bounded marks: against what is known by hand, or by scipy."""

import numpy as np
import pytest
from scipy.stats import norm

from course_lessons.bounded_answers import contests, verdicts
from course_lessons.bounded_answers.simulators import best_fit, simulate
from course_lib import gp


class Bell:
    """Predicts every mark by the mean and spread of those it learned from."""

    def fit(self, X, y):
        self.mean, self.std = np.mean(y), np.std(y)
        return self

    def log_predictive_density(self, X, y):
        return norm.logpdf(y, self.mean, self.std)


def test_each_mark_is_predicted_by_all_other_parts():
    marks, part = np.array([0.1, 0.4, 0.2, 0.9, 0.5, 0.6]), np.array([0, 0, 1, 1, 2, 2])
    found = contests.left_out({"bell": Bell()}, np.zeros((6, 1)), marks, part)["bell"]
    for k, mark in enumerate(marks):
        others = marks[part != part[k]]
        assert found[k] == pytest.approx(norm.logpdf(mark, others.mean(), others.std()))


@pytest.mark.parametrize("part", [np.zeros(6), np.arange(5)])
def test_parts_must_fit_the_marks(part):
    with pytest.raises(ValueError, match="part has"):
        contests.left_out({"bell": Bell()}, np.zeros((6, 1)), np.full(6, 0.5), part)


def test_a_lead_has_the_standard_error_of_the_parts_means():
    found = contests.lead([1.0, 3.0, 5.0, 7.0], [0.0, 0.0, 0.0, 0.0], np.array([0, 0, 1, 1]))
    assert found.mean == 4
    assert found.error == pytest.approx(np.std([2, 6], ddof=1) / np.sqrt(2))
    assert str(found) == "+4.000 ± 2.000 (2.0 standard errors)"


def test_a_contest_scores_each_model_on_the_same_test_marks():
    kernel = gp.SquaredExponential(2.0, 1.0)
    function = simulate(kernel, 12, rng=0)
    found = contests.contest(function, kernel, "warped", rng=3)
    y, y_test = function.marks(gp.WarpedGaussian(0.5), 3, 1e-6)
    warped = best_fit("warped", kernel, function.X, y, inside=1e-6)
    assert found.shape == (3,)
    assert found[0] == pytest.approx(-warped.log_predictive_density(function.X_test, y_test).sum())
    with pytest.raises(ValueError, match="noise"):
        contests.contest(function, kernel, "normal", rng=3)


def test_the_table_names_best_and_last_and_counts_the_wins():
    one = np.array([[-5.0, -1, -2], [-2, -3, -1], [-1, -2, -6]])  # noise, model: the true one is best
    other = one + np.array([[0, 0, 0], [-2, 0, 0], [0, 0, 0]])  # marks of the truncated noise: the warped model wins
    text = contests.table_one(np.array([one, other, one])).data
    assert "| GP-WA | **-129.8 / -5 (0)** | -82.0 / -3 (1) | -165.3 / -1 (0) |" in text
    assert "| smallest mean for WA, TG, BE noise | GP-WA, GP-TG, GP-BE | GP-WA, GP-TG, GP-BE |" in text
    assert "| largest mean | GP-TG, GP-WA, GP-TG | GP-TG, GP-BE, GP-WA |" in text
    assert "| the true model wins | not counted | 3, 2, 3 of 3 repetitions |" in text


def test_one_zero_draws_two_of_the_models_away_and_not_the_third():
    expected = {}
    for inside in (1e-2, 1e-9):
        marks, fits = contests.one_zero(inside)
        assert len(marks) == 21
        assert marks[-1] == inside
        expected[inside] = [fit.predict(np.zeros((1, 1)))[0] for fit in fits.values()]
    (warped, cut, beta), (warped_far, cut_far, beta_far) = expected.values()
    assert cut_far == pytest.approx(cut, abs=0.005)
    assert warped_far < warped - 0.05
    assert beta_far < beta - 0.05


def test_what_was_published_of_the_jurors_is_found_by_a_model_per_condition_and_not_by_one():
    kernel = gp.SquaredExponential(0.5, np.ones(2))
    kernel = kernel.with_priors(variance=gp.LogNormal(0.5, 1.0), lengthscale=gp.LogNormal(1.0, 1.0))
    one, each = (
        draws @ verdicts.CONFLICT_BY_VERDICT for draws in (verdicts.one_model(kernel), verdicts.model_per_condition())
    )
    assert np.quantile(one, 0.05) < 0 < np.quantile(each, 0.05)
    assert each.mean() == pytest.approx(2 * one.mean(), rel=0.15)
    assert "on the logit scale 0.280, z = 2.69 |" in verdicts.interaction_table(kernel).data
