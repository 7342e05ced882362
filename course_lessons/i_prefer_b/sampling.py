"""The posterior of a few compared items by importance sampling: the truth that approximations are held to.

Lecture: 10, section 4.
"""

from typing import NamedTuple

import numpy as np
from scipy.linalg import solve_triangular
from scipy.special import logsumexp
from scipy.stats import multivariate_t

from course_lib import selection, validation
from course_widgets.tables import table

PROPOSAL_WIDENING = 1.2  # variance of what is drawn from, over that of the approximation
FREEDOM = 6  # of Student's t: its tails are heavier than a posterior's, so that no weight is huge


class Draws(NamedTuple):
    """f (size, n) functions at n items, their weights (size,), which sum to 1, and the log evidence."""

    f: np.ndarray
    weights: np.ndarray
    log_evidence: float

    @property
    def worth(self):
        """How many equal draws of the posterior itself would be as good: 1/Σw²."""
        return float(1 / np.sum(self.weights**2))

    def differences(self, pairs):
        """(mean, std), (m,) each, of f(x_b) − f(x_a) for pairs (m, 2) of items."""
        a, b = selection.pairs(pairs, self.f.shape[1]).T
        g = self.f[:, b] - self.f[:, a]
        mean = self.weights @ g
        return mean, np.sqrt(self.weights @ (g - mean) ** 2)


def importance_draws(model, X, pairs, size=100_000, rng=0):
    """Functions drawn from a wide Student density around a model's Gaussian, and the weights that make them exact.

    w ∝ p(y | f) p(f) / (density from which f came); the mean of w before scaling is the evidence.

    model : PreferenceGP, fitted;  X (n, D), pairs (m, 2) : what it was fitted to;  size : how many functions

    Source: Rasmussen and Williams (2006), section 3.9, for sampled evidences.
    """
    mean, covariance = model.predict_latent(X, return_cov=True)
    a, b = selection.pairs(pairs, len(mean)).T
    y, rng = model.observations_.y, validation.generator(rng)
    if len(y) != len(a):
        raise ValueError(f"pairs has {len(a)} rows, and the model was fitted to {len(y)} answers; give it the same.")
    n, L = len(mean), np.linalg.cholesky(PROPOSAL_WIDENING * covariance)
    shape = validation.integer(size, "size"), n
    z = rng.normal(size=shape) / np.sqrt(rng.chisquare(FREEDOM, size=(shape[0], 1)) / FREEDOM)
    f = mean + z @ L.T
    log_w = model.likelihood_.log_density(y, f[:, b] - f[:, a]).sum(axis=1)
    log_w += _log_gaussian(f, model.kernel_(X)) - _log_student(z, L)
    total = logsumexp(log_w)
    return Draws(f, np.exp(log_w - total), float(total - np.log(shape[0])))


def _log_gaussian(f, K):
    """log N(f | 0, K) of each row."""
    L = np.linalg.cholesky(K)
    squares = (solve_triangular(L, f.T, lower=True) ** 2).sum(axis=0)
    return -0.5 * squares - np.log(np.diag(L)).sum() - 0.5 * len(K) * np.log(2 * np.pi)


def _log_student(z, L):
    """log density of mean + L z where z (size, n) is Student's, with FREEDOM degrees."""
    return multivariate_t.logpdf(z, shape=np.eye(len(L)), df=FREEDOM) - np.log(np.diag(L)).sum()


def beside_the_truth(models, draws, X, pairs, chances=None):
    """The rules of inference beside the truth by sampling, on the differences of the pairs.

    models : {answers: {rule: fitted model}};  draws : {answers: Draws}
    chances : None, or {answers: (m,) true probabilities that b is preferred next}
    """
    rows, last = [], [] if chances is None else ["largest error of P(b preferred)"]
    for answers, rules in models.items():
        mean, std = draws[answers].differences(pairs)
        rows.append([answers, "*truth*", f"{draws[answers].log_evidence:.2f}", "", "", *("" for _ in last)])
        for name, model in rules.items():
            means, stds = model.predict_difference(X, pairs)
            off, ratio = np.abs((means - mean) / std).max(), stds / std
            row = ["", name, f"{model.log_evidence_:.2f}", f"{off:.2f}", f"{ratio.min():.2f} to {ratio.max():.2f}"]
            far = [f"{np.abs(model.predict_preference(X, pairs) - chances[answers]).max():.3f}"] if last else []
            rows.append(row + far)
    head = ["answers", "rule", "log evidence", "largest error of a mean (in true sd)", "its sd / the true sd"]
    return table(head + last, rows)
