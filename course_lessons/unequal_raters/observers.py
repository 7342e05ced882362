"""A baseline like "Learning from Multiple Observers": each rater sees the truth through a curve of their own.

Lecture: 09, section 8.
"""

import numpy as np
from sklearn.base import BaseEstimator

from course_lib import threads, validation
from course_lib.gp import Fixed, OnColumns, SquaredExponential
from course_lib.gp.optimize import SEARCH_RANGE, climb
from course_lib.gp.sites import cholesky, cholesky_solve
from course_lib.judgments.panels.answers import answer_table

FIRST_RATER_NOISE = 0.3  # of the raters, where the search begins, beside 1 for the spread of all answers
NUGGET_STD = 0.1  # of what x does not explain of z, beside 1 for z itself: it keeps z's prior regular


class ObserverGP(BaseEstimator):
    """LMO-like: y_nr = g_r(x_n, z_n) + noise, with g_r ~ GP over [x, z] and z ~ GP over x.

    z (n,) and all parameters climb the posterior density (MAP). The paper's baseline is described in a text that is
    not at hand, so this is one of its kind: squared exponentials with one lengthscale for x and one for z; z has
    variance 1; answers are standardised.

    The density has no maximum: where z follows one rater exactly, that rater's noise can fall for ever. The search
    begins at the mean answers and usually ends at `max_iter`, which it says by a warning; more rounds are not better.

    lengthscale : where the search for the lengthscales of x begins;  max_iter : rounds of L-BFGS

    consensus_ : (n,) z in the unit of Y;  rater_std_ : (R,);  converged_, n_iter_, log_posterior_

    Source: after Xiao, Xiao & Eckert (2013), as Gil González et al. (2019) summarise them.
    """

    def __init__(self, lengthscale=1.0, *, max_iter=200):
        self.lengthscale = lengthscale
        self.max_iter = max_iter

    def fit(self, X, Y):
        """Learn from X (n, D) and answers Y (n, R), NaN where a rater gave none."""
        self.X_ = validation.sequence(X, "X")
        table = answer_table(Y, len(self.X_))
        self.offset_, self.unit_ = float(np.nanmean(table)), float(np.nanstd(table))
        self._answers = (table - self.offset_) / self.unit_
        kernel = SquaredExponential(1.0, validation.positive(self.lengthscale, "lengthscale"))
        self._prior = kernel.with_priors(variance=Fixed())
        D = self.X_.shape[1]
        along_z = SquaredExponential(1.0, 1.0).with_priors(variance=Fixed())
        self._curve = OnColumns(kernel, range(D)) * OnColumns(along_z, [D])
        found = self._learned(self._start(table.shape[1]))
        self.log_posterior_, self.converged_, self.n_iter_ = found.height, found.converged, found.rounds
        z, prior, _, noises = self._parts(found.theta)
        self.consensus_ = self.offset_ + self.unit_ * z
        self.rater_std_ = self.unit_ * noises
        self._kernel, self._weights = prior, cholesky_solve(cholesky(_with(prior(self.X_), NUGGET_STD)), z)
        return self

    def _start(self, R):
        z = np.nanmean(self._answers, axis=1)
        curves = np.tile(self._curve.theta, R)
        return np.concatenate([z, self._prior.theta, curves, np.full(R, np.log(FIRST_RATER_NOISE))])

    def _learned(self, start):
        limits = np.stack([start - SEARCH_RANGE, start + SEARCH_RANGE], axis=1)
        rounds = validation.integer(self.max_iter, "max_iter")
        with threads.as_many_as_help(len(self.X_)):
            return climb(self._height, start, limits, max_iter=rounds)

    def _parts(self, theta):
        """(z, prior of z, R kernels of the curves, R noises) from one vector."""
        n, R = self._answers.shape
        z, first, rest, noise = np.split(theta, [n, n + len(self._prior.theta), len(theta) - R])
        curves = [self._curve.with_theta(part) for part in np.split(rest, R)]
        return z, self._prior.with_theta(first), curves, np.exp(noise)

    def _height(self, theta):
        """log p(Y, z | parameters) and its gradient, in z and in the parameters."""
        z, prior, curves, noises = self._parts(theta)
        height, weights, alpha = _log_normal(prior(self.X_), NUGGET_STD, z)
        slope_z, slopes = -alpha, [prior.gradient(self.X_, weights)]
        spread = []
        for y, curve, noise in zip(self._answers.T, curves, noises, strict=True):
            seen = ~np.isnan(y)
            seen_by = np.column_stack([self.X_, z])[seen]
            one, weights, _ = _log_normal(curve(seen_by), noise, y[seen])
            height += one
            slopes.append(curve.gradient(seen_by, weights))
            slope_z[seen] += 2.0 * curve.input_gradient(seen_by, seen_by, weights)[:, -1]
            spread.append(2.0 * noise**2 * np.trace(weights))
        return height, np.concatenate([slope_z, *slopes, spread])

    def predict(self, X_new):
        """(q,) z at new inputs, in the unit of Y."""
        validation.fitted(self, "consensus_", "X_")
        X_new = validation.sequence(X_new, "X_new")
        validation.same_features(X_new, self.X_, "X_new", "X of the fit")
        return self.offset_ + self.unit_ * self._kernel.cross(X_new, self.X_) @ self._weights


def _with(K, noise):
    K[np.diag_indices_from(K)] += noise**2
    return K


def _log_normal(K, noise, y):
    """(log N(y | 0, C), ∂/∂C of it, C⁻¹y) for C = K + noise² I."""
    L = cholesky(_with(K, noise))
    alpha = cholesky_solve(L, y)
    inverse = cholesky_solve(L, np.eye(len(y)))
    height = -0.5 * (y @ alpha + len(y) * np.log(2 * np.pi)) - np.log(L.diagonal()).sum()
    return height, 0.5 * (np.outer(alpha, alpha) - inverse), alpha
