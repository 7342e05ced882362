"""Explorers and checks of lecture 05: what a kernel expects, what answers change, and the evidence as a landscape.

Lecture: 05, sections 2, 3 and 5.
"""

import numpy as np

from course_lessons.gp_regression import plots
from course_lessons.gp_regression.conditioning import (
    BESIDE,
    HEIGHTS,
    NOISE_STD,
    X_GRID,
    X_TRAIN,
    conditioned,
    middle_and_beside,
)
from course_lessons.gp_regression.crossings import (
    KERNEL_CHOICES,
    N_FUNCTIONS,
    WAY,
    drawn_functions,
    expected_crossings,
    zero_crossings,
)
from course_lessons.gp_regression.landscape import (
    LENGTHSCALE_GRID,
    NOISE_STDS,
    SEVEN_X,
    SEVEN_Y,
    climb_path,
    evidence_terms,
    seven_points_map,
)
from course_lib import datasets, validation
from course_lib.gp import GPRegression, SquaredExponential
from course_widgets.controls import choice, log_slider, slider, switch
from course_widgets.drawings import HALF_BAND, draw_answers, draw_band
from course_widgets.frame import Explorer, PredictionFeedback
from course_widgets.replies import Near, likeness, reply
from course_widgets.style import GREEN, GREY, VERMILION


def _signed(value):
    """Two digits, with a minus sign instead of a hyphen, and no sign before zero."""
    return f"{round(float(value), 2) + 0.0:.2f}".replace("-", "−")


MOST_CARS, WEIGHTS = 40, np.linspace(1.5, 6.0, 91)  # thousands of pounds


def explore_cars():
    """Miles per gallon of a car by its weight, learned from more and more cars."""
    cars = datasets.load_auto_mpg()
    drawn = np.random.default_rng(0).permutation(len(cars.y))[:MOST_CARS]
    x, y = cars.X[drawn, cars.inputs.index("weight (pounds)")] / 1000, cars.y[drawn]
    model = GPRegression(SquaredExponential(30.0**2, 4.0), noise_std=4.0, optimize=False)  # near those of all cars
    known = [_band_by_weight(model.fit(x[:seen], y[:seen])) for seen in range(1, MOST_CARS + 1)]

    def draw(figure, seen):
        ax, band = figure.add_subplot(), known[seen - 1]
        plots.draw_cars(x[:seen], y[:seen], WEIGHTS, *band, ax, color="black", alpha=1.0, markersize=8)
        ax.set(xlim=(1.5, 6), ylim=(0, 50))
        ax.legend(loc="upper right", fontsize=9)
        return _cars_sentence(seen, *band)

    return Explorer(draw, figsize=(7, 3.2), seen=slider("cars seen", 1, MOST_CARS, 4))


def _band_by_weight(model):
    """Mean of curve and next car, standard deviation of the curve, and of the next car."""
    return *model.predict(WEIGHTS, return_std=True), model.predict_answer(WEIGHTS)[1]


def _cars_sentence(seen, mean, std, std_next):
    at = [int(np.argmin(np.abs(WEIGHTS - weight))) for weight in (3.0, 6.0)]
    (three, six), half, half_next = mean[at], HALF_BAND * std[at], HALF_BAND * std_next[at]
    curve, car = (f"[{three - one[0]:.1f}, {three + one[0]:.1f}]" for one in (half, half_next))
    return (
        f"The model has seen {seen} car{'s' * (seen > 1)}. At 3000 pounds its mean is {three:.1f} miles per gallon; "
        f"the 90 % interval is {curve} for the curve and {car} for the next car. At 6000 pounds the mean is "
        f"{six:.1f}, and the interval of the curve is [{six - half[1]:.1f}, {six + half[1]:.1f}]."
    ).replace("[-", "[−")


def explore_prior():
    """Functions drawn from kernels with a lengthscale and a standard deviation; how often they cross zero."""
    first = "squared exponential"
    return Explorer(
        _draw_prior,
        predict=(
            "The lengthscale ℓ is halved. What happens to the number of times that a function crosses zero?",
            ["it stays", "it doubles", "it is four times as large"],
        ),
        feedback=PredictionFeedback(
            "it doubles",
            "halving ℓ compresses the functions horizontally by a factor of two.",
            lambda kernel, lengthscale, std: kernel == first and 0.4 < lengthscale < 0.6,
        ),
        cases={
            "ℓ = 1": {"kernel": first, "lengthscale": 1.0, "std": 1.0},
            "ℓ halved": {"kernel": first, "lengthscale": 0.5, "std": 1.0},
            "σ_f doubled": {"kernel": first, "lengthscale": 1.0, "std": 2.0},
            "rough: Matérn 3/2": {"kernel": "Matérn 3/2", "lengthscale": 1.0, "std": 1.0},
            "periodic": {"kernel": "periodic, period 2", "lengthscale": 1.0, "std": 1.0},
            "wrong for a curve: linear": {"kernel": "linear", "lengthscale": 1.0, "std": 1.0},
        },
        figsize=(8, 3.4),
        kernel=choice("kernel", list(KERNEL_CHOICES)),
        lengthscale=log_slider("lengthscale ℓ", 0.2, 3.0, 1.0),
        std=log_slider("standard deviation σ_f", 0.3, 3.0, 1.0),
    )


def _draw_prior(figure, kernel, lengthscale, std):
    functions = std * drawn_functions(kernel, round(lengthscale, 3))
    ax = figure.add_subplot()
    spread = std * np.sqrt(KERNEL_CHOICES[kernel](lengthscale).diagonal(WAY[:, None]))
    draw_band(WAY, np.zeros(len(WAY)), spread, ax, color=GREY, linestyle=":")
    plots.draw_functions(WAY, functions[:5], ax)
    ax.set(xlim=(-3, 3), ylim=(-6, 6), xlabel="x", ylabel="f(x)")
    counts = zero_crossings(functions)
    expected = expected_crossings(kernel, lengthscale)
    theory = "" if expected is None else f"; Rice's formula gives {expected:.1f}"
    listed = ", ".join(map(str, counts[:5]))
    grows = " (the root of the mean variance in the picture)" if "linear" in kernel else ""
    return (
        f"{kernel}, ℓ = {lengthscale:.2f}, σ_f = {std:.2f}{grows}. The five functions cross zero {listed} times; "
        f"{N_FUNCTIONS} of them {counts.mean():.1f} times on average{theory}. The grey band holds 90 % of all values."
    )


SEEN = {"none": (), "the middle one": (1,), "left and middle": (0, 1), "all three": (0, 1, 2)}


def explore_conditioning():
    """A prior band with five functions; up to three answers, one of which moves up and down."""
    return Explorer(
        _draw_conditioning,
        predict=(
            "All three points are seen. The middle one moves far up. How does the width of the band change?",
            ["it becomes wider", "it becomes narrower", "its width stays"],
        ),
        feedback=PredictionFeedback(
            "its width stays",
            "the posterior variance depends on where we observed, not on what we observed.",
            lambda seen, y, lengthscale: seen == "all three" and y > 1.4,
        ),
        cases={
            "nothing seen": {"seen": "none", "y": 0.5, "lengthscale": 0.8},
            "three points": {"seen": "all three", "y": 0.5, "lengthscale": 0.8},
            "the middle one far up": {"seen": "all three", "y": 2.0, "lengthscale": 0.8},
            "ℓ too short": {"seen": "all three", "y": 0.5, "lengthscale": 0.2},
            "far up, and ℓ too long": {"seen": "all three", "y": 2.0, "lengthscale": 3.0},
        },
        figsize=(8, 3.4),
        seen=choice("points seen", list(SEEN)),
        y=slider("answer in the middle", -2.0, 2.0, 0.5, 0.1),
        lengthscale=log_slider("lengthscale ℓ", 0.2, 3.0, 0.8),
    )


def _draw_conditioning(figure, seen, y, lengthscale):
    chosen = list(SEEN[seen])
    heights = np.where(np.arange(3) == 1, y, HEIGHTS)
    mean, std, functions = conditioned(chosen, heights, lengthscale)
    pair, ax = figure.subplots(1, 2, width_ratios=(1, 1.9))
    figure.subplots_adjust(wspace=0.25)
    plots.draw_two_values(*middle_and_beside(chosen, heights, lengthscale), pair, cut=y if 1 in chosen else None)
    pair.set(xlabel="answer at x = 0", ylabel=f"f({BESIDE})")
    plots.draw_functions(X_GRID, functions, ax)
    draw_band(X_GRID, mean, std, ax, color="black")
    draw_answers(X_TRAIN[chosen], heights[chosen], ax)
    rest = [k for k in range(3) if k not in chosen]
    ax.plot(X_TRAIN[rest], heights[rest], color=GREY, marker="o", markersize=5, fillstyle="none", linestyle="none")
    middle, between = (np.argmin(np.abs(X_GRID - place)) for place in (0.0, BESIDE))
    half = HALF_BAND * std
    for place, color in ((middle, VERMILION), (between, GREY)):
        ax.axvline(X_GRID[place], color=color, linestyle="--", linewidth=0.8)
    ax.plot(
        2 * [BESIDE], mean[between] + np.array([-1, 1]) * half[between], color=VERMILION, linestyle="-", linewidth=4
    )
    ax.set(xlim=(-3, 3), ylim=(-plots.END, plots.END), xlabel="x", ylabel="f(x)")
    width = 2 * half
    return (
        f"Points seen: {seen}; the answer at the middle point is {y:.1f}, ℓ = {lengthscale:.2f}, and the noise "
        f"{NOISE_STD}. The 90 % band of f is "
        f"{width[middle]:.3f} wide at x = 0, {width[between]:.3f} at x = {BESIDE}, {width.mean():.3f} on average. "
        f"The mean is {_signed(mean[middle])} at x = 0 and {_signed(mean[between])} at x = {BESIDE}."
    )


def explore_evidence():
    """Seven points, a lengthscale and a noise: the function they give, the terms of the evidence, and its map."""
    return Explorer(
        _draw_evidence,
        predict=(
            "Seven points, two unknowns, ℓ and σ_n. How many local maxima does the log evidence have?",
            ["one", "two", "none: ever shorter ℓ is better"],
        ),
        feedback=PredictionFeedback(
            "two",
            "the points may follow a wiggly curve with little noise or a flat one with much: each is a maximum.",
            lambda lengthscale, noise_std, show_map: show_map,
        ),
        cases={
            "wiggly": {"lengthscale": 0.73, "noise_std": 0.30, "show_map": True},
            "flat": {"lengthscale": 8.41, "noise_std": 0.63, "show_map": True},
            "too sure": {"lengthscale": 2.0, "noise_std": 0.05, "show_map": True},
            "every point for itself": {"lengthscale": 0.1, "noise_std": 0.5, "show_map": True},
        },
        actions={"Optimise from here": _optimise},
        figsize=(9, 4.6),
        lengthscale=log_slider("lengthscale ℓ", 0.1, 10.0, 1.5),
        noise_std=log_slider("noise σ_n", 0.02, 2.0, 0.8),
        show_map=switch("show the whole map"),
    )


def _optimise(explorer):
    here = (explorer.values()[name] for name in ("lengthscale", "noise_std"))
    lengthscale, noise_std = climb_path(*here)[-1].tolist()
    explorer.set(lengthscale=lengthscale, noise_std=noise_std)


def _draw_evidence(figure, lengthscale, noise_std, show_map):
    figure.subplots_adjust(left=0.13, right=0.9)  # for the names of the bars, the numbers of the colours
    columns = figure.add_gridspec(1, 2, width_ratios=(1, 1.15), wspace=0.3)
    left = columns[0].subgridspec(2, 1, height_ratios=(1.5, 1), hspace=0.45)
    right = columns[1].subgridspec(1, 2, width_ratios=(1, 0.04), wspace=0.04)
    curve, bars, chart = (figure.add_subplot(panel) for panel in (left[0], left[1], right[0]))
    grid = np.linspace(0, 5.5, 166)
    model = GPRegression(SquaredExponential(1.0, lengthscale), noise_std=noise_std, optimize=False, center=False)
    draw_band(grid, *model.fit(SEVEN_X, SEVEN_Y).predict(grid, return_std=True), curve)
    draw_answers(SEVEN_X, SEVEN_Y, curve)
    curve.set(xlim=(0, 5.5), ylim=(-2.2, 2.2), xlabel="x", ylabel="y, f(x)")
    terms = evidence_terms(SEVEN_X, SEVEN_Y, lengthscale, noise_std)
    plots.draw_evidence_terms(terms, bars)
    _draw_chart(chart, lengthscale, noise_std, figure.add_subplot(right[1]) if show_map else None)
    sentence = (
        f"ℓ = {lengthscale:.2f}, σ_n = {noise_std:.2f}: log evidence {_signed(sum(terms.values()))} = "
        f"fit {_signed(terms['fit'])}, complexity {_signed(terms['complexity'])}, "
        f"constant {_signed(terms['constant'])}. Blue: the mean of f and its 90 % band."
    )
    if show_map:
        ell, noise = climb_path(lengthscale, noise_std)[-1]
        sentence += (
            f" From here (circle) the optimiser (dotted) ends at ({ell:.2f}, {noise:.2f}) (triangle). White: "
            f"more than {plots.DEPTH:g} nats below the maximum."
        )
    return sentence


def _draw_chart(ax, lengthscale, noise_std, bar):
    point = {"markersize": 9, "markeredgecolor": "black", "linestyle": "none"}
    if bar is not None:
        plots.draw_landscape(LENGTHSCALE_GRID, NOISE_STDS, seven_points_map(), ax, bar)
        path = np.log10(climb_path(lengthscale, noise_std))
        ax.plot(*path.T, color="black", linestyle=":", marker=".", markersize=4, linewidth=1, label="climb")
        ax.plot(*path[-1], color=GREEN, marker="^", label="its end", **point)
    ax.plot(np.log10(lengthscale), np.log10(noise_std), color=VERMILION, marker="o", label="here", **point)
    if bar is not None:
        ax.legend(loc="lower right", fontsize="small")
    ax.set(xlim=(-1.03, 1.03), ylim=(np.log10(0.0187), np.log10(2.14)), xlabel="lengthscale ℓ", ylabel="noise σ_n")
    for set_ticks, ticks in ((ax.set_xticks, (0.1, 0.3, 1, 3, 10)), (ax.set_yticks, (0.02, 0.06, 0.2, 0.6, 2))):
        set_ticks(np.log10(ticks), [f"{tick:g}" for tick in ticks])


def check_told(my_mean, my_variance, correlation, answer, noise_std):
    """Feedback on the belief about f₂ that a student worked out from a noisy answer about f₁, as one sentence.

    Both have variance 1 and correlation ρ beforehand; answer is y₁ = f₁ + ε, ε ~ N(0, noise_std²).
    """
    rho, answer = validation.finite(correlation, "correlation"), validation.finite(answer, "answer")
    noise = validation.positive(noise_std, "noise_std")
    share, less = rho / (1 + noise**2), rho / (1 + noise)
    mean, variance = share * answer, 1 - share * rho
    rules = {
        "✓ Both are right.": (mean, variance),
        "✗ This is without the noise. What is the variance of y₁?": (rho * answer, 1 - rho * rho),
        "✗ The noise enters by its variance, σ_n², not by σ_n.": (less * answer, 1 - less * rho),
        mean: {
            "✗ The mean is right. The variance loses share · ρ, not its square: E[f₂ y₁] is still ρ.": 1 - share**2,
            "✗ This is the variance of the next measurement. The question is about f₂ itself.": variance + noise**2,
        },
        "✗ The mean is right. The variance: E[f₂²] minus share · E[f₂ y₁].": Near(mean, 0.006, 0),
        "✗ Not yet. Which share of y₁ must be subtracted from f₂, so that E[(f₂ − share · y₁) y₁] = 0?": None,
    }
    return reply("write the mean and the variance.", rules, atol=0.006, my_mean=my_mean, my_variance=my_variance)


def check_mean(my_mean, K, K_cross, y, noise_std):
    """Feedback on the posterior mean at new inputs that a student computed in one line, as one sentence.

    K, K_cross : (n, n) and (n, q) covariances among the items, and of items and new inputs;  my_mean : (q,)
    """
    K, K_cross = validation.real_array(K, "K"), validation.real_array(K_cross, "K_cross")
    if K.ndim != 2 or K.shape[0] != K.shape[1] or K_cross.ndim != 2 or len(K_cross) != len(K):
        raise ValueError(f"K has shape {K.shape} and K_cross {K_cross.shape}; (n, n) and (n, q) are needed.")
    y, noise = validation.matrix(y, "y", (len(K),)), validation.positive(noise_std, "noise_std")
    if my_mean is None:
        return "○ Nothing to check yet: write one line."
    mine = validation.matrix(my_mean, "my_mean", (K_cross.shape[1],))
    noisy = K + noise**2 * np.eye(len(y))
    weights = {
        "✓ Right.": np.linalg.lstsq(noisy, y)[0],
        "✗ The noise is missing: the covariance of the answers is K + σ_n² I.": np.linalg.lstsq(K, y)[0],
        "✗ The diagonal contains the variance σ_n², not σ_n.": np.linalg.lstsq(K + noise * np.eye(len(y)), y)[0],
        "✗ Multiplied by K + σ_n² I where its inverse is needed: np.linalg.solve(…, y).": noisy @ y,
        "✗ K + σ_n² I is missing: these are sums of the answers, each as if it stood alone.": y,
    }
    otherwise = "✗ Not yet: K_crossᵀ times the solution of (K + σ_n² I) · weights = y."
    return likeness(mine, {sentence: K_cross.T @ w for sentence, w in weights.items()}, otherwise, atol=1e-3)
