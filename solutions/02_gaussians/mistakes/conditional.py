"""Task 4, predict_unknown(mean, covariance, known, values)."""

import numpy as np


def predicting(gain=None, centre=lambda mean, gain, d: mean + gain @ d, spread=None, order=lambda known: known):
    """An answer with another gain(K, U, UK), another mean, or another spread(K, U, UK, gain)."""
    gain = gain or right_gain
    spread = spread or right_spread

    def answer(mean, covariance, known, values):
        known = order(known)
        unknown = np.setdiff1d(np.arange(len(mean)), known)
        K, U = covariance[np.ix_(known, known)], covariance[np.ix_(unknown, unknown)]
        UK = covariance[np.ix_(unknown, known)]
        G = gain(K, U, UK)
        return centre(mean[unknown], G, values - mean[known]), spread(K, U, UK, G)

    return answer


def right_gain(K, U, UK):
    return np.linalg.solve(K, UK.T).T


def right_spread(K, U, UK, G):
    return U - G @ UK.T


right_answer = predicting()


def values_not_centred(mean, covariance, known, values):
    without = right_answer(mean, covariance, known, mean[known])
    return right_answer(mean, covariance, known, values + mean[known])[0], without[1]


def in_blocks(gain_of, spread_of):
    """An answer from the blocks of the inverse covariance: of the unknown, and of unknown and known."""

    def answer(mean, covariance, known, values):
        precision = np.linalg.inv(covariance)
        unknown = np.setdiff1d(np.arange(len(mean)), known)
        UU, UK = precision[np.ix_(unknown, unknown)], precision[np.ix_(unknown, known)]
        return mean[unknown] + gain_of(UU, UK) @ (values - mean[known]), spread_of(UU)

    return answer


def through_the_inverse(UU, UK):
    return -np.linalg.solve(UU, UK)


def one_feature_at_a_time(K, U, UK):
    return UK / np.diag(K)


def transposed_gain(K, U, UK):
    return right_gain(K, U, UK).T if U.shape == K.shape else right_gain(K, U, UK)


def turned_before_the_inverse(K, U, UK):
    return UK.T @ np.linalg.inv(K) if U.shape == K.shape else right_gain(K, U, UK)


def entries_for_a_block(mean, covariance, known, values):
    unknown = np.setdiff1d(np.arange(len(mean)), known)
    gain = covariance[np.ix_(unknown, known)] @ np.linalg.inv(covariance[known, known])
    return mean[unknown] + gain @ (values - mean[known]), covariance[unknown, unknown]


def inverts_the_unknown(K, U, UK):
    return UK @ np.linalg.inv(U) if U.shape == K.shape else np.linalg.solve(U, UK)


def whole_vectors(mean, covariance, known, values):
    part, spread = right_answer(mean, covariance, known, values)
    unknown = np.setdiff1d(np.arange(len(mean)), known)
    filled, full = mean.copy(), np.zeros_like(covariance)
    filled[known], filled[unknown] = values, part
    full[np.ix_(unknown, unknown)] = spread
    return filled, full


MISTAKES = {
    "sign of the mean": predicting(centre=lambda m, G, d: m - G @ d),
    "values not centred": values_not_centred,
    "mean forgotten": predicting(centre=lambda m, G, d: G @ d),
    "known part ignored": predicting(centre=lambda m, G, d: m, spread=lambda K, U, UK, G: U),
    "mean ignores the known part": predicting(centre=lambda m, G, d: m),
    "covariance added": predicting(spread=lambda K, U, UK, G: U + G @ UK.T),
    "covariance kept": predicting(spread=lambda K, U, UK, G: U),
    "what is explained": predicting(spread=lambda K, U, UK, G: G @ UK.T),
    "no inverse": predicting(gain=lambda K, U, UK: UK),
    "multiplied by K": predicting(gain=lambda K, U, UK: UK @ K),
    "inverts the wrong block": predicting(gain=inverts_the_unknown),
    "one feature at a time": predicting(gain=one_feature_at_a_time),
    "gain transposed": predicting(gain=transposed_gain),
    "block transposed": predicting(gain=turned_before_the_inverse),
    "precision as covariance": in_blocks(through_the_inverse, lambda UU: UU),
    "sign in the inverse": in_blocks(lambda UU, UK: np.linalg.solve(UU, UK), np.linalg.inv),
    "block of the inverse as gain": in_blocks(lambda UU, UK: -UK, np.linalg.inv),
    "known sorted, values not": predicting(order=np.sort),
    "standard deviations": predicting(
        spread=lambda K, U, UK, G: np.sign(right_spread(K, U, UK, G)) * np.abs(U - G @ UK.T) ** 0.5
    ),
    "variances only": predicting(spread=lambda K, U, UK, G: np.diag(np.diag(U - G @ UK.T))),
}

RULE_MISTAKES = {
    "entries for a block": (entries_for_a_block, "What shape has covariance[known, known]?"),
    "whole vectors": (whole_vectors, "It has the shape"),
    "mean only": (lambda *given: right_answer(*given)[0], "return a, b gives two."),
}


def inverse_of_the_block(mean, covariance, known, values):
    known = [int(i) for i in known]
    unknown = [i for i in range(len(mean)) if i not in known]
    gain = covariance[unknown][:, known] @ np.linalg.inv(covariance[known][:, known])
    new_mean = mean[unknown] + gain @ (values - mean[known])
    return new_mean.tolist(), (covariance[unknown][:, unknown] - gain @ covariance[known][:, unknown]).tolist()


def one_after_the_other(mean, covariance, known, values):
    """Another algorithm: learn one value at a time."""
    mean, covariance = mean.copy(), covariance.copy()
    for i, value in zip(known, values, strict=True):
        gain = covariance[:, i] / covariance[i, i]
        mean = mean + gain * (value - mean[i])
        covariance = covariance - np.outer(gain, covariance[i])
    unknown = [i for i in range(len(mean)) if i not in known]
    return mean[unknown], covariance[np.ix_(unknown, unknown)]


def cholesky(mean, covariance, known, values):
    """With the known features first, the lower factor holds the answer."""
    unknown = np.setdiff1d(np.arange(len(mean)), known)
    order = np.concatenate([known, unknown])
    lower, n = np.linalg.cholesky(covariance[np.ix_(order, order)]), len(known)
    whitened = np.linalg.solve(lower[:n, :n], values - mean[known])
    return mean[unknown] + lower[n:, :n] @ whitened, lower[n:, n:] @ lower[n:, n:].T


RIGHT = {
    "solve": right_answer,
    "inverse of the block, lists": inverse_of_the_block,
    "one after the other": one_after_the_other,
    "Cholesky": cholesky,
    "blocks of the inverse": in_blocks(through_the_inverse, np.linalg.inv),
}
