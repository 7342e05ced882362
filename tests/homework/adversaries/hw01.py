"""Answers to homework 01 by somebody who had only the exercise."""

import heapq
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext

import numpy as np

# ---------------------------------------------------------------- wrong


def _distances(x, y):
    """Absolute differences, (T_x, T_y)."""
    return np.abs(np.subtract.outer(np.asarray(x, dtype=float), np.asarray(y, dtype=float)))


def _accumulate(local):
    """Plain DTW: the table D with unit weights."""
    total = np.full((local.shape[0] + 1, local.shape[1] + 1), np.inf)
    total[0, 0] = 0.0
    for i in range(local.shape[0]):
        for j in range(local.shape[1]):
            total[i + 1, j + 1] = local[i, j] + min(total[i, j], total[i, j + 1], total[i + 1, j])
    return total[1:, 1:]


def fine_for_the_first_step_of_a_rest(x, y, omega):
    local = _distances(x, y)
    rows, columns = local.shape
    diagonal, down, right = (np.full((rows + 1, columns + 1), np.inf) for _ in range(3))
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            here = local[i - 1, j - 1]
            if i == j == 1:
                diagonal[1, 1] = here
                continue
            diagonal[i, j] = here + min(table[i - 1, j - 1] for table in (diagonal, down, right))
            down[i, j] = here + min(down[i - 1, j], diagonal[i - 1, j] + omega, right[i - 1, j] + omega)
            right[i, j] = here + min(right[i, j - 1], diagonal[i, j - 1] + omega, down[i, j - 1] + omega)
    return float(min(table[rows, columns] for table in (diagonal, down, right)))


def border_of_an_edit_distance(x, y, omega):
    local = _distances(x, y)
    rows, columns = local.shape
    total = np.zeros((rows + 1, columns + 1))
    total[1:, 0] = omega * np.arange(1, rows + 1)
    total[0, 1:] = omega * np.arange(1, columns + 1)
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            ways = total[i - 1, j - 1], total[i - 1, j] + omega, total[i, j - 1] + omega
            total[i, j] = local[i - 1, j - 1] + min(ways)
    return float(total[-1, -1])


def jumps_from_the_edge_to_the_corner(accumulated, omega):
    i, j = accumulated.shape[0] - 1, accumulated.shape[1] - 1
    path = [(i, j)]
    while i > 0 and j > 0:
        ways = [
            (accumulated[i - 1, j - 1], i - 1, j - 1),
            (accumulated[i - 1, j] + omega, i - 1, j),
            (accumulated[i, j - 1] + omega, i, j - 1),
        ]
        _, i, j = min(ways)
        path.append((i, j))
    if path[-1] != (0, 0):
        path.append((0, 0))
    return path[::-1]


def walks_forwards(accumulated, omega):
    rows, columns = accumulated.shape
    i = j = 0
    path = [(0, 0)]
    while (i, j) != (rows - 1, columns - 1):
        ways = []
        for down, right in ((1, 1), (1, 0), (0, 1)):
            if i + down < rows and j + right < columns:
                fine = 0 if down and right else omega
                ways.append((accumulated[i + down, j + right] + fine, i + down, j + right))
        _, i, j = min(ways)
        path.append((i, j))
    return np.array(path)


def largest_distance_on_the_dtw_path(x, y):
    local = _distances(x, y)
    total = _accumulate(local)
    i, j = local.shape[0] - 1, local.shape[1] - 1
    leash = local[i, j]
    while i or j:
        ways = [(i - 1, j - 1), (i - 1, j), (i, j - 1)]
        i, j = min((way for way in ways if min(way) >= 0), key=lambda way: total[way])
        leash = max(leash, local[i, j])
    return float(leash)


def nearest_points_and_both_ends(x, y):
    local = _distances(x, y)
    return float(max(local.min(axis=0).max(), local.min(axis=1).max(), local[0, 0], local[-1, -1]))


def lost_if_all_features_are(x, y):
    off = np.asarray(x, dtype=float)[:, None, :] - np.asarray(y, dtype=float)[None, :, :]
    return float(_accumulate(np.sqrt(np.nansum(off**2, axis=2)))[-1, -1])


def root_of_the_total(x, y):
    off = np.asarray(x, dtype=float)[:, None, :] - np.asarray(y, dtype=float)[None, :, :]
    squared = (off**2).sum(axis=2)
    squared[np.isnan(squared)] = 0.0
    return float(np.sqrt(_accumulate(squared)[-1, -1]))


def total_over_all_templates(distances, labels, k, min_votes):
    labels, answers = np.asarray(labels), []
    for row in np.asarray(distances):
        voters = np.argsort(row, kind="stable")[:k]
        names, votes = np.unique(labels[voters], return_counts=True)
        ahead = names[votes == votes.max()]
        winner = min(ahead, key=lambda name: row[labels == name].sum())
        answers.append(winner if votes.max() >= min_votes else -1)
    return np.array(answers)


def nearest_of_those_with_enough_votes(distances, labels, k, min_votes):
    labels, answers = np.asarray(labels), []
    for row in np.asarray(distances):
        voters = np.argsort(row, kind="stable")[:k]
        names, votes = np.unique(labels[voters], return_counts=True)
        enough = names[votes >= min_votes]
        totals = [row[voters][labels[voters] == name].sum() / votes[names == name][0] for name in enough]
        answers.append(enough[int(np.argmin(totals))] if len(enough) else -1)
    return np.array(answers)


def _soft(x, y, gamma):
    local = _distances(x, y) ** 2
    rows, columns = local.shape
    total = np.full((rows + 1, columns + 1), np.inf)
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            if i == j == 1:
                total[1, 1] = local[0, 0]
                continue
            ways = np.array([total[i - 1, j - 1], total[i - 1, j], total[i, j - 1]])
            best = ways.min()
            total[i, j] = local[i - 1, j - 1] + best - gamma * np.log(np.exp((best - ways) / gamma).sum())
    return float(total[-1, -1])


def no_distance_is_negative(x, y, gamma):
    return max(0.0, _soft(x, y, gamma))


def a_small_temperature_is_zero(x, y, gamma):
    if gamma <= 0.1:
        return float(_accumulate(_distances(x, y) ** 2)[-1, -1])
    return _soft(x, y, gamma)


# ---------------------------------------------------------------- right


def amerced_as_shortest_way(x, y, omega):
    """Cells are towns, steps are roads: the shortest way from the first to the last, with a queue."""
    local = _distances(x, y)
    rows, columns = local.shape
    done = np.zeros(local.shape, dtype=bool)
    queue = [(local[0, 0], 0, 0)]
    while queue:
        cost, i, j = heapq.heappop(queue)
        if (i, j) == (rows - 1, columns - 1):
            return float(cost)
        if done[i, j]:
            continue
        done[i, j] = True
        for a, b, fine in ((i + 1, j + 1, 0.0), (i + 1, j, omega), (i, j + 1, omega)):
            if a < rows and b < columns and not done[a, b]:
                heapq.heappush(queue, (cost + fine + local[a, b], a, b))
    raise AssertionError("there is always a way")


def leash_by_halving(x, y):
    """Try a leash: can both come to the end with it? Halve the list of all lengths that are possible."""
    local = _distances(x, y)
    lengths = np.unique(local)

    def arrives(leash):
        free = (local <= leash).tolist()
        reached = [False] * local.shape[1]
        for i, row in enumerate(free):
            before, reached = reached, []
            for j, ok in enumerate(row):
                came = (i == j == 0) or before[j] or (j > 0 and (before[j - 1] or reached[-1]))
                reached.append(ok and came)
        return reached[-1]

    low, high = 0, len(lengths) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if arrives(lengths[middle]) else (middle + 1, high)
    return float(lengths[low])


def vote_with_tables(distances, labels, k, min_votes):
    """All recordings at once: tables of votes and of totals, and the least one of them in lexical order."""
    distances = np.asarray(distances, dtype=float)
    names, which = np.unique(labels, return_inverse=True)
    voters = np.argsort(distances, axis=1, kind="stable")[:, :k]
    ballot = np.eye(len(names))[which[voters]]  # (N, k, number of labels)
    votes = ballot.sum(axis=1)
    totals = np.einsum("nk,nkl->nl", np.take_along_axis(distances, voters, axis=1), ballot)
    winner = np.lexsort((totals, -votes), axis=1)[:, 0]
    enough = np.take_along_axis(votes, winner[:, None], axis=1)[:, 0] >= min_votes
    return np.where(enough, names[winner], -1)


def soft_dtw_in_decimals(x, y, gamma):
    """No log space: numbers whose exponent has eighteen digits do not underflow."""
    with localcontext() as context:
        context.prec, context.Emin, context.Emax = 25, MIN_EMIN, MAX_EMAX
        temperature = Decimal(float(gamma))
        xs, ys = ([Decimal(float(value)) for value in values] for values in (x, y))
        row = None
        for a in xs:
            before, row = row, []
            for j, b in enumerate(ys):
                ways = Decimal(1) if before is None and j == 0 else Decimal(0)
                if j:
                    ways += row[-1]
                if before is not None:
                    ways += before[j] + (before[j - 1] if j else 0)
                row.append((-((a - b) ** 2) / temperature).exp() * ways)
        return float(-temperature * row[-1].ln())


WRONG = [
    (
        "amerced_dtw",
        "the fine is paid once for a rest, however many steps in the same direction it has",
        fine_for_the_first_step_of_a_rest,
    ),
    (
        "amerced_dtw",
        "the border holds multiples of ω, so that first frames can be skipped without a local distance",
        border_of_an_edit_distance,
    ),
    ("amerced_path", "at an edge of the table the next cell is (0, 0)", jumps_from_the_edge_to_the_corner),
    ("amerced_path", "walks from the first cell to the cheapest next one", walks_forwards),
    (
        "bottleneck_dtw",
        "the largest distance on the path whose sum is least",
        largest_distance_on_the_dtw_path,
    ),
    (
        "bottleneck_dtw",
        "the largest distance to a nearest point (and both ends), without any order in time",
        nearest_points_and_both_ends,
    ),
    (
        "dtw_with_gaps",
        "a frame with one missing feature is compared by the others (right for one feature)",
        lost_if_all_features_are,
    ),
    ("dtw_with_gaps", "squares are added along the path, the root is taken at the end", root_of_the_total),
    (
        "vote",
        "a tie is decided by the total distance to all templates of a label, not to its voters",
        total_over_all_templates,
    ),
    (
        "vote",
        "among the labels with min_votes or more the nearest wins, not the one with the most votes",
        nearest_of_those_with_enough_votes,
    ),
    ("soft_dtw", "a distance cannot be negative: clipped at 0", no_distance_is_negative),
    (
        "soft_dtw",
        "for a small γ the plain minimum (right unless several paths are almost equally good)",
        a_small_temperature_is_zero,
    ),
]

RIGHT = [
    ("amerced_dtw", "shortest way in a graph, with a priority queue", amerced_as_shortest_way),
    ("bottleneck_dtw", "halving the sorted list of distances, and a test of reachability", leash_by_halving),
    ("vote", "tables for all recordings at once and a lexical sort", vote_with_tables),
    ("soft_dtw", "plain sums of exponentials in decimals of 25 digits", soft_dtw_in_decimals),
]
