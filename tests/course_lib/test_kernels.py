"""Kernels against formulas written out pair by pair, finite differences, quadrature, enumeration."""

import copy
import math
import pickle
import re
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.integrate import quad

from course_lessons.gp_regression.probability_product import ProbabilityProduct, gaussian_rows
from course_lib import gp
from course_lib.gp import (
    Constant,
    Kernel,
    Linear,
    Mahalanobis,
    Matern32,
    Periodic,
    Product,
    SquaredExponential,
    Sum,
    White,
)
from course_lib.gp.priors import Fixed, Gamma, HalfStudentT, LogNormal

D = 3
ELL = np.array([0.7, 1.3, 2.1])
R = np.array([[1, 0.5, 0.2], [0.5, 1, 0.5], [0.2, 0.5, 1]])  # Nielsen, Jensen, Hansen & Larsen (2013), eq. 4
SE = SquaredExponential(1.7, 0.9)


# --- the kernels, and the same written out for one pair of different items --------------------------


def squared(ell):
    return lambda x, y: sum(((x - y) / ell) ** 2)


def se(variance, ell):
    return lambda x, y: variance * math.exp(-0.5 * squared(ell)(x, y))


def mahalanobis(variance, ell):
    inner = np.linalg.inv(np.diag(np.broadcast_to(ell, D)) @ R @ np.diag(np.broadcast_to(ell, D)))
    return lambda x, y: variance * math.exp(-0.5 * (x - y) @ inner @ (x - y))


def matern32(variance, ell):
    def k(x, y):
        r = math.sqrt(squared(ell)(x, y))
        return variance * (1 + math.sqrt(3) * r) * math.exp(-math.sqrt(3) * r)

    return k


def periodic(variance, ell, period):
    return lambda x, y: variance * math.exp(-2 * sum(np.sin(np.pi * abs(x - y) / period) ** 2) / ell**2)


@dataclass
class Case:
    """A kernel, its covariance of two different items, and what an item has with itself beyond that."""

    kernel: Kernel
    formula: object
    alone: object = staticmethod(lambda x: 0.0)


CASES = {
    "SE": Case(SE, se(1.7, 0.9)),
    "SE, ARD": Case(SquaredExponential(1.7, ELL), se(1.7, ELL)),
    "Mahalanobis": Case(Mahalanobis(0.8, 0.9, correlation=R), mahalanobis(0.8, 0.9)),
    "Mahalanobis, ARD": Case(Mahalanobis(0.8, ELL, correlation=R), mahalanobis(0.8, ELL)),
    "Matern32": Case(Matern32(1.7, 0.9), matern32(1.7, 0.9)),
    "Matern32, ARD": Case(Matern32(1.7, ELL), matern32(1.7, ELL)),
    "Periodic": Case(Periodic(1.7, 0.9, 1.9), periodic(1.7, 0.9, 1.9)),
    "Linear": Case(Linear(0.6), lambda x, y: 0.6 * sum(x * y)),
    "Linear, ARD": Case(Linear([0.6, 0.2, 1.4]), lambda x, y: sum(np.array([0.6, 0.2, 1.4]) * x * y)),
    "Constant": Case(Constant(1.2), lambda x, y: 1.2),
    "White": Case(White(0.3), lambda x, y: 0.0, lambda x: 0.3),
    "sum": Case(SE + Linear(0.6) + White(0.3), lambda x, y: se(1.7, 0.9)(x, y) + 0.6 * x @ y, lambda x: 0.3),
    "product": Case(
        SE * Linear(0.6) * Matern32(), lambda x, y: se(1.7, 0.9)(x, y) * 0.6 * x @ y * matern32(1, 1)(x, y)
    ),
    "number times sum times kernel": Case(
        2.5 * (SE + White(0.3)) * Linear(0.6),
        lambda x, y: 2.5 * se(1.7, 0.9)(x, y) * 0.6 * x @ y,
        lambda x: 2.5 * 0.3 * 0.6 * x @ x,
    ),
    "on columns": Case(
        Matern32(1.7, ELL[:2]).on([2, 0]) + Linear(0.6).on(1),
        lambda x, y: matern32(1.7, ELL[:2])(x[[2, 0]], y[[2, 0]]) + 0.6 * x[1] * y[1],
    ),
    "fixed": Case(
        SquaredExponential(1.7, ELL).with_priors(variance=Fixed())
        * Periodic(1.0, 0.9, 1.9).with_priors(period=Fixed()),
        lambda x, y: se(1.7, ELL)(x, y) * periodic(1, 0.9, 1.9)(x, y),
    ),
    "all fixed": Case(Constant(1.2).with_priors(variance=Fixed()), lambda x, y: 1.2),
    "with priors": Case(
        SE.with_priors(lengthscale=HalfStudentT(6), variance=Gamma(3, 6))
        + White(0.3).with_priors(variance=LogNormal(1, 1)),
        se(1.7, 0.9),
        lambda x: 0.3,
    ),
}
every_kernel = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@pytest.fixture
def rng():
    return np.random.default_rng(5)


@pytest.fixture
def X(rng):
    return rng.normal(size=(7, D))


@pytest.fixture
def X2(rng):
    return rng.normal(loc=0.4, size=(5, D))


def slope(function, x, step=1e-5):
    """Central differences of a number in every element of x."""
    x = np.asarray(x, dtype=float)
    gradient = np.empty(x.shape)
    for at in np.ndindex(x.shape):
        ends = []
        for sign in (1, -1):
            moved = x.copy()
            moved[at] += sign * step
            ends.append(function(moved))
        gradient[at] = (ends[0] - ends[1]) / (2 * step)
    return gradient


def close(actual, expected):
    assert np.shape(actual) == np.shape(expected)
    np.testing.assert_allclose(actual, expected, rtol=1e-6, atol=1e-7)


# --- values -----------------------------------------------------------------------------------------


@every_kernel
def test_follows_its_formula(case, X, X2):
    between = [[case.formula(x, y) for y in X2] for x in X]
    np.testing.assert_allclose(case.kernel(X, X2), between, atol=1e-12)
    np.testing.assert_array_equal(case.kernel.cross(X, X2), case.kernel(X, X2))
    variances = [case.formula(x, x) + case.alone(x) for x in X]
    np.testing.assert_allclose(case.kernel.diagonal(X), variances, atol=1e-12)
    among = np.array([[case.formula(x, y) for y in X] for x in X]) + np.diag([case.alone(x) for x in X])
    np.testing.assert_allclose(case.kernel(X), among, atol=1e-12)


@every_kernel
@pytest.mark.parametrize("items", ["apart", "in line", "twice", "far away", "one"])
def test_is_symmetric_and_positive_semidefinite(case, items, X):
    X = {
        "apart": X,
        "in line": np.outer(np.arange(6.0), [1, 2, -1]),
        "twice": np.vstack([X, X[::2]]),
        "far away": X * 1e-3 + 1e4,
        "one": X[:1],
    }[items]
    K = case.kernel(X)
    assert K.shape == (len(X), len(X))
    np.testing.assert_allclose(K, K.T, rtol=1e-12, atol=1e-14)
    assert np.linalg.eigvalsh(K).min() > -1e-8 * max(1, K.max())


def test_limits_that_connect_the_kernels(X, X2):
    uncorrelated = Mahalanobis(1.7, ELL, correlation=np.eye(D))
    np.testing.assert_allclose(uncorrelated(X, X2), SquaredExponential(1.7, ELL)(X, X2), atol=1e-14)


def test_the_white_kernel_separates_items_with_equal_inputs():
    X = np.zeros((3, 1))
    np.testing.assert_array_equal(White(0.3)(X), 0.3 * np.eye(3))
    np.testing.assert_array_equal(White(0.3)(X, X), np.zeros((3, 3)))


def test_rounding_never_makes_a_covariance_larger_than_the_variance(rng):
    X = rng.normal(size=(50, 4))
    for kernel in (SquaredExponential(1.7, 1e-4), Matern32(1.7, 1e-4)):
        K = kernel.cross(X, X)
        assert np.isfinite(K).all() and K.max() <= 1.7 * (1 + 1e-15)


# --- gradients --------------------------------------------------------------------------------------


@every_kernel
def test_slopes_in_theta(case, X, X2, rng):
    k, theta = case.kernel, case.kernel.theta
    W, w, V = rng.normal(size=(7, 5)), rng.normal(size=7), rng.normal(size=(7, 7))
    close(k.cross_gradient(X, X2, W), slope(lambda t: np.sum(W * k.with_theta(t).cross(X, X2)), theta))
    close(k.diagonal_gradient(X, w), slope(lambda t: np.sum(w * k.with_theta(t).diagonal(X)), theta))
    close(k.gradient(X, V), slope(lambda t: np.sum(V * k.with_theta(t)(X)), theta))


@every_kernel
def test_slopes_in_inputs(case, X, X2, rng):
    k, W, w = case.kernel, rng.normal(size=(7, 5)), rng.normal(size=7)
    close(k.input_gradient(X, X2, W), slope(lambda x: np.sum(W * k.cross(x, X2)), X))
    close(k.diagonal_input_gradient(X, w), slope(lambda x: np.sum(w * k.diagonal(x)), X))


@every_kernel
def test_gradients_are_finite_where_items_coincide(case, X):
    X, W = np.vstack([X, X]), np.ones((14, 14))
    k = case.kernel
    close(k.gradient(X, W), slope(lambda t: k.with_theta(t)(X).sum(), k.theta))
    assert np.isfinite(k.input_gradient(X, X, W)).all()


STATIONARY = (
    "SE",
    "SE, ARD",
    "Mahalanobis, ARD",
    "Matern32",
    "Matern32, ARD",
    "Periodic",
)


@pytest.mark.parametrize("name", STATIONARY)
def test_only_differences_matter_even_far_from_the_origin(name, X, rng):
    kernel, W = CASES[name].kernel, rng.normal(size=(7, 7))
    np.testing.assert_allclose(kernel(X + 1e6), kernel(X), atol=1e-7)
    np.testing.assert_allclose(kernel.gradient(X + 1e6, W), kernel.gradient(X, W), atol=1e-7)


@pytest.mark.parametrize("kernel", [Matern32, SquaredExponential, Periodic])
def test_the_slope_of_a_smooth_kernel_is_zero_at_its_top(kernel):
    X = np.array([[0.3, -0.2]])
    np.testing.assert_allclose(kernel().input_gradient(X, X, np.ones((1, 1))), np.zeros((1, 2)), atol=1e-12)


@pytest.mark.parametrize(
    "kernel",
    [
        SquaredExponential(1.7, [0.9]),
        Mahalanobis(1.7, 0.9, correlation=[[1.0]]),
        Periodic(),
        Linear() + White(),
    ],
)
def test_one_item_in_one_dimension(kernel):
    for x in (np.array([0.4]), np.array([[0.4]])):
        assert kernel(x).shape == (1, 1)
        close(
            kernel.gradient(x, [[2.0]]),
            slope(lambda t: 2 * kernel.with_theta(t)(np.array([0.4])).item(), kernel.theta),
        )


# --- parameters -------------------------------------------------------------------------------------


@every_kernel
def test_theta_goes_in_and_out(case, X, rng):
    k = case.kernel
    assert len(k.names) == len(k.theta) == len(set(k.names))
    np.testing.assert_allclose(k.with_theta(k.theta)(X), k(X), rtol=1e-12)
    before, theta = k(X), rng.normal(size=len(k.theta))
    moved = k.with_theta(theta)
    np.testing.assert_allclose(moved.theta, theta, atol=1e-14)
    assert moved.names == k.names and repr(moved).split("(")[0] == repr(k).split("(")[0]
    np.testing.assert_array_equal(k(X), before)


def test_names_follow_theta():
    kernel = 2.5 * SquaredExponential(1.7, [0.7, 1.3]).with_priors(variance=Fixed()) + Linear(0.6).on(0)
    assert kernel.names == ["0.0.variance", "0.1.lengthscale[0]", "0.1.lengthscale[1]", "1.0.variance"]
    np.testing.assert_allclose(np.exp(kernel.theta), [2.5, 0.7, 1.3, 0.6])
    assert repr(kernel) == (
        "Sum(Product(Constant(variance=2.5), SquaredExponential(variance=1.7, lengthscale=[0.7, 1.3])), "
        "Linear(variance=0.6).on([0]))"
    )


def test_fixed_parameters_stay_and_have_no_slope(X, rng):
    free, W = SquaredExponential(1.7, ELL), rng.normal(size=(7, 7))
    fixed = free.with_priors(lengthscale=Fixed())
    assert fixed.names == ["variance"]
    np.testing.assert_array_equal(fixed.with_theta([0.5]).lengthscale, ELL)
    np.testing.assert_allclose(fixed.gradient(X, W), free.gradient(X, W)[:1])


def test_sums_and_products_are_flat():
    a, b, c, d = SE, Linear(), White(), Matern32()
    assert len(((a + b) + (c + d)).children) == len(Sum(a, Sum(b, c), d).children) == 4
    assert len(((a * b) * (c * d)).children) == 4
    assert [type(part) for part in (a * b + c * d).children] == [Product, Product]
    assert [type(part) for part in ((a + b) * (c + d)).children] == [Sum, Sum]


@pytest.mark.parametrize("number", [2, 2.5, np.float64(2.5), np.float32(2.5)])
def test_a_number_on_either_side_scales(number, X):
    for kernel in (number * SE, SE * number):
        assert isinstance(kernel, Product)
        np.testing.assert_allclose(kernel(X), float(number) * SE(X))


# --- distributions as inputs ------------------------------------------------------------------------


def density(x, mean, variance):
    return math.exp(-0.5 * (x - mean) ** 2 / variance) / math.sqrt(2 * math.pi * variance)


def overlap(p, q, power):
    """∫ p^ρ q^ρ of two Gaussians on a line, by quadrature."""
    both = [*p, *q]
    reach = 40 * math.sqrt(max(both[1::2]) / power)
    return quad(
        lambda x: density(x, *p) ** power * density(x, *q) ** power,
        min(both[::2]) - reach,
        max(both[::2]) + reach,
        points=both[::2],
        limit=500,
    )[0]


@pytest.mark.parametrize("power", [0.3, 0.5, 1.0, 1.7])
def test_probability_product_is_the_integral_on_a_line(power):
    P, Q = [[0.0, 1.0], [1.5, 0.3]], [[0.4, 2.0], [-1.0, 0.7], [0.0, 1.0]]
    kernel = ProbabilityProduct(1.3, power)
    np.testing.assert_allclose(kernel(P, Q), [[1.3 * overlap(p, q, power) for q in Q] for p in P], rtol=1e-7)
    np.testing.assert_allclose(kernel.diagonal(np.array(P)), [1.3 * overlap(p, p, power) for p in P], rtol=1e-7)


@pytest.mark.parametrize("power", [0.5, 0.8])
def test_probability_product_in_the_plane(power):
    p, q = ([0.3, -0.5], [1.2, 0.4]), ([-0.2, 0.6], [0.5, 0.9])
    sides = [overlap((p[0][d], p[1][d]), (q[0][d], q[1][d]), power) for d in range(2)]
    diag = ProbabilityProduct(1.3, power)([[*p[0], *p[1]]], [[*q[0], *q[1]]])
    np.testing.assert_allclose(diag, [[1.3 * sides[0] * sides[1]]], rtol=1e-7)


@pytest.fixture
def gaussians(rng):
    @dataclass
    class Blob:
        mean: np.ndarray
        covariance: np.ndarray

    def blob():
        A = rng.normal(size=(D, D))
        return Blob(rng.normal(size=D), A @ A.T + 0.3 * np.eye(D))

    return [blob() for _ in range(6)]


@pytest.mark.parametrize("power", [0.5, 1.2])
def test_probability_product_is_a_kernel(gaussians, power, rng):
    rows = gaussian_rows(gaussians)
    kernel, V = ProbabilityProduct(1.3, power) * 2.0 + White(0.2), rng.normal(size=(6, 6))
    K = kernel(rows)
    np.testing.assert_allclose(K, K.T, rtol=1e-12)
    assert np.linalg.eigvalsh(K).min() > -1e-8
    close(kernel.gradient(rows, V), slope(lambda t: np.sum(V * kernel.with_theta(t)(rows)), kernel.theta))


def test_equal_distributions_have_the_full_variance_at_one_half(gaussians):
    K = ProbabilityProduct(1.3, 0.5)(gaussian_rows(gaussians))
    np.testing.assert_allclose(np.diagonal(K), 1.3, rtol=1e-12)
    assert (K - np.diag(np.diagonal(K))).max() < 1.3


@pytest.mark.parametrize("power", [0.5, 1.2])
def test_slopes_in_means_and_variances(gaussians, power, rng):
    rows, kernel = gaussian_rows(gaussians), ProbabilityProduct(1.3, power)
    X, X2, W, w = rows[:4], rows[2:], rng.normal(size=(4, 4)), rng.normal(size=4)
    close(kernel.input_gradient(X, X2, W), slope(lambda x: np.sum(W * kernel.cross(x, X2)), X))
    close(kernel.diagonal_input_gradient(X, w), slope(lambda x: np.sum(w * kernel.diagonal(x)), X))


def test_gaussian_rows_keep_what_they_are_asked_to(gaussians):
    g = gaussians[0]
    np.testing.assert_array_equal(gaussian_rows([g])[0], [*g.mean, *np.diag(g.covariance)])


# --- errors -----------------------------------------------------------------------------------------

GRID = np.arange(6.0).reshape(2, 3)
WRONG = {
    "correlation has shape (1, 2)": lambda: Mahalanobis(correlation=[[1, 0.5]]),
    "correlation is not symmetric": lambda: Mahalanobis(correlation=[[1, 0.5], [0.4, 1]]),
    "correlation has the diagonal [1.0, 2.0]": lambda: Mahalanobis(correlation=[[1, 0], [0, 2]]),
    "correlation is not positive definite: its smallest eigenvalue is -1": lambda: Mahalanobis(
        correlation=[[1, 2], [2, 1]]
    ),
    "correlation has shape (2, 2), but X has 3 columns": lambda: Mahalanobis(correlation=np.eye(2))(GRID),
    "lengthscale has 2 elements, but X has 3 columns": lambda: SquaredExponential(1.0, [1, 2])(GRID),
    "variance has 2 elements, but X has 3 columns": lambda: Linear([1, 2])(GRID),
    "lengthscale has 2 elements, but X[:, [0]] has 1 columns": lambda: (SE + Matern32(1, [1, 2]).on(0))(GRID),
    "columns is [3], but X has only 3 columns": lambda: SE.on(3)(GRID),
    "columns[0] is -1": lambda: SE.on(-1),
    "columns is [1, 1]": lambda: SE.on([1, 1]),
    "X2 has 2 columns, but X has 3": lambda: SE(GRID, GRID[:, :2]),
    "weights has shape (2, 3); (2, 2) is needed": lambda: SE.gradient(GRID, np.ones((2, 3))),
    "kernels[1] is 3": lambda: Sum(SE, 3),
    "kernels is empty": lambda: Product(),
    "the factor of a kernel is -2": lambda: -2 * SE,
    "theta has shape (1,); (2,) is needed": lambda: SE.with_theta([0.0]),
    "'period' is no parameter of SquaredExponential": lambda: SE.with_priors(period=Fixed()),
    "X has 3 columns; 2 D are needed": lambda: ProbabilityProduct()(GRID),
    "X[1] has the variances [0.0]; all must be above 0": lambda: ProbabilityProduct()([[1.0, 1.0], [1.0, 0.0]]),
}


@pytest.mark.parametrize(("message", "call"), WRONG.items(), ids=WRONG)
def test_errors_name_the_argument(message, call):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_gaussians_must_fit_together(gaussians):
    gaussians[1].covariance = np.eye(2)
    with pytest.raises(ValueError, match=re.escape("gaussians[1] has a mean of shape (3,)")):
        gaussian_rows(gaussians)
    gaussians[1].mean = np.zeros(2)
    with pytest.raises(ValueError, match="gaussians must be rectangular"):
        gaussian_rows(gaussians)


@pytest.mark.parametrize("factor", [np.array(2.0), np.ones(2), "2", None])
def test_only_numbers_scale_a_kernel(factor):
    with pytest.raises(TypeError):
        factor * SE


@pytest.mark.parametrize("other", [3, "kernel", None])
def test_what_is_no_kernel_cannot_be_added(other):
    with pytest.raises(TypeError):
        SE + other


def test_numbers_alone_are_one_column():
    np.testing.assert_array_equal(SE([1.0, 2.0]), SE([[1.0], [2.0]]))


# ------------------------------------------------------------------------------------------------------------ equality


def test_kernels_are_equal_if_all_that_they_hold_is():
    kernel = gp.SquaredExponential(2.0, [1.0, 3.0]) * gp.Matern32().on([0, 1]) + gp.White(0.1)
    same = gp.SquaredExponential(2.0, [1.0, 3.0]) * gp.Matern32().on([0, 1]) + gp.White(0.1)
    assert kernel == same and hash(kernel) == hash(same)
    assert kernel.with_theta(kernel.theta + 1.0) != kernel
    assert pickle.loads(pickle.dumps(kernel)) == kernel == copy.deepcopy(kernel)
    assert gp.SquaredExponential() != gp.Matern32() and gp.SquaredExponential() != "SquaredExponential()"
    assert gp.Matern32().on([0]) != gp.Matern32().on([1])
    gamma = gp.SquaredExponential().with_priors(variance=gp.Gamma(3, 6))
    assert gamma == gp.SquaredExponential().with_priors(variance=gp.Gamma(3, 6))
    assert gamma != gp.SquaredExponential().with_priors(variance=gp.Gamma(3, 7)) and gamma != gp.SquaredExponential()
    assert gp.Ordinal(3) == gp.Ordinal(3) != gp.Ordinal(4)
