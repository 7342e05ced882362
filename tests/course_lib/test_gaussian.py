"""Gaussians against scipy, quadrature, numpy's covariances, and whatever other parameters might have been better."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2, multivariate_normal

from course_lib import sequences as seq
from tests.course_lib.oracles import log_normal_inverse_wishart, random_covariance

TYPES = ["full", "diag", "spherical", "tied"]


def random_groups(rng, D=3, sizes=(9, 14, 30)):
    return [rng.normal(size=(n, D)) @ random_covariance(rng, D) + 3 * rng.normal(size=D) for n in sizes]


def random_prior(rng, D=3):
    return seq.NormalInverseWishart(rng.normal(size=D), rng.uniform(0.2, 4), random_covariance(rng, D), D + 1.7)


def log_likelihood(groups, means, matrices):
    return sum(
        multivariate_normal.logpdf(X, mean, matrix).sum()
        for X, mean, matrix in zip(groups, means, matrices, strict=True)
    )


def neighbour(rng, means, matrices, covariance_type, floor):
    """Other means and matrices of the same type, near or far, with no eigenvalue below the floor."""
    size = 10.0 ** rng.uniform(-4, 0)
    shared = rng.normal(size=matrices[0].shape)
    other = []
    for matrix in matrices:
        noise = shared if covariance_type == "tied" else rng.normal(size=matrix.shape)
        if covariance_type == "spherical":
            noise = rng.normal() * np.eye(len(matrix))
        elif covariance_type == "diag":
            noise = np.diag(np.diag(noise))
        root = np.eye(len(matrix)) + size * noise
        values, vectors = np.linalg.eigh(root @ matrix @ root.T)
        other.append((vectors * np.maximum(values, max(floor, 1e-12))) @ vectors.T)
    return means + size * rng.normal(size=means.shape) * (rng.random() < 0.7), other


@pytest.mark.parametrize("D", [1, 2, 5])
def test_log_density_equals_scipy_even_far_out(D):
    rng = np.random.default_rng(0)
    for far in (1, 30, 1e5):
        mean, covariance = 10 * rng.normal(size=D), random_covariance(rng, D)
        X = mean + far * rng.normal(size=(20, D))
        expected = multivariate_normal.logpdf(X, mean, covariance)
        np.testing.assert_allclose(seq.log_density(X, mean, covariance), expected, rtol=1e-10)
        np.testing.assert_array_equal(
            seq.Gaussian(mean, covariance).log_density(X), seq.log_density(X, mean, covariance)
        )


@pytest.mark.parametrize("thin", [1e-4, 1e-9])
def test_log_density_of_a_nearly_flat_gaussian(thin):
    """Known by construction: x = μ + Q √d z has the log density −½ (D log 2π + Σ log d + ‖z‖²)."""
    rng = np.random.default_rng(1)
    Q = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    variances, z, mean = np.array([1.0, thin, 4.0]), rng.normal(size=(50, 3)), np.array([1.0, -2.0, 3.0])
    X, covariance = mean + (z * np.sqrt(variances)) @ Q.T, Q * variances @ Q.T
    expected = -0.5 * (3 * np.log(2 * np.pi) + np.log(variances).sum() + (z**2).sum(axis=1))
    np.testing.assert_allclose(
        seq.log_density(X, mean, (covariance + covariance.T) / 2), expected, rtol=1e-15 / thin + 1e-9
    )


def test_estimates_are_numpys_covariances():
    X = random_groups(np.random.default_rng(2))[2]
    for unbiased in (False, True):
        full = seq.fit_gaussian(X, unbiased=unbiased)
        np.testing.assert_allclose(full.mean, X.mean(axis=0))
        np.testing.assert_allclose(full.covariance, np.cov(X, rowvar=False, bias=not unbiased))
        variances = X.var(axis=0, ddof=int(unbiased))
        np.testing.assert_allclose(seq.fit_gaussian(X, "diag", unbiased).covariance, np.diag(variances))
        np.testing.assert_allclose(seq.fit_gaussian(X, "spherical", unbiased).covariance, variances.mean() * np.eye(3))


def test_tied_covariance_is_the_pooled_one_within_groups():
    groups = random_groups(np.random.default_rng(3))
    within = np.concatenate([g - g.mean(axis=0) for g in groups])
    expected = within.T @ within / len(within)
    for gaussian, group in zip(seq.fit_gaussians(groups, "tied"), groups, strict=True):
        np.testing.assert_allclose(gaussian.covariance, expected)
        np.testing.assert_allclose(gaussian.mean, group.mean(axis=0))


@pytest.mark.parametrize("covariance_type", TYPES)
@pytest.mark.parametrize("floor", [0.0, 0.5])
@pytest.mark.parametrize("with_prior", [False, True])
def test_no_other_parameters_are_better(covariance_type, floor, with_prior):
    """The likelihood, or the posterior, at the estimate against 120 feasible neighbours, near and far."""
    rng = np.random.default_rng(4)
    groups = random_groups(rng)
    prior = random_prior(rng) if with_prior else None

    def objective(means, matrices):
        value = log_likelihood(groups, means, matrices)
        distinct = matrices[:1] if covariance_type == "tied" else matrices
        return value + (log_normal_inverse_wishart(prior, means, distinct) if prior else 0.0)

    fitted = seq.fit_gaussians(groups, covariance_type, min_variance=floor, prior=prior)
    means, matrices = np.array([g.mean for g in fitted]), [g.covariance for g in fitted]
    eigenvalues = np.linalg.eigvalsh(matrices)
    assert eigenvalues.min() >= floor * (1 - 1e-12)
    best = objective(means, matrices)
    gains = [objective(*neighbour(rng, means, matrices, covariance_type, floor)) - best for _ in range(120)]
    assert max(gains) < 1e-8
    assert max(gains) > -1  # the neighbours come near enough to tell


def test_the_floor_of_the_last_test_is_felt():
    groups = random_groups(np.random.default_rng(4))
    least = min(np.linalg.eigvalsh(g.covariance)[0] for g in seq.fit_gaussians(groups))
    assert least < 0.5


@pytest.mark.parametrize("covariance_type", ["full", "diag"])
def test_prior_acts_like_points_seen_before(covariance_type):
    """κ₀ = ν₀ + D + 2 points with mean m₀ and scatter Ψ, put in front of the data, give the same Gaussian."""
    rng = np.random.default_rng(5)
    X, before = rng.normal(size=(12, 2)) + 4, rng.normal(size=(9, 2))
    scatter = np.cov(before, rowvar=False, bias=True) * 9
    prior = seq.NormalInverseWishart(before.mean(axis=0), 9, scatter, 9 - 2 - 2)
    found = seq.fit_gaussian(X, covariance_type, prior=prior)
    together = seq.fit_gaussian(np.concatenate([before, X]), covariance_type)
    np.testing.assert_allclose(found.mean, together.mean)
    np.testing.assert_allclose(found.covariance, together.covariance, atol=1e-12)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_log_density_of_the_prior_is_scipys_up_to_a_constant(covariance_type):
    rng = np.random.default_rng(6)
    prior, differences = random_prior(rng), []
    for _ in range(5):
        means = rng.normal(size=(2, 3))
        matrices = [random_covariance(rng, 3) for _ in range(1 if covariance_type == "tied" else 2)]
        if covariance_type == "diag":
            matrices = [np.diag(np.diag(m)) for m in matrices]
        if covariance_type == "spherical":
            matrices = [m[0, 0] * np.eye(3) for m in matrices]
        shaped = {
            "full": lambda m: np.array(m),
            "tied": lambda m: m[0],
            "diag": lambda m: np.array([np.diag(one) for one in m]),
            "spherical": lambda m: np.array([one[0, 0] for one in m]),
        }[covariance_type](matrices)
        ours = prior.log_density(means, shaped, covariance_type)
        differences.append(ours - log_normal_inverse_wishart(prior, means, matrices))
    np.testing.assert_allclose(differences, differences[0], rtol=1e-9)


def test_weak_prior_is_fraley_and_rafterys():
    X = random_groups(np.random.default_rng(7))[1]
    prior = seq.NormalInverseWishart.weak(X, 4)
    np.testing.assert_allclose(prior.mean, X.mean(axis=0))
    np.testing.assert_allclose(prior.scale, np.diag(X.var(axis=0)) / 4 ** (2 / 3))
    assert (prior.strength, prior.degrees) == (0.01, 5)


@settings(max_examples=60)
@given(st.integers(1, 6), st.integers(1, 4), st.sampled_from(TYPES), st.integers(0, 10_000), st.booleans())
def test_a_floor_or_a_prior_always_gives_a_gaussian(n, D, covariance_type, seed, floor):
    """Few points, repeated points, constant features: with a floor or a prior nothing is singular."""
    rng = np.random.default_rng(seed)
    groups = [np.repeat(rng.integers(-2, 3, size=(n, D)), 2, axis=0) * 1.1, np.full((3, D), 0.1)]
    options = {"min_variance": 1e-4} if floor else {"prior": seq.NormalInverseWishart(np.zeros(D), 1, np.eye(D), D)}
    for gaussian in seq.fit_gaussians(groups, covariance_type, **options):
        assert np.isfinite(gaussian.log_density(groups[0])).all()
        if floor:
            assert np.linalg.eigvalsh(gaussian.covariance)[0] >= 1e-4 * (1 - 1e-9)


@pytest.mark.parametrize("covariance_type", ["full", "diag"])
@pytest.mark.parametrize(
    "singular",
    [
        np.full((4, 2), 0.1),
        np.full((7, 2), 1e6 + 0.1),
        np.column_stack([np.arange(5.0), np.full(5, 0.3)]),
        np.array([[1.0, 2.0]]),
    ],
    ids=["one place", "one place far away", "a constant feature", "one point"],
)
def test_singular_data_are_refused_and_the_group_is_named(covariance_type, singular):
    healthy = np.random.default_rng(8).normal(size=(20, 2))
    with pytest.raises(ValueError, match=r"groups\[1\] .*not positive definite"):
        seq.fit_gaussians([healthy, singular], covariance_type)


@pytest.mark.parametrize("offset", [0.0, 1e6])
def test_dependent_features_are_refused(offset):
    x = np.random.default_rng(9).normal(size=60)
    with pytest.raises(ValueError, match="not positive definite"):
        seq.fit_gaussian(np.column_stack([x, x / 3]) + offset)


@pytest.mark.parametrize("covariance_type", TYPES)
def test_groups_far_apart_keep_their_digits(covariance_type):
    groups = random_groups(np.random.default_rng(10))
    far = [group + shift for group, shift in zip(groups, (0.0, 1e8, -1e7), strict=True)]
    for one, other in zip(
        seq.fit_gaussians(groups, covariance_type), seq.fit_gaussians(far, covariance_type), strict=True
    ):
        np.testing.assert_allclose(other.covariance, one.covariance, rtol=1e-6, atol=1e-6)


def test_samples_have_the_mean_and_the_covariance():
    """Within five standard errors; that of a covariance is √((σ_ij² + σ_ii σ_jj)/n)."""
    gaussian, n = seq.Gaussian([5.0, -1.0], [[4.0, -1.5], [-1.5, 1.0]]), 20_000
    X, S = gaussian.sample(n, rng=0), gaussian.covariance
    assert (np.abs(X.mean(axis=0) - gaussian.mean) < 5 * np.sqrt(np.diag(S) / n)).all()
    error = np.sqrt((S**2 + np.outer(np.diag(S), np.diag(S))) / n)
    assert (np.abs(np.cov(X, rowvar=False) - S) < 5 * error).all()
    np.testing.assert_array_equal(gaussian.sample(7, 3), gaussian.sample(7, np.random.default_rng(3)))


@pytest.mark.parametrize("n_std", [1.0, 2.0, 2.5])
def test_ellipse_lies_at_its_distance_and_holds_its_share(n_std):
    gaussian = seq.Gaussian([5.0, -1.0], [[4.0, -1.5], [-1.5, 1.0]])
    curve = gaussian.ellipse(n_std)
    L = np.linalg.cholesky(gaussian.covariance)

    def distance(X):
        return (np.linalg.solve(L, (X - gaussian.mean).T) ** 2).sum(axis=0)

    np.testing.assert_allclose(distance(curve), n_std**2)
    np.testing.assert_allclose(curve[0], curve[-1])
    assert np.ptp(np.unwrap(np.arctan2(*(curve - gaussian.mean).T))) == pytest.approx(2 * np.pi, rel=1e-6)
    share = (distance(gaussian.sample(20_000, rng=1)) <= n_std**2).mean()
    assert share == pytest.approx(chi2.cdf(n_std**2, 2), abs=0.015)


@pytest.mark.parametrize("D", [1, 3])
def test_gaussian_local_distance_is_minus_log_density_and_dtw_half_the_squared_one(D):
    """D(−log N) = ½ D(squared) + M_φ · (D/2) log 2π, and one path is best for both: M_φ depends on no path."""
    rng = np.random.default_rng(11)
    x, y = rng.normal(size=(7, D)), rng.normal(size=(9, D))
    table = np.array([-seq.log_density(x, v, np.eye(D)) for v in y]).T
    np.testing.assert_allclose(seq.local_distances(x, y, "gaussian"), table)
    constant = D / 2 * np.log(2 * np.pi)
    gaussian = seq.dtw(x, y, seq.SYMMETRIC2, distance="gaussian")
    squared = seq.dtw(x, y, seq.SYMMETRIC2, distance="squared")
    paid = seq.SYMMETRIC2.path_weight(len(x), len(y)) - 1  # the start cell is paid once, not m(1) = 2 times
    assert gaussian.distance == pytest.approx(squared.distance / 2 + paid * constant)
    np.testing.assert_array_equal(gaussian.path, squared.path)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: seq.Gaussian([0.0, 0.0], np.eye(3)), "mean has shape"),
        (lambda: seq.Gaussian([0.0, 0.0], [[1.0, 0.5], [0.4, 1.0]]), "not symmetric"),
        (lambda: seq.Gaussian([0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]]), "not positive definite"),
        (lambda: seq.Gaussian(0.0, 0.0), "not positive definite"),
        (lambda: seq.Gaussian(0.0, 1.0).ellipse(), "1 dimensions"),
        (lambda: seq.log_density(np.ones((4, 3)), np.zeros(2), np.eye(2)), "X has 3 features"),
        (lambda: seq.log_density(np.ones((4, 2)), np.zeros(2), np.eye(3)), "covariance.* has shape|covariance.*3, 3"),
        (lambda: seq.log_density(np.ones((4, 2)), np.zeros(2), np.ones((2, 3))), "covariance.*2, 3"),
        (lambda: seq.fit_gaussian(np.ones((3, 1))), r"^X has 3 points"),
        (lambda: seq.fit_gaussian(np.eye(3), "tied"), "covariance_type is 'tied'"),
        (lambda: seq.fit_gaussian([1.0, 2.0], prior=seq.NormalInverseWishart([0, 0], 1, np.eye(2), 3)), "2 features"),
        (lambda: seq.fit_gaussian([1.0], unbiased=True, min_variance=1.0), "only 1 points"),
        (
            lambda: seq.fit_gaussian([1.0, 3.0], unbiased=True, prior=seq.NormalInverseWishart(0.0, 1, 1.0, 3)),
            "unbiased",
        ),
        (lambda: seq.fit_gaussians([np.ones((3, 2)), np.ones((3, 1))]), r"groups\[1\] has 1 features"),
        (lambda: seq.NormalInverseWishart([0.0, 0.0], 1, np.eye(3), 5), "scale"),
        (lambda: seq.NormalInverseWishart([0.0, 0.0], 1, np.eye(2), 1), "degrees is 1"),
        (lambda: seq.NormalInverseWishart([0.0, 0.0], 1, -np.eye(2), 5), "scale"),
        (lambda: seq.NormalInverseWishart([0.0, 0.0], 1, [[1e-9, 5e-10], [0.0, 1e-9]], 5), "scale"),
        (lambda: seq.NormalInverseWishart.weak(np.array([[1.0, 2.0], [1.0, 3.0]])), r"X\[:, 0\] does not vary"),
    ],
)
def test_errors_name_the_argument(call, message):
    with pytest.raises(ValueError, match=message):
        call()
