"""Answers to homework 11 by somebody who had only the exercise."""

import numpy as np
from scipy.special import log_ndtr, logsumexp, ndtr

LOG_2PI = np.log(2 * np.pi)


def item_part(K, pairs, new_pairs):
    (a, b), (c, d) = np.asarray(pairs).T, np.asarray(new_pairs).T
    return K[np.ix_(b, d)] - K[np.ix_(b, c)] - K[np.ix_(a, d)] + K[np.ix_(a, c)]


def smallest_numbers(n, pairs):
    """Smallest number that hangs together with each item."""
    group = list(range(n))
    for a, b in np.asarray(pairs).tolist():
        low, high = sorted((group[a], group[b]))
        group = [low if g == high else g for g in group]
    return np.array(group)


def two_sizes(pairs):
    return len(np.unique(pairs)), len({frozenset(pair) for pair in np.asarray(pairs).tolist()})


def open_variance(R, a, b):
    return R[a, a] + R[b, b] - 2 * R[a, b]


def eigen_evidence(C, B, Y):
    """Log evidence of a table with noise 1."""
    c, U = np.linalg.eigh(C)
    b, V = np.linalg.eigh(B)
    variances = np.outer(c, b) + 1
    return -0.5 * np.sum((U.T @ Y @ V) ** 2 / variances + np.log(variances) + LOG_2PI)


def differences(tastes, pairs):
    pairs = np.asarray(pairs, dtype=int).reshape(-1, 2)
    return tastes[:, pairs[:, 1]] - tastes[:, pairs[:, 0]]


# ---------------------------------------------------------------- wrong: slips of the hand


def last_sign(K, people, pairs, persons, new_pairs, new_persons):
    (a, b), (c, d) = np.asarray(pairs).T, np.asarray(new_pairs).T
    items = K[np.ix_(b, d)] - K[np.ix_(b, c)] - K[np.ix_(a, d)] - K[np.ix_(a, c)]
    return people[np.ix_(persons, new_persons)] * items


def density_changed_once(C, people, noise_std, Y):
    evidence = eigen_evidence(C, people / np.outer(noise_std, noise_std), Y / noise_std)
    return evidence - np.sum(np.log(noise_std))


def root_lost_in_the_prediction(tastes, prior, pairs, y, noise_std, new_pairs):
    log_p = np.log(prior) + log_ndtr(y * differences(tastes, pairs) / (np.sqrt(2) * noise_std)).sum(axis=1)
    posterior = np.exp(log_p - logsumexp(log_p))
    return posterior, posterior @ ndtr(differences(tastes, new_pairs) / (2 * noise_std))


def prior_inside_the_sum(tastes, prior, pairs, y, noise_std, new_pairs):
    scale = np.sqrt(2) * noise_std
    if len(y) == 0:
        return prior, prior @ ndtr(differences(tastes, new_pairs) / scale)
    log_p = np.sum(np.log(prior)[:, None] + log_ndtr(y * differences(tastes, pairs) / scale), axis=1)
    posterior = np.exp(log_p - logsumexp(log_p))
    return posterior, posterior @ ndtr(differences(tastes, new_pairs) / scale)


# ---------------------------------------------------------------- wrong: misread


def people_as_correlations(K, people, pairs, persons, new_pairs, new_persons):
    spreads = np.sqrt(np.diag(people))
    share = people / np.outer(spreads, spreads)
    return share[np.ix_(persons, new_persons)] * item_part(K, pairs, new_pairs)


def open_with_the_noise(K, Z, u, pairs, noise_std):
    a, b = np.asarray(pairs).T
    weights = np.linalg.solve(K[np.ix_(Z, Z)], K[Z]).T
    mean = weights @ u
    left = open_variance(K - weights @ K[Z], a, b) + 2 * noise_std**2
    return mean[b] - mean[a], left, ndtr((mean[b] - mean[a]) / np.sqrt(left))


def sum_before_the_square(K, pairs, M):
    a, b = np.asarray(pairs).T
    R, chosen, left = K.astype(float), [], [open_variance(K, a, b).sum()]
    for _ in range(M):
        gains = np.full(len(K), -np.inf)
        for i in set(range(len(K))) - set(chosen):
            gains[i] = (R[b, i] - R[a, i]).sum() ** 2 / R[i, i] if R[i, i] > 1e-10 * K[i, i] else 0.0
        i = int(gains.argmax())
        if R[i, i] > 1e-10 * K[i, i]:
            R = R - np.outer(R[:, i], R[i]) / R[i, i]
        chosen.append(i)
        left.append(open_variance(R, a, b).sum())
    return np.array(chosen), np.array(left)


def one_noise_for_all(C, people, noise_std, Y):
    noise = np.sqrt(np.mean(np.square(noise_std)))
    return eigen_evidence(C, people / noise**2, Y / noise) - Y.size * np.log(noise)


# ---------------------------------------------------------------- wrong: only in a corner


def again_closes_nothing(n, pairs):
    group, sizes = smallest_numbers(n, pairs), two_sizes(pairs)
    return group, sizes, sizes[1] - n + len(np.unique(group))


def groups_of_the_asked(n, pairs):
    group = smallest_numbers(n, pairs)
    asked = np.unique(pairs)
    return group, two_sizes(pairs), len(pairs) - n + len(np.unique(group[asked]))


def pseudo_inputs_ascending(K, Z, u, pairs, noise_std):
    a, b = np.asarray(pairs).T
    chosen = np.isin(np.arange(len(K)), Z)
    weights = np.linalg.solve(K[np.ix_(chosen, chosen)], K[chosen]).T
    mean = (weights @ u)[b] - (weights @ u)[a]
    left = np.maximum(open_variance(K - weights @ K[chosen], a, b), 0)
    return mean, left, ndtr(mean / np.sqrt(2 * noise_std**2 + left))


def chosen_again_when_all_is_told(K, pairs, M):
    a, b = np.asarray(pairs).T
    R, chosen, left = np.array(K, dtype=float), [], [open_variance(K, a, b).sum()]
    for _ in range(M):
        variances = np.diag(R)
        told = variances < 1e-9 * np.diag(K)
        gains = np.where(told, 0.0, np.sum((R[b] - R[a]) ** 2, axis=0) / np.where(told, 1.0, variances))
        i = int(gains.argmax())
        if not told[i]:
            R = R - np.outer(R[:, i], R[i]) / R[i, i]
            R[i], R[:, i] = 0.0, 0.0
        chosen.append(i)
        left.append(open_variance(R, a, b).sum())
    return np.array(chosen), np.array(left)


WRONG = [
    ("comparison_covariance", "minus K_ac in place of plus", last_sign),
    ("comparison_covariance", "B made into correlations before it is used", people_as_correlations),
    ("groups_and_circles", "a question put again closes no circle", again_closes_nothing),
    ("groups_and_circles", "items that nobody was asked about are not counted as groups", groups_of_the_asked),
    ("pseudo_choices", "returns the residual variance with the noise of the choice in it", open_with_the_noise),
    (
        "pseudo_choices",
        "a mask for Z: right only if Z is ascending, as u is in the order of Z",
        pseudo_inputs_ascending,
    ),
    ("choose_items", "adds the covariances over the questions, then squares", sum_before_the_square),
    ("choose_items", "nothing bars chosen items: item 0 again when all is explained", chosen_again_when_all_is_told),
    ("table_log_evidence", "the change of density once, not once for each question", density_changed_once),
    ("table_log_evidence", "one noise for all people, the mean of the variances", one_noise_for_all),
    ("whose_taste", "2σ in place of √2 σ, in the prediction only", root_lost_in_the_prediction),
    ("whose_taste", "the prior is added once for each answer", prior_inside_the_sum),
]


# ---------------------------------------------------------------- right


def signed_rows(K, people, pairs, persons, new_pairs, new_persons):
    """M K Mᵀ with rows of −1 and 1, and one-hot rows for people."""
    items, each = np.eye(len(K)), np.eye(len(people))
    asked = items[np.asarray(pairs)[:, 1]] - items[np.asarray(pairs)[:, 0]]
    new = items[np.asarray(new_pairs)[:, 1]] - items[np.asarray(new_pairs)[:, 0]]
    return (asked @ K @ new.T) * (each[persons] @ people @ each[new_persons].T)


def numbers_that_flow(n, pairs):
    """Small numbers flow along the questions until nothing changes; circles by the dimension of what is known."""
    pairs = np.asarray(pairs, dtype=int).reshape(-1, 2)
    group, before = np.arange(n), None
    while before is None or (group != before).any():
        before = group.copy()
        np.minimum.at(group, pairs[:, 0], before[pairs[:, 1]])
        np.minimum.at(group, pairs[:, 1], before[pairs[:, 0]])
        group = group[group]
    different = np.unique(np.sort(pairs, axis=1) @ [n, 1]).size
    known = sum(1 for item, smallest in enumerate(group) if item != smallest)
    return group, (int(np.unique(pairs).size), int(different)), len(pairs) - known


def direction_after_direction(C, people, noise_std, Y):
    """Only C is turned: in each of its directions the people are one Gaussian, with their own noise."""
    strengths, directions = np.linalg.eigh(C)
    total = 0.0
    for strength, answers in zip(strengths, directions.T @ Y, strict=False):
        covariance = max(strength, 0.0) * np.asarray(people) + np.diag(np.square(noise_std))
        factor = np.linalg.cholesky(covariance)
        white = np.linalg.solve(factor, answers)
        total -= 0.5 * white @ white + np.log(np.diag(factor)).sum() + 0.5 * len(answers) * LOG_2PI
    return total


def belief_after_belief(tastes, prior, pairs, y, noise_std, new_pairs):
    """Bayes after each answer, the posterior is the next prior; all in logarithms."""
    belief = np.log(prior)
    for (a, b), choice in zip(pairs, y, strict=False):
        belief = belief + log_ndtr(choice * (tastes[:, b] - tastes[:, a]) / (noise_std * 2**0.5))
        belief = belief - np.logaddexp.reduce(belief)
    log_next = [log_ndtr((tastes[:, b] - tastes[:, a]) / (noise_std * 2**0.5)) for a, b in new_pairs]
    return np.exp(belief), np.array([np.exp(np.logaddexp.reduce(belief + one)) for one in log_next])


RIGHT = [
    ("comparison_covariance", "matrices of signed and one-hot rows", signed_rows),
    ("groups_and_circles", "numbers flow along the questions; circles by counting what is known", numbers_that_flow),
    ("table_log_evidence", "eigenvectors of C only, then one Gaussian for each", direction_after_direction),
    ("whose_taste", "Bayes after each answer, in logarithms", belief_after_belief),
]
