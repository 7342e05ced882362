"""Task 1, preference_probability(mean, covariance, noise_std)."""

import math

import numpy as np
from scipy.integrate import quad
from scipy.special import expit, ndtr
from scipy.stats import multivariate_normal, norm


def uncertainty(S):
    return S[0, 0] + S[1, 1] - 2 * S[0, 1]


def preferring(
    variance=lambda S, s: uncertainty(S) + 2 * s**2,
    gap=lambda m: m[1] - m[0],
    unit=np.sqrt,
    link=ndtr,
):
    """An answer with another variance of the noisy difference, another mean, unit or link."""

    def answer(mean, covariance, noise_std):
        return float(link(gap(mean) / unit(variance(covariance, noise_std))))

    return answer


right_answer = preferring()


def link_at_the_mean(mean, covariance, noise_std):
    return float(ndtr((mean[1] - mean[0]) / (math.sqrt(2) * noise_std)))


def with_variance(variance):
    return preferring(variance)


def ratio_of_two(mean, covariance, noise_std):
    """Each item beats a noisy zero by itself; then a share."""
    single = ndtr(mean / np.sqrt(np.diag(covariance) + noise_std**2))
    return float(single[1] / single.sum())


def independent_wins(mean, covariance, noise_std):
    single = ndtr(mean / np.sqrt(np.diag(covariance) + noise_std**2))
    return float(single[1] * (1 - single[0]))


MISTAKES = {
    "one noise": with_variance(lambda S, s: uncertainty(S) + s**2),
    "four noises": with_variance(lambda S, s: uncertainty(S) + 4 * s**2),
    "half a noise": with_variance(lambda S, s: uncertainty(S) + s**2 / 2),
    "winner and loser exchanged": preferring(gap=lambda m: m[0] - m[1]),
    "covariance ignored": with_variance(lambda S, s: S[0, 0] + S[1, 1] + 2 * s**2),
    "covariance added": with_variance(lambda S, s: S[0, 0] + S[1, 1] + 2 * S[0, 1] + 2 * s**2),
    "covariance once": with_variance(lambda S, s: S[0, 0] + S[1, 1] - S[0, 1] + 2 * s**2),
    "variance of b only": with_variance(lambda S, s: S[1, 1] + 2 * s**2),
    "variance of a only": with_variance(lambda S, s: S[0, 0] + 2 * s**2),
    "noise left out, f in its place": lambda m, S, s: float(ndtr((m[1] - m[0]) / np.sqrt(uncertainty(S) or 1e-12))),
    "variance for std": preferring(unit=lambda v: v),
    "no uncertainty in the unit": preferring(unit=lambda v: 1.0),
    "noise not squared": with_variance(lambda S, s: uncertainty(S) + 2 * s),
    "noise squared twice": with_variance(lambda S, s: uncertainty(S) + 2 * s**4),
    "root of noise": with_variance(lambda S, s: uncertainty(S) + np.sqrt(2) * s),
    "stds added": preferring(lambda S, s: (np.sqrt(uncertainty(S)) + np.sqrt(2) * s) ** 2),
    "link at the mean": link_at_the_mean,
    "1 + variance": with_variance(lambda S, s: uncertainty(S) + 1),
    "logistic": preferring(link=expit),
    "density": preferring(link=norm.pdf),
    "z": preferring(link=lambda z: z),
    "value of b alone": preferring(gap=lambda m: m[1]),
    "sum": preferring(gap=lambda m: m[0] + m[1]),
    "one against one, then a share": ratio_of_two,
    "b wins and a loses": independent_wins,
}


def by_vector(mean, covariance, noise_std):
    """a = (−1, 1): mean aᵀm, variance aᵀSa."""
    one = np.array([-1.0, 1.0])
    return norm.cdf(one @ mean, scale=np.sqrt(one @ (covariance + noise_std**2 * np.eye(2)) @ one))


def plain_numbers(mean, covariance, noise_std):
    (a, b), ((aa, ab), (_, bb)) = mean, covariance
    z = (b - a) / math.sqrt(aa + bb - 2 * ab + 2 * noise_std * noise_std)
    return 0.5 * math.erfc(-z / math.sqrt(2))


def what_is_heard(mean, covariance, noise_std):
    """P(heard a − heard b < 0), the heard values being jointly normal."""
    heard = covariance + noise_std**2 * np.eye(2)
    turn = np.array([[1.0, -1.0], [0.0, 1.0]])
    both = multivariate_normal(turn @ mean, turn @ heard @ turn.T)
    return both.cdf(np.array([0.0, 1e3]))


def averaged_link(mean, covariance, noise_std):
    """Φ(g/(√2σ)) on average over g, by quadrature."""
    m, v = mean[1] - mean[0], max(uncertainty(covariance), 0.0)
    if v == 0:
        return ndtr(m / (np.sqrt(2) * noise_std))

    def integrand(t):
        return ndtr((m + np.sqrt(v) * t) / (np.sqrt(2) * noise_std)) * np.exp(-0.5 * t * t) / np.sqrt(2 * np.pi)

    return quad(integrand, -12, 12, epsabs=1e-12, epsrel=1e-12, limit=400)[0]


def of_lists(mean, covariance, noise_std):
    return right_answer(np.array(list(mean)), np.array([list(row) for row in covariance]), noise_std)


RIGHT = {
    "sum under the root": right_answer,
    "aᵀSa": by_vector,
    "plain numbers": plain_numbers,
    "heard values, jointly": what_is_heard,
    "quadrature": averaged_link,
    "lists": of_lists,
    "array of one": lambda *given: np.array([right_answer(*given)]),
    "matrix of one": lambda m, S, s: np.array([[right_answer(m, S, s)]]),
}
