"""Drawings of posteriors and of the Gaussians that stand for them. Each draws on the axes given.

Lecture: 06, sections 1, 3, 4, 7 and 8.
"""

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from scipy.stats import norm

from course_widgets.drawings import draw_band
from course_widgets.style import BLUE, GREEN, GREY, ORANGE, PINK, SKY, VERMILION, looks

CURVE_LOOKS = ((BLUE, "-", "o"), (VERMILION, "--", "o"))

LOOKS = {
    "Laplace": {"color": VERMILION, "linestyle": "--"},
    "EP": {"color": BLUE, "linestyle": "-"},
    "variational": {"color": GREEN, "linestyle": "-."},
}
TRUTH = "#d0d0d0"
CHANCES = LinearSegmentedColormap.from_list("chances", [ORANGE, "#f2f2f2", SKY])


def draw_truth(g, density, ax, label="true posterior"):
    """A density that is no Gaussian, as a grey area over the grid g."""
    ax.fill_between(g, density, color=TRUTH, linewidth=0, label=label)
    ax.set(xlabel="g, the latent value", ylabel="density")
    ax.set_ylim(bottom=0)
    return ax


def draw_posterior_and_prior(g, density, prior_std, ax):
    """A posterior of g as a grey area, the prior N(0, prior_std²), and the Gaussian of the posterior's moments."""
    weight = density * (g[1] - g[0])
    mean = weight @ g
    std = np.sqrt(weight @ (g - mean) ** 2)
    draw_truth(g, density, ax)
    ax.plot(g, norm.pdf(g, 0, prior_std), color="black", linestyle=":", label="prior")
    ax.plot(g, norm.pdf(g, mean, std), color=BLUE, linestyle="--", label="Gaussian, same mean and variance")
    return ax


def draw_gaussians(g, gaussians, ax):
    """Gaussians over the grid g, each in the look of its rule; below the axis, its mean ± standard deviation.

    gaussians : dict of rule → (mean, standard deviation); the rules are the keys of LOOKS
    """
    top = ax.get_ylim()[1]
    for k, (rule, (mean, std)) in enumerate(gaussians.items()):
        ax.plot(g, norm.pdf(g, mean, std), label=rule, **LOOKS[rule])
        top = max(top, 1.1 * norm.pdf(0, 0, std))
        height = -0.06 * top * (k + 1)
        ax.plot([mean - std, mean + std], [height, height], linewidth=2, **LOOKS[rule])
        ax.plot([mean], [height], marker="o", markersize=5, color=LOOKS[rule]["color"])
    ax.set_ylim(-0.06 * top * (len(gaussians) + 1), top)
    ax.plot([], [], "-o", markersize=5, linewidth=2, color=GREY, label="dot ± bar: mean ± std")
    ax.set_yticks([tick for tick in ax.get_yticks() if 0 <= tick <= top])  # no density lies below the axis
    return ax


def draw_sites(g, likelihood, sites, ax):
    """A likelihood as a grey area over the grid g, and the sites {rule: (G,)} that stand for it."""
    ax.fill_between(g, likelihood, color=TRUTH, linewidth=0)
    for rule, site in sites.items():
        ax.plot(g, site, **LOOKS[rule])
    ax.set(ylim=(0, 1.7), yticks=[0, 1])
    return ax


def draw_against_prior(stds, exact, rules, ax, now=None, ylabel="P(next answer = yes)", truth="exact"):
    """A number against the prior's standard deviation: the true one in black, and what the rules have for it.

    stds, exact : (S,);  rules : dict of rule → (S,);  now : the standard deviation to mark;  truth : what `exact` is
    """
    ax.plot(stds, exact, color="black", linestyle=":", linewidth=2.2, label=truth)
    for rule, values in rules.items():
        ax.plot(stds, values, label=rule, **LOOKS[rule])
        if now is not None:
            ax.plot([now], np.interp([now], stds, values), marker="o", color=LOOKS[rule]["color"])
    if now is not None:
        ax.plot([now], np.interp([now], stds, exact), marker="o", color="black")
    ax.set(xlabel="prior standard deviation σ_f", ylabel=ylabel)
    return ax


def draw_message(g, cavity, answer, tilted, matched, ax):
    """One update of expectation propagation; what is None has not been reached yet.

    cavity, matched : (mean, standard deviation);  answer : (G,) likelihood, between 0 and 1;  tilted : (G,) density
    """
    if tilted is not None:
        draw_truth(g, tilted, ax, "TILTED: cavity × answer")
    if cavity is not None:
        ax.plot(g, norm.pdf(g, *cavity), color=ORANGE, linestyle="--", label="CAVITY")
    if matched is not None:
        ax.plot(g, norm.pdf(g, *matched), color=BLUE, linestyle="-", label="UPDATE: its mean and variance")
    ax.plot(g, 0.4 * answer, color=PINK, linestyle=":", label="0.4 × likelihood of the answer")
    ax.set(xlabel="g, the latent value of this sound", ylabel="density", ylim=(0, 0.62), xlim=(g[0], g[-1]))
    ax.legend(loc="upper left", fontsize=8, ncols=2, columnspacing=1, handlelength=2)
    return ax


def draw_beliefs(means, stds, exact, cavities, ax, turn=None):
    """Mean ± standard deviation of each sound's latent value, with its cavity before it and the exact one after it.

    means, stds : (n,);  exact, cavities : (means, standard deviations), (n,) each
    turn : index of the sound whose answer is being taken in, or None
    """
    place = np.arange(len(means))
    ax.errorbar(place - 0.22, *cavities, color=ORANGE, fmt="D", capsize=4, label="cavity")
    ax.errorbar(place, means, stds, color=BLUE, fmt="o", capsize=4, label="EP now")
    ax.errorbar(place + 0.22, *exact, color="black", fmt="s", capsize=4, label="exact")
    if turn is not None:
        ax.axvspan(turn - 0.4, turn + 0.4, color=ORANGE, alpha=0.15, linewidth=0)
    ax.axhline(0, color=GREY, linewidth=0.8, linestyle=":")
    ax.set(xticks=place, xticklabels=[f"sound {k + 1}" for k in place], ylabel="latent value", ylim=(-4.2, 5.6))
    ax.legend(loc="upper right", fontsize=8, ncols=3, columnspacing=1, handletextpad=0.5)
    return ax


def draw_curvature(g, W, ax):
    """W = −∂² log p of one likelihood against g; where it is negative the area is shaded."""
    ax.plot(g, W, color=BLUE)
    ax.fill_between(g, np.minimum(W, 0), color=VERMILION, alpha=0.4, linewidth=0)
    ax.axhline(0, color=GREY, linewidth=0.8)
    ax.set(xlabel="g, the latent value")
    return ax


def draw_chances(grid, chance, X, y, ax, names, answers):
    """Probability of the answer +1 over a plane of two inputs, its lines of 0.1, ½ and 0.9, and the answers.

    grid : (x axis (G,), y axis (H,));  chance : (H, G);  X : (n, 2);  y : (n,) ±1;  answers : what −1 and +1 mean
    names : of the two inputs, with their units
    Returns the coloured areas, for a colour bar.
    """
    levels = np.linspace(0, 1, 11)
    areas = ax.contourf(*grid, chance, levels=levels, cmap=CHANCES)
    ax.contour(*grid, chance, levels=(0.1, 0.5, 0.9), colors="black", linewidths=(0.8, 1.6, 0.8))
    for answer, marker, color, name in zip((-1, 1), "ov", (VERMILION, BLUE), answers, strict=True):
        ax.scatter(*X[y == answer].T, marker=marker, color=color, edgecolor="white", linewidth=0.5, s=34, label=name)
    ax.set(xlabel=names[0], ylabel=names[1])
    ax.legend(fontsize=8, loc="upper right", frameon=True)
    return areas


def draw_with_outliers(x, true, curves, X, y, outliers, ax):
    """Regression curves with their bands of 90 %, the true curve, and measurements, outliers marked.

    x, true : (q,);  curves : dict of name → (mean (q,), standard deviation (q,));  X, y : (n,);  outliers : indices
    """
    for (name, (mean, std)), look in zip(curves.items(), looks(len(curves), CURVE_LOOKS), strict=True):
        draw_band(x, mean, std, ax, look["color"], look["linestyle"], label=name)
    ax.fill_between([], [], color=GREY, alpha=0.3, linewidth=0, label="shade: 90 %")
    ax.plot(x, true, color="black", linestyle=":", label="true curve")
    ax.plot(X, y, "k.", markersize=6, label="measurements")
    ax.plot(X[outliers], y[outliers], "o", markersize=11, markerfacecolor="none", color="black", label="outliers")
    ax.set(xlabel="x", ylabel="f(x)")
    return ax
