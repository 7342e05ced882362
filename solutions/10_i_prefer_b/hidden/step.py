"""Reference of task 6, strength_step."""

import numpy as np

from course_lib.gp import Probit
from course_lib.judgments import Comparison

SEED = 1006


def slopes(f, pairs, wins, noise_std):
    """∇log p and W, by the library's derivatives and one answer after the other."""
    eye, choice = np.eye(len(f)), Comparison(Probit(), noise_std)
    gradient, W = np.zeros(len(f)), np.zeros((len(f), len(f)))
    for (a, b), counts in zip(pairs, wins, strict=True):
        view = eye[b] - eye[a]
        for chosen, times in zip((-1.0, 1.0), counts, strict=True):
            _, first, second, _ = choice.derivatives(np.array([chosen]), np.array([view @ f]))
            gradient += times * first[0] * view
            W -= times * second[0] * np.outer(view, view)
    return gradient, W


def answer(f, pairs, wins, noise_std, prior_std, damping):
    """f plus the step."""
    gradient, W = slopes(f, pairs, wins, noise_std)
    left = W + np.eye(len(f)) * (1 / prior_std**2 + damping)
    return f + np.linalg.solve(left, gradient - f / prior_std**2)


def way(f, pairs, wins, noise_std, prior_std, damping):
    """The parts of the step."""
    gradient, W = slopes(f, pairs, wins, noise_std)
    yield "z of each pair", (f[pairs[:, 1]] - f[pairs[:, 0]]) / (np.sqrt(2) * noise_std)
    yield "∇log p", gradient
    yield "W", W
    yield "the right-hand side", (W + damping * np.eye(len(f))) @ f + gradient
