"""Hidden Markov models whose states emit frames of real numbers, each with its own Gaussian mixture.

Lecture: 04.
"""

import warnings

import numpy as np
from scipy.special import logsumexp, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from course_lib import validation
from course_lib.sequences import sufficient_statistics as sufficient
from course_lib.sequences.gaussian import Gaussian
from course_lib.sequences.hmm import Frames, HiddenMarkovModel
from course_lib.sequences.mixture import GaussianMixture, Mixture, maximization
from course_lib.sequences.recursions import probabilities
from course_lib.sequences.sufficient_statistics import COVARIANCE_TYPES


class GaussianMixtureHMM(HiddenMarkovModel):
    """A hidden Markov model in which b_i(o) = Σ_m w_im N(o | μ_im, Σ_im): a mixture of Gaussians in each state.

    Parameters
    ----------
    n_states : int, N; n_mixtures : int, Gaussians in each state
    covariance_type : "diag", "full", "spherical" or "tied" (one Σ for all Gaussians of all states)
    topology : "left-to-right" (starts in state 0, never goes back) or "ergodic"
    startprob, transmat : where Baum–Welch starts; None chooses by the topology. Zeros stay zeros.
    transition_pseudocount : added to each expected transition and start that is not fixed at 0
    min_variance : float, squared units of the frames: the floor under the variance in every direction
    prior : NormalInverseWishart or None, for every Gaussian
    tol, max_iter, n_init, progress, rng : as in `DiscreteHMM`

    Attributes
    ----------
    startprob_ (N,), transmat_ (N, N), trace_, n_iter_, converged_ : as in `DiscreteHMM`
    weights_ (N, M), means_ (N, M, D)
    covariances_ : (N, M, D) "diag", (N, M, D, D) "full", (N, M) "spherical", (D, D) "tied"

    A sequence is a (T, D) array. A frame whose features are all NaN is missing: every state explains it equally well.

    Source: Rabiner (1989), eq. 52–54. Lecture: 04, section 8.
    """

    def __init__(
        self,
        n_states,
        n_mixtures=1,
        covariance_type="diag",
        *,
        topology="left-to-right",
        startprob=None,
        transmat=None,
        transition_pseudocount=0.0,
        min_variance=1e-3,
        prior=None,
        tol=1e-4,
        max_iter=50,
        n_init=1,
        progress=False,
        rng=0,
    ):
        self.n_states = n_states
        self.n_mixtures = n_mixtures
        self.covariance_type = covariance_type
        self.topology = topology
        self.startprob = startprob
        self.transmat = transmat
        self.transition_pseudocount = transition_pseudocount
        self.min_variance = min_variance
        self.prior = prior
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.progress = progress
        self.rng = rng

    @classmethod
    def from_parameters(cls, startprob, transmat, weights, means, covariances, covariance_type="diag"):
        """A model whose parameters are known, in the shapes of the attributes, ready to score and decode.

        Raises
        ------
        ValueError
            For shapes that do not fit, rows that do not sum to one, and covariances that are not positive definite.

        Lecture: 04, section 8.
        """
        means = validation.real_array(means, "means")
        if means.ndim != 3:
            raise ValueError(f"means has shape {means.shape}; (N, M, D) is needed: states, Gaussians, features.")
        N, M, D = means.shape
        model = cls(N, M, covariance_type, startprob=startprob, transmat=transmat)
        model._check()
        shape = sufficient.covariance_shape(covariance_type, D, N, M)
        model.covariances_ = validation.real_array(covariances, "covariances")
        if model.covariances_.shape != shape:
            raise ValueError(f"covariances has shape {model.covariances_.shape}; {shape} is needed.")
        model.startprob_ = probabilities(startprob, "startprob", (N,))
        model.transmat_ = probabilities(transmat, "transmat", (N, N))
        model.weights_, model.means_ = probabilities(weights, "weights", (N, M)), means
        model.origin_ = means.mean(axis=(0, 1))
        sufficient.precisions(sufficient.as_matrices(model._flat().covariances, covariance_type, N * M, D))
        return model

    def _check(self):
        super()._check()
        validation.whole(self.n_mixtures, "n_mixtures")
        validation.one_of(self.covariance_type, COVARIANCE_TYPES, "covariance_type")
        if self.prior is not None and not isinstance(self.prior, sufficient.NormalInverseWishart):
            raise ValueError(f"prior is {self.prior!r}; None or a NormalInverseWishart is needed.")

    def _read(self, sequences):
        frames = read_frames(sequences)
        if np.nanmax(np.abs(frames.values), initial=0.0) > 1e150:
            raise ValueError("sequences hold numbers above 1e150, too large to be squared; scale them down.")
        D = self.means_.shape[-1] if hasattr(self, "means_") else frames.values.shape[1]
        if frames.values.shape[1] != D:
            raise ValueError(f"sequences have {frames.values.shape[1]} features per frame, but the model has {D}.")
        return frames

    # ------------------------------------------------------------------------------------------ what a state emits

    def _joint(self, X):
        """(N, M, T) log w_im + log N(x_t | μ_im, Σ_im), as matrix products with the features of blocks of frames."""
        mixture, kind = self._flat(), self.covariance_type
        coefficients = sufficient.natural_parameters(*mixture, kind, self.origin_)
        joint = np.empty((len(coefficients), len(X)))
        for begin in range(0, len(X), sufficient.BLOCK):
            some = slice(begin, begin + sufficient.BLOCK)
            joint[:, some] = coefficients @ sufficient.features(X[some] - self.origin_, kind)
        return joint.reshape(self.n_states, self.n_mixtures, len(X))

    def _flat(self):
        """All N·M Gaussians as one `Mixture`, whose weights are those within each state."""
        covariances = self.covariances_
        if self.covariance_type != "tied":
            covariances = covariances.reshape(-1, *covariances.shape[2:])
        return Mixture(self.weights_.ravel(), self.means_.reshape(-1, self.means_.shape[-1]), covariances)

    def _set(self, mixture):
        """Attributes from all Gaussians as one `Mixture`; the weights are made to sum to one in each state."""
        shape = self.n_states, self.n_mixtures
        weights = mixture.weights.reshape(shape)
        total = weights.sum(axis=1, keepdims=True)
        never = np.full(shape, 1 / self.n_mixtures) if not hasattr(self, "weights_") else self.weights_
        self.weights_ = np.where(total > 0, weights / np.where(total > 0, total, 1), never)
        self.means_ = mixture.means.reshape(*shape, -1)
        tied = self.covariance_type == "tied"
        self.covariances_ = (
            mixture.covariances if tied else mixture.covariances.reshape(*shape, *mixture.covariances.shape[1:])
        )

    def _log_emission(self, frames):
        return self._emissions(frames)[0]

    def _emissions(self, frames):
        """(log b_i(o_t) (T, N), the `_joint` that it is the sum of); what is missing has log 1 in every state."""
        X, missing = _filled(frames.values, self.origin_)
        joint = self._joint(X)
        log_emission = logsumexp(joint, axis=1).T
        log_emission[missing] = 0.0
        return np.ascontiguousarray(log_emission), joint

    def _emission_statistics(self, frames, gamma, joint):
        """γ_t(i) shared out among the Gaussians of state i by their responsibilities."""
        X, missing = _filled(frames.values, self.origin_)
        weights = softmax(joint, axis=1) * gamma.T[:, None, :]
        weights[..., missing] = 0.0
        return sufficient.accumulate(X, weights.reshape(-1, len(X)), self.covariance_type, self.origin_)

    def _start_emissions(self, frames, rng):
        """A mixture for the frames of each state: cut into equal parts, or into clusters if states have no order."""
        X = frames.values[~np.isnan(frames.values[:, 0])]
        if len(X) < self.n_states * self.n_mixtures:
            raise ValueError(
                f"sequences have {len(X)} frames for {self.n_states} states of {self.n_mixtures} Gaussians; more are "
                "needed."
            )
        self.origin_ = X.mean(axis=0)
        if self.topology == "left-to-right":
            segments = self._segments(frames)[~np.isnan(frames.values[:, 0])]
        else:
            segments = GaussianMixture(self.n_states, "spherical", max_iter=1, rng=rng, min_variance=self.min_variance)
            segments = _quietly(segments.fit, X).predict(X)
        parts = [self._fit_state(X[segments == i], i, rng) for i in range(self.n_states)]
        means = np.concatenate([part.means for part in parts])
        covariances = [part.covariances for part in parts]
        together = np.mean(covariances, axis=0) if self.covariance_type == "tied" else np.concatenate(covariances)
        self._set(Mixture(np.concatenate([part.weights for part in parts]), means, together))

    def _fit_state(self, X, state, rng):
        if len(X) < self.n_mixtures:
            raise ValueError(
                f"state {state} starts with {len(X)} frames for {self.n_mixtures} Gaussians; take fewer states or "
                "Gaussians, or longer sequences."
            )
        start = GaussianMixture(
            self.n_mixtures,
            self.covariance_type,
            min_variance=self.min_variance,
            prior=self.prior,
            max_iter=1,
            rng=rng,
        )
        return _quietly(start.fit, X).mixture_

    def _update_emissions(self, statistics):
        previous = self._flat()
        self._set(maximization(statistics, previous, self.covariance_type, self.min_variance, self.prior))

    def _log_prior_of_emissions(self):
        mixture = self._flat()
        return self.prior.log_density(*mixture[1:], self.covariance_type) if self.prior else 0.0

    def _draw(self, states, rng):
        X = np.empty((len(states), self.means_.shape[-1]))
        mixture = self._flat()
        matrices = sufficient.as_matrices(mixture.covariances, self.covariance_type, *mixture.means.shape)
        for t, i in enumerate(states):
            k = i * self.n_mixtures + rng.choice(self.n_mixtures, p=self.weights_[i])
            X[t] = Gaussian(mixture.means[k], matrices[k]).sample(1, rng)[0]
        return X

    def log_emission(self, sequence):
        """log b_i(o_t) of each frame in each state, (T, N).

        Raises
        ------
        ValueError
            If the sequence cannot be read.

        Lecture: 04, section 8.
        """
        check_is_fitted(self)
        return self._log_emission(self._read([sequence]))


def read_frames(sequences):
    """Frames of D numbers each; frames that are missing are NaN throughout.

    Raises
    ------
    ValueError
        For one array in place of a list, infinite values, frames that are NaN in part, or different D.

    Lecture: 04, section 8.
    """
    if not isinstance(sequences, (list, tuple, np.ndarray)):
        raise ValueError(f"sequences is {sequences!r}; a list of (T, D) sequences is needed.")
    one_array = isinstance(sequences, np.ndarray) and sequences.dtype != object and sequences.ndim < 3
    if one_array or (len(sequences) and np.isscalar(sequences[0])):
        raise ValueError("sequences is one sequence; a list of (T, D) sequences is needed. For one, write [sequence].")
    each = [_without_nan(one) for one in sequences]
    validation.sequences([filled for filled, _ in each], "sequences")
    each = [np.where(lost, np.nan, filled) for filled, lost in each]
    each = [one if one.ndim == 2 else one[:, None] for one in each]
    values, bounds = np.concatenate(each), np.cumsum([0, *map(len, each)])
    lost = np.isnan(values)
    part = np.flatnonzero(lost.any(axis=1) & ~lost.all(axis=1))
    if len(part):
        s = int(np.searchsorted(bounds, part[0], side="right")) - 1
        raise ValueError(
            f"sequences[{s}][{part[0] - bounds[s]}] is NaN in some of its features; a frame is whole, or missing as "
            "a whole."
        )
    return Frames(values, bounds)


def _without_nan(sequence):
    """(the sequence with 0 for NaN, where NaN was); what is no array of floats is left for others to refuse."""
    try:
        array = np.asarray(sequence)
    except ValueError:
        return sequence, False
    lost = np.isnan(array) if array.dtype.kind == "f" else np.zeros(array.shape, bool)
    return np.where(lost, 0.0, array) if array.dtype.kind in "biuf" else array, lost


def _filled(X, origin):
    """(X with missing frames put at the origin, which frames are missing)."""
    missing = np.isnan(X[:, 0])
    return (np.where(missing[:, None], origin, X), missing) if missing.any() else (X, missing)


def _quietly(fit, X):
    """A fit that is only a start, and is not expected to converge."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return fit(X)
