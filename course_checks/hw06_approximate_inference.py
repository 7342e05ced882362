"""The checks of homework 06: for each task the cases you see, the mistakes we know, and hints. No solutions here."""

import numpy as np
from scipy.special import expit, gammaln, log_ndtr

from course_checks import Case, Homework, Law, Mistake, Task, array, near, not_finite, slope_of, times, whole

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
TAU_OF_FOUR = 0.1514263774
TWICE = (
    "Does anything differ between the two: a place in the list, what another one has, a random draw? Is one left out?"
)

# ---------------------------------------------------------------------------------------------------- 1 choice


def draw_choice(rng, k):
    """One to four items; every fourth time g is known, every sixth very sure, and λ may be 0 or 1."""
    n = 1 + k % 4
    mean, variance = rng.normal(0, 1.5, n).round(2), rng.uniform(0.1, 6, n).round(2)
    if k % 6 == 5:
        mean = 15 * mean
    return mean, variance * (k % 4 != 3), (0.0, 0.05, 0.3, 0.12, 0.6, 0.02, 1.0)[k % 7]


choice_task = Task(
    name="choice",
    function="choice_probability",
    arguments=("mean", "variance", "lapse"),
    title="Task 1 · People lapse",
    stars=1,
    minutes=15,
    points=4,
    cases=(
        Case("one item", (array(1.5), array(4), 0.0)),
        Case("by hand", (array(0.6, -1.5), array(0.44, 1.25), 0.1)),
        Case("g is known", (array(0.7, -2), array(0, 0), 0.04)),
        Case("four items", (array(-0.3, 2.2, 0.9, -1.1), array(2.5, 9, 0.3, 6), 0.6)),
        Case("very sure", (array(30, -25), array(4, 9), 0.0)),
    ),
    draw=draw_choice,
    tolerance=1e-8,
    mistakes=(
        Mistake(
            "Φ of the mean alone",
            "Should uncertainty about g pull p towards ½? An average over g is asked for, not the value at its mean.",
            wrong_functions=("link of the mean",),
        ),
        Mistake(
            "as if there were no noise in the answer",
            "At variance 0, do you recover Φ(mean)? There are two sources of uncertainty, g and the answer.",
            wrong_functions=("no 1",),
        ),
        Mistake(
            "the variance in a unit that is not its own",
            "Which unit has the variance? That of g squared. What adds up to it is the variance of the noise, 1.",
            wrong_functions=("std for variance", "variance squared"),
        ),
        Mistake(
            "as if mean were divided by something else than a standard deviation",
            "What is the standard deviation of g + ε? Φ takes a number of standard deviations.",
            wrong_functions=("no root", "1 + std", "divided by pi/8"),
        ),
        Mistake(
            "surer than if g were known",
            "Does noise make you surer? The divisor grows with the variance.",
            wrong_functions=("minus variance",),
        ),
        Mistake(
            *LINK,
            wrong_functions=(
                "logistic with pi/8",
                "logistic of the mean",
                "logistic, averaged",
                "logistic with 1 + v",
            ),
        ),
        Mistake(
            "a density",
            "A density, or a probability? The density at 0 is 0.40 and falls on both sides.",
            wrong_functions=("density",),
        ),
        Mistake(
            "the probability of −",
            "Which of the two answers is asked for?",
            when=lambda case, got: near(got, 1 - case.expected),
        ),
        Mistake(
            "as if a lapse were never an answer of the other kind",
            "What does somebody do who lapses? One time in two it is a +.",
            wrong_functions=("no lapses", "a lapse is a minus", "a lapse is a plus"),
        ),
        Mistake(
            "chances that leave something out",
            "Do the probabilities of + and − add up to 1? Write down both: attentive or not, + or −.",
            wrong_functions=("half the lapses, all the rest", "1 - half"),
        ),
        Mistake(
            "as if λ were the share of answers that are meant",
            "How often does nobody attend? λ is the share of lapses.",
            wrong_functions=("exchanged",),
        ),
        Mistake(
            "as if a lapse only made g smaller or less certain",
            "Does a lapse depend on g? Somebody who lapses does not look. Where does p end when g is very large?",
            wrong_functions=("lapses in the mean", "lapses in the variance"),
        ),
        Mistake(
            "what somebody answers who never errs",
            "A decision, or its probability? mean > 0 makes + the likelier answer, not a certain one.",
            wrong_functions=("decided",),
        ),
        Mistake(
            "logarithms",
            "Probabilities, or their logarithms?",
            when=lambda case, got: near(got, np.log(case.expected)),
        ),
        Mistake(
            "nearly the right numbers",
            "Was it simulated? There is a closed form, which no sample size makes exact.",
            wrong_functions=("simulated",),
        ),
    ),
    hints=(
        "First without lapses. A + means g + ε > 0 with ε ~ N(0, 1). If g ~ N(m, v) as well, what is the distribution "
        "of g + ε?",
        "g + ε ~ N(m, 1 + v), and the probability that it is above 0 is Φ of its mean in standard deviations.",
        "A lapse happens with probability λ, whatever g is, and is then a + with probability ½. scipy.special.ndtr is "
        "Φ and takes arrays.",
    ),
    laws=(
        Law(
            "Ask about the last item twice: its probability comes twice.",
            TWICE,
            lambda mean, variance, lapse: (mean[[-1, -1]], variance[[-1, -1]], lapse),
            lambda one, other: near(other, one[[-1, -1]], 1e-3),
        ),
        Law(
            "If g = 1 is known and nobody lapses, P(+) is Φ(1) = 0.841.",
            "What is left of your formula at variance 0? One noise, of variance 1: that of the answer.",
            lambda mean, variance, lapse: (0 * mean + 1, 0 * variance, 0.0),
            lambda one, other: near(other, np.full_like(one, 0.8413447461), 1e-3),
        ),
        Law(
            "For m = 2 and v = 3, if nobody lapses, P(+) is Φ(1) = 0.841, too.",
            "What is the standard deviation of g + ε? Or, if you add up points or terms: are they enough?",
            lambda mean, variance, lapse: (0 * mean + 2, 0 * variance + 3, 0.0),
            lambda one, other: near(other, np.full_like(one, 0.8413447461), 1e-3),
        ),
        Law(
            "Turn the sign of all means: the probability of + becomes that of −, and both add up to 1.",
            "Do + and − share everything, lapses too?",
            lambda mean, variance, lapse: (-mean, variance, lapse),
            lambda one, other: near(one + other, np.ones_like(one), 1e-3),
        ),
        Law(
            "Who always lapses says + in half of all cases.",
            "What is P(+) for λ = 1?",
            lambda mean, variance, lapse: (mean, variance, 1.0),
            lambda one, other: near(other, np.full_like(one, 0.5)),
        ),
        Law(
            "If g = 10⁶ is known and λ is 0.2, P(+) is 0.9.",
            "Only a lapse can lead to − there: in how many of all cases?",
            lambda mean, variance, lapse: (0 * mean + 1e6, 0 * variance, 0.2),
            lambda one, other: near(other, np.full_like(one, 0.9)),
        ),
        Law(
            "For m = 2 and v = 3 everybody who attends is right in Φ(1) = 0.841 of all cases, with λ = ½ it is 0.671.",
            "Without lapses you are right there. Does a lapse change anything about g or the noise? It only replaces "
            "an answer.",
            lambda mean, variance, lapse: (0 * mean + 2, 0 * variance + 3, 0.5),
            lambda one, other: near(other, np.full_like(one, 0.25 + 0.5 * 0.8413447461), 1e-3),
        ),
    ),
    asks={
        "one item": "Nobody lapses here: what is the spread of g plus the noise of the answer? If nearly right: is "
        "anything rounded or drawn, are points too few?",
        "by hand": "Do you get 0.691 and 0.159 for λ = 0? If so: (1 − λ) of what, plus λ times what?",
        "g is known": "At variance 0, what is left of your formula?",
        "very sure": "Nobody lapses here. How near to 0 and 1 may a probability come: is anything cut off before?",
    },
)

# -------------------------------------------------------------------------------------------------- 2 outliers


def draw_outliers(rng, k):
    """One to five answers, some far from g; every fourth time one lies at g, every seventh all are far away."""
    n, scale, degrees = 1 + k % 5, round(rng.uniform(0.2, 3), 2), (4.0, 0.5, 2.0, 12.0, 1.5, 1e6)[k % 6]
    g = rng.normal(0, 2, n).round(2)
    residual = scale * rng.standard_t(1.5, n).round(2)
    if k % 4 == 1:
        residual[0] = 0
    if k % 7 == 6:
        residual = 500 * residual
    return g + residual, g, scale, degrees


outliers = Task(
    name="outliers",
    function="student_t_site",
    arguments=("y", "g", "scale", "degrees"),
    title="Task 2 · An answer that nobody believes",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case("by hand", (array(2.5, 4), array(2, 2), 0.5, 3.0)),
        Case("no residual", (array(1.7, -0.4), array(1.7, -0.4), 0.4, 5.0), (array(7.5, 7.5), array(12.75, -3))),
        Case("six answers", (array(0.1, -1.2, 2.9, 0.4, -3, 0.85), array(0.3, -0.9, 0.2, 0.35, 1.1, 0.1), 0.3, 0.5)),
        Case("far away", (array(1000, -40), array(1, -0.5), 0.7, 2.5)),
        Case("nearly Gaussian", (whole(3, -2), array(0.9, 0.2), 0.6, 1e7)),
    ),
    draw=draw_outliers,
    tolerance=1e-6,
    mistakes=(
        Mistake(*CURVATURE_SIGN, wrong_functions=("sign of the Hessian", "sign of the Hessian, right ν")),
        Mistake(
            "with negative τ made harmless",
            "What does an outlier say about g? If τ is negative, return it: the posterior is made of all sites and "
            "the prior.",
            wrong_functions=("clipped", "tiny instead of negative", "absolute"),
        ),
        Mistake(
            "a τ that was made harmless, with the ν of the true one",
            "To which τ does your ν belong? To the negative one, which is right: return that one. All sites and the "
            "prior together are the posterior, and a negative τ says that an outlier makes one less sure.",
            wrong_functions=("clipped, ν is not", "absolute, ν is not"),
        ),
        Mistake(
            "with the slope of a site that touches at y",
            "At which place does the site touch log p? At g, so that ν = ∂ log p + τ g: y is in the slope already.",
            wrong_functions=("slope + τ y",),
        ),
        Mistake(
            "the weights of EM",
            "Is this the curvature of log p, or the weight of a Gaussian that touches it? Both find the same mode; "
            "only the curvature says how broad it is.",
            wrong_functions=("weights of EM",),
        ),
        Mistake(
            "a precision that looks alike for all answers",
            "On average, or for this y? The curvature at this g with this answer is asked for.",
            wrong_functions=("information", "slope squared"),
        ),
        Mistake(
            "τ with a ν whose slope is wrong",
            "Differentiate exp(ν g − ½ τ g²) at g, after taking its logarithm: what must ν be for the slope to be ∂ "
            "log p?",
            wrong_functions=("ν is the slope", "ν is τ g", "τ g subtracted"),
        ),
        Mistake(
            "a site that peaks at y",
            "Where is the peak of this site, ν/τ? Only a Gaussian likelihood has its site at y.",
            wrong_functions=("ν is τ y",),
        ),
        Mistake(
            "as if answers pushed g away",
            "In which direction does an answer above g pull? The residual is y − g, −1 comes from the inside, and ν "
            "is slope + τ g.",
            wrong_functions=("residual turned round",),
        ),
        Mistake(*MEAN_OR_NU, wrong_functions=("a mean instead of ν",)),
        Mistake(*VARIANCE_OR_PRECISION, wrong_functions=("variances",)),
        Mistake(
            "with something in the wrong unit beside r²",
            "In which unit is r²? In log p it is compared with d s²; scale is s, a standard deviation's cousin.",
            wrong_functions=("s for s²", "s⁴", "d forgotten beside r²"),
        ),
        Mistake(
            "with another factor",
            "What is the exponent of the density? −(d + 1)/2, and r² has the derivative 2r.",
            wrong_functions=("d for d + 1", "half"),
        ),
        Mistake(
            "with another curvature",
            "Differentiate once more: the slope (d + 1) r/(d s² + r²) is a quotient. Do finite differences agree with "
            "yours?",
            wrong_functions=("denominator not squared", "numerator of the product rule lost"),
        ),
        Mistake(*LOG_OR_NOT, wrong_functions=("derivatives of p",)),
        Mistake(
            "derivatives with respect to another variable",
            "What is the derivative of (y − g)/s? Each derivative brings one more 1/s.",
            wrong_functions=("in units of s",),
        ),
        Mistake(
            "the sites of a Gaussian likelihood",
            "Does every answer count alike? Here τ depends on the residual.",
            wrong_functions=("a Gaussian", "a Gaussian of the same variance"),
        ),
        Mistake(*TAU_FIRST, when=lambda case, got: near(got, case.expected[::-1])),
    ),
    hints=(
        "Write r = y − g. Then log p = constant − ½ (d + 1) log(1 + r²/(d s²)). Differentiate in g, remember dr/dg = "
        "−1, and put everything over d s² + r².",
        "∂ log p = (d + 1) r/(d s² + r²). Differentiate this quotient: ∂² log p is (d + 1) times something over (d s² "
        "+ r²)². τ is −∂² log p.",
        "The site's logarithm ν g − ½ τ g² has the slope ν − τ g. Set it equal to ∂ log p and solve for ν.",
    ),
    about=(
        "τ is minus the second derivative of log p: differentiate the slope (d + 1) r/(d s² + r²), a quotient.",
        "ν = slope + τ g: what are the slope's sign and its value, and at which place does the site touch?",
    ),
    laws=(
        Law(
            "Turn the signs of y and g: τ stays, ν changes its sign.",
            "Where does a sign get lost?",
            lambda y, g, scale, degrees: (-y, -g, scale, degrees),
            times(1, -1),
        ),
        Law(
            "Multiply y, g and s by 3: τ is divided by 9, ν by 3.",
            "Which unit has each term? r² is to be compared with d s²; a bound and the step of a difference have a "
            "unit, too. Or are digits lost: by a small step, in an array of whole numbers?",
            lambda y, g, scale, degrees: (3 * y, 3 * g, 3 * scale, degrees),
            times(1 / 9, 1 / 3),
        ),
        Law(
            "Add 5 to y and g: τ stays, and ν grows by 5 τ, as the slope stays.",
            "Which slope has exp(ν g − ½ τ g²) at g?",
            lambda y, g, scale, degrees: (y + 5, g + 5, scale, degrees),
            lambda one, other: near(other, (one[0], one[1] + 5 * one[0])),
        ),
        Law(
            "Where y = g log p is at its top: the slope is 0, and ν is τ g.",
            "Which slope has your site there?",
            lambda y, g, scale, degrees: (g, g, scale, degrees),
            lambda one, other: (
                one[0].shape != other[0].shape
                or near(other[1] * one[0], other[0] * other[1] / np.where(other[0] == 0, 1, other[0]) * one[0])
            ),
        ),
        Law(
            "At y = g the curvature is that of the top: with s = 1 and d = ½, τ is 3.",
            "Which factor has τ there? (d + 1)/(d s²), for any d > 0, whole or not.",
            lambda y, g, scale, degrees: (g, g, 1.0, 0.5),
            lambda one, other: near(other[0], np.full_like(one[0], 3)),
        ),
        Law(
            "Where |y − g| > s √d, log p is bent upwards, and τ is below 0.",
            "May a site be of any sign? What does your curvature do far out?",
            lambda y, g, scale, degrees: (g + 3 * scale * degrees**0.5, g, scale, degrees),
            lambda one, other: (other[0] < 0).all(),
        ),
    ),
    asks={
        "by hand": "Write down slope and curvature at r = 0.5 and r = 2 with your pencil: which of them differs?",
        "no residual": "At y = g the slope is 0: what is ν then?",
        "far away": "Far away log p is −(d + 1) log |r|: which slope and curvature has that?",
        "nearly Gaussian": "With 10⁷ degrees of freedom the sites are those of a Gaussian, 1/s² and y/s².",
    },
)

# --------------------------------------------------------------------------------------------------- 3 laplace


def top_of_the_likelihood(case, got):
    """Whether the mode is the maximum of log p alone."""
    _, d1, d2, *_ = case.inputs
    return abs(d1(got[0])) < 1e-4 and d2(got[0]) < -1e-3


def evidence_of(change):
    """Whether mode and variance are right and the evidence is what a change of the right one gives."""
    return lambda case, got: near(got[:2], case.expected[:2]) and near(got[2], change(case.expected[2]))


def draw_laplace(rng, k):
    """A likelihood and a prior whose mean is near the mode or far from it, or where log p bends upwards."""
    sign, width, v = rng.choice([-1, 1]), rng.uniform(0.15, 0.4), rng.uniform(3, 9)
    many_waits = waits(rng.integers(100, 500), rng.uniform(0.5, 3)), -rng.uniform(5, 9), v
    maybe_lapse = lapsing_choice(sign, rng.uniform(0.02, 0.1)), -sign * rng.uniform(2.8, 3.3), v
    likelihood, m, v = (
        many_waits,
        maybe_lapse,
        (choice(sign), sign * rng.uniform(-15, 1), v),
        (choices(rng.integers(10, 20), rng.integers(2, 8)), -rng.uniform(4, 7), v / 2),
        many_waits,
        (mostly_careful(3.5 * width, width, 10, 0.1), 0.0, width**2 / 3),
        (waits(rng.integers(2, 6), rng.uniform(1, 5)), rng.uniform(15, 30), 2 * v),
        maybe_lapse,
        many_waits,
        (choices(rng.integers(2, 8), rng.integers(10, 20)), rng.uniform(4, 7), v / 2),
        (mostly_careful(rng.normal(0, 0.8), width, 10, 0.1), 0.0, 1.0),
        (normal(rng.normal(), 2 * width), rng.normal(), v),
    )[k % 12]
    return *likelihood, float(m), float(v)


laplace = Task(
    name="laplace",
    function="laplace_one",
    arguments=("log_p", "d1", "d2", "prior_mean", "prior_variance"),
    title="Task 3 · Up the hill, from anywhere",
    stars=3,
    minutes=45,
    points=7,
    cases=(
        Case("by hand", (*normal(2.0, 0.5), 0.5, 2.25), tolerance=1e-6),
        Case("one answer +", (*choice(1), 0.0, 225.0), tolerance=1e-6),
        Case("two kinds of noise", (*mostly_careful(0.5, 0.15, 10, 0.1), 0.0, 1.0), tolerance=1e-6),
        Case("an answer that may be a lapse", (*lapsing_choice(-1, 0.04), 3.0, 9.0), tolerance=1e-6),
        Case("far above", (*waits(3, 2.0), 33.0, 8.0), tolerance=1e-6),
        Case("far below", (*waits(400, 1.5), -6.0, 4.0), tolerance=1e-6),
        Case("hardly believed", (*mostly_careful(151.5, 0.5, 10, 0.1), 150.0, 0.05), tolerance=1e-6),
        Case("many answers, far to the right", (*choices(4, 17), 6.0, 2.5), tolerance=1e-6),
    ),
    draw=draw_laplace,
    tolerance=1e-6,
    mistakes=(
        Mistake(
            "as if it had stopped on the way",
            "What is the slope where you stopped? At the mode it is 0: go on until the steps are tiny.",
            wrong_functions=("one step", "three steps", "ten steps", "stops early", "the prior mean"),
        ),
        Mistake(
            "nearly right",
            "How exactly do you know the mode? The slope of h must be 0 there. A grid's step and an optimiser's "
            "tolerance end at three or four digits, and six are wanted: go on with Newton's steps, judged by h, until "
            "they are tiny.",
            wrong_functions=("a grid of 201",),
            when=lambda case, got: near(got[0], case.expected[0], 0.01) and not near(got[0], case.expected[0], 1e-7),
        ),
        Mistake(
            "as if it had lost its way, or had not arrived",
            "Does every one of your steps go up? Print log p(g) + log N(g) and its slope after each of them. Where "
            "the curvature is positive, Newton walks towards a valley; where it is small, it walks too far. If all go "
            "up: is the slope 0 at the end, or do your rounds or bounds end before?",
            correct_cases=("by hand", "one answer +"),
            when=lambda case, got: not near(got[0], case.expected[0], 0.01),
        ),
        Mistake(
            "a search between ends that do not hold the mode",
            "Does the slope of h change its sign between your ends? The mode may be far from the prior mean, in its "
            "standard deviations, too: let the ends move out until it does.",
            raises=ValueError,
            when=lambda case, error: "sign" in str(error),
        ),
        Mistake(
            "with a variance from another place than the mode",
            "At which place is the curvature taken? At the mode, where the climb ends, not at the prior mean, where "
            "it began.",
            wrong_functions=("curvature at the prior mean",),
        ),
        Mistake(
            "what comes out without the prior",
            "Where does the prior enter the slope and the curvature? log N(g | m, v) has the slope −(g − m)/v and the "
            "curvature −1/v.",
            wrong_functions=("likelihood alone", "variance of the likelihood"),
            when=top_of_the_likelihood,
        ),
        Mistake(
            "as if the prior were wider or narrower",
            "What is given, the prior's variance or its standard deviation?",
            wrong_functions=("variance squared",),
        ),
        Mistake(
            "as if the prior were centred at 0",
            "Where does the prior pull to? To its mean, m.",
            wrong_functions=("prior centred at 0",),
        ),
        Mistake(
            "the right answer to another question, by integration",
            "Which place on the curve counts here? Laplace looks at one place only, the mode, and at the curvature "
            "there.",
            wrong_functions=("exact moments", "exact evidence"),
        ),
        Mistake(
            "a sum of two variances",
            "What adds up, precisions or variances? Two sources of knowledge about one number make it more certain.",
            wrong_functions=("variances added",),
        ),
        Mistake(
            "with a variance that has the wrong sign somewhere",
            "At a maximum, which sign has the curvature? The posterior's precision is −∂² log p + 1/v.",
            wrong_functions=("sign of the Hessian", "negative"),
        ),
        Mistake(
            "a precision", "A variance, or its inverse?", when=lambda case, got: near(got[1], 1 / case.expected[1])
        ),
        Mistake(
            "a standard deviation",
            "A variance, or its root?",
            when=lambda case, got: near(got[1], np.sqrt(case.expected[1])),
        ),
        Mistake(
            "with an evidence in which something is missing or doubled",
            "Which parts has the integral? log p(mode) + log N(mode | m, v), the height, and ½ log(2π variance), the "
            "width. The Gaussian case is exact: try yours there.",
            wrong_functions=(
                "height alone",
                "likelihood at the mode",
                "prior left out",
                "prior without its constant",
                "2π once",
                "volume subtracted",
                "volume without half",
            ),
        ),
        Mistake("minus the log evidence", "Which sign has the log evidence here?", when=evidence_of(lambda z: -z)),
        Mistake("the evidence itself", "The evidence, or its logarithm?", when=evidence_of(np.exp)),
    ),
    hints=(
        "Call h(g) = log p(g) − (g − m)²/(2v). Newton's step is −h′/h″. It goes uphill only if h″ < 0; if not, step "
        "along the slope instead, for instance by v · h′, which always has the unit of g.",
        "After choosing a step, look before you go: while h(g + step) is below h(g), halve the step. This alone tames "
        "every start. Begin at the prior mean; repeat until |step| is below 1e-10 or so.",
        "At the mode: variance = 1/(1/v − d2(mode)), and log evidence = log p(mode) + log N(mode | m, v) + ½ log(2π · "
        "variance).",
    ),
    about=(
        "The mode comes first: is the slope of h 0 where you stopped, and does h rise with every step?",
        "Is the variance that of the posterior, taken at the mode? 1/v and −d2 are added before they "
        "are turned over, and −d2 may be negative.",
        "The evidence is height times width: log p + log N at the mode, with its ½ log(2πv), and ½ "
        "log(2π · variance).",
    ),
    laws=(
        Law(
            "If the likelihood is 1 everywhere, nothing is learned: for m = 2 and v = 3 the mode is "
            "2, the variance 3, the evidence log 1 = 0.",
            "Which of the three is not? With d2 = 0 only the prior is left, and both terms of the evidence with 2π "
            "cancel.",
            lambda log_p, d1, d2, m, v: (lambda g: 0.0 * g, lambda g: 0.0 * g, lambda g: 0.0 * g, 2.0, 3.0),
            lambda one, other: near(other, (2.0, 3.0, 0.0)),
        ),
        Law(
            "Multiply the likelihood by e²: mode and variance stay, the log evidence grows by 2.",
            "Is log p in the evidence once?",
            lambda log_p, d1, d2, m, v: (lambda g: log_p(g) + 2, d1, d2, m, v),
            lambda one, other: near(other, (one[0], one[1], one[2] + 2)),
        ),
        Law(
            "Mirror everything at 0: the mode changes its sign, all else stays.",
            "Which step treats up and down differently?",
            lambda log_p, d1, d2, m, v: (lambda g: log_p(-g), lambda g: -d1(-g), lambda g: d2(-g), -m, v),
            times(-1, 1, 1),
        ),
        Law(
            "Shift everything by 3: the mode moves by 3, all else stays.",
            "Where does the prior mean have to stand beside g?",
            lambda log_p, d1, d2, m, v: (lambda g: log_p(g - 3), lambda g: d1(g - 3), lambda g: d2(g - 3), m + 3, v),
            lambda one, other: near(other, (one[0] + 3, one[1], one[2])),
        ),
        Law(
            "Where the likelihood is N(2 | g, ¼), the prior N(1, ½) and all is Gaussian, the "
            "variance is 1/(2 + 4) and the mode 10/6.",
            "Where does the prior enter slope and curvature, −(g − m)/v and −1/v, and which signs do they have?",
            lambda log_p, d1, d2, m, v: (*normal(2.0, 0.5), 1.0, 0.5),
            lambda one, other: near(other[:2], (10 / 6, 1 / 6)),
        ),
    ),
    asks={
        "by hand": "All is Gaussian here, and one step of Newton's is exact. Which of your three numbers is not?",
        "one answer +": "Where the slope of h is 0 there is the mode. What is the slope where you stopped?",
        "hardly believed": "At this mode log p bends upwards: which sign has −d2, and is the variance above v or "
        "below?",
    },
)

# -------------------------------------------------------------------------------------------------------- 4 ep

DIVIDE = (
    "moments that are right and a site that is not",
    "What is tilted ÷ cavity? Dividing two Gaussians subtracts precisions, and subtracts mean/variance.",
)


SHARP = ("3000 answers", "a needle", "a finer needle")  # where the cavity hardly matters to the moments


def right_moments(case, got):
    """Whether mean, variance and site are right."""
    return near(got[1:], case.expected[1:], 1e-3)


def tilted(case):
    """Points within 10 standard deviations of the cavity, and their log weights, log p and log p + log N."""
    log_likelihood, m, v = case.inputs
    g = m + np.sqrt(v) * np.linspace(-10, 10, 100_001)
    return g, log_likelihood(g), log_likelihood(g) - 0.5 * (g - m) ** 2 / v - 0.5 * np.log(2 * np.pi * v)


def at_the_mode(case, got):
    """Whether mean and variance are those of the Gaussian at the mode, where the mean is elsewhere."""
    g, _, log_weight = tilted(case)
    k = min(max(log_weight.argmax(), 1), len(g) - 2)
    bend = (log_weight[k - 1] - 2 * log_weight[k] + log_weight[k + 1]) / (g[1] - g[0]) ** 2
    return abs(g[k] - case.expected[1]) > 0.02 and near(got[1:3], (g[k], -1 / bend), 0.02)


def without_the_cavity(case, got):
    """Whether mean and variance are those of the likelihood alone, where these are others."""
    g, log_p, _ = tilted(case)
    weight = np.exp(log_p - log_p.max())
    mean = weight @ g / weight.sum()
    variance = weight @ (g - mean) ** 2 / weight.sum()
    alone = mean, variance
    return case.name not in SHARP and near(got[1:3], alone, 0.01) and not near(case.expected[1:3], alone, 0.05)


def last_two(change):
    """Whether the moments are right and (τ, ν) is what a change of the right ones gives."""
    return lambda case, got: near(got[:3], case.expected[:3]) and near(got[3:], change(*case.expected[3:]))


def divided(case, got):
    """Whether the site is what is left of these moments without the cavity, however wrong they are."""
    _, mean, variance, tau, nu = got
    _, m, v = case.inputs
    return variance != 0 and near(tau, 1 / variance - 1 / v) and near(nu, mean / variance - m / v)


def draw_ep(rng, k):
    """A likelihood and a cavity; it may be a surprise, thousands of answers, a needle, or a cavity wide or narrow."""
    sign, m, v = rng.choice([-1, 1]), rng.normal(), rng.uniform(0.5, 7)
    likelihood, m, v = (
        (choice(sign), m, v),
        (mostly_careful(m + 3, rng.uniform(0.3, 0.5), 8, 0.2), m, v / 4),
        (choice(sign), -5 * sign, v),
        (lapsing_choice(sign, rng.uniform(0.03, 0.1)), -2 * sign, v),
        (choices(rng.integers(1000, 3000), rng.integers(1000, 3000)), m, 10 * v),
        (normal(m + 5 * np.sqrt(v), 0.0015 * np.sqrt(v)), m, v),
        (choice(sign), -30.0 * sign, 300.0),
        (choice(sign), m, 1e-4 * v),
        (normal(m + 2, 1.5), m, v),
    )[k % 9]
    return likelihood[0], float(m), float(v)


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
        Case("one answer +", (choice(1)[0], 0.0, 9.0), tolerance=1e-6),
        Case("a surprise", (choice(-1)[0], 4.0, 2.25), tolerance=1e-6),
        Case("two kinds of noise", (mostly_careful(4.0, 0.3, 10, 0.1)[0], 1.0, 1.5), tolerance=1e-6),
        Case("3000 answers", (choices(1100, 1900)[0], 1.0, 100.0), tolerance=1e-6),
        Case("a needle", (normal(21.0, 0.002)[0], 1.0, 25.0), tolerance=1e-6),
        Case("hardly anything is known", (choice(1)[0], 40.0, 400.0), tolerance=1e-6),
        Case("nearly all is known", (choice(-1)[0], 0.3, 1e-4), tolerance=1e-6),
        Case("a finer needle", (normal(-25.3, 0.001)[0], 1.0, 9.0), tolerance=1e-6),
    ),
    draw=draw_ep,
    tolerance=1e-6,
    mistakes=(
        Mistake(
            "a sum that ends too early",
            "How far does the tilted distribution reach? Two standard deviations of the cavity are not enough.",
            wrong_functions=("a short grid",),
        ),
        Mistake(
            "an average with the wrong scale",
            "What do your weights sum to if the likelihood is 1? And the average of (g − m)² should then be v.",
            wrong_functions=("no √2", "no √π"),
        ),
        Mistake(
            "as if the cavity had another size",
            "What is given, the cavity's variance or its standard deviation?",
            wrong_functions=(
                "variance as std",
                "variance as std, in the site, too",
                "scale = v",
                "scale = v, 8 stds",
                "nodes in units of v",
            ),
        ),
        Mistake(
            "0 where a very small number should be",
            "How small is the product of 3000 probabilities? Keep logarithms, and subtract the largest before exp.",
            correct_cases=("by hand", "a needle"),
            when=lambda case, got: case.name == "3000 answers" and not np.isfinite(got[0]),
        ),
        Mistake(
            "moments of something that does not integrate to 1",
            "What is divided by Z? Every moment: the tilted distribution is p(y | g) N(g)/Z.",
            wrong_functions=("not divided by Z",),
        ),
        Mistake(
            "Z or −log Z",
            "Z, or log Z? And with which sign?",
            when=lambda case, got: (
                case.name not in SHARP and any(near(got[0], f(case.expected[0])) for f in (np.exp, np.negative))
            ),
        ),
        Mistake(
            "what the likelihood alone gives",
            "Where does the cavity enter? Every point is weighted with p(y | g) N(g | m, v).",
            when=without_the_cavity,
        ),
        Mistake(
            "the average of log p",
            "Which of the two is Z? The logarithm of an average is no average of logarithms.",
            wrong_functions=("average of log p",),
        ),
        Mistake(
            "right moments, and a log Z that lacks the largest weight",
            "What did you subtract before exp, and where is it added again? log Z = largest + log Σ exp(… − largest).",
            when=lambda case, got: right_moments(case, got) and near(got[0], case.expected[0] - tilted(case)[2].max()),
        ),
        Mistake(
            "right moments, and another log Z",
            "If the likelihood is 1 everywhere, log Z must be 0. Is yours, and with twice as many points, too? An "
            "integral is the sum of the weights times the step between the points, and the cavity integrates to 1.",
            when=lambda case, got: (
                case.name not in SHARP and right_moments(case, got) and not near(got[0], case.expected[0])
            ),
        ),
        Mistake(
            "Laplace's Gaussian",
            "A mean, or a mode? EP keeps mean and variance of the whole tilted distribution.",
            when=at_the_mode,
        ),
        Mistake(
            "a variance about another point",
            "About which point is a variance taken? About the mean of the same distribution.",
            wrong_functions=("second moment", "about the cavity"),
        ),
        Mistake(
            "a standard deviation",
            "A variance, or its root?",
            when=lambda case, got: near(got[2], np.sqrt(case.expected[2])),
        ),
        Mistake(
            "moments that are right and a difference of variances",
            "What subtracts when one Gaussian is divided by another? Precisions: 1/variance − 1/v, and never "
            "variances.",
            wrong_functions=("variances subtracted", "variances subtracted, the other way", "difference of variances"),
        ),
        Mistake(*DIVIDE, wrong_functions=("site is the tilted", "τ alone divided", "multiplied", "τ (tilted mean)")),
        Mistake(*DIVIDE, when=last_two(lambda tau, nu: (-tau, -nu))),
        Mistake(*MEAN_OR_NU, wrong_functions=("means subtracted",)),
        Mistake(*MEAN_OR_NU, when=last_two(lambda tau, nu: (tau, nu / tau))),
        Mistake(*VARIANCE_OR_PRECISION, when=last_two(lambda tau, nu: (1 / tau, nu))),
        Mistake(
            "as if an answer could only make one surer",
            "Can an answer make you less sure? If it contradicts what you thought, yes: let τ be negative.",
            when=lambda case, got: case.expected[3] < 0 <= got[3] + 1e-9 and near(got[:2], case.expected[:2]),
        ),
        Mistake(*TAU_FIRST, when=last_two(lambda tau, nu: (nu, tau))),
        Mistake(
            "a sum whose points or weights miss the mass",
            "Where is the mass of p(y | g) N(g)? Print the points of your sum that matter, those within exp(−40) of "
            "the largest. How many are there? And is each weight exp(log p + log N − the largest), with nothing "
            "added, cut off or left out?",
            when=lambda case, got: (
                divided(case, got)
                and (case.name in SHARP[:2] or near(got[:3], case.expected[:3], 0.2))
                and not at_the_mode(case, got)
            ),
        ),
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
    about=(
        "If log Z alone is wrong: a sum needs the step between its points, the cavity its 1/√(2πv), and what was "
        "subtracted before exp comes back.",
        "Is the mean taken under weights that add up to 1?",
        "About which point is the variance, and is it a variance?",
        "τ is what the tilted precision has more than the cavity's: 1/variance − 1/v.",
        "ν is mean/variance, minus the cavity's m/v.",
    ),
    laws=(
        Law(
            "With the cavity N(1, 9), 1/variance − τ must be 1/9: that is the cavity's precision.",
            "Which precisions are subtracted for τ, and in which order? v is a variance.",
            lambda log_likelihood, m, v: (log_likelihood, 1.0, 9.0),
            lambda one, other: other[2] < 1e-4 or near(1 / other[2] - other[3], 1 / 9, 1e-2),
        ),
        Law(
            "With the cavity N(1, 9), mean/variance − ν must be 1/9: that is the cavity's m/v.",
            "What is subtracted for ν? Each mean goes with its own variance.",
            lambda log_likelihood, m, v: (log_likelihood, 1.0, 9.0),
            lambda one, other: other[2] < 1e-4 or near(other[1] / other[2] - other[4], 1 / 9, 1e-2),
        ),
        Law(
            "If the likelihood is 1 everywhere, nothing is learned: for m = 2 and v = 3 you get 0, 2, 3, 0, 0.",
            "Which number is not, and which weight has a point of your sum then?",
            lambda log_likelihood, m, v: (lambda g: 0.0 * g, 2.0, 3.0),
            lambda one, other: near(other, (0.0, 2.0, 3.0, 0.0, 0.0), 1e-3),
        ),
        Law(
            "Multiply the likelihood by e²: log Z grows by 2, all else stays.",
            "Was something subtracted before exp and not added again?",
            lambda log_likelihood, m, v: (lambda g: log_likelihood(g) + 2, m, v),
            lambda one, other: near(other, (one[0] + 2, *one[1:])),
        ),
        Law(
            "Mirror everything at 0: mean and ν change their signs, all else stays.",
            "Which step treats up and down differently?",
            lambda log_likelihood, m, v: (lambda g: log_likelihood(-g), -m, v),
            times(1, -1, 1, 1, -1),
        ),
        Law(
            "Shift everything by 3: the mean moves by 3, ν by 3 τ, all else stays.",
            "About which point are the moments, and do your points move along?",
            lambda log_likelihood, m, v: (lambda g: log_likelihood(g - 3), m + 3, v),
            lambda one, other: near(other, (one[0], one[1] + 3, one[2], one[3], one[4] + 3 * one[3]), 1e-3),
        ),
    ),
    asks={
        "3000 answers": "One answer is fine, 3000 are not: which number gets too small?",
        "a needle": "How many points of your sum lie within the needle? It is 2500 times narrower than the cavity.",
        "a finer needle": "How many points of your sum lie within the needle, nearly 9 standard deviations of the "
        "cavity below its mean?",
        "nearly all is known": "Do your points reach 10 standard deviations to each side? One is 0.01 here, not "
        "0.0001.",
        "hardly anything is known": "How far from the cavity's mean do your points reach, and where "
        "does the likelihood bend?",
    },
)

# ----------------------------------------------------------------------------------------------- 5 variational


def draw_variational(rng, k):
    """One to four answers; every fifth time g is known, every seventh far out, and the step may be 0 or 1."""
    n = 1 + k % 4
    mean, variance = rng.normal(0, 2, n).round(2), rng.uniform(0.2, 5, n).round(2)
    if k % 7 == 6:
        mean, variance = 500 * mean, 20 * variance
    sites = rng.uniform(0, 0.3, n).round(2), rng.normal(0, 1, n).round(2)
    return rng.choice([-1.0, 1.0], n), mean, variance * (k % 5 != 4), *sites, (1.0, 0.2, 0.45, 0.8, 0.7, 0.0)[k % 6]


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
            (array(1, -1), array(0.5, 0.5), array(0, 0), array(0, 0), array(0, 0), 1.0),
            tolerance=1e-6,
        ),
        Case("one answer", (array(-1), array(1.5), array(3), array(0.3), array(-0.2), 1.0), tolerance=1e-6),
        Case(
            "three tenths of a step",
            (
                array(1, -1, -1),
                array(0.8, 0.4, -1.3),
                array(2.25, 0.5, 1.2),
                array(0.5, 0.1, 0.2),
                array(1, -0.6, 0.3),
                0.3,
            ),
            tolerance=1e-6,
        ),
        Case(
            "wide",
            (whole(-1, 1), array(3, -2), array(6.25, 5.5), array(0.02, 0.2), array(-4, 2.7), 0.6),
            tolerance=1e-6,
        ),
        Case(
            "far out, as in the play below",
            (
                array(1, -1, 1, -1),
                array(1100, 950, -1200, -900),
                array(90, 40, 65, 120),
                array(0.01, 0.2, 0.1, 0.3),
                array(0.4, -0.3, 1, -0.6),
                0.7,
            ),
            tolerance=1e-6,
        ),
    ),
    draw=draw_variational,
    tolerance=1e-6,
    mistakes=(
        Mistake(
            "as if both answers pulled in the same way",
            "Does an answer of − pull g down? y is −1 or +1 and stands in front of the slope.",
            wrong_functions=("labels 0 and 1", "label ignored"),
        ),
        Mistake(
            "as if answers pushed g away",
            "Does an answer of − pull g down? At g = 0 its slope is −½.",
            wrong_functions=("turned round", "slope subtracted"),
        ),
        Mistake(
            "as if expected answers pulled most",
            "How hard does an answer pull that was expected anyway? The slope of −log(1 + e^−yg) vanishes where y g "
            "is large.",
            wrong_functions=("σ(y g) for σ(−y g)",),
        ),
        Mistake(*CURVATURE_SIGN, wrong_functions=("label in the curvature", "curvature's sign")),
        Mistake(
            "another link than the logistic one",
            "Which link does the task name? σ(g) = 1/(1 + e^−g), and log p = −log(1 + e^−yg); Φ belongs to Task 1.",
            wrong_functions=("probit",),
        ),
        Mistake(
            "what is left when e^g was too large",
            "How large is e to the 1000th, for a computer? Infinity, and ∞/∞ is no number: scipy.special.expit never "
            "gets there, and σ(g) σ(−g) is the curvature.",
            when=lambda case, got: case.name.startswith("far out") and not_finite(case, got),
        ),
        Mistake(*LOG_OR_NOT, wrong_functions=("derivatives of p",)),
        Mistake(
            "the squares of the slopes",
            "Is the curvature the square of the slope? Only on average over answers, not for this one.",
            wrong_functions=("squared slopes",),
        ),
        Mistake(
            "the slopes at the mean",
            "Where does the uncertainty about g enter? Averages over N(mean, variance) are asked for. (At the mean "
            "alone stands Laplace.)",
            wrong_functions=("at the mean",),
        ),
        Mistake(
            "an average with the wrong scale",
            "What does your rule give for the average of 1, and of g²? It should be 1 and mean² + variance.",
            wrong_functions=("no √2", "no √π"),
        ),
        Mistake(
            "as if g had another spread",
            "What is given, the variance of g or its standard deviation?",
            wrong_functions=("std for variance", "variance squared"),
        ),
        Mistake(
            "τ with a ν that does not go with it",
            "What is ν of the tangent of a parabola? The site's slope ν − τ g at the mean should be E[∂ log p].",
            wrong_functions=("τ right, ν with the curvature", "ν is the slope", "ν is τ mean", "ν is τ y"),
        ),
        Mistake(*MEAN_OR_NU, wrong_functions=("a mean instead of ν",)),
        Mistake(
            "the precision of q in the place of a site",
            "Is this a site, or posterior? The prior has its own precision, which is no answer's.",
            wrong_functions=("variance added to τ",),
        ),
        Mistake(
            "the right target, mixed otherwise",
            "At step 0, do your sites stay as they are? And at step 1, are the old ones gone, both of them?",
            wrong_functions=("no damping", "damping turned round", "added", "ν not damped", "τ not damped"),
        ),
        Mistake(
            "a ν in which new and old τ are mixed up",
            "Which τ belongs into the target of ν? The same as in the target of τ, −E[∂²]; mix afterwards.",
            wrong_functions=("mixed τ in ν", "old τ in ν"),
        ),
        Mistake(*TAU_FIRST, when=lambda case, got: near(got, case.expected[::-1])),
        Mistake(
            "nearly the right averages",
            "How many nodes does your rule have? Double them and see what moves.",
            wrong_functions=("three nodes", "simulated"),
        ),
    ),
    hints=(
        "For one g: ∂ log p = y σ(−y g) and ∂² log p = −σ(g) σ(−g). scipy.special.expit is σ. Make a table of them "
        "with a row for each answer and a column for each node.",
        "np.polynomial.hermite.hermgauss(64) gives nodes x and weights w for ∫ f(x) e^(−x²) dx. For N(m, v) use g = m "
        "+ √(2v) x and the weights w/√π.",
        "With a = E[∂ log p] and b = −E[∂² log p] the targets are τ = b and ν = a + b · mean. Then mix: (1 − step) · "
        "old + step · target, for both.",
    ),
    about=(
        "Only τ: it is minus the average of the second derivative, σ(g)(1 − σ(g)), over N(mean, "
        "variance), mixed with the old τ.",
        "Only ν: the average slope, y σ(−y g), plus the new target of τ times the mean, mixed with the old ν.",
    ),
    laws=(
        Law(
            "A step of 0 changes nothing: sites with τ = 0.3 and ν = −0.2 stay so.",
            "What do you get for step = 0? The old sites, not what they changed by.",
            lambda y, mean, variance, tau, nu, step: (
                1.0 * y,
                mean,
                0 * variance + 1,
                0 * tau + 0.3,
                0 * nu - 0.2,
                0.0,
            ),
            lambda one, other: near(other, (np.full_like(one[0], 0.3), np.full_like(one[1], -0.2))),
        ),
        Law(
            "Give the last answer twice: its site comes twice.",
            TWICE,
            lambda *given: (*(one[[-1, -1]] for one in given[:5]), given[5]),
            lambda one, other: near(other, tuple(part[[-1, -1]] for part in one)),
        ),
        Law(
            "Turn the signs of y, the means and ν: τ stays, ν changes its sign.",
            "Which term of the slope forgets y, or its sign?",
            lambda y, mean, variance, tau, nu, step: (-y, -mean, variance, tau, -nu, step),
            times(1, -1),
        ),
        Law(
            "If g = 1 is known, a whole step gives τ = 0.1966, and ν = 0.4655 for y = 1.",
            "What are σ(1) and its slope? At variance 0, do your weights add up to 1, and is nothing divided by it?",
            lambda y, mean, variance, tau, nu, step: (0.0 * y + 1, 0 * mean + 1, 0 * variance, 0 * tau, 0 * nu, 1.0),
            lambda one, other: near(other, (np.full_like(one[0], 0.1966119332), np.full_like(one[1], 0.4655533546))),
        ),
        Law(
            "Answers of + and of − to the same g have the same τ, and their ν differ by 1, since σ(g) + σ(−g) = 1.",
            "Which slope has log p for y = −1, and does the average give 1 for 1?",
            lambda y, mean, variance, tau, nu, step: (
                array(1, -1),
                mean[[0, 0]],
                variance[[0, 0]],
                array(0, 0),
                array(0, 0),
                1.0,
            ),
            lambda one, other: near(np.diff(other[0]), [0]) and near(np.diff(other[1]), [-1]),
        ),
        Law(
            "For the mean 0 and the variance 4 a whole step gives τ = 0.1514.",
            "Do you average σ(1 − σ), or σ alone? Does your rule give 1 and 4 for the averages of 1 and g², with "
            "twice as many nodes, too?",
            lambda y, mean, variance, tau, nu, step: (0.0 * y + 1, 0 * mean, 0 * variance + 4, 0 * tau, 0 * nu, 1.0),
            lambda one, other: near(other[0], 0 * one[0] + TAU_OF_FOUR),
        ),
    ),
    asks={
        "by hand": "No average is left: variance 0, step 1. What are slope and curvature of log p at ½? Is anything "
        "divided by the variance?",
        "one answer": "Where g is known you are right. What does your rule give for the averages of "
        "1, g and g² under N(1.5, 3), and do twice as many nodes change τ?",
        "three tenths of a step": "A whole step is right. How much of the old sites is left after three tenths?",
        "far out, as in the play below": "How large is exp(1100)? Which form of the logistic does not need it? And is "
        "a tiny τ cut off?",
    },
)

# ---------------------------------------------------------------------------------------------------- 6 counts

FACTORIAL = (
    "with something too large or too small for the computer",
    "How large is 300 factorial, how small exp(−exp(25))? Take the logarithm of each factor: scipy.special.gammaln(y "
    "+ 1) is log y!.",
)


def shapes(case, got):
    """Whether one of the four has another shape than it should."""
    return any(part.shape != one.shape for part, one in zip(got, case.expected, strict=True))


def draw_counts(rng, k):
    """Counts and log rates of shapes that broadcast; every fourth time hundreds, every sixth with tiny rates."""
    y_shape, g_shape = (((1,), (1,)), ((3,), (3,)), ((2, 1), (1, 3)), ((3,), (2, 1)), ((2, 2), (2,)))[k % 5]
    y, g = rng.poisson(3.0, y_shape), rng.normal(0.5, 1.2, g_shape).round(2)
    if k % 4 == 3:
        y, g = y * 75 + rng.integers(0, 75, y_shape), g + 5
    if k % 6 == 4:
        g = g - 30
    return y.astype(float), g


counts = Task(
    name="counts",
    function="poisson_derivatives",
    arguments=("y", "g"),
    title="Task 6 · How to add a likelihood",
    stars=2,
    minutes=25,
    points=5,
    cases=(
        Case("by hand", (array(0, 3), array(np.log(2), 0))),
        Case("six counts, three columns of one g", (array([2, 0, 7], [1, 4, 3]), array(0.3, -1.2, 1.6))),
        Case("300 of them", (array(300, 950, 0), array(5.5, 7.1, 25))),
        Case("next to nothing", (array(0, 1), array(-40, -40))),
        Case("a row for each count, a column for each g", (array([0], [2], [5]), array([-0.5, 0.4, 1.3, 2.0]))),
    ),
    draw=draw_counts,
    mistakes=(
        Mistake(
            "with another constant in log p",
            "Do the probabilities of all counts add up to 1? Try g = 0: p(0), p(1), p(2) are e⁻¹ times 1, 1, ½.",
            wrong_functions=("no factorial", "gammaln(y)", "factorial added", "log y for log y!", "Stirling"),
        ),
        Mistake(
            "with the rate on the wrong side",
            "Which sign has the rate in log p? A higher rate makes no event at all less likely.",
            wrong_functions=("rate added",),
        ),
        Mistake(
            "as if g were not the logarithm of the rate",
            "What is the logarithm of the rate? The rate is exp(g), so that any real g is allowed.",
            wrong_functions=("log g", "g is the rate", "y times the rate"),
        ),
        Mistake(
            "derivatives in the rate",
            "With respect to which variable? In g: write log p with exp(g) first, then differentiate.",
            wrong_functions=("in the rate", "y / rate − 1"),
        ),
        Mistake(
            "with another slope",
            "At which rate is a count of 3 most likely? At 3: there the slope is 0, and below it the slope is "
            "positive.",
            wrong_functions=("slope turned", "y − g"),
        ),
        Mistake(
            "with a curvature turned round",
            "Which sign has the curvature of log p at a peak? All four are derivatives of log p itself.",
            wrong_functions=("curvature turned", "minus second derivative"),
        ),
        Mistake(
            "the third derivative with the wrong sign",
            "Which sign has the third derivative? It is the derivative of the second, −exp(g), and not of its size.",
            wrong_functions=("third turned",),
        ),
        Mistake(
            "with a higher derivative that is not one",
            "What is left when y g has been differentiated twice? Take what remains and differentiate exp(g) once "
            "more.",
            wrong_functions=("no third", "curvature is −1", "curvature with y", "third squared"),
        ),
        Mistake(*FACTORIAL, when=lambda case, got: case.name == "300 of them" and not_finite(case, got)),
        Mistake(*FACTORIAL, raises=OverflowError),
        Mistake(*LOG_OR_NOT, when=lambda case, got: near(got[0], np.exp(case.expected[0]))),
        Mistake(
            "another rate",
            "Which rate does the task name? exp(g); log(1 + exp(g)) is one that grows more slowly.",
            wrong_functions=("softplus",),
        ),
        Mistake(
            "a normal density",
            "A count, or a number with decimals? A normal with the same variance is close for large rates only.",
            wrong_functions=("a normal",),
        ),
        Mistake(
            "four parts whose shapes do not agree",
            "Which shape has each of the four? That of y and g broadcast together, for the engine asks about many g "
            "at once.",
            correct_cases=("by hand",),
            when=shapes,
        ),
    ),
    hints=(
        "A Poisson count with rate r has p(y) = r^y e^(−r)/y!. Put r = exp(g) and take the logarithm: three terms.",
        "y g is linear in g, and exp(g) is its own derivative. log y! is a constant in g; scipy.special.gammaln(y + "
        "1) gives it for any count.",
        "The curvature and the third derivative do not depend on y, so that they come out with the shape of g alone. "
        "np.broadcast_arrays gives y and g one shape, if you let it do so first.",
    ),
    about=(
        "Only log p: which of its three terms, y g, −exp(g), −log y!, is missing or another one?",
        "Only the first derivative: of y g − exp(g), in g.",
        "Only the second derivative: what is left of y g, and of exp(g)?",
        "Only the third derivative: differentiate the second once more.",
    ),
    laws=(
        Law(
            "The probabilities of all counts add up to 1: at g = ½ they must, too.",
            "What is missing in log p, or too much? It has three terms.",
            lambda y, g: (np.arange(80.0), np.full(80, 0.5)),
            lambda one, other: near(np.exp(other[0]).sum(), 1.0),
        ),
        *(
            Law(
                f"Your answer {part + 2} is the derivative of your answer {part + 1} in g.",
                "Compare it with (value at g + 0.001 − value at g)/0.001. Which of the two is wrong, "
                "in which variable was it differentiated, and is anything cut off?",
                lambda y, g: (y, g + 1e-3),
                slope_of(part, 1e-3),
            )
            for part in range(3)
        ),
        Law(
            "Let each count be one larger: the slope grows by 1, the other two derivatives stay.",
            "Where does y enter? Once, as a factor of g.",
            lambda y, g: (y + 1, g),
            lambda one, other: near(other[1:], (one[1] + 1, one[2], one[3])),
        ),
    ),
    asks={
        "by hand": "At g = log 2 the rate is 2. What is the rate at g = 0?",
        "300 of them": "Small counts are right. How large is 300!, which function gives its logarithm, and is any "
        "count or rate cut off?",
        "next to nothing": "The rate is exp(−40). Is anything divided by it, or cut off before?",
        "a row for each count, a column for each g": "Which shape has each of your four? That of y and g together.",
    },
)

homework = Homework(choice_task, outliers, laplace, ep, variational, counts, beside=__file__)
check, case, hint = homework.check, homework.case, homework.hint
overview, waits_for = homework.overview, homework.waits_for
