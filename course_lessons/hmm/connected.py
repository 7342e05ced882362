"""Connected words: which words were spoken, how many, and where each lies, by one pass of Viterbi over all models.

Lecture: 04, section 11.
"""

import numbers
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from course_lib import validation
from course_lib.sequences import checks
from course_lib.sequences.hmm import HiddenMarkovModel
from course_lib.sequences.recognizers import ModelPerWord


class WordDecoding(NamedTuple):
    """Words (L,), their bounds (word k has the frames bounds[k] ≤ t < bounds[k + 1]), the path's log probability."""

    words: np.ndarray
    bounds: np.ndarray
    log_probability: float


class ConnectedWords:
    """Recogniser of strings of words: the models of single words in a loop, so that any word may follow any other.

    Over all L, all words w_1 … w_L and all places of their joints it maximises
    Σ_k [max over the states within word k of log p(its frames, its states) + log p(w_k | w_k−1) − insertion_penalty].

    A path enters a word as its model starts, and leaves it from a state that is never left (left to right, the last
    one, which must then be reached); without any such state, from any. Leaving costs only the penalty, because the
    model of a single word does not know how likely its end is.

    recognizer : a fitted `ModelPerWord` of hidden Markov models, with or without an encoder
    insertion_penalty : float, nats that each word costs: the larger, the fewer words are found
    bigram : (W, W) probability of each word (column) after each other (row), in the order of classes_; 0 forbids.
        None: words are as likely as the recogniser's log_priors_ say, whatever came before. So is the first always.

    classes_ : (W,) the words

    For T frames and W words, decoding takes T (arcs + W²) steps, where arcs are the entries of all A that are not 0
    (two a state from left to right), and keeps two whole numbers for each word and frame.

    Source: Ney (1984); a table for each number of words in place of one pass: Rabiner and Juang (1993), chapter 7.
    """

    def __init__(self, recognizer: ModelPerWord, insertion_penalty: float = 0.0, bigram: ArrayLike | None = None):
        models = getattr(recognizer, "models_", [None])
        if not isinstance(recognizer, ModelPerWord) or not all(isinstance(m, HiddenMarkovModel) for m in models):
            raise ValueError(f"recognizer is {recognizer!r}; a fitted ModelPerWord of hidden Markov models is needed.")
        self.insertion_penalty = validation.finite(insertion_penalty, "insertion_penalty")
        self.recognizer, self.bigram = recognizer, bigram
        self.classes_, W = recognizer.classes_, len(models)
        self._models, self._shortest = _tables(models)
        self._log_first = recognizer.log_priors_ - self.insertion_penalty
        self._log_next = np.tile(self._log_first, (W, 1))
        if bigram is not None:
            with np.errstate(divide="ignore"):
                self._log_next = np.log(checks.probabilities(bigram, "bigram", (W, W))) - self.insertion_penalty

    def decode(self, sequence: ArrayLike) -> WordDecoding:
        """The best string of words for one sequence, of any number of words, and where they lie.

        Raises ValueError also where the sequence is shorter than any word can be, or no words can produce it.
        """
        [log_emission] = self._log_emissions([sequence], "sequence")
        return self._search(log_emission, self._loop())

    def predict(self, sequences: Sequence[ArrayLike]) -> list[NDArray]:
        """List with the words (L,) of each sequence. `decode` also says where they lie."""
        loop = self._loop()
        return [self._search(log_emission, loop).words for log_emission in self._log_emissions(sequences)]

    def align(self, sequence: ArrayLike, words: Sequence) -> WordDecoding:
        """Forced alignment: where the words lie in a sequence, if it is known what was spoken.

        The same search, but each word leads only to the next. Its log probability is at most that of `decode`, and
        equal for the words that `decode` finds. ValueError also where the bigram forbids a pair.

        Source: Rabiner and Juang (1993), chapter 7.
        """
        [log_emission] = self._log_emissions([sequence], "sequence")
        return self._search(log_emission, self._chain(self._word_indices(words), words))

    def _word_indices(self, words):
        """(L,) place of each word in classes_."""
        known = self.classes_.tolist()
        spoken = words.tolist() if isinstance(words, np.ndarray) else words
        if not isinstance(spoken, (list, tuple)) or not spoken:
            raise ValueError(f"words is {words!r}; a list of at least one of {known} is needed.")
        unknown = [
            word
            for word in spoken
            if not isinstance(word, (str, numbers.Integral)) or isinstance(word, bool) or word not in known
        ]
        if unknown:
            raise ValueError(f"words holds {unknown[0]!r}, which has no model; the words are {known}.")
        return np.array([known.index(word) for word in spoken])

    def _loop(self):
        """The network in which any word may follow any other."""
        W = len(self.classes_)
        return _Network(np.arange(W), self._log_first, self._log_next, np.zeros(W), self._shortest.min())

    def _chain(self, spoken, words):
        """The network in which each of the words leads to the next one only."""
        L, steps = len(spoken), self._log_next[spoken[:-1], spoken[1:]]
        if (steps == -np.inf).any():
            k = int(steps.argmin())
            raise ValueError(f"words[{k + 1}] is {words[k + 1]!r} after {words[k]!r}: the bigram forbids this pair.")
        log_first, log_next, log_last = np.full(L, -np.inf), np.full((L, L), -np.inf), np.full(L, -np.inf)
        log_first[0], log_last[-1] = self._log_first[spoken[0]], 0.0
        log_next[np.arange(L - 1), np.arange(1, L)] = steps
        return _Network(spoken, log_first, log_next, log_last, self._shortest[spoken].sum())

    def _search(self, log_emission, network):
        """The best path through the network, read backwards from the end of its last word."""
        from course_lessons.hmm._connected_kernels import one_pass

        T, V = len(log_emission), len(network.words)
        if network.shortest > T:
            raise ValueError(
                f"sequence has {T} frames; the shortest way through these words takes {network.shortest}."
            )
        places = np.cumsum([0, *np.diff(self._models[0])[network.words]])
        begins, before = np.empty((2, T, V), np.int32)
        tables = self._models, network.words, places, network.log_first, _arcs(network.log_next)
        ended = one_pass(*tables, log_emission, begins, before) + network.log_last
        v, end, path, bounds = int(ended.argmax()), T, [], [T]
        if ended[v] == -np.inf:
            raise ValueError("sequence has probability 0 (log −inf): no way through these words can produce it.")
        while end > 0:  # READ
            begin = int(begins[end - 1, v])
            path, bounds = [network.words[v], *path], [begin, *bounds]
            v, end = before[begin, v], begin
        return WordDecoding(self.classes_[path], np.array(bounds), float(ended.max()))

    def _log_emissions(self, sequences, name="sequences[{s}]"):
        """List of (T, states of all models) log b_j(o_t), model by model, for each sequence."""
        codes, models = self.recognizer._codes(sequences), self.recognizer.models_
        frames = [model._read(codes, name) for model in models]
        table = np.hstack([model._emissions(one).log() for model, one in zip(models, frames, strict=True)])
        return np.split(table, frames[0].bounds[1:-1])


class _Network(NamedTuple):
    """Places (V,) that hold words, by number: log probability to begin there, go on, end there; fewest frames."""

    words: np.ndarray
    log_first: np.ndarray
    log_next: np.ndarray
    log_last: np.ndarray
    shortest: int


def _arcs(log_weights):
    """The finite entries of a matrix, row = from, as `best_into` wants them: sorted by where they lead."""
    target, source = np.nonzero(np.isfinite(log_weights.T))
    return np.searchsorted(target, np.arange(len(log_weights) + 1)), source, log_weights[source, target]


def _tables(models):
    """(what `one_pass` needs of the models: bounds of their states, arcs, log start, log end; (W,) fewest frames)."""
    A = sparse.block_diag([sparse.csc_array(model.transmat_) for model in models], format="csc")
    ends, shortest = zip(*map(_final_states, models), strict=True)
    with np.errstate(divide="ignore"):
        log_start = np.log(np.concatenate([model.startprob_ for model in models]))
    states = np.cumsum([0, *map(len, ends)])
    log_end = np.where(np.concatenate(ends), 0.0, -np.inf)
    return (states, (A.indptr, A.indices, np.log(A.data)), log_start, log_end), np.array(shortest)


def _final_states(model):
    """((N,) whether the word may end in a state, the fewest frames that it takes to get to such a state)."""
    possible, reached = model.transmat_ > 0, [model.startprob_ > 0]
    for _ in range(model.n_states):
        reached.append(reached[-1] @ possible)
    ends = np.any(reached, axis=0) & (model.transmat_.diagonal() == 1)
    if not ends.any():
        ends[:] = True
    return ends, 1 + int(np.argmax([(here & ends).any() for here in reached]))
