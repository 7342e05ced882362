"""Reference of task 1, exponential_kernel."""

import numpy as np

SEED = 501


def entry(one, other, log_variance, log_lengthscale):
    r = np.sqrt(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)))
    return np.exp(log_variance - r * np.exp(-log_lengthscale))


def table(x, x2, log_variance, log_lengthscale):
    return np.array([[entry(one, other, log_variance, log_lengthscale) for other in x2] for one in x])


def answer(x, x2, variance, lengthscale, h=1e-30):
    v, s = np.log(variance), np.log(lengthscale)
    slopes = (table(x, x2, v + 1j * h, s).imag / h, table(x, x2, v, s + 1j * h).imag / h)
    return table(x, x2, v, s), *slopes


def way(x, x2, variance, lengthscale):
    r = np.linalg.norm(x[:, None] - x2[None], axis=-1)
    yield "distances r", r
    yield "r/ℓ", r / lengthscale
