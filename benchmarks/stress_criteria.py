"""When is an answer of the engine right? Gaussian answers: if it is that of fifty digits. Else each rule has its own.

Laplace: its mode is one, and the evidence that of this mode. EP: cavity times likelihood has the moments of
the posterior, by quadrature. Variational: the sites are the averages that they must be, and the bound is below the
truth. The posterior of the sites, and the evidence from them, are computed with fifty digits each time.
"""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from benchmarks import fifty_digits as fifty
from benchmarks import stress_oracles as oracles
from course_lib import gp
from course_lib.gp.sites import symmetric_root

SHARE = 0.01  # of a standard deviation: what means and standard deviations may be off
ROUNDING = 2e-7  # of the values' prior one: where variances are rounding, or the least jitter (1e-14) of a difference
NATS, DIGITS = 0.01, 1e-6  # what the evidence may be off, and of its size
KNOWN = Decimal("1e-40")  # of the prior variance: that of a view which cannot vary
STEPS = 1e-4, 1e-3, 5e-3  # of θ, for differences of the evidence
ROUNDS, REST = 50, 1e-7  # of Newton's method; standard deviations that it may still move
FAINT = 1e-20  # of the mean variance, on the diagonal of inducing inputs that determine each other


@dataclass(frozen=True)
class Check:
    """What was looked at, and how far off it is in units of what is allowed: right up to 1."""

    what: str
    off: float


class Case:
    """A setting as dense algebra: items and new inputs together, with fifty digits.

    K : (n + q, n + q) prior covariance;  A : (m, n + q) views;  open : (m,) variance that inducing inputs leave open
    jitter : what the model says that it added to the inducing inputs' covariance: their values are f's and that noise
    rounded : whether to take the engine's own kernel matrix, jitter and all, in place of the exact one
    """

    def __init__(self, setting, jitter=0.0, rounded=False):
        self.setting, observations = setting, setting.observations
        self.jitter = jitter
        self.y, self.likelihood, views = observations.y, observations.likelihood, observations.views
        self.n, self.X = len(observations.X), np.concatenate([observations.X, setting.X_new])
        self.A = np.zeros((len(views), len(self.X)), dtype=int)
        self.A[np.arange(len(views)), views.plus] += 1
        differ = np.flatnonzero(views.minus >= 0)
        self.A[differ, views.minus[differ]] -= 1  # 0 for two items with equal inputs
        self.rounded = rounded
        self.full = self._covariance()
        self.scale = float(np.sqrt(fifty.doubles(self.full.diagonal()[: self.n]).mean()))
        self.K, self.open = (self.full, fifty.exact(np.zeros(len(views)))) if setting.places is None else self._told()

    @fifty.fifty
    def _covariance(self):
        """Of all items, with fifty digits; or as the engine has it."""
        if not self.rounded:
            return fifty.covariance(self.setting.kernel, self.X)
        jitter = np.where(np.arange(len(self.X)) < self.n, self.jitter, 0.0)
        return fifty.exact(self.setting.kernel(self.X)) + fifty.exact(np.diag(jitter))

    @fifty.fifty
    def _told(self):
        """(K, open) with inducing inputs: what they say of the items, what is an item's own, what stays open.

        Those that nearly determine each other are what the engine's doubles make of them: the bound holds for any.
        With a jitter ε, K_Z + ε² K_Z⁻¹ is said to stand for K_Z.
        """
        Z, kernel = self.setting.places, self.setting.kernel
        K_Z, cross = fifty.exact(np.tril(kernel.cross(Z, Z))), fifty.exact(kernel.cross(self.X, Z))
        K_Z = K_Z + K_Z.T - np.diag(K_Z.diagonal())  # both halves differ by rounding, which the inverse makes large
        cut = self.jitter or FAINT * float(K_Z.diagonal().sum()) / len(Z)
        told = cross @ fifty.solve(K_Z @ K_Z + fifty.exact(cut * np.eye(len(Z))) * fifty.exact(cut), K_Z @ cross.T)[0]
        smooth, A, n = fifty.covariance(kernel, self.X, self.X), fifty.exact(self.A), self.n
        own = (self.full if self.setting.inference == "fitc" else self.full - smooth + told) - told
        K = told + fifty.exact(np.eye(len(self.X))) * own
        K[n:, n:] = self.full[n:, n:]
        if self.setting.inference == "fitc":
            return K, fifty.exact(np.zeros(len(A)))
        return K, np.maximum(((A @ (smooth - told)) * A).sum(axis=1), 0)

    @fifty.fifty
    def views(self, posterior):
        """Means and variances (m,) of the views; a difference of equal inputs is known, but divided by as well."""
        mean, variance = fifty.of_views(self.A, posterior)
        return mean, np.maximum(variance, KNOWN * fifty.exact(self.scale**2))

    def posterior(self, tau, nu):
        """Of the sites, with fifty digits."""
        return fifty.Posterior(self.K, self.A, tau, nu)

    @cached_property
    def noises(self):
        """(m,) σ of Gaussian answers."""
        if isinstance(self.likelihood, gp.observations.BlockLikelihood):
            parts = zip(self.likelihood.children, np.split(self.y, self.likelihood.ends), strict=True)
            return np.concatenate([_noises(child, len(y)) for child, y in parts])
        return _noises(self.likelihood, len(self.y))

    @fifty.fifty
    def gaussian(self):
        """(log evidence, posterior) where the answers' noise is Gaussian."""
        warped = isinstance(self.likelihood, gp.WarpedGaussian)
        z = ndtri(self.y) if warped else self.y
        tau = 1 / fifty.exact(self.noises) ** 2
        posterior = self.posterior(tau, tau * fifty.exact(z))
        fit = tau @ fifty.exact(z) ** 2 - (tau * fifty.exact(z)) @ self.views(posterior)[0]
        shape = fifty.log(tau).sum() - posterior.log_determinant - tau @ self.open
        jacobian = (0.5 * z**2 + 0.5 * np.log(2 * np.pi)).sum() if warped else 0.0
        return float(shape - fit) / 2 - 0.5 * len(z) * np.log(2 * np.pi) + jacobian, posterior


def _noises(likelihood, m):
    return np.full(m, likelihood.noise_std) if likelihood.groups is None else likelihood.noise_std[likelihood.groups]


@dataclass(frozen=True)
class Said:
    """What a model says.

    evidence; tau, nu : (m,) its sites; moments : {of what: (means, standard deviations)}; mean : of its items
    jitter : what it added to a covariance;  slope : what comes of its slope, a Check or none
    """

    evidence: float
    tau: np.ndarray
    nu: np.ndarray
    moments: dict
    mean: np.ndarray
    jitter: float
    slope: list


def said(setting, model):
    """All that is looked at of a fitted model.

    With "fitc" what inducing inputs leave open counts as noise, so that the model does not speak of the items' values.
    """
    found, own = model.approximation_, model.approximation_.posterior
    mean, covariance = model.predict_latent(setting.X_new, return_cov=True)
    moments = {
        "new": model.predict_latent(setting.X_new),
        "new by covariance": (mean, _root(covariance.diagonal())),
        "difference": model.predict_difference(setting.X_new, setting.pairs),
    }
    if setting.inference != "fitc":
        moments["view"] = own.marginals[0], _root(own.marginals[1])
    if setting.places is None:
        moments["item"] = own.mean, _root(own.covariance.diagonal())
    slope = list(_slope(setting, model))
    return Said(model.log_evidence_, found.tau, found.nu, moments, own.mean, model.jitter_, slope)


def _slope(setting, model):
    """The gradient that learning climbs, in one direction, beside differences of the evidence; none without learning.

    The step is the shortest at which the evidence's own rounding is within what is allowed, for some evidence bends
    within a hundredth of θ. Where a jitter is needed, it may be another at the next θ: the evidence may jump by what
    it costs.
    """
    theta = np.concatenate([model.kernel_.theta, model.likelihood_.theta])
    direction = np.random.default_rng(setting.number).choice([-1.0, 1.0], size=len(theta))
    try:
        value, gradient = model.evidence_at(theta)
        rounding = model.jitter_ * np.abs(model.approximation_.tau).sum() + 0.01 * DIGITS * abs(value)
        allowed = SHARE * np.abs(gradient).sum() + NATS
        step = next((step for step in STEPS if rounding / step <= allowed), STEPS[-1])
        values = [[model.evidence_at(theta + k * step * direction)[0] for k in (-j, j)] for j in (1, 2)]
    except np.linalg.LinAlgError:
        return
    near, far = ((high - low) / (2.0 * j * step) for j, (low, high) in enumerate(values, start=1))
    error = allowed + abs(near - far) + rounding / step
    yield Check("slope of the evidence", _off(gradient @ direction - (4.0 * near - far) / 3.0, error))


def _root(variance):
    return np.sqrt(np.maximum(variance, 0.0))


def checks(setting, says, rounded=False):
    """List of Check: all that a model says, beside what it should say."""
    case = Case(setting, says.jitter, rounded)
    if setting.gaussian:
        evidence, posterior = case.gaussian()
        return [_evidence(says, evidence), *_moments(case, says, posterior), *says.slope]
    return [*RULES[setting.inference](case, says), *says.slope]


def _evidence(says, wanted):
    return Check("evidence", _off(says.evidence - wanted, NATS + DIGITS * abs(wanted)))


def _off(difference, allowed):
    """The largest |difference| / allowed; infinite where it is no number."""
    off = np.max(np.abs(difference) / allowed)
    return float(off) if np.isfinite(off) else np.inf


def _moments(case, says, posterior):
    """Means and standard deviations of views, items, new inputs and their differences."""
    n, identity, pairs = case.n, np.eye(len(case.X), dtype=int), case.setting.pairs + case.n
    rows = {
        "view": case.A,
        "item": identity[:n],
        "new": identity[n:],
        "new by covariance": identity[n:],
        "difference": identity[pairs[:, 1]] - identity[pairs[:, 0]],
    }
    for name, (mean, std) in says.moments.items():
        true_mean, variance = fifty.of_views(rows[name], posterior)
        true_mean = true_mean + fifty.exact(case.setting.offset * name.startswith("new"))
        true_std = _root(fifty.doubles(variance + case.open if name == "view" else variance))
        allowed = SHARE * true_std + ROUNDING * case.scale
        yield Check(f"mean of {name}", _off(mean - fifty.doubles(true_mean), allowed))
        yield Check(f"sd of {name}", _off(std - true_std, allowed))


def _laplace(case, says):
    """Newton's method with fifty digits, from the engine's mode: it stays there, and the height curves downwards."""
    g, moved = says.moments["view"][0], np.inf
    for _ in range(ROUNDS):
        _, slope, bend, _ = case.likelihood.derivatives(case.y, g)
        posterior = case.posterior(-bend, slope - bend * g)
        mean, variance = map(fifty.doubles, case.views(posterior))
        moved, g = np.max(np.abs(mean - g) / np.sqrt(variance)), mean
        if moved < REST:
            break
    yield Check("distance to a mode", moved / REST)
    root = symmetric_root(fifty.doubles(case.K)) @ case.A.T
    least = np.linalg.eigvalsh(np.eye(len(root)) - (root * bend) @ root.T)[0]
    yield Check("curvature at the mode", 0.0 if least > 0 else np.inf)
    height = oracles.log_density(case.likelihood, case.y, g).sum() - 0.5 * float(posterior.quadratic)
    yield _evidence(says, height - 0.5 * float(posterior.log_determinant))
    yield from _moments(case, says, posterior)


def _ep(case, says):
    """Sites whose cavities, times the likelihood, have the posterior's moments; and the evidence of such sites."""
    posterior, cavity, site = _cavities(case, says.tau, says.nu)
    if not (cavity[1] > 0).all():
        yield Check("variance of cavities", np.inf)
        return
    mean, variance = (fifty.doubles(part) for part in case.views(posterior))
    sharp = oracles.place(case.likelihood, case.y)
    log_Z, first, second = oracles.tilted_moments(
        lambda g: oracles.log_density(case.likelihood, case.y, g), *cavity, sharp
    )
    yield Check("moments of cavity × likelihood", _off(first - mean, SHARE * np.sqrt(variance)))
    yield Check("spread of cavity × likelihood", _off(np.sqrt(second / variance) - 1.0, SHARE))
    yield _evidence(says, float(log_Z.sum()) + site)
    yield from _moments(case, says, posterior)


@fifty.fifty
def _cavities(case, tau, nu):
    """(posterior, cavities' (mean, variance), log ∫ prior × sites − Σ log ∫ cavity × site)."""
    posterior, t, s = case.posterior(tau, nu), fifty.exact(tau), fifty.exact(nu)
    mean, variance = case.views(posterior)
    precision = 1 / variance - t
    m = (mean / variance - s) / precision
    with_site = (mean**2 / variance - m**2 * precision + fifty.log(np.abs(variance * precision))) / 2
    total = (s @ mean - posterior.log_determinant) / 2 - with_site.sum()
    return posterior, (fifty.doubles(m), fifty.doubles(1 / precision)), float(total)


def _variational(case, says):
    """Sites that are averages over q; the bound by quadrature, and below the truth."""
    posterior, mean, variance, divergence = _divergence(case, says.tau, says.nu)
    level, slope, bend = oracles.gaussian_averages(case.likelihood, case.y, mean, variance)
    std, found = np.sqrt(variance), says.nu - says.tau * mean
    yield Check("slope of the bound", _off((slope - found) * std, SHARE + DIGITS * np.abs(found) * std))
    yield Check("curvature of the bound", _off((bend + says.tau) * variance, SHARE + DIGITS * says.tau * variance))
    yield _evidence(says, float(level.sum()) - divergence)
    yield from _moments(case, says, posterior)
    truth = oracles.true_evidence(
        fifty.doubles(case.full)[: case.n, : case.n],
        case.A[:, : case.n],
        case.y,
        case.likelihood,
        says.tau,
        says.nu,
        np.random.default_rng(case.setting.number),
    )
    if truth is not None:
        above = max(0.0, says.evidence - truth[0])
        yield Check("bound above the truth", above / (NATS + DIGITS * abs(truth[0]) + truth[1]))


@fifty.fifty
def _divergence(case, tau, nu):
    """(posterior, means and variances of the views with what is open, KL from the prior)."""
    posterior = case.posterior(tau, nu)
    mean, variance = case.views(posterior)
    divergence = (posterior.quadratic - fifty.exact(tau) @ variance + posterior.log_determinant) / 2
    return posterior, fifty.doubles(mean), fifty.doubles(variance + case.open), float(divergence)


RULES = {"laplace": _laplace, "ep": _ep, "variational": _variational}
