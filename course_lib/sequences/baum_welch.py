"""Training of hidden Markov models: Baum–Welch, which is EM, and the topologies in which it starts.

Lecture: 04, sections 6, 7 and 10.
"""

import warnings
from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import ConvergenceWarning
from tqdm.auto import tqdm

from course_lib import validation
from course_lib.sequences import checks
from course_lib.sequences.recursions import aligned, expectations, log_likelihoods
from course_lib.threads import ONE_THREAD

HMM_TOPOLOGIES = ("ergodic", "left-to-right")


def reestimate(counts, previous, pseudocount=0.0):
    """Rows in proportion to the expected counts plus pseudo-counts: the M-step for probabilities.

    What was impossible stays impossible, so zeros fix a topology. A row without any counts stays as it was.

    Source: Rabiner (1989), eq. 40.
    """
    counts = np.where(previous > 0, counts + pseudocount, 0.0)
    total = counts.sum(axis=-1, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1.0), previous)


def left_to_right(n_states: int, stay: float = 0.5, skip: float = 0.0) -> NDArray:
    """(N, N) transition matrix of a model that never goes back: stay, go on to the next state, or skip one.

    The last state is never left; the last but one cannot skip, and goes on instead.

    stay, skip : probabilities, stay + skip ≤ 1

    Source: Rabiner (1989), section IV.A.
    """
    n = validation.integer(n_states, "n_states")
    stay, skip = validation.fraction(stay, "stay"), validation.fraction(skip, "skip")
    if stay + skip > 1:
        raise ValueError(f"stay is {stay:g} and skip {skip:g}; two probabilities with a sum of at most 1 are needed.")
    A = stay * np.eye(n) + (1 - stay - skip) * np.eye(n, k=1) + skip * np.eye(n, k=2)
    if n > 1:
        A[-2, -1] += skip
    A[-1] = np.eye(n)[-1]
    return A


class BaumWelch:
    """Training, for a `HiddenMarkovModel`, whose settings and parameters it uses."""

    @ONE_THREAD
    def fit(self, sequences: Sequence[ArrayLike], y: object = None) -> Self:
        """Train by Baum–Welch (EM) on all sequences from each start, and keep the best. y must be left out.

        If training fails or is interrupted, the model stays as it was. From hmmlearn's X and lengths, the list
        `sequences` is np.split(X, np.cumsum(lengths)[:-1]).

        Warns: ConvergenceWarning if max_iter rounds were not enough.

        Source: TTIC 31110 slides (2020), "the training problem".
        """
        of_hmmlearn = "for hmmlearn's X and lengths, give np.split(X, np.cumsum(lengths)[:-1])"
        validation.unused(y, "y", f"a model of sequences takes no labels; {of_hmmlearn}")
        before = self._parameters()
        try:
            return self._fit(sequences)
        except BaseException:
            self._restore(before)
            raise

    def _fit(self, sequences):
        self._check()
        self._restore({})
        frames = self._read(sequences)
        rng = validation.generator(self.rng)
        runs = []
        for _ in tqdm(range(self.n_init), disable=not self.progress, desc="starts"):
            self._start(frames, rng)
            runs.append((self._em(frames), self._parameters()))
        (trace, converged), best = max(runs, key=lambda run: run[0][0][-1])
        self._restore(best)
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
            validation.integer(getattr(self, name), name)
        validation.not_negative(self.tol, "tol")
        validation.one_of(self.topology, HMM_TOPOLOGIES, "topology")
        validation.flag(self.progress, "progress")
        for name in ("transition_pseudocount", "emission_pseudocount"):
            validation.not_negative(getattr(self, name, 0.0), name)

    def _warn_of_emissions(self, frames, stacklevel):
        """Warnings about trained emissions; none by default."""

    def _parameters(self):
        return {name: value for name, value in vars(self).items() if name.endswith("_") and not name.startswith("_")}

    def _restore(self, values):
        for name in self._parameters():
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
        self.startprob_ = checks.probabilities(startprob, "startprob", (N,))
        self.transmat_ = checks.probabilities(transmat, "transmat", (N, N))
        self._start_emissions(frames, rng)

    def _segments(self, frames):
        """(T,) state of each frame if every sequence is cut into N parts of equal length."""
        lengths = np.diff(frames.bounds)
        within = np.arange(len(frames.values)) - np.repeat(frames.bounds[:-1], lengths)
        return within * self.n_states // np.repeat(lengths, lengths)

    def _em(self, frames):
        """SCORE, CHECK, UPDATE until the objective stops growing: (trace, converged)."""
        trace, least_gain = [], self.tol * len(frames.values)
        room = aligned((len(frames.values), self.n_states + -self.n_states % 4))
        rounds = tqdm(range(self.max_iter), disable=not self.progress, desc="Baum–Welch", leave=False)
        for _ in rounds:
            emissions = self._emissions(frames)
            scores, gamma, transitions = expectations(self.startprob_, self.transmat_, emissions, room)  # SCORE
            trace.append(self._objective(frames, scores))
            rounds.set_postfix(objective=f"{trace[-1]:.6g}")
            if len(trace) > 1 and trace[-1] - trace[-2] <= least_gain:  # CHECK
                return np.array(trace), True
            starts = gamma[frames.bounds[:-1]].sum(axis=0)  # UPDATE
            self.startprob_ = reestimate(starts, self.startprob_, self.transition_pseudocount)
            self.transmat_ = reestimate(transitions, self.transmat_, self.transition_pseudocount)
            self._update_emissions(frames, gamma, emissions)
        scores = log_likelihoods(self.startprob_, self.transmat_, self._emissions(frames))
        trace.append(self._objective(frames, scores))
        return np.array(trace), trace[-1] - trace[-2] <= least_gain

    def _objective(self, frames, log_likelihoods):
        if (log_likelihoods == -np.inf).any():
            raise ValueError(self._why_impossible(frames, int(log_likelihoods.argmin())))
        return float(log_likelihoods.sum()) + self._log_prior()

    def _log_prior(self):
        chain = log_dirichlet(self.startprob_, self.transition_pseudocount)
        return chain + log_dirichlet(self.transmat_, self.transition_pseudocount) + self._log_prior_of_emissions()


def log_dirichlet(rows, pseudocount):
    """Σ pseudocount · log p over the entries that are not fixed at 0: log Dirichlet density up to a constant."""
    return pseudocount * float(np.log(rows[rows > 0]).sum()) if pseudocount else 0.0
