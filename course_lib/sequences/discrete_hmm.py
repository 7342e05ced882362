"""Hidden Markov models whose states emit symbols.

Lecture: 03, section 6; 04, sections 1–6 and 10.
"""

from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from course_lib import validation
from course_lib.sequences import checks
from course_lib.sequences.baum_welch import log_dirichlet, reestimate
from course_lib.sequences.hmm import Frames, HiddenMarkovModel
from course_lib.sequences.recursions import Emissions
from course_lib.settings import KW_ONLY, settings

MISSING_SYMBOL = -1


@settings
class DiscreteHMM(HiddenMarkovModel):
    """A hidden Markov model λ = {A, B, π} whose states emit one of M symbols, 0 … M − 1.

    Parameters
    ----------
    n_states : int, N; n_symbols : int, M
    topology : "ergodic" (any state may follow any) or "left-to-right" (starts in state 0, never goes back)
    startprob (N,), transmat (N, N), emissionprob (N, M) : where Baum–Welch starts; None chooses by the topology.
        Zeros stay zeros.
    transition_pseudocount, emission_pseudocount : added to each expected count that is not fixed at 0 (MAP with a
        Dirichlet prior); the first also to that of the start
    tol : training stops when the objective grows by no more than this for each frame; 0: when it does not grow at all
    max_iter, n_init : rounds of training; starts, of which the best is kept (they differ where they are random)
    progress : bool, show a progress bar;  rng : seed or numpy Generator

    Attributes
    ----------
    startprob_ (N,) π, transmat_ (N, N) A with row = from, emissionprob_ (N, M) B
    trace_ : log likelihood of the training data, plus the log prior (up to a constant) if there are pseudo-counts,
        before each M-step and at the end; it never falls
    n_iter_ : int; converged_ : bool

    Observations are lists or arrays of whole numbers. A missing one is −1 (or NaN): every state explains it equally
    well.

    Source: TTIC 31110 slides (2020), "Elements of a (discrete) HMM"; Rabiner (1989).

    >>> from course_lib.sequences import DiscreteHMM
    >>> model = DiscreteHMM.from_parameters([0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]], [[0.9, 0.1], [0.2, 0.8]])
    >>> model.decode([0, 0, 1]).states
    array([0, 0, 1])
    >>> round(model.score([[0, 0, 1]]), 2)
    -1.99
    """

    n_symbols: int
    _: KW_ONLY
    emissionprob: np.ndarray | None = None
    emission_pseudocount: float = 0.0
    tol: float = 1e-5

    @classmethod
    def from_parameters(cls, startprob: ArrayLike, transmat: ArrayLike, emissionprob: ArrayLike) -> Self:
        """A model whose probabilities are known, ready to score and decode."""
        B = validation.real_array(emissionprob, "emissionprob")
        if B.ndim != 2:
            raise ValueError(f"emissionprob has shape {B.shape}; (N, M) is needed: states by symbols.")
        N, M = len(validation.square(transmat, "transmat")), B.shape[1]
        model = cls(N, M, startprob=startprob, transmat=transmat, emissionprob=emissionprob)
        model.transmat_ = checks.probabilities(transmat, "transmat", (N, N))
        model.startprob_ = checks.probabilities(startprob, "startprob", (N,))
        model.emissionprob_ = checks.probabilities(B, "emissionprob", (N, M))
        return model

    # ------------------------------------------------------------------------------------------ what a state emits

    def _check_fitted(self):
        super()._check_fitted()
        validation.fitted(self, "emissionprob_")
        checks.probabilities(self.emissionprob_, "emissionprob_", (self.n_states, self.n_symbols))

    def _read(self, sequences, name="sequences[{s}]"):
        validation.integer(self.n_symbols, "n_symbols")
        if isinstance(sequences, np.ndarray) and sequences.ndim == 2 and sequences.shape[1] > 1:
            if len(sequences) > 1 and _is_one_hot(sequences, self.n_symbols):
                rows, M = sequences.shape
                raise ValueError(
                    f"sequences of shape {sequences.shape} look like one-hot rows of {M} symbols, and a sequence is "
                    f"(T,) symbols: give [sequences.argmax(1)]. If they are {rows} sequences of length {M}, give "
                    "list(sequences)."
                )
            sequences = list(sequences)  # (S, T): as many sequences of T symbols, where (T, 1) is hmmlearn's one
        return read_symbols(checks.listed(sequences, "sequences"), self.n_symbols, name)

    def _emissions(self, frames):
        """b_j(v) by symbol, and a last row of ones, which −1 (missing) picks."""
        table = np.vstack([self.emissionprob_.T, np.ones(self.n_states)])
        with np.errstate(divide="ignore"):
            return Emissions(np.log(table), frames.values, frames.bounds, table)

    def _start_emissions(self, frames, rng):
        N, M = self.n_states, self.n_symbols
        if self.emissionprob is not None:
            self.emissionprob_ = checks.probabilities(self.emissionprob, "emissionprob", (N, M))
        elif self.topology == "left-to-right":
            counts, seen = np.full((N, M), 1.0), frames.values != MISSING_SYMBOL
            np.add.at(counts, (self._segments(frames)[seen], frames.values[seen]), 1)
            self.emissionprob_ = counts / counts.sum(axis=1, keepdims=True)
        else:
            self.emissionprob_ = rng.dirichlet(np.ones(M), size=N)

    def _update_emissions(self, frames, gamma, _):
        from course_lib.sequences._hmm_kernels import add_by_symbol

        counts = np.zeros((self.n_symbols + 1, self.n_states))
        add_by_symbol(np.ascontiguousarray(gamma), frames.values, counts)
        self.emissionprob_ = reestimate(counts[:-1].T, self.emissionprob_, self.emission_pseudocount)

    def _log_prior_of_emissions(self):
        return log_dirichlet(self.emissionprob_, self.emission_pseudocount)

    def _draw(self, states, rng):
        drawn = np.empty(len(states), dtype=np.int64)
        for i in np.unique(states):
            here = states == i
            drawn[here] = rng.choice(self.n_symbols, size=here.sum(), p=self.emissionprob_[i])
        return drawn


def _is_one_hot(rows, n_symbols):
    """Whether an array has one column for each of several symbols, with a single 1 in each row."""
    if rows.ndim != 2 or rows.shape[1] != n_symbols or n_symbols < 2 or rows.dtype.kind not in "biuf":
        return False
    return bool(np.isin(rows, (0, 1)).all() and (rows.sum(axis=1) == 1).all())


def read_symbols(sequences, n_symbols, name="sequences[{s}]"):
    """Frames of whole numbers from 0 to n_symbols − 1, and −1 where an observation is missing (−1 or NaN).

    name : what an error calls sequence s
    """
    each = [validation.array(one, name.format(s=s)) for s, one in enumerate(sequences)]
    for s, one in enumerate(each):
        if one.ndim != 1 or one.size == 0 or one.dtype.kind not in "iuf":
            called = name.format(s=s)
            one_hot = f" Of one-hot rows, give {called}.argmax(1)." if _is_one_hot(one, n_symbols) else ""
            raise ValueError(
                f"{called} has shape {one.shape} and dtype {one.dtype}; a sequence is (T,) symbols, "
                f"whole numbers from 0 on.{one_hot}"
            )
    values = each[0] if len(each) == 1 else np.concatenate(each)
    bounds = np.cumsum([0, *map(len, each)])
    if values.dtype.kind == "f":
        values = np.where(np.isnan(values), MISSING_SYMBOL, values)
    wrong = (values < MISSING_SYMBOL) | (values >= n_symbols)
    wrong |= values != np.floor(values) if values.dtype.kind == "f" else False
    if wrong.any():
        first = int(wrong.argmax())
        s = int(np.searchsorted(bounds, first, side="right")) - 1
        raise ValueError(
            f"{name.format(s=s)}[{first - bounds[s]}] is {values[first]}, which is no symbol: the alphabet is "
            f"0 … {n_symbols - 1}, and −1 for a missing observation."
        )
    return Frames(values.astype(np.int64, copy=False), bounds)
