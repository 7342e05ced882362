"""The checks of homework 10: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np

from course_checks import Case, Homework, Law, Mistake, Task, array, near, times, whole

HAND = "by hand"


def draw_pairs(rng, n, m):
    """m pairs of different items, some of them several times and in either order."""
    a = rng.integers(n, size=m)
    return np.column_stack([a, (a + rng.integers(1, n, size=m)) % n])


def turned(pairs):
    """The pairs with their items in the other order."""
    return pairs[:, ::-1].copy()


# ------------------------------------------------------------------------------------------------ 1 preference

TOGETHER_UP = "values that err together"
KNOWN = "values that are known"
FOR_A = "a is ahead"


def draw_preference(rng, k):
    """Values that err together or apart; of every fifth pair one of them is known."""
    factor = rng.normal(size=(2, 2)) * [[1.0], [float(k % 5 > 0)]]
    return rng.normal(size=2), factor @ factor.T, float(rng.uniform(0.3, 1.7))


preference = Task(
    name="preference",
    function="preference_probability",
    arguments=("mean", "covariance", "noise_std"),
    title="Task 1 · Will she take b?",
    stars=1,
    minutes=15,
    points=3,
    draw=draw_preference,
    tolerance=1e-07,
    cases=(
        Case(HAND, (array(1, 4), array([1, 1], [1, 2]), 2.0)),
        Case(TOGETHER_UP, (array(0.4, 0.9), array([0.7, 0.6], [0.6, 0.8]), 0.5)),
        Case(KNOWN, (array(0.2, 0.7), array([0, 0], [0, 0]), 0.5)),
        Case(FOR_A, (array(1.6, -0.5), array([1.4, -0.3], [-0.3, 0.5]), 0.8)),
    ),
    mistakes=(
        Mistake(
            "as if there were another number of noises",
            "How many noisy judgements are in one comparison? Each of the two adds σ² to the variance.",
            wrong_functions=("one noise", "four noises", "half a noise"),
        ),
        Mistake(
            "the probability of a",
            "Swap the pair: what must change? The two probabilities add up to 1; b is the second.",
            wrong_functions=("winner and loser exchanged",),
        ),
        Mistake(
            "as if f(a) and f(b) had another covariance",
            "Do f(a) and f(b) err together? What both have in common drops out of their difference: −2 S_ab.",
            wrong_functions=(
                "covariance ignored",
                "covariance added",
                "covariance once",
                "variance of b only",
                "variance of a only",
            ),
        ),
        Mistake(
            "as if she judged without noise",
            "The values, or a choice? f(b) > f(a) is one question, what she says another: noise is in it.",
            wrong_functions=("noise left out, f in its place",),
        ),
        Mistake(
            "with another unit below the line",
            "What unit has the denominator? That of f: a standard deviation, not a variance.",
            wrong_functions=("variance for std", "no uncertainty in the unit"),
        ),
        Mistake(
            "as if the noise had another size",
            "What unit has noise_std, and what unit a variance? Squares add up, standard deviations do not.",
            wrong_functions=(
                "noise not squared",
                "noise squared twice",
                "root of noise",
                "stds added",
                "1 + variance",
            ),
        ),
        Mistake(
            "as if f were known",
            "How sure are you of f(b) − f(a)? Should uncertainty pull the answer towards ½?",
            wrong_functions=("link at the mean",),
        ),
        Mistake(
            "with another curve",
            "Which curve has a sum of normal noises? A probability is Φ(z): neither its density nor a logistic curve.",
            wrong_functions=("logistic", "density", "z"),
        ),
        Mistake(
            "as if something else than the difference were seen",
            "What does a choice see of f? Raise both values by 10: nothing may change.",
            wrong_functions=("value of b alone", "sum", "one against one, then a share", "b wins and a loses"),
        ),
    ),
    hints=(
        "What is heard of b is f(b) plus a noise, what is heard of a is f(a) plus another noise. b is preferred if "
        "the difference of the two is above 0. Which mean and which variance has this difference?",
        "Var[f(b) − f(a)] = S_aa + S_bb − 2 S_ab, and each of the two noises adds its variance σ².",
        "P(N(m, v) > 0) = Φ(m/√v). The argument of Φ has no unit: difference over standard deviation.",
    ),
    laws=(
        Law(
            "An error that both values share says nothing of their difference: add 9 to each entry of S, and P stays.",
            "Which variance has f(b) − f(a), if the two err together?",
            lambda mean, covariance, noise_std: (mean, covariance + 9, noise_std),
        ),
        Law(
            "With S = (8, 0; 0, 6), σ = 1 and means that are 4 apart, P = Φ(1) = 0.841.",
            "Which variances add up, and how often does the noise of one judgement occur?",
            example=(array(0, 4), array([8, 0], [0, 6]), 1.0),
            holds=lambda one, other: near(other, 0.8413447),
        ),
        Law(
            "Swap a and b: the two probabilities add up to 1.",
            "Which of the two is b?",
            lambda mean, covariance, noise_std: (mean[::-1].copy(), covariance[::-1, ::-1].copy(), noise_std),
            lambda one, other: near(one + other, 1.0),
        ),
        Law(
            "Double the means and σ and take 4 S: P stays.",
            "Which unit has each term?",
            lambda mean, covariance, noise_std: (2 * mean, 4 * covariance, 2 * noise_std),
        ),
    ),
)

# ------------------------------------------------------------------------------------------------------ 2 ties

SIX = "six answers"
FAR = "values far apart"
RARE = "ties are rare"


def draw_ties(rng, k):
    """Answers to pairs of items; of every third draw the values lie hundreds of σ apart."""
    n, size = 2 + k % 5, (400, 1, 2)[k % 3]
    pairs = draw_pairs(rng, n, 3 + k % 6)
    y = rng.permutation(np.arange(len(pairs)) % 3 - 1)
    return size * rng.normal(size=n), pairs, y, float(rng.uniform(0.4, 2)), float(rng.uniform(0.2, 3))


ties = Task(
    name="ties",
    function="davidson_logs",
    arguments=("f", "pairs", "y", "noise_std", "tie"),
    title="Task 2 · I cannot tell",
    stars=2,
    minutes=30,
    points=5,
    draw=draw_ties,
    cases=(
        Case(HAND, (array(1, 1 + np.log(9)), whole([0, 1], [0, 1], [0, 1]), whole(1, -1, 0), np.sqrt(0.5), 2 / 3)),
        Case(
            SIX,
            (
                array(0.4, -1.1, 2.3, 0.9),
                whole([0, 1], [2, 1], [3, 2], [3, 2], [0, 3], [1, 3]),
                whole(1, -1, 0, 1, 0, -1),
                0.8,
                1.4,
            ),
        ),
        Case(
            FAR, (array(0, 900, -650), whole([0, 1], [1, 0], [2, 1], [0, 2], [2, 0]), whole(1, 1, 0, -1, 0), 0.6, 0.3)
        ),
        Case(RARE, (array(-0.5, 0.7, 0.1), whole([1, 0], [0, 2], [1, 2]), whole(0, -1, 1), 1.7, 0.004)),
    ),
    mistakes=(
        Mistake(
            "what is left when a number was too large or too small",
            "What does the computer store for e^700 and for e^−800? Stay with logarithms: np.logaddexp.",
            wrong_functions=("exponentials of strengths", "exponentials of gaps", "clipped", "1e-10 added"),
        ),
        Mistake(
            "with another unit of f",
            "How many noisy judgements are in one comparison? The difference is divided by √2 σ.",
            wrong_functions=("no √2", "noise not used", "2σ", "2σ²"),
        ),
        Mistake(
            "the answer's mirror image",
            "Swap the pair: what must change? +1 means that b, the second, was chosen.",
            wrong_functions=("a and b exchanged",),
        ),
        Mistake(
            "as if a difference told more, or less",
            "What are the odds of b to a among the decided? π_b/π_a = e^z: the two exponents differ by z, so each is "
            "half of it.",
            wrong_functions=("e^z and e^−z", "quarter"),
        ),
        Mistake(
            "with another weight of a tie",
            "What is the weight of a tie if both items are equally strong, and if one is far stronger? tie · √(π_a "
            "π_b), beside π_a and π_b.",
            wrong_functions=(
                "no root of the product",
                "product, not its root",
                "mean for the root",
                "tie for its logarithm",
                "two ties",
                "Rao and Kupper",
                "τ squared",
                "root of τ",
            ),
        ),
        Mistake(
            "as if the level of f counted",
            "Raise all values by 10: may an answer change? A tie weighs tie · √(π_a π_b), and without the root it "
            "grows with the level.",
            wrong_functions=("product of strengths",),
        ),
        Mistake(
            "as if the three outcomes were not of one kind",
            "What do the three probabilities add up to? All three have the same denominator, and it holds all three "
            "weights.",
            wrong_functions=(
                "tie below the line only",
                "tie above the line only",
                "decided without the tie",
                "largest for the sum",
            ),
        ),
        Mistake(
            "as if there were two outcomes only",
            "Is a tie half an answer for each side, or an outcome with a probability of its own?",
            wrong_functions=("half for each", "zero is no choice"),
        ),
        Mistake(
            "the probability in another dress",
            "A probability, or its logarithm? The natural one, which is never above 0.",
            wrong_functions=("probabilities", "minus logarithms", "logarithms to base 2"),
        ),
    ),
    hints=(
        "Divide all three probabilities by √(π_a π_b). Then the weights are e^{z/2} for b, tie for a tie and e^{−z/2} "
        "for a, with z = g/(√2σ): only the difference is left.",
        "Logarithm of the weight of what was answered, minus the logarithm of the sum of all three. The first is "
        "y·z/2, and log tie where y is 0.",
        "np.logaddexp(u, v) is log(eᵘ + eᵛ) without an overflow; call it twice for three.",
    ),
    laws=(
        Law(
            "The probabilities of the three answers to a pair add up to 1.",
            "What are the three weights divided by?",
            lambda f, pairs, y, noise_std, tie: (f / 1000, pairs[[0, 0, 0]], whole(-1, 0, 1), noise_std, tie),
            lambda one, other: near(np.exp(other).sum(), 1.0),
        ),
        Law(
            "With τ = 2 equal items are tied with the probability ½.",
            "What is the weight of a tie between equal items, beside those of a and b?",
            example=(array(1, 1), whole([0, 1]), whole(0), 1.0, 2.0),
            holds=lambda one, other: near(other, array(np.log(0.5))),
        ),
        Law(
            "If b is better by 1000 units of √2σ, the choice of a has the logarithm −1000.",
            "Was anything clipped, or too large or too small for exp? Only logarithms can be written down here.",
            example=(array(0, 2000 * np.sqrt(2)), whole([0, 1]), whole(-1), 2.0, 1.0),
            holds=lambda one, other: near(other, array(-1000)),
        ),
        Law(
            "Double f and σ: all stays.",
            "In which unit is a difference measured? √2σ.",
            lambda f, pairs, y, noise_std, tie: (2 * f, pairs, y, 2 * noise_std, tie),
        ),
        Law(
            "Turn a pair round together with its answer: the probability stays.",
            "Who is chosen by +1, and who by −1?",
            lambda f, pairs, y, noise_std, tie: (f, turned(pairs), -y, noise_std, tie),
        ),
    ),
)

# --------------------------------------------------------------------------------------------------- 3 degrees

FIVE = "four items, one pair twice"
SURE = "answers that contradict f"
ROUND = "a round of four"


def draw_degrees(rng, k):
    """Degrees for pairs of 2 to 7 items, which contradict the values now and then."""
    n, m = ((2, 2), (3, 7), (5, 6), (4, 9), (7, 5))[k % 5]
    f, noise_std = 0.7 * rng.normal(size=n), float(rng.uniform(0.5, 1.8))
    return f, draw_pairs(rng, n, m), rng.uniform(0.05, 0.95, m), noise_std, float(rng.uniform(2.5, 15))


NUDGE = 1e-4


def nudged(f, pairs, degrees, noise_std, precision):
    """The same with the first value a little larger."""
    return f + NUDGE * (np.arange(len(f)) == 0), pairs, degrees, noise_std, precision


def bends(one, other):
    """Whether minus the change of the gradient is the first column of W."""
    column = (one[1] + other[1])[:, 0] / 2
    return near((one[0] - other[0]) / NUDGE, column, 1e-4 * max(1.0, np.abs(column).max()))


degrees = Task(
    name="degrees",
    function="degree_slopes",
    arguments=("f", "pairs", "degrees", "noise_std", "precision"),
    title="Task 3 · How much better, and which way up",
    stars=3,
    minutes=45,
    points=7,
    draw=draw_degrees,
    tolerance=1e-07,
    cases=(
        Case(HAND, (array(1, 1), whole([0, 1]), array(0.8), 0.5, 2.0), tolerance=1e-8),
        Case(
            FIVE,
            (
                array(0.3, -0.4, 1.2, 0.1),
                whole([0, 1], [2, 1], [0, 2], [1, 0], [0, 1]),
                array(0.35, 0.2, 0.9, 0.55, 0.6),
                0.7,
                6.0,
            ),
            tolerance=1e-8,
        ),
        Case(
            SURE,
            (array(-0.3, 0.5, 0.2), whole([0, 1], [2, 1], [2, 0]), array(0.15, 0.3, 0.85), 0.4, 12.0),
            tolerance=1e-8,
        ),
        Case(
            ROUND,
            (array(0.6, 0.2, -0.5, 0.9), whole([0, 1], [1, 2], [2, 3], [3, 0]), array(0.7, 0.1, 0.95, 0.4), 1.3, 3.5),
            tolerance=1e-8,
        ),
    ),
    mistakes=(
        Mistake(
            "as if something were seen of f besides a difference",
            "What happens to the likelihood if f is raised as a whole? Nothing: the gradient adds up to 0, and so "
            "does each row of W.",
            wrong_functions=(
                "off-diagonal with +",
                "diagonal only",
                "upper triangle only",
                "off-diagonal twice",
                "gradient with + at a",
            ),
        ),
        Mistake(
            "the Hessian itself",
            "At a maximum, which sign has a curvature? W is minus the Hessian.",
            wrong_functions=("Hessian",),
        ),
        Mistake(
            "the gradient turned round",
            "Swap the pair: what must change? A degree above ½ wants f(b) to grow and f(a) to shrink.",
            wrong_functions=("minus the gradient", "a and b exchanged"),
        ),
        Mistake(
            "a derivative by something else than f",
            "How does the share move with f? One factor φ(z)/(√2σ) for each derivative by μ.",
            wrong_functions=("no chain rule", "no √2 σ in the chain", "Φ for φ"),
        ),
        Mistake(
            "another second derivative",
            "Two derivatives of a function of a function: L_μμ μ'² + L_μ μ''. Which sign and which unit has μ''?",
            wrong_functions=("slope not squared", "no bend of Φ", "sign of Φ's bend", "bend of Φ divided once"),
        ),
        Mistake(
            "with another derivative of log Γ",
            "Which derivative has log Γ(νμ), and which has log Γ(ν(1−μ))? ψ, then ψ₁ = polygamma(1, ·); the inner "
            "derivative of 1 − μ is −1.",
            wrong_functions=(
                "digammas exchanged",
                "digamma without ν",
                "logarithm for digamma",
                "digamma for trigamma",
                "polygamma of order 2",
                "trigammas subtracted",
            ),
        ),
        Mistake(
            "with another power of ν",
            "How often does ν come out of the bracket? Once for each derivative by μ.",
            wrong_functions=("no ν in the gradient", "ν once in W"),
        ),
        Mistake(
            "as if a degree were read in another way",
            "What does a degree of ½ tell? (νμ − 1) log y + (ν(1−μ) − 1) log(1−y): which sign has the second term by "
            "μ?",
            wrong_functions=("log y for the log odds", "log(1 − y) with the wrong sign"),
        ),
        Mistake(
            "with another unit of f",
            "How many noisy judgements are in one comparison? z = g/(√2σ).",
            wrong_functions=("no √2", "2σ²", "2σ", "σ not used"),
        ),
        Mistake(
            "as if repeated items or pairs counted once",
            "Is the second answer to the same pair still there? W[a, b] += … with arrays of indices keeps the last "
            "only: np.add.at, a loop, or a matrix M.",
            wrong_functions=("repeated items count once", "repeated pairs count once"),
        ),
        Mistake(
            "a mean",
            "A sum over the answers, or a mean? More answers tell more.",
            wrong_functions=("mean over the answers",),
        ),
        Mistake(
            "with a bell of another height",
            "What is the area under φ? One, so that φ(z) = exp(−z²/2)/√(2π).",
            wrong_functions=("bell without its constant",),
        ),
        Mistake(
            "the slopes of a normal density",
            "Which density has a degree? The beta of the task, whose shape changes with μ, and not only its place.",
            wrong_functions=("a normal in place of beta",),
        ),
        Mistake(
            "with another meaning of ν",
            "What does a large ν say? That degrees lie close to μ. It is a precision, and νμ and ν(1−μ) are the two "
            "numbers of the beta density as they are.",
            wrong_functions=("ν as a standard deviation", "ν as a variance", "ν + 1"),
        ),
    ),
    hints=(
        "First for one answer and one number g: log p as a function of μ, μ as a function of g. L' = L_μ μ', and L'' "
        "= L_μμ μ'² + L_μ μ''. With z = g/(√2σ): μ' = φ(z)/(√2σ), μ'' = −z φ(z)/(2σ²).",
        "L_μ = ν [log(y/(1−y)) − ψ(νμ) + ψ(ν(1−μ))], and L_μμ = −ν² [ψ₁(νμ) + ψ₁(ν(1−μ))], with ψ = digamma and ψ₁ = "
        "polygamma(1, ·).",
        "Each answer sees f through g = f(b) − f(a). With M = np.eye(n)[b] − np.eye(n)[a] the gradient is Mᵀ L' and W "
        "= −Mᵀ diag(L'') M. (f[b] += … with an array b forgets items that occur twice.)",
    ),
    laws=(
        Law(
            "Only differences of values count: the gradient adds up to 0, and so does each row of W.",
            "Each answer sees f(b) − f(a) alone: which entries of the gradient and of W does it touch, with which "
            "signs?",
            holds=lambda one, other: near(np.append(one[1].sum(axis=1), one[0].sum()), np.zeros(len(one[0]) + 1)),
        ),
        Law(
            "Raise the first value a little: the gradient falls by the first column of W times as much.",
            "Minus the second derivative of the same sum: L_μμ μ'² + L_μ μ''. Is each term there?",
            nudged,
            bends,
        ),
        Law(
            "Give every answer twice: the gradient and W double.",
            "What happens to an item, or a pair, that occurs several times?",
            lambda f, pairs, degrees, noise_std, precision: (
                f,
                np.vstack([pairs, pairs]),
                np.tile(degrees, 2),
                noise_std,
                precision,
            ),
            times(2, 2),
        ),
        Law(
            "Turn each pair round and take 1 − y: the gradient and W stay.",
            "Which item does a degree above ½ speak for?",
            lambda f, pairs, degrees, noise_std, precision: (f, turned(pairs), 1 - degrees, noise_std, precision),
        ),
        Law(
            "Double f and σ: the gradient halves, and W is divided by 4.",
            "Which factor does each derivative by f bring? 1/(√2σ).",
            lambda f, pairs, degrees, noise_std, precision: (2 * f, pairs, degrees, 2 * noise_std, precision),
            times(0.5, 0.25),
        ),
    ),
)

# ------------------------------------------------------------------------------------------------------ 4 side

TEN = "ten answers"
FIRST = "towards the first"
SLIP = "one slip of the finger"


def draw_side(rng, k):
    """Known differences and answers that lean to a side; of every fifth draw some differences are large."""
    m, size = ((3, 1), (8, 1), (12, 2), (20, 0.5), (9, 12))[k % 5]
    noise_std, bias, gap = float(rng.uniform(0.5, 2)), 2 * rng.normal(), size * rng.normal(size=m)
    y = np.where(gap + bias + np.sqrt(2) * noise_std * rng.normal(size=m) > 0, 1, -1)
    y[:2] = 1, -1
    return gap, y, noise_std


side = Task(
    name="side",
    function="side_bias",
    arguments=("gap", "y", "noise_std"),
    title="Task 4 · The second one, please",
    stars=2,
    minutes=30,
    points=5,
    draw=draw_side,
    tolerance=1e-05,
    cases=(
        Case(HAND, (array(0, 0, 0, 0), whole(1, 1, -1, 1), 0.5), tolerance=1e-5),
        Case(
            TEN,
            (array(1.4, -0.6, 0.3, 2.2, -1.7, 0.9, -0.2, 1.1, 0.5, -2.4), whole(1, -1, 1, 1, 1, 1, -1, 1, 1, -1), 1.3),
            tolerance=1e-5,
        ),
        Case(FIRST, (array(3.1, 2.5, 0.4, 1.8, 4.0, 2.9, 0.7), whole(1, -1, -1, 1, 1, -1, -1), 0.8), tolerance=1e-5),
        Case(SLIP, (array(-48, 0.3, -0.8, 1.2, 0.1, -1.5, 0.6), whole(1, 1, -1, -1, -1, -1, 1), 0.7), tolerance=1e-5),
    ),
    mistakes=(
        Mistake(
            "a bias towards the other side",
            "Whose side gains when c grows? p(b) = Φ((g + c)/(√2σ)): a positive c helps b.",
            wrong_functions=("bias towards a", "answers turned", "gap turned"),
        ),
        Mistake(
            "as if all items were equally good",
            "If b is truly better, whose merit is it that b was chosen? g belongs into the likelihood of each answer.",
            wrong_functions=("share only", "gap ignored", "share minus mean gap", "mean residual"),
        ),
        Mistake(
            "with another noise",
            "How many noisy judgements are in one comparison? √2 σ is the noise of a difference.",
            wrong_functions=("no √2", "2σ²", "2σ", "σ not used"),
        ),
        Mistake(
            "in another unit",
            "In which unit is c? It is added to g, so that it has the unit of f; so has its error.",
            wrong_functions=("in units of √2 σ", "bias added after the scaling", "error without √2 σ"),
        ),
        Mistake("with a logistic curve", "Which curve has a sum of normal noises? Φ.", wrong_functions=("logistic",)),
        Mistake(
            "with another curvature",
            "How does the log likelihood bend at its top? Minus its second derivative, for these answers and at this "
            "c: Σ r (z + r)/(2σ²).",
            wrong_functions=(
                "expected information",
                "curvature at zero",
                "curvature without z",
                "1 over √m",
                "√2 σ over √m",
            ),
        ),
        Mistake(
            "with another power",
            "What unit has a variance, and what unit a standard error? 1/√information.",
            wrong_functions=("variance", "information", "root of the information", "root of the error"),
        ),
        Mistake(
            "with the information of another number of answers",
            "Is a sum over the answers needed, or a mean? What all answers tell together is the sum of what each "
            "tells: more answers, a smaller error.",
            wrong_functions=("mean information", "mean information, no root", "divided by √m once more"),
        ),
        Mistake(
            "what is left when Φ was too small",
            "What does the computer store for Φ(−48)? log_ndtr knows its logarithm; φ/Φ is the exponential of a "
            "difference of logarithms.",
            wrong_functions=("log of Φ", "φ/Φ by division"),
        ),
        Mistake(
            "where one step leads",
            "Is the slope zero there? One step of Newton, or the best of a grid, is a good beginning.",
            wrong_functions=("one step",),
            when=lambda case, got: near(got, case.expected, 2e-3),
        ),
        Mistake(
            "as if something else were to be learned, or were known",
            "Is anything else unknown, or known beforehand? c alone is fitted, by maximum likelihood.",
            wrong_functions=("a prior", "a free factor"),
        ),
    ),
    hints=(
        "z = y (g + c)/(√2σ) for each answer. log Φ(z) is log_ndtr(z); its slope by z is r = φ(z)/Φ(z), its curvature "
        "−r (z + r). By c there comes a factor y/(√2σ) with each derivative.",
        "Far in the tail Φ is stored as 0: r = np.exp(norm.logpdf(z) − log_ndtr(z)).",
        "Newton: add slope/information to c until nothing moves (the log likelihood is concave), with information = Σ "
        "r (z + r)/(2σ²). The standard error is 1/√information at the end.",
    ),
    laws=(
        Law(
            "Add 30 to all differences: the bias falls by 30, and its error stays.",
            "Only g + c counts. Where does your search begin, and where may it end?",
            lambda gap, y, noise_std: (gap + 30, y, noise_std),
            lambda one, other: near(other, (one[0] - 30, one[1])),
        ),
        Law(
            "Give every answer four times: the bias stays, and its error halves.",
            "Information adds up over answers: what is its root, and what is divided by it?",
            lambda gap, y, noise_std: (np.tile(gap, 4), np.tile(y, 4), noise_std),
            times(1, 0.5),
        ),
        Law(
            "Turn the signs of all differences and answers: so does the bias; its error stays.",
            "Does a choice of a say the same of −c as a choice of b says of c?",
            lambda gap, y, noise_std: (-gap, -y, noise_std),
            times(-1, 1),
        ),
        Law(
            "Double the differences and σ: bias and error double.",
            "Which unit has each of the two?",
            lambda gap, y, noise_std: (2 * gap, y, 2 * noise_std),
            times(2, 2),
        ),
    ),
)

# ---------------------------------------------------------------------------------------------------- 5 triads

FIVE_TRIADS = "five items"
SIX_TRIADS = "six items"
NONE = "no circle"


EIGHT = np.column_stack(np.triu_indices(8, 1))


def draw_triads(rng, k):
    """All pairs of 3 to 8 items in any order; half of the listeners mostly follow one."""
    n = 3 + k % 6
    pairs = np.column_stack(np.triu_indices(n, 1))
    pairs = rng.permutation(np.where(rng.random(len(pairs))[:, None] < 0.5, pairs, turned(pairs)))
    follows = np.sign(pairs[:, 1] - pairs[:, 0])
    y = np.where(rng.random(len(pairs)) < (0.3 if k % 2 else 1.0), rng.choice([-1, 1], len(pairs)), follows)
    return pairs, y


RING = whole([0, 1], [1, 2], [2, 3], [3, 4], [4, 0], [0, 2], [1, 3], [2, 4], [3, 0], [4, 1])


def with_a_loser(pairs, y):
    """The answers, and one more item, which loses to each of the others."""
    n = len(np.unique(pairs))
    return np.vstack([pairs, np.column_stack([np.full(n, n), np.arange(n)])]), np.append(y, np.ones(n, dtype=int))


triads = Task(
    name="triads",
    function="circular_triads",
    arguments=("pairs", "y"),
    title="Task 5 · Round in circles",
    stars=2,
    minutes=25,
    points=5,
    draw=draw_triads,
    cases=(
        Case(HAND, (whole([0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]), whole(-1, 1, -1, -1, 1, -1)), (2.0, 0.0)),
        Case(
            FIVE_TRIADS,
            (
                whole([3, 1], [0, 1], [4, 0], [2, 0], [1, 2], [3, 0], [4, 1], [2, 3], [4, 2], [3, 4]),
                whole(1, 1, 1, -1, 1, -1, 1, 1, -1, 1),
            ),
            (4.0, 0.2),
        ),
        Case(
            SIX_TRIADS,
            (
                whole(
                    [0, 1],
                    [0, 2],
                    [2, 1],
                    [0, 3],
                    [3, 1],
                    [2, 3],
                    [0, 4],
                    [1, 4],
                    [2, 4],
                    [4, 3],
                    [0, 5],
                    [1, 5],
                    [5, 2],
                    [3, 5],
                    [5, 4],
                ),
                whole(-1, -1, 1, -1, -1, -1, 1, -1, 1, -1, -1, 1, -1, -1, -1),
            ),
            (6.0, 0.25),
        ),
        Case(
            "eight items, the last one never wins",
            (EIGHT, np.where((EIGHT.sum(axis=1) % 3 > 0) & (EIGHT[:, 1] < 7), 1, -1)),
        ),
        Case(
            "seven items",
            (
                whole(
                    [3, 5],
                    [2, 4],
                    [6, 3],
                    [0, 1],
                    [4, 1],
                    [3, 1],
                    [0, 6],
                    [2, 5],
                    [5, 4],
                    [1, 6],
                    [3, 4],
                    [1, 5],
                    [0, 3],
                    [4, 6],
                    [0, 2],
                    [6, 2],
                    [3, 2],
                    [5, 0],
                    [0, 4],
                    [5, 6],
                    [1, 2],
                ),
                whole(1, 1, 1, -1, -1, 1, -1, -1, 1, -1, 1, 1, -1, 1, -1, 1, 1, 1, -1, -1, -1),
            ),
        ),
        Case(
            NONE,
            (
                whole([2, 0], [1, 2], [0, 1], [3, 1], [0, 3], [3, 2], [4, 0], [1, 4], [4, 2], [3, 4]),
                whole(-1, 1, -1, -1, 1, 1, -1, 1, 1, -1),
            ),
            (0.0, 1.0),
        ),
    ),
    mistakes=(
        Mistake(
            "with other wins",
            "Who won this answer? y > 0: the second of the pair; y < 0: the first. Every answer has one winner, in "
            "whichever order the pairs come.",
            wrong_functions=("wins of b only", "wins minus losses", "pairs sorted", "pairs in standard order"),
        ),
        Mistake(
            "with another number of triads in order",
            "With how many pairs of opponents does an item with w wins make a triad in which it beats both? Two of w: "
            "w(w−1)/2.",
            wrong_functions=("squares of wins", "w(w+1)/2", "w(w−1)", "sum of wins"),
        ),
        Mistake(
            "as if there were another number of triads",
            "How many triads are there in all? And which of them are circles? Three of n, without order: "
            "n(n−1)(n−2)/6; items are counted from 0.",
            wrong_functions=(
                "no circles, the others",
                "ordered triads",
                "n³/6",
                "pairs for triads",
                "largest number for n",
            ),
        ),
        Mistake(
            "as if whoever never wins were not there",
            "How many items are there? The last one may lose each time.",
            wrong_functions=("n of those who won",),
        ),
        Mistake(
            "ζ with the other maximum",
            "Is n even or odd? With an even number nobody can win half of the answers.",
            wrong_functions=(
                "always the formula for even n",
                "even and odd exchanged",
                "always the formula for odd n",
            ),
        ),
        Mistake(
            "ζ in another unit",
            "How inconsistent can one be at most? ζ is 0 there, and the worst is not that all triads are circles.",
            wrong_functions=("share of all triads", "share of the answers", "in units of chance"),
        ),
        Mistake(
            "half of the story",
            "In how many directions can a circle run? 0 beats 1 beats 2 beats 0, or the other way.",
            wrong_functions=("one direction",),
        ),
        Mistake(
            "as if the same circle counted several times",
            "Is it the same circle if you begin at another item? Three items, one triad.",
            wrong_functions=("each beginning", "each beginning, both ways"),
        ),
        Mistake(
            "as if only neighbours met",
            "Which three items can make a circle? Any three.",
            wrong_functions=("neighbours only",),
        ),
        Mistake(
            "ζ with some of its digits",
            "How many digits has ζ? As many as there are: round where you print, not where you return.",
            when=lambda case, got: got[0] == case.expected[0] and abs(got[1] - case.expected[1]) < 0.006,
        ),
        Mistake(
            "another number for ζ",
            "What is ζ of a listener without circles? 1, and 0 for the most confused one.",
            wrong_functions=("inconsistence", "share of circles", "without circles 0", "in per cent"),
        ),
        Mistake(
            "a count of answers",
            "Three items, or two? A circle is made of three answers, and none of them alone is wrong.",
            wrong_functions=("contradictions of the ranking",),
        ),
    ),
    hints=(
        "Three items are either in order, then one of them beats the two others; or they go round in a circle, then "
        "none does.",
        "An item with w wins beats both others in w(w−1)/2 triads. So the triads in order are the sum of that, and "
        "all others are circles.",
        "The winner of each answer is np.where(y > 0, pairs[:, 1], pairs[:, 0]), and np.bincount counts the wins. At "
        "most (n³ − n)/24 circles if n is odd, (n³ − 4n)/24 if it is even.",
    ),
    laws=(
        Law(
            "If each of five items loses to the next two in a ring, there are 5 circles, which is T_max: ζ = 0.",
            "How many circles can five items have? The formula asks whether the number of items is odd.",
            example=(RING, np.ones(10, dtype=int)),
            holds=lambda one, other: near(other, (5.0, 0.0)),
        ),
        Law(
            "One more item, which loses to all others, makes no circle: T stays.",
            "Whose wins are counted? Also an item without any has its place among the n.",
            with_a_loser,
            lambda one, other: near(other[0], one[0]),
        ),
        Law(
            "Turn a pair round together with its answer: T and ζ stay.",
            "Who is the winner of an answer, if the larger number stands first?",
            lambda pairs, y: (turned(pairs), -y),
        ),
        Law(
            "Turn all answers: every circle goes the other way round, and T and ζ stay.",
            "An item with w wins has n − 1 − w after that. Which sum does not change?",
            lambda pairs, y: (pairs, -y),
        ),
    ),
)

# ------------------------------------------------------------------------------------------------------ 6 step

FOUR = "four items"
TWICE = "a pair in two rows"
FAR_STEP = "far from the answers"


def draw_step(rng, k):
    """Counts of choices, and a start that is far from them now and then; some pairs were never asked."""
    n, m, size = ((2, 2, 1), (3, 4, 1), (5, 8, 1), (4, 3, 2), (6, 9, 10))[k % 5]
    noise_std, prior_std, damping = map(float, rng.uniform(0.4, 2.5, 3))
    pairs, wins = draw_pairs(rng, n, m), rng.integers(0, 6, (m, 2))
    return size * rng.normal(size=n), pairs, wins, noise_std, prior_std, damping * (k % 4 > 0)


step = Task(
    name="step",
    function="strength_step",
    arguments=("f", "pairs", "wins", "noise_std", "prior_std", "damping"),
    title="Task 6 · A step uphill",
    stars=3,
    minutes=40,
    points=7,
    draw=draw_step,
    tolerance=1e-06,
    cases=(
        Case(HAND, (array(0, 0), whole([0, 1]), whole([1, 3]), np.sqrt(0.5), 0.5, 1.0), tolerance=1e-6),
        Case(
            FOUR,
            (
                array(0.4, -0.7, 1.1, 0.2),
                whole([0, 1], [1, 2], [3, 2], [0, 3]),
                whole([3, 1], [2, 5], [0, 4], [6, 2]),
                0.8,
                1.5,
                0.6,
            ),
            tolerance=1e-6,
        ),
        Case(
            TWICE,
            (array(-0.3, 0.9, 0.5), whole([0, 1], [2, 1], [1, 0]), whole([2, 2], [4, 1], [0, 3]), 1.4, 0.7, 2.5),
            tolerance=1e-6,
        ),
        Case(
            FAR_STEP,
            (array(18, -21, 2), whole([0, 1], [1, 2], [2, 0]), whole([1, 4], [2, 0], [3, 5]), 0.6, 2.0, 0.3),
            tolerance=1e-6,
        ),
    ),
    mistakes=(
        Mistake(
            "as if λ did something else",
            "What should a large λ do? It makes the step short and keeps the system positive: + λI on both sides. "
            "(What happens to the printed −λ when it meets a smallest eigenvalue?)",
            wrong_functions=(
                "as printed, −λ",
                "no λ",
                "damping multiplies W",
                "divided by 1 + λ",
                "λ times the diagonal of W",
                "λ in units of 1/s²",
            ),
        ),
        Mistake(
            "a step that does not stop at the mode",
            "If f is the mode already, does your step stay there? At the mode ∇log p = f/s². Put that in: the right "
            "side must be the left matrix times f.",
            wrong_functions=(
                "−λ on the left",
                "−λ on the right",
                "λ on the left only",
                "λ on the right only",
                "gradient alone on the right",
                "prior twice",
                "prior left out of the gradient",
            ),
        ),
        Mistake(
            "as if something were seen of f besides a difference",
            "What happens to the likelihood if f is raised as a whole? Nothing: the gradient adds up to 0, and so "
            "does each row of W.",
            wrong_functions=("diagonal W", "+ beside the diagonal", "gradient + at a"),
        ),
        Mistake(
            "another direction",
            "Does the log posterior rise along your step? ∇ points uphill, and W, minus the Hessian, has no negative "
            "eigenvalue.",
            wrong_functions=("downhill", "Hessian for W", "a step along the gradient"),
        ),
        Mistake(
            "as if the prior were stronger or weaker",
            "What is the precision of a prior with the standard deviation s? 1/s², for each item.",
            wrong_functions=(
                "no prior",
                "prior left out of the matrix",
                "s for its precision",
                "variance for precision",
                "1/s",
                "prior of one",
            ),
        ),
        Mistake(
            "with another unit of f",
            "How many noisy judgements are in one comparison? z = (f(b) − f(a))/(√2σ).",
            wrong_functions=("no √2", "2σ", "2σ²"),
        ),
        Mistake(
            "derivatives by z, not by f",
            "How often does 1/(√2σ) come out? Once for each derivative by f.",
            wrong_functions=("gradient without a unit", "W divided once", "nothing divided"),
        ),
        Mistake(
            "as if other answers had been given",
            "How many answers does a row of wins hold? wins[k, 0] for a and wins[k, 1] for b; each counts as often as "
            "it was given.",
            wrong_functions=("each row once", "shares", "majority", "wins of b only", "wins minus losses"),
        ),
        Mistake(
            "as if the winners had lost",
            "Swap the pair: what must change? The first column of wins is that of a.",
            wrong_functions=("columns exchanged",),
        ),
        Mistake(
            "as if an answer for a were minus an answer for b",
            "What does an answer for a say? log Φ(−z): slope and curvature are those of log Φ at −z, not at z.",
            wrong_functions=("φ(z)/Φ(z) for a, too", "φ(z)/Φ(z) in both", "bend of a at z"),
        ),
        Mistake(
            "with another curvature",
            "What is the slope of φ/Φ? −r (z + r), and for an answer for a with −z in the place of z.",
            wrong_functions=("bend without z", "z with the wrong sign", "expected information"),
        ),
        Mistake(
            "as if the answers had been averaged",
            "A sum over the answers, or a mean? Each answer counts once, beside the prior, which counts once, too.",
            wrong_functions=("mean over the rows", "mean over the answers"),
        ),
        Mistake(
            "half of the way",
            "How far does one step go? All of it: the damping has made it shorter already.",
            wrong_functions=("half a step",),
        ),
        Mistake(
            "the way", "The new f, or the way to it? The new one is asked for.", wrong_functions=("the way only",)
        ),
        Mistake(
            "the end of the climb",
            "One step, or all of them? One; the notebook walks on.",
            wrong_functions=("to the mode",),
        ),
        Mistake(
            "as if repeated items counted once",
            "Is the second row of the same item still there? W[a, b] += … with arrays of indices keeps the last only.",
            wrong_functions=("repeated items count once",),
        ),
        Mistake(
            "what is left when Φ was too small",
            "What does the computer store for Φ(−46)? 0, and 0/0 is no number. Stay with logarithms.",
            wrong_functions=("φ/Φ by division",),
        ),
    ),
    hints=(
        "With z = (f(b) − f(a))/(√2σ) a row of wins has the log likelihood wins_a log Φ(−z) + wins_b log Φ(z). Its "
        "slope by z is wins_b r(z) − wins_a r(−z) with r = φ/Φ; minus its curvature wins_b r(z)(z + r(z)) + wins_a "
        "r(−z)(−z + r(−z)).",
        "Divide the slope by √2σ and the curvature by 2σ². With M = np.eye(n)[b] − np.eye(n)[a]: ∇ = Mᵀ slope, W = Mᵀ "
        "diag(curvature) M. r(z) = np.exp(norm.logpdf(z) − log_ndtr(z)) does not break in the tail.",
        "The prior's precision is I/s². One np.linalg.solve: (I/s² + W + λI) new = (W + λI) f + ∇.",
    ),
    laws=(
        Law(
            "Without an answer, with s = ½ and λ = 4, the step goes half of the way to 0.",
            "What stands beside the prior's 1/s² on both sides? λ itself, on the diagonal, whatever W is.",
            example=(array(2, -4), whole([0, 1]), whole([0, 0]), 1.0, 0.5, 4.0),
            holds=lambda one, other: near(other, array(1, -2)),
        ),
        Law(
            "Count the choices of a in one row and those of b in another: the step stays.",
            "What does each of the two counts say, and at which z: z or −z?",
            lambda f, pairs, wins, *rest: (
                f,
                np.vstack([pairs, pairs]),
                np.vstack([wins * [1, 0], wins * [0, 1]]),
                *rest,
            ),
        ),
        Law(
            "Turn each pair round together with its counts: the step stays.",
            "How often was b chosen: which column is that?",
            lambda f, pairs, wins, *rest: (f, turned(pairs), turned(wins), *rest),
        ),
        Law(
            "At 30 and −30, with one choice of the second, √2σ = 1, a wide prior and λ = 1, it steps to 10 and −10.",
            "What are r and r (z + r) at z = −60? 60.017 and 0.9997, though Φ(−60) is too small for the computer.",
            example=(array(30, -30), whole([0, 1]), whole([0, 1]), np.sqrt(0.5), 1e4, 1.0),
            holds=lambda one, other: near(other, array(10, -10), 2e-3),
        ),
        Law(
            "Double f, σ and s and divide λ by 4: the step doubles.",
            "Which unit has each term of the two brackets?",
            lambda f, pairs, wins, noise_std, prior_std, damping: (
                2 * f,
                pairs,
                wins,
                2 * noise_std,
                2 * prior_std,
                damping / 4,
            ),
            times(2),
        ),
    ),
)

homework = Homework(preference, ties, degrees, side, triads, step, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
