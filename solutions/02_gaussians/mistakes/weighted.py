"""Task 1, weighted_gaussian(frames, weights)."""

import numpy as np


def shares(weights):
    """The right shares of the frames: they add up to 1."""
    return weights / weights.sum()


def equal(weights):
    return np.full(len(weights), 1 / len(weights))


def estimating(of_mean=shares, of_spread=shares, centre=True):
    """An answer with other shares of the frames in the mean or in the covariance."""

    def answer(frames, weights):
        mean = of_mean(weights) @ frames
        around = frames - mean if centre else frames
        return mean, (around * of_spread(weights)[:, None]).T @ around

    return answer


right_answer = estimating()


def unbiased_shares(weights):
    """What np.cov(aweights=…) takes without ddof=0."""
    return weights / (weights.sum() - (weights**2).sum() / weights.sum())


def changed(change):
    """The right mean, and a covariance that is changed afterwards."""
    return lambda frames, weights: (right_answer(frames, weights)[0], change(right_answer(frames, weights)[1]))


def frames_as_features(frames, weights):
    mean = shares(weights) @ frames
    around = (frames - mean) * np.sqrt(shares(weights))[:, None]
    return mean, around @ around.T


def rowvar(frames, weights):
    return np.average(frames, axis=0, weights=weights), np.cov(frames, aweights=weights, ddof=0)


MISTAKES = {
    "weights ignored": estimating(equal, equal),
    "weights in the mean only": estimating(of_spread=equal),
    "spread around the plain mean": estimating(of_mean=equal),
    "divided by N": estimating(of_spread=lambda w: w / len(w)),
    "both divided by N": estimating(lambda w: w / len(w), lambda w: w / len(w)),
    "divided by N − 1": estimating(of_spread=lambda w: w / (len(w) - 1)),
    "divided by Σw − 1": estimating(of_spread=lambda w: w / (w.sum() - 1)),
    "np.cov(aweights)": estimating(of_spread=unbiased_shares),
    "weights squared in the covariance": estimating(of_spread=lambda w: w**2 / w.sum()),
    "weights squared everywhere": estimating(lambda w: shares(w**2), lambda w: shares(w**2)),
    "roots of the weights": estimating(of_spread=lambda w: np.sqrt(w) / w.sum()),
    "roots of the weights everywhere": estimating(lambda w: shares(np.sqrt(w)), lambda w: shares(np.sqrt(w))),
    "not centred": estimating(centre=False),
    "not divided": estimating(of_spread=lambda w: w),
    "variances only": changed(np.diag),
    "zeros beside the diagonal": changed(lambda C: np.diag(np.diag(C))),
    "roots of the entries": changed(lambda C: np.sign(C) * np.sqrt(np.abs(C))),
}

RULE_MISTAKES = {
    "frames as features": (frames_as_features, "How many features are there, and how large must the covariance be?"),
    "np.cov without rowvar": (rowvar, "Which axis of your array counts the frames"),
    "exchanged": (lambda *given: right_answer(*given)[::-1], "It has the shape"),
    "mean only": (lambda *given: right_answer(*given)[0], "return a, b gives two."),
}


def loop(frames, weights):
    total = sum(weights)
    mean = sum(w * x for w, x in zip(weights, frames, strict=True)) / total
    covariance = sum(w * np.outer(x - mean, x - mean) for w, x in zip(weights, frames, strict=True)) / total
    return [mean, covariance]


def einsum(frames, weights):
    mean = np.einsum("n,nd->d", weights, frames) / weights.sum()
    around = frames - mean
    return mean, np.einsum("n,ni,nj->ij", weights, around, around) / weights.sum()


def second_moment_less_square(frames, weights):
    mean = np.average(frames, axis=0, weights=weights)
    return mean, (frames.T * weights) @ frames / weights.sum() - np.outer(mean, mean)


def numpys(frames, weights):
    covariance = np.cov(frames, rowvar=False, aweights=weights, ddof=0)
    return np.average(frames, axis=0, weights=weights).tolist(), covariance.tolist()


RIGHT = {
    "matrix product": right_answer,
    "loop": loop,
    "einsum": einsum,
    "second moment": second_moment_less_square,
    "np.cov with ddof=0, lists": numpys,
}
