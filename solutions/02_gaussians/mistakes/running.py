"""Task 3, add_frame(n, mean, covariance, frame)."""

import numpy as np


def updating(spread, move=lambda n, mean, d: mean + d / (n + 1), count=lambda n: n + 1):
    """An answer with another spread(n, covariance, old, new), other mean or other count; old = frame − old mean."""

    def answer(n, mean, covariance, frame):
        new_mean = move(n, mean, frame - mean)
        with np.errstate(divide="ignore", invalid="ignore"):
            return count(n), new_mean, spread(n, covariance, frame - mean, frame - new_mean)

    return answer


def welford(n, C, old, new):
    """The right covariance: the sum of squares grows by old × new."""
    return (n * C + np.outer(old, new)) / (n + 1)


right_answer = updating(welford)


def second_moments(n, mean, covariance, frame):
    moment = (n * (covariance + np.outer(mean, mean)) + np.outer(frame, frame)) / (n + 1)
    new_mean = (n * mean + frame) / (n + 1)
    return n + 1, new_mean, moment - np.outer(new_mean, new_mean)


def unbiased(n, C, old, new):
    return ((n - 1) * C + np.outer(old, new)) / n if n else np.zeros_like(C)


def in_place(n, mean, covariance, frame):
    old = frame - mean
    mean += old / (n + 1)
    return n + 1, mean, (n * covariance + np.outer(old, frame - mean)) / (n + 1)


def average_of_two(n, mean, d):
    return mean + d / 2


def divides_by_the_old_count(n, mean, covariance, frame):
    d = frame - mean
    with np.errstate(divide="ignore", invalid="ignore"):
        new_mean = mean + d / np.float64(n)
        return n + 1, new_mean, (n * covariance + np.outer(d, frame - new_mean)) / np.float64(n)


MISTAKES = {
    "old mean twice": updating(lambda n, C, old, new: welford(n, C, old, old)),
    "new mean twice": updating(lambda n, C, old, new: welford(n, C, new, new)),
    "divided by n": updating(lambda n, C, old, new: (n * C + np.outer(old, new)) / np.float64(n)),
    "everything divided by n": divides_by_the_old_count,
    "N − 1": updating(unbiased),
    "covariance not weighed": updating(lambda n, C, old, new: (C + np.outer(old, new)) / (n + 1)),
    "covariance added to": updating(lambda n, C, old, new: C + np.outer(old, new) / (n + 1)),
    "weights exchanged": updating(lambda n, C, old, new: (C + n * np.outer(old, new)) / (n + 1)),
    "sum not divided": updating(lambda n, C, old, new: n * C + np.outer(old, new)),
    "covariance kept": updating(lambda n, C, old, new: C),
    "only the old spread": updating(lambda n, C, old, new: n * C / (n + 1)),
    "only the new frame": updating(lambda n, C, old, new: np.outer(old, new)),
    "mean of two": updating(welford, average_of_two),
    "mean kept": updating(welford, lambda n, mean, d: mean),
    "mean pushed away": updating(welford, lambda n, mean, d: mean - d / (n + 1)),
    "inner product": updating(lambda n, C, old, new: (n * C + old @ new) / (n + 1)),
    "squares only": updating(lambda n, C, old, new: (n * C + old * new) / (n + 1)),
    "diagonal only": updating(lambda n, C, old, new: (n * C + np.diag(old * new)) / (n + 1)),
}

RULE_MISTAKES = {
    "count kept": (updating(welford, count=lambda n: n), "How many frames have been seen now?"),
    "second moments": (second_moments, "How many digits are left"),
    "in place": (in_place, "Work on a copy"),
    "without the count": (lambda *given: right_answer(*given)[1:], "3 values are needed"),
}


def closed_form(n, mean, covariance, frame):
    d = frame - mean
    return n + 1, mean + d / (n + 1), n / (n + 1) * covariance + n / (n + 1) ** 2 * np.outer(d, d)


def shifted_moments(n, mean, covariance, frame):
    """Second moments, but measured from the old mean: nothing large is subtracted."""
    d = frame - mean
    step = d / (n + 1)
    moment = (n * covariance + d[:, None] * d) / (n + 1)
    return [n + 1, mean + step, moment - step[:, None] * step]


def loop(n, mean, covariance, frame):
    after = [m + (x - m) / (n + 1) for m, x in zip(mean, frame, strict=True)]
    size = range(len(frame))
    spread = [
        [(n * covariance[i, j] + (frame[i] - mean[i]) * (frame[j] - after[j])) / (n + 1) for j in size] for i in size
    ]
    return n + 1, after, spread


def both_groups(n, mean, covariance, frame):
    """Another algorithm: within and between two groups, the old frames and the new one."""
    share = np.array([n, 1]) / (n + 1)
    means = np.array([np.zeros_like(mean), frame - mean])
    centre = share @ means
    between = sum(s * np.outer(m - centre, m - centre) for s, m in zip(share, means, strict=True))
    return np.int64(n + 1), mean + centre, share[0] * covariance + between


RIGHT = {
    "Welford": right_answer,
    "closed form": closed_form,
    "moments from the old mean, a list": shifted_moments,
    "loop": loop,
    "within and between": both_groups,
}
