"""Designs: in balance for every size, connected, and as even as the best there is."""

from itertools import combinations, product

import numpy as np
import pytest

from course_lib.judgments import all_pairs, random_pairs
from course_studies import balanced_pairs, balanced_panel


def parts(n, edges):
    """How many parts n things fall into that edges connect: each takes the least number that it can reach."""
    part = np.arange(n)
    for _ in range(n):
        for a, b in edges:
            part[[a, b]] = part[[a, b]].min()
    return len(set(part.tolist()))


def meetings(seen):
    """How many raters see both, for each pair of items."""
    return np.array([(seen[a] & seen[b]).sum() for a, b in combinations(range(len(seen)), 2)])


# --- pairs ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(2, 16))
def test_pairs_are_in_balance_for_every_number_of_them(n):
    every = n * (n - 1) // 2
    drawn = np.random.default_rng(n).integers(n - 1, 3 * every + 2, size=6).tolist()
    for m in {n - 1, n, 2 * n - 3, every, every + 1, 2 * every, *drawn}:
        if m < n - 1:
            continue
        pairs = balanced_pairs(n, m, rng=m)
        times, left = np.bincount(pairs.ravel(), minlength=n), np.bincount(pairs[:, 0], minlength=n)
        assert pairs.shape == (m, 2) and (pairs[:, 0] != pairs[:, 1]).all()
        assert np.ptp(times) <= 1 and (abs(2 * left - times) <= 1).all()
        _, often = np.unique(np.sort(pairs, axis=1), axis=0, return_counts=True)
        assert often.max() == -(-m // every) and (len(often) == every or often.max() == 1)
        assert parts(n, pairs) == 1


@pytest.mark.parametrize("n", [2, 5, 6, 9, 10])
def test_a_study_of_pairs_that_ends_early_is_in_balance_too(n):
    pairs = balanced_pairs(n, n * (n - 1) + 1, rng=1)
    for k in range(1, len(pairs) + 1):
        assert np.ptp(np.bincount(pairs[:k].ravel(), minlength=n)) <= 1
        assert k < n - 1 or parts(n, pairs[:k]) == 1


def test_two_items_have_one_pair():
    assert sorted(balanced_pairs(2, 1, rng=0)[0].tolist()) == [0, 1]
    assert {tuple(balanced_pairs(2, 1, rng=seed)[0].tolist()) for seed in range(20)} == {(0, 1), (1, 0)}
    assert np.bincount(balanced_pairs(2, 8, rng=0)[:, 0]).tolist() == [4, 4]


def test_places_are_drawn():
    """Each pair of five items is among the first four as often as any other; a seed draws the same."""
    among = np.zeros((5, 5))
    for seed in range(2000):
        pairs = balanced_pairs(5, 4, rng=seed)
        among[pairs.min(axis=1), pairs.max(axis=1)] += 1
    share = among[np.triu_indices(5, 1)] / 2000
    np.testing.assert_allclose(share, 0.4, atol=5 * np.sqrt(0.4 * 0.6 / 2000))
    np.testing.assert_array_equal(balanced_pairs(9, 20, rng=3), balanced_pairs(9, 20, rng=3))


def test_balance_makes_contrasts_surer_than_chance():
    """The variances of all contrasts, from the graph of the pairs alone: the inverse of its Laplacian."""

    def mean_variance(pairs, n=9):
        steps = np.eye(n)[pairs[:, 1]] - np.eye(n)[pairs[:, 0]]
        contrasts = np.eye(n)[all_pairs(n)[:, 1]] - np.eye(n)[all_pairs(n)[:, 0]]
        return np.einsum(
            "ij,jk,ik->i", contrasts, np.linalg.pinv(steps.T @ steps + 1e-3 * np.eye(n)), contrasts
        ).mean()

    ours, theirs = (
        [mean_variance(draw(9, 27, seed)) for seed in range(20)] for draw in (balanced_pairs, random_pairs)
    )
    assert max(ours) < min(theirs)


# --- panels -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_panels_are_in_balance_for_every_size(seed):
    rng = np.random.default_rng(seed)
    n, R = rng.integers(2, 15, size=2).tolist()
    each = int(rng.integers(-(-n // R), n + 1))
    seen = balanced_panel(n, R, each, rng=seed)
    assert seen.shape == (n, R) and seen.dtype == bool
    assert (seen.sum(axis=0) == each).all() and np.ptp(seen.sum(axis=1)) <= 1
    if R * (each - 1) >= n - 1:
        assert parts(n + R, [(item, n + rater) for item, rater in np.argwhere(seen)]) == 1
    np.testing.assert_array_equal(seen, balanced_panel(n, R, each, rng=seed))


@pytest.mark.parametrize(("n", "R", "each"), [(4, 3, 2), (4, 4, 3), (5, 3, 3), (5, 4, 2), (6, 3, 4)])
def test_items_meet_as_evenly_as_in_the_best_of_all_panels(n, R, each):
    """Among all panels of this size with items in balance: the least sum of squares of the meetings."""
    lists = list(combinations(range(n), each))
    every = [np.array([[i in chosen for chosen in who] for i in range(n)]) for who in product(lists, repeat=R)]
    best = min((meetings(seen) ** 2).sum() for seen in every if np.ptp(seen.sum(axis=1)) <= 1)
    assert (meetings(balanced_panel(n, R, each, rng=0)) ** 2).sum() == best


@pytest.mark.parametrize(("n", "R", "each", "times"), [(7, 7, 3, 1), (6, 10, 3, 2), (9, 12, 3, 1), (13, 13, 4, 1)])
def test_balanced_incomplete_blocks_are_found(n, R, each, times):
    """Where designs exist in which all pairs meet equally often, as in the tables of Cochran & Cox."""
    assert set(meetings(balanced_panel(n, R, each, rng=0)).tolist()) == {times}


def test_corners_of_panels():
    assert balanced_panel(5, 1, 5).all() and balanced_panel(2, 1, 2).shape == (2, 1)
    assert balanced_panel(3, 12, 1, rng=0).sum(axis=1).tolist() == [4, 4, 4]  # more raters than items
    assert balanced_panel(4, 2, 2, rng=0).sum() == 4  # too few answers to connect all


@pytest.mark.parametrize(("n", "R", "each"), [(9, 4, 3), (10, 3, 4), (8, 7, 2), (31, 10, 4)])
def test_the_fewest_answers_that_can_connect_all_do(n, R, each):
    assert R * (each - 1) == n - 1
    for seed in range(5):
        seen = balanced_panel(n, R, each, rng=seed)
        assert parts(n + R, [(item, n + rater) for item, rater in np.argwhere(seen)]) == 1


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: balanced_pairs(5, 3), "n_pairs is 3, and n_items 5: at least 4"),
        (lambda: balanced_panel(6, 3, 7), "per_rater is 7, of n_items 6 and n_raters 3; from 2"),
        (lambda: balanced_panel(9, 3, 2), "per_rater is 2, of n_items 9 and n_raters 3; from 3"),
    ],
)
def test_what_cannot_be_is_refused(call, says):
    with pytest.raises(ValueError, match=says):
        call()
