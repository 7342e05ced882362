"""Hidden cases of task 6, strength_step."""

import numpy as np

from course_checks import Case
from course_lib.gp import Probit
from course_lib.judgments import Comparison


def answer_by_answer(f, pairs, wins, noise_std, prior_std, damping):
    """f plus the step, by the library's derivatives and one answer after the other."""
    eye, choice = np.eye(len(f)), Comparison(Probit(), noise_std)
    slope, curvature = -f / prior_std**2, eye * (1 / prior_std**2 + damping)
    for (a, b), counts in zip(pairs, wins, strict=True):
        view = eye[b] - eye[a]
        for answer, times in zip((-1.0, 1.0), counts, strict=True):
            _, first, second, _ = choice.derivatives(np.array([answer]), np.array([view @ f]))
            slope = slope + times * first[0] * view
            curvature = curvature - times * second[0] * np.outer(view, view)
    return f + np.linalg.solve(curvature, slope)


def problem(rng, n, m, size):
    a = rng.integers(n, size=m)
    pairs = np.column_stack([a, (a + rng.integers(1, n, size=m)) % n])
    noise, prior, damping = rng.uniform(0.4, 2.5, 3)
    return size * rng.normal(size=n), pairs, rng.integers(0, 6, (m, 2)), float(noise), float(prior), float(damping)


rng = np.random.default_rng(1006)
inputs = [problem(rng, *sizes) for sizes in ((2, 2, 1), (3, 4, 1), (5, 8, 1), (4, 3, 2), (6, 9, 10))]
CASES = [Case(f"random {k}", given, answer_by_answer(*given), 1e-6) for k, given in enumerate(inputs)]
