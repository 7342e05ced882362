"""Densities and integrals of the stress: from the definitions, with nodes wherever an integrand may be sharp."""

import numpy as np
from scipy.special import gammaln, log_expit, log_ndtr, logsumexp, ndtr, ndtri
from scipy.stats import norm
from scipy.stats import t as student

from course_lib import gp
from course_lib.judgments import Comparison, ProbitWithTies

REACH, SPACING, POINTS = 12.0, 0.5, 8  # standard deviations; between panels' ends, in t of sinh t; nodes of a panel
ENOUGH, WIDER = 500, 1.1  # effective draws;  how much wider than the approximation they are drawn
NODES, WEIGHTS = np.polynomial.legendre.leggauss(POINTS)


def log_density(likelihood, y, g):
    """log p(y_k | g_k) for y (m,) and g (…, m)."""
    if isinstance(likelihood, gp.observations.BlockLikelihood):
        parts = zip(likelihood.children, np.split(y, likelihood.ends), np.split(g, likelihood.ends, -1), strict=True)
        return np.concatenate([log_density(*part) for part in parts], axis=-1)
    return DENSITIES[type(likelihood)](likelihood, y, g)


def _between(a, b):
    """log(Φ(b) − Φ(a)) for a < b."""
    a, b = np.where(a + b > 0, -b, a), np.where(a + b > 0, -a, b)  # both in the lower tail, or round 0
    low, high = log_ndtr(a), log_ndtr(b)
    return high + np.log(-np.expm1(np.minimum(low - high, -1e-300)))


def _ordinal(likelihood, y, g):
    ends, y = np.concatenate([[-np.inf], likelihood.cuts, [np.inf]]), y.astype(int)
    return _between(ends[y] - g, ends[y + 1] - g)


def _tied(likelihood, y, g):
    delta = likelihood.threshold
    return np.where(y == 0, _between(-delta - g, delta - g), log_ndtr(np.where(y > 0, g, -g) - delta))


def _beta(likelihood, y, g):
    """Of shapes a = ν Φ(g) and b = ν Φ(−g): Γ(a) = Γ(1 + a)/a, for a may be smaller than any double."""
    nu, a, b = likelihood.precision, likelihood.precision * ndtr(g), likelihood.precision * ndtr(-g)
    log_ab = 2 * np.log(nu) + log_ndtr(g) + log_ndtr(-g)
    return gammaln(nu) - gammaln(1 + a) - gammaln(1 + b) + log_ab + (a - 1) * np.log(y) + (b - 1) * np.log1p(-y)


def _truncated(likelihood, y, g):
    nu = likelihood.precision
    return norm.logpdf(y, ndtr(g), 1 / nu) - _between(-nu * ndtr(g), nu * ndtr(-g))


def _gaussian(likelihood, y, g):
    std = likelihood.noise_std if likelihood.groups is None else likelihood.noise_std[likelihood.groups]
    return norm.logpdf(y, g, std)


DENSITIES = {
    gp.Gaussian: _gaussian,
    gp.WarpedGaussian: lambda lik, y, g: norm.logpdf(ndtri(y), g, lik.noise_std) - norm.logpdf(ndtri(y)),
    gp.StudentT: lambda lik, y, g: student.logpdf((y - g) / lik.scale, lik.degrees) - np.log(lik.scale),
    gp.Probit: lambda lik, y, g: log_ndtr(y * g),
    gp.Logit: lambda lik, y, g: log_expit(y * g),
    gp.Ordinal: _ordinal,
    gp.Beta: _beta,
    gp.TruncatedGaussian: _truncated,
    ProbitWithTies: _tied,
    Comparison: lambda lik, y, g: log_density(lik.inner, y, g / (np.sqrt(2.0) * lik.noise_std)),
}


def only(likelihood, rows):
    """The likelihood of these answers alone."""
    if isinstance(likelihood, gp.observations.BlockLikelihood):
        block = np.searchsorted(likelihood.ends, rows, side="right")
        inside = [rows[block == k] for k in range(len(likelihood.children))]
        starts = (0, *likelihood.ends)
        parts = [only(child, at - start) for child, at, start in zip(likelihood.children, inside, starts, strict=True)]
        return gp.observations.BlockLikelihood(parts, [len(at) for at in inside])
    if getattr(likelihood, "groups", None) is not None and len(rows):
        return gp.Gaussian(likelihood.noise_std, likelihood.groups[rows])
    return likelihood


def place(likelihood, y):
    """(centre, width), (m,) each: where log p(y | g) may be sharp."""
    if isinstance(likelihood, gp.observations.BlockLikelihood):
        parts = zip(likelihood.children, np.split(y, likelihood.ends), strict=True)
        return tuple(np.concatenate(column) for column in zip(*(place(*part) for part in parts), strict=True))
    if isinstance(likelihood, Comparison):
        return tuple(np.sqrt(2.0) * likelihood.noise_std * part for part in place(likelihood.inner, y))
    centre, width = PLACES.get(type(likelihood), lambda lik, y: (0.0, 0.5))(likelihood, y)
    return np.broadcast_to(centre, y.shape).astype(float), np.broadcast_to(width, y.shape).astype(float)


def _middle(likelihood, y):
    ends, y = np.concatenate([likelihood.cuts[:1], likelihood.cuts, likelihood.cuts[-1:]]), y.astype(int)
    return 0.5 * (ends[y] + ends[y + 1]), 0.5


def _density_peak(likelihood, y):
    share = np.clip(y, 0.5 / likelihood.precision, 1 - 0.5 / likelihood.precision) if likelihood.precision > 1 else 0.5
    return ndtri(share), 0.5 / np.sqrt(1 + likelihood.precision)


PLACES = {
    gp.Gaussian: lambda lik, y: (y, lik.noise_std if lik.groups is None else lik.noise_std[lik.groups]),
    gp.WarpedGaussian: lambda lik, y: (ndtri(y), lik.noise_std),
    gp.StudentT: lambda lik, y: (y, lik.scale),
    gp.Ordinal: _middle,
    gp.Beta: _density_peak,
    gp.TruncatedGaussian: lambda lik, y: (_density_peak(lik, y)[0], 0.5 / lik.precision),
    ProbitWithTies: lambda lik, y: (np.sign(y) * lik.threshold, np.minimum(0.5, lik.threshold)),
}


def nodes(low, high, *places):
    """(Q, m) nodes g and log weights: Gauss–Legendre on panels from low to high, fine at each (centre, width)."""
    ends = [np.stack([low, high])]
    for centre, width in places:
        centre = np.clip(centre, low, high)
        furthest = np.arcsinh(np.maximum(high - centre, centre - low) / width).max()
        t = np.arange(-np.ceil(furthest / SPACING), np.ceil(furthest / SPACING) + 1) * SPACING
        ends.append(np.clip(centre + width * np.sinh(t)[:, None], low, high))
    ends = np.sort(np.concatenate(ends), axis=0)
    half = 0.5 * np.diff(ends, axis=0)
    g = ends[:-1] + half + half * NODES[:, None, None]
    with np.errstate(divide="ignore"):  # panels without length
        log_weight = np.log(half * WEIGHTS[:, None, None])
    return g.reshape(-1, g.shape[-1]), log_weight.reshape(-1, g.shape[-1])


def gaussian_averages(likelihood, y, mean, variance):
    """(E[log p], E[∂ log p], E[∂² log p]) under N(mean, variance), by integration by parts from log p alone.

    Source: Opper & Archambeau (2009), eqs. 12–13.
    """
    std = np.sqrt(variance)
    g, log_weight = nodes(mean - REACH * std, mean + REACH * std, (mean, 0.5 * std), place(likelihood, y))
    z = (g - mean) / std
    weight = np.exp(log_weight - 0.5 * z**2) / (std * np.sqrt(2 * np.pi))
    log_p = log_density(likelihood, y, g)
    level = log_density(likelihood, y, mean)  # what is the same everywhere has no slope
    rise = weight * (log_p - level)
    return level + rise.sum(axis=0), (rise * z).sum(axis=0) / std, (rise * (z**2 - 1)).sum(axis=0) / variance


def tilted_moments(log_p, mean, variance, sharp):
    """(log Z, mean, variance) of exp(log_p(g)) N(g | mean, variance); log_p takes (Q, m); sharp: (centre, width)."""
    std = np.sqrt(variance)

    def height(g):
        return log_p(g) - 0.5 * ((g - mean) / std) ** 2

    low, high = (np.minimum, np.maximum)
    low, high = low(mean, sharp[0]) - REACH * std, high(mean, sharp[0]) + REACH * std
    peak = _peak(height, nodes(low, high, (mean, std), sharp)[0])
    g, log_weight = nodes(low, high, (mean, std), sharp, peak)
    log_weight = log_weight + height(g) - 0.5 * np.log(2 * np.pi * variance)
    log_Z = logsumexp(log_weight, axis=0)
    weight = np.exp(log_weight - log_Z)
    first = peak[0] + (weight * (g - peak[0])).sum(axis=0)
    return log_Z, first, (weight * (g - first) ** 2).sum(axis=0)


def _peak(height, g, rounds=30):
    """(highest point, distance from there at which the height falls by ½), each (m,), from nodes (Q, m)."""
    g = np.sort(g, axis=0)
    best, column = height(g).argmax(axis=0), np.arange(g.shape[1])
    low, high = g[np.maximum(best - 1, 0), column], g[np.minimum(best + 1, len(g) - 1), column]
    for _ in range(rounds):
        left, right = low + 0.382 * (high - low), low + 0.618 * (high - low)
        rises = height(right[None])[0] > height(left[None])[0]
        low, high = np.where(rises, left, low), np.where(rises, high, right)
    peak = 0.5 * (low + high)
    top, shortest, longest = height(peak[None])[0], np.zeros(len(peak)), g[-1] - g[0]
    for _ in range(rounds):
        middle = 0.5 * (shortest + longest)
        falls = np.minimum(height((peak - middle)[None])[0], height((peak + middle)[None])[0]) < top - 0.5
        shortest, longest = np.where(falls, shortest, middle), np.where(falls, middle, longest)
    return peak, np.maximum(longest, 1e-15 * (1.0 + np.abs(peak)))


def true_evidence(K, A, y, likelihood, tau, nu, rng):
    """(log p(y), how far that may be off): by quadrature for one or two distinct views, else by importance sampling.

    None where too few of the draws count. K : (n, n);  A : (m, n);  tau, nu : an approximation's sites
    """
    doubtful = np.einsum("ki,ij,kj->k", A, K, A) > 0  # not so the difference of an item and one with the same inputs
    if not doubtful.all():
        known, open_ = np.flatnonzero(~doubtful), np.flatnonzero(doubtful)
        level = log_density(only(likelihood, known), y[known], np.zeros(len(known))).sum()
        rest = (A[open_], y[open_], only(likelihood, open_), tau[open_], nu[open_])
        found = true_evidence(K, *rest, rng) if len(open_) else (0.0, 0.0)
        return None if found is None else (level + found[0], found[1])
    first = A[np.arange(len(A)), (A != 0).argmax(axis=1)]  # a view and its mirror image are one
    views, of = np.unique(A * first[:, None], axis=0, return_inverse=True)
    C, seen = views @ K @ views.T, np.eye(len(views))[of.ravel()] * first[:, None]
    if len(views) == 1:
        return _one_view(y, likelihood, first)(np.zeros(1), C[0])[0][0], 1e-6
    if len(views) == 2 and C[1, 1] - C[0, 1] ** 2 / C[0, 0] > 1e-12 * C[1, 1]:
        return _two_views(C, y, likelihood, first, of.ravel()), 1e-4
    value, error, effective = importance_evidence(C, seen, y, likelihood, tau, nu, rng)
    return (value, 4.0 * error) if effective > ENOUGH else None


def _one_view(y, likelihood, sign):
    """A function of (mean, variance), (q,) each: the tilted moments of all these answers, likelihood by likelihood."""
    part = only(likelihood, np.arange(len(y)))

    def log_p(g):
        return log_density(part, y, g[..., None] * sign).sum(axis=-1)

    centre, width = place(part, y)
    return lambda mean, variance: tilted_moments(
        log_p, mean, variance, (sign[0] * centre[:1] + 0.0 * mean, width[:1] + 0.0 * mean)
    )


def _two_views(C, y, likelihood, sign, of):
    """log p(y) by one integral inside another."""
    one, other = (np.flatnonzero(of == k) for k in (0, 1))
    first, second = only(likelihood, one), only(likelihood, other)
    inner = _one_view(y[other], second, sign[other])
    slope, rest = C[0, 1] / C[0, 0], C[1, 1] - C[0, 1] ** 2 / C[0, 0]

    def log_p(g):
        mine = log_density(first, y[one], g[..., None] * sign[one]).sum(axis=-1)
        return mine + inner(slope * g.ravel(), np.full(g.size, rest))[0].reshape(g.shape)

    centre, width = place(first, y[one])
    return tilted_moments(log_p, np.zeros(1), C[0, :1], (sign[one][:1] * centre[:1], width[:1]))[0][0]


def importance_evidence(C, A, y, likelihood, tau, nu, rng, draws=20_000):
    """(log p(y), its standard error, effective sample size); drawn are the views' independent weights.

    C : (r, r) prior covariance of the distinct views;  A : (m, r) which view an answer is to
    tau, nu : (m,) sites, whose posterior is the proposal, but wider: a Student's t
    """
    values, vectors = np.linalg.eigh(C)
    kept = values > 1e-15 * values[-1]
    root = A @ (vectors[:, kept] * np.sqrt(values[kept]))
    r = root.shape[1]
    L = np.linalg.cholesky(np.eye(r) + root.T @ (np.maximum(tau, 0.0)[:, None] * root))
    centre = np.linalg.solve(L @ L.T, root.T @ nu)
    degrees = max(8.0, 2.0 * r)
    steps = rng.normal(size=(draws, r)) / np.sqrt(rng.chisquare(degrees, size=(draws, 1)) / degrees)
    w = centre + WIDER * np.linalg.solve(L.T, steps.T).T
    log_w = log_density(likelihood, y, w @ root.T).sum(axis=1) + norm.logpdf(w).sum(axis=1)
    log_w = log_w - _log_student(steps, degrees) - np.log(L.diagonal()).sum() + r * np.log(WIDER)
    share = np.exp(log_w - logsumexp(log_w))
    effective = 1.0 / (share**2).sum()
    return float(logsumexp(log_w) - np.log(draws)), float(np.sqrt(max(0.0, 1.0 / effective - 1.0 / draws))), effective


def _log_student(x, degrees):
    """Log density of the spherical Student's t at x (draws, r)."""
    r = x.shape[1]
    constant = gammaln((degrees + r) / 2) - gammaln(degrees / 2) - 0.5 * r * np.log(degrees * np.pi)
    return constant - 0.5 * (degrees + r) * np.log1p((x**2).sum(axis=1) / degrees)
