"""Raters who are not equal: one noise for each rater, or for each rater in each region of the inputs.

Lecture: 09, sections 2–4, 7 and 8.
"""

from typing import NamedTuple

import numpy as np

from course_lib import validation
from course_lib.gp.averaging import few_draws, laplace_covariance, mixed_moments
from course_lib.gp.priors import Normal
from course_lib.judgments.panels.answers import means_of_repeats, within_spread
from course_lib.judgments.panels.biases import BiasedPanel, centred_normal, normal_quantile
from course_lib.judgments.panels.likelihoods import NEW, RaterGain, RaterNoise, SharedLevel
from course_lib.judgments.panels.multisample import MultiSampleGP
from course_lib.judgments.panels.regions import find_regions
from course_lib.settings import KW_ONLY, settings

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
class RaterGP(BiasedPanel, MultiSampleGP):
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
    pooling : None, or the spread of log σ of all raters (and regions) round one level, such as 0.5, in place of
        shrinkage: raters of whom there are few answers stay near to the others, and intervals are surer to hold
    bias_std : None: nobody has a bias; or where the search for the spread of the raters' biases begins, in the unit
        of Y. The biases themselves are averaged over, as the items' values are, and so is the level of the values.
    bias_prior : None: their spread is learned freely; Fixed() keeps it; else its prior
    opinion_std : None; or where the search for the spread of opinions begins, in the unit of Y, for raters who
        answered to items again (Y is (n, R, K)). What a rater thinks of an item besides consensus and bias is shared
        by that rater's repeats. It needs bias_std.
    gain_std : None: all raters use the scale alike; or the spread of log a_r, such as 0.3, of raters who use more of
        it than others (a_r > 1), or less. It is held, and not learned; the gains are learned.
    optimize, n_restarts, rng, max_iter, progress : as for `LatentGP`

    Attributes
    ----------
    rater_std_ : (K, R) noise of each rater in each region, NaN where there is no answer
    rater_bias_, rater_bias_std_ : (R,) how much higher than the consensus each rater marks, and how surely; 0 without
        bias_std
    bias_std_, opinion_std_ : the learned spreads of the biases and of the opinions
    gain_ : (R,) a_r of each rater; 1 without gain_std
    rater_weight_ : (K, R) each rater's share in the consensus of a region
    regions_ : Regions
    consensus_, consensus_std_, kernel_, nugget_std_ … as for `MultiSampleGP`

    A level that all raters share cannot be told from that of the values. With biases, consensus_std_ and the intervals
    of values, biases and a new rater's answer hold how far R raters may be off together, bias_std_ / √R at least.
    Contrasts (`difference_interval`), centred values and a known rater's answers are free of it.

    **Repeats.** With opinion_std, y_nrk = z_n + bias_r + d_nr + noise: d_nr, N(0, opinion_std²), is rater r's opinion
    of item n, and rater_std_ how far r's own repeats scatter. Without it repeats count as answers of different raters
    would, and intervals of values are too narrow; of means of repeats, rater_std_ is not the noise of one answer. The
    opinions are averaged over. Repeats by one rater tell a value no better than to opinion_std_.

    **Gains.** With gain_std, y_nr = offset_ + a_r (z_n − offset_ + bias_r) + noise, log a_r ~ N(0, gain_std²). The
    bias is inside, in the unit of the values: how much higher rater r takes an item of the value offset_ to be. So
    divided by a_r an answer is again value plus bias plus noise, σ_r/a_r, and values and biases stay Gaussian with
    one spread of the biases for all; added after the gain, they would have another for each rater. Without bias_std
    all raters are held to agree at offset_. rater_std_ is in the unit of the answers; how little a rater tells of the
    values is rater_std_/gain_.

    What identifies the gains: a factor of them all is undone by the spread of the values and of the biases, which are
    learned. Only the prior, whose centre is log a = 0, sets that factor, and no better than to gain_std/√R. So values
    are in the unit of a typical rater, and only `averaged()` widens their intervals by what is open of it. The gain
    of a rater with one answer, or of the only rater, is what the prior says. One who turns the scale round has no
    gain here, as a_r > 0: they show by the least gain together with a noise as great as the spread of their answers,
    so by the last place in `RatingStudy.trust()`, and by deviations that fall where the consensus rises.

    Source: Gil González et al. (2019), section 2, with σ̂² as corrected in lecture 09. Lecture: 09, section 2;
    regions: section 4. Gains: Brockhoff & Skovgaard (1994);
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

    def _first_noise(self, table):
        """(R,) spread of each rater round the others' mean, never far below that of all; biases are no spread."""
        table = means_of_repeats(table)
        if self._has_biases:
            table = table - np.nanmean(table - np.nanmean(table, axis=1, keepdims=True), axis=0)
        least = 0.1 * within_spread(table)
        others = np.nansum(table, axis=1, keepdims=True) - np.nan_to_num(table)
        count = (~np.isnan(table)).sum(axis=1, keepdims=True) - 1
        apart = np.where(count > 0, table - others / np.maximum(count, 1), np.nan)
        squares, answers = np.nansum(apart**2, axis=0), (~np.isnan(apart)).sum(axis=0)
        alone = answers == 0
        return np.where(alone, within_spread(table), np.maximum(np.sqrt(squares / np.maximum(answers, 1)), least))

    def _noise(self, start, X, item, rater, y):
        regions = find_regions(self.regions, X, self.rng)
        n_regions, R = regions.n_regions, int(rater.max()) + 1
        group = regions.labels[item] * R + rater
        answers = np.bincount(group, minlength=n_regions * R).reshape(n_regions, R)
        start = validation.positive(start, "noise_std") if np.isscalar(start) else validation.array(start, "noise_std")
        if np.shape(start) not in ((), (R,), (n_regions, R)):
            needed = f"one number, ({R},) or ({n_regions}, {R}) is needed"
            raise ValueError(f"noise_std has shape {np.shape(start)}; {needed}.")
        floor = 1e-3 * float(np.std(y)) if self.noise_floor is None else self.noise_floor
        floor = validation.not_negative(floor, "noise_floor")
        noise = self._told_with(np.broadcast_to(start, (n_regions, R)).ravel(), group, R, floor)
        level = self._level(R)
        noise = noise if level is None else noise.with_priors(noise_std=level)
        return noise, {"regions_": regions, "answers_": answers}

    def _told_with(self, noise_std, group, R, floor):
        """The likelihood of the answers, before the noises have a prior."""
        if self.gain_std is None:
            return RaterNoise(noise_std, group, floor)
        near = Normal(0.0, validation.positive(self.gain_std, "gain_std"))
        return RaterGain(noise_std, group, np.zeros(R), floor).with_priors(log_gain=near)

    def _level(self, R):
        """The SharedLevel that the noises keep near to: each rater's own, one for all, or None."""
        if self.shrinkage is None and self.pooling is None:
            return None
        if self.shrinkage is not None and self.pooling is not None:
            raise ValueError(
                f"shrinkage is {self.shrinkage!r} and pooling {self.pooling!r}; one of them is needed: noises keep "
                "near to their rater's level, or all to one."
            )
        if self.pooling is None:
            return SharedLevel(R, validation.positive(self.shrinkage, "shrinkage"))
        return SharedLevel(1, validation.positive(self.pooling, "pooling"))

    def _observations(self, X, item, rater, y, noise):
        if self.opinion_std is not None and not self._has_biases:
            raise ValueError(f"opinion_std is {self.opinion_std!r} and bias_std None; opinions need bias_std.")
        return super()._observations(X, item, rater, y, noise)

    @property
    def rater_std_(self):
        """(K, R) noise of each rater in each region, NaN where there is no answer."""
        return self._by_region(self.likelihood_.total_std)

    @property
    def noise_std_(self):
        """(K, R) as rater_std_: the noise that there is, its floor included."""
        return self.rater_std_

    @property
    def opinion_std_(self):
        """The learned spread of what raters think of an item besides consensus and bias; 0 without opinion_std."""
        kernel = self._fitted().kernel_
        return 0.0 if self.opinion_std is None else kernel.opinion_std

    @property
    def gain_(self):
        """(R,) how many units a rater's answers rise for one of the consensus; 1 without gain_std."""
        return np.ones(self.n_raters_) if self.gain_std is None else self.likelihood_.gain

    def gain_interval(self, confidence=0.9, centred=False):
        """(low, high), (R,) each: between them lies a rater's gain with this probability.

        Normal for log a, with the curvature of evidence and priors in all parameters at once, which takes two
        gradients for each of them.

        Parameters
        ----------
        confidence : between 0 and 1
        centred : False: the gain itself, with the factor that all raters share; True: over the geometric mean of all
            R gains, which is known better
        """
        mean, covariance = self._log_gains()
        std = np.sqrt(covariance.diagonal())
        if validation.flag(centred, "centred"):
            mean, std = centred_normal(mean, covariance)
        half = normal_quantile(confidence) * std
        return np.exp(mean - half), np.exp(mean + half)

    def _log_gains(self):
        """(R,) mean and (R, R) covariance of log a, by Laplace's approximation."""
        latent = self._fitted()
        if self.gain_std is None:
            raise ValueError("gain_std is None: this model has no gains; RaterGP(gain_std=0.3) learns them.")
        theta = np.concatenate([latent.kernel_.theta, latent.likelihood_.theta])  # the gains come last
        covariance = laplace_covariance(lambda at: latent.evidence_at(at)[1], theta)
        return latent.likelihood_.log_gain, covariance[-self.n_raters_ :, -self.n_raters_ :]

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
        centre, error = _noises_drawn(latent) if latent.members_ else self._noises_expected()
        with np.errstate(over="ignore"):
            width = np.exp(normal_quantile(confidence) * error)
            low, high = np.maximum(centre / width, self.likelihood_.floor), centre * width
        return self._by_region(low), self._by_region(high)

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

    def predict_answer(self, X_new, *, rater=NEW, new_items=False):
        """(mean, std), (q,) each, of a new rater's answer; of one of the fit; or of the mean of several raters'.

        Parameters
        ----------
        X_new : (q, D)
        rater : "new": somebody who was never seen, with a bias and a gain like the raters', and the noise of one of
            them; or int, or a list of different ints, 0 … R−1

        Raises
        ------
        ValueError
            As predict, if there is no such rater, or if there is no answer of theirs in a region that is asked for.

        Source: Gil González et al. (2019), eq. 2, with the rater's noise on top.
        """
        self._fitted()
        unseen = isinstance(rater, str) and rater == NEW
        raters = [self.n_raters_] if unseen else self._check_raters(rater)
        mean, variance = self._noise_free_moments(X_new, raters, new_items)
        region = self.regions_.of(validation.sequence(X_new, "X_new"))
        if unseen:
            return mean, np.sqrt(variance + np.nanmean(self.rater_std_[region] ** 2, axis=1))
        noise = self.rater_std_[region][:, raters]
        if np.isnan(noise).any():
            q, r = np.argwhere(np.isnan(noise))[0]
            raise ValueError(f"rater {raters[r]} gave no answer in region {region[q]}, where X_new[{q}] lies.")
        return mean, np.sqrt(variance + (noise**2).sum(axis=1) / len(raters) ** 2)

    def _noise_free_moments(self, X_new, raters, new_items):
        """Mean and variance, (q,) each, of the mean of what raters would answer to items if they had no noise.

        Gains multiply what is between value and noise. Gains and the spread of the values are known by their product:
        so of an averaged model each member's gains go with its values.
        """
        latent, unseen = self._fitted(), raters[0] == self.n_raters_
        equal = np.full(len(raters), 1.0 / len(raters))
        if self.gain_std is None:
            mean, variance = self._seen(latent, X_new, raters, equal, new_items)
            return self.offset_ + mean, variance
        members, shares = (latent.members_, latent.shares_) if latent.members_ else ((latent,), np.ones(1))
        parts = []
        for member in members:
            weights = equal if unseen else member.likelihood_.gain[raters] * equal
            mean, variance = self._seen(member, X_new, raters, weights, new_items)
            if unseen:  # a gain of which only the prior is known: moments of a log-normal factor
                first, second = np.exp(self.gain_std**2 / 2), np.exp(2 * self.gain_std**2)
                variance = second * (variance + mean**2) - (first * mean) ** 2
                mean = first * mean
            parts.append((mean, np.sqrt(np.maximum(variance, 0.0))))
        mean, std = mixed_moments(shares, parts, False, few_draws(shares))
        return self.offset_ + mean, std**2

    def _check_raters(self, raters):
        chosen = np.atleast_1d(validation.array(raters, "rater"))
        if chosen.ndim != 1 or not chosen.size or chosen.dtype.kind not in "iu" or len(set(chosen)) < len(chosen):
            raise ValueError(f'rater is {raters!r}; a whole number, or several different ones, is needed, or "new".')
        if chosen.min() < 0 or chosen.max() >= self.n_raters_:
            raise ValueError(f"rater is {raters!r}; the raters are 0 … {self.n_raters_ - 1}.")
        return chosen


def _noises_drawn(latent):
    """As RaterGP._noises_expected, of the members of an averaged model."""
    logs = np.log([member.likelihood_.total_std for member in latent.members_])
    centre = latent.shares_ @ logs
    return np.exp(centre), np.sqrt(few_draws(latent.shares_) * (latent.shares_ @ (logs - centre) ** 2))
