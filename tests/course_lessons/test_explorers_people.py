"""What the explorers of lecture 11 and their explanations claim, computed in another way."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from course_lessons.many_people import explore as people
from course_lessons.many_people import listeners, moving_inputs, plots, sharing
from course_lessons.many_people.explore import (
    check_open,
    check_response,
    check_together,
    explore_listeners,
    explore_places,
    explore_sharing,
)
from course_lessons.many_people.toys import cosine_toy
from course_lib import datasets
from course_lib.gp import Constant, Coregionalization, SquaredExponential
from course_lib.judgments import PreferenceGP, person_pairs
from course_widgets import figure
from tests.course_lessons.explored import sentence, told_apart

BEST = np.array([-6.34, -np.pi, 0.0, np.pi, 6.34])


def end(name):
    places, evidences = moving_inputs.climb(people.STARTS[name])
    return np.sort(places[-1]), evidences


def test_the_toy_is_a_cosine_without_its_ties():
    toy = cosine_toy()
    x = toy.X[:, 0]
    assert (x[0], x[-1]) == (-2 * np.pi, 2 * np.pi)
    np.testing.assert_allclose(np.diff(x), np.pi / 4)
    ties = sum(abs(np.cos(x[i]) - np.cos(x[j])) < 1e-9 for i in range(17) for j in range(i))
    assert ties == 22
    assert len(toy.pairs) == 136 - ties
    a, b = toy.pairs.T
    assert all((np.cos(x[b]) - np.cos(x[a])) * toy.choices > 0.1)
    np.testing.assert_array_equal(toy.f, np.cos(x))
    np.testing.assert_array_equal(toy.degrees, toy.choices > 0)


def choice_evidence(places):
    """Laplace's log evidence of the toy through pseudo-inputs, by the formulas as they stand, with plain inverses."""
    toy, kernel = cosine_toy(), SquaredExponential(1.0, 1.0)
    Z, (a, b) = np.reshape(places, (-1, 1)), toy.pairs.T
    K, k = kernel(Z), kernel.cross(toy.X, Z)
    B = (k[b] - k[a]) @ np.linalg.inv(K)
    open_ = 2.0 - 2.0 * np.diag(kernel.cross(toy.X[a], toy.X[b])) - np.diag(B @ (k[b] - k[a]).T)
    B *= (toy.choices / np.sqrt(2 * moving_inputs.TOY_NOISE**2 + open_))[:, None]
    u = np.zeros(len(Z))
    for _ in range(200):
        r = np.exp(norm.logpdf(B @ u) - norm.logcdf(B @ u))
        H = np.linalg.inv(K) + B.T @ ((r * (B @ u + r))[:, None] * B)
        u = u + 0.5 * np.linalg.solve(H, B.T @ r - np.linalg.solve(K, u))
    r = np.exp(norm.logpdf(B @ u) - norm.logcdf(B @ u))
    W = B.T @ ((r * (B @ u + r))[:, None] * B)
    price = 0.5 * u @ np.linalg.solve(K, u) + 0.5 * np.linalg.slogdet(np.eye(len(Z)) + K @ W)[1]
    return norm.logcdf(B @ u).sum() - price


@pytest.mark.parametrize("name", people.STARTS)
def test_the_evidences_are_those_of_the_formulas(name):
    places, evidences = moving_inputs.climb(people.STARTS[name])
    assert evidences[0] == pytest.approx(choice_evidence(places[0]), abs=1e-5)
    assert moving_inputs.through_places(people.STARTS[name], 0, 0.0).log_evidence == pytest.approx(
        evidences[0], abs=1e-6
    )


def test_papers_start_ends_at_peaks_and_valleys():
    places, evidences = end(people.PAPER)
    np.testing.assert_allclose(places, BEST, atol=0.01)
    assert evidences[0] == pytest.approx(-53.1, abs=0.05)
    assert evidences[-1] == pytest.approx(-24.8, abs=0.05)
    assert moving_inputs.through_all().log_evidence == pytest.approx(-22.1, abs=0.05)
    start, found = (moving_inputs.through_places(people.STARTS[people.PAPER], step, 0.0) for step in (0, 99))
    assert (round(start.right, 2), found.right) == (0.82, 1.0)


def test_a_push_off_the_peak_costs_four_nats():
    kept, pushed = (moving_inputs.through_places(people.STARTS[people.PAPER], 99, push) for push in (0.0, -1.5))
    assert kept.log_evidence - pushed.log_evidence == pytest.approx(4.0, abs=0.1)
    assert pushed.log_evidence == pytest.approx(-28.8, abs=0.05)
    assert round(pushed.right, 2) == 0.96


def test_halfway_between_the_places_the_band_is_almost_the_priors():
    places, _ = end(people.PAPER)
    halfway = np.array([[-4.72], [-1.58], [1.58], [4.72]])
    few, full = (moving_inputs.toy_model(at, optimize=False).predict_latent(halfway)[1] for at in (places, None))
    np.testing.assert_allclose(few, 0.95, atol=0.005)
    np.testing.assert_allclose(full, 0.54, atol=0.005)


def test_at_the_crossings_all_values_are_equal_and_tell_no_more_than_a_coin():
    crossings, peaks = np.pi * np.array([-1.5, -0.5, 0.5, 1.5]), np.pi * np.array([-2.0, -1.0, 1.0, 2.0])
    blind, seeing = (moving_inputs.toy_model(at, optimize=False) for at in (crossings, peaks))
    flat, curve = blind.predict_latent(crossings[:, None])[0], seeing.predict_latent(peaks[:, None])[0]
    assert np.ptp(flat) < 0.06 < 3.0 < np.ptp(curve)
    assert blind.log_evidence_ == pytest.approx(-80.6, abs=0.05)
    assert 114 * np.log(0.5) == pytest.approx(-79.0, abs=0.05)
    assert seeing.log_evidence_ == pytest.approx(-30.3, abs=0.05)


def test_a_crowded_start_ends_lower_and_loses_the_outer_peaks():
    places, evidences = end(people.CROWDED)
    np.testing.assert_allclose(places, [-3.40, -1.81, 0.0, 1.81, 3.40], atol=0.01)
    assert evidences[[0, -1]] == pytest.approx([-60.0, -30.2], abs=0.05)
    found = moving_inputs.through_places(people.STARTS[people.CROWDED], 99, 0.0)
    assert found.right == 1.0
    outer = np.abs(moving_inputs.X_GRID) > 6.2
    assert np.abs(found.mean[outer]).max() < 0.3
    assert moving_inputs.through_all().mean[outer].min() > 1.0


def test_a_start_on_one_half_wastes_a_place_and_leaves_the_left_flat():
    places, evidences = end(people.ONE_HALF)
    assert evidences[[0, -1]] == pytest.approx([-47.4, -46.9], abs=0.05)
    np.testing.assert_allclose(places[:2], [0.50, 0.52], atol=0.006)
    found = moving_inputs.through_places(people.STARTS[people.ONE_HALF], 99, 0.0)
    assert round(found.right, 2) == 0.78
    assert np.abs(found.mean[moving_inputs.X_GRID < -3.0]).max() < 0.05


@pytest.mark.parametrize("name", people.STARTS)
def test_the_search_ends_where_the_librarys_does(name):
    model = moving_inputs.toy_model(people.STARTS[name], learn_inducing=True)
    assert model.converged_
    assert model.log_evidence_ == pytest.approx(end(name)[1][-1], abs=0.02)
    slope = model.evidence_at(model.inducing_.ravel())[1]
    assert np.abs(slope).max() < 0.05


@pytest.mark.parametrize("gap", [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3])
def test_where_two_places_meet_the_slope_is_that_of_the_evidence(gap):
    """Two nearly equal places tell of a value and a slope, one of a value only: rounding must not stand between."""
    model = moving_inputs.toy_model(people.STARTS[people.ONE_HALF], learn_inducing=True, optimize=False)
    places = np.array([0.512 - gap / 2, 0.512 + gap / 2, 3.221, 4.5, 6.371])
    apart = np.array([-gap, gap, 0.0, 0.0, 0.0]) / 50
    difference = model.evidence_at(places + apart)[0] - model.evidence_at(places - apart)[0]
    assert 2 * apart @ model.evidence_at(places)[1] == pytest.approx(difference, rel=0.01, abs=3e-9)


def test_the_opening_counts_what_each_listener_chose():
    tables = sharing.sound_tables()
    won = {mode: [] for mode in tables.modes}
    for answers in tables.rounds[0].T[:20]:
        for mode, name in enumerate(tables.modes):
            won[name].append(sum(row[mode] == said for row, said in zip(tables.contrasts, answers, strict=True)) / 7)
    explorer = explore_listeners()
    explorer.set(asked=20)
    best = max(won, key=lambda name: sum(won[name]))
    assert f"560 answers. {best} wins most often, in {100 * np.mean(won[best]):.0f} %" in sentence(explorer)
    assert f"between {100 * min(won[best]):.0f} % and {100 * max(won[best]):.0f} %" in sentence(explorer)


def test_the_opening_names_all_who_win_equally_often():
    tables = sharing.sound_tables()
    won = (tables.rounds[0].T[:5] @ tables.contrasts).sum(axis=0)
    first, second = (tables.modes[k] for k in np.flatnonzero(won == won.max()))
    assert f"{first} and {second} win most often" in sentence(explore_listeners())


def test_the_places_explorer_says_what_it_shows():
    explorer = explore_places()
    assert "Step 0 of 11" in sentence(explorer)
    assert "82 % of the 114 pairs are predicted correctly" in sentence(explorer)
    explorer.press("one pushed off its peak")
    assert "pushed by −1.50" in sentence(explorer)
    explorer.press("a start on one half")
    assert "0.50, 0.52" in sentence(explorer)
    assert "78 % of" in sentence(explorer)
    assert "pushed" not in sentence(explorer)


def test_of_two_places_that_coincide_one_stands_on_the_other():
    _, ax = figure()
    (line,) = plots.draw_places([3.0, 0.52, 0.5], -4.0, ax).lines
    assert line.get_xdata().tolist() == [0.5, 0.52, 3.0]
    assert line.get_ydata().tolist() == pytest.approx([-4.0, -3.4, -4.0])


def test_the_tables_are_means_of_the_listeners_choices():
    tables, sound = sharing.sound_tables(), datasets.load_sound_quality()
    assert len(tables.listeners) == 39
    assert 62 not in tables.listeners
    spread = []
    for p, listener in enumerate(tables.listeners):
        for occasion, table, rounds in (("before", tables.rounds[-1], 12), ("after", tables.second, 8)):
            chosen = sound.choices[(sound.listeners == listener) & (sound.occasions == occasion)]
            assert len(chosen) == rounds
            np.testing.assert_allclose(table[:, p], chosen.mean(axis=0), atol=1e-12)
        spread.append(np.mean((chosen - chosen.mean(axis=0)) ** 2, axis=0) / 7)  # of the second occasion's mean
    assert tables.second_noise == pytest.approx(np.sqrt(np.mean(spread)))
    assert tables.second_noise == pytest.approx(0.289, abs=0.001)
    assert set(np.unique(tables.rounds[0])) == {-1.0, 1.0}
    a, b = sound.pairs[5]
    assert tables.contrasts[5, b] == 1
    assert tables.contrasts[5, a] == -1
    assert np.abs(tables.contrasts).sum(axis=1).tolist() == [2.0] * 28


def test_the_sharing_explorer_is_a_joint_gaussian():
    """Five pairs and three listeners would do; here all 1092 answers, with a dense matrix."""
    tables, shared = sharing.sound_tables(), 0.75
    noise = sharing.NOISE_OF_ONE / np.sqrt(4)
    modes = np.kron(tables.contrasts, np.eye(39))  # answers from worths, item-major
    prior = sharing.WORTH * np.kron(np.eye(8), shared + (1 - shared) * np.eye(39))
    C = modes @ prior @ modes.T + noise**2 * np.eye(1092)
    y = tables.rounds[3].ravel()
    found = sharing.with_shared(4, shared)
    np.testing.assert_allclose(found.worth.ravel(), prior @ modes.T @ np.linalg.solve(C, y), atol=1e-9)
    assert found.fit.log_evidence == pytest.approx(multivariate_normal(np.zeros(1092), C).logpdf(y), abs=1e-6)
    assert found.error == pytest.approx(np.linalg.norm(found.fit.mean - tables.second) / np.sqrt(1092))


def test_extremes_change_places_and_between_is_best():
    """The numbers of the explanation."""
    for rounds, alone, alike, best, by_evidence in ((1, 0.505, 0.404, 0.400, 0.80), (12, 0.376, 0.394, 0.364, 0.85)):
        found = [sharing.with_shared(rounds, share) for share in people.SHARES]
        errors = [one.error for one in found]
        assert (round(errors[0], 3), round(errors[-1], 3), round(min(errors), 3)) == (alone, alike, best)
        assert people.SHARES[int(np.argmin(errors))] == 0.95
        assert people.SHARES[int(np.argmax([one.fit.log_evidence for one in found]))] == by_evidence
    without_noise = np.sqrt(np.square([errors[0], errors[-1]]) - sharing.sound_tables().second_noise ** 2)
    np.testing.assert_allclose(without_noise, [0.24, 0.27], atol=0.005)


def test_of_two_listeners_alike_in_twelve_rounds_one_was_right():
    tables = sharing.sound_tables()
    one, twelve = (sharing.with_shared(rounds, 1.0).worth[0] for rounds in (1, 12))
    for listener, own, second in ((30, [-0.88, -0.31], -0.12), (60, [-0.38, -0.31], -0.75)):
        p = tables.listeners.tolist().index(listener)
        lost = tables.contrasts[:, 0] == -1  # mono is the first of each of its seven pairs
        assert lost.sum() == np.abs(tables.contrasts[:, 0]).sum() == 7
        mono = [-answers[lost, p].sum() / 8 for answers in (tables.rounds[0], tables.rounds[-1], tables.second)]
        np.testing.assert_allclose(mono, [*own, second], atol=0.006)
        np.testing.assert_allclose([one[p], twelve[p]], [-0.72, -0.67], atol=0.005)


def test_the_sharing_explorer_says_its_distances():
    explorer = explore_sharing()
    explorer.press("12 rounds, all alike")
    assert "each alone 0.376, all alike 0.394; lowest up to here 0.364, at 0.95" in sentence(explorer)
    before = sentence(explorer)
    explorer.set(**{**explorer.start, "person": sharing.sound_tables().listeners.tolist().index(60)})
    assert "listener 60: own answers −0.38" in sentence(explorer)
    assert sentence(explorer) != before


def test_no_distance_is_said_before_it_is_tried():
    explorer = explore_sharing()
    assert "correlation 0.00: distance 0.505 (each alone 0.505; lowest up to here 0.505, at 0.00)" in sentence(
        explorer
    )
    explorer.set(shared=0.5)
    assert "all alike" not in sentence(explorer)


def test_what_makes_something_between_right_is_computed():
    because = explore_sharing().feedback.because
    found = [sharing.with_shared(1, share).error for share in people.SHARES]
    assert f"{found[0]:.3f} for each alone, {found[-1]:.3f} for all alike" in because
    assert f"{people.SHARES[int(np.argmin(found))]}: {min(found):.3f}" in because


# --- what students work out by hand --------------------------------------------------------------------------


test_two_peoples_differences_are_checked = told_apart(
    lambda variance, covariance: check_together(variance, covariance, worth_variance=0.2, correlation=0.75),
    (None, 0.3, "Nothing to check yet"),
    (0.4, 0.3, "✓"),
    (0.0, 0.3, "a *sum*"),
    (0.2, 0.3, "*one* worth"),
    (0.7, 0.3, "The variance: that of"),
    (0.4, 0.75, "the correlation. Times what"),
    (0.4, 0.15, "two terms"),
    (0.4, 0.225, "not twice"),
    (0.4, 0.0, "one model for each"),
    (0.4, 0.9, "which of them are not 0"),
)


def test_two_peoples_differences_are_those_of_the_product_kernel():
    K, K_u, gap = 0.2 * np.eye(2), np.array([[1, 0.75], [0.75, 1]]), np.array([-1.0, 1.0])
    both = np.kron(gap, np.eye(2)) @ np.kron(K, K_u) @ np.kron(gap, np.eye(2)).T
    assert check_together(both[0, 0], both[0, 1], 0.2, 0.75).startswith("✓")


K = SquaredExponential(1.0, 1.2)(np.array([[0.0], [0.7], [1.5], [2.6], [4.0]]))
A = np.array([[-1, 1, 0, 0, 0], [0, -1, 1, 0, 0], [0, 0, 0, -1, 1], [-1, 0, 0, 0, 1]])
Y, NOISE = np.array([0.8, 0.3, -1.1, -0.6]), 0.4


@pytest.mark.parametrize(
    ("mine", "said"),
    [
        (lambda C, solve: None, "Nothing to check yet"),
        (lambda C, solve: np.linalg.solve(np.eye(5) + K @ A.T @ A / NOISE**2, K @ A.T @ Y / NOISE**2), "✓"),
        (lambda C, solve: K @ A.T @ solve(C + NOISE * np.eye(4)), "as a variance"),
        (lambda C, solve: K @ A.T @ np.linalg.solve(C, Y), "not in the matrix"),
        (lambda C, solve: A.T @ solve(C + NOISE**2 * np.eye(4)), "K is missing"),
        (lambda C, solve: solve(C + NOISE**2 * np.eye(4)), "4 numbers, one for each comparison"),
        (lambda C, solve: np.zeros(5), "Not yet"),
    ],
)
def test_the_mean_from_response_space_is_checked(mine, said):
    found = mine(A @ K @ A.T, lambda matrix: np.linalg.solve(matrix, Y))
    assert said in check_response(found, K, A, Y, NOISE)


OPEN, GAP = np.array([[0.339, 0.3217], [0.3217, 0.317]]), 0.388
S = np.sqrt(2 * NOISE**2 + 0.339 + 0.317 - 2 * 0.3217)


test_a_choice_through_pseudo_inputs_is_checked = told_apart(
    lambda spread, chance: check_open(spread, chance, GAP, OPEN, NOISE),
    (S, None, "Nothing to check yet"),
    (S, norm.cdf(GAP / S), "✓"),
    (S, norm.cdf(-GAP / S), "that of a"),
    (S, 0.5, "Φ(g / s)"),
    (S**2, 0.75, "This is s²"),
    (np.sqrt(2 * NOISE**2 + 0.656 + 0.6434), 0.75, "The sign of the covariance"),
    (np.sqrt(2 * NOISE**2 + 0.656), 0.75, "not independent given u"),
    (np.sqrt(NOISE**2 + 0.0126), 0.75, "2σ²"),
    (2.0, 0.75, "s² is 2σ²"),
)


def test_the_noise_alone_is_told_from_what_is_open():
    far = np.array([[0.9, 0.1], [0.1, 0.8]])
    assert "what u leaves open is missing" in check_open(np.sqrt(2) * NOISE, 0.75, GAP, far, NOISE)


# --- choices of listeners ------------------------------------------------------------------------------------


def test_choices_are_those_of_the_data():
    sound, (pool, exam) = datasets.load_sound_quality(), listeners.sound_choices()
    assert (len(pool.answers), len(exam.answers)) == (39 * 224, 39 * 112)
    names = sharing.sound_tables().listeners
    for p in (0, 17, 38):
        of = (sound.listeners == names[p]) & (sound.occasions == "before")
        for part, wanted in ((pool, sound.repetitions < 3), (exam, sound.repetitions == 3)):
            mine = part.part(part.persons == p)
            for k, pair in enumerate(sound.pairs):
                total = mine.answers[(mine.pairs == pair).all(axis=1)].sum()
                assert total == sound.choices[of & wanted][:, k].sum()


def test_some_are_as_many_of_each_and_none_twice():
    drawn, (pool, _) = listeners.some(5, 0), listeners.sound_choices()
    assert np.bincount(drawn.persons).tolist() == [5] * 39
    everything = listeners.some(224, 0)
    np.testing.assert_array_equal(np.sort(everything.pairs, axis=0), np.sort(pool.pairs, axis=0))
    assert len(drawn.and_also(pool).answers) == len(drawn.answers) + len(pool.answers)
    with pytest.raises(ValueError, match="224 answers"):
        listeners.some(225, 0)


def test_log_scores_are_means_over_each_persons_choices():
    _, exam = listeners.sound_choices()
    model = listeners.learn([Constant(1.0)], listeners.some(5, 0))
    few = exam.part(exam.persons < 2)
    scores = listeners.log_scores(model, few)
    mine = few.part(few.persons == 1)
    rows = person_pairs(listeners.MODES, mine.pairs, mine.persons)
    chance = model.predict_preference(*rows)
    expected = np.log(np.where(mine.answers > 0, chance, 1 - chance)).mean()
    assert scores[1] == pytest.approx(expected, abs=1e-9)
    assert (scores[2:] == 0).all()


def test_of_several_kernels_the_evidence_takes_one():
    few = listeners.some(3, 1)
    kernels = [Coregionalization(39, correlation=rho) for rho in (0.3, 0.9)]
    alone = [listeners.learn([kernel], few).log_evidence_ for kernel in kernels]
    assert listeners.learn(kernels, few).log_evidence_ == max(alone)
    assert listeners.learn_people(kernels[0], few).log_evidence_ > alone[0]


def test_a_learning_curve_is_the_mean_of_its_draws():
    _, exam = listeners.sound_choices()
    kernels = {"one for all": [Constant(1.0)]}
    found = listeners.learning_curve(kernels, (2,), draws=2)[2]["one for all"]
    each = [listeners.log_scores(listeners.learn(*kernels.values(), listeners.some(2, k)), exam) for k in (0, 1)]
    np.testing.assert_allclose(found, np.mean(each, axis=0))


def test_the_toys_pseudo_inputs_are_of_no_use_to_a_pair_that_they_do_not_see():
    """Far from all places the curve is flat, so a pair there is told by chance."""
    model = moving_inputs.toy_model((-1.0, -0.5, 0.0, 0.5, 1.0), optimize=False)
    assert isinstance(model, PreferenceGP)
    mean, std = model.predict_difference([[6.0], [20.0]], [(0, 1)])
    assert abs(mean[0]) < 1e-3
    assert std[0] == pytest.approx(np.sqrt(2.0), abs=1e-3)


def test_errors_and_learning_curves_are_drawn_as_they_are():
    _, ax = figure()
    rows = np.array([[0.4, 0.2], [0.2, 0.1]])
    lines = plots.draw_errors([1, 10], {"fixed": rows}, np.array([0.1, 0.3]), ax).lines
    assert lines[0].get_ydata().tolist() == pytest.approx([30.0, 15.0])
    assert lines[-1].get_ydata()[0] == pytest.approx(20.0)
    _, ax = figure()
    (line,) = plots.draw_learning([1, 2], {"each": np.array([-0.7, -0.6])}, ax).lines
    assert line.get_ydata().tolist() == [-0.7, -0.6]
