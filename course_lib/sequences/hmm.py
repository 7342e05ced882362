"""Hidden Markov models: the recursions as on the slides, then scoring, decoding and sampling for any emissions.

Lecture: 04, sections 1–5 and 10.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator

from course_lib import validation
from course_lib.kinds import Rng
from course_lib.sequences import checks
from course_lib.sequences.baum_welch import BaumWelch
from course_lib.sequences.recursions import Decoding, best_paths, expectations, forward, log_likelihoods, probabilities
from course_lib.settings import KW_ONLY, settings


class Trellis(NamedTuple):
    """α (forward), δ (Viterbi) and β (backward) for all times and states, (T, N) each."""

    alpha: np.ndarray
    delta: np.ndarray
    beta: np.ndarray


def trellis(startprob: ArrayLike, transmat: ArrayLike, emission: ArrayLike) -> Trellis:
    """The tables α, δ and β of a short sequence, as plain probabilities, as one computes them by hand.

    Over a few hundred frames such products underflow to 0. The models run the same recursions compiled, on scaled
    probabilities, and on logarithms where even these underflow (`recursions`).

    startprob : (N,);  transmat : (N, N), rows sum to one;  emission : (T, N) b_j(o_t), not logarithms

    Source: Rabiner (1989), eq. 19–20, 24–25 and 32–33.
    """
    startprob, transmat, emission = probabilities(emission, startprob=startprob, transmat=transmat)
    alpha, beta = np.empty_like(emission), np.ones_like(emission)
    alpha[0] = startprob * emission[0]
    for t in range(1, len(emission)):
        alpha[t] = alpha[t - 1] @ transmat * emission[t]
    for t in range(len(emission) - 2, -1, -1):
        beta[t] = transmat @ (emission[t + 1] * beta[t + 1])
    return Trellis(alpha, plain_viterbi(startprob, transmat, emission)[0], beta)


def plain_viterbi(startprob, transmat, emission):
    """(δ (T, N), best states (T,)) as plain probabilities, for short sequences; arguments as for `trellis`.

    Source: Rabiner (1989), eq. 32–35.
    """
    delta, winners = np.empty_like(emission), np.empty(emission.shape, dtype=int)
    delta[0] = startprob * emission[0]  # INITIALISE
    for t in range(1, len(emission)):
        ways = delta[t - 1][:, None] * transmat  # from i (row) to j (column)
        winners[t], delta[t] = ways.argmax(axis=0), ways.max(axis=0) * emission[t]  # SCORE
    states = [delta[-1].argmax()]
    for winner in winners[:0:-1]:  # READ, from the last row to the second
        states.append(winner[states[-1]])
    return delta, np.array(states[::-1])


class Frames(NamedTuple):
    """Concatenated sequences; sequence s has the frames bounds[s] ≤ t < bounds[s + 1]."""

    values: np.ndarray
    bounds: np.ndarray


class Sample(NamedTuple):
    """A generated sequence: observations and the states behind them."""

    observations: np.ndarray
    states: np.ndarray


class ImpossibleSequenceWarning(UserWarning):
    """A sequence has probability 0 under the model."""


@settings
class HiddenMarkovModel(BaumWelch, BaseEstimator):
    """Base class of hidden Markov models; a subclass defines how states emit observations. `fit` is of `BaumWelch`.

    A subclass has `_read` (checks sequences, returns Frames), `_emissions` (Frames → Emissions), `_draw` (states →
    observations), and for training `_start_emissions`, `_update_emissions` and `_log_prior_of_emissions`.
    """

    n_states: int
    _: KW_ONLY
    topology: str = "ergodic"
    startprob: np.ndarray | None = None
    transmat: np.ndarray | None = None
    transition_pseudocount: float = 0.0
    max_iter: int = 200
    n_init: int = 1
    progress: bool = False
    rng: Rng = 0

    # -------------------------------------------------------------------------------------------------- scoring

    def _check_fitted(self):
        """Raise ValueError unless the model is fitted, and its parameters, which a caller may have set, fit."""
        N = validation.integer(self.n_states, "n_states")
        validation.fitted(self, "startprob_", "transmat_")
        checks.probabilities(self.startprob_, "startprob_", (N,))
        checks.probabilities(self.transmat_, "transmat_", (N, N))

    def score(self, sequences: Sequence[ArrayLike]) -> float:
        """log p(O_1, O_2, …) of all sequences together, a number: the sum of `score_samples`."""
        return float(self.score_samples(sequences).sum())

    def score_samples(self, sequences: Sequence[ArrayLike]) -> NDArray:
        """log p(O_s) of each sequence, (S,); −inf where the model cannot produce it.

        Warns: ImpossibleSequenceWarning, which names the first frame for which no state is left.

        Source: TTIC 31110 slides (2020), "the scoring problem".
        """
        self._check_fitted()
        frames = self._read(sequences)
        found = log_likelihoods(self.startprob_, self.transmat_, self._emissions(frames))
        for s in np.flatnonzero(found == -np.inf):
            validation.warn(self._why_impossible(frames, int(s)), ImpossibleSequenceWarning)
        return found

    def _why_impossible(self, frames, s):
        """A sentence about the first frame at which α is 0 in all states."""
        log_emission = self._emissions(frames).log(s)
        _, log_alpha = forward(self.startprob_, self.transmat_, log_emission)
        t = int(np.flatnonzero((log_alpha == -np.inf).all(axis=1))[0])
        reason = (
            "no state can emit it" if (log_emission[t] == -np.inf).all() else "no state that can emit it is reachable"
        )
        return (
            f"sequences[{s}] has probability 0 under the model (log −inf): at frame {t} (counted from 0), observing "
            f"{frames.values[frames.bounds[s] + t]}, {reason}. Pseudo-counts in training keep probabilities above 0."
        )

    # ------------------------------------------------------------------------------------------------- decoding

    def decode(self, sequence: ArrayLike, by: str = "viterbi") -> Decoding:
        """The hidden states behind one sequence: (states, log probability); hmmlearn returns these in reverse order.

        sequence : one observation sequence
        by : "viterbi", the most probable path, or "posterior", the most probable state at each time
            The second makes the fewest errors on average, but its states need not form a possible path.
        Returns Decoding (states (T,), log p(states, sequence)): for "posterior" this may be −inf.
        Raises ValueError if the sequence is impossible; so do `predict` and `predict_proba`.

        Source: TTIC 31110 slides (2020), "the decoding problem".
        """
        self._check_fitted()
        validation.one_of(by, ("viterbi", "posterior"), "by")
        frames = self._read([sequence], "sequence")
        if by == "viterbi":
            states, log_probability = self._viterbi(frames)
            return Decoding(states, float(log_probability[0]))
        states = self.predict_proba(sequence).argmax(axis=1)
        with np.errstate(divide="ignore"):
            steps = np.log([self.startprob_[states[0]], *self.transmat_[states[:-1], states[1:]]])
        return Decoding(states, float((steps + self._emissions(frames).log()[np.arange(len(states)), states]).sum()))

    def predict(self, sequences: Sequence[ArrayLike]) -> list[NDArray]:
        """List with the Viterbi path of each sequence."""
        self._check_fitted()
        frames = self._read(sequences)
        path, _ = self._viterbi(frames)
        return [path[begin:end] for begin, end in pairwise(frames.bounds)]

    def _viterbi(self, frames):
        path, best = best_paths(self.startprob_, self.transmat_, self._emissions(frames))
        if (best == -np.inf).any():
            raise ValueError(f"no state sequence is the best: {self._why_impossible(frames, int(best.argmin()))}")
        return path, best

    def predict_proba(self, sequence: ArrayLike) -> NDArray:
        """γ_t(i) = p(q_t = i | O) for one sequence, (T, N); rows sum to one.

        Source: TTIC 31110 slides (2020), "the decoding problem".
        """
        self._check_fitted()
        frames = self._read([sequence], "sequence")
        emissions = self._emissions(frames)
        found, gamma, _ = expectations(self.startprob_, self.transmat_, emissions, with_transitions=False)
        if found[0] == -np.inf:
            raise ValueError(self._why_impossible(frames, 0))
        return np.ascontiguousarray(gamma)

    # --------------------------------------------------------------------------------------- generating, durations

    def sample(self, length: int, rng: Rng = None) -> Sample:
        """Draw a Sample (observations, states (length,)) of `length` frames."""
        self._check_fitted()
        rng, p = validation.generator(rng), self.startprob_
        states = np.empty(validation.integer(length, "length"), dtype=np.int64)
        for t in range(length):
            states[t] = rng.choice(self.n_states, p=p / p.sum())
            p = self.transmat_[states[t]]
        return Sample(self._draw(states, rng), states)

    @property
    def mean_durations_(self):
        """(N,) mean number of frames in each state, 1/(1 − a_ii); inf for a state that is never left."""
        self._check_fitted()
        leave = 1 - np.diag(self.transmat_)
        return np.divide(1.0, leave, out=np.full(len(leave), np.inf), where=leave > 0)
