"""Drawings of marks on a bounded scale: what a likelihood expects, and where the next mark may lie. Each draws on its
axes and returns them.

Lecture: 07, sections 4, 5 and 7.
"""

import numpy as np
from scipy.special import ndtri
from scipy.stats import norm

from course_lessons.bounded_answers import densities
from course_widgets.style import BLUE, GREEN, GREY, HALO, ORANGE, SKY, VERMILION

HIGHEST = 8.0  # densities above it are drawn as dark as it
DENSITY_COLORMAP = "Greys"
FAR_OUT = np.linspace(-8.0, 8.0, 161)  # latents: all means that a model can have


def draw_shades(x, y, density, ax):
    """A density of the mark (vertical) at each place x, as shades of grey: the darker, the denser.

    x : (Q,), evenly spaced;  y : (G,), ascending;  density : (G, Q)
    """
    even = np.linspace(0.0, 1.0, 201)
    shades = np.transpose([np.interp(even, y, column) for column in density.T])
    ax.imshow(
        shades, cmap=DENSITY_COLORMAP, vmin=0, vmax=HIGHEST, origin="lower", aspect="auto", extent=(x[0], x[-1], 0, 1)
    )
    ax.set(ylim=(0, 1), yticks=[0, 0.5, 1])
    return ax


def draw_centre(x, mean, mode, ax):
    """The mean and the most likely mark at each place; both (Q,), NaN where there is no single one."""
    ax.plot(x, mean, color=VERMILION, linestyle="-", label="mean", path_effects=HALO)
    if np.isfinite(mode).any():
        ax.plot(x, mode, color=BLUE, linestyle="--", label="mode", path_effects=HALO)
    return ax


def draw_mark_density(y, density, ax, mean, peak=None, other=None, peak_name="mode"):
    """The density of one mark, with its mean and its hill; beside it another density to compare with.

    y, density : (G,);  other : (density (G,), label), or None;  mean : the mean mark
    peak : the highest place inside the scale, or None if there is no hill;  peak_name : what the legend calls it (it
        is the mode only where the density is finite at the bounds)
    """
    ax.fill_between(y, np.minimum(density, 2 * HIGHEST), color=GREY, alpha=0.25, linewidth=0)
    ax.plot(y, density, color=GREY, linestyle="-")
    if other is not None:
        ax.plot(y, other[0], color=GREEN, linestyle="-.", label=other[1])
    ax.axvline(mean, color=VERMILION, linestyle="-", label=f"mean {mean:.2f}")
    if peak is not None:
        ax.axvline(peak, color=BLUE, linestyle="--", label=f"{peak_name} {peak:.2f}")
    ax.set(xlim=(0, 1), ylim=(0, HIGHEST), xlabel="mark y", ylabel="density")
    ax.legend(loc="upper left", fontsize=9)
    return ax


def draw_percentiles(x, mean, percentiles, ax):
    """The mean mark, and dotted the ends of the central 68 % and 95 %: percentiles (4, Q)."""
    ax.plot(x, mean, color=VERMILION, linestyle="-", linewidth=1.5, label="mean")
    for k, line in enumerate(percentiles):
        label = "68 % and 95 %" if k == 0 else None
        ax.plot(x, line, color=BLUE, linestyle=":", linewidth=1.3, label=label)
    return ax


def draw_marks(train, test, ax):
    """Marks that were learned from, and others; each (X (n, 1), y (n,))."""
    ax.plot(train[0][:, 0], train[1], "+", color=ORANGE, markersize=7, markeredgewidth=1.8, label="learned from")
    ax.plot(test[0][:, 0], test[1], ".", color=GREEN, markersize=4, label="others")
    return ax


def draw_predicted_marks(x, fit, ax, percentiles=True):
    """The predicted density of a mark along the input as shades with contours, its mean and its central intervals.

    x : (Q,);  fit : model of the marks;  percentiles : False leaves out mean and intervals
    """
    rows, (center, spread) = densities.GRID_Y[::3], fit.predict_latent(x[:, None])
    density = np.exp(fit.likelihood_.log_predictive_density(rows[:, None], center, spread**2))
    if percentiles:
        ends = densities.percentiles(rows, density, [0.025, 0.16, 0.84, 0.975])
        draw_percentiles(x, fit.predict(x[:, None]), ends, ax)
    draw_shades(x, rows, density, ax)
    ax.contour(x, rows, density, levels=[0.5, 1, 2, 4], colors="#8c8c8c", linewidths=0.6)
    return ax


def draw_spreads(spreads, ax, items=()):
    """Which model, when: how a mark's standard deviation changes with its mean, under each model and for real items.

    spreads : standard deviations where the mean is 0.5, a curve of each model for each
    items : of (name, (C, 2) mean and standard deviation of the marks of each item, marker)
    """
    for k, spread in enumerate(spreads):
        ax.axhline(spread, color=GREY, linestyle=":", linewidth=1.5, label=None if k else "ordinary")
        curves = densities.alike_in_the_middle(spread).items()
        for (name, likelihood), color, line in zip(curves, (BLUE, ORANGE, GREEN), ("-", "--", "-."), strict=True):
            mean, std = likelihood.mean(FAR_OUT), np.sqrt(likelihood.variance(FAR_OUT))
            ax.plot(mean, std, color=color, linestyle=line, label=None if k else name)
    for name, found, marker in items:
        ax.plot(*np.transpose(found), marker, color="black", markersize=7, markerfacecolor="none", label=name)
    ax.set(xlim=(0, 1), ylim=(0, None), xlabel="mean mark", ylabel="standard deviation of marks")
    return ax


def draw_shapes(centre, spread, ax):
    """The density of a mark under the three models of `draw_spreads`, where Φ(f) is the centre."""
    at = densities.GRID_Y
    curves = densities.alike_in_the_middle(spread).items()
    for (name, likelihood), color, line in zip(curves, (BLUE, ORANGE, GREEN), ("-", "--", "-."), strict=True):
        ax.plot(at, np.exp(likelihood.log_density(at, ndtri(centre))), color=color, linestyle=line, label=name)
    ax.axvline(centre, color=GREY, linewidth=1)
    ax.set(xlim=(0, 1), ylim=(0, HIGHEST), xlabel="mark y", ylabel="density", title=f"Φ(f) = {centre:g}")
    return ax


def draw_bell_over_marks(marks, mean, std, ax):
    """A histogram of marks from 0 to 100, a Gaussian over it, and what of the Gaussian lies beyond the scale."""
    at = np.linspace(-40, 140, 361)
    bell = norm.pdf(at, mean, std)
    ax.hist(marks, bins=np.arange(0, 101, 10), density=True, color=SKY, edgecolor="white", label="marks of 104 jurors")
    ax.plot(at, bell, color=BLUE, linestyle="-", label="Gaussian")
    for beyond in (at <= 0, at >= 100):
        ax.fill_between(at[beyond], bell[beyond], color=VERMILION, alpha=0.6, linewidth=0)
    for end, top in ((0, 0.55), (100, 1)):  # the legend stands above 0
        ax.axvline(end, ymax=top, color="black", linestyle=":", linewidth=1)
    ax.fill_between([], [], color=VERMILION, alpha=0.6, label="impossible marks")
    ax.set(xlim=(-30, 130), ylim=(0, 0.045), yticks=[], xlabel="how sure of the verdict, from 0 to 100")
    ax.legend(loc="upper left", fontsize=9)
    return ax
