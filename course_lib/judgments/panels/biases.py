"""Raters who mark high or low: their biases are unknown numbers with a Gaussian prior, and are averaged over.

An answer is a value minus a strictness, y = z_n − u_r + noise: a difference of two latent numbers, as a comparison is.
So raters are rows of X beside the items, and the engine that compares items averages over both. A row's last element
says what it is: 0 for an item, r + 1 for rater r. Where raters have opinions of items, which their repeats share, a
rater has a row for each item, y = z_n − u_nr, whose first element says at which: 0 in general, n + 1 at item n.

Lecture: 09, section 7.
"""

import numpy as np
from scipy.stats import norm

from course_lib import validation
from course_lib.gp import Kernel, Views, White
from course_lib.gp.kernel_prior import NEW as NEW_ITEM
from course_lib.gp.kernel_prior import items_among
from course_lib.gp.latent import typical_kernels
from course_lib.gp.observations import NONE, Observations
from course_lib.gp.parameters import positive_parameter
from course_lib.gp.priors import a_prior

ITEM = 0.0  # in the last column: this row is an item
IN_GENERAL = 0.0  # in the first column of a rater: at no item


class PanelKernel(Kernel):
    """Items covary by a kernel, and by a level that all of them share; a rater's bias is like no other's.

    Where raters have opinions, so is what one thinks of an item besides that bias.

    Parameters
    ----------
    kernel : Kernel of the items' values, over all columns but the last
    bias_std : > 0, the spread of the raters' biases
    level_std : > 0, how far from 0 the level of all items may be; it is not learned
    opinion_std : None, or > 0, the spread of the opinions

    Source: Searle, Casella & McCulloch (1992), chapter 3, for effects that are drawn and one that is not; chapter 4,
    for the interaction of two that are.
    """

    parameter_names = ("bias_std",)

    def __init__(self, kernel, bias_std, level_std, opinion_std=None):
        self.children = (validation.instance(kernel, Kernel, "kernel", "a Kernel such as SquaredExponential()"),)
        self.bias_std = positive_parameter(bias_std, "bias_std")
        self.level_std = validation.positive(level_std, "level_std")
        if opinion_std is not None:
            self.parameter_names = ("bias_std", "opinion_std")
            self.opinion_std = positive_parameter(opinion_std, "opinion_std")

    def _parts(self):
        """[(spread of what raters have of their own, whose rows share it)]."""
        same = {"bias_std": _same_rater, "opinion_std": _same_opinion}
        return [(getattr(self, name), same[name]) for name in self.parameter_names]

    def cross(self, X, X2):
        """(n, m) covariances: of items, of a rater with the same one, and 0 between items and raters."""
        (items, places), (items2, places2) = _items(X), _items(X2)
        K = sum(spread**2 * same(X, X2) for spread, same in self._parts())
        K[np.ix_(places, places2)] = self.children[0].cross(items, items2) + self.level_std**2
        return K

    def diagonal(self, X):
        """(n,) variances."""
        items, places = _items(X)
        variance = sum(spread**2 * same(X) for spread, same in self._parts())
        variance[places] = self.children[0].diagonal(items) + self.level_std**2
        return variance

    def cross_gradient(self, X, X2, weights):
        """(P,) that of the biases' spread, then those of the items' kernel."""
        (items, places), (items2, places2) = _items(X), _items(X2)
        mine = self._collected(self._slopes(lambda same: np.sum(weights[same(X, X2)])))
        return np.append(mine, self.children[0].cross_gradient(items, items2, weights[np.ix_(places, places2)]))

    def diagonal_gradient(self, X, weights):
        """(P,) that of the biases' spread, then those of the items' kernel."""
        items, places = _items(X)
        mine = self._collected(self._slopes(lambda same: np.sum(weights[same(X)])))
        return np.append(mine, self.children[0].diagonal_gradient(items, weights[places]))

    def _slopes(self, total):
        """{name: derivative in its logarithm}; total(same) is the sum of weights where two rows are the same."""
        slopes = [2.0 * spread**2 * total(same) for spread, same in self._parts()]
        return dict(zip(self.parameter_names, slopes, strict=True))

    def input_gradient(self, X, X2, weights):
        """(n, D) that of the items' kernel; 0 for raters, and for the column that says who."""
        (items, places), (items2, places2) = _items(X), _items(X2)
        gradient = np.zeros(X.shape)
        gradient[places, :-1] = self.children[0].input_gradient(items, items2, weights[np.ix_(places, places2)])
        return gradient

    def _seen_columns(self, columns):
        """All but the last, which says what a row is."""
        return columns[:-1]

    def amplitudes(self):
        """The spread of the biases, and that of the opinions."""
        return self.parameter_names

    def _check(self, X, name):
        who = X[:, -1]
        if X.shape[1] < 2 or ((who < 0) | (who != np.round(who))).any():
            raise ValueError(
                f"{name} has {X.shape[1]} columns, the last from {who.min():g} to {who.max():g}; the columns of the "
                "items are needed, and after them 0 for an item, r + 1 for rater r."
            )
        self.children[0]._check(X[:, :-1], f"{name}[:, :-1]")


def _items(X):
    """(the rows that are items, without the column that says so; their places)."""
    places = np.flatnonzero(X[:, -1] == ITEM)
    return X[places, :-1], places


def _same_rater(X, X2=None):
    """(n, m) whether both rows are the same rater; without X2 (n,) whether a row is one."""
    if X2 is None:
        return X[:, -1] != ITEM
    return (X[:, -1:] != ITEM) & (X[:, -1:] == X2[:, -1])


def _same_opinion(X, X2=None):
    """(n, m) whether both rows are the same rater at the same item; without X2 (n,) whether a row is such."""
    if X2 is None:
        return _same_rater(X) & (X[:, 0] != IN_GENERAL)
    return _same_rater(X, X2) & (X[:, :1] != IN_GENERAL) & (X[:, :1] == X2[:, 0])


def item_rows(X):
    """(n, D + 1) rows of items X (n, D)."""
    return np.column_stack([X, np.full(len(X), ITEM)])


def rater_rows(raters, n_columns, at=None):
    """(R, D + 1) rows of raters, numbered from 0, beside items of D columns; in general, or at (R,) items."""
    raters = np.asarray(raters)
    rows = np.column_stack([np.zeros((len(raters), n_columns)), raters + 1.0])
    if at is not None:
        rows[:, 0] = np.asarray(at) + 1.0
    return rows


def answers_of(item, rater, n_items):
    """Views y = z_item − u_rater of n items and, after them, the raters."""
    return Views(item, n_items + rater, n_items + int(rater.max()) + 1)


def centred_normal(mean, covariance):
    """(mean, standard deviation), (n,) each, of Gaussian numbers less their own mean."""
    covariance = covariance - covariance.mean(axis=0)
    variance = np.diagonal(covariance - covariance.mean(axis=1, keepdims=True))
    return mean - mean.mean(), np.sqrt(np.maximum(variance, 0.0))


def normal_quantile(confidence):
    """How many standard deviations an interval of this probability reaches to either side."""
    confidence = validation.between(confidence, "confidence", 0, 1)
    return float(norm.ppf((1 + confidence) / 2))


class Panel:
    """The items and raters of a panel, as a latent GP has them: what all models of a panel mix into a LatentModel.

    What a model's settings do not name, it does not have: a nugget, biases, opinions. Where bias_std is not None, its
    latent GP has the PanelKernel, and after the items rows of raters. When fitted, it has
    `n_raters_`.
    """

    nugget_std = bias_std = bias_prior = opinion_std = None

    @property
    def _has_biases(self):
        return self.bias_std is not None

    def _panel(self, X, item, rater, y, likelihood, kind_of=("values",)):
        """Observations of answers y (m,) by these raters to these items X: views of values, less strictnesses.

        kind_of : of a likelihood in blocks, one for each: "values"
        """
        views = Views(item, np.full(len(item), NONE), len(X))
        if not self._has_biases:
            return Observations(X, views, y, likelihood, kinds=kind_of)
        raters, kinds = rater_rows(np.arange(rater.max() + 1), X.shape[1]), ("differences",) * len(kind_of)
        if self.opinion_std is None:
            rows, views = np.vstack([item_rows(X), raters]), answers_of(item, rater, len(X))
            return Observations(rows, views, y, likelihood, kinds=kinds)
        asked, whose = np.unique(np.column_stack([item, rater]), axis=0, return_inverse=True)
        opinions = rater_rows(asked[:, 1], X.shape[1], at=asked[:, 0])
        views = Views(item, len(X) + whose.ravel(), len(X) + len(opinions) + len(raters))
        return Observations(np.vstack([item_rows(X), opinions, raters]), views, y, likelihood, kinds=kinds)

    def _first_kernels(self, X, item, y, likelihood, level_std):
        """The kernels with which searches begin: of the items, with the nugget, and of raters' biases and opinions."""
        prior = a_prior(self.bias_prior, "bias_prior")
        if self.kernel is None:
            kernels = typical_kernels(Observations(X, Views(item, np.full(len(item), NONE), len(X)), y, likelihood))
        else:
            kernels = [validation.instance(self.kernel, Kernel, "kernel", "a Kernel such as SquaredExponential()")]
        if self.nugget_std is not None:
            nugget = White(validation.positive(self.nugget_std, "nugget_std") ** 2)
            kernels = [kernel + nugget for kernel in kernels]
        if not self._has_biases:
            return kernels
        kernels[0].inputs(X)
        spread = validation.positive(self.bias_std, "bias_std")
        panels = [PanelKernel(kernel, spread, level_std, self.opinion_std) for kernel in kernels]
        return panels if prior is None else [panel.with_priors(bias_std=prior) for panel in panels]

    def _seen(self, latent, X_new, raters, weights, new_items):
        """Mean and variance, (q,) each, of Σ weight_r (value − strictness_r) at items: what raters' answers are to.

        Parameters
        ----------
        latent : LatentGP, the model's own or a member of an averaged one
        raters : (k,) ints; one that is not in the fit is somebody new;  weights : (k,)
        """
        rows, total = self._item_rows(X_new), weights.sum()
        if not self._has_biases:
            mean, std = latent.predict_latent(rows, new_items=new_items)
            return total * mean, (total * std) ** 2
        q, n_columns = len(rows), rows.shape[1] - 1
        people, of = rater_rows(raters, n_columns), np.tile(q + np.arange(len(raters)), (q, 1))
        if self.opinion_std is not None:  # one of the fit is known a little
            n = len(self._rows)
            item = items_among(latent.observations_.X[:n], rows)
            unseen = (item == NEW_ITEM) | validation.flag(new_items, "new_items")
            at = np.where(unseen, n + np.arange(q), item)
            people = rater_rows(np.tile(raters, q), n_columns, np.repeat(at, len(raters)))
            of = q + np.arange(len(people)).reshape(q, -1)
        mean, cov = latent.predict_latent(np.vstack([rows, people]), return_cov=True, new_items=new_items)
        between = cov[np.arange(q)[:, None], of] @ weights
        among = np.einsum("r,qrs,s->q", weights, cov[of[:, :, None], of[:, None, :]], weights)
        variance = total**2 * cov.diagonal()[:q] - 2.0 * total * between + among
        return total * mean[:q] - mean[of] @ weights, np.maximum(variance, 0.0)

    def _item_rows(self, X_new):
        """X_new as this model's latent GP knows items."""
        if not self._has_biases:
            return X_new
        X_new, D = validation.sequence(X_new, "X_new"), self.n_features_in_
        if X_new.shape[1] != D:
            raise ValueError(f"X_new has {X_new.shape[1]} columns (shape {X_new.shape}), but X of the fit had {D}.")
        return item_rows(X_new)

    def _values(self):
        """Mean (n,) and covariance (n, n) of f at the items of the fit, raters' rows left out."""
        mean, covariance = self._fitted().item_moments()
        return mean[self._rows], covariance[np.ix_(self._rows, self._rows)]

    @property
    def consensus_(self):
        """(n,) the values of the items of the fit, as raters without bias would have them."""
        return self._values()[0] + self.offset_

    @property
    def consensus_std_(self):
        """(n,) how surely that is known."""
        return np.sqrt(np.maximum(self._values()[1].diagonal(), 0.0))

    @property
    def consensus_cov_(self):
        """(n, n) covariance of the items' values, in the unit of f."""
        return self._values()[1]

    def consensus_interval(self, confidence=0.9, *, centred=False):
        """(low, high), (n,) each: between them lies an item's value with this probability.

        Parameters
        ----------
        confidence : between 0 and 1
        centred : False: the value itself, with the level that all items share; True: how far it is above the mean of
            all n items, which is known better where the raters have biases. Contrasts of two items are
            `difference_interval`.
        """
        mean, covariance = self._values()
        mean, std = mean + self.offset_, np.sqrt(np.maximum(covariance.diagonal(), 0.0))
        if validation.flag(centred, "centred"):
            mean, std = centred_normal(mean, covariance)
        half = normal_quantile(confidence) * std
        return mean - half, mean + half


class BiasedPanel(Panel):
    """A panel that tells raters apart: what is known of their biases, and items without raters' rows among them."""

    @property
    def kernel_(self):
        """The kernel of the items' values, with its learned parameters."""
        kernel = self._fitted().kernel_
        return kernel.children[0] if self._has_biases else kernel

    @property
    def n_features_in_(self):
        """Number of columns of X."""
        return self._fitted().n_features_in_ - self._has_biases

    def predict_latent(self, X_new, return_cov=False, new_items=False):
        """The values of items at X_new, as LatentModel.predict_latent."""
        return super().predict_latent(self._item_rows(X_new), return_cov, new_items)

    @property
    def bias_std_(self):
        """The learned spread of the raters' biases; 0 without bias_std."""
        return self._fitted().kernel_.bias_std if self._has_biases else 0.0

    @property
    def rater_bias_(self):
        """(R,) how much higher than the consensus each rater marks, in the unit of the values."""
        return self._biases()[0]

    @property
    def rater_bias_std_(self):
        """(R,) how surely that is known, the level that all raters share included."""
        return np.sqrt(np.maximum(self._biases()[1].diagonal(), 0.0))

    def _biases(self):
        """(R,) mean and (R, R) covariance of the biases."""
        latent, R = self._fitted(), self.n_raters_
        if not self._has_biases:
            return np.zeros(R), np.zeros((R, R))
        mean, covariance = latent.item_moments()
        return -mean[-R:], covariance[-R:, -R:]

    def bias_interval(self, confidence=0.9, centred=False):
        """(low, high), (R,) each: between them lies a rater's bias with this probability.

        Parameters
        ----------
        confidence : between 0 and 1
        centred : False: the bias itself, with the level that all raters share; True: how far it is above the mean of
            all R raters, which is known better
        """
        mean, covariance = self._biases()
        std = self.rater_bias_std_
        if validation.flag(centred, "centred"):
            mean, std = centred_normal(mean, covariance)
        half = normal_quantile(confidence) * std
        return mean - half, mean + half
