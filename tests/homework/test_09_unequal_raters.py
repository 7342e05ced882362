"""Homework 09: the numbers in its checks, what its plays show, and the claims of its letters."""

import numpy as np
import pytest

from course_lib import gp
from course_lib.datasets import load_wine
from course_lib.judgments import RaterGP, simulate_raters
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("09_unequal_raters"), graded.bank("09_unequal_raters")
TASKS = {task.name: task for task in CHECKS.homework.tasks}
ANSWERS = {task.function: getattr(bank, name).right_answer for name, task in TASKS.items()}

WINE = load_wine().panel()
KERNEL = gp.SquaredExponential(225.0, 0.5).with_priors(variance=gp.Fixed(), lengthscale=gp.Fixed())
K = KERNEL(WINE.X) + (10.0 * WINE.Y.std()) ** 2


@pytest.fixture(scope="module")
def equal_bias():
    """The judges without biases, as in the plays and the first letter."""
    return RaterGP(KERNEL).fit(WINE.X, WINE.Y)


@pytest.fixture(scope="module")
def with_bias():
    return RaterGP(KERNEL, bias_std=15.0).fit(WINE.X, WINE.Y)


def played(*markers):
    """What the first cell of the notebook and those with one of these words define, given right answers."""
    sources = [cell.source for cell in graded.notebook("09_unequal_raters").cells if cell.cell_type == "code"]
    names = {"display": lambda picture: None, "waits_for": lambda function: False, **ANSWERS}
    for source in [sources[0], *(one for one in sources if any(marker in one for marker in markers))]:
        exec("\n".join(line for line in source.splitlines() if not line.startswith("from course_checks")), names)
    return names


# ------------------------------------------------------------------------------------------ the numbers in the checks


def test_no_case_hides_a_square_or_a_transposition():
    for one in TASKS["combine"].cases + TASKS["mirror"].cases + TASKS["bias"].cases:
        noise = one.inputs[1]
        assert np.abs(np.log(noise)).min() > 0.1, one.name
        assert np.ptp(noise) > 0.1, one.name
    shapes = [one.expected[0].shape for one in TASKS["regions"].cases]
    assert any(K != R for K, R in shapes)
    for one in TASKS["panel"].cases:
        noise = np.diag(one.expected[1] - one.inputs[1])
        assert np.ptp(noise) > 0.1 or np.ptp(one.inputs[4]) == 0, one.name


def test_covariances_of_the_cases_can_happen():
    given = [one.inputs[2] for one in TASKS["slope"].cases] + [one.inputs[1] for one in TASKS["panel"].cases]
    given += [one.inputs[0] for name in ("mirror", "bias") for one in TASKS[name].cases]
    for covariance in given:
        np.testing.assert_array_equal(covariance, covariance.T)
        eigenvalues = np.linalg.eigvalsh(covariance)
        assert eigenvalues[0] > -1e-12 * eigenvalues[-1]  # two equal items: the least is 0 but for rounding


# ---------------------------------------------------------------------------------- what the notebook tells


def test_what_combining_shows(equal_bias):
    noise = equal_bias.rater_std_[0]
    share = noise**-2 / np.sum(noise**-2)
    assert share[[7, 8, 4]].sum() == pytest.approx(0.57, abs=0.01)
    assert share[[0, 2, 6]].sum() == pytest.approx(1 / 8, abs=0.02)
    assert share[0] == pytest.approx(0.04, abs=5e-3)
    assert bank.combine.right_answer(WINE.Y, noise)[1] == pytest.approx(4.19, abs=0.01)
    assert np.sqrt(np.sum(noise**2)) / 9 == pytest.approx(5.0, abs=0.05)
    assert noise.max() / noise.min() == pytest.approx(2.2, abs=0.1)
    printed, _ = bank.combine.literal(WINE.Y[:, :2], noise[:2])
    assert abs(printed / WINE.Y[:, 0]).max() < 0.01


def test_what_the_climb_shows(equal_bias):
    names = played("off = marks", "def every_row", "found = minimize")
    assert (names["slopes"](names["start"]) > 0).sum() == 4
    np.testing.assert_allclose(names["noise"], equal_bias.rater_std_[0], rtol=1e-3)
    assert -names["found"].fun == pytest.approx(equal_bias.log_evidence_, abs=1e-4)
    assert names["found"].nit < 10
    plain = np.sqrt(names["squares"].mean(axis=0))
    assert (plain < names["noise"]).all()
    assert (plain[7], names["noise"][7]) == pytest.approx((8.3, 8.8), abs=0.05)
    np.testing.assert_allclose(np.sqrt(plain**2 + np.diag(names["covariance"]).mean()), names["noise"], rtol=1e-3)


def test_what_a_turned_judge_shows(equal_bias):
    noise, turned = equal_bias.rater_std_[0], WINE.Y.copy()
    turned[:, 8] = 2 * WINE.Y[:, :8].mean() - WINE.Y[:, 8]
    straight = [bank.mirror.right_answer(K, noise, WINE.Y, r) for r in range(9)]
    assert min(straight) > 4
    assert bank.mirror.right_answer(K, noise, turned, 8) == pytest.approx(-straight[8])
    assert straight[8] == pytest.approx(26.5, abs=0.05)
    after = RaterGP(KERNEL).fit(WINE.X, turned).rater_std_[0]
    assert np.argmax(after) == 8
    assert after[8] > 2.5 * noise[8]


def test_what_a_trusted_liar_shows():
    names = played("places = np.linspace")
    prior, value = names["prior"], names["value"]

    def ratios(liar):
        noises = np.array([4.0, 6.0, 8.0, liar])
        table = simulate_raters(50 + value, noises, rng=5, adversaries=[3])
        return np.array([bank.mirror.right_answer(prior, noises, table, r) for r in range(4)])

    assert (np.sign(ratios(8.0)) == [1, 1, 1, -1]).all()
    assert (ratios(4.0) < 0).all()
    assert ratios(1.0)[0] == pytest.approx(-50, abs=1)
    fixed = names["fixed"]
    errors = {}
    for name, table in (("as it is", names["table"]), ("without", names["table"][:, :3]), ("back", names["back"])):
        model = RaterGP(fixed).fit(names["places"], table)
        errors[name] = np.sqrt(np.mean((model.consensus_ - 50 - value) ** 2))
    assert np.argmin(model.rater_std_[0]) == 3
    assert errors["back"] < 0.6 * errors["without"] < 0.6 * errors["as it is"]


def test_all_but_one_turned_round_is_the_same_evidence():
    rng = np.random.default_rng(3)
    factors, noise = rng.normal(size=(5, 5)), np.array([0.6, 1.1, 0.8])
    Y, prior = rng.normal(size=(5, 3)), factors @ factors.T
    one, two = Y * [1, 1, -1], Y * [-1, -1, 1]
    assert bank.models.log_evidence(prior, noise, one) == pytest.approx(bank.models.log_evidence(prior, noise, two))


def test_what_panels_show():
    names = played("value_of_wine, known =")
    panels, surest = names["panels"], names["surest"]
    assert len(panels) == 85
    assert names["same"]
    assert sorted(WINE.raters[list(surest)]) == [5, 8, 9]
    told = {three: (means[7], np.sqrt(covariance[7, 7])) for three, (means, covariance) in panels.items()}
    assert told[surest][1] == pytest.approx(5.3, abs=0.05)
    assert told[tuple(range(9))][1] == pytest.approx(4.9, abs=0.05)
    assert names["model"].consensus_std_[7] == pytest.approx(2.4, abs=0.05)
    assert told[names["strict"]][0] == pytest.approx(58, abs=0.5)
    assert told[names["generous"]][0] == pytest.approx(72, abs=0.5)


def test_what_shrinking_shows():
    errors = played("def errors(")["errors"]
    few, many = (errors(answers, rng=np.random.default_rng(9)) for answers in (4, 40))
    assert few.mean(axis=0)[:2] == pytest.approx([0.41, 0.34], abs=0.01)
    assert (few[:, 1] < few[:, 0]).all()
    raw, shrunk, single = many.mean(axis=0)
    assert raw - shrunk < 0.01
    assert single > 2 * raw


def test_what_em_shows():
    names = played("off = marks", "def repeat(")
    raw, shrunk, heights = names["raw"], names["shrunk"], names["heights"]
    assert np.diff(heights).min() > -1e-9
    model = RaterGP(KERNEL, regions=names["warm"], noise_floor=0.0).fit(WINE.X, WINE.Y)
    np.testing.assert_allclose(raw, model.rater_std_, rtol=1e-3)
    assert heights[-1] == pytest.approx(model.log_evidence_, abs=1e-5)
    climbed = RaterGP(KERNEL, regions=names["warm"], noise_floor=0.0, shrinkage=0.5).fit(WINE.X, WINE.Y)
    assert np.abs(climbed.rater_std_ - shrunk).max() < 0.5
    most = np.unravel_index(np.argmax(np.abs(np.log(raw / shrunk))), raw.shape)
    assert most == (0, 7)
    assert (raw[most], shrunk[most], raw[1, 7]) == pytest.approx((3.2, 4.3, 11.5), abs=0.05)


def test_what_the_rota_shows(with_bias):
    names = played("rota = marks.copy()")
    everything, left, found = names["everything"], names["left"], names["biases"]
    for other, told in ((6, (33.75, 13.0, 28.7, 9.1)), (7, (20.9, -1.8, 13.9, 9.1))):
        got = [row[0] - row[other] for row in (everything, left, found)]
        assert [*got, names["errors_of"][0, other]] == pytest.approx(told, abs=0.3)
    librarys = names["librarys"].rater_bias_
    np.testing.assert_allclose(found - found.mean(), librarys - librarys.mean(), atol=0.05)
    full, errors = bank.bias.right_answer(K, with_bias.rater_std_[0], WINE.Y)
    np.testing.assert_allclose(full - full.mean(), everything - everything.mean(), atol=1e-6)
    assert errors[0, [6, 7]] == pytest.approx(4.6, abs=0.2)


# ------------------------------------------------------------------------------------------------------ letters


def test_the_table_of_letter_1(equal_bias):
    low, high = equal_bias.rater_interval()
    noise = [19.9, 16.5, 19.7, 11.6, 10.2, 13.8, 18.3, 8.8, 9.9]
    np.testing.assert_allclose(equal_bias.rater_std_[0], noise, atol=0.06)
    np.testing.assert_allclose(low[0], [13, 11, 13, 7, 7, 9, 12, 6, 6], atol=0.51)
    np.testing.assert_allclose(high[0], [30, 25, 30, 18, 16, 21, 28, 14, 15], atol=0.51)
    assert high[0] / noise == pytest.approx(1.5, abs=0.1)


def test_model_answer_of_letter_1(equal_bias, with_bias):
    def verdict(model, without=()):
        keep = [r for r in range(9) if r not in without]
        return np.sqrt(bank.models.posterior(K, model.rater_std_[0][keep], WINE.Y[:, keep])[1][0, 0])

    assert [verdict(equal_bias), verdict(equal_bias, [0])] == pytest.approx([2.91, 2.98], abs=5e-3)
    told = [verdict(with_bias), verdict(with_bias, [0]), verdict(with_bias, [2])]
    assert told == pytest.approx([2.53, 2.73, 2.58], abs=5e-3)
    noise, (low, high) = with_bias.rater_std_[0], with_bias.rater_interval()
    assert [noise[0], low[0, 0], high[0, 0], noise[6]] == pytest.approx([9.6, 6.0, 15.3, 9.3], abs=0.06)
    assert with_bias.rater_bias_[[0, 6]] == pytest.approx([14.4, -15.3], abs=0.2)
    assert {0, 6} < set(np.argsort(noise)[:4])
    assert noise[[1, 2]] == pytest.approx([17.1, 17.7], abs=0.1)
    assert [equal_bias.log_evidence_, with_bias.log_evidence_] == pytest.approx([-299.7, -294.8], abs=0.06)
    assert np.exp(with_bias.log_evidence_ - equal_bias.log_evidence_) == pytest.approx(130, abs=5)


def repeated_products(seed=2):
    """X (20, 1), marks (20, 4) and values (20,): ten products, each twice; rater 3 remembers her first mark."""
    rng = np.random.default_rng(seed)
    x, truth = np.linspace(0, 9, 10), gp.SquaredExponential(225.0, 2.0)
    z = 50 + np.linalg.cholesky(truth(x[:, None]) + 1e-8 * np.eye(10)) @ rng.normal(size=10)
    values, X = np.repeat(z, 2), np.repeat(x, 2)[:, None]
    Y = np.round(values[:, None] + rng.normal(size=(20, 4)) * np.array([4, 6, 9, 5]))
    Y[:, 2] = np.repeat(np.round(z + 9 * rng.normal(size=10)), 2)
    return X, Y, values


def learnt(X, Y, **settings):
    return RaterGP(gp.SquaredExponential(200.0, 2.0), **settings).fit(X, Y)


def left_out(X, Y, model, floor):
    """Mean log density of the other three raters' marks for each product, from all other products."""
    densities = []
    own = np.sqrt(model.rater_std_[0] ** 2 - floor**2 + 1e-12)
    for product in np.unique(X):
        new = X[:, 0] == product
        rest = RaterGP(model.kernel_, noise_std=own, noise_floor=floor, optimize=False).fit(X[~new], Y[~new])
        for r in (0, 1, 3):
            mean, std = rest.predict_answer(X[new], rater=r)
            densities += list(-0.5 * ((Y[new, r] - mean) / std) ** 2 - np.log(std) - 0.5 * np.log(2 * np.pi))
    return np.mean(densities)


def test_the_numbers_of_letter_2():
    X, Y, values = repeated_products()
    first = learnt(X, Y)
    np.testing.assert_allclose(first.rater_std_[0], [4.2, 5.7, 5.9, 4.8], atol=0.06)
    assert first.log_evidence_ == pytest.approx(-258.2, abs=0.06)
    best = learnt(X, Y, noise_floor=1e-4, n_restarts=20, rng=0)
    np.testing.assert_allclose(best.rater_std_[0], [6.4, 7.9, 1e-4, 9.2], atol=0.06)
    assert best.rater_std_[0, 2] < 2e-4
    assert best.log_evidence_ == pytest.approx(-169.8, abs=0.06)
    floors = {1.0: -260.9, 0.3: -249.8, 0.1: -238.9, 0.01: -215.9, 0.001: -192.9, 0.0001: -169.8}
    spikes = {floor: learnt(X, Y, noise_floor=floor, noise_std=[4, 4, floor, 4]) for floor in floors}
    for floor, told in floors.items():
        assert spikes[floor].log_evidence_ == pytest.approx(told, abs=0.06), floor
    gain = spikes[0.001].log_evidence_ - spikes[0.01].log_evidence_
    assert gain == pytest.approx(10 * np.log(10), abs=0.02)
    assert spikes[1e-4].log_evidence_ + 4 * 10 * np.log(10) == pytest.approx(-77.7, abs=0.1)
    assert np.abs(spikes[1e-4].consensus_ - Y[:, 2]).max() < 1e-7
    errors = [np.sqrt(np.mean((one.consensus_ - values) ** 2)) for one in (first, spikes[1e-4])]
    assert errors == pytest.approx([1.6, 6.4], abs=0.05)
    floor = 1e-3 * np.std(Y)
    assert left_out(X, Y, first, floor) == pytest.approx(-3.10, abs=0.01)
    assert left_out(X, Y, spikes[1e-4], 1e-4) == pytest.approx(-3.70, abs=0.01)


def test_the_better_table_of_letter_2():
    X, Y, _ = repeated_products()
    means = Y.reshape(10, 2, 4).mean(axis=1)
    for settings in ({}, {"noise_std": [4, 4, 0.01, 4]}, {"n_restarts": 10, "rng": 0}):
        model = learnt(X[::2], means, noise_floor=1e-4, **settings)
        assert model.rater_std_[0, 2] == pytest.approx(6.1, abs=0.06)


class TestBank(BankTests):
    name = "09_unequal_raters"
