"""Drawings of hidden Markov models: the chain of states, what was decoded, where a recording changes state or word.

Lecture: 04, sections 1, 3, 4, 6, 7, 8 and 11.
"""

import numpy as np
from matplotlib.patches import FancyArrowPatch
from matplotlib.ticker import MaxNLocator

from course_lib.sequences.hmm import plain_viterbi
from course_widgets.drawings import draw_features, draw_signal
from course_widgets.style import BLUE, DARK_EDGE, GREY, HALO, ORANGE, VERMILION, looks


def draw_chain(transmat, emissionprob, names, symbols, ax):
    """States in a row, an arrow and its probability for each possible transition, and under each state its symbols."""
    N, M = np.shape(emissionprob)
    for i, j in np.argwhere(np.asarray(transmat) > 0):
        _arrow(ax, i, j, transmat[i][j])
    for (i, k), p in np.ndenumerate(np.asarray(emissionprob)):
        x = i + 0.36 * ((k + 0.5) / M - 0.5) * 2
        ax.plot([i, x], [0, -0.62], color=ORANGE, linestyle="--", linewidth=0.5 + 4 * p, zorder=0)
        ax.text(x, -0.75, f"{symbols[k]} {p:g}", ha="center", va="center", fontsize=9)
    ax.plot(range(N), np.zeros(N), "o", markersize=46, markerfacecolor="white", color="black", linewidth=0)
    for i, name in enumerate(names):
        ax.text(i, 0, name, ha="center", va="center", fontsize=10)
    ax.set(xlim=(-0.5, N - 0.5), ylim=(-0.85, 0.85))
    ax.axis("off")
    return ax


def _arrow(ax, i, j, probability):
    """Forward arrows bend upwards, backward ones downwards, and one that stays is a loop above the state."""
    loop = i == j
    begin, end = ((i - 0.05, 0.2), (i + 0.05, 0.2)) if loop else ((i, 0), (j, 0))
    ax.add_patch(
        FancyArrowPatch(
            begin,
            end,
            connectionstyle="arc3,rad=-2.5" if loop else "arc3,rad=-0.35",
            arrowstyle="-|>",
            mutation_scale=12,
            color=GREY,
            shrinkA=0 if loop else 26,
            shrinkB=0 if loop else 26,
        )
    )
    height = 0.53 if loop else 0.38 * (1 if j > i else -1)
    ax.text((i + j) / 2, height, f"{probability:.2g}", ha="center", va="center", fontsize=9)


def draw_weather_belief(belief, moods, names, ax, truth=None):
    """The probability of each state on each day as a stack of bars, with the moods that were heard above them.

    belief : (T, N), rows sum to 1;  moods : texts, as many as days were heard;  names : of the states
    truth : (T,) the states themselves, marked on their bars, or None
    """
    days, tops = np.arange(1, len(belief) + 1), belief.cumsum(axis=1)
    for name, color, share, top in zip(names, (ORANGE, "#c0c0c0", BLUE), belief.T, tops.T, strict=True):
        ax.bar(days, share, bottom=top - share, width=0.9, color=color, label=name)
    for day, mood in enumerate(moods, start=1):
        ax.text(day, 1.07, mood, ha="center", va="center", fontsize=9)
    if truth is not None:
        middle = (tops - belief / 2)[days - 1, truth]
        ax.plot(days, middle, "o", markersize=7, color="white", markeredgecolor="black", label="true weather")
    ax.set(xlim=(0.4, len(belief) + 0.6), ylim=(0, 1.16), xticks=days, xlabel="day", ylabel="probability")
    ax.set_title("what you hear: H for happy, U for unhappy", fontsize=10)
    ax.set_yticks([0, 0.5, 1])
    ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=9)
    return ax


def draw_trellis(nodes, ways, winners, path, states, columns, emission, ax):
    """States (rows) over time: circles and lines as large as their shares, and the path that is decoded under them.

    nodes : (T, N) shares of the states;  ways : (T − 1, N, N) shares of the steps, from (row) to (column)
    winners : (T, N) the best way into each state from the second time on: these lines are dark
    path : (T,) states;  columns : T labels;  emission : (T, N) b_j(o_t), written beside the circles
    """
    T, N = nodes.shape
    ax.plot(range(T), path, color=ORANGE, linestyle="-", linewidth=15, alpha=0.45, solid_joinstyle="round", zorder=0)
    for t, i, j in np.argwhere(ways > 0):
        look = {"color": BLUE, "zorder": 2} if winners[t + 1, j] == i else {"color": "#b0b0b0", "zorder": 1}
        ax.plot([t, t + 1], [i, j], linestyle="-", linewidth=0.5 + 5 * ways[t, i, j], solid_capstyle="butt", **look)
    circle = {"markerfacecolor": "white", "markeredgecolor": BLUE, "markeredgewidth": 1.5, "zorder": 3}
    for (t, j), share in np.ndenumerate(nodes):
        ax.plot(t, j, "o", markersize=5 + 17 * np.sqrt(share), **circle)
        beside = j + (0.36 if j else -0.36)
        ax.text(t, beside, f"{emission[t, j]:g}", ha="center", va="center", fontsize=8, color=GREY)
    ax.set(xlim=(-0.5, T - 0.5), ylim=(N - 0.4, -0.6), xticks=range(T), yticks=range(N))
    ax.set_xticklabels(columns)
    ax.set_yticklabels(states)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    return ax


def draw_best_path(model, observations, states, symbols, ax):
    """The trellis of Viterbi for these observations: shares of the largest probabilities in each column, and the path.

    model : DiscreteHMM;  observations : (T,) ints, possible under the model;  states, symbols : their names
    """
    A, b = model.transmat_, model.emissionprob_[:, observations].T
    delta, path = plain_viterbi(model.startprob_, A, b)
    ways = delta[:-1, :, None] * A * b[1:, None]
    winners = np.vstack([np.full(len(A), -1), ways.argmax(axis=1)])
    ways /= ways.sum(axis=(1, 2), keepdims=True)
    columns = [f"{symbols[o]}\n{t}" for t, o in enumerate(observations, start=1)]
    return draw_trellis(delta / delta.sum(axis=1, keepdims=True), ways, winners, path, states, columns, b, ax)


def draw_steps(transmat, n_times, ax):
    """The steps between the cells of a trellis of numbers, as wide as they are probable."""
    for t in range(n_times - 1):
        for i, j in np.argwhere(np.asarray(transmat) > 0):
            at = np.array([0.26, 0.74])
            ax.plot(t + at, i + (j - i) * at, color="#b0b0b0", linestyle="-", linewidth=6 * transmat[i][j], zorder=0)
    ax.grid(False, which="minor")
    return ax


def draw_rounds(log_likelihoods, true, ax):
    """Log likelihood after each round of training, and that of the tables which made the data.

    log_likelihoods : (R,), after 0, 1, … rounds
    """
    few = {"marker": "o", "markersize": 4} if len(log_likelihoods) < 25 else {}
    ax.plot(range(len(log_likelihoods)), log_likelihoods, color=VERMILION, linestyle="-", label="learned", **few)
    ax.axhline(true, color=GREY, linewidth=1, linestyle=":", label="the true tables")
    ax.set(xlabel="rounds", ylabel="log P(days)")
    ax.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    ax.legend(loc="lower right", fontsize=9)
    return ax


def draw_segmentation(features, states, hop_seconds, ax, label=""):
    """The features of a recording over time, with a line where the model changes its state, and the states' numbers.

    features : (T, D);  states : (T,) from 0;  hop_seconds : time from frame to frame
    """
    draw_features(features, hop_seconds, ax, label)
    changes = np.flatnonzero(np.diff(states)) + 1
    begins, ends = np.r_[0, changes], np.r_[changes, len(states)]
    for begin, end in zip(begins, ends, strict=True):
        if begin:
            ax.axvline(begin * hop_seconds, color="white", linestyle="-", linewidth=2, path_effects=DARK_EDGE)
        middle = (begin + end) / 2 * hop_seconds
        ax.text(
            middle, features.shape[1] - 0.3, str(states[begin]), ha="center", va="bottom", fontsize=9, color=VERMILION
        )
    ax.set_title(label, pad=16)
    return ax


STATES_OF = "states of\n“{word}”"


def draw_states_heard(recording, gamma, hop_seconds, word, above, below):
    """The waveform of a Recording, and below it the probability of each state of a word at each time.

    gamma : (T, N), rows add up to 1
    """
    draw_signal(recording.samples, recording.rate, above, recording.name)
    above.set(xlabel="", yticks=[], ylabel="sound")
    above.tick_params(labelbottom=False)
    seconds = hop_seconds * np.arange(len(gamma))
    for state, (share, look) in enumerate(zip(gamma.T, looks(gamma.shape[1]), strict=True)):
        below.plot(seconds, share, color=look["color"], linestyle=look["linestyle"])
        below.text(share @ seconds / share.sum(), 1.06, str(state), ha="center", va="bottom", fontsize=9)
    below.set(xlim=above.get_xlim(), ylim=(0, 1.25), yticks=[0, 1])
    below.set(xlabel="time (s)", ylabel=STATES_OF.format(word=word))
    return above, below


def draw_ranks(ranks, names, chosen, ax):
    """The three best words (columns) of each recogniser (rows), 1 the best; a frame round the chosen (row, column).

    ranks : (R, W) from 1
    """
    for row, column in np.argwhere(ranks <= 3):
        best = {"weight": "bold", "fontsize": 12} if ranks[row, column] == 1 else {"color": GREY, "fontsize": 9}
        ax.text(column, row, str(ranks[row, column]), ha="center", va="center", **best)
    ax.plot(*chosen[::-1], "s", markersize=19, markerfacecolor="none", markeredgecolor=VERMILION, markeredgewidth=2)
    R, W = ranks.shape
    ax.hlines(np.arange(R - 1) + 0.5, -0.5, W - 0.5, color="#bfbfbf", linewidth=0.6, linestyle="-")
    ax.set(xlim=(-0.5, W - 0.5), ylim=(R - 0.5, -0.5), xticks=range(W), xlabel="word")
    ax.set_yticks(range(R), [name.replace(", ", ",\n", 1) for name in names], fontsize=8)
    ax.set_title("the best three words", fontsize=10)
    ax.tick_params(length=0)
    return ax


def draw_words(features, words, bounds, hop_seconds, ax, true_bounds=(), label=""):
    """The features of a string of words over time, the words, lines where they meet, and dashes at the true joints.

    features : (T, D);  words : L texts or numbers;  bounds : (L + 1,) frames, 0 … T;  true_bounds : frames
    """
    draw_features(features, hop_seconds, ax)
    for joint in bounds[1:-1]:
        ax.axvline(joint * hop_seconds, color="white", linestyle="-", linewidth=2.4, path_effects=DARK_EDGE)
    for joint in true_bounds[1:-1]:
        ax.axvline(joint * hop_seconds, color=VERMILION, linestyle="--", linewidth=1.6, path_effects=HALO)
    for word, begin, end in zip(words, bounds[:-1], bounds[1:], strict=True):
        middle, top = (begin + end) / 2 * hop_seconds, features.shape[1] - 0.3
        ax.text(middle, top, str(word), ha="center", va="bottom", fontsize=10, color=BLUE, weight="bold")
    ax.set_title(label, pad=18)
    return ax
