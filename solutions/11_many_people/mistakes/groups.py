"""Task 2, groups_and_circles(n, pairs)."""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components


def labels(n, pairs):
    """(n,) the smallest item of each one's group."""
    group = np.arange(n)
    for _ in range(n):
        for a, b in pairs:
            group[[a, b]] = min(group[a], group[b])
    return group


def report(
    group=labels,
    sizes=lambda n, pairs: (len(np.unique(pairs)), len(np.unique(np.sort(pairs, axis=1), axis=0))),
    circles=lambda n, m, groups, pairs: m - n + groups,
):
    """An answer with other groups, other sizes, or another number of circles."""

    def answer(n, pairs):
        told, found = np.array(group(n, pairs)), labels(n, pairs)
        return told, np.array(sizes(n, pairs)), int(circles(n, len(pairs), len(np.unique(found)), pairs))

    return answer


right_answer = report()


def distinct(pairs):
    return len(np.unique(np.sort(pairs, axis=1), axis=0))


def one_pass(n, pairs):
    group = np.arange(n)
    for a, b in pairs:
        group[a] = group[b] = min(group[a], group[b])
    return group


def relabel_b_only(n, pairs):
    """Only the two items are told, not their groups; b takes what a has."""
    group = np.arange(n)
    for a, b in pairs:
        group[b] = group[a]
    return group


def directed(n, pairs):
    """Only from a to b: what a has, b gets."""
    group = np.arange(n)
    for _ in range(n):
        for a, b in pairs:
            group[b] = min(group[a], group[b])
    return group


def neighbours(n, pairs):
    """The smallest item with which one was compared directly."""
    group = np.arange(n)
    for a, b in pairs:
        group[a], group[b] = min(group[a], b), min(group[b], a)
    return group


def numbered(n, pairs):
    return np.unique(labels(n, pairs), return_inverse=True)[1]


def largest(n, pairs):
    group = labels(n, pairs)
    return np.array([np.flatnonzero(group == one).max() for one in group])


def size_of_group(n, pairs):
    group = labels(n, pairs)
    return np.bincount(group, minlength=n)[group]


def unasked_together(n, pairs):
    group = labels(n, pairs)
    alone = np.setdiff1d(np.arange(n), pairs)
    if len(alone):
        group[alone] = alone.min()
    return group


def unasked_as_minus_one(n, pairs):
    group = labels(n, pairs)
    group[np.setdiff1d(np.arange(n), pairs)] = -1
    return group


def asked_only(n, pairs):
    return labels(n, pairs)[np.unique(pairs)]


MISTAKES = {
    "one pass": report(one_pass),
    "one item relabelled": report(relabel_b_only),
    "direct comparisons only": report(neighbours),
    "directed": report(directed),
    "numbered": report(numbered),
    "largest": report(largest),
    "size of the group": report(size_of_group),
    "unasked together": report(unasked_together),
    "unasked as −1": report(unasked_as_minus_one),
    "asked only": report(asked_only),
    "all items": report(sizes=lambda n, p: (n, distinct(p))),
    "all answers": report(sizes=lambda n, p: (len(np.unique(p)), len(p))),
    "ordered pairs": report(sizes=lambda n, p: (len(np.unique(p)), len(np.unique(p, axis=0)))),
    "items counted twice": report(sizes=lambda n, p: (p.size, distinct(p))),
    "sizes swapped": report(sizes=lambda n, p: (distinct(p), len(np.unique(p)))),
    "possible pairs": report(sizes=lambda n, p: (len(np.unique(p)), n * (n - 1) // 2)),
    "as if connected": report(circles=lambda n, m, g, p: m - n + 1),
    "minus items": report(circles=lambda n, m, g, p: m - n),
    "groups with the wrong sign": report(circles=lambda n, m, g, p: m - n - g),
    "asked items only": report(circles=lambda n, m, g, p: m - len(np.unique(p)) + g),
    "repetitions left out": report(circles=lambda n, m, g, p: distinct(p) - n + g),
    "repetitions alone": report(circles=lambda n, m, g, p: m - distinct(p)),
    "rank": report(circles=lambda n, m, g, p: n - g),
    "number of groups": report(circles=lambda n, m, g, p: g),
    "negative": report(circles=lambda n, m, g, p: n - g - m),
    "triples": report(circles=lambda n, m, g, p: np.ceil(max(m - n + g, 0) / 3)),
}

RULE_MISTAKES = {
    "groups only": (lambda n, pairs: labels(n, pairs), "3 values are needed"),
}


def union_find(n, pairs):
    parent = list(range(n))

    def find(i):
        while parent[i] != i:
            i = parent[i]
        return i

    circles = 0
    for a, b in pairs:
        first, second = sorted((find(a), find(b)))
        circles += first == second
        parent[second] = first
    asked = {int(i) for pair in pairs for i in pair}
    views = {tuple(sorted(map(int, pair))) for pair in pairs}
    return [find(i) for i in range(n)], [len(asked), len(views)], int(circles)


def with_scipy(n, pairs):
    links = coo_array((np.ones(len(pairs)), tuple(pairs.T)), shape=(n, n))
    count, part = connected_components(links, directed=False)
    names = np.array([np.flatnonzero(part == k)[0] for k in range(count)])
    return names[part], np.array(right_answer(n, pairs)[1]), len(pairs) - n + count


def with_ranks(n, pairs):
    """Another algorithm: circles from the rank of the indicator matrix, groups from its null space."""
    M = np.eye(n)[pairs[:, 1]] - np.eye(n)[pairs[:, 0]]
    rank = np.linalg.matrix_rank(M)
    _, vectors = np.linalg.eigh(M.T @ M)
    null = vectors[:, : n - rank]
    together = np.abs(null @ null.T) > 1e-9
    return (
        together.argmax(axis=1),
        np.array([(M != 0).any(axis=0).sum(), right_answer(n, pairs)[1][1]]),
        int(len(pairs) - rank),
    )


def search(n, pairs):
    """Depth first, from the smallest item that was not seen."""
    near = [[] for _ in range(n)]
    for a, b in pairs.tolist():
        near[a].append(b)
        near[b].append(a)
    group = [-1] * n
    for start in range(n):
        waiting = [start] if group[start] < 0 else []
        while waiting:
            i = waiting.pop()
            if group[i] < 0:
                group[i] = start
                waiting += near[i]
    sizes = sum(bool(one) for one in near), sum(len(set(one)) for one in near) // 2
    return np.array(group), sizes, len(pairs) - n + len(set(group))


def powers(n, pairs):
    reach = np.eye(n, dtype=bool)
    reach[pairs[:, 0], pairs[:, 1]] = reach[pairs[:, 1], pairs[:, 0]] = True
    direct = reach.copy()
    for _ in range(n):
        reach = reach @ reach
    asked = np.unique(pairs).size
    return reach.argmax(axis=1), [asked, (direct.sum() - n) // 2], len(pairs) - n + len(np.unique(reach, axis=0))


RIGHT = {
    "repeated passes": right_answer,
    "union-find, lists": union_find,
    "scipy": with_scipy,
    "ranks": with_ranks,
    "search": search,
    "powers": powers,
}
