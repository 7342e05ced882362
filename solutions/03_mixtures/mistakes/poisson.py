"""Task 5, poisson_step(counts, weights, rates)."""

import math

import numpy as np
from scipy.special import gammaln, logsumexp
from scipy.stats import poisson

from .densities import certain, shared, shared_over_points


def log_pmf(counts, rates):
    """(N, K) log probabilities of N counts under K rates."""
    return poisson.logpmf(np.asarray(counts)[:, None], rates)


def without_factorial(counts, rates):
    return log_pmf(counts, rates) + gammaln(counts + 1)[:, None]


def without_exponential(counts, rates):
    return log_pmf(counts, rates) + rates


def without_power(counts, rates):
    return log_pmf(counts, rates) - counts[:, None] * np.log(rates)


def exchanged(counts, rates):
    """As if the rate had been counted and the count were the rate."""
    counts = np.maximum(counts, 1e-12)[:, None]
    return rates * np.log(counts) - counts - gammaln(rates + 1)


def factorial_of_the_count_below(counts, rates):
    return log_pmf(counts, rates) + np.log(np.maximum(counts, 1))[:, None]


def each_point(log_joint):
    return logsumexp(log_joint, axis=1)


def built(pmf=log_pmf, told=None, share=shared, weighted=True, total=lambda log_joint: each_point(log_joint).sum()):
    """An answer made of its decisions: the pmf of the E-step, the one of the likelihood, the sharing, the total."""

    def answer(counts, weights, rates):
        log_weights = np.log(weights) if weighted else 0.0
        gamma = share(pmf(counts, rates) + log_weights)
        totals = gamma.sum(axis=0)
        log_likelihood = total((told or pmf)(counts, rates) + log_weights)
        return totals / len(counts), gamma.T @ counts / totals, float(log_likelihood)

    return answer


right_answer = built()


def changed(weights=None, rates=None, log_likelihood=None):
    """The right answer with one of its parts changed: a function of (counts, γ, right value)."""

    def answer(counts, old_weights, old_rates):
        right = right_answer(counts, old_weights, old_rates)
        gamma = shared(log_pmf(counts, old_rates) + np.log(old_weights))
        others = (weights, rates, log_likelihood)
        return tuple(old if new is None else new(counts, gamma, old) for old, new in zip(right, others, strict=True))

    return answer


def likelihood_after(counts, weights, rates):
    new_weights, new_rates, _ = right_answer(counts, weights, rates)
    return new_weights, new_rates, right_answer(counts, new_weights, new_rates)[2]


def expected_complete(counts, weights, rates):
    """The log likelihood as if the responsibilities were known labels."""
    new_weights, new_rates, _ = right_answer(counts, weights, rates)
    log_joint = log_pmf(counts, rates) + np.log(weights)
    return new_weights, new_rates, float((shared(log_joint) * log_joint).sum())


def product_of_probabilities(log_joint):
    return np.log(np.prod(np.exp(log_joint).sum(axis=1)))


def plain(counts, weights, rates):
    joint = weights * np.exp(log_pmf(counts, rates))
    gamma = joint / joint.sum(axis=1, keepdims=True)
    totals = gamma.sum(axis=0)
    return totals / len(counts), gamma.T @ counts / totals, float(np.log(joint.sum(axis=1)).sum())


def factorials(counts, weights, rates):
    """The formula of the book: the factorial of a large count is no float."""
    pmf = [[rate ** int(c) * math.exp(-rate) / math.factorial(int(c)) for rate in rates] for c in counts]
    joint = weights * np.array(pmf)
    gamma = joint / joint.sum(axis=1, keepdims=True)
    totals = gamma.sum(axis=0)
    return totals / len(counts), gamma.T @ counts / totals, float(np.log(joint.sum(axis=1)).sum())


MISTAKES = {
    "no factorial": built(told=without_factorial),
    "factorial of the count below": built(told=factorial_of_the_count_below),
    "no e^−λ": built(without_exponential),
    "no λ^c": built(without_power),
    "count and rate exchanged": built(exchanged),
    "normalised over the counts": built(share=shared_over_points),
    "hard decisions": built(share=certain),
    "no weights": built(weighted=False),
    "rates divided by N": changed(rates=lambda c, g, old: g.T @ c / len(c)),
    "rates not divided": changed(rates=lambda c, g, old: g.T @ c),
    "all rates the mean": changed(rates=lambda c, g, old: np.full(g.shape[1], c.mean())),
    "weights not divided": changed(weights=lambda c, g, old: g.sum(axis=0)),
    "weights 1/K": changed(weights=lambda c, g, old: np.full(g.shape[1], 1 / g.shape[1])),
    "weights stay": lambda counts, weights, rates: (weights, *right_answer(counts, weights, rates)[1:]),
    "likelihood after the step": likelihood_after,
    "expected complete likelihood": expected_complete,
    "sum of logs": built(total=lambda log_joint: log_joint.sum()),
}

RULE_MISTAKES = {
    "rates upside down": (changed(rates=lambda c, g, old: 1 / old), "What unit has a rate"),
    "mean likelihood": (
        changed(log_likelihood=lambda c, g, old: old / len(c)),
        "Is a mean asked for, or a total?",
    ),
    "sign": (changed(log_likelihood=lambda c, g, old: -old), "larger than 1"),
    "log 2": (changed(log_likelihood=lambda c, g, old: old / np.log(2)), "Which logarithm undoes exp?"),
    "log 10": (changed(log_likelihood=lambda c, g, old: old / np.log(10)), "Which logarithm undoes exp?"),
    "from normalised weights": (
        changed(log_likelihood=lambda c, g, old: np.log(g.sum(axis=1)).sum()),
        "responsibilities always sum to?",
    ),
    "product of probabilities": (built(total=product_of_probabilities), "How small is 0.1 to the 400th"),
    "plain probabilities": (plain, "How small is"),
    "factorials": (factorials, "How large is 900!"),
    "two results": (lambda *given: right_answer(*given)[:2], "3 values are needed"),
}


def loop(counts, weights, rates):
    total, owned, weighted = 0.0, [0.0] * len(rates), [0.0] * len(rates)
    for c in counts:
        logs = [
            math.log(w) + int(c) * math.log(rate) - rate - math.lgamma(int(c) + 1)
            for w, rate in zip(weights, rates, strict=True)
        ]
        top = max(logs)
        log_p = top + math.log(sum(math.exp(log - top) for log in logs))
        total += log_p
        for k, log in enumerate(logs):
            owned[k] += math.exp(log - log_p)
            weighted[k] += math.exp(log - log_p) * c
    return [n / len(counts) for n in owned], [s / n for s, n in zip(weighted, owned, strict=True)], total


def each_value_once(counts, weights, rates):
    """Equal counts are handled together."""
    values, times = np.unique(counts, return_counts=True)
    log_joint = np.log(weights) + values[:, None] * np.log(rates) - rates - gammaln(values + 1)[:, None]
    log_p = np.logaddexp.reduce(log_joint, axis=1)
    gamma = times[:, None] * np.exp(log_joint - log_p[:, None])
    totals = gamma.sum(axis=0)
    return totals / totals.sum(), (gamma * values[:, None]).sum(axis=0) / totals, times @ log_p


def factorial_at_the_end(counts, weights, rates):
    """log c! is the same for every component: the responsibilities do without it."""
    log_joint = np.log(weights) + np.multiply.outer(counts, np.log(rates)) - rates
    log_p = np.logaddexp.reduce(log_joint, axis=1)
    gamma = np.exp(log_joint - log_p[:, None])
    log_likelihood = log_p.sum() - sum(np.log(np.arange(1, c + 1)).sum() for c in counts)
    return gamma.mean(axis=0), np.array([np.average(counts, weights=g) for g in gamma.T]), log_likelihood


RIGHT = {
    "scipy": right_answer,
    "loop with math": loop,
    "each value once": each_value_once,
    "factorial at the end": factorial_at_the_end,
    "0-d array": lambda *given: (*right_answer(*given)[:2], np.array(right_answer(*given)[2])),
}
