"""Task 4, time_derivatives(t, g, a, b, s)."""

import numpy as np
from scipy.stats import lognorm

LOG_ROOT_2PI = 0.5 * np.log(2 * np.pi)


def shapes(g):
    """log cosh g and its three derivatives, at any g."""
    first = np.tanh(g)
    second = 1 - first**2
    return np.abs(g) + np.log1p(np.exp(-2 * np.abs(g))) - np.log(2), first, second, -2 * first * second


def with_derivatives(value):
    def curve(g):
        return value(g), *shapes(g)[1:]

    return curve


def kinked(offset):
    def curve(g):
        return np.abs(g) - offset, np.sign(g), 0 * g, 0 * g

    return curve


def rooted(g):
    r = np.sqrt(1 + g**2)
    return r - 1, g / r, r**-3, -3 * g / r**5


def overflowing(g):
    with np.errstate(all="ignore"):
        return np.log(np.cosh(g)), *shapes(g)[1:]


def overflowing_slope(g):
    with np.errstate(all="ignore"):
        first = (np.exp(g) - np.exp(-g)) / (np.exp(g) + np.exp(-g))
        return shapes(g)[0], first, 1 - first**2, -2 * first * (1 - first**2)


def timed(
    curve=shapes,
    residual=lambda t, a, b, h: np.log(t) - a + b * h,
    density=lambda z, s, t: -0.5 * (z / s) ** 2 - np.log(s) - LOG_ROOT_2PI - np.log(t),
    scale=lambda s: s**2,
    first=lambda z, b, h: -b * z * h[1],
    second=lambda z, b, h: -b * (b * h[1] ** 2 + z * h[2]),
    third=lambda z, b, h: -b * (3 * b * h[1] * h[2] + z * h[3]),
    arrange=lambda *four: four,
):
    """An answer with one step changed."""

    def answer(t, g, a, b, s):
        t, g = np.broadcast_arrays(t, g)
        h = curve(g)
        z = residual(t, a, b, h[0])
        return arrange(density(z, s, t), *(each(z, b, h) / scale(s) for each in (first, second, third)))

    return answer


right_answer = timed()


def without(t, g, a, b, s):
    """The density of log t."""
    four = right_answer(t, g, a, b, s)
    return four[0] + np.log(t), *four[1:]


def with_differences(t, g, a, b, s, h=1e-4):
    at = [right_answer(t, g + k * h, a, b, s)[0] for k in (-2, -1, 0, 1, 2)]
    second = (at[3] - 2 * at[2] + at[1]) / h**2
    return at[2], (at[3] - at[1]) / (2 * h), second, (at[4] - 2 * at[3] + 2 * at[1] - at[0]) / (2 * h**3)


OVERFLOW = "How large is cosh(800)?"


def normal(z, s, t):
    return -0.5 * (z / s) ** 2 - np.log(s) - LOG_ROOT_2PI


MISTAKES = {
    "|g| for log cosh": timed(kinked(0.0)),
    "|g| − log 2": timed(kinked(np.log(2))),
    "root for log cosh": timed(rooted),
    "g²/2": timed(lambda g: (g**2 / 2, g, 0 * g + 1, 0 * g)),
    "log 2 forgotten": timed(with_derivatives(lambda g: shapes(g)[0] + np.log(2))),
    "log 2 added": timed(with_derivatives(lambda g: shapes(g)[0] + 2 * np.log(2))),
    "differences": with_differences,
    "Jacobian twice": timed(density=lambda z, s, t: normal(z, s, t) - 2 * np.log(t)),
    "Jacobian forgotten": without,
    "Jacobian with a plus": timed(density=lambda z, s, t: normal(z, s, t) + np.log(t)),
    "2π forgotten": timed(density=lambda z, s, t: normal(z, s, t) - np.log(t) + LOG_ROOT_2PI),
    "log s forgotten": timed(density=lambda z, s, t: normal(z, s, t) - np.log(t) + np.log(s)),
    "density": timed(density=lambda z, s, t: np.exp(normal(z, s, t)) / t),
    "t for log t": timed(residual=lambda t, a, b, h: t - a + b * h),
    "log to the base 10": timed(residual=lambda t, a, b, h: np.log10(t) - a + b * h),
    "a plus b": timed(residual=lambda t, a, b, h: np.log(t) - a - b * h),
    "s for s²": timed(scale=lambda s: s),
    "slopes not divided": timed(scale=lambda s: 1.0),
    "s as variance": timed(density=lambda z, s, t: normal(z, np.sqrt(s), t) - np.log(t), scale=lambda s: s),
    "first with a plus": timed(first=lambda z, b, h: b * z * h[1]),
    "first without b": timed(first=lambda z, b, h: -z * h[1]),
    "first without tanh": timed(first=lambda z, b, h: -z * b),
    "second: bend of h left out": timed(second=lambda z, b, h: -((b * h[1]) ** 2)),
    "second: slope of z left out": timed(second=lambda z, b, h: -b * z * h[2]),
    "second: one b only": timed(second=lambda z, b, h: -b * (h[1] ** 2 + z * h[2])),
    "second: 1 − tanh": timed(second=lambda z, b, h: -b * (b * h[1] ** 2 + z * (1 - h[1]))),
    "second: z h'' subtracted": timed(second=lambda z, b, h: -b * (b * h[1] ** 2 - z * h[2])),
    "as if t were expected": timed(
        second=lambda z, b, h: -((b * h[1]) ** 2) + 0 * z,
        third=lambda z, b, h: -2 * b**2 * h[1] * h[2] + 0 * z,
    ),
    "third: 2 for 3": timed(third=lambda z, b, h: -b * (2 * b * h[1] * h[2] + z * h[3])),
    "third without the 3": timed(third=lambda z, b, h: -b * (b * h[1] * h[2] + z * h[3])),
    "third: h''' with a plus": timed(third=lambda z, b, h: -b * (3 * b * h[1] * h[2] - z * h[3])),
    "third with a plus": timed(third=lambda z, b, h: b * (3 * b * h[1] * h[2] + z * h[3])),
    "third is 0": timed(third=lambda z, b, h: 0 * z),
    "third: no h'''": timed(third=lambda z, b, h: -3 * b**2 * h[1] * h[2]),
}

RULE_MISTAKES = {
    "cosh overflows": (timed(overflowing), OVERFLOW),
    "tanh by hand overflows": (timed(overflowing_slope), OVERFLOW),
    "three values": (lambda *given: right_answer(*given)[:3], "4 values are needed"),
}


def with_scipy(t, g, a, b, s):
    t, g, s = np.broadcast_arrays(t, g, s)
    centre = a - b * (np.logaddexp(g, -g) - np.log(2.0))
    z, tanh = np.log(t) - centre, np.tanh(g)
    sech2 = 1 - tanh * tanh
    logp = lognorm.logpdf(t, s, scale=np.exp(centre))
    slopes = z * tanh, b * tanh**2 + z * sech2, 3 * b * tanh * sech2 - 2 * z * tanh * sech2
    return logp, *(-b / s**2 * one for one in slopes)


def loops(t, g, a, b, s):
    shape = np.broadcast_shapes(np.shape(t), np.shape(g), np.shape(s))
    four = np.empty((4, *shape))
    every = [np.broadcast_to(one, shape) for one in (t, g, s)]
    for place in np.ndindex(shape):
        x, y, w = (float(one[place]) for one in every)
        u = np.exp(-2 * abs(y))
        h, th, se = abs(y) + np.log((1 + u) / 2), np.sign(y) * (1 - u) / (1 + u), 4 * u / (1 + u) ** 2
        z = np.log(x) - a + b * h
        four[(0, *place)] = -(z**2) / (2 * w**2) - np.log(w * x * np.sqrt(2 * np.pi))
        four[(1, *place)] = -z * b * th / w**2
        four[(2, *place)] = -((b * th) ** 2 + z * b * se) / w**2
        four[(3, *place)] = -(3 * b**2 * th * se - 2 * z * b * th * se) / w**2
    return list(four)


def by_chain_rule(t, g, a, b, s):
    """Another way: derivatives of −½ r² through those of r = z/s."""
    t, g = np.broadcast_arrays(t, g)
    h = shapes(g)
    r, r1, r2, r3 = (np.log(t) - a + b * h[0]) / s, b * h[1] / s, b * h[2] / s, b * h[3] / s
    density = -0.5 * r**2 - np.log(s * t) - LOG_ROOT_2PI
    return density, -r * r1, -(r1**2) - r * r2, -3 * r1 * r2 - r * r3


RIGHT = {"formulas": right_answer, "scipy": with_scipy, "loops": loops, "chain rule": by_chain_rule}
