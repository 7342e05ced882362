"""Which setting to ask for next: a criterion, and how a setting is chosen by it.

Lecture: 12, sections 3 and 8.
"""

import numpy as np
from scipy.optimize import minimize

from course_lib import validation
from course_lib.judgments.asking.acquisition import (
    bald,
    expected_best,
    expected_improvement,
    probability_of_improvement,
    thompson,
    upper_confidence_bound,
)
from course_lib.judgments.asking.slopes import gain_with_gradient, improvement_with_gradient

CRITERIA = (
    "improvement",
    "univariate",
    "probability",
    "bound",
    "thompson",
    "information",
    "variance",
    "best",
    "random",
)
CHOICES = ("auto", "sampled", "maximum", "climbed")
STARTS = 5  # of a gradient search, as in Nielsen et al. (2014)
CANDIDATES = 512  # settings that fill a space of three dimensions or more
FREE = 64  # candidates for both settings of a pair
MARGIN = 0.1  # of the probability of improvement, in units of σ


def scores(criterion, mean, cov, incumbent, likelihood, rng):
    """(q,) what asking for each of q settings beside the incumbent is worth.

    Parameters
    ----------
    criterion : one of CRITERIA but "best", which chooses both settings
    mean (q,), cov (q, q), incumbent : posterior moments of f at the settings, and which of them is the best so far
    likelihood : Likelihood of the answer, for "information"
    rng : numpy Generator or seed

    Raises
    ------
    ValueError
        If there is no such criterion, or the moments do not fit each other.

    Lecture: 12, section 3.
    """
    validation.one_of(criterion, tuple(name for name in CRITERIA if name != "best"), "criterion")
    if criterion == "improvement":
        return expected_improvement(mean, cov, incumbent)
    if criterion == "univariate":
        return expected_improvement(mean, cov, incumbent, covariance=False)
    if criterion == "probability":
        return probability_of_improvement(mean, cov, incumbent, MARGIN)
    if criterion == "bound":
        return upper_confidence_bound(mean, cov)
    if criterion == "thompson":
        return thompson(mean, cov, rng)
    if criterion == "random":
        return validation.generator(rng).uniform(size=len(mean))
    gap, variance = mean - mean[incumbent], np.diagonal(cov) + cov[incumbent, incumbent] - 2.0 * cov[incumbent]
    variance = np.maximum(variance, 0.0)
    return variance if criterion == "variance" else bald(gap, variance, likelihood)


def pick(score, choose, rng=None):
    """Index of the setting to ask for: the one of the largest score, or one drawn in proportion to the scores.

    Parameters
    ----------
    score : (q,);  choose : "maximum" (the first of equal ones) or "sampled" (scores of 0 or more)

    Raises
    ------
    ValueError
        If a score to be sampled by is below 0.

    Source: Nielsen et al. (2014), eq. 29. Lecture: 12, section 3.
    """
    score = validation.real_array(score, "score")
    if validation.one_of(choose, ("maximum", "sampled"), "choose") == "maximum" or not score.any():
        return int(score.argmax())
    if (score < 0).any():
        raise ValueError(f"score goes down to {score.min():.4g}; what is sampled by is 0 or more.")
    return int(validation.generator(rng).choice(len(score), p=score / score.sum()))


def best_pair(mean, cov):
    """(a, b): the two of q points whose better one is expected to be best; the largest mean first.

    Raises
    ------
    ValueError
        If the moments do not fit each other, or there are fewer than two points.

    Source: Lin et al. (2022), eq. 3. Lecture: 12, section 3.
    """
    mean = validation.real_array(mean, "mean")
    if mean.ndim != 1 or len(mean) < 2:
        raise ValueError(f"mean has shape {mean.shape}; (q,) is needed, for two points or more.")
    pairs = np.column_stack(np.triu_indices(len(mean), k=1))
    a, b = pairs[expected_best(mean, cov, pairs).argmax()].tolist()
    return (a, b) if mean[a] >= mean[b] else (b, a)


def climb_improvement(model, incumbent, rng=None, starts=STARTS):
    """Point (d,) of the unit cube where the bivariate expected improvement over a point is largest, by gradient ascent.

    From few random starts it is the top of some hill rather than of the highest: a little more exploration.

    Parameters
    ----------
    model : fitted on the unit cube;  incumbent : (d,);  starts : how many random points to climb from

    Raises
    ------
    ValueError
        If the model is not fitted, or starts is below 1.

    Source: Nielsen et al. (2014), section 4.1; Nielsen (2015), appendix I. Lecture: 12, section 8.
    """
    begin = validation.generator(rng).uniform(size=(validation.whole(starts, "starts"), len(incumbent)))
    return _climbed(lambda u: improvement_with_gradient(model, u, incumbent), begin)


def climb_mean(model, tried, rng=None, starts=STARTS):
    """Point (d,) of the unit cube where the posterior mean of f is largest, from the best tried points and random ones.

    Parameters
    ----------
    model : fitted on the unit cube;  tried : (n, d) points;  starts : of each kind

    Raises
    ------
    ValueError
        If the model is not fitted, the points do not fit it, or starts is below 1.

    Lecture: 12, section 8.
    """
    starts = validation.whole(starts, "starts")
    mean, _ = model.predict_latent(tried)
    begin = np.asarray(tried)[np.argsort(-mean, kind="stable")[:starts]]
    begin = np.concatenate([begin, validation.generator(rng).uniform(size=(starts, begin.shape[1]))])

    def gain(u):
        found = gain_with_gradient(model, u, begin[0])
        return found.mean, found.mean_gradient

    return _climbed(gain, begin)


def _climbed(function, begin):
    """The highest point that L-BFGS-B reaches from these (s, d), inside of the unit cube."""

    def down(u):
        value, slope = function(u[None])
        return -value[0], -slope[0]

    ends = [minimize(down, u, jac=True, method="L-BFGS-B", bounds=[(0.0, 1.0)] * len(u)) for u in begin]
    return min(ends, key=lambda end: end.fun).x
