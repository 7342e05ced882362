"""Who is asked what, and how many answers a study needs: designs in balance, and their worth by simulation.

Lecture: 14, section 6.
"""

from typing import NamedTuple

import numpy as np
from scipy.sparse import block_array
from scipy.sparse.csgraph import connected_components

from course_lib import validation
from course_lib.gp import Probit, White
from course_lib.judgments.comparisons.likelihoods import Comparison
from course_lib.judgments.comparisons.preference import PreferenceGP
from course_lib.judgments.comparisons.simulators import all_pairs
from course_lib.judgments.panels.raters import RaterGP

STARTS = 10  # of the search for an even panel
MEMBERS = 20  # models that a simulated study is averaged over
POOLING = 0.5


def balanced_pairs(n_items, n_pairs, rng=None):
    """(n_pairs, 2) comparisons in balance: which items, who is left and who right, and in which order.

    Each item occurs equally often, and equally often on each side, up to one. All are connected by comparisons. No
    pair comes again before all others came. The first k comparisons are in balance as well, for every k: a study may
    end early. Which item has which place is drawn.

    n_items : n ≥ 2;  n_pairs : at least n − 1, fewer cannot connect n items;  rng : numpy Generator or seed

    Source: the rounds of a tournament (n even) and Walecki's cycles (n odd), as in Alspach (2008), "The wonderful
    Walecki construction"; David (1988), "The method of paired comparisons", for cyclic designs.
    """
    n, rng = validation.whole(n_items, "n_items", least=2), validation.generator(rng)
    m = validation.whole(n_pairs, "n_pairs")
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

    One walks along comparisons that are left over, the item one comes from on the left; a walk from an item with an
    odd number left ends at another such item, all others where they began.
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


def balanced_panel(n_items, n_raters, per_rater, rng=None):
    """(n_items, n_raters) booleans: who rates what, an incomplete block design in balance.

    Each rater has per_rater items, each item equally many raters, up to one. Two items meet in one rater's list about
    as often as any other two: that makes all contrasts about equally sure. All are connected, by items that raters
    share, wherever n_raters (per_rater − 1) ≥ n_items − 1 makes that possible.

    n_items : n ≥ 2;  n_raters : R ≥ 1;  per_rater : 1 … n, so many that R · per_rater ≥ n
    rng : numpy Generator or seed, for a search by swaps that is begun ten times

    Source: Cochran & Cox (1957), "Experimental designs", chapter 11; Eccleston & Hedayat (1974), "On the theory of
    connected designs", for what the swaps make small.
    """
    n, R = validation.whole(n_items, "n_items", least=2), validation.whole(n_raters, "n_raters")
    each, rng = validation.whole(per_rater, "per_rater"), validation.generator(rng)
    if each > n or R * each < n:
        raise ValueError(
            f"per_rater is {each}, of n_items {n} and n_raters {R}; from {-(-n // R)}, so that each item is rated, to "
            f"{n} are needed."
        )
    found = [_evenly_met(_dealt(n, R, each, rng)) for _ in range(STARTS)]
    best = min(found, key=lambda seen: (_meetings(seen) ** 2).sum())
    return _connected(best, rng) if R * (each - 1) >= n - 1 else best


def _dealt(n, R, each, rng):
    """(n, R) booleans: items in a random order, dealt to the raters again and again."""
    seen = np.zeros((n, R), dtype=bool)
    seen[rng.permutation(n)[np.arange(R * each) % n], np.repeat(np.arange(R), each)] = True
    return seen


def _meetings(seen):
    """(n, n) in how many lists two items are together; 0 on the diagonal."""
    met = seen.astype(float) @ seen.T.astype(float)
    np.fill_diagonal(met, 0)
    return met


def _evenly_met(seen):
    """Swaps an item of one rater for one of another as long as that lowers the sum of the squares of the meetings."""
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
    """Swaps items between raters whom nothing connects, until all are connected."""
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
    """(R + n,) the number of the part to which each rater, and each item, is connected."""
    return connected_components(block_array([[None, seen.T.astype(int)], [seen.astype(int), None]]))[1]


class Precision(NamedTuple):
    """What a design is worth, over simulated studies: `pd.DataFrame([…])` makes a table of several.

    items; answers : how many of each there are
    half_width : mean half-width of the intervals of all differences of two items, in the unit of the values
    coverage : share of these intervals that hold the true difference
    rmse : root mean square error of the differences
    """

    items: int
    answers: int
    half_width: float
    coverage: float
    rmse: float


def panel_precision(
    seen, *, value_std, noise_std, bias_std=0.0, opinion_std=0.0, repeats=1, confidence=0.9, worlds=20, rng=None
):
    """Precision of the differences of items that raters tell: how many raters make them ± x?

    In each simulated world values, biases and answers are drawn anew, and an averaged `RaterGP` learns from them.
    Items have no features, whose help comes on top. `plan` says the same at once, with all spreads taken as known.

    seen : (n, R) booleans, who rates what, such as of `balanced_panel`; np.ones((n, R), bool): everybody everything
    value_std, noise_std, bias_std : spread of the items' values, of one rater's answers, and of the raters' biases, in
        the unit of the scale; bias_std 0: nobody has a bias
    opinion_std, repeats : spread of what a rater thinks of an item besides, for which biases are needed, and how often
        each is asked about it
    confidence : of the intervals;  worlds : how many, at least 2;  rng : numpy Generator or seed
    """
    seen = _design(seen)
    values = validation.positive(value_std, "value_std")
    noise = validation.positive(noise_std, "noise_std")
    biases, opinions = (
        validation.not_negative(bias_std, "bias_std"),
        validation.not_negative(opinion_std, "opinion_std"),
    )
    repeats = validation.whole(repeats, "repeats")
    (n, R), rng = seen.shape, validation.generator(rng)
    spreads = {"bias_std": biases or None, "opinion_std": opinions or None}
    model = RaterGP(White(values**2), noise_std=noise, pooling=POOLING, **spreads)

    def world():
        z = values * rng.normal(size=n)
        meant = z[:, None] + biases * rng.normal(size=R) + opinions * rng.normal(size=(n, R))
        Y = meant[:, :, None] + noise * rng.normal(size=(n, R, repeats))
        return z, model.fit(np.eye(n), np.where(seen[:, :, None], Y, np.nan))

    return _precision(world, n, int(seen.sum()) * repeats, confidence, worlds)


def _design(seen):
    """(n, R) booleans of whom every row and every column has one."""
    table = validation.array(seen, "seen")
    if table.ndim != 2 or len(table) < 2 or table.dtype != bool:
        raise ValueError(
            f"seen has shape {table.shape} and dtype {table.dtype}; booleans (n, R) that say which of R raters sees "
            "which of n items are needed, n ≥ 2."
        )
    for axis, name in ((1, "row"), (0, "column")):
        nobody = ~table.any(axis=axis)
        if nobody.any():
            raise ValueError(f"{name} {nobody.argmax()} of seen is False throughout; each needs an answer.")
    return table


def pairs_precision(n_items, pairs, *, value_std, noise_std=1.0, confidence=0.9, worlds=20, rng=None):
    """Precision of the differences of items that choices tell: how many comparisons make them ± x?

    In each simulated world values and choices are drawn anew, and an averaged `PreferenceGP` learns from them. Items
    have no features, whose help comes on top.

    n_items : n ≥ 2;  pairs : (m, 2) who is compared, such as of `balanced_pairs`
    value_std : spread of the items' values;  noise_std : of one judgement, in the same unit. With 2 and 1, say, the
        better of two items is chosen in 80 % of all comparisons.
    confidence, worlds, rng : as for panel_precision
    """
    n = validation.whole(n_items, "n_items", least=2)
    pairs, rng = validation.pairs(pairs, n), validation.generator(rng)
    values, noise = validation.positive(value_std, "value_std"), validation.positive(noise_std, "noise_std")
    person = Comparison(Probit(), noise)
    model = PreferenceGP(White(values**2), noise_std=noise)

    def world():
        z = values * rng.normal(size=n)
        return z, model.fit(np.eye(n), pairs, person.sample(np.diff(z[pairs])[:, 0], rng))

    return _precision(world, n, len(pairs), confidence, worlds)


def _precision(world, n, answers, confidence, worlds):
    """Precision over so many worlds; world() draws one: (true values (n,), the model fitted to its answers)."""
    pairs, found = all_pairs(n), []
    for _ in range(validation.whole(worlds, "worlds", least=2)):
        z, model = world()
        model = model.averaged(MEMBERS, rng=0)
        truth, told = np.diff(z[pairs])[:, 0], model.predict_difference(np.eye(n), pairs)[0]
        low, high = model.difference_interval(np.eye(n), pairs, confidence)
        found.append([(high - low) / 2, (low <= truth) & (truth <= high), (told - truth) ** 2])
    half, held, square = np.mean(found, axis=(0, 2))
    return Precision(n, answers, float(half), float(held), float(np.sqrt(square)))
