"""Explorers of hidden Markov models: the trellis filled cell by cell, and decoding against smoothing.

Lecture: 04.
"""

from itertools import product

import numpy as np

from course_lib import sequences as seq
from course_lib import validation
from course_lib.plots import hmm as plots
from course_lib.plots.shared import draw_numbers
from course_lib.widgets.explore import Explorer, choice, slider

WEATHER = {
    "startprob": (0.4, 0.3, 0.3),
    "transmat": ((0.8, 0.2, 0.0), (0.3, 0.4, 0.3), (0.0, 0.3, 0.7)),
    "emissionprob": ((0.9, 0.1), (0.5, 0.5), (0.2, 0.8)),
}
RECURSIONS = ("forward", "Viterbi", "backward")
TRELLIS_QUESTION = (
    "The friend is happy, happy, unhappy, happy. Which cell of the third day (unhappy) will hold the largest forward "
    "probability α?",
    ["Fair", "Cloudy", "Rainy"],
)


def explore_trellis(
    startprob=WEATHER["startprob"],
    transmat=WEATHER["transmat"],
    emissionprob=WEATHER["emissionprob"],
    observations="HHUH",
    states=("Fair", "Cloudy", "Rainy"),
    symbols="HU",
    predict=TRELLIS_QUESTION,
):
    """The trellis of a small model, filled cell by cell with its numbers: forward, Viterbi or backward.

    Parameters
    ----------
    startprob (N,), transmat (N, N), emissionprob (N, M) : the model; change them as you like
    observations : text of the symbols that are offered first; all others of its length can be chosen
    states : N names; symbols : M letters
    predict : (question, list of answers), asked before the controls unlock

    Raises
    ------
    ValueError
        For rows that do not sum to one, or observations that are no symbols.

    Lecture: 04, section 2.
    """
    model = seq.DiscreteHMM.from_parameters(startprob, transmat, emissionprob)
    names = validation.labels(states, "states", model.n_states, "states of transmat").tolist()
    if not isinstance(symbols, str) or len(symbols) != model.n_symbols:
        raise ValueError(f"symbols is {symbols!r}; {model.n_symbols} letters are needed, one for each symbol.")
    if not isinstance(observations, str) or not observations or set(observations) - set(symbols):
        raise ValueError(f"observations is {observations!r}; one or more of the symbols {symbols!r} are needed.")
    states = tuple(map(str, names))
    N, T = len(states), len(observations)
    cells = N * T

    def draw(figure, observed, recursion, filled):
        trellis = _Trellis(model, [symbols.index(o) for o in observed], states, observed)
        table, order = trellis.tables[recursion], trellis.order(recursion)
        shown = np.full((N, T), np.nan)
        for t, i in order[:filled]:
            shown[i, t] = table[t, i]
        current = order[filled - 1][::-1] if 0 < filled < cells else None
        path = trellis.path if recursion == "Viterbi" and filled == cells else None
        days = [f"{t + 1}: {o}" for t, o in enumerate(observed)]
        labels = "day and observation", "state"
        draw_numbers(
            shown, figure.add_subplot(), states, days, current, trellis.sources(recursion, current), path, labels
        )
        return trellis.sentence(recursion, None if filled == 0 else order[filled - 1], filled == cells)

    def advance(count):
        return lambda e: e.set(filled=min(cells, e.settings["filled"].value + count))

    full = {"observed": observations, "filled": cells}
    return Explorer(
        draw,
        predict=predict,
        cases={name: {**full, "recursion": name} for name in RECURSIONS},
        actions={"Next cell": advance(1), "Next day": advance(N)},
        figsize=(6.6, 3.0),
        observed=choice("observations", ["".join(o) for o in product(symbols, repeat=T)], observations),
        recursion=choice("recursion", RECURSIONS),
        filled=slider("cells filled", 0, cells, 0),
    )


class _Trellis:
    """The tables of one sequence, and the words for each of their cells."""

    def __init__(self, model, observations, states, letters):
        self.model, self.states, self.letters = model, states, letters
        self.b = model.emissionprob_[:, observations].T  # (T, N): b_j(o_t)
        alpha, delta, beta = seq.trellis(model.startprob_, model.transmat_, self.b)
        self.tables = {"forward": alpha, "Viterbi": delta, "backward": beta}
        self.possible = delta[-1].max() > 0
        self.path = None
        if self.possible:
            best = model.decode(observations).states
            self.path = np.column_stack([best, np.arange(len(best))])

    def order(self, recursion):
        """(t, i) of each cell, in the order of filling."""
        T, N = self.b.shape
        days = reversed(range(T)) if recursion == "backward" else range(T)
        return [(t, i) for t in days for i in range(N)]

    def _neighbour(self, recursion, t):
        other = t + 1 if recursion == "backward" else t - 1
        return other if 0 <= other < len(self.b) else None

    def sources(self, recursion, current):
        """Cells (state, time) that the current one is computed from."""
        if current is None or self._neighbour(recursion, current[1]) is None:
            return []
        return [(i, self._neighbour(recursion, current[1])) for i in range(len(self.states))]

    def sentence(self, recursion, cell, done):
        """What the last cell holds and why; or, at the end, what the whole table says."""
        if cell is None:
            return f"The trellis for {self.letters} is empty: one column a day, one row for each state."
        if done:
            return self._result(recursion)
        (t, i), table, A = cell, self.tables[recursion], self.model.transmat_
        name, other = {"forward": "α", "Viterbi": "δ", "backward": "β"}[recursion], self._neighbour(recursion, t)
        left = f"{name}_{t + 1}({self.states[i]})"
        if recursion == "backward":
            if other is None:
                return f"{left} = 1: nothing comes after the last day."
            terms = [f"{A[i, j]:g}·{self.b[other, j]:g}·{table[other, j]:.4g}" for j in range(len(A))]
            return f"{left} = {' + '.join(terms)} = {table[t, i]:.4g}: to each state, its mood, and all that follows."
        if other is None:
            return f"{left} = π·b = {self.model.startprob_[i]:g}·{self.b[t, i]:g} = {table[t, i]:.4g}."
        terms = [f"{table[other, j]:.4g}·{A[j, i]:g}" for j in range(len(A))]
        inside = f"max({', '.join(terms)})" if recursion == "Viterbi" else f"({' + '.join(terms)})"
        return f"{left} = {inside} · {self.b[t, i]:g} = {table[t, i]:.4g}."

    def _result(self, recursion):
        alpha, delta, beta = (self.tables[r] for r in RECURSIONS)
        if not self.possible:
            return f"{self.letters} is impossible under this model: the probability is 0."
        if recursion == "forward":
            return f"The last column adds up to P({self.letters}) = {alpha[-1].sum():.6f}."
        if recursion == "backward":
            total = self.model.startprob_ * self.b[0] @ beta[0]
            return f"π·b·β of the first day adds up to P({self.letters}) = {total:.6f}, as it must."
        names = ", ".join(self.states[i] for i in self.path[:, 0])
        return f"The best path for {self.letters} is {names}, with probability {delta[-1].max():.6f}."


HEARD = (0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0)


def explore_decoding():
    """Two states, AAABAAABBAAA heard with 80 % accuracy: which Bs are believed, by the best path and by each state?

    Lecture: 04, section 4.
    """

    def draw(figure, stay, rule):
        model = seq.DiscreteHMM.from_parameters(
            [0.5, 0.5], [[stay, 1 - stay], [1 - stay, stay]], [[0.8, 0.2], [0.2, 0.8]]
        )
        posterior = model.predict_proba(HEARD)[:, 1]
        found = model.decode(HEARD, by=rule)
        ax = figure.add_subplot()
        plots.draw_decoding(HEARD, posterior, found.states, ax)
        figure.subplots_adjust(right=0.8)
        letters = "".join("AB"[s] for s in found.states)
        return (
            f"Stay probability {stay:.2f}: {letters} has {np.count_nonzero(found.states)} B. For the lone B "
            f"p(state B) is {posterior[3]:.2f}, for each of the pair {posterior[7]:.2f}. "
            f"log p(states, observations) = {found.log_probability:.2f}."
        )

    return Explorer(
        draw,
        predict=(
            "A A A B A A A B B A A A was heard, and one symbol in five is heard wrongly. At which probability of "
            "staying in a state does the best path stop believing the lone B, and at which the pair BB?",
            [
                "both at the same",
                "the lone B first, at about 2/3",
                "the lone B first, at about 9/10",
                "the pair first",
            ],
        ),
        cases={
            "stay 0.50": {"stay": 0.5, "rule": "viterbi"},
            "stay 0.82, best path": {"stay": 0.82, "rule": "viterbi"},
            "stay 0.82, each state by itself": {"stay": 0.82, "rule": "posterior"},
        },
        figsize=(8, 2.8),
        stay=slider("probability to stay", 0.50, 0.95, 0.50, 0.01),
        rule=choice(
            "decode", {"the best path (Viterbi)": "viterbi", "the best state at each time": "posterior"}, "viterbi"
        ),
    )
