"""Raters who are not equal: one noise for each rater, or for each rater in each region of the inputs.

Lecture: 09, sections 2–4, 7 and 8.
"""

from typing import NamedTuple

import numpy as np

from course_lib import validation
from course_lib.gp import Gaussian
from course_lib.gp.averaging import few_draws, learned_covariance, mixed_moments
from course_lib.gp.items import asked_of
from course_lib.gp.priors import CentredStudentT, Normal
from course_lib.gp.questions import normal_interval
from course_lib.judgments.panels.answers import means_of_repeats, rounding_std, within_spread
from course_lib.judgments.panels.likelihoods import NEW, HierarchicalScalePrior, RaterGain, RaterNoise
from course_lib.judgments.panels.multisample import MultiSampleGP
from course_lib.judgments.panels.panel import interval_of
from course_lib.judgments.panels.regions import find_regions
from course_lib.settings import KW_ONLY, settings

STEEPEST = 10.0  # a gain, or one over it, with which a search begins at most
NOTHING = 1e-8  # an information on log σ that is none: its interval is endless


class Trust(NamedTuple):
    """What is known of a rater in a region: the noise with its interval, and from how many answers."""

    region: int
    rater: int
    std: float
    low: float
    high: float
    answers: int


@settings
class RaterGP(MultiSampleGP):
    """y_nr = z_n + bias_r + noise, z_n = f(x_n), where the noise of rater r in region k has a spread of its own, σ_kr.

    A rater is trusted whom the others' answers and a smooth function predict. One who always says the same is
    predicted best of all: leave such a rater out.

    Parameters
    ----------
    kernel, nugget_std, scale, optimize, n_restarts, rng, max_iter, progress : as for `MultiSampleGP`
    regions : None, one region: each rater has one noise (GPR-MA); else (GPR-MANH) a number, "affinity" or labels, as
        for `find_regions`
    noise_std : where the search for the noises begins: a number, (R,) or (K, R); None takes each rater's spread round
        the others
    noise_floor : noise that is always there, in squares. Without it the evidence has no end where raters, or one
        rater on equal inputs, agree exactly. None takes a thousandth of the answers' standard deviation or, if it is
        more, the spread of rounding: step/√12 of answers on a grid, such as 0.29 of whole marks.
    shrinkage : None, or the spread of log σ_kr of one rater over the regions, such as 0.5: rules that keep a region
        with few answers near to the rater's mean
    pooling : None, or the spread of log σ of all raters (and regions) round one level, such as 0.5, in place of
        shrinkage: raters of whom there are few answers stay near to the others, and intervals are surer to hold
    bias_std : None: nobody has a bias; or where the search for the spread of the raters' biases begins, in the unit
        of Y. The biases themselves are averaged over, as the items' values are, and so is the level of the values.
    bias_prior : None: their spread is learned freely; Fixed() keeps it; else its prior
    opinion_std : None; or where the search for the spread of opinions begins, in the unit of Y; it needs bias_std
    gain_std : None: all raters use the scale alike; or the spread of log a_r, such as 0.3, of raters who use more of
        it than others (a_r > 1), or less. It is held, and not learned; the gains are learned.
    gain_degrees : None: log a_r is normal; or the degrees of freedom of Student's t of which gain_std is the scale,
        such as 2: most raters use the scale alike, and one may hardly use it

    **Repeats.** With opinion_std, y_nrk = z_n + bias_r + d_nr + noise: d_nr, N(0, opinion_std²), is rater r's opinion
    of item n, averaged over, and rater_std_ how far r's own repeats scatter. Without it repeats count as answers of
    different raters would, and intervals of values are too narrow; of means of repeats, rater_std_ is not the noise of
    one answer. Repeats by one rater tell a value no better than to opinion_std_.

    **Gains.** With gain_std, y_nr = offset_ + a_r (z_n − offset_ + bias_r) + noise, log a_r ~ N(0, gain_std²). The
    bias is inside, in the unit of the values: divided by a_r an answer is again value plus bias plus noise, σ_r/a_r,
    and one spread of the biases serves all. Without bias_std all raters are held to agree at offset_. How little a
    rater tells of the values is rater_std_/gain_.

    A factor of all gains is undone by the spreads of values and biases, which are learned: only the prior, whose
    centre is log a = 0, sets it, and no better than to gain_std/√R. So values are in the unit of a typical rater,
    and only `averaged()` widens their intervals by what is open of it. The gain of a rater with one answer, or of
    the only rater, is about what the prior says. One who turns the scale round has no gain here, as a_r > 0: they
    show by the least gain together with a noise as great as the spread of their answers.

    Source: Gil González et al. (2019), section 2, with σ̂² as corrected in lecture 09; gains: Brockhoff & Skovgaard
    (1994).
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

    def _read(self, X, Y):
        if self.gain_degrees is not None and self.gain_std is None:
            raise ValueError(f"gain_degrees is {self.gain_degrees!r} and gain_std None; tails need a scale, gain_std.")
        return super()._read(X, Y)

    def _first_noise(self, table):
        """(R,) spread of each rater round the others' mean, never far below that of all; biases are no spread."""
        table = means_of_repeats(table)
        if self.bias_std is not None:
            table = table - np.nanmean(table - np.nanmean(table, axis=1, keepdims=True), axis=0)
        least = 0.1 * within_spread(table)
        others = np.nansum(table, axis=1, keepdims=True) - np.nan_to_num(table)
        count = (~np.isnan(table)).sum(axis=1, keepdims=True) - 1
        apart = np.where(count > 0, table - others / np.maximum(count, 1), np.nan)
        squares, answers = np.nansum(apart**2, axis=0), (~np.isnan(apart)).sum(axis=0)
        alone = answers == 0
        return np.where(alone, within_spread(table), np.maximum(np.sqrt(squares / np.maximum(answers, 1)), least))

    def _noise(self, X, answers):
        """A noise for each rater in each region, and what keeps them near to each other."""
        regions, (_, R, _) = find_regions(self.regions, X, self.rng), answers.table.shape
        K = regions.n_regions
        group = regions.labels[answers.item] * R + answers.rater
        start = self._first_noise(answers.table) if self.noise_std is None else self.noise_std
        start = validation.positive(start, "noise_std") if np.isscalar(start) else validation.array(start, "noise_std")
        if np.shape(start) not in ((), (R,), (K, R)):
            raise ValueError(f"noise_std has shape {np.shape(start)}; one number, ({R},) or ({K}, {R}) is needed.")
        least = max(1e-3 * float(np.std(answers.y)), rounding_std(answers.y))
        floor = validation.not_negative(least if self.noise_floor is None else self.noise_floor, "noise_floor")
        if not floor:
            self._warn_of_agreement(answers.table)
        noise = np.broadcast_to(start, (K, R)).ravel()
        if self.gain_std is None:
            noise = RaterNoise(noise, group, floor)
        else:
            noise = RaterGain(noise, group, self._first_log_gain(answers.table), floor)
            noise = noise.with_priors(log_gain=self._near_gains())
        level = self._level(R)
        noise = noise if level is None else noise.with_priors(noise_std=level)
        return noise, {"regions_": regions, "answers_": np.bincount(group, minlength=K * R).reshape(K, R)}

    def _near_gains(self):
        """What is believed of log a_r."""
        std = validation.positive(self.gain_std, "gain_std")
        if self.gain_degrees is None:
            return Normal(0.0, std)
        return CentredStudentT(std, validation.positive(self.gain_degrees, "gain_degrees"))

    def _first_log_gain(self, table):
        """(R,) where the search begins: with tails, at the slope of each rater's answers in the mean of the others'.

        There are then two maxima: a rater who hardly uses the scale is told by a small gain, or by a small noise.
        """
        found, table = np.zeros(table.shape[1]), means_of_repeats(table)
        for r in range(len(found) if self.gain_degrees is not None else 0):
            mine, others = table[:, r], np.delete(table, r, axis=1)
            both = ~np.isnan(mine) & ~np.isnan(others).all(axis=1)
            covariance = np.cov(mine[both], np.nanmean(others[both], axis=1)) if both.sum() > 2 else np.eye(2)
            slope = covariance[0, 1] / max(covariance[1, 1], np.finfo(float).tiny)
            found[r] = np.log(np.clip(slope, 1.0 / STEEPEST, STEEPEST))
        return found

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

    def gain_interval(self, confidence=0.9, centred=False):
        """(low, high), (R,) each: between them lies a rater's gain with this probability.

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
        """Gains: a bias is known together with the one by which an answer is divided."""
        return None if self.gain_std is None else "gains"

    @property
    def rater_weight_(self):
        """(K, R) each rater's share of the precision of all answers in a region, as units of the consensus count."""
        precision = self.answers_ * np.nan_to_num(self.gain_ / self.rater_std_) ** 2
        return precision / precision.sum(axis=1, keepdims=True)

    def _by_region(self, noises):
        return np.where(self.answers_ > 0, noises.reshape(self.answers_.shape), np.nan)

    def rater_interval(self, confidence=0.9):
        """(low, high), (K, R) each: between them lies a rater's noise with this probability.

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
        return noise.total_std, np.sqrt(direction**2 @ (1.0 / np.maximum(curvature, NOTHING)))

    def trust_table(self, confidence=0.9):
        """List of Trust(region, rater, std, low, high, answers), one for each rater and region with answers."""
        columns = (self.rater_std_, *self.rater_interval(confidence), self.answers_)
        return [
            Trust(int(k), int(r), *(column[k, r].item() for column in columns)) for k, r in np.argwhere(self.answers_)
        ]

    def _view(self, X_new, rater=NEW):
        """(Gaussian noise, mean, variance) of the answer of a rater, or of the mean of several raters' answers."""
        self._fitted()
        unseen = isinstance(rater, str) and rater == NEW
        raters = [self.n_raters_] if unseen else self._check_raters(rater)
        mean, variance = self._noise_free_moments(X_new, raters)
        region = self.regions_.of(asked_of(X_new, self.items_).X)
        if unseen:
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
        latent, unseen, items = self._fitted(), raters[0] == self.n_raters_, self._asked(X_new)
        equal = np.full(len(raters), 1.0 / len(raters))
        if self.gain_std is None:
            mean, variance = self._raters.seen(latent, items, raters, equal)
            return self.offset_ + mean, variance
        members, shares = (latent.members_, latent.shares_) if latent.members_ else ((latent,), np.ones(1))
        parts = []
        for member in members:
            weights = equal if unseen else member.likelihood_.gain[raters] * equal
            mean, variance = self._raters.seen(member, items, raters, weights)
            if unseen:
                first, second = self._moments_of_gain(member)
                variance = second * (variance + mean**2) - (first * mean) ** 2
                mean = first * mean
            parts.append((mean, np.sqrt(np.maximum(variance, 0.0))))
        mean, std = mixed_moments(shares, parts, False, few_draws(shares))
        return self.offset_ + mean, std**2

    def _moments_of_gain(self, member):
        """(E a, E a²) of somebody new: of a log-normal prior; with tails it has none, and the gains learned have."""
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


def _drawn(latent, of):
    """Mean (J,) and covariance (J, J) of what `of` says of the likelihoods of an averaged model's members."""
    values = [of(member.likelihood_) for member in latent.members_]
    parts = [(row, np.zeros((len(row), len(row)))) for row in values]
    return mixed_moments(latent.shares_, parts, True, few_draws(latent.shares_))
