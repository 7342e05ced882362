"""Hidden cases of task 1, comparison_covariance."""

import numpy as np

from course_checks import Case


def everybody(K, people, pairs, persons, new_pairs, new_persons):
    """The covariance of all functions of all people at all items, and each question as a vector of ±1."""
    whole = np.kron(people, K)

    def vector(pair, person):
        step = np.zeros((len(people), len(K)))
        step[person, pair[1]] += 1.0
        step[person, pair[0]] -= 1.0
        return step.ravel()

    old = [vector(*one) for one in zip(pairs, persons, strict=True)]
    return np.array([[one @ whole @ vector(*two) for two in zip(new_pairs, new_persons, strict=True)] for one in old])


def problem(rng, n, P, m, q):
    F, T = rng.normal(size=(n, n + 1)), rng.normal(size=(P, P + 1))
    questions = [np.array([rng.choice(n, 2, replace=False) for _ in range(size)]) for size in (m, q)]
    return F @ F.T, T @ T.T, questions[0], rng.integers(P, size=m), questions[1], rng.integers(P, size=q)


rng = np.random.default_rng(1101)
inputs = [problem(rng, *sizes) for sizes in ((3, 2, 2, 4), (5, 3, 6, 2), (4, 1, 3, 3), (8, 4, 5, 7), (6, 5, 1, 9))]
CASES = [Case(f"random {k}", given, everybody(*given)) for k, given in enumerate(inputs)]
