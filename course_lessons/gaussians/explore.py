"""Explorers and checks of lecture 02: a distance as a sum of squares, the covariance, the likelihood, one's own voice.

Lecture: 02, sections 2–4 and 7.
"""

from functools import cache

import numpy as np

from course_lessons.gaussians import own, plots
from course_lib import audio, datasets, validation
from course_lib.sequences import Gaussian, fit_gaussian
from course_widgets.controls import choice, slider, switch
from course_widgets.frame import Explorer, PredictionFeedback
from course_widgets.microphone import RecordingExplorer
from course_widgets.replies import reply

AWAY = 0.3  # from the mean, in the unit of the coefficients


def explore_squares():
    """Real frames and a point at one Euclidean distance from their mean, in whose other distance squares add up."""
    train = datasets.load_japanese_vowels().train
    frames = np.concatenate(train.select(train.labels == 1).sequences)[:, [3, 7]]
    gaussian = fit_gaussian(frames)

    def draw(figure, direction):
        figure.subplots_adjust(left=0.1, wspace=0.2)
        angle = np.deg2rad(direction)
        point = gaussian.mean + AWAY * np.array([np.cos(angle), np.sin(angle)])
        z = plots.draw_squares(frames, gaussian, point, figure.subplots(1, 2))
        long, short = np.round(np.abs(z), 1)
        return (
            f"The point stays {AWAY:.2f} from the mean. Along the axes of the cloud it is {long:.1f} and {short:.1f} "
            f"standard deviations away; its squared Mahalanobis distance (section 2) is the sum of the two squares, "
            f"{np.sum(z**2):.1f}."
        )

    return Explorer(draw, figsize=(8, 4.2), direction=slider("direction (°)", 0, 350, 150, 10))


CLOUD = np.random.default_rng(2).normal(size=(400, 2))
MARKED_POINTS = {"A": (1.0, 1.0), "B": (1.0, -1.0)}
LIMIT = 5.0
# The page says them, too.
COVARIANCE_SENTENCE = (
    "Σ = [{xx:.2f} {xy:.2f}; {xy:.2f} {yy:.2f}]. Along the axes of the ellipse the standard deviations are {wide:.2f} "
    "and {narrow:.2f}, the roots of the eigenvalues of Σ. A is {a:.2f} standard deviations from the mean, B {b:.2f}. "
    "{compared}"
)
SAME_DENSITY = "The density is the same at both."
OTHER_DENSITY = "The density at {higher} is {times} times the density at {lower}."
MANY_TIMES = "about 10^{digits:.0f}"


def explore_covariance():
    """A cloud of 400 points under two standard deviations and a correlation, its ellipses and two marked points."""
    return Explorer(
        _draw_covariance_case,
        predict=(
            "A = (1, 1) and B = (1, −1) have the same Euclidean distance from the mean (0, 0). Both "
            "standard deviations are 1, the correlation is 0.8. How many times as large is the density at A as at B?",
            ["equal", "3 times", "9 times", "more than 50 times"],
        ),
        feedback=PredictionFeedback(
            "more than 50 times",
            "85 times. The squared distances are 1.11 and 10, and half their difference is the exponent.",
            lambda std_x, std_y, correlation: (std_x, std_y, round(correlation, 2)) == (1.0, 1.0, 0.8),
        ),
        cases={
            "no correlation": {"std_x": 1.0, "std_y": 1.0, "correlation": 0.0},
            "correlation 0.8": {"std_x": 1.0, "std_y": 1.0, "correlation": 0.8},
            "the same, x twice as wide": {"std_x": 2.0, "std_y": 1.0, "correlation": 0.8},
            "almost singular": {"std_x": 1.0, "std_y": 1.0, "correlation": 0.99},
        },
        figsize=(5.4, 4.8),
        std_x=slider("standard deviation of x", 0.3, 2.0, 1.0, 0.1),
        std_y=slider("standard deviation of y", 0.3, 2.0, 1.0, 0.1),
        correlation=slider("correlation ρ", -0.99, 0.99, 0.0, 0.01),
    )


def _draw_covariance_case(figure, std_x, std_y, correlation):
    between = correlation * std_x * std_y
    gaussian = Gaussian([0, 0], [[std_x**2, between], [between, std_y**2]])
    cloud = CLOUD @ np.linalg.cholesky(gaussian.covariance).T
    plots.draw_covariance(cloud, gaussian, MARKED_POINTS, figure.add_subplot(), LIMIT)
    return _covariance_sentence(gaussian)


def _covariance_sentence(gaussian):
    (xx, xy), (_, yy) = gaussian.covariance
    narrow, wide = np.sqrt(np.linalg.eigvalsh(gaussian.covariance))
    log_densities = gaussian.log_density(np.array(list(MARKED_POINTS.values())))
    a, b = np.sqrt(2 * (gaussian.log_density(gaussian.mean[None]) - log_densities))
    found = {"xx": xx, "xy": xy, "yy": yy, "wide": wide, "narrow": narrow, "a": a, "b": b}
    found = {name: round(float(number), 9) for name, number in found.items()}  # 3.125 is so on every machine
    compared = _compared(log_densities[0] - log_densities[1])
    return COVARIANCE_SENTENCE.format(**found, compared=compared).replace("-", "−")


def _compared(log_ratio):
    """How the densities at A and B compare, in words."""
    if abs(log_ratio) < 1e-9:
        return SAME_DENSITY
    higher, lower = ("A", "B") if log_ratio > 0 else ("B", "A")
    digits = abs(log_ratio) / np.log(10)
    times = f"{10**digits:.3g}" if digits < 3 else MANY_TIMES.format(digits=digits)
    return OTHER_DENSITY.format(higher=higher, times=times, lower=lower)


LOWEST_MEAN, HIGHEST_MEAN, LEAST_STD, MOST_STD = 1.0, 2.0, 0.08, 0.8


@cache
def twenty_values():
    """(20,) first coefficient in the middle frame of the first 20 utterances of speaker 1 of the Japanese vowels."""
    train = datasets.load_japanese_vowels().train
    utterances = train.select(train.labels == 1).sequences[:20]
    return np.array([utterance[len(utterance) // 2, 0] for utterance in utterances])


def explore_likelihood():
    """Twenty real values under a Gaussian curve with two sliders, and where they stand on the log likelihood."""
    values = twenty_values()
    mean, std = float(values.mean()), float(values.std())
    return Explorer(
        _draw_likelihood_case,
        predict=(
            "Let μ be right. The spread σ may be half of the best value, or twice the best value. Which mistake costs "
            "more log likelihood?",
            ["half", "twice", "both the same"],
        ),
        feedback=PredictionFeedback(
            "half",
            "it costs 16, twice costs 6: a single value in the tail of a narrow curve makes the product tiny.",
            lambda mean, std, all_pairs: all_pairs and std <= 0.55 * float(values.std()),
        ),
        cases={
            "the maximum": {"mean": mean, "std": std, "all_pairs": True},
            "σ halved": {"mean": mean, "std": std / 2, "all_pairs": True},
            "σ doubled": {"mean": mean, "std": 2 * std, "all_pairs": True},
            "μ wrong and σ halved": {"mean": mean - std, "std": std / 2, "all_pairs": True},
        },
        actions={
            "Best μ": lambda e: e.set(mean=mean),
            "Best σ for this μ": lambda e: e.set(std=_root_mean_square(values - e.values()["mean"])),
        },
        figsize=(8.6, 3.5),
        mean=slider("mean μ", LOWEST_MEAN, HIGHEST_MEAN, 1.2, 0.02),
        std=slider("standard deviation σ", LEAST_STD, MOST_STD, 0.6, 0.01),
        all_pairs=switch("show the map of all μ and σ"),
    )


def _draw_likelihood_case(figure, mean, std, all_pairs):
    values = twenty_values()
    left, right = figure.subplots(1, 2, gridspec_kw={"wspace": 0.24})
    left.set_xlim(LOWEST_MEAN - 0.3, HIGHEST_MEAN + 0.4)
    plots.draw_values_under_curve(values, mean, std, left, highest=0.4 / LEAST_STD + 0.1)
    left.set(xlabel="coefficient 1", title="20 values, and the density of each")
    left.set(xticks=(1.0, 1.5, 2.0), yticks=(0, 2, 4))
    if all_pairs:
        means, stds = np.linspace(LOWEST_MEAN, HIGHEST_MEAN, 100), np.linspace(LEAST_STD, MOST_STD, 100)
        plots.draw_likelihood(values, mean, std, right, means, stds)
    else:
        right.text(0.5, 0.5, "the map is hidden", ha="center")
        right.set_axis_off()
    return _likelihood_sentence(values, mean, std, all_pairs)


def _likelihood_sentence(values, mean, std, all_pairs):
    here = plots.likelihood_surface(values, [mean], [std])[0, 0]
    best = plots.likelihood_surface(values, [values.mean()], [values.std()])[0, 0]
    spread = _root_mean_square(values - mean)
    place = f"The log likelihood at μ = {mean:.2f}, σ = {std:.2f} is {here:.1f}".replace("-", "−")
    if best - here < 0.005:
        return f"{place}: the maximum. σ is the root of the mean squared deviation from the mean."
    if abs(std / spread - 1) < 0.005:
        advice = "No other σ is better for this μ: it is the root of the mean squared deviation from it"
    else:
        advice = f"The best σ for this μ would be {spread:.2f}"
    return f"{place}{f', {best - here:.1f} below the maximum (star)' if all_pairs else ''}. {advice}."


def _root_mean_square(deviations):
    return float(np.sqrt(np.mean(deviations**2)))


VOICE_SENTENCE = (
    "“{said}” has {count} loud frames. By {known} the {best} is the most probable voice, {lead:.2f} nats a "
    "frame before the {second}; the least probable is the {last}, {gap:.2f} behind. "
    "The points show coefficients {x} and {y}."
)
PLANES = {f"coefficients {k} and {k + 1}": (k, k + 1) for k in range(1, own.N_COEFFICIENTS, 2)}


def explore_my_voice():
    """One's own loud frames among the Gaussians of four voices: whose they are by few coefficients, and by many."""
    return RecordingExplorer(
        _draw_my_voice,
        own.ready_sayings(),
        "goodbye",
        predict=(
            "The English woman says “goodbye”. How many coefficients do the four Gaussians need to find her?",
            ["two are enough", "about six", "not even twelve are enough"],
        ),
        feedback=PredictionFeedback(
            "about six",
            "in a plane the four ellipses overlap; with six coefficients all seven of her recordings are found.",
            lambda known, plane: known >= 6,
        ),
        cases={"six coefficients": {"known": 6}, "all twelve": {"known": own.N_COEFFICIENTS}},
        listen=lambda recording, **_: audio.play(
            recording.samples, recording.rate, recording.name, f"A person says: “{recording.name}”."
        )._repr_html_(),
        figsize=(8.5, 3.4),
        known=slider("coefficients that the models know", 1, own.N_COEFFICIENTS, 1),
        plane=choice("in the plane", PLANES),
    )


def _draw_my_voice(figure, recording, known, plane):
    frames, columns = own.loud_frames(recording.samples, recording.rate), tuple(k - 1 for k in plane)
    scores = own.voice_scores(frames, known)
    panels = figure.subplots(1, 2, gridspec_kw={"wspace": 0.5, "width_ratios": (1.2, 1)})
    plots.draw_voices(frames[:, columns], own.voice_models(columns), scores, plane, panels)
    (best, most), (second, more), *_, (last, least) = scores.items()
    return VOICE_SENTENCE.format(
        said=recording.name,
        count=len(frames),
        known=f"the first {known} coefficients" if known > 1 else "the first coefficient",
        best=best,
        lead=most - more,
        second=second,
        last=last,
        gap=most - least,
        x=plane[0],
        y=plane[1],
    )


def check_log_density(mine, point, mean, variances):
    """Feedback on a log density under a diagonal Gaussian that a student worked out by hand, as one sentence.

    mine : right to 0.006;  point, mean, variances : (D,) each; the variances stand on the diagonal of Σ
    """
    variances = validation.positives(variances, "variances")
    point, mean, variances = validation.vectors(point=point, mean=mean, variances=variances)
    D = point.size
    constant, wide, off = D * np.log(2 * np.pi), np.log(variances).sum(), (point - mean) ** 2
    far = (off / variances).sum()
    with_stds = -(constant + wide / 2 + far) / 2
    rules = {
        "✓ Right: the three terms, and minus one half.": -(constant + wide + far) / 2,
        "✗ {mine:g}: this is the bracket. Which factor stands in front of it?": constant + wide + far,
        "✗ {mine:g}: the factor is minus one half, not minus one.": -(constant + wide + far),
        "✗ {mine:g}: the constant D log 2π is missing.": -(wide + far) / 2,
        "✗ {mine:g}: log |Σ| is missing, the penalty for width.": -(constant + far) / 2,
        "✗ {mine:g}: log |Σ| has the logs of the variances, you took standard deviations.": with_stds,
        "✗ {mine:g}: divide by the variances: Σ⁻¹, not Σ.": -(constant + wide + (variances * off).sum()) / 2,
        "✗ {mine:g}: divide by σ², not by σ.": -(constant + wide + (off / np.sqrt(variances)).sum()) / 2,
        "✗ {mine:g}: this is the density. Take its log.": np.exp(-(constant + wide + far) / 2),
        f"✗ Not {{mine:g}}. Write the three terms down one by one, for D = {D}: which one are you unsure of?": None,
    }
    return reply("", rules, atol=0.006, rtol=0, mine=mine)


def check_ellipse(my_long, my_short, covariance):
    """Feedback on the standard deviations along the axes of an ellipse, worked out by hand, as one sentence.

    my_long, my_short : right to 0.006;  covariance : (2, 2)
    """
    covariance = Gaussian([0.0, 0.0], covariance).covariance
    variances, sides = np.linalg.eigvalsh(covariance), np.sqrt(np.diag(covariance))
    rules = {
        "✓ Both are right: roots of the eigenvalues.": np.sqrt(variances),
        "✗ The numbers are right, in the wrong order: the long axis first.": np.sqrt(variances[::-1]),
        "✗ These are the eigenvalues: variances along the axes. Which standard deviations are they?": variances,
        "✗ These are the standard deviations of x and of y. The ellipse has axes of its own.": [sides, sides[::-1]],
        "✗ Not yet. An eigenvector for equal variances is (1, 1): what is Σ times it? And times (1, −1)?": None,
    }
    return reply("write both.", rules, atol=0.006, my_short=my_short, my_long=my_long)
