"""Priors against quadrature, finite differences and scipy; parameters against the chain rule."""

import math
import re

import numpy as np
import pytest
import scipy.stats
from scipy.integrate import quad
from scipy.optimize import minimize_scalar

from course_lib.gp.kernels import Constant, Periodic, SquaredExponential, White
from course_lib.gp.parameters import Parametrized, positive_parameter
from course_lib.gp.priors import Fixed, Gamma, HalfStudentT, LogNormal, Normal, SmoothBox

PRIORS = {
    "HalfStudentT(6, 4)": (HalfStudentT(6), (0, np.inf)),
    "HalfStudentT(0.3, 1)": (HalfStudentT(0.3, 1), (0, np.inf)),
    "Gamma(3, 6)": (Gamma(3, 6), (0, np.inf)),
    "Gamma(1, 0.2)": (Gamma(1, 0.2), (0, np.inf)),
    "LogNormal(2, 0.7)": (LogNormal(2, 0.7), (0, np.inf)),
    "Normal(-0.4, 1.3)": (Normal(-0.4, 1.3), (-np.inf, np.inf)),
    "Normal(2, 0.1)": (Normal(2, 0.1), (1, 3)),
    "SmoothBox(-1, 3)": (SmoothBox(-1, 3), (-2, 4)),
    "SmoothBox(0.5, 0.7, 0.4)": (SmoothBox(0.5, 0.7, softness=0.4), (-10, 10)),
}
every_prior = pytest.mark.parametrize(("prior", "support"), PRIORS.values(), ids=PRIORS)
POINTS = np.array([0.05, 0.31, 0.6, 1.2, 2.9, 3.02, 5.0])


@every_prior
def test_density_integrates_to_one(prior, support):
    ends = [-1, 0.5, 0.7, 3] if isinstance(prior, SmoothBox) else None
    mass = quad(lambda x: math.exp(prior.log_density(x)[0]), *support, points=ends, limit=200)[0]
    assert mass == pytest.approx(1, abs=1e-7)


@every_prior
def test_slope_is_the_derivative(prior, support):
    up, down = prior.log_density(POINTS + 1e-6)[0], prior.log_density(POINTS - 1e-6)[0]
    np.testing.assert_allclose(prior.log_density(POINTS)[1], (up - down) / 2e-6, rtol=1e-5, atol=1e-6)


@every_prior
def test_one_number_and_an_array_agree(prior, support):
    density, slope = prior.log_density(POINTS)
    for x, d, s in zip(POINTS, density, slope, strict=True):
        assert prior.log_density(x) == (pytest.approx(d), pytest.approx(s))


def test_gamma_has_its_mode_where_it_should():
    found = minimize_scalar(lambda x: -Gamma(3, 6).log_density(x)[0], bounds=(0.01, 3), method="bounded").x
    assert found == pytest.approx(1 / 3, abs=1e-5)
    assert Gamma(3, 6).log_density(1 / 3)[1] == pytest.approx(0, abs=1e-12)


def test_agrees_with_scipy():
    gamma, log_normal = scipy.stats.gamma(3, scale=1 / 6), scipy.stats.lognorm(0.7, scale=2)
    np.testing.assert_allclose(Gamma(3, 6).log_density(POINTS)[0], gamma.logpdf(POINTS), rtol=1e-12)
    np.testing.assert_allclose(LogNormal(2, 0.7).log_density(POINTS)[0], log_normal.logpdf(POINTS), rtol=1e-12)
    points = np.concatenate([-POINTS, POINTS])
    normal = scipy.stats.norm(-0.4, 1.3).logpdf(points)
    np.testing.assert_allclose(Normal(-0.4, 1.3).log_density(points)[0], normal, rtol=1e-12)


def test_half_t_is_the_t_folded():
    peer = np.log(2) + scipy.stats.t(4, scale=6).logpdf(POINTS)
    np.testing.assert_allclose(HalfStudentT(6, 4).log_density(POINTS)[0], peer, rtol=1e-12)
    cauchy = scipy.stats.halfcauchy(scale=0.3).logpdf(POINTS)
    np.testing.assert_allclose(HalfStudentT(0.3, 1).log_density(POINTS)[0], cauchy, rtol=1e-12)


def test_box_is_flat_inside_and_gaussian_outside():
    box = SmoothBox(-1, 3, softness=0.1)
    density, slope = box.log_density(np.array([-1.0, 0.0, 3.0, 3.2]))
    np.testing.assert_allclose(density - density[0], [0, 0, 0, -2], atol=1e-12)
    np.testing.assert_allclose(slope, [0, 0, 0, -20], atol=1e-9)


def test_fixed_adds_nothing():
    density, slope = Fixed().log_density(POINTS)
    assert not density.any() and not slope.any()


@pytest.mark.parametrize(
    ("message", "call"),
    [
        ("scale is 0", lambda: HalfStudentT(0)),
        ("degrees is -1", lambda: HalfStudentT(1, -1)),
        ("concentration is nan", lambda: Gamma(math.nan, 1)),
        ("rate is inf", lambda: Gamma(1, math.inf)),
        ("median is 0", lambda: LogNormal(0, 1)),
        ("spread is '1'", lambda: LogNormal(1, "1")),
        ("mean is inf", lambda: Normal(math.inf, 1)),
        ("mean is nan", lambda: Normal(math.nan, 1)),
        ("mean is [0, 1]; a finite number is needed", lambda: Normal([0, 1], 1)),
        ("mean is '0'", lambda: Normal("0", 1)),
        ("mean is None", lambda: Normal(None, 1)),
        ("std is 0", lambda: Normal(0, 0)),
        ("std is nan", lambda: Normal(0, math.nan)),
        ("low is 2 and high 1", lambda: SmoothBox(2, 1)),
        ("high is inf", lambda: SmoothBox(0, math.inf)),
        ("softness is 0", lambda: SmoothBox(0, 1, softness=0)),
        ("variance is -1", lambda: positive_parameter(-1, "variance")),
        ("variance is nan", lambda: positive_parameter(np.array(math.nan), "variance")),
        ("variance has shape (2,); one number is needed", lambda: positive_parameter([1, 2], "variance")),
        ("ell has shape (1, 2); one number or (D,)", lambda: positive_parameter([[1, 2]], "ell", vector=True)),
        ("ell is [1.0, 0.0]; all its elements", lambda: positive_parameter([1, 0], "ell", vector=True)),
        ("ell[1] is inf", lambda: positive_parameter([1, math.inf], "ell", vector=True)),
        ("the prior of variance is 3; one such as", lambda: White().with_priors(variance=3)),
        ("'period' is no parameter of White; it has 'variance'", lambda: White().with_priors(period=Fixed())),
        ("is no parameter of Sum; it has none", lambda: (White() + Constant()).with_priors(variance=Fixed())),
        ("theta has shape (3,); (1,) is needed: ['variance']", lambda: White().with_theta([1, 2, 3])),
    ],
)
def test_errors_name_the_argument(message, call):
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


@pytest.mark.parametrize("prior", [prior for prior, _ in PRIORS.values()] + [Fixed()], ids=repr)
def test_repr_makes_the_prior_again(prior):
    again = eval(repr(prior))
    np.testing.assert_array_equal(again.log_density(POINTS)[0], prior.log_density(POINTS)[0])


# --- parameters -------------------------------------------------------------------------------------


class Mixed(Parametrized):
    """A real offset, a positive vector, and a part."""

    parameter_names = ("offset", "scale")
    signed_names = ("offset",)

    def __init__(self, offset, scale, *children):
        self.offset, self.scale, self.children = offset, scale, children


def test_real_parameters_enter_theta_as_they_are():
    mixed = Mixed(-2.0, np.array([1.0, math.e]), White(math.e**2))
    np.testing.assert_allclose(mixed.theta, [-2, 0, 1, 2])
    assert mixed.names == ["offset", "scale[0]", "scale[1]", "0.variance"]
    moved = mixed.with_theta([-3, 1, 0, 0])
    assert moved.offset == -3 and moved.children[0].variance == 1
    np.testing.assert_allclose(moved.scale, [math.e, 1])
    np.testing.assert_allclose(mixed.theta, [-2, 0, 1, 2])
    assert type(moved.offset) is float


MODELS = {
    "vector": SquaredExponential(1.7, [0.7, 1.3]).with_priors(lengthscale=HalfStudentT(6), variance=Gamma(3, 6)),
    "some without": SquaredExponential(1.7, 0.7).with_priors(lengthscale=LogNormal(1, 0.7)) + White(0.3),
    "some fixed": Periodic(1.7).with_priors(variance=Fixed(), period=SmoothBox(0.2, 0.8, 0.3)) * Constant(2.0),
    "real": Mixed(-2.0, np.array([0.5]), White(0.3).with_priors(variance=Gamma(2, 5))).with_priors(
        offset=SmoothBox(-1, 1, 0.4), scale=LogNormal(1, 0.5)
    ),
    "real, normal": Mixed(-2.0, np.array([0.5]), White(0.3)).with_priors(offset=Normal(0.5, 0.7)),
    "none": Constant(2.0),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)
def test_log_prior_follows_the_chain_rule(model):
    total, gradient = model.log_prior()
    assert gradient.shape == model.theta.shape and np.isfinite(total)
    for p, step in enumerate(1e-6 * np.eye(len(model.theta))):
        ends = [model.with_theta(model.theta + sign * step).log_prior()[0] for sign in (1, -1)]
        assert gradient[p] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-6)


def test_log_prior_is_the_density_of_the_parameter_itself():
    model = MODELS["vector"]
    expected = HalfStudentT(6).log_density(np.array([0.7, 1.3]))[0].sum() + Gamma(3, 6).log_density(1.7)[0]
    assert model.log_prior()[0] == pytest.approx(expected)
    assert Constant(2.0).log_prior()[0] == 0


def test_priors_stay_with_copies_and_do_not_reach_the_original():
    plain = SquaredExponential()
    first = plain.with_priors(variance=Fixed())
    both = first.with_priors(lengthscale=Gamma(3, 6))
    assert plain.priors == {} and set(first.priors) == {"variance"} and set(both.priors) == {"variance", "lengthscale"}
    assert both.with_theta([0.4]).priors is both.priors and both.names == ["lengthscale"]
