"""One model for each word, and Bayes' rule: a recording gets the word whose model makes it most likely.

Lecture: 02, section 7; 03, section 7; 04, section 8.
"""

import numbers
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial.distance import cdist
from scipy.special import softmax
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone

from course_lib import selection, validation
from course_lib.kinds import Rng
from course_lib.sequences import checks
from course_lib.sequences.templates import time_normalize
from course_lib.threads import ONE_THREAD


class ModelPerWord(ClassifierMixin, BaseEstimator):
    """Isolated-word recogniser: argmax over words of log p(O | model of the word) + log p(word).

    Parameters
    ----------
    model : anything with fit(sequences) and score_samples(sequences) → (S,) log p(O_s)
        `DiscreteHMM`, `GaussianMixtureHMM`, `BagOfFrames(GaussianMixture(…))`, `TimeNormalized(…)`
    encoder : None, or anything with fit(sequences) and transform(sequences), such as `VectorQuantizer`
        Fitted once to the recordings of all words; the models see its codes. (With codes of their own the words could
        not be compared.)
    priors : None (uniform) or "counts" (relative frequencies in training)

    classes_ : (W,) sorted words; models_ : list of W fitted models; encoder_ : the fitted encoder or None
    log_priors_ : (W,)

    Source: TTIC 31110 slides (2020), "Use a statistical model of the linguistic content".

    >>> from course_lib.sequences import GaussianMixtureHMM, ModelPerWord
    >>> words, labels = [[0.0, 0.1], [0.2, 0.1], [3.0, 3.1], [2.9, 3.0]], ["low", "low", "high", "high"]
    >>> ModelPerWord(GaussianMixtureHMM(n_states=1)).fit(words, labels).predict([[0.1, 0.2, 0.1]]).tolist()
    ['low']
    """

    def __init__(self, model: object, encoder: object = None, priors: ArrayLike | None = None):
        self.model = model
        self.encoder = encoder
        self.priors = priors

    @ONE_THREAD
    def fit(self, sequences: Sequence[ArrayLike], labels: ArrayLike) -> Self:
        """Fit a copy of the model to the sequences of each word."""
        validation.one_of(self.priors, (None, "counts"), "priors")
        validation.has_methods(
            self.model, ("fit", "score_samples"), "model", "a model of sequences, such as DiscreteHMM(…),"
        )
        if self.encoder is not None:
            validation.has_methods(self.encoder, ("fit", "transform"), "encoder", "None or a VectorQuantizer(…)")
        sequences = checks.listed(sequences, "sequences")
        labels = selection.labels(labels, "labels", len(sequences), "sequences")
        self.classes_, counts = np.unique(labels, return_counts=True)
        self.encoder_ = None if self.encoder is None else clone(self.encoder).fit(sequences)
        sequences = self._codes(sequences)
        self.models_ = [
            clone(self.model).fit([s for s, label in zip(sequences, labels, strict=True) if label == word])
            for word in self.classes_
        ]
        self.log_priors_ = np.log(counts / counts.sum()) if self.priors else np.zeros(len(counts))
        return self

    def _codes(self, sequences):
        return sequences if self.encoder_ is None else self.encoder_.transform(sequences)

    def log_likelihoods(self, sequences: Sequence[ArrayLike]) -> NDArray:
        """(S, W) log p(O_s | model of word w), words in the order of classes_."""
        validation.fitted(self, "models_", "classes_", "log_priors_")
        codes = self._codes(sequences)
        return np.stack([model.score_samples(codes) for model in self.models_], axis=1)

    @ONE_THREAD
    def predict(self, sequences: Sequence[ArrayLike]) -> NDArray:
        """(S,) the word of each sequence; one that is impossible for all words gets the first, and the model warns."""
        log_likelihoods = self.log_likelihoods(sequences)
        return self.classes_[(log_likelihoods + self.log_priors_).argmax(axis=1)]

    @ONE_THREAD
    def predict_proba(self, sequences: Sequence[ArrayLike]) -> NDArray:
        """(S, W) posteriors p(word | O_s) ∝ p(O_s | word) p(word), words in the order of classes_; rows add up to 1.

        A model that treats neighbouring frames as independent counts the same evidence many times, so its posteriors
        are close to 0 or 1 even where it is wrong.

        Raises ValueError for a sequence that is impossible for every word: it has no posterior.

        Source: TTIC 31110 slides (2020), Bayes' rule.
        """
        log_joint = self.log_likelihoods(sequences) + self.log_priors_
        impossible = np.flatnonzero(np.isneginf(log_joint).all(axis=1))
        if len(impossible):
            raise ValueError(
                f"sequences[{impossible[0]}] is impossible for every word, so that no posterior is defined; models "
                "with a floor under their probabilities would give one."
            )
        return softmax(log_joint, axis=1)


class _SequenceDensity(BaseEstimator):
    """A model of sequences by a density of vectors, which a subclass makes in `_vectors`."""

    def fit(self, sequences: Sequence[ArrayLike], y: object = None) -> Self:
        """Fit the density to the vectors of all sequences; y must be left out."""
        validation.has_methods(
            self.density, ("fit", "score_samples"), "density", "a density, such as GaussianMixture(…),"
        )
        validation.unused(y, "y", "a model of sequences takes no labels")
        self.density_ = clone(self.density).fit(self._vectors(checks.sequences(sequences, "sequences")))
        return self

    def score(self, sequences: Sequence[ArrayLike]) -> float:
        """log p of all sequences together, a number: the sum of `score_samples`."""
        return float(self.score_samples(sequences).sum())


class BagOfFrames(_SequenceDensity):
    """A density of single frames as a model of sequences: frames are independent, their order does not matter.

    density : anything with fit(X) and score_samples(X), such as `GaussianMixture`;  density_ : the fitted copy

    >>> from course_lib.sequences import BagOfFrames, GaussianMixture
    >>> bag = BagOfFrames(GaussianMixture(1)).fit([[0.0, 0.1], [0.2, 0.1]])
    >>> bag.score_samples([[0.1, 0.1], [0.3, 0.1]]).round(1)
    array([ 3.5, -0.5])
    """

    def __init__(self, density: object):
        self.density = density

    def _vectors(self, sequences):
        return np.concatenate(sequences)

    def score_samples(self, sequences: Sequence[ArrayLike]) -> NDArray:
        """(S,) log p of each sequence: the sum over its frames."""
        validation.fitted(self, "density_")
        sequences = checks.sequences(sequences, "sequences")
        ends = np.cumsum([len(s) for s in sequences])[:-1]
        return np.array([part.sum() for part in np.split(self.density_.score_samples(self._vectors(sequences)), ends)])


class TimeNormalized(_SequenceDensity):
    """A density of vectors of fixed length as a model of sequences: each is stretched to n_frames, then laid out flat.

    density : anything with fit(X) and score_samples(X), such as `GaussianMixture(1, "diag")`: with "diag", a chain of
        n_frames Gaussians
    n_frames : int ≥ 2;  density_ : the fitted copy

    >>> from course_lib.sequences import GaussianMixture, TimeNormalized
    >>> density = TimeNormalized(GaussianMixture(1, "diag"), n_frames=2).fit([[0.0, 0.1], [0.2, 0.1], [0.1, 0.3]])
    >>> density.score_samples([[0.1, 0.1], [0.9, 0.1]]).round(1)
    array([  2.8, -45.2])
    """

    def __init__(self, density: object, n_frames: int = 10):
        self.density = density
        self.n_frames = n_frames

    def _vectors(self, sequences):
        return np.stack([time_normalize(s, self.n_frames).ravel() for s in sequences])

    def score_samples(self, sequences: Sequence[ArrayLike]) -> NDArray:
        """(S,) log density of each stretched sequence."""
        validation.fitted(self, "density_")
        return self.density_.score_samples(self._vectors(checks.sequences(sequences, "sequences")))


class VectorQuantizer(TransformerMixin, BaseEstimator, auto_wrap_output_keys=None):
    """A codebook: each frame becomes the index of the nearest of n_symbols centres, found by k-means.

    Distances are squared differences in the units of the features: scale features of different units before.

    n_symbols : int
    n_init : starts of k-means, of which the best is kept;  rng : seed

    codebook_ : (n_symbols, D) centres
    distortion_ : mean squared distance of a training frame to its centre

    Source: Linde, Buzo and Gray (1980).

    >>> from course_lib.sequences import VectorQuantizer
    >>> quantizer = VectorQuantizer(2).fit([[0.0, 0.1, 3.0, 3.1]])
    >>> quantizer.transform([[0.2, 2.9, 0.0]])[0].tolist()
    [1, 0, 1]
    """

    def __init__(self, n_symbols: int, n_init: int = 1, rng: Rng = 0):
        self.n_symbols = n_symbols
        self.n_init = n_init
        self.rng = rng

    @ONE_THREAD
    def fit(self, sequences: Sequence[ArrayLike], y: object = None) -> Self:
        """Find the centres of all frames of all sequences. y is ignored, as in every transformer of scikit-learn."""
        from sklearn.cluster import KMeans  # heavy, so it is loaded where it is used

        X = np.concatenate(checks.sequences(sequences, "sequences"))
        if len(X) < validation.integer(self.n_symbols, "n_symbols"):
            raise ValueError(
                f"sequences have {len(X)} frames for {self.n_symbols} symbols; at least as many are needed."
            )
        rng, n_init = validation.generator(self.rng), validation.integer(self.n_init, "n_init")
        small = isinstance(self.rng, numbers.Integral) and self.rng < 2**32  # as k-means wants it
        seed = self.rng if small else int(rng.integers(2**31))
        clusters = KMeans(self.n_symbols, n_init=n_init, random_state=seed).fit(X)
        self.codebook_, self.distortion_ = clusters.cluster_centers_, clusters.inertia_ / len(X)
        return self

    @ONE_THREAD
    def transform(self, sequences: Sequence[ArrayLike]) -> list[NDArray]:
        """List of (T,) symbols, one list for each sequence."""
        validation.fitted(self, "codebook_")
        sequences = checks.sequences(sequences, "sequences")
        validation.same_features(sequences[0], self.codebook_, "sequences[0]", "codebook_")
        return [cdist(frames, self.codebook_).argmin(axis=1) for frames in sequences]
