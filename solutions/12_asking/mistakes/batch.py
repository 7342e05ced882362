"""Task 2, choose_batch(draws, best, k)."""

from itertools import combinations

import numpy as np


def total(draws, best, chosen):
    """Mean improvement of some challengers together."""
    return np.maximum(draws[:, chosen].max(axis=1) - draws[:, best], 0).mean()


def greedy(worth=total, told=total, first=np.argmax, may=lambda j, chosen, best: j != best and j not in chosen):
    """Challengers one after another, by what the batch is worth with each; something else may be told of it."""

    def answer(draws, best, k):
        chosen, gains = [], []
        for _ in range(k):
            free = [j for j in range(draws.shape[1]) if may(j, chosen, best)]
            chosen.append(free[first([worth(draws, best, [*chosen, j]) for j in free])])
            gains.append(told(draws, best, chosen))
        return np.array(chosen), np.array(gains)

    return answer


right_answer = greedy()


def both(worth, **more):
    return greedy(worth, worth, **more)


def single(draws, best, chosen):
    return total(draws, best, chosen[-1:])


def summed(draws, best, chosen):
    return sum(total(draws, best, [j]) for j in chosen)


def mean_first(draws, best, chosen):
    return max(draws[:, chosen].mean(axis=0).max() - draws[:, best].mean(), 0)


def mean_of_them(draws, best, chosen):
    return np.maximum(draws[:, chosen].mean(axis=1) - draws[:, best], 0).mean()


def over(level):
    return both(lambda draws, best, chosen: np.maximum(draws[:, chosen].max(axis=1) - level(draws[:, best]), 0).mean())


def losses(draws, best, chosen):
    return (draws[:, chosen].max(axis=1) - draws[:, best]).mean()


def absolute(draws, best, chosen):
    return np.abs(draws[:, chosen].max(axis=1) - draws[:, best]).mean()


def height(draws, best, chosen):
    return draws[:, [best, *chosen]].max(axis=1).mean()


def how_often(draws, best, chosen):
    return (draws[:, chosen].max(axis=1) > draws[:, best]).mean()


def increments(draws, best, k):
    chosen, gains = right_answer(draws, best, k)
    return chosen, np.diff(gains, prepend=0)


def again(draws, best, k):
    chosen = greedy(single, may=lambda j, chosen, best: j != best)(draws, best, k)[0]
    return chosen, np.full(k, total(draws, best, chosen))


def in_order(draws, best, k):
    chosen, gains = right_answer(draws, best, k)
    return np.sort(chosen), gains


def best_of_all(draws, best, k):
    others = [j for j in range(draws.shape[1]) if j != best]
    chosen = list(max(combinations(others, k), key=lambda some: total(draws, best, list(some))))
    return np.array(chosen), np.array([total(draws, best, chosen[: i + 1]) for i in range(k)])


def highest_mean(draws, best, k):
    return right_answer(draws, int(draws.mean(axis=0).argmax()), k)


def one_less(draws, best, k):
    chosen, gains = right_answer(draws, best, k)
    return chosen, gains * len(draws) / (len(draws) - 1)


def winning_draws(draws, best, chosen):
    rise = np.maximum(draws[:, chosen].max(axis=1) - draws[:, best], 0)
    return rise.sum() / max((rise > 0).sum(), 1)


MISTAKES = {
    "best single ones": greedy(single),
    "best single ones, sums": greedy(single, summed),
    "sum of improvements": greedy(told=summed),
    "mean first": both(mean_first),
    "mean over challengers": both(mean_of_them),
    "best as its mean": over(np.mean),
    "best as its maximum": over(np.max),
    "losses counted": both(losses),
    "absolute differences": both(absolute),
    "height": both(height),
    "share of draws": both(how_often),
    "increments": increments,
    "chosen again": again,
    "sorted by number": in_order,
    "best batch of all": best_of_all,
    "least": greedy(first=np.argmin),
    "highest mean as best": highest_mean,
    "S − 1": one_less,
    "winning draws only": greedy(told=winning_draws),
}

RULE_MISTAKES = {
    "numbers only": (lambda *given: right_answer(*given)[0], "2 values are needed"),
}


def running_maximum(draws, best, k):
    reached, chosen, gains = draws[:, best].copy(), [], []
    for _ in range(k):
        heights = np.maximum(reached[:, None], draws).mean(axis=0)
        heights[[best, *chosen]] = -np.inf
        chosen.append(int(heights.argmax()))
        reached = np.maximum(reached, draws[:, chosen[-1]])
        gains.append(reached.mean() - draws[:, best].mean())
    return chosen, gains


def additions(draws, best, k):
    """Another algorithm: what each one adds to a gain that is reached already."""
    gain = np.maximum(draws - draws[:, [best]], 0)
    reached, chosen, sums = np.zeros(len(draws)), [], []
    for _ in range(k):
        adds = np.maximum(gain - reached[:, None], 0).mean(axis=0)
        adds[chosen] = -1
        adds[best] = -1
        j = max(range(len(adds)), key=lambda j: adds[j])
        chosen.append(j)
        sums.append(adds[j] + (sums[-1] if sums else 0))
        reached = np.maximum(reached, gain[:, j])
    return np.array(chosen), np.array(sums)


def plain_loops(draws, best, k):
    rows, chosen, gains = draws.tolist(), [], []
    for _ in range(k):
        top = None
        for j in range(len(rows[0])):
            if j == best or j in chosen:
                continue
            worth = sum(max(0.0, max(row[i] for i in [*chosen, j]) - row[best]) for row in rows) / len(rows)
            if top is None or worth > top[0]:
                top = worth, j
        gains.append(top[0])
        chosen.append(top[1])
    return chosen, gains


RIGHT = {
    "totals": right_answer,
    "running maximum": running_maximum,
    "additions": additions,
    "plain loops": plain_loops,
}
