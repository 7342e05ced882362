"""Homework 10: the numbers in its checks, what its plays show, and the claims of its letters."""

import warnings

import numpy as np
import pytest
from scipy.special import log_ndtr, ndtr

from course_lib import gp
from course_lib.datasets import load_sound_quality
from course_lib.judgments import Comparison, FloatingItemsWarning, PreferenceGP
from course_lib.judgments.comparisons.pairs import all_pairs, random_pairs
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("10_i_prefer_b"), graded.bank("10_i_prefer_b")
TASKS = {task.name: task for task in CHECKS.homework.tasks}
ANSWERS = {task.function: getattr(bank, name).right_answer for name, task in TASKS.items()}
SOUND = load_sound_quality()
ALONE = gp.SquaredExponential(1.0, 0.1).with_priors(variance=gp.Fixed(), lengthscale=gp.Fixed())


def played(*markers):
    """What the first cell of the notebook and those with one of these words define, given right answers."""
    sources = [cell.source for cell in graded.notebook("10_i_prefer_b").cells if cell.cell_type == "code"]
    names = {"display": lambda picture: None, "waits_for": lambda function: False, **ANSWERS}
    for source in [sources[0], *(one for one in sources if any(marker in one for marker in markers))]:
        exec("\n".join(line for line in source.splitlines() if not line.startswith("from course_checks")), names)
    return names


def mode(pairs, wins, n, prior_std=1.0, steps=20):
    """Most probable values of n items: the step of Task 6, until nothing moves."""
    f = np.zeros(n)
    for _ in range(steps):
        f = bank.step.right_answer(f, np.asarray(pairs), wins, 1.0, prior_std, 0.0)
    return f


# ------------------------------------------------------------------------------------------ the numbers in the checks


def test_the_three_outcomes_add_up_to_one():
    f, pairs = np.array([0.3, -1.2, 2.0]), np.array([[0, 1], [1, 2], [2, 0]])
    total = sum(np.exp(bank.ties.right_answer(f, pairs, np.full(3, y), 0.7, 1.3)) for y in (-1, 0, 1))
    np.testing.assert_allclose(total, 1.0)


def test_the_numbers_worked_by_hand():
    told = {name: task.cases[0].expected for name, task in TASKS.items()}
    assert told["preference"] == pytest.approx(ndtr(1.0))
    np.testing.assert_allclose(np.exp(told["ties"]), [3 / 4, 1 / 12, 1 / 6])
    np.testing.assert_allclose(told["degrees"][0], [-1.564, 1.564], atol=5e-4)
    np.testing.assert_allclose(told["degrees"][1], 4 * np.pi / 3 * np.array([[1, -1], [-1, 1]]))
    assert told["side"] == pytest.approx((0.477, 0.482), abs=5e-4)
    assert told["triads"] == (2, 0)
    np.testing.assert_allclose(told["step"], [-0.158, 0.158], atol=5e-4)


def test_no_case_hides_a_square_or_a_direction():
    for name, where in (("preference", 2), ("ties", 3), ("degrees", 3), ("side", 2), ("step", 3)):
        assert all(abs(np.log(one.inputs[where])) > 0.05 for one in TASKS[name].cases), name
    for one in TASKS["preference"].cases:
        np.testing.assert_array_equal(one.inputs[1], one.inputs[1].T)
        assert np.linalg.eigvalsh(one.inputs[1]).min() >= 0
    for name, where in (("ties", 1), ("degrees", 1), ("triads", 0), ("step", 1)):
        a, b = np.concatenate([one.inputs[where] for one in TASKS[name].cases]).T
        assert (a < b).any(), name
        assert (a > b).any(), name
    for one in TASKS["triads"].cases:
        pairs = one.inputs[0]
        assert len({frozenset(pair) for pair in pairs.tolist()}) == len(pairs) == len(all_pairs(pairs.max() + 1))


# ---------------------------------------------------------------------------------- what the notebook tells


def test_what_vague_values_show():
    names = played("kernel = gp.SquaredExponential(10.0")
    np.testing.assert_allclose(names["yours"], names["told"])
    assert np.sqrt(np.diag(names["S"])) == pytest.approx(np.full(9, 2.55), abs=0.05)
    assert [names["gap_std"].min(), names["gap_std"].max()] == pytest.approx([0.14, 0.24], abs=6e-3)
    yours, without = np.array(names["yours"]), np.array(names["without"])
    assert (np.abs(without - 0.5) < np.abs(yours - 0.5)).all()
    assert np.abs(without - yours).max() == pytest.approx(0.22, abs=6e-3)
    assert ndtr(0.5 / np.sqrt(2)) == pytest.approx(0.64, abs=5e-3)


def test_what_ties_show():
    names = played("def largest(", "pairs, y = food.answers()", "best = largest(")
    assert [names["best"], names["other_best"]] == pytest.approx([-732.07, -730.35], abs=0.02)
    assert [names["tau"], names["threshold"]] == pytest.approx([0.87, 0.41], abs=6e-3)
    davidson = names["f"] / np.sqrt(2)
    halves = names["BradleyTerry"]().fit(names["pairs"], names["y"]).strength_
    np.testing.assert_allclose(halves / davidson, 0.677, atol=0.01)
    assert np.exp(0.677 * np.log(20)) == pytest.approx(8, abs=0.5)
    library = PreferenceGP(names["gp"].SquaredExponential(10.0, [15.0, 6.0]), ties=True)
    library.fit(names["food"].X, names["pairs"], names["y"])
    assert library.likelihood_.inner.threshold == pytest.approx(names["threshold"], abs=0.01)


def test_what_the_climb_shows():
    names = played("def climb(")
    _, plain = names["climb"](0.0, 12)
    _, damped = names["climb"](10.0, 12)
    assert plain[:4] == pytest.approx([-103.7, 14.9, -134.7, -159.5], abs=0.1)
    assert plain[-1] == pytest.approx(damped[-1], abs=1e-3)
    assert np.diff(damped).min() > 0
    contradicted = bank.degrees.right_answer(np.array([0, -2.0]), np.array([[0, 1]]), np.array([0.9]), 1.0, 10.0)[1]
    assert contradicted[0, 0] < -2


def test_what_trains_and_copies_show():
    names = played("weights = minimize", "def fit_strengths")
    everybody = bank.side.right_answer(names["gap"], names["trains"].choices, 1.0)
    assert everybody == pytest.approx((-0.03, 0.035), abs=3e-3)
    assert (names["trains"].choices > 0).mean() == pytest.approx(0.497, abs=5e-4)
    rng = np.random.default_rng(0)
    fixed = np.tile(all_pairs(6), (20, 1))
    turned = rng.random(300) < 0.5
    found = []
    for shown in (fixed, np.where(turned[:, None], fixed[:, ::-1], fixed)):
        heard = np.where(0.6 + np.sqrt(2) * rng.normal(size=300) > 0, 1, -1)
        values = names["fit_strengths"](shown, heard)
        found.append((values, *bank.side.right_answer(values[shown[:, 1]] - values[shown[:, 0]], heard, 1.0)))
    (climbing, left, _), (flat, bias, error) = found
    assert (np.diff(climbing) > 0).all()
    assert (climbing[0], climbing[-1], left) == pytest.approx((-0.63, 0.62, 0.16), abs=6e-3)
    assert np.abs(flat).max() < 0.2
    assert (bias, error) == pytest.approx((0.57, 0.11), abs=6e-3)


def test_significant_people_are_as_many_as_chance_gives():
    names = played("weights = minimize")
    trains, gap = names["trains"], names["gap"]
    own = [trains.persons == one for one in np.unique(trains.persons) if np.sum(trains.persons == one) >= 10]
    found = np.array([bank.side.right_answer(gap[his], trains.choices[his], 1.0) for his in own])
    assert len(own) == 198
    assert (np.abs(found[:, 0] / found[:, 1]) > 2).sum() == 7
    assert found[:, 1].mean() == pytest.approx(0.5, abs=0.05)
    assert 2 * ndtr(-2) * 198 == pytest.approx(9, abs=0.1)


@pytest.fixture(scope="module")
def circles():
    """(783,) circular triads of each round."""
    return np.array([bank.triads.right_answer(SOUND.pairs, row)[0] for row in SOUND.choices])


def test_what_circles_show(circles):
    assert circles.mean() == pytest.approx(5.53, abs=5e-3)
    assert circles[SOUND.listeners == 38].mean() == pytest.approx(12.45)
    assert circles[SOUND.listeners == 38].max() == 17
    assert 1 - circles.mean() / 20 == pytest.approx(0.72, abs=5e-3)
    expected = played("def expected_circles")["expected_circles"]
    assert expected(np.zeros(8)) == pytest.approx(14)
    rng, f = np.random.default_rng(0), np.array([0.4, -1, 0, 0.3, 1.2, -0.6, 0.1, 2])
    a, b = SOUND.pairs.T
    drawn = np.where(f[b] - f[a] + np.sqrt(2) * rng.normal(size=(4000, 28)) > 0, 1, -1)
    simulated = [bank.triads.right_answer(SOUND.pairs, row)[0] for row in drawn]
    assert np.mean(simulated) == pytest.approx(expected(f), abs=5 * np.std(simulated) / np.sqrt(4000))


def test_one_f_for_each_listener_and_piece_expects_more_circles_than_there_are(circles):
    names = played("found = np.array([circular", "def expected_circles", "with_piece = ")
    assert names["expected_circles"](names["strengths"](SOUND.listeners > 0)) == pytest.approx(8.4, abs=0.05)
    assert np.mean(names["own"]) == pytest.approx(7.3, abs=0.05)
    assert np.mean(names["with_piece"]) == pytest.approx(6.0, abs=0.05)
    assert np.mean(names["seen"]) == pytest.approx(5.5, abs=0.05)
    rng, refitted = np.random.default_rng(1), []
    for person in names["rounds"][:8]:
        for rows in person:
            f = names["strengths"](rows)
            share = ndtr((f[SOUND.pairs[:, 1]] - f[SOUND.pairs[:, 0]]) / np.sqrt(2))
            for_b = rng.binomial(rows.sum(), share)
            again = mode(SOUND.pairs, np.column_stack([rows.sum() - for_b, for_b]), 8, 2.0)
            refitted.append(names["expected_circles"](again) - names["expected_circles"](f))
    assert np.mean(refitted) < 0


def test_what_eight_ways_to_hear_music_show():
    names = played("wins = np.column_stack", "alone = gp.Squared")
    top, wins = names["top"], names["wins"]
    np.testing.assert_allclose(names["librarys"], top, atol=1e-5)
    np.testing.assert_allclose(names["logits"] / top, 1.2, atol=0.07)
    assert SOUND.modes[np.argmax(top)] == "Stereo"
    walked = bank.step.right_answer(np.ones(8), SOUND.pairs, wins, 1.0, 1.0, 3.0)
    assert walked.mean() == pytest.approx(3 / 4)
    printed = bank.step.MISTAKES["as printed, −λ"]
    f = np.ones(8)
    for _ in range(8):
        f = printed(f, SOUND.pairs, wins, 1.0, 1.0, 10.0)
    assert f.mean() == pytest.approx((10 / 9) ** 8)
    np.testing.assert_allclose(f - f.mean(), top, atol=1e-5)
    f = np.zeros(8)
    for _ in range(30):
        f = printed(f, SOUND.pairs, wins, 1.0, 1.0, 1000.0)
    assert np.abs(f).max() > 1e3


# ------------------------------------------------------------------------------------------------------ letters


def test_the_table_and_the_answer_of_letter_1(circles):
    people = np.array([one for one in np.unique(SOUND.listeners) if one != 62])
    order = people[np.argsort([circles[SOUND.listeners == one].mean() for one in people])]
    told = {
        "most consistent": [-1.96, -1.58, 0.99, 0.44, 0.70, 0.50, 0.13, 0.78],
        "least consistent": [-1.18, -0.62, 0.40, 0.20, 0.29, 0.34, 0.26, 0.32],
    }
    shares = {"most consistent": (0.98, 0.61, 0.27), "least consistent": (0.87, 0.65, 0.46)}
    for group, chosen in (("most consistent", order[:13]), ("least consistent", order[-13:])):
        rounds = SOUND.select(np.isin(SOUND.listeners, chosen))
        model = PreferenceGP(ALONE, optimize=False)
        model.fit(np.arange(8.0)[:, None], np.tile(rounds.pairs, (len(rounds), 1)), rounds.choices.ravel())
        np.testing.assert_allclose(model.predict_latent(np.arange(8.0)[:, None])[0], told[group], atol=6e-3)
        asked = [(0, 2), (0, 1), (2, 6)]
        assert model.predict_preference(np.arange(8.0)[:, None], asked) == pytest.approx(shares[group], abs=6e-3)
    assert ndtr(0.14) == pytest.approx(0.56, abs=5e-3)


def spreads(pairs, n=9):
    """Standard deviations (36,) of all differences, from answers to these pairs between equal items at σ = 1."""
    information = -Comparison(gp.Probit()).derivatives(np.ones(1), np.zeros(1))[2][0]
    a, b = np.asarray(pairs).T
    M = np.eye(n)[b] - np.eye(n)[a]
    V = np.linalg.pinv(information * M.T @ M)
    a, b = np.triu_indices(n, k=1)
    return np.sqrt(V[a, a] + V[b, b] - 2 * V[a, b])


STAR = ([(0, k) for k in range(1, 9)] * 8)[:60]
CHAIN = ([(k, k + 1) for k in range(8)] * 8)[:60]
SPREAD = (all_pairs(9).tolist() * 2)[:60]


def test_the_variances_of_letter_2():
    root_mean = {name: np.sqrt(np.mean(spreads(plan) ** 2)) for name, plan in (("star", STAR), ("chain", CHAIN))}
    assert root_mean["star"] == pytest.approx(np.sqrt(16 / 9 / 7.5 * np.pi), abs=0.01)
    assert root_mean["star"] == pytest.approx(0.86, abs=0.01)
    assert root_mean["chain"] == pytest.approx(1.18, abs=0.01)
    assert spreads(CHAIN).max() == pytest.approx(1.83, abs=0.01)
    assert np.sqrt(2 / (9 * 60 / 36) * np.pi) == pytest.approx(0.65, abs=5e-3)
    assert np.sqrt(np.mean(spreads(SPREAD) ** 2)) == pytest.approx(0.65, abs=0.01)
    random = [np.sqrt(np.mean(spreads(random_pairs(9, 60, rng=k)) ** 2)) for k in range(40)]
    assert np.mean(random) == pytest.approx(0.69, abs=0.01)
    ratio = (16 / 9 / 7.5) / (2 / 15)
    assert ratio == pytest.approx(1.8, abs=0.03)


def best_found(plan, first=None, patients=300):
    """In how many of the simulated patients the best of nine settings comes out best.

    plan : pairs of each patient, by seed; first : rank from below of number 0, None: as it comes
    """
    values, truths, asked, wins = np.linspace(-1.5, 1.5, 9), [], [], []
    for seed in range(patients):
        rng = np.random.default_rng([seed, 1])
        f = (
            rng.permutation(values)
            if first is None
            else np.append(values[first], rng.permutation(np.delete(values, first)))
        )
        pairs = np.array(plan(seed))
        y = f[pairs[:, 1]] - f[pairs[:, 0]] + np.sqrt(2) * rng.normal(size=len(pairs))
        truths.append(f)
        asked.append(pairs)
        wins.append(np.column_stack([y < 0, y > 0]).astype(float))
    found = modes(np.array(asked), np.array(wins), 9, steps=7)
    np.testing.assert_allclose(found[:3], [mode(*one, 9, steps=7) for one in zip(asked[:3], wins, strict=False)])
    return np.mean(found.argmax(axis=1) == np.argmax(truths, axis=1))


def modes(pairs, wins, n, steps):
    """(P, n) what `mode` finds for each of P people, all at once; pairs and wins (P, m, 2), an answer to each."""
    a, b = np.moveaxis(np.eye(n)[pairs], 2, 0)
    A, sign = b - a, wins[..., 1] - wins[..., 0]
    f = np.zeros((len(pairs), n))
    for _ in range(steps):
        u = sign * (A @ f[..., None])[..., 0] / np.sqrt(2)
        ratio = np.exp(-0.5 * u**2 - log_ndtr(u)) / np.sqrt(2 * np.pi)
        turned, slope = np.swapaxes(A, 1, 2), (sign * ratio / np.sqrt(2))[..., None]
        W = turned @ ((0.5 * ratio * (u + ratio))[..., None] * A)
        f = np.linalg.solve(np.eye(n) + W, W @ f[..., None] + turned @ slope)[..., 0]
    return f


def test_the_patients_of_letter_2():
    told = {
        "worst as reference": (lambda seed: STAR, 0, 0.32),
        "middle as reference": (lambda seed: STAR, 4, 0.54),
        "chain": (lambda seed: CHAIN, None, 0.5),
        "random": (lambda seed: random_pairs(9, 60, seed), None, 0.58),
        "all pairs": (lambda seed: SPREAD, None, 0.59),
    }
    for name, (plan, first, share) in told.items():
        assert best_found(plan, first) == pytest.approx(share, abs=0.05), name


def test_plans_that_fall_apart():
    def apart(*plans):
        reached = np.tile(np.eye(9), (len(plans), 1, 1))
        for links, pairs in zip(reached, plans, strict=True):
            links[pairs[:, 0], pairs[:, 1]] = links[pairs[:, 1], pairs[:, 0]] = 1
        for _ in range(3):  # then up to eight steps are behind
            reached = np.minimum(reached @ reached, 1)
        return (reached == 0).any(axis=(1, 2))

    for m, share in ((8, 0.94), (12, 0.45), (20, 0.06), (60, 0.0)):
        assert apart(*(random_pairs(9, m, k) for k in range(2000))).mean() == pytest.approx(share, abs=6e-3)
    evenings = np.vstack([np.tile(all_pairs(5), (4, 1)), np.tile(5 + all_pairs(4), (4, 1))])[:60]
    assert apart(evenings)
    y = np.where(np.random.default_rng(0).random(60) < 0.5, 1, -1)
    model = PreferenceGP(ALONE, optimize=False)
    with pytest.warns(FloatingItemsWarning):
        model.fit(np.arange(9.0)[:, None], evenings, y)
    mean, _ = model.predict_latent(np.arange(9.0)[:, None])
    assert [mean[:5].mean(), mean[5:].mean()] == pytest.approx([0, 0], abs=1e-6)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        PreferenceGP(ALONE, optimize=False).fit(np.arange(9.0)[:, None], STAR, y)


class TestBank(BankTests):
    name = "10_i_prefer_b"
