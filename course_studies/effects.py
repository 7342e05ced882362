"""Functions that are sums of effects, each times its column: what a design of a study, in words, comes to.

f(x) = Σ_d x_d b_d with b_d ~ N(0, σ²) of the block of column d. All is known of f that is known of the effects b: they
are the latent values, however many answers there are, and each answer is to a weighted sum of them.

The engine meets them through two methods of a kernel: `observed` (course_lib/gp/kernel_algebra.py) and `raters`
(course_lib/judgments/panels/people.py).

Lecture: 14, section 2.
"""

from dataclasses import replace

import numpy as np

from course_lib import selection, validation
from course_lib.gp.items import Items
from course_lib.gp.kernels import Linear
from course_lib.gp.observations import ObservationMatrix
from course_lib.gp.parameters import positive_parameter
from course_lib.gp.priors import a_prior
from course_lib.judgments.panels.people import ExchangeableRaters
from course_studies.grouped_effects import GroupedViews, WeightedViews


class Effects(Linear):
    """k(x, x') = Σ_d σ_d² x_d x'_d, where the columns d of a block share one spread σ.

    spreads : {name of a block: σ > 0};  block : (D,) ints, the place in `spreads` of each column's block
    own : names of blocks of which each rater has effects of their own

    Source: Searle, Casella & McCulloch (1992), chapter 4: y = Zb + noise, with a variance for each kind of effect.
    """

    def __init__(self, spreads, block, own=()):
        validation.instance(spreads, dict, "spreads", "a dict {name: spread}")
        self.parameter_names, self.own, self.groups = tuple(spreads), tuple(own), 0
        self.block = selection.indices(block, "block", (None,), len(spreads), "spreads")
        for name, spread in spreads.items():
            setattr(self, name, positive_parameter(spread, f"spreads[{name!r}]"))
        for name in self.own:
            self._check_name(name)

    @property
    def variances(self):
        """(D,) σ² of each column's effect."""
        return np.array([getattr(self, name) ** 2 for name in self.parameter_names])[self.block]

    @property
    def learned_names(self):
        """Names of the blocks whose spread is learned."""
        return tuple(self._free())

    @property
    def own_columns(self):
        """Ints: the columns of which each rater has effects of their own."""
        return np.flatnonzero(np.isin(self.block, [self.parameter_names.index(name) for name in self.own]))

    def with_own(self, spreads, block, groups):
        """Effects with more blocks, whose columns come once for each of the groups, behind the others."""
        before = {name: getattr(self, name) for name in self.parameter_names}
        more = np.tile(np.asarray(block, dtype=int) + len(before), groups)
        found = Effects({**before, **spreads}, np.append(self.block, more)).with_priors(**self.priors)
        found.groups, found.n_shared = groups, len(self.block)
        return found

    def observed(self, observations):
        """Observations of rows X as observations of the effects of their columns, which are fewer.

        Groups (`with_own`) are made use of if no answer is to effects of two of them.
        """
        if not isinstance(observations.views, ObservationMatrix):
            return observations  # of effects already
        weights, views = observations.views @ observations.X, None
        if self.groups:
            own = weights[:, self.n_shared :].reshape(len(weights), self.groups, -1)
            touched = own.any(axis=2)
            if (touched.sum(axis=1) <= 1).all():
                views = GroupedViews(weights[:, : self.n_shared], own.sum(axis=1), touched.argmax(axis=1), self.groups)
        effects, views = np.eye(weights.shape[1]), WeightedViews(weights) if views is None else views
        rows, item = observations.given
        return replace(observations, X=effects, views=views, rows=(rows, len(effects) + item))  # of no effect alone

    def raters(self, bias_std, bias_prior, opinion_std):
        """Raters with effects of their own, for `Panel`."""
        return RaterEffects(self, bias_std, bias_prior, opinion_std)

    def amplitudes(self):
        return self.parameter_names

    def by_block(self, slopes):
        """{name: sum of (D,) slopes over the columns of its block}."""
        return dict(zip(self.parameter_names, np.bincount(self.block, slopes, len(self.parameter_names)), strict=True))

    def _parameter_derivatives(self, X, X2, weights):
        return self.by_block(2.0 * np.sum(X * self.input_gradient(X, X2, weights), axis=0))

    def _diagonal_parameter_gradients(self, X, weights):
        return self.by_block(2.0 * self.variances * (weights @ X**2))

    def _check(self, X, name):
        if X.shape[1] != len(self.block):
            raise ValueError(
                f"block has {len(self.block)} elements and {name} {X.shape[1]} columns; one is needed for each."
            )


class RaterEffects(ExchangeableRaters):
    """Answers to sums of effects: those of an item's columns, and those that a rater has of their own.

    y = Σ_d x_d (b_d + c_rd) + bias_r + noise, with c_rd for the columns of the blocks in `kernel.own`. Behind the
    effects of all stand each rater's bias and own effects, and those of a new rater. Its methods are those of
    `ExchangeableRaters` (course_lib/judgments/panels/people.py).

    kernel : Effects of the items' columns;  bias_std, prior, opinion_std : as for `RaterBias`, bias_std None for none
    """

    def __init__(self, kernel, bias_std=None, prior=None, opinion_std=None):
        self.effects, self.prior = kernel, prior
        self.spreads = {"bias_std": bias_std, "opinion_std": opinion_std}
        self.spreads = {name: validation.positive(s, name) for name, s in self.spreads.items() if s is not None}

    def _own(self, X):
        """(n, t) columns that belong to a rater's own effects at items X."""
        bias = np.ones((len(X), int("bias_std" in self.spreads)))
        return np.hstack([bias, X[:, self.effects.own_columns]] if "opinion_std" in self.spreads else [bias])

    def rows(self, X, item, rater):
        """(rows, views): each effect is a row, and each answer is to a weighted sum of them."""
        self.effects.inputs(X)
        self.groups = int(rater.max()) + 2
        own = self._own(X)
        return np.eye(X.shape[1] + self.groups * own.shape[1]), GroupedViews(X[item], own[item], rater, self.groups)

    def kernel(self, kernel, level_std):
        """The kernel with each rater's own effects; its level has an effect of its own."""
        places = [name for name in self.spreads for _ in (self.effects.own_columns if name == "opinion_std" else "1")]
        block = [list(self.spreads).index(name) for name in places]
        found = kernel.with_own(self.spreads, block, self.groups)
        prior = a_prior(self.prior, "bias_prior")
        return found if prior is None else found.with_priors(bias_std=prior)

    def columns(self, total):
        """How many of the columns are the items'."""
        return len(self.effects.block)

    def _widened(self, X, total):
        """(n, total) columns of all effects, for items X (n, D)."""
        return np.hstack([X, np.zeros((len(X), total - X.shape[1]))])

    def asked(self, items, places, total):
        """Items of the rows; all that is known of them is in their columns."""
        return Items(self._widened(items.X, total))

    def places(self, views, answers):
        """The rows (n, total) of the items of these answers (n,), for `values`."""
        return self._widened(views.shared[answers], views.n_items)

    def values(self, latent, places):
        """Mean (n,) and covariance (n, n) of the values of items with these rows."""
        return latent.predict_latent(places, return_cov=True)

    def seen(self, latent, items, raters, weights):
        """Mean and variance, (q,) each, of the weighted sum of what raters' answers are to."""
        D = len(self.effects.block)
        own = self._own(items.X[:, :D])
        last = (items.X.shape[1] - D) // max(own.shape[1], 1) - 1
        rows = weights.sum() * items.X
        for rater, weight in zip(raters, weights, strict=True):
            at = D + min(rater, last) * own.shape[1]
            rows[:, at : at + own.shape[1]] = weight * own
        mean, std = latent.predict_latent(rows)
        return mean, std**2

    def biases(self, latent, n_raters):
        """(R,) mean and (R, R) covariance of the biases."""
        if "bias_std" not in self.spreads:
            return np.zeros(n_raters), np.zeros((n_raters, n_raters))
        D, total = len(self.effects.block), latent.n_features_in_
        each = np.arange(D, total, (total - D) // (n_raters + 1))[:n_raters]
        return latent.predict_latent(np.eye(total)[each], return_cov=True)
