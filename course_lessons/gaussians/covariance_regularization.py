"""Cures for a covariance with too little data, and how well each does on frames held out.

Lecture: 02, sections 5 and 9.
"""

import numpy as np

from course_lib import validation
from course_lib.sequences.gaussian import Gaussian, fit_gaussian, fit_gaussians
from course_lib.sequences.sufficient_statistics import NormalInverseWishart

FLOOR = 0.003  # about a third of the smallest variance of a coefficient of the Japanese vowels
SHAPE = 30  # frames for which a prior counts, as to the covariance


def prior_from(others):
    """What other speakers, (n, D) each, teach about one who is new: as if 1 frame and 30 deviations had been seen.

    Source: Gauvain and Lee (1994) for the idea.
    """
    within = fit_gaussians(others, "tied")[0].covariance
    center = np.mean([np.mean(frames, axis=0) for frames in others], axis=0)
    return NormalInverseWishart(center, 1, SHAPE * within, SHAPE - len(center) - 2)


def cured(groups, priors):
    """One Gaussian for each speaker, estimated in seven ways: {name: list}, or None where there is no maximum.

    groups : list of (n, D) arrays, few frames of each speaker
    priors : list of NormalInverseWishart, what the others teach about each
    """
    if len(groups) != len(priors):
        raise ValueError(f"groups has {len(groups)} speakers and priors {len(priors)}; one prior for each is needed.")
    enough = min(map(len, groups)) > np.shape(groups[0])[1]
    own_means = zip(groups, priors, strict=True)
    return {
        "diagonal": fit_gaussians(groups, "diag"),
        "spherical": fit_gaussians(groups, "spherical"),
        "tied": fit_gaussians(groups, "tied"),
        "floor": fit_gaussians(groups, min_variance=FLOOR),
        "prior": [fit_gaussian(frames, prior=prior) for frames, prior in zip(groups, priors, strict=True)],
        "full, no cure": fit_gaussians(groups) if enough else None,
        "others' Σ": [Gaussian(np.mean(frames, axis=0), prior.scale / SHAPE) for frames, prior in own_means],
    }


def held_out(train, test, priors, size, draw):
    """{name: mean log density of a held-out frame}, from some frames of each speaker; NaN where no maximum is.

    train, test : lists of (n, D) arrays, all frames of each speaker;  priors : as in `cured`
    size : how many frames of each are drawn;  draw : seed
    """
    size, rng = validation.integer(size, "size"), validation.generator(draw, "draw")
    if size > min(map(len, train)):
        raise ValueError(f"size is {size}, but a speaker in train has {min(map(len, train))} frames only.")
    some = [frames[rng.choice(len(frames), size, replace=False)] for frames in train]
    return {
        name: np.nan if gaussians is None else _mean_log_density(gaussians, test)
        for name, gaussians in cured(some, priors).items()
    }


def _mean_log_density(gaussians, test):
    """The mean over speakers of each one's mean over frames."""
    return np.mean([gaussian.log_density(frames).mean() for gaussian, frames in zip(gaussians, test, strict=True)])
