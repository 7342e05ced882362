"""Task 4, side_bias(gap, y, noise_std)."""

import numpy as np
from scipy.optimize import brentq, minimize, minimize_scalar
from scipy.special import expit, log_ndtr, ndtr, ndtri
from scipy.stats import norm

ROOT2 = np.sqrt(2.0)


def ratio(z):
    """φ(z)/Φ(z), without overflow."""
    return np.exp(norm.logpdf(z) - log_ndtr(z))


def derivatives(bias, gap, y, spread):
    """Slope and −curvature of the log likelihood by the bias."""
    z = y * (gap + bias) / spread
    r = ratio(z)
    return (y * r).sum() / spread, (r * (z + r)).sum() / spread**2


def fitted(
    spread=lambda s: ROOT2 * s,
    gaps=lambda gap: gap,
    answers=lambda y: y,
    prior=0.0,
    error=lambda bias, information, gap, y, width: 1 / np.sqrt(information),
    finish=lambda bias, width: bias,
):
    """The maximum, found by a root of the slope; wrong in one of its parts."""

    def answer(gap, y, noise_std):
        width = spread(noise_std)
        g, choices = gaps(gap), answers(y)
        far = np.abs(g).max() + 20 * width

        def slope(bias):
            return derivatives(bias, g, choices, width)[0] - prior * bias

        bias = brentq(slope, -far, far, xtol=1e-13)
        information = derivatives(bias, g, choices, width)[1] + prior
        return finish(bias, width), error(bias, information, g, choices, width)

    return answer


right_answer = fitted()


def with_error(error):
    return fitted(error=error)


def expected_information(bias, information, gap, y, width):
    z = (gap + bias) / width
    return 1 / np.sqrt((norm.pdf(z) ** 2 / (ndtr(z) * ndtr(-z))).sum() / width**2)


def at_zero(bias, information, gap, y, width):
    return 1 / np.sqrt(derivatives(0.0, gap, y, width)[1])


def share_only(gap, y, noise_std):
    width, p = ROOT2 * noise_std, (y > 0).mean()
    return width * ndtri(p), width * np.sqrt(p * (1 - p) / len(y)) / norm.pdf(ndtri(p))


def share_and_mean_gap(gap, y, noise_std):
    bias, error = share_only(gap, y, noise_std)
    return bias - gap.mean(), error


def one_step(gap, y, noise_std):
    slope, information = derivatives(0.0, gap, y, ROOT2 * noise_std)
    return slope / information, 1 / np.sqrt(information)


def no_curvature(gap, y, noise_std):
    """Curvature −Σ r², without z."""
    bias, _ = right_answer(gap, y, noise_std)
    width = ROOT2 * noise_std
    return bias, width / np.sqrt((ratio(y * (gap + bias) / width) ** 2).sum())


def logistic(gap, y, noise_std):
    width = ROOT2 * noise_std
    far = np.abs(gap).max() + 40 * width
    bias = brentq(lambda c: (y * expit(-y * (gap + c) / width)).sum(), -far, far, xtol=1e-13)
    p = expit((gap + bias) / width)
    return bias, width / np.sqrt((p * (1 - p)).sum())


def mean_residual(gap, y, noise_std):
    return (y - gap).mean(), (y - gap).std() / np.sqrt(len(y))


def naive_logs(gap, y, noise_std):
    """log of Φ: −∞ in the tail; the maximum among a grid that sees no −∞, or nothing."""
    width = ROOT2 * noise_std
    grid = np.linspace(-6 * width, 6 * width, 24001)
    with np.errstate(all="ignore"):
        heights = np.log(ndtr(y * (gap + grid[:, None]) / width)).sum(axis=1)
        bias = grid[np.argmax(heights)] if np.isfinite(heights).any() else np.nan
        z = y * (gap + bias) / width
        r = norm.pdf(z) / ndtr(z)
    return bias, width / np.sqrt((r * (z + r)).sum())


def naive_newton(gap, y, noise_std):
    """φ/Φ by division: 0/0 in the tail."""
    width, bias = ROOT2 * noise_std, 0.0
    with np.errstate(all="ignore"):
        for _ in range(60):
            z = y * (gap + bias) / width
            r = norm.pdf(z) / ndtr(z)
            information = (r * (z + r)).sum() / width**2
            bias = bias + (y * r).sum() / width / information
    return bias, 1 / np.sqrt(information)


def free_slope(gap, y, noise_std):
    """Fits a factor of g as well, if it can be fitted."""
    width = ROOT2 * noise_std

    def cost(t):
        return -log_ndtr(y * (t[1] * gap + t[0]) / width).sum() + 1e-9 * t @ t

    found = minimize(cost, [0.0, 1.0], method="BFGS").x
    return found[0], 1 / np.sqrt(derivatives(found[0], found[1] * gap, y, width)[1])


MISTAKES = {
    "bias towards a": fitted(finish=lambda c, w: -c),
    "gap turned": fitted(gaps=np.negative),
    "answers turned": fitted(answers=np.negative),
    "share only": share_only,
    "share minus mean gap": share_and_mean_gap,
    "gap ignored": fitted(gaps=np.zeros_like),
    "mean residual": mean_residual,
    "no √2": fitted(spread=lambda s: s),
    "2σ": fitted(spread=lambda s: 2 * s),
    "2σ²": fitted(spread=lambda s: 2 * s**2),
    "σ not used": fitted(spread=lambda s: ROOT2),
    "in units of √2 σ": fitted(finish=lambda c, w: c / w),
    "bias added after the scaling": lambda gap, y, s: fitted(spread=lambda _: 1.0)(gap / (ROOT2 * s), y, s),
    "logistic": logistic,
    "expected information": with_error(expected_information),
    "curvature at zero": with_error(at_zero),
    "curvature without z": no_curvature,
    "1 over √m": with_error(lambda c, i, g, y, w: 1 / np.sqrt(len(y))),
    "√2 σ over √m": with_error(lambda c, i, g, y, w: w / np.sqrt(len(y))),
    "error without √2 σ": with_error(lambda c, i, g, y, w: 1 / np.sqrt(i * w**2)),
    "mean information": with_error(lambda c, i, g, y, w: 1 / np.sqrt(i / len(y))),
    "mean information, no root": with_error(lambda c, i, g, y, w: len(y) / i),
    "divided by √m once more": with_error(lambda c, i, g, y, w: 1 / np.sqrt(i * len(y))),
    "root of the error": with_error(lambda c, i, g, y, w: i**-0.25),
    "variance": with_error(lambda c, i, g, y, w: 1 / i),
    "information": with_error(lambda c, i, g, y, w: i),
    "root of the information": with_error(lambda c, i, g, y, w: np.sqrt(i)),
    "log of Φ": naive_logs,
    "φ/Φ by division": naive_newton,
    "one step": one_step,
    "a prior": fitted(prior=1.0),
    "a free factor": free_slope,
}

RULE_MISTAKES = {
    "bias only": (lambda *given: right_answer(*given)[0], "2 values are needed"),
}


def newton(gap, y, noise_std):
    spread, bias = ROOT2 * noise_std, 0.0
    for _ in range(60):
        slope, information = derivatives(bias, gap, y, spread)
        bias += slope / information
    return bias, 1 / np.sqrt(information)


def brent(gap, y, noise_std):
    spread = ROOT2 * noise_std

    def cost(bias):
        return -log_ndtr(y * (gap + bias) / spread).sum()

    bias = minimize_scalar(cost, options={"xtol": 1e-12}).x
    return bias, 1 / np.sqrt(derivatives(bias, gap, y, spread)[1])


def quasi_newton_and_differences(gap, y, noise_std):
    spread = ROOT2 * noise_std

    def cost(bias):
        return -log_ndtr(y * (gap + bias) / spread).sum()

    found = minimize(cost, 0.0, jac=lambda c: -derivatives(c, gap, y, spread)[0], method="BFGS", tol=1e-10).x[0]
    h = 1e-3 * spread
    curvature = (-cost(found + 2 * h) + 16 * cost(found + h) - 30 * cost(found)) / (12 * h**2)
    curvature += (16 * cost(found - h) - cost(found - 2 * h)) / (12 * h**2)
    return found, curvature**-0.5


def bisection(gap, y, noise_std):
    spread = ROOT2 * noise_std
    low, high = -np.abs(gap).max() - 20 * spread, np.abs(gap).max() + 20 * spread
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if derivatives(middle, gap, y, spread)[0] > 0 else (low, middle)
    return low, derivatives(low, gap, y, spread)[1] ** -0.5


RIGHT = {
    "root of the slope": right_answer,
    "Newton": newton,
    "Brent": brent,
    "BFGS, differences": quasi_newton_and_differences,
    "bisection": bisection,
    "an array of two": lambda *given: np.array(right_answer(*given)),
}
