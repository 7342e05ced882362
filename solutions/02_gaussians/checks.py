"""The checks of homework 02: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_lib.homework import Case, Homework, Mistake, Task, near


def array(*values):
    """A vector of numbers, or a matrix of rows."""
    return np.array(values, dtype=float)


def whole(*values):
    """A vector of whole numbers."""
    return np.array(values, dtype=int)


NAN = np.nan
THREE = array([4, 3, 2], [3, 9, 1], [2, 1, 5])
DIVISOR = ("as if it were divided by something less", "Maximise the likelihood: which divisor falls out of it?")
TWO_PI = (
    "as if 2π came in another power",
    "How many factors of √(2π) belong to one known feature, and how many features are known?",
)
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

# -------------------------------------------------------------------------------------------------- 1 weighted

POWER = (
    "as if the weights had another power",
    "Twice the same frame, or once with weight 2: must that be the same? With which power of the weight is it?",
)
OFF_DIAGONAL = (
    "the variances alone",
    "Which entry says that two features move together? A matrix of D × D is wanted.",
)
COUNT = (
    "as if the number of rows were the amount of data",
    "How many frames does the sum of the weights stand for? Not len(frames).",
)

weighted = Task(
    name="weighted",
    function="weighted_gaussian",
    arguments=("frames", "weights"),
    title="Task 1 · Frames that count more or less",
    stars=1,
    minutes=20,
    points=3,
    cases=(
        Case(
            "by hand",
            (array([0, 2], [5, 6], [10, -2]), array(3, 1, 1)),
            (array(3, 2), array([16, -4], [-4, 6.4])),
        ),
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
            (
                array([2, 0, 1], [5, 3, -2], [1, 4, 4], [0, -1, 7], [3, 3, 3]),
                array(0.01, 0.04, 0.02, 0.02, 0.01),
            ),
            (array(2.7, 2.1, 1.8), array([4.21, 2.03, -6.96], [2.03, 3.49, -3.48], [-6.96, -3.48, 12.36])),
        ),
    ),
    mistakes=(
        Mistake(
            "as if all frames counted the same",
            "Where do the weights enter? A frame of weight 0 might as well not be there.",
            on={"by hand": (array(5, 2), [[16.66667, -6.666667], [-6.666667, 10.66667]])},
        ),
        Mistake(
            "as if the weights counted in the mean only",
            "Which frames pull at the covariance, and how hard?",
            on={"by hand": (array(3, 2), [[20.66667, -6.666667], [-6.666667, 10.66667]])},
        ),
        Mistake(
            "as if the mean had no weights",
            "The spread is measured around which mean? The weighted one is needed first.",
            on={"by hand": (array(5, 2), [[20, -4], [-4, 6.4]])},
        ),
        Mistake(*COUNT, on={"by hand": (array(3, 2), [[26.66667, -6.666667], [-6.666667, 10.66667]])}),
        Mistake(*COUNT, on={"by hand": (array(5, 3.333333), [[33.33333, -2.222222], [-2.222222, 13.62963]])}),
        Mistake(*DIVISOR, on={"by hand": (array(3, 2), [[40, -10], [-10, 16]])}),
        Mistake(*DIVISOR, on={"by hand": (array(3, 2), [[20, -5], [-5, 8]])}),
        Mistake(*DIVISOR, on={"by hand": (array(3, 2), [[28.57143, -7.142857], [-7.142857, 11.42857]])}),
        Mistake(*POWER, on={"by hand": (array(3, 2), [[26.8, -4], [-4, 6.4]])}),
        Mistake(*POWER, on={"by hand": (array(1.363636, 2), [[9.504132, -1.818182], [-1.818182, 2.909091]])}),
        Mistake(*POWER, on={"by hand": (array(3, 2), [[13.71769, -4], [-4, 6.4]])}),
        Mistake(*POWER, on={"by hand": (array(4.019238, 2), [[17.33938, -5.358984], [-5.358984, 8.574374]])}),
        Mistake(
            "as if the mean had not been subtracted",
            "Move all frames by the same vector: may the covariance change?",
            on={"by hand": (array(3, 2), [[25, 2], [2, 10.4]])},
        ),
        Mistake(
            "a sum instead of a mean",
            "Double all weights: may the covariance change?",
            on={"by hand": (array(3, 2), [[80, -20], [-20, 32]])},
        ),
        Mistake(*OFF_DIAGONAL, on={"by hand": (array(3, 2), array(16, 6.4))}),
        Mistake(*OFF_DIAGONAL, on={"by hand": (array(3, 2), [[16, 0], [0, 6.4]])}),
        Mistake(
            "with roots of what was asked for",
            "What unit has a variance, and what unit its root?",
            on={"by hand": (array(3, 2), [[4, -2], [-2, 2.52982]])},
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
        "With the shares r (N numbers) and the centred frames d (N × D), the covariance is Σ_t r_t d_t d_tᵀ: "
        "multiply row t of d by r_t, then one matrix product of dᵀ with the result.",
    ),
)

# --------------------------------------------------------------------------------------------------- 2 missing

CUT_FIRST = (
    "as if the block had been cut out of the inverse",
    "Cut first and invert then, or invert first and cut then? Only one of them is the covariance of what is known.",
)
TINY_DENSITY = (
    "because the density itself is too small for the computer",
    "How small is exp(−5000)? The log density never needs the density.",
)

FEATURES = np.arange(60)
SCALES = 1e-5 * np.sqrt(1 + FEATURES / 20)
SMALL_COVARIANCE = np.outer(SCALES, SCALES) * 0.5 ** np.abs(np.subtract.outer(FEATURES, FEATURES))
SMALL_FRAME = np.where(FEATURES % 3 == 0, NAN, 2e-5 * np.sin(1.0 + FEATURES))

missing = Task(
    name="missing",
    function="log_density_of_known",
    arguments=("frame", "mean", "covariance"),
    title="Task 2 · Frames with holes",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case("nothing is missing", (array(3, 1), array(2, -1), array([2, 1], [1, 5])), -3.436489355077455),
        Case("by hand", (array(5, NAN, 6), array(1, -2, 3), THREE), -5.349171427529237),
        Case("one known feature", (array(NAN, 4, NAN), array(1, -2, 3), THREE), -4.017550821872782),
        Case("nothing is known", (array(NAN, NAN, NAN), array(1, -2, 3), THREE), 0.0),
        Case("a frame far away", (array(150, NAN, -120), array(1, -2, 3), THREE), -7654.130421427531),
        Case(
            "forty of sixty features, in a small unit",
            (SMALL_FRAME, np.full(60, 3e-6), SMALL_COVARIANCE),
            387.59275690647576,
        ),
    ),
    mistakes=(
        Mistake(
            "as if the missing features had been measured at their means",
            "How much does a value that nobody measured add to the log density? Not even a determinant.",
            on={"by hand": -7.836221, "one known feature": -7.784819, "nothing is known": -5.09323},
        ),
        Mistake(
            "as if the missing features had been measured as 0",
            "Which value of the missing feature do you claim to know?",
            on={"by hand": -7.275473, "one known feature": -9.097903, "nothing is known": -6.443697},
        ),
        Mistake(
            "because NaN passes through every sum and product",
            "What is NaN + 1? And NaN == NaN is False: np.isnan finds it.",
            when=lambda case, got: np.isnan(got),
        ),
        Mistake(*CUT_FIRST, on={"by hand": -5.81867, "one known feature": -4.560647}),
        Mistake(*CUT_FIRST, on={"by hand": -5.967162, "one known feature": -4.70914}),
        Mistake(
            "as if the whole frame had been thrown away",
            "Do the features that are known tell nothing?",
            on={"nothing is missing": -3.436489, "by hand": 0, "one known feature": 0},
        ),
        Mistake(*TWO_PI, on={"by hand": -6.26811, "nothing is known": -2.756816}),
        Mistake(*TWO_PI, on={"nothing is missing": -2.517551, "by hand": -4.430233}),
        Mistake(*TWO_PI, on={"nothing is missing": -5.274366, "by hand": -7.187048}),
        Mistake(*TWO_PI, on={"nothing is missing": -1.598612, "by hand": -3.511294}),
        Mistake(*HALF_LOG_DET, on={"nothing is missing": -4.535102, "by hand": -6.735466}),
        Mistake(*HALF_LOG_DET, on={"nothing is missing": -6.837877, "by hand": -11.96288}),
        Mistake(*VOLUME, on={"nothing is missing": -1.239265, "by hand": -2.576583}),
        Mistake(*VOLUME, on={"nothing is missing": -2.337877, "by hand": -3.962877}),
        Mistake(*NOT_INVERTED, on={"nothing is missing": -15.93649, "by hand": -81.72417}),
        Mistake(*NOT_INVERTED, on={"nothing is missing": -5.436489, "by hand": -15.72417}),
        Mistake(*UNCORRELATED, on={"nothing is missing": -3.63917, "by hand": -6.235743}),
        Mistake(*SQUARE, on={"nothing is missing": -3.936489, "by hand": -7.474171}),
        Mistake(*SQUARE, on={"by hand": -4.254948, "one known feature": -3.017551}),
        Mistake(
            "as if the square were added",
            "Is a frame far from the mean more likely or less?",
            on={"nothing is missing": -2.436489, "by hand": -1.099171},
        ),
        Mistake(
            "the density itself",
            "Is the density asked for, or its logarithm?",
            on={"nothing is missing": 0.03217745, "by hand": 0.004752087, "nothing is known": 1},
        ),
        Mistake(*COST, when=lambda case, got: case.expected != 0 and near(got, -case.expected)),
        Mistake(
            "as if the logarithm had another base",
            "Which logarithm undoes exp?",
            on={"nothing is missing": -1.492448, "by hand": -2.323116},
        ),
        Mistake(
            "as if the mean were 0",
            "From where is the distance measured?",
            on={"nothing is missing": -5.214267, "by hand": -7.880421},
        ),
        Mistake(
            "as if it had been scaled up for the features that are missing",
            "Is anything claimed about the features that are missing?",
            on={"by hand": -8.023757, "one known feature": -12.05265},
        ),
        Mistake(
            "as if a frame without a known feature were impossible",
            "With probability 1 something is there, whatever it is: what is the log of 1?",
            on={"by hand": -5.349171, "nothing is known": -np.inf},
        ),
        Mistake(*TINY_DENSITY, on={"by hand": -5.349171, "a frame far away": -np.inf}),
        Mistake(*TINY_DENSITY, raises=ValueError, when=lambda case, error: "math" in str(error)),
        Mistake(*NO_BLOCK, raises=np.linalg.LinAlgError, when=lambda case, error: "dimension" in str(error)),
        Mistake(
            "because the determinant itself is too small for the computer",
            "How small is a product of forty variances of 10⁻¹⁰ each? Sum logs; np.linalg.slogdet or Cholesky do.",
            on={"by hand": -5.349171, "forty of sixty features, in a small unit": np.inf},
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
)

# --------------------------------------------------------------------------------------------------- 3 running

FAR = "far from zero"
AROUND = (
    "as if the new frame's distance were taken twice from the same mean",
    "Around which mean is the sum of squares that you keep, and around which one should the new sum be?",
)
OLD_SHARE = (
    "as if the old covariance had another share",
    "How many frames does the old covariance speak for? And the new frame?",
)
PULL = ("with a mean that did not move, or moved away", "Where does the new frame pull the mean?")
OUTER = (
    "as if each feature were on its own, or all of them one",
    "What size has a column times a row? And what does d * d or d @ d give?",
)
NO_NEWS = ("as if the new frame had no spread", "Does the new frame say nothing about the spread?")
COUNT_NOW = ("as if the new frame had not been counted", "How many frames are there now, and what is divided by that?")

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
            "the tenth frame, three features",
            (9, array(1, 0, -2), THREE, array(3, -4, 1)),
            (10, array(1.2, -0.4, -1.7), array([3.96, 1.98, 2.34], [1.98, 9.54, -0.18], [2.34, -0.18, 5.31])),
        ),
        Case(
            FAR,
            (4, array(1e8, 3e8), array([5, 2.5], [2.5, 10]), array(1e8 + 5, 3e8 - 10)),
            (5, array(1e8 + 1, 3e8 - 2), array([8, -6], [-6, 24])),
        ),
    ),
    mistakes=(
        Mistake(*AROUND, on={"by hand": (4, array(3, 3), [[7, -7.25], [-7.25, 22.75]])}),
        Mistake(*AROUND, on={"by hand": (4, array(3, 3), [[5.25, -3.75], [-3.75, 15.75]])}),
        Mistake(*COUNT_NOW, on={"by hand": (4, array(3, 3), [[8, -7], [-7, 25]])}),
        Mistake(
            *COUNT_NOW,
            on={"by hand": (4, array(3.333333, 2.333333), [[7.555556, -6.111111], [-6.111111, 23.22222]])},
        ),
        Mistake(*DIVISOR, on={"by hand": (4, array(3, 3), [[6.666667, -7.333333], [-7.333333, 22]])}),
        Mistake(*OLD_SHARE, on={"by hand": (4, array(3, 3), [[4, -5.75], [-5.75, 14.25]])}),
        Mistake(*OLD_SHARE, on={"by hand": (4, array(3, 3), [[7, -5], [-5, 21]])}),
        Mistake(*OLD_SHARE, on={"by hand": (4, array(3, 3), [[10, -17.75], [-17.75, 38.25]])}),
        Mistake(*OLD_SHARE, on={"by hand": (4, array(3, 3), [[12, -24], [-24, 48]])}),
        Mistake(
            "a sum instead of a mean",
            "A sum of squares, or its mean? The covariance is needed.",
            on={"by hand": (4, array(3, 3), [[24, -21], [-21, 75]])},
        ),
        Mistake(*NO_NEWS, on={"by hand": (4, array(3, 3), [[4, 1], [1, 9]])}),
        Mistake(*NO_NEWS, on={"by hand": (4, array(3, 3), [[3, 0.75], [0.75, 6.75]])}),
        Mistake(
            "as if the old mean were a single frame",
            "How many frames does the old mean speak for?",
            on={"by hand": (4, array(4, 1), [[5, -3.25], [-3.25, 14.75]])},
        ),
        Mistake(*PULL, on={"by hand": (4, array(2, 5), [[7, -7.25], [-7.25, 22.75]])}),
        Mistake(*PULL, on={"by hand": (4, array(1, 7), [[8, -9.25], [-9.25, 26.75]])}),
        Mistake(
            "with the old count",
            "How many frames have been seen now?",
            when=lambda case, got: near(got, (case.expected[0] - 1, *case.expected[1:])),
        ),
        Mistake(*OUTER, on={"by hand": (4, array(3, 3), [[18, 15.75], [15.75, 21.75]])}),
        Mistake(*OUTER, on={"by hand": (4, array(3, 3), [[6, 12.75], [3.75, 18.75]])}),
        Mistake(*OUTER, on={"by hand": (4, array(3, 3), [[6, 0.75], [0.75, 18.75]])}),
        Mistake(
            "which is what a small difference of two huge numbers leaves",
            "How many digits are left when 10¹⁶ is subtracted from 10¹⁶ + 8? Do not square what is far from zero.",
            on={"by hand": (4, array(3, 3), [[6, -5.25], [-5.25, 18.75]])},
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
)

# ----------------------------------------------------------------------------------------------- 4 conditional

MEAN_4, COVARIANCE_4 = array(1, -2, 3, 5), array([6, 2, -1, 3], [2, 5, 1, 2], [-1, 1, 4, 0.5], [3, 2, 0.5, 8])
SPREAD_4 = [[3.869565, 0.652174], [0.652174, 6.239130]]
TOGETHER = (
    "as if the sign of the correlation were turned",
    "If two features rise together and one of them is high: what do you expect of the other?",
)
AT_THE_MEAN = (
    "as if a mean had been forgotten",
    "What should the prediction be if the known values are their means?",
)
GAIN = (
    "as if the gain had another unit",
    "What unit has the gain? It turns a difference in known features into one in unknown features.",
)
KNOWING_MORE = ("as if knowing had not narrowed it", "Can knowing more make a Gaussian wider, or leave it as wide?")
TURNED = (
    "as if rows and columns of the gain were exchanged",
    "Which index of the gain belongs to the unknown features, the first or the second?",
)
LEARNT = ("as if the known values had taught nothing", "What have you learnt from the known values?")

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
    ),
    mistakes=(
        Mistake(
            *TOGETHER, on={"by hand": (array(-3), [[6]]), "two known, two unknown": ([-2.478261, 3.891304], SPREAD_4)}
        ),
        Mistake(*AT_THE_MEAN, on={"by hand": (array(2.333333), [[6]])}),
        Mistake(*AT_THE_MEAN, on={"by hand": (array(2), [[6]])}),
        Mistake(*LEARNT, on={"by hand": (array(-1), [[10]])}),
        Mistake(*LEARNT, on={"by hand": (array(-1), [[6]])}),
        Mistake(*KNOWING_MORE, on={"by hand": (array(1), [[14]])}),
        Mistake(*KNOWING_MORE, on={"by hand": (array(1), [[10]])}),
        Mistake(
            "the part of the spread that is explained",
            "The part that is explained, or the part that remains?",
            on={"by hand": (array(1), [[4]])},
        ),
        Mistake(*GAIN, on={"by hand": (array(17), [[-26]])}),
        Mistake(*GAIN, on={"by hand": (array(161), [[-314]])}),
        Mistake(*GAIN, on={"by hand": (array(-0.6666667), [[6]])}),
        Mistake(
            "as if the covariance of the unknown had been inverted",
            "Which block belongs to what is known? Its spread is the scale on which the known values are read.",
            on={"by hand": (array(0.8), [[6.4]])},
        ),
        Mistake(
            "as if each known feature were used on its own",
            "Do two known features that say the same count twice? The gain needs their whole block.",
            on={"two known, two unknown": ([-1.5, 6.25], [[4.083333, 0.875], [0.875, 6.4375]])},
        ),
        Mistake(
            *TURNED,
            on={"two known, two unknown": ([-1.913043, 5.521739], [[3.673913, 0.554348], [1.043478, 6.826087]])},
        ),
        Mistake(
            *TURNED,
            on={"two known, two unknown": ([-2.304348, 5.239130], [[3.173913, 0.130435], [1.434783, 7.326087]])},
        ),
        Mistake(*NO_BLOCK, raises=np.linalg.LinAlgError, when=lambda case, error: "dimension" in str(error)),
        Mistake(
            "a block of the inverse as it stands",
            "A precision, or a covariance? The block of the unknown in Σ⁻¹ has still to be inverted.",
            on={"by hand": (array(1), [[0.1666667]])},
        ),
        Mistake(
            "as if the indices had been sorted and the values not",
            "Which value belongs to which index?",
            on={
                "two known, two unknown": ([-1.521739, 6.108696], SPREAD_4),
                "the indices in another order": ([-1.897436, 2.602564], [[4.179487, 1.179487], [1.179487, 3.679487]]),
            },
        ),
        Mistake(
            "with roots of what was asked for",
            "What unit has a variance, and what unit its root?",
            on={"by hand": (array(1), [[2.44949]])},
        ),
        Mistake(
            "the variances alone",
            "Do the unknown features still move together when the others are known?",
            on={"two known, two unknown": ([-1.521739, 6.108696], [[3.869565, 0], [0, 6.239130]])},
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
)

# ------------------------------------------------------------------------------------------------- 5 shrinkage

FIVE, MANY, FIFTY = "five frames", "two hundred development frames", "fifty features in a small unit"
SEEN = (
    "as if the same frames had made the estimate and judged it",
    "Which frames has the estimate already seen? Those cannot say how well it does on others.",
)
AVERAGE_VARIANCE = (
    "as if v were not the average variance",
    "What is Σ(1) if all features have the same variance and no correlation? It should be Σ itself.",
)
VARIANCES = (
    "as if all entries of Σ were variances",
    "Which entries of Σ are variances? And which entries of v·I are not 0?",
)
ENDS = ("as if λ mixed the two in another way", "What should λ = 1 give? And λ = 0?")
LOG_OF_MEAN = (
    "as if densities were averaged",
    "The mean of the logs, or the log of the mean? Independent frames multiply.",
)
TINY_PRODUCT = (
    "because the product of all densities is too small or too large for the computer",
    "How small is 0.01 to the power of 200? Sum the logs, and take no product at all.",
)

TIME = np.arange(200)
SINES = np.arange(1, 51)

shrinkage = Task(
    name="shrinkage",
    function="choose_shrinkage",
    arguments=("frames", "development", "grid"),
    title="Task 5 · How much to believe a covariance",
    stars=3,
    minutes=35,
    points=5,
    cases=(
        Case(
            "by hand",
            (array([-1, 1], [5, 3], [1, 3], [3, 1]), array([5, 4]), array(1, 0.5)),
            (0.5, -4.668175100995199),
        ),
        Case(
            FIVE,
            (
                array([2, 0, 1], [5, 3, -2], [1, 4, 4], [0, -1, 7], [3, 6, 3]),
                array([4, 4, 0], [1, 0, 4], [2, 1, 8], [6, 5, -1]),
                array(1, 0.4, 0.1, 0.02),
            ),
            (0.4, -6.654421053457034),
        ),
        Case(
            "three frames of four features",
            (
                array([2, 0, 1, 3], [5, 3, -2, 2], [1, 4, 4, -1]),
                array([3, 2, 1, 1], [1, 2, 3, 2], [3, -1, 1, 2]),
                array(0.05, 0.2, 0.6, 0.9),
            ),
            (0.2, -6.626241669826572),
        ),
        Case(
            MANY,
            (
                array([1, 2], [4, 8], [6, 3], [9, 9]),
                np.column_stack([5 + 4 * np.sin(TIME), 5 + 3 * np.sin(TIME + 0.8)]),
                array(0.9, 0.05, 0.3, 0.6),
            ),
            (0.05, -4.484683243332936),
        ),
        Case(
            FIFTY,
            (
                1e-4 * np.sin(np.outer(np.arange(1, 9), SINES)),
                1e-4 * np.sin(np.outer(np.arange(1, 5) + 0.03, SINES)),
                array(0.1, 0.3, 0.6, 0.9),
            ),
            (0.6, 408.9842124135225),
        ),
    ),
    mistakes=(
        Mistake(*SEEN, on={FIVE: (0.02, -5.725392)}),
        Mistake(*SEEN, on={FIVE: (0.1, -6.323727)}),
        Mistake(*SEEN, on={FIVE: (0.02, -6.035093)}),
        Mistake(
            "as if the model had the mean of the development frames",
            "Whose mean belongs to the model? The development frames only judge.",
            on={FIVE: (0.1, -6.213577)},
        ),
        Mistake(*AVERAGE_VARIANCE, on={FIVE: (0.1, -6.61959)}),
        Mistake(*AVERAGE_VARIANCE, on={FIVE: (0.1, -6.660025)}),
        Mistake(*AVERAGE_VARIANCE, on={FIVE: (0.4, -6.663826)}),
        Mistake(*VARIANCES, on={FIVE: (0.4, -7.180324)}),
        Mistake(*VARIANCES, on={MANY: (0.3, -4.455198)}),
        Mistake(
            "as if v were 1",
            "In which unit is the 1 of an identity matrix? Volts or millivolts: the same λ should be chosen.",
            on={FIVE: (0.4, -7.215747)},
        ),
        Mistake(
            "as if Σ were shrunk towards its own diagonal",
            "Towards which shape is it shrunk: an ellipse along the axes, or a ball?",
            on={FIVE: (0.4, -6.628112)},
        ),
        Mistake(*ENDS, on={FIVE: (0.4, -6.805297), MANY: (0.9, -4.49617)}),
        Mistake(*ENDS, on={FIVE: (0.4, -6.692899)}),
        Mistake(*LIKELY, on={FIVE: (0.02, -7.850183)}),
        Mistake(*COST, when=lambda case, got: near(got, (case.expected[0], -case.expected[1]))),
        Mistake(*DIVISOR, on={FIVE: (0.4, -6.71447)}),
        Mistake(
            "a total",
            "A total, or a mean of the development frames? With a mean, scores of different sets can be compared.",
            when=lambda case, got: near(got, (case.expected[0], case.expected[1] * len(case.inputs[1]))),
        ),
        Mistake(*LOG_OF_MEAN, on={FIVE: (0.02, -5.572948)}),
        Mistake(*LOG_OF_MEAN, on={FIVE: (0.02, 0.0037993)}),
        Mistake(*TINY_PRODUCT, on={FIVE: (0.4, -6.654421), MANY: (0.9, -np.inf)}),
        Mistake(*TINY_PRODUCT, raises=ValueError, when=lambda case, error: "math" in str(error)),
        Mistake(
            "because the determinant itself is too small for the computer",
            "How small is a product of fifty variances of 10⁻⁸ each? slogdet or Cholesky sum logs.",
            on={MANY: (0.05, -4.484683), FIFTY: (0.1, np.inf)},
        ),
        Mistake(
            "as if the determinant were missing",
            "What stops the best λ from making Σ as wide as it can?",
            on={FIVE: (0.4, -4.130148)},
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
)

# --------------------------------------------------------------------------------------------------- 6 speaker

SHORT = "five short utterances"
LONG = "long utterances"
ANSWERS = whole(2, 0, 1, 2, 0)
MEANS = array([0, 0], [4, 1], [1, 5])
COVARIANCES = array([[4, 1], [1, 2]], [[9, -4], [-4, 3]], [[1, 0.5], [0.5, 6]])
LOG_PRIOR = (
    "as if the prior itself were added or multiplied",
    "The log of a product is a sum: what is the log of the prior times the density?",
)
ALL_FRAMES = (
    "as if one frame were enough",
    "All frames, or any one of them? A product is small if one factor is small, a sum or a maximum is not.",
)
SAY = ("as if one frame spoke for all", "How many frames have a say? All of them.")
TINY_UTTERANCE = (
    "because the product of all densities is 0 for every speaker",
    "How small is 0.01 to the power of 300? And which index does argmax give among equal zeros?",
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
            (
                [array([2, 2]), array([-1, 4]), array([2, -2]), array([1, 1])],
                MEANS,
                COVARIANCES,
                array(0.1, 0.6, 0.3),
            ),
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
    ),
    mistakes=(
        Mistake(
            "as if the prior counted in every frame, or the frames had been averaged",
            "How often is a speaker drawn: once for the utterance, or anew for every frame? And do twenty frames "
            "weigh more than one?",
            on={SHORT: whole(0, 0, 2, 2, 0)},
        ),
        Mistake(
            "as if all speakers were equally frequent",
            "Where do the priors enter?",
            on={SHORT: whole(1, 2, 1, 2, 1)},
        ),
        Mistake(*LOG_PRIOR, on={SHORT: whole(1, 2, 1, 2, 0)}),
        Mistake(*LOG_PRIOR, on={SHORT: whole(1, 1, 1, 1, 1)}),
        Mistake(
            "as if rare speakers were preferred",
            "Should a frequent speaker win more often, or less?",
            on={SHORT: whole(1, 2, 1, 1, 1)},
        ),
        Mistake(
            "the most frequent speaker, whatever is said",
            "What do the frames say?",
            on={"one frame each": whole(1, 1, 1, 1), SHORT: whole(0, 0, 0, 0, 0)},
        ),
        Mistake(*ALL_FRAMES, on={SHORT: whole(0, 1, 2, 0, 0)}),
        Mistake(*ALL_FRAMES, on={SHORT: whole(0, 2, 1, 1, 0)}),
        Mistake(*SAY, on={SHORT: whole(2, 2, 1, 2, 0)}),
        Mistake(*SAY, on={SHORT: whole(0, 1, 0, 1, 0)}),
        Mistake(*TINY_UTTERANCE, on={SHORT: ANSWERS, LONG: whole(0, 0, 0)}),
        Mistake(
            "as if each frame had one vote",
            "How sure is each frame? A vote forgets that one frame may be certain and the others undecided.",
            on={SHORT: whole(0, 1, 0, 0, 0)},
        ),
        Mistake(
            "as if there were only one frame, the mean",
            "Is the density of a mean the product of the densities? The spread of the frames tells something too.",
            on={SHORT: whole(2, 2, 2, 2, 0)},
        ),
        Mistake(*VOLUME, on={SHORT: whole(1, 0, 1, 1, 0)}),
        Mistake(*VOLUME, on={SHORT: whole(1, 0, 1, 1, 1)}),
        Mistake(*HALF_LOG_DET, on={SHORT: whole(2, 0, 2, 2, 0)}),
        Mistake(*SQUARE, on={SHORT: whole(1, 0, 1, 2, 0)}),
        Mistake(*NOT_INVERTED, on={SHORT: whole(2, 2, 0, 2, 0)}),
        Mistake(*UNCORRELATED, on={SHORT: whole(1, 1, 1, 2, 1)}),
        Mistake(
            "the nearest mean",
            "Where do the covariances enter? A speaker may be near in one direction and far in another.",
            on={SHORT: whole(2, 2, 2, 2, 1)},
        ),
        Mistake(
            "as if Σ were a standard deviation",
            "Is Σ a variance or a standard deviation: must it be squared?",
            on={SHORT: whole(0, 0, 0, 1, 0)},
        ),
        Mistake(*LIKELY, on={SHORT: whole(1, 1, 0, 0, 2)}),
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
        "For one speaker and T frames: log prior − ½ T log |Σ| − ½ the sum of the T squared distances "
        "(x − μ)ᵀ Σ⁻¹ (x − μ). slogdet and solve give both.",
    ),
)

homework = Homework(weighted, missing, running, conditional, shrinkage, speaker)
check, hint, overview, waits_for = homework.check, homework.hint, homework.overview, homework.waits_for
