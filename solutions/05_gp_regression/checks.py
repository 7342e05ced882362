"""The checks of homework 05: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_lib.homework import Case, Homework, Mistake, Task, near
from course_lib.homework.running import TimeUp


def array(*values):
    """A vector of numbers, or a matrix of rows."""
    return np.array(values, dtype=float)


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

# ----------------------------------------------------------------------------------------------- 1 exponential

LINE, TWICE = "on a line", "an input that is in both"
POWER = (
    "what another power of the distance gives",
    "Which power of the distance stands in the exponent? In the lecture it was the second; here it is the first.",
)
EXPONENT = (
    "as if the exponent had a unit",
    "Is the exponent unitless? Metres over metres, to the first power.",
)
DISTANCE = (
    "as if another distance had been taken",
    "How far is it from (0, 0) to (3, 4) as the crow flies? All coordinates count, with their squares, and then a "
    "root.",
)
AT_ZERO = (
    "as if the variance stood in another place or power",
    "What is k of an input and itself? variance, no more and no less.",
)
LOG_VARIANCE = (
    "with another derivative by log variance",
    "What does it do to K if log variance grows by a little? It is a factor before everything: by how many percent "
    "does each entry grow?",
)
LOG_LENGTHSCALE = (
    "with another derivative by log lengthscale",
    "The chain rule: dk/d log ℓ = ℓ · dk/dℓ, and what is the derivative of −r/ℓ by ℓ?",
)

exponential = Task(
    name="exponential",
    function="exponential_kernel",
    arguments=("x", "x2", "variance", "lengthscale"),
    title="Task 1 · A rough kernel",
    stars=1,
    minutes=20,
    points=4,
    cases=(
        Case(
            HAND,
            (array([0, 0], [3, 0]), array([3, 4]), 4.0, 2.5),
            (
                array([0.5413411329465], [0.8075860719786]),
                array([0.5413411329465], [0.8075860719786]),
                array([1.082682265893], [1.292137715166]),
            ),
        ),
        Case(
            LINE,
            (array([0.5], [-1], [4]), array([1], [-2.5]), 0.36, 0.8),
            (
                array(
                    [0.1926941142668, 0.008466388508163],
                    [0.0295505995046, 0.05520778806417],
                    [0.008466388508163, 0.0001065761028205],
                ),
                array(
                    [0.1926941142668, 0.008466388508163],
                    [0.0295505995046, 0.05520778806417],
                    [0.008466388508163, 0.0001065761028205],
                ),
                array(
                    [0.1204338214168, 0.03174895690561],
                    [0.07387649876151, 0.1035146026203],
                    [0.03174895690561, 0.0008659308354163],
                ),
            ),
        ),
        Case(
            TWICE,
            (array([2, 0, 1], [1, -1, 3]), array([0, 1, 0], [1, -1, 3]), 2.5, 1.7),
            (
                array([0.5918005631607, 0.5918005631607], [0.2767379632616, 2.5]),
                array([0.5918005631607, 0.5918005631607], [0.2767379632616, 2.5]),
                array([0.8527114171973, 0.8527114171973], [0.609093320258, 0]),
            ),
        ),
        Case("very far apart", (array([0], [1]), array([2000]), 9.0, 2.0), (array([0], [0]),) * 3),
    ),
    mistakes=(
        Mistake(
            *POWER,
            on={HAND: (array([0.5413411], [1.112149]), array([0.5413411], [1.112149]), array([2.165365], [2.847102]))},
        ),
        Mistake(
            *POWER,
            on={
                HAND: (
                    array([0.07326256], [0.309219]),
                    array([0.07326256], [0.309219]),
                    array([0.5861004], [1.583201]),
                )
            },
        ),
        Mistake(
            "as if the exponent were halved",
            "Is there a ½ in this kernel? There is no factor ½ before r/ℓ.",
            on={HAND: (array([1.471518], [1.797316]), array([1.471518], [1.797316]), array([1.471518], [1.437853]))},
        ),
        Mistake(
            *EXPONENT,
            on={HAND: (array([1.797316], [2.10917]), array([1.797316], [2.10917]), array([2.875705], [2.699737]))},
        ),
        Mistake(
            *EXPONENT,
            on={
                HAND: (
                    array([1.490661e-05], [0.0001815997]),
                    array([1.490661e-05], [0.0001815997]),
                    array([-0.0001863327], [-0.001815997]),
                )
            },
        ),
        Mistake(
            "as if the squared distance stood in the exponent",
            "Was a root forgotten? r is a distance, not its square.",
            on={
                HAND: (
                    array([0.0001815997], [0.006646229]),
                    array([0.0001815997], [0.006646229]),
                    array([0.001815997], [0.04253587]),
                )
            },
        ),
        Mistake(
            "as if it grew with the distance",
            "Should two inputs that are far apart have more in common than two that are close?",
            on={HAND: (array([29.55622], [19.81213]), array([29.55622], [19.81213]), array([-59.11245], [-31.69941]))},
        ),
        Mistake(
            *AT_ZERO,
            on={HAND: (array([2.165365], [3.230344]), array([4.330729], [6.460689]), array([4.330729], [5.168551]))},
        ),
        Mistake(
            *AT_ZERO,
            on={
                HAND: (
                    array([0.2706706], [0.403793]),
                    array([0.1353353], [0.2018965]),
                    array([0.5413411], [0.6460689]),
                )
            },
        ),
        Mistake(
            *AT_ZERO,
            on={
                HAND: (
                    array([0.1353353], [0.2018965]),
                    array([0.1353353], [0.2018965]),
                    array([0.2706706], [0.3230344]),
                )
            },
        ),
        Mistake(
            *DISTANCE,
            on={
                HAND: (
                    array([0.2432403], [0.8075861]),
                    array([0.2432403], [0.8075861]),
                    array([0.6810727], [1.292138]),
                )
            },
        ),
        Mistake(
            *DISTANCE,
            on={
                HAND: (array([0.8075861], [0.8075861]), array([0.8075861], [0.8075861]), array([1.292138], [1.292138]))
            },
        ),
        Mistake(*DISTANCE, on={HAND: (array([1.204777], [4]), array([1.204777], [4]), array([1.445732], [0]))}),
        Mistake(
            *LOG_VARIANCE,
            on={
                HAND: (array([0.5413411], [0.8075861]), array([0.1353353], [0.2018965]), array([1.082682], [1.292138]))
            },
        ),
        Mistake(
            *LOG_VARIANCE,
            on={HAND: (array([0.5413411], [0.8075861]), array([1.082682], [1.615172]), array([1.082682], [1.292138]))},
        ),
        Mistake(
            *LOG_VARIANCE,
            on={
                HAND: (array([0.5413411], [0.8075861]), array([0.7504582], [1.119552]), array([1.082682], [1.292138]))
            },
        ),
        Mistake(
            *LOG_LENGTHSCALE,
            on={
                HAND: (
                    array([0.5413411], [0.8075861]),
                    array([0.5413411], [0.8075861]),
                    array([0.4330729], [0.5168551]),
                )
            },
        ),
        Mistake(
            "with a sign turned",
            "With a longer lengthscale, do two inputs have more in common, or less?",
            on={
                HAND: (
                    array([0.5413411], [0.8075861]),
                    array([0.5413411], [0.8075861]),
                    array([-1.082682], [-1.292138]),
                )
            },
        ),
        Mistake(
            "with the derivative of a logarithm",
            "Of k, or of log k? Only the parameter is on a log scale.",
            on={HAND: (array([0.5413411], [0.8075861]), array([0.5413411], [0.8075861]), array([2], [1.6]))},
        ),
        Mistake(
            *LOG_LENGTHSCALE,
            on={
                HAND: (
                    array([0.5413411], [0.8075861]),
                    array([0.5413411], [0.8075861]),
                    array([0.5413411], [0.8075861]),
                )
            },
        ),
        Mistake(
            "with the derivative by something else",
            "By the distance, or by the logarithm of the lengthscale? The distance is given and stays.",
            on={
                HAND: (
                    array([0.5413411], [0.8075861]),
                    array([0.5413411], [0.8075861]),
                    array([-0.2165365], [-0.3230344]),
                )
            },
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
            "Is anything added to a kernel to make it safer? Noise and jitter come later, and belong to the answers.",
            when=lambda case, got: near(got, case.expected),
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
TRUST = (
    "as if the noises were exchanged or averaged",
    "Whom do you trust more? Every answer has its own entry on the diagonal.",
)
HALVES = (
    "with other factors in the evidence",
    "Which of the three terms are halved? Write down the log of a Gaussian density in n dimensions.",
)
LOG_DET = ("with another log determinant", "det C is det L to which power? And the half of it?")
PENALTY = (
    "as if the log determinant were missing or turned over",
    "Which term punishes flexibility? A prior that allows everything makes nothing probable.",
)
N_TIMES = (
    "with another power of 2π",
    "How many numbers are in y, and how many factors of √(2π) belong to them?",
)
HALF_WAY = (
    "as if the two triangular systems were not both solved, in this order",
    "L is half of the way: C = L Lᵀ. Which of the two is undone first?",
)
X400 = np.linspace(0, 6, 400)

posterior = Task(
    name="posterior",
    function="posterior",
    arguments=("K", "noise_std", "y", "K_cross", "prior_variance"),
    title="Task 2 · Every answer has its own noise",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(
            "one answer",
            (array([4]), array(1), array(5), array([2]), array(4)),
            (array(2), array(3.2), -4.223657489422),
        ),
        Case(
            HAND,
            (array([3, 2], [2, 4]), array(1, 2), array(6, -4), array([1], [3]), array(5)),
            (array(-1), array(3.857142857143), -11.5039793215),
        ),
        Case(
            ONE_ITEM,
            (array([4, 4], [4, 4]), array(0.5, 2), array(3, -2), array([4], [4]), array(4)),
            (array(2.555555555556), array(0.2222222222222), -7.088618500913),
        ),
        Case(
            THREE,
            (smooth(X3, X3, 1, 0.5), array(0.3, 0.3, 0.3), Y3, smooth(X3, AT_1, 1, 0.5), array(1)),
            (array(0.2367145640386), array(0.9661511269189), -4.976418429188),
        ),
        Case(
            SIX_THREE,
            (tilted(X6, X6), NOISE_6, Y6, tilted(X6, NEW), np.diag(tilted(NEW, NEW))),
            (
                array(2.458108994294, 0.8420301752935, -0.8892885128429),
                array(3.736737781511, 0.09702007946881, 0.6931716235986),
                -11.54245992461,
            ),
        ),
        Case(
            MANY,
            (
                smooth(X400, X400, 1, 0.5),
                0.1 + 0.05 * np.cos(np.arange(400)),
                np.sin(2 * X400),
                smooth(X400, array(1.23, 7), 1, 0.5),
                array(1, 1),
            ),
            (array(0.6304207085063, 0.09014206136774), array(0.0002717343190778, 0.8952565101391), 521.3092859644),
        ),
    ),
    mistakes=(
        Mistake(
            *UNIT,
            on={
                THREE: (array(0.199688), array(0.9716823), -4.927146),
                ONE_ITEM: (array(1.818182), array(0.3636364), -8.49137),
            },
        ),
        Mistake(*NO_NOISE, on={HAND: (array(-5), array(2.625), -20.8776)}),
        Mistake(*TRUST, on={HAND: (array(-1.732283), array(3.614173), -10.1495)}),
        Mistake(*TRUST, on={HAND: (array(-1.856833), array(3.559653), -10.54648)}),
        Mistake(*ALL_ENTRIES, on={HAND: (array(-2.142857), array(3.785714), -23.44312)}),
        Mistake(*ALL_ENTRIES, on={HAND: (array(-3.5), array(3.75), -20.22417)}),
        Mistake(*TRUST, on={HAND: (array(-3.884615), array(2.826923), -15.15881)}),
        Mistake(
            "as if each answer had been divided by its noise",
            "Does dividing y by its noise change its scale only? Then K no longer speaks of the same curve.",
            on={HAND: (array(-1.625), array(3.1875), -10.84917)},
        ),
        Mistake(
            "as if the noise were larger",
            "How often does the noise enter? Once, squared, on the diagonal.",
            on={HAND: (array(0.05882353), array(4.477941), -7.705969)},
        ),
        Mistake(
            "as if each answer counted by itself",
            "Do two copies of an answer count twice? α = C⁻¹ y sees what the others say already.",
            on={HAND: (array(-6), array(3.857143), -11.50398)},
        ),
        Mistake(*HALF_WAY, on={HAND: (array(-4.937254), array(3.857143), -11.50398)}),
        Mistake(*HALF_WAY, on={HAND: (array(-1.965733), array(3.857143), -11.50398)}),
        Mistake(*CURVE, on={HAND: (array(-1), array(6.357143), -11.50398)}),
        Mistake(*STANDARD_DEVIATION, on={HAND: (array(-1), array(1.963961), -11.50398)}),
        Mistake(
            "as if nothing had been answered",
            "What have the answers taught? The variance should be less than it was.",
            on={HAND: (array(-1), array(5), -11.50398)},
        ),
        Mistake(
            "more than the prior variance",
            "Can an answer make you less sure of a Gaussian? Something is subtracted.",
            on={HAND: (array(-1), array(6.142857), -11.50398)},
        ),
        Mistake(
            "the part of the variance that is gone",
            "What is explained, or what is left? What is left is asked for.",
            on={HAND: (array(-1), array(1.142857), -11.50398)},
        ),
        Mistake(
            "as if the prior variance had been read from K",
            "Is the prior variance the same everywhere? It is given for every new input.",
            on={HAND: (array(-1), array(1.857143), -11.50398)},
        ),
        Mistake(
            "a sum over the new inputs",
            "Which axis of K_cross counts the answers? That one is summed over.",
            when=lambda case, got: got[1].shape == case.inputs[2].shape != case.expected[1].shape,
        ),
        Mistake(*LOG_DET, on={HAND: (array(-1), array(3.857143), -10.67093)}),
        Mistake(*LOG_DET, on={HAND: (array(-1), array(3.857143), -13.17008)}),
        Mistake(*PENALTY, on={HAND: (array(-1), array(3.857143), -8.171775)}),
        Mistake(*PENALTY, on={HAND: (array(-1), array(3.857143), -9.837877)}),
        Mistake(*HALVES, on={HAND: (array(-1), array(3.857143), -19.50398)}),
        Mistake(*HALVES, on={HAND: (array(-1), array(3.857143), -23.00796)}),
        Mistake(
            "as if the square had been added",
            "Does data far from the prior become more probable by it?",
            on={HAND: (array(-1), array(3.857143), 4.496021)},
        ),
        Mistake(
            "as if y were 0 in the evidence",
            "Where do the answers enter the evidence? The same C for other answers cannot give the same.",
            on={HAND: (array(-1), array(3.857143), -3.503979)},
        ),
        Mistake(*N_TIMES, on={HAND: (array(-1), array(3.857143), -10.58504)}),
        Mistake(*N_TIMES, on={HAND: (array(-1), array(3.857143), -9.666102)}),
        Mistake(*N_TIMES, on={HAND: (array(-1), array(3.857143), -13.34186)}),
        Mistake(
            "the right evidence with the wrong sign",
            "Is it a cost or a log evidence? The larger, the better.",
            on={HAND: (array(-1), array(3.857143), 11.50398)},
        ),
        Mistake(
            "the evidence itself",
            "The evidence, or its logarithm? For many answers only the logarithm can be written down.",
            on={HAND: (array(-1), array(3.857143), 1.008986e-05)},
        ),
        Mistake(
            "a mean for one answer",
            "A mean over the answers, or all of them? The probability of all together is asked for.",
            on={HAND: (array(-1), array(3.857143), -5.75199)},
        ),
        Mistake(
            "because the determinant itself is too small for the computer",
            "How small is a product of 400 variances? Add logarithms: the diagonal of L has them.",
            on={HAND: (array(-1), array(27 / 7), -11.50398)},
            when=lambda case, got: case.name == MANY and np.isposinf(got[2]),
        ),
        Mistake(
            "nearly right",
            "The noise already makes C safe to factorise: what is jitter for? Here nothing has to be added.",
            when=lambda case, got: case.name != MANY and near(got, case.expected),
        ),
        Mistake(*FIRST_OF_THREE, when=lambda case, got: near(got, (*case.expected[1::-1], case.expected[2]))),
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
ITSELF = (
    "what a fit to all the answers gives",
    "Does y_i help to predict itself? Here it must not: it is the one that is left out.",
)
NOISE_WHERE = (
    "as if the noises belonged to other answers",
    "Whose noise is on the diagonal in row i? Every answer brings its own.",
)
DIAGONAL = (
    "as if C had been inverted entry by entry",
    "The diagonal of the inverse, or the inverse of the diagonal? Only the first knows of the other answers.",
)
ALPHA = (
    "as if α_i had another unit",
    "What unit has α_i = (C⁻¹ y)_i? It is y over a variance; which variance turns it into a difference of answers?",
)
TERMS = (
    "with another density",
    "Which terms has the log of one Gaussian density, and which of them are halved?",
)
LEFT_OVER = (
    "what is left over, not what is predicted",
    "The prediction, or what is left? y_i minus one is the other.",
)


def in_pairs(entry, other):
    """A matrix of 500 blocks of 2 × 2 along the diagonal: pairs that know nothing of the other pairs."""
    return np.kron(np.eye(500), array([entry, other], [other, entry]))


PAIR_NOISE = np.tile([0.5, 1.5], 500)
PAIR_Y = np.tile([1.0, -2.0, 0.5, 3.0], 250)
PAIR_MEANS = PAIR_Y.reshape(500, 2)[:, ::-1] * array(1.2 / 4.25, 1.2 / 2.25)
PAIR_VARIANCES = np.tile([2.25 - 1.44 / 4.25, 4.25 - 1.44 / 2.25], 500)

loo = Task(
    name="loo",
    function="leave_one_out",
    arguments=("K", "noise_std", "y"),
    title="Task 3 · Each answer from the others",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case("one answer", (array([4]), array(1), array(5)), (array(0), array(5), -4.223657489422)),
        Case(HAND, (array([3, 2], [2, 4]), array(1, 2), array(6, -4)), (array(-1, 3), array(3.5, 7), -13.93721362518)),
        Case(
            ONE_ITEM,
            (array([4, 4], [4, 4]), array(0.5, 2), array(3, -2)),
            (array(-1, 2.823529411765), array(2.25, 4.235294117647), -9.267356143697),
        ),
        Case(
            THREE,
            (smooth(X3, X3, 1, 0.5), array(0.3, 0.6, 0.2), Y3),
            (
                array(0.1990224911757, 0.1241608103043, 0.0004685011381513),
                array(1.076532617394, 1.343196553364, 1.039999916219),
                -4.568652551742,
            ),
        ),
        Case(
            SIX,
            (tilted(X6, X6), NOISE_6, Y6),
            (
                array(
                    0.4465497286338, 0.457658151474, 0.278806031276, 1.118404121575, 0.4800858891561, -0.7523082017643
                ),
                array(2.569857236758, 1.775179705367, 1.0415440474, 1.833676923069, 1.126701904987, 3.90144932012),
                -10.02062260173,
            ),
        ),
        Case(
            LARGE,
            (in_pairs(2, 1.2), PAIR_NOISE, PAIR_Y),
            (PAIR_MEANS.ravel(), PAIR_VARIANCES, -2050.721141553),
        ),
    ),
    mistakes=(
        Mistake(*ITSELF, on={HAND: (array(4, 0), array(1.714286, 5.714286), -5.545527)}),
        Mistake(*ITSELF, on={HAND: (array(4, 0), array(0.7142857, 1.714286), -9.405806)}),
        Mistake(
            "as if y_i had been observed as 0",
            "Is an answer of 0 the same as no answer? Row and column i have to go as well.",
            on={HAND: (array(-0.2857143, 1.714286), array(1.714286, 5.714286), -17.35981)},
        ),
        Mistake(
            "what the answers before each one predict",
            "Which answers does L know in row i? Only those up to i. The others are missing.",
            on={HAND: (array(0, 3), array(4, 7), -11.50398)},
        ),
        Mistake(
            "what was known before any answer",
            "What do the other answers tell you about this one?",
            on={HAND: (array(0, 0), array(4, 8), -9.070745)},
        ),
        Mistake(*CURVE, on={HAND: (array(-1, 3), array(2.5, 3), -20.812)}),
        Mistake(
            "as if the noise had been added twice",
            "Is the noise of y_i already in it? C has it on its diagonal.",
            on={HAND: (array(-1, 3), array(4.5, 11), -11.46058)},
        ),
        Mistake(
            "with the diagonal of the inverse as it is",
            "A precision, or a variance? What unit has C⁻¹?",
            on={HAND: (array(-1, 3), array(0.2857143, 0.1428571), -257.4885)},
        ),
        Mistake(*STANDARD_DEVIATION, on={HAND: (array(-1, 3), array(1.870829, 2.645751), -24.99348)}),
        Mistake(*STANDARD_DEVIATION, on={HAND: (array(-1, 3), array(1.870829, 2.645751), -13.93721)}),
        Mistake(
            "as if each answer were pushed away from the others",
            "In which direction is y_i pulled when it is left out? Towards what the others say.",
            on={HAND: (array(13, -11), array(3.5, 7), -13.93721)},
        ),
        Mistake(*ALPHA, on={HAND: (array(5.428571, -3.857143), array(3.5, 7), -3.485319)}),
        Mistake(*ALPHA, on={HAND: (array(4, -3), array(3.5, 7), -4.080071)}),
        Mistake(*LEFT_OVER, on={HAND: (array(7, -7), array(3.5, 7), -13.93721)}),
        Mistake(*LEFT_OVER, on={HAND: (array(7, -7), array(3.5, 7), -4.222928)}),
        Mistake(*DIAGONAL, on={HAND: (array(5.5, -3.875), array(0.25, 0.125), -0.6675091)}),
        Mistake(*DIAGONAL, on={HAND: (array(-2, 4), array(4, 8), -15.57075)}),
        Mistake(*NO_NOISE, on={HAND: (array(-2, 4), array(2, 2.666667), -30.67487)}),
        Mistake(
            *UNIT,
            on={
                THREE: (array(0.1691691, 0.1041041, 0.0004010425), array(1.288553, 1.585911, 1.2), -4.606402),
                ONE_ITEM: (array(-1.333333, 2.666667), array(1.833333, 2.444444), -12.16361),
            },
        ),
        Mistake(*NOISE_WHERE, on={HAND: (array(-1.230769, 2.181818), array(4.884615, 5.772727), -12.16935)}),
        Mistake(*NOISE_WHERE, on={HAND: (array(-1.6, 3), array(3.2, 7), -15.91741)}),
        Mistake(
            "the log evidence in the end",
            "All together, or each given the others? Here n densities of one answer each are added.",
            on={HAND: (array(-1, 3), array(3.5, 7), -11.50398)},
        ),
        Mistake(
            "a mean in the end",
            "A total, or a mean over the answers? The total is asked for.",
            on={HAND: (array(-1, 3), array(3.5, 7), -6.968607)},
        ),
        Mistake(*TERMS, on={HAND: (array(-1, 3), array(3.5, 7), -12.09934)}),
        Mistake(*TERMS, on={HAND: (array(-1, 3), array(3.5, 7), -12.33788)}),
        Mistake(*TERMS, on={HAND: (array(-1, 3), array(3.5, 7), -15.53655)}),
        Mistake(*TERMS, on={HAND: (array(-1, 3), array(3.5, 7), -49)}),
        Mistake(
            "with a variance where a standard deviation belongs",
            "What unit has scale? scipy's norm wants a standard deviation.",
            on={HAND: (array(-1, 3), array(3.5, 7), -7.53655)},
        ),
        Mistake(
            "a product of densities",
            "The probability, or its logarithm?",
            on={HAND: (array(-1, 3), array(3.5, 7), 8.854112e-07)},
        ),
        Mistake(
            "the right total with the wrong sign",
            "Is it a cost or a log probability? The larger, the better.",
            on={HAND: (array(-1, 3), array(3.5, 7), 13.93721)},
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

GLS = (
    "as if every answer told something new",
    "Do two answers that say the same thing count twice? The weights have to know of the correlations: that is C⁻¹.",
)
CENTRED = (
    "as if the level were 0",
    "Far from all answers, what does the prior say? Subtract the level, predict what is left, add the level again.",
)
SUM_TO_ONE = (
    "as if it were divided by something else",
    "Do your weights sum to 1? If all answers are 7, the level must be 7.",
)
KNOWN = (
    "as if the level were known, or its uncertainty made one surer",
    "How sure are you of the level? Not knowing it can only add to the variance.",
)
SHARE = (
    "as if another share of the level's uncertainty arrived there",
    "How much of the level is left open at a new input? 1 − 1ᵀ C⁻¹ k; and what happens to a variance if a number is "
    "multiplied by this?",
)
NOT_THE_CURVE = (
    "as if the answers were the curve",
    "Is an answer the curve itself? Its covariance has the noise on the diagonal.",
)
FARAWAY = "far from all answers"

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
            (70.87365007556, array(70.87365007556), array(1.408222393816)),
            1e-6,
        ),
        Case(
            ONE_ITEM,
            (array([4, 4], [4, 4]), array(0.5, 2), array(63, 58), array([4, 1], [4, 1]), array(4, 6)),
            (62.70588235294, array(62.70588235294, 62.70588235294), array(0.2352941176471, 8.235294117647)),
            1e-6,
        ),
        Case(
            SIX_THREE,
            (tilted(X6, X6), NOISE_6, Y6 + 20, tilted(X6, NEW), np.diag(tilted(NEW, NEW))),
            (
                20.66677063957,
                array(23.25338784626, 20.83336880177, 19.16719944919),
                array(4.859184325998, 0.09715321694972, 0.6988345199506),
            ),
            1e-6,
        ),
    ),
    mistakes=(
        Mistake(*CENTRED, on={HAND: (0, array(2.428571), array(3.857143))}),
        Mistake(*CENTRED, on={HAND: (8, array(2.428571), array(5))}),
        Mistake(
            "as if the level had been added to y once more",
            "Was anything subtracted before the level was added?",
            on={HAND: (8, array(10.42857), array(5))},
        ),
        Mistake(*CENTRED, on={HAND: (8, array(-1), array(5))}),
        Mistake(
            "the level everywhere",
            "What do the answers nearby say, beyond the level?",
            on={HAND: (8, array(8), array(5))},
        ),
        Mistake(
            *GLS,
            on={
                HAND: (7, array(6.428571), array(5)),
                SIX_THREE: (20.48333, array(23.0346, 20.83575, 19.15166), array(4.859184, 0.09715322, 0.6988345)),
            },
        ),
        Mistake(
            *GLS,
            on={
                HAND: (7, array(6.428571), array(5)),
                SIX_THREE: (20.7, array(23.29302, 20.83294, 19.17001), array(4.859184, 0.09715322, 0.6988345)),
            },
        ),
        Mistake(*GLS, on={HAND: (8.2, array(7.114286), array(5))}),
        Mistake(
            "as if C stood where its inverse belongs",
            "C or C⁻¹, whose rows are the weights? A noisy answer must weigh less, not more.",
            on={HAND: (6.5, array(6.142857), array(5))},
        ),
        Mistake(*SUM_TO_ONE, on={HAND: (1.142857, array(3.081633), array(5))}),
        Mistake(*SUM_TO_ONE, on={HAND: (2.285714, array(3.734694), array(5))}),
        Mistake(*NOT_THE_CURVE, on={HAND: (7.666667, array(6.809524), array(5))}),
        Mistake(*NOT_THE_CURVE, on={HAND: (7.666667, array(5), array(3))}),
        Mistake(
            *UNIT,
            on={
                SIX_THREE: (20.65418, array(23.11016, 20.82872, 19.19439), array(5.027298, 0.1841429, 0.8555498)),
                ONE_ITEM: (62, array(62, 62), array(0.4, 8.4)),
            },
        ),
        Mistake(*KNOWN, on={HAND: (8, array(7), array(3.857143))}),
        Mistake(*SHARE, on={HAND: (8, array(7), array(7.357143))}),
        Mistake(*SHARE, on={HAND: (8, array(7), array(5.857143))}),
        Mistake(*SHARE, on={HAND: (8, array(7), array(4.5))}),
        Mistake(
            "as if more answers made the level less certain",
            "Does more data make the level more certain, or less? 1ᵀ C⁻¹ 1 grows with it.",
            on={HAND: (8, array(7), array(3.950437))},
        ),
        Mistake(*KNOWN, on={HAND: (8, array(7), array(2.714286))}),
        Mistake(
            "as if it were divided once too often",
            "What unit has 1ᵀ C⁻¹ 1? It is one over a variance; once is enough.",
            on={HAND: (8, array(7), array(7.857143))},
        ),
        Mistake(*STANDARD_DEVIATION, on={HAND: (8, array(7), array(2.236068))}),
        Mistake(*CURVE, on={HAND: (8, array(7), array(7.5))}),
        Mistake(
            "with a mean of the predictions for the level",
            "Of the predictions, or of the model? The level comes from y alone, wherever you predict.",
            on={
                HAND: (7, array(7), array(5)),
                ONE_ITEM: (62.70588, array(62.70588, 62.70588), array(0.2352941, 8.235294)),
            },
        ),
    ),
    hints=(
        "Three steps. The level by generalised least squares, (1ᵀ C⁻¹ y) / (1ᵀ C⁻¹ 1) with C = K + diag(noise_std²). "
        "Then an ordinary prediction from y minus this level. Then the level is added again.",
        "The variance is the ordinary one plus what the level's own uncertainty adds: the level has the variance "
        "1 / (1ᵀ C⁻¹ 1), and a share 1 − 1ᵀ C⁻¹ k of an error in it arrives at the new input.",
        "With L W = 1 and L V = K_cross: 1ᵀ C⁻¹ 1 = WᵀW and 1ᵀ C⁻¹ k = VᵀW. A share enters a variance squared.",
    ),
)

# -------------------------------------------------------------------------------------------------- 5 gradient

ALONE = "the noise alone"
BOTH = (
    "as if one of the two terms were missing or turned round",
    "Two terms pull against each other, fit and complexity: which has a plus, and which a minus?",
)
HALF = (
    "with another factor",
    "Which ½ belongs to which term? Both terms of the log evidence have one, and log σ gives a 2 back.",
)
LOG_NOISE = (
    "with the derivative by something else than log σ",
    "What is the derivative of σ² by log σ? And what is dC then?",
)
TRACE = (
    "as if the trace were another sum",
    "What is a trace of a product? tr(A B) = Σ_ij A_ij B_ji: write it out for 2 × 2.",
)
TWO_ALPHAS = (
    "as if C⁻¹ stood there too rarely",
    "How often does C⁻¹ stand around dK when yᵀ C⁻¹ y is differentiated? Once on each side.",
)
SLOPES_3 = np.stack([smooth(X3, X3, 1.7, 0.5), smooth(X3, X3, 1.7, 0.5) * (X3[:, None] - X3) ** 2 / 0.25])
PARTS_6 = np.stack([np.outer(X6, X6), smooth(X6, X6, 2, 0.7), smooth(X6, X6, 0.3, 2) * np.outer(Y6, Y6)])

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
        Case(ALONE, (array([3, 2], [2, 4]), np.zeros((0, 2, 2)), 0.5, array(6, -4)), array(4.345571828472)),
        Case(
            THREE,
            (smooth(X3, X3, 1.7, 0.5), SLOPES_3, 0.3, Y3),
            array(-0.2085203810282, 0.4800639519028, -0.03478623622194),
        ),
        Case(
            "six answers, three parameters",
            (PARTS_6.sum(axis=0), PARTS_6, 0.6, Y6),
            array(-0.2628501661784, -0.8677311608598, 0.2762390939923, -1.329565954346),
        ),
    ),
    mistakes=(
        Mistake(*HALF, on={HAND: array(0.4444444, 31.11111)}),
        Mistake(*HALF, on={HAND: array(0.4444444, 15.55556)}),
        Mistake(*HALF, on={HAND: array(-0.05555556, 14.11111)}),
        Mistake(
            "the right numbers with the wrong sign",
            "Uphill, or downhill? The gradient of the log evidence is asked for, not that of a cost.",
            when=lambda case, got: near(got, -case.expected),
        ),
        Mistake(*BOTH, on={HAND: array(0.5, 17)}),
        Mistake(*BOTH, on={HAND: array(-0.2777778, -1.444444)}),
        Mistake(*BOTH, on={HAND: array(0.7777778, 18.44444)}),
        Mistake(*BOTH, on={HAND: array(-0.7777778, -18.44444)}),
        Mistake(*LOG_NOISE, on={HAND: array(0.2222222, 7.777778), THREE: array(-0.2085204, 0.480064, -0.1159541)}),
        Mistake(*LOG_NOISE, on={HAND: array(0.2222222, 7.777778), THREE: array(-0.2085204, 0.480064, -0.01739312)}),
        Mistake(*LOG_NOISE, on={HAND: array(0.2222222, 1.944444), THREE: array(-0.2085204, 0.480064, -0.1932569)}),
        Mistake(*LOG_NOISE, on={HAND: array(0.2222222, 31.11111), THREE: array(-0.2085204, 0.480064, -0.06957247)}),
        Mistake(*LOG_NOISE, on={HAND: array(0.2222222, 3.888889), THREE: array(-0.2085204, 0.480064, -0.05797706)}),
        Mistake(*UNIT, on={HAND: array(0.4693878, 63.55102)}),
        Mistake(*NO_NOISE, on={THREE: array(-0.1641635, 0.5239957, -0.03125253)}),
        Mistake(*ALL_ENTRIES, on={THREE: array(-0.2779254, 0.4561659, -0.04151178)}),
        Mistake(*TRACE, on={HAND: array(0.1111111, 15.55556)}),
        Mistake(*TRACE, on={HAND: array(-0.4027778, 14.11111)}),
        Mistake(*TRACE, on={HAND: array(0, 16)}),
        Mistake(*TRACE, on={HAND: array(-2, 9)}),
        Mistake(*TRACE, on={HAND: array(0.5, 16.88889)}),
        Mistake(*TWO_ALPHAS, on={HAND: array(40.22222, 322.5556)}),
        Mistake(*TWO_ALPHAS, on={HAND: array(4.222222, 70.55556)}),
        Mistake(
            "as if dK were diagonal",
            "Where are the entries beside the diagonal of dK? αᵀ dK α uses them all.",
            on={HAND: array(2.222222, 15.55556)},
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
            "How many digits does a difference of two nearly equal numbers have? The formula has all of them.",
            when=lambda case, got: got.shape == case.expected.shape and near(got, case.expected, 1e-2),
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
SIGN = (
    "as if a slope spoke of the other side",
    "When f rises at z, are the values to the right of z above those to the left, or below? The block has to say so.",
)
MIRROR = (
    "which is not symmetric",
    "Is a covariance matrix symmetric? The block below is the transposed block above.",
)
SLOPE_UNIT = (
    "as if a slope had another unit",
    "What unit has a slope, and so its covariance with a value, or with a slope? Count the powers of ℓ.",
)
FACTOR = (
    "with another factor in the cross block",
    "What is the derivative of d²/2, and what remains of the ½?",
)
CHAIN = ("as if one factor were missing", "The chain rule: which two factors has the derivative of exp(g)?")
PRODUCT = (
    "with one part of the second derivative",
    "The product rule: after the first derivative there are two factors that depend on the other input. Which?",
)
KERNEL = (
    "in which the values already have other covariances",
    "Is the kernel itself right? At a distance of ℓ it is σ_f² e^(−½).",
)

slopes = Task(
    name="slopes",
    function="slope_blocks",
    arguments=("x", "x_slope", "variance", "lengthscale"),
    title="Task 6 · Slopes are answers too",
    stars=3,
    minutes=40,
    points=7,
    cases=(
        Case(
            HAND,
            (array(0), array(-0.4, 0.8), 9.0, 0.4),
            array(
                [9, 13.64693984353, -6.090087745648],
                [13.64693984353, 56.25, -4.999048442209],
                [-6.090087745648, -4.999048442209, 56.25],
            ),
        ),
        Case(ONE_PLACE, (array(1.5), array(1.5), 9.0, 0.4), array([9, 0], [0, 56.25])),
        Case(
            NO_SLOPES, (array(0, 0.9), np.zeros(0), 0.49, 0.6), array([0.49, 0.1590797090056], [0.1590797090056, 0.49])
        ),
        Case(
            "slopes only",
            (np.zeros(0), array(-0.5, 0.2, 1.9), 0.49, 0.6),
            array(
                [1.361111111111, -0.2488702066395, -0.00684902865301],
                [-0.2488702066395, 1.361111111111, -0.1727833158681],
                [-0.00684902865301, -0.1727833158681, 1.361111111111],
            ),
        ),
        Case(
            "three values, two slopes",
            (array(-1, 0.3, 2), array(0.7, -0.4), 2.25, 0.8),
            array(
                [2.25, 0.6008666292593, 0.001988609190604, -0.6250229373913, -1.592239785446],
                [0.6008666292593, 2.25, 0.2353027529003, -1.24101126926, 1.678213567382],
                [0.001988609190604, 0.2353027529003, 2.25, 1.220510340683, 0.09373215829142],
                [-0.6250229373913, -1.24101126926, 1.220510340683, 3.515625, -1.216615719079],
                [-1.592239785446, 1.678213567382, 0.09373215829142, -1.216615719079, 3.515625],
            ),
        ),
    ),
    mistakes=(
        Mistake(
            *SIGN,
            on={HAND: array([9, -13.64694, 6.090088], [-13.64694, 56.25, -4.999048], [6.090088, -4.999048, 56.25])},
        ),
        Mistake(
            *MIRROR,
            on={HAND: array([9, 13.64694, -6.090088], [-13.64694, 56.25, -4.999048], [6.090088, -4.999048, 56.25])},
        ),
        Mistake(
            *MIRROR,
            on={HAND: array([9, -13.64694, 6.090088], [13.64694, 56.25, -4.999048], [-6.090088, -4.999048, 56.25])},
        ),
        Mistake(*MIRROR, on={HAND: array([9, 13.64694, -6.090088], [0, 56.25, -4.999048], [0, -4.999048, 56.25])}),
        Mistake(
            "as if slopes and values were independent",
            "Does a slope tell nothing about the values to its left and right?",
            on={HAND: array([9, 0, 0], [0, 56.25, -4.999048], [0, -4.999048, 56.25])},
        ),
        Mistake(
            *SIGN,
            on={HAND: array([9, 13.64694, 6.090088], [13.64694, 56.25, -4.999048], [6.090088, -4.999048, 56.25])},
        ),
        Mistake(
            *SLOPE_UNIT,
            on={HAND: array([9, 2.18351, -0.974414], [2.18351, 56.25, -4.999048], [-0.974414, -4.999048, 56.25])},
        ),
        Mistake(
            *SLOPE_UNIT,
            on={HAND: array([9, 5.458776, -2.436035], [5.458776, 56.25, -4.999048], [-2.436035, -4.999048, 56.25])},
        ),
        Mistake(
            *FACTOR,
            on={HAND: array([9, 6.82347, -3.045044], [6.82347, 56.25, -4.999048], [-3.045044, -4.999048, 56.25])},
        ),
        Mistake(
            *FACTOR,
            on={HAND: array([9, 27.29388, -12.18018], [27.29388, 56.25, -4.999048], [-12.18018, -4.999048, 56.25])},
        ),
        Mistake(
            *CHAIN,
            on={HAND: array([9, 5.458776, 1.218018], [5.458776, 56.25, -4.999048], [1.218018, -4.999048, 56.25])},
        ),
        Mistake(*CHAIN, on={HAND: array([9, 2.5, -5], [2.5, 56.25, -4.999048], [-5, -4.999048, 56.25])}),
        Mistake(
            "with negative variances",
            "Differentiate by which of the two inputs, twice by the same, or once by each?",
            on={HAND: array([9, 13.64694, -6.090088], [13.64694, -56.25, 4.999048], [-6.090088, 4.999048, -56.25])},
        ),
        Mistake(
            *PRODUCT, on={HAND: array([9, 13.64694, -6.090088], [13.64694, -0, -5.623929], [-6.090088, -5.623929, -0])}
        ),
        Mistake(
            *PRODUCT, on={HAND: array([9, 13.64694, -6.090088], [13.64694, 0, 5.623929], [-6.090088, 5.623929, 0])}
        ),
        Mistake(
            *PRODUCT,
            on={HAND: array([9, 13.64694, -6.090088], [13.64694, 56.25, 0.6248811], [-6.090088, 0.6248811, 56.25])},
        ),
        Mistake(
            "as if all slopes rose together",
            "Far apart on a hill, one slope up and the other down: which sign has their covariance?",
            on={HAND: array([9, 13.64694, -6.090088], [13.64694, 56.25, 6.248811], [-6.090088, 6.248811, 56.25])},
        ),
        Mistake(
            *SLOPE_UNIT,
            on={HAND: array([9, 13.64694, -6.090088], [13.64694, 56.25, -0.2749477], [-6.090088, -0.2749477, 56.25])},
        ),
        Mistake(
            *SLOPE_UNIT,
            on={HAND: array([9, 13.64694, -6.090088], [13.64694, 9, -0.7998478], [-6.090088, -0.7998478, 9])},
        ),
        Mistake(
            *SLOPE_UNIT,
            on={HAND: array([9, 13.64694, -6.090088], [13.64694, 22.5, -1.999619], [-6.090088, -1.999619, 22.5])},
        ),
        Mistake(
            *SLOPE_UNIT,
            on={HAND: array([9, 13.64694, -6.090088], [13.64694, 9, 0.09998097], [-6.090088, 0.09998097, 9])},
        ),
        Mistake(
            *PRODUCT, on={HAND: array([9, 13.64694, -6.090088], [13.64694, 0, 0.5622859], [-6.090088, 0.5622859, 0])}
        ),
        Mistake(
            *KERNEL,
            on={
                HAND: array(
                    [9, 8.277287, -0.8242037], [8.277287, 56.25, -0.05553441], [-0.8242037, -0.05553441, 56.25]
                )
            },
        ),
        Mistake(
            *KERNEL,
            on={HAND: array([9, 18.42144, -20.2198], [18.42144, 56.25, -74.3845], [-20.2198, -74.3845, 56.25])},
        ),
        Mistake(
            *KERNEL,
            on={HAND: array([81, 122.8225, -54.81079], [122.8225, 506.25, -44.99144], [-54.81079, -44.99144, 506.25])},
        ),
        Mistake(
            "with the slopes first",
            "Which rows come first? Those of the values, then those of the slopes.",
            on={HAND: array([56.25, -4.999048, 13.64694], [-4.999048, 56.25, -6.090088], [13.64694, -6.090088, 9])},
        ),
        Mistake(
            "nearly right",
            "How many digits does a difference of two nearly equal numbers have? Differentiate on paper: it is short.",
            when=lambda case, got: got.shape == case.expected.shape and near(got, case.expected, 1e-3),
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

homework = Homework(exponential, posterior, loo, level, gradient, slopes)
check, hint, overview, waits_for = homework.check, homework.hint, homework.overview, homework.waits_for
