"""The checks of homework 03: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_lib.homework import Case, Homework, Mistake, Task, near


def numbers(*values):
    """A row of numbers."""
    return np.array(values, dtype=float)


def whole(*values):
    """A row of whole numbers."""
    return np.array(values, dtype=int)


def table(*rows):
    """Rows of numbers: one row for each point."""
    return np.array(rows, dtype=float)


def part(index, values):
    """A rule: in some cases, one part of the answer has these values."""
    return lambda case, got: case.name in values and near(got[index], values[case.name])


def last_column(values):
    """A rule: in some cases, these are the responsibilities of the last component."""
    return lambda case, got: case.name in values and got[0].ndim == 2 and near(got[0][:, -1], values[case.name])


def shaped(index, shape):
    """A rule: one part of the answer has the shape that `shape(expected part)` says."""
    return lambda case, got: got[index].shape == shape(case.expected[index])


def not_finite(case, got):
    """Whether a NaN or an infinity came out, in any part."""
    return not all(np.isfinite(one).all() for one in (got if isinstance(got, tuple) else (got,)))


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

garbage = Task(
    name="garbage",
    function="responsibilities_with_garbage",
    arguments=("x", "weights", "means", "stds", "garbage_weight", "low", "high"),
    title="Task 1 · A component for garbage",
    stars=1,
    minutes=25,
    points=4,
    cases=(
        Case(
            "one Gaussian",
            (numbers(1), numbers(0.7), numbers(2), numbers(0.5), 0.3, -4.0, 16.0),
            table([0.834413971889, 0.165586028111]),
        ),
        Case(
            "by hand",
            (numbers(3, 6), numbers(0.5, 0.3), numbers(2, 5), numbers(0.5, 2), 0.2, -5.0, 20.0),
            table(
                [0.549321882548, 0.369283481567, 0.0813946358844], [8.30831735247e-14, 0.868442255531, 0.131557744469]
            ),
        ),
        Case(
            "three Gaussians",
            (
                numbers(-6, 0.5, 4.5, 11),
                numbers(0.1, 0.5, 0.25),
                numbers(-3, 1, 6),
                numbers(1.5, 0.6, 3),
                0.15,
                -8.0,
                12.0,
            ),
            table(
                [0.323962150818, 0, 0.00100377735812, 0.675034071823],
                [0.00698224584087, 0.938327713795, 0.0247340499971, 0.0299559903671],
                [2.69048916878e-06, 3.68454805136e-07, 0.796407744514, 0.203589196542],
                [0, 0, 0.525008660288, 0.474991339712],
            ),
        ),
        Case(
            "outside the range of the garbage",
            (numbers(-7, 4, 25), numbers(0.55, 0.35), numbers(1, 9), numbers(3, 5), 0.1, -5.0, 20.0),
            table(
                [0.926030559358, 0.0739694406421, 0],
                [0.679353887701, 0.259389666213, 0.0612564460854],
                [5.55018834618e-12, 0.999999999994, 0],
            ),
        ),
        Case(
            "very far outside",
            (numbers(130, -90), numbers(0.3, 0.6), numbers(10, 10.1), numbers(2, 2.0), 0.1, 0.0, 40.0),
            table([0.0243185389852, 0.975681461015, 0], [0.859132426476, 0.140867573524, 0]),
        ),
    ),
    mistakes=(
        Mistake(
            "the right numbers with a row for each component",
            "One row for each point is wanted. What does .T do?",
            when=turned,
        ),
        Mistake("as if the responsibilities of one component added up to 1", PER_POINT, when=sums_over_points),
        Mistake(
            *STD,
            on={
                "by hand": [[0.72617, 0.21785, 0.055979], [0, 0.89176, 0.10824]],
                "one Gaussian": [[0.90642, 0.093582]],
            },
        ),
        Mistake(
            *STD,
            on={
                "by hand": [[0.0077197, 0.76155, 0.23073], [0, 0.78378, 0.21622]],
                "one Gaussian": [[0.024373, 0.97563]],
            },
        ),
        Mistake(
            *UNWEIGHTED,
            on={"one Gaussian": [[0.68351, 0.31649]], "by hand": [[0.40147, 0.44981, 0.14872], [0, 0.81484, 0.18516]]},
        ),
        Mistake(
            *UNWEIGHTED,
            on={
                "one Gaussian": [[0.87803, 0.12197]],
                "by hand": [[0.45568, 0.51056, 0.03376], [0, 0.95653, 0.043471]],
            },
        ),
        Mistake(
            *UNWEIGHTED,
            on={"one Gaussian": [[0.60187, 0.39813]], "by hand": [[0.4144, 0.27858, 0.30702], [0, 0.56901, 0.43099]]},
        ),
        Mistake(
            "as if the uniform density had another height",
            "What is the area under the uniform density? Its width is high − low.",
            on={"one Gaussian": [[0.20125, 0.79875]], "by hand": [[0.18599, 0.12503, 0.68897], [0, 0.20889, 0.79111]]},
        ),
        Mistake(
            "as if the uniform density had another height",
            "What is the area under the uniform density? Its width is high − low.",
            on={
                "one Gaussian": [[0.012441, 0.98756]],
                "by hand": [[0.010607, 0.0071304, 0.98226], [0, 0.010452, 0.98955]],
            },
        ),
        Mistake(
            *HEIGHT,
            on={
                "one Gaussian": [[0.86331, 0.13669]],
                "by hand": [[0.26266, 0.70629, 0.031053], [0, 0.97067, 0.029331]],
            },
        ),
        Mistake(
            *HEIGHT,
            on={
                "one Gaussian": [[0.92664, 0.073361]],
                "by hand": [[0.57758, 0.38828, 0.034142], [0, 0.94301, 0.05699]],
            },
        ),
        Mistake(
            "as if distance made a point more probable",
            "Should a point far from μ be more probable, or less? Look at the sign of the exponent.",
            on={"one Gaussian": [[0.99638, 0.0036215]], "by hand": [[0.96508, 0.032301, 0.0026191], [1, 0, 0]]},
        ),
        Mistake(*UNDERFLOW, when=not_finite),
        Mistake(
            "where nobody is responsible for the far points",
            "Whose is a point that every component finds impossible in numbers? Somebody made it: compare the logs.",
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
            "as if garbage could be anywhere",
            "What is the density of the garbage outside [low, high]? Nothing is uniform over the whole line.",
            on={
                "outside the range of the garbage": [
                    [0.33395, 0.026676, 0.63937],
                    [0.67935, 0.25939, 0.061256],
                    [0, 0.040051, 0.95995],
                ],
                "very far outside": [[0, 0, 1], [0, 0, 1]],
            },
        ),
        Mistake(
            "the right numbers with the garbage in front",
            "In which column does the garbage stand? In the last one.",
            when=lambda case, got: got.shape == case.expected.shape and near(np.roll(got, -1, axis=1), case.expected),
        ),
        Mistake(
            "a decision for each point",
            "Is a responsibility a probability, or a decision? At 3 in the case by hand nothing is certain.",
            on={
                "by hand": [[1, 0, 0], [0, 1, 0]],
                "three Gaussians": [[0, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 1, 0]],
            },
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
)

# ------------------------------------------------------------------------------------------------ 2 likelihood

ZERO_WEIGHT = (
    "as if the weights were added to something",
    "What happens when π_k = 0? A component without weight must not matter: a weight multiplies.",
)
TIMES = (
    "as if the counts did not say how often a point was seen",
    "What changes in the log likelihood when the same point is seen three times? The same term comes three times.",
)

likelihood = Task(
    name="likelihood",
    function="mixture_log_likelihood",
    arguments=("x", "counts", "weights", "means", "stds"),
    title="Task 2 · How probable is a table of counts?",
    stars=1,
    minutes=15,
    points=3,
    cases=(
        Case(
            "one point", (numbers(3), whole(1), numbers(0.7, 0.3), numbers(2, 5), numbers(0.5, 2)), -2.19030193802475
        ),
        Case(
            "by hand",
            (numbers(3, 6), whole(3, 1), numbers(0.7, 0.3), numbers(2, 5), numbers(0.5, 2)),
            -9.51196433216467,
        ),
        Case(
            "three components",
            (
                numbers(-4, 0.5, 2, 7),
                whole(2, 5, 1, 3),
                numbers(0.2, 0.5, 0.3),
                numbers(-3, 1, 6),
                numbers(1.5, 0.6, 3),
            ),
            -25.4587795470129,
        ),
        Case(
            "many points",
            (numbers(1, 2, 3, 4), whole(90, 700, 400, 250), numbers(0.7, 0.3), numbers(2, 5), numbers(0.5, 2)),
            -2217.55291167673,
        ),
        Case(
            "a point far away",
            (numbers(150, 4), whole(2, 7), numbers(0.7, 0.3), numbers(2, 5), numbers(0.5, 2)),
            -5282.44473552282,
        ),
    ),
    mistakes=(
        Mistake(*NORMALISED, on={"one point": 0, "by hand": 0, "three components": 0}),
        Mistake(*ALL_COMPONENTS, on={"one point": -5.8985, "by hand": -53.219, "three components": -409.24}),
        Mistake(*ALL_COMPONENTS, on={"one point": -2.1917, "by hand": -29.654, "three components": -146.53}),
        Mistake(
            "as if the product of all densities were 0",
            "How small is 0.1 to the 400th for the computer? Take the log of each factor, then add.",
            on={"many points": -np.inf},
        ),
        Mistake(*UNDERFLOW, when=lambda case, got: case.name == "a point far away" and not np.isfinite(got)),
        Mistake(*UNDERFLOW, on={"a point far away": -1402.1}),
        Mistake(*MEAN, when=lambda case, got: near(got, case.expected / case.inputs[1].sum())),
        Mistake(*MEAN, when=lambda case, got: near(got, case.expected / len(case.inputs[0]))),
        Mistake(
            "as if the weights were missing",
            "How often does a rare component speak? Its density counts in proportion to its weight.",
            on={"one point": -1.4742, "by hand": -6.1596, "three components": -14.161},
        ),
        Mistake(*ZERO_WEIGHT, on={"one point": 0.20617, "by hand": 0.78067, "three components": 3.01}),
        Mistake(*ZERO_WEIGHT, on={"one point": -0.96558, "by hand": -4.3338, "three components": -9.9966}),
        Mistake(*TIMES, on={"one point": -2.1903, "by hand": -5.1314, "three components": -10.14}),
        Mistake(*TIMES, on={"one point": -2.1903, "by hand": -4.0327, "three components": -6.7389}),
        Mistake(
            "the log of one large sum",
            "How do independent points combine: do their probabilities add up or multiply? And their logs?",
            on={"one point": -2.1903, "by hand": -0.94557, "three components": 0.42362},
        ),
        Mistake(*STD, on={"one point": -1.7349, "by hand": -7.9241, "three components": -24.582}),
        Mistake(*STD, on={"one point": -3.6201, "by hand": -14.401, "three components": -30.361}),
        Mistake(
            "as if only the best component of each point counted",
            "What do the other components add? The density of a mixture is a sum, not its largest term.",
            on={"one point": -2.5825, "by hand": -10.688, "three components": -25.876},
        ),
        Mistake(
            "as if the largest log had been taken out and never put back",
            "What was taken out of the exponent has to be added to the logarithm: did you?",
            on={"one point": 0.39216, "by hand": 1.1765, "three components": 0.41715},
        ),
        Mistake(
            "the right number with the wrong sign",
            "Which sign has the log of a number below 1?",
            when=lambda case, got: near(got, -case.expected),
        ),
        Mistake(*LOGARITHM, when=lambda case, got: near(got, case.expected / np.log(2))),
        Mistake(*LOGARITHM, when=lambda case, got: near(got, case.expected / np.log(10))),
        Mistake(*HEIGHT, on={"one point": -1.2714, "by hand": -5.8362, "three components": -15.35}),
        Mistake(*HEIGHT, on={"one point": -1.2848, "by hand": -5.1835, "three components": -13.128}),
    ),
    hints=(
        "Two sums stand at different places: the one over components inside the logarithm, the one over points "
        "outside. Which of the two do the weights belong to, and which the counts?",
        "Make the (N, K) table of log π_k + log density. The log of the sum of exponentials along each row is the log "
        "density of a point, and counts says how often it is added.",
        "np.logaddexp.reduce(logs, axis=1) is that log of a sum, without ever leaving the logs. The log density of a "
        "Gaussian is −log σ − ½ log 2π − ½ ((x − μ)/σ)².",
    ),
)

# ------------------------------------------------------------------------------------------------------ 3 tied

ONE_DIVISOR = (
    "as if the sum of all squares had another divisor",
    "How many points speak about the one covariance? All N, each with responsibilities that add up to 1.",
)
UNBIASED = (
    "as if the covariance were made unbiased",
    "Your likelihood's maximum: which divisor falls out? M-steps maximise.",
)
POINTS_AXIS = (
    "with as many weights as there are points",
    "Which sum runs over the points? N_k = Σ_i γ_ik leaves one number for each component.",
)
SHIFTED = (
    "a covariance that depends on where zero is",
    "Move all data by 100: may the covariance change? From what is each x subtracted?",
)

tied = Task(
    name="tied",
    function="tied_m_step",
    arguments=("x", "responsibilities"),
    title="Task 3 · One covariance for all",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case(
            "one component",
            (table([1], [2], [6]), table([1], [1], [1])),
            (numbers(1), table([3]), table([4.66666666667])),
        ),
        Case(
            "by hand",
            (
                table([1], [5], [9], [5], [8]),
                table([1, 0], [0.75, 0.25], [0.25, 0.75], [1, 0], [0, 1]),
            ),
            (numbers(0.6, 0.4), table([4], [8]), table([4])),
        ),
        Case(
            "two features",
            (
                table([0, 1], [2, 2], [1, 5], [6, 3], [7, 7], [9, 4]),
                table([0.9, 0.1], [0.7, 0.3], [0.8, 0.2], [0.4, 0.6], [0.1, 0.9], [0.3, 0.7]),
            ),
            (
                numbers(0.533333333333, 0.466666666667),
                table([2.5, 2.9375], [6.07142857143, 4.5]),
                table([7.96428571429, 2], [2, 3.28125]),
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
            (
                numbers(0.307142857143, 0.257142857143, 0.435714285714),
                table([2.11627906977, 3.11627906977], [5.25, 5.5], [9.50819672131, 2.09836065574]),
                table([10.2886750449, -1.14378982626], [-1.14378982626, 4.89163171941]),
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "with the same mean for all components",
            "Which points have a say in the mean of component k, and how much?",
            when=part(1, {"by hand": [[5.6], [5.6]], "two features": [[4.1667, 3.6667], [4.1667, 3.6667]]}),
        ),
        Mistake(
            "with a covariance around the mean of all data",
            "Σ is spread around which mean? Each component has its own.",
            when=part(2, {"by hand": [[7.84]], "two features": [[11.139, 3.3889], [3.3889, 3.8889]]}),
        ),
        Mistake(
            "with the plain mean of the covariances of the components",
            "May a component with few points say as much about Σ as many points as a large one owns?",
            when=part(2, {"by hand": [[3.5833]], "two features": [[7.926, 2.0045], [2.0045, 3.3061]]}),
        ),
        Mistake(
            "with the sum of the covariances of the components",
            "If all components had the same covariance, what should come out?",
            when=part(2, {"by hand": [[7.1667]], "two features": [[15.852, 4.0089], [4.0089, 6.6122]]}),
        ),
        Mistake(*ONE_DIVISOR, when=part(2, {"by hand": [[10]], "two features": [[17.066, 4.2857], [4.2857, 7.0312]]})),
        Mistake(*ONE_DIVISOR, when=part(2, {"by hand": [[2]], "two features": [[3.9821, 1], [1, 1.6406]]})),
        Mistake(*UNBIASED, when=part(2, {"by hand": [[6.6667]], "two features": [[11.946, 3], [3, 4.9219]]})),
        Mistake(*UNBIASED, when=part(2, {"by hand": [[5]], "two features": [[9.5571, 2.4], [2.4, 3.9375]]})),
        Mistake(
            "with a covariance that grows with the number of points",
            "Copy every point: may the covariance change?",
            when=part(2, {"by hand": [[20]], "two features": [[47.786, 12], [12, 19.687]]}),
        ),
        Mistake(*WEIGHTS_FIXED, when=part(0, {"by hand": [0.5, 0.5], "two features": [0.5, 0.5]})),
        Mistake(*WEIGHTS_SUM, when=part(0, {"by hand": [3, 2], "two features": [3.2, 2.8]})),
        Mistake(
            *POINTS_AXIS,
            when=lambda case, got: got[0].shape == case.inputs[0].shape[:1],
        ),
        Mistake(
            *OWN_COUNT, when=part(1, {"by hand": [[2.4], [3.2]], "two features": [[1.3333, 1.5667], [2.8333, 2.1]]})
        ),
        Mistake(*OWN_COUNT, when=part(1, {"by hand": [[12], [16]], "two features": [[8, 9.4], [17, 12.6]]})),
        Mistake(
            "as if every point belonged to one component only",
            "Can a component own half a point? Responsibilities are not rounded.",
            when=part(1, {"by hand": [[3.6667], [8.5]], "two features": [[1, 2.6667], [7.3333, 4.6667]]}),
        ),
        Mistake(
            "as if the responsibilities were squared",
            "How often does γ stand in front of (x − μ)(x − μ)ᵀ? Once.",
            when=part(2, {"by hand": [[2.65]], "two features": [[3.397, 0.87351], [0.87351, 2.1918]]}),
        ),
        Mistake(
            "as if only a part had been weighted with N_k",
            "Test it with one component: is it the sample covariance?",
            when=part(2, {"by hand": [[23.2]], "two features": [[21.315, 12.889], [12.889, 12.52]]}),
        ),
        Mistake(*SHIFTED, when=part(2, {"by hand": [[39.2]], "two features": [[28.5, 18.667], [18.667, 17.333]]})),
        Mistake(*SHIFTED, when=part(2, {"by hand": [[-0.8]], "two features": [[6.9439, 1.3341], [1.3341, 2.8939]]})),
        Mistake(
            "a covariance without anything off the diagonal",
            "Do the features vary together? What stands off the diagonal of (x − μ)(x − μ)ᵀ?",
            when=part(
                2,
                {
                    "two features": [[7.9643, 0], [0, 3.2812]],
                    "three components, two features": [[10.289, 0], [0, 4.8916]],
                },
            ),
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
            when=part(2, {"by hand": [[2]], "two features": [[2.8221, 1.4142], [1.4142, 1.8114]]}),
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
)

# ---------------------------------------------------------------------------------------------------- 4 labels

SELECTED = (
    "with the right responsibilities, but an M-step on some of the points",
    "Which points take part in the M-step? All of them, each with its row.",
)
ONE_VOTE = "What does the row of a known point add up to? Nobody has more than one vote."

labels = Task(
    name="labels",
    function="semi_supervised_step",
    arguments=("x", "labels", "weights", "means", "stds"),
    title="Task 4 · A few labels",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(
            "no labels",
            (numbers(0, 3, 7), whole(-1, -1, -1), numbers(0.6, 0.4), numbers(1, 6), numbers(1.5, 3)),
            (
                table(
                    [0.946666896417, 0.0533331035829],
                    [0.670340038391, 0.329659961609],
                    [0.00106274991489, 0.998937250085],
                ),
                numbers(0.539356561574, 0.460643438426),
                numbers(1.24744897184, 5.77564624438),
            ),
        ),
        Case(
            "by hand",
            (numbers(1, 4, 2, 4), whole(0, -1, 1, 1), numbers(0.75, 0.25), numbers(2, 6), numbers(1, 2)),
            (
                table([1, 0], [0.572426825461, 0.427573174539], [0, 1], [0, 1]),
                numbers(0.393106706365, 0.606893293635),
                numbers(2.09212107589, 3.17613194075),
            ),
        ),
        Case(
            "three components",
            (
                numbers(-2, 1, 3, 0.5, 8, 5),
                whole(0, -1, 2, 1, -1, 0),
                numbers(0.2, 0.5, 0.3),
                numbers(-1, 2, 6),
                numbers(0.7, 2.5, 1.6),
            ),
            (
                table(
                    [1, 0, 0],
                    [0.025268044485, 0.967289899018, 0.00744205649706],
                    [0, 0, 1],
                    [0, 1, 0],
                    [0, 0.115657470825, 0.884342529175],
                    [1, 0, 0],
                ),
                numbers(0.337544674081, 0.347157894974, 0.315297430945),
                numbers(1.49376180241, 1.14863663876, 5.3294557775),
            ),
        ),
        Case(
            "a known point far from its component",
            (numbers(90, 2, 5, 3), whole(0, -1, 1, -1), numbers(0.3, 0.7), numbers(1, 4), numbers(0.8, 1.7)),
            (
                table([1, 0], [0.454443065049, 0.545556934951], [0, 1], [0.0454114697962, 0.954588530204]),
                numbers(0.374963633711, 0.625036366289),
                numbers(60.7026337717, 3.58174337666),
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "the right responsibilities with a row for each component",
            "One row for each point is wanted. What does .T do?",
            when=turned,
        ),
        Mistake(
            "as if nothing were known",
            "What do the labels change? The row of a known point is not computed at all.",
            when=last_column(
                {
                    "by hand": [0.011929, 0.42757, 0.022058, 0.42757],
                    "three components": [4.4059e-06, 0.0074421, 0.14901, 0.0025949, 0.88434, 0.61305],
                }
            ),
        ),
        Mistake(
            "with rows for the known points only",
            "How many rows do the responsibilities need? One for each point, known or not.",
            when=lambda case, got: got[0].ndim == 2 and 0 < len(got[0]) < len(case.expected[0]),
        ),
        Mistake(
            "as if the points without a label belonged to nobody",
            "Does a point without a label tell nothing? It has responsibilities as in the lecture.",
            when=last_column({"by hand": [0, 0, 1, 1], "three components": [0, 0, 1, 0, 0, 0]}),
        ),
        Mistake(
            "as if label 0 meant that the label is not known",
            "Is 0 a label? Only −1 says that it is not known.",
            when=last_column(
                {
                    "by hand": [0.011929, 0.42757, 1, 1],
                    "three components": [4.4059e-06, 0.0074421, 1, 0, 0.88434, 0.61305],
                }
            ),
        ),
        Mistake(
            "as if −1 were a label",
            "What does Python read at index −1? The last component did not make all those points.",
            when=last_column({"by hand": [0, 1, 1, 1], "three components": [0, 1, 1, 0, 1, 0]}),
        ),
        Mistake(
            "as if the known points had more than one vote",
            ONE_VOTE,
            when=last_column(
                {
                    "by hand": [0.011929, 0.42757, 1.0221, 1.4276],
                    "three components": [4.4059e-06, 0.0074421, 1.149, 0.0025949, 0.88434, 0.61305],
                }
            ),
        ),
        Mistake(
            "as if the known points had less than one vote",
            "May a point have less than one vote? The other components lose theirs to the one of the label.",
            when=last_column(
                {
                    "by hand": [0, 0.42757, 0.022058, 0.42757],
                    "three components": [0, 0.0074421, 0.14901, 0, 0.88434, 0],
                }
            ),
        ),
        Mistake(
            "as if a label were only half believed",
            "How sure is a label? In this task it is a fact.",
            when=last_column(
                {
                    "by hand": [0.0059646, 0.42757, 0.51103, 0.71379],
                    "three components": [2.203e-06, 0.0074421, 0.57451, 0.0012975, 0.88434, 0.30652],
                }
            ),
        ),
        Mistake(
            "as if labels were counted from 1",
            "Labels are counted from 0 here. Which component does label 0 mean?",
            when=last_column({"by hand": [1, 0.42757, 0, 0], "three components": [1, 0.0074421, 0, 0, 0.88434, 1]}),
        ),
        Mistake(
            "as if the points without a label had been decided",
            "Is what is only guessed a fact? Keep the probabilities of the points without a label.",
            when=last_column({"by hand": [0, 0, 1, 1], "three components": [0, 0, 1, 0, 1, 0]}),
        ),
        Mistake(
            "as if the points of one component had been weighed against each other",
            PER_POINT,
            when=last_column({"by hand": [0, 0.43562, 1, 1], "three components": [0, 0.0051777, 1, 0, 0.31291, 0]}),
        ),
        Mistake(
            *UNWEIGHTED,
            when=last_column({"by hand": [0, 0.69144, 1, 1], "three components": [0, 0.011894, 1, 0, 0.92724, 0]}),
        ),
        Mistake(
            *STD,
            when=last_column({"by hand": [0, 0.39051, 1, 1], "three components": [0, 0.00035189, 1, 0, 0.99654, 0]}),
        ),
        Mistake(
            *STD, when=last_column({"by hand": [0, 0.35208, 1, 1], "three components": [0, 0.18034, 1, 0, 0.6312, 0]})
        ),
        Mistake(
            "because a known point seemed impossible",
            "What is zero divided by zero? A known point needs no density: its label is a fact, however far it lies.",
            when=not_finite,
        ),
        Mistake(*SELECTED, when=part(2, {"by hand": [1, 3], "three components": [1.5, 0.5, 3]})),
        Mistake(*SELECTED, when=part(2, {"by hand": [4, 4], "three components": [1, 1.7476, 7.9416]})),
        Mistake(
            "with the right responsibilities, but weights and means from others",
            "Which responsibilities does the M-step get? Those that you return, with the labels in them.",
            when=part(2, {"by hand": [2.4184, 3.9101], "three components": [-1.4616, 1.733, 6.3967]}),
        ),
        Mistake(
            *WEIGHTS_SUM, when=part(1, {"by hand": [1.5724, 2.4276], "three components": [2.0253, 2.0829, 1.8918]})
        ),
        Mistake(
            *WEIGHTS_FIXED, when=part(1, {"by hand": [0.5, 0.5], "three components": [0.33333, 0.33333, 0.33333]})
        ),
        Mistake(
            *OWN_COUNT, when=part(2, {"by hand": [0.82243, 1.9276], "three components": [0.50421, 0.39876, 1.6804]})
        ),
    ),
    hints=(
        "Compute the responsibilities of all points as in the lecture. Then replace the rows of those whose label is "
        "known. The M-step does not even notice.",
        "labels >= 0 says which rows to replace; 0 is a label like any other. The new row has a 1 at the label and 0 "
        "elsewhere.",
        "np.eye(K)[…], with the labels of the known points inside, makes all those rows at once. Then N_k is the sum "
        "of column k; the weights are N_k / N over all points, and mean k is Σ_i γ_ik x_i / N_k.",
    ),
)

# --------------------------------------------------------------------------------------------------- 5 poisson

POISSON_SUM = (
    "as if a factor of the Poisson probability were missing",
    "What do your probabilities of one component add up to over c = 0, 1, 2, …? To 1 only with all three factors.",
)

poisson = Task(
    name="poisson",
    function="poisson_step",
    arguments=("counts", "weights", "rates"),
    title="Task 5 · How long is a word?",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case("one component", (whole(3, 6), numbers(1), numbers(4)), (numbers(1), numbers(4.5), -3.89436143115914)),
        Case(
            "by hand",
            (whole(2, 7, 4), numbers(0.6, 0.4), numbers(3, 8)),
            (numbers(0.657452700465, 0.342547299535), numbers(3.30395719535, 6.30901996881), -6.7416361322647),
        ),
        Case(
            "with a zero",
            (whole(0, 1, 5, 9, 12), numbers(0.5, 0.2, 0.3), numbers(1.5, 6, 10)),
            (
                numbers(0.423428638961, 0.199859039695, 0.376712321344),
                numbers(0.794639239302, 6.49628690369, 9.99485579036),
                -13.3966893020747,
            ),
        ),
        Case(
            "long recordings",
            (whole(900, 25, 31), numbers(0.3, 0.7), numbers(20, 40)),
            (numbers(0.316441600475, 0.683558399525), numbers(25.5579335386, 454.356311748), -1955.0065647261),
        ),
        Case(
            "four hundred recordings",
            (np.repeat([9, 12, 15, 18, 24], [40, 90, 110, 100, 60]), numbers(0.4, 0.6), numbers(11, 19)),
            (numbers(0.38142237959, 0.61857762041), numbers(12.4248357015, 17.9215820859), -1183.93113132801),
        ),
    ),
    mistakes=(
        Mistake(
            "with a log likelihood that lacks something",
            "Which factor of the Poisson formula is the same for all components? It cancels in the responsibilities, "
            "but not in the likelihood.",
            when=part(2, {"one component": 4.4766, "by hand": 5.6547, "with a zero": 24.18}),
        ),
        Mistake(
            "with a log likelihood that lacks something",
            "How many factors has c! for c = 2? np.arange(1, c) ends before c.",
            when=part(2, {"one component": -1.004, "by hand": -2.7163, "with a zero": -7.1051}),
        ),
        Mistake(*POISSON_SUM, when=part(2, {"one component": 4.1056, "by hand": 12.11, "with a zero": 20.337})),
        Mistake(*POISSON_SUM, when=part(2, {"one component": -16.371, "by hand": -22.915, "with a zero": -48.519})),
        Mistake(
            "as if count and rate had changed places",
            "Which of the two numbers has the factorial, and which one is raised to a power?",
            when=part(2, {"one component": -3.7946, "by hand": -6.7507}),
        ),
        Mistake(
            "as if the responsibilities of one component added up to 1",
            "For one count, what must add up to 1? The responsibilities of all components.",
            when=part(1, {"by hand": [3.0735, 5.914], "with a zero": [0.70897, 6.0939, 9.4994]}),
        ),
        Mistake(
            "as if every recording belonged to one component only",
            "Can a component own half a recording? Responsibilities are not rounded.",
            when=part(1, {"by hand": [3, 7], "with a zero": [0.5, 5, 10.5]}),
        ),
        Mistake(*UNWEIGHTED, when=part(1, {"by hand": [3.1787, 6.1499], "with a zero": [0.64101, 6.5259, 10.139]})),
        Mistake(*OWN_COUNT, when=part(1, {"by hand": [2.1722, 2.1611], "with a zero": [0.33647, 1.2983, 3.7652]})),
        Mistake(*OWN_COUNT, when=part(1, {"by hand": [6.5166, 6.4834], "with a zero": [1.6824, 6.4917, 18.826]})),
        Mistake(
            "with rates upside down",
            "What unit has a rate? Frames a recording: a longer word has a larger one.",
            when=lambda case, got: near(1 / np.where(got[1] == 0, 1, got[1]), case.expected[1]),
        ),
        Mistake(
            "with the same rate for all components",
            "Which counts have a say in the rate of component k, and how much?",
            when=part(1, {"by hand": [4.3333, 4.3333], "with a zero": [5.4, 5.4, 5.4]}),
        ),
        Mistake(*WEIGHTS_SUM, when=part(0, {"by hand": [1.9724, 1.0276], "with a zero": [2.1171, 0.9993, 1.8836]})),
        Mistake(*WEIGHTS_FIXED, when=part(0, {"by hand": [0.5, 0.5], "with a zero": [0.33333, 0.33333, 0.33333]})),
        Mistake(*WEIGHTS_FIXED, when=part(0, {"by hand": [0.6, 0.4], "with a zero": [0.5, 0.2, 0.3]})),
        Mistake(
            "with the log likelihood after the step",
            "Under which parameters is the likelihood asked for? Under those that came in.",
            when=part(2, {"by hand": -6.4242, "with a zero": -12.632}),
        ),
        Mistake(
            "with a log likelihood that is weighted with responsibilities",
            "Is this the likelihood, or the expectation that the M-step maximises? The first is the larger one.",
            when=part(2, {"by hand": -7.8426, "with a zero": -15.265}),
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
        Mistake(*ALL_COMPONENTS, when=part(2, {"by hand": -20.759, "with a zero": -96.268})),
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
        "probability of each count: its sum is the log likelihood, and subtracted from the table it gives log γ. "
        "The new rate of k is the mean of the counts with the weights γ_k.",
    ),
)

# -------------------------------------------------------------------------------------------------- 6 stepwise

ONCE = (
    "as if a batch had been seen more than once",
    "How often does each batch take part, and under which parameters? Once, under those from before it came.",
)
SPREAD = (
    "with standard deviations around other means",
    "Around which mean is the spread of the M-step? Around the new one, as in the lecture.",
)
ALL_BATCHES = ("as if there were one batch", "How many updates are there? One for each batch, one after the other.")
UNITS = (
    "with variances where standard deviations are asked for",
    "What unit do the three results have? That of a standard deviation is the unit of x.",
)
AT_FIRST = (
    "as if the statistics began with something else",
    "What do the statistics hold before any data? They must give back the parameters that came in.",
)
SQUARES = (
    "as if the statistic of the squares began with something else",
    "What is the mean of x² when mean and standard deviation are given? It is neither σ² nor μ² alone.",
)

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
            ([numbers(0, 1, 3, 6, 10)], 1.0, numbers(0.6, 0.4), numbers(1, 7), numbers(1.5, 2.5)),
            (
                numbers(0.553132895592, 0.446867104408),
                numbers(1.22988231064, 7.42885659636),
                numbers(1.23983912059, 2.52603234195),
            ),
        ),
        Case(
            "by hand: one point, η = 0.25",
            ([numbers(4)], 0.25, numbers(0.75, 0.25), numbers(2, 6), numbers(1, 2)),
            (
                numbers(0.705606706365, 0.294393293635),
                numbers(2.40562739859, 5.27380619093),
                numbers(1.20162702674, 1.86350276406),
            ),
        ),
        Case(
            "one batch, η = 0.3",
            ([numbers(-1, 0.5, 2, 6, 7)], 0.3, numbers(0.7, 0.3), numbers(0, 5), numbers(2, 1.2)),
            (
                numbers(0.669029003865, 0.330970996135),
                numbers(0.144874678783, 5.50826102365),
                numbers(1.86671961291, 1.27739784932),
            ),
        ),
        Case(
            "three batches",
            (
                [numbers(0, 1, 5), numbers(4, 9, 8, 3, 0.5), numbers(2, 7)],
                0.2,
                numbers(0.25, 0.45, 0.3),
                numbers(0, 4, 8),
                numbers(0.8, 2, 1.4),
            ),
            (
                numbers(0.232148149495, 0.482548015777, 0.285303834728),
                numbers(0.259425851502, 3.73637125406, 7.80640132621),
                numbers(0.769767918093, 2.01655729716, 1.24222621343),
            ),
        ),
        Case(
            "a point very far away",
            ([numbers(1, 3, 70), numbers(2, 4)], 0.1, numbers(0.55, 0.45), numbers(1, 3), numbers(0.9, 1.1)),
            (
                numbers(0.525304061838, 0.474695938162),
                numbers(1.12134786829, 7.30984011258),
                numbers(0.920490302466, 16.3152126155),
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "as if η belonged to the past",
            "Let η be 0: what should a new batch change? Nothing. Which of the two terms is multiplied by η?",
            when=part(1, {"by hand: one point, η = 0.25": [3.392, 4.3262], "one batch, η = 0.3": [0.36028, 6.0544]}),
        ),
        Mistake(
            *AT_FIRST,
            when=part(
                0, {"by hand: one point, η = 0.25": [0.14311, 0.10689], "one batch, η = 0.3": [0.17903, 0.12097]}
            ),
        ),
        Mistake(
            "as if the last batch were all that is known",
            "What remains of the past when a batch arrives? A share of 1 − η.",
            when=part(1, {"by hand: one point, η = 0.25": [4, 4], "one batch, η = 0.3": [0.54139, 6.3906]}),
        ),
        Mistake(
            "as if the past kept all of its weight",
            "If nothing is forgotten, is s still an average? Old and new must have shares that add up to 1.",
            when=part(1, {"by hand: one point, η = 0.25": [2.3205, 5.401], "one batch, η = 0.3": [0.11026, 5.3996]}),
        ),
        Mistake(
            "as if parameters were averaged",
            "What is averaged here, parameters or statistics? The mean of two standard deviations is no M-step.",
            when=part(1, {"one batch, η = 0.3": [0.16242, 5.4172], "three batches": [0.53425, 3.7184, 7.4929]}),
        ),
        Mistake(
            "as if larger batches had more to say",
            "Should a batch of 20 count twice as much as one of 10? η alone says how much a batch counts.",
            when=part(
                1,
                {
                    "one batch, η = 1: a step of EM": [1.2299, 7.4289],
                    "one batch, η = 0.3": [0.34987, 6.0322],
                    "three batches": [0.36046, 3.7239, 7.9137],
                },
            ),
        ),
        Mistake(
            "as if each sum had another divisor",
            "By how many is each sum of a batch divided? By the size of the batch, for all components.",
            when=part(
                1,
                {
                    "one batch, η = 1: a step of EM": [2.2235, 16.624],
                    "by hand: one point, η = 0.25": [3.0116, 7.2182],
                    "one batch, η = 0.3": [0.24277, 8.9651],
                    "a point very far away": [1.4639, 10.051],
                },
            ),
        ),
        Mistake(
            "as if the first parameters gave all responsibilities",
            "Which parameters does the second batch meet? Those that the first one has just made.",
            when=part(1, {"three batches": [0.25999, 3.7208, 7.8105], "a point very far away": [1.0705, 7.0878]}),
        ),
        Mistake(
            *ONCE,
            when=part(1, {"by hand: one point, η = 0.25": [2.7849, 4.9202], "one batch, η = 0.3": [0.2469, 5.8281]}),
        ),
        Mistake(
            *ONCE,
            when=part(1, {"by hand: one point, η = 0.25": [2.454, 5.377], "one batch, η = 0.3": [0.13752, 5.5263]}),
        ),
        Mistake(
            *ALL_BATCHES,
            when=part(1, {"three batches": [0.1015, 3.9063, 7.9919], "a point very far away": [1.0304, 5.841]}),
        ),
        Mistake(
            *ALL_BATCHES,
            when=part(1, {"three batches": [0.14476, 3.9306, 7.9205], "a point very far away": [1.0142, 7.7185]}),
        ),
        Mistake(
            *SPREAD,
            when=part(2, {"one batch, η = 0.3": [1.8723, 1.3748], "one batch, η = 1: a step of EM": [1.261, 2.5622]}),
        ),
        Mistake(
            *SPREAD,
            when=part(2, {"one batch, η = 0.3": [1.8723, 2.6406], "one batch, η = 1: a step of EM": [1.4317, 3.5452]}),
        ),
        Mistake(
            "with standard deviations that depend on where zero is",
            "Move all data by 100: may the standard deviations change? What must be subtracted from the mean of x²?",
            when=part(2, {"one batch, η = 0.3": [1.8723, 5.6544], "one batch, η = 1: a step of EM": [1.7464, 7.8466]}),
        ),
        Mistake(
            "with sums where means are asked for",
            "What part of x belongs to the component as a whole, and how much of the data does it own? Divide.",
            when=part(
                1, {"one batch, η = 0.3": [0.096925, 1.8231], "one batch, η = 1: a step of EM": [0.68029, 3.3197]}
            ),
        ),
        Mistake(
            *UNITS,
            when=part(
                2,
                {
                    "one batch, η = 0.3": [3.4846, 1.6317],
                    "one batch, η = 1: a step of EM": [1.5372, 6.3808],
                    "three batches": [0.59254, 4.0665, 1.5431],
                },
            ),
        ),
        Mistake(
            *UNITS,
            when=part(
                2,
                {
                    "one batch, η = 0.3": [3.4846, 1.6317],
                    "one batch, η = 1: a step of EM": [1.5372, 6.3808],
                    "three batches": [0.4984, 4.8498, 2.6407],
                },
            ),
        ),
        Mistake(
            *AT_FIRST,
            when=part(1, {"by hand: one point, η = 0.25": [2.9371, 16.738], "one batch, η = 0.3": [0.14487, 12.911]}),
        ),
        Mistake(
            "because a root was taken of a negative number",
            "Can the mean of x² be below the square of the mean of x? Look at what s₂ holds before any data.",
            when=lambda case, got: np.isfinite(got[1]).all() and np.isnan(got[2]).any(),
        ),
        Mistake(
            *SQUARES,
            when=part(2, {"one batch, η = 0.3": [1.4212, 1.2163], "by hand: one point, η = 0.25": [1.2016, 1.4828]}),
        ),
        Mistake(
            *SQUARES,
            when=part(2, {"by hand: one point, η = 0.25": [0.80419, 0.96178], "one batch, η = 0.3": [0.745, 0.84739]}),
        ),
        Mistake(
            *STD,
            when=part(
                1, {"one batch, η = 1: a step of EM": [1.2922, 7.8208], "one batch, η = 0.3": [0.12881, 5.5234]}
            ),
        ),
        Mistake(
            *STD,
            when=part(1, {"one batch, η = 1: a step of EM": [1.7198, 6.8655], "one batch, η = 0.3": [0.4338, 5.3269]}),
        ),
        Mistake(
            *UNWEIGHTED,
            when=part(1, {"one batch, η = 1: a step of EM": [1.1767, 7.238], "one batch, η = 0.3": [0.12432, 5.4737]}),
        ),
        Mistake(
            "as if the responsibilities of one component added up to 1",
            PER_POINT,
            when=part(
                1, {"one batch, η = 1: a step of EM": [1.0184, 6.4043], "one batch, η = 0.3": [0.039599, 5.2375]}
            ),
        ),
        Mistake(*UNDERFLOW, when=lambda case, got: np.isnan(got[0]).any()),
    ),
    hints=(
        "Keep three numbers for each component: s₀, s₁, s₂, the averages of γ, γ x and γ x². Which values of them "
        "belong to the weights, means and standard deviations that come in? Test that you get these back.",
        "At the start s₀ = π, s₁ = π μ, s₂ = π (σ² + μ²). For each batch: responsibilities under the present "
        "parameters, averages over the batch, new s, new parameters. In this order.",
        "s ← (1 − η) s + η s_batch, with s_batch = γ.mean(axis=0), (γ x).mean(axis=0), (γ x²).mean(axis=0). Then "
        "π = s₀, μ = s₁ / s₀ and σ = √(s₂ / s₀ − μ²).",
    ),
)

homework = Homework(garbage, likelihood, tied, labels, poisson, stepwise)
check, hint, overview, waits_for = homework.check, homework.hint, homework.overview, homework.waits_for
