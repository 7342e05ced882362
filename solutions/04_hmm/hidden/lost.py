"""Hidden cases of task 1, log_likelihood. Most are so long that a product of probabilities is too small."""

from itertools import pairwise, product

import numpy as np

from course_checks import Case


def over_all_paths(pi, A, B, o):
    total = 0.0
    for q in product(range(len(pi)), repeat=len(o)):
        steps = np.prod([A[i, j] for i, j in pairwise(q)])
        total += pi[q[0]] * steps * np.prod([B[i, k] for i, k in zip(q, o, strict=True) if k >= 0])
    return float(np.log(total))


def in_log_space(pi, A, B, o):
    log_b = [np.log(B[:, k]) if k >= 0 else np.zeros(len(pi)) for k in o]
    log_alpha = np.log(pi) + log_b[0]
    for heard in log_b[1:]:
        log_alpha = np.logaddexp.reduce(log_alpha[:, None] + np.log(A), axis=0) + heard
    return float(np.logaddexp.reduce(log_alpha))


def random_model(rng, n, m):
    return rng.dirichlet(np.ones(n)), rng.dirichlet(np.ones(n), n), rng.dirichlet(np.ones(m), n)


rng = np.random.default_rng(401)
symbols = ((3, -1, 1, -1), (-1, 2, 0, 1), (2, -1, -1), (1, 0, 3, -1, 2))
inputs = [(*random_model(rng, n, 4), np.array(o)) for n, o in zip((2, 3, 4, 3), symbols, strict=True)]
CASES = [Case(f"random {k}", given, over_all_paths(*given)) for k, given in enumerate(inputs)]
long = [(*random_model(rng, n, 5), rng.integers(-1, 5, t)) for n, t in ((2, 2000), (4, 1500), (3, 1200), (2, 2500))]
long += [(*random_model(rng, n, 4), rng.integers(0, 4, t)) for n, t in ((3, 1300), (4, 1800))]
CASES += [Case(f"long {k}", given, in_log_space(*given)) for k, given in enumerate(long)]
