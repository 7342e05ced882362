"""The checks of homework 12: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import json

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, near, not_finite, times, whole

HAND = "by hand"


def smooth(x, variance, lengthscale):
    """Covariances of a smooth function on a line: the squared exponential."""
    steps = (array(*x)[:, None] - array(*x)) / lengthscale
    return variance * np.exp(-(steps**2) / 2)


def drawn(seed, size, mean, x, lengthscale):
    """Functions drawn round a mean, at places on a line."""
    rng = np.random.default_rng(seed)
    waves = rng.normal(size=(2, size, 9))
    angle = np.outer(np.arange(9), x) / (3 * lengthscale)
    return np.round(array(*mean) + (waves[0] @ np.cos(angle) + waves[1] @ np.sin(angle)) / 3, 3)


def draw_posterior(rng, q):
    """Means and covariances of q settings."""
    F = rng.normal(size=(q, q + 1))
    return rng.normal(size=q), np.round(F @ F.T / 2, 3)


# -------------------------------------------------------------------------------------------------------------- 1 gain

LINE, COMMON, BEHIND = ("five settings on a line", "what all have in common", "the best is far ahead")


def draw_gain(rng, k):
    """Settings near the best or behind it, by ten standard deviations too, or with values that are known."""
    q = 2 + k % 4
    (mean, cov), best = draw_posterior(rng, q), int(rng.integers(q))
    if k % 5 == 3:
        return np.round(mean, 2), np.full((q, q), 0.75), best
    if k % 5 == 4:
        return -np.round(8 * np.sqrt(np.diag(cov) + cov[best, best] - 2 * cov[best]), 2), cov, best
    return mean * (0.4, 1, 2)[k % 3], cov, best


def known_lost(case, got):
    """Whether there is a NaN or an infinity where the improvement is known."""
    _, cov, best = case.inputs
    known = np.diag(cov) + cov[best, best] == 2 * cov[best]
    return (
        not_finite(case, got)
        and all(len(part) == len(known) for part in got)
        and not_finite(case, tuple(part[known] for part in got))
    )


gain = Task(
    name="gain",
    function="three_numbers",
    arguments=("mean", "cov", "best"),
    title="Task 1 · Three numbers that are not one",
    stars=1,
    minutes=20,
    points=4,
    cases=(
        Case(HAND, (array(1, 2), array([4, 1], [1, 2]), 0)),
        Case(LINE, (array(0.4, 1.1, 0.7, 1.6, -0.3), smooth((0, 0.5, 0.9, 1.8, 3.1), 1.9, 0.8), 1)),
        Case(
            COMMON,
            (array(1, 1.5, 0.5, 1), 2 * np.ones((4, 4)), 3),
            (array(0, 1, 0, 0), array(0, 0.5, 0, 0), array(0, 0.5, 0, 0)),
        ),
        Case(BEHIND, (array(-3.7, 0.1, 2.3), array([0.9, 0.2, -0.4], [0.2, 1.7, 0.1], [-0.4, 0.1, 0.6]), 2)),
    ),
    mistakes=(
        Mistake(
            "what is left when 0 was divided by 0",
            "What is f_best − f_best? It is 0, and known: no improvement, with probability 0. Where the standard "
            "deviation is 0, nothing is to be divided by it.",
            when=known_lost,
        ),
        Mistake(
            "as if the best setting's value were known",
            "Is f_best known? It is as uncertain as the model says: which term of the variance stands for it?",
            wrong_functions=("best taken as known", "best's variance alone"),
        ),
        Mistake(
            "as if the two values erred independently, or against each other",
            "Do f_j and f_best err together? Var(f_j − f_best) = Σ_jj + Σ_bb − 2 Σ_jb. At j = best it must be 0.",
            wrong_functions=("covariance forgotten", "covariance added", "covariance once"),
        ),
        Mistake(
            "with another unit below the line",
            "What unit has z? None: it is a mean divided by a standard deviation, and φ stands beside a standard "
            "deviation too.",
            wrong_functions=("variance for std", "not divided", "std forgotten before φ"),
        ),
        Mistake(
            "the improvement of those draws that improve, under another name",
            "Whose mean is it? E[max(I, 0)] counts the draws without improvement as 0; the mean of the cut-off normal "
            "leaves them out. Which of the two is to be divided by Φ(z)?",
            wrong_functions=(
                "cut-off normal twice",
                "never divided",
                "multiplied by Φ",
                "expected and third exchanged",
            ),
        ),
        Mistake(
            "as if φ and Φ had changed places",
            "What remains where z is large? An improvement that is sure: mean · 1. So which of φ and Φ goes with "
            "the mean? (One of the thesis' appendices prints it with the wrong letter.)",
            wrong_functions=("φ for Φ", "φ and Φ exchanged", "density as probability"),
        ),
        Mistake(
            "what the best setting would gain",
            "Larger is better here: which sign has an improvement of f_j over f_best?",
            wrong_functions=("signs turned", "minimising"),
        ),
        Mistake(
            "as if the mean were the truth",
            "May a setting whose mean is lower be better? The standard deviation counts, too.",
            wrong_functions=("certainty", "gain of the means", "z alone"),
        ),
        Mistake(
            "as if losses counted",
            "What does a draw add that is worse than the best? Nothing: you keep the best.",
            wrong_functions=("absolute value", "φ term alone"),
        ),
        Mistake(
            "as if another setting were the best",
            "Which one is to be improved upon? The one with the number `best`: the best that was heard, which need "
            "not have the highest mean.",
            wrong_functions=("highest mean", "first one"),
        ),
        Mistake(
            "another probability where nothing is open",
            "P(I > 0) for I = 0: one half, or 0? Something that is surely equal is never better.",
            wrong_functions=("one half where equal", "improvement or equal"),
        ),
    ),
    hints=(
        "I_j = f_j − f_best is a difference of two normal variables. Write down its mean and its variance first; at "
        "j = best both are 0.",
        "With z = mean/std: P(I > 0) = Φ(z), E[max(I, 0)] = std · φ(z) + mean · Φ(z); the third number is the second "
        "divided by the first.",
        "safe = np.where(std > 0, std, 1.0) can be divided by; afterwards np.where(std > 0, …, …) puts in what is "
        "known where std is 0.",
    ),
    about=(
        "P(I > 0) with z = mean/std of the difference: does it grow with the mean of f_j?",
        "E[max(I, 0)] = std · φ(z) + mean · Φ(z): is each term there once, with its sign?",
        "The third number is the second divided by the first: the mean of those draws that improve.",
    ),
    draw=draw_gain,
    tolerance=1e-8,
    laws=(
        Law(
            "No probability and no expected improvement is below 0.",
            "What does a draw add in which f_j is worse? Nothing.",
            holds=lambda one, other: all((part > -1e-9).all() for part in one[:2]),
        ),
        Law(
            "The third number times the first is the second: P(I > 0) · E[I | I > 0] = E[max(I, 0)].",
            "Compute all three by hand for a setting whose mean is below the best's. Is the second less than "
            "std · φ(z) there? Is the third the second divided by the first?",
            holds=lambda one, other: near(one[0] * one[2], one[1]),
        ),
        Law(
            "Add 5 to all means: nothing changes.",
            "Where does a mean enter otherwise than by its difference from the best's?",
            lambda mean, cov, best: (mean + 5, cov, best),
        ),
        Law(
            "Known values 1, 3 and 0, the first one the best: probabilities 0, 1, 0 and improvements 0, 2, 0.",
            "What do you return where the standard deviation is 0: what is known there?",
            lambda mean, cov, best: (array(1, 3, 0), np.zeros((3, 3)), 0),
            lambda one, other: near(other, (array(0, 1, 0), array(0, 2, 0), array(0, 2, 0))),
        ),
        Law(
            "Call setting 0 the best: its own three numbers are 0.",
            "Whom do you improve upon? The setting with the number `best`, whose mean need not be the highest.",
            lambda mean, cov, best: (mean, cov, 0),
            lambda one, other: all(np.abs(part[0]) < 1e-9 for part in other),
        ),
        Law(
            "Add 3 to all entries of Σ, an error that all share: nothing changes.",
            "Which terms of Var(f_j − f_best) are there, and with which signs?",
            lambda mean, cov, best: (mean, cov + 3, best),
        ),
        Law(
            "Double the means and take 4 Σ: the probabilities stay, the other two double.",
            "Which unit has a variance, and which has z?",
            lambda mean, cov, best: (2 * mean, 4 * cov, best),
            times(1, 2, 2),
        ),
        Law(
            "Number the settings backwards: so do the answers.",
            "Which setting's numbers stand at which place?",
            lambda mean, cov, best: (mean[::-1].copy(), cov[::-1, ::-1].copy(), len(mean) - 1 - best),
            lambda one, other: near(other, tuple(part[::-1] for part in one)),
        ),
        Law(
            "Raise all means but the best's by 1: none of the three numbers falls.",
            "Which term has the wrong sign?",
            lambda mean, cov, best: (mean + (np.arange(len(mean)) != best), cov, best),
            lambda one, other: all((b > a - 1e-9).all() for a, b in zip(one, other, strict=True)),
        ),
        Law(
            "Take 4 Σ: what may be gained grows, for losses do not count.",
            "Where does the standard deviation stand in the mean of max(I, 0)?",
            lambda mean, cov, best: (mean, 4 * cov, best) if np.ptp(cov) > 0 and np.ptp(mean) < 6 else None,
            lambda one, other: other[1].sum() > one[1].sum() + 1e-9,
        ),
        Law(
            "An improvement with the mean −1 and the standard deviation 1: 0.1587, 0.0833 and 0.5251.",
            "What are Φ(−1) and φ(−1)? Put them in by hand.",
            lambda mean, cov, best: (array(0, -1), array([1, 1], [1, 2]), 0),
            lambda one, other: near(
                tuple(part[1:] for part in other), (array(0.158655), array(0.083315), array(0.525135)), 1e-5
            ),
        ),
        Law(
            "An improvement with the mean −9 and the standard deviation 1 is improbable; if there is one, its mean is "
            "0.1086.",
            "Φ(−9) is tiny, and not 0 (1 − Φ(9) is 0 for a computer): what do you divide by it, or do instead?",
            lambda mean, cov, best: (array(0, -9), array([1, 1], [1, 2]), 0),
            lambda one, other: near(other[2], array(0, 0.108568)),
        ),
    ),
    asks={
        HAND: "What are mean, variance and z of f_1 − f_0? Write them down, then Φ(z) and φ(z).",
        LINE: "Take setting 0: its mean is below the best's, and they err together. What are z and the three numbers?",
        COMMON: "What all have in common goes out of the difference: which variance is left? So what is known?",
        BEHIND: "Here an improvement is improbable: is its mean small, and above 0?",
    },
)

# ------------------------------------------------------------------------------------------------------------- 2 batch

SMOOTH, HILLS, ONE = ("neighbours alike", "two hills", "one challenger")


def draw_batch(rng, k):
    """A few draws of a few settings; the best may be far ahead in some of them, and the first may gain all."""
    S, q = 2 + k % 6, 3 + k // 2 % 3
    common = rng.normal(size=(S, 2)) @ rng.normal(size=(2, q))
    return np.round(2 * common + rng.normal(size=(S, q)), 2), int(rng.integers(q)), 1 + k % (q - 1)


batch = Task(
    name="batch",
    function="choose_batch",
    arguments=("draws", "best", "k"),
    title="Task 2 · Two challengers at once",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(
            HAND,
            (array([2, 5, 5, 0], [1, 4, 3, 0], [3, 1, 1, 5], [2, 1, 2, 3]), 0, 2),
            (whole(1, 3), array(1.5, 2.25)),
        ),
        Case(SMOOTH, (drawn(54, 20, (0.1, 0.5, 0.3, 0.4, 0.2, 0.2), (0, 0.6, 0.8, 1.1, 2.2, 3), 0.5), 2, 3)),
        Case(HILLS, (drawn(8, 25, (0.9, 0.8, -0.5, -0.4, 0.6, 0.7, 0.2), (0, 0.2, 1, 1.6, 3, 3.2, 4), 0.4), 6, 4)),
        Case(ONE, (drawn(5, 15, (0, 0.3, -0.1, 0.2), (0, 1, 1.7, 2.9), 0.6), 3, 1)),
        Case(
            "a second one adds nothing", (array([1, 3, 2], [0, 2, 1], [2, 5, 3]), 0, 2), (whole(1, 2), array(7, 7) / 3)
        ),
    ),
    mistakes=(
        Mistake(
            "as if each challenger were chosen by itself",
            "What do two neighbours gain together? Where one of them is good, the other one is, too. How much does "
            "the second add to what the first has gained already?",
            wrong_functions=("best single ones", "best single ones, sums"),
        ),
        Mistake(
            "as if gains added up",
            "Two challengers improve in the same draw: how much is gained? Only the better one counts there.",
            wrong_functions=("sum of improvements",),
        ),
        Mistake(
            "as if the mean could be taken first",
            "Mean of the maximum, or maximum of the means? A setting may be good in some draws and bad in others.",
            wrong_functions=("mean first", "mean over challengers"),
        ),
        Mistake(
            "as if the best setting had one value",
            "What is the best setting's value in this draw? It is as uncertain as the others: draws[s, best].",
            wrong_functions=("best as its mean", "best as its maximum"),
        ),
        Mistake(
            "as if losses counted",
            "What is gained in a draw in which all challengers are worse? Nothing; but nothing is lost, for the best "
            "setting stays.",
            wrong_functions=("losses counted", "absolute differences"),
        ),
        Mistake(
            "a height, and not an improvement",
            "A height, or an improvement? What was there before must be subtracted: the best setting's own value.",
            wrong_functions=("height",),
        ),
        Mistake(
            "how often, and not by how much",
            "How often, or by how much? A setting that is better by a hair in each draw gains little.",
            wrong_functions=("share of draws",),
        ),
        Mistake(
            "what each one adds",
            "What does the batch gain as a whole? gains[i] is of the first i + 1 challengers; it never falls.",
            wrong_functions=("increments",),
        ),
        Mistake(
            "as if one could be asked about twice",
            "Can a challenger be chosen again, or the best one? It would add nothing.",
            wrong_functions=("chosen again",),
        ),
        Mistake(
            "another order",
            "In which order were they chosen? The one that gains most by itself comes first.",
            wrong_functions=("sorted by number", "best batch of all"),
        ),
        Mistake(
            "what is worth least",
            "Most, or least? The batch should gain as much as possible.",
            wrong_functions=("least",),
        ),
        Mistake(
            "as if another setting were the best",
            "Which one is to be improved upon? The one with the number `best`, whatever its mean.",
            wrong_functions=("highest mean as best",),
        ),
        Mistake(
            "divided by another number",
            "How many draws are there? Their mean is a sum divided by their number, also where nothing is gained.",
            wrong_functions=("S − 1", "winning draws only"),
        ),
    ),
    hints=(
        "Begin with one number for each draw, `reached`: how high the best setting lies there, draws[:, best].",
        "With j in the batch, a draw reaches max(reached, draws[:, j]). Its mean over the draws says which j is to be "
        "chosen next; then reached is renewed, and the next one is looked for.",
        "All candidates at once: np.maximum(reached[:, None], draws).mean(axis=0) has an entry for each j; put −inf "
        "where j is chosen already, or the best. The gain is reached.mean() − draws[:, best].mean().",
    ),
    about=(
        "Which settings were chosen, in which order? The first gains most by itself, the next most together with it.",
        "What do the first i + 1 challengers gain together, in the mean over all draws?",
    ),
    draw=draw_batch,
    laws=(
        Law(
            "No setting is chosen twice.",
            "What do you do with those that are chosen already?",
            holds=lambda one, other: len(np.unique(one[0])) == len(one[0]),
        ),
        Law(
            "Call setting 0 the best: it is no challenger.",
            "Who is left out when the next one is looked for?",
            lambda draws, best, k: (draws, 0, k),
            lambda one, other: 0 not in other[0],
        ),
        Law(
            "Two settings, 0 best: in four draws the other gains 0.9, −1, 4 and −2.5. It is chosen, with 4.9/4.",
            "What does each draw add, fractions too? Is a mean taken, and of how many draws? Settings count from 0.",
            lambda draws, best, k: (array([0, 0.9], [0, -1], [0, 4], [0, -2.5]), 0, 1),
            lambda one, other: near(other, (whole(1), array(1.225))),
        ),
        Law(
            "Write the best setting before all others (now it is number 0): the gains stay.",
            "Where does `best` enter?",
            lambda draws, best, k: (np.column_stack([draws[:, best], np.delete(draws, best, axis=1)]), 0, k),
            lambda one, other: near(other[1], one[1]),
        ),
        Law(
            "More challengers never gain less.",
            "What is gained in a draw by two? The higher one counts, and one may always keep the best.",
            holds=lambda one, other: (np.diff(one[1], prepend=0) > -1e-9).all(),
        ),
        Law(
            "Three settings, 0 best: in two draws 1 gains 3 and −9, 2 gains 1 and 1. Setting 1 is chosen, with 1.5.",
            "What does setting 1 add in the draw in which it is worse: −9, or 0? For the first challenger, too?",
            lambda draws, best, k: (array([0, 3, 1], [0, -9, 1]), 0, 1),
            lambda one, other: near(other, (whole(1), array(1.5))),
        ),
        Law(
            "The second adds no more than the first, and the third no more than the second.",
            "Are gains added up that come in the same draw? Or is the next one not that which adds most in the mean?",
            holds=lambda one, other: (np.diff(one[1], n=2, prepend=0) < 1e-9).all(),
        ),
        Law(
            "Ask for one challenger: it is the first of the others, with the same gain.",
            "What do later challengers change about the first one?",
            lambda draws, best, k: (draws, best, 1),
            lambda one, other: near(other, (one[0][:1], one[1][:1])),
        ),
        Law(
            "Add another number to each draw: nothing changes.",
            "Where does a value enter otherwise than by its difference from the best's in the same draw?",
            lambda draws, best, k: (draws + np.arange(len(draws))[:, None], best, k),
        ),
        Law(
            "Double all draws: the choice stays, and the gains double.",
            "Which number that you add or compare has another unit?",
            lambda draws, best, k: (2 * draws, best, k),
            times(1, 2),
        ),
        Law(
            "Write the draws down twice: nothing changes.",
            "A sum or a mean?",
            lambda draws, best, k: (np.vstack([draws, draws]), best, k),
        ),
        Law(
            "Add as many draws in which the best is far ahead: the gains halve.",
            "Which draws count? All, also those without a gain: it is a mean, and no median or maximum.",
            lambda draws, best, k: (np.vstack([draws, draws - 99 * (np.arange(draws.shape[1]) != best)]), best, k),
            lambda one, other: near(other[1], one[1] / 2),
        ),
        Law(
            "Add a setting that is below the best in each draw: the gains stay.",
            "How can something hopeless change what is gained?",
            lambda draws, best, k: (np.column_stack([draws, draws[:, best] - 1]), best, k),
            lambda one, other: near(other[1], one[1]),
        ),
    ),
    asks={
        HAND: "What does each of 1, 2 and 3 gain in each draw? Which one goes best with setting 1?",
        SMOOTH: "What does each one add to `reached`, the first one too? By how much, in the mean over all draws?",
        HILLS: "Here the best has the last number: is its own value of each draw the floor?",
        ONE: "One challenger only: the mean over all draws of max(0, f_j − f_best).",
        "a second one adds nothing": "The second gains nothing. Is it there, and neither the first nor the best?",
    },
)

# ----------------------------------------------------------------------------------------------------------- 3 allowed

MANY, SURE, NONE = ("six settings", "loudness that is known", "nothing is surely allowed")


def draw_allowed(rng, k):
    """Loudness that is known or not, at the limit too; every sixth time nothing is surely allowed."""
    q, limit, sure = 2 + k % 4, float(rng.integers(68, 82)), (0.6, 0.8, 0.95)[k % 3]
    mean, cov = draw_posterior(rng, q)
    loud_mean, loud_std = limit - rng.uniform(-5, 14, q).round(1), rng.uniform(1, 8, q).round(1)
    if k % 6 == 5:
        return mean, cov, np.maximum(loud_mean, limit - 1), np.maximum(loud_std, 4), limit, sure
    loud_mean[:1] = limit - (k % 4)
    if k % 2:
        loud_std[:: 1 + k % 3], sure = 0, 1.0 if k % 3 == 0 else sure
    return mean - 2 * (k % 3), np.full((q, q), 1.5) if k % 8 == 6 else cov, loud_mean, loud_std, limit, sure


allowed = Task(
    name="allowed",
    function="careful_improvement",
    arguments=("mean", "cov", "loud_mean", "loud_std", "limit", "sure"),
    title="Task 3 · Never louder than",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case(
            HAND,
            (
                array(1, 3, 2),
                array([2, 0, 1], [0, 3, 1], [1, 1, 3]),
                array(60, 90, 70),
                array(10, 10, 10),
                80.0,
                0.8,
            ),
        ),
        Case(
            MANY,
            (
                array(0.2, 1.4, 0.9, 2.2, 1.1, 0.6),
                smooth((0, 0.7, 1.1, 1.9, 2.4, 3.2), 1.6, 0.7),
                array(61, 69, 72, 80, 74.5, 66),
                array(2, 5, 4, 3, 6, 8),
                75.0,
                0.75,
            ),
        ),
        Case(
            SURE,
            (
                array(1.5, 0.4, 2.5, 0.9),
                smooth((0, 0.4, 1.3, 2.1), 0.8, 0.6),
                array(70, 74, 81, 79),
                array(0, 0, 0, 3),
                80.0,
                0.6,
            ),
        ),
        Case(
            NONE,
            (
                array(0.3, 1.7, 0.8),
                smooth((0, 0.9, 1.5), 2.1, 0.9),
                array(78, 83, 79.5),
                array(4, 3, 2),
                80.0,
                0.95,
            ),
        ),
        Case(
            "none but the sure ones, all below 0",
            (
                array(-0.9, -0.4, 2.5, -0.2),
                smooth((0, 0.4, 1.3, 2.1), 0.8, 0.6),
                array(74, 80, 81, 79),
                array(0, 0, 0, 3),
                80.0,
                1.0,
            ),
        ),
        Case(
            "they differ by known numbers",
            (array(1, 2.5, 0.2, 1), 2 * np.ones((4, 4)), array(82, 84, 60, 85), array(5, 5, 5, 5), 80.0, 0.3),
        ),
    ),
    mistakes=(
        Mistake(
            "as if another setting were the best",
            "Which setting is to be improved upon? Among those whose probability is `sure` or more the one with the "
            "highest mean of f. A setting that nobody may use is not the one to beat.",
            wrong_functions=(
                "best of all",
                "best by mean times probability",
                "best by the mean loudness",
                "most surely allowed",
            ),
        ),
        Mistake(
            "the probability of being too loud",
            "What does Φ((limit − mean)/std) say, and what does Φ((mean − limit)/std)? Which grows as the setting "
            "becomes softer?",
            wrong_functions=("too loud",),
        ),
        Mistake(
            "as if loudness had another scatter",
            "What unit has loud_std? That of loudness: decibels, not their squares.",
            wrong_functions=("loudness: variance for std", "loudness: root of std", "loudness: no std"),
        ),
        Mistake(
            "as if loudness were known",
            "Is a setting allowed whose mean lies just below the limit? In half of all cases. Multiply by the "
            "probability.",
            wrong_functions=("mean loudness decides", "forbidden unless sure"),
        ),
        Mistake(
            "as if nothing were forbidden",
            "What is an improvement worth that nobody may use? Nothing. How probable is it that it may be used?",
            wrong_functions=("limit forgotten",),
        ),
        Mistake(
            "as if improvement and permission were joined otherwise",
            "Better *and* allowed: which of two independent things are multiplied? What must come out where one of "
            "them is 0?",
            wrong_functions=("added", "the smaller one", "probabilities of the pair multiplied", "divided", "penalty"),
        ),
        Mistake(
            "another improvement",
            "How much better, and with which variance? That of f_j − f_best, with its root in z: both are uncertain, "
            "and they err together.",
            wrong_functions=(
                "best taken as known",
                "covariance forgotten",
                "covariance added",
                "variance for std",
                "gain of the means",
            ),
        ),
        Mistake(
            "another number of Task 1",
            "Which of Task 1's three numbers is it? How much is gained in the mean over all draws, also those without "
            "a gain?",
            wrong_functions=("probability of improvement", "cut-off normal"),
        ),
        Mistake(
            "what is left when 0 was divided by 0",
            "Which standard deviation is 0? The improvement's at the best setting, and wherever the difference is "
            "known; that of loudness where it is known: then it is allowed, or it is not.",
            when=not_finite,
        ),
        Mistake(
            "as if there were always a best setting",
            "What if no setting is surely enough allowed? There is nothing to improve upon yet (best is −1): look for "
            "what is most probably allowed.",
            wrong_functions=(
                "none allowed: nothing",
                "none allowed: the first",
                "none allowed: the safest",
                "none allowed: the highest mean",
            ),
        ),
    ),
    hints=(
        "First the probability that each setting is allowed: p = Φ((limit − loud_mean)/loud_std). Where loud_std is 0 "
        "it is 1 or 0.",
        "The best: among the settings with p ≥ sure the one with the highest mean. np.where(p >= sure, mean, -np.inf) "
        "helps. If there is none, return −1 and p.",
        "Else the scores are p times the expected improvement over the best, std · φ(z) + gain · Φ(z), with std² = "
        "Σ_jj + Σ_bb − 2 Σ_jb; 0 where std is 0 and the gain is not above 0.",
    ),
    about=(
        "Which settings are allowed with probability `sure` or more? Which of them has the highest mean?",
        "The scores: probability to be allowed times expected improvement over the best; if there is no best, "
        "the probability alone.",
    ),
    draw=draw_allowed,
    tolerance=1e-8,
    laws=(
        Law(
            "No score is below 0.",
            "Which factor is below 0: a probability, or a mean of max(I, 0)?",
            holds=lambda one, other: (one[1] > -1e-9).all(),
        ),
        Law(
            "Two settings as loud as the limit, and known to be: both are allowed, even with sure = 1.",
            "Is “at most” or “at least” wanted: of the loudness, and of the probability?",
            lambda mean, cov, loud_mean, loud_std, limit, sure: (
                array(1, 2),
                np.eye(2),
                array(9, 9),
                array(0, 0),
                9.0,
                1.0,
            ),
            lambda one, other: near(other[0], 1),
        ),
        Law(
            "Add 3 to all entries of Σ, an error that all share: nothing changes.",
            "Which terms of Var(f_j − f_best) are there, and with which signs?",
            lambda mean, cov, *more: (mean, cov + 3, *more),
        ),
        Law(
            "Σ is 1 everywhere, the means are 1, 3, 0, 4, loudness is 60, 80 ± 5, 60, 81 and the limit 80 (sure 0.9): "
            "the best is 0, the scores are 0, 1, 0, 0.",
            "Setting 1 gains 2, with probability ½: how is its score made of these, and how often does p enter? What "
            "do you put in where a difference or a loudness is known?",
            lambda mean, cov, loud_mean, loud_std, limit, sure: (
                array(1, 3, 0, 4),
                np.ones((4, 4)),
                array(60, 80, 60, 81),
                array(0, 5, 0, 0),
                80.0,
                0.9,
            ),
            lambda one, other: near(other, (0, array(0, 1, 0, 0))),
        ),
        Law(
            "Lower the limit by 1000: nothing is allowed; the best is −1, and all probabilities are 0.",
            "What do you return if no setting is surely enough allowed?",
            lambda mean, cov, loud_mean, loud_std, limit, sure: (mean, cov, loud_mean, loud_std, limit - 1000, sure),
            lambda one, other: near(other, (-1, 0 * other[1])),
        ),
        Law(
            "Take 50 off all means: nothing changes.",
            "What if all means are below 0? A 0 in place of a mean is no −∞.",
            lambda mean, *more: (mean - 50, *more),
        ),
        Law(
            "Number the settings backwards: so is the best, and so are the scores.",
            "Is the best one's number counted from 0 among all settings, or among the allowed ones?",
            lambda mean, cov, loud_mean, loud_std, *more: (
                mean[::-1].copy(),
                cov[::-1, ::-1].copy(),
                loud_mean[::-1].copy(),
                loud_std[::-1].copy(),
                *more,
            ),
            lambda one, other: near(other, (one[0] if one[0] < 0 else len(one[1]) - 1 - one[0], one[1][::-1])),
        ),
        Law(
            "Add 5 to loudness and limit: nothing changes.",
            "Where does loudness enter otherwise than by limit − loud_mean?",
            lambda mean, cov, loud_mean, loud_std, limit, sure: (mean, cov, loud_mean + 5, loud_std, limit + 5, sure),
        ),
        Law(
            "Double loudness, its standard deviation and the limit: nothing changes.",
            "Which unit has (limit − loud_mean)/loud_std?",
            lambda mean, cov, loud_mean, loud_std, limit, sure: (
                mean,
                cov,
                2 * loud_mean,
                2 * loud_std,
                2 * limit,
                sure,
            ),
        ),
        Law(
            "Double the means and take 4 Σ: the best stays, scores double, probabilities do not.",
            "Which unit has a score, and which has z, which is divided by a standard deviation?",
            lambda mean, cov, *more: (2 * mean, 4 * cov, *more),
            lambda one, other: near(other, (one[0], one[1] * (1 if one[0] < 0 else 2))),
        ),
    ),
    asks={
        HAND: "Write down the three probabilities: which are 0.8 or more? Which of these settings is best?",
        MANY: "Which settings have a probability of 0.75 or more? The best of these is improved upon.",
        SURE: "Where loud_std is 0, the probability is 1 up to the limit and 0 above it.",
        NONE: "No probability reaches `sure`: then −1, and the probabilities themselves.",
        "none but the sure ones, all below 0": "1 is at least `sure` = 1, 80 is at most 80, and means may be below 0.",
        "they differ by known numbers": "A probability of 0.34 is enough here. Known: an improvement of 1.5 is 1.5, "
        "and one below 0 is 0.",
    },
)

# -------------------------------------------------------------------------------------------------------------- 4 stop

LONG, RESTLESS, HASTY, CALM = ("a long session", "never at rest", "stopped too early", "calm from the beginning")


def draw_stop(rng, k):
    """Measures that fall and rise again; means at the threshold are there exactly, for all are multiples of 1/8."""
    n, window = 6 + k % 9 if k % 13 else 3, (1, 2, 4, 2)[k % 4]
    noise_std, share = (0.5, 1.0, 2.0)[k % 3], (1.25, 1.5, 1.0)[k // 3 % 3]
    falling = 2 * np.exp(-np.arange(n) / rng.uniform(0.5, 2)) + rng.gamma(0.4, 1.6, n)
    return np.round(8 * noise_std * falling) / 8, noise_std, share, window, 1 + k // 4 % 3


stop = Task(
    name="stop",
    function="when_to_stop",
    arguments=("history", "noise_std", "share", "window", "patience"),
    title="Task 4 · Enough",
    stars=2,
    minutes=25,
    points=4,
    cases=(
        Case(HAND, (array(6, 2, 1, 3, 0, 1, 1, 4), 2.0, 1.0, 2, 2), (6, 2, 1)),
        Case(
            LONG,
            (
                array(3.1, 2.6, 2.9, 1.4, 0.2, 0.9, 1.3, 0.3, 0.25, 0.9, 0.2, 0.16, 0.28, 0.1, 0.09),
                1.5,
                0.2,
                3,
                3,
            ),
            (15, 0, 0),
        ),
        Case(RESTLESS, (array(1, 0.7, 1.4, 0.9, 0.2, 1.1, 0.8, 0.3, 0.9, 1.3), 3.0, 0.21, 4, 2), (0, 0, 0)),
        Case(
            HASTY,
            (array(0.1, 0.2, 0.3, 1.6, 0.2, 0.1, 0.1, 0.5, 0.2, 3.5, 2.2, 0.4, 0.1, 0.1, 0.2), 0.5, 1.2, 2, 3),
            (8, 7, 3),
        ),
        Case(CALM, (array(0.25, 0.125, 0.125, 1.875, 3), 2.0, 0.5, 2, 2), (3, 2, 2)),
        Case("fewer answers than the window", (array(0.1, 0.2, 0.1), 2.0, 0.3, 4, 2), (0, 0, 0)),
    ),
    mistakes=(
        Mistake(
            "as if each measure stood for itself",
            "One measure, or the mean of the last few? A single one jumps, above all if it is averaged over few "
            "settings.",
            wrong_functions=("not smoothed",),
        ),
        Mistake(
            "the middle one of the last few, not their mean",
            "Mean, or median? A median does not see how large the large ones are.",
            wrong_functions=("median",),
        ),
        Mistake(
            "as if answers were known that come later",
            "What do you know after answer k? The measures up to k. A rule that looks ahead cannot stop anybody.",
            wrong_functions=("centred window", "forward window", "first of the run"),
        ),
        Mistake(
            "as if there were measures before the first answer",
            "How many measures are there after the first answer? Until there are `window` of them nothing is decided; "
            "measures that do not exist are not 0.",
            wrong_functions=("padded with zeros", "fewer at the beginning"),
        ),
        Mistake(
            "with another window",
            "How many measures are in the window after answer k? k itself, and window − 1 before it.",
            wrong_functions=("window + 1", "window − 1"),
        ),
        Mistake(
            "with another threshold",
            "In which unit is the measure? In that of f, as σ is: small means less than share · σ.",
            wrong_functions=("σ forgotten", "σ²", "σ alone", "divided by σ"),
        ),
        Mistake(
            "as if equal were less",
            "Less, or at most? A measure that is equal to the threshold is not small yet.",
            wrong_functions=("at most",),
        ),
        Mistake(
            "as if patience began anew, or never",
            "How many small measures *in a row*? One that is not small sends the counter back to 0.",
            wrong_functions=("total instead of in a row", "no patience"),
        ),
        Mistake(
            "as if one more or one fewer were needed",
            "How many small measures in a row have there been when it stops? Just `patience`, this one included.",
            wrong_functions=("patience + 1", "patience − 1"),
        ),
        Mistake(
            "the last time, not the first",
            "When would the session have ended? The first time that the rule says so; after that nobody asks.",
            wrong_functions=("last time", "last run", "small from here on"),
        ),
        Mistake(
            "counted from another answer",
            "After how many answers? The first answer has the number 1, the first mean has the number `window`.",
            wrong_functions=("counted from 0",),
        ),
        Mistake(
            "other questions called wasted",
            "Which questions would not have been asked? Those after the stop. If the rule never says stop, none.",
            wrong_functions=("wasted from the first small one", "wasted, the last included", "asked for wasted"),
        ),
        Mistake(
            "another count of what came again",
            "After the stop: at how many answers is the smoothed measure *not* small?",
            wrong_functions=("raw ones again", "all that are not small", "small ones again", "whether for how many"),
        ),
        Mistake(
            "another word for never",
            "What if it never says stop? Then the three numbers are 0.",
            wrong_functions=("never: all questions", "never: −1", "never: all not small"),
        ),
    ),
    hints=(
        "After answer k (from 1) the smoothed measure is history[k − window : k].mean(), for k = window, …, n.",
        "Walk through k and count how many smoothed measures in a row were below share · noise_std; set the counter "
        "to 0 at one that is not. The first k at which it reaches patience is the stop.",
        "wasted = n − stop. Then walk on from k = stop + 1 to n and count the smoothed measures that are not below.",
    ),
    about=(
        "After how many answers does it stop? The first k with `patience` small means in a row, k counted from 1.",
        "Wasted are the answers after the stop: their number minus the stop.",
        "Again: at how many answers *after* the stop is the smoothed measure not small?",
    ),
    draw=draw_stop,
    laws=(
        Law(
            "The history 2.5, 1, 1, 1, 99, 99 with σ = 1, share = 2, a window of 3 and a patience of 2: 4, 2, 2.",
            "Which measures are in the window after answers 3 to 6? Is their mean small? What counts after the stop?",
            example=(array(2.5, 1, 1, 1, 99, 99), 1.0, 2.0, 3, 2),
            holds=lambda one, other: near(other, (4, 2, 2)),
        ),
        Law(
            "If all measures are huge, it never stops: three zeros.",
            "What do you return after the last answer?",
            lambda history, *more: (0 * history + 999, *more),
            lambda one, other: near(other, (0, 0, 0)),
        ),
        Law(
            "0, 0, 9, 0, 0, 9, 0, 0, 9 with σ = 1, share = 2, a window of 3: each mean is 3, and it never stops.",
            "Do you compare a mean of the last `window` measures?",
            example=(array(0, 0, 9, 0, 0, 9, 0, 0, 9), 1.0, 2.0, 3, 1),
            holds=lambda one, other: near(other, (0, 0, 0)),
        ),
        Law(
            "Double the history and σ: nothing changes.",
            "Which unit has the threshold?",
            lambda history, noise_std, *more: (2 * history, 2 * noise_std, *more),
        ),
        Law(
            "Halve σ and double `share`: nothing changes.",
            "The threshold is the product share · σ: where do they enter otherwise?",
            lambda history, noise_std, share, *more: (history, noise_std / 2, 2 * share, *more),
        ),
        Law(
            "Add a huge measure at the end: the stop stays; one more answer is wasted, and not small again.",
            "Can the last answer be the stop? Can what comes later change it, and what is counted after it?",
            lambda history, *more: (np.append(history, 999.0), *more),
            lambda one, other: near(other, (one[0], one[1] + 1, one[2] + 1) if one[0] > 0 else one),
        ),
        Law(
            "Put `window` huge measures before all others: it stops so many answers later, and nothing else changes.",
            "What happens at the first answers, while there are fewer than `window`? Of how many is a mean taken?",
            lambda history, noise_std, share, window, patience: (
                np.append(np.full(window, 999.0), history),
                noise_std,
                share,
                window,
                patience,
            ),
            lambda one, other: near(other[1:], one[1:]),
        ),
        Law(
            "A greater patience never stops earlier.",
            "What sets the counter back, and what is it compared with?",
            lambda history, noise_std, share, window, patience: (history, noise_std, share, window, patience + 1),
            lambda one, other: other[0] > one[0] > 0 or other[0] == 0,
        ),
    ),
    asks={
        HAND: "Write down the smoothed measures after answers 2 to 8: 4, 1.5, 2, … Which are below 2?",
        LONG: "Write down the last smoothed measures, up to the last answer's. Where are three small ones in a row?",
        RESTLESS: "It never stops here: are there two small means in a row in your table? What do you return then?",
        HASTY: "Where are the first three small means in a row? What is counted after that, to the end?",
        CALM: "The first window counts, too. After the stop one mean is just 1: that is not small.",
        "fewer answers than the window": "Is there a smoothed measure after three answers, if the window is four?",
    },
)

# ------------------------------------------------------------------------------------------------------------- 5 power

WEAK, STRICT, LITTLE, NEVER = ("70 to 30", "a strict test", "a weak preference", "too few rounds")


def draw_power(rng, k):
    """Strong preferences and weak ones, for which less is asked; few of the tests are impossible."""
    share, alpha = 0.6 + k % 8 * 0.05 + 0.01, (0.05, 0.1, 0.02, 0.2, 0.01, 0.3)[k % 6]
    wanted = rng.uniform(0.08, 0.2) if share < 0.7 else rng.uniform(0.4, 0.8)
    return round(share, 2), alpha, round(float(wanted), 3), int(rng.integers(25, 45))


power = Task(
    name="power",
    function="rounds_needed",
    arguments=("share", "alpha", "power", "most"),
    title="Task 5 · How many rounds?",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(HAND, (1.0, 0.05, 0.8, 20), (6, 6, 1.0)),
        Case(WEAK, (0.7, 0.05, 0.8, 100)),
        Case(STRICT, (0.85, 0.01, 0.9, 80)),
        Case(LITTLE, (0.55, 0.2, 0.3, 120)),
        Case(NEVER, (0.6, 0.05, 0.9, 40), (0, 0, 0.0)),
        Case("just enough rounds, and just significant", (1.0, 0.5, 1.0, 2), (2, 2, 1.0)),
        Case("one round too few", (0.7, 0.05, 0.8, 48), (0, 0, 0.0)),
    ),
    mistakes=(
        Mistake(
            "as if only one side could surprise",
            "Would you have believed a preference for the baseline, too? Two-sided: a result as far from one half, on "
            "*either* side.",
            wrong_functions=("one-sided", "one-sided, k − 1"),
        ),
        Mistake(
            "as if alpha were shared twice",
            "How many sides has the test? 2 · P(K ≥ k) is compared with alpha; alpha is not halved once more.",
            wrong_functions=("α halved twice",),
        ),
        Mistake(
            "another probability than the exact binomial one",
            "How many wins of 12 are there between 9 and 10? None: nothing is to be smoothed. Add up binomial "
            "probabilities from k on, the whole P(K = k) included.",
            wrong_functions=("normal test", "normal test, corrected", "normal power", "sample size formula"),
        ),
        Mistake(
            "as if the last number of wins did not count, or one more",
            "P(K ≥ k), or P(K > k)? scipy's sf(k) is P(K > k).",
            wrong_functions=("> in the test", "> in the power", "> in both"),
        ),
        Mistake(
            "as if no number of rounds ever sufficed",
            "By hand, for n = 6: which k is significant, with 2 · P(K ≥ k) for a listener with ½, and what is the "
            "power, P(K ≥ k) for one with `share`? What does your function compute for each, and does it try this n?",
            wrong_functions=("power at ½", "test at share", "exchanged"),
        ),
        Mistake(
            "as if a preference for the baseline were the one you look for",
            "What does it mean if somebody who prefers the found setting chooses the baseline significantly often? He "
            "is not recognised: only k wins or more count.",
            wrong_functions=("both ends count",),
        ),
        Mistake(
            "another probability than that of being recognised",
            "How probable is it to see what is needed? The power is P(K ≥ k) for a listener with `share`, and k the "
            "smallest number of wins that is significant, not the expected one.",
            wrong_functions=("probability of missing", "probability of exactly k", "significance", "power asked for"),
        ),
        Mistake(
            "another number of rounds",
            "Is the power of an exact test always larger with one more round? It is a saw. The *first* n that "
            "suffices is asked for.",
            wrong_functions=("suffices from here on", "even only", "largest", "one less", "in tens"),
        ),
        Mistake(
            "another number of wins",
            "How many wins are just enough? The smallest k above one half whose two-sided p-value is alpha or less.",
            wrong_functions=("losses for wins", "half and more", "expected wins", "share needed"),
        ),
        Mistake(
            "a number where there is none",
            "What if no number of rounds up to `most` suffices? Then the three numbers are 0.",
            wrong_functions=("never: most", "never: most, and sure", "never: beyond most"),
        ),
    ),
    hints=(
        "For n rounds and k wins above one half the two-sided p-value is 2 · P(K ≥ k) for K ~ Binomial(n, ½); at most "
        "1. Find the smallest k whose p-value is alpha or less. It may not exist: with few rounds even n wins are "
        "possible by chance.",
        "The power is P(K ≥ k) for K ~ Binomial(n, share): scipy.stats.binom.sf(k − 1, n, share).",
        "Try n = 1, 2, … up to most: find k, then the power, and return at the first n with enough of it. If there is "
        "none, three zeros are the answer.",
    ),
    about=(
        "The first n ≤ most that suffices: for how many rounds is your power enough?",
        "The smallest k above one half with 2 · P(K ≥ k) ≤ alpha for K ~ Binomial(n, ½).",
        "The power reached, not rounded, and not the one that is asked for: P(K ≥ k) for K ~ Binomial(n, share).",
    ),
    draw=draw_power,
    laws=(
        Law(
            "More than half must be won, and no more than all.",
            "Which k do you try?",
            holds=lambda one, other: near(one[0], 0) or one[0] / 2 < one[1] <= one[0],
        ),
        Law(
            "Share 0.9, α = 0.01, power 0.4, most = 8: 8 of 8 wins, for 2/2⁸ < 0.01 < 2/2⁷; power 0.9⁸.",
            "Do you try n = 8? What is 2 · P(K ≥ 8) at ½, and P(K ≥ 8) at `share`? What is each compared with?",
            example=(0.9, 0.01, 0.4, 8),
            holds=lambda one, other: near(other, (8, 8, 0.9**8)),
        ),
        Law(
            "Who has no preference (share ½) is never recognised with power 0.9: three zeros.",
            "What comes out where no n suffices? Is the power that of `share`, and of k wins or more?",
            lambda share, alpha, power, most: (0.5, alpha, 0.9, most),
            lambda one, other: near(other, (0, 0, 0)),
        ),
        Law(
            "Who always prefers the found setting is recognised with power 1, with as many wins as rounds.",
            "P(K ≥ k) at share 1 is 1: what is added up, is 1 at least `power`, and which n do you try?",
            lambda share, alpha, power, most: (1.0, alpha, power, 100),
            lambda one, other: near(other, (other[0], other[0], 1)) and other[0] > 0,
        ),
        Law(
            "More rounds at most: the first n that suffices stays.",
            "In which order do you try n, and when do you stop?",
            lambda share, alpha, power, most: (share, alpha, power, most + 9),
            lambda one, other: near(other, one) or one[0] == 0,
        ),
        Law(
            "A smaller alpha never needs fewer rounds.",
            "Where does alpha enter?",
            lambda share, alpha, power, most: (share, alpha / 2, power, most),
            lambda one, other: other[0] == 0 or other[0] >= one[0] > 0,
        ),
        Law(
            "A stronger preference never needs more rounds.",
            "How does the power grow with share?",
            lambda share, alpha, power, most: ((1 + share) / 2, alpha, power, most),
            lambda one, other: one[0] == 0 or 0 < other[0] <= one[0],
        ),
        Law(
            "Ask for a power of ½: no less is reached.",
            "When is the search over?",
            lambda share, alpha, power, most: (share, alpha, 0.5, most),
            lambda one, other: other[0] == 0 or other[2] > 0.5 - 1e-9,
        ),
    ),
    asks={
        HAND: "With share 1 all are won. For n = 4, 5, 6: is 2/2ⁿ at most 0.05?",
        WEAK: "The power is a saw: does no smaller n suffice? And is 2 · P(K ≥ k), all terms from k to n, at most "
        "alpha for your n and k, and not with k − 1?",
        STRICT: "alpha is 0.01 here: what is 2 · P(K ≥ k) for your n and k?",
        LITTLE: "The power is a saw, and little is asked for: do you try each n from 1 to `most`, and take the first?",
        NEVER: "No n up to `most` suffices here: three zeros.",
        "just enough rounds, and just significant": "2 · P(K ≥ 2) is just alpha, n just `most`, "
        "and the power just 1: that suffices.",
        "one round too few": "Up to 48 no n has enough power: is `most` the last n that you try?",
    },
)

# ----------------------------------------------------------------------------------------------------------- 6 journal


def header(d):
    """The first line of a session file with settings of d numbers."""
    return {"version": 1, "listener": "P07", "space": {"bounds": [[-12, 12]] * d}, "response": "degree", "seed": 4}


def question(n, *numbers):
    """A line that asks for the settings a and b."""
    half = len(numbers) // 2
    learned = {} if n == 1 else {"learned": {"kernel": [0.1, -0.7], "answer": [2.3]}, "mean_improvement": 0.31}
    return {"question": n, "a": list(numbers[:half]), "b": list(numbers[half:]), **learned}


def answer(n, degree):
    """A line that answers question n."""
    return {"answer": degree, "to": n}


def back(n):
    """A line that takes back the answer to question n."""
    return {"taken_back": n}


def written(*events, cut=None):
    """Lines of a file; texts stand as they are, and of the last line no more than `cut` characters."""
    stamp = "2031-05-04T10:{:02d}:00+00:00"
    lines = [
        one if isinstance(one, str) else json.dumps({**one, "time": stamp.format(k)}) for k, one in enumerate(events)
    ]
    return [*lines[:-1], lines[-1][:cut]]


def after(lines, *events):
    """The inputs with more lines at their end, if all lines are whole; else None."""
    return ([*lines, *written(*events)],) if all(line.endswith(':00+00:00"}') for line in lines) else None


BEGUN, FAILED, CHANGED, CLICKS, BROKEN, TESTED, BACK, LIST, EMPTY = (
    "just begun",
    "the power failed",
    "a change of mind",
    "double clicks",
    "a damaged line",
    "with a blind test",
    "the end is taken back",
    "a list that is no event",
    "an empty line",
)

WHOLE_FILE = (
    "as if one bad line made all worthless",
    "Is the whole session lost because one line cannot be read? What was read before it stays.",
)
OBJECTS = (
    "as if whatever json can read were an event",
    "Is `null` an event, or `[1, 2]`? json.loads makes more than dicts. A line that is no object is damage, if "
    "any line follows, be it an empty one.",
)


def draw_events(rng, d, steps):
    """Events that a session may leave: questions and their answers, double clicks, changes of mind, other notes."""
    events, asked, said = [], 0, 0
    for kind in rng.choice(["next", "next", "next", "click", "mind", "note"], steps):
        if kind == "mind" and said:
            asked = int(rng.integers(1, said + 1))
            said = asked - 1
            events.append(back(asked))
        elif kind == "note":
            events.append({"test_answer": 1.0})
        elif kind == "click" and said:
            events.append(answer(said, 0.5))
        elif asked > said:
            said += 1
            events.append(answer(said, float(rng.integers(0, 20)) / 20))
        else:
            asked += 1
            events.append(question(asked, *(rng.integers(-20, 21, 2 * d) / 2).tolist()))
    return events


def draw_journal(rng, k):
    """A whole session, one whose last line is cut off, or one with a damaged line."""
    d, rubbish = 1 + k % 2, ("", "[0.5, 1]", "null", '{"answer": 0.5, "to')[k // 4 % 4]
    events = draw_events(rng, d, 3 + k % 8)
    if k % 4 == 1:
        return (written(header(d), *events, cut=int(rng.integers(0, 12))),)
    if k % 4 == 3:
        return (written(header(d), *events, rubbish, *draw_events(rng, d, k % 3), back(1)),)
    return (written(header(d), *events),)


journal = Task(
    name="journal",
    function="read_session",
    arguments=("lines",),
    title="Task 6 · After the power failed",
    stars=3,
    minutes=35,
    points=6,
    cases=(
        Case(
            HAND,
            (written(header(1), question(1, 3, -6), answer(1, 0.8), question(2, 3, 9)),),
            (array([[3], [-6]]), array(0.8), array([[3], [9]]), 0),
        ),
        Case(BEGUN, (written(header(2), question(1, 3, -6, 0, 4.5)),)),
        Case(
            FAILED,
            (
                written(
                    header(2),
                    question(1, -3, 0, 6, 1.5),
                    answer(1, 0.25),
                    question(2, 4, -9, -3, 0),
                    answer(2, 0.9),
                    question(3, -3, 0, 7.5, 12),
                    answer(3, 0.6),
                    cut=19,
                ),
            ),
        ),
        Case(
            CHANGED,
            (
                written(
                    header(1),
                    question(1, 1, 2),
                    answer(1, 0.3),
                    question(2, 1, 5),
                    answer(2, 0.7),
                    question(3, 5, -4),
                    answer(3, 0.1),
                    question(4, 8, 5),
                    back(2),
                    answer(2, 0.2),
                    question(3, -7, 1),
                    answer(3, 0.45),
                    question(4, 1, 10),
                    answer(4, 0.55),
                    back(4),
                ),
            ),
        ),
        Case(
            CLICKS,
            (
                written(
                    header(1),
                    question(1, -2, 6),
                    answer(1, 0.35),
                    answer(1, 0.4),
                    question(2, 6, 11),
                    answer(1, 0.5),
                    answer(2, 0.95),
                    answer(2, 0.9),
                ),
            ),
        ),
        Case(
            BROKEN,
            (
                written(
                    header(1),
                    question(1, 0, 8),
                    answer(1, 0.15),
                    question(2, 0, -5),
                    '{"answer": 0.\x00\x00, "to": 2}',
                    question(3, 0, -8),
                    answer(3, 0.4),
                    question(4, 2, 0),
                    "null",
                ),
            ),
        ),
        Case(
            TESTED,
            (
                written(
                    header(1),
                    question(1, 0, 8),
                    answer(1, 0.15),
                    question(2, 3, 0),
                    {"test": {"found": [1.25], "baseline": [0.0], "rounds": 20, "rng": 4}},
                    {"test_answer": 1.0},
                    {"test_answer": -1.0},
                    answer(2, 0.65),
                    "null",
                    answer(3, 0.5),
                ),
            ),
        ),
        Case(
            LIST,
            (
                written(
                    header(1),
                    question(1, 4, -2),
                    answer(1, 0.0),
                    question(2, 4, 7),
                    answer(2, 0.35),
                    question(3, 4, 1),
                    "[1, 2]",
                    "",
                ),
            ),
        ),
        Case(EMPTY, (written(header(2), "", question(1, 4, -2, 0, 1.5), answer(1, 0.7)),)),
        Case(
            BACK,
            (
                written(
                    header(1),
                    question(1, 5, -1),
                    answer(1, 0.65),
                    question(2, 5, 7),
                    answer(2, 0.2),
                    question(3, 5, 2),
                    answer(3, 0.85),
                    back(2),
                    answer(3, 0.9),
                ),
            ),
        ),
    ),
    mistakes=(
        Mistake(*WHOLE_FILE, wrong_functions=("nothing if a line is bad",)),
        Mistake(*WHOLE_FILE, raises=json.JSONDecodeError),
        Mistake(*OBJECTS, wrong_functions=("null left out", "list left out", "all of them left out")),
        Mistake(
            *OBJECTS,
            raises=(TypeError, AttributeError),
            when=lambda case, error: "NoneType" in str(error),
        ),
        Mistake(
            "as if a damaged line could be left out",
            "What stood in the damaged line? An answer, or that one was taken back: nobody knows. So what comes after "
            "it cannot be trusted, and its number must be told.",
            wrong_functions=("damaged lines left out", "read on after the damage"),
        ),
        Mistake(
            "another number for the damaged line",
            "How do you count lines? The header is line 1. Only a line *before* the last one is damage: the last one "
            "was just not written whole.",
            wrong_functions=("lines from 0", "without the header", "last line reported", "last damaged line"),
        ),
        Mistake(
            "as if the last line were never whole",
            "Is the last line always cut off? Only if it cannot be read.",
            wrong_functions=("last line dropped",),
        ),
        Mistake(
            "as if no question were open",
            "What should the listener hear next? The question that was asked and not answered yet: he must get the "
            "same one again.",
            wrong_functions=("open question forgotten", "open never, after a return"),
        ),
        Mistake(
            "as if an answered question were open",
            "Is the last question open? Not if it has been answered.",
            wrong_functions=("last question always open",),
        ),
        Mistake(
            "as if a change of mind were none",
            'What becomes void with {"taken_back": 2}? The answer to question 2, and everything that came after it: '
            "those questions were asked because of it.",
            wrong_functions=(
                "taken back ignored",
                "one answer taken back",
                "that answer alone taken back",
                "taken back too far",
            ),
        ),
        Mistake(
            "another open question after a change of mind",
            "Which question is open after a change of mind? The one whose answer was taken back. Later ones are void.",
            wrong_functions=("question taken back too", "newest question open"),
        ),
        Mistake(
            "as if a double click were an answer",
            "To which question is this answer? If that one is not open, it was a double click, and is ignored.",
            wrong_functions=("double clicks replace", "double clicks answer", "clicks after the last question"),
        ),
        Mistake(
            "the pairs turned",
            "Which setting comes first? a, then b: an answer above ½ speaks for b.",
            wrong_functions=("a and b exchanged",),
        ),
        Mistake(
            "choices made of degrees",
            "A degree, or a choice? The answers are wanted as they were given.",
            wrong_functions=("degrees as choices",),
        ),
        Mistake(
            "choices of the blind test among the answers",
            "Which events are about questions? Others may come in between, and are left alone.",
            wrong_functions=("test answers too",),
        ),
        Mistake(
            "without its shape",
            "How many numbers has a setting if there is no answer yet? The header's bounds say it: the shape is "
            "(0, 2, d). np.array(…).reshape(-1, 2, d) helps.",
            wrong_functions=("no shape for nothing",),
        ),
    ),
    hints=(
        "Walk through the lines with two lists, questions and answers: there are as many answers as questions, or one "
        "less, and then the last question is open.",
        'A question is appended; an answer is appended if its "to" is the number of the open question; "taken_back": '
        "n cuts the answers to n − 1 and the questions to n.",
        "json.loads in try … except ValueError, and isinstance(event, dict): if that fails in the last line, leave "
        "it; if before, remember its number (from 1) and stop reading.",
    ),
    about=(
        "The pairs of those questions that are answered, and not void: a, then b.",
        "The answers as they were given, one for each pair, in the order of the questions.",
        "The question that was asked and not answered, or whose answer was taken back last.",
        "The number of the first bad line that is not the last one, counted from 1 with the header; else 0.",
    ),
    draw=draw_journal,
    laws=(
        Law(
            "There are as many answers as pairs, and at most one question is open.",
            "When is a question answered, and when open?",
            holds=lambda one, other: len(one[0]) == len(one[1]) and len(one[2]) < 2,
        ),
        Law(
            "Two answers, 0 and 0.5, about 1.5 and 2, and 1.5 and 3: all these numbers stand as they are.",
            "What does your function do with a 0, and what with a fraction?",
            lambda lines: (
                written(header(1), question(1, 1.5, 2), answer(1, 0.0), question(2, 1.5, 3), answer(2, 0.5)),
            ),
            lambda one, other: near(other[:2], (array([[1.5], [2]], [[1.5], [3]]), array(0, 0.5))),
        ),
        Law(
            "Take back the answer to question 1 at the end: nothing is answered, and question 1 is open.",
            "Which answers, and which later questions, are void, and whose question is open?",
            lambda lines: after(lines, back(1)),
            lambda one, other: len(other[0]) == len(other[1]) == 0 and near(other[2], np.vstack([one[0], one[2]])[:1]),
        ),
        Law(
            "Write an answer down twice, as a double click does: nothing changes.",
            "To which question is the second one? Is that one open?",
            lambda lines: (lines + lines[-1:],) if '"to"' in lines[-1] and lines[-1].endswith("}") else None,
        ),
        Law(
            "Add a beginning of a line, the power fails: nothing changes.",
            "What is a last line that cannot be read?",
            lambda lines: after(lines, '{"answ'),
        ),
        Law(
            "Add a line that is no object, and an answer: the line is damage, and nothing else changes.",
            "Where do you stop reading, what of that which was read before stays, and do you tell the number?",
            lambda lines: after(lines, "[]", answer(1, 0.9)),
            lambda one, other: near(other[:3], one[:3]) and other[3] > 0,
        ),
        Law(
            "Add an empty line, and an answer: the empty line is damage, too.",
            "Is an empty line a JSON object? May anything be trusted that comes after it?",
            lambda lines: after(lines, "", answer(1, 0.9)),
            lambda one, other: near(other[:3], one[:3]) and other[3] > 0,
        ),
        Law(
            "Add a note about something else, and another one: nothing changes.",
            "What do you do with an object that is neither question nor answer, nor takes anything back?",
            lambda lines: after(lines, {"note": 3}, {"note": 4}),
        ),
    ),
    asks={
        HAND: "Which questions were asked, and which of them has an answer?",
        BEGUN: "Nothing is answered yet: which shapes have the first three results? d is 2.",
        FAILED: "Settings may be fractions. The last line is cut off: as if it were not there. What is open then?",
        CHANGED: "Keep two lists beside the lines. What do they hold after each line that takes something back, "
        "and when questions 3 and 4 are asked anew?",
        CLICKS: "To which question is each answer, and is that one open? Only then it counts.",
        BROKEN: "The first bad line is damage. What was read before it stays, and nothing is read after it.",
        TESTED: "What belongs to the test changes nothing: question 2 is open. The `null` is not the last line.",
        LIST: "0.0 is an answer. `[1, 2]` is JSON and no object: damage, for the last line is the empty one.",
        EMPTY: "An empty line is no object. Which shapes have the first three results if nothing comes before it?",
        BACK: "Nothing is asked anew here. What is left when question 2 is open again?",
    },
)

homework = Homework(gain, batch, allowed, stop, power, journal, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
