"""Balanced designs: who is asked what.

Lecture: 14, section 6.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import block_array
from scipy.sparse.csgraph import connected_components

from course_lib import validation
from course_lib.judgments.comparisons.pairs import all_pairs
from course_lib.kinds import Rng

N_STARTS = 10  # of the search for a balanced panel


def balanced_pairs(n_items: int, n_pairs: int, rng: Rng = None) -> NDArray:
    """(n_pairs, 2) balanced comparisons: which items, on which side, in which order.

    Each item occurs equally often, and equally often on each side, up to one; all are connected; no pair is repeated
    before all others came. The first k comparisons are balanced as well, for every k: a study may end early.

    n_items : n ≥ 2;  n_pairs : at least n − 1, fewer cannot connect n items;  rng : numpy Generator or seed

    Source: the rounds of a tournament (n even) and Walecki's cycles (n odd), as in Alspach (2008), "The wonderful
    Walecki construction"; David (1988), "The method of paired comparisons", for cyclic designs.
    """
    n, rng = validation.integer(n_items, "n_items", least=2), validation.generator(rng)
    m = validation.integer(n_pairs, "n_pairs")
    if m < n - 1:
        raise ValueError(f"n_pairs is {m}, and n_items {n}: at least {n - 1} comparisons connect so many items.")
    rounds = _tournament(n) if n % 2 == 0 else _walecki(n)
    found = []
    while len(found) < m:
        place = rng.permutation(n)
        found += [pair for one in rounds for pair in place[one].tolist()]
    return _sides_in_balance(np.array(found[:m]), n, rng)


def _tournament(n):
    """n − 1 rounds of n/2 pairs, for even n: each item once in each round; the first two rounds connect all."""
    others = np.arange(n - 1)
    steps = np.arange(1, n // 2)[:, None]
    return [np.vstack([[(n - 1, k)], np.hstack([k + steps, k - steps]) % (n - 1)]) for k in others]


def _walecki(n):
    """(n − 1)/2 cycles through all items, for odd n; every second edge first, so that no item gets ahead by two."""
    last = n - 1
    zigzag = np.cumsum(np.arange(last) * (-1) ** np.arange(1, n))  # 0, 1, −1, 2, −2 …
    rounds = []
    for k in range(last // 2):
        cycle = np.append((zigzag + k) % last, last)
        edges = np.column_stack([cycle, np.roll(cycle, -1)])
        rounds += [edges[:-1:2], np.vstack([edges[-1:], edges[1:-1:2]])]
    return rounds


def _sides_in_balance(pairs, n, rng):
    """The same pairs, some of them turned, so that each item is as often left as right, up to one.

    Walks along the remaining comparisons put the item they come from on the left. One from an item with an odd number
    of comparisons ends at another such item, all others end where they began.
    """
    left_over = [[] for _ in range(n)]
    for k, pair in enumerate(pairs):
        for item in pair:
            left_over[item].append(k)
    turned, walked = pairs.copy(), np.zeros(len(pairs), dtype=bool)
    items = rng.permutation(n)
    odd = [item for item in items if len(left_over[item]) % 2]
    for here in [*odd, *items]:
        while left_over[here]:
            k = left_over[here].pop()
            if not walked[k]:
                walked[k], there = True, pairs[k].sum() - here
                turned[k] = here, there
                here = there
    return turned


def balanced_panel(n_items: int, n_raters: int, per_rater: int, rng: Rng = None) -> NDArray:
    """(n_items, n_raters) booleans: who rates what, a balanced incomplete block design.

    Each rater has per_rater items, each item equally many raters, up to one. Any two items meet in a rater's list
    about equally often, so contrasts are about equally precise. All are connected by shared raters, wherever
    n_raters (per_rater − 1) ≥ n_items − 1 makes that possible.

    n_items : n ≥ 2;  n_raters : R ≥ 1;  per_rater : 1 … n, with R · per_rater ≥ n;  rng : numpy Generator or seed

    Source: Cochran & Cox (1957), "Experimental designs", chapter 11; Eccleston & Hedayat (1974), "On the theory of
    connected designs", for what the swaps make small.

    >>> from course_studies import balanced_panel
    >>> balanced_panel(n_items=4, n_raters=6, per_rater=2, rng=0).sum(axis=0)
    array([2, 2, 2, 2, 2, 2])
    """
    n, R = validation.integer(n_items, "n_items", least=2), validation.integer(n_raters, "n_raters")
    each, rng = validation.integer(per_rater, "per_rater"), validation.generator(rng)
    if each > n or R * each < n:
        raise ValueError(
            f"per_rater is {each}, of n_items {n} and n_raters {R}; from {-(-n // R)}, so that each item is rated, to "
            f"{n} are needed."
        )
    found = [_evenly_met(_dealt(n, R, each, rng)) for _ in range(N_STARTS)]
    best = min(found, key=lambda seen: (_meetings(seen) ** 2).sum())
    return _connected(best, rng) if R * (each - 1) >= n - 1 else best


def _dealt(n, R, each, rng):
    """(n, R) booleans: items in a random order, dealt to the raters in turn."""
    seen = np.zeros((n, R), dtype=bool)
    seen[rng.permutation(n)[np.arange(R * each) % n], np.repeat(np.arange(R), each)] = True
    return seen


def _meetings(seen):
    """(n, n) number of raters who have both items; 0 on the diagonal."""
    met = seen.astype(float) @ seen.T.astype(float)
    np.fill_diagonal(met, 0)
    return met


def _evenly_met(seen):
    """Swap an item of one rater for one of another as long as that lowers the sum of squares of the meetings."""
    met, better = _meetings(seen), True
    while better:
        better = False
        for r, s in all_pairs(seen.shape[1]) if seen.shape[1] > 1 else ():
            mine, yours = np.flatnonzero(seen[:, r] & ~seen[:, s]), np.flatnonzero(seen[:, s] & ~seen[:, r])
            if not len(mine):
                continue
            change = met @ (seen[:, r].astype(float) - seen[:, s])
            change = change[yours] - change[mine][:, None] - 2 * met[np.ix_(mine, yours)] + 2 * len(mine) - 2
            i, j = np.unravel_index(change.argmin(), change.shape)
            if change[i, j] < 0:
                seen[np.ix_([mine[i], yours[j]], [r, s])] ^= True
                met, better = _meetings(seen), True
    return seen


def _connected(seen, rng):
    """Swap items between raters whom nothing connects, until all are connected."""
    parts = _parts(seen)
    while parts.max():
        r, s = rng.choice(seen.shape[1], size=2, replace=False)
        mine, yours = np.flatnonzero(seen[:, r] & ~seen[:, s]), np.flatnonzero(seen[:, s] & ~seen[:, r])
        if len(mine) and parts[r] != parts[s]:
            swapped = seen.copy()
            swapped[np.ix_([rng.choice(mine), rng.choice(yours)], [r, s])] ^= True
            if _parts(swapped).max() < parts.max():
                seen, parts = swapped, _parts(swapped)
    return seen


def _parts(seen):
    """(R + n,) connected component of each rater and each item."""
    return connected_components(block_array([[None, seen.T.astype(int)], [seen.astype(int), None]]))[1]
