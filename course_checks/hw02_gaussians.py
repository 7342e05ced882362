"""The checks of homework 02: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, near, times, whole

NAN = np.nan
THREE = array([4, 3, 2], [3, 9, 1], [2, 1, 5])
DIVISOR = ("as if it were divided by something less", "Maximise the likelihood: which divisor falls out of it?")
HALF_LOG_DET = ("as if another power of |Σ| stood there", "Is it |Σ| or its root, and what is the log of that?")
VOLUME = (
    "as if the determinant were missing or turned over",
    "Is a wide Gaussian high or low at its mean? Which term says so?",
)
NOT_INVERTED = (
    "as if the distance were not measured in units of the spread",
    "Should a wide variance make a frame more surprising, or less?",
)
SQUARE = (
    "as if the square were not halved, or not a square",
    "Which factor stands before the square in the log of a Gaussian, and what is its power?",
)
UNCORRELATED = (
    "as if the features were uncorrelated",
    "Which entries of Σ say that two features move together? Are they used?",
)
NO_BLOCK = (
    "because two lists of indices pick single entries, not a block",
    "What shape has covariance[known, known]? Print it. np.ix_ cuts out whole rows and columns.",
)
COST = ("the right number with the wrong sign", "Is it a cost or a log density? The larger, the more likely.")
LIKELY = ("the least likely instead of the most likely", "Is a large log density good or bad?")
TURN = np.array([[1, 1], [-1, 1]]) / np.sqrt(2)


def random_covariance(rng, d, unit=1.0):
    """A covariance of d features that are measured in some unit."""
    roots = unit * rng.normal(0, 1, (d, d + 2)).round(1)
    return roots @ roots.T


# -------------------------------------------------------------------------------------------------- 1 weighted


def draw_weighted(rng, k):
    """Frames with multiples of some weight, among them 0; every tenth time only one frame counts."""
    n, d, unit = 2 + k % 7, 2 + k % 3, (1.0, 0.1, 3.0, 0.02, 0.5)[k % 5]
    repetitions = np.resize([4, 1, 0, 2, 7, 3], n) * (k % 10 < 9 or np.arange(n) == 0)
    return rng.normal(3, 5, (n, d)).round(1), unit * rng.permutation(repetitions)


weighted = Task(
    name="weighted",
    function="weighted_gaussian",
    arguments=("frames", "weights"),
    title="Task 1 · Frames that count more or less",
    stars=1,
    minutes=20,
    points=3,
    cases=(
        Case("by hand", (array([0, 2], [5, 6], [10, -2]), array(3, 1, 1)), (array(3, 2), array([16, -4], [-4, 6.4]))),
        Case(
            "all weights ½",
            (array([1, 2], [3, 8], [7, 5], [9, 1]), array(0.5, 0.5, 0.5, 0.5)),
            (array(5, 4), array([10, -2.5], [-2.5, 7.5])),
        ),
        Case(
            "one weight is 0",
            (array([6, 1], [2, 4], [100, -100], [4, -8]), array(2, 0.5, 0, 2.5)),
            (array(4.6, -3.2), array([1.64, 1.92], [1.92, 23.76])),
        ),
        Case(
            "three features, small weights",
            (array([2, 0, 1], [5, 3, -2], [1, 4, 4], [0, -1, 7], [3, 3, 3]), array(0.01, 0.04, 0.02, 0.02, 0.01)),
        ),
    ),
    draw=draw_weighted,
    mistakes=(
        Mistake(
            "as if all frames counted the same",
            "Where do the weights enter? A frame of weight 0 might as well not be there.",
            wrong_functions=("weights ignored",),
        ),
        Mistake(
            "as if the weights counted in the mean only",
            "Which frames pull at the covariance, and how hard?",
            wrong_functions=("weights in the mean only",),
        ),
        Mistake(
            "as if the mean had no weights",
            "The spread is measured around which mean? The weighted one is needed first.",
            wrong_functions=("spread around the plain mean",),
        ),
        Mistake(
            "as if the number of rows were the amount of data",
            "How many frames does the sum of the weights stand for? Not len(frames).",
            wrong_functions=("divided by N", "both divided by N"),
        ),
        Mistake(*DIVISOR, wrong_functions=("divided by N − 1", "divided by Σw − 1", "np.cov(aweights)")),
        Mistake(
            "as if the weights had another power",
            "Twice the same frame, or once with weight 2: must that be the same? With which power of the weight is "
            "it?",
            wrong_functions=(
                "weights squared in the covariance",
                "weights squared everywhere",
                "roots of the weights",
                "roots of the weights everywhere",
            ),
        ),
        Mistake(
            "as if the mean had not been subtracted",
            "Move all frames by the same vector: may the covariance change?",
            wrong_functions=("not centred",),
        ),
        Mistake(
            "a sum instead of a mean",
            "Double all weights: may the covariance change?",
            wrong_functions=("not divided",),
        ),
        Mistake(
            "the variances alone",
            "Which entry says that two features move together? A matrix of D × D is wanted.",
            wrong_functions=("variances only", "zeros beside the diagonal"),
        ),
        Mistake(
            "with roots of what was asked for",
            "What unit has a variance, and what unit its root?",
            wrong_functions=("roots of the entries",),
        ),
        Mistake(
            "as if the frames were the features",
            "How many features are there, and how large must the covariance be?",
            when=lambda case, got: got[1].shape == (len(case.inputs[0]), len(case.inputs[0])),
        ),
        Mistake(
            "because np.cov takes rows for features",
            "Which axis of your array counts the frames, and which one does np.cov expect there (rowvar)?",
            raises=RuntimeError,
        ),
    ),
    hints=(
        "A weight of 2 means: as if this frame had been seen twice. Write down the mean and the covariance of frames "
        "that are repeated, then let the numbers of repetitions be fractions.",
        "Divide the weights by their sum. These shares add up to 1, and they stand wherever 1/N stood: in the mean, "
        "and in the covariance around that mean.",
        "With the shares r (N numbers) and the centred frames d (N × D), the covariance is Σ_t r_t d_t d_tᵀ: multiply "
        "row t of d by r_t, then one matrix product of dᵀ with the result.",
    ),
    laws=(
        Law(
            "Multiply all weights by 3: mean and covariance stay.",
            "Where does a weight enter otherwise than by its share, which is w divided by Σ w?",
            lambda frames, weights: (frames, 3 * weights),
        ),
        Law(
            "Write each frame twice, with half of its weight: mean and covariance stay.",
            "With which power does a weight enter? And does the number of rows enter?",
            lambda frames, weights: (np.repeat(frames, 2, axis=0), np.repeat(weights / 2, 2)),
        ),
        Law(
            "Add a frame of weight 0: mean and covariance stay.",
            "Which line uses a frame without its weight?",
            lambda frames, weights: (np.vstack([frames, frames[:1] + 9]), np.append(weights, 0)),
        ),
        Law(
            "Add 5 to all frames: the mean grows by 5, and the covariance stays.",
            "Around which point is the spread measured?",
            lambda frames, weights: (frames + 5, weights),
            lambda one, other: near(other, (one[0] + 5, one[1])),
        ),
        Law(
            "Double all frames: the mean doubles, and the covariance is 4 times as large.",
            "What unit has a variance?",
            lambda frames, weights: (2 * frames, weights),
            times(2, 4),
        ),
    ),
)

# --------------------------------------------------------------------------------------------------- 2 missing

TINY_DENSITY = (
    "because the density itself is too small for the computer",
    "How small is exp(−5000)? The log density never needs the density.",
)

FEATURES = np.arange(60)
SCALES = 1e-5 * np.sqrt(1 + FEATURES / 20)
SMALL_COVARIANCE = np.outer(SCALES, SCALES) * 0.5 ** np.abs(np.subtract.outer(FEATURES, FEATURES))
SMALL_FRAME = np.where(FEATURES % 3 == 0, NAN, 2e-5 * np.sin(1.0 + FEATURES))

HOLES = (  # features, known ones, unit, distance from the mean
    *((2, 2, 1.5, 1), (3, 2, 2.0, 1), (4, 1, 0.1, 1), (4, 0, 3.0, 1), (6, 3, 20.0, 1)),
    *((5, 4, 0.7, 90), (60, 45, 1e-5, 1), (3, 1, 5.0, 100), (8, 5, 0.3, 2), (1, 1, 2.0, 3)),
)


def draw_missing(rng, k):
    """A frame with holes: near the mean or far away, of few features or many, in large and small units."""
    d, n_known, unit, far = HOLES[k % len(HOLES)]
    mean = unit * rng.normal(2, 3, d).round(1)
    frame = mean + far * unit * rng.normal(0, 2, d).round(1)
    frame[rng.permutation(d)[n_known:]] = NAN
    return frame, mean, random_covariance(rng, d, unit)


def in_larger_units(frame, mean, covariance):
    """The same frame, features being measured in a unit 10⁵ times as large; only if two of them are known."""
    return (frame / 1e5, mean / 1e5, covariance / 1e10) if np.isfinite(frame).sum() == 2 else None


def other_missing_features(frame, mean, covariance):
    """Another Gaussian of the features that are missing; None if none is."""
    scale = np.where(np.isnan(frame), 2, 1)
    return (frame, mean + 3 * (scale - 1), covariance * np.outer(scale, scale)) if scale.max() > 1 else None


missing = Task(
    name="missing",
    function="log_density_of_known",
    arguments=("frame", "mean", "covariance"),
    title="Task 2 · Frames with holes",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case("nothing is missing", (array(3, 1), array(2, -1), array([2, 1], [1, 5]))),
        Case("by hand", (array(5, NAN, 6), array(1, -2, 3), THREE)),
        Case("one known feature", (array(NAN, 4, NAN), array(1, -2, 3), THREE)),
        Case("nothing is known", (array(NAN, NAN, NAN), array(1, -2, 3), THREE), 0.0),
        Case("a frame far away", (array(150, NAN, -120), array(1, -2, 3), THREE)),
        Case("forty of sixty features, in a small unit", (SMALL_FRAME, np.full(60, 3e-6), SMALL_COVARIANCE)),
    ),
    draw=draw_missing,
    tolerance=1e-7,
    mistakes=(
        Mistake(
            "as if the missing features had been measured at their means",
            "How much does a value that nobody measured add to the log density? Not even a determinant.",
            wrong_functions=("mean for NaN",),
        ),
        Mistake(
            "as if the missing features had been measured as 0",
            "Which value of the missing feature do you claim to know?",
            wrong_functions=("zero for NaN",),
        ),
        Mistake(
            "because NaN passes through every sum and product",
            "What is NaN + 1? And NaN == NaN is False: np.isnan finds it.",
            when=lambda case, got: np.isnan(got),
        ),
        Mistake(
            "as if the whole of Σ had been inverted",
            "Which covariance have the known features alone? Leave out the missing ones first, and invert then: zeros "
            "in x − μ, or a block that is cut out of the inverse, come too late.",
            wrong_functions=("block of the inverse", "block of the inverse in the square"),
        ),
        Mistake(
            "as if the whole frame had been thrown away",
            "Do the features that are known tell nothing?",
            wrong_functions=("frame thrown away",),
        ),
        Mistake(
            "as if 2π came in another power",
            "How many factors of √(2π) belong to one known feature, and how many features are known?",
            wrong_functions=("2π for all features", "2π once", "2π not rooted", "without 2π"),
        ),
        Mistake(*HALF_LOG_DET, wrong_functions=("log det not halved", "det, no log")),
        Mistake(*VOLUME, wrong_functions=("log det added", "log det forgotten")),
        Mistake(*NOT_INVERTED, wrong_functions=("covariance not inverted", "plain squares")),
        Mistake(*UNCORRELATED, wrong_functions=("correlations ignored",)),
        Mistake(*SQUARE, wrong_functions=("square not halved", "root of the square")),
        Mistake(
            "as if the square were added",
            "Is a frame far from the mean more likely or less?",
            wrong_functions=("square added",),
        ),
        Mistake(
            "the density itself", "Is the density asked for, or its logarithm?", wrong_functions=("density, no log",)
        ),
        Mistake(*COST, when=lambda case, got: case.expected != 0 and near(got, -case.expected)),
        Mistake("as if the logarithm had another base", "Which logarithm undoes exp?", wrong_functions=("log10",)),
        Mistake(
            "as if the mean were 0", "From where is the distance measured?", wrong_functions=("mean not subtracted",)
        ),
        Mistake(
            "as if it had been scaled up for the features that are missing",
            "Is anything claimed about the features that are missing?",
            wrong_functions=("scaled up",),
        ),
        Mistake(
            "as if a frame without a known feature were impossible",
            "With probability 1 something is there, whatever it is: what is the log of 1?",
            wrong_functions=("nothing known is impossible",),
        ),
        Mistake(*TINY_DENSITY, wrong_functions=("through the density",)),
        Mistake(*TINY_DENSITY, raises=ValueError, when=lambda case, error: "math" in str(error)),
        Mistake(*NO_BLOCK, raises=np.linalg.LinAlgError, when=lambda case, error: "dimension" in str(error)),
        Mistake(
            "because the determinant itself is too small for the computer",
            "How small is a product of forty variances of 10⁻¹⁰ each? Sum logs; np.linalg.slogdet or Cholesky do.",
            wrong_functions=("log of the determinant",),
        ),
    ),
    hints=(
        "Integrating a Gaussian over some of its features leaves a Gaussian of the others. Its mean and covariance "
        "are simply those entries of μ and Σ that belong to the others; nothing has to be computed for that.",
        "known = ~np.isnan(frame) is a mask. frame[known], mean[known] and covariance[np.ix_(known, known)] are all "
        "you need; from here on it is the log density of the lecture with another D.",
        "Three terms, all with the block S and the number of known features d: −½ d log 2π, −½ log |S| and minus half "
        "the squared distance. slogdet and solve work for a block of 0 × 0 too.",
    ),
    laws=(
        Law(
            "Give a missing feature another mean and another variance: the log density of the known ones stays.",
            "Which line still uses a feature that is missing?",
            other_missing_features,
        ),
        Law(
            "Write down the features in the opposite order: the log density stays.",
            "Which line depends on the place of a feature?",
            lambda frame, mean, covariance: (frame[::-1].copy(), mean[::-1].copy(), covariance[::-1, ::-1].copy()),
        ),
        Law(
            "Measure two known features in a unit 10⁵ times as large (x and μ divided by 10⁵, Σ by 10¹⁰): the log "
            "density grows by 2 log 10⁵ = 23.02585.",
            "Which term does not follow the unit? Is a number added that has none?",
            in_larger_units,
            lambda one, other: near(other - one, 2 * np.log(1e5)),
        ),
        Law(
            "Add 5 to x and to μ: the log density stays.",
            "Where do x and μ enter otherwise than by their difference?",
            lambda frame, mean, covariance: (frame + 5, mean + 5, covariance),
        ),
    ),
)

# --------------------------------------------------------------------------------------------------- 3 running

FAR = "far from zero"


def draw_running(rng, k):
    """Frames near 0 and, every fourth time, near 10⁸, where the new mean needs no more digits than there are."""
    n, d, shift = (0, 1, 2, 3, 5, 12, 40, 7)[k % 8], 1 + k % 3, 1e8 if k % 4 == 3 else 0.0
    roots = rng.integers(-4, 5, (d, min(max(n - 1, 0), d + 1))).astype(float)
    mean, frame = shift + rng.integers(-9, 10, (2, d))
    return n, mean * (n > 0), roots @ roots.T, frame


running = Task(
    name="running",
    function="add_frame",
    arguments=("n", "mean", "covariance", "frame"),
    title="Task 3 · One frame more",
    stars=2,
    minutes=25,
    points=4,
    cases=(
        Case(
            "the first frame",
            (0, array(0, 0), array([0, 0], [0, 0]), array(4, -3)),
            (1, array(4, -3), array([0, 0], [0, 0])),
        ),
        Case(
            "by hand",
            (3, array(2, 5), array([4, 1], [1, 9]), array(6, -3)),
            (4, array(3, 3), array([6, -5.25], [-5.25, 18.75])),
        ),
        Case(
            "the second frame",
            (1, array(1, 4), array([0, 0], [0, 0]), array(5, 2)),
            (2, array(3, 3), array([4, -2], [-2, 1])),
        ),
        Case("the tenth frame, three features", (9, array(1, 0, -2), THREE, array(3, -4, 1))),
        Case(
            FAR,
            (4, array(1e8, 3e8), array([5, 2.5], [2.5, 10]), array(1e8 + 5, 3e8 - 10)),
            (5, array(1e8 + 1, 3e8 - 2), array([8, -6], [-6, 24])),
        ),
    ),
    draw=draw_running,
    mistakes=(
        Mistake(
            "as if the new frame's distance were taken twice from the same mean",
            "Around which mean is the sum of squares that you keep, and around which one should the new sum be?",
            wrong_functions=("old mean twice", "new mean twice"),
        ),
        Mistake(
            "as if the new frame had not been counted",
            "How many frames are there now, and what is divided by that?",
            wrong_functions=("divided by n", "everything divided by n"),
        ),
        Mistake(*DIVISOR, wrong_functions=("N − 1",)),
        Mistake(
            "as if the old covariance had another share",
            "How many frames does the old covariance speak for? And the new frame?",
            wrong_functions=(
                "covariance not weighed",
                "covariance added to",
                "weights exchanged",
                "only the new frame",
            ),
        ),
        Mistake(
            "a sum instead of a mean",
            "A sum of squares, or its mean? The covariance is needed.",
            wrong_functions=("sum not divided",),
        ),
        Mistake(
            "as if the new frame had no spread",
            "Does the new frame say nothing about the spread?",
            wrong_functions=("covariance kept", "only the old spread"),
        ),
        Mistake(
            "as if the old mean were a single frame",
            "How many frames does the old mean speak for?",
            wrong_functions=("mean of two",),
        ),
        Mistake(
            "with a mean that did not move, or moved away",
            "Where does the new frame pull the mean?",
            wrong_functions=("mean kept", "mean pushed away"),
        ),
        Mistake(
            "with the old count",
            "How many frames have been seen now?",
            when=lambda case, got: near(got, (case.expected[0] - 1, *case.expected[1:])),
        ),
        Mistake(
            "as if each feature were on its own, or all of them one",
            "What size has a column times a row? And what does d * d or d @ d give?",
            wrong_functions=("inner product", "squares only", "diagonal only"),
        ),
        Mistake(
            "which is what a small difference of two huge numbers leaves",
            "How many digits are left when 10¹⁶ is subtracted from 10¹⁶ + 8? Do not square what is far from zero.",
            correct_cases=("by hand",),
            when=lambda case, got: case.name == FAR and near(got[1], case.expected[1]),
        ),
    ),
    hints=(
        "The mean first. The old one speaks for n frames, the new frame for one: the mean moves towards the new frame "
        "by 1/(n + 1) of the way.",
        "n times the covariance is the sum of squares around the mean, a matrix. What does the new frame add to that "
        "sum? It is a column times a row: its distance from the old mean times its distance from the new mean.",
        "With d the distance from the old mean and e the one from the new mean, the new sum of squares is nΣ + d eᵀ. "
        "Both d and e are small even if the frames are far from zero, and that is why this loses no digits.",
    ),
    laws=(
        Law(
            "Add (n + 1) I to the old covariance: the new one grows by n I.",
            "How many frames does the old covariance speak for, and how many does the new one?",
            lambda n, mean, covariance, frame: (
                (n, mean, covariance + (n + 1) * np.eye(len(mean)), frame) if n > len(mean) else None
            ),
            lambda one, other: near(other[2] - one[2], (one[0] - 1) * np.eye(len(one[1]))),
        ),
        Law(
            "Add 1000 to the old mean and to the frame: the new mean grows by 1000, and the covariance stays.",
            "Around which point is the spread measured, and with how many digits?",
            lambda n, mean, covariance, frame: (n, mean + 1000, covariance, frame + 1000) if n else None,
            lambda one, other: near(other[1] - one[1], np.full(one[1].shape, 1000.0)) and near(other[2], one[2]),
        ),
        Law(
            "Double mean and frame, and take 4 times the covariance: the new mean doubles, and the new covariance is "
            "4 times as large.",
            "Which term of the covariance has not the unit of a squared distance?",
            lambda n, mean, covariance, frame: (n, 2 * mean, 4 * covariance, 2 * frame),
            times(1, 2, 4),
        ),
        Law(
            "Write down the features in the opposite order: so are those of the new mean and covariance.",
            "Which entry of the covariance belongs to which two features?",
            lambda n, mean, covariance, frame: (
                *(n, mean[::-1].copy(), covariance[::-1, ::-1].copy()),
                frame[::-1].copy(),
            ),
            lambda one, other: near(other, (one[0], one[1][::-1], one[2][::-1, ::-1])),
        ),
    ),
    asks={
        "the first frame": "How far is a single frame from its own mean?",
        "the second frame": "Two frames have a covariance already: how far is each of them from their mean?",
    },
)

# ----------------------------------------------------------------------------------------------- 4 conditional

MEAN_4, COVARIANCE_4 = array(1, -2, 3, 5), array([6, 2, -1, 3], [2, 5, 1, 2], [-1, 1, 4, 0.5], [3, 2, 0.5, 8])

SPLITS = ((2, 1), (3, 1), (3, 2), (4, 2), (4, 3), (5, 0), (6, 3), (7, 4))  # features, known ones


def draw_conditional(rng, k):
    """A Gaussian and the values of some features, in any order; now and then of none."""
    d, n_known = SPLITS[k % len(SPLITS)]
    known, values = rng.permutation(d)[:n_known], rng.normal(0, 6, n_known).round(1)
    return rng.normal(3, 5, d).round(1), random_covariance(rng, d, 2.0), known, values


def known_in_another_unit(mean, covariance, known, values):
    """The same, the known features being measured in a unit that is a tenth."""
    scale = np.where(np.isin(np.arange(len(mean)), known), 10, 1)
    return scale * mean, covariance * np.outer(scale, scale), known, 10 * values


def sum_of_the_last_two(mean, covariance, known, values):
    """Another last feature: the sum of the last two; None unless both of them are unknown."""
    adding = np.eye(len(mean))
    adding[-1, -2] = 1
    both_unknown = not np.isin([len(mean) - 2, len(mean) - 1], known).any()
    return (adding @ mean, adding @ covariance @ adding.T, known, values) if both_unknown else None


def known_moved(mean, covariance, known, values):
    """The known features measured from another zero, 5 lower: their values and means grow; None if none is known."""
    return (mean + 5 * np.isin(np.arange(len(mean)), known), covariance, known, values + 5) if len(known) else None


conditional = Task(
    name="conditional",
    function="predict_unknown",
    arguments=("mean", "covariance", "known", "values"),
    title="Task 4 · The rest of the frame",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case("by hand", (array(2, -1), array([9, 6], [6, 10]), whole(0), array(5)), (array(1), array([6]))),
        Case(
            "two known, two unknown",
            (MEAN_4, COVARIANCE_4, whole(0, 2), array(4, 1)),
            (array(-35, 140.5) / 23, array([89, 15], [15, 143.5]) / 23),
        ),
        Case(
            "the indices in another order",
            (MEAN_4, COVARIANCE_4, whole(3, 0), array(2, 4)),
            (array(-66, 70.5) / 39, array([163, 46], [46, 143.5]) / 39),
        ),
        Case(
            "one of three is unknown",
            (array(1, -2, 3), THREE, whole(1, 2), array(1, 1)),
            (array(53) / 44, array([107]) / 44),
        ),
        Case("nothing is known", (array(1, -2, 3), THREE, whole(), array()), (array(1, -2, 3), THREE)),
        Case(
            "what the known one leaves goes against each other",
            (array(1, 0, 2), array([4, 1, -2], [1, 3, -1], [-2, -1, 5]), whole(0), array(3)),
            (array(0.5, 1), array([2.75, -0.5], [-0.5, 4])),
        ),
    ),
    draw=draw_conditional,
    tolerance=1e-8,
    mistakes=(
        Mistake(
            "as if the sign of the correlation were turned",
            "If two features rise together and one of them is high: what do you expect of the other?",
            wrong_functions=("sign of the mean", "sign in the inverse"),
        ),
        Mistake(
            "as if a mean had been forgotten",
            "What should the prediction be if the known values are their means?",
            wrong_functions=("values not centred", "mean forgotten"),
        ),
        Mistake(
            "as if the known values had taught nothing",
            "What have you learnt from the known values?",
            wrong_functions=("known part ignored", "mean ignores the known part"),
        ),
        Mistake(
            "as if knowing had not narrowed it",
            "Can knowing more make a Gaussian wider, or leave it as wide?",
            wrong_functions=("covariance added", "covariance kept"),
        ),
        Mistake(
            "the part of the spread that is explained",
            "The part that is explained, or the part that remains?",
            wrong_functions=("what is explained",),
        ),
        Mistake(
            "as if the gain had another unit",
            "What unit has the gain? It turns a difference in known features into one in unknown features.",
            wrong_functions=("no inverse", "multiplied by K", "block of the inverse as gain"),
        ),
        Mistake(
            "as if the covariance of the unknown had been inverted",
            "Which block belongs to what is known? Its spread is the scale on which the known values are read.",
            wrong_functions=("inverts the wrong block",),
        ),
        Mistake(
            "as if each known feature were used on its own",
            "Do two known features that say the same count twice? The gain needs their whole block.",
            wrong_functions=("one feature at a time",),
        ),
        Mistake(
            "as if rows and columns of the gain were exchanged",
            "Which index of the gain belongs to the unknown features, the first or the second?",
            wrong_functions=("gain transposed", "block transposed"),
        ),
        Mistake(*NO_BLOCK, raises=np.linalg.LinAlgError, when=lambda case, error: "dimension" in str(error)),
        Mistake(
            "a block of the inverse as it stands",
            "A precision, or a covariance? The block of the unknown in Σ⁻¹ has still to be inverted.",
            wrong_functions=("precision as covariance",),
        ),
        Mistake(
            "as if the indices had been sorted and the values not",
            "Which value belongs to which index?",
            wrong_functions=("known sorted, values not",),
        ),
        Mistake(
            "with roots of what was asked for",
            "What unit has a variance, and what unit its root?",
            wrong_functions=("standard deviations",),
        ),
        Mistake(
            "the variances alone",
            "Do the unknown features still move together when the others are known?",
            wrong_functions=("variances only",),
        ),
    ),
    hints=(
        "Call the known features k and the others u. Four blocks of Σ matter: Σ_kk, Σ_uu, and the two that join them. "
        "np.setdiff1d(np.arange(D), known) are the indices u, and np.ix_ cuts a block.",
        "The gain G = Σ_uk Σ_kk⁻¹ has one row for each unknown and one column for each known feature. It says by how "
        "much the unknown features move if the known ones are off their means.",
        "The mean is μ_u + G (values − μ_k), the covariance Σ_uu − G Σ_ku. Without an inverse: solve for the "
        "transpose of G with the matrix Σ_kk and the right side Σ_ku.",
    ),
    laws=(
        Law(
            "Add 5 to the known values and to the means of the known features: the answers stay.",
            "Which mean is taken off each known value? It must be the mean of this very feature.",
            known_moved,
        ),
        Law(
            "Measure the known features in a unit that is a tenth (their values and means 10 times as large, and Σ "
            "with them): the answers stay.",
            "What unit has the gain, and which blocks of Σ give it this unit?",
            known_in_another_unit,
        ),
        Law(
            "Write down the known features in the opposite order, each with its value: the answers stay.",
            "Which value belongs to which index?",
            lambda mean, covariance, known, values: (mean, covariance, known[::-1].copy(), values[::-1].copy()),
        ),
        Law(
            "Replace the last of two unknown features by their sum: its prediction is the sum of both, and its "
            "variance is both variances and twice their covariance.",
            "In which order do the unknown features come? And does one formula give all entries of the covariance, "
            "those beside the diagonal too?",
            sum_of_the_last_two,
            lambda one, other: (
                near(other[0][-1], one[0][-2:].sum()) and near(other[1][-1, -1], one[1][-2:, -2:].sum())
            ),
        ),
        Law(
            "Add 3 to the known values: the covariance stays.",
            "Where do values enter the covariance?",
            lambda mean, covariance, known, values: (mean, covariance, known, values + 3),
            lambda one, other: near(other[1], one[1]),
        ),
        Law(
            "Add 5 to all means and values: the predictions grow by 5.",
            "Where do values or means enter otherwise than by their difference?",
            lambda mean, covariance, known, values: (mean + 5, covariance, known, values + 5),
            lambda one, other: near(other, (one[0] + 5, one[1])),
        ),
        Law(
            "Double Σ: the predictions stay, and their covariance doubles.",
            "Which term is no product of Σ with numbers that have no unit?",
            lambda mean, covariance, known, values: (mean, 2 * covariance, known, values),
            times(1, 2),
        ),
    ),
)

# ------------------------------------------------------------------------------------------------- 5 shrinkage

FIVE, MANY, FIFTY = "five frames", "two hundred development frames", "fifty features in a small unit"
TINY_PRODUCT = (
    "because the product of all densities is too small or too large for the computer",
    "How small is 0.01 to the power of 200? Sum the logs, and take no product at all.",
)

TIME = np.arange(200)
SINES = np.arange(1, 51)

SETS = (  # training frames, development frames, features, unit
    *((5, 6, 2, 1.0), (6, 8, 3, 4.0), (4, 5, 6, 0.2), (9, 700, 3, 3.0)),
    *((12, 20, 4, 30.0), (8, 10, 60, 1e-6), (30, 9, 5, 2.0), (3, 2, 2, 1.0)),
)


def draw_shrinkage(rng, k):
    """Frames of correlated features, and a grid in no order, of five numbers down to a single one."""
    n, m, d, unit = SETS[k % len(SETS)]
    mix = np.eye(d) + 0.8 * np.tri(d)
    frames, development = (unit * (1 + rng.normal(0, 1, (count, d)) @ mix).round(1) for count in (n, m))
    return frames, development, rng.permutation([0.02, 0.1, 0.35, 0.6, 0.95])[k % 5 :]


shrinkage = Task(
    name="shrinkage",
    function="choose_shrinkage",
    arguments=("frames", "development", "grid"),
    title="Task 5 · How much to believe a covariance",
    stars=3,
    minutes=35,
    points=5,
    cases=(
        Case("by hand", (array([-1, 1], [5, 3], [1, 3], [3, 1]), array([5, 4]), array(1, 0.5))),
        Case(
            FIVE,
            (
                array([2, 0, 1], [5, 3, -2], [1, 4, 4], [0, -1, 7], [3, 6, 3]),
                array([4, 4, 0], [1, 0, 4], [2, 1, 8], [6, 5, -1]),
                array(1, 0.02, 0.4, 0.1),
            ),
        ),
        Case(
            "three frames of four features",
            (
                array([2, 0, 1, 3], [5, 3, -2, 2], [1, 4, 4, -1]),
                array([3, 2, 1, 1], [1, 2, 3, 2], [3, -1, 1, 2]),
                array(0.05, 0.2, 0.6, 0.9),
            ),
        ),
        Case(
            MANY,
            (
                array([1, 2], [4, 8], [6, 3], [9, 9]),
                np.column_stack([5 + 4 * np.sin(TIME), 5 + 3 * np.sin(TIME + 0.8)]),
                array(0.9, 0.05, 0.3, 0.6),
            ),
        ),
        Case(
            FIFTY,
            (
                1e-4 * np.sin(np.outer(np.arange(1, 9), SINES)),
                1e-4 * np.sin(np.outer(np.arange(1, 5) + 0.03, SINES)),
                array(0.1, 0.3, 0.6, 0.9),
            ),
        ),
    ),
    draw=draw_shrinkage,
    tolerance=1e-7,
    mistakes=(
        Mistake(
            "as if the same frames had made the estimate and judged it",
            "Which frames has the estimate already seen? Those cannot say how well it does on others.",
            wrong_functions=("scores the training frames", "scores all frames", "estimates from all frames"),
        ),
        Mistake(
            "as if the model had the mean of the development frames",
            "Whose mean belongs to the model? The development frames only judge.",
            wrong_functions=("development mean",),
        ),
        Mistake(
            "as if v were not the average variance",
            "What is Σ(1) if all features have the same variance and no correlation? It should be Σ itself.",
            wrong_functions=("sum of the variances", "largest variance", "geometric mean"),
        ),
        Mistake(
            "as if all entries of Σ were variances",
            "Which entries of Σ are variances? And which entries of v·I are not 0?",
            wrong_functions=("mean of all entries", "everywhere the same number"),
        ),
        Mistake(
            "as if v were 1",
            "In which unit is the 1 of an identity matrix? Volts or millivolts: the same λ should be chosen.",
            wrong_functions=("identity",),
        ),
        Mistake(
            "as if Σ were shrunk towards its own diagonal",
            "Towards which shape is it shrunk: an ellipse along the axes, or a ball?",
            wrong_functions=("towards the diagonal",),
        ),
        Mistake(
            "as if λ mixed the two in another way",
            "What should λ = 1 give? And λ = 0?",
            wrong_functions=("λ and 1 − λ exchanged", "only added"),
        ),
        Mistake(*LIKELY, wrong_functions=("least score",)),
        Mistake(*COST, when=lambda case, got: near(got, (case.expected[0], -case.expected[1]))),
        Mistake(*DIVISOR, wrong_functions=("N − 1",)),
        Mistake(
            "a total",
            "A total, or a mean of the development frames? With a mean, scores of different sets can be compared.",
            when=lambda case, got: near(got, (case.expected[0], case.expected[1] * len(case.inputs[1]))),
        ),
        Mistake(
            "as if densities were averaged",
            "The mean of the logs, or the log of the mean? Independent frames multiply.",
            wrong_functions=("log of the mean density", "mean density"),
        ),
        Mistake(*TINY_PRODUCT, wrong_functions=("product of densities",)),
        Mistake(*TINY_PRODUCT, raises=ValueError, when=lambda case, error: "math" in str(error)),
        Mistake(
            "because the determinant itself is too small for the computer",
            "How small is a product of fifty variances of 10⁻⁸ each? slogdet or Cholesky sum logs.",
            wrong_functions=("log of the determinant",),
        ),
        Mistake(
            "as if the determinant were missing",
            "What stops the best λ from making Σ as wide as it can?",
            wrong_functions=("without the determinant",),
        ),
        Mistake(
            "the place of λ in the grid",
            "The place in the grid, or the λ that stands there?",
            when=lambda case, got: near(
                got, (np.flatnonzero(case.inputs[2] == case.expected[0])[0], case.expected[1])
            ),
        ),
        Mistake(
            "λ and score exchanged",
            "Which of the two comes first? Read “Returns” again.",
            when=lambda case, got: near(got, case.expected[::-1]),
        ),
    ),
    hints=(
        "Mean, Σ and v come from `frames` alone and are computed once. Only the mixture and its score belong into the "
        "loop over λ; keep the λ with the best score.",
        "v is the trace of Σ divided by D. For the score write the log density of one development frame as a function "
        "of its own and test it alone; then take the mean over all of them.",
        "One λ: S = (1 − λ)Σ + λ v I, then −½ (D log 2π + log |S| + the mean of the squared distances). slogdet gives "
        "log |S|, and solve the distances, for all frames at once if you like.",
    ),
    laws=(
        Law(
            "Write down the grid in the opposite order: the best λ and its score stay.",
            "Which λ does your loop never reach, or never compare? The grid is in no order, and scores may fall and "
            "rise again.",
            lambda frames, development, grid: (frames, development, grid[::-1].copy()),
        ),
        Law(
            "Measure two features in a unit that is a tenth (all frames 10 times as large): λ stays, and the score "
            "falls by 2 log 10 = 4.60517.",
            "Which term does not follow the unit: v, the determinant, or a number that you added?",
            lambda frames, development, grid: (10 * frames, 10 * development, grid) if frames.shape[1] == 2 else None,
            lambda one, other: near(other, (one[0], one[1] - 2 * np.log(10))),
        ),
        Law(
            "Turn the plane of two features by 45°: λ and score stay, for a ball has no direction.",
            "Which part of Σ(λ), or of the distance, treats the axes differently from other directions?",
            lambda frames, development, grid: (
                (frames @ TURN, development @ TURN, grid) if frames.shape[1] == 2 else None
            ),
        ),
        Law(
            "Write down each development frame twice: λ and score stay.",
            "What else than a mean over the development frames is made of them?",
            lambda frames, development, grid: (frames, np.repeat(development, 2, axis=0), grid),
        ),
        Law(
            "Write down each training frame twice: λ and score stay.",
            "By what is the sum of squares of the training frames divided?",
            lambda frames, development, grid: (np.repeat(frames, 2, axis=0), development, grid),
        ),
        Law(
            "Add 5 to all frames: λ and score stay.",
            "From which point are distances measured?",
            lambda frames, development, grid: (frames + 5, development + 5, grid),
        ),
        Law(
            "The training frames (1, 0), (−1, 0), (0, 1) and (0, −1) have Σ̂ = ½ I; under λ = ½ the development frame "
            "(0, 0) then has the score −log π = −1.14473.",
            "What are Σ̂, v and the three terms of the log density there?",
            holds=lambda one, other: near(other[1], -np.log(np.pi)),
            example=(array([1, 0], [-1, 0], [0, 1], [0, -1]), array([0, 0]), array(0.5)),
        ),
    ),
)

# --------------------------------------------------------------------------------------------------- 6 speaker

SHORT = "five short utterances"
LONG = "long utterances"
ANSWERS = whole(2, 0, 1, 2, 0)
MEANS = array([0, 0], [4, 1], [1, 5])
COVARIANCES = array([[4, 1], [1, 2]], [[9, -4], [-4, 3]], [[1, 0.5], [0.5, 6]])

UTTERANCES = (  # speakers, features, utterances, longest of them
    *((2, 2, 2, 2), (4, 2, 8, 3), (3, 3, 6, 5), (3, 2, 3, 400), (5, 2, 8, 6), (4, 3, 8, 3), (2, 1, 4, 2)),
)


def draw_speaker(rng, k):
    """Gaussians, priors and utterances; every third time Σ is the same, and each frame leaves almost no doubt."""
    n, d, count, longest = UTTERANCES[k % len(UTTERANCES)]
    means, spreads = rng.normal(0, 1.5, (n, d)).round(1), rng.uniform(0.5, 3, n).round(1)
    covariances = np.array([random_covariance(rng, d, spread) for spread in spreads])
    if far := k % 3 == 0:
        covariances[:] = covariances[0]
    priors = rng.permutation(0.5 ** np.arange(n) * np.where(np.arange(n) < n - 1, 1, 0.2))
    lengths = rng.integers(1 + longest // 2, longest + 1, count)
    utterances = [rng.normal(0, 80 if far else 2, (length, d)).round(1) for length in lengths]
    return utterances, means, covariances, priors / priors.sum()


ALIKE_BUT_WIDER = (
    [array([10, 0], [-10, 0])],
    np.zeros((2, 2)),
    array([[1, 0], [0, 1]], [[100, 0], [0, 100]]),
    array(0.5, 0.5),
)


speaker = Task(
    name="speaker",
    function="who_speaks",
    arguments=("utterances", "means", "covariances", "priors"),
    title="Task 6 · Who is speaking?",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(
            "by hand",
            (
                [array([2, 0], [2, 2])],
                array([0, 0], [4, 1]),
                array([[4, 0], [0, 1]], [[1, 0], [0, 1]]),
                array(0.2, 0.8),
            ),
            whole(1),
        ),
        Case(
            "one frame each",
            ([array([2, 2]), array([-1, 4]), array([2, -2]), array([1, 1])], MEANS, COVARIANCES, array(0.1, 0.6, 0.3)),
            whole(1, 1, 0, 1),
        ),
        Case(
            SHORT,
            (
                [
                    array([3, 5], [3, 1], [5, 5], [-1, 3]),
                    array([6, 8], [-4, 4]),
                    array([-3, 4], [1, 6], [3, -2]),
                    array([0, 6], [0, 2], [-3, 4]),
                    array([1, 1], [4, 8], [6, -3], [0, 2]),
                ],
                MEANS,
                COVARIANCES,
                array(0.7, 0.1, 0.2),
            ),
            ANSWERS,
        ),
        Case(
            LONG,
            (
                [
                    np.tile(array([1, 4], [2, 7], [0, 3]), (300, 1)),
                    np.tile(array([3, 2], [6, 0], [4, -1]), (300, 1)),
                    np.tile(array([-2, 1], [1, -1]), (300, 1)),
                ],
                MEANS,
                COVARIANCES,
                array(0.7, 0.1, 0.2),
            ),
            whole(2, 1, 0),
        ),
        Case(
            "one who always speaks alike",
            (
                [array([0.15, -0.1], [0.1, 0.2]), array([0.9, -0.6])],
                array([0, 0], [0.1, 0]),
                np.array([0.04 * np.eye(2), np.eye(2)]),
                array(0.4, 0.6),
            ),
            whole(0, 1),
        ),
        Case(
            "the second frame turns the odds",
            (
                [array([35, 0], [-30, 0])],
                array([0, 60], [-10, 0], [40, 0]),
                np.array(3 * [np.eye(2)]),
                array(0.2, 0.3, 0.5),
            ),
            whole(1),
        ),
    ),
    draw=draw_speaker,
    mistakes=(
        Mistake(
            "as if the prior counted in every frame, or the frames had been averaged",
            "How often is a speaker drawn: once for the utterance, or anew for every frame? And do twenty frames "
            "weigh more than one?",
            wrong_functions=("prior in every frame", "mean of the logs"),
        ),
        Mistake(
            "as if all speakers were equally frequent",
            "Where do the priors enter?",
            wrong_functions=("prior forgotten",),
        ),
        Mistake(
            "as if the prior itself were added or multiplied",
            "The log of a product is a sum: what is the log of the prior times the density?",
            wrong_functions=("prior without a log", "prior multiplies"),
        ),
        Mistake(
            "as if rare speakers were preferred",
            "Should a frequent speaker win more often, or less?",
            wrong_functions=("prior divides",),
        ),
        Mistake(
            "the most frequent speaker, whatever is said",
            "What do the frames say?",
            wrong_functions=("only the prior",),
        ),
        Mistake(
            "as if one frame were enough",
            "All frames, or any one of them? A product is small if one factor is small, a sum or a maximum is not.",
            wrong_functions=("sum of densities", "best frame", "worst frame"),
        ),
        Mistake(
            "as if one frame spoke for all",
            "How many frames have a say? All of them.",
            wrong_functions=("first frame", "last frame"),
        ),
        Mistake(
            "because the product of all densities is 0 for every speaker",
            "How small is 0.01 to the power of 300? And which index does argmax give among equal zeros?",
            wrong_functions=("product of densities", "product, no logs", "product without 2π"),
        ),
        Mistake(
            "as if nobody could come back whose probability has once been 0",
            "How small is exp(−1000) for the computer? Which number of a speaker could carry the whole evidence from "
            "frame to frame?",
            wrong_functions=("belief after each frame",),
        ),
        Mistake(
            "as if each frame had one vote",
            "How sure is each frame? A vote forgets that one frame may be certain and the others undecided.",
            wrong_functions=("vote of the frames",),
        ),
        Mistake(
            "as if there were only one frame, the mean",
            "Is the density of a mean the product of the densities? The spread of the frames tells something too.",
            wrong_functions=("mean frame", "mean frame for each frame"),
        ),
        Mistake(*VOLUME, wrong_functions=("without the determinant", "determinant added")),
        Mistake(*HALF_LOG_DET, wrong_functions=("determinant not halved",)),
        Mistake(*SQUARE, wrong_functions=("square not halved",)),
        Mistake(*NOT_INVERTED, wrong_functions=("not inverted",)),
        Mistake(*UNCORRELATED, wrong_functions=("diagonal only",)),
        Mistake(
            "the nearest mean",
            "Where do the covariances enter? A speaker may be near in one direction and far in another.",
            wrong_functions=("nearest mean",),
        ),
        Mistake(
            "as if Σ were a standard deviation",
            "Is Σ a variance or a standard deviation: must it be squared?",
            wrong_functions=("covariance squared",),
        ),
        Mistake(*LIKELY, wrong_functions=("least likely",)),
        Mistake(
            "the right speakers, counted from 1",
            "Python counts from 0: which index has the first row of `means`?",
            when=lambda case, got: near(got, case.expected + 1),
        ),
    ),
    hints=(
        "One utterance first: make one number for each speaker, then take the index of the largest. The loop over "
        "utterances comes last.",
        "The number is a sum over frames of log densities plus, once, the log of the prior. Everything that is the "
        "same for all speakers, such as the 2π, may stay away.",
        "For one speaker and T frames: log prior − ½ T log |Σ| − ½ the sum of the T squared distances (x − μ)ᵀ Σ⁻¹ (x "
        "− μ). slogdet and solve give both.",
    ),
    laws=(
        Law(
            "Two speakers have the mean 0, one Σ = I and the other Σ = 100 I. The frames (10, 0) and (−10, 0) are "
            "more probable for the second.",
            "What enters your score: each frame, or a summary that forgets how far apart they are? And where does Σ?",
            holds=lambda one, other: near(other, array(1)),
            example=ALIKE_BUT_WIDER,
        ),
        Law(
            "Say the frames of each utterance in the opposite order: the answers stay.",
            "Does every frame count alike, wherever it stands? And can what you carry on become exactly 0?",
            lambda utterances, *model: ([one[::-1].copy() for one in utterances], *model),
        ),
        Law(
            "List the utterances in the opposite order: so are the answers.",
            "Which utterance belongs to which answer?",
            lambda utterances, *model: (utterances[::-1], *model),
            lambda one, other: near(other, one[::-1]),
        ),
        Law(
            "List the speakers in the opposite order: each answer is counted from the other end.",
            "Which speaker wins because of the place in the list?",
            lambda utterances, *model: (utterances, *(one[::-1].copy() for one in model)),
            lambda one, other: np.ptp(one + other) == 0,
        ),
        Law(
            "Turn the plane of two features by 45°: the answers stay.",
            "Which line treats the features one by one?",
            lambda utterances, means, covariances, priors: (
                ([one @ TURN for one in utterances], means @ TURN, TURN.T @ covariances @ TURN, priors)
                if means.shape[1] == 2
                else None
            ),
        ),
        Law(
            "Measure all features in a unit that is a tenth: the answers stay.",
            "Which term does not follow the unit?",
            lambda utterances, means, covariances, priors: (
                *([10 * one for one in utterances], 10 * means, 100 * covariances),
                priors,
            ),
        ),
    ),
)

homework = Homework(weighted, missing, running, conditional, shrinkage, speaker, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
