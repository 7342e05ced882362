"""Level sets: constraints against brute force, looks ahead against Monte Carlo, scores by hand, a search."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr, ndtri
from scipy.stats import norm

from course_lessons.mixed_feedback import experiments, problems
from course_lessons.mixed_feedback.constraints import pseudo_answers, soft_constraints
from course_lessons.mixed_feedback.level_sets import brier_score, set_scores, sublevel_probability
from course_lessons.mixed_feedback.look_ahead import (
    expected_absolute_volume_change,
    global_mutual_information,
    sublevel_after_answer,
)
from course_lib import gp
from course_lib.gp.bivariate_normal import bivariate_normal_cdf

# --- two normal numbers below their limits ----------------------------------------------------------

LIMITS = (-6.0, -1e-9, 0.0, 0.3, 0.3 + 1e-7)


def by_quadrature(h, k, rho):
    """∫_{−∞}^h φ(x) Φ((k − ρx)/√(1−ρ²)) dx, in pieces round the place at which the inner probability turns."""
    width = np.sqrt((1 - rho) * (1 + rho))
    turns = [] if rho == 0 else [k / rho + step * width for step in (-6, 0, 6)]
    ends = sorted({-12.0, h, *(x for x in turns if -12.0 < x < h)})

    def density(x):
        return norm.pdf(x) * norm.cdf((k - rho * x) / width)

    return sum(quad(density, a, b, epsabs=1e-13, epsrel=1e-11)[0] for a, b in pairwise(ends))


@pytest.mark.parametrize("rho", [-1 + 1e-9, -0.6, 0.0, 1e-8, 0.95, 1 - 1e-7])
def test_the_bivariate_normal_is_what_quadrature_gives(rho):
    for h in LIMITS:
        for k in LIMITS:
            assert abs(bivariate_normal_cdf(h, k, rho) - by_quadrature(h, k, rho)) < 1e-12, (h, k)


def test_the_bivariate_normal_in_its_corners():
    h, k = (np.array(side, dtype=float) for side in np.meshgrid([-3, -0.5, 0.0, 0.5, 3], [-3, -0.5, 0.0, 0.5, 3]))
    np.testing.assert_allclose(bivariate_normal_cdf(h, k, 0.0), ndtr(h) * ndtr(k), atol=1e-15)
    np.testing.assert_allclose(bivariate_normal_cdf(h, k, 1.0), ndtr(np.minimum(h, k)), atol=1e-15)
    np.testing.assert_allclose(bivariate_normal_cdf(h, k, -1.0), np.maximum(ndtr(h) - ndtr(-k), 0), atol=1e-15)
    np.testing.assert_allclose(bivariate_normal_cdf(h, np.inf, 0.7), ndtr(h), atol=1e-15)
    np.testing.assert_allclose(bivariate_normal_cdf(-np.inf, k, 0.7), np.zeros_like(k), atol=1e-15)
    np.testing.assert_allclose(bivariate_normal_cdf(-0.0, 0.0, 0.5), 0.25 + np.arcsin(0.5) / (2 * np.pi), atol=1e-15)


# --- looking ahead ----------------------------------------------------------------------------------

DRAWS, GAMMA = 400_000, 0.4
QUERIES, REFERENCES = 3, 4


@pytest.fixture(scope="module")
def joint():
    """The arguments of a look ahead, and for each query (share of yes, P(f ≤ γ | yes), P(f ≤ γ | no)) of draws."""
    rng = np.random.default_rng(0)
    root = rng.normal(size=(QUERIES + REFERENCES, 5))
    mean, cov = rng.normal(size=QUERIES + REFERENCES), root @ root.T / 2
    drawn = rng.multivariate_normal(mean, cov, size=DRAWS)
    yes = drawn[:, :QUERIES] + rng.normal(size=(DRAWS, QUERIES)) > 0
    below = drawn[:, QUERIES:] <= GAMMA
    told = [(yes[:, i].mean(), below[yes[:, i]].mean(axis=0), below[~yes[:, i]].mean(axis=0)) for i in range(QUERIES)]
    v = np.diagonal(cov)
    moments = mean[:QUERIES], v[:QUERIES], mean[QUERIES:], v[QUERIES:], cov[:QUERIES, QUERIES:], GAMMA
    return moments, below.mean(axis=0), told


def coin(p):
    return -p * np.log(p) - (1 - p) * np.log(1 - p)


def test_what_an_answer_would_change_is_what_draws_say(joint):
    moments, now, told = joint
    yes, before, if_yes, if_no = sublevel_after_answer(*moments)
    np.testing.assert_allclose(before, now, atol=0.004)
    for i, (share, with_yes, with_no) in enumerate(told):
        np.testing.assert_allclose([yes[i], *if_yes[i], *if_no[i]], [share, *with_yes, *with_no], atol=0.006)
    np.testing.assert_allclose(yes[:, None] * if_yes + (1 - yes[:, None]) * if_no, np.tile(before, (QUERIES, 1)))


def test_the_criteria_are_what_draws_give(joint):
    moments, now, told = joint
    information = [coin(now).sum() - p * coin(a).sum() - (1 - p) * coin(b).sum() for p, a, b in told]
    change = [p * abs((a - now).sum()) + (1 - p) * abs((b - now).sum()) for p, a, b in told]
    np.testing.assert_allclose(global_mutual_information(*moments), information, atol=0.01)
    np.testing.assert_allclose(expected_absolute_volume_change(*moments), change, atol=0.01)


def test_many_queries_are_worth_what_each_is_alone(joint, monkeypatch):
    mean, variance, mean_ref, variance_ref, cov, _ = joint[0]
    for criterion in (global_mutual_information, expected_absolute_volume_change):
        alone = [
            criterion(mean[[i]], variance[[i]], mean_ref, variance_ref, cov[[i]], GAMMA)[0] for i in range(QUERIES)
        ]
        monkeypatch.setattr("course_lessons.mixed_feedback.look_ahead.MAX_PAIRS", 5)  # one query at a time
        np.testing.assert_array_equal(criterion(*joint[0]), alone)
        monkeypatch.undo()
        np.testing.assert_allclose(criterion(*joint[0]), alone, rtol=1e-14)


@pytest.mark.parametrize("criterion", [global_mutual_information, expected_absolute_volume_change])
def test_nothing_is_told_of_what_is_known_or_apart(criterion):
    one = np.ones(1)
    assert criterion(one, one, one, one, np.zeros((1, 1)), GAMMA) == pytest.approx(0, abs=1e-15)
    assert criterion(one, 0 * one, one, one, np.zeros((1, 1)), GAMMA) == pytest.approx(0, abs=1e-15)
    assert criterion(one, one, one, 0 * one, np.zeros((1, 1)), GAMMA) == pytest.approx(0, abs=1e-15)
    assert criterion(one, one, GAMMA * one, 0 * one, np.zeros((1, 1)), GAMMA) == pytest.approx(0, abs=1e-15)
    assert criterion(one, one, one, one, np.ones((1, 1)), 60.0) == pytest.approx(0, abs=1e-15)


def test_a_sure_answer_is_worth_nothing():
    sure = np.array([-60.0, 60.0])
    for criterion in (global_mutual_information, expected_absolute_volume_change):
        worth = criterion(sure, np.ones(2), np.zeros(3), np.ones(3), np.full((2, 3), 0.9), GAMMA)
        np.testing.assert_allclose(worth, 0, atol=1e-14)


def test_a_look_ahead_names_what_is_wrong():
    good = [np.zeros(2), np.ones(2), np.zeros(3), np.ones(3), np.zeros((2, 3)), 0.5]
    for k, bad, named in (
        (0, np.zeros(3), "mean has shape"),
        (3, np.ones(2), "mean_ref has shape"),
        (4, np.zeros((3, 2)), "cov has shape"),
        (4, np.full((2, 3), 2.0), "cov exceeds"),
    ):
        arguments = [bad if i == k else value for i, value in enumerate(good)]
        with pytest.raises(ValueError, match=named):
            global_mutual_information(*arguments)


# --- what is known beforehand -----------------------------------------------------------------------

LINE = np.array([-1.5, -0.8, 0.2, 0.9, 1.4])[:, None]
SAID = np.array([1.0, 1.0, -1.0, 1.0, 1.0])
KNOWN, ARE = np.array([[0.0], [2.0]]), np.array([0.0, 2.0])  # f(0) = 0 and f(2) = 2, as on the parabola ½ x²
KERNEL = gp.SquaredExponential(2.0, 1.0)


def importance(kernel, asked, softness, floor, draws=400_000):
    """Posterior means and standard deviations of f at `asked`: draws given the constraints, weighed by the answers."""
    X = np.vstack([KNOWN, LINE, asked])
    K, noise = kernel(X), softness * abs(ARE) + floor
    gain = K[:, :2] @ np.linalg.inv(K[:2, :2] + np.diag(noise**2))
    mean, cov = gain @ ARE, K - gain @ K[:2]
    f = np.random.default_rng(0).multivariate_normal(mean, cov, size=draws, check_valid="ignore")
    weight = ndtr(f[:, 2:7] * SAID).prod(axis=1)
    weight /= weight.sum()
    first = weight @ f[:, 7:]
    return first, np.sqrt(weight @ (f[:, 7:] - first) ** 2)


@pytest.mark.parametrize("inference", ["ep", "variational", "laplace"])
def test_constraints_and_answers_give_the_posterior_of_brute_force(inference):
    asked = np.array([[-1.0], [0.5], [1.0], [2.0]])
    mean, std = importance(KERNEL, asked, 0.2, 0.1)
    model = gp.LatentGP(KERNEL, inference=inference, optimize=False)
    model.fit([gp.values(LINE, SAID, gp.Probit()), soft_constraints(KNOWN, ARE)])
    found_mean, found_std = model.predict_latent(asked)
    near = {"ep": 0.02, "variational": 0.06, "laplace": 0.15}[inference]
    np.testing.assert_allclose(found_mean, mean, atol=near)
    np.testing.assert_allclose(found_std, std, atol=near)


def test_constraints_alone_are_a_regression_with_known_noises():
    model = gp.LatentGP(KERNEL, inference="exact").fit(soft_constraints(KNOWN, ARE, softness=0.5, floor=0.2))
    noise = np.diag(np.array([0.2, 1.2]) ** 2)
    np.testing.assert_allclose(
        model.predict_latent(KNOWN)[0],
        model.kernel_(KNOWN) @ np.linalg.solve(model.kernel_(KNOWN) + noise, ARE),
        atol=1e-8,
    )
    assert not len(model.likelihood_.theta)  # the noises are held


def test_a_constraint_below_zero_is_as_soft_as_one_above():
    np.testing.assert_allclose(soft_constraints(KNOWN, [-3.0, 3.0]).likelihood.noise_std, [0.7, 0.7])


def test_the_credible_intervals_of_the_source():
    for y, low, high in ((0.0, 0.422, 0.578), (2.0, 0.846, 0.999)):
        noise = soft_constraints([[0.0]], [y]).likelihood.noise_std[0]
        np.testing.assert_allclose(ndtr(y + noise * np.array([-1.96, 1.96])), [low, high], atol=6e-4)


def test_without_their_places_among_the_inducing_inputs_constraints_are_not_met():
    far = np.linspace(-2.0, -0.5, 6)[:, None]  # they know nothing of 0 and 2
    blocks = [gp.values(LINE, SAID, gp.Probit()), soft_constraints(KNOWN, ARE)]
    short = gp.SquaredExponential(2.0, 0.4)

    def off(inducing):
        model = gp.LatentGP(short, inference="variational", inducing=inducing, optimize=False).fit(blocks)
        return abs(model.predict_latent(KNOWN)[0] - ARE)[1]

    whole = gp.LatentGP(short, inference="variational", optimize=False).fit(blocks)
    np.testing.assert_allclose(off(np.vstack([far, KNOWN])), abs(whole.predict_latent(KNOWN)[0] - ARE)[1], atol=0.05)
    assert off(np.vstack([far, KNOWN])) < 0.25
    assert off(far) > 1.5


def test_pseudo_answers_are_ten_where_nothing_is_told_apart_and_one_elsewhere():
    block = pseudo_answers([[0.0], [1.0], [2.0]], [0.1, 2.0, -1.5])
    assert block.y.tolist() == [1, -1, 1, -1]
    assert block.counts.tolist() == [5, 5, 1, 1]
    assert block.X[block.views.plus].ravel().tolist() == [0, 0, 1, 2]
    assert pseudo_answers([[0.0]], [0.0], each=3).counts.tolist() == [3, 3]


# --- scores -----------------------------------------------------------------------------------------


def test_scores_by_hand():
    inside = np.array([True, True, True, False, False, False])
    predicted = np.array([True, True, False, True, False, False])
    scores = set_scores(predicted, inside)
    assert scores == (2 / 3, 2 / 3, 2 / 3)
    assert set_scores(np.ones(6, bool), inside) == (0.5, 1.0, 2 / 3)
    assert scores.f1 == pytest.approx(2 / (1 / scores.precision + 1 / scores.recall))


def test_scores_where_there_is_nothing():
    none, some = np.zeros(4, bool), np.array([True, False, False, False])
    assert np.isnan(set_scores(none, some).precision) and set_scores(none, some)[1:] == (0, 0)
    assert np.isnan(set_scores(some, none).recall) and set_scores(some, none).f1 == 0
    assert np.isnan(set_scores(none, none)).all()


def test_the_probability_of_being_below_and_its_corners():
    np.testing.assert_allclose(sublevel_probability([0.0, 1.0], [1.0, 2.0], 0.5), ndtr([0.5, -0.25]))
    np.testing.assert_array_equal(sublevel_probability([0.4, 0.5, 0.6], np.zeros(3), 0.5), [1.0, 1.0, 0.0])
    np.testing.assert_allclose(sublevel_probability([0.0, 1.0], [1.0, 1.0], 1e6), 1.0)


def test_a_brier_score_is_nearly_perfect_for_having_found_nothing():
    inside = problems.ellipsoid().inside(problems.ellipsoid().space.spread(2**13, rng=0))
    assert brier_score(np.zeros(len(inside)), inside) == pytest.approx(inside.mean())
    assert brier_score(np.zeros(len(inside)), inside) < 0.02
    assert set_scores(np.zeros(len(inside), bool), inside).f1 == 0
    assert brier_score([0.8, 0.4], np.array([True, False])) == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: set_scores(np.array([True]), np.array([True, False])), "predicted has shape"),
        (lambda: brier_score([0.5, 1.2], np.array([True, False])), "probability lies"),
        (lambda: brier_score([0.5], np.array([True, False])), "probability has shape"),
    ],
)
def test_scores_name_what_is_wrong(call, named):
    with pytest.raises(ValueError, match=named):
        call()


# --- problems ---------------------------------------------------------------------------------------

ALL = [problems.norm_ball(2), problems.norm_ball(4), problems.discrimination(), problems.ellipsoid()]
every = pytest.mark.parametrize("problem", ALL, ids=lambda problem: problem.name)


@every
def test_constraints_tell_the_truth_up_to_their_cap(problem):
    X, y = problem.constraints(rng=0)
    p = problem.probability(X)
    np.testing.assert_allclose(ndtr(y), np.minimum(p, 0.999))
    assert y.min() == pytest.approx(0, abs=1e-12)
    assert (p[y > 1] > 0.9).all()
    problem.space.to_unit(X)  # none lies outside
    assert len(X) == {2: 21, 4: 41, 3: 21}[problem.space.d] - ("discrimination" in problem.name)


@every
def test_answers_come_with_their_probability(problem):
    x = problem.space.spread(4, rng=1)
    said = problem.answer(np.repeat(x, 20_000, axis=0), rng=0).reshape(4, -1)
    np.testing.assert_allclose((said > 0).mean(axis=1), problem.probability(x), atol=0.015)
    assert problem.answer(x[0], rng=0) in (-1.0, 1.0)


def test_the_sets_have_the_volumes_that_geometry_says():
    radius = ndtri(0.75) / 2
    for problem, share in (
        (problems.norm_ball(2), np.pi * radius**2 / 4),
        (problems.norm_ball(4), np.pi**2 / 2 * radius**4 / 16),
        (problems.ellipsoid(), 0.0159),
    ):
        found = problem.inside(problem.space.spread(2**17, rng=0)).mean()
        assert found == pytest.approx(share, rel=0.06), problem.name


def test_the_printed_discrimination_function_reaches_forty():
    assert problems.discrimination().constraints(rng=0)[1].max() == pytest.approx(ndtri(0.999))
    X = np.array([[0.0, -1.0], [0.0, -0.9], [-1.0, 1.0]])
    f = (1 + X[:, 1]) / (0.05 + 0.4 * X[:, 0] ** 2 * (0.2 * X[:, 0] - 1) ** 2)
    np.testing.assert_allclose(problems.discrimination().probability(X), ndtr(f))
    assert 2 / 0.05 == 40


def test_the_ellipsoid_is_one():
    assert (np.linalg.eigvalsh(problems.W) > 0).all()


def test_a_problem_names_what_is_wrong():
    with pytest.raises(ValueError, match="x has shape"):
        ALL[0].answer(np.zeros((3, 3)))
    with pytest.raises(ValueError, match="d is"):
        problems.norm_ball(0)


# --- a search ---------------------------------------------------------------------------------------


@pytest.fixture
def few_points(monkeypatch):
    """Searches that look at few points, and are scored on few."""
    for name, count in (("N_CANDIDATES", 32), ("N_REFERENCES", 32), ("N_SCORING_POINTS", 2**11)):
        monkeypatch.setattr(experiments, name, count)


@pytest.mark.usefixtures("few_points")
@pytest.mark.parametrize("criterion", experiments.MAP_CRITERIA)
def test_a_search_begins_alike_and_goes_its_own_way(criterion):
    first, other = (
        experiments.LevelSetSearch(ALL[0], "mixed", kind, 12, inference="laplace", rng=3)
        for kind in (criterion, "sobol")
    )
    for _ in range(12):
        first.ask()
        other.ask()
    np.testing.assert_array_equal(first.X_[:10], other.X_[:10])
    np.testing.assert_array_equal(first.y_[:10], other.y_[:10])
    assert np.array_equal(first.X_, other.X_) == (criterion == "sobol")
    assert first.scores()[2] > 0.4


@pytest.mark.usefixtures("few_points")
def test_a_curve_is_looked_at_when_asked_and_is_the_same_again():
    curves = [
        experiments.level_set_curve(ALL[0], "pseudo", trials=11, looks=[3, 11], inference="laplace", rng=1)
        for _ in range(2)
    ]
    assert curves[0].trials.tolist() == [3, 11]
    for name in ("precision", "recall", "f1", "brier"):
        np.testing.assert_array_equal(getattr(curves[0], name), getattr(curves[1], name))
    usual = experiments.level_set_curve(ALL[0], "none", trials=11, inference="laplace", rng=1)
    assert usual.trials.tolist() == [10, 11]


@pytest.mark.long
@pytest.mark.usefixtures("few_points")
def test_what_is_known_helps_at_once():
    f1 = {
        knowledge: np.mean(
            [
                experiments.level_set_curve(ALL[0], knowledge, trials=10, inference="laplace", rng=seed).f1[-1]
                for seed in range(2)
            ]
        )
        for knowledge in experiments.KNOWLEDGE_BLOCKS
    }
    assert min(f1["mixed"], f1["pseudo"]) > f1["none"] + 0.2


@pytest.mark.usefixtures("few_points")
def test_a_curve_names_what_is_wrong():
    for arguments, named in (
        ({"problem": 3}, "problem"),
        ({"knowledge": "some"}, "knowledge"),
        ({"criterion": "luck"}, "criterion"),
        ({"trials": 0}, "trials"),
        ({"trials": 5, "looks": [6]}, "looks"),
        ({"inference": "guess", "trials": 1}, "inference"),
    ):
        with pytest.raises(ValueError, match=named):
            experiments.level_set_curve(**{"problem": ALL[0]} | arguments)
