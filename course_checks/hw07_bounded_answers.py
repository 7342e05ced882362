"""The checks of homework 07: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, near, whole
from course_checks.tasks import times


def rough(case, got):
    """Whether it is nearly right."""
    return near(got, case.expected, 0.02)


NAN, INF = np.nan, np.inf
HAND = "by hand"
SCALES = (0.0, 1.0), (1.0, 7.0), (-4.0, -1.0), (10.0, 12.5), (0.0, 100.0), (-3.0, 5.0)

LINK = (
    "as if another curve led from f to the scale",
    "Which link does the task name? Φ is the distribution function of N(0, 1).",
)
EXCHANGED = ("as if α and β were exchanged", "Which of the two grows with f? A high f means a high mark: α.")
SUM_OF_SHAPES = ("as if α + β were not ν", "What is α + β? The precision: α = ν Φ(f), β = ν Φ(−f).")
SPREAD_OF_G = (
    "as if f had another spread",
    "Is the variance what f is multiplied with? If t is N(0, 1), then mean + √variance · t is N(mean, variance).",
)
WEIGHTS = (
    "as if the values of f had other probabilities",
    "Which values of f are probable, and does your average know it? Average the number 1 first: 1 must come out. Then "
    "average f and (f − mean)².",
)
DIGITS = (
    "nearly right",
    "How many digits has your answer, and how many does the case ask for? Chance and coarse tables give two or three.",
)

# ---------------------------------------------------------------------------------------------------- 1 warped


def draw_warped(rng, k):
    """Marks on a scale; in every fourth case within a thousandth of an end, where z may be far from 0."""
    n, near_an_end = 1 + k % 3, k % 4 == 3
    low, high = (0.0, 1.0) if near_an_end else SCALES[k % len(SCALES)]
    share = 10 ** -rng.uniform(3.2, 4.5, n) if near_an_end else rng.beta(0.8, 0.7, n)
    share = 1 - share if k % 8 == 7 else share
    variance = rng.uniform(9, 20) if near_an_end else rng.uniform(0.2, 6)
    return low + (high - low) * share, float(rng.normal(0, 1.5)), float(variance), low, high


warped = Task(
    name="warped",
    function="warped_density",
    arguments=("y", "mean", "variance", "low", "high"),
    title="Task 1 · Warped by the logit",
    stars=1,
    minutes=20,
    points=4,
    cases=(
        Case(HAND, (array(6), 1.0, 4.0, 2.0, 10.0)),
        Case("1 to 5", (array(1.5, 2, 4.2), -0.4, 0.36, 1.0, 5.0)),
        Case("−3 to 5", (array(-2.6, 0.5, 4.5), 0.7, 2.5, -3.0, 5.0)),
        Case("0 to 100", (array(0.5, 40, 97), 0.5, 9.0, 0.0, 100.0)),
    ),
    draw=draw_warped,
    mistakes=(
        Mistake(
            "as if the slope of the warping were not |dz/dy|",
            "Integrate numerically over the scale: what do you get? A density in y is the density in z times |dz/dy|.",
            wrong_functions=(
                "no Jacobian",
                "Jacobian turned over",
                "derivative of the other direction, unit scale",
                "Jacobian of a logarithm",
                "length of the scale only",
            ),
        ),
        Mistake(
            "as if the length of the scale entered in another power",
            "Give the same marks in percent: by which factor must the density change?",
            wrong_functions=("range forgotten", "range left out of the numerator", "range multiplied in"),
        ),
        Mistake(
            "as if the variance were taken for something else",
            "Which unit has the number that you divide (z − mean) by? The root of the variance has the unit of z.",
            wrong_functions=(
                "variance as standard deviation",
                "norm.pdf with variance",
                "root in the exponent",
                "multiplied by the variance",
            ),
        ),
        Mistake(
            "as if the Gaussian had another constant or no ½",
            "Which factor makes a Gaussian with this variance integrate to one? And what stands before the square?",
            wrong_functions=("no half", "no constant", "no 2π", "no σ in the constant", "2π without its root"),
        ),
        Mistake(
            "as if y were warped by another curve",
            "Which warping does the task name? The natural log of the odds.",
            wrong_functions=("probit", "probit, Jacobian of the logit", "log10", "not warped", "log only"),
        ),
        Mistake(
            "as if the odds were others",
            "Which z must the middle of the scale have, and which z its two ends? The higher the mark, the higher is "
            "z.",
            wrong_functions=("upside down", "y over high", "as if on 0 … 1"),
        ),
        Mistake(
            "as if the mean were a mark",
            "On which of the two scales does mean live? It is the mean of z; marks are warped, mean is not.",
            wrong_functions=("mean warped too",),
        ),
        Mistake(
            "the probability of a lower mark",
            "A density, or the probability of a lower mark? Its slope is asked for.",
            wrong_functions=("cumulative",),
        ),
        Mistake(
            "with another curve for z", "Which distribution has z? A Gaussian one.", wrong_functions=("logistic",)
        ),
        Mistake(
            "the logarithm",
            "A density, or its logarithm? Densities are positive.",
            when=lambda case, got: near(got, np.log(case.expected)),
        ),
        Mistake(
            "values that were divided by their sum",
            "Must densities of a few marks sum to one? It is their integral over the whole scale that is one.",
            when=lambda case, got: got.shape == case.expected.shape and near(got.sum(), 1.0),
        ),
    ),
    laws=(
        Law(
            "Add 3 to the marks and to both ends: the density stays.",
            "Which number counts from 0 where it should count from low? A length is high − low.",
            lambda y, mean, variance, low, high: (y + 3, mean, variance, low + 3, high + 3),
        ),
        Law(
            "Double the marks and both ends: the density halves.",
            "Which unit has the density, and which unit has dz/dy?",
            lambda y, mean, variance, low, high: (2 * y, mean, variance, 2 * low, 2 * high),
            times(0.5),
        ),
        Law(
            "Mirror the scale and change the sign of the mean: the density stays.",
            "What does z become, and which of the two ends does your slope forget?",
            lambda y, mean, variance, low, high: (low + high - y, -mean, variance, low, high),
        ),
        Law(
            "In the middle of a scale from 0 to 4 z is 0 and dz/dy is 1: with mean 3 and variance 4 the density is "
            "that of N(3, 4) at 0, exp(−9/8)/√(8π) = 0.0648.",
            "What do you get here for dz/dy, the square over twice the variance, and the root of 2π · variance?",
            example=(array(2), 3.0, 4.0, 0.0, 4.0),
            holds=lambda one, other: near(other, np.exp(array(-9 / 8)) / np.sqrt(8 * np.pi)),
        ),
        Law(
            "On a scale from 0 to 1, y = 0.000911 has z = −7. With mean −7 and variance 1/(2π) the Gaussian is 1 "
            "there, and the density is dz/dy alone: 1/y + 1/(1 − y) = 1098.6.",
            "What is your dz/dy there? And is a mark near an end taken as it is?",
            example=(1 / (1 + np.exp(array(7))), -7.0, 1 / (2 * np.pi), 0.0, 1.0),
            holds=lambda one, other: near(other, 2 + 2 * np.cosh(array(7))),
        ),
    ),
    hints=(
        "First z = log((y − low)/(high − y)). Then the Gaussian density of z with mean and variance. Then a factor, "
        "because a step of 1 in y is not a step of 1 in z.",
        "The factor is dz/dy. Write z as log(y − low) − log(high − y) and differentiate each of the two.",
        "dz/dy = 1/(y − low) + 1/(high − y), always positive. Multiply the Gaussian density of z by it.",
    ),
)

# --------------------------------------------------------------------------------------------------- 2 moments


def draw_moments(rng, k):
    """A hill, a valley with two peaks at the ends, a density that falls or rises, a narrow hill."""
    hill, bowl = (1.2, 9), (0.2, 0.9)
    shapes = ((hill, hill), (bowl, bowl), (bowl, hill), (hill, bowl), ((20, 90), (20, 90)))[k % 5]
    alpha, beta = (rng.uniform(*one) for one in shapes)
    low, high = SCALES[k % len(SCALES)]
    return float(low + (high - low) * alpha / (alpha + beta)), float(alpha + beta), low, high


moments = Task(
    name="moments",
    function="beta_scale",
    arguments=("mean", "precision", "low", "high"),
    title="Task 2 · A beta on your own scale",
    stars=1,
    minutes=15,
    points=3,
    cases=(
        Case(HAND, (5.0, 12.0, 0.0, 6.0), (10, 2, 0.620173672946042, 5.4)),
        Case("−3 to 5", (3.4, 7.5, -3.0, 5.0), (6, 1.5, 1.09759094491206, 4.27272727272727)),
        Case("20 to 120", (55.0, 40.0, 20.0, 120.0), (14, 26, 7.44901368491485, 54.2105263157895)),
        Case("falling", (2.0, 4.0, 0.0, 8.0), (1, 3, 1.54919333848297, NAN)),
        Case("all near 0", (0.5, 10.0, 0.0, 10.0)),
        Case("two peaks", (4.0, 1.5, 0.0, 10.0)),
        Case("flat", (3.0, 2.0, 1.0, 5.0), (1, 1, 1.15470053837925, NAN)),
        Case("rising", (7.0, 4.0, 0.0, 8.0), (3.5, 0.5, 1.18321595661992, NAN)),
    ),
    draw=draw_moments,
    mistakes=(
        Mistake(
            "as if another power of α + β stood in the variance",
            "Can a standard deviation exceed half the length of the scale?",
            wrong_functions=("no square", "square of the other", "not divided"),
        ),
        Mistake(
            "as if the factor α + β + 1 were another one",
            "For α = β = 1, the uniform distribution: is the variance 1/12?",
            wrong_functions=("ν for ν + 1", "ν + 2 for ν + 1"),
        ),
        Mistake(
            "a variance where a standard deviation is asked for",
            "Which unit has a standard deviation, and which a variance?",
            wrong_functions=("variance", "variance in squared units"),
        ),
        Mistake(
            "as if not all numbers were on the scale of the marks",
            "Give the marks in percent instead: which of the four numbers change, and how? And if the scale begins at "
            "another number?",
            wrong_functions=(
                "standard deviation of the unit scale",
                "standard deviation moved as a mark",
                "standard deviation times high",
                "mode of the unit scale",
                "mode without low",
            ),
        ),
        Mistake(
            "as if the mean were not moved to [0, 1] first",
            "Which share of the scale lies below the mean? α is this share of the precision.",
            wrong_functions=("mean not rescaled", "mean over high", "low not subtracted"),
        ),
        Mistake(
            "as if α and β were exchanged",
            "Which of the two grows when the mean rises? High marks, large α.",
            wrong_functions=("α and β exchanged", "all exchanged"),
        ),
        Mistake(
            "as if the precision were another number",
            "What must α + β be? The precision, neither more nor less.",
            wrong_functions=("precision as 1/variance", "shares"),
        ),
        Mistake(
            "with a mode where there is none",
            "Draw the density for α = 0.6 and β = 0.9: where is it highest? The formula gives a place where the slope "
            "is zero, or a place beyond the bounds. When is it a peak?",
            wrong_functions=(
                "the mode's formula everywhere",
                "the mode's formula, division by zero",
                "one of the two is enough",
            ),
        ),
        Mistake(
            "with the bound as the mode",
            "Is a bound inside? The task wants NaN if the density has no peak between the bounds.",
            wrong_functions=("a mode on the bound", "at least one"),
        ),
        Mistake(
            "because the formula of the mode divides by α + β − 2",
            "What is the density for α = β = 1? All marks are equally probable, none is a peak.",
            raises=ZeroDivisionError,
        ),
        Mistake(
            "with another middle in place of the mode",
            "Is the peak of a skewed density at its mean? The mode is where the density is highest.",
            wrong_functions=("mean for mode", "median for mode"),
        ),
        Mistake(
            "as if the mode had another formula",
            "Where is the slope of (α − 1) log u + (β − 1) log(1 − u) zero?",
            wrong_functions=("mode without −1", "mode with −1 below", "mode without −2"),
        ),
    ),
    laws=(
        Law(
            "Add 3 to the mean and to both ends: the mode grows by 3, all else stays.",
            "Which number counts from 0 where it should count from low? A place moves with the scale, a length stays.",
            lambda mean, precision, low, high: (mean + 3, precision, low + 3, high + 3),
            lambda one, other: near(other, (*one[:3], one[3] + 3)),
        ),
        Law(
            "Double the mean and both ends: standard deviation and mode double, α and β stay.",
            "Which of the four have the unit of the marks?",
            lambda mean, precision, low, high: (2 * mean, precision, 2 * low, 2 * high),
            times(1, 1, 2, 2),
        ),
        Law(
            "Mirror the scale: α and β change places, and the standard deviation stays.",
            "Which share of the precision has the part below the mean, and which the part above it?",
            lambda mean, precision, low, high: (low + high - mean, precision, low, high),
            lambda one, other: near(other[:3], (one[1], one[0], one[2])),
        ),
        Law(
            "If ν is 2 and the mean is the middle of a scale from 0 to 12, all marks are equally probable: the "
            "standard deviation is √12 = 3.464, and there is no peak.",
            "What are α and β, and what does the formula of the variance give for them?",
            example=(6.0, 2.0, 0.0, 12.0),
            holds=lambda one, other: near(other, (1.0, 1.0, np.sqrt(12), NAN)),
        ),
        Law(
            "For α = 4 and β = 2 on a scale from 0 to 8 the density is proportional to u³ (1 − u): its peak is at "
            "u = ¾, the mark 6.",
            "For which α and β do you ask for the peak, and what does its formula give here?",
            example=(16 / 3, 6.0, 0.0, 8.0),
            holds=lambda one, other: near(other[3], 6.0),
        ),
        Law(
            "For α = β = ½ the density is highest at both ends, so that it has no peak between them: NaN.",
            "What is it in the middle, where its slope is 0: a peak, or a valley?",
            example=(5.0, 1.0, 0.0, 10.0),
            holds=lambda one, other: bool(np.isnan(other[3])),
        ),
    ),
    hints=(
        "Move the mean to [0, 1] first: u is the share of the scale that lies below it. Then α = ν u, β = ν (1 − u).",
        "On [0, 1] the variance is u(1 − u)/(ν + 1) and the mode (α − 1)/(α + β − 2). A length is stretched by high − "
        "low; a place is stretched and moved by low.",
        "The mode's formula is a peak only if α > 1 and β > 1. Otherwise return float('nan'): ask before you divide.",
    ),
)

# --------------------------------------------------------------------------------------------------- 3 squeeze

KEPT = (
    "as if a gap had become a mark, or had been closed",
    "Where would the reader of your table look for the second mark of the first person? Keep the shape, keep the NaN.",
)
TABLE, FULL = "a table with gaps", "no gaps"


def draw_squeeze(rng, k):
    """A table of marks in quarters of the scale, many of them on an end; every third has no gaps."""
    low, high = SCALES[k % len(SCALES)]
    shape = (1 + k % 3, 2 + k % 2)
    y = low + (high - low) * rng.integers(0, 5, shape) / 4
    gaps = 0 if k % 3 == 2 else int(rng.integers(1, y.size)) if y.size > 2 else 0
    y.flat[rng.choice(y.size, min(gaps, y.size - 2), replace=False)] = NAN
    return y, low, high


squeeze = Task(
    name="squeeze",
    function="squeezed",
    arguments=("y", "low", "high"),
    title="Task 3 · Marks on the bound",
    stars=2,
    minutes=25,
    points=4,
    cases=(
        Case(
            HAND,
            (array([0, 5, NAN], [10, NAN, 2]), 0.0, 10.0),
            (array([0.125, 0.5, NAN], [0.875, NAN, 0.275]), 0.075),
        ),
        Case(FULL, (array([1, 2.5], [7, 6], [4, 4]), 1.0, 7.0)),
        Case(TABLE, (array([-5, 1, NAN, 2], [NAN, NAN, -4, 3.5], [0.5, -2, 4, NAN]), -5.0, 5.0)),
        Case("two marks", (array([20, NAN], [NAN, 95]), 20.0, 100.0)),
    ),
    draw=draw_squeeze,
    mistakes=(
        Mistake(
            "as if n were another number",
            "How many marks did people give? A gap is not a mark. n belongs to the whole table.",
            wrong_functions=(
                "counts the gaps",
                "counts the rows",
                "counts each column",
                "counts the gaps only",
                "counts different marks",
            ),
        ),
        Mistake(
            "as if one gap spoiled everything",
            "What is NaN + 1? A sum over the table meets the gaps; ~np.isnan(y) is True where there is a mark.",
            when=lambda case, got: bool(np.isnan(got[0]).all() or np.isnan(got[1])),
        ),
        Mistake(*KEPT, when=lambda case, got: got[0].size < case.expected[0].size),
        Mistake(*KEPT, wrong_functions=("a gap becomes 0", "a gap becomes ½", "a gap becomes 0 before")),
        Mistake(
            "as if the marks were not moved to [0, 1] first",
            "Which share of the scale lies below a mark? The scale goes from low to high, whatever marks occur on it.",
            wrong_functions=(
                "not rescaled",
                "over high",
                "low not subtracted",
                "by the data's own range",
                "upside down",
            ),
        ),
        Mistake(
            "as if the squeeze had another formula",
            "Where must 0 and 1 go: by how much, and to which side? Try n = 2: 0, ½ and 1 become ¼, ½ and ¾.",
            wrong_functions=("no half", "one for a half", "half not divided", "n for n − 1", "n + 1"),
        ),
        Mistake(
            "as if only the marks near the bounds were moved",
            "Do two marks that differ by 1 differ by the same everywhere on the scale afterwards? Here they should.",
            wrong_functions=("bounds only", "clipped"),
        ),
        Mistake(
            "on the scale of the marks again",
            "Between which numbers does a beta density live? 0 and 1.",
            wrong_functions=("back on the scale",),
        ),
        Mistake(
            "as if the slope were another one",
            "Raise a mark by one unit of its scale: by how much does its squeezed value rise?",
            wrong_functions=(
                "slope of the scale alone",
                "slope of the squeeze alone",
                "slope turned over",
                "slope times the length",
                "log of the slope",
            ),
        ),
    ),
    laws=(
        Law(
            "The slope is the rise of u for one unit of the mark: for 0, 10 and a gap on a scale from 0 to 10, a "
            "tenth of what lies between the two u.",
            "Is it the same n and the same length in u and in its slope? A gap counts in neither.",
            example=(array([0, 10, NAN]), 0.0, 10.0),
            holds=lambda one, other: near(other[1], float(other[0][0, 1] - other[0][0, 0]) / 10),
        ),
        Law(
            "One more person who gives no mark at all changes nothing for the others.",
            "Where does the size of the table enter? n counts marks.",
            lambda y, low, high: (np.vstack([y, np.full((1, y.shape[1]), NAN)]), low, high),
            lambda one, other: near((other[0][:-1], other[1]), one),
        ),
        Law(
            "Add 3 to the marks and to both ends: u and its slope stay.",
            "Which number counts from 0 where it should count from low?",
            lambda y, low, high: (y + 3, low + 3, high + 3),
        ),
        Law(
            "Double the marks and both ends: u stays, its slope halves.",
            "Which of the two has a unit?",
            lambda y, low, high: (2 * y, 2 * low, 2 * high),
            times(1, 0.5),
        ),
        Law(
            "Mirror the scale: u becomes 1 − u, and the slope stays.",
            "By how much does each end move, and where does the middle go?",
            lambda y, low, high: (low + high - y, low, high),
            lambda one, other: near(other, (1 - one[0], one[1])),
        ),
    ),
    hints=(
        "Three steps: n = how many entries are not NaN; s = (y − low)/(high − low); u = (s (n − 1) + ½)/n. NaN stays "
        "NaN by itself in all of them.",
        "np.isnan(y) marks the gaps; the number of False in it is n.",
        "The slope is the product of two slopes, that of s and that of u. Both are constant, so it is one number.",
    ),
)

# -------------------------------------------------------------------------------------------------- 4 interval

UNSURE, LOW, QUIET, RANDOM_ENDS = "f is uncertain", "low marks", "little noise, ν = 1000", "strong noise, ν = ½"


def draw_interval(rng, k):
    """What is known of f, from all to little, and noise from ν = ½ to 1000."""
    variance = (0.0, rng.uniform(0.05, 0.5), rng.uniform(0.5, 2))[k % 3]
    precision = (0.5, 2.0, 10.0, 60.0, 1000.0)[k % 5] * rng.uniform(0.7, 1)
    return float(rng.normal(0, 0.8)), float(variance), float(precision), float(rng.uniform(0.3, 0.95))


interval = Task(
    name="interval",
    function="predictive_interval",
    arguments=("mean", "variance", "precision", "level"),
    title="Task 4 · Where will the next mark be?",
    stars=2,
    minutes=35,
    points=6,
    cases=(
        Case(HAND, (0.0, 0.0, 2.0, 0.9), (0.05, 0.95), 1e-5),
        Case(UNSURE, (0.5, 0.64, 12.0, 0.9), tolerance=1e-5),
        Case(LOW, (-1.3, 0.25, 20.0, 0.5), tolerance=1e-5),
        Case(QUIET, (0.4, 0.09, 1000.0, 0.95), tolerance=1e-5),
        Case(RANDOM_ENDS, (0.3, 0.5, 0.5, 0.4), tolerance=1e-5),
    ),
    draw=draw_interval,
    tolerance=1e-5,
    mistakes=(
        Mistake(
            "as if one of two uncertainties were left out",
            "What is uncertain: only the mark, only f, or both? A mark is drawn in two steps: first f, then the mark "
            "given f.",
            wrong_functions=("mean of f plugged in", "mean mark plugged in", "interval of Φ(f)"),
        ),
        Mistake(
            "as if quantiles were averaged or read one after the other",
            "First average, then invert, or the other way round? The probabilities P(mark ≤ y | f) can be averaged "
            "over f; quantiles cannot.",
            wrong_functions=("quantiles averaged", "quantiles at the quantiles of f"),
        ),
        Mistake(
            "as if the rest were shared out differently",
            "Which probability lies below the interval, and which above? Central means: the same on both sides.",
            wrong_functions=("1 − level on each side", "from zero", "to one", "the tails alone", "shortest"),
        ),
        Mistake(*SPREAD_OF_G, wrong_functions=("standard deviation for variance", "root twice", "one more")),
        Mistake(
            "what a Gaussian with the right mean and variance gives",
            "Is the distribution of the mark symmetric? Ask its distribution function where it reaches the two tails.",
            wrong_functions=("Gaussian ends", "Gaussian ends, clipped"),
        ),
        Mistake(
            "what one beta with the right mean and variance gives",
            "Is a mixture of betas a beta? Average the distribution functions themselves.",
            wrong_functions=("one beta with the right moments",),
        ),
        Mistake(*WEIGHTS, wrong_functions=("nodes for exp(−x²)", "all values of f count the same")),
        Mistake(*LINK, wrong_functions=("logit", "no link")),
        Mistake(*EXCHANGED, wrong_functions=("α and β exchanged",)),
        Mistake(*SUM_OF_SHAPES, wrong_functions=("(α, ν)", "ν as 1/variance")),
        Mistake(
            "with the upper end first",
            "Which of the two comes first? (lower, upper).",
            when=lambda case, got: near(got, case.expected[::-1]),
        ),
        Mistake(
            "a centre and a length",
            "Two ends, or a centre and a length?",
            when=lambda case, got: near(got, (sum(case.expected) / 2, case.expected[1] - case.expected[0])),
        ),
        Mistake(
            "as if the average were taken over too few values of f",
            "How steep is the distribution function of a mark, seen along f? With ν = 1000 it is a step. Put many "
            "values of f on it: double their number and see whether the answer moves.",
            wrong_functions=("few nodes", "twenty nodes"),
            correct_cases=(HAND, RANDOM_ENDS),
            when=lambda case, got: case.name != UNSURE and rough(case, got),
        ),
        Mistake(
            *DIGITS,
            wrong_functions=("drawn at random", "coarse search"),
            when=lambda case, got: case.name == UNSURE and rough(case, got),
        ),
    ),
    laws=(
        Law(
            "If f is 0 for certain and ν = 2, all marks are equally probable: with level ½ from ¼ to ¾.",
            "What are α and β, which probabilities lie below the two ends, and do the weights of all f add up to 1?",
            example=(0.0, 0.0, 2.0, 0.5),
            holds=lambda one, other: near(other, (0.25, 0.75)),
        ),
        Law(
            "With ν = 1000 the mark is nearly Φ(f), and for f ~ N(0, 1) all Φ(f) are equally probable: with level ½ "
            "the interval goes from 0.25 to 0.75.",
            "What does f alone do to your ends, without noise of the mark? Each f counts with its probability.",
            example=(0.0, 1.0, 1e4, 0.5),
            holds=lambda one, other: near(other, (0.25, 0.75), 2e-3),
        ),
        Law(
            "Change the sign of the mean of f: both ends are mirrored, (1 − upper, 1 − lower).",
            "Is the same probability left below the interval as above it, and are α and β treated alike?",
            lambda mean, *more: (-mean, *more),
            lambda one, other: near(other, (1 - one[1], 1 - one[0])),
        ),
        Law(
            "With half the level the interval is shorter, and lies inside.",
            "What do the two ends do when the level falls?",
            lambda mean, variance, precision, level: (mean, variance, precision, level / 2),
            lambda one, other: one[0] <= other[0] + 1e-5 and other[1] <= one[1] + 1e-5,
        ),
    ),
    hints=(
        "P(mark ≤ y) is the average over f of P(mark ≤ y | f) = betainc(ν Φ(f), ν Φ(−f), y). Write this as a function "
        "of y alone: it rises from 0 to 1.",
        "For the average take t from −8 to 8 in 2000 steps, f = mean + √variance · t, and weights exp(−t²/2) that are "
        "divided by their sum. With variance 0 all f are equal, and nothing special has to be done.",
        "The lower end is where the distribution function reaches (1 − level)/2, the upper end where it reaches (1 + "
        "level)/2. brentq(lambda y: cdf(y) - p, 0, 1), or halve [0, 1] fifty times.",
    ),
)

# ------------------------------------------------------------------------------------------------- 5 truncated

CERTAIN, SURE_NOT, LOW_MODE, SHARP, BLUNT = (
    "f is certain",
    "f is not",
    "a low mode",
    "a sharp peak, ν = 1000",
    "hardly a peak, ν = 0.2",
)


def draw_truncated(rng, k):
    """What is known of f, from all to little, and noise from ν = 0.2 to 1000."""
    variance = (0.0, rng.uniform(0.05, 0.6), rng.uniform(0.6, 2.5))[k % 3]
    precision = (0.2, 1.0, 4.0, 20.0, 1000.0)[k % 5] * (rng.uniform(1, 3) if k % 5 < 4 else rng.uniform(0.4, 1))
    mean = 5 + 4 * rng.random() if k % 10 == 6 else rng.normal(0, 1.2)
    return float(mean if k % 4 else -mean), float(variance), float(precision)


truncated = Task(
    name="truncated",
    function="truncated_mean",
    arguments=("mean", "variance", "precision"),
    title="Task 5 · The mode is not the mean",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(HAND, (9.0, 0.0, 10.0), tolerance=1e-6),
        Case(CERTAIN, (0.8, 0.0, 4.0), tolerance=1e-6),
        Case(SURE_NOT, (0.8, 0.49, 4.0), tolerance=1e-6),
        Case(LOW_MODE, (-1.6, 1.44, 2.5), tolerance=1e-6),
        Case(SHARP, (-0.5, 2.25, 1000.0), tolerance=1e-6),
        Case(BLUNT, (1.1, 0.3, 0.2), tolerance=1e-6),
    ),
    draw=draw_truncated,
    tolerance=1e-6,
    mistakes=(
        Mistake(
            "what one typical f gives",
            "Does a curve commute with averaging? First the mean mark for each f, then the average over f.",
            wrong_functions=("mean of f plugged in", "mean mode plugged in"),
        ),
        Mistake(
            "as if nothing had been cut off",
            "Is the mean of a Gaussian that is cut off still its mode? Marks beyond the bounds are drawn again, until "
            "one lies inside.",
            wrong_functions=("mode for mean", "mode of the mean", "noise on f"),
        ),
        Mistake(
            "as if marks beyond a bound were moved onto it",
            "Where do the marks go that a Gaussian would put beyond the bounds? They are drawn again, until one lies "
            "inside: what is left is divided by its probability.",
            wrong_functions=("censored",),
        ),
        Mistake(
            "with the correction to the wrong side",
            "The mode sits on the upper bound: on which side of it is the mean?",
            wrong_functions=("plus for minus",),
        ),
        Mistake(
            "as if the noise had another standard deviation than 1/ν",
            "Which unit has ν, and which unit must the correction have? 1/ν is a length on the scale; φ and Φ want "
            "numbers without a unit.",
            wrong_functions=(
                "no 1/ν",
                "1/ν²",
                "ν for 1/ν",
                "ν as 1/variance",
                "ν as standard deviation",
                "ends not in units of the noise",
            ),
        ),
        Mistake(
            "as if the mass inside did not divide, or not for each f",
            "Which probability does the Gaussian give to [0, 1], and where does it enter? Given f, the density of the "
            "mark must integrate to one.",
            wrong_functions=(
                "no denominator",
                "multiplied by the mass",
                "numerator with the mass alone",
                "normalised afterwards",
            ),
        ),
        Mistake(
            "as if there were one bound only",
            "How many bounds are there? A mark can be cut off on both sides.",
            wrong_functions=("bound at 0 only", "bound at 1 only"),
        ),
        Mistake(
            "the median mark",
            "Is the median of a skewed density its mean? Equation 2 has the mean.",
            wrong_functions=("median",),
        ),
        Mistake(*SPREAD_OF_G, wrong_functions=("standard deviation for variance", "root twice")),
        Mistake(
            *WEIGHTS,
            wrong_functions=("nodes for exp(−x²)", "weights that sum to √π", "all values of f count the same"),
        ),
        Mistake(*LINK, wrong_functions=("logit", "no link")),
        Mistake(
            "as if marks were summed on too coarse a grid",
            "How wide is the peak of the density for ν = 1000, and how far apart are your marks? Equation 2 needs no "
            "marks.",
            wrong_functions=("grid of 21 marks", "grid of 201 marks"),
        ),
        Mistake(
            *DIGITS,
            wrong_functions=("drawn at random",),
            when=lambda case, got: case.name == SURE_NOT and rough(case, got),
        ),
    ),
    laws=(
        Law(
            "With an enormous ν nothing is cut off, and the mark is Φ(f): for f ~ N(1, 1) it is expected at "
            "Φ(1/√2) = 0.7602.",
            "Is Φ(f) averaged over many f, each with its probability? What is left of the correction?",
            example=(1.0, 1.0, 1e4),
            holds=lambda one, other: near(other, 0.7602499, 1e-3),
        ),
        Law(
            "If f is 9 for certain and ν = 100, half a Gaussian is left, with the mean 1 − √(2/π)/100 = 0.99202.",
            "What lies beyond 1 is drawn again: by which probability is the rest divided? Is its width 1/ν?",
            example=(9.0, 0.0, 100.0),
            holds=lambda one, other: near(other, 1 - np.sqrt(2 / np.pi) / 100, 2e-5),
        ),
        Law(
            "Change the sign of the mean of f: the expected mark becomes 1 minus what it was.",
            "Are both ends of the scale treated alike?",
            lambda mean, *more: (-mean, *more),
            lambda one, other: near(other, 1 - one),
        ),
        Law(
            "A smaller ν moves the mean towards ½: with noise wider than the scale, all marks are equally probable.",
            "To which side does the correction move the mean mark, and how much of the Gaussian lies on the scale?",
            lambda mean, variance, precision: (mean, variance, precision / 2),
            lambda one, other: abs(other - 0.5) <= abs(one - 0.5) + 1e-6,
        ),
    ),
    hints=(
        "Two layers. Inside: for one f, the mode is Φ(f) and the mean mark μ(f) is equation 2 with a = 0 and b = 1. "
        "Outside: the average of μ(f) over f ~ N(mean, variance).",
        "In equation 2, N(…) is the density φ of N(0, 1). Compute a′ = −ν Φ(f) and b′ = ν (1 − Φ(f)) first; then μ = "
        "Φ(f) + (φ(a′) − φ(b′))/(ν (Φ(b′) − Φ(a′))).",
        "For the average take t from −8 to 8 in 2000 steps, f = mean + √variance · t, and weights exp(−t²/2) that are "
        "divided by their sum.",
    ),
)

# ----------------------------------------------------------------------------------------------------- 6 steps

ALL, DISTANT, EXTREME, FINE = "all marks of a scale", "far from Φ(f)", "an extreme opinion", "steps of a hundredth"


def only_where_high(case, got):
    """Whether a mark is wrong just where 1 − Φ(f) is 0 for a computer; the last mark has probability 1 there."""
    if got.shape != case.expected.shape:
        return False
    mark, f, _, steps = case.inputs
    return np.array_equal(np.isclose(got, case.expected, 1e-6), (f < 8) | (mark == steps))


def draw_steps(rng, k):
    """Any marks; marks that little noise makes improbable; an extreme opinion; a fine scale."""
    kind, n = k % 4, 2 + k % 4
    steps = (1 + k % 7, int(rng.integers(5, 21)), 10, 100)[kind]
    precision = (rng.uniform(0.7, 40), rng.uniform(100, 300), rng.uniform(10, 40), rng.uniform(1, 5))[kind]
    f = rng.choice([-1, 1], n) * rng.uniform(6, 9, n) if kind == 2 else rng.normal(0, 0.9, n)
    return rng.integers(0, steps + 1, n), f, float(precision), steps


steps = Task(
    name="steps",
    function="log_step_probability",
    arguments=("mark", "f", "precision", "steps"),
    title="Task 6 · Marks in steps",
    stars=3,
    minutes=45,
    points=7,
    cases=(
        Case(HAND, (whole(0, 5, 10), array(0, 0, 0), 2.0, 10), np.log(array(0.05, 0.1, 0.05))),
        Case(ALL, (whole(0, 1, 2, 3, 4), np.full(5, 0.8), 6.0, 4)),
        Case(FINE, (whole(0, 1, 37, 99, 100), array(-1, -2, 0.2, 1, 2.5), 3.5, 100)),
        Case(DISTANT, (whole(20, 19, 0, 2, 7, 13), array(-1.5, -0.7, 1.2, 2.1, 0.4, -0.4), 200.0, 20)),
        Case(EXTREME, (whole(0, 3, 10, 10, 7, 0, 3, 7), array(9, 9, 9, -9, -9, -9, -9, 9), 30.0, 10)),
    ),
    draw=draw_steps,
    mistakes=(
        Mistake(
            "because 1 − Φ(f) is 0 for the computer",
            "What is 1 − Φ(9) for the computer, and what is Φ(−9)? β = 0 belongs to no beta distribution.",
            correct_cases=(HAND, ALL, FINE, DISTANT),
            when=lambda case, got: case.name == EXTREME and only_where_high(case, got),
        ),
        Mistake(
            "because digits were lost in a subtraction, or cut off",
            "How many digits are left when two numbers near 1 are subtracted? Φ(f) says on which side of this mark "
            "nearly all lies: subtract what lies on the other side, by betainc or by betaincc.",
            correct_cases=(HAND, ALL, FINE),
            when=lambda case, got: case.name in (DISTANT, EXTREME) and got.shape == case.expected.shape,
        ),
        Mistake(
            "as if other answers were rounded to the marks",
            "Which answers are rounded to the mark 0, and which to the mark 1? Draw the scale for steps = 4 and "
            "colour it. The colours of all marks together cover it once.",
            wrong_functions=(
                "down to the step below",
                "up to the step above",
                "a whole step to both sides",
                "equal parts",
                "pushed inside",
                "ends beyond the scale",
                "half a step of one",
            ),
        ),
        Mistake(
            "as if the marks stood elsewhere on the scale",
            "Where on [0, 1] is the mark k of steps? 0 is at 0, steps is at 1, and there are steps + 1 marks.",
            wrong_functions=("steps counted as marks", "marks as shares", "not divided", "marks as percent"),
        ),
        Mistake(
            "what the density gives",
            "Is a density a probability? Not even times the length of the interval, unless it is flat there; and on "
            "the bounds it is 0 or infinite. The distribution function knows the area.",
            wrong_functions=(
                "density",
                "density times length",
                "clipped density",
                "squeezed density",
                "normalised densities",
            ),
        ),
        Mistake(
            "what a Gaussian gives",
            "Which distribution has the answer before it is rounded? A beta distribution, which ends at the bounds.",
            wrong_functions=("Gaussian",),
        ),
        Mistake(
            "the probability of this mark or a lower one",
            "Do the probabilities of all marks sum to one? What lies below the mark's own interval belongs to others.",
            wrong_functions=("cumulative",),
        ),
        Mistake(
            "the probability itself",
            "A probability, or its logarithm? In a fit logarithms are added.",
            when=lambda case, got: near(got, np.exp(case.expected)) and not near(got, case.expected),
        ),
        Mistake(
            "a logarithm to another base",
            "Which logarithm is natural? np.log.",
            when=lambda case, got: near(got, case.expected / np.log(10)),
        ),
        Mistake(
            "the right numbers with the wrong sign",
            "Which sign has the logarithm of a probability?",
            when=lambda case, got: near(got, -case.expected),
        ),
        Mistake(*LINK, wrong_functions=("logit",)),
        Mistake(*EXCHANGED, wrong_functions=("α and β exchanged",)),
        Mistake(*SUM_OF_SHAPES, wrong_functions=("(α, ν)",)),
        Mistake(
            "because something that is not above 0 has no logarithm",
            "Is it the difference of the distribution function at the two ends of the mark's stretch? Print both, and "
            "the ends: do they rise, and stay on [0, 1]?",
            when=lambda case, got: got.shape == case.expected.shape and not np.isfinite(got).all(),
        ),
    ),
    laws=(
        Law(
            "The probabilities of all marks 0 … steps add up to 1, for each f.",
            "Which stretch of the scale belongs to each mark? Is its probability the difference of the distribution "
            "function at its two ends?",
            lambda mark, f, precision, steps: (np.arange(steps + 1), np.full(steps + 1, f[0]), precision, steps),
            lambda one, other: near(float(np.exp(other).sum()), 1.0, 1e-6),
        ),
        Law(
            "Replace mark k by steps − k, and f by −f: nothing changes.",
            "Is a mark above Φ(f) treated as one below it?",
            lambda mark, f, precision, steps: (steps - mark, -f, precision, steps),
        ),
        Law(
            "Reverse the marks together with their f: the answers are reversed.",
            "Which f belongs to which mark?",
            lambda mark, f, precision, steps: (mark[::-1].copy(), f[::-1].copy(), precision, steps),
            lambda one, other: near(other, one[::-1]),
        ),
    ),
    hints=(
        "The answer before rounding is a number from 0 to 1. What is rounded to the mark k lies between (k − ½)/steps "
        "and (k + ½)/steps, and never below 0 or above 1: so the two end intervals are half as long.",
        "P(low ≤ answer ≤ high) is betainc(α, β, high) − betainc(α, β, low), with α = ν Φ(f) and β = ν Φ(−f). It is "
        "also betaincc(α, β, low) − betaincc(α, β, high), from the other tail.",
        "Where betainc(α, β, low) is above ½, the second form keeps its digits; elsewhere the first one does. "
        "np.where chooses for each mark. Take Φ(−f) from ndtr(-f), not from 1 - ndtr(f).",
    ),
)

homework = Homework(warped, moments, squeeze, interval, truncated, steps, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
