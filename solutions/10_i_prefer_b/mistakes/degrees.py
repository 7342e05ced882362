"""Task 3, degree_slopes(f, pairs, degrees, noise_std, precision)."""

import numpy as np
from scipy.special import digamma, ndtr, polygamma
from scipy.stats import norm

from course_lib.gp import Beta
from course_lib.judgments import Comparison


def by_share(mu, y, nu):
    """First and second derivative of the log density by the share μ."""
    first = nu * (np.log(y / (1 - y)) - digamma(nu * mu) + digamma(nu * (1 - mu)))
    return first, -(nu**2) * (polygamma(1, nu * mu) + polygamma(1, nu * (1 - mu)))


def share(z, spread):
    """μ and its first two derivatives by g."""
    return ndtr(z), norm.pdf(z) / spread, -z * norm.pdf(z) / spread**2


def scatter(n, pairs, first, second):
    """Gradient and W of all n values from the two derivatives of each answer by its difference."""
    M = np.eye(n)[pairs[:, 1]] - np.eye(n)[pairs[:, 0]]
    return M.T @ first, -M.T @ (second[:, None] * M)


def slopes(
    spread=lambda s: np.sqrt(2) * s,
    by_share=by_share,
    share=share,
    combine=lambda L1, L2, d1, d2: (L1 * d1, L2 * d1**2 + L1 * d2),
    scatter=scatter,
):
    """An answer that is wrong in one of its steps."""

    def answer(f, pairs, degrees, noise_std, precision):
        width = spread(noise_std)
        mu, d1, d2 = share((f[pairs[:, 1]] - f[pairs[:, 0]]) / width, width)
        L1, L2 = by_share(mu, degrees, precision)
        return scatter(len(f), pairs, *combine(L1, L2, d1, d2))

    return answer


right_answer = slopes()


def first_by_share(first):
    """Another first derivative by the share."""
    return slopes(by_share=lambda mu, y, nu: (first(mu, y, nu), by_share(mu, y, nu)[1]))


def second_by_share(second):
    """Another second derivative by the share."""
    return slopes(by_share=lambda mu, y, nu: (by_share(mu, y, nu)[0], second(mu, y, nu)))


def changed(change):
    """The right gradient and W, changed."""
    return lambda *given: change(*right_answer(*given))


def scattered(sign_a=-1.0, sign_off=-1.0):
    def scatter(n, pairs, first, second):
        gradient, W = np.zeros(n), np.zeros((n, n))
        for (a, b), one, two in zip(pairs, first, -second, strict=True):
            gradient[b] += one
            gradient[a] += sign_a * one
            W[a, a] += two
            W[b, b] += two
            W[a, b] += sign_off * two
            W[b, a] += sign_off * two
        return gradient, W

    return scatter


def last_wins(n, pairs, first, second):
    """gradient[b] += … with arrays of indices: repeated items count once."""
    a, b = pairs.T
    gradient, W = np.zeros(n), np.zeros((n, n))
    gradient[b] += first
    gradient[a] -= first
    W[a, a] -= second
    W[b, b] -= second
    W[a, b] += second
    W[b, a] += second
    return gradient, W


def pairs_last_win(n, pairs, first, second):
    """Only W's off-diagonal lacks repeated pairs."""
    gradient, W = scatter(n, pairs, first, second)
    W = np.diag(np.diag(W))
    W[pairs[:, 0], pairs[:, 1]] = W[pairs[:, 1], pairs[:, 0]] = second
    return gradient, W


def upper_only(n, pairs, first, second):
    gradient, W = scatter(n, pairs, first, second)
    off = np.zeros((n, n))
    np.add.at(off, (pairs[:, 0], pairs[:, 1]), second)
    return gradient, np.diag(np.diag(W)) + off


def normal_with_its_variance(mu, y, nu):
    """Slope and expected curvature of a normal density with the mean μ and the variance of the beta."""
    variance = mu * (1 - mu) / (1 + nu)
    return (y - mu) / variance, -1 / variance


def right_order(answer):
    return lambda *given: answer(*given)[::-1]


MISTAKES = {
    "off-diagonal with +": slopes(scatter=scattered(sign_off=1.0)),
    "diagonal only": changed(lambda G, W: (G, np.diag(np.diag(W)))),
    "upper triangle only": slopes(scatter=upper_only),
    "off-diagonal twice": changed(lambda G, W: (G, 2 * W - np.diag(np.diag(W)))),
    "Hessian": changed(lambda G, W: (G, -W)),
    "minus the gradient": changed(lambda G, W: (-G, W)),
    "gradient with + at a": slopes(scatter=scattered(sign_a=1.0)),
    "a and b exchanged": lambda f, p, *rest: right_answer(f, p[:, ::-1], *rest),
    "no chain rule": slopes(combine=lambda L1, L2, d1, d2: (L1, L2)),
    "no √2 σ in the chain": slopes(share=lambda z, w: share(z, 1.0)),
    "Φ for φ": slopes(share=lambda z, w: (ndtr(z), ndtr(z) / w, norm.pdf(z) / w**2)),
    "slope not squared": slopes(combine=lambda L1, L2, d1, d2: (L1 * d1, L2 * d1 + L1 * d2)),
    "no bend of Φ": slopes(combine=lambda L1, L2, d1, d2: (L1 * d1, L2 * d1**2)),
    "sign of Φ's bend": slopes(combine=lambda L1, L2, d1, d2: (L1 * d1, L2 * d1**2 - L1 * d2)),
    "bend of Φ divided once": slopes(share=lambda z, w: (ndtr(z), norm.pdf(z) / w, -z * norm.pdf(z) / w)),
    "digammas exchanged": first_by_share(
        lambda mu, y, nu: nu * (np.log(y / (1 - y)) + digamma(nu * mu) - digamma(nu * (1 - mu)))
    ),
    "digamma without ν": first_by_share(lambda mu, y, nu: nu * (np.log(y / (1 - y)) - digamma(mu) + digamma(1 - mu))),
    "logarithm for digamma": first_by_share(lambda mu, y, nu: nu * (np.log(y / (1 - y)) - np.log(mu / (1 - mu)))),
    "digamma for trigamma": second_by_share(lambda mu, y, nu: -(nu**2) * (digamma(nu * mu) + digamma(nu * (1 - mu)))),
    "polygamma of order 2": second_by_share(
        lambda mu, y, nu: -(nu**2) * (polygamma(2, nu * mu) + polygamma(2, nu * (1 - mu)))
    ),
    "trigammas subtracted": second_by_share(
        lambda mu, y, nu: -(nu**2) * (polygamma(1, nu * mu) - polygamma(1, nu * (1 - mu)))
    ),
    "no ν in the gradient": first_by_share(lambda mu, y, nu: by_share(mu, y, nu)[0] / nu),
    "ν once in W": second_by_share(lambda mu, y, nu: by_share(mu, y, nu)[1] / nu),
    "log y for the log odds": first_by_share(
        lambda mu, y, nu: nu * (np.log(y) - digamma(nu * mu) + digamma(nu * (1 - mu)))
    ),
    "log(1 − y) with the wrong sign": first_by_share(
        lambda mu, y, nu: nu * (np.log(y * (1 - y)) - digamma(nu * mu) + digamma(nu * (1 - mu)))
    ),
    "no √2": slopes(spread=lambda s: s),
    "2σ": slopes(spread=lambda s: 2 * s),
    "2σ²": slopes(spread=lambda s: 2 * s**2),
    "σ not used": slopes(spread=lambda s: np.sqrt(2)),
    "repeated items count once": slopes(scatter=last_wins),
    "repeated pairs count once": slopes(scatter=pairs_last_win),
    "bell without its constant": slopes(
        share=lambda z, w: (ndtr(z), *(part * np.sqrt(2 * np.pi) for part in share(z, w)[1:]))
    ),
    "a normal in place of beta": slopes(by_share=normal_with_its_variance),
    "ν as a standard deviation": slopes(by_share=lambda mu, y, nu: by_share(mu, y, nu**-2.0)),
    "ν as a variance": slopes(by_share=lambda mu, y, nu: by_share(mu, y, 1 / nu)),
    "ν + 1": slopes(by_share=lambda mu, y, nu: by_share(mu, y, nu + 1)),
    "mean over the answers": lambda f, p, *rest: tuple(part / len(p) for part in right_answer(f, p, *rest)),
}

RULE_MISTAKES = {
    "W first": (right_order(right_answer), "It has the shape"),
}


def loops(f, pairs, degrees, noise_std, precision):
    gradient, W = np.zeros(len(f)), np.zeros((len(f), len(f)))
    width = np.sqrt(2) * noise_std
    for (a, b), y in zip(pairs, degrees, strict=True):
        mu, d1, d2 = share((f[b] - f[a]) / width, width)
        L1, L2 = by_share(mu, y, precision)
        for i, sign in ((a, -1), (b, 1)):
            gradient[i] += sign * L1 * d1
            for j, other in ((a, -1), (b, 1)):
                W[i, j] -= sign * other * (L2 * d1**2 + L1 * d2)
    return gradient, W


def add_at(f, pairs, degrees, noise_std, precision):
    def scatter(n, pairs, first, second):
        a, b = pairs.T
        gradient, W = np.zeros(n), np.zeros((n, n))
        np.add.at(gradient, b, first)
        np.add.at(gradient, a, -first)
        for rows, columns, sign in ((a, a, -1), (b, b, -1), (a, b, 1), (b, a, 1)):
            np.add.at(W, (rows, columns), sign * second)
        return gradient, W

    return slopes(scatter=scatter)(f, pairs, degrees, noise_std, precision)


def laplacian(f, pairs, degrees, noise_std, precision):
    """W as the Laplacian of a graph: off-diagonal first, then rows that add up to zero."""

    def scatter(n, pairs, first, second):
        a, b = pairs.T
        links = np.zeros((n, n))
        np.add.at(links, (a, b), -second)
        links = links + links.T
        pull = np.bincount(b, first, n) - np.bincount(a, first, n)
        return pull, np.diag(links.sum(axis=1)) - links

    return slopes(scatter=scatter)(f, pairs, degrees, noise_std, precision)


def likelihood_of_the_library(f, pairs, degrees, noise_std, precision):
    a, b = pairs.T
    _, first, second, _ = Comparison(Beta(precision), noise_std).derivatives(degrees, f[b] - f[a])
    return scatter(len(f), pairs, first, second)


RIGHT = {
    "indicator matrix": right_answer,
    "loops": loops,
    "np.add.at": add_at,
    "graph Laplacian": laplacian,
    "the library's likelihood": likelihood_of_the_library,
    "lists": lambda *given: tuple(part.tolist() for part in right_answer(*given)),
}
