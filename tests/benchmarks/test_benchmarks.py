"""The benchmarks compare equal results; how fast they are is not tested."""

import re
import subprocess
import sys
from dataclasses import replace
from itertools import islice

import nbformat
import numpy as np
import pytest
from scipy.special import gammaln
from sklearn.exceptions import ConvergenceWarning

from benchmarks import (
    annotators,
    bounded,
    degrees,
    fifty_digits,
    level_sets,
    papers,
    processes,
    pseudo_inputs,
    sequences,
    states,
    stress,
    stress_criteria,
    stress_oracles,
    stress_settings,
    users,
)
from benchmarks.__main__ import main
from benchmarks.timing import Row, measure
from course_lessons.i_prefer_b import teaching_speed
from course_lib import gp
from course_lib.gp import kernel_prior, sites
from course_lib.gp.inference import INFERENCE_RULES
from course_lib.gp.likelihoods import Likelihood
from course_lib.judgments import Comparison, ProbitWithTies
from course_widgets.controls import choice, log_slider, slider, switch
from course_widgets.frame import Explorer
from tests.course_lib.gp_oracles import dense_posterior

ROWS = [*sequences.rows(small=True), *states.rows(small=True), *processes.rows(small=True)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}, {row.peer}")
def test_results_agree_with_the_peer(row):
    pytest.importorskip({"scikit-learn": "sklearn", "course-lib": "course_lib"}.get(row.peer, row.peer))
    measured = measure(row, repeats=2)
    assert len(measured.ratios) == 2
    assert min(measured.ratios) > 0


@pytest.mark.parametrize(
    ("mine", "theirs"), [(1.0, 1.1), (([0, 1], 2.0), ([0, 2], 2.0)), (np.ones(2), np.ones((2, 1))), (np.nan, np.nan)]
)
def test_different_results_are_no_comparison(mine, theirs):
    row = Row("wrong", "numpy", 1.0, lambda: (lambda: mine, lambda: theirs))
    with pytest.raises(ValueError, match="differs"):
        measure(row, 1)


def test_a_missing_peer_is_one_line_and_the_other_rows_run(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "dtaidistance", None)
    main(["60", "--small", "--repeats", "1"])
    printed = capsys.readouterr()
    assert "query of 60 frames" in printed.out and "DTW cost" not in printed.out
    assert "DTW cost, 60 × 13: dtaidistance is missing" in printed.err and "pip install" in printed.err


def test_memory_counts_for_the_verdict():
    row = Row("large", "numpy", 1e9, lambda: (lambda: np.zeros(500_000)[0], lambda: 0.0), megabytes=1)
    measured = measure(row, 3)
    assert measured.peak > 4
    assert not measured.met


def test_command_writes_the_table(tmp_path, capsys):
    main(["query", "--small", "--repeats", "2", "--markdown", str(tmp_path / "table.md")])
    lines = (tmp_path / "table.md").read_text().splitlines()
    assert lines[0].startswith("| workload |")
    assert "query of 60 frames" in lines[2]
    assert "query of 60 frames" in capsys.readouterr().out


# --- what users feel


def test_a_goal_for_the_median_and_one_for_the_slow_end():
    times = [0.1] * 18 + [0.3, 0.5]

    def verdict(**goals):
        return users.Felt("nothing", lambda repeats: times[:repeats], **goals).cells(20)

    assert verdict(goal=0.1) == ["nothing", "20", "0.1", "slowest 0.5", "median ≤ 0.1", "✓"]
    assert verdict(goal=0.1, slowest=0.4)[-1] == "✗"
    assert verdict(goal=0.1, slowest=0.4, quantile=0.95)[3:] == ["p95 0.31", "median ≤ 0.1, p95 ≤ 0.4", "✓"]
    assert verdict(goal=0.09, slowest=0.4, quantile=0.95)[-1] == "✗"


def test_time_of_a_process_that_was_started_counts():
    count = "sum(range(3_000_000))"
    assert users.processor_seconds(lambda: None) < 0.02
    assert users.processor_seconds(lambda: subprocess.run([sys.executable, "-c", count], check=True)) > 0.02


def test_sliders_are_moved_all_along_and_put_back():
    drawn = []

    def draw(figure, **settings):
        drawn.append(tuple(settings.values()))
        return "seen"

    explorer = Explorer(
        draw, whole=slider("whole", 0, 12, 3), wide=log_slider("wide", 0.1, 10.0, 1.0), kind=choice("kind", "ab"),
        tick=switch("tick"),
    )  # fmt: skip
    drawn.clear()
    assert len(list(users.steps(explorer))) == 7 + 7 + 1 + 2
    assert {settings[0] for settings in drawn} == {0, 2, 3, 4, 6, 8, 10, 12}
    np.testing.assert_allclose([settings[1] for settings in drawn[8:15]], np.geomspace(0.1, 10, 7), 0.01)
    assert drawn[-1] == tuple(explorer.start.values()) == (3, 1.0, "a", False)


def test_a_lecture_is_run_with_its_kernel(tmp_path):
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("sum(range(3_000_000))")])
    nbformat.write(book, tmp_path / "short.ipynb")
    (seconds,) = users.lectures([tmp_path / "short.ipynb"], repeats=3)
    assert seconds > 0.1


def test_a_submission_without_a_mark_is_no_row():
    cell = {"problem": "it did not end"}
    for found in ({"problem": "it is a link", "cells": []}, {"problem": "", "cells": [{"problem": ""}, cell]}):
        with pytest.raises(ValueError, match=r"our own solution cannot be graded: it"):
            users.seconds_of(found, 1.0)
    assert users.seconds_of({"problem": "", "cells": [], "seconds": 2.0}, 1.0) == 3.0


@pytest.mark.long
def test_our_own_solution_of_a_homework_is_graded_in_seconds():
    assert 0.5 < users.marks(users.GRADED[:1], 1)[0] < 60


@pytest.mark.long
def test_one_repetition_of_paper_e_s_table():
    scores = bounded.repeated("squared exponential", [(0, 0)], n_restarts=0)
    assert scores.shape == (1, 3, 3)
    assert np.isfinite(scores).all()
    twice = np.concatenate([scores, scores])
    table = list(bounded.lines("squared exponential", twice, twice))
    assert f"| GP-BE | BE | -195.2 (24.6) | {scores[0, 2, 2]:.1f}" in "".join(table)
    assert bounded.won(np.array([[[0, 1, 1], [1, 2, 1], [1, 1, 0]]])).tolist() == [1, 0, 1]


def test_clipped_marks_are_told_by_median_and_extremes(monkeypatch):
    functions = {0: [[40, -9.0], [30, -4.0], [2, 8.0], [0, 30.0]], 1: [[20, 1.0], [10, 2.0], [4, 9.0], [1, 50.0]]}
    functions[2] = [[30, -2.0], [26, -1.0], [3, 7.0], [2, 40.0]]
    monkeypatch.setattr(bounded, "clipped", lambda seed: np.array(functions[seed]))
    table = list(bounded.clips(3))
    assert "| 0.01 | 30 | -9, -2, 1 |" in table
    assert "| 1e-09 | 1 | 30, 40, 50 |" in table


@pytest.mark.long
def test_one_function_counts_the_marks_on_each_clip_and_has_one_lead_where_none_is():
    found = bounded.clipped(3)
    assert found[:, 0].tolist() == [1, 0, 0, 0]
    np.testing.assert_allclose(found[2:, 1], found[1, 1], atol=1e-6)


def test_a_repetition_of_the_annotators_table():
    models = ("GOLD", "AV", "MANH, nugget")
    gold, average, by_region = annotators.errors("Auto", 0, True, models)
    assert gold[0] < by_region[0] < average[0]
    assert (gold < (45, 65)).all()


def test_a_realisation_of_paper_a_s_figure():
    rates = teaching_speed.error_rates(0, 30, counts=(40, 80))
    choices, degrees_known = rates["choices"], rates["degrees, known"]
    assert list(map(len, rates.values())) == [2] * 4
    assert np.all(np.less(rates["degrees"], choices)) and all(later < first for first, later in rates.values())
    assert np.all(np.less(degrees_known, choices))


@pytest.mark.long
def test_paper_a_s_figure(monkeypatch):
    monkeypatch.setattr(teaching_speed, "PRECISIONS", (3,))
    lines = list(degrees.table(2))
    assert lines[0].endswith("| m = 80 | m = 160 |")
    assert [line.count("|") for line in lines[1:]] == [7] * 6


@pytest.mark.long
def test_a_fold_of_paper_c_s_figure():
    X, worth = pseudo_inputs.items("Boston")
    assert X.shape == (506, 10)
    pairs, better = pseudo_inputs.comparisons(worth, np.arange(10))
    assert (np.sign(worth[pairs[:, 1]] - worth[pairs[:, 0]]) == better).all() and len(better) <= 45
    lines = list(pseudo_inputs.table(1, ("Boston",), (2, 8), n_comparisons=300))
    rates = np.array([line.split("|")[3:6] for line in lines[2:]], dtype=float)
    assert (rates[0] >= rates[1:] - 0.05).all() and (rates[:, 2] < 0.3).all()


def test_a_row_of_level_sets_is_that_of_its_runs():
    runs = np.array(
        [[0.2, 0.3, f1, precision, 0.5, 0.1] for f1, precision in zip(np.arange(8) / 10, [np.nan] * 8, strict=True)]
    )
    before, now, p, shares, seconds = level_sets.cells(runs, runs[:, 2] + 0.1)
    assert before == "0.20, 0.30" and shares == "nan, 0.50" and seconds == "0.100"
    assert now == "0.35 [0.15, 0.55]"  # 0.35 ± 2.365 · 0.245/√8
    assert float(p) < 0.02
    assert level_sets.cells(runs, runs[:, 2])[2] == "–"


def test_pseudo_answers_become_rows_of_their_own():
    places = np.array([[0.0, 0.0], [1.0, 0.0]])
    X, y = level_sets.with_pseudo_answers(np.array([[0.5, 0.5]]), np.array([-1.0]), places, np.array([0.0, 2.0]))
    np.testing.assert_array_equal(X, [[0.5, 0.5], *[[0.0, 0.0]] * 10, [1.0, 0.0]])
    np.testing.assert_array_equal(y, [-1, *[1] * 5, *[-1] * 5, 1])


def test_a_look_ahead_is_timed_for_both_criteria():
    assert len(users.looks_ahead(3, 5, 4)) == 6


@pytest.mark.long
def test_the_papers_tables_are_printed(monkeypatch, capsys):
    """All models, by the command itself, on the first 60 items to learn from and to predict."""
    whole = annotators.problem

    def problem(*given):
        return [[part[:60] for part in half] for half in whole(*given)]

    monkeypatch.setattr(annotators, "problem", problem)
    monkeypatch.setattr(annotators, "SETS", ("Auto",))
    papers.main(["annotators", "--repetitions", "1", "--jobs", "1"])
    printed = capsys.readouterr().out
    for model in annotators.MODELS:
        assert printed.count(f"| Auto | {model} |") == 2
    assert "| Auto | MANH | 36.42 (3.14) |" in printed


@pytest.mark.long
@pytest.mark.parametrize("jobs", [1, 2])
def test_the_same_work_on_a_dask_cluster(jobs, monkeypatch):
    pytest.importorskip("dask.distributed")
    monkeypatch.setattr(annotators, "SETS", ("Auto",))
    with papers.workers("dask", jobs):
        found = list(annotators.table(2, ("GOLD", "AV")))
    assert found == list(annotators.table(2, ("GOLD", "AV")))


# --- the stress of the engine -------------------------------------------------------------------------------


SAMPLE = 6


def test_a_sample_of_the_stress(capsys):
    """The settings of the command itself, the first few of them."""
    assert stress.main(["--settings", str(SAMPLE), "--seed", "0", "--jobs", "1"]) == 0
    printed = capsys.readouterr().out
    assert f"{SAMPLE} settings: " in printed and "0 silently off with noise/signal ≥ 1e-05 (goal: 0)" in printed
    verdicts = [stress.judged(0, number).verdict for number in range(3)]
    assert verdicts.count("ok") >= 2


def test_a_setting_is_the_same_alone(capsys):
    one, other = (stress_settings.setting(3, 7) for _ in range(2))
    assert str(one) == str(other)
    np.testing.assert_array_equal(one.observations.y, other.observations.y)
    assert str(one) != str(stress_settings.setting(4, 7)) != str(stress_settings.setting(3, 8))
    stress.main(["--seed", "3", "--only", "7"])
    assert str(one) in capsys.readouterr().out


def with_fields(inference, change):
    """A way of inference whose approximations have these fields instead."""
    rule = INFERENCE_RULES[inference]
    return INFERENCE_RULES, inference, lambda *given, **named: replace(found := rule(*given, **named), **change(found))


def too_narrow(*given):
    """The moments of cavity × likelihood, with a tenth of the variance lost."""
    log_Z, mean, variance = Likelihood.tilted(*given)
    return log_Z, mean, 0.9 * variance


def with_a_jitter(K):
    return sites.cholesky(K + 1e-6 * K.diagonal().mean() * np.eye(len(K))), 0.0


PLANTS = {  # what is planted, in which settings it shows, and where first
    "a wrong sign in the implicit gradient": (
        with_fields("laplace", lambda found: {"implicit_gradient": -found.implicit_gradient}),
        lambda s: s.inference == "laplace" and s.likelihood == "Beta",
        "slope",
    ),
    "a dropped ½": (
        with_fields("exact", lambda found: {"log_evidence": found.log_evidence - found.posterior.log_determinant}),
        lambda s: s.inference == "exact",
        "evidence",
    ),
    "an untold jitter": (
        (kernel_prior, "jittered_cholesky", with_a_jitter),
        lambda s: s.inference == "exact" and s.space == "item",
        "",
    ),
    "a lost mean": (
        (gp.LatentModel, "predict_latent", lambda self, *given, **named: self.latent_.predict_latent(*given, **named)),
        lambda s: s.offset != 0.0,
        "mean of new",
    ),
    "a bug of EP": ((gp.Probit, "tilted", too_narrow), lambda s: s.inference == "ep" and s.likelihood == "Probit", ""),
}


@pytest.mark.parametrize("name", PLANTS)
def test_a_planted_fault_is_silently_off(name, monkeypatch):
    (where, what, fault), shows, first = PLANTS[name]
    drawn = (stress_settings.setting(0, number) for number in range(1000))
    chosen = list(islice((s.number for s in drawn if s.places is None and s.noise > 1e-4 and shows(s)), 3))
    assert [stress.judged(0, number).verdict for number in chosen] == ["ok"] * 3
    (monkeypatch.setitem if isinstance(where, dict) else monkeypatch.setattr)(where, what, fault)
    judged = [stress.judged(0, number) for number in chosen]
    found = [j for j in judged if j.verdict == "silently off" and first in j.checks[0].what]
    assert found and all(j.missed for j in found) and "silently off" in "\n".join(stress.report(found))


def test_a_crash_is_counted_and_a_fresh_seed_is_told(monkeypatch, capsys):
    monkeypatch.setattr(stress_criteria, "said", lambda *_: 1 / None)
    assert stress.main(["--settings", "1", "--jobs", "1"]) == 1
    seed, printed = re.match(r"--seed (\d+)\n(.*)", capsys.readouterr().out, re.DOTALL).groups()
    assert "/ 1 crashed" in printed and str(stress_settings.setting(int(seed), 0)) in printed


def test_an_ep_that_failed_has_no_huge_evidence():
    """Equal inputs, sharp marks: in another order the answers contradict each other by hundreds of deviations."""
    setting = stress_settings.setting(918273, 140)
    turned = replace(setting.observations, y=np.random.default_rng(0).permutation(setting.observations.y))
    with pytest.warns(ConvergenceWarning):
        assert replace(setting, observations=turned).fitted().log_evidence_ == -np.inf


KERNELS = [
    gp.SquaredExponential(1.7, [0.7, 1.9]),
    gp.Matern32(1.7, 0.7),
    gp.Periodic(1.7, 0.7, 1.3),
    gp.Linear([1.7, 0.2]),
    gp.SquaredExponential(1.7, 0.7).on(0) + gp.Matern32(0.4, 1.1).on(1),
    gp.SquaredExponential(1.7, 0.7) * gp.Linear(0.3) + gp.Constant(0.5) + gp.White(0.1),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_kernels_with_fifty_digits(kernel):
    X, Z = np.random.default_rng(0).normal(size=(7, 2)), np.random.default_rng(1).normal(size=(5, 2))
    np.testing.assert_allclose(fifty_digits.doubles(fifty_digits.covariance(kernel, X)), kernel(X), rtol=1e-12)
    np.testing.assert_allclose(
        fifty_digits.doubles(fifty_digits.covariance(kernel, X, Z)), kernel.cross(X, Z), rtol=1e-12, atol=1e-15
    )


def test_fifty_digits_solve_where_doubles_cannot():
    """Hilbert's matrix of 12 rows: det = c₁₂⁴/c₂₄ with c_n = 1! 2! … (n − 1)!; its inverse begins with n²."""
    index = np.arange(1, 13)
    hilbert = fifty_digits.exact(np.ones((12, 12))) / (index[:, None] + index - 1)
    inverse, log_det = fifty_digits.solve(hilbert, fifty_digits.exact(np.eye(12)))
    assert float(inverse[0, 0]) == pytest.approx(144, rel=1e-15)
    wanted = 4 * gammaln(np.arange(2, 13)).sum() - gammaln(np.arange(2, 25)).sum()
    assert float(log_det) == pytest.approx(wanted, rel=1e-14)


def test_posterior_with_fifty_digits():
    rng = np.random.default_rng(0)
    X, tau, nu = rng.normal(size=(6, 2)), rng.uniform(0.5, 2.0, size=9), rng.normal(size=9)
    tau[0] = -0.1
    A = np.zeros((9, 6), dtype=int)
    A[np.arange(9), np.arange(9) % 6] = 1
    A[6:, 5] -= 1
    K = KERNELS[0](X)
    found = fifty_digits.Posterior(fifty_digits.exact(K), A, tau, nu)
    mean, covariance = dense_posterior(K, A, tau, nu)
    np.testing.assert_allclose(fifty_digits.doubles(found.mean), mean, atol=1e-11)
    np.testing.assert_allclose(fifty_digits.doubles(found.covariance), covariance, atol=1e-11)
    assert float(found.log_determinant) == pytest.approx(
        np.linalg.slogdet(np.eye(6) + K @ A.T @ (tau[:, None] * A))[1]
    )
    assert float(found.quadratic) == pytest.approx(mean @ np.linalg.solve(K, mean))


LIKELIHOODS = {
    "Gaussian": (gp.Gaussian(0.3), [-1.0, 0.5, 2.0]),
    "warped": (gp.WarpedGaussian(0.3), [0.1, 0.5, 0.97]),
    "StudentT": (gp.StudentT(0.2, 3.0), [-1.0, 0.5, 7.0]),
    "Probit": (gp.Probit(), [-1.0, 1.0, 1.0]),
    "Logit": (gp.Logit(), [-1.0, 1.0, 1.0]),
    "Ordinal": (gp.Ordinal(4, gaps=[0.1, 1.0]), [0.0, 1.0, 3.0]),
    "Beta": (gp.Beta(30.0), [0.01, 0.4, 0.9]),
    "truncated": (gp.TruncatedGaussian(8.0), [0.01, 0.4, 0.9]),
    "Tied": (ProbitWithTies(0.3), [-1.0, 0.0, 1.0]),
    "Compared Beta": (Comparison(gp.Beta(30.0), 0.1), [0.01, 0.4, 0.9]),
}


@pytest.mark.parametrize("name", LIKELIHOODS)
def test_integrals_of_the_stress_are_those_of_many_nodes(name):
    likelihood, y = LIKELIHOODS[name][0], np.array(LIKELIHOODS[name][1])
    mean, variance = np.array([0.3, -0.8, 1.1]), np.array([0.5, 2.0, 0.01])
    g = mean + np.sqrt(variance) * np.linspace(-12, 12, 40_001)[:, None]
    np.testing.assert_allclose(
        stress_oracles.log_density(likelihood, y, g[::2000]),
        likelihood.log_density(y, g[::2000]),
        rtol=1e-9,
        atol=1e-9,
    )
    weight = np.exp(-0.5 * (g - mean) ** 2 / variance) / np.sqrt(2 * np.pi * variance) * (g[1] - g[0])
    _, slope, bend, _ = likelihood.derivatives(y, g)
    averages = stress_oracles.gaussian_averages(likelihood, y, mean, variance)
    for found, value in zip(averages, (likelihood.log_density(y, g), slope, bend), strict=True):
        np.testing.assert_allclose(found, (weight * value).sum(axis=0), rtol=1e-6, atol=1e-7)
    tilted = weight * np.exp(likelihood.log_density(y, g))
    Z = tilted.sum(axis=0)
    first = (tilted * g).sum(axis=0) / Z
    found = stress_oracles.tilted_moments(
        lambda g: stress_oracles.log_density(likelihood, y, g), mean, variance, stress_oracles.place(likelihood, y)
    )
    for moment, truth in zip(found, (np.log(Z), first, (tilted * (g - first) ** 2).sum(axis=0) / Z), strict=True):
        np.testing.assert_allclose(moment, truth, rtol=1e-6)


@pytest.mark.long
def test_true_evidence_is_that_of_a_gaussian_for_one_two_and_many_views():
    rng = np.random.default_rng(0)
    K, noise = KERNELS[0](rng.normal(size=(4, 2))), 0.3
    likelihood, y = gp.StudentT(noise, 1e9), rng.normal(size=6)  # no other than a Gaussian, but not treated as one
    for items in ([0, 0, 0, 0, 0, 0], [0, 1, 1, 0, 1, 0], [0, 1, 2, 3, 0, 1]):
        A = np.eye(4)[items] * np.array([1, -1, 1, 1, 1, 1])[:, None]
        value, off = stress_oracles.true_evidence(K, A, y, likelihood, np.full(6, noise**-2), y / noise**2, rng)
        C = A @ K @ A.T + noise**2 * np.eye(6)
        wanted = -0.5 * (y @ np.linalg.solve(C, y) + np.linalg.slogdet(2 * np.pi * C)[1])
        assert value == pytest.approx(wanted, abs=max(off, 1e-6)) and off < 0.05


def test_every_likelihood_of_the_engine_is_stressed():
    drawn = {type(part) for number in range(150) for part in all_parts(stress_settings.setting(0, number))}
    wanted = {kind for kind in subclasses(Likelihood) if kind.__module__.startswith("course_lib")}
    made_of_others = {
        "BlockLikelihood",
        "WrappedLikelihood",
        "ReplicatedLikelihood",
        "PooledLikelihood",
        "RandomRaterLikelihood",
    }
    gaussian = {"RaterNoise", "RaterGain", "OpenChoice"}  # with a bias or a gain: oracles in test_rater_gains
    beside = made_of_others | gaussian | {"Likert"}  # has kinks: oracles in test_mixed_feedback
    beside |= {"CensoredGaussian", "Rounded"}  # probabilities of steps: oracles in test_likelihoods, test_inference
    assert {kind.__name__ for kind in wanted - drawn} - beside == {"_Choice"}


def all_parts(setting):
    parts = [setting.observations.likelihood]
    for part in parts:
        parts.extend(part.children)
    return parts


def subclasses(kind):
    for below in kind.__subclasses__():
        yield below
        yield from subclasses(below)
