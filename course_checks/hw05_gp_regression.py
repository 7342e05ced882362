"""The checks of homework 05: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, falls_by_logs_of_2, near, slope_of, times
from course_checks.running import TimeUp


def smooth(x, z, variance, lengthscale):
    """Covariances of a smooth function on a line: the squared exponential of the lecture."""
    steps = (x[:, None] - z[None, :]) / lengthscale
    return variance * np.exp(-(steps**2) / 2)


def tilted(x, z):
    """Covariances of a smooth function with a trend: the further from 0, the less is known beforehand."""
    return smooth(x, z, 2.25, 0.7) + 0.5 * np.outer(x, z)


HAND, THREE, ONE_ITEM = "by hand", "the three points of the lecture", "two raters, one item"
SIX, SIX_THREE = "six answers", "six answers, three questions"
X3, Y3, AT_1 = array(-1, 0, 2), array(1, 2, 0), array(1)
X6, Y6 = array(-1.5, -0.4, 0.3, 0.9, 1.1, 2.4), array(3.1, -0.7, 0.2, 1.9, 1.2, -2.8)
NEW = array(-3, 0.6, 1.8)
NOISE_6 = array(0.3, 0.8, 0.15, 1.3, 0.4, 0.6)

UNIT = ("as if a standard deviation stood where a variance belongs", "What unit has K? The noise has to have it too.")
ALL_ENTRIES = (
    "as if the noise stood beside the diagonal as well",
    "Do two answers share their noise? Only an answer with itself does.",
)
NO_NOISE = ("as if the answers had no noise", "Where does noise_std enter? An answer is not the curve itself.")
STANDARD_DEVIATION = ("with a root of what was asked for", "What unit has a variance, and what unit its root?")
CURVE = (
    "as if the noise of an answer had been taken for part of the curve, or the other way round",
    "Curve, or next answer? Look up which of the two is asked for, and which of them has noise.",
)
FIRST_OF_THREE = ("the right numbers in another order", "Which of the three comes first? The docstring says it.")

ORDER = "Which line treats an answer by its place?"
UNITS = "Which term has another unit? Write the unit of each factor beside it."


def draw_answers(rng, k, n, m):
    """K, noise_std, y, K_cross, prior_variance of n answers and m new inputs.

    K is singular or not; every fourth time two answers are about one item, every fifth the noise spans decades.
    """
    factors = rng.normal(size=(n + m, 1 + k % 7)).round(1)
    if k % 4 == 3:
        factors[: min(n, 2)] = factors[0]
    together = factors @ factors.T
    noise_std = rng.uniform(0.3, 2, n) * (10.0 ** rng.integers(-1, 2, n) if k % 5 == 4 else 1)
    y = (2 * rng.normal(size=n)).round(1)
    return together[:n, :n], noise_std.round(2), y, together[:n, n:], np.diag(together)[n:] + 0.2


def in_half_the_unit(K, noise_std, y, *others):
    """All numbers twice as large, since the unit is half as large: variances are four times as large."""
    return 4 * K, 2 * noise_std, 2 * y, *(4 * one for one in others)


def backwards(K, noise_std, y, *K_cross):
    """The answers in the opposite order; K_cross may be followed by what does not depend on it."""
    turned = K[::-1, ::-1], noise_std[::-1], y[::-1], *(one[::-1] for one in K_cross[:1]), *K_cross[1:]
    return tuple(map(np.array, turned))


UNRELATED = -2 - 0.5 * np.log(2 * np.pi)  # log density of the answer 2, whose variance is 1


def with_an_unrelated_one(K, noise_std, y, *K_cross):
    """One more answer, 2, which has nothing to do with the others: variance ¾ of the curve, ¼ of the noise."""
    n = len(y)
    more = np.zeros((n + 1, n + 1))
    more[:n, :n], more[n, n] = K, 0.75
    rows = (np.vstack([one, np.zeros(one.shape[1])]) for one in K_cross[:1])
    return more, np.append(noise_std, 0.5), np.append(y, 2.0), *rows, *K_cross[1:]


# ----------------------------------------------------------------------------------------------- 1 exponential

LINE, TWICE = "on a line", "an input that is in both"

SMALL = 0.01  # a step of the logarithm of a parameter


def turned(x, x2, variance, lengthscale):
    """All inputs turned by 45° in the plane of the first two coordinates; None on a line."""
    if x.shape[1] == 1:
        return None
    turn = np.eye(x.shape[1])
    turn[:2, :2] = np.sqrt(0.5) * array([1, 1], [-1, 1])
    return x @ turn, x2 @ turn, variance, lengthscale


def draw_exponential(rng, k):
    """Inputs of one to four coordinates; every third time one of them is in both, every eighth they are far apart."""
    sizes = (1 + k % 3, 1 + k // 2 % 3)
    x, x2 = (rng.normal(size=(n, 1 + k % 4)).round(1) for n in sizes)
    if k % 3 == 2:
        x2[-1] = x[0]
    if k % 8 == 7:
        x2 = 1000 * x2
    return x, x2, *rng.uniform(0.3, 3, 2).round(2)


exponential = Task(
    name="exponential",
    function="exponential_kernel",
    arguments=("x", "x2", "variance", "lengthscale"),
    title="Task 1 · A rough kernel",
    stars=1,
    minutes=20,
    points=4,
    cases=(
        Case(HAND, (array([0, 0], [3, 0]), array([3, 4]), 4.0, 2.5)),
        Case(LINE, (array([0.5], [-1], [4]), array([1], [-2.5]), 0.36, 0.8)),
        Case(TWICE, (array([2, 0, 1], [1, -1, 3]), array([0, 1, 0], [1, -1, 3]), 2.5, 1.7)),
        Case("very far apart", (array([0], [1]), array([2000]), 9.0, 2.0), (array([0], [0]),) * 3),
    ),
    draw=draw_exponential,
    mistakes=(
        Mistake(
            "what another power of the distance gives",
            "Which power of the distance stands in the exponent? In the lecture it was the second; here it is the "
            "first.",
            wrong_functions=("squared exponential", "squared, not halved"),
        ),
        Mistake(
            "as if the exponent were halved",
            "Is there a ½ in this kernel? There is no factor ½ before r/ℓ.",
            wrong_functions=("exponent halved",),
        ),
        Mistake(
            "as if the exponent had a unit",
            "Is the exponent unitless? Metres over metres, to the first power.",
            wrong_functions=("lengthscale squared", "lengthscale multiplied"),
        ),
        Mistake(
            "as if the squared distance stood in the exponent",
            "Was a root forgotten? r is a distance, not its square.",
            wrong_functions=("squared distance",),
        ),
        Mistake(
            "as if it grew with the distance",
            "Should two inputs that are far apart have more in common than two that are close?",
            wrong_functions=("no minus",),
        ),
        Mistake(
            "as if the variance stood in another place or power",
            "What is k of an input and itself? variance, no more and no less.",
            wrong_functions=("variance squared", "root of the variance", "no variance"),
        ),
        Mistake(
            "as if another distance had been taken",
            "How far is it from (0, 0) to (3, 4) as the crow flies? All coordinates count, with their squares, and "
            "then a root.",
            wrong_functions=("city blocks", "largest difference", "first column only"),
        ),
        Mistake(
            "with another derivative by log variance",
            "What does it do to K if log variance grows by a little? It is a factor before everything: by how many "
            "percent does each entry grow?",
            wrong_functions=("by variance", "by standard deviation", "by log of log"),
        ),
        Mistake(
            "with another derivative by log lengthscale",
            "The chain rule: dk/d log ℓ = ℓ · dk/dℓ, and what is the derivative of −r/ℓ by ℓ?",
            wrong_functions=("by lengthscale", "no inner derivative"),
        ),
        Mistake(
            "with a sign turned",
            "With a longer lengthscale, do two inputs have more in common, or less?",
            wrong_functions=("sign of the lengthscale",),
        ),
        Mistake(
            "with the derivative of a logarithm",
            "Of k, or of log k? Only the parameter is on a log scale.",
            wrong_functions=("derivative of log k",),
        ),
        Mistake(
            "with the derivative by something else",
            "By the distance, or by the logarithm of the lengthscale? The distance is given and stays.",
            wrong_functions=("derivative by the distance",),
        ),
        Mistake(
            "with the derivatives exchanged",
            "Which derivative comes first? By log variance, then by log lengthscale.",
            when=lambda case, got: near(got, (case.expected[0], case.expected[2], case.expected[1])),
        ),
        Mistake(
            "a row for each input of x2",
            "One row for each input of x is wanted, and one column for each of x2: what does .T do?",
            when=lambda case, got: near(got, tuple(part.T for part in case.expected)),
        ),
        Mistake(
            "a sum over the wrong axis",
            "Which axis counts the coordinates? Print the shape of the differences; it should be (n, m, D).",
            when=lambda case, got: got[0].shape == case.inputs[1].shape != case.expected[0].shape,
        ),
        Mistake(
            "as if x2 did not matter",
            "Between which inputs are the covariances asked for? Of x with x2, not of x with itself.",
            when=lambda case, got: got[0].shape == 2 * case.inputs[0].shape[:1],
        ),
        Mistake(
            "nearly right",
            "Is anything added to a kernel to make it safer, or is an array of float32? Noise and jitter come later, "
            "and belong to the answers.",
            when=lambda case, got: near(got, case.expected),
        ),
    ),
    laws=(
        Law(
            "If log ℓ grows by 0.01, K grows by 0.01 times the third answer.",
            "What does your third answer differentiate, and by what? Compare it with the K that you return.",
            lambda x, x2, variance, lengthscale: (x, x2, variance, lengthscale * np.exp(SMALL)),
            slope_of(0, SMALL, by=2),
        ),
        Law(
            "If log variance grows by 0.01, K grows by 0.01 times the second answer.",
            "What does your second answer differentiate, and by what? Compare it with the K that you return.",
            lambda x, x2, variance, lengthscale: (x, x2, variance * np.exp(SMALL), lengthscale),
            slope_of(0, SMALL),
        ),
        Law(
            "Turn all inputs by 45°: all three answers stay.",
            "Which distance stays the same, however the axes lie?",
            turned,
        ),
        Law(
            "Measure inputs and lengthscale in half the unit, so that they double: all three answers stay.",
            UNITS,
            lambda x, x2, variance, lengthscale: (2 * x, 2 * x2, variance, 2 * lengthscale),
        ),
    ),
    hints=(
        "First the distances, an array of (n, m): x[:, None] − x2[None] has the shape (n, m, D); square it, sum over "
        "the last axis, take the root. On a line that is |x − x2|.",
        "log k = log variance − r/ℓ. A derivative of k is k times the derivative of log k, and that is quickly found.",
        "log k = v − r e^(−s) with v = log variance and s = log ℓ. By v: 1. By s: r e^(−s), which is r/ℓ.",
    ),
)

# ------------------------------------------------------------------------------------------------- 2 posterior

MANY = "400 answers"
X400 = np.linspace(0, 6, 400)


def draw_posterior(rng, k):
    """One to six answers, every tenth time 30; one to three new inputs."""
    return draw_answers(rng, k, 30 if k % 10 == 9 else 1 + k % 6, 1 + k // 2 % 3)


posterior = Task(
    name="posterior",
    function="posterior",
    arguments=("K", "noise_std", "y", "K_cross", "prior_variance"),
    title="Task 2 · Every answer has its own noise",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case("one answer", (array([4]), array(1), array(5), array([2]), array(4))),
        Case(HAND, (array([3, 2], [2, 4]), array(1, 2), array(6, -4), array([1], [3]), array(5))),
        Case(ONE_ITEM, (array([4, 4], [4, 4]), array(0.5, 2), array(3, -2), array([4], [4]), array(4))),
        Case(THREE, (smooth(X3, X3, 1, 0.5), array(0.3, 0.3, 0.3), Y3, smooth(X3, AT_1, 1, 0.5), array(1))),
        Case(SIX_THREE, (tilted(X6, X6), NOISE_6, Y6, tilted(X6, NEW), np.diag(tilted(NEW, NEW)))),
        Case(
            MANY,
            (
                smooth(X400, X400, 1, 0.5),
                0.1 + 0.05 * np.cos(np.arange(400)),
                np.sin(2 * X400),
                smooth(X400, array(1.23, 7), 1, 0.5),
                array(1, 1),
            ),
        ),
    ),
    draw=draw_posterior,
    mistakes=(
        Mistake(*UNIT, wrong_functions=("σ for σ²",)),
        Mistake(*NO_NOISE, wrong_functions=("no noise",)),
        Mistake(
            "as if the noises were exchanged or averaged",
            "Whom do you trust more? Every answer has its own entry on the diagonal.",
            wrong_functions=("one noise for all", "mean spread for all", "precision"),
        ),
        Mistake(*ALL_ENTRIES, wrong_functions=("noise in every entry", "noise shared by all")),
        Mistake(
            "as if the mean of y had been subtracted",
            "What is the prior mean of an answer here? It is 0: y is used as it is.",
            wrong_functions=("y centred", "y centred, mean added back"),
        ),
        Mistake(
            "as if each answer had been divided by its noise",
            "Does dividing y by its noise change its scale only? Then K no longer speaks of the same curve.",
            wrong_functions=("answers divided by their noise",),
        ),
        Mistake(
            "as if the noise were larger",
            "How often does the noise enter? Once, squared, on the diagonal.",
            wrong_functions=("noise doubled",),
        ),
        Mistake(
            "as if each answer counted by itself",
            "Do two copies of an answer count twice? α = C⁻¹ y sees what the others say already.",
            wrong_functions=("no inverse",),
        ),
        Mistake(
            "as if the two triangular systems were not both solved, in this order",
            "L is half of the way: C = L Lᵀ. Which of the two is undone first?",
            wrong_functions=("half solved", "factors exchanged"),
        ),
        Mistake(*CURVE, wrong_functions=("variance of an answer", "variance of an answer, mean spread")),
        Mistake(*STANDARD_DEVIATION, wrong_functions=("standard deviation",)),
        Mistake(
            "as if nothing had been answered",
            "What have the answers taught? The variance should be less than it was.",
            wrong_functions=("prior variance",),
        ),
        Mistake(
            "more than the prior variance",
            "Can an answer make you less sure of a Gaussian? Something is subtracted.",
            wrong_functions=("variance added",),
        ),
        Mistake(
            "the part of the variance that is gone",
            "What is explained, or what is left? What is left is asked for.",
            wrong_functions=("what is explained",),
        ),
        Mistake(
            "as if the prior variance had been read from K",
            "Is the prior variance the same everywhere? It is given for every new input.",
            wrong_functions=("prior variance of the first input",),
        ),
        Mistake(
            "a sum over the new inputs",
            "Which axis of K_cross counts the answers? That one is summed over.",
            when=lambda case, got: got[1].shape == case.inputs[2].shape != case.expected[1].shape,
        ),
        Mistake(
            "with another log determinant",
            "det C is det L to which power? And the half of it?",
            wrong_functions=("half the logs of L", "twice the logs of L"),
        ),
        Mistake(
            "as if the log determinant were missing or turned over",
            "Which term punishes flexibility? A prior that allows everything makes nothing probable.",
            wrong_functions=("sign of log det", "no log det"),
        ),
        Mistake(
            "with other factors in the evidence",
            "Which of the three terms are halved? Write down the log of a Gaussian density in n dimensions.",
            wrong_functions=("square not halved", "nothing halved"),
        ),
        Mistake(
            "as if the square had been added",
            "Does data far from the prior become more probable by it?",
            wrong_functions=("square added",),
        ),
        Mistake(
            "as if y were 0 in the evidence",
            "Where do the answers enter the evidence? The same C for other answers cannot give the same.",
            wrong_functions=("no square",),
        ),
        Mistake(
            "with another power of 2π",
            "How many numbers are in y, and how many factors of √(2π) belong to them?",
            wrong_functions=("2π once", "no 2π", "2π not halved"),
        ),
        Mistake(
            "the right evidence with the wrong sign",
            "Is it a cost or a log evidence? The larger, the better.",
            wrong_functions=("cost",),
        ),
        Mistake(
            "the evidence itself",
            "The evidence, or its logarithm? For many answers only the logarithm can be written down.",
            wrong_functions=("density",),
        ),
        Mistake(
            "a mean for one answer",
            "A mean over the answers, or all of them? The probability of all together is asked for.",
            wrong_functions=("for one answer",),
        ),
        Mistake(
            "because the determinant itself is too small for the computer",
            "How small is a product of 400 variances? Add logarithms: the diagonal of L has them.",
            correct_cases=(HAND,),
            when=lambda case, got: case.name == MANY and np.isposinf(got[2]),
        ),
        Mistake(
            "nearly right",
            "Is an array of float32, or is something added? The noise already makes C safe to factorise: what is "
            "jitter for? Here nothing has to be added.",
            when=lambda case, got: case.name != MANY and near(got, case.expected),
        ),
        Mistake(*FIRST_OF_THREE, when=lambda case, got: near(got, (*case.expected[1::-1], case.expected[2]))),
    ),
    laws=(
        Law(
            "Add an answer that has covariance 0 with everything else: means and variances at the new inputs stay.",
            "Which step mixes this answer, or its noise, with the others?",
            with_an_unrelated_one,
            lambda one, other: near(other[:2], one[:2]),
        ),
        Law(
            "Add an answer of 2 that has variance 1 in all, and covariance 0 with everything else: log p(y) changes "
            f"by the log density of this answer alone, {UNRELATED:.3f}.",
            "Which term of your evidence changes by another amount? Print all three, before and after.",
            with_an_unrelated_one,
            lambda one, other: near(other[2] - one[2], UNRELATED),
        ),
        Law(
            "Measure in half the unit: y and its noise double, K, K_cross and the prior variance become four times as "
            "large. Then the means double, and the variances become four times as large.",
            UNITS,
            in_half_the_unit,
            lambda one, other: near(other[:2], (2 * one[0], 4 * one[1])),
        ),
        Law("Take the answers in the opposite order: nothing changes.", ORDER, backwards),
    ),
    hints=(
        "The answers are jointly Gaussian: C = K + diag(noise_std²). It is the only place where the noise enters. "
        "Everything else is as in the lecture.",
        "L = cholesky(C). Solve L z = y and L V = K_cross. Then the mean is Vᵀ z, and the variance is the prior "
        "variance minus the sums of the squares of each column of V.",
        "log evidence = −½ zᵀz − Σ log L_ii − (n/2) log 2π. The sum over the diagonal is ½ log det C already.",
    ),
)

# ------------------------------------------------------------------------------------------------------- 3 loo

LARGE = "1000 answers in pairs"


def in_pairs(entry, other):
    """A matrix of 500 blocks of 2 × 2 along the diagonal: pairs that know nothing of the other pairs."""
    return np.kron(np.eye(500), array([entry, other], [other, entry]))


PAIR_NOISE = np.tile([0.5, 1.5], 500)
PAIR_Y = np.tile([1.0, -2.0, 0.5, 3.0], 250)
PAIR_PULL = array(-2 / 4.25, 1 / 2.25, 3 / 4.25, 0.5 / 2.25)  # the other answer of a pair, over its variance


def draw_loo(rng, k):
    """One to five answers, every tenth time nine."""
    return draw_answers(rng, k, 9 if k % 10 == 9 else 1 + k % 5, 0)[:3]


def other_first_answer(K, noise_std, y):
    return K, noise_std, np.append(y[0] + 3, y[1:])


loo = Task(
    name="loo",
    function="leave_one_out",
    arguments=("K", "noise_std", "y"),
    title="Task 3 · Each answer from the others",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case("one answer", (array([4]), array(1), array(5))),
        Case(HAND, (array([3, 2], [2, 4]), array(1, 2), array(6, -4))),
        Case(ONE_ITEM, (array([4, 4], [4, 4]), array(0.5, 2), array(3, -2))),
        Case(THREE, (smooth(X3, X3, 1, 0.5), array(0.3, 0.6, 0.2), Y3)),
        Case(SIX, (tilted(X6, X6), NOISE_6, Y6)),
        Case(
            LARGE,
            (in_pairs(2, 1.2), PAIR_NOISE, PAIR_Y),
            (np.tile(1.2 * PAIR_PULL, 250), np.tile([2.25 - 1.44 / 4.25, 4.25 - 1.44 / 2.25], 500), -2050.7211415530),
        ),
    ),
    draw=draw_loo,
    mistakes=(
        Mistake(
            "what a fit to all the answers gives",
            "Does y_i help to predict itself? Here it must not: it is the one that is left out.",
            wrong_functions=("fit to all", "fit to all, variance of f"),
        ),
        Mistake(
            "as if y_i had been observed as 0",
            "Is an answer of 0 the same as no answer? Row and column i have to go as well.",
            wrong_functions=("answer set to zero",),
        ),
        Mistake(
            "what the answers before each one predict",
            "Which answers does L know in row i? Only those up to i. The others are missing.",
            wrong_functions=("given those before",),
        ),
        Mistake(
            "what was known before any answer",
            "What do the other answers tell you about this one?",
            wrong_functions=("prior",),
        ),
        Mistake(*CURVE, wrong_functions=("variance of f",)),
        Mistake(
            "as if the noise had been added twice",
            "Is the noise of y_i already in it? C has it on its diagonal.",
            wrong_functions=("noise added again",),
        ),
        Mistake(
            "with the diagonal of the inverse as it is",
            "A precision, or a variance? What unit has C⁻¹?",
            wrong_functions=("precision",),
        ),
        Mistake(*STANDARD_DEVIATION, wrong_functions=("standard deviation", "standard deviation, density right")),
        Mistake(
            "as if each answer were pushed away from the others",
            "In which direction is y_i pulled when it is left out? Towards what the others say.",
            wrong_functions=("sign",),
        ),
        Mistake(
            "as if α_i had another unit",
            "What unit has α_i = (C⁻¹ y)_i? It is y over a variance; which variance turns it into a difference of "
            "answers?",
            wrong_functions=("times the precision", "not divided"),
        ),
        Mistake(
            "what is left over, not what is predicted",
            "The prediction, or what is left? y_i minus one is the other.",
            wrong_functions=("residuals", "residuals, no y"),
        ),
        Mistake(
            "as if C had been inverted entry by entry",
            "The diagonal of the inverse, or the inverse of the diagonal? Only the first knows of the other answers.",
            wrong_functions=("diagonal of C", "inverse of the diagonal"),
        ),
        Mistake(*NO_NOISE, wrong_functions=("no noise",)),
        Mistake(*UNIT, wrong_functions=("σ for σ²",)),
        Mistake(
            "as if the noises belonged to other answers",
            "Whose noise is on the diagonal in row i? Every answer brings its own.",
            wrong_functions=("one noise for all", "noise of the wrong answers"),
        ),
        Mistake(
            "the log evidence in the end",
            "All together, or each given the others? Here n densities of one answer each are added.",
            wrong_functions=("joint density",),
        ),
        Mistake(
            "a mean in the end",
            "A total, or a mean over the answers? The total is asked for.",
            wrong_functions=("mean of the densities",),
        ),
        Mistake(
            "with another density",
            "Which terms has the log of one Gaussian density, and which of them are halved?",
            wrong_functions=("no 2π", "no log variance", "log variance not halved", "squares"),
        ),
        Mistake(
            "with a variance where a standard deviation belongs",
            "What unit has scale? scipy's norm wants a standard deviation.",
            wrong_functions=("variance as scale",),
        ),
        Mistake(
            "a product of densities", "The probability, or its logarithm?", wrong_functions=("product of densities",)
        ),
        Mistake(
            "the right total with the wrong sign",
            "Is it a cost or a log probability? The larger, the better.",
            wrong_functions=("cost",),
        ),
        Mistake(
            "because it took too long",
            "How many factorisations do you make for 1000 answers? One is enough: everything is in C⁻¹ y and in the "
            "diagonal of C⁻¹.",
            raises=TimeUp,
            when=lambda case, error: case.name == LARGE,
        ),
        Mistake(*FIRST_OF_THREE, when=lambda case, got: near(got, (*case.expected[1::-1], case.expected[2]))),
    ),
    laws=(
        Law(
            "Make the first answer larger by 3: what the others predict for it stays, mean and variance.",
            "Where does y_1 enter its own prediction, or a variance?",
            other_first_answer,
            lambda one, other: near(other[0][0], one[0][0]) and near(other[1], one[1]),
        ),
        Law(
            "Add an answer that has covariance 0 with all others, variance ¾ of the curve and ¼ of the noise: for it "
            "the others predict 0 with variance 1, and what is predicted for them stays.",
            "Which step mixes this answer with the others, or loses a part of its variance?",
            with_an_unrelated_one,
            lambda one, other: near(other[:2], (np.append(one[0], 0), np.append(one[1], 1))),
        ),
        Law(
            f"Add such an answer with the value 2: the total changes by its log density alone, {UNRELATED:.3f}.",
            "Which term of your total changes by another amount? Print them, before and after.",
            with_an_unrelated_one,
            lambda one, other: near(other[2] - one[2], UNRELATED),
        ),
        Law(
            "Measure in half the unit: y and its noise double, K becomes four times as large. Then the means double, "
            "the variances become four times as large, and the total falls by log 2 for each answer.",
            UNITS,
            in_half_the_unit,
            lambda one, other: near(other[:2], (2 * one[0], 4 * one[1])) and falls_by_logs_of_2(one[2], other[2]),
        ),
        Law(
            "Take the answers in the opposite order: the same numbers, in the opposite order.",
            ORDER,
            backwards,
            lambda one, other: near(other, (one[0][::-1], one[1][::-1], one[2])),
        ),
    ),
    hints=(
        "Two numbers of each answer are enough: α_i, where α = C⁻¹ y, and the i-th diagonal entry of C⁻¹. Both come "
        "from the one factorisation of C = K + diag(noise_std²).",
        "1 over the i-th diagonal entry of C⁻¹ is the variance of y_i given all others, its own noise included. "
        "(Lecture 02: the inverse of a covariance knows conditional variances.)",
        "Mean: y_i minus α_i times this variance. The diagonal of C⁻¹ without C⁻¹: solve L W = I; the sums of the "
        "squares of each column of W.",
    ),
)

# ----------------------------------------------------------------------------------------------------- 4 level

FARAWAY = "far from all answers"


def draw_level(rng, k):
    """Two to six answers around some level, and one to three new inputs; every fourth time one is far away."""
    K, noise_std, y, K_cross, prior_variance = draw_answers(rng, k, 2 + k % 5, 1 + k // 2 % 3)
    if k % 4 == 1:
        K_cross[:, -1] = 0
    return K, noise_std, y + rng.integers(-30, 30), K_cross, prior_variance


def first_in_two(K, noise_std, y, K_cross, prior_variance):
    """The first answer twice, with noise that makes two of them as good as one."""
    copies = np.r_[0, np.arange(len(y))]
    noises = np.where(copies == 0, np.sqrt(2), 1.0) * noise_std[copies]
    return K[np.ix_(copies, copies)], noises, y[copies], K_cross[copies], prior_variance


level = Task(
    name="level",
    function="gp_with_mean",
    arguments=("K", "noise_std", "y", "K_cross", "prior_variance"),
    title="Task 4 · The level is unknown",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(
            HAND,
            (array([3, 2], [2, 4]), array(1, 2), array(9, 5), array([1], [3]), array(5)),
            (8, array(7), array(5)),
            1e-6,
        ),
        Case(
            FARAWAY,
            (smooth(X3, X3, 1, 0.5), array(0.3, 0.6, 0.2), Y3 + 70, smooth(X3, array(50), 1, 0.5), array(1)),
            tolerance=1e-6,
        ),
        Case(
            ONE_ITEM,
            (array([4, 4], [4, 4]), array(0.5, 2), array(63, 58), array([4, 1], [4, 1]), array(4, 6)),
            tolerance=1e-6,
        ),
        Case(
            SIX_THREE, (tilted(X6, X6), NOISE_6, Y6 + 20, tilted(X6, NEW), np.diag(tilted(NEW, NEW))), tolerance=1e-6
        ),
    ),
    draw=draw_level,
    tolerance=1e-5,
    mistakes=(
        Mistake(
            "as if the level were 0",
            "Far from all answers, what does the prior say? Subtract the level, predict what is left, add the level "
            "again.",
            wrong_functions=("zero mean", "y not centred", "not added back"),
        ),
        Mistake(
            "as if the level had been added to y once more",
            "Was anything subtracted before the level was added?",
            wrong_functions=("level added, not subtracted",),
        ),
        Mistake(
            "the level everywhere",
            "What do the answers nearby say, beyond the level?",
            wrong_functions=("level everywhere",),
        ),
        Mistake(
            "as if every answer told something new",
            "Do two answers that say the same thing count twice? The weights have to know of the correlations: that "
            "is C⁻¹.",
            wrong_functions=("plain mean", "median", "weighted by precision"),
        ),
        Mistake(
            "as if C stood where its inverse belongs",
            "C or C⁻¹, whose rows are the weights? A noisy answer must weigh less, not more.",
            wrong_functions=("weighted by the covariance",),
        ),
        Mistake(
            "as if it were divided by something else",
            "Do your weights sum to 1? If all answers are 7, the level must be 7.",
            wrong_functions=("divided by n", "not divided"),
        ),
        Mistake(
            "as if the answers were the curve",
            "Is an answer the curve itself? Its covariance has the noise on the diagonal.",
            wrong_functions=("weights from K", "no noise"),
        ),
        Mistake(*UNIT, wrong_functions=("σ for σ²",)),
        Mistake(
            "as if the level were known, or its uncertainty made one surer",
            "How sure are you of the level? Not knowing it can only add to the variance.",
            wrong_functions=("level taken for known", "uncertainty subtracted"),
        ),
        Mistake(
            "as if another share of the level's uncertainty arrived there",
            "How much of the level is left open at a new input? 1 − 1ᵀ C⁻¹ k; and what happens to a variance if a "
            "number is multiplied by this?",
            wrong_functions=("whole uncertainty of the level", "not squared", "share not taken from 1"),
        ),
        Mistake(
            "as if more answers made the level less certain",
            "Does more data make the level more certain, or less? 1ᵀ C⁻¹ 1 grows with it.",
            wrong_functions=("multiplied",),
        ),
        Mistake(
            "as if it were divided once too often",
            "What unit has 1ᵀ C⁻¹ 1? It is one over a variance; once is enough.",
            wrong_functions=("divided by n again",),
        ),
        Mistake(*STANDARD_DEVIATION, wrong_functions=("standard deviation",)),
        Mistake(*CURVE, wrong_functions=("variance of an answer",)),
        Mistake(
            "with a mean of the predictions for the level",
            "Of the predictions, or of the model? The level comes from y alone, wherever you predict.",
            wrong_functions=("mean of the predictions",),
        ),
    ),
    laws=(
        Law(
            "Add 7 to all answers: level and means grow by 7, the variances stay.",
            "Do the weights of your level sum to 1? And is the level that is subtracted added again?",
            lambda K, noise_std, y, K_cross, prior_variance: (K, noise_std, y + 7, K_cross, prior_variance),
            lambda one, other: near(other, (one[0] + 7, one[1] + 7, one[2])),
        ),
        Law(
            "Measure in half the unit: y and its noise double, K, K_cross and the prior variance become four times as "
            "large. Then level and means double, and the variances become four times as large.",
            UNITS,
            in_half_the_unit,
            times(2, 2, 4),
        ),
        Law(
            "Say the first answer twice, each time with a noise √2 times as large: nothing changes.",
            "How much do two copies weigh together in your level, your means and your variances?",
            first_in_two,
        ),
        Law("Take the answers in the opposite order: nothing changes.", ORDER, backwards),
    ),
    hints=(
        "Three steps. The level by generalised least squares, (1ᵀ C⁻¹ y) / (1ᵀ C⁻¹ 1) with C = K + diag(noise_std²). "
        "Then an ordinary prediction from y minus this level. Then the level is added again.",
        "The variance is the ordinary one plus what the level's own uncertainty adds: the level has the variance 1 / "
        "(1ᵀ C⁻¹ 1), and a share 1 − 1ᵀ C⁻¹ k of an error in it arrives at the new input.",
        "With L W = 1 and L V = K_cross: 1ᵀ C⁻¹ 1 = WᵀW and 1ᵀ C⁻¹ k = VᵀW. A share enters a variance squared.",
    ),
)

# -------------------------------------------------------------------------------------------------- 5 gradient

ALONE = "the noise alone"
SLOPES_3 = np.stack([smooth(X3, X3, 1.7, 0.5), smooth(X3, X3, 1.7, 0.5) * (X3[:, None] - X3) ** 2 / 0.25])
PARTS_6 = np.stack([np.outer(X6, X6), smooth(X6, X6, 2, 0.7), smooth(X6, X6, 0.3, 2) * np.outer(Y6, Y6)])


def draw_gradient(rng, k):
    """One to five answers to items that may be the same, and none to three parameters, of small effect or large."""
    n, p = 1 + k % 5, k // 2 % 4
    K, noise_std, y, *_ = draw_answers(rng, k, n, 0)
    steps = rng.normal(size=(p, n, n)).round(1) * (1, 100)[k % 6 == 5]
    return K, steps + steps.transpose(0, 2, 1), float(noise_std[0]), y


gradient = Task(
    name="gradient",
    function="evidence_gradient",
    arguments=("K", "dKs", "noise_std", "y"),
    title="Task 5 · Uphill on the evidence",
    stars=2,
    minutes=35,
    points=6,
    cases=(
        Case(HAND, (array([1, 2], [2, 4]), array([[1, 2], [2, 4]]), 2.0, array(9, 0)), array(2 / 9, 140 / 9)),
        Case(ALONE, (array([3, 2], [2, 4]), np.zeros((0, 2, 2)), 0.5, array(6, -4))),
        Case(THREE, (smooth(X3, X3, 1.7, 0.5), SLOPES_3, 0.3, Y3)),
        Case("six answers, three parameters", (PARTS_6.sum(axis=0), PARTS_6, 0.6, Y6)),
    ),
    draw=draw_gradient,
    mistakes=(
        Mistake(
            "with another factor",
            "Which ½ belongs to which term? Both terms of the log evidence have one, and log σ gives a 2 back.",
            wrong_functions=("not halved", "kernel not halved", "trace not halved"),
        ),
        Mistake(
            "the right numbers with the wrong sign",
            "Uphill, or downhill? The gradient of the log evidence is asked for, not that of a cost.",
            when=lambda case, got: near(got, -case.expected),
        ),
        Mistake(
            "as if one of the two terms were missing or turned round",
            "Two terms pull against each other, fit and complexity: which has a plus, and which a minus?",
            wrong_functions=("fit only", "trace only", "terms added", "sign of the fit"),
        ),
        Mistake(
            "with the derivative by something else than log σ",
            "What is the derivative of σ² by log σ? And what is dC then?",
            wrong_functions=("by σ", "by log σ²", "by σ²", "log noise squared again", "noise as a scalar in dK"),
        ),
        Mistake(*UNIT, wrong_functions=("σ for σ²",)),
        Mistake(*NO_NOISE, wrong_functions=("no noise",)),
        Mistake(*ALL_ENTRIES, wrong_functions=("noise in every entry",)),
        Mistake(
            "as if the trace were another sum",
            "What is a trace of a product? tr(A B) = Σ_ij A_ij B_ji: write it out for 2 × 2.",
            wrong_functions=(
                "diagonals only",
                "product of traces",
                "sum of all entries",
                "trace of dK",
                "determinant",
            ),
        ),
        Mistake(
            "as if C⁻¹ stood there too rarely",
            "How often does C⁻¹ stand around dK when yᵀ C⁻¹ y is differentiated? Once on each side.",
            wrong_functions=("y for α", "α once"),
        ),
        Mistake(
            "as if dK were diagonal",
            "Where are the entries beside the diagonal of dK? αᵀ dK α uses them all.",
            wrong_functions=("α elementwise",),
        ),
        Mistake(
            "with the noise in front",
            "Which derivative comes last? First those of dKs, in their order, then the noise.",
            when=lambda case, got: near(got, np.roll(case.expected, 1)),
        ),
        Mistake(
            "one number for all parameters",
            "One number for each parameter, or their sum? dKs holds one matrix for each of them.",
            when=lambda case, got: got.size == 2 < case.expected.size and near(got[1], case.expected[-1]),
        ),
        Mistake(
            "nearly right",
            "How many digits does a difference of two nearly equal numbers have, or an array of float32? The formula "
            "has all of them.",
            when=lambda case, got: got.shape == case.expected.shape and near(got, case.expected, 1e-2),
        ),
    ),
    laws=(
        Law(
            "Leave out all dKs: the entry of the noise stays.",
            "How does your last entry depend on the parameters of the kernel?",
            lambda K, dKs, noise_std, y: (K, dKs[:0], noise_std, y),
            lambda one, other: near(other[-1:], one[-1:]),
        ),
        Law(
            "Double all dKs: their entries double, and that of the noise stays.",
            "Which term of an entry of dKs is not in proportion to dK?",
            lambda K, dKs, noise_std, y: (K, 2 * dKs, noise_std, y),
            lambda one, other: near(other, np.append(2 * one[:-1], one[-1])),
        ),
        Law(
            "Measure in half the unit: y and the noise double, K and dKs become four times as large. Then the "
            "gradient stays, for it is by logarithms.",
            UNITS,
            lambda K, dKs, noise_std, y: (4 * K, 4 * dKs, 2 * noise_std, 2 * y),
        ),
        Law(
            "Take the answers in the opposite order: nothing changes.",
            ORDER,
            lambda K, dKs, noise_std, y: (K[::-1, ::-1].copy(), dKs[:, ::-1, ::-1].copy(), noise_std, y[::-1].copy()),
        ),
    ),
    hints=(
        "One formula for all: a parameter that changes C by dC changes the log evidence by ½ (αᵀ dC α − tr(C⁻¹ dC)), "
        "where α = C⁻¹ y. For the kernel's parameters dC is dK.",
        "The noise stands on the diagonal of C as σ². By log σ its derivative is 2σ², so dC = 2σ² I.",
        "The trace: sum over all entries of C⁻¹ * dC (both symmetric). Without C⁻¹: L⁻¹ dC L⁻ᵀ has the same trace; "
        "solve with L, transpose, solve with L again.",
    ),
)

# ---------------------------------------------------------------------------------------------------- 6 slopes

NO_SLOPES, ONE_PLACE = "no slopes", "value and slope at one place"

CLOSE = 1e-4  # times ℓ: the distance of two values from a slope between them


def draw_slopes(rng, k):
    """None to three values and none to three slopes, every fourth time two of them at one place."""
    n, m = (1, 2, 3, 2, 0, 3, 1, 0)[k % 8], (2, 3, 2, 1, 3, 2, 0, 2)[k % 8]
    x, x_slope = rng.uniform(-2, 2, n).round(1), rng.uniform(-2, 2, m).round(1)
    if k % 4 == 2:
        x_slope[:1] = x[0]
    return x, x_slope, *rng.uniform(0.6, 2.5, 2).round(2)


def with_close_values(x, x_slope, variance, lengthscale):
    """Two values more, close to the last slope, before it and after it; None if there is no slope."""
    if len(x_slope) == 0:
        return None
    step = CLOSE * lengthscale
    return np.array([x_slope[-1] - step, x_slope[-1] + step, *x]), x_slope, variance, lengthscale


def last_is_their_difference(one, other):
    """Whether the last row is in proportion to the second minus the first, and the entries have one ratio."""
    rise, last = other[1] - other[0], other[-1]
    return near(rise * (last @ last), last * (last @ rise), 1e-5 * (last @ last) * np.abs(rise).max())


slopes = Task(
    name="slopes",
    function="slope_blocks",
    arguments=("x", "x_slope", "variance", "lengthscale"),
    title="Task 6 · Slopes are answers too",
    stars=3,
    minutes=40,
    points=7,
    cases=(
        Case(HAND, (array(0), array(-0.4, 0.8), 9.0, 0.4)),
        Case(ONE_PLACE, (array(1.5), array(1.5), 9.0, 0.4), array([9, 0], [0, 56.25])),
        Case(NO_SLOPES, (array(0, 0.9), np.zeros(0), 0.49, 0.6)),
        Case("slopes only", (np.zeros(0), array(-0.5, 0.2, 1.9), 0.49, 0.6)),
        Case("three values, two slopes", (array(-1, 0.3, 2), array(0.7, -0.4), 2.25, 0.8)),
    ),
    draw=draw_slopes,
    mistakes=(
        Mistake(
            "as if a slope spoke of the other side",
            "When f rises at z, are the values to the right of z above those to the left, or below? The block has to "
            "say so.",
            wrong_functions=("sign of the cross block", "distance without its sign"),
        ),
        Mistake(
            "which is not symmetric",
            "Is a covariance matrix symmetric? The block below is the transposed block above.",
            wrong_functions=("antisymmetric", "antisymmetric, both turned", "lower block left out"),
        ),
        Mistake(
            "as if slopes and values were independent",
            "Does a slope tell nothing about the values to its left and right?",
            wrong_functions=("cross blocks left out",),
        ),
        Mistake(
            "as if a slope had another unit",
            "What unit has a slope, and so its covariance with a value, or with a slope? Count the powers of ℓ.",
            wrong_functions=(
                "cross not divided",
                "cross divided by ℓ",
                "ℓ² for ℓ⁴",
                "1 for 1/ℓ²",
                "1/ℓ for 1/ℓ²",
                "slopes as values",
            ),
        ),
        Mistake(
            "with another factor in the cross block",
            "What is the derivative of d²/2, and what remains of the ½?",
            wrong_functions=("cross halved", "cross doubled"),
        ),
        Mistake(
            "as if one factor were missing",
            "The chain rule: which two factors has the derivative of exp(g)?",
            wrong_functions=("outer derivative only", "inner derivative only"),
        ),
        Mistake(
            "with negative variances",
            "Differentiate by which of the two inputs, twice by the same, or once by each?",
            wrong_functions=("slope twice by one input",),
        ),
        Mistake(
            "with one part of the second derivative",
            "The product rule: after the first derivative there are two factors that depend on the other input. "
            "Which?",
            wrong_functions=("squares only", "squares only, positive", "curvature only", "square of the cross factor"),
        ),
        Mistake(
            "as if all slopes rose together",
            "Far apart on a hill, one slope up and the other down: which sign has their covariance?",
            wrong_functions=("terms added",),
        ),
        Mistake(
            "in which the values already have other covariances",
            "Is the kernel itself right? At a distance of ℓ it is σ_f² e^(−½).",
            wrong_functions=("exponent not halved", "ℓ for ℓ² in the kernel", "variance squared"),
        ),
        Mistake(
            "with the slopes first",
            "Which rows come first? Those of the values, then those of the slopes.",
            wrong_functions=("slopes first",),
        ),
        Mistake(
            "nearly right",
            "How many digits does a difference of two nearly equal numbers have, or an array of float32? "
            "Differentiate on paper: it is short.",
            when=lambda case, got: got.shape == case.expected.shape and near(got, case.expected, 1e-3),
        ),
    ),
    laws=(
        Law(
            "Put two values in front, close to the last slope on either side of it: their difference, divided by "
            "their distance, is that slope, and so its covariances are the last row.",
            "Which covariances do not fit together: those of values, of slopes with values, or of slopes?",
            with_close_values,
            last_is_their_difference,
        ),
        Law(
            "A covariance matrix is symmetric.",
            "Which block is not the transpose of its partner?",
            holds=lambda one, other: near(one, one.T),
        ),
        Law(
            "Double the variance: all covariances double.",
            "Which entries have another power of the variance?",
            lambda x, x_slope, variance, lengthscale: (x, x_slope, 2 * variance, lengthscale),
            times(2),
        ),
        Law(
            "Move all inputs by 1: nothing changes.",
            "Which entry depends on where the inputs are, and not on their differences alone?",
            lambda x, x_slope, variance, lengthscale: (x + 1, x_slope + 1, variance, lengthscale),
        ),
    ),
    hints=(
        "A derivative is a limit of differences, and covariances follow: cov(f(x), f′(z)) = ∂k(x, z)/∂z, and "
        "cov(f′(z), f′(z′)) = ∂²k(z, z′)/∂z ∂z′.",
        "With d = x − z: the derivative of −½ d²/ℓ² by z is +d/ℓ². So the cross block is k · d/ℓ². Check its sign: a "
        "rise at z makes the values to the right of z larger.",
        "Differentiate k(z, z′) · (z − z′)/ℓ² by z: the product rule gives k · (1/ℓ² − (z − z′)²/ℓ⁴). Then np.block.",
    ),
)

homework = Homework(exponential, posterior, loo, level, gradient, slopes, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
