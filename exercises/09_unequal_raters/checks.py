"""The checks of homework 09: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_lib.homework import Case, Homework, Mistake, Task, near


def array(*values):
    """A vector of numbers, or a matrix of rows."""
    return np.array(values, dtype=float)


def whole(*values):
    """A vector of whole numbers."""
    return np.array(values, dtype=int)


def smooth(x, variance, lengthscale):
    """Covariances of a smooth function on a line: the squared exponential of the lecture."""
    steps = (x[:, None] - x[None, :]) / lengthscale
    return variance * np.exp(-(steps**2) / 2)


def has_nan(case, got):
    """Whether NaN came out where a number is right, in the first of several arrays."""
    return got[0].shape == case.expected[0].shape and bool(np.isnan(got[0]).any())


NAN = np.nan
HAND = "by hand"
GAPS = (
    "as if a missing answer were an answer",
    "What does a missing answer say? Nothing: it must not count, nor weigh.",
)
ZERO = ("as if the answer 0 were missing", "Is 0 an answer? NaN is a gap; 0 is a mark like any other.")
NAN_SPREADS = (
    "a NaN that began as a gap in Y",
    "One NaN in a sum makes the sum NaN. Which answers are there? ~np.isnan(…) tells.",
)
FROM_ONE = ("what another rater would give", "The first rater has the number 0. Whose column did you take?")

# --------------------------------------------------------------------------------------------------- 1 combine

NOISIEST = ("as if noise were a merit", "Whom do you trust more? The noisiest rater has the largest weight here.")
POWER = (
    "as if the weights had another power of σ",
    "How many answers of a rater with twice the noise are worth one of the other's? Four: think of the variance of a "
    "mean.",
)
EQUAL = (
    "as if all raters were equal",
    "Does every answer tell the same? An answer with less noise tells more.",
)
SHARES = (
    "as if the weights were not shares",
    "For each item, do the shares of those who did answer add up to 1? Let all answers be 10: the mean must be 10.",
)
SQUARE = (
    "with a square too many",
    "What unit has a variance, and what unit its root? A standard deviation is asked for.",
)
INVERSE = (
    "an uncertainty that grows with every answer",
    "Can a second answer make you less sure? Precisions add up, 1/σ̂² = Σ 1/σ_r². (A formula in the paper says "
    "otherwise; whose side does the by-hand case take?)",
)
TWO = (
    "with another standard deviation",
    "Two raters with σ = 2 each: how sure is their mean? Add the precisions 1/σ² of those who answered; the sum is "
    "that of the mean.",
)

ONE_ITEM, TABLE, WITH_ZEROS = "three raters, one item", "a table with gaps", "marks of 0"

combine = Task(
    name="combine",
    function="combine_raters",
    arguments=("Y", "noise_std"),
    title="Task 1 · Whom do you trust?",
    stars=1,
    minutes=15,
    points=3,
    cases=(
        Case(HAND, (array([50, 75], [NAN, 60]), array(3, 4)), (array(59, 60), array(2.4, 4))),
        Case(ONE_ITEM, (array([12, 15, 9]), array(0.5, 2, 1.5)), (array(11.87573964497), array(0.4615384615385))),
        Case(
            TABLE,
            (
                array([4, NAN, 7, NAN], [NAN, 2.5, NAN, NAN], [6, 5, NAN, 8], [3, 1, 2, 9], [-2, NAN, NAN, 4]),
                array(0.6, 1.5, 0.4, 2.5),
            ),
            (
                array(6.076923076923, 2.5, 5.96320630749, 2.358518860307, -1.673222390318),
                array(0.3328201177351, 1.5, 0.5437495751958, 0.3222083220396, 0.5834323811883),
            ),
        ),
        Case(
            WITH_ZEROS,
            (array([0, 2], [-1.5, 0], [0, NAN]), array(0.7, 0.3)),
            (array(1.689655172414, -0.2327586206897, 0), array(0.2757435090054, 0.2757435090054, 0.7)),
        ),
    ),
    mistakes=(
        Mistake(*NOISIEST, on={ONE_ITEM: (array(12.8077), array(0.461538))}),
        Mistake(*NOISIEST, on={ONE_ITEM: (array(12.375), array(0.461538))}),
        Mistake(*POWER, on={ONE_ITEM: (array(11.8421), array(0.461538))}),
        Mistake(*POWER, on={HAND: (array(61.6025, 60), array(2.4, 4))}),
        Mistake(*POWER, on={ONE_ITEM: (array(11.9751), array(0.461538))}),
        Mistake(*EQUAL, on={ONE_ITEM: (array(12), array(0.849837))}),
        Mistake(*EQUAL, on={ONE_ITEM: (array(12), array(0.461538))}),
        Mistake(
            "the best rater's answer alone",
            "Does the second best tell nothing? Less, but not nothing: what would two raters of the same noise do?",
            on={ONE_ITEM: (array(12), array(0.5))},
        ),
        Mistake(*GAPS, on={HAND: (array(59, 21.6), array(2.4, 2.4))}),
        Mistake(
            *GAPS,
            on={
                TABLE: (
                    array(6.04072, 2.5, 6.20337, 2.35852, 0.184681),
                    array(0.322208, 0.322208, 0.322208, 0.322208, 0.322208),
                )
            },
        ),
        Mistake(*NAN_SPREADS, when=has_nan),
        Mistake(*SHARES, on={HAND: (array(59, 21.6), array(2.4, 4))}),
        Mistake(*SHARES, on={ONE_ITEM: (array(55.75), array(0.461538))}),
        Mistake(*SHARES, on={ONE_ITEM: (array(18.5833), array(0.461538))}),
        Mistake(*ZERO, on={WITH_ZEROS: (array(2, -1.5, 0), array(0.3, 0.7, 1e150))}),
        Mistake(
            "one number for each rater",
            "One number for each item, or for each rater? Along which axis of Y do you add?",
            on={
                HAND: (array(50, 67.5), array(3, 2.82843)),
                ONE_ITEM: (array(12, 15, 9), array(0.5, 2, 1.5)),
                TABLE: (array(2.75, 2.83333, 4.5, 7), array(0.3, 0.866025, 0.282843, 1.44338)),
                WITH_ZEROS: (array(-0.5, 1), array(0.404145, 0.212132)),
            },
        ),
        Mistake(*SQUARE, on={ONE_ITEM: (array(11.8757), array(0.213018))}),
        Mistake(*INVERSE, on={ONE_ITEM: (array(11.8757), array(4.69444))}),
        Mistake(*INVERSE, on={ONE_ITEM: (array(11.8757), array(2.16667))}),
        Mistake(*INVERSE, on={ONE_ITEM: (array(261.715), array(2.16667))}),
        Mistake(*INVERSE, on={ONE_ITEM: (array(11.8757), array(2.54951))}),
        Mistake(*TWO, on={ONE_ITEM: (array(11.8757), array(0.849837))}),
        Mistake(*TWO, on={ONE_ITEM: (array(11.8757), array(1.33333))}),
        Mistake(*TWO, on={ONE_ITEM: (array(11.8757), array(0.674556))}),
        Mistake(*TWO, on={ONE_ITEM: (array(11.8757), array(0.5))}),
        Mistake(*TWO, on={ONE_ITEM: (array(11.8757), array(0.315789))}),
        Mistake(*TWO, on={ONE_ITEM: (array(11.8757), array(0.799408))}),
        Mistake(
            "as if everybody had answered",
            "How sure are you of an item that one rater answered? As sure as he is.",
            on={
                TABLE: (
                    array(6.07692, 2.5, 5.96321, 2.35852, -1.67322),
                    array(0.322208, 0.322208, 0.322208, 0.322208, 0.322208),
                )
            },
        ),
        Mistake(
            "how far the answers lie apart",
            "Is the noise known, or to be estimated? It is known; two answers that agree by chance are no surer.",
            on={ONE_ITEM: (array(11.8757), array(2.44949))},
        ),
        Mistake(
            "the right numbers in another order",
            "Which comes first, the mean or the standard deviation?",
            on={ONE_ITEM: (array(0.461538), array(11.8757))},
        ),
    ),
    hints=(
        "The weight of an answer is the precision of its rater, 1/σ². A missing answer has the weight 0.",
        "w = np.where(np.isnan(Y), 0, 1 / noise_std**2) has the shape of Y. The mean is the sum of w · Y over the "
        "raters, divided by the sum of w. (0 · NaN is NaN: np.nan_to_num(Y), or np.nansum.)",
        "The sum of w over an item's raters is the precision of their mean. Its standard deviation is one over the "
        "root of that.",
    ),
)

# ----------------------------------------------------------------------------------------------------- 2 slope

KNOWN = (
    "as if you knew z, or as if not knowing it changed something else",
    "Do you know where z is? E[(y − z)²] = (y − m)² + V: what is uncertain of z belongs to the square.",
)
DIAGONAL = (
    "as if something else stood for the variance of z",
    "What stands on the diagonal of a covariance? Variances; one for each item, in the unit of (y − m)².",
)
BY_LOG = (
    "as if another variable were moved",
    "How does log σ change when σ does? The slope is asked for by log σ: nothing is left of the unit of y.",
)
MINUS_ONE = (
    "as if the counterweight were another one",
    "Which term keeps the noise from growing? −1 for each answer, from the −log σ of its density.",
)
LABELLED = (
    "as if he had answered more than he did",
    "Which items did this rater answer? Only these know of his noise.",
)
NO_UNIT = ("with a unit", "What unit has the quotient? Squares over σ²: none.")
SQUARED = ("as if the distance were another one", "How far from the mean, in squares? (y − m)².")
TURNED = (
    "the right number with the wrong sign",
    "Uphill, or downhill? If the answers lie further off than σ says, a larger σ makes them more probable.",
)

FIVE, SOME, AT_ZERO = "five answers", "two of four", "answers of 0"

slope = Task(
    name="slope",
    function="noise_slope",
    arguments=("y", "mean", "covariance", "noise_std"),
    title="Task 2 · More noise, or less?",
    stars=2,
    minutes=25,
    points=4,
    cases=(
        Case(
            HAND,
            (array(9, NAN, 8), array(7, 5, 5), array([4, 1, 0.5], [1, 6, 2], [0.5, 2, 3]), 2.0),
            3.0,
        ),
        Case(
            FIVE,
            (
                array(-0.3, 1.2, 0.8, 2.6, -1.9),
                array(0.4, 0.9, 0.1, 1.5, -1.2),
                smooth(array(-1, 0.2, 0.5, 2, 3), 0.3, 0.8),
                1.7,
            ),
            -3.522491349481,
        ),
        Case(
            SOME,
            (
                array(NAN, 41, NAN, 66),
                array(55, 44, 47, 60),
                array([30, 9, 4, 1], [9, 12, 6, 2], [4, 6, 20, 3], [1, 2, 3, 8]),
                0.4,
            ),
            404.25,
        ),
        Case(
            AT_ZERO,
            (array(0, -0.6, 0), array(0.3, 0.2, -0.9), array([0.5, 0.1, 0.2], [0.1, 0.3, 0.1], [0.2, 0.1, 0.7]), 0.6),
            5.444444444444,
        ),
    ),
    mistakes=(
        Mistake(*KNOWN, on={HAND: 1.25}),
        Mistake(*KNOWN, on={HAND: -0.5}),
        Mistake(*KNOWN, on={HAND: -0.214286}),
        Mistake(
            "as if the variances were shared out among the answers",
            "How often does V_nn count? Once for each answer, whole.",
            on={HAND: 1.83333},
        ),
        Mistake(*DIAGONAL, on={HAND: 7.5}),
        Mistake(*DIAGONAL, on={HAND: 2.18301}),
        Mistake(*DIAGONAL, on={HAND: 7.59808}),
        Mistake(*DIAGONAL, on={SOME: 548.0}),
        Mistake(*DIAGONAL, on={HAND: 3.25}),
        Mistake(*DIAGONAL, on={HAND: 1.39583}),
        Mistake(
            "as if some variances belonged to other items",
            "Whose variance is it? Take y, mean and variances of the same items.",
            on={HAND: 3.75},
        ),
        Mistake(*BY_LOG, on={FIVE: -2.07205}),
        Mistake(*BY_LOG, on={HAND: 0.375}),
        Mistake(*BY_LOG, on={FIVE: -1.76125}),
        Mistake(*BY_LOG, on={FIVE: -7.04498}),
        Mistake(*BY_LOG, on={FIVE: -5.98824}),
        Mistake(*BY_LOG, on={HAND: 12.0}),
        Mistake(*MINUS_ONE, on={HAND: 5.0}),
        Mistake(*MINUS_ONE, on={FIVE: 0.477509}),
        Mistake(*MINUS_ONE, on={HAND: 7.0}),
        Mistake(*MINUS_ONE, on={HAND: 3.61371}),
        Mistake(*MINUS_ONE, on={FIVE: -7.02249}),
        Mistake(*TURNED, when=lambda case, got: near(got, -case.expected)),
        Mistake(*LABELLED, on={HAND: 3.5}),
        Mistake(*LABELLED, on={HAND: 2.0}),
        Mistake(*LABELLED, on={HAND: 9.75}),
        Mistake(*NAN_SPREADS, when=lambda case, got: np.isnan(got)),
        Mistake(*ZERO, on={AT_ZERO: 1.61111}),
        Mistake(*NO_UNIT, on={HAND: 8.0}),
        Mistake(*NO_UNIT, on={HAND: -0.75}),
        Mistake(*SQUARED, on={FIVE: -4.23875}),
        Mistake(*SQUARED, on={FIVE: -3.2699}),
        Mistake(*SQUARED, on={HAND: 36.0}),
        Mistake("the mean over the answers", "A sum, or a mean? Every answer pulls.", on={FIVE: -0.704498}),
        Mistake(
            "the noise at which the slope vanishes",
            "The slope, or the place where it is zero? That place comes in Task 5.",
            on={HAND: 3.16228},
        ),
    ),
    hints=(
        "If z were known: log N(y | z, σ²) = −log σ − (y − z)²/(2σ²) + const. Differentiate it by log σ.",
        "You get (y − z)²/σ² − 1. The slope of the evidence is what this is on average over the posterior of z.",
        "E[(y − z)²] = (y − m)² + V_nn. Sum over the items that he answered, with y, m and V_nn all cut to them.",
    ),
)

# ---------------------------------------------------------------------------------------------------- 3 mirror

MARGINALS = (
    "as if his answers were independent of each other",
    "If the others were wrong about one item, would they be right about its neighbour? His answers are predicted "
    "jointly: V has entries beside its diagonal.",
)
UNSURE = (
    "as if z were known, or not known at all",
    "Do you know z, or only what the others said of it? The posterior covariance V says how much is left open.",
)
HIS_NOISE = (
    "as if his own noise were no noise of single answers",
    "Would a straight rater hit z exactly? Each of his answers has noise of its own: σ_r² on the diagonal.",
)
SIGN = ("the right number with the wrong sign", "Which of the two is counted as positive? Straight over mirrored.")
LOGARITHM = (
    "another measure of the same thing",
    "A ratio of densities, or its logarithm? The natural one is asked for.",
)
MIDDLE = (
    "as if the mirror stood elsewhere",
    "Where is the mirror? At c, the mean of all answers of all others: every answer counts once.",
)
LEARNED = (
    "as if z had been learned otherwise",
    "From what is z learned? From the others' answers minus c, each with its rater's noise, and with K between all "
    "items.",
)
UNIT = ("as if a standard deviation stood where a variance belongs", "What unit has V? The noise has to have it too.")
WHOSE = (
    "as if the noises had changed their owners",
    "Whose noise is it? When his column is taken out of Y, his noise has to be taken out of noise_std.",
)
HALF = (
    "with another factor",
    "How often does the cross term stand in (y − m)² − (y + m)², and which ½ is before it?",
)

SMOOTH, GAPPY, LAST = "five items on a line", "many gaps", "the last rater"
X5 = array(-1, 0.2, 0.5, 2, 3)

mirror = Task(
    name="mirror",
    function="mirror_log_ratio",
    arguments=("K", "noise_std", "Y", "r"),
    title="Task 3 · The rater who turns the scale round",
    stars=2,
    minutes=35,
    points=6,
    cases=(
        Case(HAND, (array([20, 8], [8, 20]), array(3, 2), array([58, 60], [46, 40]), 0), 15.0),
        Case(
            SMOOTH,
            (
                smooth(X5, 2.5, 0.8),
                array(0.8, 0.5, 1.4),
                array([6.1, 4.6, 4.9], [4.2, 5.9, 3.1], [4.9, 5.6, 5.2], [7.3, 3.3, 6.4], [4.4, 5.5, 6.3]),
                1,
            ),
            -12.20763924975,
        ),
        Case(
            GAPPY,
            (
                smooth(X5, 90, 1.5),
                array(4, 9, 2.5, 6),
                array(
                    [52, NAN, 61, NAN], [NAN, 70, NAN, 48], [44, NAN, NAN, 39], [NAN, NAN, 30, NAN], [35, 28, 33, NAN]
                ),
                2,
            ),
            26.46250598142,
        ),
        Case(
            LAST,
            (
                smooth(array(0, 0.7, 1.1, 2.3), 0.6, 0.9),
                array(0.3, 1.2, 0.7, 0.5),
                array([0, 0.9, NAN, 1.1], [-0.4, NAN, 0.2, 0.3], [NAN, -1.1, -0.8, -0.5], [1.7, 1.2, NAN, NAN]),
                3,
            ),
            -0.131926652797,
        ),
    ),
    mistakes=(
        Mistake(*MARGINALS, on={HAND: 14.6939}),
        Mistake(*UNSURE, on={HAND: 20.0}),
        Mistake(*UNSURE, on={HAND: 8.57143}),
        Mistake(*HIS_NOISE, on={SMOOTH: -20.4943}),
        Mistake(*HIS_NOISE, on={SMOOTH: -20.2486}),
        Mistake(
            "as if he had had a say in what z is",
            "Who may speak about z, if you want to test him? Only the others: a liar who is heard moves the truth.",
            on={HAND: 15.0785},
        ),
        Mistake(
            "as if his answers had moved the mirror",
            "Whose answers tell where the middle is? Those of all others, not his.",
            on={HAND: 14.72},
        ),
        Mistake(*SIGN, when=lambda case, got: near(got, -case.expected)),
        Mistake(*LOGARITHM, on={HAND: 3.26902e06}),
        Mistake(*LOGARITHM, on={HAND: 6.51442}),
        Mistake(*LOGARITHM, on={HAND: 21.6404}),
        Mistake(*LOGARITHM, on={HAND: 1.0}),
        Mistake(
            "the log density under one of the two stories",
            "Against what? A density alone says nothing: how probable are his answers if he is mirrored?",
            on={HAND: -4.85069},
        ),
        Mistake(*MIDDLE, on={HAND: 743.0}),
        Mistake(*MIDDLE, on={SMOOTH: -12.2768}),
        Mistake(*MIDDLE, on={GAPPY: 27.2503}),
        Mistake(*MIDDLE, on={SMOOTH: -12.3896}),
        Mistake(*MIDDLE, on={HAND: 11.0}),
        Mistake(*LEARNED, on={HAND: 18.4615}),
        Mistake(*LEARNED, on={SMOOTH: -8.64779}),
        Mistake(*LEARNED, on={HAND: 16.2162}),
        Mistake(*UNIT, on={SMOOTH: -8.71837}),
        Mistake(*UNIT, on={HAND: 19.2}),
        Mistake(*WHOSE, on={HAND: 9.69697}),
        Mistake(*WHOSE, on={HAND: 25.7143}),
        Mistake(*WHOSE, on={HAND: 18.9474}),
        Mistake(
            "as if he had answered every item",
            "Which items did he answer? Cut m and V to these rows before you compare.",
            on={GAPPY: 12.7357},
        ),
        Mistake(
            "a NaN that began as a gap in his column",
            "One NaN in a vector makes its sum NaN. Which items did he answer?",
            when=lambda case, got: np.isnan(got),
        ),
        Mistake(
            "the mean over his answers",
            "For all his answers, or for one? All together are asked for.",
            on={SMOOTH: -2.44153},
        ),
        Mistake(*HALF, on={SMOOTH: -6.10382}),
        Mistake(*HALF, on={SMOOTH: -24.4153}),
        Mistake(
            "as if the mirror had turned the covariance too",
            "Does a mirror change how sure you are? −z has the covariance of z.",
            on={HAND: 14.4058},
        ),
        Mistake(
            "a correlation",
            "How probable, or how similar? A correlation does not know how many answers there are, nor how noisy.",
            when=lambda case, got: abs(got) <= 1 < abs(case.expected),
            on={HAND: 0.948683},
        ),
        Mistake(*FROM_ONE, on={SMOOTH: -9.47882}),
    ),
    hints=(
        "First forget him: c, then m and V of z − c from the others' answers minus c. Stack these answers: item i of "
        "answer a picks rows and columns of K, and C = K[item][:, item] + diag(σ²). m = K[:, item] C⁻¹ (y − c), "
        "V = K − K[:, item] C⁻¹ K[item].",
        "Now him: cut m and V to the items that he answered, S = V + σ_r² I. Straight says N(c + m, S), mirrored says "
        "N(c − m, S).",
        "The two densities have the same S. Write both exponents out: what is left of their difference is "
        "2 mᵀ S⁻¹ (y − c).",
    ),
)

# ----------------------------------------------------------------------------------------------------- 4 panel

MEAN_OF = (
    "as if a mean of answers had another variance",
    "What is the variance of a mean of R independent numbers? The sum of their variances, over R².",
)
MEMBERS = (
    "as if others sat on the panel",
    "Who sits on this panel? Their biases, their noises, their number: nobody else counts.",
)
BIAS = (
    "with another shift",
    "How much higher than z is the mean of their marks? By the mean of their biases.",
)
REGION = (
    "as if the noises were looked up elsewhere in the table",
    "Which index of noise_std is the region, and which the rater? And which region does item q lie in? regions[q].",
)
SHARED = (
    "as if two items shared the noise of their marks",
    "Do two marks of one rater share their noise? If not, it stands on the diagonal only.",
)
VALUE = (
    "as if z were another number for each rater",
    "What do all raters of one item share? Its value z: averaging does not make z any surer.",
)
UNIT_OF_COVARIANCE = (
    "with another unit",
    "What unit has an entry of a covariance? Points squared, and nothing else may be added to it.",
)

THREE, ALONE, SAME = "three of five raters", "one rater", "two items, four raters"

panel = Task(
    name="panel",
    function="panel_prediction",
    arguments=("mean", "covariance", "bias", "noise_std", "regions", "raters"),
    title="Task 4 · What will this panel say?",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case(
            HAND,
            (
                array(50, 60),
                array([9, 4], [4, 16]),
                array(3, -1, 5),
                array([2, 4, 6], [6, 8, 3]),
                whole(1, 0),
                [2, 0],
            ),
            (array(54, 64), array([20.25, 4], [4, 26])),
        ),
        Case(
            THREE,
            (
                array(4.1, 5.2, 3.3, 6.0),
                smooth(array(0, 0.4, 1.1, 1.5), 0.8, 0.7),
                array(0.5, -1.2, 0.9, 0.3, -0.4),
                array([0.4, 1.6, 0.7, 2.2, 0.3], [0.9, 0.6, 1.9, 0.5, 1.3], [1.1, 2.4, 0.8, 1.7, 0.6]),
                whole(2, 0, 0, 1),
                [4, 1, 2],
            ),
            (
                array(3.866666666667, 4.966666666667, 3.066666666667, 5.766666666667),
                array(
                    [1.551111111111, 0.6794926532547, 0.2327390456369, 0.08053511981832],
                    [0.6794926532547, 1.148888888889, 0.4852245277701, 0.2327390456369],
                    [0.2327390456369, 0.4852245277701, 1.148888888889, 0.6794926532547],
                    [0.08053511981832, 0.2327390456369, 0.6794926532547, 1.428888888889],
                ),
            ),
        ),
        Case(
            ALONE,
            (
                array(-1.5, 0.6, 0.2),
                array([0.5, -0.2, 0.1], [-0.2, 0.7, 0.3], [0.1, 0.3, 0.4]),
                array(-0.8, 1.7),
                array([0.3, 1.4], [2.1, 0.6]),
                whole(1, 1, 0),
                [0],
            ),
            (array(-2.3, -0.2, -0.6), array([4.91, -0.2, 0.1], [-0.2, 5.11, 0.3], [0.1, 0.3, 0.49])),
        ),
        Case(
            SAME,
            (
                array(71, 64),
                array([12, -5], [-5, 20]),
                array(-6, 2.5, 8, -3, 11),
                array([5, 12, 7, 9, 3]),
                whole(0, 0),
                [3, 0, 4, 1],
            ),
            (array(72.125, 65.125), array([28.1875, -5], [-5, 36.1875])),
        ),
    ),
    mistakes=(
        Mistake(*MEAN_OF, on={HAND: (array(54, 64), array([31.5, 4], [4, 36]))}),
        Mistake(*MEAN_OF, on={HAND: (array(54, 64), array([54, 4], [4, 56]))}),
        Mistake(*MEAN_OF, on={HAND: (array(54, 64), array([29.25, 4], [4, 32]))}),
        Mistake(*MEAN_OF, on={HAND: (array(54, 64), array([19.125, 4], [4, 24]))}),
        Mistake(*MEAN_OF, on={HAND: (array(54, 64), array([90, 4], [4, 80]))}),
        Mistake(*UNIT_OF_COVARIANCE, on={HAND: (array(54, 64), array([12.3541, 4], [4, 19.1623]))}),
        Mistake(*UNIT_OF_COVARIANCE, on={HAND: (array(54, 64), array([11.25, 4], [4, 18]))}),
        Mistake(
            "as if the panel's marks were weighted",
            "Are the marks weighted by trust, or simply averaged? A jury's mean mark is a plain mean.",
            on={HAND: (array(54, 64), array([16.2, 4], [4, 19.6]))},
        ),
        Mistake(*MEMBERS, on={HAND: (array(54, 64), array([14, 4], [4, 20.4444]))}),
        Mistake(*MEMBERS, on={HAND: (array(54, 64), array([21.1111, 4], [4, 22.2222]))}),
        Mistake(*MEMBERS, on={HAND: (array(52.3333, 62.3333), array([20.25, 4], [4, 26]))}),
        Mistake(*MEMBERS, on={HAND: (array(52.3333, 62.3333), array([21.1111, 4], [4, 22.2222]))}),
        Mistake(*MEMBERS, on={HAND: (array(51, 61), array([34, 4], [4, 21]))}),
        Mistake(*FROM_ONE, on={HAND: (array(52, 62), array([27.25, 4], [4, 29]))}),
        Mistake(*BIAS, on={HAND: (array(50, 60), array([20.25, 4], [4, 26]))}),
        Mistake(*BIAS, on={HAND: (array(46, 56), array([20.25, 4], [4, 26]))}),
        Mistake(*BIAS, on={HAND: (array(58, 68), array([20.25, 4], [4, 26]))}),
        Mistake(*BIAS, on={HAND: (array(52.6667, 62.6667), array([20.25, 4], [4, 26]))}),
        Mistake(*BIAS, on={SAME: (array(76.625, 69.625), array([28.1875, -5], [-5, 36.1875]))}),
        Mistake(
            "as if biases that differ made the mean unsure",
            "Is a known bias uncertain? It moves the mean, and that is all.",
            on={HAND: (array(54, 64), array([21.25, 5], [5, 27]))},
        ),
        Mistake(*REGION, on={HAND: (array(54, 64), array([29, 4], [4, 26]))}),
        Mistake(*REGION, on={HAND: (array(54, 64), array([20.25, 4], [4, 27.25]))}),
        Mistake(*REGION, on={HAND: (array(54, 64), array([19, 4], [4, 27.25]))}),
        Mistake(*REGION, on={HAND: (array(54, 64), array([19.625, 4], [4, 26.625]))}),
        Mistake(*SHARED, on={HAND: (array(54, 64), array([20.25, 14], [15.25, 26]))}),
        Mistake(
            *SHARED,
            on={ALONE: (array(-2.3, -0.2, -0.6), array([4.91, 4.21, 0.1], [4.21, 5.11, 0.3], [0.1, 0.3, 0.49]))},
        ),
        Mistake(*SHARED, on={HAND: (array(54, 64), array([20.25, 11.5], [11.5, 26]))}),
        Mistake(*VALUE, on={HAND: (array(54, 64), array([11.25, 0], [0, 10]))}),
        Mistake(*VALUE, on={HAND: (array(54, 64), array([15.75, 2], [2, 18]))}),
        Mistake(
            "the covariance of z",
            "Is the panel's mean mark z? Its members' noise is in it.",
            on={HAND: (array(54, 64), array([9, 4], [4, 16]))},
        ),
        Mistake(
            "as if the items had nothing to do with each other",
            "What stands beside the diagonal of the covariance of z? Keep it.",
            on={HAND: (array(54, 64), array([20.25, 0], [0, 26]))},
        ),
        Mistake(*UNIT_OF_COVARIANCE, on={HAND: (array(54, 64), array([4.5, 2], [2, 5.09902]))}),
        Mistake(*UNIT_OF_COVARIANCE, on={HAND: (array(54, 64), array([1, 0.174325], [0.174325, 1]))}),
    ),
    hints=(
        "The mean of the panel's marks for item q is z_q + mean of the biases + mean of the noises. Three terms: one "
        "is uncertain for all items together, one is known, one is new for every item.",
        "noise_std[regions][:, raters] has a row for each item and a column for each member. Square, add up along the "
        "row, divide by R².",
        "Add that to the diagonal: covariance + np.diag(…).",
    ),
)

# --------------------------------------------------------------------------------------------------- 5 regions

SQUARE_UNIT = (
    "as if variance were something else",
    "What unit has variance? That of (y − m)²: neither root nor square is needed.",
)
FROM_Z = (
    "as if the distance were another one",
    "How far from z, in squares? From the given mean of the item; no other mean is needed.",
)
DIVISOR = (
    "as if another number of answers had been given",
    "How many answers has this rater given in this region? Their mean square is asked for: nobody else's, not n − 1.",
)
ROOT = ("variances", "A variance, or a standard deviation? noise_std is what the name says.")
NOBODY = (
    "with a raw noise where there is no answer",
    "What do you know of a rater where he never answered? From the data nothing: NaN. 0 would mean: perfect.",
)
UNSEEN = (
    "without the level where there is no answer",
    "What is the best guess where there is no answer? Put m = 0 into the formula: what remains?",
)
GEOMETRIC = (
    "as if noises were averaged, and not their logarithms",
    "What lies in the middle between 2 and 8, if factors count? 4, not 5: average logarithms.",
)
LEVEL = (
    "with another level",
    "Which of the regions tells more about his level, and how much more? The raw log σ scatters round the level with "
    "variance s² + 1/(2m): the weights are one over that.",
)
WHOSE_LEVEL = (
    "as if the levels of several raters were one",
    "Towards whose level? Each rater has a level of his own, over his regions: down a column.",
)
DATA = (
    "as if the data were surer, or less sure",
    "How sure is log σ after m answers? Its variance is 1/(2m); the precision is one over that.",
)
PRIOR = (
    "as if the belief had another strength",
    "What is the precision of a belief with the spread s? s is a standard deviation.",
)
WEIGHTS = (
    "as if the two weights were others",
    "Many answers in a region: should they count more, or the level? Both, each with its precision.",
)
LOG = ("with a logarithm", "A noise, or its logarithm? Shrink logarithms, then go back.")

COLUMNS, STRONG, EMPTY = "two regions, three raters", "little spread", "regions without answers"
WIDE = array(
    [4.2, 5.1, NAN],
    [5.7, NAN, 3.6],
    [6.8, 6.1, 8.4],
    [2.9, 3.3, NAN],
    [0, 1.4, -2.2],
    [1.1, NAN, NAN],
    [3.9, 2.6, 7.0],
)

regions = Task(
    name="regions",
    function="noise_step",
    arguments=("Y", "mean", "variance", "regions", "spread"),
    title="Task 5 · A noise for each region, and few answers",
    stars=3,
    minutes=40,
    points=7,
    cases=(
        Case(
            HAND,
            (
                array([51, NAN], [55, 60], [79, NAN], [72, NAN]),
                array(50, 60, 70, 80),
                array(2, 4, 16, 1),
                whole(0, 0, 1, 1),
                0.5,
            ),
            (array([4, 2], [9, NAN]), array([4.898979485566, 2], [7.348469228350, 2])),
        ),
        Case(
            COLUMNS,
            (
                WIDE,
                array(4.6, 5.0, 6.5, 3.1, 0.4, 1.8, 3.3),
                array(0.3, 0.2, 0.5, 0.6, 0.15, 0.4, 0.25),
                whole(1, 0, 0, 1, 1, 0, 1),
                0.4,
            ),
            (
                array(
                    [0.8504900548115, 0.8124038404636, 1.770593120963],
                    [0.7106335201776, 0.8774964387392, 3.228776858193],
                ),
                array(
                    [0.8098590068071, 0.8462189735773, 2.126509500008],
                    [0.7372088774287, 0.8685956796221, 2.688372703822],
                ),
            ),
        ),
        Case(
            STRONG,
            (WIDE[:5], array(4.6, 5.0, 6.5, 3.1, 0.4), array(0.3, 0.2, 0.5, 0.6, 0.15), whole(1, 1, 0, 1, 0), 0.15),
            (
                array(
                    [0.6708203932499, 0.951314879522, 2.347338918861],
                    [0.7724420150838, 0.7713624310271, 1.46969384567],
                ),
                array(
                    [0.724067980038, 0.8640740922284, 2.025954077579],
                    [0.7340920110787, 0.8492426340986, 1.972964543385],
                ),
            ),
        ),
        Case(
            EMPTY,
            (
                array([7, NAN, 2, NAN], [NAN, 3, 6, NAN], [9, 4, NAN, 5], [12, NAN, NAN, 0], [NAN, 1, NAN, NAN]),
                array(6, 4.5, 7, 8, 3),
                array(0.7, 1.6, 0.4, 1.2, 0.9),
                whole(2, 0, 2, 1, 0),
                1.3,
            ),
            (
                array(
                    [NAN, 2.091650066335, 1.962141687035, NAN],
                    [4.147288270666, NAN, NAN, 8.074651695275],
                    [1.746424919657, 3.065941943351, 4.086563348341, 2.09761769634],
                ),
                array(
                    [2.621733840877, 2.140631878101, 2.133552870533, 4.115523330974],
                    [3.734997683516, 2.503225635542, 2.83168082638, 6.923052162208],
                    [1.840292528891, 2.927237815404, 3.758245887989, 2.446541191796],
                ),
            ),
        ),
    ),
    mistakes=(
        Mistake(*KNOWN, on={HAND: (array([3.60555, 0], [8.51469, NAN]), array([4.46962, 0], [6.86862, 0]))}),
        Mistake(*KNOWN, on={HAND: (array([3.24114, 0.1], [8, NAN]), array([4.06252, 0.1], [6.38252, 0.1]))}),
        Mistake(*SQUARE_UNIT, on={HAND: (array([4.79583, 4], [14.1774, NAN]), array([6.28851, 4], [10.8122, 4]))}),
        Mistake(
            *SQUARE_UNIT,
            on={HAND: (array([3.83498, 1.41421], [8.66025, NAN]), array([4.70116, 1.41421], [7.06462, 1.41421]))},
        ),
        Mistake(*SQUARE_UNIT, on={HAND: (array([5.23586, 2], [11.1803, NAN]), array([6.32929, 2], [9.24886, 2]))}),
        Mistake(*FROM_Z, on={HAND: (array([2.44949, 2], [4.12311, NAN]), array([2.79006, 2], [3.61982, 2]))}),
        Mistake(
            *FROM_Z,
            on={HAND: (array([2.47487, 3.20156], [2.91548, NAN]), array([2.57835, 3.20156], [2.79847, 3.20156]))},
        ),
        Mistake(*FROM_Z, on={HAND: (array([3.4641, 2], [8.9861, NAN]), array([4.39628, 2], [7.0807, 2]))}),
        Mistake(*DIVISOR, on={HAND: (array([4, 1.41421], [9, NAN]), array([4.89898, 1.41421], [7.34847, 1.41421]))}),
        Mistake(
            *DIVISOR,
            on={
                COLUMNS: (
                    array([1.04163, 0.812404, 2.504], [0.820569, 1.01325, 4.56618]),
                    array([0.976081, 0.913136, 3.00734], [0.861562, 0.984065, 3.80193]),
                )
            },
        ),
        Mistake(*DIVISOR, on={HAND: (array([3.26599, 1.41421], [7.34847, NAN]), array([4, 1.41421], [6, 1.41421]))}),
        Mistake(
            *DIVISOR,
            on={
                COLUMNS: (
                    array([1.47309, 0.812404, 2.504], [1.42127, 1.75499, 4.56618]),
                    array([1.45879, 1.22112, 3.00734], [1.43171, 1.585, 3.80193]),
                )
            },
        ),
        Mistake(
            *DIVISOR,
            on={
                COLUMNS: (
                    array([0.830662, 0.812404, 1.77059], [0.731437, 0.830662, 3.22878]),
                    array([0.802363, 0.822014, 2.12651], [0.750701, 0.828224, 2.68837]),
                )
            },
        ),
        Mistake(*DIVISOR, on={HAND: (array([3.55861, 2], [8.95556, NAN]), array([4.48212, 2], [7.11033, 2]))}),
        Mistake(*ROOT, on={HAND: (array([16, 4], [81, NAN]), array([24, 4], [54, 4]))}),
        Mistake(*ROOT, on={HAND: (array([16, 4], [81, NAN]), array([4.89898, 2], [7.34847, 2]))}),
        Mistake(
            "a table that lies on its side",
            "One row for each region, one column for each rater: which index comes first?",
            on={
                HAND: (array([4, 9], [2, NAN]), array([4.89898, 7.34847], [2, 2])),
                COLUMNS: (
                    array([0.85049, 0.710634], [0.812404, 0.877496], [1.77059, 3.22878]),
                    array([0.809859, 0.737209], [0.846219, 0.868596], [2.12651, 2.68837]),
                ),
                STRONG: (
                    array([0.67082, 0.772442], [0.951315, 0.771362], [2.34734, 1.46969]),
                    array([0.724068, 0.734092], [0.864074, 0.849243], [2.02595, 1.97296]),
                ),
                EMPTY: (
                    array(
                        [NAN, 4.14729, 1.74642],
                        [2.09165, NAN, 3.06594],
                        [1.96214, NAN, 4.08656],
                        [NAN, 8.07465, 2.09762],
                    ),
                    array(
                        [2.62173, 3.735, 1.84029],
                        [2.14063, 2.50323, 2.92724],
                        [2.13355, 2.83168, 3.75825],
                        [4.11552, 6.92305, 2.44654],
                    ),
                ),
            },
        ),
        Mistake(*GAPS, on={HAND: (array([4, 1.73205], [9, 2.91548]), array([4.89898, 1.97287], [7.34847, 2.5596]))}),
        Mistake(*GAPS, on={HAND: (array([4, 35.3977], [9, 75.223]), array([4.89898, 42.7385], [7.34847, 62.3027]))}),
        Mistake(
            "a NaN that began as a gap in Y",
            "One NaN in a mean makes the mean NaN. Which answers are there?",
            on={HAND: (array([4, NAN], [9, NAN]), array([4.89898, NAN], [7.34847, NAN]))},
        ),
        Mistake(*NOBODY, on={HAND: (array([4, 2], [9, 0]), array([4.89898, 2], [7.34847, 2]))}),
        Mistake(*NOBODY, on={HAND: (array([4, 2], [9, 2]), array([4.89898, 2], [7.34847, 2]))}),
        Mistake(*UNSEEN, on={HAND: (array([4, 2], [9, NAN]), array([4.89898, 2], [7.34847, NAN]))}),
        Mistake(*UNSEEN, on={HAND: (array([4, 2], [9, NAN]), array([4.89898, 2], [7.34847, 0]))}),
        Mistake(*UNSEEN, on={HAND: (array([4, 2], [9, NAN]), array([4.89898, 2], [7.34847, 1]))}),
        Mistake(*GEOMETRIC, on={HAND: (array([4, 2], [9, NAN]), array([5.25, 2], [7.75, 2]))}),
        Mistake(*GEOMETRIC, on={HAND: (array([4, 2], [9, NAN]), array([5.09902, 2], [7.64853, 2]))}),
        Mistake(*GEOMETRIC, on={HAND: (array([4, 2], [9, NAN]), array([5.27795, 2], [7.91693, 2]))}),
        Mistake(
            *LEVEL,
            on={
                COLUMNS: (
                    array([0.85049, 0.812404, 1.77059], [0.710634, 0.877496, 3.22878]),
                    array([0.812391, 0.836472, 2.12651], [0.73919, 0.862789, 2.68837]),
                )
            },
        ),
        Mistake(
            *LEVEL,
            on={
                COLUMNS: (
                    array([0.85049, 0.812404, 1.77059], [0.710634, 0.877496, 3.22878]),
                    array([0.80709, 0.851253, 2.12651], [0.735041, 0.871584, 2.68837]),
                )
            },
        ),
        Mistake(
            *LEVEL,
            on={
                COLUMNS: (
                    array([0.85049, 0.812404, 1.77059], [0.710634, 0.877496, 3.22878]),
                    array([0.814932, 0.826837, 2.12651], [0.741177, 0.857022, 2.68837]),
                )
            },
        ),
        Mistake(
            *LEVEL,
            on={
                STRONG: (
                    array([0.67082, 0.951315, 2.34734], [0.772442, 0.771362, 1.46969]),
                    array([0.719887, 0.864074, 1.9604], [0.73002, 0.849243, 1.90642]),
                )
            },
        ),
        Mistake(
            *LEVEL,
            on={
                STRONG: (
                    array([0.67082, 0.951315, 2.34734], [0.772442, 0.771362, 1.46969]),
                    array([0.717064, 0.864074, 1.90796], [0.727271, 0.849243, 1.85327]),
                )
            },
        ),
        Mistake(*WHOSE_LEVEL, on={HAND: (array([4, 2], [9, NAN]), array([4.27037, 3.4641], [6.40555, 4.55901]))}),
        Mistake(*WHOSE_LEVEL, on={HAND: (array([4, 2], [9, NAN]), array([3.4822, 2.63902], [9, 9]))}),
        Mistake(
            *DATA,
            on={
                COLUMNS: (
                    array([0.85049, 0.812404, 1.77059], [0.710634, 0.877496, 3.22878]),
                    array([0.797103, 0.850992, 2.22306], [0.747847, 0.865147, 2.57161]),
                )
            },
        ),
        Mistake(
            *DATA,
            on={
                COLUMNS: (
                    array([0.85049, 0.812404, 1.77059], [0.710634, 0.877496, 3.22878]),
                    array([0.822998, 0.839512, 2.01994], [0.727541, 0.871786, 2.83021]),
                )
            },
        ),
        Mistake(
            *DATA,
            on={
                COLUMNS: (
                    array([0.85049, 0.812404, 1.77059], [0.710634, 0.877496, 3.22878]),
                    array([0.80216, 0.857334, 2.22306], [0.741641, 0.867151, 2.57161]),
                )
            },
        ),
        Mistake(
            *DATA,
            on={
                COLUMNS: (
                    array([0.85049, 0.812404, 1.77059], [0.710634, 0.877496, 3.22878]),
                    array([0.793839, 0.848861, 2.22306], [0.75279, 0.863566, 2.57161]),
                )
            },
        ),
        Mistake(*DATA, on={HAND: (array([4, 2], [9, NAN]), array([5.85859, 2], [6.14483, 2]))}),
        Mistake(
            *DATA,
            on={
                COLUMNS: (
                    array([0.85049, 0.812404, 1.77059], [0.710634, 0.877496, 3.22878]),
                    array([0.812857, 0.837066, 2.12651], [0.739254, 0.866237, 2.68837]),
                )
            },
        ),
        Mistake(
            *PRIOR,
            on={
                COLUMNS: (
                    array([0.85049, 0.812404, 1.77059], [0.710634, 0.877496, 3.22878]),
                    array([0.826825, 0.837066, 1.98745], [0.724939, 0.872653, 2.87648]),
                )
            },
        ),
        Mistake(*PRIOR, on={HAND: (array([4, 2], [9, NAN]), array([4.18433, 2], [8.60353, 2]))}),
        Mistake(*PRIOR, on={HAND: (array([4, 2], [9, NAN]), array([4.09655, 2], [8.78788, 2]))}),
        Mistake(
            *WEIGHTS,
            on={
                COLUMNS: (
                    array([0.85049, 0.812404, 1.77059], [0.710634, 0.877496, 3.22878]),
                    array([0.811446, 0.823075, 1.99081], [0.744826, 0.86612, 2.87162]),
                )
            },
        ),
        Mistake(
            *WEIGHTS,
            on={
                COLUMNS: (
                    array([0.85049, 0.812404, 1.77059], [0.710634, 0.877496, 3.22878]),
                    array([0.810652, 0.834567, 2.05754], [0.741008, 0.867357, 2.77849]),
                )
            },
        ),
        Mistake(*WEIGHTS, on={HAND: (array([4, 2], [9, NAN]), array([4, 2], [9, 2]))}),
        Mistake(*WEIGHTS, on={HAND: (array([4, 2], [9, NAN]), array([6, 2], [6, 2]))}),
        Mistake(*LOG, on={HAND: (array([4, 2], [9, NAN]), array([1.58903, 0.693147], [1.99449, 0.693147]))}),
        Mistake(
            "the right tables in another order",
            "Which comes first, the raw noises or the shrunk ones?",
            on={HAND: (array([4.89898, 2], [7.34847, 2]), array([4, 2], [9, NAN]))},
        ),
        Mistake(
            "as if all raters of a region were one",
            "One noise for all raters of a region, or one for each of them?",
            on={HAND: (array([3.4641, 3.4641], [9, 9]), array([4.89898, 2], [7.34847, 2]))},
        ),
    ),
    hints=(
        "Loop over regions and raters: cell = (regions == k) & ~np.isnan(Y[:, r]). With m = cell.sum() answers, raw² "
        "is the mean of (y − mean)² + variance there, and NaN if m = 0.",
        "For one rater, over the regions where m > 0: weights w = 1/(s² + 1/(2m)), level = Σ w log raw / Σ w.",
        "Precision of the data 2m, of the belief 1/s²: log shrunk = (2m log raw + level/s²)/(2m + 1/s²). Where m = 0 "
        "the first term must be 0, and 0 · NaN is not: put the level there yourself.",
    ),
)

# ------------------------------------------------------------------------------------------------------ 6 bias

SAME_ITEMS = (
    "what plain means would say",
    "Did all raters see the same items? Whoever saw only good ones has a high mean and need not be generous.",
)
SHARE_Z = (
    "as if answers had less to do with each other",
    "Do two answers to one item share its value? In C they have the covariance K of their items, whoever gave them.",
)
NOISE = (
    "as if the noise were missing, or stood beside the diagonal",
    "Where is the noise of an answer? On the diagonal of C, its rater's σ², for each answer its own.",
)
WEIGHTED = (
    "as if C⁻¹ stood elsewhere",
    "In which place stands C⁻¹? (BᵀC⁻¹B)⁻¹ BᵀC⁻¹y: twice, and it is the inverse.",
)
TOGETHER = (
    "as if the errors of two biases had nothing to do with each other",
    "Are two biases that were learned from the same items independent? var(a − b) = var a + var b − 2 cov(a, b).",
)
NOT_ROOTED = ("a variance", "A variance, or a standard error? What unit has it?")
PAIRS = (
    "not the errors of differences",
    "The error of one bias, or of a difference? And what is the error of b_r − b_r?",
)

TWO_ITEMS, FULL, LINKED, WIDE_TABLE = (
    "two items, one gap",
    "a full table",
    "no item in common",
    "six items, four raters",
)

bias = Task(
    name="bias",
    function="rater_biases",
    arguments=("K", "noise_std", "Y"),
    title="Task 6 · Who marks high?",
    stars=3,
    minutes=40,
    points=7,
    cases=(
        Case(HAND, (array([20]), array(3, 4), array([50, 75])), (array(50, 75), array([0, 5], [5, 0]))),
        Case(
            TWO_ITEMS,
            (array([20, 8], [8, 20]), array(3, 2), array([58, NAN], [46, 40])),
            (array(52, 43.42857142857), array([0, 3.327375628243], [3.327375628243, 0])),
        ),
        Case(
            FULL,
            (
                smooth(array(0, 0.7, 1.6), 1.4, 0.9),
                array(0.5, 1.2, 0.8),
                array([3.1, 4.4, 0.6], [2.2, 5.9, 1.3], [4.0, 3.7, 2.5]),
            ),
            (
                array(3.359756333774, 4.926423000441, 1.726423000441),
                array(
                    [0, 0.7505553499465, 0.5446711546123],
                    [0.7505553499465, 0, 0.8326663997865],
                    [0.5446711546123, 0.8326663997865, 0],
                ),
            ),
        ),
        Case(
            LINKED,
            (
                smooth(array(0, 0.3, 0.5, 0.8), 30, 1.1),
                array(1.5, 2.5),
                array([61, NAN], [NAN, 48], [66, NAN], [NAN, 55]),
            ),
            (array(64.42008452628, 50.40771139561), array([0, 2.227107632593], [2.227107632593, 0])),
        ),
        Case(
            WIDE_TABLE,
            (
                smooth(array(0, 0.4, 1.1, 1.5, 2.6, 3.0), 2.2, 0.7),
                array(0.6, 1.7, 0.9, 0.4),
                array(
                    [0, NAN, 2.6, NAN],
                    [1.3, 4.1, NAN, -0.8],
                    [NAN, NAN, 3.9, 0.4],
                    [NAN, 2.2, 1.5, NAN],
                    [-1.4, NAN, NAN, NAN],
                    [NAN, 5.3, NAN, 1.9],
                ),
            ),
            (
                array(0.6025592794589, 3.874889928845, 3.173353866525, 0.1647729808566),
                array(
                    [0, 1.080461442627, 0.7071021618143, 0.5309719873171],
                    [1.080461442627, 0, 1.132976917417, 1.024104631853],
                    [0.7071021618143, 1.132976917417, 0, 0.6593557033976],
                    [0.5309719873171, 1.024104631853, 0.6593557033976, 0],
                ),
            ),
        ),
    ),
    mistakes=(
        Mistake(*SAME_ITEMS, on={TWO_ITEMS: (array(52, 40), array([0, 3.32738], [3.32738, 0]))}),
        Mistake(*SAME_ITEMS, on={TWO_ITEMS: (array(52, 40), array([0, 2.91548], [2.91548, 0]))}),
        Mistake(*SAME_ITEMS, on={TWO_ITEMS: (array(1.5, -3), array([0, 3.32738], [3.32738, 0]))}),
        Mistake(
            "as if every rater had another z",
            "Have all raters one z, or each his own? The answers of two raters to one item have the covariance K_nn.",
            on={TWO_ITEMS: (array(52, 40), array([0, 6.5192], [6.5192, 0]))},
        ),
        Mistake(
            "as if nothing were known of z",
            "How much can z vary? K says so, and it makes biases comparable even between raters without common items.",
            on={TWO_ITEMS: (array(58, 52), array([0, 3.32738], [3.32738, 0]))},
        ),
        Mistake(*SHARE_Z, on={TWO_ITEMS: (array(52, 40), array([0, 6.20484], [6.20484, 0]))}),
        Mistake(
            "as if only answers to the same item belonged together",
            "Do neighbours tell of each other? All of K is needed, not its diagonal.",
            on={TWO_ITEMS: (array(52, 44.1379), array([0, 3.40638], [3.40638, 0]))},
        ),
        Mistake(*NOISE, on={HAND: (array(50, 75), array([0, 0.00632456], [0.00632456, 0]))}),
        Mistake(*NOISE, on={HAND: (array(50, 75), array([0, 0], [2.64575, 0]))}),
        Mistake(*NOISE, on={TWO_ITEMS: (array(52, 46), array([0, 3.60555], [3.60555, 0]))}),
        Mistake(
            "as if all raters had one noise",
            "Whose noise is it? noise_std[rater of the answer].",
            on={TWO_ITEMS: (array(52, 43.8919), array([0, 3.44356], [3.44356, 0]))},
        ),
        Mistake(
            "as if a standard deviation stood where a variance belongs",
            "What unit has K? The noise has to have it too.",
            on={HAND: (array(50, 75), array([0, 2.64575], [2.64575, 0]))},
        ),
        Mistake(
            "as if a precision stood where a variance belongs",
            "What unit has K? C is a covariance: the noisier an answer, the larger its diagonal.",
            on={HAND: (array(50, 75), array([0, 0.416667], [0.416667, 0]))},
        ),
        Mistake(*WEIGHTED, on={TWO_ITEMS: (array(54.0323, 34.629), array([0, 0.394008], [0.394008, 0]))}),
        Mistake(*WEIGHTED, on={HAND: (array(0.465839, 1.82453), array([0, 5], [5, 0]))}),
        Mistake(*WEIGHTED, on={HAND: (array(8.33333, 40.5172), array([0, 5], [5, 0]))}),
        Mistake(*TOGETHER, on={HAND: (array(50, 75), array([0, 11.3852], [11.3852, 0]))}),
        Mistake(*TOGETHER, on={TWO_ITEMS: (array(52, 43.4286), array([0, 6.25071], [6.25071, 0]))}),
        Mistake(*TOGETHER, on={HAND: (array(50, 75), array([10.7703, 10.247], [10.247, 12]))}),
        Mistake(*TOGETHER, on={HAND: (array(50, 75), array([0, 6.7082], [6.7082, 0]))}),
        Mistake(*TOGETHER, on={HAND: (array(50, 75), array([0, 0.614835], [0.614835, 0]))}),
        Mistake(*TOGETHER, on={HAND: (array(50, 75), array([0, 6.33212], [6.33212, 0]))}),
        Mistake(
            "errors that know of the noise only",
            "Did both raters see the same items? If not, the items' values differ too: the error needs C, not D.",
            on={TWO_ITEMS: (array(52, 43.4286), array([0, 2.91548], [2.91548, 0]))},
        ),
        Mistake(*NOT_ROOTED, on={HAND: (array(50, 75), array([0, 25], [25, 0]))}),
        Mistake(*PAIRS, on={HAND: (array(50, 75), array([29, 20], [20, 36]))}),
        Mistake(
            "an error that grows with knowledge",
            "Is more knowledge more variance? BᵀC⁻¹B is the information; the covariance is its inverse.",
            on={TWO_ITEMS: (array(52, 43.4286), array([0, 0.602818], [0.602818, 0]))},
        ),
        Mistake(
            "errors without a unit",
            "In which unit do you measure y? (BᵀB)⁻¹ knows only how many answers there are.",
            on={HAND: (array(50, 75), array([0, 1.41421], [1.41421, 0]))},
        ),
        Mistake(*GAPS, on={TWO_ITEMS: (array(52, 20), array([0, 2.54951], [2.54951, 0]))}),
        Mistake(
            "as if answers and rows of C were in different orders",
            "Is the third answer of y the third row of C? Take item, rater and y from one np.nonzero.",
            on={LINKED: (array(53.5924, 64.0934), array([0, 2.22711], [2.22711, 0]))},
        ),
        Mistake(
            "biases that are drawn towards 0",
            "Is anything known of a bias beforehand? Here not: no prior, nothing added to BᵀC⁻¹B.",
            on={HAND: (array(30.9146, 50.6008), array([0, 4.70055], [4.70055, 0]))},
        ),
        Mistake(
            "biases that were shifted",
            "Which mean shall the biases have? None in particular: z has the prior mean 0, and that fixes them.",
            on={TWO_ITEMS: (array(4.28571, -4.28571), array([0, 3.32738], [3.32738, 0]))},
        ),
        Mistake(
            "biases that were shifted",
            "Which mean shall the biases have? None in particular; nobody is the zero of the others.",
            on={HAND: (array(0, 25), array([0, 5], [5, 0]))},
        ),
        Mistake(
            "the right numbers with the wrong sign",
            "Who marks high has a positive bias, doesn't he? y = z + b + noise.",
            when=lambda case, got: near(got[0], -case.expected[0]),
        ),
    ),
    hints=(
        "np.nonzero of ~np.isnan(Y) gives two vectors, item and rater of each answer; Y at these places is y. Then "
        "C = K[np.ix_(item, item)] + np.diag(noise_std[rater]**2), and B = np.eye(R)[rater] has a 1 in the column of "
        "the answer's rater.",
        "X = np.linalg.solve(C, B) is C⁻¹B. The information is BᵀX (R × R), the biases solve information · b = Xᵀy.",
        "The inverse M of the information is the covariance of the biases. Between r and s: M_rr + M_ss − 2 M_rs, and "
        "then the root. With v = np.diag(M): v[:, None] + v − 2 M for all pairs at once.",
    ),
)

homework = Homework(combine, slope, mirror, panel, regions, bias)
check, hint, overview, waits_for = homework.check, homework.hint, homework.overview, homework.waits_for
