"""Task 3, pseudo_choices(K, Z, u, pairs, noise_std)."""

import numpy as np
from scipy.special import expit, ndtr
from scipy.stats import multivariate_normal, norm


def learning(
    mean=lambda K, Z, u: K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], u),
    rest=lambda K, Z: K - K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], K[Z]),
    difference=lambda S, a, b: S[a, a] + S[b, b] - 2 * S[a, b],
    choice=lambda g, v, s: ndtr(g / np.sqrt(2 * s**2 + v)),
    order=1,
):
    """An answer with another mean, remaining covariance, variance of a difference, or link."""

    def answer(K, Z, u, pairs, noise_std):
        a, b = pairs.T
        f, S = mean(K, Z, u), rest(K, Z)
        g, v = order * (f[b] - f[a]), difference(S, a, b)
        return g, v, choice(g, v, noise_std)

    return answer


right_answer = learning()


def reported(change):
    """The right probability, but another variance is returned."""

    def answer(*given):
        g, v, p = right_answer(*given)
        return g, change(v), p

    return answer


def solved_twice(K, Z, u):
    block = K[np.ix_(Z, Z)]
    return K[:, Z] @ np.linalg.solve(block, np.linalg.solve(block, u))


def first_rows(K, Z, u, pairs, noise_std):
    return right_answer(K, np.arange(len(Z)), u, pairs, noise_std)


def values_as_zero(K, Z, u):
    f = np.zeros(len(K))
    f[Z] = u
    return f


def noisy(K, Z, u, pairs, noise_std):
    """σ² on the diagonal of K_ZZ, as if u were answers."""
    noise = noise_std**2 * np.eye(len(Z))
    mean = K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)] + noise, u)
    return learning(
        mean=lambda *_: mean, rest=lambda K, Z: K - K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)] + noise, K[Z])
    )(K, Z, u, pairs, noise_std)


MISTAKES = {
    "printed plus": learning(difference=lambda S, a, b: S[a, a] + S[b, b] + 2 * S[a, b]),
    "covariance once": learning(difference=lambda S, a, b: S[a, a] + S[b, b] - S[a, b]),
    "variances subtracted": learning(difference=lambda S, a, b: np.abs(S[b, b] - S[a, a])),
    "FITC": learning(difference=lambda S, a, b: S[a, a] + S[b, b]),
    "only b": learning(difference=lambda S, a, b: S[b, b]),
    "only the covariance": learning(difference=lambda S, a, b: S[a, b]),
    "one noise": learning(choice=lambda g, v, s: ndtr(g / np.sqrt(s**2 + v))),
    "2σ for 2σ²": learning(choice=lambda g, v, s: ndtr(g / np.sqrt(2 * s + v))),
    "4σ²": learning(choice=lambda g, v, s: ndtr(g / np.sqrt(4 * s**2 + v))),
    "unit noise": learning(choice=lambda g, v, s: ndtr(g / np.sqrt(1 + v))),
    "no noise": learning(choice=lambda g, v, s: ndtr(g / np.sqrt(np.maximum(v, 1e-12)))),
    "no residual variance": learning(choice=lambda g, v, s: ndtr(g / (np.sqrt(2) * s))),
    "prior variance": learning(rest=lambda K, Z: K),
    "noise in the variance": lambda K, Z, u, pairs, s: tuple(
        x + y for x, y in zip(right_answer(K, Z, u, pairs, s), (0, 2 * s**2, 0), strict=True)
    ),
    "explained variance": learning(rest=lambda K, Z: K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], K[Z])),
    "printed with a plus": learning(rest=lambda K, Z: K + K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], K[Z])),
    "K_ZZ forgotten in the mean": learning(mean=lambda K, Z, u: K[:, Z] @ u),
    "K_ZZ forgotten in the variance": learning(rest=lambda K, Z: K - K[:, Z] @ K[Z]),
    "K_ZZ forgotten": learning(
        mean=lambda K, Z, u: K[:, Z] @ u,
        rest=lambda K, Z: K - K[:, Z] @ K[Z],
        choice=lambda g, v, s: ndtr(g / np.sqrt(np.maximum(2 * s**2 + v, 1e-12))),
    ),
    "K_ZZ for its inverse": learning(mean=lambda K, Z, u: K[:, Z] @ K[np.ix_(Z, Z)] @ u),
    "solved twice": learning(mean=solved_twice),
    "diagonal of K_ZZ": learning(
        mean=lambda K, Z, u: K[:, Z] @ (u / np.diag(K)[Z]),
        rest=lambda K, Z: K - K[:, Z] @ np.diag(1 / np.diag(K)[Z]) @ K[Z],
        choice=lambda g, v, s: ndtr(g / np.sqrt(np.maximum(2 * s**2 + v, 1e-12))),
    ),
    "u where it is": learning(mean=values_as_zero),
    "a minus b": learning(order=-1),
    "probability of a": learning(choice=lambda g, v, s: ndtr(-g / np.sqrt(2 * s**2 + v))),
    "no root": learning(choice=lambda g, v, s: ndtr(g / (2 * s**2 + v))),
    "sum of roots": learning(choice=lambda g, v, s: ndtr(g / (np.sqrt(2) * s + np.sqrt(np.maximum(v, 0))))),
    "v as a standard deviation": learning(choice=lambda g, v, s: ndtr(g / np.sqrt(2 * s**2 + v**2))),
    "logistic": learning(choice=lambda g, v, s: expit(g / np.sqrt(2 * s**2 + v))),
    "density": learning(choice=lambda g, v, s: norm.pdf(g / np.sqrt(2 * s**2 + v))),
    "standard deviations": reported(lambda v: np.sqrt(np.maximum(v, 0))),
    "first items": first_rows,
    "u as answers": noisy,
}

RULE_MISTAKES = {
    "probability only": (lambda *given: right_answer(*given)[2], "3 values are needed"),
}


def by_cholesky(K, Z, u, pairs, noise_std):
    L = np.linalg.cholesky(K[np.ix_(Z, Z)])
    asked = np.eye(len(K))[pairs[:, 1]] - np.eye(len(K))[pairs[:, 0]]
    white = np.linalg.solve(L, K[Z] @ asked.T)
    mean = white.T @ np.linalg.solve(L, u)
    variance = np.einsum("ki,ij,kj->k", asked, K, asked) - (white**2).sum(axis=0)
    return mean, variance, ndtr(mean / np.sqrt(2 * noise_std**2 + np.maximum(variance, 0.0)))


def loops(K, Z, u, pairs, noise_std):
    inverse, told = np.linalg.inv(K[np.ix_(Z, Z)]), []
    for a, b in pairs:
        step = K[b, Z] - K[a, Z]
        g = step @ inverse @ u
        v = K[a, a] + K[b, b] - 2 * K[a, b] - step @ inverse @ step
        told.append((g, v, norm.cdf(g, scale=np.sqrt(2 * noise_std**2 + v))))
    return tuple(list(column) for column in zip(*told, strict=True))


def one_joint_gaussian(K, Z, u, pairs, noise_std):
    """Another algorithm: the difference as one more number of the joint Gaussian, conditioned on u pair by pair."""
    told = []
    for a, b in pairs:
        view = np.vstack([np.eye(len(K))[Z], np.eye(len(K))[b] - np.eye(len(K))[a]])
        joint = view @ K @ view.T
        gain = np.linalg.solve(joint[:-1, :-1], joint[:-1, -1])
        told.append((gain @ u, joint[-1, -1] - gain @ joint[:-1, -1]))
    g, v = np.array(told).T
    return g, v, ndtr(g / np.sqrt(2 * noise_std**2 + v))


def by_quadrature(K, Z, u, pairs, noise_std):
    """The choice averaged over the open difference."""
    g, v, _ = by_cholesky(K, Z, u, pairs, noise_std)
    nodes, weights = np.polynomial.hermite_e.hermegauss(150)
    drawn = g[:, None] + np.sqrt(np.maximum(v, 0.0))[:, None] * nodes
    return g, v, ndtr(drawn / (np.sqrt(2) * noise_std)) @ weights / weights.sum()


def with_scipy(K, Z, u, pairs, noise_std):
    """P(b) as the probability that the difference of two noisy judgements is above 0."""
    mean = K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], u)
    S = K - K[:, Z] @ np.linalg.solve(K[np.ix_(Z, Z)], K[Z])
    told = []
    for pair in pairs:
        seen = multivariate_normal(mean[pair], S[np.ix_(pair, pair)] + noise_std**2 * np.eye(2))
        step = np.array([-1.0, 1.0])
        g, spread = step @ seen.mean, step @ seen.cov @ step
        told.append((g, spread - 2 * noise_std**2, norm.sf(0.0, g, np.sqrt(spread))))
    return tuple(np.array(told).T)


RIGHT = {
    "solve": right_answer,
    "Cholesky": by_cholesky,
    "loops, lists": loops,
    "joint Gaussian": one_joint_gaussian,
    "quadrature": by_quadrature,
    "scipy": with_scipy,
}
