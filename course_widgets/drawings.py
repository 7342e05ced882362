"""Drawings that several lectures share: a waveform, features, small tables, counts, a histogram, a curve with its
band, lines against sizes, points with ellipses.
Each draws on the axes given and returns them.

Lecture: 01, sections 1, 3 and 7; 02, sections 1 and 3; 05, section 3.
"""

import numpy as np
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator
from scipy.stats import norm

from course_widgets.style import BLUE, GREEN, HEAT, LINES, ORANGE, PINK, SKY, VERMILION, looks

ELLIPSE_LOOKS = tuple(zip((BLUE, VERMILION, GREEN, PINK), LINES, "oooo", strict=True))
HALF_BAND = norm.ppf(0.95)  # half of a band that holds 90 % of the mass, in standard deviations


def draw_signal(signal, rate, ax, label=""):
    """A waveform over time in seconds."""
    ax.plot(np.arange(len(signal)) / rate, signal, color=BLUE, linewidth=0.6, linestyle="-")
    ax.set(xlabel="time (s)", ylabel="amplitude", title=label)
    ax.margins(x=0)
    return ax


def draw_features(features, hop_seconds, ax, label=""):
    """A (T, D) sequence as a picture: time to the right, features upwards."""
    extent = (0, len(features) * hop_seconds, -0.5, features.shape[1] - 0.5)
    ax.imshow(features.T, aspect="auto", origin="lower", extent=extent, cmap=HEAT, interpolation="nearest")
    ax.set(xlabel="time (s)", ylabel="coefficient", title=label)
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    return ax


def draw_numbers(table, ax, x, y, current=None, sources=(), path=None, labels=("y", "x")):
    """A small table with its numbers, the sequences along its edges, and the cell just filled.

    table : (T_x, T_y), NaN where nothing is written yet, inf where no path may come
    x, y : numbers or words along the left and the lower edge;  labels : of the lower and the left edge
    current : (i, j) or None;  sources : cells it is computed from;  path : (L, 2) or None
    """
    rows, columns = table.shape
    for (i, j), value in np.ndenumerate(table):
        if not np.isnan(value):
            ax.text(j, i, "∞" if np.isinf(value) else f"{value:.4g}", ha="center", va="center", fontsize=9)
    if path is not None:
        ax.plot(path[:, 1], path[:, 0], color=VERMILION, linestyle="-", linewidth=7, alpha=0.35)
    for i, j in sources:
        ax.add_patch(_frame(i, j, ORANGE))
    if current is not None:
        ax.add_patch(_frame(*current, VERMILION))
    ax.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), xlabel=labels[0], ylabel=labels[1])
    ax.set_xticks(range(columns), [v if isinstance(v, str) else f"{v:g}" for v in y])
    ax.set_yticks(range(rows), [v if isinstance(v, str) else f"{v:g}" for v in x])
    ax.set_xticks(np.arange(columns + 1) - 0.5, minor=True)
    ax.set_yticks(np.arange(rows + 1) - 0.5, minor=True)
    ax.grid(which="minor", color="#bfbfbf", linewidth=0.6, linestyle="-")
    ax.tick_params(which="both", length=0)
    return ax


def _frame(i, j, color):
    return Rectangle((j - 0.46, i - 0.46), 0.92, 0.92, fill=False, edgecolor=color, linewidth=2.5)


def draw_confusion(truth, predicted, classes, ax):
    """How often each word (row) was recognised as each word (column), with the counts."""
    classes = sorted(classes)
    unknown = {*np.unique(truth), *np.unique(predicted)} - {*classes}
    if unknown:
        raise ValueError(f"truth and predicted hold {sorted(unknown)}, which are not among the classes {classes}.")
    counts = np.zeros((len(classes), len(classes)), dtype=int)
    np.add.at(counts, (np.searchsorted(classes, truth), np.searchsorted(classes, predicted)), 1)
    ax.imshow(counts, cmap="Blues")
    for (i, j), count in np.ndenumerate(counts):
        if count:
            shade = "white" if count > 0.6 * counts.max() else "black"
            ax.text(j, i, count, ha="center", va="center", fontsize=8, color=shade)
    ax.set(xlabel="recognised as", ylabel="spoken", xticks=range(len(classes)), yticks=range(len(classes)))
    ax.set_xticklabels(classes)
    ax.set_yticklabels(classes)
    return ax


def most_confused(truth, predicted, top=3):
    """What stands beside the diagonal of `draw_confusion`: [(word, taken for, how often)], the most frequent first."""
    wrong = np.column_stack([truth, predicted])[truth != predicted]
    pairs, counts = np.unique(wrong, axis=0, return_counts=True)
    return [(*pairs[k], counts[k]) for k in np.argsort(-counts, kind="stable")[:top]]


def draw_histogram(values, ax, gaussian=None, bins=25, label="value"):
    """A histogram of total area 1, and the curve of a one-dimensional Gaussian if there is one."""
    ax.hist(values, bins, density=True, color=SKY, edgecolor="white", linewidth=0.5)
    if gaussian is not None:
        spread = np.sqrt(gaussian.covariance[0, 0])
        at = np.linspace(-3.5, 3.5, 200) * spread + gaussian.mean[0]
        ax.plot(at, np.exp(gaussian.log_density(at)), color=VERMILION, linestyle="-")
    ax.set(xlabel=label, ylabel="density")
    return ax


def draw_band(grid, mean, std, ax, color=BLUE, linestyle="-", label=None, band=None):
    """The mean and the band that holds 90 % of the mass at each place of the grid; all (G,).

    `label` names the mean in a legend, and `band` the band.
    """
    half = HALF_BAND * std
    ax.fill_between(grid, mean - half, mean + half, color=color, alpha=0.2, linewidth=0, label=band)
    ax.plot(grid, mean, color=color, linestyle=linestyle, label=label)
    return ax


def draw_by_size(sizes, curves, ax, first=(), markersize=6.0, **axes):
    """A line for each {name: (S,)} against sizes (S,) on a logarithmic axis, where each size has its tick.

    first : looks of the first lines;  axes : for `ax.set`, such as labels
    """
    for (name, values), look in zip(curves.items(), looks(len(curves), first), strict=True):
        ax.plot(sizes, values, **look, markersize=markersize, label=name)
    ax.set(xscale="log", **axes)
    ax.set_xticks(sizes, [str(size) for size in sizes])
    ax.minorticks_off()
    return ax


def draw_answers(x, y, ax, label="answers"):
    """Observed (n,) inputs and answers as black points."""
    ax.plot(x, y, color="black", marker="o", markersize=5, linestyle="none", label=label, zorder=3)
    return ax


def draw_points(points, ax, gaussians=(), n_stds=(1, 2), labels=("x", "y")):
    """(N, 2) points, and for each Gaussian in a {name: Gaussian} its ellipses at some standard deviations."""
    ax.scatter(*np.asarray(points).T, s=7, color=SKY, linewidth=0)
    named = dict(gaussians)
    for (name, gaussian), look in zip(named.items(), looks(len(named), ELLIPSE_LOOKS, "Gaussians"), strict=True):
        for n_std in n_stds:
            curve = gaussian.ellipse(n_std).T
            ax.plot(*curve, **{**look, "marker": ""}, label=name if n_std == n_stds[0] else None)
    ax.set(xlabel=labels[0], ylabel=labels[1], aspect="equal")
    return ax
