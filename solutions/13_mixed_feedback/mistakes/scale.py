"""Task 1, scale_probabilities(g, cuts, steepness, lapse)."""

from itertools import pairwise

import numpy as np
from scipy.special import expit, ndtr, softmax


def ends_of(cuts):
    return np.concatenate([[-np.inf], -cuts[::-1], [0.0], cuts, [np.inf]])


def from_intervals(g, ends):
    d = np.zeros((len(g), len(ends) - 1))
    for i, (low, high) in enumerate(pairwise(ends)):
        d[:, i] = np.maximum(np.maximum(low - g, g - high), 0.0)
    return d


def with_lapse(p, lapse):
    return (1 - lapse) * p + lapse / p.shape[1]


def rows(closeness):
    return closeness / closeness.sum(axis=1, keepdims=True)


def answered(
    view=lambda g: g,
    ends=ends_of,
    distance=from_intervals,
    law=lambda d, s: np.exp(-s * d),
    share=rows,
    lapsing=with_lapse,
    arrange=lambda p: p,
):
    """An answer with one step changed."""

    def answer(g, cuts, steepness, lapse):
        with np.errstate(all="ignore"):
            return arrange(lapsing(share(law(distance(view(g), ends(cuts)), steepness)), lapse))

    return answer


right_answer = answered()


def choice_left_out(g, cuts, steepness, lapse):
    """The scale of one side, for |g|, and each side one half of it."""
    d = from_intervals(np.abs(g), np.concatenate([[0.0], cuts, [np.inf]]))
    p = with_lapse(rows(np.exp(-steepness * d)), lapse) / 2
    return np.hstack([p[:, ::-1], p])


def closed(ends, length):
    """The outer intervals with an end: a length beyond the outermost cut."""
    ends = ends.copy()
    ends[0], ends[-1] = ends[1] - length(ends), ends[-2] + length(ends)
    return ends


def neighbours_length(ends):
    return ends[-2] - ends[-3] if len(ends) > 3 else 1.0


def to_middles(g, ends):
    middles = (lambda e: (e[1:] + e[:-1]) / 2)(closed(ends, neighbours_length))
    return np.abs(g[:, None] - middles)


def to_nearer_end(g, ends):
    return np.minimum(np.abs(ends[:-1] - g[:, None]), np.abs(g[:, None] - ends[1:]))


def not_cut_at_0(g, ends):
    return np.maximum(ends[:-1] - g[:, None], g[:, None] - ends[1:])


def ordinal(function):
    def answer(g, cuts, steepness, lapse):
        return with_lapse(np.diff(function(steepness * (ends_of(cuts) - g[:, None])), axis=1), lapse)

    return answer


def by_side(closeness):
    m, count = closeness.shape
    halves = closeness.reshape(m, 2, count // 2)
    return (halves / halves.sum(axis=2, keepdims=True)).reshape(m, count) / 2


def halves_exchanged(p):
    half = p.shape[1] // 2
    return np.hstack([p[:, half:], p[:, :half]])


def not_mirrored(p):
    half = p.shape[1] // 2
    return np.hstack([p[:, :half][:, ::-1], p[:, half:]])


def infinite_for_both(g, ends):
    return np.maximum(np.abs(ends[:-1] - g[:, None]), np.abs(g[:, None] - ends[1:]))


def lapse_first(g, cuts, steepness, lapse):
    return rows(with_lapse(np.exp(-steepness * from_intervals(g, ends_of(cuts))), lapse))


def in_steps(g, ends):
    home = np.searchsorted(ends[1:-1], g)
    return np.abs(np.arange(len(ends) - 1.0) - home[:, None])


def times_another(function):
    """The choice's own probability multiplied in, as if both questions had been asked."""

    def answer(g, cuts, steepness, lapse):
        closeness = np.exp(-steepness * from_intervals(g, ends_of(cuts)))
        half = closeness.shape[1] // 2
        return with_lapse(rows(closeness * function(np.outer(g, np.repeat([-1.0, 1.0], half)))), lapse)

    return answer


INFINITE = "Which distance is infinite?"

MISTAKES = {
    "minus forgotten": answered(law=lambda d, s: np.exp(s * d)),
    "|g|": answered(view=np.abs),
    "choice left out": choice_left_out,
    "outer intervals are points": answered(ends=lambda cuts: closed(ends_of(cuts), lambda e: 0.0)),
    "outer intervals as long as their neighbours": answered(
        ends=lambda cuts: closed(ends_of(cuts), neighbours_length)
    ),
    "distance to middles": answered(distance=to_middles),
    "distance to the nearer end": answered(distance=to_nearer_end),
    "distance below 0": answered(distance=not_cut_at_0),
    "squared": answered(law=lambda d, s: np.exp(-s * d**2)),
    "divided by steepness": answered(law=lambda d, s: np.exp(-d / s)),
    "steepness forgotten": answered(law=lambda d, s: np.exp(-d)),
    "farther is likelier": answered(law=lambda d, s: 1 - np.exp(-s * d)),
    "nearest for sure": answered(law=lambda d, s: (d == 0).astype(float)),
    "one over distance": answered(law=lambda d, s: 1 / (1 + s * d)),
    "steps counted": answered(distance=in_steps),
    "no end at 0": answered(ends=lambda cuts: ends_of(cuts)[ends_of(cuts) != 0]),
    "times the choice": times_another(ndtr),
    "times the logit": times_another(expit),
    "ordinal probit": ordinal(ndtr),
    "ordinal logit": ordinal(expit),
    "lapse over one side": answered(lapsing=lambda p, lapse: (1 - lapse) * p + 2 * lapse / p.shape[1]),
    "lapse added only": answered(lapsing=lambda p, lapse: p + lapse / p.shape[1]),
    "lapse forgotten": answered(lapsing=lambda p, lapse: p),
    "lapse not shared": answered(lapsing=lambda p, lapse: (1 - lapse) * p + lapse),
    "lapse before normalising": lapse_first,
    "lapse exchanged": answered(lapsing=lambda p, lapse: lapse * p + (1 - lapse) / p.shape[1]),
    "lapse over the rows": answered(lapsing=lambda p, lapse: (1 - lapse) * p + lapse / len(p)),
    "b first": answered(arrange=lambda p: p[:, ::-1]),
    "sides exchanged": answered(arrange=halves_exchanged),
    "a's cuts not mirrored": answered(arrange=not_mirrored),
    "normalised over g": answered(share=lambda c: c / c.sum(axis=0)),
    "not normalised": answered(share=lambda c: c),
    "normalised by side": answered(share=by_side),
}

RULE_MISTAKES = {
    "infinite distances": (answered(distance=infinite_for_both), INFINITE),
    "transposed": (answered(arrange=lambda p: p.T), "is needed"),
}


def loops(g, cuts, steepness, lapse):
    table = []
    for value in g:
        near = []
        for side in (-1, 1):
            for low, high in zip([0.0, *cuts], [*cuts, float("inf")], strict=True):
                mine = side * value
                near.append(np.exp(-steepness * (low - mine if mine < low else max(mine - high, 0.0))))
        near = near[: len(near) // 2][::-1] + near[len(near) // 2 :]
        table.append([(1 - lapse) * one / sum(near) + lapse / len(near) for one in near])
    return table


def by_clipping(g, cuts, steepness, lapse):
    """The nearest point of each interval, then a softmax."""
    ends = ends_of(cuts)
    nearest = np.clip(g[:, None], ends[:-1], ends[1:])
    return with_lapse(softmax(-steepness * np.abs(nearest - g[:, None]), axis=1), lapse)


def by_steps(g, cuts, steepness, lapse):
    """Another algorithm: distances grow from the interval in which g lies by what lies between."""
    cuts = np.concatenate([-cuts[::-1], [0.0], cuts])
    home = np.searchsorted(cuts, g)
    d = np.zeros((len(g), len(cuts) + 1))
    for k, (x, h) in enumerate(zip(g, home, strict=True)):
        for i in range(h):
            d[k, i] = x - cuts[i]
        for i in range(h + 1, len(cuts) + 1):
            d[k, i] = cuts[i - 1] - x
    return with_lapse(rows(np.exp(-steepness * d)), lapse)


RIGHT = {"intervals": right_answer, "loops, lists": loops, "clip, softmax": by_clipping, "steps": by_steps}
