"""A search for the evidence of bounded marks that has no top: four questions, and no prior on the kernel.

Lecture: 07, sections 7 and 12.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from course_lib.datasets import load_mock_jurors
from course_lib.gp import SquaredExponential, laplace_approximation
from course_lib.judgments.marks.bounded import BoundedGP
from course_widgets.tables import table

QUESTIONS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
LEVELS = np.linspace(-9, 9, 1801)  # beyond, the likelihood of a mark is flat
DRAWS = 200_000
HIGH, NEAR_SINGULAR = 34, 0.01  # how far the search gets beyond depends on rounding


def juror_parts():
    """The marks of the jurors on each of the four questions."""
    jurors = load_mock_jurors()
    return [jurors.y[(question == jurors.X).all(axis=1)] for question in QUESTIONS]


def searched(rounds):
    """The truncated Gaussian on the jurors, by Laplace and without priors, after so many rounds of the search."""
    jurors, kernel = load_mock_jurors(), SquaredExponential(0.5, np.ones(2))
    settings = {"likelihood": "truncated_gaussian", "inside": 1e-6, "inference": laplace_approximation}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the table says it instead
        return BoundedGP(kernel, max_iter=rounds, **settings).fit(jurors.X, jurors.y)


def sampled_evidence(model):
    """log p(marks) under the model's kernel and noise, by draws from the prior."""
    root = np.linalg.cholesky(model.kernel_(QUESTIONS) + 1e-9 * np.eye(4))
    draws = root @ np.random.default_rng(0).normal(size=(4, DRAWS))
    heights = [model.likelihood_.log_density(part[:, None], LEVELS).sum(axis=0) for part in juror_parts()]
    return np.log(np.mean(np.exp(sum(np.interp(f, LEVELS, h) for f, h in zip(draws, heights, strict=True)))))


def smallest_eigenvalue(model):
    """The smallest eigenvalue of I + KW for the four questions."""
    X, tau = load_mock_jurors().X, model.approximation_.tau
    sums = np.array([tau[(question == X).all(axis=1)].sum() for question in QUESTIONS])
    return np.linalg.eigvals(np.eye(4) + model.kernel_(QUESTIONS) * sums).real.min()


def searches_table(all_rounds):
    """Evidence by Laplace and by draws, and the smallest eigenvalue, after more and more rounds."""
    rows = []
    for rounds in all_rounds:
        model = searched(rounds)
        by_laplace, smallest = model.log_evidence_, smallest_eigenvalue(model)
        laplace = f"above {HIGH}" if by_laplace > HIGH else f"{by_laplace:.2f}"
        eigenvalue = f"below {NEAR_SINGULAR:g}" if smallest < NEAR_SINGULAR else f"{smallest:.2f}"
        rows.append((rounds, laplace, f"{sampled_evidence(model):.2f}", eigenvalue, model.converged_))
    head = ("rounds", "Laplace's evidence", f"by {DRAWS} draws", "smallest eigenvalue of I + KW", "converged")
    return table(head, rows)
