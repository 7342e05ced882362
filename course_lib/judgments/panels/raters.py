"""Raters who are not equal: one noise for each rater, or for each rater in each region of the inputs.

Its three choices: as prior a Gaussian process and normal biases (made by `Panel`, from which this inherits), as
likelihood Gaussian noises (`RaterGP._noise`), and so exact inference (`Panel.fit`).

Lecture: 09, sections 2–4, 7 and 8.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from course_lib import validation
from course_lib.gp import Gaussian
from course_lib.gp.averaging import learned_covariance
from course_lib.gp.items import asked_of
from course_lib.gp.priors import CentredStudentT, Normal
from course_lib.gp.questions import normal_interval
from course_lib.judgments.panels.answers import rater_slopes, rater_spreads, rounding_std
from course_lib.judgments.panels.likelihoods import NEW_RATER, HierarchicalScalePrior, RaterGain, RaterNoise
from course_lib.judgments.panels.multisample import MultiSampleGP
from course_lib.judgments.panels.panel import interval_of
from course_lib.judgments.panels.regions import find_regions
from course_lib.settings import KW_ONLY, settings

LEAST_INFORMATION = 1e-8  # about log σ; with so little its interval has no upper end


@settings
class RaterGP(MultiSampleGP):
    """y_nr = z_n + bias_r + noise, z_n = f(x_n), where the noise of rater r in region k has a spread of its own, σ_kr.

    With gains, y_nr = offset + a_r (z_n + bias_r) + noise. The model trusts raters whose answers are well predicted
    by those of the others and by a smooth f. One who always says the same is predicted best: leave such a rater out.

    kernel, nugget_std, scale, optimize, n_restarts, rng, max_iter, progress : as for `MultiSampleGP`
    regions : None, one region: each rater has one noise (GPR-MA, multiple annotators); else as for `find_regions`
        (GPR-MANH, multiple annotators with non-homogeneous noise)
    noise_std : where the search for the noises begins: a number, (R,) or (K, R); None: see `rater_spreads`
    noise_floor : the total noise is √(σ² + floor²); None: a thousandth of the answers' spread, or their rounding
    shrinkage : None, or the spread of log σ_kr round each rater's own level, such as 0.5: see HierarchicalScalePrior
    pooling : None, or the spread of log σ_kr round one level of all raters, in place of shrinkage
    bias_std : None: nobody has a bias; or where the search for the spread of biases begins: see `RaterBias`
    bias_prior : prior of that spread; None: it is learned freely; Fixed() keeps it
    opinion_std : None; or, with repeats and bias_std, where the search for the spread of opinions begins, each of one
        rater about one item: see `RaterBias`
    gain_std : None: all raters use the scale alike; or the spread of log gains, such as 0.3: see `RaterGain`
    gain_degrees : None: log gains are normal; or degrees of freedom of Student's t, such as 2, with scale gain_std

    Source: Gil González et al. (2019), section 2, with σ̂² as corrected in lecture 09.

    >>> import numpy as np
    >>> from course_lib.judgments import RaterGP
    >>> rng, items = np.random.default_rng(0), np.linspace(0, 6, 20)[:, None]
    >>> marks = np.sin(items) + rng.normal(size=(20, 3)) * [0.1, 0.1, 1.0]
    >>> model = RaterGP().fit(items, marks)
    >>> [round(one.std, 1) for one in model.trust_table()]
    [0.1, 0.1, 0.7]
    """

    _: KW_ONLY
    regions: int | str | np.ndarray | None = None
    noise_floor: float | None = None
    shrinkage: float | None = None
    pooling: float | None = None
    bias_std: float | None = None
    bias_prior: object = None
    opinion_std: float | None = None
    gain_std: float | None = None
    gain_degrees: float | None = None

    def _noise(self, X, answers):
        """The likelihood: a noise for each rater in each region, maybe gains, and what keeps them near each other."""
        regions, (_, R, _) = find_regions(self.regions, X, self.rng), answers.table.shape
        K, group = regions.n_regions, regions.labels[answers.item] * R + answers.rater
        start, floor = self._first_noises(answers.table, K), self._floor(answers)
        if self.gain_std is None:
            noise = RaterNoise(start, group, floor)
        else:
            noise = RaterGain(start, group, self._first_log_gains(answers.table), floor)
            noise = noise.with_priors(log_gain=self._near_gains())
        level = self._level(R)
        noise = noise if level is None else noise.with_priors(noise_std=level)
        return noise, {"regions_": regions, "answers_": np.bincount(group, minlength=K * R).reshape(K, R)}

    def _read(self, X, Y):
        if self.gain_degrees is not None and self.gain_std is None:
            raise ValueError(f"gain_degrees is {self.gain_degrees!r} and gain_std None; tails need a scale, gain_std.")
        return super()._read(X, Y)

    def _first_noises(self, table, K):
        """(K·R,) where the search for the noises begins."""
        R = table.shape[1]
        start = rater_spreads(table, self.bias_std is not None) if self.noise_std is None else self.noise_std
        start = validation.positive(start, "noise_std") if np.isscalar(start) else validation.array(start, "noise_std")
        if np.shape(start) not in ((), (R,), (K, R)):
            raise ValueError(f"noise_std has shape {np.shape(start)}; one number, ({R},) or ({K}, {R}) is needed.")
        return np.broadcast_to(start, (K, R)).ravel()

    def _floor(self, answers):
        """The noise that all raters have at least.

        Without one the evidence has no upper limit where raters, or one rater on equal inputs, agree exactly. By
        default it is a thousandth of the answers' standard deviation or, if it is more, the spread of rounding:
        step/√12 of answers on a grid, such as 0.29 of whole marks.
        """
        least = max(1e-3 * float(np.std(answers.y)), rounding_std(answers.y))
        floor = validation.not_negative(least if self.noise_floor is None else self.noise_floor, "noise_floor")
        if not floor:
            self._warn_of_agreement(answers.table)
        return floor

    def _first_log_gains(self, table):
        """(R,) where the search begins: with tails, at the slope of each rater's answers in the mean of the others'.

        The posterior then has two maxima: of a rater who hardly uses the scale the gain is small, or the noise is.
        """
        return np.zeros(table.shape[1]) if self.gain_degrees is None else np.log(rater_slopes(table))

    def _near_gains(self):
        """The prior of log a_r."""
        std = validation.positive(self.gain_std, "gain_std")
        if self.gain_degrees is None:
            return Normal(0.0, std)
        return CentredStudentT(std, validation.positive(self.gain_degrees, "gain_degrees"))

    def _level(self, R):
        """What the noises keep near to: each rater's own, one for all, or None."""
        if self.pooling is None and self.shrinkage is None:
            return None
        if self.pooling is None:
            return HierarchicalScalePrior(R, validation.positive(self.shrinkage, "shrinkage"))
        if self.shrinkage is not None:
            raise ValueError(
                f"shrinkage is {self.shrinkage!r} and pooling {self.pooling!r}; one of them is needed: noises keep "
                "near to their rater's level, or all to one."
            )
        return HierarchicalScalePrior(1, validation.positive(self.pooling, "pooling"))

    @property
    def rater_std_(self):
        """(K, R) noise of each rater in each region, its floor included; NaN where there is no answer."""
        return self._by_region(self.likelihood_.total_std)

    noise_std_ = rater_std_

    @property
    def gain_(self):
        """(R,) how many units a rater's answers rise for one of the consensus; 1 without gain_std."""
        return np.ones(self.n_raters_) if self.gain_std is None else self.likelihood_.gain

    def gain_interval(self, confidence: float = 0.9, centred: bool = False) -> tuple[NDArray, NDArray]:
        """Central interval of each rater's gain, (low, high), (R,) each.

        Normal for log a, with the curvature of evidence and priors, which takes two gradients for each parameter; of
        an averaged model, with the spread of those drawn.

        centred : False: the gain itself, with the factor that all raters share; True: over the geometric mean of all R
            gains, which is known better
        """
        if self.gain_std is None:
            raise ValueError("gain_std is None: this model has no gains; RaterGP(gain_std=0.3) learns them.")
        latent, R = self._fitted(), self.n_raters_
        if latent.members_:
            mean, covariance = _drawn(latent, lambda noise: noise.log_gain)
        else:
            mean, covariance = self.likelihood_.log_gain, learned_covariance(latent)[-R:, -R:]  # they come last
        return tuple(map(np.exp, interval_of(mean, covariance, confidence, centred)))

    @property
    def _beside_biases(self):
        """What was learned beside the biases, so that a plugged-in fit has no interval of these."""
        return None if self.gain_std is None else "gains"

    @property
    def rater_weight_(self):
        """(K, R) each rater's share of the precision, n gain²/σ², of all n answers in a region about the consensus."""
        precision = self.answers_ * np.nan_to_num(self.gain_ / self.rater_std_) ** 2
        return precision / precision.sum(axis=1, keepdims=True)

    def _by_region(self, noises):
        return np.where(self.answers_ > 0, noises.reshape(self.answers_.shape), np.nan)

    def rater_interval(self, confidence: float = 0.9) -> tuple[NDArray, NDArray]:
        """Central interval of each rater's noise, (low, high), (K, R) each.

        Normal for log σ, with the curvature that the evidence is expected to have (Fisher's information) and that of
        shrinkage or pooling; of an averaged model, with the spread of the noises drawn. NaN where a rater gave no
        answer; from the floor to infinity where answers say nothing.
        """
        latent = self._fitted()
        if latent.members_:
            centre, covariance = _drawn(latent, lambda noise: np.log(noise.total_std))
            centre, error = np.exp(centre), np.sqrt(covariance.diagonal())
        else:
            centre, error = self._noises_expected()
        with np.errstate(over="ignore"):
            low, high = np.exp(normal_interval(np.log(centre), error, confidence))
        return self._by_region(np.maximum(low, self.likelihood_.floor)), self._by_region(high)

    def _noises_expected(self):
        """(noises, standard deviations of their logarithms), (K·R,) each, by Fisher's information."""
        noise, covariance = self.likelihood_, self.approximation_.posterior.covariance
        information, level = noise.information(self.observations_.views, covariance), self._level(self.n_raters_)
        if level is not None:
            information = information + level.curvature(len(information))
        curvature, direction = np.linalg.eigh(information)
        return noise.total_std, np.sqrt(direction**2 @ (1.0 / np.maximum(curvature, LEAST_INFORMATION)))

    def trust_table(self, confidence: float = 0.9) -> list[Trust]:
        """List of Trust(region, rater, std, low, high, answers), one for each rater and region with answers."""
        columns = (self.rater_std_, *self.rater_interval(confidence), self.answers_)
        return [
            Trust(int(k), int(r), *(column[k, r].item() for column in columns)) for k, r in np.argwhere(self.answers_)
        ]

    def _view(self, X_new, rater=NEW_RATER):
        """(Gaussian noise, mean, variance) of the answer of a rater, or of the mean of several raters' answers."""
        self._fitted()
        unseen = isinstance(rater, str) and rater == NEW_RATER
        raters = [self.n_raters_] if unseen else self._check_raters(rater)
        mean, variance = self._noise_free_moments(X_new, raters)
        region = self.regions_.of(asked_of(X_new, self.items_).X)
        if unseen:
            if not self.answers_[region].any(axis=1).all():
                raise ValueError(
                    f"nobody answered in region {region[~self.answers_[region].any(axis=1)][0]} of X_new."
                )
            noise = np.sqrt(np.nanmean(self.rater_std_[region] ** 2, axis=1))
        else:
            noise = np.sqrt((self.rater_std_[region][:, raters] ** 2).sum(axis=1)) / len(raters)
        if np.isnan(noise).any():
            q, r = np.argwhere(np.isnan(self.rater_std_[region][:, raters]))[0]
            raise ValueError(f"rater {raters[r]} gave no answer in region {region[q]}, where X_new[{q}] lies.")
        return Gaussian(noise, np.arange(len(noise))), mean, variance

    def _noise_free_moments(self, X_new, raters):
        """Mean and variance, (q,) each, of the mean of what raters would answer to items if they had no noise.

        Gains and the spread of the values are known by their product: of an averaged model each member's gains go with
        its values.
        """
        unseen, items = raters[0] == self.n_raters_, self._asked(X_new)
        equal = np.full(len(raters), 1.0 / len(raters))
        if self.gain_std is None:
            mean, variance = self._raters.seen(self._fitted(), items, raters, equal)
            return self.offset_ + mean, variance

        def moments(member):
            weights = equal if unseen else member.likelihood_.gain[raters] * equal
            mean, variance = self._raters.seen(member, items, raters, weights)
            if unseen:
                first, second = self._moments_of_gain(member)
                variance = second * (variance + mean**2) - (first * mean) ** 2
                mean = first * mean
            return mean, np.sqrt(np.maximum(variance, 0.0))

        mean, std = self._fitted()._mixed(moments, False)
        return self.offset_ + mean, std**2

    def _moments_of_gain(self, member):
        """(E a, E a²) of a new rater: of a log-normal prior; with tails it has none, and the gains learned have."""
        if self.gain_degrees is None:
            return np.exp(self.gain_std**2 / 2), np.exp(2 * self.gain_std**2)
        return member.likelihood_.gain.mean(), np.square(member.likelihood_.gain).mean()

    def _check_raters(self, raters):
        chosen = np.atleast_1d(validation.array(raters, "rater"))
        if chosen.ndim != 1 or not chosen.size or chosen.dtype.kind not in "iu" or len(set(chosen)) < len(chosen):
            raise ValueError(f'rater is {raters!r}; a whole number, or several different ones, is needed, or "new".')
        if chosen.min() < 0 or chosen.max() >= self.n_raters_:
            raise ValueError(f"rater is {raters!r}; the raters are 0 … {self.n_raters_ - 1}.")
        return chosen


class Trust(NamedTuple):
    """What is known of a rater in a region: the noise with its interval, and from how many answers."""

    region: int
    rater: int
    std: float
    low: float
    high: float
    answers: int


def _drawn(latent, of):
    """Mean (J,) and covariance (J, J) of what `of` says of the likelihoods of an averaged model's members."""

    def known(member):
        row = of(member.likelihood_)
        return row, np.zeros((len(row), len(row)))

    return latent._mixed(known, True)
