"""Look-ahead criteria: how much an answer at one point would tell about where f is below a threshold elsewhere.

Answers are yes or no, p(yes | f) = Φ(f). Each function takes posterior moments of f at q candidate points and at r
reference points; none depends on a model. The larger the number, the better.

Lecture: 13, section 3.
"""

import numpy as np
from scipy.special import entr, ndtr

from course_lib import validation
from course_lib.gp.bivariate_normal import bivariate_normal_cdf
from course_lib.judgments.asking.acquisition import marginals

MAX_PAIRS = 200_000  # pairs of a query and a reference point computed at a time
TINY = np.finfo(float).tiny
COVARIANCE_SLACK = 1e-6  # tolerance for rounding


def global_mutual_information(mean, variance, mean_ref, variance_ref, cov, threshold):
    """(q,) information about f ≤ γ at the reference points, summed, in nats: Σ H[f ≤ γ] − E_y H[f ≤ γ | y].

    mean, variance : (q,) moments of f at the candidate points
    mean_ref, variance_ref : (r,) moments of f at the reference points
    cov : (q, r) covariances of the two;  threshold : γ, in the unit of f

    Source: Letham et al. (2022), "Look-ahead acquisition functions for Bernoulli level set estimation".
    """

    def told(yes, now, if_yes, if_no):
        then = yes * _uncertain(if_yes).sum(axis=1) + (1.0 - yes) * _uncertain(if_no).sum(axis=1)
        return np.maximum(_uncertain(now).sum() - then, 0.0)

    return _looked_ahead(told, mean, variance, mean_ref, variance_ref, cov, threshold)


def expected_absolute_volume_change(mean, variance, mean_ref, variance_ref, cov, threshold):
    """(q,) expected change of the size of the set below the threshold, in reference points.

    E_y |Σ P(f ≤ γ) − Σ P(f ≤ γ | y)|. Arguments as for global_mutual_information.

    Source: Letham et al. (2022).
    """

    def moved(yes, now, if_yes, if_no):
        change_yes, change_no = (abs((then - now).sum(axis=1)) for then in (if_yes, if_no))
        return yes * change_yes + (1.0 - yes) * change_no

    return _looked_ahead(moved, mean, variance, mean_ref, variance_ref, cov, threshold)


def sublevel_after_answer(mean, variance, mean_ref, variance_ref, cov, threshold):
    """Probability that f is below the threshold at each reference point, before and after an answer to each query.

    Exact for a Gaussian f with these moments: given y, f at the reference point is not Gaussian, hence the bivariate
    normal probability. Arguments as for global_mutual_information.

    Returns P(yes) (q,), P(f ≤ γ) (r,), P(f ≤ γ | yes) (q, r), P(f ≤ γ | no) (q, r).

    Source: Letham et al. (2022), section 4.
    """
    return _after(*_checked(mean, variance, mean_ref, variance_ref, cov, threshold))


def _looked_ahead(worth, *moments):
    """(q,) worth(P(yes), now, if yes, if no) of each query, computed in batches."""
    mean, std, mean_ref, std_ref, cov, threshold = _checked(*moments)
    portions = range(0, len(mean), max(1, MAX_PAIRS // len(mean_ref)))
    parts = [slice(begin, begin + portions.step) for begin in portions]
    return np.concatenate(
        [worth(*_after(mean[part], std[part], mean_ref, std_ref, cov[part], threshold)) for part in parts]
    )


def _after(mean, std, mean_ref, std_ref, cov, threshold):
    """As sublevel_after_answer, of standard deviations; the answer is yes if f + ε > 0, ε ~ N(0, 1)."""
    spread = np.sqrt(1.0 + std**2)
    answer, yes = mean / spread, ndtr(mean / spread)
    limit, known = standardized(threshold - mean_ref, std_ref), std_ref == 0
    now = ndtr(limit)
    rho = np.clip(-cov / (spread[:, None] * np.where(known, 1.0, std_ref)), -1.0, 1.0)
    rho = np.where(known, 0.0, rho)  # a known value does not change
    both = bivariate_normal_cdf(answer[:, None], limit, rho)
    if_yes = both / np.maximum(yes, TINY)[:, None]
    if_no = (now - both) / np.maximum(ndtr(-answer), TINY)[:, None]
    return yes, now, np.clip(if_yes, 0.0, 1.0), np.clip(if_no, 0.0, 1.0)


def standardized(gap, std):
    """gap/std, or ±∞ where std is 0 and the value is certainly at or below the limit, or certainly above."""
    known = std == 0
    return np.where(known, np.where(gap >= 0, np.inf, -np.inf), gap / np.where(known, 1.0, std))


def _uncertain(p):
    """Entropy of a coin, in nats."""
    return entr(p) + entr(1.0 - p)


def _checked(mean, variance, mean_ref, variance_ref, cov, threshold):
    """The checked arguments as float64, with standard deviations instead of variances."""
    mean, std = marginals(mean, variance, ("mean", "variance"))
    mean_ref, std_ref = marginals(mean_ref, variance_ref, ("mean_ref", "variance_ref"))
    cov = validation.matrix(cov, "cov", (len(mean), len(mean_ref)))
    most = std[:, None] * std_ref
    if (abs(cov) > most + COVARIANCE_SLACK * (1.0 + most)).any():
        raise ValueError("cov exceeds what the variances allow: cov[i, j]² ≤ variance[i] variance_ref[j] is needed.")
    return mean, std, mean_ref, std_ref, cov, validation.finite(threshold, "threshold")
