"""Recognising words by templates: the nearest recording wins; averages of recordings; fixed-length vectors instead.

Lecture: 01, sections 1 and 7.
"""

from collections.abc import Callable, Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

from course_lib import selection, validation
from course_lib.sequences import checks
from course_lib.sequences.steps import SYMMETRIC1, SYMMETRIC2, StepPattern
from course_lib.sequences.warping import dtw
from course_lib.sequences.warping_tables import checked_settings, dtw_distances
from course_lib.sequences.windows import Window


class TemplateRecognizer(ClassifierMixin, BaseEstimator):
    """Isolated-word recogniser: a recording gets the word whose templates are nearest by DTW.

    There is no predict_proba, because distances are not log probabilities: use `word_distances`, or `ModelPerWord`.

    per_word : "best" (distance to a word's nearest template) or "mean" (over all of its templates)
    step_pattern, window, distance : as in `dtw`; the pattern, or its name, needs a path-independent M_φ
    n_jobs : int, threads

    templates_ : list of (T, D) sequences;  labels_ : (number of templates,) array
    classes_ : sorted labels

    Source: TTIC 31110 slides (2020), "DTW: Extensions".

    >>> from course_lib.sequences import TemplateRecognizer
    >>> recognizer = TemplateRecognizer().fit([[0, 1, 0], [2, 2, 3]], ["low", "high"])
    >>> recognizer.predict([[0, 0, 1, 0]]).tolist()
    ['low']
    """

    def __init__(
        self,
        per_word: str | int = "best",
        step_pattern: StepPattern | str = SYMMETRIC2,
        window: Window | None = None,
        distance: str | Callable = "euclidean",
        n_jobs: int = 1,
    ):
        self.per_word = per_word
        self.step_pattern = step_pattern
        self.window = window
        self.distance = distance
        self.n_jobs = n_jobs

    def fit(self, templates: Sequence[ArrayLike], labels: ArrayLike) -> Self:
        """Keep the templates, a list of (T, D) sequences, and as many labels, of any type that can be sorted."""
        validation.one_of(self.per_word, ("best", "mean"), "per_word")
        templates = checks.sequences(templates, "templates")
        labels = selection.labels(labels, "labels", len(templates), "templates")
        pattern = checked_settings(self.step_pattern, self.window, self.distance, self.n_jobs)
        pattern.path_weight(1, 1)  # raises ValueError where M_φ depends on the path
        self.templates_, self.labels_, self.classes_ = templates, labels, np.unique(labels)
        return self

    def word_distances(self, recordings: Sequence[ArrayLike]) -> NDArray:
        """(recordings, words) normalised distances, words in the order of classes_."""
        validation.fitted(self, "templates_", "labels_", "classes_")
        recordings = checks.sequences(recordings, "recordings")
        validation.same_features(recordings[0], self.templates_[0], "recordings[0]", "templates_[0]")
        options = self.step_pattern, self.window, self.distance
        each = dtw_distances(recordings, self.templates_, *options, normalized=True, n_jobs=self.n_jobs)
        combine = {"best": np.min, "mean": np.mean}[self.per_word]
        return np.stack([combine(each[:, self.labels_ == word], axis=1) for word in self.classes_], axis=1)

    def predict(self, recordings: Sequence[ArrayLike]) -> NDArray:
        """The word of each recording, (recordings,)."""
        nearest = self.word_distances(recordings).argmin(axis=1)
        return self.classes_[nearest]

    def score(self, recordings: Sequence[ArrayLike], labels: ArrayLike) -> float:
        """Fraction of recordings that are recognised."""
        recordings = checks.listed(recordings, "recordings")
        labels = selection.labels(labels, "labels", len(recordings), "recordings")
        return float(np.mean(self.predict(recordings) == labels))


def medoid(sequences: Sequence[ArrayLike]) -> int:
    """Index of the sequence with the least sum of DTW distances to the others."""
    return int(dtw_distances(sequences, normalized=True).sum(axis=1).argmin())


def barycenter_average(sequences: Sequence[ArrayLike], max_rounds: int = 10) -> tuple[NDArray, list[float]]:
    """One template for several recordings of a word: DTW barycentre averaging.

    ASSIGN: align every recording to the average. UPDATE: each frame of the average becomes the mean of the frames
    that were matched with it. REPEAT until nothing improves. The sum of squared distances along the paths never rises.

    sequences : list of (T_k, D)
    max_rounds : int, from the medoid on, whose length the average keeps
    Returns (average (T, D), costs): costs is the list of Σ D, squared Euclidean, before each update and at the end.

    Source: Petitjean, Ketterlin and Gançarski (2011).
    """
    sequences = checks.sequences(sequences, "sequences")
    center, costs = sequences[medoid(sequences)], []
    for _ in range(validation.integer(max_rounds, "max_rounds") + 1):
        aligned = [dtw(center, x, SYMMETRIC1, distance="squared") for x in sequences]
        costs.append(sum(a.distance for a in aligned))
        if len(costs) > max_rounds or (len(costs) > 1 and costs[-2] - costs[-1] <= 1e-9 * costs[-2]):
            break
        totals, counts = np.zeros_like(center), np.zeros(len(center))
        for x, a in zip(sequences, aligned, strict=True):
            np.add.at(totals, a.path[:, 0], x[a.path[:, 1]])
            np.add.at(counts, a.path[:, 0], 1)
        center = totals / counts[:, None]
    return center, costs


def time_normalize(sequence: ArrayLike, n_frames: int) -> NDArray:
    """A sequence stretched linearly to a fixed number of frames: then frames compare one to one, without DTW.

    sequence : (T, D);  n_frames : int ≥ 2
    Returns (n_frames, D) array, linear interpolation between frames; a single frame is repeated.

    Source: TTIC 31110 slides (2020), "map each signal to a fixed-dimensional vector".
    """
    x = validation.sequence(sequence, "sequence")
    at = np.linspace(0, len(x) - 1, validation.integer(n_frames, "n_frames", least=2))
    before = at.astype(int)
    after = np.minimum(before + 1, len(x) - 1)
    return x[before] + (at - before)[:, None] * (x[after] - x[before])
