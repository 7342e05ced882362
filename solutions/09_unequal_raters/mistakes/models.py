"""What several modules of this bank need: answers in one column, the dense joint Gaussian, posteriors of the items."""

import numpy as np

LOG_2PI = np.log(2 * np.pi)


def stacked(Y):
    """(item, rater, answer), each (m,), of the answers that were given."""
    item, rater = np.nonzero(~np.isnan(Y))
    return item, rater, Y[item, rater]


def joint(K, noise_std, Y):
    """(C, item, rater, y): the covariance A K Aᵀ + D of all answers, and the answers."""
    item, rater, y = stacked(Y)
    return K[np.ix_(item, item)] + np.diag(np.asarray(noise_std)[rater] ** 2), item, rater, y


def log_density(y, C):
    """log N(y | 0, C)."""
    return -0.5 * (y @ np.linalg.solve(C, y) + np.linalg.slogdet(C)[1] + len(y) * LOG_2PI)


def log_evidence(K, noise_std, Y):
    """log p of all answers, which are z plus noise, z ~ N(0, K)."""
    C, _, _, y = joint(K, noise_std, Y)
    return log_density(y, C)


def posterior(K, noise_std, Y):
    """Mean (n,) and covariance (n, n) of the items' values, given all answers."""
    C, item, _, y = joint(K, noise_std, Y)
    gain = np.linalg.solve(C, K[item]).T
    return gain @ y, K - gain @ K[item]


def part(function, index, change):
    """A right answer of several parts, one of which is changed."""

    def answer(*given):
        parts = list(function(*given))
        parts[index] = change(parts[index])
        return tuple(parts)

    return answer
