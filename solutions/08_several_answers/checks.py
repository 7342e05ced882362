"""The checks of homework 08: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_lib.homework import Case, Homework, Mistake, Task, near


def array(*values):
    """A vector of numbers, or a matrix of rows."""
    return np.array(values, dtype=float)


def smooth(x, z, variance, lengthscale):
    """Covariances of a smooth function on a line: the squared exponential."""
    steps = (x[:, None] - z[None, :]) / lengthscale
    return variance * np.exp(-(steps**2) / 2)


def several_nan(value):
    """Whether a NaN stands somewhere in an array or in one of several."""
    return any(np.isnan(part).any() for part in (value if isinstance(value, tuple) else (value,)))


NO = np.nan  # where a rater gave no answer
HAND, HOLES, TWINS, FULL = "by hand", "a table with holes", "two items with equal inputs", "everybody answered"
MANY = "40 items, 50 raters"
K_HAND, Y_HAND = array([3, 2], [2, 4]), array([4, 8, 5, 7], [-4, NO, NO, NO])
X4, Y_HOLES = array(-1.2, 0.1, 0.9, 2.3), array([1.9, NO, 0.7], [-0.8, -1.9, -0.3], [NO, NO, -1.6], [2.2, 3.1, 1.4])
X_TWINS, Y_TWINS = array(0.4, 0.4, 1.5), array([0.6, 1.5], [NO, 0.2], [-1.1, -2.4])
X3, Y_FULL = array(-0.5, 0.3, 1.9), array([0.9, 1.6, -0.4, 0.8], [2.5, 1.1, 1.8, 2.9], [-0.7, 0.2, -1.9, 0.3])
K_HOLES, K_TWINS, K_FULL = smooth(X4, X4, 2.25, 0.7), smooth(X_TWINS, X_TWINS, 1.7, 0.6), smooth(X3, X3, 0.8, 1.3)
X40 = np.linspace(0, 6, 40)
Y_MANY = np.sin(2 * X40)[:, None] + 0.9 * np.cos(np.arange(2000.0) ** 2).reshape(40, 50)
Y_MANY[np.sin(np.arange(2000.0)).reshape(40, 50) > 0.6] = NO
K_MANY = smooth(X40, X40, 1.3, 0.5)

COUNT = (
    "as if every item had the same number of answers",
    "How many answers has this item? Each row has its own R, without the NaN.",
)
LESS_NOISE = (
    "as if the mean of an item's answers had another noise",
    "How noisy is a mean of R answers? Each of them has the variance σ², and they are independent.",
)
UNIT = ("as if a standard deviation stood where a variance belongs", "What unit has K? The noise has to have it too.")
MISSING = (
    "as if a rater had said something where nothing is",
    "Is a missing answer an answer of 0, or of anything else? It should tell nothing.",
)
EXACT_MEAN = (
    "as if the mean of the answers were the item's value",
    "Is the mean of a few answers free of noise? Where does noise_std enter?",
)
SHARED = (
    "as if the noise stood beside the diagonal as well",
    "Do two items share their noise? Each answer has its own, and so has each mean.",
)
SUMS = ("as if the answers of an item had been added up", "A sum, or a mean? Both hold the same, with another noise.")
JITTER = ("nearly right", "Is C singular, and what is jitter for? Noise stands on its diagonal already.")

# ----------------------------------------------------------------------------------------------------- 1 pooled

HEIGHTS, ONE_ITEM_OF_TWO = "far from zero", "one answer each, but for one item"
FREEDOM = (
    "as if another number of deviations had been counted",
    "How many of the deviations of an item are free? They sum to 0, so the last one is no news.",
)
EQUAL_ITEMS = (
    "as if each item had one vote",
    "Should an item with two answers say as much about σ as one with twenty? Add up first, divide and take the root "
    "in the end.",
)
MIXED_UP = (
    "as if the items' own differences were the raters' doing",
    "Are two products different, or two raters? Only deviations from the item's own mean are the raters' doing.",
)
EACH = (
    "with another sum of squares",
    "How far are the answers from the mean of their own item? Square that, then add up.",
)
NOT_A_SUM = ("with something else than sums", "A sum of squares, or their mean, or a root? The docstring says it.")
NAN = (
    "in which NaN has spread",
    "What is NaN plus 1? And what is the variance, with R − 1 below, of one answer? Neither may reach a sum.",
)

POOLED_HAND = (array(2, 1, 3, 2), array(5, 1, 4, 3), array(2, 0, 14, 0), 2.0)
POOLED_HOLES = (
    array(2, 3, 1, 3),
    array(1.3, -1, -1.6, 2.233333333333),
    array(0.72, 1.34, 0, 1.446666666667),
    0.8374564665303,
)
POOLED_HEIGHTS = (
    array(3, 2, 4),
    array(10000004.66667, 10000005, 10000004.25),
    array(8.666666666667, 32, 24.75),
    3.30193545936,
)

pooled = Task(
    name="pooled",
    function="pooled_spread",
    arguments=("Y",),
    title="Task 1 · How far raters are apart",
    stars=1,
    minutes=15,
    points=4,
    cases=(
        Case(HAND, (array([4, 6, NO], [1, NO, NO], [2, 3, 7], [NO, 3, 3]),), POOLED_HAND),
        Case(HOLES, (Y_HOLES,), POOLED_HOLES),
        Case(
            ONE_ITEM_OF_TWO,
            (array([NO, 2.5], [0.7, 1.9], [-1.3, NO]),),
            (array(1, 2, 1), array(2.5, 1.3, -1.3), array(0, 0.72, 0), 0.8485281374239),
        ),
        Case(
            FULL,
            (Y_FULL,),
            (array(4, 4, 4), array(0.725, 2.075, -0.525), array(2.0675, 1.8875, 3.1275), 0.8870988921448),
        ),
        Case(HEIGHTS, (1e7 + array([3, NO, 4, 7], [9, 1, NO, NO], [2, 2, 5, 8]),), POOLED_HEIGHTS),
    ),
    mistakes=(
        Mistake(*FREEDOM, on={HAND: (*POOLED_HAND[:3], 1.414214), HOLES: (*POOLED_HOLES[:3], 0.6242032)}),
        Mistake(*FREEDOM, on={HAND: (*POOLED_HAND[:3], 1.511858)}),
        Mistake(*FREEDOM, on={HOLES: (*POOLED_HOLES[:3], 0.9363048)}),
        Mistake(
            "as if an item with one answer spoke of the spread",
            "Can somebody who is alone disagree? For R = 1 the share of the sum below is 0.",
            on={HAND: (*POOLED_HAND[:3], 1.788854)},
        ),
        Mistake(*COUNT, on={HAND: (*POOLED_HAND[:3], 1.414214), HOLES: (*POOLED_HOLES[:3], 0.6620675)}),
        Mistake(*COUNT, on={HAND: (array(3, 3, 3, 3), POOLED_HAND[1], POOLED_HAND[2], 1.414214)}),
        Mistake(*COUNT, on={HAND: (array(1, 2, 0, 1), POOLED_HAND[1], POOLED_HAND[2], POOLED_HAND[3])}),
        Mistake(*EQUAL_ITEMS, on={HAND: (*POOLED_HAND[:3], 1.353322)}),
        Mistake(*EQUAL_ITEMS, on={HAND: (*POOLED_HAND[:3], 1.053416)}),
        Mistake(*EQUAL_ITEMS, on={HAND: (*POOLED_HAND[:3], 1.732051)}),
        Mistake(*EQUAL_ITEMS, on={HAND: (*POOLED_HAND[:3], 1.5)}),
        Mistake(
            "with the square of what was asked for",
            "What unit has a variance, and what unit a standard deviation?",
            on={HAND: (*POOLED_HAND[:3], 4.0)},
        ),
        Mistake(*MIXED_UP, on={HAND: (*POOLED_HAND[:3], 1.866648)}),
        Mistake(*MIXED_UP, on={HAND: (*POOLED_HAND[:3], 1.995531)}),
        Mistake(*MIXED_UP, on={HAND: (*POOLED_HAND[:3], 1.932184)}),
        Mistake(*MIXED_UP, on={HAND: (*POOLED_HAND[:3], 1.707825)}),
        Mistake(
            *MISSING,
            on={
                HAND: (
                    array(3, 3, 3, 3),
                    array(3.333333, 0.3333333, 4, 2),
                    array(18.66667, 0.6666667, 14, 6),
                    2.217356,
                )
            },
        ),
        Mistake(
            *MISSING,
            on={HAND: (POOLED_HAND[0], array(3.333333, 0.3333333, 4, 2), array(7.555556, 0.4444444, 14, 2), 2.44949)},
        ),
        Mistake(*MISSING, on={HAND: (*POOLED_HAND[:2], array(27, 2, 14, 9), 3.605551)}),
        Mistake(*NAN, when=lambda case, got: several_nan(got)),
        Mistake(
            "a row for each rater",
            "Which axis counts the items? Y has a row for each.",
            on={HAND: (array(3, 3, 2), array(2.333333, 4, 5), array(4.666667, 6, 8), 1.932184)},
            when=lambda case, got: got[0].shape == case.inputs[0].shape[1:] != case.expected[0].shape,
        ),
        Mistake(*EACH, on={HAND: (*POOLED_HAND[:2], array(5.78125, 6.890625, 14.42188, 0.78125), 2.639839)}),
        Mistake(*EACH, on={HAND: (*POOLED_HAND[:2], array(2, 0, 6, 0), 1.414214)}),
        Mistake(*EACH, on={HAND: (*POOLED_HAND[:2], array(2, 0, 17, 0), 2.179449)}),
        Mistake(
            "with another middle",
            "A mean, or a median? The mean is what has the noise σ²/R.",
            on={HAND: (POOLED_HAND[0], array(5, 1, 3, 3), array(2, 0, 17, 0), 2.179449)},
        ),
        Mistake(*NOT_A_SUM, on={HAND: (*POOLED_HAND[:2], array(1, 0, 4.666667, 0), POOLED_HAND[3])}),
        Mistake(*NOT_A_SUM, on={HAND: (*POOLED_HAND[:2], array(1, 0, 2.160247, 0), POOLED_HAND[3])}),
        Mistake(
            "as if digits had been lost",
            "How many digits does a difference of two huge numbers have? Take the mean off first, then square.",
            on={HEIGHTS: (*POOLED_HEIGHTS[:2], array(8.75, 32, 24.75), 3.304038)},
        ),
        Mistake(
            "in another order",
            "Which of the four comes first? How many answers, their mean, their squares, the spread.",
            on={HAND: (array(5, 1, 4, 3), array(2, 1, 3, 2), POOLED_HAND[2], POOLED_HAND[3])},
        ),
    ),
    hints=(
        "~np.isnan(Y) is a table of truth values: its sum along axis 1 counts the answers of each "
        "item. np.nansum leaves NaN out.",
        "Y − means[:, None] has NaN where Y has; np.nansum of its square along axis 1 is what each item adds.",
        "An item with R answers has R − 1 free deviations. Divide the sum of all squares by the sum "
        "of all R − 1, then take the root: items with one answer add 0 to both.",
    ),
)

# --------------------------------------------------------------------------------------------------- 2 evidence

SPREAD = (
    "what the means alone would give",
    "Two panels have the same means, one agrees and one quarrels: which of them speaks for a small σ? Where are the "
    "deviations from the means?",
)
SQUARES = (
    "with other squares within the items",
    "What stands before a square in the log of a Gaussian density? The same σ holds for every deviation.",
)
FACTORS = (
    "with another power of 2πσ²",
    "How many factors 1/√(2πσ²) do R answers have, and how many of them has the density of their mean taken?",
)
LOG_R = (
    "with another power of R",
    "Where does the ½ log R come from? The density of the mean has √(R/2πσ²) in front, the R answers have no R.",
)
HALVES = (
    "with other factors in the density of the means",
    "Which of the three terms are halved? Write down the log of a Gaussian density in n dimensions.",
)
PENALTY = (
    "as if the log determinant were missing or turned over",
    "Which term punishes flexibility? A prior that allows everything makes nothing probable.",
)


evidence = Task(
    name="evidence",
    function="joint_evidence",
    arguments=("K", "noise_std", "Y"),
    title="Task 2 · The evidence of all answers",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(HAND, (K_HAND, 2.0, Y_HAND), -18.28338364335),
        Case(HOLES, (K_HOLES, 0.6, Y_HOLES), -15.80716124044),
        Case(TWINS, (K_TWINS, 0.45, Y_TWINS), -9.121007463382),
        Case(FULL, (K_FULL, 0.7, Y_FULL), -21.20993090876),
        Case("one answer each", (K_HOLES, 0.8, Y_HOLES[:, 2:]), -6.673379355714),
        Case(MANY, (K_MANY, 0.65, Y_MANY), -1391.397417641),
    ),
    mistakes=(
        Mistake(*COUNT, on={HAND: -20.62858}),
        Mistake(*COUNT, on={HAND: -23.11964, HOLES: -17.0315}),
        Mistake(*COUNT, on={HAND: -26.15798}),
        Mistake(*LESS_NOISE, on={HAND: -15.36213}),
        Mistake(*LESS_NOISE, on={HAND: -13.44021}),
        Mistake(*LESS_NOISE, on={HAND: -16.85349}),
        Mistake(*LESS_NOISE, on={HAND: -20.07189}),
        Mistake(*UNIT, on={HAND: -20.85742}),
        Mistake(*UNIT, on={HAND: -19.51515}),
        Mistake(*UNIT, on={HAND: -21.0677}),
        Mistake(*SHARED, on={HAND: -30.22252}),
        Mistake(*EXACT_MEAN, on={HAND: -27.657}),
        Mistake(*SPREAD, on={HAND: -11.50398}),
        Mistake(*SPREAD, on={HAND: -8.58273}),
        Mistake(*SPREAD, on={HAND: -17.03338}),
        Mistake(*SQUARES, on={HAND: -19.53338, HOLES: -20.67753}),
        Mistake(*SQUARES, on={HAND: -19.53338, HOLES: -13.85901}),
        Mistake(*SQUARES, on={HAND: -22.03338}),
        Mistake(*SQUARES, on={HAND: -17.34588}),
        Mistake(
            "as if quarrel were praised",
            "Do raters who disagree make a small σ more probable? What is the sign of a square in a log density?",
            on={HAND: -15.78338},
        ),
        Mistake(*FACTORS, on={HAND: -12.75398}),
        Mistake(*FACTORS, on={HAND: -13.44713}),
        Mistake(*FACTORS, on={HAND: -21.50756}),
        Mistake(*FACTORS, on={HAND: -15.05921}),
        Mistake(*FACTORS, on={HAND: -15.52657}),
        Mistake(*FACTORS, on={HAND: -17.24366}),
        Mistake(*FACTORS, on={HAND: -23.11964, HOLES: -17.84773}),
        Mistake(*LOG_R, on={HAND: -17.59024}),
        Mistake(*LOG_R, on={HAND: -18.97653}),
        Mistake(*LOG_R, on={HAND: -16.89709}),
        Mistake(*HALVES, on={HAND: -26.28338}),
        Mistake(*HALVES, on={HAND: -19.94949}),
        Mistake(*HALVES, on={HAND: -17.45033}),
        Mistake(*PENALTY, on={HAND: -14.95118}),
        Mistake(*PENALTY, on={HAND: -16.61728}),
        Mistake(
            "with another power of 2π",
            "How many answers are there, and how many factors √(2π)? The means take n of them.",
            on={HAND: -16.44551},
        ),
        Mistake(*MISSING, on={HAND: -15.92624}),
        Mistake(*MISSING, on={HAND: -23.53298}),
        Mistake(
            "as if items had been thrown away",
            "Are items with a hole worth nothing? One answer of three is still an answer.",
            on={HAND: -12.89149},
        ),
        Mistake(
            "as if raters had been thrown away",
            "Are raters who skipped an item worth nothing? Their other answers count.",
            on={HAND: -6.736576},
        ),
        Mistake(*SUMS, on={HAND: -100.5691}),
        Mistake(
            "as if the raters had nothing in common",
            "Does each rater have a curve of his own, or do all of them speak of the same items?",
            on={HAND: -22.2694},
        ),
        Mistake(
            "with its sign turned",
            "Is it a cost or a log evidence? Better models have the larger one.",
            on={HAND: 18.28338},
        ),
        Mistake(
            "without its logarithm",
            "The evidence, or its logarithm? With 2000 answers only one of them can be stored.",
            on={HAND: 1.147169e-08},
        ),
        Mistake("for one answer", "A mean over the answers, or all of them together?", on={HAND: -3.656677}),
        Mistake(*JITTER, when=lambda case, got: near(got, case.expected, 1e-4)),
    ),
    hints=(
        "First one item alone, its value z known: R answers, each N(z, σ²). Split Σ (y − z)² into R "
        "(ȳ − z)² and Σ (y − ȳ)². The first part is all that z sees.",
        "So the answers to an item are N(ȳ | z, σ²/R) times a factor without z: (2πσ²)^(−(R−1)/2) "
        "R^(−½) exp(−SS/2σ²), with SS = Σ (y − ȳ)². Integrating over all z leaves N(ȳ | 0, K + "
        "diag(σ²/R)).",
        "log p = log N(ȳ | 0, C) − ½ Σ [(R − 1) log(2πσ²) + log R + SS/σ²], with C = K + diag(σ²/R) "
        "and one R and one SS for each item. By hand: C = (4, 2; 2, 8), SS = (10, 0).",
    ),
)

# ---------------------------------------------------------------------------------------------------- 3 answers

NEW = array(-0.6, 0.5, 4.0)
PANEL = (
    "as if many raters knew everything",
    "What does a panel of endlessly many raters still not know? Averaging removes what they "
    "do not share; z they share.",
)
AVERAGE = (
    "with another noise of the new panel's mean",
    "How noisy is a mean of n_raters answers? σ² counts once for one of them, and how for their mean?",
)
ONE = (
    "with another noise of the rater",
    "Whose answer is it? One rater has all of σ; a panel's mean has less, the item itself none.",
)
ADDED = ("as if other things had been added", "Do standard deviations add up, or variances? Check the units.")
ITEM = (
    "as if an answer had been taken for the item's value",
    "The item, or what somebody says about it? The first two are about the item, and have no noise.",
)
ORDER = (
    "in another order",
    "Which of the four comes first? Mean and variance of z, then one rater, then the panel.",
)
STANDARD_DEVIATION = (
    "with a root, or a square, of what was asked for",
    "A variance, or a standard deviation? The second of the four is a variance, the last two are not.",
)

ANSWERS_HAND = (array(-1), array(3.857142857143), array(2.803059552907), array(2.074026832417))

answers = Task(
    name="answers",
    function="predict_answers",
    arguments=("K", "noise_std", "Y", "K_cross", "prior_variance", "n_raters"),
    title="Task 3 · Another rater, another panel",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case(HAND, (K_HAND, 2.0, Y_HAND, array([1], [3]), array(5), 9), ANSWERS_HAND),
        Case(
            HOLES,
            (K_HOLES, 0.6, Y_HOLES, smooth(X4, NEW, 2.25, 0.7), array(2.25, 2.25, 2.25), 5),
            (
                array(0.4683634072173, -1.477155677573, 0.1209447210164),
                array(0.6566490824091, 0.2402547432886, 2.244028287021),
                array(1.008290177682, 0.7747610878772, 1.613700184985),
                array(0.8536094437207, 0.5587975870462, 1.521850284036),
            ),
        ),
        Case(
            TWINS,
            (K_TWINS, 0.45, Y_TWINS, smooth(X_TWINS, NEW, 1.7, 0.6), array(1.7, 1.7, 2.1), 3),
            (
                array(0.2620085739708, 0.5935699419661, -0.0003123825175662),
                array(1.595346297403, 0.1009683992469, 2.099999952206),
                array(1.340837908698, 0.5508796594964, 1.517399074801),
                array(1.289513977203, 0.4104490214959, 1.472243170202),
            ),
        ),
        Case(
            "a panel of one",
            (K_FULL, 0.7, Y_FULL, smooth(X3, NEW, 0.8, 1.3), array(0.8, 0.8, 0.8), 1),
            (
                array(0.8994620629549, 1.442760579258, -0.4040056396274),
                array(0.1014135674618, 0.09626860533489, 0.740213759106),
                array(0.7690341783443, 0.7656817911737, 1.109150016502),
                array(0.7690341783443, 0.7656817911737, 1.109150016502),
            ),
        ),
        Case(
            MANY,
            (K_MANY, 0.65, Y_MANY, smooth(X40, NEW, 1.3, 0.5), array(1.3, 1.3, 1.3), 40),
            (
                array(0.007394245854919, 0.8298406817152, 1.054832480268),
                array(0.704203481498, 0.004418960957015, 0.004309513394607),
                array(1.061462896901, 0.6533903587879, 0.6533065998401),
                array(0.8454383368987, 0.1223987784131, 0.1219508646735),
            ),
        ),
    ),
    mistakes=(
        Mistake(*LESS_NOISE, on={HAND: (array(-1.230769), array(3.865385), array(2.804529), array(2.076013))}),
        Mistake(*LESS_NOISE, on={HAND: (array(-1.405405), array(3.871622), array(2.805641), array(2.077514))}),
        Mistake(*EXACT_MEAN, on={HAND: (array(-5), array(2.625), array(2.573908), array(1.751983))}),
        Mistake(*COUNT, on={HAND: (array(-2.875), array(3.1875), array(2.680951), array(1.905766))}),
        Mistake(*COUNT, on={HAND: (array(-3.772926), array(2.926856), array(2.631892), array(1.83611))}),
        Mistake(
            *UNIT,
            on={
                HAND: (array(-2), array(3.5), array(2.738613), array(1.986063)),
                HOLES: (
                    array(0.4165329, -1.394741, 0.1160247),
                    array(0.7224539, 0.3172603, 2.244238),
                    array(1.04041, 0.8229583, 1.613765),
                    array(0.8913214, 0.6239073, 1.521919),
                ),
            },
        ),
        Mistake(
            *UNIT,
            on={
                HAND: (array(-2), array(3.5), array(2.738613), array(1.986063)),
                HOLES: (
                    array(0.396913, -1.370335, 0.1094828),
                    array(0.7960695, 0.363352, 2.244569),
                    array(1.075207, 0.850501, 1.613868),
                    array(0.9317024, 0.6598121, 1.522028),
                ),
            },
        ),
        Mistake(*SHARED, on={HAND: (array(-2.142857), array(3.785714), array(2.790289), array(2.056735))}),
        Mistake(*ONE, on={HAND: (*ANSWERS_HAND[:2], array(2.074027), ANSWERS_HAND[3])}),
        Mistake(*ONE, on={HAND: (*ANSWERS_HAND[:2], array(1.963961), ANSWERS_HAND[3])}),
        Mistake(*ONE, on={HAND: (*ANSWERS_HAND[:2], array(1.963961), array(1.963961))}),
        Mistake(*PANEL, on={HAND: (*ANSWERS_HAND[:2], array(2), array(0.6666667))}),
        Mistake(*PANEL, on={HAND: (*ANSWERS_HAND[:3], array(0.6666667))}),
        Mistake(*PANEL, on={HAND: (*ANSWERS_HAND[:3], array(0.9343532))}),
        Mistake(*PANEL, on={HAND: (*ANSWERS_HAND[:3], array(0.3114511))}),
        Mistake(*AVERAGE, on={HAND: (*ANSWERS_HAND[:3], array(2.80306))}),
        Mistake(*AVERAGE, on={HAND: (*ANSWERS_HAND[:3], array(1.963961))}),
        Mistake(*AVERAGE, on={HAND: (*ANSWERS_HAND[:3], array(1.976493))}),
        Mistake(
            "as if the old panel were asked again",
            "How many raters are asked this time? n_raters, not the columns of Y.",
            on={HAND: (*ANSWERS_HAND[:3], array(2.203893))},
        ),
        Mistake(*ADDED, on={HAND: (*ANSWERS_HAND[:2], array(3.963961), array(2.630628))}),
        Mistake(*ADDED, on={HAND: (*ANSWERS_HAND[:2], array(2.420153), array(2.019744))}),
        Mistake(*STANDARD_DEVIATION, on={HAND: (*ANSWERS_HAND[:2], array(7.857143), array(4.301587))}),
        Mistake(*STANDARD_DEVIATION, on={HAND: (ANSWERS_HAND[0], array(1.963961), ANSWERS_HAND[2], ANSWERS_HAND[3])}),
        Mistake(
            "as if an answer had widened the band",
            "Can an answer make you less sure? The printed sign of one source was wrong too.",
            on={HAND: (ANSWERS_HAND[0], array(6.142857), array(3.184785), array(2.566574))},
        ),
        Mistake(
            "as if nobody had answered",
            "What have the answers taught about the new item?",
            on={HAND: (ANSWERS_HAND[0], array(5), array(3), array(2.333333))},
        ),
        Mistake(
            "with the other part of the variance",
            "What is explained, or what is left? A band far from all items is as wide as the prior.",
            on={HAND: (ANSWERS_HAND[0], array(1.142857), array(2.267787), array(1.259882))},
        ),
        Mistake(*ITEM, on={HAND: (ANSWERS_HAND[0], array(7.857143), array(3.44342), array(2.881248))}),
        Mistake(*ITEM, on={HAND: (ANSWERS_HAND[0], array(7.857143), ANSWERS_HAND[2], ANSWERS_HAND[3])}),
        Mistake(
            "as if all items had been known equally well before",
            "Is the prior variance the same everywhere? It is given for each new item.",
            on={HAND: (ANSWERS_HAND[0], array(1.857143), array(2.420153), array(1.517098))},
        ),
        Mistake(*MISSING, on={HAND: (ANSWERS_HAND[0], array(3.1875), array(2.680951), array(1.905766))}),
        Mistake(*MISSING, on={HAND: (array(0.07142857), ANSWERS_HAND[1], ANSWERS_HAND[2], ANSWERS_HAND[3])}),
        Mistake(*SUMS, on={HAND: (array(0.2857143), ANSWERS_HAND[1], ANSWERS_HAND[2], ANSWERS_HAND[3])}),
        Mistake(
            "as if C⁻¹ were missing",
            "Do two copies of an item count twice? C⁻¹ sees to it that they do not.",
            on={HAND: (array(-6), ANSWERS_HAND[1], ANSWERS_HAND[2], ANSWERS_HAND[3])},
        ),
        Mistake(
            "as if one triangular system had not been solved",
            "L is half of the way: C = L Lᵀ. What is still to undo?",
            on={HAND: (array(-4.937254), ANSWERS_HAND[1], ANSWERS_HAND[2], ANSWERS_HAND[3])},
        ),
        Mistake(*JITTER, when=lambda case, got: near(got, case.expected, 1e-4)),
        Mistake(*ORDER, on={HAND: (array(3.857143), array(-1), ANSWERS_HAND[2], ANSWERS_HAND[3])}),
        Mistake(*ORDER, on={HAND: (*ANSWERS_HAND[:2], array(2.074027), array(2.80306))}),
    ),
    hints=(
        "The answers to an item act as one: their mean, with the noise σ²/R. So C = K + diag(σ²/R), "
        "and the posterior of z is that of homework 05: K_crossᵀ C⁻¹ ȳ, and prior variance minus the "
        "diagonal of K_crossᵀ C⁻¹ K_cross.",
        "An answer is z plus noise. z is uncertain by its variance v, the noise of one rater by σ², "
        "and the two are independent: which of their sums has a root?",
        "One rater: √(v + σ²). The mean of n_raters: √(v + σ²/n_raters). They all judge the same z, "
        "so v is not divided.",
    ),
)

# ----------------------------------------------------------------------------------------------------- 4 scores

TENTHS, BELOW, ABOVE, NARROW = "half marks", "far below the scale", "far above the scale", "hardly any spread"
SCORES = np.arange(11.0)
DENSITY = (
    "as if the height of the curve had been taken",
    "How much of the curve lies within a bin, and how high is it in the middle? Only with narrow bins are they alike.",
)
NORMALISED = (
    "as if answers off the scale could be given",
    "Which scores can be given? Nobody can say −3 or 14, so divide by what lies between the ends of the scale.",
)
SUM_TO_ONE = (
    "which is no distribution over the scores",
    "What do the probabilities of one item sum to? Exponentiate a row and add it up.",
)
TAIL = (
    "as if probabilities had been stored before their logarithm was taken",
    "What does the computer store for a probability of e⁻⁹⁰⁰? Stay with logarithms all the way, in the sum too.",
)
FLOOR = (
    "as if very small probabilities had been made larger",
    "How probable is the second most probable score, compared with the first, if both are tiny? A floor forgets it.",
)
SIDE = (
    "as if 1 had been subtracted from 1",
    "On which side of the curve are both numbers small? Φ(b) − Φ(a) = Φ(−a) − Φ(−b): you may choose.",
)
WIDTH = (
    "as if the bins were of another width or place",
    "Where does one score end and the next begin? Half-way between them, whatever the step of the scale is.",
)
SCALE = (
    "as if a variance stood where a standard deviation belongs, or the other way round",
    "What unit has the scale of a Gaussian? (score − mean)/std must have none.",
)
LOGARITHM = ("with another logarithm", "Which logarithm is meant? The natural one, in nats.")


def lost(value):
    """Whether an infinity or a NaN stands in an array."""
    return not np.isfinite(value).all()


scores = Task(
    name="scores",
    function="log_shares",
    arguments=("means", "stds", "scores"),
    title="Task 4 · Bins in the tails",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(HAND, (array(1), array(2), array(0, 2, 4)), array([-0.8746960325376, -0.8746960325376, -1.795631974856])),
        Case(
            TENTHS,
            (array(2.3, 4.9, 0.4), array(0.6, 0.35, 1.7), np.arange(1, 5.5, 0.5)),
            array(
                [
                    -3.342752947755,
                    -1.96407259565,
                    -1.242899270258,
                    -1.177373518475,
                    -1.767318963004,
                    -3.014278575689,
                    -4.921207404615,
                    -7.491947584484,
                    -10.73067072437,
                ],
                [
                    -57.47727778241,
                    -43.45539614784,
                    -31.450579544,
                    -21.45380658514,
                    -13.45015877248,
                    -7.413441612399,
                    -3.296611246957,
                    -1.023012277036,
                    -0.5060425194639,
                ],
                [
                    -1.331741433895,
                    -1.477743609986,
                    -1.709630333656,
                    -2.027402848584,
                    -2.431062852654,
                    -2.920612491995,
                    -3.4960543535,
                    -4.157391455872,
                    -4.904627239264,
                ],
            ),
        ),
        Case(
            NARROW,
            (array(3.2, 7), array(0.04, 0.05), SCORES),
            array(
                [
                    -2283.25628549,
                    -907.7939954782,
                    -156.9093784843,
                    -3.190891672911e-14,
                    -31.07589090289,
                    -532.5261231377,
                    -1658.09602571,
                    -3408.456883696,
                    -5783.721515895,
                    -8783.93057813,
                    -12409.1034043,
                ],
                [
                    -8455.786532147,
                    -6055.619501527,
                    -4055.418871622,
                    -2455.167637753,
                    -1254.831361139,
                    -454.3212439563,
                    -53.23128515051,
                    -1.523970604832e-23,
                    -53.23128515051,
                    -454.3212439563,
                    -1254.831361139,
                ],
            ),
        ),
        Case(
            BELOW,
            (array(-40, -300), array(1.5, 2.5), SCORES),
            array(
                [
                    -1.855158870967e-08,
                    -17.80270924709,
                    -36.04925803961,
                    -54.73967498046,
                    -73.87398667941,
                    -93.45221794901,
                    -113.4743919624,
                    -133.9405303945,
                    -154.850653548,
                    -176.2047804665,
                    -198.0029290365,
                ],
                [
                    0,
                    -48.00333287361,
                    -96.1666546776,
                    -144.4899654852,
                    -192.9732653691,
                    -241.6165544009,
                    -290.419832652,
                    -339.3831001926,
                    -388.5063570926,
                    -437.789603421,
                    -487.2328392463,
                ],
            ),
        ),
        Case(
            ABOVE,
            (array(60, 2500), array(1.5, 3), SCORES),
            array(
                [
                    -242.4059442318,
                    -216.1667942946,
                    -190.3717977008,
                    -165.0209442768,
                    -140.1142233072,
                    -115.6516234954,
                    -91.6331329208,
                    -68.05873899224,
                    -44.92842839662,
                    -22.24218704288,
                    -2.189608494518e-10,
                ],
                [
                    -2771.67067548,
                    -2494.003608654,
                    -2216.44765278,
                    -1939.002807856,
                    -1661.669073883,
                    -1384.44645086,
                    -1107.334938788,
                    -830.3345376657,
                    -553.4452474937,
                    -276.6670682718,
                    0,
                ],
            ),
        ),
    ),
    mistakes=(
        Mistake(*DENSITY, on={HAND: array([-0.8619948, -0.8619948, -1.861995])}),
        Mistake(*DENSITY, on={HAND: array([-1.737086, -1.737086, -2.737086])}),
        Mistake(*DENSITY, on={HAND: array([-1.043939, -1.043939, -2.043939])}),
        Mistake(*DENSITY, on={HAND: array([0.1760327, 0.1760327, 0.0647588])}),
        Mistake(*NORMALISED, on={HAND: array([-1.074862, -1.074862, -1.995798])}),
        Mistake(*NORMALISED, on={HAND: array([-0.6931472, -1.074862, -1.841022])}),
        Mistake(*SUM_TO_ONE, on={HAND: array([0.2239163, 0.2239163, -0.6970197])}),
        Mistake(*SUM_TO_ONE, on={HAND: array([0, 0, 0])}),
        Mistake(
            *SUM_TO_ONE,
            on={
                NARROW: array(
                    [
                        -2283.949,
                        -908.4871,
                        -157.6025,
                        -0.6931472,
                        -31.76904,
                        -533.2193,
                        -1658.789,
                        -3409.15,
                        -5784.415,
                        -8784.624,
                        -12409.8,
                    ],
                    [
                        -8456.48,
                        -6056.313,
                        -4056.112,
                        -2455.861,
                        -1255.525,
                        -455.0144,
                        -53.92443,
                        -0.6931472,
                        -53.92443,
                        -455.0144,
                        -1255.525,
                    ],
                )
            },
        ),
        Mistake(*SUM_TO_ONE, on={HAND: array([0, 0, -0.9209359])}),
        Mistake(
            *SIDE,
            on={
                ABOVE: array(
                    [
                        -242.4059,
                        -216.1668,
                        -190.3718,
                        -165.0209,
                        -140.1142,
                        -115.6516,
                        -91.63313,
                        -68.05874,
                        -44.92843,
                        -22.24219,
                        -2.189608e-10,
                    ],
                    [
                        -2771.671,
                        -2494.004,
                        -2216.448,
                        -1939.003,
                        -1661.669,
                        -1384.446,
                        -1107.335,
                        -830.3345,
                        -553.4452,
                        -276.6671,
                        0,
                    ],
                )
            },
            when=lambda case, got: lost(got),
        ),
        Mistake(
            *SIDE,
            on={
                BELOW: array(
                    [
                        -1.855159e-08,
                        -17.80271,
                        -36.04926,
                        -54.73967,
                        -73.87399,
                        -93.45222,
                        -113.4744,
                        -133.9405,
                        -154.8507,
                        -176.2048,
                        -198.0029,
                    ],
                    [
                        0,
                        -48.00333,
                        -96.16665,
                        -144.49,
                        -192.9733,
                        -241.6166,
                        -290.4198,
                        -339.3831,
                        -388.5064,
                        -437.7896,
                        -487.2328,
                    ],
                )
            },
            when=lambda case, got: lost(got),
        ),
        Mistake(*TAIL, when=lambda case, got: lost(got)),
        Mistake(
            *FLOOR,
            on={
                NARROW: array(
                    [
                        -27.63102,
                        -27.63102,
                        -27.63102,
                        -1e-11,
                        -27.63102,
                        -27.63102,
                        -27.63102,
                        -27.63102,
                        -27.63102,
                        -27.63102,
                        -27.63102,
                    ],
                    [
                        -27.63102,
                        -27.63102,
                        -27.63102,
                        -27.63102,
                        -27.63102,
                        -27.63102,
                        -27.63102,
                        -1e-11,
                        -27.63102,
                        -27.63102,
                        -27.63102,
                    ],
                )
            },
        ),
        Mistake(
            *FLOOR,
            on={
                ABOVE: array(
                    [
                        -141.8592,
                        -141.8592,
                        -141.8592,
                        -141.8592,
                        -139.9532,
                        -115.6516,
                        -91.63313,
                        -68.05874,
                        -44.92843,
                        -22.24219,
                        -2.189608e-10,
                    ],
                    [
                        -2.397895,
                        -2.397895,
                        -2.397895,
                        -2.397895,
                        -2.397895,
                        -2.397895,
                        -2.397895,
                        -2.397895,
                        -2.397895,
                        -2.397895,
                        -2.397895,
                    ],
                )
            },
        ),
        Mistake(*WIDTH, on={HAND: array([-0.5819489, -1.041965, -2.425534])}),
        Mistake(*WIDTH, on={HAND: array([-1.276507, -0.8164911, -1.276507])}),
        Mistake(*WIDTH, on={HAND: array([-0.8652162, -0.8652162, -1.844661])}),
        Mistake(*WIDTH, on={HAND: array([-0.9098668, -0.9098668, -1.635555])}),
        Mistake(
            *WIDTH,
            on={
                HAND: array([-0.8652162, -0.8652162, -1.844661]),
                NARROW: array(
                    [
                        -2724.639,
                        -1192.976,
                        -286.0079,
                        0,
                        -97.96479,
                        -755.2463,
                        -2036.994,
                        -3943.574,
                        -6475.073,
                        -9631.521,
                        -13412.94,
                    ],
                    [
                        -9118.324,
                        -6618.164,
                        -4517.973,
                        -2817.737,
                        -1517.427,
                        -616.9751,
                        -116.1314,
                        0,
                        -116.1314,
                        -616.9751,
                        -1517.427,
                    ],
                ),
            },
        ),
        Mistake(*SCALE, on={HAND: array([-1.023468, -1.023468, -1.268309])}),
        Mistake(*SCALE, on={HAND: array([-0.7798339, -0.7798339, -2.488485])}),
        Mistake(
            "as if all items had the same spread",
            "Where does the spread enter? Distances count in standard deviations.",
            on={HAND: array([-0.7166698, -0.7166698, -3.761532])},
        ),
        Mistake(
            "as if the scale had been turned round",
            "Below the mean, or above it? A high mean makes high scores probable.",
            on={HAND: array([-1.795632, -0.874696, -0.874696])},
        ),
        Mistake(
            "without its logarithm",
            "A probability, or its logarithm? Off the scale only the logarithm is left.",
            on={HAND: array([0.4169888, 0.4169888, 0.1660225])},
        ),
        Mistake(*LOGARITHM, on={HAND: array([-0.3798757, -0.3798757, -0.7798331])}),
        Mistake(*LOGARITHM, on={HAND: array([-1.26192, -1.26192, -2.590549])}),
        Mistake(
            "with its sign turned",
            "Can a probability be larger than 1? What sign has its logarithm then?",
            on={HAND: array([0.874696, 0.874696, 1.795632])},
        ),
        Mistake(
            "as if probabilities had been added up along the scale",
            "This score, or all up to it?",
            on={HAND: array([-0.874696, -0.1815489, 2.775558e-17])},
        ),
        Mistake(
            "a row for each score",
            "One row for each item, one column for each score: what does .T do?",
            when=lambda case, got: near(got, case.expected.T),
        ),
    ),
    hints=(
        "A score takes what lies within half a step of it: P ∝ Φ((c + h − μ)/σ) − Φ((c − h − μ)/σ), "
        "with h half the step. Then divide by the sum over the scale.",
        "scipy.special.log_ndtr is log Φ, exact in the tail: log_ndtr(−40) is −804.6. With a < b both"
        " negative, log(Φ(b) − Φ(a)) = log Φ(b) + log(1 − exp(log Φ(a) − log Φ(b))); np.log1p and "
        "np.expm1 keep the digits.",
        "If a + b > 0 use Φ(b) − Φ(a) = Φ(−a) − Φ(−b): np.where(a + b > 0, …) chooses for each bin. "
        "Normalise with scipy.special.logsumexp along axis 1.",
    ),
)

# ----------------------------------------------------------------------------------------------------- 5 nugget

K_PLAIN = array([2.64, 2], [2, 3.64])
WHOSE = (
    "as if the nugget belonged to the answers",
    "Whose property is the nugget, the item's or the answer's? All raters of an item taste the same carrot: does "
    "averaging over them make it smaller?",
)
TOGETHER = (
    "as if the nugget stood beside the diagonal as well",
    "Do two items share what the inputs do not explain of them? Each has a surprise of its own.",
)
LOG = (
    "with another factor in the slope",
    "What is the derivative of τ² by log τ? τ² = exp(2 log τ).",
)
HALF = ("with another factor in the slope", "Which ½ belongs to which term? ½ (αᵀ ∂C α − tr C⁻¹ ∂C): to both of them.")
BOTH = (
    "with one of the two terms, or the wrong sign between them",
    "Two terms pull against each other: which of them wants a wider prior, which a narrower one?",
)
TRACE = ("with another trace", "What is a trace of C⁻¹? The sum of the diagonal entries of the inverse, no more.")
INVERSES = (
    "with another first term",
    "How often does C⁻¹ stand beside ȳ in αᵀ ∂C α? α = C⁻¹ ȳ, and α stands there twice.",
)
OTHER = (
    "with the slope by something else",
    "By which of the two is it, the kernel, the noise, or the nugget? Only τ² I depends on τ.",
)
SIGN = ("with a sign turned", "Uphill, or downhill? The evidence and its slope, as they are.")
MEANS = (
    "with a part of the evidence missing",
    "Is the evidence that of all answers, or that of their means? Task 2 has the rest; it has no τ in it.",
)

NUGGET_HAND = (-18.28338364335, 1.645714285714)

nugget = Task(
    name="nugget",
    function="nugget_evidence",
    arguments=("K", "noise_std", "nugget_std", "Y"),
    title="Task 5 · What the inputs do not explain",
    stars=3,
    minutes=40,
    points=6,
    cases=(
        Case(HAND, (K_PLAIN, 2.0, 0.6, Y_HAND), NUGGET_HAND),
        Case(HOLES, (K_HOLES, 0.65, 0.4, Y_HOLES), (-15.50078467328, -0.02677934339841)),
        Case(TWINS, (K_TWINS, 0.45, 0.75, Y_TWINS), (-8.83277682402, -0.3368727585875)),
        Case(FULL, (K_FULL, 0.7, 1.3, Y_FULL), (-19.48620957756, -0.7346206459338)),
        Case("nothing but nugget", (np.zeros((3, 3)), 0.7, 1.4, Y_FULL), (-19.45016435978, -0.5155003177742)),
        Case(MANY, (K_MANY, 0.65, 0.2, Y_MANY), (-1398.73948961, -14.81794017139)),
    ),
    mistakes=(
        Mistake(*WHOSE, on={HAND: (-18.82838, 1.918106)}),
        Mistake(*WHOSE, on={HAND: (-18.85444, 1.918106)}),
        Mistake(*WHOSE, on={HAND: (-18.85444, 0.6752649)}),
        Mistake(*WHOSE, on={HAND: (NUGGET_HAND[0], 0.6428571)}),
        Mistake(*WHOSE, on={HAND: (-18.30944, NUGGET_HAND[1])}),
        Mistake(*TOGETHER, on={HAND: (-19.05652, 2.005613)}),
        Mistake(*TOGETHER, on={HAND: (NUGGET_HAND[0], 0.2571429)}),
        Mistake(
            "as if there were no nugget",
            "Where does nugget_std enter C? On its diagonal, squared.",
            on={HAND: (-19.21718, 2.11823)},
        ),
        Mistake(*UNIT, on={HAND: (-17.77534, 1.411187)}),
        Mistake(*UNIT, on={HAND: (-20.85742, 3.052526)}),
        Mistake(*LOG, on={HAND: (NUGGET_HAND[0], 2.742857)}),
        Mistake(*LOG, on={HAND: (NUGGET_HAND[0], 2.285714)}),
        Mistake(*LOG, on={HAND: (NUGGET_HAND[0], 0.8228571)}),
        Mistake(*LOG, on={HAND: (NUGGET_HAND[0], 1.371429)}),
        Mistake(*LOG, on={HAND: (NUGGET_HAND[0], 0.9874286)}),
        Mistake(*HALF, on={HAND: (NUGGET_HAND[0], 3.291429)}),
        Mistake(*HALF, on={HAND: (NUGGET_HAND[0], 1.491429)}),
        Mistake(*HALF, on={HAND: (NUGGET_HAND[0], 3.445714)}),
        Mistake(*SIGN, on={HAND: (NUGGET_HAND[0], -1.645714)}),
        Mistake(*SIGN, on={HAND: (18.28338, -1.645714)}),
        Mistake(*BOTH, on={HAND: (NUGGET_HAND[0], 1.8)}),
        Mistake(*BOTH, on={HAND: (NUGGET_HAND[0], -0.1542857)}),
        Mistake(*BOTH, on={HAND: (NUGGET_HAND[0], 1.954286)}),
        Mistake(*TRACE, on={HAND: (NUGGET_HAND[0], -2.52)}),
        Mistake(*TRACE, on={HAND: (NUGGET_HAND[0], 1.77)}),
        Mistake(*TRACE, on={HAND: (NUGGET_HAND[0], 1.665)}),
        Mistake(*TRACE, on={HAND: (NUGGET_HAND[0], 1.697143)}),
        Mistake(*TRACE, on={HAND: (NUGGET_HAND[0], 1.787143)}),
        Mistake(*TRACE, on={HAND: (NUGGET_HAND[0], 0.6004064)}),
        Mistake(*INVERSES, on={HAND: (NUGGET_HAND[0], 18.56571)}),
        Mistake(*INVERSES, on={HAND: (NUGGET_HAND[0], 5.605714)}),
        Mistake(*OTHER, on={HAND: (NUGGET_HAND[0], 7.142857)}),
        Mistake(*OTHER, on={HAND: (NUGGET_HAND[0], 4.251429)}),
        Mistake(*MEANS, on={HAND: (-11.50398, NUGGET_HAND[1])}),
        Mistake(*MEANS, on={HAND: (-17.59024, NUGGET_HAND[1])}),
        Mistake(*LESS_NOISE, on={HAND: (-15.36213, 0.5266864)}),
        Mistake(*COUNT, on={HAND: (-20.62858, 2.930625)}),
        Mistake(*MISSING, on={HAND: (-23.53298, 1.5975)}),
        Mistake(*MISSING, on={HAND: (-15.92624, 1.111224)}),
        Mistake(
            "nearly right",
            "How many digits does a difference of two nearly equal numbers have? The formula has all of them.",
            when=lambda case, got: near(got, case.expected, 1e-3),
        ),
        Mistake(
            "in another order",
            "Which of the two comes first? The evidence, then its slope.",
            on={HAND: (1.645714, -18.28338)},
        ),
    ),
    hints=(
        "The nugget belongs to the item: all its raters see the same value. So it joins K, before "
        "anybody answers: C = K + τ² I + diag(σ²/R). The rest of the evidence is that of Task 2.",
        "Only C depends on τ, and ∂C/∂ log τ = 2τ² I. The spread round the means and the constants have no τ.",
        "½ tr[(α αᵀ − C⁻¹) 2τ² I] = τ² (αᵀα − tr C⁻¹), α = C⁻¹ ȳ. By hand: C = (4, 2; 2, 8), α = (2, "
        "−1), tr C⁻¹ = 12/28.",
    ),
)

# ----------------------------------------------------------------------------------------------------- 6 raters

LONELY, MANY_RATERS = "items that one rater has alone", "7 items, 30 raters"
X5 = array(-1.3, -0.4, 0.3, 1.2, 2.6)
Y_LONELY = array([0.9, NO, NO, NO], [NO, 1.7, 0.4, NO], [NO, NO, -2.1, NO], [1.4, -0.3, NO, 0.8], [NO, -1.2, 1.1, 0.2])
X7 = np.linspace(0, 3, 7)
Y_RATERS = np.sin(2 * X7)[:, None] + 0.8 * np.cos(np.arange(210.0) ** 2).reshape(7, 30)
Y_RATERS[np.sin(np.arange(210.0)).reshape(7, 30) > 0.7] = NO
ITSELF = (
    "as if he had been asked before he was predicted",
    "Does a rater help to predict himself? His whole column has to go before the others are averaged.",
)
COLUMN = ("as if items had been left out", "Who is left out, an item or a rater? A rater is a column of Y.")
NOISE = (
    "as if his answer were the item's value, or a mean",
    "The item, or what he says about it? One answer has all of σ on top of what is not known of z.",
)
SCALE = (
    "as if a variance stood where a standard deviation belongs, or the other way round",
    "What unit has the scale of a Gaussian? Check that of each noise, too.",
)
ALONE = (
    "with something odd where nobody else has answered",
    "Nobody else has answered to this item: what does the average of no answers tell? The item must leave C, but not "
    "the prediction.",
)
EACH = (
    "as if his mean had been predicted",
    "The mean of the log densities, or the log density of his mean? Score every answer for itself.",
)
TERMS = (
    "with other terms of the log density",
    "Which terms has the log of one Gaussian density? Three: 2π, the variance, the square.",
)
DENSITIES = (
    "with densities averaged, not their logarithms",
    "The log of a mean, or the mean of logs? One answer that was impossible must be able to ruin the score.",
)
TOTAL = ("with the scores put together in another way", "A total, or a mean of his log densities, or a median?")
APART = (
    "as if every item stood alone",
    "Do answers to other items tell nothing about this one? K says how much, also where he or nobody has answered.",
)

RATERS_HAND = (array(-3.225858033869, -1.975858033869, -6.225858033869), 2)
RATERS_HOLES = (array(-1.115943084933, -2.297593675824, -1.431984264728), 1)
RATERS_LONELY = (array(-1.889903843646, -3.344218852639, -3.872125531159, -0.6729953657322), 2)
RATERS_FULL = (array(-1.139203423501, -0.9280418025204, -2.570957484739, -1.649171878295), 2)

raters = Task(
    name="raters",
    function="leave_one_rater_out",
    arguments=("K", "noise_std", "Y"),
    title="Task 6 · Each rater from the others",
    stars=3,
    minutes=40,
    points=7,
    cases=(
        Case(HAND, (array([6]), 2.0, array([2, 6, 10])), RATERS_HAND),
        Case(HOLES, (K_HOLES, 0.65, Y_HOLES), RATERS_HOLES),
        Case(LONELY, (smooth(X5, X5, 1.6, 0.8), 0.55, Y_LONELY), RATERS_LONELY),
        Case(FULL, (K_FULL, 0.7, Y_FULL), RATERS_FULL),
        Case(
            MANY_RATERS,
            (smooth(X7, X7, 1.2, 0.6), 0.7, Y_RATERS),
            (
                array(
                    -0.9860751746668,
                    -0.9982727664639,
                    -0.8639229922726,
                    -0.9700721526548,
                    -0.9593299664562,
                    -0.8136210518572,
                    -0.6874414700337,
                    -1.036235353973,
                    -0.857586485545,
                    -0.9228393063862,
                    -0.8406337299922,
                    -0.9947682935824,
                    -0.916524010866,
                    -0.9072147426622,
                    -0.9562849494447,
                    -0.7576147675132,
                    -0.6257365442595,
                    -0.987384116708,
                    -1.129397200493,
                    -0.9061235056953,
                    -0.8163696416723,
                    -0.9512820517848,
                    -0.836899231244,
                    -0.8169149074118,
                    -0.8687441470445,
                    -1.203103608824,
                    -0.9706342560012,
                    -0.7701096968731,
                    -0.9548173971396,
                    -0.9201988396768,
                ),
                25,
            ),
        ),
    ),
    mistakes=(
        Mistake(*ITSELF, on={HAND: (array(-2.563836, -1.84955, -4.278121), RATERS_HAND[1])}),
        Mistake(*MISSING, on={HAND: (array(-2.281368, -2.463186, -7.735913), RATERS_HAND[1])}),
        Mistake(*MISSING, on={HOLES: (array(-1.382013, -2.327733, -1.551218), RATERS_HOLES[1])}),
        Mistake(
            "as if one of the others had been asked",
            "Which raters are the others? All but one.",
            on={HAND: (array(-2.047088, -1.847088, -7.897088), RATERS_HAND[1])},
        ),
        Mistake(*COLUMN, on={FULL: (array(-2.519839, -1.093791, -3.589039, -2.607919), RATERS_FULL[1])}),
        Mistake(*COLUMN, when=lambda case, got: got[0].shape == case.inputs[2].shape[:1] != case.expected[0].shape),
        Mistake(*NOISE, on={HAND: (array(-6.455004, -1.871671, -17.455), RATERS_HAND[1])}),
        Mistake(
            *NOISE,
            on={
                HAND: (array(-3.831034, -1.866749, -8.54532), RATERS_HAND[1]),
                HOLES: (array(-1.076415, -2.940192, -1.524444), RATERS_HOLES[1]),
            },
        ),
        Mistake(
            "as if the others had told everything about the item",
            "Is the item's value known, once the others have answered? z has a variance left.",
            on={HAND: (array(-3.612086, -1.893336, -7.737086), RATERS_HAND[1])},
        ),
        Mistake(
            "as if standard deviations had been added",
            "Do standard deviations add up, or variances?",
            on={HAND: (array(-2.859099, -2.197976, -4.445793), RATERS_HAND[1])},
        ),
        Mistake(*SCALE, on={HAND: (array(-2.888149, -2.660877, -3.433604), RATERS_HAND[1])}),
        Mistake(
            *SCALE,
            on={
                HAND: (array(-3.831034, -1.866749, -8.54532), RATERS_HAND[1]),
                HOLES: (array(-1.171692, -2.015952, -1.419162), RATERS_HOLES[1]),
            },
        ),
        Mistake(*SCALE, on={HAND: (array(-5.572421, -1.572421, -9.000992), RATERS_HAND[1])}),
        Mistake(*LESS_NOISE, on={HAND: (array(-2.459588, -2.297088, -6.359588), RATERS_HAND[1])}),
        Mistake(
            "as if every item had the same number of answers",
            "How many answers of the others has this item? Without his, without NaN.",
            on={HOLES: (array(-1.135853, -2.29147, -1.74334), RATERS_HOLES[1])},
        ),
        Mistake(*ALONE, on={LONELY: (array(-1.806621, -3.344219, -3.713606, -0.6729954), RATERS_LONELY[1])}),
        Mistake(*ALONE, on={LONELY: (array(-2.623218, -3.344219, -2.433037, -0.6729954), 1)}),
        Mistake(*ALONE, when=lambda case, got: several_nan(got)),
        Mistake(*APART, on={HOLES: (array(-1.117657, -2.329792, -1.431984), RATERS_HOLES[1])}),
        Mistake(*APART, on={HOLES: (array(-1.100329, -2.328267, -1.528412), RATERS_HOLES[1])}),
        Mistake(
            "what averages of the others would give",
            "Where does K enter? A new answer is predicted by the model, and the prior has a say.",
            on={HAND: (array(-4.814818, -1.814818, -4.814818), 0)},
        ),
        Mistake(
            "as if nobody had answered",
            "What do the other raters tell about his items?",
            on={
                HAND: (array(-2.270231, -3.870231, -7.070231), RATERS_HAND[1]),
                HOLES: (array(-1.977331, -2.647116, -1.648986), RATERS_HOLES[1]),
            },
        ),
        Mistake(
            "as if his answers had been scored together",
            "All his answers together, or each for itself? Each is predicted on its own, from the others only.",
            on={HOLES: (array(-1.114306, -2.294581, -1.454554), RATERS_HOLES[1])},
        ),
        Mistake(*EACH, on={HOLES: (array(-0.9694522, -0.677269, -1.065769), 2)}),
        Mistake(*EACH, on={HOLES: (array(-0.9258535, -0.3339965, -0.784747), 0)}),
        Mistake(*TOTAL, on={HOLES: (array(-3.347829, -4.595187, -5.727937), 2)}),
        Mistake(*TOTAL, on={HOLES: (array(-0.7258808, -2.297594, -1.432573), RATERS_HOLES[1])}),
        Mistake(
            "as if he had answered to everything",
            "Over how many answers is his mean taken? Over those he gave.",
            on={HOLES: (array(-0.8369573, -1.148797, -1.431984), 2)},
        ),
        Mistake(*DENSITIES, on={HOLES: (array(-0.9782453, -2.287622, -1.42293), RATERS_HOLES[1])}),
        Mistake(*DENSITIES, on={HAND: (array(0.03972168, 0.1386423, 0.001977626), RATERS_HAND[1])}),
        Mistake(*TERMS, on={HAND: (array(-2.30692, -1.05692, -5.30692), RATERS_HAND[1])}),
        Mistake(*TERMS, on={HAND: (array(-2.373484, -1.123484, -5.373484), RATERS_HAND[1])}),
        Mistake(*TERMS, on={HAND: (array(-16, -2.25, -49), RATERS_HAND[1])}),
        Mistake(
            "with its sign turned",
            "Is it a cost or a log density? Who is predicted well has the larger one.",
            on={HAND: (array(3.225858, 1.975858, 6.225858), RATERS_HAND[1])},
        ),
        Mistake(
            "with the right scores, and another rater",
            "Who is surprising, the one with the highest log density, or the one with the lowest?",
            on={HAND: (RATERS_HAND[0], 1)},
        ),
        Mistake(
            "with the right scores, and the rater after",
            "From 0, or from 1? The first column is rater 0.",
            on={HAND: (RATERS_HAND[0], 3)},
        ),
    ),
    hints=(
        "A loop over the columns: np.delete(Y, r, axis=1) are the others. With their counts and means"
        " Task 3 predicts all items: posterior mean m and variance v of z at the items themselves, "
        "K_cross = K.",
        "An item whose R is now 0 has no mean, and σ²/0 is no noise. Leave it out of C: seen = R > 0,"
        " C = K[np.ix_(seen, seen)] + diag(σ²/R[seen]), K_cross = K[seen]. It is predicted all the "
        "same.",
        "His answers: log N(y | m, v + σ²) for each item that he has answered, and their mean. The "
        "least predictable rater has the lowest score: np.argmin.",
    ),
)

homework = Homework(pooled, evidence, answers, scores, nugget, raters)
check, hint, overview, waits_for = homework.check, homework.hint, homework.overview, homework.waits_for
