"""Reference of task 6, who_speaks."""

import numpy as np
from scipy.stats import multivariate_normal

SEED = 206
TIE = 1e-6


def evidence(utterance, means, covariances):
    """(T, K) log densities of the frames."""
    gaussians = zip(means, covariances, strict=True)
    return np.column_stack([np.atleast_1d(multivariate_normal.logpdf(utterance, *one)) for one in gaussians])


def answer(utterances, means, covariances, priors):
    """None if two speakers are equally probable."""
    scores = np.array([evidence(one, means, covariances).sum(axis=0) for one in utterances]) + np.log(priors)
    best = np.sort(scores, axis=1)
    return None if (best[:, -1] - best[:, -2] < TIE).any() else scores.argmax(axis=1)


def way(utterances, means, covariances, priors):
    """The scores of the first utterance."""
    found = evidence(utterances[0], means, covariances)
    yield "the log priors are", np.log(priors)
    yield "the log densities of the first frame are", found[0]
    yield "their sums over the first utterance are", found.sum(axis=0)
    yield "with the log priors", found.sum(axis=0) + np.log(priors)
