"""Answers to homework 11 by somebody who had only the exercise."""

from itertools import starmap
from math import fsum, log, pi

import numpy as np
from scipy.special import log_ndtr, logsumexp, ndtr

# ---------------------------------------------------------------- Task 1


def _differences(K, pairs, new_pairs):
    (a, b), (c, d) = np.asarray(pairs).T, np.asarray(new_pairs).T
    return K[np.ix_(b, d)] - K[np.ix_(b, c)] - K[np.ix_(a, d)] + K[np.ix_(a, c)]


def correlation_of_people(K, people, pairs, persons, new_pairs, new_persons):
    spread = np.sqrt(np.diag(people))
    alike = people / np.outer(spread, spread)
    return alike[np.ix_(persons, new_persons)] * _differences(K, pairs, new_pairs)


def unordered_questions(K, people, pairs, persons, new_pairs, new_persons):
    table = _differences(K, np.sort(pairs, axis=1), np.sort(new_pairs, axis=1))
    return people[np.ix_(persons, new_persons)] * table


# ---------------------------------------------------------------- Task 2


def _sizes(pairs):
    pairs = np.asarray(pairs).reshape(-1, 2)
    return len(np.unique(pairs)), len({(min(p), max(p)) for p in pairs.tolist()})


def _merge(n, pairs):
    group = np.arange(n)
    for a, b in pairs:
        ga, gb = group[a], group[b]
        group[(group == ga) | (group == gb)] = min(ga, gb)
    return group


def leaves_friends_behind(n, pairs):
    group = np.arange(n)
    for a, b in pairs:
        lowest = min(group[a], group[b])
        group[group == group[b]] = lowest
        group[a] = lowest  # the others of a's group keep their number
    return group, _sizes(pairs), len(pairs) - n + len(np.unique(group))


def circles_among_items_that_occur(n, pairs):
    group, sizes = _merge(n, pairs), _sizes(pairs)
    return group, sizes, len(pairs) - sizes[0] + len(np.unique(group))


def pointer_jumping(n, pairs):
    pairs = np.asarray(pairs, dtype=int).reshape(-1, 2)
    group = np.arange(n)
    while True:
        smallest = group.copy()
        low = np.minimum(group[pairs[:, 0]], group[pairs[:, 1]])
        for side in (0, 1):
            np.minimum.at(smallest, pairs[:, side], low)
            np.minimum.at(smallest, group[pairs[:, side]], low)
        smallest = smallest[smallest]
        if np.array_equal(smallest, group):
            break
        group = smallest
    codes = {min(a, b) * n + max(a, b) for a, b in pairs.tolist()}
    roots = int((group == np.arange(n)).sum())
    return group, (len(set(pairs.ravel().tolist())), len(codes)), len(pairs) - n + roots


# ---------------------------------------------------------------- Task 3


def _given(K, Z, u):
    weights = np.linalg.solve(K[np.ix_(Z, Z)], K[Z]).T
    return weights @ u, K - weights @ K[Z]


def pseudo_inputs_in_ascending_order(K, Z, u, pairs, noise_std):
    mu, open_ = _given(K, np.unique(Z), np.asarray(u))
    a, b = np.asarray(pairs).T
    gap, v = mu[b] - mu[a], open_[a, a] + open_[b, b] - 2 * open_[a, b]
    return gap, v, ndtr(gap / np.sqrt(2 * noise_std**2 + v))


def one_known_item_is_enough(K, Z, u, pairs, noise_std):
    mu, open_ = _given(K, np.asarray(Z), np.asarray(u))
    a, b = np.asarray(pairs).T
    gap, v = mu[b] - mu[a], open_[a, a] + open_[b, b] - 2 * open_[a, b]
    v = np.where(np.isin(a, Z) | np.isin(b, Z), 0.0, v)
    return gap, v, ndtr(gap / np.sqrt(2 * noise_std**2 + v))


# ---------------------------------------------------------------- Task 4


def _greedy(K, asked, counted, M, allowed):
    R, left = np.array(K, dtype=float), []
    chosen, candidates = [], list(allowed)

    def still_open():
        a, b = counted.T
        return (R[a, a] + R[b, b] - 2 * R[a, b]).sum()

    left.append(still_open())
    for _ in range(M):
        free = [i for i in candidates if i not in chosen] or [i for i in range(len(K)) if i not in chosen]
        diagonal = np.diag(R)[free]
        known = diagonal <= 1e-12 * K.max()
        gain = ((R[asked[:, 1]] - R[asked[:, 0]])[:, free] ** 2).sum(axis=0) / np.where(known, 1.0, diagonal)
        item = free[int(np.where(known, 0.0, gain).argmax())]
        chosen.append(item)
        if R[item, item] > 1e-12 * K.max():
            R -= np.outer(R[:, item], R[item]) / R[item, item]
        left.append(still_open())
    return np.array(chosen), np.array(left)


def only_items_that_were_asked_about(K, pairs, M):
    pairs = np.asarray(pairs)
    return _greedy(K, pairs, pairs, M, np.unique(pairs).tolist())


def repeated_questions_count_once_for_the_choice(K, pairs, M):
    pairs = np.asarray(pairs)
    return _greedy(K, np.unique(np.sort(pairs, axis=1), axis=0), pairs, M, range(len(K)))


def columns_of_a_pivoted_factor(K, pairs, M):
    K, pairs = np.asarray(K, dtype=float), np.asarray(pairs)
    n = len(K)
    sides = np.zeros((len(pairs), n))
    np.add.at(sides, (np.arange(len(pairs)), pairs[:, 1]), 1.0)
    np.add.at(sides, (np.arange(len(pairs)), pairs[:, 0]), -1.0)
    across, left = sides @ K, np.diag(K).copy()  # (m, n) covariances of differences and values; residual variances
    total = [float(np.einsum("kn,kn->", across, sides))]
    columns, chosen = np.zeros((n, 0)), []
    for _ in range(M):
        usable = left > 1e-12 * K.max()
        gain = np.where(usable, (across**2).sum(axis=0) / np.where(usable, left, 1.0), 0.0)
        gain[chosen] = -1.0
        item = int(gain.argmax())
        chosen.append(item)
        if usable[item]:
            column = (K[:, item] - columns @ columns[item]) / np.sqrt(left[item])
            share = across[:, item] / np.sqrt(left[item])
            across = across - np.outer(share, column)
            columns, left = np.column_stack([columns, column]), left - column**2
            total.append(total[-1] - float(share @ share))
        else:
            total.append(total[-1])
    return np.array(chosen), np.array(total)


# ---------------------------------------------------------------- Task 5


def _table(C, people, noise_std, Y, times, keep_zeros):
    noise_std = np.asarray(noise_std, dtype=float)
    c, U = np.linalg.eigh(C)
    b, V = np.linalg.eigh(people / np.outer(noise_std, noise_std))
    T = U.T @ (Y / noise_std) @ V
    variances = np.outer(c, b) + 1
    if not keep_zeros:
        there = c > 1e-10 * c.max()
        T, variances = T[there], variances[there]
    terms = np.log(2 * np.pi * variances) + T**2 / variances
    return -0.5 * terms.sum() - times * np.log(noise_std).sum()


def density_of_one_row_only(C, people, noise_std, Y):
    return _table(C, people, noise_std, Y, 1, True)


def without_the_zero_eigenvalues(C, people, noise_std, Y):
    return _table(C, people, noise_std, Y, len(Y), False)


def a_small_gaussian_per_eigenvalue(C, people, noise_std, Y):
    c, U = np.linalg.eigh(C)
    noise = np.diag(np.asarray(noise_std, dtype=float) ** 2)

    def row(eigenvalue, answers):
        among = max(eigenvalue, 0.0) * np.asarray(people) + noise
        root = np.linalg.cholesky(among)
        white = np.linalg.solve(root, answers)
        return -0.5 * float(white @ white) - fsum(map(log, np.diag(root))) - 0.5 * len(answers) * log(2 * pi)

    return fsum(starmap(row, zip(c, U.T @ Y, strict=True)))


# ---------------------------------------------------------------- Task 6


def _prediction(tastes, posterior, noise_std, new_pairs):
    a, b = np.asarray(new_pairs, dtype=int).reshape(-1, 2).T
    return posterior @ ndtr((tastes[:, b] - tastes[:, a]) / (np.sqrt(2) * noise_std))


def logarithms_that_are_guarded(tastes, prior, pairs, y, noise_std, new_pairs):
    a, b = np.asarray(pairs, dtype=int).reshape(-1, 2).T
    z = np.asarray(y) * (tastes[:, b] - tastes[:, a]) / (np.sqrt(2) * noise_std)
    logs = np.log(prior) + np.log(np.maximum(ndtr(z), 1e-12)).sum(axis=1)
    posterior = np.exp(logs - logsumexp(logs))
    return posterior, _prediction(tastes, posterior, noise_std, new_pairs)


def expected_taste_then_choice(tastes, prior, pairs, y, noise_std, new_pairs):
    a, b = np.asarray(pairs, dtype=int).reshape(-1, 2).T
    z = np.asarray(y) * (tastes[:, b] - tastes[:, a]) / (np.sqrt(2) * noise_std)
    logs = np.log(prior) + log_ndtr(z).sum(axis=1)
    posterior = np.exp(logs - logsumexp(logs))
    return posterior, _prediction((posterior @ tastes)[None], np.ones(1), noise_std, new_pairs)


def one_answer_after_another(tastes, prior, pairs, y, noise_std, new_pairs):
    unit = np.sqrt(2.0) * noise_std
    belief = np.log(np.asarray(prior, dtype=float))
    for (a, b), choice in zip(np.asarray(pairs, dtype=int).reshape(-1, 2), np.asarray(y).ravel(), strict=True):
        belief = belief + log_ndtr(choice * (tastes[:, b] - tastes[:, a]) / unit)
        belief = belief - np.logaddexp.reduce(belief)
    belief = belief - np.logaddexp.reduce(belief)
    logs = (
        np.logaddexp.reduce(belief + log_ndtr((tastes[:, b] - tastes[:, a]) / unit))
        for a, b in np.asarray(new_pairs, dtype=int).reshape(-1, 2)
    )
    return np.exp(belief), np.exp(np.fromiter(logs, dtype=float))


WRONG = [
    (
        "comparison_covariance",
        "takes the correlation of the people for their covariance (right if all variances are 1)",
        correlation_of_people,
    ),
    (
        "comparison_covariance",
        "a question has no direction: sorts its two items (right if all stand in ascending order)",
        unordered_questions,
    ),
    (
        "groups_and_circles",
        "when two groups meet, only b's group is renumbered whole; of a's group only a moves",
        leaves_friends_behind,
    ),
    (
        "groups_and_circles",
        "n of the circles counts the items that occur, G counts those that nobody was asked about, too",
        circles_among_items_that_occur,
    ),
    ("pseudo_choices", "sorts the pseudo-inputs, but not their values u", pseudo_inputs_in_ascending_order),
    (
        "pseudo_choices",
        "a difference has no residual variance as soon as one of its two items is a pseudo-input",
        one_known_item_is_enough,
    ),
    (
        "choose_items",
        "only items that were asked about may be chosen (right unless another one explains more)",
        only_items_that_were_asked_about,
    ),
    (
        "choose_items",
        "a question that was put twice counts once when the item is chosen, twice in the sums",
        repeated_questions_count_once_for_the_choice,
    ),
    (
        "table_log_evidence",
        "the change of density by the division is counted for one row, not for all m",
        density_of_one_row_only,
    ),
    (
        "table_log_evidence",
        "leaves out the directions in which C is singular, though noise is answered there",
        without_the_zero_eigenvalues,
    ),
    (
        "whose_taste",
        "guards the logarithm by 1e-12, so an answer that contradicts everybody says nothing",
        logarithms_that_are_guarded,
    ),
    (
        "whose_taste",
        "predicts from the expected taste, not with the expected probability",
        expected_taste_then_choice,
    ),
]

RIGHT = [
    ("groups_and_circles", "smallest numbers spread through all questions at once, with jumps", pointer_jumping),
    (
        "choose_items",
        "never updates R: columns of a pivoted Cholesky factor and covariances with the questions",
        columns_of_a_pivoted_factor,
    ),
    (
        "table_log_evidence",
        "turns the questions only: one Gaussian of P people per eigenvalue of C, undivided",
        a_small_gaussian_per_eigenvalue,
    ),
    (
        "whose_taste",
        "updates after each answer, all in logarithms, the prediction as a log-sum as well",
        one_answer_after_another,
    ),
]
