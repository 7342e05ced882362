"""The checks of homework 13: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, near, not_finite, slope_of, times, whole

HAND = "by hand"


def smooth(x, variance, lengthscale):
    """Covariances of a smooth function on a line: the squared exponential."""
    steps = (array(*x)[:, None] - array(*x)) / lengthscale
    return variance * np.exp(-(steps**2) / 2)


def covariance(rng, q):
    """A covariance matrix of q places."""
    F = rng.normal(size=(q, q + 1))
    return np.round(F @ F.T / q, 3)


def expected(answers):
    """What both answers together say of each place: what was known before."""
    yes, after_yes, after_no, _ = answers
    return yes * after_yes + (1 - yes) * after_no


# ------------------------------------------------------------------------------------------------------------- 1 scale

SIX, FAR, TWO = ("six answers", "far out", "two answers")


def draw_scale(rng, k):
    """Up to two cuts; differences among them, on an end of an interval, and so far out that exp underflows."""
    cuts = np.cumsum(rng.uniform(0.3, 1.2, k % 3)).round(2)
    g = rng.normal(0, 1.8, 1 + k % 2).round(2)
    if k % 5 == 4:
        g = g * 500
    elif k % 5 == 1:
        g[0] = (0, *cuts)[k % 3]
    return g, cuts, round(rng.uniform(0.4, 3), 2), (0.0, 0.05, 0.3)[k // 3 % 3]


scale = Task(
    name="scale",
    function="scale_probabilities",
    arguments=("g", "cuts", "steepness", "lapse"),
    title="Task 1 · From surely a to surely b",
    stars=1,
    minutes=15,
    points=4,
    cases=(
        Case(HAND, (array(0.6), array(0.5), 1.0, 0.1)),
        Case(SIX, (array(-2.1, 0, 0.7), array(0.4, 1.3), 1.8, 0.06)),
        Case(FAR, (array(-900, 35, 800), array(0.5, 1.1, 2), 2.5, 0.0)),
        Case(TWO, (array(-0.7, 0.2, 1.5), array(), 0.8, 0.2)),
    ),
    mistakes=(
        Mistake(
            "what is left when infinities met",
            "Which distance is infinite? None is meant to be: the outer intervals have one end only, and the distance "
            "to the other one is never asked for. Is the larger distance the *less* probable one?",
            wrong_functions=("minus forgotten",),
            when=not_finite,
        ),
        Mistake(
            "as if the sign of g did not count",
            "What does the answer 'surely a' say that 'surely b' does not? This scale has two sides: distances are of "
            "g itself, not of |g|.",
            wrong_functions=("|g|", "choice left out"),
        ),
        Mistake(
            "as if the outer intervals ended",
            "How far is g = 5 from 'surely b'? That interval has no upper end, so the distance is 0, however large g.",
            wrong_functions=("outer intervals are points", "outer intervals as long as their neighbours"),
        ),
        Mistake(
            "as if it were a distance to a point",
            "How far is a g that lies *inside* an interval? Not at all: the distance is 0 there, wherever inside.",
            wrong_functions=("distance to middles", "distance to the nearer end", "distance below 0"),
        ),
        Mistake(
            "another law than exp(−steepness · distance)",
            "What does the formula do with a distance: squared, or not? More, or less of it for a larger one? "
            "Multiplied by the steepness, or divided?",
            wrong_functions=(
                "squared",
                "divided by steepness",
                "steepness forgotten",
                "farther is likelier",
                "nearest for sure",
                "one over distance",
                "steps counted",
            ),
        ),
        Mistake(
            "another likelihood: an ordinal one",
            "Is there noise that is added to g, and an interval in which it falls? That is the ordinal likelihood, a "
            "good one. Here distances decide.",
            wrong_functions=("ordinal probit", "ordinal logit"),
        ),
        Mistake(
            "as if lapses were shared otherwise",
            "What does a person answer in a lapse? Any of the 2l answers, equally often; in the other (1 − lapse) of "
            "all cases nothing changes. What must a row add up to?",
            wrong_functions=(
                "lapse over one side",
                "lapse added only",
                "lapse forgotten",
                "lapse not shared",
                "lapse before normalising",
                "lapse exchanged",
                "lapse over the rows",
            ),
        ),
        Mistake(
            "as if there were an answer in the middle",
            "Is there an answer for 'neither'? No: at 0 the rather-a interval ends, and the rather-b interval begins.",
            wrong_functions=("no end at 0",),
        ),
        Mistake(
            "as if a choice had been asked for as well",
            "How many questions were asked? One: its answers already say which side. Nothing else is multiplied in.",
            wrong_functions=("times the choice", "times the logit"),
        ),
        Mistake(
            "in another order of the answers",
            "Which answer is in column 0, and which in the last? From 'surely a' (g very negative) to 'surely b'.",
            wrong_functions=("b first", "sides exchanged", "a's cuts not mirrored"),
        ),
        Mistake(
            "normalised over another axis, or not at all",
            "For one g: what do the probabilities of all its answers add up to?",
            wrong_functions=("normalised over g", "not normalised", "normalised by side"),
        ),
    ),
    hints=(
        "The ends of the 2l intervals, from left to right: −∞, then −cuts from the largest to the smallest, 0, cuts, "
        "∞. Each interval lies between two neighbours of this list.",
        "Below its interval g has the distance low − g, above it g − high, inside 0: the largest of the three. An "
        "infinite end gives −∞ there, which is never the largest.",
        "closeness = exp(−steepness · distance), an (m, 2l) table by g[:, None]; divide each row by its sum; then "
        "(1 − lapse) times that plus lapse/(2l).",
    ),
    draw=draw_scale,
    laws=(
        Law(
            "Mirror g: the table is mirrored, too.",
            "Are both sides of 0 built alike? a's intervals are b's, mirrored.",
            lambda g, cuts, steepness, lapse: (-g, cuts, steepness, lapse),
            lambda one, other: near(other, one[:, ::-1]),
        ),
        Law(
            "If all is lapse, all answers of a row are equally probable.",
            "Among how many answers is the lapse shared?",
            lambda g, cuts, steepness, lapse: (g, cuts, steepness, 1.0),
            lambda one, other: near(other, np.full(one.shape, 1 / one.shape[1])),
        ),
        Law(
            "On the end of two intervals their two answers are equally probable.",
            "How far is g from an interval on whose end it lies? 0, as if it were inside.",
            lambda g, cuts, steepness, lapse: (np.append(0.0, cuts), cuts, steepness, lapse),
            lambda one, other: near(np.diag(other, len(other) - 1), np.diag(other, len(other))),
        ),
        Law(
            "Double g and cuts, and halve the steepness: the table stays.",
            "Which unit has a distance, and which the steepness?",
            lambda g, cuts, steepness, lapse: (2 * g, 2 * cuts, steepness / 2, lapse),
        ),
        Law(
            "2 beyond the last cut, with the steepness 0.75 and no lapses, the last answer is e^1.5 times as probable "
            "as the one before.",
            "How far is g from these two intervals, and what does exp do with it?",
            lambda g, cuts, steepness, lapse: (np.append(0.0, cuts)[-1:] + 2, cuts, 0.75, 0.0),
            lambda one, other: near(other[:, -1], np.exp(1.5) * other[:, -2]),
        ),
        Law(
            "A lapse mixes: halfway between no lapse and all lapse stands the mean of the two tables.",
            "Which share of the row is no lapse?",
            lambda g, cuts, steepness, lapse: (g, cuts, steepness, (1 + lapse) / 2),
            lambda one, other: near(other, (one + 1 / one.shape[1]) / 2),
        ),
    ),
    asks={
        HAND: "The distances are 1.1, 0.6, 0.1 and 0. Which do you get, and what is each divided by?",
        SIX: "There are two cuts: from which end to which goes each of the six intervals?",
        FAR: "Here all but one answer have the probability 0. Which distance is 0?",
    },
)

# -------------------------------------------------------------------------------------------------------------- 2 told

SEVERAL, TWICE, NOTHING, ENDS = ("three of four places", "two say it of one place", "nothing told", "surely")
LINE = (0, 0.6, 0.9, 1.7, 2.4)


def draw_told(rng, k):
    """Statements about some places, some places twice; limits of 0 and 1, and no statement."""
    q, m = 1 + k % 3, (2, 1, 3, 2, 0)[k % 5]
    middle, half = rng.uniform(0.1, 0.9, m), rng.uniform(0.03, 0.3, m)
    places = rng.permutation(q)[:m] if m <= q and k % 3 else rng.integers(0, q, m)
    low, high = np.clip(middle - half, 0, 1).round(3), np.clip(middle + half, 0, 1).round(3)
    if m and k % 4 == 1:
        low[0], high[-1] = 0.0, 1.0 if m > 1 else high[0]
    return rng.normal(size=q).round(2), covariance(rng, q), places, low, high


told = Task(
    name="told",
    function="told_beforehand",
    arguments=("mean", "cov", "places", "low", "high"),
    title="Task 2 · What the expert says beforehand",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case(HAND, (array(0.5, 1), array([1, 0.5], [0.5, 2]), whole(0), array(0.025), array(0.975)), None, 1e-4),
        Case(
            SEVERAL,
            (
                array(0.2, -0.3, 0.5, 0.1),
                smooth((0, 0.6, 0.9, 2.4), 1.7, 0.8),
                whole(0, 3, 2),
                array(0.42, 0.85, 0.3),
                array(0.58, 0.998, 0.75),
            ),
            None,
            1e-4,
        ),
        Case(
            TWICE,
            (
                array(0.4, 1.1, -0.6),
                smooth((0, 0.5, 1.4), 0.9, 0.7),
                whole(1, 1),
                array(0.55, 0.7),
                array(0.8, 0.97),
            ),
            None,
            1e-4,
        ),
        Case(
            ENDS,
            (array(0.3, 1.4), array([1.2, 0.3], [0.3, 0.8]), whole(0, 1), array(0, 0.98), array(0.03, 0.9997)),
            None,
            1e-4,
        ),
        Case(NOTHING, (array(0.3, -0.8), array([0.9, 0.4], [0.4, 1.6]), whole(), array(), array()), None, 1e-4),
    ),
    mistakes=(
        Mistake(
            "what an infinite Φ⁻¹ leaves",
            "What is Φ⁻¹(1)? Nobody is as sure as that: move limits outside 0.001 … 0.999 there first.",
            when=lambda case, got: case.name == ENDS and not_finite(case, got),
        ),
        Mistake(
            "as if the limits were moved elsewhere",
            "Which limits are moved? All below 0.001 and all above 0.999, and no others.",
            wrong_functions=("capped at 0.01", "capped at 1e-6", "capped above only", "only 0 and 1 capped"),
        ),
        Mistake(
            "as if y were the middle of the probabilities",
            "Of what is y the middle: of low and high, or of Φ⁻¹(low) and Φ⁻¹(high)?",
            wrong_functions=("capped after the middle", "middle of the probabilities"),
        ),
        Mistake(
            "as if f were a probability",
            "On which scale is f? The expert speaks of Φ(f). Which function leads back, and is it applied to the "
            "limits, or to their middle?",
            wrong_functions=("limits as they are", "logit for probit"),
        ),
        Mistake(
            "with another σ",
            "How many σ lie between the two limits that hold 95 %? From the middle to one limit it is 1.96 σ.",
            wrong_functions=(
                "whole width",
                "90 % interval",
                "half width as σ",
                "σ by the rule of the lecture",
                "quarter of width",
            ),
        ),
        Mistake(
            "as if a standard deviation were a variance",
            "What is added to cov[p, p]: σ, or σ²? A sum of variances is a variance.",
            wrong_functions=("σ for σ²", "σ² squared"),
        ),
        Mistake(
            "as if the expert could not be wrong, or always were",
            "How firmly is f held at that place? By the expert's σ: not exactly, and without the noise of an answer, "
            "for nobody pressed a key.",
            wrong_functions=("hard constraint", "with the noise of an answer"),
        ),
        Mistake(
            "as if the other places had learned nothing",
            "What does f at one place tell of f at the next? Their covariance says it.",
            wrong_functions=("only the place itself", "mean of the others stays", "variance of the others stays"),
        ),
        Mistake(
            "as if the spread had stayed",
            "Are you as unsure as before? Each piece of knowledge makes variances smaller, whatever it says.",
            wrong_functions=("covariance stays",),
        ),
        Mistake(
            "as if what was told at two places were added up without looking",
            "Do two neighbouring places tell the same thing twice? Use the covariance between them: all at once as a "
            "matrix, or one after another, each time with the mean and covariance *after* the one before.",
            wrong_functions=("each from the beginning", "told places independent"),
        ),
        Mistake(
            "as if one of two experts had not spoken",
            "What if a place is named twice? Both count: two precisions add.",
            wrong_functions=("last one counts", "first one counts"),
        ),
        Mistake(
            "as if the belief before did not count",
            "What was believed before? It is neither replaced nor forgotten: y − mean[place] moves the mean, and both "
            "precisions add.",
            wrong_functions=("mean before forgotten", "replaced"),
        ),
        Mistake(
            "another probability of a yes",
            "How probable is a yes if f is N(m, v)? Averaged over f it is Φ(m/√(1 + v)). Homework 06 began with this.",
            wrong_functions=("Φ of the mean", "Φ(m/√v)", "Φ(m/(1 + v))", "variance before", "probability of a no"),
        ),
    ),
    hints=(
        "Each interval becomes a number y and a spread σ on the scale of f: Φ⁻¹ of both limits (`ndtri`), then their "
        "middle, and their distance divided by 2 · 1.96.",
        "That is an observation y = f(place) + noise of a Gaussian process: m + C_p (C_pp + D)⁻¹ (y − m_p) and "
        "C − C_p (C_pp + D)⁻¹ C_pᵀ, with C_p = cov[:, places] and the σ² on the diagonal of D.",
        "np.linalg.solve(cov[np.ix_(places, places)] + np.diag(s**2), cov[places]) is the transposed gain; where "
        "places is empty, nothing changes. The probability is Φ(m/√(1 + v)) with the *new* m and v.",
    ),
    about=(
        "By how much does y differ from the mean at its place, and how much of that goes to each other place?",
        "What is taken off the covariance does not depend on y; it is never negative on the diagonal.",
        "The new mean and covariance are right: what is averaged over f, and with which variance?",
    ),
    draw=draw_told,
    tolerance=1e-4,
    laws=(
        Law(
            "Nothing that is said makes a variance larger.",
            "What is taken off the covariance, and where does it become a sum?",
            lambda mean, cov, places, low, high: (mean, cov, places[:0], low[:0], high[:0]),
            lambda one, other: (np.diag(one[1]) <= np.diag(other[1]) + 1e-6).all(),
        ),
        Law(
            "Exchange yes and no: the mean changes its sign, the covariance stays, and P becomes 1 − P.",
            "What is not the same on both sides of 0 (of ½)?",
            lambda mean, cov, places, low, high: (-mean, cov, places, 1 - high, 1 - low),
            lambda one, other: near(other, (-one[0], one[1], 1 - one[2])),
        ),
        Law(
            "Two places of one f with the mean 2 and the variance 1, and 0.025 to 0.975 said of the first: both get "
            "the mean 1, the variance 0.5, and P = Φ(1/√1.5) = 0.793.",
            "y is 0 and σ is 1 here: what do you get for these, and what does the second place learn?",
            lambda mean, cov, places, low, high: (array(2, 2), np.ones((2, 2)), whole(0), array(0.025), array(0.975)),
            lambda one, other: near(other, (array(1, 1), np.full((2, 2), 0.5), array(0.79289, 0.79289))),
        ),
        Law(
            "It does not matter who speaks first.",
            "Which statement belongs to which place? Is what was told before still there when the next one speaks?",
            lambda mean, cov, places, low, high: (mean, cov, places[::-1].copy(), low[::-1].copy(), high[::-1].copy()),
        ),
    ),
    asks={
        HAND: "y is 0 and σ is 1: 0.5 moves halfway to 0, for the variance there is 1 as well. And the other place?",
        SEVERAL: "Print y and σ: which place does each belong to? The places stand in the order 0, 3, 2.",
        TWICE: "Are both statements of place 1 in the sum?",
        ENDS: "Which limits are 0 or 1 here, and what do you put in their place?",
    },
)

# -------------------------------------------------------------------------------------------------------------- 3 sets

SMALL, VOID, FULL, UNEQUAL = ("a small set", "nothing is inside", "all is inside", "one of them hardly known")


def draw_sets(rng, k):
    """Few places or several; now and then all are inside, or none is, and f may be the level itself."""
    q, level = 2 + k % 5, round(rng.normal(), 1)
    truth = rng.normal(level + (0.4, 0.8, -1.5, 2.5)[k // 5 % 4], 1.0, q).round(2)
    if k % 4 == 1:
        truth[-1] = level
    std = rng.uniform(0.3, 1.5, q).round(2)
    return (truth + std * rng.normal(size=q)).round(2), std, truth, level


sets = Task(
    name="sets",
    function="best_map",
    arguments=("mean", "std", "truth", "level"),
    title="Task 3 · A map, and four ways to judge it",
    stars=2,
    minutes=25,
    points=4,
    cases=(
        Case(HAND, (array(0.49, 1.51, 1.77, 3.56), array(2, 2, 2, 2), array(1.2, 0.5, 1, 4), 1.0)),
        Case(
            SMALL,
            (
                array(1.9, 0.4, 2.3, 1.1, 0.9, 3.0, 1.4, 2.6, 0.7, 2.2, 1.6, 2.8),
                array(0.9, 1.3, 0.4, 0.8, 0.3, 1.5, 0.6, 1.1, 0.5, 0.7, 1.2, 0.8),
                array(1.7, 0.3, 2.4, 0.5, 1.2, 2.2, 1.3, 3.1, 0.8, 2.0, 0.9, 2.5),
                0.5,
            ),
        ),
        Case(VOID, (array(0.8, 1.7, 0.3, 1.2), array(1.4, 0.6, 0.9, 0.5), array(0.9, 1.5, 0.7, 1.1), 0.6)),
        Case(FULL, (array(-0.4, 0.7, -1.1), array(0.6, 1.1, 0.8), array(-0.2, 0.1, 0.4), 0.4)),
        Case("probably everywhere", (array(-2.1, -1.4, -3), array(0.5, 0.6, 0.7), array(0.2, 0.9, -1), 0.4)),
        Case(
            UNEQUAL,
            (array(1.3, 2.1, 2.6, 1.1, 2), array(0.4, 0.7, 4, 0.7, 0.2), array(0.9, 4.1, 6.1, 0.3, 1.8), 1.0),
        ),
    ),
    mistakes=(
        Mistake(
            "what is left when 0 was divided by 0",
            "How many places are chosen, and how many are inside? Where 0 would be divided by 0, the task says 0.",
            when=not_finite,
        ),
        Mistake(
            "the places above the level",
            "Sublevel: f at most the level. Does P = Φ((level − mean)/std) grow when the mean does?",
            wrong_functions=("superlevel",),
        ),
        Mistake(
            "as if the spread were another",
            "What unit has std? That of f. A variance needs a root first, and a spread of 1 is nobody's.",
            wrong_functions=("variance for std", "std forgotten"),
        ),
        Mistake(
            "a map cut at one half",
            "Must a place be more probably inside than not? Where the set is small and you are unsure, F1 is better "
            "for a bolder map: compare the expected F1 of the 1, 2, 3 … most probable places.",
            wrong_functions=("cut at one half", "mean below the level"),
        ),
        Mistake(
            "as if you had looked at the truth",
            "What do you know when you draw the map? The probabilities. The truth is for marking it, afterwards.",
            wrong_functions=("best true F1", "as many as are inside"),
        ),
        Mistake(
            "the map of all places",
            "Which places come first, the most or the least probable? And what does one more place, hardly inside, "
            "add above and below in 2 Σ P / (k + Σ P)?",
            wrong_functions=("least probable first", "expected hits alone"),
        ),
        Mistake(
            "the best map for another measure",
            "Which map has the highest 2 Σ P / (k + Σ P), where the upper sum is over the k chosen places and the "
            "lower one over *all*?",
            wrong_functions=(
                "expected size",
                "sum over the chosen below",
                "expected precision",
                "root of k below",
                "P of a quarter or more",
                "P above its mean",
            ),
        ),
        Mistake(
            "one place more, or fewer",
            "For which k is F(k) largest? (argmax counts from 0, and k from 1.)",
            wrong_functions=("one too few", "one too many"),
        ),
        Mistake(
            "flags in another order, or of other places",
            "To which place does chosen[0] belong? To place 0 of the input, wherever it stands in the order by P.",
            wrong_functions=("flags in sorted order", "least probable places"),
        ),
        Mistake(
            "as if on the level were outside",
            "f = level: is it inside? *At most* the level.",
            wrong_functions=("strictly below",),
        ),
        Mistake(
            "precision and recall exchanged",
            "Of what is it a share? Precision: of the chosen. Recall: of those that are inside.",
            wrong_functions=("exchanged",),
        ),
        Mistake(
            "another mean than F1",
            "Which mean of precision and recall is F1? The harmonic one: 2 · hits / (chosen + inside).",
            wrong_functions=("arithmetic mean", "geometric mean", "accuracy", "overlap", "without the 2"),
        ),
        Mistake(
            "as if it were something to find nothing where nothing is",
            "What does the task say about 0/0? That it is 0, here too.",
            wrong_functions=("nothing to find: 1",),
        ),
        Mistake(
            "another score than Brier's",
            "Whose squared error is it? That of the probabilities, averaged over *all* places; without a root. The "
            "map that says nowhere has P = 0 at all places.",
            wrong_functions=(
                "Brier of the map",
                "Brier as a sum",
                "root of Brier",
                "Brier of the chosen",
                "nowhere: says one half",
                "nowhere: squares of P",
                "nowhere: says the share",
                "nowhere: left out",
            ),
        ),
    ),
    hints=(
        "P = ndtr((level − mean)/std), and inside = truth <= level. The truth is for marking only, P for the map.",
        "Sort the places by falling P. For k = 1 … q the expected F1 is about 2 · (sum of the k largest P) / (k + sum "
        "of all P): np.cumsum helps, and argmax() + 1 is the best k.",
        "hits = (chosen & inside).sum(); precision = hits/chosen.sum(), recall = hits/inside.sum() (0 if nothing is "
        "inside), F1 = 2 · hits/(chosen.sum() + inside.sum()); Brier = ((P − inside)**2).mean().",
    ),
    about=(
        "Which k has the highest F(k), and which places are the k most probable ones?",
        "Precision is a share of the chosen places.",
        "Recall is a share of the places that are inside.",
        "F1 = 2 · hits / (chosen + inside).",
        "The Brier score is of the P, over all places, chosen or not.",
        "With P = 0 each place that is inside costs 1, any other one nothing: what is the mean?",
    ),
    draw=draw_sets,
    laws=(
        Law(
            "F1 · (precision + recall) = 2 · precision · recall.",
            "Do all three count the same hits?",
            holds=lambda one, other: near(one[3] * (one[1] + one[2]), 2 * one[1] * one[2]),
        ),
        Law(
            "If the truth is far above the level, there are no hits, and 'nowhere' makes no mistake: 0.",
            "Which places are inside, those with truth <= level? And what are hits and recall if there is none?",
            lambda mean, std, truth, level: (mean, std, 0 * truth + level + 9, level),
            lambda one, other: near((*other[1:4], other[5]), (0.0,) * 4),
        ),
        Law(
            "What is true does not change the map.",
            "What does your map know of the truth?",
            lambda mean, std, truth, level: (mean, std, 2 * level - truth, level),
            lambda one, other: near(other[0], one[0]),
        ),
        Law(
            "Add 3 to mean, truth and level, then double all with std: nothing changes.",
            "What is not compared with the level, or not divided by std?",
            lambda mean, std, truth, level: (2 * (mean + 3), 2 * std, 2 * (truth + 3), 2 * (level + 3)),
        ),
        Law(
            "Write the places down in the other order: the flags turn round, and the scores stay.",
            "To which place belongs each flag?",
            lambda mean, std, truth, level: (mean[::-1].copy(), std[::-1].copy(), truth[::-1].copy(), level),
            lambda one, other: near(other, (one[0][::-1], *one[1:])),
        ),
        Law(
            "If you know f and are right, the map is right: precision, recall and F1 are 1, Brier's score 0.",
            "What are the P if std is nearly 0?",
            lambda mean, std, truth, level: (mean, 1e-6 * std, mean, level) if (mean < level).any() else None,
            lambda one, other: near(other[1:5], (1.0, 1.0, 1.0, 0.0)),
        ),
        Law(
            "One more place, surely outside, is not chosen and makes no mistake; the two Brier scores are means over "
            "one place more.",
            "Over which places is the mean?",
            lambda mean, std, truth, level: (
                np.append(mean, level + 50),
                np.append(std, 1),
                np.append(truth, level + 50),
                level,
            ),
            lambda one, other: near(
                other, (np.append(one[0], False), *one[1:4], *(x * len(one[0]) / (len(one[0]) + 1) for x in one[4:]))
            ),
        ),
    ),
    asks={
        HAND: "P is about 0.6, 0.4, 0.35, 0.1. Which F(k) do you get? Flags are needed, one for each place, in the "
        "order of the places.",
        SMALL: "Which truths are just on the level, and how large are F(1), F(2), F(3) …?",
        VOID: "No truth is at most 0.6: what are hits, precision and recall?",
        FULL: "Here k is the number of all places.",
        UNEQUAL: "The least mean is not always the largest P. What are F(1), F(2) and F(3) here?",
    },
)

# ------------------------------------------------------------------------------------------------------------- 4 times

TABLE, PEOPLE, WIDE = ("two times, three differences", "a noise for each answer", "sure beyond doubt")


def draw_times(rng, k):
    """Shapes that are alike or broadcast, a noise for all or for each, and differences up to 1000."""
    shapes = ((2,), (2,)), ((1,), (1,)), ((2, 1), (2,)), ((1,), (2,))
    t, g = (rng.normal(size=shape) for shape in shapes[k % 4])
    far, s = k % 5 == 4, rng.uniform(0.2, 0.9, 2).round(2)
    a, b = round(rng.uniform(0.1, 1.6), 2), round(rng.uniform(0.2, 1.6) / (100 if far else 1), 3)
    return np.exp(t).round(2) + 0.1, (g * (500 if far else 1.2)).round(2), a, b, s if k % 4 == 0 else float(s[0])


reaction = Task(
    name="times",
    function="time_derivatives",
    arguments=("t", "g", "a", "b", "s"),
    title="Task 4 · How long did it take you?",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(HAND, (array(1), array(0), 1.0, 2.0, 1.0)),
        Case(TABLE, (array([0.8], [2.5]), array([-1.7, -0.2, 0.6]), 1.2, 0.7, 0.4)),
        Case(PEOPLE, (array(1.4, 0.6, 3.3), array(0.9, -1.4, 0.3), 0.8, 0.45, array(0.3, 0.7, 0.5))),
        Case(WIDE, (array(0.4, 2.2), array(-720, 850), 1.1, 0.02, 0.6)),
    ),
    mistakes=(
        Mistake(
            "what an overflow leaves",
            "How large is cosh(800)? Too large for a float. But log cosh g is |g| − log 2 there: which function adds "
            "two exponentials and takes the logarithm at once?",
            when=lambda case, got: case.name == WIDE and not_finite(case, got),
        ),
        Mistake(
            "as if h were another curve",
            "Which slope has |g| at 0, and ½g² far out? log cosh g is smooth at 0, and |g| − log 2 far out.",
            wrong_functions=("|g| for log cosh", "|g| − log 2", "root for log cosh", "g²/2"),
        ),
        Mistake(
            "without a log 2",
            "What is log cosh 0? And what is np.logaddexp(g, −g) there?",
            wrong_functions=("log 2 forgotten", "log 2 added"),
        ),
        Mistake(
            "what differences give",
            "How many digits does (log p(g + h) − log p(g − h))/(2h) keep? Good for checking; formulas are asked for.",
            wrong_functions=("differences",),
        ),
        Mistake(
            "the density of log t, or none",
            "Of what is it a density? Of the time t itself: by the change of variables log t brings −log t with it, "
            "as in lecture 07. And a density has its −log s and −½ log 2π.",
            wrong_functions=(
                "Jacobian forgotten",
                "Jacobian with a plus",
                "Jacobian twice",
                "2π forgotten",
                "log s forgotten",
            ),
        ),
        Mistake(
            "the density, not its logarithm",
            "The density, or its logarithm?",
            wrong_functions=("density",),
        ),
        Mistake(
            "as if times were not on a log scale",
            "What is normal: t, or log t? And is it the natural logarithm?",
            wrong_functions=("t for log t", "log to the base 10"),
        ),
        Mistake(
            "as if clear cases took longer",
            "Is the answer quicker, or slower, when |g| is large? Quicker: the mean of log t is a − b log cosh g.",
            wrong_functions=("a plus b",),
        ),
        Mistake(
            "with another unit for s",
            "What unit has s? It is a standard deviation of log t: log p has (z/s)², its slopes are divided by s².",
            wrong_functions=("s for s²", "slopes not divided", "s as variance"),
        ),
        Mistake(
            "a first derivative with another sign, or without its b",
            "A time that is longer than expected: does it speak for a larger, or for a smaller |g|? Check your slope "
            "against (log p(g + h) − log p(g − h))/(2h).",
            wrong_functions=("first with a plus", "first without b", "first without tanh"),
        ),
        Mistake(
            "a second derivative without what bends",
            "How do you differentiate a product? −b z tanh(g)/s² has two factors that depend on g: z, whose slope is "
            "b tanh(g), and tanh(g), whose slope is 1 − tanh²(g).",
            wrong_functions=(
                "second: bend of h left out",
                "second: slope of z left out",
                "second: one b only",
                "second: 1 − tanh",
                "second: z h'' subtracted",
                "as if t were expected",
            ),
        ),
        Mistake(
            "other than exact in the third derivative",
            "Differentiate the second once more: h' h' gives 2 h' h'', and z h'' gives b h' h'' + z h'''. With "
            "h''' = −2 tanh(g)(1 − tanh²(g)). Is its sign the right one?",
            wrong_functions=(
                "third without the 3",
                "third: 2 for 3",
                "third: h''' with a plus",
                "third with a plus",
                "third is 0",
                "third: no h'''",
            ),
        ),
    ),
    hints=(
        "With h = log cosh g, h' = tanh g, h'' = 1 − tanh² g, h''' = −2 tanh g (1 − tanh² g), z = log t − a + b h: "
        "log p = −½ (z/s)² − log s − ½ log 2π − log t.",
        "z' = b h'. So ∂ log p = −z b h'/s², and the next two come by the product rule. h without overflow: "
        "np.logaddexp(g, −g) − np.log(2).",
        "∂² = −(b/s²)(b h'² + z h''), ∂³ = −(b/s²)(3 b h' h'' + z h'''). Check each against a difference of the one "
        "before. np.broadcast_arrays gives t and g one shape.",
    ),
    about=(
        "Which terms of log p do not depend on g? Those with t, with s, and with 2π.",
        "The first derivative is −z times the slope of z, over s².",
        "The second derivative is the slope of the first: what in it depends on g?",
        "The third derivative is the slope of the second: what in it depends on g?",
    ),
    draw=draw_times,
    tolerance=1e-8,
    laws=(
        Law(
            "t = 1, g = 0, a = 0: log p is −0.919 for s = 1, and log 2 less for s = 2.",
            "Which terms of a normal log density are left where z is 0?",
            lambda t, g, a, b, s: (array(1, 1), array(0, 0), 0.0, b, array(1, 2)),
            lambda one, other: near(other[0], array(-0.918939, -1.612086)),
        ),
        Law(
            "Write times in half seconds (2 t, and a + log 2): the derivatives stay, and log p falls by log 2.",
            "Which unit has a density of t? What does log p have of t beside z?",
            lambda t, g, a, b, s: (2 * t, g, a + np.log(2), b, s),
            lambda one, other: near(other, (one[0] - np.log(2), *one[1:])),
        ),
        Law(
            "Mirror g: log p and the second derivative stay, the other two change their sign.",
            "Which of h and its three derivatives change their sign with g?",
            lambda t, g, a, b, s: (t, -g, a, b, s),
            times(1, -1, 1, -1),
        ),
        Law(
            "t², 2 a, 2 b and 2 s: z and s double, and the derivatives stay.",
            "Is each derivative divided by s²? Each part of it must have the square of z or b above.",
            lambda t, g, a, b, s: (t**2, g, 2 * a, 2 * b, 2 * s),
            lambda one, other: near(other[1:], one[1:]),
        ),
        Law(
            "Far out (g = −30 and 40, t = b = s = 1, a = 0) h is |g| − log 2: the derivatives are z = 29.3 and −39.3, "
            "−1 and 0.",
            "What are log cosh g and its derivatives there?",
            lambda t, g, a, b, s: (array(1, 1), array(-30, 40), 0.0, 1.0, 1.0),
            lambda one, other: near(other[1:], (array(29.30685, -39.30685), array(-1, -1), array(0, 0))),
        ),
        Law(
            "Move g a little: log p rises by the first derivative times the step.",
            "How much does log p change between g and g plus the step, and what does the first derivative say of it?",
            lambda t, g, a, b, s: (t, g + 1e-3, a, b, s),
            slope_of(0, 1e-3),
        ),
        Law(
            "Move g a little: the first derivative rises by the second times the step.",
            "Which factors of the first depend on g? Each gives a term.",
            lambda t, g, a, b, s: (t, g + 1e-3, a, b, s),
            slope_of(1, 1e-3),
        ),
        Law(
            "Move g a little: the second derivative rises by the third times the step.",
            "Which factors of the second depend on g? Each gives a term.",
            lambda t, g, a, b, s: (t, g + 1e-3, a, b, s),
            slope_of(2, 1e-3),
        ),
    ),
    asks={
        HAND: "z is −1 and h is 0 here: what is left of each answer?",
        TABLE: "Two times and three g make tables of 2 × 3.",
        PEOPLE: "Each answer has its own s: where does it stand?",
        WIDE: "How large are cosh g and exp |g| here? h is |g| − log 2.",
    },
)

# ------------------------------------------------------------------------------------------------------------- 5 ahead

FIVE, LAPSES, KNOWN = ("five places", "floor and ceiling", "nearly known")


def draw_ahead(rng, k):
    """Up to three places; floors and ceilings of several kinds."""
    q = 1 + k % 3
    floor, ceiling = ((0.0, 1.0), (0.5, 0.98), (0.1, 0.95), (0.25, 1.0), (0.0, 0.6))[k % 5]
    mean, level = rng.normal(0.4, 0.8, q).round(2), round(rng.normal(0.5, 0.5), 2)
    return mean, covariance(rng, q) + 0.1 * np.eye(q), int(rng.integers(q)), level, floor, ceiling


ahead = Task(
    name="ahead",
    function="look_ahead",
    arguments=("mean", "cov", "star", "level", "floor", "ceiling"),
    title="Task 5 · One answer ahead",
    stars=3,
    minutes=35,
    points=6,
    cases=(
        Case(
            HAND,
            (array(0), array([3]), 0, 0.0, 0.5, 1.0),
            (0.75, array(7 / 18), array(5 / 6), 1 / 6),
            1e-6,
        ),
        Case(FIVE, (array(0.2, 0.9, 0.4, 1.6, 1.1), smooth(LINE, 1.4, 0.7), 2, 0.6745, 0.0, 1.0), None, 1e-6),
        Case(
            LAPSES,
            (array(-0.5, 0.3, 1.2), array([0.9, -0.5, -0.2], [-0.5, 1.3, 0.4], [-0.2, 0.4, 2.1]), 1, 0.4, 0.2, 0.9),
            None,
            1e-6,
        ),
        Case(
            KNOWN,
            (array(2.1, -0.4, 0.8), array([0.02, 0.01, 0.03], [0.01, 0.9, 0.2], [0.03, 0.2, 1.5]), 0, 0.5, 0.5, 0.95),
            None,
            1e-6,
        ),
        Case(
            "where one rises the others fall",
            (array(0.4, 0.9, -0.3), array([1.2, -0.9, -0.8], [-0.9, 1.1, 0.7], [-0.8, 0.7, 1.4]), 0, 0.6, 0.05, 0.9),
            None,
            1e-6,
        ),
    ),
    mistakes=(
        Mistake(
            "what is left when something impossible was asked for",
            "Is each |ρ| below 1, each variance above 0, and yes below 1? ρ = −cov/(√var_q · √(1 + var_star)).",
            when=not_finite,
        ),
        Mistake(
            "as if a yes spoke for being inside",
            "What does a yes at * say of f*: that it is high, or low? And a place q with positive covariance: is it "
            "then more, or less likely to lie *below* the level? So which sign has ρ?",
            wrong_functions=("ρ with a plus", "yes and no exchanged"),
        ),
        Mistake(
            "with noise where there is none, or without where there is",
            "Is a yes the same as f* > 0? There is noise of 1 in each answer: f* plus noise has the variance "
            "1 + var_star, in a and in ρ. Nobody answers at q: no noise in b.",
            wrong_functions=("no noise in a", "no noise in ρ", "no noise at all", "1 + std", "noise in b"),
        ),
        Mistake(
            "another correlation",
            "What is a correlation? A covariance, divided by *two* standard deviations: of f_q, and of f* with noise.",
            wrong_functions=("ρ divided once", "ρ divided three times"),
        ),
        Mistake(
            "as if a yes meant 'above the level'",
            "With what is f* plus noise compared in a yes? With 0. The level is for the map alone.",
            wrong_functions=("a against the level",),
        ),
        Mistake(
            "the places above the level",
            "Sublevel: f at most the level. Which sign has b = (level − mean)/std?",
            wrong_functions=("superlevel",),
        ),
        Mistake(
            "as if the answer told nothing of the other places",
            "Are f_q and the answer independent? Then nothing would be learned. Their joint probability is BvN(a, b; "
            "ρ), not a product.",
            wrong_functions=("independent",),
        ),
        Mistake(
            "as if nobody guessed or missed",
            "How probable is a yes where f is very low? The floor; and where it is very high the ceiling. All yes "
            "answers count, also those by chance, and those tell nothing about q.",
            wrong_functions=(
                "floor and ceiling ignored",
                "only in yes",
                "only in the joint probability",
                "floor forgotten",
            ),
        ),
        Mistake(
            "as if the ceiling were added, or the floor counted twice",
            "What is left for f to decide between floor and ceiling? yes = floor + (ceiling − floor) Φ(a).",
            wrong_functions=("floor + ceiling · Φ", "lapse as a mixture", "lapses shared", "floor with all of P"),
        ),
        Mistake(
            "another posterior after a no",
            "After a no: what is P(inside and no)? What is left of P(inside). Then divide by the probability of a no.",
            wrong_functions=("no: the rest to 1", "no: not divided", "no: divided by yes", "no: as before"),
        ),
        Mistake(
            "another posterior after a yes",
            "After a yes: what is divided by what? The probability of both by the probability of a yes.",
            wrong_functions=("yes: not divided", "yes: divided by P"),
        ),
        Mistake(
            "as if f were normal after the answer",
            "Is f* normal after a yes? No: it is a normal times Φ. No moments are needed here, the probabilities are "
            "exact: the bivariate normal distribution function.",
            wrong_functions=("moments matched", "Laplace"),
        ),
        Mistake(
            "what random draws give",
            "How many draws are needed for seven digits? More than you have time for. The formula is exact.",
            wrong_functions=("drawn",),
        ),
        Mistake(
            "another change than that of the volume",
            "Of what is the absolute value taken? Of the change of the *volume*, the sum over all places, * too: what "
            "comes and what goes cancels. Then both answers are weighed with how probable they are.",
            wrong_functions=(
                "absolute value inside",
                "change squared",
                "mean over places",
                "not weighted",
                "weights exchanged",
                "change after yes only",
                "without absolute value",
                "largest change",
                "without the place itself",
                "volumes after yes and no",
                "entropy",
                "variance",
            ),
        ),
    ),
    hints=(
        "Write 'yes' as f* plus noise N(0, 1) being above 0: with var_star = cov[star, star], P = Φ(a) where a = "
        "mean_star/√(1 + var_star). Inside at q: b = (level − mean_q)/√var_q. Both: BvN(a, b; ρ).",
        "Z_q = multivariate_normal([0, 0], [[1, ρ], [ρ, 1]]).cdf([a, b_q]) with ρ_q = −cov[q, star]/(√var_q · √(1 + "
        "var_star)). The joint probability of inside and yes is floor · Φ(b_q) + (ceiling − floor) · Z_q.",
        "yes = floor + (ceiling − floor) Φ(a); after yes: both/yes; after no: (Φ(b) − both)/(1 − yes); change = yes · "
        "|Σ(P − P_yes)| + (1 − yes) · |Σ(P − P_no)|.",
    ),
    about=(
        "A yes: floor + (ceiling − floor) · Φ(a), with a of the place *.",
        "P_yes: what is the probability of inside *and* yes, by chance or not?",
        "P_no: what is left of P when inside and yes is taken off?",
        "The posteriors are right: which sums are compared, and how is each answer weighted?",
    ),
    draw=draw_ahead,
    tolerance=1e-6,
    laws=(
        Law(
            "Whatever is asked, yes · P_yes + (1 − yes) · P_no is P, as before.",
            "What do both answers together know of a place? What is inside and yes, and inside and no, adds up to P.",
            lambda mean, cov, star, level, floor, ceiling: (mean, cov, star, level, 0.5, 0.5),
            lambda one, other: near(expected(one), expected(other)),
        ),
        Law(
            "If floor and ceiling are both 0.5, an answer tells nothing: P_yes is P_no.",
            "How many answers of each kind come by chance here, and which places are inside then?",
            lambda mean, cov, star, level, floor, ceiling: (mean, cov, star, level, 0.5, 0.5),
            lambda one, other: near(other[:2], (0.5, other[2])),
        ),
        Law(
            "If the level is far above all, all is inside, whatever comes: P_yes and P_no are 1, and the change 0.",
            "What are b, P and Z there, and how probable is inside and yes?",
            lambda mean, cov, star, level, floor, ceiling: (mean, cov, star, 60.0, floor, ceiling),
            lambda one, other: near(other[1:], (0 * one[1] + 1, 0 * one[1] + 1, 0.0)),
        ),
        Law(
            "Mean at the level: P = yes · P_yes + (1 − yes) · P_no is ½. A mean one std below it gives 0.841.",
            "b is 0 there, and 1: what is (level − mean) divided by?",
            lambda mean, cov, star, level, floor, ceiling: (
                level - np.sqrt(np.diag(cov)) * (np.arange(len(mean)) % 2 == 0),
                cov,
                star,
                level,
                floor,
                ceiling,
            ),
            lambda one, other: near(expected(other), np.where(np.arange(len(one[1])) % 2, 0.5, 0.841345)),
        ),
        Law(
            "If f* is nearly unknown (a thousand times all spreads), a yes comes halfway between floor and ceiling.",
            "Is f* known to be its mean? Its variance belongs into a.",
            lambda mean, cov, star, level, floor, ceiling: (mean, 1e6 * cov, star, level, 0.0, 1.0),
            lambda one, other: abs(other[0] - 0.5) < 0.02,
        ),
        Law(
            "If the places know nothing of each other, an answer at place 0 moves place 0 alone.",
            "Which row of cov belongs to *?",
            lambda mean, cov, star, level, floor, ceiling: (mean, np.diag(np.diag(cov)), 0, level, floor, ceiling),
            lambda one, other: near(other[1][1:], other[2][1:]),
        ),
        Law(
            "Probabilities are between 0 and 1, and no expected change is below 0.",
            "Print yes, P, Z, and the probability of inside and yes: which of them is too large, or below 0?",
            holds=lambda one, other: (
                all((np.array(x) > -1e-5).all() and (np.array(x) < 1 + 1e-5).all() for x in one[:3]) and one[3] > -1e-9
            ),
        ),
        Law(
            "Write the places down in the other order: the posteriors turn round, the numbers stay.",
            "Which place is *?",
            lambda mean, cov, star, level, floor, ceiling: (
                mean[::-1].copy(),
                cov[::-1, ::-1].copy(),
                len(mean) - 1 - star,
                level,
                floor,
                ceiling,
            ),
            lambda one, other: near(other, (one[0], one[1][::-1], one[2][::-1], one[3])),
        ),
        Law(
            "Weighted, a yes and a no move the volume alike: change = 2 · yes · (1 − yes) · |ΣP_yes − ΣP_no|.",
            "Of what is the absolute value taken, for which answers, and by what is each of them weighted?",
            holds=lambda one, other: near(one[3], 2 * one[0] * (1 - one[0]) * abs((one[1] - one[2]).sum())),
        ),
    ),
    asks={
        HAND: "a and b are 0, ρ is −√3/2 and Z is 1/12: what do you get for each? ρ is never −1: f* has noise.",
        FIVE: "The place * is not the first one: which row of cov belongs to it?",
        LAPSES: "Here the floor is 0.2 and the ceiling 0.9: where does each of them stand?",
    },
)

# -------------------------------------------------------------------------------------------------------------- 6 sure

ALWAYS, TURNED, CHAIN, MANY = ("always sure", "turned round", "back and back again", "sixteen answers")


def draw_sure(rng, k):
    """Up to six levels, said by somebody who knows, who does not, or who is mistaken about it; or one level alone."""
    levels = rng.choice(np.arange(10, 21) / 20, 1 if k % 8 == 7 else 2 + k % 5, replace=False)
    said = rng.choice(levels, 4 + k % 7)
    return said, (rng.random(len(said)) < 0.5 + (1.0, 0.5, 0.0, -0.4)[k % 4] * (said - 0.5)).astype(float)


sure = Task(
    name="sure",
    function="calibrate",
    arguments=("said", "right"),
    title="Task 6 · Surely?",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case(
            HAND,
            (array(0.5, 0.7, 0.9, 1, 0.5, 0.7, 0.9, 1), array(1, 1, 1, 1, 0, 1, 0, 1)),
            (array(0.5, 0.7, 0.9, 1), array(0.5, 0.75, 0.75, 1), 1 / 32, 1 / 32),
        ),
        Case(ALWAYS, (array(1, 1, 1, 1, 1, 1, 1), array(1, 0, 1, 1, 0, 1, 1))),
        Case(
            TURNED,
            (array(0.9, 0.6, 0.6, 0.8, 0.8, 0.6, 0.9, 0.8, 0.9, 0.9), array(0, 1, 1, 1, 0, 1, 1, 1, 0, 0)),
        ),
        Case(
            CHAIN,
            (
                array(0.5, 0.6, 0.6, 0.6, 0.7, 0.7, 0.7, 0.7, 0.8, 0.8, 0.9, 0.9, 0.9, 0.5, 0.5),
                array(1, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0, 0),
            ),
        ),
        Case(
            MANY,
            (
                array(0.8, 0.95, 0.6, 0.7, 0.95, 0.6, 0.8, 0.7, 0.95, 0.6, 0.8, 0.95, 0.7, 0.6, 0.8, 0.95),
                array(1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1),
            ),
        ),
    ),
    mistakes=(
        Mistake(
            "what is left when 0 was divided by 0",
            "What was divided by a number of answers that is 0? Only levels that were said have a share.",
            when=not_finite,
        ),
        Mistake(
            "shares that may fall",
            "Can somebody be right less often where he is surer? By chance, yes; the map must not say so: neighbours "
            "out of order are pooled.",
            wrong_functions=("no pooling",),
        ),
        Mistake(
            "as if pooling never looked back",
            "After pooling: is the block before it still lower? If not, these two are pooled, too, and so on.",
            wrong_functions=("pooled once", "pairs from the left only"),
        ),
        Mistake(
            "as if each level had as many answers",
            "A level of two answers and one of twenty: what share have they together? Pool the answers, not the "
            "shares.",
            wrong_functions=("pooled without weights",),
        ),
        Mistake(
            "put in order by force",
            "Whose answers would make that share? Raising or sorting shares is no pooling: the pooled share is a mean "
            "of answers, and the whole fits the answers best.",
            wrong_functions=("running maximum", "running minimum", "sorted shares", "mean of maximum and minimum"),
        ),
        Mistake(
            "shares of other answers",
            "Whose answers are in the share of a level? Those in which just this was said; then neighbours are pooled "
            "where they are out of order, and nowhere else.",
            wrong_functions=("up to this level", "from this level up", "a straight line", "one share for all"),
        ),
        Mistake(
            "as if each answer were a level",
            "Two answers with the same 0.9, one right, one not: which comes first? Neither: they are one block from "
            "the beginning.",
            wrong_functions=("answers pooled one by one",),
        ),
        Mistake(
            "falling where it should rise",
            "Which neighbours are out of order? Those whose *surer* one is right less often.",
            wrong_functions=("falling",),
        ),
        Mistake(
            "in another order of levels",
            "In which order are the levels? Ascending, whatever was said first.",
            wrong_functions=("order of appearance", "descending"),
        ),
        Mistake(
            "smoothed by a prior",
            "Where do the added answers come from? A prior is a good idea for few answers, but the shares here are of "
            "the answers alone.",
            wrong_functions=("Beta(1, 1)",),
        ),
        Mistake(
            "another measure than the Brier score",
            "Which score is compared? The mean of (probability − right)², over all answers; no root, no logarithm, "
            "no sum over levels.",
            wrong_functions=("root", "mean over levels", "absolute error", "sums"),
        ),
        Mistake(
            "another miscalibration",
            "Which two scores differ by it? That of what was *said*, and that of the pooled shares.",
            wrong_functions=(
                "overconfidence",
                "said against the shares",
                "said against the mean",
                "distance of said and pooled",
                "miscalibration turned",
            ),
        ),
        Mistake(
            "another discrimination",
            "How much better than one who always says the same, the share of right answers of all, are the pooled "
            "shares? For one who is always sure it must be 0.",
            wrong_functions=(
                "against a coin",
                "discrimination of said",
                "discrimination of raw shares",
                "discrimination turned",
                "difference of means",
                "exchanged",
            ),
        ),
    ),
    hints=(
        "np.unique(said, return_inverse=True) gives the levels and the level of each answer; np.bincount counts the "
        "answers, and the right ones, of each level.",
        "Keep a list of blocks (right, answers, levels). Append a level; while the last block's share is not above "
        "that of the one before, add the last to the one before. Then go on to the next level.",
        "brier(p) = ((p − right)**2).mean(). Miscalibration: brier(said) − brier(pooled); discrimination: "
        "brier(right.mean()) − brier(pooled), with pooled[place] for each answer.",
    ),
    about=(
        "The levels are those that were said, each once, ascending.",
        "Each level has the share of its block: right answers divided by answers.",
        "What did he say at each answer, and what would the pooled share have said there?",
        "B of one number for all, the share of right answers, is compared with B of the pooled shares.",
    ),
    draw=draw_sure,
    laws=(
        Law(
            "Two right answers said with 0.6 and a wrong one with 0.8 are one block: the share 2/3 at both.",
            "How many answers has each block, and how many of them are right? Each level gets the share of its block.",
            lambda said, right: (array(0.6, 0.6, 0.8), array(1, 1, 0)),
            lambda one, other: near(other[:2], (array(0.6, 0.8), array(2 / 3, 2 / 3))),
        ),
        Law(
            "Who says 0.9 ten times and is right ten times loses 0.01 by it, and his saying it tells nothing: 0.",
            "What is (0.9 − 1)²?",
            lambda said, right: (np.full(10, 0.9), np.ones(10)),
            lambda one, other: near(other, (array(0.9), array(1), 0.01, 0.0)),
        ),
        Law(
            "Who always says 0.7 has the discrimination 0, for one number is as good as another.",
            "Which number would say the same for all answers, and have the best score?",
            lambda said, right: (0 * said + 0.7, right),
            lambda one, other: near(other[3], 0.0),
        ),
        Law(
            "Say (1 + said)/2 instead: the pooled shares and the discrimination stay, for only the order counts.",
            "Where do numbers that were said come in beside their order?",
            lambda said, right: (0.5 + said / 2, right),
            lambda one, other: near((other[1], other[3]), (one[1], one[3])),
        ),
        Law(
            "Write down each answer twice: nothing changes.",
            "Which of your numbers are counts, and which are shares? Are only shares compared, and means returned?",
            lambda said, right: (np.repeat(said, 2), np.repeat(right, 2)),
        ),
        Law(
            "Write the answers down in the other order: nothing changes.",
            "What depends on which answer came first?",
            lambda said, right: (said[::-1].copy(), right[::-1].copy()),
        ),
        Law(
            "Neither of the two numbers is below 0: no other rising shares fit the answers better.",
            "Which B is taken off which, and do the pooled shares fit best?",
            holds=lambda one, other: min(one[2:]) > -1e-6,
        ),
    ),
    asks={
        HAND: "The shares before pooling are 0.5, 1, 0.5 and 1: which two are pooled? And 4 levels have 4 shares.",
        ALWAYS: "One level, five of seven right: what is there to pool?",
        TURNED: "Count answers and right ones for 0.6, 0.8 and 0.9, then pool from the left and look back.",
        CHAIN: "After each pooling: is the block before it still lower?",
    },
)

homework = Homework(scale, told, sets, reaction, ahead, sure, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
