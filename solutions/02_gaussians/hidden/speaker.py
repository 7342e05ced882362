"""Hidden cases of task 6, who_speaks."""

import numpy as np
from scipy.stats import multivariate_normal

from course_checks import Case


def total(utterance, mean, spread, prior):
    return sum(multivariate_normal.logpdf(x, mean, spread) for x in utterance) + np.log(prior)


rng = np.random.default_rng(206)
CASES = []
for n_speakers, d, longest in ((3, 2, 4), (4, 2, 3), (3, 3, 5), (5, 2, 6), (4, 3, 3), (3, 2, 400)):
    roots = rng.normal(0, 1, (n_speakers, d, d + 1)) * rng.uniform(0.5, 3, (n_speakers, 1, 1))
    gaussians = rng.normal(0, 1.5, (n_speakers, d)), roots @ np.swapaxes(roots, 1, 2) + 0.2 * np.eye(d)
    priors = rng.permutation(0.5 ** np.arange(n_speakers) * np.array([1] * (n_speakers - 1) + [0.2]))
    priors = priors / priors.sum()
    lengths = rng.integers(1 + longest // 2, longest + 1, 12 if longest < 99 else 4)
    utterances = [rng.normal(0, 2, (length, d)) for length in lengths]
    scores = np.array([[total(u, *speaker) for speaker in zip(*gaussians, priors, strict=True)] for u in utterances])
    given = (utterances, *gaussians, priors)
    CASES.append(Case(f"random {n_speakers} speakers, {d}, {longest}", given, scores.argmax(axis=1)))
