"""The checks of homework 09: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, near, times, whole


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


def middle(Y, r):
    """The mean of all answers but those of rater r."""
    return np.nanmean(np.delete(Y, r, axis=1))


def mirrored(Y, r):
    """The answers with those of rater r mirrored at the mean of all answers of the others."""
    turned = Y.copy()
    turned[:, r] = 2 * middle(Y, r) - Y[:, r]
    return turned


def with_middle(Y, r):
    """The answers, and those of one more rater, who marks this mean everywhere."""
    return np.column_stack([Y, np.full(len(Y), middle(Y, r))])


def of_others(bias, noise_std, raters):
    """Biases and noises in which those of raters who are not on the panel are other ones."""
    out = ~np.isin(np.arange(len(bias)), raters)
    return bias + 9 * out, noise_std * (1 + out)


# --------------------------------------------------------------------------------------------------- 1 combine


ONE_ITEM, TABLE, WITH_ZEROS = "three raters, one item", "a table with gaps", "marks of 0"


def with_gaps(rng, Y, fraction=0.4):
    """Answers of which some are taken away; each rater keeps one."""
    gone = rng.random(Y.shape) < fraction
    gone[rng.integers(len(Y), size=Y.shape[1]), np.arange(Y.shape[1])] = False
    return np.where(gone, NAN, Y)


def draw_combine(rng, k):
    """Whole and other marks, 0 among them, of 1 to 7 raters; every item has an answer."""
    n, R = (4, 1, 3, 6, 2)[k % 5], (3, 2, 5, 4, 7)[k % 5]
    Y = with_gaps(rng, rng.normal(1, 3, (R, n)).round(k % 2)).T
    return Y, rng.uniform(0.3, 3, R)


combine = Task(
    name="combine",
    function="combine_raters",
    arguments=("Y", "noise_std"),
    title="Task 1 · Whom do you trust?",
    stars=1,
    minutes=15,
    points=3,
    draw=draw_combine,
    cases=(
        Case(HAND, (array([50, 75], [NAN, 60]), array(3, 4)), (array(59, 60), array(2.4, 4))),
        Case(ONE_ITEM, (array([12, 15, 9]), array(0.5, 2, 1.5))),
        Case(
            TABLE,
            (
                array([4, NAN, 7, NAN], [NAN, 2.5, NAN, NAN], [6, 5, NAN, 8], [3, 1, 2, 9], [-2, NAN, NAN, 4]),
                array(0.6, 1.5, 0.4, 2.5),
            ),
        ),
        Case(WITH_ZEROS, (array([0, 2], [-1.5, 0]), array(0.7, 0.3))),
    ),
    mistakes=(
        Mistake(
            "as if noise were a merit",
            "Whom do you trust more? The noisiest rater has the largest weight here.",
            wrong_functions=("weights σ²", "weights σ"),
        ),
        Mistake(
            "as if the weights had another power of σ",
            "How many answers of a rater with twice the noise are worth one of the other's? Four: think of the "
            "variance of a mean.",
            wrong_functions=("weights 1/σ", "weights 1/√σ", "weights 1/σ⁴"),
        ),
        Mistake(
            "as if all raters were equal",
            "Does every answer tell the same? An answer with less noise tells more.",
            wrong_functions=("plain mean", "plain mean, right spread"),
        ),
        Mistake(
            "the best rater's answer alone",
            "Does the second best tell nothing? Less, but not nothing: what would two raters of the same noise do?",
            wrong_functions=("the best rater alone",),
        ),
        Mistake(*GAPS, wrong_functions=("a gap is 0", "a gap is the item's mean")),
        Mistake(*NAN_SPREADS, when=has_nan),
        Mistake(
            "as if the weights were not shares",
            "For each item, do the shares of those who did answer add up to 1? Let all answers be 10: the mean must "
            "be 10.",
            wrong_functions=("weights of the absent stay", "sum, not divided", "divided by the number of answers"),
        ),
        Mistake(*ZERO, wrong_functions=("zeros are gaps",)),
        Mistake(
            "one number for each rater",
            "One number for each item, or for each rater? Along which axis of Y do you add?",
            wrong_functions=("over the items",),
        ),
        Mistake(
            "with a square too many",
            "What unit has a variance, and what unit its root? A standard deviation is asked for.",
            wrong_functions=("variance",),
        ),
        Mistake(
            "an uncertainty that grows with every answer",
            "Can a second answer make you less sure? Precisions add up, 1/σ̂² = Σ 1/σ_r². (A formula in the paper "
            "says otherwise; whose side does the by-hand case take?)",
            wrong_functions=("precision", "root of the precision", "as printed", "sum of the variances"),
        ),
        Mistake(
            "with another standard deviation",
            "Two raters with σ = 2 each: how sure is their mean? Add the precisions 1/σ² of those who answered; the "
            "sum is that of the mean.",
            wrong_functions=(
                "std of the plain mean",
                "mean of the noises",
                "weighted mean of the noises",
                "noise of the best",
                "1 over the sum of 1/σ",
                "harmonic mean variance",
            ),
        ),
        Mistake(
            "as if everybody had answered",
            "How sure are you of an item that one rater answered? As sure as he is.",
            wrong_functions=("everybody answered",),
        ),
        Mistake(
            "how far the answers lie apart",
            "Is the noise known, or to be estimated? It is known; two answers that agree by chance are no surer.",
            wrong_functions=("spread of the answers",),
        ),
        Mistake(
            "the right numbers in another order",
            "Which comes first, the mean or the standard deviation?",
            wrong_functions=("std first",),
        ),
    ),
    hints=(
        "The weight of an answer is the precision of its rater, 1/σ². A missing answer has the weight 0.",
        "w = np.where(np.isnan(Y), 0, 1 / noise_std**2) has the shape of Y. The mean is the sum of w · Y over the "
        "raters, divided by the sum of w. (0 · NaN is NaN: np.nan_to_num(Y), or np.nansum.)",
        "The sum of w over an item's raters is the precision of their mean. Its standard deviation is one over the "
        "root of that.",
    ),
    about=(
        "Are the means weighted by 1/σ², each divided by the sum of the weights of those who answered?",
        "The precision of the mean is the sum of the precisions of those who answered: what is its "
        "standard deviation?",
    ),
    laws=(
        Law(
            "If all answers are 10, all means are 10.",
            "Do the weights of those who answered add up to 1?",
            lambda Y, noise_std: (0 * Y + 10, noise_std),
            lambda one, other: near(other[0], 0 * other[0] + 10),
        ),
        Law(
            "Double answers and σ: means and standard deviations double.",
            "Which unit has a weight, 1/σ²? And is a σ or a mean rounded, or cut off at some number?",
            lambda Y, noise_std: (2 * Y, 2 * noise_std),
            times(2, 2),
        ),
        Law(
            "Let each rater answer twice: the means stay, their standard deviations are divided by √2.",
            "What adds up when answers are added?",
            lambda Y, noise_std: (np.hstack([Y, Y]), np.tile(noise_std, 2)),
            times(1, np.sqrt(0.5)),
        ),
        Law(
            "A rater who answered nothing changes nothing.",
            "What does a gap count?",
            lambda Y, noise_std: (np.hstack([Y, NAN * Y[:, :1]]), np.append(noise_std, 0.1)),
        ),
        Law(
            "σ = 1 beside σ = 2 has four times the weight: 10 and 20 make 12.",
            "Is a weight 1/σ or 1/σ²? Every answer has it, also one far from the others.",
            lambda Y, noise_std: (np.tile(array([10, 20]), (2, 1)), array(1, 2)),
            lambda one, other: near(other[0], array(12, 12)),
        ),
    ),
    asks={
        TABLE: "Which items have gaps? Only those who answered have a weight there; a mark may be below 0.",
        WITH_ZEROS: "0 is a mark like any other; a gap is NaN.",
    },
)

# ----------------------------------------------------------------------------------------------------- 2 slope

KNOWN = (
    "as if you knew z, or as if not knowing it changed something else",
    "Do you know where z is? E[(y − z)²] = (y − m)² + V: what is uncertain of z belongs to the square.",
)

FIVE, SOME, AT_ZERO = "five answers", "two of four", "answers of 0"


def draw_slope(rng, k):
    """A rater who left out some items, of a posterior in which items hang together."""
    n = 1 + k % 6
    factors, y = rng.normal(size=(n, n + 1)), with_gaps(rng, rng.normal(0, 3, (n, 1)).round(1), 0.3)[:, 0]
    return y, 2 * rng.normal(size=n), factors @ factors.T, float(rng.uniform(0.4, 2))


slope = Task(
    name="slope",
    function="noise_slope",
    arguments=("y", "mean", "covariance", "noise_std"),
    title="Task 2 · More noise, or less?",
    stars=2,
    minutes=25,
    points=4,
    draw=draw_slope,
    cases=(
        Case(HAND, (array(9, NAN, 8), array(7, 5, 5), array([4, 1, 0.5], [1, 6, 2], [0.5, 2, 3]), 2.0), 3.0),
        Case(
            FIVE,
            (
                array(-0.3, 1.2, 0.8, 2.6, -1.9),
                array(0.4, 0.9, 0.1, 1.5, -1.2),
                smooth(array(-1, 0.2, 0.5, 2, 3), 0.3, 0.8),
                1.7,
            ),
        ),
        Case(
            SOME,
            (
                array(NAN, 41, NAN, 66),
                array(55, 44, 47, 60),
                array([30, 9, 4, 1], [9, 12, 6, 2], [4, 6, 20, 3], [1, 2, 3, 8]),
                0.4,
            ),
        ),
        Case(
            AT_ZERO,
            (array(0, -0.6, 0), array(0.3, 0.2, -0.9), array([0.5, 0.1, 0.2], [0.1, 0.3, 0.1], [0.2, 0.1, 0.7]), 0.6),
        ),
    ),
    mistakes=(
        Mistake(*KNOWN, wrong_functions=("V forgotten", "V subtracted", "V added to the noise")),
        Mistake(
            "as if the variances were shared out among the answers",
            "How often does V_nn count? Once for each answer, whole.",
            wrong_functions=("V once",),
        ),
        Mistake(
            "as if something else stood for the variance of z",
            "What stands on the diagonal of a covariance? Variances; one for each item, in the unit of (y − m)².",
            wrong_functions=(
                "V squared",
                "V rooted",
                "off and spread added first",
                "rows of V",
                "whole block",
                "precision",
            ),
        ),
        Mistake(
            "as if some variances belonged to other items",
            "Whose variance is it? Take y, mean and variances of the same items.",
            wrong_functions=("variances out of step",),
        ),
        Mistake(
            "as if another variable were moved",
            "How does log σ change when σ does? The slope is asked for by log σ: nothing is left of the unit of y.",
            wrong_functions=("by σ", "by σ²", "by log σ²", "doubled", "times σ", "times σ²"),
        ),
        Mistake(
            "as if the counterweight were another one",
            "Which term keeps the noise from growing? −1 for each answer, from the −log σ of its density.",
            wrong_functions=("fit only", "one once", "plus one", "minus log", "minus σ"),
        ),
        Mistake(
            "the right number with the wrong sign",
            "Uphill, or downhill? If the answers lie further off than σ says, a larger σ makes them more probable.",
            gives=lambda case: -case.expected,
        ),
        Mistake(
            "as if he had answered more than he did",
            "Which items did this rater answer? Only these know of his noise.",
            wrong_functions=("all rows", "counts all rows", "gaps as 0"),
        ),
        Mistake(*NAN_SPREADS, when=lambda case, got: np.isnan(got)),
        Mistake(*ZERO, wrong_functions=("zeros are gaps",)),
        Mistake(
            "with a unit", "What unit has the quotient? Squares over σ²: none.", wrong_functions=("σ for σ²", "σ⁴")
        ),
        Mistake(
            "as if the distance were another one",
            "How far from the mean, in squares? (y − m)².",
            wrong_functions=("not squared", "absolute", "from 0"),
        ),
        Mistake(
            "the square of a sum",
            "Squares added up, or a sum squared? Above the mean and below it must not cancel.",
            wrong_functions=("square of the sum", "square of the sum, whole block"),
        ),
        Mistake(
            "the mean over the answers",
            "A sum, or a mean? Every answer pulls.",
            wrong_functions=("mean over the answers",),
        ),
        Mistake(
            "the noise at which the slope vanishes",
            "The slope, or the place where it is zero? That place comes in Task 5.",
            wrong_functions=("fixed point",),
        ),
    ),
    hints=(
        "If z were known: log N(y | z, σ²) = −log σ − (y − z)²/(2σ²) + const. Differentiate it by log σ.",
        "You get (y − z)²/σ² − 1. The slope of the evidence is what this is on average over the posterior of z.",
        "E[(y − z)²] = (y − m)² + V_nn. Sum over the items that he answered, with y, m and V_nn all cut to them.",
    ),
    laws=(
        Law(
            "Double y, m and σ and take 4 V: the slope stays, for it has no unit.",
            "Which term has another unit than y²/σ²?",
            lambda y, mean, covariance, noise_std: (2 * y, 2 * mean, 4 * covariance, 2 * noise_std),
        ),
        Law(
            "Turn one answer round its mean, from above to below or back: the slope stays.",
            "Is each distance squared by itself, before the sum?",
            lambda y, mean, *more: None if np.isnan(y).any() else (np.append(2 * mean[0] - y[0], y[1:]), mean, *more),
        ),
        Law(
            "If y is m and V is 0, each answer counts −1, and 3 of them −3.",
            "What is left of each term when nothing is off?",
            lambda y, mean, covariance, noise_std: (mean[[0] * 3], mean[[0] * 3], 1e-12 * np.eye(3), noise_std),
            lambda one, other: near(other, -3),
        ),
        Law(
            "A single answer that is off by 4σ, with V = σ², makes 16 + 1 − 1 = 16.",
            "Is (y − m)² whole, however far off, with V beside it, and both over σ²?",
            lambda y, mean, covariance, noise_std: (
                mean[:1] + 4 * noise_std,
                mean[:1],
                noise_std**2 * np.eye(1),
                noise_std,
            ),
            lambda one, other: near(other, 16),
        ),
        Law(
            "The covariances beside the diagonal of V do not count.",
            "Which entry of V belongs to item n?",
            lambda y, mean, covariance, noise_std: (y, mean, np.diag(np.diag(covariance)), noise_std),
        ),
        Law(
            "What was not answered does not count: its V may be anything.",
            "Is V cut to the items that he answered?",
            lambda y, mean, covariance, noise_std: (
                y,
                mean,
                covariance + np.diag(np.where(np.isnan(y), 7.0, 0.0)),
                noise_std,
            ),
        ),
    ),
    asks={
        HAND: "Two answers, 2 and 3 off: what does each add, with its own entry of V, over σ² = 4?",
    },
)

# ---------------------------------------------------------------------------------------------------- 3 mirror


SMOOTH, GAPPY, LAST = "five items on a line", "many gaps", "the last rater"
X5 = array(-1, 0.2, 0.5, 2, 3)


def draw_mirror(rng, k):
    """Raters of whom one may turn the scale round; K of many items is singular."""
    n, R = (3, 4, 5, 7, 6)[k % 5], (2, 3, 4, 3, 5)[k % 5]
    r, factors = int(rng.integers(R)), rng.normal(size=(n, n - (n > 5)))
    noise_std, z = rng.uniform(0.4, 2, R), rng.uniform(-5, 5) + factors @ rng.normal(size=factors.shape[1])
    Y = z[:, None] + noise_std * rng.normal(size=(n, R))
    if rng.random() < 0.5:
        Y[:, r] = 2 * z.mean() - Y[:, r]
    return factors @ factors.T, noise_std, with_gaps(rng, Y, 0.3), r


mirror = Task(
    name="mirror",
    function="mirror_log_ratio",
    arguments=("K", "noise_std", "Y", "r"),
    title="Task 3 · The rater who turns the scale round",
    stars=2,
    minutes=35,
    points=6,
    draw=draw_mirror,
    tolerance=1e-07,
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
        ),
        Case(
            LAST,
            (
                array([400, 400, 150, 50], [400, 400, 150, 50], [150, 150, 300, 100], [50, 50, 100, 250]),
                array(1.5, 4, 2.5, 2),
                array([88, 79, NAN, 9], [83, 78, 86, 14], [NAN, 24, 19, 77], [3, 0, NAN, NAN]),
                3,
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "as if his answers were independent of each other",
            "If the others were wrong about one item, would they be right about its neighbour? His answers are "
            "predicted jointly: V has entries beside its diagonal.",
            wrong_functions=("marginals",),
        ),
        Mistake(
            "as if z were known, or not known at all",
            "Do you know z, or only what the others said of it? The posterior covariance V says how much is left "
            "open.",
            wrong_functions=("V forgotten", "prior for posterior"),
        ),
        Mistake(
            "as if his own noise were no noise of single answers",
            "Would a straight rater hit z exactly? Each of his answers has noise of its own: σ_r² on the diagonal.",
            wrong_functions=("his noise forgotten", "his noise in every entry"),
        ),
        Mistake(
            "as if he had had a say in what z is",
            "Who may speak about z, if you want to test him? Only the others: a liar who is heard moves the truth.",
            wrong_functions=("with himself",),
        ),
        Mistake(
            "as if his answers had moved the mirror",
            "Whose answers tell where the middle is? Those of all others, not his.",
            wrong_functions=("centre with himself",),
        ),
        Mistake(
            "the right number with the wrong sign",
            "Which of the two is counted as positive? Straight over mirrored.",
            when=lambda case, got: near(got, -case.expected),
        ),
        Mistake(
            "another measure of the same thing",
            "A ratio of densities, or its logarithm? The natural one is asked for.",
            wrong_functions=("density ratio", "log10", "log2", "probability"),
        ),
        Mistake(
            "the log density under one of the two stories",
            "Against what? A density alone says nothing: how probable are his answers if he is mirrored?",
            wrong_functions=("straight only",),
        ),
        Mistake(
            "as if the mirror stood elsewhere",
            "Where is the mirror? At c, the mean of all answers of all others: every answer counts once.",
            wrong_functions=(
                "mirror at 0",
                "mirror at the median",
                "mirror at the mean of items",
                "mirror at the middle of the range",
                "learned without centring",
            ),
        ),
        Mistake(
            "as if z had been learned otherwise",
            "From what is z learned? From the others' answers minus c, each with its rater's noise, and with K "
            "between all items.",
            wrong_functions=("raw means", "one noise for the others", "item by item"),
        ),
        Mistake(
            "as if a standard deviation stood where a variance belongs",
            "What unit has V? The noise has to have it too.",
            wrong_functions=("σ for σ²", "others' σ for σ²"),
        ),
        Mistake(
            "as if the noises had changed their owners",
            "Whose noise is it? When his column is taken out of Y, his noise has to be taken out of noise_std.",
            wrong_functions=("noises not taken out", "his noise is the first", "his noise is the mean"),
        ),
        Mistake(
            "as if he had answered every item",
            "Which items did he answer? Cut m and V to these rows before you compare.",
            wrong_functions=("a gap is 0",),
        ),
        Mistake(
            "a NaN that began as a gap in his column",
            "One NaN in a vector makes its sum NaN. Which items did he answer?",
            when=lambda case, got: np.isnan(got),
        ),
        Mistake(
            "the mean over his answers",
            "For all his answers, or for one? All together are asked for.",
            wrong_functions=("per answer",),
        ),
        Mistake(
            "with another factor",
            "How often does the cross term stand in (y − m)² − (y + m)², and which ½ is before it?",
            wrong_functions=("cross term once", "no half"),
        ),
        Mistake(
            "as if the mirror had turned the covariance too",
            "Does a mirror change how sure you are? −z has the covariance of z.",
            wrong_functions=("mirrored covariance",),
        ),
        Mistake(
            "a correlation",
            "How probable, or how similar? A correlation does not know how many answers there are, nor how noisy.",
            when=lambda case, got: abs(got) <= 1 < abs(case.expected),
            wrong_functions=("correlation",),
        ),
        Mistake(*FROM_ONE, wrong_functions=("raters from one",)),
    ),
    hints=(
        "First forget him: c, then m and V of z − c from the others' answers minus c. Stack these answers: item i of "
        "answer a picks rows and columns of K, and C = K[item][:, item] + diag(σ²). m = K[:, item] C⁻¹ (y − c), V = K "
        "− K[:, item] C⁻¹ K[item].",
        "Now him: cut m and V to the items that he answered, S = V + σ_r² I. Straight says N(c + m, S), mirrored says "
        "N(c − m, S).",
        "The two densities have the same S. Write both exponents out: what is left of their difference is 2 mᵀ S⁻¹ (y "
        "− c).",
    ),
    laws=(
        Law(
            "Add 10 to all answers: the log ratio stays.",
            "Is c the mean of the answers that the others gave, and is it taken off theirs and off his?",
            lambda K, noise_std, Y, r: (K, noise_std, Y + 10, r),
        ),
        Law(
            "Mirror his answers at c: the log ratio changes its sign.",
            "Are straight and mirrored treated alike? c + m and c − m, with the same S, and c the "
            "plain mean of all the others' answers.",
            lambda K, noise_std, Y, r: (K, noise_std, mirrored(Y, r), r),
            times(-1),
        ),
        Law(
            "Double answers and σ and take 4 K: the log ratio stays, for it has no unit.",
            "Which number is compared with one of another unit?",
            lambda K, noise_std, Y, r: (4 * K, 2 * noise_std, 2 * Y, r),
        ),
        Law(
            "If K is 0, all items are alike, and nothing tells the two apart: 0.",
            "What is m then, and what is left?",
            lambda K, noise_std, Y, r: (0 * K, noise_std, Y, r),
            lambda one, other: near(other, 0),
        ),
        Law(
            "One more rater who marks c everywhere, with an enormous noise, changes nothing.",
            "What do m and V know of the noise of each of the others, and of an item that only he answered?",
            lambda K, noise_std, Y, r: (K, np.append(noise_std, 1e6), with_middle(Y, r), r),
        ),
        Law(
            "Write the raters down in the other order: the log ratio stays.",
            "Which number belongs to which column?",
            lambda K, noise_std, Y, r: (K, noise_std[::-1].copy(), Y[:, ::-1].copy(), Y.shape[1] - 1 - r),
        ),
    ),
    asks={
        HAND: "m is (7.5, −7.5), and S (1, −1) is 12 (1, −1). Which of them do you get, and what "
        "does each exponent give?",
        GAPPY: "Without gaps you are right. Which answers have a part in c, in m, in S? c is the "
        "mean of all single answers.",
        LAST: "Two items are one wine, so K has no inverse; and p(straight) is too small for a computer, its "
        "logarithm is not. Is K inverted, p computed, or something cut off at a limit?",
    },
)

# ----------------------------------------------------------------------------------------------------- 4 panel


THREE, ALONE, SAME = "three of five raters", "one rater", "two items, four raters"


def draw_panel(rng, k):
    """A panel of one, of some, or of all raters, in no order."""
    q, K, R, n = ((3, 2, 4, 2), (5, 3, 6, 3), (2, 4, 3, 1), (4, 2, 5, 5), (6, 5, 4, 4), (1, 1, 2, 2))[k % 6]
    factors, bias = rng.normal(size=(q, q)), 3 * rng.normal(size=R)
    noise_std, raters = rng.uniform(0.3, 3, (K, R)), [int(r) for r in rng.permutation(R)[:n]]
    return rng.normal(5, 3, q), factors @ factors.T, bias, noise_std, rng.integers(K, size=q), raters


panel = Task(
    name="panel",
    function="panel_prediction",
    arguments=("mean", "covariance", "bias", "noise_std", "regions", "raters"),
    title="Task 4 · What will this panel say?",
    stars=2,
    minutes=25,
    points=5,
    draw=draw_panel,
    cases=(
        Case(
            HAND,
            (array(50, 60), array([9, 4], [4, 16]), array(3, -1, 5), array([2, 4, 6], [6, 8, 3]), whole(1, 0), [2, 0]),
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
        ),
        Case(
            ALONE,
            (
                array(-1.5, 0.6, 0.2),
                array([0.5, -0.2, 0.1], [-0.2, 0.7, 0.3], [0.1, 0.3, 0.4]),
                array(-0.8, 1.7),
                array([0.9, 1.2], [0.3, 1.4], [2.1, 0.6]),
                whole(2, 2, 1),
                [0],
            ),
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
        ),
    ),
    mistakes=(
        Mistake(
            "as if a mean of answers had another variance",
            "What is the variance of a mean of R independent numbers? The sum of their variances, over R².",
            wrong_functions=(
                "divided by R",
                "not divided",
                "mean of the noises",
                "mean of the noises over √R",
                "sum of the noises",
            ),
        ),
        Mistake(
            "with another unit",
            "What unit has an entry of a covariance? Points squared, and nothing else may be added to it.",
            wrong_functions=("root of the variance", "σ for σ²", "roots of the covariance", "correlations"),
        ),
        Mistake(
            "as if the panel's marks were weighted",
            "Are the marks weighted by trust, or simply averaged? A jury's mean mark is a plain mean.",
            wrong_functions=("precision weights",),
        ),
        Mistake(
            "as if others sat on the panel",
            "Who sits on this panel? Their biases, their noises, their number: nobody else counts.",
            wrong_functions=("R counts all", "everybody's noise", "everybody's bias", "everybody", "the first raters"),
        ),
        Mistake(*FROM_ONE, wrong_functions=("counted from one",)),
        Mistake(
            "with another shift",
            "How much higher than z is the mean of their marks? By the mean of their biases.",
            wrong_functions=(
                "bias forgotten",
                "bias subtracted",
                "sum of the biases",
                "bias over all raters",
                "bias absolute",
            ),
        ),
        Mistake(
            "as if biases that differ made the mean unsure",
            "Is a known bias uncertain? It moves the mean, and that is all.",
            wrong_functions=("bias as variance",),
        ),
        Mistake(
            "as if the noises were looked up elsewhere in the table",
            "Which index of noise_std is the region, and which the rater? And which region does item q lie in? "
            "regions[q].",
            wrong_functions=(
                "region and rater exchanged",
                "first region for all",
                "item q in region q",
                "mean over the regions",
            ),
        ),
        Mistake(
            "as if two items shared the noise of their marks",
            "Do two marks of one rater share their noise? If not, it stands on the diagonal only.",
            wrong_functions=("noise in every entry", "noise shared in a region", "noise shared by the raters"),
        ),
        Mistake(
            "as if z were another number for each rater",
            "What do all raters of one item share? Its value z: averaging does not make z any surer.",
            wrong_functions=("V forgotten", "V divided too"),
        ),
        Mistake(
            "the covariance of z",
            "Is the panel's mean mark z? Its members' noise is in it.",
            wrong_functions=("noise forgotten",),
        ),
        Mistake(
            "as if the items had nothing to do with each other",
            "What stands beside the diagonal of the covariance of z? Keep it.",
            wrong_functions=("diagonal only",),
        ),
    ),
    hints=(
        "The mean of the panel's marks for item q is z_q + mean of the biases + mean of the noises. Three terms: one "
        "is uncertain for all items together, one is known, one is new for every item.",
        "noise_std[regions][:, raters] has a row for each item and a column for each member. Square, add up along the "
        "row, divide by R².",
        "Add that to the diagonal: covariance + np.diag(…).",
    ),
    about=(
        "The means: z and the mean of the biases of those on the panel.",
        "The covariance is that of z, and on its diagonal the noise of a mean of R marks, in each item's own region.",
    ),
    laws=(
        Law(
            "Who does not sit on the panel does not count: neither his bias nor his noise.",
            "Whose columns were taken, and how many are R?",
            lambda mean, covariance, bias, noise_std, regions, raters: (
                mean,
                covariance,
                *of_others(bias, noise_std, raters),
                regions,
                raters,
            ),
        ),
        Law(
            "Add 3 to all biases: the means grow by 3, the covariance stays.",
            "Which sign, and which share, has a bias? And is a mean cut off at some number?",
            lambda mean, covariance, bias, noise_std, regions, raters: (
                mean,
                covariance,
                bias + 3,
                noise_std,
                regions,
                raters,
            ),
            lambda one, other: near(other, (one[0] + 3, one[1])),
        ),
        Law(
            "Double all in points and take 4 times the covariance: means double, the covariance is 4 times as large.",
            "Which unit has each term?",
            lambda mean, covariance, bias, noise_std, regions, raters: (
                2 * mean,
                4 * covariance,
                2 * bias,
                2 * noise_std,
                regions,
                raters,
            ),
            times(2, 4),
        ),
        Law(
            "A region in which no item lies does not count.",
            "Which row of the noises belongs to an item? That of its region.",
            lambda mean, covariance, bias, noise_std, regions, raters: (
                mean,
                covariance,
                bias,
                np.vstack([1 + noise_std[:1], noise_std]),
                regions + 1,
                raters,
            ),
        ),
    ),
)

# --------------------------------------------------------------------------------------------------- 5 regions


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
# One rater, s = ½: two answers in region 0, one in region 1, none in region 2. The raw noises are 5 and 8.
THREE_CELLS = (array([0], [1], [NAN], [-5], [NAN]), 0 * X5, array(64, 9, 2, 15, 4), whole(1, 0, 2, 0, 0), 0.5)
LEVEL = 5**0.6 * 8**0.4


def draw_regions(rng, k):
    """Few answers in each region: one, or none, of some raters."""
    n, K, R = ((4, 2, 3), (6, 3, 2), (9, 4, 5), (5, 1, 2), (8, 5, 3))[k % 5]
    mean, regions = 5 * rng.normal(size=n), rng.permutation(np.arange(n) % K)
    Y = mean[:, None] + rng.uniform(0.5, 3, (K, R))[regions] * rng.normal(size=(n, R))
    return with_gaps(rng, Y), mean, rng.uniform(0.1, 1, n), regions, (0.4, 0.8, 0.25, 1.5)[k % 4]


regions = Task(
    name="regions",
    function="noise_step",
    arguments=("Y", "mean", "variance", "regions", "spread"),
    title="Task 5 · A noise for each region, and few answers",
    stars=3,
    minutes=40,
    points=7,
    draw=draw_regions,
    tolerance=1e-08,
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
        ),
        Case(
            STRONG,
            (WIDE[:5], array(4.6, 5.0, 6.5, 3.1, 0.4), array(0.3, 0.2, 0.5, 0.6, 0.15), whole(1, 1, 0, 1, 0), 0.15),
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
        ),
    ),
    mistakes=(
        Mistake(*KNOWN, wrong_functions=("V forgotten", "V subtracted")),
        Mistake(
            "as if variance were something else",
            "What unit has variance? That of (y − m)²: neither root nor square is needed.",
            wrong_functions=("V squared", "V rooted", "root of V added first"),
        ),
        Mistake(
            "as if the distance were another one",
            "How far from z, in squares? From the given mean of the item; no other mean is needed.",
            wrong_functions=("not squared", "round the items' means", "round his own mean"),
        ),
        Mistake(
            "as if another number of answers had been given",
            "How many answers has this rater given in this region? Their mean square is asked for: nobody else's, not "
            "n − 1.",
            wrong_functions=("size of the region", "n − 1", "n + 1", "sum", "median"),
        ),
        Mistake(
            "as if roots were averaged",
            "Which is last, the mean or the root? Squares first, then their mean, the root at the end.",
            wrong_functions=("mean of the roots",),
        ),
        Mistake(
            "variances",
            "A variance, or a standard deviation? noise_std is what the name says.",
            wrong_functions=("variances", "raw variances"),
        ),
        Mistake(
            "a table that lies on its side",
            "One row for each region, one column for each rater: which index comes first?",
            wrong_functions=("transposed",),
        ),
        Mistake(*GAPS, wrong_functions=("a gap is at the mean", "a gap is 0")),
        Mistake(
            "a NaN that began as a gap in Y",
            "One NaN in a mean makes the mean NaN. Which answers are there?",
            wrong_functions=("gaps spoil",),
        ),
        Mistake(
            "with a raw noise where there is no answer",
            "What do you know of a rater where he never answered? From the data nothing: NaN. 0 would mean: perfect.",
            wrong_functions=("no answer, no noise", "no answer, the level"),
        ),
        Mistake(
            "without the level where there is no answer",
            "What is the best guess where there is no answer? Put m = 0 into the formula: what remains?",
            wrong_functions=("NaN stays", "0 where nothing is known", "1 where nothing is known"),
        ),
        Mistake(
            "as if noises were averaged, and not their logarithms",
            "What lies in the middle between 2 and 8, if factors count? 4, not 5: average logarithms.",
            wrong_functions=("arithmetic", "arithmetic level", "level of the variances"),
        ),
        Mistake(
            "with another level",
            "Which of the regions tells more about his level, and how much more? The raw log σ scatters round the "
            "level with variance s² + 1/(2m): the weights are one over that.",
            wrong_functions=(
                "plain mean for level",
                "level weighted by counts",
                "level weighted by variances",
                "level weighted by standard deviations",
                "level weighted as the noises",
            ),
        ),
        Mistake(
            "as if the levels of several raters were one",
            "Towards whose level? Each rater has a level of his own, over his regions: down a column.",
            wrong_functions=("one level for all", "level of the region"),
        ),
        Mistake(
            "as if the data were surer, or less sure",
            "How sure is log σ after m answers? Its variance is 1/(2m); the precision is one over that.",
            wrong_functions=(
                "data variance 1/m",
                "data variance 1/(4m)",
                "data variance 1/(2(m − 1))",
                "data standard deviation",
                "data variance as precision",
                "one variance for all",
            ),
        ),
        Mistake(
            "as if the belief had another strength",
            "What is the precision of a belief with the spread s? s is a standard deviation.",
            wrong_functions=("spread as variance", "spread as precision", "variance as precision"),
        ),
        Mistake(
            "as if the two weights were others",
            "Many answers in a region: should they count more, or the level? Both, each with its precision.",
            wrong_functions=("weights exchanged", "half and half", "not shrunk", "all the level"),
        ),
        Mistake(
            "with a logarithm",
            "A noise, or its logarithm? Shrink logarithms, then go back.",
            wrong_functions=("logarithms",),
        ),
        Mistake(
            "the right tables in another order",
            "Which comes first, the raw noises or the shrunk ones?",
            wrong_functions=("shrunk first",),
        ),
        Mistake(
            "as if all raters of a region were one",
            "One noise for all raters of a region, or one for each of them?",
            wrong_functions=("one noise for a region",),
        ),
    ),
    hints=(
        "Loop over regions and raters: cell = (regions == k) & ~np.isnan(Y[:, r]). With m = cell.sum() answers, raw² "
        "is the mean of (y − mean)² + variance there, and NaN if m = 0.",
        "For one rater, over the regions where m > 0: weights w = 1/(s² + 1/(2m)), level = Σ w log raw / Σ w.",
        "Precision of the data 2m, of the belief 1/s²: log shrunk = (2m log raw + level/s²)/(2m + 1/s²). Where m = 0 "
        "the first term must be 0, and 0 · NaN is not: put the level there yourself.",
    ),
    about=(
        "The raw noises: a root mean square of (y − m)², with V, over his own answers in that region.",
        "The raw noises are right. Which level and which weights do the shrunk ones have: 2m for the "
        "data, 1/s² for the level?",
    ),
    laws=(
        Law(
            "Two answers off by 1 and −5, with V = 9 and 15: the raw noise is 5. One answer off by 0, with V = 64: 8.",
            "Are these the answers with regions == k, also a single one? (y − m)² + V, the mean, then the root; "
            "nothing else is taken off.",
            example=THREE_CELLS,
            holds=lambda one, other: near(other[0][[0, 1, 2]], array([5], [8], [NAN])),
        ),
        Law(
            "Raw noises 5 of two answers and 8 of one, and s = ½: the level is exp(0.6 log 5 + 0.4 log 8) = 6.034. "
            "It stands where he gave none.",
            "Does the level alone count there? It is a mean of logarithms over his regions with answers, with weights "
            "1/(s² + 1/(2m)).",
            example=THREE_CELLS,
            holds=lambda one, other: near(other[1][2], array(LEVEL)),
        ),
        Law(
            "If s = ½ weighs 4, two answers weigh 4, and one answer 2: log 5 goes half of the way to the level, "
            "log 8 two thirds.",
            "How often does m count, and is s squared? 2m, and 1/s².",
            example=THREE_CELLS,
            holds=lambda one, other: near(other[1][[0, 1]], array([np.sqrt(5 * LEVEL)], [(8 * LEVEL**2) ** (1 / 3)])),
        ),
        Law(
            "Double answers and means and take 4 times the variances: both tables double.",
            "Which unit has a noise? And is one cut off at some number?",
            lambda Y, mean, variance, regions, spread: (2 * Y, 2 * mean, 4 * variance, regions, spread),
            times(2, 2),
        ),
        Law(
            "A rater's noises do not depend on the other raters.",
            "Over which axis is the level taken?",
            lambda Y, mean, variance, regions, spread: (Y[:, :1], mean, variance, regions, spread),
            lambda one, other: near(other, (one[0][:, :1], one[1][:, :1])),
        ),
        Law(
            "With an enormous spread nothing is shrunk where there are answers.",
            "Which weight has the level? 1/s².",
            lambda Y, mean, variance, regions, spread: (Y, mean, variance, regions, 1e4),
            lambda one, other: near(np.where(np.isnan(one[0]), 0, other[1]), np.nan_to_num(one[0])),
        ),
    ),
    asks={
        EMPTY: "In which region did somebody never answer? There the raw noise is NaN, and the shrunk one his level.",
    },
)

# ------------------------------------------------------------------------------------------------------ 6 bias


TWO_ITEMS, FULL, LINKED, WIDE_TABLE = (
    "two items, one gap",
    "a full table",
    "no item in common",
    "six items, four raters",
)


def draw_bias(rng, k):
    """Tables with gaps; K may be singular, and no item need be answered twice."""
    n, R, d = ((3, 2, 4), (4, 3, 2), (6, 4, 8), (5, 2, 3), (7, 5, 7), (2, 3, 2))[k % 6]
    factors = rng.normal(size=(n, d))
    return factors @ factors.T, rng.uniform(0.4, 2, R), with_gaps(rng, 5 + 3 * rng.normal(size=(n, R)))


bias = Task(
    name="bias",
    function="rater_biases",
    arguments=("K", "noise_std", "Y"),
    title="Task 6 · Who marks high?",
    stars=3,
    minutes=40,
    points=7,
    draw=draw_bias,
    tolerance=1e-07,
    cases=(
        Case(HAND, (array([20]), array(3, 4), array([50, 75])), (array(50, 75), array([0, 5], [5, 0]))),
        Case(TWO_ITEMS, (array([20, 8], [8, 20]), array(3, 2), array([58, NAN], [46, 40]))),
        Case(
            FULL,
            (
                smooth(array(0, 0.7, 1.6), 1.4, 0.9),
                array(0.5, 1.2, 0.8),
                array([3.1, 4.4, 0.6], [2.2, 5.9, 1.3], [4.0, 3.7, 2.5]),
            ),
        ),
        Case(
            LINKED,
            (
                smooth(array(0, 0.3, 0.5, 0.8), 30, 1.1),
                array(1.5, 2.5),
                array([61, NAN], [NAN, 48], [66, NAN], [NAN, 55]),
            ),
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
        ),
        Case(
            "the same item twice",
            (
                array([2, 2, 0.5], [2, 2, 0.5], [0.5, 0.5, 1]),
                array(0.7, 1.6),
                array([4.2, 3.1], [3.6, NAN], [NAN, 0.9]),
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "what plain means would say",
            "Did all raters see the same items? Whoever saw only good ones has a high mean and need not be generous.",
            wrong_functions=(
                "column means",
                "ordinary least squares",
                "column means and their errors",
                "residuals of the rows",
            ),
        ),
        Mistake(
            "as if every rater had another z",
            "Have all raters one z, or each his own? The answers of two raters to one item have the covariance K_nn.",
            wrong_functions=("each rater alone", "a z for each rater"),
        ),
        Mistake(
            "as if nothing were known of z",
            "How much can z vary? K says so, and it makes biases comparable even between raters without common items.",
            wrong_functions=("free values of the items",),
        ),
        Mistake(
            "as if answers had less to do with each other",
            "Do two answers to one item share its value? In C they have the covariance K of their items, whoever gave "
            "them.",
            wrong_functions=("variances of K alone",),
        ),
        Mistake(
            "as if only answers to the same item belonged together",
            "Do neighbours tell of each other? All of K is needed, not its diagonal.",
            wrong_functions=("same item only",),
        ),
        Mistake(
            "as if the noise were missing, or stood beside the diagonal",
            "Where is the noise of an answer? On the diagonal of C, its rater's σ², for each answer its own.",
            wrong_functions=("no noise", "noise in every entry", "noise shared by a rater"),
        ),
        Mistake(
            "as if all raters had one noise",
            "Whose noise is it? noise_std[rater of the answer].",
            wrong_functions=("one noise for all",),
        ),
        Mistake(
            "as if a standard deviation stood where a variance belongs",
            "What unit has K? The noise has to have it too.",
            wrong_functions=("σ for σ²",),
        ),
        Mistake(
            "as if a precision stood where a variance belongs",
            "What unit has K? C is a covariance: the noisier an answer, the larger its diagonal.",
            wrong_functions=("precisions",),
        ),
        Mistake(
            "as if C⁻¹ stood elsewhere",
            "In which place stands C⁻¹? (BᵀC⁻¹B)⁻¹ BᵀC⁻¹y: twice, and it is the inverse.",
            wrong_functions=("weighted by C", "C⁻¹ once", "diagonal of the system"),
        ),
        Mistake(
            "as if the errors of two biases had nothing to do with each other",
            "Are two biases that were learned from the same items independent? var(a − b) = var a + var b − 2 cov(a, "
            "b).",
            wrong_functions=(
                "single errors added",
                "single variances added",
                "covariance added",
                "covariance once",
                "difference of the errors",
                "inverse of each entry",
            ),
        ),
        Mistake(
            "errors that know of the noise only",
            "Did both raters see the same items? If not, the items' values differ too: the error needs C, not D.",
            wrong_functions=("from the noise alone",),
        ),
        Mistake("a variance", "A variance, or a standard error? What unit has it?", wrong_functions=("variances",)),
        Mistake(
            "not the errors of differences",
            "The error of one bias, or of a difference? And what is the error of b_r − b_r?",
            wrong_functions=("covariance",),
        ),
        Mistake(
            "an error that grows with knowledge",
            "Is more knowledge more variance? BᵀC⁻¹B is the information; the covariance is its inverse.",
            wrong_functions=("information",),
        ),
        Mistake(
            "errors without a unit",
            "In which unit do you measure y? (BᵀB)⁻¹ knows only how many answers there are.",
            wrong_functions=("ordinary errors",),
        ),
        Mistake(*GAPS, wrong_functions=("gaps as 0",)),
        Mistake(
            "as if answers and rows of C were in different orders",
            "Is the third answer of y the third row of C? Take item, rater and y from one np.nonzero.",
            wrong_functions=("out of step",),
        ),
        Mistake(
            "biases that are drawn towards 0",
            "Is anything known of a bias beforehand? Here not: no prior, nothing added to BᵀC⁻¹B.",
            wrong_functions=("shrunk",),
        ),
        Mistake(
            "biases that were shifted",
            "Which mean shall the biases have? None in particular: z has the prior mean 0, and that fixes them.",
            wrong_functions=("centred",),
        ),
        Mistake(
            "biases that were shifted",
            "Which mean shall the biases have? None in particular; nobody is the zero of the others.",
            wrong_functions=("from the first",),
        ),
        Mistake(
            "the right numbers with the wrong sign",
            "Who marks high has a positive bias, doesn't he? y = z + b + noise.",
            when=lambda case, got: near(got[0], -case.expected[0]),
        ),
    ),
    hints=(
        "np.nonzero of ~np.isnan(Y) gives two vectors, item and rater of each answer; Y at these places is y. Then C "
        "= K[np.ix_(item, item)] + np.diag(noise_std[rater]**2), and B = np.eye(R)[rater] has a 1 in the column of "
        "the answer's rater.",
        "X = np.linalg.solve(C, B) is C⁻¹B. The information is BᵀX (R × R), the biases solve information · b = Xᵀy.",
        "The inverse M of the information is the covariance of the biases. Between r and s: M_rr + M_ss − 2 M_rs, and "
        "then the root. With v = np.diag(M): v[:, None] + v − 2 M for all pairs at once.",
    ),
    about=(
        "The biases are M Bᵀ C⁻¹ y. Is y as it was given, and all of C there, its noise on the diagonal?",
        "The errors of differences: M_rr + M_ss − 2 M_rs, and its root.",
    ),
    laws=(
        Law(
            "Add 10 to all answers: all biases grow by 10, all else stays.",
            "Is anything taken off y, or added to BᵀC⁻¹B? And M is the inverse of all of it, not of its diagonal.",
            lambda K, noise_std, Y: (K, noise_std, Y + 10),
            lambda one, other: near(other, (one[0] + 10, one[1])),
        ),
        Law(
            "Two raters with σ = 3 and 4 who rate the same item differ by ± 5, whatever K is.",
            "What do two answers to one item share? And each answer has the noise σ².",
            lambda K, noise_std, Y: (K[:1, :1] + 1, array(3, 4), array([1, 2])),
            lambda one, other: near(other[1].max(), 5.0),
        ),
        Law(
            "Write the raters down in the other order: biases and errors change places with them.",
            "Which numbers belong together: an answer, its item, its rater?",
            lambda K, noise_std, Y: (K, noise_std[::-1].copy(), Y[:, ::-1].copy()),
            lambda one, other: near(other, (one[0][::-1], one[1][::-1, ::-1])),
        ),
        Law(
            "Double answers and σ and take 4 K: biases and errors double.",
            "Which unit has each term of C, and which has M?",
            lambda K, noise_std, Y: (4 * K, 2 * noise_std, 2 * Y),
            times(2, 2),
        ),
        Law(
            "If K is 9 everywhere, all items have one value: (3, 1) and (9, no answer) make biases 5 apart, ± 4.53.",
            "Is y as it was given, has C a row for each answer, and K of their items in any two, also one rater's?",
            lambda K, noise_std, Y: (np.full((2, 2), 9.0), array(3, 4), array([3, 1], [9, NAN])),
            lambda one, other: near((np.diff(other[0]), other[1][0, 1]), (array(-5), np.sqrt(20.5))),
        ),
        Law(
            "If K is enormous on its diagonal alone, only an item that both saw compares them: the same answers make "
            "biases 2 apart, ± 5.",
            "Where is C⁻¹? It stands in the biases and in M.",
            lambda K, noise_std, Y: (1e5 * np.eye(2), array(3, 4), array([3, 1], [9, NAN])),
            lambda one, other: near((np.diff(other[0]), other[1][0, 1]), (array(-2), 5.0), 1e-3),
        ),
    ),
    asks={
        "the same item twice": "K has no inverse here. Which formula of the task needs one? None.",
    },
)

homework = Homework(combine, slope, mirror, panel, regions, bias, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
