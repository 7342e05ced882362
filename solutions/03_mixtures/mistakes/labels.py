"""Task 4, semi_supervised_step(x, labels, weights, means, stds)."""

import numpy as np
from scipy.stats import norm

from .densities import (
    certain,
    log_normal,
    shared,
    shared_over_points,
    shared_plainly,
    stds_as_variances,
    stds_squared_twice,
)


def taught(gamma, labels, known):
    """Responsibilities in which the known points belong to the component of their label, and wholly."""
    gamma = gamma.copy()
    gamma[known] = np.eye(gamma.shape[1])[labels[known]]
    return gamma


def m_step(x, gamma):
    return gamma.sum(axis=0) / len(x), gamma.T @ x / gamma.sum(axis=0)


def built(known=lambda labels: labels >= 0, density=log_normal, share=shared, weighted=True, teach=taught):
    """An answer made of its decisions: which points are known, the E-step of the others, what a label does."""

    def answer(x, labels, weights, means, stds):
        gamma = share(density(x, means, stds) + (np.log(weights) if weighted else 0.0))
        gamma = teach(gamma, labels, known(labels))
        return (gamma, *m_step(x, gamma))

    return answer


right_answer = built()


def last_component_too(gamma, labels, known):
    """Every row gets its label, and −1 is the last component."""
    return np.eye(gamma.shape[1])[labels]


def added(gamma, labels, known):
    gamma = gamma.copy()
    gamma[np.flatnonzero(known), labels[known]] += 1
    return gamma


def only_the_others_erased(gamma, labels, known):
    """The known component keeps its probability; the row adds up to less than 1."""
    return np.where(known[:, None], gamma * np.eye(gamma.shape[1])[labels], gamma)


def counted_from_one(gamma, labels, known):
    return taught(gamma, labels - 1, known)


def dropped(x, labels, weights, means, stds):
    known = labels >= 0
    return right_answer(x[known], labels[known], weights, means, stds)


def unknown_points_erased(gamma, labels, known):
    return np.where(known[:, None], taught(gamma, labels, known), 0.0)


def m_step_on(chosen):
    """The right responsibilities, but weights and means from some of the points only."""

    def answer(x, labels, weights, means, stds):
        gamma = right_answer(x, labels, weights, means, stds)[0]
        rows = chosen(labels)
        return (gamma, *m_step(x[rows], gamma[rows]))

    return answer


def m_step_ignores_labels(x, labels, weights, means, stds):
    gamma, *_ = right_answer(x, labels, weights, means, stds)
    return (gamma, *built(teach=lambda gamma, labels, known: gamma)(x, labels, weights, means, stds)[1:])


def impossible_component_erased(gamma, labels, known):
    """Multiplies by the label and divides again: 0/0 for a point whose own component finds it impossible."""
    gamma = only_the_others_erased(gamma, labels, known)
    return gamma / gamma.sum(axis=1, keepdims=True)


def other_m_step(weights=None, means=None):
    """The right responsibilities; weights or means as another function of (x, γ)."""

    def answer(x, labels, *parameters):
        gamma, *right = right_answer(x, labels, *parameters)
        changed = (weights, means)
        found = [value if new is None else new(x, gamma) for value, new in zip(right, changed, strict=True)]
        return (gamma, *found)

    return answer


def half(gamma, labels, known):
    return np.where(known[:, None], (gamma + taught(gamma, labels, known)) / 2, gamma)


MISTAKES = {
    "labels ignored": built(teach=lambda gamma, labels, known: gamma),
    "points without a label dropped": dropped,
    "points without a label erased": built(teach=unknown_points_erased),
    "M-step on labelled points only": m_step_on(lambda labels: labels >= 0),
    "M-step on unlabelled points only": m_step_on(lambda labels: labels < 0),
    "M-step ignores labels": m_step_ignores_labels,
    "label 0 taken for unknown": built(known=lambda labels: labels > 0),
    "−1 is the last component": built(teach=last_component_too),
    "labels added": built(teach=added),
    "others erased, not divided": built(teach=only_the_others_erased),
    "label as half the truth": built(teach=half),
    "labels counted from 1": built(teach=counted_from_one),
    "hard decisions for all": built(share=certain),
    "normalised over the points": built(share=shared_over_points),
    "no weights": built(weighted=False),
    "standard deviations as variances": built(density=stds_as_variances),
    "standard deviations squared twice": built(density=stds_squared_twice),
    "weights not divided": other_m_step(weights=lambda x, g: g.sum(axis=0)),
    "weights 1/K": other_m_step(weights=lambda x, g: np.full(g.shape[1], 1 / g.shape[1])),
    "means divided by N": other_m_step(means=lambda x, g: g.T @ x / len(x)),
}

RULE_MISTAKES = {
    "impossible component": (built(teach=impossible_component_erased), "zero divided by zero"),
    "components in rows": (lambda *given: (right_answer(*given)[0].T, *right_answer(*given)[1:]), "One row for each"),
    "responsibilities only": (lambda *given: right_answer(*given)[0], "3 values are needed"),
}


def loop(x, labels, weights, means, stds):
    gamma = []
    for point, label in zip(x, labels, strict=True):
        if label == -1:
            joint = [w * norm.pdf(point, m, s) for w, m, s in zip(weights, means, stds, strict=True)]
            gamma.append([one / sum(joint) for one in joint])
        else:
            gamma.append([float(k == label) for k in range(len(weights))])
    totals = [sum(column) for column in zip(*gamma, strict=True)]
    sums = [sum(g[k] * point for g, point in zip(gamma, x, strict=True)) for k in range(len(weights))]
    return gamma, [n / len(x) for n in totals], [s / n for s, n in zip(sums, totals, strict=True)]


def labels_as_evidence(x, labels, weights, means, stds):
    """A label says that all other components are impossible: −∞ in their logs."""
    log_joint = np.log(weights) + log_normal(x, means, stds)
    component = np.arange(len(weights))
    log_joint[(labels[:, None] >= 0) & (labels[:, None] != component)] = -np.inf
    gamma = np.exp(log_joint - np.logaddexp.reduce(log_joint, axis=1)[:, None])
    return gamma, gamma.mean(axis=0), np.array([np.average(x, weights=column) for column in gamma.T])


def two_groups(x, labels, weights, means, stds):
    unknown = labels == -1
    gamma = np.zeros((len(x), len(weights)))
    gamma[unknown] = shared_plainly(log_normal(x[unknown], means, stds) + np.log(weights))
    gamma[~unknown, labels[~unknown]] = 1
    return [gamma, *m_step(x, gamma)]


RIGHT = {
    "one-hot rows": right_answer,
    "loop, lists": loop,
    "labels as evidence": labels_as_evidence,
    "two groups": two_groups,
}
