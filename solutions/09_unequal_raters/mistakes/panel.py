"""Task 4, panel_prediction(mean, covariance, bias, noise_std, regions, raters)."""

import numpy as np

from .models import part


def predicting(
    noise=lambda noises: (noises**2).sum(axis=1) / noises.shape[1] ** 2,
    shift=lambda bias, raters: bias[raters].mean(),
    look_up=lambda noise_std, regions, raters: noise_std[regions][:, raters],
    join=lambda V, noise: V + np.diag(noise),
):
    """An answer with another variance of the mean's noise, another shift, other noises, or another covariance."""

    def answer(mean, covariance, bias, noise_std, regions, raters):
        noises = look_up(noise_std, regions, raters)
        return mean + shift(bias, np.array(raters)), join(covariance, noise(noises))

    return answer


right_answer = predicting()


def transposed(noise_std, regions, raters):
    """The first index is taken for the rater: with clipping, so that it never leaves the table."""
    K, R = noise_std.shape
    return noise_std[np.minimum(raters, K - 1)][:, np.minimum(regions, R - 1)].T


def in_region_order(noise_std, regions, raters):
    """Item q is taken to lie in region q."""
    return noise_std[np.arange(len(regions)) % len(noise_std)][:, raters]


def off_diagonal_of_regions(mean, covariance, bias, noise_std, regions, raters):
    """Items of one region share their noise."""
    means, _ = right_answer(mean, covariance, bias, noise_std, regions, raters)
    noise = (noise_std[regions][:, raters] ** 2).sum(axis=1) / len(raters) ** 2
    return means, covariance + noise[:, None] * (regions[:, None] == regions)


def shared_by_raters(mean, covariance, bias, noise_std, regions, raters):
    noises = noise_std[regions][:, raters]
    means, _ = right_answer(mean, covariance, bias, noise_std, regions, raters)
    return means, covariance + noises @ noises.T / len(raters) ** 2


def counted_from_one(mean, covariance, bias, noise_std, regions, raters):
    return right_answer(mean, covariance, bias, noise_std, regions, np.array(raters) - 1)


def with_uncertain_bias(mean, covariance, bias, noise_std, regions, raters):
    means, covariances = right_answer(mean, covariance, bias, noise_std, regions, raters)
    return means, covariances + np.var(bias[raters])


MISTAKES = {
    "divided by R": predicting(lambda s: (s**2).mean(axis=1)),
    "not divided": predicting(lambda s: (s**2).sum(axis=1)),
    "mean of the noises": predicting(lambda s: s.mean(axis=1) ** 2),
    "mean of the noises over √R": predicting(lambda s: s.mean(axis=1) ** 2 / s.shape[1]),
    "sum of the noises": predicting(lambda s: s.sum(axis=1) ** 2),
    "root of the variance": predicting(lambda s: np.sqrt((s**2).sum(axis=1)) / s.shape[1]),
    "σ for σ²": predicting(lambda s: s.sum(axis=1) / s.shape[1] ** 2),
    "precision weights": predicting(lambda s: 1 / (s**-2.0).sum(axis=1)),
    "R counts all": lambda m, V, b, s, k, r: (
        m + b[r].mean(),
        V + np.diag((s[k][:, r] ** 2).sum(axis=1) / len(b) ** 2),
    ),
    "everybody's noise": predicting(look_up=lambda s, k, r: s[k]),
    "everybody's bias": predicting(shift=lambda b, r: b.mean()),
    "everybody": predicting(shift=lambda b, r: b.mean(), look_up=lambda s, k, r: s[k]),
    "the first raters": predicting(shift=lambda b, r: b[: len(r)].mean(), look_up=lambda s, k, r: s[k][:, : len(r)]),
    "counted from one": counted_from_one,
    "bias forgotten": predicting(shift=lambda b, r: 0.0),
    "bias subtracted": predicting(shift=lambda b, r: -b[r].mean()),
    "sum of the biases": predicting(shift=lambda b, r: b[r].sum()),
    "bias over all raters": predicting(shift=lambda b, r: b[r].sum() / len(b)),
    "bias absolute": predicting(shift=lambda b, r: np.abs(b[r]).mean()),
    "bias as variance": with_uncertain_bias,
    "region and rater exchanged": predicting(look_up=transposed),
    "first region for all": predicting(look_up=lambda s, k, r: s[k[:1].repeat(len(k))][:, r]),
    "item q in region q": predicting(look_up=in_region_order),
    "mean over the regions": predicting(
        look_up=lambda s, k, r: np.sqrt((s**2).mean(axis=0))[r][None].repeat(len(k), axis=0)
    ),
    "noise in every entry": predicting(join=lambda V, noise: V + noise),
    "noise shared in a region": off_diagonal_of_regions,
    "noise shared by the raters": shared_by_raters,
    "V forgotten": predicting(join=lambda V, noise: np.diag(noise)),
    "V divided too": lambda m, V, b, s, k, r: (
        m + b[r].mean(),
        V / len(r) + np.diag((s[k][:, r] ** 2).sum(axis=1) / len(r) ** 2),
    ),
    "noise forgotten": predicting(join=lambda V, noise: V),
    "diagonal only": predicting(join=lambda V, noise: np.diag(np.diag(V) + noise)),
    "roots of the covariance": predicting(join=lambda V, noise: np.sqrt(V + np.diag(noise))),
    "correlations": part(right_answer, 1, lambda C: C / np.sqrt(np.outer(np.diag(C), np.diag(C)))),
}

RULE_MISTAKES = {
    "standard deviations only": (
        part(right_answer, 1, lambda C: np.sqrt(np.diag(C))),
        "It has the shape",
    ),
    "covariance first": (lambda *given: right_answer(*given)[::-1], "It has the shape"),
    "means only": (lambda *given: right_answer(*given)[0], "2 values are needed"),
}


def loops(mean, covariance, bias, noise_std, regions, raters):
    means, result = [], covariance.copy()
    for q, k in enumerate(regions):
        means.append(mean[q] + sum(bias[r] for r in raters) / len(raters))
        result[q, q] += sum(noise_std[k, r] ** 2 for r in raters) / len(raters) ** 2
    return means, result.tolist()


def with_ix(mean, covariance, bias, noise_std, regions, raters):
    chosen = noise_std[np.ix_(regions, raters)]
    return mean + np.mean(bias[raters]), covariance + np.diag(np.mean(chosen**2, axis=1) / len(raters))


def weights(mean, covariance, bias, noise_std, regions, raters):
    """A panel is a vector of weights: 1/R for its members, 0 for all others."""
    w = np.zeros(len(bias))
    w[raters] = 1 / len(raters)
    return mean + bias @ w, covariance + np.diag(noise_std[regions] ** 2 @ w**2)


def all_marks(mean, covariance, bias, noise_std, regions, raters):
    """The joint Gaussian of all the panel's marks, and the average as a matrix."""
    q, n = len(mean), len(raters)
    average = np.kron(np.eye(q), np.full((1, n), 1 / n))
    marks = np.kron(covariance, np.ones((n, n))) + np.diag(noise_std[regions][:, raters].ravel() ** 2)
    return average @ (mean[:, None] + bias[raters]).ravel(), average @ marks @ average.T


def one_rater_after_the_other(mean, covariance, bias, noise_std, regions, raters):
    total, spread = np.zeros(len(mean)), np.zeros(len(mean))
    for r in raters:
        total = total + mean + bias[r]
        spread = spread + noise_std[regions, r] ** 2
    result = np.array(covariance)
    np.fill_diagonal(result, np.diag(covariance) + spread / len(raters) ** 2)
    return [total / len(raters), result]


RIGHT = {
    "broadcast": right_answer,
    "loops, lists": loops,
    "np.ix_": with_ix,
    "weights": weights,
    "all marks": all_marks,
    "one rater after the other": one_rater_after_the_other,
}
