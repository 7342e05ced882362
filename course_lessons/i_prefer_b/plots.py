"""Drawings of comparisons: what is shown to a person, what they answer, and what is learned from it.
Each draws on the axes given and returns them, or the image that a colour bar needs.

Lecture: 10, sections 1–3, 5–7 and 11.
"""

import numpy as np
from matplotlib.patches import Rectangle
from scipy.stats import beta, chi2, norm

from course_lib.gp import Beta
from course_widgets.drawings import draw_by_size
from course_widgets.style import BLUE, DARK_EDGE, GREEN, GREY, HEAT, ORANGE, VERMILION, write_names

A_COLOR, B_COLOR = VERMILION, BLUE
LEARNING_LOOKS = ((BLUE, "-", "o"), (ORANGE, "--", "s"), (GREEN, "-.", "^"), (GREY, ":", "D"))
RULE_LOOKS = ((BLUE, "-"), (ORANGE, "--"), (GREEN, "-."))
BENT = {"linestyle": "-", "linewidth": 7, "alpha": 0.35}
MANY_RANKS = 15  # from there on not each of them is written
PATCH = 0.8  # of the width of its place
PLANE = 5.0  # half of the width of the plane of two values
PLANE_LOOKS = ((GREY, ":"), (VERMILION, "-"))


def draw_patches(greys, surround, ax, names=()):
    """Grey patches side by side on a grey surround, with their names below.

    greys : (n,) levels, 0 (black) … 255 (white);  surround : level of what is around them;  names : (n,) or none
    """
    wide = max(len(greys), 2)
    left = (len(greys) - 1 - wide) / 2
    ax.add_patch(Rectangle((left, -0.35), wide, 1.5, color=_grey(surround), linewidth=0))
    for k, level in enumerate(greys):
        ax.add_patch(Rectangle((k - PATCH / 2, 0.0), PATCH, PATCH, color=_grey(level), linewidth=0))
    for k, name in enumerate(names):
        ax.text(k, -0.18, name, ha="center", va="center", color="white" if surround < 128 else "black")
    ax.set(xlim=(left, left + wide), ylim=(-0.35, 1.15), aspect="equal")
    ax.axis("off")
    return ax


def _grey(level):
    return (level / 255,) * 3


def draw_two_marks(first, second, ax, label=None):
    """Second mark against first, for the items that have both; on the dotted line they are equal."""
    ax.plot([0, 100], [0, 100], color=GREY, linestyle=":", linewidth=1)
    ax.plot(first, second, color=BLUE, marker="o", linestyle="", label=label)
    ax.set(xlim=(0, 100), ylim=(0, 100), xlabel="first mark (points)", ylabel="second mark (points)")
    return ax


def draw_utilities(utilities, noise_std, ax):
    """How much A and B are liked at a moment: a Gaussian with this noise around each of the two utilities."""
    for utility, name, color, line in zip(utilities, "AB", (A_COLOR, B_COLOR), ("--", "-"), strict=True):
        grid = utility + noise_std * np.linspace(-4, 4, 161)
        ax.plot(grid, norm.pdf(grid, utility, noise_std), color=color, linestyle=line, label=f"judgement of {name}")
        ax.plot([utility] * 2, [0, norm.pdf(0, 0, noise_std)], color=color, linestyle=":", linewidth=1)
    ax.set(xlabel="how much it is liked now", ylabel="density")
    return ax


def draw_difference(gap, spread, ax):
    """The difference of two judgements, N(gap, spread²), and the part of it above 0: the probability of a choice."""
    grid = gap + spread * np.linspace(-4, 4, 321)
    density = norm.pdf(grid, gap, spread)
    ax.fill_between(grid, density, where=grid >= 0, color=B_COLOR, alpha=0.3, linewidth=0, label="B is chosen")
    ax.plot(grid, density, color="black", linestyle="-")
    ax.axvline(0, color=GREY, linestyle=":", linewidth=1)
    ax.set(xlabel="judgement of B − judgement of A", ylabel="density")
    return ax


def draw_choices(for_b, ax):
    """Choices in a row, each as the letter of the one that was chosen; for_b : (m,) booleans."""
    order = np.arange(len(for_b))
    for chosen, letter, color in ((~for_b, "$A$", A_COLOR), (for_b, "$B$", B_COLOR)):
        ax.plot(order[chosen], np.zeros(chosen.sum()), color=color, marker=letter, markersize=9, linestyle="")
    ax.set(xlim=(-0.7, len(for_b) - 0.3), ylim=(-1, 1))
    ax.axis("off")
    return ax


def draw_degree_density(precision, ax):
    """p(π | g) of a degree with precision ν as an image over the difference g in units of √2 σ; brighter is denser.

    Densities above 6 have the brightest colour. The dashed line is the mean, the dotted one is ½, which parts the
    two choices. Returns the image. Source: Jensen et al. (2011), figure 1.
    """
    g, degree = np.linspace(-4, 4, 161), np.linspace(0.0025, 0.9975, 200)
    mean = norm.cdf(g)
    density = beta.pdf(degree[:, None], precision * mean, precision * (1 - mean))
    image = ax.imshow(density, origin="lower", extent=(-4, 4, 0, 1), aspect="auto", vmin=0, vmax=6, cmap=HEAT)
    ax.plot(g, mean, color="white", linestyle="--", linewidth=1.2, label="mean", path_effects=DARK_EDGE)
    ax.axhline(0.5, color="white", linestyle=":", linewidth=1, label="½", path_effects=DARK_EDGE)
    ax.set(xlabel="difference g / (√2 σ)", title=f"ν = {precision:g}")
    return image


def draw_log_densities(degree, precisions, ax):
    """log p(degree | z) over z for each precision ν, thick where it bends upwards; dotted where Φ(z) is the degree."""
    z = np.linspace(-4, 4, 801)
    for precision, (color, line) in zip(precisions, RULE_LOOKS, strict=True):
        log_density, _, curvature, _ = Beta(precision).derivatives(np.array(degree), z)
        ax.plot(z, log_density, color=color, linestyle=line, label=f"ν = {precision}")
        ax.plot(z, np.where(curvature > 0, log_density, np.nan), color=color, **BENT)
    ax.plot([], [], color="black", **BENT, label="bends upwards")
    ax.axvline(norm.ppf(degree), color="black", linestyle=":", linewidth=1, label=f"Φ(z) = {degree:g}")
    ax.set(ylim=(-60, 4), xlabel="difference z = g / (√2 σ)", ylabel=f"log p({degree:g} | z)")
    ax.legend(fontsize=8)
    return ax


def draw_posteriors(values, weights, gaussians, ax):
    """Weighted draws of a difference as a histogram, and the Gaussians {rule: (mean, std)} that stand for them."""
    bins, grid = np.linspace(-5, 1.5, 66), np.linspace(-5, 1.5, 261)
    heights = weights / (bins[1] - bins[0])
    ax.hist(values, bins=bins, weights=heights, color="#BBBBBB", label="importance sampling")
    for (name, (mean, std)), (color, line) in zip(gaussians.items(), RULE_LOOKS, strict=True):
        ax.plot(grid, norm.pdf(grid, mean, std), color=color, linestyle=line, label=name)
    ax.set(ylabel="posterior density")
    return ax


def draw_plane(points, kept, gaussians, gaps, likelihood, ax):
    """The plane of the values of two items, which answers cut along the diagonal; what they speak against is darker.

    points : (n, 2) pairs of values;  kept : (n,) booleans;  gaussians : {name: belief}, each as its 90 % ellipse
    gaps, likelihood : (G,) each, of the answers, the greatest being 1
    """
    ends = np.array([-PLANE, PLANE])
    for level in np.linspace(0.1, 0.9, 5):
        possible = gaps[likelihood >= level]
        ax.fill_between(ends, -PLANE, ends + possible[0], color=GREY, alpha=0.07, linewidth=0)
        ax.fill_between(ends, ends + possible[-1], PLANE, color=GREY, alpha=0.07, linewidth=0)
    ax.plot(*points[~kept].T, ".", color=GREY, markersize=3, alpha=0.5, label="ruled out")
    ax.plot(*points[kept].T, ".", color=BLUE, markersize=4, label="still possible")
    for (name, gaussian), (color, line) in zip(gaussians.items(), PLANE_LOOKS, strict=False):
        ax.plot(*gaussian.ellipse(np.sqrt(chi2.ppf(0.9, 2))).T, color=color, linestyle=line, label=f"{name}, 90 %")
    ax.plot(ends, ends, color="black", linestyle="-", linewidth=0.8)
    ax.set(xlim=ends, ylim=ends, aspect="equal", xlabel="f(a)", ylabel="f(b)")
    return ax


def draw_cut(gaps, prior, likelihood, belief, ax):
    """The plane across its diagonal: prior × probability of the answers = posterior, each as high as the others.

    prior, likelihood : (G,) at the gaps;  belief : (mean, std) of the Gaussian that stands for the posterior
    """
    posterior = prior * likelihood
    ax.fill_between(gaps, posterior / posterior.max(), color=BLUE, alpha=0.25, linewidth=0, label="posterior")
    ax.plot(gaps, prior / prior.max(), color=GREY, linestyle=":", label="prior")
    ax.plot(gaps, likelihood, color="black", linestyle="--", label="p(answers | g)")
    ax.plot(gaps, np.exp(-0.5 * ((gaps - belief[0]) / belief[1]) ** 2), color=VERMILION, linestyle="-", label="EP")
    ax.set(xlim=(-5, 5), ylim=(0, 1.55), yticks=[], xlabel="g = f(b) − f(a)")
    return ax


def draw_comparisons(x, pairs, y, ax, height):
    """Which items were compared: an arc for each pair, from (n,) inputs, whose dot stands at the preferred one."""
    t = np.linspace(0, np.pi, 30)
    for (a, b), answer in zip(pairs, y, strict=True):
        middle, half = (x[a] + x[b]) / 2, (x[b] - x[a]) / 2
        ax.plot(middle - half * np.cos(t), height[0] + height[1] * np.sin(t), color=GREY, linewidth=0.8, linestyle="-")
        ax.plot([x[b] if answer > 0 else x[a]], [height[0]], color="black", marker="o", markersize=4)
    return ax


def draw_learning(sizes, rates, ax):
    """Learning curves: error rates {name: (sizes,)} against the number of comparisons, on a logarithmic axis."""
    labels = {"xlabel": "number of comparisons m", "ylabel": "share of wrong pairs"}
    return draw_by_size(sizes, rates, ax, LEARNING_LOOKS, 5, ylim=(0, None), **labels)


def draw_ranks(ranking, names, ax):
    """Mean rank of each item with the interval that holds it, the best at the top."""
    rows = np.arange(len(names))
    for row, item in zip(rows, ranking.order, strict=True):
        ax.hlines(row, ranking.low[item], ranking.high[item], color=BLUE, linewidth=2)
        ax.plot(ranking.mean[item], row, color=BLUE, marker="o", linestyle="")
    every = 1 if len(names) <= MANY_RANKS else 5
    ax.set(xlabel="rank (1 is the best)", ylim=(len(names) - 0.5, -0.5))
    ax.set_xticks(sorted({1, *range(every, len(names) + 1, every)}))
    return write_names([names[item] for item in ranking.order], ax, "y")
