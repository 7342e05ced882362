"""Answers to homework 13 by somebody who had only the exercise."""

import numpy as np
from scipy.special import ndtr, ndtri, owens_t, softmax

# ---------------------------------------------------------------- Task 1


def _scale(g, left, right, factor, lapse):
    g = np.asarray(g, dtype=float)[:, None]
    distance = np.maximum(np.maximum(left - g, g - right), 0.0)
    return (1 - lapse) * softmax(-factor * distance, axis=1) + lapse / len(left)


def negative_cuts_in_the_order_of_the_positive(g, cuts, steepness, lapse):
    cuts = np.asarray(cuts, dtype=float)
    edges = np.concatenate([-cuts, [0.0], cuts])  # one cut: in order; several: −c₂, −c₃, … are not
    left, right = np.append(-np.inf, edges), np.append(edges, np.inf)
    return _scale(g, left, right, steepness, lapse)


def steepness_is_a_width(g, cuts, steepness, lapse):
    cuts = np.asarray(cuts, dtype=float)
    edges = np.concatenate([-cuts[::-1], [0.0], cuts])
    left, right = np.append(-np.inf, edges), np.append(edges, np.inf)
    return _scale(g, left, right, 1 / steepness, lapse)


# ---------------------------------------------------------------- Task 2


def _statements(low, high):
    low, high = (ndtri(np.clip(np.asarray(limit, dtype=float), 0.001, 0.999)) for limit in (low, high))
    return (low + high) / 2, (high - low) / (2 * ndtri(0.975))


def _conditioned(mean, cov, places, y, std):
    mean, cov = np.array(mean, dtype=float), np.array(cov, dtype=float)
    if len(places):
        among = cov[np.ix_(places, places)] + np.diag(std**2)
        weights = np.linalg.solve(among, cov[places])
        mean, cov = mean + weights.T @ (y - mean[places]), cov - weights.T @ cov[places]
    return mean, cov, ndtr(mean / np.sqrt(1 + np.diag(cov)))


def second_expert_replaces_the_first(mean, cov, places, low, high):
    y, std = _statements(low, high)
    last = {int(place): k for k, place in enumerate(places)}
    rows = np.array(list(last.values()), dtype=int)
    return _conditioned(mean, cov, np.array(list(last), dtype=int), y[rows], std[rows])


def middle_of_the_probabilities(mean, cov, places, low, high):
    _, std = _statements(low, high)
    low, high = (np.clip(np.asarray(limit, dtype=float), 0.001, 0.999) for limit in (low, high))
    return _conditioned(mean, cov, np.asarray(places, dtype=int), ndtri((low + high) / 2), std)


def one_statement_after_another(mean, cov, places, low, high):
    mean, cov = np.array(mean, dtype=float), np.array(cov, dtype=float)
    for place, bottom, top in zip(np.asarray(places, dtype=int), low, high, strict=True):
        ends = ndtri(np.clip([bottom, top], 0.001, 0.999))
        noise = (np.diff(ends)[0] / (2 * ndtri(0.975))) ** 2
        gain = cov[:, place] / (cov[place, place] + noise)
        rest = np.eye(len(mean))
        rest[:, place] -= gain
        mean = mean + gain * (ends.mean() - mean[place])
        cov = rest @ cov @ rest.T + noise * np.outer(gain, gain)  # symmetric whatever is rounded
    return mean, cov, ndtr(mean / np.sqrt(1 + np.diag(cov)))


# ---------------------------------------------------------------- Task 3


def _judged(P, chosen, inside, recall_of_nothing):
    hits, k, n = (chosen & inside).sum(), chosen.sum(), inside.sum()
    recall = hits / n if n else recall_of_nothing
    f1 = 2 * hits / (k + n)
    return chosen, hits / k, recall, f1, ((P - inside) ** 2).mean(), inside.mean()


def _most_probable(P, total):
    order = np.argsort(-P)
    k = np.argmax(2 * np.cumsum(P[order]) / (np.arange(1, len(P) + 1) + total)) + 1
    chosen = np.zeros(len(P), dtype=bool)
    chosen[order[:k]] = True
    return chosen


def truth_tells_how_many(mean, std, truth, level):
    P, inside = ndtr((level - np.asarray(mean)) / np.asarray(std)), np.asarray(truth) <= level
    return _judged(P, _most_probable(P, inside.sum()), inside, 0.0)


def nothing_to_find_is_all_found(mean, std, truth, level):
    P, inside = ndtr((level - np.asarray(mean)) / np.asarray(std)), np.asarray(truth) <= level
    return _judged(P, _most_probable(P, P.sum()), inside, 1.0)


def threshold_at_half_of_the_best(mean, std, truth, level):
    P, inside = ndtr((level - np.asarray(mean)) / np.asarray(std)), np.asarray(truth) <= level
    chosen = np.ones(len(P), dtype=bool)
    for _ in range(len(P)):  # each round drops a place, or is the last one
        half = P[chosen].sum() / (chosen.sum() + P.sum())  # a place is worth taking above half of F
        chosen = half <= P
    k, n, hits = int(chosen.sum()), int(inside.sum()), int(chosen @ inside.astype(int))
    precision, recall = (hits / size if size else 0.0 for size in (k, n))
    f1 = 2 / (1 / precision + 1 / recall) if hits else 0.0
    brier = np.linalg.norm(P - inside) ** 2 / len(P)
    return chosen, precision, recall, f1, brier, n / len(P)


# ---------------------------------------------------------------- Task 4


def _times(t, g, a, b, s, third_factor):
    t, g, s = np.broadcast_arrays(np.asarray(t, float), np.asarray(g, float), np.asarray(s, float))
    h = np.logaddexp(g, -g) - np.log(2)
    h1 = np.tanh(g)
    h2 = 1 - h1**2
    h3 = -2 * h1 * h2
    rest, scale = np.log(t) - a + b * h, -b / s**2
    log_p = -0.5 * (rest / s) ** 2 - np.log(s) - 0.5 * np.log(2 * np.pi) - np.log(t)
    return (
        log_p,
        scale * rest * h1,
        scale * (rest * h2 + b * h1**2),
        scale * (rest * h3 + third_factor * b * h1 * h2),
    )


def hyperbolic_cosine_of_a_clipped_difference(t, g, a, b, s):
    return _times(t, np.clip(np.asarray(g, dtype=float), -300, 300), a, b, s, 3)


def product_rule_forgets_one_term(t, g, a, b, s):
    return _times(t, g, a, b, s, 2)


# ---------------------------------------------------------------- Task 5


def _both_below(h, k, rho):
    """Bivariate normal distribution function from Owen's T, for |ρ| < 1."""
    if h == 0 and k == 0:
        return 0.25 + np.arcsin(rho) / (2 * np.pi)
    root = np.sqrt((1 - rho) * (1 + rho))

    def part(x, y):
        if x == 0:
            return np.sign(y) / 4
        return owens_t(x, (y / x - rho) / root)

    opposite = h * k < 0 or (h * k == 0 and h + k < 0)
    return (ndtr(h) + ndtr(k)) / 2 - part(h, k) - part(k, h) - 0.5 * opposite


def _ahead(mean, cov, star, level):
    mean, cov = np.asarray(mean, dtype=float), np.asarray(cov, dtype=float)
    std, wide = np.sqrt(np.diag(cov)), np.sqrt(1 + cov[star, star])
    a, b, rho = mean[star] / wide, (level - mean) / std, -cov[star] / (std * wide)
    Z = np.array([_both_below(a, x, r) for x, r in zip(b, rho, strict=True)])
    return ndtr(a), ndtr(b), Z


def _answers(up, P, Z, floor, ceiling):
    yes = floor + (ceiling - floor) * up
    both = floor * P + (ceiling - floor) * Z
    return yes, both / yes, (P - both) / (1 - yes)


def changes_place_by_place(mean, cov, star, level, floor, ceiling):
    up, P, Z = _ahead(mean, cov, star, level)
    yes, P_yes, P_no = _answers(up, P, Z, floor, ceiling)
    return yes, P_yes, P_no, yes * np.abs(P - P_yes).sum() + (1 - yes) * np.abs(P - P_no).sum()


def nobody_says_no_by_mistake(mean, cov, star, level, floor, ceiling):
    up, P, Z = _ahead(mean, cov, star, level)
    yes, P_yes, _ = _answers(up, P, Z, floor, ceiling)
    P_no = (P - Z) / (1 - up)
    return yes, P_yes, P_no, yes * abs((P - P_yes).sum()) + (1 - yes) * abs((P - P_no).sum())


def four_answers_of_two_causes(mean, cov, star, level, floor, ceiling):
    up, P, Z = _ahead(mean, cov, star, level)
    cause = np.array([1 - up, up])  # f with its noise below or above 0
    inside = np.stack([P - Z, Z])
    says = np.array([[1 - floor, 1 - ceiling], [floor, ceiling]])  # rows: no, yes
    answer = says @ cause
    P_no, P_yes = (says @ inside) / answer[:, None]
    change = 2 * (ceiling - floor) * abs((up * P - Z).sum())
    return float(answer[1]), P_yes, P_no, float(change)


# ---------------------------------------------------------------- Task 6


def _brier(said, right, levels, shares):
    pooled = shares[np.searchsorted(levels, said)]
    least = ((pooled - right) ** 2).mean()
    return levels, shares, ((said - right) ** 2).mean() - least, right.var() - least


def _levels(said, right):
    said, right = np.asarray(said, dtype=float), np.asarray(right, dtype=float)
    levels, row = np.unique(said, return_inverse=True)
    counts = np.bincount(row)
    return said, right, levels, counts, np.bincount(row, weights=right) / counts


def pools_shares_without_their_numbers(said, right):
    said, right, levels, _, shares = _levels(said, right)
    blocks = []
    for share in shares:
        blocks.append((share, 1))
        while len(blocks) > 1 and blocks[-1][0] <= blocks[-2][0]:
            (second, m), (first, n) = blocks.pop(), blocks.pop()
            blocks.append(((first + second) / 2, m + n))
    pooled = np.repeat([share for share, _ in blocks], [size for _, size in blocks])
    return _brier(said, right, levels, pooled)


def never_looks_back(said, right):
    said, right, levels, counts, shares = _levels(said, right)
    blocks = []
    for share, count in zip(shares, counts, strict=True):
        if blocks and share <= blocks[-1][0]:
            before, answers, size = blocks.pop()
            together = (before * answers + share * count) / (answers + count)
            blocks.append((together, answers + count, size + 1))
        else:
            blocks.append((share, count, 1))
    pooled = np.repeat([block[0] for block in blocks], [block[2] for block in blocks])
    return _brier(said, right, levels, pooled)


def greatest_of_the_least_means(said, right):
    said, right, levels, counts, shares = _levels(said, right)
    n, hits = np.append(0, np.cumsum(counts)), np.append(0, np.cumsum(counts * shares))
    k = len(levels)
    means = np.full((k, k), np.inf)  # means[i, j]: share of right answers from level i to level j
    for i in range(k):
        means[i, i:] = (hits[i + 1 :] - hits[i]) / (n[i + 1 :] - n[i])
    least = np.minimum.accumulate(means[:, ::-1], axis=1)[:, ::-1]
    pooled = np.array([least[: j + 1, j].max() for j in range(k)])
    weight = counts / len(said)
    spread = weight @ (pooled - right.mean()) ** 2  # within a block the mean is right: Pythagoras
    return levels, pooled, weight @ ((levels - shares) ** 2 - (pooled - shares) ** 2), spread


WRONG = [
    (
        "scale_probabilities",
        "the negative cut points stand in the order of the positive ones (right for one cut or none)",
        negative_cuts_in_the_order_of_the_positive,
    ),
    ("scale_probabilities", "divides the distance by s, as by a width (right for s = 1)", steepness_is_a_width),
    (
        "told_beforehand",
        "a second statement about a place replaces the first",
        second_expert_replaces_the_first,
    ),
    (
        "told_beforehand",
        "y from the middle of the probabilities, not the middle of Φ⁻¹ (right if symmetric)",
        middle_of_the_probabilities,
    ),
    ("best_map", "F(k) with the true number inside, though truth is for the scores alone", truth_tells_how_many),
    ("best_map", "a recall of 1 where nothing is inside", nothing_to_find_is_all_found),
    (
        "time_derivatives",
        "clips g at 300, so that cosh does not overflow",
        hyperbolic_cosine_of_a_clipped_difference,
    ),
    (
        "time_derivatives",
        "third derivative with 2 h'h'' in place of 3 h'h'' (right at g = 0, and far out)",
        product_rule_forgets_one_term,
    ),
    (
        "look_ahead",
        "absolute values place by place, then the sum (right if all places change the same way)",
        changes_place_by_place,
    ),
    (
        "look_ahead",
        "a no means that f with its noise is below 0 (right for every floor if the ceiling is 1)",
        nobody_says_no_by_mistake,
    ),
    (
        "calibrate",
        "pools two shares by their plain mean (right if all levels were said equally often)",
        pools_shares_without_their_numbers,
    ),
    ("calibrate", "does not compare a pooled block with the one before it again", never_looks_back),
]

RIGHT = [
    (
        "told_beforehand",
        "one statement after another, the covariance in a form that stays symmetric",
        one_statement_after_another,
    ),
    (
        "best_map",
        "no sorting: a threshold at half of F, repeated until the map stays; F1 as a harmonic mean",
        threshold_at_half_of_the_best,
    ),
    (
        "look_ahead",
        "two causes and two answers as matrices, Z from Owen's T, the change by its short formula",
        four_answers_of_two_causes,
    ),
    (
        "calibrate",
        "no pooling: the greatest of the least means over all ranges of levels",
        greatest_of_the_least_means,
    ),
]
