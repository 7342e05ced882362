"""The checks of homework 07: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_lib.homework import Case, Homework, Mistake, Task, near


def numbers(*values):
    """A row of numbers, or a table if rows are given."""
    return np.array(values, dtype=float)


def marks(*values):
    """Marks in whole steps."""
    return np.array(values, dtype=int)


def not_finite(case, got):
    """Whether something came out as NaN or infinity where a number is right."""
    return got.shape == np.shape(case.expected) and not np.isfinite(got).all()


def rough(case, got):
    """Whether it is nearly right."""
    return near(got, case.expected, 0.02)


NAN, INF = np.nan, np.inf
HAND = "by hand"

LINK = (
    "as if another curve led from g to the scale",
    "Which link does the task name? Φ is the distribution function of N(0, 1).",
)
EXCHANGED = ("as if α and β were exchanged", "Which of the two grows with g? A high g means a high mark: α.")
SUM_OF_SHAPES = ("as if α + β were not ν", "What is α + β? The precision: α = ν Φ(g), β = ν Φ(−g).")
SPREAD_OF_G = (
    "as if g had another spread",
    "Is the variance what g is multiplied with? If t is N(0, 1), then mean + √variance · t is N(mean, variance).",
)
WEIGHTS = (
    "as if the values of g had other probabilities",
    "Which values of g are probable, and does your average know it? Average the number 1 first: 1 must come out. Then "
    "average g and (g − mean)².",
)
DIGITS = (
    "nearly right",
    "How many digits has your answer, and how many does the case ask for? Chance and coarse tables give two or three.",
)

# ---------------------------------------------------------------------------------------------------- 1 warped

JACOBIAN = (
    "as if the slope of the warping were not |dz/dy|",
    "Integrate numerically over the scale: what do you get? A density in y is the density in z times |dz/dy|.",
)
SCALE = (
    "as if the length of the scale entered in another power",
    "Give the same marks in percent: by which factor must the density change?",
)
NORMAL = (
    "as if the variance were taken for something else",
    "Which unit has the number that you divide (z − mean) by? The root of the variance has the unit of z.",
)
CONSTANT = (
    "as if the Gaussian had another constant or no ½",
    "Which factor makes a Gaussian with this variance integrate to one? And what stands before the square?",
)
WARPING = ("as if y were warped by another curve", "Which warping does the task name? The natural log of the odds.")
ENDS_OF_SCALE = (
    "as if the odds were others",
    "Which z must the middle of the scale have, and which z its two ends? The higher the mark, the higher is z.",
)

warped = Task(
    name="warped",
    function="warped_density",
    arguments=("y", "mean", "variance", "low", "high"),
    title="Task 1 · Warped by the logit",
    stars=1,
    minutes=20,
    points=4,
    cases=(
        Case(HAND, (numbers(6), 1.0, 4.0, 2.0, 10.0), numbers(0.0880163316910749)),
        Case(
            "1 to 5",
            (numbers(1.5, 2, 4.2), -0.4, 0.36, 1.0, 5.0),
            numbers(0.0549872442633549, 0.450097641071638, 0.0123566795532861),
        ),
        Case(
            "−3 to 5",
            (numbers(-2.6, 0.5, 4.5), 0.7, 2.5, -3.0, 5.0),
            numbers(0.0466124797712798, 0.106940513146074, 0.240303800798965),
        ),
        Case(
            "0 to 100",
            (numbers(0.5, 40, 97), 0.5, 9.0, 0.0, 100.0),
            numbers(0.0414209780557511, 0.00529415010209099, 0.0279379712976489),
        ),
    ),
    mistakes=(
        Mistake(*JACOBIAN, on={HAND: [0.17603], "1 to 5": [0.024057, 0.33757, 0.0079083]}),
        Mistake(*JACOBIAN, on={HAND: [0.35207], "1 to 5": [0.010525, 0.25318, 0.0050613]}),
        Mistake(*JACOBIAN, on={HAND: [0.044008], "1 to 5": [0.0026312, 0.063295, 0.0012653]}),
        Mistake(*JACOBIAN, on={HAND: [0.044008], "1 to 5": [0.048114, 0.33757, 0.0024713]}),
        Mistake(*JACOBIAN, on={HAND: [0.022004], "1 to 5": [0.0060142, 0.084393, 0.0019771]}),
        Mistake(*SCALE, on={HAND: [0.70413], "1 to 5": [0.21995, 1.8004, 0.049427]}),
        Mistake(*SCALE, on={HAND: [0.011002], "1 to 5": [0.013747, 0.11252, 0.0030892]}),
        Mistake(*SCALE, on={HAND: [5.633], "1 to 5": [0.8798, 7.2016, 0.19771]}),
        Mistake(*NORMAL, on={HAND: [0.048334], "1 to 5": [0.00025085, 0.2248, 7.8001e-06]}),
        Mistake(*NORMAL, on={HAND: [0.10985], "1 to 5": [0.16067, 0.45723, 0.056344]}),
        Mistake(*NORMAL, on={HAND: [0.013498], "1 to 5": [0.98846, 0.81198, 0.58498]}),
        Mistake(*CONSTANT, on={HAND: [0.077674], "1 to 5": [0.0019895, 0.22852, 0.00014697]}),
        Mistake(*CONSTANT, on={HAND: [0.44125], "1 to 5": [0.0827, 0.67694, 0.018584]}),
        Mistake(*CONSTANT, on={HAND: [0.22062], "1 to 5": [0.13783, 1.1282, 0.030974]}),
        Mistake(*CONSTANT, on={HAND: [0.17603], "1 to 5": [0.032992, 0.27006, 0.007414]}),
        Mistake(*CONSTANT, on={HAND: [0.035113], "1 to 5": [0.021937, 0.17956, 0.0049296]}),
        Mistake(*WARPING, on={HAND: [0.055156], "1 to 5": [0.36943, 0.47112, 0.069777]}),
        Mistake(
            *WARPING,
            on={HAND: [0.088016], "1 to 5": [0.6953, 0.79846, 0.12209], "−3 to 5": [0.22109, 0.11064, 0.46835]},
        ),
        Mistake(
            *WARPING,
            on={HAND: [0.088016], "1 to 5": [1.1542, 0.87925, 0.25758], "−3 to 5": [0.30343, 0.11243, 0.51441]},
        ),
        Mistake(*WARPING, on={HAND: [0.0043821], "1 to 5": [0.010099, 0.0002974, 1.7912e-13]}),
        Mistake(*WARPING, on={HAND: [0.069699], "1 to 5": [0.030233, 0.22958, 0.99475]}),
        Mistake(
            *ENDS_OF_SCALE,
            on={HAND: [0.088016], "1 to 5": [0.00072823, 0.039178, 0.26904], "−3 to 5": [0.24244, 0.1231, 0.052741]},
        ),
        Mistake(
            *ENDS_OF_SCALE,
            on={HAND: [0.095425], "1 to 5": [1.1511, 0.8865, 0.0028927], "0 to 100": [0.041421, 0.0052942, 0.027938]},
        ),
        Mistake(*ENDS_OF_SCALE, on={"−3 to 5": [NAN, 0.1162, NAN], "0 to 100": [0.26361, NAN, NAN]}),
        Mistake(
            "as if the mean were a mark",
            "On which of the two scales does mean live? It is the mean of z; marks are warped, mean is not.",
            on={"−3 to 5": [0.13932, 0.1279, 0.10504], "0 to 100": [0.2673, 0.0014694, 0.00063743]},
        ),
        Mistake(
            "the probability of a lower mark",
            "A density, or the probability of a lower mark? Its slope is asked for.",
            on={HAND: [0.30854], "1 to 5": [0.0049901, 0.12214, 0.99855]},
        ),
        Mistake(
            "with another curve for z",
            "Which distribution has z? A Gaussian one.",
            on={HAND: [0.058751], "1 to 5": [0.25018, 0.40287, 0.1201]},
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
    hints=(
        "First z = log((y − low)/(high − y)). Then the Gaussian density of z with mean and variance. Then a factor, "
        "because a step of 1 in y is not a step of 1 in z.",
        "The factor is dz/dy. Write z as log(y − low) − log(high − y) and differentiate each of the two.",
        "dz/dy = 1/(y − low) + 1/(high − y), always positive. Multiply the Gaussian density of z by it.",
    ),
)

# --------------------------------------------------------------------------------------------------- 2 moments

SQUARE = (
    "as if another power of α + β stood in the variance",
    "Can a standard deviation exceed half the length of the scale?",
)
PLUS_ONE = (
    "as if the factor α + β + 1 were another one",
    "For α = β = 1, the uniform distribution: is the variance 1/12?",
)
STD = (
    "a variance where a standard deviation is asked for",
    "Which unit has a standard deviation, and which a variance?",
)
LENGTH = (
    "as if not all numbers were on the scale of the marks",
    "Give the marks in percent instead: which of the four numbers change, and how? And if the scale begins at another "
    "number?",
)
SHARES = (
    "as if the mean were not moved to [0, 1] first",
    "Which share of the scale lies below the mean? α is this share of the precision.",
)
UPSIDE_DOWN = (
    "as if α and β were exchanged",
    "Which of the two grows when the mean rises? High marks, large α.",
)
TOTAL = ("as if the precision were another number", "What must α + β be? The precision, neither more nor less.")
INSIDE = (
    "with a mode where there is none",
    "Draw the density for α = 0.6 and β = 0.9: where is it highest? The formula gives a place where the slope is "
    "zero, or a place beyond the bounds. When is it a peak?",
)
ON_THE_BOUND = (
    "with the bound as the mode",
    "Is a bound inside? The task wants NaN if the density has no peak between the bounds.",
)
SKEWED = (
    "with another middle in place of the mode",
    "Is the peak of a skewed density at its mean? The mode is where the density is highest.",
)
MODE = (
    "as if the mode had another formula",
    "Where is the slope of (α − 1) log u + (β − 1) log(1 − u) zero?",
)

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
        Case("all near 0", (0.5, 10.0, 0.0, 10.0), (0.5, 9.5, 0.657128740672771, NAN)),
        Case("two peaks", (4.0, 1.5, 0.0, 10.0), (0.6, 0.9, 3.09838667696593, NAN)),
        Case("flat", (3.0, 2.0, 1.0, 5.0), (1, 1, 1.15470053837925, NAN)),
    ),
    mistakes=(
        Mistake(*SQUARE, on={HAND: (10, 2, 2.1483, 5.4), "−3 to 5": (6, 1.5, 3.0059, 4.2727)}),
        Mistake(*SQUARE, on={HAND: (10, 2, 0.59584, 5.4), "−3 to 5": (6, 1.5, 1.031, 4.2727)}),
        Mistake(*SQUARE, on={HAND: (10, 2, 7.4421, 5.4), "−3 to 5": (6, 1.5, 8.2319, 4.2727)}),
        Mistake(*PLUS_ONE, on={HAND: (10, 2, 0.6455, 5.4), "−3 to 5": (6, 1.5, 1.1685, 4.2727)}),
        Mistake(*PLUS_ONE, on={HAND: (10, 2, 0.59761, 5.4), "−3 to 5": (6, 1.5, 1.0382, 4.2727)}),
        Mistake(*STD, on={HAND: (10, 2, 0.064103, 5.4), "−3 to 5": (6, 1.5, 0.15059, 4.2727)}),
        Mistake(*STD, on={HAND: (10, 2, 0.38462, 5.4), "−3 to 5": (6, 1.5, 1.2047, 4.2727)}),
        Mistake(*LENGTH, on={HAND: (10, 2, 0.10336, 5.4), "−3 to 5": (6, 1.5, 0.1372, 4.2727)}),
        Mistake(
            *LENGTH,
            on={
                HAND: (10, 2, 0.62017, 5.4),
                "−3 to 5": (6, 1.5, -1.9024, 4.2727),
                "20 to 120": (14, 26, 27.449, 54.211),
            },
        ),
        Mistake(
            *LENGTH,
            on={
                HAND: (10, 2, 0.62017, 5.4),
                "−3 to 5": (6, 1.5, 0.68599, 4.2727),
                "20 to 120": (14, 26, 8.9388, 54.211),
            },
        ),
        Mistake(
            *LENGTH,
            on={HAND: (10, 2, 0.62017, 0.9), "−3 to 5": (6, 1.5, 1.0976, 0.90909), "falling": (1, 3, 1.5492, NAN)},
        ),
        Mistake(
            *LENGTH,
            on={
                HAND: (10, 2, 0.62017, 5.4),
                "−3 to 5": (6, 1.5, 1.0976, 7.2727),
                "20 to 120": (14, 26, 7.449, 34.211),
            },
        ),
        Mistake(*SHARES, on={HAND: (60, -48, 7.4421, 35.4), "−3 to 5": (25.5, -18, 7.8384, 32.636)}),
        Mistake(
            *SHARES,
            on={
                HAND: (10, 2, 0.62017, 5.4),
                "−3 to 5": (5.1, 2.4, 1.28, 2.9636),
                "20 to 120": (18.333, 21.667, 7.7815, 65.614),
            },
        ),
        Mistake(
            *SHARES,
            on={
                HAND: (10, 2, 0.62017, 5.4),
                "−3 to 5": (3.1875, 4.3125, 1.3565, 0.18182),
                "20 to 120": (22, 18, 7.7695, 75.263),
            },
        ),
        Mistake(
            *UPSIDE_DOWN,
            on={HAND: (2, 10, 0.62017, 5.4), "−3 to 5": (1.5, 6, 1.0976, 4.2727), "flat": (1, 1, 1.1547, NAN)},
        ),
        Mistake(
            *UPSIDE_DOWN,
            on={HAND: (2, 10, 0.62017, 0.6), "−3 to 5": (1.5, 6, 1.0976, -2.2727), "flat": (1, 1, 1.1547, NAN)},
        ),
        Mistake(*TOTAL, on={HAND: (0.55556, 0.11111, 1.7321, 2), "−3 to 5": (0.16, 0.04, 2.9212, 0.73333)}),
        Mistake(*TOTAL, on={HAND: (0.83333, 0.16667, 0.62017, 5.4), "−3 to 5": (0.8, 0.2, 1.0976, 4.2727)}),
        Mistake(
            *INSIDE,
            on={
                "falling": (1, 3, 1.5492, 0),
                "all near 0": (0.5, 9.5, 0.65713, -0.625),
                "two peaks": (0.6, 0.9, 3.0984, 8),
            },
        ),
        Mistake(
            *INSIDE,
            on={HAND: (10, 2, 0.62017, 5.4), "falling": (1, 3, 1.5492, 0), "all near 0": (0.5, 9.5, 0.65713, -0.625)},
        ),
        Mistake(
            *ON_THE_BOUND,
            on={HAND: (10, 2, 0.62017, 5.4), "falling": (1, 3, 1.5492, 0), "all near 0": (0.5, 9.5, 0.65713, 0)},
        ),
        Mistake(*ON_THE_BOUND, on={HAND: (10, 2, 0.62017, 5.4), "falling": (1, 3, 1.5492, 0)}),
        Mistake(
            "because the formula of the mode divides by α + β − 2",
            "What is the density for α = β = 1? All marks are equally probable, none is a peak.",
            raises=ZeroDivisionError,
        ),
        Mistake(*SKEWED, on={HAND: (10, 2, 0.62017, 5), "−3 to 5": (6, 1.5, 1.0976, 3.4)}),
        Mistake(*SKEWED, on={HAND: (10, 2, 0.62017, 5.1122), "−3 to 5": (6, 1.5, 1.0976, 3.618)}),
        Mistake(
            *MODE, on={HAND: (10, 2, 0.62017, 6), "−3 to 5": (6, 1.5, 1.0976, 5.7273), "falling": (1, 3, 1.5492, NAN)}
        ),
        Mistake(
            *MODE,
            on={HAND: (10, 2, 0.62017, 4.9091), "−3 to 5": (6, 1.5, 1.0976, 3.1538), "falling": (1, 3, 1.5492, NAN)},
        ),
        Mistake(
            *MODE,
            on={HAND: (10, 2, 0.62017, 4.5), "−3 to 5": (6, 1.5, 1.0976, 2.3333), "falling": (1, 3, 1.5492, NAN)},
        ),
    ),
    hints=(
        "Move the mean to [0, 1] first: u is the share of the scale that lies below it. Then α = ν u, β = ν (1 − u).",
        "On [0, 1] the variance is u(1 − u)/(ν + 1) and the mode (α − 1)/(α + β − 2). A length is stretched by "
        "high − low; a place is stretched and moved by low.",
        "The mode's formula is a peak only if α > 1 and β > 1. Otherwise return float('nan'): ask before you divide.",
    ),
)

# --------------------------------------------------------------------------------------------------- 3 squeeze

COUNT = (
    "as if n were another number",
    "How many marks did people give? A gap is not a mark. n belongs to the whole table.",
)
KEPT = (
    "as if a gap had become a mark, or had been closed",
    "Where would the reader of your table look for the second mark of the first person? Keep the shape, keep the NaN.",
)
MOVED = (
    "as if the marks were not moved to [0, 1] first",
    "Which share of the scale lies below a mark? The scale goes from low to high, whatever marks occur on it.",
)
HALF = (
    "as if the squeeze had another formula",
    "Where must 0 and 1 go: by how much, and to which side? Try n = 2: 0, ½ and 1 become ¼, ½ and ¾.",
)
ALL_MARKS = (
    "as if only the marks near the bounds were moved",
    "Do two marks that differ by 1 differ by the same everywhere on the scale afterwards? Here they should.",
)
SLOPE = (
    "as if the slope were another one",
    "Raise a mark by one unit of its scale: by how much does its squeezed value rise?",
)
TABLE, FULL = "a table with gaps", "no gaps"

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
            (numbers([0, 5, NAN], [10, NAN, 2]), 0.0, 10.0),
            (numbers([0.125, 0.5, NAN], [0.875, NAN, 0.275]), 0.075),
        ),
        Case(
            FULL,
            (numbers([1, 2.5], [7, 6], [4, 4]), 1.0, 7.0),
            (
                numbers([0.0833333333333333, 0.291666666666667], [0.916666666666667, 0.777777777777778], [0.5, 0.5]),
                0.138888888888889,
            ),
        ),
        Case(
            TABLE,
            (numbers([-5, 1, NAN, 2], [NAN, NAN, -4, 3.5], [0.5, -2, 4, NAN]), -5.0, 5.0),
            (numbers([0.0625, 0.5875, NAN, 0.675], [NAN, NAN, 0.15, 0.80625], [0.54375, 0.325, 0.85, NAN]), 0.0875),
        ),
        Case(
            "two marks",
            (numbers([20, NAN], [NAN, 95]), 20.0, 100.0),
            (numbers([0.25, NAN], [NAN, 0.71875]), 0.00625),
        ),
    ),
    mistakes=(
        Mistake(
            *COUNT,
            on={
                HAND: ([[0.083333, 0.5, NAN], [0.91667, NAN, 0.25]], 0.083333),
                FULL: ([[0.083333, 0.29167], [0.91667, 0.77778], [0.5, 0.5]], 0.13889),
                TABLE: (
                    [
                        [0.041667, 0.59167, NAN, 0.68333],
                        [NAN, NAN, 0.13333, 0.82083],
                        [0.54583, 0.31667, 0.86667, NAN],
                    ],
                    0.091667,
                ),
            },
        ),
        Mistake(
            *COUNT,
            on={
                HAND: ([[0.25, 0.5, NAN], [0.75, NAN, 0.35]], 0.05),
                FULL: ([[0.16667, 0.33333], [0.83333, 0.72222], [0.5, 0.5]], 0.11111),
                "two marks": ([[0.25, NAN], [NAN, 0.71875]], 0.00625),
            },
        ),
        Mistake(
            *COUNT,
            on={
                HAND: ([[0.25, 0.5, NAN], [0.75, NAN, 0.5]], 0.016667),
                FULL: ([[0.16667, 0.33333], [0.83333, 0.72222], [0.5, 0.5]], 0.11111),
            },
        ),
        Mistake(
            *COUNT,
            on={
                HAND: ([[0.25, 0.5, NAN], [0.75, NAN, 0.35]], 0.05),
                FULL: ([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]], 0),
                "two marks": ([[0.25, NAN], [NAN, 0.71875]], 0.00625),
            },
        ),
        Mistake(
            *COUNT,
            on={
                HAND: ([[0.125, 0.5, NAN], [0.875, NAN, 0.275]], 0.075),
                FULL: ([[0.1, 0.3], [0.9, 0.76667], [0.5, 0.5]], 0.13333),
            },
        ),
        Mistake(
            "as if one gap spoiled everything",
            "What is NaN + 1? A sum over the table meets the gaps; ~np.isnan(y) is True where there is a mark.",
            when=lambda case, got: bool(np.isnan(got[0]).all() or np.isnan(got[1])),
        ),
        Mistake(*KEPT, when=lambda case, got: got[0].size < case.expected[0].size),
        Mistake(
            *KEPT,
            on={
                HAND: ([[0.125, 0.5, 0], [0.875, 0, 0.275]], 0.075),
                FULL: ([[0.083333, 0.29167], [0.91667, 0.77778], [0.5, 0.5]], 0.13889),
                TABLE: ([[0.0625, 0.5875, 0, 0.675], [0, 0, 0.15, 0.80625], [0.54375, 0.325, 0.85, 0]], 0.0875),
            },
        ),
        Mistake(
            *KEPT,
            on={
                HAND: ([[0.083333, 0.5, 0.5], [0.91667, 0.5, 0.25]], 0.083333),
                FULL: ([[0.083333, 0.29167], [0.91667, 0.77778], [0.5, 0.5]], 0.13889),
                TABLE: (
                    [
                        [0.041667, 0.59167, 0.5, 0.68333],
                        [0.5, 0.5, 0.13333, 0.82083],
                        [0.54583, 0.31667, 0.86667, 0.5],
                    ],
                    0.091667,
                ),
            },
        ),
        Mistake(
            *KEPT,
            on={
                HAND: ([[0.083333, 0.5, 0.083333], [0.91667, 0.083333, 0.25]], 0.083333),
                FULL: ([[0.083333, 0.29167], [0.91667, 0.77778], [0.5, 0.5]], 0.13889),
                TABLE: (
                    [
                        [0.041667, 0.59167, 0.041667, 0.68333],
                        [0.041667, 0.041667, 0.13333, 0.82083],
                        [0.54583, 0.31667, 0.86667, 0.041667],
                    ],
                    0.091667,
                ),
            },
        ),
        Mistake(
            *MOVED,
            on={
                HAND: ([[0.125, 3.875, NAN], [7.625, NAN, 1.625]], 0.075),
                FULL: ([[0.91667, 2.1667], [5.9167, 5.0833], [3.4167, 3.4167]], 0.13889),
            },
        ),
        Mistake(
            *MOVED,
            on={
                HAND: ([[0.125, 0.5, NAN], [0.875, NAN, 0.275]], 0.075),
                FULL: ([[0.20238, 0.38095], [0.91667, 0.79762], [0.55952, 0.55952]], 0.13889),
                TABLE: (
                    [[-0.8125, 0.2375, NAN, 0.4125], [NAN, NAN, -0.6375, 0.675], [0.15, -0.2875, 0.7625, NAN]],
                    0.0875,
                ),
            },
        ),
        Mistake(
            *MOVED,
            on={
                HAND: ([[0.125, 0.5, NAN], [0.875, NAN, 0.275]], 0.075),
                FULL: ([[0.22222, 0.43056], [1.0556, 0.91667], [0.63889, 0.63889]], 0.13889),
                TABLE: (
                    [[-0.375, 0.15, NAN, 0.2375], [NAN, NAN, -0.2875, 0.36875], [0.10625, -0.1125, 0.4125, NAN]],
                    0.0875,
                ),
            },
        ),
        Mistake(
            *MOVED,
            on={
                HAND: ([[0.125, 0.5, NAN], [0.875, NAN, 0.275]], 0.075),
                TABLE: (
                    [[0.0625, 0.64583, NAN, 0.74306], [NAN, NAN, 0.15972, 0.88889], [0.59722, 0.35417, 0.9375, NAN]],
                    0.0875,
                ),
                "two marks": ([[0.25, NAN], [NAN, 0.75]], 0.00625),
            },
        ),
        Mistake(
            *MOVED,
            on={
                HAND: ([[0.875, 0.5, NAN], [0.125, NAN, 0.725]], 0.075),
                FULL: ([[0.91667, 0.70833], [0.083333, 0.22222], [0.5, 0.5]], 0.13889),
            },
        ),
        Mistake(
            *HALF,
            on={
                HAND: ([[0, 0.375, NAN], [0.75, NAN, 0.15]], 0.075),
                FULL: ([[0, 0.20833], [0.83333, 0.69444], [0.41667, 0.41667]], 0.13889),
            },
        ),
        Mistake(
            *HALF,
            on={
                HAND: ([[0.25, 0.625, NAN], [1, NAN, 0.4]], 0.075),
                FULL: ([[0.16667, 0.375], [1, 0.86111], [0.58333, 0.58333]], 0.13889),
            },
        ),
        Mistake(
            *HALF,
            on={
                HAND: ([[0.5, 0.875, NAN], [1.25, NAN, 0.65]], 0.075),
                FULL: ([[0.5, 0.70833], [1.3333, 1.1944], [0.91667, 0.91667]], 0.13889),
            },
        ),
        Mistake(
            *HALF,
            on={
                HAND: ([[0.125, 0.625, NAN], [1.125, NAN, 0.325]], 0.075),
                FULL: ([[0.083333, 0.33333], [1.0833, 0.91667], [0.58333, 0.58333]], 0.13889),
            },
        ),
        Mistake(
            *HALF,
            on={
                HAND: ([[0.1, 0.5, NAN], [0.9, NAN, 0.26]], 0.08),
                FULL: ([[0.071429, 0.28571], [0.92857, 0.78571], [0.5, 0.5]], 0.14286),
            },
        ),
        Mistake(
            *ALL_MARKS,
            on={
                HAND: ([[0.125, 0.5, NAN], [0.875, NAN, 0.2]], 0.075),
                FULL: ([[0.083333, 0.25], [0.91667, 0.83333], [0.5, 0.5]], 0.13889),
            },
        ),
        Mistake(
            *ALL_MARKS,
            on={
                HAND: ([[1e-06, 0.5, NAN], [1, NAN, 0.2]], 0.1),
                FULL: ([[1e-06, 0.25], [1, 0.83333], [0.5, 0.5]], 0.16667),
            },
        ),
        Mistake(
            "on the scale of the marks again",
            "Between which numbers does a beta density live? 0 and 1.",
            on={
                HAND: ([[1.25, 5, NAN], [8.75, NAN, 2.75]], 0.075),
                FULL: ([[1.5, 2.75], [6.5, 5.6667], [4, 4]], 0.13889),
            },
        ),
        Mistake(
            *SLOPE,
            on={
                HAND: ([[0.125, 0.5, NAN], [0.875, NAN, 0.275]], 0.1),
                FULL: ([[0.083333, 0.29167], [0.91667, 0.77778], [0.5, 0.5]], 0.16667),
            },
        ),
        Mistake(
            *SLOPE,
            on={
                HAND: ([[0.125, 0.5, NAN], [0.875, NAN, 0.275]], 0.75),
                FULL: ([[0.083333, 0.29167], [0.91667, 0.77778], [0.5, 0.5]], 0.83333),
            },
        ),
        Mistake(
            *SLOPE,
            on={
                HAND: ([[0.125, 0.5, NAN], [0.875, NAN, 0.275]], 13.333),
                FULL: ([[0.083333, 0.29167], [0.91667, 0.77778], [0.5, 0.5]], 7.2),
            },
        ),
        Mistake(
            *SLOPE,
            on={
                HAND: ([[0.125, 0.5, NAN], [0.875, NAN, 0.275]], 7.5),
                FULL: ([[0.083333, 0.29167], [0.91667, 0.77778], [0.5, 0.5]], 5),
            },
        ),
        Mistake(
            *SLOPE,
            on={
                HAND: ([[0.125, 0.5, NAN], [0.875, NAN, 0.275]], -2.5903),
                FULL: ([[0.083333, 0.29167], [0.91667, 0.77778], [0.5, 0.5]], -1.9741),
            },
        ),
    ),
    hints=(
        "Three steps: n = how many entries are not NaN; s = (y − low)/(high − low); u = (s (n − 1) + ½)/n. "
        "NaN stays NaN by itself in all of them.",
        "np.isnan(y) marks the gaps; the number of False in it is n.",
        "The slope is the product of two slopes, that of s and that of u. Both are constant, so it is one number.",
    ),
)

# -------------------------------------------------------------------------------------------------- 4 interval

UNCERTAIN = (
    "as if one of two uncertainties were left out",
    "What is uncertain: only the mark, only g, or both? A mark is drawn in two steps: first g, then the mark given g.",
)
ORDER = (
    "as if quantiles were averaged or read one after the other",
    "First average, then invert, or the other way round? The probabilities P(mark ≤ y | g) can be averaged over g; "
    "quantiles cannot.",
)
TAILS = (
    "as if the rest were shared out differently",
    "Which probability lies below the interval, and which above? Central means: the same on both sides.",
)
SYMMETRIC = (
    "what a Gaussian with the right mean and variance gives",
    "Is the distribution of the mark symmetric? Ask its distribution function where it reaches the two tails.",
)
GRID = (
    "as if the average were taken over too few values of g",
    "How steep is the distribution function of a mark, seen along g? With ν = 1000 it is a step. Put many values of g "
    "on it: double their number and see whether the answer moves.",
)
UNSURE, LOW, QUIET, RANDOM_ENDS = "g is uncertain", "low marks", "little noise, ν = 1000", "strong noise, ν = ½"

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
        Case(UNSURE, (0.5, 0.64, 12.0, 0.9), (0.156828363621274, 0.993346192501545), 1e-5),
        Case(LOW, (-1.3, 0.25, 20.0, 0.5), (0.0309126744161868, 0.179307473039071), 1e-5),
        Case(QUIET, (0.4, 0.09, 1000.0, 0.95), (0.42339863078264, 0.840276152729241), 1e-5),
        Case(RANDOM_ENDS, (0.3, 0.5, 0.5, 0.4), (0.182562010690546, 0.995512245134554), 1e-5),
    ),
    mistakes=(
        Mistake(*UNCERTAIN, on={HAND: (0.05, 0.95), UNSURE: (0.46271, 0.8826), LOW: (0.048168, 0.13155)}),
        Mistake(*UNCERTAIN, on={HAND: (0.05, 0.95), UNSURE: (0.41984, 0.85405), LOW: (0.06864, 0.16313)}),
        Mistake(*UNCERTAIN, on={HAND: (0.5, 0.5), UNSURE: (0.20728, 0.96531)}),
        Mistake(*ORDER, on={HAND: (0.05, 0.95), UNSURE: (0.45973, 0.81757), LOW: (0.075141, 0.15748)}),
        Mistake(*ORDER, on={HAND: (0.05, 0.95), UNSURE: (0.053898, 0.99995), LOW: (0.015511, 0.21701)}),
        Mistake(*TAILS, on={HAND: (0.1, 0.9), UNSURE: (0.25688, 0.97037)}),
        Mistake(*TAILS, on={HAND: (0, 0.9), UNSURE: (0, 0.97037)}),
        Mistake(*TAILS, on={HAND: (0.1, 1), UNSURE: (0.25688, 1)}),
        Mistake(*TAILS, on={HAND: (0.45, 0.55), UNSURE: (0.65569, 0.73626), LOW: (0.030913, 0.17931)}),
        Mistake(*TAILS, on={UNSURE: (0.25687, 1), LOW: (5.8331e-06, 0.091468), QUIET: (0.43702, 0.85103)}),
        Mistake(*SPREAD_OF_G, on={HAND: (0.05, 0.95), UNSURE: (0.22807, 0.97955), LOW: (0.042579, 0.14621)}),
        Mistake(*SPREAD_OF_G, on={HAND: (0.05, 0.95), UNSURE: (0.12053, 0.99747), LOW: (0.021296, 0.21429)}),
        Mistake(*SPREAD_OF_G, on={HAND: (2.0618e-05, 0.99998), UNSURE: (0.024306, 1)}),
        Mistake(*SYMMETRIC, on={HAND: (0.025172, 0.97483), UNSURE: (0.21902, 1.0848)}),
        Mistake(*SYMMETRIC, on={HAND: (0.025172, 0.97483), UNSURE: (0.21902, 1)}),
        Mistake(
            "what one beta with the right mean and variance gives",
            "Is a mixture of betas a beta? Average the distribution functions themselves.",
            on={HAND: (0.05, 0.95), UNSURE: (0.15952, 0.98498), LOW: (0.031823, 0.17799)},
        ),
        Mistake(*WEIGHTS, on={HAND: (0.05, 0.95), UNSURE: (0.26411, 0.96997), LOW: (0.038006, 0.15844)}),
        Mistake(*WEIGHTS, on={HAND: (0.05, 0.95), UNSURE: (0.017989, 1), LOW: (0.009161, 0.28905)}),
        Mistake(*LINK, on={HAND: (0.05, 0.95), UNSURE: (0.23185, 0.92414), LOW: (0.13191, 0.30143)}),
        Mistake(*LINK, on={HAND: (0, 0.0298), UNSURE: (3.9425e-08, 1)}),
        Mistake(*EXCHANGED, on={HAND: (0.05, 0.95), UNSURE: (0.0066538, 0.84317), LOW: (0.82069, 0.96909)}),
        Mistake(*SUM_OF_SHAPES, on={HAND: (0.025321, 0.77639), UNSURE: (0.12028, 0.60424)}),
        Mistake(*SUM_OF_SHAPES, on={HAND: (0, 1), UNSURE: (0.015361, 1)}),
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
            *GRID,
            on={
                HAND: (0.05, 0.95),
                UNSURE: (0.15686, 0.99331),
                LOW: (0.030912, 0.17931),
                RANDOM_ENDS: (0.18256, 0.99551),
            },
            when=rough,
        ),
        Mistake(*DIGITS, when=lambda case, got: case.name == UNSURE and rough(case, got)),
    ),
    hints=(
        "P(mark ≤ y) is the average over g of P(mark ≤ y | g) = betainc(ν Φ(g), ν Φ(−g), y). Write this as a function "
        "of y alone: it rises from 0 to 1.",
        "For the average take t from −8 to 8 in 2000 steps, g = mean + √variance · t, and weights exp(−t²/2) that are "
        "divided by their sum. With variance 0 all g are equal, and nothing special has to be done.",
        "The lower end is where the distribution function reaches (1 − level)/2, the upper end where it reaches "
        "(1 + level)/2. brentq(lambda y: cdf(y) - p, 0, 1), or halve [0, 1] fifty times.",
    ),
)

# ------------------------------------------------------------------------------------------------- 5 truncated

AVERAGE = (
    "what one typical g gives",
    "Does a curve commute with averaging? First the mean mark for each g, then the average over g.",
)
CUT = (
    "as if nothing had been cut off",
    "Where do the marks go that a Gaussian would put beyond the bounds? They are drawn again, until one lies inside.",
)
SIDE = (
    "with the correction to the wrong side",
    "The mode sits on the upper bound: on which side of it is the mean?",
)
UNIT = (
    "as if the noise had another standard deviation than 1/ν",
    "Which unit has ν, and which unit must the correction have? 1/ν is a length on the scale; φ and Φ want numbers "
    "without a unit.",
)
DENOMINATOR = (
    "as if the mass inside did not divide, or not for each g",
    "Which probability does the Gaussian give to [0, 1], and where does it enter? Given g, the density of the mark "
    "must integrate to one.",
)
COARSE = (
    "as if marks were summed on too coarse a grid",
    "How wide is the peak of the density for ν = 1000, and how far apart are your marks? Equation 2 needs no marks.",
)
BOTH = ("as if there were one bound only", "How many bounds are there? A mark can be cut off on both sides.")
CERTAIN, SURE_NOT, LOW_MODE, SHARP, BLUNT = (
    "g is certain",
    "g is not",
    "a low mode",
    "a sharp peak, ν = 1000",
    "hardly a peak, ν = 0.2",
)

truncated = Task(
    name="truncated",
    function="truncated_mean",
    arguments=("mean", "variance", "precision"),
    title="Task 5 · The mode is not the mean",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(HAND, (9.0, 0.0, 10.0), 0.920211543919714, 1e-6),
        Case(CERTAIN, (0.8, 0.0, 4.0), 0.702037418620385, 1e-6),
        Case(SURE_NOT, (0.8, 0.49, 4.0), 0.66171595497146, 1e-6),
        Case(LOW_MODE, (-1.6, 1.44, 2.5), 0.365157034470861, 1e-6),
        Case(SHARP, (-0.5, 2.25, 1000.0), 0.39077899781041, 1e-6),
        Case(BLUNT, (1.1, 0.3, 0.2), 0.501107412520664, 1e-6),
    ),
    mistakes=(
        Mistake(*AVERAGE, on={HAND: 0.92021, SURE_NOT: 0.70204, LOW_MODE: 0.32671}),
        Mistake(*AVERAGE, on={HAND: 0.92021, SURE_NOT: 0.67552, LOW_MODE: 0.36085}),
        Mistake(*CUT, on={HAND: 1, CERTAIN: 0.78814, SHARP: 0.39076}),
        Mistake(*CUT, on={HAND: 1, CERTAIN: 0.78814}),
        Mistake(*CUT, on={HAND: 0.96011, CERTAIN: 0.76058, SHARP: 0.39077}),
        Mistake(*CUT, on={HAND: 1, CERTAIN: 0.78116, SHARP: 0.39076}),
        Mistake(*SIDE, on={HAND: 1.0798, CERTAIN: 0.87425, SHARP: 0.39073}),
        Mistake(*UNIT, on={HAND: 0.20212, CERTAIN: 0.44372}),
        Mistake(*UNIT, on={HAND: 0.99202, CERTAIN: 0.76662, SHARP: 0.39076}),
        Mistake(*UNIT, on={HAND: -6.9788, CERTAIN: -0.58957}),
        Mistake(*UNIT, on={HAND: 0.74899, CERTAIN: 0.58249}),
        Mistake(*UNIT, on={HAND: 0.50042, CERTAIN: 0.5015}),
        Mistake(*UNIT, on={HAND: 0.95401, CERTAIN: 0.72191, SHARP: 0.39086}),
        Mistake(*DENOMINATOR, on={HAND: 0.96011, CERTAIN: 0.71919, SHARP: 0.39077}),
        Mistake(*DENOMINATOR, on={HAND: 0.98005, CERTAIN: 0.73292, SHARP: 0.39076}),
        Mistake(*DENOMINATOR, on={HAND: 0.46011, CERTAIN: 0.5622}),
        Mistake(*DENOMINATOR, on={HAND: 0.92021, SURE_NOT: 0.64486, LOW_MODE: 0.37571}),
        Mistake(*BOTH, on={HAND: 1, CERTAIN: 0.78884, SHARP: 0.39078}),
        Mistake(*BOTH, on={HAND: 0.92021, CERTAIN: 0.70126, SURE_NOT: 0.65491}),
        Mistake(
            "the median mark",
            "Is the median of a skewed density its mean? Equation 2 has the mean.",
            on={HAND: 0.93255, CERTAIN: 0.72559, SHARP: 0.39077},
        ),
        Mistake(*SPREAD_OF_G, on={HAND: 0.92021, SURE_NOT: 0.679, LOW_MODE: 0.3763}),
        Mistake(*SPREAD_OF_G, on={HAND: 0.92021, SURE_NOT: 0.65059, LOW_MODE: 0.36015}),
        Mistake(*WEIGHTS, on={HAND: 0.92021, SURE_NOT: 0.6786, LOW_MODE: 0.34846}),
        Mistake(*WEIGHTS, on={HAND: 1.631, CERTAIN: 1.2443}),
        Mistake(*WEIGHTS, on={HAND: 0.92021, SURE_NOT: 0.61032, LOW_MODE: 0.41551}),
        Mistake(*LINK, on={HAND: 0.92017, CERTAIN: 0.6405, SURE_NOT: 0.62206}),
        Mistake(*LINK, on={HAND: 0.92021, CERTAIN: 0.70879, SURE_NOT: 0.59369}),
        Mistake(*COARSE, on={HAND: 0.93488, CERTAIN: 0.71185, BLUNT: 0.50122}),
        Mistake(*COARSE, on={HAND: 0.92179, CERTAIN: 0.70305, SHARP: 0.39074}),
        Mistake(*DIGITS, when=lambda case, got: case.name == SURE_NOT and rough(case, got)),
    ),
    hints=(
        "Two layers. Inside: for one g, the mode is Φ(g) and the mean mark μ(g) is equation 2 with a = 0 and b = 1. "
        "Outside: the average of μ(g) over g ~ N(mean, variance).",
        "In equation 2, N(…) is the density φ of N(0, 1). Compute a′ = −ν Φ(g) and b′ = ν (1 − Φ(g)) first; then "
        "μ = Φ(g) + (φ(a′) − φ(b′))/(ν (Φ(b′) − Φ(a′))).",
        "For the average take t from −8 to 8 in 2000 steps, g = mean + √variance · t, and weights exp(−t²/2) that are "
        "divided by their sum.",
    ),
)

# ----------------------------------------------------------------------------------------------------- 6 steps

TAIL = (
    "because digits were lost in a subtraction, or cut off",
    "How many digits are left when two numbers near 1 are subtracted? On the right of the scale subtract the "
    "probabilities of a higher mark instead: betaincc.",
)
ROUNDED = (
    "as if other answers were rounded to the marks",
    "Which answers are rounded to the mark 0, and which to the mark 1? Draw the scale for steps = 4 and colour it. "
    "The colours of all marks together cover it once.",
)
LOWER = (
    "the probability of this mark or a lower one",
    "Do the probabilities of all marks sum to one? What lies below the mark's own interval belongs to others.",
)
DENSITY = (
    "what the density gives",
    "Is a density a probability? Not even times the length of the interval, unless it is flat there; and on the "
    "bounds it is 0 or infinite. The distribution function knows the area.",
)
PLACE = (
    "as if the marks stood elsewhere on the scale",
    "Where on [0, 1] is the mark k of steps? 0 is at 0, steps is at 1, and there are steps + 1 marks.",
)
FAR = (
    "because 1 − Φ(g) is 0 for the computer",
    "What is 1 − Φ(9) for the computer, and what is Φ(−9)? β = 0 belongs to no beta distribution.",
)
ALL, DISTANT, EXTREME, FINE = "all marks of a scale", "far from Φ(g)", "an extreme opinion", "steps of a hundredth"

steps = Task(
    name="steps",
    function="log_step_probability",
    arguments=("mark", "g", "precision", "steps"),
    title="Task 6 · Marks in steps",
    stars=3,
    minutes=45,
    points=7,
    cases=(
        Case(HAND, (marks(0, 5, 10), numbers(0, 0, 0), 2.0, 10), np.log(numbers(0.05, 0.1, 0.05))),
        Case(
            ALL,
            (marks(0, 1, 2, 3, 4), np.full(5, 0.8), 6.0, 4),
            numbers(-9.30435037123261, -4.18658709896726, -1.96770789709353, -0.714405919744941, -1.03436726315162),
        ),
        Case(
            FINE,
            (marks(0, 1, 37, 99, 100), numbers(-1, -2, 0.2, 1, 2.5), 3.5, 100),
            numbers(-2.26999270801629, -2.70876811497278, -4.53447381723673, -2.4590037393651, -0.0793575783878225),
        ),
        Case(
            DISTANT,
            (marks(20, 19, 0, 2, 7, 13), numbers(-1.5, -0.7, 1.2, 2.1, 0.4, -0.4), 200.0, 20),
            numbers(
                -644.63103637125,
                -289.847014769203,
                -586.629155269086,
                -396.47379368253,
                -35.2131936223437,
                -35.2131936223437,
            ),
        ),
        Case(
            EXTREME,
            (marks(0, 3, 10, 10, 7, 0), numbers(9, 9, 9, -9, -9, -9), 30.0, 10),
            numbers(-133.450517693592, -74.7090209985988, 0, -133.450517693592, -74.7090209985988, 0),
        ),
    ),
    mistakes=(
        Mistake(
            *FAR,
            on={
                HAND: [-2.9957, -2.3026, -2.9957],
                ALL: [-9.3044, -4.1866, -1.9677, -0.71441, -1.0344],
                FINE: [-2.27, -2.7088, -4.5345, -2.459, -0.079358],
                DISTANT: [-644.63, -289.85, -586.63, -396.47, -35.213, -35.213],
            },
            when=lambda case, got: case.name == EXTREME,
        ),
        Mistake(
            *TAIL,
            on={
                HAND: [-2.9957, -2.3026, -2.9957],
                ALL: [-9.3044, -4.1866, -1.9677, -0.71441, -1.0344],
                FINE: [-2.27, -2.7088, -4.5345, -2.459, -0.079358],
            },
            when=lambda case, got: case.name in (DISTANT, EXTREME) and got.shape == case.expected.shape,
        ),
        Mistake(*ROUNDED, on={HAND: [-2.3026, -2.3026, -INF], ALL: [-6.0599, -2.9068, -1.2527, -0.41962, -INF]}),
        Mistake(*ROUNDED, on={HAND: [-INF, -2.3026, -2.3026], ALL: [-INF, -6.0599, -2.9068, -1.2527, -0.41962]}),
        Mistake(
            *ROUNDED, on={HAND: [-2.3026, -1.6094, -2.3026], ALL: [-6.0599, -2.8649, -1.0777, -0.058675, -0.41962]}
        ),
        Mistake(*ROUNDED, on={HAND: [-2.3979, -2.3979, -2.3979], ALL: [-7.1012, -3.9247, -2.2184, -1.1394, -0.59667]}),
        Mistake(
            *ROUNDED, on={HAND: [-2.3026, -2.3026, -2.3026], ALL: [-6.0599, -4.1866, -1.9677, -0.71441, -0.41962]}
        ),
        Mistake(*ROUNDED, on={HAND: [NAN, -2.3026, NAN], ALL: [NAN, -4.1866, -1.9677, -0.71441, NAN]}),
        Mistake(*ROUNDED, on={HAND: [-3.6889, -2.9957, -3.6889], ALL: [-12.567, -5.1201, -2.7193, -1.4132, -1.7831]}),
        Mistake(*PLACE, on={HAND: [-2.8904, -2.1972, NAN], ALL: [-7.9546, -2.8711, -0.74632, -0.75736, NAN]}),
        Mistake(*PLACE, on={HAND: [-2.9957, -INF, -INF], ALL: [-9.3044, -1.0344, -INF, -INF, -INF]}),
        Mistake(*PLACE, on={HAND: [-0.69315, -INF, -INF], ALL: [-2.8649, -0.058675, -INF, -INF, -INF]}),
        Mistake(*PLACE, on={HAND: [-5.2983, -4.6052, -4.6052], ALL: [-28.83, -20.518, -17.985, -16.485, -15.419]}),
        Mistake(*DENSITY, on={HAND: [NAN, 0, NAN], ALL: [-INF, -3.135, -0.66028, 0.66371, -INF]}),
        Mistake(*DENSITY, on={HAND: [NAN, -2.3026, NAN], ALL: [-INF, -4.5213, -2.0466, -0.72259, -INF]}),
        Mistake(*DENSITY, on={HAND: [-2.3026, -2.3026, -2.3026], ALL: [-50.79, -4.5213, -2.0466, -0.72259, -3.0198]}),
        Mistake(*DENSITY, on={HAND: [-2.3979, -2.3979, -2.3979], ALL: [-8.1117, -4.0833, -2.2697, -1.1536, -0.51431]}),
        Mistake(*DENSITY, on={HAND: [-2.3979, -2.3979, -2.3979], ALL: [-8.1451, -4.1166, -2.3031, -1.1869, -0.54767]}),
        Mistake(
            "what a Gaussian gives",
            "Which distribution has the answer before it is rounded? A beta distribution, which ends at the bounds.",
            on={HAND: [-4.0238, -1.9841, -4.0238], ALL: [-11.662, -5.5921, -1.9542, -0.56623, -1.6002]},
        ),
        Mistake(*LOWER, on={HAND: [-2.9957, -0.59784, 0], ALL: [-9.3044, -4.1806, -1.8639, -0.4392, 0]}),
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
        Mistake(
            *LINK,
            on={
                HAND: [-2.9957, -2.3026, -2.9957],
                ALL: [-7.2506, -2.9342, -1.2776, -0.66356, -1.8813],
                FINE: [-4.0932, -2.2219, -4.4438, -3.5102, -1.0265],
            },
        ),
        Mistake(
            *EXCHANGED,
            on={
                HAND: [-2.9957, -2.3026, -2.9957],
                ALL: [-1.0344, -0.71441, -1.9677, -4.1866, -9.3044],
                FINE: [-16.593, -18.01, -4.2392, -13.395, -23.465],
            },
        ),
        Mistake(
            *SUM_OF_SHAPES, on={HAND: [-2.3279, -2.3026, -5.9915], ALL: [-5.0225, -1.091, -0.60517, -2.1969, -7.7846]}
        ),
    ),
    hints=(
        "The answer before rounding is a number from 0 to 1. What is rounded to the mark k lies between (k − ½)/steps "
        "and (k + ½)/steps, and never below 0 or above 1: so the two end intervals are half as long.",
        "P(low ≤ answer ≤ high) is betainc(α, β, high) − betainc(α, β, low), with α = ν Φ(g) and β = ν Φ(−g). It is "
        "also betaincc(α, β, low) − betaincc(α, β, high), from the other tail.",
        "Where betainc(α, β, low) is above ½, the second form keeps its digits; elsewhere the first one does. "
        "np.where chooses for each mark. Take Φ(−g) from ndtr(-g), not from 1 - ndtr(g).",
    ),
)

homework = Homework(warped, moments, squeeze, interval, truncated, steps)
check, hint, overview, waits_for = homework.check, homework.hint, homework.overview, homework.waits_for
