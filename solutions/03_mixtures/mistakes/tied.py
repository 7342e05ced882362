"""Task 3, tied_m_step(x, responsibilities)."""

import numpy as np
from sklearn.mixture._gaussian_mixture import _estimate_gaussian_parameters


def estimates(x, gamma):
    """(N_k, weights, means, covariances of each component), all by maximum likelihood."""
    totals = gamma.sum(axis=0)
    means = gamma.T @ x / totals[:, None]
    away = x[:, None, :] - means
    scatter = np.einsum("nk,nkd,nke->kde", gamma, away, away)
    return totals, totals / len(x), means, scatter / totals[:, None, None]


def built(covariance=None, weights=None, means=None):
    """An answer in which one of the three results is another: a function of (x, γ, N_k, π, μ, Σ_k)."""

    def answer(x, gamma):
        found = estimates(x, gamma)
        right = (found[1], found[2], np.einsum("k,kde->de", found[1], found[3]))
        others = (weights, means, covariance)
        return tuple(value if new is None else new(x, gamma, *found) for value, new in zip(right, others, strict=True))

    return answer


right_answer = built()


def scatter(x, gamma, means):
    away = x[:, None, :] - means
    return np.einsum("nk,nkd,nke->de", gamma, away, away)


def divided_by(divisor):
    """Covariance with another divisor than N."""

    def covariance(x, gamma, totals, weights, means, covariances):
        return scatter(x, gamma, means) / divisor(x, gamma, totals)

    return covariance


def from_everything_wrong(means):
    """All three results, made from other means."""
    return built(
        covariance=lambda x, gamma, *found: scatter(x, gamma, means(x, gamma)) / len(x),
        means=lambda x, gamma, *found: means(x, gamma),
    )


def hard(x, gamma):
    return right_answer(x, np.eye(gamma.shape[1])[gamma.argmax(axis=1)])


def squared_responsibilities(x, gamma, totals, weights, means, covariances):
    return scatter(x, gamma**2, means) / len(x)


def around_the_global_mean(x, gamma, totals, weights, means, covariances):
    return np.atleast_2d(np.cov(x, rowvar=False, bias=True))


def part_divided(x, gamma, totals, weights, means, covariances):
    return (x.T @ x - means.T @ means) / len(x)


def means_not_subtracted(x, gamma, totals, weights, means, covariances):
    return x.T @ x / len(x)


def means_subtracted_without_weights(x, gamma, totals, weights, means, covariances):
    return x.T @ x / len(x) - means.T @ means / len(totals)


MISTAKES = {
    "around the mean of everything": built(around_the_global_mean),
    "plain mean of the covariances": built(lambda x, g, n, w, m, s: s.mean(axis=0)),
    "sum of the covariances": built(lambda x, g, n, w, m, s: s.sum(axis=0)),
    "divided by the last N_k": built(divided_by(lambda x, g, n: n[-1])),
    "divided by N K": built(divided_by(lambda x, g, n: g.size)),
    "divided by N − K": built(divided_by(lambda x, g, n: len(x) - len(n))),
    "divided by N − 1": built(divided_by(lambda x, g, n: len(x) - 1)),
    "not divided": built(divided_by(lambda x, g, n: 1)),
    "weights 1/K": built(weights=lambda x, g, n, *rest: np.full(len(n), 1 / len(n))),
    "weights not divided": built(weights=lambda x, g, n, *rest: n),
    "means divided by N": from_everything_wrong(lambda x, g: g.T @ x / len(x)),
    "means not divided": from_everything_wrong(lambda x, g: g.T @ x),
    "all means the mean of everything": from_everything_wrong(lambda x, g: np.tile(x.mean(axis=0), (g.shape[1], 1))),
    "hard assignments": hard,
    "responsibilities counted twice": built(squared_responsibilities),
    "only part divided": built(part_divided),
    "means not subtracted": built(means_not_subtracted),
    "means subtracted without weights": built(means_subtracted_without_weights),
    "diagonal only": built(lambda x, g, *found: np.diag(np.diag(right_answer(x, g)[2]))),
    "standard deviations": built(lambda x, g, *found: np.sqrt(np.abs(right_answer(x, g)[2]))),
}

RULE_MISTAKES = {
    "weights summed over the components": (built(weights=lambda x, g, *rest: g.sum(axis=1)), "runs over the points"),
    "mean of each row": (built(weights=lambda x, g, *rest: g.mean(axis=1)), "runs over the points"),
    "variances only": (built(lambda x, g, *found: np.diag(right_answer(x, g)[2])), "(D, D)"),
    "one covariance for each component": (built(lambda x, g, n, w, m, s: s), "How many covariances"),
    "rows taken for features": (built(lambda x, g, *found: np.cov(x, bias=True)), "How many features are there?"),
    "two results": (lambda x, gamma: right_answer(x, gamma)[:2], "3 values are needed"),
}


def loops(x, gamma):
    n_points, n_components = gamma.shape
    weights, means = [], []
    covariance = np.zeros((x.shape[1], x.shape[1]))
    for k in range(n_components):
        total = sum(gamma[i, k] for i in range(n_points))
        weights.append(total / n_points)
        means.append(sum(gamma[i, k] * x[i] for i in range(n_points)) / total)
        for i in range(n_points):
            covariance += gamma[i, k] * np.outer(x[i] - means[k], x[i] - means[k]) / n_points
    return weights, means, covariance


def all_minus_between(x, gamma):
    """Spread of everything less the spread of the means."""
    weights = gamma.mean(axis=0)
    means = (gamma.T @ x) / gamma.sum(axis=0)[:, None]
    centred = means - weights @ means
    everything = np.atleast_2d(np.cov(x, rowvar=False, bias=True))
    return weights, means, everything - (centred.T * weights) @ centred


def weighted_cov(x, gamma):
    weights = gamma.mean(axis=0)
    each = [np.atleast_2d(np.cov(x.T, aweights=column, bias=True)) for column in gamma.T]
    means = np.array([np.average(x, axis=0, weights=column) for column in gamma.T])
    return weights, means, sum(w * one for w, one in zip(weights, each, strict=True))


def scikit_learn(x, gamma):
    totals, means, covariance = _estimate_gaussian_parameters(x, gamma, 0.0, "tied")
    return totals / totals.sum(), means, covariance


RIGHT = {
    "mean of the covariances, weighted": right_answer,
    "loops, lists": loops,
    "all minus between": all_minus_between,
    "np.cov with weights": weighted_cov,
    "scikit-learn": scikit_learn,
    "a list of three": lambda *given: list(right_answer(*given)),
}
