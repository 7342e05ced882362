"""Reference of task 6, leave_one_rater_out."""

import numpy as np
from scipy.stats import norm

SEED = 806
TIE = 1e-6


def predictions(K, noise_std, Y):
    """For each rater the answers, what was predicted for them, and how widely: a row of C for every answer."""
    items, raters = np.where(np.isfinite(Y))
    y, C = Y[items, raters], K[np.ix_(items, items)] + noise_std**2 * np.eye(len(items))
    for r in range(Y.shape[1]):
        his, rest = raters == r, raters != r
        gain = np.linalg.solve(C[np.ix_(rest, rest)], C[np.ix_(rest, his)]).T
        yield y[his], gain @ y[rest], np.sqrt(np.diag(C[np.ix_(his, his)] - gain @ C[np.ix_(rest, his)]))


def answer(K, noise_std, Y):
    """None if two raters share the lowest score: which of them is meant is left open."""
    scores = np.array([norm.logpdf(*one).mean() for one in predictions(K, noise_std, Y)])
    lowest = np.sort(scores)
    return (scores, int(np.argmin(scores))) if lowest[1] - lowest[0] > TIE else None


def way(K, noise_std, Y):
    if len(K) > 2:
        return
    y, m, spread = next(predictions(K, noise_std, Y))
    yield "rater 0 is predicted with m_n", m
    yield "and v_n + σ²", spread**2
    yield "log densities of what rater 0 said", norm.logpdf(y, m, spread)
