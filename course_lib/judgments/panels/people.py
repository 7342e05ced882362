"""Who the raters of a panel are: exchangeable, or each with a bias, and with opinions of items, averaged over.

An answer is a value minus a strictness, y = z_n − u_r + noise: a difference of two latent numbers, as a comparison is.
So raters are rows beside the items, and the engine that compares items averages over both.

A kernel may bring raters of its own: where it has a method `raters(bias_std, bias_prior, opinion_std)`, a panel asks
what that returns, an object with the methods of `ExchangeableRaters`.

Lecture: 09, section 7.
"""

from dataclasses import dataclass

import numpy as np

from course_lib import validation
from course_lib.gp import ObservationMatrix
from course_lib.gp.items import NEW_ITEM, Items
from course_lib.gp.kernel_algebra import Levelled
from course_lib.gp.observations import NO_ITEM
from course_lib.gp.priors import a_prior
from course_lib.judgments.panels.kernel import ITEM_ROW, PanelKernel, item_rows, rater_rows


class ExchangeableRaters:
    """y = z_n + noise, whoever the rater is."""

    kind = "values"

    def rows(self, X, item, rater):
        """(rows, ObservationMatrix): what an answer of these raters to these items X is to."""
        return X, ObservationMatrix(item, np.full(len(item), NO_ITEM), len(X))

    def kernel(self, kernel, level_std):
        """Kernel of the rows, from that of the items, whose level has this spread, or is 0 (None)."""
        return kernel if level_std is None else Levelled(kernel, level_std)

    def columns(self, total):
        """How many of the rows' columns are the items'."""
        return total

    def asked(self, items, places, total):
        """Items of the rows, of which there are `total` columns, from those of X, which have these places."""
        return items.moved(items.X, places)

    def places(self, views, answers):
        """Where the rows stand of the items of these answers (n,), for `values`."""
        return views.plus[answers]

    def values(self, latent, places):
        """Mean (n,) and covariance (n, n) of the values of items in these places of a fit."""
        mean, covariance = latent.item_moments()
        return mean[places], covariance[np.ix_(places, places)]

    def seen(self, latent, items, raters, weights):
        """Mean and variance, (q,) each, of Σ weight_r (value − strictness_r) at items: what raters' answers are to.

        latent : LatentGP, a model's own or a member of an averaged one;  items : q Items of its rows
        raters : (k,) ints; one that is not in the fit is a new rater;  weights : (k,)
        """
        mean, std = latent.predict_latent(items)
        return weights.sum() * mean, (weights.sum() * std) ** 2

    def biases(self, latent, n_raters):
        """(R,) mean and (R, R) covariance of the biases: how much higher than the values raters mark."""
        return np.zeros(n_raters), np.zeros((n_raters, n_raters))


@dataclass(frozen=True)
class RaterBias(ExchangeableRaters):
    """y = z_n − u_r + noise, u_r ~ N(0, std²); with opinions y = z_n − u_nr + noise, u_nr ~ N(u_r, opinion_std²).

    Biases, opinions and the level of the values are averaged over, as the values are. Opinions are for repeats: a
    rater's own scatter round u_nr, so repeats by one rater tell a value no better than to opinion_std. Without
    opinions they count as answers of different raters would, and intervals of values are too narrow.

    std, opinion_std : where the search for the spreads begins, opinion_std None for no opinions;  prior : of std

    Source: Searle, Casella & McCulloch (1992), chapter 3; chapter 4 for opinions, the interaction with the items.
    """

    std: float
    prior: object = None
    opinion_std: float | None = None

    kind = "differences"

    def rows(self, X, item, rater):
        raters = rater_rows(np.arange(rater.max() + 1), X.shape[1])
        if self.opinion_std is None:
            return np.vstack([item_rows(X), raters]), ObservationMatrix(item, len(X) + rater, len(X) + len(raters))
        asked, whose = np.unique(np.column_stack([item, rater]), axis=0, return_inverse=True)
        opinions = rater_rows(asked[:, 1], X.shape[1], at=asked[:, 0])
        rows = np.vstack([item_rows(X), opinions, raters])
        return rows, ObservationMatrix(item, len(X) + whose.ravel(), len(rows))

    def kernel(self, kernel, level_std):
        prior, std = a_prior(self.prior, "bias_prior"), validation.positive(self.std, "bias_std")
        panel = PanelKernel(kernel, std, level_std, self.opinion_std)
        return panel if prior is None else panel.with_priors(bias_std=prior)

    def columns(self, total):
        return total - 1

    def asked(self, items, places, total):
        return items.moved(item_rows(items.X), places)

    def seen(self, latent, items, raters, weights):
        fit, total, q, D = latent.observations_.X, weights.sum(), len(items), items.X.shape[1] - 1
        people, of = rater_rows(raters, D), np.tile(q + np.arange(len(raters)), (q, 1))
        n = np.count_nonzero(fit[:, -1] == ITEM_ROW)
        if self.opinion_std is not None:  # one of the fit is known a little
            at = np.where(items.index == NEW_ITEM, n + np.arange(q), items.index)
            people = rater_rows(np.tile(raters, q), D, np.repeat(at, len(raters)))
            of = q + np.arange(len(people)).reshape(q, -1)
        place = {(at, who): n + k for k, (at, who) in enumerate(fit[n:, [0, -1]].tolist())}
        known = [place.get((at, who), NEW_ITEM) for at, who in people[:, [0, -1]].tolist()]
        everyone = Items(np.vstack([items.X, people]), np.append(items.index, known))
        mean, cov = latent.predict_latent(everyone, return_cov=True)
        between = cov[np.arange(q)[:, None], of] @ weights
        among = np.einsum("r,qrs,s->q", weights, cov[of[:, :, None], of[:, None, :]], weights)
        variance = total**2 * cov.diagonal()[:q] - 2.0 * total * between + among
        return total * mean[:q] - mean[of] @ weights, np.maximum(variance, 0.0)

    def biases(self, latent, n_raters):
        mean, covariance = latent.item_moments()
        return -mean[-n_raters:], covariance[-n_raters:, -n_raters:]
