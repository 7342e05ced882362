"""Task 3, best_map(mean, std, truth, level)."""

import numpy as np
from scipy.special import ndtr
from scipy.stats import norm


def sublevel(mean, std, level):
    return ndtr((level - mean) / std)


def expected_f1(p, order):
    k = np.arange(1, len(p) + 1)
    return 2 * np.cumsum(p[order]) / (k + p.sum())


def best_first(p, order, inside):
    return int(expected_f1(p, order).argmax()) + 1


def over(a, b):
    return a / b if b else 0.0


def harmonic(hits, chosen, inside, q):
    return over(2 * hits, chosen + inside)


def squared(p, inside, chosen):
    return ((p - inside) ** 2).mean()


def mapped(
    probability=sublevel,
    order=lambda p: np.argsort(-p),
    size=best_first,
    flags=lambda order, k, q: np.isin(np.arange(q), order[:k]),
    truly=lambda truth, level: truth <= level,
    share=over,
    f1=harmonic,
    brier=squared,
    nowhere=lambda p, inside, chosen: inside.mean(),
    arrange=lambda told: told,
):
    """An answer with one step changed."""

    def answer(mean, std, truth, level):
        with np.errstate(all="ignore"):
            p, inside = probability(mean, std, level), truly(truth, level)
            places = order(p)
            chosen = flags(places, size(p, places, inside), len(p))
            hits, c, n = (chosen & inside).sum(), chosen.sum(), inside.sum()
            scores = share(hits, c), share(hits, n), f1(hits, c, n, len(p))
            return arrange((chosen, *scores, brier(p, inside, chosen), nowhere(p, inside, chosen)))

    return answer


right_answer = mapped()


def by_argmax(worth):
    return mapped(size=lambda p, order, inside: int(np.argmax(worth(p, order))) + 1)


def at_half(p, order, inside):
    return int((p >= 0.5).sum())


def looked_at_truth(p, order, inside):
    k = np.arange(1, len(p) + 1)
    return int(np.argmax(np.cumsum(inside[order]) / (k + inside.sum()))) + 1


def numpy_share(a, b):
    return np.float64(a) / np.float64(b)


def below_mean(mean, std, truth, level):
    """The map of the mean, with nothing else changed."""
    chosen, inside = mean <= level, truth <= level
    hits, p = (chosen & inside).sum(), sublevel(mean, std, level)
    scores = over(hits, chosen.sum()), over(hits, inside.sum()), over(2 * hits, chosen.sum() + inside.sum())
    return chosen, *scores, squared(p, inside, chosen), inside.mean()


ZERO = "Where 0 would be divided by 0, the task says 0."

MISTAKES = {
    "superlevel": mapped(probability=lambda m, s, level: ndtr((m - level) / s)),
    "variance for std": mapped(probability=lambda m, s, level: ndtr((level - m) / s**2)),
    "std forgotten": mapped(probability=lambda m, s, level: ndtr(level - m)),
    "cut at one half": mapped(size=at_half),
    "mean below the level": below_mean,
    "best true F1": mapped(size=looked_at_truth),
    "as many as are inside": mapped(size=lambda p, order, inside: int(inside.sum())),
    "expected size": mapped(size=lambda p, order, inside: round(p.sum())),
    "sum over the chosen below": by_argmax(
        lambda p, order: np.cumsum(p[order]) / (np.arange(1, len(p) + 1) + np.cumsum(p[order]))
    ),
    "least probable first": mapped(order=np.argsort),
    "expected hits alone": by_argmax(lambda p, order: np.cumsum(p[order])),
    "expected precision": by_argmax(lambda p, order: np.cumsum(p[order]) / np.arange(1, len(p) + 1)),
    "root of k below": by_argmax(lambda p, order: np.cumsum(p[order]) / np.sqrt(np.arange(1, len(p) + 1))),
    "P of a quarter or more": mapped(size=lambda p, order, inside: int((p >= 0.25).sum())),
    "P above its mean": mapped(size=lambda p, order, inside: int((p > p.mean()).sum())),
    "one too few": mapped(size=lambda p, order, inside: best_first(p, order, inside) - 1),
    "one too many": mapped(size=lambda p, order, inside: best_first(p, order, inside) + 1),
    "flags in sorted order": mapped(flags=lambda order, k, q: np.arange(q) < k),
    "least probable places": mapped(flags=lambda order, k, q: np.isin(np.arange(q), order[::-1][:k])),
    "strictly below": mapped(truly=lambda truth, level: truth < level),
    "exchanged": mapped(arrange=lambda t: (t[0], t[2], t[1], *t[3:])),
    "arithmetic mean": mapped(f1=lambda h, c, n, q: (over(h, c) + over(h, n)) / 2),
    "geometric mean": mapped(f1=lambda h, c, n, q: np.sqrt(over(h, c) * over(h, n))),
    "accuracy": mapped(f1=lambda h, c, n, q: (q - c - n + 2 * h) / q),
    "overlap": mapped(f1=lambda h, c, n, q: over(h, c + n - h)),
    "without the 2": mapped(f1=lambda h, c, n, q: over(h, c + n)),
    "nothing to find: 1": mapped(share=lambda a, b: a / b if b else 1.0),
    "Brier of the map": mapped(brier=lambda p, inside, chosen: (chosen != inside).mean()),
    "Brier as a sum": mapped(brier=lambda p, inside, chosen: ((p - inside) ** 2).sum()),
    "root of Brier": mapped(brier=lambda *given: np.sqrt(squared(*given))),
    "Brier of the chosen": mapped(brier=lambda p, inside, chosen: ((p - inside)[chosen] ** 2).mean()),
    "nowhere: says one half": mapped(nowhere=lambda p, inside, chosen: 0.25),
    "nowhere: squares of P": mapped(nowhere=lambda p, inside, chosen: (p**2).mean()),
    "nowhere: says the share": mapped(nowhere=lambda p, inside, chosen: inside.mean() * (1 - inside.mean())),
    "nowhere: left out": mapped(nowhere=lambda p, inside, chosen: 1 - inside.mean()),
}

RULE_MISTAKES = {
    "0 over 0": (mapped(share=numpy_share), ZERO),
    "flags as whole numbers": (mapped(arrange=lambda t: (t[0].astype(int), *t[1:])), "truth values is needed"),
    "five values": (lambda *given: right_answer(*given)[:5], "6 values are needed"),
}


def loops(mean, std, truth, level):
    p = [norm.cdf(level, m, s) for m, s in zip(mean, std, strict=True)]
    order, best, total, k_best = sorted(range(len(p)), key=lambda j: -p[j]), 0.0, 0.0, 0
    for k, j in enumerate(order, start=1):
        total += p[j]
        if 2 * total / (k + sum(p)) > best:
            best, k_best = 2 * total / (k + sum(p)), k
    chosen = [j in order[:k_best] for j in range(len(p))]
    inside = [bool(one <= level) for one in truth]
    hits = sum(a and b for a, b in zip(chosen, inside, strict=True))
    precision, recall = over(hits, sum(chosen)), over(hits, sum(inside))
    error = sum((a - b) ** 2 for a, b in zip(p, inside, strict=True)) / len(p)
    return chosen, precision, recall, over(2 * precision * recall, precision + recall), error, sum(inside) / len(p)


def by_threshold(mean, std, truth, level):
    """Another algorithm: where P is above half of the highest expected F1, found by climbing to that fixed point."""
    p, cut = sublevel(mean, std, level), 0.0
    for _ in range(100):
        cut = over(p[p > cut].sum(), (p > cut).sum() + p.sum())
    chosen, inside = p > cut, truth <= level
    hits = np.count_nonzero(chosen & inside)
    scores = [over(hits, np.count_nonzero(one)) for one in (chosen, inside)]
    f1 = 0.0 if hits == 0 else 2 / (1 / scores[0] + 1 / scores[1])
    return chosen, *scores, f1, np.mean(np.square(p - inside)), np.mean(np.square(0.0 - inside))


RIGHT = {"sorted": right_answer, "loops, lists": loops, "threshold": by_threshold}
