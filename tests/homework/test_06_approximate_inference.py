"""Homework 06: the numbers in its checks, the fixtures of its mistakes, the claims of its model answers."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import expit, log_ndtr, logsumexp, ndtr
from scipy.stats import norm, poisson
from scipy.stats import t as student

from course_lib import gp
from tests.homework import graded
from tests.homework.bank_tests import BankTests, judged

CHECKS, bank = graded.checks("06_approximate_inference"), graded.bank("06_approximate_inference")
moments = bank.moments
TASKS = {task.name: task for task in CHECKS.homework.tasks}
STEP = 1e-5
LIKELIHOODS = {
    "normal": CHECKS.normal(2.0, 0.5),
    "choice": CHECKS.choice(-1),
    "lapsing choice": CHECKS.lapsing_choice(-1, 0.04),
    "choices": CHECKS.choices(7, 3),
    "waits": CHECKS.waits(4, 1.5),
    "mostly careful": CHECKS.mostly_careful(2.0, 0.3, 10, 0.1),
}


def cases(name):
    return pytest.mark.parametrize("case", TASKS[name].cases, ids=lambda case: case.name)


def source_with(text):
    """The cell of the notebook that holds a text."""
    return next(
        cell.source
        for cell in graded.notebook("06_approximate_inference").cells
        if cell.cell_type == "code" and text in cell.source
    )


# ------------------------------------------------------------------------------------------ the numbers in checks.py


@pytest.mark.parametrize("name", LIKELIHOODS)
def test_likelihoods_of_the_checks_have_the_derivatives_that_they_claim(name):
    log_p, d1, d2 = LIKELIHOODS[name]
    g = np.linspace(-2.5, 4, 27)
    np.testing.assert_allclose(d1(g), (log_p(g + STEP) - log_p(g - STEP)) / (2 * STEP), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(d2(g), (d1(g + STEP) - d1(g - STEP)) / (2 * STEP), rtol=1e-6, atol=1e-6)


@cases("choice")
def test_choice_probabilities_agree_with_integration(case):
    mean, variance, lapse = case.inputs
    for m, v, expected in zip(mean, variance, case.expected, strict=True):
        std = np.sqrt(v) or 1e-9
        attentive = quad(lambda z, m=m, std=std: ndtr(m + std * z) * norm.pdf(z), -12, 12, epsabs=1e-12)[0]
        assert lapse / 2 + (1 - lapse) * attentive == pytest.approx(expected, abs=1e-8)


@cases("outliers")
def test_student_t_sites_touch_the_log_density(case):
    """The site's parabola and SciPy's log density differ by less than a cube of the distance."""
    y, g, scale, degrees = case.inputs
    tau, nu = case.expected

    def rise(step):
        density = [student.logpdf(y, degrees, loc=at, scale=scale) for at in (g + step, g)]
        parabola = [nu * at - 0.5 * tau * at**2 for at in (g + step, g)]
        return density[0] - density[1] - parabola[0] + parabola[1]

    h = 1e-2 * scale
    bound = 40 * (degrees + 1) / degrees * (h / scale) ** 3
    assert (np.abs(rise(h)) < bound).all()
    assert (np.abs(rise(-h)) < bound).all()


@cases("laplace")
def test_modes_are_where_the_posterior_is_highest_and_there_is_one_only(case):
    log_p, d1, _, m, v = case.inputs
    mode, variance, log_evidence = case.expected
    g = np.linspace(min(m, mode) - 8 * np.sqrt(v), max(m, mode) + 8 * np.sqrt(v), 400_001)
    height = log_p(g) - 0.5 * (g - m) ** 2 / v
    assert g[height.argmax()] == pytest.approx(mode, abs=2 * (g[1] - g[0]))
    slope = d1(g) - (g - m) / v
    assert (np.diff(np.sign(slope)) != 0).sum() == 1
    assert d1(mode) == pytest.approx((mode - m) / v, abs=1e-8)
    h = 1e-3 * np.sqrt(variance)
    beside = [log_p(mode + k * h) - 0.5 * (mode + k * h - m) ** 2 / v for k in (-1, 0, 1)]
    assert -1 / ((beside[0] - 2 * beside[1] + beside[2]) / h**2) == pytest.approx(variance, rel=1e-3)
    gaussian = norm.pdf(g, mode, np.sqrt(variance))
    assert gaussian.max() * np.exp(log_evidence) == pytest.approx(
        np.exp(beside[1]) * norm.pdf(0, 0, np.sqrt(v)), rel=1e-4
    )


@cases("ep")
def test_sites_turn_cavities_into_gaussians_with_the_tilted_moments(case):
    log_likelihood, m, v = case.inputs
    log_Z, mean, variance, tau, nu = case.expected
    assert (log_Z, mean, variance) == pytest.approx(moments.on_grid(log_likelihood, m, v, points=1_000_001), rel=1e-7)
    assert 1 / (1 / v + tau) == pytest.approx(variance)
    assert (m / v + nu) / (1 / v + tau) == pytest.approx(mean)


@cases("variational")
def test_averages_agree_with_integration(case):
    y, mean, variance, tau, nu, step = case.inputs

    def average(function, k):
        std = np.sqrt(variance[k])
        return quad(lambda z: function(mean[k] + std * z) * norm.pdf(z), -12, 12, epsabs=1e-12, limit=200)[0]

    for k in range(len(y)):
        slope = average(lambda g, k=k: y[k] * expit(-y[k] * g), k)
        bend = average(lambda g: expit(g) * expit(-g), k)
        assert case.expected[0][k] == pytest.approx((1 - step) * tau[k] + step * bend, abs=1e-8)
        assert case.expected[1][k] == pytest.approx((1 - step) * nu[k] + step * (slope + bend * mean[k]), abs=1e-8)


@cases("counts")
def test_counts_agree_with_scipy_and_with_differences(case):
    y, g = case.inputs
    log_p, first, second, third = case.expected
    np.testing.assert_allclose(log_p, poisson.logpmf(y, np.exp(g)), rtol=1e-10)
    ahead, behind = (bank.counts.right_answer(y, g + h) for h in (STEP, -STEP))
    for k, expected in enumerate((first, second, third)):
        np.testing.assert_allclose((ahead[k] - behind[k]) / (2 * STEP), expected, rtol=1e-5, atol=1e-6)


# ------------------------------------------------------------------------------------------------------ the library


@cases("outliers")
def test_the_library_agrees_on_student_t_sites(case):
    y, g, scale, degrees = case.inputs
    _, slope, curvature, _ = gp.StudentT(scale, degrees).derivatives(y, g)
    np.testing.assert_allclose(case.expected, (-curvature, slope - curvature * g), rtol=1e-9)


@pytest.mark.parametrize("name", ["one answer +", "a surprise"])
def test_the_library_agrees_on_moments(name):
    case = next(case for case in TASKS["ep"].cases if case.name == name)
    y = 1.0 if name == "one answer +" else -1.0
    found = gp.Probit().tilted(np.array([y]), np.array([case.inputs[1]]), np.array([case.inputs[2]]))
    np.testing.assert_allclose(np.ravel(found), case.expected[:3], rtol=1e-8)


@cases("variational")
def test_the_library_agrees_on_averages(case):
    y, mean, variance, tau, nu, step = case.inputs
    wide = np.maximum(variance, 1e-12)
    _, slope, curvature = gp.Logit().expectations(y, mean, wide)
    wanted = bank.variational.mixed(-curvature, slope - curvature * mean, tau, nu, step)
    np.testing.assert_allclose(case.expected, wanted, atol=1e-8)


# ------------------------------------------------------------------------------------------------------ traps


def test_no_case_hides_a_mistake():
    """σ and s² differ, labels of both signs, lapses and damping that are not one half, negative τ."""
    for case in TASKS["outliers"].cases:
        assert abs(case.inputs[2] - 1) > 0.2
    assert any((case.expected[0] < 0).any() for case in TASKS["outliers"].cases)
    assert any(case.expected[3] < 0 for case in TASKS["ep"].cases)
    steps = {case.inputs[5] for case in TASKS["variational"].cases}
    assert 0.5 not in steps
    assert len(steps - {1.0}) >= 2
    assert {0.0, 0.1} <= {case.inputs[2] for case in TASKS["choice"].cases}


def test_the_starts_of_laplace_are_bad():
    """In two cases the curvature at the start or on the way is positive; in two, twenty full steps do not arrive."""
    by_name = {case.name: case for case in TASKS["laplace"].cases}
    *_, d2, m, v = by_name["an answer that may be a lapse"].inputs
    assert d2(m) > 1 / v
    *_, d2, m, v = by_name["two kinds of noise"].inputs
    assert (d2(np.linspace(m, 2, 100)) > 1 / v).any()
    for name in ("far above", "far below", "an answer that may be a lapse"):
        case = by_name[name]
        with np.errstate(all="ignore"):
            assert bank.laplace.newton(20)(*case.inputs)[0] != pytest.approx(case.expected[0], abs=1e-3), name


def test_numbers_of_the_known_mistakes():
    given = np.array([1.5]), np.array([4.0]), 0.0
    known = {
        "link of the mean": 0.933,
        "logistic of the mean": 0.818,
        "logistic, averaged": 0.715,
        "std for variance": 0.807,
        "no 1": 0.773,
    }
    assert bank.choice.right_answer(*given)[0] == pytest.approx(0.749, abs=5e-4)
    for title, value in known.items():
        assert bank.choice.MISTAKES[title][0](*given)[0] == pytest.approx(value, abs=5e-4), title


# ---------------------------------------------------------------------------------- what the notebook tells


def test_one_minus_among_forty():
    g = np.linspace(-15, 15, 3001)
    found = {}
    for lapse in (0.0, 0.01, 0.05):
        plus, minus = (bank.choice.right_answer(sign * g, np.zeros(3001), lapse) for sign in (1, -1))
        posterior = plus**39 * minus * np.exp(-(g**2) / 18)
        posterior /= posterior.sum()
        mean = posterior @ g
        found[lapse] = mean, np.sqrt(posterior @ (g - mean) ** 2)
    assert found[0.0] == pytest.approx((2.03, 0.44), abs=5e-3)
    assert found[0.05] == pytest.approx((3.57, 1.55), abs=5e-3)
    assert found[0.01][0] - found[0.0][0] == pytest.approx(1, abs=0.05)
    assert ndtr(-5) == pytest.approx(3e-7, rel=0.05)


def test_the_pitch_track_has_octave_errors_and_doubtful_points():
    names = {}
    exec("import numpy as np\nfrom course_lib.datasets import load_spoken_prompts\n", names)
    exec(source_with("def pitch_track").split("if not waits_for")[0], names)
    times, octaves = names["times"], names["octaves"]
    answers = gp.values(times, octaves, gp.StudentT(scale=0.02, degrees=4.0))
    model = gp.LatentGP(gp.SquaredExponential(0.25, 0.1), inference="laplace", optimize=False).fit(answers)
    curve, _ = model.predict_latent(times)
    tau, nu = bank.outliers.right_answer(octaves, curve, 0.02, 4.0)
    away = octaves - curve
    assert (len(times), (tau < 0).sum()) == (66, 8)
    errors = np.abs(away) > 0.5
    np.testing.assert_allclose(away[errors], -1, atol=0.025)
    np.testing.assert_allclose(tau[errors], -5, atol=0.3)
    doubtful = (tau < 0) & ~errors
    assert errors.sum() == doubtful.sum() == 4
    assert (np.abs(away[doubtful]) < 0.1).all()
    assert tau.min() == pytest.approx(-345, abs=1)
    clipped = model.prior_.posterior(np.maximum(tau, 0), nu + (np.maximum(tau, 0) - tau) * curve)
    np.testing.assert_allclose(clipped.marginals[0], curve, atol=1e-6)
    narrower = clipped.marginals[1] / model.approximation_.posterior.marginals[1]
    assert (narrower < 1).all()
    assert narrower.min() < 0.9


def test_the_error_of_laplace_falls_with_the_number_of_answers():
    errors = []
    for n in (10, 100, 1000):
        functions = CHECKS.choices(round(0.7 * n), n - round(0.7 * n))
        errors.append(bank.laplace.right_answer(*functions, 0.0, 9.0)[2] - moments.on_grid(functions[0], 0.0, 9.0)[0])
    np.testing.assert_allclose(errors, [-0.027, -0.0031, -0.0003], rtol=0.05)
    np.testing.assert_allclose(np.array(errors[1:]) * [100, 1000], -0.3, atol=0.02)


def one_plus(sd):
    """(mean, variance, evidence) of Laplace, of EP, and of the variational rule, for one answer + and N(0, sd²)."""
    found = (
        bank.laplace.right_answer(*CHECKS.choice(1), 0.0, sd**2),
        bank.ep.right_answer(CHECKS.choice(1)[0], 0.0, sd**2),
    )

    def minus_bound(at):
        m, v = at[0], np.exp(at[1])
        g, weights = moments.hermite_nodes(np.array(m), np.array(v), 120)
        return -(weights @ log_ndtr(g) - divergence(m, v, sd**2))

    best = minimize(minus_bound, [1.0, 0.5], method="Nelder-Mead", options={"xatol": 1e-8, "fatol": 1e-12})
    return found[0], (*found[1][1:3], found[1][0]), (best.x[0], np.exp(best.x[1]), -best.fun)


def divergence(m, v, prior_variance):
    """KL(N(m, v) ‖ N(0, prior variance))."""
    return 0.5 * (np.log(prior_variance / v) + (v + m**2) / prior_variance - 1)


@pytest.mark.parametrize(
    ("sd", "exact", "told", "means"),
    [
        (3, 0.856, (0.768, 0.849, 0.865), (1.42, 2.27)),
        (5, 0.911, (0.767, 0.884, 0.922), (1.85, 3.91)),
        (10, 0.955, (0.725, 0.901, None), (2.38, 7.94)),
    ],
)
def test_the_next_answer_after_one_plus(sd, exact, told, means):
    both = quad(lambda g: ndtr(g) ** 2 * norm.pdf(g, 0, sd), -12 * sd, 12 * sd, points=[0], limit=200)[0]
    assert both / 0.5 == pytest.approx(exact, abs=5e-4)
    assert 0.5 + np.arcsin(sd**2 / (1 + sd**2)) / np.pi == pytest.approx(both / 0.5, abs=1e-8)
    for (mean, variance, _), value in zip(one_plus(sd), told, strict=True):
        assert value is None or ndtr(mean / np.sqrt(1 + variance)) == pytest.approx(value, abs=5e-4)
    assert [rule[0] for rule in one_plus(sd)[:2]] == pytest.approx(means, abs=5e-3)


def test_full_steps_may_never_come_to_rest():
    names = {}
    exec(
        "import numpy as np\nfrom course_lib import gp\nfrom course_lib.datasets import load_japanese_vowels\n", names
    )
    exec(source_with("def rounds_to_rest").split("if not waits_for")[0], names)
    names["variational_step"] = bank.variational.right_answer
    block, rest = names["block"], names["rounds_to_rest"]
    narrow, wide = (gp.SquaredExponential(variance=sd**2, lengthscale=20.0) for sd in (2, 10))
    assert [rest(block, narrow, step)[0] for step in (1, 0.5)] == [10, 23]
    assert rest(block, wide, 0.5)[0] is not None
    items = gp.stack(block)
    prior = gp.Prior(wide(items.X), items.views)
    for step in (1, 0.7):
        tau = nu = np.zeros(len(items.y))
        before = []
        for _ in range(300):
            mean, variance = prior.posterior(tau, nu).marginals
            tau, nu = bank.variational.right_answer(items.y, mean, variance, tau, nu, step)
            before.append((mean, tau))
        np.testing.assert_allclose(before[-1][0], before[-3][0], rtol=1e-6)
        sides = [mean[np.abs(mean).argmax()] for mean, _ in before[-2:]]
        assert min(sides) < -1000
        assert max(sides) > 1000
        assert tau.max() < 0.02


@pytest.fixture(scope="module")
def concert():
    """(coughs, {rule: model}) of the last play."""
    names = {"poisson_derivatives": bank.counts.right_answer}
    exec("import numpy as np\nfrom course_lib import gp\n" + source_with("class Poisson"), names)
    block = gp.values(names["minutes"], names["coughs"], names["Poisson"]())
    start = gp.SquaredExponential(variance=1.0, lengthscale=6.0)
    rules = ("laplace", "ep", "variational")
    return names["coughs"], {rule: gp.LatentGP(start, inference=rule).fit(block) for rule in rules}


def test_three_evidences_of_a_concert(concert):
    """Beside them the truth, by importance sampling from EP's posterior."""
    coughs, models = concert
    minutes = np.arange(60.0)
    told = {"laplace": (-97.794, -0.41), "ep": (-97.796, -0.45), "variational": (-97.798, -0.45)}
    for rule, (log_evidence, level) in told.items():
        assert models[rule].log_evidence_ == pytest.approx(log_evidence, abs=1e-3)
        assert models[rule].predict_latent(minutes)[0][30:50].mean() == pytest.approx(level, abs=5e-3)
    mean, cov = models["ep"].predict_latent(minutes, return_cov=True)
    nugget = 1e-8 * np.eye(60)
    q, prior = (np.linalg.cholesky(S + nugget) for S in (cov, models["ep"].kernel_(minutes[:, None])))
    z = np.random.default_rng(1).normal(size=(50_000, 60))
    f = mean + z @ q.T
    log_ratio = np.log(q.diagonal()).sum() - np.log(prior.diagonal()).sum()
    log_weight = poisson.logpmf(coughs, np.exp(f)).sum(axis=1) + log_ratio
    log_weight += 0.5 * (z**2).sum(axis=1) - 0.5 * (np.linalg.solve(prior, f.T) ** 2).sum(axis=0)
    assert logsumexp(log_weight) - np.log(50_000) == pytest.approx(-97.78, abs=5e-3)
    weight = np.exp(log_weight - logsumexp(log_weight))
    assert (weight @ f)[30:50].mean() == pytest.approx(-0.45, abs=5e-3)


def test_model_answer_of_letter_1():
    (_, _, of_laplace), (_, _, exact), (m, v, bound) = one_plus(3)
    assert exact == pytest.approx(np.log(0.5))
    assert of_laplace == pytest.approx(-0.781, abs=5e-4)
    assert bound == pytest.approx(-0.737, abs=5e-4)
    assert exact - of_laplace == pytest.approx(0.088, abs=5e-4)
    assert of_laplace < bound < exact
    g, weights = moments.hermite_nodes(np.array(m), np.array(v), 120)
    average, kl = weights @ log_ndtr(g), divergence(m, v, 9.0)
    assert (average, kl, average + kl) == pytest.approx((-0.256, 0.480, 0.224), abs=6e-4)
    posterior = np.exp(log_ndtr(g) + norm.logpdf(g, 0, 3) - np.log(0.5))
    gap = weights @ (norm.logpdf(g, m, np.sqrt(v)) - np.log(posterior))
    assert exact - bound == pytest.approx(gap, abs=1e-6)
    assert divergence(0.0, 9.0, 9.0) == 0
    widths = np.array([1e-2, 1e-4, 1e-8])
    assert (np.diff([divergence(0, width, 9.0) + np.log(0.5) for width in widths]) > 1).all()


def test_model_answer_of_letter_1_about_a_gaussian():
    """With Gaussian noise the best bound is the evidence."""
    y, noise, prior = 1.3, 0.49, 9.0
    v = 1 / (1 / noise + 1 / prior)
    m = v * y / noise
    average = norm.logpdf(y, m, np.sqrt(noise)) - 0.5 * v / noise
    assert average - divergence(m, v, prior) == pytest.approx(norm.logpdf(y, 0, np.sqrt(noise + prior)))


def test_model_answer_of_letter_2():
    """The variational Gaussian is narrower than the posterior, and all three say that B is preferred."""
    for sd in (3, 5):
        rules = one_plus(sd)
        assert rules[2][1] < rules[1][1]
        assert all(rule[0] > 0 for rule in rules)


HALF_THE_CLIMB = {
    "Newton, 100 steps": 0,
    "absolute curvature, no damping": 4.75,
    "gradient steps": 4.75,
    "the prior mean": 0,
}


@pytest.mark.parametrize("mistake", HALF_THE_CLIMB)
def test_points_lie_where_the_climb_is_hard(mistake):
    """The formulas at the mode are short: who does not get there from anywhere has not done the task."""
    assert judged("06_approximate_inference", "laplace", mistake)[2] <= HALF_THE_CLIMB[mistake]


class TestBank(BankTests):
    name = "06_approximate_inference"
