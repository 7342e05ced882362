"""The checks of homework 11: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_lib.homework import Case, Homework, Mistake, Task, near


def array(*values):
    """A vector of numbers, or a matrix of rows."""
    return np.array(values, dtype=float)


def whole(*values):
    """A vector of whole numbers, or a matrix of rows."""
    return np.array(values, dtype=int)


def smooth(x, variance, lengthscale):
    """Covariances of a smooth function on a line: the squared exponential."""
    steps = (array(*x)[:, None] - array(*x)) / lengthscale
    return variance * np.exp(-(steps**2) / 2)


def has_nan(got):
    """Whether NaN is among several arrays."""
    return any(np.isnan(one).any() for one in got)


def alike(common, own):
    """Covariances of people who share a part and have a part of their own."""
    return common + np.diag(array(*own))


HAND = "by hand"

# -------------------------------------------------------------------------------------------------------- 1 covariance

SIGN = (
    "the right number with the wrong sign",
    "Swap the items of one question: what must become of the covariance? Which of the two counts positively, a or b?",
)
FOUR = (
    "as if some of the four covariances were missing, or stood with another sign",
    "Which four covariances, and with which signs? Multiply out (f_b − f_a)(f_d − f_c).",
)
ONE_VALUE = (
    "the covariance of a value",
    "A value, or a difference? An answer tells of f_b − f_a; f_b alone nobody has asked.",
)
WITHIN = (
    "as if each question were looked at by itself",
    "Inside one question, or between two? The covariance of two questions needs K between the items of one and "
    "those of the other.",
)
FAR = (
    "a variance of something",
    "How far apart, or how much together? Two questions with nothing in common have the covariance 0.",
)
WHO = (
    "as if it did not matter who answered",
    "Who answered? people[p, q] says how much the functions of p and q have in common, and also how large they are.",
)
WHAT = (
    "as if it did not matter what was asked",
    "What was asked? The items come in by K.",
)
SAME_ONE = (
    "as if only a person's own answers told of his next one",
    "Does Anna's answer tell nothing of Bob's? It does, as far as people[p, q] is not 0.",
)
PRODUCT = (
    "as if items and people were added",
    "What if two people have nothing in common? Then their answers must have the covariance 0, whatever was asked.",
)
UNIT = (
    "a number without a unit",
    "A covariance, or a correlation? Nothing is to be divided by standard deviations.",
)
AXIS = (
    "the right numbers, turned",
    "Along which axis do the new questions lie? A row for each old question, a column for each new one.",
)
ALL = (
    "one number for each place in the lists",
    "Is k only compared with k? It is asked for each question with each new one: (m, q) numbers. np.ix_ makes tables.",
)
ZERO = (
    "what the items before these would give",
    "The first item has the number 0: which row of K belongs to the item a?",
)

LINE, SAME, STRANGERS = (
    "five items on a line",
    "one question, asked both ways",
    "people with nothing in common",
)

covariance = Task(
    name="covariance",
    function="comparison_covariance",
    arguments=("K", "people", "pairs", "persons", "new_pairs", "new_persons"),
    title="Task 1 · What one answer tells of another",
    stars=1,
    minutes=20,
    points=4,
    cases=(
        Case(
            HAND,
            (
                array([4, 1, 2], [1, 3, 0], [2, 0, 5]),
                array([1, 0.5], [0.5, 2]),
                whole([0, 1]),
                whole(0),
                whole([1, 2]),
                whole(1),
            ),
            array([-2]),
        ),
        Case(
            LINE,
            (
                smooth((0, 0.4, 1.1, 1.5, 2.6), 1.7, 0.9),
                alike(0.6, (0.3, 0.9, 0.2)),
                whole([0, 1], [3, 1], [2, 4], [1, 4]),
                whole(0, 2, 1, 0),
                whole([4, 3], [0, 2], [1, 2]),
                whole(2, 0, 1),
            ),
            array(
                [0.193266978423, 0.5495903495264, 0.1745421562143],
                [-0.139742829578, -0.8400382147046, -0.7069999118025],
                [-1.206431781056, -0.2980741006065, -0.1582581721781],
                [-0.96858635597, 0.613388716794, 0.4691544867169],
            ),
        ),
        Case(
            SAME,
            (
                smooth((0, 0.7, 1.2), 2.4, 0.8),
                array([1.5, -0.4], [-0.4, 0.7]),
                whole([0, 2], [2, 0], [0, 2]),
                whole(0, 0, 1),
                whole([0, 2], [2, 0], [1, 2]),
                whole(0, 1, 1),
            ),
            array(
                [4.86250223502, 1.296667262672, -0.513322292576],
                [-4.86250223502, -1.296667262672, 0.513322292576],
                [-1.296667262672, -2.269167709676, 0.898314012008],
            ),
        ),
        Case(
            STRANGERS,
            (
                array([2, 0.5, 0.1, 0.3], [0.5, 1.4, 0.2, 0.6], [0.1, 0.2, 3, 0.4], [0.3, 0.6, 0.4, 0.9]),
                array([0.8, 0], [0, 1.9]),
                whole([0, 3], [2, 1]),
                whole(1, 0),
                whole([3, 1], [0, 2], [2, 3], [1, 0]),
                whole(1, 1, 0, 0),
            ),
            array([-0.95, 3.8, 0, 0], [0, 0, 2.4, -0.64]),
        ),
    ),
    mistakes=(
        Mistake(
            *SIGN,
            on={
                LINE: array(
                    [-0.193267, -0.54959, -0.174542],
                    [0.139743, 0.840038, 0.707],
                    [1.20643, 0.298074, 0.158258],
                    [0.968586, -0.613389, -0.469154],
                )
            },
        ),
        Mistake(
            *SIGN,
            on={
                LINE: array(
                    [0.193267, 0.54959, 0.174542],
                    [0.139743, 0.840038, 0.707],
                    [1.20643, 0.298074, 0.158258],
                    [0.968586, 0.613389, 0.469154],
                )
            },
        ),
        Mistake(
            *FOUR,
            on={
                LINE: array(
                    [0.49902, 2.66066, 1.67785],
                    [1.28881, 1.00811, 1.23707],
                    [0.737643, 0.737643, 2.52028],
                    [0.534717, 1.76762, 1.27434],
                )
            },
        ),
        Mistake(
            *FOUR,
            on={
                LINE: array(
                    [0.467587, -0.399343, -0.170303],
                    [0, 0.499432, 0.270468],
                    [0.228964, -0.228964, -1.24858],
                    [0.43189, -1.0046, -0.765661],
                )
            },
        ),
        Mistake(*FOUR, on={HAND: array([-2.5])}),
        Mistake(*FOUR, on={HAND: array([3])}),
        Mistake(*FOUR, on={HAND: array([-3])}),
        Mistake(
            *FOUR,
            on={
                LINE: array(
                    [-0.00965863, 1.21075, 0.711239],
                    [-1.43119, -0.840038, -0.611074],
                    [-1.11051, -1.30236, -2.57972],
                    [-0.43189, -0.493693, -0.233203],
                )
            },
        ),
        Mistake(
            *FOUR,
            on={
                LINE: array(
                    [0.0966335, 0.274795, 0.0872711],
                    [-0.0698714, -0.420019, -0.3535],
                    [-0.603216, -0.149037, -0.0791291],
                    [-0.484293, 0.306694, 0.234577],
                )
            },
        ),
        Mistake(
            *ONE_VALUE,
            on={
                LINE: array(
                    [0.483303, 1.13066, 0.753771],
                    [0.644404, 0.753771, 0.753771],
                    [0.483303, 0.254339, 0.635848],
                    [0.483303, 0.381509, 0.254339],
                )
            },
        ),
        Mistake(
            *ONE_VALUE,
            on={
                LINE: array(
                    [0.0157166, 1.53, 0.924074],
                    [0.644404, 0.254339, 0.483303],
                    [0.254339, 0.483303, 1.88443],
                    [0.0514136, 1.38611, 1.02],
                )
            },
        ),
        Mistake(
            *ONE_VALUE,
            on={
                LINE: array(
                    [0.43189, -0.255455, -0.266229],
                    [0.575853, -0.170303, -0.266229],
                    [-0.536697, 0.238623, 0.507314],
                    [-0.536697, 0.357934, 0.202926],
                )
            },
        ),
        Mistake(
            *ONE_VALUE,
            on={
                LINE: array(
                    [0.228964, 0.405702, 0.270468],
                    [-0.715596, -0.170303, -0.170303],
                    [-0.440771, -0.765661, -1.91415],
                    [0, -0.749148, -0.499432],
                )
            },
        ),
        Mistake(*WITHIN, on={HAND: array([2.5])}),
        Mistake(
            *WITHIN,
            on={
                LINE: array(
                    [0.744347, 1.11652, 1.1609],
                    [0.519071, 0.389303, 0.607167],
                    [0.204872, 0.204872, 0.798807],
                    [0.041414, 0.062121, 0.0645902],
                )
            },
        ),
        Mistake(*FAR, on={HAND: array([10.5])}),
        Mistake(*WHO, on={HAND: array([-4])}),
        Mistake(*WHAT, on={LINE: array([0.6, 0.9, 0.6], [0.8, 0.6, 0.6], [0.6, 0.6, 1.5], [0.6, 0.9, 0.6])}),
        Mistake(*SAME_ONE, on={LINE: array([0, 0.54959, 0], [-0.139743, 0, 0], [0, 0, -0.158258], [0, 0.613389, 0])}),
        Mistake(*WHO, on={HAND: array([-8])}),
        Mistake(*WHO, on={HAND: array([-5.65685])}),
        Mistake(*UNIT, on={HAND: array([-1.41421])}),
        Mistake(*UNIT, on={HAND: array([-0.223607])}),
        Mistake(*PRODUCT, on={HAND: array([-3.5])}),
        Mistake(*AXIS, when=lambda case, got: near(got, case.expected.T)),
        Mistake(*ALL, on={HAND: array(-2)}),
        Mistake(
            *ZERO,
            on={
                LINE: array(
                    [0.457928, 2.81542, -0.131623],
                    [0.177384, 0.408926, -0.366394],
                    [-0.366394, -0.968586, 0.332596],
                    [-0.32489, -1.36254, 0.32489],
                )
            },
        ),
    ),
    hints=(
        "A covariance can be multiplied out like a product: cov(f_b − f_a, f_d − f_c) has four terms, two with a "
        "minus.",
        "All the terms K_bd at once: K[np.ix_(b, d)] with b = pairs[:, 1] and d = new_pairs[:, 1] has the shape (m, "
        "q).",
        "The result is (K_bd − K_bc − K_ad + K_ac) times people[np.ix_(persons, new_persons)], number by number.",
    ),
)

# ------------------------------------------------------------------------------------------------------------ 2 groups

THROUGH = (
    "as if chains broke off",
    "Through how many others may two items hang together? Through any number. When two groups meet, all their "
    "items must learn of it, not only two.",
)
BOTH_WAYS = (
    "as if a question could be gone through in one direction only",
    "Does (a, b) connect b with a? The difference is known in both directions.",
)
NAMES = (
    "other names for the groups",
    "By what name is a group called? By the smallest number of its items.",
)
UNASKED = (
    "as if the items that were never asked were something else",
    "An item that nobody was asked about: with whom does it hang together? With nobody; it is a group of its own, "
    "and keeps its number.",
)
SPACES = (
    "other sizes",
    "How many unknown values, how many different differences? The first counts items that occur in pairs, each "
    "once; the second pairs, each once.",
)
TURNED = (
    "as if a turned question were another one",
    "Are (a, b) and (b, a) two differences? They are one, with two signs.",
)
ORDER = (
    "the right sizes in another order",
    "Which comes first? In sizes first the items, then the differences. Is that so?",
)
CIRCLE = (
    "a number of circles that counts something else",
    "How many answers does it take to hang n items together? Each further one closes a circle, one by itself.",
)
AGAIN_ASKED = (
    "as if a question that is put again could not contradict",
    "If a question is put again, can the answers contradict each other? Then it closes a circle, of two.",
)
PARTS = (
    "circles as if for another number of groups",
    "If there are several groups, how many answers are needed without a circle? One less than items, in each of "
    "the groups.",
)
RANK = (
    "what holds the groups together, or the groups themselves",
    "How many answers are needed, or how many are left over? The left over ones close circles.",
)

CHAIN, ALL_PAIRS, COUPLES, AGAIN = (
    "a chain, asked from its end",
    "everything once",
    "everybody once",
    "some things again, some never",
)

groups = Task(
    name="groups",
    function="groups_and_circles",
    arguments=("n", "pairs"),
    title="Task 2 · Do they hang together?",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(
            HAND,
            (
                6,
                whole([0, 1], [1, 2], [2, 0], [4, 5], [5, 4]),
            ),
            (whole(0, 0, 0, 3, 4, 4), whole(5, 4), 2),
        ),
        Case(
            CHAIN,
            (
                7,
                whole([5, 6], [4, 5], [1, 2], [3, 4], [2, 3]),
            ),
            (whole(0, 1, 1, 1, 1, 1, 1), whole(6, 5), 0),
        ),
        Case(
            ALL_PAIRS,
            (
                5,
                whole([1, 0], [2, 0], [3, 0], [4, 0], [2, 1], [3, 1], [4, 1], [3, 2], [4, 2], [4, 3]),
            ),
            (whole(0, 0, 0, 0, 0), whole(5, 10), 6),
        ),
        Case(
            COUPLES,
            (
                8,
                whole([6, 3], [0, 5], [7, 1], [4, 2]),
            ),
            (whole(0, 1, 2, 3, 2, 0, 3, 1), whole(8, 4), 0),
        ),
        Case(
            AGAIN,
            (
                12,
                whole([9, 4], [4, 9], [9, 7], [2, 11], [11, 5], [2, 11], [7, 4], [5, 10], [10, 2], [11, 2], [8, 6]),
            ),
            (whole(0, 1, 2, 3, 4, 2, 6, 4, 6, 4, 2, 2), whole(9, 8), 5),
        ),
    ),
    mistakes=(
        Mistake(*THROUGH, on={CHAIN: (whole(0, 1, 1, 1, 3, 4, 5), whole(6, 5), 0)}),
        Mistake(*THROUGH, on={CHAIN: (whole(0, 1, 1, 2, 3, 4, 5), whole(6, 5), 0)}),
        Mistake(*BOTH_WAYS, on={ALL_PAIRS: (whole(0, 1, 2, 3, 4), whole(5, 10), 6)}),
        Mistake(*NAMES, on={HAND: (whole(0, 0, 0, 1, 2, 2), whole(5, 4), 2)}),
        Mistake(*NAMES, on={HAND: (whole(2, 2, 2, 3, 5, 5), whole(5, 4), 2)}),
        Mistake(*NAMES, on={HAND: (whole(3, 3, 3, 1, 2, 2), whole(5, 4), 2)}),
        Mistake(*UNASKED, on={AGAIN: (whole(0, 0, 2, 0, 4, 2, 6, 4, 6, 4, 2, 2), whole(9, 8), 5)}),
        Mistake(*UNASKED, on={HAND: (whole(0, 0, 0, -1, 4, 4), whole(5, 4), 2)}),
        Mistake(*UNASKED, on={HAND: (whole(0, 0, 0, 4, 4), whole(5, 4), 2)}),
        Mistake(*SPACES, on={HAND: (whole(0, 0, 0, 3, 4, 4), whole(6, 4), 2)}),
        Mistake(*SPACES, on={AGAIN: (whole(0, 1, 2, 3, 4, 2, 6, 4, 6, 4, 2, 2), whole(9, 11), 5)}),
        Mistake(*TURNED, on={AGAIN: (whole(0, 1, 2, 3, 4, 2, 6, 4, 6, 4, 2, 2), whole(9, 10), 5)}),
        Mistake(*SPACES, on={HAND: (whole(0, 0, 0, 3, 4, 4), whole(10, 4), 2)}),
        Mistake(*ORDER, on={HAND: (whole(0, 0, 0, 3, 4, 4), whole(4, 5), 2)}),
        Mistake(*SPACES, on={HAND: (whole(0, 0, 0, 3, 4, 4), whole(5, 15), 2)}),
        Mistake(*PARTS, on={HAND: (whole(0, 0, 0, 3, 4, 4), whole(5, 4), 0)}),
        Mistake(*PARTS, on={HAND: (whole(0, 0, 0, 3, 4, 4), whole(5, 4), -1)}),
        Mistake(*PARTS, on={HAND: (whole(0, 0, 0, 3, 4, 4), whole(5, 4), -4)}),
        Mistake(*UNASKED, on={CHAIN: (whole(0, 1, 1, 1, 1, 1, 1), whole(6, 5), 1)}),
        Mistake(
            *AGAIN_ASKED,
            on={HAND: (whole(0, 0, 0, 3, 4, 4), whole(5, 4), 1), ALL_PAIRS: (whole(0, 0, 0, 0, 0), whole(5, 10), 6)},
        ),
        Mistake(*AGAIN_ASKED, on={ALL_PAIRS: (whole(0, 0, 0, 0, 0), whole(5, 10), 0)}),
        Mistake(*RANK, on={CHAIN: (whole(0, 1, 1, 1, 1, 1, 1), whole(6, 5), 5)}),
        Mistake(*RANK, on={CHAIN: (whole(0, 1, 1, 1, 1, 1, 1), whole(6, 5), 2)}),
        Mistake(*CIRCLE, on={HAND: (whole(0, 0, 0, 3, 4, 4), whole(5, 4), -2)}),
        Mistake(*CIRCLE, on={ALL_PAIRS: (whole(0, 0, 0, 0, 0), whole(5, 10), 2)}),
    ),
    hints=(
        "Begin with everybody alone: group = np.arange(n). For each pair look at the groups of a and b. If they "
        "differ, they become one.",
        "Becoming one: low, high = sorted((group[a], group[b])), and then all who have high get low: group[group == "
        "high] = low.",
        "If group[a] and group[b] are equal already, the pair closes a circle: count these. For the sizes: "
        "np.unique(pairs), and np.unique of the pairs after np.sort(pairs, axis=1), with axis=0.",
    ),
)

# ------------------------------------------------------------------------------------------------------------ 3 pseudo

MINUS = (
    "as if the covariance counted otherwise",
    "The variance of a difference: var f_a + var f_b − 2 cov(f_a, f_b). Would two neighbours, open as one, be "
    "easy to compare? (The thesis prints another sign. Whose side does the by-hand case take?)",
)
TOGETHER = (
    "as if each value were left open by itself",
    "Are f_a and f_b left open independently? Neighbours go up and down together, and a difference does not see "
    "that. Which entries of Σ does it need?",
)
SECOND = (
    "with another noise",
    "How many noisy judgements make a choice? Two, with σ each: 2σ² in the denominator's square.",
)
NOISE = (
    "as if a choice had no noise",
    "A difference of values, or a choice? People err even if both values are known.",
)
OPEN = (
    "as if u told everything, or nothing",
    "What do the pseudo-inputs leave open? Σ = K − K_XZ K_ZZ⁻¹ K_ZX, and the choice has to know of it.",
)
WITHOUT = (
    "the open variance and the noise in one",
    "With the noise, or without? The second result is what is open of f_b − f_a; the noise comes in for the choice.",
)
EXPLAINED = (
    "the part of the variance that is not open",
    "What u explains, or what it leaves? Does a pseudo-input that is near make the rest larger, or smaller?",
)
SOLVE = (
    "as if K_ZZ⁻¹ were missing, or stood elsewhere",
    "How sure is K_XZ u of itself? Test it at a pseudo-input: f must be u there, and nothing open. "
    "np.linalg.solve(K_ZZ, …).",
)
TWO = (
    "as if each pseudo-input were alone",
    "Do two pseudo-inputs tell different things? Neighbours tell the same twice: K_ZZ is needed whole.",
)
SOURCE = (
    "as if values were known only where pseudo-inputs are",
    "How much of u reaches an item that is no pseudo-input? K_XZ K_ZZ⁻¹ u.",
)
SIGN = (
    "a where b should be",
    "Which of the two is preferred, if f_b − f_a is positive? It is b.",
)
ROOT = (
    "with another denominator",
    "What unit has the denominator? Variances add; then the root is taken, once.",
)
REPORT = (
    "standard deviations",
    "A variance, or a standard deviation? A variance is asked for here.",
)
WHERE = (
    "what other pseudo-inputs would give",
    "Which items are the pseudo-inputs? Those with the numbers in Z; u stands in the order of Z.",
)
ANSWER = (
    "as if u itself were noisy",
    "Is u an answer, or a value? It is f at the pseudo-inputs, exactly; noise comes with the choice.",
)
CURVE = (
    "another curve",
    "Which curve does the task name? Φ, scipy.special.ndtr.",
)

LINE, KNOWN, LARGE = (
    "neighbours far from the pseudo-inputs",
    "pairs of pseudo-inputs",
    "large values",
)

pseudo = Task(
    name="pseudo",
    function="pseudo_choices",
    arguments=("K", "Z", "u", "pairs", "noise_std"),
    title="Task 3 · A difference through a few values",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(
            HAND,
            (
                array([4, 2, 1], [2, 4, 3], [1, 3, 6.75]),
                whole(0),
                array(2),
                whole([1, 2]),
                1.5,
            ),
            (array(-0.5), array(4.5), array(0.4338161673891)),
        ),
        Case(
            LINE,
            (
                smooth((0, 0.3, 1.4, 1.6, 2.9, 3.1), 2.6, 0.7),
                whole(4, 0),
                array(1.3, -2.1),
                whole([2, 3], [3, 1], [0, 5], [2, 5]),
                0.4,
            ),
            (
                array(0.2310471005119, -1.992362038545, 3.34826940613, 1.401597285551),
                array(0.1823291024729, 2.361502366016, 0.2038127964622, 2.959866199502),
                array(0.6277846286619, 0.1118615044968, 0.9999981385814, 0.7805104823831),
            ),
        ),
        Case(
            KNOWN,
            (
                smooth((0, 0.8, 1.5, 2.7), 1.8, 1.1),
                whole(2, 0, 3),
                array(-0.6, 1.1, 0.3),
                whole([0, 2], [3, 2], [1, 0], [3, 1]),
                0.7,
            ),
            (
                array(-1.7, -0.9, 1.070099273188, -0.2700992731882),
                array(0, 0, 0.1258950620617, 0.1258950620617),
                array(0.04296590010997, 0.181638830468, 0.8455603927662, 0.3986502787345),
            ),
        ),
        Case(
            LARGE,
            (
                array([90, 40, 10, 25], [40, 60, 20, 5], [10, 20, 120, 30], [25, 5, 30, 70]),
                whole(3, 1),
                array(11, -4),
                whole([2, 0], [0, 3], [1, 2]),
                5.0,
            ),
            (
                array(-2.419161676647, 10.1377245509, 7.281437125749),
                array(182.6946107784, 56.58682634731, 101.7964071856),
                array(0.4369965391408, 0.8369373955506, 0.7227392773876),
            ),
        ),
    ),
    mistakes=(
        Mistake(*MINUS, on={HAND: (array(-0.5), array(14.5), array(0.454338))}),
        Mistake(*MINUS, on={HAND: (array(-0.5), array(7), array(0.441392))}),
        Mistake(*MINUS, on={HAND: (array(-0.5), array(3.5), array(0.429842))}),
        Mistake(*TOGETHER, on={HAND: (array(-0.5), array(9.5), array(0.446847))}),
        Mistake(*TOGETHER, on={HAND: (array(-0.5), array(6.5), array(0.440084))}),
        Mistake(*TOGETHER, on={HAND: (array(-0.5), array(2.5), array(0.425053))}),
        Mistake(*SECOND, on={HAND: (array(-0.5), array(4.5), array(0.423695))}),
        Mistake(*SECOND, on={HAND: (array(-0.5), array(4.5), array(0.427566))}),
        Mistake(*SECOND, on={HAND: (array(-0.5), array(4.5), array(0.445878))}),
        Mistake(*SECOND, on={HAND: (array(-0.5), array(4.5), array(0.415585))}),
        Mistake(
            *NOISE,
            on={
                LINE: (
                    array(0.231047, -1.99236, 3.34827, 1.4016),
                    array(0.182329, 2.3615, 0.203813, 2.95987),
                    array(0.705779, 0.0974008, 1, 0.792372),
                )
            },
        ),
        Mistake(
            *OPEN,
            on={
                LINE: (
                    array(0.231047, -1.99236, 3.34827, 1.4016),
                    array(0.182329, 2.3615, 0.203813, 2.95987),
                    array(0.658524, 0.000214126, 1, 0.993388),
                )
            },
        ),
        Mistake(*OPEN, on={HAND: (array(-0.5), array(4.75), array(0.434709))}),
        Mistake(*WITHOUT, on={HAND: (array(-0.5), array(9), array(0.433816))}),
        Mistake(*EXPLAINED, on={HAND: (array(-0.5), array(0.25), array(0.409273))}),
        Mistake(*EXPLAINED, on={HAND: (array(-0.5), array(5), array(0.435566))}),
        Mistake(*SOLVE, on={HAND: (array(-2), array(4.5), array(0.252493))}),
        Mistake(*SOLVE, on={HAND: (array(-0.5), array(3.75), array(0.430902))}),
        Mistake(*SOLVE, on={HAND: (array(-2), array(3.75), array(0.243117))}),
        Mistake(*SOLVE, on={HAND: (array(-8), array(4.5), array(0.00383038))}),
        Mistake(*SOLVE, on={HAND: (array(-0.125), array(4.5), array(0.483382))}),
        Mistake(
            *TWO,
            on={
                LINE: (
                    array(0.231001, -1.99209, 3.34765, 1.40123),
                    array(0.182334, 2.36165, 0.204749, 2.95998),
                    array(0.62776, 0.1119, 0.999998, 0.780446),
                )
            },
        ),
        Mistake(*SOURCE, on={HAND: (array(0), array(4.5), array(0.5))}),
        Mistake(*SIGN, on={HAND: (array(0.5), array(4.5), array(0.566184))}),
        Mistake(*SIGN, on={HAND: (array(-0.5), array(4.5), array(0.566184))}),
        Mistake(*ROOT, on={HAND: (array(-0.5), array(4.5), array(0.477848))}),
        Mistake(*ROOT, on={HAND: (array(-0.5), array(4.5), array(0.453093))}),
        Mistake(*ROOT, on={HAND: (array(-0.5), array(4.5), array(0.459972))}),
        Mistake(*CURVE, on={HAND: (array(-0.5), array(4.5), array(0.45843))}),
        Mistake(*CURVE, on={HAND: (array(-0.5), array(4.5), array(0.39344))}),
        Mistake(*REPORT, on={HAND: (array(-0.5), array(2.12132), array(0.433816))}),
        Mistake(
            *WHERE,
            on={
                LINE: (
                    array(1.01868, -0.0151287, -1.30551, 3.09804),
                    array(0.149167, 2.39394, 2.6, 4.4469),
                    array(0.931522, 0.496336, 0.222435, 0.922044),
                )
            },
        ),
        Mistake(*ANSWER, on={HAND: (array(-0.32), array(4.59), array(0.457737))}),
    ),
    hints=(
        "A choice sees one number, g = f_b − f_a. Given u it is normal. Find its mean and variance, and average Φ "
        "over it: Φ(mean / √(2σ² + variance)).",
        "W = np.linalg.solve(K[np.ix_(Z, Z)], K[Z]) is K_ZZ⁻¹ K_ZX, of shape (M, n). Means of all items: u @ W. What "
        "is left: S = K − K[:, Z] @ W.",
        "Variance of the difference: S[a, a] + S[b, b] − 2 S[a, b], with a, b = pairs.T: three vectors.",
    ),
)

# ------------------------------------------------------------------------------------------------------------ 4 choose

VALUES = (
    "as if values were asked for",
    "Who asks about values? A part that a whole group of items shares is in no difference. How much of each asked "
    "*difference* does the item explain?",
)
MOST = (
    "the items that were asked most",
    "Is the item with most questions the one that explains most? A neighbour may explain it as well, and others too.",
)
SQUARES = (
    "as if gains of single questions were joined otherwise",
    "Write down what u_i explains of one difference: its covariance with f_i, squared, over the variance of f_i. "
    "Then add over the questions. Where does the square stand, and which sign has f_a?",
)
SCALE = (
    "as if larger values explained more, or less",
    "Does it help that f_i is large? Measure f_i in another unit: nothing may change. By what must the squares be "
    "divided?",
)
AFTER = (
    "as if the choices did not know of each other",
    "What is still open after the first choice? R changes everywhere, not only at the item: R − R_:i R_i: / R_ii.",
)
BEST = (
    "the item that helps least",
    "Most, or least? The sum that is left open should become as small as possible.",
)
TWICE = (
    "as if a question that was put again counted once",
    "How often is each question counted? As often as it was asked.",
)
NOBODY = (
    "as if only items that were asked could be chosen",
    "Must a pseudo-input be an item that was asked? A neighbour of many may explain most.",
)
AGAIN = (
    "the same item again",
    "What does the same item tell a second time? Nothing: R_ii is 0 then, and 0/0 must not win.",
)
TOLD = (
    "other sums",
    "What is told after each choice? The sum over all questions of what is open of the difference: at the start "
    "and after each choice, not what was gained.",
)
ORDER = (
    "the right items in another order",
    "In which order are they asked for? In the order in which they were chosen. Does that look like it?",
)
PLUS = (
    "the sum of what is open of the values",
    "What is open of a difference? R_aa + R_bb − 2 R_ab, and the last part matters, doesn't it?",
)
ZERO = (
    "the numbers of other items",
    "The first item has the number 0. What did you call it?",
)

LINE, BETWEEN, LEVELS = (
    "seven items on a line",
    "an item that nobody was asked about",
    "different variances",
)

choose = Task(
    name="choose",
    function="choose_items",
    arguments=("K", "pairs", "M"),
    title="Task 4 · Where pseudo-inputs go",
    stars=3,
    minutes=35,
    points=6,
    cases=(
        Case(
            HAND,
            (
                np.diag(array(1, 2, 3)),
                whole([0, 1], [1, 2], [1, 0]),
                2,
            ),
            (whole(1, 2), array(11, 5, 2)),
        ),
        Case(
            LINE,
            (
                smooth((0, 0.3, 0.9, 1.2, 2.0, 2.2, 3.1), 1.9, 0.6),
                whole([0, 2], [1, 2], [1, 3], [0, 1], [4, 6], [2, 5]),
                4,
            ),
            (whole(3, 0, 4, 6), array(13.60309785893, 9.943997738501, 6.485729524944, 3.09708114341, 1.249367075084)),
        ),
        Case(
            BETWEEN,
            (
                np.diag(array(0.4, 0.5, 0.6, 0.05, 0.45, 0.55, 0.3))
                + 1.3 * np.outer(*[(1, 0.9, 1.1, 1, 0.95, 1.05, 0.1)] * 2),
                whole([0, 6], [6, 1], [6, 2], [4, 6], [5, 6]),
                3,
            ),
            (whole(3, 6, 2), array(9.2975, 4.196203703704, 2.741556760754, 2.067183549638)),
        ),
        Case(
            LEVELS,
            (
                array(
                    [15.8, -5, 1, 4, 3],
                    [-5, 7.1, -1, -2, 3],
                    [1, -1, 4.1, 1, 3],
                    [4, -2, 1, 4.4, 3],
                    [3, 3, 3, 3, 15.9],
                ),
                whole([3, 2], [2, 3], [1, 4], [4, 2], [1, 3], [3, 2]),
                3,
            ),
            (whole(3, 4, 2), array(66, 42.21818181818, 23.57244094488, 8.699237417387)),
        ),
    ),
    mistakes=(
        Mistake(*VALUES, on={LINE: (whole(0, 6, 3, 5), array(13.6031, 10.8595, 9.40258, 5.01532, 1.51229))}),
        Mistake(*VALUES, on={LINE: (whole(2, 5, 0, 6), array(13.6031, 10.5277, 7.84902, 3.59424, 1.41292))}),
        Mistake(*VALUES, on={LINE: (whole(1, 2, 5, 6), array(13.6031, 11.5871, 5.73598, 3.13271, 0.958534))}),
        Mistake(*MOST, on={LINE: (whole(1, 2, 0, 3), array(13.6031, 11.5871, 5.73598, 5.05201, 3.94031))}),
        Mistake(*SQUARES, on={LINE: (whole(1, 3, 5, 6), array(13.6031, 11.5871, 6.60786, 3.85434, 1.73365))}),
        Mistake(*SQUARES, on={LINE: (whole(0, 3, 6, 2), array(13.6031, 10.8595, 6.48573, 5.01532, 3.0044))}),
        Mistake(*SQUARES, on={LEVELS: (whole(3, 2, 4), array(66, 42.2182, 27.7817, 8.69924))}),
        Mistake(*SQUARES, on={LINE: (whole(2, 1, 5, 6), array(13.6031, 10.5277, 5.73598, 3.13271, 0.958534))}),
        Mistake(
            *SCALE,
            on={LEVELS: (whole(4, 0, 1), array(66, 45.0679, 35.9325, 23.4807)), HAND: (whole(1, 2), array(11, 5, 2))},
        ),
        Mistake(*SCALE, on={BETWEEN: (whole(2, 5, 6), array(9.2975, 4.50736, 3.30768, 1.91232))}),
        Mistake(*SCALE, on={LEVELS: (whole(3, 2, 1), array(66, 42.2182, 27.7817, 17.7381))}),
        Mistake(*AFTER, on={LINE: (whole(3, 2, 4, 0), array(13.6031, 9.944, 7.58521, 5.19905, 2.24259))}),
        Mistake(*AFTER, on={LINE: (whole(3, 2, 0, 4), array(13.6031, 6.15421, -2.39311, -4.31291, -7.39479))}),
        Mistake(*AFTER, on={HAND: (whole(1, 2), array(11, -1, -10))}),
        Mistake(*AFTER, on={LINE: (whole(3, 2, 1, 0), array(13.6031, 12.9368, 11.1387, 8.79217, 4.99217))}),
        Mistake(*BEST, on={HAND: (whole(0, 2), array(11, 9, 6))}),
        Mistake(*TWICE, on={HAND: (whole(1, 2), array(8, 4, 1))}),
        Mistake(*NOBODY, on={BETWEEN: (whole(2, 6, 5), array(9.2975, 4.50736, 3.25321, 1.91232))}),
        Mistake(*AGAIN, on={HAND: (whole(1, 1), array(11, 5, 5))}),
        Mistake(*TOLD, on={HAND: (whole(1, 2), array(11, 6, 3))}),
        Mistake(*TOLD, on={HAND: (whole(1, 2), array(6, 4, 1))}),
        Mistake(*PLUS, on={LINE: (whole(3, 0, 4, 6), array(22.8, 15.3511, 7.28602, 3.78594, 1.91895))}),
        Mistake(*TOLD, on={HAND: (whole(1, 2), array(3.66667, 1.66667, 0.666667))}),
        Mistake(*ORDER, on={LINE: (whole(0, 3, 4, 6), array(13.6031, 9.944, 6.48573, 3.09708, 1.24937))}),
        Mistake(*ORDER, on={HAND: (whole(2, 1), array(11, 5, 2))}),
        Mistake(*ZERO, on={HAND: (whole(2, 3), array(11, 5, 2))}),
    ),
    hints=(
        "Keep R, the covariance that is still open: K at the start, and R − np.outer(R[:, i], R[i]) / R[i, i] after "
        "item i was chosen.",
        "With a, b = pairs.T, the table R[b] − R[a] holds the covariance of each asked difference with each item. The "
        "gain of an item is the sum of its squares over the questions, divided by R_ii.",
        "Give a gain of −1 to the items that were chosen already, so that they cannot win: their R_ii is 0 up to "
        "rounding. np.argmax finds the best, and R[a, a] + R[b, b] − 2 R[a, b] is open of each question.",
    ),
)

# ------------------------------------------------------------------------------------------------------------- 5 table

ORDER = (
    "as if answers and covariances stood in different orders",
    "In which order stand the answers? Y.ravel() goes through the people of the first question first: that is C ⊗ "
    "B, with the noises in the same order. (With B ⊗ C go user by user, Y.T.ravel().)",
)
NOISE_KERNEL = (
    "as if the noise of one person were the same in all his answers",
    "Does Anna's noise know of the other questions? Each answer has its own: a diagonal, outside of the product.",
)
ONE_NOISE = (
    "with the noise of somebody else",
    "Whose noise is it? Column p of Y has the noise noise_std[p], and no other.",
)
UNIT = (
    "with another power of σ",
    "What unit has C ⊗ B? A variance is to be added.",
)
MISSING = (
    "as if there were no noise",
    "What does a table of pure noise say? Try C = 0: Σ log N(y | 0, σ_p²) must come out.",
)
JACOBIAN = (
    "as if dividing by σ were for nothing",
    "What happens to a density when its variable is divided by σ? It is multiplied by σ. How many numbers were "
    "divided by each σ_p?",
)
CONSTANT = (
    "with another number of log 2π",
    "How many numbers stand in the table? Each has its log 2π, with −½.",
)
HALF = (
    "as if the ½ were elsewhere",
    "Where does the ½ belong? Before the squares, and before the log determinant, and before log 2π.",
)
DET = (
    "a floor, or infinity, where a large number should be",
    "What does the computer store for a determinant of 480 small numbers? Add logarithms of eigenvalues, or use "
    "slogdet.",
)
EIGEN = (
    "as if the table were not turned, or the other way round",
    "Whose eigenvectors turn the rows, and whose the columns? Uᵀ Y V: the coordinates of Y's columns in C's "
    "eigenvectors, those of its rows in B's.",
)
SIGN = (
    "the right number with the wrong sign",
    "Does a table become more probable when it lies further from 0? This one says so.",
)
ALONE = (
    "as if answers did not tell of each other",
    "Do answers tell of each other? All of C and all of B belong to the covariance, not their diagonals.",
)
PENALTY = (
    "as if the determinant were missing, or had another sign",
    "Which part punishes a flexible model? −½ log det.",
)
LOG = (
    "a density",
    "Is it asked for a density, or its logarithm?",
)
WHITE = (
    "as if only a part had been divided by the noises",
    "Both sides of B, and Y: have all been divided by σ? B_pq by σ_p σ_q, Y_kp by σ_p.",
)
EIGENVALUES = (
    "as if the eigenvalues were joined otherwise",
    "What are the eigenvalues of C ⊗ B? All products, not sums.",
)

THREE_TWO, SQUARE, SINGULAR, LONG = (
    "three questions, two people",
    "three questions, three people",
    "a circle of questions",
    "many small numbers",
)

table = Task(
    name="table",
    function="table_log_evidence",
    arguments=("C", "people", "noise_std", "Y"),
    title="Task 5 · A table without gaps",
    stars=2,
    minutes=30,
    points=6,
    cases=(
        Case(
            HAND,
            (
                array([4]),
                array([2, 1], [1, 3]),
                array(1, 2),
                array([4, 8]),
            ),
            -6.513892198369,
        ),
        Case(
            THREE_TWO,
            (
                array([2.4, 0.7, 0.3], [0.7, 1.1, 0.6], [0.3, 0.6, 3.2]),
                array([1.3, -0.5], [-0.5, 0.6]),
                array(0.4, 1.5),
                array([0.8, -1.9], [2.2, 0.6], [-0.7, 1.4]),
            ),
            -11.58189577973,
        ),
        Case(
            SQUARE,
            (
                smooth((0, 0.5, 1.6), 1.6, 0.8),
                alike(0.4, (0.9, 0.2, 1.7)),
                array(0.3, 0.8, 1.9),
                array([0.5, -0.2, 1.1], [1.3, 0.9, -2.4], [-0.6, 0.1, 2.8]),
            ),
            -15.1351236225,
        ),
        Case(
            SINGULAR,
            (
                array([2, -1, -1], [-1, 2, -1], [-1, -1, 2]),
                alike(0.7, (0.5, 0.1, 0.3, 1.2)),
                array(0.2, 0.6, 0.5, 1.4),
                array([1.1, 0.8, 1.9, -0.7], [-0.4, 0.3, -1.1, 1.6], [-0.9, -1.2, -0.5, -1.3]),
            ),
            -14.74873880089,
        ),
        Case(
            LONG,
            (
                smooth(np.arange(40), 0.0004, 2.5),
                alike(0.3, np.linspace(0.2, 1, 12)),
                np.linspace(0.01, 0.03, 12),
                0.02 * np.sin(np.outer(np.arange(40), np.linspace(0.3, 0.9, 12))),
            ),
            1321.942762796,
        ),
    ),
    mistakes=(
        Mistake(*ORDER, on={THREE_TWO: -11.5302}),
        Mistake(*ORDER, on={THREE_TWO: -11.571}),
        Mistake(*ORDER, on={THREE_TWO: -12.1098}),
        Mistake(*ORDER, on={THREE_TWO: -10.5822}),
        Mistake(*NOISE_KERNEL, on={HAND: -6.22204}),
        Mistake(*NOISE_KERNEL, on={THREE_TWO: -15.0778}),
        Mistake(*ONE_NOISE, on={HAND: -6.68611}),
        Mistake(*ONE_NOISE, on={HAND: -6.6731}),
        Mistake(*ONE_NOISE, on={HAND: -6.7593}),
        Mistake(*UNIT, on={HAND: -6.66084}),
        Mistake(*UNIT, on={HAND: -6.84825}),
        Mistake(*MISSING, on={HAND: -6.82889}),
        Mistake(*JACOBIAN, on={HAND: -5.82075}),
        Mistake(*JACOBIAN, on={THREE_TWO: -12.6035}),
        Mistake(*JACOBIAN, on={HAND: -6.16732}),
        Mistake(*JACOBIAN, on={HAND: -5.1276}),
        Mistake(*CONSTANT, on={HAND: -4.67602}),
        Mistake(*CONSTANT, on={HAND: -5.59495}),
        Mistake(*CONSTANT, on={THREE_TWO: -7.90614}),
        Mistake(*CONSTANT, on={HAND: -7.43283}),
        Mistake(*HALF, on={HAND: -13.0278}),
        Mistake(*HALF, on={HAND: -10.7778}),
        Mistake(*DET, on={LONG: 292.063}),
        Mistake(*DET, when=lambda case, got: bool(np.isinf(got))),
        Mistake(*PENALTY, on={HAND: -4.08788}),
        Mistake(*PENALTY, on={HAND: 2.01389}),
        Mistake(*SIGN, on={HAND: 6.51389}),
        Mistake(*LOG, on={HAND: 0.0014827, THREE_TWO: 9.33354e-06}),
        Mistake(*EIGEN, on={THREE_TWO: -10.9654}),
        Mistake(*EIGEN, on={HAND: -7.51389}),
        Mistake(*WHITE, on={HAND: -5.8178}),
        Mistake(*WHITE, on={HAND: -5.9475}),
        Mistake(*WHITE, on={HAND: -12.2639}),
        Mistake(*EIGENVALUES, on={HAND: -6.72546}),
        Mistake(*ALONE, on={HAND: -7.21167}),
        Mistake(*ALONE, on={THREE_TWO: -11.3941}),
    ),
    hints=(
        "First make the noises equal: divide column p of Y by σ_p, and B_pq by σ_p σ_q. Now the noise is I. What does "
        "that do to the density?",
        "Turn the table: eigenvectors U of C, V of the divided B, T = Uᵀ Y V. Its numbers are independent, and T_kj "
        "has the variance c_k b_j + 1.",
        "Sum −½ (T²/D + log D + log 2π) with D = np.outer(c, b) + 1, and subtract m Σ log σ_p for the division.",
    ),
)

# ---------------------------------------------------------------------------------------------------------- 6 likeness

BOTH_ROOTS = (
    "with another noise",
    "How many noisy judgements make a choice? Two, with σ each: √2 σ, for the answers as for the prediction.",
)
MANY = (
    "as if probabilities had been multiplied until nothing was left",
    "What is 0.6 to the power of 1800, for a computer? Add logarithms, and subtract the largest before you take "
    "exp: that changes all by the same factor.",
)
TAIL = (
    "as if a very improbable answer were impossible",
    "What does the computer store for Φ(−40)? 0, whose logarithm is not −804.6. scipy.special.log_ndtr knows it.",
)
SHARE = (
    "as if the weights were no probabilities",
    "What must the J probabilities add up to? To 1: divide by their sum.",
)
PRIOR = (
    "as if nothing, or something else, had been known before",
    "What did you know before the first answer? The prior: it is multiplied once, so its logarithm is added once.",
)
ONCE = (
    "as if every answer brought its own prior",
    "How often does the prior count? Once, not once for each answer.",
)
MIX = (
    "as if one could average tastes",
    "An average of differences, or of probabilities? The stranger is *one* of these people, and we do not know "
    "which. What would each of them choose?",
)
VOTES = (
    "as if people had no noise",
    "Would somebody who likes b more always choose it? Each says b with probability Φ(…), not 0 or 1.",
)
WINNER = (
    "as if only the most probable person counted",
    "Are you sure that it is the best one? Then the posterior would be 1. All of them speak, each with his weight.",
)
NOT_USED = (
    "as if the answers had not been heard",
    "What have the answers taught you? The weights of the prediction are the posterior, not the prior.",
)
Y = (
    "as if it did not matter what was answered",
    "What does y = −1 say? That a was chosen: p = Φ(−g/(√2 σ)). So y stands beside g, inside.",
)
SWAP = (
    "what the other order of the items would give",
    "Which of the two is preferred, if g = f_b − f_a is positive? It is b, the second of the pair.",
)
ADD = (
    "as if the answers had been joined otherwise",
    "Answers of one listener: and, or or? He said this *and* this. Which number do you get from three "
    "probabilities then, and from their logarithms?",
)
LOGS = (
    "logarithms",
    "A probability, or its logarithm? The weights must be positive and add up to 1.",
)
HITS = (
    "as if each answer were simply right or wrong",
    "Right or wrong, or how probable? That somebody with a clear preference answers otherwise says more than a "
    "slip between two equals.",
)
CURVE = (
    "another curve",
    "Which curve does the task name? Φ, as everywhere here.",
)

THREE, NONE, MANY_ANSWERS, STUBBORN = (
    "three answers",
    "no answer yet",
    "1800 answers",
    "an answer that contradicts all",
)

likeness = Task(
    name="likeness",
    function="whose_taste",
    arguments=("tastes", "prior", "pairs", "y", "noise_std", "new_pairs"),
    title="Task 6 · Three answers from a stranger",
    stars=3,
    minutes=35,
    points=6,
    cases=(
        Case(
            HAND,
            (
                array([0, 2], [0, -2]),
                array(0.75, 0.25),
                whole([0, 1], [0, 1]),
                whole(-1, -1),
                np.sqrt(2),
                whole([0, 1]),
            ),
            (array(0.09639626662844, 0.9036037333716), array(0.2244639722399)),
        ),
        Case(
            THREE,
            (
                array([0.2, 1.1, -0.7, 0.5], [-1.3, 0.4, 0.9, 0.1], [0.6, -0.2, 0.3, -1.4]),
                array(0.2, 0.5, 0.3),
                whole([0, 1], [3, 2], [1, 3]),
                whole(1, -1, 1),
                0.6,
                whole([2, 1], [0, 3]),
            ),
            (array(0.5520951331559, 0.4465604537921, 0.001344413052008), array(0.6671866220825, 0.7768037857871)),
        ),
        Case(
            NONE,
            (
                array([0.2, 1.4, -0.8], [1.3, -0.4, 0.7]),
                array(0.35, 0.65),
                np.zeros((0, 2), dtype=int),
                np.zeros(0, dtype=int),
                0.8,
                whole([0, 1], [2, 1], [0, 2]),
            ),
            (array(0.35, 0.65), array(0.342658298323, 0.4484772472989, 0.2595948500507)),
        ),
        Case(
            MANY_ANSWERS,
            (
                array([0, 0.35, 0.9], [0, 0.38, 0.84], [0.4, 0.74, 1.2], [0, 0.41, 0.79]),
                array(0.4, 0.3, 0.2, 0.1),
                np.tile(whole([0, 1], [2, 1], [0, 2]), (600, 1)),
                np.tile(whole(1, -1, 1, -1, 1, 1, 1, -1, -1, 1, -1, 1), 150),
                1.3,
                whole([0, 2], [1, 2]),
            ),
            (
                array(0.998495464503, 0.001498418190251, 5.116008057987e-06, 1.001298688168e-06),
                array(0.6877511100908, 0.6175629206946),
            ),
        ),
        Case(
            STUBBORN,
            (
                array([0, 31, 3], [0, 30.8, -4], [0, 33, 9]),
                array(0.5, 0.3, 0.2),
                whole([0, 1], [2, 0]),
                whole(-1, -1),
                0.5,
                whole([0, 2], [2, 0]),
            ),
            (array(0.9989152000715, 0.001084799928541, 0), array(0.9989041668132, 0.001095833186793)),
        ),
    ),
    mistakes=(
        Mistake(*BOTH_ROOTS, on={HAND: (array(0.0213931, 0.978607), array(0.0966776))}),
        Mistake(*BOTH_ROOTS, on={HAND: (array(0.0963963, 0.903604), array(0.159883))}),
        Mistake(*BOTH_ROOTS, on={HAND: (array(0.229792, 0.770208), array(0.359357))}),
        Mistake(*BOTH_ROOTS, on={HAND: (array(0.0502005, 0.949799), array(0.155615))}),
        Mistake(*BOTH_ROOTS, on={HAND: (array(0.373948, 0.626052), array(0.451731))}),
        Mistake(*BOTH_ROOTS, on={HAND: (array(0.0016232, 0.998377), array(0.0242995))}),
        Mistake(*BOTH_ROOTS, on={HAND: (array(0.0963963, 0.903604), array(0.11476))}),
        Mistake(*MANY, when=lambda case, got: case.name == MANY_ANSWERS and has_nan(got)),
        Mistake(*TAIL, when=lambda case, got: case.name == STUBBORN and has_nan(got)),
        Mistake(
            *TAIL,
            on={
                STUBBORN: (array(0.714283, 4.28575e-07, 0.285716), array(0.999992, 8.31801e-06)),
                HAND: (array(0.0963963, 0.903604), array(0.224464)),
            },
        ),
        Mistake(*SHARE, on={HAND: (array(0.0188786, 0.176965), array(0.0439599))}),
        Mistake(*SHARE, on={HAND: (array(0.10668, 1), array(0.24841))}),
        Mistake(*LOGS, on={HAND: (array(0.696256, 0.303744), array(0.633982))}),
        Mistake(*LOGS, on={HAND: (array(-2.33929, -0.101364), array(0.224464))}),
        Mistake(*PRIOR, on={HAND: (array(0.0343388, 0.965661), array(0.182098))}),
        Mistake(*PRIOR, on={HAND: (array(0.0553815, 0.944619), array(0.196464))}),
        Mistake(*ONCE, on={HAND: (array(0.242447, 0.757553), array(0.324171))}),
        Mistake(*MIX, on={HAND: (array(0.0963963, 0.903604), array(0.209773))}),
        Mistake(*MIX, on={HAND: (array(0.0963963, 0.903604), array(0.243483))}),
        Mistake(*VOTES, on={HAND: (array(0.0963963, 0.903604), array(0.0963963))}),
        Mistake(*WINNER, on={HAND: (array(0.0963963, 0.903604), array(0.158655))}),
        Mistake(*NOT_USED, on={HAND: (array(0.0963963, 0.903604), array(0.670672))}),
        Mistake(*NOT_USED, on={HAND: (array(0.0963963, 0.903604), array(0.5))}),
        Mistake(*NOT_USED, on={THREE: (array(0.2, 0.5, 0.3), array(0.418886, 0.605656))}),
        Mistake(*Y, on={THREE: (array(0.0210233, 0.952997, 0.0259795), array(0.292671, 0.919498))}),
        Mistake(*Y, on={THREE: (array(0.184847, 0.796773, 0.0183802), array(0.4082, 0.87548))}),
        Mistake(*Y, on={THREE: (array(0.705278, 0.289079, 0.00564295), array(0.775212, 0.72491))}),
        Mistake(*SWAP, on={THREE: (array(0.00747205, 0.0257629, 0.966765), array(0.283114, 0.0381614))}),
        Mistake(*SWAP, on={HAND: (array(0.0963963, 0.903604), array(0.775536))}),
        Mistake(*SWAP, on={HAND: (array(0.988286, 0.0117145), array(0.166653))}),
        Mistake(*ADD, on={HAND: (array(0.361316, 0.638684), array(0.405322))}),
        Mistake(*ADD, on={HAND: (array(0.0652801, 0.93472), array(0.203221))}),
        Mistake(*HITS, on={HAND: (array(0.375, 0.625), array(0.414664))}),
        Mistake(*CURVE, on={HAND: (array(0.288765, 0.711235), array(0.402385))}),
    ),
    hints=(
        "g = tastes[:, b] − tastes[:, a] with a, b = pairs.T is a table (J, m). What is the log probability of all "
        "answers for each person: along which axis do you add?",
        "logs = log prior + Σ_k log_ndtr(y_k g_jk / (√2 σ)); weights np.exp(logs − logs.max()), divided by their sum.",
        "The prediction: weights @ ndtr(h / (√2 σ)) with h the differences of the new pairs, (J, q).",
    ),
)

homework = Homework(covariance, groups, pseudo, choose, table, likeness)
check, hint, overview, waits_for = homework.check, homework.hint, homework.overview, homework.waits_for
