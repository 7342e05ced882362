"""Which setting to ask about next: a criterion, and a rule that chooses by it. Lecture: 12, sections 3 and 8."""

import numpy as np
from scipy.optimize import minimize
from scipy.special import ndtr

from course_lib import validation
from course_lib.judgments.asking import acquisition
from course_lib.judgments.asking.improvement import gain, gain_with_gradient, improvement_with_gradient

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
CHOICE_RULES = ("auto", "sampled", "maximum", "climbed")
N_CLIMBS = 5  # of a gradient search, as in Nielsen, Nielsen & Larsen (2015)
N_CANDIDATES = 512  # settings that fill a space of three dimensions or more
N_PAIR_CANDIDATES = 64  # candidates for both settings of a pair
PROBABILITY_MARGIN = 0.1  # of the probability of improvement, in units of σ


def scores(criterion, model, points, incumbent, rng=None):
    """(q,) criterion for asking about each of q points in comparison with the incumbent.

    criterion : one of CRITERIA except "best", which chooses both settings
    model : fitted on the unit cube;  points : (q, d);  incumbent : (d,) the best point so far
    rng : numpy Generator or seed
    """
    validation.one_of(criterion, tuple(name for name in CRITERIA if name != "best"), "criterion")
    if criterion == "random":
        return validation.generator(rng).uniform(size=len(points))
    if criterion == "thompson":
        return acquisition.thompson(*model.predict_latent(points, return_cov=True), rng)
    if criterion in ("univariate", "bound"):
        mean, std = model.predict_latent(points)
        if criterion == "bound":
            return acquisition.upper_confidence_bound(mean, std**2)
        known = float(model.predict_latent(np.atleast_2d(incumbent))[0][0])
        return acquisition.expected_improvement(mean, std**2, known, covariance=False)
    mean, std = gain(model, points, incumbent)
    return {
        "improvement": lambda: acquisition.expected_positive_part(mean, std),
        "probability": lambda: ndtr((mean - PROBABILITY_MARGIN) / np.where(std > 0, std, 1.0)) * (std > 0),
        "variance": lambda: std**2,
        "information": lambda: acquisition.bald(mean, std**2, model.likelihood_),
    }[criterion]()


def pick(score, choose, rng=None):
    """Index of the setting to ask about: the one with the largest score, or one drawn in proportion to the scores.

    score : (q,);  choose : "maximum" (ties go to the first) or "sampled" (scores of 0 or more)

    Source: Nielsen, Nielsen & Larsen (2015), eq. 29.
    """
    score = validation.real_array(score, "score")
    if validation.one_of(choose, ("maximum", "sampled"), "choose") == "maximum" or not score.any():
        return int(score.argmax())
    if (score < 0).any():
        raise ValueError(f"score goes down to {score.min():.4g}; scores for sampling must be 0 or more.")
    return int(validation.generator(rng).choice(len(score), p=score / score.sum()))


def best_pair(mean, cov):
    """(a, b): the pair of q points with the largest expected maximum; the point with the larger mean first.

    Source: Lin et al. (2022).
    """
    mean = validation.real_array(mean, "mean")
    if mean.ndim != 1 or len(mean) < 2:
        raise ValueError(f"mean has shape {mean.shape}; (q,) is needed, for two points or more.")
    pairs = np.column_stack(np.triu_indices(len(mean), k=1))
    a, b = pairs[acquisition.expected_best(mean, cov, pairs).argmax()].tolist()
    return (a, b) if mean[a] >= mean[b] else (b, a)


def climb_improvement(model, incumbent, rng=None, starts=N_CLIMBS):
    """Point (d,) of the unit cube where the bivariate expected improvement is largest, by gradient ascent.

    With few random starts it often finds a local rather than the global maximum, which adds a little exploration.

    model : fitted on the unit cube;  incumbent : (d,);  starts : number of random starting points

    Source: Nielsen, Nielsen & Larsen (2015), section 4.1; Nielsen (2015), appendix I.
    """
    begin = validation.generator(rng).uniform(size=(validation.integer(starts, "starts"), len(incumbent)))

    def improved(points):
        return improvement_with_gradient(model, points, incumbent)

    tops = np.array([_climbed(improved, start[None]) for start in begin])  # separately: the hills differ in scale
    return tops[improved(tops)[0].argmax()]


def climb_mean(model, tried, rng=None):
    """Point (d,) of the unit cube where the mean of f is largest, from the three best tried points and random ones.

    model : fitted on the unit cube;  tried : (n, d) points
    """
    mean, _ = model.predict_latent(tried)
    begin = np.asarray(tried)[np.argsort(-mean, kind="stable")[:3]]
    begin = np.concatenate([begin, validation.generator(rng).uniform(size=(3, begin.shape[1]))])

    def higher(u):
        mean, _, slope, _ = gain_with_gradient(model, u, begin[0])
        return mean, slope

    return _climbed(higher, begin)


def _climbed(function, begin):
    """The highest point reached from these starts (s, d) in the unit cube: one L-BFGS-B maximises the sum of all."""

    def down(points):
        value, slope = function(points.reshape(begin.shape))
        return -value.sum(), -slope.ravel()

    end = minimize(down, begin.ravel(), jac=True, method="L-BFGS-B", bounds=[(0.0, 1.0)] * begin.size)
    points = end.x.reshape(begin.shape)
    return points[function(points)[0].argmax()]
