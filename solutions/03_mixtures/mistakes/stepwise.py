"""Task 6, stepwise_em(batches, eta, weights, means, stds)."""

import numpy as np

from .densities import (
    log_normal,
    shared,
    shared_over_points,
    shared_plainly,
    stds_as_variances,
    stds_squared_twice,
)


def e_step(x, parameters, density=log_normal, share=shared, weighted=True):
    weights, means, stds = parameters
    return share(density(x, means, stds) + (np.log(weights) if weighted else 0.0))


def averages(x, gamma):
    """(3, K) averages of γ, γ x and γ x² over a batch."""
    return np.stack([gamma.mean(axis=0), gamma.T @ x / len(x), gamma.T @ x**2 / len(x)])


def at_the_start(weights, means, stds):
    return np.stack([weights, weights * means, weights * (stds**2 + means**2)])


def m_step(statistics, before):
    first, second, third = statistics
    means = second / first
    return first / first.sum(), means, np.sqrt(third / first - means**2)


def mixed(old, new, eta):
    return (1 - eta) * old + eta * new


def built(mix=mixed, statistics=averages, start=at_the_start, maximise=m_step, **expecting):
    """An answer made of its decisions."""

    def answer(batches, eta, weights, means, stds):
        parameters = (weights, means, stds)
        running = start(*parameters)
        for x in batches:
            running = mix(running, statistics(x, e_step(x, parameters, **expecting)), eta)
            parameters = maximise(running, parameters)
        return parameters

    return answer


right_answer = built()


def parameters_averaged(batches, eta, weights, means, stds):
    parameters = (weights, means, stds)
    for x in batches:
        new = m_step(averages(x, e_step(x, parameters)), parameters)
        parameters = tuple(mixed(old, one, eta) for old, one in zip(parameters, new, strict=True))
    return parameters


def responsibilities_never_renewed(batches, eta, weights, means, stds):
    running = at_the_start(weights, means, stds)
    for x in batches:
        running = mixed(running, averages(x, e_step(x, (weights, means, stds))), eta)
    return m_step(running, None)


def every_batch_twice(batches, eta, weights, means, stds):
    """Updates, then takes the responsibilities of the same batch under the new parameters and updates again."""
    return right_answer([x for x in batches for _ in range(2)], eta, weights, means, stds)


def e_step_after_the_update(batches, eta, weights, means, stds):
    """The responsibilities of a batch come from parameters that have already seen it."""
    parameters = (weights, means, stds)
    running = at_the_start(*parameters)
    for x in batches:
        seen = m_step(mixed(running, averages(x, e_step(x, parameters)), eta), parameters)
        running = mixed(running, averages(x, e_step(x, seen)), eta)
        parameters = m_step(running, parameters)
    return parameters


def old_means(statistics, before):
    first, second, third = statistics
    variances = (third - 2 * before[1] * second) / first + before[1] ** 2
    return first / first.sum(), second / first, np.sqrt(variances)


def old_means_squared(statistics, before):
    first, second, third = statistics
    return first / first.sum(), second / first, np.sqrt(np.abs(third / first - before[1] ** 2))


def mean_not_subtracted(statistics, before):
    return statistics[0] / statistics[0].sum(), statistics[1] / statistics[0], np.sqrt(statistics[2] / statistics[0])


def weights_as_they_are(statistics, before):
    return statistics[0], *m_step(statistics, before)[1:]


def not_divided_by_weight(statistics, before):
    first, second, third = statistics
    return first, second, np.sqrt(np.abs(third - second**2))


def variances_handed_on(statistics, before):
    weights, means, stds = m_step(statistics, before)
    return weights, means, stds**2


def variances_at_the_end(batches, eta, weights, means, stds):
    weights, means, stds = right_answer(batches, eta, weights, means, stds)
    return weights, means, stds**2


def sums(x, gamma):
    return len(x) * averages(x, gamma)


def shares_of_each_component(x, gamma):
    """Averages with weights γ, each divided by its own N_k."""
    totals = gamma.sum(axis=0)
    return np.stack([totals / len(x), gamma.T @ x / totals, gamma.T @ x**2 / totals])


MISTAKES = {
    "η exchanged": built(mix=lambda old, new, eta: mixed(new, old, eta)),
    "η as if 1": built(mix=lambda old, new, eta: new),
    "nothing forgotten": built(mix=lambda old, new, eta: old + eta * new),
    "parameters averaged": parameters_averaged,
    "batch sums": built(statistics=sums),
    "divided by N_k": built(statistics=shares_of_each_component),
    "responsibilities never renewed": responsibilities_never_renewed,
    "every batch twice": every_batch_twice,
    "E-step after the update": e_step_after_the_update,
    "one large batch": lambda batches, *rest: right_answer([np.concatenate(batches)], *rest),
    "only the first batch": lambda batches, *rest: right_answer(batches[:1], *rest),
    "spread around the old means": built(maximise=old_means),
    "old means squared": built(maximise=old_means_squared),
    "mean not subtracted": built(maximise=mean_not_subtracted),
    "not divided by the weight": built(maximise=not_divided_by_weight),
    "variances returned": variances_at_the_end,
    "variances handed on": built(maximise=variances_handed_on),
    "starts from nothing": built(start=lambda w, m, s: np.zeros((3, len(w))), maximise=weights_as_they_are),
    "starts from parameters": built(start=lambda w, m, s: np.stack([w, m, s**2 + m**2])),
    "starts with variances not squared": built(start=lambda w, m, s: np.stack([w, w * m, w * (s + m**2)])),
    "starts without the spread": built(start=lambda w, m, s: np.stack([w, w * m, w * m**2])),
    "standard deviations as variances": built(density=stds_as_variances),
    "standard deviations squared twice": built(density=stds_squared_twice),
    "no weights": built(weighted=False),
    "normalised over the points": built(share=shared_over_points),
}

RULE_MISTAKES = {
    "starts without the means": (
        built(start=lambda w, m, s: np.stack([w, w * m, w * s**2])),
        "Can the mean of x² be below",
    ),
    "plain densities": (built(share=shared_plainly), "How small is exp(−1500)"),
}


def loop(batches, eta, weights, means, stds):
    weights, means, stds = list(weights), list(means), list(stds)
    components = range(len(weights))
    s = [[w, w * m, w * (v * v + m * m)] for w, m, v in zip(weights, means, stds, strict=True)]
    for x in batches:
        s = [[(1 - eta) * value for value in row] for row in s]
        for point in x:
            logs = [np.log(weights[k] / stds[k]) - 0.5 * ((point - means[k]) / stds[k]) ** 2 for k in components]
            shares = [np.exp(log - max(logs)) for log in logs]
            for k in components:
                share = eta * shares[k] / sum(shares) / len(x)
                s[k] = [s[k][0] + share, s[k][1] + share * point, s[k][2] + share * point**2]
        weights = [row[0] for row in s]
        means = [row[1] / row[0] for row in s]
        stds = [(row[2] / row[0] - (row[1] / row[0]) ** 2) ** 0.5 for row in s]
    return weights, means, stds


def weighted_points(batches, eta, weights, means, stds):
    """Keeps every point with its weight; the start is two points for each component, μ ± σ."""
    start = (weights, means, stds)
    points = np.concatenate([means - stds, means + stds])
    mass = np.concatenate([np.diag(weights), np.diag(weights)]) / 2
    for x in batches:
        gamma = e_step(x, start)
        points = np.concatenate([points, x])
        mass = np.concatenate([(1 - eta) * mass, eta * gamma / len(x)])
        totals = mass.sum(axis=0)
        centre = mass.T @ points / totals
        spread = (mass * (points[:, None] - centre) ** 2).sum(axis=0) / totals
        start = (totals, centre, np.sqrt(spread))
    return start


def steps_towards_the_batch(batches, eta, weights, means, stds):
    """The same update written as s + η (s_batch − s), on an array of triples."""
    powers = np.arange(3)
    s = weights[:, None] * np.stack([np.ones_like(means), means, stds**2 + means**2], axis=1)
    for x in batches:
        log_joint = np.log(s[:, 0]) + log_normal(x, means, stds)
        gamma = np.exp(log_joint - np.logaddexp.reduce(log_joint, axis=1)[:, None])
        s = s + eta * (gamma.T @ x[:, None] ** powers / len(x) - s)
        means = s[:, 1] / s[:, 0]
        stds = np.sqrt(s[:, 2] / s[:, 0] - means**2)
    return s[:, 0], means, stds


RIGHT = {
    "three statistics": right_answer,
    "loop, lists": loop,
    "weighted points": weighted_points,
    "steps towards the batch": steps_towards_the_batch,
}
