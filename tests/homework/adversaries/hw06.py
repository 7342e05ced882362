"""Answers to homework 06 by somebody who had only the exercise."""

import numpy as np
from scipy.special import expit, factorial, gammaln, logsumexp, ndtr

# ---------------------------------------------------------------------------------------------------- wrong answers


def choice_with_a_lapse_at_each_end(mean, variance, lapse):
    return lapse + (1 - 2 * lapse) * ndtr(np.asarray(mean) / np.sqrt(1 + np.asarray(variance)))


def choice_by_the_logistic_rule(mean, variance, lapse):
    slope = np.sqrt(8 / np.pi)
    mean, variance = slope * np.asarray(mean), slope**2 * np.asarray(variance)
    return lapse / 2 + (1 - lapse) * expit(mean / np.sqrt(1 + np.pi * variance / 8))


def student_site_of_a_weight(y, g, scale, degrees):
    tau = (degrees + 1) / (degrees * scale**2 + (y - g) ** 2)
    return tau, tau * y


def student_site_two_taus(y, g, scale, degrees):
    r, q = y - g, degrees * scale**2
    tau = (degrees + 1) * (q - r**2) / (q + r**2) ** 2
    return tau, (degrees + 1) * r / (q + r**2) + np.maximum(tau, 0) * g


def _height(log_p, g, m, v):
    with np.errstate(all="ignore"):
        h = log_p(g) - (g - m) ** 2 / (2 * v)
    return h if np.isfinite(h) else -np.inf


def _climb(log_p, d1, d2, m, v, rounds=500, longest=np.inf):
    """Newton's method uphill, halved where h falls."""
    g = float(m)
    for _ in range(rounds):
        h, slope, bend = _height(log_p, g, m, v), d1(g) - (g - m) / v, 1 / v - d2(g)
        move = slope / bend if bend > 0 else np.sign(slope) * np.sqrt(v)
        move = float(np.clip(move, -longest, longest))
        while _height(log_p, g + move, m, v) < h and abs(move) > 1e-13:
            move /= 2
        g += move
        if abs(move) < 1e-12 * (1 + abs(g)):
            break
    return g


def laplace_concave_at_the_end(log_p, d1, d2, prior_mean, prior_variance):
    m, v = prior_mean, prior_variance
    g = _climb(log_p, d1, d2, m, v)
    variance = 1 / (1 / v + max(-d2(g), 0))
    return g, variance, log_p(g) - (g - m) ** 2 / (2 * v) + 0.5 * np.log(variance / v)


def laplace_short_steps(log_p, d1, d2, prior_mean, prior_variance):
    m, v = prior_mean, prior_variance
    g = _climb(log_p, d1, d2, m, v, rounds=25, longest=1.0)
    variance = 1 / (1 / v - d2(g))
    return g, variance, log_p(g) - (g - m) ** 2 / (2 * v) + 0.5 * np.log(abs(variance) / v)


def _tilted(log_likelihood, g, m, v):
    """log Z, mean and variance from equally distant points g."""
    log_f = log_likelihood(g) - (g - m) ** 2 / (2 * v) - 0.5 * np.log(2 * np.pi * v) + np.log(g[1] - g[0])
    log_Z = logsumexp(log_f)
    weights = np.exp(log_f - log_Z)
    mean = weights @ g
    return log_Z, mean, weights @ (g - mean) ** 2


def ep_grid_round_the_top(log_likelihood, cavity_mean, cavity_variance):
    m, v = cavity_mean, cavity_variance
    low, high = m - 10 * np.sqrt(v), m + 10 * np.sqrt(v)
    for _ in range(6):  # ever finer round the highest point
        g = np.linspace(low, high, 4001)
        log_f = log_likelihood(g) - (g - m) ** 2 / (2 * v)
        top, gap = int(np.clip(np.argmax(log_f), 1, 3999)), g[1] - g[0]
        bend = (2 * log_f[top] - log_f[top - 1] - log_f[top + 1]) / gap**2
        width = 1 / np.sqrt(bend) if bend > 0 else 50 * gap
        if width > 100 * gap:
            break
        low, high = g[top] - 20 * max(width, gap), g[top] + 20 * max(width, gap)
    log_Z, mean, variance = _tilted(log_likelihood, np.linspace(g[top] - 6 * width, g[top] + 6 * width, 4001), m, v)
    return log_Z, mean, variance, 1 / variance - 1 / v, mean / variance - m / v


def ep_no_negative_precision(log_likelihood, cavity_mean, cavity_variance):
    m, v = cavity_mean, cavity_variance
    log_Z, mean, variance = _tilted(log_likelihood, np.linspace(-10, 10, 200_001) * np.sqrt(v) + m, m, v)
    tau = max(1 / variance - 1 / v, 0.0)
    return log_Z, mean, variance, tau, mean / variance - m / v


def _logistic_averages(y, mean, variance, nodes):
    """E[∂ log p] and −E[∂² log p] for logistic choices."""
    x, weights = np.polynomial.hermite.hermgauss(nodes)
    g = np.asarray(mean)[:, None] + np.sqrt(2 * np.asarray(variance))[:, None] * x
    y = np.asarray(y)[:, None]
    return (y * expit(-y * g)) @ weights / np.sqrt(np.pi), (expit(g) * expit(-g)) @ weights / np.sqrt(np.pi)


def variational_new_tau_in_nu(y, mean, variance, tau, nu, step):
    slope, bend = _logistic_averages(y, mean, variance, 64)
    tau = (1 - step) * tau + step * bend
    return tau, (1 - step) * nu + step * (slope + tau * mean)


def variational_few_nodes(y, mean, variance, tau, nu, step):
    slope, bend = _logistic_averages(y, mean, variance, 10)
    return (1 - step) * tau + step * bend, (1 - step) * nu + step * (slope + bend * mean)


def poisson_by_stirling(y, g):
    y, g = np.broadcast_arrays(np.asarray(y, dtype=float), np.asarray(g, dtype=float))
    big = np.maximum(y, 1)
    stirling = big * np.log(big) - big + 0.5 * np.log(2 * np.pi * big)
    log_factorial = np.where(y <= 20, np.log(factorial(np.minimum(y, 20))), stirling)
    r = np.exp(g)
    return y * g - r - log_factorial, y - r, -r, -r


def poisson_with_a_ceiling(y, g):
    y, g = np.broadcast_arrays(np.asarray(y, dtype=float), np.asarray(g, dtype=float))
    r = np.exp(np.clip(g, -6, 6))
    return y * g - r - gammaln(y + 1), y - r, -r, -r


# ---------------------------------------------------------------------------------------------------- right answers


def student_by_power_series(y, g, scale, degrees):
    y, g = np.asarray(y, dtype=float), np.asarray(g, dtype=float)
    r, q = y - g, degrees * scale**2
    # 1 + (r − t)²/q as a series in t, divided by its first term
    first = 1 + r**2 / q
    u1, u2 = -2 * r / q / first, 1 / q / first
    log1, log2 = u1, u2 - u1**2 / 2  # log(1 + u) = u − u²/2 + …
    slope, curvature = -(degrees + 1) / 2 * log1, -(degrees + 1) * log2
    return -curvature, slope - curvature * g


def laplace_by_bisection(log_p, d1, d2, prior_mean, prior_variance):
    m, v = float(prior_mean), float(prior_variance)

    def side(g):
        """+1 if h rises at g, −1 if it falls; back to the prior mean where it cannot be computed."""
        try:
            with np.errstate(all="ignore"):
                slope = float(d1(g)) - (g - m) / v
        except OverflowError:
            slope = np.nan
        return np.sign(m - g) if np.isnan(slope) else np.sign(slope)

    start = side(m)
    near, reach = m, np.sqrt(v) / 64
    while start and side(m + start * reach) == start:
        near, reach = m + start * reach, 2 * reach
    far = m + start * reach
    for _ in range(200):
        middle = (near + far) / 2
        near, far = (middle, far) if side(middle) == start else (near, middle)
    g = (near + far) / 2
    variance = 1 / (1 / v - d2(g))
    return g, float(variance), float(log_p(g) - (g - m) ** 2 / (2 * v) + 0.5 * np.log(variance / v))


def ep_by_halving_panels(log_likelihood, cavity_mean, cavity_variance):
    m, v = cavity_mean, cavity_variance
    nodes, weights = np.polynomial.legendre.leggauss(15)

    def look(centres, halves):
        x = centres[:, None] + halves[:, None] * nodes
        g = m + np.sqrt(v) * x
        return x, log_likelihood(g.ravel()).reshape(g.shape) - x**2 / 2 - 0.5 * np.log(2 * np.pi)

    edges = np.linspace(-10.5, 10.5, 2049)
    centres, halves = (edges[1:] + edges[:-1]) / 2, np.diff(edges) / 2
    points, log_values, shares, top = [], [], [], -np.inf
    x, log_f = look(centres, halves)
    for _ in range(40):
        top = max(top, log_f.max())
        smaller = np.repeat(halves / 2, 2)
        fine_x, fine = look(np.stack([centres - halves / 2, centres + halves / 2], axis=1).ravel(), smaller)
        top = max(top, fine.max())
        whole = halves * (np.exp(log_f - top) @ weights)
        parts = (smaller * (np.exp(fine - top) @ weights)).reshape(-1, 2).sum(axis=1)
        size = whole.sum() + sum(
            (np.exp(one - top) * share).sum() for one, share in zip(log_values, shares, strict=False)
        )
        done = np.abs(whole - parts) <= 1e-15 * max(size, 1e-300)
        both = np.repeat(done, 2)
        points.append(fine_x[both])
        log_values.append(fine[both])
        shares.append(smaller[both][:, None] * weights)
        if done.all():
            break
        x, log_f, halves = fine_x[~both], fine[~both], smaller[~both]
        centres = (x[:, 0] + x[:, -1]) / 2
    x, log_f, share = (np.concatenate([np.ravel(one) for one in many]) for many in (points, log_values, shares))
    mass = share * np.exp(log_f - top)
    total = mass.sum()
    centre = mass @ x / total
    spread = mass @ (x - centre) ** 2 / total
    mean, variance = m + np.sqrt(v) * centre, v * spread
    site = (1 - spread) / spread / v
    return top + np.log(total), mean, variance, site, (centre / spread) / np.sqrt(v) + site * m


def variational_by_a_plain_sum(y, mean, variance, tau, nu, step):
    y, mean = np.asarray(y, dtype=float), np.asarray(mean, dtype=float)
    x = np.linspace(-10, 10, 3001)
    weights = np.exp(-(x**2) / 2)
    weights /= weights.sum()
    t = np.tanh((mean + np.sqrt(variance) * x[:, None]) / 2)  # σ(g) = (1 + t)/2
    share = weights @ (1 + t) / 2
    bend = weights @ (1 - t**2) / 4
    target = np.stack([bend, (y + 1) / 2 - share + bend * mean])
    new = np.stack([np.asarray(tau, dtype=float), np.asarray(nu, dtype=float)])
    return tuple(new + step * (target - new))


WRONG = [
    (
        "choice_probability",
        "a lapse of λ at each end, as in psychometric functions",
        choice_with_a_lapse_at_each_end,
    ),
    ("choice_probability", "the approximation for the logistic link instead of Φ", choice_by_the_logistic_rule),
    (
        "student_t_site",
        "the weight of reweighted least squares: same mode, another curvature",
        student_site_of_a_weight,
    ),
    ("student_t_site", "τ as it is, but ν with max(τ, 0)", student_site_two_taus),
    ("laplace_one", "−d2 is not allowed below 0 at the mode", laplace_concave_at_the_end),
    ("laplace_one", "steps of 1 at most, 25 of them: right if the mode is not far", laplace_short_steps),
    ("ep_site", "a grid of six curvature widths round the top: right if nothing is skew", ep_grid_round_the_top),
    ("ep_site", "a precision is not negative: τ cut at 0", ep_no_negative_precision),
    ("variational_step", "the target of ν with the damped τ: right for step 1", variational_new_tau_in_nu),
    ("variational_step", "ten nodes: right for small variances", variational_few_nodes),
    ("poisson_derivatives", "Stirling without its correction above 20", poisson_by_stirling),
    ("poisson_derivatives", "the log rate kept between −6 and 6 against overflow", poisson_with_a_ceiling),
]
RIGHT = [
    ("student_t_site", "derivatives read off a power series", student_by_power_series),
    ("laplace_one", "bisection on the sign of the slope", laplace_by_bisection),
    ("ep_site", "Gauss–Legendre panels, halved until they agree", ep_by_halving_panels),
    ("variational_step", "a plain sum over g, with tanh", variational_by_a_plain_sum),
]
