"""Raters who are not equal: one noise for each rater, or for each rater in each region of the inputs.

Lecture: 09.
"""

from typing import NamedTuple

import numpy as np

from course_lib import validation
from course_lib.gp import Fixed, Normal
from course_lib.judgments.panels.answers import within_spread
from course_lib.judgments.panels.likelihoods import RaterNoise, SharedLevel
from course_lib.judgments.panels.multisample import MultiSampleGP, half_width
from course_lib.judgments.panels.regions import find_regions

NOTHING = 1e-8  # an information on log σ that is none: its interval is endless


class Trust(NamedTuple):
    """What is known of a rater in a region: the noise with its interval, and from how many answers.

    Lecture: 09, section 7.
    """

    region: int
    rater: int
    std: float
    low: float
    high: float
    answers: int


class RaterGP(MultiSampleGP):
    """y_nr = z_n + bias_r + noise, z_n = f(x_n), where the noise of rater r in region k has a spread of its own, σ_kr.

    Whom the others' answers and a smooth function foretell is trusted. One who always says the same is foretold best
    of all: leave such a rater out.

    Parameters
    ----------
    kernel, nugget_std, scale : as for `MultiSampleGP`
    regions : None, one region: each rater has one noise (GPR-MA); else (GPR-MANH) a number, "affinity" or labels, as
        for `find_regions`
    noise_std : where the search for the noises begins: a number, (R,) or (K, R); None takes each rater's spread round
        the others
    noise_floor : noise that is always there, in squares. Without it the evidence has no end where raters, or one
        rater on equal inputs, agree exactly. None takes a thousandth of the answers' standard deviation.
    shrinkage : None, or the spread of log σ_kr of one rater over the regions, such as 0.5: rules that keep a region
        with few answers near to the rater's mean
    bias_std : None, or the spread of the raters' biases: then each rater's own is learned, in units of Y
    optimize, n_restarts, rng, max_iter, progress : as for `LatentGP`

    Attributes
    ----------
    rater_std_ : (K, R) noise of each rater in each region, NaN where there is no answer
    rater_bias_ : (R,), 0 without bias_std. What all raters share cannot be told from the consensus, nor does
        consensus_std_ count it.
    regions_ : Regions
    consensus_, consensus_std_, kernel_, nugget_std_ … as for `MultiSampleGP`

    Source: Gil González et al. (2019), section 2, with σ̂² as corrected in lecture 09. Lecture: 09, section 2;
    regions: section 4.
    """

    def __init__(
        self,
        kernel=None,
        *,
        regions=None,
        noise_std=None,
        nugget_std=None,
        noise_floor=None,
        shrinkage=None,
        bias_std=None,
        scale=None,
        optimize=True,
        n_restarts=0,
        rng=None,
        max_iter=200,
        progress=False,
    ):
        self.kernel = kernel
        self.regions = regions
        self.noise_std = noise_std
        self.nugget_std = nugget_std
        self.noise_floor = noise_floor
        self.shrinkage = shrinkage
        self.bias_std = bias_std
        self.scale = scale
        self.optimize = optimize
        self.n_restarts = n_restarts
        self.rng = rng
        self.max_iter = max_iter
        self.progress = progress

    def _first_noise(self, table):
        """(R,) spread of each rater round the others' mean, never far below that of all."""
        least = 0.1 * within_spread(table)
        others = np.nansum(table, axis=1, keepdims=True) - np.nan_to_num(table)
        count = (~np.isnan(table)).sum(axis=1, keepdims=True) - 1
        apart = np.where(count > 0, table - others / np.maximum(count, 1), np.nan)
        squares, answers = np.nansum(apart**2, axis=0), (~np.isnan(apart)).sum(axis=0)
        alone = answers == 0
        return np.where(alone, within_spread(table), np.maximum(np.sqrt(squares / np.maximum(answers, 1)), least))

    def _noise(self, start, X, item, rater, y):
        regions = find_regions(self.regions, X, self.rng)
        K, R = regions.n_regions, int(rater.max()) + 1
        group = regions.labels[item] * R + rater
        answers = np.bincount(group, minlength=K * R).reshape(K, R)
        start = validation.positive(start, "noise_std") if np.isscalar(start) else validation.array(start, "noise_std")
        if np.shape(start) not in ((), (R,), (K, R)):
            raise ValueError(f"noise_std has shape {np.shape(start)}; one number, ({R},) or ({K}, {R}) is needed.")
        floor = 1e-3 * float(np.std(y)) if self.noise_floor is None else self.noise_floor
        floor = validation.not_negative(floor, "noise_floor")
        unit = 1.0 if self.bias_std is None else validation.positive(self.bias_std, "bias_std")
        noise = RaterNoise(np.broadcast_to(start, (K, R)).ravel(), group, rater, np.zeros(R), floor, unit)
        return noise.with_priors(**self._priors(R)), {"regions_": regions, "answers_": answers}

    def _priors(self, R):
        priors = {"standardized_bias": Fixed() if self.bias_std is None else Normal(0.0, 1.0)}
        if self.shrinkage is not None:
            priors["noise_std"] = SharedLevel(R, validation.positive(self.shrinkage, "shrinkage"))
        return priors

    @property
    def rater_std_(self):
        """(K, R) noise of each rater in each region, NaN where there is no answer."""
        return self._by_region(self.likelihood_.total_std)

    @property
    def noise_std_(self):
        """(K, R) as rater_std_: the noise that there is, its floor included."""
        return self.rater_std_

    @property
    def rater_bias_(self):
        """(R,) how much higher than the consensus each rater marks."""
        return self.likelihood_.bias

    def _by_region(self, noises):
        return np.where(self.answers_ > 0, noises.reshape(self.answers_.shape), np.nan)

    def rater_interval(self, confidence=0.9):
        """(low, high), (K, R) each: between them lies a rater's noise with this probability, given the kernel.

        Normal for log σ, with the curvature that the evidence is expected to have (Fisher's information) and that of
        the shrinkage. NaN where a rater gave no answer; from the floor to infinity where answers say nothing.

        Raises
        ------
        ValueError
            If the model is not fitted, or confidence is not between 0 and 1.

        Lecture: 09, section 3.
        """
        noise, posterior = self.likelihood_, self.approximation_.posterior
        information = noise.information(self.observations_.views.plus, posterior.covariance)
        if self.shrinkage is not None:
            information = information + SharedLevel(self.n_raters_, self.shrinkage).curvature(len(information))
        curvature, direction = np.linalg.eigh(information)
        error = np.sqrt(direction**2 @ (1.0 / np.maximum(curvature, NOTHING)))
        with np.errstate(over="ignore"):
            width = np.exp(half_width(confidence) * error)
            low, high = np.maximum(noise.total_std / width, noise.floor), noise.total_std * width
        return self._by_region(low), self._by_region(high)

    def trust_table(self, confidence=0.9):
        """List of Trust(region, rater, std, low, high, answers), one for each rater and region with answers.

        Raises
        ------
        ValueError
            As rater_interval.

        Lecture: 09, section 7.
        """
        columns = (self.rater_std_, *self.rater_interval(confidence), self.answers_)
        return [
            Trust(int(k), int(r), *(column[k, r].item() for column in columns)) for k, r in np.argwhere(self.answers_)
        ]

    def predict_answer(self, X_new, raters=0, new_items=False):
        """(mean, std), (q,) each, of the answer of a rater of the fit; of several, that of the mean of their answers.

        Parameters
        ----------
        X_new : (q, D)
        raters : int, or a list of different ints, 0 … R−1

        Raises
        ------
        ValueError
            As predict, if there is no such rater, or if there is no answer of theirs in a region that is asked for.

        Source: Gil González et al. (2019), eq. 2, with the rater's noise on top. Lecture: 09, section 4.
        """
        mean, std = self.predict(X_new, return_std=True, new_items=new_items)
        raters = self._check_raters(raters)
        region = self.regions_.of(validation.sequence(X_new, "X_new"))
        noise = self.rater_std_[region][:, raters]
        if np.isnan(noise).any():
            q, r = np.argwhere(np.isnan(noise))[0]
            raise ValueError(f"rater {raters[r]} gave no answer in region {region[q]}, where X_new[{q}] lies.")
        return mean + self.rater_bias_[raters].mean(), np.sqrt(std**2 + (noise**2).sum(axis=1) / len(raters) ** 2)

    def predict_scores(self, X_new, scores=None, rater=0):
        """(q, C) probability of each score as the answer of one rater of the fit.

        Parameters
        ----------
        X_new : (q, D)
        scores : (C,) whole numbers, one apart; None: all of the scale
        rater : int, 0 … R−1

        Raises
        ------
        ValueError
            As predict_answer, and if neither scores nor a scale is given.

        Source: Wong et al. (2023), section 4. Lecture: 09, section 7.
        """
        return self._score_probabilities(self.predict_answer(X_new, validation.whole(rater, "rater", least=0)), scores)

    def _check_raters(self, raters):
        chosen = np.atleast_1d(validation.array(raters, "raters"))
        if chosen.ndim != 1 or not chosen.size or chosen.dtype.kind not in "iu" or len(set(chosen)) < len(chosen):
            raise ValueError(f"raters is {raters!r}; a whole number, or several different ones, is needed.")
        if chosen.min() < 0 or chosen.max() >= self.n_raters_:
            raise ValueError(f"raters is {raters!r}; the raters are 0 … {self.n_raters_ - 1}.")
        return chosen
