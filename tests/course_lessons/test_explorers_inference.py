"""What the explorers of lecture 06 and its text claim, computed in another way."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq, minimize
from scipy.special import log_ndtr, ndtr
from scipy.stats import multivariate_normal, norm

from course_lessons.approximate_inference import ep_steps, plots, single_probit
from course_lessons.approximate_inference import explore as inference
from course_lessons.approximate_inference.explore import (
    check_cavity,
    check_chance,
    check_site,
    explore_messages,
    explore_site,
)
from course_lib import gp
from course_widgets import figure
from tests.course_lessons.explored import sentence, told_apart

STDS = [0.5, 1.0, 3.0, 5.0]
CLAIMED = {  # P(next answer = yes)
    "exact": {3.0: 0.856, 5.0: 0.911},
    "Laplace": {3.0: 0.768, 5.0: 0.767},
    "EP": {3.0: 0.849, 5.0: 0.884},
    "variational": {3.0: 0.865, 5.0: 0.922},
}


@pytest.mark.parametrize("std", STDS)
def test_the_exact_posterior_by_quadrature_and_by_orthants(std):
    exact = single_probit.after_one_yes(std)["exact"]

    def moment(h):
        weighted = quad(lambda g: h(g) * ndtr(g) * norm.pdf(g, 0, std), -12 * std, 12 * std, epsabs=1e-12, limit=200)
        return 2 * weighted[0]

    mean = moment(lambda g: g)
    assert exact.mean == pytest.approx(mean, abs=1e-6)
    assert exact.std == pytest.approx(np.sqrt(moment(lambda g: (g - mean) ** 2)), abs=1e-6)
    assert exact.below == pytest.approx(np.arctan(1 / std) / np.pi, abs=2e-5)
    assert exact.next_yes == pytest.approx(0.5 + np.arcsin(std**2 / (1 + std**2)) / np.pi, abs=1e-6)


@pytest.mark.parametrize("std", STDS)
def test_laplace_sits_at_the_mode_with_its_curvature(std):
    def slope(g):
        return np.exp(norm.logpdf(g) - log_ndtr(g)) - g / std**2

    mode = brentq(slope, 0, 5 * std, xtol=1e-13)
    curvature = (slope(mode + 1e-5) - slope(mode - 1e-5)) / 2e-5
    found = single_probit.after_one_yes(std)["Laplace"]
    assert found.mean == pytest.approx(mode, abs=1e-8)
    assert found.std == pytest.approx((-curvature) ** -0.5, rel=1e-6)


@pytest.mark.parametrize("std", STDS)
def test_ep_has_the_true_moments_of_one_answer(std):
    exact, found = (single_probit.after_one_yes(std)[name] for name in ("exact", "EP"))
    np.testing.assert_allclose(found[:2], exact[:2], atol=1e-6)


@pytest.mark.parametrize("std", STDS)
def test_variational_is_the_largest_bound(std):
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    weights = weights / weights.sum()

    def loss(m_and_log_s):
        m, s = m_and_log_s[0], np.exp(m_and_log_s[1])
        divergence = 0.5 * ((s**2 + m**2) / std**2 - 1) - np.log(s / std)
        return divergence - weights @ log_ndtr(m + s * nodes)

    best = minimize(loss, [0.5, np.log(0.8 * std)], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-14})
    found = single_probit.after_one_yes(std)["variational"]
    np.testing.assert_allclose([found.mean, found.std], [best.x[0], np.exp(best.x[1])], rtol=2e-5)


@pytest.mark.parametrize(("name", "std"), [(name, std) for name, at in CLAIMED.items() for std in at])
def test_the_numbers_of_the_surprise(name, std):
    belief = single_probit.after_one_yes(std)[name]
    assert belief.next_yes == pytest.approx(CLAIMED[name][std], abs=5e-4)
    if name != "exact":
        averaged = quad(lambda g: ndtr(g) * norm.pdf(g, belief.mean, belief.std), -40, 40, points=[0, belief.mean])
        assert belief.next_yes == pytest.approx(averaged[0], abs=1e-7)


def test_the_explanation_of_explore_site():
    at_3, at_5 = single_probit.after_one_yes(3.0), single_probit.after_one_yes(5.0)
    claimed = {("exact", "mean"): (2.27, 3.91), ("exact", "below"): (0.10, 0.06), ("Laplace", "mean"): (1.42, 1.85),
               ("Laplace", "std"): (1.67, 2.34), ("Laplace", "below"): (0.20, 0.21)}  # fmt: skip
    for (rule, part), numbers in claimed.items():
        found = getattr(at_3[rule], part), getattr(at_5[rule], part)
        np.testing.assert_allclose(found, numbers, atol=0.005, err_msg=f"{rule} {part}")
    assert at_5["variational"].std < at_5["exact"].std - 0.5
    below = [at_5[name].below for name in ("EP", "variational", "exact")]
    np.testing.assert_allclose(below, [0.105, 0.064, 0.063], atol=0.0005)
    next_yes = {name: [single_probit.after_one_yes(s)[name].next_yes for s in (3.0, 4.0, 5.0)] for name in CLAIMED}
    assert all(np.all(np.diff(next_yes[name]) > 0.005) for name in ("exact", "EP", "variational"))
    assert next_yes["Laplace"][2] < next_yes["Laplace"][0]


def test_the_site_explorer_says_its_numbers():
    explorer = explore_site()
    explorer.press("σ_f = 3, Laplace")
    assert "True posterior: mean 2.27 ± 1.96, 0.102 of its mass below 0, P(next yes) 0.856" in sentence(explorer)
    assert "Laplace: mean 1.42 ± 1.67, 0.197 of its mass below 0, P(next yes) 0.768" in sentence(explorer)
    assert "EP" not in sentence(explorer)
    explorer.press("σ_f = 5, all three")
    assert all(f"P(next yes) {CLAIMED[name][5.0]:.3f}" in sentence(explorer) for name in CLAIMED)


SETTINGS = [(c, y) for c in (0.0, 0.5, 0.9, 0.95) for y in inference.ANSWER_SETS.values()]


@pytest.mark.parametrize(("correlation", "answers"), SETTINGS)
def test_messages_end_where_the_library_does(correlation, answers):
    last = ep_steps.ep_messages(correlation, answers)[-1]
    prior, y, likelihood = ep_steps.three_sounds(correlation, answers)
    means, variances = gp.expectation_propagation(prior, y, likelihood).posterior.marginals
    np.testing.assert_allclose(last.means, means, atol=2e-5)
    np.testing.assert_allclose(last.stds, np.sqrt(variances), atol=2e-5)


def test_an_update_makes_the_belief_that_of_cavity_times_answer():
    for k, step in enumerate(ep_steps.ep_messages(0.9, (1, -1, 1))[:18]):
        g, density = ep_steps.LATENT_GRID, step.tilted
        width = g[1] - g[0]
        mean = (density * g).sum() * width
        assert density.sum() * width == pytest.approx(1, abs=1e-4)
        spread = np.sqrt((density * (g - mean) ** 2).sum() * width)
        np.testing.assert_allclose(step.matched, (mean, spread), atol=2e-3)
        if step.phase == "UPDATE":
            np.testing.assert_allclose((step.means[step.sound], step.stds[step.sound]), step.matched, rtol=1e-8)
        assert step.phase == ep_steps.PHASES[k % 3]


def test_cavities_put_together_with_their_sites_are_the_marginals():
    steps = ep_steps.ep_messages(0.9, (1, -1, 1))
    for step in steps[:18:3]:
        np.testing.assert_allclose([part[step.sound] for part in step.cavities], step.cavity, rtol=1e-8)
    for k, y in enumerate((1, -1, 1)):  # at rest, every cavity × answer has the marginal's moments
        mean, std = (part[k] for part in steps[-1].cavities)
        _, matched, variance = gp.Probit().tilted(y, mean, std**2)
        np.testing.assert_allclose((matched, variance), (steps[-1].means[k], steps[-1].stds[k] ** 2), atol=1e-4)


def test_exact_beliefs_against_sampling_from_the_prior():
    correlation, answers = 0.9, (1, 1, -1)
    prior, y, _ = ep_steps.three_sounds(correlation, answers)
    f = np.random.default_rng(0).multivariate_normal(np.zeros(3), prior.K, 400_000)
    weight = ndtr(y * f).prod(axis=1)
    mean = weight @ f / weight.sum()
    std = np.sqrt(weight @ (f - mean) ** 2 / weight.sum())
    means, stds = ep_steps.exact_beliefs(correlation, answers)
    np.testing.assert_allclose(means, mean, atol=0.03)
    np.testing.assert_allclose(stds, std, atol=0.03)


def test_the_explanation_of_explore_messages():
    moved = {(c, y): [step.moved for step in ep_steps.ep_messages(c, y)[8::9]] for c, y in SETTINGS}
    for answers in inference.ANSWER_SETS.values():
        assert moved[0.0, answers][0] > 1
        assert max(moved[0.0, answers][1:]) < 1e-9
        assert moved[0.9, answers][1] > 0.01
        assert moved[0.9, answers][3] < 1e-3
        alone = ep_steps.ep_messages(0.0, answers)[8]
        np.testing.assert_allclose(alone.means, ep_steps.exact_beliefs(0.0, answers)[0], atol=1e-3)
    middle = ep_steps.ep_messages(0.9, (1, -1, 1))
    assert middle[-6].sound == 1
    assert middle[-6].cavity[0] > 0.3  # without its own answer, no
    assert abs(middle[-1].means[1]) < 0.3
    agree = ep_steps.ep_messages(0.9, (1, 1, 1))[-1]
    means, stds = ep_steps.exact_beliefs(0.9, (1, 1, 1))
    assert np.abs(agree.stds - stds).max() == pytest.approx(0.044, abs=0.001)
    assert np.abs(agree.means - means).max() < 0.01


def test_the_message_explorer_says_the_phases():
    explorer = explore_messages()
    assert sentence(explorer).startswith("Before round 1 all sites are 0")
    for phase in ep_steps.PHASES:
        explorer.press("Next step")
        assert f"Round 1, sound 1, {phase}" in sentence(explorer)
    explorer.press("Next round")
    assert "Round 2, sound 1, UPDATE" in sentence(explorer)
    explorer.press("nothing in common, 1 round")
    assert "EP's largest error is 0.000" in sentence(explorer)
    for _ in range(8):
        explorer.press("Next round")
    assert f"Round {ep_steps.EP_ROUNDS}, sound 3, UPDATE" in sentence(explorer)


def ep_by_hand(K, y, likelihood, rounds, step=1.0, forget=()):
    """(means, standard deviations, rounds done) of section 4's loop; what is in `forget` takes the full posterior.

    It ends early where a cavity has no positive variance.
    """
    A = np.eye(2) if len(K) == 2 else np.ones((2, 1))
    tau, nu = np.zeros(2), np.zeros(2)
    for done in range(rounds):
        for k in range(2):
            covariance = np.linalg.solve(np.eye(len(K)) + K @ A.T @ np.diag(tau) @ A, K)
            mean, variance = A[k] @ covariance @ A.T @ nu, A[k] @ covariance @ A[k]
            full, without = (1 / variance, mean / variance), (1 / variance - tau[k], mean / variance - nu[k])
            if without[0] <= 0:
                return None, None, done
            precision, shift = full if "TILTED" in forget else without
            _, matched, spread = likelihood.tilted(y[k], shift / precision, 1 / precision)
            precision, shift = full if "UPDATE" in forget else without
            tau[k] += step * (1 / spread - precision - tau[k])
            nu[k] += step * (matched / spread - shift - nu[k])
    covariance = np.linalg.solve(np.eye(len(K)) + K @ A.T @ np.diag(tau) @ A, K)
    return covariance @ A.T @ nu, np.sqrt(np.diag(covariance)), rounds


def test_the_mistakes_of_the_first_quiz():
    pair = 9.0 * np.array([[1, 0.8], [0.8, 1]]), np.array([1.0, -1.0]), gp.Probit()
    for forget, mean, std in (((), 0.93, 1.33), (("TILTED", "UPDATE"), 0.83, 1.48)):
        means, stds, _ = ep_by_hand(*pair, 60, forget=forget)
        np.testing.assert_allclose(means, (mean, -mean), atol=0.005)
        np.testing.assert_allclose(stds, std, atol=0.005)
    surer = [ep_by_hand(*pair, rounds, forget=("TILTED",))[1].max() for rounds in (2, 5, 20, 60, 200)]
    assert (np.diff(surer) < 0).all()
    assert surer[-1] < 0.35 < 1.33


def test_the_loop_of_section_4_on_two_hills():
    torn = np.array([[9.0]]), np.array([-3.0, 4.0]), gp.StudentT(0.5, 4.0)
    assert ep_by_hand(*torn, 100)[2] == 1
    assert all(ep_by_hand(*torn, 100, step)[0] is None for step in (0.5, 0.1))
    means, stds, rounds = ep_by_hand(*torn, 800, 0.02)
    assert rounds == 800
    np.testing.assert_allclose((means[0], stds[0]), (0.26, 5.00), atol=0.005)


@pytest.mark.parametrize(("std", "ends"), [(3.0, [2.252, 2.252]), (5.0, [2.417, 4.303])])
def test_the_plain_iteration_of_section_5(std, ends):
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    m, v, means = 0.0, std**2, []
    for _ in range(150):
        _, slope, curvature, _ = gp.Probit().derivatives(1.0, m + np.sqrt(v) * nodes)
        tau = -(weights @ curvature) / weights.sum()
        v, shift = 1 / (1 / std**2 + tau), weights @ slope / weights.sum() + tau * m
        m = v * shift
        means.append(m)
    np.testing.assert_allclose(sorted(means[-2:]), ends, atol=0.001)


def test_two_answers_have_the_probability_of_a_quadrant():
    K, signs = 9.0 * np.array([[1, 0.8], [0.8, 1]]), np.array([1.0, -1.0])
    formula = 0.25 + np.arcsin(-K[0, 1] / (K[0, 0] + 1)) / (2 * np.pi)
    covariance = (K + np.eye(2)) * np.outer(signs, signs)
    assert formula == pytest.approx(multivariate_normal.cdf([0, 0], [0, 0], covariance), abs=1e-6)


def steps_of_paper_a(f, dampings):
    """Change of the log posterior by Jensen et al. (2011), eq. 6, with +damping · I, for each damping."""
    A, y, beta = np.array([[-1, 1, 0], [0, -1, 1], [-1, 0, 1]]), np.array([0.9, 0.7, 0.97]), gp.Beta(20.0)
    K = gp.SquaredExponential(4.0, 1.5)(np.array([[0.0], [1.0], [2.0]]))

    def height(f):
        return beta.log_density(y, A @ f).sum() + multivariate_normal.logpdf(f, np.zeros(3), K)

    _, slope, curvature, _ = beta.derivatives(y, A @ f)
    W, changes = A.T @ np.diag(-curvature) @ A, []
    for damping in dampings:
        shift = damping * np.eye(3)
        new = np.linalg.solve(np.linalg.inv(K) + W + shift, (W + shift) @ f + A.T @ slope)
        changes.append(height(new) - height(f))
    return np.array(changes), curvature


def test_the_sign_of_the_damping():
    dampings = np.geomspace(10, 1e5, 40)
    up, curvature = steps_of_paper_a(np.array([1.0, 0.0, -1.0]), dampings)
    down, _ = steps_of_paper_a(np.array([1.0, 0.0, -1.0]), -dampings)
    assert (curvature > 0).all()
    assert (down < 0).all()
    assert (up[dampings > 50] > 0).all()
    tiny, curvature = steps_of_paper_a(np.zeros(3), [-1.0])
    assert (curvature < 0).all()
    assert tiny[0] > 0


def test_gaussians_are_drawn_as_they_are():
    g = np.linspace(-3, 3, 61)
    _, ax = figure()
    plots.draw_gaussians(g, {"Laplace": (0.5, 1.2), "EP": (1.0, 0.7)}, ax)
    curves = {line.get_label(): line.get_ydata() for line in ax.lines if line.get_label() in plots.LOOKS}
    np.testing.assert_allclose(curves["Laplace"], norm.pdf(g, 0.5, 1.2))
    np.testing.assert_allclose(curves["EP"], norm.pdf(g, 1.0, 0.7))


R = norm.pdf(1) / ndtr(1)  # slope and curvature of log Φ at 1
W = R * (1 + R)


test_the_site_is_checked = told_apart(
    lambda tau, nu: check_site(tau, nu, R, W, at=1.0),
    (None, None, "Nothing to check yet"),
    (W, R + W, "✓"),
    (-W, R + W, "the sign"),
    (W / 2, R + W, "½ stands in the site"),
    (2 * W, R + W, "before −½ g²"),
    (W, R, "a term with g, too"),
    (W, R - W, "+ W m g"),
    (W, R / W + 1, "ν/τ"),
    (W, 7.0, "collect all"),
)


test_the_cavity_is_checked = told_apart(
    lambda mean, variance: check_cavity(mean, variance, mean=0.9, variance=2.0, tau=0.3, nu=0.8),
    (None, 5.0, "Nothing to check yet"),
    (-1.75, 5.0, "✓"),
    (0.9, 2.0, "count twice"),
    (1.25 / 0.8, 1.25, "the site twice"),
    (-0.35, 0.2, "precision's"),
    (-1.75, 1.7, "*precisions* are subtracted"),
    (0.1, 5.0, "divided by its variance"),
)


test_the_chance_is_checked = told_apart(
    lambda mine: check_chance(mine, mean=1.0, variance=3.0),
    (None, "Nothing to check yet"),
    (ndtr(0.5), "✓"),
    (ndtr(1.0), "at the mean"),
    (ndtr(1 / np.sqrt(3)), "noise of the answer"),
    (ndtr(0.25), "the root of"),
    (ndtr(1 / np.sqrt(10)), "do not square"),
    (0.2, "which variance"),
)


def test_the_first_screen_believes_what_quadrature_says():
    explorer = inference.explore_liking()
    explorer.set(yes=3, no=1)

    def average(of, low=-20):
        return quad(lambda g: of(g) * norm.pdf(g, 0, 3) * ndtr(g) ** 3 * ndtr(-g), low, 20, points=[0])[0]

    evidence = average(np.ones_like)
    mean = average(lambda g: g) / evidence
    std = np.sqrt(average(lambda g: (g - mean) ** 2) / evidence)
    below = 1 - average(np.ones_like, low=0) / evidence
    told = sentence(explorer)
    assert f"After 3 yes and 1 no, the liking g has mean {mean:.2f} and standard deviation {std:.2f}" in told
    assert f"yes with probability {average(ndtr) / evidence:.2f}. The posterior has {100 * below:.1f} % of" in told


def test_prior_times_each_site_is_its_gaussian_and_laplaces_touches_the_likelihood():
    """The upper picture of explore_site over the lower one, at σ_f = 3."""
    g, _ = single_probit.grid_posterior(3.0)
    sites, beliefs = single_probit.site_curves(3.0), single_probit.after_one_yes(3.0)
    for name, site in sites.items():
        product = norm.pdf(g, 0, 3) * site
        share = product / (product.sum() * (g[1] - g[0]))
        np.testing.assert_allclose(share, norm.pdf(g, beliefs[name].mean, beliefs[name].std), atol=1e-6)
    gap, mode = sites["Laplace"] / ndtr(g), np.abs(g - beliefs["Laplace"].mean).argmin()
    np.testing.assert_allclose(gap[mode - 2 : mode + 3], 1, atol=1e-4)
