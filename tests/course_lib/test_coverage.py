"""Intervals hold as often as they say: small runs of the table `coverage` of the benchmarks, with seeds."""

import numpy as np
import pytest

from benchmarks import coverage
from course_lib.gp import Fixed, GPRegression, SquaredExponential


@pytest.fixture(autouse=True)
def few_members(monkeypatch):
    monkeypatch.setattr(coverage, "MEMBERS", 40)


def mean_of(world, seeds):
    """{(model, what): mean over worlds}."""
    found = [coverage.outcome(world, seed)[0] for seed in seeds]
    return {key: np.mean([one[key] for one in found]) for key in found[0]}


@pytest.mark.long
@pytest.mark.parametrize("world", ["one noise, 30 × 4", "curve, 40"])
def test_nine_of_ten_intervals_hold(world):
    """Of twelve worlds' shares four standard errors are about 0.1; averaging holds more."""
    found = mean_of(world, range(12))
    averaged, plain = (
        [value for (model, what), value in found.items() if model == name and what != "error"]
        for name in ("averaged", "plug-in")
    )
    assert min(plain) > 0.75 and min(averaged) > 0.8 and max(averaged) < 0.98
    assert np.mean(averaged) > np.mean(plain)


@pytest.mark.long
def test_probabilities_of_preference_say_what_happens():
    found = mean_of("choices, 15", range(12))
    for what in ("preference", "which is better"):
        for model in ("plug-in", "averaged"):
            says, happens = (found[model, f"{what}: {side}"] for side in ("says", "happens"))
            assert says == pytest.approx(happens, abs=0.08)
    assert found["plug-in", "contrast"] > 0.75


@pytest.mark.long
def test_wine_is_nearer_than_by_least_squares_and_intervals_hold():
    """What plugged-in hyper-parameters cost is seen even in a few worlds, and so is the cure."""
    found = mean_of("wine, 8 × 9", range(12))
    assert found["averaged", "error"] < found["plug-in", "error"] < 0.8 * found["least squares", "error"]
    for what in ("value (level)", "centred value", "bias (level)", "centred bias"):
        assert found["averaged", what] > found["plug-in", what] + 0.02
        assert found["averaged", what] > 0.75
    assert 0.75 < found["averaged", "rater's noise"] < 0.97


@pytest.mark.parametrize(
    ("world", "columns"),
    [
        ("panel, 25 × 12", 22),
        ("scale use, 25 × 8", 30),
        pytest.param("bounded panel, 25 × 6", 16, marks=pytest.mark.long),
        pytest.param("labels, 25 × 6", 10, marks=pytest.mark.long),
        ("repeats, 15 × 6 × 2", 37),
    ],
)
def test_a_panel_reports_every_interval(world, columns):
    found, seconds = coverage.outcome(world, 0)
    shares = [value for (_, what), value in found.items() if what != "error"]
    assert len(found) == columns and seconds > 0
    assert all(0 <= share <= 1 for share in shares)


def test_a_world_is_the_same_again():
    found = [coverage.outcome("one noise, 30 × 4", seed)[0] for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]


def test_the_table_prints_means_with_their_intervals(monkeypatch):
    answers = iter([{("plug-in", "answer"): 1.0, ("plug-in", "error"): 2.0}, {("plug-in", "answer"): 0.8}])
    monkeypatch.setattr(coverage, "outcome", lambda world, seed: (next(answers), 0.5))
    lines = list(coverage.table(2, ["curve, 40"]))
    assert "2 worlds, 0.50 s each" in lines[0]
    assert lines[-2:] == ["| answer | 90.0 % ± 13.9 % |", "| error | 2.000 ± 0.000 |"]


def test_worlds_are_chosen_by_words_of_their_names(monkeypatch, capsys):
    monkeypatch.setattr(coverage, "table", lambda repetitions, worlds: [f"{world}: {repetitions}" for world in worlds])
    coverage.main(["marks", "curve", "--repetitions", "3", "--jobs", "1"])
    assert capsys.readouterr().out.splitlines() == ["curve, 40: 3", "marks, 40: 3"]
    coverage.main(["--jobs", "1"])
    assert len(capsys.readouterr().out.splitlines()) == len(coverage.WORLDS)


def held_round_50(n, worlds, settings, averaged=False):
    """Mean share of 90 % bands of f that hold 50, of n answers that are noise round it."""
    shares = []
    for seed in range(worlds):
        rng = np.random.default_rng([seed, n])
        x, y = np.sort(rng.uniform(0, 10, n)), 50.0 + rng.normal(size=n)
        model = GPRegression(**settings).fit(x, y)
        mean, std = (model.averaged(40, rng=0) if averaged else model).predict(x, return_std=True)
        shares.append(coverage.held(*coverage.normal(mean, std), 50.0))
    return np.mean(shares)


@pytest.mark.parametrize("n", [10, 30])
def test_bands_of_noise_hold_its_level(n):
    """Of 60 worlds' shares the standard error is 0.04: most of what is open of the level is the same everywhere."""
    smooth = SquaredExponential(1.0, 3.0).with_priors(lengthscale=Fixed())
    assert held_round_50(n, 60, {"kernel": smooth, "noise_std": 1.0}) > 0.8


@pytest.mark.long
@pytest.mark.parametrize(("n", "averaged"), [(10, True), (30, False)])
def test_bands_of_noise_hold_its_level_by_default(n, averaged):
    """Ten answers leave open whether they are noise or a curve that varies from one to the next: averaging says so."""
    assert held_round_50(n, 300, {}, averaged) > 0.83
