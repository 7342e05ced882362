"""Reference of task 3, tied_m_step."""

import numpy as np

SEED = 3301


def answer(x, responsibilities):
    """What all points vary, less what the means of the components vary."""
    weights = responsibilities.mean(axis=0)
    means = np.stack([np.average(x, axis=0, weights=column) for column in responsibilities.T])
    centre = x.mean(axis=0)
    between = sum(w * np.outer(m - centre, m - centre) for w, m in zip(weights, means, strict=True))
    return weights, means, (x - centre).T @ (x - centre) / len(x) - between


def way(x, responsibilities):
    """What each component owns, where it is, and its sum of squares."""
    means = answer(x, responsibilities)[1]
    yield "N_k is", responsibilities.sum(axis=0)
    yield "the means are", means
    away = x - means[0]
    yield "the first component's sum of squares is", away.T @ (away * responsibilities[:, :1])
