"""Hidden cases of task 2, predict_next. Half of them are so long that a product of probabilities is too small."""

from itertools import pairwise, product

import numpy as np

from course_checks import Case


def probability(pi, A, B, o):
    """P(O) as a sum over all state sequences."""
    paths = product(range(len(pi)), repeat=len(o))
    return sum(
        pi[q[0]] * np.prod([A[i, j] for i, j in pairwise(q)]) * np.prod([B[i, k] for i, k in zip(q, o, strict=True)])
        for q in paths
    )


def continued(pi, A, B, o):
    longer = [probability(pi, A, B, [*o, k]) for k in range(B.shape[1])]
    return np.array(longer) / probability(pi, A, B, o)


def log_probability(pi, A, B, o):
    log_alpha = np.log(pi) + np.log(B[:, o[0]])
    for symbol in o[1:]:
        log_alpha = np.logaddexp.reduce(log_alpha[:, None] + np.log(A), axis=0) + np.log(B[:, symbol])
    return np.logaddexp.reduce(log_alpha)


def continued_in_logs(pi, A, B, o):
    longer = np.array([log_probability(pi, A, B, [*o, k]) for k in range(B.shape[1])])
    return np.exp(longer - log_probability(pi, A, B, o))


def random_model(rng, n, m):
    return rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n), n), rng.dirichlet(np.ones(m), n)


rng = np.random.default_rng(402)
symbols = ((3,), (3, 1), (2, 0, 1), (2, 2, 0, 1, 3))
inputs = [(*random_model(rng, n, 4), np.array(o)) for n, o in zip((2, 3, 3, 3), symbols, strict=True)]
CASES = [Case(f"random {k}", given, continued(*given)) for k, given in enumerate(inputs)]
long = [(*random_model(rng, n, 4), rng.integers(0, 4, t)) for n, t in ((2, 1500), (3, 1200), (4, 1800), (3, 1400))]
CASES += [Case(f"long {k}", given, continued_in_logs(*given), 1e-8) for k, given in enumerate(long)]
pi, A, B = random_model(rng, 2, 3)
o = rng.integers(0, 3, 2500)
# Where all rows of A are equal, nothing that was heard matters.
CASES.append(Case("long, without memory", (pi, np.tile(A[0], (2, 1)), B, o), A[0] @ B))
