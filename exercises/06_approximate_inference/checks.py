"""The checks of homework 06: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np
from scipy.special import expit, gammaln, log_ndtr

from course_lib.homework import Case, Homework, Mistake, Task, near


def numbers(*values):
    """A row of numbers, or a table if rows are given."""
    return np.array(values, dtype=float)


def not_finite(case, got):
    """Whether something came out as NaN or infinity."""
    return not all(np.isfinite(part).all() for part in (got if isinstance(got, tuple) else (got,)))


NAN, INF = np.nan, np.inf

# Likelihoods of one latent number g. Each is three functions: log p, its slope, its curvature.


def normal(y, noise_std):
    """An answer with Gaussian noise."""

    def log_p(g):
        return -0.5 * ((y - g) / noise_std) ** 2 - np.log(noise_std) - 0.5 * np.log(2 * np.pi)

    return log_p, lambda g: (y - g) / noise_std**2, lambda g: 0 * g - noise_std**-2.0


def choice(y):
    """One answer + (y = 1) or − (y = −1): p = Φ(y g)."""

    def ratio(g):
        return np.exp(-0.5 * g**2 - 0.5 * np.log(2 * np.pi) - log_ndtr(y * g))

    return lambda g: log_ndtr(y * g), lambda g: y * ratio(g), lambda g: -ratio(g) * (ratio(g) + y * g)


def lapsing_choice(y, lapse):
    """One answer + or − of somebody who lapses: p = λ/2 + (1 − λ) Φ(y g). Not log-concave."""
    attends = 1 - lapse

    def p(g):
        return lapse / 2 + attends * np.exp(log_ndtr(y * g))

    def density(g):
        return attends * np.exp(-0.5 * g**2) / np.sqrt(2 * np.pi) / p(g)

    return lambda g: np.log(p(g)), lambda g: y * density(g), lambda g: -y * g * density(g) - density(g) ** 2


def choices(plus, minus):
    """That many answers + and −, one by one: log p = plus · log σ(g) + minus · log σ(−g)."""

    def log_p(g):
        return -plus * np.logaddexp(0, -g) - minus * np.logaddexp(0, g)

    def curvature(g):
        return -(plus + minus) * expit(g) * expit(-g)

    return log_p, lambda g: plus * expit(-g) - minus * expit(g), curvature


def waits(k, seconds):
    """The k-th event came after so many seconds, and events come at the rate exp(g)."""

    def hazard(g):
        with np.errstate(over="ignore"):
            return seconds * np.exp(g)

    def log_p(g):
        return k * g - hazard(g) + (k - 1) * np.log(seconds) - gammaln(k)

    return log_p, lambda g: k - hazard(g), lambda g: -hazard(g)


def mostly_careful(y, noise_std, factor, careless):
    """Gaussian noise, `factor` times as large in a share `careless` of the answers. Not log-concave."""
    careful, other = normal(y, noise_std), normal(y, factor * noise_std)

    def log_p(g):
        return np.logaddexp(np.log1p(-careless) + careful[0](g), np.log(careless) + other[0](g))

    def share(g):
        return expit(np.log1p(-careless) + careful[0](g) - np.log(careless) - other[0](g))

    def slope(g):
        return share(g) * careful[1](g) + (1 - share(g)) * other[1](g)

    def curvature(g):
        r = share(g)
        return r * careful[2](g) + (1 - r) * other[2](g) + r * (1 - r) * (careful[1](g) - other[1](g)) ** 2

    return log_p, slope, curvature


TAU_FIRST = ("the two numbers of the site the other way round", "Which comes first, τ or ν?")
VARIANCE_OR_PRECISION = (
    "a variance where a precision belongs",
    "A precision, or a variance? τ multiplies g²: it is large where an answer says much.",
)
MEAN_OR_NU = (
    "a mean in the place of ν",
    "A mean, or τ times a mean? In exp(ν g − ½ τ g²) the peak lies at ν/τ, so that ν alone is no place.",
)
CURVATURE_SIGN = (
    "the right curvature with the wrong sign",
    "At a maximum, which sign has the curvature? A peak gives a positive precision.",
)
LINK = (
    "another link than Φ",
    "Which link does the task name? Φ is the distribution function of a standard normal; σ(g) = 1/(1 + e^−g) is the "
    "logistic one.",
)
LOG_OR_NOT = ("a probability where its logarithm belongs", "p, or log p? Take logarithms first, then differentiate.")

# ---------------------------------------------------------------------------------------------------- 1 choice

UNCERTAIN = (
    "Φ of the mean alone",
    "Should uncertainty about g pull p towards ½? An average over g is asked for, not the value at its mean.",
)
SPREAD = (
    "the variance in a unit that is not its own",
    "Which unit has the variance? That of g squared. What adds up to it is the variance of the noise, 1.",
)
ROOT = (
    "as if mean were divided by something else than a standard deviation",
    "What is the standard deviation of g + ε? Φ takes a number of standard deviations.",
)
HALF = (
    "as if a lapse were never an answer of the other kind",
    "What does somebody do who lapses? One time in two it is a +.",
)
TOTAL = (
    "chances that leave something out",
    "Do the probabilities of + and − add up to 1? Write down both: attentive or not, + or −.",
)
DEPENDS = (
    "as if a lapse only made g smaller or less certain",
    "Does a lapse depend on g? Somebody who lapses does not look. Where does p end when g is very large?",
)

choice_task = Task(
    name="choice",
    function="choice_probability",
    arguments=("mean", "variance", "lapse"),
    title="Task 1 · People lapse",
    stars=1,
    minutes=15,
    points=4,
    cases=(
        Case("one item", (numbers(1.5), numbers(4), 0.0), numbers(0.74883252281975)),
        Case("by hand", (numbers(0.6, -1.5), numbers(0.44, 1.25), 0.1), numbers(0.67231621514661, 0.19278972853831)),
        Case("g is known", (numbers(0.7, -2), numbers(0, 0), 0.04), numbers(0.74771489386585, 0.041840126670252)),
        Case(
            "four items",
            (numbers(-0.3, 2.2, 0.9, -1.1), numbers(2.5, 9, 0.3, 6), 0.06),
            numbers(0.44012202866517, 0.7412904584909, 0.76794409771902, 0.34846493023766),
        ),
        Case("very sure", (numbers(30, -25), numbers(4, 9), 0.02), numbers(0.99, 0.010000000000001)),
    ),
    mistakes=(
        Mistake(*UNCERTAIN, on={"by hand": [0.70317, 0.11013]}),
        Mistake(
            "as if there were no noise in the answer",
            "At variance 0, do you recover Φ(mean)? There are two sources of uncertainty, g and the answer.",
            on={"by hand": [0.78543, 0.13087]},
        ),
        Mistake(*SPREAD, on={"by hand": [0.6612, 0.18621]}),
        Mistake(*SPREAD, on={"by hand": [0.68771, 0.20693]}),
        Mistake(*ROOT, on={"by hand": [0.64538, 0.27724]}),
        Mistake(*ROOT, on={"by hand": [0.62676, 0.26547]}),
        Mistake(
            "surer than if g were known",
            "Does noise make you surer? The divisor grows with the variance.",
            on={"by hand": [0.75979, 0.051215]},
        ),
        Mistake(*LINK, on={"by hand": [0.6892, 0.14867]}),
        Mistake(*LINK, on={"by hand": [0.62157, 0.2538]}),
        Mistake(*LINK, on={"by hand": [0.63109, 0.21418]}),
        Mistake(*LINK, on={"by hand": [0.61993, 0.25623]}),
        Mistake(*LINK, on={"by hand": [0.61021, 0.29205]}),
        Mistake(
            "a density",
            "A density, or a probability? The density at 0 is 0.40 and falls on both sides.",
            on={"by hand": [0.36686, 0.26777]},
        ),
        Mistake(
            "the probability of −",
            "Which of the two answers is asked for?",
            when=lambda case, got: near(got, 1 - case.expected),
        ),
        Mistake(*HALF, on={"by hand": [0.69146, 0.15866]}),
        Mistake(*HALF, on={"by hand": [0.62232, 0.14279]}),
        Mistake(*HALF, on={"by hand": [0.72232, 0.24279]}),
        Mistake(*TOTAL, on={"by hand": [0.74146, 0.20866]}),
        Mistake(*TOTAL, on={"by hand": [0.70689, 0.20072]}),
        Mistake(
            "as if λ were the share of answers that are meant",
            "How often does nobody attend? λ is the share of lapses.",
            on={"by hand": [0.51915, 0.46587]},
        ),
        Mistake(*DEPENDS, on={"by hand": [0.67364, 0.18406]}),
        Mistake(*DEPENDS, on={"by hand": [0.68563, 0.16392]}),
        Mistake(
            "what somebody answers who never errs",
            "A decision, or its probability? mean > 0 makes + the likelier answer, not a certain one.",
            on={"by hand": [0.95, 0.05]},
        ),
        Mistake(
            "logarithms",
            "Probabilities, or their logarithms?",
            when=lambda case, got: near(got, np.log(case.expected)),
        ),
        Mistake(
            "nearly the right numbers",
            "Was it simulated? There is a closed form, which no sample size makes exact.",
            when=lambda case, got: case.name == "four items" and near(got, case.expected, 0.01),
        ),
    ),
    hints=(
        "First without lapses. A + means g + ε > 0 with ε ~ N(0, 1). If g ~ N(m, v) as well, what is the distribution "
        "of g + ε?",
        "g + ε ~ N(m, 1 + v), and the probability that it is above 0 is Φ of its mean in standard deviations.",
        "A lapse happens with probability λ, whatever g is, and is then a + with probability ½. scipy.special.ndtr is "
        "Φ and takes arrays.",
    ),
)

# -------------------------------------------------------------------------------------------------- 2 outliers

CLIPPED = (
    "with negative τ made harmless",
    "What does an outlier say about g? If τ is negative, return it: the posterior is made of all sites and the prior.",
)
AVERAGED = (
    "a precision that looks alike for all answers",
    "On average, or for this y? The curvature at this g with this answer is asked for.",
)
UNIT = (
    "with something in the wrong unit beside r²",
    "In which unit is r²? In log p it is compared with d s²; scale is s, a standard deviation's cousin.",
)
NU_SLOPE = (
    "τ with a ν whose slope is wrong",
    "Differentiate exp(ν g − ½ τ g²) at g, after taking its logarithm: what must ν be for the slope to be ∂ log p?",
)
EXPONENT = ("with another factor", "What is the exponent of the density? −(d + 1)/2, and r² has the derivative 2r.")
FORMULA = (
    "with another curvature",
    "Differentiate once more: the slope (d + 1) r/(d s² + r²) is a quotient. Do finite differences agree with yours?",
)
SAME_WEIGHT = (
    "the sites of a Gaussian likelihood",
    "Does every answer count alike? Here τ depends on the residual.",
)

outliers = Task(
    name="outliers",
    function="student_t_site",
    arguments=("y", "g", "scale", "degrees"),
    title="Task 2 · An answer that nobody believes",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case(
            "by hand",
            (numbers(2.5, 4), numbers(2, 2), 0.5, 3.0),
            (numbers(2, -0.57617728531856), numbers(6, 0.53185595567867)),
        ),
        Case(
            "no residual", (numbers(1.7, -0.4), numbers(1.7, -0.4), 0.4, 5.0), (numbers(7.5, 7.5), numbers(12.75, -3))
        ),
        Case(
            "six answers",
            (numbers(0.1, -1.2, 2.9, 0.4, -3, 0.85), numbers(0.3, -0.9, 0.2, 0.35, 1.1, 0.1), 0.3, 4.0),
            (
                numbers(10, 6.6666666666667, -0.5920799692426, 13.602853745541, -0.27899429087792, -1.1897679952409),
                numbers(0.5, -9.3333333333333, 1.6462898885044, 5.4506539833532, -1.5008366436698, 3.9460638508824),
            ),
        ),
        Case(
            "far away",
            (numbers(1000, -40), numbers(1, -0.5), 0.7, 2.5),
            (numbers(-3.5069975999651e-06, -0.0022379534718832), numbers(0.0034999922055205, -0.087419104245182)),
        ),
        Case(
            "nearly Gaussian",
            (numbers(0.4, -1), numbers(0.9, 0.2), 0.6, 1e7),
            (numbers(2.7777774768519, 2.7777747222241), numbers(1.1111107978395, -2.7777773888889)),
        ),
    ),
    mistakes=(
        Mistake(*CURVATURE_SIGN, on={"by hand": ([-2, 0.57618], [-2, 2.8366])}),
        Mistake(*CURVATURE_SIGN, on={"by hand": ([-2, 0.57618], [6, 0.53186])}),
        Mistake(*CLIPPED, on={"by hand": ([2, 0], [6, 1.6842])}),
        Mistake(*CLIPPED, on={"by hand": ([2, 0.57618], [6, 2.8366])}),
        Mistake(
            "the weights of EM",
            "Is this the curvature of log p, or the weight of a Gaussian that touches it? Both find the same "
            "mode; only the curvature says how broad it is.",
            on={"by hand": ([4, 0.84211], [10, 3.3684])},
        ),
        Mistake(*AVERAGED, on={"by hand": ([2.6667, 2.6667], [7.3333, 7.0175])}),
        Mistake(*AVERAGED, on={"by hand": ([4, 2.8366], [10, 7.3573])}),
        Mistake(*NU_SLOPE, on={"by hand": ([2, -0.57618], [2, 1.6842])}),
        Mistake(
            "a site that peaks at y",
            "Where is the peak of this site, ν/τ? Only a Gaussian likelihood has its site at y.",
            on={"by hand": ([2, -0.57618], [5, -2.3047])},
        ),
        Mistake(*NU_SLOPE, on={"by hand": ([2, -0.57618], [4, -1.1524])}),
        Mistake(*NU_SLOPE, on={"by hand": ([2, -0.57618], [-2, 2.8366])}),
        Mistake(
            "as if answers pushed g away",
            "In which direction does an answer above g pull? The residual is y − g, and −1 comes from the inside.",
            on={"by hand": ([2, -0.57618], [2, -2.8366])},
        ),
        Mistake(*MEAN_OR_NU, on={"by hand": ([2, -0.57618], [3, -0.92308])}),
        Mistake(*VARIANCE_OR_PRECISION, on={"by hand": ([0.5, -1.7356], [3, -1.7869])}),
        Mistake(*UNIT, on={"by hand": ([1.6327, -0.33058], [4.4082, 0.79339])}),
        Mistake(*UNIT, on={"by hand": ([-1.3061, -0.86968], [1.9592, 0.17108])}),
        Mistake(*UNIT, on={"by hand": ([8.8818e-16, -0.83045], [4, 0.22145])}),
        Mistake(*EXPONENT, on={"by hand": ([1.5, -0.43213], [4.5, 0.39889])}),
        Mistake(*EXPONENT, on={"by hand": ([1, -0.28809], [3, 0.26593])}),
        Mistake(*FORMULA, on={"by hand": ([2, -2.7368], [6, -3.7895])}),
        Mistake(*FORMULA, on={"by hand": ([5, 0.48753], [12, 2.6593])}),
        Mistake(*LOG_OR_NOT, on={"by hand": ([-0.82699, -0.062544], [-0.82699, -0.094223])}),
        Mistake(
            "derivatives with respect to another variable",
            "What is the derivative of (y − g)/s? Each derivative brings one more 1/s.",
            on={"by hand": ([0.5, -0.14404], [2, 0.55402])},
        ),
        Mistake(*SAME_WEIGHT, on={"by hand": ([4, 4], [10, 16])}),
        Mistake(*SAME_WEIGHT, on={"by hand": ([1.3333, 1.3333], [3.3333, 5.3333])}),
        Mistake(*TAU_FIRST, when=lambda case, got: near(got, case.expected[::-1])),
    ),
    hints=(
        "Write r = y − g. Then log p = constant − ½ (d + 1) log(1 + r²/(d s²)). Differentiate in g, remember dr/dg = "
        "−1, and put everything over d s² + r².",
        "∂ log p = (d + 1) r/(d s² + r²). Differentiate this quotient: ∂² log p is (d + 1) times something over "
        "(d s² + r²)². τ is −∂² log p.",
        "The site's logarithm ν g − ½ τ g² has the slope ν − τ g. Set it equal to ∂ log p and solve for ν.",
    ),
)

# --------------------------------------------------------------------------------------------------- 3 laplace

WAY = (
    "as if a step had gone downhill",
    "Does every one of your steps go up? Print log p(g) + log N(g) after each of them. Where the curvature is "
    "positive, Newton walks towards a valley; where it is small, it walks too far.",
)
STOP = (
    "as if it had stopped on the way",
    "What is the slope where you stopped? At the mode it is 0: go on until the steps are tiny.",
)
PRIOR = (
    "what comes out without the prior",
    "Where does the prior enter the slope and the curvature? log N(g | m, v) has the slope −(g − m)/v and the "
    "curvature −1/v.",
)
EXACT = (
    "the right answer to another question, by integration",
    "Which place on the curve counts here? Laplace looks at one place only, the mode, and at the curvature there.",
)
PARTS = (
    "with an evidence in which something is missing or doubled",
    "Which parts has the integral? log p(mode) + log N(mode | m, v), the height, and ½ log(2π variance), the "
    "width. The Gaussian case is exact: try yours there.",
)
SIGNS = (
    "with a variance that has the wrong sign somewhere",
    "At a maximum, which sign has the curvature? The posterior's precision is −∂² log p + 1/v.",
)


def evidence_of(change):
    """Whether mode and variance are right and the evidence is what a change of the right one gives."""
    return lambda case, got: near(got[:2], case.expected[:2]) and near(got[2], change(case.expected[2]))


laplace = Task(
    name="laplace",
    function="laplace_one",
    arguments=("log_p", "d1", "d2", "prior_mean", "prior_variance"),
    title="Task 3 · Up the hill, from anywhere",
    stars=3,
    minutes=45,
    points=7,
    cases=(
        Case("by hand", (*normal(2.0, 0.5), 0.5, 2.25), (1.85, 0.225, -1.8270838991418), 1e-6),
        Case("one answer +", (*choice(1), 0.0, 9.0), (1.4201868881004, 2.7768913845892, -0.78096578081588), 1e-6),
        Case(
            "two kinds of noise",
            (*mostly_careful(2.0, 0.3, 10, 0.1), 0.5, 2.0),
            (1.9347110565749, 0.087095410987045, -1.9142452193494),
            1e-6,
        ),
        Case(
            "an answer that may be a lapse",
            (*lapsing_choice(-1, 0.04), 3.0, 9.0),
            (-0.68160919468654, 1.7944565501717, -1.8574562959403),
            1e-6,
        ),
        Case("far above", (*waits(3, 2.0), 30.0, 25.0), (0.73491355884454, 0.23749564879686, -20.729862189418), 1e-6),
        Case(
            "far below", (*waits(400, 1.5), -6.0, 4.0), (5.5787364167332, 0.0025166392898143, -18.783359251415), 1e-6
        ),
    ),
    mistakes=(
        Mistake(
            *STOP,
            on={
                "one answer +": (1.0671, 2.1664, -0.92962),
                "two kinds of noise": (0.83783, -0.14916, NAN),
                "far above": (29, 1.2718e-13, -7.8627e12),
            },
        ),
        Mistake(
            *STOP,
            on={
                "one answer +": (1.4196, 2.7757, -0.78119),
                "two kinds of noise": (1.9347, 0.087095, -1.9142),
                "far above": (27, 9.3976e-13, -1.0641e12),
            },
        ),
        Mistake(*STOP, on={"far above": (20, 1.0306e-09, -9.7033e08), "far below": (5.5787, 0.0025166, -18.783)}),
        Mistake(
            *STOP,
            on={
                "one answer +": (1.4196, 2.7757, -0.78119),
                "two kinds of noise": (1.9347, 0.087095, -1.9142),
                "far above": (29, 1.2718e-13, -7.8627e12),
            },
        ),
        Mistake(*STOP, on={"one answer +": (0, 1.3374, -1.6464), "two kinds of noise": (0.5, 1.9535, -4.4565)}),
        Mistake(
            *WAY,
            on={
                "by hand": (1.85, 0.225, -1.8270838991418),
                "one answer +": (1.4201868881004, 2.7768913845892, -0.78096578081588),
            },
            when=lambda case, got: case.name in ("an answer that may be a lapse", "far below"),
        ),
        Mistake(*PRIOR, on={"two kinds of noise": (2, 0.09099, -1.9169)}),
        Mistake(
            "as if the prior were wider or narrower",
            "What is given, the prior's variance or its standard deviation?",
            on={"one answer +": (2.303, 12.717, -0.96919)},
        ),
        Mistake(
            "as if the prior were centred at 0",
            "Where does the prior pull to? To its mean, m.",
            on={"by hand": (1.8, 0.225, -1.8326), "an answer that may be a lapse": (-1.4104, 2.8036, -1.7648)},
        ),
        Mistake(
            *EXACT, on={"one answer +": (2.2708, 3.8434, -0.69315), "two kinds of noise": (1.8544, 0.28178, -1.8589)}
        ),
        Mistake(
            *EXACT, on={"one answer +": (1.4202, 2.7769, -0.69315), "two kinds of noise": (1.9347, 0.087095, -1.8589)}
        ),
        Mistake(*PRIOR, on={"one answer +": (1.4202, 4.016, -0.59649)}),
        Mistake(
            "a sum of two variances",
            "What adds up, precisions or variances? Two sources of knowledge about one number make it more certain.",
            on={"one answer +": (1.4202, 13.016, -0.008542)},
        ),
        Mistake(*SIGNS, on={"one answer +": (1.4202, -7.252, -0.30099)}),
        Mistake(*SIGNS, on={"one answer +": (1.4202, -2.7769, -0.78097)}),
        Mistake(
            "a precision",
            "A variance, or its inverse?",
            when=lambda case, got: near(got[1], 1 / case.expected[1]),
        ),
        Mistake(
            "a standard deviation",
            "A variance, or its root?",
            when=lambda case, got: near(got[1], np.sqrt(case.expected[1])),
        ),
        Mistake(*PARTS, on={"one answer +": (1.4202, 2.7769, -2.2106)}),
        Mistake(*PARTS, on={"one answer +": (1.4202, 2.7769, -0.080968)}),
        Mistake(*PARTS, on={"one answer +": (1.4202, 2.7769, 1.3486)}),
        Mistake(*PARTS, on={"one answer +": (1.4202, 2.7769, 1.2366)}),
        Mistake(*PARTS, on={"one answer +": (1.4202, 2.7769, -1.6999)}),
        Mistake(*PARTS, on={"one answer +": (1.4202, 2.7769, -3.6402)}),
        Mistake(*PARTS, on={"one answer +": (1.4202, 2.7769, 0.64864)}),
        Mistake("minus the log evidence", "Which sign has the log evidence here?", when=evidence_of(lambda z: -z)),
        Mistake("the evidence itself", "The evidence, or its logarithm?", when=evidence_of(np.exp)),
    ),
    hints=(
        "Call h(g) = log p(g) − (g − m)²/(2v). Newton's step is −h′/h″. It goes uphill only if h″ < 0; if not, step "
        "along the slope instead, for instance by v · h′, which always has the unit of g.",
        "After choosing a step, look before you go: while h(g + step) is below h(g), halve the step. This alone "
        "tames every start. Begin at the prior mean; repeat until |step| is below 1e-10 or so.",
        "At the mode: variance = 1/(1/v − d2(mode)), and log evidence = log p(mode) + log N(mode | m, v) + "
        "½ log(2π · variance).",
    ),
)

# -------------------------------------------------------------------------------------------------------- 4 ep

PLACE = (
    "a sum whose points miss the mass",
    "Where is the mass of p(y | g) N(g)? Print the points of your sum that matter, those within exp(−40) of the "
    "largest. How many are there?",
)
NODES = (
    "an average with the wrong scale",
    "What do your weights sum to if the likelihood is 1? And the average of (g − m)² should then be v.",
)
CAVITY = (
    "as if the cavity had another size",
    "What is given, the cavity's variance or its standard deviation?",
)
MISSING = (
    "with a log Z that misses a constant",
    "What does the cavity integrate to? A likelihood that is 1 everywhere must give log Z = 0.",
)
SPREAD_ABOUT = (
    "a variance about another point",
    "About which point is a variance taken? About the mean of the same distribution.",
)
DIVIDE = (
    "moments that are right and a site that is not",
    "What is tilted ÷ cavity? Dividing two Gaussians subtracts precisions, and subtracts mean/variance.",
)
LESS_SURE = (
    "as if an answer could only make one surer",
    "Can an answer make you less sure? If it contradicts what you thought, yes: let τ be negative.",
)


def last_two(change):
    """Whether the moments are right and (τ, ν) is what a change of the right ones gives."""
    return lambda case, got: near(got[:3], case.expected[:3]) and near(got[3:], change(*case.expected[3:]))


ep = Task(
    name="ep",
    function="ep_site",
    arguments=("log_likelihood", "cavity_mean", "cavity_variance"),
    title="Task 4 · The site that moments make",
    stars=2,
    minutes=35,
    points=6,
    cases=(
        Case("by hand", (normal(2.0, 0.5)[0], 0.5, 2.25), (-1.8270838991441, 1.85, 0.225, 4, 8), 1e-6),
        Case(
            "one answer +",
            (choice(1)[0], 0.0, 9.0),
            (-0.69314718056228, 2.2708192698181, 3.8433798438226, 0.14907654679298, 0.59083914733747),
            1e-6,
        ),
        Case(
            "a surprise",
            (choice(-1)[0], 4.0, 2.25),
            (-4.323747137835, 0.79448468828401, 0.85148321879861, 0.72997682179136, -0.84471806415831),
            1e-6,
        ),
        Case(
            "two kinds of noise",
            (mostly_careful(4.0, 0.3, 10, 0.1)[0], 1.0, 1.5),
            (-3.6960797981317, 3.0541559015196, 1.7344288832099, -0.090108002497468, 1.0942333800779),
            1e-6,
        ),
        Case(
            "3000 answers",
            (choices(1100, 1900)[0], 1.0, 100.0),
            (-1977.0609002296, -0.54671292687321, 0.0014359294397831, 696.40304948179, -380.74801659489),
            1e-6,
        ),
        Case(
            "a needle",
            (normal(21.0, 0.002)[0], 1.0, 25.0),
            (-10.528375245641, 20.999996800001, 3.9999993599999e-06, 250000.00000001, 5.2500000000002e06),
            1e-6,
        ),
    ),
    mistakes=(
        Mistake(
            "a sum that ends too early",
            "How far does the tilted distribution reach? Two standard deviations of the cavity are not enough.",
            on={"one answer +": (-0.73971, 2.0397, 2.8034, 0.2456, 0.72757)},
        ),
        Mistake(*NODES, on={"one answer +": (-0.69315, 1.531, 2.1561, 0.35269, 0.71008)}),
        Mistake(*NODES, on={"one answer +": (-0.12078, 2.2708, 3.8434, 0.14908, 0.59084)}),
        Mistake(*CAVITY, on={"one answer +": (-0.69315, 7.137, 30.063, -0.077847, 0.23741)}),
        Mistake(
            "0 where a very small number should be",
            "How small is the product of 3000 probabilities? Keep logarithms, and subtract the largest before exp.",
            on={
                "by hand": (-1.8270838991441, 1.85, 0.225, 4, 8),
                "a needle": (
                    -10.528375245641,
                    20.999996800001,
                    3.9999993599999e-06,
                    250000.00000001,
                    5.2500000000002e06,
                ),
            },
            when=not_finite,
        ),
        Mistake(
            "moments of something that does not integrate to 1",
            "What is divided by Z? Every moment: the tilted distribution is p(y | g) N(g)/Z.",
            on={"one answer +": (-0.69315, 1.1354, 3.2108, 0.20033, 0.35362)},
        ),
        Mistake(
            "what the likelihood alone gives",
            "Where does the cavity enter? Every point is weighted with p(y | g) N(g | m, v).",
            on={"one answer +": (-0.69314, 14.983, 75.501, -0.097866, 0.19845)},
        ),
        Mistake(*MISSING, on={"one answer +": (1.3244, 2.2708, 3.8434, 0.14908, 0.59084)}),
        Mistake(*MISSING, on={"one answer +": (6.7254, 2.2708, 3.8434, 0.14908, 0.59084)}),
        Mistake(
            "Laplace's Gaussian",
            "A mean, or a mode? EP keeps mean and variance of the whole tilted distribution.",
            on={"one answer +": (-0.78096, 1.4202, 2.7769, 0.249, 0.51143)},
        ),
        Mistake(
            "the average of log p",
            "Which of the two is Z? The logarithm of an average is no average of logarithms.",
            on={"one answer +": (-3.202, 2.2708, 3.8434, 0.14908, 0.59084)},
        ),
        Mistake(
            "Z or −log Z",
            "Z, or log Z? And with which sign?",
            when=lambda case, got: near(got[0], np.exp(case.expected[0])),
        ),
        Mistake(
            "Z or −log Z", "Z, or log Z? And with which sign?", when=lambda case, got: near(got[0], -case.expected[0])
        ),
        Mistake(*SPREAD_ABOUT, on={"by hand": (-1.8271, 1.85, 3.6475, -0.17028, 0.28497)}),
        Mistake(*SPREAD_ABOUT, on={"by hand": (-1.8271, 1.85, 2.0475, 0.043956, 0.68132)}),
        Mistake(
            "a standard deviation",
            "A variance, or its root?",
            when=lambda case, got: near(got[2], np.sqrt(case.expected[2])),
        ),
        Mistake(*DIVIDE, on={"one answer +": (-0.69315, 2.2708, 3.8434, 0.26019, 0.59084)}),
        Mistake(*DIVIDE, on={"by hand": (-1.8271, 1.85, 0.225, 4, 8.2222)}),
        Mistake(*DIVIDE, on={"one answer +": (-0.69315, 2.2708, 3.8434, 0.3713, 0.59084)}),
        Mistake(*DIVIDE, when=last_two(lambda tau, nu: (-tau, -nu))),
        Mistake(*MEAN_OR_NU, on={"by hand": (-1.8271, 1.85, 0.225, 4, 1.35)}),
        Mistake(*MEAN_OR_NU, when=last_two(lambda tau, nu: (tau, nu / tau))),
        Mistake(*MEAN_OR_NU, on={"one answer +": (-0.69315, 2.2708, 3.8434, 0.14908, 0.33853)}),
        Mistake(*VARIANCE_OR_PRECISION, when=last_two(lambda tau, nu: (1 / tau, nu))),
        Mistake(*LESS_SURE, on={"two kinds of noise": (-3.6961, 3.0542, 1.7344, 0, 1.0942)}),
        Mistake(*LESS_SURE, on={"two kinds of noise": (-3.6961, 3.0542, 1.5, 0, 1.3694)}),
        Mistake(*TAU_FIRST, when=last_two(lambda tau, nu: (nu, tau))),
        Mistake(*PLACE, when=lambda case, got: case.name == "a needle"),
    ),
    hints=(
        "Take a grid of g over ± 10 standard deviations of the cavity. Write down log weight = log_likelihood(g) + "
        "log N(g | m, v) for all its points; never exp before the largest of them has been subtracted.",
        "If the likelihood is sharp, few points of the grid carry all the weight. Find those within exp(−50) of the "
        "largest and make a new grid from the first to the last of them, with one step more on each side. Repeat "
        "until many points matter.",
        "log Z is the log of the sum of weights times the step. The mean and the variance are weighted sums divided "
        "by the sum of weights. Then τ = 1/variance − 1/v and ν = mean/variance − m/v.",
    ),
)

# ----------------------------------------------------------------------------------------------- 5 variational

LABEL = (
    "as if both answers pulled in the same way",
    "Does an answer of − pull g down? y is −1 or +1 and stands in front of the slope.",
)
PULL = (
    "as if expected answers pulled most",
    "How hard does an answer pull that was expected anyway? The slope of −log(1 + e^−yg) vanishes where y g is large.",
)
AVERAGE = (
    "the slopes at the mean",
    "Where does the uncertainty about g enter? Averages over N(mean, variance) are asked for. (At the mean alone "
    "stands Laplace.)",
)
RULE = (
    "an average with the wrong scale",
    "What does your rule give for the average of 1, and of g²? It should be 1 and mean² + variance.",
)
GIVEN = (
    "as if g had another spread",
    "What is given, the variance of g or its standard deviation?",
)
TOO_FEW = (
    "nearly the right averages",
    "How many nodes does your rule have? Double them and see what moves.",
)
DAMP = (
    "the right target, mixed otherwise",
    "At step 0, do your sites stay as they are? And at step 1, are the old ones gone, both of them?",
)
TARGET = (
    "a ν in which new and old τ are mixed up",
    "Which τ belongs into the target of ν? The same as in the target of τ, −E[∂²]; mix afterwards.",
)
NU_TARGET = (
    "τ with a ν that does not go with it",
    "What is ν of the tangent of a parabola? The site's slope ν − τ g at the mean should be E[∂ log p].",
)

variational = Task(
    name="variational",
    function="variational_step",
    arguments=("y", "mean", "variance", "tau", "nu", "step"),
    title="Task 5 · The site that averages make",
    stars=2,
    minutes=30,
    points=5,
    cases=(
        Case(
            "by hand",
            (numbers(1, -1), numbers(0.5, 0.5), numbers(0, 0), numbers(0, 0), numbers(0, 0), 1.0),
            (numbers(0.23500371220159, 0.23500371220159), numbers(0.49504252489894, -0.50495747510106)),
            1e-6,
        ),
        Case(
            "one answer",
            (numbers(-1), numbers(1.5), numbers(3), numbers(0.3), numbers(-0.2), 1.0),
            (numbers(0.1345188043829), numbers(-0.52918418465988)),
            1e-6,
        ),
        Case(
            "three tenths of a step",
            (
                numbers(1, -1, -1),
                numbers(0.8, 0.4, -1.3),
                numbers(2.25, 0.5, 1.2),
                numbers(0.5, 0.1, 0.2),
                numbers(1, -0.6, 0.3),
                0.3,
            ),
            (
                numbers(0.39957703124637, 0.13541694932471, 0.18762112210181),
                numbers(0.84817796177866, -0.57052348425641, 0.070616444290819),
            ),
            1e-6,
        ),
        Case(
            "wide",
            (numbers(-1, 1), numbers(3, -2), numbers(6.25, 2.5), numbers(0.02, 0.2), numbers(-0.1, 0.7), 0.6),
            (numbers(0.055968799164574, 0.1498694227782), numbers(-0.39820258709907, 0.62276319974768)),
            1e-6,
        ),
    ),
    mistakes=(
        Mistake(*LABEL, on={"one answer": ([0], [0])}),
        Mistake(*LABEL, on={"one answer": ([0.13452], [0.47082])}),
        Mistake(
            "as if answers pushed g away",
            "Does an answer of − pull g down? At g = 0 its slope is −½.",
            on={"one answer": ([0.13452], [0.93274])},
        ),
        Mistake(*PULL, on={"one answer": ([0.13452], [-0.067259])}),
        Mistake(*CURVATURE_SIGN, on={"one answer": ([-0.13452], [-0.93274])}),
        Mistake(*LINK, on={"one answer": ([0.76991], [-0.93699])}),
        Mistake(*LOG_OR_NOT, on={"one answer": ([-0.03569], [-0.18805])}),
        Mistake(
            "the squares of the slopes",
            "Is the curvature the square of the slope? Only on average over answers, not for this one.",
            on={"one answer": ([0.59644], [0.1637])},
        ),
        Mistake(*AVERAGE, on={"one answer": ([0.14915], [-0.59385])}),
        Mistake(*RULE, on={"one answer": ([0.14513], [-0.54612])}),
        Mistake(*RULE, on={"one answer": ([0.23843], [-0.93795])}),
        Mistake(*GIVEN, on={"one answer": ([0.14351], [-0.5425])}),
        Mistake(*GIVEN, on={"one answer": ([0.10447], [-0.51027])}),
        Mistake(*NU_TARGET, on={"one answer": ([0.13452], [-0.93274])}),
        Mistake(*NU_TARGET, on={"one answer": ([0.13452], [-0.73096])}),
        Mistake(*NU_TARGET, on={"one answer": ([0.13452], [0.20178])}),
        Mistake(*NU_TARGET, on={"one answer": ([0.13452], [-0.13452])}),
        Mistake(*MEAN_OR_NU, on={"one answer": ([0.13452], [-3.9339])}),
        Mistake(
            "the precision of q in the place of a site",
            "Is this a site, or posterior? The prior has its own precision, which is no answer's.",
            on={"one answer": ([0.46785], [-0.029184])},
        ),
        Mistake(*DAMP, on={"wide": ([0.079948, 0.11645], [-0.597, 0.57127])}),
        Mistake(*DAMP, on={"wide": ([0.043979, 0.16658], [-0.2988, 0.64851])}),
        Mistake(*DAMP, on={"wide": ([0.067969, 0.26987], [-0.4582, 1.0428])}),
        Mistake(*DAMP, on={"wide": ([0.055969, 0.14987], [-0.597, 0.57127])}),
        Mistake(*DAMP, on={"wide": ([0.079948, 0.11645], [-0.3982, 0.62276])}),
        Mistake(*TARGET, on={"wide": ([0.055969, 0.14987], [-0.44137, 0.58266])}),
        Mistake(*TARGET, on={"wide": ([0.055969, 0.14987], [-0.50611, 0.5225])}),
        Mistake(*TAU_FIRST, when=lambda case, got: near(got, case.expected[::-1])),
        Mistake(
            *TOO_FEW,
            when=lambda case, got: case.name == "one answer" and near(got, case.expected, 0.02),
        ),
    ),
    hints=(
        "For one g: ∂ log p = y σ(−y g) and ∂² log p = −σ(g) σ(−g). scipy.special.expit is σ. Make a table of them "
        "with a row for each answer and a column for each node.",
        "np.polynomial.hermite.hermgauss(64) gives nodes x and weights w for ∫ f(x) e^(−x²) dx. For N(m, v) use g = "
        "m + √(2v) x and the weights w/√π.",
        "With a = E[∂ log p] and b = −E[∂² log p] the targets are τ = b and ν = a + b · mean. Then mix: "
        "(1 − step) · old + step · target, for both.",
    ),
)

# ---------------------------------------------------------------------------------------------------- 6 counts

CONSTANT = (
    "with another constant in log p",
    "Do the probabilities of all counts add up to 1? Try g = 0: p(0), p(1), p(2) are e⁻¹ times 1, 1, ½.",
)
FACTORIAL = (
    "with something too large for the computer",
    "How large is 300 factorial? Take the logarithm of each factor: scipy.special.gammaln(y + 1) is log y!.",
)
RATE = (
    "as if g were not the logarithm of the rate",
    "What is the logarithm of the rate? The rate is exp(g), so that any real g is allowed.",
)
CHAIN = (
    "derivatives in the rate",
    "With respect to which variable? In g: write log p with exp(g) first, then differentiate.",
)
SLOPE_ZERO = (
    "with another slope",
    "At which rate is a count of 3 most likely? At 3: there the slope is 0, and below it the slope is positive.",
)
ONCE_MORE = (
    "with a higher derivative that is not one",
    "What is left when y g has been differentiated twice? Take what remains and differentiate exp(g) once more.",
)
BENT = (
    "with a curvature turned round",
    "Which sign has the curvature of log p at a peak? All four are derivatives of log p itself.",
)


def shapes(case, got):
    """Whether one of the four has another shape than it should."""
    return any(part.shape != one.shape for part, one in zip(got, case.expected, strict=True))


counts = Task(
    name="counts",
    function="poisson_derivatives",
    arguments=("y", "g"),
    title="Task 6 · How to add a likelihood",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case(
            "by hand",
            (numbers(0, 3), numbers(np.log(2), 0)),
            (numbers(-2, -2.7917594692281), numbers(-2, 2), numbers(-2, -1), numbers(-2, -1)),
        ),
        Case(
            "five counts",
            (numbers(2, 0, 7, 1, 4), numbers(0.3, -1.2, 1.6, 2.1, -0.7)),
            (
                numbers(-1.4430059881359, -0.3011942119122, -2.2781937854605, -6.0661699125677, -6.4746391341394),
                numbers(0.650141192424, -0.3011942119122, 2.0469675756049, -7.1661699125676, 3.5034146962086),
                numbers(-1.349858807576, -0.3011942119122, -4.9530324243951, -8.1661699125676, -0.49658530379141),
                numbers(-1.349858807576, -0.3011942119122, -4.9530324243951, -8.1661699125676, -0.49658530379141),
            ),
        ),
        Case(
            "300 of them",
            (numbers(300, 250), numbers(5.5, 5.8)),
            (
                numbers(-9.5977822092882, -14.344791700501),
                numbers(55.30806773578, -80.299559909649),
                numbers(-244.69193226422, -330.29955990965),
                numbers(-244.69193226422, -330.29955990965),
            ),
        ),
        Case(
            "next to nothing",
            (numbers(0, 1), numbers(-40, -40)),
            (
                numbers(-4.2483542552916e-18, -40),
                numbers(-4.2483542552916e-18, 1),
                numbers(-4.2483542552916e-18, -4.2483542552916e-18),
                numbers(-4.2483542552916e-18, -4.2483542552916e-18),
            ),
        ),
        Case(
            "a row for each count, a column for each g",
            (numbers([0], [2], [5]), numbers([-0.5, 0.4, 1.3, 2.0])),
            (
                numbers(
                    [-0.60653065971263, -1.4918246976413, -3.6692966676192, -7.3890560989307],
                    [-2.2996778402726, -1.3849718782012, -1.7624438481792, -4.0822032794906],
                    [-7.8940224024947, -4.2793164404233, -1.9567884104013, -2.1765478417127],
                ),
                numbers(
                    [-0.60653065971263, -1.4918246976413, -3.6692966676192, -7.3890560989307],
                    [1.3934693402874, 0.50817530235873, -1.6692966676192, -5.3890560989307],
                    [4.3934693402874, 3.5081753023587, 1.3307033323808, -2.3890560989307],
                ),
                numbers(
                    [-0.60653065971263, -1.4918246976413, -3.6692966676192, -7.3890560989307],
                    [-0.60653065971263, -1.4918246976413, -3.6692966676192, -7.3890560989307],
                    [-0.60653065971263, -1.4918246976413, -3.6692966676192, -7.3890560989307],
                ),
                numbers(
                    [-0.60653065971263, -1.4918246976413, -3.6692966676192, -7.3890560989307],
                    [-0.60653065971263, -1.4918246976413, -3.6692966676192, -7.3890560989307],
                    [-0.60653065971263, -1.4918246976413, -3.6692966676192, -7.3890560989307],
                ),
            ),
        ),
    ),
    mistakes=(
        Mistake(*CONSTANT, on={"by hand": ([-2, -1], [-2, 2], [-2, -1], [-2, -1])}),
        Mistake(*CONSTANT, on={"by hand": ([-2.5724, -1.6931], [-2, 2], [-2, -1], [-2, -1])}),
        Mistake(*CONSTANT, on={"by hand": ([-2, 0.79176], [-2, 2], [-2, -1], [-2, -1])}),
        Mistake(*CONSTANT, on={"by hand": ([-2, -2.0986], [-2, 2], [-2, -1], [-2, -1])}),
        Mistake(*CONSTANT, on={"by hand": ([-2, -1.2958], [-2, 2], [-2, -1], [-2, -1])}),
        Mistake(
            "with the rate on the wrong side",
            "Which sign has the rate in log p? A higher rate makes no event at all less likely.",
            on={"by hand": ([2, -0.79176], [-2, 2], [-2, -1], [-2, -1])},
        ),
        Mistake(*RATE, on={"by hand": ([-0.69315, -63.962], [-2, 2], [-2, -1], [-2, -1])}),
        Mistake(
            *RATE,
            on={
                "five counts": (
                    [-3.4011, -1.2, -6.8351, -1.3581, -5.3048],
                    [5.6667, -1, 3.375, -0.52381, 4.7143],
                    [-22.222, -0, -2.7344, -0.22676, -8.1633],
                    [148.15, 0, 3.418, 0.21596, 23.324],
                )
            },
        ),
        Mistake(*RATE, on={"by hand": ([-2, 0.20824], [-2, 2], [-2, -1], [-2, -1])}),
        Mistake(*CHAIN, on={"by hand": ([-2, -2.7918], [-1, 2], [-0, -3], [0, 6])}),
        Mistake(*CHAIN, on={"by hand": ([-2, -2.7918], [-1, 2], [-2, -1], [-2, -1])}),
        Mistake(*SLOPE_ZERO, on={"by hand": ([-2, -2.7918], [2, -2], [-2, -1], [-2, -1])}),
        Mistake(*SLOPE_ZERO, on={"by hand": ([-2, -2.7918], [-0.69315, 3], [-2, -1], [-2, -1])}),
        Mistake(*BENT, on={"by hand": ([-2, -2.7918], [-2, 2], [2, 1], [-2, -1])}),
        Mistake(*BENT, on={"by hand": ([-2, -2.7918], [-2, 2], [2, 1], [2, 1])}),
        Mistake(*ONCE_MORE, on={"by hand": ([-2, -2.7918], [-2, 2], [-2, -1], [2, 1])}),
        Mistake(*ONCE_MORE, on={"by hand": ([-2, -2.7918], [-2, 2], [-2, -1], [0, 0])}),
        Mistake(*ONCE_MORE, on={"by hand": ([-2, -2.7918], [-2, 2], [-1, -1], [0, 0])}),
        Mistake(*ONCE_MORE, on={"by hand": ([-2, -2.7918], [-2, 2], [-0, -3], [-0, -3])}),
        Mistake(*ONCE_MORE, on={"by hand": ([-2, -2.7918], [-2, 2], [-2, -1], [-4, -1])}),
        Mistake(*FACTORIAL, when=not_finite),
        Mistake(*FACTORIAL, raises=OverflowError),
        Mistake(*LOG_OR_NOT, when=lambda case, got: near(got[0], np.exp(case.expected[0]))),
        Mistake(
            "another rate",
            "Which rate does the task name? exp(g); log(1 + exp(g)) is one that grows more slowly.",
            on={"by hand": ([-1.0986, -3.5844], [-0.66667, 1.664], [-0.22222, -0.72901], [-0.22222, -0.25])},
        ),
        Mistake(
            "a normal density",
            "A count, or a number with decimals? A normal with the same variance is close for large rates only.",
            on={"by hand": ([-2.2655, -2.9189], [-2, 2], [-2, -1], [-2, -1])},
        ),
        Mistake(
            "four parts whose shapes do not agree",
            "Which shape has each of the four? That of y and g broadcast together, for the engine asks "
            "about many g at once.",
            on={"by hand": ([-2, -2.7918], [-2, 2], [-2, -1], [-2, -1])},
            when=shapes,
        ),
    ),
    hints=(
        "A Poisson count with rate r has p(y) = r^y e^(−r)/y!. Put r = exp(g) and take the logarithm: three terms.",
        "y g is linear in g, and exp(g) is its own derivative. log y! is a constant in g; scipy.special.gammaln(y "
        "+ 1) gives it for any count.",
        "The curvature and the third derivative do not depend on y, so that they come out with the shape of g alone. "
        "np.broadcast_arrays gives y and g one shape, if you let it do so first.",
    ),
)

homework = Homework(choice_task, outliers, laplace, ep, variational, counts)
check, hint, overview, waits_for = homework.check, homework.hint, homework.overview, homework.waits_for
