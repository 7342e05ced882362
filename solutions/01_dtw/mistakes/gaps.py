"""Task 4, dtw_with_gaps(x, y)."""

from functools import cache

import numpy as np

from .tables import diagonals, filled, filled_in_place, last, paths


def frame_costs(x, y):
    return np.sqrt(((x[:, None, :] - y[None, :, :]) ** 2).sum(axis=-1))


def lost(x):
    return np.isnan(x).any(axis=1)


def silent(x, y):
    return lost(x)[:, None] | lost(y)[None, :]


def costs_with_gaps(x, y):
    return np.where(silent(x, y), 0.0, frame_costs(x, y))


def plain(cost):
    return last(cost, lambda c, d, a, b: c + min(d, a, b))


def right_answer(x, y):
    return plain(costs_with_gaps(x, y))


def poisoned(x, y):
    return last(frame_costs(x, y), lambda c, d, a, b: c + np.min([d, a, b]))


def compares_with_nan(x, y):
    cost = frame_costs(x, y)
    cost[cost == np.nan] = 0
    return last(cost, lambda c, d, a, b: c + np.min([d, a, b]))


def dropped(x, y):
    if lost(x).all() or lost(y).all():
        return 0.0
    return plain(frame_costs(x[~lost(x)], y[~lost(y)]))


def zeros(x, y):
    return plain(frame_costs(np.nan_to_num(x), np.nan_to_num(y)))


def forbidden(x, y):
    return plain(np.where(silent(x, y), np.inf, frame_costs(x, y)))


def with_the_mean(x):
    x = x.copy()
    x[lost(x)] = x[~lost(x)].mean(axis=0) if not lost(x).all() else 0
    return x


def with_the_last(x):
    x = x.copy()
    for t in np.flatnonzero(lost(x)):
        x[t] = x[t - 1] if t else 0
    return x


def interpolated(x):
    known = np.flatnonzero(~lost(x))
    if len(known) == 0:
        return np.zeros_like(x)
    return np.stack([np.interp(np.arange(len(x)), known, column[known]) for column in x.T], axis=1)


def both_lost(x, y, least=np.min):
    cost = np.where(lost(x)[:, None] & lost(y)[None, :], 0.0, frame_costs(x, y))
    return last(cost, lambda c, d, a, b: c + least([d, a, b]))


def only_x(x, y, least=np.min):
    return last(np.where(lost(x)[:, None], 0.0, frame_costs(x, y)), lambda c, d, a, b: c + least([d, a, b]))


def some_lost(x, y, is_lost):
    """Frames count as lost by another rule."""
    return plain(np.where(is_lost(x)[:, None] | is_lost(y), 0.0, frame_costs(x, y)))


def starts_again(x, y):
    gap = silent(x, y)
    cost = np.where(gap, -1.0, frame_costs(x, y))
    return last(cost, lambda c, d, a, b: 0.0 if c < 0 else c + min(d, a, b))


def known_values_only(x, y):
    return plain(np.sqrt(np.nansum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1)))


def squared(x, y):
    return plain(costs_with_gaps(x, y) ** 2)


def sum_of_features(x, y):
    return plain(np.where(silent(x, y), 0.0, np.abs(x[:, None, :] - y[None, :, :]).sum(axis=-1)))


def scaled_up(x, y):
    known = (~silent(x, y)).mean()
    return right_answer(x, y) / known if known else 0.0


def overwrites_its_input(x, y):
    answer = right_answer(x, y)
    x[lost(x)] = 0
    return answer


def zero_border(x, y):
    return last(costs_with_gaps(x, y), lambda c, d, a, b: c + min(d, a, b), border=0)


def first_cell_free(x, y):
    cost = costs_with_gaps(x, y)
    return filled_in_place(cost, lambda c, d, a, b: c + min(d, a, b), 0.0, lambda before, c: before + c)[-1, -1]


def loops_over_features(x, y):
    return sum(plain(costs_with_gaps(x[:, [k]], y[:, [k]])) for k in range(x.shape[1]))


MISTAKES = {
    "poisoned": poisoned,
    "== nan": compares_with_nan,
    "frames dropped": dropped,
    "zeros for gaps": zeros,
    "gaps forbidden": forbidden,
    "mean for gaps": lambda x, y: plain(frame_costs(with_the_mean(x), with_the_mean(y))),
    "last frame for gaps": lambda x, y: plain(frame_costs(with_the_last(x), with_the_last(y))),
    "straight lines for gaps": lambda x, y: plain(frame_costs(interpolated(x), interpolated(y))),
    "poisoned, Python's min": lambda x, y: plain(frame_costs(x, y)),
    "only gaps of x, Python's min": lambda x, y: only_x(x, y, min),
    "starts again in a gap": starts_again,
    "known features only": known_values_only,
    "squared": squared,
    "sum over features": sum_of_features,
    "scaled up": scaled_up,
    "zero border": zero_border,
    "first cell free": first_cell_free,
    "feature by feature": loops_over_features,
}

RULE_MISTAKES = {
    **{
        f"lost: {how}": (lambda x, y, is_lost=is_lost: some_lost(x, y, is_lost), "in whichever feature")
        for how, is_lost in (
            ("the last feature", lambda x: np.isnan(x[:, -1])),
            ("exactly one", lambda x: np.isnan(x).sum(axis=1) == 1),
            ("all features", lambda x: np.isnan(x).all(axis=1)),
        )
    },
    "only where both are lost, Python's min": (lambda x, y: both_lost(x, y, min), "one of the two frames is lost?"),
    "only gaps of y, Python's min": (lambda x, y: only_x(y, x, min), "Exchange x and y: may the answer change?"),
    "only where both are lost": (both_lost, "Is it enough that one of the two frames is lost?"),
    "only gaps of x": (only_x, "Exchange x and y: may the answer change?"),
    "only gaps of y": (lambda x, y: only_x(y, x), "Exchange x and y: may the answer change?"),
    "changes its input": (overwrites_its_input, "Work on a copy: x = x.copy()."),
    "whole table": (
        lambda x, y: filled(costs_with_gaps(x, y), lambda c, d, a, b: c + min(d, a, b)),
        "Which of its entries is the answer?",
    ),
}


def cached_recursion(x, y):
    @cache
    def best(i, j):
        gap = np.isnan(x[i]).any() or np.isnan(y[j]).any()
        here = 0.0 if gap else float(np.linalg.norm(x[i] - y[j]))
        before = [best(a, b) for a, b in ((i - 1, j - 1), (i - 1, j), (i, j - 1)) if a >= 0 and b >= 0]
        return here + min(before, default=0.0)

    return best(len(x) - 1, len(y) - 1)


def enumeration(x, y):
    cost = costs_with_gaps(x, y)
    return min(sum(cost[cell] for cell in path) for path in paths(*cost.shape))


RIGHT = {
    "padded table": right_answer,
    "nan_to_num on costs": lambda x, y: plain(np.nan_to_num(frame_costs(x, y), nan=0.0)),
    "cached recursion": cached_recursion,
    "enumeration": enumeration,
    "anti-diagonals": lambda x, y: diagonals(
        costs_with_gaps(x, y), lambda c, d, a, b: c + np.minimum(d, np.minimum(a, b))
    ),
    "nansum over whole frames": lambda x, y: known_values_only(
        np.where(lost(x)[:, None], np.nan, x), np.where(lost(y)[:, None], np.nan, y)
    ),
}
