"""Task 6, calibrate(said, right)."""

import numpy as np
from scipy.optimize import isotonic_regression


def counted(said, right):
    levels, place = np.unique(said, return_inverse=True)
    n = np.bincount(place)
    return levels, place, np.bincount(place, weights=right) / n, n.astype(float)


def pooled(share, n):
    blocks = []
    for value, weight in zip(share, n, strict=True):
        blocks.append([value, weight, 1])
        while len(blocks) > 1 and blocks[-2][0] >= blocks[-1][0]:
            (v, w, c), (u, m, d) = blocks.pop(), blocks.pop()
            blocks.append([(v * w + u * m) / (w + m), w + m, c + d])
    return np.concatenate([np.full(c, v) for v, _, c in blocks])


def squared(p, right, place):
    return ((p - right) ** 2).mean()


def told(
    count=counted,
    pool=pooled,
    score=squared,
    miss=lambda s, said, p, raw, right: s(said) - s(p),
    tells=lambda s, said, p, raw, right: s(np.full(len(right), right.mean())) - s(p),
    arrange=lambda *four: four,
):
    """An answer with one step changed."""

    def answer(said, right):
        levels, place, share, n = count(said, right)
        fitted = pool(share, n)

        def s(p):
            return score(p, right, place)

        views = said, fitted[place], share[place], right
        return arrange(levels, fitted, miss(s, *views), tells(s, *views))

    return answer


right_answer = told()


def once(share, n):
    """One walk from the left; what is pooled is never compared with what came before."""
    share, n = share.copy(), n.copy()
    for k in range(len(share) - 1):
        if share[k] > share[k + 1]:
            share[k] = share[k + 1] = (share[k] * n[k] + share[k + 1] * n[k + 1]) / (n[k] + n[k + 1])
    return share


def pairs_from_the_left(share, n):
    blocks = [[share[0], n[0], 1]]
    for value, weight in zip(share[1:], n[1:], strict=True):
        v, w, c = blocks[-1]
        if value <= v:
            blocks[-1] = [(v * w + value * weight) / (w + weight), w + weight, c + 1]
        else:
            blocks.append([value, weight, 1])
    return np.concatenate([np.full(c, v) for v, _, c in blocks])


def running_minimum(share, n):
    return np.minimum.accumulate(share[::-1])[::-1]


def running_maximum(share, n):
    return np.maximum.accumulate(share)


def appearing(said, right):
    levels = np.array(list(dict.fromkeys(said.tolist())))
    place = np.array([levels.tolist().index(one) for one in said])
    n = np.bincount(place).astype(float)
    return levels, place, np.bincount(place, weights=right) / n, n


def smoothed(said, right):
    levels, place, share, n = counted(said, right)
    return levels, place, (share * n + 1) / (n + 2), n + 2


def all_levels(said, right):
    """Every tenth from one half to 1, said or not."""
    with np.errstate(all="ignore"):
        levels = np.arange(5, 11) / 10
        place = np.rint(10 * np.clip(said, 0.5, 1)).astype(int) - 5
        n = np.bincount(place, minlength=6).astype(float)
        return levels, place, np.bincount(place, weights=right, minlength=6) / n, n


def up_to(share, n):
    return np.cumsum(share * n) / np.cumsum(n)


def straight(share, n):
    """A line through the shares, over the levels' numbers."""
    if len(share) == 1:
        return share
    return np.polyval(np.polyfit(np.arange(len(share)), share, 1, w=np.sqrt(n)), np.arange(len(share)))


def one_by_one(said, right):
    order = np.argsort(said, kind="stable")
    each = np.empty(len(said))
    each[order] = pooled(right[order], np.ones(len(said)))
    levels, place, shares, _ = counted(said, each)
    return (
        levels,
        shares,
        squared(said, right, place) - squared(each, right, place),
        right.var() - squared(each, right, place),
    )


def means_apart(s, said, p, raw, right):
    return p[right == 1].mean() - p[right == 0].mean()


EMPTY = "Only levels that were said have a share."


def level_scores(p, right, place):
    return np.mean([((p - right)[place == k] ** 2).mean() for k in range(place.max() + 1)])


MISTAKES = {
    "no pooling": told(pool=lambda share, n: share),
    "pooled once": told(pool=once),
    "pairs from the left only": told(pool=pairs_from_the_left),
    "pooled without weights": told(pool=lambda share, n: pooled(share, np.ones(len(n)))),
    "running maximum": told(pool=running_maximum),
    "running minimum": told(pool=running_minimum),
    "sorted shares": told(pool=lambda share, n: np.sort(share)),
    "mean of maximum and minimum": told(
        pool=lambda share, n: (running_maximum(share, n) + running_minimum(share, n)) / 2
    ),
    "up to this level": told(pool=up_to),
    "from this level up": told(pool=lambda share, n: up_to(share[::-1], n[::-1])[::-1]),
    "a straight line": told(pool=straight),
    "one share for all": told(pool=lambda share, n: np.full(len(n), np.average(share, weights=n))),
    "answers pooled one by one": one_by_one,
    "falling": told(pool=lambda share, n: pooled(share[::-1], n[::-1])[::-1]),
    "order of appearance": told(count=appearing),
    "descending": told(arrange=lambda levels, p, miss, tells: (levels[::-1], p[::-1], miss, tells)),
    "Beta(1, 1)": told(count=smoothed),
    "root": told(score=lambda *given: np.sqrt(squared(*given))),
    "mean over levels": told(score=level_scores),
    "absolute error": told(score=lambda p, right, place: np.abs(p - right).mean()),
    "sums": told(score=lambda p, right, place: ((p - right) ** 2).sum()),
    "overconfidence": told(miss=lambda s, said, p, raw, right: said.mean() - right.mean()),
    "said against the shares": told(miss=lambda s, said, p, raw, right: s(said) - s(raw)),
    "said against the mean": told(miss=lambda s, said, p, raw, right: s(said) - s(0 * p + right.mean())),
    "distance of said and pooled": told(miss=lambda s, said, p, raw, right: ((said - p) ** 2).mean()),
    "miscalibration turned": told(miss=lambda s, said, p, raw, right: s(p) - s(said)),
    "against a coin": told(tells=lambda s, said, p, raw, right: 0.25 - s(p)),
    "discrimination of said": told(tells=lambda s, said, p, raw, right: s(0 * p + right.mean()) - s(said)),
    "discrimination of raw shares": told(tells=lambda s, said, p, raw, right: s(0 * p + right.mean()) - s(raw)),
    "discrimination turned": told(tells=lambda s, said, p, raw, right: s(p) - s(0 * p + right.mean())),
    "difference of means": told(tells=means_apart),
    "exchanged": told(arrange=lambda levels, p, miss, tells: (levels, p, tells, miss)),
}

RULE_MISTAKES = {
    "levels that nobody said": (told(count=all_levels, pool=lambda share, n: share), EMPTY),
    "fitted for each answer": (
        lambda said, right: told(arrange=lambda *four: (four[0], four[1][counted(said, right)[1]], *four[2:]))(
            said, right
        ),
        "It has the shape",
    ),
}


def with_scipy(said, right):
    levels, place, share, n = counted(said, right)
    fitted = isotonic_regression(share, weights=n).x
    variance = np.var(right)
    errors = [np.mean(np.square(one - right)) for one in (said, fitted[place])]
    return levels, fitted, errors[0] - errors[1], variance - errors[1]


def by_minimax(said, right):
    """Another algorithm: the pooled share is the largest, over beginnings, of the least mean up to some end."""
    levels = sorted(set(said.tolist()))
    answers = [[float(r) for s, r in zip(said, right, strict=True) if s == level] for level in levels]

    def mean(i, j):
        flat = [one for group in answers[i : j + 1] for one in group]
        return sum(flat) / len(flat)

    K = len(levels)
    fitted = [max(min(mean(i, j) for j in range(k, K)) for i in range(k + 1)) for k in range(K)]
    p = np.array([fitted[levels.index(one)] for one in said])
    middle = sum(right) / len(right)
    brier = [sum((q - r) ** 2 for q, r in zip(one, right, strict=True)) / len(right) for one in (said, p)]
    return levels, fitted, brier[0] - brier[1], middle * (1 - middle) - brier[1]


def merged_until_nothing_moves(said, right):
    """Groups of answers, joined while any two neighbours are out of order."""
    levels = np.unique(said)
    groups = [[level] for level in levels]

    def share(group):
        return right[np.isin(said, group)].mean()

    moved = True
    while moved:
        moved = False
        for k in range(len(groups) - 1):
            if share(groups[k]) > share(groups[k + 1]):
                groups[k : k + 2] = [groups[k] + groups[k + 1]]
                moved = True
                break
    fitted = np.array([share(group) for group in groups for _ in group])
    p = fitted[np.searchsorted(levels, said)]
    errors = ((said - right) ** 2).mean(), ((p - right) ** 2).mean(), ((right - right.mean()) ** 2).mean()
    return levels, fitted, errors[0] - errors[1], errors[2] - errors[1]


variance_of_pooled = told(tells=lambda s, said, p, raw, right: p.var())  # the same, because pooled shares are means

RIGHT = {
    "blocks": right_answer,
    "variance": variance_of_pooled,
    "scipy": with_scipy,
    "minimax": by_minimax,
    "groups": merged_until_nothing_moves,
}
