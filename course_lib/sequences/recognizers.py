"""One model for each word, and Bayes' rule: a recording gets the word whose model makes it likeliest.

Lecture: 02, section 7.
"""

import time
from typing import NamedTuple

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, ClassifierMixin, TransformerMixin, clone
from sklearn.cluster import KMeans
from sklearn.utils.validation import check_is_fitted

from course_lib import validation
from course_lib.sequences.sufficient_statistics import ONE_THREAD
from course_lib.sequences.templates import time_normalize


class ModelPerWord(ClassifierMixin, BaseEstimator):
    """Isolated-word recogniser: argmax over words of log p(O | model of the word) + log p(word).

    Parameters
    ----------
    model : anything with fit(sequences) and score_samples(sequences) → (S,) log p(O_s)
        `DiscreteHMM`, `GaussianMixtureHMM`, `BagOfFrames(GaussianMixture(…))`, `TimeNormalized(…)`
    encoder : None, or anything with fit(sequences) and transform(sequences), such as `VectorQuantizer`
        Fitted once to the recordings of all words; the models see its codes. (With codes of their own the words could
        not be compared.)
    priors : None (all words alike) or "counts" (as frequent as in training)

    Attributes
    ----------
    classes_ : (W,) sorted words; models_ : list of W fitted models; encoder_ : the fitted encoder or None
    log_priors_ : (W,)

    Source: slides 004, "Use a statistical model of the linguistic content". Lecture: 02, section 7.
    """

    def __init__(self, model, encoder=None, priors=None):
        self.model = model
        self.encoder = encoder
        self.priors = priors

    @ONE_THREAD
    def fit(self, sequences, labels):
        """Fit a copy of the model to the sequences of each word.

        Raises
        ------
        ValueError
            For different numbers of sequences and labels, unknown priors, and what the model refuses.

        Lecture: 02, section 7.
        """
        validation.one_of(self.priors, (None, "counts"), "priors")
        if not len(sequences):
            raise ValueError("sequences is empty; at least one sequence is needed.")
        labels = np.asarray(labels)
        if labels.shape != (len(sequences),):
            raise ValueError(f"labels has shape {labels.shape}; one for each of {len(sequences)} sequences is needed.")
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

    def log_likelihoods(self, sequences):
        """(S, W) log p(O_s | model of word w), words in the order of classes_. Errors as the model's score_samples.

        Lecture: 02, section 7.
        """
        check_is_fitted(self)
        codes = self._codes(sequences)
        return np.stack([model.score_samples(codes) for model in self.models_], axis=1)

    @ONE_THREAD
    def predict(self, sequences):
        """The word of each sequence, (S,). Errors as the model's score_samples.

        A sequence that is impossible for every word gets the first one; the model warns of it.

        Lecture: 02, section 7.
        """
        log_likelihoods = self.log_likelihoods(sequences)
        return self.classes_[(log_likelihoods + self.log_priors_).argmax(axis=1)]


class Trial(NamedTuple):
    """How a recogniser did: which recordings it got right (n,), seconds to train and for one recording, numbers kept.

    Lecture: 04, section 8.
    """

    right: np.ndarray
    training: float
    decoding: float
    numbers: int


def try_recognizer(recognizer, train, train_labels, test, test_labels):
    """Fit a recogniser, ask it for the words of recordings that it has not heard, and measure both.

    Parameters
    ----------
    recognizer : anything with fit(sequences, labels) and predict(sequences)

    Returns
    -------
    Trial; its `numbers` are the floats in all attributes that fitting made, 8 bytes each

    Raises
    ------
    ValueError
        What the recogniser refuses.

    Lecture: 04, section 8.
    """
    begin = time.perf_counter()
    recognizer.fit(train, train_labels)
    fitted = time.perf_counter()
    right = recognizer.predict(test) == np.asarray(test_labels)
    return Trial(right, fitted - begin, (time.perf_counter() - fitted) / len(right), _numbers_kept(recognizer))


def _numbers_kept(part):
    """How many floats a fitted object holds; traces of training are not needed to recognise."""
    if isinstance(part, np.ndarray):
        return part.size if part.dtype.kind == "f" else 0
    if isinstance(part, list):
        return sum(map(_numbers_kept, part))
    learnt = vars(part).items() if isinstance(part, BaseEstimator) else ()
    return sum(_numbers_kept(value) for name, value in learnt if name.endswith("_") and name != "trace_")


class BagOfFrames(BaseEstimator):
    """A density of single frames as a model of sequences: frames are independent, their order does not matter.

    Parameters
    ----------
    density : anything with fit(X) and score_samples(X), such as `GaussianMixture`

    Attributes
    ----------
    density_ : the fitted copy

    Lecture: 03, section 7.
    """

    def __init__(self, density):
        self.density = density

    def fit(self, sequences, y=None):
        """Fit the density to all frames of all sequences. Errors as the density's fit.

        Lecture: 03, section 7.
        """
        self.density_ = clone(self.density).fit(np.concatenate(validation.sequences(sequences, "sequences")))
        return self

    def score_samples(self, sequences):
        """(S,) log p of each sequence: the sum over its frames. Errors as the density's score_samples.

        Lecture: 03, section 7.
        """
        check_is_fitted(self)
        sequences = validation.sequences(sequences, "sequences")
        ends = np.cumsum([len(s) for s in sequences])[:-1]
        return np.array(
            [part.sum() for part in np.split(self.density_.score_samples(np.concatenate(sequences)), ends)]
        )


class TimeNormalized(BaseEstimator):
    """A density of vectors of fixed length as a model of sequences: each is stretched to n_frames, then laid out flat.

    Parameters
    ----------
    density : anything with fit(X) and score_samples(X), such as `GaussianMixture(1, "diag")`: with "diag", a chain of
        n_frames Gaussians
    n_frames : int ≥ 2

    Attributes
    ----------
    density_ : the fitted copy

    Lecture: 02, section 7.
    """

    def __init__(self, density, n_frames=10):
        self.density = density
        self.n_frames = n_frames

    def _flat(self, sequences):
        return np.stack(
            [time_normalize(s, self.n_frames).ravel() for s in validation.sequences(sequences, "sequences")]
        )

    def fit(self, sequences, y=None):
        """Fit the density to the stretched sequences. Errors as the density's fit.

        Lecture: 02, section 7.
        """
        self.density_ = clone(self.density).fit(self._flat(sequences))
        return self

    def score_samples(self, sequences):
        """(S,) log density of each stretched sequence. Errors as the density's score_samples.

        Lecture: 02, section 7.
        """
        check_is_fitted(self)
        return self.density_.score_samples(self._flat(sequences))


class VectorQuantizer(TransformerMixin, BaseEstimator):
    """A codebook: each frame becomes the number of the nearest of n_symbols centres, found by k-means.

    Parameters
    ----------
    n_symbols : int
    n_init : starts of k-means, of which the best is kept
    rng : seed

    Attributes
    ----------
    codebook_ : (n_symbols, D) centres
    distortion_ : mean squared distance of a training frame to its centre

    Source: Linde, Buzo and Gray (1980). Lecture: 04, section 8.
    """

    def __init__(self, n_symbols, n_init=1, rng=0):
        self.n_symbols = n_symbols
        self.n_init = n_init
        self.rng = rng

    @ONE_THREAD
    def fit(self, sequences, y=None):
        """Find the centres of all frames of all sequences.

        Raises
        ------
        ValueError
            For fewer frames than symbols, and sequences that cannot be read.

        Lecture: 04, section 8.
        """
        X = np.concatenate(validation.sequences(sequences, "sequences"))
        if len(X) < validation.whole(self.n_symbols, "n_symbols"):
            raise ValueError(
                f"sequences have {len(X)} frames for {self.n_symbols} symbols; at least as many are needed."
            )
        clusters = KMeans(self.n_symbols, n_init=self.n_init, random_state=self.rng).fit(X)
        self.codebook_, self.distortion_ = clusters.cluster_centers_, clusters.inertia_ / len(X)
        return self

    @ONE_THREAD
    def transform(self, sequences):
        """List of (T,) symbols, one list for each sequence.

        Raises
        ------
        ValueError
            For sequences that cannot be read, or of another number of features.

        Lecture: 04, section 8.
        """
        check_is_fitted(self)
        sequences = validation.sequences(sequences, "sequences")
        validation.same_features(sequences[0], self.codebook_, "sequences[0]", "codebook_")
        return [cdist(frames, self.codebook_).argmin(axis=1) for frames in sequences]
