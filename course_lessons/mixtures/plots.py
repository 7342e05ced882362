"""Drawings of mixtures, of who owns which point, and of what EM climbs. Each draws on the axes given and returns them.

Lecture: 03, sections 1 and 3–6.
"""

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from scipy.special import entr, logsumexp, softmax
from scipy.stats import norm

from course_lib.sequences import Gaussian
from course_widgets.drawings import draw_histogram
from course_widgets.style import BLUE, GREEN, GREY, HALO, LINES, ORANGE, PINK, SKY, VERMILION

COMPONENT_COLORS = (BLUE, ORANGE, GREEN, PINK, SKY, VERMILION)
UNASSIGNED_COLOR = "#8c8c8c"
CLEARLY = 2 / 3  # a component owns a point if its responsibility is larger
OWNERS = LinearSegmentedColormap.from_list("owners", [BLUE, UNASSIGNED_COLOR, ORANGE])


def draw_components(grid, weights, means, stds, ax):
    """π_k N(x | μ_k, σ_k²) of each component in its own colour and line style, and their sum in grey."""
    each = weights * norm.pdf(grid[:, None], means, stds)
    ax.plot(grid, each.sum(axis=1), color=GREY, linestyle="-", linewidth=1, label="p(x), the sum")
    for k in range(len(means)):
        style = {"color": COMPONENT_COLORS[k % len(COMPONENT_COLORS)], "linestyle": LINES[k % len(LINES)]}
        ax.plot(grid, each[:, k], label=f"component {k + 1}", **style)
    ax.set(ylabel="density")
    return ax


def draw_story(x, drawn, weights, means, stds, axes):
    """Frames (N,), and as many points drawn from a mixture, each as a histogram under the mixture's components."""
    titles = ("the frames, and the mixture", "as many drawn from it")
    for values, title, ax in zip((x, drawn), titles, axes, strict=True):
        draw_histogram(values, ax, bins=40, label="coefficient 1")
        draw_components(np.linspace(-130, 110, 200), weights, means, stds, ax).set(title=title)
    return axes


def draw_ends(training, held_out, axes):
    """Where EM ends from several starts: the (S,) scores on training frames in order, and those held out beside."""
    left, right = axes
    left.plot(range(1, len(training) + 1), np.sort(training), marker="o", linestyle="")
    left.set(xlabel="start, sorted by its end", ylabel="training, per frame", xticks=[1, 5, 10, 15, 20])
    right.plot(training, held_out, marker="s", linestyle="")
    right.set(xlabel="training, per frame", ylabel="held out, per frame")
    return axes


def draw_owners(x, gamma, ax):
    """Each point at the height of its responsibility γ of component 2, in the colours of both components.

    gamma : (N,) responsibilities of component 2, or None while no point belongs to anybody: grey, at ½
    """
    if gamma is None:
        ax.scatter(x, np.full(len(x), 0.5), color=UNASSIGNED_COLOR, s=16, linewidths=0)
    else:
        ax.scatter(x, gamma, c=gamma, cmap=OWNERS, vmin=0, vmax=1, s=16, linewidths=0)
    ax.set(ylim=(-0.15, 1.15), yticks=[0, 0.5, 1], xlabel="x", ylabel="γ of comp. 2")
    return ax


def draw_plane(X, gamma, mixture, ax):
    """Frames in a plane in the colour of their owner, grey where nobody has two thirds; ellipses at 2 deviations.

    X : (N, 2);  gamma : (N, K);  mixture : with (K, 2, 2) covariances
    """
    owner = np.where(gamma.max(axis=1) > CLEARLY, gamma.argmax(axis=1), -1)
    for k, color in [(-1, UNASSIGNED_COLOR), *enumerate(COMPONENT_COLORS[: len(mixture.means)])]:
        ax.scatter(*X[owner == k].T, s=9, color=color, linewidth=0)
        if k >= 0:
            curve = Gaussian(mixture.means[k], mixture.covariances[k]).ellipse(2).T
            ax.plot(*curve, color=color, linestyle=LINES[k % len(LINES)], linewidth=2, path_effects=HALO)
    return ax


def top_of_bound(x, mixture, old):
    """Where the bound that touches at the old last mean is highest: the M-step for this mean alone."""
    gamma = softmax(_log_joint(x, mixture, old), axis=1)[:, -1]
    return float(gamma @ x[:, 0] / gamma.sum())


def draw_bound(x, mixture, old, touching, ax):
    """Log likelihood along the last mean, with the old one, and, if wanted, the bound that touches it there.

    x : (N, 1) points;  mixture : one-dimensional, whose last mean moves
    Returns (log likelihood, bound: functions of the mean, the new mean).
    """
    grid, gamma = np.linspace(-30, 70, 101), softmax(_log_joint(x, mixture, old), axis=1)

    def likelihood(mean):
        return logsumexp(_log_joint(x, mixture, mean), axis=1).sum()

    def bound(mean):
        return np.sum(gamma * _log_joint(x, mixture, mean)) + entr(gamma).sum()

    heights, new = np.array([likelihood(mean) for mean in grid]), top_of_bound(x, mixture, old)
    ax.plot(grid, heights, color=VERMILION, linestyle="-", linewidth=2, label="log p(X | θ)")
    places = [("old", old, likelihood(old))]
    if touching:
        ax.plot(grid, [bound(mean) for mean in grid], color=GREEN, linestyle="--", linewidth=2, label="lower bound")
        places.append(("new", new, bound(new)))
    for name, place, height in places:
        ax.axvline(place, color=GREY, linestyle=":", linewidth=1)
        ax.plot(place, height, color=GREEN, marker="o", markersize=8, markeredgecolor="black", linestyle="none")
        ax.text(place, 1.0, name, transform=ax.get_xaxis_transform(), ha="center", va="bottom", fontsize=9)
    ax.set(xlabel="mean μ₂ of the vowel", ylabel="log likelihood", xlim=(-30, 70))
    ax.set(ylim=(heights.max() - 450, heights.max() + 30))
    ax.legend(loc="lower center", fontsize=9)
    return likelihood, bound, new


def _log_joint(x, mixture, last_mean):
    """(N, K) log π_k N(x | μ_k, σ_k²) with another last mean."""
    means = np.append(mixture.means[:-1, 0], last_mean)
    return np.log(mixture.weights) + norm.logpdf(x, means, np.sqrt(mixture.covariances[:, 0]))


def draw_climb(log_likelihoods, bounds, ax, best):
    """Log likelihood and lower bound after each half-step of EM; the bound begins with the first E-step.

    log_likelihoods, bounds : (H,), after 0, 1, … half-steps; bounds[0] is not drawn;  best : a height to compare with
    """
    steps = np.arange(len(log_likelihoods))
    ax.axhline(best, color=GREY, linewidth=1, linestyle=":", label=f"the best EM found, {best:.1f}")
    few = {"marker": "o", "markersize": 4} if len(steps) < 25 else {}
    ax.plot(steps, log_likelihoods, color=VERMILION, linestyle="-", label="log likelihood", **few)
    ax.plot(steps[1:], bounds[1:], color=GREEN, linestyle="--", label="lower bound", **few)
    ax.set(xlabel="half-steps", ylabel="log likelihood")
    ax.legend(loc="lower right", fontsize=9)
    return ax


def draw_growth(history, ax):
    """Mean log density on training and development data against the number of components, from a list of `Growth`."""
    sizes = [step.n_components for step in history]
    ax.plot(sizes, [step.train for step in history], marker="o", label="training")
    ax.plot(sizes, [step.dev for step in history], marker="s", label="development")
    ax.set_xscale("log", base=2)
    ax.set_xticks(sizes, sizes)
    ax.set(xlabel="components K", ylabel="mean log density per frame")
    ax.legend()
    return ax
