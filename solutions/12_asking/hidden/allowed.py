"""Reference of task 3, careful_improvement."""

import numpy as np
from scipy.stats import norm, truncnorm

SEED = 1203


def answer(mean, cov, loud_mean, loud_std, limit, sure):
    """Each setting by itself, the improvement as a share times the mean of what is cut off at 0."""
    soft = shares(loud_mean, loud_std, limit)
    usable = [j for j, share in enumerate(soft) if share >= sure]
    if not usable:
        return -1, np.array(soft)
    chosen = max(usable, key=mean.__getitem__)
    return chosen, soft * rises(mean, cov, chosen)


def shares(loud_mean, loud_std, limit):
    """The probability that each setting is allowed."""
    return np.array(
        [norm.cdf(limit, m, s) if s else float(m <= limit) for m, s in zip(loud_mean, loud_std, strict=True)]
    )


def rises(mean, cov, chosen):
    """Expected improvements over the chosen setting."""
    told = []
    for turn in np.eye(len(mean)) - np.eye(len(mean))[chosen]:
        centre, width = turn @ mean, np.sqrt(max(turn @ cov @ turn, 0.0))
        rise = max(centre, 0.0)
        if width > 0.0:
            rise = norm.sf(0.0, centre, width) * truncnorm.mean(-centre / width, np.inf, centre, width)
        told.append(rise)
    return np.array(told)


def way(mean, cov, loud_mean, loud_std, limit, sure):
    """What is allowed, which setting is the best of these, and what is gained over it."""
    chosen, _ = answer(mean, cov, loud_mean, loud_std, limit, sure)
    soft = shares(loud_mean, loud_std, limit)
    yield "p", soft
    yield "p ≥ sure", soft >= sure
    if chosen >= 0:
        yield "expected improvements over the best of these", rises(mean, cov, chosen)
