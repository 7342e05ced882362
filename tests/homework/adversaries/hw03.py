"""Answers to homework 03 by somebody who had only the exercise."""

import math

import numpy as np
from scipy.special import gammaln

# ---------------------------------------------------------------- wrong


def _log_joint(x, weights, means, stds):
    """ln π_k N(x_i | μ_k, σ_k²), (N, K)."""
    weights, means, stds = (np.asarray(array, dtype=float) for array in (weights, means, stds))
    z = (np.asarray(x, dtype=float)[:, None] - means) / stds
    with np.errstate(divide="ignore"):
        return np.log(weights) - np.log(stds) - 0.5 * np.log(2 * np.pi) - 0.5 * z**2


def _log_sum(log_joint):
    best = log_joint.max(axis=1, keepdims=True)
    return best[:, 0] + np.log(np.exp(log_joint - best).sum(axis=1))


def _responsibilities(log_joint):
    shares = np.exp(log_joint - log_joint.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def what_nobody_made_is_garbage(x, weights, means, stds, garbage_weight, low, high):
    x = np.asarray(x, dtype=float)
    garbage = np.where((x >= low) & (x <= high), garbage_weight / (high - low), 0.0)
    joint = np.column_stack([np.exp(_log_joint(x, weights, means, stds)), garbage])
    joint[joint.sum(axis=1) == 0, -1] = 1.0
    return joint / joint.sum(axis=1, keepdims=True)


def range_with_both_ends_counted(x, weights, means, stds, garbage_weight, low, high):
    x = np.asarray(x, dtype=float)
    inside = (x >= low) & (x <= high)
    log_garbage = np.where(inside, np.log(garbage_weight) - np.log(high - low + 1), -np.inf)
    return _responsibilities(np.column_stack([_log_joint(x, weights, means, stds), log_garbage]))


def floor_under_the_density(x, counts, weights, means, stds):
    density = np.exp(_log_joint(x, weights, means, stds)).sum(axis=1)
    return float(np.asarray(counts) @ np.log(np.maximum(density, np.finfo(float).tiny)))


def likelihood_of_the_best_component(x, counts, weights, means, stds):
    return float(np.asarray(counts) @ _log_joint(x, weights, means, stds).max(axis=1))


def _weights_and_means(x, responsibilities):
    owned = responsibilities.sum(axis=0)
    return owned / len(x), responsibilities.T @ x / owned[:, None]


def pooled_without_bias(x, responsibilities):
    weights, means = _weights_and_means(x, responsibilities)
    n, k = responsibilities.shape
    off = x[:, None, :] - means
    scatter = np.einsum("nk,nkd,nke->de", responsibilities, off, off)
    return weights, means, scatter / (n - k if n > k else n)


def spread_around_the_expected_mean(x, responsibilities):
    weights, means = _weights_and_means(x, responsibilities)
    off = x - responsibilities @ means
    return weights, means, off.T @ off / len(x)


def _one_hot(labels, k):
    return np.asarray(labels)[:, None] == np.arange(k)


def weights_of_the_unlabelled(x, labels, weights, means, stds):
    x, labels = np.asarray(x, dtype=float), np.asarray(labels)
    shares = _responsibilities(_log_joint(x, weights, means, stds))
    shares = np.where((labels >= 0)[:, None], _one_hot(labels, len(weights)), shares)
    unknown = labels < 0
    new_weights = shares[unknown].mean(axis=0) if unknown.any() else np.array(weights, dtype=float)
    return shares, new_weights, shares.T @ x / shares.sum(axis=0)


def label_as_a_factor(x, labels, weights, means, stds):
    x, labels = np.asarray(x, dtype=float), np.asarray(labels)
    shares = _responsibilities(_log_joint(x, weights, means, stds))
    told = shares * _one_hot(labels, len(weights))
    total = told.sum(axis=1, keepdims=True)
    shares = np.where(total > 0, told / np.where(total > 0, total, 1.0), shares)
    owned = shares.sum(axis=0) + np.finfo(float).tiny
    return shares, owned / len(x), shares.T @ x / owned


def _poisson_step(counts, weights, rates, log_factorials):
    log_joint = np.log(weights) + counts[:, None] * np.log(rates) - rates - log_factorials[:, None]
    shares = _responsibilities(log_joint)
    owned = shares.sum(axis=0)
    return owned / len(counts), shares.T @ counts / owned, float(_log_sum(log_joint).sum())


def factorials_by_stirling(counts, weights, rates):
    counts = np.asarray(counts, dtype=float)
    safe = np.maximum(counts, 1.0)
    log_factorials = np.where(counts > 0, safe * np.log(safe) - safe + 0.5 * np.log(2 * np.pi * safe), 0.0)
    return _poisson_step(counts, np.asarray(weights), np.asarray(rates), log_factorials)


def empty_recordings_are_dropped(counts, weights, rates):
    counts = np.asarray(counts, dtype=float)
    if (counts > 0).any():
        counts = counts[counts > 0]
    return _poisson_step(counts, np.asarray(weights), np.asarray(rates), gammaln(counts + 1))


def _statistics(weights, means, stds):
    weights, means, stds = (np.asarray(array, dtype=float) for array in (weights, means, stds))
    return np.array([weights, weights * means, weights * (means**2 + stds**2)])


def _parameters(statistics):
    means = statistics[1] / statistics[0]
    return statistics[0], means, np.sqrt(np.maximum(statistics[2] / statistics[0] - means**2, 0.0))


def asks_the_first_parameters(batches, eta, weights, means, stds):
    statistics = _statistics(weights, means, stds)
    for batch in batches:
        batch = np.asarray(batch, dtype=float)
        shares = _responsibilities(_log_joint(batch, weights, means, stds))
        new = np.array([shares.T @ batch**power for power in range(3)]) / len(batch)
        statistics = (1 - eta) * statistics + eta * new
    return _parameters(statistics)


def large_batches_count_more(batches, eta, weights, means, stds):
    statistics, parameters = _statistics(weights, means, stds), (weights, means, stds)
    typical = np.mean([len(batch) for batch in batches]) if batches else 1.0
    for batch in batches:
        batch = np.asarray(batch, dtype=float)
        shares = _responsibilities(_log_joint(batch, *parameters))
        new = np.array([shares.T @ batch**power for power in range(3)]) / len(batch)
        share = 1 - (1 - eta) ** (len(batch) / typical)
        statistics = (1 - share) * statistics + share * new
        parameters = _parameters(statistics)
    return parameters


# ---------------------------------------------------------------- right


def garbage_by_odds(x, weights, means, stds, garbage_weight, low, high):
    """One over the sum of the odds of all others, pair by pair."""
    x = np.asarray(x, dtype=float)
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        log_garbage = np.log(garbage_weight * ((x >= low) & (x <= high)) / (high - low))
        logs = np.column_stack([_log_joint(x, weights, means, stds), log_garbage])
        against = logs[:, None, :] - logs[:, :, None]
        own = np.arange(logs.shape[1])
        against[:, own, own] = 0.0
        return 1.0 / np.exp(against).sum(axis=2)


def likelihood_by_a_generator(x, counts, weights, means, stds):
    """Floats of Python, the sum over components folded by ln(e^a + e^b) = a + ln(1 + e^(b − a))."""

    def log_density(value):
        folded = -math.inf
        for weight, mean, std in zip(weights, means, stds, strict=False):
            if weight == 0:
                continue
            z = (float(value) - float(mean)) / float(std)
            term = math.log(weight) - math.log(std) - math.log(math.tau) / 2 - z * z / 2
            large, small = max(folded, term), min(folded, term)
            folded = large + math.log1p(math.exp(small - large))
        return folded

    return math.fsum(int(count) * log_density(value) for value, count in zip(x, counts, strict=False))


def tied_as_all_minus_between(x, responsibilities):
    """The covariance of all points minus that of the means: what is left is inside the components."""
    x, shares = np.asarray(x, dtype=float), np.asarray(responsibilities, dtype=float)
    centre = x.mean(axis=0)
    off = x - centre
    weights = shares.mean(axis=0)
    places = (shares / shares.sum(axis=0)).T @ off
    return weights, places + centre, off.T @ off / len(x) - (places.T * weights) @ places


def stepwise_by_merging_moments(batches, eta, weights, means, stds):
    """No statistics at all: weights, means and variances of the old and of the new are merged."""
    weights, means = np.array(weights, dtype=float), np.array(means, dtype=float)
    variances = np.array(stds, dtype=float) ** 2
    for batch in batches:
        batch = np.asarray(batch, dtype=float)
        shares = _responsibilities(_log_joint(batch, weights, means, np.sqrt(variances))) * (eta / len(batch))
        old = (1 - eta) * weights
        weights = old + shares.sum(axis=0)
        moved = (old * means + batch @ shares) / weights
        inside = (shares * (batch[:, None] - moved) ** 2).sum(axis=0)
        variances = (old * (variances + (means - moved) ** 2) + inside) / weights
        means = moved
    return weights, means, np.sqrt(variances)


WRONG = [
    (
        "responsibilities_with_garbage",
        "a point at which all densities underflow is given to the garbage, outside of its range too",
        what_nobody_made_is_garbage,
    ),
    (
        "responsibilities_with_garbage",
        "both ends belong to the range, so its length is taken as high − low + 1",
        range_with_both_ends_counted,
    ),
    (
        "mixture_log_likelihood",
        "plain densities with a floor, so that the logarithm stays finite (right without far points)",
        floor_under_the_density,
    ),
    (
        "mixture_log_likelihood",
        "the logarithm of the best component instead of the sum (right if they lie far apart)",
        likelihood_of_the_best_component,
    ),
    ("tied_m_step", "the pooled covariance without bias: N − K below the line", pooled_without_bias),
    (
        "tied_m_step",
        "spread of each point around its expected mean (right if all responsibilities are 0 or 1)",
        spread_around_the_expected_mean,
    ),
    (
        "semi_supervised_step",
        "the new weights are an average over the points without a label only",
        weights_of_the_unlabelled,
    ),
    (
        "semi_supervised_step",
        "the label multiplies the responsibility: where that is 0 for the computer, the label is not believed",
        label_as_a_factor,
    ),
    (
        "poisson_step",
        "factorials by Stirling's formula: weights and rates are right, the log likelihood is not quite",
        factorials_by_stirling,
    ),
    ("poisson_step", "recordings of length 0 are taken for errors and dropped", empty_recordings_are_dropped),
    (
        "stepwise_em",
        "responsibilities under the parameters that came in, for every batch (right for the first one)",
        asks_the_first_parameters,
    ),
    (
        "stepwise_em",
        "η applied as often as the batch is larger than an average one (right if all sizes are the same)",
        large_batches_count_more,
    ),
]

RIGHT = [
    ("responsibilities_with_garbage", "odds of all pairs, no normalisation", garbage_by_odds),
    ("mixture_log_likelihood", "a generator of Python numbers and math.fsum", likelihood_by_a_generator),
    ("tied_m_step", "all minus between, in matrix form", tied_as_all_minus_between),
    ("stepwise_em", "moments merged directly, no statistics kept", stepwise_by_merging_moments),
]
