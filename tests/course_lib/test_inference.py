"""Exact, Laplace, EP and variational inference: against quadrature, sampling, dense algebra, and each other."""

import warnings

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize
from scipy.special import logsumexp, ndtr
from scipy.stats import multivariate_normal, norm
from sklearn.exceptions import ConvergenceWarning

from course_lib import gp
from course_lib.gp.inference.ep import EvidenceWarning, Matching, evidence_correction
from course_lib.gp.latent import LatentGP
from course_lib.gp.likelihoods import Likelihood
from course_lib.gp.sites import symmetric_root
from course_lib.judgments import ProbitWithTies
from tests.course_lib.example_likelihoods import Counts, Durations
from tests.course_lib.gp_oracles import Exactly, dense_views, importance_evidence, log_normal, slopes
from tests.course_lib.oracles import random_covariance

APPROXIMATE = ["laplace", "ep", "variational"]
KERNEL = gp.SquaredExponential(1.3, [0.7, 1.5])
STEPS, CLIPPED = gp.Rounded(gp.Beta(8.0), 10), gp.Rounded(gp.CensoredGaussian(5.0), 100)


def makers(seed=0, n=14):
    """{kind: what makes answers of one kind (or two) to random items}."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    f = np.sin(2 * X[:, 0]) + X[:, 1]
    pairs = np.array([(a, b) for a, b in rng.integers(0, n, size=(2 * n, 2)) if a != b])
    d = f[pairs[:, 1]] - f[pairs[:, 0]]
    choices = np.where(d + 0.5 * rng.normal(size=len(d)) > 0, 1, -1)
    outliers = f + np.where(rng.random(n) < 0.2, 3.0, 0.2) * rng.normal(size=n)
    marks = gp.Beta(8.0)
    return {
        "probit": lambda: gp.values(X, np.where(f > 0, 1, -1), gp.Probit()),
        "choices": lambda: gp.differences(X, pairs, choices, gp.Probit()),
        "logit choices": lambda: gp.differences(X, pairs, choices, gp.Logit()),
        "robust": lambda: gp.values(X, outliers, gp.StudentT(0.3, 4.0)),
        "beta": lambda: gp.values(X, marks.sample(f, rng), marks),
        "degrees": lambda: gp.differences(X, pairs, marks.sample(d, rng), marks),
        "truncated": lambda: gp.values(X, gp.TruncatedGaussian(5.0).sample(f, rng), gp.TruncatedGaussian(5.0)),
        "warped": lambda: gp.values(X, ndtr(f + 0.3 * rng.normal(size=n)), gp.WarpedGaussian(0.3)),
        "rounded": lambda: gp.values(X, STEPS.sample(f, rng), STEPS),
        "clipped": lambda: gp.values(X, CLIPPED.sample(f, rng), CLIPPED),
        "ordinal": lambda: gp.values(X, np.digitize(f, [-1, 0, 1]), gp.Ordinal(4)),
        "durations": lambda: gp.values(X, Durations(2.0).sample(f, rng), Durations(2.0)),
        "counts": lambda: gp.values(X, Counts().sample(f, rng), Counts()),
        "mixed": lambda: [
            gp.values(X, outliers, gp.StudentT(0.3, 4.0)),
            gp.differences(X, pairs, choices, gp.Logit()),
            gp.values(X, f[:, None] + 0.3 * rng.normal(size=(n, 3)), gp.Gaussian(0.3)),
        ],
    }


def blocks(kind, **size):
    return makers(**size)[kind]()


KINDS = list(makers())


def still(inference, some, space="auto", kernel=KERNEL, **options):
    """A model whose parameters stay where they start."""
    return LatentGP(kernel, inference=inference, optimize=False, space=space, **options).fit(some)


def test_laplace_takes_the_highest_mode_that_answers_agree_on():
    """From 0 the search ends at the one answer there, and calls three outliers that agree with each other."""
    for y, sign in (([0.0, 5.0, 5.1, 4.9], 1.0), ([0.0, -6.0, -6.1, -5.9, -6.0], -1.0)):
        some = gp.values(np.zeros((len(y), 1)), np.array(y), gp.StudentT(0.1, 3.0))
        found = still("laplace", some, kernel=gp.SquaredExponential(25.0, 1.0))
        g = np.linspace(-8.0, 8.0, 16001)
        height = sum(gp.StudentT(0.1, 3.0).log_density(one, g) for one in y) - g**2 / 50.0
        assert found.converged_ and sign * found.predict_latent([[0.0]])[0][0] > 4.0
        assert found.predict_latent([[0.0]])[0] == pytest.approx(g[height.argmax()], abs=1e-3)
    rng, lower = np.random.default_rng(5), 0
    for _ in range(40):  # the best of three starts of a climber that knows nothing of the library
        X = rng.uniform(0, 5, (6, 1))
        y = 3.0 * rng.normal(size=6) + 0.1 * rng.standard_t(3, size=6)
        model = still("laplace", gp.values(X, y, gp.StudentT(0.1, 4.0)), kernel=gp.SquaredExponential(9.0, 1.0))
        L = np.linalg.cholesky(model.kernel_(X) + 1e-10 * np.eye(6))

        def depth(w, y=y, L=L):
            return 0.5 * w @ w - gp.StudentT(0.1, 4.0).log_density(y, L @ w).sum()

        best = min(minimize(depth, np.linalg.solve(L, share * y)).fun for share in (1.0, 0.5, 0.0))
        lower += best < depth(np.linalg.solve(L, model.predict_latent(model.items_)[0])) - 1e-3
    assert lower <= 4  # 12 by the search from 0 alone


def check_gradient(model, tolerance=1e-5):
    theta = np.concatenate([model.kernel_.theta, model.likelihood_.theta])
    gradient = model.evidence_at(theta)[1]
    expected = slopes(lambda t: model.evidence_at(t)[0], theta, 1e-4)
    assert np.allclose(gradient, expected, atol=tolerance * (1 + np.abs(expected).max()))


@pytest.mark.parametrize("inference", APPROXIMATE)
@pytest.mark.parametrize("kind", KINDS)
def test_gradients_of_the_evidence(kind, inference):
    """Explicit and implicit terms, kernel and likelihood, against finite differences of the whole computation."""
    check_gradient(still(inference, blocks(kind)))


@pytest.mark.parametrize("kind", KINDS)
def test_laplace_ends_at_a_mode(kind):
    model = still("laplace", blocks(kind))
    q, observed = model.approximation_.posterior, model.observations_
    assert model.converged_
    slope = model.likelihood_.derivatives(observed.y, observed.views @ q.mean)[1]
    assert np.allclose(q.alpha, observed.views.T @ slope, atol=1e-6 * (1 + np.abs(slope).max()))


@pytest.mark.parametrize("seed", range(20))
def test_an_update_of_each_site_is_lecture_06_s_by_a_grid(seed):
    rng = np.random.default_rng(seed)
    K, y, tau, nu = random_covariance(rng, 4), rng.choice([-1.0, 1.0], 4), rng.uniform(0, 2, 4), rng.normal(size=4)
    answers = gp.stack(gp.values(np.arange(4.0), y, gp.Probit()))
    found = Matching(gp.Prior(K, answers.views), answers.y, answers.likelihood, tau, nu)
    Sigma = np.linalg.solve(np.eye(4) + K @ np.diag(tau), K)
    for k in range(4):
        precision, shift = 1 / Sigma[k, k] - tau[k], (Sigma @ nu)[k] / Sigma[k, k] - nu[k]  # CAVITY
        g = (shift / np.sqrt(precision) + np.linspace(-12, 12, 4001)) / np.sqrt(precision)
        tilted = norm.pdf(g, shift / precision, precision**-0.5) * ndtr(y[k] * g)  # TILTED
        mean = tilted @ g / tilted.sum()
        variance = tilted @ (g - mean) ** 2 / tilted.sum()
        wanted = 1 / variance - precision, mean / variance - shift  # UPDATE
        np.testing.assert_allclose((found.wanted_tau[k], found.wanted_nu[k]), wanted, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_ep_matches_moments_and_the_bound_is_stationary(kind):
    model = still("ep", blocks(kind))
    found, y = model.approximation_, model.observations_.y
    assert model.converged_
    mean, variance = found.posterior.marginals
    precision = 1 / variance - found.tau
    _, tilted_mean, tilted_variance = model.likelihood_.tilted(
        y, (mean / variance - found.nu) / precision, 1 / precision
    )
    assert np.allclose(mean, tilted_mean, atol=1e-4)
    assert np.allclose(variance, tilted_variance, rtol=1e-3)
    model = still("variational", blocks(kind))
    found = model.approximation_
    _, slope, curvature = model.likelihood_.expectations(y, *found.posterior.marginals)
    assert model.converged_
    assert np.allclose(found.tau, -curvature, rtol=1e-3, atol=1e-4)
    assert np.allclose(found.nu - found.tau * found.posterior.view_mean, slope, atol=1e-3)


@pytest.mark.parametrize("kind", ["probit", "choices", "robust", "beta", "ordinal"])
def test_evidences_against_importance_sampling(kind):
    some = blocks(kind, seed=1, n=7)
    models = {inference: still(inference, some) for inference in APPROXIMATE}
    ep, observed = models["ep"], models["ep"].observations_
    q, A = ep.approximation_.posterior, dense_views(observed.views)
    truth, error = importance_evidence(KERNEL(observed.X), A, observed.y, ep.likelihood_, q.mean, q.covariance)
    assert error < 0.02
    assert models["variational"].log_evidence_ < truth + 3 * error
    assert abs(ep.log_evidence_ - truth) < abs(models["laplace"].log_evidence_ - truth) + 3 * error
    assert abs(ep.log_evidence_ - truth) < 0.1


@pytest.mark.parametrize("kind", ["choices", "beta", "ordinal", "robust"])
@pytest.mark.parametrize("variance", [1e2, 1e4])
def test_ep_s_evidence_against_importance_sampling_on_sharp_scales(kind, variance):
    kernel = gp.SquaredExponential(variance, [0.7, 1.5])
    model = still("ep", blocks(kind, seed=1, n=6), kernel=kernel)
    q, observed = model.approximation_.posterior, model.observations_
    A, K = dense_views(observed.views), kernel(observed.X)
    truth, error = importance_evidence(K, A, observed.y, model.likelihood_, q.mean, q.covariance)
    assert model.converged_
    assert error < 0.02
    assert abs(model.log_evidence_ - truth) < (0.3 if kind == "choices" else 0.1)


@pytest.mark.parametrize("signal", [1.0, 30.0, 1000.0])
def test_ep_says_where_its_evidence_is_off_and_by_how_much(signal):
    """Choices nearly without noise: the truth is the probability of an orthant, EP lacks 0.1 to 0.5 nats of it."""
    kernel, lacking = gp.SquaredExponential(signal**2, 0.6), []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X, pairs = rng.uniform(-1, 1, (6, 1)), np.array([rng.choice(6, 2, replace=False) for _ in range(7)])
        d = np.eye(6)[pairs[:, 1]] - np.eye(6)[pairs[:, 0]]
        f = symmetric_root(kernel(X)) @ rng.normal(size=6)
        y = np.where(d @ f + rng.normal(size=7) > 0, 1.0, -1.0)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model = still("ep", gp.differences(X, pairs, y, gp.Probit()), kernel=kernel)
        C = y[:, None] * (d @ kernel(X) @ d.T) * y + np.eye(7)
        truth = np.log(multivariate_normal.cdf(np.zeros(7), np.zeros(7), C, maxpts=20000, abseps=1e-12, releps=2e-3))
        off = truth - model.log_evidence_
        lacking.append(evidence_correction(model.prior_, y, model.likelihood_, model.approximation_))
        assert -0.005 < off - lacking[-1] < 0.5 * abs(off) + 0.005
        assert [one.category for one in said] == [EvidenceWarning] * (lacking[-1] > 0.1)
    assert max(lacking) < 0.02 if signal == 1.0 else max(lacking) > 0.1


@pytest.mark.parametrize(("noise", "told"), [(1e-7, True), (1e-5, False)])
@pytest.mark.parametrize("inference", ["exact", *APPROXIMATE])
def test_answers_so_sharp_that_rounding_counts_are_named(noise, told, inference):
    X = np.linspace(-1, 1, 40)[:, None]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        still(inference, gp.values(X, np.sin(X[:, 0]), gp.Gaussian(noise)), kernel=gp.SquaredExponential(1.0, 1.0))
    assert any("rounding may move the evidence" in str(one.message) for one in said) == told


@pytest.mark.parametrize("kind", KINDS)
def test_ordinary_answers_get_no_word_about_ep_s_evidence(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        still("ep", blocks(kind))


@pytest.mark.parametrize("noise", [1.0, 1e-3, 1e-6])
def test_ep_lacks_nothing_of_gaussian_answers(noise):
    X = np.linspace(0, 3, 8)[:, None]
    model = still("ep", gp.values(X, np.sin(X[:, 0]), gp.Gaussian(noise)), kernel=gp.SquaredExponential(1.0, 0.3))
    lacking = evidence_correction(model.prior_, np.sin(X[:, 0]), gp.Gaussian(noise), model.approximation_)
    assert lacking is None or abs(lacking) < 1e-6


@pytest.mark.parametrize(
    ("spread", "exact", "laplace", "ep", "bound"), [(3, 0.856, 0.768, 0.849, 0.865), (5, 0.911, 0.767, None, None)]
)
def test_one_positive_label(spread, exact, laplace, ep, bound):
    """Widget 6: the prior widens, and Laplace's probability of the next label does not follow."""
    some = gp.values([0.0], [1.0], gp.Probit())
    mass = quad(lambda f: norm.pdf(f, 0, spread) * norm.cdf(f), -60, 60)[0]
    assert quad(lambda f: norm.pdf(f, 0, spread) * norm.cdf(f) ** 2, -60, 60)[0] / mass == pytest.approx(
        exact, abs=6e-4
    )
    for inference, expected in (("laplace", laplace), ("ep", ep), ("variational", bound)):
        if expected is not None:
            model = still(inference, some, kernel=gp.SquaredExponential(spread**2, 1.0))
            assert (model.predict([0.0])[0] + 1) / 2 == pytest.approx(expected, abs=6e-4)


def test_one_label_evidences_by_hand():
    model = still("ep", gp.values([0.0], [1.0], gp.Probit()), kernel=gp.SquaredExponential(1.3, 0.7))
    assert model.log_evidence_ == pytest.approx(np.log(0.5), abs=1e-9)
    mean, variance = (float(v[0]) for v in model.approximation_.posterior.marginals)
    c = np.sqrt(1 + 1.3)
    assert mean == pytest.approx(1.3 * norm.pdf(0) / 0.5 / c, abs=1e-7)
    assert variance == pytest.approx(1.3 - (1.3 * norm.pdf(0) / 0.5 / c) ** 2, abs=1e-7)


@pytest.mark.parametrize("kind", ["choices", "logit choices", "probit", "ordinal", "outliers"])
@pytest.mark.parametrize("inference", APPROXIMATE)
def test_both_spaces_give_the_same(kind, inference):
    """Outliers have sites with τ < 0, with which response space ends in item space."""
    outliers = gp.values(np.arange(10.0).reshape(5, 2), [0.1, 0.2, 9.0, 0.1, 0.0], gp.StudentT(0.2, 3.0))
    answers = outliers if kind == "outliers" else blocks(kind, n=9)
    one, other = (still(inference, answers, space=space) for space in ("item", "response"))
    assert one.log_evidence_ == pytest.approx(other.log_evidence_, abs=1e-8)
    new = np.random.default_rng(5).normal(size=(4, one.n_features_in_))
    assert np.allclose(one.predict_latent(new), other.predict_latent(new), atol=1e-7)


def test_exact_inference_is_the_joint_gaussian_whatever_the_views():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(7, 2))
    pairs = np.array([(0, 1), (1, 2), (2, 0), (0, 1), (3, 6)])
    groups = np.array([0, 1, 0, 1, 1, 0, 1, 0, 0, 0, 1])
    Y = np.full((7, 2), np.nan)
    Y[[0, 1, 2, 3, 4, 4, 5, 6, 6, 2, 1], [0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1]] = rng.normal(size=11)
    some = [
        gp.values(X, Y, gp.Gaussian([0.2, 0.7], groups=groups)),
        gp.differences(X, pairs, rng.normal(size=5), gp.Gaussian(0.4)),
    ]
    model = still("exact", some[:1])
    A, tau = dense_views(model.observations_.views), model.approximation_.tau
    K = KERNEL(model.observations_.X)
    assert model.log_evidence_ == pytest.approx(
        log_normal(model.observations_.y, A @ K @ A.T + np.diag(1 / tau)), abs=1e-9
    )
    check_gradient(model, 1e-7)  # in place
    model = still("exact", some[:1], space="item")
    check_gradient(model, 1e-6)
    model = still("exact", some[1])
    A, tau = dense_views(model.observations_.views), model.approximation_.tau
    K = KERNEL(model.observations_.X)
    assert model.log_evidence_ == pytest.approx(
        log_normal(model.observations_.y, A @ K @ A.T + np.diag(1 / tau)), abs=1e-9
    )
    check_gradient(model, 1e-7)


def test_three_rules_are_exact_for_gaussian_noise():
    some = gp.values(np.linspace(0, 1, 8)[:, None], np.sin(np.arange(8.0)), gp.Gaussian(0.3))
    kernel = gp.Matern32(1.0, 0.4)
    exact = still("exact", some, kernel=kernel)
    for inference in APPROXIMATE:
        assert still(inference, some, kernel=kernel).log_evidence_ == pytest.approx(exact.log_evidence_, abs=1e-8)


@pytest.mark.parametrize("inference", ["exact", *APPROXIMATE])
@pytest.mark.parametrize("noise", [1e-1, 1e-3, 1e-5, 1e-6, 1e-7])
@pytest.mark.parametrize(
    ("kind", "space"), [("values", "response"), ("values", "item"), ("differences", "item"), ("thrice", "response")]
)
def test_sharp_answers_against_sixty_digits(kind, space, noise, inference):
    """Evidence, predictions, and the gradient in the kernel; of Gaussian answers all four rules are exact."""
    rng, kernel = np.random.default_rng(0), gp.Matern32(1.0, 1.0)
    X = rng.uniform(-3, 3, size=(16, 2))
    f = np.sin(X[:, 0]) + 0.3 * X[:, 1]
    pairs = np.array([(a, b) for a, b in rng.integers(0, 16, size=(70, 2)) if a != b])
    y = f[pairs[:, 1]] - f[pairs[:, 0]] if kind == "differences" else np.repeat(f[:, None], 3, 1)
    y = (y if kind != "values" else f) + noise * rng.normal(size=f.shape if kind == "values" else y.shape)
    likelihood = gp.Gaussian(noise)
    some = gp.differences(X, pairs, y, likelihood) if kind == "differences" else gp.values(X, y, likelihood)
    model = still(inference, some, space=space, kernel=kernel)
    observed, tau = model.observations_, np.full(len(model.observations_.y), noise**-2.0)
    truth = Exactly(kernel(observed.X), dense_views(observed.views), tau, tau * observed.y)
    lost = 1e-13 / noise**2 if kind == "differences" else 0.0  # of the level, on which differences say nothing
    assert model.converged_
    assert model.log_evidence_ == pytest.approx(truth.log_evidence(tau), abs=1e-6 + lost)
    X_new = np.concatenate([X[:6], rng.uniform(-3, 3, size=(6, 2))])
    mean, covariance = truth.predict(kernel(observed.X, X_new), kernel(X_new))
    std, got_mean, got_std = np.sqrt(covariance.diagonal()), *model.predict_latent(X_new)
    exactness = max(1e-6, 1e-15 / noise**2)  # 1e-16 of the prior's variance is lost
    assert np.allclose(got_std, std, rtol=exactness + lost)
    assert (np.abs(got_mean - mean) < (1e-6 + lost) * std).all()
    alpha, P = truth.alpha.astype(float), truth.P.astype(float)
    expected = kernel.gradient(observed.X, 0.5 * (np.outer(alpha, alpha) - P))
    got = model.evidence_at(np.concatenate([kernel.theta, likelihood.theta]))[1]
    assert np.allclose(got[:2], expected, atol=(1e-6 + lost) * np.abs(expected).max())


@pytest.mark.parametrize("variance", [1e-4, 1.0, 1e4, 1e8, 1e10])
@pytest.mark.parametrize("likelihood", [gp.Ordinal(4), ProbitWithTies(0.5)])
def test_an_interval_s_moments_under_a_wide_cavity(likelihood, variance):
    """The closed form subtracts nearly all of a wide cavity's variance."""
    y = np.array([0.0, 1.0])
    closed = likelihood.tilted(y, np.full(2, 0.3 * np.sqrt(variance)), np.full(2, variance))
    summed = Likelihood.tilted(likelihood, y, np.full(2, 0.3 * np.sqrt(variance)), np.full(2, variance))
    assert np.allclose(closed[0], summed[0], atol=1e-9)
    assert (np.abs(closed[1] - summed[1]) < 1e-8 * np.sqrt(summed[2])).all()
    assert np.allclose(closed[2], summed[2], rtol=1e-8)


ONE_VIEW = {
    "choice": (gp.Probit(), [1.0]),
    "choices that agree": (gp.Probit(), [1.0, 1.0]),
    "choices that do not": (gp.Probit(), [1.0, -1.0]),
    "degree": (gp.Beta(5.0), [0.3]),
    "degrees": (gp.Beta(500.0), [0.3, 0.32]),
    "degree near the end": (gp.Beta(5.0), [0.999]),
    "label": (gp.Ordinal(4), [1.0]),
    "labels": (gp.Ordinal(4), [1.0, 2.0]),
    "labels far apart": (gp.Ordinal(4), [0.0, 3.0]),
    "tie": (ProbitWithTies(0.5), [0.0]),
    "robust": (gp.StudentT(0.3), [0.4]),
}


@pytest.mark.parametrize(("difference", "space"), [(False, "response"), (False, "item"), (True, "item")])
@pytest.mark.parametrize("variance", [1.0, 1e6, 1e10])
@pytest.mark.parametrize("name", ONE_VIEW)
def test_ep_on_sharp_scales_against_quadrature(name, variance, difference, space):
    """Of one answer EP is exact: also where the view varies 1e5 times as much as the answer's noise."""
    likelihood, y = ONE_VIEW[name]
    t = np.linspace(-1, 1, 40_001) * np.arcsinh(12e6 * np.sqrt(variance))
    g = 1e-6 * np.sinh(t)
    log_p = sum(likelihood.log_density(answer, g) for answer in y) - 0.5 * g**2 / variance
    truth = logsumexp(log_p + np.log(1e-6 * np.cosh(t) * (t[1] - t[0]))) - 0.5 * np.log(2 * np.pi * variance)
    if difference:
        some = gp.differences([0.0, 1.0], [(0, 1)] * len(y), y, likelihood)
    else:
        some = gp.values([0.0], [y], likelihood)
    kernel = gp.SquaredExponential(variance / 2 if difference else variance, 1e-3)
    model = still("ep", some, space=space, kernel=kernel)
    assert model.converged_
    assert model.log_evidence_ == pytest.approx(truth, abs=1e-5 if len(y) == 1 else 0.2)


def test_all_rules_are_exact_for_warped_answers():
    models = [still(inference, blocks("warped")) for inference in ["exact", *APPROXIMATE]]
    assert np.ptp([model.log_evidence_ for model in models]) < 1e-7
    check_gradient(models[0], 1e-7)
    z, jacobian = models[0].likelihood_._target(models[0].observations_.y)
    covariance = KERNEL(models[0].observations_.X) + 0.09 * np.eye(len(z))
    assert models[0].log_evidence_ == pytest.approx(log_normal(z, covariance) + jacobian.sum(), abs=1e-8)


def test_several_gaussian_blocks_are_exact_together():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6, 2))
    some = [
        gp.values(X, rng.normal(size=6), gp.Gaussian(0.3)),
        gp.values(X[:4], rng.normal(size=(4, 2)), gp.Gaussian(0.8)),
    ]
    model = still("exact", some)
    A, tau = dense_views(model.observations_.views), model.approximation_.tau
    K = KERNEL(model.observations_.X)
    assert model.log_evidence_ == pytest.approx(
        log_normal(model.observations_.y, A @ K @ A.T + np.diag(1 / tau)), abs=1e-9
    )
    check_gradient(model, 1e-7)


def test_swapping_a_pair_and_its_answer_changes_nothing():
    rng = np.random.default_rng(0)
    X, pairs = rng.normal(size=(5, 2)), np.array([(0, 1), (1, 2), (3, 4), (0, 4)])
    y, flip = np.array([1, -1, 1, 1]), np.array([False, True, False, True])
    swapped = np.where(flip[:, None], pairs[:, ::-1], pairs)
    for inference in APPROXIMATE:
        one = still(inference, gp.differences(X, pairs, y, gp.Probit()))
        other = still(inference, gp.differences(X, swapped, np.where(flip, -y, y), gp.Probit()))
        assert one.log_evidence_ == pytest.approx(other.log_evidence_, abs=1e-9)
        assert np.allclose(one.predict_latent(X), other.predict_latent(X), atol=1e-8)


def test_a_difference_s_error_uses_the_covariance():
    model = still("laplace", blocks("choices"))
    X_new = np.random.default_rng(9).normal(size=(3, 2))
    mean, cov = model.predict_latent(X_new, return_cov=True)
    got_mean, got_std = model.predict_difference(X_new, [(0, 1), (2, 0)])
    assert np.allclose(got_mean, [mean[1] - mean[0], mean[0] - mean[2]])
    assert got_std[0] ** 2 == pytest.approx(cov[0, 0] + cov[1, 1] - 2 * cov[0, 1])


@pytest.mark.parametrize("seed", range(40))
def test_beta_models_do_not_diverge(seed):
    """Variance 0.1 … 100, lengthscale 0.1 … 10, precision 2.5 … 100; values and degrees of preference."""
    rng = np.random.default_rng(seed)
    variance, lengthscale, precision = 10 ** rng.uniform(-1, 2), 10 ** rng.uniform(-1, 1), 2.5 * 40 ** rng.random()
    X, kernel, marks = (
        rng.uniform(-3, 3, size=(25, 1)),
        gp.SquaredExponential(variance, lengthscale),
        gp.Beta(precision),
    )
    f = np.linalg.cholesky(kernel(X) + 1e-8 * variance * np.eye(25)) @ rng.normal(size=25)
    pairs = np.array([(a, b) for a, b in rng.integers(0, 25, size=(50, 2)) if a != b])
    if seed % 2:
        some = gp.values(X, gp.squeeze(marks.sample(f, rng), inside=1e-6), marks)
    else:
        y = gp.squeeze(marks.sample(f[pairs[:, 1]] - f[pairs[:, 0]], rng), inside=1e-6)
        some = gp.differences(X, pairs, y, marks)
    models = [still(inference, some, kernel=kernel) for inference in APPROXIMATE]
    assert all(model.converged_ for model in models)
    assert np.isfinite([model.log_evidence_ for model in models]).all()


def test_learning_climbs_and_priors_hold_back():
    some = gp.values(*_line(5), gp.Gaussian(0.1))
    start = still("exact", some, kernel=gp.SquaredExponential(1.0, 1.0))
    free = LatentGP(gp.SquaredExponential(1.0, 1.0), inference="exact").fit(some)
    held = LatentGP(gp.SquaredExponential(1.0, 1.0).with_priors(lengthscale=gp.Gamma(3, 6)), inference="exact").fit(
        some
    )
    assert free.log_evidence_ >= start.log_evidence_
    assert held.kernel_.lengthscale < 0.5 * free.kernel_.lengthscale
    assert held.log_posterior_ == pytest.approx(held.log_evidence_ + held.kernel_.log_prior()[0])
    theta = np.concatenate([held.kernel_.theta, held.likelihood_.theta])
    assert np.abs(held.evidence_at(theta)[1]).max() < 0.05


def _line(n):
    x = np.linspace(-1, 1, n)
    return x[:, None], 2 * x + 0.1 * np.cos(7 * x)


def test_fixed_parameters_stay():
    kernel = gp.SquaredExponential(2.0, 0.7).with_priors(variance=gp.Fixed())
    model = LatentGP(kernel, inference="laplace").fit(blocks("beta"))
    assert model.kernel_.variance == 2.0
    assert model.kernel_.lengthscale != 0.7


def test_restarts_find_the_better_optimum():
    x = np.array([0.55, 1.13, 1.57, 1.79, 3.60, 4.37, 4.89])
    y = np.array([1.20, 0.89, -0.22, -0.04, 0.67, 0.50, -0.66])
    flat = gp.SquaredExponential(1.0, 8.0).with_priors(variance=gp.Fixed())
    one = gp.GPRegression(flat, noise_std=0.6, center=False).fit(x, y)
    best = gp.GPRegression(flat, noise_std=0.6, center=False, n_restarts=10, rng=0).fit(x, y)
    assert one.log_evidence_ == pytest.approx(-7.957, abs=0.002)
    assert one.kernel_.lengthscale == pytest.approx(8.42, abs=0.02)
    assert best.log_evidence_ == pytest.approx(-7.218, abs=0.002)
    assert (best.kernel_.lengthscale, best.noise_std_) == pytest.approx((0.73, 0.30), abs=0.006)


def test_a_search_cut_short_warns():
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model = gp.GPRegression(gp.SquaredExponential(1.0, 3.0), noise_std=1.0, max_iter=1).fit(*_line(30))
    assert not model.converged_


def test_samples_have_the_posterior_s_moments():
    model = still("laplace", blocks("probit"))
    X_new = np.random.default_rng(2).normal(size=(3, 2))
    mean, cov = model.predict_latent(X_new, return_cov=True)
    drawn = model.sample(X_new, 20_000, rng=0)
    assert np.allclose(drawn.mean(axis=0), mean, atol=0.03)
    assert np.allclose(np.cov(drawn.T), cov, atol=0.04)
    assert np.array_equal(model.sample(X_new, 2, rng=7), model.sample(X_new, 2, rng=7))


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: LatentGP(inference="mcmc").fit(blocks("probit")), "inference is 'mcmc'"),
        (lambda: LatentGP(inference="exact").fit(blocks("probit")), 'inference "exact" needs Gaussian noise'),
        (lambda: LatentGP("rbf").fit(blocks("probit")), "kernel is 'rbf'"),
        (lambda: LatentGP(space="x").fit(blocks("probit")), "space is 'x'"),
        (lambda: LatentGP(gp.SquaredExponential(1.0, [1.0, 2.0, 3.0])).fit(blocks("probit")), "lengthscale"),
        (lambda: LatentGP(inducing=3).fit(blocks("probit")), "inducing inputs go with"),
        (lambda: LatentGP(inference="fitc").fit(blocks("probit")), "inducing is None"),
        (lambda: LatentGP(max_iter=0).fit(blocks("probit")), "max_iter is 0"),
        (lambda: LatentGP().predict([[1.0]]), "not fitted yet"),
        (lambda: still("laplace", blocks("probit")).predict([[1.0]]), "X_new has 1 columns"),
        (lambda: still("laplace", blocks("probit")).predict([[1.0, np.nan]]), "X_new"),
        (lambda: still("laplace", blocks("mixed")).predict([[1.0, 2.0]], block=3), "block is 3"),
        (
            lambda: still("laplace", blocks("probit")).predict_difference([[1.0, 2.0]], [(0, 1)]),
            r"pairs\[0, 1\] is 1; the rows of X_new are 0 … 0",
        ),
        (lambda: still("laplace", blocks("probit")).evidence_at([1.0]), "theta has shape"),
        (lambda: still("laplace", blocks("probit")).log_predictive_density([[1.0, 2.0]], [1, 1]), "y_new has 2"),
    ],
)
def test_errors_say_what_came_and_what_is_needed(act, words):
    with pytest.raises(ValueError, match=words):
        act()
