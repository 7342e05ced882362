"""Hidden Markov models whose states emit frames of real numbers, each with its own Gaussian mixture.

Lecture: 04, section 8.
"""

import warnings

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import logsumexp, softmax

from course_lib import validation
from course_lib.sequences import checks
from course_lib.sequences import covariances as cov
from course_lib.sequences import sufficient_statistics as sufficient
from course_lib.sequences.clusters import whitened_clusters
from course_lib.sequences.covariances import Mixture
from course_lib.sequences.gaussian import Gaussian
from course_lib.sequences.hmm import Frames, HiddenMarkovModel
from course_lib.sequences.mixture import GaussianMixture, maximization
from course_lib.sequences.recursions import Emissions
from course_lib.sequences.sufficient_statistics import NormalInverseWishart
from course_lib.settings import KW_ONLY, settings


@settings
class GaussianMixtureHMM(HiddenMarkovModel):
    """A hidden Markov model in which b_i(o) = Σ_m w_im N(o | μ_im, Σ_im): a mixture of Gaussians in each state.

    Parameters
    ----------
    n_states : int, N; n_mixtures : int, Gaussians in each state
    covariance_type : "diag", "full", "spherical" or "tied" (one Σ for all Gaussians of all states)
    topology : "left-to-right" (starts in state 0, never goes back) or "ergodic"
    startprob, transmat : where Baum–Welch starts; None chooses by the topology. Zeros stay zeros.
    transition_pseudocount : added to each expected transition and start that is not fixed at 0
    min_variance : "auto", or one or (D,) floats in squared units of the frames: the floor under the variance in every
        direction, as in `GaussianMixture`; "auto" is a millionth of what the Gaussians of the start have on average
    prior : NormalInverseWishart or None, for every Gaussian
    tol, max_iter, n_init, progress, rng : as in `DiscreteHMM`

    Attributes
    ----------
    startprob_ (N,), transmat_ (N, N), trace_, n_iter_, converged_ : as in `DiscreteHMM`
    weights_ (N, M), means_ (N, M, D)
    covariances_ : (N, M, D) "diag", (N, M, D, D) "full", (N, M) "spherical", (D, D) "tied"
    min_variance_ : the floor that was used, a number, or (D,) for "auto"

    A sequence is a (T, D) array.

    Source: Rabiner (1989), eq. 52–54.

    >>> from course_lib.sequences import GaussianMixtureHMM
    >>> words = [[0.0, 0.1, 3.0, 3.1], [0.2, 0.1, 2.9, 3.2, 3.0]]
    >>> GaussianMixtureHMM(n_states=2).fit(words).decode([0.1, 0.0, 3.0]).states
    array([0, 0, 1])
    """

    n_mixtures: int = 1
    covariance_type: str = "diag"
    _: KW_ONLY
    topology: str = "left-to-right"
    min_variance: float | str = "auto"
    prior: NormalInverseWishart | None = None
    tol: float = 1e-4
    max_iter: int = 50

    def _check(self):
        super()._check()
        validation.integer(self.n_mixtures, "n_mixtures")
        validation.one_of(self.covariance_type, cov.COVARIANCE_TYPES, "covariance_type")
        cov.checked_floor(self.min_variance)
        if self.prior is not None and not isinstance(self.prior, NormalInverseWishart):
            raise ValueError(f"prior is {self.prior!r}; None or a NormalInverseWishart is needed.")

    def _check_fitted(self):
        super()._check_fitted()
        validation.fitted(self, "weights_", "means_", "covariances_")
        kept = Mixture(self.weights_, self.means_, self.covariances_)
        cov.checked_mixture(kept, self.covariance_type, (self.n_states, self.n_mixtures), np.shape(self.means_)[-1])

    def _read(self, sequences, name="sequences[{s}]"):
        each = [
            validation.sequence(one, name.format(s=s)) for s, one in enumerate(checks.listed(sequences, "sequences"))
        ]
        known = hasattr(self, "means_")
        D = self.means_.shape[-1] if known else each[0].shape[1]
        for s, one in enumerate(each):
            if one.shape[1] != D:
                whose = "the model" if known else name.format(s=0)
                raise ValueError(f"{name.format(s=s)} has {one.shape[1]} features per frame, but {whose} has {D}.")
        if len(each) > 1:
            checks.warn_if_transposed("sequences", *each)
        return Frames(np.concatenate(each), np.cumsum([0, *map(len, each)]))

    # ------------------------------------------------------------------------------------------ what a state emits

    def _log_joint(self, X):
        """(N, M, T) log w_im + log N(x_t | μ_im, Σ_im), as matrix products with the features of blocks of frames."""
        mixture, kind, origin = self._as_mixture(), self.covariance_type, self._origins()
        coefficients = sufficient.natural_parameters(*mixture, kind, origin)
        blocks = sufficient.blocks(X, origin, kind)
        joint = np.concatenate([F.densities(coefficients) for _, F in blocks], axis=1)
        return joint.reshape(self.n_states, self.n_mixtures, len(X))

    def _origins(self):
        """What frames are counted from: the median of all means, but its own mean for a Gaussian far from there."""
        mixture = self._as_mixture()
        return sufficient.origins(*mixture[1:], self.covariance_type, np.median(mixture.means, axis=0))

    def _as_mixture(self):
        """All N·M Gaussians as one `Mixture`, whose weights are those within each state."""
        covariances = self.covariances_
        if self.covariance_type != "tied":
            covariances = covariances.reshape(-1, *covariances.shape[2:])
        return Mixture(self.weights_.ravel(), self.means_.reshape(-1, self.means_.shape[-1]), covariances)

    def _set_mixture(self, mixture):
        """Attributes from all Gaussians as one `Mixture`; the weights are made to sum to one in each state."""
        shape = self.n_states, self.n_mixtures
        weights = mixture.weights.reshape(shape)
        total = weights.sum(axis=1, keepdims=True)
        never = getattr(self, "weights_", 1 / self.n_mixtures)
        self.weights_ = np.where(total > 0, weights / np.where(total > 0, total, 1), never)
        self.means_ = mixture.means.reshape(*shape, -1)
        tied = self.covariance_type == "tied"
        self.covariances_ = (
            mixture.covariances if tied else mixture.covariances.reshape(*shape, *mixture.covariances.shape[1:])
        )

    def _emissions(self, frames):
        joint = self._log_joint(frames.values)
        log_emission = np.ascontiguousarray(logsumexp(joint, axis=1).T)
        return Emissions(log_emission, np.arange(len(log_emission)), frames.bounds, components=joint)

    def _start(self, frames, rng):
        super()._start(frames, rng)
        weights, means, covariances = self._as_mixture()
        kind, X = self.covariance_type, frames.values
        self.min_variance_ = cov.variance_floor(self.min_variance, weights, covariances, kind, X)
        self._set_mixture(Mixture(weights, means, cov.raised_to_floor(covariances, kind, self.min_variance_)))

    def _warn_of_emissions(self, frames, stacklevel):
        cov.warn_if_at_floor(
            self._as_mixture(), self.covariance_type, self.min_variance_, frames.values, stacklevel + 1
        )

    def _start_emissions(self, frames, rng):
        """A mixture for the frames of each state: cut into equal parts, or into clusters if states have no order."""
        X = frames.values
        if len(X) < self.n_states * self.n_mixtures:
            raise ValueError(
                f"sequences have {len(X)} frames for {self.n_states} states of {self.n_mixtures} Gaussians; more are "
                "needed."
            )
        if self.topology == "left-to-right":
            segments = self._segments(frames)
        else:
            segments, _ = whitened_clusters(X, self.n_states, rng)
        parts = [self._fit_state(X, segments == i, i, rng) for i in range(self.n_states)]
        means = np.concatenate([part.means for part in parts])
        covariances = [part.covariances for part in parts]
        together = np.mean(covariances, axis=0) if self.covariance_type == "tied" else np.concatenate(covariances)
        self._set_mixture(Mixture(np.concatenate([part.weights for part in parts]), means, together))

    def _fit_state(self, X, here, state, rng):
        """The mixture of the frames X[here]; if these are all equal, its floor comes from the other frames."""
        some = X[here]
        if len(some) < self.n_mixtures:
            cut = self.topology == "left-to-right"
            raise ValueError(
                f"state {state} starts with {len(some)} frames for {self.n_mixtures} Gaussians"
                + (", a part of each sequence. Take longer sequences," if cut else ", a cluster of frames. Take")
                + " fewer states or fewer Gaussians."
            )
        floor = cov.variance_floor(self.min_variance, np.ones(1), some.var(axis=0)[None], "diag", X)
        start = GaussianMixture(
            self.n_mixtures, self.covariance_type, min_variance=floor, prior=self.prior, max_iter=1, rng=rng
        )
        return _without_warnings(start.fit, some).mixture_

    def _update_emissions(self, frames, gamma, emissions):
        """γ_t(i) is shared out among the Gaussians of state i by their responsibilities."""
        responsibilities = softmax(emissions.components, axis=1)
        weights = (responsibilities * gamma.T[:, None, :]).reshape(-1, len(gamma))
        statistics = sufficient.accumulate(frames.values, weights, self.covariance_type, self._origins())
        previous = self._as_mixture()
        mixture = maximization(statistics, previous, self.covariance_type, self.min_variance_, self.prior)
        cov.check_not_collapsed(mixture, self.covariance_type, self.min_variance)
        self._set_mixture(mixture)

    def _log_prior_of_emissions(self):
        mixture = self._as_mixture()
        return self.prior.log_density(*mixture[1:], self.covariance_type) if self.prior else 0.0

    def _draw(self, states, rng):
        X = np.empty((len(states), self.means_.shape[-1]))
        mixture = self._as_mixture()
        matrices = cov.as_matrices(mixture.covariances, self.covariance_type, *mixture.means.shape)
        for t, i in enumerate(states):
            k = i * self.n_mixtures + rng.choice(self.n_mixtures, p=self.weights_[i])
            X[t] = Gaussian(mixture.means[k], matrices[k]).sample(1, rng)[0]
        return X

    def log_emission(self, sequence: ArrayLike) -> NDArray:
        """log b_i(o_t) of each frame in each state, (T, N)."""
        self._check_fitted()
        return self._emissions(self._read([sequence], "sequence")).log()


def _without_warnings(fit, X):
    """A fit that is only a start, so that its warnings do not matter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit(X)
