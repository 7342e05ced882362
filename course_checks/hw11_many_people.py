"""The checks of homework 11: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, near, times, whole


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
TURN = slice(None, None, -1)


def positive(rng, n):
    """A covariance matrix of n items or people, with entries of both signs."""
    F = rng.normal(size=(n, n + 1))
    return F @ F.T


def asked(rng, n, m):
    """m questions about n items, drawn at random."""
    return np.array([rng.choice(n, 2, replace=False) for _ in range(m)], dtype=int).reshape(m, 2)


# -------------------------------------------------------------------------------------------------------- 1 covariance

SIGN = (
    "the right number with the wrong sign",
    "Swap the items of one question: what must become of the covariance? Which of the two counts positively, a or b?",
)
UNIT = ("a number without a unit", "A covariance, or a correlation? Nothing is to be divided by standard deviations.")
ZERO = (
    "what the items before these would give",
    "The first item has the number 0: which row of K belongs to the item a?",
)

LINE, SAME, STRANGERS = ("five items on a line", "one question, asked both ways", "people with nothing in common")


def draw_covariance(rng, k):
    """Few or many questions, to one person or to several."""
    n, P, m, q = 2 + k % 4, 1 + k // 2 % 3, 1 + k % 3, 1 + k // 4 % 3
    old, new = asked(rng, n, m), asked(rng, n, q)
    return positive(rng, n), positive(rng, P), old, rng.integers(P, size=m), new, rng.integers(P, size=q)


def around(K, people, pairs, persons, new_pairs, new_persons):
    """Three new questions to the first person who will be asked, (c, d), (d, e) and (c, e); None without an e."""
    (c, d), *_ = new_pairs
    others = np.setdiff1d(np.arange(len(K)), (c, d))
    if not len(others):
        return None
    return K, people, pairs, persons, whole([c, d], [d, others[0]], [c, others[0]]), np.repeat(new_persons[:1], 3)


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
    draw=draw_covariance,
    laws=(
        Law(
            "Turn the new questions round, (d, c) for (c, d): all covariances change their signs.",
            "Which of the two items counts positively, and where does your function see which one is the second?",
            lambda K, people, pairs, persons, new, who: (K, people, pairs, persons, new[:, TURN].copy(), who),
            times(-1),
        ),
        Law(
            "Double the covariances of the people: all covariances double.",
            "Where does K⁽ᵘ⁾_pq enter: as a factor, once?",
            lambda K, people, *asked: (K, 2 * people, *asked),
            times(2),
        ),
        Law(
            "Double the covariances of the items: all covariances double.",
            "Where does K enter other than by sums and differences of its entries?",
            lambda K, *others: (2 * K, *others),
            times(2),
        ),
        Law(
            "Exchange the old questions with the new ones: rows become columns.",
            "What does your function do with the old questions, and not with the new ones?",
            lambda K, people, pairs, persons, new, who: (K, people, new, who, pairs, persons),
            lambda one, other: near(other, one.T),
        ),
        Law(
            "List the old questions, and who was asked, in another order: so do the rows.",
            "Which question, and which person, belongs to each row?",
            lambda K, people, pairs, persons, *new: (K, people, pairs[TURN].copy(), persons[TURN].copy(), *new),
            lambda one, other: near(other, one[TURN]),
        ),
        Law(
            "f_e − f_c is the sum of f_d − f_c and f_e − f_d, and so are its covariances.",
            "Which sign has each of the four terms, and does each occur once?",
            around,
            lambda one, other: near(other[:, 0] + other[:, 1], other[:, 2]),
        ),
    ),
    mistakes=(
        Mistake(*SIGN, wrong_functions=("new pairs swapped", "absolute")),
        Mistake(
            "as if some of the four covariances were missing, or stood with another sign",
            "Which four covariances, and with which signs? Multiply out (f_b − f_a)(f_d − f_c).",
            wrong_functions=(
                "two of four",
                "two of four, minus",
                "the mixed two",
                "crossing term once",
                "all plus",
                "one sign wrong",
                "other crossing term once",
                "half",
            ),
        ),
        Mistake(
            "the covariance of a value",
            "A value, or a difference? An answer tells of f_b − f_a; f_b alone nobody has asked.",
            wrong_functions=("value of b", "value of a", "value and difference", "difference and value"),
        ),
        Mistake(
            "as if each question were looked at by itself",
            "Inside one question, or between two? The covariance of two questions needs K between the items of one "
            "and those of the other.",
            wrong_functions=("variance of the question", "inside each question"),
        ),
        Mistake(
            "a variance of something",
            "How far apart, or how much together? Two questions with nothing in common have the covariance 0.",
            wrong_functions=("distance",),
        ),
        Mistake(
            "as if it did not matter who answered",
            "Who answered? people[p, q] says how much the functions of p and q have in common, and also how large "
            "they are.",
            wrong_functions=("people forgotten", "new persons forgotten", "old persons forgotten", "own variances"),
        ),
        Mistake(
            "as if it did not matter what was asked",
            "What was asked? The items come in by K.",
            wrong_functions=("people alone",),
        ),
        Mistake(
            "as if only a person's own answers told of his next one",
            "Does Anna's answer tell nothing of Bob's? It does, as far as people[p, q] is not 0.",
            wrong_functions=("same person only",),
        ),
        Mistake(*UNIT, wrong_functions=("correlation of people", "correlation")),
        Mistake(
            "as if items and people were added",
            "What if two people have nothing in common? Then their answers must have the covariance 0, whatever was "
            "asked.",
            wrong_functions=("added",),
        ),
        Mistake(
            "the right numbers, turned",
            "Along which axis do the new questions lie? A row for each old question, a column for each new one.",
            when=lambda case, got: near(got, case.expected.T),
        ),
        Mistake(
            "one number for each place in the lists",
            "Is k only compared with k? It is asked for each question with each new one: (m, q) numbers. np.ix_ makes "
            "tables.",
            wrong_functions=("by position",),
        ),
        Mistake(*ZERO, wrong_functions=("counted from one",)),
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

ORDER = (
    "the right sizes in another order",
    "Which comes first? In sizes first the items, then the differences. Is that so?",
)

CHAIN, ALL_PAIRS, COUPLES, AGAIN = (
    "a chain, asked from its end",
    "everything once",
    "everybody once",
    "some things again, some never",
)


def draw_groups(rng, k):
    """Questions at random, some of them put again; a chain or a ring in any order; many questions about few items."""
    n = 3 + k % 6
    if k % 4 == 1:
        items = rng.permutation(n + 2)[:n]
        chain = np.column_stack([items, np.roll(items, 1)])[k // 4 % 2 :]
        return n + 2, rng.permuted(rng.permutation(chain), axis=1)
    pairs = asked(rng, n, 3 * n if k % 4 == 3 else n - 1)
    turned = pairs[rng.integers(len(pairs), size=k % 3)][:, TURN]
    return n, rng.permutation(np.vstack([pairs, turned]))


groups = Task(
    name="groups",
    function="groups_and_circles",
    arguments=("n", "pairs"),
    title="Task 2 · Do they hang together?",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(HAND, (6, whole([0, 1], [1, 2], [2, 0], [4, 5], [5, 4])), (whole(0, 0, 0, 3, 4, 4), whole(5, 4), 2)),
        Case(CHAIN, (7, whole([5, 6], [4, 5], [1, 2], [3, 4], [2, 3])), (whole(0, 1, 1, 1, 1, 1, 1), whole(6, 5), 0)),
        Case(
            ALL_PAIRS,
            (5, whole([1, 0], [2, 0], [3, 0], [4, 0], [2, 1], [3, 1], [4, 1], [3, 2], [4, 2], [4, 3])),
            (whole(0, 0, 0, 0, 0), whole(5, 10), 6),
        ),
        Case(COUPLES, (8, whole([6, 3], [0, 5], [7, 1], [4, 2])), (whole(0, 1, 2, 3, 2, 0, 3, 1), whole(8, 4), 0)),
        Case(
            AGAIN,
            (12, whole([9, 4], [4, 9], [9, 7], [2, 11], [11, 5], [2, 11], [7, 4], [5, 10], [10, 2], [11, 2], [8, 6])),
            (whole(0, 1, 2, 3, 4, 2, 6, 4, 6, 4, 2, 2), whole(9, 8), 5),
        ),
    ),
    draw=draw_groups,
    laws=(
        Law(
            "Put the questions in another order: the groups stay.",
            "When two groups meet, who learns of it? Each item of both of them must.",
            lambda n, pairs: (n, pairs[TURN].copy()),
            lambda one, other: near(other[0], one[0]),
        ),
        Law(
            "No group has a higher number than one of its items, and the item of this number has it, too.",
            "By which of its items is a group called, and does each of them learn the name?",
            holds=lambda one, other: (one[0] <= np.arange(len(one[0]))).all() and near(one[0][one[0]], one[0]),
        ),
        Law(
            "Put the questions in another order: sizes and circles stay.",
            "What does the last question change, and what the first?",
            lambda n, pairs: (n, pairs[TURN].copy()),
            lambda one, other: near(other[1:], one[1:]),
        ),
        Law(
            "Turn each question round: all stays.",
            "Where does your function treat the two items of a question differently?",
            lambda n, pairs: (n, pairs[:, TURN].copy()),
        ),
        Law(
            "One more item that nobody asks about is a group of its own; sizes and circles stay.",
            "Which of your numbers count all items, and which only those that occur?",
            lambda n, pairs: (n + 1, pairs),
            lambda one, other: near(other, (np.append(one[0], len(one[0])), *one[1:])),
        ),
        Law(
            "Put the last question once more: groups and sizes stay, and there is one more circle.",
            "Which of your numbers count a question that is put again, and how does each of them come about?",
            lambda n, pairs: (n, np.vstack([pairs, pairs[-1:]])),
            lambda one, other: near(other, (*one[:2], one[2] + 1)),
        ),
    ),
    mistakes=(
        Mistake(
            "as if chains broke off",
            "Through how many others may two items hang together? Through any number. When two groups meet, all their "
            "items must learn of it, not only two.",
            wrong_functions=("one pass", "one item relabelled", "direct comparisons only"),
        ),
        Mistake(
            "as if a question could be gone through in one direction only",
            "Does (a, b) connect b with a? The difference is known in both directions.",
            wrong_functions=("directed",),
        ),
        Mistake(
            "other names for the groups",
            "By what name is a group called? By the smallest number of its items.",
            wrong_functions=("numbered", "largest", "size of the group"),
        ),
        Mistake(
            "as if the items that were never asked were something else",
            "An item that nobody was asked about hangs together with nobody: it is a group of its own, keeps its "
            "number, and is one of the n items, also where circles are counted. Which of your answers leaves it out?",
            wrong_functions=("unasked together", "unasked as −1", "asked only", "asked items only"),
        ),
        Mistake(
            "other sizes",
            "How many unknown values, how many different differences? The first counts items that occur in pairs, "
            "each once; the second pairs, each once.",
            wrong_functions=("all items", "all answers", "items counted twice", "possible pairs"),
        ),
        Mistake(
            "as if a turned question were another one",
            "Are (a, b) and (b, a) two differences? They are one, with two signs.",
            wrong_functions=("ordered pairs",),
        ),
        Mistake(*ORDER, wrong_functions=("sizes swapped",)),
        Mistake(
            "circles as if for another number of groups",
            "If there are several groups, how many answers are needed without a circle? One less than items, in each "
            "of the groups.",
            wrong_functions=("as if connected", "minus items", "groups with the wrong sign"),
        ),
        Mistake(
            "as if a question that is put again could not contradict",
            "If a question is put again, can the answers contradict each other? Then it closes a circle, of two.",
            wrong_functions=("repetitions left out", "repetitions alone"),
        ),
        Mistake(
            "what holds the groups together, or the groups themselves",
            "How many answers are needed, or how many are left over? The left over ones close circles.",
            wrong_functions=("rank", "number of groups"),
        ),
        Mistake(
            "a number of circles that counts something else",
            "How many answers does it take to hang n items together? Each further one closes a circle, one by itself.",
            wrong_functions=("negative", "triples"),
        ),
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

SIGN = ("a where b should be", "Which of the two is preferred, if f_b − f_a is positive? It is b.")
CURVE = ("another curve", "Which curve does the task name? Φ, scipy.special.ndtr.")

LINE, KNOWN, LARGE = ("neighbours far from the pseudo-inputs", "pairs of pseudo-inputs", "large values")


def draw_pseudo(rng, k):
    """Pseudo-inputs in any order, up to all items; questions about them and about others."""
    n = 3 + k % 3
    M = (2, n - 1, 1, n)[k % 4]
    pairs = asked(rng, n, 1 + k // 2 % 3)
    return positive(rng, n) / n, rng.permutation(n)[:M], 2 * rng.normal(size=M), pairs, float(rng.uniform(0.8, 2.5))


def by_way_of(K, Z, u, pairs, noise_std):
    """Three questions about two items and a pseudo-input z: (a, z), (z, b), (a, b); None without two such items."""
    others = np.setdiff1d(np.arange(len(K)), Z[:1])
    a, b = others[-1], others[0]
    return K, Z, u, whole([a, Z[0]], [Z[0], b], [a, b]), noise_std


pseudo = Task(
    name="pseudo",
    function="pseudo_choices",
    arguments=("K", "Z", "u", "pairs", "noise_std"),
    title="Task 3 · A difference through a few values",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(HAND, (array([4, 2, 1], [2, 4, 3], [1, 3, 6.75]), whole(0), array(2), whole([1, 2]), 1.5)),
        Case(
            LINE,
            (
                smooth((0, 0.3, 1.4, 1.6, 2.9, 3.1), 2.6, 0.7),
                whole(4, 0),
                array(1.3, -2.1),
                whole([2, 3], [3, 1], [0, 5], [2, 5]),
                0.4,
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
        ),
    ),
    draw=draw_pseudo,
    tolerance=1e-8,
    laws=(
        Law(
            "List the pseudo-inputs in another order, and u in the same one: nothing changes.",
            "Which number of u belongs to which item of Z?",
            lambda K, Z, u, pairs, noise_std: (K, Z[TURN].copy(), u[TURN].copy(), pairs, noise_std),
        ),
        Law(
            "√v is a distance: from a to b it is no longer than by way of a pseudo-input.",
            "What is open of f_b − f_a if a is a pseudo-input and b is not: Σ_aa, Σ_bb and Σ_ab?",
            by_way_of,
            lambda one, other: np.sqrt(np.maximum(other[1], 0)) @ array(1, 1, -1) > -1e-4,
        ),
        Law(
            "Two pseudo-inputs have the same value u: the mean of their difference is 0, nothing of it is open, and "
            "b is as probable as a.",
            "What are μ and Σ at these two, where K_XZ is K_ZZ? What is left of the difference, and what is p?",
            lambda K, Z, u, pairs, noise_std: (
                (K, Z, np.ones(len(Z)), Z[[0, -1]][None], noise_std) if len(Z) > 1 else None
            ),
            lambda one, other: near(other, (array(0), array(0), array(0.5))),
        ),
        Law(
            "Two pseudo-inputs have the values 0 and 1, and σ is √½: p is Φ(1) = 0.841.",
            "Nothing is open here: which variance has the noise of a choice, and what is its root?",
            lambda K, Z, u, pairs, noise_std: (
                (K, Z, np.append(np.zeros(len(Z) - 1), 1.0), Z[[0, -1]][None], np.sqrt(0.5)) if len(Z) > 1 else None
            ),
            lambda one, other: near(other[2], array(0.841345)),
        ),
        Law(
            "Multiply K by 4: the means stay, what is open is multiplied by 4, and p comes closer to ½.",
            "How does K enter the mean, and how does what is open enter the choice?",
            lambda K, *others: (4 * K, *others),
            lambda one, other: (
                near(other[:2], (one[0], 4 * one[1])) and (np.abs(other[2] - 0.5) < np.abs(one[2] - 0.5) + 1e-9).all()
            ),
        ),
        Law(
            "Double u: the means double, and what is open stays.",
            "Where does u enter, and where not?",
            lambda K, Z, u, pairs, noise_std: (K, Z, 2 * u, pairs, noise_std),
            lambda one, other: near(other[:2], (2 * one[0], one[1])),
        ),
        Law(
            "Turn each question round: the means change their signs, what is open stays, and p becomes 1 − p.",
            "What is not the same for a and b?",
            lambda K, Z, u, pairs, noise_std: (K, Z, u, pairs[:, TURN].copy(), noise_std),
            lambda one, other: near(other, (-one[0], one[1], 1 - one[2])),
        ),
        Law(
            "In another unit, with u and σ doubled and K multiplied by 4, the means double, what is open is "
            "multiplied by 4, and p stays.",
            "Which of your terms are variances, and which are standard deviations?",
            lambda K, Z, u, pairs, noise_std: (4 * K, Z, 2 * u, pairs, 2 * noise_std),
            lambda one, other: near(other, (2 * one[0], 4 * one[1], one[2])),
        ),
        Law(
            "Two unrelated items with the variance 2; item 0 is a pseudo-input with u = 3, and σ = √3.5: for (1, 0) "
            "the mean is 3, what is open is 2, and p = Φ(3/√9) = 0.841.",
            "The noise of a choice has the variance 7 here: how does it come together with what is open?",
            example=(2 * np.eye(2), whole(0), array(3), whole([1, 0]), np.sqrt(3.5)),
            holds=lambda one, other: near(other, (array(3), array(2), array(0.841345))),
        ),
    ),
    mistakes=(
        Mistake(
            "as if the covariance counted otherwise",
            "The variance of a difference: var f_a + var f_b − 2 cov(f_a, f_b). Would two neighbours, open as one, be "
            "easy to compare? (The thesis prints another sign. Whose side does the by-hand case take?)",
            wrong_functions=("printed plus", "covariance once", "variances subtracted"),
        ),
        Mistake(
            "as if each value were left open by itself",
            "Are f_a and f_b left open independently? Neighbours go up and down together, and a difference does not "
            "see that. Which entries of Σ does it need?",
            wrong_functions=("FITC", "only b", "only the covariance"),
        ),
        Mistake(
            "with another noise",
            "How many noisy judgements make a choice? Two, with σ each: 2σ² in the denominator's square.",
            wrong_functions=("one noise", "2σ for 2σ²", "4σ²", "unit noise"),
        ),
        Mistake(
            "as if a choice had no noise",
            "A difference of values, or a choice? People err even if both values are known.",
            wrong_functions=("no noise",),
        ),
        Mistake(
            "as if u told everything, or nothing",
            "What do the pseudo-inputs leave open? Σ = K − K_XZ K_ZZ⁻¹ K_ZX, and the choice has to know of it.",
            wrong_functions=("no residual variance", "prior variance"),
        ),
        Mistake(
            "the residual variance and the noise in one",
            "With the noise, or without? The second result is what is open of f_b − f_a; the noise comes in for the "
            "choice.",
            wrong_functions=("noise in the variance",),
        ),
        Mistake(
            "the part of the variance that is not open",
            "What u explains, or what it leaves? Does a pseudo-input that is near make the rest larger, or smaller?",
            wrong_functions=("explained variance", "printed with a plus"),
        ),
        Mistake(
            "as if K_ZZ⁻¹ were missing, or stood elsewhere",
            "How sure is K_XZ u of itself? Test it at a pseudo-input: f must be u there, and nothing open. "
            "np.linalg.solve(K_ZZ, …).",
            wrong_functions=(
                "K_ZZ forgotten in the mean",
                "K_ZZ forgotten in the variance",
                "K_ZZ forgotten",
                "K_ZZ for its inverse",
                "solved twice",
            ),
        ),
        Mistake(
            "as if each pseudo-input were alone",
            "Do two pseudo-inputs tell different things? Neighbours tell the same twice: K_ZZ is needed whole.",
            wrong_functions=("diagonal of K_ZZ",),
        ),
        Mistake(
            "as if values were known only where pseudo-inputs are",
            "How much of u reaches an item that is no pseudo-input? K_XZ K_ZZ⁻¹ u.",
            wrong_functions=("u where it is",),
        ),
        Mistake(*SIGN, wrong_functions=("a minus b", "probability of a")),
        Mistake(
            "with another denominator",
            "What unit has the denominator? Variances add; then the root is taken, once.",
            wrong_functions=("no root", "sum of roots", "v as a standard deviation"),
        ),
        Mistake(*CURVE, wrong_functions=("logistic", "density")),
        Mistake(
            "standard deviations",
            "A variance, or a standard deviation? A variance is asked for here.",
            wrong_functions=("standard deviations",),
        ),
        Mistake(
            "what other pseudo-inputs would give",
            "Which items are the pseudo-inputs? Those with the numbers in Z; u stands in the order of Z.",
            wrong_functions=("first items",),
        ),
        Mistake(
            "as if u itself were noisy",
            "Is u an answer, or a value? It is f at the pseudo-inputs, exactly; noise comes with the choice.",
            wrong_functions=("u as answers",),
        ),
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

AGAIN = (
    "the same item again",
    "What does the same item tell a second time? Nothing: R_ii is 0 then, and 0/0 must not win.",
)
ORDER = (
    "the right items in another order",
    "In which order are they asked for? In the order in which they were chosen. Does that look like it?",
)
ZERO = ("the numbers of other items", "The first item has the number 0. What did you call it?")

LINE, BETWEEN, LEVELS = ("seven items on a line", "an item that nobody was asked about", "different variances")


def draw_choose(rng, k):
    """Questions of which some are put again; now and then an item that nobody was asked about explains most."""
    n, m = 3 + k % 4, 2 + k // 2 % 4
    F = rng.normal(size=(n, n)) * rng.uniform(0.4, 2, (n, 1))
    pairs = asked(rng, n - (k % 2), m)
    if k % 3 == 1:
        F[-1] = F[pairs[:, 1]].sum(axis=0) - F[pairs[:, 0]].sum(axis=0)
    again = np.repeat(pairs[:1, TURN], k % 4, axis=0)
    return F @ F.T + np.diag(rng.uniform(0.1, 0.4, n)), np.vstack([pairs, again]), 1 + k // 3 % 3


BETWEEN_TWO = array([2, 0, 1], [0, 2, -1], [1, -1, 1.5]), whole([0, 1]), 1
UNRELATED = np.diag(array(1.1, 1, 1.5, 1.4)), whole([0, 1], [1, 0], [2, 3], [0, 1]), 1

choose = Task(
    name="choose",
    function="choose_items",
    arguments=("K", "pairs", "M"),
    title="Task 4 · Where pseudo-inputs go",
    stars=3,
    minutes=35,
    points=6,
    cases=(
        Case(HAND, (np.diag(array(1, 2, 3)), whole([0, 1], [1, 2], [1, 0]), 2), (whole(1, 2), array(11, 5, 2))),
        Case(
            LINE,
            (
                smooth((0, 0.3, 0.9, 1.2, 2.0, 2.2, 3.1), 1.9, 0.6),
                whole([0, 2], [1, 2], [1, 3], [0, 1], [4, 6], [2, 5]),
                4,
            ),
        ),
        Case(
            BETWEEN,
            (
                np.diag(array(0.4, 0.5, 0.6, 0.05, 0.45, 0.55, 0.3))
                + 1.3 * np.outer(*[(1, 0.9, 1.1, 1, 0.95, 1.05, 0.1)] * 2),
                whole([0, 6], [6, 1], [6, 2], [4, 6], [5, 6]),
                3,
            ),
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
        ),
    ),
    draw=draw_choose,
    tolerance=1e-8,
    laws=(
        Law(
            "Of four unrelated items with the variances 1.1, 1, 1.5 and 1.4, asked (0, 1) three times and (2, 3) "
            "once, item 0 is chosen first.",
            "The items explain 3.3, 3, 1.5 and 1.4 of these four differences together. What do you get for each?",
            lambda K, pairs, M: UNRELATED,
            lambda one, other: near(other[0][:1], whole(0)),
        ),
        Law(
            "Add 5 to all entries of K: what is open of the differences at the start stays.",
            "Which terms has the variance of a difference, and over what is added?",
            lambda K, pairs, M: (K + 5, pairs, M),
            lambda one, other: near(other[1][0], one[1][0]),
        ),
        Law(
            "K = (2, 0, 1; 0, 2, −1; 1, −1, 1.5), asked (0, 1), M = 1: item 2 is chosen, and of 4 it leaves 4/3 open.",
            "R becomes (4/3, 2/3; 2/3, 4/3) for the items 0 and 1. What is yours, and what is left of the difference?",
            lambda K, pairs, M: BETWEEN_TWO,
            lambda one, other: near(other, (whole(2), array(4, 4 / 3))),
        ),
        Law(
            "Turn each question round: nothing changes.",
            "What is not the same for a and b?",
            lambda K, pairs, M: (K, pairs[:, TURN].copy(), M),
        ),
        Law(
            "With M less by one the same items are chosen, without the last.",
            "What does your first choice know of how many are to come?",
            lambda K, pairs, M: (K, pairs, M - 1) if M > 1 else None,
            lambda one, other: near(other, (one[0][:-1], one[1][:-1])),
        ),
        Law(
            "Double K: the same items are chosen, and all sums double.",
            "In which unit is what an item explains: that of K, or another one?",
            lambda K, pairs, M: (2 * K, pairs, M),
            lambda one, other: near(other, (one[0], 2 * one[1])),
        ),
        Law(
            "Ask all questions twice: the same items are chosen, and all sums double.",
            "Over what do you add, and where does the square stand?",
            lambda K, pairs, M: (K, np.vstack([pairs, pairs]), M),
            lambda one, other: near(other, (one[0], 2 * one[1])),
        ),
        Law(
            "Number the items from the other end: the same items are chosen under their new numbers.",
            "Where does the number of an item matter, and not only its covariances?",
            lambda K, pairs, M: (K[TURN, TURN].copy(), len(K) - 1 - pairs, M),
            lambda one, other: near(other[1], one[1]) and near(np.diff(other[0]), -np.diff(one[0])),
        ),
    ),
    mistakes=(
        Mistake(
            "as if values were asked for",
            "Who asks about values? A part that a whole group of items shares is in no difference. How much of each "
            "asked *difference* does the item explain?",
            wrong_functions=("largest value variance", "all values", "asked values, each by itself"),
        ),
        Mistake(
            "the items that were asked most",
            "Is the item with most questions the one that explains most? A neighbour may explain it as well, and "
            "others too.",
            wrong_functions=("most asked",),
        ),
        Mistake(
            "as if gains of single questions were joined otherwise",
            "Write down what u_i explains of one difference: its covariance with f_i, squared, over the variance of "
            "f_i. Then add over the questions. Where does the square stand, and which sign has f_a?",
            wrong_functions=("sums", "squared after adding", "not squared", "largest single gain"),
        ),
        Mistake(
            "as if larger values explained more, or less",
            "Does it help that f_i is large? Measure f_i in another unit: nothing may change. By what must the "
            "squares be divided?",
            wrong_functions=("not divided", "divided by the root", "divided twice"),
        ),
        Mistake(
            "as if the choices did not know of each other",
            "What is still open after the first choice? R changes everywhere, not only at the item: R − R_:i R_i: / "
            "R_ii.",
            wrong_functions=("no update", "diagonal update", "update not divided", "only the chosen one is known"),
        ),
        Mistake(
            "the item that helps least",
            "Most, or least? The sum that is left open should become as small as possible.",
            wrong_functions=("smallest",),
        ),
        Mistake(
            "as if a question that was put again counted once",
            "How often is each question counted? As often as it was asked.",
            wrong_functions=("distinct questions",),
        ),
        Mistake(
            "as if only items that were asked could be chosen",
            "Must a pseudo-input be an item that was asked? A neighbour of many may explain most.",
            wrong_functions=("asked items only",),
        ),
        Mistake(*AGAIN, wrong_functions=("again and again",)),
        Mistake(
            "other sums",
            "What is told after each choice? The sum over all questions of what is open of the difference: at the "
            "start and after each choice, not what was gained.",
            wrong_functions=("gains", "values that are open", "mean"),
        ),
        Mistake(
            "the sum of what is open of the values",
            "What is open of a difference? R_aa + R_bb − 2 R_ab, and the last part matters, doesn't it?",
            wrong_functions=("asked values that are open",),
        ),
        Mistake(*ORDER, wrong_functions=("sorted", "backwards")),
        Mistake(*ZERO, wrong_functions=("counted from one",)),
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
    "K⁽ᵘ⁾, with the noises in the same order. (With K⁽ᵘ⁾ ⊗ C go user by user, Y.T.ravel().)",
)
UNIT = ("with another power of σ", "What unit has C ⊗ K⁽ᵘ⁾? A variance is to be added.")
DET = (
    "as if the determinant itself had been stored",
    "What does the computer store for a determinant of 480 small numbers? Add logarithms of eigenvalues, or use "
    "slogdet.",
)
SIGN = (
    "the right number with the wrong sign",
    "Does a table become more probable when it lies further from 0? This one says so.",
)

THREE_TWO, SQUARE, SINGULAR, LONG = (
    "three questions, two people",
    "three questions, three people",
    "a circle of questions",
    "many small numbers",
)


def draw_table(rng, k):
    """One question or several, one person or several; C is often singular, and sometimes 0."""
    m, P = 1 + k // 2 % 4, 1 + k % 3
    F = rng.normal(size=(m, (m, 1, m + 1, 2, 0)[k % 5]))
    people = positive(rng, P) + 0.1 * np.eye(P)
    return F @ F.T, people, rng.uniform(0.3, 2, P), 2 * rng.normal(size=(m, P))


def stranger(C, people, noise_std, Y):
    """One more person, who has nothing in common with the others and answers 0; the density of each answer is 1."""
    more = np.zeros((len(people) + 1, len(people) + 1))
    more[:-1, :-1] = people
    return C, more, np.append(noise_std, 1 / np.sqrt(2 * np.pi)), np.column_stack([Y, np.zeros(len(Y))])


NOISE = np.zeros((3, 3)), array([2, 0.5], [0.5, 1]), array(1, 2), array([1, 2], [0, -2], [1, 4])

table = Task(
    name="table",
    function="table_log_evidence",
    arguments=("C", "people", "noise_std", "Y"),
    title="Task 5 · A table without gaps",
    stars=2,
    minutes=30,
    points=6,
    cases=(
        Case(HAND, (array([4]), array([2, 1], [1, 3]), array(1, 2), array([4, 8]))),
        Case(
            THREE_TWO,
            (
                array([2.4, 0.7, 0.3], [0.7, 1.1, 0.6], [0.3, 0.6, 3.2]),
                array([1.3, -0.5], [-0.5, 0.6]),
                array(0.4, 1.5),
                array([0.8, -1.9], [2.2, 0.6], [-0.7, 1.4]),
            ),
        ),
        Case(
            SQUARE,
            (
                smooth((0, 0.5, 1.6), 1.6, 0.8),
                alike(0.4, (0.9, 0.2, 1.7)),
                array(0.3, 0.8, 1.9),
                array([0.5, -0.2, 1.1], [1.3, 0.9, -2.4], [-0.6, 0.1, 2.8]),
            ),
        ),
        Case(
            SINGULAR,
            (
                array([2, -1, -1], [-1, 2, -1], [-1, -1, 2]),
                alike(0.7, (0.5, 0.1, 0.3, 1.2)),
                array(0.2, 0.6, 0.5, 1.4),
                array([1.1, 0.8, 1.9, -0.7], [-0.4, 0.3, -1.1, 1.6], [-0.9, -1.2, -0.5, -1.3]),
            ),
        ),
        Case(
            LONG,
            (
                smooth(np.arange(40), 0.0004, 2.5),
                alike(0.3, np.linspace(0.2, 1, 12)),
                np.linspace(0.01, 0.03, 12),
                0.02 * np.sin(np.outer(np.arange(40), np.linspace(0.3, 0.9, 12))),
            ),
        ),
    ),
    draw=draw_table,
    tolerance=1e-8,
    laws=(
        Law(
            "One question and one person, C = 3, K⁽ᵘ⁾ = 4, σ = 2 and Y = 8: log N(8 | 0, 16) = −4.305.",
            "Which variance has this number, and what do log 16, 8²/16 and log 2π become in your function?",
            example=(array([3]), array([4]), array(2), array([8])),
            holds=lambda one, other: near(other, -4.305233),
        ),
        Law(
            "Name the people in another order (K⁽ᵘ⁾, σ, and the columns of Y): nothing changes.",
            "Where do K⁽ᵘ⁾_pp, σ_p and the answers of person p meet? Do all three stand in one order, input-major?",
            lambda C, people, noise_std, Y: (C, people[TURN, TURN], noise_std[TURN], Y[:, TURN].copy()),
        ),
        Law(
            "Put the questions in another order (C, and the rows of Y): nothing changes.",
            "Where do row k of C and row k of Y meet?",
            lambda C, people, noise_std, Y: (C[TURN, TURN], people, noise_std, Y[TURN].copy()),
        ),
        Law(
            "If C is 0, only the noise is left: for σ = (1, 2) and the rows (1, 2), (0, −2), (1, 4) the answer is "
            "Σ log N(y | 0, σ_p²) = −11.593.",
            "How many numbers does the table have, and which variance is left of each? An eigenvalue c_k = 0 leaves "
            "the noise.",
            lambda C, people, noise_std, Y: NOISE,
            lambda one, other: near(other, -11.593074),
        ),
        Law(
            "One more person, who shares nothing with the others and answers each question by 0 with the noise "
            "σ = 1/√(2π): each density is 1, and nothing changes.",
            "What does this column add to each part of your sum: to the logarithms of variances, of σ and of 2π?",
            stranger,
        ),
        Law(
            "Multiply C by 4 and divide K⁽ᵘ⁾ by 4: nothing changes.",
            "Where do C and K⁽ᵘ⁾ enter, other than by their product?",
            lambda C, people, noise_std, Y: (4 * C, people / 4, noise_std, Y),
        ),
    ),
    mistakes=(
        Mistake(
            *ORDER,
            wrong_functions=(
                "user-major covariance",
                "user-major answers",
                "noise in the other order",
                "user-major but the noise",
            ),
        ),
        Mistake(
            "as if the noise of one person were the same in all his answers",
            "Does Anna's noise know of the other questions? Each answer has its own: a diagonal, outside of the "
            "product.",
            wrong_functions=("noise within B", "noise in all entries of a person"),
        ),
        Mistake(
            "with the noise of somebody else",
            "Whose noise is it? Column p of Y has the noise noise_std[p], and no other.",
            wrong_functions=("mean noise", "mean variance", "first noise", "unit noise"),
        ),
        Mistake(*UNIT, wrong_functions=("σ for σ²", "precisions")),
        Mistake(
            "as if there were no noise",
            "What does a table of pure noise say? Try C = 0: Σ log N(y | 0, σ_p²) must come out.",
            wrong_functions=("no noise",),
        ),
        Mistake(
            "as if dividing by σ were for nothing",
            "What happens to a density when its variable is divided by σ? It is multiplied by σ. How many numbers "
            "were divided by each σ_p?",
            wrong_functions=("Jacobian forgotten", "Jacobian once", "Jacobian halved", "Jacobian with the other sign"),
        ),
        Mistake(
            "with another number of log 2π",
            "How many numbers stand in the table? Each has its log 2π, with −½.",
            wrong_functions=("2π forgotten", "2π once for a row", "2π once for a column", "2π added"),
        ),
        Mistake(
            "as if the ½ were elsewhere",
            "Where does the ½ belong? Before the squares, and before the log determinant, and before log 2π.",
            wrong_functions=("½ forgotten", "½ of the fit only"),
        ),
        Mistake(*DET, wrong_functions=("determinant",)),
        Mistake(*DET, when=lambda case, got: case.name == LONG),
        Mistake(
            "as if the determinant were missing, or had another sign",
            "Which part punishes a flexible model? −½ log det.",
            wrong_functions=("no determinant", "determinant with a plus"),
        ),
        Mistake(*SIGN, wrong_functions=("negative",)),
        Mistake("a density", "Is it asked for a density, or its logarithm?", wrong_functions=("density",)),
        Mistake(
            "as if the table were not turned, or the other way round",
            "Whose eigenvectors turn the rows, and whose the columns? Uᵀ Y V: the coordinates of Y's columns in C's "
            "eigenvectors, those of its rows in K⁽ᵘ⁾'s.",
            wrong_functions=("eigenvectors turned", "answers not turned", "only the questions turned"),
        ),
        Mistake(
            "as if only a part had been divided by the noises",
            "Both sides of K⁽ᵘ⁾, and Y: have all been divided by σ? K⁽ᵘ⁾_pq by σ_p σ_q, Y_kp by σ_p.",
            wrong_functions=("B divided once", "B not divided", "Y not divided"),
        ),
        Mistake(
            "as if the eigenvalues were joined otherwise",
            "What are the eigenvalues of C ⊗ K⁽ᵘ⁾? All products, not sums.",
            wrong_functions=("eigenvalues added",),
        ),
        Mistake(
            "as if answers did not tell of each other",
            "Do answers tell of each other? All of C and all of K⁽ᵘ⁾ belong to the covariance, not their diagonals.",
            wrong_functions=("people for themselves", "questions for themselves"),
        ),
    ),
    hints=(
        "First make the noises equal: divide column p of Y by σ_p, and K⁽ᵘ⁾_pq by σ_p σ_q. Now the noise is I. What "
        "does that do to the density?",
        "Turn the table: eigenvectors U of C, V of the divided K⁽ᵘ⁾, T = Uᵀ Y V. Its numbers are independent, and "
        "T_kj has the variance c_k b_j + 1.",
        "Sum −½ (T²/D + log D + log 2π) with D = np.outer(c, b) + 1, and subtract m Σ log σ_p for the division.",
    ),
)

# ---------------------------------------------------------------------------------------------------------- 6 likeness

TAIL = (
    "as if a very improbable answer were impossible",
    "What does the computer store for Φ(−40)? 0, whose logarithm is not −804.6. scipy.special.log_ndtr knows it.",
)
CURVE = ("another curve", "Which curve does the task name? Φ, as everywhere here.")

THREE, NONE, MANY_ANSWERS, STUBBORN = (
    "three answers",
    "no answer yet",
    "1800 answers",
    "an answer that contradicts all",
)


def draw_likeness(rng, k):
    """No answers, some, or many; tastes so different that an answer contradicts everybody; one known person."""
    J, n, q = 1 + (k + 1) % 4, 2 + k % 3, 1 + k % 2
    m, scale = ((3, 1), (0, 1), (1200, 0.4), (3, 25), (1 + k % 6, 1))[k % 5]
    prior, noise = rng.uniform(0.2, 1, J), float(rng.uniform(0.4, 2))
    tastes, y = scale * rng.normal(size=(J, n)), rng.choice([-1, 1], m)
    return tastes, prior / prior.sum(), asked(rng, n, m), y, noise, asked(rng, n, q)


def doubled(tastes, prior, *others):
    """The first person is listed twice, each time with half the prior."""
    halved = np.append(prior, prior[0] / 2)
    halved[0] /= 2
    return np.vstack([tastes, tastes[:1]]), halved, *others


TWO_TASTES = array([0, 2], [0, -2]), array(0.5, 0.5), whole([0, 1]), whole(1), np.sqrt(2), whole([0, 1])

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
        ),
        Case(
            STUBBORN,
            (
                array([0, 31, 3], [0, 30.8, -4], [0, 45, 9]),
                array(0.5, 0.3, 0.2),
                whole([0, 1], [2, 0]),
                whole(-1, -1),
                0.5,
                whole([0, 2], [2, 0]),
            ),
        ),
    ),
    draw=draw_likeness,
    tolerance=1e-7,
    laws=(
        Law(
            "The posterior adds up to 1.",
            "What is it divided by?",
            holds=lambda one, other: near(one[0].sum(), 1.0),
        ),
        Law(
            "One answer, b, and two people, equally probable before, who like b more by 2 and by −2, with σ = √2: the "
            "posterior is Φ(1) and Φ(−1), 0.841 and 0.159, and b is chosen again with the probability 0.733.",
            "How probable is this answer for each of the two, and the next one?",
            example=TWO_TASTES,
            holds=lambda one, other: near(other, (array(0.841345, 0.158655), array(0.733032))),
        ),
        Law(
            "Turn each question round, and each choice: nothing changes.",
            "Which number stands for one answer of one person? y (f_j(b) − f_j(a)) is the same both ways.",
            lambda tastes, prior, pairs, y, *others: (tastes, prior, pairs[:, TURN].copy(), -y, *others),
        ),
        Law(
            "List one person twice, each time with half the prior: their posteriors add up to the former one, and the "
            "probabilities stay.",
            "How does a person's prior enter his weight, and by what are all weights divided?",
            doubled,
            lambda one, other: (
                near(np.append(other[0][0] + other[0][-1], other[0][1:-1]), one[0]) and near(other[1], one[1])
            ),
        ),
        Law(
            "Turn the new questions round: p becomes 1 − p, and the posterior stays.",
            "What is not the same for the two items of a new question?",
            lambda tastes, prior, pairs, y, noise_std, new: (tastes, prior, pairs, y, noise_std, new[:, TURN].copy()),
            lambda one, other: near(other, (one[0], 1 - one[1])),
        ),
        Law(
            "Put the answers in another order: nothing changes.",
            "What does your function do with one answer, and not with the others?",
            lambda tastes, prior, pairs, y, *others: (tastes, prior, pairs[TURN].copy(), y[TURN].copy(), *others),
        ),
        Law(
            "Multiply tastes and σ by 2: nothing changes.",
            "Which of your numbers has a unit?",
            lambda tastes, prior, pairs, y, noise_std, new: (2 * tastes, prior, pairs, y, 2 * noise_std, new),
        ),
        Law(
            "Add 3 to all tastes of the first person: nothing changes.",
            "Does your function see more of a person than differences?",
            lambda tastes, *others: (np.vstack([tastes[:1] + 3, tastes[1:]]), *others),
        ),
    ),
    mistakes=(
        Mistake(
            "with another noise",
            "How many noisy judgements make a choice? Two, with σ each: √2 σ, for the answers as for the prediction.",
            wrong_functions=(
                "no √2",
                "no √2 in the prediction",
                "2σ",
                "√(2σ)",
                "variance",
                "no noise",
                "noise in the answers only",
            ),
        ),
        Mistake(*TAIL, correct_cases=(MANY_ANSWERS,), when=lambda case, got: case.name == STUBBORN and has_nan(got)),
        Mistake(
            "as if probabilities had been multiplied until nothing was left",
            "What is 0.6 to the power of 1800, for a computer? Add logarithms, and subtract the largest before you "
            "take exp: that changes all by the same factor.",
            when=lambda case, got: case.name in (MANY_ANSWERS, STUBBORN) and has_nan(got),
        ),
        Mistake(*TAIL, wrong_functions=("clipped",)),
        Mistake(
            "as if the weights were no probabilities",
            "What must the J probabilities add up to? To 1: divide by their sum.",
            wrong_functions=("not normalised", "divided by the largest"),
        ),
        Mistake(
            "logarithms",
            "A probability, or its logarithm? The weights must be positive and add up to 1.",
            wrong_functions=("logs divided", "logs told"),
        ),
        Mistake(
            "as if nothing, or something else, had been known before",
            "What did you know before the first answer? The prior: it is multiplied once, so its logarithm is added "
            "once.",
            wrong_functions=("prior forgotten", "prior added"),
        ),
        Mistake(
            "as if every answer brought its own prior",
            "How often does the prior count? Once, not once for each answer.",
            wrong_functions=("prior each time",),
        ),
        Mistake(
            "as if one could average tastes",
            "An average of differences, or of probabilities? The stranger is *one* of these people, and we do not "
            "know which. What would each of them choose?",
            wrong_functions=("differences averaged", "differences averaged, and their scatter"),
        ),
        Mistake(
            "as if people had no noise",
            "Would somebody who likes b more always choose it? Each says b with probability Φ(…), not 0 or 1.",
            wrong_functions=("votes",),
        ),
        Mistake(
            "as if only the most probable person counted",
            "Are you sure that it is the best one? Then the posterior would be 1. All of them speak, each with his "
            "weight.",
            wrong_functions=("best only",),
        ),
        Mistake(
            "as if the answers had not been heard",
            "What have the answers taught you? The weights of the prediction are the posterior, not the prior.",
            wrong_functions=("prior predicts", "everybody alike", "answers not used"),
        ),
        Mistake(
            "as if it did not matter what was answered",
            "What does y = −1 say? That a was chosen: p = Φ(−g/(√2 σ)). So y stands beside g, inside.",
            wrong_functions=("y forgotten", "only +1", "y as 0 and 1", "y outside"),
        ),
        Mistake(
            "what the other order of the items would give",
            "Which of the two is preferred, if g = f_b − f_a is positive? It is b, the second of the pair.",
            wrong_functions=("old pairs swapped", "new pairs swapped", "all pairs swapped"),
        ),
        Mistake(
            "as if the answers had been joined otherwise",
            "Answers of one listener: and, or or? He said this *and* this. Which number do you get from three "
            "probabilities then, and from their logarithms?",
            wrong_functions=("mean of the logs", "probabilities added", "each answer alone", "sum of the differences"),
        ),
        Mistake(
            "as if each answer were simply right or wrong",
            "Right or wrong, or how probable? That somebody with a clear preference answers otherwise says more than "
            "a slip between two equals.",
            wrong_functions=("hits counted",),
        ),
        Mistake(*CURVE, wrong_functions=("logistic",)),
    ),
    hints=(
        "g = tastes[:, b] − tastes[:, a] with a, b = pairs.T is a table (J, m). What is the log probability of all "
        "answers for each person: along which axis do you add?",
        "logs = log prior + Σ_k log_ndtr(y_k g_jk / (√2 σ)); weights np.exp(logs − logs.max()), divided by their sum.",
        "The prediction: weights @ ndtr(h / (√2 σ)) with h the differences of the new pairs, (J, q).",
    ),
)

homework = Homework(covariance, groups, pseudo, choose, table, likeness, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
