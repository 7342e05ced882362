"""Task 5, choose_shrinkage(frames, development, grid)."""

import math

import numpy as np
from scipy.stats import multivariate_normal


def log_densities(frames, mean, covariance):
    """(N,) log densities, by slogdet and solve."""
    d = frames - mean
    squares = (d * np.linalg.solve(covariance, d.T).T).sum(axis=1)
    return -0.5 * (len(mean) * np.log(2 * np.pi) + np.linalg.slogdet(covariance)[1] + squares)


def spherical(S):
    """The right target: the average variance in every direction."""
    return np.trace(S) / len(S) * np.eye(len(S))


def blend(S, target, share):
    """The right mixture."""
    return (1 - share) * S + share * target


def choosing(
    estimate=lambda frames: np.cov(frames, rowvar=False, bias=True),
    target=spherical,
    mix=blend,
    centre=lambda frames, development: frames.mean(axis=0),
    score=lambda frames, development, mean, S: log_densities(development, mean, S).mean(),
    choose=np.argmax,
):
    """An answer made of its parts: covariance, target, mixture, mean, score, choice."""

    def answer(frames, development, grid):
        S, mean = estimate(frames), centre(frames, development)
        scores = [score(frames, development, mean, mix(S, target(S), share)) for share in grid]
        best = choose(scores)
        return grid[best], scores[best]

    return answer


right_answer = choosing()


def unbiased(frames):
    return np.cov(frames, rowvar=False)


def by_products(frames, development, mean, S):
    with np.errstate(divide="ignore"):
        return np.log(np.prod(np.exp(log_densities(development, mean, S)))) / len(development)


def log_det_by_det(frames, development, mean, S):
    d = development - mean
    squares = (d * np.linalg.solve(S, d.T).T).sum(axis=1)
    with np.errstate(divide="ignore"):
        return -0.5 * (len(mean) * np.log(2 * np.pi) + np.log(np.linalg.det(S)) + squares).mean()


def without_log_det(frames, development, mean, S):
    d = development - mean
    return -0.5 * (len(mean) * np.log(2 * np.pi) + (d * np.linalg.solve(S, d.T).T).sum(axis=1)).mean()


def on_both(frames, development, mean, S):
    return log_densities(np.vstack([frames, development]), mean, S).mean()


MISTAKES = {
    "scores the training frames": choosing(
        score=lambda frames, development, mean, S: log_densities(frames, mean, S).mean()
    ),
    "scores all frames": choosing(score=on_both),
    "estimates from all frames": lambda frames, development, grid: right_answer(
        np.vstack([frames, development]), development, grid
    ),
    "development mean": choosing(centre=lambda frames, development: development.mean(axis=0)),
    "sum of the variances": choosing(target=lambda S: np.trace(S) * np.eye(len(S))),
    "largest variance": choosing(target=lambda S: np.diag(S).max() * np.eye(len(S))),
    "geometric mean": choosing(
        target=lambda S: np.linalg.slogdet(S)[0] * np.linalg.det(S) ** (1 / len(S)) * np.eye(len(S))
    ),
    "mean of all entries": choosing(target=lambda S: S.mean() * np.eye(len(S))),
    "identity": choosing(target=lambda S: np.eye(len(S))),
    "towards the diagonal": choosing(target=lambda S: np.diag(np.diag(S))),
    "everywhere the same number": choosing(target=lambda S: np.full_like(S, np.trace(S) / len(S))),
    "λ and 1 − λ exchanged": choosing(mix=lambda S, target, share: share * S + (1 - share) * target),
    "only added": choosing(mix=lambda S, target, share: S + share * target),
    "least score": choosing(choose=np.argmin),
    "N − 1": choosing(estimate=unbiased),
    "log of the mean density": choosing(
        score=lambda *given: np.log(np.exp(log_densities(given[1], *given[2:])).mean())
    ),
    "mean density": choosing(score=lambda *given: np.exp(log_densities(given[1], *given[2:])).mean()),
    "product of densities": choosing(score=by_products),
    "log of the determinant": choosing(score=log_det_by_det),
    "without the determinant": choosing(score=without_log_det),
}

RULE_MISTAKES = {
    "cost": (
        choosing(score=lambda *given: -log_densities(given[1], *given[2:]).mean(), choose=np.argmin),
        "Is it a cost or a log density?",
    ),
    "total": (
        choosing(score=lambda frames, development, mean, S: log_densities(development, mean, S).sum()),
        "A total, or a mean of",
    ),
    "product of densities, math": (
        choosing(
            score=lambda *given: math.log(math.prod(np.exp(log_densities(given[1], *given[2:])))) / len(given[1])
        ),
        "How small is 0.01 to the power of 200?",
    ),
    "place in the grid": (
        lambda frames, development, grid: (
            int(np.flatnonzero(grid == right_answer(frames, development, grid)[0])[0]),
            right_answer(frames, development, grid)[1],
        ),
        "The place in the grid, or the λ that stands there?",
    ),
    "score and λ exchanged": (lambda *given: right_answer(*given)[::-1], "Which of the two comes first?"),
    "λ only": (lambda *given: right_answer(*given)[0], "2 values are needed"),
    "all scores": (
        lambda frames, development, grid: [right_answer(frames, development, [share])[1] for share in grid],
        "values are needed",
    ),
}


def scipys(frames, development, grid):
    mean = np.mean(frames, axis=0)
    around = frames - mean
    S = around.T @ around / len(frames)
    best = max(
        (multivariate_normal.logpdf(development, mean, (1 - t) * S + t * np.diag(S).mean() * np.eye(len(S))).mean(), t)
        for t in grid
    )
    return best[::-1]


def eigenvectors(frames, development, grid):
    """Another algorithm: shrinking moves the eigenvalues and leaves the eigenvectors."""
    mean = frames.mean(axis=0)
    values, vectors = np.linalg.eigh(np.cov(frames.T, ddof=0))
    squares = (((development - mean) @ vectors) ** 2).mean(axis=0)
    shrunk = (1 - np.asarray(grid)[:, None]) * values + np.asarray(grid)[:, None] * values.mean()
    scores = -0.5 * (np.log(2 * np.pi * shrunk) + squares / shrunk).sum(axis=1)
    return grid[scores.argmax()], scores.max()


def loop(frames, development, grid):
    mean = sum(frames) / len(frames)
    S = sum(np.outer(x - mean, x - mean) for x in frames) / len(frames)
    best, best_score = None, -np.inf
    for share in grid:
        shrunk = (1 - share) * S
        for i in range(len(S)):
            shrunk[i, i] += share * np.trace(S) / len(S)
        lower = np.linalg.cholesky(shrunk)
        total = 0.0
        for x in development:
            total -= 0.5 * (np.linalg.solve(lower, x - mean) ** 2).sum() + np.log(np.diag(lower)).sum()
        score = total / len(development) - 0.5 * len(mean) * np.log(2 * np.pi)
        if score > best_score:
            best, best_score = share, score
    return best, best_score


RIGHT = {
    "slogdet and solve": right_answer,
    "scipy": scipys,
    "eigenvectors": eigenvectors,
    "loop, Cholesky": loop,
    "a list": lambda *given: list(right_answer(*given)),
}
