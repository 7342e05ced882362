"""Hidden Markov models: scoring, decoding and training, with symbols as observations.

Lecture: 03, section 6; 04, sections 1–7 and 10.
"""

import warnings
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from tqdm.auto import tqdm

from course_lib import validation
from course_lib.sequences.recursions import (
    Decoding,
    aligned,
    back_pointers,
    forward,
    log_chain,
    padded,
    padded_chain,
    posteriors,
)
from course_lib.settings import KW_ONLY, settings
from course_lib.threads import ONE_THREAD

MISSING = -1
BLOCK = 1024  # frames at a time in a matrix product: they stay in the processor's cache
TOPOLOGIES = ("ergodic", "left-to-right")


class Frames(NamedTuple):
    """Sequences one after the other; sequence s has the frames bounds[s] ≤ t < bounds[s + 1]."""

    values: np.ndarray
    bounds: np.ndarray


class Sample(NamedTuple):
    """What a model generated: observations and the states that they come from."""

    observations: np.ndarray
    states: np.ndarray


class Expectations(NamedTuple):
    """E-step of Baum–Welch: log p(O) of each sequence, Σ γ_1, Σ ξ, and what the emissions need."""

    log_likelihoods: np.ndarray
    starts: np.ndarray
    transitions: np.ndarray
    emissions: object


class ImpossibleSequenceWarning(UserWarning):
    """A sequence has probability 0 under the model."""


def left_to_right(n_states, stay=0.5, skip=0.0):
    """(N, N) transition matrix of a model that never goes back: stay, go on to the next state, or skip one.

    The last state is never left; the last but one cannot skip, and goes on instead.

    stay, skip : probabilities, stay + skip ≤ 1

    Source: Rabiner (1989), section IV.A.
    """
    n = validation.whole(n_states, "n_states")
    stay, skip = validation.share(stay, "stay"), validation.share(skip, "skip")
    if stay + skip > 1:
        raise ValueError(f"stay is {stay:g} and skip {skip:g}; two probabilities with a sum of at most 1 are needed.")
    A = stay * np.eye(n) + (1 - stay - skip) * np.eye(n, k=1) + skip * np.eye(n, k=2)
    if n > 1:
        A[-2, -1] += skip
    A[-1] = np.eye(n)[-1]
    return A


def reestimate(counts, previous, pseudocount=0.0):
    """Rows in proportion to the expected counts plus pseudo-counts: the M-step for probabilities.

    What was impossible stays impossible, so zeros fix a topology. A row without any counts stays as it was.

    Source: Rabiner (1989), eq. 40.
    """
    counts = np.where(previous > 0, counts + pseudocount, 0.0)
    total = counts.sum(axis=-1, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1.0), previous)


@settings
class HiddenMarkovModel(BaseEstimator):
    """What all hidden Markov models share; a subclass says how states emit observations.

    It has `_read` (checks sequences, returns Frames), `_log_emission` (Frames → (T, N) table log b_j(o_t)),
    `_start_emissions`, `_update_emissions`, `_log_prior_of_emissions` and `_draw`; for the E-step `_emissions`, that
    table with what it was made of, and `_emission_statistics`, which uses it again. Or it has its own `_expect`.
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
    rng: np.random.Generator | int | None = 0

    # -------------------------------------------------------------------------------------------------- scoring

    def _ready(self):
        """Nothing, if the model was fitted; ValueError if a parameter that a caller has set does not fit."""
        N = validation.whole(self.n_states, "n_states")
        validation.fitted(self, "startprob_", "transmat_")
        validation.probabilities(self.startprob_, "startprob_", (N,))
        validation.probabilities(self.transmat_, "transmat_", (N, N))

    def score(self, sequences):
        """log p(O_1, O_2, …) of all sequences together, a number: the sum of `score_samples`."""
        return float(self.score_samples(sequences).sum())

    def score_samples(self, sequences):
        """log p(O_s) of each sequence, (S,); −inf where the model cannot produce it.

        Warns: ImpossibleSequenceWarning, which names the first frame for which no state is left.

        Source: TTIC 31110 slides (2020), "the scoring problem".
        """
        self._ready()
        frames = self._read(sequences)
        log_likelihoods = self._score(frames)
        for s in np.flatnonzero(log_likelihoods == -np.inf):
            warnings.warn(self._why_impossible(frames, int(s)), ImpossibleSequenceWarning, stacklevel=2)
        return log_likelihoods

    def _score(self, frames):
        from course_lib.sequences._hmm_kernels import score_log

        log_likelihoods = np.empty(len(frames.bounds) - 1)
        score_log(*self._log_chain(), self._log_emission(frames), frames.bounds, log_likelihoods)
        return log_likelihoods

    def _log_chain(self):
        """log π and log A, −inf for 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.startprob_), np.log(self.transmat_)

    def _why_impossible(self, frames, s):
        """A sentence about the first frame at which α is 0 in all states."""
        from course_lib.sequences._hmm_kernels import forward_log

        log_emission = self._log_emission(frames)[frames.bounds[s] : frames.bounds[s + 1]]
        log_alpha = np.empty_like(log_emission)
        forward_log(*self._log_chain(), log_emission, log_alpha)
        t = int(np.flatnonzero((log_alpha == -np.inf).all(axis=1))[0])
        reason = (
            "no state can emit it" if (log_emission[t] == -np.inf).all() else "no state that can emit it is reachable"
        )
        return (
            f"sequences[{s}] has probability 0 under the model (log −inf): at frame {t} (counted from 0), observing "
            f"{frames.values[frames.bounds[s] + t]}, {reason}. Pseudo-counts in training keep probabilities above 0."
        )

    # ------------------------------------------------------------------------------------------------- decoding

    def decode(self, sequence, by="viterbi"):
        """The hidden states behind one sequence: (states, log probability), the other way round than in hmmlearn.

        A list of the k best paths is a task of homework 04.

        sequence : one observation sequence
        by : "viterbi", the most probable path, or "posterior", the most probable state at each time
            The second makes the fewest errors on average, but its states need not form a possible path.
        Returns Decoding (states (T,), log p(states, sequence)): for "posterior" this may be −inf.

        Source: TTIC 31110 slides (2020), "the decoding problem".
        """
        self._ready()
        validation.one_of(by, ("viterbi", "posterior"), "by")
        frames = self._read([sequence], "sequence")
        if by == "viterbi":
            states, log_probability = self._viterbi(frames)
            return Decoding(states, float(log_probability[0]))
        states = self.predict_proba(sequence).argmax(axis=1)
        log_startprob, log_transmat = self._log_chain()
        steps = log_startprob[states[0]] + log_transmat[states[:-1], states[1:]].sum()
        return Decoding(states, float(steps + self._log_emission(frames)[np.arange(len(states)), states].sum()))

    def predict(self, sequences):
        """List with the Viterbi path of each sequence."""
        self._ready()
        frames = self._read(sequences)
        path, _ = self._viterbi(frames)
        return [path[begin:end] for begin, end in pairwise(frames.bounds)]

    def _viterbi(self, frames):
        from course_lib.sequences._hmm_kernels import viterbi_each

        path, best = np.empty(len(frames.values), dtype=np.int64), np.empty(len(frames.bounds) - 1)
        log_table, rows = self._log_table(frames)
        chain, log_table = log_chain(self.startprob_, self.transmat_), padded(log_table)
        winners = back_pointers(np.diff(frames.bounds).max(), log_table.shape[1])
        viterbi_each(*chain, log_table, rows, frames.bounds, winners, path, best)
        if (best == -np.inf).any():
            raise ValueError(f"{self._why_impossible(frames, int(best.argmin()))} So no state sequence is the best.")
        return path, best

    def _log_table(self, frames):
        """(table, rows): frame t emits with log probabilities table[rows[t]]."""
        table = self._log_emission(frames)
        return table, np.arange(len(table))

    def predict_proba(self, sequence):
        """γ_t(i) = p(q_t = i | O) for one sequence, (T, N); rows sum to one.

        Source: TTIC 31110 slides (2020), "the decoding problem".
        """
        self._ready()
        frames = self._read([sequence], "sequence")
        try:
            return self._posteriors(frames)
        except ValueError:
            raise ValueError(self._why_impossible(frames, 0)) from None

    def _posteriors(self, frames):
        """γ of one sequence; ValueError if it is impossible."""
        return posteriors(self.startprob_, self.transmat_, self._log_emission(frames))

    # ------------------------------------------------------------------------------------------------- training

    @ONE_THREAD
    def fit(self, sequences, y=None):
        """Baum–Welch, which is EM, over all sequences from each start; the best is kept. y must be left out.

        If it fails or is interrupted, the model is what it was before. From hmmlearn's X and lengths, the list
        `sequences` is np.split(X, np.cumsum(lengths)[:-1]).

        Warns: ConvergenceWarning where max_iter rounds did not suffice.

        Source: TTIC 31110 slides (2020), "the training problem".
        """
        of_hmmlearn = "for hmmlearn's X and lengths, give np.split(X, np.cumsum(lengths)[:-1])"
        validation.unused(y, "y", f"a model of sequences takes no labels; {of_hmmlearn}")
        before = self._learnt()
        try:
            return self._fit(sequences)
        except BaseException:
            self._learnt_is(before)
            raise

    def _fit(self, sequences):
        self._check()
        self._learnt_is({})
        frames = self._read(sequences)
        rng = validation.generator(self.rng)
        runs = []
        for _ in tqdm(range(self.n_init), disable=not self.progress, desc="starts"):
            self._start(frames, rng)
            runs.append((self._em(frames), self._learnt()))
        (trace, converged), best = max(runs, key=lambda run: run[0][0][-1])
        self._learnt_is(best)
        self.trace_, self.converged_ = trace, converged
        self.n_iter_ = len(self.trace_) - 1
        if not self.converged_:
            warnings.warn(
                f"Baum–Welch did not converge in {self.max_iter} rounds: the last gained "
                f"{self.trace_[-1] - self.trace_[-2]:.3g}. Raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=4,
            )
        self._warn_of_emissions(frames, stacklevel=5)
        return self

    def _check(self):
        for name in ("n_states", "n_init", "max_iter"):
            validation.whole(getattr(self, name), name)
        validation.not_negative(self.tol, "tol")
        validation.one_of(self.topology, TOPOLOGIES, "topology")
        validation.flag(self.progress, "progress")
        for name in ("transition_pseudocount", "emission_pseudocount"):
            validation.not_negative(getattr(self, name, 0.0), name)

    def _warn_of_emissions(self, frames, stacklevel):
        """What there is to say of trained emissions."""

    def _learnt(self):
        return {name: value for name, value in vars(self).items() if name.endswith("_") and not name.startswith("_")}

    def _learnt_is(self, values):
        for name in self._learnt():
            delattr(self, name)
        vars(self).update(values)

    def _start(self, frames, rng):
        """π and A by the topology, or as given; then the emissions."""
        N = self.n_states
        if self.topology == "left-to-right":
            leave = min(0.5, N * (len(frames.bounds) - 1) / len(frames.values))
            startprob, transmat = np.eye(N)[0], left_to_right(N, stay=1 - leave)
        else:
            startprob, transmat = np.full(N, 1 / N), rng.dirichlet(np.full(N, 5.0), size=N)
        startprob = startprob if self.startprob is None else self.startprob
        transmat = transmat if self.transmat is None else self.transmat
        self.startprob_ = validation.probabilities(startprob, "startprob", (N,))
        self.transmat_ = validation.probabilities(transmat, "transmat", (N, N))
        self._start_emissions(frames, rng)

    def _segments(self, frames):
        """(T,) state of each frame if every sequence is cut into N parts of equal length."""
        lengths = np.diff(frames.bounds)
        within = np.arange(len(frames.values)) - np.repeat(frames.bounds[:-1], lengths)
        return within * self.n_states // np.repeat(lengths, lengths)

    def _em(self, frames):
        """SCORE, CHECK, UPDATE until the objective stops growing: (trace, converged)."""
        trace, space = [], self._space(frames)
        rounds = tqdm(range(self.max_iter), disable=not self.progress, desc="Baum–Welch", leave=False)
        for _ in rounds:
            expected = self._expect(frames, space)
            trace.append(self._objective(frames, expected.log_likelihoods))
            rounds.set_postfix(objective=f"{trace[-1]:.6g}")
            if len(trace) > 1 and trace[-1] - trace[-2] <= self.tol * len(frames.values):
                return np.array(trace), True
            self.startprob_ = reestimate(expected.starts, self.startprob_, self.transition_pseudocount)
            self.transmat_ = reestimate(expected.transitions, self.transmat_, self.transition_pseudocount)
            self._update_emissions(expected.emissions)
        trace.append(self._objective(frames, self._score(frames)))
        return np.array(trace), trace[-1] - trace[-2] <= self.tol * len(frames.values)

    def _objective(self, frames, log_likelihoods):
        if (log_likelihoods == -np.inf).any():
            raise ValueError(self._why_impossible(frames, int(log_likelihoods.argmin())))
        return float(log_likelihoods.sum()) + self._log_prior()

    def _space(self, frames):
        """Memory for an E-step, to be used again in each round."""
        return np.empty((len(frames.values), self.n_states))

    def _expect(self, frames, gamma):
        """E-step in log space, for any emissions; γ is written to the memory given."""
        from course_lib.sequences._hmm_kernels import expect_log

        bounds, transitions = frames.bounds, np.zeros((self.n_states, self.n_states))
        log_emission, parts = self._emissions(frames)
        log_likelihoods = np.empty(len(bounds) - 1)
        expect_log(*self._log_chain(), log_emission, bounds, gamma, transitions, log_likelihoods)
        starts = gamma[bounds[:-1]].sum(axis=0)
        return Expectations(log_likelihoods, starts, transitions, self._emission_statistics(frames, gamma, parts))

    def _log_prior(self):
        chain = log_dirichlet(self.startprob_, self.transition_pseudocount)
        return chain + log_dirichlet(self.transmat_, self.transition_pseudocount) + self._log_prior_of_emissions()

    # --------------------------------------------------------------------------------------- generating, durations

    def sample(self, length, rng=None):
        """Sample (observations, states (length,)) of so many frames."""
        self._ready()
        rng, p = validation.generator(rng), self.startprob_
        states = np.empty(validation.whole(length, "length"), dtype=np.int64)
        for t in range(length):
            states[t] = rng.choice(self.n_states, p=p / p.sum())
            p = self.transmat_[states[t]]
        return Sample(self._draw(states, rng), states)

    @property
    def mean_durations_(self):
        """(N,) mean number of frames in each state, 1/(1 − a_ii); inf for a state that is never left."""
        self._ready()
        leave = 1 - np.diag(self.transmat_)
        return np.divide(1.0, leave, out=np.full(len(leave), np.inf), where=leave > 0)


def log_dirichlet(rows, pseudocount):
    """Σ pseudocount · log p over the entries that are not fixed at 0: log Dirichlet density up to a constant."""
    return pseudocount * float(np.log(rows[rows > 0]).sum()) if pseudocount else 0.0


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
    """

    n_symbols: int
    _: KW_ONLY
    emissionprob: np.ndarray | None = None
    emission_pseudocount: float = 0.0
    tol: float = 1e-5

    @classmethod
    def from_parameters(cls, startprob, transmat, emissionprob):
        """A model whose probabilities are known, ready to score and decode."""
        B = validation.real_array(emissionprob, "emissionprob")
        if B.ndim != 2:
            raise ValueError(f"emissionprob has shape {B.shape}; (N, M) is needed: states by symbols.")
        N, M = len(validation.square(transmat, "transmat")), B.shape[1]
        model = cls(N, M, startprob=startprob, transmat=transmat, emissionprob=emissionprob)
        model.transmat_ = validation.probabilities(transmat, "transmat", (N, N))
        model.startprob_ = validation.probabilities(startprob, "startprob", (N,))
        model.emissionprob_ = validation.probabilities(B, "emissionprob", (N, M))
        return model

    # ------------------------------------------------------------------------------------------ what a state emits

    def _ready(self):
        super()._ready()
        validation.fitted(self, "emissionprob_")
        validation.probabilities(self.emissionprob_, "emissionprob_", (self.n_states, self.n_symbols))

    def _read(self, sequences, name="sequences[{s}]"):
        validation.whole(self.n_symbols, "n_symbols")
        if isinstance(sequences, np.ndarray) and sequences.ndim == 2 and sequences.shape[1] > 1:
            if len(sequences) > 1 and _is_one_hot(sequences, self.n_symbols):
                rows, M = sequences.shape
                raise ValueError(
                    f"sequences of shape {sequences.shape} look like one-hot rows of {M} symbols, and a sequence is "
                    f"(T,) symbols: give [sequences.argmax(1)]. If they are {rows} sequences of length {M}, give "
                    "list(sequences)."
                )
            sequences = list(sequences)  # (S, T): as many sequences of T symbols, where (T, 1) is hmmlearn's one
        return read_symbols(validation.listed(sequences, "sequences"), self.n_symbols, name)

    def _log_emission(self, frames):
        with np.errstate(divide="ignore"):
            return np.log(self._table())[frames.values]

    def _log_table(self, frames):
        with np.errstate(divide="ignore"):
            return np.log(self._table()), frames.values

    def _table(self):
        """(M + 1, N): b_j(v) by symbol, and a last row of ones, which −1 (missing) picks."""
        return np.vstack([self.emissionprob_.T, np.ones(self.n_states)])

    def _scaled_tables(self, frames):
        """π, A and the table as the scaled recursions want them; which row of the table each frame uses."""
        return *padded_chain(self.startprob_, self.transmat_), padded(self._table()), frames.values

    def _score(self, frames):
        from course_lib.sequences._hmm_kernels import score_scaled

        log_likelihoods = np.full(len(frames.bounds) - 1, np.nan)
        if self._no_faint_probabilities():
            score_scaled(*self._scaled_tables(frames), frames.bounds, self._careful(), log_likelihoods)
        for s in np.flatnonzero(np.isnan(log_likelihoods)):
            log_likelihoods[s], _ = forward(self.startprob_, self.transmat_, self._log_emission(_only(frames, s)))
        return log_likelihoods

    def _careful(self):
        return bool((self.transmat_ == 0).any())

    def _no_faint_probabilities(self):
        """Whether a single step can not underflow: then the scaled recursions notice in time what they would lose."""
        return all(part[part > 0].min() > 1e-50 for part in (self.startprob_, self.transmat_, self.emissionprob_))

    def _posteriors(self, frames):
        """With scaled probabilities where they lose no state: faster than logarithms, and no digits go with T."""
        from course_lib.sequences._hmm_kernels import posteriors_scaled

        if self._no_faint_probabilities():
            tables = self._scaled_tables(frames)
            gamma = aligned((len(frames.values), len(tables[0])))
            if posteriors_scaled(*tables, self._careful(), gamma) == len(gamma):
                return np.ascontiguousarray(gamma[:, : self.n_states])
        return super()._posteriors(frames)

    def _space(self, frames):
        return aligned((2, len(frames.values), len(padded(self.startprob_))))

    def _expect(self, frames, space):
        """E-step with scaled probabilities: faster than logarithms, and the same numbers."""
        from course_lib.sequences._hmm_kernels import expect_scaled

        N, tables, (alpha, ahead) = self.n_states, self._scaled_tables(frames), space
        starts, counts = np.zeros_like(tables[0]), np.zeros_like(tables[2])
        log_likelihoods = np.full(len(frames.bounds) - 1, np.nan)
        if self._no_faint_probabilities():
            expect_scaled(*tables, frames.bounds, self._careful(), alpha, ahead, starts, counts, log_likelihoods)
        else:
            alpha[:] = ahead[:] = 0.0
        transitions = np.zeros((len(starts), len(starts)))
        for t in range(0, len(alpha) - 1, BLOCK):
            after = ahead[t + 1 : t + 1 + BLOCK]
            transitions += alpha[t : t + len(after)].T @ after
        starts, transitions, counts = starts[:N], self.transmat_ * transitions[:N, :N], counts[:, :N]
        for s in np.flatnonzero(np.isnan(log_likelihoods)):
            log_likelihoods[s] = self._expect_in_logarithms(_only(frames, s), starts, transitions, counts)
        return Expectations(log_likelihoods, starts, transitions, counts[:-1].T)

    def _expect_in_logarithms(self, frames, starts, transitions, counts):
        """The E-step of one sequence, added to the counts; returns log p(O)."""
        from course_lib.sequences._hmm_kernels import expect_log

        gamma, log_likelihood = np.empty((len(frames.values), self.n_states)), np.empty(1)
        expect_log(*self._log_chain(), self._log_emission(frames), frames.bounds, gamma, transitions, log_likelihood)
        starts += gamma[0]
        np.add.at(counts, frames.values, gamma)
        return log_likelihood[0]

    def _start_emissions(self, frames, rng):
        N, M = self.n_states, self.n_symbols
        if self.emissionprob is not None:
            self.emissionprob_ = validation.probabilities(self.emissionprob, "emissionprob", (N, M))
        elif self.topology == "left-to-right":
            counts, seen = np.full((N, M), 1.0), frames.values != MISSING
            np.add.at(counts, (self._segments(frames)[seen], frames.values[seen]), 1)
            self.emissionprob_ = counts / counts.sum(axis=1, keepdims=True)
        else:
            self.emissionprob_ = rng.dirichlet(np.ones(M), size=N)

    def _update_emissions(self, counts):
        self.emissionprob_ = reestimate(counts, self.emissionprob_, self.emission_pseudocount)

    def _log_prior_of_emissions(self):
        return log_dirichlet(self.emissionprob_, self.emission_pseudocount)

    def _draw(self, states, rng):
        drawn = np.empty(len(states), dtype=np.int64)
        for i in np.unique(states):
            here = states == i
            drawn[here] = rng.choice(self.n_symbols, size=here.sum(), p=self.emissionprob_[i])
        return drawn


def _only(frames, s):
    """Frames of sequence s alone."""
    values = frames.values[frames.bounds[s] : frames.bounds[s + 1]]
    return Frames(values, np.array([0, len(values)]))


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
        values = np.where(np.isnan(values), MISSING, values)
    wrong = (values < MISSING) | (values >= n_symbols)
    wrong |= values != np.floor(values) if values.dtype.kind == "f" else False
    if wrong.any():
        first = int(wrong.argmax())
        s = int(np.searchsorted(bounds, first, side="right")) - 1
        raise ValueError(
            f"{name.format(s=s)}[{first - bounds[s]}] is {values[first]}, which is no symbol: the alphabet is "
            f"0 … {n_symbols - 1}, and −1 for a missing observation."
        )
    return Frames(values.astype(np.int64, copy=False), bounds)
