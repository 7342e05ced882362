"""Task 1, exponential_kernel(x, x2, variance, lengthscale)."""

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.gaussian_process.kernels import ConstantKernel, Matern

from .models import permuted


def euclidean(x, x2):
    return np.sqrt(((x[:, None] - x2[None]) ** 2).sum(axis=-1))


def kernel(
    distance=euclidean,
    value=lambda r, variance, lengthscale: variance * np.exp(-r / lengthscale),
    by_variance=lambda K, r, variance, lengthscale: K,
    by_lengthscale=lambda K, r, variance, lengthscale: K * r / lengthscale,
):
    """An answer with another distance, another value k(r) or other derivatives."""

    def answer(x, x2, variance, lengthscale):
        r = distance(x, x2)
        K = value(r, variance, lengthscale)
        return K, by_variance(K, r, variance, lengthscale), by_lengthscale(K, r, variance, lengthscale)

    return answer


right_answer = kernel()


def of_value(value, slope):
    """An answer with another k(r) = variance · value(r, ℓ), whose derivatives are right for it."""
    return kernel(
        value=lambda r, variance, lengthscale: variance * value(r, lengthscale),
        by_lengthscale=lambda K, r, variance, lengthscale: K * slope(r, lengthscale),
    )


def along_the_wrong_axis(x, x2):
    return np.sqrt(((x[:, None] - x2[None]) ** 2).sum(axis=0))


def first_against_itself(x, x2, variance, lengthscale):
    return right_answer(x, x, variance, lengthscale)


def entry_by_entry_differences(x, x2, variance, lengthscale):
    return right_answer(x[:, :1], x2[:, :1], variance, lengthscale)


def with_jitter(x, x2, variance, lengthscale):
    K, *slopes = right_answer(x, x2, variance, lengthscale)
    return K + 1e-6 * np.eye(*K.shape), *slopes


MISTAKES = {
    "squared exponential": of_value(lambda r, s: np.exp(-0.5 * r**2 / s**2), lambda r, s: r**2 / s**2),
    "squared, not halved": of_value(lambda r, s: np.exp(-(r**2) / s**2), lambda r, s: 2 * r**2 / s**2),
    "exponent halved": of_value(lambda r, s: np.exp(-0.5 * r / s), lambda r, s: 0.5 * r / s),
    "lengthscale squared": of_value(lambda r, s: np.exp(-r / s**2), lambda r, s: 2 * r / s**2),
    "lengthscale multiplied": of_value(lambda r, s: np.exp(-r * s), lambda r, s: -r * s),
    "squared distance": kernel(distance=lambda x, x2: euclidean(x, x2) ** 2),
    "no minus": kernel(
        value=lambda r, variance, lengthscale: variance * np.exp(r / lengthscale),
        by_lengthscale=lambda K, r, variance, lengthscale: -K * r / lengthscale,
    ),
    "variance squared": kernel(
        value=lambda r, variance, lengthscale: variance**2 * np.exp(-r / lengthscale),
        by_variance=lambda K, *_: 2 * K,
    ),
    "root of the variance": kernel(
        value=lambda r, variance, lengthscale: np.sqrt(variance) * np.exp(-r / lengthscale),
        by_variance=lambda K, *_: 0.5 * K,
    ),
    "no variance": kernel(value=lambda r, variance, lengthscale: np.exp(-r / lengthscale)),
    "city blocks": kernel(distance=lambda x, x2: cdist(x, x2, "cityblock")),
    "largest difference": kernel(distance=lambda x, x2: cdist(x, x2, "chebyshev")),
    "first column only": entry_by_entry_differences,
    "by variance": kernel(by_variance=lambda K, r, variance, lengthscale: K / variance),
    "by standard deviation": kernel(by_variance=lambda K, *_: 2 * K),
    "by log of log": kernel(by_variance=lambda K, r, variance, lengthscale: K * np.log(variance)),
    "by lengthscale": kernel(by_lengthscale=lambda K, r, variance, lengthscale: K * r / lengthscale**2),
    "sign of the lengthscale": kernel(by_lengthscale=lambda K, r, variance, lengthscale: -K * r / lengthscale),
    "derivative of log k": kernel(by_lengthscale=lambda K, r, variance, lengthscale: r / lengthscale),
    "no inner derivative": kernel(by_lengthscale=lambda K, *_: K),
    "derivative by the distance": kernel(by_lengthscale=lambda K, r, variance, lengthscale: -K / lengthscale),
}

RULE_MISTAKES = {
    "derivatives exchanged": (permuted(0, 2, 1)(right_answer), "Which derivative comes first?"),
    "x with itself": (first_against_itself, "Between which inputs"),
    "a row for each second input": (lambda *given: tuple(part.T for part in right_answer(*given)), "One row for each"),
    "K only": (lambda *given: right_answer(*given)[0], "3 values are needed"),
    "wrong axis": (kernel(distance=along_the_wrong_axis), "Which axis counts the coordinates?"),
    "jitter": (with_jitter, "Is anything added to a kernel"),
}


def loops(x, x2, variance, lengthscale):
    K, by_lengthscale = np.zeros((len(x), len(x2))), np.zeros((len(x), len(x2)))
    for i, one in enumerate(x):
        for j, other in enumerate(x2):
            r = sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5
            K[i, j] = variance * np.exp(-r / lengthscale)
            by_lengthscale[i, j] = r / lengthscale * K[i, j]
    return K, K, by_lengthscale


def in_units_of_the_lengthscale(x, x2, variance, lengthscale):
    r = np.linalg.norm(x[:, None, :] / lengthscale - x2[None, :, :] / lengthscale, axis=2)
    K = np.exp(np.log(variance) - r)
    return K.tolist(), K.copy().tolist(), (r * K).tolist()


def complex_step(x, x2, variance, lengthscale, h=1e-30):
    """The derivatives by a step into the complex plane, which loses no digits."""
    r = cdist(x, x2)
    K = variance * np.exp(-r / lengthscale)
    longer = variance * np.exp(-r / (lengthscale * np.exp(1j * h)))
    return [K, (variance * np.exp(1j * h) * np.exp(-r / lengthscale)).imag / h, longer.imag / h]


def sklearns(x, x2, variance, lengthscale):
    """Matérn with ν = ½; the derivatives there need both sets of inputs to be one."""
    together = np.vstack([x, x2])
    product = ConstantKernel(variance) * Matern(lengthscale, nu=0.5)
    K, slopes = product(together, eval_gradient=True)
    block = np.s_[: len(x), len(x) :]
    return K[block], slopes[..., 0][block], slopes[..., 1][block]


RIGHT = {
    "broadcast": right_answer,
    "loops": loops,
    "lists": in_units_of_the_lengthscale,
    "complex step": complex_step,
    "sklearn": sklearns,
}
