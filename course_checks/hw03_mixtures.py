"""The checks of homework 03: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, near, not_finite, times, whole


def table(*rows):
    """Rows of numbers: one row for each point."""
    return np.array(rows, dtype=float)


def random_weights(rng, n):
    """n different weights that add up to 1."""
    weights = rng.permutation(np.arange(1.0, n + 1)) + rng.uniform(0, 0.5, n).round(1)
    return weights / weights.sum()


def random_gaussians(rng, n, least=0.4):
    """Weights, means and standard deviations of n Gaussians round 0."""
    return random_weights(rng, n), rng.normal(0, 5, n).round(1), rng.uniform(least, 4, n).round(1)


def halved(*components):
    """Arrays with an entry for each component, whose first is written twice with half of its weight."""
    weights, *others = (np.concatenate([one[:1], one]) for one in components)
    weights[:2] /= 2
    return weights, *others


def shaped(index, shape):
    """A rule: one part of the answer has the shape that `shape(expected part)` says."""
    return lambda case, got: got[index].shape == shape(case.expected[index])


def sums_over_points(case, got):
    """Whether the columns of responsibilities add up to 1 where the rows should."""
    return got.shape == case.expected.shape and near(got.sum(axis=0), np.ones(got.shape[1]))


def turned(case, got):
    """Whether responsibilities came out with a row for each component."""
    gamma, expected = (one[0] if isinstance(one, tuple) else one for one in (got, case.expected))
    return near(gamma, expected.T)


PER_POINT = "For one point, what must add up to 1? The responsibilities of all components, along its row."
STD = (
    "as if the standard deviations had been taken for something else",
    "How many σ is the point away from μ? That number is squared; σ itself is what is given, not σ².",
)
UNWEIGHTED = (
    "as if all components were equally frequent",
    "Which component would you bet on for a point before it is seen? That is what the weights say.",
)
UNDERFLOW = (
    "because a density that is too small for the computer becomes 0",
    "How small is exp(−1500) for the computer, and what is its log then? Stay with logs until the largest is out.",
)
LOGARITHM = ("as if the logarithm had another base", "Which logarithm undoes exp?")
MEAN = ("the right total divided by a number of points", "Is a mean asked for, or a total?")
WEIGHTS_SUM = ("with weights that do not add up to 1", "What must the weights add up to?")
WEIGHTS_FIXED = ("with weights that the data did not choose", "Where do the data change π? Who owns how many points?")
OWN_COUNT = (
    "as if a sum for one component had been divided by something else than its own N_k",
    "By what is the sum for component k divided? By the number of points that it owns.",
)
ALL_COMPONENTS = (
    "as if every component had to produce every point",
    "Is the point made by all components, or by one of them? Probabilities of alternatives add up; their logs do not.",
)
NORMALISED = ("as if the responsibilities had been summed", "What do a point's responsibilities always sum to?")
HEIGHT = (
    "as if a part of the Gaussian's constant were missing",
    "What is the area under your bell? It must be 1, for a narrow one as for a wide one.",
)

# --------------------------------------------------------------------------------------------------- 1 garbage

SCATTERED = ((3, 1, 6), (4, 2, 6), (3, 3, 8), (2, 2, 300), (5, 2, 9), (2, 3, 200))  # points, Gaussians, spread


def draw_garbage(rng, k):
    """Points between Gaussians, in the range of the garbage and outside; every fourth time at both of its ends."""
    points, n, spread = SCATTERED[k % len(SCATTERED)]
    x, low = rng.normal(0, spread, points).round(1), round(rng.normal(-9, 2), 1)
    high = low + (18.5, 14.0, 0.4, 21.0, 9.5)[k % 5]
    if k % 4 == 0:
        x[:2] = low, high
    weights, means, stds = random_gaussians(rng, n)
    garbage_weight = (0.1, 0.2, 0.35)[k % 3]
    return x, (1 - garbage_weight) * weights, means, stds, garbage_weight, low, high


garbage = Task(
    name="garbage",
    function="responsibilities_with_garbage",
    arguments=("x", "weights", "means", "stds", "garbage_weight", "low", "high"),
    title="Task 1 · A component for garbage",
    stars=1,
    minutes=25,
    points=4,
    cases=(
        Case("one Gaussian", (array(1), array(0.7), array(2), array(0.5), 0.3, -4.0, 16.0)),
        Case("by hand", (array(3, 6), array(0.5, 0.3), array(2, 5), array(0.5, 2), 0.2, -5.0, 20.0)),
        Case(
            "three Gaussians",
            (
                array(-6, 0.5, 4.5, 11),
                array(0.1, 0.5, 0.25),
                array(-3, 1, 6),
                array(1.5, 0.6, 3),
                0.15,
                -8.0,
                12.0,
            ),
        ),
        Case(
            "outside the range of the garbage",
            (array(-7, 4, 25), array(0.55, 0.35), array(1, 9), array(3, 5), 0.1, -5.0, 20.0),
        ),
        Case(
            "very far outside",
            (array(130, -90), array(0.3, 0.6), array(10, 10.1), array(2, 2.0), 0.1, 0.0, 40.0),
        ),
        Case(
            "at the ends of the range, and far outside",
            (array(-5, 20, 3, 130), array(0.5, 0.3), array(2, 5), array(0.5, 2), 0.2, -5.0, 20.0),
        ),
    ),
    draw=draw_garbage,
    mistakes=(
        Mistake(
            "the right numbers with a row for each component",
            "One row for each point is wanted. What does .T do?",
            when=turned,
        ),
        Mistake("as if the responsibilities of one component added up to 1", PER_POINT, when=sums_over_points),
        Mistake(*STD, wrong_functions=("standard deviations as variances", "standard deviations squared twice")),
        Mistake(
            *UNWEIGHTED,
            wrong_functions=("no weights at all", "Gaussians without their weights", "garbage without its weight"),
        ),
        Mistake(
            "as if the uniform density had another height",
            "What is the area under the uniform density? Its width is high − low.",
            wrong_functions=("uniform density 1", "uniform density high − low"),
        ),
        Mistake(*HEIGHT, wrong_functions=("no 1/σ, no 1/√(2π)", "no 1/√(2π)")),
        Mistake(
            "as if distance made a point more probable",
            "Should a point far from μ be more probable, or less? Look at the sign of the exponent.",
            wrong_functions=("sign of the exponent",),
        ),
        Mistake(*UNDERFLOW, when=not_finite),
        Mistake(
            "where nobody is responsible for the far points",
            "Whose is a point that every component finds impossible in numbers? Its shares add up to 1: compare logs.",
            when=lambda case, got: (
                got.shape == case.expected.shape and np.isclose(got.sum(axis=1), 0).any() and (got >= 0).all()
            ),
        ),
        Mistake(
            "the logarithms of the right numbers",
            "What undoes the logarithm? The task asks for the responsibilities themselves.",
            when=lambda case, got: near(np.exp(np.minimum(got, 0)), case.expected) and (got <= 0).all(),
        ),
        Mistake(
            "as if the garbage had made what every density finds impossible in numbers",
            "What is the density of the garbage outside [low, high]? Whose is a point if all densities are 0 for the "
            "computer, and only one of them is 0 in truth? Compare the logs.",
            wrong_functions=("garbage where all underflow",),
        ),
        Mistake(
            "as if garbage could be anywhere",
            "What is the density of the garbage outside [low, high]? Nothing is uniform over the whole line.",
            wrong_functions=("garbage everywhere",),
        ),
        Mistake(
            "the right numbers with the garbage in front",
            "In which column does the garbage stand? In the last one.",
            when=lambda case, got: got.shape == case.expected.shape and near(np.roll(got, -1, axis=1), case.expected),
        ),
        Mistake(
            "a decision for each point",
            "Is a responsibility a probability, or a decision? At 3 in the case by hand nothing is certain.",
            wrong_functions=("hard decisions",),
        ),
        Mistake(
            "the responsibilities of the Gaussians alone",
            "How many components are there? The garbage is one of them and has a column.",
            when=lambda case, got: got.ndim == 2 and near(got, case.expected[:, :-1]),
        ),
        Mistake(
            "with rows that do not add up to 1",
            "What must the numbers of one row add up to? Divide by their sum.",
            when=lambda case, got: (
                got.shape == case.expected.shape and not near(got.sum(axis=1), np.ones(len(got))) and (got >= 0).all()
            ),
        ),
    ),
    hints=(
        "It is Bayes' rule with K + 1 components. Make the table of log(weight × density) first, a row for each point "
        "and a column for each component; the garbage is a column like the others.",
        "In the column of the garbage stands log(garbage_weight) − log(high − low) where low ≤ x ≤ high and −np.inf "
        "elsewhere: np.where chooses. np.exp(−np.inf) is 0, which is just right.",
        "Take the largest log of each row out before np.exp: it cancels when you divide by the sum of the row. "
        "logs.max(axis=1, keepdims=True) keeps the shape that you need.",
    ),
    asks={
        "at the ends of the range, and far outside": "What is the density of the garbage at −5 and at 20, the ends of "
        "its range, and what at 130?"
    },
    laws=(
        Law(
            "Measure x in a unit that is a tenth (points, means, standard deviations and both ends of the range 10 "
            "times as large): the responsibilities stay.",
            "Is each density 1 divided by a length? And is a number added to a length?",
            lambda x, weights, means, stds, rest, low, high: (
                *(10 * x, weights, 10 * means, 10 * stds),
                *(rest, 10 * low, 10 * high),
            ),
        ),
        Law(
            "Write the first Gaussian twice, each time with half of its weight: the other responsibilities stay.",
            "Is each entry weight × density, with nothing in the place of small ones, and is it divided by the sum "
            "over the components?",
            lambda x, weights, means, stds, *rest: (x, *halved(weights, means, stds), *rest),
            lambda one, other: near(other[:, 2:], one[:, 1:]),
        ),
        Law(
            "Write down the points in the opposite order: so are the rows.",
            "Which other points does the row of a point depend on?",
            lambda x, *more: (x[::-1].copy(), *more),
            lambda one, other: near(other, one[::-1]),
        ),
        Law(
            "Add 5 to points, means and both ends of the range: the responsibilities stay.",
            "Where does x enter otherwise than by differences?",
            lambda x, weights, means, stds, rest, low, high: (
                *(x + 5, weights, means + 5, stds),
                *(rest, low + 5, high + 5),
            ),
        ),
    ),
)

# ------------------------------------------------------------------------------------------------ 2 likelihood

FAR = "a point far away"
TABLES = ((3, 2, 5, 6), (5, 3, 9, 6), (4, 2, 900, 5), (3, 2, 4, 250), (6, 4, 50, 8), (1, 3, 7, 4))


def draw_likelihood(rng, k):
    """Values with few counts or many, near the components or far away."""
    values, n, most, spread = TABLES[k % len(TABLES)]
    return rng.normal(0, spread, values).round(1), rng.integers(1, most, values), *random_gaussians(rng, n)


likelihood = Task(
    name="likelihood",
    function="mixture_log_likelihood",
    arguments=("x", "counts", "weights", "means", "stds"),
    title="Task 2 · How probable is a table of counts?",
    stars=1,
    minutes=15,
    points=3,
    cases=(
        Case("one point", (array(3), whole(1), array(0.7, 0.3), array(2, 5), array(0.5, 2))),
        Case("by hand", (array(3, 6), whole(3, 1), array(0.7, 0.3), array(2, 5), array(0.5, 2))),
        Case(
            "three components",
            (
                array(-4, 0.5, 2, 7),
                whole(2, 5, 1, 3),
                array(0.2, 0.5, 0.3),
                array(-3, 1, 6),
                array(1.5, 0.6, 3),
            ),
        ),
        Case(
            "many points",
            (array(1, 2, 3, 4), whole(90, 700, 400, 250), array(0.7, 0.3), array(2, 5), array(0.5, 2)),
        ),
        Case(FAR, (array(150, 4), whole(2, 7), array(0.7, 0.3), array(2, 5), array(0.5, 2))),
    ),
    draw=draw_likelihood,
    mistakes=(
        Mistake(*NORMALISED, wrong_functions=("from normalised weights",)),
        Mistake(*ALL_COMPONENTS, wrong_functions=("sum of logs", "weighted sum of logs")),
        Mistake(
            "as if the product of all densities were 0",
            "How small is 0.1 to the 400th for the computer? Take the log of each factor, then add.",
            wrong_functions=("product of densities",),
        ),
        Mistake(*UNDERFLOW, when=lambda case, got: case.name == FAR and not np.isfinite(got)),
        Mistake(
            *UNDERFLOW,  # held at a least value
            when=lambda case, got: case.name == FAR and got > case.expected / 2,
            correct_cases=("one point", "by hand", "three components", "many points"),
        ),
        Mistake(*MEAN, when=lambda case, got: near(got, case.expected / case.inputs[1].sum())),
        Mistake(*MEAN, when=lambda case, got: near(got, case.expected / len(case.inputs[0]))),
        Mistake(
            "as if the weights were missing",
            "How often does a rare component speak? Its density counts in proportion to its weight.",
            wrong_functions=("no weights",),
        ),
        Mistake(
            "as if the weights were added to something",
            "What happens when π_k = 0? A component without weight must not matter: a weight multiplies.",
            wrong_functions=("weights added", "weights in the exponent"),
        ),
        Mistake(
            "as if the counts did not say how often a point was seen",
            "What changes in the log likelihood when the same point is seen three times? The same term comes three "
            "times.",
            wrong_functions=("counts ignored", "counts inside the logarithm"),
        ),
        Mistake(
            "the log of one large sum",
            "How do independent points combine: do their probabilities add up or multiply? And their logs?",
            wrong_functions=("all points in one sum",),
        ),
        Mistake(*STD, wrong_functions=("standard deviations as variances", "standard deviations squared twice")),
        Mistake(
            "as if only the best component of each point counted",
            "What do the other components add? The density of a mixture is a sum, not its largest term.",
            wrong_functions=("best component only",),
        ),
        Mistake(
            "as if the largest log had been taken out and never put back",
            "What was taken out of the exponent has to be added to the logarithm: did you?",
            wrong_functions=("largest never put back",),
        ),
        Mistake(
            "the right number with the wrong sign",
            "Which sign has the log of a number below 1?",
            when=lambda case, got: near(got, -case.expected),
        ),
        Mistake(*LOGARITHM, when=lambda case, got: near(got, case.expected / np.log(2))),
        Mistake(*LOGARITHM, when=lambda case, got: near(got, case.expected / np.log(10))),
        Mistake(*HEIGHT, wrong_functions=("no 1/√(2π)", "no 1/σ, no 1/√(2π)")),
    ),
    hints=(
        "Two sums stand at different places: the one over components inside the logarithm, the one over points "
        "outside. Which of the two do the weights belong to, and which the counts?",
        "Make the (N, K) table of log π_k + log density. The log of the sum of exponentials along each row is the log "
        "density of a point, and counts says how often it is added.",
        "np.logaddexp.reduce(logs, axis=1) is that log of a sum, without ever leaving the logs. The log density of a "
        "Gaussian is −log σ − ½ log 2π − ½ ((x − μ)/σ)².",
    ),
    laws=(
        Law(
            "Write each value as often as it was seen, with the count 1: the log likelihood stays.",
            "Where do the counts enter? They say how often the log of a point's density is added.",
            lambda x, counts, *model: (
                (np.repeat(x, counts), np.ones(counts.sum(), dtype=int), *model) if counts.sum() < 200 else None
            ),
        ),
        Law(
            "Write the first component twice, each time with half of its weight: the log likelihood stays.",
            "What does a component add before the log is taken? Weight times density, and nothing of the others.",
            lambda x, counts, *model: (x, counts, *halved(*model)),
        ),
        Law(
            "Measure one value that was seen once in a unit that is a tenth (x, μ and σ 10 times as large): the log "
            "likelihood falls by log 10 = 2.302585.",
            "What is the area under each bell? Which factor of the density has the unit of 1/σ?",
            lambda x, counts, weights, means, stds: (
                (10 * x, counts, weights, 10 * means, 10 * stds) if counts.sum() == 1 else None
            ),
            lambda one, other: near(other, one - np.log(10)),
        ),
        Law(
            "Add 5 to all values and means: the log likelihood stays.",
            "Where does x enter otherwise than by x − μ?",
            lambda x, counts, weights, means, stds: (x + 5, counts, weights, means + 5, stds),
        ),
    ),
)

# ------------------------------------------------------------------------------------------------------ 3 tied


def draw_tied(rng, k):
    """Points of one feature or more, with tenths of responsibilities; every component owns something."""
    points, n, features = ((6, 2, 1), (9, 3, 2), (12, 2, 3), (7, 4, 2), (5, 1, 2), (4, 2, 2))[k % 6]
    shares = rng.multinomial(5, rng.dirichlet(np.linspace(0.4, 1.5, n)), points)
    own = np.eye(n, dtype=int)[np.resize(rng.permutation(n), points)]
    return rng.normal(2, 4, (points, features)).round(1), (shares + 5 * own) / 10


def twice_the_first(x):
    """Factors of the features of points: 2 for the first, and 1."""
    return np.where(np.arange(x.shape[1]) == 0, 2, 1)


def first_is_doubled(one, other):
    """Whether means and covariance follow."""
    factors = twice_the_first(one[1])
    return near(other[1:], (one[1] * factors, one[2] * np.outer(factors, factors)))


tied = Task(
    name="tied",
    function="tied_m_step",
    arguments=("x", "responsibilities"),
    title="Task 3 · One covariance for all",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case("one component", (table([1], [2], [6]), table([1], [1], [1]))),
        Case(
            "by hand",
            (table([1], [5], [9], [5], [8]), table([1, 0], [0.75, 0.25], [0.25, 0.75], [1, 0], [0, 1])),
            (array(0.6, 0.4), table([4], [8]), table([4])),
        ),
        Case(
            "two features",
            (
                table([0, 1], [2, 2], [1, 5], [6, 3], [7, 7], [9, 4]),
                table([0.9, 0.1], [0.7, 0.3], [0.8, 0.2], [0.4, 0.6], [0.1, 0.9], [0.3, 0.7]),
            ),
        ),
        Case(
            "three components, two features",
            (
                table([0, 3], [1, 1], [4, 8], [5, 6], [10, 2], [12, 3], [11, 0]),
                table(
                    [0.8, 0.1, 0.1],
                    [0.7, 0.1, 0.2],
                    [0.2, 0.75, 0.05],
                    [0.3, 0.5, 0.2],
                    [0.1, 0.1, 0.8],
                    [0.0, 0.1, 0.9],
                    [0.05, 0.15, 0.8],
                ),
            ),
        ),
    ),
    draw=draw_tied,
    mistakes=(
        Mistake(
            "with the same mean for all components",
            "Which points have a say in the mean of component k, and how much?",
            wrong_functions=("all means the mean of everything",),
            part=1,
        ),
        Mistake(
            "with a covariance around the mean of all data",
            "Σ is spread around which mean? Each component has its own.",
            wrong_functions=("around the mean of everything",),
            part=2,
        ),
        Mistake(
            "with the plain mean of the covariances of the components",
            "May a component with few points say as much about Σ as many points as a large one owns?",
            wrong_functions=("plain mean of the covariances",),
            part=2,
        ),
        Mistake(
            "with the sum of the covariances of the components",
            "If all components had the same covariance, what should come out?",
            wrong_functions=("sum of the covariances",),
            part=2,
        ),
        Mistake(
            "as if the sum of all squares had another divisor",
            "How many points speak about the one covariance? All N, each with responsibilities that add up to 1.",
            wrong_functions=("divided by the last N_k", "divided by N K"),
            part=2,
        ),
        Mistake(
            "as if the covariance were made unbiased",
            "Your likelihood's maximum: which divisor falls out? M-steps maximise.",
            wrong_functions=("divided by N − K", "divided by N − 1"),
            part=2,
        ),
        Mistake(
            "with a covariance that grows with the number of points",
            "Copy every point: may the covariance change?",
            wrong_functions=("not divided",),
            part=2,
        ),
        Mistake(*WEIGHTS_FIXED, wrong_functions=("weights 1/K",), part=0),
        Mistake(*WEIGHTS_SUM, wrong_functions=("weights not divided",), part=0),
        Mistake(
            "with as many weights as there are points",
            "Which sum runs over the points? N_k = Σ_i γ_ik leaves one number for each component.",
            when=lambda case, got: got[0].shape == case.inputs[0].shape[:1],
        ),
        Mistake(*OWN_COUNT, wrong_functions=("means divided by N", "means not divided"), part=1),
        Mistake(
            "as if every point belonged to one component only",
            "Can a component own half a point? Responsibilities are not rounded.",
            wrong_functions=("hard assignments",),
            part=1,
        ),
        Mistake(
            "as if the responsibilities were squared",
            "How often does γ stand in front of (x − μ)(x − μ)ᵀ? Once.",
            wrong_functions=("responsibilities counted twice",),
            part=2,
        ),
        Mistake(
            "as if only a part had been weighted with N_k",
            "Test it with one component: is it the sample covariance?",
            wrong_functions=("only part divided",),
            part=2,
        ),
        Mistake(
            "a covariance that depends on where zero is",
            "Move all data by 100: may the covariance change? From what is each x subtracted?",
            wrong_functions=("means not subtracted", "means subtracted without weights"),
            part=2,
        ),
        Mistake(
            "a covariance without anything off the diagonal",
            "Do the features vary together? What stands off the diagonal of (x − μ)(x − μ)ᵀ?",
            wrong_functions=("diagonal only",),
            part=2,
        ),
        Mistake(
            "a row of variances",
            "What shape has one covariance of D features? (D, D), also for D = 1.",
            when=shaped(2, lambda expected: expected.shape[:1]),
        ),
        Mistake(
            "a covariance for each component",
            "How many covariances are there? All components share one, of shape (D, D).",
            when=lambda case, got: got[2].shape == (len(case.expected[0]), *case.expected[2].shape),
        ),
        Mistake(
            "a root of the right covariance",
            "What unit has a covariance? That of x², and no root is taken.",
            wrong_functions=("standard deviations",),
            part=2,
        ),
        Mistake(
            "a covariance of the points instead of the features",
            "How many features are there? np.cov takes rows for features unless told rowvar=False.",
            when=lambda case, got: got[2].shape == 2 * case.inputs[0].shape[:1],
        ),
    ),
    hints=(
        "Weights and means are those of the lecture. For the covariance ask: of which points is it the spread, around "
        "what, and with how much weight does each point count?",
        "For each component k: Σ_i γ_ik (x_i − μ_k)(x_i − μ_k)ᵀ. Add these up over k, and only then divide, once.",
        "With away = x − means[k], of shape (N, D), the sum for component k is (γ_k[:, None] * away).T @ away. The "
        "divisor is N, because all responsibilities together add up to N.",
    ),
    laws=(
        Law(
            "Write each point twice: weights, means and covariance stay.",
            "By what is each sum divided?",
            lambda x, gamma: (np.repeat(x, 2, axis=0), np.repeat(gamma, 2, axis=0)),
        ),
        Law(
            "Write the first component twice, each time with half of its responsibilities: the covariance stays.",
            "How much does a component count that owns few points? And where does the number of components enter?",
            lambda x, gamma: (x, np.hstack([gamma[:, :1] / 2, gamma[:, :1] / 2, gamma[:, 1:]])),
            lambda one, other: near(other[2], one[2]),
        ),
        Law(
            "Of two points, 0 and 4, three quarters belong to a component of their own and a quarter to the other: "
            "the means are 1 and 3, and Σ is 3.",
            "How far is each point from each mean, and how much of the point is as far?",
            holds=lambda one, other: near(other[1:], (array([1], [3]), array([3]))),
            example=(array([0], [4]), array([0.75, 0.25], [0.25, 0.75])),
        ),
        Law(
            "Add 5 to all points: the means grow by 5, and the covariance stays.",
            "Around which point is the spread measured?",
            lambda x, gamma: (x + 5, gamma),
            lambda one, other: near(other, (one[0], one[1] + 5, one[2])),
        ),
        Law(
            "Double the first feature: its means and its covariances with others double, and its variance is 4 times "
            "as large.",
            "Which two features does each entry of Σ belong to, and what unit has it?",
            lambda x, gamma: (x * twice_the_first(x), gamma),
            first_is_doubled,
        ),
    ),
)

# ---------------------------------------------------------------------------------------------------- 4 labels

ONE_VOTE = "What does the row of a known point add up to? Nobody has more than one vote."


def draw_labels(rng, k):
    """Points of which some have a label, none or all; every fourth time the known ones are very far away."""
    points, n, unknown = ((6, 2, 0.5), (5, 3, 0.5), (4, 2, 1), (6, 3, 0.4), (5, 4, 0.6), (4, 3, 0))[k % 6]
    labels = np.where(rng.random(points) < unknown, -1, rng.integers(0, n, points))
    labels[: n * (unknown == 0)] = np.arange(n * (unknown == 0))
    x = rng.normal(1, 4, points).round(1) + 150 * (labels >= 0) * (k % 4 == 3)
    return x, labels, *random_gaussians(rng, n, least=1.2)


labels = Task(
    name="labels",
    function="semi_supervised_step",
    arguments=("x", "labels", "weights", "means", "stds"),
    title="Task 4 · A few labels",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case("no labels", (array(0, 3, 7), whole(-1, -1, -1), array(0.6, 0.4), array(1, 6), array(1.5, 3))),
        Case("by hand", (array(1, 4, 2, 4), whole(0, -1, 1, 1), array(0.75, 0.25), array(2, 6), array(1, 2))),
        Case(
            "three components",
            (
                array(-2, 1, 3, 0.5, 8, 5),
                whole(0, -1, 2, 1, -1, 0),
                array(0.2, 0.5, 0.3),
                array(-1, 2, 6),
                array(0.7, 2.5, 1.6),
            ),
        ),
        Case(
            "a known point far from its component",
            (array(90, 2, 5, 3), whole(0, -1, 1, -1), array(0.3, 0.7), array(1, 4), array(0.8, 1.7)),
        ),
    ),
    draw=draw_labels,
    mistakes=(
        Mistake(
            "the right responsibilities with a row for each component",
            "One row for each point is wanted. What does .T do?",
            when=turned,
        ),
        Mistake(
            "with rows for the known points only",
            "How many rows do the responsibilities need? One for each point, known or not.",
            wrong_functions=("points without a label dropped",),
            when=lambda case, got: got[0].ndim == 2 and 0 < len(got[0]) < len(case.expected[0]),
        ),
        Mistake(
            "as if nothing were known",
            "What do the labels change? The row of a known point is not computed at all.",
            wrong_functions=("labels ignored",),
            part=0,
        ),
        Mistake(
            "as if the points without a label belonged to nobody",
            "Does a point without a label tell nothing? It has responsibilities as in the lecture.",
            wrong_functions=("points without a label erased",),
            part=0,
        ),
        Mistake(
            "as if label 0 meant that the label is not known",
            "Is 0 a label? Only −1 says that it is not known.",
            wrong_functions=("label 0 taken for unknown",),
            part=0,
        ),
        Mistake(
            "as if −1 were a label",
            "What does Python read at index −1? The last component did not make all those points.",
            wrong_functions=("−1 is the last component",),
            part=0,
        ),
        Mistake("as if the known points had more than one vote", ONE_VOTE, wrong_functions=("labels added",), part=0),
        Mistake(
            "as if the known points had less than one vote",
            "May a point have less than one vote? The other components lose theirs to the one of the label.",
            wrong_functions=("others erased, not divided",),
            part=0,
        ),
        Mistake(
            "as if a label were only half believed",
            "How sure is a label? In this task it is a fact.",
            wrong_functions=("label as half the truth",),
            part=0,
        ),
        Mistake(
            "as if labels were counted from 1",
            "Labels are counted from 0 here. Which component does label 0 mean?",
            wrong_functions=("labels counted from 1",),
            part=0,
        ),
        Mistake(
            "as if the points without a label had been decided",
            "Is what is only guessed a fact? Keep the probabilities of the points without a label.",
            wrong_functions=("hard decisions for all",),
            part=0,
        ),
        Mistake(
            "as if the points of one component had been weighed against each other",
            PER_POINT,
            wrong_functions=("normalised over the points",),
            part=0,
        ),
        Mistake(*UNWEIGHTED, wrong_functions=("no weights",), part=0),
        Mistake(
            *STD, wrong_functions=("standard deviations as variances", "standard deviations squared twice"), part=0
        ),
        Mistake(
            "because a known point seemed impossible",
            "What is zero divided by zero? A known point needs no density: its label is a fact, however far it lies.",
            when=not_finite,
        ),
        Mistake(
            "with the right responsibilities, but an M-step on some of the points",
            "Which points take part in the M-step? All of them, each with its row.",
            wrong_functions=("M-step on labelled points only", "M-step on unlabelled points only"),
            part=2,
        ),
        Mistake(
            "with the right responsibilities, but weights and means from others",
            "Which responsibilities does the M-step get? Those that you return, with the labels in them.",
            wrong_functions=("M-step ignores labels",),
            part=2,
        ),
        Mistake(*WEIGHTS_SUM, wrong_functions=("weights not divided",), part=1),
        Mistake(*WEIGHTS_FIXED, wrong_functions=("weights 1/K",), part=1),
        Mistake(*OWN_COUNT, wrong_functions=("means divided by N",), part=2),
    ),
    hints=(
        "Compute the responsibilities of all points as in the lecture. Then replace the rows of those whose label is "
        "known. The M-step does not even notice.",
        "labels >= 0 says which rows to replace; 0 is a label like any other. The new row has a 1 at the label and 0 "
        "elsewhere.",
        "np.eye(K)[…], with the labels of the known points inside, makes all those rows at once. Then N_k is the sum "
        "of column k; the weights are N_k / N over all points, and mean k is Σ_i γ_ik x_i / N_k.",
    ),
    laws=(
        Law(
            "Move all points with a label by 1000: the responsibilities stay.",
            "What does the row of a known point depend on? On its label alone.",
            lambda x, labels, *model: (x + 1000 * (labels >= 0), labels, *model) if labels.max() >= 0 else None,
            lambda one, other: near(other[0], one[0]),
        ),
        Law(
            "Each new weight is the mean of its column of responsibilities.",
            "Over which points is a new weight an average? Over all of them, each with its row.",
            holds=lambda one, other: near(one[1], one[0].mean(axis=0)),
        ),
        Law(
            "Write each point twice, with its label: weights and means stay.",
            "By what is each sum divided?",
            lambda x, labels, *model: (np.repeat(x, 2), np.repeat(labels, 2), *model),
            lambda one, other: near(other[1:], one[1:]),
        ),
        Law(
            "Add 5 to all points and means: the new means grow by 5, and all else stays.",
            "Where does x enter otherwise than by x − μ, or in a mean?",
            lambda x, labels, weights, means, stds: (x + 5, labels, weights, means + 5, stds),
            lambda one, other: near(other, (*one[:2], one[2] + 5)),
        ),
    ),
)

# --------------------------------------------------------------------------------------------------- 5 poisson


def draw_poisson(rng, k):
    """Counts round some rates, short and very long, few and many; every fourth time with a 0."""
    n_counts, n, scale = ((4, 2, 5), (6, 3, 12), (5, 2, 900), (6, 2, 0.6), (250, 2, 18), (7, 4, 30))[k % 6]
    rates = rng.uniform(0.3, 1.6, n) * scale
    counts = rng.poisson(rng.choice(rates, n_counts) * rng.uniform(0.5, 1.5, n_counts))
    counts[0] *= k % 4 != 0
    return counts, random_weights(rng, n), (rates * rng.uniform(0.8, 1.2, n)).round(1)


poisson = Task(
    name="poisson",
    function="poisson_step",
    arguments=("counts", "weights", "rates"),
    title="Task 5 · How long is a word?",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case("one component", (whole(3, 6), array(1), array(4))),
        Case("by hand", (whole(2, 7, 4), array(0.6, 0.4), array(3, 8))),
        Case("with a zero", (whole(0, 1, 5, 9, 12), array(0.5, 0.2, 0.3), array(1.5, 6, 10))),
        Case("long recordings", (whole(900, 25, 31), array(0.3, 0.7), array(20, 40))),
        Case(
            "four hundred recordings",
            (np.repeat([9, 12, 15, 18, 24], [40, 90, 110, 100, 60]), array(0.4, 0.6), array(11, 19)),
        ),
    ),
    draw=draw_poisson,
    mistakes=(
        Mistake(
            "with a log likelihood that lacks something",
            "Which factor of the Poisson formula is the same for all components? It cancels in the responsibilities, "
            "but not in the likelihood.",
            wrong_functions=("no factorial",),
            part=2,
        ),
        Mistake(
            "with a log likelihood that lacks something",
            "How many factors has c! for c = 2? np.arange(1, c) ends before c.",
            wrong_functions=("factorial of the count below",),
            part=2,
        ),
        Mistake(
            "as if a factor of the Poisson probability were missing",
            "What do your probabilities of one component add up to over c = 0, 1, 2, …? To 1 only with all three "
            "factors.",
            wrong_functions=("no e^−λ", "no λ^c"),
            part=2,
        ),
        Mistake(
            "as if count and rate had changed places",
            "Which of the two numbers has the factorial, and which one is raised to a power?",
            wrong_functions=("count and rate exchanged",),
            part=2,
        ),
        Mistake(
            "as if the responsibilities of one component added up to 1",
            "For one count, what must add up to 1? The responsibilities of all components.",
            wrong_functions=("normalised over the counts",),
            part=1,
        ),
        Mistake(
            "as if every recording belonged to one component only",
            "Can a component own half a recording? Responsibilities are not rounded.",
            wrong_functions=("hard decisions",),
            part=1,
        ),
        Mistake(*UNWEIGHTED, wrong_functions=("no weights",), part=1),
        Mistake(*OWN_COUNT, wrong_functions=("rates divided by N", "rates not divided"), part=1),
        Mistake(
            "with rates upside down",
            "What unit has a rate? Frames a recording: a longer word has a larger one.",
            when=lambda case, got: near(1 / np.where(got[1] == 0, 1, got[1]), case.expected[1]),
        ),
        Mistake(
            "with the same rate for all components",
            "Which counts have a say in the rate of component k, and how much?",
            wrong_functions=("all rates the mean",),
            part=1,
        ),
        Mistake(*WEIGHTS_SUM, wrong_functions=("weights not divided",), part=0),
        Mistake(*WEIGHTS_FIXED, wrong_functions=("weights 1/K", "weights stay"), part=0),
        Mistake(
            "with the log likelihood after the step",
            "Under which parameters is the likelihood asked for? Under those that came in.",
            wrong_functions=("likelihood after the step",),
            part=2,
        ),
        Mistake(
            "with a log likelihood that is weighted with responsibilities",
            "Is this the likelihood, or the expectation that the M-step maximises? The first is the larger one.",
            wrong_functions=("expected complete likelihood",),
            part=2,
        ),
        Mistake(*MEAN, when=lambda case, got: near(got[2], case.expected[2] / len(case.inputs[0]))),
        Mistake(
            "with the wrong sign of the log likelihood",
            "Can a probability be larger than 1? And what sign has its log?",
            when=lambda case, got: near(got[2], -case.expected[2]),
        ),
        Mistake(*LOGARITHM, when=lambda case, got: near(got[2], case.expected[2] / np.log(2))),
        Mistake(*LOGARITHM, when=lambda case, got: near(got[2], case.expected[2] / np.log(10))),
        Mistake(*NORMALISED, when=lambda case, got: near(got[2], 0.0)),
        Mistake(*ALL_COMPONENTS, wrong_functions=("sum of logs",), part=2),
        Mistake(
            "as if the product of all probabilities were 0",
            "How small is 0.1 to the 400th for the computer? Take the log of each factor, then add.",
            when=lambda case, got: np.isfinite(got[0]).all() and np.isneginf(got[2]),
        ),
        Mistake(
            "because a probability that is too small for the computer becomes 0",
            "How small is the probability of 900 frames at 40 a word? Stay with logs until the largest is out.",
            when=lambda case, got: np.isnan(got[0]).any(),
        ),
        Mistake(
            "because a factorial does not fit into a number",
            "How large is 900! for the computer? Its log is only 5228: add the logs of 1, 2, … c.",
            raises=OverflowError,
        ),
    ),
    hints=(
        "Write the log of the probability first: c log λ − λ − log c!. Then the E-step is that of the lecture, with "
        "this log in the place of the Gaussian's.",
        "log c! = log 1 + log 2 + … + log c, which is np.log(np.arange(1, c + 1)).sum(); for c = 0 that sum is empty "
        "and 0, as it should be.",
        "With the (N, K) table of logs, log weights included, np.logaddexp.reduce(logs, axis=1) is the log "
        "probability of each count: its sum is the log likelihood, and subtracted from the table it gives log γ. The "
        "new rate of k is the mean of the counts with the weights γ_k.",
    ),
    laws=(
        Law(
            "With one component of rate 1, the count 3 has the probability e⁻¹/3!, whose log is −2.791759.",
            "Which of the three factors is missing, or is not exact? 3! is 6.",
            holds=lambda one, other: near(other[2], -1 - np.log(6), 1e-6),
            example=(whole(3), array(1), array(1)),
        ),
        Law(
            "One component gets the mean of all counts for its rate: 3 for the counts 1, 2 and 6.",
            "Of which numbers is a new rate the mean, and with which weights?",
            holds=lambda one, other: near(other[1], array(3)),
            example=(whole(1, 2, 6), array(1), array(1)),
        ),
        Law(
            "Write each count twice: weights and rates stay, and the log likelihood doubles.",
            "Which numbers are averages over the counts, and which is a sum?",
            lambda counts, weights, rates: (np.repeat(counts, 2), weights, rates),
            times(1, 1, 2),
        ),
        Law(
            "Write the first component twice, each time with half of its weight: the log likelihood stays.",
            "What does a component add before the log is taken? Weight times probability, and nothing of the others.",
            lambda counts, weights, rates: (counts, *halved(weights, rates)),
            lambda one, other: near(other[2], one[2]),
        ),
        Law(
            "Write down the counts in the opposite order: all stays.",
            "Which numbers depend on the order of the recordings?",
            lambda counts, weights, rates: (counts[::-1].copy(), weights, rates),
        ),
    ),
    asks={"with a zero": "A recording of length 0 is one of N. How probable is it under each component?"},
)

# -------------------------------------------------------------------------------------------------- 6 stepwise

AT_FIRST = (
    "as if the statistics began with something else",
    "What do the statistics hold before any data? They must give back the parameters that came in.",
)

STREAMS = (  # sizes of the batches, components, η
    *(((8,), 2, 1.0), ((4,), 3, 0.4), ((3, 6, 2), 2, 0.25), ((7, 1, 4, 5), 3, 0.15)),
    *(((5, 3), 2, 0.1), ((2, 9), 3, 0.35), ((1, 2), 2, 0.5)),
)


def draw_stepwise(rng, k):
    """A batch or some of different sizes; every fourth time one point of the first is very far away."""
    sizes, n, eta = STREAMS[k % len(STREAMS)]
    batches = [rng.normal(0, 4, size).round(1) for size in sizes]
    batches[0][0] += 90 * (k % 4 == 3)
    return batches, eta, *random_gaussians(rng, n, least=1.0)


stepwise = Task(
    name="stepwise",
    function="stepwise_em",
    arguments=("batches", "eta", "weights", "means", "stds"),
    title="Task 6 · EM that never stops listening",
    stars=3,
    minutes=40,
    points=6,
    cases=(
        Case(
            "one batch, η = 1: a step of EM",
            ([array(0, 1, 3, 6, 10)], 1.0, array(0.6, 0.4), array(1, 7), array(1.5, 2.5)),
        ),
        Case("by hand: one point, η = 0.25", ([array(4)], 0.25, array(0.75, 0.25), array(2, 6), array(1, 2))),
        Case("one batch, η = 0.3", ([array(-1, 0.5, 2, 6, 7)], 0.3, array(0.7, 0.3), array(0, 5), array(2, 1.2))),
        Case(
            "three batches",
            (
                [array(0, 1, 5), array(4, 9, 8, 3, 0.5), array(2, 7)],
                0.2,
                array(0.25, 0.45, 0.3),
                array(0, 4, 8),
                array(0.8, 2, 1.4),
            ),
        ),
        Case(
            "a point very far away",
            ([array(1, 3, 70), array(2, 4)], 0.1, array(0.55, 0.45), array(1, 3), array(0.9, 1.1)),
        ),
    ),
    draw=draw_stepwise,
    tolerance=1e-8,
    mistakes=(
        Mistake(
            "as if η belonged to the past",
            "Let η be 0: what should a new batch change? Nothing. Which of the two terms is multiplied by η?",
            wrong_functions=("η exchanged",),
            part=1,
        ),
        Mistake(*AT_FIRST, wrong_functions=("starts from nothing",), part=0),
        Mistake(
            "as if the last batch were all that is known",
            "What remains of the past when a batch arrives? A share of 1 − η.",
            wrong_functions=("η as if 1",),
            part=1,
        ),
        Mistake(
            "as if the past kept all of its weight",
            "If nothing is forgotten, is s still an average? Old and new must have shares that add up to 1.",
            wrong_functions=("nothing forgotten",),
            part=1,
        ),
        Mistake(
            "as if parameters were averaged",
            "What is averaged here, parameters or statistics? The mean of two standard deviations is no M-step.",
            wrong_functions=("parameters averaged",),
            part=1,
        ),
        Mistake(
            "as if a batch counted more, the larger it is",
            "Are the statistics of a batch sums or averages over its points? η alone says how much a batch counts.",
            wrong_functions=("batch sums",),
            part=1,
        ),
        Mistake(
            "as if each sum had another divisor",
            "By how many is each sum of a batch divided? By the size of the batch, for all components.",
            wrong_functions=("divided by N_k",),
            part=1,
        ),
        Mistake(
            "as if the first parameters gave all responsibilities",
            "Which parameters does a batch meet? Those that the batch before it has just made.",
            wrong_functions=("responsibilities never renewed",),
            part=1,
        ),
        Mistake(
            "as if a batch had been seen more than once",
            "How often does each batch take part, and under which parameters? Once, under those from before it came.",
            wrong_functions=("every batch twice", "E-step after the update"),
            part=1,
        ),
        Mistake(
            "as if there were one batch",
            "How many updates are there? One for each batch, one after the other.",
            wrong_functions=("one large batch", "only the first batch"),
            part=1,
        ),
        Mistake(
            "with standard deviations around other means",
            "Around which mean is the spread of the M-step? Around the new one, as in the lecture.",
            wrong_functions=("spread around the old means", "old means squared"),
            part=2,
        ),
        Mistake(
            "with standard deviations that depend on where zero is",
            "Move all data by 100: may the standard deviations change? What must be subtracted from the mean of x²?",
            wrong_functions=("mean not subtracted",),
            part=2,
        ),
        Mistake(
            "with sums where means are asked for",
            "What part of x belongs to the component as a whole, and how much of the data does it own? Divide.",
            wrong_functions=("not divided by the weight",),
            part=1,
        ),
        Mistake(
            "with variances where standard deviations are asked for",
            "What unit do the three results have? That of a standard deviation is the unit of x.",
            wrong_functions=("variances returned", "variances handed on"),
            part=2,
        ),
        Mistake(*AT_FIRST, wrong_functions=("starts from parameters",), part=1),
        Mistake(
            "because a root was taken of a negative number",
            "Can the mean of x² be below the square of the mean of x? Look at what s₂ holds before any data.",
            when=lambda case, got: np.isfinite(got[1]).all() and np.isnan(got[2]).any(),
        ),
        Mistake(
            "as if the statistic of the squares began with something else",
            "What is the mean of x² when mean and standard deviation are given? It is neither σ² nor μ² alone.",
            wrong_functions=("starts with variances not squared", "starts without the spread"),
            part=2,
        ),
        Mistake(
            *STD, wrong_functions=("standard deviations as variances", "standard deviations squared twice"), part=1
        ),
        Mistake(*UNWEIGHTED, wrong_functions=("no weights",), part=1),
        Mistake(
            "as if the responsibilities of one component added up to 1",
            PER_POINT,
            wrong_functions=("normalised over the points",),
            part=1,
        ),
        Mistake(*UNDERFLOW, when=lambda case, got: np.isnan(got[0]).any()),
    ),
    hints=(
        "Keep three numbers for each component: s₀, s₁, s₂, the averages of γ, γ x and γ x². Which values of them "
        "belong to the weights, means and standard deviations that come in? Test that you get these back.",
        "At the start s₀ = π, s₁ = π μ, s₂ = π (σ² + μ²). For each batch: responsibilities under the present "
        "parameters, averages over the batch, new s, new parameters. In this order.",
        "s ← (1 − η) s + η s_batch, with s_batch = γ.mean(axis=0), (γ x).mean(axis=0), (γ x²).mean(axis=0). Then π = "
        "s₀, μ = s₁ / s₀ and σ = √(s₂ / s₀ − μ²).",
    ),
    laws=(
        Law(
            "Write each point of the first batch twice: all stays.",
            "Where does the size of a batch enter? The three averages are divided by it, and η says the rest.",
            lambda batches, *more: ([np.repeat(batches[0], 2), *batches[1:]], *more),
        ),
        Law(
            "The new weights add up to 1.",
            "What do s₀ before any data, s₀ of a batch, and the shares of old and new add up to?",
            holds=lambda one, other: near(one[0].sum(), 1.0),
        ),
        Law(
            "Add 5 to all points and means: the new means grow by 5, and all else stays.",
            "Which statistics belong to the parameters before any data? And around which mean is the spread?",
            lambda batches, eta, weights, means, stds: ([x + 5 for x in batches], eta, weights, means + 5, stds),
            lambda one, other: near(other, (one[0], one[1] + 5, one[2])),
        ),
        Law(
            "Measure x in a unit that is half as large (points, means and standard deviations double): so do the new "
            "means and standard deviations.",
            "Which unit has each of the statistics, and which one the root at the end?",
            lambda batches, eta, weights, means, stds: ([2 * x for x in batches], eta, weights, 2 * means, 2 * stds),
            times(1, 2, 2),
        ),
        Law(
            "Write the points of each batch in the opposite order: all stays.",
            "Which points of a batch are treated differently from others?",
            lambda batches, *more: ([x[::-1].copy() for x in batches], *more),
        ),
    ),
)

homework = Homework(garbage, likelihood, tied, labels, poisson, stepwise, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
