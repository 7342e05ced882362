"""Explorers of hidden Markov models, and checks by hand: trellis, decoding, training, one's own digit.

Lecture: 04, sections 2, 4, 6, 8 and 11.
"""

import re
from functools import cache, lru_cache
from itertools import product

import numpy as np

from course_lessons.hmm import own, plots, weather
from course_lessons.hmm.connected import ConnectedWords
from course_lessons.hmm.weather import STATES, WEATHER
from course_lessons.hmm.word_errors import word_errors
from course_lib import audio, selection, validation
from course_lib import sequences as seq
from course_lib.sequences.discrete_hmm import read_symbols
from course_lib.sequences.hmm import plain_viterbi
from course_widgets.controls import choice, slider, switch
from course_widgets.drawings import draw_numbers, draw_signal
from course_widgets.frame import Explorer, PredictionFeedback, increment_by
from course_widgets.microphone import Recording, RecordingExplorer
from course_widgets.replies import likeness
from course_widgets.whispers import ROW, whispered

RECURSIONS = ("forward", "Viterbi", "backward")
TRELLIS_QUESTION = (
    "The friend is happy, happy, unhappy, happy. Which cell of the third day (unhappy) will hold the largest forward "
    "probability α?",
    list(STATES),
)
TRELLIS_DECIMALS = (
    15  # decimals of a trellis: what is equal on paper is printed alike, whatever order it was computed in
)
TRELLIS_SENTENCES = {
    "empty": "The trellis for {letters} is empty: one column a day, one row for each state.",
    "cell": "{name}_{day}({state})",
    "end": "{left} = 1: nothing comes after the last day.",
    "begin": "{left} = π·b = {pi:g}·{b:g} = {value:.4g}.",
    "way": "{value:.4g}·{a:g}",
    "way back": "{a:g}·{b:g}·{value:.4g}",
    "forward": "{left} = ({sum}) · {b:g} = {value:.4g}.",
    "Viterbi": "{left} = max({list}) · {b:g} = {value:.4g}.",
    "backward": "{left} = {sum} = {value:.4g}: to each state, its mood, and all that follows.",
    "impossible": "{letters} is impossible under this model: the probability is 0.",
    "all forward": "The last column adds up to P({letters}) = {total:.6f}.",
    "all Viterbi": "The best path for {letters} is {names}, with probability {total:.6f}.",
    "all backward": "π·b·β of the first day adds up to P({letters}) = {total:.6f}, as it must.",
}

CALLS, CALLS_SEED = 12, 5


def explore_weather():
    """What a friend's moods say about the weather: of the days that were heard, and of those to come."""
    model = seq.DiscreteHMM.from_parameters(**WEATHER)
    made = model.sample(CALLS, rng=CALLS_SEED)
    known = [np.where(np.arange(CALLS) < heard, made.observations, -1) for heard in range(CALLS + 1)]
    beliefs = [model.predict_proba(moods) for moods in known]

    def draw(figure, heard, shown):
        belief, moods = beliefs[heard], ["HU"[mood] for mood in made.observations[:heard]]
        plots.draw_weather_belief(belief, moods, STATES, figure.add_subplot(), made.states if shown else None)
        figure.subplots_adjust(right=0.76)
        right = np.count_nonzero(belief.argmax(axis=1) == made.states)
        return _calls_sentence(belief, heard) + f" On {right} days the likeliest weather is the true one." * shown

    return Explorer(
        draw, figsize=(7, 2.8), heard=slider("days heard", 0, CALLS, 5), shown=switch("show the weather it was")
    )


def _calls_sentence(belief, heard):
    """What is believed of the last day that was heard, and of the last one of all."""
    day = max(heard, 1)
    fair, cloudy, rainy = belief[day - 1]
    return (
        f"The friend has called on {heard} of {CALLS} days. Day {day} is fair with probability {fair:.2f}, cloudy "
        f"with {cloudy:.2f} and rainy with {rainy:.2f}. Day {CALLS} is rainy with probability {belief[-1, 2]:.2f}."
    )


def explore_trellis(
    startprob=WEATHER["startprob"],
    transmat=WEATHER["transmat"],
    emissionprob=WEATHER["emissionprob"],
    observations="HHUH",
    states=STATES,
    symbols="HU",
):
    """The trellis of a small model, filled cell by cell with its numbers: forward, Viterbi or backward.

    What is asked first is about the lecture's observations, and fits no others.

    startprob (N,), transmat (N, N), emissionprob (N, M) : the model; change them as you like
    observations : text of the symbols that are offered first; all others of its length can be chosen
    """
    model = seq.DiscreteHMM.from_parameters(startprob, transmat, emissionprob)
    names = selection.labels(states, "states", model.n_states, "states of transmat").tolist()
    if not isinstance(symbols, str) or len(symbols) != model.n_symbols:
        raise ValueError(f"symbols is {symbols!r}; {model.n_symbols} letters are needed, one for each symbol.")
    if not isinstance(observations, str) or not observations or set(observations) - set(symbols):
        raise ValueError(f"observations is {observations!r}; one or more of the symbols {symbols!r} are needed.")
    states = tuple(map(str, names))
    N, T = len(states), len(observations)
    cells = N * T

    def draw(figure, **shown):
        return draw_trellis(figure, model, states, symbols, **shown)

    feedback = _feedback_of_third_day(model, observations, states, symbols)
    full = {"observed": observations, "filled": cells}
    return Explorer(
        draw,
        predict=TRELLIS_QUESTION if feedback else None,
        feedback=feedback,
        cases={name: {**full, "recursion": name} for name in RECURSIONS},
        actions={"Next cell": increment_by("filled"), "Next day": increment_by("filled", N)},
        figsize=(6.6, 3.0),
        observed=choice("observations", ["".join(o) for o in product(symbols, repeat=T)], observations),
        recursion=choice("recursion", RECURSIONS),
        filled=slider("cells filled", 0, cells, 0),
    )


def draw_trellis(figure, model, states, symbols, observed, recursion, filled):
    """The trellis of a model for the letters observed, with so many cells filled; returns what the last one says."""
    trellis = _Trellis(model, [symbols.index(o) for o in observed], states, observed)
    table, order = trellis.tables[recursion], trellis.order(recursion)
    shown, cells = np.full(table.T.shape, np.nan), table.size
    for t, i in order[:filled]:
        shown[i, t] = table[t, i]
    current = order[filled - 1][::-1] if 0 < filled < cells else None
    path = trellis.path if recursion == "Viterbi" and filled == cells else None
    days = [f"{t + 1}: {o}" for t, o in enumerate(observed)]
    labels, sources = ("day and observation", "state"), trellis.sources(recursion, current)
    ax = draw_numbers(shown, figure.add_subplot(), states, days, current, sources, path, labels)
    plots.draw_steps(model.transmat_, len(days), ax)
    return trellis.sentence(recursion, None if filled == 0 else order[filled - 1], filled == cells)


def _feedback_of_third_day(model, observations, states, symbols):
    """What the question about the third day is feedback under this model; None where it does not fit the model."""
    if observations != "HHUH" or symbols != "HU" or set(states) != set(TRELLIS_QUESTION[1]):
        return None
    alpha = _Trellis(model, [symbols.index(o) for o in observations], states, observations).tables["forward"][2]
    values = ", ".join(f"{name} {value:.4f}" for name, value in zip(states, alpha, strict=True))
    right, seen = states[int(alpha.argmax())], 3 * len(states)
    because = f"{values}. A cell is large if it is reached easily and explains what is seen."
    return PredictionFeedback(right, because, lambda observed, recursion, filled: (
        observed == observations and recursion == "forward" and filled >= seen
    ))  # fmt: skip


class _Trellis:
    """The tables of one sequence, and the words for each of their cells."""

    def __init__(self, model, observations, states, letters):
        self.model, self.states, self.letters = model, states, letters
        self.b = model.emissionprob_[:, observations].T  # (T, N): b_j(o_t)
        alpha, delta, beta = seq.trellis(model.startprob_, model.transmat_, self.b)
        self.tables = {"forward": alpha, "Viterbi": delta, "backward": beta}
        self.tables = {name: table.round(TRELLIS_DECIMALS) for name, table in self.tables.items()}
        self.possible = delta[-1].max() > 0
        best = plain_viterbi(model.startprob_, model.transmat_, self.b)[1]
        self.path = np.column_stack([best, np.arange(len(best))]) if self.possible else None

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
            return TRELLIS_SENTENCES["empty"].format(letters=self.letters)
        if done:
            return self._result(recursion)
        (t, i), table, A = cell, self.tables[recursion], self.model.transmat_
        name, other = {"forward": "α", "Viterbi": "δ", "backward": "β"}[recursion], self._neighbour(recursion, t)
        left = TRELLIS_SENTENCES["cell"].format(name=name, day=t + 1, state=self.states[i])
        about = {"left": left, "b": self.b[t, i], "value": table[t, i]}
        if other is None:
            return TRELLIS_SENTENCES["end" if recursion == "backward" else "begin"].format(
                pi=self.model.startprob_[i], **about
            )
        way, a = ("way back", A[i]) if recursion == "backward" else ("way", A[:, i])
        every = zip(a, self.b[other], table[other], strict=True)
        ways = [TRELLIS_SENTENCES[way].format(a=one, b=b, value=value) for one, b, value in every]
        return TRELLIS_SENTENCES[recursion].format(sum=" + ".join(ways), list=", ".join(ways), **about)

    def _result(self, recursion):
        alpha, delta, beta = (self.tables[r] for r in RECURSIONS)
        if not self.possible:
            return TRELLIS_SENTENCES["impossible"].format(letters=self.letters)
        begin = self.model.startprob_ * self.b[0] @ beta[0]
        total = {"forward": alpha[-1].sum(), "Viterbi": delta[-1].max(), "backward": begin}[recursion].round(
            TRELLIS_DECIMALS
        )
        names = ", ".join(self.states[i] for i in self.path[:, 0])
        return TRELLIS_SENTENCES[f"all {recursion}"].format(letters=self.letters, names=names, total=total)


HEARD = (0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0)


def _draw_decoded(figure, stay, rule):
    steps, heard = np.array([[stay, 1 - stay], [1 - stay, stay]]), np.array([[0.8, 0.2], [0.2, 0.8]])
    model = seq.DiscreteHMM.from_parameters([0.5, 0.5], steps, heard)
    b, found = heard[:, HEARD].T, model.decode(HEARD, by=rule)
    alpha, delta, beta = seq.trellis(model.startprob_, steps, b)
    ways = alpha[:-1, :, None] * steps * (b * beta)[1:, None] / alpha[-1].sum()
    posterior = alpha * beta / alpha[-1].sum()
    winners = np.vstack([[-1, -1], (delta[:-1, :, None] * steps).argmax(axis=1)])
    columns = [f"{'XY'[symbol]}\n{t}" for t, symbol in enumerate(HEARD, start=1)]
    ax = figure.add_subplot()
    plots.draw_trellis(posterior, ways, winners, found.states, ("state X", "state Y"), columns, b, ax)
    ax.set(xlabel="heard, at time")
    figure.subplots_adjust(left=0.1, bottom=0.24, top=0.98)
    letters = "".join("XY"[s] for s in found.states)
    return (
        f"Stay probability {stay:.2f}: {letters} has {np.count_nonzero(found.states)} Y. For the lone Y "
        f"p(state Y) is {posterior[3, 1]:.2f}, for each of the pair {posterior[7, 1]:.2f}. "
        f"log p(states, observations) = {found.log_probability:.2f}."
    )


def explore_decoding():
    """Two states, XXXYXXXYYXXX heard with 80 % accuracy: which Ys are believed, by the best path and by each state?"""
    return Explorer(
        _draw_decoded,
        predict=(
            "X X X Y X X X Y Y X X X was heard, and one symbol in five is heard wrongly. At which probability of "
            "staying in a state does the best path lose the lone Y, and at which the pair YY?",
            [
                "both at the same",
                "the lone Y first, at about 2/3",
                "the lone Y first, at about 9/10",
                "the pair first",
            ],
        ),
        feedback=PredictionFeedback(
            "the lone Y first, at about 2/3",
            "it gains 0.8/0.2 = 4 and costs (stay/switch)², which is 4 at 2/3. The pair gains 16 and is lost at 4/5.",
            lambda stay, rule: rule == "viterbi" and stay > 0.8,
        ),
        cases={
            "stay 0.50": {"stay": 0.5, "rule": "viterbi"},
            "stay 0.82, best path": {"stay": 0.82, "rule": "viterbi"},
            "stay 0.82, each state by itself": {"stay": 0.82, "rule": "posterior"},
        },
        figsize=(7, 3.2),
        stay=slider("probability to stay", 0.50, 0.95, 0.50, 0.01),
        rule=choice(
            "decode", {"the best path (Viterbi)": "viterbi", "the best state at each time": "posterior"}, "viterbi"
        ),
    )


LOWEST_CLIMB = -4850  # below the first point of each start


def explore_training():
    """Baum–Welch on five thousand days, round by round, from six starts: what it climbs, the tables it comes to."""
    last = weather.TRAINING_ROUNDS
    return Explorer(
        _draw_training,
        predict=(
            "Nothing is known, so all probabilities start equal: each row of A and of B. What do sixty rounds of "
            "Baum–Welch make of the three states?",
            ["the three that made the days", "three others that differ", "three that stay alike"],
        ),
        feedback=PredictionFeedback(
            "three that stay alike",
            "equal states explain every day equally well, so they get equal counts and stay equal.",
            lambda start, rounds: start == weather.EQUAL_START and rounds >= 5,
        ),
        cases={
            "all equal": {"start": weather.EQUAL_START, "rounds": last},
            "random 3": {"start": "random 3", "rounds": last},
            "random 4": {"start": "random 4", "rounds": last},
            "one step impossible": {"start": weather.NO_STEP, "rounds": last},
        },
        actions={"Next round": increment_by("rounds")},
        figsize=(7, 3.6),
        start=choice("start", weather.TRAINING_STARTS),
        rounds=slider("rounds done", 0, last, 0),
    )


def _draw_training(figure, start, rounds):
    seen = weather.rounds_from(start)[: rounds + 1]
    tables, (old, new) = seen[-1].tables, weather.log_probabilities(seen[-1].tables)
    true_old, true_new = weather.log_probabilities(WEATHER)
    grid = figure.add_gridspec(2, 3, width_ratios=(1.5, 1.2, 0.5), wspace=0.4, hspace=0.75)
    figure.subplots_adjust(left=0.13, bottom=0.14, top=0.9)
    climb = figure.add_subplot(grid[:, 0])
    plots.draw_rounds([one.log_likelihood for one in seen], true_old, climb)
    climb.set(xlim=(-0.5, max(10, rounds) + 0.5), ylim=(LOWEST_CLIMB, -3080))
    for row, (whose, both) in enumerate({"learned": tables, "true": WEATHER}.items()):
        names = STATES if row else [f"state {i + 1}" for i in range(3)]
        A, B = (figure.add_subplot(grid[row, column]) for column in (1, 2))
        draw_numbers(np.round(both["transmat"], 2), A, names, ["to 1", "2", "3"], labels=("", ""))
        draw_numbers(np.round(both["emissionprob"], 2), B, [""] * 3, ["H", "U"], labels=("", ""))
        A.set(title=f"{whose} A")
        B.set(title=f"{whose} B")
    return (
        f"Start: {start}; {rounds} rounds. log P(days) = {old:.1f}; the true tables give {true_old:.1f}. On new days: "
        f"{new:.1f} and {true_new:.1f}. From state 2 the probabilities of going to states 1, 2 and 3 are "
        f"{', '.join(f'{p:.2f}' for p in tables['transmat'][1])}."
    ).replace("-", "−")


def check_column(mine, startprob, transmat, emissionprob, observations):
    """Feedback on the forward probabilities of the last day that a student worked out by hand, as one sentence.

    mine : N numbers, right to 1 %;  observations : (T,) ints, two or more days
    """
    model = seq.DiscreteHMM.from_parameters(startprob, transmat, emissionprob)
    mine = validation.answers(mine, "mine")
    if mine.shape != (model.n_states,):
        raise ValueError(f"mine has shape {mine.shape}; one number for each of the {model.n_states} states is needed.")
    rows = read_symbols([observations], model.n_symbols, name="observations").values
    if len(rows) < 2 or (rows < 0).any():
        raise ValueError(f"observations is {observations!r}; two or more symbols are needed, none of them missing.")
    if np.isnan(mine).any():
        return "○ Nothing to check yet: write all of them."
    pi, A, b = model.startprob_, model.transmat_, model.emissionprob_[:, rows].T
    *_, before, right = seq.trellis(pi, A, b).alpha
    now, near = b[-1], {"rtol": 0.01, "atol": 1e-6}
    looks_like = {
        f"✓ All {len(mine)} are right.": right,
        "✗ These are the sums over yesterday. What is still to be multiplied, before the day is explained?": before
        @ A,
        "✗ A is read by rows here: who is in j today came from some i. Which column has a_ij?": (A @ before) * now,
        "✗ You used the mood of the state that is left. Whose mood is seen today?": (before * now) @ A,
        "✗ This is the best way only (Viterbi). Add up over all of them.": (before[:, None] * A).max(axis=0) * now,
        "✗ No step was taken from yesterday to today.": before * now,
    }
    if len(b) == 2:
        looks_like["✗ The first day's mood is missing: α_1 is π times b."] = (pi @ A) * now
    i = int(np.argmax(~np.isclose(mine, right, **near)))
    ways = " + ".join(f"{a:.4g}·{p:g}" for a, p in zip(before, A[:, i], strict=True))
    otherwise = f"✗ State {i + 1}: you wrote {mine[i]:g}. One comes there with {ways}; what does the mood add to that?"
    return likeness(mine, looks_like, otherwise, **near)


def check_transitions(mine, counts, visits, state):
    """Feedback on one row of A that a student worked out from expected counts, as one sentence.

    mine : N numbers, right to 0.006;  counts : (N, N) Σ_t ξ_t, row = from;  visits : (N,) Σ_t γ_t over all days
    state : the row, counted from 0
    """
    counts = validation.square(counts, "counts")
    N = len(counts)
    visits, state = validation.matrix(visits, "visits", (N,)), validation.integer(state, "state", least=0)
    if state >= N or (counts < 0).any() or not counts[state].sum() > 0:
        raise ValueError(f"state is {state}; a row of counts that holds steps is needed, of {N} rows, none negative.")
    mine = validation.answers(mine, "mine")
    if mine.shape != (N,):
        raise ValueError(f"mine has shape {mine.shape}; one number for each of the {N} states is needed.")
    if np.isnan(mine).any():
        return "○ Nothing to check yet: write all of them."
    row, column = counts[state], counts[:, state]
    looks_like = {
        "✓ The row is right, and it adds up to 1.": row / row.sum(),
        "✗ These are the expected counts. A row of A is a share of them: divide by what?": row,
        "✗ This is a column: steps *to* the state. A row says *from*.": column / column.sum(),
        "✗ You divided by all days, the last one too. Does a step leave the last day?": row / visits[state],
        "✗ You divided by the steps of all states. Of which state is this the row?": row / counts.sum(),
    }
    otherwise = "✗ Not yet: of all steps that leave the state, which share goes to each?"
    if abs(mine.sum() - 1) > 0.01:
        otherwise = f"✗ Your row adds up to {mine.sum():.3f}. Every step out of a state leads to a state."
    return likeness(mine, looks_like, otherwise, atol=0.006)


LONGER = (0, 10, 20, 30)  # %, of what is played slower, and so lower
HEARD_AS, AS_PLAYED, SAID = "“{word}” ({name})", "as it is played", "A person says: “{said}”."
KEPT, EXPECTED = "what is kept of it", "what “{word}” expects"
MY_DIGIT_SENTENCE = (
    "“{said}” is heard as {words}. The GMM-HMM prefers {best} to {second} by {lead:.1f} nats. The states of "
    "“{shown}” last {stays} frames. Of the ten ready digits, played at this speed, the GMM-HMM recognises {right}."
)


def explore_my_digit(recognizers=None):
    """One's own digit: what each recogniser of Act I hears, and when the states of a word's model hear it.

    recognizers : {name: recogniser} as `act_one.recognizers` names them, fitted; None fits them, in ten seconds
    """
    mine = _MyDigit(own.fitted() if recognizers is None else own.named(recognizers))
    return RecordingExplorer(
        mine.draw,
        {one.name: one.samples for one in (mine.ready[7], *mine.ready.values())},
        "seven",
        listen=mine.play,
        predict=(
            "All six recognisers learned from six men. A woman says the ten digits, and the GMM-HMM recognises five. "
            "How many will it recognise if they are played slower, so that they last a fifth longer?",
            ["fewer than five", "five or six", "nine"],
        ),
        feedback=PredictionFeedback(
            "nine",
            "the peaks of her spectra lie higher than a man's, and playing slower lowers them.",
            lambda longer, word: longer == 20,
        ),
        cases={"a fifth longer": {"longer": 20}},
        figsize=(8.5, 3.2),
        longer=_longer(),
        word=choice("states of", {"the word it hears": None, **{name: k for k, name in enumerate(mine.names)}}),
    )


class _MyDigit:
    """A recording as the recognisers hear it at each speed, and as the states of a word do."""

    def __init__(self, recognizers):
        self.recognizers, self.ready = recognizers, own.ready_digits()
        self.names = [one.name for one in self.ready.values()]
        self.row = list(recognizers).index(own.WITH_STATES)
        self.heard, self.right = lru_cache(maxsize=2 * len(LONGER))(self._heard), cache(self._right)

    def _heard(self, samples, rate, said, longer):
        played = Recording(np.frombuffer(samples), rate, said).at_speed(100 / (100 + longer))
        found = own.hear(self.recognizers, played)
        kept = whispered(KEPT, found.frames, rate, own.HOP_SECONDS)
        return found, played, _as_played(played) + kept

    def _right(self, longer):
        played = {digit: one.at_speed(100 / (100 + longer)) for digit, one in self.ready.items()}
        return own.recognised(self.recognizers[own.WITH_STATES], played)

    def looked_at(self, recording, longer, word):
        """(what is Heard, the Recording as played, players, the word whose states look at it, γ, what they expect)."""
        samples, rate, said = recording
        found, played, players = self.heard(samples.tobytes(), rate, said, longer)
        word = found.words[self.row] if word is None else word
        states = own.state_posterior(self.recognizers[own.WITH_STATES].models_[word], found.frames)
        return found, played, players, word, *states

    def draw(self, figure, recording, longer, word):
        found, played, _, word, gamma, _ = self.looked_at(recording, longer, word)
        grid = figure.add_gridspec(2, 2, width_ratios=(1, 1.05), height_ratios=(1, 1.2), wspace=0.55, hspace=0.1)
        axes = (figure.add_subplot(grid[row, 0]) for row in range(2))
        plots.draw_states_heard(played, gamma, own.HOP_SECONDS, self.names[word], *axes)
        plots.draw_ranks(found.ranks, self.recognizers, (self.row, word), figure.add_subplot(grid[:, 1]))
        return self.sentence(recording.name, longer, found, word, gamma)

    def sentence(self, said, longer, found, word, gamma):
        heard = zip(self.recognizers, found.words, strict=True)
        words = [HEARD_AS.format(name=name, word=self.names[word]) for name, word in heard]
        best, second = found.ranks[self.row].argsort()[:2]
        return MY_DIGIT_SENTENCE.format(
            said=said,
            words="; ".join(words),
            best=self.names[best],
            second=self.names[second],
            lead=found.lead,
            shown=self.names[word],
            stays=", ".join(f"{stay:.1f}" for stay in gamma.sum(axis=0)),
            right=self.right(longer),
        )

    def play(self, recording, longer, word):
        *_, players, word, _, expected = self.looked_at(recording, longer, word)
        expects = whispered(EXPECTED.format(word=self.names[word]), expected, recording.rate, own.HOP_SECONDS)
        return ROW.format(players + expects)


def _as_played(recording):
    """HTML of its player."""
    said = SAID.format(said=recording.name)
    return audio.play(recording.samples, recording.rate, AS_PLAYED, said)._repr_html_()


MY_NUMBER_SENTENCE = "Said: {said}. Found with a penalty of {penalty} a word: {found}. {errors}log p = {log_p:.0f}."
MY_NUMBER_ERRORS = "Errors: {0.substitutions} replaced, {0.insertions} inserted, {0.deletions} lost. "


def explore_my_number(words=None):
    """One's own telephone number: which digits the models in a loop find, at each speed and each insertion penalty.

    words : fitted ModelPerWord of hidden Markov models of the ten digits, as in section 11; None fits them
    """
    words = own.fitted_to_strings() if words is None else own.with_states(words, "words")
    return RecordingExplorer(
        lambda figure, **settings: _draw_my_number(figure, words, **settings),
        own.ready_numbers(),
        "4 5 7 9 0 1",
        longest=8.0,
        pause=1.5,
        predict=(
            "Her six numbers, played slower so that they last a fifth longer, have 16 errors in 36 digits with the "
            "penalty of 15, which was chosen on strings by the men. How many do they have with 40?",
            ["8", "16", "24"],
        ),
        feedback=PredictionFeedback(
            "8",
            "her frames fit no word well, so that one more word in between often gains more than 15 nats.",
            lambda longer, penalty: (longer, penalty) == (20, 40),
        ),
        cases={"a fifth longer": {"longer": 20}, "and a penalty of 40": {"longer": 20, "penalty": 40}},
        listen=_play_my_number,
        figsize=(8.5, 3.6),
        longer=_longer(),
        penalty=slider("insertion penalty (nats)", 0, 100, 15, 5),
    )


def _longer():
    return choice("played slower, to last longer by", {f"{share} %": share for share in LONGER})


def _draw_my_number(figure, words, recording, longer, penalty):
    played = recording.at_speed(100 / (100 + longer))
    frames = audio.normalize_cepstra(own.digit_frames(played.samples, played.rate))
    found = ConnectedWords(words, float(penalty)).decode(frames)
    above, below = figure.subplots(2, 1, height_ratios=(1, 1.6), gridspec_kw={"hspace": 0.35})
    draw_signal(played.samples, played.rate, above)
    above.set(xlabel="", ylabel="sound", yticks=[])
    above.tick_params(labelbottom=False)
    plots.draw_words(frames, found.words, found.bounds, own.HOP_SECONDS, below)
    below.set_xlim(above.get_xlim())
    return MY_NUMBER_SENTENCE.format(
        said=recording.name,
        penalty=penalty,
        found=" ".join(map(str, found.words)),
        errors=_number_errors(recording.name, found.words),
        log_p=found.log_probability,
    ).replace("-", "−")


def _number_errors(said, found):
    """The errors in words, where the name of the recording says which digits were said."""
    if not re.fullmatch(r"[\d ]*\d[\d ]*", said):
        return ""
    digits = [int(digit) for digit in said.replace(" ", "")]
    return MY_NUMBER_ERRORS.format(word_errors(digits, found.tolist()))


def _play_my_number(recording, longer, penalty):
    played = recording.at_speed(100 / (100 + longer))
    return _as_played(played)
