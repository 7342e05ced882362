"""Slow and obvious answers, to hold the library against."""

from itertools import product

import numpy as np
from scipy.special import logsumexp
from scipy.stats import invwishart, multivariate_normal

from course_lib.sequences import warping_paths


def path_cost(path, cost):
    return sum(m * cost[i, j] for i, j, m in path)


def cheapest_path(step_pattern, cost, begins=((0, 0),), ends=None):
    """(least total distance, its path) by enumeration; (inf, None) where there is no path."""
    ends = [cost.shape[1] - 1] if ends is None else ends
    best = (np.inf, None)
    for begin in begins:
        for end in ends:
            for path in warping_paths(step_pattern, cost.shape[0], end + 1, begin):
                best = min(best, (path_cost(path, cost), path), key=lambda pair: pair[0])
    return best


def random_covariance(rng, D):
    root = rng.normal(size=(D, D + 1))
    return root @ root.T / D + 0.1 * np.eye(D)


def random_rows(rng, *shape, zeros=0.0):
    """Distributions in rows; a share of the entries is 0, but one entry of a row never is."""
    rows = rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])
    keep = (rng.random(shape) >= zeros) | (rows == rows.max(axis=-1, keepdims=True))
    rows = np.where(keep, rows, 0.0)
    return rows / rows.sum(axis=-1, keepdims=True)


def log_normal_inverse_wishart(prior, means, matrices):
    """Σ_k log N(μ_k | m₀, Σ_k/κ₀) + log inverse-Wishart(Σ_k); one matrix for several means counts once."""
    total = sum(invwishart.logpdf(matrix, prior.degrees, prior.scale) for matrix in matrices)
    for k, mean in enumerate(means):
        total += multivariate_normal.logpdf(mean, prior.mean, matrices[k % len(matrices)] / prior.strength)
    return total


class AllStateSequences:
    """Every state sequence of T frames with its log probability together with the observations."""

    def __init__(self, startprob, transmat, log_emission):
        T, self.N = log_emission.shape
        self.paths = np.array(list(product(range(self.N), repeat=T)))
        with np.errstate(divide="ignore"):
            steps = np.log(transmat)[self.paths[:, :-1], self.paths[:, 1:]].sum(axis=1)
            self.log_joint = np.log(startprob)[self.paths[:, 0]] + steps
        self.log_joint = self.log_joint + log_emission[np.arange(T), self.paths].sum(axis=1)

    @property
    def log_likelihood(self):
        return logsumexp(self.log_joint) if np.isfinite(self.log_joint).any() else -np.inf

    @property
    def best(self):
        return self.paths[self.log_joint.argmax()], self.log_joint.max()

    @property
    def posteriors(self):
        """γ, (T, N)."""
        weight = np.exp(self.log_joint - self.log_likelihood)
        return np.stack([(weight[:, None] * (self.paths == i)).sum(axis=0) for i in range(self.N)], axis=1)

    @property
    def transitions(self):
        """Σ_t ξ_t, (N, N)."""
        counts, weight = np.zeros((self.N, self.N)), np.exp(self.log_joint - self.log_likelihood)
        for path, w in zip(self.paths, weight, strict=True):
            np.add.at(counts, (path[:-1], path[1:]), w)
        return counts
