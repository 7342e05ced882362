"""Reference of task 1, three_numbers."""

import numpy as np
from scipy.special import erfcx
from scipy.stats import norm

SEED = 1201


def answer(mean, cov, best):
    """The mean of what is cut off at 0 first, by the scaled error function, then the share of it."""
    told = []
    for centre, width in zip(*improvement(mean, cov, best), strict=True):
        if width == 0.0:
            told.append((float(centre > 0), max(centre, 0.0), max(centre, 0.0)))
        else:
            share = norm.sf(0.0, centre, width)
            inside = centre + width * np.sqrt(2 / np.pi) / erfcx(-centre / (np.sqrt(2) * width))
            told.append((share, share * inside, inside))
    return tuple(np.array(told).T)


def improvement(mean, cov, best):
    """Means and standard deviations of I."""
    turns = np.eye(len(mean)) - np.eye(len(mean))[best]
    return turns @ mean, np.sqrt([max(turn @ cov @ turn, 0.0) for turn in turns])


def way(mean, cov, best):
    """The improvement of each setting, and z where it is not known."""
    centre, width = improvement(mean, cov, best)
    z = (centre / np.where(width > 0, width, 1.0))[width > 0]
    yield "means of I", centre
    yield "its standard deviations", width
    if len(z):
        yield "z where they are above 0", z
        yield "Φ(z)", norm.cdf(z)
        yield "φ(z)", norm.pdf(z)
