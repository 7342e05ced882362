"""Homework 12: the numbers in its checks, what its plays show, and the claims of its letter and its project."""

import re
from math import comb

import numpy as np
import pytest
from scipy.stats import binom, binomtest

from course_personaliser.personalizer import agreement
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("12_asking"), graded.bank("12_asking")
TASKS = {task.name: task for task in CHECKS.homework.tasks}
ANSWERS = {task.function: getattr(bank, name).right_answer for name, task in TASKS.items()}


def played(*markers):
    """What the first cell of the notebook and those with one of these words define, given right answers."""
    sources = [cell.source for cell in graded.notebook("12_asking").cells if cell.cell_type == "code"]
    names = {"display": lambda picture: None, "waits_for": lambda function: False, **ANSWERS}
    chosen = [one for one in sources[1:] if "check(" not in one and any(marker in one for marker in markers)]
    for source in [sources[0], *chosen]:
        exec("\n".join(line for line in source.splitlines() if not line.startswith("from course_checks")), names)
    return names


# ------------------------------------------------------------------------------------------ the numbers in the checks


def test_numbers_by_hand():
    probability, expected, third = (part[1] for part in bank.gain.right_answer(*TASKS["gain"].cases[0].inputs))
    assert (probability, expected, third) == pytest.approx((0.691, 1.396, 2.018), abs=5e-4)
    best, scores = bank.allowed.right_answer(*TASKS["allowed"].cases[0].inputs)
    assert best == 2
    np.testing.assert_allclose(scores, [0.296, 0.221, 0], atol=5e-4)
    draws, best, _ = TASKS["batch"].cases[0].inputs
    assert bank.batch.total(draws, best, [2]) > bank.batch.total(draws, best, [3])


def test_covariances_of_the_cases_can_happen():
    for name in ("gain", "allowed"):
        for one in TASKS[name].cases:
            np.testing.assert_array_equal(one.inputs[1], one.inputs[1].T)
            assert np.linalg.eigvalsh(one.inputs[1]).min() > -1e-12


@pytest.mark.parametrize("case", graded.sheets("12_asking")["batch"].task.all_cases, ids=lambda case: case.name)
def test_no_batch_has_a_near_tie(case):
    draws, best, k = case.inputs
    chosen, _ = case.expected
    for i in range(k):
        worth = [
            bank.batch.total(draws, best, [*chosen[:i], j])
            for j in range(draws.shape[1])
            if j != best and j not in chosen[:i]
        ]
        first, *others = sorted(worth, reverse=True)
        assert not others or first - others[0] > 1e-6


@pytest.mark.parametrize("case", graded.sheets("12_asking")["stop"].task.all_cases, ids=lambda case: case.name)
def test_no_measure_is_at_the_threshold_by_rounding(case):
    history, noise_std, share, window, _ = case.inputs
    smoothed = np.array(list(bank.stop.trailing(history, window).values()))
    gap = np.abs(smoothed - share * noise_std)
    assert ((gap > 1e-9) | (gap == 0)).all()


@pytest.mark.parametrize("case", graded.sheets("12_asking")["power"].task.all_cases, ids=lambda case: case.name)
def test_no_test_is_decided_by_rounding(case):
    share, alpha, level, most = case.inputs
    for n in range(1, most + 1):
        wins = np.arange(n // 2 + 1, n + 1)
        apart = np.abs(2 * binom.sf(wins - 1, n, 0.5) / alpha - 1)
        exact = np.array([2 * sum(comb(n, j) for j in range(k, n + 1)) == alpha * 2**n for k in wins]) & (n < 3)
        assert ((apart > 1e-9) | exact).all()
        assert share == 1.0 or np.abs(binom.sf(wins - 1, n, share) - level).min() > 1e-9


# ---------------------------------------------------------------------------------- what the notebook tells


def test_what_the_three_numbers_show():
    names = played("slider = np.linspace", "views = three_numbers")
    slider, (probability, expected, third) = names["slider"], names["views"]
    assert slider[[view.argmax() for view in names["views"]]] == pytest.approx([5.1, 10, 10])
    assert expected[probability.argmax()] == pytest.approx(0.04, abs=6e-3)
    assert (expected[100], third[100], probability[100]) == pytest.approx((0.62, 1.70, 0.36), abs=6e-3)
    heard = names["model"].predict_latent(names["heard"])[0]
    assert names["heard"][heard.argmax(), 0] == slider[names["best"]] == 5.0
    np.testing.assert_allclose(expected, names["expected_improvement"](names["mean"], names["cov"], 50))


def test_what_a_batch_shows():
    names = played("slider = np.linspace", "single = np.argsort", "draws = np.array")
    places = names["slider"][names["places"]]
    assert sorted(places[names["single"]]) == [9, 9.5, 10]
    assert places[names["chosen"]].max() >= 9.5
    assert 5.5 <= places[names["chosen"]].min() <= 7.5
    assert 1.15 < names["gains"][-1] / names["together"] < 1.4
    assert (np.diff(names["gains"], n=2, prepend=0) < 0).all()


def test_what_a_limit_shows(capsys):
    played("slider = np.linspace", "for limit in (100")
    told = [line.split(": ")[1] for line in capsys.readouterr().out.splitlines() if line.startswith("limit")]
    assert told == [f"best {best}, ask for {x}" for best, x in (("5.6", 9.9), ("5.6", 8.8), ("5.6", 7.8))] + [
        "best 3.6, ask for 4.8",
        "best none, ask for 0.0",
    ]


def test_what_six_sessions_show(capsys):
    """The rule stops soon, with a preference and without; the evidence knows which it was."""
    played("def session_of")
    pattern = r"(\w+) +stopped after (\d+), (\d+) wasted; found ([\d.]+), evidence of a preference (-?\d+) nats"
    told = re.findall(pattern, capsys.readouterr().out)
    assert [one[0] for one in told] == 3 * ["Listener"] + 3 * ["DeafListener"]
    for kind, stopped, wasted, found, nats in told:
        assert 6 <= int(stopped) <= 8
        assert int(wasted) == 14 - int(stopped)
        assert int(nats) > 4 if kind == "Listener" else int(nats) < 1
        assert kind == "DeafListener" or 0.2 < float(found) < 0.45


def test_what_twenty_rounds_can_see():
    for share, seen, n in ((0.6, 0.13, 199), (0.7, 0.42, 49), (0.8, 0.80, 20), (0.9, 0.99, 12)):
        assert binom.sf(14, 20, share) == pytest.approx(seen, abs=6e-3)
        assert bank.power.right_answer(share, 0.05, 0.8, 250)[0] == n
    assert binomtest(15, 20).pvalue < 0.05 < binomtest(14, 20).pvalue
    assert bank.power.right_answer(0.7, 0.05, 0.8, 250) != bank.power.from_here_on(0.7, 0.05, 0.8, 250)


def test_what_a_power_failure_shows(capsys):
    names = played("def interrupted", "as folder, warnings")
    told = capsys.readouterr().out
    assert "you: 6 answers, 1 open, damaged line 0" in told
    assert "the library: 6 answers, the same: True" in told
    assert "it warned: written whole" in told
    assert names["read_session"](names["lines"])[3] == 5


# ------------------------------------------------------------------------------------------ the letter, the project


def with_looks(alpha, share, most=20):
    """(found, baseline): how often either is significant at some round, by the distribution of wins so far."""
    alive, ends = {0: 1.0}, [0.0, 0.0]
    for n in range(1, most + 1):
        after = dict.fromkeys(range(n + 1), 0.0)
        for wins, weight in alive.items():
            after[wins] += weight * (1 - share)
            after[wins + 1] += weight * share
        alive = {}
        for wins, weight in after.items():
            if binomtest(wins, n).pvalue <= alpha:
                ends[2 * wins < n] += weight
            elif weight:
                alive[wins] = weight
    return ends


def test_the_table_of_the_letter():
    rounds, wins = (6, 9, 17, 20, 20, 20), (6, 8, 13, 14, 11, 5)
    p = [binomtest(*both).pvalue for both in zip(wins, rounds, strict=True)]
    assert p == pytest.approx([0.031, 0.039, 0.049, 0.115, 0.824, 0.041], abs=6e-4)
    assert 6 * 20 - sum(rounds) == 28


def test_the_answer_to_the_letter():
    assert 2 * binom.sf(14, 20, 0.5) == pytest.approx(0.041, abs=5e-4)
    found, baseline = with_looks(0.05, 0.5)
    assert found == pytest.approx(baseline)
    assert found + baseline == pytest.approx(0.107, abs=5e-4)
    assert 1 - (1 - found - baseline) ** 6 == pytest.approx(0.49, abs=5e-3)
    for wins, low, high in ((14, 0.49, 0.86), (11, 0.35, 0.74)):
        assert tuple(binomtest(wins, 20).proportion_ci(0.9)) == pytest.approx((low, high), abs=5e-3)
    assert bank.power.right_answer(0.7, 0.05, 0.8, 100)[:2] == (49, 32)
    assert sum(with_looks(0.02, 0.5)) == pytest.approx(0.040, abs=5e-4)
    assert with_looks(0.02, 0.7)[0] == pytest.approx(0.33, abs=5e-3)


def test_looks_counted_and_simulated_agree():
    choices = np.random.default_rng(0).integers(2, size=(20_000, 20))
    wins = choices.cumsum(axis=1)
    table = [[binomtest(k, n).pvalue <= 0.05 for k in range(21) if k <= n] + [False] * (20 - n) for n in range(1, 21)]
    ever = np.array(table)[np.arange(20), wins].any(axis=1).mean()
    assert ever == pytest.approx(sum(with_looks(0.05, 0.5)), abs=0.007)


def test_what_the_project_shows():
    """Loosely: where the questions lie may differ from machine to machine, what they lead to must not."""
    names = played("def colour", "reader = Listener")
    space, session, test = names["space"], names["session"], names["test"]
    assert space.distance(session.best_, [200, 80]) < 0.15
    assert test.n_for_found >= 18
    assert test.p_value < 1e-3
    assert session.history_[0] > 0.3
    assert session.history_[6:].max() < 0.15
    assert 6 <= bank.stop.right_answer(session.history_, 1.0, 0.1, 4, 3)[0] <= 13
    gap, spread = session.predict([[285, 80], [120, 80], [0, 60], [200, 45]])
    assert gap[0] > gap[1] > max(gap[2:])
    assert max(spread[:2]) < min(spread[2:])
    second = type(session)(space, rng=4)
    reader = names["Listener"](space.to_unit([[200, 80]])[0], width=0.25, rng=14)
    for _ in range(15):
        second.answer(reader.judge(*space.to_unit(second.propose())))
    distance, correlation = agreement(session, second)
    assert distance < 0.2
    assert correlation > 0.8


class TestBank(BankTests):
    name = "12_asking"
