"""The checks of homework 08: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, near
from course_checks.tasks import not_finite, slope_of, times


def smooth(x, z, variance, lengthscale):
    """Covariances of a smooth function on a line: the squared exponential."""
    steps = (x[:, None] - z[None, :]) / lengthscale
    return variance * np.exp(-(steps**2) / 2)


def random_table(rng, n, R, k):
    """Answers of R raters to n items, one at least in each row and column.

    Every second table is in whole points, with zeros and with raters who agree; every third has no holes.
    """
    Y = rng.normal(0, 2, (n, 1)) + rng.normal(0, 1.2, (n, R))
    keep = (rng.random((n, R)) < 0.6) | (k % 3 == 2)
    keep[np.arange(n), rng.integers(R, size=n)] = True
    keep[rng.integers(n, size=R), np.arange(R)] = True
    return np.where(keep, np.round(Y) + 0.0 if k % 2 else Y, NO)


def random_covariances(rng, n, d):
    """Covariances of n items that differ in d ways; singular if d < n."""
    factors = rng.normal(0, 1.3, (n, d))
    return factors @ factors.T


def reseated(Y):
    """The table with its last answer in a column of its own; None if that would leave a column empty."""
    row, column = np.argwhere(~np.isnan(Y))[-1]
    if np.count_nonzero(~np.isnan(Y[:, column])) == 1:
        return None
    moved = np.hstack([Y, np.full((len(Y), 1), NO)])
    moved[row, [column, -1]] = NO, Y[row, column]
    return moved


def reseated_law(place):
    """Who said what does not matter to a task whose table is argument `place`."""

    def change(*given):
        moved = reseated(given[place])
        return None if moved is None else (*given[:place], moved, *given[place + 1 :])

    return Law(
        "Move one answer to a new column, in its own row: nothing changes.",
        "Which number counts columns, or NaN, where it should count the answers of row n, R_n?",
        change,
    )


NO = np.nan  # where a rater gave no answer
THREE_AND_ONE = array([1, 3, 2], [5, NO, NO])
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
EACH = (
    "with another sum of squares",
    "How far are the answers from the mean of their own item? Square that, then add up.",
)

POOLED_HAND = (array(2, 1, 3, 2), array(5, 1, 4, 3), array(2, 0, 14, 0), 2.0)


def draw_pooled(rng, k):
    """A table in which somebody is not alone; every eighth is of prices near 10 million."""
    Y = random_table(rng, 1 + k % 5, 2 + k % 4, k)
    return None if ((~np.isnan(Y)).sum(axis=1) == 1).all() else (1e7 + Y if k % 8 == 5 else Y,)


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
        Case(HOLES, (Y_HOLES,)),
        Case(ONE_ITEM_OF_TWO, (array([NO, 2.5], [0.7, 1.9], [-1.3, NO]),)),
        Case(FULL, (Y_FULL,)),
        Case(HEIGHTS, (1e7 + array([3, NO, 4, 7], [9, 1, NO, NO], [2, 2, 5, 8]),)),
    ),
    draw=draw_pooled,
    mistakes=(
        Mistake(
            "as if another number of deviations had been counted",
            "How many of the deviations of an item are free? They sum to 0, so the last one is no news.",
            wrong_functions=("divided by all answers", "one mean taken off, not n", "divided by the items"),
        ),
        Mistake(
            "as if an item with one answer spoke of the spread",
            "Can somebody who is alone disagree? For R = 1 the share of the sum below is 0.",
            wrong_functions=("singles count",),
        ),
        Mistake(*COUNT, wrong_functions=("R − 1 with all columns", "all columns counted", "the missing counted")),
        Mistake(
            "as if each item had one vote",
            "Should an item with two answers say as much about σ as one with twenty? Add up first, divide and take "
            "the root in the end.",
            wrong_functions=(
                "mean of standard deviations",
                "mean of standard deviations, divided by R",
                "mean of variances",
                "mean of variances, singles too",
            ),
        ),
        Mistake(
            "with the square of what was asked for",
            "What unit has a variance, and what unit a standard deviation?",
            wrong_functions=("variance",),
        ),
        Mistake(
            "as if the items' own differences were the raters' doing",
            "Are two products different, or two raters? Only deviations from the item's own mean are the raters' "
            "doing.",
            wrong_functions=(
                "spread of all answers",
                "spread of all answers, ddof",
                "spread of a rater's answers",
                "spread of the means",
            ),
        ),
        Mistake(*MISSING, wrong_functions=("NaN as 0", "NaN as 0 in the mean", "NaN as 0 in the squares")),
        Mistake(
            "in which NaN has spread",
            "What is NaN plus 1? And what is the variance, with R − 1 below, of one answer? Neither may reach a sum.",
            correct_cases=(FULL,),
            when=not_finite,
        ),
        Mistake(
            "a row for each rater",
            "Which axis counts the items? Y has a row for each.",
            wrong_functions=("by raters",),
        ),
        Mistake(
            *EACH,
            wrong_functions=("squares round the mean of all", "deviations, no squares", "squares round the median"),
        ),
        Mistake(
            "with another middle",
            "A mean, or a median? The mean is what has the noise σ²/R.",
            wrong_functions=("medians",),
        ),
        Mistake(
            "with something else than sums",
            "A sum of squares, or their mean, or a root? The docstring says it.",
            wrong_functions=("variances for sums of squares", "standard deviations for sums"),
        ),
        Mistake(
            "as if digits had been lost",
            "How many digits does a difference of two huge numbers have? Take the mean off first, then square.",
            wrong_functions=("difference of huge numbers",),
        ),
        Mistake(
            "in another order",
            "Which of the four comes first? How many answers, their mean, their squares, the spread.",
            wrong_functions=("means first",),
        ),
    ),
    laws=(
        reseated_law(0),
        Law(
            "Add 10 to all answers: the means grow by 10, all else stays.",
            "Is a mean the sum of an item's answers over their number, where 0 is an answer and NaN is none? And is "
            "each deviation taken from it?",
            lambda Y: (Y + 10,),
            lambda one, other: near(other, (one[0], one[1] + 10, *one[2:])),
        ),
        Law(
            "Double all answers: means and spread double, sums of squares become 4 times as large, counts stay.",
            "Which unit has each of the four?",
            lambda Y: (2 * Y,),
            times(1, 2, 4, 2),
        ),
        Law(
            "Answers 2, 2 to one item and 1, 3 to another: Σ SS = 2, Σ (R − 1) = 2, and the spread is 1.",
            "What do two raters who agree add to each of the two sums?",
            lambda Y: (array([2, 2], [1, 3]),),
            lambda one, other: near(other[3], 1.0),
        ),
    ),
    hints=(
        "~np.isnan(Y) is a table of truth values: its sum along axis 1 counts the answers of each item. np.nansum "
        "leaves NaN out.",
        "Y − means[:, None] has NaN where Y has; np.nansum of its square along axis 1 is what each item adds.",
        "An item with R answers has R − 1 free deviations. Divide the sum of all squares by the sum of all R − 1, "
        "then take the root: items with one answer add 0 to both.",
    ),
)

# --------------------------------------------------------------------------------------------------- 2 evidence


def draw_evidence(rng, k):
    """Covariances, singular in two of three cases if there are three items, a noise, and a table."""
    n = 1 + k % 4
    return random_covariances(rng, n, 1 + k % 3), float(rng.uniform(0.2, 2)), random_table(rng, n, 1 + k % 5, k)


evidence = Task(
    name="evidence",
    function="joint_evidence",
    arguments=("K", "noise_std", "Y"),
    title="Task 2 · The evidence of all answers",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(HAND, (K_HAND, 2.0, Y_HAND)),
        Case(HOLES, (K_HOLES, 0.6, Y_HOLES)),
        Case(TWINS, (K_TWINS, 0.45, Y_TWINS)),
        Case(FULL, (K_FULL, 0.7, Y_FULL)),
        Case("one answer each", (K_HOLES, 0.8, Y_HOLES[:, 2:])),
        Case(MANY, (K_MANY, 0.65, Y_MANY)),
    ),
    draw=draw_evidence,
    mistakes=(
        Mistake(
            *COUNT,
            wrong_functions=(
                "σ²/R with all columns",
                "(R − 1) with all columns",
                "equation 4 with all columns",
                "means for the missing",
            ),
        ),
        Mistake(*LESS_NOISE, wrong_functions=("σ² of one answer", "σ² times R", "σ²/√R", "(σ/R)²")),
        Mistake(*UNIT, wrong_functions=("σ/R", "σ/√R", "σ for σ² everywhere")),
        Mistake(*SHARED, wrong_functions=("noise in every entry",)),
        Mistake(*EXACT_MEAN, wrong_functions=("no noise",)),
        Mistake(
            "what the means alone would give",
            "Two panels have the same means, one agrees and one quarrels: which of them speaks for a small σ? Where "
            "are the deviations from the means?",
            wrong_functions=("average only", "average with the noise of one", "no squares"),
        ),
        Mistake(
            "with other squares within the items",
            "What stands before a square in the log of a Gaussian density? The same σ holds for every deviation.",
            wrong_functions=("squares not halved", "squares over σ", "squares over σ²/R", "squares divided by R"),
        ),
        Mistake(
            "as if quarrel were praised",
            "Do raters who disagree make a small σ more probable? What is the sign of a square in a log density?",
            wrong_functions=("squares added",),
        ),
        Mistake(
            "with another power of 2πσ²",
            "How many factors 1/√(2πσ²) do R answers have, and how many of them has the density of their mean taken?",
            wrong_functions=("no constant", "no power of σ", "R for R − 1", "R − 2", "no 2π", "2πσ", "not halved"),
        ),
        Mistake(
            "with another power of R",
            "Where does the ½ log R come from? The density of the mean has √(R/2πσ²) in front, the R answers have no "
            "R.",
            wrong_functions=("no log R", "log R not halved", "log R added"),
        ),
        Mistake(
            "with other factors in the density of the means",
            "Which of the three terms are halved? Write down the log of a Gaussian density in n dimensions.",
            wrong_functions=("square not halved", "log det not halved", "log det halved twice"),
        ),
        Mistake(
            "as if the log determinant were missing or turned over",
            "Which term punishes flexibility? A prior that allows everything makes nothing probable.",
            wrong_functions=("sign of log det", "no log det"),
        ),
        Mistake(
            "with another power of 2π",
            "How many answers are there, and how many factors √(2π)? The means take n of them.",
            wrong_functions=("no 2π of the means",),
        ),
        Mistake(*MISSING, wrong_functions=("NaN as 0 in the mean", "NaN as 0")),
        Mistake(
            "as if items had been thrown away",
            "Are items with a hole worth nothing? One answer of three is still an answer.",
            wrong_functions=("complete items only",),
        ),
        Mistake(
            "as if raters had been thrown away",
            "Are raters who skipped an item worth nothing? Their other answers count.",
            wrong_functions=("complete raters only",),
        ),
        Mistake(*SUMS, wrong_functions=("sums for means",)),
        Mistake(
            "as if the raters had nothing in common",
            "Does each rater have a curve of his own, or do all of them speak of the same items?",
            wrong_functions=("a curve for each rater",),
        ),
        Mistake(
            "with its sign turned",
            "Is it a cost or a log evidence? Better models have the larger one.",
            wrong_functions=("cost",),
        ),
        Mistake(
            "without its logarithm",
            "The evidence, or its logarithm? With 2000 answers only one of them can be stored.",
            wrong_functions=("density",),
        ),
        Mistake(
            "for one answer", "A mean over the answers, or all of them together?", wrong_functions=("for one answer",)
        ),
        Mistake(*JITTER, when=lambda case, got: near(got, case.expected, 1e-4)),
    ),
    laws=(
        reseated_law(2),
        Law(
            "Add a millionth to the diagonal of K, singular or not: the evidence hardly changes.",
            "Which matrix is inverted, K or C = K + diag(σ²/R_n)? Only C always has an inverse.",
            lambda K, noise_std, Y: (K + 1e-6 * np.eye(len(K)), noise_std, Y),
            lambda one, other: abs(one - other) < 1e-3 * max(1.0, abs(one)),
        ),
        Law(
            "If K is 0 and σ = 3, answers 1, 3 and 2 to one item and 5 to another are noise alone: log p = "
            "Σ log N(y | 0, 9) = −10.237.",
            "Each of the four answers adds −½ log(18π) − y²/18. There R_n is 3 and 1, so that the two means have the "
            "variances 3 and 9, and SS is 2 and 0: which of these parts is another with you?",
            example=(np.zeros((2, 2)), 3.0, THREE_AND_ONE),
            holds=lambda one, other: near(other, -2 * np.log(18 * np.pi) - 39 / 18),
        ),
        Law(
            "Reverse the order of the items: the evidence stays.",
            "Which row of Y belongs to which row of K?",
            lambda K, noise_std, Y: (K[::-1, ::-1].copy(), noise_std, Y[::-1].copy()),
        ),
    ),
    hints=(
        "First one item alone, its value z known: R answers, each N(z, σ²). Split Σ (y − z)² into R (ȳ − z)² and Σ (y "
        "− ȳ)². The first part is all that z sees.",
        "So the answers to an item are N(ȳ | z, σ²/R) times a factor without z: (2πσ²)^(−(R−1)/2) R^(−½) "
        "exp(−SS/2σ²), with SS = Σ (y − ȳ)². Integrating over all z leaves N(ȳ | 0, K + diag(σ²/R)).",
        "log p = log N(ȳ | 0, C) − ½ Σ [(R − 1) log(2πσ²) + log R + SS/σ²], with C = K + diag(σ²/R) and one R and one "
        "SS for each item. By hand: C = (4, 2; 2, 8), SS = (10, 0).",
    ),
)

# ---------------------------------------------------------------------------------------------------- 3 answers

NEW = array(0.5, 4.0)


def draw_answers(rng, k):
    """A table, one to three new items tied to the old ones, and a panel; every sixth panel is a single rater."""
    n, m = 1 + k % 4, 1 + k % 3
    together = random_covariances(rng, n + m, 1 + k % 3)
    size = 1 if k % 6 == 4 else int(rng.integers(2, 12))
    prior_variance = np.diag(together)[n:] + 0.1
    Y = random_table(rng, n, 1 + k % 5, k)
    return together[:n, :n], float(rng.uniform(0.2, 2)), Y, together[:n, n:], prior_variance, size


answers = Task(
    name="answers",
    function="predict_answers",
    arguments=("K", "noise_std", "Y", "K_cross", "prior_variance", "n_raters"),
    title="Task 3 · Another rater, another panel",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case(HAND, (K_HAND, 2.0, Y_HAND, array([1], [3]), array(5), 9)),
        Case(HOLES, (K_HOLES, 0.6, Y_HOLES, smooth(X4, NEW, 2.25, 0.7), array(2.25, 2.25), 5)),
        Case(TWINS, (K_TWINS, 0.45, Y_TWINS, smooth(X_TWINS, NEW, 1.7, 0.6), array(1.7, 2.1), 3)),
        Case("a panel of one", (K_FULL, 0.7, Y_FULL, smooth(X3, NEW, 0.8, 1.3), array(0.8, 0.8), 1)),
        Case(MANY, (K_MANY, 0.65, Y_MANY, smooth(X40, NEW, 1.3, 0.5), array(1.3, 1.3), 40)),
    ),
    draw=draw_answers,
    mistakes=(
        Mistake(*LESS_NOISE, wrong_functions=("σ² of one answer", "σ² times R")),
        Mistake(*EXACT_MEAN, wrong_functions=("no noise",)),
        Mistake(*COUNT, wrong_functions=("σ²/R with all columns", "σ²/R*")),
        Mistake(*UNIT, wrong_functions=("σ/R", "σ/√R")),
        Mistake(*SHARED, wrong_functions=("noise in every entry",)),
        Mistake(
            "with another noise of the rater",
            "Whose answer is it? One rater has all of σ; a panel's mean has less, the item itself none.",
            wrong_functions=("one rater with σ²/R*", "one rater without noise", "both without noise"),
        ),
        Mistake(
            "as if many raters knew everything",
            "What does a panel of infinitely many raters still not know? Averaging removes what they do not share; z "
            "they share.",
            wrong_functions=(
                "noise only",
                "panel: noise only",
                "panel: all divided by R*",
                "panel: all std divided by R*",
            ),
        ),
        Mistake(
            "with another noise of the new panel's mean",
            "How noisy is a mean of n_raters answers? σ² counts once for one of them, and how for their mean?",
            wrong_functions=("panel: σ² of one answer", "panel: no noise", "panel: σ²/R*²"),
        ),
        Mistake(
            "as if the old panel were asked again",
            "How many raters are asked this time? n_raters, not the columns of Y.",
            wrong_functions=("panel: as many as before",),
        ),
        Mistake(
            "as if other things had been added",
            "Do standard deviations add up, or variances? Check the units.",
            wrong_functions=("σ added to the std", "σ added to the variance"),
        ),
        Mistake(
            "with a root, or a square, of what was asked for",
            "A variance, or a standard deviation? The second of the four is a variance, the last two are not.",
            wrong_functions=("variances of the answers", "std of z"),
        ),
        Mistake(
            "as if an answer had widened the band",
            "Can an answer make you less sure? The printed sign of one source was wrong too.",
            wrong_functions=("plus sign",),
        ),
        Mistake(
            "as if nobody had answered",
            "What have the answers taught about the new item?",
            wrong_functions=("prior variance",),
        ),
        Mistake(
            "with the other part of the variance",
            "What is explained, or what is left? A band far from all items is as wide as the prior.",
            wrong_functions=("what is explained",),
        ),
        Mistake(
            "as if an answer had been taken for the item's value",
            "The item, or what somebody says about it? The first two are about the item, and have no noise.",
            wrong_functions=("noise in the variance of z", "variance of an answer for that of z"),
        ),
        Mistake(
            "as if all items had been known equally well before",
            "Is the prior variance the same everywhere? It is given for each new item.",
            wrong_functions=("prior variance of the first item",),
        ),
        Mistake(*MISSING, wrong_functions=("NaN as 0", "NaN as 0 in the mean")),
        Mistake(*SUMS, wrong_functions=("sums for means",)),
        Mistake(
            "as if C⁻¹ were missing",
            "Do two copies of an item count twice? C⁻¹ sees to it that they do not.",
            wrong_functions=("no inverse",),
        ),
        Mistake(
            "as if one triangular system had not been solved",
            "L is half of the way: C = L Lᵀ. What is still to undo?",
            wrong_functions=("half solved",),
        ),
        Mistake(*JITTER, when=lambda case, got: near(got, case.expected, 1e-4)),
        Mistake(
            "in another order",
            "Which of the four comes first? Mean and variance of z, then one rater, then the panel.",
            wrong_functions=("variance first", "panel before the rater"),
        ),
    ),
    laws=(
        reseated_law(2),
        Law(
            "New items with K_cross = 0, prior variance 5, σ = 3, a panel of 9: mean 0, variance 5, spreads √14, √6.",
            "What is left when k is 0? Only the prior and the noise of new raters: nothing else is added, and nothing "
            "is taken off Y first.",
            lambda K, noise_std, Y, K_cross, prior, n_raters: (K, 3.0, Y, 0 * K_cross, 0 * prior + 5, 9),
            lambda one, other: near(other, tuple(np.full(len(one[0]), x) for x in (0, 5, np.sqrt(14), np.sqrt(6)))),
        ),
        Law(
            "One item with K = 3 and answers 6, 8 and 10, σ = 3, asked again, by a panel of 9: mean 4, variance 1.5, "
            "spreads √10.5 and √2.5.",
            "What is C, one number here, and which share of the mean 8, and of the variance 3, is K/C?",
            example=(array([3]), 3.0, array([6, 8, 10]), array([3]), array(3), 9),
            holds=lambda one, other: near(other, tuple(array(x) for x in (4, 1.5, np.sqrt(10.5), np.sqrt(2.5)))),
        ),
        Law(
            "A panel of one is one rater: the last two answers are the same.",
            "Which noise has the mean of n_raters answers, and which n_raters is it if the panel is one person?",
            lambda *given: (*given[:5], 1),
            lambda one, other: near(other[3], other[2]),
        ),
        Law(
            "The mean of infinitely many raters is the item's value: its variance is v.",
            "Which part of the panel's variance becomes smaller with n_raters, and which does not?",
            lambda *given: (*given[:5], 10**12),
            lambda one, other: near(other[3] ** 2, other[1]),
        ),
        Law(
            "Double all answers: the means double, variances and spreads stay.",
            "Which of the four depend on what was said?",
            lambda K, noise_std, Y, *new: (K, noise_std, 2 * Y, *new),
            times(2, 1, 1, 1),
        ),
    ),
    hints=(
        "The answers to an item act as one: their mean, with the noise σ²/R. So C = K + diag(σ²/R), and the posterior "
        "of z is that of homework 05: K_crossᵀ C⁻¹ ȳ, and prior variance minus the diagonal of K_crossᵀ C⁻¹ K_cross.",
        "An answer is z plus noise. z is uncertain by its variance v, the noise of one rater by σ², and the two are "
        "independent: which of their sums has a root?",
        "One rater: √(v + σ²). The mean of n_raters: √(v + σ²/n_raters). They all judge the same z, so v is not "
        "divided.",
    ),
)

# ----------------------------------------------------------------------------------------------------- 4 scores

TENTHS, BELOW, ABOVE, NARROW = "half marks", "far below the scale", "far above the scale", "hardly any spread"
SCORES = np.arange(6.0)
SIDE = (
    "as if 1 had been subtracted from 1",
    "On which side of the curve are both numbers small? Φ(b) − Φ(a) = Φ(−a) − Φ(−b): choose anew for each bin.",
)
SCALE = (
    "as if a variance stood where a standard deviation belongs, or the other way round",
    "What unit has the scale of a Gaussian? (score − mean)/std must have none.",
)


def draw_scores(rng, k):
    """One or two items on a scale, far below it, far above it, with hardly any spread, or wider than the scale."""
    start, step = ((0, 1), (1, 0.5), (-5, 2.5), (0, 10))[k % 4]
    scores = start + step * np.arange(2.0 + k % 7)
    place, spread = ((0.5, 0.3), (-200, 1), (150, 1), (0.5, 0.03), (0.5, 3))[k % 5]
    where = place + rng.uniform(-0.5, 0.5, 1 + k % 2)
    length = scores[-1] - scores[0] + step
    return scores[0] + length * where, step * spread * rng.uniform(0.7, 1.4, 1 + k % 2), scores


scores = Task(
    name="scores",
    function="log_shares",
    arguments=("means", "stds", "scores"),
    title="Task 4 · Bins in the tails",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(HAND, (array(1), array(2), array(0, 2, 4))),
        Case(TENTHS, (array(2.3, 4.9, 0.4), array(0.6, 0.35, 1.7), np.arange(1, 5.5, 0.5))),
        Case(NARROW, (array(3.2, 4), array(0.03, 0.05), SCORES)),
        Case(BELOW, (array(-40, -300), array(1.5, 2.5), SCORES)),
        Case(ABOVE, (array(60, 2500), array(1.5, 3), SCORES)),
    ),
    draw=draw_scores,
    mistakes=(
        Mistake(
            "as if the height of the curve had been taken",
            "How much of the curve lies within a bin, and how high is it in the middle? Only with narrow bins are "
            "they alike.",
            wrong_functions=(
                "densities",
                "densities, not normalised",
                "densities times the step",
                "densities without logs",
            ),
        ),
        Mistake(
            "as if answers off the scale could be given",
            "Which scores can be given? Nobody can say −3 or 14, so divide by what lies between the ends of the "
            "scale.",
            wrong_functions=("not normalised", "open ends"),
        ),
        Mistake(
            "which is no distribution over the scores",
            "What do the probabilities of one item sum to? Exponentiate a row and add it up.",
            wrong_functions=(
                "mean for sum",
                "normalised over the items",
                "normalised over all",
                "divided by the largest",
            ),
        ),
        Mistake(*SIDE, correct_cases=(HAND, ABOVE), when=not_finite),
        Mistake(*SIDE, correct_cases=(HAND, BELOW), when=not_finite),
        Mistake(
            "as if probabilities had been stored before their logarithm was taken",
            "What does the computer store for a probability of e⁻⁹⁰⁰? Stay with logarithms all the way, in the sum "
            "too.",
            correct_cases=(HAND,),
            when=not_finite,
        ),
        Mistake(
            "as if very small probabilities had been made larger",
            "How probable is the second most probable score, compared with the first, if both are tiny? A floor "
            "forgets it.",
            wrong_functions=("floor", "tiny number added"),
        ),
        Mistake(
            "as if the bins were of another width or place",
            "Where does one score end and the next begin? Half-way between them, whatever the step of the scale is.",
            wrong_functions=(
                "from score to score",
                "up to the score",
                "half a point",
                "a whole step",
                "quarter steps",
            ),
        ),
        Mistake(*SCALE, wrong_functions=("σ²", "√σ")),
        Mistake(
            "as if all items had the same spread",
            "Where does the spread enter? Distances count in standard deviations.",
            wrong_functions=("no spread",),
        ),
        Mistake(
            "as if the scale had been turned round",
            "Below the mean, or above it? A high mean makes high scores probable.",
            wrong_functions=("mirrored",),
        ),
        Mistake(
            "without its logarithm",
            "A probability, or its logarithm? Off the scale only the logarithm is left.",
            wrong_functions=("probabilities",),
        ),
        Mistake(
            "with another logarithm",
            "Which logarithm is meant? The natural one, in nats.",
            wrong_functions=("base 10", "bits"),
        ),
        Mistake(
            "with its sign turned",
            "Can a probability be larger than 1? What sign has its logarithm then?",
            wrong_functions=("surprise",),
        ),
        Mistake(
            "as if probabilities had been added up along the scale",
            "This score, or all up to it?",
            wrong_functions=("cumulated",),
        ),
        Mistake(
            "a row for each score",
            "One row for each item, one column for each score: what does .T do?",
            when=lambda case, got: near(got, case.expected.T),
        ),
    ),
    laws=(
        Law(
            "The probabilities of each row add up to 1.",
            "By which sum is a bin divided? By that of its own row.",
            holds=lambda one, other: near(np.exp(one).sum(axis=1), np.ones(len(one))),
        ),
        Law(
            "For μ = 0, s = ½ and the scores 0 and 1 the edges lie at −1, 1 and 3 standard deviations: P is as 0.6827 "
            "to 0.1573, and its logarithms are −0.207 and −1.675.",
            "Where are your edges? Half a step from each score, over s.",
            example=(array(0), array(0.5), array(0, 1)),
            holds=lambda one, other: near(np.exp(other), array([0.81273, 0.18727])),
        ),
        Law(
            "Lower the mean by one standard deviation: the lowest score becomes more probable.",
            "Is a mean off the scale taken as it is, and which side of the scale does it favour?",
            lambda means, stds, scores: (means - stds, stds, scores),
            lambda one, other: bool((other[:, 0] > one[:, 0])[one[:, 0] < -1e-6].all()),
        ),
        Law(
            "Mirror means and scores at 0: each row is reversed.",
            "Is a bin above the mean computed as one below it?",
            lambda means, stds, scores: (-means, stds, -scores[::-1]),
            lambda one, other: near(other, one[:, ::-1]),
        ),
        Law(
            "Double means, spreads and scores: nothing changes.",
            "Which number has another unit than the scores? Half the step grows with them.",
            lambda means, stds, scores: (2 * means, 2 * stds, 2 * scores),
        ),
        Law(
            "With an enormous spread all scores are equally probable.",
            "Is each bin as wide as the others, also the first and the last one?",
            lambda means, stds, scores: (means, 1e6 + 1e6 * np.abs(means), scores),
            lambda one, other: near(other, np.full_like(one, -np.log(one.shape[1])), 1e-3),
        ),
    ),
    hints=(
        "A score takes what lies within half a step of it: P ∝ Φ((c + h − μ)/σ) − Φ((c − h − μ)/σ), with h half the "
        "step. Then divide by the sum over the scale.",
        "scipy.special.log_ndtr is log Φ, exact in the tail: log_ndtr(−40) is −804.6. With a < b both negative, "
        "log(Φ(b) − Φ(a)) = log Φ(b) + log(1 − exp(log Φ(a) − log Φ(b))); np.log1p and np.expm1 keep the digits.",
        "If a + b > 0 use Φ(b) − Φ(a) = Φ(−a) − Φ(−b): np.where(a + b > 0, …) chooses for each bin. Normalise with "
        "scipy.special.logsumexp along axis 1.",
    ),
)

# ----------------------------------------------------------------------------------------------------- 5 nugget

K_PLAIN = array([2.64, 2], [2, 3.64])
NUGGETS_ALONE = -0.5 * (2 * np.log(2 * np.pi) + np.log(40) + 3.5 + 2 * np.log(18 * np.pi) + np.log(3) + 2 / 9)


def draw_nugget(rng, k):
    """As for the evidence, with a nugget; every eighth K is 0."""
    K, noise_std, Y = draw_evidence(rng, k)
    return 0 * K if k % 8 == 6 else K, noise_std, float(rng.uniform(0.2, 2)), Y


nugget = Task(
    name="nugget",
    function="nugget_evidence",
    arguments=("K", "noise_std", "nugget_std", "Y"),
    title="Task 5 · What the inputs do not explain",
    stars=3,
    minutes=40,
    points=6,
    cases=(
        Case(HAND, (K_PLAIN, 2.0, 0.6, Y_HAND)),
        Case(HOLES, (K_HOLES, 0.65, 0.4, Y_HOLES)),
        Case(TWINS, (K_TWINS, 0.45, 0.75, Y_TWINS)),
        Case(FULL, (K_FULL, 0.7, 1.3, Y_FULL)),
        Case("nothing but nugget", (np.zeros((3, 3)), 0.7, 1.4, Y_FULL)),
        Case(MANY, (K_MANY, 0.65, 0.2, Y_MANY)),
    ),
    draw=draw_nugget,
    mistakes=(
        Mistake(
            "as if the nugget belonged to the answers",
            "Whose property is the nugget, the item's or the answer's? All raters of an item taste the same carrot: "
            "does averaging over them make it smaller?",
            wrong_functions=(
                "nugget of each answer",
                "nugget of each answer, in the slope too",
                "nugget of each answer, in the spread too",
                "noise with the nugget in it",
                "slope divided by R",
                "nugget in the spread",
            ),
        ),
        Mistake(
            "as if the nugget stood beside the diagonal as well",
            "Do two items share what the inputs do not explain of them? Each has a surprise of its own.",
            wrong_functions=("nugget in every entry", "slope of every entry"),
        ),
        Mistake(
            "as if there were no nugget",
            "Where does nugget_std enter C? On its diagonal, squared.",
            wrong_functions=("no nugget",),
        ),
        Mistake(*UNIT, wrong_functions=("ω for ω²", "σ for σ²")),
        Mistake(
            "with another factor in the slope",
            "What is the derivative of ω² by log ω? ω² = exp(2 log ω).",
            wrong_functions=("by ω", "by ω²", "by log ω²", "by log ω, of ω", "with dC = 2ω I"),
        ),
        Mistake(
            "with another factor in the slope",
            "Which ½ belongs to which term? ½ (αᵀ ∂C α − tr C⁻¹ ∂C): to both of them.",
            wrong_functions=("not halved", "trace not halved", "fit not halved"),
        ),
        Mistake(
            "with a sign turned",
            "Uphill, or downhill? The evidence and its slope, as they are.",
            wrong_functions=("downhill", "cost"),
        ),
        Mistake(
            "with one of the two terms, or the wrong sign between them",
            "Two terms pull against each other: which of them wants a wider prior, which a narrower one?",
            wrong_functions=("fit only", "trace only", "terms added"),
        ),
        Mistake(
            "with another trace",
            "What is a trace of C⁻¹? The sum of the diagonal entries of the inverse, no more.",
            wrong_functions=(
                "trace of C",
                "inverse of the trace",
                "inverse of the diagonal",
                "sum of all entries",
                "determinant",
                "log determinant",
            ),
        ),
        Mistake(
            "with another first term",
            "How often does C⁻¹ stand beside ȳ in αᵀ ∂C α? α = C⁻¹ ȳ, and α stands there twice.",
            wrong_functions=("ȳ for α", "α once"),
        ),
        Mistake(
            "with the slope by something else",
            "By which of the two is it, the kernel, the noise, or the nugget? Only ω² I depends on ω.",
            wrong_functions=("of the noise", "of the kernel too"),
        ),
        Mistake(
            "with a part of the evidence missing",
            "Is the evidence that of all answers, or that of their means? Task 2 has the rest; it has no ω in it.",
            wrong_functions=("average only", "no log R"),
        ),
        Mistake(*LESS_NOISE, wrong_functions=("σ² of one answer",)),
        Mistake(*COUNT, wrong_functions=("σ²/R with all columns",)),
        Mistake(*MISSING, wrong_functions=("NaN as 0", "NaN as 0 in the mean")),
        Mistake(
            "nearly right",
            "How many digits does a difference of two nearly equal numbers have? The formula has all of them.",
            when=lambda case, got: near(got, case.expected, 1e-3),
        ),
        Mistake(
            "in another order",
            "Which of the two comes first? The evidence, then its slope.",
            wrong_functions=("slope first",),
        ),
    ),
    laws=(
        Law(
            "Halve ω and add ¾ ω² to the diagonal of K, so that C stays: the evidence stays, and the slope is divided "
            "by 4.",
            "Is ω² whole on the diagonal of C, for each item, whoever answered, once or often? And is there an ω "
            "anywhere else?",
            lambda K, sigma, omega, Y: (K + 0.75 * omega**2 * np.eye(len(K)), sigma, omega / 2, Y),
            times(1, 0.25),
        ),
        reseated_law(3),
        Law(
            "If K is 0, ω = 1 and σ = 3, answers 1, 3 and 2 to one item and 5 to another have C = (4, 0; 0, 10): the "
            "evidence is −10.128, its slope 0.15.",
            "What are your C, α = (½, ½) and tr C⁻¹ = 0.35, and what do you add that does not depend on C?",
            example=(np.zeros((2, 2)), 3.0, 1.0, THREE_AND_ONE),
            holds=lambda one, other: near(other, (NUGGETS_ALONE, 0.15)),
        ),
        Law(
            "Raise log ω by 0.001: the evidence rises by 0.001 times the slope.",
            "Is the second answer the derivative of your first one, by log ω?",
            lambda K, noise_std, nugget_std, Y: (K, noise_std, nugget_std * np.exp(1e-3), Y),
            slope_of(0, 1e-3),
        ),
        Law(
            "Double answers, σ and ω, and take 4 K: the slope stays, for it has no unit.",
            "Which term has another unit?",
            lambda K, noise_std, nugget_std, Y: (4 * K, 2 * noise_std, 2 * nugget_std, 2 * Y),
            lambda one, other: near(other[1], one[1]),
        ),
    ),
    hints=(
        "The nugget belongs to the item: all its raters see the same value. So it joins K, before anybody answers: C "
        "= K + ω² I + diag(σ²/R). The rest of the evidence is that of Task 2.",
        "Only C depends on ω, and ∂C/∂ log ω = 2ω² I. The spread round the means and the constants have no ω.",
        "½ tr[(α αᵀ − C⁻¹) 2ω² I] = ω² (αᵀα − tr C⁻¹), α = C⁻¹ ȳ. By hand: C = (4, 2; 2, 8), α = (2, −1), tr C⁻¹ = "
        "12/28.",
    ),
)

# ----------------------------------------------------------------------------------------------------- 6 raters

LONELY, MANY_RATERS = "items that one rater has alone", "7 items, 12 raters"
X5 = array(-1.3, -0.4, 0.3, 1.2, 2.6)
Y_LONELY = array([0.9, NO, NO, NO], [NO, 1.7, 0.4, NO], [NO, NO, -2.1, NO], [1.4, -0.3, NO, 0.8], [NO, -1.2, 1.1, 0.2])
X7 = np.linspace(0, 3, 7)
Y_RATERS = np.sin(2 * X7)[:, None] + 0.8 * np.cos(np.arange(84.0) ** 2).reshape(7, 12)
Y_RATERS[np.sin(np.arange(84.0)).reshape(7, 12) > 0.7] = NO
COLUMN = ("as if items had been left out", "Who is left out, an item or a rater? A rater is a column of Y.")
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


def draw_raters(rng, k):
    """A table of two raters or more; some of them are alone on an item."""
    n = 1 + k % 4
    return random_covariances(rng, n, 1 + k % 3), float(rng.uniform(0.2, 2)), random_table(rng, n, 2 + k % 3, k)


raters = Task(
    name="raters",
    function="leave_one_rater_out",
    arguments=("K", "noise_std", "Y"),
    title="Task 6 · Each rater from the others",
    stars=3,
    minutes=40,
    points=7,
    cases=(
        Case(HAND, (array([6]), 2.0, array([2, 6, 10]))),
        Case(HOLES, (K_HOLES, 0.65, Y_HOLES)),
        Case(LONELY, (smooth(X5, X5, 1.6, 0.8), 0.55, Y_LONELY)),
        Case(FULL, (K_FULL, 0.7, Y_FULL)),
        Case(MANY_RATERS, (smooth(X7, X7, 1.2, 0.6), 0.7, Y_RATERS)),
    ),
    draw=draw_raters,
    mistakes=(
        Mistake(
            "as if he had been asked before he was predicted",
            "Does a rater help to predict himself? His whole column has to go before the others are averaged.",
            wrong_functions=("rater left in",),
        ),
        Mistake(*MISSING, wrong_functions=("his answers set to 0", "NaN as 0")),
        Mistake(
            "as if one of the others had been asked",
            "Which raters are the others? All but one.",
            wrong_functions=("next rater only",),
        ),
        Mistake(*COLUMN, wrong_functions=("items left out",)),
        Mistake(*COLUMN, when=lambda case, got: got[0].shape == case.inputs[2].shape[:1] != case.expected[0].shape),
        Mistake(
            "as if his answer were the item's value, or a mean",
            "The item, or what he says about it? One answer has all of σ on top of what is not known of z.",
            wrong_functions=("no noise", "noise of the mean"),
        ),
        Mistake(
            "as if the others had told everything about the item",
            "Is the item's value known, once the others have answered? z has a variance left.",
            wrong_functions=("noise only",),
        ),
        Mistake(
            "as if standard deviations had been added",
            "Do standard deviations add up, or variances?",
            wrong_functions=("standard deviations added",),
        ),
        Mistake(*SCALE, wrong_functions=("variance as scale", "σ for σ² in the answer", "σ for σ²")),
        Mistake(*LESS_NOISE, wrong_functions=("σ² of one answer",)),
        Mistake(
            "as if every item had the same number of answers",
            "How many answers of the others has this item? Without his, without NaN.",
            wrong_functions=("σ²/R with all columns",),
        ),
        Mistake(*ALONE, wrong_functions=("nobody there is 0", "his lonely answers not scored")),
        Mistake(*ALONE, correct_cases=(HAND, FULL, MANY_RATERS), when=not_finite),
        Mistake(
            "as if every item stood alone",
            "Do answers to other items tell nothing about this one? K says how much, also where he or nobody has "
            "answered.",
            wrong_functions=("his items only", "item by item"),
        ),
        Mistake(
            "what averages of the others would give",
            "Where does K enter? A new answer is predicted by the model, and the prior has a say.",
            wrong_functions=("averages",),
        ),
        Mistake(
            "as if nobody had answered", "What do the other raters tell about his items?", wrong_functions=("prior",)
        ),
        Mistake(
            "as if his answers had been scored together",
            "All his answers together, or each for itself? Each is predicted on its own, from the others only.",
            wrong_functions=("jointly",),
        ),
        Mistake(*EACH, wrong_functions=("density of his mean", "density of his mean, with less noise")),
        Mistake(
            "with the scores put together in another way",
            "A total, or a mean of his log densities, or a median?",
            wrong_functions=("total", "median"),
        ),
        Mistake(
            "as if he had answered to everything",
            "Over how many answers is his mean taken? Over those he gave.",
            wrong_functions=("mean over all items",),
        ),
        Mistake(
            "with densities averaged, not their logarithms",
            "The log of a mean, or the mean of logs? One answer that was impossible must be able to ruin the score.",
            wrong_functions=("log of the mean density", "mean density"),
        ),
        Mistake(
            "with other terms of the log density",
            "Which terms has the log of one Gaussian density? Three: 2π, the variance, the square.",
            wrong_functions=("no 2π", "no log variance", "squared errors"),
        ),
        Mistake(
            "with its sign turned",
            "Is it a cost or a log density? Who is predicted well has the larger one.",
            wrong_functions=("cost",),
        ),
        Mistake(
            "with the right scores, and another rater",
            "Who is surprising, the one with the highest log density, or the one with the lowest?",
            wrong_functions=("the most predictable",),
        ),
        Mistake(
            "with the right scores, and the rater after",
            "From 0, or from 1? The first column is rater 0.",
            wrong_functions=("counted from 1",),
        ),
    ),
    laws=(
        Law(
            "The second answer is the place of the lowest score, from 0.",
            "Which of the numbers that you return first is the lowest? They are means, and no other sums or counts "
            "decide.",
            holds=lambda one, other: one[1] == np.argmin(one[0]),
        ),
        Law(
            "Reverse the order of the raters: their scores are reversed.",
            "Is exactly column r left out when rater r is scored?",
            lambda K, noise_std, Y: (K, noise_std, Y[:, ::-1].copy()),
            lambda one, other: near(other[0], one[0][::-1]),
        ),
        Law(
            "Double answers and σ and take 4 K: each score falls by log 2.",
            "Which unit has each of the three terms of a log density?",
            lambda K, noise_std, Y: (4 * K, 2 * noise_std, 2 * Y),
            lambda one, other: near(other[0], one[0] - np.log(2)),
        ),
        Law(
            "Two items are one: each entry of K is 4.5. σ = 3, one rater says 2 to the first, others 4 and 6 to the "
            "second: he is predicted with m = 2.5 and v + σ² = 11.25, and scores −2.140.",
            "Where nobody else has answered: which m and v come from the answers to the item beside it?",
            example=(np.full((2, 2), 4.5), 3.0, array([2, NO, NO], [NO, 4, 6])),
            holds=lambda one, other: near(other[0][0], -0.5 * np.log(22.5 * np.pi) - 0.5**2 / 22.5),
        ),
    ),
    hints=(
        "A loop over the columns: np.delete(Y, r, axis=1) are the others. With their counts and means Task 3 predicts "
        "all items: posterior mean m and variance v of z at the items themselves, K_cross = K.",
        "An item whose R is now 0 has no mean, and σ²/0 is no noise. Leave it out of C: seen = R > 0, C = "
        "K[np.ix_(seen, seen)] + diag(σ²/R[seen]), K_cross = K[seen]. It is predicted all the same.",
        "His answers: log N(y | m, v + σ²) for each item that he has answered, and their mean. The least predictable "
        "rater has the lowest score: np.argmin.",
    ),
)

homework = Homework(pooled, evidence, answers, scores, nugget, raters, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
