"""Homework 13: the numbers in its checks, what its plays show, and the claims of its letter and its project."""

import re

import numpy as np
import pytest
from scipy.special import ndtr, ndtri
from scipy.stats import binomtest

from course_lib import gp
from course_lib.judgments.asking.acquisition import bald
from tests.homework import graded
from tests.homework.bank_tests import BankTests

NAME = "13_mixed_feedback"
CHECKS, bank = graded.checks(NAME), graded.bank(NAME)
TASKS = {task.name: task for task in CHECKS.homework.tasks}
ANSWERS = {task.function: getattr(bank, name).right_answer for name, task in TASKS.items()}


def played(*markers):
    """What the first cell of the notebook and those with one of these words define, given right answers."""
    sources = [cell.source for cell in graded.notebook(NAME).cells if cell.cell_type == "code"]
    names = {"display": lambda picture: None, "waits_for": lambda function: False, **ANSWERS}
    chosen = [one for one in sources[1:] if "check(" not in one and any(marker in one for marker in markers)]
    for source in [sources[0], *chosen]:
        exec("\n".join(line for line in source.splitlines() if not line.startswith("from course_checks")), names)
    return names


def numbers(text):
    """All numbers of a printed text, in their order."""
    return [float(found) for found in re.findall(r"-?\d+\.?\d*", text)]


# ------------------------------------------------------------------------------------------ the numbers in the checks


def by_hand(name):
    return getattr(bank, name).right_answer(*TASKS[name].cases[0].inputs)


def test_numbers_by_hand():
    np.testing.assert_allclose(by_hand("scale"), [[0.132, 0.202, 0.317, 0.348]], atol=6e-4)
    mean, cov, probability = by_hand("told")
    np.testing.assert_allclose(mean, [0.25, 0.875])
    np.testing.assert_allclose(cov, [[0.5, 0.25], [0.25, 1.875]])
    np.testing.assert_allclose(probability, [0.581, 0.697], atol=5e-4)
    chosen, *scores = by_hand("sets")
    assert chosen.tolist() == [True, True, True, False]
    assert scores == pytest.approx([2 / 3, 1, 0.8, 0.288, 0.5], abs=1e-3)
    np.testing.assert_allclose(np.ravel(by_hand("times")), [-1.419, 0, 2, 0], atol=5e-4)
    mean, cov, star, level, _, ceiling = TASKS["ahead"].cases[0].inputs
    without_guessing = bank.ahead.right_answer(mean, cov, star, level, 0.0, ceiling)
    assert [float(np.squeeze(one)) for one in without_guessing] == pytest.approx([1 / 2, 1 / 6, 5 / 6, 1 / 3])


@pytest.mark.parametrize("case", graded.sheets(NAME)["sets"].task.all_cases, ids=lambda case: case.name)
def test_no_map_has_a_near_tie(case):
    mean, std, truth, level = case.inputs
    p = ndtr((level - mean) / std)
    order = np.argsort(-p)
    expected = bank.sets.expected_f1(p, order)
    first, second = np.sort(expected)[[-1, -2]]
    assert first - second > 1e-6
    last_one, *others = p[order][expected.argmax() :]
    assert not others or last_one - others[0] > 1e-6
    assert ((np.abs(truth - level) > 1e-9) | (truth == level)).all()


def test_a_time_has_a_density_that_integrates_to_one():
    t = np.exp(np.linspace(-8, 8, 20_001))
    density = np.exp(bank.times.right_answer(t, np.full(t.shape, 1.3), 1.1, 0.6, 0.5)[0])
    assert np.trapezoid(density, t) == pytest.approx(1, abs=1e-6)


@pytest.mark.parametrize("case", graded.sheets(NAME)["ahead"].task.all_cases, ids=lambda case: case.name)
def test_covariances_of_the_cases_can_happen(case):
    assert np.linalg.eigvalsh(case.inputs[1]).min() > -1e-9
    yes, P_yes, P_no, _ = case.expected
    before = ndtr((case.inputs[3] - case.inputs[0]) / np.sqrt(np.diag(case.inputs[1])))
    np.testing.assert_allclose(yes * P_yes + (1 - yes) * P_no, before, atol=1e-9)


# ---------------------------------------------------------------------------------- what the notebook tells


def test_what_a_scale_is_worth(capsys):
    played("def bits")
    choice, *scales = [numbers(line) for line in capsys.readouterr().out.splitlines()]
    assert choice == pytest.approx([0.41, 8.1])
    assert scales == [[1, 0.30, 4.1], [2, 0.69, 9.2], [4, 1.08, 14.4]]
    assert bald([0.0], [2.0], gp.Probit())[0] / np.log(2) == pytest.approx(0.407, abs=1e-3)


def test_a_scale_without_cuts_is_the_logit():
    g = np.array([-1.2, 0.4, 2.0])
    np.testing.assert_allclose(bank.scale.right_answer(g, np.zeros(0), 1.7, 0.0)[:, 1], 1 / (1 + np.exp(-1.7 * g)))


def test_what_a_statement_is_worth(capsys):
    played("def learned", "rows = {")
    alone, invented, stated = [numbers(line.split(":", 1)[1])[:1] for line in capsys.readouterr().out.splitlines()]
    assert (alone, invented, stated) == ([0.54], [0.40], [0.25])


def test_widths_that_a_statement_leaves(capsys):
    played("def learned", "rows = {")
    widths = [numbers(line.split("2: ")[1]) for line in capsys.readouterr().out.splitlines()]
    np.testing.assert_allclose(widths, [[0.72, 0.5, 0.78], [0.34, 0.49, 0.72], [0.1, 0.49, 0.43]], atol=0.011)
    sigma = (ndtri(0.58) - ndtri(0.42)) / (2 * ndtri(0.975))
    assert sigma**-2 / (2 / np.pi) == pytest.approx(150, abs=5)


def test_a_statement_is_a_gaussian_block_of_the_engine():
    rng = np.random.default_rng(3)
    x = np.linspace(0, 2, 9)[:, None]
    prior = gp.SquaredExponential(1.5, 0.8).cross(x, x) + 1e-10 * np.eye(9)
    places, low, high = np.array([1, 6]), np.array([0.2, 0.7]), np.array([0.5, 0.9])
    ends = ndtri([low, high])
    stated = gp.Gaussian((ends[1] - ends[0]) / (2 * ndtri(0.975)), groups=np.arange(2))
    block = gp.values(x[places], ends.mean(axis=0), stated)
    model = gp.LatentGP(gp.SquaredExponential(1.5, 0.8), inference="exact", optimize=False).fit(block)
    mean, cov = model.predict_latent(x, return_cov=True)
    mine = bank.told.right_answer(np.zeros(9), prior, places, low, high)
    np.testing.assert_allclose(mine[0], mean, atol=1e-7)
    np.testing.assert_allclose(mine[1], cov, atol=1e-7)
    f = rng.multivariate_normal(mean, cov, 20_000)
    np.testing.assert_allclose(mine[2], ndtr(f).mean(axis=0), atol=0.01)


def test_what_twenty_maps_show(capsys):
    names = played("side = np.linspace")
    said = capsys.readouterr().out
    assert 0.075 < names["inside"].mean() < 0.082
    assert "10 of 20; 'nowhere' has 0.078" in said
    assert "cut at ½: 0.17, 0 in 13; yours: 0.25, 0 in 4" in said


def test_the_best_map_is_cut_at_half_of_what_it_expects():
    for case in graded.sheets(NAME)["sets"].task.all_cases:
        mean, std, _, level = case.inputs
        p, chosen = ndtr((level - mean) / std), case.expected[0]
        expected = 2 * p[chosen].sum() / (chosen.sum() + p.sum())
        np.testing.assert_array_equal(chosen, p > expected / 2)


def test_what_times_know(capsys):
    played("class Time", "found = {")
    rows = [numbers(line.split(": correlation")[1]) for line in capsys.readouterr().out.splitlines()]
    assert rows[1][0] < -0.6
    np.testing.assert_allclose([row[1] for row in rows], [0.98, 0.99, 0.99, 0.99], atol=0.011)
    assert rows[2][0] == pytest.approx(0.99, abs=0.011)


def test_where_one_would_ask(capsys):
    names = played("f is least known")
    lines = capsys.readouterr().out.splitlines()
    assert [numbers(line.split("ask at")[1]) for line in lines[1:]] == [[1.4, 0.076], [1.4, 0.045], [1.4, 0.038]]
    assert lines[0].endswith("at 0.0")
    mean, cov = names["mean"], names["cov"]
    yes, P_yes, _, change = bank.ahead.right_answer(mean, cov, 9, 0.67, 0.1, 0.7)
    plain, Z_plain, _, _ = bank.ahead.right_answer(mean, cov, 9, 0.67, 0.0, 1.0)
    P = ndtr((0.67 - mean) / np.sqrt(np.diag(cov)))
    assert change == pytest.approx(2 * 0.6 * abs((plain * P - plain * Z_plain).sum()))
    assert 0 < yes < 1 and (P_yes < P).all()


def test_what_five_people_show(capsys):
    played("steps = np.arange", "levels, shares, miss")
    share, *lines = capsys.readouterr().out.splitlines()
    assert share.startswith("80%")
    miss, tells = np.transpose([numbers(line.split(":")[1]) for line in lines])
    np.testing.assert_allclose(miss, [0.002, 0.039, 0.035, 0.014, 0.036], atol=2e-3)
    np.testing.assert_allclose(tells, [0.034, 0, 0.029, 0.027, 0], atol=2e-3)


# ------------------------------------------------------------------------------------------ the letter, the project


def test_the_answer_to_the_letter():
    truth = np.repeat([0.0, 1.0], [16, 984])
    assert bank.sets.right_answer(np.full(1000, 9.0), np.ones(1000), truth, 0.5)[5] == 0.016
    np.testing.assert_allclose(ndtr(np.array([-1, 1]) * ndtri(0.975) * 0.01), [0.492, 0.508], atol=5e-4)
    precision = 100 * 2 / np.pi
    assert precision == pytest.approx(64, abs=0.5)
    for sigma, shift, yes in ((0.01, 0.0016, 0.501), (0.1, 0.098, 0.54)):
        f = ndtri(0.6) * precision / (precision + sigma**-2)
        assert f == pytest.approx(shift, abs=6e-4)
        assert ndtr(f) == pytest.approx(yes, abs=2e-3)
    assert binomtest(60, 100).pvalue == pytest.approx(0.06, abs=5e-3)
    assert tuple(binomtest(35, 50).proportion_ci(method="wilson")) == pytest.approx((0.56, 0.81), abs=5e-3)
    levels, shares, miss, tells = bank.sure.right_answer(np.ones(50), np.repeat([1.0, 0.0], [35, 15]))
    assert (len(levels), shares[0], miss, tells) == pytest.approx((1, 0.7, 0.09, 0), abs=1e-9)


def test_what_the_project_shows(capsys):
    names = played("def made_up", "noise = gp.LogNormal")
    alone, rated, scaled, all_three = [numbers(line.split(":")[1])[0] for line in capsys.readouterr().out.splitlines()]
    assert (alone, rated, scaled, all_three) == pytest.approx((-0.42, -0.38, -0.29, -0.31), abs=0.015)
    mean, std = names["model"].predict_latent(names["items"])
    best = np.argsort(-mean)[:2]
    np.testing.assert_allclose(names["items"][best], [[2 / 3, 0.5], [1 / 3, 0.5]])
    np.testing.assert_allclose(mean[best], [6.5, 6.1], atol=0.2)
    np.testing.assert_allclose(std[best], [1.75, 1.75], atol=0.1)
    assert np.isin(names["scale"][40:], (0, 5)).sum() == 16
    assert (names["marks"].min(), names["marks"].max()) == (46, 65)


class TestBank(BankTests):
    name = NAME
