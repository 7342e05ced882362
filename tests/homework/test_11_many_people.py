"""Homework 11: the numbers in its checks, what its plays show, and the claims of its letters."""

import warnings

import numpy as np
import pytest
from scipy.special import ndtr

from course_lib import gp
from course_lib.judgments import PreferenceGP, person_pairs
from tests.homework import graded
from tests.homework.bank_tests import BankTests

CHECKS, bank = graded.checks("11_many_people"), graded.bank("11_many_people")
TASKS = {task.name: task for task in CHECKS.homework.tasks}
FAST = {"groups": bank.groups.union_find, "table": bank.table.with_eigenvalues}
ANSWERS = {task.function: FAST.get(name, getattr(bank, name).right_answer) for name, task in TASKS.items()}


def played(*markers):
    """What the first cell of the notebook and those with one of these words define, given right answers."""
    sources = [cell.source for cell in graded.notebook("11_many_people").cells if cell.cell_type == "code"]
    names = {"display": lambda picture: None, "waits_for": lambda function: False, **ANSWERS}
    chosen = [one for one in sources[1:] if "check(" not in one and any(marker in one for marker in markers)]
    for source in [sources[0], *chosen]:
        exec("\n".join(line for line in source.splitlines() if not line.startswith("from course_checks")), names)
    return names


@pytest.fixture(scope="module")
def crowded():
    """The crowded corner of Task 4, which the second letter is about, too."""
    return played("corner = np.flatnonzero")


# ------------------------------------------------------------------------------------------ the numbers in the checks


def test_covariances_of_the_cases_can_happen():
    given = [one.inputs[k] for one in TASKS["covariance"].cases for k in (0, 1)]
    given += [one.inputs[0] for name in ("pseudo", "choose") for one in TASKS[name].cases]
    given += [one.inputs[1] for one in TASKS["table"].cases]
    for matrix in given:
        np.testing.assert_array_equal(matrix, matrix.T)
        assert np.linalg.eigvalsh(matrix).min() > 0
    assert all(np.linalg.eigvalsh(one.inputs[0]).min() > -1e-12 for one in TASKS["table"].cases)


def test_no_case_of_the_choice_has_a_near_tie():
    for one in TASKS["choose"].cases:
        K, pairs, _ = one.inputs
        R = K.copy()
        for i in one.expected[0]:
            gains = bank.choose.differences_closed(R, *pairs.T)
            others = np.delete(gains, i)
            assert gains[i] - others.max() > 0.01 * gains[i], one.name
            R = bank.choose.updated(R, i)


def test_an_item_that_nobody_was_asked_about_is_chosen():
    K, pairs, M = TASKS["choose"].cases[2].inputs
    assert bank.choose.right_answer(K, pairs, M)[0][0] not in pairs
    assert 0 < bank.choose.best_set(K, pairs, M) <= bank.choose.right_answer(K, pairs, M)[1][-1] + 1e-9


def test_one_question_turned_round_turns_the_sign():
    K, people, pairs, persons, new, new_persons = TASKS["covariance"].cases[1].inputs
    straight = bank.covariance.right_answer(K, people, pairs, persons, new, new_persons)
    turned = bank.covariance.right_answer(K, people, pairs[:, ::-1], persons, new, new_persons)
    np.testing.assert_allclose(turned, -straight)


# ---------------------------------------------------------------------------------- what the notebook tells


def test_what_bob_shows():
    names = played("unrelated = comparison_covariance", "told = F[", "of_settings.on([0])")
    np.testing.assert_allclose(names["unrelated"][0] / 2, [1, -1, -0.5, 0.5, 0], atol=1e-12)
    assert all(names["same"])
    model, settings, ages = (names[one] for one in ("model", "settings", "ages"))
    spread = [
        model.predict_difference(*person_pairs(settings, np.array([[0, 7]]), np.array([p]), ages))[1][0]
        for p in (0, 1)
    ]
    assert spread == pytest.approx([0.29, 0.31], abs=5e-3)
    assert names["among"].shape == (21, 21)


def test_what_random_questions_show():
    names = played("drawn = np.array")
    steps, largest, closed = names["steps"], names["largest"], names["closed"]
    assert steps[np.argmax(largest >= 150)] == 225
    assert steps[np.argmax(largest == 300)] == 925
    assert (largest[steps < 150] < 30).all()
    assert closed[3] == 0 < closed[11]
    assert 0.5 * 300 * np.log(300) == pytest.approx(856, abs=0.5)


def test_what_trains_and_sounds_show():
    names = played("rounds = np.stack")
    sound, trains = names["sound"], names["trains"]
    group, sizes, circles = bank.groups.union_find(len(trains.X), trains.pairs)
    assert (len(np.unique(group)), *sizes, circles) == (111, 1785, 2916, 1255)
    group, sizes, circles = bank.groups.union_find(8, np.tile(sound.pairs, (len(sound), 1)))
    assert (len(np.unique(group)), *sizes, circles) == (1, 8, 28, 21917)
    assert names["rounds"].shape == (39, 20, 28)
    couples = TASKS["groups"].cases[3].inputs
    assert 2 * len(couples[1]) == couples[0]


def test_what_neighbours_show(capsys):
    names = played("curve(line), np.arange", "couple, rng")
    printed = [one.split() for one in capsys.readouterr().out.splitlines() if one.startswith("   ")]
    rows = {int(one[0]): [float(number) for number in one[1:]] for one in printed}
    assert rows[1][:3] == [0.07, 0.36, 0.65]
    assert rows[5][:3] == [0.60, 0.34, 0.09]
    assert rows[5][3::2] == pytest.approx([-0.244, -0.314], abs=1e-3)
    assert all(row[3] > row[4] > row[5] for row in rows.values())
    assert names["chose_b"] == pytest.approx(names["share"][0], abs=3e-3)
    np.testing.assert_allclose(names["model"].prior_.residual, names["mine"], atol=1e-5)


def model_of(names, **settings):
    """(model, mean log probability of the later choices) in the crowded corner."""
    model = PreferenceGP(names["smooth"], optimize=False, **settings).fit(
        names["places"], names["questions"], names["choices"]
    )
    p, share = model.predict_preference(names["places"], names["later"]), names["share"]
    return model, np.mean(share * np.log(p) + (1 - share) * np.log(1 - p)), p


def test_what_the_corner_shows(crowded):
    places, corner = crowded["places"], crowded["corner"]
    chosen, left = bank.choose.right_answer(crowded["K"], crowded["questions"], 40)
    assert (len(corner), np.isin(chosen[:20], corner).sum()) == (46, 11)
    np.testing.assert_allclose(left[[0, 10, 20, 40]] / 400, [4.78, 0.56, 0.12, 0.01], atol=5e-3)
    full, told, _ = model_of(crowded)
    assert (full.log_evidence_, told) == pytest.approx((-150.5, -0.344), abs=0.05)
    yours, as_well, _ = model_of(crowded, inducing=places[chosen[:20]])
    assert as_well == pytest.approx(told, abs=1e-3)
    assert yours.prior_.residual.mean() == pytest.approx(left[20] / 400, abs=1e-5)
    for M, open_, least in ((10, 2.29, 10), (20, 0.47, 0.5)):
        centres = gp.inducing_inputs(M, places, 0)
        model, worse, _ = model_of(crowded, inducing=centres)
        assert model.prior_.residual.mean() == pytest.approx(open_, abs=0.1)
        assert full.log_evidence_ - model.log_evidence_ > least
        assert worse < told - 0.01


def test_what_the_table_shows():
    names = played("shares = rounds.mean", "large = np.kron")
    own = names["own_parts"]
    assert (names["both"][0], max(names["alone"]), max(names["both"])) == pytest.approx((-651, -276, -63), abs=0.6)
    assert own[np.argmax(names["both"])] == pytest.approx(0.024, abs=5e-4)
    assert np.isclose(names["small_way"], names["large_way"])
    assert names["mine"] == pytest.approx(names["lectures"])
    assert names["mine"] == pytest.approx(-41, abs=0.6)
    heights = []
    for common in (0.05, 0.1, 0.2, 0.4):
        told = [
            bank.table.with_eigenvalues(names["C"], common + one * np.eye(39), names["noise"], names["shares"])
            for one in own
        ]
        assert own[np.argmax(told)] == pytest.approx(0.024, abs=5e-4)
        heights.append(max(told))
    assert (min(heights), max(heights)) == pytest.approx((-65, -63), abs=0.6)


def test_what_a_stranger_shows():
    names = played("asked_all = np.tile", "pooled = [", "scores = np.array")
    means = dict(zip(names["counts"], names["scores"].mean(axis=1), strict=True))
    gains = names["scores"][:, :, 1] - names["scores"][:, :, 0]
    gain = dict(
        zip(names["counts"], zip(gains.mean(axis=1), gains.std(axis=1) / np.sqrt(39), strict=True), strict=True)
    )
    assert abs(gain[0][0]) < 0.002
    assert gain[3] == pytest.approx((0.004, 0.004), abs=1e-3)
    assert gain[10] == pytest.approx((0.011, 0.004), abs=1e-3)
    assert means[3][2] == pytest.approx(-0.681, abs=1e-3)
    assert means[56][2] < means[56][0]
    assert means[112][0] < means[112][2] < means[112][1]


# ------------------------------------------------------------------------------------------------------ letters

MODES = np.arange(8.0)[:, None]
HELD = {"variance": gp.Fixed(), "lengthscale": gp.Fixed()}


def taste(variance, learned=True):
    """Eight values that know nothing of each other."""
    kernel = gp.SquaredExponential(variance, 0.1)
    return kernel.with_priors(lengthscale=gp.Fixed()).on([0]) if learned else kernel.with_priors(**HELD).on([0])


def each(variance, learned=True):
    """The same for each listener separately."""
    return taste(variance, learned) * gp.SquaredExponential(1.0, 0.1).with_priors(**HELD).on([1])


def drawn_answers(rounds, k, seed):
    """(listener, pair, answer) of k answers drawn from each listener, and of all others."""
    rng, early, late = np.random.default_rng(seed), [], []
    for listener, answers in enumerate(rounds.reshape(39, -1)):
        order = rng.permutation(560)
        rows = np.column_stack([np.full(560, listener), order % 28, answers[order]])
        early.append(rows[:k])
        late.append(rows[k:])
    return np.concatenate(early), np.concatenate(late)


def shared(kernel, pairs, early, late):
    """(model, mean log probability of the late answers)."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # separate listeners hang together by no answer: that is what is tested
        model = PreferenceGP(kernel).fit(*person_pairs(MODES, pairs[early[:, 1]], early[:, 0]), early[:, 2])
    listener, pair = np.divmod(np.arange(39 * 28), 28)
    p = model.predict_preference(*person_pairs(MODES, pairs[pair], listener)).reshape(39, 28)[late[:, 0], late[:, 1]]
    return model, np.mean(np.log(np.where(late[:, 2] > 0, p, 1 - p)))


@pytest.fixture(scope="module")
def listeners():
    names = played("rounds = np.stack")
    return names["rounds"], names["sound"].pairs


def test_the_table_of_letter_1(listeners):
    rounds, pairs = listeners
    early, late = drawn_answers(rounds, 10, 0)
    for kernel, evidence, told, variances in (
        (taste(1.0), -212.5, -0.546, [0.89]),
        (each(1.0), -262.7, -0.637, [0.61]),
        (taste(1.0) + each(0.3), -212.5, -0.546, [0.89, 0.00]),
        (taste(1.0) + each(0.2, learned=False), -213.9, -0.542, [1.05]),
    ):
        model, log_p = shared(kernel, pairs, early, late)
        assert model.log_evidence_ == pytest.approx(evidence, abs=0.06)
        assert log_p == pytest.approx(told, abs=6e-4)
        np.testing.assert_allclose(np.exp(model.kernel_.theta), variances, atol=0.01)


@pytest.mark.parametrize(("seed", "told", "own"), [(1, (-0.546, -0.637), 0.21), (2, (-0.547, -0.644), 0.22)])
def test_other_draws_of_letter_1(listeners, seed, told, own):
    rounds, pairs = listeners
    early, late = drawn_answers(rounds, 10, seed)
    assert [shared(kernel, pairs, early, late)[1] for kernel in (taste(1.0), each(1.0))] == pytest.approx(
        told, abs=6e-4
    )
    both, _ = shared(taste(1.0) + each(0.3), pairs, early, late)
    assert np.exp(both.kernel_.theta[1]) == pytest.approx(own, abs=0.01)


def test_a_hundred_answers_of_letter_1(listeners):
    rounds, pairs = listeners
    early, late = drawn_answers(rounds, 100, 0)
    found = [shared(kernel, pairs, early, late) for kernel in (taste(1.0), each(1.0), taste(1.0) + each(0.3))]
    assert [model.log_evidence_ for model, _ in found] == pytest.approx([-2112.2, -2226.1, -2068.1], abs=0.1)
    assert [log_p for _, log_p in found] == pytest.approx([-0.543, -0.528, -0.520], abs=6e-4)
    assert np.exp(found[2][0].kernel_.theta[1]) == pytest.approx(0.18, abs=0.01)


def at_random(names, draw, M):
    return names["places"][np.random.default_rng(draw).choice(250, M, replace=False)]


def test_the_table_of_letter_2(crowded):
    found = [model_of(crowded, inducing=at_random(crowded, draw, 20))[0] for draw in range(5)]
    assert [one.log_evidence_ for one in found] == pytest.approx([-152.3, -153.7, -150.2, -153.3, -153.3], abs=0.06)
    open_ = [one.prior_.residual.mean() for one in found]
    assert open_ == pytest.approx([0.91, 0.81, 1.54, 1.09, 1.89], abs=6e-3)
    assert np.mean(found[2].prior_.residual > 2) == pytest.approx(1 / 3, abs=0.02)


def test_model_answer_of_letter_2(crowded):
    _, best, p_full = model_of(crowded)
    _, told, p = model_of(crowded, inducing=at_random(crowded, 2, 20))
    assert (best, told) == pytest.approx((-0.344, -0.361), abs=6e-4)
    apart = np.abs(p - p_full)
    assert (apart.mean(), apart.max()) == pytest.approx((0.05, 0.26), abs=6e-3)
    assert np.mean((p > 0.5) != (p_full > 0.5)) == pytest.approx(0.06, abs=6e-3)
    for M, log_p, open_ in ((40, -0.351, 0.70), (80, -0.344, 0.01)):
        model, later, _ = model_of(crowded, inducing=at_random(crowded, 2, M))
        assert later == pytest.approx(log_p, abs=6e-4)
        assert model.prior_.residual.mean() == pytest.approx(open_, abs=6e-3)
    chosen, _ = bank.choose.right_answer(crowded["K"], crowded["questions"], 20)
    greedy, later, p = model_of(crowded, inducing=crowded["places"][chosen])
    assert (greedy.log_evidence_, later) == pytest.approx((-150.0, -0.344), abs=0.05)
    assert np.abs(p - p_full).max() < 0.035


@pytest.mark.long
def test_random_places_often_have_more_evidence_than_all_items(crowded):
    full, _, _ = model_of(crowded)
    heights = [model_of(crowded, inducing=at_random(crowded, draw, 20))[0].log_evidence_ for draw in range(200)]
    assert sum(one > full.log_evidence_ for one in heights) == pytest.approx(59, abs=1)
    assert (max(heights), min(heights)) == pytest.approx((-147.5, -173.7), abs=0.06)


def test_other_customers_of_letter_2(crowded):
    places, smooth = crowded["places"], crowded["smooth"]
    anywhere = np.array([np.random.default_rng(k).choice(250, 2, replace=False) for k in range(1000)])
    chosen, _ = bank.choose.right_answer(crowded["K"], crowded["questions"], 20)

    def left_open(kernel, Z, questions):
        cross = kernel.cross(places, Z)
        R = kernel(places) - cross @ np.linalg.solve(kernel(Z), cross.T)
        return bank.choose.total_open(R, *questions.T) / len(questions)

    assert left_open(smooth, places[chosen], anywhere) == pytest.approx(0.70, abs=6e-3)
    assert left_open(smooth, gp.inducing_inputs(20, places, 0), anywhere) == pytest.approx(0.31, abs=0.03)
    rough = gp.SquaredExponential(4.0, 0.5)
    assert left_open(rough, places[chosen], crowded["questions"]) == pytest.approx(1.5, abs=0.05)


def test_printed_sign_of_the_thesis_by_simulation():
    """★ 2.58: people whose f goes through u choose as −2Σ_ab says, and as neither the plus nor FITC does."""
    K, Z, u, pairs, noise_std = TASKS["pseudo"].cases[0].inputs
    mean, _, share = bank.pseudo.right_answer(K, Z, u, pairs, noise_std)
    rest = K - K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], K[Z])
    rng, (a, b) = np.random.default_rng(0), pairs[0]
    centre = (K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], u))[[a, b]]
    judged = rng.multivariate_normal(centre, rest[np.ix_([a, b], [a, b])], 400_000)
    judged += noise_std * rng.normal(size=judged.shape)
    seen = np.mean(judged[:, 1] > judged[:, 0])
    assert seen == pytest.approx(share[0], abs=0.003)
    fitc = rest[a, a] + rest[b, b]
    for wrong in (fitc, fitc + 2 * rest[a, b]):
        assert abs(seen - ndtr(mean[0] / np.sqrt(2 * noise_std**2 + wrong))) > 0.01


class TestBank(BankTests):
    name = "11_many_people"
