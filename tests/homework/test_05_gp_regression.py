"""Homework 05: the numbers in its checks, the fixtures of its mistakes, the claims of its notebook and letters."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import lognorm, norm
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from course_lib import gp
from course_lib.datasets import load_japanese_vowels
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("05_gp_regression"), graded.bank("05_gp_regression")
noisy = bank.models.noisy
TASKS = {task.name: task for task in CHECKS.homework.tasks}
ANSWERS = {
    "exponential_kernel": bank.exponential.right_answer,
    "posterior": bank.posterior.right_answer,
    "leave_one_out": bank.loo.right_answer,
    "gp_with_mean": bank.level.right_answer,
    "evidence_gradient": bank.gradient.right_answer,
    "slope_blocks": bank.slopes.right_answer,
}


def case(task, name):
    """The Case of this name."""
    return next(one for one in TASKS[task].cases if one.name == name)


def played(*markers):
    """What the first cell of the notebook and those with one of these words define, given right answers."""
    sources = [cell.source for cell in graded.notebook("05_gp_regression").cells if cell.cell_type == "code"]
    names = {"display": lambda picture: None, "waits_for": lambda function: False, **ANSWERS}
    for source in [sources[0], *(one for one in sources if any(marker in one for marker in markers))]:
        exec("\n".join(line for line in source.splitlines() if not line.startswith("from checks")), names)
    return names


# ------------------------------------------------------------------------------------------ the numbers in checks.py


@pytest.mark.parametrize("name", TASKS)
def test_expected_numbers_are_those_of_every_right_answer(name):
    """Among them other algorithms: one answer after the other, kriging, power series, steps in the complex plane."""
    graded.assert_expected(TASKS[name], getattr(bank, name).RIGHT)


def test_sklearn_agrees_on_the_lectures_three_points():
    mean, variance, log_evidence = case("posterior", CHECKS.THREE).expected
    kernel = ConstantKernel(1.0) * RBF(0.5)
    model = GaussianProcessRegressor(kernel, alpha=0.3**2, optimizer=None).fit(CHECKS.X3[:, None], CHECKS.Y3)
    theirs, std = model.predict([[1.0]], return_std=True)
    assert theirs == pytest.approx(mean, abs=1e-9)
    assert std**2 == pytest.approx(variance, abs=1e-9)
    assert model.log_marginal_likelihood_value_ == pytest.approx(log_evidence, abs=1e-9)


def test_left_out_answers_agree_with_refits():
    for one in TASKS["loo"].cases[:-1]:
        for mine, theirs in zip(bank.loo.refits(*one.inputs), one.expected, strict=True):
            np.testing.assert_allclose(mine, theirs, atol=1e-9)


def test_gradients_agree_with_differences():
    for one in TASKS["gradient"].cases:
        K, dKs, noise_std, y = one.inputs
        h = 1e-5
        ahead, behind = ([noisy(K + s * dK, noise_std) for dK in dKs] for s in (h, -h))
        ahead.append(noisy(K, noise_std * np.exp(h)))
        behind.append(noisy(K, noise_std * np.exp(-h)))
        quotients = [
            (bank.models.log_density(y, a) - bank.models.log_density(y, b)) / (2 * h)
            for a, b in zip(ahead, behind, strict=True)
        ]
        np.testing.assert_allclose(one.expected, quotients, rtol=1e-6, atol=1e-6)


def test_slopes_agree_with_differences_and_can_happen():
    for one in TASKS["slopes"].cases:
        np.testing.assert_allclose(one.expected, bank.slopes.by_differences(*one.inputs), atol=1e-4)
        assert np.linalg.eigvalsh(one.expected).min() > -1e-9


def test_the_joint_covariances_of_the_cases_can_happen():
    for name in ("posterior", "level"):
        for one in TASKS[name].cases:
            K, _, _, K_cross, prior_variance = one.inputs
            assert np.linalg.eigvalsh(K).min() > -1e-9, one.name
            for k, v in zip(K_cross.T, prior_variance, strict=True):
                together = np.block([[K, k[:, None]], [k[None], np.array([[v]])]])
                assert np.linalg.eigvalsh(together).min() > -1e-9, one.name


# ------------------------------------------------------------------------------------------------------ traps


def test_no_case_hides_a_square():
    """Neither 1 nor equal noises, but where the lecture's fixture or a single answer wants it."""
    for one in TASKS["exponential"].cases + TASKS["slopes"].cases:
        assert min(abs(np.log(one.inputs[2])), abs(np.log(one.inputs[3]))) > 0.1, one.name
    for one in TASKS["posterior"].cases + TASKS["loo"].cases + TASKS["level"].cases:
        noise_std = one.inputs[1]
        assert len(noise_std) == 1 or np.ptp(noise_std) > 0.05 or one.name == CHECKS.THREE, one.name


def test_the_determinant_of_400_answers_is_too_small():
    K, noise_std, *_ = case("posterior", CHECKS.MANY).inputs
    assert np.linalg.det(noisy(K, noise_std)) == 0
    assert np.linalg.slogdet(noisy(K, noise_std))[1] < -1500


def test_numbers_of_the_known_mistakes():
    """Mean, variance and log evidence of the three points under each mistake, as they are known from students."""
    given = case("posterior", CHECKS.THREE).inputs
    known = {
        "σ for σ²": (0, 0.1997),
        "no noise": (0, 0.2572),
        "no inverse": (0, 0.2710),
        "variance of an answer": (1, 1.0562),
        "half the logs of L": (2, -4.9157),
        "sign of log det": (2, -4.7334),
        "2π once": (2, -3.1385),
    }
    for title, (part, value) in known.items():
        got = np.ravel(bank.posterior.MISTAKES[title][0](*given)[part])
        assert got == pytest.approx([value], abs=5e-5), title
    np.testing.assert_allclose(np.ravel(bank.posterior.right_answer(*given)[:2]), [0.2367, 0.9662], atol=5e-5)
    assert bank.posterior.right_answer(*given)[2] == pytest.approx(-4.9764, abs=5e-5)


def test_a_factor_knows_only_the_answers_before():
    """Predicting each answer from those before it, and adding up, gives the evidence, not the left-out total."""
    for one in TASKS["loo"].cases:
        K, noise_std, y = one.inputs
        assert bank.loo.given_those_before(*one.inputs)[2] == pytest.approx(
            bank.models.log_density(y, noisy(K, noise_std))
        )


# ---------------------------------------------------------------------------------- what the notebook tells


def test_steps_of_rough_and_smooth_functions():
    def step(kernel, h):
        K = kernel(np.array([[0.0], [h]]))
        return np.sqrt(2 * (K[0, 0] - K[0, 1]))

    def rough(x):
        return bank.exponential.right_answer(x, x, 1.0, 1.0)[0]

    for kernel, factor in ((rough, np.sqrt(2)), (gp.Matern32(1.0, 1.0), 2), (gp.SquaredExponential(1.0, 1.0), 2)):
        assert step(kernel, 0.002) / step(kernel, 0.001) == pytest.approx(factor, rel=2e-3)


def test_the_exponential_kernel_is_a_markov_chain():
    x = np.array([0.0, 0.7, 1.1, 2.0, 2.6, 3.7])[:, None]
    precision = np.linalg.inv(bank.exponential.right_answer(x, x, 1.5, 0.8)[0])
    assert np.abs(np.triu(precision, 2)).max() < 1e-9 * np.abs(precision).max()
    precision = np.linalg.inv(bank.models.squared_exponential(x[:, 0], x[:, 0], 1.5, 0.8))
    assert np.abs(np.triu(precision, 2)).max() > 0.1 * np.abs(precision).max()


def test_what_the_panel_shows():
    names = played("def panel")
    spreads, ask = names["spreads"], names["error_and_promise"]
    alike = np.full(3, np.sqrt(np.mean(spreads**2)))
    models = ([0], spreads[:1]), ([0, 1], spreads[:2]), ([0, 1, 2], spreads), ([0, 1, 2], alike)
    found = np.array([ask(*one, np.random.default_rng(5)) for one in models])
    errors, promises = found.T
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] > 0.97 * errors[1]
    assert errors[3] > 2 * errors[2]
    np.testing.assert_allclose(errors, promises, rtol=0.05)
    assert (spreads[0] / spreads[2]) ** 2 == pytest.approx(0.02, abs=0.005)


def test_what_left_out_frames_show():
    feature = max(load_japanese_vowels().train.sequences, key=len)[:, 0]
    frames, heard, noise = np.arange(26.0), feature - feature.mean(), np.full(26, 0.08)

    def looked_at(lengthscale):
        K = bank.models.squared_exponential(frames, frames, 0.04, lengthscale)
        means, variances, total = bank.loo.right_answer(K, noise, heard)
        return (
            heard - K @ np.linalg.solve(noisy(K, noise), heard),
            heard - means,
            np.sqrt(variances),
            total,
        )

    lengthscales = (0.5, 1, 2, 4, 8, 16, 32)
    used, left_out, _, totals = zip(*map(looked_at, lengthscales), strict=True)
    assert (np.diff([np.mean(one**2) for one in used]) > 0).all()
    assert lengthscales[np.argmin([np.mean(one**2) for one in left_out])] == lengthscales[np.argmax(totals)] == 4
    for lengthscale, residual, off, z in ((1, 0.12, 0.39, 2.7), (6, 0.31, 0.36, 4.2)):
        fit, out, std, _ = looked_at(lengthscale)
        assert np.argmax(np.abs(out / std)) == 9
        assert (fit[9], out[9]) == pytest.approx((residual, off), abs=0.005)
        assert out[9] / std[9] == pytest.approx(z, abs=0.05)
    assert 1 / (2 * norm.sf(out[9] / std[9])) == pytest.approx(30_000, rel=0.1)


def test_what_an_unknown_level_shows():
    names = played("marks = np.array")
    assert names["marks"].mean() == pytest.approx(71.9, abs=0.05)
    assert names["level"] == pytest.approx(62.5, abs=0.05)
    assert names["zero_means"][-1] == pytest.approx(0, abs=1e-6)
    assert np.sqrt(names["variances"][-1]) > 12.5
    assert names["same"]
    C = noisy(names["given"][0], 4.0)
    weights = np.linalg.solve(C, np.ones(12))
    weights /= weights.sum()
    assert weights[:10].sum() == pytest.approx(0.38, abs=0.02)


def test_what_climbing_shows():
    names = played("x7 =", "starts =")
    assert names["quotients"] == pytest.approx(-names["downhill"](names["at"])[1], abs=1e-6)
    downhill, starts = names["downhill"], np.log(names["starts"])
    summits = [minimize(downhill, start, jac=True, method="L-BFGS-B") for start in starts]
    heights = np.array([-one.fun for one in summits])
    assert np.round(heights, 2).tolist() == [-7.22] * 5 + [-7.96] * 3
    np.testing.assert_allclose(np.exp(summits[0].x), [0.73, 0.30], atol=5e-3)
    np.testing.assert_allclose(np.exp(summits[-1].x), [8.41, 0.63], atol=1e-2)
    assert np.exp(np.ptp(heights)) == pytest.approx(2.1, abs=0.05)


def test_what_slopes_show():
    names = played("grid = np.linspace")
    ask, grid = names["from_values_and_slopes"], names["grid"]
    mean, std = ask(np.zeros(0), np.zeros(0), np.zeros(1), np.array([2.0]))
    assert std[np.argmin(np.abs(grid))] == pytest.approx(1)
    assert np.abs(grid[np.argmin(std)]) == pytest.approx(1)
    assert std.min() == pytest.approx(np.sqrt(1 - np.exp(-1)), abs=1e-6)
    assert mean[-1] > 0 > mean[0]
    known, places = np.array([-2.0, 0.0, 2.0]), np.array([-0.5, 1.5])
    errors = []
    for where in (np.zeros(0), places):
        mean, _ = ask(known, np.sin(1.5 * known), where, 1.5 * np.cos(1.5 * where))
        errors.append(np.abs(mean - np.sin(1.5 * grid))[np.abs(grid) <= 2].max())
    assert errors == pytest.approx([0.91, 0.14], abs=5e-3)


# ------------------------------------------------------------------------------------------------------ letters

HOURS, MARKS = np.arange(1.0, 6.0)[:, None], np.array([2.1, 1.7, 2.3, 1.9, 2.0])


def learnt(prior, lengthscale):
    """The friend's model, with some prior of its lengthscale."""
    kernel = gp.SquaredExponential(4.0, lengthscale).with_priors(lengthscale=prior)
    return gp.GPRegression(kernel, noise_std=0.3, center=False, n_restarts=5, rng=0).fit(HOURS, MARKS)


def test_the_table_of_letter_1():
    table = {1: -8.37, 3: -5.33, 10: -3.53, 30: -2.87, 100: -2.64, 1000: -2.60, 100_000: -2.60}
    models = {lengthscale: learnt(gp.Fixed(), lengthscale) for lengthscale in table}
    for lengthscale, log_evidence in table.items():
        assert models[lengthscale].log_evidence_ == pytest.approx(log_evidence, abs=5e-3), lengthscale
    best = models[100_000].log_evidence_
    for lengthscale, factor in ((1, 320), (3, 15), (10, 2.5), (30, 1.3), (100, 1.04)):
        assert np.exp(best - models[lengthscale].log_evidence_) == pytest.approx(factor, rel=0.03)
    assert models[100_000].kernel_.variance == pytest.approx(3.99, abs=0.01)
    assert models[100_000].noise_std_ == pytest.approx(0.22, abs=5e-3)
    for lengthscale, mean, std in ((100_000, 1.99, 0.10), (10, 0.50, 1.35)):
        got = models[lengthscale].predict([[20.0]], return_std=True)
        assert np.ravel(got) == pytest.approx([mean, std], abs=5e-3)
    years = 1e5 / 24 / 365.25
    assert years == pytest.approx(11.4, abs=0.05)


def test_model_answer_of_letter_1():
    model = learnt(gp.LogNormal(4, 0.7), 4.0)
    assert model.kernel_.lengthscale == pytest.approx(5.2, abs=0.05)
    assert model.noise_std_ == pytest.approx(0.27, abs=5e-3)
    assert model.log_evidence_ == pytest.approx(-4.27, abs=5e-3)
    mean, std = model.predict([[3.0], [20.0]], return_std=True)
    assert mean == pytest.approx([2.04, 0.02], abs=5e-3)
    assert std == pytest.approx([0.14, 1.43], abs=5e-3)
    inside = np.diff(lognorm(0.7, scale=4).cdf([2, 8]))[0]
    assert inside == pytest.approx(2 / 3, abs=0.02)


def with_random_inputs(seed):
    """30 measurements of one input, and three columns that have nothing to do with them; models without and with."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (30, 4))
    y = 2 * np.sin(1.5 * X[:, 0]) + 0.5 * rng.normal(size=30)
    new = rng.uniform(-2, 2, (500, 4))
    answers = 2 * np.sin(1.5 * new[:, 0]) + 0.5 * rng.normal(size=500)
    one = gp.GPRegression(gp.SquaredExponential(2.0, 1.0), noise_std=0.5).fit(X[:, :1], y)
    four = gp.GPRegression(gp.SquaredExponential(2.0, [1.0, 4.0, 4.0, 4.0]), noise_std=0.5).fit(X, y)
    return one, four, one.log_predictive_density(new[:, :1], answers), four.log_predictive_density(new, answers)


def test_the_numbers_of_letter_2():
    one, four, alone, together = with_random_inputs(1)
    assert (one.log_evidence_, four.log_evidence_) == pytest.approx((-31.35, -29.84), abs=5e-3)
    assert (one.noise_std_, four.noise_std_) == pytest.approx((0.52, 0.33), abs=5e-3)
    assert one.kernel_.lengthscale == pytest.approx(0.95, abs=5e-3)
    assert four.kernel_.lengthscale[[0, 2, 3]] == pytest.approx([0.55, 2.7, 7.0], abs=0.02)
    assert four.kernel_.lengthscale[1] > 1000
    assert (alone.mean(), together.mean()) == pytest.approx((-0.79, -1.15), abs=5e-3)
    assert np.exp(four.log_evidence_ - one.log_evidence_) == pytest.approx(4.5, abs=0.05)
    assert 0.5 * np.log(30) == pytest.approx(1.7, abs=5e-3)


def test_the_ten_repetitions_of_letter_2():
    pairs = [with_random_inputs(seed)[:2] for seed in range(10)]
    rises = np.array([four.log_evidence_ - one.log_evidence_ for one, four in pairs])
    assert rises.min() > -1e-4
    assert (rises > 0.01).sum() == 7
    assert (rises > 1).sum() == 2


class TestBank(BankTests):
    name = "05_gp_regression"
